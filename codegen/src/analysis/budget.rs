//! The work budget of a nest: how much all analysis questions about it may cost.
//!
//! A question costs about the square of the variables it speaks of, and a nest
//! of `n` accesses asks `n²` of them. Past the budget every answer is unknown,
//! so that a pass ends in time proportional to the number of nests.

use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{Body, OpId};
use gridloom_presburger::{Affine, Answer, Budget, Emptiness, IntegerPolyhedron, Set, ValueRange};

/// Steps for all questions about one nest in one pass; a step is about one
/// entry of a constraint row combined with another, some nanoseconds.
pub const NEST_STEPS: u64 = 60_000_000;

/// Limit of steps for one question.
const QUESTION_STEPS: u64 = 4_000_000;

/// The remaining budget of a nest, in steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Work {
    left: u64,
}

impl Work {
    /// Whether the budget is used up.
    pub fn is_spent(self) -> bool {
        self.left == 0
    }

    /// Subtracts steps from the budget, down to 0.
    pub fn spend(&mut self, steps: u64) {
        self.left = self.left.saturating_sub(steps);
    }

    /// Tests a polyhedron for emptiness, and charges the work.
    pub(super) fn emptiness(&mut self, poly: &IntegerPolyhedron) -> Emptiness {
        if !self.pays_for(poly) {
            return Emptiness::Unknown;
        }
        let width = poly.space().columns() as u64;
        let given = (self.left / width).min(QUESTION_STEPS / width);
        let (answer, used) = poly.emptiness_counted(Budget::new(given));
        self.spend(used * width);
        answer
    }

    /// Bounds the values of an affine form over a polyhedron, and charges the work.
    pub(super) fn range(&mut self, poly: &IntegerPolyhedron, form: &Affine) -> ValueRange {
        if !self.pays_for(poly) {
            return ValueRange::UNKNOWN;
        }
        let width = poly.space().columns() as u64;
        let given = (self.left / width).min(QUESTION_STEPS / RANGE_PROBES / width);
        self.spend(given * width);
        poly.range_of_within(form, Budget::new(given))
    }

    /// The point of a polyhedron whose values in `columns` are nearest to zero. Charges the work.
    pub(super) fn simplest_point(
        &mut self,
        poly: &IntegerPolyhedron,
        columns: &[usize],
    ) -> Option<Vec<i64>> {
        if !self.pays_for(poly) {
            return None;
        }
        let width = poly.space().columns() as u64;
        let questions = 2 * RANGE_PROBES * columns.len().max(1) as u64;
        let given = (self.left / width / questions).min(QUESTION_STEPS / RANGE_PROBES / width);
        self.spend(given * questions);
        poly.simplest_point(columns, Budget::new(given))
    }

    /// Whether a set lies within another one, and charges the work.
    pub(crate) fn is_subset(&mut self, set: &Set, of: &Set) -> Answer {
        let width = set.space().columns() as u64;
        let given = (self.left / width).min(QUESTION_STEPS / SUBSET_SHARE / width);
        self.spend(QUESTION_COST + given * width);
        match set.subtract_within(of, Budget::new(given)) {
            Some(rest) => rest.emptiness().answer(),
            None => Answer::Unknown,
        }
    }

    /// Charges the cost of a query; false where the budget does not hold it.
    fn pays_for(&mut self, poly: &IntegerPolyhedron) -> bool {
        let rows = poly.equalities().len() + poly.inequalities().len();
        self.spend(QUESTION_COST + (rows * poly.space().columns()) as u64);
        !self.is_spent()
    }
}

/// Base cost of a question, however small.
const QUESTION_COST: u64 = 400;

/// Share of a question's steps that a difference of sets may take, which is charged in full.
const SUBSET_SHARE: u64 = 8;

/// Estimate of the emptiness tests by which a range is narrowed down.
const RANGE_PROBES: u64 = 16;

/// Remaining budget of each nest of a body, keyed by the outermost operation of the nest.
#[derive(Clone, Debug)]
pub struct Budgets {
    steps: u64,
    by_root: FxHashMap<Option<OpId>, Work>,
}

impl Default for Budgets {
    fn default() -> Self {
        Budgets::of_steps(NEST_STEPS)
    }
}

impl Budgets {
    /// Budgets of `steps` for each nest.
    pub fn of_steps(steps: u64) -> Self {
        Budgets {
            steps,
            by_root: FxHashMap::default(),
        }
    }

    /// The budget of the nest whose outermost operation is `root`.
    pub fn of(&mut self, root: Option<OpId>) -> &mut Work {
        let whole = Work { left: self.steps };
        self.by_root.entry(root).or_insert(whole)
    }

    /// The steps spent so far, over all nests.
    pub fn spent(&self) -> u64 {
        let spent = |work: &Work| self.steps - work.left;
        self.by_root.values().map(spent).sum()
    }
}

/// The outermost operation that encloses an operation, below the body: everything inside of it
/// shares one budget.
pub fn root_of_nest(body: &Body, op: OpId) -> Option<OpId> {
    std::iter::successors(Some(op), |&op| body.parent_op(op)).last()
}
