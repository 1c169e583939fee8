//! Text cache: types and maps by their spelling. A file has few of them and writes each often.

use std::ops::Range;

use crate::hash::{FxHashMap, hash_of};
use crate::text::read::parser::{PResult, Parser};

/// Length limit of a cached text, in bytes.
const MAX_LEN: usize = 256;

/// Slots of the direct-mapped cache that is asked before the table.
const RECENT: usize = 64;

/// Accessor of a parser's cache for one kind of texts.
pub(super) type CacheOf<'s, T> = for<'p> fn(&'p mut Parser<'s>) -> &'p mut TextCache<'s, T>;

/// Cache of texts with a meaning independent of context, each a keyword and angle brackets, by
/// spelling.
#[derive(Debug)]
pub(in crate::text) struct TextCache<'s, T> {
    all: FxHashMap<&'s [u8], T>,
    /// Direct-mapped cache over `all`, indexed by a hash of the `telling` bytes.
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
    /// Looks up the recent text that `source` starts with; `telling` is the range where such texts
    /// differ.
    #[inline]
    fn recent(&self, source: &[u8], telling: Range<usize>) -> Option<(&'s [u8], T)> {
        let known = self.recent[place(source, telling)];
        known.filter(|(text, _)| source.starts_with(text) && source.get(text.len()) != Some(&b'='))
    }

    /// Looks a text up that `source` starts with.
    fn find(&mut self, text: &'s [u8], source: &[u8], telling: Range<usize>) -> Option<T> {
        let value = *self.all.get(text)?;
        self.recent[place(source, telling)] = Some((text, value));
        Some(value)
    }

    /// Adds a text to the cache.
    fn add(&mut self, text: &'s [u8], value: T) {
        self.all.insert(text, value);
    }
}

/// Slot for a text that `source` starts with.
fn place(source: &[u8], telling: Range<usize>) -> usize {
    let telling = source.get(telling).unwrap_or(b"");
    (hash_of(telling) >> 32) as usize % RECENT
}

/// Byte table: whether a byte ends the scan of a text as not cacheable.
pub(in crate::text) type Stops = [bool; 256];

/// Builds the table that says `named` for these bytes.
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
    /// Parses the current keyword and the angle brackets after it: from the cache, or with `read`.
    /// Such texts differ in the bytes `telling`, counted from behind the first bracket; one with
    /// bytes in `stops` may depend on context and is not cached.
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

    /// Returns the current keyword with the angle brackets after it, if their contents are
    /// cacheable. A `>` next to `-` or `=` is no bracket.
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

    /// Moves the cursor past a text of [`Parser::cacheable_text`].
    fn skip_text(&mut self, text: &[u8]) {
        let end = self.tok.start + text.len() as u32;
        self.seek(end);
        self.last_end = end;
    }
}
