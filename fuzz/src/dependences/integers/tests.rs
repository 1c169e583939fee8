//! Terms of integers against their values.

use super::*;
use crate::dependences::shadows::SHADOWED;
use crate::random::Random;
use gridloom::ir::scalar::{ScalarKind, sext};
use std::collections::HashMap;

/// Inputs for which values of the same term are compared.
const POINTS: usize = 24;

/// A value in this width: its term, and what it is for each input.
#[derive(Clone)]
struct Value {
    width: u8,
    datum: Datum,
    bits: [u64; POINTS],
}

fn inputs(random: &mut Random) -> Vec<Value> {
    let widths = [8, 16, 32, 64, 32, 32, 8, 64];
    let input = |(name, width): (usize, u8)| {
        let mut bits = [0; POINTS];
        bits.fill_with(|| mask(random.bits(), width));
        let term = Term::of(("input", name));
        let datum = Datum {
            bits: bits[0],
            term,
        };
        Value { width, datum, bits }
    };
    widths.into_iter().enumerate().map(input).collect()
}

fn constant(width: u8, bits: u64) -> Value {
    Value {
        width,
        datum: Datum::known(bits),
        bits: [bits; POINTS],
    }
}

fn binary(op: IntOp, a: &Value, b: &Value) -> Option<Value> {
    let width = a.width;
    let mut bits = [0; POINTS];
    for (k, result) in bits.iter_mut().enumerate() {
        *result = op.eval(a.bits[k], b.bits[k], width).ok()?;
    }
    let datum = Datum::integer(op, width, bits[0], a.datum, b.datum);
    Some(Value { width, datum, bits })
}

fn resized(cast: Cast, a: &Value, width: u8) -> Value {
    let [from, to] = [a.width, width].map(ScalarKind::Int);
    let bits = a.bits.map(|bits| cast.eval(bits, from, to));
    let datum = Datum::converted(cast, bits[0], from, to, a.datum);
    Value { width, datum, bits }
}

fn number(random: &mut Random, width: u8) -> u64 {
    let power = 1u64 << random.below(width.into());
    let number = match random.below(4) {
        0 => power,
        1 => power - 1,
        2 => power.wrapping_neg(),
        _ => random.below(9) as u64,
    };
    mask(number, width)
}

/// Computes random values by some operations, and compares those of one term. Returns how many there are, how many of these,
/// and how many differ.
fn compare_terms(seed: u64, ops: &[IntOp], casts: &[Cast], is_small: bool) -> [usize; 3] {
    let mut random = Random::new(seed);
    let [mut met, mut shared, mut differing] = [0; 3];
    for _ in 0..600 {
        let mut values = inputs(&mut random);
        if is_small {
            for value in &mut values {
                value.bits = value.bits.map(|bits| bits & 63);
            }
        }
        let mut by_term: HashMap<(u8, u64), Value> = HashMap::new();
        for _ in 0..120 {
            let a = random.pick(&values).clone();
            let value = if !casts.is_empty() && random.chance(30) {
                let width = *random.pick(&[1, 8, 16, 32, 64]);
                resized(*random.pick(casts), &a, width)
            } else {
                let others = values.iter().filter(|value| value.width == a.width);
                let others: Vec<&Value> = others.collect();
                let b = match random.chance(60) {
                    true if is_small => constant(a.width, random.below(9) as u64),
                    true => constant(a.width, number(&mut random, a.width)),
                    false => (*random.pick(&others)).clone(),
                };
                let op = *random.pick(ops);
                let (a, b) = if random.chance(20) { (b, a) } else { (a, b) };
                let Some(value) = binary(op, &a, &b) else {
                    continue;
                };
                value
            };
            // Such terms are equal where nothing wraps around.
            if value.datum.term.root.group == SHADOWED && !is_small {
                continue;
            }
            // Nor has it wrapped around so far.
            let is_far = |&bits: &u64| sext(bits, value.width).abs() >> (value.width - 3) != 0;
            if is_small && value.bits.iter().any(is_far) {
                continue;
            }
            met += 1;
            let key = (value.width, value.datum.hash());
            if let Some(other) = by_term.get(&key) {
                shared += 1;
                differing += usize::from(value.bits != other.bits);
            }
            by_term.insert(key, value.clone());
            values.push(value);
        }
    }
    [met, shared, differing]
}

#[test]
fn values_of_one_term_are_equal() {
    use IntOp::*;
    let ops = [
        Add, Add, Sub, Mul, Mul, Shl, And, And, And, Or, Xor, MinS, MaxU, RemU, Mod, DivU,
        FloorDivS, ShrU, ShrS,
    ];
    let casts = [Cast::IntZero, Cast::IntSign];
    let [met, shared, differing] = compare_terms(7, &ops, &casts, false);
    assert!(met > 50_000 && shared > 5_000, "{shared} of {met}");
    assert_eq!(differing, 0);
}

#[test]
fn extrema_of_sums_of_one_term_are_equal_where_nothing_wraps_around() {
    use IntOp::*;
    let ops = [Add, Add, Sub, MinS, MaxS, MaxS];
    let [met, shared, differing] = compare_terms(5, &ops, &[], true);
    assert!(met > 20_000 && shared > 2_000, "{shared} of {met}");
    // Those that meet at all points of the shadows.
    assert!(differing * 100 < shared, "{differing} of {shared}");
}

