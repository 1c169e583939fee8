//! Programs that are compiled for the sizes of a run's arguments.

use gridloom::interp::FaultKind;
use gridloom::ir::diag::Diagnostics;
use gridloom::ir::text::{PrintOptions, print_module};
use gridloom::{
    Context, DeviceWish, HostValue, Module, OffloadOptions, Program, Session, SessionOptions,
};

/// Doubles the first `%n` elements, and adds `%k` to them.
const SCALE: &str = "
    func.func @scale(%x: memref<?xi32>, %n: i32, %k: i32) {
      %to = arith.index_cast %n : i32 to index
      affine.for %i = 0 to %to {
        %v = affine.load %x[%i] : memref<?xi32>
        %w = arith.addi %v, %v : i32
        %s = arith.addi %w, %k : i32
        affine.store %s, %x[%i] : memref<?xi32>
      }
      return
    }";

fn program<'c>(ctx: &'c Context, source: &str) -> Program<'c> {
    let module = gridloom::parse(ctx, "scale.mlir", source.as_bytes()).expect("it is a program");
    Program::compile(ctx, module, None, None).expect("it compiles")
}

fn inputs(program: &Program<'_>, words: [&str; 3]) -> Vec<HostValue> {
    let specs = words.map(|word| word.parse().expect("it is an argument"));
    let inputs = program.inputs(&specs, |_| Err("no files".to_owned()));
    inputs.expect("inputs of its types")
}

fn is_open(ctx: &Context, module: &Module) -> bool {
    print_module(ctx, module, &PrintOptions::default()).contains('?')
}

fn messages(found: &Diagnostics) -> Vec<&str> {
    found.iter().map(|found| found.message.as_str()).collect()
}

fn elements(program: &Program<'_>, inputs: &[HostValue]) -> Vec<u64> {
    let session = Session::open(&DeviceWish::Cpu, SessionOptions::default());
    let session = session.expect("the interpreter is always there");
    let outcome = program.run(&session, inputs).expect("it runs");
    outcome.arguments[0].elements.iter().collect()
}

#[test]
fn a_specialized_program_has_the_sizes_of_its_arguments_alone() {
    let ctx = gridloom::context();
    let open = program(&ctx, SCALE);
    let five = inputs(&open, ["iota[5]", "3", "7"]);
    let special = open.specialized(&five);
    let words = special.specialization();
    assert_eq!(words.as_deref(), Some("argument 0 is 5, argument 1 is 3"));
    let special = special.mapped(&OffloadOptions::default()).expect("it maps");
    assert!(!is_open(&ctx, special.compiled()));
    let remark = "kernels are for the arguments of this run: argument 0 is 5, argument 1 is 3";
    assert!(messages(&special.remarks).contains(&remark));
    assert_eq!(elements(&special, &five), [7, 9, 11, 3, 4]);
    // What is data may be another.
    let other = inputs(&special, ["ones[5]", "3", "1"]);
    assert_eq!(elements(&special, &other), [3, 3, 3, 1, 1]);
}

#[test]
fn a_specialized_program_takes_no_other_sizes() {
    let ctx = gridloom::context();
    let open = program(&ctx, SCALE);
    let five = inputs(&open, ["iota[5]", "3", "7"]);
    let special = open.specialized(&five);
    let special = special.mapped(&OffloadOptions::default()).expect("it maps");
    let session = Session::open(&DeviceWish::Cpu, SessionOptions::default());
    let session = session.expect("the interpreter is always there");
    let fault = |words| {
        let fault = special.run(&session, &inputs(&special, words));
        match fault.expect_err("these are other sizes").kind {
            FaultKind::ShapeMismatch(message) => message,
            other => panic!("another fault: {other:?}"),
        }
    };
    let longer = fault(["iota[6]", "3", "7"]);
    assert_eq!(longer, "the program was not compiled for 6 as argument 0");
    let further = fault(["iota[5]", "4", "7"]);
    let expected = "the program was compiled for 3 as argument 1, but 4 is given";
    assert_eq!(further, expected);
}

#[test]
fn a_program_that_is_not_specialized_takes_any_sizes() {
    let ctx = gridloom::context();
    let open = program(&ctx, SCALE);
    assert_eq!(open.specialization(), None);
    let open = open.mapped(&OffloadOptions::default()).expect("it maps");
    assert!(is_open(&ctx, open.compiled()));
    let five = inputs(&open, ["iota[5]", "3", "7"]);
    assert_eq!(elements(&open, &five), [7, 9, 11, 3, 4]);
    let two = inputs(&open, ["ones[2]", "1", "0"]);
    assert_eq!(elements(&open, &two), [2, 1]);
}
