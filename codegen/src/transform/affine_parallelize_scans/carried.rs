//! The values that the loop of a scan carries, and what a chunk makes of each.
//!
//! A chunk is a function of the values that it starts from. It is summed up by its final values from neutral elements, and by
//! further numbers for some: whether a segment begins in it, its coefficients, or the sum of its terms.

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_ir::body::Uses;
use gridloom_ir::{Attr, Body, Builder, Context, IrMapping, Type, Value};

use super::clamp::ClampedSum;
use super::combine::{Recurrence, recurrence_at};
use super::linear::LinearRecurrence;
use super::scan_loop::slice_without;
use super::steps::needed_for;

/// Carried values that depend on each other, or one that depends on itself alone.
pub(super) struct Carried {
    /// The places of the values among those of the loop.
    pub(super) places: Vec<usize>,
    kind: Kind,
}

enum Kind {
    /// Each iteration combines the only value with a term.
    Combined(Recurrence),
    /// Each iteration makes a linear function of the values.
    Linear(LinearRecurrence),
    /// Each iteration adds to the only value, and bounds it.
    Clamped(ClampedSum),
}

/// Limit of the values that a scan carries.
const MAX_CARRIED: usize = 16;

/// The recurrences of the values that a loop carries. `None` where they are reductions, each of which no other operation
/// looks at.
pub(super) fn recurrences(
    ctx: &Context,
    body: &Body,
    uses: &Uses,
    op: ForOp,
    reassociate: bool,
) -> Option<Vec<Carried>> {
    if op.iter_args(body).len() > MAX_CARRIED {
        return None;
    }
    let groups = mutually_dependent(body, op).into_iter();
    let all = groups.map(|places| Carried::of(ctx, body, op, places, reassociate));
    let all: Vec<Carried> = all.collect::<Option<_>>()?;
    let is_scan = |found: &Carried| match &found.kind {
        Kind::Combined(combined) => {
            let place = found.places[0];
            let (acc, next) = (op.iter_args(body)[place], op.yielded(body)[place]);
            uses.of(acc).len() > combined.own_uses || uses.of(next).len() > 1
        }
        Kind::Linear(_) | Kind::Clamped(_) => true,
    };
    all.iter().any(is_scan).then_some(all)
}

/// For each place of a carried value, whether it has a recurrence, alone or with others; for none where there are more
/// values than a scan carries.
pub(in crate::transform) fn recurring_places(
    ctx: &Context,
    body: &Body,
    op: ForOp,
    reassociate: bool,
) -> Vec<bool> {
    let mut found = vec![false; op.iter_args(body).len()];
    if found.len() > MAX_CARRIED {
        return found;
    }
    for places in mutually_dependent(body, op) {
        let carried = Carried::of(ctx, body, op, places, reassociate);
        for place in carried.into_iter().flat_map(|carried| carried.places) {
            found[place] = true;
        }
    }
    found
}

/// The places of the values that a loop carries, those together whose next values depend on each other.
fn mutually_dependent(body: &Body, op: ForOp) -> Vec<Vec<usize>> {
    let args = op.iter_args(body);
    let places = 0..args.len();
    let mut reached: Vec<Vec<bool>> = (op.yielded(body).iter())
        .map(|&next| {
            let found = needed_for(body, op, &[next]);
            args.iter().map(|arg| found.contains(arg)).collect()
        })
        .collect();
    for through in places.clone() {
        let further = reached[through].clone();
        for from in reached.iter_mut().filter(|from| from[through]) {
            from.iter_mut()
                .zip(&further)
                .for_each(|(is_reached, &is_further)| *is_reached |= is_further);
        }
    }
    let are_tied = |a: usize, b: usize| a == b || reached[a][b] && reached[b][a];
    let is_first = |&place: &usize| !(0..place).any(|other| are_tied(place, other));
    let firsts = places.clone().filter(is_first);
    firsts
        .map(|first| {
            places
                .clone()
                .filter(|&place| are_tied(first, place))
                .collect()
        })
        .collect()
}

/// The recurrence of one value, if its terms do not depend on it.
fn combined(
    ctx: &Context,
    body: &Body,
    op: ForOp,
    place: usize,
    reassociate: bool,
) -> Option<Recurrence> {
    let combined = recurrence_at(ctx, body, op, place, reassociate)?;
    let acc = op.iter_args(body)[place];
    slice_without(body, op, &combined.inputs(), &[acc]).map(|_| combined)
}

