//! Every integer operation at every kind of width, on edge operands and
//! random ones, against arithmetic in 128 bits.

use crate::device::{Target, on_each_target};
use crate::elementwise::{Ty, apply};

/// Expected result of an operation for signed operands of a width; `None` where MLIR leaves it
/// undefined.
type Oracle = fn(i128, i128, u32) -> Option<i128>;

/// Expected result of a predicate.
type Predicate = fn(i128, i128, u32) -> bool;

/// Expected result of an operation of one operand.
type UnaryOracle = fn(i128, u32) -> i128;

/// The operand read as unsigned.
fn unsigned(value: i128, width: u32) -> i128 {
    value & ((1 << width) - 1)
}

/// The low bits as a signed number.
fn wrap(value: i128, width: u32) -> i128 {
    let spare = 128 - width;
    value << spare >> spare
}

fn floor_div(a: i128, b: i128) -> i128 {
    let quotient = a / b;
    if a % b != 0 && (a % b < 0) != (b < 0) {
        quotient - 1
    } else {
        quotient
    }
}

fn nonzero(b: i128, value: impl FnOnce() -> i128) -> Option<i128> {
    (b != 0).then(value)
}

const BINARY: &[(&str, Oracle)] = &[
    ("arith.addi", |a, b, _| Some(a + b)),
    ("arith.subi", |a, b, _| Some(a - b)),
    ("arith.muli", |a, b, _| Some(a.wrapping_mul(b))),
    ("arith.andi", |a, b, _| Some(a & b)),
    ("arith.ori", |a, b, _| Some(a | b)),
    ("arith.xori", |a, b, _| Some(a ^ b)),
    ("arith.minsi", |a, b, _| Some(a.min(b))),
    ("arith.maxsi", |a, b, _| Some(a.max(b))),
    ("arith.minui", |a, b, w| {
        Some(unsigned(a, w).min(unsigned(b, w)))
    }),
    ("arith.maxui", |a, b, w| {
        Some(unsigned(a, w).max(unsigned(b, w)))
    }),
    ("arith.divsi", |a, b, _| nonzero(b, || a / b)),
    ("arith.remsi", |a, b, _| nonzero(b, || a % b)),
    ("arith.divui", |a, b, w| {
        nonzero(b, || unsigned(a, w) / unsigned(b, w))
    }),
    ("arith.remui", |a, b, w| {
        nonzero(b, || unsigned(a, w) % unsigned(b, w))
    }),
    ("arith.floordivsi", |a, b, _| nonzero(b, || floor_div(a, b))),
    ("arith.ceildivsi", |a, b, _| {
        nonzero(b, || -floor_div(-a, b))
    }),
    ("arith.ceildivui", |a, b, w| {
        nonzero(b, || -floor_div(-unsigned(a, w), unsigned(b, w)))
    }),
    // Shifts by the width and more: as if by one bit at a time.
    ("arith.shli", |a, b, w| {
        let amount = unsigned(b, w);
        Some(if amount < w.into() { a << amount } else { 0 })
    }),
    ("arith.shrui", |a, b, w| {
        Some(unsigned(a, w) >> unsigned(b, w).min(100))
    }),
    ("arith.shrsi", |a, b, w| Some(a >> unsigned(b, w).min(100))),
];

const COMPARISONS: &[(&str, Predicate)] = &[
    ("eq", |a, b, _| a == b),
    ("ne", |a, b, _| a != b),
    ("slt", |a, b, _| a < b),
    ("sle", |a, b, _| a <= b),
    ("sgt", |a, b, _| a > b),
    ("sge", |a, b, _| a >= b),
    ("ult", |a, b, w| unsigned(a, w) < unsigned(b, w)),
    ("ule", |a, b, w| unsigned(a, w) <= unsigned(b, w)),
    ("ugt", |a, b, w| unsigned(a, w) > unsigned(b, w)),
    ("uge", |a, b, w| unsigned(a, w) >= unsigned(b, w)),
];

const UNARY: &[(&str, UnaryOracle)] = &[
    ("math.absi", |a, _| a.abs()),
    ("math.ctpop", |a, w| unsigned(a, w).count_ones().into()),
    ("math.ctlz", |a, w| {
        (unsigned(a, w).leading_zeros() + w - 128).into()
    }),
    ("math.cttz", |a, w| {
        unsigned(a, w).trailing_zeros().min(w).into()
    }),
];

