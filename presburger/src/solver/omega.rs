//! Omega test: eliminates variables from inequalities by exact, dark and real shadows and
//! splinters.
//!
//! A lower bound `a·x + l >= 0` and an upper bound `-b·x + u >= 0` (`a, b > 0`)
//! combine to the *real shadow* `b·l + a·u >= 0`: a rational `x` exists. An integer
//! `x` surely exists if `b·l + a·u >= (a-1)(b-1)`, the *dark shadow*. The two are
//! the same if `a` or `b` is 1. A solution outside the dark shadow lies close above
//! some lower bound: `a·x + l = i` for an `i` with `0 <= i <= (a·b - a - b) / b`,
//! `b` the largest in any upper bound; these are the *splinters* (Pugh 1991, §2.3).

use super::branch::{self, Search};
use super::equations::{self, Recovery};
use super::normalise::{self, Normalised};
use super::{Meter, Solution, Stop, System};
use crate::row::{self, Row};

/// Depth limit of nested shadows and splinters, beyond which the question is given up. Every level
/// has a variable less than the one above, but the stack is finite.
const MAX_DEPTH: usize = 64;

/// Solves a system; see the [module above](super) for the order of attempts.
pub(crate) fn solve(mut system: System, meter: &mut Meter, depth: usize) -> Result<Solution, Stop> {
    let mut trail = Vec::new();
    let mut branched = false;
    let found = loop {
        if !equations::solve_equalities(&mut system, &mut trail, meter)? {
            break None;
        }
        match normalise::normalise(&mut system, meter)? {
            Normalised::Empty => break None,
            Normalised::NewEqualities => continue,
            Normalised::Done => {}
        }
        let free = apart(&system);
        if !free.is_empty() {
            for var in free {
                eliminate_exactly(&mut system, var, &mut trail, meter)?;
            }
            continue;
        }
        let Some(candidate) = cheapest(&system) else {
            break Some(vec![0; system.vars]);
        };
        if candidate.exact && branched {
            eliminate_exactly(&mut system, candidate.var, &mut trail, meter)?;
            continue;
        }
        if !branched {
            branched = true;
            match branch::search(&system, meter.branch_nodes, meter)? {
                Search::Found(point) => break Some(point),
                Search::Empty => break None,
                Search::GaveUp => continue,
            }
        }
        break eliminate_by_shadows(&system, candidate.var, meter, depth)?;
    };
    let Some(mut point) = found else {
        return Ok(None);
    };
    for recovery in trail.iter().rev() {
        recovery.apply(&mut point)?;
    }
    Ok(Some(point))
}

/// Elimination candidate: a variable to eliminate next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Candidate {
    var: usize,
    /// Whether the real shadow holds exactly the integer points it should.
    exact: bool,
    /// Row growth: how many more rows the elimination makes.
    growth: i64,
}

/// Bounds statistics of one variable: what the inequalities say about it.
#[derive(Clone, Copy, Default)]
struct Profile {
    lowers: i64,
    uppers: i64,
    largest_lower: i64,
    largest_upper: i64,
}

/// Picks the variable whose elimination is exact if one's is, and among those makes the fewest new
/// rows; `None` if no inequality has any variable.
fn cheapest(system: &System) -> Option<Candidate> {
    candidates(system).min_by_key(|candidate| (!candidate.exact, candidate.growth))
}

/// Picks variables whose eliminations are exact and add no row, no two of them in one row: then
/// eliminating one changes no row of another, and one normalisation serves them all. Loops bounded
/// by the loops around them make chains of variables, of which every second goes at once.
fn apart(system: &System) -> Vec<usize> {
    let mut rows_of: Vec<Vec<usize>> = vec![Vec::new(); system.vars];
    for (number, row) in system.inequalities.iter().enumerate() {
        for (rows, &entry) in rows_of.iter_mut().zip(row::coefficients(row)) {
            if entry != 0 {
                rows.push(number);
            }
        }
    }
    let mut is_taken = vec![false; system.inequalities.len()];
    let mut picked = Vec::new();
    for candidate in candidates(system).filter(|candidate| candidate.exact && candidate.growth <= 0)
    {
        let rows = &rows_of[candidate.var];
        if rows.iter().all(|&row| !is_taken[row]) {
            rows.iter().for_each(|&row| is_taken[row] = true);
            picked.push(candidate.var);
        }
    }
    picked
}

/// The variables that inequalities have, each as a candidate.
fn candidates(system: &System) -> impl Iterator<Item = Candidate> {
    let mut profiles = vec![Profile::default(); system.vars];
    for row in &system.inequalities {
        for (profile, &entry) in profiles.iter_mut().zip(row::coefficients(row)) {
            if entry > 0 {
                profile.lowers += 1;
                profile.largest_lower = profile.largest_lower.max(entry);
            } else if entry < 0 {
                profile.uppers += 1;
                profile.largest_upper = profile.largest_upper.max(-entry);
            }
        }
    }
    profiles
        .into_iter()
        .enumerate()
        .filter(|(_, profile)| profile.lowers + profile.uppers > 0)
        .map(|(var, profile)| Candidate {
            var,
            exact: profile.largest_lower <= 1 || profile.largest_upper <= 1,
            growth: profile.lowers * profile.uppers - profile.lowers - profile.uppers,
        })
}

