//! Differential check: runs a program through gridloom and compares its results with the
//! evaluator's.

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

/// Failure of a check.
#[derive(Clone, PartialEq, Debug)]
pub struct Failure {
    /// Kind of failure, without details that differ between programs: failures of one kind mostly
    /// have one cause.
    pub kind: String,
    /// Details of the failure.
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

/// Limit of the interpreter's operations for each statement of the program; passes may add
/// operations.
const WORK: u64 = 300;

/// Operations that any program may take besides: a reduction of open length fills a device with threads, however few
/// iterations it comes to have.
const LAUNCH: u64 = 1 << 22;

thread_local! {
    /// Location of this thread's last panic.
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs `f`, and turns a panic into a failure that names its location.
pub fn caught<T>(f: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |info| {
            let place = info.location().map(ToString::to_string).unwrap_or_default();
            let message = info.payload_as_str().unwrap_or_default();
            PANIC.set(format!("{place}: {message}"));
            // Failed assertions of this crate are shown as usual.
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

/// Program as gridloom parsed it.
pub struct Loaded<'c> {
    ctx: &'c Context,
    module: Module,
    /// Steps of random schedules so far.
    steps: Cell<Steps>,
    /// Trace of the program as written, if dependences are checked.
    trace: Option<Trace>,
    traced: RefCell<Traced>,
}

/// Statistics of dependence checks.
#[derive(Clone, Default, Debug)]
pub struct Traced {
    /// Number of pairs whose dependences were compared.
    pub compared: u64,
    /// Number of dependences in the programs as written, once for each pair.
    pub dependences: u64,
    /// Number of pairs that were not compared, by the unsupported construct.
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
    /// Steps of the random schedules that were applied to the program.
    pub fn steps(&self) -> Steps {
        self.steps.get()
    }

    /// The checks of dependences so far.
    pub fn traced(&self) -> Traced {
        self.traced.borrow().clone()
    }

    /// Enables the dependence check: from now on passes have to keep the dependences of the program
    /// as written.
    ///
    /// # Errors
    /// The tracer and the evaluator disagree.
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

    /// Checks that a transformed module keeps the dependences.
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

/// Compares the tracer's results with the evaluator's, to validate the tracer.
fn compare_bits(program: &Program, trace: &Trace, expected: &Outcome) -> Result<(), Failure> {
    let got = Outcome {
        arguments: trace.bits.clone(),
        results: expected.results.clone(),
        steps: 0,
    };
    compare(program, &got, expected)
        .map_err(|found| Failure::new("dependences: other bits", found.text))
}

/// Parses the text of a program; every generated program has to be accepted.
///
/// # Errors
/// The program is refused.
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

/// The first line of a diagnostic, without its location and quoted text.
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

/// Runs passes, prints the result, parses it again, and runs it in every thread order.
///
/// # Errors
/// The first failure.
pub fn passes(
    loaded: &Loaded<'_>,
    program: &Program,
    expected: &Outcome,
    names: &[&str],
    seed: u64,
) -> Result<(), Failure> {
    if names.is_empty() {
        return runs(loaded.ctx, &loaded.module, program, expected, seed, true);
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
    // Threads load what others store and use none of it, which no order of accesses says.
    let is_ordered = !names.contains(&LOCKSTEP);
    let run = checked(loaded.ctx, &module, program, expected, seed, is_ordered);
    let kept = run.and_then(|()| match is_ordered {
        true => loaded.keeps_dependences(&module, program, expected),
        false => Ok(()),
    });
    kept.map_err(|failure| Failure {
        detail: match schedules.is_empty() {
            true => failure.detail,
            false => format!("{}: {}", schedules.join(" | "), failure.detail),
        },
        kind: failure.kind,
    })
}

/// Checks the in-bounds marks of a program with an access out of bounds: that access must not be
/// marked.
///
/// # Errors
/// The access is marked.
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

/// Name of the pass that gets random schedules.
pub(crate) const SCHEDULE: &str = "affine-schedule";

/// Name of the pseudo-pass `offload` with a random schedule of each nest's space.
pub(crate) const TUNED: &str = "offload-tuned";

/// Name of the pass whose kernels are for threads in lockstep, and race otherwise.
const LOCKSTEP: &str = "gpu-uniform-loads";

/// Runs passes, with options derived from the seed.
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

/// Prints the result of passes, parses it again, and runs it.
fn checked(
    ctx: &Context,
    module: &Module,
    program: &Program,
    expected: &Outcome,
    seed: u64,
    finds_races: bool,
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
    let run = runs(&ctx, &again.module, program, expected, seed, finds_races);
    run.map_err(|failure| Failure {
        detail: format!("{}\n{text}", failure.detail),
        ..failure
    })
}

/// Runs the module in ascending, descending and random thread order.
fn runs(
    ctx: &Context,
    module: &Module,
    program: &Program,
    expected: &Outcome,
    seed: u64,
    finds_races: bool,
) -> Result<(), Failure> {
    let orders = [
        ThreadOrder::Ascending,
        ThreadOrder::Descending,
        ThreadOrder::Random(seed),
    ];
    for order in orders {
        // The race detector is exact for the iterations that ran, whatever their order.
        let races = finds_races && order == ThreadOrder::Ascending;
        run(ctx, module, program, expected, order, races)?;
    }
    Ok(())
}

fn run(
    ctx: &Context,
    module: &Module,
    program: &Program,
    expected: &Outcome,
    thread_order: ThreadOrder,
    races: bool,
) -> Result<(), Failure> {
    let options = Options {
        checked: true,
        races,
        step_limit: Some(expected.steps * WORK + LAUNCH),
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

/// The interpreter's kind of a scalar or of a memref's elements.
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
