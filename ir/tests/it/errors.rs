//! What is wrong with a text is said at the place, and nothing panics.

use gridloom_ir::Context;
use gridloom_ir::text::{ParseOptions, PrintOptions, parse_module, print_module};

/// The diagnostics of a text, rendered; empty if it is accepted.
fn diagnose(text: &[u8]) -> String {
    let ctx = Context::new();
    let parse = ParseOptions {
        allow_unregistered: true,
    };
    match parse_module(&ctx, "t", text, &parse) {
        Ok(module) => {
            // What is accepted can be printed.
            print_module(&ctx, &module, &PrintOptions::default());
            String::new()
        }
        Err(diagnostics) => diagnostics.render(&ctx),
    }
}

/// Texts that are refused, each with what its diagnostics contain.
const REFUSED: &[(&str, &[&str])] = &[
    (
        "\"a.b\"(%x) : (i32) -> ()",
        &["t:1:7: error: use of undefined value `%x`"],
    ),
    (
        "%x = \"a.b\"() : () -> i32\n%x = \"a.b\"() : () -> i32",
        &[
            "t:2:1: error: redefinition of value `%x`",
            "t:1:1: note: the earlier definition is here",
        ],
    ),
    (
        "%x = \"a.b\"() : () -> i32\n\"a.c\"(%x) : (f32) -> ()",
        &[
            "t:2:7: error: value `%x` has type `i32`, but `f32` is expected here",
            "t:1:1: note",
        ],
    ),
    (
        "\"a.c\"(%x) : (f32) -> ()\n%x = \"a.b\"() : () -> i32",
        &[
            "t:1:7: error: value `%x` has type `i32`, but `f32`",
            "t:2:1: note: it is defined here",
        ],
    ),
    (
        "%x:2 = \"a.b\"() : () -> i32",
        &["1 result(s), but 2 are named"],
    ),
    (
        "%x = \"a.b\"() : () -> ()",
        &["without results cannot be given a name"],
    ),
    (
        "%x = \"a.b\"() : () -> i32\n\"a.c\"(%x#1) : (i32) -> ()",
        &["t:2:7: error: `%x#1`"],
    ),
    (
        "%x = \"a.b\"() : () -> i32\nfunc.func @f() {\n  \"a.c\"(%x) : (i32) -> ()\n  return\n}",
        &[
            "t:3:9: error: `%x` is defined outside the isolated region",
            "t:1:1: note",
        ],
    ),
    (
        "\"a.b\"() ({\n  \"a.br\"()[^x] : () -> ()\n}) : () -> ()",
        &["t:2:12: error: block `^x` is not defined"],
    ),
    (
        "\"a.b\"() ({\n^x:\n^x:\n}) : () -> ()",
        &["t:3:1: error: redefinition of block `^x`", "t:2:1: note"],
    ),
    (
        "\"a.b\"() ({\n  \"a.c\"() : () -> ()\n",
        &[
            "error: expected `}` at the end of the region",
            "t:1:10: note",
        ],
    ),
    ("arith.adi", &["help: did you mean `arith.addi`?"]),
    (
        "func.func @f() {\n  retrun\n}",
        &["unknown operation `retrun`"],
    ),
    (
        "\"a.b\"(%x : () -> ()",
        &["t:1:10: error: expected `,` or `)`, found `:`"],
    ),
    ("\"a.b\"() : () -> (memref<4xf32)", &["expected `>`"]),
    ("\"a.b\"() : () -> i99999999", &["at most 16777215 bits"]),
    ("\"a.b\"() : () -> foo", &["expected a type, found `foo`"]),
    (
        "\"a.b\"() : () -> vector<0xf32>",
        &["cannot have the extent 0"],
    ),
    (
        "\"a.b\"() : () -> vector<?xf32>",
        &["cannot have the extent `?`"],
    ),
    (
        "\"a.b\"() : () -> memref<4x4xf32, affine_map<(d0) -> (d0)>>",
        &["rank and affine map: 2 != 1"],
    ),
    (
        "\"a.b\"() : () -> memref<4x() -> ()>",
        &["invalid memref element type"],
    ),
    (
        "\"a.b\"() : () -> complex<index>",
        &["invalid element type for complex"],
    ),
    ("\"a.b\"() : () -> !alias", &["undefined alias `!alias`"]),
    (
        "\"a.b\"() {a = #alias} : () -> ()",
        &["undefined alias `#alias`"],
    ),
    ("#a = 1\n#a = 2", &["defined already"]),
    (
        "\"a.b\"() {a = 256 : i8} : () -> ()",
        &["does not fit into `i8`"],
    ),
    (
        "\"a.b\"() {a = -1 : ui8} : () -> ()",
        &["does not fit into `ui8`"],
    ),
    (
        "\"a.b\"() {a = 1 : f32} : () -> ()",
        &["write a float with a point"],
    ),
    ("\"a.b\"() {a = 1.0 : i32} : () -> ()", &["whole number"]),
    (
        "\"a.b\"() {a = 0x123456789 : f32} : () -> ()",
        &["more bits than `f32` has"],
    ),
    (
        "\"a.b\"() {a = 1, a = 2} : () -> ()",
        &["`a` is given twice"],
    ),
    (
        "\"a.b\"() {a = dense<[1, [2]]> : tensor<2xi32>} : () -> ()",
        &["a single element stands"],
    ),
    (
        "\"a.b\"() {a = dense<[[1], [2, 3]]> : tensor<2x1xi32>} : () -> ()",
        &["this list has 2 element(s)"],
    ),
    (
        "\"a.b\"() {a = dense<[1, 2]> : tensor<3xi32>} : () -> ()",
        &["inferred shape of elements literal ([2])"],
    ),
    (
        "\"a.b\"() {a = dense<1> : tensor<?xi32>} : () -> ()",
        &["static shape"],
    ),
    (
        "\"a.b\"() {a = dense<\"0x01\"> : tensor<2xi32>} : () -> ()",
        &["8 bytes, but the string holds 1"],
    ),
    ("\"a.b\"() {a = array<i5: 1>} : () -> ()", &["whole bytes"]),
    (
        "\"a.b\"() {a = affine_map<(d0, d1) -> (d0 * d1)>} : () -> ()",
        &["not affine: one factor"],
    ),
    (
        "\"a.b\"() {a = affine_map<(d0, d1) -> (d0 mod d1)>} : () -> ()",
        &["not affine: the right side of `mod`"],
    ),
    (
        "\"a.b\"() {a = affine_map<(d0, d0) -> (d0)>} : () -> ()",
        &["declared already"],
    ),
    (
        "\"a.b\"() {a = affine_map<(d0) -> (x)>} : () -> ()",
        &["`x` is declared neither"],
    ),
    ("\"a.b\"() {a = \"abc", &["the string is not closed"]),
    ("\"a.b\"() {a = \"\\q\"} : () -> ()", &["unknown escape"]),
    ("\"a.b\"() : () -> () loc(#x)", &["undefined alias `#x`"]),
    ("{-# a", &["unknown key 'a' in file metadata dictionary"]),
    ("\u{e9}", &["starts no token"]),
    (
        "func.func @f(%a: i32, f32) {\n  return\n}",
        &["either all parameters have names or none"],
    ),
    ("func.func @f() {}", &["at least one operation"]),
    (
        "func.func @f() {\n  affine.for %i = 0 to affine_map<() -> (1, 2)>() {\n  }\n  return\n}",
        &["t:2:24: error: upper bound map with several results needs `min`"],
    ),
    (
        "func.func @f(%a: i32) {\n  %0 = arith.cmpi less, %a, %a : i32\n  return\n}",
        &["t:2:19: error: `less` is none of eq, ne"],
    ),
    (
        "\"a.b\"() {a = #gpu.warp<w>} : () -> ()",
        &["t:1:24: error: expected mapping id to be one of: x, y, z, linear_dim_0"],
    ),
    (
        "\"a.b\"() {a = #gpu.memory_space<constant>} : () -> ()",
        &["t:1:32: error: expected GPU address space to be one of: global, workgroup, private\n"],
    ),
    (
        "\"a.b\"() {a = #gpu.address_space<constant>} : () -> ()",
        &["t:1:33: error: expected GPU address space to be one of: global, workgroup, private\n"],
    ),
    (
        "\"a.b\"() {a = #gpu.mask<\"x\">} : () -> ()",
        &["t:1:24: error: expected integer value"],
    ),
    (
        "\"a.b\"() {a = #spirv.linkage_attributes<linkage_type = #spirv.dim<Dim1D>, linkage_name = \"f\">} : () -> ()",
        &["t:1:55: error: invalid kind of attribute specified"],
    ),
    (
        "func @f(memref<*xf32, (f16) -> ()>)",
        &["t:1:23: error: unsupported memory space Attribute"],
    ),
    (
        "\"a.b\"() {a = #gpu.loop_dim_map<processor = lane>} : () -> ()",
        &["to be one of: block_x, block_y"],
    ),
];

