//! Float conversions and negations that cancel.
//!
//! ```text
//! arith.mulf (negf %x), (negf %y)                       ⇒  arith.mulf %x, %y
//! arith.truncf (arith.sitofp %i : i16 to f64) : to f32  ⇒  arith.sitofp %i : i16 to f32
//! arith.extf contract (arith.truncf contract %x)        ⇒  %x
//! ```

use gridloom_dialects::arith::{self, CONTRACT, fastmath_flags};
use gridloom_dialects::inherent;
use gridloom_ir::OpId;
use gridloom_ir::scalar::ScalarKind;

use super::operands::{pair, source};
use crate::canonicalize::rules::Family;
use crate::rewriter::Rewriter;

/// Rewrites by root operation.
pub(super) const RULES: Family = &[
    (arith::EXTF, &[cancel_round_trip]),
    (arith::TRUNCF, &[convert_once]),
    (arith::MULF, &[drop_negations]),
    (arith::DIVF, &[drop_negations]),
];

/// `extf(truncf(x)) ⇒ x` if both carry the `contract` flag.
fn cancel_round_trip(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let cx = rw.look(op);
    let [operand] = cx.operands()?;
    let truncated = cx.maker(operand, arith::TRUNCF)?;
    let may = |data| fastmath_flags(cx.ctx, data) & CONTRACT != 0;
    let &[x] = &truncated.operands[..] else {
        return None;
    };
    if cx.ty(x) != cx.result_type(0) || !may(truncated) || !may(cx.data()) {
        return None;
    }
    rw.replace_op(op, &[x]);
    Some(())
}

/// `truncf(sitofp(x)) ⇒ sitofp(x)` if the inner conversion is exact, so that either form
/// rounds once.
fn convert_once(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let cx = rw.look(op);
    let [operand] = cx.operands()?;
    let significant = match cx.element_kind(cx.ty(operand))? {
        ScalarKind::F64 => 53,
        ScalarKind::F32 => 24,
        _ => return None,
    };
    if cx.data().has_attr(cx.ctx, inherent::ROUNDINGMODE) {
        return None;
    }
    let names = [(arith::SITOFP, 1), (arith::UITOFP, 0)];
    let found = names
        .iter()
        .find_map(|&(name, sign)| Some((name, sign, source(rw, op, operand, name)?)));
    let (name, sign, x) = found?;
    if cx.int_width(cx.ty(x))? - sign > significant {
        return None;
    }
    rw.remake(op, name, &[x]);
    Some(())
}

/// `-x * -y ⇒ x * y`, `-x / -y ⇒ x / y`.
fn drop_negations(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let operands = pair(rw, op)?;
    let [x, y] = operands.map(|value| source(rw, op, value, arith::NEGF));
    let (x, y) = (x?, y?);
    rw.set_operands(op, &[x, y]);
    Some(())
}
