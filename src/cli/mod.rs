//! Command line of `gridloom`: dispatches to its commands.

mod args;
mod bench;
mod clock;
mod compile;
mod database;
mod devices;
mod explain;
mod files;
mod help;
mod input;
mod limits;
mod opt;
mod progress;
mod run;
mod saved_kernels;
mod schedules;
mod summary;
mod trace;
mod translate;
mod tune;

use std::process::ExitCode;

/// Failure of a command, by exit code.
#[derive(Debug)]
pub enum Failure {
    /// The input was refused; with the messages to print. Exit code 1.
    Refused(String),
    /// The command line is wrong. Exit code 2.
    Usage(String),
    /// The device failed, or its results are wrong. Exit code 3.
    Device(String),
    /// The run exceeded its time limit; with the messages to print. Exit code 4.
    TimeLimit(String),
}

impl From<lexopt::Error> for Failure {
    fn from(error: lexopt::Error) -> Self {
        Failure::Usage(error.to_string())
    }
}

/// Runs the command that the process's arguments name.
pub fn main() -> ExitCode {
    files::remove_drafts_on_interrupt();
    let (code, message) = match dispatch() {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::Refused(message)) => (1, message),
        Err(Failure::Usage(message)) => (2, format!("error: {message}\nTry 'gridloom --help'.\n")),
        Err(Failure::Device(message)) => (3, format!("error: {message}\n")),
        Err(Failure::TimeLimit(message)) => (4, message),
    };
    input::print_error(&message);
    ExitCode::from(code)
}

/// A command: its name, the text of its `--help`, and what runs it.
type Command = (
    &'static str,
    &'static str,
    fn(&mut lexopt::Parser) -> Result<(), Failure>,
);

const COMMANDS: [Command; 8] = [
    ("opt", help::OPT, opt::run),
    ("compile", help::COMPILE, compile::run),
    ("run", help::RUN, run::run),
    ("translate", help::TRANSLATE, translate::run),
    ("explain", help::EXPLAIN, explain::run),
    ("tune", help::TUNE, tune::run),
    ("bench", help::BENCH, bench::run),
    ("devices", help::DEVICES, devices::run),
];

fn command(name: &std::ffi::OsStr) -> Option<&'static Command> {
    COMMANDS.iter().find(|(known, ..)| name == *known)
}

/// Prints the text of `--help`, or that of the command that the next argument names.
fn help_on(parser: &mut lexopt::Parser) -> Result<(), Failure> {
    use lexopt::prelude::*;
    let named = match parser.next()? {
        Some(Value(name)) => command(&name),
        _ => None,
    };
    let text = named.map_or(help::OVERVIEW, |(_, help, _)| help);
    input::print(text.as_bytes())
}

fn dispatch() -> Result<(), Failure> {
    use lexopt::prelude::*;
    let mut parser = lexopt::Parser::from_env();
    match parser.next()? {
        Some(Value(name)) if name == "help" => help_on(&mut parser),
        Some(Value(name)) => match command(&name) {
            Some((_, _, run)) => run(&mut parser),
            None => Err(Failure::Usage(format!(
                "there is no command '{}'; there are opt, compile, run, translate, explain, tune, bench and devices",
                name.to_string_lossy()
            ))),
        },
        Some(Long("help") | Short('h')) => input::print(help::OVERVIEW.as_bytes()),
        Some(Long("version") | Short('V')) => {
            input::print(concat!("gridloom ", env!("CARGO_PKG_VERSION"), "\n").as_bytes())
        }
        Some(other) => Err(Failure::Usage(other.unexpected().to_string())),
        None => Err(Failure::Usage(
            "a command is needed: opt, compile, run, translate, explain, tune, bench or devices"
                .to_owned(),
        )),
    }
}
