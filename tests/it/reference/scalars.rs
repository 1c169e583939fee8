//! References of the test programs about element types and the operations on
//! them. Each operation fills one column of an output.

use super::array::{Array, Element, Random};
use super::{Case, Tolerance};

pub fn programs() -> Vec<Case> {
    let mut cases = vec![
        int_arith(),
        int_division(),
        int_bits(),
        int_i64(),
        int_narrow(),
    ];
    cases.extend([booleans(), conversions(), mixed_precision()]);
    cases.extend([
        float_compare(),
        float_arith(),
        float_extrema(),
        math_functions(),
        math_rounding(),
    ]);
    cases
}

/// An output of `N` columns: `row` makes one row from one element of each input.
fn columns<A: Copy, B: Copy, C: Element + Default, const N: usize>(
    a: &Array<A, 1>,
    b: &Array<B, 1>,
    row: impl Fn(A, B) -> [C; N],
) -> Array<C, 2> {
    let length = a.elements().len();
    let mut out = Array::filled([length, N], C::default());
    for i in 0..length {
        for (column, value) in row(a[[i]], b[[i]]).into_iter().enumerate() {
            out[[i, column]] = value;
        }
    }
    out
}

/// Every value with every value: two arrays of `values.len()²` elements.
fn pairs<T: Copy>(values: &[T]) -> (Array<T, 1>, Array<T, 1>) {
    let first = values
        .iter()
        .flat_map(|&x| values.iter().map(move |_| x))
        .collect();
    let second = values.iter().flat_map(|_| values.iter().copied()).collect();
    (Array::list(first), Array::list(second))
}

/// Eight integers where signs, ends of the range and carries matter.
const EDGES: [i32; 8] = [0, 1, -1, 7, -13, 0x1234_5678, i32::MIN, i32::MAX];

fn int_arith() -> Case {
    let (a, b) = pairs(&EDGES);
    let out = columns(&a, &b, |x, y| {
        let (ux, uy) = (x as u32, y as u32);
        let (sum, difference) = (x.wrapping_add(y), x.wrapping_sub(y));
        [
            sum,
            difference,
            x.wrapping_mul(y),
            x.max(y),
            x.min(y),
            ux.max(uy) as i32,
            ux.min(uy) as i32,
            i32::from((x < y) == (ux < uy)),
            -i32::from(x < y),
            if ux < uy { difference } else { sum },
            i32::from((x >= y) != (ux > uy)),
            ((i64::from(x) * i64::from(y)) >> 32) as i32,
        ]
    });
    Case::program("int_arith")
        .input(&a)
        .input(&b)
        .output(&Array::filled([64, 12], 99), &out)
}

fn int_division() -> Case {
    let (a, b) = pairs(&[0, -1, 3, -8, 100, -101, i32::MAX]);
    let out = columns(&a, &b, |x, y| {
        let y = y | 1;
        let (ux, uy) = (x as u32, y as u32);
        let exact = f64::from(x) / f64::from(y);
        [
            x / y,
            x % y,
            exact.floor() as i32,
            exact.ceil() as i32,
            (ux / uy) as i32,
            (ux % uy) as i32,
            ux.div_ceil(uy) as i32,
        ]
    });
    Case::program("int_division")
        .input(&a)
        .input(&b)
        .output(&Array::filled([49, 7], 99), &out)
}

fn int_bits() -> Case {
    let mut random = Random::new(501);
    let edges = Array::list(
        [EDGES.to_vec(), EDGES.map(|x| x ^ 0x00ff_0f10).to_vec()]
            .concat()
            .repeat(4),
    );
    let amounts = Array::generate([64], || random.bits() as i32);
    let out = columns(&edges, &amounts, |x, y| {
        let amount = y & 31;
        [
            x << amount,
            x >> amount,
            ((x as u32) >> amount) as i32,
            x & y,
            x | y,
            x ^ y,
            x.count_ones() as i32,
            x.leading_zeros() as i32,
            x.trailing_zeros() as i32,
        ]
    });
    Case::program("int_bits")
        .input(&edges)
        .input(&amounts)
        .output(&Array::filled([64, 9], 99), &out)
}

fn int_i64() -> Case {
    let mut random = Random::new(502);
    let mut wide = || i64::from(random.bits()) << 32 | i64::from(random.bits());
    let a = Array::generate([40], &mut wide);
    // Divisors of all sizes: dividing two full words would only ever give 0 or 1.
    let mut shift = 0;
    let b = Array::generate([40], || {
        shift = (shift + 11) % 60;
        wide() >> shift
    });
    let out = columns(&a, &b.map(|y| y | 1), |x, y| {
        [
            x.wrapping_mul(y),
            x / y,
            x % y,
            x >> 40,
            x.min(y),
            x.wrapping_add(1 << 40),
        ]
    });
    Case::program("int_i64")
        .input(&a)
        .input(&b)
        .output(&Array::filled([40, 6], 99i64), &out)
}

