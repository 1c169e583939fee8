//! Session: the GPU or the embedded interpreter that programs run on.

use gridloom_codegen::target::machine::Tiling;
use gridloom_codegen::target::{MatrixProduct, OffloadOptions, Target};
use gridloom_gpu_runtime as runtime;
use gridloom_ir::types::FloatKind;
use gridloom_spirv::{Bounds, FpMode, MatrixElement};

/// Requested device.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum DeviceWish {
    /// A GPU; else a software Vulkan driver of a version known to be correct, lavapipe of Mesa 25
    /// or later; else the interpreter.
    #[default]
    Auto,
    /// The embedded interpreter.
    Cpu,
    /// The device whose name contains this text, software drivers included.
    Named(String),
}

impl From<&str> for DeviceWish {
    fn from(text: &str) -> Self {
        match text {
            "auto" => DeviceWish::Auto,
            "cpu" => DeviceWish::Cpu,
            name => DeviceWish::Named(name.to_owned()),
        }
    }
}

/// Kind of machine that loops are mapped for.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum MapFor {
    /// The device's own kind.
    #[default]
    Device,
    /// GPUs, on every device.
    Gpu,
    /// Drivers that run kernels on the CPU, on every device.
    Cpu,
}

/// Options of a session.
#[derive(Clone, Copy, Debug)]
pub struct SessionOptions {
    /// Kind of machine that loops are mapped for.
    pub map_for: MapFor,
    /// The mode of floating-point operations.
    pub fp: FpMode,
    /// Treatment of accesses that are not proved in range.
    pub bounds: Bounds,
    /// Whether kernels go through naga even where the driver accepts SPIR-V.
    pub portable: bool,
    /// Whether to use a driver that is known to be wrong.
    pub allow_known_faults: bool,
    /// Limit of the bytes of a buffer that a kernel binds, where that is less than the device's
    /// limit.
    pub binding_limit: Option<u64>,
    /// Whether to translate kernels to the `spirv` dialect and back, as a check of both
    /// translations.
    pub spirv_dialect: bool,
}

impl Default for SessionOptions {
    fn default() -> Self {
        SessionOptions {
            map_for: MapFor::Device,
            fp: FpMode::Relaxed,
            bounds: Bounds::Guarded,
            portable: false,
            allow_known_faults: false,
            binding_limit: None,
            spirv_dialect: false,
        }
    }
}

impl SessionOptions {
    /// Whether floats must be bit-exact on the device.
    fn needs_strict_driver(&self) -> bool {
        self.fp == FpMode::Strict && !self.allow_known_faults
    }
}

/// Session: an open device, or the interpreter.
#[derive(Debug)]
pub struct Session {
    device: Option<runtime::Device>,
    options: SessionOptions,
    /// Reason for choosing this device, where the request left it open.
    why: Option<String>,
}

impl Session {
    /// Opens the requested device.
    ///
    /// # Errors
    /// A named device that does not exist, cannot be opened, or is not bit-exact under
    /// strict floats. `Auto` falls back only where there is no GPU at all; a GPU that fails to open
    /// is an error.
    pub fn open(wish: &DeviceWish, options: SessionOptions) -> Result<Self, runtime::Error> {
        let interpreter = |why| Session {
            device: None,
            options,
            why,
        };
        let choice = match wish {
            DeviceWish::Cpu => return Ok(interpreter(None)),
            DeviceWish::Auto => runtime::DeviceChoice::Trusted,
            DeviceWish::Named(name) => name.parse().unwrap_or_default(),
        };
        let is_open = *wish == DeviceWish::Auto;
        match open_device(&choice, options) {
            Ok(device) => {
                let stands_in = is_open && device.info().is_software();
                let why = "software Vulkan, since there is no GPU";
                Ok(Session {
                    device: Some(device),
                    options,
                    why: stands_in.then(|| why.to_owned()),
                })
            }
            Err(runtime::Error::NoDevice { found, .. }) if is_open => {
                let why = match found.is_empty() {
                    true => "no GPU and no Vulkan driver found".to_owned(),
                    false => format!(
                        "no GPU found, nor lavapipe of Mesa 25 or later; --device takes {}",
                        found.join(", ")
                    ),
                };
                Ok(interpreter(Some(why)))
            }
            // A software driver that only stands in for a GPU is skipped without an error.
            Err(runtime::Error::KnownFault { device, why, .. }) if is_open && is_spare(&device) => {
                Ok(interpreter(Some(format!(
                    "no GPU found, and {device}: {why}"
                ))))
            }
            Err(error) => Err(error),
        }
    }

    /// The open device; `None` for the interpreter.
    pub fn device(&self) -> Option<&runtime::Device> {
        self.device.as_ref()
    }

    /// Warms up the device to its clock under load, before something is timed; does nothing shortly
    /// after the last time, or on a CPU.
    ///
    /// # Errors
    /// The device failed, in words.
    pub fn warm_up(&self) -> Result<(), String> {
        let warmed = self
            .device
            .as_ref()
            .map_or(Ok(()), |device| device.warm_up());
        warmed.map_err(|error| error.to_string())
    }

