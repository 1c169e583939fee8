//! Reduction state of a thread: the values that a loop carries, with the positions that argmin and
//! argmax need, and the combination of two states.
//!
//! ```text
//! sum:     %y = addf %left, %right
//! argmax:  %better = cmpf ogt, %right.max, %left.max
//!          %equal  = cmpf oeq, %right.max, %left.max
//!          %nearer = cmpi slt, %right.at, %left.at        // sgt where the last of equal ones counts
//!          each of the group = select(%better or %equal and %nearer, %right, %left)
//! ```
//!
//! `at` is the position: the counters of the nest's loops in the selected iteration. A selected
//! value that is the counter serves as its own position. Where the order of parts has to be kept
//! ([`ArgReduction::is_in_order`]), the state has in place of positions what was best before the
//! first NaN, and parts of adjacent iterations are combined from left to right.
//!
//! [Record reductions](crate::analysis::record_reduction) combine by their own iteration (`records.rs`).
//!
//! All states begin with neutral values and position -1. At the end, the loop's own comparison
//! compares the nest's initial values with the extremum of all parts.

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate, select};
use gridloom_ir::{Body, Builder, Context, IrMapping, Type, Value};

use super::records::{Records, mark_type};
use super::row_sharing::may_be_shared;
use crate::analysis::arg_reduction::{ArgReduction, Reductions, Ties, placeholder};
use crate::analysis::reduction::{Reduction, reduction_nest};

/// Layout of a thread's state: the carried values of the loop, then the added ones.
#[derive(Clone, Default)]
pub(in crate::transform) struct State {
    /// Types of all values.
    pub(in crate::transform) types: Vec<Type>,
    /// Number of values that the loop carries itself.
    own: usize,
    /// Values that are ordinary reductions, by position.
    alone: Vec<(usize, Reduction)>,
    groups: Vec<Group>,
    records: Vec<Records>,
    /// Whether the loop combines partial results already, so that positions are carried values.
    is_of_parts: bool,
}

/// An argmin or argmax in a state.
#[derive(Clone)]
struct Group {
    arg: ArgReduction,
    /// Tie-breaking values: those of the position, outermost loop first; for a reduction that keeps
    /// its order, the best values before NaN.
    beside: Vec<usize>,
}

impl State {
    /// Whether workgroup memory can hold the states of threads on every device.
    pub(super) fn may_be_shared(&self, ctx: &Context) -> bool {
        let index = ctx.index_type();
        let mut types = self.types.iter();
        types.all(|&ty| ty == index || may_be_shared(ctx, ty))
    }

    /// The state of a nest of these loops; `None` if it cannot express which iteration was
    /// selected.
    pub(super) fn of(
        ctx: &Context,
        body: &Body,
        levels: &[ForOp],
        reductions: Reductions,
    ) -> Option<State> {
        let (root, last) = (levels.first()?, levels.last()?);
        let args = root.iter_args(body);
        let mut state = State {
            types: args.iter().map(|&arg| body.ty(arg)).collect(),
            own: args.len(),
            alone: reductions.alone,
            groups: Vec::new(),
            records: Vec::new(),
            is_of_parts: false,
        };
        for arg in reductions.args {
            let is_here = is_compared_in(body, &arg, *last);
            if !is_here && (arg.is_in_order() || arg.ties == Ties::Last) {
                return None;
            }
            let beside = match (arg.is_in_order(), arg.counter) {
                (true, _) => state.add(arg.ty, 1),
                (false, Some(at)) if is_here && levels.len() == 1 => vec![at],
                (false, _) => state.add(ctx.index_type(), levels.len()),
            };
            state.groups.push(Group { arg, beside });
        }
        for reduction in reductions.records {
            // A loop inside of the last one may have no iteration, and so no record.
            let is_here = reduction.mark.is_none() || reduction_nest(ctx, body, *last).len() == 1;
            let added = reduction.mark.map(|_| state.add(mark_type(ctx), 1));
            let mark = is_here.then(|| added.and_then(|at| at.first().copied()))?;
            state.records.push(Records { reduction, mark });
        }
        Some(state)
    }

    /// The state of a single reduction.
    pub(in crate::transform) fn of_one(reduction: Reduction) -> State {
        State {
            types: vec![reduction.ty],
            own: 1,
            alone: vec![(0, reduction)],
            ..State::default()
        }
    }

