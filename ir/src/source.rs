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
    pub bytes: Arc<[u8]>,
    /// Global position of the first byte.
    pub start: BytePos,
}

/// A line of a source, as a diagnostic shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineCol {
    /// File name.
    pub file: String,
    /// One-based line.
    pub line: u32,
    /// One-based column in bytes.
    pub col: u32,
    /// The text of the line, without its end; lossy where it is not UTF-8.
    pub text: String,
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
    pub fn add(&self, name: &str, bytes: Arc<[u8]>) -> Result<Arc<Source>, SourceTooLarge> {
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

    /// Line, column and line text of a position. Scans its source once.
    pub fn line_col(&self, pos: BytePos) -> Option<LineCol> {
        let source = self.find(pos)?;
        let bytes = &source.bytes;
        let offset = ((pos.0 - source.start.0) as usize).min(bytes.len());
        let line_start = bytes[..offset]
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |i| i + 1);
        let line_end = bytes[offset..]
            .iter()
            .position(|&b| b == b'\n')
            .map_or(bytes.len(), |i| offset + i);
        let line = bytes[..line_start].iter().filter(|&&b| b == b'\n').count() + 1;
        Some(LineCol {
            file: source.name.clone(),
            line: line as u32,
            col: (offset - line_start + 1) as u32,
            text: String::from_utf8_lossy(&bytes[line_start..line_end])
                .trim_end()
                .to_owned(),
        })
    }
}
