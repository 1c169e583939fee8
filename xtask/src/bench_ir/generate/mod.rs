//! Generated benchmark files: one with repeating lines and several without; equal sizes give equal
//! files.

mod affine;
mod locations;
mod mixed;
mod repeating;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use affine::Affine;
use mixed::Mixed;

/// Kind of a file's contents.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Affine functions that differ in some extents and constants only: one line in forty is new.
    Repeating,
    /// Affine functions of random extents, steps, maps and sets.
    Affine,
    /// Functions of `arith`, `scf`, `cf`, `memref` and `vector` with random attributes, constants and names.
    Mixed,
    /// Like [`Kind::Mixed`], with a location for each operation.
    Located,
}

impl Kind {
    /// All kinds, the repeating one first.
    pub const ALL: [Kind; 4] = [Kind::Repeating, Kind::Affine, Kind::Mixed, Kind::Located];

    /// Name in tables and of the file.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Repeating => "repeating",
            Kind::Affine => "affine",
            Kind::Mixed => "mixed",
            Kind::Located => "located",
        }
    }

    /// Options of both programs besides those of the work.
    pub fn options(self) -> &'static [&'static str] {
        match self {
            Kind::Located => &["--mlir-print-debuginfo"],
            _ => &[],
        }
    }

    fn functions(self) -> Box<dyn Functions> {
        match self {
            Kind::Repeating => Box::new(repeating::Repeating),
            Kind::Affine => Box::new(Affine::default()),
            Kind::Mixed => Box::new(Mixed::default()),
            Kind::Located => Box::new(Mixed::located()),
        }
    }
}

/// Generator of a sequence of functions.
trait Functions {
    /// Appends the function with this number; the calls are in order.
    fn function(&mut self, out: &mut String, number: usize);

    /// Text after all functions.
    fn end(&self) -> &str {
        ""
    }
}

/// Writes functions of a kind until the file has at least `megabytes` of 10^6 bytes.
pub fn write(kind: Kind, path: &Path, megabytes: usize) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    let mut functions = kind.functions();
    let (mut written, mut text) = (0, String::new());
    for number in 0.. {
        if written + functions.end().len() >= megabytes * 1_000_000 {
            break;
        }
        text.clear();
        functions.function(&mut text, number);
        file.write_all(text.as_bytes())?;
        written += text.len();
    }
    file.write_all(functions.end().as_bytes())?;
    file.flush()
}
