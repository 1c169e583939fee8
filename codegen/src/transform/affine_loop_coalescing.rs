//! `affine-loop-coalescing`: turns a perfect nest into one loop.
//!
//! ```text
//! affine.for %i = 0 to %m {                affine.for %t = 0 to %m * 8 {
//!   affine.for %j = 0 to 8 {         ⇒       %i = affine.apply (t) -> (t floordiv 8)
//!     S(%i, %j)                              %j = affine.apply (t) -> (t mod 8)
//!   }                                        S(%i, %j)
//! }                                        }
//! ```
//!
//! The order of iterations stays, so that no dependence matters. The loops are nested perfectly and
//! are normalized first ([`affine_loop_normalize`](super::affine_loop_normalize)); values that they carry
//! each hands on to the next one, and returns as it gets them back, with no other use of them;
//! those inside have constant trip counts, so that the old counters are quotients by constants, and
//! analyses still see through them. Where `%m * 8` may wrap around for a negative `%m`, the greater
//! of `%m` and 0 stands for it, which has to be outside of all loops. A nest that stays gets a remark,
//! if its loops are nested perfectly.

use gridloom_dialects::affine::{ApplyOp, Bound, ForOp, MaxOp, MinOp, scope_of};
use gridloom_ir::affine::AffineOp;
use gridloom_ir::{
    AffineExpr, Body, Builder, Context, Diagnostic, Diagnostics, InsertPoint, OpId, Value,
};

use super::affine_loop_normalize::normalize_loop;
use super::joint_bounds::JointBounds;
use crate::analysis::interval::Interval;
use crate::analysis::reduction::hands_on;
use crate::analysis::values::AffineValues;

/// Coalesces the nests of a body. Returns whether there were any, and why others stay.
pub fn coalesce(ctx: &Context, body: &mut Body) -> (bool, Diagnostics) {
    let mut remarks = Diagnostics::new();
    let mut changed = false;
    let mut done: Vec<OpId> = Vec::new();
    for op in body.walk() {
        // An outer loop was coalesced first, so its inner loops are gone.
        if done.contains(&op) {
            continue;
        }
        let Some(root) = ForOp::cast(body, op) else {
            continue;
        };
        if perfect_inner(body, root).is_none() {
            continue;
        }
        let nest = nest_at(ctx, body, root, &mut remarks);
        if nest.len() > 1 {
            done.extend(nest.iter().map(|l| l.0));
            match join(ctx, body, &nest) {
                Ok(()) => changed = true,
                Err(stays) => {
                    changed |= stays.normalized;
                    let loc = body[stays.of.0].loc;
                    remarks.push(Diagnostic::remark(loc, stays.message));
                }
            }
        }
    }
    (changed, remarks)
}

/// Coalesces a perfect nest into one loop.
///
/// # Errors
/// A remark that begins with `start` and says why the nest stays; it may be normalized then.
pub(super) fn coalesce_nest(
    ctx: &Context,
    body: &mut Body,
    nest: &[ForOp],
    start: &str,
) -> Result<(), Box<Diagnostic>> {
    let refused = |body: &Body, l: ForOp, why: &str| {
        let message = format!("{start}: {why}");
        Box::new(Diagnostic::remark(body[l.0].loc, message).with_note(body[l.0].loc, "the loop"))
    };
    for pair in nest.windows(2) {
        if perfect_inner(body, pair[0]) != Some(pair[1]) {
            let (why, outer) = match body.parent_op(pair[1].0) == Some(pair[0].0) {
                true => (
                    "the loop around it has other statements",
                    "the loop around it",
                ),
                false => (
                    "it is not directly inside the loop that is named before it",
                    "the loop named before it",
                ),
            };
            let remark = refused(body, pair[1], why);
            return Err(Box::new(remark.with_note(body[pair[0].0].loc, outer)));
        }
        can_join(ctx, body, nest[0], pair[1])
            .map_err(|why| refused(body, pair[1], why.unwrap_or("it has no iterations")))?;
    }
    join(ctx, body, nest).map_err(|why| refused(body, why.of, &why.message))
}

