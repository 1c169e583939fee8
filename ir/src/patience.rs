//! Patience: gives up caches that rarely hit.

/// Misses beyond twice the hits after which a cache is given up.
const LIMIT: u32 = 1 << 12;

/// Whether a cache is worth asking. In a program that repeats nothing, the key, the search and
/// the entry of every operation would be for nothing. A cache that has been given up is not asked
/// again: nobody would learn that it hits.
#[derive(Debug)]
pub(crate) struct Patience(u32);

impl Default for Patience {
    fn default() -> Self {
        Patience(LIMIT)
    }
}

impl Patience {
    /// Whether the cache is still asked.
    #[inline]
    pub(crate) fn is_left(&self) -> bool {
        self.0 > 0
    }

    /// The cache knew something.
    #[inline]
    pub(crate) fn hit(&mut self) {
        self.0 = (self.0 + 2).min(LIMIT);
    }

    /// The cache did not.
    #[inline]
    pub(crate) fn miss(&mut self) {
        self.0 = self.0.saturating_sub(1);
    }
}
