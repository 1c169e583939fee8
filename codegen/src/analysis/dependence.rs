//! Dependence tests: whether two accesses touch one element, and at what distance.
//!
//! A test puts two instances of the iterations into one polyhedron: both lie in the domains of
//! their accesses, both touch the same element, and the scope says which iterations of which loop
//! are compared. If the polyhedron has no integer point, the accesses are independent (P.
//! Feautrier, "Dataflow analysis of array and scalar references", 1991; here only existence is
//! asked).

use std::rc::Rc;

use gridloom_dialects::scf;
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{AffineExpr, BlockId, Body, Context, OpId};
use gridloom_presburger::{Answer, ValueRange};

use super::access::Access;
use super::alias::{Aliases, Globals};
use super::budget::{Budgets, Work, root_of_nest};
use super::counter::counters;
use super::domain::{Constraint, Domain, domain};
use super::system::{Combination, Instance, Statements, System};
use super::values::{AffineValues, Atom};
use common_element::CommonElement;
pub use congruence::Congruence;
pub use constraints::Compared;
use constraints::{require_compared, require_in_range, require_whole_steps};
pub use difference::is_close;
use difference::{difference, is_below_modulus};
use outcome::doubt_of_places;
pub use outcome::{Dependence, Doubt};
use sharing::{is_same_in_both, shares};

mod common_element;
mod congruence;
mod constraints;
pub mod delinearise;
mod difference;
mod outcome;
mod sharing;
pub mod witness;

/// Scope of a dependence test: the iterations that are compared. Loops further out are in the
/// same iteration; loops further in are in any two iterations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// An earlier iteration of a loop against a later one.
    AcrossIterations(OpId),
    /// Iterations of a nest, where the counter of one of its loops is less in the first instance
    /// than in the second, whatever the other counters are.
    AcrossNest {
        /// The outermost loop of the nest.
        root: OpId,
        /// The loop whose counter differs.
        by: OpId,
    },
    /// Any iteration of a loop against any other, itself included.
    AnyIterations(OpId),
    /// Two operations in one execution of a block.
    Block(BlockId),
}

impl Scope {
    /// The loop whose counter is less in the first instance, if the scope orders one.
    fn differing(self) -> Option<OpId> {
        match self {
            Scope::AcrossIterations(op) | Scope::AcrossNest { by: op, .. } => Some(op),
            Scope::AnyIterations(_) | Scope::Block(_) => None,
        }
    }

    /// Whether a value defined in `block` is the same in both instances.
    fn shares(self, values: &AffineValues, block: Option<BlockId>) -> bool {
        match self {
            Scope::AcrossIterations(op)
            | Scope::AnyIterations(op)
            | Scope::AcrossNest { root: op, .. } => !values.block_is_inside(block, op),
            Scope::Block(run) => block.is_none_or(|block| encloses(values.body, block, run)),
        }
    }
}

/// Whether `inner` is `outer` or lies in a region below it.
fn encloses(body: &Body, outer: BlockId, inner: BlockId) -> bool {
    let up = |&block: &BlockId| body.block_parent_op(block).and_then(|op| body[op].parent());
    std::iter::successors(Some(inner), up).any(|block| block == outer)
}

/// Limit of the constraints on two accesses: past it the answer is unknown, since solvers take more
/// than linear time.
const MAX_CONSTRAINTS: usize = 400;

/// Dependence analysis of one body, which must not change meanwhile.
pub struct Dependences<'a> {
    /// Index values as affine expressions.
    pub values: AffineValues<'a>,
    /// Alias analysis of memrefs.
    pub aliases: Aliases<'a>,
    /// Remaining work budget of each nest.
    pub budgets: Budgets,
    /// Iteration domains by block: all operations of a block share one.
    domains: FxHashMap<BlockId, Rc<Domain>>,
}

