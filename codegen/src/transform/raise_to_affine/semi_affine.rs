//! Semi-affine numbers: computes quotients and remainders by symbols at the top of a function by `arith`.
//!
//! ```text
//! %n = affine.apply ()[s0, s1] -> (s0 floordiv s1) ()[%x, %by]    ⇒    %n = … arith.divsi %x, %by …
//! affine.for %i = 0 to %n                                              affine.for %i = 0 to %n
//! ```
//!
//! The result is a symbol, of which nothing else is known; as an expression it would be one that the analyses cannot bound.
//! The bounds of a loop at the top of a function are computed in front of it.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::inherent;
use gridloom_ir::{AffineExpr, AffineMap, Body, Builder, Context, OpId};

use crate::transform::affine_scope::is_top_level;
use crate::transform::emit_loops::{bound, owned};
use crate::transform::lower_affine::expand_results;
use crate::transform::map_inputs::Inputs;

/// Expands the semi-affine numbers among `ops`. Returns whether there was one.
pub(super) fn expand(ctx: &Context, body: &mut Body, ops: &[OpId]) -> bool {
    let mut changed = false;
    for &op in ops {
        changed |= match body[op].name {
            affine::APPLY => expand_apply(ctx, body, op),
            affine::FOR if body.parent_op(op).is_none() => expand_bounds(ctx, body, ForOp(op)),
            _ => false,
        };
    }
    changed
}

fn expand_apply(ctx: &Context, body: &mut Body, op: OpId) -> bool {
    let map = body[op].get(ctx, inherent::MAP);
    let Some(map) = map.filter(|&map| is_semi_affine(ctx, map)) else {
        return false;
    };
    if !is_top_level(body, body[op].result(0)) {
        return false;
    }
    let operands = body[op].operands.to_vec();
    let new = expand_results(&mut Builder::before(ctx, body, op), map, &operands);
    body.replace_op(op, &new);
    true
}

fn expand_bounds(ctx: &Context, body: &mut Body, l: ForOp) -> bool {
    let mut expanded = |lower: bool| {
        let (map, operands) = owned(match lower {
            true => l.lower(ctx, body),
            false => l.upper(ctx, body),
        });
        if !is_semi_affine(ctx, map) {
            return false;
        }
        let ends = expand_results(&mut Builder::before(ctx, body, l.0), map, &operands);
        let mut inputs = Inputs::new(ctx);
        let ends: Vec<AffineExpr> = ends.into_iter().map(|end| inputs.symbol(end)).collect();
        let computed = inputs.finish(&ends);
        let bound = bound(&computed);
        match lower {
            true => l.set_lower(ctx, body, bound),
            false => l.set_upper(ctx, body, bound),
        }
        true
    };
    [true, false].map(&mut expanded).contains(&true)
}

/// Whether a result divides by something other than a constant.
fn is_semi_affine(ctx: &Context, map: AffineMap) -> bool {
    let is_open = |divisor: AffineExpr| divisor.as_constant(ctx).is_none();
    let mut results = map.results(ctx).iter();
    results.any(|expr| !expr.is_pure_affine(ctx) && expr.divides_by(ctx, is_open))
}
