//! What texts stand for that were read before: a file has few types and maps,
//! and writes each of them often.

use std::ops::Range;

use crate::hash::{FxHashMap, hash_of};
use crate::text::read::parser::{PResult, Parser};

/// The longest text, in bytes, that is remembered.
const MAX_LEN: usize = 256;

/// Texts that are compared with the source before any is looked up.
const RECENT: usize = 64;

/// A parser's memo of one kind of texts.
pub(super) type CacheOf<'s, T> = for<'p> fn(&'p mut Parser<'s>) -> &'p mut TextCache<'s, T>;

/// Texts that mean the same wherever they stand, each a keyword and what
/// follows it in angle brackets, with what they stand for.
#[derive(Debug)]
pub(in crate::text) struct TextCache<'s, T> {
    all: FxHashMap<&'s [u8], T>,
    /// Some of them, each at a place that follows from how it begins.
    recent: [Option<(&'s [u8], T)>; RECENT],
}

impl<T: Copy> Default for TextCache<'_, T> {
    fn default() -> Self {
        TextCache {
            all: FxHashMap::default(),
            recent: [None; RECENT],
        }
    }
}

impl<'s, T: Copy> TextCache<'s, T> {
    /// The text that `source` starts with, if it is among the recent ones;
    /// `telling` is where such texts differ.
    #[inline]
    fn recent(&self, source: &[u8], telling: Range<usize>) -> Option<(&'s [u8], T)> {
        let known = self.recent[place(source, telling)];
        known.filter(|(text, _)| source.starts_with(text) && source.get(text.len()) != Some(&b'='))
    }

    /// What a text stands for that `source` starts with.
    fn find(&mut self, text: &'s [u8], source: &[u8], telling: Range<usize>) -> Option<T> {
        let value = *self.all.get(text)?;
        self.recent[place(source, telling)] = Some((text, value));
        Some(value)
    }

    /// Remembers a text.
    fn add(&mut self, text: &'s [u8], value: T) {
        self.all.insert(text, value);
    }
}

/// The place among the recent texts for one that `source` starts with.
fn place(source: &[u8], telling: Range<usize>) -> usize {
    let telling = source.get(telling).unwrap_or(b"");
    (hash_of(telling) >> 32) as usize % RECENT
}

/// Whether the search for the end of a text stops at a byte, since it means that
/// this is no text to be remembered.
pub(in crate::text) type Stops = [bool; 256];

/// The table that says `named` for these bytes.
pub(in crate::text) const fn stops(bytes: &[u8], named: bool) -> Stops {
    let mut table = [!named; 256];
    let mut at = 0;
    while at < bytes.len() {
        table[bytes[at] as usize] = named;
        at += 1;
    }
    table
}

impl<'s> Parser<'s> {
    /// What starts with the current keyword and goes on in angle brackets, read
    /// by `read` unless its text has been read before. Such texts differ in the
    /// bytes `telling`, counted from behind the first bracket; one with bytes
    /// that `stops` names may mean something else elsewhere.
    #[inline]
    pub(in crate::text) fn cached<T: Copy>(
        &mut self,
        memo: CacheOf<'s, T>,
        telling: Range<usize>,
        stops: &Stops,
        read: impl FnOnce(&mut Self) -> PResult<T>,
    ) -> PResult<T> {
        let source = self.bytes.get(self.tok.start as usize..).unwrap_or(b"");
        let inside = self.text().len() + 1;
        let telling = inside + telling.start..inside + telling.end;
        if let Some((text, value)) = memo(self).recent(source, telling.clone()) {
            self.skip_text(text);
            return Ok(value);
        }
        let Some(text) = self.cacheable_text(stops) else {
            return read(self);
        };
        if let Some(value) = memo(self).find(text, source, telling) {
            self.skip_text(text);
            return Ok(value);
        }
        let value = read(self)?;
        memo(self).add(text, value);
        Ok(value)
    }

    /// The current keyword and the angle brackets after it, if what they hold
    /// can be read off. A `>` next to `-` or `=` is no bracket.
    fn cacheable_text(&self, stops: &Stops) -> Option<&'s [u8]> {
        let start = self.tok.end as usize;
        let (b'<', rest) = self.bytes.get(start..)?.split_first()? else {
            return None;
        };
        for (at, &byte) in rest.iter().enumerate().take(MAX_LEN) {
            if stops[usize::from(byte)] {
                return None;
            }
            if byte == b'>' {
                let arrow = at > 0 && rest[at - 1] == b'-';
                if arrow || rest.get(at + 1) == Some(&b'=') {
                    continue;
                }
                return Some(&self.bytes[self.tok.start as usize..start + at + 2]);
            }
        }
        None
    }

    /// Goes on after a text that [`Parser::cacheable_text`] has given.
    fn skip_text(&mut self, text: &[u8]) {
        let end = self.tok.start + text.len() as u32;
        self.seek(end);
        self.last_end = end;
    }
}