fn int_narrow() -> Case {
    let mut random = Random::new(503);
    let mut byte = || random.bits() as i8;
    let (a, b) = (
        Array::generate([77], &mut byte),
        Array::generate([77], &mut byte),
    );
    let (mut bytes, mut halves, mut wide) = (
        Array::filled([77], 0i8),
        Array::filled([77], 0i16),
        Array::filled([77], 0i32),
    );
    for i in 0..77 {
        let (x, y) = (i32::from(a[[i]]), i32::from(b[[i]]));
        let y_unsigned = y.rem_euclid(256);
        bytes[[i]] = (3 * x + y) as i8;
        halves[[i]] = (x * y_unsigned) as i16;
        wide[[i]] = x / 5 + y_unsigned / 8;
    }
    Case::program("int_narrow")
        .input(&a)
        .input(&b)
        .output(&Array::filled([77], 99i8), &bytes)
        .output(&Array::filled([77], 99i16), &halves)
        .output(&Array::filled([77], 99i32), &wide)
}

fn booleans() -> Case {
    let mut random = Random::new(504);
    let (x, y) = (random.coarse_array([71]), random.coarse_array([71]));
    let flags = Array::generate([71], || random.bits() % 2 == 1);
    let (mut out, mut both) = (Array::filled([71], false), Array::filled([71], 0));
    for i in 0..71 {
        out[[i]] = (x[[i]] < y[[i]]) != flags[[i]];
        both[[i]] = i32::from(flags[[i]] && !out[[i]]);
    }
    Case::program("booleans")
        .input(&x)
        .input(&y)
        .input(&flags)
        .output(&Array::filled([71], true), &out)
        .output(&Array::filled([71], -1), &both)
}

fn conversions() -> Case {
    let mut random = Random::new(505);
    let x = random.fine_array([50]).map(|x| x * 1000.0);
    // As signed and as unsigned numbers, all of these have at most 24 bits from
    // the first to the last that is set: floats hold them exactly, so that no
    // rounding mode of a device matters.
    let mut large = false;
    let n = Array::generate([50], || {
        large = !large;
        (if large {
            random.bits() & 0xffff_ff00
        } else {
            random.bits() >> 8
        }) as i32
    });
    let ints = columns(&x, &n, |x, n| {
        let (size, byte, half) = (x.abs(), n as i8, n as u16);
        [
            x.to_bits() as i32,
            x as i32,
            i32::from(byte),
            i32::from(half),
            size as u32 as i32,
        ]
    });
    let floats = columns(&x, &n, |x, n| [n as f32, n as u32 as f32, -x]);
    Case::program("conversions")
        .input(&x)
        .input(&n)
        .output(&Array::filled([50, 5], 99), &ints)
        .output(&Array::filled([50, 3], 99.0f32), &floats)
}

fn mixed_precision() -> Case {
    let mut random = Random::new(506);
    let (a, b) = (random.fine_array([18, 65]), random.fine_array([65]));
    let mut dot = Array::filled([18], 0.0f64);
    for i in 0..18 {
        for j in 0..65 {
            dot[[i]] += f64::from(a[[i, j]]) * f64::from(b[[j]]);
        }
    }
    // 65 additions in double precision, in whatever order.
    let close = Tolerance::Close {
        absolute: 1e-13,
        relative: 0.0,
    };
    let near = Tolerance::Close {
        absolute: 1e-13,
        relative: 2e-7,
    };
    Case::program("mixed_precision")
        .input(&a)
        .input(&b)
        .output_within(&Array::filled([18], 99.0f64), &dot, close)
        .output_within(&Array::filled([18], 99.0f32), &dot.map(|x| x as f32), near)
}

fn float_compare() -> Case {
    let (x, y) = pairs(&[
        0.0f32,
        -0.0,
        1.5,
        -2.25,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
    ]);
    let mut out = Array::filled([49], 0);
    for i in 0..49 {
        let (a, b) = (x[[i]], y[[i]]);
        let unordered = a.is_nan() || b.is_nan();
        let (eq, gt, lt) = (a == b, a > b, a < b);
        let ordered = [eq, gt, gt || eq, lt, lt || eq, gt || lt].map(|p| p && !unordered);
        let either = [eq, gt, gt || eq, lt, lt || eq, gt || lt].map(|p| p || unordered);
        let bits = ordered
            .into_iter()
            .chain([!unordered])
            .chain(either)
            .chain([unordered]);
        out[[i]] = bits.enumerate().map(|(p, bit)| i32::from(bit) << p).sum();
    }
    Case::program("float_compare")
        .input(&x)
        .input(&y)
        .output(&Array::filled([49], -1), &out)
}

