//! Devices, buffers, copies, kernel cache and launches through wgpu.
//!
//! A program for the device is a sequence of calls on a [`Device`]: allocate and fill
//! [`Buffer`]s, launch [`Kernel`]s on them, read the results. The calls are synchronous and cheap:
//! launches and copies are recorded, keep the order of the calls, and reach the device together
//! when somebody waits or reads.
//!
//! Kernels come as SPIR-V words with a description of their interface ([`KernelSource`]); this
//! crate knows nothing of the language that they were written in.
//!
//! ```no_run
//! use gridloom_gpu_runtime::{
//!     Access, Binding, Device, DeviceOptions, FeatureSet, KernelSource, ParamBlock, devices,
//! };
//!
//! fn scale(spirv: Vec<u32>, values: &mut [u8], factor: f32) -> gridloom_gpu_runtime::Result<()> {
//!     for info in devices() {
//!         println!("{info}: {}, has {}", info.kind, info.features);
//!     }
//!     // `DeviceChoice::Hardware` leaves out software drivers, a name such as "lavapipe" takes one.
//!     let device = Device::open(&"auto".parse().unwrap_or_default(), &DeviceOptions::default())?;
//!     let source = KernelSource {
//!         name: "scale".to_owned(),
//!         spirv,
//!         entry_point: "main".to_owned(),
//!         workgroup_size: [64, 1, 1],
//!         workgroup_memory: 0,
//!         bindings: vec![Binding { access: Access::ReadWrite, min_size: values.len() as u64 }],
//!         params: ParamBlock::uniform(1, 4), // or `ParamBlock::immediates(4)`
//!         fault: Some(2),
//!         required: FeatureSet::empty(),
//!     };
//!     // SAFETY: the module was validated, agrees with the description and guards its accesses.
//!     let kernel = unsafe { device.kernel(&source) }?; // compiled once per device and content
//!
//!     let buffer = device.buffer_with(values)?;
//!     let workgroups = (values.len() / 4).div_ceil(64) as u32;
//!     for _ in 0..100 {
//!         device.launch(&kernel, [workgroups, 1, 1], &[&buffer], &factor.to_ne_bytes())?;
//!     }
//!     device.download(&buffer, 0, values)?; // submits all of it, waits, reads
//!     for fault in device.take_faults() {
//!         eprintln!("{}: {} faults, the first at site {}", fault.kernel, fault.count, fault.site);
//!     }
//!     Ok(())
//! }
//! ```
//!
//! # Which driver, which way
//!
//! On Vulkan the words reach the driver untouched; elsewhere, and with
//! [`DeviceOptions::portable`], they pass through naga, which reads less than SPIR-V has. What a
//! driver is known to do wrong is in one table ([`Quirk`]): wrong results refuse the device, types
//! that it only pretends to have are masked from its features.
//!
//! # Failure
//!
//! Every request is checked against limits and features first, and every failure is an
//! [`Error`], a lost device included. Nothing here panics; a build with `panic = "abort"` can
//! still end when a driver loses the device during a wait, because wgpu 30 has no other way to
//! report that.

mod across;
mod adapter;
mod address;
mod buffer;
mod command;
mod copiers;
mod device;
mod error;
mod fault;
mod features;
mod float_controls;
mod gpu;
mod health;
mod kernel;
mod launch;
mod limits;
mod mapping;
mod matrices;
mod narrow_storage;
mod options;
mod pipeline;
mod processor;
mod quirks;
mod recorder;
mod spares;
mod staging;
mod strided;
mod sync;
mod timeline;
mod transfer;
#[cfg(not(target_vendor = "apple"))]
mod vulkan;
mod warm_up;

pub use adapter::{DeviceChoice, DeviceInfo, DeviceKind, devices};
pub use buffer::{Buffer, Window};
pub use device::Device;
pub use error::{Error, Result};
pub use fault::Fault;
pub use features::FeatureSet;
pub use float_controls::{FloatControl, FloatControls};
pub use kernel::{Access, Binding, Kernel, KernelSource, ParamBlock, ParamClass};
pub use limits::Limits;
pub use matrices::{MatrixElement, MatrixProduct};
pub use options::DeviceOptions;
pub use quirks::Quirk;
pub use strided::Strided;
pub use timeline::{CommandTime, HostTime, HostWork, Span, Timed, Timeline};
