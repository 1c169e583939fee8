//! Uniform loops: has all threads of a workgroup run a loop as long as one of them does.
//!
//! ```text
//! scf.while (%a = %x) {              %r:3 = scf.while (%runs = %true, %a = %x, %v = 0) {
//!   %c = …                             %c, %p = scf.if %runs { … %c … %q } else { %false, %v }
//!   scf.condition(%c) %q       ⇒       %any = gpu.all_reduce or %c uniform
//! } do {                               scf.condition(%any) %c, %p
//! ^bb0(%q):                          } do {
//!   … %b …                           ^bb0(%c, %q):
//!   scf.yield %b                       %b = scf.if %c { … %b … } else { 0 }
//! }                                    scf.yield %c, %b, %q
//!                                    }
//! ```
//!
//! An `scf.for` becomes such a loop as well. Legal for values that a thread may carry on without use: numbers. A thread
//! is in its n-th iteration when the others are in theirs, which is what makes it active there.

use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::scf::{self, ForOp, IfOp, WhileOp};
use gridloom_dialects::{gpu, inherent};
use gridloom_ir::{BlockId, Body, Builder, Context, InsertPoint, OpId, Type, Value};

use crate::analysis::reduction::zero;

/// Loop that all threads run, and the operation by which they agree whether one of them goes on.
pub(super) struct UniformLoop {
    pub op: OpId,
    pub any: OpId,
}

/// Has all threads run a loop together. `None` where it is none of `scf`, or carries more than numbers.
pub(super) fn make_uniform(ctx: &Context, body: &mut Body, op: OpId) -> Option<UniformLoop> {
    match (ForOp::cast(body, op), WhileOp::cast(body, op)) {
        (Some(counted), _) => make_for_uniform(ctx, body, counted),
        (_, Some(tested)) => make_while_uniform(ctx, body, tested),
        _ => None,
    }
}

/// Emits whether a flag is set in some thread of the workgroup.
pub(super) fn any_thread(b: &mut Builder, flag: Value) -> (OpId, Value) {
    let word = b.ctx.int_type(32);
    let number = b.unary(arith::EXTUI, &[flag], word);
    let (or, unit) = (
        b.ctx.dialect_attr("gpu", "<all_reduce_op or>"),
        b.ctx.unit_attr(),
    );
    let state = b
        .state(gpu::ALL_REDUCE)
        .operands(&[number])
        .results(&[word]);
    let state = state.property(b.ctx, inherent::GPU_REDUCTION, or);
    let op = b.create(state.property(b.ctx, inherent::UNIFORM, unit));
    b.body.add_region(op);
    let (any, none) = (b.body[op].result(0), arith_zero(b, word));
    (op, CmpIOp::create(b, CmpIPredicate::Ne, any, none))
}

/// Emits a constant of a boolean.
pub(super) fn flag(b: &mut Builder, value: bool) -> Value {
    let ty = b.ctx.int_type(1);
    let value = b.ctx.int_attr(ty, value.into());
    b.constant(value, ty)
}

fn arith_zero(b: &mut Builder, ty: Type) -> Value {
    match zero(b.ctx, ty) {
        Some(value) => b.constant(value, ty),
        None => unreachable!("only numbers are carried on"),
    }
}

fn are_numbers(ctx: &Context, types: &[Type]) -> bool {
    types.iter().all(|&ty| zero(ctx, ty).is_some())
}

fn types_of(body: &Body, values: &[Value]) -> Vec<Type> {
    values.iter().map(|&value| body.ty(value)).collect()
}

/// Moves the operations of a block but its terminator into a branch, which yields `values` where it is taken and
/// `others` elsewhere. Returns the results of the branch.
fn guard(
    b: &mut Builder,
    condition: Value,
    (from, to): (BlockId, BlockId),
    values: &[Value],
    others: &[Value],
) -> Vec<Value> {
    let types = types_of(b.body, values);
    let before = b.point();
    b.set(InsertPoint::End(to));
    let branch = IfOp::create(b, condition, &types, true);
    b.set(before);
    let then = branch.then_block(b.body);
    let ops: Vec<OpId> = b.body.ops(from).collect();
    for &op in &ops[..ops.len().saturating_sub(1)] {
        b.body.detach(op);
        b.body.append(then, op);
    }
    scf::yield_values(b, then, values);
    if let Some(otherwise) = branch.else_block(b.body) {
        scf::yield_values(b, otherwise, others);
    }
    b.body[branch.0].results().collect()
}

