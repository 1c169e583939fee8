//! Quotients and remainders by constants, as locals.
//!
//! `q = e floordiv d` for `d > 0` is the one integer with `0 <= e - d·q <= d - 1`.
//! A local bounded so is a function of the other variables, which is what lets sets
//! that use it be complemented ([`division_of`](IntegerPolyhedron::division_of)).

use crate::affine::Affine;
use crate::error::Error;
use crate::polyhedron::IntegerPolyhedron;
use crate::row::{self, Row};

/// A variable that can only be `floor(numerator / divisor)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Division {
    /// The form to divide.
    pub numerator: Affine,
    /// The divisor, positive.
    pub divisor: i64,
}

impl IntegerPolyhedron {
    /// Adds a local for `numerator floordiv divisor` and returns it.
    /// Without need for a local, if the division is by 1 or of a constant, none is added.
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
        let quotient = Affine::term(self.space().vars(), divisor);
        let remainder = numerator.minus(&quotient)?;
        let room = Affine::constant(divisor - 1).minus(&remainder)?;
        let quotient = self.append_local();
        self.add_inequality(&remainder)?;
        self.add_inequality(&room)?;
        Ok(Affine::var(quotient))
    }

    /// Adds what `numerator ceildiv divisor` needs and returns it.
    ///
    /// # Errors
    /// As [`floordiv`](Self::floordiv).
    pub fn ceildiv(&mut self, numerator: &Affine, divisor: i64) -> Result<Affine, Error> {
        if divisor <= 0 {
            return Err(Error::DivisorNotPositive(divisor));
        }
        self.floordiv(&numerator.offset(divisor - 1)?, divisor)
    }

    /// Adds what `numerator mod divisor` needs and returns it. The result is never negative.
    ///
    /// # Errors
    /// As [`floordiv`](Self::floordiv).
    pub fn modulo(&mut self, numerator: &Affine, divisor: i64) -> Result<Affine, Error> {
        let quotient = self.floordiv(numerator, divisor)?;
        numerator.minus(&quotient.scaled(divisor)?)
    }

    /// The division that the variable in a column must be, if the constraints say so:
    /// an upper bound `d·x <= e` and a lower bound `d·x >= e - w` with `w < d`, or an
    /// equality `d·x = e`, leave `floor(e/d)` as the only candidate.
    pub fn division_of(&self, column: usize) -> Option<Division> {
        for row in self.equalities() {
            match row[column].signum() {
                0 => continue,
                1 => return Some(Division::solved(&row::negated(row), column)),
                _ => return Some(Division::solved(row, column)),
            }
        }
        let rows: Vec<&[i64]> = self.inequalities().collect();
        let uppers = rows.iter().filter(|row| row[column] < 0);
        uppers
            .flat_map(|upper| rows.iter().map(move |lower| (upper, lower)))
            .find(|(upper, lower)| {
                let (left, right) = (row::coefficients(upper), row::coefficients(lower));
                let width = i128::from(row::constant(upper)) + i128::from(row::constant(lower));
                left.iter().zip(right).all(|(&x, &y)| x == -y)
                    && (0..i128::from(-upper[column])).contains(&width)
            })
            .map(|(upper, _)| Division::solved(upper, column))
    }
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
