//! Arrays of partial results: their allocation, and the subscripts of each partial result.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::{arith, memref, scf};
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{AffineMap, Body, Builder, Context, OpId, Type, Value};

use crate::transform::unrolled_rows::MapWithOperands;

/// Extent of one dimension of an array.
#[derive(Clone)]
pub(in crate::transform) enum Extent {
    Constant(i64),
    /// A number known at run time; a negative one counts as 0.
    Count(MapWithOperands),
}

impl Extent {
    /// The extent of a count, which is a constant where its map is.
    pub(in crate::transform) fn of(ctx: &Context, count: &MapWithOperands) -> Extent {
        match count.0.as_single_constant(ctx) {
            Some(count) => Extent::Constant(count),
            None => Extent::Count(count.clone()),
        }
    }
}

/// Whether arrays can hold values of a type: numbers.
pub(in crate::transform) fn can_hold(ctx: &Context, ty: Type) -> bool {
    ty.is_index(ctx) || ty.signless_width(ctx).is_some() || ty.float_kind(ctx).is_some()
}

/// The outermost loop around a nest before which its partial results can be
/// allocated, or the nest itself.
pub(in crate::transform) fn anchor(body: &Body, root: ForOp, is_constant: bool) -> OpId {
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
pub(in crate::transform) fn allocate(
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

/// Elements of the partial results for one iteration of the loops around a nest.
pub(super) struct Cell {
    /// Map from the counters of the loops around, then a thread's number where there is one, to
    /// subscripts.
    pub(super) map: AffineMap,
    pub(super) counters: Vec<Value>,
}

impl Cell {
    /// The elements of a nest without loops around: one for each thread.
    pub(super) fn of_nest(ctx: &Context) -> Cell {
        Cell {
            map: ctx.affine_map(1, 0, &[ctx.affine_dim(0)]),
            counters: Vec::new(),
        }
    }

    /// Stores a value in the element of each array.
    pub(super) fn store(
        &self,
        b: &mut Builder,
        values: &[Value],
        arrays: &[Value],
        place: Option<Value>,
    ) {
        let operands = self.operands(place);
        for (&value, &array) in values.iter().zip(arrays) {
            affine::StoreOp::create(b, value, array, self.map, &operands);
        }
    }

    /// Loads the element of each array.
    pub(super) fn load(
        &self,
        b: &mut Builder,
        arrays: &[Value],
        place: Option<Value>,
    ) -> Vec<Value> {
        let operands = self.operands(place);
        let load = |&array| affine::LoadOp::create(b, array, self.map, &operands);
        arrays.iter().map(load).collect()
    }

    fn operands(&self, place: Option<Value>) -> Vec<Value> {
        self.counters.iter().copied().chain(place).collect()
    }
}
