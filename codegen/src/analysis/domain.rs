//! In which iterations an operation runs.

use gridloom_ir::affine::IntegerSet;
use gridloom_ir::dialect::{affine, arith, scf};
use gridloom_ir::{AffineExpr, OpId, RegionId};

use super::counter::{Counter, counters};
use super::values::{AffineValues, Atom};

/// `expr == 0` or `expr >= 0`, over atoms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Constraint {
    /// The left side.
    pub expr: AffineExpr,
    /// Equality if true, inequality if false.
    pub is_eq: bool,
}

/// A union of conjunctions that holds whenever the operation runs. It may hold
/// more often: a condition that is not affine is left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Domain {
    /// At least one conjunction; an empty one is true everywhere.
    pub disjuncts: Vec<Vec<Constraint>>,
}

/// Unions with more parts than this are widened by leaving a guard out.
const MAX_DISJUNCTS: usize = 12;

impl Domain {
    fn everywhere() -> Self {
        Domain {
            disjuncts: vec![Vec::new()],
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

/// The domain of an operation: what the loops and conditions around it say.
pub fn domain(values: &mut AffineValues, op: OpId) -> Domain {
    let mut domain = Domain::everywhere();
    let body = values.body;
    let mut inner = op;
    while let Some(block) = body[inner].parent() {
        let (Some(region), Some(outer)) = (body[block].parent(), body.block_parent_op(block))
        else {
            break;
        };
        restrict(values, &mut domain, outer, region);
        inner = outer;
    }
    domain
}

/// Adds what being in `region` of `op` means.
fn restrict(values: &mut AffineValues, domain: &mut Domain, op: OpId, region: RegionId) {
    let body = values.body;
    match body[op].name {
        affine::FOR | affine::PARALLEL => {
            for counter in counters(body, op) {
                domain.require(&counter_constraints(values, counter));
            }
        }
        scf::FOR => domain.require(&scf_for_constraints(values, scf::ForOp(op))),
        affine::IF => {
            let branch = affine::IfOp(op);
            let set = branch.set(values.ctx, body);
            let constraints = set_constraints(values, set, branch.operands(body));
            if body[op].inline_regions().first() == Some(&region) {
                domain.require(&constraints);
            } else {
                domain.require_one_of(&complement(values, &constraints));
            }
        }
        _ => {}
    }
}

/// `lower <= iv < upper` for every bound, and `iv ≡ lower` modulo the step
/// where there is one lower bound to count from.
pub fn counter_constraints(values: &mut AffineValues, op: Counter) -> Vec<Constraint> {
    let (ctx, body) = (values.ctx, values.body);
    let (lower, upper) = (op.lower(ctx, body), op.upper(ctx, body));
    let lowers = values.map_exprs(lower.map, lower.operands);
    let uppers = values.map_exprs(upper.map, upper.operands);
    let iv = values.atom_expr(Atom::Value(op.induction_var(body)));
    range_constraints(values, iv, &lowers, &uppers, op.step(ctx, body))
}

/// The same for `scf.for` with a constant positive step; nothing for others,
/// nor for unsigned comparisons.
fn scf_for_constraints(values: &mut AffineValues, op: scf::ForOp) -> Vec<Constraint> {
    let (ctx, body) = (values.ctx, values.body);
    let step = arith::constant_int(ctx, body, op.step(body)).filter(|&step| step > 0);
    let is_index = body.ty(op.lower(body)).is_index(ctx);
    let Some(step) = step.filter(|_| is_index && !op.is_unsigned(ctx, body)) else {
        return Vec::new();
    };
    let lower = values.expr(op.lower(body));
    let upper = values.expr(op.upper(body));
    let iv = values.atom_expr(Atom::Value(op.induction_var(body)));
    range_constraints(values, iv, &[lower], &[upper], step)
}

fn range_constraints(
    values: &AffineValues,
    iv: AffineExpr,
    lowers: &[AffineExpr],
    uppers: &[AffineExpr],
    step: i64,
) -> Vec<Constraint> {
    let ctx = values.ctx;
    let at_least = |expr| Constraint { expr, is_eq: false };
    let above = lowers
        .iter()
        .map(|&lower| at_least(ctx.affine_sub(iv, lower)));
    let below = uppers.iter().map(|&upper| {
        let last = ctx.affine_add(upper, ctx.affine_const(-1));
        at_least(ctx.affine_sub(last, iv))
    });
    let mut constraints: Vec<Constraint> = above.chain(below).collect();
    if let (&[lower], 2..) = (lowers, step) {
        let way = ctx.affine_sub(iv, lower);
        let rest = ctx.affine_binary(
            gridloom_ir::affine::AffineOp::Mod,
            way,
            ctx.affine_const(step),
        );
        constraints.push(Constraint {
            expr: rest,
            is_eq: true,
        });
    }
    constraints
}

fn set_constraints(
    values: &mut AffineValues,
    set: IntegerSet,
    operands: &[gridloom_ir::Value],
) -> Vec<Constraint> {
    let data = set.data(values.ctx);
    let over = |c: &gridloom_ir::affine::AffineConstraint| Constraint {
        expr: values.over(c.expr, data.dims as usize, operands),
        is_eq: c.is_eq,
    };
    data.constraints.iter().map(over).collect()
}

/// The alternatives of which one holds where not all of `constraints` do.
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
