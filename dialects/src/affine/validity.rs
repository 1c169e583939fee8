//! Validity of affine operands: which values are dimensions and which are symbols.
//!
//! A *symbol* is a value that stays the same in the affine scope around its use: it is defined at
//! the top of the scope or outside of it, or computed from such values by operations without side
//! effects. A *dimension* is a symbol, or computed from loop variables too.

use smallvec::{SmallVec, smallvec};

use crate::{arith, memref, tensor};
use gridloom_ir::body::{Body, OpId, RegionId, Value, ValueDef};
use gridloom_ir::context::Context;
use gridloom_ir::hash::FxHashSet;
use gridloom_ir::op::Traits;
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::verify::{Check, Checked};

/// Returns the affine scope of an operation: the closest region around it whose operation opens a
/// scope.
pub fn scope_of(body: &Body, op: OpId) -> Option<RegionId> {
    let mut op = op;
    loop {
        let region = body[body[op].parent()?].parent()?;
        match body[region].parent() {
            Some(parent) if !body[parent].name.has(Traits::AFFINE_SCOPE) => op = parent,
            _ => return Some(region),
        }
    }
}

/// Returns the region that defines a value.
fn home(body: &Body, value: Value) -> Option<RegionId> {
    let block = match body[value].def() {
        ValueDef::Argument(block, _) => block,
        ValueDef::Result(op, _) => body[op].parent()?,
    };
    body[block].parent()
}

/// Whether a value is defined in `scope` itself or outside of it.
fn is_outside(body: &Body, value: Value, scope: RegionId) -> bool {
    let home = home(body, value);
    let mut region = Some(scope);
    while let Some(at) = region {
        if home == Some(at) {
            return true;
        }
        let parent = body[at].parent().and_then(|op| body[op].parent());
        region = parent.and_then(|block| body[block].parent());
    }
    false
}

/// Whether a value is defined right inside an operation that opens a scope.
fn is_top_level(body: &Body, value: Value) -> bool {
    let Some(region) = home(body, value) else {
        return false;
    };
    match body[region].parent() {
        Some(op) => body[op].name.has(Traits::AFFINE_SCOPE),
        None => true,
    }
}

/// Whether a value is a valid symbol of an operation in this scope.
pub fn is_valid_symbol(ctx: &Context, body: &Body, value: Value, scope: RegionId) -> bool {
    // Most values are decided at once, without an allocation.
    let mut seen = FxHashSet::default();
    let mut todo: SmallVec<[Value; 8]> = smallvec![value];
    while let Some(value) = todo.pop() {
        if !body.ty(value).is_index(ctx) {
            return false;
        }
        if is_outside(body, value, scope) {
            continue;
        }
        let Some(op) = body.defining_op(value) else {
            return false;
        };
        let data = &body[op];
        let needs: &[Value] = match data.name {
            memref::DIM | tensor::DIM => match size_of_dim(ctx, body, op) {
                Size::Known => &[],
                Size::Value(size) => &[size],
                Size::Unknown => return false,
            },
            name if name.has(Traits::CONSTANT_LIKE) => &[],
            name if name.has(Traits::PURE) && is_always_defined(ctx, body, op) => &data.operands,
            _ => return false,
        };
        todo.extend(needs.iter().copied().filter(|&need| seen.insert(need)));
    }
    true
}

/// Whether upstream takes a pure operation for speculatable: a division is by the constants that it is defined for, but
/// for remainders and `floordivsi`, whatever they are by.
fn is_always_defined(ctx: &Context, body: &Body, op: OpId) -> bool {
    let data = &body[op];
    let divisor = || arith::constant_int(ctx, body, *data.operands.get(1)?);
    match data.name {
        arith::REMSI | arith::REMUI | arith::FLOORDIVSI => true,
        arith::DIVUI | arith::CEILDIVUI => divisor().is_some_and(|by| by != 0),
        arith::DIVSI | arith::CEILDIVSI => divisor().is_some_and(|by| by != 0 && by != -1),
        name => !name.has(Traits::CONDITIONALLY_SPECULATABLE),
    }
}

/// Source of the result of a `memref.dim` or `tensor.dim`.
enum Size {
    Known,
    Value(Value),
    Unknown,
}

