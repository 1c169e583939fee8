//! `vector.contract` of integers that starts from 0 and is added to something
//! starts from that.
//!
//! ```text
//! addi (contract %a, %b, 0), %c  ⇒  contract %a, %b, %c
//! ```
//!
//! Sums of integers wrap, so their order does not matter; that of floats does.

use gridloom_ir::dialect::vector;
use gridloom_ir::{OpId, Value};

use crate::transform::rewriter::Rewriter;

/// For a sum of integers, either operand of which may be the contraction.
pub(in super::super) fn add_to_contraction(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let [lhs, rhs] = rw.look(op).operands()?;
    start_from(rw, op, lhs, rhs).or_else(|| start_from(rw, op, rhs, lhs))
}

fn start_from(rw: &mut Rewriter, op: OpId, sum: Value, start: Value) -> Option<()> {
    let contraction = rw.body().defining_op(sum)?;
    let data = &rw.body()[contraction];
    let &[lhs, rhs, zero] = &data.operands[..] else {
        return None;
    };
    let adds = data.name == vector::CONTRACT
        && vector::combining_kind(rw.ctx, data.attr(rw.ctx, "kind")?) == Some("add");
    if !adds || !rw.look(op).is_int(zero, 0) || rw.users(sum) != [op] || start == sum {
        return None;
    }
    rw.move_before(op, contraction);
    rw.set_operands(contraction, &[lhs, rhs, start]);
    rw.replace_op(op, &[sum]);
    Some(())
}
