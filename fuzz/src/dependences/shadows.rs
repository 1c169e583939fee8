//! Terms of extrema of sums: what they would be at random points.
//!
//! Sums distribute over signed extrema where nothing wraps around, `max(x, y) + z = max(x + z, y + z)`, and by that chunks of
//! clamped sums are put together. No ring holds this law, but the integers without an end do. So each integer has shadows:
//! what it is if the atoms that it comes of are certain random numbers, and constants have their order. Extrema of sums are one
//! term where their shadows are equal. That nothing wraps around is for the bits to show.

use gridloom::ir::scalar::{IntOp, sext};

use super::term::{Datum, Root, Term, hashed};
use crate::random::Random;

/// An integer at each of the points.
pub(super) type Shadows = [i128; 2 * MAGNITUDES.len()];

/// The bits of atoms at the points: so large that constants only tell which of them cuts off, and about as large as constants.
const MAGNITUDES: [u32; 8] = [62, 24, 14, 10, 8, 6, 5, 3];

/// Group of the extrema that are known by their shadows.
pub(super) const SHADOWED: u64 = u64::MAX;

/// The shadows of an atom. In every second one it has the other sign, so that of two operands of an extremum each is the
/// result at one point.
fn atom(hash: u64) -> Shadows {
    let mut random = Random::new(hash);
    let numbers = MAGNITUDES.map(|bits| i128::from(random.bits() as i64 >> (u64::BITS - bits)));
    std::array::from_fn(|k| match k % 2 {
        0 => numbers[k / 2],
        _ => -numbers[k / 2],
    })
}

impl Datum {
    fn shadows(self, width: u8) -> Shadows {
        match self.term.shadows {
            _ if self.is_known() => [sext(self.bits, width).into(); _],
            Some(shadows) => shadows,
            None => atom(self.hash()),
        }
    }

    /// The shadows of a result; none where it is an atom.
    pub(super) fn shadows_of(op: IntOp, width: u8, [a, b]: [Datum; 2]) -> Option<Shadows> {
        let [x, y] = [a, b].map(|operand| operand.shadows(width));
        let combine: fn(i128, i128) -> i128 = match op {
            IntOp::Add => i128::wrapping_add,
            IntOp::Sub => i128::wrapping_sub,
            IntOp::Mul if a.is_known() || b.is_known() => i128::wrapping_mul,
            IntOp::MinS => i128::min,
            IntOp::MaxS => i128::max,
            _ => return None,
        };
        Some(std::array::from_fn(|k| combine(x[k], y[k])))
    }

    /// The signed extremum of two integers, one of which is a sum or an extremum of sums; none for others.
    pub(super) fn extremum_of_sums(
        op: IntOp,
        width: u8,
        bits: u64,
        operands: [Datum; 2],
    ) -> Option<Datum> {
        let is_of_sums = |datum: &Datum| {
            let polynomial = datum.term.polynomial.filter(|_| !datum.is_known());
            let is_sum = polynomial.is_some_and(|sum| sum.atom_of(width).is_none());
            is_sum || datum.term.root.group == SHADOWED
        };
        if !matches!(op, IntOp::MinS | IntOp::MaxS) || !operands.iter().any(is_of_sums) {
            return None;
        }
        let shadows = Datum::shadows_of(op, width, operands)?;
        let mut term = Term::rooted(Root {
            hash: hashed(("shadows", width, shadows)),
            group: SHADOWED,
            sum: 0,
            constant: 0,
        });
        term.shadows = Some(shadows);
        Some(Datum { bits, term })
    }
}
