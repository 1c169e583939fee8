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
//! ([`speculation`](super::speculation)). Where the condition is one on counters, it may be what tells iterations apart that access the
//! same memory: then the arms load from memory only that nothing in the parallel loops around writes, and such a load at an index that
//! may be out of range without the condition, as that of a convolution with padding, is one at a clamped index
//! ([`clamped`]). Done in loops, for drivers that run kernels on the CPU, to
//! numbers, and where both arms are short and call no function of `math`. Where the condition keeps windows within borders, nearly all
//! threads take one arm, and it may be longer.

use std::collections::HashMap;

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::{affine, arith, scf};
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Builder, Context, Module, OpId, Value};

use self::clamped::ClampedLoad;
use super::affine_window_hull::MAX_SIDE;
use super::lower_affine::expand_set;
use super::plans::{Plans, change_by_plans};
use super::speculation::may_run_anyway;
use crate::analysis::access::{Place, accesses_of};
use crate::analysis::alias::{Globals, root_of};
use crate::analysis::condition::conjunction;
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::domain::set_constraints;
use crate::analysis::load_store::is_load;
use crate::analysis::loop_kind::is_affine_loop;
use crate::analysis::parallel::verdict;
use crate::analysis::repeatable::are_unchanged;
use crate::analysis::values::Atom;
use crate::target::OffloadOptions;

mod clamped;

/// Limit of the operations of both arms: with more, those of the arm that is not taken cost more than
/// the branch.
const MAX_OPERATIONS: usize = 16;

/// Limit of the operations of an arm that nearly all iterations take.
const MAX_USUAL_OPERATIONS: usize = 64;

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
            |conversion, body| convert(ctx, body, conversion),
        )
}

/// A branch that becomes selections, and the loads in it that become loads at clamped indices.
struct Conversion {
    branch: OpId,
    clamped: Vec<ClampedLoad>,
}

fn plan_body(ctx: &Context, body: &Body, globals: &Globals) -> Plans<Conversion> {
    if !body.may_hold(scf::IF) && !body.may_hold(affine::IF) {
        return (Vec::new(), false);
    }
    let mut planner = Planner {
        deps: Dependences::new(ctx, body, globals),
        parallel: HashMap::new(),
    };
    let branches = body.walk().into_iter();
    let plans = branches.filter_map(|op| planner.plan(op)).collect();
    (plans, planner.deps.aliases.relied_on_arguments())
}

struct Planner<'a> {
    deps: Dependences<'a>,
    /// Whether loops are parallel, as far as that was asked.
    parallel: HashMap<OpId, bool>,
}

