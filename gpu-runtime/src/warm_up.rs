//! Clock ramp: brings a GPU that was idle to the clock it computes with under load.
//!
//! Idle GPUs lower their clock, and raise it only when kernels have kept them busy for a while. An
//! NVIDIA H200 waits at 345 MHz, takes 0.1 s of kernels in a row to reach 1,980 MHz, and stays there
//! for 3 s without any; what is measured before that takes up to four times as long.

use std::time::{Duration, Instant};

use crate::buffer::Buffer;
use crate::device::Device;
use crate::error::Result;
use crate::features::FeatureSet;
use crate::kernel::{Access, Binding, Kernel, KernelSource, ParamBlock};
use crate::pipeline::{self, Code};

/// Busy time of a warm-up: three times what an H200 needs.
const BUSY: Duration = Duration::from_millis(300);

/// Time for which a device is taken to stay warm; the timed work of the meantime counts for nothing.
const WARM: Duration = Duration::from_secs(2);

/// Workgroup size of the shader.
const WORKGROUP: u32 = 64;

/// Workgroups of a launch: enough for every multiprocessor of a large GPU.
const GRID: u32 = 4096;

/// Launches between two waits for the device.
const LAUNCHES: usize = 4;

impl Device {
    /// Keeps the device busy until its clock is that of steady work, for times that mean something;
    /// does nothing where that was done a moment ago, and on the CPU.
    ///
    /// # Errors
    /// The device failed.
    pub fn warm_up(&self) -> Result<()> {
        let is_warm = |at: Instant| at.elapsed() < WARM;
        if self.info().is_software() || self.warmed().is_some_and(is_warm) {
            return Ok(());
        }
        let kernel = self.warming_kernel()?;
        let bytes = u64::from(GRID * WORKGROUP) * 4;
        let buffer = self.buffer(bytes)?;
        let start = Instant::now();
        while start.elapsed() < BUSY {
            self.keep_busy(&kernel, &buffer, GRID)?;
        }
        self.set_warmed(Instant::now());
        Ok(())
    }

    fn keep_busy(&self, kernel: &Kernel, buffer: &Buffer, grid: u32) -> Result<()> {
        for _ in 0..LAUNCHES {
            self.launch(kernel, [grid, 1, 1], &[buffer], &[])?;
        }
        self.wait()
    }

    fn warming_kernel(&self) -> Result<Kernel> {
        let source = KernelSource {
            name: "warm_up".to_owned(),
            spirv: Vec::new(),
            entry_point: "main".to_owned(),
            workgroup_size: [WORKGROUP, 1, 1],
            workgroup_memory: 0,
            bindings: vec![Binding {
                access: Access::ReadWrite,
                min_size: 0,
            }],
            params: ParamBlock::NONE,
            fault: None,
            required: FeatureSet::empty(),
        };
        let text = include_str!("../../shaders/warm_up.wgsl");
        // SAFETY: our own shader, with naga's bounds checks.
        unsafe { pipeline::compile(self.gpu(), &source, Code::Wgsl(text)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DeviceChoice, DeviceOptions};

    /// `x <- x / 2 + 1` ends at its fixed point 2, wherever it begins.
    #[test]
    fn the_kernel_computes() {
        let device = Device::open(&DeviceChoice::Auto, &DeviceOptions::default())
            .expect("a driver; run the tests by `cargo xtask test`");
        let values = [0.0f32, 1.0, -3.5, 1e6].repeat(16);
        let bytes: Vec<u8> = values.iter().flat_map(|x| x.to_ne_bytes()).collect();
        let buffer = device.buffer_with(&bytes).unwrap();
        let kernel = device.warming_kernel().unwrap();
        device.keep_busy(&kernel, &buffer, 1).unwrap();
        let mut got = vec![0; bytes.len()];
        device.download(&buffer, 0, &mut got).unwrap();
        assert_eq!(got, 2.0f32.to_ne_bytes().repeat(64));
        device.warm_up().unwrap();
    }
}
