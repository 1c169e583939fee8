//! Analyses, loop transformations, the offload schedule, and lowering from affine to gpu.

pub mod analysis;
pub mod offload;
pub mod pass;
pub mod transform;
