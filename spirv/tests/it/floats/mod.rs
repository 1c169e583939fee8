//! Floating-point operations against Rust's own: to the last bit where the operation is defined to
//! it, in units in the last place elsewhere.

mod arithmetic;
mod conversions;
mod functions;
mod strict;

use crate::elementwise::Ty;

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
        // The second operand is near the first in size, so that quotients and sums round.
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