/// Splits off the rows with `var`, lower bounds and upper bounds apart.
fn split(rows: Vec<Row>, var: usize) -> (Vec<Row>, Vec<Row>, Vec<Row>) {
    let (mut lowers, mut uppers, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for row in rows {
        match row[var].signum() {
            1 => lowers.push(row),
            -1 => uppers.push(row),
            _ => others.push(row),
        }
    }
    (lowers, uppers, others)
}

/// Replaces the rows with `var` by their real shadow, which is known to be exact.
fn eliminate_exactly(
    system: &mut System,
    var: usize,
    trail: &mut Vec<Recovery>,
    meter: &mut Meter,
) -> Result<(), Stop> {
    let (lowers, uppers, mut others) = split(std::mem::take(&mut system.inequalities), var);
    meter.spend(lowers.len() * uppers.len())?;
    for lower in &lowers {
        for upper in &uppers {
            others.push(row::combine(-upper[var], lower, lower[var], upper)?);
        }
    }
    system.inequalities = others;
    let mut rows = lowers;
    rows.extend(uppers);
    trail.push(Recovery::Choose { var, rows });
    Ok(())
}

/// Decides a system by the shadows and splinters of one variable.
fn eliminate_by_shadows(
    system: &System,
    var: usize,
    meter: &mut Meter,
    depth: usize,
) -> Result<Solution, Stop> {
    if depth >= MAX_DEPTH {
        return Err(Stop::OutOfSteps);
    }
    let (lowers, uppers, others) = split(system.inequalities.clone(), var);
    meter.spend(2 * lowers.len() * uppers.len())?;
    let with = |rows: Vec<Row>| System {
        vars: system.vars,
        equalities: Vec::new(),
        inequalities: rows,
    };

    let mut dark = others.clone();
    let mut real = others;
    for lower in &lowers {
        for upper in &uppers {
            let (a, b) = (lower[var], -upper[var]);
            let gap = (i128::from(a) - 1) * (i128::from(b) - 1);
            dark.push(row::combine_with_offset(b, lower, a, upper, -gap)?);
            real.push(row::combine(b, lower, a, upper)?);
        }
    }
    if let Some(mut point) = solve(with(dark), meter, depth + 1)? {
        let mut rows = lowers;
        rows.extend(uppers);
        Recovery::Choose { var, rows }.apply(&mut point)?;
        return Ok(Some(point));
    }
    if solve(with(real), meter, depth + 1)?.is_none() {
        return Ok(None);
    }
    let largest = uppers.iter().map(|upper| -upper[var]).max().unwrap_or(1);
    for lower in &lowers {
        let (a, b) = (i128::from(lower[var]), i128::from(largest));
        let last = row::floor_div(a * b - a - b, b);
        let mut offset = 0;
        while offset <= last {
            meter.spend(system.inequalities.len())?;
            let mut equality = lower.clone();
            let constant = i128::from(row::constant(lower)) - offset;
            equality[system.vars] = row::narrow(constant)?;
            let mut splinter = system.clone();
            splinter.equalities.push(equality);
            if let Some(point) = solve(splinter, meter, depth + 1)? {
                return Ok(Some(point));
            }
            offset += 1;
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The box that the random systems lie in.
    const HALF: i64 = 6;

    /// A linear congruential generator, its upper bits.
    fn random(state: &mut u64, low: i64, high: i64) -> i64 {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        low + ((*state >> 33) % (high - low + 1) as u64) as i64
    }

    /// A system of two-sided random inequalities, thin enough to slip between points.
    fn thin_system(state: &mut u64, vars: usize) -> System {
        let mut inequalities = Vec::new();
        for _ in 0..vars {
            let mut row: Row = (0..vars).map(|_| random(state, -13, 13)).collect();
            row.push(random(state, -20, 20));
            let mut opposite = row::negated(&row);
            opposite[vars] += random(state, 0, 12);
            inequalities.extend([row, opposite]);
        }
        for var in 0..vars {
            for sign in [1, -1] {
                let mut row = vec![0; vars + 1];
                row[var] = sign;
                row[vars] = HALF;
                inequalities.push(row);
            }
        }
        System {
            vars,
            equalities: Vec::new(),
            inequalities,
        }
    }

    fn holds(system: &System, point: &[i64]) -> bool {
        let value = |row: &Row| row::value_at(row, point).expect("small");
        system.inequalities.iter().all(|row| value(row) >= 0)
    }

    /// Whether some point of the box satisfies the system, by trying all.
    fn has_point(system: &System) -> bool {
        let width = (2 * HALF + 1) as usize;
        (0..width.pow(system.vars as u32)).any(|code| {
            let digit = |var: usize| (code / width.pow(var as u32) % width) as i64 - HALF;
            holds(system, &(0..system.vars).map(digit).collect::<Vec<_>>())
        })
    }

    #[test]
    fn shadows_and_splinters_alone_decide_thin_systems() {
        let mut state = 7;
        let (mut empty, mut filled) = (0, 0);
        for index in 0..600 {
            let system = thin_system(&mut state, 2 + index % 2);
            match solve(system.clone(), &mut Meter::without_branching(5_000_000), 0) {
                Ok(Some(point)) => {
                    assert!(holds(&system, &point), "{point:?} in {system:?}");
                    filled += 1;
                }
                Ok(None) => {
                    assert!(!has_point(&system), "{system:?}");
                    empty += 1;
                }
                Err(stop) => panic!("{stop:?} on {system:?}"),
            }
        }
        assert!(empty > 100 && filled > 100, "{empty} empty, {filled} not");
    }
}
