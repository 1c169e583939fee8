//! Verifiers of slices and padding.

use super::check::rank;
use super::kind::shape;
use crate::slice::{Slice, dropped_dims, plain};
use crate::verified::required_i64s;
use gridloom_ir::body::{Body, OpId};
use gridloom_ir::context::Context;
use gridloom_ir::types::{DYNAMIC, Type, TypeKind};
use gridloom_ir::verify::{Check, Checked, late};

/// The inferred type of a slice of these sizes.
fn slice_type(check: &Check, whole: Type, sizes: &[i64]) -> Type {
    match whole.kind(check.ctx()) {
        TypeKind::RankedTensor {
            element, encoding, ..
        } => check.ctx().intern_type(TypeKind::RankedTensor {
            shape: sizes.into(),
            element: *element,
            encoding: *encoding,
        }),
        _ => whole,
    }
}

/// Checks that a type is the inferred one, or that without some unit
/// dimensions.
fn verify_reduced(check: &Check, expected: Type, actual: Type) -> Checked {
    if expected == actual {
        return Ok(());
    }
    let ctx = check.ctx();
    let (Some(full), Some(reduced)) = (shape(ctx, expected), shape(ctx, actual)) else {
        return Ok(());
    };
    let message = if reduced.len() > full.len() {
        "expected rank to be smaller or equal to the other rank. ".to_owned()
    } else if dropped_dims(full, reduced).is_none() {
        format!(
            "expected type to be '{}' or a rank-reduced version. (size mismatch) ",
            check.show(expected)
        )
    } else if expected.element(ctx) != actual.element(ctx) {
        let element = expected.element(ctx).map(|element| check.show(element));
        format!(
            "expected element type to be '{}'",
            element.unwrap_or_default()
        )
    } else {
        return Ok(());
    };
    Err(plain(check, message))
}

/// Checks that `part` is the slice of `whole` that the operation describes.
fn verify_slice(check: &Check, whole: Type, part: Type, first_list: usize) -> Checked {
    let dims = rank(check, whole);
    let slice = Slice::of(check, first_list, [dims; 3])?;
    verify_reduced(check, slice_type(check, whole, &slice.sizes), part)?;
    slice.verify_in_bounds(check, shape(check.ctx(), whole).unwrap_or(&[]))
}

pub(super) fn verify_extract_slice(check: &Check) -> Checked {
    verify_slice(check, check.operand_type(0), check.result_type(0), 1)
}

pub(super) fn verify_insert_slice(check: &Check) -> Checked {
    verify_slice(check, check.operand_type(1), check.operand_type(0), 2)
}

pub(super) fn verify_parallel_insert_slice(check: &Check) -> Checked {
    // By its text: `scf` lies above this dialect.
    let in_parallel =
        |parent: Check| check.ctx().op_name_str(parent.name()) == "scf.forall.in_parallel";
    if !check.parent().is_some_and(in_parallel) {
        let parent = check
            .parent()
            .map(|parent| check.ctx().op_name_str(parent.name()));
        return Err(check.error(format!(
            "expected InParallelOpInterface parent, got:{}",
            parent.unwrap_or("<none>")
        )));
    }
    verify_slice(check, check.operand_type(1), check.operand_type(0), 2)
}

/// The shape after padding, as far as it is static.
fn padded(from: &[i64], low: &[i64], high: &[i64]) -> Vec<i64> {
    let sum = |((&extent, &low), &high): ((&i64, &i64), &i64)| {
        if [extent, low, high].contains(&DYNAMIC) {
            return DYNAMIC;
        }
        let sum = extent
            .checked_add(low)
            .and_then(|sum| sum.checked_add(high));
        sum.unwrap_or(DYNAMIC)
    };
    from.iter().zip(low).zip(high).map(sum).collect()
}

/// Whether the custom form is lossless: it spells exactly one operand for each
/// width that is not static.
pub(super) fn pad_form_is_lossless(ctx: &Context, body: &Body, op: OpId) -> bool {
    let data = &body[op];
    [(1, "static_low"), (2, "static_high")]
        .into_iter()
        .all(|(group, name)| {
            let numbers = data.attr(ctx, name).and_then(|list| list.as_i64_array(ctx));
            let numbers = numbers.unwrap_or_default();
            let open = numbers.iter().filter(|&&number| number == DYNAMIC).count();
            data.operand_segment(ctx, group).len() == open
        })
}

pub(super) fn verify_pad(check: &Check) -> Checked {
    let ctx = check.ctx();
    let (from, to) = (check.operand_type(0), check.result_type(0));
    let (Some(source), Some(result)) = (shape(ctx, from), shape(ctx, to)) else {
        return Ok(());
    };
    let lists = ["static_low", "static_high"].map(|name| required_i64s(ctx, check.data(), name));
    let [low, high] = &lists;
    if low.len() != source.len() || high.len() != source.len() {
        let message = format!(
            "failed to infer expectedType from sourceType '{}', specified resultType is '{}'",
            check.show(from),
            check.show(to)
        );
        return Err(plain(check, message));
    }
    let expected = padded(source, low, high);
    let fits = |(&expected, &actual): (&i64, &i64)| expected == actual || expected == DYNAMIC;
    if result.len() != expected.len() || !expected.iter().zip(result).all(fits) {
        let element = from.element(ctx).unwrap_or(from);
        let message = format!(
            "specified type '{}' does not match the inferred type '{}'",
            check.show(to),
            check.show(ctx.tensor_type(&expected, element))
        );
        return Err(plain(check, message));
    }
    late(verify_pad_region(check))
}

fn verify_pad_region(check: &Check) -> Checked {
    let ctx = check.ctx();
    let block = check.require_block(0, "region")?;
    let args = &check.body()[block].args;
    let rank = rank(check, check.result_type(0));
    if args.len() != rank {
        return Err(plain(
            check,
            format!("expected the block to have {rank} arguments"),
        ));
    }
    if let Some(at) = check.types_of(args).position(|ty| !ty.is_index(ctx)) {
        return Err(check.error(format!("expected block argument {} to be an index", at + 1)));
    }
    let yielded = check.terminator(block).map(|last| last.operand_types());
    let element = check.result_type(0).element(ctx);
    check.ensure(
        yielded.is_none_or(|mut types| types.next() == element),
        "expected yield type to match shape element type",
    )
}
