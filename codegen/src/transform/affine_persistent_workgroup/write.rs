//! Mechanism: rewrites a loop and its phases as bands.

use std::collections::HashMap;

use gridloom_dialects::affine::{Bound, ForOp, ParallelOp};
use gridloom_dialects::memref;
use gridloom_ir::affine::AffineOp;
use gridloom_ir::{AffineExpr, Body, Builder, Context, OpId, Value};

use super::Host;
use super::steps::Step;
use crate::analysis::counter::{Counter, counters};
use crate::analysis::work::most_trips;
use crate::analysis::workgroup_memory::{LEAST_LIMIT, element_bytes};
use crate::transform::affine_parallel_to_for::band_to_loops;
use crate::transform::affine_parallelize_reductions::chunk::Chunking;
use crate::transform::affine_parallelize_reductions::state::State;
use crate::transform::affine_parallelize_reductions::workgroups::{folded, open_where};
use crate::transform::element::{Element, can_be_kept};
use crate::transform::emit_loops::{bound, go_behind, open_band};

/// Threads along the inner one of two loops where the number of its iterations is open: those that run in lockstep.
const OPEN_ROW: i64 = 32;

/// Plan of a persistent workgroup.
pub(super) struct Workgroup {
    l: ForOp,
    lanes: i64,
    phases: Vec<Shares>,
    serial: Vec<OpId>,
    reductions: Vec<(ForOp, State)>,
    /// Allocations of the steps, and their deallocations.
    memory: [Vec<OpId>; 2],
    /// Whether each result of the loop is used.
    is_used: Vec<bool>,
}

/// Division of a phase: how many threads share each of its loops.
struct Shares {
    op: OpId,
    loops: Vec<(Counter, i64)>,
}

impl Workgroup {
    /// Plans the workgroup; `None` where the host needs a value of the loop that is not in memory.
    pub(super) fn of(host: &mut Host, l: ForOp, steps: Vec<Step>) -> Option<Self> {
        let (ctx, body) = (host.ctx(), host.body());
        let results: Vec<Value> = body[l.0].results().collect();
        let uses = host.deps.values.uses();
        let is_used: Vec<bool> = results.iter().map(|&v| !uses.of(v).is_empty()).collect();
        let mut kept = results.iter().zip(&is_used);
        if !kept.all(|(&v, &used)| !used || can_be_kept(ctx, body.ty(v))) {
            return None;
        }
        let mut plan = Workgroup {
            l,
            lanes: 1,
            phases: Vec::new(),
            serial: Vec::new(),
            reductions: Vec::new(),
            memory: [Vec::new(), Vec::new()],
            is_used,
        };
        let most = host.options.persistent.lanes.min(host.options.max_threads);
        plan.lanes = lanes_for(host, &steps, most)?;
        plan.collect(host, steps)?;
        (plan.lanes > 1 && plan.shared_bytes(ctx)? <= LEAST_LIMIT).then_some(plan)
    }

    /// Bytes of workgroup memory for partial results.
    fn shared_bytes(&self, ctx: &Context) -> Option<i64> {
        let types = self.reductions.iter().flat_map(|(_, state)| &state.types);
        let each: i64 = types.map(|&ty| element_bytes(ctx, ty)).sum();
        each.checked_mul(self.lanes + folded(self.lanes))
    }

    fn collect(&mut self, host: &mut Host, steps: Vec<Step>) -> Option<()> {
        let body = host.body();
        for step in steps {
            match step {
                Step::Uniform(op) => match body[op].name {
                    memref::ALLOC | memref::ALLOCA => self.memory[0].push(op),
                    memref::DEALLOC => self.memory[1].push(op),
                    _ => {}
                },
                Step::Serial(op) => self.serial.push(op),
                Step::Reduction(l, state) => self.reductions.push((l, state)),
                Step::Nest(_, steps) => self.collect(host, steps)?,
                Step::Phase(phase) => {
                    let (op, loops) = (phase.op, self.threads_of(host, &phase.shared));
                    self.phases.push(Shares { op, loops });
                }
            }
        }
        Some(())
    }

