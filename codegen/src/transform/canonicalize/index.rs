//! `index`: merges the constants of two nested operations, and compares the
//! operands of a difference instead of the difference with zero.
//!
//! ```text
//! (x + 2) + 3   ⇒  x + 5
//! x - y == 0    ⇒  x == y
//! ```

use gridloom_ir::dialect::index;
use gridloom_ir::fold::Elements;
use gridloom_ir::scalar::{IntOp, IntPredicate, mask};
use gridloom_ir::{OpId, Value};

use crate::transform::rewriter::Rewriter;

/// Tries each rewrite; `Some(())` if one fired.
pub(super) fn simplify(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let fold = match rw.body()[op].name {
        index::ADD => IntOp::Add,
        index::MUL => IntOp::Mul,
        index::AND => IntOp::And,
        index::OR => IntOp::Or,
        index::XOR => IntOp::Xor,
        index::MAXS => IntOp::MaxS,
        index::MAXU => IntOp::MaxU,
        index::MINS => IntOp::MinS,
        index::MINU => IntOp::MinU,
        index::CMP => return compare_difference(rw, op),
        _ => return None,
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