impl<'a> Dependences<'a> {
    /// Creates the analysis of a body in a module with these globals.
    pub fn new(ctx: &'a Context, body: &'a Body, globals: &'a Globals) -> Self {
        let mut values = AffineValues::new(ctx, body);
        values.callees = Some(globals.callees());
        Dependences {
            values,
            aliases: Aliases::new(ctx, body, globals),
            budgets: Budgets::default(),
            domains: FxHashMap::default(),
        }
    }

    /// Tests whether `second`, in the later instance of `scope`, touches an element that `first`
    /// touched in the earlier one.
    pub fn test(&mut self, scope: Scope, first: &Access, second: &Access) -> Dependence {
        self.answer(scope, first, second, false)
    }

    /// Tests the pairs of iterations of the nest `root` that satisfy the comparisons `compared`.
    pub fn test_compared(
        &mut self,
        root: OpId,
        [first, second]: [&Access; 2],
        compared: &[Compared],
    ) -> Dependence {
        let mut further = Statements::new();
        require_compared(&mut further, compared);
        self.test_where(Scope::AnyIterations(root), &further, first, second)
    }

    /// Tests only the pairs of iterations that also satisfy the constraints `further`.
    pub fn test_where(
        &mut self,
        scope: Scope,
        further: &Statements,
        first: &Access,
        second: &Access,
    ) -> Dependence {
        if !first.is_write && !second.is_write {
            return Dependence::Independent;
        }
        self.test_places(scope, [first, second], further, false)
    }

    /// The same as [`test`](Self::test), with the distance, which costs many times as much.
    pub fn explain(&mut self, scope: Scope, first: &Access, second: &Access) -> Dependence {
        self.answer(scope, first, second, true)
    }

    /// Whether both accesses may touch one element in some pair of iterations, even if both only
    /// read it.
    pub fn may_overlap(&mut self, scope: Scope, first: &Access, second: &Access) -> bool {
        !self
            .test_places(scope, [first, second], &Statements::new(), false)
            .is_independent()
    }

    fn answer(
        &mut self,
        scope: Scope,
        first: &Access,
        second: &Access,
        with_distance: bool,
    ) -> Dependence {
        if !first.is_write && !second.is_write {
            return Dependence::Independent;
        }
        // Updates that commute leave the same memory in any order.
        if first.update.is_some() && first.update == second.update {
            return Dependence::Independent;
        }
        self.test_places(scope, [first, second], &Statements::new(), with_distance)
    }

    fn test_places(
        &mut self,
        scope: Scope,
        [first, second]: [&Access; 2],
        further: &Statements,
        with_distance: bool,
    ) -> Dependence {
        let coords = match self.common_coords(scope, &first.place, &second.place) {
            CommonElement::Never => return Dependence::Independent,
            CommonElement::Unknown(Doubt::Subscript) => {
                return Dependence::unknown(doubt_of_places([first, second]));
            }
            CommonElement::Unknown(doubt) => return Dependence::unknown(doubt),
            CommonElement::Where(coords) => coords,
        };
        // Fast path for neighbouring elements and different rows: intervals, without domains and
        // solver.
        if self.are_apart(scope, [first, second], &coords) {
            return Dependence::Independent;
        }
        let question = Question {
            scope,
            accesses: [first, second],
            domains: [self.domain_of(first.op), self.domain_of(second.op)],
            further,
            with_distance,
        };
        let flat = coords.len();
        let coords = self.delinearised(&question, coords);
        if coords.len() > flat && self.are_apart(scope, [first, second], &coords) {
            return Dependence::Independent;
        }
        if self.are_incongruent(&question, &coords) {
            return Dependence::Independent;
        }
        self.solve(&question, &coords)
    }

    /// The remaining budget of the nest that an operation is in.
    fn work(&mut self, op: OpId) -> &mut Work {
        let root = root_of_nest(self.values.body, op);
        self.budgets.of(root)
    }

    /// Sets the budget of each nest to `steps` in place of
    /// [`NEST_STEPS`](super::budget::NEST_STEPS).
    pub fn limit_work(&mut self, steps: u64) {
        self.budgets = Budgets::of_steps(steps);
    }

