//! Compiler of parallel loops: `scf.parallel`, `scf.forall`, `affine.parallel`.

use super::*;
use crate::code::{Extent, ParallelInfo};
use crate::scalar::{Accumulate, IntOp};
use gridloom_dialects::inherent;

/// Lower bound, upper bound and step of each loop of a nest.
pub(super) struct Bounds {
    pub lbs: Vec<Reg>,
    pub ubs: Vec<Reg>,
    pub steps: Vec<Reg>,
}

/// A parallel nest whose end has not been emitted.
pub(super) struct OpenNest {
    info: u32,
    scope: bool,
    /// Whether the loops around it count their iterations.
    was_unstructured: bool,
}

impl FunctionCompiler<'_, '_> {
    pub(super) fn scf_parallel(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let groups = self.segments()?;
        let [lbs, ubs, steps, inits] = &groups[..] else {
            return self.error("'scf.parallel' has four operand groups");
        };
        let (lbs, ubs, steps) = (self.scalars(lbs)?, self.scalars(ubs)?, self.scalars(steps)?);
        let Some(block) = self.body.region_block(op, 0) else {
            return self.error("the loop has no body");
        };
        let inits = self.slots_of(inits)?;
        let results: Vec<Slot> = data
            .results()
            .map(|result| self.define(result))
            .collect::<Compiled<_>>()?;
        self.moves(&inits, &results)?;
        let any_order = self.reduces_in_any_order(block);
        let nest = self.open_nest(op, Bounds { lbs, ubs, steps }, any_order)?;
        if let Some(reduce) = self.block(block)? {
            self.reduce(reduce, &results)?;
        }
        self.close_nest(nest);
        Ok(())
    }

    /// Whether every reduction of an `scf.parallel` is one operation on
    /// integers of which any order gives the same bits.
    fn reduces_in_any_order(&self, block: BlockId) -> bool {
        use arith_ops::{ADDI, ANDI, MAXSI, MAXUI, MINSI, MINUI, MULI, ORI, XORI};
        let last = self.body[block].last();
        let Some(reduce) = last.filter(|&op| self.body[op].name == scf::REDUCE) else {
            return true;
        };
        let alike = |region: &RegionId| {
            let Some(block) = self.body[*region].entry() else {
                return false;
            };
            let args = &self.body[block].args;
            let ops = Vec::from_iter(self.body.ops(block));
            let [combine, end] = ops[..] else {
                return false;
            };
            let combine = &self.body[combine];
            matches!(
                combine.name,
                ADDI | ANDI | MAXSI | MAXUI | MINSI | MINUI | MULI | ORI | XORI
            ) && args.iter().all(|arg| combine.operands.contains(arg))
                && self.body[end].operands.first() == combine.results().next().as_ref()
        };
        self.body[reduce].inline_regions().iter().all(alike)
    }

    /// Compiles `scf.reduce`: each region combines the accumulator with the operand.
    fn reduce(&mut self, op: OpId, results: &[Slot]) -> Compiled {
        let operands = self.slots_of(&self.body[op].operands)?;
        let regions = self.body[op].inline_regions().to_vec();
        for ((region, operand), result) in regions.into_iter().zip(operands).zip(results) {
            let Some(block) = self.body[region].entry() else {
                continue;
            };
            let args = self.body[block].args.to_vec();
            let args: Vec<Slot> = args
                .iter()
                .map(|&a| self.define(a))
                .collect::<Compiled<_>>()?;
            self.moves(&[*result, operand], &args)?;
            let combined = self.single_block(Some(region))?;
            let combined = self.slots_of(&combined)?;
            self.moves(&combined, &[*result])?;
        }
        Ok(())
    }

    /// Compiles `scf.forall` over memory; the machine has no tensors.
    pub(super) fn scf_forall(&mut self, op: OpId) -> Compiled {
        let groups = self.segments()?;
        let [lbs, ubs, steps, outputs] = &groups[..] else {
            return self.error("'scf.forall' has four operand groups");
        };
        if !outputs.is_empty() {
            return self.error("the interpreter has no tensors; bufferize the program first");
        }
        let bounds = Bounds {
            lbs: self.mixed_registers(inherent::STATIC_LOWER_BOUND, lbs)?,
            ubs: self.mixed_registers(inherent::STATIC_UPPER_BOUND, ubs)?,
            steps: self.mixed_registers(inherent::STATIC_STEP, steps)?,
        };
        let Some(block) = self.body.region_block(op, 0) else {
            return self.error("the loop has no body");
        };
        let nest = self.open_nest(op, bounds, true)?;
        self.block(block)?;
        self.close_nest(nest);
        Ok(())
    }

    fn mixed_registers(
        &mut self,
        list: Inherent<I64ArrayAttr>,
        dynamic: &[Value],
    ) -> Compiled<Vec<Reg>> {
        let extents = self.mixed(list, dynamic)?.into_iter();
        let register = |extent| match extent {
            Extent::Known(value) => self.constant(value as u64),
            Extent::Reg(reg) => reg,
        };
        Ok(extents.map(register).collect())
    }

