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

/// The context of one program, with all cores to work on it.
pub fn context() -> Context {
    let mut ctx = Context::new();
    ctx.set_threads(std::thread::available_parallelism().map_or(1, usize::from));
    ctx
}

/// Reads and verifies a module; at least the part that `entry` needs, if that
/// is given.
pub fn module(ctx: &Context, file: &str, entry: Option<&str>) -> Result<Module, Failure> {
    let (name, bytes) = read(file)?;
    let module = match entry {
        Some(entry) => gridloom::parse_entry(ctx, &name, &bytes, entry),
        None => gridloom::parse(ctx, &name, &bytes),
    };
    module.map_err(|found| Failure::Refused(found.render(ctx)))
}

/// Writes to a file, or to standard output for `None` and `-`. A file is
/// written beside its place and then moved there, so that nobody sees half of it.
pub fn write(file: Option<&str>, bytes: &[u8]) -> Result<(), Failure> {
    write_with(file, |out| out.write_all(bytes))
}

/// The same for what `fill` writes.
pub fn write_with(
    file: Option<&str>,
    fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), Failure> {
    let Some(file) = file.filter(|&file| file != "-") else {
        return print_with(fill);
    };
    let create = |path: &Path| {
        let mut out = Blocks::new(std::fs::File::create(path)?);
        fill(&mut out)?;
        out.flush()
    };
    let path = Path::new(file);
    let failed = |error: std::io::Error| refused(file, "cannot be written", &error);
    // Devices and pipes are written to, not replaced.
    if path.exists() && !path.is_file() {
        return create(path).map_err(failed);
    }
    let beside = format!("{file}.{}.tmp", std::process::id());
    let written = create(Path::new(&beside)).and_then(|()| std::fs::rename(&beside, path));
    written.map_err(|error| {
        // The file may not have been made at all.
        let _ = std::fs::remove_file(&beside);
        failed(error)
    })
}

/// Bytes that a file is given at once. Systems keep written files in blocks of a
/// power of two, which are made soonest when one comes whole: 50 MB in blocks of
/// 64 KiB took two thirds of the time that others took, and blocks of 1 MiB twice
/// as long (ext4, Linux 6.18).
const BLOCK: usize = 1 << 16;

/// A file that is written in whole blocks.
struct Blocks<W> {
    file: W,
    /// The start of the block that is not whole yet.
    block: Vec<u8>,
}

impl<W> Blocks<W> {
    fn new(file: W) -> Self {
        let block = Vec::new();
        Blocks { file, block }
    }
}

impl<W: Write> Write for Blocks<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.block.is_empty() && bytes.len() >= BLOCK {
            self.file.write_all(&bytes[..BLOCK])?;
            return Ok(BLOCK);
        }
        let taken = bytes.len().min(BLOCK - self.block.len());
        self.block.extend_from_slice(&bytes[..taken]);
        if self.block.len() == BLOCK {
            self.flush()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.write_all(&self.block)?;
        self.block.clear();
        Ok(())
    }
}

/// Prints to standard output. A reader that has gone is no error.
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

/// Prints to standard error; there is nowhere to say that it failed.
pub fn print_error(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

fn refused(file: &str, what: &str, error: &std::io::Error) -> Failure {
    Failure::Refused(format!("error: '{file}' {what}: {error}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What it has been given, each write by its length.
    #[derive(Default)]
    struct Kept {
        bytes: Vec<u8>,
        lengths: Vec<usize>,
    }

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.bytes.extend_from_slice(bytes);
            self.lengths.push(bytes.len());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn blocks_hold_what_was_written() {
        let bytes: Vec<u8> = (0..5 * BLOCK).map(|at| (at % 251) as u8).collect();
        let mut out = Blocks::new(Kept::default());
        let mut rest = &bytes[..];
        for length in [0, 3, BLOCK, 2 * BLOCK + 1, 70, BLOCK - 74, BLOCK - 1] {
            let (part, behind) = rest.split_at(length);
            out.write_all(part).unwrap();
            rest = behind;
        }
        out.flush().unwrap();
        assert_eq!(out.file.bytes, bytes[..bytes.len() - rest.len()]);
        let (last, whole) = out.file.lengths.split_last().unwrap();
        assert_eq!(whole, [BLOCK; 4]);
        assert_eq!(*last, BLOCK - 1);
    }
}
