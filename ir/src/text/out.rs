//! Text as it grows.

use std::fmt;
use std::ops::Range;

/// A text under construction. It is kept as bytes, so that a short text in a
/// field of fixed length is added by one copy; whole characters are all that
/// is ever added.
#[derive(Default)]
pub(crate) struct Out {
    text: Vec<u8>,
    /// How much of the text has been handed on.
    gone: usize,
}

/// Bytes of text that are handed on at once.
const FULL: usize = 1 << 16;

/// Blanks that are copied at once.
const BLANKS: usize = 32;

const WHOLE: &str = "a text under construction has whole characters";

impl Out {
    /// Length in bytes, with what has been handed on: places in the text are
    /// counted from its start.
    pub(crate) fn len(&self) -> usize {
        self.gone + self.text.len()
    }

    /// Appends a character.
    #[inline]
    pub(crate) fn push(&mut self, c: char) {
        match u8::try_from(c) {
            Ok(byte) if byte.is_ascii() => self.text.push(byte),
            _ => self.push_str(c.encode_utf8(&mut [0; 4])),
        }
    }

    /// Appends a text.
    #[inline]
    pub(crate) fn push_str(&mut self, text: &str) {
        self.text.extend_from_slice(text.as_bytes());
    }

    /// Appends the first `length` bytes of a field.
    #[inline]
    pub(crate) fn push_field<const N: usize>(&mut self, field: &[u8; N], length: usize) {
        let end = self.text.len() + length;
        self.text.extend_from_slice(field);
        self.text.truncate(end);
    }

    /// Appends blanks.
    #[inline]
    pub(crate) fn push_blanks(&mut self, count: usize) {
        if count <= BLANKS {
            self.push_field(&[b' '; BLANKS], count);
        } else {
            self.text.resize(self.text.len() + count, b' ');
        }
    }

    /// Appends a number in decimal.
    pub(crate) fn push_number(&mut self, number: u64) {
        if number < 10 {
            self.text.push(digit(number));
            return;
        }
        if number >= 100 {
            self.push_number(number / 100);
        }
        self.text.extend([digit(number / 10), digit(number)]);
    }

    /// The bytes between two places.
    pub(crate) fn bytes(&self, part: Range<usize>) -> &[u8] {
        &self.text[part.start - self.gone..part.end - self.gone]
    }

    /// The text from a place on.
    pub(crate) fn since(&self, start: usize) -> &str {
        std::str::from_utf8(&self.text[start - self.gone..]).expect(WHOLE)
    }

    /// All of the text that has not been handed on.
    pub(crate) fn as_str(&self) -> &str {
        self.since(self.gone)
    }

    /// All of the text that has not been handed on.
    pub(crate) fn into_string(self) -> String {
        String::from_utf8(self.text).expect(WHOLE)
    }

    /// Puts an ASCII character in the place of another.
    pub(crate) fn replace(&mut self, at: usize, by: u8) {
        self.text[at - self.gone] = by;
    }

    /// Forgets the text from a place on.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.text.truncate(length - self.gone);
    }

    /// Hands on what is there of the text.
    pub(crate) fn hand_on(&mut self, sink: &mut dyn FnMut(&str)) {
        sink(std::str::from_utf8(&self.text).expect(WHOLE));
        self.gone += self.text.len();
        self.text.clear();
    }

    /// Whether enough of the text is there to hand it on.
    pub(crate) fn is_full(&self) -> bool {
        self.text.len() >= FULL
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

/// The last digit of a number.
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
