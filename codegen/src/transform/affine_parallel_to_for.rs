//! `affine-parallel-to-for`: rewrites `affine.parallel` bands as plain loops.
//!
//! ```text
//! %s = affine.parallel (%i, %j)          %z = arith.constant 0.0
//!     = (0, 0) to (%n, 8)                %s = affine.for %i = 0 to %n iter_args(%a = %z) {
//!     reduce ("addf") -> f32 {      ⇒      %t = affine.for %j = 0 to 8 iter_args(%b = %a) {
//!   affine.yield %v : f32                    %u = arith.addf %b, %v
//! }                                          affine.yield %u
//! ```
//!
//! Legal whenever every reduction is of a kind that has a neutral element here; an operation with
//! another kind is left alone. `affine.parallel` states that the iterations may run in any order,
//! and `affine.for` does not. So the pass rewrites only bands with reductions, whose order loops
//! fix, and bands whose loops the dependence analysis proves parallel again: then no information is
//! lost. Other bands stay, and are mapped to the grid as they are.

use gridloom_dialects::affine::{self, ForOp, ParallelOp};
use gridloom_ir::{Body, Builder, Context, InsertPoint, OpId, Type, Value};

use super::emit_loops::{bound, owned};
use crate::analysis::alias::Globals;
use crate::analysis::band::{Reduction, reductions_of};
use crate::analysis::counter::{Counter, counters};
use crate::analysis::dependence::Dependences;
use crate::analysis::parallel::verdict;

/// `affine-parallel-to-for`: rewrites the bands of a body that lose no information as loops.
/// Returns whether anything changed.
pub fn proven_parallel_to_for(ctx: &Context, body: &mut Body) -> bool {
    // Inner bands first, so that a band is moved when it is rewritten.
    let bands = body.walk_named(|name| name == affine::PARALLEL);
    let bands: Vec<ParallelOp> = (bands.into_iter().rev())
        .filter_map(|op| ParallelOp::cast(body, op))
        .collect();
    if bands.is_empty() {
        return false;
    }
    // The proof must not rely on the fact that it is to replace: so it is made on a copy in which
    // every band is rewritten as loops. Operations have the same ids in both.
    let mut trial = body.clone();
    let loops: Vec<Option<Vec<ForOp>>> = (bands.iter())
        .map(|&band| band_to_loops(ctx, &mut trial, band))
        .collect();
    let globals = Globals::default();
    let mut deps = Dependences::new(ctx, &trial, &globals);
    let mut changed = false;
    for (&band, loops) in bands.iter().zip(&loops) {
        let Some(loops) = loops else { continue };
        let reduces = body[band.0].num_results() > 0;
        if reduces || loops.iter().all(|l| verdict(&mut deps, l.0).is_parallel()) {
            changed |= band_to_loops(ctx, body, band).is_some();
        }
    }
    changed
}

/// Rewrites every `affine.parallel` of a body, or of the operations below `root`, for callers that
/// run iterations in order anyway. Returns whether anything changed.
pub fn parallel_to_for(ctx: &Context, body: &mut Body, root: Option<OpId>) -> bool {
    let ops = match root {
        Some(root) => body.walk_op(root),
        None => body.walk_named(|name| name == affine::PARALLEL),
    };
    let mut changed = false;
    // Inner bands first, so that a band is moved when it is rewritten.
    for &op in ops.iter().rev() {
        if let Some(band) = ParallelOp::cast(body, op) {
            changed |= band_to_loops(ctx, body, band).is_some();
        }
    }
    changed
}

/// Rewrites a band as loops. Returns them, outermost first.
pub(super) fn band_to_loops(
    ctx: &Context,
    body: &mut Body,
    band: ParallelOp,
) -> Option<Vec<ForOp>> {
    let reductions = reductions_of(ctx, body, band)?;
    let dims: Vec<Counter> = counters(body, band.0).collect();
    if dims.is_empty() {
        return None;
    }
    let types: Vec<Type> = body[band.0].results().map(|r| body.ty(r)).collect();
    let old_block = band.block(body);
    let old_vars = band.induction_vars(body).to_vec();

    let mut b = Builder::before(ctx, body, band.0);
    let mut carried: Vec<Value> = (reductions.iter().zip(&types))
        .map(|(reduction, &ty)| b.constant(reduction.neutral, ty))
        .collect();
    let mut loops: Vec<ForOp> = Vec::new();
    for dim in &dims {
        let [lower, upper] = [dim.lower(ctx, b.body), dim.upper(ctx, b.body)].map(owned);
        let step = dim.step(ctx, b.body);
        let op = ForOp::create(&mut b, bound(&lower), bound(&upper), step, &carried);
        carried = op.iter_args(b.body).to_vec();
        b.set(InsertPoint::End(op.block(b.body)));
        loops.push(op);
    }
    let (&outer, &inner) = (loops.first()?, loops.last()?);
    close_loops(&mut b, &loops);
    move_body(ctx, body, old_block, inner, &reductions);

    let new_vars: Vec<Value> = loops.iter().map(|l| l.induction_var(body)).collect();
    body.replace_values_in(outer.0, |value| {
        let position = old_vars.iter().position(|&var| var == value);
        position.map_or(value, |position| new_vars[position])
    });
    let results: Vec<Value> = body[outer.0].results().collect();
    body.replace_op(band.0, &results);
    Some(loops)
}

/// Yields the results of each inner loop from the loop around it.
fn close_loops(b: &mut Builder, loops: &[ForOp]) {
    for pair in loops.windows(2) {
        let results: Vec<Value> = b.body[pair[1].0].results().collect();
        let block = pair[0].block(b.body);
        affine::yield_values(b, block, &results);
    }
}

/// Moves the band's statements into the innermost loop, and combines the yielded values with the
/// carried ones.
fn move_body(
    ctx: &Context,
    body: &mut Body,
    from: gridloom_ir::BlockId,
    inner: ForOp,
    reductions: &[Reduction],
) {
    let to = inner.block(body);
    body.move_ops(from, to);
    let Some(last) = body[to].last() else { return };
    let carried = inner.iter_args(body).to_vec();
    let yielded = body[last].operands.to_vec();
    let mut b = Builder::before(ctx, body, last);
    let combined: Vec<Value> = (reductions.iter().zip(carried.iter().zip(&yielded)))
        .map(|(reduction, (&carried, &value))| b.binary(reduction.combine, carried, value))
        .collect();
    body[last].operands = combined.into();
}
