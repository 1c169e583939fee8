//! Verifiers of allocations, copies and globals.

use crate::allocation::{num_dynamic_extents, verify_sizes};
use crate::slice::plain;
use gridloom_ir::attr::AttrKind;
use gridloom_ir::op::Traits;
use gridloom_ir::types::{Type, TypeKind};
use gridloom_ir::verify::{Check, Checked, compatible};

pub(super) fn verify_alloc(check: &Check) -> Checked {
    verify_sizes(check, 0, 1)
}

pub(super) fn verify_alloca(check: &Check) -> Checked {
    let is_scope = |op: &gridloom_ir::body::OpData| op.name.has(Traits::AUTOMATIC_ALLOCATION_SCOPE);
    check.ensure(
        check.ancestor(is_scope).is_some(),
        "requires an ancestor op with AutomaticAllocationScope trait",
    )?;
    verify_sizes(check, 0, 1)
}

pub(super) fn verify_realloc(check: &Check) -> Checked {
    let ctx = check.ctx();
    let (from, to) = (check.operand_type(0), check.result_type(0));
    let (Some(source), Some(result)) = (from.memref(ctx), to.memref(ctx)) else {
        return Ok(());
    };
    for (memref, ty, what) in [(source, from, "source"), (result, to, "result")] {
        if memref.layout.is_some() {
            let shown = check.show(ty);
            let message = format!("unsupported layout for {what} memref type '{shown}'");
            return Err(plain(check, message));
        }
    }
    let different = |what: &str| {
        let message = format!(
            "different {what} specified for source memref type '{}' and result memref type '{}'",
            check.show(from),
            check.show(to)
        );
        Err(plain(check, message))
    };
    if source.space != result.space {
        return different("memory spaces");
    }
    if source.element != result.element {
        return different("element types");
    }
    let what = match (
        num_dynamic_extents(result) > 0,
        check.data().operands.len() > 1,
    ) {
        (true, false) => "missing",
        (false, true) => "unnecessary",
        _ => return Ok(()),
    };
    let shown = check.show(to);
    let message = format!("{what} dimension operand for result type '{shown}'");
    Err(plain(check, message))
}

pub(super) fn verify_distinct_objects(check: &Check) -> Checked {
    let operands = check.operand_types();
    check.ensure(operands.len() > 0, "expected at least one operand")?;
    check.ensure(
        operands.eq(check.result_types()),
        "operand types and result types must match",
    )
}

/// The shape of a ranked memref type.
fn shape<'a>(check: &Check<'a>, ty: Type) -> Option<&'a [i64]> {
    ty.memref(check.ctx()).map(|memref| &memref.shape[..])
}

pub(super) fn verify_copy(check: &Check) -> Checked {
    let ctx = check.ctx();
    let (from, to) = (check.operand_type(0), check.operand_type(1));
    check.ensure(
        from.element(ctx) == to.element(ctx),
        "requires the same element type for all operands",
    )?;
    let same = match (shape(check, from), shape(check, to)) {
        (Some(from), Some(to)) => compatible(from, to),
        _ => true,
    };
    check.ensure(same, "requires the same shape for all operands")
}

pub(super) fn verify_global(check: &Check) -> Checked {
    let (ctx, data) = (check.ctx(), check.data());
    let ty = data.attr(ctx, "type").and_then(|ty| ty.as_type(ctx));
    let Some(memref) = ty.and_then(|ty| ty.memref(ctx)) else {
        return Ok(());
    };
    if !memref.has_static_shape() {
        let shown = ty.map_or(String::new(), |ty| check.show(ty));
        return Err(check.error(format!(
            "type should be static shaped memref, but got '{shown}'"
        )));
    }
    let Some(value) = data.attr(ctx, "initial_value") else {
        return Ok(());
    };
    let ty = match value.kind(ctx) {
        AttrKind::Unit => return Ok(()),
        AttrKind::Dense { ty, .. }
        | AttrKind::DenseResource { ty, .. }
        | AttrKind::Sparse { ty, .. } => *ty,
        _ => {
            let shown = gridloom_ir::text::attr_string(ctx, value);
            return Err(check.error(format!(
                "initial value should be a unit or elements attribute, but got {shown}"
            )));
        }
    };
    let TypeKind::RankedTensor { shape, element, .. } = ty.kind(ctx) else {
        let shown = check.show(ty);
        return Err(check.error(format!(
            "initial value expected to be of a ranked tensor type, but was of type '{shown}'"
        )));
    };
    // The custom form derives the type of a `dense_resource` from the memref,
    // whose element type a tensor need not allow.
    check.ensure(
        element.is_tensor_element(ctx),
        "invalid tensor element type",
    )?;
    if *element != memref.element {
        return Err(check.error(format!(
            "initial value element expected to be of type '{}', but was of type '{}'",
            check.show(memref.element),
            check.show(*element)
        )));
    }
    let list = |shape: &[i64]| {
        shape
            .iter()
            .map(i64::to_string)
            .collect::<Vec<_>>()
            .join(", ")
    };
    check.ensure(
        **shape == *memref.shape,
        format_args!(
            "initial value shape expected to be {} but was {}",
            list(&memref.shape),
            list(shape)
        ),
    )
}

pub(super) fn verify_get_global(check: &Check) -> Checked {
    let ctx = check.ctx();
    let symbol = check
        .data()
        .attr(ctx, "name")
        .and_then(|name| name.as_flat_symbol(ctx));
    let name = symbol.map_or("", |symbol| ctx.str(symbol));
    let global = symbol.and_then(|symbol| check.lookup(symbol));
    let Some(global) = global.filter(|global| global.name() == super::GLOBAL) else {
        return Err(check.error(format!("'{name}' does not reference a valid global memref")));
    };
    let ty = global
        .data()
        .attr(ctx, "type")
        .and_then(|ty| ty.as_type(ctx));
    match ty {
        Some(ty) if ty != check.result_type(0) => Err(check.error(format!(
            "result type '{}' does not match type '{}' of the global memref @{name}",
            check.show(check.result_type(0)),
            check.show(ty)
        ))),
        _ => Ok(()),
    }
}

pub(super) fn verify_assume_alignment(check: &Check) -> Checked {
    let ctx = check.ctx();
    let alignment = check
        .data()
        .attr(ctx, "alignment")
        .and_then(|a| a.as_i64(ctx));
    let power = alignment.is_some_and(|alignment| alignment.count_ones() == 1);
    check.ensure(power, "alignment must be power of 2")
}

pub(super) fn verify_alloca_scope(check: &Check) -> Checked {
    use gridloom_ir::verify::End;
    let block = check.require_block(0, "bodyRegion")?;
    let Some(last) = check.terminator(block) else {
        return Ok(());
    };
    let edge = (End::Terminator(block), End::Parent);
    check.edge(edge, last.operand_types(), check.result_types())
}
