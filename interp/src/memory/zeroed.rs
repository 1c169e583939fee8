//! Zeroed memory that is allocated when it is first looked at.
//!
//! Temporaries of kernels live on the device alone. What the host allocates for them would be zeroed
//! in vain, at some 20 GB/s where the allocator uses memory of freed buffers again.

use std::ops::{Deref, DerefMut};
use std::sync::OnceLock;

/// Size from which on it is asked first whether there is room.
const LARGE: usize = 1 << 20;

/// Bytes of a fixed number, zero at first.
#[derive(Clone, Debug, Default)]
pub(super) struct Zeroed {
    length: usize,
    bytes: OnceLock<Vec<u8>>,
}

impl Zeroed {
    /// Zeros; `None` where the system has no room for them.
    pub(super) fn new(bytes: u64) -> Option<Self> {
        let length = usize::try_from(bytes).ok()?;
        if length >= LARGE {
            // Zeroed memory that cannot be had ends the process. This does not touch it.
            Vec::<u8>::new().try_reserve_exact(length).ok()?;
        }
        Some(Zeroed {
            length,
            bytes: OnceLock::new(),
        })
    }

    /// The number of bytes.
    pub(super) fn len(&self) -> usize {
        self.length
    }

    /// The bytes themselves.
    pub(super) fn into_vec(mut self) -> Vec<u8> {
        let bytes = self.bytes.take();
        bytes.unwrap_or_else(|| vec![0; self.length])
    }
}

impl Deref for Zeroed {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        self.bytes.get_or_init(|| vec![0; self.length])
    }
}

impl DerefMut for Zeroed {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u8] {
        if self.bytes.get().is_none() {
            self.bytes = OnceLock::from(vec![0; self.length]);
        }
        self.bytes.get_mut().map_or(&mut [], |bytes| &mut bytes[..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_allocated_before_it_is_looked_at() {
        let mut memory = Zeroed::new(1 << 21).expect("there is room");
        assert_eq!(memory.len(), 1 << 21);
        assert!(memory.bytes.get().is_none());
        memory[5] = 7;
        assert_eq!(memory[..8], [0, 0, 0, 0, 0, 7, 0, 0]);
        let bytes = memory.into_vec();
        assert_eq!((bytes.len(), bytes[5]), (1 << 21, 7));
        assert_eq!(Zeroed::new(3).map(Zeroed::into_vec), Some(vec![0; 3]));
    }
}
