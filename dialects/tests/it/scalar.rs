//! Scalar semantics against other implementations: floats against
//! `rustc_apfloat`, integers against arithmetic in 128 bits.

use gridloom_ir::scalar::{Cast, FloatOp, IntOp, IntPredicate, ScalarKind, fused_multiply_add};
use gridloom_ir::scalar::{float_compare, mask, sext};
use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert};

/// splitmix64 (G. Steele, D. Lea and C. Flood, "Fast splittable pseudorandom
/// number generators", 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Patterns next to the edges of a format, and any.
    fn float(&mut self, width: u8) -> u64 {
        let sign = (self.next() & 1) << (width - 1);
        let magnitude = match self.next() % 8 {
            0 => self.next() % 4,
            1 => (mask(u64::MAX, width) >> 1) - self.next() % 4,
            2 | 3 => {
                let exponent = mask(self.next(), width - 1) & !mask(u64::MAX, width / 2);
                exponent | (self.next() % 3)
            }
            _ => mask(self.next(), width - 1),
        };
        sign | mask(magnitude, width - 1)
    }

    fn int(&mut self, width: u8) -> u64 {
        let bits = match self.next() % 8 {
            0 => self.next() % 4,
            1 => u64::MAX - self.next() % 4,
            2 => (1 << (width - 1)) - self.next() % 2,
            _ => self.next() >> (self.next() % 64),
        };
        mask(bits, width)
    }
}

const KINDS: [(ScalarKind, u8); 4] = [
    (ScalarKind::F16, 16),
    (ScalarKind::BF16, 16),
    (ScalarKind::F32, 32),
    (ScalarKind::F64, 64),
];

/// Reference result of `rustc_apfloat`; `None` for a NaN.
fn expected<F: Float>(op: FloatOp, a: u64, b: u64) -> Option<u64> {
    let (a, b) = (F::from_bits(a.into()), F::from_bits(b.into()));
    let result = match op {
        FloatOp::Add => (a + b).value,
        FloatOp::Sub => (a - b).value,
        FloatOp::Mul => (a * b).value,
        FloatOp::Div => (a / b).value,
        FloatOp::Rem => a.c_fmod(b).value,
        FloatOp::Maximum => a.maximum(b),
        FloatOp::Minimum => a.minimum(b),
        _ => unreachable!("not compared"),
    };
    (!result.is_nan()).then(|| result.to_bits() as u64)
}

#[test]
fn float_arithmetic_rounds_once() {
    use FloatOp::{Add, Div, Maximum, Minimum, Mul, Rem, Sub};
    let mut random = Random(1);
    for (kind, width) in KINDS {
        for op in [Add, Sub, Mul, Div, Rem, Maximum, Minimum] {
            for _ in 0..4000 {
                let [a, b] = [(); 2].map(|()| random.float(width));
                let expected = match kind {
                    ScalarKind::F16 => expected::<Half>(op, a, b),
                    ScalarKind::BF16 => expected::<BFloat>(op, a, b),
                    ScalarKind::F32 => expected::<Single>(op, a, b),
                    _ => expected::<Double>(op, a, b),
                };
                let found = op.eval(a, b, kind);
                let found = (!kind.to_f64(found).is_nan()).then_some(found);
                assert_eq!(found, expected, "{op:?} {kind:?} {a:#x} {b:#x}");
            }
        }
    }
}

#[test]
fn fused_products_round_once() {
    let mut random = Random(2);
    for _ in 0..20_000 {
        let [a, b, c] = [(); 3].map(|()| random.float(32));
        let [x, y, z] = [a, b, c].map(|bits| Single::from_bits(bits.into()));
        let expected = x.mul_add(y, z).value;
        let found = fused_multiply_add(a, b, c, ScalarKind::F32);
        if expected.is_nan() {
            assert!(ScalarKind::F32.to_f64(found).is_nan());
        } else {
            assert_eq!(
                u128::from(found),
                expected.to_bits(),
                "{a:#x} {b:#x} {c:#x}"
            );
        }
    }
}

/// The pattern in another format; `None` for a NaN.
type Convert = fn(u64) -> Option<u64>;

fn converted<F, T>(bits: u64) -> Option<u64>
where
    F: Float + FloatConvert<T>,
    T: Float,
{
    let mut exact = false;
    let value: T = F::from_bits(bits.into()).convert(&mut exact).value;
    (!value.is_nan()).then(|| value.to_bits() as u64)
}

#[test]
fn float_conversions_round_once() {
    use ScalarKind::{BF16, F16, F32, F64};
    let mut random = Random(3);
    let cases: [(ScalarKind, u8, ScalarKind, Convert); 8] = [
        (F64, 64, F32, converted::<Double, Single>),
        (F64, 64, F16, converted::<Double, Half>),
        (F64, 64, BF16, converted::<Double, BFloat>),
        (F32, 32, F16, converted::<Single, Half>),
        (F32, 32, BF16, converted::<Single, BFloat>),
        (F16, 16, F32, converted::<Half, Single>),
        (BF16, 16, F64, converted::<BFloat, Double>),
        (F32, 32, F64, converted::<Single, Double>),
    ];
    for (from, width, to, expected) in cases {
        for _ in 0..10_000 {
            let bits = random.float(width);
            let found = Cast::Float.eval(bits, from, to);
            let found = (!to.to_f64(found).is_nan()).then_some(found);
            assert_eq!(found, expected(bits), "{from:?} to {to:?}: {bits:#x}");
        }
    }
}

