//! Compiler of `memref`: allocations, accesses, atomics and views of memory.

use super::arith::dense_values;
use super::*;
use crate::code::{Extent, RegroupInfo, ShapeInfo, ViewInfo, add_row};
use crate::race::AccessKind;
use crate::scalar::Accumulate;
use crate::scalar::scalar_kind;
use gridloom_dialects::inherent;
use gridloom_ir::types::{DYNAMIC, MemRefType, Type};

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

    fn reshape(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let [source, shape] = [data.operands[0], data.operands[1]];
        let ((src, _), (shape, shape_kind)) = (self.mem(source)?, self.mem(shape)?);
        let dst = self.define_mem(data.result(0))?;
        self.emit(Instr::Reshape {
            dst,
            src,
            shape,
            shape_kind,
        });
        Ok(())
    }

    /// Offset, sizes and strides of a memref, and its base buffer.
    fn strided_metadata(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let (src, _) = self.mem(data.operands[0])?;
        let base = self.define_mem(data.result(0))?;
        let numbers = data.results().skip(1);
        let outs = numbers.map(|v| self.define_scalar(v));
        let outs: Vec<Reg> = outs.collect::<Compiled<_>>()?;
        let outs = self.span(&outs);
        self.emit(Instr::Metadata { base, src, outs });
        Ok(())
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

    fn checked_cast(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let (src, _) = self.mem(data.operands[0])?;
        let target = self.body.ty(data.result(0));
        let dst = self.define_mem(data.result(0))?;
        let Some(memref) = target.memref(self.ctx) else {
            // To an unranked memref: every descriptor fits.
            self.emit(Instr::MoveMem { dst, src });
            return Ok(());
        };
        let known = |value: i64| (value != DYNAMIC).then_some(value);
        let sizes = memref.shape.iter().map(|&size| known(size)).collect();
        let (strides, offset) = match memref.layout.map(|layout| layout.kind(self.ctx)) {
            Some(AttrKind::Strided { offset, strides }) => (
                Some(strides.iter().map(|&s| known(s)).collect()),
                known(*offset),
            ),
            _ => (None, None),
        };
        let info = add_row(
            &mut self.out.shapes,
            ShapeInfo {
                sizes,
                strides,
                offset,
                row_major: memref.layout.is_none(),
            },
        );
        self.emit(Instr::CheckShape { dst, src, info });
        Ok(())
    }

    /// Static values with `?`s taken from operands.
    pub(super) fn mixed(
        &mut self,
        list: Inherent<I64ArrayAttr>,
        dynamic: &[Value],
    ) -> Compiled<Vec<Extent>> {
        let known = self.get(list)?.unwrap_or_default();
        let mut dynamic = self.scalars(dynamic)?.into_iter();
        let mut extents = Vec::new();
        for value in known {
            extents.push(match value {
                DYNAMIC => match dynamic.next() {
                    Some(reg) => Extent::Reg(reg),
                    None => {
                        let name = list.name();
                        return self.error(format!("an operand is missing for '{name}'"));
                    }
                },
                known => Extent::Known(known),
            });
        }
        Ok(extents)
    }

    fn strided_view(&mut self, op: OpId, is_subview: bool) -> Compiled {
        let data = &self.body[op];
        let (src, _) = self.mem(data.operands[0])?;
        let groups = self.segments()?;
        let [_, offsets, sizes, strides] = &groups[..] else {
            return self.error("a strided view has four operand groups");
        };
        let offsets = self.mixed(inherent::STATIC_OFFSETS, offsets)?;
        let sizes = self.mixed(inherent::STATIC_SIZES, sizes)?;
        let strides = self.mixed(inherent::STATIC_STRIDES, strides)?;
        let [source, view] =
            [data.operands[0], data.result(0)].map(|value| self.body.ty(value).memref(self.ctx));
        let kept = view.and_then(|view| {
            let steps = source.and_then(|source| source.strided_form(self.ctx));
            let steps = steps.map_or(Vec::new(), |(_, strides)| strides.to_vec());
            kept_dims(self.ctx, view, &sizes, &spans(&steps, &strides))
        });
        let Some(kept) = kept else {
            return self.error("the shape of the view does not follow from its sizes");
        };
        let info = add_row(
            &mut self.out.views,
            ViewInfo {
                offsets,
                sizes,
                strides,
                kept,
            },
        );
        let dst = self.define_mem(data.result(0))?;
        self.emit(if is_subview {
            Instr::SubView { dst, src, info }
        } else {
            Instr::Reinterpret { dst, src, info }
        });
        Ok(())
    }

    fn byte_view(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let (src, _) = self.mem(data.operands[0])?;
        let shift = self.scalar(data.operands[1])?;
        let sizes = data.operands[2..].to_vec();
        let info = self.alloc_info(self.body.ty(data.result(0)), &sizes, false)?;
        let info = add_row(&mut self.out.allocs, info);
        let dst = self.define_mem(data.result(0))?;
        self.emit(Instr::ByteView {
            dst,
            src,
            shift,
            info,
        });
        Ok(())
    }

    fn transpose(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let (src, _) = self.mem(data.operands[0])?;
        let map = self.map(inherent::PERMUTATION)?;
        let mut dims = Vec::new();
        for result in map.results(self.ctx) {
            match result.kind(self.ctx) {
                gridloom_ir::affine::AffineExprKind::Dim(dim) => dims.push(dim),
                _ => return self.error("'permutation' is no permutation"),
            }
        }
        let dims = self.span(&dims);
        let dst = self.define_mem(data.result(0))?;
        self.emit(Instr::Transpose { dst, src, dims });
        Ok(())
    }

    fn regroup(&mut self, op: OpId, expand: bool) -> Compiled {
        let data = &self.body[op];
        let (src, _) = self.mem(data.operands[0])?;
        let groups = self.get(inherent::REASSOCIATION)?.unwrap_or(&[]);
        let index = |attr: &Attr| attr.as_i64(self.ctx).and_then(|i| usize::try_from(i).ok());
        let groups = groups.iter().map(|group| {
            group
                .as_array(self.ctx)
                .unwrap_or(&[])
                .iter()
                .filter_map(index)
                .collect()
        });
        let groups: Vec<Vec<usize>> = groups.collect();
        let sizes = if expand {
            self.mixed(inherent::STATIC_OUTPUT_SHAPE, &data.operands[1..])?
        } else {
            Vec::new()
        };
        let info = add_row(&mut self.out.regroups, RegroupInfo { groups, sizes });
        let dst = self.define_mem(data.result(0))?;
        self.emit(if expand {
            Instr::Expand { dst, src, info }
        } else {
            Instr::Collapse { dst, src, info }
        });
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
        let sizes = memref.shape.iter().copied().collect();
        let number = self.unit.code.globals.len() as u32;
        self.unit.code.globals.push(GlobalInfo {
            kind,
            sizes,
            values,
        });
        self.unit.global_index.insert(name, number);
        Ok(number)
    }
}

