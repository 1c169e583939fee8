//! `affine-loop-distribute`: splits a loop with several inner loops or statements into a loop for
//! each.
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
//! part of a grid; otherwise the loop stays. Around contractions, values that cannot be computed again
//! become elements of arrays ([`expansion`]); so do contractions in a loop that carries values ([`separation`]), and
//! nests with much work inside of [`few`] iterations, whose own arrays are expanded as well ([`arrays`]). Where sizes
//! are open, the run tests them ([`versions`]).
//!
//! Of a loop whose iterations are tied, in no parallel one, each statement is a
//! piece; those that have to come before each other stay together, and the others stand in the order in which
//! they have to come ([`order`], K. Kennedy and K. McKinley, "Loop distribution with arbitrary
//! control flow", 1990). It is done where a piece by
//! itself has a free loop; values pass between pieces through arrays ([`sequential`]). A loop that carries values
//! and stores what ties it is distributed over its connected components ([`components`]). Values that an inner
//! loop carries beside its stores get a loop of their own before ([`carried`]).

mod arrays;
mod carried;
mod components;
mod expansion;
mod few;
mod order;
mod runs;
mod separation;
mod sequential;
mod versions;

use std::collections::HashSet;

use gridloom_dialects::affine::{self, ForOp};
use gridloom_ir::{
    Body, Builder, Context, Diagnostic, InsertPoint, IrMapping, Module, OpId, Value,
};

use super::affine_loop_permute::perfect_nest;
use super::emit_loops::copy_loop;
use super::plans::{change_by_plans, plan_outermost};
use crate::analysis::access::{Access, accesses_of};
use crate::analysis::alias::Globals;
use crate::analysis::dependence::{Dependence, Dependences, Scope};
use crate::analysis::loop_kind::is_affine_loop;
use crate::analysis::opaque::Opaque;
use crate::analysis::parallel::{
    MAX_ACCESSES, dependence_notes, distinct_accesses, is_free, verdict,
};
use crate::analysis::reduction::is_repeatable;
use crate::analysis::repeatable::are_unchanged;

use arrays::{PrivateArrays, plan_arrays};
use carried::{Parting, plan_parting};
use components::{Components, plan_components};
use expansion::{Expanded, Expansion, plan_expanded};
pub(crate) use few::MIN_ROUNDS;
use order::ordered_pieces;
use runs::{accesses_of_runs, runs_of_effects};
use separation::{Separation, plan_separation};
use sequential::plan_sequential_loop;
use versions::plan_versions;

/// Distributes loops in the host functions of a module; `min_rounds` decides between the versions of nests of open sizes.
/// Returns whether anything changed.
pub fn distribute_module(ctx: &Context, module: &mut Module, min_rounds: i64) -> bool {
    let changed = distribute(ctx, module);
    // In one round, since what remains of a version would get versions again.
    let has_versions = change_by_plans(
        ctx,
        module,
        1,
        |body, globals| {
            plan_outermost(ctx, body, globals, |deps, op| {
                plan_versions(deps, op, min_rounds)
            })
        },
        |versions, body| versions.apply(ctx, body),
    );
    // The loops around that are left in a version.
    if has_versions {
        distribute(ctx, module);
    }
    changed || has_versions
}

fn distribute(ctx: &Context, module: &mut Module) -> bool {
    change_by_plans(
        ctx,
        module,
        // Each round distributes one loop level further in.
        MAX_ROUNDS,
        |body, globals| plan_outermost(ctx, body, globals, plan_loop),
        |plan, body| match plan {
            Plan::Pieces(distribution) => distribution.apply(ctx, body),
            Plan::Separation(separation) => separation.apply(ctx, body),
            Plan::Parting(parting) => parting.apply(ctx, body),
            Plan::Components(components) => components.apply(ctx, body),
        },
    )
}

/// Limit of the rounds of distribution.
const MAX_ROUNDS: usize = 6;

