//! Affine scopes: which values may be dimensions and symbols, and the repair of operations whose
//! operands no longer are.
//!
//! MLIR ties affine operations to values that are affine by construction:
//! induction variables of affine loops (dimensions), values of the function's
//! top level and constants (symbols). Code that comes into a loop from another
//! function may find its parameters replaced by values that are neither.

use std::collections::HashMap;

use gridloom_dialects::{affine, inherent, memref};
use gridloom_ir::affine::AffineExprKind;
use gridloom_ir::op::Traits;
use gridloom_ir::{AffineExpr, AffineMap, Body, Context, OpId, OpName, Value};

use super::lower_affine::lower_op;

/// Length limit of a chain of `affine.apply`; longer ones are not followed.
pub(super) const MAX_CHAIN: usize = 50;

/// Whether a value may be a symbol.
pub fn is_symbol(body: &Body, value: Value) -> bool {
    is_valid(body, value, &|_| false)
}

/// Whether a value may be a dimension.
pub fn is_dim(body: &Body, value: Value) -> bool {
    is_valid(body, value, &|value| {
        let block = body.value_block(value);
        let owner = block.filter(|_| body.defining_op(value).is_none());
        let owner = owner.and_then(|block| body.block_parent_op(block));
        match owner.map(|op| (op, body[op].name)) {
            // The counter is a dimension; iteration arguments are not.
            Some((op, affine::FOR)) => affine::ForOp(op).induction_var(body) == value,
            Some((_, name)) => name == affine::PARALLEL,
            None => false,
        }
    })
}

/// Whether an operation of this name takes its operands for dimensions and symbols, as those of the dialect do.
pub(super) fn is_of_affine(ctx: &Context, name: OpName) -> bool {
    ctx.op_name_str(name).starts_with("affine.")
}

/// Whether a value is defined at the top level of its function.
pub(super) fn is_top_level(body: &Body, value: Value) -> bool {
    let block = body.value_block(value);
    block.is_some_and(|block| body.block_parent_op(block).is_none())
}

/// Whether a value is a symbol, accepted by `leaf`, or an `affine.apply` of such values.
fn is_valid(body: &Body, value: Value, leaf: &dyn Fn(Value) -> bool) -> bool {
    let mut stack = vec![value];
    for _ in 0..MAX_CHAIN {
        let Some(value) = stack.pop() else {
            return true;
        };
        let is_top = |value: Value| is_top_level(body, value);
        if is_top(value) || leaf(value) {
            continue;
        }
        let Some(op) = body.defining_op(value) else {
            return false;
        };
        match body[op].name {
            affine::APPLY => stack.extend(body[op].operands.iter().copied()),
            memref::DIM if body[op].operands.first().is_some_and(|&m| is_top(m)) => {}
            name if name.has(Traits::CONSTANT_LIKE) => {}
            _ => return false,
        }
    }
    false
}

/// Restores the validity of the affine operations among `ops`, given in pre-order: symbols that can
/// only be dimensions become dimensions; an operation with an operand that is neither is lowered.
/// Returns the replacements of the results of lowered operations.
///
/// The operands of `affine.parallel`, which cannot be lowered alone, must fit.
pub fn restore_scope(ctx: &Context, body: &mut Body, ops: &[OpId]) -> HashMap<Value, Value> {
    let mut replaced = HashMap::new();
    for &op in ops {
        let keeps = match body[op].name {
            affine::FOR => restore_for(ctx, body, affine::ForOp(op)),
            affine::IF => restore_if(ctx, body, affine::IfOp(op)),
            affine::PARALLEL => {
                restore_parallel(ctx, body, affine::ParallelOp(op));
                true
            }
            affine::APPLY | affine::MIN | affine::MAX => restore_map(ctx, body, op, 0),
            affine::LOAD | affine::PREFETCH | affine::VECTOR_LOAD => restore_map(ctx, body, op, 1),
            affine::STORE | affine::VECTOR_STORE => restore_map(ctx, body, op, 2),
            // A yield follows its parent: where that was lowered, it is lowered too.
            affine::YIELD => body.parent_op(op).is_some_and(|parent| {
                matches!(
                    body[parent].name,
                    affine::FOR | affine::IF | affine::PARALLEL
                )
            }),
            _ => true,
        };
        if !keeps {
            replaced.extend(lower_op(ctx, body, op));
        }
    }
    replaced
}

