//! Device copies of allocations: uploads stale ones, downloads newer ones, and copies on the
//! device.

use std::ops::Range;

use gridloom_gpu_runtime as runtime;
use gridloom_interp::{AllocId, FaultKind, MemRef, Memory, ScalarKind};

use super::convert::DeviceFormat;
use super::lack::Stop;
use super::{Gpu, broken, device_error};

/// Contents of a device buffer: the allocation, its byte range, and its element format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shown {
    pub(super) base: usize,
    pub(super) format: DeviceFormat,
}

impl Shown {
    /// Whether the elements take all of an allocation of `size` bytes.
    fn covers(self, size: usize) -> bool {
        self.base == 0 && size.is_multiple_of(self.format.kind.size())
    }
}

/// The device copy of an allocation.
#[derive(Debug)]
pub(super) struct Copy {
    pub(super) buffer: runtime::Buffer,
    pub(super) shown: Shown,
}

impl Gpu<'_> {
    /// Returns the device copy of a view's allocation, up to date.
    pub(super) fn device_copy(
        &mut self,
        memory: &mut Memory,
        view: &MemRef,
        shown: Shown,
    ) -> Result<runtime::Buffer, Stop> {
        let id = view.alloc;
        if let Some(copy) = self.copies.get(&id)
            && copy.shown == shown
            && memory.get(id)?.device_current()
        {
            return Ok(copy.buffer.clone());
        }
        // The host's copy is the current one, also where its bytes were uploaded as elements of
        // another type. Lent contents are uploaded from where they lie; of those that the device does
        // not get, the host's copy is the only one once a kernel has written the others.
        let allocation = memory.get(id)?;
        if !allocation.is_lent() || !shown.covers(allocation.size()) {
            self.fetch_copy(memory, id)?;
        }
        let allocation = memory.get_mut(id)?;
        let size = allocation.size().saturating_sub(shown.base);
        let old = self.copies.get(&id).filter(|copy| copy.shown == shown);
        let count = size / shown.format.kind.size();
        let buffer = match old {
            // A new buffer is zero-initialized, which is zero in each format.
            None if allocation.is_blank() => {
                let bytes = count as u64 * shown.format.bytes as u64;
                self.device.buffer(bytes)?
            }
            _ => {
                let host = allocation.bytes().get(shown.base..).unwrap_or(&[]);
                let bytes = shown
                    .format
                    .to_device(&host[..count * shown.format.kind.size()])
                    .map_err(FaultKind::WideIndex)?;
                let buffer = match old {
                    Some(copy) => copy.buffer.clone(),
                    None => self.device.buffer(bytes.len() as u64)?,
                };
                self.device.upload(&buffer, 0, &bytes)?;
                buffer
            }
        };
        allocation.set_device_current(true);
        self.copies.insert(
            id,
            Copy {
                buffer: buffer.clone(),
                shown,
            },
        );
        Ok(buffer)
    }

    /// Downloads the device copy of an allocation, if it is newer than the host's.
    pub(super) fn fetch_copy(&mut self, memory: &mut Memory, id: AllocId) -> Result<(), FaultKind> {
        if memory.get(id)?.host_current() || memory.get_mut(id)?.copy_lent() {
            return Ok(());
        }
        let Some(copy) = self.copies.get(&id) else {
            return Err(broken("a buffer is on neither side"));
        };
        let allocation = memory.get_mut(id)?;
        let format = copy.shown.format;
        let host = allocation
            .bytes_mut()
            .get_mut(copy.shown.base..)
            .unwrap_or(&mut []);
        let whole = host.len() / format.kind.size() * format.kind.size();
        let host = &mut host[..whole];
        if format.is_same_as_host() {
            let downloaded = self.device.download(&copy.buffer, 0, host);
            downloaded.map_err(device_error)?;
        } else {
            let size = usize::try_from(copy.buffer.size()).unwrap_or(usize::MAX);
            let mut bytes = vec![0; size];
            let downloaded = self.device.download(&copy.buffer, 0, &mut bytes);
            downloaded.map_err(device_error)?;
            format.to_host(&bytes, host);
        }
        allocation.set_host_current(true);
        allocation.set_device_current(true);
        Ok(())
    }

    /// Downloads elements of an allocation, by their bytes in the host's copy; `None` where the device copy does not have these as
    /// elements.
    pub(super) fn peek_copy(
        &mut self,
        id: AllocId,
        bytes: Range<usize>,
    ) -> Result<Option<Vec<u8>>, FaultKind> {
        let Some(copy) = self.copies.get(&id) else {
            return Ok(None);
        };
        let Shown { base, format } = copy.shown;
        let size = format.kind.size();
        let place = bytes.start.checked_sub(base);
        let are_elements =
            |&place: &usize| place.is_multiple_of(size) && bytes.len().is_multiple_of(size);
        let Some(place) = place.filter(are_elements) else {
            return Ok(None);
        };
        let offset = (place / size * format.bytes) as u64;
        let mut read = vec![0; bytes.len() / size * format.bytes];
        if offset + read.len() as u64 > copy.buffer.size() {
            return Ok(None);
        }
        let downloaded = self.device.download(&copy.buffer, offset, &mut read);
        downloaded.map_err(device_error)?;
        let mut elements = vec![0; bytes.len()];
        format.to_host(&read, &mut elements);
        Ok(Some(elements))
    }

    /// Copies elements between two views on the device; `false` where the host does it, since it has the newest data of both, or
    /// the device cannot copy.
    pub(super) fn copy_between(
        &mut self,
        memory: &mut Memory,
        source: &MemRef,
        target: &MemRef,
        kind: ScalarKind,
    ) -> Result<bool, FaultKind> {
        let (from, to) = (memory.get(source.alloc)?, memory.get(target.alloc)?);
        let is_loaded = from.device_current();
        // What is left of the target would have to be downloaded before the host can write.
        let has_rest = to.is_newest_on_device() && (is_loaded || !memory.is_whole(target, kind)?);
        if to.element() != kind || !from.is_newest_on_device() && !has_rest {
            return Ok(false);
        }
        let known = if is_loaded {
            source.alloc
        } else {
            target.alloc
        };
        let Some(known) = self.copies.get(&known) else {
            return Ok(false);
        };
        let shown = Shown {
            base: source.base,
            ..known.shown
        };
        let bytes = shown.format.bytes;
        let is_alike = shown.format == (DeviceFormat { kind, bytes }).canonical();
        if is_loaded && known.shown != shown || !is_alike || target.base != 0 {
            return Ok(false);
        }
        let mut there = |view, base| match self.device_copy(memory, view, Shown { base, ..shown }) {
            Ok(buffer) => Ok(Some(buffer)),
            // The device has no memory for it, or no integers as wide.
            Err(Stop::Lack(_) | Stop::Fault(FaultKind::WideIndex(_))) => Ok(None),
            Err(Stop::Fault(kind)) => Err(kind),
        };
        let (Some(from), Some(to)) = (there(source, source.base)?, there(target, 0)?) else {
            return Ok(false);
        };
        let sizes: Vec<u64> = source
            .sizes
            .iter()
            .map(|&size| size.max(0) as u64)
            .collect();
        let side = |buffer, view: &MemRef| {
            let offset = u64::try_from(view.offset).ok()?;
            Some((buffer, offset, view.strides.to_vec()))
        };
        let (Some(from), Some(to)) = (side(&from, source), side(&to, target)) else {
            return Ok(false);
        };
        let strided = |side: &(_, u64, Vec<i64>)| (side.1, side.2.clone());
        let ((from_offset, from_strides), (to_offset, to_strides)) = (strided(&from), strided(&to));
        let from = runtime::Strided {
            buffer: from.0,
            offset: from_offset,
            strides: &from_strides,
        };
        let to = runtime::Strided {
            buffer: to.0,
            offset: to_offset,
            strides: &to_strides,
        };
        let element = shown.format.bytes as u32;
        match self.device.copy_strided(element, &sizes, from, to) {
            Ok(()) => {}
            // The copy shader can bind no more of a buffer than a kernel can.
            Err(runtime::Error::BeyondLimit { .. }) => return Ok(false),
            Err(error) => return Err(device_error(error)),
        }
        memory.get_mut(target.alloc)?.set_host_current(false);
        Ok(true)
    }
}
