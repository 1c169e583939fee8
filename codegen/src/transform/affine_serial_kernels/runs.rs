//! Runs: consecutive statements between kernels that become a band of one iteration.
//!
//! Consecutive statements that access memory, or compute with loaded values, move into the band at
//! the place of the last one; index computations, allocations and deallocations stay outside. A
//! value that a kernel or a later run uses is stored in a cell at the end of the band and loaded
//! before its use.

use std::collections::{HashMap, HashSet};

use gridloom_dialects::affine::{self, Bound, ForOp, ParallelOp};
use gridloom_dialects::{memref, scf};
use gridloom_ir::body::Uses;
use gridloom_ir::op::Traits;
use gridloom_ir::{BlockId, Body, Builder, Context, OpId, Value};

use super::{Host, Memory, is_access, is_pure, is_structure};
use crate::analysis::eligible::obstacle;
use crate::analysis::load_store::is_store;
use crate::analysis::parallel::verdict;
use crate::transform::element::{can_be_kept, cell, outermost};

/// Run: statements to be moved into one band.
pub(super) struct Run {
    statements: Vec<OpId>,
    /// Deallocations between the statements.
    frees: Vec<OpId>,
    escapes: Vec<Escape>,
    /// The outermost enclosing loop, if there is one.
    outermost: Option<OpId>,
}

/// Escaping value: a value of the run that is used outside of it.
struct Escape {
    value: Value,
    /// Users of the value, each with the operation in front of which it is loaded.
    users: Vec<(OpId, OpId)>,
}

/// Limit of the loop iterations in a run, for loops of constant length.
const MAX_ITERATIONS: u64 = 1 << 14;

/// Estimated operations of an iteration of a recurrence.
const OPERATIONS: f64 = 10.0;

/// Cost of waiting for the device and moving data to the host and back, in launches.
const LAUNCHES: f64 = 20.0;

/// Plans the runs in blocks of a host loop, those of inner loops excepted.
pub(super) fn runs_of(host: &mut Host, uses: &Uses, l: ForOp, mut memory: Memory) -> Vec<Run> {
    let body = host.body();
    let mut found = Vec::new();
    let mut blocks = vec![l.block(body)];
    while let Some(block) = blocks.pop() {
        for op in body.ops(block) {
            let is_plain = is_structure(body, op) && ForOp::cast(body, op).is_none();
            if is_plain && host.kernels_in(op).next().is_some() {
                blocks.extend(body.blocks_of(op));
            }
        }
        found.extend(runs_in(host, uses, block, &mut memory));
    }
    found
}

/// Plans the runs of a block of a host loop, in order.
fn runs_in(host: &mut Host, uses: &Uses, block: BlockId, memory: &mut Memory) -> Vec<Run> {
    let rows = rows_of(host, block);
    let mut tied: Vec<bool> = vec![false; rows.len()];
    // The memory that one run accesses may make others depend on it.
    while let Some(next) = (0..rows.len()).find(|&k| !tied[k] && is_tied(host, &rows[k], memory)) {
        tied[next] = true;
        for &op in &rows[next] {
            memory.extend_by(host, op);
        }
    }
    let kept = (0..rows.len()).filter(|&k| tied[k]).collect();
    plan_runs(host, uses, block, &rows, kept)
}

/// Plans the runs of a function's block that are recurrences between kernels: with a loop, and
/// dependent on kernels before and after, so that data would travel to the host and back.
pub(super) fn runs_between(host: &mut Host, uses: &Uses, block: BlockId) -> Vec<Run> {
    let body = host.body();
    let mut kernels: Vec<(OpId, Memory)> = Vec::new();
    for op in body.ops(block) {
        let below = body.walk_op(op);
        if below.iter().any(|op| host.kernels.contains(op)) {
            let Some(memory) = host.touched(op) else {
                return Vec::new();
            };
            kernels.push((op, memory));
        }
    }
    let number: HashMap<OpId, usize> = (body.ops(block).enumerate())
        .map(|(place, op)| (op, place))
        .collect();
    let rows = rows_of(host, block);
    let is_kept = |host: &mut Host, row: &Vec<OpId>| {
        let Some(&first) = row.first() else {
            return false;
        };
        let is_before = |kernel: &OpId| number.get(kernel) < number.get(&first);
        let (before, after): (Vec<_>, Vec<_>) =
            kernels.iter().partition(|(kernel, _)| is_before(kernel));
        let mut sides = [before, after].into_iter();
        let is_tied = sides.all(|side| {
            let mut side = side.into_iter();
            side.any(|(_, memory)| is_tied(host, row, memory))
        });
        is_tied && is_short_recurrence(host, row)
    };
    let kept = (0..rows.len()).filter(|&k| is_kept(host, &rows[k]));
    let kept: Vec<usize> = kept.collect();
    plan_runs(host, uses, block, &rows, kept)
}

