//! Dimensions in groups, as reshapes of memory and of tensors join and split
//! them.

use gridloom_ir::body::OpData;
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{Attr, Context};

use super::build::integer_array;

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
/// many elements, group by group of what lies between both.
pub(super) fn regroup(
    few: &[i64],
    of_few: &Groups,
    many: &[i64],
    of_many: &Groups,
) -> Option<Groups> {
    let mut nested = Vec::new();
    for (coarse, fine) in of_few.iter().zip(of_many) {
        let mut left = fine.iter().copied().peekable();
        for &dim in coarse {
            let (extent, mut run, mut total) = (few[dim as usize], Vec::new(), 1);
            while total < extent || run.is_empty() {
                let next = left.next()?;
                total = times(total, many[next as usize]);
                run.push(next);
            }
            if total != extent {
                return None;
            }
            nested.push(run);
        }
        // Dimensions of one element belong to the last run.
        for next in left {
            if many[next as usize] != 1 {
                return None;
            }
            nested.last_mut()?.push(next);
        }
    }
    Some(nested)
}