    pub(super) fn affine_parallel(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let (lower_map, upper_map) = (
            self.map(inherent::LOWER_BOUNDS_MAP)?,
            self.map(inherent::UPPER_BOUNDS_MAP)?,
        );
        let (lower, upper) = data.operands.split_at(lower_map.num_inputs(self.ctx));
        let lower = self.apply_map(lower_map, lower)?;
        let upper = self.apply_map(upper_map, upper)?;
        let lbs = self.grouped(inherent::LOWER_BOUNDS_GROUPS, &lower, IntOp::MaxS)?;
        let ubs = self.grouped(inherent::UPPER_BOUNDS_GROUPS, &upper, IntOp::MinS)?;
        let steps = self.int_array(inherent::STEPS)?;
        let steps: Vec<Reg> = steps.into_iter().map(|s| self.constant(s as u64)).collect();
        let Some(block) = self.body.region_block(op, 0) else {
            return self.error("the loop has no body");
        };
        let kinds = self.int_array(inherent::REDUCTIONS)?;
        let mut accumulators = Vec::new();
        for (result, number) in data.results().zip(kinds) {
            let Some(how) = Accumulate::from_number(number) else {
                return self.error("unknown reduction kind");
            };
            let kind = self.kind_of(result)?;
            let reg = self.define_scalar(result)?;
            let start = self.constant(how.identity(kind));
            self.emit(Instr::Move {
                dst: reg,
                src: start,
            });
            accumulators.push((how, kind, reg));
        }
        // Integers wrap, so any order of them gives the same bits.
        let any_order = accumulators
            .iter()
            .all(|(how, ..)| matches!(how, Accumulate::Int(_)));
        let nest = self.open_nest(op, Bounds { lbs, ubs, steps }, any_order)?;
        if let Some(end) = self.block(block)? {
            let values = self.scalars(&self.body[end].operands)?;
            for ((how, kind, reg), value) in accumulators.into_iter().zip(values) {
                self.accumulate(how, kind, reg, value);
            }
        }
        self.close_nest(nest);
        Ok(())
    }

    /// Reduces groups of map results by minimum or maximum to one bound a loop.
    fn grouped(
        &mut self,
        groups: Inherent<AnyAttr>,
        results: &[Reg],
        which: IntOp,
    ) -> Compiled<Vec<Reg>> {
        let (name, attr) = (groups.name(), self.property(groups)?);
        let sizes = super::arith::dense_values(self.ctx, attr, ScalarKind::Int(32));
        let Some(mut sizes) = sizes else {
            return self.error(format!("'{name}' is malformed"));
        };
        // A splat stands for one size a loop.
        if let [size] = sizes[..] {
            sizes = vec![
                size;
                if size == 0 {
                    0
                } else {
                    results.len() / size as usize
                }
            ];
        }
        let mut rest = results;
        let mut bounds = Vec::new();
        for size in sizes {
            let Some((group, tail)) = rest.split_at_checked(size as usize) else {
                return self.error(format!("'{name}' exceeds the results of its map"));
            };
            rest = tail;
            let Some(bound) = self.extremum_of(group, which) else {
                return self.error(format!("'{name}' has an empty group"));
            };
            bounds.push(bound);
        }
        Ok(bounds)
    }

    fn int_array(&mut self, list: Inherent<ArrayAttr>) -> Compiled<Vec<i64>> {
        let items = self.get(list)?.unwrap_or(&[]);
        Ok(items
            .iter()
            .map(|item| item.as_i64(self.ctx).unwrap_or(0))
            .collect())
    }

    /// Opens a nest over the induction variables of the operation's body, which
    /// are its first arguments; the code emitted next is the body.
    fn open_nest(&mut self, op: OpId, bounds: Bounds, any_order: bool) -> Compiled<OpenNest> {
        let Bounds { lbs, ubs, steps } = bounds;
        let block = self.body.region_block(op, 0);
        let args = block.map_or(Vec::new(), |block| self.body[block].args.to_vec());
        if args.len() != lbs.len() || args.len() != ubs.len() || args.len() != steps.len() {
            return self.error(
                "the loop needs one lower bound, one upper bound and one step for \
                 each variable",
            );
        }
        let ivs: Vec<Reg> = args
            .iter()
            .map(|&arg| self.define_scalar(arg))
            .collect::<Compiled<_>>()?;
        let info = self.out.parallels.len() as u32;
        self.emit(Instr::ParallelEnter { info });
        self.out.parallels.push(ParallelInfo {
            ivs,
            lbs,
            ubs,
            steps,
            any_order,
            body: self.here(),
            exit: 0,
        });
        let scope = self.opens_scope(op);
        if scope {
            self.emit(Instr::ScopeEnter);
        }
        Ok(OpenNest {
            info,
            scope,
            was_unstructured: self.enter_uncounted(true),
        })
    }

    fn close_nest(&mut self, nest: OpenNest) {
        if nest.scope {
            self.emit(Instr::ScopeExit);
        }
        let info = nest.info;
        self.emit(Instr::ParallelNext { info });
        self.out.parallels[info as usize].exit = self.here();
        self.is_unstructured = nest.was_unstructured;
    }

    /// Combines `value` into `into`.
    fn accumulate(&mut self, how: Accumulate, kind: ScalarKind, into: Reg, value: Reg) {
        let (dst, a, b) = (into, into, value);
        match (how, kind) {
            (Accumulate::Float(op), _) => self.emit(Instr::Float {
                op,
                kind,
                dst,
                a,
                b,
            }),
            (Accumulate::Int(op), ScalarKind::Int(width)) => self.emit(Instr::Int {
                op,
                width,
                dst,
                a,
                b,
            }),
            _ => self.emit(Instr::Move { dst, src: value }),
        };
    }
}