fn restore_map(ctx: &Context, body: &mut Body, op: OpId, first: usize) -> bool {
    let Some(map) = body[op].get(ctx, inherent::MAP) else {
        return false;
    };
    let Some((map, operands)) = restored(ctx, body, map, &body[op].operands[first..]) else {
        return false;
    };
    body[op].set_property(ctx, inherent::MAP, ctx.map_attr(map));
    body[op].operands.truncate(first);
    body[op].operands.extend(operands);
    true
}

fn restore_for(ctx: &Context, body: &mut Body, op: affine::ForOp) -> bool {
    let (lower, upper) = (op.lower(ctx, body), op.upper(ctx, body));
    let new_lower = restored(ctx, body, lower.map, lower.operands);
    let new_upper = restored(ctx, body, upper.map, upper.operands);
    let (Some((lower, lower_operands)), Some((upper, upper_operands))) = (new_lower, new_upper)
    else {
        return false;
    };
    let bound = |map, operands| affine::Bound { map, operands };
    op.set_lower(ctx, body, bound(lower, &lower_operands));
    op.set_upper(ctx, body, bound(upper, &upper_operands));
    true
}

fn restore_parallel(ctx: &Context, body: &mut Body, op: affine::ParallelOp) {
    let (lower, upper) = (op.lower(ctx, body), op.upper(ctx, body));
    let new_lower = restored(ctx, body, lower.map, lower.operands);
    let new_upper = restored(ctx, body, upper.map, upper.operands);
    if let (Some((lower, low)), Some((upper, high))) = (new_lower, new_upper) {
        body[op.0].set_property(ctx, inherent::LOWER_BOUNDS_MAP, ctx.map_attr(lower));
        body[op.0].set_property(ctx, inherent::UPPER_BOUNDS_MAP, ctx.map_attr(upper));
        body[op.0].operands = [low, high].concat().into();
    }
}

fn restore_if(ctx: &Context, body: &mut Body, op: affine::IfOp) -> bool {
    let data = op.set(ctx, body).data(ctx);
    let exprs: Vec<AffineExpr> = data.constraints.iter().map(|c| c.expr).collect();
    let map = ctx.affine_map(data.dims, data.symbols, &exprs);
    let Some((map, operands)) = restored(ctx, body, map, op.operands(body)) else {
        return false;
    };
    let new = map.data(ctx);
    let constraints: Vec<_> = (data.constraints.iter().zip(&new.results))
        .map(|(old, &expr)| gridloom_ir::affine::AffineConstraint { expr, ..*old })
        .collect();
    let set = ctx.integer_set(new.dims, new.symbols, &constraints);
    body[op.0].set_property(ctx, inherent::CONDITION, ctx.set_attr(set));
    body[op.0].operands = operands.into();
    true
}

/// Moves the symbols of a map to dimensions where their values require it; `None` if that is not
/// possible.
fn restored(
    ctx: &Context,
    body: &Body,
    map: AffineMap,
    operands: &[Value],
) -> Option<(AffineMap, Vec<Value>)> {
    let data = map.data(ctx);
    let (dims, symbols) = operands.split_at_checked(data.dims as usize)?;
    if !dims.iter().all(|&value| is_dim(body, value)) {
        return None;
    }
    let (mut new_dims, mut new_symbols) = (dims.to_vec(), Vec::new());
    let mut exprs = Vec::new();
    for &value in symbols {
        if is_symbol(body, value) {
            exprs.push(ctx.affine_symbol(new_symbols.len() as u32));
            new_symbols.push(value);
        } else if is_dim(body, value) {
            exprs.push(ctx.affine_dim(new_dims.len() as u32));
            new_dims.push(value);
        } else {
            return None;
        }
    }
    let results = data.results.iter().map(|r| r.replace(ctx, &[], &exprs));
    let results: Vec<_> = results.collect();
    if !results.iter().all(|&result| is_affine(ctx, result)) {
        return None;
    }
    let map = ctx.affine_map(new_dims.len() as u32, new_symbols.len() as u32, &results);
    Some((map, [new_dims, new_symbols].concat()))
}

/// Whether the right sides of products and quotients are free of dimensions.
pub(super) fn is_affine(ctx: &Context, expr: AffineExpr) -> bool {
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        if let AffineExprKind::Binary(op, l, r) = expr.kind(ctx) {
            let is_sum = op == gridloom_ir::affine::AffineOp::Add;
            if !is_sum && !r.is_symbolic_or_constant(ctx) {
                return false;
            }
            stack.extend([l, r]);
        }
    }
    true
}
