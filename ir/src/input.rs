//! Input formats: reads a module from text or bytecode.

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
    read_part(ctx, name, bytes, 0, options)
}

/// Reads a part of a file, before which `lines_before` lines stand, as a module
/// of its own.
///
/// # Errors
/// As [`read_module`].
pub fn read_part(
    ctx: &Context,
    name: &str,
    bytes: impl Into<Box<[u8]>>,
    lines_before: u32,
    options: &ParseOptions,
) -> Result<Module, Diagnostics> {
    let bytes = bytes.into();
    if bytecode::is_bytecode(&bytes) {
        bytecode::read_module(ctx, name, &bytes, options)
    } else {
        text::parse_part(ctx, name, bytes, lines_before, options)
    }
}
