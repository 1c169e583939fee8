//! `affine-serial-nests`: gives long loop nests that are no kernels to one thread of the device.
//!
//! ```text
//! %r = affine.for %i = 0 to 2000                 %cell = memref.alloca() : memref<f32>
//!     iter_args(%s = %z) -> f32 {                affine.parallel (%one) = (0) to (1) {
//!   affine.for %j = 0 to 2000 {                    %r = affine.for %i = 0 to 2000 … {
//!     … %d[%j] … affine.store … %d[%j + 1]  ⇒        …
//!   }                                              }
//!   affine.yield %t                                affine.store %r, %cell[]
//! }                                              }
//!                                                %r1 = affine.load %cell[]
//! ```
//!
//! A driver that runs kernels on the CPU compiles them: on lavapipe one thread takes a twentieth of the time of
//! the host's interpreter, and the data stays where kernels before and behind have it.
//!
//! Legal as the band has one iteration, which is the nest in its order. Refused where a kernel cannot hold the
//! nest, or the host needs a result that memory cannot hold. Nests with kernels inside are left alone.
//!
//! Done for nests of at least [`OffloadOptions::serial_least`] operations, as far as trip counts are known: a
//! driver takes some time to compile a kernel.

use std::collections::{HashMap, HashSet};

use gridloom_dialects::affine::{self, Bound, ParallelOp};
use gridloom_dialects::{gpu, scf};
use gridloom_ir::body::Uses;
use gridloom_ir::{Body, Builder, Context, Module, OpId, Type, Value};

use super::affine_guard_bounds::is_checked_copy;
use super::affine_guard_overflow::is_fallback;
use super::element::{Element, can_be_kept, cell, outermost};
use super::plans::{Plans, change_by_plans, is_inside};
use crate::analysis::alias::Globals;
use crate::analysis::dependence::Dependences;
use crate::analysis::eligible::{becomes_kernel, obstacle};
use crate::analysis::loop_kind::is_counted_loop;
use crate::analysis::work::known_work_of;
use crate::target::OffloadOptions;

/// Gives long nests in the host functions of a module to one thread. Returns whether anything changed.
pub fn make_serial_nests(ctx: &Context, module: &mut Module, options: &OffloadOptions) -> bool {
    let Some(least) = options.serial_least else {
        return false;
    };
    change_by_plans(
        ctx,
        module,
        1,
        |body, globals| plan_body(ctx, body, globals, options, least as f64),
        |plan, body| plan.apply(ctx, body),
    )
}

/// Plan of a nest that one thread runs.
struct SerialNest {
    root: OpId,
    /// Results that the host uses.
    results: Vec<Value>,
}

fn plan_body(
    ctx: &Context,
    body: &Body,
    globals: &Globals,
    options: &OffloadOptions,
    least: f64,
) -> Plans<SerialNest> {
    let mut deps = Dependences::new(ctx, body, globals);
    deps.values.reassociate = options.reassociate;
    let is_loop = |op: &OpId| is_counted_loop(body, *op);
    let is_long = |op: &OpId| known_work_of(&mut deps.values, *op) >= least;
    let loops = body.walk().into_iter().filter(is_loop);
    let long: HashSet<OpId> = loops.filter(is_long).collect();
    // Most bodies have none, and need no search for kernels.
    if long.is_empty() {
        return (Vec::new(), false);
    }
    let target = options.target.as_ref();
    let kernels = kernels_of(&mut deps, options);
    let around: HashSet<OpId> = kernels.iter().flat_map(|&op| body.ancestors(op)).collect();
    let uses = deps.values.uses();
    let mut plans = Vec::new();
    let mut skipped: HashSet<OpId> = HashSet::new();
    for op in body.walk() {
        if is_inside(body, op, &skipped) {
            continue;
        }
        if kernels.contains(&op) || is_fallback(body, op) || is_checked_copy(body, op) {
            skipped.insert(op);
            continue;
        }
        if !is_loop(&op) || around.contains(&op) {
            continue;
        }
        if !long.contains(&op) {
            skipped.insert(op);
            continue;
        }
        let is_serial = obstacle(ctx, body, op, target).is_none();
        if let Some(results) = used_results(ctx, body, &uses, op).filter(|_| is_serial) {
            skipped.insert(op);
            plans.push(SerialNest { root: op, results });
        }
    }
    (plans, false)
}

/// The operations of a body that are, or become, kernels.
fn kernels_of(deps: &mut Dependences, options: &OffloadOptions) -> HashSet<OpId> {
    let body = deps.values.body;
    let target = options.target.as_ref();
    let mut kernels: HashSet<OpId> = HashSet::new();
    for op in body.walk() {
        if is_inside(body, op, &kernels) {
            continue;
        }
        let is_kernel = match body[op].name {
            gpu::LAUNCH | scf::PARALLEL | scf::FORALL => true,
            affine::FOR | affine::PARALLEL => becomes_kernel(deps, op, target),
            _ => false,
        };
        if is_kernel {
            kernels.insert(op);
        }
    }
    kernels
}

/// The results of a loop that something uses, if memory can hold them.
fn used_results(ctx: &Context, body: &Body, uses: &Uses, op: OpId) -> Option<Vec<Value>> {
    let used = body[op]
        .results()
        .filter(|&value| !uses.of(value).is_empty());
    let used: Vec<Value> = used.collect();
    let is_kept =
        |ty: Type| ty.is_index(ctx) || ty.signless_width(ctx) == Some(1) || can_be_kept(ctx, ty);
    used.iter()
        .all(|&value| is_kept(body.ty(value)))
        .then_some(used)
}

impl SerialNest {
    fn apply(&self, ctx: &Context, body: &mut Body) {
        let place = outermost(body, self.root);
        let cells: Vec<Element> = (self.results.iter())
            .map(|&result| cell(ctx, body, place, body.ty(result)))
            .collect();
        let mut b = Builder::before(ctx, body, self.root);
        let band = ParallelOp::create(&mut b, Bound::constant(ctx, 1));
        let loaded = cells.iter().map(|cell| cell.load(&mut b));
        let loaded: HashMap<Value, Value> = self.results.iter().copied().zip(loaded).collect();
        let Some(end) = body[band.block(body)].last() else {
            return;
        };
        body.detach(self.root);
        body.insert_before(end, self.root);
        body.replace_values(|value| loaded.get(&value).copied().unwrap_or(value));
        let mut b = Builder::before(ctx, body, end);
        for (cell, &result) in cells.iter().zip(&self.results) {
            cell.store(&mut b, result);
        }
    }
}
