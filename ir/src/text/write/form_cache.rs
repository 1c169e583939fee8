//! Form cache: the text of an operation without successors is copied from the first of its kind.
//!
//! Such a text follows from the operation's kind, except for the names of values and the text of
//! regions. The first operation of a kind is printed by its form, which notes where names and
//! regions stand; the others copy the text between and insert their own names and regions.

use std::ops::Range;

use super::op::RegionStyle;
use super::printer::OpPrinter;
use crate::body::{Body, OpId, RegionId, Regions, Value};
use crate::body::{Kind, Kinds};
use crate::hit_budget::HitBudget;

/// Length limit of a cached text.
const MAX_TEXT: usize = 1 << 9;

/// Copy width: bytes that are copied at once, however many of them are in use.
const FIELD: usize = 32;

/// Form cache: templates by kind.
#[derive(Default, Debug)]
pub(crate) struct FormCache {
    kinds: Kinds<Template>,
    hit_budget: HitBudget,
    /// Parts of all templates.
    parts: Vec<Part>,
    /// Texts of all parts, one after the other, padded to a whole field.
    texts: Vec<u8>,
    /// Nesting of forms being printed for the first time: their text is still needed.
    firsts: usize,
    /// Notes of the form being printed for the first time: positions of its names and regions.
    /// `None` if it cannot be a template.
    pub(crate) noted: Option<Vec<(Range<usize>, Noted)>>,
}

/// Variable part of a template.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Noted {
    Value(Value),
    Region(usize, RegionStyle),
}

#[derive(Clone, Copy, Debug)]
struct Template {
    /// Range of its parts.
    parts: (u32, u32),
    /// Start of the first part's text.
    text: u32,
    /// Repetition pattern of the first operation's operands, where it had a value as several
    /// operands: a name does not say which of them it is, so the others must have the same pattern.
    repeats: Option<u64>,
}

/// Part of a template: a text no longer than a field, and the name or region after it.
#[derive(Clone, Copy, Debug)]
struct Part {
    length: u8,
    then: Then,
}

#[derive(Clone, Copy, Debug)]
enum Then {
    /// The name of the operand of this index.
    Operand(u8),
    /// The name of an argument: index of the region, and of the argument.
    Argument(u8, u8),
    /// The region of this index.
    Region(u8, RegionStyle),
    Nothing,
}

impl FormCache {
    /// Notes a name or region in the current form.
    pub(crate) fn note(&mut self, place: Range<usize>, what: Noted) {
        if let Some(noted) = &mut self.noted {
            noted.push((place, what));
        }
    }

    /// Whether printed text is still needed.
    pub(crate) fn holds_text(&self) -> bool {
        self.firsts > 0
    }

    /// Rules the current form out as a template: it depends on more than the kind of its operation.
    pub(crate) fn give_up(&mut self) {
        self.noted = None;
    }

    /// Appends a text and the name or region after it.
    fn add(&mut self, text: &[u8], then: Then) {
        self.texts.extend_from_slice(text);
        let mut rest = text.len();
        while rest > FIELD {
            let (length, then) = (FIELD as u8, Then::Nothing);
            self.parts.push(Part { length, then });
            rest -= FIELD;
        }
        let length = rest as u8;
        self.parts.push(Part { length, then });
    }
}

