//! Hit-rate budget, which turns off a cache that rarely hits.

/// The budget, in misses: a hit gives two back, and a cache without any left is turned off.
const LIMIT: u32 = 1 << 12;

/// Hit-rate budget of a cache. In a program that repeats nothing, the key, the search and the entry
/// of every operation would be wasted work. A cache once turned off stays off: without look-ups
/// there are no hits that could pay its budget back.
#[derive(Debug)]
pub(crate) struct HitBudget(u32);

impl Default for HitBudget {
    fn default() -> Self {
        HitBudget(LIMIT)
    }
}

impl HitBudget {
    /// Whether the cache is still on.
    #[inline]
    pub(crate) fn is_left(&self) -> bool {
        self.0 > 0
    }

    /// Records a hit.
    #[inline]
    pub(crate) fn hit(&mut self) {
        self.0 = (self.0 + 2).min(LIMIT);
    }

    /// Records a miss.
    #[inline]
    pub(crate) fn miss(&mut self) {
        self.0 = self.0.saturating_sub(1);
    }
}
