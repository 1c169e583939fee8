//! GPU device of a program's kernels: connects the executor, the SPIR-V compiler and the runtime.

mod bases;
mod containment;
mod convert;
mod copies;
mod dialect;
mod index_width;
mod kernels;
mod lack;
mod print;
mod streams;
mod variant;
mod windows;

use std::collections::HashMap;
use std::ops::Range;

use gridloom_dialects::gpu::SUBGROUP_LANES;
use gridloom_gpu_runtime as runtime;
use gridloom_interp::{
    AllocId, Argument, Device, FaultKind, Launch, Launched, MemRef, Memory, ScalarKind,
};
use gridloom_ir::diag::Diagnostic;
use gridloom_ir::{Context, Loc, Module};
use gridloom_spirv::{
    FloatControl, FloatControls, MatrixElement, MatrixProduct, MatrixProducts, ParamSource,
    ParamsClass, Promise,
};

use containment::lie_in_buffers;
use convert::DeviceFormat;
use copies::{Copy, Shown};
pub use kernels::{KernelOptions, Kernels};
use kernels::{Loaded, Needs};
use lack::Stop;
use variant::{Part, PartOf};
use windows::{Wide, WindowLimits, WindowedPart};

/// Runs the kernels of one program on one device.
#[derive(Debug)]
pub struct Gpu<'d> {
    device: &'d runtime::Device,
    kernels: &'d mut Kernels,
    copies: HashMap<AllocId, Copy>,
    /// Print sites of the kernel that was launched last.
    printing: Vec<print::Site>,
    /// Memref arguments of the present launch that begin elsewhere in their buffers than their types say.
    moved: Vec<u32>,
}

impl<'d> Gpu<'d> {
    /// Creates the device; it compiles and allocates on demand. `kernels` is the cache of earlier
    /// runs.
    pub fn new(device: &'d runtime::Device, kernels: &'d mut Kernels) -> Self {
        Gpu {
            device,
            kernels,
            copies: HashMap::new(),
            printing: Vec::new(),
            moved: Vec::new(),
        }
    }

    /// Binds the memref arguments of a launch, and uploads stale ones.
    fn bind(
        &mut self,
        memory: &mut Memory,
        loaded: &Loaded,
        arguments: &[Argument],
    ) -> Result<Vec<runtime::Buffer>, Stop> {
        let mut buffers = Vec::new();
        for binding in &loaded.abi.buffers {
            let Some(Argument::MemRef(kind, view)) = arguments.get(binding.arg as usize) else {
                return Err(broken("a kernel argument is no memref").into());
            };
            let format = DeviceFormat {
                kind: *kind,
                bytes: binding.element_bytes() as usize,
            };
            let format = format.canonical();
            buffers.push(self.device_copy(
                memory,
                view,
                Shown {
                    base: view.base,
                    format,
                },
            )?);
        }
        Ok(buffers)
    }

    /// Builds the parameter block of a launch with `buffers` in the order of the kernel's bindings.
    fn params(
        loaded: &Loaded,
        arguments: &[Argument],
        buffers: &[runtime::Buffer],
    ) -> Result<Vec<u8>, FaultKind> {
        let address = |arg: u32| {
            let mut bindings = loaded.abi.buffers.iter().zip(buffers);
            let bound = bindings.find(|(binding, _)| binding.arg == arg);
            let address = bound.and_then(|(_, buffer)| buffer.address());
            address.ok_or_else(|| broken("a buffer has no device address"))
        };
        let block = &loaded.abi.params;
        let mut bytes = vec![0; block.size as usize];
        for member in &block.members {
            let view = |arg: u32| match arguments.get(arg as usize) {
                Some(Argument::MemRef(_, view)) => Ok(view),
                _ => Err(broken("a kernel argument is no memref")),
            };
            let at = |list: &[i64], dim: u32| list.get(dim as usize).copied().unwrap_or(0);
            let index = ScalarKind::Int(64);
            let (kind, value) = match member.source {
                ParamSource::Scalar { arg } => match arguments.get(arg as usize) {
                    Some(Argument::Scalar(kind, bits)) => (*kind, *bits),
                    _ => return Err(broken("a kernel argument is no scalar")),
                },
                ParamSource::Offset { arg } => (index, view(arg)?.offset as u64),
                ParamSource::Size { arg, dim } => (index, at(&view(arg)?.sizes, dim) as u64),
                ParamSource::Stride { arg, dim } => (index, at(&view(arg)?.strides, dim) as u64),
                ParamSource::Address { arg } => (index, address(arg)?),
                ParamSource::Digit { value } => (index, u64::from(value)),
            };
            let size = member.kind.bytes() as usize;
            let word = DeviceFormat { kind, bytes: size }.encode(value);
            let word = word.map_err(FaultKind::WideIndex)?;
            let start = member.offset as usize;
            bytes[start..start + size].copy_from_slice(&word.to_le_bytes()[..size]);
        }
        Ok(bytes)
    }

