//! Floating-point operations against Rust's own, to the last bit where the
//! operation is defined to it, in units in the last place elsewhere.

use gridloom_spirv::{FpMode, Profile};

use crate::device::{Target, on_each_target};
use crate::elementwise::{Ty, apply};

const F32: Ty = Ty {
    name: "f32",
    bytes: 4,
};
const F64: Ty = Ty {
    name: "f64",
    bytes: 8,
};
const I1: Ty = Ty {
    name: "i1",
    bytes: 4,
};
const I32: Ty = Ty {
    name: "i32",
    bytes: 4,
};

/// Numbers of both signs: zeros, subnormal, normal and large ones, infinities
/// and a NaN.
fn edges() -> Vec<f64> {
    let mut list = vec![
        0.0,
        f64::from(f32::from_bits(1)),
        f64::from(f32::from_bits(0x7f_ffff)),
        f32::MIN_POSITIVE.into(),
        1e-20,
        0.3,
        0.5,
        1.0,
        1.0 + f64::from(f32::EPSILON),
        1.5,
        2.0,
        2.5,
        3.0,
        7.0,
        1e6,
        16_777_215.0,
        1e20,
        f32::MAX.into(),
        f64::INFINITY,
    ];
    let negative: Vec<f64> = list.iter().map(|x| -x).collect();
    list.extend(negative);
    list.push(f64::NAN);
    list
}

/// Pseudo-random words.
fn random_bits(count: usize) -> Vec<u64> {
    let mut seed = 0x2545_f491_4f6c_dd1du64;
    (0..count)
        .map(|_| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed
        })
        .collect()
}

fn single_pairs() -> Vec<[f32; 2]> {
    let edges = edges();
    let mut pairs: Vec<[f32; 2]> = edges
        .iter()
        .flat_map(|&a| edges.iter().map(move |&b| [a as f32, b as f32]))
        .collect();
    let random = random_bits(600);
    pairs.extend(random.iter().map(|&bits| {
        // The second operand near the first in size: quotients and sums that round.
        let a = f32::from_bits(bits as u32);
        let b = f32::from_bits((bits >> 32) as u32 & 0x80ff_ffff | bits as u32 & 0x7f00_0000);
        [a, b]
    }));
    pairs
}

/// Subnormal numbers may be flushed to 0 by any operation of a device: pairs
/// whose operands or result are subnormal are compared only by the exact
/// operations, which work on bits.
fn is_subnormal(x: f32) -> bool {
    x.is_subnormal()
}

fn same(got: u64, expected: f32) -> bool {
    let got = f32::from_bits(got as u32);
    got.to_bits() == expected.to_bits() || got.is_nan() && expected.is_nan()
}

fn rows(pairs: &[[f32; 2]]) -> Vec<[u64; 3]> {
    let bits = |x: f32| u64::from(x.to_bits());
    pairs.iter().map(|&[a, b]| [bits(a), bits(b), 0]).collect()
}

fn bitwise_maximum(a: f32, b: f32) -> f32 {
    match a.partial_cmp(&b) {
        None => f32::NAN,
        Some(std::cmp::Ordering::Equal) if a.is_sign_negative() => b,
        Some(std::cmp::Ordering::Less) => b,
        _ => a,
    }
}

#[test]
fn arithmetic() {
    type Oracle = fn(f32, f32) -> f32;
    let binary: &[(&str, Oracle)] = &[
        ("arith.addf", |a, b| a + b),
        ("arith.subf", |a, b| a - b),
        ("arith.mulf", |a, b| a * b),
        ("arith.maximumf", bitwise_maximum),
        ("arith.minimumf", |a, b| -bitwise_maximum(-a, -b)),
        ("arith.maxnumf", |a, b| {
            if a.is_nan() {
                b
            } else if b.is_nan() {
                a
            } else {
                bitwise_maximum(a, b)
            }
        }),
        ("arith.minnumf", |a, b| {
            if a.is_nan() {
                b
            } else if b.is_nan() {
                a
            } else {
                -bitwise_maximum(-a, -b)
            }
        }),
        ("math.copysign", f32::copysign),
    ];
    on_each_target(|target| {
        let pairs = single_pairs();
        let snippets: Vec<String> = binary
            .iter()
            .map(|(name, _)| format!("%r = {name} %a, %b : f32"))
            .collect();
        let results = apply(target, (F32, F32), &rows(&pairs), &snippets);
        for ((name, oracle), results) in binary.iter().zip(results) {
            for (&[a, b], got) in pairs.iter().zip(results) {
                let expected = oracle(a, b);
                if [a, b, expected].into_iter().any(is_subnormal) {
                    continue;
                }
                assert!(
                    same(got, expected),
                    "{name} {a:e}, {b:e}: {got:#x}, not {expected:e}"
                );
            }
        }
    });
}

