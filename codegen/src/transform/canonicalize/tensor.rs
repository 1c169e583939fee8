//! `tensor`: sizes that are known become part of the type, slices know their
//! constants, and parallel loops have the extents of what they start from.
//!
//! ```text
//! extract_slice %t[%c0] [%c4] [1]  ⇒  cast (extract_slice %t[0] [4] [1])
//! extract_slice (cast %t)[2] [4] [1]  ⇒  extract_slice %t[2] [4] [1]
//! empty(%c4) : tensor<?xf32>       ⇒  cast (empty() : tensor<4xf32>)
//! dim (forall shared_outs(%t)), 0  ⇒  dim %t, 0
//! ```

use gridloom_ir::dialect::memref::Mixed;
use gridloom_ir::dialect::{scf, tensor};
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{Context, OpId, Type, TypeKind, Value};

use super::build::{create, make};
use super::slices::{Lists, assemble, known_inside, lies_inside, lists, numbers};
use crate::transform::rewriter::Rewriter;

/// One rule or another; `None` if none fits.
pub(super) fn simplify(rw: &mut Rewriter, op: OpId) -> Option<()> {
    match rw.body()[op].name {
        tensor::EXTRACT_SLICE => extract_slice(rw, op).or_else(|| slice_uncast(rw, op)),
        tensor::INSERT_SLICE | tensor::PARALLEL_INSERT_SLICE => insert_slice(rw, op),
        tensor::EMPTY => empty(rw, op),
        tensor::DIM => dim(rw, op),
        _ => None,
    }
}

/// The extents of a ranked tensor.
fn shape(ctx: &Context, ty: Type) -> Option<&[i64]> {
    match ty.kind(ctx) {
        TypeKind::RankedTensor { shape, .. } => Some(shape),
        _ => None,
    }
}

/// A tensor of the same elements with other extents.
fn with_shape(ctx: &Context, ty: Type, extents: Vec<i64>) -> Option<Type> {
    let mut kind = ty.kind(ctx).clone();
    let TypeKind::RankedTensor { shape, .. } = &mut kind else {
        return None;
    };
    *shape = extents.into();
    Some(ctx.intern_type(kind))
}

/// A tensor as one of another type, which says more or less of it.
fn as_type(rw: &mut Rewriter, anchor: OpId, value: Value, ty: Type) -> Value {
    if rw.body().ty(value) == ty {
        return value;
    }
    rw.make(anchor, tensor::CAST, &[value], ty)
}

/// The type of a part with these sizes, one of which may be left out where it
/// is 1; `None` where more than one choice would do.
fn part_type(ctx: &Context, ty: Type, sizes: &[Mixed]) -> Option<Type> {
    let sizes = numbers(sizes);
    let rank = shape(ctx, ty)?.len();
    let units = sizes.iter().filter(|&&size| size == 1).count();
    let kept: Vec<i64> = match sizes.len().checked_sub(rank)? {
        0 => sizes,
        gone if gone == units => sizes.into_iter().filter(|&size| size != 1).collect(),
        _ => return None,
    };
    with_shape(ctx, ty, kept)
}

/// The numbers that a slice may have in the place of constants, if any.
fn better(rw: &Rewriter, op: OpId, others: usize) -> Option<Lists> {
    let before = lists(rw, op, others)?;
    // The last of the others is what the slice lies in.
    let whole = *rw.body()[op].operands.get(others - 1)?;
    let after = known_inside(rw, op, &before, shape(rw.ctx, rw.body().ty(whole))?);
    (after != before).then_some(after)
}

fn extract_slice(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let better = better(rw, op, 1)?;
    let data = &rw.body()[op];
    let (source, result) = (*data.operands.first()?, rw.body().ty(data.result(0)));
    let ty = part_type(rw.ctx, result, &better[1])?;
    let (operands, properties) = assemble(rw.ctx, &[source], &better);
    let part = make(rw, op, tensor::EXTRACT_SLICE, &operands, ty, &properties);
    let part = as_type(rw, op, part, result);
    rw.replace_op(op, &[part]);
    Some(())
}

/// A slice of a tensor of which a cast only forgot extents is one of the
/// tensor, unless it would be known to reach beyond that.
fn slice_uncast(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let (ctx, body) = (rw.ctx, rw.body());
    let (&cast, others) = body[op].operands.split_first()?;
    let &source = rw.look(op).maker(cast, tensor::CAST)?.operands.first()?;
    if !only_forgets(ctx, body.ty(source), body.ty(cast))
        || !lies_inside(&lists(rw, op, 1)?, shape(ctx, body.ty(source))?)
    {
        return None;
    }
    let operands = [&[source], others].concat();
    rw.set_operands(op, &operands);
    Some(())
}

fn insert_slice(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let better = better(rw, op, 2)?;
    let data = &rw.body()[op];
    let (name, [source, dest]) = (data.name, *data.operands.first_chunk()?);
    let ty = part_type(rw.ctx, rw.body().ty(source), &better[1])?;
    let anchor = match name {
        tensor::PARALLEL_INSERT_SLICE => rw.body().parent_op(op)?,
        _ => op,
    };
    let source = as_type(rw, anchor, source, ty);
    let (operands, properties) = assemble(rw.ctx, &[source, dest], &better);
    let types: Vec<Type> = (rw.body()[op].results())
        .map(|result| rw.body().ty(result))
        .collect();
    let new = create(rw, op, name, &operands, &types, &properties);
    let results: Vec<Value> = rw.body()[new].results().collect();
    rw.replace_op(op, &results);
    Some(())
}

/// Sizes that are constants are part of the type.
fn empty(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let result = rw.body().ty(rw.body()[op].result(0));
    let cx = rw.look(op);
    let sizes = Mixed::zip(shape(rw.ctx, result)?, &cx.data().operands);
    let number = |item: &Mixed| match *item {
        Mixed::Value(value) => match cx.int(value).filter(|&number| number >= 0) {
            Some(number) => Mixed::Constant(number),
            None => *item,
        },
        constant => constant,
    };
    let known: Vec<Mixed> = sizes.iter().map(number).collect();
    if known == sizes {
        return None;
    }
    let (extents, values) = Mixed::unzip(&known);
    let ty = with_shape(rw.ctx, result, extents)?;
    let new = rw.make(op, tensor::EMPTY, &values, ty);
    let new = as_type(rw, op, new, result);
    rw.replace_op(op, &[new]);
    Some(())
}

/// A parallel loop gives tensors of the extents of those it starts from, and
/// a cast those of its operand.
fn dim(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let cx = rw.look(op);
    let [source, index] = cx.operands()?;
    let body = rw.body();
    let maker = body.defining_op(source)?;
    let origin = match body[maker].name {
        scf::FORALL => {
            let number = body[maker].results().position(|result| result == source)?;
            *body[maker].operand_segment(rw.ctx, 3).get(number)?
        }
        tensor::CAST => *body[maker].operands.first()?,
        _ => return None,
    };
    let is_ranked = |value: Value| shape(rw.ctx, body.ty(value)).is_some();
    if !is_ranked(origin) || !is_ranked(source) {
        return None;
    }
    rw.set_operands(op, &[origin, index]);
    Some(())
}

/// Whether each extent that a type knows is known to the other, too, so that
/// a cast from the other to it only forgets.
pub(super) fn only_forgets(ctx: &Context, from: Type, to: Type) -> bool {
    let (Some(from), Some(to)) = (shape(ctx, from), shape(ctx, to)) else {
        return false;
    };
    let mut pairs = from.iter().zip(to);
    from.len() == to.len() && pairs.all(|(&from, &to)| to == DYNAMIC || from == to)
}
