//! `arith.select`: simplifies its condition and its choices.
//!
//! ```text
//! select(not p, a, b)             ⇒  select(p, b, a)
//! select(p, select(p, a, b), c)   ⇒  select(p, a, c)
//! select(p, false, true)          ⇒  not p
//! select(p, 1, 0) : i32           ⇒  extui(p)
//! ```

use gridloom_dialects::arith;
use gridloom_ir::{OpId, Value};

use super::operands::not;
use crate::rewriter::Rewriter;

/// Tries each rewrite; `Some(())` if one fired.
pub(super) fn simplify(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let [condition, yes, no] = rw.look(op).operands()?;
    choose_otherwise(rw, op, [condition, yes, no])
        .or_else(|| choose_once(rw, op, [condition, yes, no]))
        .or_else(|| extend_condition(rw, op, [condition, yes, no]))
}

/// `select(not p, a, b) ⇒ select(p, b, a)`.
fn choose_otherwise(rw: &mut Rewriter, op: OpId, [condition, yes, no]: [Value; 3]) -> Option<()> {
    let cx = rw.look(op);
    let [inner, ones] = cx.maker(condition, arith::XORI)?.operands[..] else {
        return None;
    };
    if !cx.is_int(ones, -1) {
        return None;
    }
    rw.set_operands(op, &[inner, no, yes]);
    Some(())
}

/// `select(p, select(p, a, _), c) ⇒ select(p, a, c)`, and the same for the
/// other choice.
fn choose_once(rw: &mut Rewriter, op: OpId, [condition, yes, no]: [Value; 3]) -> Option<()> {
    let cx = rw.look(op);
    let chosen = |value, branch: usize| {
        let operands = &cx.maker(value, arith::SELECT)?.operands;
        (operands[0] == condition).then_some(operands[branch])
    };
    let operands = match (chosen(yes, 1), chosen(no, 2)) {
        (None, None) => return None,
        (first, second) => [condition, first.unwrap_or(yes), second.unwrap_or(no)],
    };
    rw.set_operands(op, &operands);
    Some(())
}

/// `select(p, 1, 0) ⇒ extui(p)`, `select(p, false, true) ⇒ not p`.
fn extend_condition(rw: &mut Rewriter, op: OpId, [condition, yes, no]: [Value; 3]) -> Option<()> {
    let cx = rw.look(op);
    let ty = cx.result_type(0);
    let width = ty.element(rw.ctx).unwrap_or(ty).signless_width(rw.ctx)?;
    // A select between vectors of ones and zeros stays: an extension is no
    // simpler.
    let is_worth_it = width == 1 || ty.element(rw.ctx).is_none();
    if arith::bool_like(rw.ctx, ty) != cx.ty(condition) || !is_worth_it {
        return None;
    }
    let positive = cx.is_int(yes, 1) && cx.is_int(no, 0);
    let negative = cx.is_int(yes, 0) && cx.is_int(no, 1);
    let value = match (positive, negative) {
        (true, _) => condition,
        (_, true) => not(rw, op, condition)?,
        _ => return None,
    };
    if width == 1 {
        rw.replace_op(op, &[value]);
    } else {
        rw.remake(op, arith::EXTUI, &[value]);
    }
    Some(())
}