/// Division, square root and remainder from integers: to the last bit on any
/// device, subnormal numbers included.
#[test]
fn exact_division() {
    on_each_target(|target| {
        // Remainders are exact in every mode; the others in strict kernels,
        // which the portable profile does not have.
        let strict = target.env.profile == Profile::Native;
        let mut env = target.env;
        env.features.exact_division = false;
        env.fp = if strict {
            FpMode::Strict
        } else {
            FpMode::Relaxed
        };
        let target = Target {
            device: target.device.clone(),
            env,
        };
        let pairs = single_pairs();
        let mut snippets = vec!["%r = arith.remf %a, %b : f32".to_owned()];
        if strict {
            snippets.push("%r = arith.divf %a, %b : f32".to_owned());
            snippets.push("%r = math.sqrt %a : f32".to_owned());
        }
        let results = apply(&target, (F32, F32), &rows(&pairs), &snippets);
        for (row, &[a, b]) in pairs.iter().enumerate() {
            for (which, expected) in [a % b, a / b, a.sqrt()].into_iter().enumerate() {
                let Some(results) = results.get(which) else {
                    continue;
                };
                let got = results[row];
                assert!(
                    same(got, expected),
                    "{which}: {a:e}, {b:e}: {got:#x}, not {:#x}",
                    expected.to_bits()
                );
            }
        }
        if target.env.features.f64 && strict {
            exact_double_division(&target);
        }
    });
}

fn exact_double_division(target: &Target) {
    let mut pairs: Vec<[f64; 2]> = edges()
        .iter()
        .flat_map(|&a| edges().into_iter().map(move |b| [a, b]))
        .collect();
    let random = random_bits(400);
    pairs.extend(
        random
            .chunks(2)
            .map(|w| [f64::from_bits(w[0]), f64::from_bits(w[0] ^ w[1] >> 8)]),
    );
    pairs.extend([
        [f64::from_bits(3), 2.0],
        [f64::MIN_POSITIVE, 3.0],
        [f64::MAX, 0.1],
    ]);
    let rows: Vec<[u64; 3]> = pairs
        .iter()
        .map(|&[a, b]| [a.to_bits(), b.to_bits(), 0])
        .collect();
    let snippets = [
        "%r = arith.remf %a, %b : f64".to_owned(),
        "%r = arith.divf %a, %b : f64".to_owned(),
        "%r = math.sqrt %a : f64".to_owned(),
    ];
    let results = apply(target, (F64, F64), &rows, &snippets);
    for (row, &[a, b]) in pairs.iter().enumerate() {
        for (which, expected) in [a % b, a / b, a.sqrt()].into_iter().enumerate() {
            let got = f64::from_bits(results[which][row]);
            let equal = got.to_bits() == expected.to_bits() || got.is_nan() && expected.is_nan();
            assert!(equal, "{which}: {a:e}, {b:e}: {got:e}, not {expected:e}");
        }
    }
}

#[test]
fn comparisons() {
    let names = [
        "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult",
        "ule", "une", "uno", "true",
    ];
    on_each_target(|target| {
        let pairs: Vec<[f32; 2]> = single_pairs()
            .into_iter()
            .filter(|p| !p.iter().any(|&x| is_subnormal(x)))
            .collect();
        let snippets: Vec<String> = names
            .iter()
            .map(|name| format!("%r = arith.cmpf {name}, %a, %b : f32"))
            .collect();
        let results = apply(target, (F32, I1), &rows(&pairs), &snippets);
        for (name, results) in names.iter().zip(results) {
            for (&[a, b], got) in pairs.iter().zip(results) {
                let (less, equal, greater) = (a < b, a == b, a > b);
                let unordered = a.is_nan() || b.is_nan();
                let expected = match *name {
                    "false" => false,
                    "true" => true,
                    "ord" => !unordered,
                    "uno" => unordered,
                    _ => {
                        let relation = match &name[1..] {
                            "eq" => equal,
                            "gt" => greater,
                            "ge" => greater || equal,
                            "lt" => less,
                            "le" => less || equal,
                            _ => less || greater,
                        };
                        relation || name.starts_with('u') && unordered
                    }
                };
                assert_eq!(got != 0, expected, "{name} {a:e}, {b:e}");
            }
        }
    });
}