    /// The threads that share each loop of a phase, innermost first: as many as it has iterations, and for the outermost one
    /// the remaining factor.
    fn threads_of(&self, host: &mut Host, shared: &[Counter]) -> Vec<(Counter, i64)> {
        let mut left = self.lanes;
        let loops = shared.iter().enumerate().rev();
        let loops = loops.map(|(k, &counter)| {
            let threads = match k {
                0 => left,
                _ => match most_trips(&mut host.deps.values, counter) {
                    Some(trips) => power_of_two_for(trips, left),
                    None => left.min(OPEN_ROW),
                },
            };
            left /= threads;
            (counter, threads)
        });
        loops.collect()
    }

    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        for (l, state) in &self.reductions {
            Chunking::by_one_workgroup(*l, state.clone(), self.lanes).apply(ctx, body);
        }
        for &op in &self.serial {
            run_by_first(ctx, body, op, self.lanes);
        }
        for phase in &self.phases {
            phase.apply(ctx, body, self.lanes);
        }
        self.wrap(ctx, body);
    }

    /// Wraps the loop in a band of one iteration, moves its allocations in front, and passes used
    /// results through memory.
    fn wrap(&self, ctx: &Context, body: &mut Body) {
        let results: Vec<Value> = body[self.l.0].results().collect();
        let used: Vec<Value> = (results.into_iter().zip(&self.is_used))
            .filter_map(|(v, &used)| used.then_some(v))
            .collect();
        let mut b = Builder::before(ctx, body, self.l.0);
        b.loc = b.body[self.l.0].loc;
        let cells: Vec<Element> = (used.iter())
            .map(|&v| {
                let ty = ctx.memref_type(&[], b.body.ty(v));
                Element::only(ctx, memref::AllocaOp::create(&mut b, ty, &[]))
            })
            .collect();
        let band = ParallelOp::create(&mut b, Bound::constant(ctx, 1));
        let Some(end) = body[band.block(body)].last() else {
            return;
        };
        let [allocs, frees] = &self.memory;
        for &alloc in allocs {
            body.detach(alloc);
            body.insert_before(band.0, alloc);
        }
        let mut b = Builder::before(ctx, body, band.0);
        go_behind(&mut b, band.0);
        let held: HashMap<Value, Value> = (used.iter().zip(&cells))
            .map(|(&v, cell)| (v, cell.load(&mut b)))
            .collect();
        for &free in frees.iter().rev() {
            body.detach(free);
            body.insert_after(band.0, free);
        }
        body.replace_values(|v| held.get(&v).copied().unwrap_or(v));
        body.detach(self.l.0);
        body.insert_before(end, self.l.0);
        let mut b = Builder::before(ctx, body, end);
        for (cell, &v) in cells.iter().zip(&used) {
            cell.store(&mut b, v);
        }
    }
}

impl Shares {
    /// Divides the loops of a phase among threads.
    fn apply(&self, ctx: &Context, body: &mut Body, lanes: i64) {
        let mut loops: Vec<(ForOp, i64)> = Vec::new();
        let mut made: HashMap<OpId, Vec<ForOp>> = HashMap::new();
        for &(counter, threads) in &self.loops {
            let own = match ForOp::cast(body, counter.op) {
                Some(l) => Some(l),
                None => {
                    let made = made.entry(counter.op).or_insert_with(|| {
                        band_to_loops(ctx, body, ParallelOp(counter.op)).unwrap_or_default()
                    });
                    made.get(counter.position()).copied()
                }
            };
            loops.extend(own.map(|l| (l, threads)));
        }
        let top = match made.get(&self.op).and_then(|made| made.first()) {
            Some(first) => first.0,
            None => self.op,
        };
        let thread = open_phase(ctx, body, top, lanes);
        // The innermost loop first: neighbouring threads go along it.
        let (mut place, mut left) = (ctx.affine_dim(0), lanes);
        for (l, threads) in loops {
            let own = match threads == left {
                true => place,
                false => ctx.affine_binary(AffineOp::Mod, place, ctx.affine_const(threads)),
            };
            share(ctx, body, l, threads, (own, thread));
            place = ctx.affine_binary(AffineOp::FloorDiv, place, ctx.affine_const(threads));
            left /= threads;
        }
    }
}

