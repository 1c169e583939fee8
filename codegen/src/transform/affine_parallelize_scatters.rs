//! `affine-parallelize-scatters`: parallelizes stores to elements that data chooses (scatters), by
//! finding first which iteration is the last to store to each element.
//!
//! ```text
//!                                         affine.parallel: last[…] = -1
//! affine.for %i = 0 to %n {               affine.parallel (%i) = (0) to (%n) {
//!   %k = …                                  %k = …
//!   %x = …                         ⇒        last[%k] = the greater one of %i and last[%k], atomically
//!   memref.store %x, %y[%k]               }
//! }                                       affine.parallel (%i) = (0) to (%n) {
//!                                           %k = …, %x = …
//!                                           if last[%k] == %i { y[%k] = %x }
//!                                         }
//! ```
//!
//! What an element holds in the end is what the last iteration that stores there has stored: a *last-value
//! assignment*, as of privatized arrays (Tu and Padua, "Automatic Array Privatization", 1993). That iteration alone stores in
//! the last step, so that the bits are those of the program whatever the subscripts are. If it stores to the element more
//! than once, it does so in its own order.
//!
//! Legal where output dependences of scatters to one array are the only loop-carried ones; where arrays
//! exist around the loop, have distinct elements for distinct subscripts and at least one dimension; and
//! where subscripts of scatters, and conditions around them, are computed without anything that the loop writes,
//! as they are computed for all iterations before the first one stores. The number of iterations has to fit 31 bits, which is
//! tested in front where it is not known. Perfect inner loops that nothing but the scatters ties are coalesced with
//! the outermost one before.
//!
//! Where all scatters to an array store one value, it does not matter which one is the last: they become atomic
//! ([`marks`]), and the loop stays as it is.
//!
//! Done to loops of [`MIN_SCATTER_TRIPS`] iterations or more, or of a number that is not known, that are in no parallel loop. It costs
//! an array of 32-bit numbers with the shape of the one that is stored to, which has at most [`MAX_ELEMENTS`] elements for each
//! iteration; the run tests what is not known of that.

pub(super) mod apply;
mod marks;

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::memref;
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{Body, Context, Module, OpId, Value};

use super::affine_atomic_updates::is_chosen_by_data;
use super::affine_guard_overflow::is_fallback;
use super::affine_if_conversion::is_beside_others;
use super::affine_loop_coalescing::perfect_inner;
use super::plans::{change_by_plans, plan_outermost};
use crate::analysis::access::{Access, accesses_below};
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::eligible::obstacle;
use crate::analysis::parallel::{MAX_ACCESSES, conflict_of, verdict};
use crate::target::OffloadOptions;
use crate::transform::numbered_nest::{NumberedNest, has_affine_extents};
use crate::transform::slice::{reads_nothing_written, slice_of};

/// Default number of iterations from which on a loop of scatters is worth three launches.
pub const MIN_SCATTER_TRIPS: u32 = 512;

/// Limit of the elements of an array for each iteration of the loop: their numbers are initialized.
const MAX_ELEMENTS: i64 = 16;

/// Limit of the scatters of a loop, each of which is an atomic update of its own.
const MAX_SCATTERS: usize = 16;

/// Parallelizes the scatters in the host functions of a module, of loops of `min_trips` iterations or more. Returns
/// whether anything changed.
pub fn parallelize_scatters(
    ctx: &Context,
    module: &mut Module,
    options: &OffloadOptions,
    min_trips: u32,
) -> bool {
    change_by_plans(
        ctx,
        module,
        1,
        |body, globals| {
            if !body.may_hold(memref::STORE) || !body.may_hold(affine::FOR) {
                return (Vec::new(), false);
            }
            plan_outermost(ctx, body, globals, |deps, root| {
                plan(deps, root, options, min_trips)
            })
        },
        |plan, body| plan.apply(ctx, body),
    )
}

/// Whether [`parallelize_scatters`] changes a loop, with the default limit of iterations.
pub(super) fn is_parallelized_by_scatters(
    deps: &mut Dependences,
    root: ForOp,
    options: &OffloadOptions,
) -> bool {
    plan(deps, root, options, MIN_SCATTER_TRIPS).is_some()
}

/// Plan for a loop with scatters.
enum Plan {
    /// The last iteration that stores to an element is found first.
    LastValues(ScatterLoop),
    /// The scatters are marks, which become atomic.
    Marks(Vec<OpId>),
}

impl Plan {
    fn apply(&self, ctx: &Context, body: &mut Body) {
        match self {
            Plan::LastValues(scatters) => scatters.apply(ctx, body),
            Plan::Marks(marks) => marks::make_atomic(ctx, body, marks),
        }
    }
}

