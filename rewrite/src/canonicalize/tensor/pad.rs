//! `tensor.pad`: makes constant widths static, looks through casts, drops
//! padding of width 0, and merges nested padding by the same value.
//!
//! ```text
//! pad %t low[0] high[0]            ⇒  cast %t
//! pad (cast %t) low[2] high[1]     ⇒  cast (pad %t low[2] high[1])
//! pad (pad %t low[1]) low[2]       ⇒  pad %t low[3]
//! ```

use gridloom_dialects::memref::Mixed;
use gridloom_dialects::{inherent, tensor};
use gridloom_ir::op::{I64ArrayAttr, Inherent};
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{OpId, Type, Value};

use super::{as_type, only_erases_extents, shape, with_shape};
use crate::rewriter::Rewriter;

const NAMES: [Inherent<I64ArrayAttr>; 2] = [inherent::STATIC_LOW, inherent::STATIC_HIGH];

/// The padding before and after each dimension.
type Widths = [Vec<Mixed>; 2];

fn widths(rw: &Rewriter, op: OpId) -> Option<Widths> {
    let data = &rw.body()[op];
    let list = |number: usize| {
        let constants = data.get(rw.ctx, NAMES[number])?;
        let values = data.operand_segment(rw.ctx, 1 + number);
        Some(Mixed::zip(&constants, values))
    };
    Some([list(0)?, list(1)?])
}

fn demands_copy(rw: &Rewriter, op: OpId) -> bool {
    rw.body()[op].has_attr(rw.ctx, inherent::NOFOLD)
}

/// The shape of a padded tensor, as far as it is static.
fn padded(source: &[i64], widths: &Widths) -> Vec<i64> {
    let extent = |(&extent, (&low, &high)): (&i64, (&Mixed, &Mixed))| match (low, high) {
        (Mixed::Constant(low), Mixed::Constant(high)) if extent != DYNAMIC => {
            let sum = extent
                .checked_add(low)
                .and_then(|sum| sum.checked_add(high));
            sum.filter(|&sum| sum >= 0).unwrap_or(DYNAMIC)
        }
        _ => DYNAMIC,
    };
    let widths = widths[0].iter().zip(&widths[1]);
    source.iter().zip(widths).map(extent).collect()
}

/// Tries each rewrite; `Some(())` if one fired.
pub(super) fn simplify(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let widths = widths(rw, op)?;
    drop_empty(rw, op, &widths)
        .or_else(|| uncast(rw, op, &widths))
        .or_else(|| make_widths_static(rw, op, &widths))
        .or_else(|| pad_once(rw, op, &widths))
}

/// `pad %t low[0] high[0] ⇒ cast %t`, unless the operation demands a copy
/// (`nofold`).
fn drop_empty(rw: &mut Rewriter, op: OpId, widths: &Widths) -> Option<()> {
    let all = || widths.iter().flatten();
    if demands_copy(rw, op) || all().any(|&width| width != Mixed::Constant(0)) {
        return None;
    }
    let source = *rw.body()[op].operands.first()?;
    let ty = rw.body().ty(rw.body()[op].result(0));
    let value = as_type(rw, op, source, ty);
    rw.replace_op(op, &[value]);
    Some(())
}

/// Replaces a pad's operands and type; its region moves to the new operation.
fn remake(rw: &mut Rewriter, op: OpId, source: Value, widths: &Widths, ty: Type) -> Value {
    let ctx = rw.ctx;
    let [(lows, low), (highs, high)] = [0, 1].map(|list| Mixed::unzip(&widths[list]));
    let operands = [&[source], &low[..], &high[..]].concat();
    let new = rw.remake_as(op, &operands, &[ty]);
    let segments = [1, low.len() as i32, high.len() as i32];
    rw.set_property(
        new,
        inherent::OPERAND_SEGMENT_SIZES,
        ctx.i32_array_attr(&segments),
    );
    for (name, numbers) in NAMES.into_iter().zip([lows, highs]) {
        rw.set_property(new, name, ctx.i64_array_attr(&numbers));
    }
    rw.body()[new].result(0)
}

/// `pad (cast %t) ⇒ cast (pad %t)` if the cast only erases extents.
fn uncast(rw: &mut Rewriter, op: OpId, widths: &Widths) -> Option<()> {
    let ctx = rw.ctx;
    let seen = *rw.body()[op].operands.first()?;
    let origin = *rw.look(op).maker(seen, tensor::CAST)?.operands.first()?;
    let [from, to, old] = [origin, seen, rw.body()[op].result(0)].map(|value| rw.body().ty(value));
    if !only_erases_extents(ctx, from, to) {
        return None;
    }
    replace(
        rw,
        op,
        origin,
        widths,
        meet(&padded(shape(ctx, from)?, widths), shape(ctx, old)?)?,
    )
}

