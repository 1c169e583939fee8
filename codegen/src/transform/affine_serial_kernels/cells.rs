//! Cells: one-element memory for the values that a host loop carries.
//!
//! ```text
//! %r = affine.for %t = 0 to %n               affine.store %z, %cell[]
//!     iter_args(%a = %z) {                   affine.for %t = 0 to %n {
//!   %b = … affine.load %y[%t] …         ⇒      %a = affine.load %cell[]
//!   affine.yield %b                            %b = … affine.load %y[%t] …
//! }                                            affine.store %b, %cell[]
//!                                            }
//!                                            %r = affine.load %cell[]
//! ```

use std::collections::{HashMap, HashSet};

use gridloom_dialects::affine::ForOp;
use gridloom_ir::body::Uses;
use gridloom_ir::{Body, Builder, Context, InsertPoint, IrMapping, OpId, Value};

use super::{Host, Memory};
use crate::transform::demote_carried_values::demote_carried_values;
use crate::transform::element::{Element, can_be_kept, cell, outermost};

/// Plan that moves the carried values of a loop to cells.
pub(super) struct Cells {
    l: ForOp,
    /// The outermost enclosing loop.
    outermost: OpId,
    /// Whether each result of the loop is used.
    is_used: Vec<bool>,
}

impl Cells {
    /// Plans cells for a loop whose carried values kernels compute or use.
    pub(super) fn plan(host: &mut Host, uses: &Uses, l: ForOp, memory: &Memory) -> Option<Cells> {
        let (ctx, body) = (host.deps.values.ctx, host.body());
        let mut results = body[l.0].results();
        if body[l.0].num_results() == 0 || !results.all(|v| can_be_kept(ctx, body.ty(v))) {
            return None;
        }
        let block = l.block(body);
        let mut open: Vec<Value> = l.yielded(body).to_vec();
        let mut seen: HashSet<OpId> = HashSet::new();
        while let Some(value) = open.pop() {
            let def = body.defining_op(value);
            let Some(def) = def.filter(|&def| body[def].parent() == Some(block)) else {
                continue;
            };
            if !seen.insert(def) {
                continue;
            }
            let touched = host.touched(def)?;
            if !touched.reads.is_disjoint(&memory.writes) {
                let is_used = body[l.0].results().map(|v| !uses.of(v).is_empty());
                return Some(Cells {
                    l,
                    outermost: outermost(body, l.0),
                    is_used: is_used.collect(),
                });
            }
            for below in body.walk_op(def) {
                open.extend(body[below].operands.iter().copied());
            }
        }
        None
    }

    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        let old = self.l;
        let inits = old.inits(ctx, body).to_vec();
        let results: Vec<Value> = body[old.0].results().collect();
        let cells: Vec<Element> = (results.iter())
            .map(|&result| cell(ctx, body, self.outermost, body.ty(result)))
            .collect();
        let mut b = Builder::before(ctx, body, old.0);
        for (cell, &init) in cells.iter().zip(&inits) {
            cell.store(&mut b, init);
        }
        let place = InsertPoint::Before(old.0);
        demote_carried_values(ctx, body, (old, None), place, &cells, &mut IrMapping::new());
        let mut b = Builder::before(ctx, body, old.0);
        let used = results.into_iter().zip(&cells).zip(&self.is_used);
        let used = used.filter(|&(_, &is_used)| is_used);
        let ends: HashMap<Value, Value> =
            used.map(|((v, cell), _)| (v, cell.load(&mut b))).collect();
        body.replace_values(|v| ends.get(&v).copied().unwrap_or(v));
        body.erase(old.0);
    }
}
