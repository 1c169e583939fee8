//! Predication: takes updates out of branches, so that a mask of each says whether it applies.
//!
//! ```text
//! %x = …                   %x = …
//! scf.if %c {              %k = affine.load %keys[%i]
//!   %k = …           ⇒     update of %h[%k] under the mask %c
//!   update of %h[%k]
//! }
//! ```
//!
//! Legal where a branch has neither results nor an else block, and holds nothing but updates, pure
//! operations that are defined whatever their operands, loads that are in range and meet what was
//! written whether the condition holds or not, and more such branches. A branch for which that does not
//! hold is one statement.

use gridloom_dialects::{affine, scf};
use gridloom_ir::{BlockId, Body, OpId, Value};

use crate::analysis::dependence::Dependences;
use crate::transform::affine_atomic_updates::Update;
use crate::transform::speculation::may_run_anyway;

/// Limit of the operations of a branch that runs whether its condition holds or not: beyond it,
/// computation costs more than branches.
const MAX_OPS: usize = 48;

/// Statement of an iteration, with the branches that it is taken out of.
pub(super) struct Masked {
    pub(super) op: OpId,
    /// The conditions of the branches, outermost first.
    pub(super) masks: Vec<Value>,
    /// The outermost branch.
    pub(super) branch: Option<OpId>,
}

/// The statements of an iteration in order.
pub(super) fn statements_of(
    deps: &mut Dependences,
    iteration: BlockId,
    updates: &[Update],
) -> Vec<Masked> {
    let body = deps.values.body;
    let mut statements = Vec::new();
    for op in body.ops(iteration) {
        if body[op].name == affine::YIELD {
            continue;
        }
        let holds = |update: &Update| op != update.store && body.is_ancestor(op, update.store);
        if updates.iter().any(holds) && is_predicable(deps, op, op, updates) {
            take_out(body, op, (op, &[]), &mut statements);
        } else {
            statements.push(Masked {
                op,
                masks: Vec::new(),
                branch: None,
            });
        }
    }
    statements
}

/// Whether what a branch holds may run wherever the outermost branch around does.
fn is_predicable(deps: &mut Dependences, op: OpId, outermost: OpId, updates: &[Update]) -> bool {
    let body = deps.values.body;
    if body[op].name != scf::IF || body[op].num_results() > 0 || body.region_block(op, 1).is_some()
    {
        return false;
    }
    let then = scf::IfOp(op).then_block(body);
    let ops: Vec<OpId> = body.ops(then).collect();
    ops.len() <= MAX_OPS
        && ops.into_iter().all(|inner| {
            let is_update = |update: &Update| update.load == inner || update.store == inner;
            match body[inner].name {
                _ if updates.iter().any(is_update) => true,
                scf::YIELD => true,
                scf::IF => is_predicable(deps, inner, outermost, updates),
                _ => may_run_anyway(deps, inner, outermost),
            }
        })
}

/// Appends the statements of a branch, with its condition behind those of the branches around.
fn take_out(body: &Body, op: OpId, around: (OpId, &[Value]), statements: &mut Vec<Masked>) {
    let (outermost, masks) = around;
    let branch = scf::IfOp(op);
    let masks = [masks, &[branch.condition(body)]].concat();
    for inner in body.ops(branch.then_block(body)) {
        match body[inner].name {
            scf::YIELD => {}
            scf::IF => take_out(body, inner, (outermost, &masks), statements),
            _ => statements.push(Masked {
                op: inner,
                masks: masks.clone(),
                branch: Some(outermost),
            }),
        }
    }
}
