//! `affine-version-short-loops`: loop versioning of nests whose lanes would idle where the loop along them is short.
//!
//! ```text
//!                                            %short = arith.cmpi sle, %n, %c4
//!                                            scf.if %short {
//! affine.for %i = 0 to %m {                    affine.for %i = 0 to %m { … }     // %i along the lanes
//!   affine.for %j = 0 to %n { … }      ⇒     }
//! }                                          %long = arith.cmpi sgt, %n, %c4
//!                                            scf.if %long {
//!                                              affine.for %i = 0 to %m { … }     // %j along the lanes
//!                                            }
//! ```
//!
//! Where sizes are open, the model takes the loop along the lanes to be long: eight lanes of eight iterations each, of which a
//! loop of two fills two and one of sixteen a quarter. Complex numbers, small matrices and channels of images have such. So it
//! takes the loops that lanes share elements along, such as the rows of a product, of which there may be one.
//!
//! Always legal: both copies are the nest, and exactly one runs. The conditions compare one atom with constants, so that interval analysis
//! bounds the trip count in each copy, from which the plan of the nest chooses another loop or a smaller tile.

use std::collections::HashSet;

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::arith::{CmpIOp, CmpIPredicate};
use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::{AffineExpr, Body, Builder, Context, Module, OpId};

use super::plan::{BandLoop, NestPlan, Planned, Trips, plan_nest};
use super::tuned::Origin;
use crate::analysis::alias::Globals;
use crate::analysis::dependence::Dependences;
use crate::analysis::eligible::becomes_kernel;
use crate::analysis::loop_kind::is_affine_loop;
use crate::analysis::values::Atom;
use crate::target::OffloadOptions;
use crate::target::machine::{Machine, Tiling};
use crate::transform::affine_guard_bounds::is_checked_copy;
use crate::transform::affine_guard_overflow::is_fallback;
use crate::transform::atom_value::atom_value;
use crate::transform::nest_versions::part_nest;
use crate::versions::{Draft, change_functions};

/// Rounds of versioning: a nest may have a version for a short loop along the lanes, one for a middle one, and one for few rows;
/// a copy for short loops one by the loop that its lanes are along then. After that come smaller tiles for the last loop.
const ROUNDS: usize = 5;

/// Rounds in which other loops than the last one get versions: a nest of many loops would get too many.
const FIRST_ROUNDS: usize = 3;

/// Share of a tile, as its inverse, that a loop fills at most to get a version.
const LEAST_IDLE: i64 = 2;

/// Versions the nests of a module's host functions, where the target runs kernels on the CPU. Returns whether anything changed.
pub fn version_short_loops(ctx: &Context, module: &mut Module, options: &OffloadOptions) -> bool {
    let Tiling::Model(machine) = &options.tiling else {
        return false;
    };
    if machine.multiprocessors.is_some() {
        return false;
    }
    let globals = Globals::of(ctx, module);
    let changed = change_functions(ctx, module, &globals, |body| {
        let mut nests = nests(ctx, body, &globals, options);
        let mut changed = false;
        for round in 0..ROUNDS {
            let found = versions(ctx, body, &globals, options, machine, (&nests, round));
            nests = (found.iter())
                .flat_map(|version| version.apply(ctx, body))
                .collect();
            changed |= !nests.is_empty();
        }
        // Both copies are right for all arguments, whatever the choice relied on.
        (false, changed)
    });
    changed.contains(&true)
}

/// Version of a nest: the copy for short loops.
struct Version {
    root: OpId,
    /// The number from outside of the nest that is compared.
    atom: Atom,
    /// Its greatest value where the loop is short.
    most: i64,
}

/// The nests of open sizes that would become kernels.
fn nests(ctx: &Context, body: &Draft, globals: &Globals, options: &OffloadOptions) -> Vec<OpId> {
    let is_open = |&op: &OpId| match ForOp::cast(body, op) {
        Some(plain) => plain.constant_trip_count(ctx, body).is_none(),
        None => body[op].name == affine::PARALLEL,
    };
    if !body.walk().iter().any(is_open) {
        return Vec::new();
    }
    let mut deps = Dependences::new(ctx, body, globals);
    deps.values.reassociate = options.reassociate;
    let mut found = Vec::new();
    let mut roots: HashSet<OpId> = HashSet::new();
    for op in body.walk() {
        if !is_affine_loop(body, op) || body.ancestors(op).any(|around| roots.contains(&around)) {
            continue;
        }
        let is_for_other_sizes = is_fallback(body, op) || is_checked_copy(body, op);
        let is_mapped =
            is_for_other_sizes || becomes_kernel(&mut deps, op, options.target.as_ref());
        if !is_mapped {
            continue;
        }
        roots.insert(op);
        let is_whole = !is_for_other_sizes && body[op].num_results() == 0;
        if is_whole && body.walk_op(op).iter().any(is_open) {
            found.push(op);
        }
    }
    found
}

/// The versions that some nests get, by their plans.
fn versions(
    ctx: &Context,
    body: &Draft,
    globals: &Globals,
    options: &OffloadOptions,
    machine: &Machine,
    (nests, round): (&[OpId], usize),
) -> Vec<Version> {
    if nests.is_empty() {
        return Vec::new();
    }
    let mut deps = Dependences::new(ctx, body, globals);
    deps.values.reassociate = options.reassociate;
    let versions = nests.iter().filter_map(|&root| {
        let plan = match plan_nest(&mut deps, root, options) {
            Planned::Grid(plan) => plan,
            Planned::NeverRuns | Planned::MayWrap => return None,
        };
        let last = last_loop_version(ctx, body, root, &plan, machine);
        let is_first = round < FIRST_ROUNDS;
        last.or_else(|| is_first.then(|| version_of(ctx, root, &plan, machine))?)
    });
    versions.collect()
}

