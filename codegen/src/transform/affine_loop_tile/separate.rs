//! Separation of full tiles from partial ones.
//!
//! ```text
//! affine.for %i = %ti * 32 to min(%n, %ti * 32 + 32) {     affine.if (%n - %ti * 32 - 32 >= 0) {
//!   S(%i)                                            ⇒       affine.for %i = %ti * 32 to %ti * 32 + 32 { S(%i) }
//! }                                                        } else {
//!                                                            … as before
//! ```
//!
//! The loops in a tile that is full have as many iterations as the tile is wide, so that they can
//! be unrolled or vectorized without a remainder. A tile is full where every bound but those of the
//! tile itself leaves room for it; a bound that depends on a counter of the tile is evaluated at
//! the end of the counter's range where it is tightest. The order of iterations stays.

use gridloom_dialects::affine::{self, ForOp, IfOp};
use gridloom_ir::affine::AffineConstraint;
use gridloom_ir::{AffineExpr, Body, Builder, Context, InsertPoint, IrMapping, Value};

use crate::transform::emit_loops::{MapWithOperands, bound};
use crate::transform::joint_bounds::{JointBounds, factor_of};

/// Window: the range of a loop in a full tile, both ends as expressions over the operands of joint
/// bounds.
#[derive(Clone, Copy)]
struct Window {
    counter: Value,
    first: AffineExpr,
    end: AffineExpr,
}

/// Lower and upper bound of a loop in a full tile, with operands.
type FullBounds = [MapWithOperands; 2];

/// Versions the loops of a tile, outermost first, by a test that the tile is full. Does nothing
/// where all tiles are full, or where no test is found.
pub(super) fn separate(ctx: &Context, body: &mut Body, points: &[ForOp], sizes: &[i64]) {
    let bounds = points
        .iter()
        .flat_map(|l| [l.lower(ctx, body), l.upper(ctx, body)]);
    let joint = JointBounds::of(ctx, &bounds.collect::<Vec<_>>());
    let Some((windows, room)) = windows(ctx, body, &joint, points, sizes) else {
        return;
    };
    let Some(conditions) = room
        .into_iter()
        .map(|expr| at_worst(ctx, &joint, &windows, expr))
        .map(|expr| expr.filter(|&expr| is_outside(ctx, body, &joint, points, expr)))
        .collect::<Option<Vec<AffineExpr>>>()
    else {
        return;
    };
    if conditions.is_empty() {
        return;
    }
    let (map, operands) = joint.compact(ctx, &conditions);
    let constraints: Vec<AffineConstraint> = (map.results(ctx).iter())
        .map(|&expr| AffineConstraint { expr, is_eq: false })
        .collect();
    let data = map.data(ctx);
    let set = ctx.integer_set(data.dims, data.symbols, &constraints);
    let full: Vec<Option<FullBounds>> = (points.iter())
        .map(|l| {
            let counter = l.induction_var(body);
            let window = windows.iter().find(|window| window.counter == counter)?;
            Some([window.first, window.end].map(|expr| joint.compact(ctx, &[expr])))
        })
        .collect();

    let root = points[0].0;
    let copy = body.clone_op(root, &mut IrMapping::new());
    let mut b = Builder::before(ctx, body, root);
    let test = IfOp::create(&mut b, set, &operands, &[], true);
    let blocks = [Some(test.then_block(b.body)), test.else_block(b.body)];
    for (block, nest) in blocks.into_iter().flatten().zip([copy, root]) {
        affine::yield_values(&mut b, block, &[]);
        if nest == root {
            b.body.detach(root);
        }
        b.set(InsertPoint::Start(block));
        b.insert(nest);
    }
    narrow(ctx, body, ForOp(copy), &full);
}

/// Sets the bounds of full tiles in the loops of a copied nest.
fn narrow(ctx: &Context, body: &mut Body, root: ForOp, full: &[Option<FullBounds>]) {
    let mut next = Some(root);
    for bounds in full {
        let Some(l) = next else { return };
        if let Some([lower, upper]) = bounds {
            l.set_lower(ctx, body, bound(lower));
            l.set_upper(ctx, body, bound(upper));
        }
        let inner = body[l.block(body)].first();
        next = inner.and_then(|op| ForOp::cast(body, op));
    }
}

/// The windows of the tiled loops, and the sums that are at least 0 exactly where the tile is full.
fn windows(
    ctx: &Context,
    body: &Body,
    joint: &JointBounds,
    points: &[ForOp],
    sizes: &[i64],
) -> Option<(Vec<Window>, Vec<AffineExpr>)> {
    let mut windows: Vec<Window> = Vec::new();
    let mut room: Vec<AffineExpr> = Vec::new();
    let exprs = joint.exprs.chunks_exact(2);
    for ((&l, bounds), &size) in points.iter().zip(exprs).zip(sizes) {
        if size == 1 {
            continue;
        }
        let size = ctx.affine_const(size);
        let [lowers, uppers] = [&bounds[0], &bounds[1]];
        let pairs = lowers
            .iter()
            .flat_map(|&low| uppers.iter().map(move |&high| (low, high)));
        let mut pairs = pairs.filter(|&(low, high)| {
            joint.difference(ctx, high, low) == size
                && [low, high]
                    .into_iter()
                    .all(|end| is_outside(ctx, body, joint, points, end))
        });
        let (first, end) = pairs.next()?;
        windows.push(Window {
            counter: l.induction_var(body),
            first,
            end,
        });
        let below = lowers.iter().filter(|&&low| low != first);
        room.extend(below.map(|&low| joint.difference(ctx, first, low)));
        let above = uppers.iter().filter(|&&high| high != end);
        room.extend(above.map(|&high| joint.difference(ctx, high, end)));
    }
    Some((windows, room))
}

/// The least value of a sum over counters in their windows, inner ones first; `None` where it is
/// not linear in these.
fn at_worst(
    ctx: &Context,
    joint: &JointBounds,
    windows: &[Window],
    mut expr: AffineExpr,
) -> Option<AffineExpr> {
    for window in windows.iter().rev() {
        let Some(dim) = joint.dim(window.counter) else {
            continue;
        };
        let factor = factor_of(ctx, expr, dim)?;
        let end = match factor {
            0 => continue,
            1.. => window.first,
            _ => ctx.affine_add(window.end, ctx.affine_const(-1)),
        };
        expr = joint.with_dim(ctx, expr, dim, end);
    }
    Some(expr)
}

/// Whether an expression uses only values defined outside of the tile's loops.
fn is_outside(
    ctx: &Context,
    body: &Body,
    joint: &JointBounds,
    points: &[ForOp],
    expr: AffineExpr,
) -> bool {
    points.iter().all(|l| {
        let dim = joint.dim(l.induction_var(body));
        dim.is_none_or(|dim| factor_of(ctx, expr, dim) == Some(0))
    })
}
