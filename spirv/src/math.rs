//! The `math` dialect.
//!
//! Functions that every device computes to the last bit are left to it: magnitudes,
//! roundings, signs. Square roots follow the rule of division (see `exact`).
//! All other functions of floats are our own (see `elementary`), unless the
//! operation itself says `fastmath<afn>`: then single precision takes the
//! device's. Strict kernels refuse them otherwise, since the interpreter's
//! last bit cannot be promised.

use gridloom_dialects::{math, vector};
use gridloom_ir::scalar::{FloatOp, FloatTest, FloatUnary};
use gridloom_ir::{OpId, OpName};
use rspirv::spirv::{GlslStd450Op, Op, Word};

use crate::abi::ElementKind;
use crate::arith_float::FastMath;
use crate::calc::Calc;
use crate::kernel::{Kernel, Lowered, Lowering};
use crate::types::{self, Reg};
use crate::{arith_float, elementary, error_function, trigonometry};

/// Lowers `clampf`, `sincos` and `vector.fma`, whose rows declare no computation.
pub(crate) fn lower(k: &mut Kernel<'_>, op: OpId, name: OpName) -> Lowering<bool> {
    match name {
        math::CLAMPF => on_lanes(k, op, "clamp", clamp)?,
        math::SINCOS => sincos(k, op)?,
        vector::FMA => fma(k, op)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// Lowers a function of one float.
pub(crate) fn unary(k: &mut Kernel<'_>, op: OpId, float: FloatUnary) -> Lowering<()> {
    let device = match float {
        FloatUnary::Abs => GlslStd450Op::FAbs,
        FloatUnary::Ceil => GlslStd450Op::Ceil,
        FloatUnary::Floor => GlslStd450Op::Floor,
        FloatUnary::Trunc => GlslStd450Op::Trunc,
        FloatUnary::RoundEven => GlslStd450Op::RoundEven,
        FloatUnary::Neg => return arith_float::negate(k, op),
        FloatUnary::Sqrt => return square_root(k, op),
        FloatUnary::Round => return on_lanes(k, op, "round", |c, args| round(c, args[0])),
        _ => {
            let Some((name, emit, device)) = elementary_of(float) else {
                return Err(k.malformed(op));
            };
            return lower_elementary(k, op, name, |c, args| emit(c, args[0]), device);
        }
    };
    let reg = k.float_reg(op)?;
    let x = k.word(op, 0)?;
    let ty = k.e.machine(reg);
    let word = k.e.glsl(device, ty, &[x]);
    k.set(op, word)
}

/// Lowers a function of two floats.
pub(crate) fn binary(k: &mut Kernel<'_>, op: OpId, float: FloatOp) -> Lowering<()> {
    match float {
        FloatOp::Pow => {
            let emit = |c: &mut Calc<'_>, a: &[Word]| elementary::power(c, a[0], a[1]);
            lower_elementary(k, op, "pow", emit, Some(GlslStd450Op::Pow))
        }
        FloatOp::Atan2 => {
            let emit = |c: &mut Calc<'_>, a: &[Word]| trigonometry::atan2(c, a[0], a[1]);
            lower_elementary(k, op, "atan2", emit, Some(GlslStd450Op::Atan2))
        }
        FloatOp::CopySign => on_lanes(k, op, "copy_sign", |c, args| c.copy_sign(args[0], args[1])),
        _ => Err(k.malformed(op)),
    }
}

fn square_root(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let reg = k.float_reg(op)?;
    let x = k.word(op, 0)?;
    k.float_mode(op);
    let word = k.square_root(op, reg, x)?;
    finish(k, op, reg, word)
}

/// Elementary function of one float that is our own: its name in the module, its emission, and the device's instruction
/// for it.
type Elementary = (
    &'static str,
    fn(&mut Calc<'_>, Word) -> Word,
    Option<GlslStd450Op>,
);

/// The functions of one float that are our own.
fn elementary_of(float: FloatUnary) -> Option<Elementary> {
    use GlslStd450Op as Device;
    Some(match float {
        FloatUnary::Rsqrt => ("rsqrt", rsqrt, Some(Device::InverseSqrt)),
        FloatUnary::Exp => ("exp", elementary::exp, Some(Device::Exp)),
        FloatUnary::Exp2 => ("exp2", elementary::exp2, Some(Device::Exp2)),
        FloatUnary::ExpM1 => ("expm1", elementary::exp_m1, None),
        FloatUnary::Log => ("log", elementary::log, Some(Device::Log)),
        FloatUnary::Log2 => ("log2", elementary::log2, Some(Device::Log2)),
        FloatUnary::Log10 => ("log10", elementary::log10, None),
        FloatUnary::Log1p => ("log1p", elementary::log_1p, None),
        FloatUnary::Cbrt => ("cbrt", elementary::cube_root, None),
        FloatUnary::Sinh => ("sinh", elementary::sinh, Some(Device::Sinh)),
        FloatUnary::Cosh => ("cosh", elementary::cosh, Some(Device::Cosh)),
        FloatUnary::Tanh => ("tanh", elementary::tanh, Some(Device::Tanh)),
        FloatUnary::Asinh => ("asinh", elementary::asinh, Some(Device::Asinh)),
        FloatUnary::Acosh => ("acosh", elementary::acosh, Some(Device::Acosh)),
        FloatUnary::Atanh => ("atanh", elementary::atanh, Some(Device::Atanh)),
        FloatUnary::Sin => ("sin", trigonometry::sin, Some(Device::Sin)),
        FloatUnary::Cos => ("cos", trigonometry::cos, Some(Device::Cos)),
        FloatUnary::Tan => ("tan", trigonometry::tan, Some(Device::Tan)),
        FloatUnary::Asin => ("asin", trigonometry::asin, Some(Device::Asin)),
        FloatUnary::Acos => ("acos", trigonometry::acos, Some(Device::Acos)),
        FloatUnary::Atan => ("atan", trigonometry::atan, Some(Device::Atan)),
        FloatUnary::Erf => ("erf", error_function::erf, None),
        FloatUnary::Erfc => ("erfc", error_function::erfc, None),
        _ => return None,
    })
}

/// Lowers a function of our own, or to the device's kin where the operation may be approximated.
fn lower_elementary(
    k: &mut Kernel<'_>,
    op: OpId,
    name: &'static str,
    emit: impl Fn(&mut Calc<'_>, &[Word]) -> Word,
    device: Option<GlslStd450Op>,
) -> Lowering<()> {
    let reg = k.float_reg(op)?;
    let approximate = refuse_if_strict(k, op)?;
    let Some(device) = device.filter(|_| approximate && reg.machine_bits() == 32) else {
        return on_lanes(k, op, name, emit);
    };
    let args = operand_words(k, op)?;
    let ty = k.e.machine(reg);
    let word = k.e.glsl(device, ty, &args);
    finish(k, op, reg, word)
}

/// Whether the operation may be approximated; a strict kernel must not hold
/// one that may not be.
fn refuse_if_strict(k: &Kernel<'_>, op: OpId) -> Lowering<bool> {
    let approximate = FastMath::of(k, op).approximate;
    if k.is_strict() && !approximate {
        let name = k.ctx.op_name_str(k.body[op].name);
        let message = format!(
            "the last bit of '{name}' differs between devices, so kernels with strict floats \
             cannot compute it: compile with relaxed floats, or allow approximation with \
             fastmath<afn>"
        );
        return Err(k.refuse(op, message));
    }
    Ok(approximate)
}

fn operand_words(k: &mut Kernel<'_>, op: OpId) -> Lowering<Vec<Word>> {
    let count = k.body[op].operands.len();
    (0..count).map(|index| k.word(op, index)).collect()
}

/// Defines the result, rounded to its format.
fn finish(k: &mut Kernel<'_>, op: OpId, reg: Reg, word: Word) -> Lowering<()> {
    let word = k.rounded(reg, word);
    k.set(op, word)
}

/// Applies an elementary function to each lane of the operands.
fn on_lanes(
    k: &mut Kernel<'_>,
    op: OpId,
    name: &'static str,
    emit: impl Fn(&mut Calc<'_>, &[Word]) -> Word,
) -> Lowering<()> {
    let reg = k.float_reg(op)?;
    let args = operand_words(k, op)?;
    let word = call(k, op, name, reg, &args, emit)?;
    finish(k, op, reg, word)
}

/// Calls the helper of an elementary function, without contraction: its steps rely on being
/// evaluated as written.
fn call(
    k: &mut Kernel<'_>,
    op: OpId,
    name: &'static str,
    reg: Reg,
    args: &[Word],
    emit: impl Fn(&mut Calc<'_>, &[Word]) -> Word,
) -> Lowering<Word> {
    k.e.forbid_contraction = true;
    k.by_lane(op, name, reg, args, |e, format, args| {
        emit(&mut Calc { e, format }, args)
    })
}

fn rsqrt(c: &mut Calc<'_>, x: Word) -> Word {
    let root = c.sqrt(x);
    let one = c.constant(1.0);
    c.div(one, root)
}

/// Rounds to the nearest integer, ties away from 0.
fn round(c: &mut Calc<'_>, x: Word) -> Word {
    let whole = c.trunc(x);
    let rest = c.sub(x, whole);
    let rest = c.abs(rest);
    let up = c.test_with(Op::FOrdGreaterThanEqual, rest, 0.5);
    let zero = c.constant(0.0);
    let step = c.replace(up, 1.0, zero);
    let step = c.copy_sign(step, x);
    let value = c.add(whole, step);
    c.copy_sign(value, x)
}

/// Clamps the first argument between the second and the third.
fn clamp(c: &mut Calc<'_>, args: &[Word]) -> Word {
    let &[x, low, high] = args else {
        return c.constant(0.0);
    };
    let below = c.test(Op::FOrdLessThan, x, low);
    let x = c.select(below, low, x);
    let above = c.test(Op::FOrdGreaterThan, x, high);
    c.select(above, high, x)
}

/// `a * b + c`, rounded once. Relaxed kernels take the device's, which may
/// round twice; strict ones compute in double precision where there is one.
pub(crate) fn fma(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let reg = k.float_reg(op)?;
    let args = operand_words(k, op)?;
    k.float_mode(op);
    if !k.exact {
        let ty = k.e.machine(reg);
        let word = k.e.glsl(GlslStd450Op::Fma, ty, &args);
        return finish(k, op, reg, word);
    }
    if reg.kind != ElementKind::F32 || !(k.env.features.f64 && k.env.features.i64) {
        let message = "a fused multiplication to the last bit needs f32 operands and a device \
                       with f64 and i64: compile with relaxed floats, or use arith.mulf and \
                       arith.addf";
        return Err(k.refuse(op, message));
    }
    k.require(|features| features.f64 = true);
    let word = call(k, op, "exact_fma", reg, &args, exact_fma)?;
    k.set(op, word)
}

/// A product of two singles is exact as a double. Their sum with the third is
/// rounded to odd — the last bit says whether anything was lost — so that
/// rounding it again, to single, gives what one rounding would.
fn exact_fma(c: &mut Calc<'_>, args: &[Word]) -> Word {
    let &[a, b, addend] = args else {
        return c.constant(0.0);
    };
    let double = types::scalar(ElementKind::F64);
    let single = c.format.float;
    let [a, b, addend] = [a, b, addend].map(|x| c.e.on(double, Op::FConvert, &[x]));
    let product = c.e.float(double, Op::FMul, &[a, b]);
    let sum = c.e.float(double, Op::FAdd, &[product, addend]);
    // The rounding error of the sum (Knuth's two-sum).
    let part = c.e.float(double, Op::FSub, &[sum, product]);
    let rest = c.e.float(double, Op::FSub, &[sum, part]);
    let rest = c.e.float(double, Op::FSub, &[product, rest]);
    let part = c.e.float(double, Op::FSub, &[addend, part]);
    let lost = c.e.float(double, Op::FAdd, &[rest, part]);
    let word = types::int(64);
    let bits = c.e.on(word, Op::Bitcast, &[sum]);
    let (zero, one) = (c.e.splat_int(word, 0), c.e.splat_int(word, 1));
    let none = c.e.splat_float(double, 0.0);
    let inexact = {
        let (less, more) = (
            c.e.test(double, Op::FOrdLessThan, &[lost, none]),
            c.e.test(double, Op::FOrdGreaterThan, &[lost, none]),
        );
        c.logic(Op::LogicalOr, less, more)
    };
    let last = c.e.on(word, Op::BitwiseAnd, &[bits, one]);
    let even = c.e.test(word, Op::IEqual, &[last, zero]);
    let wrong = c.logic(Op::LogicalAnd, inexact, even);
    // Towards what was lost: away from 0 if the signs agree.
    let lost_bits = c.e.on(word, Op::Bitcast, &[lost]);
    let signs = c.e.on(word, Op::BitwiseXor, &[bits, lost_bits]);
    let agree = c.e.test(word, Op::SGreaterThanEqual, &[signs, zero]);
    let minus_one = c.e.splat_int(word, -1);
    let step = c.e.select(word, agree, one, minus_one);
    let moved = c.e.on(word, Op::IAdd, &[bits, step]);
    let bits = c.e.select(word, wrong, moved, bits);
    let odd = c.e.on(double, Op::Bitcast, &[bits]);
    c.e.on(single, Op::FConvert, &[odd])
}

/// Lowers a classification of a float.
pub(crate) fn classify(k: &mut Kernel<'_>, op: OpId, test: FloatTest) -> Lowering<()> {
    let reg = k.float_reg(op)?;
    let x = k.word(op, 0)?;
    let (magnitude, infinity) = k.e.magnitude(reg, x);
    let word = match test {
        FloatTest::Nan => k.e.test(reg, Op::UGreaterThan, &[magnitude, infinity]),
        FloatTest::Infinite => k.e.test(reg, Op::IEqual, &[magnitude, infinity]),
        FloatTest::Finite => k.e.test(reg, Op::ULessThan, &[magnitude, infinity]),
        FloatTest::Normal => {
            let least = match reg.kind.float_format() {
                Some(format) => format.least_normal(),
                None => f64::MIN_POSITIVE,
            };
            let least = k.e.splat_float(reg, least);
            let least = k.e.bits_of(reg, least);
            let finite = k.e.test(reg, Op::ULessThan, &[magnitude, infinity]);
            let large = k.e.test(reg, Op::UGreaterThanEqual, &[magnitude, least]);
            k.e.on(
                reg.with(ElementKind::Bool),
                Op::LogicalAnd,
                &[finite, large],
            )
        }
    };
    k.set(op, word)
}

fn sincos(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let reg = k.float_reg(op)?;
    refuse_if_strict(k, op)?;
    let x = [k.word(op, 0)?];
    let sine = call(k, op, "sin", reg, &x, |c, a| trigonometry::sin(c, a[0]))?;
    let cosine = call(k, op, "cos", reg, &x, |c, a| trigonometry::cos(c, a[0]))?;
    let (sine, cosine) = (k.rounded(reg, sine), k.rounded(reg, cosine));
    let mut results = k.body[op].results();
    let (Some(first), Some(second)) = (results.next(), results.next()) else {
        return Err(k.malformed(op));
    };
    k.define(first, Lowered::Reg(sine));
    k.define(second, Lowered::Reg(cosine));
    Ok(())
}

/// A float to an integer power, as a power of floats: exponents beyond the
/// precision of the format are even or out of reach anyway.
pub(crate) fn fpowi(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let reg = k.float_reg(op)?;
    refuse_if_strict(k, op)?;
    let (x, exponent) = (k.word(op, 0)?, k.word(op, 1)?);
    let value = k.operand(op, 1)?;
    let from = k.reg(op, value)?;
    if from.is_float() || from.kind == ElementKind::Bool || from.lanes != reg.lanes {
        return Err(k.malformed(op));
    }
    let exponent = k.e.on(reg, Op::ConvertSToF, &[exponent]);
    let word = call(k, op, "pow", reg, &[x, exponent], |c, a| {
        elementary::power(c, a[0], a[1])
    })?;
    finish(k, op, reg, word)
}
