//! Forms printed before.
//!
//! What an operation without regions and successors looks like follows from its
//! kind, but for the names of its operands. The first of a kind is printed by
//! its form, and where operands and aliases stand in it is noted; the others
//! are copies with names of their own.

use std::ops::Range;

use super::aliases::Open;
use super::printer::OpPrinter;
use crate::body::{Body, OpId, Regions, Value};
use crate::op::{Kind, Kinds};

/// Longer texts are not kept.
const MAX_TEXT: usize = 1 << 9;

/// Bytes of text in a part: copied at once, however many of them are in use.
const PART: usize = 24;

/// Patterns of operations printed before.
#[derive(Default, Debug)]
pub(crate) struct Patterns {
    kinds: Kinds<Pattern>,
    /// The parts of all patterns.
    parts: Vec<Part>,
    /// What aliases put into them.
    open: Vec<Open>,
    /// The values in the form that is being printed for the first time, and
    /// where their names stand.
    noted: Option<Vec<(Range<usize>, Value)>>,
}

#[derive(Clone, Debug)]
struct Pattern {
    parts: Range<u32>,
    /// Where the first of a kind had a value as several operands, which does not
    /// tell which of them a name is: what the others must repeat, too.
    repeats: Option<u64>,
}

/// A short text and what comes after it.
#[derive(Clone, Copy, Debug)]
struct Part {
    text: [u8; PART],
    length: u8,
    then: Then,
}

#[derive(Clone, Copy, Debug)]
enum Then {
    /// The name of the operand with this number.
    Operand(u32),
    /// What aliases put there, by its number.
    Open(u32),
    Nothing,
}

impl Patterns {
    /// Notes the name of a value in the form at hand.
    pub(crate) fn note(&mut self, place: Range<usize>, value: Value) {
        if let Some(noted) = &mut self.noted {
            noted.push((place, value));
        }
    }

    /// Adds a text and what comes after it.
    fn add(&mut self, text: &[u8], then: Then) {
        let (full, rest) = text.as_chunks();
        self.parts.extend(full.iter().map(|&text| Part {
            text,
            length: PART as u8,
            then: Then::Nothing,
        }));
        let mut text = [0; PART];
        text[..rest.len()].copy_from_slice(rest);
        let length = rest.len() as u8;
        self.parts.push(Part { text, length, then });
    }
}

impl OpPrinter<'_> {
    /// An operation without its results and its location: its custom form, or
    /// the generic one.
    pub fn form(&mut self, body: &Body, op: OpId) {
        let data = &body[op];
        let plain = matches!(data.regions, Regions::None) && data.successors.is_empty();
        // What decides between the forms may look at what stands around.
        let alone = data.name.def().is_none_or(|def| def.tells.is_none());
        let around = self.opens_dialect.map_or(u32::MAX, |name| name.0);
        let kind = match plain && alone {
            true => Kind::of(body, op, around),
            false => None,
        };
        match kind {
            Some(kind) if self.copy(&kind, &data.operands) => {}
            Some(kind) => self.first_form(kind, body, op),
            None => self.form_in_full(body, op),
        }
    }

    /// Copies the pattern of a kind with other operands, if there is one.
    fn copy(&mut self, kind: &Kind, operands: &[Value]) -> bool {
        let patterns = &self.patterns;
        let Some(Pattern { parts, repeats }) = patterns.kinds.get(kind) else {
            return false;
        };
        if repeats.is_some_and(|expected| repeats_of(operands) != expected) {
            return false;
        }
        for part in &patterns.parts[parts.start as usize..parts.end as usize] {
            self.out.push_field(&part.text, part.length.into());
            match part.then {
                Then::Operand(index) => self.names.write(operands[index as usize], &mut self.out),
                Then::Open(index) => {
                    let open = patterns.open[index as usize];
                    self.aliases.leave_open(self.out.len(), open);
                }
                Then::Nothing => {}
            }
        }
        true
    }

    /// Prints the first of a kind and makes a pattern of it.
    fn first_form(&mut self, kind: Kind, body: &Body, op: OpId) {
        let start = self.out.len();
        let resources = self.resources.len();
        let opened = self.aliases.opened();
        self.patterns.noted = Some(Vec::new());
        self.form_in_full(body, op);
        let noted = self.patterns.noted.take().unwrap_or_default();
        let short = self.out.len() - start <= MAX_TEXT;
        let new = self.patterns.kinds.takes(&kind);
        if !short || !new || self.resources.len() != resources {
            return;
        }
        let operands = &body[op].operands;
        let patterns = &mut self.patterns;
        let mut gaps: Vec<(Range<usize>, Then)> = Vec::new();
        for (place, value) in noted {
            let Some(index) = operands.iter().position(|&operand| operand == value) else {
                return;
            };
            gaps.push((place, Then::Operand(index as u32)));
        }
        for (at, open) in self.aliases.opened_since(opened) {
            gaps.push((at..at, Then::Open(patterns.open.len() as u32)));
            patterns.open.push(open);
        }
        gaps.sort_by_key(|(place, _)| place.start);
        gaps.push((self.out.len()..self.out.len(), Then::Nothing));
        let first = patterns.parts.len() as u32;
        let mut from = start;
        for (place, then) in gaps {
            patterns.add(self.out.bytes(from..place.start), then);
            from = place.end;
        }
        let parts = first..patterns.parts.len() as u32;
        let repeats = (1..operands.len()).any(|at| operands[..at].contains(&operands[at]));
        let repeats = repeats.then(|| repeats_of(operands));
        patterns.kinds.insert(kind, Pattern { parts, repeats });
    }
}

/// Which operands are the same value: for each, in four bits, the first that is.
/// No kind has more than sixteen.
fn repeats_of(operands: &[Value]) -> u64 {
    let first = |value: &Value| operands.iter().position(|other| other == value);
    let firsts = operands.iter().filter_map(first);
    firsts.fold(0, |all, first| all << 4 | first as u64)
}
