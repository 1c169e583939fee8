//! Puts an input through everything.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::sync::Once;

use gridloom::codegen::pass::offload::offload;
use gridloom::codegen::pass::{PassOptions, Pipeline, all_passes};
use gridloom::codegen::target::OffloadOptions;
use gridloom::dialects::{func, gpu, memref};
use gridloom::interp::{Argument, FaultKind, Machine, Options, ThreadOrder, scalar_kind};
use gridloom::ir::Body;
use gridloom::ir::text::{ParseOptions, PrintOptions, parse_module, print_module};
use gridloom::ir::types::DYNAMIC;
use gridloom::ir::verify::verify;
use gridloom::spirv::{IndexWidth, TargetEnv, compile_module};
use gridloom::{Context, Module};

/// How far an input came.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reached {
    /// It is no program.
    Refused,
    /// It is one, but does not end well within the limits.
    Compiled,
    /// It ran, and so did what the compiler made of it.
    Ran,
}

/// Iterations of the program as written; what is compiled of it may take more.
const STEPS: u64 = 20_000;

thread_local! {
    /// Where this thread panicked last.
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Puts `input` through parser, verifier, printer, interpreter, every pass and
/// the back end. The error says where a panic came from, or which promise was broken.
pub fn survive(input: &[u8]) -> Result<Reached, String> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let usual = std::panic::take_hook();
        set_hook(Box::new(move |info| {
            let place = info.location().map(ToString::to_string).unwrap_or_default();
            // Other tests of this process panic in the usual way.
            if !place.contains("mutants")
                && std::thread::current()
                    .name()
                    .is_some_and(|name| name.contains("mutants"))
            {
                let message = info.payload_as_str().unwrap_or_default();
                PANIC.set(format!("{place}: {message}"));
            } else {
                usual(info);
            }
        }));
    });
    catch_unwind(AssertUnwindSafe(|| everything(input))).unwrap_or_else(|_| Err(PANIC.take()))
}

fn everything(input: &[u8]) -> Result<Reached, String> {
    let ctx = gridloom::context();
    let module = match gridloom::parse(&ctx, "mutant.mlir", input) {
        Ok(module) => module,
        Err(found) => {
            if found.render(&ctx).is_empty() {
                return Err("refused without a message".to_owned());
            }
            return Ok(Reached::Refused);
        }
    };
    printing_is_reading(&ctx, &module)?;
    every_pass(&ctx, &module)?;

    let mut compiled = module.clone();
    // What is compiled is held to the last bit, so sums of floats keep their order; those of integers are cut.
    let mapping = OffloadOptions {
        reassociate: false,
        ..OffloadOptions::default()
    };
    if offload(&ctx, &mut compiled, &mapping).is_err() {
        return Ok(Reached::Compiled);
    }
    valid(&ctx, &compiled, "offload")?;
    back_end(&ctx, &compiled);
    compare_runs(&ctx, &module, &compiled)
}

/// What the compiler makes of a program, as text: kernels and host code, and
/// loops without affine operations. Nothing for what is no program.
pub fn stages(program: &[u8]) -> Vec<Vec<u8>> {
    let ctx = gridloom::context();
    let Ok(module) = gridloom::parse(&ctx, "program.mlir", program) else {
        return Vec::new();
    };
    let print = |pass: &str| {
        let mut pipeline = Pipeline::new();
        pipeline.add(pass, &PassOptions::default()).ok()?;
        let mut changed = module.clone();
        pipeline.run(&ctx, &mut changed, &mut ()).ok()?;
        Some(print_module(&ctx, &changed, &PrintOptions::default()).into_bytes())
    };
    ["offload", "lower-affine"]
        .into_iter()
        .filter_map(print)
        .collect()
}

/// What verifies prints as text that reads, verifies and prints the same.
fn printing_is_reading(ctx: &Context, module: &Module) -> Result<(), String> {
    for generic in [false, true] {
        let options = PrintOptions {
            generic,
            ..PrintOptions::default()
        };
        let once = print_module(ctx, module, &options);
        let again = gridloom::context();
        // Programs of the older eras may name types of any dialect; today's text has a flag for that.
        let reading = ParseOptions {
            allow_unregistered: true,
        };
        let read = match parse_module(&again, "printed.mlir", once.as_bytes(), &reading) {
            Ok(read) => read,
            Err(found) => {
                let first = found.render(&again);
                let first = first.lines().next().unwrap_or_default();
                let message = first.split(": ").last().unwrap_or_default();
                return Err(format!(
                    "what is printed (generic: {generic}) does not read: {message}"
                ));
            }
        };
        valid(&again, &read, "printing and reading")?;
        let twice = print_module(&again, &read, &options);
        let spelled = PrintOptions {
            local_scope: true,
            ..options
        };
        let is_same = match has_twins(&once) {
            true => {
                let once = print_module(ctx, module, &spelled);
                sums_in_order(&once) == sums_in_order(&print_module(&again, &read, &spelled))
            }
            false => once == twice || sums_in_order(&once) == sums_in_order(&twice),
        };
        if !is_same {
            return Err(format!("printing is no fixpoint (generic: {generic})"));
        }
    }
    Ok(())
}

