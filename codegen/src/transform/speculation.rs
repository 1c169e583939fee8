//! Speculation: operations of a branch that may run whether its condition holds or not.

use gridloom_dialects::{affine, memref};
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, OpId, Value};

use super::loop_invariant_code_motion::is_speculatable;
use crate::analysis::access::accesses_of;
use crate::analysis::alias::separated_from;
use crate::analysis::bounds::dimensions_in_range;
use crate::analysis::budget::root_of_nest;
use crate::analysis::dependence::Dependences;

/// Whether an operation in a branch may run wherever the branch itself does: it is pure and defined
/// whatever its operands are, or a load that is in range there of memory that holds something, an
/// argument's or a global's.
pub(super) fn may_run_anyway(deps: &mut Dependences, op: OpId, branch: OpId) -> bool {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    match body[op].name {
        memref::LOAD | affine::LOAD => {
            let memref = body[op].operands[0];
            is_filled(body, memref) && open_dimensions(deps, op, branch, memref).is_empty()
        }
        name => {
            name.has(Traits::PURE)
                && body[op].inline_regions().is_empty()
                && is_speculatable(ctx, body, op)
        }
    }
}

/// Whether memory is an argument's or a global's, perhaps seen in another shape.
pub(super) fn is_filled(body: &Body, memref: Value) -> bool {
    let source = |&memref: &Value| {
        let op = body.defining_op(memref)?;
        let is_shape = [memref::COLLAPSE_SHAPE, memref::EXPAND_SHAPE].contains(&body[op].name);
        separated_from(body, memref).or_else(|| is_shape.then(|| body[op].operands[0]))
    };
    let origin = std::iter::successors(Some(memref), source).last();
    match origin.and_then(|origin| body.defining_op(origin)) {
        Some(op) => body[op].name == memref::GET_GLOBAL,
        None => true,
    }
}

/// The dimensions in which an access would not be proved in range if it ran wherever `place` runs.
pub(super) fn open_dimensions(
    deps: &mut Dependences,
    op: OpId,
    place: OpId,
    memref: Value,
) -> Vec<usize> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let rank = body.ty(memref).memref(ctx).map_or(0, |ty| ty.rank());
    let mut found = Vec::new();
    accesses_of(&mut deps.values, op, &mut found);
    let [access] = &mut found[..] else {
        return (0..rank).collect();
    };
    access.op = place;
    let work = deps.budgets.of(root_of_nest(body, op));
    let proved = dimensions_in_range(&mut deps.values, access, rank, work);
    (0..rank).filter(|&dim| !proved[dim]).collect()
}
