//! `loop-invariant-code-motion`: moves loop-invariant operations in front of
//! the loop.
//!
//! ```text
//! affine.for %i = 0 to 8 {                    %y = arith.mulf %a, %b
//!   %y = arith.mulf %a, %b            ⇒       affine.for %i = 0 to 8 {
//!   affine.store %y, %m[%i]                     affine.store %y, %m[%i]
//! }                                           }
//! ```
//!
//! Legal for an operation without regions whose operands are defined outside the
//! loop: a pure speculatable one always, any other pure one (a division, a view)
//! if the loop is known to run, a load if moreover nothing in the loop writes
//! memory. What is unknown stays.

use gridloom_dialects::{affine, arith, gpu, inherent, memref, scf};
use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::op::Traits;
use gridloom_ir::{AffineMap, BlockId, Body, Context, OpId};

use crate::analysis::alias::is_view;
use crate::analysis::effects::{Effect, Effects, effect_of};
use crate::analysis::loop_kind::is_any_loop;

/// Moves invariant operations out of all loops of a function body. Returns
/// whether there were any.
pub fn hoist_invariants(ctx: &Context, body: &mut Body) -> bool {
    let effects = Effects::of(body);
    let mut changed = false;
    // Inner loops first: an operation that leaves one may leave the enclosing
    // one too.
    for op in body.walk().into_iter().rev() {
        if !is_any_loop(body, op) {
            continue;
        }
        changed |= hoist_out_of(ctx, body, &effects, op);
    }
    changed
}

/// Moves invariant operations out of one loop. Returns whether there were any.
pub(super) fn hoist_out_of(ctx: &Context, body: &mut Body, effects: &Effects, op: OpId) -> bool {
    let runs = is_known_to_run(ctx, body, op);
    let may_load = runs && effects.get(op) < Effect::Writes;
    let regions = body[op].inline_regions().iter();
    let blocks: Vec<BlockId> = regions.filter_map(|&region| body[region].entry()).collect();
    let mut changed = false;
    for block in blocks {
        changed |= hoist_from(ctx, body, op, block, runs, may_load);
    }
    changed
}

/// Whether the body of a loop runs at least once.
pub(super) fn is_known_to_run(ctx: &Context, body: &Body, op: OpId) -> bool {
    match body[op].name {
        affine::FOR => {
            let count = affine::ForOp(op).constant_trip_count(ctx, body);
            count.is_some_and(|count| count > 0)
        }
        scf::FOR => {
            let op = scf::ForOp(op);
            let bounds = [op.lower(body), op.upper(body)];
            let [lower, upper] = bounds.map(|bound| arith::constant_int(ctx, body, bound));
            let runs = lower.zip(upper).is_some_and(|(lower, upper)| lower < upper);
            runs && !op.is_unsigned(ctx, body)
        }
        _ => false,
    }
}

fn hoist_from(
    ctx: &Context,
    body: &mut Body,
    op: OpId,
    block: BlockId,
    runs: bool,
    may_load: bool,
) -> bool {
    let mut changed = false;
    let ops: Vec<OpId> = body.ops(block).collect();
    for inner in ops {
        let data = &body[inner];
        let is_candidate = data.num_results() > 0
            && data.inline_regions().is_empty()
            && !data.name.has(Traits::TERMINATOR);
        // Values of nested regions are not visible here, so a value of another block is defined
        // outside of the loop.
        let is_invariant =
            || (data.operands.iter()).all(|&operand| body.value_block(operand) != Some(block));
        let may_move = || match effect_of(body, inner) {
            Effect::None => runs || is_speculatable(ctx, body, inner),
            Effect::Reads => may_load,
            Effect::Allocates | Effect::Writes => false,
        };
        if is_candidate && is_invariant() && may_move() {
            body.detach(inner);
            body.insert_before(op, inner);
            changed = true;
        }
    }
    changed
}

/// Whether an operation without effects is speculatable: defined even where the program would not run it. Callers ask for the
/// effects themselves; of a load or a store the answer means nothing.
pub(super) fn is_speculatable(ctx: &Context, body: &Body, op: OpId) -> bool {
    let data = &body[op];
    match data.name {
        affine::APPLY | affine::MIN | affine::MAX => {
            let map = data.get(ctx, inherent::MAP);
            map.is_some_and(|map| has_constant_divisors(ctx, map))
        }
        affine::DELINEARIZE_INDEX => false,
        // Which threads run it with others is a part of its meaning.
        name if gpu::is_collective(name) => false,
        memref::DIM => {
            let op = memref::DimOp(op);
            let rank = body.ty(op.source(body)).memref(ctx).map(|ty| ty.rank());
            let dim = op.constant_index(ctx, body).map(usize::try_from);
            matches!((dim, rank), (Some(Ok(dim)), Some(rank)) if dim < rank)
        }
        name if name.has(Traits::CONDITIONALLY_SPECULATABLE) => {
            // Division is undefined only for divisor 0, and for the least number by -1.
            let divisor = data.operands.get(1);
            let divisor = divisor.and_then(|&value| arith::constant_int(ctx, body, value));
            arith::is_division(name) && divisor.is_some_and(|divisor| divisor > 0)
        }
        // A view must lie within its source, which the interpreter checks.
        _ => !is_view(body, op),
    }
}

/// Whether all divisors in a map are constants.
pub(super) fn has_constant_divisors(ctx: &Context, map: AffineMap) -> bool {
    /// Whether the divisors in a part are constants, and whether it is a constant itself.
    type Part = (bool, bool);
    let mut step = |kind, parts: Option<(Part, Part)>| match (kind, parts) {
        (AffineExprKind::Binary(op, ..), Some((left, right))) => {
            let divides = !matches!(op, AffineOp::Add | AffineOp::Mul);
            (left.0 && right.0 && (!divides || right.1), false)
        }
        (kind, _) => (true, matches!(kind, AffineExprKind::Constant(_))),
    };
    let mut results = map.results(ctx).iter();
    results.all(|result| result.fold_parts(ctx, &mut step).0)
}