#[test]
fn roundings_and_classes() {
    type Oracle = fn(f32) -> f32;
    let unary: &[(&str, Oracle)] = &[
        ("arith.negf", |x| -x),
        ("math.absf", f32::abs),
        ("math.floor", f32::floor),
        ("math.ceil", f32::ceil),
        ("math.trunc", f32::trunc),
        ("math.round", f32::round),
        ("math.roundeven", f32::round_ties_even),
    ];
    type Class = fn(f32) -> bool;
    let classes: &[(&str, Class)] = &[
        ("math.isnan", f32::is_nan),
        ("math.isinf", f32::is_infinite),
        ("math.isfinite", f32::is_finite),
        ("math.isnormal", f32::is_normal),
    ];
    on_each_target(|target| {
        let pairs = single_pairs();
        let snippets: Vec<String> = unary
            .iter()
            .map(|(name, _)| format!("%r = {name} %a : f32"))
            .collect();
        let results = apply(target, (F32, F32), &rows(&pairs), &snippets);
        for ((name, oracle), results) in unary.iter().zip(results) {
            for (&[a, _], got) in pairs.iter().zip(results) {
                // The sign of a zero that came from rounding is left to the device.
                let expected = oracle(a);
                let zero = expected == 0.0 && f32::from_bits(got as u32) == 0.0;
                assert!(
                    zero || is_subnormal(a) || same(got, expected),
                    "{name} {a:e}: {got:#x}"
                );
            }
        }
        let snippets: Vec<String> = classes
            .iter()
            .map(|(name, _)| format!("%r = {name} %a : f32"))
            .collect();
        let results = apply(target, (F32, I1), &rows(&pairs), &snippets);
        for ((name, oracle), results) in classes.iter().zip(results) {
            for (&[a, _], got) in pairs.iter().zip(results) {
                assert_eq!(got != 0, oracle(a), "{name} {a:e}");
            }
        }
    });
}

