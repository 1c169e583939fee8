//! Integer extrema: a comparison and a selection of the same two numbers become one operation.
//!
//! ```text
//! %c = arith.cmpi slt, %a, %b
//! %r = arith.select %c, %a, %b     ⇒     %r = arith.minsi %a, %b
//! ```
//!
//! Both give the same bits, where the numbers are equal as well. A comparison that others use stays: what is
//! selected beside an extremum (argmin) is known by it.

use std::collections::HashMap;

use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_ir::{Body, Builder, Context, OpId, OpName, Value};

use super::replace_all;

/// Rewrites the selections among `ops` that are extrema. Returns whether there was one.
pub(super) fn of_selections(ctx: &Context, body: &mut Body, ops: &[OpId]) -> bool {
    let uses = body.uses();
    let plans: Vec<Extremum> = (ops.iter())
        .filter_map(|&op| Extremum::of(ctx, body, op))
        .filter(|extremum| uses.of(body[extremum.comparison].result(0)).len() == 1)
        .collect();
    let mut replaced = HashMap::new();
    for plan in &plans {
        let mut b = Builder::before(ctx, body, plan.selection);
        let best = b.binary(plan.name, plan.numbers[0], plan.numbers[1]);
        replaced.insert(body[plan.selection].result(0), best);
    }
    replace_all(body, &replaced);
    for plan in &plans {
        body.erase(plan.selection);
        body.erase(plan.comparison);
    }
    !plans.is_empty()
}

/// Selection of the better of two numbers.
struct Extremum {
    selection: OpId,
    comparison: OpId,
    name: OpName,
    numbers: [Value; 2],
}

impl Extremum {
    fn of(ctx: &Context, body: &Body, selection: OpId) -> Option<Extremum> {
        if body[selection].name != arith::SELECT {
            return None;
        }
        let &[condition, taken, other] = &body[selection].operands[..] else {
            return None;
        };
        let comparison = CmpIOp::cast(body, body.defining_op(condition)?)?;
        let numbers = comparison_operands(body, comparison.0)?;
        let takes_left = match [taken, other] {
            both if both == numbers => true,
            [taken, other] if [other, taken] == numbers => false,
            _ => return None,
        };
        let (least, greatest, is_less) = match comparison.predicate(ctx, body) {
            CmpIPredicate::Slt | CmpIPredicate::Sle => (arith::MINSI, arith::MAXSI, true),
            CmpIPredicate::Sgt | CmpIPredicate::Sge => (arith::MINSI, arith::MAXSI, false),
            CmpIPredicate::Ult | CmpIPredicate::Ule => (arith::MINUI, arith::MAXUI, true),
            CmpIPredicate::Ugt | CmpIPredicate::Uge => (arith::MINUI, arith::MAXUI, false),
            CmpIPredicate::Eq | CmpIPredicate::Ne => return None,
        };
        Some(Extremum {
            selection,
            comparison: comparison.0,
            name: if is_less == takes_left {
                least
            } else {
                greatest
            },
            numbers,
        })
    }
}

fn comparison_operands(body: &Body, comparison: OpId) -> Option<[Value; 2]> {
    body[comparison].operands[..].try_into().ok()
}