/// The version of a nest whose other loops are short for few iterations of the one along the lanes, which would fill a tile or two:
/// each lane has one iteration or two then. Only done where an iteration has a loop of its own, as the gradient of a filter
/// has: without, there is little to do.
fn last_loop_version(
    ctx: &Context,
    body: &Body,
    root: OpId,
    plan: &NestPlan,
    machine: &Machine,
) -> Option<Version> {
    let x = lanes_along(plan)?;
    let is_short = |(k, l): (usize, &BandLoop)| k == x || l.most <= machine.lanes / 2;
    let below = body.walk_op(root);
    let loops = below.iter().filter(|&&op| is_affine_loop(body, op)).count();
    if plan.band.len() == 1
        || loops <= plan.band.len()
        || !plan.band.iter().enumerate().all(is_short)
    {
        return None;
    }
    let mut tiles = [1, 2].into_iter();
    let limit = tiles.find_map(|tile| {
        let limit = tile * machine.lanes;
        (plan.tile[x] >= LEAST_IDLE * tile && is_longer(&plan.band[x], limit)).then_some(limit)
    })?;
    version_at(ctx, root, &plan.band[x], limit)
}

/// The loop along the lanes of a nest without phases, by the model's plan; `None` where there is not one alone.
fn lanes_along(plan: &NestPlan) -> Option<usize> {
    let [x] = plan.dims[0][..] else { return None };
    let is_modelled = !matches!(plan.origin, Origin::Tuned(_)) && plan.phases.is_none();
    is_modelled.then_some(x)
}

/// Whether a loop may have more iterations than these, or no more.
fn is_longer(l: &BandLoop, most: i64) -> bool {
    l.most > most && l.least <= most
}

/// The version of a nest for a loop that leaves most of the lanes idle, or most of their tiles.
fn version_of(ctx: &Context, root: OpId, plan: &NestPlan, machine: &Machine) -> Option<Version> {
    let x = lanes_along(plan)?;
    let is_longer = |k: usize, most: i64| is_longer(&plan.band[k], most);
    // Loops up to half of the lanes leave them to another loop, those of up to two iterations for each lane have smaller tiles.
    let (short, middle) = (machine.lanes / 2, 2 * machine.lanes);
    let is_other = |(k, l): (usize, &BandLoop)| k != x && l.most > short;
    if !plan.band.iter().enumerate().any(is_other) {
        return None;
    }
    if is_longer(x, short) {
        return version_at(ctx, root, &plan.band[x], short);
    }
    // Copies for short loops are for few iterations mostly.
    let is_short = |l: &BandLoop| matches!(l.trips, Trips::Least(..)) && !l.is_open();
    if plan.band.iter().any(is_short) {
        return None;
    }
    if plan.tile[x] * machine.lanes >= LEAST_IDLE * middle && is_longer(x, middle) {
        return version_at(ctx, root, &plan.band[x], middle);
    }
    let rows = |k: usize| plan.tile[k] / LEAST_IDLE;
    let k = (0..plan.band.len()).find(|&k| k != x && rows(k) > 1 && is_longer(k, rows(k)))?;
    version_at(ctx, root, &plan.band[k], rows(k))
}

/// The version for up to `limit` iterations of a loop, where one number from outside of the nest tells how many there are.
fn version_at(ctx: &Context, root: OpId, l: &BandLoop, limit: i64) -> Option<Version> {
    let Trips::Least(exprs, atoms) = &l.trips else {
        return None;
    };
    let ([trips], &[atom]) = (&exprs[..], &atoms[..]) else {
        return None;
    };
    let most = greatest(ctx, *trips, limit)?;
    Some(Version { root, atom, most })
}

/// The greatest value of the only dimension of `expr` for which `expr <= limit`; `None` where the expression does not ascend
/// with it by additions, products and quotients alone.
fn greatest(ctx: &Context, mut expr: AffineExpr, mut limit: i64) -> Option<i64> {
    loop {
        let (op, left, right) = match expr.kind(ctx) {
            AffineExprKind::Dim(_) => return Some(limit),
            AffineExprKind::Binary(op, left, right) => (op, left, right),
            _ => return None,
        };
        let by = right.as_constant(ctx)?;
        limit = match op {
            AffineOp::Add => limit.checked_sub(by)?,
            AffineOp::Mul if by > 0 => limit.div_euclid(by),
            AffineOp::CeilDiv if by > 0 => limit.checked_mul(by)?,
            AffineOp::FloorDiv if by > 0 => limit.checked_mul(by)?.checked_add(by - 1)?,
            _ => return None,
        };
        expr = left;
    }
}

impl Version {
    /// Puts the nest and its copy under the conditions. Returns both.
    fn apply(&self, ctx: &Context, body: &mut Draft) -> Vec<OpId> {
        let body: &mut Body = body.edit();
        let mut b = Builder::before(ctx, body, self.root);
        let Some(atom) = atom_value(&mut b, self.atom) else {
            return Vec::new();
        };
        let most = b.index_constant(self.most);
        let conditions = [CmpIPredicate::Sle, CmpIPredicate::Sgt]
            .map(|predicate| CmpIOp::create(&mut b, predicate, atom, most));
        let copy = part_nest(&mut b, self.root, conditions);
        vec![copy, self.root]
    }
}
