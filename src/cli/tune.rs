//! Command `gridloom tune`.

use std::path::Path;
use std::time::Duration;

use gridloom::codegen::target::tuning::Database;
use gridloom::ir::diag::place;
use gridloom::tune::{self, Progress, Report, Subject};
use gridloom::values::ArgSpec;
use gridloom::{
    Context, DeviceWish, OffloadOptions, Printer, Program, RunOptions, Session, SessionOptions,
};

use super::run::failure;
use super::{Failure, args, database, files, help, input, limits, progress, summary};

/// Default time budget of tuning.
const BUDGET: Duration = Duration::from_secs(60);

/// Parsed command line.
#[derive(Default)]
struct Request {
    file: Option<String>,
    entry: Option<String>,
    specs: Vec<ArgSpec>,
    wish: DeviceWish,
    session: SessionOptions,
    run: RunOptions,
    /// Whether to tune kernels for any sizes instead of those of the arguments.
    is_general: bool,
    budget: Option<Duration>,
    database: Option<String>,
}

pub fn run(parser: &mut lexopt::Parser) -> Result<(), Failure> {
    let Some(mut request) = parse(parser)? else {
        return input::print(help::TUNE.as_bytes());
    };
    let file = args::need_file(request.file.clone())?;
    let Some(path) = database::path(request.database.as_deref()) else {
        return Err(Failure::Usage(
            "tune needs a --database to write".to_owned(),
        ));
    };
    let name = path.display().to_string();
    let mut known = existing(&path, &name)?;
    let ctx = input::context();
    let module = input::module(&ctx, &file, request.entry.as_deref())?;
    let session = Session::open(&request.wish, request.session)
        .map_err(|error| Failure::Device(error.to_string()))?;
    let Some(device) = session.device().map(|device| device.info().to_string()) else {
        let message = format!(
            "tune measures a device, but the program would run on the {}",
            session.describe()
        );
        return Err(Failure::Usage(message));
    };
    let mapping = OffloadOptions {
        spaces: request.run.spaces.clone(),
        tuned: known.of_device(&device, &name),
        ..session.offload_options()
    };
    let mut program = Program::compile(&ctx, module, request.entry.as_deref(), None)
        .map_err(|found| Failure::Refused(found.render(&ctx)))?;
    let inputs = program
        .inputs_within(&request.specs, request.run.memory_limit, input::read_array)
        .map_err(|why| Failure::Refused(format!("{file}: error: {why}\n")))?;
    if !request.is_general {
        program = program.specialized(&inputs);
    }
    request.run.print = Printer::default();
    let subject = Subject {
        program: &program,
        session: &session,
        inputs: &inputs,
        run: &request.run,
        mapping: &mapping,
        budget: request.budget.unwrap_or(BUDGET),
    };
    let report = tune::tune(&ctx, &subject, &mut show);
    progress::line("");
    let report = report.map_err(|why| refusal(&ctx, why))?;
    let entries = known.devices.entry(device).or_default();
    for nest in &report.nests {
        match &nest.entry {
            Some(entry) => drop(entries.insert(nest.key.clone(), entry.clone())),
            None => drop(entries.remove(&nest.key)),
        }
    }
    known.devices.retain(|_, entries| !entries.is_empty());
    input::write(Some(&name), known.to_string().as_bytes())?;
    input::print(tuning_text(&ctx, &session, &report, &name).as_bytes())?;
    match report.wrong.len() {
        0 => Ok(()),
        count => Err(Failure::Device(format!(
            "{count} of the schedules that were tried computed something else, and were not taken; \
             please report this:\n{}",
            report.wrong.join("\n")
        ))),
    }
}

/// Reads the existing database; a missing file is an empty one.
fn existing(path: &Path, name: &str) -> Result<Database, Failure> {
    match std::fs::read_to_string(name) {
        // A file that does not parse is never overwritten.
        Ok(text) => {
            Database::parse(&text).map_err(|error| Failure::Refused(format!("{name}:{error}\n")))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            // Checked before tuning, whose results could not be stored.
            make_folder(path)?;
            files::check_writable(name)
                .map_err(|error| input::refused(name, "cannot be written", &error))?;
            Ok(Database::default())
        }
        Err(error) => Err(input::refused(name, "cannot be read", &error)),
    }
}