/// Profitability threshold: parallel loops of fewer iterations are not worth a launch of their own.
const MIN_TRIPS: u64 = 8;

/// Change planned for a loop: its distribution, the separation of a contraction, the parting of an inner loop, or the
/// distribution of a loop that carries values.
enum Plan {
    Pieces(Distribution),
    Separation(Separation),
    Parting(Parting),
    Components(Components),
}

/// Distribution plan: a loop and its statements in pieces, each with the statements it repeats.
struct Distribution {
    op: ForOp,
    pieces: Vec<Vec<OpId>>,
    /// Values that pieces leave for later ones.
    expansion: Option<Expansion>,
    /// Private arrays of the loop, in which pieces leave values too.
    arrays: Option<PrivateArrays>,
}

fn plan_loop(deps: &mut Dependences, op: ForOp) -> Option<Plan> {
    if deps.values.body[op.0].num_results() > 0 {
        let separation = plan_separation(deps, op).map(Plan::Separation);
        return separation.or_else(|| plan_components(deps, op).map(Plan::Components));
    }
    let body = deps.values.body;
    let statements = &op.statements(body)[..];
    if !verdict(deps, op.0).is_parallel() {
        let parting = plan_parting(deps, op, statements).map(Plan::Parting);
        return parting
            .or_else(|| plan_sequential_loop(deps, op, statements).map(Plan::Pieces))
            .or_else(|| plan_components(deps, op).map(Plan::Components));
    }
    plan_parallel_loop(deps, op, statements).map(Plan::Pieces)
}

/// Plans the distribution of a parallel loop.
fn plan_parallel_loop(
    deps: &mut Dependences,
    op: ForOp,
    statements: &[OpId],
) -> Option<Distribution> {
    let body = deps.values.body;
    if let Some((pieces, arrays)) = plan_arrays(deps, op, statements) {
        return Some(Distribution {
            arrays: Some(arrays),
            ..Distribution::over(op, pieces)
        });
    }
    let runs = split(body, statements);
    let deepest = statements
        .iter()
        .copied()
        .max_by_key(|&s| loop_depth(body, s))?;
    if runs.len() < 2 || !has_parallel_loop(deps, deepest) {
        return None;
    }
    let scope = Scope::Block(op.block(body));
    let pieces = runs.iter().map(|run| closure(deps, op, run, &[], scope));
    if let Some(pieces) = pieces.collect::<Option<_>>() {
        return Some(Distribution::over(op, pieces));
    }
    let Expanded { pieces, expansion } = plan_expanded(deps, op, statements, None)?;
    Some(Distribution {
        expansion: Some(expansion),
        ..Distribution::over(op, pieces)
    })
}

/// Distributes a loop over its statements as far as dependences allow. Returns whether that relies
/// on disjoint arguments.
///
/// # Errors
/// A remark that begins with `start` and says why the loop stays one.
pub(super) fn distribute_loop(
    ctx: &Context,
    body: &mut Body,
    globals: &Globals,
    op: ForOp,
    start: &str,
) -> Result<bool, Box<Diagnostic>> {
    let loc = body[op.0].loc;
    let mut deps = Dependences::new(ctx, body, globals);
    let statements = &op.statements(body)[..];
    let plain = |why: &str| Diagnostic::remark(loc, format!("{start}: {why}"));
    let planned = match body[op.0].num_results() {
        0 => plan_pieces(&mut deps, op, statements),
        _ => Err(Refusal::Carries),
    };
    let remark = match planned {
        Ok(pieces) => {
            let relied = deps.aliases.relied_on_arguments();
            Distribution::over(op, pieces).apply(ctx, body);
            return Ok(relied);
        }
        Err(Refusal::Carries) => plain("it carries values from one iteration to the next"),
        Err(Refusal::Single) => plain("it has only one statement with effects"),
        Err(Refusal::TooLarge) => plain(&format!(
            "it has more than {MAX_RUNS} statements with effects, or more than {MAX_ACCESSES} accesses"
        )),
        Err(Refusal::Opaque(opaque)) => opaque.remark(loc, &format!("{start}: it has")),
        Err(Refusal::Repeats) => {
            plain("one part needs a value of another that cannot be recomputed")
        }
        Err(Refusal::Dependence(dependence)) => {
            let (accesses, found) = *dependence;
            let scope = Scope::AcrossIterations(op.0);
            let explained = deps.explain(scope, &accesses[0], &accesses[1]);
            let dependence = if explained.is_independent() {
                found
            } else {
                explained
            };
            let what = "its statements cannot be separated because of";
            dependence_notes(body, loc, [start, what], &accesses, &dependence)
        }
    };
    Err(Box::new(remark.with_note(loc, "the loop")))
}

