//! Exit tests of counted loops: comparisons of a counter, or of its sum with an invariant number,
//! with a bound.
//!
//! ```text
//! %s = arith.addi %i, %m : i32
//! %c = arith.cmpi sle, %s, %n : i32           %i + %m <= %n
//! ```
//!
//! A sum counts as its counter does, from another number on: a loop that runs while `%i + %m` is at
//! most `%n` runs while `%i` is at most `%n - %m`, where the first sum does not wrap around. Later
//! sums lie between the first and the bound.

use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_ir::{Body, Context, OpId, Value};

/// Depth limit of the casts and sums around a counter.
const MAX_DEPTH: usize = 3;

/// Exit test of a loop: a comparison of its counter with a limit.
pub(super) struct ExitTest {
    pub own: Value,
    /// The number that the test adds to the counter.
    pub offset: Option<Offset>,
    pub bound: Value,
    /// `slt`, `sle` or `ult` between counter and limit; swapped where the loop counts down.
    pub predicate: CmpIPredicate,
    pub is_down: bool,
}

/// Number that an exit test adds to a counter, or subtracts from it.
#[derive(Clone, Copy)]
pub(super) struct Offset {
    /// The sum or difference.
    pub sum: OpId,
    pub by: Value,
    pub is_subtracted: bool,
}

/// Matches the exit test of a counter among the block's arguments.
pub(super) fn exit_test(
    ctx: &Context,
    body: &Body,
    test: OpId,
    args: &[Value],
) -> Option<ExitTest> {
    use CmpIPredicate::{Sge, Sgt, Sle, Slt, Ugt, Ult};
    let &[l, r] = &body[test].operands[..] else {
        return None;
    };
    let predicate = CmpIOp(test).predicate(ctx, body);
    let (less, more, predicate) = match predicate {
        Slt | Sle | Ult => (l, r, predicate),
        Sgt | Sge | Ugt => (r, l, predicate.mirrored()),
        _ => return None,
    };
    let of_counter = |side| counted_side(ctx, body, args, side, MAX_DEPTH);
    let ((own, offset), bound, is_down) = match (of_counter(less), of_counter(more)) {
        (Some(side), None) => (side, more, false),
        // Unsigned counters would wrap around below zero.
        (None, Some(side)) if predicate != Ult => (side, less, true),
        _ => return None,
    };
    let is_plain = offset.is_none() && body.ty(own) == body.ty(bound);
    (is_plain || predicate != Ult).then_some(ExitTest {
        own,
        offset,
        bound,
        predicate,
        is_down,
    })
}

/// The counter behind casts that keep its number and at most one sum. A sum of two counters is
/// none.
fn counted_side(
    ctx: &Context,
    body: &Body,
    args: &[Value],
    side: Value,
    depth: usize,
) -> Option<(Value, Option<Offset>)> {
    if args.contains(&side) {
        return Some((side, None));
    }
    let op = body.defining_op(side).filter(|_| depth > 0)?;
    let below = |value| counted_side(ctx, body, args, value, depth - 1);
    match (body[op].name, &body[op].operands[..]) {
        (arith::EXTSI, &[source]) => below(source),
        (arith::INDEX_CAST, &[source]) if body.ty(side).is_index(ctx) => below(source),
        (name @ (arith::ADDI | arith::SUBI), &[l, r]) => {
            let is_subtracted = name == arith::SUBI;
            let (own, inner, by) = match (below(l), below(r)) {
                (Some((own, inner)), None) => (own, inner, r),
                (None, Some((own, inner))) if !is_subtracted => (own, inner, l),
                _ => return None,
            };
            let offset = Offset {
                sum: op,
                by,
                is_subtracted,
            };
            inner.is_none().then_some((own, Some(offset)))
        }
        _ => None,
    }
}
