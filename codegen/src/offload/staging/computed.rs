//! Fusion into copies: a chain of operations that depends on one staged load alone is computed
//! once, where the element is copied.
//!
//! ```text
//! %x = affine.load %a[%i, %k] : memref<…xf16>        copy: store extf (load %a[…]) to %own
//! %w = arith.extf %x : f16 to f32              ⇒     %w = load %own[…] : f32
//! … %w …                                             … %w …
//! ```
//!
//! Legal for operations that cannot fail, whose other operands are uniform in the nest, and which
//! are the only users of the loaded value. Loads that share a box have to share these operations.

use gridloom_dialects::affine::ForOp;
use gridloom_ir::{Body, OpId, Value};

use super::array::{StagedArray, StagedLoad};
use super::{Contraction, cannot_fail, scalar_width};
use crate::analysis::dependence::Dependences;

impl Contraction<'_> {
    /// Returns the chain of operations that depends on a load alone, in order.
    pub(super) fn computed_from(&self, deps: &Dependences, load: OpId) -> Vec<OpId> {
        let (ctx, body) = (deps.values.ctx, deps.values.body);
        let inside = body.walk_op(self.chunked);
        let mut found = Vec::new();
        let mut value = body[load].result(0);
        loop {
            let uses = |op: &OpId| body[*op].operands.contains(&value);
            let mut users = inside.iter().copied().filter(uses);
            let (Some(user), None) = (users.next(), users.next()) else {
                return found;
            };
            let data = &body[user];
            let is_outside = |&other: &Value| {
                other == value
                    || !deps
                        .values
                        .block_is_inside(body.value_block(other), self.root)
            };
            let is_plain = data.parent() == Some(ForOp(self.chunked).block(body))
                && data.num_results() == 1
                && data.num_regions() == 0
                && cannot_fail(deps, user)
                && data.operands.iter().all(is_outside)
                && scalar_width(ctx, body.ty(data.result(0))).is_some_and(|width| width > 1);
            if !is_plain {
                return found;
            }
            found.push(user);
            value = data.result(0);
        }
    }
}

/// Returns the array with elements of the type that the fused chain computes. Where its loads have
/// different chains, the array keeps the loaded elements.
pub(super) fn with_element(deps: &Dependences, mut array: StagedArray) -> Option<StagedArray> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let (first, others) = array.loads.split_first()?;
    if !others.iter().all(|load| are_alike(body, first, load)) {
        for load in &mut array.loads {
            load.computed.clear();
        }
        return Some(array);
    }
    if let Some(&last) = first.computed.last() {
        array.element = body.ty(body[last].result(0));
        array.bits = scalar_width(ctx, array.element)?;
    }
    Some(array)
}

/// Whether two loads have equal chains.
fn are_alike(body: &Body, a: &StagedLoad, b: &StagedLoad) -> bool {
    let mut loaded = [a.op, b.op].map(|op| body[op].result(0));
    let mut pairs = a.computed.iter().zip(&b.computed);
    let steps_are_alike = pairs.all(|(&a, &b)| {
        let data = [&body[a], &body[b]];
        let operands = data[0].operands.iter().zip(&data[1].operands);
        let is_alike = data[0].name == data[1].name
            && data[0].properties == data[1].properties
            && body.ty(data[0].result(0)) == body.ty(data[1].result(0))
            && data[0].operands.len() == data[1].operands.len()
            && (operands.clone()).all(|(&x, &y)| [x, y] == loaded || x == y);
        loaded = data.map(|data| data.result(0));
        is_alike
    });
    a.computed.len() == b.computed.len() && steps_are_alike
}
