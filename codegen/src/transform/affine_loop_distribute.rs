//! `affine-loop-distribute`: one parallel loop around several things becomes a
//! loop around each.
//!
//! ```text
//! affine.for %i = 0 to %m {                  affine.for %i = 0 to %m {
//!   %x = affine.load %a[%i]                    %x = affine.load %a[%i]
//!   affine.store %x, %s[%i]                    affine.store %x, %s[%i]
//!   affine.for %j = 0 to %n {          ⇒     }
//!     S(%i, %j)                              affine.for %i = 0 to %m {
//!   }                                          affine.for %j = 0 to %n {
//! }                                              S(%i, %j)
//! ```
//!
//! Legal for a loop whose iterations are independent: what remains are
//! dependences within one iteration, and the pieces keep their order. A value
//! used in another piece is computed there again, so it must come from pure
//! operations and from loads of what the loop does not write. It is done where
//! the deepest nest inside has a parallel loop of its own, which then becomes
//! part of a grid; otherwise the loop stays.

use std::collections::HashSet;

use gridloom_ir::dialect::affine::{self, ForOp};
use gridloom_ir::dialect::memref;
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Builder, Context, InsertPoint, IrMapping, Module, OpId};

use super::affine_loop_permute::{copy_loop, perfect_nest};
use crate::analysis::access::{accesses_below, accesses_of};
use crate::analysis::alias::Globals;
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::parallel::{MAX_ACCESSES, distinct_accesses, is_free, verdict};
use crate::offload::versions::change_functions;

/// Distributes loops in the host functions of a module (see [`change_functions`]).
/// Returns whether anything changed.
pub fn distribute_module(ctx: &Context, module: &mut Module) -> bool {
    let globals = Globals::of(ctx, module);
    let changed = change_functions(ctx, module, &globals, |body| {
        let (mut relied, mut changed) = (false, false);
        // Pieces may have pieces themselves; each round goes one loop deeper.
        for _ in 0..MAX_ROUNDS {
            let (plans, relies) = plan_body(ctx, body, &globals);
            if plans.is_empty() {
                break;
            }
            for plan in &plans {
                plan.apply(ctx, body);
            }
            changed = true;
            relied |= relies;
        }
        (relied, changed)
    });
    changed.contains(&true)
}

/// Depth to which pieces are looked into again.
const MAX_ROUNDS: usize = 4;

/// Parallel loops of fewer iterations are not worth a launch of their own.
const MIN_TRIPS: u64 = 8;

/// A loop and its statements in pieces, each with what it repeats.
struct Distribution {
    op: ForOp,
    pieces: Vec<Vec<OpId>>,
}

/// Distributions of loops that do not contain each other.
fn plan_body(ctx: &Context, body: &Body, globals: &Globals) -> (Vec<Distribution>, bool) {
    let mut deps = Dependences::new(ctx, body, globals);
    let mut plans: Vec<Distribution> = Vec::new();
    for op in body.walk() {
        let Some(op) = ForOp::cast(body, op) else {
            continue;
        };
        if plans.iter().any(|plan| body.is_ancestor(plan.op.0, op.0)) {
            continue;
        }
        plans.extend(plan_loop(&mut deps, op));
    }
    let relied = deps.aliases.relied_on_arguments();
    (plans, relied)
}

fn plan_loop(deps: &mut Dependences, op: ForOp) -> Option<Distribution> {
    let body = deps.values.body;
    let statements: Vec<OpId> = body.ops(op.block(body)).collect();
    let (_, statements) = statements.split_last()?;
    let runs = split(body, statements);
    if runs.len() < 2 || body[op.0].num_results() > 0 {
        return None;
    }
    let deepest = statements
        .iter()
        .copied()
        .max_by_key(|&s| loop_depth(body, s))?;
    if !has_parallel_loop(deps, deepest) || !verdict(deps, op.0).is_parallel() {
        return None;
    }
    let pieces = runs.iter().map(|run| closure(deps, op, run));
    Some(Distribution {
        op,
        pieces: pieces.collect::<Option<_>>()?,
    })
}

