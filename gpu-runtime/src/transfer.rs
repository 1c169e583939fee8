//! Transfers: bytes between host and device, and contiguous bytes between buffers.

use std::ops::Range;

use crate::buffer::Buffer;
use crate::command::Command;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::features::FeatureSet;
use crate::gpu::Gpu;
use crate::mapping::{Mapping, readable};
use crate::staging::RING_FROM_BYTES;
use crate::timeline::HostWork;

/// The most memory that one step of a download maps.
const CHUNK_BYTES: usize = 64 << 20;

/// Below this, a mapping and the wait that it needs cost more than a staged copy.
const MAP_FROM_BYTES: usize = 64 << 10;

impl Device {
    /// Allocates a buffer that holds `bytes`.
    pub fn buffer_with(&self, bytes: &[u8]) -> Result<Buffer> {
        let buffer = self.buffer(bytes.len() as u64)?;
        self.upload(&buffer, 0, bytes)?;
        Ok(buffer)
    }

    /// Writes `bytes` to `buffer` at `offset`, after everything recorded so far.
    ///
    /// # Errors
    ///
    /// [`Error::BadTransfer`] when the range leaves the buffer.
    pub fn upload(&self, buffer: &Buffer, offset: u64, bytes: &[u8]) -> Result<()> {
        buffer.check(self.gpu(), "upload", offset, bytes.len() as u64)?;
        if bytes.is_empty() {
            return self.gpu().health.check();
        }
        let work = HostWork::Upload(bytes.len() as u64);
        self.timed(work, || self.write_range(buffer, offset, bytes))
    }

    /// Writes bytes of which there are some to a range inside of the buffer.
    fn write_range(&self, buffer: &Buffer, offset: u64, bytes: &[u8]) -> Result<()> {
        let gpu = self.gpu();
        let end = offset + bytes.len() as u64;
        if !offset.is_multiple_of(4) || (!end.is_multiple_of(4) && end != buffer.size()) {
            // The queue writes whole words; the bytes beside the range in its last word have to
            // stay.
            let whole = self.buffer_with(bytes)?;
            return self.copy(&whole, 0, buffer, offset, bytes.len() as u64);
        }
        if gpu.has(FeatureSet::MAPPABLE)
            && bytes.len() >= MAP_FROM_BYTES
            && offset.is_multiple_of(8)
        {
            return self.upload_mapped(buffer, offset, bytes);
        }
        // Recorded commands may still read the old bytes. The lock keeps other threads from mapping
        // the buffer meanwhile.
        let mut recorder = self.recorder();
        recorder.submit(gpu)?;
        match bytes.len() {
            RING_FROM_BYTES.. => self.staging().upload(gpu, buffer.raw(), offset, bytes),
            _ => gpu.scoped("an upload", || write(gpu, buffer.raw(), offset, bytes)),
        }
    }

    fn upload_mapped(&self, buffer: &Buffer, offset: u64, bytes: &[u8]) -> Result<()> {
        let gpu = self.gpu();
        let range = word_range(offset, bytes.len() as u64);
        // No other thread may submit work on a mapped buffer: the lock outlives the mapping.
        let mut recorder = self.recorder();
        let mapping = recorder.finish(gpu, |gpu| {
            Mapping::new(gpu, buffer.raw(), range, wgpu::MapMode::Write).map(Some)
        })?;
        mapping.map_or(Ok(()), |mapping| mapping.write(gpu, bytes))
    }

    /// Reads `into.len()` bytes of `buffer` at `offset`, after everything recorded so far.
    ///
    /// # Errors
    ///
    /// [`Error::BadTransfer`] when the range leaves the buffer.
    pub fn download(&self, buffer: &Buffer, offset: u64, into: &mut [u8]) -> Result<()> {
        buffer.check(self.gpu(), "download", offset, into.len() as u64)?;
        if into.is_empty() {
            return self.wait();
        }
        let work = HostWork::Download(into.len() as u64);
        self.timed(work, || {
            if self.is_for_ring(offset, into) {
                let mut recorder = self.recorder();
                recorder.finish(self.gpu(), |_| Ok(()))?;
                return self
                    .staging()
                    .download(self.gpu(), buffer.raw(), offset, into);
            }
            let mut at = offset;
            for chunk in into.chunks_mut(CHUNK_BYTES) {
                self.download_chunk(buffer, at, chunk)?;
                at += chunk.len() as u64;
            }
            Ok(())
        })
    }

    /// Whether a download goes through the staging ring.
    fn is_for_ring(&self, offset: u64, into: &[u8]) -> bool {
        let is_staged = !self.gpu().has(FeatureSet::MAPPABLE);
        is_staged && into.len() >= RING_FROM_BYTES && offset.is_multiple_of(4)
    }