#[test]
fn sums_distribute_over_extrema() {
    let mut random = Random::new(3);
    let mut values = inputs(&mut random);
    // Nothing wraps around.
    for value in &mut values {
        value.bits = value.bits.map(|bits| bits & 0xffff);
    }
    let of = |op, a: &Value, b: &Value| binary(op, a, b).unwrap();
    let [x, y, z] = [2, 4, 5].map(|at| values[at].clone());
    let [least, most] = [20, 9000].map(|bits| constant(32, bits));
    let plus = |a: &Value, b: &Value| of(IntOp::Add, a, b);
    let [max, min] = [IntOp::MaxS, IntOp::MinS].map(|op| move |a: &Value, b: &Value| of(op, a, b));
    let clamped = |a: &Value| min(&max(a, &least), &most);
    let same = |a: &Value, b: &Value| {
        assert_eq!(a.bits, b.bits);
        assert_eq!(a.datum.hash(), b.datum.hash());
    };
    // Two steps of a clamped sum, one by one and put together.
    let by_steps = max(&plus(&max(&plus(&z, &x), &least), &y), &least);
    let rest = max(&plus(&least, &y), &least);
    same(&by_steps, &max(&plus(&z, &plus(&x, &y)), &rest));
    let by_steps = clamped(&plus(&clamped(&plus(&z, &x)), &y));
    let [low, high] = [&least, &most].map(|end| clamped(&plus(end, &y)));
    same(&by_steps, &min(&max(&plus(&z, &plus(&x, &y)), &low), &high));
    let minus_one = constant(32, 0xffff_ffff);
    let negated = |a: &Value| of(IntOp::Mul, a, &minus_one);
    let sum = plus(&x, &y);
    same(
        &max(&negated(&min(&sum, &z)), &least),
        &max(&max(&negated(&sum), &negated(&z)), &least),
    );
    // Each operand counts, whichever is the result.
    for (a, b) in [(&x, &y), (&y, &z), (&x, &z)] {
        let [one, other] = [a, b].map(|operand| max(&plus(&z, operand), &least));
        assert_ne!(one.datum.hash(), other.datum.hash());
        let ends = [&least, &most].map(|end| max(&plus(&z, a), end));
        assert_ne!(ends[0].datum.hash(), ends[1].datum.hash());
    }
}

#[test]
fn identities_of_integers_modulo_a_power_of_two_are_known() {
    let mut random = Random::new(1);
    let values = inputs(&mut random);
    let [x, y] = [&values[2], &values[4]];
    let int = |bits: i64| constant(32, mask(bits as u64, 32));
    let of = |op, a: &Value, b: &Value| binary(op, a, b).unwrap();
    let plus = |a: &Value, b: &Value| of(IntOp::Add, a, b);
    let minus = |a: &Value, b: &Value| of(IntOp::Sub, a, b);
    let times = |a: &Value, b: &Value| of(IntOp::Mul, a, b);
    let low = |a: &Value| of(IntOp::And, a, &int(127));
    let byte = |a: &Value| resized(Cast::IntZero, a, 8);
    let [sign, zero] =
        [Cast::IntSign, Cast::IntZero].map(|cast| move |a: &Value| resized(cast, a, 32));
    let seven = int(7);
    let same = |a: &Value, b: &Value| {
        assert_eq!(a.bits, b.bits);
        assert_eq!(a.datum.hash(), b.datum.hash());
    };
    same(
        &low(&plus(&low(&plus(x, &seven)), &seven)),
        &low(&plus(x, &int(14))),
    );
    same(&times(&minus(&seven, x), &int(-1)), &minus(x, &seven));
    same(&low(&times(&low(x), &low(y))), &low(&times(x, y)));
    same(
        &times(&plus(x, &seven), y),
        &plus(&times(y, x), &times(&seven, y)),
    );
    same(&minus(&plus(x, y), y), x);
    same(
        &low(&of(IntOp::Shl, &low(x), &int(3))),
        &low(&of(IntOp::Shl, x, &int(3))),
    );
    same(&of(IntOp::RemU, x, &int(128)), &low(x));
    same(&of(IntOp::RemS, x, &int(-1)), &int(0));
    same(&of(IntOp::DivS, x, &int(-1)), &times(x, &int(-1)));
    same(
        &byte(&plus(&sign(&byte(x)), &zero(&byte(y)))),
        &byte(&plus(x, y)),
    );
    same(&zero(&byte(x)), &of(IntOp::And, x, &int(255)));
    same(&sign(&byte(&low(x))), &low(x));
    let [small, other] = [byte(x), byte(y)];
    let either = |a: &Value, b: &Value| of(IntOp::Or, a, b);
    same(
        &byte(&either(&zero(&small), &sign(&other))),
        &either(&small, &other),
    );
    // The values differ: a mask inside is narrower than the one outside, and a carry gets lost.
    let differ = |a: &Value, b: &Value| {
        assert_ne!(a.bits, b.bits);
        assert_ne!(a.datum.hash(), b.datum.hash());
    };
    let wide = |a: &Value| of(IntOp::And, a, &int(255));
    differ(&wide(&plus(&low(x), &low(y))), &wide(&plus(x, y)));
    differ(&plus(&low(x), &low(y)), &low(&plus(x, y)));
    differ(&sign(&byte(x)), &zero(&byte(x)));
}
