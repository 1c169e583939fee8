//! The opened device: buffers, transfers, kernels and launches.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use crate::adapter::{self, DeviceChoice, DeviceInfo};
use crate::buffer::{Buffer, Window};
use crate::command::Command;
use crate::copiers::Copiers;
use crate::error::{Error, Result};
use crate::fault::Fault;
use crate::features::FeatureSet;
use crate::gpu::{Gpu, unique_id};
use crate::health::Health;
use crate::kernel::{Kernel, KernelSource};
use crate::narrow_storage;
use crate::options::DeviceOptions;
use crate::pipeline::{self, Code};
use crate::recorder::Recorder;
use crate::spares::Spares;
use crate::staging::Staging;
use crate::sync::lock;
use crate::timeline::{HostWork, Timeline};

/// Memory of dropped buffers is kept up to this fraction of the largest buffer, which grows with the
/// device.
const SPARE_SHARE: u64 = 2;

/// An opened device. Cheap to clone and usable from any thread; clones share one command stream.
///
/// Launches and copies are recorded and take effect in the order of the calls; they reach the
/// device together when something is read, uploaded or waited for, or once enough has piled up.
/// So an error of the driver may come from a later call than the one that caused it.
#[derive(Debug, Clone)]
pub struct Device {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    gpu: Gpu,
    recorder: Mutex<Recorder>,
    kernels: Mutex<HashMap<KernelSource, Kernel>>,
    copiers: Copiers,
    staging: Staging,
    observer: Mutex<Option<KernelObserver>>,
    /// The end of the last [`Device::warm_up`].
    warmed: Mutex<Option<Instant>>,
}

/// Observer of the kernels that a device compiles.
struct KernelObserver(Box<dyn Fn(&KernelSource) + Send + Sync>);

impl fmt::Debug for KernelObserver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KernelObserver")
    }
}

