//! Emission of the steps of a loop with a counter.

use gridloom_dialects::affine::{self, ApplyOp, Bound, ForOp};
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::memref::{self, DimOp};
use gridloom_ir::affine::AffineOp;
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{Body, Builder, Context, InsertPoint, IrMapping, OpId, Type, Value};

use super::{MIN_GROUPS, RankLoop};
use crate::transform::affine_loop_coalescing::coalesce_nest;
use crate::transform::affine_parallelize_reductions::bounds::Inputs;
use crate::transform::affine_parallelize_reductions::chunk::{close, go_behind, open_band};
use crate::transform::affine_parallelize_reductions::partials::{Extent, allocate};
use crate::transform::numbered_nest::{NumberedNest, extents, for_each_element};
use crate::transform::slice::{erase_others, slice_of};
use crate::transform::unrolled_rows::{MapWithOperands, bound};

/// Auxiliary arrays.
struct Arrays {
    /// Counters of each group of iterations.
    counts: Value,
    /// Value of the counter before each iteration.
    ranks: Value,
}

/// Numbers of a loop to rewrite.
struct Numbers<'a> {
    source: &'a Body,
    nest: &'a NumberedNest,
    /// Number of iterations.
    trips: MapWithOperands,
    /// Number of groups.
    groups: MapWithOperands,
}

impl RankLoop {
    /// Replaces the loop.
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        if self.nest.len() > 1 {
            // Where the loops stay, groups are of iterations of the outermost one.
            let _ = coalesce_nest(ctx, body, &self.nest, "this nest stays");
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
            |body, source| {
                let numbers = Numbers {
                    source,
                    nest: &nest,
                    trips: trips.clone(),
                    groups,
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
        let keys = self.counter.memref(numbers.source);
        let element = body.ty(body[self.counter.load].result(0));
        let mut b = Builder::before(ctx, body, anchor);
        let groups = Extent::of(ctx, &numbers.groups);
        let extents = [vec![groups], extents(&mut b, keys)].concat();
        let trips = Extent::of(ctx, &numbers.trips);
        let arrays = Arrays {
            counts: allocate(ctx, b.body, anchor, &[element], &extents)[0],
            ranks: allocate(ctx, b.body, anchor, &[element], &[trips])[0],
        };
        b.set(InsertPoint::Before(anchor));
        begin(&mut b, arrays.counts, element);
        self.count_in_groups(&mut b, numbers, arrays.counts, None);
        scan_groups(&mut b, &numbers.groups, keys, arrays.counts);
        self.count_in_groups(&mut b, numbers, arrays.counts, Some(arrays.ranks));
        self.use_ranks(&mut b, numbers, arrays.ranks);
    }

    /// Emits a loop over groups, in each of which the iterations update the group's counters one after the other; and store
    /// what these are before to `ranks`.
    fn count_in_groups(
        &self,
        b: &mut Builder,
        numbers: &Numbers,
        counts: Value,
        ranks: Option<Value>,
    ) {
        let ctx = b.ctx;
        let (band, group) = open_band(b, bound(&numbers.groups));
        let (lower, upper) = self.share(ctx, numbers, group);
        let l = ForOp::create(b, bound(&lower), bound(&upper), 1, &[]);
        b.set(InsertPoint::End(l.block(b.body)));
        let number = l.induction_var(b.body);
        let (names, copies) = numbers.nest.copy_iteration(b, numbers.source, number);
        let behind = b.point();
        if let Some(store) = copy_of(&copies, self.counter.store) {
            let keys = memref::StoreOp(store).indices(b.body);
            let at = [&[group], keys].concat();
            b.set(InsertPoint::Before(store));
            let before = memref::LoadOp::create(b, counts, &at);
            if let Some(ranks) = ranks {
                affine::StoreOp::create(b, before, ranks, ctx.identity_map(1), &[number]);
            }
            let amount = names.value(self.counter.amount);
            let operation = numbers.source[self.counter.combine].name;
            let after = b.binary(operation, before, amount);
            memref::StoreOp::create(b, after, counts, &at);
        }
        b.set(behind);
        let (store, amount) = (self.counter.store, self.counter.amount);
        // Coalescing keeps that there is one.
        let slice = slice_of(numbers.source, numbers.nest.root, &[store], &[amount]);
        erase_others(b.body, numbers.source, &copies, &slice.unwrap_or_default());
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
        let (_, copies) = numbers.nest.copy_iteration(b, numbers.source, number);
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
fn begin(b: &mut Builder, counts: Value, element: Type) {
    let none = b.ctx.int_attr(element, 0);
    let none = b.constant(none, element);
    for_each_element(b, counts, |b, at| {
        let identity = b
            .ctx
            .identity_map(u32::try_from(at.len()).unwrap_or_default());
        affine::StoreOp::create(b, none, counts, identity, at);
    });
}

/// Emits the scan of each counter over groups: counters of groups begin where those of the groups before end, and
/// the counter itself ends where the last ones do.
fn scan_groups(b: &mut Builder, groups: &MapWithOperands, counters: Value, counts: Value) {
    for_each_element(b, counters, |b, keys| {
        let ctx = b.ctx;
        let rank = u32::try_from(keys.len()).unwrap_or_default();
        let (at_key, at_count) = (ctx.identity_map(rank), ctx.identity_map(rank + 1));
        let before = affine::LoadOp::create(b, counters, at_key, keys);
        let l = ForOp::create(b, Bound::constant(ctx, 0), bound(groups), 1, &[before]);
        b.set(InsertPoint::End(l.block(b.body)));
        let at = [&[l.induction_var(b.body)], keys].concat();
        let sum = l.iter_args(b.body)[0];
        let own = affine::LoadOp::create(b, counts, at_count, &at);
        affine::StoreOp::create(b, sum, counts, at_count, &at);
        let next = b.binary(arith::ADDI, sum, own);
        let all = close(b, l, &[next]);
        affine::StoreOp::create(b, all[0], counters, at_key, keys);
    });
}

/// Emits the number of elements of a memref.
fn number_of_elements(b: &mut Builder, memref: Value) -> Value {
    let shape = b.body.ty(memref).memref(b.ctx).map(|ty| ty.shape.to_vec());
    let mut all = b.index_constant(1);
    for (index, extent) in (0..).zip(shape.unwrap_or_default()) {
        let number = b.index_constant(if extent == DYNAMIC { index } else { extent });
        let extent = match extent {
            DYNAMIC => DimOp::create(b, memref, number),
            _ => number,
        };
        all = b.binary(arith::MULI, all, extent);
    }
    all
}

/// The copy of an operation.
fn copy_of(copies: &[(OpId, OpId)], op: OpId) -> Option<OpId> {
    let mut copies = copies.iter();
    copies.find(|(of, _)| *of == op).map(|&(_, copy)| copy)
}
