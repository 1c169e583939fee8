//! Branch and bound: finds integer points from rational ones.

use super::simplex::Simplex;
use super::{Meter, Stop, System};

/// Outcome of a search with a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Search {
    /// An integer point of the system.
    Found(Vec<i64>),
    /// There is no integer point.
    Empty,
    /// The search reached its limit first.
    GaveUp,
}

/// Searches an integer point of a system, in at most `nodes` rational problems.
///
/// A rational vertex with `x = 5/2` is split into `x <= 2` and `x >= 3`. On an
/// unbounded system that may go on for ever, hence the limit.
pub(crate) fn search(system: &System, nodes: usize, meter: &mut Meter) -> Result<Search, Stop> {
    let mut root = Simplex::new(system.vars);
    for row in &system.inequalities {
        if !root.add_inequality(row, meter)? {
            return Ok(Search::Empty);
        }
    }
    for row in &system.equalities {
        if !root.add_equality(row, meter)? {
            return Ok(Search::Empty);
        }
    }
    let mut open = vec![root];
    for _ in 0..nodes {
        let Some(node) = open.pop() else {
            return Ok(Search::Empty);
        };
        let Some((var, below)) = node.fractional() else {
            return Ok(Search::Found(node.integer_point()?));
        };
        meter.spend(node.size())?;
        let mut row = vec![0; system.vars + 1];
        let mut above = node.clone();
        row[var] = 1;
        row[system.vars] = -(below + 1);
        if above.add_inequality(&row, meter)? {
            open.push(above);
        }
        let mut under = node;
        row[var] = -1;
        row[system.vars] = below;
        if under.add_inequality(&row, meter)? {
            open.push(under);
        }
    }
    Ok(match open.is_empty() {
        true => Search::Empty,
        false => Search::GaveUp,
    })
}
