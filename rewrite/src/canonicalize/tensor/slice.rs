//! `tensor.extract_slice`, `tensor.insert_slice` and
//! `tensor.parallel_insert_slice`: makes constant operands static and looks
//! through casts.

use gridloom_dialects::memref::Mixed;
use gridloom_dialects::tensor;
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{Context, OpId, Type, Value};

use super::super::build::{create, make};
use super::super::slices::{Lists, assemble, known_inside, lies_inside, lists, numbers};
use super::{as_type, only_erases_extents, shape, with_shape};
use crate::rewriter::Rewriter;

/// Tries each rewrite of `tensor.extract_slice`.
pub(super) fn extract(rw: &mut Rewriter, op: OpId) -> Option<()> {
    extract_slice(rw, op).or_else(|| slice_uncast(rw, op))
}

/// Tries each rewrite of `tensor.insert_slice` and
/// `tensor.parallel_insert_slice`.
pub(super) fn insert(rw: &mut Rewriter, op: OpId) -> Option<()> {
    insert_slice(rw, op)
        .or_else(|| insert_once(rw, op))
        .or_else(|| insert_uncast(rw, op))
}

/// The type of a slice with these sizes, rank-reduced like `ty`; `None` if it
/// is not clear which unit dimensions `ty` drops.
fn part_type(ctx: &Context, ty: Type, sizes: &[Mixed]) -> Option<Type> {
    let places = places(sizes, shape(ctx, ty)?.len())?;
    let pairs = numbers(sizes).into_iter().zip(places);
    let kept = pairs.filter_map(|(size, place)| place.map(|_| size));
    with_shape(ctx, ty, kept.collect())
}

/// The lists of a slice with constant operands made static; `None` if nothing
/// changes.
fn better(rw: &Rewriter, op: OpId, others: usize) -> Option<Lists> {
    let before = lists(rw, op, others)?;
    // The last of the other operands is the tensor that the slice lies in.
    let whole = *rw.body()[op].operands.get(others - 1)?;
    let after = known_inside(rw, op, &before, shape(rw.ctx, rw.body().ty(whole))?);
    (after != before).then_some(after)
}

/// `extract_slice %t[%c1] [4] [1] ⇒ cast (extract_slice %t[1] [4] [1])`.
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

/// `extract_slice (cast %t) ⇒ extract_slice %t` if the cast only erases
/// extents, unless the slice would become statically out of bounds.
fn slice_uncast(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let (ctx, body) = (rw.ctx, rw.body());
    let (&cast, others) = body[op].operands.split_first()?;
    let &source = rw.look(op).maker(cast, tensor::CAST)?.operands.first()?;
    if !only_erases_extents(ctx, body.ty(source), body.ty(cast))
        || !lies_inside(&lists(rw, op, 1)?, shape(ctx, body.ty(source))?)
    {
        return None;
    }
    let operands = [&[source], others].concat();
    rw.set_operands(op, &operands);
    Some(())
}

/// `insert_slice %s into %t[%c1] [%c4] [1] ⇒ insert_slice (cast %s) into %t[1] [4] [1]`.
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

/// `insert_slice %a into (insert_slice %b into %t) ⇒ insert_slice %a into %t` at the same place.
fn insert_once(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let operands = rw.body()[op].operands.to_vec();
    let [part, whole] = *operands.first_chunk()?;
    let maker = rw.body().defining_op(whole)?;
    let [earlier, before] = *rw.body()[maker].operands.first_chunk()?;
    let names = [op, maker].map(|op| rw.body()[op].name);
    let same = names == [tensor::INSERT_SLICE; 2]
        && rw.body().ty(part) == rw.body().ty(earlier)
        && lists(rw, op, 2)? == lists(rw, maker, 2)?;
    if !same {
        return None;
    }
    let operands = [&[part, before], &operands[2..]].concat();
    rw.set_operands(op, &operands);
    Some(())
}

