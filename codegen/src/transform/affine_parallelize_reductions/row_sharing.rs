//! Row sharing: divides each loop of an iteration, reductions among them, among the threads of one
//! workgroup.
//!
//! ```text
//! affine.for %i = 0 to %m {                  affine.for %i = 0 to %m {
//!   %s = affine.for %j = 0 to %n               %part = memref.alloc() : memref<8xf32>
//!       iter_args(%acc = %z) { … }             affine.parallel (%p) = (0) to (8) {
//!   affine.for %j = 0 to %n {                    %t = affine.for %j = %p to %n step 8 … { … }
//!     … %s …                           ⇒         affine.store %t, %part[%p]
//!   }                                          }
//! }                                            %s = affine.for %p = 0 to 8 … // part[%p]
//!                                              memref.dealloc %part
//!                                              affine.parallel (%p) = (0) to (8) {
//!                                                affine.for %j = %p to %n step 8 { … %s … }
//!                                              }
//!                                            }
//! ```
//!
//! Legal where each loop is parallel but for what it reduces, and that may be regrouped. The outer
//! loops stay what they are; the mapping gives a workgroup to each of their iterations and a barrier to
//! each step from one loop to the next (`offload::phases`).
//!
//! It is done where an iteration has several such loops, so that cutting each reduction into nests of its own
//! (`band.rs`) would read the row again from memory in one launch after the other, or one that is long, on
//! targets whose workgroups have fast memory; where rows are adjacent in memory along the loops; where there
//! are rows enough for all workgroups, or too few elements in all for anything but a thread a row; and where no loop is known to be short (`ReductionShape::row_least`):
//! a workgroup for each of a million points with three coordinates costs more than its work, and leaves
//! most threads idle, where one thread a point leaves none. On CPU drivers, threads have rows of their own where there are
//! many of bounded length.
//!
//! A loop of the row may be a perfect nest, such as one over the channels and one over the points of a group that is
//! normalized: every thread runs the outer loops and has its share of the innermost one, whose length
//! tells whether all threads have some. So every thread repeats the statements in front of inner loops, which may
//! load nothing that these loops store.
//!
//! A loop of the row that scans is shared, too (`affine_parallelize_scans/rows.rs`), by that pass: then a
//! workgroup pays wherever the row has a few elements for each thread, since one thread alone would walk
//! the row in order.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::scf;
use gridloom_ir::elements::element_bytes;
use gridloom_ir::types::{FloatKind, TypeKind};
use gridloom_ir::{Body, Context, OpId, Type};

use super::band_policy::Walk;
use super::chunk::Chunking;
use super::chunking::is_vectorizable;
use super::state::State;
use super::whole::{Whole, part};
use super::{Policy, has_one_lower, is_repeatable};
use crate::analysis::access::{Access, accesses_below};
use crate::analysis::eligible::obstacle;
use crate::analysis::load_store::is_store;
use crate::analysis::parallel::{conflict_in_memory, verdict};
use crate::analysis::reduction::reduction_nest;
use crate::analysis::repeatable::can_repeat;
use crate::analysis::stride::stride;
use crate::analysis::values::Atom;
use crate::analysis::workgroup_memory::LEAST_LIMIT;
use crate::target::ReductionShape;
use crate::transform::affine_parallelize_scans::rows::{RowScan, scans};

/// Limit of the loops around a row.
const MAX_BAND: usize = 4;

/// Limit of the loops in a row.
pub(in crate::transform) const MAX_LOOPS: usize = 8;

/// Minimal number of vectors that each thread has of a row, where its length is known.
const MIN_VECTORS: i64 = 2;

/// Minimal number of iterations of a scan that each thread has of a row, where its length is known.
const MIN_SCANNED: i64 = 2;

/// Limit of the loops of a nest in a row.
const MAX_LEVELS: usize = 4;

/// Minimal number of iterations that each thread has of the innermost loop of such a nest, where its length is known: of
/// fewer, too many threads would have none at its end.
const MIN_INNERMOST: i64 = 2;

/// Limit of the conditionals in one another in a loop of a row.
const MAX_BRANCHES: usize = 4;

/// Number of rows, for each group of a reduction, from which threads of CPU drivers have rows of their own.
const ROWS_OF_A_GROUP: i64 = 2;