/// Whether two aliases of a text have one definition, which reading makes one alias: as `mlir-opt` does, `-d0 + s0 - 1` is
/// printed alike whichever of its sums is the inner one.
fn has_twins(text: &str) -> bool {
    let definitions = text.lines().filter(|line| line.starts_with(['#', '!']));
    let mut seen = BTreeSet::new();
    let mut definitions = definitions.filter_map(|line| line.split_once(" = "));
    definitions.any(|(_, definition)| !seen.insert(definition))
}

/// A text with the terms of each sum in one order and its constants as one.
///
/// MLIR prints nested sums without parentheses, and its simplification moves constants to the right
/// in a flat sum only: `-%i + (symbol(%n) - 1) + %j` prints as `-%i + symbol(%n) - 1 + %j`, which
/// reads as `-%i + symbol(%n) + %j - 1`. `mlir-opt` prints both, one after the other, and so do we.
fn sums_in_order(text: &str) -> String {
    let mut ordered = String::new();
    for segment in text.split_inclusive(['[', ']', '(', ')', ',', '\n']) {
        if !segment.contains(" + ") && !segment.contains(" - ") {
            ordered += segment;
            continue;
        }
        let (mut terms, mut constant, mut sign) = (Vec::new(), 0i64, 1i64);
        let end = segment.len() - segment.chars().next_back().map_or(0, char::len_utf8);
        let (sum, closed) = segment.split_at(end);
        for word in sum.split_whitespace() {
            match (word, word.parse::<i64>()) {
                ("+", _) => sign = 1,
                ("-", _) => sign = -1,
                (_, Ok(number)) => constant = constant.wrapping_add(sign.wrapping_mul(number)),
                _ => terms.push(format!("{sign:+} {word}")),
            }
        }
        terms.sort_unstable();
        ordered += &format!("{terms:?} {constant}{closed}");
    }
    ordered
}

fn every_pass(ctx: &Context, module: &Module) -> Result<(), String> {
    for info in all_passes() {
        let mut pipeline = Pipeline::new();
        let added = pipeline.add(info.name, &PassOptions::default());
        added.map_err(|_| format!("{} needs options", info.name))?;
        let mut changed = module.clone();
        if pipeline.run(ctx, &mut changed, &mut ()).is_ok() {
            valid(ctx, &changed, info.name)?;
        }
    }
    Ok(())
}

fn valid(ctx: &Context, module: &Module, after: &str) -> Result<(), String> {
    match verify(ctx, module).into_iter().next() {
        None => Ok(()),
        Some(found) => Err(format!("invalid after {after}: {}", found.message)),
    }
}

/// Words or a refusal, for both index widths.
fn back_end(ctx: &Context, module: &Module) {
    for (_, data) in module.ops().filter(|(_, data)| data.name == gpu::MODULE) {
        let Some(name) = data.symbol_name(ctx) else {
            continue;
        };
        for index_width in [IndexWidth::Bits32, IndexWidth::Bits64] {
            let mut target = TargetEnv::default();
            (target.features.f64, target.features.i64) = (true, true);
            target.index_width = index_width;
            // A refusal is an outcome like another; what counts is that there is one.
            let _ = compile_module(ctx, module, ctx.str(name), &target);
        }
    }
}

/// Whether something uses what atomic updates return, which depends on who comes first.
fn observes_order(body: &Body) -> bool {
    let uses = body.uses();
    body.walk().into_iter().any(|op| {
        let is_update = matches!(
            body[op].name,
            memref::ATOMIC_RMW | memref::GENERIC_ATOMIC_RMW
        );
        is_update && body[op].results().any(|result| !uses.of(result).is_empty())
            || body[op].isolated().is_some_and(observes_order)
    })
}

/// Every function with a body: what it leaves, as written and as compiled.
fn compare_runs(ctx: &Context, module: &Module, compiled: &Module) -> Result<Reached, String> {
    let mut reached = Reached::Compiled;
    if observes_order(module.body()) {
        return Ok(reached);
    }
    for (op, _) in module.ops() {
        let Some(function) = func::FuncOp::cast(module.body(), op) else {
            continue;
        };
        if function.is_declaration(module.body()) || !function.is_public(ctx, module.body()) {
            continue;
        }
        let name = ctx.str(function.name(ctx, module.body()));
        let limits = options(STEPS, ThreadOrder::Ascending);
        let Some(Ok(expected)) = left_by(ctx, module, name, limits.clone()) else {
            // What happens after a fault is for nobody to say, but not a panic.
            let _ = left_by(ctx, compiled, name, limits);
            continue;
        };
        for order in [
            ThreadOrder::Ascending,
            ThreadOrder::Descending,
            ThreadOrder::Random(1),
        ] {
            match left_by(ctx, compiled, name, options(STEPS * 50, order)) {
                Some(Ok(left)) if left != expected => {
                    return Err(format!(
                        "what is compiled computes something else, {order:?}"
                    ));
                }
                Some(Ok(_)) => reached = Reached::Ran,
                Some(Err(fault)) if is_step_limit(&fault) => {}
                Some(Err(fault)) => return Err(format!("what is compiled faults: {fault:?}")),
                None => return Err("the interpreter does not take what is compiled".to_owned()),
            }
        }
    }
    Ok(reached)
}

