//! Exit unification: gives a loop of blocks with several exits or back edges one of each.
//!
//! ```text
//! ^head: … cf.cond_br %c, ^body, ^done        ^head: … cf.cond_br %c, ^body, ^latch(%false, 0)
//! ^body: … cf.cond_br %d, ^found(%x), ^next   ^body: … cf.cond_br %d, ^latch(%false, 1, %x), ^next
//! ^next: … cf.br ^head                   ⇒    ^next: … cf.br ^latch(%true, 0, poison)
//!                                             ^latch(%again, %which, %y): cf.cond_br %again, ^head, ^exit
//!                                             ^exit: cf.cond_br %which == 1, ^found(%y), ^done
//! ```
//!
//! All exits and back edges lead through a latch, whose arguments are the target, the values to
//! pass there, and the values of the loop that are used behind it. Then no path leaves the loop
//! midway, so that its conditionals become `scf.if`, and the loop a `scf.while` (H. Bahmann, N.
//! Reissmann, M. Jahre, J. C. Meyer, "Perfect reconstructability of control flow from demand
//! dependence graphs", 2015). Always legal for a loop with a single entry; others stay.

use std::collections::{HashMap, HashSet};

use gridloom_ir::{BlockId, Body, Builder, Context, Loc, OpId, RegionId, Type, Value};

use super::branches::{branch_if, redirect};
use super::dispatch::{Targets, or_poison};
use super::flow::{Dominators, Edge, End, end_of, natural_loop, successors};

/// Limit of the blocks of a region whose loops are unified: dominance takes quadratic space.
pub(super) const MAX_BLOCKS: usize = 256;

/// Natural loop: one whose only entry is its head.
struct Loop {
    head: BlockId,
    blocks: HashSet<BlockId>,
    /// Blocks with a branch back to the head or out of the loop, in program order.
    ends: Vec<BlockId>,
}

/// Unifies exits and back edges of one loop of a region, innermost first. Returns whether there was
/// a loop with several.
pub(super) fn unify_exits(ctx: &Context, body: &mut Body, region: RegionId) -> bool {
    let blocks = body[region].blocks.to_vec();
    if blocks.len() > MAX_BLOCKS {
        return false;
    }
    let dominators = Dominators::of(body, &blocks);
    let mut loops: Vec<Loop> = (blocks.iter())
        .filter_map(|&head| Loop::of(ctx, body, &blocks, &dominators, head))
        .collect();
    loops.sort_by_key(|found| found.blocks.len());
    let Some(found) = loops.first() else {
        return false;
    };
    found.unify(ctx, body, region, &dominators);
    true
}

impl Loop {
    /// The natural loop of `head`, if it has several exits or back edges.
    fn of(
        ctx: &Context,
        body: &Body,
        all: &[BlockId],
        dominators: &Dominators,
        head: BlockId,
    ) -> Option<Loop> {
        let blocks = natural_loop(body, all, dominators, head)?;
        let is_outside = |block: &&BlockId| !blocks.contains(block);
        let ends: Vec<BlockId> = (all.iter().copied())
            .filter(|block| blocks.contains(block))
            .filter(|&block| {
                let mut to = successors(body, block).iter();
                to.any(|to| *to == head || is_outside(&to))
            })
            .collect();
        let is_known = |&block: &BlockId| {
            dominators.dominates(head, block) && end_of(ctx, body, block) != End::Other
        };
        let is_sound = blocks.iter().all(is_known);
        (is_sound && ends.len() > 1).then_some(Loop { head, blocks, ends })
    }

