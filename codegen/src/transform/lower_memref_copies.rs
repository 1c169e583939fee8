//! `lower-memref-copies`: lowers copies of tiles inside of loops, and copies in kernels, to loops.
//!
//! ```text
//! scf.for %i … {                               scf.for %i … {
//!   %t = memref.subview %a[%i, 0] [8, 8] …       %t = memref.subview %a[%i, 0] [8, 8] …
//!   %l = memref.alloc() : memref<8x8xf32>   ⇒    %l = memref.alloc() : memref<8x8xf32>
//!   memref.copy %t, %l                           scf.for %x = 0 to 8 { scf.for %y = 0 to 8 {
//!                                                  %v = memref.load %t[%x, %y]
//!                                                  memref.store %v, %l[%x, %y] } }
//! ```
//!
//! Programs that tile their loops fetch tiles into memory of their own this way. A kernel has no copy
//! of whole memrefs, and analyses see which elements a loop touches, so that the loops around it can
//! become a kernel. Legal where source and target are known to lie in different memory, and to have the
//! same extents, by their types and by the sizes of allocations and views; other copies stay. So do
//! those of memrefs from outside of all loops: a device copies them faster than a kernel does.

use gridloom_dialects::memref::{self, LoadOp, Mixed, ReinterpretCastOp, StoreOp, SubViewOp};
use gridloom_dialects::{affine, scf};
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{Body, Builder, Context, InsertPoint, OpId, Value};

use super::kernels::is_kernel;
use crate::analysis::alias::{Alias, Aliases, Globals, root_of};

/// Lowers the copies of a function. Returns whether anything changed.
pub fn lower_copies(ctx: &Context, body: &mut Body) -> bool {
    let copies = body.walk_named(|name| name == memref::COPY);
    if copies.is_empty() {
        return false;
    }
    let is_kernel = is_kernel(body);
    let globals = Globals::default();
    let aliases = Aliases::new(ctx, body, &globals);
    let copies: Vec<(OpId, Vec<Extent>)> = (copies.into_iter())
        .filter(|&op| is_kernel || moves_a_tile(ctx, body, op))
        .filter(|&op| is_apart(ctx, body, &aliases, [0, 1].map(|at| body[op].operands[at])))
        .filter_map(|op| Some((op, common_extents(ctx, body, op)?)))
        .collect();
    for (op, extents) in &copies {
        let [source, target] = [0, 1].map(|at| body[*op].operands[at]);
        let mut b = Builder::before(ctx, body, *op);
        copy_elements(&mut b, source, target, extents);
        body.erase(*op);
    }
    !copies.is_empty()
}

/// Whether a copy or transfer moves a tile: a loop around it makes one of its memrefs, or counts one of its
/// indices.
pub(super) fn moves_a_tile(ctx: &Context, body: &Body, copy: OpId) -> bool {
    let is_loop = |&op: &OpId| {
        matches!(
            body[op].name,
            affine::FOR | affine::PARALLEL | scf::FOR | scf::WHILE | scf::PARALLEL | scf::FORALL
        )
    };
    let loops: Vec<OpId> = body.ancestors(copy).filter(is_loop).collect();
    let is_made = |&value: &Value| {
        let is_carried = body.defining_op(value).is_none() && !body.ty(value).is_index(ctx);
        !is_carried && loops.iter().any(|&op| body.is_defined_in(value, op))
    };
    body[copy].operands.iter().any(is_made)
}

/// Whether source and target of a copy are disjoint.
pub(super) fn is_apart(
    ctx: &Context,
    body: &Body,
    aliases: &Aliases,
    [source, target]: [Value; 2],
) -> bool {
    let roots = [source, target].map(|memref| root_of(ctx, body, memref));
    aliases.relate(roots[0], roots[1], &|_| true) == Alias::No
}

/// The extent of a memref along a dimension.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    Known(i64),
    Computed(Value),
}

impl Extent {
    /// The extent as a value.
    pub(super) fn value(self, b: &mut Builder) -> Value {
        match self {
            Extent::Known(size) => b.index_constant(size),
            Extent::Computed(size) => size,
        }
    }
}

/// The extents of source and target if they are known to be equal; `None` otherwise, and for
/// unranked memrefs.
fn common_extents(ctx: &Context, body: &Body, copy: OpId) -> Option<Vec<Extent>> {
    let [source, target] = [0, 1].map(|at| body[copy].operands[at]);
    let (of_source, of_target) = (extents(ctx, body, source)?, extents(ctx, body, target)?);
    (of_source == of_target).then_some(of_source)
}

/// The extents of a memref, each as a constant or as the operand of its allocation or view.
fn extents(ctx: &Context, body: &Body, memref: Value) -> Option<Vec<Extent>> {
    let shape = &body.ty(memref).memref(ctx)?.shape;
    let is_open = shape.contains(&DYNAMIC);
    let maker = body.defining_op(memref).filter(|_| is_open);
    let sizes: Vec<Mixed> = match maker {
        None => Vec::new(),
        Some(op) => match body[op].name {
            memref::ALLOC | memref::ALLOCA => {
                let sizes = body[op].operand_segment(ctx, 0);
                sizes.iter().map(|&size| Mixed::Value(size)).collect()
            }
            memref::SUBVIEW => SubViewOp(op).sizes(ctx, body),
            memref::REINTERPRET_CAST => ReinterpretCastOp(op).sizes(ctx, body),
            _ => Vec::new(),
        },
    };
    let mut computed = sizes.into_iter().filter_map(|size| match size {
        Mixed::Value(size) => Some(Extent::Computed(size)),
        Mixed::Constant(_) => None,
    });
    let extent = |&size: &i64| match size {
        DYNAMIC => computed.next(),
        known => Some(Extent::Known(known)),
    };
    let extents: Option<Vec<Extent>> = shape.iter().map(extent).collect();
    // A type may leave a size open that the operation has as a constant, or the other way round.
    extents.filter(|_| computed.next().is_none())
}

/// Emits loops from 0, and moves the builder into the innermost one. Returns their counters.
pub(super) fn nest(b: &mut Builder, extents: &[Extent]) -> Vec<Value> {
    let mut counters = Vec::new();
    for &extent in extents {
        let (lower, step) = (b.index_constant(0), b.index_constant(1));
        let upper = extent.value(b);
        let band = scf::ForOp::create(b, lower, upper, step, &[]);
        let block = band.block(b.body);
        counters.push(band.induction_var(b.body));
        scf::yield_values(b, block, &[]);
        b.set(InsertPoint::Start(block));
    }
    counters
}

/// Emits one loop for each dimension, around a load and a store.
fn copy_elements(b: &mut Builder, source: Value, target: Value, extents: &[Extent]) {
    let after = b.point();
    let index = nest(b, extents);
    let value = LoadOp::create(b, source, &index);
    StoreOp::create(b, value, target, &index);
    b.set(after);
}