fn size_of_dim(ctx: &Context, body: &Body, dim: OpId) -> Size {
    let [mut source, index] = body[dim].operands[..] else {
        return Size::Unknown;
    };
    if is_top_level(body, source) {
        return Size::Known;
    }
    let index = arith::constant_int(ctx, body, index).and_then(|i| usize::try_from(i).ok());
    let (Some(index), Some(mut op)) = (index, body.defining_op(source)) else {
        return Size::Unknown;
    };
    while body[op].name == memref::CAST {
        let Some(&inner) = body[op].operands.first() else {
            return Size::Unknown;
        };
        source = inner;
        if is_top_level(body, source) {
            return Size::Known;
        }
        match body.defining_op(source) {
            Some(inner) => op = inner,
            None => return Size::Unknown,
        }
    }
    let sizes = match body[op].name {
        memref::ALLOC => body[op].operand_segment(ctx, 0),
        memref::VIEW => body[op].operands.get(2..).unwrap_or(&[]),
        memref::SUBVIEW => body[op].operand_segment(ctx, 2),
        _ => return Size::Unknown,
    };
    let Some(shape) = body.ty(source).memref(ctx).map(|memref| &memref.shape) else {
        return Size::Unknown;
    };
    match shape.get(index) {
        None => Size::Unknown,
        Some(&DYNAMIC) => {
            let position = shape[..index].iter().filter(|&&d| d == DYNAMIC).count();
            sizes
                .get(position)
                .map_or(Size::Unknown, |&size| Size::Value(size))
        }
        Some(_) => Size::Known,
    }
}

/// Whether a value is a valid dimension of an operation in this scope.
pub fn is_valid_dim(ctx: &Context, body: &Body, value: Value, scope: RegionId) -> bool {
    // Most values are decided at once, without an allocation.
    let mut seen = FxHashSet::default();
    let mut todo: SmallVec<[Value; 8]> = smallvec![value];
    while let Some(value) = todo.pop() {
        if is_valid_symbol(ctx, body, value, scope) {
            continue;
        }
        if !body.ty(value).is_index(ctx) {
            return false;
        }
        let op = match body[value].def() {
            ValueDef::Argument(block, _) => {
                let region = body[block].parent();
                let parent = region.and_then(|region| body[region].parent());
                let is_loop = |op: OpId| matches!(body[op].name, super::FOR | super::PARALLEL);
                match parent.is_some_and(is_loop) {
                    true => continue,
                    false => return false,
                }
            }
            ValueDef::Result(op, _) => op,
        };
        match body[op].name {
            super::APPLY | super::DELINEARIZE_INDEX | super::LINEARIZE_INDEX => {
                let operands = body[op].operands.iter();
                todo.extend(operands.copied().filter(|&operand| seen.insert(operand)));
            }
            memref::DIM | tensor::DIM if is_top_level(body, body[op].operands[0]) => {}
            _ => return false,
        }
    }
    true
}

/// Whether a value is a valid dimension and no valid symbol of an operation in this scope: the only
/// values that `affine.apply` refuses as symbols.
pub fn is_mere_dim(ctx: &Context, body: &Body, value: Value, scope: RegionId) -> bool {
    !is_valid_symbol(ctx, body, value, scope) && is_valid_dim(ctx, body, value, scope)
}

/// Whether a value is the induction variable of a loop of this body: a dimension in any scope. Fast
/// path for nearly every operand of a map.
fn is_loop_index(ctx: &Context, body: &Body, value: Value) -> bool {
    let data = &body[value];
    let ValueDef::Argument(block, _) = data.def() else {
        return false;
    };
    let parent = body.block_parent_op(block);
    let is_loop = |op: OpId| matches!(body[op].name, super::FOR | super::PARALLEL);
    data.ty.is_index(ctx) && parent.is_some_and(is_loop)
}

/// Whether a value is an index defined at the top of a body with one region: a symbol of any scope
/// in it. Fast path for nearly every other operand.
fn is_top_index(ctx: &Context, body: &Body, value: Value) -> bool {
    let [top] = body.regions() else {
        return false;
    };
    body.ty(value).is_index(ctx) && home(body, value) == Some(*top)
}

/// Checks the operands of a map or set: the first `dims` must be valid dimensions, the others valid
/// symbols.
pub(super) fn verify_operands(check: &Check, operands: &[Value], dims: usize) -> Checked {
    let (ctx, body) = (check.ctx(), check.body());
    let mut scope = None;
    for (index, &value) in operands.iter().enumerate() {
        if index < dims && is_loop_index(ctx, body, value) || is_top_index(ctx, body, value) {
            continue;
        }
        scope = scope.or_else(|| scope_of(body, check.op));
        let Some(scope) = scope else { return Ok(()) };
        if index < dims {
            let valid = is_valid_dim(ctx, body, value, scope);
            check.ensure(valid, "operand cannot be used as a dimension id")?;
        } else {
            let valid = is_valid_symbol(ctx, body, value, scope);
            check.ensure(valid, "operand cannot be used as a symbol")?;
        }
    }
    Ok(())
}
