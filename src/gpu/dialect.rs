//! Round trip of a kernel's words through the `spirv` dialect, as a check of both translations and
//! of the text form.

use gridloom_ir::text::{ParseOptions, PrintOptions, print_module};
use gridloom_ir::{Context, Diagnostic, Diagnostics, Loc, read_module};
use gridloom_spirv::dialect::{deserialize, serialize};

/// Translates words to the `spirv` dialect and back; they may differ in id numbers and block order.
///
/// # Errors
///
/// An instruction that the dialect cannot express.
pub fn there_and_back(ctx: &Context, words: &[u32]) -> Result<Vec<u32>, Diagnostics> {
    let made = deserialize(ctx, words, None, Loc::UNKNOWN)?;
    let text = print_module(ctx, &made, &PrintOptions::default());
    // A separate context, so that types and constants come from the text, not from the first
    // reader.
    let ctx = gridloom_dialects::context();
    let read = read_module(&ctx, "kernel", text.as_bytes(), &ParseOptions::default());
    let wrong = |message: String| {
        let mut found = Diagnostics::new();
        found.push(Diagnostic::error(Loc::UNKNOWN, message));
        found
    };
    // Locations of that context are invalid in this one.
    let read = read.map_err(|found| wrong(found.render(&ctx)))?;
    let written = read.ops().next().map(|(_, data)| serialize(&ctx, data));
    match written {
        Some(Ok(words)) => Ok(words),
        Some(Err(found)) => Err(wrong(found.render(&ctx))),
        None => Err(wrong("the kernel made no spirv.module".to_owned())),
    }
}
