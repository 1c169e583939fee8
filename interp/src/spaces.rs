//! Budget of the memory spaces whose size is declared.

use std::collections::HashMap;

use gridloom_dialects::memory_space::MemorySpaces;

use crate::fault::SpaceFull;
use crate::memory::AllocId;

/// Bytes in use of each space, by its number in the table.
#[derive(Default, Debug)]
pub(crate) struct SpaceUsage {
    used: HashMap<usize, u64>,
    by_buffer: HashMap<AllocId, (usize, u64)>,
}

impl SpaceUsage {
    /// Checks that a memory space has room for a buffer.
    pub fn check(&self, spaces: &MemorySpaces, space: usize, bytes: u64) -> Result<(), SpaceFull> {
        let Some(entry) = spaces.entries().get(space) else {
            return Ok(());
        };
        let used = self.used.get(&space).copied().unwrap_or(0);
        match entry.bytes {
            Some(size) if bytes > size.saturating_sub(used) => Err(SpaceFull {
                name: entry.name.clone(),
                bytes,
                used,
                size,
            }),
            _ => Ok(()),
        }
    }

    /// Charges a new buffer to its memory space.
    pub fn charge(&mut self, space: usize, id: AllocId, bytes: u64) {
        *self.used.entry(space).or_default() += bytes;
        self.by_buffer.insert(id, (space, bytes));
    }

    /// Releases the bytes of a freed buffer.
    pub fn release(&mut self, id: AllocId) {
        if let Some((space, bytes)) = self.by_buffer.remove(&id)
            && let Some(used) = self.used.get_mut(&space)
        {
            *used -= bytes;
        }
    }
}
