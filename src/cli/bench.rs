//! Command `gridloom bench`.

use std::time::{Duration, Instant, SystemTime};

use gridloom::bench::{self, Kernel, Precision, Report, SCHEMA, Size};
use gridloom::gpu_runtime::DeviceKind;
use gridloom::{DeviceWish, Session, SessionOptions};

use super::files::Draft;
use super::{Failure, args, files, help, input, limits, progress};

/// Default time budget of a kernel, in seconds.
const SECONDS_A_KERNEL: u64 = 2;

/// Parsed command line.
#[derive(Default)]
struct Request {
    names: Vec<String>,
    wish: DeviceWish,
    session: SessionOptions,
    budget: Option<Duration>,
    size: Option<Size>,
    precision: Precision,
    specialize: bool,
    check: bool,
    json: Option<String>,
    csv: Option<String>,
    html: Option<String>,
    compare: Option<(String, String)>,
    list: bool,
}

pub fn run(parser: &mut lexopt::Parser) -> Result<(), Failure> {
    let Some(request) = parse(parser)? else {
        return input::print(help::BENCH.as_bytes());
    };
    if request.list {
        let lines = known();
        let lines = lines.map(|kernel| format!("{:<24} {}\n", kernel.name, kernel.what));
        return input::print(lines.collect::<String>().as_bytes());
    }
    if let Some((before, after)) = &request.compare {
        let text = bench::compare::show(&read(before)?, &read(after)?);
        return input::print(text.as_bytes());
    }
    let kernels = chosen(&request.names)?;
    if request.precision == Precision::Double
        && let Some(other) = kernels.iter().find(|kernel| !kernel.has_data_sets())
    {
        let message = format!(
            "--type f64 is for the programs of PolyBench; '{}' has types of its own",
            other.name
        );
        return Err(Failure::Usage(message));
    }
    let session = Session::open(&request.wish, request.session)
        .map_err(|error| Failure::Device(error.to_string()))?;
    let whole = Duration::from_secs(SECONDS_A_KERNEL * kernels.len() as u64);
    let options = bench::Options {
        size: request.size.unwrap_or_else(|| size_for(&kernels, &session)),
        precision: request.precision,
        specialize: request.specialize,
        budget: request.budget.unwrap_or(whole) / kernels.len().max(1) as u32,
    };
    if request.check {
        return check(&kernels, &session, &options);
    }
    let report = measure(&kernels, &session, &options, |report, is_last| {
        save(&request, report, is_last)
    })?;
    let heading = format!(
        "{}, {}, size {}\n\n",
        report.device, report.date, report.size
    );
    input::print(heading.as_bytes())?;
    input::print(bench::table::table(&report).as_bytes())?;
    match report
        .rows
        .iter()
        .filter(|row| !row.errors.is_empty())
        .count()
    {
        0 => Ok(()),
        wrong => {
            let message = format!("error: {wrong} of {} kernels failed\n", report.rows.len());
            Err(Failure::Refused(message))
        }
    }
}

/// Writes the files that are asked for; to devices and pipes only the last report.
fn save(request: &Request, report: &Report, is_last: bool) -> Result<(), Failure> {
    let is_due = |path: &&String| is_last || !files::is_written_directly(path.as_ref());
    let mut drafts = Vec::new();
    let mut draft = |path: &str, text: String| {
        let draft = Draft::write(path, |out| out.write_all(text.as_bytes()));
        drafts.push(draft.map_err(|error| input::refused(path, "cannot be written", &error))?);
        Ok::<_, Failure>(())
    };
    if let Some(path) = request.json.as_ref().filter(is_due) {
        draft(path, report.to_json())?;
    }
    if let Some(path) = request.csv.as_ref().filter(is_due) {
        draft(path, bench::table::csv(report))?;
    }
    if let Some(path) = request.html.as_ref().filter(is_due) {
        let page = bench::html::page(report).map_err(|why| {
            Failure::Refused(format!("error: the charts cannot be drawn: {why}\n"))
        })?;
        draft(path, page)?;
    }
    Draft::keep(drafts).map_err(|error| Failure::Refused(format!("error: {error}\n")))
}

/// Returns the sizes to time on a device: large ones on a discrete GPU, whose caches would hold the
/// usual arrays. References of large data sets take minutes, so these have to be asked for.
fn size_for(kernels: &[&Kernel], session: &Session) -> Size {
    let kind = session.device().map(|device| device.info().kind);
    match kind {
        Some(DeviceKind::Discrete) if !kernels.iter().any(|kernel| kernel.has_data_sets()) => {
            Size::Large
        }
        _ => Size::Full,
    }
}

