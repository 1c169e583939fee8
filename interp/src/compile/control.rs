//! Compiler of control flow to jumps: `scf`, `cf`, `func` and the casts of `builtin`.

use super::arith::dense_values;
use super::*;
use crate::code::add_row;
use gridloom_dialects::{gridloom, inherent};

/// Forward jumps: branches to blocks that are not emitted yet, to be patched.
#[derive(Default)]
struct Labels {
    starts: HashMap<BlockId, u32>,
    patches: Vec<(usize, BlockId)>,
}

impl FunctionCompiler<'_, '_> {
    pub(super) fn control(&mut self, op: OpId) -> Compiled<bool> {
        let data = &self.body[op];
        match data.name {
            scf::FOR => self.scf_for(op)?,
            scf::IF => self.scf_if(op)?,
            scf::WHILE => self.scf_while(op)?,
            scf::PARALLEL => self.scf_parallel(op)?,
            scf::FORALL => self.scf_forall(op)?,
            scf::INDEX_SWITCH => self.index_switch(op)?,
            scf::EXECUTE_REGION => self.execute_region(op)?,
            cf::ASSERT => self.assert(op)?,
            func::CALL => self.call(op)?,
            func::CALL_INDIRECT => self.call_indirect(op)?,
            func::CONSTANT => self.function_constant(op)?,
            builtin::UNREALIZED_CONVERSION_CAST => {
                return self.error(
                    "the interpreter cannot run 'builtin.unrealized_conversion_cast': finish the \
                     conversion that left it, which --reconcile-unrealized-casts removes",
                );
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Compiles a region of any number of blocks, entered at the first one.
    pub(super) fn cfg(&mut self, region: RegionId) -> Compiled {
        let blocks = self.body[region].blocks.to_vec();
        let mut labels = Labels::default();
        let outer = self.enter_uncounted(self.goes_back(&blocks));
        for &block in &blocks {
            for &arg in &self.body[block].args.to_vec() {
                if self.slots[arg.index()].is_none() {
                    self.define(arg)?;
                }
            }
        }
        for &block in &blocks {
            labels.starts.insert(block, self.here());
            let Some(terminator) = self.block(block)? else {
                return self.error("a block has no terminator");
            };
            let around = std::mem::replace(&mut self.current, &self.body[terminator]);
            self.terminator(terminator, &mut labels)?;
            self.current = around;
        }
        for (at, block) in labels.patches {
            let Some(&start) = labels.starts.get(&block) else {
                return self.error("a branch leaves its region");
            };
            match &mut self.out.instrs[at] {
                Instr::Jump { to } | Instr::JumpIfNot { to, .. } | Instr::JumpIfEq { to, .. } => {
                    *to = start;
                }
                other => unreachable!("only jumps are noted as patches, not {other:?}"),
            }
        }
        self.is_unstructured = outer;
        Ok(())
    }

    /// Whether a block branches to itself or to one before it.
    fn goes_back(&self, blocks: &[BlockId]) -> bool {
        let places: HashMap<BlockId, usize> = blocks.iter().copied().zip(0..).collect();
        let goes_back = |block: &BlockId| {
            let successors = self.body[*block]
                .last()
                .map(|last| self.body[last].successors());
            let mut successors = successors.unwrap_or(&[]).iter();
            successors.any(|to| places.get(to) <= places.get(block))
        };
        blocks.len() > 1 && blocks.iter().any(goes_back)
    }

    fn terminator(&mut self, op: OpId, labels: &mut Labels) -> Compiled {
        let data = &self.body[op];
        match data.name {
            func::RETURN | gpu_ops::RETURN => {
                let slots = self.slots_of(&data.operands)?;
                let values = self.slot_span(&slots);
                self.emit(Instr::Return { values });
            }
            cf::BR => self.branch(data.successors()[0], &data.operands, labels)?,
            cf::COND_BR => {
                let groups = self.segments()?;
                let [_, then_args, else_args] = &groups[..] else {
                    return self.error("'cf.cond_br' has three operand groups");
                };
                let cond = self.scalar(data.operands[0])?;
                let skip = self.emit(Instr::JumpIfNot { cond, to: 0 });
                self.branch(data.successors()[0], then_args, labels)?;
                self.patch(skip);
                self.branch(data.successors()[1], else_args, labels)?;
            }
            cf::SWITCH => self.switch(op, labels)?,
            scf::YIELD => {
                let from = self.slots_of(&data.operands)?;
                let Some(to) = self.yields.last().map(|target| target.slots.clone()) else {
                    return self.error("a yield outside a structured region");
                };
                self.moves(&from, &to)?;
                let jump = self.emit(Instr::Jump { to: 0 });
                if let Some(target) = self.yields.last_mut() {
                    target.patches.push(jump);
                }
            }
            gpu_ops::TERMINATOR => {
                self.emit(Instr::ThreadEnd);
            }
            other => {
                let name = self.ctx.op_name_str(other);
                return self.error(format!(
                    "the interpreter cannot run the terminator '{name}'"
                ));
            }
        }
        Ok(())
    }

    fn branch(&mut self, block: BlockId, args: &[Value], labels: &mut Labels) -> Compiled {
        let from = self.slots_of(args)?;
        let to = self.slots_of(&self.body[block].args)?;
        self.moves(&from, &to)?;
        let jump = self.emit(Instr::Jump { to: 0 });
        labels.patches.push((jump, block));
        Ok(())
    }

    fn switch(&mut self, op: OpId, labels: &mut Labels) -> Compiled {
        let data = &self.body[op];
        let flag = self.scalar(data.operands[0])?;
        let kind = self.kind_of(data.operands[0])?;
        let successors = data.successors().to_vec();
        let values = match data.get(self.ctx, inherent::CASE_VALUES) {
            Some(attr) => dense_values(self.ctx, attr, kind).unwrap_or_default(),
            None => Vec::new(),
        };
        let groups = self.segments()?;
        let [_, default_args, case_args] = &groups[..] else {
            return self.error("'cf.switch' has three operand groups");
        };
        let lengths = data.get(self.ctx, inherent::CASE_OPERAND_SEGMENTS);
        let lengths = lengths.unwrap_or_default();
        let mut rest = &case_args[..];
        let splat = values.len() == 1;
        for (case, &block) in successors.iter().skip(1).enumerate() {
            let length = lengths.get(case).copied().unwrap_or(0).max(0) as usize;
            let Some((args, tail)) = rest.split_at_checked(length) else {
                return self.error("the case operands do not match their segments");
            };
            rest = tail;
            let Some(&value) = values.get(if splat { 0 } else { case }) else {
                return self.error("a case value is missing");
            };
            // Compare, and fall to the next case when unequal.
            let wanted = self.constant(value);
            let ScalarKind::Int(width) = kind else {
                return self.error("'cf.switch' selects by an integer");
            };
            let same = self.compare(crate::scalar::IntPredicate::Eq, width, flag, wanted);
            let skip = self.emit(Instr::JumpIfNot { cond: same, to: 0 });
            self.branch(block, args, labels)?;
            self.patch(skip);
        }
        self.branch(successors[0], default_args, labels)
    }

    /// Whether stack allocations directly in this operation's region end with
    /// each run of it.
    pub(super) fn opens_scope(&self, op: OpId) -> bool {
        let scope = gridloom_ir::op::Traits::AUTOMATIC_ALLOCATION_SCOPE;
        self.body[op].name.has(scope)
            && self
                .body
                .walk_op(op)
                .iter()
                .any(|&o| self.body[o].name == memref_ops::ALLOCA)
    }

    fn scf_if(&mut self, op: OpId) -> Compiled {
        let cond = self.scalar(self.body[op].operands[0])?;
        self.two_way(op, |this| {
            Ok(vec![this.emit(Instr::JumpIfNot { cond, to: 0 })])
        })
    }

    /// Compiles an operation with a then- and an optional else-region. `test` emits the jumps that
    /// are taken when the condition does not hold.
    pub(super) fn two_way(
        &mut self,
        op: OpId,
        test: impl FnOnce(&mut Self) -> Compiled<Vec<usize>>,
    ) -> Compiled {
        let data = &self.body[op];
        let results: Vec<Slot> = data
            .results()
            .map(|result| self.define(result))
            .collect::<Compiled<_>>()?;
        let regions = data.inline_regions().to_vec();
        let misses = test(self)?;
        let yielded = self.single_block(regions.first().copied())?;
        let yielded = self.slots_of(&yielded)?;
        self.moves(&yielded, &results)?;
        let done = self.emit(Instr::Jump { to: 0 });
        for miss in misses {
            self.patch(miss);
        }
        let yielded = self.single_block(regions.get(1).copied())?;
        let yielded = self.slots_of(&yielded)?;
        self.moves(&yielded, &results)?;
        self.patch(done);
        Ok(())
    }

    fn index_switch(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let cases = self.get(inherent::CASES)?.unwrap_or_default();
        let flag = self.scalar(data.operands[0])?;
        let results: Vec<Slot> = data
            .results()
            .map(|result| self.define(result))
            .collect::<Compiled<_>>()?;
        // Regions: the default first, then one for each case.
        let regions = data.inline_regions().to_vec();
        let mut entries = Vec::new();
        for value in cases {
            entries.push(self.emit(Instr::JumpIfEq {
                a: flag,
                value,
                to: 0,
            }));
        }
        let mut exits = Vec::new();
        for (number, region) in regions.into_iter().enumerate() {
            if let Some(&entry) = number.checked_sub(1).and_then(|case| entries.get(case)) {
                self.patch(entry);
            }
            let yielded = self.single_block(Some(region))?;
            let yielded = self.slots_of(&yielded)?;
            self.moves(&yielded, &results)?;
            exits.push(self.emit(Instr::Jump { to: 0 }));
        }
        for exit in exits {
            self.patch(exit);
        }
        Ok(())
    }

    pub(super) fn execute_region(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let slots: Vec<Slot> = data
            .results()
            .map(|result| self.define(result))
            .collect::<Compiled<_>>()?;
        self.yields.push(YieldTarget {
            slots,
            patches: Vec::new(),
        });
        if let Some(&region) = data.inline_regions().first() {
            self.cfg(region)?;
        }
        for exit in self
            .yields
            .pop()
            .map_or(Vec::new(), |target| target.patches)
        {
            self.patch(exit);
        }
        Ok(())
    }

    fn assert(&mut self, op: OpId) -> Compiled {
        let cond = self.scalar(self.body[op].operands[0])?;
        let text = self.get(inherent::MSG)?.unwrap_or_default().to_owned();
        let message = add_row(&mut self.out.messages, text);
        self.emit(Instr::Assert { cond, message });
        Ok(())
    }

    fn callee(&mut self, attribute: Inherent<FlatSymbolAttr>) -> Compiled<u32> {
        let callee = self.get(attribute)?;
        let container = self.container;
        // A callee of a gpu.module is first looked up in that module.
        let number = callee.and_then(|name| {
            let near = self.unit.function_number((container, name));
            near.or_else(|| self.unit.function_number((None, name)))
        });
        match number {
            Some(number) => Ok(number),
            None => self.error("the called function does not exist"),
        }
    }

    fn call(&mut self, op: OpId) -> Compiled {
        let function = self.callee(inherent::CALLEE)?;
        let (args, results) = self.call_values(op, 0)?;
        if gridloom::is_overlapping_call(self.ctx, &self.body[op]) {
            self.emit(Instr::WarnOverlap);
        }
        self.note_nest();
        self.emit(Instr::Call {
            function,
            args,
            results,
        });
        Ok(())
    }

    fn call_indirect(&mut self, op: OpId) -> Compiled {
        let callee = self.scalar(self.body[op].operands[0])?;
        let (args, results) = self.call_values(op, 1)?;
        self.note_nest();
        self.emit(Instr::CallIndirect {
            callee,
            args,
            results,
        });
        Ok(())
    }

    fn call_values(&mut self, op: OpId, skip: usize) -> Compiled<(Span, Span)> {
        let data = &self.body[op];
        let args = self.slots_of(&data.operands[skip..])?;
        let results: Vec<Slot> = data
            .results()
            .map(|result| self.define(result))
            .collect::<Compiled<_>>()?;
        Ok((self.slot_span(&args), self.slot_span(&results)))
    }

    fn function_constant(&mut self, op: OpId) -> Compiled {
        let number = self.callee(inherent::FUNCTION)?;
        let reg = self.constant(number.into());
        let slot = Slot::Scalar(reg, ScalarKind::Int(64));
        self.slots[self.body[op].result(0).index()] = Some(slot);
        Ok(())
    }
}
