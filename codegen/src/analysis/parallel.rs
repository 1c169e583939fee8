//! Which loops may run their iterations in any order.

use gridloom_ir::dialect::{affine, scf};
use gridloom_ir::{Body, Diagnostic, Loc, OpId};

use super::access::{Access, Place, accesses_below};
use super::dependence::{Dependence, Dependences, Scope};

/// What is known of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Iterations are independent.
    Parallel,
    /// They are not, or it cannot be shown.
    Sequential(Reason),
}

/// Why a loop is sequential.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// It hands values from one iteration to the next.
    CarriesValues,
    /// Accesses of different iterations meet.
    Dependence {
        /// The earlier access.
        first: (Loc, bool),
        /// The later access; the flags say which of the two write.
        second: (Loc, bool),
        /// What is known of it.
        dependence: Dependence,
    },
    /// An operation whose effects are not known.
    Opaque(Loc),
    /// More accesses than are compared with each other.
    TooLarge(usize),
}

/// The number of accesses of a loop is squared to compare them; beyond this
/// many the loop is left alone.
pub const MAX_ACCESSES: usize = 300;

impl Verdict {
    /// Whether iterations are independent.
    pub fn is_parallel(&self) -> bool {
        *self == Verdict::Parallel
    }
}

/// Decides for a loop, from all that it runs. `affine.parallel` is parallel by
/// what it means, unless it reduces.
pub fn verdict(deps: &mut Dependences, op: OpId) -> Verdict {
    let body = deps.values.body;
    if body[op].num_results() > 0 {
        return Verdict::Sequential(Reason::CarriesValues);
    }
    if body[op].name == affine::PARALLEL {
        return Verdict::Parallel;
    }
    if !matches!(body[op].name, affine::FOR | scf::FOR) {
        return Verdict::Sequential(Reason::Opaque(body[op].loc));
    }
    let accesses = distinct_accesses(deps, op);
    if accesses.len() > MAX_ACCESSES {
        return Verdict::Sequential(Reason::TooLarge(accesses.len()));
    }
    match first_conflict(deps, Scope::AcrossIterations(op), &accesses) {
        None => Verdict::Parallel,
        Some(reason) => Verdict::Sequential(reason),
    }
}

/// Whether no two iterations of the nest `root` that differ in the counter of
/// `by` meet: then `by` can be the outermost loop of the nest, and parallel.
pub fn is_free(deps: &mut Dependences, root: OpId, by: OpId, accesses: &[Access]) -> bool {
    let scope = Scope::AcrossNest { root, by };
    first_conflict(deps, scope, accesses).is_none()
}

/// The accesses of a loop, each kind once.
pub fn distinct_accesses(deps: &mut Dependences, op: OpId) -> Vec<Access> {
    let body = deps.values.body;
    distinct(body, accesses_below(&mut deps.values, op))
}

/// One access of each kind: of two in the same block, which therefore have the
/// same domain, with the same place, one stands for both.
fn distinct(body: &Body, accesses: Vec<Access>) -> Vec<Access> {
    let mut kept: Vec<Access> = Vec::new();
    for access in accesses {
        let same = |other: &&Access| {
            body[other.op].parent() == body[access.op].parent()
                && other.is_write == access.is_write
                && other.place == access.place
                && other.guards == access.guards
                && access.place != Place::Anything
        };
        if kept.iter().rev().take(64).find(same).is_none() {
            kept.push(access);
        }
    }
    kept
}

fn first_conflict(deps: &mut Dependences, scope: Scope, accesses: &[Access]) -> Option<Reason> {
    let body = deps.values.body;
    if let Some(opaque) = accesses.iter().find(|a| a.place == Place::Anything) {
        return Some(Reason::Opaque(body[opaque.op].loc));
    }
    for first in accesses {
        for second in accesses {
            let dependence = deps.test(scope, first, second);
            if !dependence.is_independent() {
                return Some(Reason::Dependence {
                    first: (body[first.op].loc, first.is_write),
                    second: (body[second.op].loc, second.is_write),
                    dependence,
                });
            }
        }
    }
    None
}

impl Reason {
    /// The remark that `subject` at `loc`, such as "this loop nest", is left
    /// on the host for this reason.
    pub fn remark(&self, loc: Loc, subject: &str) -> Diagnostic {
        match self {
            Reason::CarriesValues => Diagnostic::remark(
                loc,
                format!(
                    "{subject} runs on the host: it hands values (iter_args) from one iteration to the next"
                ),
            ),
            Reason::Opaque(at) => Diagnostic::remark(
                loc,
                format!(
                    "{subject} runs on the host: it has an operation whose effects are not known"
                ),
            )
            .with_note(*at, "this operation"),
            Reason::TooLarge(count) => Diagnostic::remark(
                loc,
                format!(
                    "{subject} runs on the host: its {count} accesses are more than the {MAX_ACCESSES} that are compared; split the loop"
                ),
            ),
            Reason::Dependence {
                first,
                second,
                dependence,
            } => dependence_remark(loc, subject, *first, *second, dependence),
        }
    }
}

fn dependence_remark(
    loc: Loc,
    subject: &str,
    first: (Loc, bool),
    second: (Loc, bool),
    dependence: &Dependence,
) -> Diagnostic {
    let kind = match (first.1, second.1) {
        (true, false) => "a flow",
        (false, true) => "an anti",
        _ => "an output",
    };
    let (proved, distance) = match dependence {
        Dependence::Independent => (false, (None, None)),
        Dependence::Dependent { proved, distance } => (*proved, *distance),
    };
    let distance = match distance {
        (Some(low), Some(high)) if low == high => format!(" of distance {low}"),
        (Some(low), Some(high)) => format!(" of distance {low} to {high}"),
        (Some(low), None) => format!(" of distance {low} or more"),
        _ => String::new(),
    };
    let message = match proved {
        true => format!(
            "{subject} runs on the host: its iterations are tied by {kind} dependence{distance}"
        ),
        false => format!(
            "{subject} runs on the host: {kind} dependence between its iterations cannot be excluded"
        ),
    };
    let verb = |is_write| if is_write { "writes" } else { "reads" };
    let what = if proved {
        "the same element"
    } else {
        "what may be the same element"
    };
    Diagnostic::remark(loc, message)
        .with_note(first.0, format!("an iteration {} here", verb(first.1)))
        .with_note(
            second.0,
            format!("and a later one {} {what} here", verb(second.1)),
        )
}
