//! Elementary functions: exponentials, logarithms, powers, cube root and hyperbolic functions.
//!
//! Devices compute these with errors from a few units in the last place to
//! most of the digits, and in double precision not at all. So they are built
//! from sums and products: reduction to a small interval, a power series cut
//! where its rest is below half a unit, reconstruction. Errors stay within a
//! few units in the last place; [`power`] loses more as `y·log2 x` grows, up
//! to the seven bits of its integer part.

use std::f64::consts::{FRAC_1_SQRT_2, LN_2, LOG2_E, LOG10_E, SQRT_2};

use rspirv::spirv::{Op, Word};

use crate::calc::Calc;

/// ln 2 in two parts, the first short enough that its products with exponents
/// are exact.
fn ln_2(c: &Calc<'_>) -> (f64, f64) {
    c.by_format(
        (0.6923828125, LN_2 - 0.6923828125),
        (0.6931471805592082, 7.371002565167799e-13),
    )
}

/// log10 2 in two parts, as [`ln_2`].
fn log10_2(c: &Calc<'_>) -> (f64, f64) {
    c.by_format(
        (0.30078125, 0.0002487456639811952),
        (0.30102999566361177, 3.694239077158931e-13),
    )
}

/// `(e^r - 1 - r) / r²` for `|r| <= ln 2 / 2` in single precision, the highest power first: of all
/// polynomials of degree 4 the one whose greatest error, 3.1e-9 of `e^r`, is least (found by Remez's
/// exchange). A power series needs one term more.
const SMALL_EXP: [f64; 5] = [
    0.001381458403095859,
    0.008368723935982942,
    0.04166838872957275,
    0.166665205735687,
    0.4999999344388259,
];

/// `e^r - 1` for `|r| <= ln 2 / 2`: in double precision by its power series.
fn small_exp_m1(c: &mut Calc<'_>, r: Word) -> Word {
    let coefficients = match c.is_double() {
        true => power_series_of_exp(13),
        false => SMALL_EXP.to_vec(),
    };
    let tail = c.polynomial(r, &coefficients);
    let square = c.mul(r, r);
    let tail = c.mul(square, tail);
    c.add(r, tail)
}

/// `1/degree!`, …, `1/2!`
fn power_series_of_exp(degree: u32) -> Vec<f64> {
    let mut factorial = 1.0;
    let mut coefficients: Vec<f64> = (2..=degree)
        .map(|k| {
            factorial *= f64::from(k);
            1.0 / factorial
        })
        .collect();
    coefficients.reverse();
    coefficients
}

/// `x` as `n · ln 2 + r`: gives `e^r - 1` and the signed word `n`.
fn reduce_exp(c: &mut Calc<'_>, x: Word) -> (Word, Word) {
    let n = c.times(x, LOG2_E);
    let n = c.round_even(n);
    let (high, low) = ln_2(c);
    let part = c.times(n, high);
    let r = c.sub(x, part);
    let part = c.times(n, low);
    let r = c.sub(r, part);
    (small_exp_m1(c, r), c.int_of(n))
}

pub(crate) fn exp(c: &mut Calc<'_>, x: Word) -> Word {
    let (low, high) = c.by_format((-104.0, 89.0), (-746.0, 710.0));
    let x = c.clamp(x, low, high);
    let (m1, n) = reduce_exp(c, x);
    let value = c.plus(m1, 1.0);
    c.scale(value, n)
}

pub(crate) fn exp2(c: &mut Calc<'_>, x: Word) -> Word {
    let (low, high) = c.by_format((-151.0, 129.0), (-1076.0, 1025.0));
    let x = c.clamp(x, low, high);
    let n = c.round_even(x);
    let r = c.sub(x, n);
    let r = c.times(r, LN_2);
    let m1 = small_exp_m1(c, r);
    let value = c.plus(m1, 1.0);
    let n = c.int_of(n);
    c.scale(value, n)
}

pub(crate) fn exp_m1(c: &mut Calc<'_>, x: Word) -> Word {
    let (value, limit) = bounded_exp_m1(c, x);
    let far = c.greater(x, limit);
    let large = exp(c, x);
    let value = c.select(far, large, value);
    // Keeps the sign of 0.
    let zero = c.test_with(Op::FOrdEqual, x, 0.0);
    c.select(zero, x, value)
}

/// `e^x - 1` up to a limit, which is returned with it, and what it is at the limit beyond. There, `e^x - 1`
/// rounds to `e^x` above 0 and to -1 below. The result for -0 may be 0.
fn bounded_exp_m1(c: &mut Calc<'_>, x: Word) -> (Word, f64) {
    let limit = c.by_format(25.0, 45.0);
    let near = c.clamp(x, -limit, limit);
    let (m1, n) = reduce_exp(c, near);
    let scale = c.power_of_two(n);
    let scaled = c.mul(scale, m1);
    let rest = c.plus(scale, -1.0);
    (c.add(scaled, rest), limit)
}

