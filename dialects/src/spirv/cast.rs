//! Conversions between types.

#![allow(missing_docs)] // Each constant is the operation that its row names.

use super::constraints::*;
use super::rows::*;
use super::scope::plain_error;
use super::view::{CoopMatrix, is_spirv, num_elements, pointee, storage_class};
use gridloom_ir::constraints::one;
use gridloom_ir::op::{OpDef, RowTraits, Traits};
use gridloom_ir::types::{Signedness, Type, TypeKind};
use gridloom_ir::verify::{Check, Checked};

const FROM_FLOAT: Values = Values {
    operands: ANY_FLOAT_TO_ANY_FLOAT.operands,
    results: INT_TO_INT.results,
};

const TO_FLOAT: Values = Values {
    operands: INT_TO_INT.operands,
    results: ANY_FLOAT_TO_ANY_FLOAT.results,
};

/// An elementwise conversion.
const fn convert(name: &'static str, values: Values) -> OpDef {
    conversion(name, values).with_row(RowTraits::SAME_SHAPE)
}

/// A conversion between storage classes.
const fn pointer_cast(name: &'static str) -> OpDef {
    OpDef::new(name)
        .with(Traits::PURE)
        .operands(const { &[one("pointer", POINTER)] })
        .results(const { &[one("result", POINTER)] })
        .format("$pointer attr-dict `:` type($pointer) `to` type($result)")
}

dialect_ops! {
    after super::logical::END;
    BITCAST = OpDef::new("spirv.Bitcast")
        .with(Traits::PURE)
        .operands(&[one("operand", SCALAR_VECTOR_OR_POINTER)])
        .results(&[one("result", SCALAR_VECTOR_OR_POINTER)])
        .format("$operand attr-dict `:` type($operand) `to` type($result)")
        .verify_kind(verify_bitcast);
    CONVERT_F_TO_S = convert("spirv.ConvertFToS", FROM_FLOAT);
    CONVERT_F_TO_U = convert("spirv.ConvertFToU", FROM_FLOAT);
    CONVERT_PTR_TO_U = OpDef::new("spirv.ConvertPtrToU")
        .operands(&[one("pointer", POINTER)])
        .results(&[one("result", INTEGER)])
        .format("$pointer attr-dict `:` type($pointer) `to` type($result)")
        .verify(verify_pointer_to_int);
    CONVERT_S_TO_F = convert("spirv.ConvertSToF", TO_FLOAT);
    CONVERT_U_TO_F = convert("spirv.ConvertUToF", TO_FLOAT);
    CONVERT_U_TO_PTR = OpDef::new("spirv.ConvertUToPtr")
        .operands(&[one("operand", INTEGER)])
        .results(&[one("result", POINTER)])
        .format("$operand attr-dict `:` type($operand) `to` type($result)")
        .verify(verify_int_to_pointer);
    F_CONVERT = convert("spirv.FConvert", ANY_FLOAT_TO_ANY_FLOAT).verify_kind(verify_width_changes);
    GENERIC_CAST_TO_PTR = pointer_cast("spirv.GenericCastToPtr").verify_kind(verify_from_generic);
    GENERIC_CAST_TO_PTR_EXPLICIT =
        pointer_cast("spirv.GenericCastToPtrExplicit").verify_kind(verify_from_generic);
    PTR_CAST_TO_GENERIC = pointer_cast("spirv.PtrCastToGeneric").verify_kind(verify_to_generic);
    S_CONVERT = convert("spirv.SConvert", INT_TO_INT).verify_kind(verify_width_changes);
    U_CONVERT = convert("spirv.UConvert", INT_TO_INT).verify_kind(verify_width_changes);
    INTEL_CONVERT_BF16_TO_F = OpDef::new("spirv.INTEL.ConvertBF16ToF")
        .with_row(RowTraits::SAME_SHAPE)
        .operands(&[one("operand", INT16_LIKE)])
        .results(&[one("result", FLOAT32_LIKE)])
        .format("$operand attr-dict `:` type($operand) `to` type($result)");
    INTEL_CONVERT_F_TO_BF16 = OpDef::new("spirv.INTEL.ConvertFToBF16")
        .with_row(RowTraits::SAME_SHAPE)
        .operands(&[one("operand", FLOAT32_LIKE)])
        .results(&[one("result", INT16_LIKE)])
        .format("$operand attr-dict `:` type($operand) `to` type($result)");
    INTEL_ROUND_F_TO_TF32 = OpDef::new("spirv.INTEL.RoundFToTF32")
        .with_row(RowTraits::SAME_SHAPE)
        .operands(&[one("operand", FLOAT32_LIKE)])
        .results(&[one("result", FLOAT32_LIKE)])
        .format("$operand attr-dict `:` type($operand) `to` type($result)");
}

/// The width in bits of a scalar, or of all elements of a vector together.
pub(super) fn bit_width(check: &Check, ty: Type) -> i64 {
    let ctx = check.ctx();
    match ty.kind(ctx) {
        TypeKind::Integer { width, .. } => i64::from(*width),
        TypeKind::Float(kind) => i64::from(kind.width()),
        TypeKind::Vector { element, .. } => {
            let count = num_elements(ctx, ty).unwrap_or(1);
            count.saturating_mul(bit_width(check, *element))
        }
        _ => 0,
    }
}

