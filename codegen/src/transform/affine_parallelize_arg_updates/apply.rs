//! Emission of the three steps of an argmax update, and of their arrays.

use gridloom_dialects::arith::{self, CmpFOp, CmpFPredicate, CmpIOp, CmpIPredicate};
use gridloom_dialects::memref;
use gridloom_dialects::{affine, scf};
use gridloom_ir::scalar::{Accumulate, IntOp};
use gridloom_ir::{Body, Builder, Context, InsertPoint, IrMapping, OpId, Value};

use super::ArgUpdate;
use crate::analysis::arg_reduction::Ties;
use crate::transform::affine_atomic_updates::write::{accumulate, keep};
use crate::transform::auxiliary_arrays::{Extent, allocate};
use crate::transform::numbered_nest::{MAX_NUMBERS, extents, for_each_element, number_type};

/// Auxiliary arrays with the shape of the array of extrema.
struct Arrays {
    /// Copy of the extrema before the nest.
    old: Value,
    /// Number of the iteration that each extremum is taken from.
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
    /// Number of the iteration.
    number: Value,
}

impl ArgUpdate {
    /// Replaces the nest.
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        (self.nest).replace(ctx, body, |body| self.write(ctx, body));
    }

    /// Emits all steps in front of the nest.
    fn write(&self, ctx: &Context, body: &mut Body) {
        let anchor = self.nest.root.0;
        let best = memref::LoadOp(self.load).memref(body);
        let extents = extents(&mut Builder::before(ctx, body, anchor), best);
        let arrays = self.allocate(ctx, body, anchor, &extents);
        let mut b = Builder::before(ctx, body, anchor);
        self.begin(&mut b, best, &extents, &arrays);
        self.step(&mut b, |b, it| self.keep_extremum(b, it));
        self.step(&mut b, |b, it| self.take(b, it, &arrays));
        self.step(&mut b, |b, it| store_taken(b, it, &arrays));
    }

    fn allocate(&self, ctx: &Context, body: &mut Body, anchor: OpId, extents: &[Extent]) -> Arrays {
        let types = [self.element, number_type(ctx)];
        let arrays = allocate(ctx, body, anchor, &types, extents);
        Arrays {
            old: arrays[0],
            taken: arrays[1],
        }
    }

    /// Emits the initialization: `old[…] = best[…]`, and `taken[…]` = no iteration.
    fn begin(&self, b: &mut Builder, best: Value, extents: &[Extent], arrays: &Arrays) {
        let ctx = b.ctx;
        let none = match self.kept.ties {
            Ties::First => MAX_NUMBERS,
            Ties::Last => -1,
        };
        let none = b.constant(ctx.int_attr(number_type(ctx), none), number_type(ctx));
        for_each_element(b, extents, |b, counters| {
            let identity = ctx.identity_map(u32::try_from(counters.len()).unwrap_or_default());
            let held = affine::LoadOp::create(b, best, identity, counters);
            affine::StoreOp::create(b, held, arrays.old, identity, counters);
            affine::StoreOp::create(b, none, arrays.taken, identity, counters);
        });
    }

    /// Emits a copy of the nest with a parallel outermost loop and another update.
    fn step(&self, b: &mut Builder, update: impl Fn(&mut Builder, &Iteration)) {
        self.nest.step(b, |b, counter, names, _| {
            if let Some(it) = self.iteration(b, counter, names) {
                b.set(InsertPoint::Before(it.branch));
                update(b, &it);
            }
        });
    }

    /// The operands of the update in a copied iteration, with its number.
    fn iteration(&self, b: &mut Builder, counter: Value, names: &IrMapping) -> Option<Iteration> {
        let of = |value: Value| names.value(value);
        let load = memref::LoadOp(self.load);
        let condition = of(b.body[self.branch].operands[0]);
        let compare = b.body.defining_op(condition)?;
        let block = b.body[compare].parent()?;
        let is_branch = |body: &Body, op: OpId| {
            body[op].name == scf::IF && body[op].operands[..] == [condition]
        };
        let branch = {
            let body = &*b.body;
            body.ops(block).find(|&op| is_branch(body, op))?
        };
        let indices: Vec<Value> = load.indices(b.body).iter().map(|&i| of(i)).collect();
        let (load, memref) = (
            b.body.defining_op(of(b.body[self.load].result(0)))?,
            of(load.memref(b.body)),
        );
        b.set(InsertPoint::Before(load));
        Some(Iteration {
            load,
            compare,
            branch,
            candidate: of(self.kept.candidate),
            memref,
            indices,
            number: self.nest.number(b, counter, names),
        })
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
            accumulate(b, kind, it.number, arrays.taken, &it.indices);
        }
        scf::yield_values(b, block, &[]);
        it.erase(b.body, [Some(it.branch), None, Some(it.load)]);
    }
}

/// Last step: the selected iteration stores.
fn store_taken(b: &mut Builder, it: &Iteration, arrays: &Arrays) {
    let taken = memref::LoadOp::create(b, arrays.taken, &it.indices);
    let is_it = CmpIOp::create(b, CmpIPredicate::Eq, taken, it.number);
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
