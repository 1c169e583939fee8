//! Emission of the software pipeline: prologue, steady state, epilogue.

use gridloom_dialects::affine::{self, Access, ApplyOp, ForOp};
use gridloom_dialects::{gridloom, inherent, memref};
use gridloom_ir::affine::AffineOp;
use gridloom_ir::body::Use;
use gridloom_ir::op::{AffineMapAttr, Inherent};
use gridloom_ir::{
    AffineExpr, Body, Builder, Context, InsertPoint, IrMapping, OpId, TypeKind, Value,
};

use super::Plan;
use super::legality::{Doubled, Pipelined};
use crate::transform::affine_loop_unroll::copy_iteration;
use crate::transform::emit_loops::{MapWithOperands, bound, go_behind, owned};
use crate::transform::joint_bounds::JointBounds;

/// Starts transfers of a loop an iteration ahead.
pub(super) fn pipeline(ctx: &Context, body: &mut Body, plan: &Plan) {
    let (l, transfers) = (plan.l, &plan.transfers);
    let Some(distance) = (i64::try_from(plan.trips).ok())
        .and_then(|trips| trips.checked_sub(1)?.checked_mul(l.step(ctx, body)))
    else {
        return;
    };
    let lower = owned(l.lower(ctx, body));
    let memory: Vec<(Value, Value)> = (transfers.iter())
        .flat_map(|transfer| &transfer.doubled)
        .map(|doubled| (doubled.memref, double(ctx, body, l, doubled)))
        .collect();
    let counter = l.induction_var(body);
    let half = half_of(ctx, &lower, l.step(ctx, body), counter);
    for transfer in transfers {
        for doubled in &transfer.doubled {
            let new = memory.iter().find(|(old, _)| *old == doubled.memref);
            let new = new.map_or(doubled.memref, |(_, new)| *new);
            for &user in &doubled.users {
                redirect(ctx, body, user, (doubled.memref, new), &half);
            }
        }
    }
    // Prologue: the first iteration's transfers.
    let mut b = Builder::before(ctx, body, l.0);
    let first = offset(&mut b, &lower, 0);
    for transfer in transfers {
        start_at(&mut b, l, transfer, first);
    }
    let mut to_free = Vec::new();
    for transfer in transfers {
        b.body.detach(transfer.start);
        for doubled in &transfer.doubled {
            let new = memory.iter().find(|(old, _)| *old == doubled.memref);
            let is_freed = b.body[doubled.alloc].name == memref::ALLOC && !doubled.frees.is_empty();
            to_free.extend(new.filter(|_| is_freed).map(|(_, new)| *new));
            doubled.frees.iter().for_each(|&op| b.body.erase(op));
            b.body.erase(doubled.alloc);
        }
    }
    // Epilogue: the last iteration, which starts no transfer.
    go_behind(&mut b, l.0);
    let results: Vec<Value> = b.body[l.0].results().collect();
    let uses = b.body.uses();
    let used: Vec<Vec<Use>> = results
        .iter()
        .map(|&result| uses.of(result).to_vec())
        .collect();
    let last = offset(&mut b, &lower, distance);
    let block = l.block(b.body);
    let values = copy_iteration(&mut b, block, last, &results);
    for (uses, value) in used.iter().zip(values) {
        for used in uses {
            b.body[used.op].operands[used.operand as usize] = value;
        }
    }
    for memory in to_free {
        b.create(b.state(memref::DEALLOC).operands(&[memory]));
    }
    // Steady state: each iteration but the last starts the transfers of the next.
    b.set(InsertPoint::Start(block));
    let step = l.step(ctx, b.body);
    let next = offset(&mut b, &(ctx.identity_map(1), vec![counter]), step);
    for transfer in transfers {
        start_at(&mut b, l, transfer, next);
    }
    for transfer in transfers {
        b.body.erase(transfer.start);
    }
    let joint = JointBounds::of(ctx, &[bound(&lower)]);
    let end = ctx.affine_add(joint.exprs[0][0], ctx.affine_const(distance));
    let (map, operands) = joint.compact(ctx, &[end]);
    l.set_upper(ctx, body, bound(&(map, operands)));
}

