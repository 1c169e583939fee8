//! Random regions of known operations: block arguments and terminators.

use super::known::Filler;
use gridloom_dialects::{cf, scf};
use gridloom_ir::body::{BlockId, OpId, OpState, RegionId, Value};
use gridloom_ir::op::OpSignature;
use gridloom_ir::types::Type;

/// The bound on nested operations with regions.
const MAX_DEPTH: u32 = 4;

/// The signature of a region of one block.
struct Plan {
    args: Vec<Type>,
    end: &'static str,
    /// The types of the terminator's operands.
    gives: Vec<Type>,
}

/// The operand group that a loop's results must match in type: its initial
/// values.
pub(super) fn carried(name: &str) -> Option<usize> {
    match name {
        "affine.for" => Some(2),
        "scf.for" | "scf.parallel" | "scf.forall" => Some(3),
        _ => None,
    }
}

impl Filler<'_, '_, '_> {
    /// Adds regions to a new operation; `None` if that fails.
    pub(super) fn regions(
        &mut self,
        op: OpId,
        def: &'static OpSignature,
        visible: &[Value],
        depth: u32,
    ) -> Option<()> {
        if def.regions == Some(0) {
            return Some(());
        }
        if depth == MAX_DEPTH {
            return None;
        }
        for plan in self.plans(op, def)? {
            let region = self.body.add_region(op);
            if let Some(plan) = plan {
                self.region(region, &plan, visible, depth + 1);
            }
        }
        Some(())
    }

    fn region(&mut self, region: RegionId, plan: &Plan, visible: &[Value], depth: u32) {
        let block = self.block(region, &plan.args);
        let mut visible = visible.to_vec();
        visible.extend_from_slice(&self.body[block].args);
        let last = match plan.end == "scf.yield" && plan.args.is_empty() && self.g.one_in(9) {
            false => block,
            // Not every operation may have several blocks; the verifier
            // decides.
            true => self.branches(region, block, &mut visible, depth),
        };
        self.fill(last, &mut visible, depth);
        self.end(last, plan.end, &plan.gives, &visible, depth);
    }

    /// Appends a block with arguments.
    pub(super) fn block(&mut self, region: RegionId, args: &[Type]) -> BlockId {
        let block = self.body.add_block(region, &[]);
        for &ty in args {
            let loc = self.g.location(1);
            self.body.add_argument(block, ty, loc);
        }
        block
    }

    /// Appends a terminator.
    pub(super) fn end(
        &mut self,
        block: BlockId,
        name: &str,
        gives: &[Type],
        visible: &[Value],
        depth: u32,
    ) {
        let mut state = OpState::new(self.g.ctx.op_name(name), self.g.location(1));
        for &ty in gives {
            let value = self.value(ty, block, visible);
            state.operands.push(value);
        }
        let op = self.body.create_op(state);
        self.body.append(block, op);
        match self.body[op].name {
            scf::REDUCE => {
                for &ty in gives {
                    let plan = Plan {
                        args: vec![ty, ty],
                        end: "scf.reduce.return",
                        gives: vec![ty],
                    };
                    let region = self.body.add_region(op);
                    self.region(region, &plan, visible, depth);
                }
            }
            scf::FORALL_IN_PARALLEL => {
                let region = self.body.add_region(op);
                self.body.add_block(region, &[]);
            }
            _ => {}
        }
    }

    /// Fills a control flow graph of `cf` branches from `first` to the block
    /// returned.
    pub(super) fn branches(
        &mut self,
        region: RegionId,
        first: BlockId,
        visible: &mut Vec<Value>,
        depth: u32,
    ) -> BlockId {
        self.fill(first, visible, depth);
        let mut blocks = vec![first];
        for _ in 0..1 + self.g.below(3) {
            let count = self.g.below(3);
            let args: Vec<Type> = (0..count).map(|_| self.any_type()).collect();
            let block = self.block(region, &args);
            blocks.push(block);
        }
        for (index, &block) in blocks.iter().enumerate() {
            let mut seen = visible.clone();
            if index > 0 {
                seen.extend_from_slice(&self.body[block].args);
                if index + 1 < blocks.len() {
                    self.fill(block, &mut seen, depth);
                }
            }
            if index + 1 == blocks.len() {
                *visible = seen;
            } else {
                self.branch(block, &blocks[1..], &seen);
            }
        }
        blocks[blocks.len() - 1]
    }

    /// Appends a branch to some of `targets`.
    fn branch(&mut self, block: BlockId, targets: &[BlockId], visible: &[Value]) {
        let ctx = self.g.ctx;
        let (name, cases) = match self.g.below(3) {
            0 => (cf::BR, 1),
            1 => (cf::COND_BR, 2),
            _ => (cf::SWITCH, 1 + self.g.below(3)),
        };
        let mut state = OpState::new(name, self.g.location(1));
        let mut sizes: Vec<i32> = Vec::new();
        let flag = match name {
            cf::COND_BR => Some(ctx.bool_type()),
            cf::SWITCH => Some(ctx.int_type(32)),
            _ => None,
        };
        if let Some(ty) = flag {
            let value = self.value(ty, block, visible);
            state.operands.push(value);
        }
        for _ in 0..cases {
            let target = self.g.pick(targets);
            let args: Vec<Value> = self.body[target].args.iter().copied().collect();
            sizes.push(args.len() as i32);
            for arg in args {
                let ty = self.body.ty(arg);
                let value = self.value(ty, block, visible);
                state.operands.push(value);
            }
            state.successors.push(target);
        }
        let rest: i32 = sizes.iter().skip(1).sum();
        let segments = [1, sizes[0], rest];
        state = match name {
            cf::BR => state,
            cf::COND_BR => {
                state.property(ctx, "operandSegmentSizes", ctx.i32_array_attr(&segments))
            }
            _ => {
                let values: Vec<_> = (1..cases as i128)
                    .map(|k| gridloom_ir::attr::Int::Small(3 * k))
                    .collect();
                let ty = ctx.vector_type(&[values.len() as i64], ctx.int_type(32));
                if !values.is_empty() {
                    state = state.property(ctx, "case_values", ctx.dense_ints_attr(ty, &values));
                }
                state
                    .property(
                        ctx,
                        "case_operand_segments",
                        ctx.i32_array_attr(&sizes[1..]),
                    )
                    .property(ctx, "operandSegmentSizes", ctx.i32_array_attr(&segments))
            }
        };
        let op = self.body.create_op(state);
        self.body.append(block, op);
    }

    /// The signature of each region; `None` for a region without blocks.
    fn plans(&mut self, op: OpId, def: &'static OpSignature) -> Option<Vec<Option<Plan>>> {
        let (ctx, data) = (self.g.ctx, &self.body[op]);
        let types = |values: &[Value]| values.iter().map(|&v| self.body.ty(v)).collect::<Vec<_>>();
        let segment = |group: usize| types(data.operand_segment(ctx, group));
        let results: Vec<Type> = data.results().map(|v| self.body.ty(v)).collect();
        let operands = types(&data.operands);
        let index = ctx.index_type();
        let plan = |args: Vec<Type>, end, gives: &[Type]| {
            let gives = gives.to_vec();
            Some(Plan { args, end, gives })
        };
        let with = |first: Vec<Type>, rest: &[Type]| [&first[..], rest].concat();
        let rank = |ty: Option<&Type>| match ty?.kind(ctx) {
            gridloom_ir::types::TypeKind::RankedTensor { shape, element, .. } => {
                Some((shape.len(), *element))
            }
            _ => None,
        };
        Some(match def.name {
            "affine.for" => {
                let inits = segment(2);
                vec![plan(with(vec![index], &inits), "affine.yield", &results)]
            }
            "affine.if" => {
                let other = !results.is_empty() || self.g.one_in(2);
                let first = plan(vec![], "affine.yield", &results);
                let second = other.then(|| plan(vec![], "affine.yield", &results));
                vec![first, second.flatten()]
            }
            "affine.parallel" => {
                let steps = data.attr(ctx, "steps")?.as_array(ctx)?.len();
                vec![plan(vec![index; steps], "affine.yield", &results)]
            }
            "scf.for" => vec![plan(
                with(vec![operands[0]], &operands[3..]),
                "scf.yield",
                &results,
            )],
            "scf.if" => {
                let other = !results.is_empty() || self.g.one_in(2);
                let first = plan(vec![], "scf.yield", &results);
                let second = other.then(|| plan(vec![], "scf.yield", &results));
                vec![first, second.flatten()]
            }
            "scf.while" => {
                let gives = with(vec![ctx.bool_type()], &results);
                vec![
                    plan(operands.clone(), "scf.condition", &gives),
                    plan(results.clone(), "scf.yield", &operands),
                ]
            }
            "scf.execute_region" => vec![plan(vec![], "scf.yield", &results)],
            "scf.index_switch" => {
                let cases = data.attr(ctx, "cases")?.as_i64_array(ctx)?.len();
                let case = || plan(vec![], "scf.yield", &results);
                (0..=cases).map(|_| case()).collect()
            }
            "scf.parallel" => {
                let count = segment(0).len();
                vec![plan(vec![index; count], "scf.reduce", &results)]
            }
            "scf.forall" => {
                let count = data.attr(ctx, "staticLowerBound")?.as_i64_array(ctx)?.len();
                let args = with(vec![index; count], &segment(3));
                vec![plan(args, "scf.forall.in_parallel", &[])]
            }
            "memref.alloca_scope" => vec![plan(vec![], "memref.alloca_scope.return", &results)],
            "memref.generic_atomic_rmw" => {
                vec![plan(results.clone(), "memref.atomic_yield", &results)]
            }
            "tensor.generate" | "tensor.pad" => {
                let (count, element) = rank(results.first())?;
                vec![plan(vec![index; count], "tensor.yield", &[element])]
            }
            "gpu.launch" => vec![plan(vec![index; 12], "gpu.terminator", &[])],
            "gpu.warp_execute_on_lane_0" => {
                let args = data.operands[1..]
                    .iter()
                    .map(|&v| self.body.ty(v))
                    .collect();
                vec![plan(args, "gpu.yield", &results)]
            }
            "gpu.all_reduce" | "gpu.subgroup_reduce" if data.attr(ctx, "op").is_none() => {
                let pair = vec![results[0]; 2];
                vec![plan(pair, "gpu.yield", &results)]
            }
            "gpu.all_reduce" => vec![None],
            _ => return None,
        })
    }

    fn any_type(&mut self) -> Type {
        let any = gridloom_ir::constraints::ANY;
        let ty = self.pool.ty(self.g, &any);
        ty.unwrap_or_else(|| self.g.ctx.index_type())
    }
}
