//! Terms of integers: polynomials over the integers modulo 2^w, compared at a [random point](super::galois).
//!
//! Sums, differences, products and shifts to the left by constants are evaluated, so that every way to write a polynomial
//! gives one term. Every other operation gives an atom. What depends on the lowest k bits alone, a mask `x & (2^k - 1)`, a
//! truncation, and extensions, looks through masks and extensions of at least as many bits inside: a term keeps a second
//! polynomial beside that of the integer, which agrees with it in its `low` bits and in which these do not occur.

use gridloom::ir::scalar::{Cast, IntOp, mask};

use super::galois::Element;
use super::term::{Datum, Root, Term, hashed};

/// The hash of a polynomial modulo 2^width.
fn identity(polynomial: &Element, width: u8) -> u64 {
    let atom = polynomial.atom_of(width);
    atom.unwrap_or_else(|| hashed(("polynomial", width, polynomial.modulo(width))))
}

/// The hash of the sign extension of a value with this hash.
fn sign_extended(from: u8, hash: u64) -> u64 {
    hashed(("signed", from, hash))
}

/// The hash of the bits of a value with hash `origin` that a mask selects.
fn selection(selected: u64, origin: u64) -> u64 {
    hashed(("masked", selected, origin))
}

impl Datum {
    /// The integer as a polynomial.
    pub(super) fn polynomial(self) -> Element {
        match self.term.polynomial {
            Some(polynomial) => polynomial,
            None if self.is_known() => Element::constant(self.bits),
            None => Element::atom(self.hash()),
        }
    }

    /// A polynomial that agrees with the integer in its `width` lowest bits.
    fn lowest(self, width: u8) -> Element {
        match self.term.low {
            Some((bits, polynomial)) if width <= bits => polynomial,
            _ => self.polynomial(),
        }
    }

    /// The number of lowest bits in which a polynomial other than its own agrees with the integer.
    fn agreeing(self) -> Option<u8> {
        self.term.low.map(|(bits, _)| bits).filter(|&bits| bits > 0)
    }

    /// The integer of this width that a polynomial describes.
    fn described(width: u8, bits: u64, polynomial: Element, low: Option<(u8, Element)>) -> Datum {
        if polynomial.constant_of(width) == Some(bits) {
            return Datum::known(bits);
        }
        let polynomial = polynomial.modulo(width);
        let mut term = Term::rooted(Root {
            hash: identity(&polynomial, width),
            group: 0,
            sum: 0,
            constant: 0,
        });
        term.is_regroupable = polynomial.atom_of(width).is_none();
        term.polynomial = Some(polynomial);
        term.low = low;
        Datum { bits, term }
    }

    /// The sum, difference or product that `combine` computes of polynomials.
    fn combined(
        (op, combine): (IntOp, fn(&Element, &Element) -> Element),
        (width, bits): (u8, u64),
        [a, b]: [Datum; 2],
    ) -> Datum {
        let agreeing = [a, b].into_iter().filter_map(Datum::agreeing).min();
        let low = agreeing.map(|low| (low, combine(&a.lowest(low), &b.lowest(low))));
        let polynomial = combine(&a.polynomial(), &b.polynomial());
        let mut result = Datum::described(width, bits, polynomial, low);
        result.term.shadows = Datum::shadows_of(op, width, [a, b]);
        result
    }

