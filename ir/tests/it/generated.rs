//! Random modules come back as they were, whatever form they are printed in.

use gridloom_ir::Context;
use gridloom_ir::bytecode::{read_module, write_module};
use gridloom_ir::equal::same_module;
use gridloom_ir::generate::random_module;
use gridloom_ir::text::{ParseOptions, PrintOptions, parse_module, print_module};
use gridloom_ir::verify::verify;

/// How many modules are tried: `GRIDLOOM_GENERATED`, or few enough for every run.
fn count() -> u64 {
    let named = std::env::var("GRIDLOOM_GENERATED").ok();
    named.and_then(|text| text.parse().ok()).unwrap_or(60)
}

const PARSE: ParseOptions = ParseOptions {
    allow_unregistered: true,
};

#[test]
fn text_and_bytecode_give_the_module_back() {
    for seed in 0..count() {
        let ctx = Context::new();
        let module = random_module(&ctx, seed, 30);
        let found = verify(&ctx, &module).render(&ctx);
        assert!(found.is_empty(), "seed {seed}: {found}");
        for flags in 0..8 {
            let print = PrintOptions {
                generic: flags & 1 != 0,
                debuginfo: flags & 2 != 0,
                local_scope: flags & 4 != 0,
            };
            let text = print_module(&ctx, &module, &print);
            let again = parse_module(&ctx, "again", text.as_bytes(), &PARSE);
            let again = again.unwrap_or_else(|found| {
                panic!("seed {seed}, {print:?}: {}\n{text}", found.render(&ctx))
            });
            let same = same_module(&module, &again, print.debuginfo);
            let second = print_module(&ctx, &again, &print);
            let pair = text.lines().zip(second.lines()).find(|(a, b)| a != b);
            assert!(same, "seed {seed}, {print:?}: {pair:#?}");
        }
        let bytes = write_module(&ctx, &module);
        let again = read_module(&ctx, "again", &bytes[..], &PARSE);
        let again = again.unwrap_or_else(|found| panic!("seed {seed}: {}", found.render(&ctx)));
        let print = PrintOptions {
            debuginfo: true,
            local_scope: true,
            generic: true,
        };
        let texts = [&module, &again].map(|module| print_module(&ctx, module, &print));
        assert!(texts[0] == texts[1], "seed {seed}: bytecode");
    }
}
