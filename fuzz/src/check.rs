//! Puts a program through gridloom and compares what comes out with what the
//! evaluator says.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use gridloom::codegen::pass::Pipeline;
use gridloom::interp::{Argument, Machine, Options, ScalarKind, ThreadOrder};
use gridloom::ir::text::{PrintOptions, print_module};
use gridloom::ir::verify::verify;
use gridloom::{Context, Module};

use crate::compare::compare;
use crate::dependences::{MARKED, Trace};
use crate::eval::Outcome;
use crate::pass_options::options;
use crate::print::print;
use crate::program::{Input, Program};
use crate::schedules::{self, Steps};
use crate::tuned;
use crate::types::{Scalar, Type};

/// Something went wrong.
#[derive(Clone, PartialEq, Debug)]
pub struct Failure {
    /// What, without what differs from program to program: failures of one kind have one cause, mostly.
    pub kind: String,
    /// The rest of it.
    pub detail: String,
}

impl Failure {
    pub(crate) fn new(kind: impl Into<String>, detail: impl Into<String>) -> Self {
        Failure {
            kind: kind.into(),
            detail: detail.into(),
        }
    }
}

/// Operations the interpreter may execute for each statement of the program; what passes make may take more.
const WORK: u64 = 300;

thread_local! {
    /// Where this thread panicked last.
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs `f`; a panic is a failure that names its place.
pub fn caught<T>(f: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |info| {
            let place = info.location().map(ToString::to_string).unwrap_or_default();
            let message = info.payload_as_str().unwrap_or_default();
            PANIC.set(format!("{place}: {message}"));
            // What this crate asserts itself is shown as ever.
            if place.starts_with("fuzz/") {
                usual(info);
            }
        }));
    });
    catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|_| {
        let place = PANIC.take();
        let kind = place.split(": ").next().unwrap_or_default().to_owned();
        Err(Failure::new(format!("panic at {kind}"), place))
    })
}

/// A program as gridloom read it.
pub struct Loaded<'c> {
    ctx: &'c Context,
    module: Module,
    /// The steps of random schedules so far.
    steps: Cell<Steps>,
    /// The dependences that passes have to keep, where they are checked.
    trace: Option<Trace>,
    traced: RefCell<Traced>,
}

/// What became of checks of dependences.
#[derive(Clone, Default, Debug)]
pub struct Traced {
    /// Pairs whose dependences were compared.
    pub compared: u64,
    /// Dependences of the programs as written, once a pair.
    pub dependences: u64,
    /// Pairs that were not compared, by what the checker does not know.
    pub untraced: BTreeMap<String, u64>,
}

impl Traced {
    /// Adds the counts of another program.
    pub fn add(&mut self, other: Traced) {
        self.compared += other.compared;
        self.dependences += other.dependences;
        for (why, count) in other.untraced {
            *self.untraced.entry(why).or_default() += count;
        }
    }
}

impl Loaded<'_> {
    /// The steps of the random schedules that the program was put through.
    pub fn steps(&self) -> Steps {
        self.steps.get()
    }

    /// The checks of dependences so far.
    pub fn traced(&self) -> Traced {
        self.traced.borrow().clone()
    }

    /// Has passes held to the dependences of the program as written, from now on.
    ///
    /// # Errors
    /// The checker computes something else than the evaluator.
    pub fn hold_dependences(
        &mut self,
        program: &Program,
        expected: &Outcome,
    ) -> Result<(), Failure> {
        match Trace::of(self.ctx, &self.module, &program.inputs) {
            Ok(trace) => {
                compare_bits(program, &trace, expected)?;
                self.trace = Some(trace);
            }
            Err(why) => *self.traced.borrow_mut().untraced.entry(why).or_default() += 1,
        }
        Ok(())
    }

    /// Checks that a module that passes have made keeps the dependences.
    fn keeps_dependences(
        &self,
        module: &Module,
        program: &Program,
        expected: &Outcome,
    ) -> Result<(), Failure> {
        let Some(before) = &self.trace else {
            return Ok(());
        };
        let after = match Trace::of(self.ctx, module, &program.inputs) {
            Ok(after) => after,
            Err(why) => {
                *self.traced.borrow_mut().untraced.entry(why).or_default() += 1;
                return Ok(());
            }
        };
        let mut traced = self.traced.borrow_mut();
        traced.compared += 1;
        let counts = before.counts;
        traced.dependences += counts.flow + counts.anti + counts.output;
        compare_bits(program, &after, expected)?;
        before.keeps(self.ctx, &after).map_err(|broken| {
            let text = print_module(self.ctx, module, &PrintOptions::default());
            Failure::new(
                format!("dependences: {}", broken.kind),
                format!("{}\n{text}", broken.text),
            )
        })
    }
}

