//! Compare-exchanges: accesses of the elements `i` and `i ^ mask` by the iteration of one of the two.
//!
//! The partner of the partner is the counter itself, so that only these two iterations touch the two elements, and the
//! condition around the accesses holds in one of them at most. Bitonic sorts have them, and transforms
//! of all subsets, `if (i & bit) f[i] += f[i ^ bit]`.

use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::scf;
use gridloom_ir::{Body, OpId, OpName, Value};

use super::band::{Access, Band, induction_var};
use super::test::Apart;
use crate::transform::raise_to_affine::induction::is_invariant;

/// Depth limit of the conditions that a condition implies.
const MAX_DEPTH: usize = 4;

/// Matches the accesses of a memref as a compare-exchange, of which the iterations are independent: under the conditions of the
/// band if it casts the counter, whose number then has to be within the limit of forms.
pub(super) fn compare_exchange(band: &Band, accesses: &[&Access]) -> Option<Apart> {
    let (&[op], Some(first)) = (&band.loops[..], accesses.first()) else {
        return None;
    };
    let counter = induction_var(band.body, op);
    let around = CompareExchange::around(band, first.op, counter);
    let found = { around.iter() }.find(|&exchange| {
        let is_side =
            |value: Value| is_counter(band, value, counter) || exchange.is_partner(band, value);
        (0..first.values.len()).any(|at| {
            accesses.iter().all(|access| {
                let around = CompareExchange::around(band, access.op, counter);
                around.contains(exchange) && access.values[at].is_some_and(is_side)
            })
        })
    })?;
    let body = band.body;
    let is_cast = |&op: &OpId| body[op].name == arith::INDEX_CAST;
    let has_cast =
        body.walk_op(op).iter().any(is_cast) || found.mask_op(body).is_some_and(|op| is_cast(&op));
    Some(match has_cast {
        true => Apart::Where(band.conditions.clone()),
        false => Apart::Always,
    })
}

/// Whether a value is the counter, or a cast of it and back.
fn is_counter(band: &Band, value: Value, counter: Value) -> bool {
    let source = band.body.defining_op(value).and_then(|op| {
        let is_cast = band.body[op].name == arith::INDEX_CAST;
        is_cast.then(|| band.body[op].operands[0])
    });
    let own = source.filter(|_| band.body.ty(value).is_index(band.ctx));
    band.counted_by(own.unwrap_or(value)) == counter
}

/// What is known of the counter's bits that the mask has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bits {
    Any,
    /// None is set, so that adding the mask sets them.
    Clear,
    /// All are, as of a mask of one bit, so that subtracting the mask clears them.
    Set,
}

/// Compare-exchange: the condition under which one of the two partners `i` and `i ^ mask` runs.
#[derive(Clone, Copy, PartialEq, Eq)]
struct CompareExchange {
    condition: Value,
    /// Whether the condition has to hold, or its opposite.
    holds: bool,
    counter: Value,
    mask: Value,
    bits: Bits,
}

impl CompareExchange {
    /// Matches the conditions around an operation. Several may have the form of one: beside the
    /// choice of the iteration, that of a direction asks for a bit of the counter.
    fn around(band: &Band, op: OpId, counter: Value) -> Vec<CompareExchange> {
        let body = band.body;
        let mut found = Vec::new();
        let mut inner = op;
        for around in body.ancestors(op).take_while(|&op| op != band.loops[0]) {
            if body[around].name == scf::IF {
                let condition = body[around].operands[0];
                let side = |region| body.region_block(around, region);
                let is_in = |region| side(region).is_some() && body[inner].parent() == side(region);
                match (is_in(0), is_in(1)) {
                    (true, _) => CompareExchange::implied(band, condition, counter, 0, &mut found),
                    (_, true) => found.extend(CompareExchange::by(band, condition, false, counter)),
                    _ => {}
                }
            }
            inner = around;
        }
        found
    }

    /// Matches the conditions that one implies: both sides of `a && b`.
    fn implied(
        band: &Band,
        condition: Value,
        counter: Value,
        depth: usize,
        found: &mut Vec<CompareExchange>,
    ) {
        let (ctx, body) = (band.ctx, band.body);
        let Some(op) = body.defining_op(condition).filter(|_| depth < MAX_DEPTH) else {
            return;
        };
        let is_false = |value: Value| arith::constant_int(ctx, body, value) == Some(0);
        let sides = match (body[op].name, &body[op].operands[..]) {
            (arith::CMPI, _) => {
                return found.extend(CompareExchange::by(band, condition, true, counter));
            }
            (arith::ANDI, &[left, right]) => vec![left, right],
            (arith::SELECT, &[own, then, other]) if is_false(other) => vec![own, then],
            (scf::IF, &[own]) => {
                let at = body[op].results().position(|result| result == condition);
                let yielded = |region| {
                    let end = body[body.region_block(op, region)?].last()?;
                    body[end].operands.get(at?).copied()
                };
                match yielded(1).is_some_and(is_false) {
                    true => [own].into_iter().chain(yielded(0)).collect(),
                    false => Vec::new(),
                }
            }
            _ => Vec::new(),
        };
        for side in sides {
            CompareExchange::implied(band, side, counter, depth + 1, found);
        }
    }

