//! Races: iterations of a parallel loop that touch the same byte, one of them writing.

use std::collections::HashMap;

/// What has touched a byte.
#[derive(Clone, Copy, Default, Debug)]
struct Touched {
    reader: Option<u64>,
    /// Whether iterations other than `reader` have read it.
    readers: bool,
    writer: Option<u64>,
}

/// One parallel loop that is running.
#[derive(Default, Debug)]
pub struct Watch {
    /// The statement that is the loop.
    pub stmt: u32,
    iteration: u64,
    touched: HashMap<(usize, usize), Touched>,
}

impl Watch {
    /// Watches the loop that is this statement.
    pub fn new(stmt: u32) -> Self {
        Watch {
            stmt,
            ..Watch::default()
        }
    }

    /// The next iteration begins.
    pub fn advance(&mut self) {
        self.iteration += 1;
    }

    /// Whether this access and an earlier one of another iteration exclude each other.
    pub fn races(&mut self, buffer: usize, bytes: std::ops::Range<usize>, writes: bool) -> bool {
        let now = self.iteration;
        let other = |who: Option<u64>| who.is_some_and(|who| who != now);
        let mut found = false;
        for byte in bytes {
            let touched = self.touched.entry((buffer, byte)).or_default();
            found |= other(touched.writer);
            if writes {
                found |= other(touched.reader) || touched.readers;
                touched.writer = Some(now);
            } else {
                touched.readers |= other(touched.reader);
                touched.reader = Some(now);
            }
        }
        found
    }
}
