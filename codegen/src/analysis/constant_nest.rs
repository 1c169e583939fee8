//! Constant nests: nests of `affine.for`, with bounds of constants and counters around, whose accesses are in range by the
//! intervals of the counters alone. Most nests over arrays of static size are: no value has to become an expression to see it.

use gridloom_dialects::affine::{self, Bound, ForOp};
use gridloom_dialects::gridloom;
use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::{AffineExpr, Body, Context, OpId, Value};
use smallvec::SmallVec;

use super::alias::is_view;
use super::interval::Interval;

/// Limit of the magnitude of all numbers involved, sizes of arrays included: no product of two of them leaves 64 bits.
const LIMIT: i64 = 1 << 31;

/// Limit of the loops of a nest.
const MAX_LOOPS: usize = 16;

/// Limit of the size of a subscript, in nodes.
const MAX_TREE: u32 = 64;

/// Ranges of the counters of a nest's loops.
type Counters = SmallVec<[(Value, Interval); 4]>;

/// The element accesses of a nest, each with its rank, given the [walk](Body::walk_op) of the nest; `None` unless its bounds
/// are sums of constants and counters and all of its accesses are proved in range. Its index arithmetic fits 64 bits then.
pub fn accesses_in_range(ctx: &Context, body: &Body, nest: &[OpId]) -> Option<Vec<(OpId, usize)>> {
    let mut counters = Counters::new();
    let mut found = Vec::new();
    for &op in nest {
        match body[op].name {
            affine::FOR if counters.len() < MAX_LOOPS => {
                let l = ForOp(op);
                let lower = bound(ctx, l.lower(ctx, body), &counters)?;
                let upper = bound(ctx, l.upper(ctx, body), &counters)?;
                let interval = Interval {
                    least: lower.least,
                    most: upper.most - 1,
                };
                let may_run = interval.least <= interval.most && l.step(ctx, body) <= LIMIT;
                counters.push((l.induction_var(body), may_run.then_some(interval)?));
            }
            affine::LOAD | affine::STORE => {
                found.push((op, rank_in_range(ctx, body, op, &counters)?));
            }
            affine::FOR | affine::PARALLEL | affine::IF => return None,
            name if gridloom::is_element_access(name) => return None,
            _ => {}
        }
    }
    Some(found)
}

/// The rank of an access, if all of its subscripts are proved in range.
fn rank_in_range(ctx: &Context, body: &Body, op: OpId, counters: &Counters) -> Option<usize> {
    let access = affine::Access::cast(body, op)?;
    let memref = access.memref(body);
    let is_of_view = body.defining_op(memref).is_some_and(|op| is_view(body, op));
    let ty = body.ty(memref).memref(ctx)?;
    if is_of_view || ty.layout.is_some() {
        return None;
    }
    let operands = of_operands(access.operands(body), counters)?;
    let map = access.map(ctx, body);
    let dims = map.num_dims(ctx);
    let mut elements: i64 = 1;
    for (&subscript, &extent) in map.results(ctx).iter().zip(&ty.shape) {
        if subscript.tree_size(ctx) > MAX_TREE {
            return None;
        }
        let interval = interval_of(ctx, subscript, &operands, dims)?;
        // An open extent is negative.
        if interval.least < 0 || interval.most >= i128::from(extent) {
            return None;
        }
        elements = elements.checked_mul(extent).filter(|&all| all <= LIMIT)?;
    }
    Some(ty.shape.len())
}

/// The interval of a loop bound of one expression.
fn bound(ctx: &Context, bound: Bound, counters: &Counters) -> Option<Interval> {
    let operands = of_operands(bound.operands, counters)?;
    let &[result] = bound.map.results(ctx) else {
        return None;
    };
    let is_small = result.tree_size(ctx) <= MAX_TREE;
    is_small.then(|| interval_of(ctx, result, &operands, bound.map.num_dims(ctx)))?
}

/// The intervals of the operands of a map, all of them counters.
fn of_operands(operands: &[Value], counters: &Counters) -> Option<SmallVec<[Interval; 4]>> {
    let of_operand = |operand: &Value| {
        let mut known = counters.iter().rev();
        known.find_map(|&(counter, interval)| (counter == *operand).then_some(interval))
    };
    operands.iter().map(of_operand).collect()
}

/// The interval of an expression of sums and products; `None` for others, and where a part of it leaves the limit.
fn interval_of(
    ctx: &Context,
    expr: AffineExpr,
    operands: &[Interval],
    dims: usize,
) -> Option<Interval> {
    let interval = match expr.kind(ctx) {
        AffineExprKind::Dim(k) => *operands.get(k as usize)?,
        AffineExprKind::Symbol(k) => *operands.get(dims + k as usize)?,
        AffineExprKind::Constant(number) => Interval::point(number.into()),
        AffineExprKind::Binary(op, left, right) => {
            let left = interval_of(ctx, left, operands, dims)?;
            let right = interval_of(ctx, right, operands, dims)?;
            match op {
                AffineOp::Add => left.plus(right)?,
                AffineOp::Mul => left.times(right)?,
                _ => return None,
            }
        }
    };
    is_small(interval).then_some(interval)
}

fn is_small(interval: Interval) -> bool {
    interval.least >= -i128::from(LIMIT) && interval.most <= i128::from(LIMIT)
}
