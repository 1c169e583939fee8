//! Distribution of sequential loops. Values that statements pass to later pieces go through arrays with an
//! element for each iteration.
//!
//! ```text
//! affine.for %i = 0 to %n {                       affine.for %i = 0 to %n {
//!   %s = affine.for %d … { … %x[%i, %d] }           %s = affine.for %d … { … %x[%i, %d] }
//!   %e = f(%s)                                      %e = f(%s)
//!   affine.for %d = 0 to %m {                       affine.store %e, %t[%i]
//!     %g[%d] += %e * %x[%i, %d]            ⇒      }
//!   }                                             affine.for %i = 0 to %n {
//! }                                                 %e = affine.load %t[%i]
//!                                                   affine.for %d = 0 to %m { %g[%d] += %e * %x[%i, %d] }
//!                                                 }
//! ```
//!
//! The gradient of a linear model is such a loop: the sums of all samples tie the samples, whose errors are
//! independent.
//!
//! A statement that cannot be computed again, and what is computed from its results, are a group; groups that
//! depend on each other both ways share a piece. Other statements are computed again in each piece that needs
//! them. Legal where these load nothing that the loop writes.

use std::collections::{HashMap, HashSet};

use gridloom_dialects::affine::ForOp;
use gridloom_ir::{OpId, Value};

use super::expansion::{Expanded, Expansion, frontier};
use super::runs::{accesses_of_runs, runs_of_effects};
use super::{
    Distribution, MAX_RUNS, Refusal, has_free_loop, is_in_parallel_loop, ordered_pieces,
    plan_pieces,
};
use crate::analysis::access::accesses_of;
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::reduction::is_repeatable;
use crate::analysis::repeatable::are_unchanged;

/// Plans the distribution of a sequential loop that is in no parallel loop: each statement with
/// effects is a piece, and statements that depend on each other both ways share one. Done where
/// that makes a loop parallel.
pub(super) fn plan_sequential_loop(
    deps: &mut Dependences,
    op: ForOp,
    statements: &[OpId],
) -> Option<Distribution> {
    let body = deps.values.body;
    let runs = runs_of_effects(body, op, statements);
    if !(2..=MAX_RUNS).contains(&runs.len()) || is_in_parallel_loop(deps, op.0) {
        return None;
    }
    let (pieces, expansion) = match plan_pieces(deps, op, statements) {
        Ok(pieces) => (pieces, None),
        Err(Refusal::Repeats) => {
            let expanded = plan_expanded_pieces(deps, op, statements)?;
            (expanded.pieces, Some(expanded.expansion))
        }
        Err(_) => return None,
    };
    let frees = pieces.iter().any(|piece| has_free_loop(deps, op, piece));
    frees.then(|| Distribution {
        expansion,
        ..Distribution::over(op, pieces)
    })
}

/// Plans the pieces of a sequential loop between which values pass; `None` if it has one piece only, or none do.
fn plan_expanded_pieces(
    deps: &mut Dependences,
    op: ForOp,
    statements: &[OpId],
) -> Option<Expanded> {
    let groups = groups(deps, op, statements);
    if !(2..=MAX_RUNS).contains(&groups.len()) {
        return None;
    }
    let accesses = accesses_of_runs(deps, &groups).ok()?;
    let (merged, _) = ordered_pieces(deps, op, groups, &accesses);
    if merged.len() < 2 {
        return None;
    }
    let in_pieces: HashSet<OpId> = merged.iter().flatten().copied().collect();
    let mut values: Vec<Value> = Vec::new();
    let mut pieces = Vec::new();
    for own in &merged {
        let (repeated, needed) = frontier(deps.values.body, op, own, |def| {
            match in_pieces.contains(&def) {
                true => Some(false),
                false => is_unchanged(deps, op, def).then_some(true),
            }
        })?;
        for value in needed {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        let in_order = statements.iter().copied();
        pieces.push(
            in_order
                .filter(|s| own.contains(s) || repeated.contains(s))
                .collect(),
        );
    }
    if values.is_empty() {
        return None;
    }
    let expansion = Expansion::of(deps, op, values)?;
    Some(Expanded { pieces, expansion })
}

/// Each statement that cannot be computed again, with what is computed from its results and from those of earlier ones. A
/// load of what the loop writes goes with the first statement that uses what is computed from it, if there are several loops to part.
fn groups(deps: &mut Dependences, op: ForOp, statements: &[OpId]) -> Vec<Vec<OpId>> {
    let body = deps.values.body;
    let mut groups: Vec<Vec<OpId>> = Vec::new();
    let mut group_of: HashMap<OpId, usize> = HashMap::new();
    let mut loads: HashSet<usize> = HashSet::new();
    let loops = statements
        .iter()
        .filter(|&&op| ForOp::cast(body, op).is_some());
    let has_loops = loops.count() >= 2;
    for &statement in statements {
        let is_effect = !is_repeatable(body, statement);
        let operands = body[statement].operands.iter();
        let used = operands.filter_map(|&value| group_of.get(&body.defining_op(value)?).copied());
        let used: HashSet<usize> = used.collect();
        let group = match is_effect || has_loops && !is_unchanged(deps, op, statement) {
            true => {
                groups.push(Vec::new());
                let new = groups.len() - 1;
                if !is_effect {
                    loads.insert(new);
                }
                Some(new)
            }
            false => used.iter().copied().max(),
        };
        let Some(group) = group else {
            continue;
        };
        groups[group].push(statement);
        group_of.insert(statement, group);
        for load in used.into_iter().filter(|_| is_effect) {
            if loads.remove(&load) {
                let moved = std::mem::take(&mut groups[load]);
                group_of.extend(moved.iter().map(|&op| (op, group)));
                groups[group].splice(0..0, moved);
            }
        }
    }
    groups.retain(|group| !group.is_empty());
    groups
}

/// Whether a statement loads nothing that the loop writes.
fn is_unchanged(deps: &mut Dependences, op: ForOp, def: OpId) -> bool {
    let mut loads = Vec::new();
    accesses_of(&mut deps.values, def, &mut loads);
    are_unchanged(deps, &loads, op.0, Scope::AnyIterations(op.0)) == Some(true)
}
