//! Extents of expanded arrays: sizes that are computed in front of the outermost operation around a loop, where values are symbols.

use gridloom_dialects::{affine, arith, memref};
use gridloom_ir::op::Traits;
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{Body, Builder, Context, IrMapping, OpName, Value};

use crate::analysis::workgroup_memory::element_bytes;
use crate::transform::affine_scope::is_top_level;

/// Limit of the chain of operations that compute a size.
const MAX_CHAIN: usize = 16;

/// Operations that compute sizes, defined for all operands.
const COMPUTATIONS: [OpName; 10] = [
    arith::ADDI,
    arith::SUBI,
    arith::MULI,
    arith::MAXSI,
    arith::MINSI,
    arith::INDEX_CAST,
    affine::APPLY,
    affine::MAX,
    affine::MIN,
    memref::DIM,
];

/// Bytes that one iteration's part of these arrays takes; [`None`] where a type leaves an extent open.
pub(super) fn row_bytes(ctx: &Context, body: &Body, arrays: &[Value]) -> Option<i64> {
    arrays.iter().try_fold(0i64, |sum, &array| {
        let ty = body.ty(array).memref(ctx)?;
        let bytes = ty
            .num_elements()?
            .checked_mul(element_bytes(ctx, ty.element))?;
        sum.checked_add(bytes)
    })
}

/// Whether a size can be computed at the top level of its function.
pub(super) fn can_hoist(body: &Body, size: Value) -> bool {
    can_hoist_within(body, size, MAX_CHAIN)
}

fn can_hoist_within(body: &Body, size: Value, depth: usize) -> bool {
    if is_top_level(body, size) {
        return true;
    }
    let (Some(op), Some(depth)) = (body.defining_op(size), depth.checked_sub(1)) else {
        return false;
    };
    let name = body[op].name;
    name.has(Traits::CONSTANT_LIKE)
        || COMPUTATIONS.contains(&name)
            && body[op].inline_regions().is_empty()
            && (body[op].operands.iter()).all(|&value| can_hoist_within(body, value, depth))
}

/// Emits a size, which [`can_hoist`] admits, at a builder's position at the top level.
pub(super) fn hoist(b: &mut Builder, size: Value, names: &mut IrMapping) -> Value {
    // Operations follow those that compute their operands.
    let mut chain = Vec::new();
    let mut stack = vec![size];
    while let Some(value) = stack.pop() {
        if is_top_level(b.body, value) {
            continue;
        }
        if let Some(op) = b.body.defining_op(value) {
            chain.retain(|&other| other != op);
            chain.push(op);
            stack.extend(b.body[op].operands.iter().copied());
        }
    }
    chain.reverse();
    b.insert_copies(&chain, names);
    names.value(size)
}

/// Emits the extents of an array that its type leaves open: sizes of its allocation, or of what it is otherwise.
pub(super) fn open_extents(b: &mut Builder, array: Value, names: &mut IrMapping) -> Vec<Value> {
    let of_allocation = b.body.defining_op(array).filter(|&op| {
        let name = b.body[op].name;
        matches!(name, memref::ALLOC | memref::ALLOCA)
    });
    if let Some(op) = of_allocation {
        let sizes = b.body[op].operands.to_vec();
        return sizes
            .into_iter()
            .map(|size| hoist(b, size, names))
            .collect();
    }
    let ty = b.body.ty(array).memref(b.ctx);
    let shape: Vec<i64> = ty.map(|ty| ty.shape.to_vec()).unwrap_or_default();
    let open = (0..).zip(shape).filter(|&(_, extent)| extent == DYNAMIC);
    let open: Vec<i64> = open.map(|(dim, _)| dim).collect();
    open.into_iter()
        .map(|dim| {
            let dim = b.index_constant(dim);
            memref::DimOp::create(b, array, dim)
        })
        .collect()
}
