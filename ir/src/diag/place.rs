//! Source places: resolves locations to files, lines and columns.

use crate::context::{Context, Ident};
use crate::lexer::token_len;
use crate::location::{Loc, LocKind};
use crate::source::{BytePos, FilePlace, Line};

/// Walk limit. Locations nest by construction, so walks end; the limit guards against absurdly deep
/// ones read from a file.
const MAX_WALK: usize = 1024;

/// A place in a file, as diagnostics give it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// File name.
    pub file: String,
    /// One-based line and column of the first byte; columns count bytes.
    pub start: (u32, u32),
    /// One-based line and column after the last byte.
    pub end: (u32, u32),
    /// The line of the first byte, where the file is one of the context's.
    pub line: Option<Line>,
}

/// Resolves a location to the `len` bytes at it (0: the token there); `None` for locations without
/// a file.
pub fn place(ctx: &Context, loc: Loc, len: u32) -> Option<Place> {
    match file_loc(ctx, loc)? {
        FileLoc::Source(pos) => source_place(ctx, pos, len),
        FileLoc::Named(place) => Some(place),
    }
}

/// Spells a location as it stands before a message: `file:line:col`, `file` for one as a whole
/// (line 0), or `<unknown>`.
pub fn describe(ctx: &Context, loc: Loc) -> String {
    match place(ctx, loc, 1) {
        Some(at) if at.start == (0, 0) => at.file,
        Some(at) => format!("{}:{}:{}", at.file, at.start.0, at.start.1),
        None => "<unknown>".to_owned(),
    }
}

fn source_place(ctx: &Context, pos: BytePos, len: u32) -> Option<Place> {
    let Some(source) = ctx.sources().find(pos) else {
        let FilePlace { file, line, col } = ctx.sources().find_places(pos)?.get(pos)?;
        return Some(named(ctx, file, (line, col), (line, col)));
    };
    let len = match len {
        0 => token_len(&source.bytes, pos.0 - source.start.0),
        len => len,
    };
    let line = source.line_at(pos);
    let last = source.line_at(BytePos(pos.0.saturating_add(len)));
    Some(Place {
        file: source.name.clone(),
        start: (line.number, line.col),
        end: (last.number, last.col),
        line: Some(line),
    })
}

/// A place in a file whose text the context does not have.
fn named(ctx: &Context, file: Ident, start: (u32, u32), end: (u32, u32)) -> Place {
    Place {
        file: ctx.str(file).to_owned(),
        start,
        end,
        line: None,
    }
}

enum FileLoc {
    Source(BytePos),
    Named(Place),
}

/// Finds the first file position that a location leads to.
fn file_loc(ctx: &Context, loc: Loc) -> Option<FileLoc> {
    let mut pending = vec![loc];
    for _ in 0..MAX_WALK {
        let loc = pending.pop()?;
        if let Some(pos) = loc.source_pos() {
            return Some(FileLoc::Source(pos));
        }
        match loc.kind(ctx)? {
            LocKind::FileRange { file, start, end } => {
                return Some(FileLoc::Named(named(ctx, *file, *start, *end)));
            }
            LocKind::Name { child, .. } => pending.push(*child),
            LocKind::CallSite { callee, caller } => pending.extend([*caller, *callee]),
            LocKind::Fused { locs, .. } => pending.extend(locs.iter().rev()),
            LocKind::Unknown => {}
        }
    }
    None
}
