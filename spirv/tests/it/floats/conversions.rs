//! Formats of 16 bits, and conversions between formats and from integers.

use super::{F32, F64, I32, random_bits, same};
use crate::device::{Target, on_each_target};
use crate::elementwise::{Ty, apply};

/// A 16-bit format: its name, fraction bits and least normal exponent.
const NARROW: [(&str, i32, i32); 2] = [("f16", 10, -14), ("bf16", 7, -126)];

/// The value of 16 bits.
fn narrow_value(name: &str, bits: u16) -> f64 {
    let (fraction, exponents) = if name == "f16" { (10, 5) } else { (7, 8) };
    let bias = (1 << (exponents - 1)) - 1;
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let exponent = i32::from(bits >> fraction) & ((1 << exponents) - 1);
    let part = f64::from(bits & ((1 << fraction) - 1)) / f64::from(1 << fraction);
    match exponent {
        0 => sign * part * 2f64.powi(1 - bias),
        e if e == (1 << exponents) - 1 && part != 0.0 => f64::NAN,
        e if e == (1 << exponents) - 1 => sign * f64::INFINITY,
        e => sign * (1.0 + part) * 2f64.powi(e - bias),
    }
}

/// Rounds to the nearest value of a format, ties to even, by the definition:
/// in steps of the last place.
fn narrow_rounded(name: &str, x: f64) -> f64 {
    let &(_, fraction, least) = NARROW.iter().find(|n| n.0 == name).expect("a format");
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let exponent = (x.abs().log2().floor() as i32).max(least);
    let exponent = if x.abs() < 2f64.powi(exponent) && exponent > least {
        exponent - 1
    } else {
        exponent
    };
    let step = 2f64.powi(exponent - fraction);
    let rounded = (x / step).round_ties_even() * step;
    let most = (2.0 - 2f64.powi(-fraction)) * 2f64.powi(1 - least);
    if rounded.abs() > most {
        f64::INFINITY.copysign(x)
    } else {
        rounded
    }
}

#[test]
fn sixteen_bit_floats() {
    on_each_target(|target| {
        for (name, _, _) in NARROW {
            let ty = Ty { name, bytes: 4 };
            let mut words: Vec<u16> = vec![
                0, 0x8000, 1, 0x8001, 0x3ff, 0x400, 0x7bff, 0x7c00, 0xfc00, 0x7e00, 0x3c00, 0x3f80,
                0x7f7f, 0x7f80, 0x7fc0,
            ];
            words.extend(random_bits(150).iter().map(|&b| b as u16));
            let pairs: Vec<[u16; 2]> = words
                .iter()
                .zip(words.iter().rev())
                .map(|(&a, &b)| [a, b])
                .collect();
            let rows: Vec<[u64; 3]> = pairs
                .iter()
                .map(|&[a, b]| [a.into(), b.into(), 0])
                .collect();
            let snippets =
                ["addf", "subf", "mulf"].map(|op| format!("%r = arith.{op} %a, %b : {name}"));
            let results = apply(target, (ty, ty), &rows, &snippets);
            for (row, &[a, b]) in pairs.iter().enumerate() {
                let (x, y) = (narrow_value(name, a), narrow_value(name, b));
                for (which, exact) in [x + y, x - y, x * y].into_iter().enumerate() {
                    let expected = narrow_rounded(name, exact);
                    let got = narrow_value(name, results[which][row] as u16);
                    // A device may flush numbers that are subnormal as f32.
                    if [x, y, exact, expected]
                        .iter()
                        .any(|v| *v != 0.0 && v.abs() < f32::MIN_POSITIVE.into())
                    {
                        continue;
                    }
                    let equal = got == expected || got.is_nan() && expected.is_nan();
                    assert!(
                        equal,
                        "{which} {a:#x}, {b:#x} : {name}: {got:e}, not {expected:e}"
                    );
                }
            }
        }
    });
}

