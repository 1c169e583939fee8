//! Folds of all dialects: poison, and numbers that
//! [`ScalarKind`](gridloom_ir::scalar::ScalarKind) does not cover.

mod empty;
mod formats;
mod wide;
mod wide_int;

use super::{arith, ub};
use gridloom_ir::body::Value;
use gridloom_ir::fold::{FoldCx, Folded};
use gridloom_ir::op::Traits;
use gridloom_ir::registry::CommonFolds;
use gridloom_ir::types::Type;

/// Common folds, which stand in no row.
pub(crate) const COMMON: CommonFolds = CommonFolds {
    before: poisoned,
    after: beyond_registers,
};

/// Folds elementwise arithmetic on poison to poison; selects and comparisons
/// excepted.
fn poisoned(cx: &FoldCx) -> Option<Folded> {
    let data = cx.data();
    let spreads = data.num_results() == 1
        && data.name.has(Traits::PURE.with(Traits::ELEMENTWISE))
        && !matches!(data.name, arith::SELECT | arith::CMPI | arith::CMPF);
    let poison = |value: &Value| cx.maker(*value, ub::POISON).is_some();
    (spreads && data.operands.iter().any(poison)).then(|| cx.attr(ub::poison_attr(cx.ctx)))?
}

/// Folds numbers of widths and formats that no register of the interpreter holds.
fn beyond_registers(cx: &FoldCx) -> Option<Folded> {
    let data = cx.data();
    let is_in_register = |ty: Type| ty.is_frequent_scalar();
    if (data.operands.first()).is_some_and(|&operand| is_in_register(cx.ty(operand)))
        && data.results().all(|result| is_in_register(cx.ty(result)))
    {
        return None;
    }
    wide::fold(cx)
        .or_else(|| empty::fold(cx))
        .or_else(|| formats::fold(cx))
}