    /// Launches a kernel on a grid that the device supports: all of it, or a part.
    fn launch_part(
        &mut self,
        ctx: &Context,
        module: &Module,
        memory: &mut Memory,
        launch: &Launch<'_>,
        part: PartOf<'_>,
    ) -> Result<(), Stop> {
        let moved = self.moved.clone();
        let part = PartOf {
            moved: &moved,
            ..part
        };
        let mut needs = Needs {
            wide: false,
            checks: self.kernels.take_addresses() && !lie_in_buffers(memory, launch.arguments)?,
        };
        let mut loaded = self.kernels.load(ctx, module, launch, &part, needs)?;
        let prepared = self
            .bind(memory, &loaded, launch.arguments)
            .and_then(|buffers| {
                let params = Self::params(&loaded, launch.arguments, &buffers)?;
                Ok((buffers, params))
            });
        let (buffers, params) = match prepared {
            // An element or a scalar of type index exceeds 32 bits.
            Err(Stop::Fault(FaultKind::WideIndex(value))) => {
                if !self.has_wide_index() {
                    return Err(self.too_wide(value));
                }
                needs.wide = true;
                loaded = self.kernels.load(ctx, module, launch, &part, needs)?;
                let buffers = self.bind(memory, &loaded, launch.arguments)?;
                let params = Self::params(&loaded, launch.arguments, &buffers)?;
                (buffers, params)
            }
            other => other?,
        };
        let grid = launch
            .grid
            .map(|size| u32::try_from(size).unwrap_or(u32::MAX));
        let bindings = loaded.abi.buffers.iter().zip(&buffers);
        let windows: Vec<runtime::Window> = bindings
            .map(|(binding, buffer)| {
                let seen = part.windows.iter().find(|seen| seen.arg == binding.arg);
                seen.map_or(buffer.whole(), |seen| {
                    let bytes = u64::from(binding.element_bytes());
                    runtime::Window {
                        buffer,
                        offset: seen.first * bytes,
                        bytes: seen.count * bytes,
                    }
                })
            })
            .collect();
        self.printing.clone_from(&loaded.printing);
        (self.device).launch_windows(&loaded.kernel, grid, &windows, &params)?;
        let written = |binding: &&gridloom_spirv::BufferBinding| !binding.read_only;
        for binding in loaded.abi.buffers.iter().filter(written) {
            if let Some(Argument::MemRef(_, view)) = launch.arguments.get(binding.arg as usize) {
                memory.get_mut(view.alloc)?.set_host_current(false);
            }
        }
        // The host waits for assertions to hold, since the code that follows may rely on them.
        if (loaded.abi.fault_sites.iter()).any(|site| site.assertion.is_some()) {
            self.finish()?;
        }
        Ok(())
    }

    fn has_wide_index(&self) -> bool {
        let features = self.device.info().features;
        features.contains(runtime::FeatureSet::I64)
    }

    fn too_wide(&self, value: i64) -> Stop {
        let info = self.device.info();
        let message = format!(
            "the index value {value} does not fit 32 bits, and {info} has no 64-bit integers"
        );
        Stop::Lack(Diagnostic::remark(Loc::UNKNOWN, message))
    }

    /// The parts of a launch's grid that the device supports; mostly one part, the whole.
    fn parts(
        &self,
        ctx: &Context,
        module: &Module,
        launch: &Launch<'_>,
    ) -> Result<Vec<Part>, Stop> {
        let info = self.device.info();
        let limit = i64::from(info.limits.workgroups_per_dimension);
        if launch.grid.iter().all(|&size| size <= limit) {
            let (origin, size) = ([0; 3], launch.grid);
            return Ok(vec![Part { origin, size }]);
        }
        let kernel = variant::find(ctx, module, launch.kernel);
        let parts = kernel
            .filter(|(kernel, ..)| variant::can_be_parted(kernel))
            .and_then(|_| variant::parts(launch.grid, limit));
        parts.ok_or_else(|| {
            let [x, y, z] = launch.grid;
            let message = format!(
                "its grid of {x}x{y}x{z} workgroups exceeds the {limit} per dimension that {info} \
                 takes, and would need too many launches"
            );
            Stop::Lack(Diagnostic::remark(Loc::UNKNOWN, message))
        })
    }

