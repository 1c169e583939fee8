//! Diagnostics: how they look to people and to programs, and the engine that matches them with
//! comments in the input.

use gridloom_ir::diag::expect;
use gridloom_ir::text::{ParseOptions, parse_module, parse_part};
use gridloom_ir::verify::verify;
use gridloom_ir::{Context, Diagnostics};
use gridloom_test_tools::mlir_opt;

fn diagnose(ctx: &Context, text: &[u8]) -> Diagnostics {
    let parse = ParseOptions {
        allow_unregistered: true,
    };
    match parse_module(ctx, "t", text, &parse) {
        Ok(module) => verify(ctx, &module),
        Err(diagnostics) => diagnostics,
    }
}

fn rendered(text: &[u8]) -> String {
    let ctx = gridloom_dialects::context();
    diagnose(&ctx, text).render(&ctx)
}

#[test]
fn the_whole_of_what_is_meant_is_underlined() {
    let found = rendered(b"%a = \"x.y\"() : () -> i32\n\"x.z\"(%wrong_name) : (f32) -> ()");
    assert_eq!(
        found,
        "t:2:7: error: use of undeclared SSA value name '%wrong_name'\n  \"x.z\"(%wrong_name) : (f32) -> \
         ()\n        ^~~~~~~~~~~\n"
    );
    let found = rendered(b"\"x.y\"() {t = tensor<2xtuple<i32, f32>>} : () -> ()");
    assert!(
        found.contains("\n                        ^~~~~~~~~~~~~~~\n"),
        "{found}"
    );
}

#[test]
fn marks_stand_below_their_text() {
    // A tab, characters of two columns and a carriage return.
    let found = rendered("\t\"x.\u{6c49}\"(%b) : (i32) -> ()\r\n".as_bytes());
    assert_eq!(
        found,
        "t:1:10: error: use of undeclared SSA value name '%b'\n  \t\"x.\u{6c49}\"(%b) : (i32) -> ()\n  \
         \t       ^~\n"
    );
    // Long lines are cut around the underlined text.
    let long = format!("\"x.y\"({}%b) : (i32) -> ()", " ".repeat(2000));
    let found = rendered(long.as_bytes());
    assert!(
        found.lines().all(|line| line.chars().count() < 200),
        "{found}"
    );
    assert!(found.contains("%b) : (i32)"), "{found}");
    assert!(rendered(b"\"x.y\"() {a = \xFF\xFE} : () -> ()").contains('\u{FFFD}'));
}

#[test]
fn near_names_are_offered() {
    let cases: &[(&str, &str)] = &[
        (
            "%value = \"x.y\"() : () -> i32\n\"x.z\"(%vaule) : (i32) -> ()",
            "`%value`",
        ),
        (
            "\"x.y\"() ({\n  \"x.b\"()[^blcok] : () -> ()\n^block:\n  \"x.e\"() : () -> ()\n}) : () -> ()",
            "`^block`",
        ),
        (
            "func.func private @callee()\nfunc.func @f() {\n  call @calle() : () -> ()\n  return\n}",
            "`@callee`",
        ),
        (
            "func.func @f() {\n  %c = arith.constnat 1 : i32\n  return\n}",
            "`arith.constant`",
        ),
        ("\"x.y\"() {t = vectr<4xf32>} : () -> ()", "`vector`"),
        ("\"x.y\"() {t = memref<4xfp32>} : () -> ()", "`f32`"),
        ("#table = 5\n\"x.y\"() {t = #tabel} : () -> ()", "`#table`"),
        (
            "!pair = tuple<i1, i2>\n\"x.y\"() {t = !piar} : () -> ()",
            "`!pair`",
        ),
        (
            "func.func @f(%a: f32) {\n  %b = arith.cmpf oltt, %a, %a : f32\n  return\n}",
            "`olt`",
        ),
        (
            "func.func @f(%a: i1) {\n  %0 = \"arith.cmpi\"(%a, %a) {predicat = 1 : i64} : (i1, i1) -> i1\n  return\n}",
            "`predicate`",
        ),
    ];
    for (text, near) in cases {
        let found = rendered(text.as_bytes());
        let help = format!("help: did you mean {near}?");
        assert!(found.contains(&help), "{text}\n{found}");
    }
}

