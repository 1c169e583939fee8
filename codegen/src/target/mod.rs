//! Target: the device that kernels are made for, the machine that the analytic model takes it for,
//! and the options that say how loops are cut for it.

pub mod machine;
mod options;

pub use options::{OffloadOptions, ReductionShape, Target, WavefrontCost};