/// Plan for a loop with scatters of which the last one counts.
struct ScatterLoop {
    /// The loop, and the perfect inner loops to coalesce with it.
    nest: Vec<ForOp>,
    destinations: Vec<Destination>,
    /// Whether the run tests that the arrays are small enough for the number of iterations.
    is_tested: bool,
}

/// Arrays of one shape to which the same iterations store at the same subscripts.
struct Destination {
    /// An array of the destination, which stands for the shape of all.
    memref: Value,
    /// Scatters to one array; or one scatter to each array.
    stores: Vec<OpId>,
    /// Whether the stores go to one array each, at the same time.
    is_joint: bool,
}

fn plan(
    deps: &mut Dependences,
    root: ForOp,
    options: &OffloadOptions,
    min_trips: u32,
) -> Option<Plan> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let candidates = scatters_below(ctx, body, root);
    if candidates.is_empty() {
        return None;
    }
    let accesses = accesses_of_numbered(deps, root)?;
    let scatters = tied(deps, root, &accesses, &candidates);
    if scatters.is_empty() || scatters.len() > MAX_SCATTERS {
        return None;
    }
    let may_be_parallel = !is_below_parallel(deps, root)
        && only_scatters_tie(deps, root, &scatters, &accesses)
        && obstacle(ctx, body, root.0, options.target.as_ref()).is_none();
    if !may_be_parallel {
        return None;
    }
    let nest = nest_of(deps, root, &scatters, &accesses);
    let trips = trips_of(ctx, body, &nest);
    if trips.is_some_and(|trips| trips < min_trips.into()) {
        return None;
    }
    if marks::are_marks(ctx, body, &scatters) {
        return Some(Plan::Marks(scatters));
    }
    let slice = slice_of(body, root, &scatters, &[])?;
    if !reads_nothing_written(deps, root, &accesses, &slice) {
        return None;
    }
    let destinations = destinations_of(ctx, body, &scatters);
    let mut sizes = destinations
        .iter()
        .map(|d| elements_of(ctx, body, d.memref));
    let is_small = |elements: i64, trips: i64| elements / MAX_ELEMENTS <= trips;
    let mut is_tested = false;
    let pays = sizes.all(|elements| match (elements, trips) {
        (Some(elements), Some(trips)) => is_small(elements, trips),
        _ => {
            is_tested = true;
            true
        }
    });
    pays.then_some(Plan::LastValues(ScatterLoop {
        nest,
        destinations,
        is_tested,
    }))
}

/// The accesses of a loop whose iterations can be numbered, and which no others run beside; `None` for another one, and for too
/// many accesses.
pub(super) fn accesses_of_numbered(deps: &mut Dependences, root: ForOp) -> Option<Vec<Access>> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    if body[root.0].num_results() > 0
        || is_beside_others(body, root.0)
        || is_fallback(body, root.0)
        || NumberedNest::new(ctx, body, root, Vec::new()).is_none()
    {
        return None;
    }
    let accesses = accesses_below(&mut deps.values, root.0);
    (accesses.len() <= MAX_ACCESSES).then_some(accesses)
}

/// The stores below a loop to elements that data chooses, of arrays that have distinct elements for
/// distinct subscripts and exist around the loop.
pub(super) fn scatters_below(ctx: &Context, body: &Body, root: ForOp) -> Vec<OpId> {
    let is_scatter = |&op: &OpId| {
        if body[op].name != memref::STORE {
            return false;
        }
        let store = memref::StoreOp(op);
        let ty = body.ty(store.memref(body)).memref(ctx);
        let is_distinct = ty.is_some_and(|ty| ty.layout.is_none() && ty.rank() > 0);
        let mut indices = store.indices(body).iter();
        is_distinct
            && has_affine_extents(ctx, body, store.memref(body))
            && !body.is_defined_in(store.memref(body), root.0)
            && indices.any(|&index| is_chosen_by_data(body, root, index))
    };
    let below = body.walk_op(root.0).into_iter();
    below.filter(is_scatter).collect()
}

/// The number of iterations of a nest, where it is known.
pub(super) fn trips_of(ctx: &Context, body: &Body, nest: &[ForOp]) -> Option<i64> {
    (nest.iter()).try_fold(1i64, |all, l| {
        all.checked_mul(l.signed_trip_count(ctx, body)?)
    })
}

/// The number of elements of a memref, where it is known.
pub(super) fn elements_of(ctx: &Context, body: &Body, memref: Value) -> Option<i64> {
    let shape = &body.ty(memref).memref(ctx)?.shape;
    shape.iter().try_fold(1i64, |all, &extent| {
        all.checked_mul((extent != DYNAMIC).then_some(extent)?)
    })
}

