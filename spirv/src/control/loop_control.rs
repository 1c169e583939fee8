//! Loop control: where a loop asks the driver not to unroll it.

use gridloom_dialects::vector::{self, VectorShape};
use gridloom_dialects::{arith, memref, scf};
use gridloom_ir::OpId;
use gridloom_ir::hash::FxHashSet;
use rspirv::spirv::LoopControl;

use crate::kernel::Kernel;

/// The most copies of operations that may come of unrolling a nest on a driver
/// that is slow at it. Up to here, as in a convolution of 5 by 5, they compile
/// within milliseconds and run up to four times as fast; 24 trips around a
/// branch took lavapipe of Mesa 25 0.7 s, and 24 around these a second more.
const MAX_COPIES: u64 = 256;

/// The most elements that copies of a nest may load on such a driver. It fetches
/// them all before it computes, and puts those aside that it has no register
/// for: a window of 3 by 3 on 8 points at a time ran half as fast unrolled whole
/// as with its outer loop left, the sum of 27 neighbours likewise.
const MAX_LOADED: u64 = 64;

/// The most copies of operations that may come of all loops of a kernel on such a driver. A body of
/// 15 peeled loops, each within the limits above, took it 8 CPU seconds; 2.4 with 256 copies, 0.6
/// without any.
const MAX_COPIES_OF_KERNEL: u64 = 512;

/// Loops of a kernel that the driver may unroll.
#[derive(Default)]
pub(crate) struct Unrolled {
    loops: FxHashSet<OpId>,
    /// Copies of operations that come of them.
    copies: u64,
}

/// Loop control of an `scf.for`: `DontUnroll` for a large loop of constant trip count on a driver
/// that copies every such loop and takes seconds over it. Loops whose trip count only has a bound,
/// such as `min(%rest, 4)`, get it too: the driver finds the bound and copies them as often, each
/// time with the test and the branch of a round. So do loops over an array of the thread that is
/// too large for registers: copies would only be longer.
pub(super) fn loop_control(k: &mut Kernel<'_>, op: OpId) -> LoopControl {
    if !k.env.keep_loops {
        return LoopControl::NONE;
    }
    let Some(trips) = constant_trips(k, op) else {
        return LoopControl::DONT_UNROLL;
    };
    let Copies {
        ops,
        loaded,
        has_array,
    } = copies_of_body(k, op);
    let is_beyond = |copies: u64, most| trips.saturating_mul(copies) > most;
    if is_beyond(ops, MAX_COPIES) || is_beyond(loaded, MAX_LOADED) || has_array {
        return LoopControl::DONT_UNROLL;
    }
    // The copies of a loop in an unrolled one are counted there.
    let is_counted = k
        .body
        .ancestors(op)
        .any(|around| k.unrolled.loops.contains(&around));
    if !is_counted {
        let all = k.unrolled.copies.saturating_add(trips.saturating_mul(ops));
        if all > MAX_COPIES_OF_KERNEL {
            return LoopControl::DONT_UNROLL;
        }
        k.unrolled.copies = all;
    }
    k.unrolled.loops.insert(op);
    LoopControl::NONE
}

/// Trip count of a `scf.for` whose bounds and step are constants.
fn constant_trips(k: &Kernel<'_>, op: OpId) -> Option<u64> {
    let constant = |index: usize| -> Option<i128> {
        let value = *k.body[op].operands.get(index)?;
        arith::constant_int(k.ctx, k.body, value).map(i128::from)
    };
    let (lower, upper, step) = (constant(0)?, constant(1)?, constant(2)?);
    let distance = (upper - lower).max(0);
    let trips = (step > 0).then(|| (distance + step - 1) / step)?;
    u64::try_from(trips).ok()
}

/// Code size of one trip; loops of constant trip count inside count as often as they run.
#[derive(Default)]
struct Copies {
    /// Operations.
    ops: u64,
    /// Elements that are loaded.
    loaded: u64,
    /// Whether an array of the thread is accessed that copies would not make registers.
    has_array: bool,
}

fn copies_of_body(k: &Kernel<'_>, op: OpId) -> Copies {
    let mut copies = Copies::default();
    // Regions to count, and how often each runs.
    let mut pending: Vec<(OpId, u64)> = vec![(op, 1)];
    while let Some((op, times)) = pending.pop() {
        for &region in k.body[op].inline_regions() {
            for inner in k.body[region].blocks.iter().flat_map(|&b| k.body.ops(b)) {
                copies.ops = copies.ops.saturating_add(times);
                let loaded = times.saturating_mul(elements_loaded(k, inner));
                copies.loaded = copies.loaded.saturating_add(loaded);
                copies.has_array |= accesses_array(k, inner);
                let trips = match k.body[inner].name {
                    scf::FOR => constant_trips(k, inner).unwrap_or(1),
                    _ => 1,
                };
                if !k.body[inner].inline_regions().is_empty() {
                    pending.push((inner, times.saturating_mul(trips)));
                }
            }
        }
        if copies.ops > MAX_COPIES {
            break;
        }
    }
    copies
}

/// The elements that an operation loads itself.
fn elements_loaded(k: &Kernel<'_>, op: OpId) -> u64 {
    let data = &k.body[op];
    if !matches!(data.name, memref::LOAD | vector::LOAD) {
        return 0;
    }
    let shape = (data.results().next()).and_then(|v| VectorShape::of(k.ctx, k.body.ty(v)));
    shape.map_or(1, |shape| {
        shape.shape.iter().product::<i64>().max(1).unsigned_abs()
    })
}

/// The most elements of a thread's array that drivers keep in registers.
const MAX_REGISTERS: i64 = 16;

/// Whether an operation accesses an array of the thread of more than [`MAX_REGISTERS`] elements.
fn accesses_array(k: &Kernel<'_>, op: OpId) -> bool {
    let memref = match k.body[op].name {
        memref::LOAD => k.body[op].operands.first(),
        memref::STORE => k.body[op].operands.get(1),
        _ => None,
    };
    memref.is_some_and(|&memref| {
        let made = k.body.defining_op(memref);
        let ty = k.body.ty(memref).memref(k.ctx);
        let size = (ty.filter(|ty| ty.space.is_none()))
            .map(|ty| ty.shape.iter().fold(1i64, |n, &d| n.saturating_mul(d)));
        made.is_some_and(|made| k.body[made].name == memref::ALLOCA)
            && size.is_some_and(|size| size > MAX_REGISTERS)
    })
}
