//! Loop unswitching: moves an invariant condition in front of the loops around it.
//!
//! ```text
//! affine.for %i = 0 to %m {                  affine.if #set()[%n] {
//!   %x = arith.addi %i, %k                     affine.for %i = 0 to %m {
//!   affine.if #set()[%n] {             ⇒         %x = arith.addi %i, %k
//!     S(%x)                                      S(%x)
//!   }                                          }
//! }                                          }
//! ```
//!
//! Legal where a loop carries no values and contains only pure operations beside the branch, and
//! where the branch has neither results nor an `else`: without the branch, an iteration does
//! nothing. The operations that compute the condition leave the loop first, if they are invariant
//! and speculatable. So a guard that the inner loop has an iteration no longer hides a perfect
//! nest.

use gridloom_dialects::{affine, scf};
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Context, OpId};

use super::loop_invariant_code_motion::is_speculatable;
use crate::analysis::effects::{Effect, effect_of};
use crate::analysis::loop_kind::is_affine_loop;

/// Moves a branch out of the affine loops around it, as far as that is legal. Returns whether it
/// left any.
pub(super) fn unswitch(ctx: &Context, body: &mut Body, branch: OpId) -> bool {
    let mut changed = false;
    while let Some(around) = enclosing(ctx, body, branch) {
        around.apply(body, branch);
        changed = true;
    }
    changed
}

/// Loop that a branch can leave, with the operations to move out first.
struct Enclosing {
    op: OpId,
    condition: Vec<OpId>,
}

/// The closest loop around a branch, if the branch can leave it.
fn enclosing(ctx: &Context, body: &Body, branch: OpId) -> Option<Enclosing> {
    let block = body[branch].parent()?;
    let op = body.block_parent_op(block)?;
    let is_loop = is_affine_loop(body, op);
    let is_branch = matches!(body[branch].name, affine::IF | scf::IF)
        && body[branch].num_results() == 0
        && (body.region_block(branch, 1)).is_none_or(|other| body.ops(other).count() <= 1);
    if !is_loop || body[op].num_results() > 0 || !is_branch {
        return None;
    }
    let is_quiet = |inner: OpId| {
        body[inner].inline_regions().is_empty() && effect_of(body, inner) == Effect::None
    };
    let mut others = (body.ops(block)).filter(|&inner| inner != branch);
    if !others.all(|inner| body[inner].name.has(Traits::TERMINATOR) || is_quiet(inner)) {
        return None;
    }
    let mut condition = Vec::new();
    let mut left = body[branch].operands.to_vec();
    while let Some(value) = left.pop() {
        if body.value_block(value) != Some(block) {
            continue;
        }
        // A loop counter has no defining operation.
        let inner = body.defining_op(value)?;
        if !is_speculatable(ctx, body, inner) {
            return None;
        }
        if !condition.contains(&inner) {
            condition.push(inner);
            left.extend(body[inner].operands.iter().copied());
        }
    }
    let condition = (body.ops(block)).filter(|inner| condition.contains(inner));
    Some(Enclosing {
        op,
        condition: condition.collect(),
    })
}

impl Enclosing {
    fn apply(&self, body: &mut Body, branch: OpId) {
        for &inner in &self.condition {
            body.detach(inner);
            body.insert_before(self.op, inner);
        }
        let then = body.region_block(branch, 0);
        let statements: Vec<OpId> = then.into_iter().flat_map(|then| body.ops(then)).collect();
        let Some((&end, statements)) = statements.split_last() else {
            return;
        };
        for &statement in statements {
            body.detach(statement);
            body.insert_before(branch, statement);
        }
        body.detach(branch);
        body.insert_before(self.op, branch);
        body.detach(self.op);
        body.insert_before(end, self.op);
    }
}
