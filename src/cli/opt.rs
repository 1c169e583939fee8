//! Command `gridloom opt`.

use std::ffi::OsString;
use std::time::{Duration, Instant};

use gridloom::codegen::pass::{Observer, PassOptions, Pipeline, find_pass};
use gridloom::conversions;
use gridloom::ir::bytecode::{is_bytecode, write_module, write_module_to};
use gridloom::ir::diag::expect;
use gridloom::ir::text::{ParseOptions, PrintOptions, nearest, print_module, print_module_to};
use gridloom::ir::verify::verify;
use gridloom::ir::{read_part, source};
use gridloom::{Context, Diagnostics, Module};

use super::{Failure, args, help, input, summary};

/// Parsed command line.
#[derive(Default)]
struct Request {
    file: Option<String>,
    output: Option<String>,
    pipeline: Pipeline,
    parse: ParseOptions,
    print: PrintOptions,
    print_after_all: bool,
    timing: bool,
    verify_each: bool,
    split: bool,
    /// Whether to print diagnostics as JSON.
    json: bool,
    /// Whether to compare diagnostics with the `expected-…` comments in the input.
    expect: bool,
    /// Whether to use one thread only.
    one_thread: bool,
    /// Whether to write bytecode.
    bytecode: bool,
}

/// Names of the options besides passes, for "did you mean".
const OPTIONS: [&str; 15] = [
    "allow-unregistered-dialect",
    "emit-bytecode",
    "help",
    "json",
    "list-passes",
    "mlir-disable-threading",
    "mlir-print-debuginfo",
    "mlir-print-ir-after-all",
    "mlir-print-local-scope",
    "mlir-print-op-generic",
    "mlir-timing",
    "pass-pipeline",
    "split-input-file",
    "verify-diagnostics",
    "verify-each",
];

fn pass_names() -> impl Iterator<Item = &'static str> {
    conversions::listings().map(|(name, ..)| name)
}

pub fn run(parser: &mut lexopt::Parser) -> Result<(), Failure> {
    let arguments: Vec<_> = parser.raw_args()?.map(with_two_dashes).collect();
    let Some(request) = parse(&mut lexopt::Parser::from_args(arguments))? else {
        return Ok(());
    };
    let (name, bytes) = input::read(&args::need_file(request.file.clone())?)?;
    if !request.split && !request.expect {
        return whole(&request, &name, bytes);
    }
    let mut printed = Vec::new();
    let mut errors = String::new();
    let mut add = |part: Part| match expected(&request, &name, part) {
        // A part whose expected errors occurred has no output.
        Ok(output) if output.is_empty() => {}
        Ok(output) if printed.is_empty() => printed = output,
        Ok(output) => {
            printed.extend_from_slice(b"\n// -----\n");
            printed.extend_from_slice(&output);
        }
        Err(message) => errors += &message,
    };
    if request.split && !is_bytecode(&bytes) {
        for (lines_before, part) in source::split(&bytes) {
            let bytes = part.to_vec();
            add(Part {
                bytes,
                lines_before,
            });
        }
    } else {
        add(Part::from(bytes));
    }
    // Successful parts are printed even if others lack expected diagnostics.
    if request.expect || errors.is_empty() {
        input::write(request.output.as_deref(), &printed)?;
    }
    if errors.is_empty() {
        Ok(())
    } else {
        Err(Failure::Refused(errors))
    }
}

/// The argument with two dashes in front, where it is the name of an option or a pass behind one, as `mlir-opt` takes
/// it too.
fn with_two_dashes(argument: OsString) -> OsString {
    let name = argument.to_str().and_then(|text| text.strip_prefix('-'));
    let name = name.map(|rest| rest.split_once('=').map_or(rest, |(name, _)| name));
    let is_known = |name: &str| OPTIONS.contains(&name) || pass_names().any(|known| known == name);
    match name {
        Some(name) if is_known(name) => {
            let mut dashed = OsString::from("-");
            dashed.push(&argument);
            dashed
        }
        _ => argument,
    }
}

