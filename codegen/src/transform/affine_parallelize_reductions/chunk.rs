//! Mechanism: splits a reducing nest into chunks with partial results; [`super`] shows it before and
//! after.

use gridloom_dialects::affine::{Bound, ForOp};
use gridloom_ir::affine::AffineOp;
use gridloom_ir::{AffineExpr, Body, Builder, Context, InsertPoint, IrMapping, OpId, Value};

use super::partials::Cell;
use super::place::Place;
use super::state::State;
use super::workgroups::folded;
use crate::transform::auxiliary_arrays::{Extent, allocate};
use crate::transform::emit_loops::{
    MapWithOperands, bound, close, counter_after, go_behind, open_band,
};
use crate::transform::map_inputs::Inputs;

/// Chunk plan: how a nest is split among groups of threads.
#[derive(Clone)]
pub(in crate::transform) struct Chunking {
    /// The nest, outermost first, perfect but for statements that each thread can repeat. The first
    /// loop is split into spans, one for each group; the iterations of the last go to the lanes of
    /// a group.
    pub(super) levels: Vec<ForOp>,
    pub(super) state: State,
    pub(super) lanes: i64,
    pub(super) vector: i64,
    /// Iterations of the first loop in a span.
    pub(super) span: i64,
    /// The number of groups, if known.
    pub(super) groups: Option<i64>,
    /// Lead: iterations of the last loop before its first vector, where there are any; its step is
    /// 1 then.
    pub(super) lead: Option<MapWithOperands>,
    /// Whether iterations of the last loop may remain after the vectors.
    pub(super) has_remainder: bool,
    /// Anchor of the allocation of partial results: an operation around the nest,
    /// or its first loop.
    pub(super) anchor: OpId,
}

impl Chunking {
    pub(super) fn root(&self) -> ForOp {
        self.levels[0]
    }

    /// Rewrites the nest. Returns the loop that combines the partial results,
    /// which stands where the nest stood.
    pub(in crate::transform) fn apply(&self, ctx: &Context, body: &mut Body) -> ForOp {
        let root = self.root();
        let extent = self.extent(ctx, body);
        let partials = allocate(ctx, body, self.anchor, &self.state.types, &[extent]);
        let mut b = Builder::before(ctx, body, root.0);
        let cell = Cell::of_nest(ctx);
        self.store_partials(&mut b, &partials, &cell, &IrMapping::new());
        b.set(InsertPoint::Before(root.0));
        let names = IrMapping::new();
        let (combined, results) = match self.is_folded() {
            true => {
                let half = [Extent::Constant(folded(self.lanes))];
                let half = allocate(ctx, b.body, self.anchor, &self.state.types, &half);
                self.state.fold(&mut b, self.lanes, &partials, &half);
                let count = (ctx.constant_map(folded(self.lanes)), Vec::new());
                self.combine(&mut b, &half, &cell, &names, &count)
            }
            false => self.combine_all(&mut b, &partials, &cell, &names),
        };
        body.replace_op(root.0, &results);
        combined
    }

    /// Rewrites a parallel loop, which has no partial results, as a band with one chunk in each
    /// iteration.
    pub(super) fn share(&self, ctx: &Context, body: &mut Body) {
        let root = self.root();
        let mut b = Builder::before(ctx, body, root.0);
        let cell = Cell::of_nest(ctx);
        self.store_partials(&mut b, &[], &cell, &IrMapping::new());
        body.erase(root.0);
    }

    /// Emits the band that computes and stores the partial results. `names` maps values around the
    /// nest.
    pub(super) fn store_partials(
        &self,
        b: &mut Builder,
        partials: &[Value],
        cell: &Cell,
        names: &IrMapping,
    ) {
        let count = self.count(b.ctx, b.body);
        let (band, place) = open_band(b, bound(&count));
        self.store_partial(b, place, partials, cell, names);
        go_behind(b, band.0);
    }