/// The inner loop of a perfectly nested one.
pub(super) fn perfect_inner(body: &Body, outer: ForOp) -> Option<ForOp> {
    let first = body[outer.block(body)].first()?;
    let is_all = body[first]
        .next()
        .is_some_and(|next| body[next].next().is_none());
    ForOp::cast(body, first).filter(|_| is_all)
}

/// The loops from `root` inwards that can be coalesced.
fn nest_at(ctx: &Context, body: &Body, root: ForOp, remarks: &mut Diagnostics) -> Vec<ForOp> {
    let mut nest = vec![root];
    let mut refused = |l: ForOp, why: &str| {
        let message = format!("this loop is not joined with the one around it: {why}");
        remarks.push(Diagnostic::remark(body[l.0].loc, message));
    };
    while let Some(inner) = nest.last().and_then(|&l| perfect_inner(body, l)) {
        match can_join(ctx, body, root, inner) {
            Ok(()) => nest.push(inner),
            Err(why) => {
                if let Some(why) = why {
                    refused(inner, why);
                }
                break;
            }
        }
    }
    nest
}

/// Whether a loop can be coalesced with those around it, up to `root`; the error is the reason,
/// where it is worth a remark.
fn can_join(
    ctx: &Context,
    body: &Body,
    root: ForOp,
    inner: ForOp,
) -> Result<(), Option<&'static str>> {
    let outer = body.parent_op(inner.0).and_then(|op| ForOp::cast(body, op));
    if !hands_on(ctx, body, outer.unwrap_or(root), inner) {
        return Err(Some(
            "one of them carries a value that does not pass through the other as it is",
        ));
    }
    match inner.constant_trip_count(ctx, body) {
        Some(1..) => Ok(()),
        Some(0) => Err(None),
        None => Err(Some(
            "its trip count is not constant, so its counter would not be a remainder by a constant",
        )),
    }
}

/// Refusal to coalesce loops.
struct Refusal {
    /// The loop that the reason is about.
    of: ForOp,
    message: String,
    /// Whether some loop has been normalized before the refusal.
    normalized: bool,
}

/// Coalesces a nest into one loop, if its loops can be normalized.
fn join(ctx: &Context, body: &mut Body, nest: &[ForOp]) -> Result<(), Refusal> {
    let mut normalized = false;
    for &l in nest {
        let changed = normalize_loop(ctx, body, l.0).map_err(|why| Refusal {
            of: l,
            message: format!("this loop is not normalized to count from 0 in steps of 1: {why}"),
            normalized,
        })?;
        normalized |= changed;
    }
    let refused = |message: &str| {
        Err(Refusal {
            of: nest[0],
            message: message.to_owned(),
            normalized,
        })
    };
    let inner: Option<Vec<i64>> = nest[1..]
        .iter()
        .map(|l| l.constant_upper(ctx, body))
        .collect();
    let product = inner.as_ref().and_then(|trips| {
        let mut all = trips.iter();
        all.try_fold(1i64, |product, &trips| product.checked_mul(trips))
    });
    let (Some(inner), Some(product)) = (inner, product) else {
        return refused("this nest is not coalesced: its trip count overflows 64 bits");
    };
    if may_wrap(ctx, body, nest[0], product) && !clamp_upper(ctx, body, nest[0]) {
        return refused(
            "this nest is not coalesced: where a bound is negative, the product of its trip \
             counts may overflow 64 bits, and no value can be computed here in place of the bound",
        );
    }
    scale_upper(ctx, body, nest[0], product);
    split_counter(ctx, body, nest, &inner, product);
    Ok(())
}

/// Whether the product of an upper bound and the inner extents may wrap around. No loop runs so
/// many iterations that it exceeds 64 bits.
fn may_wrap(ctx: &Context, body: &Body, root: ForOp, product: i64) -> bool {
    let upper = root.upper(ctx, body);
    let mut values = AffineValues::new(ctx, body);
    let env = values.environment_at(root.0);
    let exprs = values.map_exprs(root.0, upper.map, upper.operands);
    exprs.into_iter().any(|expr| {
        let range = expr.and_then(|expr| values.interval(expr, env));
        let least = range.map_or(Interval::MACHINE.least, |range| range.least);
        least * i128::from(product) < Interval::MACHINE.least
    })
}

