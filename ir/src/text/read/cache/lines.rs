//! Line cache: an operation whose line equals an earlier one but for SSA names is rebuilt without
//! parsing.
//!
//! Of all the operations that a program has it repeats few lines. The operation of a line follows
//! from its text, from which of the names in it are equal and from the types of their values,
//! unless it has regions or successors: no form sees more. So a line equal to an earlier one but
//! for names makes the same operation of other values. Unusual lines (a name that is not defined, a
//! value of another type) are left to the parser proper, which then also reports errors.

use smallvec::SmallVec;

use super::region_lines::Header;
use crate::body::{BlockId, NewOp, OpId, Regions, Value};
use crate::context::OpName;
use crate::hash::FxHashMap;
use crate::hit_budget::HitBudget;
use crate::lexer::{Tok, Token, suffix_len};
use crate::swar::{NOT_ASCII, WORD, byte_mask};
use crate::text::attributes::Dicts;
use crate::text::read::parser::{MAX_DEPTH, PResult, Parser};
use crate::types::Type;

/// Length limit of a cached line, in bytes.
const MAX_LINE: usize = 256;

/// Limit of different values in a line.
const MAX_NAMES: usize = 64;

/// Limit of region arguments that a line defines.
const MAX_FRESH: usize = 16;

/// Capacity of the cache, in lines.
const MAX_ENTRIES: usize = 1 << 12;

/// Limit of brackets and signs in a line; one may lead two levels deeper.
const MAX_BRACKETS: usize = 32;

/// Key byte of a value's name: this plus the index of the value among those of the line.
const NAME: u8 = 0x80;

/// Key byte of a new argument's name: this plus its index among these.
const NEW: u8 = NAME + MAX_NAMES as u8;

/// Key byte of the result's name.
const RESULT: u8 = 0xff;

/// Line cache: templates of whole operations and headers of operations with regions, by key.
#[derive(Debug)]
pub(in crate::text) struct LineCache {
    known: FxHashMap<Box<[u8]>, Template>,
    pub(super) headers: Vec<Header>,
    /// Indices of the headers by key.
    header_index: FxHashMap<Box<[u8]>, u32>,
    /// The line that opens a region of the operation being read, and the number of diagnostics
    /// before it.
    pub(super) pending: Option<(Line, usize)>,
    /// Key of the current line: its text with one byte for each name, then one byte for the kind of
    /// the first token on the next line.
    text: Text,
    hit_budget: HitBudget,
}

impl Default for LineCache {
    fn default() -> Self {
        LineCache {
            known: FxHashMap::default(),
            headers: Vec::new(),
            header_index: FxHashMap::default(),
            pending: None,
            text: Text {
                bytes: [0; MAX_LINE + WORD],
                len: 0,
            },
            hit_budget: HitBudget::default(),
        }
    }
}

/// Template of an operation: all but its operands.
#[derive(Debug)]
struct Template {
    name: OpName,
    dicts: Dicts,
    /// Operands: the index of each among the values of the line, and its type.
    operands: SmallVec<[(u8, Type); 4]>,
    results: SmallVec<[Type; 2]>,
}

/// Position of a name in the source, its sigil included.
#[derive(Clone, Copy, Debug)]
pub(super) struct NameSpan {
    pub(super) pos: u32,
    pub(super) end: u32,
}

/// Current line, split into fixed text and names.
#[derive(Debug)]
pub(super) struct Line {
    /// The name of the result; `None` where the line names none.
    pub(super) result: Option<NameSpan>,
    /// Start of the operation's name.
    pub(super) start: u32,
    /// End of the text.
    pub(super) end: u32,
    /// The distinct values that the line uses.
    pub(super) values: SmallVec<[Value; 8]>,
    /// The names that the line introduces.
    pub(super) fresh: SmallVec<[NameSpan; 2]>,
    /// The token after the line; `None` if the line opens a region.
    next: Option<Token>,
}

/// Key buffer.
#[derive(Debug)]
struct Text {
    /// Padded past the longest line, so that whole words can be copied.
    bytes: [u8; MAX_LINE + WORD],
    len: usize,
}

impl Text {
    fn clear(&mut self) {
        self.len = 0;
    }