/// Whether a loop is inside of a parallel one, whose iterations are threads.
pub(super) fn is_below_parallel(deps: &mut Dependences, root: ForOp) -> bool {
    let body = deps.values.body;
    let mut around = body.ancestors(root.0);
    around.any(|op| ForOp::cast(body, op).is_some() && verdict(deps, op).is_parallel())
}

/// The array that a scatter stores to.
fn array_of(body: &Body, store: OpId) -> Value {
    memref::StoreOp(store).memref(body)
}

/// The stores among `stores` with a loop-carried output dependence on one of them, proved or not excluded.
fn tied(deps: &mut Dependences, root: ForOp, accesses: &[Access], stores: &[OpId]) -> Vec<OpId> {
    let body = deps.values.body;
    let scope = Scope::AcrossIterations(root.0);
    let of_stores = || accesses.iter().filter(|a| stores.contains(&a.op));
    let mut meets_another = |own: &Access| {
        of_stores().any(|other| {
            let is_same = array_of(body, own.op) == array_of(body, other.op);
            is_same && !deps.test(scope, own, other).is_independent()
        })
    };
    let tied = of_stores().filter(|own| meets_another(own));
    tied.map(|own| own.op).collect()
}

/// Whether output dependences between scatters to one array are the only loop-carried ones among some of a loop's
/// accesses, those of the scatters included.
pub(super) fn only_scatters_tie(
    deps: &mut Dependences,
    l: ForOp,
    scatters: &[OpId],
    accesses: &[Access],
) -> bool {
    let body = deps.values.body;
    let is_scatter = |access: &Access| scatters.contains(&access.op);
    let others = accesses.iter().filter(|access| !is_scatter(access));
    if conflict_of(deps, l.0, others.cloned().collect(), &[]).is_some() {
        return false;
    }
    let scope = Scope::AcrossIterations(l.0);
    let mut of_scatters = accesses.iter().filter(|access| is_scatter(access));
    of_scatters.all(|own| {
        accesses.iter().all(|other| {
            let is_output = is_scatter(other) && array_of(body, own.op) == array_of(body, other.op);
            is_output
                || deps.test(scope, own, other).is_independent()
                    && deps.test(scope, other, own).is_independent()
        })
    })
}

/// The loop and the perfect inner loops whose iterations only the scatters tie, among some of the loop's accesses.
pub(super) fn nest_of(
    deps: &mut Dependences,
    root: ForOp,
    scatters: &[OpId],
    accesses: &[Access],
) -> Vec<ForOp> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let mut nest = vec![root];
    while let Some(inner) = nest.last().and_then(|&l| perfect_inner(body, l)) {
        let inside = accesses.iter().filter(|a| body.is_ancestor(inner.0, a.op));
        let inside: Vec<Access> = inside.cloned().collect();
        let is_free = body[inner.0].num_results() == 0
            && inner.constant_trip_count(ctx, body).is_some()
            && only_scatters_tie(deps, inner, scatters, &inside);
        if !is_free {
            break;
        }
        nest.push(inner);
    }
    nest
}

/// Groups scatters by their arrays; arrays that the same iterations store to at the same subscripts
/// are one destination.
fn destinations_of(ctx: &Context, body: &Body, scatters: &[OpId]) -> Vec<Destination> {
    let mut destinations: Vec<Destination> = Vec::new();
    for &store in scatters {
        let memref = array_of(body, store);
        match destinations.iter_mut().find(|d| d.memref == memref) {
            Some(destination) => destination.stores.push(store),
            None => destinations.push(Destination {
                memref,
                stores: vec![store],
                is_joint: false,
            }),
        }
    }
    let mut joint: Vec<Destination> = Vec::new();
    for destination in destinations {
        let same = joint
            .iter_mut()
            .find(|first| stores_alike(ctx, body, first, &destination));
        match same {
            Some(first) => {
                first.stores.extend(destination.stores);
                first.is_joint = true;
            }
            None => joint.push(destination),
        }
    }
    joint
}

/// Whether a destination of one store is stored to exactly where another one is, in the same iterations.
fn stores_alike(ctx: &Context, body: &Body, first: &Destination, second: &Destination) -> bool {
    let shape = |d: &Destination| {
        let ty = body.ty(d.memref).memref(ctx)?;
        (!ty.shape.contains(&DYNAMIC)).then(|| ty.shape.to_vec())
    };
    let is_one = first.is_joint || first.stores.len() == 1;
    let at = |d: &Destination| {
        let store = d.stores[0];
        (
            body[store].parent(),
            memref::StoreOp(store).indices(body).to_vec(),
        )
    };
    is_one
        && second.stores.len() == 1
        && at(first) == at(second)
        && shape(first).is_some()
        && shape(first) == shape(second)
}