    /// The steps spent so far, over all nests.
    pub fn work_done(&self) -> u64 {
        self.budgets.spent()
    }

    fn domain_of(&mut self, op: OpId) -> Rc<Domain> {
        let values = &mut self.values;
        match values.body[op].parent() {
            Some(block) => {
                let known = self.domains.entry(block);
                known.or_insert_with(|| Rc::new(domain(values, op))).clone()
            }
            None => Rc::new(domain(values, op)),
        }
    }

    fn solve(&mut self, question: &Question, coords: &[(AffineExpr, AffineExpr)]) -> Dependence {
        let (common, mut doubt) = self.common_statements(question, coords);
        let distance = self.distance_of(question.scope);
        let [op, _] = question.accesses.map(|access| access.op);
        let mut result = Dependence::Independent;
        for first in &question.domains[0].disjuncts {
            for second in &question.domains[1].disjuncts {
                if first.len() + second.len() > MAX_CONSTRAINTS || self.work(op).is_spent() {
                    return Dependence::unknown(Doubt::Budget);
                }
                let observed: Vec<Combination> = distance.iter().cloned().collect();
                let system = self.system_of(question, &common, [first, second], &observed);
                let answer = system.is_empty(self.work(op));
                if answer == Answer::Yes {
                    continue;
                }
                if answer == Answer::Unknown {
                    let budget = self.work(op).is_spent().then_some(Doubt::Budget);
                    doubt = doubt.or(budget).or(Some(Doubt::Subscript));
                }
                doubt = doubt.or_else(|| self.undetermined(question, &system, coords));
                let range = match doubt.is_none() && question.with_distance {
                    true => system.range(0, self.work(op)),
                    false => ValueRange::UNKNOWN,
                };
                result = join(result, doubt, range);
            }
        }
        result
    }

    /// The polyhedron of the pairs of iterations in one conjunction of each domain for which
    /// `common` holds. The second iteration is the later one where the scope orders a loop.
    fn system_of(
        &mut self,
        question: &Question,
        common: &Statements,
        [first, second]: [&[Constraint]; 2],
        observed: &[Combination],
    ) -> System {
        let mut statements = common.clone();
        statements.add_all(first, Instance::First);
        statements.add_all(second, Instance::Second);
        if let Some(distance) = self.distance_of(question.scope) {
            // Steps are positive, so later iterations have greater values.
            statements.at_least_zero(distance.offset(-1));
        }
        let scope = question.scope;
        require_whole_steps(&mut self.values, &mut statements, scope);
        statements.solve(&self.values, |v, atom| shares(scope, v, atom), observed)
    }

    /// Whether interval arithmetic alone shows that some coordinate differs between the accesses.
    fn are_apart(
        &mut self,
        scope: Scope,
        accesses: [&Access; 2],
        coords: &[(AffineExpr, AffineExpr)],
    ) -> bool {
        let env = accesses.map(|access| self.values.environment_at(access.op));
        coords.iter().any(|&(a, b)| {
            let apart = difference(&mut self.values, scope, [a, b], env);
            apart.is_some_and(|d| is_below_modulus(d) && (d.least > 0 || d.most < 0))
        })
    }

