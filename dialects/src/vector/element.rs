//! Element access: `vector.extract`, `vector.insert`, `vector.from_elements`,
//! `vector.to_elements`.

use super::types::{ANY_VECTOR, FIXED_VECTOR, VectorShape, element_or_self, parts, same_element};
use crate::verified::required_i64s;
use gridloom_ir::constraints::*;
use gridloom_ir::context::Context;
use gridloom_ir::diag::Diagnostic;
use gridloom_ir::op::{Known, OpDef, Traits, TypeRule};
use gridloom_ir::types::{DYNAMIC, Type};
use gridloom_ir::verify::{Check, Checked, verify_results_are};

/// The position that gives poison.
const POISON: i64 = -1;

/// The bound on results of `vector.to_elements`: beyond any real program, and
/// small enough that a type cannot exhaust memory.
const MAX_ELEMENTS: usize = 1 << 20;

/// Extracts the element or subvector at a position.
pub(super) const EXTRACT: OpDef = OpDef::new("vector.extract")
    .with(Traits::PURE)
    .operands(&[one("source", ANY_VECTOR), many("dynamic_position", INDEX)])
    .results(&[one("result", ANY)])
    .attrs(&[attr("static_position", I64_ARRAY)])
    .format(
        "$source `` custom<DynamicIndexList>($dynamic_position, $static_position) attr-dict \
         `:` type($result) `from` type($source)",
    )
    .verify_kind(verify_extract);

/// Replaces the element or subvector at a position.
pub(super) const INSERT: OpDef = OpDef::new("vector.insert")
    .with(Traits::PURE)
    .operands(&[
        one("valueToStore", ANY),
        one("dest", ANY_VECTOR),
        many("dynamic_position", INDEX),
    ])
    .results(&[one("result", ANY_VECTOR)])
    .attrs(&[attr("static_position", I64_ARRAY)])
    .format(
        "$valueToStore `,` $dest custom<DynamicIndexList>($dynamic_position, $static_position) \
         attr-dict `:` type($valueToStore) `into` type($dest)",
    )
    .infer(&[same(
        &["dest", "result"],
        "all of {dest, result} have same type",
    )])
    .verify_kind(verify_insert);

/// Builds a vector from its elements in row-major order.
pub(super) const FROM_ELEMENTS: OpDef = OpDef::new("vector.from_elements")
    .with(Traits::PURE)
    .operands(&[many("elements", ANY)])
    .results(&[one("dest", FIXED_VECTOR)])
    .format("$elements attr-dict `:` type($dest)")
    .infer(&[TypeRule::ListFrom {
        target: "elements",
        source: "dest",
        rule: each_element,
        summary: "shaped type 'dest' matches 'elements' element count and types",
    }]);

/// The element type, once for each element; `None` beyond the bound.
fn each_element(ctx: &Context, vector: Type) -> Option<Vec<Type>> {
    let vector = VectorShape::of(ctx, vector)?;
    let count = usize::try_from(vector.num_elements()).ok()?;
    (count <= MAX_ELEMENTS).then(|| vec![vector.element; count])
}

/// Splits a vector into its elements in row-major order.
pub(super) const TO_ELEMENTS: OpDef = OpDef::new("vector.to_elements")
    .with(Traits::PURE)
    .operands(&[one("source", ANY_VECTOR)])
    .results(&[many("elements", ANY)])
    .format("$source attr-dict `:` type($source)")
    .infer(&[TypeRule::Infer(elements_of)])
    .verify_kind(verify_to_elements);

/// Infers the results of `vector.to_elements`.
fn elements_of(known: &Known) -> Result<Vec<Type>, String> {
    let source = known.operands.first();
    let Some(source) = source.and_then(|&ty| VectorShape::of(known.ctx, ty)) else {
        return Err("'source' must be vector of any type values".into());
    };
    each_element(known.ctx, known.operands[0]).ok_or_else(|| {
        let count = source.num_elements();
        format!("a vector of {count} elements has more than the {MAX_ELEMENTS} that can be results")
    })
}

