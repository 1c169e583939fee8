//! Statements of phases: which of them every thread may repeat, and how deep the analysis walks
//! into them.

use gridloom_dialects::{affine, scf};
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, OpId};

use super::load_store::is_load;

/// Depth limit of the loops and conditions around a phase.
pub(crate) const MAX_DEPTH: usize = 8;

/// Whether a statement, its regions included, only computes and loads.
pub(crate) fn is_without_writes(body: &Body, root: OpId) -> bool {
    body.walk_op(root).into_iter().all(|op| {
        let name = body[op].name;
        let is_control = matches!(
            name,
            affine::FOR | affine::IF | affine::YIELD | scf::FOR | scf::IF | scf::YIELD
        );
        is_load(body, op) || is_control || name.has(Traits::PURE)
    })
}
