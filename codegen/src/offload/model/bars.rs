//! Bars: why a loop of a band cannot be tiled.

use std::fmt;

use gridloom_ir::dialect::{affine, scf};
use gridloom_ir::{Body, OpId};

use crate::analysis::dependence::Dependences;
use crate::offload::jam::repeats_alike;
use crate::offload::plan::BandLoop;
use crate::offload::variance::{Mask, Variance};

/// Reason why a loop of a band cannot be tiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bar {
    /// It has more or fewer iterations as loops around it go on.
    VariesOutside,
    /// Bounds of loops of the band follow from its counter.
    BoundsOthers,
    /// A region below is repeated for its iterations, and loads what it stores.
    StoresInRegion,
    /// A loop below runs for each of its iterations apart, so that a tile shares nothing in it.
    RepeatsLoops,
}

impl fmt::Display for Bar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Bar::VariesOutside => "the number of its iterations varies with loops around it",
            Bar::BoundsOthers => "bounds of other loops of the grid follow from its counter",
            Bar::StoresInRegion => "a branch or loop in it both loads and stores",
            Bar::RepeatsLoops => "a loop in it runs differently often for each of its iterations",
        })
    }
}

/// For each loop of a band, why it cannot be tiled. Those can whose iterations are a box with
/// those of the others, and around regions that can be repeated.
pub fn bars(deps: &Dependences, band: &[BandLoop], variance: &Variance) -> Vec<Option<Bar>> {
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
            return Some(Bar::VariesOutside);
        };
        match l.is_exact {
            false => Some(Bar::VariesOutside),
            _ if bounds & mask != 0 => Some(Bar::BoundsOthers),
            _ if !repeats_alike(body, last, variance, mask) => Some(Bar::StoresInRegion),
            _ if repeats_loops(body, last, variance, mask) => Some(Bar::RepeatsLoops),
            _ => None,
        }
    };
    band.iter().enumerate().map(check).collect()
}

/// Whether a loop below `last` runs for each point of `tiled` loops apart, so that
/// a tile of them shares nothing in it.
fn repeats_loops(body: &Body, last: OpId, variance: &Variance, tiled: Mask) -> bool {
    let ops = body.walk_op(last);
    let is_repeated = |&op: &OpId| {
        matches!(body[op].name, affine::FOR | scf::FOR) && variance.of_op(body, op) & tiled != 0
    };
    ops[1..].iter().any(is_repeated)
}
