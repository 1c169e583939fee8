//! Structured rewrites of blocks: merging, `scf.if`, `scf.while`.

use std::collections::{HashMap, HashSet};

use gridloom_dialects::{arith, cf, scf};
use gridloom_ir::{BlockId, Body, Builder, Context, InsertPoint, Loc, OpId, Type, Value};

use super::LoopForm;
use super::flow::Edge;

/// Appends to `block` its only successor.
pub(super) fn merge(body: &mut Body, block: BlockId, edge: &Edge) {
    if let Some(branch) = body[block].last() {
        body.erase(branch);
    }
    let args = body[edge.to].args.to_vec();
    body.move_ops(edge.to, block);
    body.remove_block(edge.to);
    replace(body, args.into_iter().zip(edge.operands.iter().copied()));
}

/// Replaces a conditional branch whose arms join in `join` by an `scf.if` and a branch to `join`.
/// An arm is the branch at the end of a block that only the conditional enters; `None` where the
/// edge leads to the join itself.
pub(super) fn make_if(
    ctx: &Context,
    body: &mut Body,
    block: BlockId,
    condition: Value,
    edges: &[Edge; 2],
    arms: [Option<Edge>; 2],
    join: BlockId,
) {
    let types: Vec<Type> = body[join].args.iter().map(|&arg| body.ty(arg)).collect();
    let Some(branch) = body[block].last() else {
        return;
    };
    let mut b = Builder::before(ctx, body, branch);
    let new = scf::IfOp::create(&mut b, condition, &types, true);
    let results: Vec<Value> = b.body[new.0].results().collect();
    b.create(b.state(cf::BR).operands(&results));
    let leave = b.body[new.0].next();
    body.erase(branch);
    if let Some(leave) = leave {
        body[leave].set_successors(&[join]);
    }
    let mut replaced = Vec::new();
    for (side, (edge, arm)) in edges.iter().zip(arms).enumerate() {
        let Some(into) = body.region_block(new.0, side) else {
            continue;
        };
        let is_arm = edge.to != join;
        let given = match arm.filter(|_| is_arm) {
            Some(end) => {
                if let Some(last) = body[edge.to].last() {
                    body.erase(last);
                }
                let args = body[edge.to].args.to_vec();
                replaced.extend(args.into_iter().zip(edge.operands.iter().copied()));
                body.move_ops(edge.to, into);
                body.remove_block(edge.to);
                end.operands
            }
            None => edge.operands.clone(),
        };
        let mut b = Builder::new(ctx, body, InsertPoint::End(into), Loc::UNKNOWN);
        b.create(b.state(scf::YIELD).operands(&given));
    }
    replace(body, replaced.into_iter());
}

/// Replaces a loop whose header is `head` by an `scf.while` in it and a branch to the exit. Values
/// of the header with other uses are passed through the `scf.condition`.
pub(super) fn make_loop(
    ctx: &Context,
    body: &mut Body,
    head: BlockId,
    condition: Value,
    edges: &[Edge; 2],
    form: LoopForm,
) {
    let Some(branch) = body[head].last() else {
        return;
    };
    let (stays, leaves) = (&edges[form.stays], &edges[1 - form.stays]);
    let passed = passed_on(body, head, branch);
    let carried = body[head].args.to_vec();
    let types: Vec<Type> = passed.iter().map(|&value| body.ty(value)).collect();
    let ops: Vec<OpId> = body.ops(head).filter(|&op| op != branch).collect();
    let mut b = Builder::before(ctx, body, branch);
    let new = scf::WhileOp::create(&mut b, &carried, &types);
    let exit = b.create(b.state(cf::BR).operands(&leaves.operands));
    let (before, after) = (new.before(b.body), new.after(b.body));
    for op in ops {
        b.body.detach(op);
        b.body.append(before, op);
    }
    b.set(InsertPoint::End(before));
    let goes_on = match form.stays {
        0 => condition,
        _ => {
            let yes = b.constant(ctx.bool_attr(true), ctx.bool_type());
            b.binary(arith::XORI, condition, yes)
        }
    };
    scf::condition(&mut b, before, goes_on, &passed);
    b.body.erase(branch);
    b.body[exit].set_successors(&[leaves.to]);

    let mut inside: HashMap<Value, Value> = HashMap::new();
    let next = match form.back {
        Some(back) => {
            if let Some(last) = body[stays.to].last() {
                body.erase(last);
            }
            let args = body[stays.to].args.to_vec();
            inside.extend(args.into_iter().zip(stays.operands.iter().copied()));
            body.move_ops(stays.to, after);
            body.remove_block(stays.to);
            back.operands
        }
        None => stays.operands.clone(),
    };
    let mut b = Builder::new(ctx, body, InsertPoint::End(after), Loc::UNKNOWN);
    scf::yield_values(&mut b, after, &next);

    rename_uses(body, new, [&carried, &passed], &inside);
}

/// Renames the values of a loop's header at their uses: to arguments of the loop's first region there, to those of the second
/// one there, and to results of the loop elsewhere. `inside` has what the arguments of the block in the second region were.
fn rename_uses(
    body: &mut Body,
    new: scf::WhileOp,
    [carried, passed]: [&[Value]; 2],
    inside: &HashMap<Value, Value>,
) {
    let (before, after) = (new.before(body), new.after(body));
    let paired = |from: &[Value], to: Vec<Value>| -> HashMap<Value, Value> {
        from.iter().copied().zip(to).collect()
    };
    let in_before = paired(carried, body[before].args.to_vec());
    let in_after = paired(passed, body[after].args.to_vec());
    let elsewhere = paired(passed, body[new.0].results().collect());
    let (before_ops, after_ops) = (below(body, before), below(body, after));
    for op in body.walk() {
        let (first, second) = match op {
            op if op == new.0 => continue,
            op if before_ops.contains(&op) => (None, &in_before),
            op if after_ops.contains(&op) => (Some(inside), &in_after),
            _ => (None, &elsewhere),
        };
        for operand in body[op].operands.iter_mut() {
            let value = first
                .and_then(|first| first.get(operand))
                .unwrap_or(operand);
            *operand = *second.get(value).unwrap_or(value);
        }
    }
}

/// The values of a block that other blocks use, or that its branch passes on.
fn passed_on(body: &Body, block: BlockId, branch: OpId) -> Vec<Value> {
    let mut own: HashSet<Value> = body[block].args.iter().copied().collect();
    for op in body.ops(block) {
        own.extend(body[op].results());
    }
    let inside = below(body, block);
    let mut passed = Vec::new();
    let mut seen = HashSet::new();
    for op in body.walk() {
        if op != branch && inside.contains(&op) {
            continue;
        }
        // The condition of the branch is not passed on.
        let first = usize::from(op == branch);
        for &value in body[op].operands.iter().skip(first) {
            if own.contains(&value) && seen.insert(value) {
                passed.push(value);
            }
        }
    }
    passed
}

/// The operations of a block and all below them.
fn below(body: &Body, block: BlockId) -> HashSet<OpId> {
    let ops: Vec<OpId> = body.ops(block).collect();
    ops.into_iter().flat_map(|op| body.walk_op(op)).collect()
}

fn replace(body: &mut Body, pairs: impl Iterator<Item = (Value, Value)>) {
    let map: HashMap<Value, Value> = pairs.collect();
    if !map.is_empty() {
        body.replace_values(|value| map.get(&value).copied().unwrap_or(value));
    }
}