/// A function of one argument, the range of arguments that is sampled, and the
/// error allowed in units in the last place.
type Function = (&'static str, fn(f64) -> f64, f64, f64, f64);

const FUNCTIONS: &[Function] = &[
    ("math.sqrt", f64::sqrt, 0.0, 1e6, 3.0),
    ("math.rsqrt", |x| 1.0 / x.sqrt(), 1e-6, 1e6, 6.0),
    ("math.cbrt", f64::cbrt, -1e6, 1e6, 3.0),
    ("math.exp", f64::exp, -87.0, 88.5, 3.0),
    ("math.exp2", f64::exp2, -125.0, 127.9, 3.0),
    ("math.expm1", f64::exp_m1, -10.0, 30.0, 4.0),
    ("math.log", f64::ln, 1e-6, 1e6, 4.0),
    ("math.log2", f64::log2, 1e-6, 1e6, 4.0),
    ("math.log10", f64::log10, 1e-6, 1e6, 4.0),
    ("math.log1p", f64::ln_1p, -0.99, 100.0, 8.0),
    ("math.sin", f64::sin, -1e5, 1e5, 4.0),
    ("math.cos", f64::cos, -10.0, 10.0, 4.0),
    ("math.tan", f64::tan, -100.0, 100.0, 8.0),
    ("math.asin", f64::asin, -1.0, 1.0, 8.0),
    ("math.acos", f64::acos, -1.0, 1.0, 8.0),
    ("math.atan", f64::atan, -1e3, 1e3, 5.0),
    ("math.sinh", f64::sinh, -88.0, 88.0, 8.0),
    ("math.cosh", f64::cosh, -88.0, 88.0, 8.0),
    ("math.tanh", f64::tanh, -10.0, 10.0, 8.0),
    ("math.asinh", f64::asinh, -1e4, 1e4, 8.0),
    ("math.acosh", f64::acosh, 1.0, 1e4, 8.0),
    // Rust's loses digits of negative arguments.
    (
        "math.atanh",
        |x| x.abs().atanh().copysign(x),
        -0.999,
        0.999,
        8.0,
    ),
];

fn samples(low: f64, high: f64, count: usize) -> Vec<f64> {
    random_bits(count)
        .into_iter()
        .enumerate()
        .map(|(number, bits)| {
            let unit = bits as f64 / u64::MAX as f64;
            let x = low + (high - low) * unit;
            // Half of them small: the interesting place of most functions.
            let small = low.max(-1.0) + (high.min(1.0) - low.max(-1.0)) * unit * unit * unit;
            let small = if low <= 0.0 && number % 4 == 1 {
                small * 1e-3
            } else {
                small
            };
            if number % 2 == 0 {
                x
            } else {
                small.clamp(low, high)
            }
        })
        .collect()
}

/// The distance from the true value in units in the last place.
fn error_single(got: f32, expected: f64) -> f64 {
    let unit = f64::from(f32::EPSILON) * expected.abs().max(f32::MIN_POSITIVE.into());
    (f64::from(got) - expected).abs() / unit
}

#[test]
fn functions_in_single_precision() {
    on_each_target(|target| {
        for functions in FUNCTIONS.chunks(8) {
            let arguments: Vec<Vec<f32>> = functions
                .iter()
                .map(|&(_, _, low, high, _)| {
                    samples(low, high, 256).iter().map(|&x| x as f32).collect()
                })
                .collect();
            let snippets: Vec<String> = functions
                .iter()
                .map(|f| format!("%r = {} %a : f32", f.0))
                .collect();
            for (number, arguments) in arguments.iter().enumerate() {
                let rows: Vec<[u64; 3]> = arguments
                    .iter()
                    .map(|x| [x.to_bits().into(), 0, 0])
                    .collect();
                let (name, oracle, _, _, allowed) = functions[number];
                let results = apply(target, (F32, F32), &rows, &snippets[number..=number]);
                for (&x, &bits) in arguments.iter().zip(&results[0]) {
                    let (got, expected) = (f32::from_bits(bits as u32), oracle(x.into()));
                    let error = error_single(got, expected);
                    assert!(
                        error <= allowed,
                        "{name} {x:e}: {got:e}, not {expected:e}: {error} ulp"
                    );
                }
            }
        }
    });
}

/// The same functions in double precision against Rust's, whose own error is
/// below one unit; where `f64` is there.
#[test]
fn functions_in_double_precision() {
    on_each_target(|target| {
        if !target.env.features.f64 {
            return;
        }
        for &(name, oracle, low, high, allowed) in FUNCTIONS {
            let arguments = samples(low, high, 128);
            let rows: Vec<[u64; 3]> = arguments.iter().map(|x| [x.to_bits(), 0, 0]).collect();
            let snippet = [format!("%r = {name} %a : f64")];
            let results = apply(target, (F64, F64), &rows, &snippet);
            for (&x, &bits) in arguments.iter().zip(&results[0]) {
                let (got, expected) = (f64::from_bits(bits), oracle(x));
                let error =
                    (got - expected).abs() / (f64::EPSILON * expected.abs().max(f64::MIN_POSITIVE));
                assert!(
                    error <= allowed + 2.0,
                    "{name} {x:e}: {got:e}, not {expected:e}: {error} ulp"
                );
            }
        }
    });
}

#[test]
fn huge_angles() {
    on_each_target(|target| {
        let arguments: Vec<f32> = (14..128).map(|e| 2f32.powi(e) * 1.234_567_9).collect();
        let rows: Vec<[u64; 3]> = arguments
            .iter()
            .map(|x| [x.to_bits().into(), 0, 0])
            .collect();
        let snippets = [
            "%r = math.sin %a : f32".to_owned(),
            "%r = math.cos %a : f32".to_owned(),
        ];
        let results = apply(target, (F32, F32), &rows, &snippets);
        for (row, &x) in arguments.iter().enumerate() {
            // Rust's double precision reduces such angles exactly.
            let expected = [f64::from(x).sin(), f64::from(x).cos()];
            for which in [0, 1] {
                let got = f32::from_bits(results[which][row] as u32);
                let error = error_single(got, expected[which]);
                assert!(
                    error <= 4.0,
                    "{which} {x:e}: {got:e}, not {:e}",
                    expected[which]
                );
            }
        }
    });
}

#[test]
fn powers_angles_and_the_error_function() {
    on_each_target(|target| {
        let pairs: Vec<[f32; 2]> = samples(-8.0, 8.0, 512)
            .chunks(2)
            .map(|p| [p[0] as f32, p[1] as f32])
            .collect();
        let snippets = [
            "%t = math.absf %a : f32\n%r = math.powf %t, %b : f32",
            "%r = math.atan2 %a, %b : f32",
            "%r = math.erf %a : f32",
            "%r = math.erfc %a : f32",
        ]
        .map(str::to_owned);
        let results = apply(target, (F32, F32), &rows(&pairs), &snippets);
        for (row, &[a, b]) in pairs.iter().enumerate() {
            let (x, y) = (f64::from(a), f64::from(b));
            let expected = [x.abs().powf(y), x.atan2(y)];
            for (which, &expected) in expected.iter().enumerate() {
                let got = f32::from_bits(results[which][row] as u32);
                let error = error_single(got, expected);
                assert!(
                    error <= 40.0,
                    "{which} {a:e}, {b:e}: {got:e}, not {expected:e}: {error}"
                );
            }
        }
        let known = [
            (0.0, 0.0, 1.0),
            (0.25, 0.2763263901682369, 0.7236736098317631),
            (0.5, 0.520_499_877_813_046_5, 0.479_500_122_186_953_5),
            (1.0, 0.842_700_792_949_714_9, 0.157_299_207_050_285_13),
            (2.0, 0.995_322_265_018_952_7, 0.004_677_734_981_047_266),
            (5.0, 0.999_999_999_998_462_6, 1.537_459_794_428_035e-12),
        ];
        let rows: Vec<[u64; 3]> = known
            .iter()
            .map(|k| [(k.0 as f32).to_bits().into(), 0, 0])
            .collect();
        let results = apply(target, (F32, F32), &rows, &snippets[2..]);
        for (row, &(x, erf, erfc)) in known.iter().enumerate() {
            for (which, expected) in [erf, erfc].into_iter().enumerate() {
                let got = f32::from_bits(results[which][row] as u32);
                let error = error_single(got, expected);
                assert!(
                    error <= 6.0,
                    "{which} {x}: {got:e}, not {expected:e}: {error}"
                );
            }
        }
    });
}

#[test]
fn powers_at_the_ends() {
    on_each_target(|target| {
        let list = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            2.0,
            -2.0,
            0.5,
            3.0,
            -3.0,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
        ];
        let pairs: Vec<[f32; 2]> = list.iter().flat_map(|&a| list.map(|b| [a, b])).collect();
        let snippets = [
            "%r = math.powf %a, %b : f32".to_owned(),
            "%r = math.atan2 %a, %b : f32".to_owned(),
        ];
        let results = apply(target, (F32, F32), &rows(&pairs), &snippets);
        for (row, &[a, b]) in pairs.iter().enumerate() {
            for (which, expected) in [a.powf(b), a.atan2(b)].into_iter().enumerate() {
                let got = f32::from_bits(results[which][row] as u32);
                let near = (got - expected).abs() <= 2.0 * f32::EPSILON * expected.abs();
                let equal = near || got == expected || got.is_nan() && expected.is_nan();
                assert!(equal, "{which} {a}, {b}: {got}, not {expected}");
            }
        }
    });
}

