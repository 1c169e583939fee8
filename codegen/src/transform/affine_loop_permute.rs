//! `affine-loop-permute`: moves parallel loops of a nest to the outside.
//!
//! ```text
//! affine.for %k = 0 to %p {                     affine.for %i = 0 to %m {
//!   affine.for %i = 0 to %m {                     affine.for %j = 0 to %n {
//!     affine.for %j = 0 to %n {            ⇒        affine.for %k = 0 to %p {
//!       %c[%i, %j] += %a[%i, %k] * %b[%k, %j]         %c[%i, %j] += …
//! ```
//!
//! A loop is *free* when no two iterations of the whole nest that differ in
//! its counter touch a common element with one writing. Free loops come out in
//! their order, the others stay inside in theirs. Legal because every
//! dependence has distance 0 in the free loops, so that it still points
//! forward; a free loop whose bounds depend on a loop that it leaves
//! behind, as that over pairs `j > i`, comes out where no other one does ([`affine_schedule`](super::affine_schedule) has
//! its bounds). Pure statements and loads before an inner loop are repeated inside
//! it, if nothing there writes what they load. Otherwise the nest stays. Out of loops of `scf`, parallel ones come by [`open`].

mod open;

use gridloom_dialects::affine::{self, ForOp};
use gridloom_ir::{Body, Builder, Context, InsertPoint, IrMapping, Module, OpId, Value};

use super::affine_loop_distribute::is_in_parallel_loop;
use super::affine_schedule::{Nest, Rescheduled, Schedule, reschedule};
use super::emit_loops::copy_loop;
use super::plans::{Plans, change_by_plans};
use crate::analysis::alias::Globals;
use crate::analysis::dependence::Dependences;
use crate::analysis::parallel::{MAX_ACCESSES, distinct_accesses, is_free};
use crate::analysis::repeatable::can_repeat;

/// Permutes the nests of the host functions of a module.
/// Returns whether anything changed.
pub fn permute_module(ctx: &Context, module: &mut Module) -> bool {
    let moved = open::move_out_of_open_loops(ctx, module);
    let permuted = change_by_plans(
        ctx,
        module,
        1,
        |body, globals| plan_body(ctx, body, globals),
        |plan, body| match plan {
            Plan::Permute(permutation) => permutation.apply(ctx, body),
            Plan::Reschedule(rescheduled) => {
                rescheduled.apply(ctx, body);
            }
        },
    );
    moved | permuted
}

/// Plan for one nest.
enum Plan {
    Permute(Permutation),
    /// The same with bounds by projection.
    Reschedule(Box<Rescheduled>),
}

/// Permutation plan: a nest and its new order.
pub(super) struct Permutation {
    /// Loops in the current order, outermost first.
    pub(super) nest: Vec<ForOp>,
    /// Operations before each inner loop, outermost first.
    pub(super) before: Vec<OpId>,
    /// New order, as positions in `nest`.
    pub(super) order: Vec<usize>,
}

/// Plans the permutations that pay, and whether they rely on disjoint arguments.
fn plan_body(ctx: &Context, body: &Body, globals: &Globals) -> Plans<Plan> {
    let mut deps = Dependences::new(ctx, body, globals);
    let mut plans = Vec::new();
    let mut done: Vec<OpId> = Vec::new();
    for op in body.walk() {
        let Some(root) = ForOp::cast(body, op).filter(|root| !done.contains(&root.0)) else {
            continue;
        };
        let (nest, before) = perfect_nest(&mut deps, root);
        done.extend(nest.iter().map(|l| l.0));
        plans.extend(match order_of(&mut deps, &nest) {
            Some(Order::FreeFirst(order)) => Some(Plan::Permute(Permutation {
                nest,
                before,
                order,
            })),
            Some(Order::Bound(free)) => move_out(&mut deps, &nest, free),
            None => None,
        });
    }
    let relied = deps.aliases.relied_on_arguments();
    (plans, relied)
}

/// The perfect nest from `root` inwards, where statements that can be repeated in the inner loop do
/// not count; with these statements.
pub(super) fn perfect_nest(deps: &mut Dependences, root: ForOp) -> (Vec<ForOp>, Vec<OpId>) {
    let body = deps.values.body;
    let mut nest = vec![root];
    let mut before = Vec::new();
    if body[root.0].num_results() > 0 {
        return (nest, before);
    }
    while let Some(&outer) = nest.last() {
        let ops: Vec<OpId> = body.ops(outer.block(body)).collect();
        let [statements @ .., inner, _] = &ops[..] else {
            break;
        };
        let Some(inner) = ForOp::cast(body, *inner) else {
            break;
        };
        let is_plain = body[inner.0].num_results() == 0;
        if !is_plain
            || !bounds_are_outside(deps, inner, &nest)
            || !can_repeat(deps, statements, inner.0)
        {
            break;
        }
        before.extend_from_slice(statements);
        nest.push(inner);
    }
    (nest, before)
}

