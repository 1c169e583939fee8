//! Range analysis: simplifies affine expressions by the bounds and steps of the loops that count
//! their dimensions.
//!
//! ```text
//! affine.for %i = 0 to 8 {
//!   affine.apply (d0) -> (d0 floordiv 8)(%i)             ⇒  0
//!   affine.apply (d0) -> (d0 mod 8)(%i)                  ⇒  %i
//!   affine.for %j = 0 to min (d0) -> (9, d0 * 2)(%i)     // stays: (d0 * 2) may be either side of 9
//!   affine.for %j = 0 to min (d0) -> (14, d0 * 2)(%i)    ⇒  to %i * 2
//! affine.for %i = 0 to %n step 32 {
//!   affine.for %j = 0 to 32 {
//!     affine.apply (d0, d1) -> ((d0 + d1) mod 16)(%i, %j)  ⇒  %j mod 16
//! ```

use gridloom_dialects::affine;
use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::{AffineExpr, Body, Context, Value};

use crate::MAX_TRIPS;
use crate::compose::Composed;

/// Known range and stride of a number.
#[derive(Clone, Copy)]
struct Known {
    least: Option<i128>,
    greatest: Option<i128>,
    /// The number is a multiple of this.
    multiple_of: i128,
}

const NOTHING: Known = Known {
    least: None,
    greatest: None,
    multiple_of: 1,
};

/// Simplifies expressions by the constant bounds and the steps of the loops
/// whose variables they use. Returns whether anything changed.
pub fn simplify_in_ranges(ctx: &Context, body: &Body, composed: &mut Composed) -> bool {
    let ranges = DimRanges::new(ctx, body, composed);
    let mut changed = false;
    for expr in &mut composed.exprs {
        let simpler = ranges.simplify(*expr);
        changed |= simpler != *expr;
        *expr = simpler;
    }
    changed
}

/// Drops results of a bound map that never bind: those that another result always exceeds (or
/// undercuts, unless `greatest`). A result of one value becomes a constant. Returns whether
/// anything changed.
pub(super) fn drop_never_binding(
    ctx: &Context,
    body: &Body,
    composed: &mut Composed,
    greatest: bool,
) -> bool {
    let is_compound = |expr: &AffineExpr| matches!(expr.kind(ctx), AffineExprKind::Binary(..));
    if composed.exprs.len() < 2 && !composed.exprs.iter().any(is_compound)
        || composed.operands().is_empty()
    {
        return false;
    }
    let ranges = DimRanges::new(ctx, body, composed);
    let sign = if greatest { 1 } else { -1 };
    // The two ends of each range, negated for the least.
    let ends: Vec<[Option<i128>; 2]> = (composed.exprs.iter())
        .map(|&expr| {
            let (least, most) = (ranges.end(expr, false), ranges.end(expr, true));
            let ends = if greatest {
                [least, most]
            } else {
                [most, least]
            };
            // A range that may leave the 64 bits of the machine is unknown.
            let fit = ends.iter().flatten().all(|&end| i64::try_from(end).is_ok());
            ends.map(|end| end.filter(|_| fit).map(|end| end * sign))
        })
        .collect();
    let is_fixed = |[least, most]: [Option<i128>; 2]| least.is_some() && least == most;
    let beats = |other: usize, this: usize| match (ends[other][0], ends[this][1]) {
        (Some(least), Some(most)) if least == most => {
            // Of two equal constants the first stays.
            !(is_fixed(ends[other]) && is_fixed(ends[this])) || other < this
        }
        (Some(least), Some(most)) => least > most,
        _ => false,
    };
    let count = ends.len();
    let stays = |&this: &usize| !(0..count).any(|other| other != this && beats(other, this));
    let kept: Vec<AffineExpr> = (0..count)
        .filter(stays)
        .map(|this| match ends[this] {
            [Some(least), Some(most)] if least == most => i64::try_from(least * sign)
                .map_or(composed.exprs[this], |value| ctx.affine_const(value)),
            _ => composed.exprs[this],
        })
        .collect();
    let changed = kept != composed.exprs && !kept.is_empty();
    if changed {
        composed.exprs = kept;
    }
    changed
}

/// Dimension ranges: the bounds of the dimensions of some expressions.
struct DimRanges<'a> {
    ctx: &'a Context,
    dims: Vec<Known>,
}

