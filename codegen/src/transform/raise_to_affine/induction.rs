//! Derived induction variables: integers that a counted loop advances by the same number in each
//! iteration are computed from its counter.
//!
//! ```text
//! %r = scf.for %i = %l to %u step %c2         scf.for %i = %l to %u step %c2 {
//!     iter_args(%p = %p0) {                     %d = arith.subi %i, %l
//!   S(%p)                                       %k = arith.divui %d, %c2
//!   %n = arith.addi %p, %c3             ⇒       %m = arith.muli %k, %c3
//!   scf.yield %n                                %p = arith.addi %p0, %m
//! }                                             S(%p)
//!                                             }
//!                                             %r = arith.addi %p0, %t · 3, %t the trip count
//! ```
//!
//! Always legal: sums and products wrap around in the integer's type as the sums of the loop do.
//! Inner loops come first, so that a number that a nest advances is one of all its counters. The
//! carried value stays, without a use, and is what it starts with.
//!
//! Left alone where the number added varies, or the loop's step is not a positive constant.

use gridloom_dialects::affine::{self, ApplyOp, Bound};
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::scf;
use gridloom_ir::op::Traits;
use gridloom_ir::{AffineMap, BlockId, Body, Builder, Context, InsertPoint, OpId, Value};

use crate::transform::loop_invariant_code_motion::is_speculatable;

/// Depth limit of the chain of operations behind the number that is added.
const MAX_DEPTH: usize = 6;

/// Counted loop of either dialect, with a constant positive step.
struct CountedLoop {
    op: OpId,
    block: BlockId,
    step: i64,
    /// The bounds, where they are constant.
    constants: Option<[i64; 2]>,
}

/// Derived induction variable: what a loop carries at a position.
struct Derived {
    position: usize,
    arg: Value,
    init: Value,
    /// The number that an iteration adds, and whether it subtracts instead.
    by: Value,
    is_down: bool,
}

/// Computes derived induction variables of the loops among `ops` from their counters. Returns
/// whether there was one.
pub(super) fn derive(ctx: &Context, body: &mut Body, ops: &[OpId]) -> bool {
    let mut changed = false;
    for &op in ops.iter().rev() {
        let Some(counted) = counted(ctx, body, op) else {
            continue;
        };
        for position in 0..body[op].num_results() {
            if let Some(found) = derived(ctx, body, &counted, position) {
                apply(ctx, body, &counted, &found);
                changed = true;
            }
        }
    }
    changed
}

fn counted(ctx: &Context, body: &Body, op: OpId) -> Option<CountedLoop> {
    let block = body.region_block(op, 0)?;
    if let Some(op) = affine::ForOp::cast(body, op) {
        let (lower, upper) = (op.lower(ctx, body), op.upper(ctx, body));
        let is_single = |bound: Bound| bound.map.results(ctx).len() == 1;
        let constants = op
            .constant_lower(ctx, body)
            .zip(op.constant_upper(ctx, body));
        return (is_single(lower) && is_single(upper)).then(|| CountedLoop {
            op: op.0,
            block,
            step: op.step(ctx, body),
            constants: constants.map(<[i64; 2]>::from),
        });
    }
    let op = scf::ForOp::cast(body, op)?;
    let step = arith::constant_int(ctx, body, op.step(body)).filter(|&step| step > 0)?;
    let is_index = body.ty(op.lower(body)).is_index(ctx) && !op.is_unsigned(ctx, body);
    let constant = |bound| arith::constant_int(ctx, body, bound);
    let constants = constant(op.lower(body)).zip(constant(op.upper(body)));
    is_index.then(|| CountedLoop {
        op: op.0,
        block,
        step,
        constants: constants.map(<[i64; 2]>::from),
    })
}

fn derived(ctx: &Context, body: &Body, l: &CountedLoop, position: usize) -> Option<Derived> {
    let arg = *body[l.block].args.get(position + 1)?;
    let ty = body.ty(arg);
    let is_integer = ty.is_index(ctx) || ty.signless_width(ctx).is_some_and(|width| width > 1);
    let last = body[l.block].last()?;
    let next = *body[last].operands.get(position)?;
    let op = body.defining_op(next).filter(|_| is_integer)?;
    let (by, is_down) = match (body[op].name, &body[op].operands[..]) {
        (arith::ADDI, &[l, r]) if l == arg => (r, false),
        (arith::ADDI, &[l, r]) if r == arg => (l, false),
        (arith::SUBI, &[l, r]) if l == arg => (r, true),
        _ => return None,
    };
    let inits = match body[l.op].name {
        affine::FOR => affine::ForOp(l.op).inits(ctx, body),
        _ => scf::ForOp(l.op).inits(body),
    };
    is_invariant(ctx, body, l.op, by, 0).then_some(Derived {
        position,
        arg,
        init: *inits.get(position)?,
        by,
        is_down,
    })
}

/// Whether a value is the same in all iterations of a loop and may be computed before it: it is
/// defined outside, or pure speculatable operations compute it from such values.
pub(in crate::transform) fn is_invariant(
    ctx: &Context,
    body: &Body,
    op: OpId,
    value: Value,
    depth: usize,
) -> bool {
    let block = body.value_block(value);
    let parent = block.and_then(|block| body.block_parent_op(block));
    if !parent.is_some_and(|parent| body.is_ancestor(op, parent)) {
        return true;
    }
    let Some(def) = body.defining_op(value).filter(|_| depth < MAX_DEPTH) else {
        return false;
    };
    let is_function = body[def].name.has(Traits::PURE)
        && body[def].num_regions() == 0
        && is_speculatable(ctx, body, def);
    let mut operands = body[def].operands.iter();
    is_function && operands.all(|&operand| is_invariant(ctx, body, op, operand, depth + 1))
}

