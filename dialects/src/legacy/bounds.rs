//! Loop bounds of a schedule tree, derived from the domains of its statements.

use super::emit::Emit;
use super::schedule::{Digit, Domain};
use gridloom_ir::affine::{AffineExpr, AffineExprKind, AffineMap, AffineOp};
use gridloom_ir::body::Value;
use gridloom_ir::context::Context;
use gridloom_ir::text::PResult;

/// Map with its operands.
pub(super) type Operated = (AffineMap, Vec<Value>);

/// Bounds that one domain gives for the topmost digit of an iterator: the greatest of `lower` up
/// to, not including, the least of `upper`.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    lower: Vec<AffineExpr>,
    upper: Vec<AffineExpr>,
    symbols: Vec<Value>,
}

impl Bounds {
    /// Whether a side has no bound.
    pub(super) fn open(&self) -> bool {
        self.lower.is_empty() || self.upper.is_empty()
    }
}

/// Derives the bounds of a digit from a domain; `None` if the domain does not mention its iterator.
/// Constraints that mention other dimensions are left to the guard of the statement.
pub(super) fn of(
    ctx: &Context,
    domain: &Domain<'_>,
    symbols: Vec<Value>,
    digit: Digit<'_>,
) -> Option<Bounds> {
    let dim = domain.dims.iter().position(|d| d.name == digit.iterator)?;
    let mut bounds = Bounds {
        lower: Vec::new(),
        upper: Vec::new(),
        symbols,
    };
    for constraint in &domain.set.data(ctx).constraints {
        let Some((factor, others)) = split(ctx, constraint.expr, dim as u32) else {
            continue;
        };
        // factor * i + others >= 0
        let Some(size) = factor.checked_abs().filter(|&size| size != 0) else {
            continue;
        };
        let below = |others: AffineExpr, divisor: i64| {
            let divisor = ctx.affine_const(divisor);
            ctx.affine_binary(AffineOp::FloorDiv, others, divisor)
        };
        let negated = ctx.affine_mul(others, ctx.affine_const(-1));
        // i is -others / factor where both sides are equal; that is the least i for a positive
        // factor, the greatest for a negative one.
        let limit = if factor > 0 { negated } else { others };
        if factor > 0 || constraint.is_eq {
            let size = ctx.affine_const(size);
            let least = ctx.affine_binary(AffineOp::CeilDiv, limit, size);
            bounds.lower.push(below(least, digit.scale));
        }
        if factor < 0 || constraint.is_eq {
            let most = below(below(limit, size), digit.scale);
            bounds.upper.push(ctx.affine_add(most, ctx.affine_const(1)));
        }
    }
    Some(bounds)
}

/// Splits `expr` into `factor * d{dim} + others` where `others` has symbols and constants only.
fn split(ctx: &Context, expr: AffineExpr, dim: u32) -> Option<(i64, AffineExpr)> {
    if expr.is_symbolic_or_constant(ctx) {
        return Some((0, expr));
    }
    match expr.kind(ctx) {
        AffineExprKind::Dim(at) if at == dim => Some((1, ctx.affine_const(0))),
        AffineExprKind::Binary(AffineOp::Add, left, right) => {
            let (a, left) = split(ctx, left, dim)?;
            let (b, right) = split(ctx, right, dim)?;
            Some((a.checked_add(b)?, ctx.affine_add(left, right)))
        }
        AffineExprKind::Binary(AffineOp::Mul, left, right) => {
            let constant = right.as_constant(ctx)?;
            let (a, left) = split(ctx, left, dim)?;
            Some((a.checked_mul(constant)?, ctx.affine_mul(left, right)))
        }
        _ => None,
    }
}

/// Computes bounds that cover all domains: the least lower and the greatest upper one. Where
/// domains differ, `affine.min` and `affine.max` in front of the tree compute them.
pub(super) fn union(e: &mut Emit<'_, '_>, all: &[Bounds]) -> PResult<(Operated, Operated)> {
    let lowers: Vec<_> = all.iter().map(|b| (&b.lower[..], &b.symbols[..])).collect();
    let uppers: Vec<_> = all.iter().map(|b| (&b.upper[..], &b.symbols[..])).collect();
    Ok((
        covering(e, &lowers, ["affine.max", "affine.min"])?,
        covering(e, &uppers, ["affine.min", "affine.max"])?,
    ))
}

