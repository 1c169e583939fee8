//! Rendering of diagnostics for people.

use std::fmt::Write as _;
use std::ops::Range;

use super::{Diagnostic, describe, place};
use crate::context::Context;
use crate::location::Loc;
use crate::source::Line;

/// Columns of a source line that are shown; generated input has lines that would drown the message.
const MAX_SHOWN: usize = 160;

impl Diagnostic {
    /// Renders `file:line:col: error: message`, the source line with the text in question
    /// underlined, then the notes likewise and the help; ends with a line end.
    pub fn render(&self, ctx: &Context) -> String {
        let mut out = String::new();
        let label = self.severity.label();
        part(ctx, &mut out, label, self.loc, self.len, &self.message);
        for note in &self.notes {
            part(ctx, &mut out, "note", note.loc, note.len, &note.message);
        }
        if let Some(help) = &self.help {
            out.push_str("  help: ");
            out.push_str(help);
            out.push('\n');
        }
        out
    }
}

fn part(ctx: &Context, out: &mut String, label: &str, loc: Loc, len: u32, message: &str) {
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{}: {label}: {message}", describe(ctx, loc));
    let Some(at) = place(ctx, loc, len) else {
        return;
    };
    let Some(line) = at.line else { return };
    let from = line.col as usize - 1;
    let to = if at.end.0 == at.start.0 {
        at.end.1 as usize - 1
    } else {
        line.bytes.len()
    };
    quote(out, &line, from, to.max(from + 1));
}

/// Quotes a source line, and marks its bytes `from..to` below.
fn quote(out: &mut String, line: &Line, from: usize, to: usize) {
    let cells = cells(&line.bytes, window(&line.bytes, from));
    let first = cells.iter().position(|c| c.end > from);
    let first = first.unwrap_or(cells.len());
    let after = cells.iter().position(|c| c.start >= to);
    let after = after.unwrap_or(cells.len()).max(first);
    // Show a window of a long line, a third of it before the marked bytes.
    let skip = if cells.len() > MAX_SHOWN {
        first.saturating_sub(MAX_SHOWN / 3)
    } else {
        0
    };
    let end = cells.len().min(skip + MAX_SHOWN);
    let mut text = String::new();
    let mut marks = String::new();
    if skip > 0 {
        text.push('…');
        marks.push(' ');
    }
    for (index, cell) in cells.iter().enumerate().take(end).skip(skip) {
        text.push(cell.shown);
        if index < first {
            // A tab stays one, so that the marks stand below their text.
            let blank = if cell.shown == '\t' { "\t" } else { " " };
            marks.push_str(&blank.repeat(cell.width));
        } else if index < after {
            let mark = if index == first { '^' } else { '~' };
            marks.push(mark);
            marks.extend(std::iter::repeat_n('~', cell.width.saturating_sub(1)));
        }
    }
    if end < cells.len() {
        text.push('…');
    }
    if first >= cells.len() {
        marks.push('^');
    }
    let _ = writeln!(out, "  {}\n  {marks}", text.trim_end());
}

/// Display cell: one character of a line with its bytes, the character shown for it, and its width
/// in columns of a terminal.
struct Cell {
    start: usize,
    end: usize,
    shown: char,
    width: usize,
}

/// Returns the part of a line that holds all that can be shown around byte `from`: a character has
/// at most four bytes.
fn window(bytes: &[u8], from: usize) -> Range<usize> {
    let continues = |&at: &usize| bytes.get(at).is_some_and(|byte| byte & 0xC0 == 0x80);
    let start = from.min(bytes.len()).saturating_sub(4 * MAX_SHOWN);
    let start = (start..start + 4)
        .find(|at| !continues(at))
        .unwrap_or(start);
    start..bytes.len().min(from.saturating_add(4 * MAX_SHOWN))
}

fn cells(bytes: &[u8], shown: Range<usize>) -> Vec<Cell> {
    let mut cells = Vec::new();
    let mut at = shown.start;
    for chunk in bytes[shown].utf8_chunks() {
        for c in chunk.valid().chars() {
            let hidden = c.is_control() && c != '\t';
            let shown = if hidden {
                char::REPLACEMENT_CHARACTER
            } else {
                c
            };
            cells.push(Cell {
                start: at,
                end: at + c.len_utf8(),
                shown,
                width: width(shown),
            });
            at += c.len_utf8();
        }
        if !chunk.invalid().is_empty() {
            cells.push(Cell {
                start: at,
                end: at + chunk.invalid().len(),
                shown: char::REPLACEMENT_CHARACTER,
                width: 1,
            });
            at += chunk.invalid().len();
        }
    }
    cells
}

/// Returns the width of a character in columns: 2 for the wide ones of East Asia and pictures, 0
/// for combining marks.
fn width(c: char) -> usize {
    match u32::from(c) {
        0x300..=0x36F | 0x200B..=0x200F | 0x20D0..=0x20FF | 0xFE00..=0xFE0F => 0,
        0x1100..=0x115F
        | 0x2E80..=0x303E
        | 0x3041..=0xA4CF
        | 0xAC00..=0xD7A3
        | 0xF900..=0xFAFF
        | 0xFE30..=0xFE6F
        | 0xFF00..=0xFF60
        | 0xFFE0..=0xFFE6
        | 0x1F300..=0x1F64F
        | 0x1F900..=0x1F9FF
        | 0x20000..=0x3FFFD => 2,
        _ => 1,
    }
}
