//! Parametric lexicographic minimum and maximum, as piecewise functions of the symbols.

use crate::affine::Affine;
use crate::division::Division;
use crate::polyhedron::IntegerPolyhedron;
use crate::set::Set;
use crate::solver::Meter;
use crate::space::VarKind;

/// Piece of a parametric lexicographic minimum: a domain of symbols and the formula that holds
/// there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LexPiece {
    /// The symbols that the piece covers: over a space without dims, with locals for quotients.
    pub domain: IntegerPolyhedron,
    /// The value of each dim, over the columns of `domain`.
    pub values: Vec<Affine>,
}

/// Limit of pieces, beyond which the question is given up.
const MAX_PIECES: usize = 256;

/// Budget of the search for minima above all bounds, in steps.
const BUDGET: u64 = 300_000;

/// Limit of the values above a lower bound that are tried where the bound itself is not attained.
/// The least value is below the common multiple of the divisors that leave the gaps.
const MAX_GAP: i64 = 64;

impl IntegerPolyhedron {
    /// The lexicographically smallest values of the dims for each value of the
    /// symbols: pieces that together cover the symbols for which there are points.
    /// Pieces may overlap; they then agree.
    ///
    /// A dim's minimum is tried at each lower bound that eliminating the later dims
    /// gives: `d = ceil(e_i / a_i)`. A point found there is minimal, whether or not the
    /// elimination was exact, since a lower bound holds everywhere (the branches of
    /// P. Feautrier, "Parametric integer programming", 1988, without its cuts). For symbols
    /// whose minimum lies strictly above all these bounds, the values above the greatest
    /// bound are tried one after the other; they are few, since the gaps come from divisors.
    ///
    /// `None` if a dim is not bounded below, if the pieces or the values to try
    /// are too many, or if numbers or work are too large.
    ///
    /// ```
    /// use gridloom_presburger::{IntegerPolyhedron, Space};
    ///
    /// // d0 >= 0, 2*d0 >= s0.
    /// let mut set = IntegerPolyhedron::universe(Space::new(1, 1));
    /// set.add_inequality_row(&[1, 0, 0])?;
    /// set.add_inequality_row(&[2, -1, 0])?;
    /// let pieces = set.lexmin_pieces().expect("bounded below");
    /// let shown: Vec<String> = pieces
    ///     .iter()
    ///     .map(|piece| piece.values[0].display_in(piece.domain.space()).to_string())
    ///     .collect();
    /// assert_eq!(shown, ["e0", "0"]); // e0 = ceil(s0 / 2)
    /// # Ok::<(), gridloom_presburger::Error>(())
    /// ```
    pub fn lexmin_pieces(&self) -> Option<Vec<LexPiece>> {
        let dims = self.space().dims();
        let mut pieces = Vec::new();
        let mut open = vec![(self.clone(), Vec::new())];
        while let Some((slice, values)) = open.pop() {
            if slice.is_empty() {
                continue;
            }
            if values.len() < dims {
                self.split(&slice, &values, &mut open)?;
            } else {
                pieces.push(finish(&slice, dims, &values));
            }
            if pieces.len() + open.len() > MAX_PIECES {
                return None;
            }
        }
        let mut covered = Set::empty(self.space());
        covered = covered.project_out_dims(0..dims);
        for piece in &pieces {
            covered.add(piece.domain.clone());
        }
        let wanted = Set::from(self.project_out_dims(0..dims));
        let gaps = wanted.subtract(&covered)?;
        let mut meter = Meter::new(BUDGET);
        self.fill(self, &[], gaps, &mut pieces, &mut meter)?;
        Some(pieces)
    }

    /// The lexicographically largest values of the dims for each value of the symbols; see
    /// [`lexmin_pieces`](Self::lexmin_pieces).
    pub fn lexmax_pieces(&self) -> Option<Vec<LexPiece>> {
        let dims = self.space().dims();
        let turned = |row: &[i64]| {
            let (own, rest) = row.split_at(dims);
            own.iter().map(|x| -x).chain(rest.iter().copied()).collect()
        };
        let equalities = self.equalities().map(turned).collect();
        let inequalities = self.inequalities().map(turned).collect();
        let mut pieces = Self::from_rows(self.space(), equalities, inequalities).lexmin_pieces()?;
        for value in pieces.iter_mut().flat_map(|piece| &mut piece.values) {
            *value = value.scaled(-1).ok()?;
        }
        Some(pieces)
    }

