//! Command `gridloom run`.

use std::sync::{Arc, Mutex, PoisonError};

use gridloom::compare::{Tolerance, first_difference};
use gridloom::gpu_runtime::DeviceKind;
use gridloom::interp::{Fault, FaultKind};
use gridloom::printed::first_printed_difference;
use gridloom::spirv::FpMode;
use gridloom::{
    Context, Diagnostics, HostValue, Module, OffloadOptions, Outcome, Printer, Program, RunOptions,
    Session, tune,
};

use gridloom_dialects::gpu;

use super::clock::Clock;
use super::files::Draft;
use super::saved_kernels::SavedKernels;
use super::{Failure, args, database, help, input, schedules, summary, trace};

use request::Request;

mod request;

pub fn run(parser: &mut lexopt::Parser) -> Result<(), Failure> {
    let Some(mut request) = Request::parse(parser)? else {
        return input::print(help::RUN.as_bytes());
    };
    let file = args::need_file(request.file.clone())?;
    request.check_targets()?;
    let ctx = input::context();
    let module = input::module(&ctx, &file, request.entry.as_deref())?;
    let is_binary = module.body().may_hold(gpu::BINARY);
    let session = Session::open(&request.wish, request.session)
        .map_err(|error| Failure::Device(error.to_string()))?;
    if request.run.require_device && session.device().is_none() {
        let message = format!(
            "--require-device is given, but the program would run on the {}",
            session.describe()
        );
        return Err(Failure::Device(message));
    }
    let options = OffloadOptions {
        require_device: request.run.require_device,
        spaces: request.run.spaces.clone(),
        verdicts: request.remarks,
        tuned: database::of_session(request.database.as_deref(), &session)?,
        ..session.offload_options()
    }
    .at_level(request.level);
    // The interpreter runs loops faster than the kernels that they are mapped to.
    let offload = (request.offload).unwrap_or(session.device().is_some() || request.explain);
    let (program, inputs) = prepare(&ctx, module, &request, &file, offload.then_some(&options))?;
    if is_binary {
        note_kind(&file, &program, &session);
        note_floats(&file, request.session.fp);
    }
    check_saves(&request, &program, &inputs)?;
    if request.remarks {
        input::print_error(&program.remarks.render(&ctx));
    }
    profile_device(&request, &session)?;
    let saved_kernels =
        (request.save_kernels.as_deref()).map(|folder| SavedKernels::of(&session, folder));
    let saved_kernels = saved_kernels.transpose()?;
    let clock = request
        .time_limit
        .map(|limit| Clock::start(limit, &request.run.stop));
    let (print, printed) = printer(request.check, true);
    request.run.print = print;
    let outcome = program
        .run_with(&session, &inputs, &request.run)
        .map_err(|fault| failure(&ctx, &fault))?;
    input::print_error(&outcome.warnings.render(&ctx));
    if request.remarks {
        input::print_error(&outcome.remarks.render(&ctx));
    }
    let trace = take_trace(&request, &session)?;
    if !request.json {
        let report = summary::run(&ctx, &program, &session, &inputs, &outcome, offload);
        input::print(report.as_bytes())?;
    }
    if request.explain {
        explain(&ctx, &program, &session, &mut request, &inputs, &options)?;
    }
    if request.time {
        request.run.print = Printer::default();
        let warm = program
            .run_with(&session, &inputs, &request.run)
            .map_err(|fault| failure(&ctx, &fault))?;
        input::print(format!("again: {}\n", summary::duration(warm.time)).as_bytes())?;
    }
    if request.check {
        check(
            &ctx,
            &program,
            &request,
            &inputs,
            &outcome,
            &taken(&printed),
        )?;
    }
    drop(clock);
    if let Some(saved) = saved_kernels {
        saved.finish()?;
    }
    save(&request, &outcome, trace)
}

/// Compiles a program and reads its arguments; with options, maps its loops to kernels.
fn prepare<'c>(
    ctx: &'c Context,
    module: Module,
    request: &Request,
    file: &str,
    offload: Option<&OffloadOptions>,
) -> Result<(Program<'c>, Vec<HostValue>), Failure> {
    let refused = |found: Diagnostics| Failure::Refused(found.render(ctx));
    let program = Program::compile(ctx, module, request.entry.as_deref(), None).map_err(refused)?;
    let inputs = program
        .inputs_within(&request.specs, request.run.memory_limit, input::read_array)
        .map_err(|why| Failure::Refused(format!("{file}: error: {why}\n")))?;
    let program = match offload {
        Some(options) if request.is_general => program.mapped(options).map_err(refused)?,
        Some(options) => program
            .specialized(&inputs)
            .mapped(options)
            .map_err(refused)?,
        None => program,
    };
    Ok((program, inputs))
}