fn int_type(width: u32) -> Ty {
    let name = match width {
        1 => "i1",
        5 => "i5",
        8 => "i8",
        16 => "i16",
        32 => "i32",
        40 => "i40",
        _ => "i64",
    };
    let bytes = if width > 32 { 8 } else { 4 };
    Ty { name, bytes }
}

/// Bits of a number on the device: sign-extended, `i1` as 0 or 1.
fn stored(value: i128, width: u32) -> u64 {
    match width {
        1 => (value & 1) as u64,
        2..=32 => (value as i32 as u32).into(),
        _ => value as u64,
    }
}

/// Pairs of edge values and of pseudo-random ones.
fn operands(width: u32) -> Vec<[i128; 2]> {
    let least = wrap(1 << (width - 1), width);
    let mut edges: Vec<i128> = [
        0,
        1,
        -1,
        2,
        -2,
        3,
        7,
        least,
        least + 1,
        -1 - least,
        -2 - least,
    ]
    .iter()
    .chain(&[width.into(), i128::from(width) - 1, i128::from(width) + 1])
    .map(|&value| wrap(value, width))
    .collect();
    edges.sort_unstable();
    edges.dedup();
    let mut pairs: Vec<[i128; 2]> = edges
        .iter()
        .flat_map(|&a| edges.iter().map(move |&b| [a, b]))
        .collect();
    let mut seed = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        wrap((seed >> (seed % 61)).into(), width)
    };
    pairs.extend((0..100).map(|_| [random(), random()]));
    pairs
}

fn widths(target: &Target) -> Vec<u32> {
    let mut widths = vec![1, 5, 8, 16, 32];
    if target.env.features.i64 {
        widths.extend([40, 64]);
    }
    widths
}

fn rows(pairs: &[[i128; 2]], width: u32) -> Vec<[u64; 3]> {
    let word = |value| stored(value, width);
    pairs.iter().map(|&[a, b]| [word(a), word(b), 0]).collect()
}

#[test]
fn binary_operations() {
    on_each_target(|target| {
        for width in widths(target) {
            let ty = int_type(width);
            let pairs = operands(width);
            let snippets: Vec<String> = BINARY
                .iter()
                .map(|(name, _)| format!("%r = {name} %a, %b : {}", ty.name))
                .collect();
            let results = apply(target, (ty, ty), &rows(&pairs, width), &snippets);
            for ((name, oracle), results) in BINARY.iter().zip(results) {
                for (&[a, b], got) in pairs.iter().zip(results) {
                    if let Some(expected) = oracle(a, b, width) {
                        let expected = stored(wrap(expected, width), width);
                        assert_eq!(got, expected, "{name} {a}, {b} : i{width}");
                    }
                }
            }
        }
    });
}

#[test]
fn comparisons() {
    on_each_target(|target| {
        for width in widths(target) {
            let ty = int_type(width);
            let pairs = operands(width);
            let snippets: Vec<String> = COMPARISONS
                .iter()
                .map(|(name, _)| format!("%r = arith.cmpi {name}, %a, %b : {}", ty.name))
                .collect();
            let results = apply(target, (ty, int_type(1)), &rows(&pairs, width), &snippets);
            for ((name, oracle), results) in COMPARISONS.iter().zip(results) {
                for (&[a, b], got) in pairs.iter().zip(results) {
                    assert_eq!(got != 0, oracle(a, b, width), "{name} {a}, {b} : i{width}");
                }
            }
        }
    });
}

#[test]
fn unary_operations() {
    on_each_target(|target| {
        for width in widths(target).into_iter().filter(|&width| width > 1) {
            let ty = int_type(width);
            let pairs = operands(width);
            let snippets: Vec<String> = UNARY
                .iter()
                .map(|(name, _)| format!("%r = {name} %a : {}", ty.name))
                .collect();
            let results = apply(target, (ty, ty), &rows(&pairs, width), &snippets);
            for ((name, oracle), results) in UNARY.iter().zip(results) {
                for (&[a, _], got) in pairs.iter().zip(results) {
                    let expected = stored(wrap(oracle(a, width), width), width);
                    assert_eq!(got, expected, "{name} {a} : i{width}");
                }
            }
        }
    });
}

