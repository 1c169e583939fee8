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
//! Legal as the band has one iteration, which is the nest in its order; parallel loops inside may run in order. Refused where a
//! kernel cannot hold the nest, or the host needs a result that memory cannot hold.
//!
//! Done for nests of at least [`OffloadOptions::serial_least`] operations, as far as trip counts are known: a
//! driver takes some time to compile a kernel. Nests with kernels inside are left alone, but for those that launch small ones very
//! often: kernels whose trip counts depend on data, such as the runs of a run-length code, are taken to share the
//! elements that they access equally.

use std::collections::{HashMap, HashSet};

use gridloom_dialects::affine::{self, Bound, ParallelOp};
use gridloom_dialects::{gpu, scf};
use gridloom_ir::body::Uses;
use gridloom_ir::{Body, Builder, Context, Module, OpId, Type, Value};

use super::affine_guard_bounds::is_checked_copy;
use super::affine_guard_overflow::is_fallback;
use super::element::{Element, can_be_kept, cell, outermost};
use super::gpu_serialize_loops::serialize_all;
use super::plans::{Plans, change_by_plans, is_inside};
use crate::analysis::alias::Globals;
use crate::analysis::dependence::Dependences;
use crate::analysis::eligible::{becomes_kernel, obstacle_but};
use crate::analysis::loop_kind::is_counted_loop;
use crate::analysis::values::AffineValues;
use crate::analysis::work::{known_work_of, trips_of};
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
    let mut long: HashSet<OpId> = HashSet::new();
    let mut is_frequent = false;
    for op in body.walk().into_iter().filter(is_loop) {
        if known_work_of(&mut deps.values, op) >= least {
            long.insert(op);
        }
        let trips = trips_of(&mut deps.values, op);
        is_frequent |= trips.is_some_and(|trips| trips * LAUNCH >= least);
    }
    // Most bodies have none, and need no search for kernels.
    if long.is_empty() && !is_frequent {
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
        if !is_loop(&op) {
            continue;
        }
        if around.contains(&op) {
            let inside: Vec<OpId> = (kernels.iter().copied())
                .filter(|&kernel| body.is_ancestor(op, kernel))
                .collect();
            if !launches_too_much(&mut deps, op, &inside, least) {
                continue;
            }
        } else if !long.contains(&op) {
            skipped.insert(op);
            continue;
        }
        let parallel = [scf::PARALLEL, scf::REDUCE];
        let is_serial = obstacle_but(ctx, body, op, target, &parallel).is_none();
        if let Some(results) = used_results(ctx, body, &uses, op).filter(|_| is_serial) {
            skipped.insert(op);
            plans.push(SerialNest { root: op, results });
        }
    }
    (plans, false)
}

/// The time of a launch in a loop of the host, in operations of one thread. Measured on lavapipe: some 50 µs, and 1 ns.
const LAUNCH: f64 = 50_000.0;

/// Whether the launches of kernels in a loop take more time than one thread takes for the loop. Their trip counts depend on
/// data that the loop loads or computes.
fn launches_too_much(deps: &mut Dependences, op: OpId, kernels: &[OpId], least: f64) -> bool {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    // One thread has no values of several to combine.
    if kernels.iter().any(|&kernel| body[kernel].num_results() > 0) {
        return false;
    }
    let Some(launches) = trips_of(&mut deps.values, op) else {
        return false;
    };
    if !kernels
        .iter()
        .all(|&kernel| has_own_bound(&mut deps.values, op, kernel))
    {
        return false;
    }
    let accessed = kernels.iter().flat_map(|&kernel| body.walk_op(kernel));
    let memrefs = accessed.flat_map(|op| body[op].operands.iter().copied());
    let types = memrefs.filter_map(|value| body.ty(value).memref(ctx));
    let sizes: Option<Vec<i64>> = types.map(|ty| ty.num_elements()).collect();
    let Some(elements) = sizes.and_then(|sizes| sizes.into_iter().max()) else {
        return false;
    };
    let share = (elements as f64 / launches).max(1.0);
    let statements = kernels.iter().flat_map(|&kernel| {
        let ops = body.walk_op(kernel).into_iter();
        ops.filter(move |&inner| body.parent_op(inner) == Some(kernel))
    });
    let iteration: f64 = statements
        .map(|statement| known_work_of(&mut deps.values, statement))
        .sum();
    let others = body.walk_op(op).len() as f64;
    launches * LAUNCH >= 2.0 * (launches * (share * iteration + others) + least)
}

/// Whether a bound of a kernel in a loop is a number that the loop loads or computes from what it loads.
fn has_own_bound(values: &mut AffineValues, around: OpId, kernel: OpId) -> bool {
    let body = values.body;
    let mut atoms = Vec::new();
    for &bound in &body[kernel].operands {
        if body.ty(bound).is_index(values.ctx) {
            let expr = values.expr(bound);
            values.atoms_in(expr, &mut atoms);
        }
    }
    atoms.into_iter().any(|atom| {
        let maker = (values.atom(atom).anchor()).and_then(|value| body.defining_op(value));
        maker.is_some_and(|maker| body.is_ancestor(around, maker))
    })
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
        let inside = body.walk_op(self.root);
        serialize_all(ctx, body, &inside);
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