/// Saves the values that were asked for, and the trace: all files or none.
fn save(request: &Request, outcome: &Outcome, trace: Option<String>) -> Result<(), Failure> {
    let mut drafts = Vec::new();
    draft(&request.save_args, &outcome.arguments, &mut drafts)?;
    draft(&request.save_results, &outcome.results, &mut drafts)?;
    if let (Some(path), Some(trace)) = (&request.profile, trace) {
        let draft = Draft::write(path, |out| out.write_all(trace.as_bytes()));
        drafts.push(draft.map_err(|error| input::refused(path, "cannot be written", &error))?);
    }
    Draft::keep(drafts).map_err(|error| Failure::Refused(format!("error: {error}\n")))
}

/// Checks, before a long run, that values can be saved.
fn check_saves(
    request: &Request,
    program: &Program<'_>,
    inputs: &[HostValue],
) -> Result<(), Failure> {
    let results = program.result_types();
    let counts = [
        ("--save-arg", &request.save_args, "arguments", inputs.len()),
        (
            "--save-result",
            &request.save_results,
            "results",
            results.len(),
        ),
    ];
    for (option, targets, what, count) in counts {
        if let Some((number, _)) = targets.iter().find(|(number, _)| *number >= count) {
            return Err(Failure::Usage(format!(
                "{option} {number}: there are {count} {what}, counted from 0"
            )));
        }
    }
    let arguments = request.save_args.iter();
    let arguments = arguments.map(|(number, _)| ("argument", *number, inputs[*number].ty));
    let results = request.save_results.iter();
    let results = results.map(|(number, _)| ("result", *number, program.result_types()[*number]));
    for (what, number, ty) in arguments.chain(results) {
        program
            .array_type(ty)
            .map_err(|why| Failure::Refused(format!("error: {what} {number}: {why}\n")))?;
    }
    Ok(())
}

/// Prints the schedules, with the times of a warm run where the device has a clock.
fn explain(
    ctx: &Context,
    program: &Program<'_>,
    session: &Session,
    request: &mut Request,
    inputs: &[HostValue],
    options: &OffloadOptions,
) -> Result<(), Failure> {
    request.run.print = Printer::default();
    let found = program
        .schedules(options, inputs)
        .map_err(|found| Failure::Refused(found.render(ctx)))?;
    let kernels = match session.device() {
        None => Vec::new(),
        Some(device) => {
            let run = || program.run_with(session, inputs, &request.run);
            let timed = tune::seconds_of_kernels(ctx, device, run);
            let timed = timed.map_err(|why| super::tune::refusal(ctx, why))?;
            tune::in_order_of_module(ctx, program.compiled(), timed)
        }
    };
    let entries = schedules::joined(ctx, found, kernels);
    let text = match request.json {
        true => schedules::json(ctx, &entries),
        false => schedules::text(ctx, &entries),
    };
    input::print(text.as_bytes())
}

/// Threads of a workgroup above which kernels are not mapped for a driver that runs them on the CPU.
const MOST_CPU_THREADS: i64 = 64;

/// Notes where kernels that were compiled ahead of time are mapped for another kind of device than runs them, since a
/// driver may take a minute to compile them.
fn note_kind(file: &str, program: &Program, session: &Session) {
    let Some(device) = session.device() else {
        return;
    };
    let is_software = device.info().kind == DeviceKind::Software;
    if is_software && program.largest_workgroup() > MOST_CPU_THREADS {
        input::print_error(&format!(
            "{file}: note: its kernels are mapped for GPUs, which this driver is slow to compile and to run: \
             'gridloom compile --target=PROFILE' maps them for it, with what 'gridloom devices --json' tells as the profile\n"
        ));
    }
}

/// Notes that strict floats come too late for kernels that were compiled ahead of time: their sums may be regrouped.
fn note_floats(file: &str, fp: FpMode) {
    if fp == FpMode::Strict {
        input::print_error(&format!(
            "{file}: note: floats are strict if 'gridloom compile --fp strict' wrote this file; by default, its kernels have regrouped \
             them already\n"
        ));
    }
}

/// Starts profiling of the device, if requested.
fn profile_device(request: &Request, session: &Session) -> Result<(), Failure> {
    match (&request.profile, session.device()) {
        (None, _) => Ok(()),
        (Some(_), Some(device)) => {
            session.warm_up().map_err(Failure::Device)?;
            device.set_profiling(true);
            Ok(())
        }
        (Some(_), None) => {
            let runs = session.describe();
            let message =
                format!("--profile measures a device, but the program runs on the {runs}");
            Err(Failure::Usage(message))
        }
    }
}

