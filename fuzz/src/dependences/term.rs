//! Terms: hashes of the computations that values come from.
//!
//! Two values have equal terms if the same operations compute them from the same writes of memory
//! elements. Arithmetic that rewriting may regroup without changing a bit does not count as operations:
//! [integers](super::integers) are polynomials, [extrema of sums](super::shadows) are compared at random points, and other extrema, conjunctions and the like are hashed as a sum over their
//! parts, so that the order of the parts does not matter. A value computed from constants and loop counters alone is a
//! constant.

use std::hash::{DefaultHasher, Hash, Hasher};

use gridloom::ir::scalar::{Cast, ScalarKind};

use super::galois::Element;
use super::shadows::Shadows;

/// Hashes the parts of a term.
pub fn hashed(parts: impl Hash) -> u64 {
    // This hasher has the same keys in every process.
    let mut hasher = DefaultHasher::new();
    parts.hash(&mut hasher);
    hasher.finish()
}

/// Root of a term: its last operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Root {
    pub hash: u64,
    /// The regroupable operation, or 0.
    pub group: u64,
    /// Sum of the hashes of its parts, and the constant part.
    pub sum: u64,
    pub constant: u64,
}

/// Term of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Term {
    pub(super) root: Root,
    /// Whether it is computed from constants, counters and sizes alone.
    pub(super) is_known: bool,
    pub(super) is_regroupable: bool,
    /// The integer as a polynomial over atoms, which are other values; none for an atom.
    pub(super) polynomial: Option<Element>,
    /// Polynomial that agrees with the integer in this number of its lowest bits, where masks and extensions do not
    /// count; for a combination with a constant, that of its part.
    pub(super) low: Option<(u8, Element)>,
    /// The integer at [random points](super::shadows); none for an atom.
    pub(super) shadows: Option<Shadows>,
    /// Origin of a conversion: what an integer was extended from, by its width, so that truncation
    /// restores it; what a float was negated or converted from, under [`NEGATED`] or a [mark](widened).
    pub(super) narrow: Option<(u8, Root)>,
    /// The only non-constant part of a regroupable combination.
    pub(super) part: Option<Root>,
}

/// Marker in place of a width, for a negated float.
const NEGATED: u8 = u8::MAX;

/// Marker in place of a width, for a float that was converted from this kind, whose numbers the other kind has.
fn widened(from: ScalarKind) -> Option<u8> {
    match from {
        ScalarKind::F16 => Some(NEGATED - 1),
        ScalarKind::BF16 => Some(NEGATED - 2),
        ScalarKind::F32 => Some(NEGATED - 3),
        _ => None,
    }
}

/// A scalar with its term.
#[derive(Clone, Copy, Debug)]
pub struct Datum {
    /// Bits of the value.
    pub bits: u64,
    /// Term of the value.
    pub term: Term,
}

impl Term {
    /// Creates a non-constant term.
    pub fn of(parts: impl Hash) -> Term {
        Term::rooted(Root {
            hash: hashed(parts),
            group: 0,
            sum: 0,
            constant: 0,
        })
    }

    /// The term of a regroupable combination of parts with this sum of hashes, and a constant.
    fn regroupable(group: u64, sum: u64, constant: u64) -> Term {
        Term {
            is_regroupable: true,
            ..Term::rooted(Root {
                hash: hashed((group, sum, constant)),
                group,
                sum,
                constant,
            })
        }
    }

    pub(super) fn rooted(root: Root) -> Term {
        Term {
            root,
            is_known: false,
            is_regroupable: root.group != 0,
            polynomial: None,
            low: None,
            shadows: None,
            narrow: None,
            part: None,
        }
    }

    /// The constant of a combination of this group with one.
    pub fn combined_with(self, group: u64) -> Option<u64> {
        (self.root.group == group && self.part.is_some()).then_some(self.root.constant)
    }

    /// Whether the root operation is regroupable, such as updates of one element.
    pub fn is_regroupable(self) -> bool {
        self.is_regroupable
    }
}

impl Datum {
    /// Creates a constant.
    pub fn known(bits: u64) -> Datum {
        Datum::known_as(("constant", bits), bits)
    }

