//! Profitability of array expansion: the time of an iteration as it is, with its inner loops as launches or in one thread, against
//! its share of a batch whose iterations have a thread each.
//!
//! ```text
//! before = Σ over statements: launch + work / min(threads, iterations) where parallel, else work
//! after  = (launch + work of a batch / min(threads, its iterations)) / its iterations,
//!          4 times the work where it is parallel now
//! ```
//!
//! Both are launches by the model of [`LaunchCost`].

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::scf;
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{OpId, Value};

use super::BUDGET;
use crate::analysis::dependence::Dependences;
use crate::analysis::loop_kind::is_counted_loop;
use crate::analysis::parallel::conflict_in_memory;
use crate::analysis::work::{trips_of, work_assuming};
use crate::analysis::workgroup_memory::element_bytes;
use crate::target::{LaunchCost, OffloadOptions};

/// Trip count that stands for one that is not known.
const OPEN_TRIPS: f64 = 1024.0;

/// Cost of an operation of an inner loop that is a kernel by itself, whose neighbouring threads access neighbouring elements, in a
/// thread that walks the loop.
const SCATTERED: f64 = 4.0;

/// Least gain.
const LEAST_GAIN: f64 = 2.0;

/// Whether iterations with parts of expanded arrays, side by side, take less time than as they are.
pub(super) fn pays(
    deps: &mut Dependences,
    op: ForOp,
    arrays: &[Value],
    options: &OffloadOptions,
) -> bool {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let bytes: f64 = (arrays.iter())
        .filter_map(|&array| {
            let ty = body.ty(array).memref(ctx)?;
            let extents = ty.shape.iter().map(|&extent| match extent {
                DYNAMIC => OPEN_TRIPS,
                extent => extent as f64,
            });
            Some(extents.product::<f64>() * element_bytes(ctx, ty.element) as f64)
        })
        .sum();
    let trips = trips_of(&mut deps.values, op.0).unwrap_or(OPEN_TRIPS);
    let batch = trips.min(BUDGET as f64 / bytes.max(1.0)).max(1.0);
    let cost = options.launch_cost;
    let statements = op.statements(body);
    let walked = |deps: &mut Dependences, op| {
        let work = work_assuming(&mut deps.values, op, OPEN_TRIPS);
        match is_counted_loop(body, op) && conflict_in_memory(deps, op).is_none() {
            true => SCATTERED * work,
            false => work,
        }
    };
    let all: f64 = statements.iter().map(|&s| walked(deps, s)).sum();
    let before: f64 = statements
        .iter()
        .map(|&s| time_of(deps, cost, s, MAX_DEPTH))
        .sum();
    let after = cost.time(all * batch, batch) / batch;
    after * LEAST_GAIN < before
}

/// Limit of the depth of a statement; what is deeper counts as the work of one thread.
const MAX_DEPTH: usize = 16;

/// The time of a statement without expansion, in operations of one thread.
fn time_of(deps: &mut Dependences, cost: LaunchCost, op: OpId, depth: usize) -> f64 {
    let body = deps.values.body;
    let work = work_assuming(&mut deps.values, op, OPEN_TRIPS);
    let is_structure = matches!(body[op].name, affine::FOR | scf::FOR | affine::IF | scf::IF);
    let Some(depth) = depth.checked_sub(1).filter(|_| is_structure) else {
        return work;
    };
    let trips = trips_of(&mut deps.values, op).unwrap_or(OPEN_TRIPS);
    // Reductions count as parallel.
    if is_counted_loop(body, op) && conflict_in_memory(deps, op).is_none() {
        return work.min(cost.time(work, parallel_points(deps, op)));
    }
    let below = body.blocks_of(op).flat_map(|block| body.ops(block));
    let below: Vec<OpId> = below.collect();
    let each: f64 = below
        .into_iter()
        .map(|op| time_of(deps, cost, op, depth))
        .sum();
    work.min(trips.max(1.0) * each)
}

/// The iterations of the perfect nest of parallel loops from `op` inwards.
fn parallel_points(deps: &mut Dependences, op: OpId) -> f64 {
    let body = deps.values.body;
    let mut points = 1.0;
    let mut at = Some(op);
    while let Some(op) = at {
        points *= trips_of(&mut deps.values, op).unwrap_or(OPEN_TRIPS);
        let block = body.region_block(op, 0);
        let mut ops = block.into_iter().flat_map(|block| body.ops(block));
        let only = ops.next().filter(|&op| ForOp::cast(body, op).is_some());
        at = only.filter(|&op| ops.count() == 1 && conflict_in_memory(deps, op).is_none());
    }
    points.max(1.0)
}