    /// Matches a comparison that holds in one iteration of a pair at most.
    fn by(band: &Band, condition: Value, holds: bool, counter: Value) -> Option<CompareExchange> {
        use CmpIPredicate::{Eq, Ne, Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
        let (ctx, body) = (band.ctx, band.body);
        let op = body.defining_op(condition)?;
        let &[left, right] = &body[op].operands[..] else {
            return None;
        };
        let is_compare = body[op].name == arith::CMPI;
        is_compare.then_some(())?;
        let predicate = CmpIOp(op).predicate(ctx, body);
        if matches!(predicate, Eq | Ne) {
            let (mask, number) =
                [(left, right), (right, left)]
                    .into_iter()
                    .find_map(|(side, number)| {
                        Some((masked_by(band, arith::ANDI, side, counter)?, number))
                    })?;
            let is_zero = arith::constant_int(ctx, body, number) == Some(0);
            let is_equal = (predicate == Eq) == holds;
            // Of a mask of several bits, both of a pair may have some.
            let bits = match (is_zero, is_equal) {
                (true, true) => Bits::Clear,
                (true, false) if is_one_bit(band, mask) => Bits::Set,
                (false, true) if number == mask => Bits::Set,
                _ => return None,
            };
            return Some(CompareExchange {
                condition,
                holds,
                counter,
                mask,
                bits,
            });
        }
        // Where the mask is 0, an iteration is its own partner.
        if !matches!(predicate, Sgt | Slt | Ugt | Ult | Sge | Sle | Uge | Ule) {
            return None;
        }
        let is_own = |value: Value| band.counted_by(value) == counter;
        let partner = match (is_own(left), is_own(right)) {
            (true, false) => right,
            (false, true) => left,
            _ => return None,
        };
        Some(CompareExchange {
            condition,
            holds,
            counter,
            mask: masked_by(band, arith::XORI, partner, counter)?,
            bits: Bits::Any,
        })
    }

    /// The operation that computes the mask.
    fn mask_op(&self, body: &Body) -> Option<OpId> {
        body.defining_op(self.mask)
    }

    /// Whether a value is the partner: the counter with the bits of the mask flipped.
    fn is_partner(&self, band: &Band, value: Value) -> bool {
        let by = |name| masked_by(band, name, value, self.counter) == Some(self.mask);
        by(arith::XORI)
            || match self.bits {
                Bits::Any => false,
                Bits::Clear => by(arith::ORI) || by(arith::ADDI),
                Bits::Set => by(arith::SUBI),
            }
    }
}

/// Whether a mask has one bit by its form, or none.
fn is_one_bit(band: &Band, mask: Value) -> bool {
    let (ctx, body) = (band.ctx, band.body);
    let number = arith::constant_int(ctx, body, mask);
    let is_shifted_one = || {
        let mut op = body.defining_op(mask)?;
        // The cast of the greatest power repeats its bit, which numbers within the limit of forms have all or none of.
        if body[op].name == arith::INDEX_CAST {
            op = body.defining_op(body[op].operands[0])?;
        }
        let &[one, _] = &body[op].operands[..] else {
            return None;
        };
        let is_one = arith::constant_int(ctx, body, one) == Some(1);
        Some(body[op].name == arith::SHLI && is_one)
    };
    number.is_some_and(|number| number.count_ones() <= 1) || is_shifted_one().unwrap_or(false)
}

/// The other, loop-invariant operand of an operation `name` on the counter, through a cast to `index`.
fn masked_by(band: &Band, name: OpName, value: Value, counter: Value) -> Option<Value> {
    let (ctx, body) = (band.ctx, band.body);
    let op = body.defining_op(value)?;
    let (op, data) = match (body[op].name, &body[op].operands[..]) {
        (arith::INDEX_CAST, &[source]) if body.ty(value).is_index(ctx) => {
            let op = body.defining_op(source)?;
            (op, &body[op])
        }
        _ => (op, &body[op]),
    };
    let &[left, right] = &data.operands[..] else {
        return None;
    };
    let is_own = |value: Value| band.counted_by(value) == counter;
    let mask = match (is_own(left), is_own(right)) {
        (true, false) => right,
        (false, true) if name != arith::SUBI => left,
        _ => return None,
    };
    let is_fixed = is_invariant(ctx, body, band.loops[0], mask, 0);
    (body[op].name == name && is_fixed).then_some(mask)
}