    /// Launches a kernel on its whole grid.
    fn launch_whole(
        &mut self,
        ctx: &Context,
        module: &Module,
        memory: &mut Memory,
        launch: &Launch<'_>,
    ) -> Result<(), Stop> {
        let parts = self.parts(ctx, module, launch)?;
        let unseen = |part: &Part| (*part, Vec::new());
        let whole = parts.iter().map(unseen).collect();
        let mut why = match self.launch_parts(ctx, module, memory, launch, whole) {
            Err(Stop::Lack(why)) => why,
            done => return done,
        };
        // Nothing has run yet.
        let wide = self.wide(launch.arguments);
        if wide.is_empty() {
            return Err(Stop::Lack(why));
        }
        match self.windowed(ctx, module, launch, &wide, parts) {
            Some(parts) => self.launch_parts(ctx, module, memory, launch, parts),
            None => {
                let more = "; and the launch cannot be split, because no part of its grid is \
                     proved to access less";
                why.message.push_str(more);
                Err(Stop::Lack(why))
            }
        }
    }

    /// Memref arguments whose device copies exceed a kernel's binding limit.
    fn wide(&self, arguments: &[Argument]) -> Vec<Wide> {
        let limit = self.device.info().limits.storage_binding_size;
        let wide = |(arg, argument): (u32, &Argument)| {
            let Argument::MemRef(_, view) = argument else {
                return None;
            };
            let copy = self.copies.get(&view.alloc)?;
            let bytes = copy.shown.format.bytes as u64;
            let size = copy.buffer.size();
            let elements = size / bytes.max(1);
            (size > limit).then_some(Wide {
                arg,
                bytes,
                elements,
            })
        };
        (0..).zip(arguments).filter_map(wide).collect()
    }

    /// Splits the launch into parts that access windows of the wide arguments.
    fn windowed(
        &self,
        ctx: &Context,
        module: &Module,
        launch: &Launch<'_>,
        wide: &[Wide],
        parts: Vec<Part>,
    ) -> Option<Vec<WindowedPart>> {
        let (kernel, ..) = variant::find(ctx, module, launch.kernel)?;
        let limits = &self.device.info().limits;
        let limits = WindowLimits {
            bytes: limits.storage_binding_size,
            alignment: limits.storage_alignment,
            guarded: self.kernels.guards(),
        };
        let kernel = Some(kernel).filter(|kernel| variant::can_be_parted(kernel))?;
        windows::windowed(ctx, kernel, launch, wide, limits, parts)
    }

    /// Launches the kernel on each part of its grid.
    fn launch_parts(
        &mut self,
        ctx: &Context,
        module: &Module,
        memory: &mut Memory,
        launch: &Launch<'_>,
        parts: Vec<WindowedPart>,
    ) -> Result<(), Stop> {
        if let [(_, seen)] = &parts[..]
            && seen.is_empty()
        {
            return self.launch_part(ctx, module, memory, launch, PartOf::default());
        }
        for (number, (part, seen)) in parts.into_iter().enumerate() {
            let arguments = windows::shifted(&part.arguments(launch), &seen);
            let whole = Some(launch.grid);
            let launch = Launch {
                grid: part.size,
                arguments: &arguments,
                ..launch.clone()
            };
            let part = PartOf {
                whole,
                windows: &seen,
                ..PartOf::default()
            };
            match self.launch_part(ctx, module, memory, &launch, part) {
                // The interpreter cannot take over, since earlier parts have run.
                Err(Stop::Lack(why)) if number > 0 => {
                    return Err(FaultKind::Device(why.message).into());
                }
                done => done?,
            }
        }
        Ok(())
    }

    /// Checks the fault buffer: accesses out of bounds, or failed assertions, of the kernels so
    /// far.
    fn faults(&mut self) -> Result<(), FaultKind> {
        let Some(fault) = self.device.take_faults().into_iter().next() else {
            return Ok(());
        };
        let found = self.kernels.site(&fault.kernel, fault.site);
        let site = found.map_or(Loc::UNKNOWN, |found| found.loc);
        Err(match found.and_then(|found| found.assertion.clone()) {
            Some(message) => FaultKind::KernelAssertion { site, message },
            None => FaultKind::Kernel {
                kernel: fault.kernel,
                site,
                count: fault.count,
            },
        })
    }
}

