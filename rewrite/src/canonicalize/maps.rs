//! Operands of affine maps and integer sets: composes maps and sets so that they are the fewest and
//! simplest.

use gridloom_dialects::affine::{self, Bound, ForOp, IfOp, ParallelOp};
use gridloom_dialects::inherent;
use gridloom_ir::affine::{AffineConstraint, AffineExprKind, AffineOp};
use gridloom_ir::{AffineExpr, AffineMap, Context, OpId, Value};

use super::ranges::{drop_never_binding, simplify_in_ranges};
use super::relinearize::relinearize;
use crate::compose::{Composed, Form, compose};
use crate::rewriter::Rewriter;

fn compose_with(rw: &Rewriter, op: OpId, map: AffineMap, operands: &[Value]) -> Option<Composed> {
    let (dims, symbols) = operands.split_at_checked(map.num_dims(rw.ctx))?;
    let scope = affine::scope_of(rw.body(), op);
    compose(
        rw.ctx,
        rw.body(),
        map.results(rw.ctx),
        [dims, symbols],
        scope,
        Form::Normal,
    )
}

fn as_it_is(ctx: &Context, map: AffineMap, operands: &[Value]) -> Composed {
    let (dims, symbols) = operands.split_at(map.num_dims(ctx).min(operands.len()));
    Composed {
        exprs: map.results(ctx).to_vec(),
        dims: dims.to_vec(),
        symbols: symbols.to_vec(),
    }
}

fn map_of(ctx: &Context, composed: &Composed) -> AffineMap {
    let (dims, symbols) = (composed.dims.len() as u32, composed.symbols.len() as u32);
    ctx.affine_map(dims, symbols, &composed.exprs)
}

/// Composes the map of an operation, whose operands start at operand `first`.
pub(super) fn compose_map(rw: &mut Rewriter, op: OpId, first: usize) {
    let ctx = rw.ctx;
    let data = &rw.body()[op];
    let Some(map) = data.get(ctx, inherent::MAP) else {
        return;
    };
    let Some((fixed, inputs)) = data.operands.split_at_checked(first) else {
        return;
    };
    if is_evidently_canonical(rw, op, map, inputs) {
        return;
    }
    let fixed = fixed.to_vec();
    let composed = compose_with(rw, op, map, inputs);
    let changed = composed.is_some();
    let mut composed = composed.unwrap_or_else(|| as_it_is(ctx, map, inputs));
    let mut simpler = simplify_in_ranges(ctx, rw.body(), &mut composed);
    let scope = affine::scope_of(rw.body(), op);
    simpler |= relinearize(ctx, rw.body(), &mut composed, scope);
    if simpler {
        // The simpler map may no longer use an operand: the next visit drops it.
        rw.push(op);
    } else if !changed {
        return;
    }
    rw.set_property(op, inherent::MAP, ctx.map_attr(map_of(ctx, &composed)));
    rw.set_operands(op, &[fixed, composed.operands()].concat());
}

/// Fast path: whether a map is evidently canonical, as those of most subscripts are: each result is
/// a dimension, a constant, or their sum, and each dimension a loop counter of its own that some
/// result uses.
fn is_evidently_canonical(rw: &Rewriter, op: OpId, map: AffineMap, inputs: &[Value]) -> bool {
    let (ctx, body) = (rw.ctx, rw.body());
    if map.num_dims(ctx) != inputs.len() || inputs.len() > MAX_EVIDENT_DIMS {
        return false;
    }
    let mut used = 0u32;
    for result in map.results(ctx) {
        let term = match result.kind(ctx) {
            AffineExprKind::Binary(AffineOp::Add, term, by) if by.as_constant(ctx).is_some() => {
                term.kind(ctx)
            }
            kind => kind,
        };
        match term {
            AffineExprKind::Dim(number) => used |= 1 << number,
            AffineExprKind::Constant(_) => {}
            _ => return false,
        }
    }
    let Some(scope) = affine::scope_of(body, op) else {
        return false;
    };
    let is_own = |(number, value): (usize, &Value)| {
        used >> number & 1 == 1
            && body.defining_op(*value).is_none()
            && !inputs[..number].contains(value)
            && !affine::is_valid_symbol(ctx, body, *value, scope)
    };
    inputs.iter().enumerate().all(is_own)
}

/// Bound on the dimensions of a map that [`is_evidently_canonical`] accepts.
const MAX_EVIDENT_DIMS: usize = 8;

/// Composes the maps of both bounds of a loop.
pub(super) fn compose_for(rw: &mut Rewriter, op: ForOp) {
    let ctx = rw.ctx;
    let body = rw.body();
    let (lower, upper) = (op.lower(ctx, body), op.upper(ctx, body));
    let is_constant =
        |bound: Bound| bound.operands.is_empty() && bound.map.as_single_constant(ctx).is_some();
    if is_constant(lower) && is_constant(upper) {
        return;
    }
    let inits = op.inits(ctx, body).to_vec();
    let bounds = [(lower, true), (upper, false)].map(|(bound, greatest)| {
        let composed = compose_with(rw, op.0, bound.map, bound.operands);
        let mut composed = composed.unwrap_or_else(|| as_it_is(ctx, bound.map, bound.operands));
        relinearize(ctx, body, &mut composed, affine::scope_of(body, op.0));
        drop_never_binding(ctx, body, &mut composed, greatest);
        let map = map_of(ctx, &composed);
        let map = prune(ctx, map, greatest).unwrap_or(map);
        (map, composed.operands())
    });
    let [(lower_map, lower_operands), (upper_map, upper_operands)] = bounds;
    if lower_map == lower.map
        && upper_map == upper.map
        && lower_operands == lower.operands
        && upper_operands == upper.operands
    {
        return;
    }
    let sizes = [lower_operands.len(), upper_operands.len(), inits.len()].map(|n| n as i32);
    rw.set_property(op.0, inherent::LOWER_BOUND_MAP, ctx.map_attr(lower_map));
    rw.set_property(op.0, inherent::UPPER_BOUND_MAP, ctx.map_attr(upper_map));
    rw.set_property(
        op.0,
        inherent::OPERAND_SEGMENT_SIZES,
        ctx.i32_array_attr(&sizes),
    );
    rw.set_operands(op.0, &[lower_operands, upper_operands, inits].concat());
    // The simpler bounds may no longer use an operand: the next visit drops it.
    rw.push(op.0);
}

