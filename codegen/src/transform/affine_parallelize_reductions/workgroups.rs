//! Reductions by workgroups: the threads of one combine their partial results in workgroup memory, so
//! that each workgroup leaves one, and one workgroup combines these.
//!
//! ```text
//! %s = affine.for %i = 0 to %n               affine.parallel (%g) = (0) to (1024) {
//!     iter_args(%acc = %z) { … }               %own = memref.alloc() : memref<256xf32>
//! affine.store %s, %r[]                        affine.parallel (%p) = (0) to (256) {
//!                                                %t = affine.for … iter_args(%acc = %neutral) { … }
//!                                                affine.store %t, %own[%p]
//!                                              }
//!                                              affine.parallel (%p) = (0) to (256) {      // fold
//!                                                affine.if (%p < 16) {
//!                                                  %t = affine.for %q = … // own[%p + 16 * %q]
//!                                      ⇒           affine.store %t, %half[%p]
//!                                                }
//!                                              }
//!                                              %t = affine.for %q = 0 to 16 … // half[%q]
//!                                              affine.store %t, %part[%g]
//!                                            }
//!                                            affine.parallel (%one) = (0) to (1) {
//!                                              the same of %part[0] … %part[1023], from %z
//!                                              affine.store %s, %r[]
//!                                            }
//! ```
//!
//! Legal as the cut into partial results is, where their order is free. What is short is the work of
//! one workgroup from the start. The last stage stays a loop of the host where that needs the
//! value anyway. Refused where the partial results do not fit workgroup memory; they are combined in
//! stages of kernels then ([`super::chunk`]).

use gridloom_dialects::affine::{self, Bound, ForOp, IfOp};
use gridloom_dialects::memref;
use gridloom_ir::affine::AffineConstraint;
use gridloom_ir::{AffineExpr, Body, Builder, Context, InsertPoint, IrMapping, OpId, Value};

use super::Policy;
use super::chunk::Chunking;
use super::chunking::chunks;
use super::finish::run_as_one_thread;
use super::partials::Cell;
use super::place::Place;
use super::row_sharing::lanes;
use super::state::State;
use crate::analysis::workgroup_memory::{LEAST_LIMIT, element_bytes};
use crate::target::{OffloadOptions, ReductionShape};
use crate::transform::auxiliary_arrays::{Extent, allocate, anchor};
use crate::transform::emit_loops::{
    MapWithOperands, bound, close, counter_after, go_behind, open_band,
};

/// Least number of partial results that a workgroup combines in two steps.
const MIN_FOLDED: i64 = 32;

/// Limit of the partial results that a thread combines without a loop.
const MAX_UNROLLED: i64 = 16;

/// Limit of the values of a state whose combination is unrolled.
const MAX_SIDE_BY_SIDE: usize = 3;

/// Number of partial results that one thread combines in no more time than a workgroup.
const MAX_ALONE: i64 = 8;

/// Width factor: workgroups for each group of the shape, since each leaves only one partial result.
const WIDTH: i64 = 4;

/// Limit of the rounds of vectors that one workgroup reduces alone.
const MAX_ROUNDS: i64 = 8;

/// Returns the number of results of a first step over `lanes` partial results: about the square
/// root.
pub(in crate::transform) fn folded(lanes: i64) -> i64 {
    let mut half = 1;
    while half * half * 4 <= lanes {
        half *= 2;
    }
    half
}

/// Opens a conditional that runs where an expression of a thread's position is not negative.
pub(in crate::transform) fn open_where(b: &mut Builder, expr: AffineExpr, place: Value) {
    let ctx = b.ctx;
    let test = AffineConstraint { expr, is_eq: false };
    let test = IfOp::create(b, ctx.integer_set(1, 0, &[test]), &[place], &[], false);
    let block = test.then_block(b.body);
    affine::yield_values(b, block, &[]);
    b.set(InsertPoint::Start(block));
}

/// Plan of a nest that workgroups reduce.
pub(super) struct ByWorkgroups {
    /// The cut of the nest. Its lanes are the threads of a workgroup, or of all workgroups together.
    pub(super) chunking: Chunking,
    /// Threads of a workgroup.
    pub(super) threads: i64,
    /// Loads of the initial values, which can be delayed until the nest is done.
    pub(super) loads: Vec<OpId>,
}

