//! Target: the device that kernels are made for, the machine that the analytic model takes it for,
//! the options that say how loops are cut for it, and schedules that were tuned for it.

pub mod machine;
mod options;
pub mod tuning;

pub use options::{
    MatrixProduct, OffloadOptions, PersistentShape, ReductionShape, Target, WavefrontCost,
};