/// The static strides of a subview along the dimensions of its source, whose own
/// strides are `source`.
fn spans(source: &[i64], steps: &[Extent]) -> Vec<i64> {
    let span = |(&stride, &step): (&i64, &Extent)| match step {
        Extent::Known(step) if stride != DYNAMIC => stride.checked_mul(step).unwrap_or(DYNAMIC),
        _ => DYNAMIC,
    };
    source.iter().zip(steps).map(span).collect()
}

/// Source dimensions that remain in a view: those that are not dropped unit
/// ones. Where several unit dimensions might be the one that stays, the static
/// strides, `spans` along the source's dimensions, tell them apart. `None` when
/// the ranks cannot be matched.
fn kept_dims(
    ctx: &Context,
    view: &MemRefType,
    sizes: &[Extent],
    spans: &[i64],
) -> Option<Vec<usize>> {
    let rank = view.rank();
    if rank == sizes.len() {
        return Some((0..rank).collect());
    }
    let strides = view.strided_form(ctx).map(|(_, strides)| strides);
    let mut kept = Vec::new();
    for (dim, size) in sizes.iter().enumerate() {
        let wanted = view.shape.get(kept.len()).copied();
        let left = sizes.len() - dim;
        let needed = rank - kept.len();
        let fits = match (*size, wanted) {
            (_, None) => false,
            (Extent::Known(known), Some(wanted)) => known == wanted,
            (Extent::Reg(_), Some(wanted)) => wanted == DYNAMIC,
        };
        let stride = strides.as_ref().and_then(|all| all.get(kept.len()));
        let contradicts = match (spans.get(dim), stride) {
            (Some(&span), Some(&stride)) => span != stride && ![span, stride].contains(&DYNAMIC),
            _ => false,
        };
        // A unit dimension that also fits is kept only when it has to be.
        let droppable = *size == Extent::Known(1) && left > needed;
        if fits && !(droppable && (wanted != Some(1) || contradicts)) {
            kept.push(dim);
        } else if *size != Extent::Known(1) {
            return None;
        }
    }
    (kept.len() == rank).then_some(kept)
}
