//! Policy for reductions inside parallel loops: selects those to cut, and their chunks.
//!
//! A reduction is cut if it streams: it loads elements that no other iteration uses, so that memory
//! bandwidth limits it. Along rows, where the reduction walks adjacent elements, threads that run
//! in lockstep share one; across rows, where a loop of the band does, chunks of some rows keep to
//! few pages of memory at a time, which pays on a CPU where a thread would walk over many. Loops with reuse, such as contractions and windows that overlap,
//! gain more from tiles.

use gridloom_dialects::affine::ForOp;
use gridloom_ir::affine::AffineOp;
use gridloom_ir::{Body, Context, IrMapping, OpId, Value};

use super::band::BandCut;
use super::chunk::Chunking;
use super::chunking::MANY_STEPS;
use super::row_sharing::lanes;
use super::{Policy, has_one_lower};
use crate::analysis::access::{Access, accesses_below, accesses_of};
use crate::analysis::counter::counters;
use crate::analysis::dependence::Scope;
use crate::analysis::eligible::obstacle;
use crate::analysis::interval::Interval;
use crate::analysis::load_store::is_load;
use crate::analysis::loop_kind::is_affine_loop;
use crate::analysis::parallel::{conflict_in_memory, verdict};
use crate::analysis::reduction::{is_repeatable, reduction_nest};
use crate::analysis::stride::{Movement, overlaps, stride};
use crate::analysis::values::Atom;
use crate::transform::auxiliary_arrays::{Extent, anchor};
use crate::transform::map_inputs::Inputs;

/// Limit of the loops of a band.
const MAX_BAND: usize = 4;

/// Limit of the partial results of all iterations.
const MAX_PARTIALS: i64 = 1 << 28;

/// Interval of bounds that leaves room for the offsets of lanes.
const ROOM: Interval = Interval {
    least: -(1 << 62),
    most: 1 << 62,
};

/// Limit of the unused partial results, for counter values below a loop's first iteration.
pub(super) const MAX_UNUSED: i64 = 64;

/// Arithmetic intensity threshold: statements of an iteration for each load, from which on it is
/// not limited by memory.
const MIN_WORK_OF_A_LOAD: usize = 5;

/// Oversubscription of a loop with few iterations: threads that it is cut for, for each thread of
/// all groups.
const CROWD: i64 = 2;

/// Least number of the partial results of an iteration, of few, that a workgroup combines.
const MIN_SHARED: i64 = 32;

/// Minimal span of a chunk there, in iterations.
const MIN_SPAN_OF_FEW: i64 = 64;

/// Least number of chunks of a reduction in several loops, where each thread computes a tile of results.
const LEAST_PARTS_OF_TILES: i64 = 4;

/// Iterations that the length of a chunk is a multiple of.
const UNIT_OF_SPANS: i64 = 32;

/// Elements that a page of memory is taken to have.
pub(super) const ELEMENTS_OF_PAGE: i64 = 1 << 10;

/// Limit of the pages that a thread walks over, one a row: a processor keeps the addresses of some two to three thousand.
/// Maxima of columns of 2,047 rows took a sixth more time in chunks, those of 4,095 rows half of it.
pub(super) const MOST_PAGES: i64 = 1 << 11;

/// Candidate: a reduction and the parallel loops around it.
struct Found {
    band: Vec<ForOp>,
    reduction: ForOp,
    has_loops_after: bool,
}

/// Choice of the chunks of a reduction.
struct Choice {
    chunking: Chunking,
    /// Direction in which the reduction streams, if it does.
    walk: Option<Walk>,
    by_workgroups: bool,
    /// Whether the loop over the chunks is around the band.
    has_chunks_around: bool,
}

/// Direction in which the loads of a reduction walk memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Walk {
    Rows,
    Columns,
}

