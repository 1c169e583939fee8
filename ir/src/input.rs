//! Modules in whichever form they come.

use crate::context::Context;
use crate::diag::Diagnostics;
use crate::module::Module;
use crate::text::ParseOptions;
use crate::{bytecode, text};

/// Reads a module from text or bytecode, which the first bytes tell apart.
///
/// # Errors
/// As [`text::parse_module`] and [`bytecode::read_module`].
pub fn read_module(
    ctx: &Context,
    name: &str,
    bytes: impl Into<Box<[u8]>>,
    options: &ParseOptions,
) -> Result<Module, Diagnostics> {
    let bytes = bytes.into();
    if bytecode::is_bytecode(&bytes) {
        bytecode::read_module(ctx, name, &bytes, options)
    } else {
        text::parse_module(ctx, name, bytes, options)
    }
}
