//! Iteration domains: the integer sets of iterations in which an operation runs.
//!
//! ```text
//! affine.for %i = 0 to %n {
//!   affine.for %j = %i to %n step 2 {           { (i, j) : 0 <= i < n, i <= j < n, j ≡ i (mod 2), j >= 1 }
//!     affine.if (j - 1 >= 0) { … op … }
//! ```
//!
//! A domain is a union of conjunctions over atoms, and too large rather than too small: a bound that is not affine, or that
//! may wrap around, is left out. [`Domain::is_exact`] says that it is not too large.

use gridloom_dialects::{affine, arith, scf};
use gridloom_ir::affine::IntegerSet;
use gridloom_ir::{AffineExpr, BlockId, Body, OpId, RegionId};

use super::carried::{constraints_behind, constraints_inside};
use super::condition::conjunction;
use super::counter::{Counter, counters};
use super::interval::Environment;
use super::values::{AffineValues, Atom};

/// Affine constraint over atoms: `expr == 0` or `expr >= 0`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Constraint {
    /// The left side.
    pub expr: AffineExpr,
    /// Equality if true, inequality if false.
    pub is_eq: bool,
}

/// Iteration domain: a union of conjunctions that holds whenever the operation runs. It
/// over-approximates: constraints that are not affine, or whose values may wrap around, are left
/// out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Domain {
    /// At least one conjunction; an empty one is true everywhere.
    pub disjuncts: Vec<Vec<Constraint>>,
    /// Whether the domain holds only when the operation runs, as far as loops go and conditions inside of them: those in front
    /// of all loops are the same for all iterations.
    pub is_exact: bool,
}

/// Unions with more parts than this are widened by leaving a guard out.
const MAX_DISJUNCTS: usize = 12;

/// Limit of the `scf.while` loops in a block whose results a domain constrains.
const MAX_LOOPS_BEHIND: usize = 8;

impl Domain {
    fn everywhere() -> Self {
        Domain {
            disjuncts: vec![Vec::new()],
            is_exact: true,
        }
    }

    fn require(&mut self, constraints: &[Constraint]) {
        for conjunction in &mut self.disjuncts {
            conjunction.extend_from_slice(constraints);
        }
    }

    /// Intersects with a union of single constraints.
    fn require_one_of(&mut self, alternatives: &[Constraint]) {
        if alternatives.is_empty() || self.disjuncts.len() * alternatives.len() > MAX_DISJUNCTS {
            self.is_exact = false;
            return;
        }
        let with = |conjunction: &Vec<Constraint>, alternative: &Constraint| {
            let mut conjunction = conjunction.clone();
            conjunction.push(*alternative);
            conjunction
        };
        self.disjuncts = (alternatives.iter())
            .flat_map(|alternative| self.disjuncts.iter().map(move |c| with(c, alternative)))
            .collect();
    }
}

/// The iteration domain of an operation, from the loops and conditions around it.
pub fn domain(values: &mut AffineValues, op: OpId) -> Domain {
    domain_up_to(values, op, None)
}

/// The iteration domain of an operation within one iteration of the loop `around`, from the loops
/// and conditions between them.
pub fn domain_inside(values: &mut AffineValues, op: OpId, around: OpId) -> Domain {
    domain_up_to(values, op, Some(around))
}

fn domain_up_to(values: &mut AffineValues, op: OpId, end: Option<OpId>) -> Domain {
    let mut domain = Domain::everywhere();
    let body = values.body;
    let mut inner = op;
    while let Some(block) = body[inner].parent() {
        let (Some(region), Some(outer)) = (body[block].parent(), body.block_parent_op(block))
        else {
            break;
        };
        if end == Some(outer) {
            break;
        }
        let was_exact = domain.is_exact;
        restrict(values, &mut domain, outer, region);
        domain.is_exact |= was_exact && is_in_front_of_loops(body, outer);
        restrict_by_loops(values, &mut domain, op, (outer, block));
        inner = outer;
    }
    domain
}

/// Whether an operation is a condition outside of all loops.
fn is_in_front_of_loops(body: &Body, op: OpId) -> bool {
    let is_condition = |op: OpId| matches!(body[op].name, affine::IF | scf::IF);
    // Several blocks may be a loop.
    is_condition(op) && body.ancestors(op).all(is_condition) && body.top_blocks().count() == 1
}