#[test]
fn integers_become_the_nearest_floats() {
    let mut random = Random(4);
    for _ in 0..20_000 {
        let width = 1 + (random.next() % 64) as u8;
        let bits = random.int(width);
        let from = ScalarKind::Int(width);
        for (cast, value) in [
            (Cast::SignedToFloat, i128::from(sext(bits, width))),
            (Cast::UnsignedToFloat, i128::from(bits)),
        ] {
            let found = |to| u128::from(cast.eval(bits, from, to));
            let half = Half::from_i128(value).value.to_bits();
            let brain = BFloat::from_i128(value).value.to_bits();
            let single = Single::from_i128(value).value.to_bits();
            let double = Double::from_i128(value).value.to_bits();
            assert_eq!(found(ScalarKind::F16), half, "{value}");
            assert_eq!(found(ScalarKind::BF16), brain, "{value}");
            assert_eq!(found(ScalarKind::F32), single, "{value}");
            assert_eq!(found(ScalarKind::F64), double, "{value}");
        }
    }
}

/// Reference result in 128 bits, before it is cut to its width; `None` where the result is
/// undefined.
fn wide(op: IntOp, a: i128, b: i128, (ua, ub): (i128, i128), width: u8) -> Option<i128> {
    let floor = |a: i128, b: i128| a.div_euclid(b) - i128::from(b < 0 && a.rem_euclid(b) != 0);
    Some(match op {
        IntOp::Add => a + b,
        IntOp::Sub => a - b,
        IntOp::Mul => a.wrapping_mul(b),
        IntOp::MulHighS => (a * b) >> width,
        IntOp::MulHighU => ((ua as u128 * ub as u128) >> width) as i128,
        IntOp::DivU | IntOp::RemU | IntOp::CeilDivU if ub == 0 => return None,
        IntOp::DivU => ua / ub,
        IntOp::RemU => ua % ub,
        IntOp::CeilDivU => (ua + ub - 1) / ub,
        IntOp::DivS | IntOp::RemS | IntOp::FloorDivS | IntOp::CeilDivS if b == 0 => return None,
        IntOp::DivS => a / b,
        IntOp::RemS => a % b,
        IntOp::FloorDivS => floor(a, b),
        IntOp::CeilDivS => -floor(-a, b),
        IntOp::MinS => a.min(b),
        IntOp::MaxS => a.max(b),
        IntOp::MinU => ua.min(ub),
        IntOp::MaxU => ua.max(ub),
        _ => unreachable!("not compared"),
    })
}

#[test]
fn integer_arithmetic_is_that_of_wider_numbers() {
    use IntOp::{
        Add, CeilDivS, CeilDivU, DivS, DivU, FloorDivS, MaxS, MaxU, MinS, MinU, Mul, MulHighS,
        MulHighU, RemS, RemU, Sub,
    };
    let mut random = Random(5);
    for _ in 0..4000 {
        let width = 1 + (random.next() % 64) as u8;
        let [a, b] = [(); 2].map(|()| random.int(width));
        for op in [
            Add, Sub, Mul, MulHighS, MulHighU, DivU, RemU, CeilDivU, DivS, RemS, FloorDivS,
            CeilDivS, MinS, MaxS, MinU, MaxU,
        ] {
            let (sa, sb) = (sext(a, width).into(), sext(b, width).into());
            let expected = wide(op, sa, sb, (a.into(), b.into()), width);
            let expected = expected.map(|value| mask(value as u64, width));
            let found = op.eval(a, b, width).ok();
            assert_eq!(found, expected, "{op:?} of {width} bits: {a:#x} {b:#x}");
        }
        for number in 0..10 {
            let predicate = IntPredicate::from_number(number).unwrap();
            let (sa, sb) = (sext(a, width), sext(b, width));
            let expected = [
                a == b,
                a != b,
                sa < sb,
                sa <= sb,
                sa > sb,
                sa >= sb,
                a < b,
                a <= b,
                a > b,
                a >= b,
            ];
            assert_eq!(predicate.eval(a, b, width), expected[number as usize]);
        }
    }
}

#[test]
fn comparisons_of_floats_know_nan() {
    let values = [f64::NAN, -0.0, 0.0, 1.0, f64::INFINITY];
    for a in values {
        for b in values {
            let unordered = a.is_nan() || b.is_nan();
            let ordered = [
                false,
                a == b,
                a > b,
                a >= b,
                a < b,
                a <= b,
                !unordered && a != b,
                !unordered,
            ];
            for (number, expected) in ordered.into_iter().enumerate() {
                assert_eq!(
                    float_compare(number as u8, a, b),
                    expected,
                    "{number}: {a} {b}"
                );
                let number = if number == 7 { 7 } else { number + 7 };
                if (8..14).contains(&number) {
                    let found = float_compare(number as u8, a, b);
                    assert_eq!(found, expected || unordered, "{number}: {a} {b}");
                }
            }
        }
    }
}
