//! Kernels compiled for every profile, and held against the validators.

mod matmul;
mod support;
