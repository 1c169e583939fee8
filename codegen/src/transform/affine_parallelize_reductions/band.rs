//! Band cut: splits the reduction of each iteration of parallel loops into partial results.
//!
//! ```text
//! affine.for %i = 0 to %m {                  affine.for %i = 0 to %m {
//!   pre                                        pre
//!   %s = affine.for %j = 0 to %n               affine.parallel (%p) = (0) to (8) {
//!       iter_args(%acc = %z) {                   %t = affine.for %j = %p to %n step 8 … { … }
//!     %x = affine.load %a[%i, %j]      ⇒         affine.store %t, %part[%i, %p]
//!     %y = arith.addf %acc, %x                 }
//!     affine.yield %y                        }
//!   }                                        affine.for %i = 0 to %m {
//!   post(%s)                                   pre
//! }                                            %s = affine.for %p = 0 to 8 … // part[%i, %p]
//!                                              post(%s)
//!                                            }
//! ```
//!
//! Of a product with few results, the chunks are around the loops over these, `for %p { for %i { for %j { … } } }`, so
//! that tiles of results share what they load.
//!
//! Where workgroups have fast memory and an iteration is shared by several of them, each combines what its
//! threads found there, and leaves one partial result (`workgroups.rs`).
//!
//! Legal where the loops around are parallel, so that their iterations are independent, and `pre`
//! can be repeated: all accesses of the reduction then come before all of `post`, as they did
//! within each iteration. A reduction may write what none of its other iterations and no load of
//! `pre` touches. If `post` has loops, the second nest ends with a store of `%s` and a third one
//! loads it, so that these loops stand in parallel ones of their own.

use gridloom_dialects::affine::ForOp;
use gridloom_ir::affine::AffineOp;
use gridloom_ir::{AffineExpr, Body, Builder, Context, InsertPoint, IrMapping, OpId, Value};

use super::chunk::Chunking;
use super::partials::Cell;
use super::whole::{Whole, part};
use crate::transform::auxiliary_arrays::{Extent, allocate};
use crate::transform::emit_loops::{MapWithOperands, bound, close, copy_loop, open_band};

/// Plan that cuts a reduction inside parallel loops.
pub(super) struct BandCut {
    /// Band of parallel loops, outermost first, perfectly nested but for statements that can be
    /// repeated. Their lower bounds are constant, and their upper bounds do not depend on each
    /// other. The last one contains the reduction.
    pub(super) band: Vec<ForOp>,
    pub(super) chunking: Chunking,
    /// Whether the lanes of a group are the threads of a workgroup, which leaves one partial result.
    pub(super) by_workgroups: bool,
    /// Threads of the workgroup that combines the partial results of an iteration, where one thread would
    /// wait long for its loads.
    pub(super) combining: Option<i64>,
    /// Whether partial results of adjacent iterations of the band are adjacent
    /// in memory; else those of adjacent threads are.
    pub(super) is_column: bool,
    /// Condition of extents that are open under which the nest is left whole.
    pub(super) whole: Option<Whole>,
    /// Whether the loop over the chunks is around the band, which keeps the band's loops together for tiles.
    pub(super) has_chunks_around: bool,
    /// Whether loops follow the reduction.
    pub(super) has_loops_after: bool,
    /// Trip counts of the loops of the band.
    pub(super) extents: Vec<Extent>,
}

impl BandCut {
    /// Rewrites the nest.
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        if let Some(whole) = &self.whole {
            part(ctx, body, self.band[0], whole);
        }
        let (chunking, reduction) = (&self.chunking, self.chunking.root());
        let mut extents = self.extents.clone();
        let at = if self.is_column { 0 } else { extents.len() };
        let count = self.count(ctx, body);
        extents.insert(at, Extent::of(ctx, &count));
        let anchor = chunking.anchor;
        let partials = allocate(ctx, body, anchor, &chunking.state.types, &extents);

        let mut b = Builder::before(ctx, body, self.band[0].0);
        let chunks = (self.has_chunks_around).then(|| open_band(&mut b, bound(&count)));
        let copy = self.open(&mut b);
        let cell = self.cell(ctx, b.body, &copy.counters(b.body));
        let names = &copy.names;
        match chunks {
            Some((_, place)) => {
                chunking.store_partial(&mut b, place, &partials, &cell, names);
            }
            None if self.by_workgroups => {
                let groups = (chunking.lanes, &count);
                chunking.store_partials_of_groups(&mut b, groups, &partials, &cell, names);
            }
            None => chunking.store_partials(&mut b, &partials, &cell, names),
        }
        copy.close(&mut b);

