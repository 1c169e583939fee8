//! Device memory.

use std::sync::Arc;

use crate::address;
use crate::error::{Error, Result};
use crate::features::FeatureSet;
use crate::gpu::{Gpu, unique_id};
use crate::spares::{Memory, Spares};

/// The least size that is allocated. Graphics interfaces know no empty buffers, and shaders
/// translated by naga want room for one element of any type behind a runtime-sized array.
const MIN_BYTES: u64 = 16;

/// A buffer in device memory, zero at first. Cheap to clone; the memory is free for other buffers
/// after the last clone is gone and the work that uses it has ended.
#[derive(Debug, Clone)]
pub struct Buffer {
    inner: Arc<Inner>,
}

/// The bytes that are allocated for a buffer of `size` bytes.
fn allocated(gpu: &Gpu, size: u64) -> Result<u64> {
    let limit = gpu.info.limits.buffer_size;
    let check = |bytes| {
        let remedy = "split the array or choose another device";
        gpu.check_limit(|| description(size), bytes, limit, "maxBufferSize", remedy)
    };
    check(size)?;
    let allocated = size.max(MIN_BYTES).checked_next_multiple_of(4);
    let allocated = allocated.unwrap_or(u64::MAX);
    check(allocated).map(|()| allocated)
}

fn description(size: u64) -> String {
    format!("a buffer of {size} bytes")
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
    memory: Memory,
    size: u64,
    device: u64,
    spares: Arc<Spares>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.spares.keep(self.memory.clone());
    }
}

impl Buffer {
    /// Allocates `size` bytes.
    pub(crate) fn new(gpu: &Gpu, size: u64) -> Result<Self> {
        let allocated = allocated(gpu, size)?;
        let mut usage = wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::COPY_SRC
            | wgpu::BufferUsages::COPY_DST;
        if gpu.has(FeatureSet::MAPPABLE) {
            usage |= wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::MAP_WRITE;
        }
        let has_address = gpu.has(FeatureSet::ADDRESSES);
        if has_address {
            // The usage with which wgpu asks for a buffer that has an address.
            usage |= wgpu::BufferUsages::BLAS_INPUT;
        }
        let raw = gpu.scoped(&description(size), || {
            gpu.raw.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: allocated,
                usage,
                mapped_at_creation: false,
            })
        })?;
        let id = unique_id();
        let address = has_address.then(|| address::of(gpu, &raw)).flatten();
        Ok(Self::of(gpu, size, Memory { raw, id, address }))
    }

    /// Makes a buffer of `size` bytes of spare memory, if there is some. It is not zero.
    pub(crate) fn of_spare(gpu: &Gpu, size: u64) -> Result<Option<Self>> {
        let spare = gpu.spares.take(allocated(gpu, size)?);
        Ok(spare.map(|memory| Self::of(gpu, size, memory)))
    }

    fn of(gpu: &Gpu, size: u64, memory: Memory) -> Self {
        Self {
            inner: Arc::new(Inner {
                memory,
                size,
                device: gpu.id,
                spares: Arc::clone(&gpu.spares),
            }),
        }
    }

    /// Size of the buffer in bytes, as asked for.
    pub fn size(&self) -> u64 {
        self.inner.size
    }

    /// A number that identifies the memory: clones share it, no two live buffers do.
    pub fn id(&self) -> u64 {
        self.inner.memory.id
    }

    /// The device address of the buffer, on devices with [`FeatureSet::ADDRESSES`].
    pub fn address(&self) -> Option<u64> {
        self.inner.memory.address
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
        &self.inner.memory.raw
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
