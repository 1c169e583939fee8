//! Angles: sine, cosine, tangent, and their inverses.
//!
//! Built like the functions of `elementary`. An argument is reduced to
//! `|r| <= π/4` by subtracting multiples of π/2 in parts whose products are
//! exact; a large one by multiplying its fraction with as many bits of 2/π as
//! can matter (Payne and Hanek, "Radian reduction for trigonometric
//! functions", SIGNUM 1983), so that no argument is too large.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use rspirv::spirv::{Op, Word};

use crate::arith_int::unsigned_high_product;
use crate::bits::{Bits, Format};
use crate::calc::Calc;
use crate::types;

/// The binary digits of 2/π after the point, for every double there is.
const TWO_OVER_PI: [u32; 40] = [
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d,
];

/// An angle as `r + quadrant · π/2` with `|r| <= π/4` (a little more, by
/// rounding); the quadrant is a word of which the last two bits matter.
struct Reduced {
    r: Word,
    quadrant: Word,
}

fn reduce(c: &mut Calc<'_>, x: Word) -> Reduced {
    let a = c.abs(x);
    let limit = c.by_format(12_000.0, 1.5e6);
    let is_small = c.less(a, limit);
    let [small, large, merge] = [(); 3].map(|()| c.e.id());
    c.e.selection_merge(merge);
    c.e.branch_if(is_small, small, large);
    c.e.begin_block(small);
    let near = reduce_small(c, a);
    c.e.branch(merge);
    c.e.begin_block(large);
    let far = reduce_large(c, a);
    c.e.branch(merge);
    c.e.begin_block(merge);
    let (float, word) = (c.e.machine(c.format.float), c.e.machine(c.format.word));
    let r = c.e.phi(float, &[(near.r, small), (far.r, large)]);
    let quadrant =
        c.e.phi(word, &[(near.quadrant, small), (far.quadrant, large)]);
    Reduced { r, quadrant }
}

fn reduce_small(c: &mut Calc<'_>, a: Word) -> Reduced {
    let parts = c.by_format(
        [
            1.5703125,
            0.0004837512969970703,
            7.549533620476723e-08,
            2.563344151594519e-12,
        ],
        [
            1.5707963267341256,
            6.077100506303966e-11,
            2.0222662487111665e-21,
            8.4784276603689e-32,
        ],
    );
    let n = c.times(a, 1.0 / FRAC_PI_2);
    let n = c.round_even(n);
    let mut r = a;
    for part in parts {
        let product = c.times(n, part);
        r = c.sub(r, product);
    }
    let quadrant = c.int_of(n);
    Reduced { r, quadrant }
}

/// With `a = m · 2^k`, the digits of 2/π that weigh 4 and more in `a · 2/π`
/// are left out; three words of those that follow, times `m`, are taken
/// modulo 4: two bits of quadrant, then the fraction.
fn reduce_large(c: &mut Calc<'_>, a: Word) -> Reduced {
    let format = c.format;
    let f = u64::from(format.fraction);
    let bits = c.e.bits_of(format.float, a);
    let mut w = Bits::new(c.e, format.word);
    let width = u64::from(w.width());
    let exponent = w.with(Op::ShiftRightLogical, bits, f);
    let low = w.with(Op::BitwiseAnd, bits, (1 << f) - 1);
    let m = w.with(Op::BitwiseOr, low, 1 << f);
    // Digit j weighs 2^(k - j), k = e - bias - f; the first wanted is k - 1.
    // The table begins with a word of zeros and digit 1 after it, so that one
    // lies at position k - 2 + width.
    let position = w.with(Op::IAdd, exponent, width);
    let position = w.with(Op::ISub, position, u64::from(format.bias) + f + 2);
    let index = w.with(
        Op::ShiftRightLogical,
        position,
        width.trailing_zeros().into(),
    );
    let shift = w.with(Op::BitwiseAnd, position, width - 1);
    let digits = window(&mut w, index, shift);
    let [p0, p1, p2] = digits;
    let top = w.op(Op::IMul, m, p0);
    let high = high_product(&mut w, format, m, p1);
    let top = w.op(Op::IAdd, top, high);
    let middle = w.op(Op::IMul, m, p1);
    let high = high_product(&mut w, format, m, p2);
    let next = w.op(Op::IAdd, middle, high);
    let overflows = w.test(Op::ULessThan, next, middle);
    let carry = w.bit(overflows);
    let top = w.op(Op::IAdd, top, carry);
    // The fraction as a signed word: from half on, the next quadrant is nearer.
    let quadrant = w.with(Op::ShiftRightLogical, top, width - 2);
    let up = w.with(Op::ShiftLeftLogical, top, 2);
    let in_ = w.with(Op::ShiftRightLogical, next, width - 2);
    let fraction = w.op(Op::BitwiseOr, up, in_);
    let below = w.with(Op::ShiftLeftLogical, next, 2);
    let past_half = w.with(Op::ShiftRightLogical, fraction, width - 1);
    let quadrant = w.op(Op::IAdd, quadrant, past_half);
    let fraction = w.e.of_bits(format.word, fraction);
    let quadrant = w.e.of_bits(format.word, quadrant);
    let float = w.e.machine(format.float);
    let below = w.e.op(Op::ConvertUToF, float, &[below]);
    let unit = 2f64.powi(-(width as i32));
    let below = c.times(below, unit);
    let fraction = c.float_of(fraction);
    let turn = c.add(fraction, below);
    let r = c.times(turn, unit * FRAC_PI_2);
    Reduced { r, quadrant }
}

