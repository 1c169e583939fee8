//! Pipelining legality: whether a transfer may start an iteration earlier.

use std::collections::HashSet;

use gridloom_dialects::affine::{self, Access, AffinePlace, DmaStartOp, DmaWaitOp, ForOp};
use gridloom_dialects::{arith, memref};
use gridloom_ir::op::Traits;
use gridloom_ir::{BlockId, Body, Context, OpId, Value};

use gridloom_rewrite::normal::normal_form;

use crate::analysis::access::{Place, accesses_of};
use crate::analysis::alias::{Alias, Root, root_of};
use crate::analysis::dependence::Dependences;
use crate::analysis::values::AffineValues;

/// Transfer that starts an iteration ahead.
pub(super) struct Pipelined {
    pub(super) start: OpId,
    /// Backward slice of the start's operands in the loop, in order.
    pub(super) slice: Vec<OpId>,
    /// The memory that is doubled: buffer and tag.
    pub(super) doubled: Vec<Doubled>,
}

/// Memory to be doubled.
pub(super) struct Doubled {
    pub(super) alloc: OpId,
    pub(super) memref: Value,
    /// Accesses of the memref in the loop, starts and waits of transfers included.
    pub(super) users: Vec<OpId>,
    pub(super) frees: Vec<OpId>,
}

pub(in crate::transform) type Judged<T> = Result<T, &'static str>;

const MALFORMED: &str = "its operands do not match its memrefs: run the verifier on the module";

/// Plans to start a transfer an iteration ahead; `None` where the loop has no wait for it, so that
/// it may be pipelined already.
pub(super) fn judge(deps: &mut Dependences, l: ForOp, start: OpId) -> Judged<Option<Pipelined>> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let block = l.block(body);
    let parts = DmaStartOp(start).parts(ctx, body);
    let parts = parts.ok_or(MALFORMED)?;
    let waits = body
        .ops(block)
        .filter(|&op| waits_for(ctx, body, op, parts.tag));
    let behind: Vec<OpId> = waits.collect();
    let [wait] = behind[..] else {
        return Ok(None);
    };
    if !is_before(body, start, wait) {
        return Ok(None);
    }
    // An outgoing transfer is waited for at once; overlapping it is another transformation.
    if root_of(ctx, body, parts.target.memref) != Root::Value(parts.target.memref)
        || allocation(body, parts.target.memref).is_none()
    {
        return Err(
            "its destination is not a buffer that this function allocates with a static shape",
        );
    }
    match trips(&mut deps.values, l) {
        Some(2..) => {}
        Some(_) => return Err("the loop has no second iteration"),
        None => return Err("the number of iterations is not constant"),
    }
    if l.lower(ctx, body).map.results(ctx).len() != 1 {
        return Err("the lower bound of the loop is a maximum of several results");
    }
    let whole = "it does not fill all of its buffer, and the rest of a second buffer would be that of \
         another iteration";
    fills(ctx, body, parts.target, parts.num_elements)
        .then_some(())
        .ok_or(whole)?;
    let buffer = doubled(ctx, body, l, parts.target.memref, &[start, wait])?;
    let is_late = |&user: &OpId| user == start || is_before(body, wait, top(body, user, block));
    if !buffer.users.iter().all(is_late) {
        return Err("the loop uses the buffer before it waits");
    }
    let is_over = |&user: &OpId| user == start || ends_in_iteration(ctx, body, user);
    if !buffer.users.iter().all(is_over) {
        return Err("another transfer of its buffer may last beyond the iteration");
    }
    let tag = doubled(ctx, body, l, parts.tag.memref, &[start, wait])?;
    if tag.users.iter().any(|&user| user != start && user != wait) {
        return Err("other transfers have the same tag");
    }
    if let Some(why) = written_in_loop(deps, l, start) {
        return Err(why);
    }
    let operands: Vec<Value> = body[start].operands.to_vec();
    let slice = slice(body, l, &operands, &[buffer.alloc, tag.alloc])?;
    Ok(Some(Pipelined {
        start,
        slice,
        doubled: vec![buffer, tag],
    }))
}