/// Parses the command line; `None` where it asks for help.
fn parse(parser: &mut lexopt::Parser) -> Result<Option<Request>, Failure> {
    use lexopt::prelude::*;
    let mut request = Request::default();
    while let Some(arg) = parser.next()? {
        let name = match arg {
            Value(name) => {
                request.names.push(args::text(name)?);
                continue;
            }
            Long("help") | Short('h') => return Ok(None),
            Long(name) => name.to_owned(),
            other => return Err(other.unexpected().into()),
        };
        let mut value = || args::text(parser.value()?);
        match &name[..] {
            "device" => request.wish = value()?.as_str().into(),
            "fp" => request.session.fp = args::fp(&value()?)?,
            "map-for" => request.session.map_for = args::map_for(&value()?)?,
            "portable" => request.session.portable = true,
            "allow-known-faults" => request.session.allow_known_faults = true,
            "time-budget" => request.budget = Some(limits::seconds(&value()?)?),
            "size" => {
                let sizes = Size::ALL.map(|size| (size.name(), size));
                request.size = Some(args::choice("size", &value()?, &sizes)?);
            }
            "type" => {
                let types = [("f32", Precision::Single), ("f64", Precision::Double)];
                request.precision = args::choice("type", &value()?, &types)?;
            }
            "specialize" => request.specialize = true,
            "check" => request.check = true,
            "json" => request.json = Some(value()?),
            "csv" => request.csv = Some(value()?),
            "html" => request.html = Some(value()?),
            "compare" => {
                request.compare = Some((value()?, value()?));
            }
            "list" => request.list = true,
            _ => return Err(args::unknown_option("bench", &name, help::BENCH)),
        }
    }
    Ok(Some(request))
}

/// Reads a report that an earlier run has written.
fn read(path: &str) -> Result<Report, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| input::refused(path, "cannot be read", &error))?;
    Report::from_json(&text).map_err(|why| {
        Failure::Refused(format!(
            "{path}: error: not a report of 'gridloom bench --json': {why}\n"
        ))
    })
}

/// Name that selects all programs of PolyBench.
const POLYBENCH: &str = "polybench";

/// All kernels with a name.
fn known() -> impl Iterator<Item = &'static Kernel> {
    bench::KERNELS.iter().chain(bench::POLYBENCH).copied()
}

/// Selects kernels by name; without names, all but those of PolyBench, which share a name.
fn chosen(names: &[String]) -> Result<Vec<&'static Kernel>, Failure> {
    for name in names {
        if name != POLYBENCH && !known().any(|kernel| kernel.name == name) {
            let all: Vec<&str> = bench::KERNELS.iter().map(|kernel| kernel.name).collect();
            let message = format!(
                "there is no kernel '{name}'; there are {}, {POLYBENCH} and its programs (--list)",
                all.join(", ")
            );
            return Err(Failure::Usage(message));
        }
    }
    if names.is_empty() {
        return Ok(bench::KERNELS.to_vec());
    }
    let is_named = |kernel: &&Kernel| {
        names.iter().any(|name| {
            let is_of = |rest: &str| name == POLYBENCH && rest.starts_with('/');
            name == kernel.name || kernel.name.strip_prefix(POLYBENCH).is_some_and(is_of)
        })
    };
    Ok(known().filter(is_named).collect())
}

/// Checks results without timing, and prints the outcome for each kernel.
fn check(kernels: &[&Kernel], session: &Session, options: &bench::Options) -> Result<(), Failure> {
    input::print(format!("{}\n", session.describe()).as_bytes())?;
    let mut wrong = 0;
    for kernel in kernels {
        let start = Instant::now();
        let outcome = bench::check(kernel, session, options);
        let seconds = start.elapsed().as_secs_f64();
        wrong += usize::from(outcome.is_err());
        let verdict = outcome.err().unwrap_or_else(|| "right".to_owned());
        input::print(format!("{:<26} {seconds:6.1} s  {verdict}\n", kernel.name).as_bytes())?;
    }
    match wrong {
        0 => Ok(()),
        wrong => {
            let message = format!("error: {wrong} of {} kernels failed\n", kernels.len());
            Err(Failure::Refused(message))
        }
    }
}

/// Measures kernels, and saves the report after each of them, so that a run that is ended early loses
/// nothing it has measured.
fn measure(
    kernels: &[&Kernel],
    session: &Session,
    options: &bench::Options,
    save: impl Fn(&Report, bool) -> Result<(), Failure>,
) -> Result<Report, Failure> {
    let mut report = Report {
        schema: SCHEMA,
        device: session.describe(),
        date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
        commit: commit(),
        size: options.size.name().to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        ..Report::default()
    };
    let start = Instant::now();
    // Small sizes say nothing about peaks.
    if let Some(device) = session.device().filter(|_| !options.size.is_small()) {
        progress::line("peaks of the device");
        match bench::catalog::roofline(device, options.budget / 4) {
            Ok(roofline) => report.roofline = Some(roofline),
            Err(why) => report.errors.push(why),
        }
    }
    for (done, kernel) in kernels.iter().enumerate() {
        let seconds = start.elapsed().as_secs();
        let text = format!(
            "{}/{} {} ({seconds} s)",
            done + 1,
            kernels.len(),
            kernel.name
        );
        progress::bar(done as f64 / kernels.len() as f64, &text);
        report.rows.push(bench::measure(kernel, session, options));
        save(&report, done + 1 == kernels.len())?;
    }
    progress::line("");
    Ok(report)
}

/// The commit checked out in the current folder, if that is a clone.
fn commit() -> Option<String> {
    let git = std::process::Command::new("git")
        .args(["rev-parse", "--short=12", "HEAD"])
        .stderr(std::process::Stdio::null())
        .output();
    let git = git.ok().filter(|git| git.status.success())?;
    Some(String::from_utf8(git.stdout).ok()?.trim().to_owned())
}