    /// Emits the statements that compute and store the partial result number `place`.
    pub(super) fn store_partial(
        &self,
        b: &mut Builder,
        place: Value,
        partials: &[Value],
        cell: &Cell,
        names: &IrMapping,
    ) {
        let sums = self.partial_results(b, Place::Number(place), &mut names.clone());
        cell.store(b, &sums, partials, Some(place));
    }

    /// The number of partial results.
    pub(super) fn extent(&self, ctx: &Context, body: &Body) -> Extent {
        Extent::of(ctx, &self.count(ctx, body))
    }

    /// The number of partial results as a map.
    fn count(&self, ctx: &Context, body: &Body) -> MapWithOperands {
        self.count_of(ctx, body, self.lanes)
    }

    /// The number of groups times `each`, as a map.
    pub(super) fn count_of(&self, ctx: &Context, body: &Body, each: i64) -> MapWithOperands {
        if let Some(groups) = self.groups {
            return (ctx.constant_map(groups * each), Vec::new());
        }
        let root = self.root();
        let mut inputs = Inputs::new(ctx);
        let names = IrMapping::new();
        let lower = inputs.import(root.lower(ctx, body), &names)[0];
        let upper = inputs.import(root.upper(ctx, body), &names)[0];
        let way = ctx.affine_sub(upper, lower);
        let span = self.span * root.step(ctx, body);
        let groups = inputs.by(AffineOp::CeilDiv, way, span);
        inputs.finish(&[inputs.times(groups, each)])
    }

    /// Emits the loops of one thread. Returns a partial result for each reduction.
    pub(super) fn partial_results(
        &self,
        b: &mut Builder,
        place: Place,
        names: &mut IrMapping,
    ) -> Vec<Value> {
        let mut neutrals = Vec::new();
        for _ in 0..self.vector {
            neutrals.extend(self.state.neutral(b));
        }
        let sums = self.level(b, 0, place, &neutrals, names);
        let (first, rest) = sums.split_at(self.state.width());
        let mut sums = first.to_vec();
        for part in rest.chunks(self.state.width().max(1)) {
            sums = self.state.combine(b, &sums, part);
        }
        sums
    }

    /// Emits the thread's part of one loop of the nest with all inner loops, from `inits`. `names`
    /// maps values of the nest.
    fn level(
        &self,
        b: &mut Builder,
        depth: usize,
        place: Place,
        inits: &[Value],
        names: &mut IrMapping,
    ) -> Vec<Value> {
        let op = self.levels[depth];
        let part = self.part(b.ctx, b.body, depth, place, names);
        let Some(inner) = self.levels.get(depth + 1) else {
            // The first lane of the vectors goes on from the lead and the remainder from that lane, so that each takes its
            // iterations in order: of equal candidates the first one counts.
            let mut inits = inits.to_vec();
            if let Some(lead) = self.before_vectors(b.ctx, b.body, depth, place, names) {
                self.continue_with(b, &lead, &mut inits, names);
            }
            let new = part.open(b, &inits);
            let counter = new.induction_var(b.body);
            let carried = new.iter_args(b.body).to_vec();
            let yielded = self.iterations(b, counter, (self.vector, &carried), names);
            let mut results = close(b, new, &yielded);
            if self.has_remainder {
                let rest = self.remainder(b.ctx, b.body, depth, place, names);
                self.continue_with(b, &rest, &mut results, names);
            }
            return results;
        };
        let new = part.open(b, inits);
        let counter = new.induction_var(b.body);
        let carried = new.iter_args(b.body).to_vec();
        names.map(op.induction_var(b.body), counter);
        let front = b.body.ops(op.block(b.body));
        let front: Vec<OpId> = front.take_while(|&s| s != inner.0).collect();
        b.insert_copies(&front, names);
        let yielded = self.level(b, depth + 1, place, &carried, names);
        close(b, new, &yielded)
    }

    /// Emits a part of the last loop one iteration at a time, which goes on from the first lane of `states` and leaves its result
    /// there.
    fn continue_with(&self, b: &mut Builder, part: &Part, states: &mut [Value], names: &IrMapping) {
        let first = &mut states[..self.state.width()];
        let new = part.open(b, first);
        let counter = new.induction_var(b.body);
        let carried = new.iter_args(b.body).to_vec();
        let yielded = self.iterations(b, counter, (1, &carried), names);
        first.copy_from_slice(&close(b, new, &yielded));
    }

