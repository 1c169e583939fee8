//! Runs on every device there is; `cargo xtask test` provides lavapipe and SwiftShader.

mod launches;
mod support;
