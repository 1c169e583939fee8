//! Terms of integers against their values.

use super::*;
use crate::random::Random;
use gridloom::ir::scalar::ScalarKind;
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

#[test]
fn values_of_one_term_are_equal() {
    use IntOp::*;
    let ops = [
        Add, Add, Sub, Mul, Mul, Shl, And, And, And, Or, Xor, MinS, MaxU, RemU, Mod, DivU,
        FloorDivS, ShrU, ShrS,
    ];
    let mut random = Random::new(7);
    let (mut met, mut shared) = (0, 0);
    for _ in 0..600 {
        let mut values = inputs(&mut random);
        let mut by_term: HashMap<(u8, u64), Value> = HashMap::new();
        for _ in 0..120 {
            let a = random.pick(&values).clone();
            let value = if random.chance(30) {
                let width = *random.pick(&[1, 8, 16, 32, 64]);
                let cast = *random.pick(&[Cast::IntZero, Cast::IntSign]);
                resized(cast, &a, width)
            } else {
                let others = values.iter().filter(|value| value.width == a.width);
                let others: Vec<&Value> = others.collect();
                let b = match random.chance(60) {
                    true => constant(a.width, number(&mut random, a.width)),
                    false => (*random.pick(&others)).clone(),
                };
                let op = *random.pick(&ops);
                let (a, b) = if random.chance(20) { (b, a) } else { (a, b) };
                let Some(value) = binary(op, &a, &b) else {
                    continue;
                };
                value
            };
            met += 1;
            let key = (value.width, value.datum.hash());
            if let Some(other) = by_term.get(&key) {
                assert_eq!(value.bits, other.bits, "{:?}", value.datum);
                shared += 1;
            }
            by_term.insert(key, value.clone());
            values.push(value);
        }
    }
    assert!(met > 50_000 && shared > 5_000, "{shared} of {met}");
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
