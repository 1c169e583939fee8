//! `gridloom run`

use gridloom::compare::{Tolerance, first_difference};
use gridloom::interp::{Fault, FaultKind};
use gridloom::spirv::FpMode;
use gridloom::values::ArgSpec;
use gridloom::{
    Context, DeviceWish, HostValue, Outcome, Program, RunOptions, Session, SessionOptions, npy,
};

use super::{Failure, args, help, input, summary};

/// What the command line says.
#[derive(Default)]
struct Request {
    file: Option<String>,
    entry: Option<String>,
    specs: Vec<ArgSpec>,
    save_args: Vec<(usize, String)>,
    save_results: Vec<(usize, String)>,
    wish: DeviceWish,
    session: SessionOptions,
    run: RunOptions,
    check: bool,
    time: bool,
    as_written: bool,
    remarks: bool,
}

pub fn run(parser: &mut lexopt::Parser) -> Result<(), Failure> {
    let Some(request) = parse(parser)? else {
        return input::print(help::RUN.as_bytes());
    };
    let file = args::need_file(request.file.clone())?;
    let ctx = input::context();
    let module = input::module(&ctx, &file, request.entry.as_deref())?;
    let session = Session::open(&request.wish, request.session)
        .map_err(|error| Failure::Device(error.to_string()))?;
    let options = session.offload_options();
    let options = (!request.as_written).then_some(&options);
    let program = Program::compile(&ctx, module, request.entry.as_deref(), options)
        .map_err(|found| Failure::Refused(found.render(&ctx)))?;
    let inputs = program
        .inputs(&request.specs, read_file)
        .map_err(|why| Failure::Refused(format!("{file}: error: {why}\n")))?;
    check_saves(&request, &inputs)?;
    if request.remarks {
        input::print_error(&program.remarks.render(&ctx));
    }
    let outcome = program
        .run_with(&session, &inputs, &request.run)
        .map_err(|fault| failure(&ctx, &fault))?;
    input::print_error(&outcome.warnings.render(&ctx));
    input::print(summary::run(&ctx, &program, &session, &inputs, &outcome).as_bytes())?;
    if request.time {
        let warm = program
            .run_with(&session, &inputs, &request.run)
            .map_err(|fault| failure(&ctx, &fault))?;
        input::print(format!("again: {}\n", summary::duration(warm.time)).as_bytes())?;
    }
    if request.check {
        check(&ctx, &program, &request, &inputs, &outcome)?;
    }
    save(&request.save_args, &outcome.arguments, "argument")?;
    save(&request.save_results, &outcome.results, "result")
}

/// The request, or `None` when help is asked for.
fn parse(parser: &mut lexopt::Parser) -> Result<Option<Request>, Failure> {
    use lexopt::prelude::*;
    let mut request = Request::default();
    while let Some(arg) = parser.next()? {
        let name = match arg {
            Value(file) => {
                args::set_file(&mut request.file, file)?;
                continue;
            }
            Long("help") | Short('h') => return Ok(None),
            Long(name) => name.to_owned(),
            other => return Err(other.unexpected().into()),
        };
        let mut value = || args::text(parser.value()?);
        match &name[..] {
            "entry" => {
                let entry = value()?;
                request.entry = Some(entry.strip_prefix('@').unwrap_or(&entry).to_owned());
            }
            "arg" => request
                .specs
                .push(value()?.parse().map_err(Failure::Usage)?),
            "save-arg" => request.save_args.push(save_target(&value()?)?),
            "save-result" => request.save_results.push(save_target(&value()?)?),
            "device" => request.wish = value()?.as_str().into(),
            "fp" => request.session.fp = args::fp(&value()?)?,
            "bounds" => request.session.bounds = args::bounds(&value()?)?,
            "thread-order" => {
                request.run.thread_order = value()?.parse().map_err(Failure::Usage)?;
            }
            "check" => request.check = true,
            "time" => request.time = true,
            "portable" => request.session.portable = true,
            "allow-known-faults" => request.session.allow_known_faults = true,
            "no-offload" => request.as_written = true,
            "remarks" => request.remarks = true,
            _ => return Err(Failure::Usage(format!("'run' has no option '--{name}'"))),
        }
    }
    Ok(Some(request))
}

/// `2=@out.npy`
fn save_target(text: &str) -> Result<(usize, String), Failure> {
    let parts = text
        .split_once("=@")
        .and_then(|(number, path)| Some((number.parse().ok()?, path)));
    match parts {
        Some((number, path)) if !path.is_empty() => Ok((number, path.to_owned())),
        _ => Err(Failure::Usage(format!(
            "'{text}' should be N=@file.npy, N counting from 0"
        ))),
    }
}

/// Finds out before a long run that its outcome could not be saved.
fn check_saves(request: &Request, inputs: &[HostValue]) -> Result<(), Failure> {
    match request
        .save_args
        .iter()
        .find(|(number, _)| *number >= inputs.len())
    {
        Some((number, _)) => Err(Failure::Usage(format!(
            "--save-arg {number}: there are {} arguments, counted from 0",
            inputs.len()
        ))),
        None => Ok(()),
    }
}

fn read_file(path: &str) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| format!("'{path}' cannot be read: {error}"))
}

/// A fault is the program's, unless the device failed.
fn failure(ctx: &Context, fault: &Fault) -> Failure {
    match &fault.kind {
        FaultKind::Device(message) => Failure::Device(message.clone()),
        FaultKind::Unsupported(found) => Failure::Refused(found.render(ctx)),
        _ => Failure::Refused(fault.to_diagnostic().render(ctx)),
    }
}

fn check(
    ctx: &Context,
    program: &Program<'_>,
    request: &Request,
    inputs: &[HostValue],
    outcome: &Outcome,
) -> Result<(), Failure> {
    let reference = program
        .run_reference(inputs, &request.run)
        .map_err(|fault| failure(ctx, &fault))?;
    let tolerance = match request.session.fp {
        FpMode::Strict => Tolerance::Exact,
        FpMode::Relaxed => Tolerance::Relaxed,
    };
    if let Some(difference) = first_difference(outcome, &reference, tolerance) {
        return Err(Failure::Device(format!(
            "the result is not the interpreter's: {difference}"
        )));
    }
    let took = summary::duration(reference.time);
    input::print(format!("check: equal to the interpreter, which took {took}\n").as_bytes())
}

fn save(targets: &[(usize, String)], values: &[HostValue], what: &str) -> Result<(), Failure> {
    for (number, path) in targets {
        let value = values.get(*number).ok_or_else(|| {
            Failure::Usage(format!(
                "there is no {what} {number}; there are {}",
                values.len()
            ))
        })?;
        let array = value.to_array();
        let array =
            array.map_err(|why| Failure::Refused(format!("error: {what} {number}: {why}\n")))?;
        input::write(Some(path), &npy::write(&array))?;
    }
    Ok(())
}
