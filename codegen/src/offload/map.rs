//! Grid mapper: turns a planned nest into a `gpu.launch`.
//!
//! ```text
//! affine.for %i = 0 to %n {                 %total = …                       // host
//!   affine.for %j = 0 to 100 {              %some = arith.cmpi sgt, %total, %c0
//!     S(%i, %j)                        ⇒    scf.if %some {
//!   }                                         gpu.launch blocks(…) threads(…) {
//! }                                             %idx = %bx * 16 + %tx
//!                                               %j = 0 + %idx
//!                                               %in = arith.cmpi slt, %j, %c100
//!                                               scf.if %in { … S(%i, %j) … }
//! ```
//!
//! The grid covers the greatest number of iterations that each loop can have;
//! threads beyond a loop's actual bounds do nothing. A dimension that may need
//! more workgroups than devices have strides over its range instead, or has them
//! all and is launched in parts (`walks_grid`). Nothing is launched when a loop
//! has no iterations.

mod domain;
mod grid;
mod host;
mod matrices;
mod phases;
pub(super) mod staged;
mod straight;

use std::rc::Rc;

use gridloom_dialects::affine::{self, Bound};
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::gpu::{self, LaunchOp};
use gridloom_dialects::{memref, scf};
use gridloom_ir::{AffineMap, Body, Builder, Context, InsertPoint, OpId, OpName, Value};

use super::jam::{Jam, Steps};
use super::plan::NestPlan;
use super::unrolling;
use super::variance::Variance;
use crate::analysis::counter::Counter;
use crate::transform::lower_affine::{expand_results, lower_affine_below};
use host::Count;
use straight::Place;

/// Limit of the workgroups in one dimension that every device takes (WebGPU's limit).
pub const MAX_GROUPS: i64 = 65_535;

/// Maps a nest to a grid as a plan for this body says. Returns the launch.
///
/// The caller has checked that a kernel can hold the nest.
pub fn map_nest(ctx: &Context, body: &mut Body, plan: &NestPlan) -> LaunchOp {
    if let Some(matrices) = &plan.matrices {
        return matrices::map_matrices(ctx, body, plan, matrices);
    }
    unrolling::unroll(ctx, body, &plan.unrolled);
    let root = plan.band[0].counter.op;
    let counters: Vec<Value> = (plan.band.iter())
        .map(|l| l.counter.induction_var(body))
        .collect();
    let mut mapper = Mapper {
        plan,
        counters,
        variance: None,
        b: Builder::before(ctx, body, root),
        trips: Vec::new(),
        counts: Vec::new(),
        spans: plan.span.map(Count::Known),
        starts: [None; 3],
        lanes: [None; 3],
        locals: Vec::new(),
        places: Vec::new(),
    };
    mapper.trips = plan.band.iter().map(|l| mapper.count(l)).collect();
    mapper.guard_launch();
    mapper.counts = (0..plan.band.len()).map(|k| mapper.tiles(k)).collect();
    let totals: Vec<Count> = plan.dims.iter().map(|loops| mapper.total(loops)).collect();
    mapper.share_span(&totals);
    let threads: Vec<Count> = (0..totals.len())
        .map(|dim| mapper.walkers(dim, totals[dim]))
        .collect();
    let launch = mapper.launch(&threads);
    mapper.fill(launch, &threads, &totals);
    body.erase(root);
    if let Some(shared) = &plan.phases {
        phases::share_phases(ctx, body, launch, shared);
    }
    own_scratch(body, launch.0);
    lower_affine_below(ctx, body, launch.0);
    if !plan.unrolled.is_empty() || plan.is_straight {
        unrolling::gather_constants(ctx, body, launch.0);
    }
    launch
}

