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
    Distribution, MAX_RUNS, Refusal, has_free_loop, is_in_parallel_loop, merge_dependent,
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
    let groups = groups(deps, statements);
    if !(2..=MAX_RUNS).contains(&groups.len()) {
        return None;
    }
    let accesses = accesses_of_runs(deps, &groups).ok()?;
    let (merged, _) = merge_dependent(deps, op, groups, &accesses);
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

/// Each statement that cannot be computed again, with what is computed from its results and from those of earlier ones.
fn groups(deps: &Dependences, statements: &[OpId]) -> Vec<Vec<OpId>> {
    let body = deps.values.body;
    let mut groups: Vec<Vec<OpId>> = Vec::new();
    let mut group_of: HashMap<OpId, usize> = HashMap::new();
    for &statement in statements {
        let group = match is_repeatable(body, statement) {
            true => {
                let operands = body[statement].operands.iter();
                let defs = operands.filter_map(|&value| body.defining_op(value));
                defs.filter_map(|def| group_of.get(&def).copied()).max()
            }
            false => {
                groups.push(Vec::new());
                Some(groups.len() - 1)
            }
        };
        if let Some(group) = group {
            groups[group].push(statement);
            group_of.insert(statement, group);
        }
    }
    groups
}

/// Whether a statement loads nothing that the loop writes.
fn is_unchanged(deps: &mut Dependences, op: ForOp, def: OpId) -> bool {
    let mut loads = Vec::new();
    accesses_of(&mut deps.values, def, &mut loads);
    are_unchanged(deps, &loads, op.0, Scope::AnyIterations(op.0)) == Some(true)
}