/// The meet of two shapes: each extent that either knows; `None` if they
/// contradict.
fn meet(a: &[i64], b: &[i64]) -> Option<Vec<i64>> {
    let extent = |(&a, &b): (&i64, &i64)| match (a, b) {
        (DYNAMIC, known) | (known, DYNAMIC) => Some(known),
        (a, b) => (a == b).then_some(a),
    };
    a.iter().zip(b).map(extent).collect()
}

fn replace(
    rw: &mut Rewriter,
    op: OpId,
    source: Value,
    widths: &Widths,
    extents: Vec<i64>,
) -> Option<()> {
    let old = rw.body().ty(rw.body()[op].result(0));
    let ty = with_shape(rw.ctx, old, extents)?;
    let value = remake(rw, op, source, widths, ty);
    let value = as_type(rw, op, value, old);
    rw.replace_op(op, &[value]);
    Some(())
}

/// `pad %t low[%c1] ⇒ cast (pad %t low[1])` where that makes an extent of the result static.
fn make_widths_static(rw: &mut Rewriter, op: OpId, widths: &Widths) -> Option<()> {
    let ctx = rw.ctx;
    let source = *rw.body()[op].operands.first()?;
    let [before, after] =
        [source, rw.body()[op].result(0)].map(|value| shape(ctx, rw.body().ty(value)));
    let (before, after) = (before?, after?);
    let cx = rw.look(op);
    let known = widths.clone().map(|list| {
        let number = |width: Mixed| match width {
            Mixed::Value(value) => cx.int(value).map_or(width, Mixed::Constant),
            constant => constant,
        };
        list.into_iter().map(number).collect::<Vec<_>>()
    });
    let extents = meet(&padded(before, &known), after)?;
    (extents != after).then(|| replace(rw, op, source, &known, extents))?
}

/// The padding value, if it is the same everywhere: defined outside the region.
fn value_around(rw: &Rewriter, op: OpId) -> Option<Value> {
    let body = rw.body();
    let block = body.region_block(op, 0)?;
    let value = *body[body[block].last()?].operands.first()?;
    (body.value_block(value) != Some(block)).then_some(value)
}

/// `pad (pad %t low[a]) low[b] ⇒ pad %t low[a + b]` for the same padding value.
fn pad_once(rw: &mut Rewriter, op: OpId, widths: &Widths) -> Option<()> {
    let middle = *rw.body()[op].operands.first()?;
    let maker = rw.body().defining_op(middle)?;
    if rw.body()[maker].name != tensor::PAD || demands_copy(rw, op) || demands_copy(rw, maker) {
        return None;
    }
    if value_around(rw, op)? != value_around(rw, maker)? {
        return None;
    }
    let inner = self::widths(rw, maker)?;
    let sum = |(&a, &b): (&Mixed, &Mixed)| match (a, b) {
        // A negative width would cut off part of the inner padding.
        (Mixed::Constant(a), Mixed::Constant(b)) if a >= 0 && b >= 0 => {
            a.checked_add(b).map(Mixed::Constant)
        }
        _ => None,
    };
    let add = |list: usize| -> Option<Vec<Mixed>> {
        inner[list].iter().zip(&widths[list]).map(sum).collect()
    };
    let both = [add(0)?, add(1)?];
    let source = *rw.body()[maker].operands.first()?;
    let after = shape(rw.ctx, rw.body().ty(rw.body()[op].result(0)))?.to_vec();
    replace(rw, op, source, &both, after)
}

/// `cast (pad %t) ⇒ pad %t` of the type of the cast, if that is the only use.
pub(super) fn retype(rw: &mut Rewriter, cast: OpId, op: OpId) -> Option<()> {
    let ctx = rw.ctx;
    let [before, after] = [op, cast].map(|op| rw.body()[op].result(0));
    let ty = rw.body().ty(after);
    if rw.users(before) != [cast] || !only_erases_extents(ctx, ty, rw.body().ty(before)) {
        return None;
    }
    let source = *rw.body()[op].operands.first()?;
    let widths = widths(rw, op)?;
    // A type that contradicts the widths is an error of the running program.
    meet(
        &padded(shape(ctx, rw.body().ty(source))?, &widths),
        shape(ctx, ty)?,
    )?;
    let value = remake(rw, op, source, &widths, ty);
    rw.replace_op(cast, &[value]);
    rw.erase(op);
    Some(())
}
