//! Network of selections: takes carried values and tests out of it, so that it gives what an iteration would take, and
//! whether it would.
//!
//! ```text
//! %c = arith.andi %hit, %unset               %s:2 = scf.if %hit -> (index, i1) {
//! %s = scf.if %c -> index {                    %more = …
//!   %more = …                                  scf.yield %i, %more
//!   %t = arith.select %more, %i, %p      ⇒   } else {
//!   scf.yield %t                               scf.yield %zero, %false
//! } else { scf.yield %p }                    }
//! ```

use gridloom_dialects::arith;
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{BlockId, Body, Builder, Context, OpId, Type, Value};

use super::group::Group;
use super::rewrite::{negated, truth};
use super::selection::{Branch, Selection, Term};
use crate::analysis::arg_reduction::placeholder;
use crate::analysis::reduction::int_attr;
use crate::transform::affine_if_conversion::update::with_results;

pub(super) struct Network<'a> {
    ctx: &'a Context,
    body: &'a mut Body,
    /// The loop's block.
    block: BlockId,
    /// Branches that have been rebuilt with a further result.
    branches: FxHashMap<OpId, OpId>,
    /// Results of branches that have been rebuilt.
    values: FxHashMap<Value, Value>,
}

impl<'a> Network<'a> {
    pub(super) fn new(ctx: &'a Context, body: &'a mut Body, block: BlockId) -> Self {
        Network {
            ctx,
            body,
            block,
            branches: FxHashMap::default(),
            values: FxHashMap::default(),
        }
    }

    /// Emits whether an iteration fulfils the conditions of each group; [`None`] where all iterations do.
    pub(super) fn hits(&mut self, groups: &[Group]) -> Vec<Option<Value>> {
        let first = |group: &Group| self.hit_in(group, group.members.first()?, 0);
        let hits: Vec<Option<Value>> = groups.iter().map(first).collect();
        // Groups that share a branch rebuild it one after the other.
        let hits = hits.into_iter();
        hits.map(|hit| hit.map(|hit| self.renamed(hit))).collect()
    }

    /// Emits whether the part of the conditions in a level of a member, and in those inside of it, holds.
    fn hit_in(&mut self, group: &Group, member: &Selection, level: usize) -> Option<Value> {
        let own = &member.levels[level];
        let mut terms: Vec<Term> = own.terms.clone();
        if let Some(branch) = &own.branch {
            let inner = self.hit_in(group, member, level + 1);
            self.drop_tests(group, branch);
            match inner {
                Some(inner) => terms.push((self.with_result(branch, inner), true)),
                None => terms.extend(&branch.terms),
            }
        }
        terms.retain(|&term| !group.is_test(term));
        let block = self.block_of(member, level)?;
        let end = self.body[block].last()?;
        self.conjunction(end, &terms)
    }

    /// Gives the value that a member takes, where its iteration does, in the loop's block; [`None`] for a flag.
    pub(super) fn value(&mut self, member: &Selection) -> Option<Value> {
        let mut value = self.renamed(member.value?);
        for level in member.levels.iter().rev() {
            let Some(branch) = &level.branch else {
                continue;
            };
            let op = self.op_of(branch);
            for region in 0..2 {
                let block = self.body.region_block(op, region)?;
                let end = self.body[block].last()?;
                let given = match region == branch.taken {
                    true => value,
                    false => {
                        let ty = self.body.ty(value);
                        let attr = placeholder(self.ctx, ty)?;
                        Builder::before(self.ctx, self.body, end).constant(attr, ty)
                    }
                };
                self.body[end].operands[branch.result] = given;
            }
            value = self.body[op].result(branch.result);
        }
        Some(value)
    }

