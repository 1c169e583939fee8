//! Updates through affine maps, spelled out: an operation applies each result of the map, and the accesses take
//! values as their subscripts, as those of elements that data chooses.
//!
//! ```text
//! %x = affine.load %w[(%i * 5) floordiv 32]            %k = affine.apply (%i * 5) floordiv 32
//! %y = arith.addi %x, %v                        ⇒      %x = memref.load %w[%k]
//! affine.store %y, %w[(%i * 5) floordiv 32]            %y = arith.addi %x, %v
//!                                                      memref.store %y, %w[%k]
//! ```

use gridloom_dialects::affine::{self, ApplyOp};
use gridloom_dialects::memref;
use gridloom_ir::{Body, Builder, Context, Module, OpId, Value};

use super::chosen::stores_at_quotient;
use super::{Update, updating_loops};
use crate::analysis::dependence::Dependences;
use crate::target::OffloadOptions;
use crate::transform::plans::change_by_plans;

/// Spells out the affine updates that are all that keeps a loop of a module from being parallel. Returns whether anything
/// changed.
pub(in crate::transform) fn spell_out(
    ctx: &Context,
    module: &mut Module,
    options: &OffloadOptions,
) -> bool {
    change_by_plans(
        ctx,
        module,
        1,
        |body, globals| {
            let is_affine = |&op: &OpId| stores_at_quotient(ctx, body, op);
            if !body.may_hold(affine::STORE) || !body.walk().iter().any(is_affine) {
                return (Vec::new(), false);
            }
            let mut deps = Dependences::new(ctx, body, globals);
            let found = updating_loops(&mut deps, options).into_iter();
            let updates = found.flat_map(|(_, updates)| updates);
            let affine = updates.filter(|update| !update.is_spelled_out(body));
            // The order of iterations stays, so no disjointness is relied on.
            (affine.collect(), false)
        },
        |update, body| update.spell_out(ctx, body),
    )
}

impl Update {
    fn spell_out(&self, ctx: &Context, body: &mut Body) {
        let store = affine::StoreOp(self.store);
        let (value, memref) = (store.value(body), store.memref(body));
        let (map, operands) = (store.map(ctx, body), store.operands(body).to_vec());
        let mut b = Builder::before(ctx, body, self.load);
        let (dims, symbols) = (map.num_dims(ctx) as u32, map.num_symbols(ctx) as u32);
        let indices: Vec<Value> = (map.results(ctx).iter())
            .map(|&expr| {
                let map = ctx.affine_map(dims, symbols, &[expr]);
                ApplyOp::create(&mut b, map, &operands)
            })
            .collect();
        let loaded = memref::LoadOp::create(&mut b, memref, &indices);
        let old = b.body[self.load].result(0);
        b.body.replace_uses(old, loaded);
        let mut b = Builder::before(ctx, body, self.store);
        let value = if value == old { loaded } else { value };
        memref::StoreOp::create(&mut b, value, memref, &indices);
        body.erase(self.store);
        body.erase(self.load);
    }
}
