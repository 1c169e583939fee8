//! Runs: statements of a loop with effects, each with those that only it needs.

use std::collections::HashSet;

use gridloom_dialects::affine::ForOp;
use gridloom_ir::{Body, OpId};

use super::{Refusal, needed};
use crate::analysis::access::Access;
use crate::analysis::dependence::Dependences;
use crate::analysis::opaque::Opaque;
use crate::analysis::parallel::{MAX_ACCESSES, distinct_accesses};
use crate::analysis::reduction::is_repeatable;

/// The accesses of each run.
///
/// # Errors
/// [`Refusal::Opaque`] or [`Refusal::TooLarge`].
pub(super) fn accesses_of_runs(
    deps: &mut Dependences,
    runs: &[Vec<OpId>],
) -> Result<Vec<Vec<Access>>, Refusal> {
    let mut accesses: Vec<Vec<Access>> = Vec::new();
    for run in runs {
        let of_run = run.iter().flat_map(|&op| distinct_accesses(deps, op));
        accesses.push(of_run.collect());
    }
    if let Some(opaque) = Opaque::among(&deps.values, accesses.iter().flatten()) {
        return Err(Refusal::Opaque(opaque));
    }
    let count: usize = accesses.iter().map(Vec::len).sum();
    match count <= MAX_ACCESSES {
        true => Ok(accesses),
        false => Err(Refusal::TooLarge),
    }
}

/// Each statement with effects, together with the statements that only it needs.
pub(super) fn runs_of_effects(body: &Body, op: ForOp, statements: &[OpId]) -> Vec<Vec<OpId>> {
    let effects = statements.iter().filter(|&&op| !is_repeatable(body, op));
    let needs: Vec<HashSet<OpId>> = effects.map(|&s| needed(body, op, &[s])).collect();
    let count = |s: &OpId| needs.iter().filter(|needs| needs.contains(s)).count();
    let own: Vec<OpId> = statements
        .iter()
        .copied()
        .filter(|s| count(s) == 1)
        .collect();
    let runs = needs.iter().map(|needs| {
        let own = own.iter().copied();
        own.filter(|s| needs.contains(s)).collect()
    });
    runs.collect()
}
