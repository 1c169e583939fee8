//! `parallelize-searches`: finds where an `scf.while` ends that only looks for something, by reductions over blocks of its
//! iterations.
//!
//! ```text
//!                                                      %m = scf.while (%b = %c0) {
//! scf.while (%i = %i0) {                                 %f = scf.for %t = %c0 to %size iter_args(%best = %size) {
//!   %more = p(%i)                                          %stays = p(%i0 + 3 * (%b + %t))
//!   scf.condition(%more) %i                                scf.yield min(%best, %stays ? %size : %t)
//! } do {                                         ⇒       }
//! ^bb0(%j: index):                                       scf.condition(%f == %size) %b + %f
//!   %n = arith.addi %j, %c3                            } do …
//!   scf.yield %n                                       scf.while (%i = %i0 + 3 * %m) { as before }
//! }
//! ```
//!
//! What the loop carries before its iteration `t` is guessed: numbers that some iterations advance by a constant have
//! advanced `t` times, others are as in the beginning. The guess holds for all iterations up to the first that ends the
//! loop or leaves other values than the guess for the next one, by induction. The loop starts from there, does what is
//! left, and computes its results.
//!
//! Legal where the loop has no effects and all that it runs is defined for any operands, or loads: an iteration that would load
//! out of range counts as the one to start from, so that no block loads what the loop does not. The memory is an
//! argument's or a global's, which holds something everywhere.
//!
//! Done outside of other loops, where the end of the loop depends on memory, and where that memory is known to be
//! large. No more iterations run than the loop has, but for those of a block.

use std::collections::HashSet;
use std::num::NonZeroU32;

use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::{memref, scf};
use gridloom_ir::op::Traits;
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{BlockId, Body, Builder, Context, InsertPoint, Module, OpId, Value};

use super::loop_invariant_code_motion::is_speculatable;
use super::plans::change_by_plans;
use super::speculation::is_filled;
use crate::analysis::load_store::is_load;
use crate::analysis::reduction::zero;
use crate::target::OffloadOptions;

mod guess;
mod simulation;

use guess::guess_steps;
use simulation::Simulation;

/// Limit of the operations of a loop that is searched.
const MAX_OPS: usize = 64;

/// Profitability threshold: elements of an array below which a search stays.
const MIN_ELEMENTS: i64 = 1 << 13;

/// Iterations of a block on drivers that run kernels on the CPU: about as long as two launches take.
const BLOCK: NonZeroU32 = NonZeroU32::MIN.saturating_add((1 << 17) - 1);

/// Iterations of a block on GPUs.
const GPU_BLOCK: NonZeroU32 = NonZeroU32::MIN.saturating_add((1 << 20) - 1);

/// Options of the pass.
#[derive(Clone, Copy)]
pub struct SearchOptions {
    /// Elements of an array below which a search stays.
    pub min_elements: i64,
    /// Iterations of a block.
    pub block: NonZeroU32,
}

impl SearchOptions {
    /// Options for a device.
    pub fn of(options: &OffloadOptions) -> Self {
        SearchOptions {
            min_elements: MIN_ELEMENTS,
            block: match options.reduction.shares {
                true => GPU_BLOCK,
                false => BLOCK,
            },
        }
    }
}

/// Rewrites searches in the host functions of a module. Returns whether there were any.
pub fn parallelize_searches(ctx: &Context, module: &mut Module, options: SearchOptions) -> bool {
    change_by_plans(
        ctx,
        module,
        1,
        |body, _| (plan_body(ctx, body, options), false),
        |plan, body| plan.apply(ctx, body),
    )
}

/// A loop that searches.
struct Search {
    op: scf::WhileOp,
    /// By how much iterations advance each carried value; 0 where they leave it.
    steps: Vec<i64>,
    options: SearchOptions,
}

fn plan_body(ctx: &Context, body: &Body, options: SearchOptions) -> Vec<Search> {
    if !body.may_hold(scf::WHILE) {
        return Vec::new();
    }
    let whiles = body.walk().into_iter();
    let whiles = whiles.filter(|&op| body[op].name == scf::WHILE);
    whiles
        .filter_map(|op| plan(ctx, body, scf::WhileOp(op), options))
        .collect()
}

fn plan(ctx: &Context, body: &Body, op: scf::WhileOp, options: SearchOptions) -> Option<Search> {
    let mut around = body.ancestors(op.0);
    if around.any(|around| body[around].name != scf::IF) {
        return None;
    }
    let below: Vec<OpId> = body.walk_op(op.0).into_iter().skip(1).collect();
    if below.len() > MAX_OPS || !below.iter().all(|&part| may_run(ctx, body, op, part)) {
        return None;
    }
    let steps = guess_steps(ctx, body, op)?;
    let search = Search { op, steps, options };
    search.pays(ctx, body, &below).then_some(search)
}