/// Parses the command line; `None` where it asked for something that is done.
fn parse(parser: &mut lexopt::Parser) -> Result<Option<Request>, Failure> {
    use lexopt::prelude::*;
    let mut request = Request {
        verify_each: true,
        ..Request::default()
    };
    let usage = |error: &dyn std::fmt::Display| Failure::Usage(error.to_string());
    while let Some(arg) = parser.next()? {
        let name = match arg {
            Value(file) => {
                args::set_file(&mut request.file, file)?;
                continue;
            }
            Short('o') => {
                request.output = Some(args::text(parser.value()?)?);
                continue;
            }
            Short('h') => {
                input::print(help::OPT.as_bytes())?;
                return Ok(None);
            }
            Short('O') => {
                let message = "'opt' has no option '-O': the level is an option of the pass, as in \
                               --offload=opt-level=1";
                return Err(Failure::Usage(message.to_owned()));
            }
            Long(name) => name.to_owned(),
            other => return Err(other.unexpected().into()),
        };
        match &name[..] {
            "help" => {
                input::print(help::OPT.as_bytes())?;
                return Ok(None);
            }
            "list-passes" => {
                input::print(list_passes().as_bytes())?;
                return Ok(None);
            }
            "pass-pipeline" => {
                if !request.pipeline.is_empty() {
                    return Err(Failure::Usage(
                        "--pass-pipeline does not go with passes named one by one".to_owned(),
                    ));
                }
                let text = args::text(parser.value()?)?;
                request.pipeline = conversions::pipeline(&text).map_err(|error| usage(&error))?;
            }
            "emit-bytecode" => request.bytecode = true,
            "allow-unregistered-dialect" => request.parse.allow_unregistered = true,
            "mlir-print-op-generic" => request.print.generic = true,
            "mlir-print-debuginfo" => request.print.debuginfo = true,
            "mlir-print-local-scope" => request.print.local_scope = true,
            "mlir-print-ir-after-all" => request.print_after_all = true,
            "mlir-timing" => request.timing = true,
            "mlir-disable-threading" => request.one_thread = true,
            "split-input-file" => request.split = true,
            "verify-diagnostics" => request.expect = true,
            "json" => request.json = true,
            "verify-each" => {
                let value = parser.optional_value().map(args::text).transpose()?;
                request.verify_each = value.as_deref().is_none_or(|value| value != "false");
            }
            pass if find_pass(pass).is_some() => {
                let options = parser.optional_value().map(args::text).transpose()?;
                let options = PassOptions::of_pass(pass, &options.unwrap_or_default())
                    .map_err(|error| usage(&error))?;
                let options = with_file(pass, options)?;
                request
                    .pipeline
                    .add(pass, &options)
                    .map_err(|error| usage(&error))?;
            }
            pass if conversions::makes(pass) => {
                let options = parser.optional_value().map(args::text).transpose()?;
                let options = PassOptions::parse(&options.unwrap_or_default());
                let options = options.map_err(|error| usage(&error))?;
                conversions::add(&mut request.pipeline, pass, &options)
                    .map_err(|error| usage(&error))?;
            }
            _ => return Err(unknown(&name)),
        }
    }
    Ok(Some(request))
}

/// Passes of MLIR that have no counterpart of the same name, with what does their work here.
const OF_MLIR: [(&str, &str); 12] = [
    ("affine-raise-from-memref", "--raise-to-affine"),
    ("convert-affine-for-to-gpu", "--offload"),
    ("convert-gpu-to-spirv", "'gridloom compile'"),
    ("convert-linalg-to-affine-loops", "mlir-opt"),
    ("convert-linalg-to-loops", "mlir-opt"),
    ("convert-linalg-to-parallel-loops", "mlir-opt"),
    ("convert-scf-to-cf", "nothing, as all commands take scf"),
    ("gpu-map-parallel-loops", "--convert-parallel-loops-to-gpu"),
    ("one-shot-bufferize", "mlir-opt"),
    ("scf-for-loop-canonicalization", "--canonicalize"),
    ("scf-forall-to-parallel", "--raise-to-affine"),
    ("scf-parallel-loop-tiling", "--offload"),
];

