//! Reassociation groups: which dimensions a reshape collapses into one or
//! expands one into.

use gridloom_dialects::memref::Mixed;
use gridloom_dialects::{arith, inherent};
use gridloom_ir::body::OpData;
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{Attr, Context, OpId, OpName, Value};

use super::build::{integer_array, remake};
use crate::rewriter::Rewriter;

/// For each dimension of the lower rank, the dimensions of the higher rank that
/// make it up.
pub type Groups = Vec<Vec<i64>>;

/// Reads the `reassociation` attribute.
pub fn groups(ctx: &Context, data: &OpData) -> Option<Groups> {
    let items = data.get(ctx, inherent::REASSOCIATION)?;
    let group = |item: &Attr| {
        let dims = item.as_array(ctx)?.iter();
        dims.map(|dim| dim.as_i64(ctx)).collect()
    };
    items.iter().map(group).collect()
}

/// Makes a `reassociation` attribute.
pub(super) fn groups_attr(ctx: &Context, groups: &Groups) -> Attr {
    let group = |dims: &Vec<i64>| integer_array(ctx, dims);
    let items: Vec<Attr> = groups.iter().map(group).collect();
    ctx.array_attr(&items)
}

/// Composes two reassociations: each group of `outer` names groups of `inner`.
pub(super) fn compose_groups(outer: &Groups, inner: &Groups) -> Option<Groups> {
    let whole = |dims: &Vec<i64>| {
        let parts = dims
            .iter()
            .map(|&dim| inner.get(usize::try_from(dim).ok()?));
        let parts: Option<Vec<&Vec<i64>>> = parts.collect();
        Some(parts?.into_iter().flatten().copied().collect())
    };
    outer.iter().map(whole).collect()
}

/// The inverse of [`compose_groups`]: for each group of `coarse`, the groups of `fine`
/// that make it up.
pub(super) fn decompose_groups(coarse: &Groups, fine: &Groups) -> Option<Groups> {
    let mut parts = fine.iter().enumerate().peekable();
    let mut nested = Vec::new();
    for group in coarse {
        let (mut left, mut inner) = (&group[..], Vec::new());
        while !left.is_empty() {
            let (number, part) = parts.next()?;
            left = left.strip_prefix(&part[..])?;
            inner.push(number as i64);
        }
        nested.push(inner);
    }
    parts.next().is_none().then_some(nested)
}

/// A product of extents: dynamic if a factor is, or if it overflows.
pub(super) fn times(a: i64, b: i64) -> i64 {
    match (a, b) {
        (DYNAMIC, _) | (_, DYNAMIC) => DYNAMIC,
        (a, b) => a.checked_mul(b).unwrap_or(DYNAMIC),
    }
}

/// A reassociation straight from `many` dimensions to `few`: inside each pair
/// of groups, each dimension of `few` takes the run of `many` with the same
/// number of elements. One dynamic extent a group takes what the others leave.
fn regroup(few: &[i64], of_few: &Groups, many: &[i64], of_many: &Groups) -> Option<Groups> {
    let mut nested = Vec::new();
    let extents = |extents: &[i64], dims: &[i64]| -> Option<Vec<i64>> {
        let extent = |&dim: &i64| extents.get(usize::try_from(dim).ok()?).copied();
        dims.iter().map(extent).collect()
    };
    for (coarse, fine) in of_few.iter().zip(of_many) {
        let (few, many) = (extents(few, coarse)?, extents(many, fine)?);
        let lengths = match few.iter().position(|&extent| extent == DYNAMIC) {
            Some(unknown) => runs_around(&few, &many, unknown)?,
            None => runs(&few, &many)?,
        };
        let mut left = &fine[..];
        for length in lengths {
            let (run, rest) = left.split_at_checked(length)?;
            nested.push(run.to_vec());
            left = rest;
        }
    }
    Some(nested)
}

/// The number of dimensions of `many` that make up each of `few`; all extents of `few`
/// are static.
fn runs(few: &[i64], many: &[i64]) -> Option<Vec<usize>> {
    let mut lengths = leading_runs(few, many)?;
    let rest = many.get(lengths.iter().sum()..)?;
    // Trailing unit dimensions join the last run.
    if rest.iter().any(|&extent| extent != 1) {
        return None;
    }
    if !rest.is_empty() {
        *lengths.last_mut()? += rest.len();
    }
    Some(lengths)
}

/// As [`runs`], but covers only a prefix of `many`, with the shortest runs.
fn leading_runs(few: &[i64], many: &[i64]) -> Option<Vec<usize>> {
    let mut left = many.iter();
    let run = |&extent: &i64| {
        let (mut length, mut total) = (0, 1);
        while total < extent || length == 0 {
            let &next = left.next().filter(|&&next| next != DYNAMIC)?;
            total = total.checked_mul(next)?;
            length += 1;
        }
        (total == extent).then_some(length)
    };
    few.iter().map(run).collect()
}