/// What is left of `x` after taking off `y` as often as it fits; exact, as every
/// subtraction of a multiple that is a power of two times `y` is.
fn remainder(x: f32, y: f32) -> f32 {
    let (mut rest, y) = (f64::from(x.abs()), f64::from(y.abs()));
    while rest >= y {
        let mut multiple = y;
        while multiple * 2.0 <= rest {
            multiple *= 2.0;
        }
        rest -= multiple;
    }
    (rest as f32).copysign(x)
}

fn float_arith() -> Case {
    let mut random = Random::new(507);
    let x = Array::generate([48], || random.coarse() * 100.0);
    let y = Array::generate([48], || {
        random.within(1, 40) as f32 * if random.bits() % 2 == 1 { 0.25 } else { -0.25 }
    });
    let out = columns(&x, &y, |x, y| [x / y, remainder(x, y), -x]);
    // A device's division may be off by 2.5 units in the last place (Vulkan's
    // precision table); a remainder is exact, where the quotient is whole too.
    let close = Tolerance::Close {
        absolute: 0.0,
        relative: 4e-7,
    };
    Case::program("float_arith")
        .input(&x)
        .input(&y)
        .output_within(&Array::filled([48, 3], 99.0f32), &out, close)
}

fn float_extrema() -> Case {
    let (x, y) = pairs(&[
        0.0f32,
        -0.0,
        1.5,
        -2.25,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
    ]);
    let out = columns(&x, &y, |x, y| {
        let either_nan = if x.is_nan() || y.is_nan() {
            f32::NAN
        } else {
            0.0
        };
        [
            x.max(y) + either_nan,
            x.min(y) + either_nan,
            x.max(y),
            x.min(y),
        ]
    });
    Case::program("float_extrema")
        .input(&x)
        .input(&y)
        .output(&Array::filled([49, 4], 99.0f32), &out)
}

fn math_functions() -> Case {
    let mut random = Random::new(508);
    let p = Array::generate([64], || 1.5 + random.fine());
    let x = random.fine_array([64]).map(|x| 4.0 * x);
    let out = columns(&p, &x, |p, x| {
        let (p, x) = (f64::from(p), f64::from(x));
        let of_p = [p.sqrt(), 1.0 / p.sqrt(), p.ln(), p.log2(), p.powf(x)];
        let of_x = [
            x.exp(),
            x.exp2(),
            x.sin(),
            x.cos(),
            x.tanh(),
            x.atan(),
            x.atan2(p),
        ];
        let mut row = [0.0; 12];
        for (to, from) in row.iter_mut().zip(of_p.into_iter().chain(of_x)) {
            *to = from as f32;
        }
        row
    });
    // Vulkan's precision table: sin and cos within 2^-11, atan within 4096 units
    // in the last place, the logarithm within 2^-21 near 1, powers as exp2(y log2 x).
    let close = Tolerance::Close {
        absolute: 6e-4,
        relative: 6e-4,
    };
    Case::program("math_functions")
        .input(&p)
        .input(&x)
        .output_within(&Array::filled([64, 12], 99.0f32), &out, close)
}

fn math_rounding() -> Case {
    let mut random = Random::new(509);
    let halves = [
        0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 3.5, 0.25, -0.75, 1e9, -8388607.5, 0.0, -0.0, 7.0, -7.0,
        0.49999997,
    ];
    let x = Array::list(halves.repeat(4));
    let y = random.coarse_array([64]);
    let out = columns(&x, &y, |x: f32, y: f32| {
        [
            x.floor(),
            x.ceil(),
            x.trunc(),
            x.round(),
            x.round_ties_even(),
            x.abs(),
            x.copysign(y),
            (f64::from(x) * f64::from(y) + f64::from(x)) as f32,
        ]
    });
    // All exact but the last column on a device whose `fma` rounds twice.
    let close = Tolerance::Close {
        absolute: 0.0,
        relative: 2.4e-7,
    };
    Case::program("math_rounding")
        .input(&x)
        .input(&y)
        .output_within(&Array::filled([64, 8], 99.0f32), &out, close)
}