    /// Adds `count` values of a type. Returns their positions.
    fn add(&mut self, ty: Type, count: usize) -> Vec<usize> {
        let from = self.types.len();
        self.types.extend(std::iter::repeat_n(ty, count));
        (from..from + count).collect()
    }

    /// The state of the loop that combines partial results of this one.
    pub(super) fn of_parts(&self) -> State {
        State {
            own: self.types.len(),
            is_of_parts: true,
            ..self.clone()
        }
    }

    /// Whether the state has no values.
    pub(super) fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// Number of values of the state.
    pub(super) fn width(&self) -> usize {
        self.types.len()
    }

    /// Types of the values that the loop carries itself.
    pub(super) fn own_types(&self) -> &[Type] {
        &self.types[..self.own]
    }

    /// Whether each thread has to take adjacent iterations, and partial results are combined in
    /// their order.
    pub(super) fn is_in_order(&self) -> bool {
        self.groups.iter().any(|group| group.arg.is_in_order())
            || self.records.iter().any(|one| one.reduction.is_in_order)
    }

    /// Whether counters of the nest must not be negative, since -1 stands for no iteration.
    pub(super) fn needs_counters_from_zero(&self) -> bool {
        let mut groups = self.groups.iter();
        groups.any(|group| group.arg.ties == Ties::Last)
    }

    /// Emits the state before any iteration.
    pub(super) fn neutral(&self, b: &mut Builder) -> Vec<Value> {
        let ctx = b.ctx;
        // The analysis has checked that all types have placeholders.
        let mut attrs: Vec<_> = (self.types.iter().map(|&ty| placeholder(ctx, ty))).collect();
        for (at, reduction) in &self.alone {
            attrs[*at] = Some(reduction.neutral);
        }
        for Group { arg, beside } in &self.groups {
            attrs[arg.extremum] = Some(arg.neutral);
            for &at in beside {
                attrs[at] = Some(match arg.is_in_order() {
                    true => arg.neutral,
                    false => ctx.index_attr(-1),
                });
            }
        }
        for Records { reduction, mark } in &self.records {
            for (&slot, &neutral) in reduction.slots.iter().zip(&reduction.neutral) {
                attrs[slot] = Some(neutral);
            }
            if let Some(mark) = *mark {
                attrs[mark] = Some(ctx.int_attr(mark_type(ctx), 0));
            }
        }
        let attrs = attrs.into_iter().zip(&self.types);
        attrs
            .filter_map(|(attr, &ty)| Some(b.constant(attr?, ty)))
            .collect()
    }

    /// Emits the combination of two states; `left` is that of earlier iterations where order
    /// matters.
    pub(super) fn combine(&self, b: &mut Builder, left: &[Value], right: &[Value]) -> Vec<Value> {
        let mut all = left.to_vec();
        for (at, reduction) in &self.alone {
            all[*at] = b.binary(reduction.combine, left[*at], right[*at]);
        }
        for group in &self.groups {
            let (arg, at) = (&group.arg, group.arg.extremum);
            let take = match arg.is_in_order() {
                true => arg.is_better(b, right[group.beside[0]], left[at]),
                false => group.is_preferred(b, left, right),
            };
            let others = group.beside.iter().filter(|at| !arg.taken.contains(at));
            for &at in arg.taken.iter().chain(others) {
                all[at] = select(b, take, right[at], left[at]);
            }
            all[at] = arg.combined(b, take, right[at], left[at]);
        }
        for records in &self.records {
            records.combine(b, left, right, &mut all);
        }
        all
    }