/// Combines bounds: `within` those of one domain, `across` those of several.
fn covering(
    e: &mut Emit<'_, '_>,
    lists: &[(&[AffineExpr], &[Value])],
    [within, across]: [&str; 2],
) -> PResult<Operated> {
    let ctx = e.ctx();
    let mut distinct: Vec<(AffineMap, Vec<Value>)> = Vec::new();
    for (exprs, symbols) in lists {
        let (exprs, symbols) = used(ctx, exprs, symbols);
        let bound = (ctx.affine_map(0, symbols.len() as u32, &exprs), symbols);
        if !distinct.contains(&bound) {
            distinct.push(bound);
        }
    }
    if distinct.len() == 1 {
        return Ok(distinct.remove(0));
    }
    if let Some(constant) = constant(ctx, &distinct, within == "affine.max") {
        return Ok((ctx.constant_map(constant), Vec::new()));
    }
    // One expression each: the results of one map.
    let index = ctx.index_type();
    let (mut exprs, mut operands) = (Vec::new(), Vec::new());
    for (map, symbols) in distinct {
        let (expr, symbols) = match map.results(ctx) {
            [expr] => (*expr, symbols),
            _ => {
                let attrs = [("map", ctx.map_attr(map))];
                let op = e.op(within, &symbols, &[index], &attrs)?;
                (ctx.affine_symbol(0), vec![e.p.body[op].result(0)])
            }
        };
        let shifted = symbols.iter().map(|&value| {
            let at = operands
                .iter()
                .position(|&o| o == value)
                .unwrap_or_else(|| {
                    operands.push(value);
                    operands.len() - 1
                });
            ctx.affine_symbol(at as u32)
        });
        let shifted: Vec<_> = shifted.collect();
        exprs.push(expr.replace(ctx, &[], &shifted));
    }
    let map = ctx.affine_map(0, operands.len() as u32, &exprs);
    let attrs = [("map", ctx.map_attr(map))];
    let op = e.op(across, &operands, &[index], &attrs)?;
    let bound = ctx.affine_map(0, 1, &[ctx.affine_symbol(0)]);
    Ok((bound, vec![e.p.body[op].result(0)]))
}

/// The constant bound where all are constants: the greatest within a domain and the least across
/// domains for a lower one, the other way round for an upper one.
fn constant(ctx: &Context, bounds: &[Operated], lower: bool) -> Option<i64> {
    let of = |(map, _): &Operated| -> Option<i64> {
        let values = map.results(ctx).iter().map(|e| e.as_constant(ctx));
        let values = values.collect::<Option<Vec<_>>>()?.into_iter();
        if lower { values.max() } else { values.min() }
    };
    let all = bounds.iter().map(of).collect::<Option<Vec<_>>>()?;
    let all = all.into_iter();
    if lower { all.min() } else { all.max() }
}

/// Drops the symbols that the expressions do not use.
fn used(ctx: &Context, exprs: &[AffineExpr], symbols: &[Value]) -> (Vec<AffineExpr>, Vec<Value>) {
    let mut kept: Vec<Value> = Vec::new();
    let mut replacements = Vec::new();
    for (at, &value) in (0..).zip(symbols) {
        if exprs.iter().any(|expr| uses(ctx, *expr, at)) {
            let position = kept.iter().position(|&k| k == value).unwrap_or_else(|| {
                kept.push(value);
                kept.len() - 1
            });
            replacements.push(ctx.affine_symbol(position as u32));
        } else {
            replacements.push(ctx.affine_const(0));
        }
    }
    let replaced = exprs.iter().map(|e| e.replace(ctx, &[], &replacements));
    (replaced.collect(), kept)
}

fn uses(ctx: &Context, expr: AffineExpr, symbol: u32) -> bool {
    match expr.kind(ctx) {
        AffineExprKind::Symbol(at) => at == symbol,
        AffineExprKind::Binary(_, left, right) => {
            uses(ctx, left, symbol) || uses(ctx, right, symbol)
        }
        _ => false,
    }
}
