//! Element storage of an argument or result, in the bytes of host buffers and `.npy` files.

use std::borrow::Cow;
use std::sync::Arc;

use gridloom_interp::ScalarKind;
use gridloom_interp::scalar::{mask, sext};

/// Scalars of one kind, each as the little-endian bytes of its zero-extended bits,
/// [`ScalarKind::size`] of them. Copies share the bytes until one of them is changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Elements {
    kind: ScalarKind,
    bytes: Arc<Vec<u8>>,
}

impl Elements {
    /// Creates elements from bits, of which the low bits of the kind's width count.
    pub fn from_bits(kind: ScalarKind, bits: impl IntoIterator<Item = u64>) -> Self {
        let bits = bits.into_iter();
        let mut bytes = Vec::with_capacity(bits.size_hint().0.saturating_mul(kind.size()));
        for bits in bits {
            bytes.extend_from_slice(&stored(kind, bits).to_le_bytes()[..kind.size()]);
        }
        let bytes = Arc::new(bytes);
        Elements { kind, bytes }
    }

    /// Creates elements from bytes; `None` where the last element is incomplete.
    pub fn from_bytes(kind: ScalarKind, bytes: Vec<u8>) -> Option<Self> {
        let whole = bytes.len().is_multiple_of(kind.size());
        let bytes = Arc::new(bytes);
        whole.then_some(Elements { kind, bytes })
    }

    /// Creates elements from bytes that hold whole elements.
    pub(crate) fn of_whole(kind: ScalarKind, bytes: Arc<Vec<u8>>) -> Self {
        debug_assert!(bytes.len().is_multiple_of(kind.size()));
        Elements { kind, bytes }
    }

    /// `count` elements whose bits are 0.
    pub fn zeros(kind: ScalarKind, count: usize) -> Self {
        // Zeroed memory from the system need not be written.
        let bytes = Arc::new(vec![0; count.saturating_mul(kind.size())]);
        Elements { kind, bytes }
    }

    /// The kind of each element.
    pub fn kind(&self) -> ScalarKind {
        self.kind
    }

    /// The bytes of all elements.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The shared bytes of all elements.
    pub(crate) fn shared(&self) -> &Arc<Vec<u8>> {
        &self.bytes
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.bytes.len() / self.kind.size()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The bits of element `at`, zero-extended.
    pub fn get(&self, at: usize) -> Option<u64> {
        let start = at.checked_mul(self.kind.size())?;
        let bytes = self
            .bytes
            .get(start..start.checked_add(self.kind.size())?)?;
        Some(loaded(self.kind, bytes))
    }

    /// Replaces the bits of element `at`; does nothing if there is none.
    pub fn set(&mut self, at: usize, bits: u64) {
        let size = self.kind.size();
        let bytes = Arc::make_mut(&mut self.bytes);
        if let Some(place) = bytes.chunks_exact_mut(size).nth(at) {
            place.copy_from_slice(&stored(self.kind, bits).to_le_bytes()[..size]);
        }
    }

    /// The bits of each element in order, zero-extended.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = u64> + ExactSizeIterator + Clone {
        let kind = self.kind;
        let chunks = self.bytes.chunks_exact(kind.size());
        chunks.map(move |bytes| loaded(kind, bytes))
    }
}

/// The width of integers that leave bits of their bytes unused: `i4` of a byte, `i24` of four.
fn partial_width(kind: ScalarKind) -> Option<u8> {
    match kind {
        // A file holds booleans.
        ScalarKind::Int(1) => None,
        ScalarKind::Int(width) => (width < stored_width(kind)).then_some(width),
        _ => None,
    }
}

