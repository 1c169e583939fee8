//! Parse and verifier errors: each has its location, and nothing panics.
use gridloom_ir::text::{ParseOptions, PrintOptions, parse_module, print_module};
use gridloom_ir::verify::verify;

/// The diagnostics of a text, rendered; empty if it is accepted.
fn diagnose(text: &[u8]) -> String {
    let ctx = gridloom_dialects::context();
    let parse = ParseOptions {
        allow_unregistered: true,
    };
    match parse_module(&ctx, "t", text, &parse) {
        Ok(module) => {
            // An accepted module can be printed.
            print_module(&ctx, &module, &PrintOptions::default());
            String::new()
        }
        Err(diagnostics) => diagnostics.render(&ctx),
    }
}

/// Texts that are refused, each with words of its diagnostics.
const REFUSED: &[(&str, &[&str])] = &[
    (
        "\"a.b\"(%x) : (i32) -> ()",
        &["t:1:7: error: use of undeclared SSA value name '%x'"],
    ),
    (
        "%x = \"a.b\"() : () -> i32\n%x = \"a.b\"() : () -> i32",
        &[
            "t:2:1: error: redefinition of SSA value '%x'",
            "t:1:1: note: previously defined here",
        ],
    ),
    (
        "%x = \"a.b\"() : () -> i32\n\"a.c\"(%x) : (f32) -> ()",
        &[
            "t:2:7: error: use of value '%x' expects different type than prior uses: 'f32' vs 'i32'",
            "t:1:1: note: prior use here",
        ],
    ),
    (
        "\"a.c\"(%x) : (f32) -> ()\n%x = \"a.b\"() : () -> i32",
        &[
            "t:2:1: error: definition of SSA value '%x#0' has type 'i32'",
            "t:1:7: note: previously used here with type 'f32'",
        ],
    ),
    (
        "%x:2 = \"a.b\"() : () -> i32",
        &["operation defines 1 results but was provided 2 to bind"],
    ),
    (
        "%x = \"a.b\"() : () -> ()",
        &["cannot name an operation with no results"],
    ),
    (
        "%x = \"a.b\"() : () -> i32\n\"a.c\"(%x#1) : (i32) -> ()",
        &["t:2:7: error: reference to invalid result number"],
    ),
    (
        "%x = \"a.b\"() : () -> i32\nfunc.func @f() {\n  \"a.c\"(%x) : (i32) -> ()\n  return\n}",
        &[
            "t:3:9: error: using value defined outside the region: use of undeclared SSA value name '%x'",
            "t:1:1: note",
        ],
    ),
    (
        "\"a.b\"() ({\n  \"a.br\"()[^x] : () -> ()\n}) : () -> ()",
        &["t:2:12: error: reference to an undefined block '^x'"],
    ),
    (
        "\"a.b\"() ({\n^x:\n^x:\n}) : () -> ()",
        &["t:3:1: error: redefinition of block '^x'", "t:2:1: note"],
    ),
    (
        "\"a.b\"() ({\n  \"a.c\"() : () -> ()\n",
        &[
            "t:2:21: error: expected operation name in quotes or '}' at the end of the region",
            "t:1:10: note",
        ],
    ),
    ("arith.adi", &["help: did you mean `arith.addi`?"]),
    (
        "func.func @f() {\n  retrun\n}",
        &["custom op 'retrun' is unknown (tried 'func.retrun' as well)"],
    ),
    (
        "\"a.b\"(%x : () -> ()",
        &["t:1:10: error: expected ')' to end operand list, found ':'"],
    ),
    (
        "\"a.b\"() : () -> (memref<4xf32)",
        &["expected ',' or '>' in memref type, found ')'"],
    ),
    (
        "\"a.b\"() : () -> i99999999",
        &["integer bitwidth is limited to 16777215 bits"],
    ),
    (
        "\"a.b\"() : () -> foo",
        &["expected non-function type, found `foo`"],
    ),
    (
        "\"a.b\"() : () -> vector<0xf32>",
        &["vector types must have positive constant sizes but got 0"],
    ),
    (
        "\"a.b\"() : () -> vector<?xf32>",
        &["expected non-function type, found '?'"],
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
    (
        "\"a.b\"() : () -> !alias",
        &["undefined symbol alias id 'alias'"],
    ),
    (
        "\"a.b\"() {a = #alias} : () -> ()",
        &["undefined symbol alias id 'alias'"],
    ),
    (
        "#a = 1\n#a = 2",
        &["redefinition of attribute alias id 'a'"],
    ),
    (
        "\"a.b\"() {a = 256 : i8} : () -> ()",
        &["integer constant out of range for attribute: it does not fit into 'i8'"],
    ),
    (
        "\"a.b\"() {a = -1 : ui8} : () -> ()",
        &["negative integer literal not valid for unsigned integer type"],
    ),
    (
        "\"a.b\"() {a = 1 : f32} : () -> ()",
        &["unexpected decimal integer literal", "add a trailing dot"],
    ),
    (
        "\"a.b\"() {a = 1.0 : i32} : () -> ()",
        &["floating point value not valid for specified type"],
    ),
    (
        "\"a.b\"() {a = 0x123456789 : f32} : () -> ()",
        &["hexadecimal float constant out of range for type"],
    ),
    (
        "\"a.b\"() {a = 1, a = 2} : () -> ()",
        &["duplicate key 'a' in dictionary attribute"],
    ),
    (
        "\"a.b\"() {a = dense<[1, [2]]> : tensor<2xi32>} : () -> ()",
        &["ranks are not consistent between elements: the elements beside this one are not lists"],
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
        &[
            "elements hex data size is invalid",
            "needs 8 bytes, but the string holds 1",
        ],
    ),
    (
        "\"a.b\"() {a = array<i5: 1>} : () -> ()",
        &["element type bitwidth must be a multiple of 8"],
    ),
    (
        "\"a.b\"() {a = affine_map<(d0, d1) -> (d0 * d1)>} : () -> ()",
        &["non-affine expression: at least one of the multiply operands"],
    ),
    (
        "\"a.b\"() {a = affine_map<(d0, d1) -> (d0 mod d1)>} : () -> ()",
        &["non-affine expression: right operand of mod"],
    ),
    (
        "\"a.b\"() {a = affine_map<(d0, d0) -> (d0)>} : () -> ()",
        &["redefinition of identifier 'd0'"],
    ),
    (
        "\"a.b\"() {a = affine_map<(d0) -> (x)>} : () -> ()",
        &["use of undeclared identifier 'x'"],
    ),
    ("\"a.b\"() {a = \"abc", &["expected '\"' in string literal"]),
    (
        "\"a.b\"() {a = \"\\q\"} : () -> ()",
        &["unknown escape in string literal"],
    ),
    (
        "\"a.b\"() : () -> () loc(#x)",
        &["operation location alias was never defined"],
    ),
    ("{-# a", &["unknown key 'a' in file metadata dictionary"]),
    ("\u{e9}", &["unexpected character"]),
    (
        "func.func @f(%a: i32, f32) {\n  return\n}",
        &["expected SSA identifier"],
    ),
    ("func.func @f() {}", &["expected non-empty function body"]),
    (
        "func.func @f() {\n  affine.for %i = 0 to affine_map<() -> (1, 2)>() {\n  }\n  return\n}",
        &[
            "t:2:24: error: custom op 'affine.for' upper loop bound affine map with multiple results requires 'min' prefix",
        ],
    ),
    (
        "func.func @f(%a: i32) {\n  %0 = arith.cmpi less, %a, %a : i32\n  return\n}",
        &[
            "t:2:19: error: custom op 'arith.cmpi' expected string or keyword containing one of the following enum values for attribute 'predicate' [eq, ne",
        ],
    ),
    (
        "\"a.b\"() {a = #gpu.warp<w>} : () -> ()",
        &["t:1:24: error: expected ::mlir::gpu::MappingId to be one of: x, y, z, linear_dim_0"],
    ),
    (
        "\"a.b\"() {a = #gpu.memory_space<constant>} : () -> ()",
        &[
            "t:1:32: error: expected ::mlir::gpu::AddressSpace to be one of: global, workgroup, private\n",
        ],
    ),
    (
        "\"a.b\"() {a = #gpu.address_space<constant>} : () -> ()",
        &[
            "t:1:33: error: expected ::mlir::gpu::AddressSpace to be one of: global, workgroup, private\n",
        ],
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
    // `%1` could not be defined; its use is not reported again.
    assert!(!found.contains("`%1`"), "{found}");
    // The text behind an error on its line is not reported again.
    let nested = diagnose(b"\"a.b\"() {a = [[{x = }]]} : () -> ()\n\"a.c\"() : () -> ()");
    assert_eq!(nested.matches("error:").count(), 1, "{nested}");
    let many = "foo.bar\n".repeat(100);
    let count = diagnose(many.as_bytes()).matches("error:").count();
    assert!((15..=25).contains(&count), "{count} errors are reported");
}

#[test]
fn an_operation_that_is_not_known_needs_leave() {
    let ctx = gridloom_dialects::context();
    let text = "\"foo.bar\"() : () -> ()";
    let result = parse_module(&ctx, "t", text.as_bytes(), &ParseOptions::default());
    let found = result.expect_err("it is refused").render(&ctx);
    assert!(found.contains("-allow-unregistered-dialect"), "{found}");
}

/// Messages of `mlir-opt` without `--allow-unregistered-dialect`.
#[test]
fn what_an_unknown_dialect_defines_needs_leave() {
    for (text, place, words) in [
        (
            "!t = !foo.bar<1>",
            "t:1:6: ",
            "`!\"foo\"<\"bar<1>\">` type created",
        ),
        (
            "#t = #foo.bar",
            "t:1:6: ",
            "#\"foo\"<\"bar\"> : 'none' attribute created",
        ),
        (
            "func.func private @f(!foo<\"x\">)",
            "t:1:22: ",
            "type created with unregistered dialect",
        ),
        (
            "func.func private @f() attributes {a = #foo.bar : i32}",
            "t:1:40: ",
            "#\"foo\"<\"bar\"> : 'i32' attribute created",
        ),
    ] {
        let ctx = gridloom_dialects::context();
        let result = parse_module(&ctx, "t", text.as_bytes(), &ParseOptions::default());
        let found = result.expect_err("it is refused").render(&ctx);
        assert!(found.starts_with(&format!("{place}error: ")), "{found}");
        assert!(found.contains(words), "{found}");
    }
    // Types and attributes of upstream's dialects pass.
    let ctx = gridloom_dialects::context();
    let text = b"func.func private @f(!llvm.ptr) attributes {a = #dlti.map<>}";
    assert!(parse_module(&ctx, "t", text.as_slice(), &ParseOptions::default()).is_ok());
}

#[test]
fn a_loop_without_progress_is_refused() {
    // mlir-opt accepts it; running it would never end.
    let text = "func.func @f() {\n  affine.for %i = 0 to 4 step 0 {\n  }\n  return\n}";
    let found = diagnose(text.as_bytes());
    assert!(
        found.contains(
            "t:2:31: error: custom op 'affine.for' expected step to be representable as a positive"
        ),
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

/// Aliases of a few kilobytes that would print as more text than any disk holds, or nest deeper
/// than any stack.
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

/// Upstream crashes on this one.
#[test]
fn what_memory_starts_from_is_a_tensor() {
    let ctx = gridloom_dialects::context();
    let text = b"\"memref.global\"() <{initial_value = dense<1> : vector<2xi32>, \
        sym_name = \"f\", type = memref<2xi32>}> : () -> ()";
    let options = ParseOptions::default();
    let module = parse_module(&ctx, "t", text.as_slice(), &options).expect("it is spelled right");
    let found = verify(&ctx, &module).render(&ctx);
    assert!(
        found.contains("to be of a ranked tensor type, but was of type 'vector<2xi32>'"),
        "{found}"
    );
}

/// The printer chooses the form of unverified operations, too.
#[test]
fn unsound_operations_print() {
    let ctx = gridloom_dialects::context();
    let options = ParseOptions {
        allow_unregistered: true,
    };
    for text in [
        "\"tensor.pad\"() : () -> ()",
        "\"tensor.pad\"() <{static_low = 1 : i8}> : () -> ()",
        "\"vector.outerproduct\"() : () -> ()",
        "\"vector.print\"() : () -> ()",
        "\"spirv.Variable\"() : () -> ()",
        "\"spirv.Constant\"() : () -> ()",
        "\"affine.dma_start\"() : () -> ()",
        "\"affine.dma_wait\"() : () -> ()",
        "\"gpu.launch\"() : () -> ()",
    ] {
        if let Ok(module) = parse_module(&ctx, "t", text.as_bytes(), &options) {
            print_module(&ctx, &module, &PrintOptions::default());
        }
    }
}
