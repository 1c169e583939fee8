//! Round trip: printing a module that has been read is a fixpoint.
use gridloom_ir::text::{ParseOptions, PrintOptions, parse_module, print_module};

fn once(text: &str, options: &PrintOptions) -> String {
    let ctx = gridloom_dialects::context();
    let parse = ParseOptions {
        allow_unregistered: true,
    };
    match parse_module(&ctx, "test", text.as_bytes(), &parse) {
        Ok(module) => print_module(&ctx, &module, options),
        Err(diagnostics) => panic!("{text}\n{}", diagnostics.render(&ctx)),
    }
}

#[test]
fn generic_operations() {
    let text = r#"
#map = affine_map<(d0, d1)[s0] -> (d0 + s0 * 2 - 1, -d1 floordiv 4, (d0 + d1) mod 7)>
!t = memref<4x?xf32, #map, 3>
%0:2 = "a.b"() {x = dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>, y = #foo.bar<"x>y", [1]>, u} : () -> (i32, !t)
"a.c"(%0#1, %late, %0#0) ({
^bb0(%a: i32, %b: f64 loc("here")):
  "a.br"(%a)[^bb2, ^bb1] : (i32) -> ()
^bb1:
  "a.x"() : () -> ()
^bb2:
  %r = "a.y"(%b) <{p = 1.5 : f32, q = array<i64: 1, -2>}> : (f64) -> vector<[4]x2xi1>
}, {}) : (!t, index, i32) -> ()
%late = "a.d"() {l = loc("f":1:2), s = @a::@"b c", t = (i32) -> (), z = 0x7FC00000 : f32} : () -> index
"#;
    for generic in [false, true] {
        for debuginfo in [false, true] {
            for local_scope in [false, true] {
                let options = PrintOptions {
                    generic,
                    debuginfo,
                    local_scope,
                };
                let first = once(text, &options);
                let second = once(&first, &options);
                assert_eq!(first, second);
                assert!(first.contains("\"a.c\""));
            }
        }
    }
}

/// In brackets a dash at the end of a name, with the bracket behind it, would be read as an arrow.
#[test]
fn names_that_end_in_a_dash() {
    let first = once(
        "\"a.b\"() {x = #foo.bar-, y = !foo.b-} : () -> ()",
        &PrintOptions::default(),
    );
    assert_eq!(first, once(&first, &PrintOptions::default()));
}

#[test]
fn nesting_below_the_limit() {
    let nest = |open: &str, close: &str| {
        let open: String = (0..200)
            .map(|k| open.replace("%i", &format!("%i{k}")))
            .collect();
        let body = format!("{open}{}", close.repeat(200));
        format!("func.func @f(%c: i1, %n: index, %x: f32) {{\n{body}return\n}}\n")
    };
    let texts = [
        nest("affine.for %i = 0 to 1 {\n", "}\n"),
        nest("scf.if %c {\n", "}\n"),
        nest("affine.parallel (%i) = (0) to (%n) {\n", "}\n"),
        nest(
            "scf.while : () -> () {\nscf.condition(%c)\n} do {\n",
            "scf.yield\n}\n",
        ),
        nest("scf.parallel (%i) = (%n) to (%n) step (%n) {\n", "}\n"),
        nest("\"a.b\"() ({\n", "}) : () -> ()\n"),
        format!("{}{}", "module {\n".repeat(200), "}\n".repeat(200)),
        format!(
            "\"a.b\"() {{a = {}1{}}} : () -> ()",
            "[{x = ".repeat(100),
            "}]".repeat(100)
        ),
    ];
    for text in texts {
        for generic in [false, true] {
            let options = PrintOptions {
                generic,
                ..PrintOptions::default()
            };
            let first = once(&text, &options);
            assert_eq!(first, once(&first, &options));
        }
    }
}

/// Upstream prints the first type in its pretty form, which ends after `<a>`.
#[test]
fn dialect_types_keep_their_brackets() {
    let options = PrintOptions::default();
    for ty in [
        "!foo<bar<a><b>>",
        "!foo.bar<a -> b>",
        "!foo.bar<\">\", [<>]>",
    ] {
        let first = once(&format!("\"a.b\"() : () -> ({ty})"), &options);
        assert!(first.contains(ty), "{first}");
        assert_eq!(first, once(&first, &options));
    }
}
