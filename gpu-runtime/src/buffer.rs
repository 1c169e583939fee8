//! Device memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{Error, Result};
use crate::features::FeatureSet;
use crate::gpu::{Gpu, unique_id};

/// The least size that is allocated. Graphics interfaces know no empty buffers, and shaders
/// translated by naga want room for one element of any type behind a runtime-sized array.
const MIN_BYTES: u64 = 16;

/// A buffer in device memory, zero at first. Cheap to clone; the memory is freed after the last
/// clone is gone and the work that uses it has ended.
#[derive(Debug, Clone)]
pub struct Buffer {
    inner: Arc<Inner>,
}

/// Window of a buffer: the part of it that one launch sees.
#[derive(Debug, Clone, Copy)]
pub struct Window<'b> {
    /// The buffer.
    pub buffer: &'b Buffer,
    /// First byte of the window in the buffer.
    pub offset: u64,
    /// Size of the window in bytes.
    pub bytes: u64,
}

impl Window<'_> {
    /// Whether the window is all of its buffer.
    pub(crate) fn is_whole(&self) -> bool {
        self.offset == 0 && self.bytes == self.buffer.size()
    }
}

#[derive(Debug)]
struct Inner {
    raw: wgpu::Buffer,
    size: u64,
    id: u64,
    device: u64,
    dropped: Arc<AtomicBool>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.dropped.store(true, Ordering::Relaxed);
    }
}

impl Buffer {
    /// Allocates `size` bytes.
    pub(crate) fn new(gpu: &Gpu, size: u64) -> Result<Self> {
        let what = || format!("a buffer of {size} bytes");
        let limits = &gpu.info.limits;
        let remedy = "split the array or choose another device";
        gpu.check_limit(what, size, limits.buffer_size, "maxBufferSize", remedy)?;
        let allocated = size
            .max(MIN_BYTES)
            .checked_next_multiple_of(4)
            .unwrap_or(u64::MAX);
        gpu.check_limit(what, allocated, limits.buffer_size, "maxBufferSize", remedy)?;
        let mut usage = wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::COPY_SRC
            | wgpu::BufferUsages::COPY_DST;
        if gpu.has(FeatureSet::MAPPABLE) {
            usage |= wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::MAP_WRITE;
        }
        let raw = gpu.scoped(&what(), || {
            gpu.raw.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: allocated,
                usage,
                mapped_at_creation: false,
            })
        })?;
        Ok(Self {
            inner: Arc::new(Inner {
                raw,
                size,
                id: unique_id(),
                device: gpu.id,
                dropped: Arc::clone(&gpu.buffers_dropped),
            }),
        })
    }

    /// Size of the buffer in bytes, as asked for.
    pub fn size(&self) -> u64 {
        self.inner.size
    }

    /// A number that identifies the memory: clones share it, no two live buffers do.
    pub fn id(&self) -> u64 {
        self.inner.id
    }

    /// The window of all bytes.
    pub fn whole(&self) -> Window<'_> {
        Window {
            buffer: self,
            offset: 0,
            bytes: self.size(),
        }
    }

    pub(crate) fn raw(&self) -> &wgpu::Buffer {
        &self.inner.raw
    }

    /// The id of the buffer's device.
    pub(crate) fn device(&self) -> u64 {
        self.inner.device
    }

    /// Fails unless the buffer belongs to `gpu` and `offset..offset + bytes` lies inside of it.
    pub(crate) fn check(
        &self,
        gpu: &Gpu,
        what: &'static str,
        offset: u64,
        bytes: u64,
    ) -> Result<()> {
        let cause = if self.inner.device != gpu.id {
            "the buffer belongs to another device".to_owned()
        } else if offset
            .checked_add(bytes)
            .is_none_or(|end| end > self.size())
        {
            let size = self.size();
            format!("{bytes} bytes at offset {offset} reach beyond a buffer of {size} bytes")
        } else {
            return Ok(());
        };
        Err(Error::BadTransfer { what, cause })
    }
}
