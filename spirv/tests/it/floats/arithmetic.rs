//! Arithmetic, exact division, comparisons, roundings and classes.

use gridloom_spirv::{FpMode, Profile};

use super::{F32, F64, I1, edges, is_subnormal, random_bits, rows, same, single_pairs};
use crate::device::{Target, on_each_target};
use crate::elementwise::apply;

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

/// Division, square root and remainder by integer arithmetic: correctly rounded on any device,
/// subnormal numbers included.
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
                // Often `c` nearly cancels the product.
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
