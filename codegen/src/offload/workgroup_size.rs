//! Workgroup sizes: how many threads of a grid form a workgroup along each dimension.

use gridloom_ir::Body;

use super::trips::{BandLoop, Trips};
use crate::analysis::dependence::Dependences;
use crate::analysis::loop_kind::is_any_loop;
use crate::target::OffloadOptions;
use crate::target::machine::Tiling;

/// Threads of a workgroup: as many along x as there is work for, the rest
/// along y and z, never more than wanted along each nor than `max_threads`.
pub(super) fn block_size(
    band: &[BandLoop],
    dims: &[Vec<usize>; 3],
    tile: &[i64],
    wanted: [i64; 3],
    max_threads: i64,
) -> [i64; 3] {
    let mut left = max_threads.max(1);
    let mut block = [1; 3];
    for dim in 0..3 {
        let most = wanted[dim].min(left).max(1);
        // Linearized dimensions have no tiles.
        let extent = match dims[dim][..] {
            [_, _, ..] => 1,
            _ => threads_along(band, &dims[dim], tile),
        };
        block[dim] = power_of_two_up_to(extent, most);
        left /= block[dim];
    }
    block
}

/// Threads along a dimension; `i64::MAX` where that is not known, or of several loops.
fn threads_along(band: &[BandLoop], dim: &[usize], tile: &[i64]) -> i64 {
    match *dim {
        [] => 1,
        [one] => match band[one].trips {
            Trips::Constant(trips) => (trips - 1).div_euclid(tile[one]) + 1,
            Trips::Least(..) => i64::MAX,
        },
        _ => i64::MAX,
    }
}

/// Whether an iteration of a band runs loops.
pub(super) fn runs_loops(body: &Body, band: &[BandLoop]) -> bool {
    band.last().is_some_and(|l| {
        let inside = body.walk_op(l.counter.op);
        inside[1..].iter().any(|&op| is_any_loop(body, op))
    })
}

/// Cuts workgroups down to what runs in lockstep where there are fewer of them than multiprocessors,
/// and threads run loops: each waits for its loads, and more of them for those of one multiprocessor.
pub(super) fn spread_out(
    deps: &Dependences,
    band: &[BandLoop],
    dims: &[Vec<usize>; 3],
    tile: &[i64],
    mut block: [i64; 3],
    options: &OffloadOptions,
) -> [i64; 3] {
    let body = deps.values.body;
    let Tiling::Model(machine) = &options.tiling else {
        return block;
    };
    let Some(multiprocessors) = machine.multiprocessors else {
        return block;
    };
    if !runs_loops(body, band) {
        return block;
    }
    let threads = [0, 1, 2].map(|dim| threads_along(band, &dims[dim], tile));
    let is_few = |block: &[i64; 3]| {
        let groups = threads.iter().zip(block).map(|(all, each)| all / each);
        groups.fold(1i64, i64::saturating_mul) < multiprocessors.count
    };
    while is_few(&block) && block.iter().product::<i64>() > machine.lanes {
        // The last dimension that has any leaves those along rows of memory alone.
        let Some(dim) = block.iter().rposition(|&size| size > 1) else {
            break;
        };
        block[dim] /= 2;
    }
    block
}

/// The least power of two that is at least `extent`, but at most `most`.
fn power_of_two_up_to(extent: i64, most: i64) -> i64 {
    let mut size = 1;
    while size < extent && size * 2 <= most {
        size *= 2;
    }
    size
}
