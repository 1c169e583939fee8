//! Spare memory: that of dropped buffers, kept for the next buffers of the same size.
//!
//! A program that allocates its temporaries anew in each run would wait for the driver in each:
//! NVIDIA's takes some 13 ms to allocate and free 128 MiB, in which an H200 does 500 G flop.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::sync::lock;

/// Allocated memory of a buffer.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    pub(crate) raw: wgpu::Buffer,
    /// Number that identifies it.
    pub(crate) id: u64,
    /// Its device address, on devices with [`FeatureSet::ADDRESSES`](crate::FeatureSet).
    pub(crate) address: Option<u64>,
}

/// Memory that no buffer uses any more. Commands that do may still be recorded or under way; those
/// recorded later run after them.
#[derive(Debug)]
pub(crate) struct Spares {
    /// The most bytes that are kept.
    capacity: u64,
    idle: Mutex<Idle>,
    released: AtomicBool,
}

/// The memory, that which was used last at the end.
#[derive(Debug, Default)]
struct Idle {
    memory: VecDeque<Memory>,
    bytes: u64,
}

impl Spares {
    /// The most pieces that are kept, all of which a search may look at.
    const MOST: usize = 128;

    /// Keeps up to `capacity` bytes.
    pub(crate) fn new(capacity: u64) -> Self {
        Spares {
            capacity,
            idle: Mutex::default(),
            released: AtomicBool::new(false),
        }
    }

    /// Takes memory of exactly `bytes` bytes, if some is there. It holds what its last buffer did.
    pub(crate) fn take(&self, bytes: u64) -> Option<Memory> {
        let mut idle = lock(&self.idle);
        let at = idle.memory.iter().rposition(|it| it.raw.size() == bytes)?;
        idle.bytes -= bytes;
        idle.memory.remove(at)
    }

    /// Keeps the memory of a dropped buffer, in place of what has not been used for the longest.
    pub(crate) fn keep(&self, memory: Memory) {
        let mut idle = lock(&self.idle);
        idle.bytes += memory.raw.size();
        idle.memory.push_back(memory);
        while idle.bytes > self.capacity || idle.memory.len() > Self::MOST {
            let Some(oldest) = idle.memory.pop_front() else {
                break;
            };
            idle.bytes -= oldest.raw.size();
            self.released.store(true, Ordering::Relaxed);
        }
    }

    /// Releases all of it.
    pub(crate) fn clear(&self) {
        *lock(&self.idle) = Idle::default();
        self.released.store(true, Ordering::Relaxed);
    }

    /// Whether memory was released since the last question, which caches that refer to it have to
    /// do then, too.
    pub(crate) fn take_released(&self) -> bool {
        self.released.swap(false, Ordering::Relaxed)
    }
}