/// Checks that there is an operand for each dynamic index.
fn verify_dynamic_positions(check: &Check, positions: &[i64], operands: usize) -> Checked {
    let holes = positions.iter().filter(|&&position| position == DYNAMIC);
    check.ensure(
        holes.count() == operands,
        "mismatch between dynamic and static positions (kDynamic marker but no corresponding \
         dynamic position) -- this can only happen due to an incorrect fold/rewrite",
    )
}

/// The first static index out of bounds, counted from 1.
fn out_of_range(positions: &[i64], shape: &[i64]) -> Option<usize> {
    let mut pairs = positions.iter().zip(shape);
    let outside = |(&position, &extent): (&i64, &i64)| {
        position != DYNAMIC && position != POISON && !(0..extent).contains(&position)
    };
    Some(pairs.position(outside)? + 1)
}

fn verify_extract(check: &Check) -> Checked {
    let ctx = check.ctx();
    let result = check.result_type(0);
    let summary = "operand and result have same element type";
    same_element(check, check.operand_type(0), result, summary)?;
    if VectorShape::of(ctx, result).is_some_and(|result| result.rank() == 0) {
        let message = "expected a scalar instead of a 0-d vector as the result type";
        return Err(Diagnostic::error(check.data().loc, message));
    }
    let positions = required_i64s(ctx, check.data(), "static_position");
    verify_dynamic_positions(check, &positions, check.data().operands.len() - 1)?;
    let source = parts(check, check.operand_type(0));
    check.ensure(
        positions.len() <= source.rank(),
        "expected position attribute of rank no greater than vector rank",
    )?;
    if let Some(number) = out_of_range(&positions, source.shape) {
        return Err(check.error(format!(
            "expected position attribute #{number} to be a non-negative integer smaller than \
             the corresponding vector dimension or poison (-1)"
        )));
    }
    let inferred = match positions.len() == source.rank() {
        true => source.element,
        false => source.tail(ctx, positions.len()),
    };
    // A vector of one element is interchangeable with the element.
    let one = ctx.vector_type(&[1], source.element);
    let compatible = [(inferred, result), (result, inferred)].contains(&(one, source.element));
    match compatible {
        true => Ok(()),
        false => verify_results_are(check, &[inferred]),
    }
}

fn verify_insert(check: &Check) -> Checked {
    let ctx = check.ctx();
    let (value, dest) = (check.operand_type(0), check.operand_type(1));
    let summary = "source operand and result have same element type";
    same_element(check, value, check.result_type(0), summary)?;
    let value = VectorShape::of(ctx, value);
    if value.is_some_and(|value| value.rank() == 0) {
        let message = "expected a scalar instead of a 0-d vector as the source operand";
        return Err(Diagnostic::error(check.data().loc, message));
    }
    let positions = required_i64s(ctx, check.data(), "static_position");
    verify_dynamic_positions(check, &positions, check.data().operands.len() - 2)?;
    let dest = parts(check, dest);
    check.ensure(
        positions.len() <= dest.rank(),
        "expected position attribute of rank no greater than dest vector rank",
    )?;
    match value {
        Some(value) => check.ensure(
            value.rank() + positions.len() == dest.rank(),
            "expected position attribute rank + source rank to match dest vector rank",
        )?,
        None => check.ensure(
            positions.len() == dest.rank(),
            "expected position attribute rank to match the dest vector rank",
        )?,
    }
    match out_of_range(&positions, dest.shape) {
        None => Ok(()),
        Some(number) => Err(check.error(format!(
            "expected position attribute #{number} to be a non-negative integer smaller than \
             the corresponding dest vector dimension"
        ))),
    }
}

fn verify_to_elements(check: &Check) -> Checked {
    let source = check.operand_type(0);
    let element = element_or_self(check.ctx(), source);
    let count = parts(check, source).num_elements();
    check.ensure(
        count == check.data().num_results() as i64 && check.result_types().all(|ty| ty == element),
        "failed to verify that shaped type 'source' matches 'elements' element count and types",
    )
}
