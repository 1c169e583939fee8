//! Lead of a row: the iterations before the first one whose elements lie at a multiple of a vector.
//!
//! ```text
//! // rows of 769 elements: row %i begins at 769 %i ≡ %i, so its multiples of 4 begin after -%i mod 4 elements
//! affine.for %j = 0 to 769             affine.for %j = %p to min(-%i mod 4, 769) step 8   // one each
//!                               ⇒      affine.for %j = 4 %p + -%i mod 4 to 766 step 32    // four each
//!                                      affine.for …                                       // the rest
//! ```
//!
//! Four elements at a multiple of four are one access; in rows of an odd length three rows of four
//! would have none without a lead. Each access of a loop votes for the lead that it needs, and the
//! majority wins; accesses to rows of one shape agree.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{OpId, Value};

use super::Policy;
use crate::analysis::loop_kind::is_affine_loop;
use crate::analysis::values::Atom;
use crate::transform::emit_loops::MapWithOperands;

/// Profitability threshold: vectors of a row for each thread that are worth two more loops, where
/// the length is known.
const MIN_VECTORS: i64 = 4;

/// Element position modulo the vector length: factors of counters, and a constant.
type Residue = (Vec<(u32, i64)>, i64);

impl Policy<'_> {
    /// The lead of a loop of a row, less than `vector`, as a map of the counters around it; `None`
    /// where a lead would align no more accesses than are aligned without one.
    pub(super) fn lead(&mut self, l: ForOp, lanes: i64, vector: i64) -> Option<MapWithOperands> {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        let trips = l.constant_trip_count(ctx, body);
        let is_short = |trips: u64| trips < (lanes * vector * MIN_VECTORS).unsigned_abs();
        if vector == 1 || l.step(ctx, body) != 1 || trips.is_some_and(is_short) {
            return None;
        }
        let low = l.constant_lower(ctx, body)?;
        let mut votes: Vec<(Residue, usize)> = Vec::new();
        for op in body.ops(l.block(body)) {
            let Some(residue) = self.first_place(op, l, low, vector) else {
                continue;
            };
            let weight = if body[op].name == affine::STORE { 2 } else { 1 };
            match votes.iter_mut().find(|vote| vote.0 == residue) {
                Some(vote) => vote.1 += weight,
                None => votes.push((residue, weight)),
            }
        }
        let aligned = votes
            .iter()
            .find(|vote| vote.0.0.is_empty() && vote.0.1 == 0);
        let aligned = aligned.map_or(0, |vote| vote.1);
        // Of equal votes, the first wins.
        let (residue, weight) = votes.into_iter().rev().max_by_key(|vote| vote.1)?;
        (weight > aligned).then(|| self.form_of_lead(&residue, vector))
    }

    /// Returns the first element that an access of adjacent elements touches in a loop; `None` for
    /// other operations, and where that depends on more than counters around the loop.
    fn first_place(&mut self, op: OpId, l: ForOp, low: i64, vector: i64) -> Option<Residue> {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        let access = affine::Access::cast(body, op)?;
        let (map, operands) = (access.map(ctx, body), access.operands(body).to_vec());
        let ty = body.ty(access.memref(body)).memref(ctx)?;
        let (offset, strides) = ty.strided_form(ctx)?;
        if offset == DYNAMIC || strides.contains(&DYNAMIC) {
            return None;
        }
        let mut place = ctx.affine_const(offset);
        let subscripts = self.deps.values.map_exprs(op, map, &operands);
        for (subscript, stride) in subscripts.into_iter().zip(strides) {
            let way = ctx.affine_mul(subscript?, ctx.affine_const(stride));
            place = ctx.affine_add(place, way);
        }
        let iv = self
            .deps
            .values
            .atom_number(Atom::Value(l.induction_var(body)));
        let (parts, constant) = self.deps.values.terms(place)?;
        let modulo = |value: i128| value.rem_euclid(vector.into()) as i64;
        let (mut terms, mut first, mut is_adjacent) = (Vec::new(), constant, false);
        for (part, factor) in parts {
            let AffineExprKind::Dim(atom) = part.kind(ctx) else {
                return None;
            };
            if atom == iv {
                if factor != 1 {
                    return None;
                }
                is_adjacent = true;
                first = first.checked_add(low.into())?;
            } else if modulo(factor) != 0 {
                self.counter_around(atom, l)?;
                terms.push((atom, modulo(factor)));
            }
        }
        terms.sort_unstable();
        is_adjacent.then_some((terms, modulo(first)))
    }

    /// The counter of an enclosing loop that an atom stands for.
    fn counter_around(&self, atom: u32, l: ForOp) -> Option<Value> {
        let body = self.deps.values.body;
        let Atom::Value(value) = self.deps.values.atom(atom) else {
            return None;
        };
        let around = body.block_parent_op(body.value_block(value)?)?;
        let is_counter = body.defining_op(value).is_none() && is_affine_loop(body, around);
        (is_counter && around != l.0 && body.is_ancestor(around, l.0)).then_some(value)
    }

    /// The lead `-place mod vector` as a map.
    fn form_of_lead(&self, (terms, constant): &Residue, vector: i64) -> MapWithOperands {
        let ctx = self.deps.values.ctx;
        let mut sum = ctx.affine_const(-constant);
        let mut operands = Vec::new();
        for &(atom, factor) in terms {
            // All terms are counters, as `first_place` requires.
            let Atom::Value(value) = self.deps.values.atom(atom) else {
                continue;
            };
            let counter = ctx.affine_dim(operands.len() as u32);
            let way = ctx.affine_mul(counter, ctx.affine_const(vector - factor));
            sum = ctx.affine_add(sum, way);
            operands.push(value);
        }
        let lead = ctx.affine_binary(AffineOp::Mod, sum, ctx.affine_const(vector));
        (ctx.affine_map(operands.len() as u32, 0, &[lead]), operands)
    }
}
