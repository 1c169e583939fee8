//! Several buffers of one type as slots of one: the places along a first dimension.
//!
//! ```text
//! affine.load %buffer[%j]   ⇒   affine.load %slots[%i mod 2, %j]
//! ```

use gridloom_dialects::affine::{self, Access, ApplyOp};
use gridloom_dialects::{gridloom, inherent, memref};
use gridloom_ir::affine::AffineOp;
use gridloom_ir::op::{AffineMapAttr, Inherent};
use gridloom_ir::{AffineExpr, Body, Builder, Context, OpId, TypeKind, Value};

use super::emit_loops::{MapWithOperands, bound};
use super::joint_bounds::JointBounds;

/// Allocates so many slots for buffers like that of an allocation of known size and without a layout.
pub(super) fn allocate_slots(b: &mut Builder, like: OpId, count: i64) -> Value {
    let ctx = b.ctx;
    let alloc = &b.body[like];
    let (name, properties, attributes) = (alloc.name, alloc.properties, alloc.attributes);
    let old = b.body.ty(alloc.result(0));
    let mut ty = old.memref(ctx).cloned();
    if let Some(ty) = &mut ty {
        ty.shape = std::iter::once(count)
            .chain(ty.shape.iter().copied())
            .collect();
    }
    let ty = ty.map_or(old, |ty| ctx.intern_type(TypeKind::MemRef(ty)));
    let new = b.create(b.state(name).results(&[ty]));
    b.body[new].properties = properties;
    b.body[new].attributes = attributes;
    b.body[new].result(0)
}

/// The number of an iteration of a loop with this lower bound, step and counter, `shift` more, modulo the number of slots.
pub(super) fn slot_of(
    ctx: &Context,
    (lower, step, counter): (&MapWithOperands, i64, Value),
    shift: i64,
    slots: i64,
) -> MapWithOperands {
    let counted = (ctx.identity_map(1), vec![counter]);
    let joint = JointBounds::of(ctx, &[bound(&counted), bound(lower)]);
    let distance = joint.difference(ctx, joint.exprs[0][0], joint.exprs[1][0]);
    let number = ctx.affine_binary(AffineOp::FloorDiv, distance, ctx.affine_const(step));
    let number = ctx.affine_add(number, ctx.affine_const(shift));
    let slot = ctx.affine_binary(AffineOp::Mod, number, ctx.affine_const(slots));
    joint.compact(ctx, &[slot])
}

/// Whether an operation accesses a memref as [`redirect`] can redirect it.
pub(super) fn is_redirectable(body: &Body, op: OpId, memref: Value) -> bool {
    match body[op].name {
        affine::DMA_START | affine::DMA_WAIT | memref::DMA_START | memref::DMA_WAIT => true,
        memref::LOAD => true,
        memref::STORE => body[op].operands[0] != memref,
        _ => Access::cast(body, op).is_some_and(|access| access.memref(body) == memref),
    }
}

/// Redirects an operation from a buffer to its slot.
pub(super) fn redirect(
    ctx: &Context,
    body: &mut Body,
    op: OpId,
    (old, new): (Value, Value),
    slot: &MapWithOperands,
) {
    let maps: &[(Inherent<AffineMapAttr>, bool)] = match body[op].name {
        affine::DMA_START => &[
            (inherent::SRC_MAP, true),
            (inherent::DST_MAP, true),
            (inherent::TAG_MAP, true),
        ],
        affine::DMA_WAIT => &[(inherent::TAG_MAP, true)],
        _ if Access::cast(body, op).is_some() => &[(inherent::MAP, false)],
        _ => return redirect_indexed(ctx, body, op, (old, new), slot),
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
        let joint = JointBounds::of(ctx, &[bound(slot), bound(&own)]);
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

/// Redirects an operation of `memref`, whose subscripts are operands.
fn redirect_indexed(
    ctx: &Context,
    body: &mut Body,
    op: OpId,
    (old, new): (Value, Value),
    slot: &MapWithOperands,
) {
    let mut b = Builder::before(ctx, body, op);
    let slot = offset(&mut b, slot, 0);
    let operands = body[op].operands.iter().flat_map(|&operand| {
        let is_buffer = operand == old;
        let first = if is_buffer { new } else { operand };
        std::iter::once(first).chain(is_buffer.then_some(slot))
    });
    body[op].operands = operands.collect();
    gridloom::set_in_bounds(ctx, &mut body[op], false);
}

/// Emits the sum of a map and a constant.
pub(super) fn offset(b: &mut Builder, form: &MapWithOperands, by: i64) -> Value {
    let ctx = b.ctx;
    let joint = JointBounds::of(ctx, &[bound(form)]);
    let sum = ctx.affine_add(joint.exprs[0][0], ctx.affine_const(by));
    let (map, operands) = joint.compact(ctx, &[sum]);
    match sum.as_constant(ctx) {
        Some(number) => b.index_constant(number),
        None => ApplyOp::create(b, map, &operands),
    }
}
