//! Result names of constants and addresses.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::constant_name::{bool_name, integer};
use gridloom_ir::body::{Body, OpId};
use gridloom_ir::context::Context;
use gridloom_ir::text::type_string;
use gridloom_ir::types::TypeKind;

/// Names a SPIR-V constant: `cst5_i32`, `cst_f32`, `cst_vec_4xf32`, `true`.
pub(super) fn constant(ctx: &Context, body: &Body, op: OpId) -> Option<Cow<'static, str>> {
    let ty = body.ty(body[op].result(0));
    let mut name = "cst".to_owned();
    if let Some(value) = integer(ctx, body, op) {
        if matches!(ty.kind(ctx), TypeKind::Integer { width: 1, .. }) {
            return Some(bool_name(value));
        }
        name.push_str(&value.to_decimal());
    }
    // Writing to a String cannot fail.
    let _ = match ty.kind(ctx) {
        TypeKind::Integer { .. } | TypeKind::Float(_) => write!(name, "_{}", type_string(ctx, ty)),
        TypeKind::Vector { shape, element, .. } => {
            let first = shape.first().copied().unwrap_or(1);
            write!(name, "_vec_{first}x{}", type_string(ctx, *element))
        }
        _ => Ok(()),
    };
    Some(name.into())
}

/// Names an address by its variable: `x_addr`.
pub(super) fn address(ctx: &Context, body: &Body, op: OpId) -> Option<Cow<'static, str>> {
    let variable = body[op].attr(ctx, "variable")?.as_flat_symbol(ctx)?;
    Some(sanitized(&format!("{}_addr", ctx.str(variable))).into())
}

/// Replaces characters that cannot stand after `%`, and a digit at the start.
fn sanitized(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for (at, byte) in name.bytes().enumerate() {
        let stands = byte.is_ascii_alphanumeric() || b"$._-".contains(&byte);
        if at == 0 && (byte.is_ascii_digit() || !stands && byte != b' ') {
            out.push('_');
        }
        match byte {
            _ if stands => out.push(byte.into()),
            b' ' => out.push('_'),
            // Writing to a String cannot fail.
            _ => {
                let _ = write!(out, "{byte:X}");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::sanitized;

    #[test]
    fn names_are_those_of_values() {
        for (name, expected) in [
            ("a b", "a_b"),
            ("a\u{1}\u{e9}", "a1C3A9"),
            (" 1", "_1"),
            ("-a", "-a"),
            ("1_addr", "_1_addr"),
            ("\u{11}1_addr", "_111_addr"),
            ("\u{e9}_addr", "_C3A9_addr"),
        ] {
            assert_eq!(sanitized(name), expected);
        }
    }
}