/// The trip count of a loop, if it is constant.
pub(super) fn trips(values: &mut AffineValues, l: ForOp) -> Option<u64> {
    let (ctx, body) = (values.ctx, values.body);
    if let Some(trips) = l.constant_trip_count(ctx, body) {
        return Some(trips);
    }
    let env = values.environment_at(l.0);
    let ends = [l.lower(ctx, body), l.upper(ctx, body)];
    let [lower, upper] = ends.map(|bound| match bound.map.results(ctx) {
        [_] => values.map_exprs(l.0, bound.map, bound.operands)[0],
        _ => None,
    });
    let (lower, upper) = (lower?, upper?);
    // Bounds that do not wrap around have their true distance.
    if !values.fits(lower, env) || !values.fits(upper, env) {
        return None;
    }
    let (mut exprs, atoms) = values.compact(&[lower, upper]);
    let distance = ctx.affine_sub(exprs.pop()?, exprs.pop()?);
    let distance = normal_form(ctx, distance, atoms.len(), 0)?.as_constant(ctx)?;
    let step = u64::try_from(l.step(ctx, body))
        .ok()
        .filter(|&step| step > 0)?;
    Some(u64::try_from(distance).map_or(0, |distance| distance.div_ceil(step)))
}

/// Whether an operation waits for the transfers of a tag element.
fn waits_for(ctx: &Context, body: &Body, op: OpId, tag: AffinePlace) -> bool {
    let wait = DmaWaitOp::cast(body, op).and_then(|op| op.parts(ctx, body));
    wait.is_some_and(|(place, _)| place == tag)
}

/// Whether an operation starts no transfer, or one whose wait follows in the same block.
fn ends_in_iteration(ctx: &Context, body: &Body, op: OpId) -> bool {
    let Some(start) = DmaStartOp::cast(body, op) else {
        return true;
    };
    let tag = start.parts(ctx, body).map(|parts| parts.tag);
    let mut behind = std::iter::successors(body[op].next(), |&op| body[op].next());
    tag.is_some_and(|tag| behind.any(|op| waits_for(ctx, body, op, tag)))
}

/// The ancestor of an operation in a block, or the operation itself.
fn top(body: &Body, op: OpId, block: BlockId) -> OpId {
    body.ancestor_in_block(op, block).unwrap_or(op)
}

/// Whether one operation of a block stands before another.
pub(in crate::transform) fn is_before(body: &Body, first: OpId, second: OpId) -> bool {
    std::iter::successors(body[first].next(), |&op| body[op].next()).any(|op| op == second)
}

fn allocation(body: &Body, memref: Value) -> Option<OpId> {
    let op = body.defining_op(memref)?;
    let is_static = body[op].operands.is_empty();
    (matches!(body[op].name, memref::ALLOC | memref::ALLOCA) && is_static).then_some(op)
}

/// Whether a transfer fills all elements of a memref.
fn fills(ctx: &Context, body: &Body, target: AffinePlace, count: Value) -> bool {
    let Some(ty) = body.ty(target.memref).memref(ctx) else {
        return false;
    };
    let starts_at_0 = (target.map.results(ctx).iter()).all(|&index| match index.as_constant(ctx) {
        Some(number) => number == 0,
        // The count is an operand that is a constant.
        None => {
            target
                .operands
                .iter()
                .all(|&value| arith::constant_int(ctx, body, value) == Some(0))
                && index.tree_size(ctx) == 1
        }
    });
    let count = arith::constant_int(ctx, body, count);
    ty.layout.is_none() && starts_at_0 && count.is_some() && count == ty.num_elements()
}