/// Has uses of a block's arguments use other values.
fn replace_args(body: &mut Body, block: BlockId, new: &[Value]) {
    let args = body[block].args.to_vec();
    for (arg, &new) in args.into_iter().zip(new) {
        body.replace_uses(arg, new);
    }
}

fn make_while_uniform(ctx: &Context, body: &mut Body, old: WhileOp) -> Option<UniformLoop> {
    let (before, after) = (old.before(body), old.after(body));
    let inits = old.inits(body).to_vec();
    let (carried, passed) = (types_of(body, &inits), types_of(body, &body[after].args));
    if !are_numbers(ctx, &carried) || !are_numbers(ctx, &passed) {
        return None;
    }
    let mut b = Builder::before(ctx, body, old.0);
    let runs = flag(&mut b, true);
    let [nothing, unused] = [&carried, &passed].map(|types| {
        types
            .iter()
            .map(|&ty| arith_zero(&mut b, ty))
            .collect::<Vec<_>>()
    });
    let boolean = ctx.int_type(1);
    let no = flag(&mut b, false);
    let all = [&[runs], &inits[..], &unused].concat();
    let new = WhileOp::create(&mut b, &all, &[&[boolean], &passed[..]].concat());
    let (test, step) = (new.before(b.body), new.after(b.body));

    let args = b.body[test].args.to_vec();
    let (entered, kept) = args[1..].split_at(carried.len());
    replace_args(b.body, before, entered);
    let (condition, values) = old.condition(b.body);
    let values = [&[condition], values].concat();
    let others = [&[no], kept].concat();
    let tested = guard(&mut b, args[0], (before, test), &values, &others);
    b.set(InsertPoint::End(test));
    let (any, goes_on) = any_thread(&mut b, tested[0]);
    scf::condition(&mut b, test, goes_on, &tested);

    let args = b.body[step].args.to_vec();
    replace_args(b.body, after, &args[1..]);
    let yielded = old.yielded(b.body).to_vec();
    let next = guard(&mut b, args[0], (after, step), &yielded, &nothing);
    scf::yield_values(&mut b, step, &[&args[..1], &next, &args[1..]].concat());

    let results: Vec<Value> = b.body[new.0].results().skip(1).collect();
    body.replace_op(old.0, &results);
    Some(UniformLoop { op: new.0, any })
}

fn make_for_uniform(ctx: &Context, body: &mut Body, old: ForOp) -> Option<UniformLoop> {
    let inits = old.inits(body).to_vec();
    let carried = types_of(body, &inits);
    if !are_numbers(ctx, &carried) {
        return None;
    }
    let (lower, upper, by) = (old.lower(body), old.upper(body), old.step(body));
    let less = match old.is_unsigned(ctx, body) {
        true => CmpIPredicate::Ult,
        false => CmpIPredicate::Slt,
    };
    let block = old.block(body);
    let mut b = Builder::before(ctx, body, old.0);
    let runs = CmpIOp::create(&mut b, less, lower, upper);
    let all = [&[runs, lower], &inits[..]].concat();
    let types = types_of(b.body, &all);
    let new = WhileOp::create(&mut b, &all, &types);
    let (test, step) = (new.before(b.body), new.after(b.body));
    let args = b.body[test].args.to_vec();
    b.set(InsertPoint::End(test));
    let (any, goes_on) = any_thread(&mut b, args[0]);
    scf::condition(&mut b, test, goes_on, &args);

    let args = b.body[step].args.to_vec();
    replace_args(b.body, block, &args[1..]);
    let yielded = old.yielded(b.body).to_vec();
    let next = guard(&mut b, args[0], (block, step), &yielded, &args[2..]);
    b.set(InsertPoint::End(step));
    let counter = b.binary(arith::ADDI, args[1], by);
    // A sum that wraps around is beyond every bound.
    let grows = CmpIOp::create(&mut b, less, args[1], counter);
    let is_below = CmpIOp::create(&mut b, less, counter, upper);
    let both = b.binary(arith::ANDI, grows, is_below);
    let runs = b.binary(arith::ANDI, args[0], both);
    scf::yield_values(&mut b, step, &[&[runs, counter], &next[..]].concat());

    let results: Vec<Value> = b.body[new.0].results().skip(2).collect();
    body.replace_op(old.0, &results);
    Some(UniformLoop { op: new.0, any })
}
