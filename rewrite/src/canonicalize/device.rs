//! `gpu`: folds ids in dimensions of size 1, drops waits, barriers and copies
//! without effect, and marks reductions uniform.

use gridloom_dialects::{gpu, inherent, memref};
use gridloom_ir::{OpId, Value};

use super::memory::look_through_casts;
use crate::canonicalize::rules::Family;
use crate::rewriter::Rewriter;

/// Rewrites by root operation.
pub(super) const RULES: Family = &[
    (gpu::LAUNCH, &[|rw, op| fold_ids(rw, gpu::LaunchOp(op))]),
    (gpu::WAIT, &[simplify_wait]),
    (gpu::BARRIER, &[join_barriers]),
    (
        gpu::MEMCPY,
        &[drop_self_copy, drop_unread_copy, look_through_casts],
    ),
    (gpu::MEMSET, &[look_through_casts]),
    (gpu::ALL_REDUCE, &[mark_uniform]),
    (gpu::SUBGROUP_REDUCE, &[mark_uniform]),
    (gpu::SUBGROUP_BROADCAST, &[drop_second_broadcast]),
];

/// `launch blocks(%b) in (%n = 1) { … %b … } ⇒ { … 0 … }`, for block and thread ids.
fn fold_ids(rw: &mut Rewriter, op: gpu::LaunchOp) -> Option<()> {
    let (sizes, args) = (op.sizes(rw.ctx, rw.body()), op.args(rw.body()));
    let grid = sizes.grid.into_iter().zip(args.block_id);
    let block = sizes.block.into_iter().zip(args.thread_id);
    let inside = rw.body()[op.block(rw.body())].first()?;
    let mut changed = None;
    for (size, id) in grid.chain(block) {
        if rw.look(op.0).is_int(size, 1) && !rw.is_unused(id) {
            let zero = rw.splat(0, rw.ctx.index_type(), inside)?;
            rw.replace(id, zero);
            changed = Some(());
        }
    }
    changed
}

/// Drops tokens of waits for nothing from the operands. Then `%t = wait [%u] ⇒
/// %u`, and a wait for nothing is erased, as is one whose token is unused.
fn simplify_wait(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let mut tokens = rw.body()[op].operands.to_vec();
    let is_idle = |token: &Value| {
        let maker = rw.look(op).maker(*token, gpu::WAIT);
        maker.is_some_and(|wait| wait.operands.is_empty())
    };
    let before = tokens.len();
    tokens.retain(|token| !is_idle(token));
    let result = rw.body()[op].results().next();
    match (&tokens[..], result) {
        ([], None) => rw.erase(op),
        (&[token], Some(_)) => rw.replace_op(op, &[token]),
        (_, Some(result)) if rw.is_unused(result) => rw.erase(op),
        _ if tokens.len() < before => rw.set_operands(op, &tokens),
        _ => return None,
    }
    Some(())
}

/// `barrier; barrier ⇒ barrier`.
fn join_barriers(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let before = rw.body()[op].prev()?;
    if rw.body()[before].name != gpu::BARRIER {
        return None;
    }
    rw.erase(op);
    Some(())
}

/// `memcpy %m, %m ⇒ (nothing)` if it gives no token.
fn drop_self_copy(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let [target, source]: [Value; 2] = rw.look(op).operands()?;
    if target != source || rw.body()[op].num_results() > 0 {
        return None;
    }
    rw.erase(op);
    Some(())
}

/// `%m = alloc(); memcpy %m, %s; dealloc %m ⇒ %m = alloc(); dealloc %m` if nothing else uses `%m`.
/// Users of the copy's token wait for its dependency instead.
fn drop_unread_copy(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let body = rw.body();
    let data = &body[op];
    let (waits, &[target, source]) = data.operands.split_last_chunk()?;
    let maker = body.defining_op(target)?;
    let is_new = matches!(
        body[maker].name,
        memref::ALLOC | memref::ALLOCA | gpu::ALLOC
    );
    let frees = |user: OpId| matches!(body[user].name, memref::DEALLOC | gpu::DEALLOC);
    let is_unread = rw
        .users(target)
        .into_iter()
        .all(|user| user == op || frees(user));
    let waits = waits.to_vec();
    if !is_new || !is_unread || source == target || waits.len() != data.num_results() {
        return None;
    }
    rw.replace_op(op, &waits);
    Some(())
}

/// `all_reduce … ⇒ all_reduce … uniform` in the first block of a launch, which all threads execute.
fn mark_uniform(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let body = rw.body();
    let launch = gpu::LaunchOp::cast(body, body.parent_op(op)?)?;
    let is_first = body[op].parent() == Some(launch.block(body));
    if !is_first || body[op].has_attr(rw.ctx, inherent::UNIFORM) {
        return None;
    }
    let unit = rw.ctx.unit_attr();
    rw.set_property(op, inherent::UNIFORM, unit);
    Some(())
}

/// `broadcast (broadcast %x) ⇒ broadcast %x` in one block. In different blocks,
/// threads may hold values from different iterations of a loop.
fn drop_second_broadcast(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let body = rw.body();
    let source = *body[op].operands.first()?;
    let first = body.defining_op(source)?;
    let is_near = body[first].parent() == body[op].parent();
    if body[first].name != gpu::SUBGROUP_BROADCAST || !is_near {
        return None;
    }
    rw.replace_op(op, &[source]);
    Some(())
}