fn high_product(w: &mut Bits<'_>, format: Format, a: Word, b: Word) -> Word {
    let high = unsigned_high_product(w.e, format.word, a, b);
    w.e.bits_of(format.word, high)
}

/// Three words of the table from bit `shift` of word `index` on.
fn window(w: &mut Bits<'_>, index: Word, shift: Word) -> [Word; 3] {
    let (count, table): (usize, Vec<u64>) = if w.width() == 64 {
        let pairs = TWO_OVER_PI.chunks(2);
        (
            17,
            pairs
                .map(|p| u64::from(p[0]) << 32 | u64::from(p[1]))
                .collect(),
        )
    } else {
        (
            5,
            TWO_OVER_PI[..9].iter().map(|&word| word.into()).collect(),
        )
    };
    let mut words = vec![0];
    words.extend(table);
    let mut chosen = [0, 1, 2, 3].map(|next| w.constant(words[next]));
    for start in 1..count.min(words.len() - 3) {
        let here = w.test_with(Op::IEqual, index, start as u64);
        for (next, slot) in chosen.iter_mut().enumerate() {
            let word = w.constant(words[start + next]);
            *slot = w.select(here, word, *slot);
        }
    }
    // Shifting by the whole width is undefined: in two steps.
    let width = w.constant(u64::from(w.width()) - 1);
    let rest = w.op(Op::ISub, width, shift);
    [0, 1, 2].map(|place| {
        let high = w.op(Op::ShiftLeftLogical, chosen[place], shift);
        let low = w.with(Op::ShiftRightLogical, chosen[place + 1], 1);
        let low = w.op(Op::ShiftRightLogical, low, rest);
        w.op(Op::BitwiseOr, high, low)
    })
}

/// Sine and cosine of a reduced angle, by their power series.
fn series(c: &mut Calc<'_>, r: Word) -> (Word, Word) {
    let square = c.mul(r, r);
    let last = c.by_format(10, 18);
    // Terms (-1)^k / n! · r^n, from the highest to the square and the cube.
    let coefficients = |first: i32, last: i32| -> Vec<f64> {
        let mut list: Vec<f64> = (first..=last)
            .step_by(2)
            .map(|n| {
                let factorial: f64 = (1..=n).map(f64::from).product();
                let sign = if n / 2 % 2 == 0 { 1.0 } else { -1.0 };
                sign / factorial
            })
            .collect();
        list.reverse();
        list
    };
    let tail = c.polynomial(square, &coefficients(3, last));
    let tail = c.mul(square, tail);
    let tail = c.mul(r, tail);
    let sine = c.add(r, tail);
    let tail = c.polynomial(square, &coefficients(4, last));
    let fourth = c.mul(square, square);
    let tail = c.mul(fourth, tail);
    let half = c.times(square, 0.5);
    let head = c.from(1.0, half);
    (sine, c.add(head, tail))
}

/// Sine and cosine.
pub(crate) fn sin_cos(c: &mut Calc<'_>, x: Word) -> (Word, Word) {
    let Reduced { r, quadrant } = reduce(c, x);
    let (sine, cosine) = series(c, r);
    let odd = bit_is_set(c, quadrant, 1);
    let s = c.select(odd, cosine, sine);
    let k = c.select(odd, sine, cosine);
    // sin(r + qπ/2) = s, c, -s, -c; cos likewise one quadrant ahead.
    let flip_s = bit_is_set(c, quadrant, 2);
    let ahead = c.int(Op::IAdd, quadrant, 1);
    let flip_k = bit_is_set(c, ahead, 2);
    let (minus_s, minus_k) = (c.negate(s), c.negate(k));
    let s = c.select(flip_s, minus_s, s);
    let k = c.select(flip_k, minus_k, k);
    // The angle was taken without its sign.
    let negative = c.is_negative(x);
    let minus_s = c.negate(s);
    let s = c.select(negative, minus_s, s);
    let (magnitude, infinity) = c.e.magnitude(c.format.float, x);
    let special =
        c.e.test(c.format.word, Op::UGreaterThanEqual, &[magnitude, infinity]);
    (
        c.replace(special, f64::NAN, s),
        c.replace(special, f64::NAN, k),
    )
}