    fn get(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    fn push(&mut self, byte: u8) {
        self.bytes[self.len] = byte;
        self.len += 1;
    }

    /// Appends the source from `pos` up to a `%`, the end of the line or a byte that is not ASCII,
    /// and returns the position of that; `None` if that is too far away.
    #[inline]
    fn take_plain(&mut self, source: &[u8], mut pos: usize) -> Option<usize> {
        let mut len = self.len;
        while len < MAX_LINE {
            let word = source.get(pos..pos + WORD)?.first_chunk::<WORD>()?;
            self.bytes[len..len + WORD].copy_from_slice(word);
            let word = u64::from_le_bytes(*word);
            let stop = byte_mask(word, b'%') | byte_mask(word, b'\n') | (word & NOT_ASCII);
            let plain = stop.trailing_zeros() as usize / 8;
            (len, pos) = (len + plain, pos + plain);
            if stop != 0 {
                self.len = len;
                return (len < MAX_LINE).then_some(pos);
            }
        }
        None
    }
}

impl<'s> Parser<'s> {
    /// Reads an operation to the end of `block`, from the cache if possible.
    pub(crate) fn operation(&mut self, block: BlockId) -> PResult<OpId> {
        let usual = self.caches.lines.hit_budget.is_left()
            && !self.legacy.on
            && self.forwards.is_empty()
            // In deeper nesting the parser proper may refuse a line that it accepted elsewhere.
            && self.depth() + 3 * (MAX_BRACKETS as u32) < MAX_DEPTH;
        if !usual {
            return self.operation_in_full(block);
        }
        let Some(line) = self.line() else {
            return self.operation_in_full(block);
        };
        let Some(next) = line.next else {
            return self.operation_with_region(block, line);
        };
        if let Some(op) = self.operation_from_template(block, &line, next) {
            self.caches.lines.hit_budget.hit();
            return Ok(op);
        }
        self.caches.lines.hit_budget.miss();
        let before = self.num_diagnostics();
        let op = self.operation_in_full(block)?;
        if self.num_diagnostics() == before
            && let Some(template) = self.template_of(&line, next, op)
        {
            self.caches.lines.add(template);
        }
        Ok(op)
    }

    /// Scans the rest of the current line and builds its key; `None` if such a line is never
    /// cached.
    fn line(&mut self) -> Option<Line> {
        let bytes = self.bytes;
        let (mut pos, mut result) = (self.tok.start as usize, None);
        self.caches.lines.text.clear();
        if self.at(Tok::Percent) {
            let end = self.tok.end as usize;
            result = Some(NameSpan {
                pos: self.tok.start,
                end: self.tok.end,
            });
            pos = end + EQUALS.len();
            if bytes.get(end..pos) != Some(EQUALS) {
                return None;
            }
            self.caches.lines.text.push(RESULT);
        }
        let start = pos as u32;
        let mut values: SmallVec<[Value; 8]> = SmallVec::new();
        let mut fresh: SmallVec<[NameSpan; 2]> = SmallVec::new();
        loop {
            pos = self.caches.lines.text.take_plain(bytes, pos)?;
            match bytes[pos] {
                b'%' => {}
                b'\n' => break,
                _ => return None,
            }
            let start = pos + 1;
            pos = start + suffix_len(&bytes[start..]);
            let name = &bytes[start..pos];
            // A `#` after a name selects a result, which no template does, and a `%` alone is no
            // name.
            let after = bytes[pos..].iter().find(|b| !b.is_ascii_whitespace());
            if after == Some(&b'#') || name.is_empty() {
                return None;
            }
            let byte = if let Some(entry) = self.names.find(name) {
                let value = entry.first.filter(|_| entry.level == self.level)?;
                let at = values.iter().position(|&v| v == value).unwrap_or_else(|| {
                    values.push(value);
                    values.len() - 1
                });
                NAME | (at < MAX_NAMES).then_some(at as u8)?
            } else {
                // An argument of the region that the line opens.
                let (pos, end) = (start as u32 - 1, pos as u32);
                fresh.push(NameSpan { pos, end });
                // Header lines of functions, which write types, seldom repeat.
                let usual = fresh.len() <= MAX_FRESH && bytes.get(end as usize) != Some(&b':');
                NEW | usual.then_some(fresh.len() as u8 - 1)?
            };
            self.caches.lines.text.push(byte);
        }
        let end = bytes[..pos].trim_ascii_end().len() as u32;
        let next = match bytes[..end as usize].last() {
            Some(b'{') => None,
            _ if fresh.is_empty() => Some(self.token_after(pos as u32)?),
            _ => return None,
        };
        Some(Line {
            result,
            start,
            end,
            values,
            fresh,
            next,
        })
    }

    /// Scans the first token after a line and appends its kind to the key; `None` for a word that
    /// might continue the form.
    fn token_after(&mut self, end: u32) -> Option<Token> {
        let mut lexer = self.lexer.clone();
        lexer.seek(end);
        let next = lexer.next();
        self.caches.lines.text.push(match next.kind {
            Tok::Percent => b'%',
            Tok::RBrace => b'}',
            Tok::Bare if self.text_of(next).contains(&b'.') => b'.',
            _ => return None,
        });
        Some(next)
    }

