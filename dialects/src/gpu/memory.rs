//! Device memory, copies, and reductions over the threads of a workgroup.

use crate::allocation::verify_sizes;
use gridloom_ir::attr::{Attr, AttrKind};
use gridloom_ir::body::{Value, ValueDef};
use gridloom_ir::context::Context;
use gridloom_ir::diag::Diagnostic;
use gridloom_ir::types::{DYNAMIC, Type, TypeKind};
use gridloom_ir::verify::{Check, Checked, compatible, late};

pub(super) fn verify_alloc(check: &Check) -> Checked {
    verify_sizes(check, 1, 2)
}

pub(super) fn verify_memcpy(check: &Check) -> Checked {
    let ctx = check.ctx();
    let operands = check.data().operands.len();
    let (to, from) = (
        check.operand_type(operands - 2),
        check.operand_type(operands - 1),
    );
    let (Some(to), Some(from)) = (to.memref(ctx), from.memref(ctx)) else {
        return Ok(());
    };
    check.ensure(
        to.element == from.element,
        "arguments have incompatible element type",
    )?;
    let same = compatible(&to.shape, &from.shape);
    check.ensure(same, "arguments have incompatible shape")
}

/// Whether the stored value is of the memory's element type, or holds elements of it.
pub(super) fn sets_elements(check: &Check) -> bool {
    let ctx = check.ctx();
    let element = |ty: Type| match ty.kind(ctx) {
        TypeKind::Complex(_) => ty,
        _ => ty.element(ctx).unwrap_or(ty),
    };
    let operands = check.data().operands.len();
    let (to, value) = (
        check.operand_type(operands - 2),
        check.operand_type(operands - 1),
    );
    element(to) == element(value)
}

/// `#gpu.address_space<workgroup>`
pub fn workgroup_space(ctx: &Context) -> Attr {
    ctx.dialect_attr("gpu", ".address_space<workgroup>")
}

pub(super) fn verify_dynamic_shared_memory(check: &Check) -> Checked {
    let ctx = check.ctx();
    let Some(memref) = check.result_type(0).memref(ctx) else {
        return Ok(());
    };
    check.ensure(
        memref.space == Some(workgroup_space(ctx)),
        "address space must be address_space<workgroup>",
    )?;
    check.ensure(
        *memref.shape == [DYNAMIC] && memref.layout.is_none(),
        "result memref type must be memref<?xi8, #gpu.address_space<workgroup>>",
    )
}

/// Returns the word of `#gpu<all_reduce_op word>`.
fn reduction<'a>(check: &Check<'a>) -> Option<&'a str> {
    let AttrKind::Dialect { body, .. } = check.data().attr(check.ctx(), "op")?.kind(check.ctx())
    else {
        return None;
    };
    let word = check.ctx().str(*body).strip_prefix("<all_reduce_op ")?;
    word.strip_suffix('>')
}

/// Checks that a reduction suits a type: bit operations and integer extrema combine integers, float
/// extrema floats.
fn verify_reduction(check: &Check, word: &str, ty: Type) -> Checked {
    let ctx = check.ctx();
    let element = ty.element(ctx).unwrap_or(ty);
    let is_float = element.float_kind(ctx).is_some();
    let fits = match word {
        "add" | "mul" => true,
        "minnumf" | "maxnumf" | "minimumf" | "maximumf" => is_float,
        _ => !is_float,
    };
    if fits {
        return Ok(());
    }
    let shown = check.show(ty);
    let message = format!("`{word}` reduction operation is not compatible with type '{shown}'");
    Err(Diagnostic::error(check.data().loc, message))
}

pub(super) fn verify_subgroup_reduce(check: &Check) -> Checked {
    let ctx = check.ctx();
    if let Some(word) = reduction(check) {
        verify_reduction(check, word, check.operand_type(0))?;
    }
    let number = |name: &str| {
        check
            .data()
            .attr(ctx, name)
            .and_then(|value| value.as_i64(ctx))
    };
    let Some(size) = number("cluster_size") else {
        return check.ensure(
            number("cluster_stride").unwrap_or(1) == 1,
            "cluster stride can only be specified if cluster size is specified",
        );
    };
    for (what, value) in [
        ("size", size),
        ("stride", number("cluster_stride").unwrap_or(1)),
    ] {
        let power = value > 0 && value.count_ones() == 1;
        check.ensure(
            power,
            format_args!("cluster {what} {value} is not a power of two"),
        )?;
    }
    Ok(())
}

/// Checks that a reduction has either a known operation or a region that combines two values, and
/// that the region sees nothing from above.
pub(super) fn verify_all_reduce(check: &Check) -> Checked {
    late(verify_reduction_body(check))
}

fn verify_reduction_body(check: &Check) -> Checked {
    let (ctx, body) = (check.ctx(), check.body());
    let plain = |message: &str| Err(Diagnostic::error(check.data().loc, message));
    let block = body.region_block(check.op, 0);
    if check.data().attr(ctx, "op").is_some() == block.is_some() {
        return plain("expected either an op attribute or a non-empty body");
    }
    let ty = check.operand_type(0);
    if let Some(word) = reduction(check) {
        return verify_reduction(check, word, ty);
    }
    let Some(block) = block else { return Ok(()) };
    let args = &body[block].args;
    if args.len() != 2 {
        return plain("expected two region arguments");
    }
    if args.iter().any(|&arg| body.ty(arg) != ty) {
        return plain("incorrect region argument type");
    }
    let mut yields = false;
    for &region in check.data().inline_regions() {
        for &block in &body[region].blocks {
            let Some(last) = check
                .terminator(block)
                .filter(|last| last.name() == super::YIELD)
            else {
                continue;
            };
            if last.data().operands.len() != 1 {
                return plain("expected one gpu.yield operand");
            }
            if last.operand_type(0) != ty {
                return plain("incorrect gpu.yield type");
            }
            yields = true;
        }
    }
    if !yields {
        return plain("expected gpu.yield op in region");
    }
    verify_isolated(check)
}

fn verify_isolated(check: &Check) -> Checked {
    let body = check.body();
    let is_inside = |value: Value| {
        let block = match body[value].def() {
            ValueDef::Argument(block, _) => Some(block),
            ValueDef::Result(op, _) => body[op].parent(),
        };
        let region = block.and_then(|block| body[block].parent());
        let parent = region.and_then(|region| body[region].parent());
        parent.is_some_and(|parent| body.is_ancestor(check.op, parent))
    };
    for op in body.walk_op(check.op).into_iter().skip(1) {
        if let Some(index) = body[op]
            .operands
            .iter()
            .position(|&value| !is_inside(value))
        {
            let message = format!("using value defined outside the region (operand #{index})");
            return Err(Diagnostic::error(body[op].loc, message)
                .with_note(check.data().loc, "required by region isolation constraints"));
        }
    }
    Ok(())
}
