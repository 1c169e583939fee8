//! Transformations: one file each, named as its pass.

pub mod affine_parallel_to_for;
pub mod gpu_kernel_outlining;
pub mod lower_affine;