        let counters: Vec<Value> = self.band.iter().map(|l| l.induction_var(b.body)).collect();
        let (combined, results) = match self.has_loops_after {
            true => self.through_memory(&mut b, &partials, &counters, &count),
            false => {
                b.set(InsertPoint::Before(reduction.0));
                let cell = self.cell(ctx, b.body, &counters);
                let names = IrMapping::new();
                chunking.combine(&mut b, &partials, &cell, &names, &count)
            }
        };
        body.replace_op(reduction.0, &results);
        if let Some(threads) = self.combining {
            let state = chunking.state.of_parts();
            Chunking::by_one_workgroup(combined, state, threads).apply(ctx, body);
        }
    }

    /// The number of partial results of an iteration.
    fn count(&self, ctx: &Context, body: &Body) -> MapWithOperands {
        let each = if self.by_workgroups {
            1
        } else {
            self.chunking.lanes
        };
        self.chunking.count_of(ctx, body, each)
    }

    /// Emits the nest that combines the partial results and stores the combined value, and a load
    /// of that value in place of the reduction. Returns the loop that combines, and the loaded values.
    fn through_memory(
        &self,
        b: &mut Builder,
        partials: &[Value],
        counters: &[Value],
        count: &MapWithOperands,
    ) -> (ForOp, Vec<Value>) {
        let (ctx, chunking) = (b.ctx, &self.chunking);
        let (anchor, extents) = (chunking.anchor, &self.extents);
        let totals = allocate(ctx, b.body, anchor, chunking.state.own_types(), extents);
        b.set(InsertPoint::Before(self.band[0].0));
        let copy = self.open(b);
        let made = copy.counters(b.body);
        let cell = self.cell(ctx, b.body, &made);
        let (combined, sums) = chunking.combine(b, partials, &cell, &copy.names, count);
        self.total(ctx, b.body, &made)
            .store(b, &sums, &totals, None);
        copy.close(b);
        b.set(InsertPoint::Before(chunking.root().0));
        let totals = self.total(ctx, b.body, counters).load(b, &totals, None);
        (combined, totals)
    }

    /// Clones the loops of the band with the statements before the next one, and moves the builder
    /// to the end of the last.
    fn open(&self, b: &mut Builder) -> Copy {
        let mut names = IrMapping::new();
        let mut loops = Vec::new();
        for (k, &old) in self.band.iter().enumerate() {
            // The policy requires bounds that are independent of the band.
            let new = copy_loop(b, old, &IrMapping::new());
            names.map(old.induction_var(b.body), new.induction_var(b.body));
            let block = new.block(b.body);
            b.set(InsertPoint::End(block));
            let next = self.band.get(k + 1).copied();
            let next = next.unwrap_or_else(|| self.chunking.root());
            let front = b.body.ops(old.block(b.body));
            let front: Vec<OpId> = front.take_while(|&s| s != next.0).collect();
            b.insert_copies(&front, &mut names);
            loops.push(new);
        }
        Copy { loops, names }
    }

    /// Elements of the partial results of an iteration.
    fn cell(&self, ctx: &Context, body: &Body, counters: &[Value]) -> Cell {
        let mut subscripts = self.numbers(ctx, body);
        let at = if self.is_column { 0 } else { subscripts.len() };
        let dims = subscripts.len() as u32;
        subscripts.insert(at, ctx.affine_dim(dims));
        Cell {
            map: ctx.affine_map(dims + 1, 0, &subscripts),
            counters: counters.to_vec(),
        }
    }

    /// Element of the combined result of an iteration.
    fn total(&self, ctx: &Context, body: &Body, counters: &[Value]) -> Cell {
        let subscripts = self.numbers(ctx, body);
        Cell {
            map: ctx.affine_map(subscripts.len() as u32, 0, &subscripts),
            counters: counters.to_vec(),
        }
    }

    /// The zero-based iteration numbers of the band's loops, as expressions over the counters.
    fn numbers(&self, ctx: &Context, body: &Body) -> Vec<AffineExpr> {
        let number = |(k, l): (u32, &ForOp)| {
            // The policy requires constant lower bounds.
            let low = l.constant_lower(ctx, body).unwrap_or(0);
            let way = ctx.affine_sub(ctx.affine_dim(k), ctx.affine_const(low));
            let step = ctx.affine_const(l.step(ctx, body));
            ctx.affine_binary(AffineOp::FloorDiv, way, step)
        };
        (0..).zip(&self.band).map(number).collect()
    }
}

/// Cloned loops of a band, with the map of their values.
struct Copy {
    loops: Vec<ForOp>,
    names: IrMapping,
}

impl Copy {
    fn counters(&self, body: &Body) -> Vec<Value> {
        self.loops.iter().map(|l| l.induction_var(body)).collect()
    }

    /// Terminates the loops and moves the builder behind them.
    fn close(&self, b: &mut Builder) {
        for &op in self.loops.iter().rev() {
            close(b, op, &[]);
        }
    }
}