fn make_folder(path: &Path) -> Result<(), Failure> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    folder.map_or(Ok(()), |folder| {
        let name = folder.display().to_string();
        std::fs::create_dir_all(folder)
            .map_err(|error| input::refused(&name, "cannot be made", &error))
    })
}

/// Parses the command line; `None` where it asks for help.
fn parse(parser: &mut lexopt::Parser) -> Result<Option<Request>, Failure> {
    let mut request = Request::default();
    request.run.memory_limit = limits::machine_memory();
    while let Some(name) = args::next_option(parser, &mut request.file, &[])? {
        let mut value = || args::text(parser.value()?);
        match &name[..] {
            "help" => return Ok(None),
            "entry" => {
                let entry = value()?;
                request.entry = Some(entry.strip_prefix('@').unwrap_or(&entry).to_owned());
            }
            "arg" => {
                let spec = value()?.parse().map_err(Failure::Usage)?;
                request.specs.push(spec);
            }
            "device" => request.wish = value()?.as_str().into(),
            "fp" => request.session.fp = args::fp(&value()?)?,
            "map-for" => request.session.map_for = args::map_for(&value()?)?,
            "bounds" => request.session.bounds = args::bounds(&value()?)?,
            "memory-spaces" => request.run.spaces = value()?.parse().map_err(Failure::Usage)?,
            "memory-limit" => request.run.memory_limit = limits::bytes(&value()?)?,
            "no-specialize" => request.is_general = true,
            "portable" => request.session.portable = true,
            "allow-known-faults" => request.session.allow_known_faults = true,
            "time-budget" => request.budget = Some(limits::seconds(&value()?)?),
            "database" => request.database = Some(value()?),
            _ => return Err(args::unknown_option("tune", &name, help::TUNE)),
        }
    }
    Ok(Some(request))
}

/// Shows progress.
fn show(now: Progress) {
    let [nest, nests] = now.nest;
    progress::bar(
        now.share,
        &format!(
            "nest {nest} of {nests}, {} schedules tried, {:.2} times as fast",
            now.tried, now.gain
        ),
    );
}

/// Converts a tuning failure to a failure of the command.
pub fn refusal(ctx: &Context, why: tune::Failure) -> Failure {
    match why {
        tune::Failure::NoDevice => Failure::Usage("tune measures a device".to_owned()),
        tune::Failure::Refused(found) => Failure::Refused(found.render(ctx)),
        tune::Failure::Fault(fault) => failure(ctx, &fault),
        tune::Failure::Wrong(difference) => Failure::Device(format!(
            "the result of the untuned program differs from the interpreter's: {difference}"
        )),
        tune::Failure::Device(message) => Failure::Device(message),
    }
}

/// Formats the result of tuning.
fn tuning_text(ctx: &Context, session: &Session, report: &Report, path: &str) -> String {
    let time = |seconds: f64| summary::duration(Duration::from_secs_f64(seconds.min(1e9)));
    let mut out = format!("device: {}\n", session.describe());
    out += match report.is_interpreted {
        true => "reference: the interpreter\n",
        false => "reference: the untuned mapping, since the interpreter takes too long\n",
    };
    for nest in &report.nests {
        let place = place(ctx, nest.loc, 0);
        let place = place.map_or_else(String::new, |place| {
            format!("{}:{}", place.file, place.start.0)
        });
        let [tried, all] = nest.tried;
        out += &format!("nest {place}: {tried} of {all} schedules tried, ");
        out += &match &nest.entry {
            Some(entry) => format!("{}\n", entry.choice),
            None if all == 0 => "there is no choice\n".to_owned(),
            None if tried == 0 => "the time was too short (--time-budget)\n".to_owned(),
            None => "the model's is the fastest\n".to_owned(),
        };
    }
    out += &format!(
        "time: {} untuned, {} tuned ({:.2} times as fast)\n",
        time(report.untuned),
        time(report.tuned),
        report.untuned / report.tuned
    );
    out + &format!("database: {path}\n")
}
