//! Windows: elements of a large buffer that the host downloads alone, since it reads one of them.

use std::ops::Range;

use super::Allocation;

/// Bytes whose download takes as long as waiting for the device does: some 100 µs.
const BYTES_OF_WAITING: usize = 1 << 20;

/// Elements that are downloaded together, when the host reads one of a large buffer.
const WINDOW: usize = 1 << 12;

impl Allocation {
    /// The bytes to download for the elements from a place on, of `size` bytes each; `None` where the whole buffer is to be: it is
    /// small, or as many windows have been as take the time of its download.
    pub(crate) fn window_from(&mut self, at: usize, size: usize) -> Option<Range<usize>> {
        let takes = self.lent.is_none() && self.windows < self.bytes.len() / BYTES_OF_WAITING;
        self.windows += usize::from(takes);
        let end = (at + WINDOW * size).min(self.bytes.len());
        takes.then(|| at..end - (end - at) % size)
    }

    /// Notes elements that were downloaded alone, from a place on.
    pub(crate) fn note_peek(&mut self, at: usize, bytes: Vec<u8>) {
        self.window = (at, bytes);
    }

    /// The bytes of an element among those that were downloaded alone.
    pub(crate) fn peeked(&self, bytes: &Range<usize>) -> Option<&[u8]> {
        let (first, window) = &self.window;
        let start = bytes.start.checked_sub(*first)?;
        window.get(start..start + bytes.len())
    }
}
