//! Tests of kernels compiled for every profile, with every module checked by the validators.

mod addresses;
mod atomics;
mod device;
mod dialect;
mod elementwise;
mod floats;
mod integers;
mod kernels;
mod lockstep;
mod matmul;
mod matrices;
mod outputs;
mod packed;
mod refusals;
mod support;
mod uniform_ids;
mod vectors;
