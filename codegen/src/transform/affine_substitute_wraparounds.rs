//! `affine-substitute-wraparounds`: computes wrap-around variables, which hold what the iteration before has computed,
//! from the counter of that iteration.
//!
//! ```text
//! affine.for %i = %l to %n                    affine.for %i = %l to %n {
//!     iter_args(%p = %z) {                      %p = affine.if (%i - %l - 1 >= 0) {
//!   %x = affine.load %a[%i]                       %y = affine.load %a[%i - 1]
//!   S(%i, %x, %p)                       ⇒         affine.yield %y
//!   affine.yield %x                             } else { affine.yield %z }
//! }                                             %x = affine.load %a[%i]
//!                                               S(%i, %x, %p)
//!                                             }
//! ```
//!
//! (M. Wolfe, "Beyond Induction Variables", PLDI 1992, section 4.1.) Differences of neighbours, run lengths and flags of the
//! first iteration are written so. The loop no longer carries the value, so that its iterations may be independent.
//!
//! Legal where what the value is computed from depends on nothing that the loop carries, and consists of pure operations
//! and loads of elements that no iteration of the loop writes; and where the distance of the counter to where it starts
//! fits 64 bits. Done where all other values that the loop carries are reductions or recurrences of scans, and
//! no dependence through memory is known to tie the iterations; in parallel loops, only where scans of rows take what is left
//! (`affine_parallelize_scans/rows.rs`). The loops of a thread lose subscripts of the iteration before by [`peel`] instead.

mod peel;

use gridloom_dialects::affine::{self, ApplyOp, ForOp};
use gridloom_dialects::arith::{CmpIOp, CmpIPredicate};
use gridloom_dialects::scf;
use gridloom_ir::affine::{AffineConstraint, AffineOp};
use gridloom_ir::body::Uses;
use gridloom_ir::{
    AffineExpr, Body, Builder, Context, InsertPoint, IrMapping, Module, OpId, Value,
};
use gridloom_rewrite::canonicalize::canonicalize;

use super::affine_guard_overflow::is_fallback;
use super::affine_loop_distribute::is_in_parallel_loop;
use super::affine_parallelize_scans::carried::recurring_places;
use super::affine_parallelize_scans::combine::recurrence_at;
use super::affine_parallelize_scans::compaction::stores_apart;
use super::affine_parallelize_scans::scan_loop::slice_of;
use super::auxiliary_arrays::can_hold;
use super::emit_loops::go_behind;
use super::map_inputs::Inputs;
use crate::analysis::access::{Access, accesses_below};
use crate::analysis::alias::Globals;
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::globals::ConstantGlobals;
use crate::analysis::loop_kind::is_sequential_loop;
use crate::analysis::parallel::conflict_apart;
use crate::analysis::reduction::reduction_at;
use crate::analysis::repeatable::are_unchanged;
use crate::target::OffloadOptions;
use crate::versions::change_functions;

/// Limit of the values that are substituted in a function, one after the other, since one may be made of another.
const MAX_VALUES: usize = 64;

/// Limit of the operations that are computed again.
const MAX_OPS: usize = 32;

/// Substitutes wrap-around variables in the host functions of a module. Returns whether there was one.
pub fn substitute_wraparounds(
    ctx: &Context,
    module: &mut Module,
    options: &OffloadOptions,
) -> bool {
    let globals = Globals::of(ctx, module);
    let constants = ConstantGlobals::of(ctx, module.body());
    let changed = change_functions(ctx, module, &globals, |body| {
        let (mut relied, mut changed) = (false, false);
        for _ in 0..MAX_VALUES {
            let mut deps = Dependences::new(ctx, body, &globals);
            let Some(found) = first_wraparound(&mut deps, options) else {
                break;
            };
            relied |= deps.aliases.relied_on_arguments();
            match found {
                Found::Selected(found) => found.apply(ctx, body.edit()),
                Found::Peeled(found) => found.apply_peeled(ctx, body.edit()),
            }
            canonicalize(ctx, body.edit(), &constants);
            changed = true;
        }
        (relied, changed)
    });
    changed.into_iter().any(|changed| changed)
}

