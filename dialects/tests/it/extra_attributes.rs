//! No custom form loses an attribute that it has no place for: each kind of
//! operation in the language files is given one, printed and read again.

use std::collections::BTreeMap;
use std::path::Path;

use gridloom_ir::text::{ParseOptions, PrintOptions, parse_module, print_module};
use gridloom_ir::verify::verify;
use gridloom_ir::{Body, Context, Module, OpId};

use crate::mlir_files;

/// Limit of the operations of a name that are tried in a form.
const OF_A_KIND: u32 = 4;

fn parse(ctx: &Context, text: &str) -> Result<Module, String> {
    let options = ParseOptions {
        allow_unregistered: true,
    };
    parse_module(ctx, "t.mlir", text.as_bytes(), &options).map_err(|found| found.render(ctx))
}

fn names(ctx: &Context, body: &Body, out: &mut Vec<String>) {
    for op in body.walk() {
        out.push(ctx.op_name_str(body[op].name).to_owned());
        if let Some(own) = body[op].isolated() {
            names(ctx, own, out);
        }
    }
}

/// Adds an attribute to operation number `at`, in the order of [`names`]; subtracts the operations
/// passed from `at` if there are fewer.
fn add_attribute(ctx: &Context, body: &mut Body, at: &mut usize) -> bool {
    let order: Vec<OpId> = body.walk();
    for op in order {
        let Some(next) = at.checked_sub(1) else {
            body[op].set_attribute(ctx, "extra", ctx.unit_attr());
            return true;
        };
        *at = next;
        if body[op]
            .isolated_mut()
            .is_some_and(|own| add_attribute(ctx, own, at))
        {
            return true;
        }
    }
    false
}

/// Round trip of a text whose operation number `at` gets an attribute: the module read again and
/// the module printed, both in generic form; `None` where the operation may not have one.
fn again(part: &str, at: usize) -> Option<(String, String)> {
    let generic = PrintOptions {
        generic: true,
        ..PrintOptions::default()
    };
    let ctx = gridloom_dialects::context();
    let mut module = parse(&ctx, part).ok()?;
    let mut left = at;
    assert!(add_attribute(&ctx, module.body_mut(), &mut left));
    if verify(&ctx, &module).has_errors() {
        return None;
    }
    let shown = print_module(&ctx, &module, &PrintOptions::default());
    let fresh = gridloom_dialects::context();
    let read = parse(&fresh, &shown).map(|module| print_module(&fresh, &module, &generic));
    let expected = print_module(&ctx, &module, &generic);
    Some((read.unwrap_or_else(|message| message), expected))
}

#[test]
fn custom_forms_lose_no_attributes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/language");
    let mut tried: BTreeMap<String, u32> = BTreeMap::new();
    for file in mlir_files(&folder) {
        let text = std::fs::read_to_string(&file).expect("a text file");
        for part in text.split("// -----") {
            let ctx = gridloom_dialects::context();
            let Ok(module) = parse(&ctx, part) else {
                continue;
            };
            let mut ops = Vec::new();
            names(&ctx, module.body(), &mut ops);
            for (at, name) in ops.into_iter().enumerate() {
                let count = tried.entry(name.clone()).or_default();
                if *count == OF_A_KIND {
                    continue;
                }
                if let Some((read, expected)) = again(part, at) {
                    *count += 1;
                    assert_eq!(read, expected, "{name} of {file:?}");
                }
            }
        }
    }
    assert!(tried.len() > 500, "{} kinds", tried.len());
}
