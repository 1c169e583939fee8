//! Side effects of operations.

use gridloom_dialects::{affine, bufferization, gpu, memref, scf, vector};
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, OpId};

/// An effect, from the least to the greatest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Effect {
    /// Pure: the same operands always give the same results.
    None,
    /// Allocates memory, which no earlier operation can access.
    Allocates,
    /// Reads memory.
    Reads,
    /// Writes memory, or has any other effect: output, a jump, a loop without end.
    Writes,
}

/// The effect of an operation, without that of its regions.
pub fn effect_of(body: &Body, op: OpId) -> Effect {
    let data = &body[op];
    match data.name {
        // A loop may not terminate.
        scf::WHILE => Effect::Writes,
        // Subgroup operations: their results depend on which threads run them together.
        gpu::SHUFFLE | gpu::ROTATE | gpu::SUBGROUP_BROADCAST | gpu::SUBGROUP_MMA_COMPUTE => {
            Effect::Writes
        }
        affine::LOAD | affine::VECTOR_LOAD | bufferization::TO_TENSOR | memref::LOAD => {
            Effect::Reads
        }
        vector::LOAD
        | vector::MASKEDLOAD
        | vector::EXPANDLOAD
        | vector::GATHER
        | vector::TRANSFER_READ
        | gpu::SUBGROUP_MMA_LOAD_MATRIX => Effect::Reads,
        memref::ALLOC | memref::ALLOCA => Effect::Allocates,
        // Without a token, nobody waits for it.
        gpu::ALLOC if data.num_results() == 1 => Effect::Allocates,
        // On tensors these make a new value and write no memory.
        bufferization::MATERIALIZE_IN_DESTINATION | vector::TRANSFER_WRITE
            if data.num_results() == 1 =>
        {
            Effect::Reads
        }
        _ if data.isolated().is_some() || !data.successors().is_empty() => Effect::Writes,
        name if name.has(Traits::PURE)
            || name.has(Traits::RECURSIVE_EFFECTS)
            || name.has(Traits::TERMINATOR) =>
        {
            Effect::None
        }
        _ => Effect::Writes,
    }
}

/// The effects of all operations of a body, those of their regions included,
/// as they were when this was made.
#[derive(Debug)]
pub struct Effects {
    by_op: Vec<Effect>,
}

impl Effects {
    /// Computes the effects in one pass over a body.
    pub fn of(body: &Body) -> Self {
        Self::in_order(body, &body.walk())
    }

    /// As [`Effects::of`], given the [walk](Body::walk) of the body.
    pub(crate) fn in_order(body: &Body, order: &[OpId]) -> Self {
        let mut by_op = vec![Effect::Writes; body.op_capacity()];
        for &op in order {
            by_op[op.index()] = effect_of(body, op);
        }
        // From the inside out: an operation comes before its regions.
        for &op in order.iter().rev() {
            if let Some(parent) = body.parent_op(op) {
                by_op[parent.index()] = by_op[parent.index()].max(by_op[op.index()]);
            }
        }
        Effects { by_op }
    }

    /// The effect of an operation; of one created later, the greatest.
    pub fn get(&self, op: OpId) -> Effect {
        let known = self.by_op.get(op.index());
        known.copied().unwrap_or(Effect::Writes)
    }
}
