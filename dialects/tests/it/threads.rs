//! Threads: any number of them reads, verifies and prints the same as one.

use std::fmt::Write as _;

use gridloom_ir::bytecode::write_module;
use gridloom_ir::read_module;
use gridloom_ir::text::{ParseOptions, PrintOptions, parse_module, print_module, print_module_to};
use gridloom_ir::verify::verify;

const OPTIONS: ParseOptions = ParseOptions {
    allow_unregistered: true,
};

/// Result of a text or bytecode: the printed forms, or the diagnostics.
fn outcome(input: &[u8], threads: usize) -> String {
    let mut ctx = gridloom_dialects::context();
    ctx.set_threads(threads);
    let module = match read_module(&ctx, "t.mlir", input, &OPTIONS) {
        Ok(module) => module,
        Err(diagnostics) => return diagnostics.render(&ctx),
    };
    let mut out = verify(&ctx, &module).render(&ctx);
    for flags in 0..8 {
        let print = PrintOptions {
            generic: flags & 1 != 0,
            debuginfo: flags & 2 != 0,
            local_scope: flags & 4 != 0,
        };
        out += &print_module(&ctx, &module, &print);
    }
    out
}

/// Functions `f0`, `f1`, …, enough for threads to take part; maps, sets and types with layouts
/// repeat, so that aliases are shared.
fn functions(count: usize) -> Vec<String> {
    let function = |i: usize| {
        let (n, k) = (i % 7 + 1, i % 5);
        format!(
            "func.func @f{i}(%m: memref<?x{n}xf32, affine_map<(d0, d1) -> (d1, d0 + {k})>>, %n: index) -> f32 {{
  %zero = arith.constant 0.0 : f32 // a brace: }}
  %sum = affine.for %i = 0 to affine_map<()[s0] -> (s0 + {n})>()[%n] iter_args(%a = %zero) -> (f32) {{
    %x = affine.load %m[%i + {k}, symbol(%n)] : memref<?x{n}xf32, affine_map<(d0, d1) -> (d1, d0 + {k})>>
    %b = arith.addf %a, %x {{note = \"}} {{ \\\" }}\"}} : f32
    affine.if affine_set<(d0) : (d0 - {k} >= 0)>(%i) {{
      \"t.use\"(%b) {{map = affine_map<(d0) -> (d0 mod {n})>}} : (f32) -> ()
    }}
    affine.yield %b : f32
  }}
  cf.br ^end(%sum : f32)
^end(%result: f32):
  return %result : f32
}}
"
        )
    };
    (0..count).map(function).collect()
}

fn assert_same(text: &str) -> String {
    // Shorter texts get one thread only.
    assert!(text.len() > 1 << 16);
    assert_same_outcome(text.as_bytes())
}

fn assert_same_outcome(input: &[u8]) -> String {
    let one = outcome(input, 1);
    for threads in [2, 5] {
        // The texts are long: the test shows a difference by its line.
        let other = outcome(input, threads);
        let differs = one.lines().zip(other.lines()).position(|(a, b)| a != b);
        assert_eq!(differs, None, "with {threads} threads");
        assert!(one == other, "with {threads} threads");
    }
    one
}

#[test]
fn functions_of_a_file() {
    let text = functions(200).concat();
    assert!(assert_same(&text).contains("#map1"));
}

/// Distinct attributes are numbered in the order of the whole text.
#[test]
fn distinct_attributes_of_functions() {
    let function = |i: usize| {
        format!(
            "func.func @f{i}() {{
  \"t.tag\"() {{bare = distinct[{i}]<>, named = distinct[{}]<\"some\">}} : () -> ()
  \"t.tag\"() <{{bare = distinct[{}]<>}}> : () -> ()
  return
}}
",
            i + 10_000,
            i / 2 + 20_000
        )
    };
    let text = assert_same(&(0..1_000).rev().map(function).collect::<String>());
    assert!(text.contains("distinct[2499]<>"), "each has a number");
}

/// The printer passes on the text in parts, before its end.
#[test]
fn text_is_handed_on_as_it_grows() {
    let text = functions(500).concat();
    for threads in [1, 2] {
        let mut ctx = gridloom_dialects::context();
        ctx.set_threads(threads);
        let module = parse_module(&ctx, "t.mlir", text.as_bytes(), &OPTIONS);
        let module = module.expect("the text is sound");
        let print = PrintOptions::default();
        let mut parts = Vec::new();
        print_module_to(&ctx, &module, &print, &mut |part| {
            parts.push(part.to_owned())
        });
        assert!(parts.iter().all(|part| part.len() < text.len() / 2));
        assert!(parts.concat() == print_module(&ctx, &module, &print));
    }
}

#[test]
fn functions_of_modules_in_modules() {
    let all = functions(200);
    let (first, rest) = all.split_at(100);
    let text = format!(
        "#m = affine_map<(d0) -> (d0 + 77)>\nmodule @outer attributes {{a = #m}} {{\n{}\nmodule @inner {{\n{}\n}}\n\
         func.func @late() attributes {{b = #m}} {{\n  \"t.use\"() {{c = #m}} : () -> () loc(#place)\n  return\n}}\n}}\n\
         #place = loc(\"elsewhere\":3:4)\n",
        first.concat(),
        rest.concat()
    );
    assert!(assert_same(&text).contains("elsewhere"));
}