    fn unify(&self, ctx: &Context, body: &mut Body, region: RegionId, dominators: &Dominators) {
        let loc = body[self.head]
            .last()
            .map_or(Loc::UNKNOWN, |last| body[last].loc);
        let targets = Targets::outside(ctx, body, &self.ends, &self.blocks);
        let escaping = self.escaping(body, region);
        let passed = Passed::new(ctx, body, self.head, targets, &escaping);
        let latch = body.add_block(region, &passed.types);
        let exit = body.add_block(region, &passed.types[passed.which..]);
        for &block in &self.ends {
            self.redirect(ctx, body, block, latch, &passed, &escaping, dominators);
        }
        let outside: Vec<OpId> = (body[region].blocks.iter().copied())
            .filter(|block| !self.blocks.contains(block) && ![latch, exit].contains(block))
            .flat_map(|block| body.ops(block).collect::<Vec<_>>())
            .collect();
        let args = body[exit].args.to_vec();
        let behind: HashMap<Value, Value> = (escaping.iter().copied())
            .zip(args[passed.escaping - passed.which..].iter().copied())
            .collect();
        for op in outside {
            body.replace_values_in(op, |value| behind.get(&value).copied().unwrap_or(value));
        }
        let of_latch = body[latch].args.to_vec();
        let mut b = Builder::at_end(ctx, body, latch, loc);
        let again = Edge {
            to: self.head,
            operands: of_latch[passed.head..passed.which].to_vec(),
        };
        let leave = Edge {
            to: exit,
            operands: of_latch[passed.which..].to_vec(),
        };
        branch_if(&mut b, of_latch[0], &[again, leave]);
        (passed.targets).dispatch(&mut Builder::at_end(ctx, body, exit, loc), region, exit);
    }

    /// Escaping values: those of the loop's blocks that are used behind it.
    fn escaping(&self, body: &Body, region: RegionId) -> Vec<Value> {
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        for &block in &body[region].blocks {
            if self.blocks.contains(&block) {
                continue;
            }
            for op in body.ops(block).flat_map(|op| body.walk_op(op)) {
                for &value in &body[op].operands {
                    let home = body.value_block(value);
                    if home.is_some_and(|home| self.blocks.contains(&home)) && seen.insert(value) {
                        found.push(value);
                    }
                }
            }
        }
        found
    }

    /// Redirects the exits and back edges of a block to the latch.
    #[expect(clippy::too_many_arguments, reason = "the parts of one change")]
    fn redirect(
        &self,
        ctx: &Context,
        body: &mut Body,
        block: BlockId,
        latch: BlockId,
        passed: &Passed,
        escaping: &[Value],
        dominators: &Dominators,
    ) {
        redirect(ctx, body, block, |b, edge| {
            let target = passed.targets.number(edge.to);
            if target.is_none() && edge.to != self.head {
                return edge;
            }
            // An undefined value on this edge is used on no path from here.
            let mut operands: Vec<Option<Value>> = vec![None; passed.types.len()];
            let again = b.constant(ctx.bool_attr(target.is_none()), ctx.bool_type());
            operands[0] = Some(again);
            let of_target = match target {
                Some(number) => passed.targets.operands(b, number, &edge.operands),
                None => passed.targets.operands(b, 0, &[]),
            };
            operands.splice(passed.which..passed.escaping, of_target);
            if target.is_none() {
                let of_head = edge.operands.iter().copied().map(Some);
                operands.splice(passed.head..passed.which, of_head);
            }
            let is_left = target.is_some();
            for (place, &value) in operands[passed.escaping..].iter_mut().zip(escaping) {
                let home = b.body.value_block(value);
                let is_known = home.is_some_and(|home| dominators.dominates(home, block));
                *place = (is_left && is_known).then_some(value);
            }
            Edge {
                to: latch,
                operands: or_poison(b, operands, &passed.types),
            }
        });
    }
}

/// Values passed to the latch: whether to continue, the arguments of the head, the target with its
/// arguments, and the escaping values.
struct Passed {
    types: Vec<Type>,
    head: usize,
    which: usize,
    escaping: usize,
    targets: Targets,
}

impl Passed {
    fn new(
        ctx: &Context,
        body: &Body,
        head: BlockId,
        targets: Targets,
        escaping: &[Value],
    ) -> Passed {
        let mut types = vec![ctx.bool_type()];
        types.extend(body[head].args.iter().map(|&arg| body.ty(arg)));
        let which = types.len();
        types.extend(&targets.types);
        let first_escaping = types.len();
        types.extend(escaping.iter().map(|&value| body.ty(value)));
        Passed {
            types,
            head: 1,
            which,
            escaping: first_escaping,
            targets,
        }
    }
}