/// For each size, the dimension of a slice of this rank that has it; `None` for
/// a dropped unit dimension. Nothing if it is not clear which unit dimensions
/// are dropped.
fn places(sizes: &[Mixed], rank: usize) -> Option<Vec<Option<usize>>> {
    let is_unit = |&size: &Mixed| size == Mixed::Constant(1);
    let units = sizes.iter().filter(|size| is_unit(size)).count();
    let gone = sizes.len().checked_sub(rank)?;
    if gone != 0 && gone != units {
        return None;
    }
    let mut next = 0..rank;
    let place = |size: &Mixed| match gone != 0 && is_unit(size) {
        true => None,
        false => next.next(),
    };
    Some(sizes.iter().map(place).collect())
}

/// Takes static sizes from the type of the slice.
fn sizes_of_part(ctx: &Context, sizes: &[Mixed], part: Type) -> Option<Vec<Mixed>> {
    let extents = shape(ctx, part)?;
    let places = places(sizes, extents.len())?;
    let size = |(&size, place): (&Mixed, Option<usize>)| match (size, place) {
        (Mixed::Value(_), Some(place)) if extents[place] != DYNAMIC => {
            Mixed::Constant(extents[place])
        }
        _ => size,
    };
    Some(sizes.iter().zip(places).map(size).collect())
}

/// `cast (extract_slice %t) ⇒ extract_slice %t` with the static sizes of the
/// cast's type.
pub(super) fn extract_as(rw: &mut Rewriter, cast: OpId, slice: OpId) -> Option<()> {
    let ctx = rw.ctx;
    let [part, ty] = [slice, cast].map(|op| rw.body().ty(rw.body()[op].result(0)));
    let source = *rw.body()[slice].operands.first()?;
    let [offsets, sizes, strides] = lists(rw, slice, 1)?;
    if !only_erases_extents(ctx, ty, part) {
        return None;
    }
    let sizes = sizes_of_part(ctx, &sizes, ty)?;
    let better = [offsets, sizes, strides];
    if !lies_inside(&better, shape(ctx, rw.body().ty(source))?) {
        return None;
    }
    let (operands, properties) = assemble(ctx, &[source], &better);
    let value = make(rw, cast, tensor::EXTRACT_SLICE, &operands, ty, &properties);
    rw.replace_op(cast, &[value]);
    Some(())
}

/// The source of a cast that only erases extents.
fn uncast(rw: &Rewriter, op: OpId, value: Value) -> Option<Value> {
    let &source = rw.look(op).maker(value, tensor::CAST)?.operands.first()?;
    let [from, to] = [source, value].map(|value| rw.body().ty(value));
    only_erases_extents(rw.ctx, from, to).then_some(source)
}

/// `insert_slice (cast %s) into (cast %t) ⇒ cast (insert_slice %s into %t)` for casts that only
/// erase extents.
fn insert_uncast(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let ctx = rw.ctx;
    let [part, whole] = *rw.body()[op].operands.first_chunk()?;
    let [seen, origin] = [part, whole].map(|value| uncast(rw, op, value));
    if seen.is_none() && origin.is_none() {
        return None;
    }
    let (source, dest) = (seen.unwrap_or(part), origin.unwrap_or(whole));
    let [offsets, sizes, strides] = lists(rw, op, 2)?;
    let sizes = sizes_of_part(ctx, &sizes, rw.body().ty(source))?;
    let better = [offsets, sizes, strides];
    // The type of the slice must be the one that the sizes demand.
    let fits = part_type(ctx, rw.body().ty(source), &better[1]) == Some(rw.body().ty(source))
        && lies_inside(&better, shape(ctx, rw.body().ty(dest))?);
    if !fits {
        return None;
    }
    let (operands, properties) = assemble(ctx, &[source, dest], &better);
    let types: Vec<Type> = match rw.body()[op].num_results() {
        0 => Vec::new(),
        _ => vec![rw.body().ty(dest)],
    };
    let name = rw.body()[op].name;
    let new = create(rw, op, name, &operands, &types, &properties);
    let results: Vec<Value> = rw.body()[op].results().collect();
    let mut replacements = Vec::new();
    for (&old, new) in results
        .iter()
        .zip(rw.body()[new].results().collect::<Vec<_>>())
    {
        let ty = rw.body().ty(old);
        replacements.push(as_type(rw, op, new, ty));
    }
    rw.replace_op(op, &replacements);
    Some(())
}
