//! Parallelism analysis: which loops may run their iterations in any order.
//!
//! A loop is parallel if no value goes from one iteration to the next and no two iterations touch one element, one of them
//! writing (a loop-carried dependence):
//!
//! ```text
//! affine.for %i … { x[2 * i] = y[i] }           parallel
//! affine.for %i … { x[i] = x[i - 1] }           sequential: a flow dependence of distance 1
//! affine.for %i … iter_args(%s = %z) { … }      sequential: carries a value, perhaps a reduction
//! ```
//!
//! The accesses of a loop are compared pair by pair by the dependence test ([`dependence`](super::dependence)); a pair whose
//! test is unknown makes the loop sequential. A [`Verdict`] that says so keeps the pair, as remarks and `explain` show it.

use gridloom_dialects::{affine, cf};
use gridloom_ir::{Body, Diagnostic, Loc, OpId, OpName, Value};

use super::access::{Access, Place, accesses_below};
use super::alias::Root;
use super::bundle::bundled;
use super::dependence::{Dependence, Dependences, Doubt, Scope};
use super::load_store::{is_load, is_store};
use super::opaque::Opaque;
use crate::analysis::loop_kind::is_counted_loop;

/// Verdict on a loop: parallel or sequential.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The iterations are independent.
    Parallel,
    /// The iterations depend on each other, or independence is not proved.
    Sequential(Reason),
}

/// Reason why a loop is sequential.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The loop hands values from one iteration to the next.
    CarriesValues(OpId),
    /// The loop takes values from the first iteration that meets a condition, by an operation that may be undefined in
    /// others that meet it.
    TakesUnsafe(OpId, OpId),
    /// The loop carries a reduction by this operation on floats, whose order has to be kept.
    KeepsOrder(OpName),
    /// The loop carries a reduction too small to be worth partial results.
    Reduces,
    /// The loop carries a scan too short to be worth partial results.
    ShortScan,
    /// The loop carries a scan of floats, whose order has to be kept.
    OrderedScan,
    /// Accesses of different iterations touch one element, or may.
    Dependence {
        /// The earlier access and the later one.
        accesses: Box<[Access; 2]>,
        /// Result of the dependence test.
        dependence: Dependence,
    },
    /// The loop has an operation of unknown effects.
    Opaque(Opaque),
    /// The loop has this many accesses that are not a constant apart, more than the analysis compares with each other.
    TooLarge(usize),
}

/// Limit of the accesses of a loop. Their number is squared to compare them; where a loop has more, those a constant apart
/// are compared as one, and it stays sequential if that is not enough.
pub const MAX_ACCESSES: usize = 300;

impl Verdict {
    /// Whether iterations are independent.
    pub fn is_parallel(&self) -> bool {
        *self == Verdict::Parallel
    }
}

/// Verdict on a loop, from all accesses that it runs. `affine.parallel` is parallel by definition,
/// unless it reduces.
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

/// Loop-carried dependence through memory, apart from the order among assertions: a failed assertion
/// ends the run, and nothing sees what other iterations have stored by then.
fn conflict_beside_assertions(deps: &mut Dependences, op: OpId) -> Option<Reason> {
    let body = deps.values.body;
    conflict_among(deps, op, |access| body[access.op].name != cf::ASSERT)
}

/// Loop-carried dependence through memory of a plain loop, whatever values it carries.
pub fn conflict_in_memory(deps: &mut Dependences, op: OpId) -> Option<Reason> {
    conflict_without(deps, op, &[])
}

/// Like [`conflict_in_memory`], ignoring accesses to the memory of `allocations`.
pub fn conflict_without(deps: &mut Dependences, op: OpId, allocations: &[Value]) -> Option<Reason> {
    conflict_among(deps, op, |access| match access.place {
        Place::Element { root, .. } | Place::Somewhere(root) => {
            !matches!(root, Root::Value(value) if allocations.contains(&value))
        }
        Place::Anything => true,
    })
}

/// Like [`conflict_in_memory`], where stores in `apart` are known to write different elements in
/// different iterations.
pub fn conflict_apart(deps: &mut Dependences, op: OpId, apart: &[OpId]) -> Option<Reason> {
    conflict_between(deps, op, |_| true, apart)
}