#[test]
fn json_says_the_same() {
    let ctx = gridloom_dialects::context();
    let text = b"%x = \"a.b\"() : () -> i32\n%x = \"a.\\\"b\"() : () -> i32";
    let json = diagnose(&ctx, text).to_json(&ctx);
    assert_eq!(
        json,
        "{\"severity\":\"error\",\"file\":\"t\",\"line\":2,\"column\":1,\"end_line\":2,\
         \"end_column\":3,\"message\":\"redefinition of SSA value '%x'\",\"notes\":[{\"severity\":\
         \"note\",\"file\":\"t\",\"line\":1,\"column\":1,\"end_line\":1,\"end_column\":3,\
         \"message\":\"previously defined here\"}]}\n"
    );
}

/// Modules whose only fault has the same message here and upstream, with expectations of every
/// kind: right ones and wrong ones.
const EXPECTATIONS: &[(bool, &str)] = &[
    (
        true,
        "// expected-error@+2 {{must be the last}}\nfunc.func @f() {\n  \"func.return\"() : () -> ()\n  return\n}",
    ),
    (
        true,
        "// expected-error@below {{must be the last operation}}\n",
    ),
    (
        true,
        "// expected-error-re@+1 {{must be the {{la[r-t]+}} operation in the {{(a|p).*t}} block}}\n",
    ),
    (
        false,
        "// expected-error-re@+1 {{must be the {{la[a-c]t}} operation}}\n",
    ),
    (
        false,
        "// expected-error-re@+1 {{must be the {{last operation}}\n",
    ),
    (false, "// expected-error@+1 {{no such words}}\n"),
    (false, "// expected-warning@+1 {{must be the last}}\n"),
    (false, "// expected-error@+2 {{must be the last}}\n"),
    (false, "// expected-error@unknown {{must be the last}}\n"),
    (
        false,
        "// expected-error@+1 {{must be the last}} and more\n",
    ),
    (
        false,
        "// expected-error@+1 {{must be the last}}\n// expected-note {{never}}\n",
    ),
    (
        false,
        "// expected-error@below {{must be the last}}\n// expected-error@below {{must be}}\n",
    ),
    (false, ""),
];

/// Completes a case: puts the faulty line behind its expectation, unless it has a function already.
fn with_fault(case: &str) -> String {
    if case.contains("func.func") {
        return case.to_owned();
    }
    format!("func.func @f() {{\n{case}  \"func.return\"() : () -> ()\n  return\n}}\n")
}

#[test]
fn expectations_are_read_as_upstream_reads_them() {
    let mut cases: Vec<(bool, String)> = EXPECTATIONS
        .iter()
        .map(|(right, case)| (*right, with_fault(case)))
        .collect();
    let above = |place: &str| {
        format!(
            "func.func @f() {{\n  \"func.return\"() : () -> ()\n  // expected-error{place} {{{{must be}}}}\n  return\n}}\n"
        )
    };
    cases.extend([
        (true, above("@above")),
        (true, above("@-1")),
        (false, above("")),
    ]);
    for (right, text) in cases {
        let ctx = gridloom_dialects::context();
        let found = diagnose(&ctx, text.as_bytes());
        let result = expect::check(&ctx, "t", text.as_bytes(), &found);
        assert_eq!(
            result.is_ok(),
            right,
            "{text}\n{result:?}\n{}",
            found.render(&ctx)
        );
        let theirs = mlir_opt().run(&["--verify-diagnostics"], text.as_bytes());
        assert_eq!(theirs.is_ok(), right, "mlir-opt: {text}\n{theirs:?}");
    }
}

/// Parts of a file that are read on their own count the lines before them.
#[test]
fn parts_count_the_lines_before_them() {
    let ctx = gridloom_dialects::context();
    let text = b"\n\"a.b\"(%x) : (i32) -> ()".as_slice();
    let found = parse_part(&ctx, "f", text, 40, &ParseOptions::default());
    let found = found.expect_err("it is not known").render(&ctx);
    assert!(found.starts_with("f:42:1: error"), "{found}");
}
