//! Operations that differ from one read before in the names of values alone.
//!
//! Of all the operations that a program has it repeats few shapes. What one is
//! follows from its text, from which of the names in it are the same and from
//! the types of their values, unless it has regions or successors: no form
//! sees more. So a line that is the same as one read before but for the names
//! makes the same operation of other values. Whatever is unusual (a name that
//! is not defined, a value of another type) is left to the parser proper,
//! which then also says what is wrong.

use smallvec::SmallVec;

use super::region_lines::Header;
use crate::body::{BlockId, NewOp, OpId, Regions, Value};
use crate::hash::FxHashMap;
use crate::op::OpName;
use crate::patience::Patience;
use crate::text::attributes::Dicts;
use crate::text::read::lexer::{Tok, Token, suffix_len};
use crate::text::read::parser::{MAX_DEPTH, PResult, Parser};
use crate::types::Type;
use crate::words::{NOT_ASCII, WORD, marks};

/// The longest line, in bytes, that is compared.
const MAX_LINE: usize = 256;

/// Different values that a line may name.
const MAX_NAMES: usize = 64;

/// Arguments of a region that a line may name.
const MAX_FRESH: usize = 16;

/// LineCache that are remembered.
const MAX_ENTRIES: usize = 1 << 12;

/// Brackets and signs in the text of a template; one may lead two levels deeper.
const MAX_BRACKETS: usize = 32;

/// Where a name stands in the text of a template: this and the index of the value
/// among those of the line.
const NAME: u8 = 0x80;

/// Where the name of an argument stands: this and its index among these.
const NEW: u8 = NAME + MAX_NAMES as u8;

/// Where the name of the result stands.
const RESULT: u8 = 0xff;

/// The shapes met so far.
#[derive(Debug)]
pub(in crate::text) struct LineCache {
    known: FxHashMap<Box<[u8]>, Template>,
    pub(super) headers: Vec<Header>,
    /// The headers by their texts.
    header_index: FxHashMap<Box<[u8]>, u32>,
    /// A line that opens a region of the operation being read, and how much had
    /// been reported before it.
    pub(super) pending: Option<(Line, usize)>,
    /// The text of the line in hand: each name is one byte, and the last byte is
    /// what kind of token follows on the next line.
    text: Text,
    patience: Patience,
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
            patience: Patience::default(),
        }
    }
}

/// An operation without its values.
#[derive(Debug)]
struct Template {
    name: OpName,
    dicts: Dicts,
    /// Which value of the line each operand is, and its type.
    operands: SmallVec<[(u8, Type); 4]>,
    results: SmallVec<[Type; 2]>,
}

/// Where the name of a value stands, its sigil included.
#[derive(Clone, Copy, Debug)]
pub(super) struct NameSpan {
    pub(super) pos: u32,
    pub(super) end: u32,
}

/// A line that may be an operation of a known template.
#[derive(Debug)]
pub(super) struct Line {
    /// The name of the only result that has one.
    pub(super) result: Option<NameSpan>,
    /// Where the operation's name starts.
    pub(super) start: u32,
    /// Where the text ends.
    pub(super) end: u32,
    /// The values that the line names, each once.
    pub(super) values: SmallVec<[Value; 8]>,
    /// The names that it introduces.
    pub(super) fresh: SmallVec<[NameSpan; 2]>,
    /// The token after the line; `None` if the line opens a region.
    next: Option<Token>,
}

/// The text of a line.
#[derive(Debug)]
struct Text {
    /// Some room past the longest line, so that whole words can be copied.
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

    /// Takes the source from `pos` up to a `%`, the end of the line or a byte that
    /// is not ASCII, which it gives the position of; `None` if that is too far
    /// away.
    #[inline]
    fn take_plain(&mut self, source: &[u8], mut pos: usize) -> Option<usize> {
        let mut len = self.len;
        while len < MAX_LINE {
            let word = source.get(pos..pos + WORD)?.first_chunk::<WORD>()?;
            self.bytes[len..len + WORD].copy_from_slice(word);
            let word = u64::from_le_bytes(*word);
            let stop = marks(word, b'%') | marks(word, b'\n') | (word & NOT_ASCII);
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
    /// One operation, put at the end of `block`.
    pub(crate) fn operation(&mut self, block: BlockId) -> PResult<OpId> {
        let usual = self.caches.lines.patience.is_left()
            && !self.legacy.on
            && self.forwards.is_empty()
            // Deeper down the parser proper may refuse what it took elsewhere.
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
            self.caches.lines.patience.hit();
            return Ok(op);
        }
        self.caches.lines.patience.miss();
        let before = self.num_diagnostics();
        let op = self.operation_in_full(block)?;
        if self.num_diagnostics() == before
            && let Some(template) = self.template_of(&line, next, op)
        {
            self.caches.lines.add(template);
        }
        Ok(op)
    }

    /// The rest of the current line, whose text goes to the shapes; `None` if
    /// nothing that starts so can have a known template.
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
            // A number after a name follows no template, and a `%` alone is no name.
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
                // Lines of functions, which write types, are not worth a look.
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

    /// The first token after a line, whose kind goes to the text; `None` if it is
    /// a word that a form could go on with.
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

    /// A name without its sigil.
    pub(super) fn name_at(&self, name: NameSpan) -> &'s [u8] {
        self.slice(name.pos + 1, name.end)
    }

    /// Whether a name stands for nothing yet.
    pub(super) fn is_free(&self, name: NameSpan) -> bool {
        self.names.find(self.name_at(name)).is_none()
    }

    /// The operation that a line is whose template is known.
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

    /// The template of the operation that has been read from a line; `None` if more
    /// goes into it than the line says.
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

    /// Whether the text of a line, the one in hand, says all there is to it.
    pub(super) fn is_cacheable(&self, line: &Line) -> bool {
        let mut lexer = self.lexer.clone();
        lexer.seek(line.start);
        let name = self.text_of(lexer.next());
        let text = self.caches.lines.text.get();
        let brackets = text.iter().filter(|b| b"([{<-".contains(b));
        // Other names depend on what is around.
        (name.starts_with(b"\"") || name.contains(&b'.'))
            && brackets.count() <= MAX_BRACKETS
            // Blocks, what may be a comment, and escapes in strings.
            && !text.iter().any(|b| b"^/\\".contains(b))
            && !names_in_strings(self.slice(line.start, line.end))
    }

    /// Which value of a line each operand is, and its type; `None` if a value is
    /// no operand or an operand no value of the line.
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

/// Whether a string of a line, which holds no escapes, has what looks like a name.
fn names_in_strings(line: &[u8]) -> bool {
    let mut inside = line.split(|&b| b == b'"').skip(1).step_by(2);
    inside.any(|string| string.contains(&b'%'))
}

impl LineCache {
    /// The template of the line in hand.
    fn find(&self) -> Option<&Template> {
        self.known.get(self.text.get())
    }

    /// Remembers the template that the line in hand has.
    fn add(&mut self, template: Template) {
        if self.known.len() < MAX_ENTRIES {
            self.known.insert(self.text.get().into(), template);
        }
    }

    /// The header that the line in hand is, by its index.
    pub(super) fn find_header(&self) -> Option<u32> {
        self.header_index.get(self.text.get()).copied()
    }

    /// Remembers the header that the line in hand is.
    pub(super) fn add_header(&mut self, header: Header) {
        if self.headers.len() < MAX_ENTRIES {
            let index = self.headers.len() as u32;
            self.header_index.insert(self.text.get().into(), index);
            self.headers.push(header);
        }
    }
}
