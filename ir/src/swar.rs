//! SWAR byte search: scans text eight bytes at a time within one `u64` ("SIMD within a register").

/// Bytes of a word.
pub(crate) const WORD: usize = size_of::<u64>();

/// Mask of the highest bit of each byte.
pub(crate) const NOT_ASCII: u64 = u64::from_le_bytes([0x80; WORD]);

/// Byte-equality mask: sets the highest bit of each byte of `word` that is `byte`; above the lowest
/// of these bits there may be false ones. (The borrow of a subtraction reaches the highest bit of a
/// byte that was zero.)
#[inline]
pub(crate) fn byte_mask(word: u64, byte: u8) -> u64 {
    const LOW: u64 = u64::from_le_bytes([1; WORD]);
    let differs = word ^ (LOW * u64::from(byte));
    differs.wrapping_sub(LOW) & !differs & NOT_ASCII
}

/// Returns the index of the first `byte`.
#[inline]
pub(crate) fn position(bytes: &[u8], byte: u8) -> Option<usize> {
    let (words, rest) = bytes.as_chunks::<WORD>();
    for (index, word) in words.iter().enumerate() {
        let found = byte_mask(u64::from_le_bytes(*word), byte);
        if found != 0 {
            return Some(index * WORD + found.trailing_zeros() as usize / 8);
        }
    }
    let at = rest.iter().position(|&b| b == byte)?;
    Some(bytes.len() - rest.len() + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn position_is_that_of_an_iterator() {
        for len in 0..40 {
            for at in 0..=len {
                for (byte, other) in [(b'\n', b'x'), (0, 1), (0xff, 0x7f), (b'\n', b'\n' + 1)] {
                    let mut bytes = vec![other; len];
                    bytes.extend([byte; 2]);
                    bytes.swap(at, len);
                    let expected = bytes.iter().position(|&b| b == byte);
                    assert_eq!(position(&bytes, byte), expected, "{bytes:?}");
                    assert_eq!(position(&vec![other; len], byte), None);
                }
            }
        }
    }
}