impl Policy<'_> {
    /// Plans the cut of the first reduction inside a parallel loop.
    pub(super) fn plan_band(&mut self, root: ForOp) -> Option<BandCut> {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        if self.options.reduction.band_lanes == 0 {
            return None;
        }
        let found = self.reduction_in_band(root)?;
        let op = found.reduction;
        self.state_of(&[op])?;
        if obstacle(ctx, body, root.0, self.options.target.as_ref()).is_some() {
            return None;
        }
        let accesses = accesses_below(&mut self.deps.values, op.0);
        let levels = match accesses.iter().any(|access| access.is_write) {
            true => vec![op],
            false => reduction_nest(ctx, body, op),
        };
        let iterations = iterations_of(ctx, body, &found.band);
        let Choice {
            mut chunking,
            walk,
            by_workgroups,
            has_chunks_around,
        } = self.choose(&found, levels, iterations)?;
        let extents = band_extents(ctx, body, &found.band)?;
        let is_constant = iterations.is_some() && chunking.groups.is_some();
        chunking.anchor = match is_constant {
            true => anchor(body, root, true),
            false => root.0,
        };
        if let (Some(iterations), Some(groups)) = (iterations, chunking.groups) {
            let each = if by_workgroups { 1 } else { chunking.lanes };
            let partials = groups.checked_mul(each)?;
            if iterations.checked_mul(partials)? > MAX_PARTIALS {
                return None;
            }
        }
        let is_across = walk == Some(Walk::Columns) || has_chunks_around;
        let is_shared = by_workgroups || self.are_few(iterations) && is_across;
        let combining = match is_shared && is_constant {
            true => self.combining_threads(&chunking),
            false => None,
        };
        let parted = walk.filter(|_| self.may_part && !has_chunks_around);
        Some(BandCut {
            whole: parted.and_then(|walk| self.whole(root, op, walk)),
            has_chunks_around,
            band: found.band,
            chunking,
            by_workgroups,
            combining,
            is_column: walk != Some(Walk::Rows),
            has_loops_after: found.has_loops_after,
            extents,
        })
    }

    /// Chooses the chunks of a reduction: around the band where its tiles share what they load, else by the direction in
    /// which it streams.
    fn choose(
        &mut self,
        found: &Found,
        levels: Vec<ForOp>,
        iterations: Option<i64>,
    ) -> Option<Choice> {
        let shape = self.options.reduction;
        let mut walk = self.walk(&found.band, &levels, false);
        if walk.is_none()
            && found.band.len() > 1
            && let Some(chunking) = self.chunking_of_few(found, &levels, iterations)
        {
            return Some(Choice {
                chunking,
                walk,
                by_workgroups: false,
                has_chunks_around: true,
            });
        }
        if walk.is_none() && self.are_few(iterations) {
            walk = self.walk(&found.band, &levels, true);
        }
        if walk.is_some_and(|walk| self.is_whole(found.band[0], found.reduction, walk)) {
            return None;
        }
        let mut by_workgroups = false;
        let chunking = match walk {
            Some(Walk::Rows) => {
                if !levels.iter().all(|&l| self.leaves_room(l)) {
                    return None;
                }
                let shared = iterations.and_then(|rows| self.rows_by_workgroups(&levels, rows));
                by_workgroups = shared.is_some();
                match shared {
                    Some(chunking) => chunking,
                    None => self.chunking_of_rows(levels, &shape, iterations)?,
                }
            }
            Some(Walk::Columns) => {
                self.columns(found, &[found.reduction], iterations, shape.chunk)?
            }
            None if found.band.len() == 1 => self.chunking_of_few(found, &levels, iterations)?,
            None => return None,
        };
        Some(Choice {
            chunking,
            walk,
            by_workgroups,
            has_chunks_around: false,
        })
    }

    /// Whether a band has few iterations, which leave threads idle, even where elements are reused.
    fn are_few(&self, iterations: Option<i64>) -> bool {
        iterations.is_some_and(|n| n < self.options.reduction.groups)
    }

    /// Threads of a workgroup that combines the partial results of an iteration; `None` where one thread may do it.
    fn combining_threads(&self, chunking: &Chunking) -> Option<i64> {
        let parts = chunking.groups.filter(|&parts| parts >= MIN_SHARED)?;
        let threads = lanes(&self.options.reduction, Some(parts));
        self.combines_in_workgroup(&chunking.state, threads)
            .then_some(threads)
    }

    /// Finds the first reduction in a perfect nest of parallel loops.
    fn reduction_in_band(&mut self, root: ForOp) -> Option<Found> {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        let mut band = vec![root];
        loop {
            let last = *band.last()?;
            let ops = last.statements(body);
            let at = ops.iter().position(|&op| !is_repeatable(body, op))?;
            let op = ForOp::cast(body, ops[at])?;
            let after = &ops[at + 1..];
            if body[op.0].num_results() > 0 {
                let has_loops_after = after.iter().any(|&op| has_loop(body, op));
                return self.may_be_cut(&band, op).then_some(Found {
                    band,
                    reduction: op,
                    has_loops_after,
                });
            }
            let is_alike = |&v: &Value| !body.is_defined_in(v, root.0);
            let is_box = op.upper(ctx, body).operands.iter().all(is_alike);
            let extends = after.is_empty() && is_box && band.len() < MAX_BAND;
            if !extends || !verdict(&mut self.deps, op.0).is_parallel() {
                return None;
            }
            band.push(op);
        }
    }

    /// Whether a reduction can be cut: its iterations are independent but for the carried values,
    /// and the statements in front of it load nothing that it writes, so that they can be repeated
    /// behind it.
    fn may_be_cut(&mut self, band: &[ForOp], reduction: ForOp) -> bool {
        let body = self.deps.values.body;
        let accesses = accesses_below(&mut self.deps.values, reduction.0);
        let writes: Vec<Access> = (accesses.into_iter())
            .filter(|access| access.is_write)
            .collect();
        if writes.is_empty() {
            return true;
        }
        if writes.iter().any(|access| access.update.is_some())
            || conflict_in_memory(&mut self.deps, reduction.0).is_some()
        {
            return false;
        }
        band.iter().all(|l| {
            let block = l.block(body);
            let mut loads = Vec::new();
            for op in (body.ops(block)).take_while(|&op| is_repeatable(body, op)) {
                accesses_of(&mut self.deps.values, op, &mut loads);
            }
            let mut pairs = (loads.iter()).flat_map(|load| writes.iter().map(move |w| (load, w)));
            pairs.all(|(load, write)| {
                let dependence = self.deps.test(Scope::Block(block), load, write);
                dependence.is_independent()
            })
        })
    }

    /// Whether the bounds of a loop leave room in 64 bits for those of its lanes and vectors. A
    /// loop with a larger upper bound would never end.
    pub(super) fn leaves_room(&mut self, op: ForOp) -> bool {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        let values = &mut self.deps.values;
        let env = values.environment_at(op.0);
        let uppers = Interval {
            most: i64::MAX.into(),
            ..ROOM
        };
        let bounds = [(op.lower(ctx, body), ROOM), (op.upper(ctx, body), uppers)];
        bounds.iter().all(|(bound, room)| {
            let ends = values.map_exprs(op.0, bound.map, bound.operands);
            ends.into_iter().all(|end| {
                let interval = end.and_then(|end| values.interval(end, env));
                interval.is_some_and(|interval| interval.is_within(*room))
            })
        })
    }

    /// The direction in which a reduction streams, if it does. An access streams if it varies with
    /// each loop of the band and with the last loop that reduces; of few iterations, the last one
    /// is enough where no access varies with all.
    pub(super) fn walk(&mut self, band: &[ForOp], levels: &[ForOp], is_few: bool) -> Option<Walk> {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        let (root, last) = (levels.first()?, levels.last()?);
        let accesses = accesses_below(&mut self.deps.values, root.0);
        let mut strides = Vec::new();
        // A loop of one iteration has no direction.
        let is_loop = |l: &&ForOp| l.constant_trip_count(ctx, body) != Some(1);
        for l in band.iter().filter(is_loop).chain([last]) {
            let atom = Atom::Value(l.induction_var(body));
            let iv = self.deps.values.atom_number(atom);
            let step = l.step(ctx, body);
            let each = accesses.iter().map(|access| {
                let stride = stride(&self.deps, access, iv);
                stride.map_or(0, |s| s.saturating_mul(step).saturating_abs())
            });
            strides.push(each.collect::<Vec<i64>>());
        }
        let (of_last, of_band) = strides.split_last()?;
        let mut among = |may_share: bool| {
            let (mut rows, mut columns) = (0, 0);
            for access in 0..accesses.len() {
                let is_shared = of_band.iter().any(|s| s[access] == 0);
                if of_last[access] == 0
                    || is_shared && !may_share
                    || self.overlaps(band, root.0, &accesses[access])
                {
                    continue;
                }
                rows += usize::from(of_last[access] == 1);
                columns += usize::from(of_band.iter().any(|s| s[access] == 1));
            }
            match rows.cmp(&columns) {
                std::cmp::Ordering::Greater => Some(Walk::Rows),
                std::cmp::Ordering::Less => Some(Walk::Columns),
                std::cmp::Ordering::Equal => None,
            }
        };
        let own = among(false);
        own.or_else(|| is_few.then(|| among(true)).flatten())
    }

    /// Whether the windows that a reduction, with the loops in it, takes of an access overlap between iterations of the band.
    fn overlaps(&mut self, band: &[ForOp], reduction: OpId, access: &Access) -> bool {
        let body = self.deps.values.body;
        let mut movements = |loops: Vec<OpId>| -> Vec<Movement> {
            let all = loops.into_iter().flat_map(|op| counters(body, op));
            all.map(|counter| Movement::of(&mut self.deps.values, counter))
                .collect()
        };
        let of_band = movements(band.iter().map(|l| l.0).collect());
        let of_levels = movements(body.walk_op(reduction));
        let values = &self.deps.values;
        let is_shared = |&one: &Movement| {
            let mut others = of_levels.iter();
            others.any(|&other| overlaps(values, access, one, other))
        };
        of_band.iter().any(is_shared)
    }

    /// Plans chunks of a reduction in loops with fewer iterations than the target has threads, such as a product of matrices
    /// with few results: as many chunks as there are threads for.
    fn chunking_of_few(
        &mut self,
        found: &Found,
        levels: &[ForOp],
        iterations: Option<i64>,
    ) -> Option<Chunking> {
        let shape = &self.options.reduction;
        if !shape.shares || !self.has_reuse_or_work(found, levels) {
            return None;
        }
        let wanted = shape.groups * shape.lanes * CROWD / iterations?.max(1);
        let (steps, inner) = (self.steps(levels)?, self.steps(levels.get(1..)?)?.max(1));
        let span = (steps / inner / wanted.max(1)).max(MIN_SPAN_OF_FEW / inner);
        // Spans begin at vectors, and at the parts that tiles fetch together.
        let unit = (UNIT_OF_SPANS / inner).max(1);
        let span = (span.max(1) - 1) / unit * unit + unit;
        let (least, saves_enough) = match found.band.len() {
            1 => (2, true),
            _ => (
                LEAST_PARTS_OF_TILES,
                steps - span.saturating_mul(inner) >= MANY_STEPS,
            ),
        };
        if wanted < least || !saves_enough {
            return None;
        }
        self.columns(found, levels, iterations, span)
    }

    /// Whether chunks of a reduction keep what it gains from its nest: tiles of several loops reuse elements in each chunk,
    /// and with one loop it has to be limited by its arithmetic.
    fn has_reuse_or_work(&self, found: &Found, levels: &[ForOp]) -> bool {
        let body = self.deps.values.body;
        let Some(last) = levels.last() else {
            return false;
        };
        let statements: Vec<OpId> = body.ops(last.block(body)).collect();
        let is_straight = (statements.iter()).all(|&op| body[op].inline_regions().is_empty());
        let loads = statements.iter().filter(|&&op| is_load(body, op)).count();
        is_straight && (found.band.len() > 1 || statements.len() >= MIN_WORK_OF_A_LOAD * loads)
    }

    /// Whether a reduction across rows is better left whole, on targets that run a kernel on the CPU: all columns occupy
    /// the target, and the processor keeps the addresses of all pages that a thread comes by, so that chunks
    /// would only add launches.
    fn keeps_pages(&self, levels: &[ForOp], iterations: Option<i64>) -> bool {
        let shape = &self.options.reduction;
        let known = self.steps(levels).zip(iterations);
        known.is_some_and(|(rows, columns)| {
            let pages = rows.saturating_mul(columns) / ELEMENTS_OF_PAGE;
            let is_busy = columns >= shape.groups * CROWD;
            !shape.shares && is_busy && rows.min(pages) <= MOST_PAGES
        })
    }

    /// Plans chunks of a reduction in the loops `levels` across rows, each of all columns.
    fn columns(
        &mut self,
        found: &Found,
        levels: &[ForOp],
        iterations: Option<i64>,
        span: i64,
    ) -> Option<Chunking> {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        let op = found.reduction;
        let span = span.max(1);
        let trips = op.constant_trip_count(ctx, body);
        let trips = trips.map(|trips| i64::try_from(trips).unwrap_or(i64::MAX));
        let is_small = trips.is_some_and(|trips| trips < 2 * span);
        let root = found.band.first()?.0;
        let uppers = op.upper(ctx, body);
        let is_alike = (uppers.operands.iter()).all(|&v| !body.is_defined_in(v, root));
        let is_counted = is_alike
            && uppers.map.results(ctx).len() == 1
            && op.constant_lower(ctx, body) == Some(0);
        let is_open = trips.is_none() && !is_counted;
        if is_small
            || is_open
            || self.is_cheap(levels, iterations)
            || self.keeps_pages(levels, iterations)
            || !has_one_lower(ctx, body, op)
        {
            return None;
        }
        span.checked_mul(op.step(ctx, body))?;
        Some(Chunking {
            anchor: op.0,
            state: self.state_of(&[op])?,
            levels: vec![op],
            lanes: 1,
            vector: 1,
            span,
            groups: trips.map(|trips| (trips - 1) / span + 1),
            lead: None,
            has_remainder: false,
        })
    }
}

