//! Emission of the software pipeline: prologue, steady state, epilogue.

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::memref;
use gridloom_ir::body::Use;
use gridloom_ir::{Body, Builder, Context, InsertPoint, IrMapping, Value};

use super::Plan;
use super::legality::Pipelined;
use crate::transform::affine_loop_unroll::copy_iteration;
use crate::transform::buffer_slots::{allocate_slots, offset, redirect, slot_of};
use crate::transform::emit_loops::{bound, go_behind, owned};
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
        .map(|doubled| {
            let mut b = Builder::before(ctx, body, l.0);
            (doubled.memref, allocate_slots(&mut b, doubled.alloc, 2))
        })
        .collect();
    let counter = l.induction_var(body);
    let half = slot_of(ctx, (&lower, l.step(ctx, body), counter), 0, 2);
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

/// Emits the start of the transfer of the iteration with a given counter, with the operations that
/// compute its operands.
fn start_at(b: &mut Builder, l: ForOp, transfer: &Pipelined, counter: Value) {
    let mut map = IrMapping::new();
    map.map(l.induction_var(b.body), counter);
    b.insert_copies(&transfer.slice, &mut map);
    b.insert_copy(transfer.start, &mut map);
}