    /// Returns a name without its sigil.
    pub(super) fn name_at(&self, name: NameSpan) -> &'s [u8] {
        self.slice(name.pos + 1, name.end)
    }

    /// Whether a name is not in scope.
    pub(super) fn is_free(&self, name: NameSpan) -> bool {
        self.names.find(self.name_at(name)).is_none()
    }

    /// Builds the operation of a line from its template, on a hit.
    fn operation_from_template(
        &mut self,
        block: BlockId,
        line: &Line,
        next: Token,
    ) -> Option<OpId> {
        let template = self.caches.lines.find()?;
        let mut operands = SmallVec::new();
        for &(at, ty) in &template.operands {
            let value = *line.values.get(usize::from(at))?;
            if self.body.ty(value) != ty {
                return None;
            }
            operands.push(value);
        }
        if let Some(name) = line.result
            && !self.is_free(name)
        {
            return None;
        }
        let op = self.body.append_new(
            block,
            NewOp {
                name: template.name,
                loc: self.loc(line.start),
                properties: template.dicts.properties,
                attributes: template.dicts.attributes,
                operands,
                results: &template.results,
                successors: &[],
                regions: &[],
                own: None,
            },
        );
        if let Some(name) = line.result {
            let first = self.body[op].result(0);
            self.define(self.name_at(name), name.pos, first, 1);
        }
        self.lexer.seek(next.end);
        self.tok = next;
        self.last_end = line.end;
        Some(op)
    }

    /// Makes the template of the operation just read from a line; `None` if it depends on more than
    /// the line.
    fn template_of(&self, line: &Line, next: Token, op: OpId) -> Option<Template> {
        let data = &self.body[op];
        let usual = (self.last_end, self.tok.start) == (line.end, next.start)
            && matches!(data.regions(), Regions::None)
            && data.successors().is_empty()
            && data.loc == self.loc(line.start)
            && (line.result.is_none() || data.num_results() == 1)
            && self.is_cacheable(line);
        if !usual {
            return None;
        }
        Some(Template {
            name: data.name,
            dicts: Dicts {
                properties: data.properties,
                attributes: data.attributes,
            },
            operands: self.places_in(line, &data.operands)?,
            results: data.results().map(|result| self.body.ty(result)).collect(),
        })
    }

    /// Whether the current line's operation depends on nothing but its key.
    pub(super) fn is_cacheable(&self, line: &Line) -> bool {
        let mut lexer = self.lexer.clone();
        lexer.seek(line.start);
        let name = self.text_of(lexer.next());
        let text = self.caches.lines.text.get();
        let brackets = text.iter().filter(|b| b"([{<-".contains(b));
        // A name without a dot depends on the default dialect around it.
        (name.starts_with(b"\"") || name.contains(&b'.'))
            && brackets.count() <= MAX_BRACKETS
            // No blocks, possible comments, or escapes in strings.
            && !text.iter().any(|b| b"^/\\".contains(b))
            && !names_in_strings(self.slice(line.start, line.end))
    }

    /// Maps each operand to its index among the values of the line, with its type; `None` if the
    /// values of the line and the operands are not the same set.
    pub(super) fn places_in(
        &self,
        line: &Line,
        operands: &[Value],
    ) -> Option<SmallVec<[(u8, Type); 4]>> {
        let place = |&operand: &Value| {
            let at = line.values.iter().position(|&value| value == operand)?;
            Some((at as u8, self.body.ty(operand)))
        };
        let used = |value: &Value| operands.contains(value);
        let places: Option<_> = operands.iter().map(place).collect();
        places.filter(|_| line.values.iter().all(used))
    }
}

const EQUALS: &[u8] = b" = ";

/// Whether a string in a line without escapes contains something like a name.
fn names_in_strings(line: &[u8]) -> bool {
    let mut inside = line.split(|&b| b == b'"').skip(1).step_by(2);
    inside.any(|string| string.contains(&b'%'))
}

impl LineCache {
    /// Looks the current line's template up.
    fn find(&self) -> Option<&Template> {
        self.known.get(self.text.get())
    }

    /// Caches a template under the current line's key.
    fn add(&mut self, template: Template) {
        if self.known.len() < MAX_ENTRIES {
            self.known.insert(self.text.get().into(), template);
        }
    }

    /// Looks the current line's header up; returns its index.
    pub(super) fn find_header(&self) -> Option<u32> {
        self.header_index.get(self.text.get()).copied()
    }

    /// Caches a header under the current line's key.
    pub(super) fn add_header(&mut self, header: Header) {
        if self.headers.len() < MAX_ENTRIES {
            let index = self.headers.len() as u32;
            self.header_index.insert(self.text.get().into(), index);
            self.headers.push(header);
        }
    }
}