/// Whether statements contain a loop, and a single device thread takes less extra time for them
/// than the host would wait for kernels and data.
fn is_short_recurrence(host: &Host, row: &[OpId]) -> bool {
    let (ctx, body) = (host.deps.values.ctx, host.body());
    let loops = row.iter().filter_map(|&op| ForOp::cast(body, op));
    let mut iterations = 0u64;
    for l in loops {
        let below = body.walk_op(l.0).into_iter();
        let mut trips = below
            .filter_map(|op| ForOp::cast(body, op))
            .map(|l| l.constant_trip_count(ctx, body));
        let Some(all) = trips.try_fold(1u64, |all, trips| all.checked_mul(trips?)) else {
            return false;
        };
        iterations = iterations.saturating_add(all);
    }
    let slowdown = (host.options.persistent.slowness() - 1.0).max(0.0);
    let lost = iterations as f64 * OPERATIONS * slowdown;
    let saved = host.options.launch_cost.launch as f64 * LAUNCHES;
    (1..=MAX_ITERATIONS).contains(&iterations) && lost <= saved
}

/// The sequences of consecutive statements of a block that one thread can run.
fn rows_of(host: &mut Host, block: BlockId) -> Vec<Vec<OpId>> {
    let body = host.body();
    let mut rows: Vec<Vec<OpId>> = vec![Vec::new()];
    for op in body.ops(block) {
        let is_outside = matches!(
            body[op].name,
            memref::ALLOC | memref::ALLOCA | memref::DEALLOC
        );
        match is_outside || is_serial(host, op) {
            true => rows.last_mut().into_iter().for_each(|row| row.push(op)),
            false => rows.push(Vec::new()),
        }
    }
    rows.iter().map(|row| statements(body, row)).collect()
}

/// Plans the runs for some of a block's sequences, in order.
fn plan_runs(
    host: &mut Host,
    uses: &Uses,
    block: BlockId,
    rows: &[Vec<OpId>],
    mut kept: Vec<usize>,
) -> Vec<Run> {
    // A run that stays on the host needs its operands there.
    loop {
        let inside: HashMap<OpId, usize> = (kept.iter())
            .flat_map(|&k| rows[k].iter().map(move |&op| (op, k)))
            .collect();
        let planned: Vec<Option<Run>> = (kept.iter())
            .map(|&k| plan_run(host, uses, block, &rows[k], (&inside, k)))
            .collect();
        if planned.iter().all(Option::is_some) {
            return planned.into_iter().flatten().collect();
        }
        let stays = kept.iter().zip(&planned);
        kept = stays
            .filter(|(_, run)| run.is_some())
            .map(|(&k, _)| k)
            .collect();
    }
}

impl Memory {
    fn extend_by(&mut self, host: &mut Host, op: OpId) {
        if let Some(touched) = host.touched(op) {
            self.add(&touched);
        }
    }
}

fn is_tied(host: &mut Host, row: &[OpId], memory: &Memory) -> bool {
    let mut touched = Memory::default();
    row.iter().for_each(|&op| touched.extend_by(host, op));
    memory.conflicts_with(&touched)
}

/// Whether one thread of a kernel can run an operation, in a time that a launch is worth.
fn is_serial(host: &mut Host, root: OpId) -> bool {
    let (ctx, body) = (host.deps.values.ctx, host.body());
    if host.kernels.contains(&root) || body[root].name.has(Traits::TERMINATOR) {
        return false;
    }
    let is_plain = |op: OpId| {
        let ends = body[op].name.has(Traits::TERMINATOR) && op != root;
        is_access(body, op) || is_pure(body, op) || is_structure(body, op) || ends
    };
    let below = body.walk_op(root);
    if !below.iter().all(|&op| is_plain(op)) {
        return false;
    }
    let loops: Vec<OpId> = below
        .iter()
        .copied()
        .filter(|&op| is_loop(body, op))
        .collect();
    let mut trips = loops
        .iter()
        .map(|&op| ForOp::cast(body, op)?.constant_trip_count(ctx, body));
    let product = trips.try_fold(1u64, |all, trips| all.checked_mul(trips?.max(1)));
    let is_short = loops.len() < 2 || product.is_some_and(|product| product <= MAX_ITERATIONS);
    let target = host.options.target.as_ref();
    // A parallel loop is a kernel by itself.
    is_short
        && !below.iter().any(|op| host.kernels.contains(op))
        && (is_pure(body, root) || obstacle(ctx, body, root, target).is_none())
}

