//! `affine-branch-to-select`: computes both arms of a short branch without effects, and selects.
//!
//! ```text
//! %t = scf.if %c -> f32 {                    %v = affine.load %x[%i]
//!   %v = affine.load %x[%i]                  %n = arith.addf %a, %v
//!   %n = arith.addf %a, %v           ⇒       %t = arith.select %c, %n, %a
//!   scf.yield %n
//! } else { scf.yield %a }
//! ```
//!
//! Threads that run in lockstep run both arms of a branch on which they differ; without the branch their
//! accesses side by side are vectors, and nothing is predicted.
//!
//! Legal where both arms hold nothing but operations that may run whether the condition holds or not
//! ([`speculation`](super::speculation)), and which load nothing where the condition is one on counters:
//! it may be what tells iterations apart that access the same memory. Done in loops, for drivers that run kernels on the CPU, to
//! numbers, and where both arms are short and call no function of `math`.

use gridloom_dialects::{affine, arith, scf};
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Builder, Context, Module, OpId, Value};

use super::plans::{Plans, change_by_plans};
use super::speculation::may_run_anyway;
use crate::analysis::alias::Globals;
use crate::analysis::condition::conjunction;
use crate::analysis::dependence::Dependences;
use crate::analysis::load_store::is_load;
use crate::analysis::values::Atom;
use crate::target::OffloadOptions;

/// Limit of the operations of both arms: with more, those of the arm that is not taken cost more than
/// the branch.
const MAX_OPERATIONS: usize = 16;

/// Limit of the rounds, of which each converts the innermost branches.
const MAX_ROUNDS: usize = 4;

/// Converts branches in the loops of a module. Returns whether anything changed.
pub fn select_of_branches(ctx: &Context, module: &mut Module, options: &OffloadOptions) -> bool {
    // Private arrays are for threads that run in lockstep on a CPU.
    options.private_updates.is_some()
        && change_by_plans(
            ctx,
            module,
            MAX_ROUNDS,
            |body, globals| plan_body(ctx, body, globals),
            |&branch, body| convert(ctx, body, branch),
        )
}

fn plan_body(ctx: &Context, body: &Body, globals: &Globals) -> Plans<OpId> {
    if !body.may_hold(scf::IF) {
        return (Vec::new(), false);
    }
    let mut deps = Dependences::new(ctx, body, globals);
    let branches = body.walk().into_iter();
    let branches = branches.filter(|&op| is_convertible(&mut deps, op));
    (branches.collect(), false)
}

/// Whether a branch in a loop yields numbers that both arms may compute in any case.
fn is_convertible(deps: &mut Dependences, branch: OpId) -> bool {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let is_loop = |op: OpId| matches!(body[op].name, affine::FOR | affine::PARALLEL);
    let is_number = |value: Value| {
        let ty = body.ty(value);
        ty.is_index(ctx) || ty.signless_width(ctx).is_some() || ty.float_kind(ctx).is_some()
    };
    if body[branch].name != scf::IF
        || body[branch].num_results() == 0
        || !body[branch].results().all(is_number)
        || !body.ancestors(branch).any(is_loop)
    {
        return false;
    }
    let arms = [0, 1].map(|arm| body.region_block(branch, arm));
    let [Some(then), Some(other)] = arms else {
        return false;
    };
    let inside = [then, other].into_iter().flat_map(|arm| body.ops(arm));
    let inside: Vec<OpId> = inside.filter(|&op| body[op].name != scf::YIELD).collect();
    let is_short = |&op: &OpId| !ctx.op_name_str(body[op].name).starts_with("math.");
    inside.len() <= MAX_OPERATIONS
        && inside.iter().all(is_short)
        && !(inside.iter().any(|&op| is_load(body, op)) && tests_counters(deps, branch))
        && inside
            .into_iter()
            .all(|op| !body[op].name.has(Traits::TERMINATOR) && may_run_anyway(deps, op, branch))
}

/// Whether the condition of a branch says something of counters.
fn tests_counters(deps: &mut Dependences, branch: OpId) -> bool {
    let values = &mut deps.values;
    let condition = scf::IfOp(branch).condition(values.body);
    [true, false].into_iter().any(|outcome| {
        let known = conjunction(values, branch, condition, outcome).constraints;
        let mut atoms = Vec::new();
        known
            .iter()
            .for_each(|constraint| values.atoms_in(constraint.expr, &mut atoms));
        atoms.into_iter().any(|atom| match values.atom(atom) {
            Atom::Value(value) => values.body.defining_op(value).is_none(),
            _ => false,
        })
    })
}

/// Moves both arms in front of the branch, and selects between what they yield.
fn convert(ctx: &Context, body: &mut Body, branch: OpId) {
    let condition = scf::IfOp(branch).condition(body);
    let mut yielded: Vec<Vec<Value>> = Vec::new();
    for arm in [0, 1] {
        let Some(block) = body.region_block(branch, arm) else {
            unreachable!("a branch with results has two arms");
        };
        let ops: Vec<OpId> = body.ops(block).collect();
        for op in ops {
            if body[op].name == scf::YIELD {
                yielded.push(body[op].operands.to_vec());
            } else {
                body.detach(op);
                body.insert_before(branch, op);
            }
        }
    }
    let results: Vec<Value> = body[branch].results().collect();
    for (number, result) in results.into_iter().enumerate() {
        let mut b = Builder::before(ctx, body, branch);
        let [then, other] = [yielded[0][number], yielded[1][number]];
        let selected = arith::select(&mut b, condition, then, other);
        body.replace_uses(result, selected);
    }
    body.erase(branch);
}