fn bit_is_set(c: &mut Calc<'_>, word: Word, bit: i64) -> Word {
    let masked = c.int(Op::BitwiseAnd, word, bit);
    let zero = c.e.splat_int(c.format.word, 0);
    c.e.test(
        types::scalar(c.format.word.kind),
        Op::INotEqual,
        &[masked, zero],
    )
}

pub(crate) fn sin(c: &mut Calc<'_>, x: Word) -> Word {
    sin_cos(c, x).0
}

pub(crate) fn cos(c: &mut Calc<'_>, x: Word) -> Word {
    sin_cos(c, x).1
}

pub(crate) fn tan(c: &mut Calc<'_>, x: Word) -> Word {
    let (sine, cosine) = sin_cos(c, x);
    c.div(sine, cosine)
}

/// The arc tangent of a number that is not negative. Reduced to at most
/// tan(π/8) by `atan t = π/2 - atan(1/t)` and `atan t = π/4 + atan((t-1)/(t+1))`.
fn positive_atan(c: &mut Calc<'_>, a: Word) -> Word {
    let one = c.constant(1.0);
    let inverse = c.div(one, a);
    let is_large = c.greater(a, 1.0);
    let t = c.select(is_large, inverse, a);
    let (less, more) = (c.plus(t, -1.0), c.plus(t, 1.0));
    let turned = c.div(less, more);
    let turns = c.greater(t, std::f64::consts::SQRT_2 - 1.0);
    let s = c.select(turns, turned, t);
    // s - s³/3 + s⁵/5 - …
    let square = c.mul(s, s);
    let terms = c.by_format(10, 22);
    let coefficients: Vec<f64> = (1..=terms)
        .rev()
        .map(|k| if k % 2 == 0 { 1.0 } else { -1.0 } / f64::from(2 * k + 1))
        .collect();
    let tail = c.polynomial(square, &coefficients);
    let tail = c.mul(square, tail);
    let tail = c.mul(s, tail);
    let value = c.add(s, tail);
    let shifted = c.plus(value, FRAC_PI_4);
    let value = c.select(turns, shifted, value);
    let complement = c.from(FRAC_PI_2, value);
    c.select(is_large, complement, value)
}

pub(crate) fn atan(c: &mut Calc<'_>, x: Word) -> Word {
    let a = c.abs(x);
    let value = positive_atan(c, a);
    c.copy_sign(value, x)
}

/// The angle of the point `(x, y)`.
pub(crate) fn atan2(c: &mut Calc<'_>, y: Word, x: Word) -> Word {
    let (a, b) = (c.abs(y), c.abs(x));
    let ratio = c.div(a, b);
    // 0/0 is 0 here, and ∞/∞ is 1.
    let zero = c.test_with(Op::FOrdEqual, a, 0.0);
    let ratio = c.replace(zero, 0.0, ratio);
    let same = c.test(Op::FOrdEqual, a, b);
    let infinite = c.test_with(Op::FOrdEqual, a, f64::INFINITY);
    let corner = c.logic(Op::LogicalAnd, same, infinite);
    let ratio = c.replace(corner, 1.0, ratio);
    let value = positive_atan(c, ratio);
    let left = c.is_negative(x);
    let turned = c.from(PI, value);
    let value = c.select(left, turned, value);
    let value = c.copy_sign(value, y);
    let (nan_y, nan_x) = (c.is_nan(y), c.is_nan(x));
    let nan = c.logic(Op::LogicalOr, nan_y, nan_x);
    c.replace(nan, f64::NAN, value)
}

/// `atan(x / sqrt((1 - x)(1 + x)))`
pub(crate) fn asin(c: &mut Calc<'_>, x: Word) -> Word {
    let a = c.abs(x);
    let (less, more) = (c.from(1.0, a), c.plus(a, 1.0));
    let product = c.mul(less, more);
    let root = c.sqrt(product);
    let ratio = c.div(a, root);
    let value = positive_atan(c, ratio);
    let end = c.test_with(Op::FOrdEqual, a, 1.0);
    let value = c.replace(end, FRAC_PI_2, value);
    let value = nan_beyond_1(c, a, value);
    c.copy_sign(value, x)
}

/// `2 atan(sqrt((1 - x) / (1 + x)))`
pub(crate) fn acos(c: &mut Calc<'_>, x: Word) -> Word {
    let (less, more) = (c.from(1.0, x), c.plus(x, 1.0));
    let ratio = c.div(less, more);
    let root = c.sqrt(ratio);
    let half = positive_atan(c, root);
    let value = c.add(half, half);
    let end = c.test_with(Op::FOrdEqual, x, -1.0);
    let value = c.replace(end, PI, value);
    let a = c.abs(x);
    nan_beyond_1(c, a, value)
}

fn nan_beyond_1(c: &mut Calc<'_>, a: Word, value: Word) -> Word {
    let within = c.test_with(Op::FOrdLessThanEqual, a, 1.0);
    let beyond = c.not(within);
    c.replace(beyond, f64::NAN, value)
}