/// The error for a name that is neither an option nor a pass.
fn unknown(name: &str) -> Failure {
    let near = nearest(name, OPTIONS.iter().copied().chain(pass_names()));
    let of_mlir = OF_MLIR.iter().find(|(known, _)| *known == name);
    let hint = match (of_mlir, near) {
        (Some((_, way)), _) => format!("what MLIR's pass does is done by {way}"),
        (None, Some(near)) => format!("did you mean '--{near}'?"),
        (None, None) => "'gridloom opt --list-passes' lists the passes".to_owned(),
    };
    Failure::Usage(format!("'opt' has no option or pass '--{name}'; {hint}"))
}

/// The options of a pass, with the contents of a schedule file in place of its name.
fn with_file(pass: &str, options: PassOptions) -> Result<PassOptions, Failure> {
    let Some(file) = options.get("file").filter(|_| pass == "affine-schedule") else {
        return Ok(options);
    };
    if options.get("steps").is_some() {
        let message = "--affine-schedule takes steps or the name of a file, not both";
        return Err(Failure::Usage(message.to_owned()));
    }
    let (name, bytes) = input::read(file)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::Refused(format!("error: the schedule of '{name}' is not UTF-8\n")))?;
    let read = PassOptions::default().with("steps", &text);
    Ok(read.with("origin", &name))
}

fn list_passes() -> String {
    let mut out = String::new();
    for (name, summary, options) in conversions::listings() {
        out += &format!("--{name:<28} {summary}\n");
        if !options.is_empty() {
            out += &format!("  {:<28} options: {}\n", "", options.join(", "));
        }
    }
    out
}

/// Reason why there is no module to print.
enum Stopped {
    /// Errors of the input or of a pass.
    Found(Diagnostics),
    /// The result of a pass does not verify; with the text to print.
    Broken(String),
}

impl Stopped {
    /// Formats the reason for printing.
    fn message(self, request: &Request, ctx: &Context) -> String {
        match self {
            Stopped::Found(found) => show(request, ctx, &found),
            Stopped::Broken(message) => message,
        }
    }
}

/// Part of the input that is read as one module.
struct Part {
    bytes: Vec<u8>,
    /// The number of lines of the input before it.
    lines_before: u32,
}

impl From<Vec<u8>> for Part {
    fn from(bytes: Vec<u8>) -> Self {
        Part {
            bytes,
            lines_before: 0,
        }
    }
}

/// Creates the context of one module.
fn context(request: &Request) -> Context {
    let mut ctx = input::context();
    if request.one_thread {
        ctx.set_threads(1);
    }
    ctx
}

/// Processes the whole input as one module, and streams the output: it may be too long to hold in
/// memory beside the module.
fn whole(request: &Request, name: &str, bytes: Vec<u8>) -> Result<(), Failure> {
    let ctx = context(request);
    let mut remarks = Diagnostics::new();
    let module = transformed(request, &ctx, name, bytes.into(), &mut remarks);
    input::print_error(&show(request, &ctx, &remarks));
    let module = module.map_err(|stopped| Failure::Refused(stopped.message(request, &ctx)))?;
    let written = input::write_with(request.output.as_deref(), |out| {
        let mut written = Ok(());
        let mut write = |part: &[u8]| {
            if written.is_ok() {
                written = out.write_all(part);
            }
        };
        if request.bytecode {
            write_module_to(&ctx, &module, &mut write);
        } else {
            let print = &request.print;
            print_module_to(&ctx, &module, print, &mut |part| write(part.as_bytes()));
        }
        written
    });
    // The process is about to end, so the system frees its memory at once.
    std::mem::forget((module, ctx));
    written
}

