//! Strict kernels: NaN, infinities, signs of zeros and subnormal numbers as
//! IEEE arithmetic has them, constants and all.

// These tests check the expressions that compilers simplify.
#![allow(clippy::eq_op, clippy::neg_multiply)]

use gridloom_gpu_runtime::Quirk;
use gridloom_spirv::{FpMode, Profile};

use super::{F32, F64, edges, rows, same};
use crate::device::{Target, on_each_target};
use crate::elementwise::apply;

/// An expression of `%a` and `%b`, as MLIR text for a float type `T` and as Rust.
type Case = (&'static str, fn(f64, f64) -> f64, fn(f32, f32) -> f32);

macro_rules! case {
    ($text:literal, |$a:ident, $b:ident| $value:expr) => {
        ($text, |$a: f64, $b: f64| $value, |$a: f32, $b: f32| $value)
    };
}

/// Expressions that compilers like to simplify.
const CASES: [Case; 24] = [
    case!("%r = arith.addf %a, %b : T", |a, b| a + b),
    case!("%r = arith.subf %a, %b : T", |a, b| a - b),
    case!("%r = arith.mulf %a, %b : T", |a, b| a * b),
    case!("%r = arith.divf %a, %b : T", |a, b| a / b),
    case!("%r = math.sqrt %a : T", |a, _b| a.sqrt()),
    case!(
        "%tz = arith.constant 0.0 : T\n%r = arith.addf %a, %tz : T",
        |a, _b| a + 0.0
    ),
    case!(
        "%tz = arith.constant 0.0 : T\n%r = arith.addf %tz, %a : T",
        |a, _b| 0.0 + a
    ),
    case!(
        "%tz = arith.constant 0.0 : T\n%r = arith.subf %a, %tz : T",
        |a, _b| a - 0.0
    ),
    case!(
        "%tz = arith.constant 0.0 : T\n%r = arith.subf %tz, %a : T",
        |a, _b| 0.0 - a
    ),
    case!(
        "%tz = arith.constant -0.0 : T\n%r = arith.subf %a, %tz : T",
        |a, _b| a - -0.0
    ),
    case!(
        "%tz = arith.constant 0.0 : T\n%r = arith.mulf %a, %tz : T",
        |a, _b| a * 0.0
    ),
    case!(
        "%tz = arith.constant -0.0 : T\n%r = arith.mulf %tz, %a : T",
        |a, _b| -0.0 * a
    ),
    case!(
        "%tz = arith.constant 0.0 : T\n%r = arith.divf %tz, %a : T",
        |a, _b| 0.0 / a
    ),
    case!("%r = arith.subf %a, %a : T", |a, _b| a - a),
    case!("%r = arith.divf %a, %a : T", |a, _b| a / a),
    case!(
        "%tn = arith.negf %a : T\n%r = arith.addf %a, %tn : T",
        |a, _b| a + -a
    ),
    case!(
        "%tm = arith.constant -1.0 : T\n%r = arith.mulf %a, %tm : T",
        |a, _b| a * -1.0
    ),
    case!(
        "%tz = arith.constant 0.0 : T\n%tk = arith.constant -1.5 : T\n\
         %tp = arith.mulf %a, %tk : T\n%r = arith.addf %tz, %tp : T",
        |a, _b| 0.0 + a * -1.5
    ),
    case!(
        "%tp = arith.mulf %a, %b : T\n%r = arith.addf %tp, %a : T",
        |a, b| a * b + a
    ),
    case!(
        "%tp = arith.mulf %a, %b : T\n%tq = arith.mulf %b, %a : T\n%r = arith.subf %tp, %tq : T",
        |a, b| a * b - b * a
    ),
    case!(
        "%ts = arith.addf %a, %b : T\n%r = arith.subf %ts, %b : T",
        |a, b| (a + b) - b
    ),
    case!(
        "%tc = arith.cmpf ole, %a, %a : T\n%to = arith.constant 1.0 : T\n\
         %tz = arith.constant -0.0 : T\n%r = arith.select %tc, %to, %tz : T",
        |a, _b| if a.is_nan() { -0.0 } else { 1.0 }
    ),
    case!(
        "%tz = arith.constant 0.0 : T\n%tc = arith.cmpf uge, %a, %tz : T\n\
         %r = arith.select %tc, %a, %tz : T",
        |a, _b| if a < 0.0 { 0.0 } else { a }
    ),
    case!(
        "%tn = math.absf %a : T\n%r = arith.negf %tn : T",
        |a, _b| -a.abs()
    ),
];

fn snippets(ty: &str) -> Vec<String> {
    let of_type = |case: &Case| case.0.replace(": T", &format!(": {ty}"));
    CASES.iter().map(of_type).collect()
}

#[test]
fn constants_and_specials() {
    on_each_target(|target| {
        if target.env.profile != Profile::Native {
            return;
        }
        let mut env = target.env;
        env.fp = FpMode::Strict;
        env.features.exact_division = false;
        let target = Target {
            device: target.device.clone(),
            env,
        };
        let quirks = &target.device.info().quirks;
        let flushes = quirks
            .iter()
            .any(|q| matches!(q, Quirk::FlushesDenormals { .. }));
        singles(&target, flushes);
        if target.env.features.f64 && target.env.features.i64 {
            doubles(&target);
        }
    });
}

fn singles(target: &Target, flushes: bool) {
    let numbers: Vec<f32> = edges().iter().map(|&x| x as f32).collect();
    let pairs: Vec<[f32; 2]> = numbers
        .iter()
        .flat_map(|&a| numbers.iter().map(move |&b| [a, b]))
        .collect();
    let results = apply(target, (F32, F32), &rows(&pairs), &snippets("f32"));
    for ((text, _, oracle), results) in CASES.iter().zip(results) {
        for (&[a, b], got) in pairs.iter().zip(results) {
            let expected = oracle(a, b);
            // Steps in between are subnormal only where the operands or the result nearly are.
            let small = |x: f32| x != 0.0 && x.abs() < 1e-18;
            if flushes && [a, b, expected].into_iter().any(small) {
                continue;
            }
            let bits = expected.to_bits();
            assert!(
                same(got, expected),
                "{a:e}, {b:e}: {got:#x}, not {bits:#x}:\n{text}"
            );
        }
    }
}

fn doubles(target: &Target) {
    let mut numbers = edges();
    numbers.extend([f64::from_bits(3), -f64::MIN_POSITIVE, f64::MAX]);
    let pairs: Vec<[f64; 2]> = numbers
        .iter()
        .flat_map(|&a| numbers.iter().map(move |&b| [a, b]))
        .collect();
    let rows: Vec<[u64; 3]> = pairs
        .iter()
        .map(|&[a, b]| [a.to_bits(), b.to_bits(), 0])
        .collect();
    let results = apply(target, (F64, F64), &rows, &snippets("f64"));
    for ((text, oracle, _), results) in CASES.iter().zip(results) {
        for (&[a, b], got) in pairs.iter().zip(results) {
            let expected = oracle(a, b);
            let equal =
                got == expected.to_bits() || expected.is_nan() && f64::from_bits(got).is_nan();
            assert!(equal, "{a:e}, {b:e}: {got:#x}, not {expected:e}:\n{text}");
        }
    }
}
