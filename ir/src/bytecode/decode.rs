//! Decoding primitives: numbers, sections, errors.

use super::format::{HAS_ALIGNMENT, SECTIONS};

/// An error in a file, with the byte offset where it shows.
#[derive(Debug)]
pub(super) struct Corrupt {
    pub offset: usize,
    pub message: String,
}

/// The result of decoding. The error is boxed, since the result of every small
/// number carries it.
pub(super) type Read<T> = Result<T, Box<Corrupt>>;

/// A position in a file and the end of the current part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'a> {
    /// The file up to the end of the part, so that positions are file offsets.
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor at the start of a file.
    pub fn new(bytes: &'a [u8]) -> Self {
        Cursor { bytes, at: 0 }
    }

    /// A cursor over a part of the same file.
    pub fn part(&self, start: usize, end: usize) -> Cursor<'a> {
        Cursor {
            bytes: &self.bytes[..end],
            at: start,
        }
    }

    /// A cursor at another position of the same part.
    pub fn at(&self, place: usize) -> Cursor<'a> {
        Cursor {
            bytes: self.bytes,
            at: place,
        }
    }

    /// The offset in the file.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// The number of bytes left.
    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub fn at_end(&self) -> bool {
        self.at == self.bytes.len()
    }

    /// An error at this position.
    #[cold]
    pub fn error<T>(&self, message: impl Into<String>) -> Read<T> {
        fail(self.at, message)
    }

    #[cold]
    fn ends<T>(&self) -> Read<T> {
        self.error("the data ends too early")
    }

    #[inline]
    pub fn byte(&mut self) -> Read<u8> {
        match self.bytes.get(self.at) {
            Some(&byte) => {
                self.at += 1;
                Ok(byte)
            }
            None => self.ends(),
        }
    }

    pub fn bytes(&mut self, count: u64) -> Read<&'a [u8]> {
        if count > self.left() as u64 {
            return self.ends();
        }
        let start = self.at;
        self.at += count as usize;
        Ok(&self.bytes[start..self.at])
    }

    /// Decodes a varint of up to 64 bits. The trailing zeros of the first byte
    /// count the bytes that follow it.
    #[inline]
    pub fn varint(&mut self) -> Read<u64> {
        // One path for all lengths up to eight bytes: they are unpredictable.
        if let Some(word) = self.bytes[self.at..].first_chunk() {
            let word = u64::from_le_bytes(*word);
            let count = word.trailing_zeros() + 1;
            if count <= 8 {
                self.at += count as usize;
                return Ok(word << (64 - 8 * count) >> (64 - 7 * count));
            }
        }
        self.varint_at_end()
    }

    /// Decodes a varint of nine bytes, or one near the end of the data.
    #[cold]
    fn varint_at_end(&mut self) -> Read<u64> {
        let first = self.byte()?;
        let more = first.trailing_zeros() as usize;
        if self.left() < more {
            return self.ends();
        }
        let mut word = [0; 8];
        if more == 8 {
            word.copy_from_slice(&self.bytes[self.at..self.at + 8]);
            self.at += 8;
            return Ok(u64::from_le_bytes(word));
        }
        word[0] = first;
        word[1..=more].copy_from_slice(&self.bytes[self.at..self.at + more]);
        self.at += more;
        Ok(u64::from_le_bytes(word) >> (more + 1))
    }

    /// Decodes a zigzag-encoded signed number.
    pub fn signed(&mut self) -> Read<i64> {
        let value = self.varint()?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// Decodes a number with a flag in its lowest bit.
    pub fn flagged(&mut self) -> Read<(u64, bool)> {
        let value = self.varint()?;
        Ok((value >> 1, value & 1 == 1))
    }

    /// Decodes the index of an entry of a table with `len` entries.
    #[inline]
    pub fn index(&mut self, len: usize, what: &str) -> Read<usize> {
        let start = self.at;
        let index = self.varint()?;
        check_index(start, index, len, what)
    }

    /// Decodes the number of items that follow; each takes at least a byte.
    #[inline]
    pub fn count(&mut self, what: &str) -> Read<usize> {
        let start = self.at;
        let count = self.varint()?;
        self.check_count(start, count, what)
    }

    /// Checks a count that was read at `start`.
    pub fn check_count(&self, start: usize, count: u64, what: &str) -> Read<usize> {
        if count > self.left() as u64 {
            return self.too_many(start, count, what);
        }
        Ok(count as usize)
    }

    #[cold]
    fn too_many<T>(&self, start: usize, count: u64, what: &str) -> Read<T> {
        let left = self.left();
        let message = format!("{count} {what}, but {left} byte(s) are left");
        fail(start, message)
    }

    /// Decodes a section: its id and its data.
    pub fn section(&mut self) -> Read<(u8, Cursor<'a>)> {
        let start = self.at;
        let id = self.byte()?;
        let length = self.varint()?;
        if usize::from(id & !HAS_ALIGNMENT) >= SECTIONS {
            let id = id & !HAS_ALIGNMENT;
            return fail(start, format!("invalid section {id}"));
        }
        if id & HAS_ALIGNMENT != 0 {
            let alignment = self.varint()?;
            self.align(alignment)?;
        }
        if length > self.left() as u64 {
            let left = self.left();
            let message = format!("a section of {length} byte(s), but {left} are left");
            return fail(start, message);
        }
        let data = self.part(self.at, self.at + length as usize);
        self.at += length as usize;
        Ok((id & !HAS_ALIGNMENT, data))
    }

    /// Skips padding up to a multiple of `alignment`.
    pub fn align(&mut self, alignment: u64) -> Read<()> {
        if !alignment.is_power_of_two() {
            return self.error(format!("alignment {alignment} is not a power of two"));
        }
        let padding = (self.at as u64).wrapping_neg() & (alignment - 1);
        self.bytes(padding).map(|_| ())
    }
}

/// An error at an offset.
#[cold]
pub(super) fn fail<T>(offset: usize, message: impl Into<String>) -> Read<T> {
    Err(Box::new(Corrupt {
        offset,
        message: message.into(),
    }))
}

/// Checks the index of an entry of a table with `len` entries.
#[inline]
pub(super) fn check_index(offset: usize, index: u64, len: usize, what: &str) -> Read<usize> {
    if index < len as u64 {
        return Ok(index as usize);
    }
    invalid_index(offset, index, len, what)
}

#[cold]
fn invalid_index<T>(offset: usize, index: u64, len: usize, what: &str) -> Read<T> {
    fail(offset, format!("invalid {what} {index}: there are {len}"))
}