/// Processes one part of the input, and compares its diagnostics with its comments if requested;
/// the error is ready to print.
fn expected(request: &Request, name: &str, part: Part) -> Result<Vec<u8>, String> {
    let ctx = context(request);
    let mut remarks = Diagnostics::new();
    let lines_before = part.lines_before;
    let comments = request.expect.then(|| part.bytes.clone());
    let result = one(request, &ctx, name, part, &mut remarks);
    let Some(comments) = comments else {
        input::print_error(&show(request, &ctx, &remarks));
        return result.map_err(|stopped| stopped.message(request, &ctx));
    };
    let output = match result {
        Ok(output) => output,
        Err(Stopped::Found(found)) => {
            remarks.append(found);
            Vec::new()
        }
        Err(Stopped::Broken(message)) => return Err(message),
    };
    expect::check_part(&ctx, name, &comments, lines_before, &remarks).map(|()| output)
}

/// Formats diagnostics as requested.
fn show(request: &Request, ctx: &Context, found: &Diagnostics) -> String {
    if request.json {
        found.to_json(ctx)
    } else {
        found.render(ctx)
    }
}

/// Reads one module and runs the passes.
fn transformed(
    request: &Request,
    ctx: &Context,
    name: &str,
    part: Part,
    remarks: &mut Diagnostics,
) -> Result<Module, Stopped> {
    let sound = |module: &Module| {
        let found = verify(ctx, module);
        if found.has_errors() {
            return Err(Stopped::Found(found));
        }
        Ok(())
    };
    let mut module = read_part(ctx, name, part.bytes, part.lines_before, &request.parse)
        .map_err(Stopped::Found)?;
    sound(&module)?;
    let mut watch = Watch {
        request,
        times: Vec::new(),
        started: Instant::now(),
        broken: None,
    };
    let found = request.pipeline.run(ctx, &mut module, &mut watch);
    remarks.append(found.map_err(Stopped::Found)?);
    if let Some(broken) = watch.broken {
        return Err(Stopped::Broken(broken));
    }
    if !request.pipeline.is_empty() {
        sound(&module)?;
    }
    if request.timing {
        input::print_error(&timing(&watch.times));
    }
    Ok(module)
}

/// Reads one module, runs the passes and prints it.
fn one(
    request: &Request,
    ctx: &Context,
    name: &str,
    part: Part,
    remarks: &mut Diagnostics,
) -> Result<Vec<u8>, Stopped> {
    let module = transformed(request, ctx, name, part, remarks)?;
    let output = if request.bytecode {
        write_module(ctx, &module)
    } else {
        print_module(ctx, &module, &request.print).into_bytes()
    };
    if !request.split {
        // The process is about to end, so the system frees its memory at once.
        std::mem::forget(module);
    }
    Ok(output)
}

/// Observer that dumps, times and verifies between passes.
struct Watch<'r> {
    request: &'r Request,
    times: Vec<(String, Duration)>,
    started: Instant,
    broken: Option<String>,
}

impl Observer for Watch<'_> {
    fn watches(&self) -> bool {
        self.request.print_after_all || self.request.timing || self.request.verify_each
    }

    fn before(&mut self, _pass: &str) {
        self.started = Instant::now();
    }

    fn after(&mut self, pass: &str, ctx: &Context, module: &Module, _changed: bool) {
        self.times.push((pass.to_owned(), self.started.elapsed()));
        if self.request.print_after_all {
            let text = print_module(ctx, module, &self.request.print);
            input::print_error(&format!(
                "// -----// IR Dump After {pass} //----- //\n{text}\n"
            ));
        }
        if self.request.verify_each && self.broken.is_none() {
            let found = verify(ctx, module);
            if found.has_errors() {
                self.broken = Some(format!(
                    "error: pass '{pass}' made a module that does not verify; please report \
                     this\n{}",
                    found.render(ctx)
                ));
            }
        }
    }
}

fn timing(times: &[(String, Duration)]) -> String {
    let mut out = "  wall time  pass\n".to_owned();
    for (pass, time) in times {
        out += &format!("{:>11}  {pass}\n", summary::duration(*time));
    }
    let total = times.iter().map(|(_, time)| *time).sum();
    out += &format!("{:>11}  all passes\n", summary::duration(total));
    out
}