/// Constrains a domain by the invariants of `scf.while` loops: of the one whose block this is, and
/// of those in the block, whose results may be used in it.
fn restrict_by_loops(
    values: &mut AffineValues,
    domain: &mut Domain,
    op: OpId,
    (parent, block): (OpId, BlockId),
) {
    let inside = scf::WhileOp::cast(values.body, parent);
    let behind = values.whiles_in(block);
    if inside.is_none() && behind.is_empty() {
        return;
    }
    let env = values.environment_at(op);
    if let Some(inside) = inside {
        domain.require(&constraints_inside(values, inside, block, env));
    }
    for behind in behind.into_iter().take(MAX_LOOPS_BEHIND) {
        domain.require(&constraints_behind(values, behind, env));
    }
}

/// Constrains a domain to executions of `region` of `op`.
fn restrict(values: &mut AffineValues, domain: &mut Domain, op: OpId, region: RegionId) {
    let body = values.body;
    match body[op].name {
        affine::FOR | affine::PARALLEL => {
            for counter in counters(body, op) {
                let (constraints, is_exact) = loop_constraints(values, counter);
                domain.require(&constraints);
                domain.is_exact &= is_exact;
            }
        }
        scf::FOR => match scf_for_constraints(values, scf::ForOp(op)) {
            Some((constraints, is_exact)) => {
                domain.require(&constraints);
                domain.is_exact &= is_exact;
            }
            None => domain.is_exact = false,
        },
        affine::IF => {
            let branch = affine::IfOp(op);
            let set = branch.set(values.ctx, body);
            let constraints = set_constraints(values, op, set, branch.operands(body));
            let known: Vec<Constraint> = constraints.iter().copied().flatten().collect();
            let is_complete = known.len() == constraints.len();
            if body[op].inline_regions().first() == Some(&region) {
                domain.require(&known);
            } else if is_complete {
                domain.require_one_of(&complement(values, &known));
            }
            domain.is_exact &= is_complete;
        }
        scf::IF if values.is_range_test(op, region) => {}
        scf::IF => {
            let outcome = body[op].inline_regions().first() == Some(&region);
            let condition = body[op].operands[0];
            let found = conjunction(values, op, condition, outcome);
            domain.require(&found.constraints);
            if found.is_complete {
                return;
            }
            // If the opposite is a conjunction, this is one of its complements.
            let opposite = conjunction(values, op, condition, !outcome);
            match opposite.is_complete {
                true => domain.require_one_of(&complement(values, &opposite.constraints)),
                false => domain.is_exact = false,
            }
        }
        _ => domain.is_exact = false,
    }
}

/// `lower <= iv < upper` for every bound that does not wrap around, and
/// `iv ≡ lower` modulo the step where there is one lower bound to count from.
pub fn counter_constraints(values: &mut AffineValues, op: Counter) -> Vec<Constraint> {
    loop_constraints(values, op).0
}

/// Returns the constraints of a counter if none of its bounds had to be left out, so that the
/// iterations are exactly those that satisfy them.
pub fn exact_counter_constraints(
    values: &mut AffineValues,
    op: Counter,
) -> Option<Vec<Constraint>> {
    let (constraints, is_exact) = loop_constraints(values, op);
    let lowers = op.lower(values.ctx, values.body).map.results(values.ctx);
    let counts = op.step(values.ctx, values.body) == 1 || lowers.len() == 1;
    (is_exact && counts).then_some(constraints)
}

/// The constraints of a counter, and whether every bound is among them.
fn loop_constraints(values: &mut AffineValues, op: Counter) -> (Vec<Constraint>, bool) {
    let (ctx, body) = (values.ctx, values.body);
    let (lower, upper) = (op.lower(ctx, body), op.upper(ctx, body));
    let lowers = values.map_exprs(op.op, lower.map, lower.operands);
    let uppers = values.map_exprs(op.op, upper.map, upper.operands);
    let env = values.environment_at(op.op);
    let lowers = fitting(values, &lowers, env);
    let uppers = fitting(values, &uppers, env);
    let iv = values.atom_expr(Atom::Value(op.induction_var(body)));
    let is_exact = lowers.iter().chain(&uppers).all(Option::is_some);
    let constraints = range_constraints(values, iv, &lowers, &uppers, op.step(ctx, body));
    (constraints, is_exact)
}