impl Policy<'_> {
    /// Plans the nest of `chunking` for workgroups, if the target has memory for their threads.
    pub(super) fn by_workgroups(&mut self, chunking: &Chunking) -> Option<Chunking> {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        let shape = self.options.reduction;
        let threads = shape.lanes;
        let state = &chunking.state;
        if !self.combines_in_workgroup(state, threads) || chunking.lanes != threads {
            return None;
        }
        let wide = ReductionShape {
            groups: shape.groups.checked_mul(WIDTH)?,
            ..shape
        };
        let levels = chunking.levels.clone();
        let mut cut = chunks(ctx, body, levels, state.clone(), &wide)?;
        let (root, last) = (cut.root(), *cut.levels.last()?);
        if cut.levels.len() > 1 {
            return Some(cut);
        }
        let trips = root.constant_trip_count(ctx, body);
        let round = threads.checked_mul(cut.vector)?;
        let short = round.checked_mul(MAX_ROUNDS)?.unsigned_abs();
        if trips.is_some_and(|trips| trips <= short) {
            cut.groups = Some(1);
        } else if cut.groups.is_none() && self.leaves_room(root) {
            // A constant number of threads, for any number of iterations.
            let lanes = threads.checked_mul(wide.groups)?;
            let way = lanes.checked_mul(cut.vector)?;
            way.checked_mul(last.step(ctx, body))?;
            (cut.lanes, cut.groups) = (lanes, Some(1));
            cut.anchor = anchor(body, root, true);
        }
        Some(cut)
    }

    /// Plans a reduction inside a loop of few iterations, `rows`: several workgroups for each of them.
    /// `None` if the target has no memory for their threads, or one workgroup a row is enough.
    pub(super) fn rows_by_workgroups(&mut self, levels: &[ForOp], rows: i64) -> Option<Chunking> {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        let shape = self.options.reduction;
        if self.is_cheap(levels, Some(rows)) {
            return None;
        }
        let count = |l: &ForOp| l.signed_trip_count(ctx, body);
        let (first, last) = (count(levels.first()?)?, count(levels.last()?)?);
        let groups = shape.groups.checked_mul(WIDTH)? / rows.max(1);
        let wide = ReductionShape {
            groups: groups.clamp(1, first.max(1)),
            lanes: lanes(&shape, Some(last)),
            ..shape
        };
        let mut chunking = self.chunking(levels.to_vec(), &wide)?;
        if chunking.levels.len() > 1 {
            // Spans of whole iterations, all about as long.
            chunking.span = (first.max(1) - 1) / wide.groups + 1;
            chunking.groups = Some((first.max(1) - 1) / chunking.span + 1);
        } else if chunking.groups.is_none_or(|groups| groups < 2) {
            return None;
        }
        self.combines_in_workgroup(&chunking.state, chunking.lanes)
            .then_some(chunking)
    }

    /// Whether the threads of a workgroup can combine partial results in its memory.
    pub(super) fn combines_in_workgroup(&self, state: &State, threads: i64) -> bool {
        let ctx = self.deps.values.ctx;
        let each = state.types.iter().map(|&ty| element_bytes(ctx, ty));
        let bytes = (threads + folded(threads)).checked_mul(each.sum());
        self.options.reduction.shares
            && state.may_be_shared(ctx)
            && !state.is_in_order()
            && (2..=self.options.max_threads).contains(&threads)
            && bytes.is_some_and(|bytes| bytes <= LEAST_LIMIT)
    }
}

impl ByWorkgroups {
    /// Rewrites the nest, `before ⇒ after` as above.
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body, options: &OffloadOptions) {
        let target = options.target.as_ref();
        let (chunking, threads) = (&self.chunking, self.threads);
        let is_alone = chunking.groups == Some(1) && chunking.lanes == threads;
        if is_alone && run_as_one_thread(ctx, body, chunking.root(), &self.loads, target) {
            let anchor = chunking.root().0;
            let here = Chunking {
                anchor,
                ..chunking.clone()
            };
            here.apply(ctx, body);
            return;
        }
        let last = self.reduce(ctx, body);
        if !run_as_one_thread(ctx, body, last, &self.loads, target) {
            return;
        }
        let count = last.constant_trip_count(ctx, body);
        if count.is_some_and(|count| count <= MAX_ALONE.unsigned_abs()) {
            return;
        }
        let shared = Chunking::by_one_workgroup(last, chunking.state.of_parts(), threads);
        shared.apply(ctx, body);
    }

    /// Writes the first band, in which each workgroup leaves one partial result. Returns the loop
    /// that combines them.
    fn reduce(&self, ctx: &Context, body: &mut Body) -> ForOp {
        let (chunking, threads) = (&self.chunking, self.threads);
        let root = chunking.root();
        let count = match chunking.lanes / threads {
            ..=1 => chunking.count_of(ctx, body, 1),
            all => (ctx.constant_map(all), Vec::new()),
        };
        let extent = Extent::of(ctx, &count);
        let types = &chunking.state.types;
        let parts = allocate(ctx, body, chunking.anchor, types, &[extent]);
        let mut b = Builder::before(ctx, body, root.0);
        let cell = Cell::of_nest(ctx);
        let names = IrMapping::new();
        chunking.store_partials_of_groups(&mut b, (threads, &count), &parts, &cell, &names);
        b.set(InsertPoint::Before(root.0));
        let (combined, results) = chunking.combine(&mut b, &parts, &cell, &names, &count);
        body.replace_op(root.0, &results);
        combined
    }
}

