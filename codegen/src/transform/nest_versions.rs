//! Loop versioning: a nest and a copy of it, each under a condition.

use gridloom_dialects::scf;
use gridloom_ir::{Builder, InsertPoint, IrMapping, OpId, Value};

/// Puts a copy of a nest under the first of two conditions, of which one holds, and the nest under the second. Returns the copy.
pub(crate) fn part_nest(b: &mut Builder, root: OpId, conditions: [Value; 2]) -> OpId {
    let branches = conditions.map(|condition| scf::IfOp::create(b, condition, &[], false));
    let copy = b.body.clone_op(root, &mut IrMapping::new());
    b.body.detach(root);
    for (branch, nest) in branches.into_iter().zip([copy, root]) {
        let block = branch.then_block(b.body);
        scf::yield_values(b, block, &[]);
        b.set(InsertPoint::Start(block));
        b.insert(nest);
    }
    copy
}
