//! Folds of `math` operations without a declared computation.

use gridloom_ir::fold::computed::{on_float, on_three};
use gridloom_ir::fold::{FoldCx, Folded};
use gridloom_ir::scalar::{FloatOp, FloatUnary};

/// `math.clampf`
pub(super) fn clampf(cx: &FoldCx) -> Option<Folded> {
    cx.elements(on_three(cx, |value, low, high, kind| {
        let raised = FloatOp::Maximum.eval(value, low, kind);
        FloatOp::Minimum.eval(raised, high, kind)
    }))
}

/// `math.sincos`
pub(super) fn sincos(cx: &FoldCx) -> Option<Folded> {
    let mut folded = Folded::new();
    for (index, op) in [FloatUnary::Sin, FloatUnary::Cos].into_iter().enumerate() {
        folded.push(on_float(cx, op)?.into_result(cx.ctx, cx.result_type(index))?);
    }
    Some(folded)
}
