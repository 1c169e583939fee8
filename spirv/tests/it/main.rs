//! Kernels compiled for every profile, and held against the validators.

mod device;
mod elementwise;
mod integers;
mod kernels;
mod matmul;
mod support;
