//! Loops without carried values: memory elements replace the values.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_ir::{Body, Builder, Context, InsertPoint, IrMapping};

use super::element::Element;

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
    renamed: &mut IrMapping,
) -> InsertPoint {
    let yielded = old.yielded(body).to_vec();
    let statements = old.statements(body);
    let mut b = Builder::before(ctx, body, old.0);
    b.set(place);
    let new = old.create_like(&mut b, renamed, &[]);
    let block = new.block(b.body);
    renamed.map(old.induction_var(b.body), new.induction_var(b.body));
    b.set(InsertPoint::End(block));
    let carried = old.iter_args(b.body).to_vec();
    for (element, &carried) in elements.iter().zip(&carried) {
        let held = element.load(&mut b);
        renamed.map(carried, held);
    }
    for op in statements {
        if inner.is_some_and(|inner| inner.0 == op) {
            continue;
        }
        b.body.detach(op);
        b.insert(op);
        b.body.replace_values_in(op, |v| renamed.value(v));
    }
    for (element, &yielded) in elements.iter().zip(&yielded) {
        element.store(&mut b, renamed.value(yielded));
    }
    affine::yield_values(&mut b, block, &[]);
    match body[block].last() {
        Some(end) => InsertPoint::Before(end),
        None => InsertPoint::End(block),
    }
}
