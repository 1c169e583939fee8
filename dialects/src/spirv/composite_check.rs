//! Verifiers of composites and constants.

use std::iter::successors;

use super::scope::plain_error;
use super::view::{CoopMatrix, element_type, is_composite, is_spirv, num_elements};
use gridloom_ir::attr::{Attr, AttrKind, DenseData};
use gridloom_ir::constraints::attr_type;
use gridloom_ir::context::Context;
use gridloom_ir::text::{attr_string, type_string};
use gridloom_ir::types::{Type, TypeKind};
use gridloom_ir::verify::{Check, Checked};

/// The type of the part at an index path.
pub(super) fn part(ctx: &Context, whole: Type, indices: Option<Attr>) -> Result<Type, String> {
    let Some(indices) = indices.and_then(|indices| indices.as_array(ctx)) else {
        return Err("expected a 32-bit integer array attribute for 'indices'".into());
    };
    if indices.is_empty() {
        return Err("expected at least one index for spirv.CompositeExtract".into());
    }
    let mut ty = whole;
    for &index in indices {
        let Some(index) = index.as_i64(ctx) else {
            let found = attr_string(ctx, index);
            return Err(format!(
                "expected an 32-bit integer for index, but found '{found}'"
            ));
        };
        if !is_composite(ctx, ty) {
            return Err(format!(
                "cannot extract from non-composite type '{}' with index {index}",
                type_string(ctx, ty)
            ));
        }
        let position = usize::try_from(index).ok();
        let position = position.filter(|_| num_elements(ctx, ty).is_none_or(|n| index < n));
        // Any index will do where the number of elements is unknown.
        let position = position.or(num_elements(ctx, ty).is_none().then_some(0));
        let element = position.and_then(|position| element_type(ctx, ty, position));
        let Some(element) = element else {
            return Err(format!(
                "index {index} out of bounds for '{}'",
                type_string(ctx, ty)
            ));
        };
        ty = element;
    }
    Ok(ty)
}

pub(super) fn verify_extract(check: &Check) -> Checked {
    let indices = check.data().attr(check.ctx(), "indices");
    let expected =
        part(check.ctx(), check.operand_type(0), indices).map_err(|why| plain_error(check, why))?;
    let found = check.result_type(0);
    let message = format!(
        "invalid result type: expected '{}' but provided '{}'",
        check.show(expected),
        check.show(found)
    );
    check.ensure(expected == found, message)
}

pub(super) fn verify_insert(check: &Check) -> Checked {
    let indices = check.data().attr(check.ctx(), "indices");
    let composite = check.operand_type(1);
    let expected = part(check.ctx(), composite, indices).map_err(|why| plain_error(check, why))?;
    let found = check.operand_type(0);
    let message = format!(
        "object operand type should be '{}', but found '{}'",
        check.show(expected),
        check.show(found)
    );
    check.ensure(expected == found, message)?;
    let result = check.result_type(0);
    let message = format!(
        "result type should be the same as the composite type, but found '{}' vs '{}'",
        check.show(composite),
        check.show(result)
    );
    check.ensure(composite == result, message)
}

fn type_mismatch(check: &Check, expected: Type, found: Type) -> Checked {
    let message = format!(
        "operand type mismatch: expected operand type '{}', but provided '{}'",
        check.show(expected),
        check.show(found)
    );
    check.ensure(expected == found, message)
}

fn wrong_count(check: &Check, expected: i64, found: i64) -> Checked {
    let message =
        format!("has incorrect number of operands: expected {expected}, but provided {found}");
    check.ensure(expected == found, message)
}