impl Device for Gpu<'_> {
    fn launch(
        &mut self,
        ctx: &Context,
        module: &Module,
        memory: &mut Memory,
        launch: &Launch<'_>,
    ) -> Result<Launched, FaultKind> {
        if launch.grid.contains(&0) || launch.block.contains(&0) {
            return Ok(Launched::There);
        }
        let Some(arguments) = self.with_common_bases(launch.arguments) else {
            let why = "two of its memrefs are views of one buffer with elements of different sizes, or whose distance is no \
                 multiple of their elements, and a launch can bind a buffer only once";
            return Ok(Launched::Here(Diagnostic::remark(Loc::UNKNOWN, why)));
        };
        let launch = &Launch {
            arguments: &arguments,
            ..launch.clone()
        };
        if self.kernels.prints(ctx, module, launch.kernel) {
            return self.launch_printing(ctx, module, memory, launch);
        }
        match self.launch_whole(ctx, module, memory, launch) {
            Ok(()) => Ok(Launched::There),
            Err(Stop::Lack(why)) => Ok(Launched::Refused(why)),
            Err(Stop::Fault(kind)) => Err(kind),
        }
    }

    fn peek(&mut self, id: AllocId, bytes: Range<usize>) -> Result<Option<Vec<u8>>, FaultKind> {
        self.peek_copy(id, bytes)
    }

    fn fetch(&mut self, memory: &mut Memory, id: AllocId) -> Result<(), FaultKind> {
        self.fetch_copy(memory, id)
    }

    fn copy(
        &mut self,
        memory: &mut Memory,
        source: &MemRef,
        target: &MemRef,
        kind: ScalarKind,
    ) -> Result<bool, FaultKind> {
        self.copy_between(memory, source, target, kind)
    }

    fn freed(&mut self, id: AllocId) {
        self.copies.remove(&id);
    }

    fn finish(&mut self) -> Result<(), FaultKind> {
        self.device.wait().map_err(device_error)?;
        self.faults()
    }
}

/// Converts a device error to a fault.
fn device_error(error: runtime::Error) -> FaultKind {
    FaultKind::Device(error.to_string())
}

/// Fault for a mismatch between compiler and executor.
fn broken(what: &str) -> FaultKind {
    FaultKind::Device(format!("internal error: {what}"))
}

/// Translates the driver's promises about floats to the compiler's type. `trusting` assumes
/// promises that the driver does not make.
pub(crate) fn float_controls(info: &runtime::DeviceInfo, trusting: bool) -> FloatControls {
    let promise = |promised: bool, kept: bool| match (promised, kept || trusting) {
        (true, _) => Promise::OnRequest,
        (false, true) => Promise::Kept,
        (false, false) => Promise::None,
    };
    let of = |found: runtime::FloatControl| FloatControl {
        specials: promise(found.preserve_specials, false),
        denormals: promise(found.preserve_denormals, info.keeps_denormals()),
        // Vulkan permits drivers to round sums towards zero, but none is known to.
        rounding: promise(found.round_to_even, true),
    };
    FloatControls {
        f32: of(info.float_controls.f32),
        f64: of(info.float_controls.f64),
    }
}

/// The cooperative-matrix products that kernels may use on a device: those of floats, where
/// subgroups have [`SUBGROUP_LANES`] threads.
pub(crate) fn matrices(info: &runtime::DeviceInfo) -> MatrixProducts {
    let needed = runtime::FeatureSet::MATRICES | runtime::FeatureSet::F16;
    let lanes = info.limits.subgroup_size.map(i64::from);
    let mut found = MatrixProducts::default();
    if !info.features.contains(needed) || lanes != [SUBGROUP_LANES; 2] {
        return found;
    }
    let element = |element| match element {
        runtime::MatrixElement::F16 => Some(MatrixElement::F16),
        runtime::MatrixElement::F32 => Some(MatrixElement::F32),
        _ => None,
    };
    for product in &info.matrices {
        let elements = (element(product.factors), element(product.sums));
        if let (Some(factors), Some(sums)) = elements {
            // Products with sizes that a set cannot hold are not used.
            let _ = found.insert(MatrixProduct {
                m: product.m,
                n: product.n,
                k: product.k,
                factors,
                sums,
            });
        }
    }
    found
}

/// Translates a parameter block into the runtime's description.
fn param_block(block: &gridloom_spirv::ParamBlock) -> runtime::ParamBlock {
    match (block.size, block.class, block.binding) {
        (0, ..) => runtime::ParamBlock::NONE,
        (size, ParamsClass::Uniform, Some(binding)) => runtime::ParamBlock::uniform(binding, size),
        (size, ..) => runtime::ParamBlock::immediates(size),
    }
}
