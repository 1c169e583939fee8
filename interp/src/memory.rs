//! Memory: the allocations that memref descriptors point into.
//!
//! Every allocation has a host copy and may have a device copy. The device owns the latter; an
//! allocation only knows whether the host copy is current, so that a host access of a buffer that a
//! kernel has written can download it first (see [`crate::device`]).

mod contents;
mod history;
mod rows;
mod windows;
mod zeroed;

use std::ops::Range;
use std::sync::Arc;

pub use self::history::Freed;
use self::zeroed::Zeroed;
use crate::fault::FaultKind;
use crate::memref::MemRef;
use crate::race::Shadow;
use crate::scalar::ScalarKind;

/// Memory error: an element cannot be read or written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccessError {
    /// The position lies outside the buffer.
    OutOfBuffer,
    /// Uninitialised element: nothing has written it (checked mode).
    Uninitialised,
    /// The buffer has been freed.
    UseAfterFree(Freed),
}

impl From<AccessError> for FaultKind {
    fn from(error: AccessError) -> Self {
        match error {
            AccessError::OutOfBuffer => FaultKind::ViewOutOfBounds,
            AccessError::Uninitialised => FaultKind::Uninitialised,
            AccessError::UseAfterFree(freed) => FaultKind::UseAfterFree(freed),
        }
    }
}

/// Names one allocation; reuse of its slot changes the generation, so that a stale id is detected.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AllocId {
    slot: u32,
    generation: u32,
}

impl AllocId {
    /// No allocation at all.
    pub(crate) const NONE: AllocId = AllocId {
        slot: u32::MAX,
        generation: 0,
    };
}

/// One buffer.
#[derive(Clone, Debug)]
pub struct Allocation {
    bytes: Zeroed,
    /// Contents lent by the host program, in place of `bytes`, which are untouched and not current
    /// meanwhile: a device is sent them without a copy, and the first host access copies them. A
    /// copy of 64 MiB costs some 30 ms, most of it for pages that are touched first.
    lent: Option<Arc<Vec<u8>>>,
    /// One bit per byte, set once written; `None` when reads are not checked.
    written: Option<Vec<u64>>,
    /// The element kind, for the device's conversions.
    element: ScalarKind,
    /// Whether the host copy is current.
    host_current: bool,
    /// Whether the device has a copy and it is current.
    device_current: bool,
    /// Elements downloaded alone since the device last wrote the buffer, while the host copy is not current: the place of the first
    /// byte, and the bytes.
    window: (usize, Vec<u8>),
    /// Number of windows since the device last wrote the buffer.
    windows: usize,
    /// Whether nothing has written the buffer since it was allocated.
    is_blank: bool,
    generation: u32,
    live: bool,
    /// Shadow memory of the race detector: the last accesses of each element.
    shadow: Option<Box<Shadow>>,
    address: u64,
    /// The operations that allocated and freed it.
    places: Freed,
    /// Whether the program has to free it.
    heap: bool,
}

impl Allocation {
    /// The address in bytes: no two buffers of a run share an
    /// address, not even one that is gone and one that is made later.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// The bytes of the host copy, or those lent in its place.
    pub fn bytes(&self) -> &[u8] {
        match &self.lent {
            Some(lent) => lent,
            None => &self.bytes,
        }
    }

    /// The number of bytes.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// The bytes of the host copy, all of which count as written from now on.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        self.copy_lent();
        self.written = None;
        self.note_host_write();
        &mut self.bytes
    }

    /// Notes a write of the host: the device copy, if there is one, is stale.
    fn note_host_write(&mut self) {
        self.device_current = false;
        self.is_blank = false;
    }

    /// Whether all bytes are zero, since nothing has written the buffer: so are those of a new device
    /// buffer, which needs no upload.
    pub fn is_blank(&self) -> bool {
        self.is_blank && self.host_current
    }

    /// The shadow memory of the buffer, allocated at the first use.
    pub(crate) fn shadow(&mut self) -> &mut Shadow {
        let size = self.element.size();
        self.shadow
            .get_or_insert_with(|| Box::new(Shadow::new(size)))
    }

    /// The element type the buffer was allocated with.
    pub fn element(&self) -> ScalarKind {
        self.element
    }

    /// Whether the host copy is current.
    pub fn host_current(&self) -> bool {
        self.host_current
    }

    /// Whether the host copy is not current since its contents are lent, and no device has newer ones.
    pub fn is_lent(&self) -> bool {
        self.lent.is_some()
    }

    /// Whether the device has contents that the host has not.
    pub fn is_newest_on_device(&self) -> bool {
        !self.host_current && self.lent.is_none()
    }

    /// Copies lent contents to the host copy, which is current then; `false` where there are none.
    pub fn copy_lent(&mut self) -> bool {
        let Some(lent) = self.lent.take() else {
            return false;
        };
        self.bytes.copy_from_slice(&lent);
        self.host_current = true;
        true
    }

    /// Notes that the device copy is newer than the host's, or no longer.
    pub fn set_host_current(&mut self, current: bool) {
        if !current {
            // Writes of the device are not told apart byte by byte.
            self.written = None;
            self.lent = None;
            self.is_blank = false;
            self.windows = 0;
        }
        self.window.1.clear();
        self.host_current = current;
    }

    /// Whether the device has a copy and it is current.
    pub fn device_current(&self) -> bool {
        self.device_current
    }

    /// Notes that the device has a current copy, or no longer.
    pub fn set_device_current(&mut self, current: bool) {
        self.device_current = current;
    }
}