impl Chunking {
    /// Emits the band of `count` workgroups in which each leaves one partial result, and moves the builder
    /// behind it. `names` maps values around the nest.
    pub(super) fn store_partials_of_groups(
        &self,
        b: &mut Builder,
        (threads, count): (i64, &MapWithOperands),
        partials: &[Value],
        cell: &Cell,
        names: &IrMapping,
    ) {
        let ctx = b.ctx;
        let (groups, group) = open_band(b, bound(count));
        let arrays = |b: &mut Builder, extent: i64| -> Vec<Value> {
            let types = self.state.types.iter();
            let types = types.map(|&ty| ctx.memref_type(&[extent], ty));
            types
                .map(|ty| memref::AllocOp::create(b, ty, &[]))
                .collect()
        };
        let (own, half) = (arrays(b, threads), arrays(b, folded(threads)));
        let (band, thread) = open_band(b, Bound::constant(ctx, threads));
        let place = Place::InWorkgroup {
            group,
            thread,
            threads,
        };
        let sums = self.partial_results(b, place, &mut names.clone());
        Cell::of_nest(ctx).store(b, &sums, &own, Some(thread));
        go_behind(b, band.0);
        self.state.fold(b, threads, &own, &half);
        let zero = b.index_constant(0);
        let all = self.state.combine_parts(b, zero, folded(threads), 1, &half);
        cell.store(b, &all, partials, Some(group));
        for array in own.into_iter().chain(half) {
            b.create(b.state(memref::DEALLOC).operands(&[array]));
        }
        go_behind(b, groups.0);
    }

    /// Whether the threads of a row combine their partial results in two steps.
    pub(super) fn is_folded(&self) -> bool {
        self.groups == Some(1) && self.lanes >= MIN_FOLDED && !self.state.is_in_order()
    }
}

impl State {
    /// Writes the first step: some threads combine a part of the partial results each.
    pub(in crate::transform) fn fold(
        &self,
        b: &mut Builder,
        threads: i64,
        own: &[Value],
        half: &[Value],
    ) {
        let ctx = b.ctx;
        let (band, thread) = open_band(b, Bound::constant(ctx, threads));
        let count = folded(threads);
        let left = ctx.affine_sub(ctx.affine_const(count - 1), ctx.affine_dim(0));
        open_where(b, left, thread);
        let sums = self.combine_parts(b, thread, threads, count, own);
        Cell::of_nest(ctx).store(b, &sums, half, Some(thread));
        go_behind(b, band.0);
    }

    /// Combines every `step`-th of the first `count` elements of arrays, from index `from`, which
    /// is less than `step`. Returns the combined values.
    pub(in crate::transform) fn combine_parts(
        &self,
        b: &mut Builder,
        from: Value,
        count: i64,
        step: i64,
        arrays: &[Value],
    ) -> Vec<Value> {
        let cell = Cell::of_nest(b.ctx);
        if count % step == 0 && count / step <= MAX_UNROLLED && self.width() <= MAX_SIDE_BY_SIDE {
            // Loads in a loop would wait for each other.
            let parts = (0..count / step).map(|k| {
                let place = counter_after(b, from, k * step);
                cell.load(b, arrays, Some(place))
            });
            let parts: Vec<Vec<Value>> = parts.collect();
            return self.combine_pairs(b, parts);
        }
        let ctx = b.ctx;
        let neutral = self.neutral(b);
        let lower = Bound {
            map: ctx.identity_map(1),
            operands: &[from],
        };
        let new = ForOp::create(b, lower, Bound::constant(ctx, count), step, &neutral);
        let block = new.block(b.body);
        b.set(InsertPoint::End(block));
        let (counter, carried) = (new.induction_var(b.body), new.iter_args(b.body).to_vec());
        let parts = cell.load(b, arrays, Some(counter));
        let all = self.combine(b, &carried, &parts);
        close(b, new, &all)
    }

    /// Combines neighbours in a tree until one value is left.
    fn combine_pairs(&self, b: &mut Builder, mut parts: Vec<Vec<Value>>) -> Vec<Value> {
        while parts.len() > 1 {
            let pairs = parts.chunks(2).map(|pair| match pair {
                [left, right] => self.combine(b, left, right),
                rest => rest.concat(),
            });
            parts = pairs.collect();
        }
        parts.pop().unwrap_or_default()
    }
}
