//! Integer Gaussian elimination of equalities, and back-substitution of eliminated variables.

use super::{Meter, Stop, System};
use crate::row::{self, Overflow, Row, Verdict};

/// Back-substitution step: recovers an eliminated variable's value once all later ones are known.
#[derive(Clone, Debug)]
pub(crate) enum Recovery {
    /// The column of `var` held `t = x + form`; the variable itself is `x = t - form`.
    /// The form does not use `var`.
    Shear { var: usize, form: Row },
    /// Any integer that satisfies the rows will do, and there is one.
    Choose { var: usize, rows: Vec<Row> },
}

impl Recovery {
    /// Writes the variable's own value over its entry in the point.
    pub(crate) fn apply(&self, point: &mut [i64]) -> Result<(), Overflow> {
        match self {
            Self::Shear { var, form } => {
                let value = i128::from(point[*var]) - row::value_at(form, point)?;
                point[*var] = row::narrow(value)?;
            }
            Self::Choose { var, rows } => {
                point[*var] = 0;
                point[*var] = choose(*var, rows, point)?;
            }
        }
        Ok(())
    }
}

/// Chooses the integer nearest to zero between the bounds that the rows put on `var` at a point
/// whose entry for `var` is zero.
fn choose(var: usize, rows: &[Row], point: &[i64]) -> Result<i64, Overflow> {
    let (mut lower, mut upper) = (None::<i128>, None::<i128>);
    for row in rows {
        let rest = row::value_at(row, point)?;
        let coefficient = i128::from(row[var]);
        if coefficient > 0 {
            let bound = row::ceil_div(rest.checked_neg().ok_or(Overflow)?, coefficient);
            lower = Some(lower.map_or(bound, |other| other.max(bound)));
        } else if coefficient < 0 {
            let bound = row::floor_div(rest, -coefficient);
            upper = Some(upper.map_or(bound, |other| other.min(bound)));
        }
    }
    let mut value = 0;
    value = upper.map_or(value, |bound| bound.min(value));
    value = lower.map_or(value, |bound| bound.max(value));
    row::narrow(value)
}

/// Eliminates every equality, leaving only inequalities. Returns false if they have no integer
/// solution.
///
/// For the equality `a·x + Σ b_i·y_i + c = 0` with `|a|` the smallest coefficient,
/// write `b_i = a·q_i + r_i` with remainders at most half of `|a|`. With
/// `t = x + Σ q_i·y_i + q_c` in the place of `x` it reads
/// `a·t + Σ r_i·y_i + r_c = 0`: an invertible integer change of variables that at
/// least halves the smallest coefficient, or else leaves `a·t + r_c = 0`. Unlike
/// Pugh's `mod^` substitution this needs no new variable.
pub(crate) fn solve_equalities(
    system: &mut System,
    trail: &mut Vec<Recovery>,
    meter: &mut Meter,
) -> Result<bool, Stop> {
    loop {
        let mut best: Option<(usize, usize, u64)> = None;
        let mut index = 0;
        while index < system.equalities.len() {
            match row::normalise_equality(&mut system.equalities[index]) {
                Verdict::Never => return Ok(false),
                Verdict::Always => {
                    system.equalities.swap_remove(index);
                    continue;
                }
                Verdict::Depends => {}
            }
            if let Some((var, size)) = smallest(&system.equalities[index])
                && best.is_none_or(|(_, _, least)| size < least)
            {
                best = Some((index, var, size));
            }
            index += 1;
        }
        let Some((index, var, _)) = best else {
            return Ok(true);
        };
        meter.spend(system.equalities.len() + system.inequalities.len())?;
        reduce(system, trail, index, var)?;
    }
}

/// Finds the variable with the smallest coefficient and its absolute value.
fn smallest(row: &[i64]) -> Option<(usize, u64)> {
    row::coefficients(row)
        .iter()
        .enumerate()
        .filter(|(_, entry)| **entry != 0)
        .map(|(var, entry)| (var, entry.unsigned_abs()))
        .min_by_key(|&(_, size)| size)
}

/// Makes one change of variables, as derived at [`solve_equalities`]. If it leaves `a·t = 0`, the
/// variable is eliminated and its column cleared.
fn reduce(
    system: &mut System,
    trail: &mut Vec<Recovery>,
    index: usize,
    var: usize,
) -> Result<(), Stop> {
    let pivot = system.equalities[index][var];
    let mut form = system.equalities[index].clone();
    let mut divides_all = true;
    for entry in &mut form {
        let quotient = nearest_quotient(*entry, pivot);
        divides_all &= i128::from(*entry) == i128::from(quotient) * i128::from(pivot);
        *entry = quotient;
    }
    form[var] = 0;
    for row in system.equalities.iter_mut().chain(&mut system.inequalities) {
        if row[var] != 0 {
            substitute(row, var, &form)?;
            if divides_all {
                row[var] = 0;
            }
        }
    }
    trail.push(Recovery::Shear { var, form });
    if divides_all {
        // The trail is followed last to first: this gives `t` the value zero.
        system.equalities.swap_remove(index);
        trail.push(Recovery::Choose {
            var,
            rows: Vec::new(),
        });
    }
    Ok(())
}

/// Substitutes `x = t - form` in a row: the entry of `x` becomes that of `t`.
pub(crate) fn substitute(row: &mut Row, var: usize, form: &[i64]) -> Result<(), Overflow> {
    let factor = i128::from(row[var]);
    for (entry, &quotient) in row.iter_mut().zip(form) {
        *entry = row::narrow(i128::from(*entry) - factor * i128::from(quotient))?;
    }
    Ok(())
}

/// The quotient whose remainder is at most half the divisor.
fn nearest_quotient(dividend: i64, divisor: i64) -> i64 {
    let (wide, size) = (i128::from(dividend), i128::from(divisor.unsigned_abs()));
    let quotient = row::floor_div(2 * wide + size, 2 * size);
    // At most as large as the dividend, which fits and is not the minimum.
    (quotient * i128::from(divisor.signum())) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_quotients_leave_small_remainders() {
        for divisor in [-7_i64, -2, -1, 1, 3, 8] {
            for dividend in -40..40 {
                let remainder = dividend - nearest_quotient(dividend, divisor) * divisor;
                assert!(
                    2 * remainder.abs() <= divisor.abs(),
                    "{dividend} / {divisor}"
                );
            }
        }
    }

    #[test]
    fn a_chain_of_equalities_is_solved_and_undone() {
        // 7x + 12y + 31z = 17 and 3x + 5y + 14z = 7, from Pugh's paper.
        let mut system = System {
            vars: 3,
            equalities: vec![vec![7, 12, 31, -17], vec![3, 5, 14, -7]],
            inequalities: Vec::new(),
        };
        let original = system.equalities.clone();
        let mut trail = Vec::new();
        let solvable =
            solve_equalities(&mut system, &mut trail, &mut Meter::new(1000)).expect("small");
        assert!(solvable);
        assert!(system.equalities.is_empty());
        for free in -5..5 {
            let mut point = vec![free; 3];
            for recovery in trail.iter().rev() {
                recovery.apply(&mut point).expect("small");
            }
            for row in &original {
                assert_eq!(row::value_at(row, &point), Ok(0), "at {point:?}");
            }
        }
    }
}
