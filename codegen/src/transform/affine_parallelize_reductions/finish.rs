//! Final stage on the device: the loop that combines partial results runs as one thread, with the
//! scalar statements around it, where its result goes to memory only.
//!
//! ```text
//! %z = affine.load %s[]                      affine.parallel (%one) = (0) to (1) {
//! %t = affine.for … iter_args(%a = %z)         %z = affine.load %s[]
//! affine.store %t, %s[]                ⇒       %t = affine.for … iter_args(%a = %z)
//!                                              affine.store %t, %s[]
//!                                            }
//! ```
//!
//! Legal as the statements keep their order. It saves the host from waiting for
//! the device in the middle of a program.

use std::collections::HashSet;

use gridloom_dialects::affine::{Bound, ForOp, ParallelOp};
use gridloom_dialects::memref;
use gridloom_ir::body::Uses;
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Builder, Context, OpId};

use crate::analysis::eligible::obstacle;
use crate::analysis::load_store::{is_load, is_store};
use crate::target::Target;

/// Limit of the statements behind the loop that are examined.
const MAX_STATEMENTS: usize = 64;

/// Wraps a loop and its epilogue in a band of one iteration, if nothing else uses their values.
/// `loads` may be moved down to the loop. Returns whether it did so.
pub(super) fn run_as_one_thread(
    ctx: &Context,
    body: &mut Body,
    op: ForOp,
    loads: &[OpId],
    target: Option<&Target>,
) -> bool {
    let uses = body.uses();
    let mut after: Vec<OpId> = Vec::new();
    let mut next = body[op.0].next();
    while let Some(statement) = next.filter(|_| after.len() < MAX_STATEMENTS) {
        next = body[statement].next();
        match body[statement].name {
            // The partial results are freed there, which may happen later.
            memref::DEALLOC => {}
            _ if is_scalar(body, statement) => after.push(statement),
            _ => break,
        }
    }
    while !after.is_empty() && !is_closed(body, &uses, op, &after) {
        after.pop();
    }
    let before = loads.iter().copied().filter(|&load| {
        let mut users = uses.of(body[load].result(0)).iter().map(|user| user.op);
        let is_here = body[load].parent() == body[op.0].parent();
        is_here && users.all(|user| user == op.0 || after.contains(&user))
    });
    let before: Vec<OpId> = before.collect();
    let writes = after.iter().any(|&s| is_store(body, s));
    let is_kernel = |&op: &OpId| obstacle(ctx, body, op, target).is_none();
    let all = [&before[..], &[op.0], &after[..]].concat();
    if !writes || !is_closed(body, &uses, op, &after) || !all.iter().all(is_kernel) {
        return false;
    }
    let mut b = Builder::before(ctx, body, op.0);
    let band = ParallelOp::create(&mut b, Bound::constant(ctx, 1));
    let block = band.block(body);
    let Some(end) = body[block].last() else {
        return false;
    };
    for statement in all {
        body.detach(statement);
        body.insert_before(end, statement);
    }
    true
}

/// Whether values of the loop and of the statements have no users elsewhere.
fn is_closed(body: &Body, uses: &Uses, op: ForOp, after: &[OpId]) -> bool {
    let inside: HashSet<OpId> = after.iter().copied().chain([op.0]).collect();
    inside.iter().all(|&statement| {
        let mut results = body[statement].results();
        results.all(|value| uses.of(value).iter().all(|user| inside.contains(&user.op)))
    })
}

/// Whether an operation computes scalars, or loads or stores one.
fn is_scalar(body: &Body, op: OpId) -> bool {
    let name = body[op].name;
    let is_plain = body[op].inline_regions().is_empty() && !name.has(Traits::TERMINATOR);
    is_plain && (is_load(body, op) || is_store(body, op) || name.has(Traits::PURE))
}
