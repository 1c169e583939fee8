//! The error function and its complement.

use std::f64::consts::FRAC_2_SQRT_PI;

use rspirv::spirv::{Op, Word};

use crate::calc::Calc;
use crate::elementary::exp;

/// Chebyshev coefficients of `erfc(x) · exp(x²) / t` in `u = 2t - 1`, where
/// `t = 1 / (1 + x/2)`. Computed from the definition at 120 nodes with 200
/// bits.
const CHEBYSHEV: [f64; 29] = [
    0.5770337386164697,
    0.3554369212704985,
    0.06509515882878653,
    0.003671142395836639,
    -0.0011128447433526325,
    -0.0001607582991537808,
    3.278031574173137e-05,
    5.442441645505016e-06,
    -1.5154665553171482e-06,
    -1.4297608181169865e-07,
    8.234608827419493e-08,
    -1.2962846852306563e-09,
    -4.154721631015199e-09,
    6.347058278362811e-10,
    1.4320822712256225e-10,
    -6.160390105204585e-11,
    2.0612138554721698e-12,
    3.5714931488477042e-12,
    -8.586422843251796e-13,
    -6.14560021379063e-14,
    7.418725748596617e-14,
    -1.2895042755032325e-14,
    -2.358726385710632e-15,
    1.5729349381685912e-15,
    -2.2782966239546465e-16,
    -6.31233045075643e-17,
    3.5916763531814925e-17,
    -5.049809149847729e-18,
    -1.5324541113154899e-18,
];

/// `erfc(a) · exp(a²)` of a number that is not negative, by so many terms of its series.
fn scaled_erfc(c: &mut Calc<'_>, a: Word, count: usize) -> Word {
    let half = c.times(a, 0.5);
    let sum = c.plus(half, 1.0);
    let one = c.constant(1.0);
    let t = c.div(one, sum);
    let u = c.times(t, 2.0);
    let u = c.plus(u, -1.0);
    // Clenshaw's recurrence: b[k] = c[k] + 2u·b[k+1] - b[k+2].
    let twice = c.add(u, u);
    let last = c.constant(CHEBYSHEV[count - 1]);
    let product = c.mul(twice, last);
    let (mut next, mut after) = (c.plus(product, CHEBYSHEV[count - 2]), last);
    for &coefficient in CHEBYSHEV[1..count - 2].iter().rev() {
        let product = c.mul(twice, next);
        let difference = c.sub(product, after);
        after = next;
        next = c.plus(difference, coefficient);
    }
    let product = c.mul(u, next);
    let difference = c.sub(product, after);
    let series = c.plus(difference, CHEBYSHEV[0]);
    c.mul(t, series)
}

/// `erfc` of a number that is not negative, to its last digits however small it is.
fn positive_erfc(c: &mut Calc<'_>, a: Word) -> Word {
    let count = c.by_format(12, CHEBYSHEV.len());
    let value = scaled_erfc(c, a, count);
    let gauss = exp_of_minus_square(c, a);
    c.mul(value, gauss)
}

/// `1 - erfc(a)`, for `a >= 1`. The rounding error of the square comes out multiplied by `a² · erfc(a)`, less than a sixth,
/// and the terms left out by less than a quarter, so that one exponential and fewer terms do.
fn far_erf(c: &mut Calc<'_>, a: Word) -> Word {
    let count = c.by_format(11, CHEBYSHEV.len());
    let value = scaled_erfc(c, a, count);
    let square = c.mul(a, a);
    let square = c.negate(square);
    let gauss = exp(c, square);
    let rest = c.mul(value, gauss);
    c.from(1.0, rest)
}

/// `exp(-a²)`. The square is computed in two parts, of which the first is
/// exact: its rounding error would come out multiplied by itself.
fn exp_of_minus_square(c: &mut Calc<'_>, a: Word) -> Word {
    let format = c.format;
    let bits = c.e.on(format.word, Op::Bitcast, &[a]);
    let mask = c.by_format(!0xfff, !0x7ff_ffff);
    let head = c.int(Op::BitwiseAnd, bits, mask);
    let head = c.e.on(format.float, Op::Bitcast, &[head]);
    let (difference, sum) = (c.sub(a, head), c.add(a, head));
    let rest = c.mul(difference, sum);
    let square = c.mul(head, head);
    let (square, rest) = (c.negate(square), c.negate(rest));
    let (square, rest) = (exp(c, square), exp(c, rest));
    let value = c.mul(square, rest);
    // Infinity has no second part.
    let far = c.greater(a, 30.0);
    c.replace(far, 0.0, value)
}

/// The power series of `erf`, for `|x| <= 1`.
fn erf_series(c: &mut Calc<'_>, x: Word) -> Word {
    let square = c.mul(x, x);
    let last = c.by_format(11, 20);
    let coefficients: Vec<f64> = (0..=last)
        .rev()
        .map(|n| {
            let factorial: f64 = (1..=n).map(f64::from).product();
            let sign = if n % 2 == 0 { 1.0 } else { -1.0 };
            sign * FRAC_2_SQRT_PI / (factorial * f64::from(2 * n + 1))
        })
        .collect();
    let sum = c.polynomial(square, &coefficients);
    c.mul(x, sum)
}

pub(crate) fn erf(c: &mut Calc<'_>, x: Word) -> Word {
    let a = c.abs(x);
    let near = erf_series(c, a);
    let far = far_erf(c, a);
    let is_far = c.greater(a, 1.0);
    let value = c.select(is_far, far, near);
    c.copy_sign(value, x)
}

pub(crate) fn erfc(c: &mut Calc<'_>, x: Word) -> Word {
    let a = c.abs(x);
    let value = positive_erfc(c, a);
    let mirrored = c.from(2.0, value);
    let negative = c.less(x, 0.0);
    let value = c.select(negative, mirrored, value);
    // Near 0 `1 - erf(x)` loses no digits, since `erf(x)` is small.
    let series = erf_series(c, x);
    let near = c.from(1.0, series);
    let is_near = c.less(a, 0.25);
    c.select(is_near, near, value)
}