fn is_loop(body: &Body, op: OpId) -> bool {
    is_structure(body, op) && !matches!(body[op].name, affine::IF | scf::IF)
}

/// The statements of a sequence that access memory or depend on loaded values.
fn statements(body: &Body, row: &[OpId]) -> Vec<OpId> {
    let mut chosen: Vec<OpId> = Vec::new();
    let mut made: HashSet<Value> = HashSet::new();
    for &op in row {
        let frees = body[op].name == memref::DEALLOC;
        let below = body.walk_op(op);
        let accesses = below.iter().any(|&op| is_access(body, op));
        let mut operands = below.iter().flat_map(|&op| &body[op].operands);
        if frees || accesses || operands.any(|operand| made.contains(operand)) {
            made.extend(body[op].results());
            chosen.push(op);
        }
    }
    chosen
}

/// Plans the run of a sequence of statements; `None` if the host needs one of their values.
fn plan_run(
    host: &mut Host,
    uses: &Uses,
    block: BlockId,
    row: &[OpId],
    (inside, number): (&HashMap<OpId, usize>, usize),
) -> Option<Run> {
    let (ctx, body) = (host.deps.values.ctx, host.body());
    let is_free = |&op: &OpId| body[op].name == memref::DEALLOC;
    let (frees, statements): (Vec<OpId>, Vec<OpId>) = row.iter().copied().partition(is_free);
    let is_allocation = |&op: &OpId| matches!(body[op].name, memref::ALLOC | memref::ALLOCA);
    if statements.iter().any(is_allocation) {
        return None;
    }
    let around = body.block_parent_op(block);
    let outermost = around.map(|around| outermost(body, around));
    let mut escapes = Vec::new();
    for value in statements.iter().flat_map(|&op| body[op].results()) {
        let mut users = Vec::new();
        for used in uses.of(value) {
            let top = body.ancestor_in_block(used.op, block)?;
            if inside.get(&top) == Some(&number) {
                continue;
            }
            let is_device =
                inside.contains_key(&top) || host.kernels.contains(&top) && top != used.op;
            if !is_device || !can_be_kept(ctx, body.ty(value)) {
                return None;
            }
            let place = match top == used.op {
                true => top,
                false => place_of_load(host, top, used.op),
            };
            users.push((used.op, place));
        }
        users.dedup();
        if !users.is_empty() {
            escapes.push(Escape { value, users });
        }
    }
    let mut below = statements.iter().flat_map(|&op| body.walk_op(op));
    (!escapes.is_empty() || below.any(|op| is_store(body, op))).then_some(Run {
        outermost,
        statements,
        frees,
        escapes,
    })
}

/// The place to load a value for its use: in front of the use, but outside of sequential loops
/// around it.
fn place_of_load(host: &mut Host, top: OpId, user: OpId) -> OpId {
    let body = host.body();
    let mut place = user;
    for around in body.ancestors(user) {
        if around == top || verdict(&mut host.deps, around).is_parallel() {
            break;
        }
        place = around;
    }
    place
}

impl Run {
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        let (Some(&first), Some(&last)) = (self.statements.first(), self.statements.last()) else {
            return;
        };
        let mut b = Builder::before(ctx, body, last);
        b.loc = b.body[first].loc;
        let band = ParallelOp::create(&mut b, Bound::constant(ctx, 1));
        let Some(end) = body[band.block(body)].last() else {
            return;
        };
        for &statement in &self.statements {
            body.detach(statement);
            body.insert_before(end, statement);
        }
        for &free in self.frees.iter().rev() {
            body.detach(free);
            body.insert_after(band.0, free);
        }
        for Escape { value, users } in &self.escapes {
            let cell = cell(ctx, body, self.outermost.unwrap_or(band.0), body.ty(*value));
            cell.store(&mut Builder::before(ctx, body, end), *value);
            let mut loaded: HashMap<OpId, Value> = HashMap::new();
            for &(user, place) in users {
                let held = *loaded
                    .entry(place)
                    .or_insert_with(|| cell.load(&mut Builder::before(ctx, body, place)));
                for operand in &mut body[user].operands {
                    if operand == value {
                        *operand = held;
                    }
                }
            }
        }
    }
}
