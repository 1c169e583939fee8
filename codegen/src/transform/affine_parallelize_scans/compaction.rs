//! Stream compaction: stores at subscripts that the carried counter makes distinct.
//!
//! ```text
//! %d = arith.select %c, %one, %zero
//! %m = arith.addi %n, %d
//! scf.if %c { memref.store %x, %out[%n] }
//! ```
//!
//! Iterations that store are those that advance the counter, all by one positive step: of two, the later
//! one has the counter of the earlier one and some steps more, and stores to another element. Where the
//! counter wraps around, it goes through its negative half, which a step cannot leap over: an iteration
//! that stores has a negative subscript there, out of range.

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::{arith, memref, scf};
use gridloom_ir::{Body, Context, OpId, Value};

/// Compaction: the loop of a counter that a predicate advances.
pub(in crate::transform) struct Compaction<'a> {
    ctx: &'a Context,
    body: &'a Body,
    op: ForOp,
    /// The counter before and after an iteration.
    counter: [Value; 2],
    pub(in crate::transform) condition: Value,
    /// Whether the counter advances where the condition holds, else where it fails.
    pub(in crate::transform) is_advanced_if: bool,
}

/// The stores of a scan's loop that different iterations make to different elements, where the loop
/// adds `term` to the carried integer at `place`.
pub(in crate::transform) fn stores_apart(
    ctx: &Context,
    body: &Body,
    op: ForOp,
    place: usize,
    term: Value,
) -> Vec<OpId> {
    let Some(compaction) = Compaction::of(ctx, body, op, place, term) else {
        return Vec::new();
    };
    let below = body.walk_op(op.0).into_iter();
    below
        .filter(|&store| compaction.is_told_apart(store))
        .collect()
}

impl<'a> Compaction<'a> {
    /// Matches a compaction whose counter, the carried value at `place`, advances by a term.
    pub(in crate::transform) fn of(
        ctx: &'a Context,
        body: &'a Body,
        op: ForOp,
        place: usize,
        term: Value,
    ) -> Option<Self> {
        let counter = [op.iter_args(body), op.yielded(body)].map(|values| values[place]);
        let mut added = body.defining_op(term)?;
        // A step that is positive in all types that it is cast to keeps its number: one of one bit would become -1.
        let mut narrowest = bits(ctx, body, term)?;
        while matches!(body[added].name, arith::INDEX_CAST | arith::INDEX_CASTUI) {
            let from = body[added].operands[0];
            narrowest = narrowest.min(bits(ctx, body, from)?);
            added = body.defining_op(from)?;
        }
        let most = i64::MAX
            .checked_shr(64u32.saturating_sub(narrowest))
            .unwrap_or(0);
        let is_step = |number: i64| (1..=most).contains(&number);
        let condition = *body[added].operands.first()?;
        let is_advanced_if = match body[added].name {
            arith::SELECT => {
                let arms = [1, 2].map(|arm| body[added].operands[arm]);
                match arms.map(|arm| arith::constant_int(ctx, body, arm)) {
                    [Some(step), Some(0)] if is_step(step) => true,
                    [Some(0), Some(step)] if is_step(step) => false,
                    _ => return None,
                }
            }
            arith::EXTUI if body.ty(condition) == ctx.bool_type() && is_step(1) => true,
            _ => return None,
        };
        Some(Compaction {
            ctx,
            body,
            op,
            counter,
            condition,
            is_advanced_if,
        })
    }

    /// Whether an operation is a store that only advancing iterations make, each to an element of
    /// its own.
    fn is_told_apart(&self, store: OpId) -> bool {
        let (ctx, body) = (self.ctx, self.body);
        if body[store].name != memref::STORE {
            return false;
        }
        let Some(branch) = body.parent_op(store) else {
            return false;
        };
        if body[branch].name != scf::IF || body[branch].parent() != Some(self.op.block(body)) {
            return false;
        }
        let condition = body[branch].operands[0];
        let is_inverse = self.is_inverse(condition);
        let region = usize::from(self.is_advanced_if == is_inverse);
        let advances = (is_inverse || condition == self.condition)
            && body[store].parent() == body.region_block(branch, region);
        let store = memref::StoreOp(store);
        // Other layouts may map several subscripts to one element.
        let ty = body.ty(store.memref(body)).memref(ctx);
        let is_plain = ty.is_some_and(|ty| ty.layout.is_none());
        let mut indices = store.indices(body).iter();
        advances && is_plain && indices.any(|&index| self.is_counter(index))
    }

    /// Whether a condition compares the same integers as that of the counter by the inverse predicate.
    fn is_inverse(&self, condition: Value) -> bool {
        let (ctx, body) = (self.ctx, self.body);
        let compares = |value: Value| {
            let op = body.defining_op(value);
            op.filter(|&op| body[op].name == arith::CMPI)
        };
        let (Some(own), Some(other)) = (compares(self.condition), compares(condition)) else {
            return false;
        };
        let [own_predicate, predicate] =
            [own, other].map(|op| arith::CmpIOp(op).predicate(ctx, body));
        body[own].operands == body[other].operands && predicate == own_predicate.inverse()
    }

    /// Whether a subscript is the counter plus a constant.
    fn is_counter(&self, index: Value) -> bool {
        let (ctx, body) = (self.ctx, self.body);
        let mut value = index;
        while let Some(op) = body.defining_op(value) {
            let is_cast = matches!(body[op].name, arith::INDEX_CAST | arith::EXTSI);
            let operand = body[op].operands.first().copied();
            let Some(operand) = operand.filter(|_| is_cast) else {
                break;
            };
            // Casts that preserve the number.
            if bits(ctx, body, operand) > bits(ctx, body, value) {
                return false;
            }
            value = operand;
        }
        let is_it = |value: Value| self.counter.contains(&value);
        let sum = body
            .defining_op(value)
            .filter(|&op| body[op].name == arith::ADDI);
        is_it(value)
            || sum.is_some_and(|sum| match body[sum].operands[..] {
                [left, right] => {
                    is_it(left) && arith::constant_int(ctx, body, right).is_some()
                        || is_it(right) && arith::constant_int(ctx, body, left).is_some()
                }
                _ => false,
            })
    }
}

/// The bits of an integer, of an index those of the machine.
fn bits(ctx: &Context, body: &Body, value: Value) -> Option<u32> {
    let ty = body.ty(value);
    match ty.is_index(ctx) {
        true => Some(64),
        false => ty.signless_width(ctx),
    }
}
