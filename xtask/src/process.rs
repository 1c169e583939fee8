//! Child processes, and the error type of developer commands.

use std::env;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// Failure of a command, as text for the terminal.
#[derive(Debug)]
pub struct Failure(pub String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Failure {
    /// Failure of an I/O operation on a file.
    pub fn io(what: &str, path: &Path, error: io::Error) -> Failure {
        Failure(format!("cannot {what} {}: {error}", path.display()))
    }
}

/// Runs `command` quietly and returns its standard output; a failure shows all
/// that the command said.
pub fn output(command: &mut Command) -> Result<String, Failure> {
    let shown = line(command);
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Failure(format!("cannot start `{shown}`: {error}")))?;
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(stdout);
    }
    Err(Failure(format!(
        "`{shown}` ended with {}:\n{stdout}{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    )))
}

/// [`output`] for a command that uses the network: tried three times, with a
/// growing pause, because a mirror that is briefly away is no reason to stop.
pub fn output_with_retries(command: &mut Command) -> Result<String, Failure> {
    let mut pause = Duration::from_secs(3);
    for _ in 0..2 {
        match output(command) {
            Ok(stdout) => return Ok(stdout),
            Err(_) => eprintln!(
                "setup: `{}` failed; trying again in {pause:?}",
                line(command)
            ),
        }
        thread::sleep(pause);
        pause *= 3;
    }
    output(command)
}

/// The cargo command that runs this program, in the folder of the workspace.
pub fn cargo(workspace: &Path) -> Command {
    let program = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(program);
    command.current_dir(workspace);
    command
}

/// Runs `command` with the terminal as its input and output.
pub fn run(command: &mut Command) -> Result<(), Failure> {
    let shown = line(command);
    let status = command
        .status()
        .map_err(|error| Failure(format!("cannot start `{shown}`: {error}")))?;
    if status.success() {
        Ok(())
    } else {
        Err(Failure(format!("`{shown}` ended with {status}")))
    }
}

/// Formats the command roughly as it would be typed.
fn line(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy()];
    words.extend(command.get_args().map(|arg| arg.to_string_lossy()));
    words.join(" ")
}
