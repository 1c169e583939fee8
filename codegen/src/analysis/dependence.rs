//! Whether two accesses meet, and at what distance.
//!
//! Two instances of the iterations are put into one polyhedron: both lie in
//! the domains of their accesses, both touch the same element, and the scope
//! says which iterations of which loop are compared. If no integer point is
//! left, the accesses do not meet (P. Feautrier, "Dataflow analysis of array
//! and scalar references", 1991; here only existence is asked).

use std::rc::Rc;

use gridloom_dialects::scf;
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{AffineExpr, BlockId, Body, Context, OpId, Value};
use gridloom_presburger::{Answer, ValueRange};

use super::access::Access;
use super::alias::{Aliases, Globals};
use super::budget::{Budgets, Work, root_of_nest};
use super::counter::counters;
use super::domain::{Constraint, Domain, domain};
use super::system::{Combination, Instance, Statements, System};
use super::values::{AffineValues, Atom};
pub use constraints::Compared;
use constraints::{require_compared, require_in_range};
pub use difference::is_close;
use difference::{difference, is_below_modulus};
use meeting::Meeting;
use sharing::{is_same_in_both, shares};

mod constraints;
pub mod delinearise;
mod difference;
mod meeting;
mod sharing;
pub mod witness;

/// Scope of a dependence test: the iterations that are compared. Loops further out are in the
/// same iteration; loops further in are in any two iterations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// An earlier iteration of a loop with a later one.
    AcrossIterations(OpId),
    /// Iterations of a nest in which the counter of one of its loops is less
    /// with those in which it is greater, whatever the other counters are.
    AcrossNest {
        /// The outermost loop of the nest.
        root: OpId,
        /// The loop whose counter differs.
        by: OpId,
    },
    /// Any iteration of a loop with any other or itself.
    AnyIterations(OpId),
    /// Two operations in one run of a block.
    Block(BlockId),
}

impl Scope {
    /// The loop whose counter is less in the first instance.
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

/// Whether one access depends on another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Dependence {
    /// They never touch the same element with one writing.
    Independent,
    /// They do, or it cannot be excluded.
    Dependent {
        /// Whether there are two iterations that touch a common element;
        /// otherwise something is not known well enough.
        proved: bool,
        /// Reason for doubt, unless the dependence is proved.
        doubt: Option<Doubt>,
        /// Least and greatest distance between the two iterations, in values
        /// of the induction variable, where that is [asked](Dependences::explain)
        /// for, proved, and both ends are reached.
        distance: (Option<i64>, Option<i64>),
    },
}

/// Doubt: the reason why a dependence cannot be excluded although none was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doubt {
    /// The element that an access touches is unknown.
    Subscript,
    /// An alias that is not ruled out: both memrefs may name the same memory.
    Memory,
    /// The answer depends on a number known at run time only: this value, if it has one.
    Value(Option<Value>),
    /// A condition around an access is not understood.
    Condition,
    /// The access is one that a call may also leave out.
    Effect,
    /// Index arithmetic may leave the 64 bits of an index.
    Wraps,
    /// The work allowed for the nest is used up.
    Budget,
}

impl Dependence {
    const fn unknown(doubt: Doubt) -> Self {
        Dependence::Dependent {
            proved: false,
            doubt: Some(doubt),
            distance: (None, None),
        }
    }

    /// Whether there is none.
    pub fn is_independent(&self) -> bool {
        *self == Dependence::Independent
    }
}

/// Loops and conditions around two accesses beyond which the question is not
/// put: solvers take more than linear time.
const MAX_CONSTRAINTS: usize = 400;

/// Answers dependence questions about one body, which must not change
/// meanwhile.
pub struct Dependences<'a> {
    /// Index values as affine expressions.
    pub values: AffineValues<'a>,
    /// Alias analysis of memrefs.
    pub aliases: Aliases<'a>,
    /// Work left for each nest.
    pub budgets: Budgets,
    /// Domains by block: all operations of a block have the same.
    domains: FxHashMap<BlockId, Rc<Domain>>,
}

impl<'a> Dependences<'a> {
    /// For a body whose module has these globals.
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

    /// Whether `second` in its iteration meets what `first` touched in its.
    pub fn test(&mut self, scope: Scope, first: &Access, second: &Access) -> Dependence {
        self.answer(scope, first, second, false)
    }

    /// Tests the pairs of iterations of the nest `root` whose numbers compare so.
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

    /// Tests the pairs of iterations for which `further` holds besides.
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
        self.places_meet(scope, [first, second], further, false)
    }

    /// The same as [`test`](Self::test), with the distance, which costs many times as much.
    pub fn explain(&mut self, scope: Scope, first: &Access, second: &Access) -> Dependence {
        self.answer(scope, first, second, true)
    }

    /// Whether it cannot be excluded that both touch one element, even if both
    /// only read it.
    pub fn may_meet(&mut self, scope: Scope, first: &Access, second: &Access) -> bool {
        !self
            .places_meet(scope, [first, second], &Statements::new(), false)
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
        self.places_meet(scope, [first, second], &Statements::new(), with_distance)
    }

    fn places_meet(
        &mut self,
        scope: Scope,
        [first, second]: [&Access; 2],
        further: &Statements,
        with_distance: bool,
    ) -> Dependence {
        let coords = match self.common_coords(scope, &first.place, &second.place) {
            Meeting::Never => return Dependence::Independent,
            Meeting::Unknown(doubt) => return Dependence::unknown(doubt),
            Meeting::Where(coords) => coords,
        };
        // The common case of neighbours and of rows, without domains and a solver.
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
        self.solve(&question, &coords)
    }

    /// The work left for the nest that an operation is in.
    fn work(&mut self, op: OpId) -> &mut Work {
        let root = root_of_nest(self.values.body, op);
        self.budgets.of(root)
    }

    /// Allows so many steps for each nest in place of
    /// [`NEST_STEPS`](super::budget::NEST_STEPS).
    pub fn limit_work(&mut self, steps: u64) {
        self.budgets = Budgets::of_steps(steps);
    }

    /// The steps taken so far.
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

    /// The pairs of iterations of two conjunctions of the domains for which `common` holds, the
    /// second one later where the scope says which loop differs.
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
        statements.solve(&self.values, |v, atom| shares(scope, v, atom), observed)
    }

    /// Whether the interval of some coordinate's difference excludes that it is the same.
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

    /// Constraints of a conflict: both instances touch one element, in range. And
    /// why that does not say it all, if it does not.
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

    /// Unknowns of a point of the system: numbers that are not counters
    /// of loops, and sizes that decide whether the subscripts can be equal.
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

/// Two accesses, where they run, and which iterations are compared.
struct Question<'q> {
    scope: Scope,
    accesses: [&'q Access; 2],
    domains: [Rc<Domain>; 2],
    /// Further constraints on the two iterations.
    further: &'q Statements,
    with_distance: bool,
}

/// The counter that is less in the first instance, where the scope says so.
fn differing_counter(values: &mut AffineValues, scope: Scope) -> Option<AffineExpr> {
    let block = values.body.region_block(scope.differing()?, 0)?;
    let &iv = values.body[block].args.first()?;
    Some(values.atom_expr(Atom::Value(iv)))
}

/// Whether an atom is the counter of a loop, of which its domain says all.
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
    // An end that is not reached is no distance.
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
