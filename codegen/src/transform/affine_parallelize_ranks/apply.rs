//! Emission of the steps of a loop with a counter.

use std::collections::HashSet;

use gridloom_dialects::affine::{self, ApplyOp, Bound, ForOp};
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::{memref, scf};
use gridloom_ir::affine::AffineOp;
use gridloom_ir::{AffineMap, Body, Builder, Context, InsertPoint, IrMapping, OpId, Type, Value};

use super::{MIN_GROUPS, RankLoop};
use crate::transform::affine_loop_coalescing::coalesce_nest;
use crate::transform::auxiliary_arrays::{Extent, allocate};
use crate::transform::emit_loops::{MapWithOperands, bound, close, go_behind, open_band};
use crate::transform::map_inputs::Inputs;
use crate::transform::numbered_nest::{
    NumberedNest, extents, for_each_element, number_of_elements,
};
use crate::transform::slice::{erase_others, slice_of};

/// Auxiliary arrays.
struct Arrays {
    /// Sum that each group of iterations adds to each counter; after the scan, that of all groups before.
    counts: Value,
    /// Sum that all groups add to each counter.
    totals: Value,
    /// Value of the counter before each iteration.
    ranks: Value,
}

/// Numbers of a loop to rewrite.
struct Numbers<'a> {
    nest: &'a NumberedNest,
    /// Number of iterations.
    trips: MapWithOperands,
    /// Number of groups.
    groups: MapWithOperands,
    /// The operations that compute keys and amounts.
    slice: HashSet<OpId>,
}

impl RankLoop {
    /// Replaces the loop.
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        // Where the loops cannot be joined, the counter changes many times in an iteration, and they stay.
        if self.nest.len() > 1 && coalesce_nest(ctx, body, &self.nest, "it stays").is_err() {
            return;
        }
        let Some(nest) = NumberedNest::new(ctx, body, self.nest[0], Vec::new()) else {
            return;
        };
        let trips = nest.count(ctx, body);
        let mut inputs = Inputs::new(ctx);
        let names = IrMapping::new();
        let count = inputs.import(bound(&trips), &names)[0];
        let groups = inputs.finish(&[inputs.by(AffineOp::CeilDiv, count, self.span)]);
        nest.replace_under_test(
            ctx,
            body,
            |b| self.is_worth_it(b, &trips),
            |body| {
                let (store, amount) = (self.counter.store, self.counter.amount);
                let slice = slice_of(body, nest.root, &[store], &[amount]);
                let numbers = Numbers {
                    nest: &nest,
                    trips: trips.clone(),
                    groups,
                    // Coalescing keeps that there is one.
                    slice: slice.unwrap_or_default(),
                };
                self.write(ctx, body, &numbers);
            },
        );
    }

    /// Emits whether there are enough groups and few enough keys, where that is not known.
    fn is_worth_it(&self, b: &mut Builder, trips: &MapWithOperands) -> Option<Value> {
        let is_long = (!self.has_groups).then(|| {
            let trips = ApplyOp::create(b, trips.0, &trips.1);
            let least = b.index_constant(self.span * MIN_GROUPS);
            CmpIOp::create(b, CmpIPredicate::Sge, trips, least)
        });
        let has_few_keys = (!self.has_keys).then(|| {
            let memref = self.counter.memref(b.body);
            let keys = number_of_elements(b, memref);
            let most = b.index_constant(self.span);
            CmpIOp::create(b, CmpIPredicate::Sle, keys, most)
        });
        let tests = [is_long, has_few_keys].into_iter().flatten();
        tests.reduce(|all, one| b.binary(arith::ANDI, all, one))
    }

    /// Emits all steps in front of the loop.
    fn write(&self, ctx: &Context, body: &mut Body, numbers: &Numbers) {
        let anchor = numbers.nest.root.0;
        let counters = self.counter.memref(body);
        let element = body.ty(body[self.counter.load].result(0));
        let mut b = Builder::before(ctx, body, anchor);
        let keys = extents(&mut b, counters);
        let groups = [&[Extent::of(ctx, &numbers.groups)], &keys[..]].concat();
        let trips = Extent::of(ctx, &numbers.trips);
        let mut array = |extents: &[Extent]| allocate(ctx, b.body, anchor, &[element], extents)[0];
        let arrays = Arrays {
            counts: array(&groups),
            totals: array(&keys),
            ranks: array(&[trips]),
        };
        b.set(InsertPoint::Before(anchor));
        begin(&mut b, arrays.counts, &groups, element);
        self.count_in_groups(&mut b, numbers, &arrays, false);
        scan_groups(&mut b, &numbers.groups, &keys, &arrays);
        self.count_in_groups(&mut b, numbers, &arrays, true);
        add_totals(&mut b, counters, &keys, &arrays);
        self.use_ranks(&mut b, numbers, arrays.ranks);
    }

    /// Emits a loop over groups, in each of which the iterations update the group's counts one after the other; and store
    /// what the counters are before, if `ranks`.
    fn count_in_groups(&self, b: &mut Builder, numbers: &Numbers, arrays: &Arrays, ranks: bool) {
        let ctx = b.ctx;
        let (band, group) = open_band(b, bound(&numbers.groups));
        let (lower, upper) = self.share(ctx, numbers, group);
        let l = ForOp::create(b, bound(&lower), bound(&upper), 1, &[]);
        b.set(InsertPoint::End(l.block(b.body)));
        let number = l.induction_var(b.body);
        let (names, copies) = numbers.nest.copy_iteration(b, number);
        let behind = b.point();
        if let Some(store) = copy_of(&copies, self.counter.store) {
            let (keys, counters) = (
                memref::StoreOp(store).indices(b.body).to_vec(),
                memref::StoreOp(store).memref(b.body),
            );
            let at = [&[group], &keys[..]].concat();
            b.set(InsertPoint::Before(store));
            // A key out of range is reported where the program has it.
            let nest = std::mem::replace(&mut b.loc, b.body[self.counter.load].loc);
            let before = memref::LoadOp::create(b, arrays.counts, &at);
            if ranks {
                let start = memref::LoadOp::create(b, counters, &keys);
                let rank = b.binary(arith::ADDI, start, before);
                affine::StoreOp::create(b, rank, arrays.ranks, ctx.identity_map(1), &[number]);
            }
            let amount = names.value(self.counter.amount);
            let operation = b.body[self.counter.combine].name;
            let after = b.binary(operation, before, amount);
            memref::StoreOp::create(b, after, arrays.counts, &at);
            b.loc = nest;
        }
        b.set(behind);
        erase_others(b.body, &copies, &numbers.slice);
        close(b, l, &[]);
        go_behind(b, band.0);
    }

    /// The iterations of a group.
    fn share(
        &self,
        ctx: &Context,
        numbers: &Numbers,
        group: Value,
    ) -> (MapWithOperands, MapWithOperands) {
        let mut inputs = Inputs::new(ctx);
        let place = inputs.dim(group);
        let first = inputs.times(place, self.span);
        let lower = inputs.finish(&[first]);
        let end = inputs.plus(first, self.span);
        let names = IrMapping::new();
        let trips = inputs.import(bound(&numbers.trips), &names)[0];
        (lower, inputs.finish(&[end, trips]))
    }

    /// Emits the loop with ranks in place of the counter.
    fn use_ranks(&self, b: &mut Builder, numbers: &Numbers, ranks: Value) {
        let ctx = b.ctx;
        let start = Bound::constant(ctx, 0);
        let l = ForOp::create(b, start, bound(&numbers.trips), 1, &[]);
        b.set(InsertPoint::End(l.block(b.body)));
        let number = l.induction_var(b.body);
        let (_, copies) = numbers.nest.copy_iteration(b, number);
        let behind = b.point();
        let [load, store] = [self.counter.load, self.counter.store].map(|op| copy_of(&copies, op));
        if let (Some(load), Some(store)) = (load, store) {
            b.set(InsertPoint::Before(load));
            let rank = affine::LoadOp::create(b, ranks, ctx.identity_map(1), &[number]);
            b.body.replace_op(load, &[rank]);
            b.body.erase(store);
        }
        b.set(behind);
        close(b, l, &[]);
    }
}

