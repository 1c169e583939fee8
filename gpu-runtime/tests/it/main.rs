//! Runs on every device there is; `cargo xtask test` provides lavapipe and SwiftShader.

mod copies;
mod devices;
mod faults;
mod kernels;
mod launches;
mod memory;
mod support;