/// Wrap-around variable: a carried value that each iteration computes from nothing that the loop carries.
struct Wraparound {
    op: ForOp,
    /// The place of the value among the carried ones.
    place: usize,
    /// The statements that compute it, in order.
    slice: Vec<OpId>,
    /// Whether the value is used behind the loop.
    has_result: bool,
}

/// Wrap-around variable with the way of its substitution.
enum Found {
    /// By a selection in each iteration.
    Selected(Wraparound),
    /// By a first iteration in front of the loop.
    Peeled(Wraparound),
}

fn first_wraparound(deps: &mut Dependences, options: &OffloadOptions) -> Option<Found> {
    let body = deps.values.body;
    if !body.may_hold(affine::FOR) {
        return None;
    }
    let loops = body
        .walk()
        .into_iter()
        .filter_map(|op| ForOp::cast(body, op));
    let mut loops = loops.filter(|l| body[l.0].num_results() > 0 && !is_fallback(body, l.0));
    let uses = body.uses();
    loops.find_map(|op| wraparound_of(deps, &uses, op, options))
}

/// The first wrap-around variable of a loop that gains by its substitution.
fn wraparound_of(
    deps: &mut Dependences,
    uses: &Uses,
    op: ForOp,
    options: &OffloadOptions,
) -> Option<Found> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let count = op.iter_args(body).len();
    let found = (0..count).map(|k| matched(ctx, body, uses, op, k));
    let found: Vec<Option<Wraparound>> = found.collect();
    let is_known: Vec<bool> = (0..count)
        .map(|k| found[k].is_some() || is_idle(body, uses, op, k))
        .collect();
    let is_known = with_delayed(body, op, is_known);
    let found: Vec<Wraparound> = found.into_iter().flatten().collect();
    let first = found.first()?;
    let others: Vec<usize> = (0..count).filter(|&k| !is_known[k]).collect();
    let reduces = |&k: &usize| reduction_at(ctx, body, uses, op, k, true).is_ok();
    let scanned: Vec<usize> = (others.iter().copied()).filter(|k| !reduces(k)).collect();
    let gains = gains_by_selection(deps, first, &scanned, options);
    // With other values, the loop is that of a thread, unless scans or reductions take it.
    let is_of_thread = !gains || scanned.is_empty() && peel::is_short(ctx, body, op);
    let mut peels = found.iter().map(|found| peel::gains(deps, uses, found));
    let peeled = if !others.is_empty() && is_of_thread {
        peels.position(|gains| gains)
    } else {
        None
    };
    let chosen = found.into_iter().nth(peeled.unwrap_or(0))?;
    match peeled {
        Some(_) => Some(Found::Peeled(chosen)),
        None => gains.then_some(Found::Selected(chosen)),
    }
}

/// Whether the iterations of a loop may be independent, or scanned, once a selection has replaced a wrap-around variable.
fn gains_by_selection(
    deps: &mut Dependences,
    found: &Wraparound,
    scanned: &[usize],
    options: &OffloadOptions,
) -> bool {
    let (ctx, body, op) = (deps.values.ctx, deps.values.body, found.op);
    let recurring = recurring_places(ctx, body, op, true);
    if !scanned.iter().all(|&k| recurring[k]) {
        return false;
    }
    // In parallel loops, scans of more are left to one thread each, which keeps in registers what it would load again.
    let most = usize::from(options.reduction.shares);
    if scanned.len() > most && is_in_parallel_loop(deps, op.0) {
        return false;
    }
    if !has_safe_bounds(deps, op, found.has_result) || !is_unchanged(deps, op, &found.slice) {
        return false;
    }
    let count = op.iter_args(body).len();
    let counters = (0..count).filter_map(|k| Some((k, recurrence_at(ctx, body, op, k, true)?)));
    let counters = counters.filter(|(_, counter)| counter.is_sum_of_integers());
    let apart = counters.flat_map(|(k, counter)| stores_apart(ctx, body, op, k, counter.term));
    let conflict = conflict_apart(deps, op.0, &apart.collect::<Vec<OpId>>());
    conflict.is_none_or(|reason| reason.is_doubt())
}