/// Diagnostics have the same words and order with one thread and with several.
#[test]
fn what_is_refused() {
    let wrong = [
        "func.func @f3() {\n  return\n}\n",
        "func.func @w() {\n  %x = arith.addi %y, %z : i32\n  return\n}\n",
        "func.func @w() {\n  \"t.open\"({\n  return\n}\n",
        "func.func @w() {\n}\n",
        "func.func @w() { return } }\n",
        "func.func @w(%a: i32) -> f32 {\n  return %a : i32\n}\n",
        "func.func @w(%a: i32) {\n  \"t.use\"() {late = #late} : () -> ()\n  return\n}\n#late = affine_map<() -> (1)>\n",
        "func.func @w() {\n  \"t.use\"() {d = distinct[1]<unit>} : () -> ()\n  return\n}\n",
        "func.func @w() {\n  \"t.use\"() {d = \"no end} : () -> ()\n  return\n}\n",
        "func.func @w() {\n  \"t.use\"() {d = \"}\"} : () -> ()\n  return\n",
        "func.func @w() {\n  func.call @none() : () -> ()\n  return\n}\n",
    ];
    let functions = functions(150);
    let mut all = String::new();
    for (number, wrong) in wrong.iter().enumerate() {
        let mut text = functions.clone();
        text.insert(20 + 5 * number, (*wrong).to_owned());
        assert_same(&text.concat());
        let _ = write!(all, "{wrong}");
        text.insert(90, all.clone());
        assert_same(&text.concat());
    }
}

#[test]
fn no_more_errors_than_one_thread_reports() {
    let wrong = "func.func private @g() -> f32\n".to_owned();
    let mut text = functions(150);
    for at in 0..100 {
        let call =
            format!("func.func @c{at}() {{\n  %x = func.call @g() : () -> i32\n  return\n}}\n");
        text.insert(2 * at, call);
    }
    text.push(wrong);
    let errors = assert_same(&text.concat());
    assert_eq!(errors.matches("error: ").count(), 64);
}

/// Bytecode of a text: long enough for threads to take part.
fn bytecode_of(text: &str) -> Vec<u8> {
    let ctx = gridloom_dialects::context();
    let module = parse_module(&ctx, "t.mlir", text.as_bytes(), &OPTIONS);
    let module = module.unwrap_or_else(|found| panic!("{}", found.render(&ctx)));
    let bytes = write_module(&ctx, &module);
    assert!(bytes.len() > 1 << 15);
    bytes
}

/// Functions in nested modules, with distinct attributes, locations of all kinds and unknown
/// operations.
fn varied() -> String {
    let all = functions(300);
    let (first, rest) = all.split_at(100);
    let (second, third) = rest.split_at(100);
    let mut text = format!(
        "{}module @inner {{\n{}module {{\n{}}}\n}}\n",
        first.concat(),
        second.concat(),
        third.concat()
    );
    for i in 0..100 {
        let _ = write!(
            text,
            "func.func @d{i}() {{
  \"t.a\"() {{x = distinct[{i}]<{i} : i32>, y = distinct[1000]<unit>}} : () -> () loc(\"n{i}\")
  \"t.b\"() ({{
    func.func @inner() {{
      \"t.c\"() : () -> () loc(fused[\"f\":{i}:1, \"g\"])
      return
    }}
  }}) {{s = [\"text {i}\", @d{i}::@inner]}} : () -> ()
  return
}}
"
        );
    }
    text
}

#[test]
fn bytecode() {
    let bytes = bytecode_of(&varied());
    let printed = assert_same_outcome(&bytes);
    assert!(printed.contains("distinct[99]<99 : i32>") && printed.contains("loc(fused["));
    // The module that has been read is written as the same bytes again.
    let written = |threads| {
        let mut ctx = gridloom_dialects::context();
        ctx.set_threads(threads);
        let module = read_module(&ctx, "t", bytes.clone(), &OPTIONS);
        let module = module.unwrap_or_else(|found| panic!("{}", found.render(&ctx)));
        write_module(&ctx, &module)
    };
    assert!(written(1) == written(4));
}

#[test]
fn corrupt_bytecode() {
    let bytes = bytecode_of(&varied());
    let read = |bytes: &[u8], threads| {
        let mut ctx = gridloom_dialects::context();
        ctx.set_threads(threads);
        match read_module(&ctx, "t", bytes, &OPTIONS) {
            Ok(module) => print_module(&ctx, &module, &PrintOptions::default()),
            Err(found) => found.render(&ctx),
        }
    };
    let mut refused = 0;
    for at in (40..bytes.len()).step_by(bytes.len() / 150) {
        let mut damaged = bytes.clone();
        match at % 3 {
            0 => damaged[at] ^= 1 << (at % 8),
            1 => damaged[at] = 0xff,
            _ => damaged.truncate(at),
        }
        let one = read(&damaged, 1);
        assert!(one == read(&damaged, 3), "byte {at}");
        refused += usize::from(one.contains("at offset 0x"));
    }
    assert!(refused > 50, "only {refused} were refused");
}
