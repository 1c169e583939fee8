//! Parallel loops: iterations run one after the other, in the order of the options.

use smallvec::SmallVec;

use crate::code::{Function, ParallelInfo};
use crate::fault::{FaultKind, Step};
use crate::frame::Frame;
use crate::machine::Machine;
use crate::order::{Permutation, coordinates};
use crate::race::Members;

/// Progress of a parallel loop nest.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    /// Iterations of each loop.
    trips: SmallVec<[u64; 3]>,
    /// Iterations of the nest, saturating: no run gets that far.
    count: u64,
    /// Iterations begun.
    turn: u64,
    permutation: Permutation,
}

impl Machine<'_> {
    /// Enters a nest at its first iteration; `false` when it has none.
    pub(crate) fn enter_parallel(
        &mut self,
        function: &Function,
        frame: &mut Frame,
        info: u32,
    ) -> Step<bool> {
        let info = &function.parallels[info as usize];
        let Some(trips) = trip_counts(info, frame)? else {
            return Ok(false);
        };
        let count = trips.iter().fold(1u64, |n, &trips| n.saturating_mul(trips));
        let permutation = match info.any_order {
            true => self.permutation(count),
            false => Permutation::Ascending,
        };
        let progress = Progress {
            trips,
            count,
            turn: 0,
            permutation,
        };
        self.enter_level(|| iterations(info, frame, &progress));
        self.begin_member(progress.permutation.at(0));
        set_variables(info, &mut frame.scalars, &progress);
        frame.parallels.push(progress);
        Ok(true)
    }

    /// Advances to the next iteration; `false` when there is none and the nest is left.
    pub(crate) fn next_parallel(
        &mut self,
        function: &Function,
        frame: &mut Frame,
        info: u32,
    ) -> Step<bool> {
        // Entering the nest pushed this entry, and the nests inside have popped theirs.
        let Some(progress) = frame.parallels.last_mut() else {
            return Ok(false);
        };
        progress.turn += 1;
        if progress.turn >= progress.count {
            frame.parallels.pop();
            self.exit_level();
            return Ok(false);
        }
        self.tick()?;
        self.begin_member(progress.permutation.at(progress.turn));
        let info = &function.parallels[info as usize];
        set_variables(info, &mut frame.scalars, progress);
        Ok(true)
    }
}

/// Trip counts of the loops of a nest; `None` when it has no iteration. As in nested loops, a step
/// is checked only where the loops around it have iterations.
fn trip_counts(info: &ParallelInfo, frame: &Frame) -> Step<Option<SmallVec<[u64; 3]>>> {
    let mut trips = SmallVec::new();
    let bounds = info.lbs.iter().zip(&info.ubs).zip(&info.steps);
    for ((&lb, &ub), &step) in bounds {
        let [lb, ub, step] = [lb, ub, step].map(|reg| frame.get(reg) as i64);
        if step <= 0 {
            return Err(FaultKind::BadStep(step).into());
        }
        if lb >= ub {
            return Ok(None);
        }
        // At most 2^64 - 1, since neither bound is beyond 64 bits.
        let span = (i128::from(ub) - i128::from(lb)) as u64;
        trips.push(span.div_ceil(step as u64));
    }
    Ok(Some(trips))
}

/// Iteration vectors of a nest, for messages.
fn iterations(info: &ParallelInfo, frame: &Frame, progress: &Progress) -> Members {
    let values = |registers: &[u32]| {
        let values = registers.iter().map(|&reg| frame.get(reg) as i64);
        values.collect()
    };
    Members::Iterations {
        trips: progress.trips.clone(),
        lbs: values(&info.lbs),
        steps: values(&info.steps),
    }
}

fn set_variables(info: &ParallelInfo, scalars: &mut [u64], progress: &Progress) {
    let number = progress.permutation.at(progress.turn);
    coordinates(number, &progress.trips, |dim, at| {
        let [lb, step] = [info.lbs[dim], info.steps[dim]].map(|reg| scalars[reg as usize]);
        scalars[info.ivs[dim] as usize] = lb.wrapping_add(at.wrapping_mul(step));
    });
}