fn has_loop(body: &Body, op: OpId) -> bool {
    body.walk_op(op).iter().any(|&op| is_affine_loop(body, op))
}

/// The number of iterations of a band; `None` if it is not known.
fn iterations_of(ctx: &Context, body: &Body, band: &[ForOp]) -> Option<i64> {
    let trips = band.iter().map(|l| l.signed_trip_count(ctx, body));
    let trips: Vec<i64> = trips.collect::<Option<_>>()?;
    trips.iter().try_fold(1i64, |all, &n| all.checked_mul(n))
}

/// The trip counts of the loops of a band, whose lower bounds have to be constant and whose upper
/// bounds have to be known before it.
fn band_extents(ctx: &Context, body: &Body, band: &[ForOp]) -> Option<Vec<Extent>> {
    let root = band.first()?.0;
    let extent = |l: &ForOp| {
        let low = l.constant_lower(ctx, body)?;
        if let Some(trips) = l.constant_trip_count(ctx, body) {
            return Some(Extent::Constant(i64::try_from(trips).ok()?));
        }
        let upper = l.upper(ctx, body);
        let is_alike = upper.operands.iter().all(|&v| !body.is_defined_in(v, root));
        if !is_alike || upper.map.results(ctx).len() != 1 {
            return None;
        }
        if !(0..=MAX_UNUSED).contains(&low) {
            return None;
        }
        // The upper bound alone counts, since its difference from the lower one might wrap around.
        let mut inputs = Inputs::new(ctx);
        let end = inputs.import(upper, &IrMapping::new())[0];
        let trips = inputs.by(AffineOp::CeilDiv, end, l.step(ctx, body));
        Some(Extent::Count(inputs.finish(&[trips])))
    };
    band.iter().map(extent).collect()
}
