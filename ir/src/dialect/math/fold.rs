//! Folds of `math` functions on constants, by the interpreter's own code. NaN
//! results do not fold.

use crate::dialect::arith::float::{number, on_constant, on_constants};
use crate::fold::{FoldCx, Folded};
use crate::scalar::{
    FloatOp, FloatTest, FloatUnary, IntOp, IntUnary, ScalarKind, float_to_int_power,
    fused_multiply_add, sext,
};

/// Folds a function of one float.
pub(super) fn unary(cx: &FoldCx, op: FloatUnary) -> Option<Folded> {
    cx.elements(on_constant(cx, op))
}

/// Folds a function of two floats.
pub(super) fn binary(cx: &FoldCx, op: FloatOp) -> Option<Folded> {
    cx.elements(on_constants(cx, op))
}

/// Folds a function of one integer.
pub(super) fn int_unary(cx: &FoldCx, op: IntUnary) -> Option<Folded> {
    let [operand] = cx.operands()?;
    let width = cx.int_width(cx.ty(operand))?;
    let constant = cx.constant(operand)?;
    cx.elements(constant.map(|a| Some(op.eval(a, width))))
}

/// Folds a classification of a float.
pub(super) fn classify(cx: &FoldCx, test: FloatTest) -> Option<Folded> {
    let [operand] = cx.operands()?;
    let constant = cx.constant(operand)?;
    cx.elements(constant.map(|bits| Some(test.holds(bits, constant.kind).into())))
}

/// Folds `math.ipowi`, except a negative power of zero, which is undefined.
pub(super) fn ipowi(cx: &FoldCx) -> Option<Folded> {
    let [base, power] = cx.operands()?;
    let width = cx.int_width(cx.ty(base))?;
    let (base, power) = (cx.constant(base)?, cx.constant(power)?);
    cx.elements(base.zip(&power, |a, b| {
        let is_defined = a != 0 || sext(b, width) >= 0;
        IntOp::Pow.eval(a, b, width).ok().filter(|_| is_defined)
    }))
}

/// `math.fpowi`
pub(super) fn fpowi(cx: &FoldCx) -> Option<Folded> {
    let [base, power] = cx.operands()?;
    let (base, power) = (cx.constant(base)?, cx.constant(power)?);
    let ScalarKind::Int(width) = power.kind else {
        return None;
    };
    let kind = base.kind;
    cx.elements(base.zip(&power, |a, b| {
        number(kind, float_to_int_power(a, sext(b, width), kind))
    }))
}

/// Folds a function of three float constants or splats.
fn three(cx: &FoldCx, eval: impl Fn(u64, u64, u64, ScalarKind) -> u64) -> Option<Folded> {
    let [a, b, c] = cx.operands()?;
    let (a, b, c) = (cx.constant(a)?, cx.constant(b)?, cx.constant(c)?);
    let result = eval(a.splat()?, b.splat()?, c.splat()?, a.kind);
    cx.splat(number(a.kind, result)?)
}

/// `math.fma`
pub(super) fn fma(cx: &FoldCx) -> Option<Folded> {
    three(cx, fused_multiply_add)
}

/// `math.clampf`
pub(super) fn clampf(cx: &FoldCx) -> Option<Folded> {
    three(cx, |value, low, high, kind| {
        let raised = FloatOp::Maximum.eval(value, low, kind);
        FloatOp::Minimum.eval(raised, high, kind)
    })
}

/// `math.sincos`
pub(super) fn sincos(cx: &FoldCx) -> Option<Folded> {
    let mut folded = Folded::new();
    for (index, op) in [FloatUnary::Sin, FloatUnary::Cos].into_iter().enumerate() {
        folded.push(on_constant(cx, op)?.into_result(cx.ctx, cx.result_type(index))?);
    }
    Some(folded)
}