/// Rewrites a loop so that a thread runs every `threads`-th iteration, starting at the one of its
/// place.
fn share(ctx: &Context, body: &mut Body, l: ForOp, threads: i64, place: (AffineExpr, Value)) {
    let (own, thread) = place;
    let step = l.step(ctx, body);
    let lower = l.lower(ctx, body);
    let (dims, symbols) = (
        lower.map.num_dims(ctx),
        lower.operands.len() - lower.map.num_dims(ctx),
    );
    let distance = own.replace(ctx, &[ctx.affine_dim(dims as u32)], &[]);
    let distance = ctx.affine_mul(distance, ctx.affine_const(step));
    let results: Vec<AffineExpr> = (lower.map.results(ctx).iter())
        .map(|&result| ctx.affine_add(result, distance))
        .collect();
    let mut operands = lower.operands.to_vec();
    operands.insert(dims, thread);
    let map = ctx.affine_map(dims as u32 + 1, symbols as u32, &results);
    l.set_lower(ctx, body, bound(&(map, operands)));
    l.set_step(ctx, body, step * threads);
}

/// Wraps an operation in a band of the workgroup's threads. Returns the thread's number.
fn open_phase(ctx: &Context, body: &mut Body, op: OpId, lanes: i64) -> Value {
    let mut b = Builder::before(ctx, body, op);
    b.loc = b.body[op].loc;
    let (band, thread) = open_band(&mut b, Bound::constant(ctx, lanes));
    body.detach(op);
    body.prepend(band.block(body), op);
    thread
}

/// Wraps a statement in a band whose first thread alone runs it.
fn run_by_first(ctx: &Context, body: &mut Body, op: OpId, lanes: i64) {
    let mut b = Builder::before(ctx, body, op);
    b.loc = b.body[op].loc;
    let (_, thread) = open_band(&mut b, Bound::constant(ctx, lanes));
    let first = ctx.affine_mul(ctx.affine_dim(0), ctx.affine_const(-1));
    open_where(&mut b, first, thread);
    b.body.detach(op);
    b.insert(op);
}

/// Number of threads: that of the phase with the most iterations, but no more than `most`.
fn lanes_for(host: &mut Host, steps: &[Step], most: i64) -> Option<i64> {
    let mut lanes = 1;
    for step in steps {
        let wanted = match step {
            Step::Phase(phase) => {
                let mut all = 1.0;
                for &counter in &phase.shared {
                    all *= most_trips(&mut host.deps.values, counter).unwrap_or(f64::INFINITY);
                }
                power_of_two_for(all, most)
            }
            Step::Reduction(l, _) => {
                let counter = counters(host.body(), l.0).next()?;
                let trips = most_trips(&mut host.deps.values, counter).unwrap_or(f64::INFINITY);
                power_of_two_for(trips, most)
            }
            Step::Nest(_, steps) => lanes_for(host, steps, most)?,
            _ => 1,
        };
        lanes = lanes.max(wanted);
    }
    Some(lanes)
}

/// The least power of two that is at least `iterations`, but no more than `most`, which is at least
/// 1.
fn power_of_two_for(iterations: f64, most: i64) -> i64 {
    let mut size = 1;
    while (size as f64) < iterations && size * 2 <= most {
        size *= 2;
    }
    size
}