pub(super) fn verify_construct(check: &Check) -> Checked {
    let ctx = check.ctx();
    let result = check.result_type(0);
    let parts: Vec<Type> = check.operand_types().collect();
    if let Some(matrix) = CoopMatrix::of(ctx, result) {
        wrong_count(check, 1, parts.len() as i64)?;
        return type_mismatch(check, matrix.element, parts[0]);
    }
    let count = num_elements(ctx, result);
    if count == Some(parts.len() as i64) {
        for (index, &found) in parts.iter().enumerate() {
            let expected = element_type(ctx, result, index).unwrap_or(found);
            type_mismatch(check, expected, found)?;
        }
        return Ok(());
    }
    let TypeKind::Vector { element, .. } = result.kind(ctx) else {
        return Err(check.error(
            "expected to return a vector or cooperative matrix when the number of constituents \
             is less than what the result needs",
        ));
    };
    let mut total = 0i64;
    for ty in parts {
        let (length, scalar) = vector_part(check, ty)?;
        total = total.saturating_add(length);
        let message = format!(
            "operand element type mismatch: expected to be '{}', but provided '{}'",
            check.show(*element),
            check.show(scalar)
        );
        check.ensure(scalar == *element, message)?;
    }
    wrong_count(check, count.unwrap_or(0), total)
}

/// Number and type of the elements that a constituent contributes to a vector.
fn vector_part(check: &Check, ty: Type) -> Result<(i64, Type), gridloom_ir::diag::Diagnostic> {
    match ty.kind(check.ctx()) {
        TypeKind::Vector { element, .. } => {
            Ok((num_elements(check.ctx(), ty).unwrap_or(0), *element))
        }
        TypeKind::Integer { .. } | TypeKind::Float(_) => Ok((1, ty)),
        _ => {
            let found = check.show(ty);
            Err(check.error(format!(
                "operand type mismatch: expected operand to have a scalar or vector type, \
                 but provided '{found}'"
            )))
        }
    }
}

pub(super) fn verify_shuffle(check: &Check) -> Checked {
    let ctx = check.ctx();
    let element = |ty: Type| ty.element(ctx);
    let (first, second) = (check.operand_type(0), check.operand_type(1));
    let result = check.result_type(0);
    check.ensure(
        element(first) == element(second) && element(first) == element(result),
        "failed to verify that all of {vector1, vector2, result} have same element type",
    )?;
    let selectors = check.data().attr(ctx, "components");
    let selectors = selectors.and_then(|list| list.as_array(ctx)).unwrap_or(&[]);
    let wanted = num_elements(ctx, result).unwrap_or(0);
    let message = format!(
        "result type element count ({wanted}) mismatch with the number of component selectors ({})",
        selectors.len()
    );
    check.ensure(wanted == selectors.len() as i64, message)?;
    let count = |ty| num_elements(ctx, ty).unwrap_or(0);
    let total = count(first) + count(second);
    for selector in selectors {
        let index = selector.as_i64(ctx).unwrap_or(0) as u32;
        let message = format!(
            "component selector {index} out of range: expected to be in [0, {total}) or 0xffffffff"
        );
        check.ensure(i64::from(index) < total || index == u32::MAX, message)?;
    }
    Ok(())
}

pub(super) fn verify_constant(check: &Check) -> Checked {
    match check.data().attr(check.ctx(), "value") {
        Some(value) => {
            let ty = check.result_type(0);
            let elements = match value.kind(check.ctx()) {
                AttrKind::Dense { data, .. } => Some(data),
                _ => None,
            };
            if is_spirv(check.ctx(), ty, "coopmatrix")
                && !matches!(elements, Some(DenseData::Splat(_)))
            {
                let found = elements.map_or("<<NULL ATTRIBUTE>>".to_owned(), |_| {
                    attr_string(check.ctx(), value)
                });
                return Err(check.error(format!(
                    "expected a splat dense attribute for cooperative matrix constant, \
                     but found {found}"
                )));
            }
            verify_value(check, value, ty)
        }
        None => Ok(()),
    }
}