    /// Conflict constraints: both instances touch one element, in range; with the reason for doubt
    /// if the constraints are incomplete.
    fn common_statements(
        &mut self,
        question: &Question,
        coords: &[(AffineExpr, AffineExpr)],
    ) -> (Statements, Option<Doubt>) {
        let mut statements = question.further.clone();
        let mut doubt = None;
        let [first, second] = question.accesses;
        let env = [
            self.values.environment_at(first.op),
            self.values.environment_at(second.op),
        ];
        for &(a, b) in coords {
            // Congruent modulo 2^64, so equal if less than that apart.
            if is_close(&mut self.values, question.scope, [a, b], env) {
                let difference = Combination::of(a, Instance::First).plus(-1, b, Instance::Second);
                statements.equal(difference);
            } else {
                doubt = Some(Doubt::Wraps);
            }
        }
        let instances = [Instance::First, Instance::Second].into_iter().zip(env);
        for (access, (instance, env)) in question.accesses.into_iter().zip(instances) {
            statements.add_all(&access.constraints, instance);
            for &(index, extent) in access.guards.iter().flatten() {
                if self.values.fits(index, env) && self.values.fits(extent, env) {
                    require_in_range(&mut statements, [index, extent], instance);
                } else {
                    doubt = doubt.or(Some(Doubt::Wraps));
                }
            }
            if access.may {
                doubt = doubt.or(Some(Doubt::Effect));
            }
        }
        if !question.domains.iter().all(|domain| domain.is_exact) {
            doubt = doubt.or(Some(Doubt::Condition));
        }
        (statements, doubt)
    }

    /// The unknown that a found point depends on: a number other than a loop counter, or a size
    /// that decides whether the subscripts can be equal.
    fn undetermined(
        &self,
        question: &Question,
        system: &System,
        coords: &[(AffineExpr, AffineExpr)],
    ) -> Option<Doubt> {
        let values = &self.values;
        let mut decisive: Vec<u32> = Vec::new();
        for &(a, b) in coords {
            let difference = values.ctx.affine_sub(a, b);
            values.atoms_in(difference, &mut decisive);
        }
        let open = system.atoms().iter().find(|&&number| {
            let atom = values.atom(number);
            !is_counter(values, atom)
                && match shares(question.scope, values, atom) {
                    true => decisive.contains(&number),
                    false => !matches!(atom, Atom::Touched(..) | Atom::Lane(..)),
                }
        });
        open.map(|&number| Doubt::Value(values.atom(number).anchor()))
    }

    /// Dependence distance: the difference of the scope's counter between the instances.
    fn distance_of(&mut self, scope: Scope) -> Option<Combination> {
        let iv = differing_counter(&mut self.values, scope)?;
        Some(Combination::of(iv, Instance::Second).plus(-1, iv, Instance::First))
    }
}

/// Dependence question: two accesses, their domains, and the scope that says which iterations are
/// compared.
#[derive(Clone)]
struct Question<'q> {
    scope: Scope,
    accesses: [&'q Access; 2],
    domains: [Rc<Domain>; 2],
    /// Further constraints on the two iterations.
    further: &'q Statements,
    with_distance: bool,
}

/// The counter that is less in the first instance, if the scope orders one.
fn differing_counter(values: &mut AffineValues, scope: Scope) -> Option<AffineExpr> {
    let block = values.body.region_block(scope.differing()?, 0)?;
    let &iv = values.body[block].args.first()?;
    Some(values.atom_expr(Atom::Value(iv)))
}

/// Whether an atom is the counter of a loop, so that its domain fully describes it.
fn is_counter(values: &AffineValues, atom: Atom) -> bool {
    let Atom::Value(value) = atom else {
        return false;
    };
    let body = values.body;
    let block = body.value_block(value);
    let op = block.and_then(|block| body.block_parent_op(block));
    op.is_some_and(|op| match body[op].name {
        scf::FOR => scf::ForOp(op).induction_var(body) == value,
        _ => counters(body, op).any(|counter| counter.induction_var(body) == value),
    })
}

fn join(found: Dependence, doubt: Option<Doubt>, range: ValueRange) -> Dependence {
    // Only ends that are attained are distances.
    let distance = range.exact_ends();
    let proved = doubt.is_none();
    match found {
        Dependence::Dependent {
            proved: before,
            distance: (lower, upper),
            doubt: other,
        } => Dependence::Dependent {
            proved: before || proved,
            doubt: if before || proved { None } else { other },
            distance: (
                lower.zip(distance.0).map(|(x, y)| x.min(y)),
                upper.zip(distance.1).map(|(x, y)| x.max(y)),
            ),
        },
        Dependence::Independent => Dependence::Dependent {
            proved,
            doubt,
            distance,
        },
    }
}
