//! Emission of the three steps of an argmax update, and of their arrays.

use gridloom_dialects::affine::{ApplyOp, Bound, ForOp};
use gridloom_dialects::arith::{self, CmpFOp, CmpFPredicate, CmpIOp, CmpIPredicate};
use gridloom_dialects::memref::{self, DimOp};
use gridloom_dialects::{affine, scf};
use gridloom_ir::affine::AffineOp;
use gridloom_ir::scalar::{Accumulate, IntOp};
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{Body, Builder, Context, InsertPoint, IrMapping, OpId, Type, Value};

use super::{ArgUpdate, MAX_POSITIONS};
use crate::analysis::arg_reduction::Ties;
use crate::transform::affine_atomic_updates::write::{accumulate, keep};
use crate::transform::affine_guard_overflow::put_under_test;
use crate::transform::affine_parallelize_reductions::bounds::Inputs;
use crate::transform::affine_parallelize_reductions::chunk::{close, go_behind, open_band};
use crate::transform::affine_parallelize_reductions::partials::{Extent, allocate};
use crate::transform::unrolled_rows::{MapWithOperands, bound};

/// Auxiliary arrays with the shape of the array of extrema.
struct Arrays {
    /// Copy of the extrema before the nest.
    old: Value,
    /// Position of the iteration that each extremum is taken from.
    taken: Value,
}

/// Copied iteration, with the operands of its update.
struct Iteration {
    load: OpId,
    compare: OpId,
    branch: OpId,
    candidate: Value,
    /// The array of extrema.
    memref: Value,
    indices: Vec<Value>,
    /// Position of the iteration.
    position: Value,
}

