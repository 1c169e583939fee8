//! Diagnostics: what is wrong, where, why, and what to do about it.
//!
//! A [`Diagnostic`] is rendered for people ([`Diagnostic::render`]) or as one
//! line of JSON for programs ([`Diagnostic::to_json`]). [`expect`] holds what
//! was found against what comments in the input say must be found.

pub mod expect;
mod json;
mod place;
mod render;

pub use place::{Place, describe, place};

use crate::context::Context;
use crate::location::Loc;

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

/// A related place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// Where.
    pub loc: Loc,
    /// Length in bytes of the text to underline; 0 is the token that stands
    /// there.
    pub len: u32,
    /// What it has to do with the matter.
    pub message: String,
    /// Whether it only helps: nothing has to expect it ([`expect`]).
    pub hint: bool,
}

/// One message with its place and notes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How serious.
    pub severity: Severity,
    /// Where.
    pub loc: Loc,
    /// Length in bytes of the text to underline; 0 is the token that stands
    /// there.
    pub len: u32,
    /// What is wrong.
    pub message: String,
    /// Related places.
    pub notes: Vec<Note>,
    /// The way out, where one is likely: a name that is nearly the one given.
    pub help: Option<String>,
    /// What follows from it, as a diagnostic of its own.
    pub then: Option<Box<Diagnostic>>,
    /// Whether it was found after another one had kept the input from being
    /// read: nothing has to expect it ([`expect`]).
    pub follow_up: bool,
    /// Whether the verifier says it only if nothing is wrong with what is inside
    /// the operation.
    pub(crate) late: bool,
    /// Whether an operation around says it, before what is inside that is
    /// looked at.
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
        self.notes.push(Note {
            loc,
            len: 0,
            message: message.into(),
            hint: false,
        });
        self
    }

    /// Adds a note at a related place that upstream has not.
    #[must_use]
    pub fn with_hint(mut self, loc: Loc, message: impl Into<String>) -> Self {
        self = self.with_note(loc, message);
        if let Some(note) = self.notes.last_mut() {
            note.hint = true;
        }
        self
    }

    /// To be said only if nothing is wrong inside.
    #[must_use]
    pub(crate) fn late(mut self) -> Self {
        self.late = true;
        self
    }

    /// To be said before anything else that is wrong.
    #[must_use]
    pub(crate) fn early(mut self) -> Self {
        self.early = true;
        self
    }

    /// Underlines `len` bytes.
    #[must_use]
    pub fn with_len(mut self, len: u32) -> Self {
        self.len = len.max(1);
        self
    }

    /// Says the way out.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// `did you mean …?` where there is a near name.
    #[must_use]
    pub fn with_near(self, sigil: &str, near: Option<impl std::fmt::Display>) -> Self {
        match near {
            Some(near) => self.with_help(format!("did you mean `{sigil}{near}`?")),
            None => self,
        }
    }
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

    /// The same, with what is to be said before anything else first.
    #[must_use]
    pub(crate) fn with_early_first(mut self) -> Self {
        self.list.sort_by_key(|diagnostic| !diagnostic.early);
        self
    }

    /// Marks all but the first error as found after it.
    #[must_use]
    pub(crate) fn with_follow_ups(mut self) -> Self {
        let is_error = |d: &&mut Diagnostic| d.severity == Severity::Error;
        let later = self.list.iter_mut().filter(is_error).skip(1);
        later.for_each(|diagnostic| diagnostic.follow_up = true);
        self
    }

    /// Keeps the first `count`.
    pub(crate) fn truncate(&mut self, count: usize) {
        self.list.truncate(count);
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

    /// All as JSON, one line each.
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
