//! Emission of the inspection of a loop, and of both versions of it.

use gridloom_dialects::affine::{self, ApplyOp, ForOp};
use gridloom_dialects::arith::{CmpIOp, CmpIPredicate};
use gridloom_dialects::{memref, scf};
use gridloom_ir::{Body, Builder, Context, InsertPoint, IrMapping, OpId, Value};

use super::{Inspected, MAX_ELEMENTS};
use crate::transform::affine_guard_overflow::put_under_test;
use crate::transform::affine_parallelize::into_parallel;
use crate::transform::affine_parallelize_scatters::apply::{
    allocate_numbers, are_few_elements, begin, copies_of, keep_greatest, number_of,
};
use crate::transform::auxiliary_arrays::{Extent, allocate};
use crate::transform::numbered_nest::{NumberedNest, extents, number_type};
use crate::transform::slice::{erase_others, slice_of};

impl Inspected {
    /// Replaces the loop.
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        let Some(nest) = NumberedNest::new(ctx, body, self.root, Vec::new()) else {
            return;
        };
        let trips = nest.count(ctx, body);
        let memrefs: Vec<Value> = self.arrays.iter().map(|array| array.memref).collect();
        nest.replace_under_test(
            ctx,
            body,
            |b| {
                self.is_tested
                    .then(|| are_few_elements(b, &memrefs, MAX_ELEMENTS, &trips))?
            },
            |body| self.write(ctx, body, &nest),
        );
    }

    /// Emits the inspection and both versions in front of the loop.
    fn write(&self, ctx: &Context, body: &mut Body, nest: &NumberedNest) {
        let root = nest.root;
        let mut owners = Vec::new();
        for array in &self.arrays {
            let shape = extents(&mut Builder::before(ctx, body, root.0), array.memref);
            let owner = allocate_numbers(ctx, body, nest, &shape);
            begin(&mut Builder::before(ctx, body, root.0), owner, &shape);
            owners.push(owner);
        }
        let clash = allocate(
            ctx,
            body,
            root.0,
            &[number_type(ctx)],
            &[Extent::Constant(1)],
        )[0];
        let inspected = self.arrays.iter().flat_map(|array| array.accesses.clone());
        let inspected: Vec<OpId> = inspected.collect();
        let slice = slice_of(body, root, &inspected, &[]).unwrap_or_default();
        let mut b = Builder::before(ctx, body, root.0);
        let zero = b.constant(ctx.int_attr(number_type(ctx), 0), number_type(ctx));
        affine::StoreOp::create(&mut b, zero, clash, ctx.constant_map(0), &[]);
        for is_check in [false, true] {
            nest.step(&mut b, |b, counter, names, copies| {
                let number = number_of(b, nest, counter, names);
                for (array, &owner) in self.arrays.iter().zip(&owners) {
                    for copy in copies_of(copies, &array.accesses) {
                        let indices = indices_in_front(b, copy);
                        match is_check {
                            true => tell_clash(b, number, (owner, &indices), clash),
                            false => keep_greatest(b, number, owner, &indices),
                        }
                    }
                }
                erase_others(b.body, copies, &slice);
            });
        }
        let found = affine::LoadOp::create(&mut b, clash, ctx.constant_map(0), &[]);
        let is_apart = CmpIOp::create(&mut b, CmpIPredicate::Eq, found, zero);
        let [parallel, serial] = [(); 2].map(|()| b.body.clone_op(root.0, &mut IrMapping::new()));
        b.insert(parallel);
        put_under_test(&mut b, is_apart, parallel, serial);
        into_parallel(ctx, body, ForOp(parallel));
    }
}

/// Emits the subscripts of an access in front of it, where the emission goes on.
fn indices_in_front(b: &mut Builder, access: OpId) -> Vec<Value> {
    b.set(InsertPoint::Before(access));
    if let Some(plain) = memref::Access::cast(b.body, access) {
        return plain.indices(b.body).to_vec();
    }
    let Some(access) = affine::Access::cast(b.body, access) else {
        return Vec::new();
    };
    let (map, operands) = (access.map(b.ctx, b.body), access.operands(b.body).to_vec());
    let data = map.data(b.ctx);
    let (dims, symbols) = (data.dims, data.symbols);
    let subscripts = map.results(b.ctx).to_vec().into_iter();
    let maps = subscripts.map(|expr| b.ctx.affine_map(dims, symbols, &[expr]));
    let maps: Vec<_> = maps.collect();
    maps.into_iter()
        .map(|map| ApplyOp::create(b, map, &operands))
        .collect()
}

/// Emits the check that an iteration is the last one to touch an element.
fn tell_clash(b: &mut Builder, number: Value, (owner, at): (Value, &[Value]), clash: Value) {
    let last = memref::LoadOp::create(b, owner, at);
    let is_other = CmpIOp::create(b, CmpIPredicate::Ne, last, number);
    let test = scf::IfOp::create(b, is_other, &[], false);
    let block = test.then_block(b.body);
    b.set(InsertPoint::End(block));
    let one = b.constant(b.ctx.int_attr(number_type(b.ctx), 1), number_type(b.ctx));
    let place = b.index_constant(0);
    keep_greatest(b, one, clash, &[place]);
    scf::yield_values(b, block, &[]);
}
