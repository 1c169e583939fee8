//! Streaming nests: those that access most elements only a few times, so that memory sets their pace.

use super::{Machine, Nest};

/// Limit of the accesses to an element that counts as streamed.
const MOST_ACCESSES: f64 = 4.0;

impl Nest<'_> {
    /// The machine model for the nest: that of streaming where it applies.
    pub(in crate::offload) fn machine<'m>(&self, machine: &'m Machine) -> &'m Machine {
        self.streaming_machine(machine).unwrap_or(machine)
    }

    /// The machine model of streaming, where it applies to the nest.
    pub(super) fn streaming_machine<'m>(&self, machine: &'m Machine) -> Option<&'m Machine> {
        let streaming = machine.streaming.as_deref();
        streaming.filter(|_| self.is_streaming())
    }

    /// Whether at least half of what an iteration accesses are elements that few iterations access. Inner loops are taken to
    /// access other elements in each round: windows that overlap are unrolled before.
    fn is_streaming(&self) -> bool {
        let (mut streamed, mut all) = (0.0, 0.0);
        for group in &self.groups {
            let others = (self.band.iter().enumerate()).filter(|(k, _)| group.mask >> k & 1 == 0);
            let iterations: f64 = others.map(|(_, l)| l.assumed_trips() as f64).product();
            let accesses = group.offsets.len() as f64;
            let weight = group.weight as f64 * accesses;
            all += weight;
            if iterations * accesses <= MOST_ACCESSES {
                streamed += weight;
            }
        }
        2.0 * streamed >= all
    }
}