/// All buffers of a run.
#[derive(Debug)]
pub struct Memory {
    allocations: Vec<Allocation>,
    free: Vec<u32>,
    used: u64,
    limit: u64,
    checked: bool,
    /// The address of the next buffer.
    next_address: u64,
}

/// Addresses of buffers are multiples of this many bytes, and so much lies
/// between two.
const ADDRESS_STEP: u64 = 4096;

/// Bytes that a buffer counts for at least: those of its record, of which the list has three while it grows.
const LEAST_BYTES: u64 = 3 * size_of::<Allocation>() as u64;

/// Bytes that a buffer of so many counts for.
fn counted(bytes: u64) -> u64 {
    bytes.max(LEAST_BYTES)
}

impl Memory {
    /// No buffers yet. `limit` bounds the bytes live at a time; `checked`
    /// makes reads of unwritten bytes faults.
    pub fn new(limit: u64, checked: bool) -> Self {
        Memory {
            allocations: Vec::new(),
            free: Vec::new(),
            used: 0,
            limit,
            checked,
            next_address: ADDRESS_STEP,
        }
    }

    /// A zero-filled buffer of `count` elements, its contents unwritten.
    pub fn allocate(&mut self, count: u64, element: ScalarKind) -> Result<AllocId, FaultKind> {
        let bytes = count.saturating_mul(element.size() as u64);
        if counted(bytes) > self.limit.saturating_sub(self.used) {
            return Err(self.refused(bytes));
        }
        let data = Zeroed::new(bytes).ok_or_else(|| self.refused(bytes))?;
        let length = data.len();
        self.used += counted(bytes);
        let slot = self.free.pop();
        let generation = slot.map_or(0, |slot| self.allocations[slot as usize].generation + 1);
        let allocation = Allocation {
            bytes: data,
            lent: None,
            written: self.checked.then(|| vec![0; length.div_ceil(64)]),
            element,
            host_current: true,
            device_current: false,
            window: (0, Vec::new()),
            windows: 0,
            is_blank: true,
            generation,
            live: true,
            shadow: None,
            address: self.next_address,
            places: Freed::default(),
            heap: false,
        };
        let room = bytes.next_multiple_of(ADDRESS_STEP) + ADDRESS_STEP;
        self.next_address = self.next_address.wrapping_add(room);
        let slot = match slot {
            Some(slot) => {
                self.allocations[slot as usize] = allocation;
                slot
            }
            None => {
                self.allocations.push(allocation);
                (self.allocations.len() - 1) as u32
            }
        };
        Ok(AllocId { slot, generation })
    }

    fn refused(&self, bytes: u64) -> FaultKind {
        FaultKind::OutOfMemory {
            bytes,
            used: self.used,
            limit: self.limit,
        }
    }

    /// Frees a buffer.
    pub fn free(&mut self, id: AllocId) -> Result<(), FaultKind> {
        let allocation = self.get_mut(id).map_err(|error| match error {
            AccessError::UseAfterFree(freed) => FaultKind::BadFree(freed),
            _ => FaultKind::BadFree(Freed::default()),
        })?;
        let bytes = std::mem::take(&mut allocation.bytes);
        (allocation.written, allocation.shadow) = (None, None);
        allocation.lent = None;
        allocation.live = false;
        self.used -= counted(bytes.len() as u64);
        // A slot whose generations are used up is retired.
        if self.allocations[id.slot as usize].generation != u32::MAX {
            self.free.push(id.slot);
        }
        Ok(())
    }