impl Carried {
    fn of(
        ctx: &Context,
        body: &Body,
        op: ForOp,
        places: Vec<usize>,
        reassociate: bool,
    ) -> Option<Carried> {
        let linear = || LinearRecurrence::of(ctx, body, op, &places, reassociate);
        let kind = match places[..] {
            [place] => match combined(ctx, body, op, place, reassociate) {
                Some(combined) => Kind::Combined(combined),
                None => match ClampedSum::of(ctx, body, op, place, reassociate) {
                    // A product with 0 or 1 would not keep the sign of a zero.
                    Some(clamped) if clamped.only_chooses_floats => Kind::Clamped(clamped),
                    clamped => (linear().map(Kind::Linear)).or(clamped.map(Kind::Clamped))?,
                },
            },
            _ => Kind::Linear(linear()?),
        };
        Some(Carried { places, kind })
    }

    /// The recurrence, if it combines one value with a term, and nothing starts anew.
    pub(super) fn unsegmented(&self) -> Option<&Recurrence> {
        match &self.kind {
            Kind::Combined(combined) if combined.reset.is_none() => Some(combined),
            _ => None,
        }
    }

    /// The values of an iteration that the next ones are computed from, besides these.
    pub(super) fn inputs(&self) -> Vec<Value> {
        match &self.kind {
            Kind::Combined(combined) => combined.inputs(),
            Kind::Linear(linear) => linear.steps.inputs.clone(),
            Kind::Clamped(clamped) => clamped.steps.inputs.clone(),
        }
    }

    /// Emits the next values of an iteration, given the copies of the loop's values.
    pub(super) fn step(&self, b: &mut Builder, values: &[Value], names: &IrMapping) -> Vec<Value> {
        match &self.kind {
            Kind::Combined(combined) => vec![combined.step(b, values[0], names)],
            Kind::Linear(linear) => linear.step(b, values, names),
            Kind::Clamped(clamped) => vec![clamped.step(b, values[0], names)],
        }
    }

    /// The numbers that sum up a chunk, by type and value for one without iterations.
    pub(super) fn empty_summary(&self, ctx: &Context) -> Vec<(Type, Attr)> {
        match &self.kind {
            Kind::Combined(combined) => {
                let flag = ctx.int_type(32);
                let flag = combined.reset.map(|_| (flag, ctx.int_attr(flag, 0)));
                [(combined.ty, combined.neutral)]
                    .into_iter()
                    .chain(flag)
                    .collect()
            }
            Kind::Linear(linear) => linear.empty_summary(),
            Kind::Clamped(clamped) => clamped.empty_summary(),
        }
    }

    /// Emits the summary behind an iteration, from that before it.
    pub(super) fn summed_up(
        &self,
        b: &mut Builder,
        summary: &[Value],
        names: &IrMapping,
    ) -> Vec<Value> {
        match &self.kind {
            Kind::Combined(combined) => {
                let next = combined.step(b, summary[0], names);
                let flag = combined.reset.map(|reset| {
                    let one = int_constant(b, 1);
                    reset.flag(b, summary[1], one, |value| names.value(value))
                });
                [next].into_iter().chain(flag).collect()
            }
            Kind::Linear(linear) => linear.summed_up(b, summary, names),
            Kind::Clamped(clamped) => clamped.summed_up(b, summary, names),
        }
    }

    /// Emits the final values of a chunk, from its initial values and its summary.
    pub(super) fn applied(
        &self,
        b: &mut Builder,
        initial: &[Value],
        summary: &[Value],
    ) -> Vec<Value> {
        match &self.kind {
            Kind::Combined(combined) => {
                let mut last = combined.combined(b, initial[0], summary[0]);
                if combined.reset.is_some() {
                    let zero = int_constant(b, 0);
                    let has_begun = CmpIOp::create(b, CmpIPredicate::Ne, summary[1], zero);
                    last = arith::select(b, has_begun, summary[0], last);
                }
                vec![last]
            }
            Kind::Linear(linear) => linear.applied(b, initial, summary),
            Kind::Clamped(clamped) => vec![clamped.applied(b, initial[0], summary)],
        }
    }

    /// Emits whether the final values of a chunk that follow from its summary are as exact as those of the loop; `None` where
    /// they always are.
    pub(super) fn is_exact_enough(
        &self,
        b: &mut Builder,
        initial: &[Value],
        summary: &[Value],
        last: &[Value],
    ) -> Option<Value> {
        match &self.kind {
            Kind::Combined(_) => None,
            Kind::Linear(linear) => linear.is_exact_enough(b, summary, last),
            Kind::Clamped(clamped) => clamped.is_exact_enough(b, initial[0], summary, last[0]),
        }
    }
}

/// Emits a number of 32 bits.
fn int_constant(b: &mut Builder, number: i64) -> Value {
    let ty = b.ctx.int_type(32);
    let attr = b.ctx.int_attr(ty, number);
    b.constant(attr, ty)
}
