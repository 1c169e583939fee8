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

use std::collections::HashMap;

use gridloom_dialects::affine::ForOp;
use gridloom_ir::{OpId, Value};

use super::expansion::{Expanded, Expansion};
use super::{
    Distribution, MAX_RUNS, Refusal, accesses_of_runs, has_free_loop, is_in_parallel_loop,
    merge_dependent, plan_pieces, runs_of_effects,
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
    let accesses = accesses_of_runs(deps, &groups)?;
    let (merged, _) = merge_dependent(deps, op, groups, &accesses);
    if merged.len() < 2 {
        return None;
    }
    let piece_of: HashMap<OpId, usize> = (merged.iter().enumerate())
        .flat_map(|(piece, ops)| ops.iter().map(move |&op| (op, piece)))
        .collect();
    let mut values: Vec<Value> = Vec::new();
    let mut pieces = Vec::new();
    for (piece, own) in merged.iter().enumerate() {
        let inputs = inputs(deps, op, own, (&piece_of, piece))?;
        for value in inputs.values {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        let in_order = statements.iter().copied();
        let is_in = |s: &OpId| piece_of.get(s) == Some(&piece) || inputs.repeated.contains(s);
        pieces.push(in_order.filter(is_in).collect());
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

/// What a piece needs of other statements of its loop.
struct Inputs {
    /// Statements that it computes again.
    repeated: Vec<OpId>,
    /// Values that other pieces compute.
    values: Vec<Value>,
}

/// The inputs of a piece; `None` if a statement cannot be computed again, since the loop writes what it loads.
fn inputs(
    deps: &mut Dependences,
    op: ForOp,
    statements: &[OpId],
    (piece_of, piece): (&HashMap<OpId, usize>, usize),
) -> Option<Inputs> {
    let body = deps.values.body;
    let block = op.block(body);
    let mut found = Inputs {
        repeated: Vec::new(),
        values: Vec::new(),
    };
    let mut stack: Vec<OpId> = statements.to_vec();
    while let Some(statement) = stack.pop() {
        for below in body.walk_op(statement) {
            for &operand in &body[below].operands {
                let def = body.defining_op(operand);
                let Some(def) = def.filter(|&def| body[def].parent() == Some(block)) else {
                    continue;
                };
                match piece_of.get(&def) {
                    Some(&own) if own == piece => {}
                    Some(_) if found.values.contains(&operand) => {}
                    Some(_) => found.values.push(operand),
                    None if found.repeated.contains(&def) => {}
                    None => {
                        let mut loads = Vec::new();
                        accesses_of(&mut deps.values, def, &mut loads);
                        let scope = Scope::AnyIterations(op.0);
                        if are_unchanged(deps, &loads, op.0, scope) != Some(true) {
                            return None;
                        }
                        found.repeated.push(def);
                        stack.push(def);
                    }
                }
            }
        }
    }
    Some(found)
}
