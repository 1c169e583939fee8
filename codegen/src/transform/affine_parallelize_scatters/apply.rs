//! Emission of the steps of a loop with scatters.

use gridloom_dialects::affine::ApplyOp;
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::{affine, memref, scf};
use gridloom_ir::scalar::{Accumulate, IntOp};
use gridloom_ir::{Body, Builder, Context, InsertPoint, IrMapping, OpId, Value};

use super::{Destination, MAX_ELEMENTS, ScatterLoop};
use crate::transform::affine_atomic_updates::write::accumulate;
use crate::transform::affine_loop_coalescing::coalesce_nest;
use crate::transform::auxiliary_arrays::{Extent, allocate, anchor};
use crate::transform::emit_loops::MapWithOperands;
use crate::transform::numbered_nest::{
    NumberedNest, extents, for_each_element, number_of_elements, number_type,
};
use crate::transform::slice::{erase_others, slice_of};

impl ScatterLoop {
    /// Replaces the loop.
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        if self.nest.len() > 1 {
            // Where the loops stay, the outermost one alone is parallel.
            let _ = coalesce_nest(ctx, body, &self.nest, "this nest stays");
        }
        if let Some(nest) = NumberedNest::new(ctx, body, self.nest[0], Vec::new()) {
            let trips = nest.count(ctx, body);
            nest.replace_under_test(
                ctx,
                body,
                |b| self.are_small(b, &trips),
                |body| self.write(ctx, body, &nest),
            );
        }
    }

    /// Emits whether the arrays are small enough for the number of iterations, where that is not known.
    fn are_small(&self, b: &mut Builder, trips: &MapWithOperands) -> Option<Value> {
        if !self.is_tested {
            return None;
        }
        let memrefs: Vec<Value> = self.destinations.iter().map(|d| d.memref).collect();
        are_few_elements(b, &memrefs, MAX_ELEMENTS, trips)
    }

    /// Emits all steps in front of the loop.
    fn write(&self, ctx: &Context, body: &mut Body, nest: &NumberedNest) {
        let mut shapes = Vec::new();
        for destination in &self.destinations {
            let mut b = Builder::before(ctx, body, nest.root.0);
            shapes.push(extents(&mut b, destination.memref));
        }
        let arrays: Vec<Value> = (shapes.iter())
            .map(|shape| allocate_numbers(ctx, body, nest, shape))
            .collect();
        let stores = self.destinations.iter().flat_map(|d| &d.stores);
        let stores: Vec<OpId> = stores.copied().collect();
        // Coalescing keeps that there is one.
        let slice = slice_of(body, nest.root, &stores, &[]).unwrap_or_default();
        let mut b = Builder::before(ctx, body, nest.root.0);
        for (&array, shape) in arrays.iter().zip(&shapes) {
            begin(&mut b, array, shape);
        }
        nest.step(&mut b, |b, counter, names, copies| {
            let number = number_of(b, nest, counter, names);
            for (destination, &last) in self.destinations.iter().zip(&arrays) {
                for store in copies_of(copies, &destination.numbered()) {
                    keep_last(b, number, last, store);
                }
            }
            erase_others(b.body, copies, &slice);
        });
        nest.step(&mut b, |b, counter, names, copies| {
            let number = number_of(b, nest, counter, names);
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

/// Emits whether arrays have at most so many elements for each iteration.
pub(in crate::transform) fn are_few_elements(
    b: &mut Builder,
    memrefs: &[Value],
    most: i64,
    trips: &MapWithOperands,
) -> Option<Value> {
    let trips = ApplyOp::create(b, trips.0, &trips.1);
    let each = b.index_constant(most);
    let tests = memrefs.iter().map(|&memref| {
        let elements = number_of_elements(b, memref);
        let elements = b.binary(arith::DIVSI, elements, each);
        CmpIOp::create(b, CmpIPredicate::Sle, elements, trips)
    });
    let tests: Vec<Value> = tests.collect();
    tests
        .into_iter()
        .reduce(|all, one| b.binary(arith::ANDI, all, one))
}

/// Allocates an array of the numbers of last iterations.
pub(in crate::transform) fn allocate_numbers(
    ctx: &Context,
    body: &mut Body,
    nest: &NumberedNest,
    shape: &[Extent],
) -> Value {
    let is_constant = |extent: &Extent| matches!(extent, Extent::Constant(_));
    let place = match shape.iter().all(is_constant) {
        true => anchor(body, nest.root, true),
        false => nest.root.0,
    };
    allocate(ctx, body, place, &[number_type(ctx)], shape)[0]
}

/// Emits the initialization: no iteration stores to any element.
pub(in crate::transform) fn begin(b: &mut Builder, last: Value, shape: &[Extent]) {
    let none = b.ctx.int_attr(number_type(b.ctx), -1);
    let none = b.constant(none, number_type(b.ctx));
    for_each_element(b, shape, |b, at| {
        let identity = b
            .ctx
            .identity_map(u32::try_from(at.len()).unwrap_or_default());
        affine::StoreOp::create(b, none, last, identity, at);
    });
}

/// Emits the number of an iteration at its start.
pub(in crate::transform) fn number_of(
    b: &mut Builder,
    nest: &NumberedNest,
    counter: Value,
    names: &IrMapping,
) -> Value {
    if let Some(block) = b.body.value_block(counter) {
        b.set(InsertPoint::Start(block));
    }
    nest.number(b, counter, names)
}

/// The copies of some operations.
pub(in crate::transform) fn copies_of(copies: &[(OpId, OpId)], ops: &[OpId]) -> Vec<OpId> {
    let of_ops = copies.iter().filter(|(op, _)| ops.contains(op));
    of_ops.map(|&(_, copy)| copy).collect()
}

/// First step, in front of a scatter: the element's last iteration is at least this one.
fn keep_last(b: &mut Builder, number: Value, last: Value, store: OpId) {
    let indices = memref::StoreOp(store).indices(b.body).to_vec();
    // A subscript out of range is reported where the program has it.
    let nest = std::mem::replace(&mut b.loc, b.body[store].loc);
    b.set(InsertPoint::Before(store));
    keep_greatest(b, number, last, &indices);
    b.loc = nest;
}

/// Emits an atomic update that keeps the greater one of a number and an element.
pub(in crate::transform) fn keep_greatest(
    b: &mut Builder,
    number: Value,
    memref: Value,
    at: &[Value],
) {
    let kind = Accumulate::Int(IntOp::MaxS).number();
    let kind = kind.expect("`memref.atomic_rmw` has signed maxima");
    accumulate(b, kind, number, memref, at);
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
