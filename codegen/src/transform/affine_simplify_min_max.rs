//! `affine-simplify-min-max`: drops results of minima and maxima that never bind.
//!
//! ```text
//! affine.for %t = 0 to 3 {                             affine.for %t = 0 to 3 {
//!   %n = affine.min (t) -> (32, 96 - t * 32)     ⇒       %n = affine.apply () -> (32)
//! ```
//!
//! It also drops bounds of an `affine.for` that another bound always dominates, such as those of
//! tiles that divide the loop. Legal where the range of the difference of two results, given the
//! ranges of counters, sizes and what conditions say, has one sign, and neither leaves 64 bits.

use gridloom_dialects::affine::{self, ApplyOp, Bound, ForOp};
use gridloom_dialects::inherent;
use gridloom_ir::{AffineExpr, AffineMap, Body, Builder, Context, OpId, Value};

use super::joint_bounds::JointBounds;
use crate::analysis::values::AffineValues;

/// Simplification: a map, with the results that it keeps.
enum Simpler {
    /// Results of an `affine.min` or `affine.max`.
    Extremum(OpId, Vec<usize>),
    /// Results of a loop's lower bound.
    Lower(ForOp, Vec<usize>),
    /// Results of a loop's upper bound.
    Upper(ForOp, Vec<usize>),
}

/// Simplifies the minima and maxima of a body. Returns whether there were any.
pub fn simplify_min_max(ctx: &Context, body: &mut Body) -> bool {
    let mut values = AffineValues::new(ctx, body);
    let mut found = Vec::new();
    for op in body.walk() {
        if let Some(l) = ForOp::cast(body, op) {
            let (lower, upper) = (l.lower(ctx, body), l.upper(ctx, body));
            found.extend(kept(&mut values, op, lower, false).map(|kept| Simpler::Lower(l, kept)));
            found.extend(kept(&mut values, op, upper, true).map(|kept| Simpler::Upper(l, kept)));
            continue;
        }
        if let Some((bound, is_min)) = extremum(ctx, body, op) {
            let kept = kept(&mut values, op, bound, is_min);
            found.extend(kept.map(|kept| Simpler::Extremum(op, kept)));
        }
    }
    for simpler in &found {
        simpler.apply(ctx, body);
    }
    !found.is_empty()
}

/// The map of a minimum or maximum, with whether it is a minimum.
fn extremum<'b>(ctx: &Context, body: &'b Body, op: OpId) -> Option<(Bound<'b>, bool)> {
    let is_min = match body[op].name {
        affine::MIN => true,
        affine::MAX => false,
        _ => return None,
    };
    let map = body[op].get(ctx, inherent::MAP)?;
    let operands = &body[op].operands;
    Some((Bound { map, operands }, is_min))
}

/// Positions of the results that may bind; `None` if these are all.
fn kept(values: &mut AffineValues, op: OpId, bound: Bound, is_min: bool) -> Option<Vec<usize>> {
    let count = bound.map.results(values.ctx).len();
    if count < 2 {
        return None;
    }
    let env = values.environment_at(op);
    let exprs: Vec<Option<AffineExpr>> = values
        .map_exprs(op, bound.map, bound.operands)
        .into_iter()
        .map(|expr| expr.filter(|&expr| values.fits(expr, env)))
        .collect();
    let mut kept: Vec<usize> = (0..count).collect();
    for this in (0..count).rev() {
        let Some(expr) = exprs[this] else { continue };
        let is_covered = kept.iter().any(|&other| {
            let Some(other) = exprs[other].filter(|_| other != this) else {
                return false;
            };
            let difference = values.ctx.affine_sub(expr, other);
            let range = values.interval(difference, env);
            range.is_some_and(|range| match is_min {
                true => range.least >= 0,
                false => range.most <= 0,
            })
        });
        if is_covered {
            kept.retain(|&number| number != this);
        }
    }
    (kept.len() < count).then_some(kept)
}

impl Simpler {
    fn apply(&self, ctx: &Context, body: &mut Body) {
        match self {
            Simpler::Lower(l, kept) => {
                let (map, operands) = reduced(ctx, l.lower(ctx, body), kept);
                let operands = &operands;
                l.set_lower(ctx, body, Bound { map, operands });
            }
            Simpler::Upper(l, kept) => {
                let (map, operands) = reduced(ctx, l.upper(ctx, body), kept);
                let operands = &operands;
                l.set_upper(ctx, body, Bound { map, operands });
            }
            &Simpler::Extremum(op, ref kept) => {
                let Some((bound, _)) = extremum(ctx, body, op) else {
                    return;
                };
                let (map, operands) = reduced(ctx, bound, kept);
                if kept.len() > 1 {
                    body[op].set_property(ctx, inherent::MAP, ctx.map_attr(map));
                    body[op].operands = operands.into_iter().collect();
                    return;
                }
                let mut b = Builder::before(ctx, body, op);
                let new = ApplyOp::create(&mut b, map, &operands);
                body.replace_op(op, &[new]);
            }
        }
    }
}

/// A map with some of its results, and the operands that these use.
fn reduced(ctx: &Context, bound: Bound, kept: &[usize]) -> (AffineMap, Vec<Value>) {
    let joint = JointBounds::of(ctx, &[bound]);
    let results: Vec<AffineExpr> = kept.iter().map(|&number| joint.exprs[0][number]).collect();
    joint.compact(ctx, &results)
}