    /// Emits the added values at the end of an iteration of the last loop, whose clone has `names`.
    /// `before` is the state at its start.
    pub(super) fn added(
        &self,
        b: &mut Builder,
        levels: &[ForOp],
        before: &[Value],
        names: &IrMapping,
    ) -> Vec<Value> {
        let mut added = Vec::new();
        let (Some(last), true) = (levels.last(), self.own < self.width()) else {
            return added;
        };
        for Group { arg, beside } in &self.groups {
            if beside[0] < self.own {
                continue;
            }
            let (condition, is_taken_if) = match is_compared_in(b.body, arg, *last) {
                true => (names.value(arg.condition.0), arg.condition.1),
                // The comparison is strict: it selected the candidate if that was better.
                false => {
                    let after = names.value(last.yielded(b.body)[arg.extremum]);
                    (arg.is_better(b, after, before[arg.extremum]), true)
                }
            };
            let taken: Vec<Value> = match arg.is_in_order() {
                true => vec![names.value(arg.candidate)],
                false => (levels.iter())
                    .map(|l| names.value(l.induction_var(b.body)))
                    .collect(),
            };
            for (&at, value) in beside.iter().zip(taken) {
                added.push(match is_taken_if {
                    true => select(b, condition, value, before[at]),
                    false => select(b, condition, before[at], value),
                });
            }
        }
        for records in &self.records {
            added.extend(records.marked(b, before, names));
        }
        added
    }

    /// Emits the initial state of the loop that combines all parts: ordinary reductions start from
    /// the nest's initial values, the others from neutral ones.
    pub(super) fn start(&self, b: &mut Builder, inits: &[Value]) -> Vec<Value> {
        if self.groups.is_empty() && self.records.is_empty() || self.is_of_parts {
            return inits.to_vec();
        }
        let mut start = self.neutral(b);
        for &(at, _) in &self.alone {
            start[at] = inits[at];
        }
        start
    }

    /// Emits the results of the nest from its initial values and the combined state of all parts.
    pub(super) fn finish(&self, b: &mut Builder, inits: &[Value], state: &[Value]) -> Vec<Value> {
        let mut results = state[..self.own].to_vec();
        if self.is_of_parts {
            return results;
        }
        for records in &self.records {
            // The initial values are an earlier state; its mark does not count.
            let mut earlier = inits.to_vec();
            earlier.extend_from_slice(&state[self.own..]);
            let mut all = state.to_vec();
            records.combine(b, &earlier, state, &mut all);
            for &slot in &records.reduction.slots {
                results[slot] = all[slot];
            }
        }
        for group in &self.groups {
            let (arg, at) = (&group.arg, group.arg.extremum);
            let take = match (arg.is_in_order(), arg.ties) {
                (true, _) => arg.is_better(b, state[group.beside[0]], inits[at]),
                (false, Ties::First) => arg.is_better(b, state[at], inits[at]),
                (false, Ties::Last) => {
                    let better = arg.is_better(b, state[at], inits[at]);
                    let equal = arg.is_equal(b, state[at], inits[at]);
                    let none = b.index_constant(0);
                    let found = state[group.beside[0]];
                    let found = CmpIOp::create(b, CmpIPredicate::Sge, found, none);
                    let alike = b.binary(arith::ANDI, equal, found);
                    b.binary(arith::ORI, better, alike)
                }
            };
            for &at in &arg.taken {
                results[at] = select(b, take, state[at], inits[at]);
            }
            results[at] = arg.combined(b, take, state[at], inits[at]);
        }
        results
    }
}

impl Group {
    /// Emits whether `right` is the preferred one of two states: the better one, or of equal ones
    /// the one that the loop would keep.
    fn is_preferred(&self, b: &mut Builder, left: &[Value], right: &[Value]) -> Value {
        let (arg, at) = (&self.arg, self.arg.extremum);
        let nearer = match arg.ties {
            Ties::First => CmpIPredicate::Slt,
            Ties::Last => CmpIPredicate::Sgt,
        };
        let better = arg.is_better(b, right[at], left[at]);
        let equal = arg.is_equal(b, right[at], left[at]);
        let mut before = None;
        for &at in self.beside.iter().rev() {
            let is_nearer = CmpIOp::create(b, nearer, right[at], left[at]);
            before = Some(match before {
                None => is_nearer,
                Some(inner) => {
                    let is_same = CmpIOp::create(b, CmpIPredicate::Eq, right[at], left[at]);
                    let inner = b.binary(arith::ANDI, is_same, inner);
                    b.binary(arith::ORI, is_nearer, inner)
                }
            });
        }
        match before {
            Some(before) => {
                let alike = b.binary(arith::ANDI, equal, before);
                b.binary(arith::ORI, better, alike)
            }
            None => better,
        }
    }
}

/// Whether the comparison stands directly in the body of a loop.
fn is_compared_in(body: &Body, arg: &ArgReduction, l: ForOp) -> bool {
    body.value_block(arg.condition.0) == Some(l.block(body))
}
