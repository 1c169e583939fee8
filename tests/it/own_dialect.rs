//! A dialect that a program adds: `examples/own_dialect.rs`, and what a registry refuses.

use gridloom::dialects;
use gridloom::ir::bytecode::write_module;
use gridloom::ir::constraints::{INTEGER, one};
use gridloom::ir::op::{OpDef, RowTraits, Traits};
use gridloom::ir::registry::ElementOf;
use gridloom::ir::symbols::{Parameter, SymbolDef, Symbols};
use gridloom::ir::text::{ParseOptions, PrintOptions, parse_module, print_module};
use gridloom::ir::{Attr, Body, Context, Dialect, Loc, OpState};

// The program's `main` is not run.
#[allow(dead_code)]
#[path = "../../examples/own_dialect.rs"]
mod example;

/// Worked out by hand: 120 + min(max(x + 60, 70), 250), each sum at most 255.
#[test]
fn its_programs_fold_and_run() {
    let (text, bytes) = example::run().expect("the example is sound");
    assert_eq!(bytes, [190, 255, 255]);
    for gone in ["sat.clamp", "sat.box", "sat.unbox"] {
        assert!(!text.contains(gone), "{gone} is left in {text}");
    }
    assert_eq!(text.matches("sat.add").count(), 2, "{text}");
    assert!(text.contains("arith.constant 120 : i8"), "{text}");
}

#[test]
fn its_text_round_trips() {
    let ctx = Context::new(example::registry());
    let module = gridloom::parse(&ctx, "", example::PROGRAM.as_bytes()).expect("it is sound");
    for generic in [false, true] {
        let options = PrintOptions {
            generic,
            ..PrintOptions::default()
        };
        let text = print_module(&ctx, &module, &options);
        let again = gridloom::parse(&ctx, "", text.as_bytes()).expect("it reads its own text");
        assert_eq!(print_module(&ctx, &again, &options), text);
        assert_eq!(text.contains("\"sat.add\"("), generic, "{text}");
    }
}

#[test]
fn declared_parameters_keep_their_types() {
    const ANY: SymbolDef<Attr> = SymbolDef::list("any", &[Parameter::Attribute, Parameter::Type]);
    static SYMBOLS: Symbols = Symbols {
        dialect: "own",
        types: &[],
        attrs: &[ANY],
    };
    let mut registry = dialects::registry();
    let added = registry.register(&Dialect::new(&SYMBOLS, &[]));
    added.expect("`own` is a new name");
    let ctx = Context::new(registry);
    for value in [
        "#own.any<3 : i32, f32>",
        "#own.any<3 : i64, index>",
        "#own.any<i8, i8>",
    ] {
        let text = format!("module attributes {{own.x = {value}}} {{\n}}\n");
        let module = gridloom::parse(&ctx, "", text.as_bytes()).expect("it is sound");
        let options = PrintOptions::default();
        assert_eq!(print_module(&ctx, &module, &options), text);
    }
}

#[test]
fn types_say_what_holds_them_as_elements() {
    static SYMBOLS: Symbols = Symbols {
        dialect: "own",
        types: &[
            SymbolDef::plain("vectors").element_of(ElementOf::VECTORS),
            SymbolDef::list("memrefs", &[Parameter::Type]).element_of(ElementOf::MEMREFS),
            SymbolDef::plain("both").element_of(ElementOf::BOTH),
            SymbolDef::plain("neither"),
        ],
        attrs: &[],
    };
    let mut registry = dialects::registry();
    let added = registry.register(&Dialect::new(&SYMBOLS, &[]));
    added.expect("`own` is a new name");
    let ctx = Context::new(registry);
    for (element, in_vectors, in_memrefs) in [
        ("!own.vectors", true, false),
        ("!own.memrefs<i8>", false, true),
        ("!own.both", true, true),
        ("!own.neither", false, false),
        // Upstream's, whose types travel as text.
        ("!llvm.ptr", true, false),
        ("!llvm.ppc_fp128", true, true),
        ("!ptr.ptr<#ptr.generic_space>", true, true),
        ("!llvm.struct<(f32)>", false, false),
    ] {
        for (container, is_sound) in [
            ("vector", in_vectors),
            ("memref", in_memrefs),
            ("tensor", true),
        ] {
            let text = format!("func.func private @f({container}<4x{element}>)\n");
            let read = gridloom::parse(&ctx, "", text.as_bytes());
            assert_eq!(read.is_ok(), is_sound, "{text}");
        }
    }
}

#[test]
fn rows_name_results() {
    static SYMBOLS: Symbols = Symbols::none("own");
    static OPS: &[OpDef] = &[OpDef::new("own.make")
        .results(&[one("value", INTEGER)])
        .format("attr-dict `:` type($value)")
        .result_name("made")];
    let mut registry = dialects::registry();
    let added = registry.register(&Dialect::new(&SYMBOLS, OPS));
    added.expect("`own` is a new name");
    let ctx = Context::new(registry);
    let text = "%0 = own.make : i8 %1 = own.make : i16";
    let module = gridloom::parse(&ctx, "", text.as_bytes()).expect("it is sound");
    let text = print_module(&ctx, &module, &PrintOptions::default());
    assert!(text.contains("%made = own.make : i8"), "{text}");
    assert!(text.contains("%made_0 = own.make : i16"), "{text}");
}

