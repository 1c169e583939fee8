//! Parts a nest as planned: the recurrence in a copy in front of it, the reduction in what stays.

use std::collections::HashMap;

use gridloom_dialects::affine::{self, ForOp, LoadOp, StoreOp};
use gridloom_ir::{AffineMap, Body, Builder, Context, InsertPoint, IrMapping, OpId, Value};

use super::{Separation, Shared};
use crate::transform::auxiliary_arrays::{Extent, allocate, anchor};
use crate::transform::emit_loops::copy_loop;
use crate::transform::numbered_nest::trip_count;

impl Separation {
    /// Parts the nest. Returns the loops of the first part.
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) -> Vec<ForOp> {
        let arrays = self.allocate(ctx, body);
        let first = self.copy_recurrence(ctx, body, &arrays);
        let loads = self.reload(ctx, body, &arrays);
        let loops: Vec<OpId> = self.nest.iter().map(|l| l.0).collect();
        for l in &self.nest {
            let statements = l.statements(body);
            let stays =
                |op: &OpId| loops.contains(op) || loads.contains(op) || self.reduction.contains(op);
            for &op in statements.iter().rev().filter(|op| !stays(op)) {
                body.erase(op);
            }
        }
        first
    }

    /// Allocates an array for each expanded value around the nest.
    fn allocate(&self, ctx: &Context, body: &mut Body) -> HashMap<Value, Value> {
        let expanded = self.shared.iter().filter_map(|shared| match shared {
            Shared::Stored(_) => None,
            Shared::Expanded(value) => Some(*value),
        });
        let expanded: Vec<Value> = expanded.collect();
        let types: Vec<_> = expanded.iter().map(|&value| body.ty(value)).collect();
        let extents = self.nest.iter().map(|&l| extent(ctx, body, l));
        let extents: Vec<Extent> = extents.collect();
        let is_constant = |extent: &Extent| matches!(extent, Extent::Constant(_));
        let anchor = match extents.iter().all(is_constant) {
            true => anchor(body, self.nest[0], true),
            false => self.nest[0].0,
        };
        let arrays = match expanded.is_empty() {
            true => Vec::new(),
            false => allocate(ctx, body, anchor, &types, &extents),
        };
        expanded.into_iter().zip(arrays).collect()
    }

    /// The subscripts of an iteration's element, by the loops' counters.
    fn subscripts(&self, ctx: &Context, body: &Body) -> AffineMap {
        let places = self.nest.iter().zip(0..).map(|(l, place)| {
            let lower = l.constant_lower(ctx, body).unwrap_or(0);
            ctx.affine_sub(ctx.affine_dim(place), ctx.affine_const(lower))
        });
        let places: Vec<_> = places.collect();
        ctx.affine_map(self.nest.len() as u32, 0, &places)
    }

    /// Copies the nest without the reduction in front of it, with stores to the arrays of expanded values.
    fn copy_recurrence(
        &self,
        ctx: &Context,
        body: &mut Body,
        arrays: &HashMap<Value, Value>,
    ) -> Vec<ForOp> {
        let mut place = InsertPoint::Before(self.nest[0].0);
        let mut map = IrMapping::new();
        let mut loops = Vec::new();
        for &old in &self.nest {
            let mut b = Builder::before(ctx, body, old.0);
            b.set(place);
            let new = copy_loop(&mut b, old, &map);
            map.map(old.induction_var(b.body), new.induction_var(b.body));
            place = InsertPoint::End(new.block(b.body));
            b.set(place);
            for op in old.statements(b.body) {
                if self.recurrence.contains(&op) {
                    b.insert_copy(op, &mut map);
                }
                for value in b.body[op].results() {
                    let Some(&array) = arrays.get(&value) else {
                        continue;
                    };
                    let counters = self.nest.iter().map(|l| map.value(l.induction_var(b.body)));
                    let counters: Vec<Value> = counters.collect();
                    let subscripts = self.subscripts(ctx, b.body);
                    StoreOp::create(&mut b, map.value(value), array, subscripts, &counters);
                }
            }
            loops.push(new);
        }
        for (old, new) in self.nest.iter().zip(&loops) {
            let mut b = Builder::before(ctx, body, old.0);
            let block = new.block(b.body);
            affine::yield_values(&mut b, block, &[]);
        }
        loops
    }

    /// Has the reduction load the values that the first nest left. Returns the loads.
    fn reload(&self, ctx: &Context, body: &mut Body, arrays: &HashMap<Value, Value>) -> Vec<OpId> {
        let innermost = self.nest[self.nest.len() - 1].block(body);
        let statements: Vec<OpId> = body.ops(innermost).collect();
        let Some(&first) = statements.first() else {
            return Vec::new();
        };
        let mut loads = Vec::new();
        for shared in &self.shared {
            let value = shared.value(body);
            let (memref, map, operands) = match shared {
                Shared::Stored(store) => {
                    let operands = store.operands(body).to_vec();
                    (store.memref(body), store.map(ctx, body), operands)
                }
                Shared::Expanded(_) => {
                    let Some(&array) = arrays.get(&value) else {
                        continue;
                    };
                    let counters = self.nest.iter().map(|l| l.induction_var(body));
                    (array, self.subscripts(ctx, body), counters.collect())
                }
            };
            let mut b = Builder::before(ctx, body, first);
            let loaded = LoadOp::create(&mut b, memref, map, &operands);
            for &op in &statements {
                body.replace_values_in(op, |v| if v == value { loaded } else { v });
            }
            loads.extend(body.defining_op(loaded));
        }
        loads
    }
}

/// The extent of a loop with a constant lower bound and steps of 1.
fn extent(ctx: &Context, body: &Body, l: ForOp) -> Extent {
    match Extent::of(ctx, &trip_count(ctx, body, l)) {
        Extent::Constant(extent) => Extent::Constant(extent.max(1)),
        open => open,
    }
}
