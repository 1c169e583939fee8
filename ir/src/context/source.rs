//! Source map: source texts, kept for diagnostics, addressed by one global byte position.

use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use crate::context::Ident;

/// A byte position counted through all sources of a context, below 2^31.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BytePos(pub u32);

/// One source text.
#[derive(Debug)]
pub struct Source {
    /// The name shown in diagnostics.
    pub name: String,
    /// Line offset: how many lines of the file precede the bytes. Positive for a part of a file
    /// that is read on its own.
    pub lines_before: u32,
    /// The bytes; not necessarily UTF-8.
    pub bytes: Box<[u8]>,
    /// Global position of the first byte.
    pub start: BytePos,
    /// Line table: the offset at which each line starts, made when a line is first asked for.
    line_starts: OnceLock<Box<[u32]>>,
}

/// A position as line and column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// One-based line.
    pub number: u32,
    /// One-based column in bytes.
    pub col: u32,
    /// The bytes of the line, without its end (a carriage return belongs to
    /// the end); not necessarily UTF-8.
    pub bytes: Box<[u8]>,
}

impl Source {
    /// Finds the line of a position of this source.
    pub fn line_at(&self, pos: BytePos) -> Line {
        let bytes = &self.bytes;
        let offset = (pos.0.saturating_sub(self.start.0) as usize).min(bytes.len());
        let starts = self.line_starts();
        let before = starts.partition_point(|&start| start as usize <= offset) - 1;
        let start = starts[before] as usize;
        let end = bytes[offset..].iter().position(|&b| b == b'\n');
        let end = end.map_or(bytes.len(), |at| offset + at);
        let line = &bytes[start..end];
        Line {
            number: self.lines_before + before as u32 + 1,
            col: (offset - start + 1) as u32,
            bytes: line.strip_suffix(b"\r").unwrap_or(line).into(),
        }
    }

    /// The line table. It starts with 0, so that every offset has a line.
    fn line_starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| {
            // A context holds 2 GiB of sources at most, so offsets fit.
            let ends = self.bytes.iter().enumerate().filter(|&(_, &b)| b == b'\n');
            let after = ends.map(|(at, _)| at as u32 + 1);
            std::iter::once(0).chain(after).collect()
        })
    }
}

/// The comment that divides a file into parts.
pub const SPLIT_MARKER: &[u8] = b"// -----";

/// Splits a file at [`SPLIT_MARKER`] into parts, each with the number of lines before it. A marker
/// may stand anywhere, as upstream's.
pub fn split(bytes: &[u8]) -> Vec<(u32, &[u8])> {
    let mut parts = Vec::new();
    let (mut start, mut lines, mut at) = (0, 0, 0);
    let mut start_line = 0;
    while at < bytes.len() {
        if bytes[at] == b'\n' {
            lines += 1;
        } else if bytes[at..].starts_with(SPLIT_MARKER) {
            parts.push((start_line, &bytes[start..at]));
            at += SPLIT_MARKER.len();
            (start, start_line) = (at, lines);
            continue;
        }
        at += 1;
    }
    parts.push((start_line, &bytes[start..]));
    parts
}

/// The error of a source that would exceed the 2 GiB that positions can address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceTooLarge;

impl std::fmt::Display for SourceTooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "sources of one context may hold 2 GiB in all; split the input"
        )
    }
}

impl std::error::Error for SourceTooLarge {}

/// A line and column of a file whose text the context does not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FilePlace {
    /// File name.
    pub file: Ident,
    /// Line, as given.
    pub line: u32,
    /// Column, as given.
    pub col: u32,
}

/// Compact list of lines and columns in files without text, eight bytes a place.
#[derive(Default, Debug)]
pub(crate) struct PlaceList {
    /// Lines and columns; [`NO_PLACE`] for an absent place.
    numbers: Vec<(u32, u32)>,
    /// The files, each with the index of the first place in it.
    files: Vec<(u32, Ident)>,
}

/// Marks an absent place. A real place with these numbers, which no compiler gives, is left out of
/// lists.
const NO_PLACE: (u32, u32) = (u32::MAX, u32::MAX);

impl PlaceList {
    /// Returns place number `index`, if there is one.
    fn get(&self, index: usize) -> Option<FilePlace> {
        let &(line, col) = self.numbers.get(index)?;
        if (line, col) == NO_PLACE {
            return None;
        }
        let after = self
            .files
            .partition_point(|&(first, _)| first as usize <= index);
        let (_, file) = self.files[after.checked_sub(1)?];
        Some(FilePlace { file, line, col })
    }
}

impl FromIterator<Option<FilePlace>> for PlaceList {
    fn from_iter<I: IntoIterator<Item = Option<FilePlace>>>(places: I) -> Self {
        let mut files: Vec<(u32, Ident)> = Vec::new();
        let mut last_file = None;
        let numbers = (0..).zip(places).map(|(index, place)| {
            let Some(FilePlace { file, line, col }) = place else {
                return NO_PLACE;
            };
            if last_file != Some(file) {
                last_file = Some(file);
                files.push((index, file));
            }
            (line, col)
        });
        PlaceList {
            numbers: numbers.collect(),
            files,
        }
    }
}

