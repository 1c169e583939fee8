//! `affine.min` and `affine.max`: removes duplicate results, sorts them, and merges
//! nested operations.
//!
//! ```text
//! affine.min (d0, d1, d0)(%a, %b)                ⇒  affine.min (d0, d1)(%a, %b)
//! affine.min (d0, d1)(affine.min (d0, d1)(%a, %b), %c)
//!                                                ⇒  affine.min (d2, d1, d0)(%a, %b, %c)
//! ```

use gridloom_dialects::{affine, inherent};
use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::{AffineExpr, AffineMap, Context, OpId, Value};

use super::maps::compose_map;
use crate::rewriter::Rewriter;

/// The bound on the results of a merged operation.
const MAX_RESULTS: usize = 64;

/// Simplifies one operation.
pub(super) fn simplify(rw: &mut Rewriter, op: OpId) {
    let ctx = rw.ctx;
    if let Some(map) = map_of(rw, op) {
        merge_nested(rw, op, map);
    }
    compose_map(rw, op, 0);
    let Some(map) = map_of(rw, op) else { return };
    let results = ordered(ctx, map);
    let map = match results == map.results(ctx) {
        true => map,
        false => ctx.affine_map(
            map.num_dims(ctx) as u32,
            map.num_symbols(ctx) as u32,
            &results,
        ),
    };
    if results.len() == 1 {
        apply_only_result(rw, op, map);
    } else if map_of(rw, op) != Some(map) {
        rw.set_property(op, inherent::MAP, ctx.map_attr(map));
    }
}

fn map_of(rw: &Rewriter, op: OpId) -> Option<AffineMap> {
    rw.body()[op].get(rw.ctx, inherent::MAP)
}

/// `affine.min (d0)(%a) ⇒ affine.apply (d0)(%a)`.
/// Symbols that `affine.apply` does not take keep it as it is.
fn apply_only_result(rw: &mut Rewriter, op: OpId, map: AffineMap) {
    let operands = rw.body()[op].operands.to_vec();
    let scope = affine::scope_of(rw.body(), op);
    let is_refused = |&symbol: &Value| {
        scope.is_some_and(|scope| affine::is_mere_dim(rw.ctx, rw.body(), symbol, scope))
    };
    if operands[map.num_dims(rw.ctx)..].iter().any(is_refused) {
        return;
    }
    let applied = rw.remake(op, affine::APPLY, &operands);
    if let Some(new) = rw.body().defining_op(applied) {
        let map = rw.ctx.map_attr(map);
        rw.set_property(new, inherent::MAP, map);
    }
}

/// The results without duplicates, sorted by their coefficients if all are linear.
fn ordered(ctx: &Context, map: AffineMap) -> Vec<AffineExpr> {
    let mut results: Vec<AffineExpr> = Vec::new();
    for &result in map.results(ctx) {
        if !results.contains(&result) {
            results.push(result);
        }
    }
    let (dims, inputs) = (map.num_dims(ctx), map.num_inputs(ctx));
    let columns = results
        .iter()
        .map(|&result| coefficients(ctx, result, dims, inputs));
    let columns: Option<Vec<Vec<i64>>> = columns.collect();
    let Some(columns) = columns else {
        return results;
    };
    let mut pairs: Vec<(Vec<i64>, AffineExpr)> = columns.into_iter().zip(results).collect();
    pairs.sort_by(|a, b| a.0.cmp(&b.0));
    pairs.into_iter().map(|(_, result)| result).collect()
}

/// The coefficients of the dimensions, then of the symbols, then the constant; `None` if
/// the expression is not linear.
fn coefficients(ctx: &Context, expr: AffineExpr, dims: usize, inputs: usize) -> Option<Vec<i64>> {
    let mut columns = vec![0i64; inputs + 1];
    let mut stack = vec![(expr, 1i64)];
    while let Some((expr, factor)) = stack.pop() {
        let (column, value) = match expr.kind(ctx) {
            AffineExprKind::Constant(value) => (inputs, value.checked_mul(factor)?),
            AffineExprKind::Dim(number) => (number as usize, factor),
            AffineExprKind::Symbol(number) => (dims + number as usize, factor),
            AffineExprKind::Binary(AffineOp::Add, lhs, rhs) => {
                stack.extend([(lhs, factor), (rhs, factor)]);
                continue;
            }
            AffineExprKind::Binary(AffineOp::Mul, lhs, rhs) => {
                stack.push((lhs, factor.checked_mul(rhs.as_constant(ctx)?)?));
                continue;
            }
            AffineExprKind::Binary(..) => return None,
        };
        let column = columns.get_mut(column)?;
        *column = column.checked_add(value)?;
    }
    Some(columns)
}

/// `min(min(a, b), c) ⇒ min(a, b, c)`, and the same for `max`.
fn merge_nested(rw: &mut Rewriter, op: OpId, map: AffineMap) -> Option<()> {
    let ctx = rw.ctx;
    let dims = map.num_dims(ctx);
    let operands = rw.body()[op].operands.to_vec();
    let nested = |result: AffineExpr| {
        let operand = match result.kind(ctx) {
            AffineExprKind::Dim(number) => number as usize,
            AffineExprKind::Symbol(number) => dims + number as usize,
            _ => return None,
        };
        let maker = rw.body().defining_op(*operands.get(operand)?)?;
        (rw.body()[maker].name == rw.body()[op].name).then_some(maker)
    };
    let nested: Vec<Option<OpId>> = map.results(ctx).iter().map(|&r| nested(r)).collect();
    let makers: Vec<OpId> = nested.iter().flatten().copied().collect();
    if makers.is_empty() {
        return None;
    }
    let (mut new_dims, mut new_symbols, mut results) = (Vec::new(), Vec::new(), Vec::new());
    add(rw, op, &mut new_dims, &mut new_symbols, &mut results)?;
    // The results of a nested operation replace the result that named it.
    let mut is_nested = nested.iter().map(Option::is_some);
    results.retain(|_| is_nested.next() == Some(false));
    for &maker in &makers {
        add(rw, maker, &mut new_dims, &mut new_symbols, &mut results)?;
    }
    if results.len() > MAX_RESULTS {
        return None;
    }
    let merged = ctx.affine_map(new_dims.len() as u32, new_symbols.len() as u32, &results);
    rw.set_property(op, inherent::MAP, ctx.map_attr(merged));
    rw.set_operands(op, &[new_dims, new_symbols].concat());
    Some(())
}

/// Appends the operands and results of an operation, renumbering its dimensions and
/// symbols.
fn add(
    rw: &Rewriter,
    op: OpId,
    dims: &mut Vec<Value>,
    symbols: &mut Vec<Value>,
    results: &mut Vec<AffineExpr>,
) -> Option<()> {
    let ctx = rw.ctx;
    let map = map_of(rw, op)?;
    let operands = &rw.body()[op].operands;
    let (own_dims, own_symbols) = operands.split_at_checked(map.num_dims(ctx))?;
    let number = |values: &mut Vec<Value>, value: Value| {
        let known = values.iter().position(|&known| known == value);
        known.unwrap_or_else(|| {
            values.push(value);
            values.len() - 1
        }) as u32
    };
    let dim_names: Vec<AffineExpr> = (own_dims.iter())
        .map(|&value| ctx.affine_dim(number(dims, value)))
        .collect();
    let symbol_names: Vec<AffineExpr> = (own_symbols.iter())
        .map(|&value| ctx.affine_symbol(number(symbols, value)))
        .collect();
    let named = map.results(ctx).iter();
    results.extend(named.map(|result| result.replace(ctx, &dim_names, &symbol_names)));
    Some(())
}
