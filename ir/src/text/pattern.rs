//! Forms printed before.
//!
//! What an operation without successors looks like follows from its kind, but
//! for the names of values and what stands in its regions. The first of a kind
//! is printed by its form, and where names and regions stand in it is noted; the
//! others are copies with names and regions of their own.

use std::ops::Range;

use super::op_printer::is_bare_terminator;
use super::print_op::RegionStyle;
use super::printer::OpPrinter;
use crate::body::{Body, OpId, RegionId, Regions, Value};
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
    /// How many forms are being printed for the first time: their text is still
    /// needed.
    firsts: usize,
    /// What stands in the form that is being printed for the first time, if it
    /// can be a pattern, and where.
    pub(crate) noted: Option<Vec<(Range<usize>, Noted)>>,
}

/// What differs between operations of a kind.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Noted {
    Value(Value),
    Region(usize, RegionStyle),
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
    /// The name of an argument: number of the region, and of the argument.
    Argument(u16, u16),
    /// The region with this number.
    Region(u16, RegionStyle),
    Nothing,
}

impl Patterns {
    /// Notes something in the form at hand.
    pub(crate) fn note(&mut self, place: Range<usize>, what: Noted) {
        if let Some(noted) = &mut self.noted {
            noted.push((place, what));
        }
    }

    /// Whether text that has been printed is still needed.
    pub(crate) fn holds_text(&self) -> bool {
        self.firsts > 0
    }

    /// The form at hand depends on more than the kind of its operation.
    pub(crate) fn give_up(&mut self) {
        self.noted = None;
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
        // A form that spells an operation inside it is no pattern.
        self.patterns.give_up();
        if self.survey.is_on() {
            self.survey_form(body, op);
            return;
        }
        match self.kind_of(body, op) {
            Some(kind) if self.copy(&kind, body, op) => {}
            Some(kind) => self.first_form(kind, body, op),
            None => self.form_in_full(body, op),
        }
    }

    /// All that the form of an operation follows from, but for names and what
    /// stands in its regions; `None` where there is more.
    #[inline(always)]
    pub(super) fn kind_of(&self, body: &Body, op: OpId) -> Option<Kind> {
        let data = &body[op];
        let def = data.name.def();
        // What decides between the forms may look at what stands around.
        let alone = def.is_none_or(|def| def.tells.is_none());
        if !alone || !data.successors().is_empty() {
            return None;
        }
        let around = self.opens_dialect.map_or(u32::MAX, |name| name.0);
        let mut kind = Kind::of(body, op, around)?;
        let fits = match data.regions() {
            Regions::None => true,
            Regions::Inline(regions) => self.add_regions(&mut kind, body, op, regions),
            Regions::Isolated(_) => false,
        };
        fits.then_some(kind)
    }

    /// Adds to a kind what a form may ask of regions; says whether that is all.
    fn add_regions(&self, kind: &mut Kind, body: &Body, op: OpId, regions: &[RegionId]) -> bool {
        let def = body[op].name.def();
        if !self.options.generic && def.is_some_and(|def| def.looks_inside) {
            return false;
        }
        let terminator = def.and_then(|def| def.terminator);
        regions.iter().enumerate().all(|(index, &region)| {
            let entry = body[region].entry();
            let args = entry.map_or(&[][..], |entry| &body[entry].args);
            let bare = !self.options.generic && is_bare_terminator(body, op, index, terminator);
            let shape = args.len() << 2 | usize::from(bare) << 1 | usize::from(entry.is_some());
            kind.add(shape as u32) && args.iter().all(|&arg| kind.add(body.ty(arg).0))
        })
    }

    /// Copies the pattern of a kind with other names and regions, if there is one.
    fn copy(&mut self, kind: &Kind, body: &Body, op: OpId) -> bool {
        let Some(Pattern { parts, repeats }) = self.patterns.kinds.get(kind) else {
            return false;
        };
        let data = &body[op];
        let operands = &data.operands[..];
        if repeats.is_some_and(|expected| repeats_of(operands) != expected) {
            return false;
        }
        for at in parts.start as usize..parts.end as usize {
            let part = &self.patterns.parts[at];
            self.out.push_field(&part.text, part.length.into());
            match part.then {
                Then::Operand(index) => self.names.write(operands[index as usize], &mut self.out),
                Then::Argument(region, index) => {
                    let region = data.inline_regions()[usize::from(region)];
                    let entry = body[region].entry().map(|entry| &body[entry].args[..]);
                    let arg = entry.unwrap_or(&[])[usize::from(index)];
                    self.names.write(arg, &mut self.out);
                }
                Then::Region(index, style) => self.region_with(body, op, index.into(), style),
                Then::Nothing => {}
            }
        }
        true
    }

    /// Prints the first of a kind and makes a pattern of it.
    fn first_form(&mut self, kind: Kind, body: &Body, op: OpId) {
        let start = self.out.len();
        let resources = self.resources.len();
        self.patterns.noted = Some(Vec::new());
        self.patterns.firsts += 1;
        self.form_in_full(body, op);
        self.patterns.firsts -= 1;
        let Some(noted) = self.patterns.noted.take() else {
            return;
        };
        if !self.patterns.kinds.takes(&kind) || self.resources.len() != resources {
            return;
        }
        let mut gaps: Vec<(Range<usize>, Then)> = Vec::new();
        for (place, what) in noted {
            match then(body, op, what) {
                Some(then) => gaps.push((place, then)),
                None => return,
            }
        }
        let length = self.out.len() - start;
        if length - gaps.iter().map(|(place, _)| place.len()).sum::<usize>() > MAX_TEXT {
            return;
        }
        let patterns = &mut self.patterns;
        gaps.sort_by_key(|(place, _)| place.start);
        gaps.push((self.out.len()..self.out.len(), Then::Nothing));
        let first = patterns.parts.len() as u32;
        let mut from = start;
        for (place, then) in gaps {
            patterns.add(self.out.bytes(from..place.start), then);
            from = place.end;
        }
        let parts = first..patterns.parts.len() as u32;
        let operands = &body[op].operands;
        let repeats = (1..operands.len()).any(|at| operands[..at].contains(&operands[at]));
        let repeats = repeats.then(|| repeats_of(operands));
        patterns.kinds.insert(&kind, Pattern { parts, repeats });
    }
}

/// What stands in the place of something noted in the form of an operation.
fn then(body: &Body, op: OpId, what: Noted) -> Option<Then> {
    let data = &body[op];
    let value = match what {
        Noted::Region(index, style) => return Some(Then::Region(index as u16, style)),
        Noted::Value(value) => value,
    };
    if let Some(index) = data.operands.iter().position(|&operand| operand == value) {
        return Some(Then::Operand(index as u32));
    }
    let mut regions = data.inline_regions().iter().enumerate();
    regions.find_map(|(region, &id)| {
        let args = &body[body[id].entry()?].args;
        let index = args.iter().position(|&arg| arg == value)?;
        Some(Then::Argument(region as u16, index as u16))
    })
}

/// Which operands are the same value: for each, in four bits, the first that is.
/// No kind has more than sixteen.
fn repeats_of(operands: &[Value]) -> u64 {
    let first = |value: &Value| operands.iter().position(|other| other == value);
    let firsts = operands.iter().filter_map(first);
    firsts.fold(0, |all, first| all << 4 | first as u64)
}