    /// The result `bits` of an integer operation of this width.
    pub fn integer(op: IntOp, width: u8, bits: u64, a: Datum, b: Datum) -> Datum {
        if a.is_known() && b.is_known() {
            return Datum::known(bits);
        }
        let power = (b.is_known() && b.bits.is_power_of_two()).then(|| b.bits.trailing_zeros());
        // What stands for a divisor that is no negative number.
        let power = power.filter(|&power| power + 1 < u32::from(width));
        match op {
            // Bits add up without a carry.
            IntOp::Add | IntOp::Sub if width == 1 => Datum::regrouped(IntOp::Xor, 1, bits, a, b),
            IntOp::Mul if width == 1 => Datum::regrouped(IntOp::And, 1, bits, a, b),
            IntOp::Add => Datum::combined((op, Element::plus), (width, bits), [a, b]),
            IntOp::Sub => Datum::combined((op, Element::minus), (width, bits), [a, b]),
            IntOp::Mul => Datum::combined((op, Element::times), (width, bits), [a, b]),
            IntOp::Shl if b.is_known() && b.bits < u64::from(width) => {
                let factor = Datum::known(1 << b.bits);
                Datum::integer(IntOp::Mul, width, bits, a, factor)
            }
            IntOp::RemS | IntOp::RemU | IntOp::Mod if b.is_known() && b.bits == 1 => {
                Datum::known(0)
            }
            // A divisor of -1.
            IntOp::RemS if b.is_known() && b.bits == mask(u64::MAX, width) => Datum::known(0),
            IntOp::DivS if b.is_known() && b.bits == mask(u64::MAX, width) => {
                Datum::integer(IntOp::Sub, width, bits, Datum::known(0), a)
            }
            IntOp::RemU | IntOp::Mod if power.is_some() => {
                let rest = Datum::known(b.bits - 1);
                Datum::regrouped(IntOp::And, width, bits, a, rest)
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
            IntOp::DivU | IntOp::FloorDivS | IntOp::FloorDiv if power.is_some() => {
                let by = Datum::known(b.bits.trailing_zeros().into());
                let shift = if op == IntOp::DivU {
                    IntOp::ShrU
                } else {
                    IntOp::ShrS
                };
                Datum::integer(shift, width, bits, a, by)
            }
            IntOp::ShrS | IntOp::ShrU if b.is_known() && b.bits == 0 => a,
            // 0 divided or shifted is 0.
            _ if a.is_known() && a.bits == 0 && neutral(op, width).is_none() => Datum::known(bits),
            _ if neutral(op, width).is_some() => Datum::regrouped(op, width, bits, a, b),
            _ => Datum::computed((format!("{op:?}"), width), bits, &[a, b]),
        }
    }

    /// The result of an associative and commutative operation that is no ring's.
    fn regrouped(op: IntOp, width: u8, bits: u64, a: Datum, b: Datum) -> Datum {
        let Some(neutral) = neutral(op, width) else {
            return Datum::computed((format!("{op:?}"), width), bits, &[a, b]);
        };
        let (a, b) = if a.is_known() { (b, a) } else { (a, b) };
        let group = group(op, width);
        let combine = |constant, bits| op.eval(constant, bits, width).unwrap_or(constant);
        // Constants may meet in any order, so that of `x & 1 & 2` nothing is left, either.
        let constant_of = |part: Datum| match part.is_known() {
            true => part.bits,
            false if part.term.root.group == group => part.term.root.constant,
            false => neutral,
        };
        let constant = combine(constant_of(a), constant_of(b));
        if absorbing(op, width) == Some(constant) {
            return Datum::known(bits);
        }
        if b.is_known() && b.bits == neutral {
            return a;
        }
        if a.hash() == b.hash() {
            return match op {
                IntOp::Xor => Datum::known(0),
                _ => a,
            };
        }
        if let Some(extremum) = Datum::extremum_of_sums(op, width, bits, [a, b]) {
            return extremum;
        }
        let has_parts = a.term.root.group == group && a.term.part.is_none();
        if op == IntOp::And && b.is_known() && !has_parts {
            return Datum::masked(width, bits, a, constant);
        }
        let mut result = Datum::grouped((group, neutral), &combine, bits, [a, b]);
        result.term.shadows = Datum::shadows_of(op, width, [a, b]);
        if let (IntOp::Or | IntOp::Xor, Some((low, _)), Some(_)) =
            (op, &mut result.term.low, result.term.part)
        {
            // The bits below those of the constant are those of the part.
            *low = u8::try_from(constant.trailing_zeros())
                .unwrap_or(0)
                .min(width);
        }
        if matches!(op, IntOp::And | IntOp::Or | IntOp::Xor) {
            result.keep_narrow(op, a, b);
        }
        result
    }

    /// Notes what a bitwise combination is of the integers that its operands were extended from.
    fn keep_narrow(&mut self, op: IntOp, a: Datum, b: Datum) {
        let agreeing = [a, b].into_iter().filter_map(Datum::agreeing).min();
        let Some(width) = agreeing.filter(|&width| width < 64) else {
            return;
        };
        let [x, y] = [a, b].map(|operand| {
            let bits = mask(operand.bits, width);
            match operand.is_known() {
                true => Datum::known(bits),
                false => Datum::truncated(bits, width, operand),
            }
        });
        let narrow = Datum::integer(op, width, mask(self.bits, width), x, y);
        if narrow.is_known() {
            return;
        }
        self.term.narrow = Some((width, narrow.term.root));
        if self.term.part.is_none() {
            self.term.low = Some((width, narrow.polynomial()));
        }
    }

    /// The bits of an integer that a mask selects; `selected` has those of a mask in it, too.
    fn masked(width: u8, bits: u64, a: Datum, selected: u64) -> Datum {
        let group = group(IntOp::And, width);
        let inner = a.term.part.filter(|_| a.term.root.group == group);
        if inner.is_some() && selected == a.term.root.constant {
            return a;
        }
        // The bits that matter.
        let reach = (u64::BITS - selected.leading_zeros()) as u8;
        let polynomial = match (inner, a.term.low) {
            (Some(_), Some((_, polynomial))) => polynomial,
            _ => a.lowest(reach),
        };
        if polynomial.constant_of(reach).map(|all| all & selected) == Some(bits) {
            return Datum::known(bits);
        }
        let origin = match a.term.narrow {
            Some((from, root)) if from == reach && inner.is_none() => root.hash,
            _ => identity(&polynomial, reach),
        };
        let whole = inner.unwrap_or(a.term.root);
        Datum::selected(width, bits, (origin, selected), (whole, polynomial))
    }

    /// The selected bits of an integer: of the bits that matter, with hash `origin`.
    fn selected(
        width: u8,
        bits: u64,
        (origin, selected): (u64, u64),
        (whole, polynomial): (Root, Element),
    ) -> Datum {
        let mut term = Term::rooted(Root {
            hash: selection(selected, origin),
            group: group(IntOp::And, width),
            sum: hashed(whole.hash),
            constant: selected,
        });
        term.part = Some(whole);
        term.low = Some((selected.trailing_ones() as u8, polynomial));
        Datum { bits, term }
    }

    /// The result of an integer extension or truncation.
    pub(super) fn resized(cast: Cast, bits: u64, (from, to): (u8, u8), a: Datum) -> Datum {
        if a.is_known() {
            return Datum::known(bits);
        }
        match to < from {
            true => Datum::truncated(bits, to, a),
            false => Datum::extended(cast, bits, (from, to), a),
        }
    }

    fn truncated(bits: u64, to: u8, a: Datum) -> Datum {
        let Some((_, root)) = a.term.narrow.filter(|&(width, _)| width == to) else {
            let low = a.term.low.filter(|&(bits, _)| bits > 0 && bits < to);
            return Datum::described(to, bits, a.lowest(to), low);
        };
        let mut term = Term::rooted(root);
        let polynomial = a.term.low.map(|(_, polynomial)| polynomial);
        let described = polynomial.filter(|polynomial| identity(polynomial, to) == root.hash);
        term.polynomial = described;
        if described.is_none() {
            term.low = a.term.low;
            term.part = a.term.part.filter(|part| part.hash != root.hash);
        }
        Datum { bits, term }
    }

    /// Whether the integer is that of its `width` lowest bits which a mask leaves.
    fn is_rest(self, width: u8) -> bool {
        let origin = identity(&self.lowest(width), width);
        self.hash() == selection(mask(u64::MAX, width), origin)
    }

    fn extended(cast: Cast, bits: u64, (from, to): (u8, u8), a: Datum) -> Datum {
        let all = mask(u64::MAX, from);
        let is_masked = a.term.root.group == group(IntOp::And, from) && a.term.part.is_some();
        // What a truncation has left of a mask is the mask, and no extension changes it.
        if a.term.root.group == 0 && a.agreeing().is_some_and(|low| low < from && a.is_rest(low)) {
            return Datum { bits, term: a.term };
        }
        let is_small = is_masked && a.term.root.constant <= all >> 1;
        if matches!(cast, Cast::IntSign) && !is_small {
            let origin = a
                .term
                .narrow
                .filter(|&(from, root)| a.hash() == sign_extended(from, root.hash));
            // An extension of an extension is one.
            if origin.is_some() {
                return Datum { bits, term: a.term };
            }
            let mut term = Term::of(0);
            term.root.hash = sign_extended(from, a.hash());
            term.low = Some((from, a.polynomial()));
            term.narrow = Some((from, a.term.root));
            return Datum { bits, term };
        }
        // An extension by zeros is a mask, and one of a mask is the same mask.
        let mut result = match (is_masked, a.term.part, a.term.low) {
            (true, Some(whole), Some((_, polynomial))) => {
                let selected = a.term.root.constant;
                let mut result = Datum::selected(to, bits, (0, selected), (whole, polynomial));
                result.term.root.hash = a.hash();
                result
            }
            _ => Datum::selected(to, bits, (a.hash(), all), (a.term.root, a.polynomial())),
        };
        result.term.is_regroupable = false;
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
        IntOp::And | IntOp::MinU => 0,
        IntOp::Or | IntOp::MaxU => all,
        IntOp::MinS => all ^ (all >> 1),
        IntOp::MaxS => all >> 1,
        _ => return None,
    })
}

/// The neutral element of an operation that is regrouped by its parts.
fn neutral(op: IntOp, width: u8) -> Option<u64> {
    let all = mask(u64::MAX, width);
    Some(match op {
        IntOp::Or | IntOp::Xor | IntOp::MaxU => 0,
        IntOp::And | IntOp::MinU => all,
        IntOp::MinS => all >> 1,
        IntOp::MaxS => all ^ (all >> 1),
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
