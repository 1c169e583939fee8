//! Numbers of iterations: an ascending number for each iteration of a nest, and nests that begin anew.

use gridloom_dialects::affine::{ApplyOp, ForOp};
use gridloom_dialects::arith;
use gridloom_ir::{Builder, Value};

use super::group::Group;
use super::selection::{Finder, comparison};
use crate::analysis::arg_reduction::arg_reductions_of;
use crate::analysis::dependence::Dependences;
use crate::analysis::interval::Interval;
use crate::analysis::reduction::reduction_at;

/// Limit of the numbers, far from those of no iteration.
const MAX_NUMBER: i128 = 1 << 62;

/// Numbers of a nest's iterations: the sum of the counters, each times its scale.
///
/// Where `least ≤ j ≤ most` for an inner counter, the outer one's scale is `most - least + 1` times that of the inner
/// one, so that the numbers ascend in the order of the iterations.
pub(super) struct Order {
    scales: Vec<i64>,
}

impl Order {
    /// The order of a nest's iterations; [`None`] where the counters are not known to be small enough for numbers
    /// of 64 bits. A single loop's counter is its own number: below the greatest one, which stands for no iteration
    /// among first ones, and where last ones are taken it has to be above the least one.
    pub(super) fn of(deps: &mut Dependences, nest: &[ForOp], groups: &[Group]) -> Option<Order> {
        if let [only] = nest {
            let counter = only.induction_var(deps.values.body);
            let takes_last = groups.iter().any(|group| group.tests.is_empty());
            let may_be_least =
                deps.values.integer_interval(counter).least <= Interval::MACHINE.least;
            return (!takes_last || !may_be_least).then(|| Order { scales: vec![1] });
        }
        let (mut scales, mut scale, mut reach) = (Vec::new(), 1i128, 0i128);
        for l in nest.iter().rev() {
            scales.push(i64::try_from(scale).ok()?);
            let counter = l.induction_var(deps.values.body);
            let interval = deps.values.integer_interval(counter);
            let size = interval.least.abs().max(interval.most.abs());
            reach = reach.checked_add(size.checked_mul(scale)?)?;
            scale = scale.checked_mul(interval.most - interval.least + 1)?;
            if reach >= MAX_NUMBER || scale >= MAX_NUMBER {
                return None;
            }
        }
        scales.reverse();
        Some(Order { scales })
    }

    /// Emits the number of an iteration.
    pub(super) fn number(&self, b: &mut Builder, nest: &[ForOp]) -> Value {
        let counters: Vec<Value> = nest.iter().map(|l| l.induction_var(b.body)).collect();
        if let [counter] = counters[..] {
            return counter;
        }
        let ctx = b.ctx;
        let mut sum = ctx.affine_const(0);
        for (at, &scale) in (0u32..).zip(&self.scales) {
            let term = ctx.affine_mul(ctx.affine_dim(at), ctx.affine_const(scale));
            sum = ctx.affine_add(sum, term);
        }
        // A nest has few loops.
        let map = ctx.affine_map(u32::try_from(counters.len()).unwrap_or_default(), 0, &[sum]);
        ApplyOp::create(b, map, &counters)
    }
}

/// Loop that hands its carried values to a nest, which can begin without them.
pub(super) struct Handed {
    pub(super) around: ForOp,
    /// The position among the values that the loop around carries, by the position among those of the nest.
    pub(super) places: Vec<Option<usize>>,
}

impl Handed {
    /// Whether a nest may begin anew in each iteration of the loop around: nothing else there uses what the groups
    /// select, tests that the loop would make can be told to fail, and everything else that it carries reduces.
    pub(super) fn of(finder: &Finder<'_>, groups: &[Group]) -> Option<Handed> {
        let (ctx, body, root) = (finder.ctx, finder.body, finder.root);
        let around = ForOp::cast(body, body.parent_op(root.0)?)?;
        let (args, yielded) = (around.iter_args(body), around.yielded(body));
        let inits = root.inits(ctx, body);
        let place = |at: usize| {
            let place = args.iter().position(|&arg| arg == inits[at])?;
            let result = body[root.0].result(at);
            let is_only = |value: Value| finder.uses.of(value).len() == 1;
            let is_handed = yielded[place] == result && is_only(result) && is_only(args[place]);
            is_handed.then_some(place)
        };
        let mut places = vec![None; inits.len()];
        for group in groups {
            for member in &group.members {
                places[member.at] = Some(place(member.at)?);
            }
            let is_known = group.tests.iter().all(|&test| {
                let tested = groups.iter().find_map(|group| group.member(test.at));
                let is_constant = |value: Value| arith::constant_value(ctx, body, value).is_some();
                let carried = finder.op.iter_args(body)[test.at];
                let limit = comparison(ctx, body, test, carried).map(|(_, limit)| limit);
                tested.is_some_and(|member| member.value.is_none_or(is_constant))
                    && limit.is_none_or(|limit| {
                        is_constant(limit) || !body.is_defined_in(limit, around.0)
                    })
            });
            if !is_known {
                return None;
            }
        }
        let known = arg_reductions_of(ctx, body, finder.uses, around);
        let reduces = |at: usize| {
            places.contains(&Some(at))
                || known
                    .iter()
                    .any(|arg| arg.extremum == at || arg.taken.contains(&at))
                || reduction_at(ctx, body, finder.uses, around, at, true).is_ok()
        };
        (0..args.len())
            .all(reduces)
            .then_some(Handed { around, places })
    }
}
