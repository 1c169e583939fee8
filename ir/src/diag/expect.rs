//! Expected diagnostics: checks what was reported against comments in the input, as upstream's
//! `--verify-diagnostics` reads them:
//!
//! ```mlir
//! // expected-error@+1 {{words of the message}}
//! // expected-warning@below {{…}}   expected-remark@above {{…}}   expected-note {{…}}
//! // expected-error-re@-2 {{words, then {{a regular expression}} and words}}
//! // expected-error@unknown {{of a diagnostic without a file}}
//! ```
//!
//! Diagnostics that the parser reports after its first error may be expected, but need not be:
//! upstream's parser stops there.
//!
//! One expectation stands on a line, at its end. `@below` means the next line
//! without an expectation, `@above` the last such line.

use regex_lite::Regex;

use super::{Diagnostics, Place, place};
use crate::context::Context;
use crate::location::Loc;

/// Checks `found` against the expectations in the text `bytes` called `name`. The error has a line
/// for each expected diagnostic that is missing and each reported one that was not expected.
pub fn check(ctx: &Context, name: &str, bytes: &[u8], found: &Diagnostics) -> Result<(), String> {
    check_part(ctx, name, bytes, 0, found)
}

/// Checks a part of a file, before which `lines_before` lines stand, as [`check`] does.
pub fn check_part(
    ctx: &Context,
    name: &str,
    bytes: &[u8],
    lines_before: u32,
    found: &Diagnostics,
) -> Result<(), String> {
    let mut list = Expectations::read(name, bytes, lines_before as usize);
    for diagnostic in found.iter() {
        let label = diagnostic.severity.label();
        let must = !diagnostic.follow_up;
        list.meet(ctx, diagnostic.loc, label, &diagnostic.message, must);
        for note in &diagnostic.notes {
            list.meet(ctx, note.loc, "note", &note.message, must && !note.hint);
        }
    }
    list.finish()
}

/// One expected diagnostic.
struct Expectation {
    /// `error`, `warning`, `remark` or `note`.
    kind: &'static str,
    /// The line it stands on.
    written: usize,
    /// The line that the diagnostic must be on; `None` for one without a file.
    line: Option<usize>,
    words: String,
    regex: Option<Regex>,
    met: bool,
}

struct Expectations<'n> {
    name: &'n str,
    list: Vec<Expectation>,
    /// The mismatches, ready to print.
    problems: String,
}

impl<'n> Expectations<'n> {
    fn read(name: &'n str, bytes: &[u8], lines_before: usize) -> Self {
        let mut all = Expectations {
            name,
            list: Vec::new(),
            problems: String::new(),
        };
        let (mut last_plain, mut count) = (lines_before, lines_before);
        let mut for_next: Vec<usize> = Vec::new();
        for (index, line) in bytes.split(|&b| b == b'\n').enumerate() {
            let number = lines_before + index + 1;
            count = number;
            let text = String::from_utf8_lossy(line);
            let Some(designator) = Designator::find(text.trim_end()) else {
                for waiting in for_next.drain(..) {
                    all.list[waiting].line = Some(number);
                }
                last_plain = number;
                continue;
            };
            let line = match designator.place {
                "" => Some(number),
                "@unknown" => None,
                "@above" => Some(last_plain),
                "@below" => {
                    for_next.push(all.list.len());
                    None
                }
                offset => match relative(number, offset) {
                    Some(line) => Some(line),
                    None => continue,
                },
            };
            all.add(&designator, number, line);
        }
        // An expectation for a next line that does not come is looked for at the end.
        for waiting in for_next {
            all.list[waiting].line = Some(count);
        }
        all
    }

    fn add(&mut self, designator: &Designator, written: usize, line: Option<usize>) {
        let regex = match designator.regex.then(|| compile_regex(designator.words)) {
            Some(Err(why)) => {
                self.problem(written, &why);
                return;
            }
            Some(Ok(regex)) => Some(regex),
            None => None,
        };
        self.list.push(Expectation {
            kind: designator.kind,
            written,
            line,
            words: designator.words.to_owned(),
            regex,
            met: false,
        });
    }

    fn problem(&mut self, line: usize, message: &str) {
        self.problems += &format!("{}:{line}: error: {message}\n", self.name);
    }