    /// Emits adjacent iterations of the last loop, each with its own carried values. Iterations of
    /// a parallel loop are interleaved statement by statement, so that their loads stand together,
    /// before any store that might alias them.
    fn iterations(
        &self,
        b: &mut Builder,
        counter: Value,
        (count, carried): (i64, &[Value]),
        names: &IrMapping,
    ) -> Vec<Value> {
        let ctx = b.ctx;
        let op = self.levels[self.levels.len() - 1];
        let mut shares = carried.chunks(self.state.width().max(1));
        let step = op.step(ctx, b.body);
        let statements = op.statements(b.body);
        let (mut each, mut added) = (Vec::new(), Vec::new());
        for number in 0..count {
            let args = shares.next().unwrap_or_default();
            let mut names = names.clone();
            let iv = counter_after(b, counter, number * step);
            names.map(op.induction_var(b.body), iv);
            for (&old, &new) in op.iter_args(b.body).iter().zip(args) {
                names.map(old, new);
            }
            if !self.state.is_empty() {
                b.insert_copies(&statements, &mut names);
            }
            added.push(self.state.added(b, &self.levels, args, &names));
            each.push(names);
        }
        if self.state.is_empty() {
            for &statement in &statements {
                for names in &mut each {
                    b.insert_copy(statement, names);
                }
            }
        }
        let yielded = op.yielded(b.body);
        let mut all = Vec::new();
        for (names, added) in each.iter().zip(added) {
            all.extend(yielded.iter().map(|&v| names.value(v)));
            all.extend(added);
        }
        all
    }

    /// The bounds of a thread's part of a loop: for the first one the span of its group, for the
    /// last one every vector of its lane.
    fn part(
        &self,
        ctx: &Context,
        body: &Body,
        depth: usize,
        place: Place,
        names: &IrMapping,
    ) -> Part {
        let mut cut = self.cut(ctx, body, depth, place, names);
        let mut step = cut.step;
        if depth + 1 == self.levels.len() {
            let vector = step * self.vector;
            cut.start = ctx.affine_add(cut.start, cut.inputs.times(cut.lane, vector));
            for end in &mut cut.ends {
                *end = cut.inputs.plus(*end, step - vector);
            }
            step = vector * self.lanes;
        }
        Part {
            lower: cut.inputs.finish(&[cut.start]),
            upper: cut.inputs.finish(&cut.ends),
            step,
        }
    }

    /// Remainder loop: the bounds of a thread's part of the iterations after the last vector, less
    /// than a vector, in the span of the last group.
    fn remainder(
        &self,
        ctx: &Context,
        body: &Body,
        depth: usize,
        place: Place,
        names: &IrMapping,
    ) -> Part {
        let cut = self.cut(ctx, body, depth, place, names);
        let (inputs, step) = (&cut.inputs, cut.step);
        let behind = inputs.behind_rows(cut.aligned, cut.ends[0], step, self.vector);
        let lane = inputs.times(cut.lane, step);
        let after = ctx.affine_add(behind, lane);
        // In a loop without iterations, `after` may lie before its start.
        let start = ctx.affine_add(cut.start, lane);
        Part {
            lower: inputs.finish(&[after, start]),
            upper: inputs.finish(&cut.ends),
            step: step * self.lanes,
        }
    }

    /// Lead loop: the bounds of a thread's part of the iterations before the first vector.
    fn before_vectors(
        &self,
        ctx: &Context,
        body: &Body,
        depth: usize,
        place: Place,
        names: &IrMapping,
    ) -> Option<Part> {
        self.lead.as_ref()?;
        let mut cut = self.cut(ctx, body, depth, place, names);
        let lane = cut.inputs.times(cut.lane, cut.step);
        cut.ends.push(cut.aligned);
        Some(Part {
            lower: cut.inputs.finish(&[ctx.affine_add(cut.first, lane)]),
            upper: cut.inputs.finish(&cut.ends),
            step: cut.step * self.lanes,
        })
    }

