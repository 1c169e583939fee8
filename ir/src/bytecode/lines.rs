//! Line numbers: resolves source positions to file, line and column.

use std::sync::Arc;

use crate::context::{Context, Ident};
use crate::location::Loc;
use crate::source::{BytePos, FilePlace, Places, Source};
use crate::swar::position;

/// Resolves positions; fast if they ascend.
#[derive(Default)]
pub(super) struct Lines {
    text: Option<Text>,
    places: Option<Arc<Places>>,
}

/// A source text and the position resolved last.
struct Text {
    source: Arc<Source>,
    file: Ident,
    /// The offset resolved last, from the start of the text.
    offset: usize,
    /// Line of that offset, counted from 1, and the offset where the line starts.
    line: u32,
    start: usize,
    /// The offsets of all line starts, built when a position precedes the last
    /// one.
    starts: Vec<u32>,
}

impl Lines {
    /// Resolves a location that is a source position; lines and columns count
    /// from 1.
    pub fn find(&mut self, ctx: &Context, loc: Loc) -> Option<FilePlace> {
        let pos = loc.source_pos()?;
        if let Some(text) = &mut self.text
            && text.contains(pos)
        {
            return Some(text.find(pos));
        }
        let place = |places: &Arc<Places>| places.get(pos);
        if let Some(place) = self.places.as_ref().and_then(place) {
            return Some(place);
        }
        if let Some(source) = ctx.sources().find(pos) {
            return Some(self.text.insert(Text::new(ctx, source)).find(pos));
        }
        self.places = ctx.sources().find_places(pos);
        self.places.as_ref().and_then(place)
    }
}

impl Text {
    fn new(ctx: &Context, source: Arc<Source>) -> Self {
        Text {
            file: ctx.ident(&source.name),
            offset: 0,
            line: source.lines_before + 1,
            source,
            start: 0,
            starts: Vec::new(),
        }
    }

    fn contains(&self, pos: BytePos) -> bool {
        let start = self.source.start.0;
        (start..=start + self.source.bytes.len() as u32).contains(&pos.0)
    }

    fn find(&mut self, pos: BytePos) -> FilePlace {
        let offset = (pos.0 - self.source.start.0) as usize;
        if offset >= self.offset {
            self.advance(offset);
        } else {
            self.look_up(offset);
        }
        FilePlace {
            file: self.file,
            line: self.line,
            col: (offset - self.start + 1) as u32,
        }
    }

    /// Advances to `offset`, counting lines.
    fn advance(&mut self, offset: usize) {
        let mut from = self.offset;
        while let Some(at) = position(&self.source.bytes[from..offset], b'\n') {
            self.line += 1;
            from += at + 1;
            self.start = from;
        }
        self.offset = offset;
    }

    /// Looks up the line of an `offset` before the last one.
    fn look_up(&mut self, offset: usize) {
        if self.starts.is_empty() {
            let ends = self.source.bytes.iter().enumerate();
            let ends = ends.filter(|(_, byte)| **byte == b'\n');
            let starts = std::iter::once(0).chain(ends.map(|(at, _)| at as u32 + 1));
            self.starts = starts.collect();
        }
        let line = self
            .starts
            .partition_point(|&start| start as usize <= offset);
        self.line = self.source.lines_before + line as u32;
        self.start = self.starts[line - 1] as usize;
        self.offset = offset;
    }
}
