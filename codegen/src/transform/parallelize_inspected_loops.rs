//! `parallelize-inspected-loops`: parallelizes loops at subscripts that only the run knows, where an inspection finds that
//! no two iterations touch one element.
//!
//! ```text
//!                                              affine.parallel: owner[…] = -1
//!                                              affine.parallel (%i) = (0) to (%n) {
//!                                                %j = …
//! affine.for %i = 0 to %n {                      owner[%i], owner[%j] = the greater one of %i and these, atomically
//!   %j = …                                     }
//!   if %i < %j {                        ⇒      affine.parallel (%i) = (0) to (%n) {
//!     swap %x[%i] and %x[%j]                     %j = …
//!   }                                            if owner[%i] != %i or owner[%j] != %i { %clash[0] = 1 }
//! }                                            }
//!                                              scf.if %clash[0] == 0 { the loop, parallel } else { the loop as it is }
//! ```
//!
//! An inspector and an executor (Saltz, Mirchandaney and Crowley, "Run-Time Parallelization and Scheduling of Loops", 1991):
//! where two iterations touch an element, the lesser one finds that it is not its last. So permutations by swaps, as the bit
//! reversal of an FFT, and updates of elements that a list names once run side by side, in any order of the list.
//!
//! Legal where the loop-carried dependences that are not excluded are between loads and stores of arrays that exist around the
//! loop and have distinct elements for distinct subscripts, each dependence within one of them; and where
//! subscripts, and conditions around them, are computed without anything that the loop writes. All accesses of these
//! arrays count, which refuses arrays that several iterations read. The number of iterations has to fit 31 bits, which is tested
//! in front where it is not known.
//!
//! Done for GPUs, to loops of [`MIN_TRIPS`] iterations or more, or of a number that is not known, that are in no parallel loop, where none of the
//! dependences is proved and each has a subscript that is not affine. Accesses in inner loops are refused: they meet those of
//! other iterations in most programs. A CPU takes longer for two atomic updates than for a swap. Arrays have at most [`MAX_ELEMENTS`] elements for each iteration; the run tests what is not known
//! of that.

mod apply;

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::{memref, scf};
use gridloom_ir::{Body, Context, Module, OpId, Value};

use super::affine_parallelize_scatters::{accesses_of_numbered, elements_of, is_below_parallel};
use super::plans::{change_by_plans, plan_outermost};
use crate::analysis::access::Access;
use crate::analysis::dependence::{Dependence, Dependences, Scope};
use crate::analysis::eligible::obstacle;
use crate::target::OffloadOptions;
use crate::transform::numbered_nest::has_affine_extents;
use crate::transform::slice::{reads_nothing_written, slice_of, subscripts};

/// Least trip count of a loop that is worth an inspection, where it is known.
const MIN_TRIPS: u64 = 1 << 12;

/// Limit of the elements of an array for each iteration of the loop: their owners are initialized.
const MAX_ELEMENTS: i64 = 16;

/// Limit of the accesses that are inspected, each of which is an atomic update of its own.
const MAX_INSPECTED: usize = 16;

/// Parallelizes inspected loops in the host functions of a module. Returns whether there were any.
pub fn parallelize_inspected(ctx: &Context, module: &mut Module, options: &OffloadOptions) -> bool {
    change_by_plans(
        ctx,
        module,
        1,
        |body, globals| {
            if !options.reduction.shares
                || !body.may_hold(memref::STORE)
                || !body.may_hold(affine::FOR)
            {
                return (Vec::new(), false);
            }
            plan_outermost(ctx, body, globals, |deps, root| plan(deps, root, options))
        },
        |plan, body| plan.apply(ctx, body),
    )
}

/// Plan for a loop that is inspected.
struct Inspected {
    root: ForOp,
    arrays: Vec<InspectedArray>,
    /// Whether the run tests that the arrays are small enough for the number of iterations.
    is_tested: bool,
}

/// An array, and the loads and stores of it in the loop.
struct InspectedArray {
    memref: Value,
    accesses: Vec<OpId>,
}