/// Emits the initialization: no iteration of any group has counted.
fn begin(b: &mut Builder, counts: Value, extents: &[Extent], element: Type) {
    let none = b.ctx.int_attr(element, 0);
    let none = b.constant(none, element);
    for_each_element(b, extents, |b, at| {
        affine::StoreOp::create(b, none, counts, identity(b, at), at);
    });
}

/// Emits the scan of each counter over groups: counts of groups become those of the groups before, and the sum of all is stored.
fn scan_groups(b: &mut Builder, groups: &MapWithOperands, keys: &[Extent], arrays: &Arrays) {
    let element = b.body.ty(arrays.counts).memref(b.ctx).map(|ty| ty.element);
    for_each_element(b, keys, |b, keys| {
        let ctx = b.ctx;
        let Some(element) = element else { return };
        let none = b.constant(ctx.int_attr(element, 0), element);
        let l = ForOp::create(b, Bound::constant(ctx, 0), bound(groups), 1, &[none]);
        b.set(InsertPoint::End(l.block(b.body)));
        let at = [&[l.induction_var(b.body)], keys].concat();
        let sum = l.iter_args(b.body)[0];
        let own = affine::LoadOp::create(b, arrays.counts, identity(b, &at), &at);
        affine::StoreOp::create(b, sum, arrays.counts, identity(b, &at), &at);
        let next = b.binary(arith::ADDI, sum, own);
        let all = close(b, l, &[next]);
        affine::StoreOp::create(b, all[0], arrays.totals, identity(b, keys), keys);
    });
}

/// Emits the addition of the sums of all groups to the counters, but for those that no iteration changes, which may hold
/// nothing yet.
fn add_totals(b: &mut Builder, counters: Value, keys: &[Extent], arrays: &Arrays) {
    for_each_element(b, keys, |b, keys| {
        let map = identity(b, keys);
        let total = affine::LoadOp::create(b, arrays.totals, map, keys);
        let element = b.body.ty(total);
        let none = b.constant(b.ctx.int_attr(element, 0), element);
        let changes = CmpIOp::create(b, CmpIPredicate::Ne, total, none);
        let test = scf::IfOp::create(b, changes, &[], false);
        let (block, behind) = (test.then_block(b.body), b.point());
        b.set(InsertPoint::End(block));
        let before = affine::LoadOp::create(b, counters, map, keys);
        let after = b.binary(arith::ADDI, before, total);
        affine::StoreOp::create(b, after, counters, map, keys);
        scf::yield_values(b, block, &[]);
        b.set(behind);
    });
}

/// The identity map of subscripts.
fn identity(b: &Builder, at: &[Value]) -> AffineMap {
    (b.ctx).identity_map(u32::try_from(at.len()).unwrap_or_default())
}

/// The copy of an operation.
fn copy_of(copies: &[(OpId, OpId)], op: OpId) -> Option<OpId> {
    let mut copies = copies.iter();
    copies.find(|(of, _)| *of == op).map(|&(_, copy)| copy)
}