/// An operation that owns the body of its region, where no value from above is seen.
#[test]
fn added_operations_can_be_isolated_from_above() {
    static SYMBOLS: Symbols = Symbols::none("own");
    static OPS: &[OpDef] = &[OpDef::new("own.cell")
        .with(Traits::ISOLATED_FROM_ABOVE)
        .with_row(RowTraits::NO_TERMINATOR)
        .regions(1)
        .format("attr-dict-with-keyword $body")];
    let mut registry = dialects::registry();
    let added = registry.register(&Dialect::new(&SYMBOLS, OPS));
    added.expect("`own` is a new name");
    let ctx = Context::new(registry);
    let text = "func.func @f(%a: i8) { own.cell { %b = arith.constant 1 : i8 } return }";
    let module = gridloom::parse(&ctx, "", text.as_bytes()).expect("it is sound");
    let function = module.ops().next().expect("there is one").0;
    let body = module.body()[function].isolated().expect("so is it");
    let cell = body.walk()[0];
    assert!(body[cell].name.has(Traits::ISOLATED_FROM_ABOVE));
    let inside = body[cell].isolated().expect("it owns its body");
    assert_eq!(inside.walk().len(), 1);
    let made = OpState::new(ctx.op_name("own.cell"), Loc::UNKNOWN);
    let mut other = Body::new();
    let made = other.create_op(made);
    assert!(
        other[made].isolated().is_some(),
        "without a context as well"
    );
    for generic in [false, true] {
        let options = PrintOptions {
            generic,
            ..PrintOptions::default()
        };
        let text = print_module(&ctx, &module, &options);
        let again = gridloom::parse(&ctx, "", text.as_bytes()).expect("it reads its own text");
        assert_eq!(print_module(&ctx, &again, &options), text);
    }
    let bytes = write_module(&ctx, &module);
    let read = gridloom::parse(&ctx, "", &bytes).expect("bytecode keeps it");
    let options = PrintOptions::default();
    assert_eq!(
        print_module(&ctx, &read, &options),
        print_module(&ctx, &module, &options)
    );
    let text = "func.func @f(%a: i8) { own.cell { %b = arith.addi %a, %a : i8 } return }";
    let found = gridloom::parse(&ctx, "", text.as_bytes()).expect_err("%a is above");
    assert!(format!("{found:?}").contains("%a"), "{found:?}");
}

fn refusal(text: &str) -> String {
    let ctx = Context::new(example::registry());
    let text = format!("func.func @f(%a: i8, %b: i32, %c: !sat.box<i8>) {{ {text} return }}");
    let found = gridloom::parse(&ctx, "", text.as_bytes()).expect_err("it is wrong");
    format!("{found:?}")
}

#[test]
fn its_rows_are_held() {
    for (text, message) in [
        (
            "%0 = sat.clamp %a : i8 in #sat.range<9, 3>",
            "9 to 3 is no range of bytes",
        ),
        (
            "%0 = sat.clamp %a : i8 in #sat.range<9, 300>",
            "9 to 300 is no range of bytes",
        ),
        ("%0 = sat.clamp %a : i8 in 3", "invalid kind of attribute"),
        ("%0 = sat.add %b, %b : i32", "8-bit integer"),
        (
            "%0 = \"sat.unbox\"(%c) : (!sat.box<i8>) -> i32",
            "a box holds its type",
        ),
        ("%0 = sat.ad %a, %a : i8", "sat.add"),
        (
            "\"sat.subtract\"() : () -> ()",
            "does not allow unknown operations",
        ),
    ] {
        let found = refusal(text);
        assert!(found.contains(message), "{text}: {found}");
    }
}

#[test]
fn without_it_the_dialect_is_foreign() {
    let ctx = gridloom::context();
    let read = parse_module(
        &ctx,
        "",
        example::PROGRAM.as_bytes(),
        &ParseOptions::default(),
    );
    let found = read.map(|_| ()).expect_err("`sat` is unknown");
    assert!(format!("{found:?}").contains("sat"), "{found:?}");
}

#[test]
fn the_registry_refuses_what_it_cannot_tell_apart() {
    static NONE: Symbols = Symbols::none("arith");
    static SPACED: Symbols = Symbols::none("a b");
    static OWN: Symbols = Symbols::none("own");
    static ELSEWHERE: &[OpDef] = &[OpDef::new("other.op")];
    static TWICE: &[OpDef] = &[OpDef::new("own.op"), OpDef::new("own.op")];
    for (symbols, ops, why) in [
        (&NONE, &[][..], "is registered"),
        (&SPACED, &[], "letters"),
        (&OWN, ELSEWHERE, "not named"),
        (&OWN, TWICE, "two rows"),
    ] {
        let refused = dialects::registry().register(&Dialect::new(symbols, ops));
        let error = refused.expect_err(why).to_string();
        assert!(error.contains(why), "{error}");
    }
}
