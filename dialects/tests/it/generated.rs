//! Random modules survive a round trip in every printed form, and `mlir-opt` reads the same program
//! from every form.

use std::collections::BTreeSet;

use crate::generate::random_module;
use gridloom_ir::bytecode::{read_module, write_module};
use gridloom_ir::equal::same_module;
use gridloom_ir::text::{ParseOptions, PrintOptions, parse_module, print_module};
use gridloom_ir::verify::verify;
use gridloom_ir::{Body, Context, Module};

use crate::upstream::mlir_opt;

/// How many modules are tried: `GRIDLOOM_GENERATED`, or few enough for every run.
fn count() -> u64 {
    let named = std::env::var("GRIDLOOM_GENERATED").ok();
    named.and_then(|text| text.parse().ok()).unwrap_or(24)
}

const PARSE: ParseOptions = ParseOptions {
    allow_unregistered: true,
};

/// Operations of a module, about.
const SIZE: usize = 30;

fn forms() -> impl Iterator<Item = PrintOptions> {
    (0..8).map(|flags| PrintOptions {
        generic: flags & 1 != 0,
        debuginfo: flags & 2 != 0,
        local_scope: flags & 4 != 0,
    })
}

/// Checks a round trip: the text in this form reads as the same module, and prints as the same
/// text.
fn text_gives_it_back(ctx: &Context, module: &Module, print: &PrintOptions) -> Result<(), String> {
    let text = print_module(ctx, module, print);
    let again = parse_module(ctx, "again", text.as_bytes(), &PARSE);
    let again = again.map_err(|found| format!("{}\n{text}", found.render(ctx)))?;
    let second = print_module(ctx, &again, print);
    if let Some(pair) = text.lines().zip(second.lines()).find(|(a, b)| a != b) {
        return Err(format!("{pair:#?}"));
    }
    // Custom forms leave out some locations, such as those of loop variables.
    let locations = print.debuginfo && print.generic;
    match same_module(ctx, module, &again, locations) {
        true => Ok(()),
        false => Err(format!("reads as another module:\n{text}")),
    }
}

fn bytecode_gives_it_back(ctx: &Context, module: &Module) -> Result<(), String> {
    let bytes = write_module(ctx, module);
    let again = read_module(ctx, "again", &bytes[..], &PARSE);
    let again = again.map_err(|found| found.render(ctx))?;
    match same_module(ctx, module, &again, true) {
        true => Ok(()),
        false => Err("reads as another module".to_owned()),
    }
}

#[test]
fn text_and_bytecode_give_the_module_back() {
    let ctx = gridloom_dialects::context();
    for seed in 0..count() {
        let module = random_module(&ctx, seed, SIZE);
        let found = verify(&ctx, &module).render(&ctx);
        assert!(found.is_empty(), "seed {seed}: {found}");
        for print in forms() {
            text_gives_it_back(&ctx, &module, &print)
                .unwrap_or_else(|why| panic!("seed {seed}, {print:?}: {why}"));
        }
        bytecode_gives_it_back(&ctx, &module)
            .unwrap_or_else(|why| panic!("seed {seed}, bytecode: {why}"));
    }
}

/// `mlir-opt` accepts the generated modules, and reads the same from our custom form.
#[test]
fn mlir_opt_reads_the_same_program() {
    let texts = |generic: bool| -> Vec<String> {
        let print = PrintOptions {
            generic,
            ..PrintOptions::default()
        };
        let ctx = gridloom_dialects::context();
        let text = |seed| print_module(&ctx, &random_module(&ctx, seed, SIZE), &print);
        (0..count()).map(text).collect()
    };
    let pairs = mlir_opt(&texts(true))
        .into_iter()
        .zip(mlir_opt(&texts(false)));
    for (seed, pair) in pairs.enumerate() {
        match pair {
            (Ok(generic), Ok(custom)) => {
                let pair = generic.lines().zip(custom.lines()).find(|(a, b)| a != b);
                assert!(generic == custom, "seed {seed}: {pair:#?}");
            }
            (Err(why), _) | (_, Err(why)) => panic!("seed {seed}: {why}"),
        }
    }
}

fn names(ctx: &Context, body: &Body, into: &mut BTreeSet<String>) {
    for op in body.walk() {
        into.insert(ctx.op_name_str(body[op].name).to_owned());
        if let Some(inner) = body[op].isolated() {
            names(ctx, inner, into);
        }
    }
}

/// Random operations are of many kinds; otherwise the tests above would test little.
#[test]
fn most_known_operations_are_generated() {
    let mut met = BTreeSet::new();
    let ctx = gridloom_dialects::context();
    for seed in 0..2 * count() {
        names(&ctx, random_module(&ctx, seed, SIZE).body(), &mut met);
    }
    let known = gridloom_dialects::ops()
        .filter(|def| met.contains(def.name))
        .count();
    assert!(known > 220, "{known} kinds");
}
