//! Subscripts that more than a sum of multiples of counters chooses: by data, or by quotients and bits of counters.

use std::collections::HashSet;

use gridloom_dialects::affine::{self, ApplyOp, ForOp};
use gridloom_dialects::arith;
use gridloom_ir::{AffineMap, Body, Context, OpId, Value};

use crate::analysis::load_store::is_load;

/// Limit of the operations of index arithmetic that the search follows.
const MAX_CHAIN: usize = 100;

/// Whether a subscript depends on a value that an iteration of the loop loads, through arithmetic
/// or through yields of loops and branches.
pub(in crate::transform) fn is_chosen_by_data(body: &Body, root: ForOp, index: Value) -> bool {
    rests_on(body, root, index, |op| is_load(body, op))
}

/// Whether a subscript depends on a load, or on index arithmetic that is not linear.
pub(super) fn is_computed(ctx: &Context, body: &Body, root: ForOp, index: Value) -> bool {
    rests_on(body, root, index, |op| {
        is_load(body, op) || body[op].num_regions() == 0 && !is_linear(ctx, body, op)
    })
}

/// Whether an operation is an affine store whose subscripts are quotients or remainders.
pub(super) fn stores_at_quotient(ctx: &Context, body: &Body, op: OpId) -> bool {
    body[op].name == affine::STORE && has_quotient(ctx, affine::StoreOp(op).map(ctx, body))
}

/// Whether an affine store takes quotients or remainders of what changes in the loop, which puts several iterations on one
/// element.
pub(super) fn is_quotient(ctx: &Context, body: &Body, root: ForOp, store: affine::StoreOp) -> bool {
    let mut operands = store.operands(body).iter();
    stores_at_quotient(ctx, body, store.0)
        && operands.any(|&operand| body.is_defined_in(operand, root.0))
}

/// Whether a map takes quotients or remainders.
fn has_quotient(ctx: &Context, map: AffineMap) -> bool {
    let mut results = map.results(ctx).iter();
    results.any(|result| result.divides_by(ctx, |_| true))
}

/// Whether an operation of index arithmetic is linear.
fn is_linear(ctx: &Context, body: &Body, op: OpId) -> bool {
    match body[op].name {
        affine::APPLY => !has_quotient(ctx, ApplyOp(op).map(ctx, body)),
        name => matches!(
            name,
            arith::CONSTANT
                | arith::ADDI
                | arith::SUBI
                | arith::MULI
                | arith::SHLI
                | arith::INDEX_CAST
                | arith::INDEX_CASTUI
                | arith::EXTSI
                | arith::EXTUI
                | arith::TRUNCI
        ),
    }
}

/// Whether a value of the loop depends on an operation in it of which `holds`.
fn rests_on(body: &Body, root: ForOp, value: Value, holds: impl Fn(OpId) -> bool) -> bool {
    let mut stack = vec![value];
    let mut seen: HashSet<OpId> = HashSet::new();
    // Chains of index arithmetic are short; past the limit, the rest is not followed.
    while let Some(value) = stack.pop().filter(|_| seen.len() < MAX_CHAIN) {
        let op = match body.defining_op(value) {
            Some(op) => op,
            // A block argument, which depends on its loop's bounds and yields.
            None => match body
                .value_block(value)
                .and_then(|b| body.block_parent_op(b))
            {
                Some(op) => op,
                None => continue,
            },
        };
        if op == root.0 || !body.is_ancestor(root.0, op) || !seen.insert(op) {
            continue;
        }
        if holds(op) {
            return true;
        }
        stack.extend(&body[op].operands);
        for &region in body[op].inline_regions() {
            for &block in &body[region].blocks {
                let last = body.ops(block).last();
                stack.extend(last.iter().flat_map(|&last| &body[last].operands));
            }
        }
    }
    false
}