/// Whether the bounds use only counters of the nest and values from outside.
fn bounds_are_outside(deps: &Dependences, inner: ForOp, nest: &[ForOp]) -> bool {
    let values = &deps.values;
    let body = values.body;
    body[inner.0].operands.iter().all(|&operand| {
        let is_counter = nest.iter().any(|l| l.induction_var(body) == operand);
        is_counter || !values.block_is_inside(body.value_block(operand), nest[0].0)
    })
}

/// New order of a nest.
enum Order {
    /// Positions in the nest, those of free loops first.
    FreeFirst(Vec<usize>),
    /// The position of a free loop whose bounds depend on others, where no loop comes out otherwise.
    Bound(usize),
}

/// The order with free loops outermost; `None` if that is the current order, or if no loop is free.
fn order_of(deps: &mut Dependences, nest: &[ForOp]) -> Option<Order> {
    let body = deps.values.body;
    let root = nest.first().filter(|_| nest.len() > 1)?;
    let accesses = distinct_accesses(deps, root.0);
    if accesses.len() > MAX_ACCESSES {
        return None;
    }
    let mut free: Vec<usize> = Vec::new();
    let mut tied: Vec<usize> = Vec::new();
    let mut bound: Option<usize> = None;
    for (k, l) in nest.iter().enumerate() {
        let uses = |counter: Value| body[l.0].operands.contains(&counter);
        let is_bound = tied.iter().any(|&t| uses(nest[t].induction_var(body)));
        // One is enough, and asked for only where nothing else is free.
        let is_asked = !is_bound || free.is_empty() && bound.is_none();
        let is_free = is_asked && is_free(deps, root.0, l.0, &accesses);
        match is_free && !is_bound {
            true => free.push(k),
            false => tied.push(k),
        }
        if is_free && is_bound {
            bound = Some(k);
        }
    }
    if let Some(bound) = bound.filter(|_| free.is_empty()) {
        return Some(Order::Bound(bound));
    }
    let order = [free, tied].concat();
    (!order.is_sorted()).then_some(Order::FreeFirst(order))
}

/// Plans a nest with one of its loops outermost, in no parallel loop.
fn move_out(deps: &mut Dependences, nest: &[ForOp], free: usize) -> Option<Plan> {
    if is_in_parallel_loop(deps, nest[0].0) {
        return None;
    }
    let depth = free + 1;
    let unit = |k: usize| -> Vec<i64> { (0..depth).map(|j| i64::from(j == k)).collect() };
    let order = std::iter::once(free).chain(0..free);
    let rows: Vec<Vec<i64>> = order.map(unit).collect();
    let schedule = Schedule::unimodular(&rows, &[])?;
    let nest = Nest::new(deps, nest[0], depth).ok()?;
    let plan = reschedule(deps, nest, &schedule).ok()?;
    Some(Plan::Reschedule(Box::new(plan)))
}

impl Permutation {
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        let nest = (&self.nest[..], &self.before[..]);
        rewrite_nest(ctx, body, nest, &self.order, |b, at, counters| {
            copy_loop(b, self.nest[at], counters)
        });
    }
}

/// Replaces a nest, with the statements before its inner loops, by the loops that `make` emits for those at the positions
/// `order`, outermost first. `make` gets what stands for the counters so far. Returns the statements, all of which
/// are in the innermost loop.
pub(super) fn rewrite_nest(
    ctx: &Context,
    body: &mut Body,
    (nest, before): (&[ForOp], &[OpId]),
    order: &[usize],
    mut make: impl FnMut(&mut Builder, usize, &mut IrMapping) -> ForOp,
) -> Vec<OpId> {
    let (root, innermost) = (nest[0].0, nest[nest.len() - 1].block(body));
    let statements: Vec<OpId> = (before.iter().copied())
        .chain(body.ops(innermost))
        .collect();
    let mut counters = IrMapping::new();
    let mut b = Builder::before(ctx, body, root);
    for (depth, &at) in order.iter().enumerate() {
        let old = nest[at];
        b.loc = b.body[old.0].loc;
        let new = make(&mut b, at, &mut counters);
        counters.map(old.induction_var(b.body), new.induction_var(b.body));
        let block = new.block(b.body);
        if depth + 1 < order.len() {
            affine::yield_values(&mut b, block, &[]);
        }
        b.set(InsertPoint::Start(block));
    }
    for &op in &statements {
        b.body.detach(op);
        b.insert(op);
        b.body.replace_values_in(op, |v| counters.value(v));
    }
    body.erase(root);
    statements
}