impl OpPrinter<'_> {
    /// Prints an operation without its results and its location: its custom form, or the generic
    /// one.
    pub fn form(&mut self, body: &Body, op: OpId) {
        // A form that prints an operation inside it is no template.
        self.forms.give_up();
        if self.scan.is_on() {
            self.scan_form(body, op);
            return;
        }
        let mut kind = Kind::default();
        if !self.forms.hit_budget.is_left() || !self.kind_of(body, op, &mut kind) {
            self.form_in_full(body, op);
            return;
        }
        match self.forms.kinds.get(&kind) {
            Some(&template) if template.fits(body, op) => {
                self.forms.hit_budget.hit();
                self.copy(template, body, op);
            }
            _ => {
                self.forms.hit_budget.miss();
                self.first_form(kind, body, op);
            }
        }
    }

    /// Computes the cache key of an operation: its kind and what its form may look at in regions.
    /// Returns false if the form depends on more.
    #[inline(always)]
    pub(super) fn kind_of(&self, body: &Body, op: OpId, kind: &mut Kind) -> bool {
        let data = &body[op];
        let form = self.table.row(data.name);
        // The choice between the forms may look at operations around.
        let alone = form.is_none_or(|form| form.custom_form_is_lossless.is_none());
        if !alone || !data.successors().is_empty() {
            return false;
        }
        let around = self.opens_dialect.map_or(u32::MAX, |name| name.0);
        kind.set(body, op, around)
            && match data.regions() {
                Regions::None => true,
                Regions::Inline(regions) => self.add_regions(kind, body, op, regions),
                Regions::Isolated(_) => false,
            }
    }

    /// Adds what a form may look at in regions to a key; returns false if that has no limit.
    fn add_regions(&self, kind: &mut Kind, body: &Body, op: OpId, regions: &[RegionId]) -> bool {
        let generic = self.options.generic;
        let name = body[op].name;
        let form = self.table.row(name).filter(|_| !generic);
        if form.is_some_and(|form| form.looks_inside) {
            return false;
        }
        let def = self.ctx.op_signature(name).filter(|_| !generic);
        let ends = def.is_some_and(|def| def.terminator.is_some());
        regions.iter().all(|&region| {
            let blocks = &body[region].blocks;
            let args = blocks.first().map_or(&[][..], |&entry| &body[entry].args);
            // The last operation of the region, if a form may leave that out.
            let last = blocks.last().filter(|_| ends);
            let last = last.and_then(|&block| body[block].last());
            let last = last.map(|last| &body[last]);
            let bare = last.filter(|last| last.operands.is_empty() && last.attributes.is_empty());
            let shape = args.len() << 1 | usize::from(!blocks.is_empty());
            kind.add(shape as u32)
                && kind.add(bare.map_or(u32::MAX, |last| last.name.0))
                && args.iter().all(|&arg| kind.add(body.ty(arg).0))
        })
    }

    /// Prints an operation from a template, with its own names and regions.
    fn copy(&mut self, template: Template, body: &Body, op: OpId) {
        let data = &body[op];
        let mut text = template.text as usize;
        for at in template.parts.0..template.parts.1 {
            let part = self.forms.parts[at as usize];
            let length = usize::from(part.length);
            // A whole field is readable: padding follows the last text.
            if let Some(field) = self.forms.texts[text..].first_chunk::<FIELD>() {
                self.out.push_field(field, length);
            }
            text += length;
            match part.then {
                Then::Operand(index) => {
                    let operand = data.operands[usize::from(index)];
                    self.names.write(operand, &mut self.out);
                }
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
    }

    /// Prints the first operation of a kind and makes a template of it.
    fn first_form(&mut self, kind: Kind, body: &Body, op: OpId) {
        let start = self.out.len();
        let resources = self.resources.len();
        self.forms.noted = Some(Vec::new());
        self.forms.firsts += 1;
        self.form_in_full(body, op);
        self.forms.firsts -= 1;
        let Some(noted) = self.forms.noted.take() else {
            return;
        };
        if !self.forms.kinds.takes(&kind) || self.resources.len() != resources {
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
        gaps.sort_by_key(|(place, _)| place.start);
        gaps.push((self.out.len()..self.out.len(), Then::Nothing));
        let forms = &mut self.forms;
        forms
            .texts
            .truncate(forms.texts.len().saturating_sub(FIELD));
        let (first, text) = (forms.parts.len() as u32, forms.texts.len() as u32);
        let mut from = start;
        for (place, then) in gaps {
            forms.add(self.out.bytes(from..place.start), then);
            from = place.end;
        }
        forms.texts.extend([0; FIELD]);
        let template = Template {
            parts: (first, forms.parts.len() as u32),
            text,
            repeats: repeats(&body[op].operands),
        };
        forms.kinds.insert(&kind, template);
    }
}

impl Template {
    /// Whether the operands of an operation have the template's repetition pattern.
    fn fits(&self, body: &Body, op: OpId) -> bool {
        let repeats = self.repeats;
        repeats.is_none_or(|expected| repeats_of(&body[op].operands) == expected)
    }
}

/// Resolves a note to the operand, argument or region it stands for.
fn then(body: &Body, op: OpId, what: Noted) -> Option<Then> {
    let data = &body[op];
    let value = match what {
        Noted::Region(index, style) => return Some(Then::Region(index as u8, style)),
        Noted::Value(value) => value,
    };
    if let Some(index) = data.operands.iter().position(|&operand| operand == value) {
        return Some(Then::Operand(index as u8));
    }
    let mut regions = data.inline_regions().iter().enumerate();
    regions.find_map(|(region, &id)| {
        let args = &body[body[id].entry()?].args;
        let index = args.iter().position(|&arg| arg == value)?;
        Some(Then::Argument(region as u8, index as u8))
    })
}

/// The repetition pattern of operands, if some value repeats.
fn repeats(operands: &[Value]) -> Option<u64> {
    let repeats = (1..operands.len()).any(|at| operands[..at].contains(&operands[at]));
    repeats.then(|| repeats_of(operands))
}

/// Repetition pattern: for each operand, in four bits, the index of the first with the same value.
/// No kind has more than sixteen.
fn repeats_of(operands: &[Value]) -> u64 {
    let first = |value: &Value| operands.iter().position(|other| other == value);
    let firsts = operands.iter().filter_map(first);
    firsts.fold(0, |all, first| all << 4 | first as u64)
}