/// The trace of the run, if requested.
fn take_trace(request: &Request, session: &Session) -> Result<Option<String>, Failure> {
    let (Some(_), Some(device)) = (&request.profile, session.device()) else {
        return Ok(None);
    };
    let profile = device.take_timeline();
    let profile = profile.map_err(|error| Failure::Device(error.to_string()))?;
    device.set_profiling(false);
    Ok(Some(trace::of(&profile, &session.describe())))
}

/// Failure of a run: a device failure, or else an error of the program.
pub fn failure(ctx: &Context, fault: &Fault) -> Failure {
    match &fault.kind {
        FaultKind::Device(message) => Failure::Device(message.clone()),
        FaultKind::Unsupported(found) => Failure::Refused(found.render(ctx)),
        FaultKind::Stopped(_) => Failure::TimeLimit(fault.to_diagnostic().render(ctx)),
        _ => Failure::Refused(fault.to_diagnostic().render(ctx)),
    }
}

/// Limit of the printed bytes that are kept for comparison.
const MAX_COMPARED: usize = 1 << 24;

/// Printer that keeps printed text if `keeps`, and writes it to standard output if `shows`.
fn printer(keeps: bool, shows: bool) -> (Printer, Arc<Mutex<String>>) {
    let kept = Arc::new(Mutex::new(String::new()));
    let sink = Arc::clone(&kept);
    let printer = Printer::new(move |text| {
        if shows {
            // A closed output cannot be reported anywhere.
            drop(input::print(text.as_bytes()));
        }
        if keeps {
            let mut sink = sink.lock().unwrap_or_else(PoisonError::into_inner);
            if sink.len() < MAX_COMPARED {
                sink.push_str(text);
            }
        }
    });
    (printer, kept)
}

/// The text that a printer has kept.
fn taken(kept: &Mutex<String>) -> String {
    std::mem::take(&mut kept.lock().unwrap_or_else(PoisonError::into_inner))
}

fn check(
    ctx: &Context,
    program: &Program<'_>,
    request: &Request,
    inputs: &[HostValue],
    outcome: &Outcome,
    printed: &str,
) -> Result<(), Failure> {
    let (print, kept) = printer(true, false);
    let run = RunOptions {
        print,
        ..request.run.clone()
    };
    let reference = program
        .run_reference(inputs, &run)
        .map_err(|fault| failure(ctx, &fault))?;
    let tolerance = match request.session.fp {
        FpMode::Strict => Tolerance::Exact,
        FpMode::Relaxed => Tolerance::relaxed(inputs, program.computes_in_single()),
    };
    if let Some(difference) = first_difference(outcome, &reference, tolerance) {
        let way = match request.session.fp {
            FpMode::Strict => {
                "; where threads or iterations that the program declares parallel meet, --sanitize=race tells"
            }
            FpMode::Relaxed => {
                "; relaxed floats round in another order, and neither result need be the closer one: \
                 with --fp=strict both have the same bits, unless threads or iterations that the program \
                 declares parallel meet, which --sanitize=race tells"
            }
        };
        return Err(Failure::Device(format!(
            "the result differs from the interpreter's: {difference}{way}"
        )));
    }
    let exact = request.session.fp == FpMode::Strict;
    let expected = taken(&kept);
    let difference = first_printed_difference(printed, &expected, exact);
    // Truncated texts may differ in their last lines only because they were cut.
    let is_cut = printed.len() >= MAX_COMPARED || expected.len() >= MAX_COMPARED;
    let difference = difference.filter(|d| !is_cut || d.found.is_some() && d.expected.is_some());
    if let Some(difference) = difference {
        return Err(Failure::Device(format!(
            "the program's output differs from the interpreter's: {difference}"
        )));
    }
    let took = summary::duration(reference.time);
    if inputs.is_empty() && outcome.results.is_empty() && expected.is_empty() {
        let message = format!(
            "check: nothing to compare: the program has no arguments and no results, and prints \
             nothing (the interpreter took {took})\n"
        );
        return input::print(message.as_bytes());
    }
    input::print(format!("check: equal to the interpreter, which took {took}\n").as_bytes())
}

/// Writes values to drafts.
fn draft(
    targets: &[(usize, String)],
    values: &[HostValue],
    drafts: &mut Vec<Draft>,
) -> Result<(), Failure> {
    for (number, path) in targets {
        // Numbers and types were checked before the run.
        let Some(value) = values.get(*number) else {
            continue;
        };
        let Ok(header) = value.npy_header() else {
            continue;
        };
        let draft = Draft::write(path, |out| {
            out.write_all(&header)?;
            out.write_all(&value.npy_bytes())
        });
        drafts.push(draft.map_err(|error| input::refused(path, "cannot be written", &error))?);
    }
    Ok(())
}
