//! Mappings: device buffers in the host's address space.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use crate::error::{Error, Result};
use crate::gpu::Gpu;

/// Requested mapping, usable after the next wait; undone when dropped.
#[derive(Debug)]
pub(crate) struct Mapping {
    buffer: wgpu::Buffer,
    range: Range<u64>,
    outcome: Arc<OnceLock<std::result::Result<(), wgpu::BufferAsyncError>>>,
}

impl Mapping {
    /// Requests a read mapping of all of `buffer`.
    pub(crate) fn whole(gpu: &Gpu, buffer: &wgpu::Buffer) -> Result<Self> {
        Self::new(gpu, buffer, 0..buffer.size(), wgpu::MapMode::Read)
    }

    /// Requests a mapping of a range of `buffer`, which is not empty, begins at a multiple of 8 and
    /// is a multiple of 4 long.
    pub(crate) fn new(
        gpu: &Gpu,
        buffer: &wgpu::Buffer,
        range: Range<u64>,
        mode: wgpu::MapMode,
    ) -> Result<Self> {
        let outcome = Arc::new(OnceLock::new());
        let report = Arc::clone(&outcome);
        gpu.scoped("mapping a buffer", || {
            buffer.map_async(mode, range.clone(), move |result| {
                report.get_or_init(|| result);
            });
        })?;
        Ok(Self {
            buffer: buffer.clone(),
            range,
            outcome,
        })
    }

    /// Hands the bytes to `use_bytes`.
    pub(crate) fn read<T>(&self, gpu: &Gpu, use_bytes: impl FnOnce(&[u8]) -> T) -> Result<T> {
        self.check(gpu)?;
        let view = self
            .buffer
            .get_mapped_range(self.range.clone())
            .map_err(|error| failure(gpu, error.to_string()))?;
        Ok(use_bytes(&view))
    }

    /// Overwrites the beginning of the range with `bytes`, which are no longer than it.
    pub(crate) fn write(&self, gpu: &Gpu, bytes: &[u8]) -> Result<()> {
        self.check(gpu)?;
        let mut view = self
            .buffer
            .get_mapped_range_mut(self.range.clone())
            .map_err(|error| failure(gpu, error.to_string()))?;
        view.slice(..bytes.len()).copy_from_slice(bytes);
        Ok(())
    }

    /// Hands the memory, which is to be written only, and its size in bytes to `fill`.
    pub(crate) fn fill(&self, gpu: &Gpu, fill: impl FnOnce(*mut u8, usize)) -> Result<()> {
        self.check(gpu)?;
        let mut view = self
            .buffer
            .get_mapped_range_mut(self.range.clone())
            .map_err(|error| failure(gpu, error.to_string()))?;
        let mut bytes = view.slice(..);
        fill(bytes.as_raw_element_ptr().as_ptr(), bytes.len());
        Ok(())
    }

    fn check(&self, gpu: &Gpu) -> Result<()> {
        let cause = match self.outcome.get() {
            Some(Ok(())) => return Ok(()),
            Some(Err(error)) => error.to_string(),
            None => "the mapping did not arrive".to_owned(),
        };
        Err(failure(gpu, cause))
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // A refused mapping does not exist; undoing it would be an error of its own.
        if !matches!(self.outcome.get(), Some(Err(_))) {
            self.buffer.unmap();
        }
    }
}

fn failure(gpu: &Gpu, cause: String) -> Error {
    gpu.health.driver_error("mapping a buffer", cause)
}

/// A host buffer that the device can copy to and the host can read.
pub(crate) fn readable(gpu: &Gpu, bytes: u64) -> Result<wgpu::Buffer> {
    gpu.scoped("a staging buffer", || {
        gpu.raw.create_buffer(&wgpu::BufferDescriptor {
            label: Some("staging"),
            size: bytes,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        })
    })
}