#[test]
fn messages_stand_at_the_place() {
    for (text, expected) in REFUSED {
        let found = diagnose(text.as_bytes());
        for part in *expected {
            assert!(found.contains(part), "{text}\nlacks {part}:\n{found}");
        }
    }
}

#[test]
fn mlir_opt_refuses_them_too() {
    for (text, _) in REFUSED {
        let flags = ["--allow-unregistered-dialect"];
        let result = gridloom_test_tools::mlir_opt().run(&flags, text.as_bytes());
        assert!(result.is_err(), "{text}");
    }
}

#[test]
fn several_errors_in_one_run() {
    let text = "func.func @f(%a: i32) {\n  %0 = arith.addi %a, %a : f32\n  %1 = foo.bar %0\n  \
                %2 = arith.addi %1, %undefined : i32\n  \"x.y\"(%0) : (i32) -> ()\n  return\n}\n\
                func.func @g() {\n  %3 = arith.constant : i32\n  return\n}\n";
    let found = diagnose(text.as_bytes());
    for place in [
        "t:2:19: error",
        "t:3:8: error",
        "t:4:23: error",
        "t:9:23: error",
    ] {
        assert!(found.contains(place), "{place} is missing:\n{found}");
    }
    // `%1` could not be defined; that is not said again where it is used.
    assert!(!found.contains("`%1`"), "{found}");
    // What follows an error on its line is not complained about again.
    let nested = diagnose(b"\"a.b\"() {a = [[{x = }]]} : () -> ()\n\"a.c\"() : () -> ()");
    assert_eq!(nested.matches("error:").count(), 1, "{nested}");
    let many = "foo.bar\n".repeat(100);
    let count = diagnose(many.as_bytes()).matches("error:").count();
    assert!((15..=25).contains(&count), "{count} errors are reported");
}

