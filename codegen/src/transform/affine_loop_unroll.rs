//! `affine-loop-unroll`: unrolls innermost loops by a factor, or completely.
//!
//! ```text
//!                                       %r = affine.for %i = 0 to 8 step 4 iter_args(%s = %z) {
//! %r = affine.for %i = 0 to 10            %a = S(%i, %s)
//!     iter_args(%s = %z) {                %b = S(%i + 1, %a)  …
//!   %t = S(%i, %s)                ⇒       affine.yield %d
//!   affine.yield %t                     }
//! }                                     %q = affine.for %i = 8 to 10 iter_args(%s = %r) { … }
//! ```
//!
//! Always legal: the order stays. It is done where the trip count is a constant; iterations that do
//! not fill a group of `unroll-factor` run in an epilogue loop like the old one, or unrolled with
//! `cleanup-unroll`. A loop of up to `unroll-full-threshold` iterations is unrolled completely, and
//! so is any loop with a factor of -1. `unroll-num-reps` does so several times, to the loops that
//! are innermost then.

use super::emit_loops::{bound, close, counter_after};
use super::map_inputs::Inputs;
use gridloom_dialects::affine::{self, Bound, ForOp};
use gridloom_ir::{BlockId, Body, Builder, Context, InsertPoint, IrMapping, OpId, Value};

/// Options of loop unrolling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnrollOptions {
    /// Unroll factor: iterations in one iteration of the new loop.
    pub factor: u64,
    /// Limit of the trip count up to which loops are unrolled completely.
    pub full_threshold: u64,
    /// Whether a loop of fewer iterations than the factor is unrolled completely.
    pub up_to_factor: bool,
    /// Whether the epilogue is unrolled completely as well.
    pub cleanup: bool,
}

impl UnrollOptions {
    /// Loops of any known trip count are unrolled completely.
    pub const WHOLE: UnrollOptions = UnrollOptions {
        factor: 1,
        full_threshold: u64::MAX,
        up_to_factor: false,
        cleanup: false,
    };
}

/// Limit of the operations that unrolling one loop makes.
const MAX_OPERATIONS: u64 = 1 << 14;

/// Unrolls the innermost loops of a body. Returns whether anything changed.
pub fn unroll(ctx: &Context, body: &mut Body, options: UnrollOptions) -> bool {
    let loops: Vec<ForOp> = (body.walk().into_iter())
        .filter_map(|op| ForOp::cast(body, op))
        .filter(|l| is_innermost(body, *l))
        .collect();
    let mut changed = false;
    for l in loops {
        changed |= unroll_loop(ctx, body, l, options).is_ok();
    }
    changed
}

/// Replaces a loop that is known to have one iteration by its body. Returns whether that was done.
pub(super) fn promote(ctx: &Context, body: &mut Body, l: ForOp) -> bool {
    l.constant_trip_count(ctx, body) == Some(1)
        && unroll_loop(ctx, body, l, UnrollOptions::WHOLE).is_ok()
}

fn is_innermost(body: &Body, l: ForOp) -> bool {
    let below = body.walk_op(l.0);
    below[1..].iter().all(|&op| body[op].name != affine::FOR)
}

/// Refusal to unroll a loop.
pub(crate) enum Refusal {
    /// The trip count is not a constant.
    Unknown,
    /// The loop has only this many iterations, fewer than the factor.
    Short(u64),
    /// The copies would have this many operations.
    Size(u64),
}

impl Refusal {
    /// The refusal as text for a remark.
    pub(super) fn why(&self) -> String {
        match self {
            Refusal::Unknown => "its number of iterations is not known".to_owned(),
            Refusal::Short(trips) => format!("it has only {trips} iterations"),
            Refusal::Size(size) => {
                format!("it would have {size} operations, more than {MAX_OPERATIONS}")
            }
        }
    }
}

/// Unrolls loops completely, inner ones first. A loop refused for its size stays, and computes the same.
pub(crate) fn unroll_all(ctx: &Context, body: &mut Body, loops: &[ForOp]) {
    for &l in loops {
        let _ = unroll_loop(ctx, body, l, UnrollOptions::WHOLE);
    }
}

/// Unrolls a loop, innermost or not.
pub(crate) fn unroll_loop(
    ctx: &Context,
    body: &mut Body,
    l: ForOp,
    options: UnrollOptions,
) -> Result<(), Refusal> {
    let Some(trips) = l.constant_trip_count(ctx, body) else {
        return Err(Refusal::Unknown);
    };
    if trips == 0 {
        return Err(Refusal::Short(0));
    }
    let is_whole =
        trips <= options.full_threshold || (options.up_to_factor && trips <= options.factor);
    let factor = if is_whole { trips } else { options.factor };
    let size = body.walk_op(l.0).len() as u64;
    if factor < 2 && !is_whole || trips < factor {
        return Err(Refusal::Short(trips));
    }
    if factor.saturating_mul(size) > MAX_OPERATIONS {
        return Err(Refusal::Size(factor.saturating_mul(size)));
    }
    let (Some(first), step) = (l.constant_lower(ctx, body), l.step(ctx, body)) else {
        return Err(Refusal::Unknown);
    };
    // The value stays in the loop's range, so neither product nor sum exceeds 64 bits.
    let at = |trip: u64| first.wrapping_add(step.wrapping_mul(trip as i64));
    let Some(pitch) = step.checked_mul(factor as i64) else {
        return Err(Refusal::Unknown);
    };
    match is_whole {
        true => unroll_whole(ctx, body, l.0, (0..trips).map(at)),
        false => unroll_rows(ctx, body, l, (trips, factor), pitch, at, options.cleanup),
    }
    Ok(())
}