/// As [`runs`], where the extent number `unknown` is dynamic and all others are
/// static. An extent of 0 would leave the dynamic one undetermined.
fn runs_around(few: &[i64], many: &[i64], unknown: usize) -> Option<Vec<usize>> {
    let backwards = |extents: &[i64]| extents.iter().rev().copied().collect::<Vec<_>>();
    let (head, tail) = (few.get(..unknown)?, few.get(unknown + 1..)?);
    let mut lengths = leading_runs(head, many)?;
    let mut after = leading_runs(&backwards(tail), &backwards(many))?;
    let taken: usize = lengths.iter().chain(&after).sum();
    let start: usize = lengths.iter().sum();
    let mut length = many.len().checked_sub(taken).filter(|&length| length > 0)?;
    let is_open = few.contains(&0) || many.contains(&0) || tail.contains(&DYNAMIC);
    if is_open || !many[start..start + length].contains(&DYNAMIC) {
        return None;
    }
    after.reverse();
    // As in mlir-opt, unit dimensions join the run that follows.
    if let Some(next) = after.first_mut() {
        while many[start + length - 1] == 1 {
            (length, *next) = (length - 1, *next + 1);
        }
    }
    lengths.push(length);
    lengths.extend(after);
    Some(lengths)
}

/// The output shape of an `expand_shape`.
pub(super) fn expanded_sizes(rw: &Rewriter, op: OpId) -> Option<Vec<Mixed>> {
    let data = &rw.body()[op];
    let constants = data.get(rw.ctx, inherent::STATIC_OUTPUT_SHAPE)?;
    Some(Mixed::zip(&constants, data.operands.get(1..)?))
}

/// The product of the sizes in each group, computed before `op`.
pub(super) fn products(
    rw: &mut Rewriter,
    op: OpId,
    sizes: &[Mixed],
    groups: &Groups,
) -> Option<Vec<Mixed>> {
    let index = rw.ctx.index_type();
    let mut all = Vec::new();
    for dims in groups {
        let (mut known, mut product) = (1i64, None);
        for &dim in dims {
            match *sizes.get(usize::try_from(dim).ok()?)? {
                Mixed::Constant(size) => known = known.checked_mul(size)?,
                Mixed::Value(value) => {
                    product = Some(match product {
                        Some(product) => rw.make(op, arith::MULI, &[product, value], index),
                        None => value,
                    });
                }
            }
        }
        all.push(match product {
            None => Mixed::Constant(known),
            Some(product) if known == 1 => Mixed::Value(product),
            Some(product) => {
                let known = rw.splat(known as u64, index, op)?;
                Mixed::Value(rw.make(op, arith::MULI, &[product, known], index))
            }
        });
    }
    Some(all)
}

/// The collapsed shape: the product of the extents in each group.
pub(super) fn extents_of_groups(extents: &[i64], groups: &Groups) -> Vec<i64> {
    let extent = |dims: &Vec<i64>| {
        let extents = dims.iter().map(|&dim| extents[dim as usize]);
        extents.fold(1, times)
    };
    groups.iter().map(extent).collect()
}

/// `expand_shape (collapse_shape %x) ⇒` a single `collapse_shape` or
/// `expand_shape` of `%x`, if each group has at most one dynamic extent.
pub(super) fn expand_collapsed(
    rw: &mut Rewriter,
    op: OpId,
    maker: OpId,
    [before, after]: [&[i64]; 2],
    [collapse, expand]: [OpName; 2],
) -> Option<()> {
    let origin = *rw.body()[maker].operands.first()?;
    if before.len() == after.len() {
        return None;
    }
    let inner = groups(rw.ctx, &rw.body()[maker])?;
    let outer = groups(rw.ctx, &rw.body()[op])?;
    if before.len() > after.len() {
        let nested = regroup(after, &outer, before, &inner)?;
        return reshape_as(rw, op, collapse, origin, &nested, None);
    }
    let nested = regroup(before, &inner, after, &outer)?;
    let sizes = expanded_sizes(rw, op)?;
    reshape_as(rw, op, expand, origin, &nested, Some(&sizes))
}

/// Replaces an operation by a reshape of `origin` to the same type; `sizes` is
/// the output shape of an expansion.
pub(super) fn reshape_as(
    rw: &mut Rewriter,
    op: OpId,
    name: OpName,
    origin: Value,
    groups: &Groups,
    sizes: Option<&[Mixed]>,
) -> Option<()> {
    let mut properties = vec![(inherent::REASSOCIATION.name(), groups_attr(rw.ctx, groups))];
    let mut operands = vec![origin];
    if let Some(sizes) = sizes {
        let (constants, values) = Mixed::unzip(sizes);
        properties.push((
            inherent::STATIC_OUTPUT_SHAPE.name(),
            rw.ctx.i64_array_attr(&constants),
        ));
        operands.extend(values);
    }
    remake(rw, op, name, &operands, &properties)
}