    /// Takes a group's tests out of the condition of a branch.
    fn drop_tests(&mut self, group: &Group, branch: &Branch) {
        if !branch.terms.iter().any(|&term| group.is_test(term)) {
            return;
        }
        let op = self.op_of(branch);
        let terms: Vec<Term> = (branch.terms.iter().copied())
            .filter(|&term| !group.is_test(term))
            .collect();
        let taken = self.conjunction(op, &terms);
        let mut b = Builder::before(self.ctx, self.body, op);
        let taken = taken.unwrap_or_else(|| truth(&mut b));
        let condition = match branch.taken {
            0 => taken,
            _ => negated(&mut b, taken),
        };
        self.body[op].operands[0] = condition;
    }

    /// Gives a branch a further result: `inner` where it is taken, and `false` where it is not.
    fn with_result(&mut self, branch: &Branch, inner: Value) -> Value {
        let (ctx, old) = (self.ctx, self.op_of(branch));
        let results: Vec<Value> = self.body[old].results().collect();
        let mut types: Vec<Type> = results.iter().map(|&value| self.body.ty(value)).collect();
        types.push(ctx.bool_type());
        let new = with_results(ctx, self.body, old, &types, true).0;
        for region in 0..2 {
            let block = self.body.region_block(new, region);
            let Some(end) = block.and_then(|block| self.body[block].last()) else {
                continue;
            };
            let given = match region == branch.taken {
                true => inner,
                false => {
                    let mut b = Builder::before(ctx, self.body, end);
                    let never = int_attr(ctx, ctx.bool_type(), 0);
                    b.constant(
                        never.unwrap_or_else(|| ctx.bool_attr(false)),
                        ctx.bool_type(),
                    )
                }
            };
            self.body[end].operands.push(given);
        }
        for (number, &result) in results.iter().enumerate() {
            let value = self.body[new].result(number);
            self.body.replace_uses(result, value);
            self.values.insert(result, value);
        }
        self.body.erase(old);
        self.branches.insert(old, new);
        self.body[new].result(results.len())
    }

    /// Emits a conjunction in front of an operation; [`None`] for one of nothing.
    fn conjunction(&mut self, at: OpId, terms: &[Term]) -> Option<Value> {
        let terms: Vec<Term> = (terms.iter())
            .map(|&(value, holds)| (self.renamed(value), holds))
            .collect();
        let mut b = Builder::before(self.ctx, self.body, at);
        let mut all: Option<Value> = None;
        for (value, holds) in terms {
            let one = match holds {
                true => value,
                false => negated(&mut b, value),
            };
            all = Some(match all {
                Some(others) => b.binary(arith::ANDI, others, one),
                None => one,
            });
        }
        all
    }

    /// The block of a member's level.
    fn block_of(&self, member: &Selection, level: usize) -> Option<BlockId> {
        let Some(around) = level.checked_sub(1) else {
            return Some(self.block);
        };
        let branch = member.levels[around].branch.as_ref()?;
        self.body.region_block(self.op_of(branch), branch.taken)
    }

    /// The operation of a branch, which may have been rebuilt.
    fn op_of(&self, branch: &Branch) -> OpId {
        let mut op = branch.op;
        while let Some(&new) = self.branches.get(&op) {
            op = new;
        }
        op
    }

    fn renamed(&self, mut value: Value) -> Value {
        while let Some(&new) = self.values.get(&value) {
            value = new;
        }
        value
    }

    /// Erases the old selections, joins and tests that nothing uses any more, which would pass for users of the
    /// carried values.
    pub(super) fn erase_unused(body: &mut Body, groups: &[Group]) {
        let mut ops: Vec<OpId> = Vec::new();
        for member in groups.iter().flat_map(|group| &group.members) {
            ops.extend(member.selects.iter().chain(&member.joins));
        }
        for test in groups.iter().flat_map(|group| &group.tests) {
            // A carried flag that is its own test is no operation.
            ops.extend(body.defining_op(test.term.0));
        }
        ops.sort_unstable();
        ops.dedup();
        loop {
            let uses = body.uses();
            let count = ops.len();
            ops.retain(|&op| {
                let is_unused = uses.of(body[op].result(0)).is_empty();
                if is_unused {
                    body.erase(op);
                }
                !is_unused
            });
            if ops.len() == count {
                return;
            }
        }
    }
}
