//! Slices of accesses: the operations of a loop that compute their subscripts and the conditions around
//! them, so that a copy of the loop can find out what it accesses before it runs.

use std::collections::HashSet;

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::{memref, scf};
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, OpId, Value};

use crate::analysis::access::Access;
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::load_store::is_load;

/// The operations of a loop that compute the subscripts of `accesses`, loads and stores of single elements, and `others`, values in the
/// same blocks as these; with the loops and branches around the accesses. `None` where one of them has an effect.
pub(super) fn slice_of(
    body: &Body,
    root: ForOp,
    accesses: &[OpId],
    others: &[Value],
) -> Option<HashSet<OpId>> {
    let mut slice: HashSet<OpId> = HashSet::new();
    let mut values = others.to_vec();
    for &access in accesses {
        values.extend(subscripts(body, access)?);
        for op in body.ancestors(access).take_while(|&op| op != root.0) {
            let is_plain = matches!(body[op].name, affine::FOR | affine::IF | scf::FOR | scf::IF);
            if !is_plain || body[op].num_results() > 0 {
                return None;
            }
            slice.insert(op);
            values.extend(&body[op].operands);
        }
    }
    while let Some(value) = values.pop() {
        let around = |value| body.block_parent_op(body.value_block(value)?);
        let Some(op) = body.defining_op(value).or_else(|| around(value)) else {
            continue;
        };
        if !body.is_ancestor(root.0, op) || op == root.0 || slice.contains(&op) {
            continue;
        }
        for inner in body.walk_op(op) {
            if !is_without_effect(body, inner) {
                return None;
            }
            slice.insert(inner);
            values.extend(&body[inner].operands);
        }
    }
    Some(slice)
}

/// The values that the subscripts of a load or store of a single element are computed from.
pub(super) fn subscripts(body: &Body, op: OpId) -> Option<&[Value]> {
    match body[op].name {
        affine::LOAD | affine::STORE => Some(affine::Access::cast(body, op)?.operands(body)),
        _ => Some(memref::Access::cast(body, op)?.indices(body)),
    }
}

/// Whether an operation, but for those in its regions, writes nothing.
fn is_without_effect(body: &Body, op: OpId) -> bool {
    let name = body[op].name;
    let is_structure = matches!(
        name,
        affine::FOR | affine::IF | scf::FOR | scf::IF | scf::WHILE | scf::INDEX_SWITCH
    );
    is_structure || is_load(body, op) || name.has(Traits::PURE) || name.has(Traits::TERMINATOR)
}

/// Whether no load of a slice may read what the loop writes.
pub(super) fn reads_nothing_written(
    deps: &mut Dependences,
    root: ForOp,
    accesses: &[Access],
    slice: &HashSet<OpId>,
) -> bool {
    let scope = Scope::AnyIterations(root.0);
    let reads = accesses.iter().filter(|a| slice.contains(&a.op));
    reads.into_iter().all(|read| {
        let mut writes = accesses.iter().filter(|a| a.is_write);
        writes.all(|write| !deps.may_overlap(scope, read, write))
    })
}

/// Erases the copies of the operations of a loop that are not in a slice of it. `copies` has each operation with its
/// copy, in program order.
pub(super) fn erase_others(body: &mut Body, copies: &[(OpId, OpId)], slice: &HashSet<OpId>) {
    let others = copies
        .iter()
        .filter(|(op, _)| !slice.contains(op) && !body[*op].name.has(Traits::TERMINATOR));
    let mut erased: HashSet<OpId> = HashSet::new();
    let mut outermost: Vec<OpId> = Vec::new();
    for &(op, copy) in others {
        if !body.ancestors(op).any(|around| erased.contains(&around)) {
            outermost.push(copy);
        }
        erased.insert(op);
    }
    // Users before the operations whose results they use.
    for copy in outermost.into_iter().rev() {
        body.erase(copy);
    }
}