#[test]
fn conversions() {
    on_each_target(|target| {
        let values = [
            0.0f32, 0.5, -0.5, 1.5, -1.5, 2.5, 1e6, -1e6, 65504.0, 65519.0, 65520.0, 1e-7, 6e-8,
            3e-8, 2.98e-8, 100.7,
        ];
        let rows: Vec<[u64; 3]> = values.iter().map(|x| [x.to_bits().into(), 0, 0]).collect();
        let snippets = [
            "%r = arith.fptosi %a : f32 to i32",
            "%t = arith.truncf %a : f32 to f16\n%r0 = arith.bitcast %t : f16 to i16\n%r = arith.extui %r0 : i16 to i32",
            "%t = arith.truncf %a : f32 to bf16\n%tb = arith.bitcast %t : bf16 to i16\n%r = arith.extui %tb : i16 to i32",
            "%r = arith.bitcast %a : f32 to i32",
        ]
        .map(|s| s.replace("%r0", "%tb"));
        let results = apply(target, (F32, I32), &rows, &snippets);
        for (row, &x) in values.iter().enumerate() {
            assert_eq!(results[0][row] as i32, x as i32, "fptosi {x}");
            let half = narrow_value("f16", results[1][row] as u16);
            assert_eq!(half, narrow_rounded("f16", x.into()), "truncf {x:e} to f16");
            let brain = narrow_value("bf16", results[2][row] as u16);
            assert_eq!(
                brain,
                narrow_rounded("bf16", x.into()),
                "truncf {x:e} to bf16"
            );
            assert_eq!(results[3][row] as u32, x.to_bits(), "bitcast {x}");
        }
        let integers = [
            0i32,
            1,
            -1,
            7,
            65535,
            -65536,
            i32::MAX,
            i32::MIN,
            16_777_217,
        ];
        let rows: Vec<[u64; 3]> = integers
            .iter()
            .map(|&n| [(n as u32).into(), 0, 0])
            .collect();
        let snippets = [
            "%r = arith.sitofp %a : i32 to f32",
            "%r = arith.uitofp %a : i32 to f32",
        ]
        .map(str::to_owned);
        let results = apply(target, (I32, F32), &rows, &snippets);
        for (row, &n) in integers.iter().enumerate() {
            assert!(same(results[0][row], n as f32), "sitofp {n}");
            assert!(same(results[1][row], n as u32 as f32), "uitofp {n}");
        }
    });
}

/// A conversion as Rust does it, widened to 64 bits.
type Oracle = fn(f64) -> i64;

/// Numbers beyond the range of an integer give its least or greatest, and a NaN gives 0: as Rust
/// converts.
#[test]
fn conversions_to_integers_saturate() {
    // Results are widened as in the snippet.
    let cases: [(&str, Oracle); 8] = [
        ("%r = arith.fptosi %a : F to i32", |x| i64::from(x as i32)),
        ("%r = arith.fptoui %a : F to i32", |x| {
            i64::from(x as u32 as i32)
        }),
        (
            "%t = arith.fptosi %a : F to i8\n%r = arith.extsi %t : i8 to i32",
            |x| i64::from(x as i8),
        ),
        (
            "%t = arith.fptoui %a : F to i8\n%r = arith.extui %t : i8 to i32",
            |x| i64::from(x as u8),
        ),
        (
            "%t = arith.fptosi %a : F to i16\n%r = arith.extsi %t : i16 to i32",
            |x| i64::from(x as i16),
        ),
        (
            "%t = arith.fptoui %a : F to i16\n%r = arith.extui %t : i16 to i32",
            |x| i64::from(x as u16),
        ),
        (
            "%t = arith.fptosi %a : F to i1\n%r = arith.extsi %t : i1 to i32",
            |x| {
                if x <= -1.0 { -1 } else { 0 }
            },
        ),
        (
            "%t = arith.fptoui %a : F to i1\n%r = arith.extui %t : i1 to i32",
            |x| i64::from(x >= 1.0),
        ),
    ];
    let wide: [(&str, Oracle); 2] = [
        ("%r = arith.fptosi %a : F to i64", |x| x as i64),
        ("%r = arith.fptoui %a : F to i64", |x| x as u64 as i64),
    ];
    on_each_target(|target| {
        let features = target.env.features;
        let i64_type = Ty {
            name: "i64",
            bytes: 8,
        };
        saturate(target, F32, I32, &cases);
        if features.i64 {
            saturate(target, F32, i64_type, &wide);
        }
        if features.i64 && features.f64 {
            saturate(target, F64, I32, &cases);
            saturate(target, F64, i64_type, &wide);
        }
    });
}