/// Composes the maps of both bounds of a band. The number of results for each dimension stays.
pub(super) fn compose_parallel(rw: &mut Rewriter, op: ParallelOp) {
    let ctx = rw.ctx;
    let (lower, upper) = (op.lower(ctx, rw.body()), op.upper(ctx, rw.body()));
    let mut changed = false;
    let [lower, upper] =
        [lower, upper].map(
            |bound| match compose_with(rw, op.0, bound.map, bound.operands) {
                Some(composed) => {
                    changed = true;
                    (map_of(ctx, &composed), composed.operands())
                }
                None => (bound.map, bound.operands.to_vec()),
            },
        );
    if changed {
        rw.set_property(op.0, inherent::LOWER_BOUNDS_MAP, ctx.map_attr(lower.0));
        rw.set_property(op.0, inherent::UPPER_BOUNDS_MAP, ctx.map_attr(upper.0));
        rw.set_operands(op.0, &[lower.1, upper.1].concat());
    }
}

/// Composes the integer set of an `affine.if`. Drops constraints that always hold; one that never
/// holds replaces all others.
pub(super) fn compose_if(rw: &mut Rewriter, op: IfOp) {
    let ctx = rw.ctx;
    let set = op.set(ctx, rw.body());
    let data = set.data(ctx);
    let operands = op.operands(rw.body());
    let Some((dims, symbols)) = operands.split_at_checked(data.dims as usize) else {
        return;
    };
    let exprs: Vec<AffineExpr> = data.constraints.iter().map(|c| c.expr).collect();
    let scope = affine::scope_of(rw.body(), op.0);
    // As in mlir-opt, a set without an operand to look through keeps its form.
    let is_applied = |&value: &Value| rw.look(op.0).maker(value, affine::APPLY).is_some();
    let form = match operands.iter().any(is_applied) {
        true => Form::Normal,
        false => Form::AsBuilt,
    };
    let composed = compose(ctx, rw.body(), &exprs, [dims, symbols], scope, form);
    let composed = composed.unwrap_or_else(|| Composed {
        exprs,
        dims: dims.to_vec(),
        symbols: symbols.to_vec(),
    });
    let constraints =
        (composed.exprs.iter().zip(&data.constraints)).map(|(&expr, old)| AffineConstraint {
            expr,
            is_eq: old.is_eq,
        });
    let mut kept: Vec<AffineConstraint> = Vec::new();
    for constraint in constraints {
        match fold_constraint(ctx, constraint) {
            Some(true) => {}
            // The canonical empty set.
            Some(false) => {
                kept = vec![AffineConstraint {
                    expr: ctx.affine_const(1),
                    is_eq: true,
                }];
                break;
            }
            None if kept.contains(&constraint) => {}
            None => kept.push(constraint),
        }
    }
    if kept.is_empty() {
        // The syntax has no set without constraints: 0 == 0 is everything.
        kept.push(AffineConstraint {
            expr: ctx.affine_const(0),
            is_eq: true,
        });
    }
    let (dims, symbols) = (composed.dims.len() as u32, composed.symbols.len() as u32);
    let new = ctx.integer_set(dims, symbols, &kept);
    let operands = composed.operands();
    if new != set || operands != rw.body()[op.0].operands[..] {
        rw.set_property(op.0, inherent::CONDITION, ctx.set_attr(new));
        rw.set_operands(op.0, &operands);
    }
}

/// Folds a constraint: whether it holds; `None` if its expression is not constant.
pub(super) fn fold_constraint(ctx: &Context, constraint: AffineConstraint) -> Option<bool> {
    let value = constraint.expr.as_constant(ctx)?;
    Some(if constraint.is_eq {
        value == 0
    } else {
        value >= 0
    })
}

/// Prunes the map of a bound, which is the greatest (or the least) of its results: merges equal
/// results, and constants to the one that counts. `None` if there is nothing to do.
fn prune(ctx: &Context, map: AffineMap, greatest: bool) -> Option<AffineMap> {
    let data = map.data(ctx);
    let mut results: Vec<AffineExpr> = Vec::new();
    for &result in &data.results {
        if results.contains(&result) {
            continue;
        }
        let Some(value) = result.as_constant(ctx) else {
            results.push(result);
            continue;
        };
        let other = results.iter_mut().find(|r| r.as_constant(ctx).is_some());
        match other {
            None => results.push(result),
            Some(other) => {
                let known = other.as_constant(ctx)?;
                let best = if greatest {
                    known.max(value)
                } else {
                    known.min(value)
                };
                *other = ctx.affine_const(best);
            }
        }
    }
    (results[..] != data.results[..]).then(|| ctx.affine_map(data.dims, data.symbols, &results))
}
