//! Verifiers of pointers, loads and stores.

use super::composite::CONSTANT;
use super::memory_form::block_element;
use super::scope::plain_error;
use super::structure::{ADDRESS_OF, REFERENCE_OF};
use super::view::{
    element_type, is_composite, is_spirv, num_elements, pointee, pointer_type, storage_class,
};
use gridloom_ir::body::Value;
use gridloom_ir::types::Type;
use gridloom_ir::verify::{Check, Checked};

/// The value of an integer `spirv.Constant`.
pub(super) fn constant_integer(check: &Check, value: Value) -> Option<i64> {
    let constant = check.definition(value).filter(|op| op.name() == CONSTANT)?;
    constant
        .data()
        .attr(check.ctx(), "value")?
        .as_i64(check.ctx())
}

pub(super) fn verify_access_chain(check: &Check) -> Checked {
    verify_chain(check, 1)
}

pub(super) fn verify_element_chain(check: &Check) -> Checked {
    verify_chain(check, 2)
}

/// Follows the indices from operand `first` on into the pointee of operand 0.
fn verify_chain(check: &Check, first: usize) -> Checked {
    let ctx = check.ctx();
    let base = check.operand_type(0);
    let (Some(mut ty), Some(storage)) = (pointee(ctx, base), storage_class(ctx, base)) else {
        return Ok(());
    };
    let mut index = 0;
    for &operand in check.data().operands.get(first..).unwrap_or(&[]) {
        if !is_composite(ctx, ty) {
            let message = format!(
                "'spirv.AccessChain' op cannot extract from non-composite type '{}' \
                 with index {index}",
                check.show(ty)
            );
            return Err(plain_error(check, message));
        }
        index = match is_spirv(ctx, ty, "struct") {
            true => member_index(check, operand, ty)?,
            false => 0,
        };
        ty = element_type(ctx, ty, index as usize).unwrap_or(ty);
    }
    let expected = pointer_type(ctx, ty, storage);
    let found = check.result_type(0);
    let message = format!(
        "invalid result type: expected '{}', but provided '{}'",
        check.show(expected),
        check.show(found)
    );
    check.ensure(expected == found, message)
}

/// The member of a struct that a constant index selects.
fn member_index(
    check: &Check,
    operand: Value,
    ty: Type,
) -> Result<i64, gridloom_ir::diag::Diagnostic> {
    let Some(op) = check.definition(operand) else {
        let message = "'spirv.AccessChain' op index must be an integer spirv.Constant to access \
                       element of spirv.struct";
        return Err(plain_error(check, message));
    };
    let Some(index) = constant_integer(check, operand) else {
        let name = check.ctx().op_name_str(op.name());
        let message = format!(
            "'spirv.AccessChain' index must be an integer spirv.Constant to access element of \
             spirv.struct, but provided {name}"
        );
        return Err(plain_error(check, message));
    };
    let count = num_elements(check.ctx(), ty).unwrap_or(0);
    if (0..count).contains(&index) {
        return Ok(index);
    }
    let shown = check.show(ty);
    let message = format!("'spirv.AccessChain' op index {index} out of bounds for '{shown}'");
    Err(plain_error(check, message))
}

fn verify_pointee(check: &Check, value: Type) -> Checked {
    let pointee = pointee(check.ctx(), check.operand_type(0));
    check.ensure(
        pointee == Some(value),
        "mismatch in result type and pointer type",
    )
}

/// Checks that there is an alignment exactly if `Aligned` is set.
fn verify_access(check: &Check, access: &str, alignment: &str) -> Checked {
    let (ctx, data) = (check.ctx(), check.data());
    let aligned = data.attr(ctx, alignment).is_some();
    let Some(access) = data.attr(ctx, access) else {
        return check.ensure(
            !aligned,
            "invalid alignment specification without aligned memory access specification",
        );
    };
    let value = gridloom_ir::text::load_case(ctx, &super::enums::MEMORY_ACCESS, access);
    if value.is_some_and(|bits| bits & 2 != 0) {
        check.ensure(aligned, "missing alignment value")
    } else {
        check.ensure(
            !aligned,
            "invalid alignment specification with non-aligned memory access specification",
        )
    }
}

pub(super) fn verify_load(check: &Check) -> Checked {
    verify_pointee(check, check.result_type(0))?;
    verify_access(check, "memory_access", "alignment")
}

pub(super) fn verify_store(check: &Check) -> Checked {
    verify_pointee(check, check.operand_type(1))?;
    verify_access(check, "memory_access", "alignment")
}

pub(super) fn verify_copy(check: &Check) -> Checked {
    let of = |index| pointee(check.ctx(), check.operand_type(index));
    check.ensure(
        of(0) == of(1),
        "both operands must be pointers to the same type",
    )?;
    verify_access(check, "memory_access", "alignment")?;
    verify_access(check, "source_memory_access", "source_alignment")
}

pub(super) fn verify_block_read(check: &Check) -> Checked {
    verify_pointee(check, block_element(check.ctx(), check.result_type(0)))
}

pub(super) fn verify_block_write(check: &Check) -> Checked {
    verify_pointee(check, block_element(check.ctx(), check.operand_type(1)))
}

pub(super) fn verify_variable(check: &Check) -> Checked {
    let (ctx, data) = (check.ctx(), check.data());
    let function = ctx.dialect_attr("spirv", ".storage_class<Function>");
    check.ensure(
        data.attr(ctx, "storage_class") == Some(function),
        "can only be used to model function-level variables. Use spirv.GlobalVariable for \
         module-level variables.",
    )?;
    let result = check.result_type(0);
    check.ensure(
        storage_class(ctx, result) == Some("Function"),
        "storage class must match result pointer's storage class",
    )?;
    if let [initializer] = data.operands[..] {
        let constant = check
            .definition(initializer)
            .is_some_and(|op| matches!(op.name(), CONSTANT | REFERENCE_OF | ADDRESS_OF));
        check.ensure(
            constant,
            "initializer must be the result of a constant or spirv.GlobalVariable op",
        )?;
    }
    for name in ["descriptor_set", "binding", "built_in"] {
        let message =
            format!("cannot have '{name}' attribute (only allowed in spirv.GlobalVariable)");
        check.ensure(data.attr(ctx, name).is_none(), message)?;
    }
    match pointee(ctx, result) {
        Some(ty) => verify_physical(check, ty),
        None => Ok(()),
    }
}

/// Checks that a variable that holds a physical buffer pointer, or an array of
/// them, declares whether it aliases.
fn verify_physical(check: &Check, ty: Type) -> Checked {
    let ctx = check.ctx();
    let inner = match is_spirv(ctx, ty, "array") {
        true => element_type(ctx, ty, 0).unwrap_or(ty),
        false => ty,
    };
    if storage_class(ctx, inner) != Some("PhysicalStorageBuffer") {
        return Ok(());
    }
    let has = |name: &str| check.data().attr(ctx, name).is_some();
    match (has("aliased_pointer"), has("restrict_pointer")) {
        (true, true) => {
            Err(check
                .error(" with physical buffer pointer must have exactly one aliasing decoration"))
        }
        (false, false) => Err(check.error(
            " with physical buffer pointer must be decorated either 'AliasedPointer' or \
             'RestrictPointer'",
        )),
        _ => Ok(()),
    }
}