/// Whether an operation of a loop is a load that can be guarded, pure and defined for any operands, or structure.
fn may_run(ctx: &Context, body: &Body, op: scf::WhileOp, part: OpId) -> bool {
    let data = &body[part];
    match data.name {
        scf::IF | scf::YIELD | scf::CONDITION => true,
        memref::LOAD => {
            let load = memref::LoadOp(part);
            let array = load.memref(body);
            let is_number = zero(ctx, body.ty(data.result(0))).is_some();
            is_number && !body.is_defined_in(array, op.0) && is_filled(body, array)
        }
        name => {
            name.has(Traits::PURE)
                && data.inline_regions().is_empty()
                && is_speculatable(ctx, body, part)
        }
    }
}

impl Search {
    /// Whether the end of the loop depends on elements that its iterations load, of arrays that are known to be large.
    fn pays(&self, ctx: &Context, body: &Body, below: &[OpId]) -> bool {
        let steps = self.steps.iter();
        let is_advanced: Vec<bool> = steps.map(|&step| step != 0).collect();
        let args = &body[self.op.before(body)].args;
        let (condition, _) = self.op.condition(body);
        let of_condition = self.slice(body, condition);
        let loads = below.iter().copied().filter(|&part| is_load(body, part));
        let found = loads.filter(|&load| {
            let load = memref::LoadOp(load);
            let indices = load.indices(body).iter();
            let mut needed = indices.flat_map(|&index| self.slice(body, index));
            needed.any(|value| {
                let place = args.iter().position(|&arg| arg == value);
                place.is_some_and(|place| is_advanced[place])
            })
        });
        let found: Vec<OpId> = found.collect();
        let is_asked = |&load: &OpId| of_condition.contains(&body[load].result(0));
        found.iter().any(is_asked)
            && found
                .iter()
                .all(|&load| is_large(ctx, body, load, self.options.min_elements))
    }

    /// Backward slice of a value in the loop, through what earlier iterations yield.
    fn slice(&self, body: &Body, value: Value) -> HashSet<Value> {
        let (before, after) = (self.op.before(body), self.op.after(body));
        let (_, passed) = self.op.condition(body);
        let mut found = HashSet::new();
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            if !found.insert(value) {
                continue;
            }
            let place = |block: BlockId| {
                body[block]
                    .args
                    .iter()
                    .position(|&arg: &Value| arg == value)
            };
            if let Some(place) = place(before) {
                // The advance of a number alone makes it depend on nothing else.
                if self.steps[place] == 0 {
                    open.push(self.op.yielded(body)[place]);
                }
            } else if let Some(place) = place(after) {
                open.push(passed[place]);
            } else if let Some(def) = body.defining_op(value)
                && body.is_ancestor(self.op.0, def)
            {
                let parts = body.walk_op(def).into_iter();
                open.extend(parts.flat_map(|part| body[part].operands.to_vec()));
                let around = body
                    .ancestors(def)
                    .take_while(|&around| around != self.op.0);
                open.extend(around.flat_map(|around| body[around].operands.to_vec()));
            }
        }
        found
    }

    fn apply(&self, ctx: &Context, body: &mut Body) {
        let mut b = Builder::before(ctx, body, self.op.0);
        let simulation = Simulation::new(&mut b, self);
        let index = ctx.index_type();
        let zero = b.index_constant(0);
        let blocks = scf::WhileOp::create(&mut b, &[zero], &[index]);
        let (block, next) = (blocks.before(b.body), blocks.after(b.body));
        let from = b.body[block].args[0];
        b.set(InsertPoint::End(block));
        let size = b.index_constant(self.options.block.get().into());
        let first = simulation.first_end(&mut b, from, size);
        let stays = CmpIOp::create(&mut b, CmpIPredicate::Eq, first, size);
        let to = b.binary(arith::ADDI, from, first);
        b.create(b.state(scf::CONDITION).operands(&[stays, to]));
        let args = b.body[next].args.to_vec();
        b.set(InsertPoint::End(next));
        b.create(b.state(scf::YIELD).operands(&args));
        b.set(InsertPoint::Before(self.op.0));
        let end = b.body[blocks.0].result(0);
        let starts = simulation.state(&mut b, end);
        b.body[self.op.0].operands = starts.into_iter().collect();
    }
}

/// Whether a load is of an array that is known to have `least` elements.
fn is_large(ctx: &Context, body: &Body, load: OpId, least: i64) -> bool {
    let ty = body.ty(memref::LoadOp(load).memref(body)).memref(ctx);
    let elements = ty.and_then(|ty| {
        let mut extents = ty.shape.iter();
        extents.try_fold(1i64, |all, &extent| {
            (extent != DYNAMIC).then(|| all.saturating_mul(extent))
        })
    });
    elements.is_some_and(|elements| elements >= least)
}