/// Compares the bits that the checker of dependences ends with, so that it is no wrong witness.
fn compare_bits(program: &Program, trace: &Trace, expected: &Outcome) -> Result<(), Failure> {
    let got = Outcome {
        arguments: trace.bits.clone(),
        results: expected.results.clone(),
        steps: 0,
    };
    compare(program, &got, expected)
        .map_err(|found| Failure::new("dependences: other bits", found.text))
}

/// Reads the text of a program; what the generator makes must be accepted.
///
/// # Errors
/// It is not.
pub fn load<'c>(ctx: &'c Context, text: &str) -> Result<Loaded<'c>, Failure> {
    match gridloom::parse(ctx, "program.mlir", text.as_bytes()) {
        Ok(module) => Ok(Loaded {
            ctx,
            module,
            steps: Cell::default(),
            trace: None,
            traced: RefCell::default(),
        }),
        Err(found) => {
            let message = found.render(ctx);
            Err(Failure::new(
                format!("refused: {}", first_line(&message)),
                message,
            ))
        }
    }
}

/// The first line of a diagnostic, without its place and without what is quoted.
fn first_line(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default();
    let line = line.split_once("error: ").map_or(line, |(_, rest)| rest);
    let mut quoted = false;
    line.chars()
        .filter(|c| {
            quoted ^= *c == '\'';
            !quoted && !c.is_ascii_digit() && *c != '\''
        })
        .collect()
}

/// Runs the passes, prints what they leave, reads it again, and runs it in every thread order.
///
/// # Errors
/// What went wrong first.
pub fn passes(
    loaded: &Loaded<'_>,
    program: &Program,
    expected: &Outcome,
    names: &[&str],
    seed: u64,
) -> Result<(), Failure> {
    if names.is_empty() {
        return runs(loaded.ctx, &loaded.module, program, expected, seed);
    }
    let mut module = loaded.module.clone();
    let mut schedules = Vec::new();
    for part in names.split_inclusive(|&name| matches!(name, SCHEDULE | TUNED)) {
        let (passes, drawn) = match part {
            [passes @ .., drawn @ (SCHEDULE | TUNED)] => (passes, Some(*drawn)),
            passes => (passes, None),
        };
        through(loaded.ctx, &mut module, program, passes, seed)?;
        let seed = seed.wrapping_add(schedules.len() as u64);
        match drawn {
            Some(TUNED) => schedules.push(tuned::apply(loaded.ctx, &mut module, seed)?),
            Some(_) => {
                let mut steps = loaded.steps.get();
                let applied = schedules::apply(loaded.ctx, &mut module, seed, &mut steps);
                loaded.steps.set(steps);
                schedules.push(applied?);
            }
            None => {}
        }
    }
    let run = checked(loaded.ctx, &module, program, expected, seed);
    let kept = run.and_then(|()| loaded.keeps_dependences(&module, program, expected));
    kept.map_err(|failure| Failure {
        detail: match schedules.is_empty() {
            true => failure.detail,
            false => format!("{}: {}", schedules.join(" | "), failure.detail),
        },
        kind: failure.kind,
    })
}

/// Holds a program that leaves an array to what passes say of its accesses: the one that is out of range must
/// not be marked as one in bounds.
///
/// # Errors
/// It is.
pub fn marks(program: &Program, names: &[&str], seed: u64) -> Result<(), Failure> {
    let ctx = gridloom::context();
    let mut module = load(&ctx, &print(program))?.module;
    through(&ctx, &mut module, program, names, seed)?;
    match Trace::of(&ctx, &module, &program.inputs) {
        Err(why) if why == MARKED => {
            let text = print_module(&ctx, &module, &PrintOptions::default());
            Err(Failure::new(MARKED, format!("{why}\n{text}")))
        }
        _ => Ok(()),
    }
}

/// The pass that gets random schedules.
pub(crate) const SCHEDULE: &str = "affine-schedule";

/// `offload` with a random schedule of each nest's space. No pass has this name.
pub(crate) const TUNED: &str = "offload-tuned";

/// Runs passes, with options drawn from the seed.
fn through(
    ctx: &Context,
    module: &mut Module,
    program: &Program,
    names: &[&str],
    seed: u64,
) -> Result<(), Failure> {
    let mut pipeline = Pipeline::new();
    for name in names {
        let added = pipeline.add(name, &options(name, seed, program));
        added.map_err(|error| Failure::new("no such pass", error.to_string()))?;
    }
    if let Err(found) = pipeline.run(ctx, module, &mut ()) {
        let message = found.render(ctx);
        return Err(Failure::new(
            format!("a pass fails: {}", first_line(&message)),
            message,
        ));
    }
    Ok(())
}

