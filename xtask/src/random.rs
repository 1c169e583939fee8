//! Deterministic random numbers.

/// Random number generator (SplitMix64).
pub struct Random(u64);

impl Random {
    /// Creates a generator from a seed.
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// A number in `low..=high`, small ones more often.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        let span = self.below(high - low + 1) + 1;
        low + self.below(span)
    }

    /// True once in `n` times, on average.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One element of a non-empty list.
    pub fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// A float literal: one digit after the point, six, or all that an `f64` needs.
    pub fn float(&mut self) -> String {
        let unit = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        let value = (unit * 2.0 - 1.0) * 10f64.powi(self.below(12) as i32 - 4);
        match self.below(3) {
            0 => format!("{:.1}", value),
            1 => format!("{:.6e}", value),
            _ => format!("{:.17e}", value),
        }
    }
}
