//! Verifiers of complex constants and bitcasts.

use super::element;
use gridloom_ir::attr::AttrKind;
use gridloom_ir::constraints::attr_type;
use gridloom_ir::types::{Type, TypeKind};
use gridloom_ir::verify::{Check, Checked};

pub(super) fn verify_constant(check: &Check) -> Checked {
    let ctx = check.ctx();
    let value = check.data().attr(ctx, "value");
    let parts = value.and_then(|value| value.as_array(ctx)).unwrap_or(&[]);
    let &[real, imaginary] = parts else {
        return Err(check.error(
            "requires 'value' to be a complex constant, represented as array of two values",
        ));
    };
    let number = |attr: gridloom_ir::attr::Attr| {
        matches!(
            attr.kind(ctx),
            AttrKind::Integer { .. } | AttrKind::Float { .. }
        )
    };
    check.ensure(
        number(real) && number(imaginary),
        "requires attribute's elements to be float or integer attributes",
    )?;
    let part = element(ctx, check.result_type(0));
    let types = [real, imaginary].map(|attr| attr_type(ctx, attr));
    if types == [part, part] {
        return Ok(());
    }
    let [real, imaginary, part] =
        [types[0], types[1], part].map(|ty| ty.map_or(String::new(), |ty| check.show(ty)));
    Err(check.error(format!(
        "requires attribute's element types ('{real}', '{imaginary}') to match \
         the element type of the op's return type ('{part}')"
    )))
}

/// The width in bits of a number type; `None` for other types.
fn width(check: &Check, ty: Type) -> Option<u32> {
    match ty.kind(check.ctx()) {
        TypeKind::Integer { width, .. } => Some(*width),
        TypeKind::Float(kind) => Some(kind.width()),
        TypeKind::Complex(part) => width(check, *part).map(|width| 2 * width),
        _ => None,
    }
}

pub(super) fn verify_bitcast(check: &Check) -> Checked {
    let (from, to) = (check.operand_type(0), check.result_type(0));
    if from == to {
        return Ok(());
    }
    let is_complex = |ty| element(check.ctx(), ty).is_some();
    let is_number = |ty| width(check, ty).is_some() || is_complex(ty);
    check.ensure(is_number(from), "operand must be int/float/complex")?;
    check.ensure(is_number(to), "result must be int/float/complex")?;
    check.ensure(
        is_complex(from) != is_complex(to),
        "requires that either input or output has a complex type",
    )?;
    check.ensure(
        width(check, from) == width(check, to),
        "casting bitwidths do not match",
    )
}
