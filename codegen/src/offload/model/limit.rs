//! Tile limits: the registers, code size, threads and points that a target allows a tile.

use std::fmt;

use super::Nest;
use crate::target::machine::Machine;

/// Limit of a target that a tile breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Values that a thread would hold at once, and the most it may hold.
    Registers(i64, i64),
    /// Operations of the kernel, and the most that the driver compiles in reasonable time.
    Code(i64, i64),
    /// Threads that would remain, and the least that keep the machine busy.
    Threads(i64, i64),
    /// Iterations that a thread would compute at once, and the most it may.
    Points(i64, i64),
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Registers(needs, has) => {
                write!(f, "a thread would hold {needs} values in {has} registers")
            }
            Limit::Code(has, most) => {
                write!(
                    f,
                    "its kernel would have {has} operations, more than {most}"
                )
            }
            Limit::Threads(left, least) => {
                write!(f, "{left} threads would be left, fewer than {least}")
            }
            Limit::Points(has, most) => {
                write!(
                    f,
                    "a thread would compute {has} iterations at once, more than {most}"
                )
            }
        }
    }
}

impl Nest<'_> {
    /// The first limit that a tile breaks.
    pub(in crate::offload) fn limit(&self, tile: &[i64], machine: &Machine) -> Option<Limit> {
        let needs = self.registers(tile);
        if needs > machine.registers {
            return Some(Limit::Registers(needs, machine.registers));
        }
        // Without an inner loop, the code of a tile runs only once.
        let most = match self.rounds.is_empty() {
            true => machine.code / 2,
            false => machine.code,
        };
        let part = match self.test_of(tile) {
            Some(_) => self.code(&self.part(tile)),
            None => 0,
        };
        let code = self.code(tile) + part;
        if code > most {
            return Some(Limit::Code(code, most));
        }
        let side = tile.iter().copied().max().unwrap_or(1);
        let points = [tile.iter().product(), side].into_iter();
        let mut beyond = points.zip(machine.points).filter(|(has, most)| has > most);
        if self.rounds.is_empty()
            && let Some((has, most)) = beyond.next()
        {
            return Some(Limit::Points(has, most));
        }
        let threads = self.threads(tile);
        (threads < machine.threads).then_some(Limit::Threads(threads, machine.threads))
    }

    /// Register pressure: the values that a thread holds at once, which are those its loops carry
    /// and those the innermost loop loads.
    fn registers(&self, tile: &[i64]) -> i64 {
        let carried = self.carried.iter().map(|masks| {
            let values = masks.iter().map(|&mask| Self::points(tile, mask));
            values.sum::<i64>()
        });
        // Nested loops mostly carry the same values, so the maximum counts.
        let carried = carried.max().unwrap_or(0);
        let weights = self.groups.iter().map(|group| group.weight);
        let deepest = weights.max().unwrap_or(1);
        let innermost =
            (self.groups.iter()).filter(|group| group.weight == deepest && !group.is_write);
        let loaded = innermost.map(|group| group.elements(tile)).max();
        carried + loaded.unwrap_or(0)
    }

    /// Code size of a tile, in operations.
    fn code(&self, tile: &[i64]) -> i64 {
        let accesses: i64 = self.groups.iter().map(|group| group.code(tile)).sum();
        let work = (self.work.iter()).map(|(&(mask, _), count)| count * Self::points(tile, mask));
        // Iterations that only some points run are a second copy of the body.
        let split = (self.split.iter()).filter(|(mask, _)| Self::points(tile, *mask) > 1);
        let parts = 1 + split.map(|(_, ends)| ends).max().unwrap_or(&0);
        (accesses + work.sum::<i64>()) * parts
    }
}