/// Keeps the expressions that fit 64 bits, so that the machine computes the same; `None` for the
/// others.
pub fn fitting(
    values: &mut AffineValues,
    exprs: &[Option<AffineExpr>],
    env: Environment,
) -> Vec<Option<AffineExpr>> {
    let exprs = exprs.iter();
    exprs
        .map(|expr| expr.filter(|&expr| values.fits(expr, env)))
        .collect()
}

/// The step of an `scf.for` that counts up by a constant, in signed `index`.
pub(super) fn counted_step(values: &AffineValues, op: scf::ForOp) -> Option<i64> {
    let (ctx, body) = (values.ctx, values.body);
    let step = arith::constant_int(ctx, body, op.step(body)).filter(|&step| step > 0);
    let is_index = body.ty(op.lower(body)).is_index(ctx);
    step.filter(|_| is_index && !op.is_unsigned(ctx, body))
}

/// Returns the constraints of an `scf.for` with a constant positive step; nothing for others, nor
/// for unsigned comparisons.
fn scf_for_constraints(
    values: &mut AffineValues,
    op: scf::ForOp,
) -> Option<(Vec<Constraint>, bool)> {
    let body = values.body;
    let step = counted_step(values, op)?;
    let env = values.environment_at(op.0);
    let bounds = [op.lower(body), op.upper(body)].map(|bound| Some(values.expr(bound)));
    let bounds = fitting(values, &bounds, env);
    let iv = values.atom_expr(Atom::Value(op.induction_var(body)));
    let is_exact = bounds.iter().all(Option::is_some);
    let constraints = range_constraints(values, iv, &bounds[..1], &bounds[1..], step);
    Some((constraints, is_exact))
}

fn range_constraints(
    values: &AffineValues,
    iv: AffineExpr,
    lowers: &[Option<AffineExpr>],
    uppers: &[Option<AffineExpr>],
    step: i64,
) -> Vec<Constraint> {
    let ctx = values.ctx;
    let at_least = |expr| Constraint { expr, is_eq: false };
    let above = lowers
        .iter()
        .flatten()
        .map(|&lower| at_least(ctx.affine_sub(iv, lower)));
    let below = uppers.iter().flatten().map(|&upper| {
        let last = ctx.affine_add(upper, ctx.affine_const(-1));
        at_least(ctx.affine_sub(last, iv))
    });
    let mut constraints: Vec<Constraint> = above.chain(below).collect();
    if let (&[Some(lower)], 2..) = (lowers, step) {
        let distance = ctx.affine_sub(iv, lower);
        let rest = ctx.affine_binary(
            gridloom_ir::affine::AffineOp::Mod,
            distance,
            ctx.affine_const(step),
        );
        constraints.push(Constraint {
            expr: rest,
            is_eq: true,
        });
    }
    constraints
}

/// The constraints of an integer set applied to `operands` at `op`; `None` for a constraint that
/// may wrap around.
pub fn set_constraints(
    values: &mut AffineValues,
    op: OpId,
    set: IntegerSet,
    operands: &[gridloom_ir::Value],
) -> Vec<Option<Constraint>> {
    let data = set.data(values.ctx);
    let env = values.environment_at(op);
    let over = |c: &gridloom_ir::affine::AffineConstraint| {
        let expr = values.over(env, c.expr, data.dims as usize, operands)?;
        let is_eq = c.is_eq;
        values.fits(expr, env).then_some(Constraint { expr, is_eq })
    };
    data.constraints.iter().map(over).collect()
}

/// Negation of a conjunction: the alternatives of which one holds where not all `constraints` do.
fn complement(values: &AffineValues, constraints: &[Constraint]) -> Vec<Constraint> {
    let ctx = values.ctx;
    let minus_one = ctx.affine_const(-1);
    let mut alternatives = Vec::new();
    for constraint in constraints {
        // not (e >= 0)  is  -e - 1 >= 0
        let negated = ctx.affine_mul(constraint.expr, minus_one);
        let mut exprs = vec![ctx.affine_add(negated, minus_one)];
        if constraint.is_eq {
            exprs.push(ctx.affine_add(constraint.expr, minus_one));
        }
        alternatives.extend(
            exprs
                .into_iter()
                .map(|expr| Constraint { expr, is_eq: false }),
        );
    }
    alternatives
}