/// Like [`conflict_apart`], ignoring the accesses of the operations `ignored`.
pub fn conflict_beside(
    deps: &mut Dependences,
    op: OpId,
    ignored: &[OpId],
    apart: &[OpId],
) -> Option<Reason> {
    conflict_between(deps, op, |access| !ignored.contains(&access.op), apart)
}

/// Loop-carried dependence among the accesses for which `counts` holds.
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
    if !is_counted_loop(body, op) {
        return Some(Reason::Opaque(Opaque::new(&deps.values, op)));
    }
    let mut accesses = accesses_below(&mut deps.values, op);
    accesses.retain(counts);
    conflict_of(deps, op, accesses, apart)
}

/// Loop-carried dependence among these accesses of a plain loop, where stores in `apart` are known to write different
/// elements in different iterations. Accesses that are too many to be compared with each other are bundled.
pub fn conflict_of(
    deps: &mut Dependences,
    op: OpId,
    accesses: Vec<Access>,
    apart: &[OpId],
) -> Option<Reason> {
    let mut accesses = distinct(deps.values.body, accesses);
    if accesses.len() > MAX_ACCESSES {
        accesses = bundled(&mut deps.values, accesses, apart);
    }
    if accesses.len() > MAX_ACCESSES {
        return Some(Reason::TooLarge(accesses.len()));
    }
    first_conflict(deps, Scope::AcrossIterations(op), &accesses, apart)
}

/// Whether iterations of the nest `root` that differ in the counter of `by` never conflict: then
/// `by` can be the outermost loop of the nest, and parallel.
pub fn is_free(deps: &mut Dependences, root: OpId, by: OpId, accesses: &[Access]) -> bool {
    let scope = Scope::AcrossNest { root, by };
    first_conflict(deps, scope, accesses, &[]).is_none()
}

/// The accesses of a loop without duplicates.
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

/// The first dependence between two accesses, ignoring pairs of one operation in `apart`. A dependence on an operation
/// of a whole buffer, such as the copy of `affine-node-splitting`, is given only where there is no other, as it says less.
fn first_conflict(
    deps: &mut Dependences,
    scope: Scope,
    accesses: &[Access],
    apart: &[OpId],
) -> Option<Reason> {
    if let Some(opaque) = Opaque::among(&deps.values, accesses) {
        return Some(Reason::Opaque(opaque));
    }
    let mut of_whole = None;
    for first in accesses {
        for second in accesses {
            if first.op == second.op && apart.contains(&first.op) {
                continue;
            }
            let dependence = deps.test(scope, first, second);
            let is_of_whole = dependence.is_by(Doubt::Elements);
            if dependence.is_independent() || is_of_whole && of_whole.is_some() {
                continue;
            }
            let reason = Reason::Dependence {
                accesses: Box::new([first.clone(), second.clone()]),
                dependence,
            };
            match is_of_whole {
                true => of_whole = Some(reason),
                false => return Some(reason),
            }
        }
    }
    of_whole
}

/// The reason why a loop is sequential, with the dependence distance if it is a dependence.
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
    /// Whether the reason is a dependence that was not proved, only not excluded.
    pub fn is_doubt(&self) -> bool {
        match self {
            Reason::Dependence { dependence, .. } => {
                matches!(dependence, Dependence::Dependent { proved: false, .. })
            }
            _ => false,
        }
    }

    /// Remark that begins with `start`, such as "this loop nest runs on the host", and states this
    /// reason.
    pub fn remark(&self, body: &Body, loc: Loc, start: &str) -> Diagnostic {
        match self {
            Reason::KeepsOrder(combine) => {
                let combine = gridloom_dialects::signature(*combine).map_or("arith", |op| op.name);
                let message = format!(
                    "{start}: it is a reduction by '{combine}', and strict floats keep its \
                     order; relaxed floats, or fastmath<reassoc>, permit partial results"
                );
                Diagnostic::remark(loc, message)
            }
            Reason::CarriesValues(op) => carried_remark(body, loc, start, *op),
            Reason::TakesUnsafe(op, by) => {
                let mut remark = carried_remark(body, loc, start, *op);
                remark.message.push_str(
                    ", since what it takes from the first one that meets a condition may be undefined in others that \
                     meet it",
                );
                let note = "which computes it here";
                remark.with_note(body[*by].loc, note).with_help(TAKE_ANYWAY)
            }
            Reason::Reduces => Diagnostic::remark(
                loc,
                format!(
                    "{start}: it is a reduction that is too short for a kernel, and the host needs its result"
                ),
            ),
            Reason::ShortScan => Diagnostic::remark(
                loc,
                format!("{start}: it is a scan that is too short for kernels"),
            ),
            Reason::OrderedScan => Diagnostic::remark(
                loc,
                format!(
                    "{start}: it is a scan of floats, and strict floats keep its order; relaxed floats, or \
                     fastmath<reassoc>, permit partial results"
                ),
            ),
            Reason::Opaque(opaque) => opaque.remark(loc, &format!("{start}: it has")),
            Reason::TooLarge(count) => Diagnostic::remark(
                loc,
                format!(
                    "{start}: it has {count} accesses, and dependences are computed between at \
                     most {MAX_ACCESSES}; split the loop"
                ),
            ),
            Reason::Dependence {
                accesses,
                dependence,
            } => dependence_remark(body, loc, start, accesses, dependence),
        }
    }
}

