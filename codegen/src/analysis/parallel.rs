//! Parallelism: the loops whose iterations may run in any order.

use gridloom_dialects::{affine, cf, memref, scf};
use gridloom_ir::{Body, Diagnostic, Loc, OpId, OpName, Value};

use super::access::{Access, Place, accesses_below};
use super::alias::Root;
use super::dependence::{Dependence, Dependences, Doubt, Scope};

/// Verdict on a loop: parallel or sequential.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Iterations are independent.
    Parallel,
    /// They are not, or it cannot be shown.
    Sequential(Reason),
}

/// Reason why a loop is sequential.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The loop hands values from one iteration to the next.
    CarriesValues(OpId),
    /// The carried value is a reduction by this operation on floats, whose order
    /// has to stay.
    KeepsOrder(OpName),
    /// The carried value is a reduction that is not worth partial results.
    Reduces,
    /// Accesses of different iterations meet, or may.
    Dependence {
        /// The earlier access and the later one.
        accesses: Box<[Access; 2]>,
        /// Result of the dependence test.
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
        return Verdict::Sequential(Reason::CarriesValues(op));
    }
    if body[op].name == affine::PARALLEL {
        return Verdict::Parallel;
    }
    match conflict_beside_assertions(deps, op) {
        None => Verdict::Parallel,
        Some(reason) => Verdict::Sequential(reason),
    }
}

/// Dependence between iterations, where it does not count which of several assertions fails
/// first: a failed one ends the run, and nothing sees what other iterations have stored by then.
fn conflict_beside_assertions(deps: &mut Dependences, op: OpId) -> Option<Reason> {
    let body = deps.values.body;
    conflict_among(deps, op, |access| body[access.op].name != cf::ASSERT)
}

/// Dependence through memory between iterations of a plain loop, whatever else it
/// carries in values.
pub fn conflict_in_memory(deps: &mut Dependences, op: OpId) -> Option<Reason> {
    conflict_without(deps, op, &[])
}

/// The same, but for what lies in some allocations.
pub fn conflict_without(deps: &mut Dependences, op: OpId, allocations: &[Value]) -> Option<Reason> {
    conflict_among(deps, op, |access| match access.place {
        Place::Element { root, .. } | Place::Somewhere(root) => {
            !matches!(root, Root::Value(value) if allocations.contains(&value))
        }
        Place::Anything => true,
    })
}

/// The same as [`conflict_in_memory`], where some stores are known to be to different elements in different
/// iterations.
pub fn conflict_apart(deps: &mut Dependences, op: OpId, apart: &[OpId]) -> Option<Reason> {
    conflict_between(deps, op, |_| true, apart)
}

/// A conflict among those accesses of a loop that count.
fn conflict_among(
    deps: &mut Dependences,
    op: OpId,
    counts: impl Fn(&Access) -> bool,
) -> Option<Reason> {
    conflict_between(deps, op, counts, &[])
}

fn conflict_between(
    deps: &mut Dependences,
    op: OpId,
    counts: impl Fn(&Access) -> bool,
    apart: &[OpId],
) -> Option<Reason> {
    let body = deps.values.body;
    if !matches!(body[op].name, affine::FOR | scf::FOR) {
        return Some(Reason::Opaque(body[op].loc));
    }
    let mut accesses = distinct_accesses(deps, op);
    accesses.retain(counts);
    if accesses.len() > MAX_ACCESSES {
        return Some(Reason::TooLarge(accesses.len()));
    }
    first_conflict(deps, Scope::AcrossIterations(op), &accesses, apart)
}

/// Whether no two iterations of the nest `root` that differ in the counter of
/// `by` meet: then `by` can be the outermost loop of the nest, and parallel.
pub fn is_free(deps: &mut Dependences, root: OpId, by: OpId, accesses: &[Access]) -> bool {
    let scope = Scope::AcrossNest { root, by };
    first_conflict(deps, scope, accesses, &[]).is_none()
}

/// The accesses of a loop, each kind once.
pub fn distinct_accesses(deps: &mut Dependences, op: OpId) -> Vec<Access> {
    let body = deps.values.body;
    distinct(body, accesses_below(&mut deps.values, op))
}

