//! `convert-parallel-loops-to-gpu`: maps parallel `scf` loops with non-affine bounds to kernels.
//!
//! ```text
//! scf.parallel (%k, %j) = (%c0, %c0)          %tk = …, %tj = …   // iterations of each counter
//!     to (%n, %half) step (%m, %c1) {         scf.if %tk * %tj > 0 {
//!   S(%k, %j)                                   gpu.launch blocks(…) in (ceil(%tk * %tj / 64), 1, 1)
//! }                                    ⇒            threads(…) in (64, 1, 1) {
//!                                                 %t = %block * 64 + %thread
//!                                                 scf.if %t < %tk * %tj {
//!                                                   S(%t / %tj * %m, %t mod %tj)
//! ```
//!
//! `raise-to-affine` has made affine loops of all others by then, which `affine-map-to-gpu` plans better:
//! here each thread runs one iteration, adjacent ones those of the last counter. Where workgroups are costly and more
//! than [`OffloadOptions::most_workgroups`] would run, a thread runs one in each of several rounds, which its workgroup
//! has one after the other. Parallel loops inside are loops of a thread.
//!
//! Legal for `scf.parallel` and `scf.forall`, which declare that iterations may run in any order, where
//! no kernel or parallel loop is around them, they give no results, and kernels have all of their
//! operations; a remark names what kernels do not have.

use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate, constant_int};
use gridloom_dialects::gpu::{self, LaunchOp, LaunchSizes, terminate};
use gridloom_dialects::{cf, inherent, scf};
use gridloom_ir::diag::Severity;
use gridloom_ir::{
    BlockId, Body, Builder, Context, Diagnostic, Diagnostics, InsertPoint, Module, OpId, OpName,
    Value,
};

use super::gpu_serialize_loops::{forall_counters, parallel_counters, serialize_loops};
use super::plans::joined;
use crate::analysis::alias::Globals;
use crate::analysis::eligible::obstacle_but;
use crate::target::OffloadOptions;
use crate::versions::change_functions;

/// Inner loops that a thread runs sequentially, with their terminators.
const SERIALIZED: [OpName; 4] = [
    scf::PARALLEL,
    scf::FORALL,
    scf::REDUCE,
    scf::FORALL_IN_PARALLEL,
];

/// Converts the parallel loops of a module's host functions that are not affine to kernels. Returns
/// whether there were any, and remarks on those that become kernels and on those that stay.
pub fn convert_parallel_loops(
    ctx: &Context,
    module: &mut Module,
    options: &OffloadOptions,
) -> (bool, Diagnostics) {
    let is_meant = |name: OpName| matches!(name, scf::PARALLEL | scf::FORALL);
    let holds_loops = |body: &Body| body.may_hold_any(is_meant);
    if !module
        .ops()
        .any(|(_, op)| op.isolated().is_some_and(holds_loops))
    {
        return (false, Diagnostics::new());
    }
    let globals = Globals::of(ctx, module);
    let found = change_functions(ctx, module, &globals, |body| {
        let mut remarks = Diagnostics::new();
        let loops = outermost_loops(body);
        let mut changed = false;
        let mut stack: Vec<OpId> = loops.into_iter().rev().collect();
        while let Some(op) = stack.pop() {
            if let Some(remark) = why_not(ctx, body, op, options) {
                remarks.push(remark);
                stack.extend(loops_below(body, op).into_iter().rev());
            } else if convert(ctx, body.edit(), op, options).is_some() {
                let message = match options.most_workgroups {
                    None => "this loop becomes a kernel: each thread runs one of its iterations",
                    Some(_) => {
                        "this loop becomes a kernel: each thread runs one or more of its iterations"
                    }
                };
                remarks.push(Diagnostic::remark(body[op].loc, message));
                body.edit().erase(op);
                changed = true;
            }
        }
        if changed {
            serialize_loops(ctx, body.edit());
        }
        (false, (changed, remarks))
    });
    joined(found)
}

/// Remark on a loop that cannot become a kernel.
fn why_not(ctx: &Context, body: &Body, op: OpId, options: &OffloadOptions) -> Option<Diagnostic> {
    let loc = body[op].loc;
    let start = "this loop nest runs on the host";
    if body[op].num_results() > 0 {
        let message = format!(
            "{start}: it has results, which are reductions or tensors, and its bounds \
                 are not affine"
        );
        return Some(Diagnostic::remark(loc, message));
    }
    let obstacle = obstacle_but(ctx, body, op, options.target.as_ref(), &SERIALIZED)?;
    let severity = match obstacle.is_unsupported && options.require_device {
        true => Severity::Error,
        false => Severity::Remark,
    };
    let message = format!("{start}: it has {}", obstacle.what);
    Some(Diagnostic::new(severity, loc, message).with_note(obstacle.loc, "here"))
}

fn is_loop(body: &Body, op: OpId) -> bool {
    matches!(body[op].name, scf::PARALLEL | scf::FORALL)
}

/// The parallel loops of `scf` with no kernel or parallel loop around them.
fn outermost_loops(body: &Body) -> Vec<OpId> {
    let all = body.walk().into_iter().filter(|&op| is_loop(body, op));
    let is_outermost = |&op: &OpId| {
        let mut around = body.ancestors(op);
        around.all(|op| !is_loop(body, op) && body[op].name != gpu::LAUNCH)
    };
    all.filter(is_outermost).collect()
}

