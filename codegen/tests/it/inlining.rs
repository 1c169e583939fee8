//! `inline` on call graphs: chains, cycles, and functions that others name.

use std::fmt::Write as _;

use gridloom_codegen::transform::inline::inline;
use gridloom_interp::{Argument, Machine, Options, ScalarKind};
use gridloom_ir::{Context, Module};

use super::programs::parse;

fn run(ctx: &Context, module: &Module, x: u64) -> Vec<Argument> {
    let machine = Machine::new(ctx, module, "main", None, Options::default());
    let mut machine = machine.unwrap_or_else(|errors| panic!("{}", errors.render(ctx)));
    let result = machine.run(&[Argument::Scalar(ScalarKind::Int(32), x)]);
    result.unwrap_or_else(|fault| panic!("{:?}", fault.kind))
}

/// The names of the functions left, after a run before and one after.
fn inlined(text: &str) -> Vec<String> {
    let ctx = gridloom_dialects::context();
    let mut module = parse(&ctx, text);
    let before = run(&ctx, &module, 5);
    inline(&ctx, &mut module);
    assert_eq!(before, run(&ctx, &module, 5), "{text}");
    let names = module.ops().filter_map(|(_, op)| op.symbol_name(&ctx));
    names.map(|name| ctx.str(name).to_owned()).collect()
}

#[test]
fn a_chain_of_private_functions_becomes_one() {
    let mut text = String::new();
    for index in 0..500 {
        let _ = writeln!(
            text,
            "func.func private @f{index}(%x: i32) -> (i32, i32) {{
  %c = arith.constant {index} : i32
  %s = arith.addi %x, %c : i32
  %r:2 = func.call @f{}(%s) : (i32) -> (i32, i32)
  return %r#1, %r#0 : i32, i32
}}",
            index + 1
        );
    }
    text.push_str(
        "func.func private @f500(%x: i32) -> (i32, i32) {
  return %x, %x : i32, i32
}
func.func @main(%x: i32) -> i32 {
  %r:2 = func.call @f0(%x) : (i32) -> (i32, i32)
  return %r#0 : i32
}",
    );
    assert_eq!(inlined(&text), ["main"]);
}

#[test]
fn functions_on_a_cycle_stay_and_take_others_in() {
    let text = "
func.func private @even(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %end = arith.cmpi eq, %x, %c0 : i32
  %r = scf.if %end -> i32 {
    scf.yield %c1 : i32
  } else {
    %y = func.call @less(%x) : (i32) -> i32
    %s = func.call @odd(%y) : (i32) -> i32
    scf.yield %s : i32
  }
  return %r : i32
}
func.func private @odd(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %end = arith.cmpi eq, %x, %c0 : i32
  %r = scf.if %end -> i32 {
    scf.yield %c0 : i32
  } else {
    %y = func.call @less(%x) : (i32) -> i32
    %s = func.call @even(%y) : (i32) -> i32
    scf.yield %s : i32
  }
  return %r : i32
}
func.func private @less(%x: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %y = arith.subi %x, %c1 : i32
  return %y : i32
}
func.func @main(%x: i32) -> i32 {
  %r = func.call @even(%x) : (i32) -> i32
  return %r : i32
}";
    assert_eq!(inlined(text), ["even", "odd", "main"]);
}

#[test]
fn a_function_that_is_named_elsewhere_stays_and_takes_others_in() {
    let text = "
func.func private @inner(%x: i32) -> i32 {
  %y = arith.addi %x, %x : i32
  return %y : i32
}
func.func private @outer(%x: i32) -> i32 {
  %y = func.call @inner(%x) : (i32) -> i32
  return %y : i32
}
func.func @main(%x: i32) -> i32 attributes {keeps = @outer} {
  %y = func.call @outer(%x) : (i32) -> i32
  return %y : i32
}";
    assert_eq!(inlined(text), ["outer", "main"]);
}
