//! Elimination of variables by projection: equalities first, then Fourier–Motzkin steps.

use crate::polyhedron::IntegerPolyhedron;
use crate::row::{self, Overflow, Row};
use crate::solver::equations::substitute;
use crate::solver::normalise::{self, Normalised};
use crate::solver::{Meter, Stop, System};
use crate::space::VarKind;

/// Result of an elimination: a set over fewer variables, and whether it is exactly the projection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Projection {
    /// The projection, or a superset of it.
    pub set: IntegerPolyhedron,
    /// Whether `set` has no integer point outside the projection.
    pub exact: bool,
}

/// Row limit of a Fourier–Motzkin step. Beyond it the variable's constraints are dropped instead,
/// which is sound since the result may be larger than the projection.
const MAX_ROWS: usize = 2_000;

impl IntegerPolyhedron {
    /// Removes variables, of any kind, from the constraints and the space.
    ///
    /// Equalities are used first (with integer changes of variables among those to be
    /// removed), then Fourier–Motzkin steps, each checked for exactness: a step is
    /// exact if its real and dark shadow, both tightened, are the same (W. Pugh, 1991).
    /// The result never loses a point; if `exact` is false it may have some too many.
    /// Where that must not be, keep the variables as locals instead
    /// ([`project_out_dims`](Self::project_out_dims)).
    ///
    /// # Panics
    /// If a column is not a variable's.
    pub fn eliminate(&self, columns: &[usize]) -> Projection {
        let vars = self.space().vars();
        let mut to_eliminate = vec![false; vars];
        for &column in columns {
            to_eliminate[column] = true;
        }
        let space = [VarKind::Dim, VarKind::Symbol, VarKind::Local]
            .into_iter()
            .fold(crate::Space::default(), |space, kind| {
                let range = self.space().range(kind);
                space.grown(kind, range.filter(|&column| !to_eliminate[column]).count())
            });
        let mut elimination = Elimination {
            system: self.system(),
            to_eliminate,
            exact: true,
        };
        if !elimination.run() {
            return Projection {
                set: Self::empty(space),
                exact: true,
            };
        }
        let Elimination {
            system,
            to_eliminate,
            exact,
        } = elimination;
        let keep: Vec<usize> = (0..vars).filter(|&column| !to_eliminate[column]).collect();
        let set = Self::from_rows(self.space(), system.equalities, system.inequalities);
        Projection {
            set: set.restricted_to(space, &keep),
            exact,
        }
    }

    /// Removes all locals; see [`eliminate`](Self::eliminate).
    pub fn eliminate_locals(&self) -> Projection {
        let locals: Vec<usize> = self.space().range(VarKind::Local).collect();
        self.eliminate(&locals)
    }
}

/// Elimination state: the system so far and the variables still to remove.
struct Elimination {
    system: System,
    /// The variables to remove, by column.
    to_eliminate: Vec<bool>,
    exact: bool,
}

impl Elimination {
    /// Clears the columns of all variables to eliminate. Returns false if the system turns out empty.
    fn run(&mut self) -> bool {
        loop {
            match self.normalise() {
                Normalised::Empty => return false,
                Normalised::NewEqualities => continue,
                Normalised::Done => {}
            }
            if let Some((index, var)) = self.pivot_in_equalities() {
                if self.use_equality(index, var).is_err() {
                    self.forget(var);
                }
            } else if let Some(var) = self.cheapest() {
                if self.combine_bounds(var).is_err() {
                    self.forget(var);
                }
            } else {
                return true;
            }
        }
    }

    /// Normalises all rows.
    fn normalise(&mut self) -> Normalised {
        if !row::normalise_all(&mut self.system.equalities, row::normalise_equality) {
            return Normalised::Empty;
        }
        // The meter cannot run out, as normalisation is linear.
        normalise::normalise(&mut self.system, &mut Meter::new(u64::MAX))
            .unwrap_or(Normalised::Done)
    }

    /// Finds the equality and the variable to eliminate in it with the smallest coefficient.
    fn pivot_in_equalities(&self) -> Option<(usize, usize)> {
        let entries = self.system.equalities.iter().enumerate();
        entries
            .flat_map(|(index, row)| {
                row::coefficients(row)
                    .iter()
                    .enumerate()
                    .filter(|&(var, &entry)| entry != 0 && self.to_eliminate[var])
                    .map(move |(var, entry)| (entry.unsigned_abs(), index, var))
            })
            .min()
            .map(|(_, index, var)| (index, var))
    }