/// Positions that stand for places in files without text: the locations of a bytecode file. There
/// are as many as operations, and nearly all are different, so that interning them would be a
/// waste.
#[derive(Default, Debug)]
pub struct Places {
    /// The position of the first one.
    pub start: BytePos,
    list: PlaceList,
}

impl Places {
    /// Returns the position that stands for place number `index`, if there is one.
    #[inline]
    pub(crate) fn position(&self, index: usize) -> Option<BytePos> {
        let there = self.list.numbers[index] != NO_PLACE;
        there.then(|| BytePos(self.start.0 + index as u32))
    }

    /// Returns the index of a position among these places, if it is one of them.
    pub(crate) fn index(&self, pos: BytePos) -> Option<u32> {
        let index = pos.0.checked_sub(self.start.0)?;
        ((index as usize) < self.list.numbers.len()).then_some(index)
    }

    /// Returns the place of a position, if it is one of these.
    pub fn get(&self, pos: BytePos) -> Option<FilePlace> {
        self.list.get(self.index(pos)? as usize)
    }
}

#[derive(Debug)]
enum Range {
    Source(Arc<Source>),
    Places(Arc<Places>),
}

impl Range {
    fn start(&self) -> BytePos {
        match self {
            Range::Source(source) => source.start,
            Range::Places(places) => places.start,
        }
    }

    /// The first position past its range. One past the end of a source is a position too (end of
    /// file).
    fn end(&self) -> usize {
        match self {
            Range::Source(source) => source.start.0 as usize + source.bytes.len() + 1,
            Range::Places(places) => places.start.0 as usize + places.list.numbers.len(),
        }
    }
}

/// Source map: all sources of a context, in the order they were added.
#[derive(Default, Debug)]
pub struct SourceMap {
    ranges: RwLock<Vec<Range>>,
}

impl SourceMap {
    /// Adds a source and assigns its range of positions.
    pub fn add(&self, name: &str, bytes: Box<[u8]>) -> Result<Arc<Source>, SourceTooLarge> {
        self.add_part(name, bytes, 0)
    }

    /// Adds a part of a file with `lines_before` lines before it.
    pub fn add_part(
        &self,
        name: &str,
        bytes: Box<[u8]>,
        lines_before: u32,
    ) -> Result<Arc<Source>, SourceTooLarge> {
        let mut ranges = self.ranges.write().unwrap_or_else(PoisonError::into_inner);
        let start = next_start(&ranges, bytes.len())?;
        let source = Arc::new(Source {
            name: name.to_owned(),
            lines_before,
            bytes,
            line_starts: OnceLock::new(),
            start,
        });
        ranges.push(Range::Source(source.clone()));
        Ok(source)
    }

    /// Assigns a range of positions to places.
    pub(crate) fn add_places(&self, list: PlaceList) -> Result<Arc<Places>, SourceTooLarge> {
        let mut ranges = self.ranges.write().unwrap_or_else(PoisonError::into_inner);
        let places = Arc::new(Places {
            start: next_start(&ranges, list.numbers.len())?,
            list,
        });
        ranges.push(Range::Places(places.clone()));
        Ok(places)
    }

    /// Returns the places added last.
    pub(crate) fn last_places(&self) -> Option<Arc<Places>> {
        let ranges = self.ranges.read().unwrap_or_else(PoisonError::into_inner);
        ranges.iter().rev().find_map(|range| match range {
            Range::Source(_) => None,
            Range::Places(places) => Some(places.clone()),
        })
    }

    /// Finds the source that holds a position.
    pub fn find(&self, pos: BytePos) -> Option<Arc<Source>> {
        self.with_range(pos, |range| match range {
            Range::Source(source) => Some(source.clone()),
            Range::Places(_) => None,
        })
    }

    /// Finds the places that a position belongs to.
    pub fn find_places(&self, pos: BytePos) -> Option<Arc<Places>> {
        self.with_range(pos, |range| match range {
            Range::Source(_) => None,
            Range::Places(places) => Some(places.clone()),
        })
    }

    fn with_range<T>(&self, pos: BytePos, read: impl FnOnce(&Range) -> Option<T>) -> Option<T> {
        let ranges = self.ranges.read().unwrap_or_else(PoisonError::into_inner);
        let after = ranges.partition_point(|range| range.start() <= pos);
        read(ranges.get(after.checked_sub(1)?)?)
    }
}

fn next_start(ranges: &[Range], len: usize) -> Result<BytePos, SourceTooLarge> {
    let start = ranges.last().map_or(0, Range::end);
    if start + len >= 1 << 31 {
        return Err(SourceTooLarge);
    }
    Ok(BytePos(start as u32))
}
