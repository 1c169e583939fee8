//! Verifiers of reshapes and concatenations.

use super::check::rank;
use super::kind::shape;
use crate::reshape::{groups, output_extents};
use gridloom_ir::types::{DYNAMIC, Type};
use gridloom_ir::verify::{Check, Checked};

/// Checks that the groups cover the expanded dimensions in order.
fn verify_groups(check: &Check, groups: &[Vec<i64>], expanded: usize) -> Checked {
    let last = groups.iter().flatten().max().map_or(0, |&dim| dim + 1);
    for index in 0..groups.len() {
        check.ensure(
            last == expanded as i64,
            format_args!(
                "expected reassociation map #{index} to have size equal to the expanded rank \
                 ({expanded}), but it is  {last}."
            ),
        )?;
    }
    let mut next = 0;
    for (index, group) in groups.iter().enumerate() {
        for &dim in group {
            check.ensure(
                dim == next,
                format_args!("expected reassociation map #{index} to be valid and contiguous."),
            )?;
            next += 1;
        }
    }
    Ok(())
}

/// Verifies `tensor.collapse_shape` and `tensor.expand_shape`.
fn verify_regrouped(check: &Check, expanded: Type, collapsed: Type) -> Checked {
    let ctx = check.ctx();
    let (Some(wide), Some(narrow)) = (shape(ctx, expanded), shape(ctx, collapsed)) else {
        return Err(check.error("requires tensors of known rank"));
    };
    check.ensure(
        wide.len() >= narrow.len(),
        format_args!(
            "expected the expanded type, '{}' to have a higher (or same) rank than the \
             collapsed type, '{}'.",
            check.show(expanded),
            check.show(collapsed)
        ),
    )?;
    let groups = groups(check);
    check.ensure(
        narrow.len() == groups.len(),
        format_args!(
            "expected collapsed rank ({}) to equal the number of reassociation maps ({}).",
            narrow.len(),
            groups.len()
        ),
    )?;
    verify_groups(check, &groups, wide.len())?;
    let mut start = 0;
    for (index, (group, &extent)) in groups.iter().zip(narrow).enumerate() {
        let extents = &wide[start..start + group.len()];
        start += group.len();
        if extents.contains(&DYNAMIC) {
            check.ensure(
                extent == DYNAMIC,
                format_args!(
                    "expected dimension {index} of collapsed type to be dynamic since one or more \
                     of the corresponding dimensions in the expanded type is dynamic"
                ),
            )?;
            continue;
        }
        let product = extents.iter().fold(1i64, |n, &d| n.wrapping_mul(d));
        check.ensure(
            extent == product,
            format_args!(
                "expected dimension {index} of collapsed type to be static value of {product}"
            ),
        )?;
    }
    let (element, actual) = (expanded.element(ctx), collapsed.element(ctx));
    match element {
        Some(element) if Some(element) != actual => Err(check.error(format!(
            "expected collapsed type to be '{}', but got '{}'",
            check.show(ctx.tensor_type(narrow, element)),
            check.show(collapsed)
        ))),
        _ => Ok(()),
    }
}

pub(super) fn verify_collapse_shape(check: &Check) -> Checked {
    verify_regrouped(check, check.operand_type(0), check.result_type(0))
}

pub(super) fn verify_expand_shape(check: &Check) -> Checked {
    output_extents(check, rank(check, check.result_type(0)), "dims")?;
    verify_regrouped(check, check.result_type(0), check.operand_type(0))
}

pub(super) fn verify_reshape(check: &Check) -> Checked {
    let ctx = check.ctx();
    let (from, to) = (check.operand_type(0), check.result_type(0));
    check.ensure(
        from.element(ctx) == to.element(ctx),
        "element types of source and destination tensor types should be the same",
    )?;
    let Some(result) = shape(ctx, to) else {
        return Ok(());
    };
    let count = |shape: &[i64]| {
        let known = !shape.contains(&DYNAMIC);
        known.then(|| shape.iter().fold(1i64, |n, &d| n.wrapping_mul(d)))
    };
    if let (Some(source), Some(result)) = (shape(ctx, from).and_then(count), count(result)) {
        check.ensure(
            source == result,
            "source and destination tensor should have the same number of elements",
        )?;
    }
    let length = shape(ctx, check.operand_type(1)).and_then(|shape| shape.first().copied());
    check.ensure(
        length != Some(DYNAMIC),
        "cannot use shape operand with dynamic length to reshape to statically-ranked tensor type",
    )?;
    check.ensure(
        length == Some(result.len() as i64),
        "length of shape operand differs from the result's tensor rank",
    )
}

/// The common extent of the concatenated tensors, or an error if they differ.
fn shared_extent(inputs: &[&[i64]], dim: usize) -> Result<i64, ()> {
    inputs
        .iter()
        .try_fold(DYNAMIC, |known, shape| match shape[dim] {
            DYNAMIC => Ok(known),
            extent if known == DYNAMIC || known == extent => Ok(extent),
            _ => Err(()),
        })
}

pub(super) fn verify_concat(check: &Check) -> Checked {
    let ctx = check.ctx();
    let to = check.result_type(0);
    let inputs: Vec<&[i64]> = check
        .operand_types()
        .filter_map(|ty| shape(ctx, ty))
        .collect();
    check.ensure(!inputs.is_empty(), "requires at least one input")?;
    let result = shape(ctx, to).unwrap_or(&[]);
    check.ensure(
        inputs.iter().all(|shape| shape.len() == result.len()),
        "rank of concatenated inputs must match result rank",
    )?;
    let element = to.element(ctx);
    check.ensure(
        check.operand_types().all(|ty| ty.element(ctx) == element),
        "inputs and result element type must match",
    )?;
    let dim = check
        .data()
        .attr(ctx, "dim")
        .and_then(|dim| dim.as_i64(ctx));
    let dim = dim.and_then(|dim| usize::try_from(dim).ok());
    let Some(dim) = dim.filter(|&dim| dim < result.len()) else {
        return Err(check.error("concatenation dim must be less than the tensor rank"));
    };
    let mut extents = Vec::with_capacity(result.len());
    for at in 0..result.len() {
        if at == dim {
            let sum = inputs.iter().try_fold(0i64, |sum, shape| match shape[dim] {
                DYNAMIC => None,
                extent => sum.checked_add(extent),
            });
            extents.push(sum.unwrap_or(DYNAMIC));
            continue;
        }
        let message =
            format!("static concatenation size mismatch along non-concatenated dimension {at}");
        extents.push(shared_extent(&inputs, at).map_err(|()| check.error(message))?);
    }
    if gridloom_ir::verify::compatible(&extents, result) {
        return Ok(());
    }
    let inferred = ctx.tensor_type(&extents, element.unwrap_or(to));
    Err(check.error(format!(
        "result type '{}'does not match inferred shape '{}' static sizes",
        check.show(to),
        check.show(inferred)
    )))
}
