//! A budget of bytes or memory, spent by one reader or shared by several.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Advance that a reader draws from the shared budget at a time, so that readers
/// seldom contend.
const AHEAD: usize = 1 << 14;

/// A bounded resource, partly reserved for this reader.
#[derive(Debug)]
pub(super) struct Budget {
    /// The part reserved for this reader.
    own: usize,
    /// The part that any reader may draw on.
    shared: Arc<AtomicUsize>,
}

impl Budget {
    /// A budget for one reader.
    pub fn new(total: usize) -> Self {
        Budget {
            own: total,
            shared: Arc::default(),
        }
    }

    /// Spends `amount`. Returns whether the budget sufficed.
    #[inline]
    pub fn take(&mut self, amount: usize) -> bool {
        if amount > self.own && !self.draw(amount - self.own) {
            return false;
        }
        self.own -= amount;
        true
    }

    /// Draws the missing amount from the shared part, and some in advance if there is enough.
    #[cold]
    fn draw(&mut self, missing: usize) -> bool {
        let after = |left: usize| {
            let rest = left.checked_sub(missing)?;
            Some(rest.saturating_sub(AHEAD))
        };
        let order = Ordering::Relaxed;
        match self.shared.fetch_update(order, order, after) {
            Ok(before) => {
                self.own += before - before.saturating_sub(missing + AHEAD);
                true
            }
            Err(_) => false,
        }
    }

    /// Moves the reserved part to the shared one, for other readers.
    pub fn share(&mut self) {
        let own = std::mem::take(&mut self.own);
        self.shared.fetch_add(own, Ordering::Relaxed);
    }

    /// A budget for another reader that draws from the same shared part.
    pub fn fork(&self) -> Self {
        Budget {
            own: 0,
            shared: self.shared.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_taken_than_there_is() {
        let mut budget = Budget::new(100_000);
        assert!(budget.take(10_000) && !budget.take(90_001));
        budget.share();
        let mut readers = [budget.fork(), budget.fork(), budget];
        let mut taken = 10_000;
        while let Some(reader) = (readers.iter_mut()).find_map(|r| r.take(999).then_some(r)) {
            taken += 999;
            taken += usize::from(reader.take(1));
        }
        // A remainder smaller than the request stays reserved for its reader.
        assert!(taken <= 100_000 && taken > 100_000 - 3 * 999);
    }
}
