//! Verifiers of casts, views, transpositions and reshapes from memory.

use crate::slice::plain;
use gridloom_ir::affine::{AffineExprKind, AffineMap};
use gridloom_ir::context::Context;
use gridloom_ir::diag::Diagnostic;
use gridloom_ir::op::Known;
use gridloom_ir::types::{DYNAMIC, MemRefType, Type, TypeKind};
use gridloom_ir::verify::{Check, Checked};

/// The element type and memory space of any memref.
pub(super) fn element_and_space(
    check: &Check,
    ty: Type,
) -> Option<(Type, Option<gridloom_ir::attr::Attr>)> {
    match ty.kind(check.ctx()) {
        TypeKind::MemRef(memref) => Some((memref.element, memref.space)),
        TypeKind::UnrankedMemRef { element, space } => Some((*element, *space)),
        _ => None,
    }
}

fn incompatible(check: &Check) -> Diagnostic {
    check.error(format!(
        "operand type '{}' and result type '{}' are cast incompatible",
        check.show(check.operand_type(0)),
        check.show(check.result_type(0))
    ))
}

/// Whether two entries are compatible: equal, or one dynamic.
fn may_equal(a: i64, b: i64) -> bool {
    a == b || a == DYNAMIC || b == DYNAMIC
}

/// Verifies a cast: same element type and space; compatible shapes, offsets and
/// strides.
pub(super) fn verify_cast(check: &Check) -> Checked {
    let ctx = check.ctx();
    let (from, to) = (check.operand_type(0), check.result_type(0));
    let fits = match (from.memref(ctx), to.memref(ctx)) {
        (Some(from), Some(to)) => is_cast(ctx, from, to),
        (None, None) => false,
        _ => {
            let parts = (element_and_space(check, from), element_and_space(check, to));
            matches!(parts, (Some(from), Some(to)) if from == to)
        }
    };
    if fits {
        Ok(())
    } else {
        Err(incompatible(check))
    }
}

/// Whether `memref.cast` turns memrefs of one type into those of another.
pub fn is_cast(ctx: &Context, from: &MemRefType, to: &MemRefType) -> bool {
    from.element == to.element
        && from.space == to.space
        && from.rank() == to.rank()
        && from
            .shape
            .iter()
            .zip(&to.shape)
            .all(|(&a, &b)| may_equal(a, b))
        && layouts_fit(ctx, from, to)
}

fn layouts_fit(ctx: &Context, from: &MemRefType, to: &MemRefType) -> bool {
    if from.layout == to.layout {
        return true;
    }
    if !from.is_strided(ctx) || !to.is_strided(ctx) {
        return false;
    }
    let (Some((a, a_strides)), Some((b, b_strides))) =
        (from.strided_form(ctx), to.strided_form(ctx))
    else {
        return false;
    };
    may_equal(a, b)
        && a_strides
            .iter()
            .zip(&b_strides)
            .all(|(&a, &b)| may_equal(a, b))
}

/// Verifies that only the memory space changes.
pub(super) fn verify_space_cast(check: &Check) -> Checked {
    let ctx = check.ctx();
    let (from, to) = (check.operand_type(0), check.result_type(0));
    let same = match (from.kind(ctx), to.kind(ctx)) {
        (TypeKind::MemRef(from), TypeKind::MemRef(to)) => {
            let moved = MemRefType {
                space: to.space,
                ..from.clone()
            };
            moved == *to
        }
        (
            TypeKind::UnrankedMemRef { element: a, .. },
            TypeKind::UnrankedMemRef { element: b, .. },
        ) => a == b,
        _ => false,
    };
    if same {
        Ok(())
    } else {
        Err(incompatible(check))
    }
}

pub(super) fn verify_view(check: &Check) -> Checked {
    let ctx = check.ctx();
    let (from, to) = (check.operand_type(0), check.result_type(0));
    let (Some(base), Some(view)) = (from.memref(ctx), to.memref(ctx)) else {
        return Ok(());
    };
    if view.layout.is_some() {
        return Err(plain(
            check,
            format!(
                "unsupported map for result memref type '{}'",
                check.show(to)
            ),
        ));
    }
    if base.layout.is_some() {
        return Err(plain(
            check,
            format!(
                "unsupported map for base memref type '{}'",
                check.show(from)
            ),
        ));
    }
    if base.space != view.space {
        return Err(plain(
            check,
            format!(
                "different memory spaces specified for base memref type '{}' and view memref type '{}'",
                check.show(from),
                check.show(to)
            ),
        ));
    }
    let holes = view.shape.iter().filter(|&&d| d == DYNAMIC).count();
    let given = check.data().operands.len() - 2;
    check.ensure(
        holes == given,
        format_args!("incorrect number of dynamic sizes, has {given}, expected {holes}"),
    )
}

