//! Parametric lexicographic minimum: the minimum as a piecewise function of the symbols.

use crate::affine::Affine;
use crate::polyhedron::IntegerPolyhedron;
use crate::set::Set;
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

impl IntegerPolyhedron {
    /// The lexicographically smallest values of the dims for each value of the
    /// symbols: pieces that together cover the symbols for which there are points.
    /// Pieces may overlap; they then agree.
    ///
    /// A dim's minimum is tried at each lower bound that eliminating the later dims
    /// gives: `d = ceil(e_i / a_i)`. A point found there is minimal, whether or not the
    /// elimination was exact, since a lower bound holds everywhere (the branches of
    /// P. Feautrier, "Parametric integer programming", 1988, without its cuts). What
    /// may be missing is symbols whose minimum lies strictly above all these bounds;
    /// that the pieces cover everything is therefore checked at the end.
    ///
    /// `None` if a dim is not bounded below, if the pieces do not cover everything or
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
        wanted.is_subset(&covered).is_yes().then_some(pieces)
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
        // Quotients added on the way are functions of the symbols and stay.
        let own_locals = self.space().range(VarKind::Local);
        let doomed: Vec<usize> = (dim + 1..self.space().dims()).chain(own_locals).collect();
        let kept: Vec<usize> = (0..slice.space().vars())
            .filter(|column| !doomed.contains(column))
            .collect();
        let bounds = slice.eliminate(&doomed).set.var_bounds(dim);
        if bounds.lowers.is_empty() {
            return None;
        }
        for bound in bounds.lowers {
            let mut entries = vec![0; slice.space().vars()];
            for (column, &entry) in bound.numerator.coefficients().iter().enumerate() {
                entries[kept[column]] = entry;
            }
            let numerator = Affine::from_parts(entries, bound.numerator.constant_term());
            let mut next = slice.clone();
            let value = next.ceildiv(&numerator, bound.divisor).ok()?;
            next.substitute(dim, &value).ok()?;
            let mut values = values.to_vec();
            values.push(value);
            open.push((next, values));
        }
        Some(())
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
