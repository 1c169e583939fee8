//! Element storage of an argument or result, in the bytes of host buffers and `.npy` files.

use std::sync::Arc;

use gridloom_interp::ScalarKind;
use gridloom_interp::scalar::mask;

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
}
