//! Results and faults of programs on the register machine. Expected values are worked out by hand.

mod control;
mod faults;
mod kernels;
mod memory;
mod races;

use gridloom_interp::{Argument, FaultKind, Machine, MemRef, Options, ScalarKind, ThreadOrder};
use gridloom_ir::text::{ParseOptions, parse_module, parse_type};
use gridloom_ir::{Context, Module};

const I32: ScalarKind = ScalarKind::Int(32);
const INDEX: ScalarKind = ScalarKind::Int(64);

fn parse(ctx: &Context, text: &str) -> Module {
    let options = ParseOptions::default();
    parse_module(ctx, "test.mlir", text.as_bytes(), &options)
        .unwrap_or_else(|found| panic!("{}", found.render(ctx)))
}

/// The thread orders in which every program runs.
const ORDERS: [ThreadOrder; 3] = [
    ThreadOrder::Ascending,
    ThreadOrder::Descending,
    ThreadOrder::Random(1),
];

/// Runs a program in each thread order: the value that it leaves, or the fault, which must be the
/// same in all, since none of the programs here depends on the order.
fn in_every_order<T: PartialEq + std::fmt::Debug>(run: impl Fn(ThreadOrder) -> T) -> T {
    let [first, others @ ..] = ORDERS;
    let expected = run(first);
    for order in others {
        assert_eq!(run(order), expected, "{order:?}");
    }
    expected
}

/// Bytes for nested calls: fewer than those of as many as the steps allow.
const STACK_LIMIT: usize = 4 << 20;

fn options(thread_order: ThreadOrder) -> Options {
    Options {
        checked: true,
        step_limit: Some(100_000),
        stack_limit: STACK_LIMIT,
        thread_order,
        ..Options::default()
    }
}

/// Runs `@main` of a program whose only argument is a memref of `i32`, filled with `input`; returns
/// the memref's elements afterwards, whatever the thread order.
fn run_on(text: &str, ty: &str, input: &[i32]) -> Result<Vec<i32>, (FaultKind, String)> {
    in_every_order(|order| run_in(order, text, ty, input))
}

/// [`run_on`] in one order.
fn run_in(
    order: ThreadOrder,
    text: &str,
    ty: &str,
    input: &[i32],
) -> Result<Vec<i32>, (FaultKind, String)> {
    let ctx = gridloom_dialects::context();
    let module = parse(&ctx, text);
    let mut machine = Machine::new(&ctx, &module, "main", None, options(order))
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

/// Runs `@main()` and returns its scalar results, whatever the thread order.
fn results(text: &str) -> Result<Vec<u64>, (FaultKind, String)> {
    in_every_order(|order| results_in(order, text))
}

/// [`results`] in one order.
fn results_in(order: ThreadOrder, text: &str) -> Result<Vec<u64>, (FaultKind, String)> {
    let ctx = gridloom_dialects::context();
    let module = parse(&ctx, text);
    let mut machine = Machine::new(&ctx, &module, "main", None, options(order))
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
