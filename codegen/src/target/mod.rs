//! Target: the device that kernels are compiled for, its machine model, the options of the offload
//! policy, and schedules tuned for it.

mod level;
pub mod machine;
mod options;
pub mod tuning;

pub use level::OptLevel;
pub use options::{
    LaunchCost, MatrixProduct, OffloadOptions, PersistentShape, ReductionShape, Target, Unrolling,
};
