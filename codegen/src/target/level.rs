//! Optimization levels: what compile time buys.

use std::str::FromStr;

use super::machine::Tiling;
use super::options::{OffloadOptions, ReductionShape, Unrolling};

/// Optimization level of the offload pipeline. Each level runs the passes of the lower ones; programs
/// compute the same at each, but for the order of sums where floats are relaxed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum OptLevel {
    /// Loops that are parallel as written become kernels, with one iteration for each thread. Others run on
    /// the host.
    O0,
    /// Transformations that make loops parallel run as well; a thread still computes one iteration.
    O1,
    /// Threads compute tiles of iterations, nests are fused, loops unrolled, loads shared.
    #[default]
    O2,
}

impl FromStr for OptLevel {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "0" => Ok(OptLevel::O0),
            "1" => Ok(OptLevel::O1),
            "2" => Ok(OptLevel::O2),
            _ => Err(format!(
                "an optimization level cannot be '{text}'; it is 0, 1 or 2"
            )),
        }
    }
}

impl OffloadOptions {
    /// The options at a level. Below [`OptLevel::O2`] a thread computes one iteration of a nest,
    /// nothing is unrolled or staged, and updates of data-dependent elements are atomic.
    #[must_use]
    pub fn at_level(self, level: OptLevel) -> Self {
        if level == OptLevel::O2 {
            return OffloadOptions { level, ..self };
        }
        // A workgroup of one vector of iterations, as CPU drivers get it with tiles, costs more to launch
        // than its iterations take.
        let workgroup = match self.is_spread {
            true => self.workgroup,
            false => Self::slow_compiler().workgroup,
        };
        OffloadOptions {
            level,
            workgroup,
            tiling: Tiling::Fixed(Vec::new()),
            tuned: None,
            window: 0,
            window_around: 0,
            unrolling: Unrolling::NONE,
            private_updates: None,
            workgroup_memory: 0,
            chunk: None,
            reduction: ReductionShape {
                band_lanes: 0,
                ..self.reduction
            },
            ..self
        }
    }
}