/// A positive `x` as `m · 2^n` with `sqrt(1/2) <= m < sqrt(2)`: gives `log m`
/// and `n` as a float.
fn reduce_log(c: &mut Calc<'_>, x: Word) -> (Word, Word) {
    let format = c.format;
    let smallest = c.by_format(2f64.powi(-126), 2f64.powi(-1022));
    let shift = i32::from(c.by_format(25u8, 54));
    let subnormal = c.less(x, smallest);
    let scaled = c.times(x, 2f64.powi(shift));
    let x = c.select(subnormal, scaled, x);
    let bits = c.e.on(format.word, Op::Bitcast, &[x]);
    let root = c.by_format(
        i64::from(std::f32::consts::FRAC_1_SQRT_2.to_bits()),
        std::f64::consts::FRAC_1_SQRT_2.to_bits() as i64,
    );
    let n = c.int(Op::ISub, bits, root);
    let n = c.int(Op::ShiftRightArithmetic, n, format.fraction.into());
    let exponent = c.int(Op::ShiftLeftLogical, n, format.fraction.into());
    let m = c.e.on(format.word, Op::ISub, &[bits, exponent]);
    let m = c.e.on(format.float, Op::Bitcast, &[m]);
    let n = c.float_of(n);
    let lowered = c.plus(n, -f64::from(shift));
    let n = c.select(subnormal, lowered, n);
    // log m = 2 artanh s with s = (m - 1) / (m + 1).
    let (less, more) = (c.plus(m, -1.0), c.plus(m, 1.0));
    let s = c.div(less, more);
    (twice_artanh(c, s), n)
}

/// `2 artanh s = 2 (s + s³/3 + s⁵/5 + …)` for `|s| <= 3 - 2 sqrt(2)`.
fn twice_artanh(c: &mut Calc<'_>, s: Word) -> Word {
    let square = c.mul(s, s);
    let terms = c.by_format(5, 12);
    let coefficients: Vec<f64> = (1..terms)
        .rev()
        .map(|k| 2.0 / f64::from(2 * k + 1))
        .collect();
    let tail = c.polynomial(square, &coefficients);
    let tail = c.mul(square, tail);
    let tail = c.mul(s, tail);
    let head = c.times(s, 2.0);
    c.add(head, tail)
}

/// The value of a logarithm, unless `x` is 0, negative, infinite or no number.
fn special_logs(c: &mut Calc<'_>, x: Word, value: Word) -> Word {
    let infinite = c.test_with(Op::FOrdEqual, x, f64::INFINITY);
    let value = c.replace(infinite, f64::INFINITY, value);
    let zero = c.test_with(Op::FOrdEqual, x, 0.0);
    let value = c.replace(zero, f64::NEG_INFINITY, value);
    let (negative, nan) = (c.less(x, 0.0), c.is_nan(x));
    let none = c.logic(Op::LogicalOr, negative, nan);
    c.replace(none, f64::NAN, value)
}

pub(crate) fn log(c: &mut Calc<'_>, x: Word) -> Word {
    let (log_m, n) = reduce_log(c, x);
    let (high, low) = ln_2(c);
    let (high, low) = (c.times(n, high), c.times(n, low));
    let sum = c.add(log_m, low);
    let value = c.add(high, sum);
    special_logs(c, x, value)
}

pub(crate) fn log2(c: &mut Calc<'_>, x: Word) -> Word {
    let (log_m, n) = reduce_log(c, x);
    let log_m = c.times(log_m, LOG2_E);
    let value = c.add(n, log_m);
    special_logs(c, x, value)
}

pub(crate) fn log10(c: &mut Calc<'_>, x: Word) -> Word {
    let (log_m, n) = reduce_log(c, x);
    let log_m = c.times(log_m, LOG10_E);
    let (high, low) = log10_2(c);
    let (high, low) = (c.times(n, high), c.times(n, low));
    let sum = c.add(log_m, low);
    let value = c.add(high, sum);
    special_logs(c, x, value)
}

/// `2 artanh(x / (2 + x))` near 0, where `1 + x` would lose digits. (The
/// usual repair, by the rounding error of `1 + x`, does not survive compilers
/// that add constants up, as some do where contraction cannot be forbidden.)
pub(crate) fn log_1p(c: &mut Calc<'_>, x: Word) -> Word {
    let more = c.plus(x, 2.0);
    let s = c.div(x, more);
    let near = twice_artanh(c, s);
    let sum = c.plus(x, 1.0);
    let far = log(c, sum);
    let above = c.greater(x, FRAC_1_SQRT_2 - 1.0);
    let below = c.less(x, SQRT_2 - 1.0);
    let is_near = c.logic(Op::LogicalAnd, above, below);
    c.select(is_near, near, far)
}