impl Device {
    /// Opens the device that matches `choice`.
    ///
    /// # Errors
    ///
    /// [`Error::NoDevice`], [`Error::KnownFault`] or [`Error::OpenFailed`].
    pub fn open(choice: &DeviceChoice, options: &DeviceOptions) -> Result<Self> {
        let (mut info, adapter) = adapter::choose(choice)?;
        info.features -= options.without;
        if let Some(limit) = options.binding_limit {
            let own = info.limits.storage_binding_size;
            info.limits.storage_binding_size = own.min(limit);
        }
        if let Some(fault) = info.known_fault()
            && !options.allow_known_faults
        {
            return Err(fault);
        }
        let limits = adapter.limits();
        let uniform_alignment = limits.min_uniform_buffer_offset_alignment.into();
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("gridloom"),
            required_features: info.features.to_wgpu(),
            required_limits: limits,
            memory_hints: memory_hints(&info),
            experimental_features: experimental_features(info.features),
            ..Default::default()
        };
        let opened = narrow_storage::open(&adapter, &mut info.features, &descriptor);
        let (raw, queue) = opened.map_err(|error| Error::OpenFailed {
            device: info.to_string(),
            cause: error.to_string(),
        })?;
        let health = Health::watch(&raw, info.to_string());
        let spare_bytes = info.limits.buffer_size / SPARE_SHARE;
        let gpu = Gpu {
            id: unique_id(),
            raw,
            queue,
            info,
            options: options.clone(),
            health,
            spares: Arc::new(Spares::new(spare_bytes)),
            uniform_alignment,
        };
        let recorder = Mutex::new(Recorder::new(&gpu)?);
        Ok(Self {
            inner: Arc::new(Inner {
                gpu,
                recorder,
                kernels: Mutex::default(),
                copiers: Copiers::default(),
                staging: Staging::default(),
                observer: Mutex::default(),
                warmed: Mutex::default(),
            }),
        })
    }

    /// Describes the device.
    pub fn info(&self) -> &DeviceInfo {
        &self.inner.gpu.info
    }

    /// Whether the other handle is to the same opened device.
    pub fn is_same(&self, other: &Device) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// Whether SPIR-V reaches the driver as it is. If not, kernels have to keep to what naga
    /// reads.
    pub fn passes_spirv_through(&self) -> bool {
        self.inner.gpu.passes_spirv_through()
    }

    /// Known fault of the driver that keeps strict floats from being bit-exact, if it has one:
    /// [`Error::KnownFault`].
    pub fn strict_fault(&self) -> Option<Error> {
        if self.passes_spirv_through() {
            return self.info().strict_fault();
        }
        Some(Error::KnownFault {
            device: self.info().to_string(),
            why: "strict floats need a Vulkan driver that gets SPIR-V directly; naga, which \
                  translates kernels here, drops their float controls",
            remedy: "use relaxed floats, another device, or the interpreter",
        })
    }

    /// Allocates `size` bytes of device memory, zeroed; 0 is allowed.
    ///
    /// # Errors
    ///
    /// [`Error::BeyondLimit`] above the device's buffer or binding size, [`Error::OutOfMemory`].
    pub fn buffer(&self, size: u64) -> Result<Buffer> {
        let gpu = self.gpu();
        gpu.health.check()?;
        if let Some(buffer) = Buffer::of_spare(gpu, size)? {
            let raw = buffer.raw().clone();
            let (offset, bytes) = (0, raw.size());
            let clear = Command::Clear {
                buffer: raw,
                offset,
                bytes,
            };
            self.recorder().push(gpu, clear)?;
            return Ok(buffer);
        }
        match Buffer::new(gpu, size) {
            // Spare memory and work in flight may hold what is missing.
            Err(Error::OutOfMemory { .. }) => {
                gpu.spares.clear();
                self.recorder().release();
                self.wait()?;
                Buffer::new(gpu, size)
            }
            made => made,
        }
    }

    /// Has `see` look at each kernel that is compiled from now on, just before the driver gets it. It must not
    /// compile kernels itself.
    pub fn observe_kernels(&self, see: impl Fn(&KernelSource) + Send + Sync + 'static) {
        *lock(&self.inner.observer) = Some(KernelObserver(Box::new(see)));
    }

    /// Compiles `source`, or finds it among the kernels this device has compiled already.
    ///
    /// # Safety
    ///
    /// `source.spirv` is a valid module (`spirv-val` passes it for the device's Vulkan version),
    /// agrees with the rest of `source`, and stays within its buffers for every launch. Nobody
    /// checks this after the caller: drivers handed a bad module crash, lose the device or
    /// overwrite foreign memory.
    ///
    /// # Errors
    ///
    /// [`Error::MissingFeature`] and [`Error::BeyondLimit`] when the device is too small for the
    /// kernel, [`Error::BadKernel`] when `source` contradicts itself or naga or the driver
    /// refuses it.
    pub unsafe fn kernel(&self, source: &KernelSource) -> Result<Kernel> {
        let mut kernels = lock(&self.inner.kernels);
        if let Some(kernel) = kernels.get(source) {
            return Ok(kernel.clone());
        }
        source.check(self.gpu())?;
        if let Some(observer) = &*lock(&self.inner.observer) {
            (observer.0)(source);
        }
        let start = Instant::now();
        // SAFETY: the caller vouches for the module.
        let kernel = unsafe { pipeline::compile(self.gpu(), source, Code::Spirv) }?;
        let work = HostWork::Compile(source.name.clone());
        self.recorder().profiler.note(work, start);
        kernels.insert(source.clone(), kernel.clone());
        Ok(kernel)
    }

    /// Launches `kernel` on `grid` workgroups with `buffers` at bindings 0, 1, … and `params` as
    /// its parameter block. An empty grid does nothing.
    ///
    /// # Errors
    ///
    /// [`Error::BadLaunch`] when the arguments do not fit the kernel, [`Error::Aliased`] when one
    /// buffer is given twice and written, [`Error::BeyondLimit`] for a grid that is too large and
    /// cannot be split (see [`ParamBlock::grid_origin`](crate::ParamBlock)).
    pub fn launch(
        &self,
        kernel: &Kernel,
        grid: [u32; 3],
        buffers: &[&Buffer],
        params: &[u8],
    ) -> Result<()> {
        let windows: Vec<Window> = buffers.iter().map(|buffer| buffer.whole()).collect();
        self.recorder()
            .launch(self.gpu(), kernel, grid, &windows, params)
    }

    /// Launches a kernel with a part of each buffer, for buffers that are larger than a kernel can
    /// see (see [`Limits::storage_binding_size`](crate::Limits)).
    ///
    /// # Errors
    ///
    /// As [`Device::launch`]; [`Error::BadLaunch`] for a window that leaves its buffer, or does not
    /// begin at a multiple of [`Limits::storage_alignment`](crate::Limits).
    pub fn launch_windows(
        &self,
        kernel: &Kernel,
        grid: [u32; 3],
        windows: &[Window<'_>],
        params: &[u8],
    ) -> Result<()> {
        self.recorder()
            .launch(self.gpu(), kernel, grid, windows, params)
    }

    /// Submits the recorded commands to the device, without waiting for them.
    pub fn submit(&self) -> Result<()> {
        self.recorder().submit(self.gpu())
    }

    /// Completes everything recorded so far.
    pub fn wait(&self) -> Result<()> {
        self.timed(HostWork::Wait, || {
            self.recorder().finish(self.gpu(), |_| Ok(()))?;
            Ok(())
        })
    }

    /// Runs a part of the host's work and records it in the timeline.
    pub(crate) fn timed(&self, work: HostWork, run: impl FnOnce() -> Result<()>) -> Result<()> {
        let start = Instant::now();
        let done = run();
        self.recorder().profiler.note(work, start);
        done
    }

    /// The faults that kernels reported in work completed by [`Device::wait`] or a download, in
    /// the order of completion; each is given once.
    pub fn take_faults(&self) -> Vec<Fault> {
        self.recorder().take_faults()
    }

    /// Starts or stops to collect a [`Timeline`]. Timed launches cost more: each gets a pass of its
    /// own.
    pub fn set_profiling(&self, enabled: bool) {
        self.recorder().profiler.enable(enabled);
    }

    /// Waits, and takes the measurements since profiling began or the last timeline was taken.
    pub fn take_timeline(&self) -> Result<Timeline> {
        self.wait()?;
        Ok(self.recorder().profiler.take())
    }

    pub(crate) fn gpu(&self) -> &Gpu {
        &self.inner.gpu
    }

    pub(crate) fn recorder(&self) -> MutexGuard<'_, Recorder> {
        lock(&self.inner.recorder)
    }

    /// Returns the time of the last warm-up.
    pub(crate) fn warmed(&self) -> Option<Instant> {
        *lock(&self.inner.warmed)
    }

    pub(crate) fn set_warmed(&self, at: Instant) {
        *lock(&self.inner.warmed) = Some(at);
    }

    pub(crate) fn staging(&self) -> &Staging {
        &self.inner.staging
    }

    pub(crate) fn copiers(&self) -> &Copiers {
        &self.inner.copiers
    }
}

