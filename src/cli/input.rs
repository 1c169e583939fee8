//! Input files and output of commands; output files are written completely or not at all.

use std::fs::File;
use std::io::{Read, Write};

use gridloom::foreign::summarised;
use gridloom::npy::MAGIC;
use gridloom::{Context, Module};

use super::Failure;
use super::files::Draft;

/// Limit of the bytes of a program: devices such as `/dev/zero` have no end.
const MAX_BYTES: u64 = 1 << 30;

/// Reads a file, `-` for standard input. Returns its name for diagnostics, and its bytes.
pub fn read(file: &str) -> Result<(String, Vec<u8>), Failure> {
    let (name, bytes) = match file {
        "-" => ("<stdin>", read_bounded(std::io::stdin().lock())),
        _ => (file, File::open(file).and_then(read_bounded)),
    };
    let bytes = bytes.map_err(|error| refused(name, "cannot be read", &error))?;
    Ok((name.to_owned(), bytes))
}

fn read_bounded(source: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(std::io::Error::other("it is larger than 1 GiB"));
    }
    Ok(bytes)
}

/// Reads an `.npy` file; of a file of another format only as many bytes as show that it is one, since it may have no end,
/// as devices have none.
pub fn read_array(path: &str) -> Result<Vec<u8>, String> {
    let read = || {
        let mut file = File::open(path)?;
        let mut bytes = Vec::new();
        (&mut file)
            .take(MAGIC.len() as u64)
            .read_to_end(&mut bytes)?;
        if bytes == MAGIC {
            file.read_to_end(&mut bytes)?;
        }
        Ok(bytes)
    };
    read().map_err(|error: std::io::Error| format!("'{path}' cannot be read: {error}"))
}

/// Creates the context of one program, with a thread for each core.
pub fn context() -> Context {
    let mut ctx = gridloom_dialects::context();
    ctx.set_threads(std::thread::available_parallelism().map_or(1, usize::from));
    ctx
}

/// Reads and verifies a module, at least the part that `entry` needs, if that is given. A program
/// in a dialect that has to be lowered first is an error that gives the command for that.
pub fn module(ctx: &Context, file: &str, entry: Option<&str>) -> Result<Module, Failure> {
    let (name, bytes) = read(file)?;
    let module = match entry {
        Some(entry) => gridloom::parse_entry(ctx, &name, &bytes, entry),
        None => gridloom::parse(ctx, &name, &bytes),
    };
    module.map_err(|found| Failure::Refused(summarised(ctx, found).render(ctx)))
}

/// Writes to a file, or to standard output for `None` and `-`. A file is replaced in one step, so
/// that nobody reads half of it.
pub fn write(file: Option<&str>, bytes: &[u8]) -> Result<(), Failure> {
    write_with(file, |out| out.write_all(bytes))
}

/// Like [`write()`], for output that `fill` writes.
pub fn write_with(
    file: Option<&str>,
    fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), Failure> {
    let Some(file) = file.filter(|&file| file != "-") else {
        return print_with(fill);
    };
    let written = Draft::write(file, fill).and_then(|draft| Draft::keep(vec![draft]));
    written.map_err(|error| refused(file, "cannot be written", &error))
}

/// Prints to standard output. A closed pipe is no error.
pub fn print(bytes: &[u8]) -> Result<(), Failure> {
    print_with(|out| out.write_all(bytes))
}

fn print_with(fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match fill(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(refused("<stdout>", "cannot be written", &error))
        }
        _ => Ok(()),
    }
}

/// Prints to standard error; a failure cannot be reported anywhere.
pub fn print_error(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Failure of a file that could not be used.
pub fn refused(file: &str, what: &str, error: &std::io::Error) -> Failure {
    Failure::Refused(format!("error: '{file}' {what}: {error}\n"))
}
