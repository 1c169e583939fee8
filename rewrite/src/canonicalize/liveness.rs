//! Liveness of block arguments: drops arguments, and the operations that
//! compute them, which only feed each other around a loop.
//!
//! ```text
//!   cf.br ^head(%c0, %c1)                   cf.br ^head(%c0)
//! ^head(%i, %dead):                       ^head(%i):
//!   %next = arith.addi %dead, %c1    ⇒      …
//!   …
//!   cf.br ^head(%j, %next)                  cf.br ^head(%j)
//! ```
//!
//! One walk over a region marks the operands of operations with effects live;
//! an operand of a branch is live if the block argument that it becomes is.

use std::collections::{HashMap, HashSet};

use gridloom_ir::op::Traits;
use gridloom_ir::{BlockId, OpId, RegionId, Value};

use super::branch::{edges, set_edges};
use crate::effects::{Effect, effect_of};
use crate::rewriter::Rewriter;

struct Liveness {
    values: HashSet<Value>,
    stack: Vec<Value>,
    /// The values that branches pass to each argument.
    passed: HashMap<Value, Vec<Value>>,
}

impl Liveness {
    fn mark(&mut self, values: &[Value]) {
        for &value in values {
            if self.values.insert(value) {
                self.stack.push(value);
            }
        }
    }
}

/// Removes dead block arguments of a region and the operations that only they
/// kept alive.
pub(super) fn remove_dead(rw: &mut Rewriter, region: RegionId) {
    let blocks: Vec<BlockId> = rw.body()[region].blocks.to_vec();
    let has_arguments = |&block: &BlockId| !rw.body()[block].args.is_empty();
    if !blocks.iter().skip(1).any(has_arguments) {
        return;
    }
    let Some(live) = find_live(rw, &blocks) else {
        return;
    };
    let mut dead_ops = Vec::new();
    for &block in &blocks {
        for op in rw.body().ops(block) {
            let data = &rw.body()[op];
            let unused = !data.results().any(|result| live.contains(&result));
            if unused && may_erase(rw, op) {
                dead_ops.push(op);
            }
        }
    }
    let is_dead = |arg: &Value| !live.contains(arg);
    let dead_args = (blocks.iter().skip(1)).any(|&block| rw.body()[block].args.iter().any(is_dead));
    if !dead_args {
        return;
    }
    for &block in &blocks {
        if let Some(last) = rw.body()[block].last() {
            keep_live_operands(rw, last, &live);
        }
    }
    for op in dead_ops.into_iter().rev() {
        rw.erase(op);
    }
    for &block in blocks.iter().skip(1) {
        let keep: Vec<bool> = (rw.body()[block].args.iter())
            .map(|arg| live.contains(arg))
            .collect();
        if keep.contains(&false) {
            rw.retain_arguments(block, |index| keep[index]);
        }
    }
}

/// Whether an operation may be erased once its results are dead.
fn may_erase(rw: &Rewriter, op: OpId) -> bool {
    let data = &rw.body()[op];
    !data.name.has(Traits::TERMINATOR)
        && data.inline_regions().is_empty()
        && effect_of(rw.body(), op) < Effect::Writes
}

/// The live values; `None` if a terminator with successors is no branch of
/// `cf`.
fn find_live(rw: &Rewriter, blocks: &[BlockId]) -> Option<HashSet<Value>> {
    let body = rw.body();
    let mut live = Liveness {
        values: HashSet::new(),
        stack: Vec::new(),
        passed: HashMap::new(),
    };
    for &block in blocks {
        for op in body.ops(block) {
            if may_erase(rw, op) {
                continue;
            }
            let data = &body[op];
            if data.successors().is_empty() {
                for inner in body.walk_op(op) {
                    live.mark(&body[inner].operands);
                }
                continue;
            }
            let mut passed = 0;
            for (target, values) in edges(rw.ctx, body, op)? {
                passed += values.len();
                for (&arg, &value) in body[target].args.iter().zip(&values) {
                    live.passed.entry(arg).or_default().push(value);
                }
            }
            // The leading operands are the condition or flag of the branch:
            // always live.
            let fixed = data.operands.len().checked_sub(passed)?;
            live.mark(&data.operands[..fixed]);
        }
    }
    while let Some(value) = live.stack.pop() {
        match body.defining_op(value) {
            Some(op) => live.mark(&body[op].operands),
            None => {
                let values = live.passed.remove(&value).unwrap_or_default();
                live.mark(&values);
            }
        }
    }
    Some(live.values)
}

fn keep_live_operands(rw: &mut Rewriter, terminator: OpId, live: &HashSet<Value>) {
    let Some(mut all) = edges(rw.ctx, rw.body(), terminator) else {
        return;
    };
    let mut changed = false;
    for (target, values) in &mut all {
        let args = &rw.body()[*target].args;
        let before = values.len();
        let mut index = 0..;
        values.retain(|_| {
            index
                .next()
                .is_some_and(|index| live.contains(&args[index]))
        });
        changed |= values.len() < before;
    }
    if changed {
        set_edges(rw, terminator, &all);
    }
}