/// Replaces a loop by one of `pitch`, whose iterations are `factor` of the old ones, and the iterations that remain.
/// `at` gives the counter of an old iteration.
fn unroll_rows(
    ctx: &Context,
    body: &mut Body,
    l: ForOp,
    (trips, factor): (u64, u64),
    pitch: i64,
    at: impl Fn(u64) -> i64,
    cleanup: bool,
) {
    let (old, step) = (l.block(body), l.step(ctx, body));
    let in_rows = trips / factor * factor;
    let inits = l.inits(ctx, body).to_vec();
    let mut b = Builder::before(ctx, body, l.0);
    let (lower, upper) = (at(0), at(in_rows - 1).saturating_add(1));
    let rows = make_loop(&mut b, lower, upper, pitch, &inits);
    let mut values = fill(&mut b, old, rows, step, factor);
    if cleanup {
        for trip in in_rows..trips {
            let iv = b.index_constant(at(trip));
            values = copy_iteration(&mut b, old, iv, &values);
        }
    } else if in_rows < trips {
        let last = at(trips - 1).saturating_add(1);
        let rest = make_loop(&mut b, at(in_rows), last, step, &values);
        values = fill(&mut b, old, rest, step, 1);
    }
    body.replace_op(l.0, &values);
}

/// Unrolls a loop of any number of iterations: replaces it by one whose iterations are `factor` of the old ones, and a loop of
/// those that remain. Each of its bounds has one result, and the upper one less `factor` steps does not wrap around.
pub(crate) fn unroll_open_loop(ctx: &Context, body: &mut Body, l: ForOp, factor: u64) {
    let (old, step) = (l.block(body), l.step(ctx, body));
    let (mut inputs, names) = (Inputs::new(ctx), IrMapping::new());
    let lower = inputs.import(l.lower(ctx, body), &names);
    let upper = inputs.import(l.upper(ctx, body), &names);
    let (&[low], &[end]) = (&lower[..], &upper[..]) else {
        return;
    };
    let row = factor as i64;
    // In a loop without iterations, rows end before its start.
    let behind = inputs.finish(&[inputs.behind_rows(low, end, step, row), low]);
    let [lower, upper, last] = [low, inputs.plus(end, step * (1 - row)), end];
    let [lower, upper, last] = [lower, upper, last].map(|end| inputs.finish(&[end]));
    let inits = l.inits(ctx, body).to_vec();
    let mut b = Builder::before(ctx, body, l.0);
    let rows = ForOp::create(&mut b, bound(&lower), bound(&upper), step * row, &inits);
    let values = fill(&mut b, old, rows, step, factor);
    let rest = ForOp::create(&mut b, bound(&behind), bound(&last), step, &values);
    let values = fill(&mut b, old, rest, step, 1);
    body.replace_op(l.0, &values);
}

/// Fills a new loop with copies of an old one's block for `factor` of its iterations. Returns the new loop's results.
fn fill(b: &mut Builder, old: BlockId, new: ForOp, step: i64, factor: u64) -> Vec<Value> {
    let (counter, mut carried) = (new.induction_var(b.body), new.iter_args(b.body).to_vec());
    b.set(InsertPoint::End(new.block(b.body)));
    for k in 0..factor {
        let iv = counter_after(b, counter, step.wrapping_mul(k as i64));
        carried = copy_iteration(b, old, iv, &carried);
    }
    close(b, new, &carried)
}

/// Replaces a loop of `affine` or `scf` by copies of its iterations, for these values of the counter in order.
pub(in crate::transform) fn unroll_whole(
    ctx: &Context,
    body: &mut Body,
    op: OpId,
    counters: impl Iterator<Item = i64>,
) {
    let Some(block) = body.region_block(op, 0) else {
        return;
    };
    let Some((&counter, carried)) = body[block].args.split_first() else {
        return;
    };
    // The initial values are the last operands.
    let inits = body[op].operands.len() - carried.len();
    let mut values = body[op].operands[inits..].to_vec();
    let ty = body.ty(counter);
    let mut b = Builder::before(ctx, body, op);
    for number in counters {
        let iv = b.constant(ctx.int_attr(ty, number), ty);
        values = copy_iteration(&mut b, block, iv, &values);
    }
    body.replace_op(op, &values);
}

fn make_loop(b: &mut Builder, lower: i64, upper: i64, step: i64, inits: &[Value]) -> ForOp {
    let (lower, upper) = (Bound::constant(b.ctx, lower), Bound::constant(b.ctx, upper));
    ForOp::create(b, lower, upper, step, inits)
}

/// Copies the statements in the block of a loop for one iteration. Returns the yielded values.
pub(in crate::transform) fn copy_iteration(
    b: &mut Builder,
    block: BlockId,
    iv: Value,
    carried: &[Value],
) -> Vec<Value> {
    let mut map = IrMapping::new();
    let given = std::iter::once(&iv).chain(carried);
    for (&from, &to) in b.body[block].args.iter().zip(given) {
        map.map(from, to);
    }
    let ops: Vec<OpId> = b.body.ops(block).collect();
    let Some((&end, statements)) = ops.split_last() else {
        return Vec::new();
    };
    b.insert_copies(statements, &mut map);
    let yielded = b.body[end].operands.iter();
    yielded.map(|&value| map.value(value)).collect()
}