/// Clamps the upper bound of a loop to 0 from below, where the clamped value can be a symbol.
fn clamp_upper(ctx: &Context, body: &mut Body, root: ForOp) -> bool {
    let region = body[root.0].parent().and_then(|block| body[block].parent());
    if region.is_none() || region != scope_of(body, root.0) {
        return false;
    }
    let upper = root.upper(ctx, body);
    let (map, operands) = (upper.map, upper.operands.to_vec());
    let mut b = Builder::before(ctx, body, root.0);
    let zero = ctx.affine_const(0);
    let clamped = match map.results(ctx) {
        &[only] => {
            let data = map.data(ctx);
            let map = ctx.affine_map(data.dims, data.symbols, &[only, zero]);
            MaxOp::create(&mut b, map, &operands)
        }
        _ => {
            let least = MinOp::create(&mut b, map, &operands);
            let map = ctx.affine_map(1, 0, &[ctx.affine_dim(0), zero]);
            MaxOp::create(&mut b, map, &[least])
        }
    };
    let operands = &[clamped];
    let map = ctx.symbol_map();
    root.set_upper(ctx, body, Bound { map, operands });
    true
}

/// Multiplies the upper bounds of a loop by a constant.
fn scale_upper(ctx: &Context, body: &mut Body, root: ForOp, product: i64) {
    let joint = JointBounds::of(ctx, &[root.upper(ctx, body)]);
    let factor = ctx.affine_const(product);
    let results: Vec<AffineExpr> = (joint.exprs[0].iter())
        .map(|&expr| ctx.affine_mul(expr, factor))
        .collect();
    let (map, operands) = (joint.map(ctx, &results), joint.operands());
    let operands = &operands;
    root.set_upper(ctx, body, Bound { map, operands });
}

/// Moves the statements of the innermost loop into the outermost; delinearizes its counter for the
/// others.
fn split_counter(ctx: &Context, body: &mut Body, nest: &[ForOp], inner: &[i64], product: i64) {
    let root = nest[0];
    let Some(&next) = nest.get(1) else {
        return;
    };
    let old: Vec<Value> = nest.iter().map(|l| l.induction_var(body)).collect();
    let carried = root.iter_args(body).to_vec();
    let handed: Vec<Value> = nest[1..]
        .iter()
        .flat_map(|l| l.iter_args(body))
        .copied()
        .collect();
    let last = nest[nest.len() - 1];
    let yielded = last.yielded(body).to_vec();
    // Besides the loops, normalization has inserted operations.
    let mut statements: Vec<OpId> = Vec::new();
    for l in nest {
        let is_statement = |op: &OpId| !nest.iter().any(|l| l.0 == *op);
        statements.extend(l.statements(body).into_iter().filter(is_statement));
    }
    let block = root.block(body);
    let mut b = Builder::before(ctx, body, root.0);
    b.set(InsertPoint::Start(block));
    let mut divisor = product;
    let mut new: Vec<Value> = Vec::new();
    for number in 0..nest.len() {
        let quotient = ctx.affine_binary(
            AffineOp::FloorDiv,
            ctx.affine_dim(0),
            ctx.affine_const(divisor),
        );
        let expr = match number.checked_sub(1).map(|before| inner[before]) {
            None => quotient,
            Some(trips) => ctx.affine_binary(AffineOp::Mod, quotient, ctx.affine_const(trips)),
        };
        new.push(ApplyOp::create(
            &mut b,
            ctx.affine_map(1, 0, &[expr]),
            &old[..1],
        ));
        divisor /= inner.get(number).copied().unwrap_or(1);
    }
    let renamed = |value: Value| {
        if let Some(place) = old.iter().position(|&counter| counter == value) {
            return new[place];
        }
        let place = handed.iter().position(|&handed| handed == value);
        place.map_or(value, |place| carried[place % carried.len()])
    };
    for op in statements {
        body.detach(op);
        body.insert_before(next.0, op);
        body.replace_values_in(op, renamed);
    }
    if let Some(end) = body[block].last() {
        let results: Vec<Value> = body[next.0].results().collect();
        body.replace_values_in(end, |value| {
            let place = results.iter().position(|&result| result == value);
            place.map_or(value, |place| renamed(yielded[place]))
        });
    }
    body.erase(next.0);
}
