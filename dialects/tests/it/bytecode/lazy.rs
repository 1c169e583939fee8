//! Lazy reading of bytecode: only the wanted symbols and their references are read.

use gridloom_ir::bytecode::{LazyModule, read_module, write_module};
use gridloom_ir::text::{PrintOptions, print_module};
use gridloom_ir::verify::verify;
use gridloom_ir::{Context, Module};

use super::{PARSE, bytecode_of, programs};

/// Reads the symbols `names` of a file, and the symbols that they reach.
fn reached(ctx: &Context, bytes: &[u8], names: &[&str]) -> Result<Module, String> {
    let lazy = LazyModule::open(ctx, "lazy", bytes, &PARSE);
    let mut lazy = lazy.map_err(|found| found.render(ctx))?;
    let found = lazy.reach(names.iter().map(|name| ctx.ident(name)));
    found.map_err(|found| found.render(ctx))?;
    Ok(lazy.into_module())
}

fn text(ctx: &Context, module: &Module) -> String {
    assert!(!verify(ctx, module).has_errors());
    print_module(ctx, module, &PrintOptions::default())
}

/// Text of the module that the symbols `names` of a program reach.
fn reached_text(program: &str, names: &[&str]) -> String {
    let ctx = gridloom_dialects::context();
    let module = reached(&ctx, &bytecode_of(program), names).expect("it reads");
    text(&ctx, &module)
}

/// Symbol names at the top level of a printed text.
fn symbols(text: &str) -> Vec<&str> {
    let tops = text
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    tops.filter_map(|line| line.split_once(" @")?.1.split(['(', ' ']).next())
        .collect()
}

const CALLS: &str = "
memref.global constant @table : memref<2xf32> = dense<1.0>
func.func @top(%m: memref<2xf32>) {
  call @middle(%m) : (memref<2xf32>) -> ()
  return
}
func.func private @middle(%m: memref<2xf32>) {
  call @bottom(%m) : (memref<2xf32>) -> ()
  call @outside(%m) : (memref<2xf32>) -> ()
  return
}
func.func private @bottom(%m: memref<2xf32>) {
  %t = memref.get_global @table : memref<2xf32>
  memref.copy %t, %m : memref<2xf32> to memref<2xf32>
  return
}
func.func private @outside(memref<2xf32>)
func.func private @nowhere(memref<2xf32>)
func.func @other(%n: index) attributes {like = [@kernels::@k]} {
  return
}
gpu.module @kernels {
  gpu.func @k() kernel {
    gpu.return
  }
}
module {
  func.func @top() {
    return
  }
  func.func @inner() {
    return
  }
}
";

#[test]
fn what_is_reached_is_left() {
    let names = |wanted: &[&str]| symbols(&reached_text(CALLS, wanted)).join(" ");
    assert_eq!(names(&["top"]), "table top middle bottom outside");
    assert_eq!(names(&["bottom"]), "table bottom");
    assert_eq!(names(&["other"]), "table other kernels");
    assert_eq!(names(&["no_such"]), "table");
    let both = "table top middle bottom outside other kernels";
    assert_eq!(names(&["other", "top"]), both);
    // Operations without a symbol name stay, with everything in them.
    assert!(reached_text(CALLS, &[]).contains("@inner"));
}

#[test]
fn modules_around_everything_are_looked_into() {
    let named = format!("module @m {{{CALLS}}}");
    assert_eq!(
        symbols(&reached_text(&named, &["bottom"])),
        ["table", "bottom"]
    );
    // Symbols in other operations are not those of the module.
    let hidden = "\"t.holder\"() ({ func.func @f() { return } }) : () -> ()
                  func.func @f() { return } func.func @g() { return }
                  module @m { func.func @g() { return } }";
    let text = reached_text(hidden, &["f"]);
    assert_eq!(text.matches("@f").count(), 2);
    assert!(!text.contains("@g"), "{text}");
}

#[test]
fn everything_wanted_is_everything() {
    for program in programs() {
        let bytes = bytecode_of(&program.text);
        let ctx = gridloom_dialects::context();
        let whole = read_module(&ctx, "whole", &bytes, &PARSE).expect("it reads");
        let names: Vec<&str> = (whole.ops())
            .filter_map(|(_, op)| op.symbol_name(&ctx))
            .map(|name| ctx.str(name))
            .collect();
        let reached = reached(&ctx, &bytes, &names).expect("it reads");
        let same = write_module(&ctx, &whole) == write_module(&ctx, &reached);
        assert!(same, "{}", program.name);
    }
}

/// A damaged byte in an unwanted symbol goes unnoticed; in a wanted one it does not.
#[test]
fn what_is_not_wanted_is_not_read() {
    let bytes = bytecode_of(CALLS);
    let reads = |bytes: &[u8], name: &str| {
        let ctx = gridloom_dialects::context();
        reached(&ctx, bytes, &[name]).map(|_| ())
    };
    let mut unnoticed = [0, 0];
    for at in 8..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x55;
        let ctx = gridloom_dialects::context();
        let eager = read_module(&ctx, "eager", &damaged, &PARSE).is_ok();
        for (name, unnoticed) in ["top", "other"].into_iter().zip(&mut unnoticed) {
            match reads(&damaged, name) {
                Ok(()) => *unnoticed += usize::from(!eager),
                Err(message) => {
                    assert!(!eager, "byte {at}: {message}");
                    assert!(message.contains("at offset 0x"), "{message}");
                }
            }
        }
    }
    // `@top` reaches more of the file.
    assert!(
        0 < unnoticed[0] && unnoticed[0] < unnoticed[1],
        "{unnoticed:?}"
    );
}