#[test]
fn fused_multiplication_in_strict_kernels() {
    on_each_target(|target| {
        let features = target.env.features;
        if target.env.profile != Profile::Native || !(features.f64 && features.i64) {
            return;
        }
        let mut env = target.env;
        env.fp = FpMode::Strict;
        let target = Target {
            device: target.device.clone(),
            env,
        };
        let random = random_bits(900);
        let near_one = |bits: u64| f32::from_bits(0x3f00_0000 | bits as u32 & 0x80ff_ffff);
        let triples: Vec<[f32; 3]> = random
            .chunks(3)
            .map(|w| {
                let (a, b) = (near_one(w[0]), near_one(w[1]));
                // Often nearly what the product takes away.
                let c = if w[2] % 2 == 0 {
                    -(a * b)
                } else {
                    near_one(w[2]) * 1e-7
                };
                [a, b, c]
            })
            .collect();
        let rows: Vec<[u64; 3]> = triples
            .iter()
            .map(|t| t.map(|x| x.to_bits().into()))
            .collect();
        let snippet = ["%r = math.fma %a, %b, %c : f32".to_owned()];
        let results = apply(&target, (F32, F32), &rows, &snippet);
        for (&[a, b, c], &got) in triples.iter().zip(&results[0]) {
            let expected = a.mul_add(b, c);
            assert!(
                same(got, expected),
                "{a:e} * {b:e} + {c:e}: {got:#x}, not {:#x}",
                expected.to_bits()
            );
        }
    });
}

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

/// Numbers that lie next to a tie of a 16-bit format, and on it once they are
/// rounded to single precision.
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

/// The same at every size of a 64-bit integer: next to the tie between two
/// neighbours in bf16, which has 8 bits.
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