    /// Uses an equality to eliminate a variable, or to shrink the coefficients
    /// of the others to eliminate in it.
    fn use_equality(&mut self, index: usize, var: usize) -> Result<(), Overflow> {
        let equality = self.system.equalities[index].clone();
        let pivot = equality[var];
        let others: Vec<usize> = (0..self.system.vars)
            .filter(|&other| other != var && self.to_eliminate[other] && equality[other] != 0)
            .collect();
        if pivot.unsigned_abs() != 1 && !others.is_empty() {
            return self.shear(&equality, var, &others);
        }
        // `pivot·x + rest = 0`: with a unit pivot x is an integer whatever the rest is.
        self.exact &= pivot.unsigned_abs() == 1;
        let mut system = self.system.clone();
        system.equalities.swap_remove(index);
        for row in system.equalities.iter_mut().chain(&mut system.inequalities) {
            if row[var] != 0 {
                // The row's own factor stays positive, so that inequalities keep their sense.
                let factor = -row[var] * pivot.signum();
                *row = row::combine(pivot.abs(), row, factor, &equality)?;
            }
        }
        self.system = system;
        Ok(())
    }

    /// Replaces `x` by `t - Σ q_i·y_i` over the others to eliminate, `y_i`, with the
    /// quotients of their coefficients by that of `x`: an integer change of variables
    /// among those that will vanish anyway.
    fn shear(&mut self, equality: &Row, var: usize, others: &[usize]) -> Result<(), Overflow> {
        let pivot = equality[var];
        let mut form = vec![0; equality.len()];
        for &other in others {
            form[other] = equality[other] / pivot;
        }
        let mut system = self.system.clone();
        for row in system.equalities.iter_mut().chain(&mut system.inequalities) {
            substitute(row, var, &form)?;
        }
        self.system = system;
        Ok(())
    }

    /// The variable to eliminate whose elimination makes the fewest rows, exact ones first.
    fn cheapest(&self) -> Option<usize> {
        let rows = &self.system.inequalities;
        (0..self.system.vars)
            .filter(|&var| self.to_eliminate[var] && rows.iter().any(|row| row[var] != 0))
            .min_by_key(|&var| {
                let lowers = rows.iter().filter(|row| row[var] > 0);
                let uppers = rows.iter().filter(|row| row[var] < 0);
                let exact = lowers.clone().all(|row| row[var] == 1)
                    || uppers.clone().all(|row| row[var] == -1);
                let (lowers, uppers) = (lowers.count() as i64, uppers.count() as i64);
                (!exact, lowers * uppers - lowers - uppers)
            })
    }

    /// Eliminates a variable by one Fourier–Motzkin step.
    fn combine_bounds(&mut self, var: usize) -> Result<(), Stop> {
        let rows = &self.system.inequalities;
        let lowers: Vec<&Row> = rows.iter().filter(|row| row[var] > 0).collect();
        let uppers: Vec<&Row> = rows.iter().filter(|row| row[var] < 0).collect();
        if rows.len() + lowers.len() * uppers.len() > MAX_ROWS {
            return Err(Stop::OutOfSteps);
        }
        let mut result: Vec<Row> = rows.iter().filter(|row| row[var] == 0).cloned().collect();
        let mut exact = true;
        for lower in &lowers {
            for upper in &uppers {
                let (a, b) = (lower[var], -upper[var]);
                let mut real = row::combine(b, lower, a, upper)?;
                row::normalise_inequality(&mut real);
                if a != 1 && b != 1 {
                    let gap = (i128::from(a) - 1) * (i128::from(b) - 1);
                    let dark = row::combine_with_offset(b, lower, a, upper, -gap);
                    exact &= dark.is_ok_and(|mut dark| {
                        row::normalise_inequality(&mut dark);
                        dark == real
                    });
                }
                result.push(real);
            }
        }
        self.exact &= exact;
        self.system.inequalities = result;
        Ok(())
    }

    /// Drops every row that mentions a variable: the fallback where an exact step is not possible.
    fn forget(&mut self, var: usize) {
        self.exact = false;
        self.system.equalities.retain(|row| row[var] == 0);
        self.system.inequalities.retain(|row| row[var] == 0);
    }
}
