//! Faults that kernels report: accesses out of bounds, and whatever else a compiler guards.

/// The size of a fault buffer.
pub(crate) const BYTES: u64 = 16;

/// Report of the launches of one kernel since the last synchronization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The kernel's name.
    pub kernel: String,
    /// The number the compiler gave the site that faulted first.
    pub site: u32,
    /// The number of all faults; wraps.
    pub count: u32,
    /// Words 2 and 3 of the fault buffer, whose meaning the compiler defines.
    pub details: [u32; 2],
}

impl Fault {
    /// Reads the words of a fault buffer; `None` when nothing was reported.
    pub(crate) fn read(kernel: &str, bytes: &[u8]) -> Option<Self> {
        let mut words = bytes
            .chunks_exact(4)
            .map(|word| u32::from_ne_bytes([word[0], word[1], word[2], word[3]]));
        let mut next = || words.next().unwrap_or(0);
        let (first, count) = (next(), next());
        Some(Self {
            site: first.checked_sub(1)?,
            kernel: kernel.to_owned(),
            count,
            details: [next(), next()],
        })
    }
}

/// A fault buffer; wgpu zeroes new buffers.
pub(crate) fn buffer(device: &wgpu::Device) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("faults"),
        size: BYTES,
        usage: wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::COPY_SRC
            | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}