/// Groups of a reduction for each core that there may be.
const GROUPS_OF_A_CORE: i64 = 4;

/// Bytes of the words that memory is accessed in.
const WORD: usize = 4;

/// Limit of the elements that all rows load in common, where a row is one loop.
const MAX_SHARED: u64 = 1 << 16;

/// Row plan: how the loops of each row are shared.
pub(in crate::transform) struct RowCut {
    root: ForOp,
    loops: Vec<RowLoop>,
    /// Condition under which rows of open sizes are left to a thread each.
    pub(super) whole: Option<Whole>,
}

/// Plan for one loop of a row.
enum RowLoop {
    /// Chunks, one for each thread; a loop without reductions is parallel.
    Cut(Chunking),
    Scan(RowScan),
}

impl RowCut {
    /// Whether a loop of the rows scans.
    pub(in crate::transform) fn has_scans(&self) -> bool {
        self.loops.iter().any(|l| matches!(l, RowLoop::Scan(_)))
    }

    /// Rewrites the loops in place.
    pub(in crate::transform) fn apply(&self, ctx: &Context, body: &mut Body) {
        if let Some(whole) = &self.whole {
            part(ctx, body, self.root, whole);
        }
        for l in &self.loops {
            match l {
                RowLoop::Cut(chunking) if chunking.state.is_empty() => chunking.share(ctx, body),
                RowLoop::Cut(chunking) => drop(chunking.apply(ctx, body)),
                RowLoop::Scan(scan) => scan.apply(ctx, body),
            }
        }
    }
}

