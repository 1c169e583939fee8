//! Evaluation of masked vector loads and stores.

use super::{Access, Frame, Machine, Undefined, View};
use crate::program::{MaskedMove, Var};

impl Machine<'_> {
    /// Moves a masked vector: reads every lane before one is written. An unset lane accesses no
    /// memory.
    pub(super) fn masked_move(
        &mut self,
        frame: &Frame,
        masked: &MaskedMove,
    ) -> Result<(), Undefined> {
        let passed = frame.bits(masked.passed)?;
        let from = frame.view(masked.from)?;
        let mut lanes = vec![passed; masked.read.len()];
        for (lane, at) in set_lanes(frame, &masked.from_at, &masked.read)? {
            lanes[lane] = self.memory.read(&from, &at)?;
            self.touch(&from, &at, Access::Read)?;
        }
        let to: &View = &*frame.view(masked.to)?;
        for (lane, at) in set_lanes(frame, &masked.to_at, &masked.write)? {
            self.memory.write(to, &at, lanes[lane])?;
            self.touch(to, &at, Access::Write)?;
        }
        Ok(())
    }
}

/// The set lanes, with their subscripts: `at` and its neighbours along the last dimension.
fn set_lanes(frame: &Frame, at: &[Var], set: &[Var]) -> Result<Vec<(usize, Vec<i64>)>, Undefined> {
    let first = (at.iter().map(|&var| frame.int(var))).collect::<Result<Vec<i64>, Undefined>>()?;
    let mut lanes = Vec::new();
    for (lane, &set) in set.iter().enumerate() {
        if frame.bits(set)? != 0 {
            let mut at = first.clone();
            if let Some(last) = at.last_mut() {
                *last = last.wrapping_add(lane as i64);
            }
            lanes.push((lane, at));
        }
    }
    Ok(lanes)
}
