//! State of a thread: the values that a loop carries, with what argmin and argmax need beside them,
//! and how two states become one.
//!
//! ```text
//! sum:     %y = addf %left, %right
//! argmax:  %better = cmpf ogt, %right.max, %left.max
//!          %equal  = cmpf oeq, %right.max, %left.max
//!          %nearer = cmpi slt, %right.at, %left.at        // sgt where the last of equal ones counts
//!          each of the group = select(%better or %equal and %nearer, %right, %left)
//! ```
//!
//! `at` is the position: the counters of the levels of the nest in the iteration that was taken. A
//! value taken along that is the counter serves as its own position. Where the order of parts
//! has to stay ([`ArgReduction::is_in_order`]), the state has in place of positions what was
//! best before the first NaN, and parts of adjacent iterations are combined from left to right.
//!
//! All begin with neutral values and position -1. What the nest starts from is held against the
//! extremum of all parts at the end, by the loop's own comparison.

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate, select};
use gridloom_ir::{Body, Builder, Context, IrMapping, Type, Value};

use crate::analysis::arg_reduction::{ArgReduction, Reductions, Ties, placeholder};
use crate::analysis::reduction::Reduction;

/// Layout of a thread's state: the carried values of the loop, then those that are added.
#[derive(Clone, Default)]
pub(in crate::transform) struct State {
    /// Types of all values.
    pub(in crate::transform) types: Vec<Type>,
    /// Number of values that the loop carries itself.
    own: usize,
    /// Values that are combined by themselves.
    alone: Vec<(usize, Reduction)>,
    groups: Vec<Group>,
    /// Whether the loop combines parts already, so that positions are values that it carries.
    is_of_parts: bool,
}

/// An argmin or argmax in a state.
#[derive(Clone)]
struct Group {
    arg: ArgReduction,
    /// Tie-breaking values: those that tell the position, outermost loop first, or, for one whose
    /// order stays, which value was best before NaN.
    beside: Vec<usize>,
}

impl State {
    /// The state of a nest of these loops; `None` if it cannot be told which iteration was taken.
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
        Some(state)
    }

    /// The state that is one value, combined by itself.
    pub(in crate::transform) fn of_one(reduction: Reduction) -> State {
        State {
            types: vec![reduction.ty],
            own: 1,
            alone: vec![(0, reduction)],
            ..State::default()
        }
    }

    /// Adds values of a type.
    fn add(&mut self, ty: Type, count: usize) -> Vec<usize> {
        let from = self.types.len();
        self.types.extend(std::iter::repeat_n(ty, count));
        (from..from + count).collect()
    }

    /// The state of the loop that combines parts of this one.
    pub(super) fn of_parts(&self) -> State {
        State {
            own: self.types.len(),
            is_of_parts: true,
            ..self.clone()
        }
    }

    /// Whether there is nothing to combine.
    pub(super) fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// The number of its values.
    pub(super) fn width(&self) -> usize {
        self.types.len()
    }

    /// Types of the values that the loop carries itself.
    pub(super) fn own_types(&self) -> &[Type] {
        &self.types[..self.own]
    }

    /// Whether threads have to take adjacent iterations, and be combined in their order.
    pub(super) fn is_in_order(&self) -> bool {
        self.groups.iter().any(|group| group.arg.is_in_order())
    }

    /// Whether counters of the nest must not be negative, since -1 stands for no iteration.
    pub(super) fn needs_counters_from_zero(&self) -> bool {
        let mut groups = self.groups.iter();
        groups.any(|group| group.arg.ties == Ties::Last)
    }

    /// Creates the state before any iteration.
    pub(super) fn neutral(&self, b: &mut Builder) -> Vec<Value> {
        let ctx = b.ctx;
        // Of all types: the analysis has asked.
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
        let attrs = attrs.into_iter().zip(&self.types);
        attrs
            .filter_map(|(attr, &ty)| Some(b.constant(attr?, ty)))
            .collect()
    }

    /// Combines the state of earlier iterations, or of any where the order is free, with another.
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
        all
    }

    /// Creates what is added to the carried values at the end of an iteration of the last loop, whose
    /// copy has `names`. `before` is the state that it started from.
    pub(super) fn added(
        &self,
        b: &mut Builder,
        source: &Body,
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
            let (condition, is_taken_if) = match is_compared_in(source, arg, *last) {
                true => (names.value(arg.condition.0), arg.condition.1),
                // Strict: it took something if it found a better one.
                false => {
                    let after = names.value(last.yielded(source)[arg.extremum]);
                    (arg.is_better(b, after, before[arg.extremum]), true)
                }
            };
            let taken: Vec<Value> = match arg.is_in_order() {
                true => vec![names.value(arg.candidate)],
                false => (levels.iter())
                    .map(|l| names.value(l.induction_var(source)))
                    .collect(),
            };
            for (&at, value) in beside.iter().zip(taken) {
                added.push(match is_taken_if {
                    true => select(b, condition, value, before[at]),
                    false => select(b, condition, before[at], value),
                });
            }
        }
        added
    }

    /// Emits the initial state of the loop that combines all parts: values combined by themselves
    /// with what the nest does, the others with none.
    pub(super) fn start(&self, b: &mut Builder, inits: &[Value]) -> Vec<Value> {
        if self.groups.is_empty() || self.is_of_parts {
            return inits.to_vec();
        }
        let mut start = self.neutral(b);
        for &(at, _) in &self.alone {
            start[at] = inits[at];
        }
        start
    }

    /// The results of the nest, by what it starts from and the combined state of all parts.
    pub(super) fn finish(&self, b: &mut Builder, inits: &[Value], state: &[Value]) -> Vec<Value> {
        let mut results = state[..self.own].to_vec();
        if self.is_of_parts {
            return results;
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
    /// Whether the better of two states, of equal ones the one that the loop would keep, is `right`.
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

/// Whether the comparison stands in the body of a loop itself.
fn is_compared_in(body: &Body, arg: &ArgReduction, l: ForOp) -> bool {
    body.value_block(arg.condition.0) == Some(l.block(body))
}