    fn download_chunk(&self, buffer: &Buffer, offset: u64, into: &mut [u8]) -> Result<()> {
        let gpu = self.gpu();
        // Mappings begin at multiples of 8, and buffers are allocated in whole words.
        let start = offset - offset % 8;
        let range = word_range(start, offset - start + into.len() as u64);
        // As for uploads, the lock outlives the mapping.
        let mut recorder = self.recorder();
        let mapping = if gpu.has(FeatureSet::MAPPABLE) {
            recorder.finish(gpu, |gpu| {
                Mapping::new(gpu, buffer.raw(), range, wgpu::MapMode::Read).map(Some)
            })?
        } else {
            let bytes = range.end - range.start;
            let staging = readable(gpu, bytes)?;
            let copy = Command::Copy {
                from: buffer.raw().clone(),
                from_offset: start,
                to: staging.clone(),
                to_offset: 0,
                bytes,
            };
            recorder.push(gpu, copy)?;
            recorder.finish(gpu, |gpu| Mapping::whole(gpu, &staging).map(Some))?
        };
        let skip = (offset - start) as usize;
        mapping.map_or(Ok(()), |mapping| {
            mapping.read(gpu, |bytes| {
                // The range was made to hold them.
                if let Some(wanted) = bytes.get(skip..skip + into.len()) {
                    into.copy_from_slice(wanted);
                }
            })
        })
    }

    /// Copies `bytes` bytes between buffers, or within one; the ranges may overlap.
    ///
    /// # Errors
    ///
    /// [`Error::BadTransfer`] when a range leaves its buffer.
    pub fn copy(
        &self,
        from: &Buffer,
        from_offset: u64,
        to: &Buffer,
        to_offset: u64,
        bytes: u64,
    ) -> Result<()> {
        let gpu = self.gpu();
        from.check(gpu, "copy", from_offset, bytes)?;
        to.check(gpu, "copy", to_offset, bytes)?;
        if bytes == 0 || (from.id() == to.id() && from_offset == to_offset) {
            return gpu.health.check();
        }
        if from.id() == to.id() {
            // Graphics interfaces copy between distinct buffers only.
            let between = self.buffer(bytes)?;
            self.copy(from, from_offset, &between, 0, bytes)?;
            return self.copy(&between, 0, to, to_offset, bytes);
        }
        if !(from_offset | to_offset | bytes).is_multiple_of(4) {
            return self.copy_bytes(from, from_offset, to, to_offset, bytes);
        }
        let copy = Command::Copy {
            from: from.raw().clone(),
            from_offset,
            to: to.raw().clone(),
            to_offset,
            bytes,
        };
        self.recorder().push(gpu, copy)
    }

    /// Fills `bytes` bytes of `buffer` at `offset` with repetitions of `pattern`, one element of
    /// 1, 2, 4, 8 or 16 bytes.
    ///
    /// # Errors
    ///
    /// [`Error::BadTransfer`] when the range leaves the buffer or does not hold a whole number of
    /// elements.
    pub fn fill(&self, buffer: &Buffer, offset: u64, bytes: u64, pattern: &[u8]) -> Result<()> {
        let gpu = self.gpu();
        buffer.check(gpu, "fill", offset, bytes)?;
        let element = pattern.len() as u64;
        let whole = matches!(element, 1 | 2 | 4 | 8 | 16)
            && offset.is_multiple_of(element)
            && bytes.is_multiple_of(element);
        if !whole {
            return Err(Error::BadTransfer {
                what: "fill",
                cause: format!(
                    "{bytes} bytes at offset {offset} are no whole number of {element}-byte elements"
                ),
            });
        }
        if bytes == 0 {
            return gpu.health.check();
        }
        if pattern.iter().all(|&byte| byte == 0) && (offset | bytes).is_multiple_of(4) {
            let clear = Command::Clear {
                buffer: buffer.raw().clone(),
                offset,
                bytes,
            };
            return self.recorder().push(gpu, clear);
        }
        if element < 4 && (offset | bytes).is_multiple_of(4) {
            // Whole words are much faster than their parts.
            let word = pattern.repeat(4 / pattern.len());
            return self.broadcast(&word, buffer, offset, bytes / 4);
        }
        self.broadcast(pattern, buffer, offset, bytes / element)
    }
}

/// The words that `bytes` bytes from `start` lie in; `start` is a multiple of 4.
fn word_range(start: u64, bytes: u64) -> Range<u64> {
    start..start + bytes.next_multiple_of(4)
}

/// Writes `bytes`, padded to whole words, through the queue's staging memory and submits that.
fn write(gpu: &Gpu, buffer: &wgpu::Buffer, offset: u64, bytes: &[u8]) {
    let (whole, rest) = bytes.split_at(bytes.len() - bytes.len() % 4);
    if !whole.is_empty() {
        gpu.queue.write_buffer(buffer, offset, whole);
    }
    if !rest.is_empty() {
        let mut last = [0; 4];
        last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
        gpu.queue
            .write_buffer(buffer, offset + whole.len() as u64, &last);
    }
    gpu.queue.submit([]);
}
