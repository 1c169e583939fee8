//! Lines and columns of positions in sources.

use std::sync::Arc;

use crate::context::{Context, Ident};
use crate::location::Loc;
use crate::source::Source;

/// Works out lines and columns; quick for positions that follow each other.
#[derive(Default)]
pub(super) struct Lines {
    at: Option<Indexed>,
}

/// A source and where its lines start.
struct Indexed {
    source: Arc<Source>,
    file: Ident,
    starts: Vec<u32>,
    /// The line found last, counted from 0.
    last: usize,
}

impl Lines {
    /// File, line and column of a position in a source, the latter from 1.
    pub fn find(&mut self, ctx: &Context, loc: Loc) -> Option<(Ident, u32, u32)> {
        let pos = loc.source_pos()?;
        let inside = |at: &Indexed| {
            let start = at.source.start.0;
            (start..=start + at.source.bytes.len() as u32).contains(&pos.0)
        };
        if !self.at.as_ref().is_some_and(inside) {
            self.at = Some(Indexed::of(ctx, ctx.sources().find(pos)?));
        }
        let at = self.at.as_mut()?;
        let offset = pos.0 - at.source.start.0;
        let next = at.starts.get(at.last + 1);
        if offset < at.starts[at.last] || next.is_some_and(|&next| next <= offset) {
            at.last = at.starts.partition_point(|&start| start <= offset) - 1;
        }
        let col = offset - at.starts[at.last] + 1;
        Some((at.file, at.last as u32 + 1, col))
    }
}

impl Indexed {
    fn of(ctx: &Context, source: Arc<Source>) -> Self {
        let ends = source
            .bytes
            .iter()
            .enumerate()
            .filter(|(_, byte)| **byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at as u32 + 1));
        Indexed {
            starts: starts.collect(),
            file: ctx.ident(&source.name),
            source,
            last: 0,
        }
    }
}
