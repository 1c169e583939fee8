//! Tiling obstacles: the reasons why a loop of a band cannot be tiled.

use std::fmt;

use gridloom_dialects::affine::ForOp;
use gridloom_ir::OpId;

use crate::analysis::dependence::Dependences;
use crate::analysis::loop_kind::is_sequential_loop;
use crate::offload::jam::repeats_alike;
use crate::offload::jam::split::can_split;
use crate::offload::plan::BandLoop;
use crate::offload::variance::{Mask, Variance};
use crate::transform::joint_bounds::factor_of;

/// Limit on how far a bound of a loop in the body may move from one iteration of the band to the
/// next, in iterations, for the points of a tile to share the loop.
const MAX_BOUND_SHIFT: i64 = 2;

/// Reason why a loop of a band cannot be tiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TilingObstacle {
    /// The loop's trip count varies with loops around it.
    VariesOutside,
    /// Bounds of other loops of the band depend on the loop's counter.
    BoundsOthers,
    /// A region in the body would be repeated for the loop's iterations, and loads what it stores.
    StoresInRegion,
    /// A loop in the body would run separately for each point, so that a tile shares nothing in it.
    RepeatsLoops,
}

impl fmt::Display for TilingObstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TilingObstacle::VariesOutside => {
                "its number of iterations depends on the counter of a loop around it"
            }
            TilingObstacle::BoundsOthers => {
                "the bounds of another loop of the grid depend on its counter"
            }
            TilingObstacle::StoresInRegion => "a branch or loop in it both loads and stores",
            TilingObstacle::RepeatsLoops => {
                "the trip count of a loop in it differs from iteration to \
                 iteration"
            }
        })
    }
}

/// The obstacle to tiling each loop of a band, `None` where it can be tiled. A loop can be tiled if
/// its iterations form a box with those of the other loops, and regions in it can be repeated;
/// `test` is the domain test.
pub fn tiling_obstacles(
    deps: &Dependences,
    band: &[BandLoop],
    variance: &Variance,
    test: Option<OpId>,
) -> Vec<Option<TilingObstacle>> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let bounds = band.iter().fold(0, |mask, l| {
        let ends = [l.counter.lower(ctx, body), l.counter.upper(ctx, body)];
        let operands = ends.iter().flat_map(|bound| bound.operands);
        operands.fold(mask, |mask, &value| mask | variance.of(value))
    });
    let last = band.last().map(|l| l.counter.op);
    let check = |(k, l): (usize, &BandLoop)| {
        let mask = 1 << k;
        let Some(last) = last else {
            return Some(TilingObstacle::VariesOutside);
        };
        match l.is_exact {
            false => Some(TilingObstacle::VariesOutside),
            _ if bounds & mask != 0 => Some(TilingObstacle::BoundsOthers),
            _ if !repeats_alike(body, last, variance, mask, test) => {
                Some(TilingObstacle::StoresInRegion)
            }
            _ if repeats_loops(deps, band, last, variance, mask) => {
                Some(TilingObstacle::RepeatsLoops)
            }
            _ => None,
        }
    };
    band.iter().enumerate().map(check).collect()
}

/// Whether a loop in the body of `last` runs separately for each point of `tiled` loops, so that a
/// tile shares nothing in it.
fn repeats_loops(
    deps: &Dependences,
    band: &[BandLoop],
    last: OpId,
    variance: &Variance,
    tiled: Mask,
) -> bool {
    let body = deps.values.body;
    let ops = body.walk_op(last);
    let is_repeated = |&op: &OpId| {
        let is_varied = variance.of_op(body, op) & tiled != 0;
        let is_loop = is_sequential_loop(body, op);
        is_varied && is_loop && !shares_most(deps, band, op, variance, tiled)
    };
    ops[1..].iter().any(is_repeated)
}

/// Whether the points of a tile share most iterations of a loop: its bounds move little with the
/// counters of the band.
fn shares_most(
    deps: &Dependences,
    band: &[BandLoop],
    op: OpId,
    variance: &Variance,
    tiled: Mask,
) -> bool {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    if !can_split(ctx, body, op) {
        return false;
    }
    let ends = [ForOp(op).lower(ctx, body), ForOp(op).upper(ctx, body)];
    ends.into_iter().all(|end| {
        let dims = end.map.num_dims(ctx);
        end.operands.iter().enumerate().all(|(place, &value)| {
            if variance.of(value) & tiled == 0 {
                return true;
            }
            let own = band.iter().map(|l| l.counter);
            let own = own.filter(|counter| counter.induction_var(body) == value);
            let step = own.map(|counter| counter.step(ctx, body)).next();
            let Some(step) = step.filter(|_| place < dims) else {
                return false;
            };
            end.map.results(ctx).iter().all(|&expr| {
                let distance = factor_of(ctx, expr, place as u32)
                    .and_then(|distance| distance.checked_mul(step));
                distance.is_some_and(|distance| distance.abs() <= MAX_BOUND_SHIFT)
            })
        })
    })
}
