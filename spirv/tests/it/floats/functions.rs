//! Elementary functions, in units in the last place.

use super::{F32, F64, random_bits, rows};
use crate::device::on_each_target;
use crate::elementwise::apply;

/// A function of one argument: its sampled range of arguments, and the error allowed in units in
/// the last place.
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
    // Rust's `atanh` loses digits of negative arguments.
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
            // Half of the samples are small: the interesting place of most functions.
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

/// Error of a result: the distance from the true value in units in the last place.
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

/// Functions in double precision against Rust's, whose own error is below one unit; on devices with
/// `f64`.
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