/// Allocates double the memory in front of a loop.
fn double(ctx: &Context, body: &mut Body, l: ForOp, doubled: &Doubled) -> Value {
    let alloc = &body[doubled.alloc];
    let (name, properties, attributes) = (alloc.name, alloc.properties, alloc.attributes);
    let mut ty = body.ty(doubled.memref).memref(ctx).cloned();
    if let Some(ty) = &mut ty {
        ty.shape = std::iter::once(2).chain(ty.shape.iter().copied()).collect();
    }
    let old = body.ty(doubled.memref);
    let ty = ty.map_or(old, |ty| ctx.intern_type(TypeKind::MemRef(ty)));
    let mut b = Builder::before(ctx, body, l.0);
    let new = b.create(b.state(name).results(&[ty]));
    b.body[new].properties = properties;
    b.body[new].attributes = attributes;
    b.body[new].result(0)
}

/// The half of the doubled memory that an iteration uses: its number modulo 2.
fn half_of(ctx: &Context, lower: &MapWithOperands, step: i64, counter: Value) -> MapWithOperands {
    let counted = (ctx.identity_map(1), vec![counter]);
    let joint = JointBounds::of(ctx, &[bound(&counted), bound(lower)]);
    let distance = joint.difference(ctx, joint.exprs[0][0], joint.exprs[1][0]);
    let number = ctx.affine_binary(AffineOp::FloorDiv, distance, ctx.affine_const(step));
    let half = ctx.affine_binary(AffineOp::Mod, number, ctx.affine_const(2));
    joint.compact(ctx, &[half])
}

/// Redirects an operation to its half of doubled memory.
fn redirect(
    ctx: &Context,
    body: &mut Body,
    op: OpId,
    (old, new): (Value, Value),
    half: &MapWithOperands,
) {
    let maps: &[(Inherent<AffineMapAttr>, bool)] = match body[op].name {
        affine::DMA_START => &[
            (inherent::SRC_MAP, true),
            (inherent::DST_MAP, true),
            (inherent::TAG_MAP, true),
        ],
        affine::DMA_WAIT => &[(inherent::TAG_MAP, true)],
        _ => &[(inherent::MAP, false)],
    };
    let mut at = usize::from(Access::cast(body, op).is_some_and(|access| access.is_store));
    for &(name, is_attribute) in maps {
        let Some(map) = body[op].get(ctx, name) else {
            return;
        };
        let count = map.num_inputs(ctx);
        if body[op].operands[at] != old {
            at += 1 + count;
            continue;
        }
        let own = (map, body[op].operands[at + 1..at + 1 + count].to_vec());
        let joint = JointBounds::of(ctx, &[bound(half), bound(&own)]);
        let results: Vec<AffineExpr> = joint.exprs.concat();
        let (map, operands) = joint.compact(ctx, &results);
        let all = &body[op].operands;
        let all = [&all[..at], &[new], &operands, &all[at + 1 + count..]].concat();
        body[op].operands = all.into_iter().collect();
        let map = ctx.map_attr(map);
        match is_attribute {
            true => body[op].set_attribute(ctx, name, map),
            false => body[op].set_property(ctx, name, map),
        }
        at += 1 + operands.len();
    }
    // The in-bounds flag was proved for the original memref.
    gridloom::set_in_bounds(ctx, &mut body[op], false);
}

/// Emits the sum of a map and a constant.
fn offset(b: &mut Builder, form: &MapWithOperands, by: i64) -> Value {
    let ctx = b.ctx;
    let joint = JointBounds::of(ctx, &[bound(form)]);
    let sum = ctx.affine_add(joint.exprs[0][0], ctx.affine_const(by));
    let (map, operands) = joint.compact(ctx, &[sum]);
    match sum.as_constant(ctx) {
        Some(number) => b.index_constant(number),
        None => ApplyOp::create(b, map, &operands),
    }
}

/// Emits the start of the transfer of the iteration with a given counter, with the operations that
/// compute its operands.
fn start_at(b: &mut Builder, l: ForOp, transfer: &Pipelined, counter: Value) {
    let mut map = IrMapping::new();
    map.map(l.induction_var(b.body), counter);
    b.insert_copies(&transfer.slice, &mut map);
    b.insert_copy(transfer.start, &mut map);
}
