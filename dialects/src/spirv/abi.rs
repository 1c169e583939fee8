//! ABI attributes of other dialects' operations that lower to SPIR-V:
//! `spirv.entry_point_abi`, `spirv.interface_var_abi`, …

use super::enums::DECORATION;
use super::scope::plain_error;
use gridloom_ir::attr::Attr;
use gridloom_ir::constraints::is_case_of;
use gridloom_ir::types::{Type, TypeKind};
use gridloom_ir::verify::Carrier;
use gridloom_ir::verify::{Check, Checked};

/// Checks a discardable attribute with the prefix `spirv.`.
pub(crate) fn verify_attribute(
    check: &Check,
    carrier: Carrier,
    name: &str,
    value: Attr,
) -> Checked {
    match carrier {
        Carrier::Operation => verify_on_operation(check, name, value),
        Carrier::Argument(ty) => verify_on_argument(check, ty, name, value),
        Carrier::Result(ty) if check.name() == super::arm::GRAPH => {
            verify_on_argument(check, ty, name, value)
        }
        Carrier::Result(_) => Err(plain_error(
            check,
            "cannot attach SPIR-V attributes to region result which is not part of a \
             spirv::GraphARMOp type",
        )),
    }
}

fn verify_on_operation(check: &Check, name: &str, value: Attr) -> Checked {
    let is = |kind: &str| value.params(check.ctx(), "spirv", kind).is_some();
    match name {
        "spirv.entry_point_abi" if is("entry_point_abi") => Ok(()),
        "spirv.entry_point_abi" => Err(plain_error(
            check,
            "'spirv.entry_point_abi' attribute must be an entry point ABI attribute",
        )),
        "spirv.target_env" if is("target_env") => Ok(()),
        "spirv.target_env" => Err(plain_error(
            check,
            "'spirv.target_env' must be a spirv::TargetEnvAttr",
        )),
        _ => {
            let message = format!("found unsupported '{name}' attribute on operation");
            Err(plain_error(check, message))
        }
    }
}

fn verify_on_argument(check: &Check, ty: Type, name: &str, value: Attr) -> Checked {
    let ctx = check.ctx();
    match name {
        "spirv.interface_var_abi" => {}
        "spirv.decoration" if is_case_of(ctx, value, &DECORATION) => return Ok(()),
        "spirv.decoration" => {
            let message = "'spirv.decoration' must be a spirv::DecorationAttr";
            return Err(plain_error(check, message));
        }
        _ => {
            let message = format!("found unsupported '{name}' attribute on region argument");
            return Err(plain_error(check, message));
        }
    }
    let Some([_, _, storage]) = value.params(ctx, "spirv", "interface_var_abi") else {
        let message = "'spirv.interface_var_abi' must be a spirv::InterfaceVarABIAttr";
        return Err(plain_error(check, message));
    };
    let scalar = matches!(
        ty.kind(ctx),
        TypeKind::Integer { .. } | TypeKind::Index | TypeKind::Float(_)
    );
    if storage.as_str(ctx).is_some() && !scalar {
        let message = "'spirv.interface_var_abi' attribute cannot specify storage class when \
                       attaching to a non-scalar value";
        return Err(plain_error(check, message));
    }
    Ok(())
}