#[test]
fn an_operation_that_is_not_known_needs_leave() {
    let ctx = Context::new();
    let text = "\"foo.bar\"() : () -> ()";
    let result = parse_module(&ctx, "t", text.as_bytes(), &ParseOptions::default());
    let found = result.expect_err("it is refused").render(&ctx);
    assert!(found.contains("--allow-unregistered-dialect"), "{found}");
}

#[test]
fn a_loop_without_progress_is_refused() {
    // mlir-opt lets it pass; running it would never end.
    let text = "func.func @f() {\n  affine.for %i = 0 to 4 step 0 {\n  }\n  return\n}";
    let found = diagnose(text.as_bytes());
    assert!(
        found.contains("t:2:31: error: a step is at least 1"),
        "{found}"
    );
}

#[test]
fn long_lists_take_no_quadratic_time() {
    const COUNT: usize = 100_000;
    let list = |item: &dyn Fn(usize) -> String| (0..COUNT).map(item).collect::<Vec<_>>().join(", ");
    let names = list(&|i| format!("d{i}"));
    let refused = format!("\"a.b\"() {{a = affine_map<({names}) -> ()>}} : () -> ()");
    assert!(diagnose(refused.as_bytes()).contains("4096 dimensions and symbols"));
    let values = list(&|i| format!("%v{i}"));
    let refused = format!("func.func @f() {{\n  %0 = affine.load %m[{values}] : memref<f32>\n}}");
    assert!(diagnose(refused.as_bytes()).contains("4096 dimensions and symbols"));
    let entries = list(&|i| format!("a{i} = {i}"));
    assert_eq!(
        diagnose(format!("\"a.b\"() {{{entries}}} : () -> ()").as_bytes()),
        ""
    );
    let types = list(&|_| "i32".to_owned());
    let many = format!("%r:{COUNT} = \"a.b\"() : () -> ({types})\n");
    let uses = list(&|i| format!("%r#{i}"));
    let used = format!("{many}\"a.c\"({uses}) : ({types}) -> ()");
    assert_eq!(diagnose(used.as_bytes()), "");
    let blocks = (0..COUNT)
        .rev()
        .map(|i| format!("^b{i}:\n  \"a.t\"() : () -> ()\n"));
    let targets = list(&|i| format!("^b{i}"));
    let branches = format!(
        "\"a.r\"() ({{\n  \"a.s\"()[{targets}] : () -> ()\n{}}}) : () -> ()",
        blocks.collect::<String>()
    );
    assert_eq!(diagnose(branches.as_bytes()), "");
}