/// Moves what computes an invariant value before the loop.
pub(in crate::transform) fn hoist(body: &mut Body, op: OpId, value: Value) {
    let parent = body
        .value_block(value)
        .and_then(|block| body.block_parent_op(block));
    if !parent.is_some_and(|parent| body.is_ancestor(op, parent)) {
        return;
    }
    // Values that no operation defines are none that are moved: the value is invariant.
    let Some(def) = body.defining_op(value) else {
        return;
    };
    for operand in body[def].operands.clone() {
        hoist(body, op, operand);
    }
    body.detach(def);
    body.insert_before(op, def);
}

fn apply(ctx: &Context, body: &mut Body, l: &CountedLoop, found: &Derived) {
    hoist(body, l.op, found.by);
    let result = body[l.op].result(found.position);
    let mut b = Builder::before(ctx, body, l.op);
    let trips = trip_count(&mut b, l);
    let total = advanced(&mut b, found, trips);
    let is_used = |value: Value| if value == result { total } else { value };
    let lower = lower_bound(&mut b, l);
    let counter = b.body[l.block].args[0];
    let first = b.body[l.block].first();
    // The block has a terminator.
    let at = first.map_or(InsertPoint::End(l.block), InsertPoint::Before);
    b.set(at);
    let distance = match l.constants {
        Some([0, _]) => counter,
        _ => b.binary(arith::SUBI, counter, lower),
    };
    let number = match l.step {
        1 => distance,
        step => {
            let step = b.index_constant(step);
            // The way is at least 0, and may be 2^63 or more.
            let is_short = (l.constants).is_some_and(|[from, to]| to.checked_sub(from).is_some());
            let name = match is_short {
                true => arith::DIVSI,
                false => arith::DIVUI,
            };
            b.binary(name, distance, step)
        }
    };
    let value = advanced(&mut b, found, number);
    let last = b.body[l.block].last();
    body.replace_values(is_used);
    body.replace_values_in(l.op, |v| if v == found.arg { value } else { v });
    if let Some(last) = last {
        body[last].operands[found.position] = found.arg;
    }
}

/// The value after `number` iterations.
fn advanced(b: &mut Builder, found: &Derived, number: Value) -> Value {
    let ty = b.body.ty(found.arg);
    let number = match ty.is_index(b.ctx) {
        true => number,
        false => b.unary(arith::INDEX_CAST, &[number], ty),
    };
    let constants = [number, found.by].map(|value| arith::constant_int(b.ctx, b.body, value));
    let distance = match constants {
        [_, Some(1)] => number,
        [Some(number), Some(by)] if ty.is_index(b.ctx) => {
            let product = number.wrapping_mul(by);
            b.index_constant(product)
        }
        _ => b.binary(arith::MULI, number, found.by),
    };
    let name = if found.is_down {
        arith::SUBI
    } else {
        arith::ADDI
    };
    b.binary(name, found.init, distance)
}

/// The number of iterations, before the loop.
fn trip_count(b: &mut Builder, l: &CountedLoop) -> Value {
    if let Some([lower, upper]) = l.constants {
        let distance = i128::from(upper) - i128::from(lower);
        let trips = (distance.max(0) + i128::from(l.step) - 1) / i128::from(l.step);
        // At most 2^64 iterations: as an index, modulo that.
        return b.index_constant(trips as i64);
    }
    let (lower, upper) = (lower_bound(b, l), upper_bound(b, l));
    let distance = b.binary(arith::SUBI, upper, lower);
    let zero = b.index_constant(0);
    let is_some = CmpIOp::create(b, CmpIPredicate::Sgt, upper, lower);
    let ty = b.ctx.index_type();
    let distance = b.unary(arith::SELECT, &[is_some, distance, zero], ty);
    match l.step {
        1 => distance,
        step => {
            let step = b.index_constant(step);
            b.binary(arith::CEILDIVUI, distance, step)
        }
    }
}

fn lower_bound(b: &mut Builder, l: &CountedLoop) -> Value {
    let Some(op) = affine::ForOp::cast(b.body, l.op) else {
        return scf::ForOp(l.op).lower(b.body);
    };
    let bound = op.lower(b.ctx, b.body);
    let (map, operands) = (bound.map, bound.operands.to_vec());
    applied(b, map, &operands)
}

fn upper_bound(b: &mut Builder, l: &CountedLoop) -> Value {
    let Some(op) = affine::ForOp::cast(b.body, l.op) else {
        return scf::ForOp(l.op).upper(b.body);
    };
    let bound = op.upper(b.ctx, b.body);
    let (map, operands) = (bound.map, bound.operands.to_vec());
    applied(b, map, &operands)
}

/// The only result of a bound's map.
fn applied(b: &mut Builder, map: AffineMap, operands: &[Value]) -> Value {
    match map.as_single_constant(b.ctx) {
        Some(number) => b.index_constant(number),
        None => ApplyOp::create(b, map, operands),
    }
}
