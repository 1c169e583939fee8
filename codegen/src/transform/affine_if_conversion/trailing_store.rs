//! Trailing store: a branch of a condition ends with a store under a condition of its own, which goes behind
//! both branches.
//!
//! ```text
//! scf.if %c {                                 %f = scf.if %c -> i1 {
//!   …                                           …
//!   scf.if %d {                                 scf.yield %d
//!     affine.store %one, %changed[0]    ⇒     } else {
//!   }                                           affine.store %x, %a[%i]
//! } else {                                      scf.yield %false
//!   affine.store %x, %a[%i]                   }
//! }                                           scf.if %f {
//!                                               affine.store %one, %changed[0]
//!                                             }
//! ```
//!
//! Always legal: only the store comes after the rest of its branch, and what it takes is from outside. So
//! the store is one that a branch of the loop makes ([`flag`](super::flag)), and the stores before it
//! are the last ones of their branch ([`common_stores`](mod@super::common_stores)). Where the other branch is
//! empty, [`nested`](super::nested) does as much.

use gridloom_dialects::{affine, scf};
use gridloom_ir::{Body, Builder, Context, OpId, Value};

use super::common_stores::with_more_results;
use crate::analysis::load_store::is_store;

/// Store under a condition with which a branch ends.
pub(super) struct TrailingStore {
    op: OpId,
    /// The branch that ends with it: 0 or 1.
    region: usize,
    /// The inner condition, with the store.
    inner: OpId,
}

/// Matches a store under a condition with which a branch of a condition in a loop ends.
pub(super) fn trailing_store(body: &Body, op: OpId) -> Option<TrailingStore> {
    let is_condition = matches!(body[op].name, scf::IF | affine::IF);
    let is_loop = |op: OpId| matches!(body[op].name, affine::FOR | affine::PARALLEL | scf::FOR);
    if !is_condition || !body.ancestors(op).any(is_loop) {
        return None;
    }
    let branches = [0, 1].map(|region| {
        let block = body.region_block(op, region)?;
        body.without_terminator(block).pop()
    });
    let [Some(first), Some(second)] = branches else {
        return None;
    };
    let found = [first, second].into_iter().enumerate();
    let mut found = found.filter(|&(_, inner)| stores_only(body, op, inner));
    let (region, inner) = found.next()?;
    Some(TrailingStore { op, region, inner })
}

/// Whether an operation is a condition that does nothing but store, of values from outside of `op`.
fn stores_only(body: &Body, op: OpId, inner: OpId) -> bool {
    let own = body.region_block(inner, 0);
    let (Some(block), None) = (own, body.region_block(inner, 1)) else {
        return false;
    };
    let ops: Vec<OpId> = body.ops(block).collect();
    let &[store, _] = &ops[..] else {
        return false;
    };
    body[inner].name == scf::IF
        && is_store(body, store)
        && (body[store].operands.iter()).all(|&value| !body.is_defined_in(value, op))
}

impl TrailingStore {
    /// Moves the store behind the condition, which gets a result: whether to store.
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        let own = body[self.inner].operands[0];
        let mut b = Builder::before(ctx, body, self.op);
        let no: Value = b.constant(ctx.bool_attr(false), ctx.bool_type());
        let mut values = [own, no];
        if self.region == 1 {
            values.reverse();
        }
        let Some(new) = with_more_results(ctx, body, self.op, &[values]) else {
            return;
        };
        if let Some(stores) = body[new].results().last() {
            body.detach(self.inner);
            body[self.inner].operands[0] = stores;
            body.insert_after(new, self.inner);
        }
    }
}