fn verify_bitcast(check: &Check) -> Checked {
    let (operand, result) = (check.operand_type(0), check.result_type(0));
    let fail = |message: &str| Err(plain_error(check, message));
    let is_pointer = |ty: Type| is_spirv(check.ctx(), ty, "ptr");
    match (is_pointer(operand), is_pointer(result)) {
        _ if operand == result => fail("result type must be different from operand type"),
        (true, false) => {
            fail("unhandled bit cast conversion from pointer type to non-pointer type")
        }
        (false, true) => {
            fail("unhandled bit cast conversion from non-pointer type to pointer type")
        }
        _ => {
            let [from, to] = [operand, result].map(|ty| bit_width(check, ty));
            let message =
                format!("mismatch in result type bitwidth {to} and operand type bitwidth {from}");
            check.ensure(from == to, message)
        }
    }
}

/// The element types, if both types are vectors or both are matrices.
fn elements(check: &Check, from: Type, to: Type) -> Option<(Type, Type)> {
    let ctx = check.ctx();
    let coop = |ty| CoopMatrix::of(ctx, ty).map(|matrix| matrix.element);
    let vector = |ty: Type| match ty.kind(ctx) {
        TypeKind::Vector { element, .. } => Some(*element),
        _ => None,
    };
    match (vector(from), coop(from)) {
        (Some(from), _) => Some((from, vector(to)?)),
        (_, Some(from)) => Some((from, coop(to)?)),
        _ => Some((from, to)),
    }
}

fn verify_width_changes(check: &Check) -> Checked {
    let Some((from, to)) = elements(check, check.operand_type(0), check.result_type(0)) else {
        return Err(check.error("incompatible operand and result types"));
    };
    let message = format!(
        "expected the different bit widths for operand type and result type, \
         but provided '{}' and '{}'",
        check.show(from),
        check.show(to)
    );
    check.ensure(bit_width(check, from) != bit_width(check, to), message)
}

/// Whether the enclosing module's addressing model lets this pointer convert to
/// an integer.
fn is_physical(check: &Check, pointer: Type) -> bool {
    let ctx = check.ctx();
    let module = check.ancestor(|op| op.name == super::structure::MODULE);
    let model = module.and_then(|module| module.data().attr(ctx, "addressing_model"));
    let is_model = |keyword: &str| {
        model == Some(ctx.dialect_attr("spirv", &format!(".addressing_model<{keyword}>")))
    };
    let is_buffer = storage_class(ctx, pointer) == Some("PhysicalStorageBuffer");
    !is_model("Logical") && (is_buffer || !is_model("PhysicalStorageBuffer64"))
}

fn is_signless(check: &Check, ty: Type) -> bool {
    let signless = |ty: Type| match ty.kind(check.ctx()) {
        TypeKind::Integer { signedness, .. } => *signedness == Signedness::Signless,
        _ => false,
    };
    signless(ty)
}

fn verify_pointer_to_int(check: &Check) -> Checked {
    if !is_signless(check, check.result_type(0)) {
        let message = "result must be a scalar type of unsigned integer";
        return Err(plain_error(check, message));
    }
    if !is_physical(check, check.operand_type(0)) {
        return Err(plain_error(check, "operand must be a physical pointer"));
    }
    Ok(())
}

fn verify_int_to_pointer(check: &Check) -> Checked {
    if !is_signless(check, check.operand_type(0)) {
        let message = "result must be a scalar type of unsigned integer";
        return Err(plain_error(check, message));
    }
    if !is_physical(check, check.result_type(0)) {
        return Err(plain_error(check, "result must be a physical pointer"));
    }
    Ok(())
}

fn is_specific(storage: Option<&str>) -> bool {
    matches!(storage, Some("Workgroup" | "CrossWorkgroup" | "Function"))
}

fn verify_from_generic(check: &Check) -> Checked {
    let ctx = check.ctx();
    if storage_class(ctx, check.operand_type(0)) != Some("Generic") {
        let message = "pointer type must be of storage class Generic";
        return Err(plain_error(check, message));
    }
    if !is_specific(storage_class(ctx, check.result_type(0))) {
        let message =
            "result must point to the Workgroup, CrossWorkgroup, or Function Storage Class";
        return Err(plain_error(check, message));
    }
    verify_same_pointee(check)
}

fn verify_to_generic(check: &Check) -> Checked {
    let ctx = check.ctx();
    if !is_specific(storage_class(ctx, check.operand_type(0))) {
        let message =
            "pointer must point to the Workgroup, CrossWorkgroup, or Function Storage Class";
        return Err(plain_error(check, message));
    }
    if storage_class(ctx, check.result_type(0)) != Some("Generic") {
        return Err(plain_error(
            check,
            "result type must be of storage class Generic",
        ));
    }
    verify_same_pointee(check)
}

fn verify_same_pointee(check: &Check) -> Checked {
    let of = |ty: Type| pointee(check.ctx(), ty).unwrap_or(ty);
    let (from, to) = (of(check.operand_type(0)), of(check.result_type(0)));
    let message = format!(
        "pointer operand's pointee type must have the same as the op result type, \
         but found '{}' vs '{}'",
        check.show(from),
        check.show(to)
    );
    check.ensure(from == to, message)
}