    /// Creates a constant that equals others with the same name.
    pub fn known_as(name: impl Hash, bits: u64) -> Datum {
        let mut term = Term::of(name);
        term.is_known = true;
        Datum { bits, term }
    }

    /// Hash of the datum: equal for equal bits and terms.
    pub fn hash(self) -> u64 {
        self.term.root.hash
    }

    /// Whether the datum is a constant.
    pub fn is_known(self) -> bool {
        self.term.is_known
    }

    /// The result `bits` of the operation `name` on operands.
    pub fn computed(name: impl Hash, bits: u64, operands: &[Datum]) -> Datum {
        if operands.iter().all(|operand| operand.is_known()) {
            return Datum::known(bits);
        }
        let hashes: Vec<u64> = operands.iter().map(|operand| operand.hash()).collect();
        let term = Term::of((name, hashes));
        Datum { bits, term }
    }

    /// Like [`computed`](Self::computed), for a commutative operation.
    pub fn commuted(name: impl Hash, bits: u64, a: Datum, b: Datum) -> Datum {
        let (a, b) = if a.hash() <= b.hash() { (a, b) } else { (b, a) };
        Datum::computed(name, bits, &[a, b])
    }

    /// The result of an associative and commutative operation with this group number and neutral
    /// element; `combine` folds constants.
    pub fn grouped(
        (group, neutral): (u64, u64),
        combine: &dyn Fn(u64, u64) -> u64,
        bits: u64,
        [a, b]: [Datum; 2],
    ) -> Datum {
        let (mut sum, mut constant) = (0u64, neutral);
        for part in [a, b] {
            if part.is_known() {
                constant = combine(constant, part.bits);
            } else if part.term.root.group == group {
                sum = sum.wrapping_add(part.term.root.sum);
                constant = combine(constant, part.term.root.constant);
            } else {
                sum = sum.wrapping_add(hashed(part.hash()));
            }
        }
        let mut term = Term::regroupable(group, sum, constant);
        // The only non-constant part, which `x ^ c ^ c` restores.
        if b.is_known() {
            let (part, polynomial) = match a.term.root.group == group {
                true => (a.term.part, a.term.low.map(|(_, polynomial)| polynomial)),
                false => (Some(a.term.root), Some(a.polynomial())),
            };
            if let (Some(root), true) = (part, constant == neutral) {
                let mut term = Term::rooted(root);
                term.polynomial = polynomial;
                return Datum { bits, term };
            }
            term.part = part;
            term.low = polynomial.map(|polynomial| (0, polynomial));
        }
        Datum { bits, term }
    }

    /// The result of a conversion between scalar kinds.
    pub fn converted(cast: Cast, bits: u64, from: ScalarKind, to: ScalarKind, a: Datum) -> Datum {
        if from == to && bits == a.bits {
            return a;
        }
        let is_extension = matches!(cast, Cast::IntZero | Cast::IntSign);
        if let (true, ScalarKind::Int(width), ScalarKind::Int(narrow)) = (is_extension, from, to) {
            return Datum::resized(cast, bits, (width, narrow), a);
        }
        let origin = a.term.narrow.filter(|&(mark, _)| widened(to) == Some(mark));
        if let (Cast::Float, Some((_, root))) = (cast, origin) {
            let term = Term::rooted(root);
            return Datum { bits, term };
        }
        let name = format!("{cast:?} {from:?} {to:?}");
        let mut result = Datum::computed(name, bits, &[a]);
        if cast == Cast::Float && to.size() > from.size() && !a.is_known() {
            result.term.narrow = widened(from).map(|mark| (mark, a.term.root));
        }
        result
    }

    /// The negated float; negation twice restores it.
    pub fn negated(bits: u64, a: Datum) -> Datum {
        match a.term.narrow {
            Some((NEGATED, root)) => Datum {
                bits,
                term: Term::rooted(root),
            },
            _ => {
                let mut result = Datum::computed("negated", bits, &[a]);
                result.term.narrow = (!a.is_known()).then_some((NEGATED, a.term.root));
                result
            }
        }
    }
}
