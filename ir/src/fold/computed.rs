//! Constant folding by computation: evaluates operations whose row declares what they compute.
//!
//! Results that MLIR leaves undefined do not fold, nor do NaNs, since machines differ in their
//! bits.

use smallvec::SmallVec;

use crate::context::Traits;
use crate::fold::{Constant, Elements, FoldCx, Folded};
use crate::scalar::{
    Cast, Computation, ComputeFn, FloatOp, FloatUnary, IntOp, ScalarKind, float_to_int_power,
    fused_multiply_add, mask, scalar_kind, sext,
};

/// Folds an operation on constants by the computation of its row.
pub(crate) fn fold(cx: &FoldCx, computation: Computation) -> Option<Folded> {
    cx.elements(match computation {
        Computation::Int(op) => on_integers(cx, op),
        Computation::Index(op) => on_indices(cx, op),
        Computation::IntUnary(op) => {
            let (constant, width) = integer(cx)?;
            constant.map(|a| Some(op.eval(a, width)))
        }
        Computation::Float(op) => on_floats(cx, op),
        Computation::FloatUnary(op) => on_float(cx, op),
        Computation::FloatTest(test) => {
            let constant = operand(cx)?;
            constant.map(|bits| Some(test.holds(bits, constant.kind).into()))
        }
        Computation::Cast(cast) => {
            let (from, to) = (operand(cx)?, cx.element_kind(cx.result_type(0))?);
            from.map(|bits| convert(cast, bits, from.kind, to))
        }
        Computation::IndexCast(cast) => index_cast(cx, cast),
        Computation::FusedMultiplyAdd => on_three(cx, fused_multiply_add),
        Computation::FloatToIntPower => float_power(cx),
        Computation::Words(compute) => on_words(cx, compute),
    })
}

/// The only operand, a constant.
fn operand<'a>(cx: &FoldCx<'a>) -> Option<Constant<'a>> {
    let [operand] = cx.operands()?;
    cx.constant(operand)
}

/// The only operand, a constant of integers, and their width.
fn integer<'a>(cx: &FoldCx<'a>) -> Option<(Constant<'a>, u8)> {
    let constant = operand(cx)?;
    match constant.kind {
        ScalarKind::Int(width) => Some((constant, width)),
        _ => None,
    }
}

/// Combines two constants of integers, elementwise.
pub fn on_integers(cx: &FoldCx, op: IntOp) -> Option<Elements> {
    let [lhs, rhs] = cx.operands()?;
    let (a, b) = (cx.constant(lhs)?, cx.constant(rhs)?);
    let width = cx.int_width(cx.ty(lhs))?;
    a.zip(&b, |a, b| defined(op, a, b, width))
}

/// Evaluates an operation of integers where MLIR defines its result.
fn defined(op: IntOp, a: u64, b: u64, width: u8) -> Option<u64> {
    let least = 1 << (width - 1);
    let is_defined = match op {
        IntOp::Shl | IntOp::ShrS | IntOp::ShrU => b < u64::from(width),
        // The only overflowing quotient is least / -1.
        IntOp::DivS | IntOp::FloorDivS => sext(b, width) != -1 || a != least,
        // MLIR rounds up by negating, and the least number has no negation.
        IntOp::CeilDivS => b == 1 || a != least && b != least,
        IntOp::Pow => a != 0 || sext(b, width) >= 0,
        _ => true,
    };
    op.eval(a, b, width).ok().filter(|_| is_defined)
}

/// Combines two constant indices if both widths agree on the result.
fn on_indices(cx: &FoldCx, op: IntOp) -> Option<Elements> {
    let [a, b] = cx.operands()?.map(|value| cx.int(value));
    let (a, b) = (a? as u64, b? as u64);
    // A shift by 32 or more is undefined for a narrow index, and so is the one remainder whose
    // quotient overflows.
    let eval = |a: u64, b: u64, width: u8| match op {
        IntOp::RemS if sext(b, width) == -1 && a == 1 << (width - 1) => None,
        _ => defined(op, a, b, width),
    };
    let wide = eval(a, b, 64)?;
    let narrow = eval(mask(a, 32), mask(b, 32), 32)?;
    (mask(wide, 32) == narrow).then_some(Elements::Splat(wide))
}