impl Policy<'_> {
    /// Plans row sharing in a parallel loop, if it contains rows.
    pub(in crate::transform) fn plan_rows(&mut self, root: ForOp) -> Option<RowCut> {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        let shape = self.options.reduction;
        if shape.band_lanes == 0 {
            return None;
        }
        let (band, loops) = self.row_of(root)?;
        let scans = shape.shares && loops.iter().any(|&l| scans(self, l));
        let least = match scans {
            true => shape.band_lanes.saturating_mul(MIN_SCANNED),
            false => shape.row_least,
        };
        let pays = scans
            || (self.has_rows_enough(&band)
                || self.has_rows_for_cores(&band, &loops)
                || self.are_small_rows(&band, &loops))
                && match loops[..] {
                    [alone] => self.is_worth_a_workgroup(&band, alone),
                    _ => true,
                };
        if !pays || obstacle(ctx, body, root.0, self.options.target.as_ref()).is_some() {
            return None;
        }
        let nests: Vec<Vec<ForOp>> = loops.iter().map(|&l| self.levels_of(l)).collect();
        let lengths = nests.iter().filter_map(|levels| self.steps(levels));
        if lengths.min().is_some_and(|length| length < least) {
            return None;
        }
        let innermost = nests.iter().filter_map(|levels| levels.last());
        let shortest = innermost.filter_map(|&l| self.steps(&[l])).min();
        let lanes = lanes(&shape, shortest);
        let bytes = LEAST_LIMIT / i64::try_from(loops.len()).ok()?;
        let loops = nests.into_iter().map(|levels| {
            match (&levels[..], self.plan_row_loop(&levels, lanes)) {
                (_, Some(chunking)) => Some(RowLoop::Cut(chunking)),
                (&[l], None) if scans => RowScan::plan(self, l, lanes, bytes).map(RowLoop::Scan),
                _ => None,
            }
        });
        Some(RowCut {
            root,
            loops: loops.collect::<Option<_>>()?,
            whole: None,
        })
    }

    /// Whether a reduction that is a whole row is better shared by a workgroup's threads than cut
    /// into nests of its own: it streams, and has work for the threads of several workgroups.
    fn is_worth_a_workgroup(&mut self, band: &[ForOp], l: ForOp) -> bool {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        let shape = self.options.reduction;
        let least = (shape.band_lanes * shape.vector * MIN_VECTORS).unsigned_abs();
        let is_long = (l.constant_trip_count(ctx, body)).is_some_and(|length| length >= least);
        let are_counted = |l: &ForOp| l.constant_trip_count(ctx, body).is_some();
        shape.shares
            && is_long
            && band.iter().all(are_counted)
            && self.walk(band, &[l], false) == Some(Walk::Rows)
            && self.keeps_near(band, l)
    }

    /// Whether the elements that all rows load in common stay in a cache between rows: a thread
    /// with several rows would load them once for all of these.
    fn keeps_near(&mut self, band: &[ForOp], l: ForOp) -> bool {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        let accesses = accesses_below(&mut self.deps.values, l.0);
        let counters: Vec<u32> = (band.iter())
            .map(|l| Atom::Value(l.induction_var(body)))
            .map(|atom| self.deps.values.atom_number(atom))
            .collect();
        let is_shared = |access: &&Access| {
            let mut strides = counters.iter().map(|&iv| stride(&self.deps, access, iv));
            strides.any(|s| s.is_none_or(|s| s == 0))
        };
        let shared = accesses.iter().filter(is_shared).count() as u64;
        let length = l.constant_trip_count(ctx, body).unwrap_or(u64::MAX);
        shared.saturating_mul(length) <= MAX_SHARED
    }

    /// The parallel loops around a row, and the loops of the row, at least one of which reduces,
    /// with only scalar statements beside them.
    fn row_of(&mut self, root: ForOp) -> Option<(Vec<ForOp>, Vec<ForOp>)> {
        let body = self.deps.values.body;
        let mut band = vec![root];
        loop {
            let last = *band.last()?;
            let ops = last.statements(body);
            let loops = loops_of_row(body, last)?;
            if let [inner] = loops[..]
                && body[inner.0].num_results() == 0
            {
                let (&end, before) = ops.split_last()?;
                let is_perfect = end == inner.0 && before.iter().all(|&op| is_repeatable(body, op));
                let extends = is_perfect && band.len() < MAX_BAND;
                if !extends || !verdict(&mut self.deps, inner.0).is_parallel() {
                    return None;
                }
                band.push(inner);
                continue;
            }
            let reduces = loops.iter().any(|l| body[l.0].num_results() > 0);
            let fits = (1..=MAX_LOOPS).contains(&loops.len());
            return (reduces && fits).then_some((band, loops));
        }
    }

    /// Whether there are enough rows, one for each iteration of the loops around, for all
    /// workgroups, as far as is known.
    pub(in crate::transform) fn has_rows_enough(&self, band: &[ForOp]) -> bool {
        let rows = self.steps(band);
        let shape = &self.options.reduction;
        shape.band_lanes > 0 && rows.is_none_or(|rows| rows >= shape.groups)
    }

    /// Whether rows of several loops occupy all cores of a target that runs a kernel on the CPU: the cut of one of these loops for
    /// more threads would cost a launch for each.
    fn has_rows_for_cores(&self, band: &[ForOp], loops: &[ForOp]) -> bool {
        let shape = &self.options.reduction;
        let rows = self.steps(band).unwrap_or(0);
        !shape.shares && loops.len() > 1 && rows >= shape.groups / GROUPS_OF_A_CORE
    }

    /// Whether threads have rows of their own rather than share each, on targets that run a kernel on the CPU, where a workgroup
    /// for each row costs more than its share of the loads. There have to be rows for the lanes of many cores, and few elements
    /// in all: of many rows a thread would have several at once, whose elements evict each other. Measured on lavapipe: softmax
    /// takes 0.49 to 0.77 of the time in 128 to 264 thousand elements, layer normalization 0.46 to 0.89; 1.8 and 1.3 in 4 million.
    pub(super) fn has_rows_for_threads(&mut self, root: ForOp) -> bool {
        let Some((band, loops)) = self.rows_for_threads(root) else {
            return false;
        };
        let rows = self.steps(&band).unwrap_or(0);
        let most = i128::from(self.options.reduction.band_least);
        let mut is_small = |&l: &ForOp| {
            let levels = self.levels_of(l);
            let mut each = levels.iter().map(|&l| self.most_trips(l));
            let all = each.try_fold(i128::from(rows), |all, trips| {
                Some(all.saturating_mul(trips?))
            });
            all.is_some_and(|all| all < most)
        };
        let are_small = loops.iter().all(&mut is_small);
        are_small && rows >= self.rows_of_threads() || self.has_whole_rows(root)
    }

    /// Rows that threads may have for themselves, with the loops around: those of several loops, on targets that run a kernel
    /// on the CPU. Of elements narrower than a word, threads that share a row load several at once.
    pub(super) fn rows_for_threads(&mut self, root: ForOp) -> Option<(Vec<ForOp>, Vec<ForOp>)> {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        let shares = self.options.reduction.shares;
        let row = self.row_of(root).filter(|_| !shares)?;
        let is_word = |access: &Access| {
            let data = &body[access.op];
            let value = data.results().next().or(data.operands.first().copied());
            let bytes = value.and_then(|value| element_bytes(ctx, body.ty(value)));
            bytes.is_some_and(|bytes| bytes >= WORD)
        };
        let accesses = accesses_below(&mut self.deps.values, root.0);
        (row.1.len() > 1 && accesses.iter().all(is_word)).then_some(row)
    }

    /// Least number of rows that are enough for a thread each.
    pub(super) fn rows_of_threads(&self) -> i64 {
        let groups = self.options.reduction.groups;
        groups.saturating_mul(ROWS_OF_A_GROUP)
    }

    /// Whether threads can share a loop of the row inside a band's loops, each with at least a
    /// vector of it, and no other row uses the elements that it reduces.
    pub(in crate::transform) fn streams_in_row(&mut self, band: &[ForOp], l: ForOp) -> bool {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        let shape = self.options.reduction;
        let least = shape.band_lanes.saturating_mul(shape.vector).unsigned_abs();
        if (l.constant_trip_count(ctx, body)).is_some_and(|length| length < least) {
            return false;
        }
        let levels = self.levels_of(l);
        let Some(chunking) = self.plan_row_loop(&levels, shape.band_lanes) else {
            return false;
        };
        chunking.state.width() == 0 || self.walk(band, &levels, false) == Some(Walk::Rows)
    }

    /// Whether there is too little in all rows for a reduction of them to be cut into several groups, so that
    /// a thread would walk each row by itself, where threads of a workgroup can share it.
    fn are_small_rows(&self, band: &[ForOp], loops: &[ForOp]) -> bool {
        let (body, rows) = (self.deps.values.body, self.steps(band));
        let mut reductions = loops.iter().filter(|l| body[l.0].num_results() > 0);
        rows.is_some() && reductions.all(|&l| self.is_small(&self.levels_of(l), rows))
    }

    /// The perfect nest that starts with a loop of a row, whose statements in front of inner loops can be repeated.
    pub(super) fn levels_of(&self, l: ForOp) -> Vec<ForOp> {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        let mut levels = reduction_nest(ctx, body, l);
        levels.truncate(MAX_LEVELS);
        levels
    }

    /// Plans the chunks of a loop of the row, or of a perfect nest, one for each thread of the workgroup.
    fn plan_row_loop(&mut self, levels: &[ForOp], lanes: i64) -> Option<Chunking> {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        let (&root, &last) = (levels.first()?, levels.last()?);
        if !(body.ops(last.block(body))).all(|op| is_plain(body, op, MAX_BRANCHES))
            || !levels.iter().all(|&l| has_one_lower(ctx, body, l))
            || last.upper(ctx, body).map.results(ctx).len() != 1
            || !self.leaves_room(last)
            || !self.walks_rows(last)
        {
            return None;
        }
        let trips = self.steps(&[last]);
        let least = lanes.saturating_mul(MIN_INNERMOST);
        if levels.len() > 1 && trips.is_some_and(|trips| trips < least) {
            return None;
        }
        if !self.may_repeat_in_front(levels) {
            return None;
        }
        let state = match body[root.0].num_results() {
            0 if (levels.iter()).all(|&l| verdict(&mut self.deps, l.0).is_parallel()) => {
                State::default()
            }
            0 => return None,
            _ => self.state_in_row(levels)?,
        };
        let shape = &self.options.reduction;
        let fills = trips.is_none_or(|n| n >= lanes.saturating_mul(shape.vector));
        let vector = match fills && is_vectorizable(ctx, body, last) {
            true => shape.vector.max(1),
            false => 1,
        };
        last.step(ctx, body).checked_mul(lanes * vector)?;
        let lead = self.lead(last, lanes, vector);
        let has_rest = vector > 1 && trips.is_none_or(|trips| trips % vector != 0);
        Some(Chunking {
            anchor: root.0,
            levels: levels.to_vec(),
            state,
            lanes,
            vector,
            span: 1,
            groups: Some(1),
            has_remainder: has_rest || lead.is_some(),
            lead,
        })
    }

    /// Whether every thread may run the statements in front of the inner loops of a nest: no thread stores what they load in
    /// its share of these loops.
    fn may_repeat_in_front(&mut self, levels: &[ForOp]) -> bool {
        let body = self.deps.values.body;
        levels.windows(2).all(|pair| {
            let inner = pair[1].0;
            let front = body.ops(pair[0].block(body));
            let front: Vec<OpId> = front.take_while(|&op| op != inner).collect();
            can_repeat(&mut self.deps, &front, inner)
        })
    }

    /// The state that the threads of a row combine, if the iterations of a nest are independent but for
    /// reductions.
    fn state_in_row(&mut self, levels: &[ForOp]) -> Option<State> {
        let state = self.state_of(levels)?;
        let is_shared = state.may_be_shared(self.deps.values.ctx);
        let is_free = (levels.iter()).all(|l| conflict_in_memory(&mut self.deps, l.0).is_none());
        (is_shared && is_free && !state.is_in_order()).then_some(state)
    }

    /// Whether most of the accesses that vary with a loop are of adjacent elements, and none is an
    /// atomic update.
    pub(in crate::transform) fn walks_rows(&mut self, l: ForOp) -> bool {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        let accesses = accesses_below(&mut self.deps.values, l.0);
        let iv = self
            .deps
            .values
            .atom_number(Atom::Value(l.induction_var(body)));
        let step = l.step(ctx, body);
        let (mut adjacent, mut others) = (0, 0);
        for access in &accesses {
            match stride(&self.deps, access, iv).map(|s| s.saturating_mul(step)) {
                Some(1 | -1) => adjacent += 1,
                Some(0) => {}
                _ => others += 1,
            }
        }
        adjacent > others && accesses.iter().all(|access| access.update.is_none())
    }
}