/// The closest parallel loops inside of an operation.
fn loops_below(body: &Body, root: OpId) -> Vec<OpId> {
    let below = body.walk_op(root).into_iter();
    let is_next = |&op: &OpId| {
        let mut around = body.ancestors(op);
        op != root && is_loop(body, op) && around.find(|&op| is_loop(body, op)) == Some(root)
    };
    below.filter(is_next).collect()
}

/// Moves the iterations of a loop into a launch in front of it. `None` for a loop without counters.
fn convert(ctx: &Context, body: &mut Body, op: OpId, options: &OffloadOptions) -> Option<()> {
    let counters = match body[op].name {
        scf::PARALLEL => parallel_counters(ctx, body, op).0,
        _ => forall_counters(ctx, body, op)?,
    };
    let old = body.region_block(op, 0).filter(|_| !counters.is_empty())?;
    let arguments = body[old].args.get(..counters.len())?.to_vec();
    let mut b = Builder::before(ctx, body, op);
    let trips: Vec<Value> = counters
        .iter()
        .map(|&counter| trip_count(&mut b, counter))
        .collect();
    let total = { trips.iter().copied() }.reduce(|x, y| b.binary(arith::MULI, x, y))?;
    let zero = b.index_constant(0);
    enter_if(&mut b, CmpIPredicate::Sgt, total, zero);
    let one = b.index_constant(1);
    let size = b.index_constant(options.workgroup[0][0].min(options.max_threads));
    let mut groups = b.binary(arith::CEILDIVSI, total, size);
    let rounds = options.most_workgroups.map(|most| {
        let most = b.index_constant(most);
        let rounds = b.binary(arith::CEILDIVSI, groups, most);
        groups = b.binary(arith::CEILDIVSI, groups, rounds);
        rounds
    });
    let sizes = LaunchSizes {
        grid: [groups, one, one],
        block: [size, one, one],
    };
    let launch = LaunchOp::create(&mut b, sizes);
    let block = launch.block(b.body);
    terminate(&mut b, block);
    b.set(InsertPoint::Start(block));
    let ids = launch.args(b.body);
    let in_round = (ids.block_dim[0], ids.thread_id[0]);
    let iteration = match rounds {
        None => arith::linearize(&mut b, ids.block_id[0], &[in_round]),
        Some(rounds) => {
            let round = enter_loop(&mut b, rounds);
            arith::linearize(&mut b, ids.block_id[0], &[(rounds, round), in_round])
        }
    };
    let inside = enter_if(&mut b, CmpIPredicate::Slt, iteration, total);
    let mut rest = iteration;
    let mut values = Vec::new();
    for (at, ([lower, _, step], &trips)) in counters.iter().zip(&trips).enumerate().rev() {
        let digit = match at {
            0 => rest,
            _ => b.binary(arith::REMUI, rest, trips),
        };
        if at > 0 {
            rest = b.binary(arith::DIVUI, rest, trips);
        }
        let distance = b.binary(arith::MULI, digit, *step);
        values.push(b.binary(arith::ADDI, *lower, distance));
    }
    values.reverse();
    let end = b.body[inside].last();
    b.body.move_statements(old, inside, end);
    for (old, new) in arguments.into_iter().zip(values) {
        body.replace_uses(old, new);
    }
    Some(())
}

/// Emits the trip count of a counter: `max(0, ceil((upper - lower) / step))`. A step that is not a positive constant
/// is asserted to be positive, as the loop demands.
fn trip_count(b: &mut Builder, [lower, upper, step]: [Value; 3]) -> Value {
    if constant_int(b.ctx, b.body, step).is_none_or(|step| step <= 0) {
        let zero = b.index_constant(0);
        let is_positive = CmpIOp::create(b, CmpIPredicate::Sgt, step, zero);
        let message = b.ctx.string_attr("the loop step is not positive");
        let assertion = b.state(cf::ASSERT).operands(&[is_positive]);
        b.create(assertion.property(b.ctx, inherent::MSG, message));
    }
    let distance = b.binary(arith::SUBI, upper, lower);
    let trips = b.binary(arith::CEILDIVSI, distance, step);
    let zero = b.index_constant(0);
    b.binary(arith::MAXSI, trips, zero)
}

/// Moves into an `scf.for` of so many rounds. Returns its counter.
fn enter_loop(b: &mut Builder, rounds: Value) -> Value {
    let [zero, one] = [0, 1].map(|number| b.index_constant(number));
    let op = scf::ForOp::create(b, zero, rounds, one, &[]);
    let block = op.block(b.body);
    scf::yield_values(b, block, &[]);
    b.set(InsertPoint::Start(block));
    op.induction_var(b.body)
}

/// Moves into an `scf.if` on a comparison. Returns its block.
fn enter_if(b: &mut Builder, predicate: CmpIPredicate, left: Value, right: Value) -> BlockId {
    let condition = CmpIOp::create(b, predicate, left, right);
    let op = scf::IfOp::create(b, condition, &[], false);
    let block = op.then_block(b.body);
    scf::yield_values(b, block, &[]);
    b.set(InsertPoint::Start(block));
    block
}
