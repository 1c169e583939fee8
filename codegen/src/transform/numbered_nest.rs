//! Nests whose iterations are numbered in program order, for passes that compute by these numbers
//! which of several iterations comes first or last.

use gridloom_dialects::affine::{ApplyOp, Bound, ForOp};
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::memref::DimOp;
use gridloom_ir::affine::AffineOp;
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{Body, Builder, Context, InsertPoint, IrMapping, OpId, Type, Value};

use super::affine_guard_overflow::put_under_test;
use super::affine_scope::is_top_level;
use super::auxiliary_arrays::Extent;
use super::emit_loops::{MapWithOperands, bound, close, go_behind, open_band};
use super::map_inputs::Inputs;

/// Limit of iteration numbers, which are signed 32-bit integers so that kernels update them
/// atomically: the first number that no iteration has.
pub(super) const MAX_NUMBERS: i64 = i32::MAX as i64;

/// Nest whose iterations are numbered in program order, from 0 on.
pub(super) struct NumberedNest {
    pub(super) root: ForOp,
    /// The inner loops that count, outermost first, with their constant lower bounds and extents.
    inner: Vec<(ForOp, i64, i64)>,
    /// Number of iterations of the inner loops in one iteration of the outermost.
    each: i64,
    /// Whether all numbers are known to be less than [`MAX_NUMBERS`].
    is_short: bool,
}

impl NumberedNest {
    /// Numbers the iterations of a nest; `None` if bounds are extrema of several expressions, or if the
    /// numbers are known to exceed [`MAX_NUMBERS`].
    pub(super) fn new(
        ctx: &Context,
        body: &Body,
        root: ForOp,
        inner: Vec<(ForOp, i64, i64)>,
    ) -> Option<Self> {
        let bounds = [root.lower(ctx, body), root.upper(ctx, body)];
        if !bounds.iter().all(|bound| bound.map.results(ctx).len() == 1) {
            return None;
        }
        let each = inner
            .iter()
            .try_fold(1i64, |all, &(_, _, extent)| all.checked_mul(extent.max(1)))
            .filter(|&each| each < MAX_NUMBERS)?;
        let trips = root.constant_trip_count(ctx, body);
        let is_short = trips.is_some();
        let exceeds = trips.is_some_and(|trips| trips >= (MAX_NUMBERS / each).unsigned_abs());
        (!exceeds).then_some(NumberedNest {
            root,
            inner,
            each,
            is_short,
        })
    }

    /// Replaces the nest by what `write` emits in front of it; under a test that numbers fit where their number is
    /// not known.
    pub(super) fn replace(&self, ctx: &Context, body: &mut Body, write: impl FnOnce(&mut Body)) {
        self.replace_under_test(ctx, body, |_| None, write);
    }

    /// Like [`Self::replace`], under the condition that `test` emits, too, if it does.
    pub(super) fn replace_under_test(
        &self,
        ctx: &Context,
        body: &mut Body,
        test: impl FnOnce(&mut Builder) -> Option<Value>,
        write: impl FnOnce(&mut Body),
    ) {
        let root = self.root.0;
        let mut b = Builder::before(ctx, body, root);
        let tests = [test(&mut b), (!self.is_short).then(|| self.are_few(&mut b))];
        let tests = tests.into_iter().flatten();
        if let Some(condition) = tests.reduce(|all, one| b.binary(arith::ANDI, all, one)) {
            let copy = b.body.clone_op(root, &mut IrMapping::new());
            put_under_test(&mut b, condition, root, copy);
        }
        write(body);
        body.erase(root);
    }

    /// Emits whether the number of iterations is less than [`MAX_NUMBERS`].
    fn are_few(&self, b: &mut Builder) -> Value {
        let ctx = b.ctx;
        let most = (MAX_NUMBERS / self.each - 1) / 2;
        let (lower, upper) = (self.root.lower(ctx, b.body), self.root.upper(ctx, b.body));
        let ends = [
            (lower, CmpIPredicate::Sge, -most),
            (upper, CmpIPredicate::Sle, most),
        ];
        let ends = ends.map(|(end, order, limit)| (end.map, end.operands.to_vec(), order, limit));
        let [low, high] = ends.map(|(map, operands, order, limit)| {
            let end = ApplyOp::create(b, map, &operands);
            let limit = b.index_constant(limit);
            CmpIOp::create(b, order, end, limit)
        });
        b.binary(arith::ANDI, low, high)
    }

    /// Trip count of the outermost loop.
    pub(super) fn count(&self, ctx: &Context, body: &Body) -> MapWithOperands {
        trip_count(ctx, body, self.root)
    }

    /// Emits a copy of the nest with a parallel outermost loop. `change` gets the copy: the counter of
    /// the parallel loop, and what the operations and values of the nest have become.
    pub(super) fn step(
        &self,
        b: &mut Builder,
        change: impl FnOnce(&mut Builder, Value, &IrMapping, &[(OpId, OpId)]),
    ) {
        let (band, counter) = open_band(b, bound(&self.count(b.ctx, b.body)));
        let (names, copies) = self.copy_iteration(b, counter);
        change(b, counter, &names, &copies);
        go_behind(b, band.0);
    }

