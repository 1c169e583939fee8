//! Split loops of a tile whose points have different bounds: all points run their common iterations
//! side by side, the other iterations point by point before and after.
//!
//! ```text
//! // points %i and %i + 1                    %s:2 = scf.for %k = 0 to %i + 1
//! %s = affine.for %k = 0 to %i + 1 {     ⇒     { S(%i, %k) S(%i + 1, %k) }
//!   S(%i, %k)                               %t = scf.for %k = %i + 1 to %i + 1 { S(%i, %k) }
//! }                                         %u = scf.for %k = %i + 1 to %i + 2 { S(%i + 1, %k) }
//! ```
//!
//! Each point keeps the order of its iterations, so that sums keep their rounding; iterations of
//! different points may run in any order.

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::{arith, scf};
use gridloom_ir::{Body, Builder, Context, OpId, Value};

use super::{Jam, Point};
use crate::offload::variance::{Mask, Variance};
use crate::transform::lower_affine::expand_best;

/// Whether a loop can be split so that the points of a tile share its common iterations: its step
/// is 1.
pub(in crate::offload) fn can_split(ctx: &Context, body: &Body, op: OpId) -> bool {
    ForOp::cast(body, op).is_some_and(|l| l.step(ctx, body) == 1)
}

/// Whether the lower and the upper bound of a loop vary with tiled loops of the band.
pub(in crate::offload) fn varied_ends(
    ctx: &Context,
    body: &Body,
    l: ForOp,
    variance: &Variance,
    tiled: Mask,
) -> [bool; 2] {
    [l.lower(ctx, body), l.upper(ctx, body)].map(|end| {
        let mut operands = end.operands.iter();
        operands.any(|&value| variance.of(value) & tiled != 0)
    })
}

/// Half-open range of iterations: from the first value to before the second.
type Span = [Value; 2];

impl Jam<'_> {
    /// Writes a loop for all points that agree with `at` in the loops of `fixed`.
    pub(super) fn split_loop(&mut self, b: &mut Builder, op: ForOp, at: &[usize], fixed: Mask) {
        let along = self.variance.of_op(b.body, op.0) & !fixed;
        let rows = self.points(along, at);
        let varied = varied_ends(b.ctx, b.body, op, self.variance, along);
        let spans: Vec<Span> = rows.iter().map(|row| self.span(b, op, row)).collect();
        let results: Vec<Value> = b.body[op.0].results().collect();
        for (&result, &init) in results.iter().zip(&op.inits(b.ctx, b.body).to_vec()) {
            let points = self.points(self.variance.of(result) & !fixed, at);
            let copies: Vec<Value> = points.iter().map(|point| self.copy(init, point)).collect();
            self.note(result, &points, copies.into_iter());
        }
        let mut best = |name, end: usize| {
            let ends = spans.iter().map(|span| span[end]);
            ends.reduce(|x, y| b.binary(name, x, y))
        };
        let (Some(first), Some(last)) = (best(arith::MAXSI, 0), best(arith::MINSI, 1)) else {
            return;
        };
        let last = b.binary(arith::MAXSI, last, first);
        if varied[0] {
            for (row, span) in rows.iter().zip(&spans) {
                let end = b.binary(arith::MINSI, span[1], first);
                self.part_of_loop(b, op, [span[0], end], row, fixed | along);
            }
        }
        self.part_of_loop(b, op, [first, last], at, fixed);
        if varied[1] {
            for (row, span) in rows.iter().zip(&spans) {
                self.part_of_loop(b, op, [last, span[1]], row, fixed | along);
            }
        }
    }

    /// The range of a loop's iterations at a point.
    fn span(&self, b: &mut Builder, op: ForOp, at: &[usize]) -> Span {
        let ends = [
            (arith::MAXSI, op.lower(b.ctx, b.body)),
            (arith::MINSI, op.upper(b.ctx, b.body)),
        ];
        let ends = ends.map(|(name, end)| {
            let operands = end.operands.iter().map(|&value| self.copy(value, at));
            (name, end.map, operands.collect::<Vec<_>>())
        });
        ends.map(|(name, map, operands)| expand_best(b, name, map, &operands))
    }

    /// Writes one part of a split loop, which continues with the carried values of the part before.
    fn part_of_loop(
        &mut self,
        b: &mut Builder,
        op: ForOp,
        [first, end]: Span,
        at: &[usize],
        fixed: Mask,
    ) {
        let results: Vec<Value> = b.body[op.0].results().collect();
        let points: Vec<Vec<Point>> = (results.iter())
            .map(|&result| self.points(self.variance.of(result) & !fixed, at))
            .collect();
        let mut inits = Vec::new();
        for (&result, points) in results.iter().zip(&points) {
            inits.extend(points.iter().map(|point| self.copy(result, point)));
        }
        let one = b.index_constant(1);
        let new = scf::ForOp::create(b, first, end, one, &inits);
        let resume = b.point();
        let [from, to] = [op.block(b.body), new.block(b.body)];
        let counter = op.induction_var(b.body);
        let own = new.induction_var(b.body);
        self.note(counter, &[Point::from_slice(at)], std::iter::once(own));
        let args = op.iter_args(b.body).to_vec();
        let mut copies = b.body[to].args[1..].iter().copied();
        for (arg, points) in args.into_iter().zip(&points) {
            let here: Vec<Value> = copies.by_ref().take(points.len()).collect();
            self.note(arg, points, here.into_iter());
        }
        let around = std::mem::replace(&mut self.in_loop, true);
        self.block(b, (from, to), &points, at, fixed);
        self.in_loop = around;
        b.set(resume);
        let mut copies = b.body[new.0].results().collect::<Vec<_>>().into_iter();
        for (result, points) in results.into_iter().zip(&points) {
            let here: Vec<Value> = copies.by_ref().take(points.len()).collect();
            self.note(result, points, here.into_iter());
        }
    }
}