/// Adds the carried values whose next ones are carried values of the set: those of several iterations before.
fn with_delayed(body: &Body, op: ForOp, mut set: Vec<bool>) -> Vec<bool> {
    let args = op.iter_args(body);
    let delays = op.yielded(body).iter();
    let delays: Vec<Option<usize>> = delays
        .map(|next| args.iter().position(|arg| arg == next))
        .collect();
    for _ in 0..set.len() {
        for (k, delayed) in delays.iter().enumerate() {
            set[k] |= delayed.is_some_and(|delayed| set[delayed]);
        }
    }
    set
}

/// Whether nothing uses a carried value.
fn is_idle(body: &Body, uses: &Uses, op: ForOp, place: usize) -> bool {
    let values = [op.iter_args(body)[place], body[op.0].result(place)];
    values.iter().all(|&value| uses.of(value).is_empty())
}

/// Matches a carried value whose next one depends on no carried value.
fn matched(ctx: &Context, body: &Body, uses: &Uses, op: ForOp, place: usize) -> Option<Wraparound> {
    let (arg, next) = (op.iter_args(body)[place], op.yielded(body)[place]);
    if is_idle(body, uses, op, place) || !can_hold(ctx, body.ty(arg)) {
        return None;
    }
    let slice = slice_of(body, op, &[next])?;
    let below = || slice.iter().flat_map(|&s| body.walk_op(s));
    let is_loop = |op: OpId| is_sequential_loop(body, op);
    let is_short = below().count() <= MAX_OPS && !below().any(is_loop);
    is_short.then(|| Wraparound {
        op,
        place,
        slice,
        has_result: !uses.of(body[op.0].result(place)).is_empty(),
    })
}

/// Whether the distance of the counter to the lower bound fits 64 bits, and that of the bounds where the last iteration is
/// asked for.
fn has_safe_bounds(deps: &mut Dependences, op: ForOp, has_result: bool) -> bool {
    let values = &mut deps.values;
    let (ctx, body) = (values.ctx, values.body);
    let bounds = [op.lower(ctx, body), op.upper(ctx, body)];
    let [lower, upper] = bounds.map(|bound| values.map_exprs(op.0, bound.map, bound.operands));
    let counter = values.expr(op.induction_var(body));
    let inside = body[op.block(body)]
        .first()
        .map(|first| values.environment_at(first));
    let far = |from: AffineExpr| {
        let distance = ctx.affine_sub(counter, from);
        ctx.affine_add(distance, ctx.affine_const(-1))
    };
    let is_near = lower.iter().all(|from| match (from, inside) {
        (Some(from), Some(env)) => values.fits(far(*from), env),
        _ => false,
    });
    if !has_result || !is_near {
        return is_near;
    }
    // From a number that is not negative, the distance to a greater one fits.
    let around = values.environment_at(op.0);
    match (&lower[..], &upper[..]) {
        (&[Some(from)], &[Some(_)]) => {
            let interval = values.interval(from, around);
            interval.is_some_and(|interval| interval.least >= 0)
        }
        _ => false,
    }
}

/// Whether no iteration writes what the slice loads.
fn is_unchanged(deps: &mut Dependences, op: ForOp, slice: &[OpId]) -> bool {
    let mut loads: Vec<Access> = Vec::new();
    for &statement in slice {
        loads.extend(accesses_below(&mut deps.values, statement));
    }
    are_unchanged(deps, &loads, op.0, Scope::AnyIterations(op.0)) == Some(true)
}