    /// Emits a copy of the iteration of the outermost loop with this number; returns what the values and the operations
    /// of the iteration have become.
    pub(super) fn copy_iteration(
        &self,
        b: &mut Builder,
        number: Value,
    ) -> (IrMapping, Vec<(OpId, OpId)>) {
        let ctx = b.ctx;
        let mut inputs = Inputs::new(ctx);
        let mut names = IrMapping::new();
        let place = inputs.dim(number);
        let low = inputs.import(self.root.lower(ctx, b.body), &names)[0];
        let distance = inputs.times(place, self.root.step(ctx, b.body));
        let (map, operands) = inputs.finish(&[ctx.affine_add(low, distance)]);
        let first = ApplyOp::create(b, map, &operands);
        names.map(self.root.induction_var(b.body), first);
        let mut copies = Vec::new();
        for op in self.root.statements(b.body) {
            let copy = b.insert_copy(op, &mut names);
            copies.extend(b.body.walk_op(op).into_iter().zip(b.body.walk_op(copy)));
        }
        (names, copies)
    }

    /// Emits the number of an iteration in a copy that [`Self::step`] made.
    pub(super) fn number(&self, b: &mut Builder, counter: Value, names: &IrMapping) -> Value {
        let ctx = b.ctx;
        let mut inputs = Inputs::new(ctx);
        let mut number = inputs.dim(counter);
        for &(l, lower, extent) in &self.inner {
            let counter = inputs.dim(names.value(l.induction_var(b.body)));
            let inside = inputs.plus(counter, -lower);
            number = ctx.affine_add(inputs.times(number, extent.max(1)), inside);
        }
        let (map, operands) = inputs.finish(&[number]);
        let number = ApplyOp::create(b, map, &operands);
        b.unary(arith::INDEX_CAST, &[number], number_type(ctx))
    }
}

/// Trip count of a loop with one lower and one upper bound; a negative one counts as 0.
pub(super) fn trip_count(ctx: &Context, body: &Body, l: ForOp) -> MapWithOperands {
    let mut inputs = Inputs::new(ctx);
    let names = IrMapping::new();
    let lower = inputs.import(l.lower(ctx, body), &names)[0];
    let upper = inputs.import(l.upper(ctx, body), &names)[0];
    let distance = ctx.affine_sub(upper, lower);
    inputs.finish(&[inputs.by(AffineOp::CeilDiv, distance, l.step(ctx, body))])
}

/// The type of iteration numbers.
pub(super) fn number_type(ctx: &Context) -> Type {
    ctx.int_type(32)
}

/// Whether sizes of a memref can be bounds of affine loops: they are constants, or the memref is defined outside of all
/// regions of a function, so that `memref.dim` of it is a symbol.
pub(super) fn has_affine_extents(ctx: &Context, body: &Body, memref: Value) -> bool {
    let ty = body.ty(memref).memref(ctx);
    ty.is_some_and(|ty| !ty.shape.contains(&DYNAMIC)) || is_top_level(body, memref)
}

/// The extents of a memref in all dimensions, as emitted sizes.
pub(super) fn extents(b: &mut Builder, memref: Value) -> Vec<Extent> {
    let ctx = b.ctx;
    let shape = b.body.ty(memref).memref(ctx).map(|ty| ty.shape.to_vec());
    let mut extents = Vec::new();
    for (index, extent) in (0..).zip(shape.unwrap_or_default()) {
        extents.push(match extent {
            DYNAMIC => {
                let index = b.index_constant(index);
                let extent = DimOp::create(b, memref, index);
                Extent::Count((ctx.identity_map(1), vec![extent]))
            }
            extent => Extent::Constant(extent),
        });
    }
    extents
}

/// Emits a nest over the elements of an array of at least one dimension, with a parallel outermost
/// loop. `statements` gets the subscripts.
pub(super) fn for_each_element(
    b: &mut Builder,
    extents: &[Extent],
    statements: impl FnOnce(&mut Builder, &[Value]),
) {
    let ctx = b.ctx;
    let bounds = extents.iter().map(|extent| match extent {
        Extent::Constant(extent) => (ctx.constant_map(*extent), Vec::new()),
        Extent::Count(count) => count.clone(),
    });
    let bounds: Vec<MapWithOperands> = bounds.collect();
    let Some((first, rest)) = bounds.split_first() else {
        return;
    };
    let (band, counter) = open_band(b, bound(first));
    let (mut counters, mut inner) = (vec![counter], Vec::new());
    for extent in rest {
        let l = ForOp::create(b, Bound::constant(ctx, 0), bound(extent), 1, &[]);
        b.set(InsertPoint::End(l.block(b.body)));
        counters.push(l.induction_var(b.body));
        inner.push(l);
    }
    statements(b, &counters);
    for l in inner.into_iter().rev() {
        close(b, l, &[]);
    }
    go_behind(b, band.0);
}

/// Emits the number of elements of a memref.
pub(super) fn number_of_elements(b: &mut Builder, memref: Value) -> Value {
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
