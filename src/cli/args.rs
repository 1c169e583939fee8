//! Command-line options that several commands share.

use std::ffi::OsString;

use gridloom::MapFor;
use gridloom::codegen::target::OptLevel;
use gridloom::ir::text::nearest;
use gridloom::spirv::{Bounds, FpMode};

use super::Failure;

/// Takes the next option: its name, or its letter if that is among `letters`, or `help`. A value in front of it is the input
/// file.
pub fn next_option(
    parser: &mut lexopt::Parser,
    file: &mut Option<String>,
    letters: &[char],
) -> Result<Option<String>, Failure> {
    use lexopt::prelude::*;
    while let Some(arg) = parser.next()? {
        return Ok(Some(match arg {
            Value(value) => {
                set_file(file, value)?;
                continue;
            }
            Short('h') => "help".to_owned(),
            Short(letter) if letters.contains(&letter) => letter.to_string(),
            Long(name) => name.to_owned(),
            other => return Err(other.unexpected().into()),
        }));
    }
    Ok(None)
}

/// Converts a command-line argument to text.
pub fn text(value: OsString) -> Result<String, Failure> {
    value
        .into_string()
        .map_err(|value| Failure::Usage(format!("'{}' is not UTF-8", value.to_string_lossy())))
}

/// The error for an option that a command does not have, with the most similar one of its help.
pub fn unknown_option(command: &str, name: &str, help: &str) -> Failure {
    let lines = help.lines().filter_map(|line| line.strip_prefix("  --"));
    let options = lines.filter_map(|line| line.split([' ', '=']).next());
    let hint = match nearest(name, options) {
        Some(near) => format!("did you mean '--{near}'?"),
        None => format!("'gridloom {command} --help' lists its options"),
    };
    Failure::Usage(format!("'{command}' has no option '--{name}'; {hint}"))
}

/// Parses a value that has to be one of a list of words.
pub fn choice<T: Copy>(option: &str, value: &str, choices: &[(&str, T)]) -> Result<T, Failure> {
    let found = choices.iter().find(|(word, _)| *word == value);
    found.map(|&(_, chosen)| chosen).ok_or_else(|| {
        let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
        Failure::Usage(format!(
            "--{option} cannot be '{value}'; it takes {}",
            words.join(", ")
        ))
    })
}

/// Parses `--fp=strict|relaxed`.
pub fn fp(value: &str) -> Result<FpMode, Failure> {
    choice(
        "fp",
        value,
        &[("strict", FpMode::Strict), ("relaxed", FpMode::Relaxed)],
    )
}

/// Parses `-O0`, `-O1` or `-O2`.
pub fn level(value: &str) -> Result<OptLevel, Failure> {
    value.parse().map_err(Failure::Usage)
}

/// Refuses tuned schedules, which only the highest level takes, at a lower one.
pub fn check_level(level: OptLevel, names_database: bool) -> Result<(), Failure> {
    if names_database && level != OptLevel::O2 {
        let message =
            "--database and --tuned-for name tuned schedules, which only -O2 takes: leave one out";
        return Err(Failure::Usage(message.to_owned()));
    }
    Ok(())
}

/// Parses `--map-for=device|gpu|cpu`.
pub fn map_for(value: &str) -> Result<MapFor, Failure> {
    let choices = [
        ("device", MapFor::Device),
        ("gpu", MapFor::Gpu),
        ("cpu", MapFor::Cpu),
    ];
    choice("map-for", value, &choices)
}

/// Parses `--bounds=guarded|off`.
pub fn bounds(value: &str) -> Result<Bounds, Failure> {
    choice(
        "bounds",
        value,
        &[("guarded", Bounds::Guarded), ("off", Bounds::Off)],
    )
}

/// Sets the only input file of a command.
pub fn set_file(file: &mut Option<String>, value: OsString) -> Result<(), Failure> {
    let value = text(value)?;
    match file {
        None => {
            *file = Some(value);
            Ok(())
        }
        Some(first) => Err(Failure::Usage(format!(
            "two input files are given, '{first}' and '{value}'; give one"
        ))),
    }
}

/// Returns the input file, which is required.
pub fn need_file(file: Option<String>) -> Result<String, Failure> {
    file.ok_or_else(|| {
        Failure::Usage("an input file is needed ('-' for standard input)".to_owned())
    })
}
