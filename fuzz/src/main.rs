//! Command line of the fuzzer: `cargo run --release -p gridloom-fuzz -- whole-road …` and
//! `… -- sets …`; see `fuzz/README.md`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use std::{fs, io::Write};

use gridloom_fuzz::campaign::{self, Event, Plan};
use gridloom_fuzz::pipeline_check::step_named;
use gridloom_fuzz::print::print;
use gridloom_fuzz::{device, generate, repair, sets};

const USAGE: &str = "\
usage: gridloom-fuzz whole-road [--programs N] [--seed S] [--sequences K] [--enough N]
                                [--device interp|lavapipe|swiftshader|NAME]
                                [--patience SECONDS] [--keep FOLDER] [--no-minimise] [--every] [--schedules] [--idioms] [--dependences]
                                [--passes 'PASS PASS; PASS']
       gridloom-fuzz show --seed S
       gridloom-fuzz sets [--sets N] [--seed S]";

struct Request {
    plan: Plan,
    device: String,
    keep: Option<PathBuf>,
    show: bool,
    /// Number of sets to compare with isl, instead of fuzzing programs.
    sets: Option<u64>,
}

fn parse() -> Result<Request, lexopt::Error> {
    use lexopt::prelude::*;
    let mut request = Request {
        plan: Plan {
            seed: 1,
            programs: 1000,
            sequences: 3,
            minimise: true,
            enough: usize::MAX,
            patience: Duration::from_secs(120),
            every: false,
            only_schedules: false,
            passes: Vec::new(),
            dependences: false,
        },
        device: "interp".to_owned(),
        keep: None,
        show: false,
        sets: None,
    };
    let mut is_of_idioms = false;
    let mut parser = lexopt::Parser::from_env();
    while let Some(arg) = parser.next()? {
        match arg {
            Value(word) if word == "whole-road" => {}
            Value(word) if word == "show" => request.show = true,
            Value(word) if word == "sets" => request.sets = request.sets.or(Some(1000)),
            Long("sets") => request.sets = Some(parser.value()?.parse()?),
            Long("programs") => request.plan.programs = parser.value()?.parse()?,
            Long("seed") => request.plan.seed = parser.value()?.parse()?,
            Long("sequences") => request.plan.sequences = parser.value()?.parse()?,
            Long("enough") => request.plan.enough = parser.value()?.parse()?,
            Long("device") => request.device = parser.value()?.parse()?,
            Long("keep") => request.keep = Some(parser.value()?.into()),
            Long("patience") => {
                request.plan.patience = Duration::from_secs(parser.value()?.parse()?);
            }
            Long("idioms") => is_of_idioms = true,
            Long("schedules") => request.plan.only_schedules = true,
            Long("dependences") => request.plan.dependences = true,
            Long("passes") => request.plan.passes = sequences(&parser.value()?.parse::<String>()?)?,
            Long("every") => request.plan.every = true,
            Long("no-minimise") => request.plan.minimise = false,
            _ => return Err(arg.unexpected()),
        }
    }
    if is_of_idioms && request.plan.seed < generate::IDIOMS {
        request.plan.seed += generate::IDIOMS;
    }
    Ok(request)
}

/// Parses pass sequences such as `a b; c`.
fn sequences(text: &str) -> Result<Vec<Vec<String>>, lexopt::Error> {
    let lists = text
        .split(';')
        .map(|list| list.split_whitespace().map(str::to_owned).collect());
    let lists: Vec<Vec<String>> = lists.collect();
    let is_known = |name: &String| step_named(name).is_some();
    match lists.iter().flatten().find(|name| !is_known(name)) {
        Some(name) => Err(lexopt::Error::from(format!("there is no pass '{name}'"))),
        None => Ok(lists),
    }
}

fn main() -> ExitCode {
    let request = match parse() {
        Ok(request) => request,
        Err(error) => {
            eprintln!("{error}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    if let Some(count) = request.sets {
        return sets::run(count, request.plan.seed);
    }
    if request.show {
        let drawn = repair::repaired(generate::generate(request.plan.seed));
        return match drawn {
            Some((program, _)) => {
                println!("{}", print(&program));
                ExitCode::SUCCESS
            }
            None => {
                eprintln!("the program of this seed has no meaning");
                ExitCode::FAILURE
            }
        };
    }
    let session = match &request.device[..] {
        "interp" => None,
        "lavapipe" => Some(device::open("llvmpipe")),
        name => Some(device::open(name)),
    };
    let session = match session.transpose() {
        Ok(session) => session,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    let start = Instant::now();
    let current = std::env::temp_dir().join(format!("gridloom-fuzz-{}.mlir", std::process::id()));
    let on_device = session.is_some();
    let keep = request.keep.clone();
    let mut watch = |event: Event<'_>| match event {
        // A crash in a driver kills the process, so the seed is printed before.
        Event::Program(seed, program) if on_device => {
            let _ = fs::write(&current, format!("// seed {seed}\n{}", print(program)));
        }
        Event::Program(..) => {}
        Event::Finding(finding) => {
            println!("== {}\n{}", finding.signature(), finding.report());
            let _ = std::io::stdout().flush();
            if let Some(folder) = &keep {
                let _ = fs::create_dir_all(folder);
                let _ = fs::write(
                    folder.join(format!("seed-{}.mlir", finding.seed)),
                    finding.report(),
                );
            }
        }
    };
    let tally = campaign::run(&request.plan, session.as_ref(), &mut watch);
    let _ = fs::remove_file(&current);
    for (signature, count) in &tally.counts {
        println!(
            "{count:6} {signature} (first: seed {})",
            tally.findings[signature].seed
        );
    }
    if request.plan.dependences {
        let traced = &tally.traced;
        for (why, count) in &traced.untraced {
            println!("{count:6} pairs whose dependences were not checked: {why}");
        }
        println!(
            "{} pairs whose dependences were checked, {} dependences; marks of {} programs that leave an array",
            traced.compared, traced.dependences, tally.leaving
        );
    }
    println!(
        "{} programs ({} seeds without a meaning), {} pairs, {} steps of schedules applied and {} refused; on the device {} with kernels, {} without, {} refused; \
         {} kinds of findings; {:.0} s",
        tally.programs,
        tally.dropped,
        tally.pairs,
        tally.steps.applied,
        tally.steps.refused,
        tally.launched,
        tally.host_only,
        tally.refused,
        tally.findings.len(),
        start.elapsed().as_secs_f64()
    );
    if tally.findings.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
