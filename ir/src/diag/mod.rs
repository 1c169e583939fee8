//! Diagnostics: what is wrong, where, why, and what to do about it.
//!
//! A [`Diagnostic`] is rendered for people ([`Diagnostic::render`]) or as one line of JSON for
//! programs ([`Diagnostic::to_json`]). [`expect`] checks diagnostics against expectations in
//! comments of the input.

pub mod expect;
mod json;
mod place;
mod render;

pub use place::{Place, describe, place};

use crate::context::Context;
use crate::location::Loc;

/// Severity of a diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The compiler refuses the input.
    Error,
    /// The compiler accepts the input, which probably says something other than was meant.
    Warning,
    /// The compiler reports a decision and its reason.
    Remark,
}

impl Severity {
    /// The label that a message begins with.
    pub fn label(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Remark => "remark",
        }
    }
}

/// A note: a related place and its message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// The related place.
    pub loc: Loc,
    /// Length in bytes of the text to underline; 0 is the token that stands there.
    pub len: u32,
    /// The relation of the place to the diagnostic, in words.
    pub message: String,
    /// Whether the note is a hint of our own that upstream lacks: no expectation has to name it
    /// ([`expect`]).
    pub hint: bool,
}

/// One message with its place and notes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Severity.
    pub severity: Severity,
    /// The place of the problem.
    pub loc: Loc,
    /// Length in bytes of the text to underline; 0 is the token that stands there.
    pub len: u32,
    /// The problem.
    pub message: String,
    /// Related places.
    pub notes: Vec<Note>,
    /// Suggested fix, where one is likely: a name that is nearly the one given.
    pub help: Option<String>,
    /// A consequence, reported right after this one as a diagnostic of its own.
    pub then: Option<Box<Diagnostic>>,
    /// Whether the problem was found after an earlier error had stopped upstream's reading: no
    /// expectation has to name it ([`expect`]).
    pub follow_up: bool,
    /// Whether the verifier drops this diagnostic if the operation's regions have errors of their
    /// own.
    pub(crate) late: bool,
    /// Whether the verifier reports this diagnostic before the errors in the operation's regions.
    pub(crate) early: bool,
}

impl Diagnostic {
    /// A diagnostic that underlines the token at its place.
    pub fn new(severity: Severity, loc: Loc, message: impl Into<String>) -> Self {
        Diagnostic {
            severity,
            loc,
            len: 0,
            message: message.into(),
            notes: Vec::new(),
            then: None,
            help: None,
            follow_up: false,
            late: false,
            early: false,
        }
    }

    /// Chains a second diagnostic about the same thing, reported right after this one.
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
        self.notes.push(Note {
            loc,
            len: 0,
            message: message.into(),
            hint: false,
        });
        self
    }

    /// Adds a hint: a note at a related place that upstream lacks.
    #[must_use]
    pub fn with_hint(mut self, loc: Loc, message: impl Into<String>) -> Self {
        self = self.with_note(loc, message);
        if let Some(note) = self.notes.last_mut() {
            note.hint = true;
        }
        self
    }

    /// Makes the verifier report it only if nothing is wrong inside the operation.
    #[must_use]
    pub fn late(mut self) -> Self {
        self.late = true;
        self
    }

    /// Makes the verifier report it before any other error.
    #[must_use]
    pub fn early(mut self) -> Self {
        self.early = true;
        self
    }

    /// Underlines `len` bytes.
    #[must_use]
    pub fn with_len(mut self, len: u32) -> Self {
        self.len = len.max(1);
        self
    }

    /// Adds a suggested fix.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds the help `did you mean …?` where there is a similar name.
    #[must_use]
    pub fn with_near(self, sigil: &str, near: Option<impl std::fmt::Display>) -> Self {
        match near {
            Some(near) => self.with_help(format!("did you mean `{sigil}{near}`?")),
            None => self,
        }
    }
}

/// Diagnostics of one run, in the order they were found.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a diagnostic and the consequences chained to it.
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

    /// Appends the diagnostics of another run.
    pub fn append(&mut self, mut other: Diagnostics) {
        self.list.append(&mut other.list);
    }

    /// Moves the diagnostics marked `early` to the front.
    #[must_use]
    pub(crate) fn with_early_first(mut self) -> Self {
        self.list.sort_by_key(|diagnostic| !diagnostic.early);
        self
    }

    /// Marks all errors but the first as follow-ups.
    #[must_use]
    pub(crate) fn with_follow_ups(mut self) -> Self {
        let is_error = |d: &&mut Diagnostic| d.severity == Severity::Error;
        let later = self.list.iter_mut().filter(is_error).skip(1);
        later.for_each(|diagnostic| diagnostic.follow_up = true);
        self
    }

    /// Keeps the first `count` diagnostics.
    pub(crate) fn truncate(&mut self, count: usize) {
        self.list.truncate(count);
    }

    /// Sets `loc` as the location of every diagnostic that has none.
    #[must_use]
    pub fn placed_at(mut self, loc: Loc) -> Self {
        let unplaced = |diagnostic: &&mut Diagnostic| diagnostic.loc == Loc::UNKNOWN;
        self.list
            .iter_mut()
            .filter(unplaced)
            .for_each(|diagnostic| diagnostic.loc = loc);
        self
    }

    /// Whether some diagnostic is an error.
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|d| d.severity == Severity::Error)
    }

    /// Whether there is no diagnostic at all.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The number of diagnostics.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Iterates in the order found.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// Renders all diagnostics, one after the other.
    pub fn render(&self, ctx: &Context) -> String {
        self.list.iter().map(|d| d.render(ctx)).collect()
    }

    /// Renders all diagnostics as JSON, one line each.
    pub fn to_json(&self, ctx: &Context) -> String {
        self.list.iter().map(|d| d.to_json(ctx) + "\n").collect()
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}