/// `x^y`
pub(crate) fn power(c: &mut Calc<'_>, x: Word, y: Word) -> Word {
    let base = c.abs(x);
    let value = positive_power(c, base, y);
    let value = limit_powers(c, base, y, value);
    // A negative base: only whole exponents, and odd ones keep the sign.
    let whole_part = c.trunc(y);
    let whole = c.test(Op::FOrdEqual, whole_part, y);
    let half = c.times(y, 0.5);
    let half_trunc = c.trunc(half);
    let even = c.test(Op::FOrdEqual, half_trunc, half);
    let odd = c.not(even);
    let odd = c.logic(Op::LogicalAnd, whole, odd);
    let negative = c.is_negative(x);
    let flips = c.logic(Op::LogicalAnd, negative, odd);
    let flipped = c.negate(value);
    let value = c.select(flips, flipped, value);
    let below = c.less(x, 0.0);
    let finite = c.greater(x, f64::NEG_INFINITY);
    let broken = c.not(whole);
    let none = c.logic(Op::LogicalAnd, below, finite);
    let none = c.logic(Op::LogicalAnd, none, broken);
    let value = c.replace(none, f64::NAN, value);
    let (nan_x, nan_y) = (c.is_nan(x), c.is_nan(y));
    let nan = c.logic(Op::LogicalOr, nan_x, nan_y);
    let value = c.replace(nan, f64::NAN, value);
    // These two hold even for a NaN on the other side.
    let unit = c.test_with(Op::FOrdEqual, x, 1.0);
    let nothing = c.test_with(Op::FOrdEqual, y, 0.0);
    let one = c.logic(Op::LogicalOr, unit, nothing);
    c.replace(one, 1.0, value)
}

/// `2^(y · log2 base)` for a positive finite base. The product with the
/// exponent `n` of the base is kept exact by splitting `y`.
fn positive_power(c: &mut Calc<'_>, base: Word, y: Word) -> Word {
    let format = c.format;
    let (log_m, n) = reduce_log(c, base);
    let log_m = c.times(log_m, LOG2_E);
    let bits = c.e.on(format.word, Op::Bitcast, &[y]);
    let mask = c.by_format(!0xfff, !0x7ff_ffff);
    let high = c.int(Op::BitwiseAnd, bits, mask);
    let high = c.e.on(format.float, Op::Bitcast, &[high]);
    let low = c.sub(y, high);
    let (exact, small, rest) = (c.mul(high, n), c.mul(low, n), c.mul(y, log_m));
    let estimate = c.add(exact, rest);
    let limit = c.by_format(200.0, 1200.0);
    let clamped = c.clamp(estimate, -limit, limit);
    let whole = c.round_even(clamped);
    let r = c.sub(exact, whole);
    let r = c.add(r, small);
    let r = c.add(r, rest);
    let r = c.times(r, LN_2);
    // Meaningless where the estimate was clamped, but replaced then.
    let r = c.clamp(r, -1.0, 1.0);
    let m1 = small_exp_m1(c, r);
    let value = c.plus(m1, 1.0);
    let whole = c.int_of(whole);
    let value = c.scale(value, whole);
    let over = c.test_with(Op::FOrdGreaterThanEqual, estimate, limit);
    let value = c.replace(over, f64::INFINITY, value);
    let under = c.test_with(Op::FOrdLessThanEqual, estimate, -limit);
    c.replace(under, 0.0, value)
}

/// Powers with a base or exponent that is 0 or infinite.
fn limit_powers(c: &mut Calc<'_>, base: Word, y: Word, value: Word) -> Word {
    let zero = c.test_with(Op::FOrdEqual, base, 0.0);
    let infinite = c.test_with(Op::FOrdEqual, base, f64::INFINITY);
    let magnitude = c.abs(y);
    let extreme_y = c.test_with(Op::FOrdEqual, magnitude, f64::INFINITY);
    let extreme = c.logic(Op::LogicalOr, zero, infinite);
    let extreme = c.logic(Op::LogicalOr, extreme, extreme_y);
    // base^y is infinite or 0, by whether both or only one is "large".
    let (large, positive) = (c.greater(base, 1.0), c.greater(y, 0.0));
    let grows = c.logic(Op::LogicalEqual, large, positive);
    let zero = c.constant(0.0);
    let limit = c.replace(grows, f64::INFINITY, zero);
    let value = c.select(extreme, limit, value);
    let unit = c.test_with(Op::FOrdEqual, base, 1.0);
    c.replace(unit, 1.0, value)
}