impl<'a> DimRanges<'a> {
    fn new(ctx: &'a Context, body: &Body, composed: &Composed) -> Self {
        let dims = composed.dims.iter();
        let dims = dims.map(|&value| of_variable(ctx, body, value).unwrap_or(NOTHING));
        DimRanges {
            ctx,
            dims: dims.collect(),
        }
    }

    fn of_dim(&self, expr: AffineExpr) -> Option<Known> {
        match expr.kind(self.ctx) {
            AffineExprKind::Dim(number) => self.dims.get(number as usize).copied(),
            _ => None,
        }
    }

    /// Recursion is bounded: the expression has few nodes.
    fn simplify(&self, expr: AffineExpr) -> AffineExpr {
        let AffineExprKind::Binary(op, lhs, rhs) = expr.kind(self.ctx) else {
            return expr;
        };
        let (lhs, rhs) = (self.simplify(lhs), self.simplify(rhs));
        let whole = self.ctx.affine_binary(op, lhs, rhs);
        // Building it may have folded it to another kind.
        match whole.kind(self.ctx) {
            AffineExprKind::Binary(op, lhs, rhs) => self.decide(op, lhs, rhs).unwrap_or(whole),
            _ => whole,
        }
    }

    fn decide(&self, op: AffineOp, lhs: AffineExpr, rhs: AffineExpr) -> Option<AffineExpr> {
        if !matches!(op, AffineOp::Mod | AffineOp::FloorDiv | AffineOp::CeilDiv) {
            return None;
        }
        let by = i128::from(rhs.as_constant(self.ctx)?);
        if by <= 0 {
            return None;
        }
        let in_range = || self.by_range(op, lhs, by);
        let of_parts = || {
            let (multiple, rest, of) = self.parts(lhs)?;
            match op {
                // m·d + r, where 0 ≤ r < d: r changes no quotient by a
                // multiple of d, m·d no remainder by a divisor of d.
                AffineOp::FloorDiv if by % of == 0 => {
                    Some(self.ctx.affine_binary(op, multiple, rhs))
                }
                AffineOp::Mod if of % by == 0 => Some(self.ctx.affine_binary(op, rest, rhs)),
                _ => None,
            }
        };
        let whole = || {
            let divides = op == AffineOp::Mod && self.multiple_of(lhs) % by == 0;
            divides.then(|| self.ctx.affine_const(0))
        };
        in_range().or_else(of_parts).or_else(whole)
    }

    /// Folds a division whose quotient is one number over the whole range of the dividend.
    fn by_range(&self, op: AffineOp, lhs: AffineExpr, by: i128) -> Option<AffineExpr> {
        let (least, greatest) = (self.end(lhs, false)?, self.end(lhs, true)?);
        // The machine divides what is left of the dividend in 64 bits.
        if [least, greatest]
            .iter()
            .any(|&end| i64::try_from(end).is_err())
        {
            return None;
        }
        let quotient = |number: i128| match op {
            AffineOp::CeilDiv => -(-number).div_euclid(by),
            _ => number.div_euclid(by),
        };
        if quotient(least) != quotient(greatest) {
            return None;
        }
        match (op, quotient(least)) {
            (AffineOp::Mod, 0) => Some(lhs),
            (AffineOp::Mod, _) => None,
            (_, quotient) => Some(self.ctx.affine_const(i64::try_from(quotient).ok()?)),
        }
    }

    /// Splits a sum `m·d + r` with `0 <= r < d` into the multiple, the remainder and `d`.
    fn parts(&self, sum: AffineExpr) -> Option<(AffineExpr, AffineExpr, i128)> {
        let AffineExprKind::Binary(AffineOp::Add, lhs, rhs) = sum.kind(self.ctx) else {
            return None;
        };
        let is_below = |expr: AffineExpr, limit: i128| {
            let is_simple = self.of_dim(expr).is_some() || expr.as_constant(self.ctx).is_some();
            is_simple
                && self.end(expr, false).is_some_and(|least| least >= 0)
                && self.end(expr, true).is_some_and(|most| most < limit)
        };
        let [left, right] = [lhs, rhs].map(|expr| self.multiple_of(expr));
        if is_below(rhs, left) {
            return Some((lhs, rhs, left));
        }
        is_below(lhs, right).then_some((rhs, lhs, right))
    }

    fn multiple_of(&self, expr: AffineExpr) -> i128 {
        let of_dim = self.of_dim(expr).map(|known| known.multiple_of);
        of_dim.unwrap_or_else(|| expr.largest_known_divisor(self.ctx).into())
    }

