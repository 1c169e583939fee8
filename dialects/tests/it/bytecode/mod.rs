//! Bytecode against `mlir-opt`: each reads the files of the other, and both print the program of
//! the text.

mod corrupt;
mod differential;
mod lazy;
mod properties;

use std::path::Path;

use gridloom_ir::bytecode::{read_module, write_module};
use gridloom_ir::text::{ParseOptions, PrintOptions, parse_module, print_module};
use gridloom_ir::{Context, Module};

use crate::mlir_files;

/// Separator of the parts of an input that `mlir-opt` takes one by one.
const SEPARATOR: &str = "// -----\n";

const PARSE: ParseOptions = ParseOptions {
    allow_unregistered: true,
};

/// A text and its name in messages.
struct Program {
    name: String,
    text: String,
}

/// Every program of the repository, and every part of the files that spell the
/// language's forms.
fn programs() -> Vec<Program> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["../examples", "../tests/programs", "tests/it/language"];
    let files = folders
        .iter()
        .flat_map(|folder| mlir_files(&root.join(folder)));
    let programs: Vec<Program> = files
        .flat_map(|path| {
            let text = std::fs::read_to_string(&path).expect("the program is text");
            let parts = text.split(SEPARATOR).enumerate();
            let part = |(index, text): (usize, &str)| Program {
                name: format!("{}, part {}", path.display(), index + 1),
                text: text.to_owned(),
            };
            parts.map(part).collect::<Vec<_>>()
        })
        .collect();
    assert!(programs.len() >= 100);
    programs
}

fn parse(ctx: &Context, text: &str) -> Module {
    parse_module(ctx, "<stdin>", text.as_bytes(), &PARSE)
        .unwrap_or_else(|found| panic!("{text}\n{}", found.render(ctx)))
}

fn read(ctx: &Context, bytes: &[u8]) -> Module {
    read_module(ctx, "test", bytes, &PARSE).unwrap_or_else(|found| panic!("{}", found.render(ctx)))
}

fn generic(ctx: &Context, module: &Module) -> String {
    let options = PrintOptions {
        generic: true,
        ..PrintOptions::default()
    };
    print_module(ctx, module, &options)
}

/// Bytecode of a text.
fn bytecode_of(text: &str) -> Vec<u8> {
    let ctx = gridloom_dialects::context();
    write_module(&ctx, &parse(&ctx, text))
}