fn plan(deps: &mut Dependences, root: ForOp, options: &OffloadOptions) -> Option<Inspected> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let trips = root.constant_trip_count(ctx, body);
    if trips.is_some_and(|trips| trips < MIN_TRIPS) {
        return None;
    }
    let accesses = accesses_of_numbered(deps, root)?;
    let arrays = arrays_in_doubt(deps, root, &accesses)?;
    let inspected: Vec<OpId> = arrays
        .iter()
        .flat_map(|array| array.accesses.clone())
        .collect();
    let slice = slice_of(body, root, &inspected, &[])?;
    let is_legal = inspected.len() <= MAX_INSPECTED
        && !is_below_parallel(deps, root)
        && reads_nothing_written(deps, root, &accesses, &slice)
        && obstacle(ctx, body, root.0, options.target.as_ref()).is_none();
    if !is_legal {
        return None;
    }
    let trips = trips.and_then(|trips| i64::try_from(trips).ok());
    let mut is_tested = false;
    let is_small = arrays.iter().all(
        |array| match (elements_of(ctx, body, array.memref), trips) {
            (Some(elements), Some(trips)) => elements / MAX_ELEMENTS <= trips,
            _ => {
                is_tested = true;
                true
            }
        },
    );
    is_small.then_some(Inspected {
        root,
        arrays,
        is_tested,
    })
}

/// The arrays in which iterations may meet; `None` if there are none, or where an inspection does not tell.
fn arrays_in_doubt(
    deps: &mut Dependences,
    root: ForOp,
    accesses: &[Access],
) -> Option<Vec<InspectedArray>> {
    let body = deps.values.body;
    let scope = Scope::AcrossIterations(root.0);
    let mut memrefs: Vec<Value> = Vec::new();
    for first in accesses {
        for second in accesses {
            let found = deps.test(scope, first, second);
            if found.is_independent() {
                continue;
            }
            let [one, other] = [first, second].map(|access| array_of(body, access.op));
            let is_in_doubt = matches!(found, Dependence::Dependent { proved: false, .. })
                && [first, second]
                    .iter()
                    .any(|a| memref::Access::cast(body, a.op).is_some());
            let memref = one.filter(|_| one == other && is_in_doubt)?;
            if !memrefs.contains(&memref) {
                memrefs.push(memref);
            }
        }
    }
    let arrays: Option<Vec<InspectedArray>> = (memrefs.into_iter())
        .map(|memref| InspectedArray::of(deps.values.ctx, body, root, memref))
        .collect();
    arrays.filter(|arrays| !arrays.is_empty())
}

/// The memref of a load or store of single elements.
fn array_of(body: &Body, op: OpId) -> Option<Value> {
    subscripts(body, op)?;
    let plain = memref::Access::cast(body, op).map(|access| access.memref(body));
    plain.or_else(|| affine::Access::cast(body, op).map(|access| access.memref(body)))
}

impl InspectedArray {
    /// The accesses of a memref in a loop; `None` where its elements cannot be told apart, or one is in an inner loop.
    fn of(ctx: &Context, body: &Body, root: ForOp, memref: Value) -> Option<InspectedArray> {
        let ty = body.ty(memref).memref(ctx)?;
        let is_distinct = ty.layout.is_none() && ty.rank() > 0;
        if !is_distinct
            || body.is_defined_in(memref, root.0)
            || !has_affine_extents(ctx, body, memref)
        {
            return None;
        }
        let mut accesses: Vec<OpId> = Vec::new();
        for op in body.walk_op(root.0) {
            let is_known = |&other: &OpId| is_same_element(ctx, body, other, op);
            if array_of(body, op) == Some(memref) && !accesses.iter().any(is_known) {
                accesses.push(op);
            }
        }
        let is_in_iteration = |&op: &OpId| {
            let mut around = body.ancestors(op).take_while(|&op| op != root.0);
            around.all(|op| matches!(body[op].name, affine::IF | scf::IF))
        };
        let is_plain = accesses.iter().all(is_in_iteration);
        is_plain.then_some(InspectedArray { memref, accesses })
    }
}

/// Whether two accesses of a memref, of one iteration, are in one block and have the same subscripts.
fn is_same_element(ctx: &Context, body: &Body, first: OpId, second: OpId) -> bool {
    let map = |op| affine::Access::cast(body, op).map(|access| access.map(ctx, body));
    body[first].parent() == body[second].parent()
        && map(first) == map(second)
        && subscripts(body, first) == subscripts(body, second)
}
