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

/// Prints the text of `--help`, or that of the command that the next argument names.
fn help_on(parser: &mut lexopt::Parser) -> Result<(), Failure> {
    use lexopt::prelude::*;
    let command = match parser.next()? {
        Some(Value(command)) => Some(command),
        _ => None,
    };
    let text = match command.as_ref().and_then(|command| command.to_str()) {
        Some("opt") => help::OPT,
        Some("compile") => help::COMPILE,
        Some("run") => help::RUN,
        Some("translate") => help::TRANSLATE,
        Some("tune") => help::TUNE,
        Some("explain") => help::EXPLAIN,
        Some("devices") => help::DEVICES,
        Some("bench") => help::BENCH,
        _ => help::OVERVIEW,
    };
    input::print(text.as_bytes())
}

fn dispatch() -> Result<(), Failure> {
    use lexopt::prelude::*;
    let mut parser = lexopt::Parser::from_env();
    match parser.next()? {
        Some(Value(command)) => match command.to_str() {
            Some("opt") => opt::run(&mut parser),
            Some("compile") => compile::run(&mut parser),
            Some("run") => run::run(&mut parser),
            Some("bench") => bench::run(&mut parser),
            Some("translate") => translate::run(&mut parser),
            Some("tune") => tune::run(&mut parser),
            Some("explain") => explain::run(&mut parser),
            Some("devices") => devices::run(&mut parser),
            Some("help") => help_on(&mut parser),
            _ => Err(Failure::Usage(format!(
                "there is no command '{}'; there are opt, compile, run, translate, explain, tune, bench and devices",
                command.to_string_lossy()
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
