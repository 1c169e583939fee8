//! Text as it grows.

use std::fmt;
use std::ops::Range;

/// A text under construction. It is kept as bytes, so that a short text in a
/// field of fixed length is added by one copy; whole characters are all that
/// is ever added.
#[derive(Default)]
pub(crate) struct Out(Vec<u8>);

/// Blanks that are copied at once.
const BLANKS: usize = 32;

const WHOLE: &str = "a text under construction has whole characters";

impl Out {
    /// Length in bytes.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Appends a character.
    #[inline]
    pub(crate) fn push(&mut self, c: char) {
        match u8::try_from(c) {
            Ok(byte) if byte.is_ascii() => self.0.push(byte),
            _ => self.push_str(c.encode_utf8(&mut [0; 4])),
        }
    }

    /// Appends a text.
    #[inline]
    pub(crate) fn push_str(&mut self, text: &str) {
        self.0.extend_from_slice(text.as_bytes());
    }

    /// Appends the first `length` bytes of a field.
    #[inline]
    pub(crate) fn push_field<const N: usize>(&mut self, field: &[u8; N], length: usize) {
        let end = self.0.len() + length;
        self.0.extend_from_slice(field);
        self.0.truncate(end);
    }

    /// Appends a part of another text.
    pub(crate) fn push_part(&mut self, other: &Out, part: Range<usize>) {
        self.0.extend_from_slice(&other.0[part]);
    }

    /// Appends blanks.
    #[inline]
    pub(crate) fn push_blanks(&mut self, count: usize) {
        if count <= BLANKS {
            self.push_field(&[b' '; BLANKS], count);
        } else {
            self.0.resize(self.0.len() + count, b' ');
        }
    }

    /// Appends a number in decimal.
    pub(crate) fn push_number(&mut self, number: u64) {
        if number < 10 {
            self.0.push(digit(number));
            return;
        }
        if number >= 100 {
            self.push_number(number / 100);
        }
        self.0.extend([digit(number / 10), digit(number)]);
    }

    /// The bytes between two places.
    pub(crate) fn bytes(&self, part: Range<usize>) -> &[u8] {
        &self.0[part]
    }

    /// The text from a place on.
    pub(crate) fn since(&self, start: usize) -> &str {
        std::str::from_utf8(&self.0[start..]).expect(WHOLE)
    }

    /// All of the text.
    pub(crate) fn as_str(&self) -> &str {
        self.since(0)
    }

    /// All of the text.
    pub(crate) fn into_string(self) -> String {
        String::from_utf8(self.0).expect(WHOLE)
    }

    /// Puts an ASCII character in the place of another.
    pub(crate) fn replace(&mut self, at: usize, by: u8) {
        self.0[at] = by;
    }

    /// Makes room for so many bytes more.
    pub(crate) fn reserve(&mut self, bytes: usize) {
        self.0.reserve(bytes);
    }

    /// Forgets the text, and keeps its memory.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
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
