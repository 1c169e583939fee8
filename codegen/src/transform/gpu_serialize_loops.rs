//! `gpu-serialize-loops`: turns parallel loops inside of kernels into sequential loops of a thread.
//!
//! ```text
//! gpu.func @k(…) kernel {                        gpu.func @k(…) kernel {
//!   %s = scf.parallel (%j) = (%c0) to (%n)         %s = scf.for %j = %c0 to %n step %c1
//!       step (%c1) init (%z) -> f32 {                  iter_args(%l = %z) -> f32 {
//!     scf.reduce(%v : f32) {                   ⇒     %q = arith.addf %l, %v
//!     ^bb0(%l: f32, %r: f32):                        scf.yield %q
//!       %q = arith.addf %l, %r                     }
//!       scf.reduce.return %q
//! ```
//!
//! Such kernels have a grid chosen by the program, and each thread runs the whole loop. Always
//! legal: the iterations of `scf.parallel`, `scf.forall` and `affine.parallel` may run in any
//! order, so also in that of the counters. A loop of no dimension, and an `affine.parallel` that
//! reduces in a way without a neutral element, stay.

use gridloom_dialects::{gpu, inherent, scf};
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{BlockId, Body, Builder, Context, InsertPoint, OpId, Value};

use super::affine_parallel_to_for::parallel_to_for;
use super::kernels::is_kernel;

/// Serializes the parallel loops of a kernel, or of the launches of a function. Returns whether
/// there were any.
pub fn serialize_loops(ctx: &Context, body: &mut Body) -> bool {
    if is_kernel(body) {
        let ops = body.walk();
        return serialize_all(ctx, body, &ops) | parallel_to_for(ctx, body, None);
    }
    let mut changed = false;
    for launch in body.walk_named(|name| name == gpu::LAUNCH) {
        let ops = body.walk_op(launch);
        changed |= serialize_all(ctx, body, &ops) | parallel_to_for(ctx, body, Some(launch));
    }
    changed
}

/// Serializes the `scf` loops among `ops`, inner ones first, so that a loop is moved when it is
/// serialized.
pub(super) fn serialize_all(ctx: &Context, body: &mut Body, ops: &[OpId]) -> bool {
    let mut changed = false;
    for &op in ops.iter().rev() {
        if matches!(body[op].name, scf::PARALLEL | scf::FORALL) {
            changed |= serialize(ctx, body, op).is_some();
        }
    }
    changed
}

fn serialize(ctx: &Context, body: &mut Body, op: OpId) -> Option<()> {
    let (counters, inits) = match body[op].name {
        scf::PARALLEL => parallel_counters(ctx, body, op),
        _ => (forall_counters(ctx, body, op)?, Vec::new()),
    };
    let old = body.region_block(op, 0)?;
    // A `forall` has tensor results only, which have no memory.
    if counters.is_empty() || body[op].num_results() != inits.len() {
        return None;
    }
    let mut b = Builder::before(ctx, body, op);
    let mut carried = inits;
    let mut loops: Vec<scf::ForOp> = Vec::new();
    for [lower, upper, step] in counters {
        let band = scf::ForOp::create(&mut b, lower, upper, step, &carried);
        carried = band.iter_args(b.body).to_vec();
        b.set(InsertPoint::End(band.block(b.body)));
        loops.push(band);
    }
    let (&outer, &inner) = (loops.first()?, loops.last()?);
    for pair in loops.windows(2) {
        let results: Vec<Value> = b.body[pair[1].0].results().collect();
        let block = pair[0].block(b.body);
        scf::yield_values(&mut b, block, &results);
    }
    move_iteration(&mut b, old, inner, &carried);
    let counters = loops.iter().map(|band| band.induction_var(body));
    let counters: Vec<Value> = counters.collect();
    let arguments = body[old].args.to_vec();
    for (old, new) in arguments.into_iter().zip(counters) {
        body.replace_uses(old, new);
    }
    let results: Vec<Value> = body[op].results().collect();
    let new: Vec<Value> = body[outer.0].results().collect();
    for (old, new) in results.into_iter().zip(new) {
        body.replace_uses(old, new);
    }
    body.erase(op);
    Some(())
}

/// The bounds and the step of each counter, and the initial values of the reductions.
pub(super) fn parallel_counters(
    ctx: &Context,
    body: &Body,
    op: OpId,
) -> (Vec<[Value; 3]>, Vec<Value>) {
    let band = scf::ParallelOp(op);
    let bounds = band.lower(ctx, body).iter().zip(band.upper(ctx, body));
    let counters = bounds.zip(band.steps(ctx, body));
    let counters = counters.map(|((&lower, &upper), &step)| [lower, upper, step]);
    (counters.collect(), band.inits(ctx, body).to_vec())
}

/// Like [`parallel_counters`], for an `scf.forall`, whose bounds are constants or operands.
pub(super) fn forall_counters(ctx: &Context, body: &mut Body, op: OpId) -> Option<Vec<[Value; 3]>> {
    let lists = [
        inherent::STATIC_LOWER_BOUND,
        inherent::STATIC_UPPER_BOUND,
        inherent::STATIC_STEP,
    ];
    let mut columns = Vec::new();
    for (segment, list) in lists.into_iter().enumerate() {
        let numbers = body[op].get(ctx, list)?;
        let mut open = body[op].operand_segment(ctx, segment).to_vec().into_iter();
        let mut b = Builder::before(ctx, body, op);
        let number = |number| match number {
            DYNAMIC => open.next(),
            number => Some(b.index_constant(number)),
        };
        columns.push(
            numbers
                .into_iter()
                .map(number)
                .collect::<Option<Vec<_>>>()?,
        );
    }
    let count = columns[0].len();
    let is_even = columns.iter().all(|column| column.len() == count);
    is_even.then(|| {
        let counter = |at: usize| [columns[0][at], columns[1][at], columns[2][at]];
        (0..count).map(counter).collect()
    })
}

/// Moves an iteration into the innermost loop, and combines its reduced values with the carried
/// ones.
fn move_iteration(b: &mut Builder, from: BlockId, inner: scf::ForOp, carried: &[Value]) {
    let to = inner.block(b.body);
    let Some(last) = b.body[from].last() else {
        return;
    };
    b.body.move_statements(from, to, None);
    b.set(InsertPoint::End(to));
    let contributions = b.body[last].operands.to_vec();
    let mut combined = Vec::new();
    for (number, (&sum, &next)) in carried.iter().zip(&contributions).enumerate() {
        combined.push(combine(b, last, number, [sum, next]));
    }
    scf::yield_values(b, to, &combined);
}

/// Inlines a reduction region at the builder's position. Returns its result.
fn combine(b: &mut Builder, reduce: OpId, number: usize, values: [Value; 2]) -> Value {
    let Some(block) = b.body.region_block(reduce, number) else {
        return values[0];
    };
    let args = b.body[block].args.to_vec();
    let ops: Vec<OpId> = b.body.ops(block).collect();
    for (&arg, new) in args.iter().zip(values) {
        b.body.replace_uses(arg, new);
    }
    let mut result = values[0];
    for op in ops {
        if b.body[op].name == scf::REDUCE_RETURN {
            result = b.body[op].operands[0];
            continue;
        }
        b.body.detach(op);
        b.insert(op);
    }
    result
}
