//! Loops without carried values: memory elements replace the values.

use std::collections::HashMap;

use gridloom_dialects::affine::{self, Bound, ForOp};
use gridloom_ir::{Body, Builder, Context, InsertPoint, OpId, Value};

use super::element::Element;
use super::unrolled_rows::bound;

/// Emits a loop without carried values, and moves the statements of `old` into it, without the loop
/// `inner`. Each iteration loads the carried values from the elements and stores there the values
/// that `old` yields. Without elements, only `inner` uses the values carried. Replacements of
/// values go to `renamed`. Returns the insertion point in place of `inner`.
pub(super) fn demote_carried_values(
    ctx: &Context,
    body: &mut Body,
    (old, inner): (ForOp, Option<ForOp>),
    place: InsertPoint,
    elements: &[Element],
    renamed: &mut HashMap<Value, Value>,
) -> InsertPoint {
    let name = |value: Value, renamed: &HashMap<Value, Value>| -> Value {
        renamed.get(&value).copied().unwrap_or(value)
    };
    let bounds = [old.lower(ctx, body), old.upper(ctx, body)];
    let bounds = bounds.map(|Bound { map, operands }| {
        let operands: Vec<Value> = operands.iter().map(|&v| name(v, renamed)).collect();
        (map, operands)
    });
    let [lower, upper] = bounds.each_ref().map(bound);
    let step = old.step(ctx, body);
    let yielded = old.yielded(body).to_vec();
    let statements: Vec<OpId> = body.ops(old.block(body)).collect();
    let mut b = Builder::before(ctx, body, old.0);
    b.set(place);
    let new = ForOp::create(&mut b, lower, upper, step, &[]);
    let block = new.block(b.body);
    renamed.insert(old.induction_var(b.body), new.induction_var(b.body));
    b.set(InsertPoint::End(block));
    let carried = old.iter_args(b.body).to_vec();
    for (element, &carried) in elements.iter().zip(&carried) {
        let held = element.load(&mut b);
        renamed.insert(carried, held);
    }
    for &op in statements.split_last().map_or(&[][..], |(_, rest)| rest) {
        if inner.is_some_and(|inner| inner.0 == op) {
            continue;
        }
        b.body.detach(op);
        b.insert(op);
        b.body.replace_values_in(op, |v| name(v, renamed));
    }
    for (element, &yielded) in elements.iter().zip(&yielded) {
        element.store(&mut b, name(yielded, renamed));
    }
    affine::yield_values(&mut b, block, &[]);
    match body[block].last() {
        Some(end) => InsertPoint::Before(end),
        None => InsertPoint::End(block),
    }
}