/// Runs of statements: each loop by itself, and what stands between loops.
/// Runs without effects are left out; those who need them repeat them.
fn split(body: &Body, statements: &[OpId]) -> Vec<Vec<OpId>> {
    let mut runs: Vec<Vec<OpId>> = vec![Vec::new()];
    for &op in statements {
        if body[op].name != affine::FOR {
            if let Some(run) = runs.last_mut() {
                run.push(op);
            }
        } else {
            runs.push(vec![op]);
            runs.push(Vec::new());
        }
    }
    runs.retain(|run| !run.iter().all(|&op| is_repeatable(body, op)));
    runs
}

/// Whether an operation may be computed again, as far as its kind goes.
fn is_repeatable(body: &Body, op: OpId) -> bool {
    let name = body[op].name;
    let is_plain = body[op].inline_regions().is_empty();
    is_plain && (name.has(Traits::PURE) || matches!(name, affine::LOAD | memref::LOAD))
}

fn loop_depth(body: &Body, root: OpId) -> usize {
    let depth = |op: OpId| {
        let up = std::iter::successors(Some(op), |&op| body.parent_op(op).filter(|_| op != root));
        up.filter(|&op| body[op].name == affine::FOR).count()
    };
    body.walk_op(root).into_iter().map(depth).max().unwrap_or(0)
}

/// Whether a nest has a loop that can be brought to its outside and is
/// parallel there.
fn has_parallel_loop(deps: &mut Dependences, root: OpId) -> bool {
    let Some(root) = ForOp::cast(deps.values.body, root) else {
        return false;
    };
    if deps.values.body[root.0].num_results() > 0 {
        return false;
    }
    let (nest, _) = perfect_nest(deps, root);
    let accesses = distinct_accesses(deps, root.0);
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let is_worth = |l: &ForOp| {
        l.constant_trip_count(ctx, body)
            .is_none_or(|n| n >= MIN_TRIPS)
    };
    let mut worth = nest.iter().filter(|l| is_worth(l));
    accesses.len() <= MAX_ACCESSES && worth.any(|l| is_free(deps, root.0, l.0, &accesses))
}

/// A run with all that it needs from the other statements of the loop, in
/// order; `None` if that cannot be repeated.
fn closure(deps: &mut Dependences, op: ForOp, run: &[OpId]) -> Option<Vec<OpId>> {
    let body = deps.values.body;
    let block = op.block(body);
    let mut needed: HashSet<OpId> = run.iter().copied().collect();
    let mut stack: Vec<OpId> = run.to_vec();
    let mut repeated = Vec::new();
    while let Some(statement) = stack.pop() {
        for below in body.walk_op(statement) {
            for &operand in &body[below].operands {
                let Some(def) = body.defining_op(operand) else {
                    continue;
                };
                // What is defined deeper is inside the statement already.
                if body[def].parent() == Some(block) && needed.insert(def) {
                    stack.push(def);
                    repeated.push(def);
                }
            }
        }
    }
    let mut loads = Vec::new();
    for &def in &repeated {
        if !is_repeatable(body, def) {
            return None;
        }
        accesses_of(&mut deps.values, def, &mut loads);
    }
    let all = accesses_below(&mut deps.values, op.0);
    let writes: Vec<_> = all.iter().filter(|access| access.is_write).collect();
    let scope = Scope::Block(block);
    let unchanged = loads.len() * writes.len() <= MAX_ACCESSES
        && loads.iter().all(|load| {
            let mut writes = writes.iter();
            writes.all(|write| deps.test(scope, load, write).is_independent())
        });
    let in_order = body.ops(block).filter(|op| needed.contains(op));
    unchanged.then(|| in_order.collect())
}

impl Distribution {
    fn apply(&self, ctx: &Context, body: &mut Body) {
        let source = body.clone();
        for piece in &self.pieces {
            let mut b = Builder::before(ctx, body, self.op.0);
            let new = copy_loop(&mut b, self.op, &Default::default());
            let block = new.block(b.body);
            b.set(InsertPoint::End(block));
            let mut map = IrMapping::new();
            map.map(self.op.induction_var(&source), new.induction_var(b.body));
            for &statement in piece {
                let copy = b.body.clone_op_from(&source, statement, &mut map);
                b.insert(copy);
            }
            affine::yield_values(&mut b, block, &[]);
        }
        body.erase(self.op.0);
    }
}
