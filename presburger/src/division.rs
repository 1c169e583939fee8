//! Integer division: quotients and remainders by constants, as locals.
//!
//! `q = e floordiv d` for `d > 0` is the one integer with `0 <= e - d·q <= d - 1`.
//! A local bounded so is a function of the other variables, which is what lets sets
//! that use it be complemented ([`division_of`](IntegerPolyhedron::division_of)).

use crate::affine::Affine;
use crate::error::Error;
use crate::polyhedron::IntegerPolyhedron;
use crate::row::{self, Row};
use crate::space::VarKind;

/// Integer division `floor(numerator / divisor)`: the only value that some variable can have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Division {
    /// The dividend.
    pub numerator: Affine,
    /// The divisor, positive.
    pub divisor: i64,
}

impl IntegerPolyhedron {
    /// Adds a local for `numerator floordiv divisor` and returns it. A division by 1 or of a
    /// constant needs no local and adds none.
    ///
    /// # Errors
    /// [`Error::DivisorNotPositive`], [`Error::Overflow`].
    pub fn floordiv(&mut self, numerator: &Affine, divisor: i64) -> Result<Affine, Error> {
        if divisor <= 0 {
            return Err(Error::DivisorNotPositive(divisor));
        }
        if divisor == 1 {
            return Ok(numerator.clone());
        }
        if let Some(value) = numerator.as_constant() {
            return Ok(Affine::constant(value.div_euclid(divisor)));
        }
        let division = Division {
            numerator: numerator.clone(),
            divisor,
        };
        // Built aside, so that an overflow leaves the polyhedron as it was.
        let mut extended = self.clone();
        let quotient = extended.append_local();
        extended.define(quotient, &division)?;
        *self = extended;
        Ok(Affine::var(quotient))
    }

    /// Adds the local that `numerator ceildiv divisor` needs and returns the quotient.
    ///
    /// # Errors
    /// As [`floordiv`](Self::floordiv).
    pub fn ceildiv(&mut self, numerator: &Affine, divisor: i64) -> Result<Affine, Error> {
        if divisor <= 0 {
            return Err(Error::DivisorNotPositive(divisor));
        }
        self.floordiv(&numerator.offset(divisor - 1)?, divisor)
    }

    /// Adds the local that `numerator mod divisor` needs and returns the remainder, which is never
    /// negative.
    ///
    /// # Errors
    /// As [`floordiv`](Self::floordiv).
    pub fn modulo(&mut self, numerator: &Affine, divisor: i64) -> Result<Affine, Error> {
        let quotient = self.floordiv(numerator, divisor)?;
        numerator.minus(&quotient.scaled(divisor)?)
    }

    /// Recognises the division that the variable in a column must be: an upper bound `d·x <= e` and
    /// a lower bound `d·x >= e - w` with `w < d`, or an equality `d·x = e`, leave `floor(e/d)` as
    /// the only candidate.
    pub fn division_of(&self, column: usize) -> Option<Division> {
        self.divisions_of(column).next()
    }

    /// Recognises all divisions that the variable must be; there can be several, in terms of
    /// different other variables.
    pub(crate) fn divisions_of(&self, column: usize) -> impl Iterator<Item = Division> {
        let from_equalities = self
            .equalities()
            .filter_map(move |row| match row[column].signum() {
                0 => None,
                1 => Some(Division::solved(&row::negated(row), column)),
                _ => Some(Division::solved(row, column)),
            });
        let uppers = self.inequalities().filter(move |row| row[column] < 0);
        let from_pairs = uppers
            .filter(move |upper| self.inequalities().any(|lower| pins(upper, lower, column)))
            .map(move |upper| Division::solved(upper, column));
        from_equalities.chain(from_pairs)
    }

    /// Marks the inequalities that are half of a pair which makes some local a division. Such a row
    /// may follow from others and yet be needed: the local can be read off the pair, and off the
    /// others perhaps not.
    pub(crate) fn defining_inequalities(&self) -> Vec<bool> {
        let locals = self.space().range(VarKind::Local);
        let rows: Vec<&[i64]> = self.inequalities().collect();
        let mut defining = vec![false; rows.len()];
        for (index, row) in rows.iter().enumerate() {
            for (other_index, other) in rows.iter().enumerate().take(index) {
                if locals.clone().any(|local| pins(row, other, local)) {
                    defining[index] = true;
                    defining[other_index] = true;
                }
            }
        }
        defining
    }

    /// Adds the inequalities that make the variable in a column a division, which
    /// must not be in terms of that variable.
    pub(crate) fn define(&mut self, column: usize, division: &Division) -> Result<(), Error> {
        let whole = Affine::term(column, division.divisor);
        let remainder = division.numerator.minus(&whole)?;
        self.add_inequality(&remainder)?;
        self.add_le(&remainder, &Affine::constant(division.divisor - 1))
    }
}

/// Whether two inequalities are opposite and leave room for one value of a variable.
fn pins(row: &[i64], other: &[i64], column: usize) -> bool {
    let room = i128::from(row[column]).abs();
    let width = i128::from(row::constant(row)) + i128::from(row::constant(other));
    let mut pairs = row::coefficients(row).iter().zip(row::coefficients(other));
    (0..room).contains(&width) && pairs.all(|(&x, &y)| x == -y)
}

impl Division {
    /// Reads the row `e - d·x >= 0` (or `= 0`) as the division `e / d`.
    fn solved(row: &[i64], column: usize) -> Self {
        let mut numerator: Row = row.to_vec();
        let divisor = -numerator[column];
        numerator[column] = 0;
        Self {
            numerator: Affine::from_row(&numerator),
            divisor,
        }
    }
}
