//! Commands of a device as the recorder keeps them: launches, copies and fills.

use std::ops::Range;

use crate::kernel::Kernel;

/// One recorded command.
#[derive(Debug)]
pub(crate) enum Command {
    Launch(Launch),
    Copy {
        from: wgpu::Buffer,
        from_offset: u64,
        to: wgpu::Buffer,
        to_offset: u64,
        bytes: u64,
    },
    /// Zeroes a range.
    Clear {
        buffer: wgpu::Buffer,
        offset: u64,
        bytes: u64,
    },
}

/// One recorded dispatch.
#[derive(Debug)]
pub(crate) struct Launch {
    pub(crate) kernel: Kernel,
    pub(crate) group: wgpu::BindGroup,
    pub(crate) params: Params,
    pub(crate) grid: [u32; 3],
}

/// Place of a recorded dispatch's parameters.
#[derive(Debug)]
pub(crate) enum Params {
    None,
    /// A range of the recorder's immediates.
    Immediates(Range<usize>),
    /// An offset in the recorder's uniform buffer.
    Uniform(u32),
}