/// Matches the memory of an allocation that only a loop uses, by affine accesses and transfers.
fn doubled(
    ctx: &Context,
    body: &Body,
    l: ForOp,
    memref: Value,
    [start, wait]: &[OpId; 2],
) -> Judged<Doubled> {
    let alloc = allocation(body, memref)
        .ok_or("its buffer or tag is not allocated in this function with a static shape")?;
    let ty = body.ty(memref).memref(ctx).ok_or(MALFORMED)?;
    if ty.layout.is_some() {
        return Err("its buffer or tag has a layout");
    }
    let block = l.block(body);
    let is_inside = body[alloc].parent() == Some(block);
    if !is_inside && body.is_ancestor(l.0, alloc) {
        return Err("its buffer or tag is allocated in a region nested in the body of the loop");
    }
    // An allocation outside of the loop has to be in the block of the loop, since loops around that
    // would use the same memory again.
    if !is_inside && body[alloc].parent() != body[l.0].parent() {
        return Err(
            "its buffer or tag is not allocated in the block that holds the loop: move \
             the allocation there",
        );
    }
    let (mut users, mut frees) = (Vec::new(), Vec::new());
    for op in body.walk() {
        if !body[op].operands.contains(&memref) {
            continue;
        }
        let is_in_loop = op != l.0 && body.is_ancestor(l.0, op);
        let is_use = match body[op].name {
            memref::DEALLOC => {
                let place = if is_inside {
                    Some(block)
                } else {
                    body[l.0].parent()
                };
                let is_behind = is_inside || is_before(body, l.0, op);
                if body[op].parent() != place || !is_behind {
                    return Err("its buffer or tag is freed elsewhere");
                }
                frees.push(op);
                continue;
            }
            affine::DMA_START | affine::DMA_WAIT => true,
            _ => Access::cast(body, op).is_some_and(|access| access.memref(body) == memref),
        };
        if !is_use || !is_in_loop {
            return Err(
                "its buffer or tag is used outside of the loop, or by another operation \
                 than affine loads, stores and transfers",
            );
        }
        users.push(op);
    }
    let are_there = users.contains(start) || users.contains(wait);
    are_there.then_some(()).ok_or(MALFORMED)?;
    Ok(Doubled {
        alloc,
        memref,
        users,
        frees,
    })
}

/// Conflict: whether the loop may write the memory that a transfer reads.
fn written_in_loop(deps: &mut Dependences, l: ForOp, start: OpId) -> Option<&'static str> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let source = DmaStartOp(start).parts(ctx, body)?.source.memref;
    if deps.values.block_is_inside(body.value_block(source), l.0) {
        return Some("its source is made in the loop");
    }
    let source = root_of(ctx, body, source);
    let changes = "the loop may write what is transferred";
    for op in body.walk_op(l.0) {
        let mut written: Vec<Option<Root>> = Vec::new();
        match body[op].name {
            affine::DMA_START => {
                let target = DmaStartOp(op)
                    .parts(ctx, body)
                    .map(|parts| parts.target.memref);
                written.push(target.map(|target| root_of(ctx, body, target)));
            }
            // The transfer of a wait is checked at its start, or is unknown.
            affine::DMA_WAIT => {
                let tag = DmaWaitOp(op).parts(ctx, body).map(|(tag, _)| tag.memref);
                let is_own = body.walk_op(l.0).into_iter().any(|other| {
                    let parts = DmaStartOp::cast(body, other).and_then(|op| op.parts(ctx, body));
                    parts.is_some_and(|parts| Some(parts.tag.memref) == tag)
                });
                if !is_own {
                    written.push(None);
                }
            }
            _ => {
                let mut found = Vec::new();
                accesses_of(&mut deps.values, op, &mut found);
                for access in found.into_iter().filter(|access| access.is_write) {
                    written.push(match access.place {
                        Place::Element { root, .. } | Place::Somewhere(root) => Some(root),
                        Place::Anything => None,
                    });
                }
            }
        }
        let shares = |block: Option<BlockId>| !deps.values.block_is_inside(block, l.0);
        let may_be_source = |root: &Option<Root>| {
            root.is_none_or(|root| deps.aliases.relate(source, root, &shares) != Alias::No)
        };
        if written.iter().any(may_be_source) {
            return Some(changes);
        }
    }
    None
}

/// Backward slice in a loop: the operations that compute values from its counter and from values
/// outside, in order, doubled memory excepted.
pub(in crate::transform) fn slice(
    body: &Body,
    l: ForOp,
    values: &[Value],
    doubled: &[OpId],
) -> Judged<Vec<OpId>> {
    let mut needed: HashSet<OpId> = HashSet::new();
    let mut open = values.to_vec();
    while let Some(value) = open.pop() {
        if !body.is_defined_in(value, l.0) {
            continue;
        }
        let Some(op) = body.defining_op(value) else {
            match value == l.induction_var(body) {
                true => continue,
                false => {
                    return Err("its operands depend on what the iteration before has computed");
                }
            }
        };
        if doubled.contains(&op) {
            continue;
        }
        let is_free = body[op].name.has(Traits::PURE) && body[op].inline_regions().is_empty();
        if !is_free {
            return Err("its operands depend on memory or effects of the loop");
        }
        if needed.insert(op) {
            open.extend(&body[op].operands);
        }
    }
    let below = body.walk_op(l.0).into_iter();
    Ok(below.filter(|op| needed.contains(op)).collect())
}