/// Converts a constant to `index`, or from it if both widths agree on the result.
fn index_cast(cx: &FoldCx, cast: Cast) -> Option<Elements> {
    let (constant, from) = integer(cx)?;
    let bits = constant.splat()?;
    let extended = |bits: u64, width: u8| match cast {
        Cast::IntSign => sext(mask(bits, width), width) as u64,
        _ => mask(bits, width),
    };
    if cx.result_type(0).is_index(cx.ctx) {
        return Some(Elements::Splat(extended(bits, from)));
    }
    let to = cx.int_width(cx.result_type(0))?;
    let [wide, narrow] = [64, 32].map(|width| mask(extended(bits, width), to));
    (wide == narrow).then_some(Elements::Splat(wide))
}

/// Combines two constants of floats, elementwise.
fn on_floats(cx: &FoldCx, op: FloatOp) -> Option<Elements> {
    let [lhs, rhs] = cx.operands()?;
    let (a, b) = (cx.constant(lhs)?, cx.constant(rhs)?);
    let kind = a.kind;
    a.zip(&b, |a, b| number(kind, op.eval(a, b, kind)))
}

/// Evaluates a function of one constant of floats, elementwise.
pub fn on_float(cx: &FoldCx, op: FloatUnary) -> Option<Elements> {
    let constant = operand(cx)?;
    let kind = constant.kind;
    // Negation and absolute value change only the sign bit, even of a NaN.
    let moves_bits = matches!(op, FloatUnary::Neg | FloatUnary::Abs);
    constant.map(|a| match op.eval(a, kind) {
        result if moves_bits => Some(result),
        result => number(kind, result),
    })
}

/// The bits, unless they are a NaN.
fn number(kind: ScalarKind, bits: u64) -> Option<u64> {
    (!kind.to_f64(bits).is_nan()).then_some(bits)
}

/// Evaluates a function of three constants or splats of floats.
pub fn on_three(cx: &FoldCx, eval: impl Fn(u64, u64, u64, ScalarKind) -> u64) -> Option<Elements> {
    let [a, b, c] = cx.operands()?.map(|value| cx.constant(value));
    let (a, b, c) = (a?, b?, c?);
    let result = eval(a.splat()?, b.splat()?, c.splat()?, a.kind);
    Some(Elements::Splat(number(a.kind, result)?))
}

/// Raises a constant of floats to a constant power, elementwise.
fn float_power(cx: &FoldCx) -> Option<Elements> {
    let [base, power] = cx.operands()?.map(|value| cx.constant(value));
    let (base, power) = (base?, power?);
    let ScalarKind::Int(width) = power.kind else {
        return None;
    };
    let kind = base.kind;
    base.zip(&power, |a, b| {
        number(kind, float_to_int_power(a, sext(b, width), kind))
    })
}

/// Converts a scalar where MLIR defines the result.
fn convert(cast: Cast, bits: u64, from: ScalarKind, to: ScalarKind) -> Option<u64> {
    let result = cast.eval(bits, from, to);
    let is_defined = match (cast, to) {
        (Cast::FloatToSigned, ScalarKind::Int(width)) => {
            let limit = 2f64.powi(i32::from(width) - 1);
            (-limit..limit).contains(&from.to_f64(bits).trunc())
        }
        (Cast::FloatToUnsigned, ScalarKind::Int(width)) => {
            (0.0..2f64.powi(width.into())).contains(&from.to_f64(bits).trunc())
        }
        // An exact conversion is the same in every rounding mode; a NaN equals nothing.
        (Cast::Float, _) => to.to_f64(result) == from.to_f64(bits),
        _ => true,
    };
    is_defined.then_some(result)
}

/// Applies a program's own function to constant scalars, or to splats if the operation is
/// elementwise.
fn on_words(cx: &FoldCx, compute: ComputeFn) -> Option<Elements> {
    let data = cx.data();
    let is_scalar = |value| scalar_kind(cx.ctx, cx.ty(value)).is_some();
    let elementwise = data.name.has(Traits::ELEMENTWISE);
    let mut values = data.operands.iter().copied().chain(data.results());
    if data.num_results() != 1 || !elementwise && !values.all(is_scalar) {
        return None;
    }
    let bits = |&value: &_| cx.constant(value)?.splat();
    let words: SmallVec<[u64; 4]> = data.operands.iter().map(bits).collect::<Option<_>>()?;
    Some(Elements::Splat(compute(&words)))
}
