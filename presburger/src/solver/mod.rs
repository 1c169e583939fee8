//! Integer feasibility solver: decides whether a system of constraints has an integer solution.
//!
//! All variables are existential here: dims, symbols and locals alike. The columns are `x0 x1 .. |
//! constant`, and a variable that was eliminated keeps its column, with zeros in it.
//!
//! The method is the Omega test (W. Pugh, "The Omega Test: a fast and practical
//! integer programming algorithm for dependence analysis", Supercomputing 1991):
//!
//! 1. [`equations`]: equalities are solved by integer changes of variables.
//! 2. [`normalise`]: inequalities are tightened, parallel ones merged; two that pinch
//!    the same form into one value become an equality again.
//! 3. [`omega`]: variables that can be eliminated exactly and cheaply are.
//! 4. [`branch`]: what is left goes to branch and bound on the rational simplex,
//!    for a few nodes: that decides nearly everything real programs ask.
//! 5. [`omega`] again: dark shadow, then splinters. Complete, for unbounded systems
//!    too, but exponential in the worst case, hence the [`Meter`].
//!
//! Each elimination records a back-substitution step for the variable's value, so a system that is
//! not empty comes with a point in it.

pub(crate) mod branch;
pub(crate) mod equations;
pub(crate) mod normalise;
pub(crate) mod omega;
pub(crate) mod simplex;

use crate::row::{Overflow, Row};

/// Reason why the solver gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// A number left the range of rows.
    Overflow,
    /// The work allowed was used up.
    OutOfSteps,
}

impl From<Overflow> for Stop {
    fn from(Overflow: Overflow) -> Self {
        Self::Overflow
    }
}

/// Meter: counts the step budget down. One step is about one row combined with another.
#[derive(Clone, Debug)]
pub(crate) struct Meter {
    left: u64,
    /// Node limit of branch and bound, tried before shadows.
    branch_nodes: usize,
}

impl Meter {
    pub(crate) fn new(steps: u64) -> Self {
        Self {
            left: steps,
            branch_nodes: 48,
        }
    }

    /// A meter that leaves everything to shadows and splinters, which otherwise few questions ever
    /// reach.
    #[cfg(test)]
    pub(crate) fn without_branching(steps: u64) -> Self {
        Self {
            left: steps,
            branch_nodes: 0,
        }
    }

    /// The steps left.
    pub(crate) fn left(&self) -> u64 {
        self.left
    }

    /// Spends so many steps; an error if fewer are left.
    pub(crate) fn spend(&mut self, steps: usize) -> Result<(), Stop> {
        match self.left.checked_sub(steps as u64) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => {
                self.left = 0;
                Err(Stop::OutOfSteps)
            }
        }
    }
}

/// A conjunction of `equality = 0` and `inequality >= 0` over `vars` variables.
#[derive(Clone, Debug)]
pub(crate) struct System {
    pub(crate) vars: usize,
    pub(crate) equalities: Vec<Row>,
    pub(crate) inequalities: Vec<Row>,
}

/// A solution, one value a column; `None` when the system is empty.
pub(crate) type Solution = Option<Vec<i64>>;

/// Finds an integer solution of a system, or proves that there is none.
pub(crate) fn solve(system: &System, meter: &mut Meter) -> Result<Solution, Stop> {
    omega::solve(system.clone(), meter, 0)
}
