//! Folds an addition into the accumulator of an integer `vector.contract`.
//!
//! ```text
//! addi (contract %a, %b, 0), %c  ⇒  contract %a, %b, %c
//! ```
//!
//! Legal for integers, whose wrapping addition is associative; not for floats.

use gridloom_dialects::{inherent, vector};
use gridloom_ir::{OpId, Value};

use crate::rewriter::Rewriter;

/// `addi (contract %a, %b, 0), %c ⇒ contract %a, %b, %c`, with the contraction on either side.
pub(in super::super) fn add_to_contraction(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let [lhs, rhs] = rw.look(op).operands()?;
    start_from(rw, op, lhs, rhs).or_else(|| start_from(rw, op, rhs, lhs))
}

/// `addi (contract %a, %b, 0), %c ⇒ contract %a, %b, %c` for a contraction that adds and has no
/// other use.
fn start_from(rw: &mut Rewriter, op: OpId, sum: Value, start: Value) -> Option<()> {
    let contraction = rw.body().defining_op(sum)?;
    let data = &rw.body()[contraction];
    let &[lhs, rhs, zero] = &data.operands[..] else {
        return None;
    };
    let adds = data.name == vector::CONTRACT
        && vector::combining_kind(rw.ctx, data.get(rw.ctx, inherent::COMBINING_KIND)?)
            == Some("add");
    if !adds || !rw.look(op).is_int(zero, 0) || rw.users(sum) != [op] || start == sum {
        return None;
    }
    rw.move_before(op, contraction);
    rw.set_operands(contraction, &[lhs, rhs, start]);
    rw.replace_op(op, &[sum]);
    Some(())
}
