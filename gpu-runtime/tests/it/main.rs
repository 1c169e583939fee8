//! Tests of the runtime on every device of the machine; `cargo xtask test` provides lavapipe and
//! SwiftShader.

mod copies;
mod devices;
mod faults;
mod kernels;
mod launches;
mod memory;
mod support;
