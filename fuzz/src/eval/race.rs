//! Race detector: finds iterations of a parallel loop that access the same byte, one of them
//! writing.

use std::collections::HashMap;

/// Access to a byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// It is read.
    Read,
    /// It is written.
    Write,
    /// It is read and written at once, by an atomic operation.
    Update,
}

/// Iterations that have accessed a byte in one way.
#[derive(Clone, Copy, Default, Debug)]
struct Touched {
    last: Option<u64>,
    /// Whether iterations other than `last` have accessed it.
    others: bool,
}

impl Touched {
    fn by_another(self, now: u64) -> bool {
        self.others || self.last.is_some_and(|last| last != now)
    }
}

/// Detector of one running parallel loop.
#[derive(Default, Debug)]
pub struct Watch {
    /// Statement number of the loop.
    pub stmt: u32,
    iteration: u64,
    touched: HashMap<(usize, usize), [Touched; 3]>,
}

impl Watch {
    /// Watches the loop that is this statement.
    pub fn new(stmt: u32) -> Self {
        Watch {
            stmt,
            ..Watch::default()
        }
    }

    /// Begins the next iteration.
    pub fn advance(&mut self) {
        self.iteration += 1;
    }

    /// Goes on with the iteration of this number.
    pub fn enter(&mut self, iteration: u64) {
        self.iteration = iteration;
    }

    /// Forgets all accesses, since those to come are ordered behind them.
    pub fn forget(&mut self) {
        self.touched.clear();
    }

    /// Whether this access conflicts with an earlier one of another iteration.
    pub fn races(&mut self, buffer: usize, bytes: std::ops::Range<usize>, access: Access) -> bool {
        let now = self.iteration;
        let mut found = false;
        for byte in bytes {
            let touched = self.touched.entry((buffer, byte)).or_default();
            for earlier in [Access::Read, Access::Write, Access::Update] {
                let ordered = earlier == access && access != Access::Write;
                found |= !ordered && touched[earlier as usize].by_another(now);
            }
            let own = &mut touched[access as usize];
            own.others |= own.by_another(now);
            own.last = Some(now);
        }
        found
    }
}