    /// The least or the greatest value of an expression; `None` if it is unknown, as that of sums
    /// of quotients and remainders is in `mlir-opt` as well.
    fn end(&self, expr: AffineExpr, greatest: bool) -> Option<i128> {
        let AffineExprKind::Binary(op, lhs, rhs) = expr.kind(self.ctx) else {
            return self.linear_end(expr, greatest);
        };
        if matches!(op, AffineOp::Add | AffineOp::Mul) {
            return self.linear_end(expr, greatest);
        }
        let by = i128::from(rhs.as_constant(self.ctx)?);
        if by <= 0 {
            return None;
        }
        match op {
            AffineOp::FloorDiv => Some(self.end(lhs, greatest)?.div_euclid(by)),
            AffineOp::CeilDiv => Some(-(-self.end(lhs, greatest)?).div_euclid(by)),
            _ => {
                let ends = [self.end(lhs, false), self.end(lhs, true)];
                Some(match ends {
                    [Some(least), Some(most)] if least.div_euclid(by) == most.div_euclid(by) => {
                        (if greatest { most } else { least }).rem_euclid(by)
                    }
                    _ if greatest => by - 1,
                    _ => 0,
                })
            }
        }
    }

    fn linear_end(&self, expr: AffineExpr, greatest: bool) -> Option<i128> {
        match expr.kind(self.ctx) {
            AffineExprKind::Constant(number) => Some(number.into()),
            AffineExprKind::Dim(number) => {
                let known = self.dims.get(number as usize)?;
                if greatest {
                    known.greatest
                } else {
                    known.least
                }
            }
            AffineExprKind::Binary(AffineOp::Add, lhs, rhs) => {
                (self.linear_end(lhs, greatest)?).checked_add(self.linear_end(rhs, greatest)?)
            }
            AffineExprKind::Binary(AffineOp::Mul, lhs, rhs) => {
                let factor = i128::from(rhs.as_constant(self.ctx)?);
                self.linear_end(lhs, greatest == (factor >= 0))?
                    .checked_mul(factor)
            }
            AffineExprKind::Symbol(_) | AffineExprKind::Binary(..) => None,
        }
    }
}

/// The greatest value of an expression over `operands`, dimensions first. A loop
/// from a constant has at most [`MAX_TRIPS`] iterations.
pub(super) fn greatest(
    ctx: &Context,
    body: &Body,
    operands: &[Value],
    expr: AffineExpr,
) -> Option<i128> {
    let known = |&value: &Value| {
        let mut known = of_variable(ctx, body, value).unwrap_or(NOTHING);
        let trips =
            || Some(known.least? + MAX_TRIPS * i128::from(loop_of(body, value)?.step(ctx, body)));
        known.greatest = known.greatest.or_else(trips);
        known
    };
    let dims = operands.iter().map(known).collect();
    DimRanges { ctx, dims }.end(expr, true)
}

/// The loop whose induction variable is `value`.
fn loop_of(body: &Body, value: Value) -> Option<affine::ForOp> {
    let block = body.value_block(value)?;
    let op = affine::ForOp::cast(body, body.block_parent_op(block)?)?;
    (body[block].args.first() == Some(&value)).then_some(op)
}

/// The range that a loop gives its induction variable.
fn of_variable(ctx: &Context, body: &Body, value: Value) -> Option<Known> {
    let op = loop_of(body, value)?;
    let (lower, upper) = (op.lower(ctx, body).map, op.upper(ctx, body).map);
    let step = i128::from(op.step(ctx, body));
    if step <= 0 {
        return None;
    }
    let least = lower.as_single_constant(ctx).map(i128::from);
    let end = upper.as_single_constant(ctx).map(i128::from);
    let greatest = match (least, end) {
        (Some(least), Some(end)) if least >= end => return None,
        (Some(least), Some(end)) => Some(least + (end - 1 - least) / step * step),
        (None, Some(end)) => Some(end - 1),
        (_, None) => None,
    };
    let starts = lower.results(ctx).iter();
    let multiple_of = starts.fold(step, |known, start| match start.as_constant(ctx) {
        Some(0) => known,
        Some(number) => gcd(known, i128::from(number).abs()),
        None => gcd(known, start.largest_known_divisor(ctx).into()),
    });
    Some(Known {
        least,
        greatest,
        multiple_of,
    })
}

fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
