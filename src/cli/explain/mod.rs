//! Command `gridloom explain`.

mod json;
pub mod text;

use gridloom::Context;
use gridloom::codegen::explain::{explain, schedule};
use gridloom::codegen::target::OffloadOptions;
use gridloom::ir::Loc;
use gridloom::ir::diag::place;
use gridloom::spirv::FpMode;

use super::{Failure, args, help, input};

/// Parsed command line.
#[derive(Default)]
struct Request {
    file: Option<String>,
    output: Option<String>,
    json: bool,
    /// Whether to print the schedule of the pipeline instead of the loops.
    schedule: bool,
    is_strict: bool,
}

pub fn run(parser: &mut lexopt::Parser) -> Result<(), Failure> {
    let Some(request) = parse(parser)? else {
        return input::print(help::EXPLAIN.as_bytes());
    };
    if request.json && request.schedule {
        let message =
            "--schedule prints text (docs/schedules.md), which --json does not: leave one out";
        return Err(Failure::Usage(message.to_owned()));
    }
    let file = args::need_file(request.file)?;
    let ctx = input::context();
    let module = input::module(&ctx, &file, None)?;
    let options = OffloadOptions {
        reassociate: !request.is_strict,
        ..OffloadOptions::default()
    };
    if request.schedule {
        let text = schedule(&ctx, &module, &options);
        let text = text.map_err(|found| Failure::Refused(found.render(&ctx)))?;
        return input::write(request.output.as_deref(), text.as_bytes());
    }
    let reports = explain(&ctx, &module, &options);
    let reports = reports.map_err(|found| Failure::Refused(found.render(&ctx)))?;
    let out = match request.json {
        true => json::of(&ctx, &reports),
        false => text::of(&ctx, &reports),
    };
    input::write(request.output.as_deref(), out.as_bytes())
}

/// Parses the command line; `None` where it asks for help.
fn parse(parser: &mut lexopt::Parser) -> Result<Option<Request>, Failure> {
    use lexopt::prelude::*;
    let mut request = Request::default();
    while let Some(arg) = parser.next()? {
        match arg {
            Value(file) => args::set_file(&mut request.file, file)?,
            Short('o') => request.output = Some(args::text(parser.value()?)?),
            Long("json") => request.json = true,
            Long("schedule") => request.schedule = true,
            Long("fp") => {
                let mode = args::fp(&args::text(parser.value()?)?)?;
                request.is_strict = mode == FpMode::Strict;
            }
            Short('h') | Long("help") => return Ok(None),
            other => return Err(other.unexpected().into()),
        }
    }
    Ok(Some(request))
}

/// Source position with its line.
pub struct At {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub text: String,
}

/// Resolves a location; `None` for one without a source position.
pub fn resolve(ctx: &Context, loc: Loc) -> Option<At> {
    let at = place(ctx, loc, 1)?;
    let text = at.line.map_or(String::new(), |line| {
        String::from_utf8_lossy(&line.bytes).trim().to_owned()
    });
    let (line, column) = at.start;
    Some(At {
        file: at.file,
        line,
        column,
        text,
    })
}