    /// A buffer.
    pub fn get(&self, id: AllocId) -> Result<&Allocation, AccessError> {
        match self.allocations.get(id.slot as usize) {
            Some(a) if a.live && a.generation == id.generation => Ok(a),
            _ => Err(AccessError::UseAfterFree(self.places(id))),
        }
    }

    /// A buffer.
    pub fn get_mut(&mut self, id: AllocId) -> Result<&mut Allocation, AccessError> {
        let places = self.places(id);
        match self.allocations.get_mut(id.slot as usize) {
            Some(a) if a.live && a.generation == id.generation => Ok(a),
            _ => Err(AccessError::UseAfterFree(places)),
        }
    }

    /// Bytes live now.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// Reads the element at a linear position of a view.
    #[inline]
    pub fn read(&self, view: &MemRef, linear: i64, kind: ScalarKind) -> Result<u64, AccessError> {
        let (allocation, at) = self.locate(view, linear, kind)?;
        debug_assert!(
            allocation.lent.is_none(),
            "an access of the host makes its copy current"
        );
        if let Some(written) = &allocation.written
            && (at..at + kind.size()).any(|byte| written[byte / 64] >> (byte % 64) & 1 == 0)
        {
            return Err(AccessError::Uninitialised);
        }
        Ok(element(&allocation.bytes[at..at + kind.size()], kind))
    }

    /// Reads an element whether or not anything has written it, for looking at memory from outside
    /// of the program.
    pub fn peek(&self, view: &MemRef, linear: i64, kind: ScalarKind) -> Result<u64, AccessError> {
        let (allocation, at) = self.locate(view, linear, kind)?;
        Ok(element(&allocation.bytes()[at..at + kind.size()], kind))
    }

    /// The bytes of an element in its buffer.
    pub(crate) fn bytes_of(
        &self,
        view: &MemRef,
        linear: i64,
        kind: ScalarKind,
    ) -> Result<Range<usize>, AccessError> {
        let (_, at) = self.locate(view, linear, kind)?;
        Ok(at..at + kind.size())
    }

    /// The buffer and the byte at which an element lies, all of it inside.
    #[inline]
    fn locate(
        &self,
        view: &MemRef,
        linear: i64,
        kind: ScalarKind,
    ) -> Result<(&Allocation, usize), AccessError> {
        let allocation = self.get(view.alloc)?;
        let size = kind.size();
        let at = byte_position(view.base, linear, size).ok_or(AccessError::OutOfBuffer)?;
        match at.checked_add(size) {
            Some(end) if end <= allocation.bytes.len() => Ok((allocation, at)),
            _ => Err(AccessError::OutOfBuffer),
        }
    }

    /// Writes the element at a linear position of a view.
    pub fn write(
        &mut self,
        view: &MemRef,
        linear: i64,
        kind: ScalarKind,
        value: u64,
    ) -> Result<(), AccessError> {
        let allocation = self.get_mut(view.alloc)?;
        debug_assert!(
            allocation.lent.is_none(),
            "an access of the host makes its copy current"
        );
        let size = kind.size();
        let at = byte_position(view.base, linear, size).ok_or(AccessError::OutOfBuffer)?;
        let bytes = allocation
            .bytes
            .get_mut(at..at + size)
            .ok_or(AccessError::OutOfBuffer)?;
        bytes.copy_from_slice(&value.to_le_bytes()[..size]);
        allocation.note_host_write();
        if let Some(written) = &mut allocation.written {
            for byte in at..at + size {
                written[byte / 64] |= 1 << (byte % 64);
            }
        }
        Ok(())
    }
}

/// The value of an element's bytes.
#[inline]
pub(crate) fn element(bytes: &[u8], kind: ScalarKind) -> u64 {
    let value = match *bytes {
        [a] => u64::from(a),
        [a, b] => u64::from(u16::from_le_bytes([a, b])),
        [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
        _ => bytes
            .iter()
            .rev()
            .fold(0, |value, &byte| value << 8 | u64::from(byte)),
    };
    match kind {
        ScalarKind::Int(width) => crate::scalar::mask(value, width),
        _ => value,
    }
}

pub(crate) fn byte_position(base: usize, linear: i64, size: usize) -> Option<usize> {
    usize::try_from(linear)
        .ok()?
        .checked_mul(size)?
        .checked_add(base)
}