/// Dependence that keeps statements in one piece, the earlier access first.
type BlockingDependence = ([Access; 2], Dependence);

/// Refusal to distribute a loop.
enum Refusal {
    /// The loop carries values from one iteration to the next.
    Carries,
    /// The loop has a single statement.
    Single,
    /// The loop has too many statements or accesses.
    TooLarge,
    /// An operation has unknown effects.
    Opaque(Opaque),
    /// All statements have to come before each other: an operation of one has to run, in an earlier iteration, before
    /// an operation of a statement in front of it.
    Dependence(Box<BlockingDependence>),
    /// A piece needs a value that cannot be recomputed.
    Repeats,
}

/// The pieces of a loop: each statement with effects is one, and statements that depend on each
/// other both ways share one.
fn plan_pieces(
    deps: &mut Dependences,
    op: ForOp,
    statements: &[OpId],
) -> Result<Vec<Vec<OpId>>, Refusal> {
    let body = deps.values.body;
    let runs = runs_of_effects(body, op, statements);
    match runs.len() {
        ..2 => return Err(Refusal::Single),
        2..=MAX_RUNS => {}
        _ => return Err(Refusal::TooLarge),
    }
    let accesses = accesses_of_runs(deps, &runs)?;
    let (runs, blocking) = ordered_pieces(deps, op, runs, &accesses);
    if let Some(blocking) = blocking.filter(|_| runs.len() < 2) {
        return Err(Refusal::Dependence(Box::new(blocking)));
    }
    let scope = Scope::AnyIterations(op.0);
    let pieces = runs.iter().map(|run| closure(deps, op, run, &[], scope));
    pieces.collect::<Option<_>>().ok_or(Refusal::Repeats)
}

/// Limit of the statements of a sequential loop that are told apart.
const MAX_RUNS: usize = 16;

/// Whether a piece by itself has a parallel loop: the distributed one, or one of its only inner
/// loop that can be moved outside.
fn has_free_loop(deps: &mut Dependences, op: ForOp, piece: &[OpId]) -> bool {
    let body = deps.values.body;
    let mut accesses = Vec::new();
    for &statement in piece {
        accesses.extend(distinct_accesses(deps, statement));
    }
    let mut loops = vec![op];
    let inner = piece
        .iter()
        .filter_map(|&statement| ForOp::cast(body, statement));
    if let [inner] = inner.collect::<Vec<_>>()[..] {
        loops.extend(perfect_nest(deps, inner).0);
    }
    (loops.iter()).any(|l| {
        let trips = l.constant_trip_count(deps.values.ctx, body);
        trips.is_none_or(|n| n >= MIN_TRIPS) && is_free(deps, op.0, l.0, &accesses)
    })
}

/// Whether a loop around an operation is parallel.
pub(super) fn is_in_parallel_loop(deps: &mut Dependences, op: OpId) -> bool {
    let body = deps.values.body;
    let mut parents = body.ancestors(op);
    parents.any(|op| is_affine_loop(body, op) && verdict(deps, op).is_parallel())
}