pub(super) fn verify_transpose(check: &Check) -> Checked {
    let ctx = check.ctx();
    let (from, to) = (check.operand_type(0), check.result_type(0));
    let (Some(base), Some(view)) = (from.memref(ctx), to.memref(ctx)) else {
        return Ok(());
    };
    let map = check
        .data()
        .attr(ctx, "permutation")
        .and_then(|map| map.as_map(ctx));
    let results = map.map_or(&[][..], |map| map.results(ctx));
    let mut order = Vec::new();
    for result in results {
        match result.kind(ctx) {
            AffineExprKind::Dim(dim) if !order.contains(&(dim as usize)) => {
                order.push(dim as usize)
            }
            _ => break,
        }
    }
    let (dims, symbols) = map.map_or((0, 0), |map| (map.num_dims(ctx), map.num_symbols(ctx)));
    check.ensure(
        order.len() == dims && results.len() == dims && symbols == 0,
        "expected a permutation map",
    )?;
    check.ensure(
        dims == base.rank(),
        "expected a permutation map of same rank as the input",
    )?;
    let Some((offset, strides)) = base.strided_form(ctx) else {
        return Ok(());
    };
    let shape: Vec<i64> = order.iter().map(|&dim| base.shape[dim]).collect();
    let strides: Vec<i64> = order.iter().map(|&dim| strides[dim]).collect();
    let same = *view.shape == *shape
        && (view.element, view.space) == (base.element, base.space)
        && view.strided_form(ctx) == Some((offset, strides.clone()))
        && (view.layout.is_some() || goes_without_layout(&strides));
    if same {
        return Ok(());
    }
    let map = strided_map(ctx, offset, &strides);
    let layout = match map.is_identity(ctx) {
        true => ctx.strided_attr(offset, &strides),
        false => ctx.map_attr(map),
    };
    let canonical = MemRefType {
        shape: shape.into(),
        layout: Some(layout),
        ..base.clone()
    };
    Err(check.error(format!(
        "result type '{}' is not equivalent to the canonical transposed input type '{}'",
        check.show(to),
        check.show(ctx.intern_type(TypeKind::MemRef(canonical)))
    )))
}

/// Whether mlir-opt takes these strides and a default layout for equivalent. It
/// compares affine maps, and the two number the symbols of dynamic strides from
/// opposite ends.
fn goes_without_layout(strides: &[i64]) -> bool {
    strides.len() != 1 && strides.iter().filter(|&&stride| stride == DYNAMIC).count() <= 1
}

/// The affine map of an offset and strides; dynamic ones become symbols.
fn strided_map(ctx: &Context, offset: i64, strides: &[i64]) -> AffineMap {
    let mut symbols = 0;
    let mut known = |value: i64| match value {
        DYNAMIC => {
            symbols += 1;
            ctx.affine_symbol(symbols - 1)
        }
        value => ctx.affine_const(value),
    };
    let mut sum = known(offset);
    for (dim, &stride) in (0..).zip(strides) {
        sum = ctx.affine_add(sum, ctx.affine_mul(ctx.affine_dim(dim), known(stride)));
    }
    ctx.affine_map(strides.len() as u32, symbols, &[sum])
}

pub(super) fn verify_reshape(check: &Check) -> Checked {
    let ctx = check.ctx();
    let (from, shape, to) = (
        check.operand_type(0),
        check.operand_type(1),
        check.result_type(0),
    );
    check.ensure(
        from.element(ctx) == to.element(ctx),
        "element types of source and destination memref types should be the same",
    )?;
    if from
        .memref(ctx)
        .is_some_and(|memref| memref.layout.is_some())
    {
        return Err(check.error("source memref type should have identity affine map"));
    }
    let (Some(shape), Some(to)) = (shape.memref(ctx), to.memref(ctx)) else {
        return Ok(());
    };
    check.ensure(
        to.layout.is_none(),
        "result memref type should have identity affine map",
    )?;
    let length = shape.shape[0];
    check.ensure(
        length != DYNAMIC,
        "cannot use shape operand with dynamic length to reshape to statically-ranked memref type",
    )?;
    check.ensure(
        length == to.rank() as i64,
        "length of shape operand differs from the result's memref rank",
    )
}

/// Infers the results of `memref.extract_strided_metadata`: base buffer,
/// offset, sizes and strides.
pub(super) fn strided_metadata(known: &Known) -> Result<Vec<Type>, String> {
    let ctx = known.ctx;
    let source = known.operands.first().and_then(|ty| ty.memref(ctx));
    let Some(source) = source else {
        return Err("expected a ranked memref".to_owned());
    };
    let buffer = MemRefType {
        shape: Box::new([]),
        layout: None,
        ..source.clone()
    };
    let mut types = vec![ctx.index_type(); 2 + 2 * source.rank()];
    types[0] = ctx.intern_type(TypeKind::MemRef(buffer));
    Ok(types)
}
