//! Words of a kernel through the `spirv` dialect and back: a check of both translations, and of the text between them.

use gridloom_ir::text::{ParseOptions, PrintOptions, print_module};
use gridloom_ir::{Context, Diagnostic, Diagnostics, Loc, read_module};
use gridloom_spirv::dialect::{deserialize, serialize};

/// The same words but for the numbers of ids and the order of blocks.
///
/// # Errors
///
/// What the dialect has no form for.
pub fn there_and_back(ctx: &Context, words: &[u32]) -> Result<Vec<u32>, Diagnostics> {
    let made = deserialize(ctx, words, None, Loc::UNKNOWN)?;
    let text = print_module(ctx, &made, &PrintOptions::default());
    // In a context of its own: types and constants are what the text says, not what the first reader made.
    let ctx = gridloom_dialects::context();
    let read = read_module(&ctx, "kernel", text.as_bytes(), &ParseOptions::default());
    let wrong = |message: String| {
        let mut found = Diagnostics::new();
        found.push(Diagnostic::error(Loc::UNKNOWN, message));
        found
    };
    // Places in that context mean nothing in this one.
    let read = read.map_err(|found| wrong(found.render(&ctx)))?;
    let written = read.ops().next().map(|(_, data)| serialize(&ctx, data));
    match written {
        Some(Ok(words)) => Ok(words),
        Some(Err(found)) => Err(wrong(found.render(&ctx))),
        None => Err(wrong("the kernel made no spirv.module".to_owned())),
    }
}