/// Runs of statements: each loop by itself, and the statements between loops. Runs without effects
/// are left out; other pieces repeat them where they need them.
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

fn loop_depth(body: &Body, root: OpId) -> usize {
    let depth = |op: OpId| {
        let up = std::iter::successors(Some(op), |&op| body.parent_op(op).filter(|_| op != root));
        up.filter(|&op| body[op].name == affine::FOR).count()
    };
    body.walk_op(root).into_iter().map(depth).max().unwrap_or(0)
}

/// Whether a nest has a parallel loop that can be moved to its outside.
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

/// A run with the other statements of the loop that it needs, in order; `None` if they cannot be
/// repeated, because memory that they load is written within `scope`. Statements of `outside` will
/// stand in front of the loop.
fn closure(
    deps: &mut Dependences,
    op: ForOp,
    run: &[OpId],
    outside: &[OpId],
    scope: Scope,
) -> Option<Vec<OpId>> {
    let body = deps.values.body;
    let block = op.block(body);
    let mut needed = needed(body, op, run);
    needed.retain(|op| !outside.contains(op));
    let repeated = needed.iter().filter(|op| !run.contains(op));
    let repeated: Vec<OpId> = repeated.copied().collect();
    let mut loads = Vec::new();
    for &def in &repeated {
        if !is_repeatable(body, def) {
            return None;
        }
        accesses_of(&mut deps.values, def, &mut loads);
    }
    let unchanged = are_unchanged(deps, &loads, op.0, scope) == Some(true);
    let in_order = body.ops(block).filter(|op| needed.contains(op));
    unchanged.then(|| in_order.collect())
}

/// Backward slice: statements of a loop with all statements whose values they use.
fn needed(body: &Body, op: ForOp, run: &[OpId]) -> HashSet<OpId> {
    let block = op.block(body);
    let mut needed: HashSet<OpId> = run.iter().copied().collect();
    let mut stack: Vec<OpId> = run.to_vec();
    while let Some(statement) = stack.pop() {
        for below in body.walk_op(statement) {
            for &operand in &body[below].operands {
                let Some(def) = body.defining_op(operand) else {
                    continue;
                };
                // Definitions nested deeper belong to a statement already.
                if body[def].parent() == Some(block) && needed.insert(def) {
                    stack.push(def);
                }
            }
        }
    }
    needed
}

impl Distribution {
    /// A loop for each piece, between which no values pass.
    fn over(op: ForOp, pieces: Vec<Vec<OpId>>) -> Self {
        Distribution {
            op,
            pieces,
            expansion: None,
            arrays: None,
        }
    }

    fn apply(&self, ctx: &Context, body: &mut Body) {
        let moved = (self.arrays.as_ref()).map(|arrays| arrays.expand(ctx, body));
        let moved = moved.unwrap_or_default();
        let arrays = (self.expansion.as_ref()).map(|expansion| expansion.allocate(ctx, body));
        for piece in &self.pieces {
            let mut b = Builder::before(ctx, body, self.op.0);
            let mut map = IrMapping::new();
            let new = copy_loop(&mut b, self.op, &map);
            let block = new.block(b.body);
            b.set(InsertPoint::End(block));
            let counter = new.induction_var(b.body);
            map.map(self.op.induction_var(b.body), counter);
            if let Some(arrays) = &arrays {
                for (value, loaded) in arrays.load(&mut b, piece, counter) {
                    map.map(value, loaded);
                }
            }
            for statement in piece {
                let statement = *moved.get(statement).unwrap_or(statement);
                b.insert_copy(statement, &mut map);
                if let Some(arrays) = &arrays {
                    let results: Vec<Value> = b.body[statement].results().collect();
                    arrays.store(&mut b, &results, counter, |value| map.value(value));
                }
            }
            affine::yield_values(&mut b, block, &[]);
        }
        body.erase(self.op.0);
    }
}
