//! Dimensions in groups, as reshapes of memory and of tensors join and split
//! them.

use gridloom_ir::body::OpData;
use gridloom_ir::dialect::arith;
use gridloom_ir::dialect::memref::Mixed;
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{Attr, Context, OpId, OpName, Value};

use super::build::{integer_array, remake};
use crate::transform::rewriter::Rewriter;

/// For each dimension of the lower rank, those of the higher rank.
pub(super) type Groups = Vec<Vec<i64>>;

/// The groups of a `reassociation`.
pub(super) fn groups(ctx: &Context, data: &OpData) -> Option<Groups> {
    let items = data.attr(ctx, "reassociation")?.as_array(ctx)?;
    let group = |item: &Attr| {
        let dims = item.as_array(ctx)?.iter();
        dims.map(|dim| dim.as_i64(ctx)).collect()
    };
    items.iter().map(group).collect()
}

/// A `reassociation`.
pub(super) fn groups_attr(ctx: &Context, groups: &Groups) -> Attr {
    let group = |dims: &Vec<i64>| integer_array(ctx, dims);
    let items: Vec<Attr> = groups.iter().map(group).collect();
    ctx.array_attr(&items)
}

/// The groups of two steps at once: each of `outer` names groups of `inner`.
pub(super) fn join(outer: &Groups, inner: &Groups) -> Option<Groups> {
    let whole = |dims: &Vec<i64>| {
        let parts = dims
            .iter()
            .map(|&dim| inner.get(usize::try_from(dim).ok()?));
        let parts: Option<Vec<&Vec<i64>>> = parts.collect();
        Some(parts?.into_iter().flatten().copied().collect())
    };
    outer.iter().map(whole).collect()
}

/// The groups of `fine` that make up each group of `coarse`, both of the same
/// dimensions.
pub(super) fn nest(coarse: &Groups, fine: &Groups) -> Option<Groups> {
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

/// A number of elements.
pub(super) fn times(a: i64, b: i64) -> i64 {
    match (a, b) {
        (DYNAMIC, _) | (_, DYNAMIC) => DYNAMIC,
        (a, b) => a.checked_mul(b).unwrap_or(DYNAMIC),
    }
}

/// For each dimension of `few`, the run of dimensions of `many` that has as
/// many elements, group by group of what lies between both. An unknown extent
/// has what the others leave.
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

/// The length of the run of `many` for each of the extents of `few`, all of
/// them known.
fn runs(few: &[i64], many: &[i64]) -> Option<Vec<usize>> {
    let mut lengths = leading_runs(few, many)?;
    let rest = many.get(lengths.iter().sum()..)?;
    // Dimensions of one element belong to the last run.
    if rest.iter().any(|&extent| extent != 1) {
        return None;
    }
    if !rest.is_empty() {
        *lengths.last_mut()? += rest.len();
    }
    Some(lengths)
}

/// The lengths of the shortest runs at the head of `many`.
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

/// As [`runs`], where extent number `unknown` is not known, but all others
/// are. A dimension of no element would leave it open.
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
    // As mlir-opt does: dimensions of one element belong to what follows.
    if let Some(next) = after.first_mut() {
        while many[start + length - 1] == 1 {
            (length, *next) = (length - 1, *next + 1);
        }
    }
    lengths.push(length);
    lengths.extend(after);
    Some(lengths)
}

/// The extents that `expand_shape` gives.
pub(super) fn expanded_sizes(rw: &Rewriter, op: OpId) -> Option<Vec<Mixed>> {
    let data = &rw.body()[op];
    let constants = data
        .attr(rw.ctx, "static_output_shape")?
        .as_i64_array(rw.ctx)?;
    Some(Mixed::zip(&constants, data.operands.get(1..)?))
}

/// For each group, the product of the extents, computed before an operation.
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

/// The extents of groups of dimensions with these extents, put together.
pub(super) fn extents_of_groups(extents: &[i64], groups: &Groups) -> Vec<i64> {
    let extent = |dims: &Vec<i64>| {
        let extents = dims.iter().map(|&dim| extents[dim as usize]);
        extents.fold(1, times)
    };
    groups.iter().map(extent).collect()
}

/// Makes one step, by the operation that collapses or the one that expands, of
/// an expansion and the collapse before it, where each group has one unknown
/// extent at most.
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

/// Puts a reshape of `origin` to the same type, of these extents if it
/// expands, in the place of one.
pub(super) fn reshape_as(
    rw: &mut Rewriter,
    op: OpId,
    name: OpName,
    origin: Value,
    groups: &Groups,
    sizes: Option<&[Mixed]>,
) -> Option<()> {
    let mut properties = vec![("reassociation", groups_attr(rw.ctx, groups))];
    let mut operands = vec![origin];
    if let Some(sizes) = sizes {
        let (constants, values) = Mixed::unzip(sizes);
        properties.push(("static_output_shape", rw.ctx.i64_array_attr(&constants)));
        operands.extend(values);
    }
    remake(rw, op, name, &operands, &properties)
}
