//! Compiler of `memref`: allocations, accesses, atomics, globals.

use super::arith::dense_values;
use super::*;
use crate::code::add_row;
use crate::race::AccessKind;
use crate::scalar::Accumulate;
use crate::scalar::scalar_kind;
use gridloom_dialects::inherent;
use gridloom_ir::types::Type;

impl FunctionCompiler<'_, '_> {
    pub(super) fn memref(&mut self, op: OpId) -> Compiled<bool> {
        let data = &self.body[op];
        let operands = data.operands.to_vec();
        match data.name {
            memref_ops::ALLOC | memref_ops::ALLOCA => {
                let groups = self.segments()?;
                let dynamic = groups.first().cloned().unwrap_or_default();
                let stack = data.name == memref_ops::ALLOCA;
                if !(stack && self.shared_alloca(data.result(0))?) {
                    self.alloc(data.result(0), &dynamic, stack)?;
                }
            }
            memref_ops::DEALLOC => {
                let (mem, _) = self.mem(operands[0])?;
                self.emit(Instr::Free { mem });
            }
            memref_ops::REALLOC => {
                let (src, kind) = self.mem(operands[0])?;
                self.alloc(data.result(0), &operands[1..], false)?;
                let (dst, _) = self.mem(data.result(0))?;
                self.emit(Instr::CopyFront { src, dst, kind });
                self.emit(Instr::Free { mem: src });
            }
            memref_ops::LOAD => {
                let index = self.scalars(&operands[1..])?;
                self.load(operands[0], &index, data.result(0))?;
            }
            memref_ops::STORE => {
                let index = self.scalars(&operands[2..])?;
                self.store(operands[0], operands[1], &index)?;
            }
            memref_ops::ATOMIC_RMW => self.atomic(op)?,
            memref_ops::GENERIC_ATOMIC_RMW => self.generic_atomic(op)?,
            memref_ops::DIM => {
                let (mem, _) = self.mem(operands[0])?;
                let index = self.scalar(operands[1])?;
                let dst = self.define_scalar(data.result(0))?;
                self.emit(Instr::Dim { dst, mem, index });
            }
            memref_ops::RANK => {
                let (mem, _) = self.mem(operands[0])?;
                let dst = self.define_scalar(data.result(0))?;
                self.emit(Instr::Rank { dst, mem });
            }
            memref_ops::COPY => {
                let ((src, kind), (dst, _)) = (self.mem(operands[0])?, self.mem(operands[1])?);
                self.emit(Instr::Copy { src, dst, kind });
            }
            memref_ops::CAST => self.checked_cast(op)?,
            memref_ops::MEMORY_SPACE_CAST
            | memref_ops::ASSUME_ALIGNMENT
            | memref_ops::DISTINCT_OBJECTS => {
                for (&operand, result) in operands.iter().zip(data.results()) {
                    let slot = self.slot(operand)?;
                    self.slots[result.index()] = Some(slot);
                }
            }
            memref_ops::PREFETCH => {}
            memref_ops::DMA_START | memref_ops::DMA_WAIT => self.dma(op)?,
            memref_ops::SUBVIEW => self.strided_view(op, true)?,
            memref_ops::REINTERPRET_CAST => self.strided_view(op, false)?,
            memref_ops::VIEW => self.byte_view(op)?,
            memref_ops::TRANSPOSE => self.transpose(op)?,
            memref_ops::COLLAPSE_SHAPE => self.regroup(op, false)?,
            memref_ops::EXPAND_SHAPE => self.regroup(op, true)?,
            memref_ops::RESHAPE => self.reshape(op)?,
            memref_ops::EXTRACT_ALIGNED_POINTER_AS_INDEX => {
                let (src, _) = self.mem(operands[0])?;
                let dst = self.define_scalar(data.result(0))?;
                self.emit(Instr::Address { dst, src });
            }
            memref_ops::EXTRACT_STRIDED_METADATA => self.strided_metadata(op)?,
            memref_ops::GET_GLOBAL => {
                let name = self.get(inherent::NAME)?;
                let global = self.global(name)?;
                let dst = self.define_mem(data.result(0))?;
                self.emit(Instr::Global { dst, global });
            }
            memref_ops::ALLOCA_SCOPE => self.alloca_scope(op)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn alloca_scope(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        self.emit(Instr::ScopeEnter);
        let results: Vec<Slot> = data
            .results()
            .map(|r| self.define(r))
            .collect::<Compiled<_>>()?;
        let region = data.inline_regions().first().copied();
        let yielded = self.single_block(region)?;
        let yielded = self.slots_of(&yielded)?;
        self.moves(&yielded, &results)?;
        self.emit(Instr::ScopeExit);
        Ok(())
    }

    /// Reads the element of `memref` at `index` into `result`.
    pub(super) fn load(&mut self, memref: Value, index: &[Reg], result: Value) -> Compiled {
        let dst = self.define_scalar(result)?;
        self.read_element(memref, index, dst)
    }

    /// Reads the element of `memref` at `index` into a register.
    pub(super) fn read_element(&mut self, memref: Value, index: &[Reg], dst: Reg) -> Compiled {
        let (mem, kind) = self.mem(memref)?;
        let index = self.span(index);
        self.watch(AccessKind::Read, kind, mem, index);
        self.emit(Instr::Load {
            kind,
            dst,
            mem,
            index,
        });
        Ok(())
    }

    /// Emits the race check of the access that follows, where the race detector is on.
    pub(super) fn watch(&mut self, access: AccessKind, kind: ScalarKind, mem: Reg, index: Span) {
        if self.unit.watched {
            self.emit(Instr::Watch {
                access,
                kind,
                mem,
                index,
            });
        }
    }

    /// Writes `value` to the element of `memref` at `index`.
    pub(super) fn store(&mut self, value: Value, memref: Value, index: &[Reg]) -> Compiled {
        let src = self.scalar(value)?;
        self.write_element(memref, index, src)
    }

    /// Writes a register to the element of `memref` at `index`.
    pub(super) fn write_element(&mut self, memref: Value, index: &[Reg], src: Reg) -> Compiled {
        let (mem, kind) = self.mem(memref)?;
        let index = self.span(index);
        self.watch(AccessKind::Write, kind, mem, index);
        self.emit(Instr::Store {
            kind,
            src,
            mem,
            index,
        });
        Ok(())
    }

    pub(super) fn alloc(&mut self, result: Value, dynamic: &[Value], stack: bool) -> Compiled {
        let info = self.alloc_info(self.body.ty(result), dynamic, stack)?;
        let info = add_row(&mut self.out.allocs, info);
        let dst = self.define_mem(result)?;
        self.emit(Instr::Alloc { dst, info });
        Ok(())
    }

    fn atomic(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let number = data.get(self.ctx, inherent::RMW_KIND).unwrap_or(-1);
        let Some(how) = Accumulate::from_number(number) else {
            return self.error("unknown atomic kind");
        };
        let src = self.scalar(data.operands[0])?;
        let (mem, kind) = self.mem(data.operands[1])?;
        let index = self.scalars(&data.operands[2..])?;
        let index = self.span(&index);
        let dst = self.define_scalar(data.result(0))?;
        self.watch(AccessKind::Atomic, kind, mem, index);
        self.emit(Instr::Atomic {
            op: how,
            kind,
            dst,
            src,
            mem,
            index,
        });
        Ok(())
    }

    /// Threads take turns at whole operations here, so a load and a store are
    /// atomic together.
    fn generic_atomic(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let (mem, kind) = self.mem(data.operands[0])?;
        let index = self.scalars(&data.operands[1..])?;
        let index = self.span(&index);
        let Some(block) = self.body.region_block(op, 0) else {
            return self.error("the operation has no body");
        };
        let Some(&old) = self.body[block].args.first() else {
            return self.error("the body has no argument");
        };
        let old = self.define_scalar(old)?;
        self.watch(AccessKind::Atomic, kind, mem, index);
        self.emit(Instr::Load {
            kind,
            dst: old,
            mem,
            index,
        });
        let region = data.inline_regions().first().copied();
        let yielded = self.single_block(region)?;
        let new = self.scalars(&yielded)?;
        let dst = self.define_scalar(data.result(0))?;
        if let [src] = new[..] {
            self.emit(Instr::Move { dst, src });
            self.emit(Instr::Store {
                kind,
                src,
                mem,
                index,
            });
        }
        Ok(())
    }

    /// The number of a `memref.global`, added at its first mention.
    fn global(&mut self, name: Option<Ident>) -> Compiled<u32> {
        let top = self.unit.module.body();
        let found = name.and_then(|name| Some((name, &top[self.unit.symbols.get(name)?])));
        let Some((name, data)) = found.filter(|(_, data)| data.name == memref_ops::GLOBAL) else {
            return self.error("the global does not exist");
        };
        if let Some(&number) = self.unit.global_index.get(&name) {
            return Ok(number);
        }
        let ty: Option<Type> = data.get(self.ctx, inherent::TYPE);
        let memref = ty.and_then(|ty| ty.memref(self.ctx));
        let kind = memref.and_then(|memref| scalar_kind(self.ctx, memref.element));
        let (Some(memref), Some(kind)) = (memref, kind) else {
            return self.error("the interpreter has no memory for this global's type");
        };
        let values = match data.get(self.ctx, inherent::INITIAL_VALUE) {
            None => return self.error("an external global has no value to run with"),
            Some(attr) if matches!(attr.kind(self.ctx), AttrKind::Unit) => None,
            Some(attr) => match dense_values(self.ctx, attr, kind) {
                Some(values) => Some(values),
                None => return self.error("the interpreter cannot read this initial value"),
            },
        };
        let layout = match layout_of(self.ctx, memref) {
            Ok(layout) => layout,
            Err(why) => return self.error(why),
        };
        let sizes = memref.shape.iter().copied().collect();
        let number = self.unit.code.globals.len() as u32;
        self.unit.code.globals.push(GlobalInfo {
            kind,
            sizes,
            layout,
            values,
        });
        self.unit.global_index.insert(name, number);
        Ok(number)
    }
}
