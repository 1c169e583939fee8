//! Rational simplex: an incremental tableau that takes one constraint at a time.
//!
//! The tableau follows section 8 of D. Detlefs, G. Nelson, J. Saxe, "Simplify: a
//! theorem prover for program checking" (JACM 2005). Its unknowns are the `n`
//! variables, free to take any sign, and one unknown a constraint, restricted to be
//! non-negative. `n` of them are *columns*, the others *rows*, each row an affine
//! form of the columns with a common denominator:
//!
//! ```text
//!   denominator | constant | coefficient of column 0 | column 1 | ..
//! ```
//!
//! The sample point gives every column the value zero and so every row its constant
//! over its denominator. Between calls, every restricted row's constant is
//! non-negative, so that the sample satisfies all constraints added so far.

use super::{Meter, Stop};
use crate::row::{self, Overflow};

/// Place of an unknown in the tableau.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Row(usize),
    Column(usize),
}

/// Direction in which an unknown is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Up,
    Down,
}

impl Direction {
    /// Returns the direction in which a form moves when a term with this coefficient moves so.
    fn through(self, coefficient: i64) -> Self {
        match (self, coefficient < 0) {
            (Self::Up, true) => Self::Down,
            (Self::Down, true) => Self::Up,
            (same, false) => same,
        }
    }
}

/// Optimum of a form over the rational points of a tableau.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Optimum {
    /// The form is unbounded.
    Unbounded,
    /// `numerator / denominator`, the latter positive.
    Value(i64, i64),
}

/// Simplex tableau; see the module page.
#[derive(Clone, Debug)]
pub(crate) struct Simplex {
    vars: usize,
    /// The unknown of each column and of each row; unknowns below `vars` are variables.
    columns: Vec<usize>,
    rows: Vec<usize>,
    places: Vec<Place>,
    /// Row after row of `2 + vars` cells.
    cells: Vec<i64>,
}

/// The number of cells before a row's coefficients.
const HEAD: usize = 2;

impl Simplex {
    /// The tableau of so many variables without constraints.
    pub(crate) fn new(vars: usize) -> Self {
        Self {
            vars,
            columns: (0..vars).collect(),
            rows: Vec::new(),
            places: (0..vars).map(Place::Column).collect(),
            cells: Vec::new(),
        }
    }

    /// The number of rows: what cloning or pivoting costs.
    pub(crate) fn size(&self) -> usize {
        self.rows.len()
    }

    fn stride(&self) -> usize {
        HEAD + self.vars
    }

    fn cell(&self, row: usize, column: usize) -> i64 {
        self.cells[row * self.stride() + HEAD + column]
    }

    fn constant(&self, row: usize) -> i64 {
        self.cells[row * self.stride() + 1]
    }

    fn denominator(&self, row: usize) -> i64 {
        self.cells[row * self.stride()]
    }

    fn is_restricted(&self, unknown: usize) -> bool {
        unknown >= self.vars
    }

    /// Adds `row = 0`. Returns false if no rational point is left; the tableau is
    /// then of no further use.
    pub(crate) fn add_equality(&mut self, row: &[i64], meter: &mut Meter) -> Result<bool, Stop> {
        Ok(self.add_inequality(row, meter)? && self.add_inequality(&row::negated(row), meter)?)
    }

    /// Adds `row >= 0`. Returns false if no rational point is left; the tableau is
    /// then of no further use.
    pub(crate) fn add_inequality(&mut self, row: &[i64], meter: &mut Meter) -> Result<bool, Stop> {
        let index = self.push_row(row)?;
        let unknown = self.rows[index];
        // Each variable that is a row itself is replaced by that row.
        meter.spend(row.iter().filter(|&&entry| entry != 0).count().max(1))?;
        while let Place::Row(index) = self.places[unknown] {
            if self.constant(index) >= 0 {
                return Ok(true);
            }
            let Some((pivot_row, column)) = self.find_pivot(index, Direction::Up) else {
                return Ok(false);
            };
            self.pivot(pivot_row, column, meter)?;
        }
        Ok(true)
    }

    /// Minimises a form.
    pub(crate) fn minimum(&mut self, form: &[i64], meter: &mut Meter) -> Result<Optimum, Stop> {
        Ok(match self.maximum(&row::negated(form), meter)? {
            Optimum::Value(numerator, denominator) => Optimum::Value(-numerator, denominator),
            Optimum::Unbounded => Optimum::Unbounded,
        })
    }

    /// Maximises a form. Moves the sample, not the points described.
    pub(crate) fn maximum(&mut self, form: &[i64], meter: &mut Meter) -> Result<Optimum, Stop> {
        let index = self.push_row(form)?;
        meter.spend(1)?;
        let result = loop {
            let Some((pivot_row, column)) = self.find_pivot(index, Direction::Up) else {
                break Optimum::Value(self.constant(index), self.denominator(index));
            };
            if pivot_row == index {
                break Optimum::Unbounded;
            }
            self.pivot(pivot_row, column, meter)?;
        };
        // The objective never left its row, the last one, so that removing it restores the tableau.
        self.rows.pop();
        self.places.pop();
        self.cells.truncate(self.rows.len() * self.stride());
        Ok(result)
    }

