//! Encoding primitives: numbers and sections.

use super::format::{HAS_ALIGNMENT, PADDING, Section};

/// An output buffer.
#[derive(Default, Debug)]
pub(super) struct Encoder {
    pub bytes: Vec<u8>,
    /// The number of bytes already handed to the sink.
    before: usize,
}

impl Encoder {
    pub fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Encodes a varint in one to nine bytes: the trailing zeros of the first
    /// byte count the bytes that follow it.
    #[inline]
    pub fn varint(&mut self, value: u64) {
        let marked = value << 1 | 1;
        // Fixed lengths for the frequent sizes.
        match value {
            0..0x80 => self.bytes.push(marked as u8),
            0x80..0x4000 => self.raw(&((marked << 1) as u16).to_le_bytes()),
            0x4000..0x20_0000 => {
                let [a, b, c, _] = ((marked << 2) as u32).to_le_bytes();
                self.raw(&[a, b, c]);
            }
            0x20_0000..0x1000_0000 => self.raw(&((marked << 3) as u32).to_le_bytes()),
            _ => self.long_varint(value),
        }
    }

    fn long_varint(&mut self, value: u64) {
        let bits = 64 - value.leading_zeros();
        let count = bits.div_ceil(7);
        if count > 8 {
            self.byte(0);
            return self.raw(&value.to_le_bytes());
        }
        // At most 56 bits and a marker of at most eight.
        let marked = (value << 1 | 1) << (count - 1);
        self.raw(&marked.to_le_bytes()[..count as usize]);
    }

    /// Zigzag-encodes a signed number.
    pub fn signed(&mut self, value: i64) {
        self.varint((value << 1 ^ value >> 63) as u64);
    }

    /// Encodes a number with a flag in its lowest bit.
    pub fn flagged(&mut self, value: u32, flag: bool) {
        self.varint(u64::from(value) << 1 | u64::from(flag));
    }

    /// Encodes the index of a table entry.
    pub fn index(&mut self, index: u32) {
        self.varint(index.into());
    }

    /// Encodes the number of items that follow.
    pub fn count(&mut self, count: usize) {
        self.varint(count as u64);
    }

    /// Encodes a section without alignment.
    pub fn section(&mut self, id: Section, data: &[u8]) {
        self.byte(id as u8);
        self.count(data.len());
        self.raw(data);
    }

    /// Encodes a long section: hands everything up to its end to `sink`,
    /// freeing each part once it is handed over.
    pub fn long_section<const N: usize>(
        &mut self,
        id: Section,
        parts: [Vec<u8>; N],
        sink: &mut dyn FnMut(&[u8]),
    ) {
        let length = parts.iter().map(Vec::len).sum();
        self.byte(id as u8);
        self.count(length);
        self.before += self.bytes.len() + length;
        sink(&self.bytes);
        self.bytes.clear();
        for part in parts {
            sink(&part);
        }
    }

    /// Encodes a section whose data starts at a file offset that is a multiple
    /// of `alignment`, a power of two.
    pub fn aligned_section(&mut self, id: Section, alignment: u32, data: &[u8]) {
        let mut head = Encoder::default();
        head.count(data.len());
        let mask = alignment as usize - 1;
        if (self.position() + 1 + head.bytes.len()) & mask == 0 {
            return self.section(id, data);
        }
        self.byte(id as u8 | HAS_ALIGNMENT);
        self.raw(&head.bytes);
        self.index(alignment);
        self.pad(alignment);
        self.raw(data);
    }

    /// Pads to a multiple of `alignment`, a power of two.
    pub fn pad(&mut self, alignment: u32) {
        let position = self.position();
        let padding = position.next_multiple_of(alignment as usize) - position;
        self.bytes.resize(self.bytes.len() + padding, PADDING);
    }

    /// The file offset of the next byte.
    fn position(&self) -> usize {
        self.before + self.bytes.len()
    }

    /// Wraps the bytes written since `start` in a section.
    pub fn wrap(&mut self, id: Section, start: usize) {
        let length = self.bytes.len() - start;
        let mut head = Encoder::default();
        head.byte(id as u8);
        head.count(length);
        let shift = head.bytes.len();
        self.bytes.resize(start + length + shift, 0);
        self.bytes.copy_within(start..start + length, start + shift);
        self.bytes[start..start + shift].copy_from_slice(&head.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::super::decode::Cursor;
    use super::*;

    #[test]
    fn numbers_come_back() {
        let mut values = vec![0, 1, u64::MAX, u64::MAX - 1, 1 << 63];
        for shift in 1..64 {
            values.extend([(1 << shift) - 1, 1 << shift, (1 << shift) + 1]);
        }
        let mut encoder = Encoder::default();
        for &value in &values {
            encoder.varint(value);
            encoder.signed(value as i64);
        }
        let mut cursor = Cursor::new(&encoder.bytes);
        for &value in &values {
            assert_eq!(cursor.varint().ok(), Some(value));
            assert_eq!(cursor.signed().ok(), Some(value as i64));
        }
        assert!(cursor.at_end());
    }

    #[test]
    fn lengths_are_those_of_the_format() {
        let length = |value| {
            let mut encoder = Encoder::default();
            encoder.varint(value);
            encoder.bytes.len()
        };
        for count in 1..9 {
            assert_eq!(length((1 << (7 * count)) - 1), count);
            assert_eq!(length(1 << (7 * count)), count + 1);
        }
    }
}
