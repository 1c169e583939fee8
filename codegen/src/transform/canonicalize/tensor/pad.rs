//! `tensor.pad`: by numbers that are known, of what a cast hides, by nothing,
//! and twice by the same.
//!
//! ```text
//! pad %t low[0] high[0]            ⇒  cast %t
//! pad (cast %t) low[2] high[1]     ⇒  cast (pad %t low[2] high[1])
//! pad (pad %t low[1]) low[2]       ⇒  pad %t low[3]
//! ```

use gridloom_ir::dialect::memref::Mixed;
use gridloom_ir::dialect::tensor;
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{OpId, Type, Value};

use super::{as_type, only_forgets, shape, with_shape};
use crate::transform::rewriter::Rewriter;

const NAMES: [&str; 2] = ["static_low", "static_high"];

/// How much is added before and after each dimension.
type Widths = [Vec<Mixed>; 2];

fn widths(rw: &Rewriter, op: OpId) -> Option<Widths> {
    let data = &rw.body()[op];
    let list = |number: usize| {
        let constants = data.attr(rw.ctx, NAMES[number])?.as_i64_array(rw.ctx)?;
        let values = data.operand_segment(rw.ctx, 1 + number);
        Some(Mixed::zip(&constants, values))
    };
    Some([list(0)?, list(1)?])
}

fn is_wanted(rw: &Rewriter, op: OpId) -> bool {
    rw.body()[op].attr(rw.ctx, "nofold").is_some()
}

/// The extents of a padded tensor, as far as they follow from what is known.
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

/// One rule or another; `None` if none fits.
pub(super) fn simplify(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let widths = widths(rw, op)?;
    by_nothing(rw, op, &widths)
        .or_else(|| uncast(rw, op, &widths))
        .or_else(|| know_widths(rw, op, &widths))
        .or_else(|| pad_once(rw, op, &widths))
}

/// No copy is wanted, and nothing is added.
fn by_nothing(rw: &mut Rewriter, op: OpId, widths: &Widths) -> Option<()> {
    let all = || widths.iter().flatten();
    if is_wanted(rw, op) || all().any(|&width| width != Mixed::Constant(0)) {
        return None;
    }
    let source = *rw.body()[op].operands.first()?;
    let ty = rw.body().ty(rw.body()[op].result(0));
    let value = as_type(rw, op, source, ty);
    rw.replace_op(op, &[value]);
    Some(())
}

/// Makes a pad anew, with another type; its region moves.
fn remake(rw: &mut Rewriter, op: OpId, source: Value, widths: &Widths, ty: Type) -> Value {
    let ctx = rw.ctx;
    let [(lows, low), (highs, high)] = [0, 1].map(|list| Mixed::unzip(&widths[list]));
    let operands = [&[source], &low[..], &high[..]].concat();
    let new = rw.remake_as(op, &operands, &[ty]);
    let segments = [1, low.len() as i32, high.len() as i32];
    rw.set_property(new, "operandSegmentSizes", ctx.i32_array_attr(&segments));
    for (name, numbers) in NAMES.into_iter().zip([lows, highs]) {
        rw.set_property(new, name, ctx.i64_array_attr(&numbers));
    }
    rw.body()[new].result(0)
}

/// Of what a cast only forgot extents of.
fn uncast(rw: &mut Rewriter, op: OpId, widths: &Widths) -> Option<()> {
    let ctx = rw.ctx;
    let seen = *rw.body()[op].operands.first()?;
    let origin = *rw.look(op).maker(seen, tensor::CAST)?.operands.first()?;
    let [from, to, old] = [origin, seen, rw.body()[op].result(0)].map(|value| rw.body().ty(value));
    if !only_forgets(ctx, from, to) {
        return None;
    }
    replace(
        rw,
        op,
        origin,
        widths,
        join(&padded(shape(ctx, from)?, widths), shape(ctx, old)?)?,
    )
}

/// What two lists of extents say together, unless they contradict each other.
fn join(a: &[i64], b: &[i64]) -> Option<Vec<i64>> {
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

/// Widths that are constants, where they tell an extent of the result.
fn know_widths(rw: &mut Rewriter, op: OpId, widths: &Widths) -> Option<()> {
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
    let extents = join(&padded(before, &known), after)?;
    (extents != after).then(|| replace(rw, op, source, &known, extents))?
}

/// The value that is put around a tensor everywhere: one that does not depend
/// on the place.
fn value_around(rw: &Rewriter, op: OpId) -> Option<Value> {
    let body = rw.body();
    let block = body.region_block(op, 0)?;
    let value = *body[body[block].last()?].operands.first()?;
    (body.value_block(value) != Some(block)).then_some(value)
}

/// Twice the same value around a tensor is once more of it.
fn pad_once(rw: &mut Rewriter, op: OpId, widths: &Widths) -> Option<()> {
    let middle = *rw.body()[op].operands.first()?;
    let maker = rw.body().defining_op(middle)?;
    if rw.body()[maker].name != tensor::PAD || is_wanted(rw, op) || is_wanted(rw, maker) {
        return None;
    }
    if value_around(rw, op)? != value_around(rw, maker)? {
        return None;
    }
    let inner = self::widths(rw, maker)?;
    let sum = |(&a, &b): (&Mixed, &Mixed)| match (a, b) {
        // What is cut off again is not what lies around.
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

/// A pad whose only user casts it to a type that says more has that type.
pub(super) fn retype(rw: &mut Rewriter, cast: OpId, op: OpId) -> Option<()> {
    let ctx = rw.ctx;
    let [before, after] = [op, cast].map(|op| rw.body()[op].result(0));
    let ty = rw.body().ty(after);
    if rw.users(before) != [cast] || !only_forgets(ctx, ty, rw.body().ty(before)) {
        return None;
    }
    let source = *rw.body()[op].operands.first()?;
    let widths = widths(rw, op)?;
    // What contradicts the widths is an error of the running program.
    join(
        &padded(shape(ctx, rw.body().ty(source))?, &widths),
        shape(ctx, ty)?,
    )?;
    let value = remake(rw, op, source, &widths, ty);
    rw.replace_op(cast, &[value]);
    rw.erase(op);
    Some(())
}
