//! Dispatch: a block that leads on to one of several targets, by a number passed to it.

use std::collections::HashSet;

use gridloom_dialects::arith::{CmpIOp, CmpIPredicate};
use gridloom_dialects::ub;
use gridloom_ir::{BlockId, Body, Builder, Context, InsertPoint, RegionId, Type, Value};

use super::branches::{branch, branch_if};
use super::flow::{Edge, successors};

/// Targets of a dispatch. It is passed the number of one, and the arguments of each.
pub(super) struct Targets {
    pub(super) blocks: Vec<BlockId>,
    /// Types of the values passed: the number first.
    pub(super) types: Vec<Type>,
    /// The place of the first argument of each target among the values passed.
    first: Vec<usize>,
}

impl Targets {
    /// The blocks outside of `inside` that the blocks `from` branch to, in the order of the edges.
    pub(super) fn outside(
        ctx: &Context,
        body: &Body,
        from: &[BlockId],
        inside: &HashSet<BlockId>,
    ) -> Targets {
        let mut targets = Targets {
            blocks: Vec::new(),
            types: vec![ctx.index_type()],
            first: Vec::new(),
        };
        for &to in from.iter().flat_map(|&block| successors(body, block)) {
            if inside.contains(&to) || targets.blocks.contains(&to) {
                continue;
            }
            targets.blocks.push(to);
            targets.first.push(targets.types.len());
            let args = body[to].args.iter();
            targets.types.extend(args.map(|&arg| body.ty(arg)));
        }
        targets
    }

    /// The number of a target.
    pub(super) fn number(&self, block: BlockId) -> Option<usize> {
        self.blocks.iter().position(|&target| target == block)
    }

    /// Values to pass for a target and its arguments; `None` for the arguments of the others.
    pub(super) fn operands(
        &self,
        b: &mut Builder,
        number: usize,
        args: &[Value],
    ) -> Vec<Option<Value>> {
        let mut operands = vec![None; self.types.len()];
        operands[0] = Some(b.index_constant(number as i64));
        let places = operands
            .iter_mut()
            .skip(self.first.get(number).map_or(0, |&at| at));
        for (place, &arg) in places.zip(args) {
            *place = Some(arg);
        }
        operands
    }

    /// Ends a block, whose arguments are the values passed, in branches to the targets.
    pub(super) fn dispatch(&self, b: &mut Builder, region: RegionId, block: BlockId) {
        let args = b.body[block].args.to_vec();
        let edge = |number: usize, body: &Body| {
            let to = self.blocks[number];
            let operands = args[self.first[number]..][..body[to].args.len()].to_vec();
            Edge { to, operands }
        };
        let count = self.blocks.len();
        for number in 1..count {
            let rest = match number + 1 < count {
                true => Edge {
                    to: b.body.add_block(region, &[]),
                    operands: Vec::new(),
                },
                false => edge(0, b.body),
            };
            let chosen = edge(number, b.body);
            let wanted = b.index_constant(number as i64);
            let is_it = CmpIOp::create(b, CmpIPredicate::Eq, args[0], wanted);
            let next = rest.to;
            branch_if(b, is_it, &[chosen, rest]);
            b.set(InsertPoint::End(next));
        }
        if count == 1 {
            let only = edge(0, b.body);
            branch(b, &only);
        }
    }
}

/// Values with `ub.poison` for those that are not used on the path they are passed on.
pub(super) fn or_poison(b: &mut Builder, values: Vec<Option<Value>>, types: &[Type]) -> Vec<Value> {
    { values.into_iter().zip(types) }
        .map(|(value, &ty)| value.unwrap_or_else(|| b.unary(ub::POISON, &[], ty)))
        .collect()
}
