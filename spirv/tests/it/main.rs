//! Kernels compiled for every profile, and held against the validators.

mod atomics;
mod device;
mod dialect;
mod elementwise;
mod floats;
mod integers;
mod kernels;
mod matmul;
mod matrices;
mod outputs;
mod refusals;
mod support;
mod vectors;