    /// Finds a variable whose value at the sample is not an integer, and that value rounded down;
    /// `None` if the sample is an integer point.
    pub(crate) fn fractional(&self) -> Option<(usize, i64)> {
        (0..self.vars).find_map(|var| match self.places[var] {
            Place::Row(row) if self.constant(row) % self.denominator(row) != 0 => {
                Some((var, self.constant(row).div_euclid(self.denominator(row))))
            }
            _ => None,
        })
    }

    /// The sample, known to be an integer point.
    pub(crate) fn integer_point(&self) -> Result<Vec<i64>, Overflow> {
        (0..self.vars)
            .map(|var| match self.places[var] {
                Place::Column(_) => Ok(0),
                Place::Row(row) => {
                    debug_assert_eq!(self.constant(row) % self.denominator(row), 0);
                    Ok(self.constant(row) / self.denominator(row))
                }
            })
            .collect()
    }

    /// Appends a row for a form over the variables, written in terms of the columns.
    fn push_row(&mut self, form: &[i64]) -> Result<usize, Stop> {
        let mut denominator: i128 = 1;
        let mut wide = vec![0_i128; 1 + self.vars];
        wide[0] = row::constant(form).into();
        for (var, &factor) in row::coefficients(form).iter().enumerate() {
            if factor == 0 {
                continue;
            }
            match self.places[var] {
                Place::Column(column) => {
                    let term = denominator
                        .checked_mul(factor.into())
                        .and_then(|term| wide[1 + column].checked_add(term))
                        .ok_or(Overflow)?;
                    wide[1 + column] = term;
                }
                Place::Row(row) => {
                    let start = row * self.stride();
                    let cells = &self.cells[start..start + HEAD + self.vars];
                    let own = i128::from(cells[0]);
                    let common = row::wide_gcd(denominator.unsigned_abs(), own.unsigned_abs());
                    let common = i128::try_from(common).map_err(|_| Overflow)?;
                    let (left, right) = (own / common, denominator / common);
                    let right = right.checked_mul(factor.into()).ok_or(Overflow)?;
                    for (entry, &cell) in wide.iter_mut().zip(&cells[1..]) {
                        *entry = left
                            .checked_mul(*entry)
                            .zip(right.checked_mul(cell.into()))
                            .and_then(|(x, y)| x.checked_add(y))
                            .ok_or(Overflow)?;
                    }
                    denominator = denominator.checked_mul(left).ok_or(Overflow)?;
                }
            }
        }
        let index = self.rows.len();
        let mut cells = Vec::with_capacity(HEAD + self.vars);
        cells.push(denominator);
        cells.extend(wide);
        self.cells.resize((index + 1) * self.stride(), 0);
        self.store(index, &cells)?;
        self.rows.push(self.places.len());
        self.places.push(Place::Row(index));
        Ok(index)
    }

    /// Writes a row, reduced to lowest terms if it does not fit otherwise.
    fn store(&mut self, row: usize, wide: &[i128]) -> Result<(), Overflow> {
        let start = row * self.stride();
        let cells = &mut self.cells[start..start + wide.len()];
        // Small entries are left as they are: dividing them costs more than it saves.
        const SMALL: i128 = 1 << 31;
        let fits = wide.iter().all(|entry| (-SMALL..SMALL).contains(entry));
        let common = match fits {
            true => 1,
            false => {
                let all = wide
                    .iter()
                    .try_fold(0, |all, entry| {
                        match row::wide_gcd(entry.unsigned_abs(), all) {
                            1 => Err(1),
                            more => Ok(more),
                        }
                    })
                    .unwrap_or_else(|one| one);
                i128::try_from(all).map_err(|_| Overflow)?.max(1)
            }
        };
        for (cell, entry) in cells.iter_mut().zip(wide) {
            *cell = row::narrow(entry / common)?;
        }
        Ok(())
    }

    /// Selects the pivot: the row and column whose exchange moves `row` in a direction without
    /// making a restricted row negative; the pivot row is `row` itself if nothing limits the move.
    /// `None` if the row cannot move that way. Among several the unknown of the smallest number is
    /// taken (Bland's rule), which rules out cycles.
    fn find_pivot(&self, row: usize, direction: Direction) -> Option<(usize, usize)> {
        let (column, _) = self
            .columns
            .iter()
            .enumerate()
            .filter(|&(column, &unknown)| {
                let entry = self.cell(row, column);
                // A restricted column is at zero and can only grow.
                entry != 0
                    && (!self.is_restricted(unknown) || direction.through(entry) == Direction::Up)
            })
            .min_by_key(|&(_, unknown)| unknown)?;
        let direction = direction.through(self.cell(row, column));
        let pivot_row = self.blocking_row(row, column, direction).unwrap_or(row);
        Some((pivot_row, column))
    }

