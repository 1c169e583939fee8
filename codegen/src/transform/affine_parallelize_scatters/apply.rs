//! Emission of the steps of a loop with scatters.

use gridloom_dialects::arith::{CmpIOp, CmpIPredicate};
use gridloom_dialects::{affine, memref, scf};
use gridloom_ir::scalar::{Accumulate, IntOp};
use gridloom_ir::{Body, Builder, Context, InsertPoint, IrMapping, OpId, Value};

use super::{Destination, ScatterLoop};
use crate::transform::affine_atomic_updates::write::accumulate;
use crate::transform::affine_loop_coalescing::coalesce_nest;
use crate::transform::affine_parallelize_reductions::partials::{Extent, allocate, anchor};
use crate::transform::numbered_nest::{NumberedNest, extents, for_each_element, number_type};
use crate::transform::slice::{erase_others, slice_of};

impl ScatterLoop {
    /// Replaces the loop.
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        if self.nest.len() > 1 {
            // Where the loops stay, the outermost one alone is parallel.
            let _ = coalesce_nest(ctx, body, &self.nest, "this nest stays");
        }
        if let Some(nest) = NumberedNest::new(ctx, body, self.nest[0], Vec::new()) {
            nest.replace(ctx, body, |body, source| {
                self.write(ctx, body, source, &nest);
            });
        }
    }

    /// Emits all steps in front of the loop.
    fn write(&self, ctx: &Context, body: &mut Body, source: &Body, nest: &NumberedNest) {
        let arrays: Vec<Value> = (self.destinations.iter())
            .map(|destination| allocate_like(ctx, body, nest, destination.memref))
            .collect();
        let stores = self.destinations.iter().flat_map(|d| &d.stores);
        let stores: Vec<OpId> = stores.copied().collect();
        // Coalescing keeps that there is one.
        let slice = slice_of(source, nest.root, &stores, &[]).unwrap_or_default();
        let mut b = Builder::before(ctx, body, nest.root.0);
        for &array in &arrays {
            begin(&mut b, array);
        }
        nest.step(&mut b, source, |b, counter, names, copies| {
            let number = number_of(b, nest, counter, source, names);
            for (destination, &last) in self.destinations.iter().zip(&arrays) {
                for store in copies_of(copies, &destination.numbered()) {
                    keep_last(b, number, last, store);
                }
            }
            erase_others(b.body, source, copies, &slice);
        });
        nest.step(&mut b, source, |b, counter, names, copies| {
            let number = number_of(b, nest, counter, source, names);
            for (destination, &last) in self.destinations.iter().zip(&arrays) {
                for store in copies_of(copies, &destination.stores) {
                    store_if_last(b, number, last, store);
                }
            }
        });
    }
}

impl Destination {
    /// The stores by which iterations are numbered: of those to several arrays at the same subscripts,
    /// the first one.
    fn numbered(&self) -> Vec<OpId> {
        let count = match self.is_joint {
            true => 1,
            false => self.stores.len(),
        };
        self.stores[..count].to_vec()
    }
}

/// Allocates the array of the numbers of last iterations, with the shape of a memref.
fn allocate_like(ctx: &Context, body: &mut Body, nest: &NumberedNest, memref: Value) -> Value {
    let extents = extents(&mut Builder::before(ctx, body, nest.root.0), memref);
    let is_constant = |extent: &Extent| matches!(extent, Extent::Constant(_));
    let place = match extents.iter().all(is_constant) {
        true => anchor(body, nest.root, true),
        false => nest.root.0,
    };
    allocate(ctx, body, place, &[number_type(ctx)], &extents)[0]
}

/// Emits the initialization: no iteration stores to any element.
fn begin(b: &mut Builder, last: Value) {
    let none = b.ctx.int_attr(number_type(b.ctx), -1);
    let none = b.constant(none, number_type(b.ctx));
    for_each_element(b, last, |b, counters| {
        let identity = b
            .ctx
            .identity_map(u32::try_from(counters.len()).unwrap_or_default());
        affine::StoreOp::create(b, none, last, identity, counters);
    });
}

/// Emits the number of an iteration at its start.
fn number_of(
    b: &mut Builder,
    nest: &NumberedNest,
    counter: Value,
    source: &Body,
    names: &IrMapping,
) -> Value {
    if let Some(block) = b.body.value_block(counter) {
        b.set(InsertPoint::Start(block));
    }
    nest.number(b, counter, source, names)
}

/// The copies of some operations.
fn copies_of(copies: &[(OpId, OpId)], ops: &[OpId]) -> Vec<OpId> {
    let of_ops = copies.iter().filter(|(op, _)| ops.contains(op));
    of_ops.map(|&(_, copy)| copy).collect()
}

/// First step, in front of a scatter: the element's last iteration is at least this one.
fn keep_last(b: &mut Builder, number: Value, last: Value, store: OpId) {
    let indices = memref::StoreOp(store).indices(b.body).to_vec();
    b.set(InsertPoint::Before(store));
    let kind = Accumulate::Int(IntOp::MaxS).number();
    let kind = kind.expect("`memref.atomic_rmw` has signed maxima");
    accumulate(b, kind, number, last, &indices);
}

/// Last step: puts a scatter under the condition that its iteration is the last one.
fn store_if_last(b: &mut Builder, number: Value, last: Value, store: OpId) {
    let indices = memref::StoreOp(store).indices(b.body).to_vec();
    b.set(InsertPoint::Before(store));
    let taken = memref::LoadOp::create(b, last, &indices);
    let is_last = CmpIOp::create(b, CmpIPredicate::Eq, taken, number);
    let test = scf::IfOp::create(b, is_last, &[], false);
    let block = test.then_block(b.body);
    b.body.detach(store);
    b.set(InsertPoint::End(block));
    b.insert(store);
    scf::yield_values(b, block, &[]);
}