/// The size of the blocks in which wgpu takes memory from the driver. Large ones spare calls to the driver of a GPU;
/// one that computes on the CPU calls `malloc`, and SwiftShader writes zeros to every page of a block at once, which
/// at 64 MiB takes longer than all else that a small program does.
fn memory_hints(info: &DeviceInfo) -> wgpu::MemoryHints {
    match info.is_software() {
        true => wgpu::MemoryHints::MemoryUsage,
        false => wgpu::MemoryHints::Performance,
    }
}

/// The permission that wgpu asks for before it switches on features that it calls experimental.
fn experimental_features(features: FeatureSet) -> wgpu::ExperimentalFeatures {
    if !features.intersects(FeatureSet::MATRICES | FeatureSet::ADDRESSES) {
        return wgpu::ExperimentalFeatures::disabled();
    }
    // SAFETY: what is experimental of cooperative matrices is naga's and wgpu's own shader
    // language, which no kernel with matrices goes through: its SPIR-V goes to the driver as it is.
    // Of ray queries nothing is used but the device addresses of buffers that come with them.
    unsafe { wgpu::ExperimentalFeatures::enabled() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device() -> Device {
        Device::open(&DeviceChoice::Auto, &DeviceOptions::default())
            .expect("a driver; run the tests by `cargo xtask test`")
    }

    #[test]
    fn after_the_loss_of_a_device_every_call_fails() {
        let device = device();
        let buffer = device.buffer_with(&[1; 64]).unwrap();
        device.gpu().health.mark_lost("test".to_owned());
        let lost = |result: Result<()>| {
            assert!(
                matches!(result, Err(Error::DeviceLost { .. })),
                "{result:?}"
            );
        };
        lost(device.buffer(4).map(drop));
        lost(device.upload(&buffer, 0, &[0; 8]));
        lost(device.download(&buffer, 0, &mut [0; 8]));
        lost(device.fill(&buffer, 0, 8, &[0; 4]));
        lost(device.copy(&buffer, 0, &buffer, 8, 4));
        lost(device.submit());
        lost(device.wait());
    }

    #[test]
    fn an_error_outside_of_any_scope_surfaces_in_the_next_call() {
        let device = device();
        // wgpu refuses a buffer of no use.
        let _invalid = device.gpu().raw.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: 4,
            usage: wgpu::BufferUsages::empty(),
            mapped_at_creation: false,
        });
        let error = device.wait().unwrap_err();
        assert!(matches!(error, Error::Driver { .. }), "{error}");
        assert_eq!(device.wait(), Ok(()));
    }

    #[test]
    fn memory_is_used_again_and_zero_at_first() {
        let device = device();
        let first = device.buffer_with(&[7; 1021]).unwrap();
        let id = first.id();
        let other = device.buffer(1021).unwrap();
        assert_ne!(other.id(), id);
        // The copy is recorded, and runs before the memory is cleared.
        device.copy(&first, 0, &other, 0, 1020).unwrap();
        drop(first);
        let second = device.buffer(1022).unwrap();
        assert_eq!(second.id(), id);
        let mut bytes = [1; 1022];
        device.download(&second, 0, &mut bytes).unwrap();
        assert_eq!(bytes, [0; 1022]);
        device.download(&other, 0, &mut bytes[..1020]).unwrap();
        assert_eq!(bytes[..1020], [7; 1020]);
        device.download(&other, 1020, &mut bytes[..1]).unwrap();
        assert_eq!(bytes[0], 0);
    }

    #[test]
    fn spare_memory_is_limited() {
        let device = device();
        let spares = Spares::new(2048);
        let memory = |id| {
            let buffer = device.buffer(1024).unwrap();
            let raw = buffer.raw().clone();
            crate::spares::Memory {
                raw,
                id,
                address: None,
            }
        };
        for id in 0..3 {
            assert!(!spares.take_released());
            spares.keep(memory(id));
        }
        assert!(spares.take_released());
        assert!(spares.take(512).is_none());
        let left = || spares.take(1024).map(|memory| memory.id);
        assert_eq!([left(), left(), left()], [Some(2), Some(1), None]);
    }

    #[test]
    fn dropped_buffers_make_room() {
        const SIZE: u64 = 32 << 20;
        let device = device();
        let into = device.buffer(SIZE).unwrap();
        let allocated = || {
            let report = device.gpu().raw.generate_allocator_report();
            report.expect("a native backend").total_allocated_bytes
        };
        for _ in 0..20 {
            let buffer = device.buffer(SIZE).unwrap();
            device.copy(&buffer, 0, &into, 0, 4).unwrap();
            drop(buffer);
            device.wait().unwrap();
        }
        assert!(allocated() < 8 * SIZE, "{} bytes", allocated());
    }
}