/// The loops in a parallel loop whose iterations may be rows; `None` if other than scalar
/// statements stand beside them.
pub(in crate::transform) fn loops_of_row(body: &Body, around: ForOp) -> Option<Vec<ForOp>> {
    let ops = around.statements(body);
    let is_scalar =
        |&op: &OpId| body[op].name == affine::FOR || is_store(body, op) || is_repeatable(body, op);
    let loops = ops.iter().filter_map(|&op| ForOp::cast(body, op));
    ops.iter().all(is_scalar).then(|| loops.collect())
}

/// Whether a statement of a row's loop computes, loads or stores and does nothing else, or is a conditional around such
/// statements, of at most `depth` in one another.
fn is_plain(body: &Body, op: OpId, depth: usize) -> bool {
    match body[op].name {
        affine::YIELD | scf::YIELD => true,
        affine::IF | scf::IF if depth > 0 => {
            let blocks = (body[op].inline_regions().iter()).flat_map(|&r| &body[r].blocks);
            blocks
                .flat_map(|&block| body.ops(block))
                .all(|op| is_plain(body, op, depth - 1))
        }
        _ => is_store(body, op) || is_repeatable(body, op),
    }
}

/// Workgroup size for a row: the threads that run in lockstep, and more for long rows.
pub(super) fn lanes(shape: &ReductionShape, shortest: Option<i64>) -> i64 {
    let least = shape.band_lanes;
    let Some(length) = shortest else {
        return least.saturating_mul(4).min(shape.lanes).max(least);
    };
    let per_lane = (shape.vector * MIN_VECTORS * 2).max(1);
    let mut lanes = least;
    while lanes * 2 <= shape.lanes && length / (lanes * 2) >= per_lane {
        lanes *= 2;
    }
    lanes
}

/// Whether every device supports a type's partial results in workgroup memory.
pub(in crate::transform) fn may_be_shared(ctx: &Context, ty: Type) -> bool {
    match ty.kind(ctx) {
        TypeKind::Integer { width, .. } => matches!(width, 32 | 64),
        _ => matches!(ty.float_kind(ctx), Some(FloatKind::F32 | FloatKind::F64)),
    }
}
