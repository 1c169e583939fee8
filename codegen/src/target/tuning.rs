//! Tuning database: the schedules that measurements chose, by nest and device.
//!
//! [`text`] parses and prints its file; the caller decides where it is stored. An entry selects one
//! of a nest's legal schedules, so that no database makes a program wrong:
//! [`offload`](crate::offload) checks each entry against the nest before using it.

mod text;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

pub use text::TextError;

/// Choice of a nest's schedule: one point of the space that a tuner searches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The loops of the band (positions, outermost 0) behind grid dimensions x and y; the others
    /// share z.
    pub order: Vec<usize>,
    /// Iterations of each loop of the band that a thread computes side by side.
    pub tile: Vec<i64>,
    /// Tiles along x, y and z that a thread computes one after the other.
    pub walk: [i64; 3],
    /// Threads of a workgroup.
    pub workgroup: [i64; 3],
    /// Lead: iterations by which the first tile along x begins before the first iteration.
    pub lead: i64,
    /// Whether the tiles of a workgroup interleave along x.
    pub is_spread: bool,
    /// Chunk size of the loop whose loads go through workgroup memory, if any do.
    pub chunk: Option<i64>,
}

/// Prints the schedule fields of an entry in a tuning database.
impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order: Vec<i64> = self.order.iter().map(|&k| k as i64).collect();
        write!(
            f,
            "order={} tile={} walk={} workgroup={} lead={} spread={} stage=",
            list(&order),
            list(&self.tile),
            list(&self.walk),
            list(&self.workgroup),
            self.lead,
            if self.is_spread { "yes" } else { "no" },
        )?;
        match self.chunk {
            Some(chunk) => write!(f, "{chunk}"),
            None => f.write_str("no"),
        }
    }
}

fn list(numbers: &[i64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
    numbers.join(",")
}

/// Key of a nest: identifies its computation, independent of the names of values, functions and
/// files.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct NestKey {
    /// FNV-1a hash of the nest's canonical text, which has no names and no sizes.
    pub structure: u64,
    /// The sizes that the text leaves out, in order: extents of memrefs and constant bounds of
    /// loops; `None` where the program leaves one open.
    pub shapes: Vec<Option<i64>>,
}

/// Prints `5f0c2ac14e5b9d31 shapes=1024,?`.
impl fmt::Display for NestKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let open = |size: &Option<i64>| size.map_or_else(|| "?".to_owned(), |n| n.to_string());
        let shapes: Vec<String> = self.shapes.iter().map(open).collect();
        let shapes = match shapes.is_empty() {
            true => "-".to_owned(),
            false => shapes.join(","),
        };
        write!(f, "{:016x} shapes={shapes}", self.structure)
    }
}

/// Entry of a database: a choice, with its measurements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The schedule.
    pub choice: Choice,
    /// Run time of the program with the schedule, in nanoseconds.
    pub time: u64,
    /// Run time with the cost model's schedule, in nanoseconds.
    pub untuned: u64,
    /// Line of the file that it was read from; 0 for a new entry.
    pub line: u32,
}

/// Entries of a device, by nest.
pub type Entries = BTreeMap<NestKey, Entry>;

/// Tuning database: entries by device, with the names of `gridloom devices`, driver version
/// included.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Database {
    /// The entries of each device.
    pub devices: BTreeMap<String, Entries>,
}

impl Database {
    /// Reads a database; anything that is not as the format has it is an error.
    ///
    /// # Errors The first error, with its position.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        text::parse(text)
    }

    /// The entries of one device, for use in mapping; `source` names the file in remarks.
    pub fn of_device(&self, device: &str, source: &str) -> Option<Tuned> {
        let entries = self.devices.get(device)?.clone();
        Some(Tuned {
            source: source.to_owned(),
            entries: Arc::new(entries),
        })
    }
}

/// Prints the text of the file; [`Database::parse`] reads it back.
impl fmt::Display for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        text::print(self, f)
    }
}

/// Tuned schedules of the device that loops are mapped for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tuned {
    /// Name of the database in remarks.
    pub source: String,
    /// Its entries.
    pub entries: Arc<Entries>,
}