/// A few kilobytes of these would print as more text than any disk holds, or
/// nest deeper than any stack.
#[test]
fn what_aliases_stand_for_is_bounded() {
    let chain = |length: usize, first: &str, next: &dyn Fn(usize) -> String, last: &str| {
        let links: Vec<String> = (0..length).map(next).collect();
        format!("{first}\n{}\n{last}", links.join("\n"))
    };
    let user = |length: usize| format!("\"a.b\"() {{a = #a{length}, t = !t{length}}} : () -> ()");
    let types = |uses: &'static str| {
        move |i: usize| {
            format!(
                "!t{} = tuple<{}>",
                i + 1,
                uses.replace('_', &format!("!t{i}"))
            )
        }
    };
    let attrs = |uses: &'static str| {
        move |i: usize| format!("#a{} = [{}]", i + 1, uses.replace('_', &format!("#a{i}")))
    };
    let many = "this definition stands for more than 65536 others";
    let deep = "with what the alias stands for, nested more than 256 levels deep";
    for (text, message) in [
        (chain(60, "!t0 = i32", &types("_, _"), ""), many),
        (chain(60, "#a0 = 1", &attrs("_, _"), ""), many),
        (chain(1000, "!t0 = i32", &types("_"), ""), deep),
        (chain(1000, "#a0 = 1", &attrs("_"), ""), deep),
    ] {
        let found = diagnose(text.as_bytes());
        assert!(found.contains(message), "{found}");
    }
    let both = chain(100, "!t0 = i32", &types("_"), "#a0 = 1");
    assert_eq!(
        diagnose(chain(100, &both, &attrs("_"), &user(100)).as_bytes()),
        ""
    );
}

#[test]
fn the_rank_of_a_shape_is_bounded() {
    let of_rank = |rank| {
        format!(
            "\"a.b\"() {{a = memref<{}f32>}} : () -> ()",
            "1x".repeat(rank)
        )
    };
    assert_eq!(diagnose(of_rank(4096).as_bytes()), "");
    let found = diagnose(of_rank(100_000).as_bytes());
    assert!(
        found.contains("a shape has at most 4096 extents"),
        "{found}"
    );
}
