//! Loop versioning: a nest and a copy of it, each under a condition.

use gridloom_dialects::scf;
use gridloom_ir::{Builder, InsertPoint, IrMapping, OpId, Value};

/// Puts a copy of a nest under the first of two conditions, of which one holds, and the nest under the second. Returns the copy.
pub(crate) fn part_nest(b: &mut Builder, root: OpId, conditions: [Value; 2]) -> OpId {
    part_ops(b, &[root], conditions)[0]
}

/// Puts copies of operations, whose results nothing else uses, under the first of two conditions, of which one holds, and the
/// operations under the second. Returns the copies.
pub(crate) fn part_ops(b: &mut Builder, ops: &[OpId], conditions: [Value; 2]) -> Vec<OpId> {
    let branches = conditions.map(|condition| scf::IfOp::create(b, condition, &[], false));
    let mut names = IrMapping::new();
    let copies = ops.iter().map(|&op| b.body.clone_op(op, &mut names));
    let copies: Vec<OpId> = copies.collect();
    ops.iter().for_each(|&op| b.body.detach(op));
    for (branch, ops) in branches.into_iter().zip([&copies[..], ops]) {
        let block = branch.then_block(b.body);
        scf::yield_values(b, block, &[]);
        b.set(InsertPoint::Start(block));
        for &op in ops {
            b.insert(op);
        }
    }
    copies
}