fn saturate(target: &Target, from: Ty, to: Ty, cases: &[(&str, Oracle)]) {
    let mut values = vec![
        0.0,
        -0.0,
        f64::NAN,
        -f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
    ];
    for limit in [
        1.0,
        128.0,
        256.0,
        32768.0,
        65536.0,
        2f64.powi(31),
        2f64.powi(32),
    ] {
        values.extend([limit, limit - 0.25, limit - 1.0, limit + 1.0, limit * 1.5]);
    }
    values.extend([2f64.powi(63), 2f64.powi(64), 9.2e18, 1.8e19, 1e30]);
    let negative: Vec<f64> = values.iter().map(|x| -x).collect();
    values.extend(negative);
    if from.bytes == 4 {
        values.iter_mut().for_each(|x| *x = f64::from(*x as f32));
    }
    let bits = |x: f64| match from.bytes {
        4 => u64::from((x as f32).to_bits()),
        _ => x.to_bits(),
    };
    let rows: Vec<[u64; 3]> = values.iter().map(|&x| [bits(x), 0, 0]).collect();
    let snippets: Vec<String> = cases
        .iter()
        .map(|case| case.0.replace(": F ", &format!(": {} ", from.name)))
        .collect();
    let results = apply(target, (from, to), &rows, &snippets);
    for ((text, oracle), results) in cases.iter().zip(results) {
        for (&x, got) in values.iter().zip(results) {
            let got = if to.bytes == 4 {
                i64::from(got as i32)
            } else {
                got as i64
            };
            assert_eq!(got, oracle(x), "{x:e} : {}\n{text}", from.name);
        }
    }
}

/// Numbers next to a tie of a 16-bit format, which rounding to single precision would move onto the
/// tie.
#[test]
fn conversions_to_16_bits_round_once() {
    on_each_target(|target| {
        let tie = (1i32 << 24) + (1 << 16);
        let integers = [
            tie - 1,
            tie,
            tie + 1,
            -tie - 1,
            1 - tie,
            i32::MAX,
            i32::MIN,
            1 << 30,
        ];
        let rows: Vec<[u64; 3]> = integers
            .iter()
            .map(|&n| [(n as u32).into(), 0, 0])
            .collect();
        let out = Ty {
            name: "bf16",
            bytes: 4,
        };
        let snippets = ["sitofp", "uitofp"].map(|op| format!("%r = arith.{op} %a : i32 to bf16"));
        let results = apply(target, (I32, out), &rows, &snippets);
        for (row, &n) in integers.iter().enumerate() {
            for (which, exact) in [f64::from(n), f64::from(n as u32)].into_iter().enumerate() {
                let got = narrow_value("bf16", results[which][row] as u16);
                assert_eq!(got, narrow_rounded("bf16", exact), "{which} {n}");
            }
        }
        if target.env.features.i64 {
            wide_integers_round_once(target);
        }
        if !target.env.features.f64 {
            return;
        }
        let tie = 1.0 + 2f64.powi(-11);
        let doubles = [
            tie - 2f64.powi(-40),
            tie,
            tie + 2f64.powi(-40),
            -tie - 2f64.powi(-45),
            1e300,
            -1e-300,
            65520.0,
            f64::NAN,
        ];
        let rows: Vec<[u64; 3]> = doubles.iter().map(|x| [x.to_bits(), 0, 0]).collect();
        let out = Ty {
            name: "f16",
            bytes: 4,
        };
        let snippet = ["%r = arith.truncf %a : f64 to f16".to_owned()];
        let results = apply(target, (F64, out), &rows, &snippet);
        for (row, &x) in doubles.iter().enumerate() {
            let got = narrow_value("f16", results[0][row] as u16);
            let expected = narrow_rounded("f16", x);
            assert!(
                got == expected || x.is_nan() && got.is_nan(),
                "{x:e}: {got:e}"
            );
        }
    });
}

/// Wide integers at every size: next to the tie between two neighbours in bf16, which has 8 bits.
fn wide_integers_round_once(target: &Target) {
    let next_to_ties = (24..63).flat_map(|top| {
        let tie = (1i64 << top) + (1 << (top - 8));
        // Every number here has at most 53 bits, for the oracle.
        let step = 1i64 << (top - 52).max(0);
        [tie - step, tie, tie + step, -tie - step]
    });
    let integers: Vec<i64> = next_to_ties.collect();
    let rows: Vec<[u64; 3]> = integers.iter().map(|&n| [n as u64, 0, 0]).collect();
    let types = [("i64", 8), ("bf16", 4)].map(|(name, bytes)| Ty { name, bytes });
    let snippet = ["%r = arith.sitofp %a : i64 to bf16".to_owned()];
    let results = apply(target, (types[0], types[1]), &rows, &snippet);
    for (row, &n) in integers.iter().enumerate() {
        assert_eq!(n as f64 as i64, n, "exact as a double");
        let got = narrow_value("bf16", results[0][row] as u16);
        assert_eq!(got, narrow_rounded("bf16", n as f64), "{n}");
    }
}
