//! Auxiliary arrays: memory that a pass allocates for values between loops, in front of a loop and freed behind it.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::{arith, memref, scf};
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{Body, Builder, Context, OpId, Type, Value};

use super::emit_loops::MapWithOperands;

/// Extent of one dimension of an array.
#[derive(Clone)]
pub(super) enum Extent {
    Constant(i64),
    /// A number known at run time; a negative one counts as 0.
    Count(MapWithOperands),
}

impl Extent {
    /// The extent of a count, which is a constant where its map is.
    pub(super) fn of(ctx: &Context, count: &MapWithOperands) -> Extent {
        match count.0.as_single_constant(ctx) {
            Some(count) => Extent::Constant(count),
            None => Extent::Count(count.clone()),
        }
    }
}

/// Whether arrays can hold values of a type: numbers.
pub(super) fn can_hold(ctx: &Context, ty: Type) -> bool {
    ty.is_index(ctx) || ty.signless_width(ctx).is_some() || ty.float_kind(ctx).is_some()
}

/// The outermost loop around a nest before which its partial results can be
/// allocated, or the nest itself.
pub(super) fn anchor(body: &Body, root: ForOp, is_constant: bool) -> OpId {
    let mut anchor = root.0;
    let mut op = root.0;
    while let Some(parent) = body.parent_op(op) {
        match body[parent].name {
            affine::FOR | scf::FOR => {
                let mut operands = body[root.0].operands.iter();
                if !is_constant && operands.any(|&v| body.is_defined_in(v, parent)) {
                    break;
                }
                anchor = parent;
            }
            affine::IF | scf::IF => {}
            _ => break,
        }
        op = parent;
    }
    anchor
}

/// Allocates an array for values of each type before `anchor` and frees it behind.
pub(super) fn allocate(
    ctx: &Context,
    body: &mut Body,
    anchor: OpId,
    types: &[Type],
    extents: &[Extent],
) -> Vec<Value> {
    let mut b = Builder::before(ctx, body, anchor);
    let (mut shape, mut sizes) = (Vec::new(), Vec::new());
    for extent in extents {
        shape.push(match extent {
            Extent::Constant(extent) => *extent,
            Extent::Count((map, operands)) => {
                let count = affine::ApplyOp::create(&mut b, *map, operands);
                let zero = b.index_constant(0);
                sizes.push(b.binary(arith::MAXSI, count, zero));
                DYNAMIC
            }
        });
    }
    let mut arrays = Vec::new();
    for &ty in types {
        let ty = ctx.memref_type(&shape, ty);
        arrays.push(memref::AllocOp::create(&mut b, ty, &sizes));
    }
    for &array in &arrays {
        let free = b.state(memref::DEALLOC).operands(&[array]);
        let free = b.body.create_op(free);
        b.body.insert_after(anchor, free);
    }
    arrays
}