struct Mapper<'a> {
    plan: &'a NestPlan,
    /// Counters of the band.
    counters: Vec<Value>,
    /// Variance below the band, where threads compute more than one iteration.
    variance: Option<Rc<Variance>>,
    b: Builder<'a>,
    /// Trip count of each loop of the band.
    trips: Vec<Count>,
    /// Number of tiles along each loop of the band.
    counts: Vec<Count>,
    /// Tiles that a thread walks along each grid dimension.
    spans: [Count; 3],
    /// Index of the workgroup's first thread along each grid dimension, where loads are staged.
    starts: [Option<Value>; 3],
    /// Index of the thread in its workgroup along each such dimension.
    lanes: [Option<Value>; 3],
    /// Distance of a loop's counter from the workgroup's first one, as a value of the nest, where
    /// copies in workgroup memory are indexed by it.
    locals: Vec<Option<Value>>,
    /// Places of straight threads along each loop of the band.
    places: Vec<Vec<Place>>,
}

impl Mapper<'_> {
    /// Emits the first iteration of a tile.
    fn first_of_tile(&mut self, k: usize, tile: Value) -> Value {
        let (size, pitch) = (self.plan.tile[k], self.plan.run_distance(k));
        if size == 1 {
            return tile;
        }
        if pitch == 1 {
            let size = self.b.index_constant(size);
            let first = self.b.binary(arith::MULI, tile, size);
            return match self.plan.lead(k) {
                0 => first,
                lead => {
                    let lead = self.b.index_constant(lead);
                    self.b.binary(arith::SUBI, first, lead)
                }
            };
        }
        if let (Some(start), Some(lane)) = (self.starts[0], self.lanes[0]) {
            let first = self.scaled(start, size);
            let offset = self.scaled(lane, self.plan.run_length(k));
            return self.b.binary(arith::ADDI, first, offset);
        }
        let per_block = self.b.index_constant(pitch);
        let block = self.b.binary(arith::DIVSI, tile, per_block);
        let skipped = self.b.index_constant(pitch * (size - 1));
        let skipped = self.b.binary(arith::MULI, block, skipped);
        self.b.binary(arith::ADDI, tile, skipped)
    }

    /// Emits a multiple of a value.
    fn scaled(&mut self, value: Value, factor: i64) -> Value {
        let factor = self.b.index_constant(factor);
        self.b.binary(arith::MULI, value, factor)
    }

    /// Writes the body of the launch: ids, loops over what the grid does not
    /// cover, induction variables, guards, and the nest's own statements.
    fn fill(&mut self, launch: LaunchOp, threads: &[Count], totals: &[Count]) {
        let block = launch.block(self.b.body);
        gpu::terminate(&mut self.b, block);
        self.b.set(InsertPoint::Start(block));
        let args = launch.args(self.b.body);
        let mut positions: Vec<Option<Value>> = vec![None; self.plan.band.len()];
        let mut covered = vec![false; self.plan.band.len()];
        let walks_rows = self.spans[1..].iter().any(Count::is_several);
        // The innermost of the loops over tiles goes along x, where the elements of adjacent tiles
        // are adjacent.
        let order = if walks_rows { [2, 1, 0] } else { [0, 1, 2] };
        for dim in order {
            let loops = &self.plan.dims[dim];
            if loops.is_empty() {
                continue;
            }
            let (mut index, mut in_range) = self.global_index(&args, dim, threads[dim]);
            if self.spans[dim].is_several() {
                index = self.walk_span(dim, index, totals[dim]);
                in_range = true;
            }
            self.delinearise(loops, index, &mut positions);
            for &k in loops {
                covered[k] = in_range || self.plan.is_straight;
            }
        }
        if let Some(staging) = &self.plan.staging {
            self.stage(staging, launch, &positions);
        }
        let root = self.plan.band[0].counter.op;
        if self.plan.is_tiled() {
            let variance = Variance::new(self.b.ctx, self.b.body, root, &self.counters);
            self.variance = Some(Rc::new(variance));
        }
        if self.plan.is_straight {
            self.places = (0..positions.len())
                .map(|k| self.straight_places(k, positions[k]))
                .collect();
        }
        match &self.plan.test {
            Some(test) => self.tiles_in_domain(test, &args, &positions, covered),
            None => self.tiles_apart(&positions, covered),
        }
    }

    /// Emits full tiles unrolled and partial tiles point by point, where the plan keeps them apart.
    ///
    /// ```text
    /// scf.if %full { S(%i) S(%i + 1) … } else {
    ///   scf.for %p = 0 to min(%size, %trips - %i) { S(%i + %p) }
    /// }
    /// ```
    fn tiles_apart(&mut self, positions: &[Option<Value>], mut covered: Vec<bool>) {
        let plan = self.plan;
        let mut first: Vec<Option<Value>> = (positions.iter().enumerate())
            .map(|(k, &tile)| tile.map(|tile| self.first_of_tile(k, tile)))
            .collect();
        let sizes = domain::sizes(&plan.tile);
        let ragged: Vec<usize> = (0..sizes.len()).filter(|&k| self.is_ragged(k)).collect();
        if !plan.separates_partial_tiles || ragged.is_empty() {
            self.nest(&first, &covered, &sizes);
            return;
        }
        let mut tests = Vec::new();
        for &k in &ragged {
            let last = (plan.tile[k] - 1).wrapping_mul(plan.run_distance(k));
            let last = self.b.index_constant(last);
            if let Some(first) = first[k] {
                tests.push(self.is_inside(k, first, last));
                if plan.lead(k) > 0 {
                    let zero = self.b.index_constant(0);
                    tests.push(CmpIOp::create(&mut self.b, CmpIPredicate::Sge, first, zero));
                }
            }
            covered[k] = true;
        }
        let all = tests
            .into_iter()
            .reduce(|x, y| self.b.binary(arith::ANDI, x, y));
        let Some(is_full) = all else { return };
        let op = scf::IfOp::create(&mut self.b, is_full, &[], true);
        let blocks = [Some(op.then_block(self.b.body)), op.else_block(self.b.body)];
        for block in blocks.into_iter().flatten() {
            scf::yield_values(&mut self.b, block, &[]);
        }
        self.b.set(InsertPoint::Start(op.then_block(self.b.body)));
        self.nest(&first, &covered, &sizes);
        let Some(other) = op.else_block(self.b.body) else {
            return;
        };
        self.b.set(InsertPoint::Start(other));
        for (k, first) in first.iter_mut().enumerate() {
            if let Some(first) = first
                && sizes[k] > 1
            {
                *first = self.walk_tile(k, *first, ragged.contains(&k));
            }
        }
        self.nest(&first, &covered, &vec![1; sizes.len()]);
    }

    /// Whether some tiles along a loop may extend beyond its last iteration.
    fn is_ragged(&self, k: usize) -> bool {
        let all = self.plan.tile[k].saturating_mul(self.plan.run_distance(k));
        match self.trips[k] {
            _ if self.plan.tile[k] == 1 => false,
            _ if self.plan.lead(k) > 0 => true,
            Count::Known(trips) => trips % all != 0,
            Count::Value(_) => true,
        }
    }

    /// Emits whether the iteration `way` after `first` exists. Tiles extend little beyond the last
    /// iteration, so the difference does not overflow.
    fn is_inside(&mut self, k: usize, first: Value, offset: Value) -> Value {
        let trips = self.value(self.trips[k]);
        let left = self.b.binary(arith::SUBI, trips, first);
        CmpIOp::create(&mut self.b, CmpIPredicate::Slt, offset, left)
    }

    /// Moves into a loop over the iterations of a partial tile; along a loop that is not ragged,
    /// over the whole tile. Returns the first iteration there.
    fn walk_tile(&mut self, k: usize, first: Value, is_ragged: bool) -> Value {
        let pitch = self.plan.run_distance(k);
        let ends = [0, self.plan.tile[k] * pitch, self.plan.part[k] * pitch];
        let [mut start, mut end, step] = ends.map(|end| self.b.index_constant(end));
        if is_ragged {
            if self.plan.lead(k) > 0 {
                let before = self.b.binary(arith::SUBI, start, first);
                start = self.b.binary(arith::MAXSI, before, start);
            }
            let trips = self.value(self.trips[k]);
            let left = self.b.binary(arith::SUBI, trips, first);
            end = self.b.binary(arith::MINSI, left, end);
        }
        let op = scf::ForOp::create(&mut self.b, start, end, step, &[]);
        let block = op.block(self.b.body);
        scf::yield_values(&mut self.b, block, &[]);
        self.b.set(InsertPoint::Start(block));
        let offset = op.induction_var(self.b.body);
        self.b.binary(arith::ADDI, first, offset)
    }

    /// Emits induction variables, guards and statements for tiles of some size that begin at given
    /// iterations.
    fn nest(&mut self, first: &[Option<Value>], covered: &[bool], sizes: &[usize]) {
        let plan = self.plan;
        let variance = self.variance.clone();
        let mut jam = variance
            .as_deref()
            .map(|variance| Jam::new(variance, sizes));
        let mut tests = Vec::new();
        for (k, l) in plan.band.iter().enumerate() {
            let (points, below) = self.induction((k, sizes[k]), first[k], jam.as_ref());
            if !(l.is_exact && covered[k]) {
                tests.push(below);
            }
            let op = l.counter.op;
            let old = l.counter.induction_var(self.b.body);
            match &mut jam {
                Some(jam) => {
                    if plan.rolled.is_some() {
                        jam.set_steps(old, self.steps(k, points[0], first[k]));
                    }
                    jam.set_counter(old, points);
                    if let Some(&Some(local)) = self.locals.get(k) {
                        jam.set_counter(local, self.places(k));
                    }
                }
                None => {
                    (self.b.body).replace_values_in(op, |v| if v == old { points[0] } else { v })
                }
            }
            let inner = plan.band.get(k + 1).map(|next| next.counter.op);
            if inner == Some(op) {
                // Statements of a loop belong to its last counter.
                continue;
            }
            let statements = match &plan.test {
                Some(test) if inner.is_none() => self.tested_statements(test),
                _ => self.statements(l.counter, inner),
            };
            let is_quiet = statements
                .iter()
                .all(|&op| self.b.body[op].name == arith::CONSTANT);
            let together = match inner {
                None if self.plan.staging.is_some() => self.all_of(std::mem::take(&mut tests)),
                _ => None,
            };
            if let (Some(jam), None, true) = (&mut jam, inner, plan.is_straight) {
                self.mask_stores(jam);
            }
            if let (Some(jam), None, true) = (&mut jam, inner, self.plan.staging.is_some()) {
                self.bound_points(jam, first, together);
            }
            if !is_quiet || inner.is_none() {
                self.enter_if(std::mem::take(&mut tests));
            }
            let start = self.last_written();
            if let Some(jam) = &mut jam {
                let has_regions = |&op: &OpId| !self.b.body[op].inline_regions().is_empty();
                // A body without loops consists of its accesses, which are best side by side.
                jam.roll_accesses(plan.rolled.filter(|_| statements.iter().any(has_regions)));
            }
            for op in statements {
                match &mut jam {
                    Some(jam) => jam.write(&mut self.b, op),
                    None => {
                        self.b.body.detach(op);
                        self.b.insert(op);
                    }
                }
            }
            if let (Some(is_inside), None) = (together, &jam) {
                self.guard_accesses(start, is_inside);
            }
        }
    }

    /// Emits `lower + position * step` for each point of the tile, and whether the first one is
    /// below the upper bound.
    fn induction(
        &mut self,
        (k, size): (usize, usize),
        first: Option<Value>,
        jam: Option<&Jam>,
    ) -> (Vec<Value>, Value) {
        let ctx = self.b.ctx;
        let l = &self.plan.band[k];
        let counter = l.counter;
        let (lower, upper) = (
            counter.lower(ctx, self.b.body),
            counter.upper(ctx, self.b.body),
        );
        let at_first = |bound: Bound| {
            let operands = bound.operands.iter().map(|&value| match jam {
                Some(jam) => jam.first(value),
                None => value,
            });
            (bound.map, operands.collect::<Vec<Value>>())
        };
        let (lower_map, lower_operands) = at_first(lower);
        let (upper_map, upper_operands) = at_first(upper);
        let step = counter.step(ctx, self.b.body);
        let low = self.best(arith::MAXSI, lower_map, &lower_operands);
        let high = self.best(arith::MINSI, upper_map, &upper_operands);
        // Every loop of the band has a grid dimension.
        let first = first.unwrap_or(low);
        let mut offset = first;
        if step != 1 {
            let step = self.b.index_constant(step);
            offset = self.b.binary(arith::MULI, offset, step);
        }
        let iv = match lower_map.as_single_constant(ctx) {
            Some(0) => offset,
            _ => self.b.binary(arith::ADDI, low, offset),
        };
        let below = CmpIOp::create(&mut self.b, CmpIPredicate::Slt, iv, high);
        if self.plan.is_straight {
            return (self.straight_points(k, low, step), below);
        }
        let mut points = vec![iv];
        for place in (1..self.plan.tile[k]).take(size.saturating_sub(1)) {
            points.push(self.point(k, (first, iv), self.plan.offset_in_tile(k, place), step));
        }
        if jam.is_some() && self.plan.staging.is_some() && self.is_cut(k) {
            let one = self.b.index_constant(1);
            let last = self.b.binary(arith::SUBI, high, one);
            for point in &mut points {
                *point = self.b.binary(arith::MINSI, *point, last);
            }
        }
        (points, below)
    }

    /// The counter of one point of a tile; that of the first point where the tile extends beyond
    /// the last iteration.
    fn point(&mut self, k: usize, (first, iv): (Value, Value), place: i64, step: i64) -> Value {
        let offset = self.b.index_constant(place.wrapping_mul(step));
        let there = self.b.binary(arith::ADDI, iv, offset);
        if self.plan.separates_partial_tiles || self.plan.staging.is_some() || !self.is_ragged(k) {
            return there;
        }
        let place = self.b.index_constant(place);
        let is_inside = self.is_inside(k, first, place);
        arith::select(&mut self.b, is_inside, there, iv)
    }

    /// The rule by which a loop's counter, `iv` at the first iteration of a tile, follows from the
    /// place in the tile.
    fn steps(&mut self, k: usize, iv: Value, first: Option<Value>) -> Steps {
        let pitch = self.plan.run_distance(k);
        let step = self.plan.band[k].counter.step(self.b.ctx, self.b.body);
        let is_cut = !self.plan.separates_partial_tiles && self.is_ragged(k);
        let left = first.filter(|_| is_cut).map(|first| {
            let trips = self.value(self.trips[k]);
            (pitch, self.b.binary(arith::SUBI, trips, first))
        });
        Steps {
            number: k,
            first: iv,
            step: step.wrapping_mul(pitch),
            left,
        }
    }

    fn best(&mut self, name: OpName, map: AffineMap, operands: &[Value]) -> Value {
        let results = expand_results(&mut self.b, map, operands);
        let best = results.into_iter().reduce(|x, y| self.b.binary(name, x, y));
        best.unwrap_or_else(|| self.b.index_constant(0))
    }

    /// Statements of a loop's own block, without terminator and inner loop.
    fn statements(&self, op: Counter, inner: Option<OpId>) -> Vec<OpId> {
        let body = &self.b.body;
        let ops = body.ops(op.block(body));
        let is_local = |op: OpId| {
            let mut results = body[op].results();
            self.variance.is_some() && results.any(|value| self.locals.contains(&Some(value)))
        };
        ops.filter(|&op| body[op].name != affine::YIELD && Some(op) != inner && !is_local(op))
            .collect()
    }
}

/// Turns scratch arrays into private memory of a thread: an allocation inside an iteration becomes
/// an `alloca`, which needs no `dealloc`.
fn own_scratch(body: &mut Body, launch: OpId) {
    for op in body.walk_op(launch) {
        match body[op].name {
            memref::ALLOC => body[op].name = memref::ALLOCA,
            memref::DEALLOC => body.erase(op),
            _ => {}
        }
    }
}
