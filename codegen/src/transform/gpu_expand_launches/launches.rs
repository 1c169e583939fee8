//! Inline launches: lowers clusters, dynamic memory and tokens of `gpu.launch`.

use gridloom_dialects::gpu::{self, LaunchOp};
use gridloom_dialects::{arith, inherent};
use gridloom_ir::{Body, Builder, Context, InsertPoint, OpId, OpState, Value};

use super::{CLUSTER, DYNAMIC_MEMORY, arguments_of_launch, expand_ops};

/// Number of arguments of a launch's body before those of clusters: ids and sizes.
const IDS: usize = 12;

/// Expands the launches of a host function. Returns whether anything changed.
pub(super) fn expand(ctx: &Context, body: &mut Body) -> bool {
    let mut changed = false;
    for op in body.walk_named(|name| name == gpu::LAUNCH) {
        let arguments = arguments_of_launch(ctx, body, op);
        let block = LaunchOp(op).block(body);
        let ops = body.walk_op(op);
        changed |= expand_ops(ctx, body, &ops, Some(block), &arguments);
        changed |= expand_clusters(ctx, body, op);
        if arguments.bytes.is_some() {
            changed |= drop_segments(ctx, body, op, &[DYNAMIC_MEMORY]);
        }
        changed |= expand_tokens(ctx, body, op);
    }
    changed
}

/// Replaces cluster arguments of the body by arithmetic on those of workgroups.
fn expand_clusters(ctx: &Context, body: &mut Body, op: OpId) -> bool {
    let launch = LaunchOp(op);
    if !launch.has_cluster(ctx, body) {
        return false;
    }
    let block = launch.block(body);
    let args = body[block].args.to_vec();
    let loc = body[op].loc;
    for (dim, segment) in CLUSTER.enumerate() {
        let [size] = *body[op].operand_segment(ctx, segment) else {
            return false;
        };
        let mut b = Builder::new(ctx, body, InsertPoint::Start(block), loc);
        let id = b.binary(arith::DIVUI, args[dim], size);
        body.replace_uses(args[IDS + dim], id);
        body.replace_uses(args[IDS + 3 + dim], size);
    }
    body.retain_arguments(block, |arg| !(IDS..IDS + 6).contains(&arg));
    let segments: Vec<usize> = CLUSTER.collect();
    drop_segments(ctx, body, op, &segments)
}

/// Expands the tokens of a launch to waits: one before it for its dependencies, one behind it for
/// its own token.
fn expand_tokens(ctx: &Context, body: &mut Body, op: OpId) -> bool {
    let tokens = body[op].operand_segment(ctx, 0).to_vec();
    let results: Vec<Value> = body[op].results().collect();
    if tokens.is_empty() && results.is_empty() {
        return false;
    }
    if !tokens.is_empty() {
        let mut b = Builder::before(ctx, body, op);
        b.create(b.state(gpu::WAIT).operands(&tokens));
        drop_segments(ctx, body, op, &[0]);
    }
    if let [token] = results[..] {
        // The results of an operation are fixed, so a copy without results replaces it.
        let plain = without_results(ctx, body, op);
        let ty = body.ty(token);
        let mut b = Builder::before(ctx, body, op);
        let wait = b.create(b.state(gpu::WAIT).results(&[ty]));
        let own = body[wait].result(0);
        body.insert_before(wait, plain);
        body.replace_uses(token, own);
        body.erase(op);
    }
    true
}

/// Copies a launch without its token, and moves the body to the copy; it stands in no block yet.
fn without_results(ctx: &Context, body: &mut Body, op: OpId) -> OpId {
    let block = LaunchOp(op).block(body);
    let mut state = OpState::new(gpu::LAUNCH, body[op].loc).operands(&body[op].operands.clone());
    if let Some(segments) = body[op].attr(ctx, inherent::OPERAND_SEGMENT_SIZES) {
        state = state.property(ctx, inherent::OPERAND_SEGMENT_SIZES, segments);
    }
    let attributions = body[op].attr(ctx, inherent::WORKGROUP_ATTRIBUTIONS);
    let plain = body.create_op(state);
    let count = attributions.unwrap_or_else(|| ctx.i64_attr(0));
    body[plain].set_attribute(ctx, inherent::WORKGROUP_ATTRIBUTIONS, count);
    let region = body.add_region(plain);
    body.move_block(block, region, 0);
    plain
}

/// Drops the operands of some segments. Returns whether there were any.
fn drop_segments(ctx: &Context, body: &mut Body, op: OpId, dropped: &[usize]) -> bool {
    let sizes = body[op].get(ctx, inherent::OPERAND_SEGMENT_SIZES);
    let Some(mut sizes) = sizes else {
        return false;
    };
    let mut operands = Vec::new();
    for (segment, size) in sizes.iter_mut().enumerate() {
        if dropped.contains(&segment) {
            *size = 0;
        } else {
            operands.extend_from_slice(body[op].operand_segment(ctx, segment));
        }
    }
    if operands.len() == body[op].operands.len() {
        return false;
    }
    body[op].operands = operands.into();
    body[op].set_property(
        ctx,
        inherent::OPERAND_SEGMENT_SIZES,
        ctx.i32_array_attr(&sizes),
    );
    true
}
