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

use gridloom_ir::{Body, Builder, Context, OpId, OpName, Value};

use super::replace_all;
use crate::analysis::arg_reduction::compare_select::CompareSelect;

/// Rewrites the selections among `ops` that are extrema. Returns whether there was one.
pub(super) fn of_selections(ctx: &Context, body: &mut Body, ops: &[OpId]) -> bool {
    let uses = body.uses();
    let plans: Vec<Extremum> = (ops.iter())
        .filter_map(|&op| Extremum::of(ctx, body, op))
        .filter(|extremum| uses.of(body[extremum.comparison].result(0)).len() == 1)
        .collect();
    let mut replaced = HashMap::new();
    for plan in &plans {
        let [left, right] = plan.numbers;
        let mut b = Builder::before(ctx, body, plan.selection);
        let best = b.binary(plan.name, left, right);
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
    /// The numbers, as they are compared.
    numbers: [Value; 2],
}

impl Extremum {
    fn of(ctx: &Context, body: &Body, selection: OpId) -> Option<Extremum> {
        let &[_, _, other] = &body[selection].operands[..] else {
            return None;
        };
        let kept = CompareSelect::of(ctx, body, selection, other)?;
        Some(Extremum {
            selection,
            comparison: kept.compare,
            name: kept.operation()?,
            numbers: body[kept.compare].operands[..].try_into().ok()?,
        })
    }
}
