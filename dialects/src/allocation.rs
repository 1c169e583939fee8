//! Shared verifier of allocations: sizes and layout symbols of `memref.alloc` and `gpu.alloc`.

use gridloom_ir::attr::AttrKind;
use gridloom_ir::types::{DYNAMIC, MemRefType};
use gridloom_ir::verify::{Check, Checked};

/// Returns the number of dynamic extents of a shape.
pub(crate) fn num_dynamic_extents(memref: &MemRefType) -> usize {
    memref.shape.iter().filter(|&&d| d == DYNAMIC).count()
}

/// The number of symbol operands that the layout takes.
fn layout_symbols(check: &Check, memref: &MemRefType) -> usize {
    match memref.layout.map(|layout| layout.kind(check.ctx())) {
        Some(AttrKind::Map(map)) => map.num_symbols(check.ctx()),
        Some(AttrKind::Strided { offset, strides }) => {
            let unknown = |value: &&i64| **value == DYNAMIC;
            strides.iter().filter(unknown).count() + usize::from(*offset == DYNAMIC)
        }
        _ => 0,
    }
}

/// Verifies an allocation: a size for each `?`, an operand for each layout
/// symbol; `sizes` and `symbols` are operand groups.
pub(crate) fn verify_sizes(check: &Check, sizes: usize, symbols: usize) -> Checked {
    let (ctx, data) = (check.ctx(), check.data());
    let Some(memref) = check.result_type(0).memref(ctx) else {
        return Ok(());
    };
    let (given, expected) = (
        data.operand_segment(ctx, sizes).len(),
        num_dynamic_extents(memref),
    );
    check.ensure(
        given == expected,
        format_args!("incorrect number of dynamic sizes, has {given}, expected {expected}"),
    )?;
    let (given, expected) = (
        data.operand_segment(ctx, symbols).len(),
        layout_symbols(check, memref),
    );
    check.ensure(
        given == expected,
        format_args!("symbol operand count does not equal memref symbol count: expected {expected}, got {given}"),
    )
}
