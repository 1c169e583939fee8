//! Domain tests: the `affine.if` around the body of a band that says which points of the box are
//! iterations.
//!
//! ```text
//! affine.for %i = 0 to %n {
//!   affine.for %j = 0 to %n {
//!     affine.if (%i - %j >= 0) { S(%i, %j) }
//! ```
//!
//! A tile whose corners all pass the test is full, one whose corners all fail a constraint is
//! empty, and the others are partial. `affine-loop-hull` makes such tests of triangular nests, and
//! programs have them.

use gridloom_dialects::affine::{self, IfOp};
use gridloom_dialects::{arith, memref, scf};
use gridloom_ir::op::Traits;
use gridloom_ir::{AffineExpr, OpId};

use super::jam::split::can_split;
use super::plan::BandLoop;
use super::staging::{cannot_fail, scalar_width};
use super::variance::{Mask, Variance};
use crate::analysis::dependence::Dependences;
use crate::transform::joint_bounds::factor_of;

/// Domain test of a band.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DomainTest {
    /// The `affine.if` that is the whole body of the innermost loop of the band.
    pub op: OpId,
    /// Coefficients of the constraints: how much each one grows with each counter of the band.
    pub factors: Vec<Vec<i64>>,
}

impl DomainTest {
    /// Matches the domain test of a band whose loops are a box; `None` where there is none, or one
    /// of another form.
    pub(super) fn of(deps: &mut Dependences, band: &[BandLoop]) -> Option<Self> {
        let (ctx, body) = (deps.values.ctx, deps.values.body);
        let root = band.first()?.counter.op;
        let is_outside = |value| !(deps.values).block_is_inside(body.value_block(value), root);
        let is_box = band.iter().all(|l| {
            let ends = [l.counter.lower(ctx, body), l.counter.upper(ctx, body)];
            let mut operands = ends.iter().flat_map(|end| end.operands);
            l.is_exact && operands.all(|&value| is_outside(value))
        });
        let mut only = None;
        for l in band {
            let mut ops = (body.ops(l.counter.block(body)))
                .filter(|&op| body[op].name != arith::CONSTANT && !is_terminator(deps, op));
            only = ops.next();
            if ops.next().is_some() || !is_box {
                return None;
            }
        }
        let op = only.filter(|&op| body[op].name == affine::IF)?;
        let test = IfOp(op);
        if body[op].num_results() > 0 || test.else_block(body).is_some() {
            return None;
        }
        let data = test.set(ctx, body).data(ctx);
        let (dims, symbols) = test.operands(body).split_at(data.dims as usize);
        let counters: Vec<_> = (band.iter())
            .map(|l| l.counter.induction_var(body))
            .collect();
        let is_known = |value| counters.contains(value) || is_outside(*value);
        let is_plain = data.constraints.iter().all(|constraint| !constraint.is_eq);
        if !is_plain
            || !dims.iter().all(is_known)
            || !symbols.iter().all(|&value| is_outside(value))
        {
            return None;
        }
        let factors = data.constraints.iter().map(|constraint| {
            let along = counters.iter().map(|counter| {
                let own = (0u32..).zip(dims).filter(|&(_, value)| value == counter);
                own.map(|(dim, _)| factor_of(ctx, constraint.expr, dim))
                    .try_fold(0i64, |sum, factor| sum.checked_add(factor?))
            });
            along.collect::<Option<Vec<i64>>>()
        });
        let factors = factors.collect::<Option<Vec<Vec<i64>>>>()?;
        // Only a sum that does not wrap around has its least value at a corner.
        let exprs: Vec<AffineExpr> = data.constraints.iter().map(|c| c.expr).collect();
        let map = ctx.affine_map(data.dims, data.symbols, &exprs);
        let env = deps.values.environment_at(op);
        for expr in (deps.values).map_exprs(op, map, test.operands(body)) {
            expr.filter(|&expr| deps.values.fits(expr, env))?;
        }
        // A test that does not vary with the band says nothing about tiles.
        let is_varied = factors.iter().flatten().any(|&factor| factor != 0);
        is_varied.then_some(DomainTest { op, factors })
    }

    /// Whether the points of a tile can run the body together, points outside the domain with the
    /// counters of points inside: besides loads and stores, the body is pure and cannot fail, and
    /// its loops and branches run alike at all points.
    pub(super) fn is_shared(&self, deps: &Dependences, variance: &Variance, tiled: Mask) -> bool {
        let body = deps.values.body;
        body.walk_op(self.op)[1..]
            .iter()
            .all(|&op| match body[op].name {
                // A split loop runs row by row.
                affine::FOR if can_split(deps.values.ctx, body, op) => {
                    (variance.of_op(body, op) & tiled).count_ones() < 2
                }
                affine::FOR | scf::FOR | affine::IF | scf::IF => {
                    variance.of_op(body, op) & tiled == 0
                }
                affine::LOAD | memref::LOAD => {
                    let mut types = body[op].results().map(|value| body.ty(value));
                    types.all(|ty| scalar_width(deps.values.ctx, ty).is_some())
                }
                affine::STORE | memref::STORE => true,
                _ => is_terminator(deps, op) || cannot_fail(deps, op),
            })
    }
}

fn is_terminator(deps: &Dependences, op: OpId) -> bool {
    deps.values.body[op].name.has(Traits::TERMINATOR)
}