/// Remark on a loop that carries values. Where the program itself carries none, scalar replacement
/// has turned an element that all iterations update into a value: so the notes point at the
/// operation that computes it, and at the program's accesses of the element.
fn carried_remark(body: &Body, loc: Loc, start: &str, op: OpId) -> Diagnostic {
    let message = format!("{start}: each iteration needs the result of the previous one");
    let mut notes: Vec<(Loc, &str)> = Vec::new();
    let is_load = |&op: &OpId| is_load(body, op);
    let is_store = |&op: &OpId| is_store(body, op);
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
    // The first use of the stored value is the store.
    let takes = |&store: &OpId| definitions(store).next() == Some(op);
    notes.extend(
        after
            .filter(is_store)
            .filter(takes)
            .map(|store| (body[store].loc, "what the last one computes is stored here")),
    );
    // The elements of a vector share one location.
    notes.dedup();
    // Operations made by a pass have the loop's location, so a note on them shows nothing.
    let start = Diagnostic::remark(loc, message);
    let shown = notes
        .into_iter()
        .filter(|(at, _)| *at != loc)
        .take(MAX_NOTES);
    shown.fold(start, |remark, (at, note)| remark.with_note(at, note))
}

/// Advice for what is computed in one iteration only.
const TAKE_ANYWAY: &str = "compute it in front of the condition, or give the memrefs sizes that prove the access in range";

/// Limit of the notes of a remark.
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
    let [first, second] = accesses;
    let verb = match first.is_write {
        true => "writes",
        false => "reads",
    };
    let later = match (doubt, second.is_write) {
        (None, true) => "writes",
        (None, false) => "reads",
        (Some(_), true) => "may write",
        (Some(_), false) => "may read",
    };
    let remark = Diagnostic::remark(loc, message)
        .with_note(body[first.op].loc, format!("an iteration {verb} here"))
        .with_note(
            body[second.op].loc,
            format!("and a later one {later} the same element here"),
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

/// Explains a doubt in plain words, for readers who do not know the analysis.
pub fn why_not_excluded(doubt: Doubt) -> &'static str {
    match doubt {
        Doubt::Subscript => {
            "the subscript is not affine: it is not a sum of multiples of loop counters and of \
             quotients and remainders by constants"
        }
        Doubt::Layout => {
            "the layout of a memref leaves open whether different subscripts are different elements: \
             its strides are known only when the program runs, or a view of it is not analyzed"
        }
        Doubt::Elements => "an operation touches elements that are not told apart, such as a copy",
        Doubt::Opaque => "the effects of the operation are not known",
        Doubt::Memory => "both accesses may be to the same memory",
        Doubt::Value(_) => "it depends on a number that is known only when the program runs",
        Doubt::Condition => "it depends on a condition or a loop bound that is not affine",
        Doubt::Effect => "the function called may or may not touch the element",
        Doubt::Wraps => {
            "the index arithmetic may overflow the 64-bit index for some values of its operands"
        }
        Doubt::Budget => {
            "the dependence analysis of this nest exceeded its limit of work; split the nest"
        }
    }
}