    /// Marks the expectation that a message meets. Without one, the message is a mismatch if it
    /// `must` be expected.
    fn meet(&mut self, ctx: &Context, loc: Loc, kind: &'static str, message: &str, must: bool) {
        let at = place(ctx, loc, 1);
        let line = at.as_ref().map(|at| at.start.0 as usize);
        let ours = at.as_ref().is_none_or(|at| at.file == self.name);
        let mut near = None;
        for expectation in &mut self.list {
            if !ours || expectation.line != line || !expectation.fits(message) {
                continue;
            }
            if expectation.kind == kind {
                expectation.met = true;
                return;
            }
            near = Some((expectation.written, expectation.kind));
        }
        if !must {
            return;
        }
        match near {
            Some((written, expected)) => {
                let message = format!("'{kind}' diagnostic emitted when expecting a '{expected}'");
                self.problem(written, &message);
            }
            None => {
                let shown = at.map_or_else(|| "<unknown>".to_owned(), |at| position(&at));
                self.problems += &format!("{shown}: error: unexpected {kind}: {message}\n");
            }
        }
    }

    fn finish(mut self) -> Result<(), String> {
        let missing: Vec<(usize, String)> = self
            .list
            .iter()
            .filter(|expectation| !expectation.met)
            .map(|e| {
                let message = format!("expected {} \"{}\" was not produced", e.kind, e.words);
                (e.written, message)
            })
            .collect();
        for (line, message) in missing {
            self.problem(line, &message);
        }
        if self.problems.is_empty() {
            Ok(())
        } else {
            Err(self.problems)
        }
    }
}

fn position(at: &Place) -> String {
    format!("{}:{}:{}", at.file, at.start.0, at.start.1)
}

fn relative(number: usize, offset: &str) -> Option<usize> {
    let offset: isize = offset.strip_prefix('@')?.parse().ok()?;
    // An offset to a line before the first gives line 0, which no diagnostic is on.
    Some(number.checked_add_signed(offset).unwrap_or(0))
}

impl Expectation {
    fn fits(&self, message: &str) -> bool {
        match &self.regex {
            Some(regex) => regex.is_match(message),
            None => message.contains(&self.words),
        }
    }
}

/// Designator: one expectation as spelled at the end of a line.
struct Designator<'t> {
    kind: &'static str,
    regex: bool,
    place: &'t str,
    words: &'t str,
}

impl<'t> Designator<'t> {
    /// Finds the first designator in a line.
    fn find(line: &'t str) -> Option<Self> {
        const WORD: &str = "expected-";
        let mut rest = line;
        while let Some(at) = rest.find(WORD) {
            rest = &rest[at + WORD.len()..];
            if let Some(found) = Self::after_word(rest) {
                return Some(found);
            }
        }
        None
    }

    fn after_word(text: &'t str) -> Option<Self> {
        let kinds = ["error", "note", "remark", "warning"];
        let kind = kinds.into_iter().find(|kind| text.starts_with(kind))?;
        let text = &text[kind.len()..];
        let (regex, text) = match text.strip_prefix("-re") {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (place, words) = text.split_once("{{")?;
        let words = words.strip_suffix("}}")?;
        let place = place.trim_matches(' ');
        let known = matches!(place, "" | "@unknown" | "@above" | "@below");
        let signed =
            |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        let offset = place
            .strip_prefix("@+")
            .or_else(|| place.strip_prefix("@-"));
        (known || offset.is_some_and(signed)).then_some(Designator {
            kind,
            regex,
            place,
            words,
        })
    }
}

/// Compiles literal text with regular expressions in double braces to one expression.
fn compile_regex(words: &str) -> Result<Regex, String> {
    let mut all = String::new();
    let mut rest = words;
    while let Some((plain, after)) = rest.split_once("{{") {
        all += &regex_lite::escape(plain);
        let Some((expression, after)) = after.split_once("}}") else {
            return Err("found start of regex with no end '}}'".to_owned());
        };
        all += &format!("({expression})");
        rest = after;
    }
    all += &regex_lite::escape(rest);
    Regex::new(&all).map_err(|error| format!("invalid regex: {error}"))
}
