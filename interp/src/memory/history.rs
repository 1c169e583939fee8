//! History of buffers: the operations that allocated and freed them, for faults and the search for leaks.

use gridloom_ir::Loc;

use super::{AllocId, Allocation, Memory};

/// History of a buffer: the operations that allocated and freed it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Freed {
    /// The operation that allocated it.
    pub made: Option<Loc>,
    /// The operation that freed it.
    pub freed: Option<Loc>,
}

impl Memory {
    /// The history of a buffer; empty for one that is not remembered.
    pub(crate) fn places(&self, id: AllocId) -> Freed {
        let allocation = self.allocations.get(id.slot as usize);
        let same = allocation.filter(|a| a.generation == id.generation);
        same.map_or(Freed::default(), |a| a.places)
    }

    /// Notes the allocation of a buffer, and whether the program has to free it.
    pub(crate) fn note_made(&mut self, id: AllocId, loc: Loc, heap: bool) {
        if let Ok(allocation) = self.get_mut(id) {
            allocation.places.made = Some(loc);
            allocation.heap = heap;
        }
    }

    /// Notes the deallocation of a buffer, which is freed already.
    pub(crate) fn note_freed(&mut self, id: AllocId, loc: Loc) {
        let allocation = self.allocations.get_mut(id.slot as usize);
        if let Some(a) = allocation.filter(|a| a.generation == id.generation) {
            a.places.freed = Some(loc);
        }
    }

    /// Leaks: the buffers that the program should have freed, except `kept`, in the order of their
    /// allocation; locations and sizes in bytes.
    pub(crate) fn leaks(&self, kept: &[AllocId]) -> Vec<(Loc, u64)> {
        let all = (0..).zip(&self.allocations);
        let mut left: Vec<_> = all
            .filter(|(slot, a)| {
                let id = AllocId {
                    slot: *slot,
                    generation: a.generation,
                };
                a.live && a.heap && !kept.contains(&id)
            })
            .map(|(_, a)| a)
            .collect();
        left.sort_by_key(|a| a.address);
        let place = |a: &Allocation| Some((a.places.made?, a.bytes.len() as u64));
        left.into_iter().filter_map(place).collect()
    }
}
