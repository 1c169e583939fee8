//! Output buffer of the printer.

use std::fmt;
use std::ops::Range;

/// Text under construction. Stored as bytes, so that a short text in a field of fixed length is
/// added by one copy; all additions are whole characters.
#[derive(Default)]
pub(crate) struct Out {
    /// The text, and spare room behind it.
    bytes: Vec<u8>,
    end: usize,
    /// Length of the text that has been handed on.
    gone: usize,
}

/// Part size in bytes, handed on at once.
const PART: usize = 1 << 16;

/// Blanks that are copied at once.
const BLANKS: usize = 32;

const WHOLE: &str = "a text under construction has whole characters";

impl Out {
    /// Length in bytes with the text handed on: positions count from the start of the whole text.
    pub(crate) fn len(&self) -> usize {
        self.gone + self.end
    }

    /// Appends a character.
    #[inline]
    pub(crate) fn push(&mut self, c: char) {
        match u8::try_from(c) {
            Ok(byte) if byte.is_ascii() => self.push_field(&[byte], 1),
            _ => self.push_str(c.encode_utf8(&mut [0; 4])),
        }
    }

    /// Appends a text.
    #[inline]
    pub(crate) fn push_str(&mut self, text: &str) {
        let end = self.end + text.len();
        if end > self.bytes.len() {
            self.grow(text.len());
        }
        self.bytes[self.end..end].copy_from_slice(text.as_bytes());
        self.end = end;
    }

    /// Appends the first `length` bytes of a field.
    #[inline]
    pub(crate) fn push_field<const N: usize>(&mut self, field: &[u8; N], length: usize) {
        debug_assert!(length <= N);
        loop {
            let room = self.bytes.get_mut(self.end..);
            if let Some(room) = room.and_then(|room| room.first_chunk_mut()) {
                *room = *field;
                self.end += length;
                return;
            }
            self.grow(N);
        }
    }

    /// Doubles the buffer and adds so many bytes.
    #[cold]
    fn grow(&mut self, more: usize) {
        self.bytes.resize(self.bytes.len() * 2 + more, 0);
    }

    /// Appends blanks.
    #[inline]
    pub(crate) fn push_blanks(&mut self, count: usize) {
        let mut left = count;
        while left > BLANKS {
            self.push_field(&[b' '; BLANKS], BLANKS);
            left -= BLANKS;
        }
        self.push_field(&[b' '; BLANKS], left);
    }

    /// Appends a number in decimal.
    pub(crate) fn push_number(&mut self, number: u64) {
        if number < 10 {
            self.push_field(&[digit(number)], 1);
            return;
        }
        if number >= 100 {
            self.push_number(number / 100);
        }
        self.push_field(&[digit(number / 10), digit(number)], 2);
    }

    /// Returns the bytes of a range of positions.
    pub(crate) fn bytes(&self, part: Range<usize>) -> &[u8] {
        &self.bytes[part.start - self.gone..part.end - self.gone]
    }

    /// Returns the text from a position on.
    pub(crate) fn since(&self, start: usize) -> &str {
        std::str::from_utf8(&self.bytes[start - self.gone..self.end]).expect(WHOLE)
    }

    /// Returns the text that has not been handed on.
    pub(crate) fn as_str(&self) -> &str {
        self.since(self.gone)
    }

    /// Returns the text that has not been handed on.
    pub(crate) fn into_string(mut self) -> String {
        self.bytes.truncate(self.end);
        String::from_utf8(self.bytes).expect(WHOLE)
    }

    /// Replaces an ASCII character by another.
    pub(crate) fn replace(&mut self, at: usize, by: u8) {
        self.bytes[at - self.gone] = by;
    }

    /// Drops the text from a position on.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.end = length - self.gone;
    }

    /// Hands all of the text on.
    pub(crate) fn hand_on(&mut self, sink: &mut dyn FnMut(&str)) {
        self.hand_on_up_to(self.end, sink);
    }

    /// Hands on as many whole parts as there are: files take writes aligned to their blocks sooner.
    pub(crate) fn hand_on_parts(&mut self, sink: &mut dyn FnMut(&str)) {
        self.hand_on_up_to(self.end - self.end % PART, sink);
    }

    /// Hands on so many bytes, fewer if they would end within a character.
    fn hand_on_up_to(&mut self, end: usize, sink: &mut dyn FnMut(&str)) {
        let text = self.as_str();
        let end = text.floor_char_boundary(end);
        sink(&text[..end]);
        self.bytes.copy_within(end..self.end, 0);
        self.gone += end;
        self.end -= end;
    }

    /// Whether a whole part is ready.
    pub(crate) fn is_full(&self) -> bool {
        self.end >= PART
    }
}

impl fmt::Debug for Out {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Out({} bytes)", self.len())
    }
}

impl fmt::Write for Out {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push_str(text);
        Ok(())
    }
}

/// Returns the last digit of a number.
pub(crate) fn digit(number: u64) -> u8 {
    b'0' + (number % 10) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn appends_characters_fields_and_numbers() {
        let mut out = Out::default();
        out.push('é');
        out.push_field(b"%arg3...", 5);
        for number in [0, 9, 10, 99, 100, 12_345, u64::MAX] {
            out.push(' ');
            out.push_number(number);
        }
        assert_eq!(
            out.as_str(),
            "é%arg3 0 9 10 99 100 12345 18446744073709551615"
        );
    }
}