impl Planner<'_> {
    /// The conversion of a branch in a loop that yields numbers which both arms may compute in any case.
    fn plan(&mut self, branch: OpId) -> Option<Conversion> {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        let is_number = |value: Value| {
            let ty = body.ty(value);
            ty.is_index(ctx) || ty.signless_width(ctx).is_some() || ty.float_kind(ctx).is_some()
        };
        if !matches!(body[branch].name, scf::IF | affine::IF)
            || body[branch].num_results() == 0
            || !body[branch].results().all(is_number)
            || !body.ancestors(branch).any(|op| is_affine_loop(body, op))
        {
            return None;
        }
        let arms = [body.region_block(branch, 0)?, body.region_block(branch, 1)?];
        let inside = arms.into_iter().flat_map(|arm| body.ops(arm));
        let inside: Vec<OpId> = inside.filter(|&op| !is_yield(body, op)).collect();
        let is_short = |&op: &OpId| !ctx.op_name_str(body[op].name).starts_with("math.");
        let computes = |&&op: &&OpId| body[op].name != arith::CONSTANT;
        let operations = inside.iter().filter(computes).count();
        if (operations > MAX_OPERATIONS || !inside.iter().all(is_short))
            && (operations > MAX_USUAL_OPERATIONS || !self.keeps_windows(branch))
        {
            return None;
        }
        let mut clamped = Vec::new();
        let loads = |&op: &OpId| is_load(body, op);
        let tests_counters = inside.iter().any(loads) && tests_counters(&mut self.deps, branch);
        for op in inside {
            if body[op].name.has(Traits::TERMINATOR) {
                return None;
            }
            if tests_counters && is_load(body, op) && !self.is_never_written(op, branch) {
                return None;
            }
            if !may_run_anyway(&mut self.deps, op, branch) {
                let load = tests_counters.then(|| ClampedLoad::of(&mut self.deps, op, branch));
                clamped.push(load.flatten()?);
            }
        }
        Some(Conversion { branch, clamped })
    }

    /// Whether a branch has a second arm that computes nothing, and only tests that places in windows are within borders: each
    /// bound is one on the sum of a parallel loop's counter and that of a short loop.
    fn keeps_windows(&mut self, branch: OpId) -> bool {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        let Some(test) = affine::IfOp::cast(body, branch) else {
            return false;
        };
        let is_empty = |block| body.ops(block).all(|op| is_yield(body, op));
        if !test.else_block(body).is_some_and(is_empty) {
            return false;
        }
        let loops: Vec<ForOp> = (body.ancestors(branch))
            .filter_map(|op| ForOp::cast(body, op))
            .collect();
        let (short, long): (Vec<ForOp>, Vec<ForOp>) = (loops.into_iter())
            .partition(|l| (l.signed_trip_count(ctx, body)).is_some_and(|n| n <= MAX_SIDE));
        let long: Vec<ForOp> = long.into_iter().filter(|l| self.is_parallel(l.0)).collect();
        let values = &mut self.deps.values;
        let mut counters = |loops: Vec<ForOp>| -> Vec<u32> {
            let atoms = loops.iter().map(|l| Atom::Value(l.induction_var(body)));
            atoms.map(|atom| values.atom_number(atom)).collect()
        };
        let (short, long) = (counters(short), counters(long));
        let set = test.set(ctx, body);
        let bounds = set_constraints(&mut self.deps.values, branch, set, test.operands(body));
        let values = &self.deps.values;
        bounds.into_iter().all(|bound| {
            let Some(bound) = bound.filter(|bound| !bound.is_eq) else {
                return false;
            };
            let moves = |counter: &u32| {
                (values.coefficient(bound.expr, *counter)).is_some_and(|by| by.unsigned_abs() == 1)
            };
            short.iter().any(moves) && long.iter().any(moves)
        })
    }

    /// Whether no iteration of the parallel loops around a branch writes memory that a load in it reads.
    fn is_never_written(&mut self, load: OpId, branch: OpId) -> bool {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        let around: Vec<OpId> = body.ancestors(branch).collect();
        let Some(grid) = around.into_iter().rev().find(|&op| self.is_parallel(op)) else {
            return false;
        };
        let mut accesses = Vec::new();
        accesses_of(&mut self.deps.values, load, &mut accesses);
        for access in &mut accesses {
            access.op = branch;
            access.place = Place::Somewhere(root_of(ctx, body, body[load].operands[0]));
            access.guards = None;
            access.constraints.clear();
        }
        let scope = Scope::AnyIterations(grid);
        are_unchanged(&mut self.deps, &accesses, grid, scope) == Some(true)
    }

    fn is_parallel(&mut self, op: OpId) -> bool {
        if !is_affine_loop(self.deps.values.body, op) {
            return false;
        }
        let deps = &mut self.deps;
        let known = self.parallel.entry(op);
        *known.or_insert_with(|| verdict(deps, op).is_parallel())
    }
}

fn is_yield(body: &Body, op: OpId) -> bool {
    matches!(body[op].name, scf::YIELD | affine::YIELD)
}

/// Whether the condition of a branch says something of counters.
fn tests_counters(deps: &mut Dependences, branch: OpId) -> bool {
    let values = &mut deps.values;
    if values.body[branch].name == affine::IF {
        return true;
    }
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
fn convert(ctx: &Context, body: &mut Body, conversion: &Conversion) {
    let branch = conversion.branch;
    for load in &conversion.clamped {
        load.clamp(ctx, body);
    }
    let condition = match affine::IfOp::cast(body, branch) {
        Some(affine_if) => {
            let set = affine_if.set(ctx, body);
            let operands = affine_if.operands(body).to_vec();
            expand_set(&mut Builder::before(ctx, body, branch), set, &operands)
        }
        None => scf::IfOp(branch).condition(body),
    };
    let mut yielded: Vec<Vec<Value>> = Vec::new();
    for arm in [0, 1] {
        let Some(block) = body.region_block(branch, arm) else {
            unreachable!("a branch with results has two arms");
        };
        let ops: Vec<OpId> = body.ops(block).collect();
        for op in ops {
            if is_yield(body, op) {
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
