//! Simplifies the control flow graph of a region: erases unreachable blocks,
//! merges a block into its only predecessor, and drops dead block arguments.
//!
//! ```text
//!   cf.br ^a(%x)                       … with %x for %p
//! ^a(%p):  // from here only      ⇒    cf.br ^b(%y)
//!   …
//!   cf.br ^b(%y)
//! ```
//!
//! Each step is one pass over the blocks of a region, taken once a round.

use std::collections::{HashMap, HashSet};

use gridloom_dialects::cf;
use gridloom_ir::{BlockId, OpId, RegionId, Value};

use super::branch::{edges, is_branch, set_edges};
use super::{dominating_condition, liveness};
use crate::rewriter::Rewriter;

/// Simplifies every region of several blocks.
pub(super) fn simplify(rw: &mut Rewriter) {
    for region in regions_of_many(rw) {
        remove_unreachable(rw, region);
        thread_jumps(rw, region);
        remove_unreachable(rw, region);
        liveness::remove_dead(rw, region);
        join(rw, region);
        let predecessors = predecessors(rw, region);
        dominating_condition::propagate(rw, region, &predecessors);
    }
}

/// The regions of more than one block, outer ones first.
fn regions_of_many(rw: &Rewriter) -> Vec<RegionId> {
    let body = rw.body();
    if !body.has_branching_region() {
        return Vec::new();
    }
    let mut regions = body.regions().to_vec();
    for op in body.walk() {
        regions.extend_from_slice(body[op].inline_regions());
    }
    regions.retain(|&region| body[region].blocks.len() > 1);
    regions
}

fn blocks(rw: &Rewriter, region: RegionId) -> Vec<BlockId> {
    rw.body()[region].blocks.to_vec()
}

fn remove_unreachable(rw: &mut Rewriter, region: RegionId) {
    let all = blocks(rw, region);
    let mut reached: HashMap<BlockId, bool> = all.iter().map(|&block| (block, false)).collect();
    let mut stack: Vec<BlockId> = all.first().copied().into_iter().collect();
    while let Some(block) = stack.pop() {
        if reached.insert(block, true) == Some(true) {
            continue;
        }
        if let Some(last) = rw.body()[block].last() {
            stack.extend(rw.body()[last].successors());
        }
    }
    let dead: Vec<BlockId> = all.into_iter().filter(|block| !reached[block]).collect();
    rw.erase_blocks(&dead);
}

/// The terminators that branch to each block; `None` if one of them is no
/// branch of `cf`, so that its operands cannot be assigned to its successors.
fn predecessors(rw: &Rewriter, region: RegionId) -> HashMap<BlockId, Option<Vec<OpId>>> {
    let all = blocks(rw, region);
    let mut found: HashMap<BlockId, Option<Vec<OpId>>> =
        all.iter().map(|&block| (block, Some(Vec::new()))).collect();
    for &block in &all {
        let Some(last) = rw.body()[block].last() else {
            continue;
        };
        let understood = is_branch(rw.body()[last].name);
        for &successor in rw.body()[last].successors() {
            let list = found.entry(successor).or_insert(None);
            match list {
                Some(list) if understood => list.push(last),
                list => *list = None,
            }
        }
    }
    found
}

/// Jump threading: a branch to a block that holds nothing but a `cf.br` goes to
/// that one's target.
fn thread_jumps(rw: &mut Rewriter, region: RegionId) {
    // In reverse order, most targets have been threaded already.
    for block in blocks(rw, region).into_iter().rev() {
        let Some(last) = rw.body()[block].last() else {
            continue;
        };
        let Some(mut all) = edges(rw.ctx, rw.body(), last) else {
            continue;
        };
        let mut changed = false;
        for edge in &mut all {
            // The bound ends the walk around a cycle of empty blocks.
            for _ in 0..4 {
                let Some(next) = thread(rw, edge) else { break };
                *edge = next;
                changed = true;
            }
        }
        if changed {
            set_edges(rw, last, &all);
        }
    }
}

/// The target behind a block that holds nothing but a `cf.br`, with the
/// operands of the edge substituted.
fn thread(rw: &Rewriter, (block, values): &(BlockId, Vec<Value>)) -> Option<(BlockId, Vec<Value>)> {
    let body = rw.body();
    let only = body[*block].first()?;
    if body[only].name != cf::BR || body[only].next().is_some() {
        return None;
    }
    let args = &body[*block].args;
    // Other users would lose the block's arguments.
    let private = |&arg: &Value| rw.users(arg).iter().all(|&user| user == only);
    if !args.iter().all(private) {
        return None;
    }
    let (next, passed) = edges(rw.ctx, body, only)?.pop()?;
    let given: HashMap<Value, Value> = args.iter().copied().zip(values.iter().copied()).collect();
    let passed = passed
        .iter()
        .map(|value| given.get(value).copied().unwrap_or(*value));
    (next != *block).then(|| (next, passed.collect()))
}

/// Merges a block into its predecessor if that has no other successor and the
/// block no other predecessor.
fn join(rw: &mut Rewriter, region: RegionId) {
    let predecessors = predecessors(rw, region);
    let mut gone = HashSet::new();
    for head in blocks(rw, region) {
        // A chain merges into its head, so each operation moves once.
        while !gone.contains(&head)
            && let Some(next) = continuation(rw, head, &predecessors)
        {
            let Some(branch) = rw.body()[head].last() else {
                break;
            };
            let passed = rw.body()[branch].operands.to_vec();
            let args = rw.body()[next].args.to_vec();
            for (arg, value) in args.into_iter().zip(passed) {
                rw.replace(arg, value);
            }
            rw.erase(branch);
            while let Some(first) = rw.body()[next].first() {
                rw.move_to_end(head, first);
            }
            gone.insert(next);
        }
    }
    let gone: Vec<BlockId> = gone.into_iter().collect();
    rw.erase_blocks(&gone);
}

/// The successor that may merge into `head`.
fn continuation(
    rw: &Rewriter,
    head: BlockId,
    predecessors: &HashMap<BlockId, Option<Vec<OpId>>>,
) -> Option<BlockId> {
    let branch = rw.body()[head].last()?;
    let &[next] = rw.body()[branch].successors() else {
        return None;
    };
    let alone = matches!(predecessors.get(&next), Some(Some(list)) if list[..] == [branch]);
    let entry = rw.body()[rw.body()[next].parent()?].entry();
    let fits = rw.body()[branch].name == cf::BR && alone && next != head && entry != Some(next);
    fits.then_some(next)
}
