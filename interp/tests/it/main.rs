//! What programs compute, and how they fail, on the register machine. Expected
//! values are worked out by hand.

mod control;
mod faults;
mod kernels;
mod memory;

use gridloom_interp::{Argument, FaultKind, Machine, MemRef, Options, ScalarKind};
use gridloom_ir::text::{ParseOptions, parse_module, parse_type};
use gridloom_ir::{Context, Module};

const I32: ScalarKind = ScalarKind::Int(32);
const INDEX: ScalarKind = ScalarKind::Int(64);

fn parse(ctx: &Context, text: &str) -> Module {
    let options = ParseOptions::default();
    parse_module(ctx, "test.mlir", text.as_bytes(), &options)
        .unwrap_or_else(|found| panic!("{}", found.render(ctx)))
}

/// Runs `@main` of a program whose only argument is a memref of `i32`, filled
/// with `input`; returns what it holds afterwards.
fn run_on(text: &str, ty: &str, input: &[i32]) -> Result<Vec<i32>, (FaultKind, String)> {
    let ctx = Context::new();
    let module = parse(&ctx, text);
    let options = Options {
        checked: true,
        step_limit: Some(100_000),
        ..Options::default()
    };
    let mut machine = Machine::new(&ctx, &module, "main", None, options)
        .unwrap_or_else(|found| panic!("{}", found.render(&ctx)));
    let ty = parse_type(&ctx, ty).unwrap_or_else(|found| panic!("{}", found.render(&ctx)));
    let memref = machine.allocate(ty, &[input.len() as i64]).unwrap();
    for (position, &value) in (0..).zip(input) {
        machine
            .memory_mut()
            .write(&memref, position, I32, value as u32 as u64)
            .unwrap();
    }
    let outcome = machine.run(&[Argument::MemRef(I32, memref.clone())]);
    outcome.map_err(|fault| {
        let text = fault.to_diagnostic().render(&ctx);
        (fault.kind, text)
    })?;
    Ok(read_i32(&machine, &memref))
}

fn read_i32(machine: &Machine<'_>, memref: &MemRef) -> Vec<i32> {
    let mut values = Vec::new();
    memref
        .for_each_position(|position| {
            values.push(machine.memory().read(memref, position, I32)? as u32 as i32);
            Ok(())
        })
        .unwrap();
    values
}

/// Runs `@main()` and returns its scalar results.
fn results(text: &str) -> Result<Vec<u64>, (FaultKind, String)> {
    let ctx = Context::new();
    let module = parse(&ctx, text);
    let options = Options {
        checked: true,
        step_limit: Some(100_000),
        ..Options::default()
    };
    let mut machine = Machine::new(&ctx, &module, "main", None, options)
        .unwrap_or_else(|found| panic!("{}", found.render(&ctx)));
    let results = machine.run(&[]).map_err(|fault| {
        let text = fault.to_diagnostic().render(&ctx);
        (fault.kind, text)
    })?;
    Ok(results
        .iter()
        .map(|result| match result {
            Argument::Scalar(_, bits) => *bits,
            Argument::MemRef(..) => panic!("a scalar result was expected"),
        })
        .collect())
}
