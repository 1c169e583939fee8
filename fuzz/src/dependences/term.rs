//! Terms: hashes of the computations that values come from.
//!
//! Two values have equal terms if the same operations compute them from the same writes of memory
//! elements. Arithmetic that rewriting may regroup without changing a bit (sums of integers,
//! extrema) is hashed as a sum over its parts, so that the order of the parts does not matter; a
//! value computed from constants and loop counters alone is a constant.

use std::hash::{DefaultHasher, Hash, Hasher};

use gridloom::ir::scalar::{Cast, IntOp, ScalarKind, mask};

/// Hashes the parts of a term.
pub fn hashed(parts: impl Hash) -> u64 {
    // This hasher has the same keys in every process.
    let mut hasher = DefaultHasher::new();
    parts.hash(&mut hasher);
    hasher.finish()
}

/// Root of a term: its last operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Root {
    hash: u64,
    /// The regroupable operation, or 0.
    group: u64,
    /// Sum of the hashes of its parts, and the constant part.
    sum: u64,
    constant: u64,
}

/// Term of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Term {
    root: Root,
    /// Whether it is computed from constants, counters and sizes alone.
    known: bool,
    /// Origin of a conversion: what an integer was extended from, by its width, so that truncation
    /// restores it; what a float was negated from, under [`NEGATED`]; what an integer was truncated
    /// from, under [`TRUNCATED`].
    narrow: Option<(u8, Root)>,
    /// The only non-constant part of a regroupable combination.
    part: Option<Root>,
    /// Whether that part is subtracted.
    is_subtracted: bool,
}

/// Marker in place of a width, for a negated float.
const NEGATED: u8 = u8::MAX;

