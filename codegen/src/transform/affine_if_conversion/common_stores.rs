//! Common stores: both branches of a condition end with a store to the same element, which goes
//! behind it.
//!
//! ```text
//! scf.if %c {                                 %y = scf.if %c -> f32 {
//!   affine.store %x, %a[%i]                     scf.yield %x
//! } else {                              ⇒     } else {
//!   %v = affine.load %b[%i]                     %v = affine.load %b[%i]
//!   affine.store %v, %a[%i]                     scf.yield %v
//! }                                           }
//!                                             affine.store %y, %a[%i]
//! ```
//!
//! Always legal: nothing but pure operations and other stores that move as well stands between a
//! store and the end of its branch. The element is named by values from outside of both. Branches
//! that only compute and load leave a nest its tiles.

use gridloom_dialects::{affine, scf};
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Builder, Context, OpId, Type, Value};

use crate::analysis::load_store::is_store;
use crate::transform::element::Element;

/// Stores of both branches to the same elements, in their order.
pub(super) struct CommonStores {
    op: OpId,
    pairs: Vec<[OpId; 2]>,
}

/// Matches the stores with which both branches of a condition in a loop end.
pub(super) fn common_stores(ctx: &Context, body: &Body, op: OpId) -> Option<CommonStores> {
    let is_condition = matches!(body[op].name, scf::IF | affine::IF);
    let is_loop = |op: OpId| matches!(body[op].name, affine::FOR | affine::PARALLEL | scf::FOR);
    if !is_condition || !body.ancestors(op).any(is_loop) {
        return None;
    }
    let [first, second] = [0, 1].map(|region| last_stores(body, op, region));
    let element = |store: OpId| {
        let element = Element::of(ctx, body, store)?;
        let mut named_by = [element.memref].into_iter().chain(element.operands.clone());
        named_by
            .all(|v| !body.is_defined_in(v, op))
            .then_some(element)
    };
    let is_same = |&(first, second): &(OpId, OpId)| {
        body[first].name == body[second].name
            && body[first].attributes == body[second].attributes
            && element(first).is_some_and(|e| element(second) == Some(e))
    };
    let pairs = first.into_iter().zip(second).take_while(is_same);
    let mut pairs: Vec<[OpId; 2]> = pairs.map(|(first, second)| [first, second]).collect();
    pairs.reverse();
    (!pairs.is_empty()).then_some(CommonStores { op, pairs })
}

/// The stores at the end of a region, the last one first, with nothing but pure operations between
/// them.
fn last_stores(body: &Body, op: OpId, region: usize) -> Vec<OpId> {
    let Some(block) = body.region_block(op, region) else {
        return Vec::new();
    };
    let ops = body.without_terminator(block);
    let is_pure = |op: OpId| body[op].name.has(Traits::PURE) && body[op].num_regions() == 0;
    let ops = ops.into_iter().rev();
    ops.take_while(|&op| is_store(body, op) || is_pure(op))
        .filter(|&op| is_store(body, op))
        .collect()
}

impl CommonStores {
    /// Moves the stores behind the condition, which gets a result for each.
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        let values = self
            .pairs
            .iter()
            .map(|pair| pair.map(|s| body[s].operands[0]));
        let values: Vec<[Value; 2]> = values.collect();
        let Some(new) = with_more_results(ctx, body, self.op, &values) else {
            return;
        };
        let results: Vec<Value> = body[new].results().collect();
        let mut behind = new;
        let given = &results[results.len() - self.pairs.len()..];
        for (&[store, other], &result) in self.pairs.iter().zip(given) {
            body.erase(other);
            body.detach(store);
            body[store].operands[0] = result;
            body.insert_after(behind, store);
            behind = store;
        }
    }
}

/// Gives a condition further results: the values of each branch, of which the second may be missing. Returns the new operation.
pub(in crate::transform) fn with_more_results(
    ctx: &Context,
    body: &mut Body,
    old: OpId,
    values: &[[Value; 2]],
) -> Option<OpId> {
    let own = body[old].results().map(|result| body.ty(result));
    let more = values.iter().map(|&[value, _]| body.ty(value));
    let types: Vec<Type> = own.chain(more).collect();
    let (attributes, operands) = (body[old].attributes, body[old].operands.to_vec());
    let mut b = Builder::before(ctx, body, old);
    let new = match affine::IfOp::cast(b.body, old) {
        Some(branch) => {
            let set = branch.set(ctx, b.body);
            affine::IfOp::create(&mut b, set, &operands, &types, true).0
        }
        None => scf::IfOp::create(&mut b, operands[0], &types, true).0,
    };
    body[new].attributes = attributes;
    for region in 0..2 {
        let to = body.region_block(new, region)?;
        let Some(from) = body.region_block(old, region) else {
            let others: Vec<Value> = values.iter().map(|pair| pair[region]).collect();
            let b = &mut Builder::before(ctx, body, new);
            match b.body[new].name {
                affine::IF => affine::yield_values(b, to, &others),
                _ => scf::yield_values(b, to, &others),
            }
            continue;
        };
        let target = body[new].inline_regions()[region];
        body.remove_block(to);
        body.move_block(from, target, 0);
        if let Some(last) = body[from].last() {
            body[last]
                .operands
                .extend(values.iter().map(|pair| pair[region]));
        }
    }
    let results: Vec<Value> = body[new].results().collect();
    body.replace_op(old, &results);
    Some(new)
}
