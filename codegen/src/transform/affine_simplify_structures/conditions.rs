//! Condition simplification: drops constraints of `affine.if` that its domain implies.

use gridloom_dialects::affine::IfOp;
use gridloom_dialects::inherent;
use gridloom_ir::affine::AffineConstraint;
use gridloom_ir::{BlockId, Body, Context, OpId, Value};
use gridloom_presburger::Answer;

use crate::analysis::budget::{Budgets, Work, root_of_nest};
use crate::analysis::domain::{Constraint, domain, set_constraints};
use crate::analysis::system::{Combination, Instance, Statements};
use crate::analysis::values::AffineValues;

/// Simplification of an `affine.if`.
pub(super) enum Branch {
    /// The condition is constant: the branch that runs replaces the operation.
    Taken(IfOp, bool),
    /// Only some of the constraints remain.
    Fewer(IfOp, Vec<AffineConstraint>),
}

/// Plans the simplification of a body's conditions.
pub(super) fn plans(values: &mut AffineValues) -> Vec<Branch> {
    let body = values.body;
    let mut budgets = Budgets::default();
    let mut found = Vec::new();
    for op in body.walk() {
        if let Some(branch) = IfOp::cast(body, op) {
            let work = budgets.of(root_of_nest(body, op));
            found.extend(plan(values, branch, work));
        }
    }
    found
}

fn plan(values: &mut AffineValues, branch: IfOp, work: &mut Work) -> Option<Branch> {
    let (ctx, body) = (values.ctx, values.body);
    let set = branch.set(ctx, body);
    let constraints = set_constraints(values, branch.0, set, branch.operands(body));
    let around = domain(values, branch.0).disjuncts;
    let all: Vec<Constraint> = constraints.iter().copied().flatten().collect();
    let is_never = (around.iter()).all(|part| is_empty(values, &[part, &all], None, work));
    if is_never {
        return Some(Branch::Taken(branch, false));
    }
    let mut kept: Vec<bool> = vec![true; constraints.len()];
    for (number, constraint) in constraints.iter().enumerate() {
        let Some(constraint) = *constraint else {
            continue;
        };
        let others: Vec<Constraint> = (constraints.iter().zip(&kept).enumerate())
            .filter(|&(other, (_, &kept))| other != number && kept)
            .filter_map(|(_, (constraint, _))| *constraint)
            .collect();
        let is_implied = around.iter().all(|part| {
            (opposites(constraint).into_iter().flatten())
                .all(|opposite| is_empty(values, &[part, &others], Some(opposite), work))
        });
        kept[number] = !is_implied;
    }
    match kept.iter().filter(|&&kept| kept).count() {
        0 => Some(Branch::Taken(branch, true)),
        count if count == kept.len() => None,
        _ => {
            let all = set.data(ctx).constraints.iter();
            let left = all.zip(&kept).filter(|(_, kept)| **kept);
            let left = left.map(|(constraint, _)| *constraint).collect();
            Some(Branch::Fewer(branch, left))
        }
    }
}

/// Negation of a constraint, as alternatives: `-e - 1 >= 0`, and for an equation `e - 1 >= 0` too.
fn opposites(constraint: Constraint) -> [Option<Combination>; 2] {
    let side = |factor| {
        Combination::default()
            .plus(factor, constraint.expr, Instance::First)
            .offset(-1)
    };
    [Some(side(-1)), constraint.is_eq.then(|| side(1))]
}

/// Whether conjunctions have no common integer point.
fn is_empty(
    values: &AffineValues,
    holds: &[&Vec<Constraint>],
    also: Option<Combination>,
    work: &mut Work,
) -> bool {
    let mut statements = Statements::new();
    for constraints in holds {
        statements.add_all(constraints, Instance::First);
    }
    if let Some(also) = also {
        statements.at_least_zero(also);
    }
    // The question has a single instance, so no atom is told apart.
    let system = statements.solve(values, |_, _| true, &[]);
    system.is_empty(work) == Answer::Yes
}

impl Branch {
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        match self {
            Branch::Taken(branch, outcome) => {
                let block = match outcome {
                    true => Some(branch.then_block(body)),
                    false => branch.else_block(body),
                };
                replace_by_block(body, branch.0, block);
            }
            Branch::Fewer(branch, constraints) => {
                let data = branch.set(ctx, body).data(ctx);
                let set = ctx.integer_set(data.dims, data.symbols, constraints);
                body[branch.0].set_property(ctx, inherent::CONDITION, ctx.set_attr(set));
            }
        }
    }
}

/// Inlines a block of `op` in place of the operation: the yielded values replace its results.
fn replace_by_block(body: &mut Body, op: OpId, block: Option<BlockId>) {
    let ops: Vec<OpId> = block.map_or(Vec::new(), |block| body.ops(block).collect());
    if let Some((&last, others)) = ops.split_last() {
        let yielded: Vec<Value> = body[last].operands.to_vec();
        for &inner in others {
            body.detach(inner);
            body.insert_before(op, inner);
        }
        body.replace_results(op, &yielded);
    }
    body.erase(op);
}