    fn cut<'c>(
        &self,
        ctx: &'c Context,
        body: &Body,
        depth: usize,
        place: Place,
        names: &IrMapping,
    ) -> Cut<'c> {
        let op = self.levels[depth];
        let step = op.step(ctx, body);
        let mut inputs = Inputs::new(ctx);
        // The policy requires lower bounds of one result.
        let low = inputs.import(op.lower(ctx, body), names)[0];
        let mut ends = inputs.import(op.upper(ctx, body), names);
        let lead = self
            .lead
            .as_ref()
            .filter(|_| depth + 1 == self.levels.len());
        let lead = lead.map(|lead| inputs.import(bound(lead), names)[0]);
        let aligned = lead.map_or(low, |lead| ctx.affine_add(low, lead));
        let (mut first, mut start) = (low, aligned);
        let (group, lane) = place.in_groups_of(&mut inputs, self.lanes);
        // A single group has all iterations, whatever their number.
        if depth == 0 && self.groups != Some(1) {
            let span = self.span * step;
            let way = inputs.times(group, span);
            // Only the first group has a lead: a span is no shorter.
            (first, start) = (ctx.affine_add(low, way), ctx.affine_add(aligned, way));
            ends.push(inputs.plus(start, span));
        }
        Cut {
            inputs,
            step,
            first,
            aligned,
            start,
            ends,
            lane,
        }
    }

    /// Emits the combining loop: `for %q: acc = acc op partials[%q]`, from the nest's initial
    /// values. Returns the loop, and the replacements of the nest's results.
    pub(super) fn combine_all(
        &self,
        b: &mut Builder,
        partials: &[Value],
        cell: &Cell,
        names: &IrMapping,
    ) -> (ForOp, Vec<Value>) {
        let count = self.count(b.ctx, b.body);
        self.combine(b, partials, cell, names, &count)
    }

    /// Emits the loop that combines the first `count` elements of arrays.
    pub(super) fn combine(
        &self,
        b: &mut Builder,
        partials: &[Value],
        cell: &Cell,
        names: &IrMapping,
        count: &MapWithOperands,
    ) -> (ForOp, Vec<Value>) {
        let ctx = b.ctx;
        let inits = self.root().inits(ctx, b.body).iter();
        let inits: Vec<Value> = inits.map(|&init| names.value(init)).collect();
        let start = self.state.start(b, &inits);
        let new = ForOp::create(b, Bound::constant(ctx, 0), bound(count), 1, &start);
        let block = new.block(b.body);
        let (counter, carried) = (new.induction_var(b.body), new.iter_args(b.body).to_vec());
        b.set(InsertPoint::End(block));
        let parts = cell.load(b, partials, Some(counter));
        let yielded = self.state.combine(b, &carried, &parts);
        let combined = close(b, new, &yielded);
        let results = self.state.finish(b, &inits, &combined);
        (new, results)
    }
}

/// A thread's cut of a loop, before it is divided among lanes.
struct Cut<'c> {
    inputs: Inputs<'c>,
    step: i64,
    /// The first iteration of the span.
    first: AffineExpr,
    /// The first iteration of the loop's first vector.
    aligned: AffineExpr,
    /// The first iteration of the span's first vector.
    start: AffineExpr,
    ends: Vec<AffineExpr>,
    lane: AffineExpr,
}

/// The bounds of a thread's part of a loop, with its step.
struct Part {
    lower: MapWithOperands,
    upper: MapWithOperands,
    step: i64,
}

impl Part {
    /// Creates the loop and moves the builder inside.
    fn open(&self, b: &mut Builder, inits: &[Value]) -> ForOp {
        let (lower, upper) = (bound(&self.lower), bound(&self.upper));
        let new = ForOp::create(b, lower, upper, self.step, inits);
        let block = new.block(b.body);
        b.set(InsertPoint::End(block));
        new
    }
}