    /// The options that the session was opened with.
    pub fn options(&self) -> &SessionOptions {
        &self.options
    }

    /// Whether kernels reach buffers by device addresses where nothing else forbids it. What the user
    /// trusts goes through bindings: a driver keeps a bound buffer's end, an address has none.
    pub(crate) fn uses_addresses(&self) -> bool {
        let needed = runtime::FeatureSet::ADDRESSES | runtime::FeatureSet::I64;
        let options = &self.options;
        self.device.as_ref().is_some_and(|device| {
            device.info().features.contains(needed) && device.passes_spirv_through()
        }) && options.bounds == Bounds::Guarded
            && !options.portable
            && !options.spirv_dialect
    }

    /// The offload options for the device, with its limits and missing features.
    pub fn offload_options(&self) -> OffloadOptions {
        let info = self.device.as_ref().map(|device| device.info());
        let mut options = match (self.options.map_for, info) {
            (MapFor::Gpu, _) => OffloadOptions::gpu(),
            (MapFor::Cpu, _) => OffloadOptions::cpu_driver(),
            (MapFor::Device, Some(info)) if self.uses_addresses() => match info.gathers_slowly() {
                true => OffloadOptions::slow_gathering_cpu_driver(),
                false => OffloadOptions::gathering_cpu_driver(),
            },
            (MapFor::Device, Some(info)) => mapping_for(info.is_software(), info.compiles_slowly()),
            (MapFor::Device, None) => OffloadOptions::cpu_driver(),
        };
        if let Tiling::Model(machine) = &mut options.tiling
            && !info.is_some_and(runtime::DeviceInfo::loads_uniformly)
        {
            machine.straight = None;
        }
        let limit = info.map(|info| info.limits.workgroup_memory);
        OffloadOptions {
            target: info.map(target),
            reassociate: self.options.fp == FpMode::Relaxed,
            workgroup_memory: staging_memory(options.workgroup_memory, limit),
            ..options
        }
    }

    /// Names the device, or the interpreter.
    pub fn describe(&self) -> String {
        let name = match &self.device {
            Some(device) => device.info().to_string(),
            None => "embedded interpreter".to_owned(),
        };
        match &self.why {
            Some(why) => format!("{name} ({why})"),
            None => name,
        }
    }
}

/// The offload options for a kind of device.
pub(crate) fn mapping_for(is_software: bool, compiles_slowly: bool) -> OffloadOptions {
    match (is_software, compiles_slowly) {
        (_, true) => OffloadOptions::slow_compiler(),
        (true, false) => OffloadOptions::cpu_driver(),
        (false, false) => OffloadOptions::gpu(),
    }
}

/// Limit of the workgroup memory in which one workgroup stages loads, so that a multiprocessor,
/// which has 64 KiB or more, holds several.
const MOST_STAGED: i64 = 32 << 10;

/// Bytes of workgroup memory for staging on a device with a given limit, where the mapping stages
/// at all.
fn staging_memory(portable: i64, limit: Option<u32>) -> i64 {
    match limit {
        Some(limit) if portable > 0 => i64::from(limit).min(MOST_STAGED),
        _ => portable,
    }
}

fn open_device(
    choice: &runtime::DeviceChoice,
    options: SessionOptions,
) -> Result<runtime::Device, runtime::Error> {
    let device_options = runtime::DeviceOptions {
        portable: options.portable,
        allow_known_faults: options.allow_known_faults,
        binding_limit: options.binding_limit,
        ..runtime::DeviceOptions::default()
    };
    let device = runtime::Device::open(choice, &device_options)?;
    match device.strict_fault() {
        Some(fault) if options.needs_strict_driver() => Err(fault),
        _ => Ok(device),
    }
}

/// Whether a refused device, given by its full name, is a software driver.
fn is_spare(name: &str) -> bool {
    let devices = runtime::devices();
    let mut same = devices.iter().filter(|info| info.to_string() == name);
    same.any(runtime::DeviceInfo::is_software)
}

/// Describes a device to the offload policy.
fn target(info: &runtime::DeviceInfo) -> Target {
    let has = |feature| info.features.contains(feature);
    Target {
        name: info.to_string(),
        f64: has(runtime::FeatureSet::F64),
        i64: has(runtime::FeatureSet::I64),
        i64_atomic: has(runtime::FeatureSet::I64_ATOMIC),
        workgroup_memory: info.limits.workgroup_memory.into(),
        matrices: crate::gpu::matrices(info).iter().map(product).collect(),
        storage_buffers: None,
    }
}

/// Describes a product of matrices to the offload policy.
pub(crate) fn product(product: gridloom_spirv::MatrixProduct) -> MatrixProduct {
    let kind = |element| match element {
        MatrixElement::F16 => FloatKind::F16,
        MatrixElement::F32 => FloatKind::F32,
    };
    MatrixProduct {
        m: product.m.into(),
        n: product.n.into(),
        k: product.k.into(),
        factors: kind(product.factors),
        sums: kind(product.sums),
    }
}