    /// Appends pieces for all symbols of `gaps`, for each of which `slice` has a point. `None` if
    /// that takes too many.
    fn fill(
        &self,
        slice: &Self,
        values: &[Affine],
        gaps: Set,
        pieces: &mut Vec<LexPiece>,
        meter: &mut Meter,
    ) -> Option<()> {
        let dims = self.space().dims();
        if gaps.is_empty() {
            return Some(());
        }
        if values.len() == dims {
            let piece = finish(slice, dims, values);
            for gap in gaps.disjuncts() {
                let domain = piece.domain.intersect(gap);
                let values = piece.values.clone();
                pieces.push(LexPiece { domain, values });
            }
            return (pieces.len() <= MAX_PIECES).then_some(());
        }
        let dim = values.len();
        let mut bounded = slice.clone();
        let bounds = self.lower_bounds(slice, dim)?.into_iter();
        let bounds = bounds.map(|bound| bounded.ceildiv(&bound.numerator, bound.divisor));
        let bounds: Vec<Affine> = bounds.collect::<Result<_, _>>().ok()?;
        for (index, greatest) in bounds.iter().enumerate() {
            // In the part where this bound is the greatest, the first value from it on that has a point
            // is the least of all. Among equal bounds the first counts.
            let mut here = bounded.clone();
            for (other, less) in bounds.iter().enumerate().filter(|&(o, _)| o != index) {
                let strictly = i64::from(other < index);
                here.add_le(&less.offset(strictly).ok()?, greatest).ok()?;
            }
            let mut open = gaps.intersect(&here.project_out_dims(0..dims).into());
            for above in 0..=MAX_GAP {
                if open.is_empty() {
                    break;
                }
                let value = greatest.offset(above).ok()?;
                let mut at_value = here.clone();
                at_value.substitute(dim, &value).ok()?;
                let reached = Set::from(at_value.project_out_dims(0..dims));
                let rest = open.subtract_metered(&reached, meter)?;
                let values = [values, &[value]].concat();
                self.fill(&at_value, &values, open.intersect(&reached), pieces, meter)?;
                open = rest;
            }
            if !open.is_empty() {
                return None;
            }
        }
        Some(())
    }

    /// Pushes on `open`, for each lower bound of the next dim of a slice, the slice in which the
    /// dim is at that bound. `None` if there is no bound.
    fn split(
        &self,
        slice: &Self,
        values: &[Affine],
        open: &mut Vec<(Self, Vec<Affine>)>,
    ) -> Option<()> {
        let dim = values.len();
        for bound in self.lower_bounds(slice, dim)? {
            let mut next = slice.clone();
            let value = next.ceildiv(&bound.numerator, bound.divisor).ok()?;
            next.substitute(dim, &value).ok()?;
            let mut values = values.to_vec();
            values.push(value);
            open.push((next, values));
        }
        Some(())
    }

    /// The lower bounds of a dim of a slice, in the symbols and the quotients of symbols that were
    /// added to the slice; `None` if there is none.
    fn lower_bounds(&self, slice: &Self, dim: usize) -> Option<Vec<Division>> {
        let own_locals = self.space().range(VarKind::Local);
        let to_eliminate: Vec<usize> = (dim + 1..self.space().dims()).chain(own_locals).collect();
        let kept: Vec<usize> = (0..slice.space().vars())
            .filter(|column| !to_eliminate.contains(column))
            .collect();
        let mut lowers = slice.eliminate(&to_eliminate).set.var_bounds(dim).lowers;
        for bound in &mut lowers {
            let mut entries = vec![0; slice.space().vars()];
            for (column, &entry) in bound.numerator.coefficients().iter().enumerate() {
                entries[kept[column]] = entry;
            }
            bound.numerator = Affine::from_parts(entries, bound.numerator.constant_term());
        }
        (!lowers.is_empty()).then_some(lowers)
    }
}

/// Makes the piece of a slice whose dims have all been substituted: drops the dims.
fn finish(slice: &IntegerPolyhedron, dims: usize, values: &[Affine]) -> LexPiece {
    let keep: Vec<usize> = (dims..slice.space().vars()).collect();
    let space = crate::Space::new(0, slice.space().symbols()).with_locals(slice.space().locals());
    let shifted = |value: &Affine| {
        let entries = value.coefficients().iter().skip(dims).copied().collect();
        Affine::from_parts(entries, value.constant_term())
    };
    LexPiece {
        domain: slice.restricted_to(space, &keep),
        values: values.iter().map(shifted).collect(),
    }
}