/// Operations with two results: sums with their carry, products with their upper half.
#[test]
fn extended_operations() {
    on_each_target(|target| {
        for width in widths(target).into_iter().filter(|w| [32, 64].contains(w)) {
            let ty = int_type(width);
            let pairs = operands(width);
            let name = ty.name;
            let snippets = [
                format!(
                    "%t, %tc = arith.addui_extended %a, %b : {name}, i1\n%r = arith.extui %tc : i1 to {name}"
                ),
                format!("%tl, %r = arith.mului_extended %a, %b : {name}"),
                format!("%tl, %r = arith.mulsi_extended %a, %b : {name}"),
            ];
            let results = apply(target, (ty, ty), &rows(&pairs, width), &snippets);
            for (row, &[a, b]) in pairs.iter().enumerate() {
                let (ua, ub) = (unsigned(a, width) as u128, unsigned(b, width) as u128);
                let expected = [
                    (ua + ub) >> width,
                    (ua * ub) >> width,
                    ((a * b) >> width) as u128,
                ];
                for (which, expected) in expected.into_iter().enumerate() {
                    let expected = stored(wrap(expected as i128, width), width);
                    assert_eq!(
                        results[which][row], expected,
                        "{which}: {a}, {b} : i{width}"
                    );
                }
            }
        }
    });
}

#[test]
fn integer_powers() {
    on_each_target(|target| {
        let pairs: Vec<[i128; 2]> = [-3, -2, -1, 0, 1, 2, 3, 10, 46341]
            .into_iter()
            .flat_map(|a| [-3, -2, -1, 0, 1, 2, 3, 5, 31].map(|b| [a, b]))
            .collect();
        let ty = int_type(32);
        let snippet = ["%r = math.ipowi %a, %b : i32".to_owned()];
        let results = apply(target, (ty, ty), &rows(&pairs, 32), &snippet);
        for (&[a, b], &got) in pairs.iter().zip(&results[0]) {
            let expected = match (a, b) {
                (0, b) if b < 0 => continue,
                (1 | -1, b) if b < 0 => a.pow(b.unsigned_abs() as u32),
                (_, b) if b < 0 => 0,
                _ => (0..b).fold(1, |product, _| wrap(product * a, 32)),
            };
            assert_eq!(got, stored(expected, 32), "{a} to the {b}");
        }
    });
}

#[test]
fn conversions_between_widths() {
    on_each_target(|target| {
        let mut widths = widths(target);
        widths.retain(|width| ![16, 40].contains(width));
        for &from in &widths {
            for &to in &widths {
                let (ty, out) = (int_type(from), int_type(to));
                let arrow = format!("%a : {} to {}", ty.name, out.name);
                let names: &[&str] = match from.cmp(&to) {
                    std::cmp::Ordering::Less => &["arith.extsi", "arith.extui"],
                    std::cmp::Ordering::Greater => &["arith.trunci"],
                    std::cmp::Ordering::Equal => continue,
                };
                let snippets: Vec<String> = names
                    .iter()
                    .map(|name| format!("%r = {name} {arrow}"))
                    .collect();
                let pairs = operands(from);
                let results = apply(target, (ty, out), &rows(&pairs, from), &snippets);
                for (name, results) in names.iter().zip(results) {
                    for (&[a, _], got) in pairs.iter().zip(results) {
                        let value = if *name == "arith.extui" {
                            unsigned(a, from)
                        } else {
                            a
                        };
                        let expected = stored(wrap(value, to), to);
                        assert_eq!(got, expected, "{name} {a}: i{from} to i{to}");
                    }
                }
            }
        }
    });
}

#[test]
fn index_casts_and_selection() {
    on_each_target(|target| {
        let ty = int_type(16);
        let pairs = operands(16);
        let snippets = [
            "%t = arith.index_cast %a : i16 to index\n%r = arith.index_cast %t : index to i16",
            "%t = arith.index_castui %a : i16 to index\n%tz = arith.constant 0 : index\n\
             %tc = arith.cmpi sge, %t, %tz : index\n%r = arith.select %tc, %a, %b : i16",
            "%tc = arith.cmpi slt, %a, %b : i16\n%r = arith.select %tc, %a, %b : i16",
        ]
        .map(str::to_owned);
        let results = apply(target, (ty, ty), &rows(&pairs, 16), &snippets);
        for (row, &[a, b]) in pairs.iter().enumerate() {
            for (which, expected) in [a, a, a.min(b)].into_iter().enumerate() {
                assert_eq!(
                    results[which][row],
                    stored(expected, 16),
                    "{which}: {a}, {b}"
                );
            }
        }
    });
}
