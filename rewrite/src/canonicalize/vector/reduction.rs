//! Reductions of one element, or along unit dimensions or none.
//!
//! ```text
//! reduction <add>, %v, %a : vector<1xf32>       ⇒  addf (extract %v[0]), %a
//! multi_reduction <mul>, %v, %a [1] : 4x1 to 4  ⇒  mulf %a, (shape_cast %v)
//! ```

use gridloom_dialects::{arith, inherent, vector};
use gridloom_ir::body::OpData;
use gridloom_ir::scalar::Accumulate;
use gridloom_ir::{OpId, OpName, Type, Value};

use super::super::build::make;
use super::{extents, is_scalable, vector_of};
use crate::rewriter::Rewriter;

/// `reduction` of one element ⇒ that element, combined with the accumulator.
pub(super) fn simplify(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let parent = rw.body().parent_op(op);
    if parent.is_some_and(|parent| rw.body()[parent].name == vector::MASK) {
        return None;
    }
    let value = combined(rw, op, op)?;
    rw.replace_op(op, &[value]);
    Some(())
}

/// A masked reduction of one element ⇒ a select between the combined value and
/// the accumulator.
pub(super) fn simplify_masked(rw: &mut Rewriter, op: OpId, inner: OpId, mask: Value) -> Option<()> {
    if !is_single(rw, inner) || rw.body()[op].num_results() != 1 {
        return None;
    }
    // Without an accumulator, a masked-off element gives the kind's neutral
    // element.
    let &[_, start] = &rw.body()[inner].operands[..] else {
        return None;
    };
    let lane = only_element(rw, op, mask)?;
    let value = combined(rw, op, inner)?;
    let ty = rw.body().ty(value);
    let value = rw.make(op, arith::SELECT, &[lane, value, start], ty);
    rw.replace_op(op, &[value]);
    Some(())
}

fn is_single(rw: &Rewriter, op: OpId) -> bool {
    let Some(&vector) = rw.body()[op].operands.first() else {
        return false;
    };
    matches!(extents(rw, rw.body().ty(vector)), [1] | []) && !is_scalable(rw, rw.body().ty(vector))
}

/// Extracts the only element of a vector before `anchor`.
fn only_element(rw: &mut Rewriter, anchor: OpId, vector: Value) -> Option<Value> {
    let parts = vector_of(rw, vector)?;
    let at = rw.ctx.i64_array_attr(&vec![0; parts.rank()]);
    let position = [(inherent::STATIC_POSITION.name(), at)];
    Some(make(
        rw,
        anchor,
        vector::EXTRACT,
        &[vector],
        parts.element,
        &position,
    ))
}

/// The result of a reduction of one element, computed before `anchor`.
fn combined(rw: &mut Rewriter, anchor: OpId, op: OpId) -> Option<Value> {
    if !is_single(rw, op) {
        return None;
    }
    let operands = rw.body()[op].operands.to_vec();
    let name = combiner(rw, &rw.body()[op], rw.body().ty(rw.body()[op].result(0)))?;
    let flags = rw.body()[op].get(rw.ctx, inherent::FASTMATH);
    let value = only_element(rw, anchor, operands[0])?;
    let Some(&start) = operands.get(1) else {
        return Some(value);
    };
    Some(combine(rw, anchor, name, [value, start], flags))
}

fn combine(
    rw: &mut Rewriter,
    anchor: OpId,
    name: OpName,
    operands: [Value; 2],
    flags: Option<gridloom_ir::Attr>,
) -> Value {
    let ty = rw.body().ty(operands[0]);
    let element = ty.element(rw.ctx).unwrap_or(ty);
    let flags = flags.filter(|_| element.float_kind(rw.ctx).is_some());
    let properties = flags.map(|flags| (inherent::FASTMATH.name(), flags));
    make(rw, anchor, name, &operands, ty, properties.as_slice())
}

/// The binary operation of a reduction kind.
fn combiner(rw: &Rewriter, data: &OpData, ty: Type) -> Option<OpName> {
    let element = ty.element(rw.ctx).unwrap_or(ty);
    let is_float = element.float_kind(rw.ctx).is_some();
    let kind = vector::combining_kind(rw.ctx, data.get(rw.ctx, inherent::COMBINING_KIND)?)?;
    arith::combining_op(Accumulate::from_keyword(kind, is_float)?)
}

/// `multi_reduction` along unit dimensions or none ⇒ the accumulator combined
/// with the source, reshaped.
pub(super) fn simplify_multi(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let parent = rw.body().parent_op(op);
    if parent.is_some_and(|parent| rw.body()[parent].name == vector::MASK) {
        return None;
    }
    let [source, start] = rw.look(op).operands()?;
    let dims = rw.body()[op].get(rw.ctx, inherent::REDUCTION_DIMS)?;
    let parts = vector_of(rw, source)?;
    let single = |&dim: &i64| {
        let dim = usize::try_from(dim).ok()?;
        (parts.shape.get(dim) == Some(&1) && !parts.scalable[dim]).then_some(())
    };
    dims.iter().map(single).collect::<Option<()>>()?;
    let result = rw.body().ty(start);
    let name = combiner(rw, &rw.body()[op], result)?;
    let value = if rw.body().ty(source) == result {
        source
    } else if vector_of(rw, start).is_some() {
        make(rw, op, vector::SHAPE_CAST, &[source], result, &[])
    } else {
        only_element(rw, op, source)?
    };
    let value = combine(rw, op, name, [start, value], None);
    rw.replace_op(op, &[value]);
    Some(())
}