/// Marker in place of a width, for a truncated integer.
const TRUNCATED: u8 = u8::MAX - 1;

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
        Term::rooted(Root {
            hash: hashed((group, sum, constant)),
            group,
            sum,
            constant,
        })
    }

    fn rooted(root: Root) -> Term {
        Term {
            root,
            known: false,
            narrow: None,
            part: None,
            is_subtracted: false,
        }
    }

    /// Whether the root operation is regroupable, such as updates of one element.
    pub fn is_regroupable(self) -> bool {
        self.root.group != 0
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
        term.known = true;
        Datum { bits, term }
    }

    /// Hash of the datum: equal for equal bits and terms.
    pub fn hash(self) -> u64 {
        self.term.root.hash
    }

    /// Whether the datum is a constant.
    pub fn is_known(self) -> bool {
        self.term.known
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

    /// The result `bits` of an integer operation of this width.
    pub fn integer(op: IntOp, width: u8, bits: u64, a: Datum, b: Datum) -> Datum {
        match op {
            IntOp::Sub if a.hash() == b.hash() => Datum::known(0),
            // `x - y` is `x + -y`, and `x << c` is `x * 2^c`.
            IntOp::Sub => Datum::regrouped(IntOp::Add, width, bits, a, b.subtracted(width)),
            IntOp::Shl if b.is_known() && b.bits < u64::from(width) => {
                let factor = Datum::known(1 << b.bits);
                Datum::regrouped(IntOp::Mul, width, bits, a, factor)
            }
            IntOp::DivS
            | IntOp::DivU
            | IntOp::FloorDivS
            | IntOp::CeilDivS
            | IntOp::CeilDivU
            | IntOp::FloorDiv
            | IntOp::CeilDiv
                if b.is_known() && b.bits == 1 =>
            {
                a
            }
            IntOp::ShrS | IntOp::ShrU if b.is_known() && b.bits == 0 => a,
            IntOp::RemS | IntOp::RemU | IntOp::Mod if b.is_known() && b.bits == 1 => {
                Datum::known(0)
            }
            // 0 divided or shifted is 0.
            _ if a.is_known() && a.bits == 0 && neutral(op, width).is_none() => Datum::known(bits),
            _ if neutral(op, width).is_some() => Datum::regrouped(op, width, bits, a, b),
            _ => Datum::computed((format!("{op:?}"), width), bits, &[a, b]),
        }
    }

    /// The result of an associative and commutative operation.
    fn regrouped(op: IntOp, width: u8, bits: u64, a: Datum, b: Datum) -> Datum {
        let Some(neutral) = neutral(op, width) else {
            return Datum::computed((format!("{op:?}"), width), bits, &[a, b]);
        };
        if a.is_known() && b.is_known() {
            return Datum::known(bits);
        }
        let (a, b) = if a.is_known() { (b, a) } else { (a, b) };
        let group = group(op, width);
        let combine = |constant, bits| op.eval(constant, bits, width).unwrap_or(constant);
        // Constants may meet in any order, so that of `x & 1 & 2` nothing is left, either.
        let constant_of = |part: Datum| match part.is_known() {
            true => part.bits,
            false if part.term.root.group == group => part.term.root.constant,
            false => neutral,
        };
        if absorbing(op, width) == Some(combine(constant_of(a), constant_of(b))) {
            return Datum::known(bits);
        }
        if b.is_known() && b.bits == neutral {
            return a;
        }
        let doubles = !matches!(op, IntOp::Add | IntOp::Mul | IntOp::Xor);
        if a.hash() == b.hash() && doubles {
            return a;
        }
        if a.hash() == b.hash() && op == IntOp::Xor {
            return Datum::known(0);
        }
        Datum::grouped((group, neutral), &combine, bits, [a, b])
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
        // All terms cancel out.
        if sum == 0 {
            return Datum::known(bits);
        }
        // The only non-constant part, which `x + c - c` and `x ^ c ^ c` restore.
        let (part, is_subtracted) = match a.term.root.group == group {
            _ if !b.is_known() => (None, false),
            true => (a.term.part, a.term.is_subtracted),
            false => (Some(a.term.root), false),
        };
        if let (Some(root), true, false) = (part, constant == neutral, is_subtracted) {
            let term = Term::rooted(root);
            return Datum { bits, term };
        }
        let mut term = Term::regroupable(group, sum, constant);
        (term.part, term.is_subtracted) = (part, is_subtracted);
        Datum { bits, term }
    }

    /// The negated integer of this width, as a part of a sum.
    fn subtracted(self, width: u8) -> Datum {
        let negated = |bits: u64| mask(bits.wrapping_neg(), width);
        let bits = negated(self.bits);
        if self.is_known() {
            return Datum::known(bits);
        }
        let group = group(IntOp::Add, width);
        let root = self.term.root;
        let is_sum = root.group == group;
        let (sum, constant, part, is_subtracted) = match is_sum {
            true => (
                root.sum,
                root.constant,
                self.term.part,
                !self.term.is_subtracted,
            ),
            false => (hashed(root.hash), 0, Some(root), true),
        };
        let (sum, constant) = (sum.wrapping_neg(), negated(constant));
        if let (Some(root), 0, false) = (part, constant, is_subtracted) {
            let term = Term::rooted(root);
            return Datum { bits, term };
        }
        let mut term = Term::regroupable(group, sum, constant);
        (term.part, term.is_subtracted) = (part, is_subtracted);
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
        let name = format!("{cast:?} {from:?} {to:?}");
        Datum::computed(name, bits, &[a])
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

    /// The result of an integer extension or truncation.
    fn resized(cast: Cast, bits: u64, (from, to): (u8, u8), a: Datum) -> Datum {
        if a.is_known() {
            return Datum::known(bits);
        }
        match a.term.narrow {
            Some((width, root)) if width == to => {
                let term = Term::rooted(root);
                return Datum { bits, term };
            }
            _ => {}
        }
        if to < from {
            // All kinds of truncation give the same bits, and so does truncation in several steps.
            let root = match a.term.narrow {
                Some((TRUNCATED, root)) => root,
                _ => a.term.root,
            };
            let whole = Datum {
                bits: a.bits,
                term: Term::rooted(root),
            };
            let mut result = Datum::computed(("truncated", to), bits, &[whole]);
            result.term.narrow = Some((TRUNCATED, root));
            return result;
        }
        let mut result = Datum::computed((format!("{cast:?}"), from, to), bits, &[a]);
        result.term.narrow = Some((from, a.term.root));
        result
    }
}

/// Group number of an operation of this width.
fn group(op: IntOp, width: u8) -> u64 {
    hashed((format!("{op:?}"), width))
}

/// The absorbing element of a regroupable operation: combined with it, every value gives it.
fn absorbing(op: IntOp, width: u8) -> Option<u64> {
    let all = mask(u64::MAX, width);
    Some(match op {
        IntOp::Mul | IntOp::And | IntOp::MinU => 0,
        IntOp::Or | IntOp::MaxU => all,
        IntOp::MinS => all ^ (all >> 1),
        IntOp::MaxS => all >> 1,
        _ => return None,
    })
}

/// The neutral element of a regroupable operation.
fn neutral(op: IntOp, width: u8) -> Option<u64> {
    let all = mask(u64::MAX, width);
    Some(match op {
        IntOp::Add | IntOp::Or | IntOp::Xor | IntOp::MaxU => 0,
        IntOp::Mul => 1,
        IntOp::And | IntOp::MinU => all,
        IntOp::MinS => all >> 1,
        IntOp::MaxS => all ^ (all >> 1),
        _ => return None,
    })
}