/// Converts integers that take all bits of their bytes, as files hold them, to elements of the kind in
/// place.
///
/// # Errors
/// The first number that the kind does not have.
pub(crate) fn narrow(bytes: &mut [u8], kind: ScalarKind, unsigned: bool) -> Result<(), String> {
    let Some(width) = partial_width(kind) else {
        return Ok(());
    };
    let whole = stored_width(kind);
    for element in bytes.chunks_exact_mut(kind.size()) {
        let number = loaded(ScalarKind::Int(whole), element);
        let bits = mask(number, width);
        let held = match unsigned {
            true => bits,
            false => extended(bits, kind, width),
        };
        if number != held {
            return Err(match unsigned {
                true => number.to_string(),
                false => sext(number, whole).to_string(),
            });
        }
        element.copy_from_slice(&bits.to_le_bytes()[..kind.size()]);
    }
    Ok(())
}

/// The bytes of elements as files hold them: integers take all bits of theirs.
pub(crate) fn widened(elements: &Elements, unsigned: bool) -> Cow<'_, [u8]> {
    let kind = elements.kind();
    let Some(width) = partial_width(kind).filter(|_| !unsigned) else {
        return Cow::Borrowed(elements.bytes());
    };
    let mut bytes = Vec::with_capacity(elements.bytes().len());
    for bits in elements.iter() {
        let number = extended(bits, kind, width);
        bytes.extend_from_slice(&number.to_le_bytes()[..kind.size()]);
    }
    Cow::Owned(bytes)
}

/// The bits of an integer of so many bits with a sign, in all the bits of its bytes.
fn extended(bits: u64, kind: ScalarKind, width: u8) -> u64 {
    mask(sext(bits, width) as u64, stored_width(kind))
}

/// Number of bits in the bytes of an element.
fn stored_width(kind: ScalarKind) -> u8 {
    // An element has at most 8 bytes.
    kind.size() as u8 * 8
}

/// The stored bits of a scalar.
fn stored(kind: ScalarKind, bits: u64) -> u64 {
    match kind {
        ScalarKind::Int(width) => mask(bits, width),
        _ => bits,
    }
}

/// The bits of an element with these bytes; their number is 1, 2, 4 or 8.
fn loaded(kind: ScalarKind, bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    stored(kind, u64::from_le_bytes(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_take_their_width_rounded_up() {
        let odd = Elements::from_bits(ScalarKind::Int(12), [0xf_0123, 1]);
        assert_eq!(odd.bytes(), [0x23, 0x01, 1, 0]);
        assert_eq!((odd.len(), odd.get(0), odd.get(2)), (2, Some(0x123), None));
        let half = Elements::from_bits(ScalarKind::F16, [0x3c00]);
        assert_eq!(half.bytes(), [0x00, 0x3c]);
        assert_eq!(Elements::from_bytes(ScalarKind::F32, vec![0; 6]), None);
    }

    #[test]
    fn elements_are_replaced_one_by_one() {
        let mut elements = Elements::zeros(ScalarKind::Int(64), 2);
        elements.set(1, u64::MAX);
        elements.set(2, 5);
        assert_eq!(elements.iter().collect::<Vec<_>>(), [0, u64::MAX]);
    }

    #[test]
    fn files_hold_integers_of_fewer_bits_in_whole_bytes() {
        let kind = ScalarKind::Int(4);
        let mut bytes = vec![0x07, 0xff, 0xf8];
        assert_eq!(narrow(&mut bytes, kind, false), Ok(()));
        assert_eq!(bytes, [7, 15, 8]);
        let elements = Elements::of_whole(kind, Arc::new(bytes));
        assert_eq!(*widened(&elements, false), [0x07, 0xff, 0xf8]);
        assert_eq!(*widened(&elements, true), [7, 15, 8]);
        assert_eq!(narrow(&mut [3, 8], kind, false), Err("8".to_owned()));
        assert_eq!(narrow(&mut [0xf7], kind, false), Err("-9".to_owned()));
        assert_eq!(narrow(&mut [15], kind, true), Ok(()));
        assert_eq!(narrow(&mut [16], kind, true), Err("16".to_owned()));
        // Four bytes of 24 bits: -2.
        let mut bytes = [0xfe, 0xff, 0xff, 0xff];
        assert_eq!(narrow(&mut bytes, ScalarKind::Int(24), false), Ok(()));
        assert_eq!(bytes, [0xfe, 0xff, 0xff, 0]);
    }
}