/// Deduplicates accesses: of two in the same block, which therefore have the same domain, with the
/// same place, one stands for both.
fn distinct(body: &Body, accesses: Vec<Access>) -> Vec<Access> {
    let mut kept: Vec<Access> = Vec::new();
    for access in accesses {
        let same = |other: &&Access| {
            body[other.op].parent() == body[access.op].parent()
                && other.is_write == access.is_write
                && other.update == access.update
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

/// The first conflict of two accesses, but for those of one operation of `apart`.
fn first_conflict(
    deps: &mut Dependences,
    scope: Scope,
    accesses: &[Access],
    apart: &[OpId],
) -> Option<Reason> {
    let body = deps.values.body;
    if let Some(opaque) = accesses.iter().find(|a| a.place == Place::Anything) {
        return Some(Reason::Opaque(body[opaque.op].loc));
    }
    for first in accesses {
        for second in accesses {
            if first.op == second.op && apart.contains(&first.op) {
                continue;
            }
            let dependence = deps.test(scope, first, second);
            if !dependence.is_independent() {
                return Some(Reason::Dependence {
                    accesses: Box::new([first.clone(), second.clone()]),
                    dependence,
                });
            }
        }
    }
    None
}

/// The reason why a loop is sequential, with the distance of the dependence if
/// that is one.
pub fn explained(deps: &mut Dependences, op: OpId, reason: Reason) -> Reason {
    let Reason::Dependence { accesses, .. } = reason else {
        return reason;
    };
    let [first, second] = &*accesses;
    let dependence = deps.explain(Scope::AcrossIterations(op), first, second);
    Reason::Dependence {
        accesses,
        dependence,
    }
}

impl Reason {
    /// Whether it is a dependence that is only not excluded.
    pub fn is_doubt(&self) -> bool {
        match self {
            Reason::Dependence { dependence, .. } => {
                matches!(dependence, Dependence::Dependent { proved: false, .. })
            }
            _ => false,
        }
    }

    /// The remark that begins with `start`, such as "this loop nest runs on the
    /// host", and goes on with this reason.
    pub fn remark(&self, body: &Body, loc: Loc, start: &str) -> Diagnostic {
        match self {
            Reason::KeepsOrder(combine) => {
                let combine = gridloom_dialects::row(*combine).map_or("arith", |def| def.name);
                let message = format!(
                    "{start}: it is a reduction by '{combine}', and strict floats keep its \
                     order; relaxed floats, or fastmath<reassoc>, permit partial results"
                );
                Diagnostic::remark(loc, message)
            }
            Reason::CarriesValues(op) => carried_remark(body, loc, start, *op),
            Reason::Reduces => Diagnostic::remark(
                loc,
                format!(
                    "{start}: it reduces few values, or the partial results of a kernel, to one \
                     that the host needs"
                ),
            ),
            Reason::Opaque(at) => Diagnostic::remark(
                loc,
                format!("{start}: it has an operation with unknown side effects"),
            )
            .with_note(*at, "this operation"),
            Reason::TooLarge(count) => Diagnostic::remark(
                loc,
                format!(
                    "{start}: its {count} accesses are more than the {MAX_ACCESSES} that are compared; split the loop"
                ),
            ),
            Reason::Dependence {
                accesses,
                dependence,
            } => dependence_remark(body, loc, start, accesses, dependence),
        }
    }
}

/// The remark on a loop that carries values. Where the program has none, it has
/// an element that the iterations work on, and a pass has put that into a value:
/// so the notes point at what computes it, and at the element where it stands in
/// the program.
fn carried_remark(body: &Body, loc: Loc, start: &str, op: OpId) -> Diagnostic {
    let message = format!("{start}: each iteration needs what the one before has computed");
    let mut notes: Vec<(Loc, &str)> = Vec::new();
    let is_load = |&op: &OpId| matches!(body[op].name, affine::LOAD | memref::LOAD);
    let is_store = |&op: &OpId| matches!(body[op].name, affine::STORE | memref::STORE);
    let definitions = |of: OpId| {
        let operands = body[of].operands.iter();
        operands.filter_map(|&value| body.defining_op(value))
    };
    notes.extend(
        definitions(op)
            .filter(is_load)
            .map(|load| (body[load].loc, "the first one starts from this element")),
    );
    let last = body
        .region_block(op, 0)
        .and_then(|block| body[block].last());
    notes.extend(
        last.into_iter()
            .flat_map(definitions)
            .map(|computed| (body[computed].loc, "it is computed here")),
    );
    let block = body[op].parent();
    let after = block.into_iter().flat_map(|block| body.ops(block));
    let after = after.skip_while(|&other| other != op).skip(1);
    // A store takes the value first.
    let takes = |&store: &OpId| definitions(store).next() == Some(op);
    notes.extend(
        after
            .filter(is_store)
            .filter(takes)
            .map(|store| (body[store].loc, "what the last one computes is stored here")),
    );
    // The elements of a vector have one place.
    notes.dedup();
    // Operations that a pass made have the loop's location, and show nothing.
    let start = Diagnostic::remark(loc, message);
    let shown = notes
        .into_iter()
        .filter(|(at, _)| *at != loc)
        .take(MAX_NOTES);
    shown.fold(start, |remark, (at, note)| remark.with_note(at, note))
}

/// Most notes of a remark.
const MAX_NOTES: usize = 4;

fn dependence_remark(
    body: &Body,
    loc: Loc,
    start: &str,
    accesses: &[Access; 2],
    dependence: &Dependence,
) -> Diagnostic {
    let tied = "its iterations are ordered by";
    dependence_notes(body, loc, [start, tied], accesses, dependence)
}

/// The remark `start: what … dependence` with notes on both accesses; where the dependence is not
/// proved, why it cannot be excluded.
pub fn dependence_notes(
    body: &Body,
    loc: Loc,
    [start, what]: [&str; 2],
    accesses: &[Access; 2],
    dependence: &Dependence,
) -> Diagnostic {
    let kind = match accesses.each_ref().map(|access| access.is_write) {
        [true, false] => "a flow",
        [false, true] => "an anti",
        _ => "an output",
    };
    let (doubt, distance) = match dependence {
        Dependence::Independent => (None, (None, None)),
        Dependence::Dependent {
            doubt, distance, ..
        } => (*doubt, *distance),
    };
    let distance = match distance {
        (Some(low), Some(high)) if low == high => format!(" of distance {low}"),
        (Some(low), Some(high)) => format!(" of distance {low} to {high}"),
        (Some(low), None) => format!(" of distance {low} or more"),
        _ => String::new(),
    };
    let message = match doubt {
        None => format!("{start}: {what} {kind} dependence{distance}"),
        Some(doubt) => format!(
            "{start}: {kind} dependence between its iterations cannot be excluded, since {}",
            why_not_excluded(doubt)
        ),
    };
    let what = match doubt {
        None => "the same element",
        Some(_) => "what may be the same element",
    };
    let [first, second] = accesses;
    let verb = |access: &Access| if access.is_write { "writes" } else { "reads" };
    let remark = Diagnostic::remark(loc, message)
        .with_note(
            body[first.op].loc,
            format!("an iteration {} here", verb(first)),
        )
        .with_note(
            body[second.op].loc,
            format!("and a later one {} {what} here", verb(second)),
        );
    let unknown = match doubt {
        Some(Doubt::Value(Some(value))) => body.defining_op(value),
        _ => None,
    };
    match unknown {
        Some(op) => remark.with_note(body[op].loc, "the number comes from here"),
        None => remark,
    }
}

/// Explains a doubt in words that need no knowledge of the analysis.
pub fn why_not_excluded(doubt: Doubt) -> &'static str {
    match doubt {
        Doubt::Subscript => {
            "the subscript is not affine: it is no sum of multiples, quotients and remainders of \
             loop counters"
        }
        Doubt::Memory => "both accesses may be to the same memory",
        Doubt::Value(_) => "it depends on a number that is known only when the program runs",
        Doubt::Condition => "it depends on a condition that is not affine",
        Doubt::Effect => "the function called may or may not touch the element",
        Doubt::Wraps => {
            "the index arithmetic may overflow the 64-bit index for some values of its operands"
        }
        Doubt::Budget => {
            "the nest is too large to be analysed: the work allowed for it is used up; split the nest"
        }
    }
}