    /// Ratio test: finds the restricted row, other than `skip`, that first becomes zero when a
    /// column moves.
    fn blocking_row(&self, skip: usize, column: usize, direction: Direction) -> Option<usize> {
        let mut best: Option<usize> = None;
        for row in 0..self.rows.len() {
            let entry = self.cell(row, column);
            if row == skip
                || entry == 0
                || !self.is_restricted(self.rows[row])
                || direction.through(entry) == Direction::Up
            {
                continue;
            }
            let better = best.is_none_or(|other| {
                // constant/|entry| against the same of the other row, denominators cancelled.
                let own = i128::from(self.constant(row))
                    * i128::from(self.cell(other, column).unsigned_abs());
                let others = i128::from(self.constant(other)) * i128::from(entry.unsigned_abs());
                own.cmp(&others)
                    .then(self.rows[row].cmp(&self.rows[other]))
                    .is_lt()
            });
            if better {
                best = Some(row);
            }
        }
        best
    }

    /// Pivots: exchanges a row with a column.
    ///
    /// The row `d·y = c + a·x + Σ a_j·x_j` is solved for the column's unknown:
    /// `a·x = d·y - c - Σ a_j·x_j`, and that is put into every other row.
    fn pivot(&mut self, row: usize, column: usize, meter: &mut Meter) -> Result<(), Stop> {
        meter.spend(self.rows.len())?;
        let stride = self.stride();
        let at = HEAD + column;
        let start = row * stride;
        let pivot = self.cells[start + at];
        let denominator = self.cells[start];
        // With a negative pivot both sides change sign, to keep the denominator positive.
        let sign = pivot.signum();
        for cell in &mut self.cells[start..start + stride] {
            *cell *= -sign;
        }
        self.cells[start] = pivot * sign;
        self.cells[start + at] = denominator * sign;

        let solved = self.cells[start..start + stride].to_vec();
        let scale = i128::from(solved[0]);
        let mut wide = vec![0_i128; stride];
        for other in 0..self.rows.len() {
            let begin = other * stride;
            let factor = i128::from(self.cells[begin + at]);
            if other == row || factor == 0 {
                continue;
            }
            let cells = &self.cells[begin..begin + stride];
            for j in 0..stride {
                wide[j] = i128::from(cells[j]) * scale + factor * i128::from(solved[j]);
            }
            wide[0] = i128::from(cells[0]) * scale;
            wide[at] = factor * i128::from(solved[at]);
            self.store(other, &wide)?;
        }
        let (leaving, entering) = (self.rows[row], self.columns[column]);
        self.rows[row] = entering;
        self.columns[column] = leaving;
        self.places[entering] = Place::Row(row);
        self.places[leaving] = Place::Column(column);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tableau(rows: &[&[i64]]) -> Option<Simplex> {
        let mut meter = Meter::new(10_000);
        let mut simplex = Simplex::new(rows[0].len() - 1);
        for row in rows {
            if !simplex.add_inequality(row, &mut meter).expect("small") {
                return None;
            }
        }
        Some(simplex)
    }

    #[test]
    fn a_triangle_has_its_corners_as_optima() {
        // x >= 0, y >= 0, 2x + 3y <= 7.
        let mut simplex = tableau(&[&[1, 0, 0], &[0, 1, 0], &[-2, -3, 7]]).expect("not empty");
        let mut meter = Meter::new(10_000);
        let mut maximum = |form: &[i64]| match simplex.maximum(form, &mut meter) {
            Ok(Optimum::Value(n, d)) => n as f64 / f64::from(d as i32),
            other => panic!("{other:?}"),
        };
        assert_eq!(maximum(&[1, 0, 0]), 3.5);
        assert_eq!(maximum(&[0, 3, 0]), 7.0);
        assert_eq!(maximum(&[-1, -1, 4]), 4.0);
        assert_eq!(maximum(&[1, 1, 0]), 3.5);
    }

    #[test]
    fn an_open_direction_is_unbounded_and_the_tableau_survives_it() {
        let mut simplex = tableau(&[&[1, -1, 0], &[0, 1, -2]]).expect("not empty");
        let mut meter = Meter::new(10_000);
        assert_eq!(
            simplex.maximum(&[1, 0, 0], &mut meter),
            Ok(Optimum::Unbounded)
        );
        assert_eq!(
            simplex.minimum(&[1, 0, 0], &mut meter),
            Ok(Optimum::Value(2, 1))
        );
    }

    #[test]
    fn a_contradiction_among_rationals_is_found() {
        assert!(tableau(&[&[1, 1, -3], &[-1, 0, 1], &[0, -1, 1]]).is_none());
        assert!(tableau(&[&[1, 1, -2], &[-1, 0, 1], &[0, -1, 1]]).is_some());
    }
}
