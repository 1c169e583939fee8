//! Reading input and writing output, whole or not at all.

use std::io::{Read, Write};
use std::path::Path;

use gridloom::{Context, Module};

use super::Failure;

/// The name of a file in diagnostics, and its bytes; `-` is standard input.
pub fn read(file: &str) -> Result<(String, Vec<u8>), Failure> {
    if file == "-" {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().read_to_end(&mut bytes);
        read.map_err(|error| refused("<stdin>", "cannot be read", &error))?;
        return Ok(("<stdin>".to_owned(), bytes));
    }
    let bytes = std::fs::read(file).map_err(|error| refused(file, "cannot be read", &error))?;
    Ok((file.to_owned(), bytes))
}

/// Reads and verifies a module.
pub fn module(ctx: &Context, file: &str) -> Result<Module, Failure> {
    let (name, bytes) = read(file)?;
    gridloom::parse(ctx, &name, &bytes).map_err(|found| Failure::Refused(found.render(ctx)))
}

/// Writes to a file, or to standard output for `None` and `-`. A file is
/// written beside its place and then moved there, so that nobody sees half of it.
pub fn write(file: Option<&str>, bytes: &[u8]) -> Result<(), Failure> {
    let Some(file) = file.filter(|&file| file != "-") else {
        return print(bytes);
    };
    let path = Path::new(file);
    let failed = |error: std::io::Error| refused(file, "cannot be written", &error);
    // Devices and pipes are written to, not replaced.
    if path.exists() && !path.is_file() {
        return std::fs::write(path, bytes).map_err(failed);
    }
    let beside = format!("{file}.{}.tmp", std::process::id());
    let written = std::fs::write(&beside, bytes).and_then(|()| std::fs::rename(&beside, path));
    written.map_err(|error| {
        // The file may not have been made at all.
        let _ = std::fs::remove_file(&beside);
        failed(error)
    })
}

/// Prints to standard output. A reader that has gone is no error.
pub fn print(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(refused("<stdout>", "cannot be written", &error))
        }
        _ => Ok(()),
    }
}

/// Prints to standard error; there is nowhere to say that it failed.
pub fn print_error(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

fn refused(file: &str, what: &str, error: &std::io::Error) -> Failure {
    Failure::Refused(format!("error: '{file}' {what}: {error}\n"))
}
