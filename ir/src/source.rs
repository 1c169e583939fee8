//! Source texts, kept for diagnostics, addressed by one global byte position.

use std::sync::{Arc, PoisonError, RwLock};

/// A byte position counted through all sources of a context, below 2^31.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BytePos(pub u32);

/// One source text.
#[derive(Debug)]
pub struct Source {
    /// The name shown in diagnostics.
    pub name: String,
    /// The bytes; not necessarily UTF-8.
    pub bytes: Box<[u8]>,
    /// Global position of the first byte.
    pub start: BytePos,
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
    /// The line of a position of this source. Scans the source once.
    pub fn line_at(&self, pos: BytePos) -> Line {
        let bytes = &self.bytes;
        let offset = (pos.0.saturating_sub(self.start.0) as usize).min(bytes.len());
        let start = bytes[..offset].iter().rposition(|&b| b == b'\n');
        let start = start.map_or(0, |at| at + 1);
        let end = bytes[offset..].iter().position(|&b| b == b'\n');
        let end = end.map_or(bytes.len(), |at| offset + at);
        let before = bytes[..start].iter().filter(|&&b| b == b'\n').count();
        let line = &bytes[start..end];
        Line {
            number: before as u32 + 1,
            col: (offset - start + 1) as u32,
            bytes: line.strip_suffix(b"\r").unwrap_or(line).into(),
        }
    }
}

/// The comment that divides a file into parts.
pub const SPLIT_MARKER: &[u8] = b"// -----";

/// The parts of a file that [`SPLIT_MARKER`] divides, each with the number of
/// lines that stand before it. A marker may stand anywhere, as upstream's.
pub fn split(bytes: &[u8]) -> Vec<(usize, &[u8])> {
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

/// All sources of a context, in the order they were added.
#[derive(Default, Debug)]
pub struct SourceMap {
    sources: RwLock<Vec<Arc<Source>>>,
}

impl SourceMap {
    /// Adds a source and gives it its range of positions.
    pub fn add(&self, name: &str, bytes: Box<[u8]>) -> Result<Arc<Source>, SourceTooLarge> {
        let mut sources = self.sources.write().unwrap_or_else(PoisonError::into_inner);
        // One position past the end of each source is a position too (end of file).
        let start = sources
            .last()
            .map_or(0, |s| s.start.0 as usize + s.bytes.len() + 1);
        if start + bytes.len() >= 1 << 31 {
            return Err(SourceTooLarge);
        }
        let start = BytePos(start as u32);
        let source = Arc::new(Source {
            name: name.to_owned(),
            bytes,
            start,
        });
        sources.push(source.clone());
        Ok(source)
    }

    /// The source that holds a position.
    pub fn find(&self, pos: BytePos) -> Option<Arc<Source>> {
        let sources = self.sources.read().unwrap_or_else(PoisonError::into_inner);
        let after = sources.partition_point(|s| s.start <= pos);
        sources.get(after.checked_sub(1)?).cloned()
    }
}