/// Whether a run took more steps than it may, on the host or in a kernel: a launch of many workgroups does for a few elements.
fn is_step_limit(fault: &FaultKind) -> bool {
    match fault {
        FaultKind::InKernel(inner) => is_step_limit(&inner.kind),
        fault => matches!(fault, FaultKind::StepLimit(_)),
    }
}

/// What a program that races leaves is for nobody to say either.
fn options(steps: u64, thread_order: ThreadOrder) -> Options {
    Options {
        checked: true,
        races: true,
        step_limit: Some(steps),
        memory_limit: 1 << 22,
        stack_limit: 1 << 16,
        thread_order,
        ..Options::default()
    }
}

/// The arguments' bytes and the scalar results after a run; `None` for a
/// function the interpreter cannot call.
fn left_by(
    ctx: &Context,
    module: &Module,
    name: &str,
    options: Options,
) -> Option<Result<Vec<Vec<u8>>, FaultKind>> {
    let mut machine = Machine::new(ctx, module, name, None, options).ok()?;
    let (op, _) = module.ops().find(|(_, data)| {
        data.name == func::FUNC
            && data
                .symbol_name(ctx)
                .is_some_and(|found| ctx.str(found) == name)
    })?;
    let (parameters, _) = func::FuncOp::cast(module.body(), op)?.signature(ctx, module.body());
    let mut arguments = Vec::new();
    for (number, &ty) in parameters.iter().enumerate() {
        let Some(memref) = ty.memref(ctx) else {
            let kind = scalar_kind(ctx, ty)?;
            arguments.push(Argument::Scalar(kind, kind_of_number(kind, 2)));
            continue;
        };
        let kind = scalar_kind(ctx, memref.element)?;
        let size = |&size: &i64| if size == DYNAMIC { 4 } else { size };
        let sizes: Vec<i64> = memref.shape.iter().map(size).collect();
        let view = match machine.allocate(ty, &sizes) {
            Ok(view) => view,
            Err(fault) => return Some(Err(fault)),
        };
        let mut element = number as u64;
        let filled = view.for_each_position(|position| {
            element = (element + 3) % 11;
            let bits = kind_of_number(kind, element);
            machine.memory_mut().write(&view, position, kind, bits)?;
            Ok(())
        });
        if let Err(fault) = filled {
            return Some(Err(fault));
        }
        arguments.push(Argument::MemRef(kind, view));
    }
    let results = match machine.run(&arguments) {
        Ok(results) => results,
        Err(fault) => return Some(Err(fault.kind)),
    };
    let mut left: Vec<Vec<u8>> = Vec::new();
    for argument in &arguments {
        if let Argument::MemRef(_, view) = argument {
            // A program may free what it is given.
            let bytes = machine
                .memory()
                .get(view.alloc)
                .map(|buffer| buffer.bytes().to_vec());
            left.push(bytes.unwrap_or_default());
        }
    }
    left.extend(results.iter().filter_map(|result| match result {
        Argument::Scalar(_, bits) => Some(bits.to_le_bytes().to_vec()),
        Argument::MemRef(..) => None,
    }));
    Some(Ok(left))
}

/// A small number as bits of this class.
fn kind_of_number(kind: gridloom::interp::ScalarKind, number: u64) -> u64 {
    match kind {
        gridloom::interp::ScalarKind::Int(1) => number & 1,
        gridloom::interp::ScalarKind::Int(_) => number,
        _ => kind.from_f64(number as f64),
    }
}

#[test]
fn only_the_order_of_terms_is_free() {
    let same = |a: &str, b: &str| sums_in_order(a) == sums_in_order(b);
    let printed = "%0 = affine.load %a[-%i + symbol(%n) - 1 + %j] : memref<?xf32>\n";
    assert!(same(
        printed,
        "%0 = affine.load %a[-%i + symbol(%n) + %j - 1] : memref<?xf32>\n"
    ));
    assert!(!same(
        printed,
        "%0 = affine.load %a[-%i + symbol(%n) + %j - 2] : memref<?xf32>\n"
    ));
    assert!(!same(
        printed,
        "%0 = affine.load %a[-%i + symbol(%n) + %k - 1] : memref<?xf32>\n"
    ));
    assert!(!same("f(%a, %b)", "f(%b, %a)"));
}
