//! Dominating conditions: a block with one predecessor knows which way that one
//! branched.
//!
//! ```text
//!   cf.cond_br %c, ^a, ^b
//! ^a:  // from here only
//!   use %c                   ⇒  use %true
//! ```
//!
//! A `cf.switch` whose only predecessor switches on the same value loses the
//! cases that cannot occur.

use std::collections::HashMap;

use gridloom_dialects::cf;
use gridloom_ir::{BlockId, OpId, RegionId};

use super::branch::{Edge, branch, cases, choose_operands, edges, set_switch};
use crate::rewriter::Rewriter;

/// The terminators that branch to each block; `None` if one of them is no
/// branch of `cf`.
type Predecessors = HashMap<BlockId, Option<Vec<OpId>>>;

/// Propagates branch conditions and switch values into the successors, of one
/// region, that have no other predecessor.
pub(super) fn propagate(rw: &mut Rewriter, region: RegionId, predecessors: &Predecessors) {
    let blocks: Vec<BlockId> = rw.body()[region].blocks.to_vec();
    for block in blocks {
        let Some(last) = rw.body()[block].last() else {
            continue;
        };
        match rw.body()[last].name {
            cf::COND_BR => {
                let successors = rw.body()[last].successors();
                let alone = |list: &Vec<OpId>| list.iter().all(|&other| other == last);
                let only = predecessors
                    .get(&successors[0])
                    .and_then(|list| list.as_ref());
                if successors[0] == successors[1] && only.is_some_and(alone) {
                    let _ = choose_operands(rw, last);
                } else {
                    replace_condition(rw, last, predecessors);
                }
            }
            cf::SWITCH => {
                let _ = prune_cases(rw, last, block, predecessors);
            }
            _ => {}
        }
    }
}

fn replace_condition(rw: &mut Rewriter, op: OpId, predecessors: &Predecessors) {
    let Some(&condition) = rw.body()[op].operands.first() else {
        return;
    };
    if rw.look(op).constant_attr(condition).is_some() {
        return;
    }
    let successors = rw.body()[op].successors().to_vec();
    for (&target, holds) in successors.iter().zip([true, false]) {
        let alone = matches!(predecessors.get(&target), Some(Some(list)) if list[..] == [op]);
        if !alone {
            continue;
        }
        let inside: Vec<OpId> = rw.body().ops(target).collect();
        for user in inside {
            if !rw.body()[user].operands.contains(&condition) {
                continue;
            }
            let Some(known) = rw.splat(holds.into(), rw.ctx.bool_type(), op) else {
                return;
            };
            let mut operands = rw.body()[user].operands.to_vec();
            for operand in operands.iter_mut().filter(|operand| **operand == condition) {
                *operand = known;
            }
            rw.set_operands(user, &operands);
        }
    }
}

/// Prunes the cases of a switch whose only predecessor switches on the same
/// value.
fn prune_cases(
    rw: &mut Rewriter,
    op: OpId,
    block: BlockId,
    predecessors: &Predecessors,
) -> Option<()> {
    let Some(Some(before)) = predecessors.get(&block) else {
        return None;
    };
    let &[before] = &before[..] else { return None };
    let flag = *rw.body()[op].operands.first()?;
    let data = &rw.body()[before];
    if data.name != cf::SWITCH || data.operands.first() != Some(&flag) || before == op {
        return None;
    }
    let number = data
        .successors()
        .iter()
        .position(|&target| target == block)?;
    let (taken, own) = (cases(rw, before)?, cases(rw, op)?);
    let mut all = edges(rw.ctx, rw.body(), op)?;
    if let Some(case) = number.checked_sub(1) {
        let hit = own.iter().position(|own| *own == taken[case]);
        branch(rw, op, all.swap_remove(hit.map_or(0, |hit| hit + 1)));
        return Some(());
    }
    // Reached by the default edge: the value is none of the predecessor's
    // cases.
    let left: Vec<usize> = (0..own.len())
        .filter(|&case| !taken.contains(&own[case]))
        .collect();
    if left.len() == own.len() {
        return None;
    }
    let kept: Vec<Edge> = (left.iter().map(|&case| case + 1))
        .map(|edge| all[edge].clone())
        .collect();
    let kept = [&all[..1], &kept[..]].concat();
    set_switch(rw, op, &left, &kept);
    Some(())
}
