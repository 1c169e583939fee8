//! Join unification: gives the branches that a conditional leads to one place to meet.
//!
//! ```text
//! ^if:  cf.cond_br %a, ^and, ^else            ^if:  cf.cond_br %a, ^and, ^join(0)
//! ^and: cf.cond_br %b, ^then, ^else           ^and: cf.cond_br %b, ^then, ^join(0)
//! ^then: … cf.br ^end                    ⇒    ^then: … cf.br ^join(1)
//! ^else: … cf.br ^end                         ^join(%which): cf.cond_br %which == 1, ^end, ^else
//! ^end: …                                     ^else: … cf.br ^end
//!                                             ^end: …
//! ```
//!
//! Short-circuit conditions enter a block from several conditionals, so that it is an arm of none.
//! All edges out of what a conditional alone leads to pass through a join instead, whose arguments
//! are the target and the values passed to it (see [`super::exits`] for the source). No value of the
//! arms is used behind them, since other paths lead there too. Each time, fewer edges lead to blocks
//! with several entries, so that the rewriting ends. Always legal.

use std::collections::HashSet;

use gridloom_dialects::{func, gpu, scf};
use gridloom_ir::{BlockId, Body, Builder, Context, Loc, OpId, RegionId, Type};

use super::branches::{branch, redirect};
use super::dispatch::{Targets, or_poison};
use super::exits::MAX_BLOCKS;
use super::flow::{Dominators, Edge, End, Flow, end_of, natural_loop, successors};

/// Conditional, with the blocks that only its edges lead to.
struct Conditional {
    block: BlockId,
    /// The blocks of both branches, and the block of the conditional.
    inside: HashSet<BlockId>,
    targets: Targets,
}

/// Unifies the joins of one conditional of a region, one with few blocks first. Returns whether
/// there was one from which several edges lead to the same of several blocks.
pub(super) fn unify_joins(ctx: &Context, body: &mut Body, region: RegionId) -> bool {
    let blocks = body[region].blocks.to_vec();
    if blocks.len() > MAX_BLOCKS {
        return false;
    }
    let flow = Flow::of(body, region);
    let dominators = Dominators::of(body, &blocks);
    let loops: Vec<HashSet<BlockId>> = (blocks.iter())
        .filter_map(|&head| natural_loop(body, &blocks, &dominators, head))
        .collect();
    let found = (blocks.iter())
        .filter_map(|&block| Conditional::of(ctx, body, &flow, &dominators, &loops, block))
        .min_by_key(|found| found.inside.len());
    let Some(found) = found else {
        return false;
    };
    found.unify(ctx, body, region);
    true
}

impl Conditional {
    fn of(
        ctx: &Context,
        body: &Body,
        flow: &Flow,
        dominators: &Dominators,
        loops: &[HashSet<BlockId>],
        block: BlockId,
    ) -> Option<Conditional> {
        let End::Conditional(_, edges) = end_of(ctx, body, block) else {
            return None;
        };
        let arms = edges.iter().map(|edge| edge.to);
        let arms: Vec<BlockId> = arms.filter(|&arm| flow.has_one_entry(arm)).collect();
        let is_inside = |other: &BlockId| arms.iter().any(|&arm| dominators.dominates(arm, *other));
        let mut inside: Vec<BlockId> = flow.blocks.iter().copied().filter(is_inside).collect();
        inside.push(block);
        let within = inside.iter().copied().collect();
        let targets = Targets::outside(ctx, body, &inside, &within);
        let outward = { inside.iter() }
            .flat_map(|&from| successors(body, from))
            .filter(|to| !within.contains(to));
        let meet = targets.blocks.len() > 1 && outward.count() > targets.blocks.len();
        // Exits and back edges are for the latch of their loop.
        let is_in_same_loops = |to: &BlockId| {
            loops
                .iter()
                .all(|found| found.contains(to) == found.contains(&block))
        };
        let closes_none = |from: &BlockId| {
            let mut to = successors(body, *from).iter();
            to.all(|&to| !dominators.dominates(to, *from))
        };
        let is_known = |block: &BlockId| end_of(ctx, body, *block) != End::Other;
        let is_sound = inside
            .iter()
            .all(|from| closes_none(from) && is_known(from))
            && inside.iter().chain(&targets.blocks).all(is_in_same_loops);
        (meet && is_sound).then_some(Conditional {
            block,
            inside: within,
            targets,
        })
    }

    fn unify(&self, ctx: &Context, body: &mut Body, region: RegionId) {
        let join = body.add_block(region, &self.targets.types);
        let blocks = body[region].blocks.to_vec();
        for block in blocks
            .into_iter()
            .filter(|block| self.inside.contains(block))
        {
            redirect(ctx, body, block, |b, edge| {
                let Some(number) = self.targets.number(edge.to) else {
                    return edge;
                };
                let operands = self.targets.operands(b, number, &edge.operands);
                Edge {
                    to: join,
                    operands: or_poison(b, operands, &self.targets.types),
                }
            });
        }
        let loc = (body[self.block].last()).map_or(Loc::UNKNOWN, |last| body[last].loc);
        let b = &mut Builder::at_end(ctx, body, join, loc);
        self.targets.dispatch(b, region, join);
    }
}

/// Gives a region with several returns one, which the others branch to. Returns whether it had
/// several.
pub(super) fn unify_returns(ctx: &Context, body: &mut Body, region: RegionId) -> bool {
    let returns: Vec<(BlockId, OpId)> = (body[region].blocks.iter())
        .filter_map(|&block| Some((block, body[block].last()?)))
        .filter(|&(_, last)| [func::RETURN, gpu::RETURN, scf::YIELD].contains(&body[last].name))
        .collect();
    let [(_, first), _, ..] = returns[..] else {
        return false;
    };
    let operands = body[first].operands.iter();
    let types: Vec<Type> = operands.map(|&value| body.ty(value)).collect();
    let end = body.add_block(region, &types);
    for &(block, last) in &returns {
        let edge = Edge {
            to: end,
            operands: body[last].operands.to_vec(),
        };
        branch(
            &mut Builder::at_end(ctx, body, block, body[last].loc),
            &edge,
        );
        if last != first {
            body.erase(last);
        }
    }
    let args = body[end].args.to_vec();
    body.detach(first);
    body.append(end, first);
    body[first].operands = args.into();
    true
}