impl Wraparound {
    fn apply(&self, ctx: &Context, body: &mut Body) {
        let op = self.op;
        let init = op.inits(ctx, body)[self.place];
        if self.has_result {
            let mut b = Builder::before(ctx, body, op.0);
            go_behind(&mut b, op.0);
            let value = self.last(&mut b, init);
            body.replace_uses(body[op.0].result(self.place), value);
        }
        let arg = op.iter_args(body)[self.place];
        let block = op.block(body);
        let mut inputs = Inputs::new(ctx);
        let dim = inputs.dim(op.induction_var(body));
        let from = inputs.import(op.lower(ctx, body), &IrMapping::new());
        let distances: Vec<AffineExpr> = (from.into_iter())
            .map(|from| inputs.plus(ctx.affine_sub(dim, from), -1))
            .collect();
        let before = inputs.plus(dim, -op.step(ctx, body));
        let Some(first) = body[block].first() else {
            return;
        };
        let mut b = Builder::before(ctx, body, first);
        let value = self.former(&mut b, &inputs, (&distances, before), init);
        body.replace_uses(arg, value);
        // The loop carries a constant now, which canonicalization drops.
        if let Some(end) = body[block].last() {
            body[end].operands[self.place] = init;
        }
    }

    /// Emits the value that the iteration of a counter computes where expressions are not negative, else `init`.
    fn former(
        &self,
        b: &mut Builder,
        inputs: &Inputs,
        (conditions, counter): (&[AffineExpr], AffineExpr),
        init: Value,
    ) -> Value {
        let ctx = b.ctx;
        let (map, operands) = inputs.finish(conditions);
        let data = map.data(ctx);
        let holds = data.results.iter();
        let holds = holds.map(|&expr| AffineConstraint { expr, is_eq: false });
        let set = ctx.integer_set(data.dims, data.symbols, &holds.collect::<Vec<_>>());
        let test = affine::IfOp::create(b, set, &operands, &[b.body.ty(init)], true);
        let then = test.then_block(b.body);
        b.set(InsertPoint::End(then));
        let next = self.compute(b, inputs, counter);
        affine::yield_values(b, then, &[next]);
        // The conditional was created with an else block.
        if let Some(block) = test.else_block(b.body) {
            affine::yield_values(b, block, &[init]);
        }
        b.body[test.0].result(0)
    }

    /// Emits, behind the loop, the value that its last iteration computes, or `init` if it has none.
    fn last(&self, b: &mut Builder, init: Value) -> Value {
        let ctx = b.ctx;
        let (mut inputs, names) = (Inputs::new(ctx), IrMapping::new());
        let from = inputs.import(self.op.lower(ctx, b.body), &names)[0];
        let to = inputs.import(self.op.upper(ctx, b.body), &names)[0];
        let [first, end] = [from, to].map(|bound| {
            let (map, operands) = inputs.finish(&[bound]);
            ApplyOp::create(b, map, &operands)
        });
        let runs = CmpIOp::create(b, CmpIPredicate::Slt, first, end);
        let test = scf::IfOp::create(b, runs, &[b.body.ty(init)], true);
        b.set(InsertPoint::End(test.then_block(b.body)));
        let step = self.op.step(ctx, b.body);
        let distance = inputs.plus(ctx.affine_sub(to, from), -1);
        let rounds = inputs.by(AffineOp::FloorDiv, distance, step);
        let counter = ctx.affine_add(from, inputs.times(rounds, step));
        let last = self.compute(b, &inputs, counter);
        b.create(b.state(scf::YIELD).operands(&[last]));
        // The conditional was created with an else block.
        if let Some(block) = test.else_block(b.body) {
            b.set(InsertPoint::End(block));
            b.create(b.state(scf::YIELD).operands(&[init]));
        }
        b.body[test.0].result(0)
    }

    /// Emits what the iteration of a counter computes.
    fn compute(&self, b: &mut Builder, inputs: &Inputs, counter: AffineExpr) -> Value {
        let (map, operands) = inputs.finish(&[counter]);
        let counter = ApplyOp::create(b, map, &operands);
        let mut names = IrMapping::new();
        names.map(self.op.induction_var(b.body), counter);
        b.insert_copies(&self.slice, &mut names);
        names.value(self.op.yielded(b.body)[self.place])
    }
}