/// The cube root: an estimate from the logarithm, and one step of Newton's.
pub(crate) fn cube_root(c: &mut Calc<'_>, x: Word) -> Word {
    let magnitude = c.abs(x);
    let third = log(c, magnitude);
    let third = c.times(third, 1.0 / 3.0);
    let y = exp(c, third);
    let square = c.mul(y, y);
    let ratio = c.div(magnitude, square);
    let difference = c.sub(ratio, y);
    let step = c.times(difference, 1.0 / 3.0);
    let value = c.add(y, step);
    let zero = c.test_with(Op::FOrdEqual, magnitude, 0.0);
    let infinite = c.test_with(Op::FOrdEqual, magnitude, f64::INFINITY);
    let own = c.logic(Op::LogicalOr, zero, infinite);
    let value = c.select(own, magnitude, value);
    c.copy_sign(value, x)
}

pub(crate) fn sinh(c: &mut Calc<'_>, x: Word) -> Word {
    let a = c.abs(x);
    let (t, _) = bounded_exp_m1(c, a);
    let more = c.plus(t, 1.0);
    let ratio = c.div(t, more);
    let sum = c.add(t, ratio);
    let near = c.times(sum, 0.5);
    let far = half_exp(c, a);
    let is_far = c.greater(a, 20.0);
    let value = c.select(is_far, far, near);
    c.copy_sign(value, x)
}

pub(crate) fn cosh(c: &mut Calc<'_>, x: Word) -> Word {
    let a = c.abs(x);
    let t = exp(c, a);
    let one = c.constant(1.0);
    let inverse = c.div(one, t);
    let sum = c.add(t, inverse);
    let near = c.times(sum, 0.5);
    let far = half_exp(c, a);
    let is_far = c.greater(a, 20.0);
    c.select(is_far, far, near)
}

/// `e^x / 2`, which may be finite where `e^x` is not.
fn half_exp(c: &mut Calc<'_>, x: Word) -> Word {
    let half = c.times(x, 0.5);
    let root = exp(c, half);
    let part = c.times(root, 0.5);
    c.mul(part, root)
}

/// `t / (t + 2)` with `t = e^(2|x|) - 1`
pub(crate) fn tanh(c: &mut Calc<'_>, x: Word) -> Word {
    let a = c.abs(x);
    let twice = c.add(a, a);
    let (t, _) = bounded_exp_m1(c, twice);
    let more = c.plus(t, 2.0);
    let near = c.div(t, more);
    let is_far = c.greater(a, 22.0);
    let value = c.replace(is_far, 1.0, near);
    c.copy_sign(value, x)
}

pub(crate) fn asinh(c: &mut Calc<'_>, x: Word) -> Word {
    let a = c.abs(x);
    let square = c.mul(a, a);
    let root = c.plus(square, 1.0);
    let root = c.sqrt(root);
    let root = c.plus(root, 1.0);
    let part = c.div(square, root);
    let sum = c.add(a, part);
    let near = log_1p(c, sum);
    let value = or_log_of_twice(c, a, near);
    c.copy_sign(value, x)
}

pub(crate) fn acosh(c: &mut Calc<'_>, x: Word) -> Word {
    let t = c.plus(x, -1.0);
    let twice = c.add(t, t);
    let square = c.mul(t, t);
    let root = c.add(twice, square);
    let root = c.sqrt(root);
    let sum = c.add(t, root);
    let near = log_1p(c, sum);
    let value = or_log_of_twice(c, x, near);
    let (below, nan) = (c.less(x, 1.0), c.is_nan(x));
    let none = c.logic(Op::LogicalOr, below, nan);
    c.replace(none, f64::NAN, value)
}

/// `log(2a)` where the square of `a` is too large for anything but it.
fn or_log_of_twice(c: &mut Calc<'_>, a: Word, near: Word) -> Word {
    let far = log(c, a);
    let far = c.plus(far, LN_2);
    let limit = c.by_format(1e9, 1e17);
    let is_far = c.greater(a, limit);
    c.select(is_far, far, near)
}

/// `log(1 + 2x / (1 - x)) / 2`
pub(crate) fn atanh(c: &mut Calc<'_>, x: Word) -> Word {
    let a = c.abs(x);
    let twice = c.add(a, a);
    let rest = c.from(1.0, a);
    let ratio = c.div(twice, rest);
    let value = log_1p(c, ratio);
    let value = c.times(value, 0.5);
    let end = c.test_with(Op::FOrdEqual, a, 1.0);
    let value = c.replace(end, f64::INFINITY, value);
    let (beyond, nan) = (c.greater(a, 1.0), c.is_nan(x));
    let none = c.logic(Op::LogicalOr, beyond, nan);
    let value = c.replace(none, f64::NAN, value);
    c.copy_sign(value, x)
}