impl ArgUpdate {
    /// Replaces the nest; under a test that positions fit where their number is not known.
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        let source = body.clone();
        let root = self.root.0;
        if !self.is_short {
            let copy = body.clone_op(root, &mut IrMapping::new());
            let mut b = Builder::before(ctx, body, root);
            let condition = self.are_few(&mut b);
            put_under_test(&mut b, condition, root, copy);
        }
        self.write(ctx, body, &source, root);
        body.erase(root);
    }

    /// Emits whether the number of iterations fits the type of positions.
    fn are_few(&self, b: &mut Builder) -> Value {
        let ctx = b.ctx;
        let most = (MAX_POSITIONS / self.each - 1) / 2;
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

    /// Emits all steps in front of an operation.
    fn write(&self, ctx: &Context, body: &mut Body, source: &Body, anchor: OpId) {
        let load = memref::LoadOp(self.load);
        let best = load.memref(source);
        let arrays = self.allocate(ctx, body, anchor, best);
        let mut b = Builder::before(ctx, body, anchor);
        self.begin(&mut b, best, &arrays);
        let count = self.count(ctx, source);
        self.step(&mut b, source, &count, |b, it| self.keep_extremum(b, it));
        self.step(&mut b, source, &count, |b, it| self.take(b, it, &arrays));
        self.step(&mut b, source, &count, |b, it| store_taken(b, it, &arrays));
    }

    /// Trip count of the outermost loop.
    fn count(&self, ctx: &Context, source: &Body) -> MapWithOperands {
        let mut inputs = Inputs::new(ctx);
        let names = IrMapping::new();
        let lower = inputs.import(self.root.lower(ctx, source), &names)[0];
        let upper = inputs.import(self.root.upper(ctx, source), &names)[0];
        let way = ctx.affine_sub(upper, lower);
        inputs.finish(&[inputs.by(AffineOp::CeilDiv, way, self.root.step(ctx, source))])
    }

    fn allocate(&self, ctx: &Context, body: &mut Body, anchor: OpId, best: Value) -> Arrays {
        let extents = extents(&mut Builder::before(ctx, body, anchor), best);
        let types = [self.element, position_type(ctx)];
        let arrays = allocate(ctx, body, anchor, &types, &extents);
        Arrays {
            old: arrays[0],
            taken: arrays[1],
        }
    }

    /// Emits the initialization: `old[…] = best[…]`, and `taken[…]` = no iteration.
    fn begin(&self, b: &mut Builder, best: Value, arrays: &Arrays) {
        let ctx = b.ctx;
        let none = match self.kept.ties {
            Ties::First => MAX_POSITIONS,
            Ties::Last => -1,
        };
        let none = b.constant(ctx.int_attr(position_type(ctx), none), position_type(ctx));
        let bounds: Vec<MapWithOperands> = (extents(b, best).into_iter())
            .map(|extent| match extent {
                Extent::Constant(extent) => (ctx.constant_map(extent), Vec::new()),
                Extent::Count(count) => count,
            })
            .collect();
        let (mut counters, mut inner) = (Vec::new(), Vec::new());
        let mut band = None;
        for extent in &bounds {
            if band.is_none() {
                let (op, counter) = open_band(b, bound(extent));
                band = Some(op.0);
                counters.push(counter);
                continue;
            }
            let l = ForOp::create(b, Bound::constant(ctx, 0), bound(extent), 1, &[]);
            b.set(InsertPoint::End(l.block(b.body)));
            counters.push(l.induction_var(b.body));
            inner.push(l);
        }
        let identity = ctx.identity_map(u32::try_from(counters.len()).unwrap_or_default());
        let held = affine::LoadOp::create(b, best, identity, &counters);
        affine::StoreOp::create(b, held, arrays.old, identity, &counters);
        affine::StoreOp::create(b, none, arrays.taken, identity, &counters);
        for l in inner.into_iter().rev() {
            close(b, l, &[]);
        }
        band.into_iter().for_each(|band| go_behind(b, band));
    }

    /// Emits a copy of the nest with a parallel outermost loop and another update.
    fn step(
        &self,
        b: &mut Builder,
        source: &Body,
        count: &MapWithOperands,
        update: impl Fn(&mut Builder, &Iteration),
    ) {
        let ctx = b.ctx;
        let (band, number) = open_band(b, bound(count));
        let mut inputs = Inputs::new(ctx);
        let mut names = IrMapping::new();
        let place = inputs.dim(number);
        let low = inputs.import(self.root.lower(ctx, source), &names)[0];
        let way = inputs.times(place, self.root.step(ctx, source));
        let (map, operands) = inputs.finish(&[ctx.affine_add(low, way)]);
        let counter = ApplyOp::create(b, map, &operands);
        names.map(self.root.induction_var(source), counter);
        for op in source.ops(self.root.block(source)) {
            if source[op].name != affine::YIELD {
                let copy = b.body.clone_op_from(source, op, &mut names);
                b.insert(copy);
            }
        }
        if let Some(it) = self.iteration(b, source, number, &names) {
            b.set(InsertPoint::Before(it.branch));
            update(b, &it);
        }
        go_behind(b, band.0);
    }

    /// Copies an iteration, and returns the operands of its update.
    fn iteration(
        &self,
        b: &mut Builder,
        source: &Body,
        number: Value,
        names: &IrMapping,
    ) -> Option<Iteration> {
        let of = |value: Value| names.value(value);
        let load = memref::LoadOp(self.load);
        let condition = of(source[self.branch].operands[0]);
        let compare = b.body.defining_op(condition)?;
        let block = b.body[compare].parent()?;
        let is_branch = |body: &Body, op: OpId| {
            body[op].name == scf::IF && body[op].operands[..] == [condition]
        };
        let branch = {
            let body = &*b.body;
            body.ops(block).find(|&op| is_branch(body, op))?
        };
        let indices: Vec<Value> = load.indices(source).iter().map(|&i| of(i)).collect();
        let (load, memref) = (
            b.body.defining_op(of(source[self.load].result(0)))?,
            of(load.memref(source)),
        );
        b.set(InsertPoint::Before(load));
        Some(Iteration {
            load,
            compare,
            branch,
            candidate: of(self.kept.candidate),
            memref,
            indices,
            position: self.position(b, number, source, names),
        })
    }

    /// Emits the position of an iteration: its number in program order.
    fn position(&self, b: &mut Builder, number: Value, source: &Body, names: &IrMapping) -> Value {
        let ctx = b.ctx;
        let mut inputs = Inputs::new(ctx);
        let mut position = inputs.dim(number);
        for &(l, lower, extent) in &self.inner {
            let counter = inputs.dim(names.value(l.induction_var(source)));
            let inside = inputs.plus(counter, -lower);
            position = ctx.affine_add(inputs.times(position, extent.max(1)), inside);
        }
        let (map, operands) = inputs.finish(&[position]);
        let position = ApplyOp::create(b, map, &operands);
        b.unary(arith::INDEX_CAST, &[position], position_type(ctx))
    }

    /// First step: atomically replaces the element by the better one of it and the candidate.
    fn keep_extremum(&self, b: &mut Builder, it: &Iteration) {
        let kind = (self.kept.operation()).and_then(|op| arith::accumulation(op)?.number());
        match kind {
            Some(kind) => accumulate(b, kind, it.candidate, it.memref, &it.indices),
            None => keep(b, &self.kept, it.candidate, it.memref, &it.indices),
        };
        it.erase(b.body, [Some(it.branch), Some(it.compare), Some(it.load)]);
    }

    /// Second step: atomically selects, among the iterations with the extremum, the one that the
    /// program takes.
    fn take(&self, b: &mut Builder, it: &Iteration, arrays: &Arrays) {
        let held = b.body[it.load].result(0);
        let before = memref::LoadOp::create(b, arrays.old, &it.indices);
        let after = memref::LoadOp::create(b, it.memref, &it.indices);
        let is_it = match b.body.ty(after).float_kind(b.ctx) {
            Some(_) => CmpFOp::create(b, CmpFPredicate::Oeq, it.candidate, after),
            None => CmpIOp::create(b, CmpIPredicate::Eq, it.candidate, after),
        };
        // The comparison is made with the element before the nest instead.
        b.body.detach(it.compare);
        b.insert(it.compare);
        for operand in &mut b.body[it.compare].operands {
            if *operand == held {
                *operand = before;
            }
        }
        let is_better = b.body[it.compare].result(0);
        let both = b.binary(arith::ANDI, is_better, is_it);
        let test = scf::IfOp::create(b, both, &[], false);
        let block = test.then_block(b.body);
        b.set(InsertPoint::End(block));
        let kind = match self.kept.ties {
            Ties::First => IntOp::MinS,
            Ties::Last => IntOp::MaxS,
        };
        if let Some(kind) = Accumulate::Int(kind).number() {
            accumulate(b, kind, it.position, arrays.taken, &it.indices);
        }
        scf::yield_values(b, block, &[]);
        it.erase(b.body, [Some(it.branch), None, Some(it.load)]);
    }
}

/// Last step: the selected iteration stores.
fn store_taken(b: &mut Builder, it: &Iteration, arrays: &Arrays) {
    let taken = memref::LoadOp::create(b, arrays.taken, &it.indices);
    let is_it = CmpIOp::create(b, CmpIPredicate::Eq, taken, it.position);
    b.body[it.branch].operands[0] = is_it;
    it.erase(b.body, [None, Some(it.compare), Some(it.load)]);
}

impl Iteration {
    fn erase(&self, body: &mut Body, ops: [Option<OpId>; 3]) {
        for op in ops.into_iter().flatten() {
            body.erase(op);
        }
    }
}

/// The type of positions.
fn position_type(ctx: &Context) -> Type {
    ctx.int_type(32)
}

/// The extents of a memref in all dimensions, as emitted sizes.
fn extents(b: &mut Builder, memref: Value) -> Vec<Extent> {
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
