//! Diagnostics: what is wrong, where, why, and what to do about it.

use std::fmt::Write as _;

use crate::context::Context;
use crate::location::{Loc, LocKind};

/// How serious a diagnostic is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The input is refused.
    Error,
    /// Accepted, but probably not what was meant.
    Warning,
    /// What the compiler decided and why.
    Remark,
}

impl Severity {
    /// The word before the message.
    pub fn label(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Remark => "remark",
        }
    }
}

/// One message with its place and notes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How serious.
    pub severity: Severity,
    /// Where.
    pub loc: Loc,
    /// Length in bytes of the text to underline, at least 1.
    pub len: u32,
    /// What is wrong and, where it helps, the way out.
    pub message: String,
    /// Related places.
    pub notes: Vec<(Loc, String)>,
    /// What follows from it, as a diagnostic of its own.
    pub then: Option<Box<Diagnostic>>,
}

impl Diagnostic {
    /// A diagnostic that underlines one character.
    pub fn new(severity: Severity, loc: Loc, message: impl Into<String>) -> Self {
        Diagnostic {
            severity,
            loc,
            len: 1,
            message: message.into(),
            notes: Vec::new(),
            then: None,
        }
    }

    /// Two diagnostics about one thing, reported one after the other.
    #[must_use]
    pub fn then(mut self, next: Diagnostic) -> Self {
        self.then = Some(Box::new(next));
        self
    }

    /// An error.
    pub fn error(loc: Loc, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, loc, message)
    }

    /// A remark.
    pub fn remark(loc: Loc, message: impl Into<String>) -> Self {
        Self::new(Severity::Remark, loc, message)
    }

    /// Adds a note at a related place.
    #[must_use]
    pub fn with_note(mut self, loc: Loc, message: impl Into<String>) -> Self {
        self.notes.push((loc, message.into()));
        self
    }

    /// Underlines `len` bytes.
    #[must_use]
    pub fn with_len(mut self, len: u32) -> Self {
        self.len = len.max(1);
        self
    }

    /// `file:line:col: error: message`, the source line underlined, then the
    /// notes likewise; ends with a line end.
    pub fn render(&self, ctx: &Context) -> String {
        let mut out = String::new();
        render_one(
            ctx,
            &mut out,
            self.severity.label(),
            self.loc,
            self.len,
            &self.message,
        );
        for (loc, note) in &self.notes {
            render_one(ctx, &mut out, "note", *loc, 1, note);
        }
        out
    }
}

fn render_one(ctx: &Context, out: &mut String, label: &str, loc: Loc, len: u32, message: &str) {
    let line = primary_position(ctx, loc).and_then(|pos| ctx.sources().line_col(pos));
    // Writing to a String cannot fail.
    let _ = match &line {
        Some(at) => writeln!(
            out,
            "{}:{}:{}: {label}: {message}",
            at.file, at.line, at.col
        ),
        None => writeln!(out, "{}: {label}: {message}", describe(ctx, loc)),
    };
    let Some(at) = line else { return };
    let start = at.col as usize - 1;
    // Long lines (generated input) would drown the message.
    if at.text.len() > 400 || start > at.text.len() {
        return;
    }
    let prefix = at.text.get(..start).unwrap_or("");
    let indent: String = prefix
        .chars()
        .map(|c| if c == '\t' { '\t' } else { ' ' })
        .collect();
    let width = (len as usize)
        .min(at.text.len().saturating_sub(start))
        .max(1);
    let marks = "~".repeat(width - 1);
    let _ = writeln!(out, "  {}\n  {indent}^{marks}", at.text);
}

/// The source position a location leads to first.
fn primary_position(ctx: &Context, loc: Loc) -> Option<crate::source::BytePos> {
    let mut loc = loc;
    // Locations nest by construction, so this ends; the bound guards against
    // absurdly deep ones read from a file.
    for _ in 0..64 {
        if let Some(pos) = loc.source_pos() {
            return Some(pos);
        }
        loc = match loc.kind(ctx)? {
            LocKind::Name { child, .. } => *child,
            LocKind::CallSite { callee, .. } => *callee,
            LocKind::Fused { locs, .. } => *locs.first()?,
            LocKind::Unknown | LocKind::FileRange { .. } => return None,
        };
    }
    None
}

/// A location in words, as it stands before a message: `file:line:col`, or
/// `<unknown>`.
pub fn describe(ctx: &Context, loc: Loc) -> String {
    if let Some(at) = primary_position(ctx, loc).and_then(|pos| ctx.sources().line_col(pos)) {
        return format!("{}:{}:{}", at.file, at.line, at.col);
    }
    let mut loc = loc;
    for _ in 0..64 {
        match loc.kind(ctx) {
            Some(LocKind::FileRange { file, start, .. }) => {
                return format!("{}:{}:{}", ctx.str(*file), start.0, start.1);
            }
            Some(LocKind::Name { child, .. }) => loc = *child,
            Some(LocKind::CallSite { callee, .. }) => loc = *callee,
            Some(LocKind::Fused { locs, .. }) if !locs.is_empty() => loc = locs[0],
            _ => break,
        }
    }
    "<unknown>".to_owned()
}

/// The diagnostics of one run, in the order they were found.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one, and those that follow from it.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let mut next = Some(diagnostic);
        while let Some(mut diagnostic) = next {
            next = diagnostic.then.take().map(|then| *then);
            self.list.push(diagnostic);
        }
    }

    /// Adds an error.
    pub fn error(&mut self, loc: Loc, message: impl Into<String>) {
        self.push(Diagnostic::error(loc, message));
    }

    /// Adds all of another run's.
    pub fn append(&mut self, mut other: Diagnostics) {
        self.list.append(&mut other.list);
    }

    /// The same, with those that have no place put at `loc`.
    #[must_use]
    pub fn placed_at(mut self, loc: Loc) -> Self {
        let unplaced = |diagnostic: &&mut Diagnostic| diagnostic.loc == Loc::UNKNOWN;
        self.list
            .iter_mut()
            .filter(unplaced)
            .for_each(|diagnostic| diagnostic.loc = loc);
        self
    }

    /// Whether any is an error.
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|d| d.severity == Severity::Error)
    }

    /// Whether there are none at all.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// In the order found.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// All rendered, one after the other.
    pub fn render(&self, ctx: &Context) -> String {
        self.list.iter().map(|d| d.render(ctx)).collect()
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}
