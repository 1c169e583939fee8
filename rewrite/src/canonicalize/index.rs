//! `index`: merges the constants of two nested operations, and compares the
//! operands of a difference instead of the difference with zero.
//!
//! ```text
//! (x + 2) + 3   ⇒  x + 5
//! x - y == 0    ⇒  x == y
//! ```

use gridloom_dialects::index;
use gridloom_ir::fold::Elements;
use gridloom_ir::scalar::{Computation, IntPredicate, mask};
use gridloom_ir::{OpId, Value};

use crate::canonicalize::rules::Family;
use crate::rewriter::Rewriter;

/// Rewrites by root operation.
pub(super) const RULES: Family = &[
    (index::ADD, &[combine_constants]),
    (index::MUL, &[combine_constants]),
    (index::AND, &[combine_constants]),
    (index::OR, &[combine_constants]),
    (index::XOR, &[combine_constants]),
    (index::MAXS, &[combine_constants]),
    (index::MAXU, &[combine_constants]),
    (index::MINS, &[combine_constants]),
    (index::MINU, &[combine_constants]),
    (index::CMP, &[compare_difference]),
];

/// `op(op(x, c0), c1) ⇒ op(x, op(c0, c1))` for an associative operation.
fn combine_constants(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let Computation::Index(fold) = rw.ctx.computation(rw.body()[op].name)? else {
        return None;
    };
    let [inner, c1]: [Value; 2] = rw.look(op).operands()?;
    let cx = rw.look(op);
    let name = cx.data().name;
    let [x, c0] = cx.maker(inner, name)?.operands[..] else {
        return None;
    };
    let (a, b) = (cx.int(c0)? as u64, cx.int(c1)? as u64);
    let wide = fold.eval(a, b, 64).ok()?;
    // The result must be the same for indices of 32 and of 64 bits: which of
    // two constants is greater may depend on the width.
    let narrow = fold.eval(mask(a, 32), mask(b, 32), 32).ok()?;
    if mask(wide, 32) != narrow {
        return None;
    }
    let ty = rw.ctx.index_type();
    let constant = rw.elements(Elements::Splat(wide), ty, op)?;
    rw.remake(op, name, &[x, constant]);
    Some(())
}

/// `x - y == 0 ⇒ x == y`, `0 == x - y ⇒ y == x`, and the same for `!=`. Illegal
/// for `<` and its like, where the difference may overflow.
fn compare_difference(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let cx = rw.look(op);
    let is_equality = matches!(
        index::predicate(rw.ctx, cx.data())?,
        IntPredicate::Eq | IntPredicate::Ne
    );
    if !is_equality {
        return None;
    }
    let difference = |value| match cx.maker(value, index::SUB)?.operands[..] {
        [x, y] => Some([x, y]),
        _ => None,
    };
    let [lhs, rhs]: [Value; 2] = cx.operands()?;
    let operands = match (difference(lhs), difference(rhs)) {
        (Some(operands), _) if cx.is_int(rhs, 0) => operands,
        (_, Some([x, y])) if cx.is_int(lhs, 0) => [y, x],
        _ => return None,
    };
    rw.set_operands(op, &operands);
    Some(())
}