/// Checks that an attribute is a constant of a type. Recursion is bounded by
/// the nesting of the attribute's arrays.
fn verify_value(check: &Check, value: Attr, ty: Type) -> Checked {
    let ctx = check.ctx();
    match value.kind(ctx) {
        AttrKind::Integer { ty: own, .. } | AttrKind::Float { ty: own, .. } => {
            let message = format!(
                "result type ('{}') does not match value type ('{}')",
                check.show(ty),
                check.show(*own)
            );
            check.ensure(*own == ty, message)
        }
        AttrKind::Dense { ty: own, .. } | AttrKind::Sparse { ty: own, .. } => {
            if *own == ty {
                return Ok(());
            }
            verify_elements(check, *own, ty)
        }
        AttrKind::Array(items) => {
            let element = element_type(ctx, ty, 0).filter(|_| is_spirv(ctx, ty, "array"));
            let Some(element) = element else {
                return Err(check.error("must have spirv.array result type for array value"));
            };
            for &item in items {
                verify_value(check, item, element)?;
            }
            Ok(())
        }
        _ => {
            let shown = attr_string(ctx, value);
            Err(check.error(format!("cannot have attribute: {shown}")))
        }
    }
}

/// Checks elements of a tensor or vector against a nested array type.
fn verify_elements(check: &Check, own: Type, ty: Type) -> Checked {
    let ctx = check.ctx();
    if !is_spirv(ctx, ty, "array") {
        return Err(check.error(format!(
            "result or element type ('{}') does not match value type ('{}'), \
             must be the same or spirv.array",
            check.show(ty),
            check.show(own)
        )));
    }
    let (mut count, mut element) = (1i64, ty);
    while is_spirv(ctx, element, "array")
        && let Some(inner) = element_type(ctx, element, 0)
    {
        count = count.saturating_mul(num_elements(ctx, element).unwrap_or(0));
        element = inner;
    }
    let scalar = matches!(
        element.kind(ctx),
        TypeKind::Integer { .. } | TypeKind::Float(_)
    );
    check.ensure(scalar, "only support nested array result type")?;
    let own_element = own.element(ctx).unwrap_or(own);
    let message = format!(
        "result element type ('{}') does not match value element type ('{}')",
        check.show(element),
        check.show(own_element)
    );
    check.ensure(element == own_element, message)?;
    let extents = match own.kind(ctx) {
        TypeKind::Vector { shape, .. } | TypeKind::RankedTensor { shape, .. } => &shape[..],
        _ => &[],
    };
    let own_count = extents
        .iter()
        .fold(1i64, |n, &extent| n.saturating_mul(extent));
    let message = format!(
        "result number of elements ({count}) does not match value number of elements ({own_count})"
    );
    check.ensure(count == own_count, message)
}

pub(super) fn verify_replicate(check: &Check) -> Checked {
    let ctx = check.ctx();
    let Some(value) = check.data().attr(ctx, "value") else {
        return Ok(());
    };
    let Some(own) = replicated_type(ctx, value) else {
        return Err(plain_error(check, "unknown value attribute type"));
    };
    let inner = |&ty: &Type| element_type(ctx, ty, 0);
    let places: Vec<Type> = successors(inner(&check.result_type(0)), inner).collect();
    if places.contains(&own) {
        return Ok(());
    }
    let shown = |ty: &Type| format!("'{}'", check.show(*ty));
    let expected: Vec<String> = places.iter().map(shown).collect();
    let (expected, own) = (expected.join(" or "), check.show(own));
    let message = format!("expected value attribute type {expected}, but got: '{own}'");
    Err(plain_error(check, message))
}

/// The type of the replicated constant.
fn replicated_type(ctx: &Context, value: Attr) -> Option<Type> {
    match value.kind(ctx) {
        AttrKind::Array(items) => {
            let element = replicated_type(ctx, *items.first()?)?;
            let count = ctx.int_attr(ctx.int_type(64), items.len() as i64);
            let stride = ctx.int_attr(ctx.int_type(64), 0);
            let params = [ctx.type_attr(element), count, stride];
            Some(ctx.parametric_type("spirv", "array", &params))
        }
        _ => attr_type(ctx, value),
    }
}