/// Prints what passes have left, reads it again, and runs it.
fn checked(
    ctx: &Context,
    module: &Module,
    program: &Program,
    expected: &Outcome,
    seed: u64,
) -> Result<(), Failure> {
    let found = verify(ctx, module);
    if found.has_errors() {
        let message = found.render(ctx);
        let text = print_module(ctx, module, &PrintOptions::default());
        return Err(Failure::new(
            format!("does not verify: {}", first_line(&message)),
            format!("{message}\n{text}"),
        ));
    }
    let text = print_module(ctx, module, &PrintOptions::default());
    let ctx = gridloom::context();
    let again = load(&ctx, &text).map_err(|failure| {
        Failure::new(
            format!("printed and {}", failure.kind),
            format!("{}\n{text}", failure.detail),
        )
    })?;
    runs(&ctx, &again.module, program, expected, seed).map_err(|failure| Failure {
        detail: format!("{}\n{text}", failure.detail),
        ..failure
    })
}

/// Runs the module in ascending, descending and a random order.
fn runs(
    ctx: &Context,
    module: &Module,
    program: &Program,
    expected: &Outcome,
    seed: u64,
) -> Result<(), Failure> {
    let orders = [
        ThreadOrder::Ascending,
        ThreadOrder::Descending,
        ThreadOrder::Random(seed),
    ];
    for order in orders {
        run(ctx, module, program, expected, order)?;
    }
    Ok(())
}

fn run(
    ctx: &Context,
    module: &Module,
    program: &Program,
    expected: &Outcome,
    thread_order: ThreadOrder,
) -> Result<(), Failure> {
    let options = Options {
        checked: true,
        // The detector is exact for the iterations that ran, whatever their order.
        races: thread_order == ThreadOrder::Ascending,
        step_limit: Some((expected.steps + 100) * WORK),
        memory_limit: 1 << 24,
        thread_order,
        ..Options::default()
    };
    let machine = Machine::new(ctx, module, "main", None, options);
    let mut machine = machine.map_err(|found| {
        let message = found.render(ctx);
        Failure::new(format!("cannot be run: {}", first_line(&message)), message)
    })?;
    let broken = |what: &str| Failure::new(format!("harness: {what}"), String::new());
    let types = parameters(ctx, module).ok_or_else(|| broken("no main function"))?;
    let mut arguments = Vec::new();
    for ((input, ty), &param) in program.inputs.iter().zip(types).zip(&program.main().params) {
        let kind = kind_of(program.ty(param));
        arguments.push(match input {
            Input::Scalar(bits) => Argument::Scalar(kind, *bits),
            Input::MemRef { sizes, elements } => {
                let view = machine
                    .allocate(ty, sizes)
                    .map_err(|_| broken("an argument"))?;
                let mut elements = elements.iter();
                let filled = view.for_each_position(|position| {
                    let bits = elements.next().copied().unwrap_or(0);
                    Ok(machine.memory_mut().write(&view, position, kind, bits)?)
                });
                filled.map_err(|_| broken("an argument's elements"))?;
                Argument::MemRef(kind, view)
            }
        });
    }
    let results = machine.run(&arguments).map_err(|fault| {
        let message = fault.to_diagnostic().render(ctx);
        Failure::new(
            format!("a fault: {}", first_line(&message)),
            format!("{thread_order:?}: {message}"),
        )
    })?;
    let mut got = Outcome {
        arguments: Vec::new(),
        results: Vec::new(),
        steps: 0,
    };
    for argument in &arguments {
        let mut left = Vec::new();
        if let Argument::MemRef(kind, view) = argument {
            let read = view.for_each_position(|position| {
                left.push(machine.memory().read(view, position, *kind)?);
                Ok(())
            });
            read.map_err(|_| Failure::new("an argument cannot be read afterwards", ""))?;
        }
        got.arguments.push(left);
    }
    got.results = results
        .iter()
        .filter_map(|result| match result {
            Argument::Scalar(_, bits) => Some(*bits),
            Argument::MemRef(..) => None,
        })
        .collect();
    compare(program, &got, expected).map_err(|found| {
        let which = match thread_order {
            ThreadOrder::Ascending => "wrong",
            _ => "wrong in another thread order",
        };
        Failure::new(
            format!("{which} ({})", found.ty),
            format!("{thread_order:?}: {}", found.text),
        )
    })
}

/// The types of the parameters of `@main`.
fn parameters(ctx: &Context, module: &Module) -> Option<Vec<gridloom::ir::Type>> {
    let (_, data) = module.ops().find(|(_, data)| {
        data.symbol_name(ctx)
            .is_some_and(|name| ctx.str(name) == "main")
    })?;
    let body = data.isolated()?;
    let entry = body.entry()?;
    Some(body[entry].args.iter().map(|&arg| body.ty(arg)).collect())
}

/// The interpreter's class of a scalar or of a memref's elements.
fn kind_of(ty: &Type) -> ScalarKind {
    let scalar = match ty {
        Type::Scalar(scalar) => *scalar,
        Type::MemRef(memref) => memref.element,
    };
    match scalar {
        Scalar::F16 => ScalarKind::F16,
        Scalar::BF16 => ScalarKind::BF16,
        Scalar::F32 => ScalarKind::F32,
        Scalar::F64 => ScalarKind::F64,
        int => ScalarKind::Int(int.width() as u8),
    }
}
