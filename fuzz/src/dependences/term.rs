//! Terms: what a value was computed from, as a hash.
//!
//! Two values have one term when they come from the same elements of memory, as the same writes have left them,
//! by the same operations. Arithmetic that rewriting may regroup without changing a bit (sums of
//! integers, extrema) is hashed as a sum over its parts, so that the order of the parts does not matter; what is
//! computed from constants and loop counters alone is a constant.

use std::hash::{DefaultHasher, Hash, Hasher};

use gridloom::ir::scalar::{Cast, IntOp, ScalarKind, mask};

/// Hashes what a term is made of.
pub fn hashed(parts: impl Hash) -> u64 {
    // The keys of this hasher are the same in every process.
    let mut hasher = DefaultHasher::new();
    parts.hash(&mut hasher);
    hasher.finish()
}

/// The root of a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Root {
    hash: u64,
    /// The regroupable operation, 0 where it is another.
    group: u64,
    /// The sum of the hashes of its parts, and the constant among them.
    sum: u64,
    constant: u64,
}

/// A term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Term {
    root: Root,
    /// Computed from constants, counters and sizes alone.
    known: bool,
    /// What an integer was extended from, by its width: truncation gives that back. What a float was
    /// negated from, under [`NEGATED`], and an integer truncated from, under [`TRUNCATED`].
    narrow: Option<(u8, Root)>,
    /// The only part that is no constant, of a sum or the like.
    part: Option<Root>,
    /// Whether that part is subtracted.
    is_subtracted: bool,
}

/// In place of a width, where a float was negated.
const NEGATED: u8 = u8::MAX;

/// In place of a width, where an integer was truncated.
const TRUNCATED: u8 = u8::MAX - 1;

/// A scalar with its term.
#[derive(Clone, Copy, Debug)]
pub struct Datum {
    /// The bits of the value.
    pub bits: u64,
    /// What it comes from.
    pub term: Term,
}

impl Term {
    /// A term that is no constant.
    pub fn of(parts: impl Hash) -> Term {
        Term::rooted(Root {
            hash: hashed(parts),
            group: 0,
            sum: 0,
            constant: 0,
        })
    }

    /// The combination of parts with this sum of hashes and a constant by an operation that may be
    /// regrouped.
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

    /// Whether the operation at the root may be regrouped, as updates of one element are.
    pub fn is_regroupable(self) -> bool {
        self.root.group != 0
    }
}

impl Datum {
    /// A constant.
    pub fn known(bits: u64) -> Datum {
        Datum::known_as(("constant", bits), bits)
    }

    /// A constant that is the same as others of this name.
    pub fn known_as(name: impl Hash, bits: u64) -> Datum {
        let mut term = Term::of(name);
        term.known = true;
        Datum { bits, term }
    }

    /// What the same bits and terms hash to.
    pub fn hash(self) -> u64 {
        self.term.root.hash
    }

    /// Whether it is a constant.
    pub fn is_known(self) -> bool {
        self.term.known
    }

    /// The value of an operation named `name`, computed as `bits` from operands.
    pub fn computed(name: impl Hash, bits: u64, operands: &[Datum]) -> Datum {
        if operands.iter().all(|operand| operand.is_known()) {
            return Datum::known(bits);
        }
        let hashes: Vec<u64> = operands.iter().map(|operand| operand.hash()).collect();
        let term = Term::of((name, hashes));
        Datum { bits, term }
    }

    /// The same, where the operands may change places.
    pub fn commuted(name: impl Hash, bits: u64, a: Datum, b: Datum) -> Datum {
        let (a, b) = if a.hash() <= b.hash() { (a, b) } else { (b, a) };
        Datum::computed(name, bits, &[a, b])
    }

    /// An integer operation of this width that has computed `bits`.
    pub fn integer(op: IntOp, width: u8, bits: u64, a: Datum, b: Datum) -> Datum {
        match op {
            IntOp::Sub if a.hash() == b.hash() => Datum::known(0),
            // x - y is x + -y, and x << c is x * 2^c.
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
            // 0 divided or shifted.
            _ if a.is_known() && a.bits == 0 && neutral(op, width).is_none() => Datum::known(bits),
            _ if neutral(op, width).is_some() => Datum::regrouped(op, width, bits, a, b),
            _ => Datum::computed((format!("{op:?}"), width), bits, &[a, b]),
        }
    }

    /// An associative and commutative operation.
    fn regrouped(op: IntOp, width: u8, bits: u64, a: Datum, b: Datum) -> Datum {
        let Some(neutral) = neutral(op, width) else {
            return Datum::computed((format!("{op:?}"), width), bits, &[a, b]);
        };
        if a.is_known() && b.is_known() {
            return Datum::known(bits);
        }
        let (a, b) = if a.is_known() { (b, a) } else { (a, b) };
        let all = mask(u64::MAX, width);
        let absorbs = match op {
            IntOp::Mul | IntOp::And | IntOp::MinU => b.bits == 0,
            IntOp::Or | IntOp::MaxU => b.bits == all,
            IntOp::MinS => b.bits == all ^ (all >> 1),
            IntOp::MaxS => b.bits == all >> 1,
            _ => false,
        };
        if b.is_known() && absorbs {
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
        let group = group(op, width);
        let combine = |constant, bits| op.eval(constant, bits, width).unwrap_or(constant);
        Datum::grouped((group, neutral), &combine, bits, [a, b])
    }

    /// The value of an associative and commutative operation of this name, which `combine` computes of constants
    /// and `neutral` leaves as they are.
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
        // What is added and subtracted is gone.
        if sum == 0 {
            return Datum::known(bits);
        }
        // The only part that is no constant, which x + c - c and x ^ c ^ c give back.
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

    /// The integer of this width with the other sign, as a part of a sum.
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

    /// A conversion from one class of scalars to another.
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

    /// The float with the other sign; twice, and it is what it was.
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

    /// Extends or truncates an integer.
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
            // Both kinds of truncation give the same bits, and so does one of what is truncated.
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

/// What stands for an operation of this width in the roots of terms.
fn group(op: IntOp, width: u8) -> u64 {
    hashed((format!("{op:?}"), width))
}

/// The neutral element of an operation that may be regrouped.
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
