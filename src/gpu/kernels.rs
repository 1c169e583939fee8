//! Kernel cache of a program: compiles each variant at its first launch.

use std::collections::HashMap;
use std::sync::Arc;

use gridloom_codegen::transform::gpu_uniform_loads::share_loads;
use gridloom_dialects::vector;
use gridloom_gpu_runtime as runtime;
use gridloom_interp::{Argument, FaultKind, Launch};
use gridloom_ir::diag::Diagnostic;
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{Attr, Body, Context, Ident, Loc, Module, Value};
use gridloom_spirv::{
    Bounds, BufferBinding, CompiledKernel, DIGITS, FaultSite, Features, FpMode, IndexWidth,
    KernelAbi, ParamSource, ParamsClass, Profile, Specialization, TargetEnv,
};

use super::index_width::LaunchConfig;
use super::index_width::memo::NarrowLaunches;
use super::lack::Stop;
use super::print;
use super::streams::streamed;
use super::variant::{self, PartOf, find};

/// Options for compiling kernels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KernelOptions {
    /// The mode of floating-point operations.
    pub fp: FpMode,
    /// Treatment of accesses that are not proved in range.
    pub bounds: Bounds,
    /// Whether to restrict SPIR-V to what naga reads, on every device.
    pub portable: bool,
    /// Whether to compile strict floats for a driver that is known not to keep them.
    pub allow_known_faults: bool,
    /// Whether to translate words to the `spirv` dialect and back.
    pub spirv_dialect: bool,
    /// Whether kernels may reach buffers by device addresses.
    pub addresses: bool,
}

/// Compiled kernel on the device.
#[derive(Debug)]
pub struct Loaded {
    pub kernel: runtime::Kernel,
    pub abi: KernelAbi,
    /// Print sites of the kernel.
    pub printing: Vec<print::Site>,
}

/// Key of a kernel variant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Variant {
    kernel: Attr,
    width: IndexWidth,
    /// Properties of the arguments that the kernel is specialized to.
    known: Specialization,
    /// Threads of a workgroup.
    block: [i64; 3],
    /// Whether the kernel takes the origin of its part of a grid.
    part: bool,
    /// Memref arguments whose offset is a launch parameter, whatever their types say.
    open_offsets: Vec<u32>,
    /// Whether the kernel may reach buffers by device addresses.
    addresses: bool,
}

/// Demands of a launch's arguments on a kernel variant.
#[derive(Clone, Copy, Debug)]
pub struct Needs {
    /// Whether index values need 64 bits.
    pub wide: bool,
    /// Whether a memref argument may have elements outside of its buffer, so that only the driver's
    /// own checks keep a kernel inside.
    pub checks: bool,
}

/// Kernel cache of one program, for one device and one set of options.
#[derive(Debug)]
pub struct Kernels {
    device: runtime::Device,
    options: KernelOptions,
    /// Compiled variants, or the reason why the device does not support one.
    loaded: HashMap<Variant, Result<Arc<Loaded>, Diagnostic>>,
    /// Fault sites by kernel name.
    sites: HashMap<String, Vec<FaultSite>>,
    /// Memo: launches with narrow indices.
    narrow: NarrowLaunches,
    /// Memo: whether a kernel prints.
    prints: HashMap<Attr, bool>,
    /// Memo: whether a kernel has loads that its threads can share, in workgroups of a size.
    shares: HashMap<(Attr, [i64; 3]), bool>,
}

impl Kernels {
    pub fn new(device: runtime::Device, options: KernelOptions) -> Self {
        Kernels {
            device,
            options,
            loaded: HashMap::new(),
            sites: HashMap::new(),
            narrow: NarrowLaunches::default(),
            prints: HashMap::new(),
            shares: HashMap::new(),
        }
    }

    /// Whether a kernel of the program prints.
    pub fn prints(&mut self, ctx: &Context, module: &Module, kernel: Attr) -> bool {
        let find = || find(ctx, module, kernel).is_some_and(|(body, ..)| print::prints(body));
        *self.prints.entry(kernel).or_insert_with(find)
    }

    /// Whether the cache is for this device and these options.
    pub fn are_for(&self, device: &runtime::Device, options: KernelOptions) -> bool {
        self.device.is_same(device) && self.options == options
    }

    /// The supported variants, in no particular order.
    #[cfg(test)]
    pub fn loaded(&self) -> impl Iterator<Item = &Arc<Loaded>> {
        self.loaded.values().flatten()
    }

    /// Whether accesses that are not proved in range are guarded.
    pub fn guards(&self) -> bool {
        self.options.bounds == Bounds::Guarded
    }

    /// Whether kernels may reach buffers by device addresses.
    pub fn take_addresses(&self) -> bool {
        self.options.addresses
    }

    /// The site that recorded a fault.
    pub fn site(&self, kernel: &str, site: u32) -> Option<&FaultSite> {
        let sites = self.sites.get(kernel);
        sites.and_then(|sites| sites.get(site as usize))
    }

    /// Returns the kernel variant that a launch needs, compiling it if necessary. For a part of a grid
    /// the launch has [`variant::PART_ARGUMENTS`] more arguments than the kernel in the program.
    pub fn load(
        &mut self,
        ctx: &Context,
        module: &Module,
        launch: &Launch<'_>,
        part: &PartOf<'_>,
        needs: Needs,
    ) -> Result<Arc<Loaded>, Stop> {
        let (body, container, name) = find(ctx, module, launch.kernel)
            .ok_or_else(|| FaultKind::NoBody("the launched kernel".to_owned()))?;
        let config = LaunchConfig {
            // In a part of a grid, workgroup ids count as in the whole.
            grid: part.whole.unwrap_or(launch.grid),
            part: None,
            block: launch.block,
            arguments: launch.arguments,
        };
        let wide_value = self
            .narrow
            .first_wide_value(ctx, (launch.kernel, body), &config);
        let width = self.width(body, wide_value, needs)?;
        let mut variant = self.variant(ctx, body, launch, part, (width, needs));
        // Views that shrink or move between launches would need a variant each.
        let variants = || self.loaded.keys().filter(|v| v.kernel == launch.kernel);
        if !self.loaded.contains_key(&variant) && variants().count() >= MAX_VARIANTS {
            variant.known.multiples.clear();
        }
        if let Some(loaded) = self.loaded.get(&variant) {
            return loaded.clone().map_err(Stop::Lack);
        }
        // Part of no key: the kernel computes the same, and the first launch stands for all.
        let known = Specialization {
            bound: match variant.known.uniform_ids {
                None if variant.addresses && self.device.info().gathers_slowly() => {
                    streamed(ctx, body, &config)
                }
                _ => Vec::new(),
            },
            ..variant.known.clone()
        };
        let names = (container, name);
        let loaded = match self.compile(ctx, module, names, (&variant, &known), launch) {
            Ok(loaded) => Ok(Arc::new(loaded)),
            Err(Stop::Lack(why)) => Err(why),
            Err(fault) => return Err(fault),
        };
        self.loaded.insert(variant, loaded.clone());
        loaded.map_err(Stop::Lack)
    }

    /// The width of index values in a launch, if the device has it.
    fn width(
        &self,
        kernel: &Body,
        wide_value: Option<Value>,
        needs: Needs,
    ) -> Result<IndexWidth, Stop> {
        if !needs.wide && wide_value.is_none() {
            return Ok(IndexWidth::Bits32);
        }
        self.check_wide(kernel, wide_value)?;
        Ok(IndexWidth::Bits64)
    }

    /// The variant of a kernel that a launch asks for.
    fn variant(
        &mut self,
        ctx: &Context,
        kernel: &Body,
        launch: &Launch<'_>,
        part: &PartOf<'_>,
        (width, needs): (IndexWidth, Needs),
    ) -> Variant {
        let addresses = self.options.addresses && !needs.checks && part.windows.is_empty();
        let shares = addresses
            && self.device.info().loads_uniformly()
            && self.shares_loads(ctx, kernel, launch);
        let windows = part.windows.iter().map(|window| window.arg);
        Variant {
            kernel: launch.kernel,
            width,
            block: launch.block,
            part: part.whole.is_some(),
            open_offsets: windows.chain(part.moved.iter().copied()).collect(),
            addresses,
            known: Specialization {
                same_buffer: same_buffers(launch.arguments),
                multiples: multiples(ctx, kernel, launch.arguments),
                bound: Vec::new(),
                uniform_ids: shares.then(|| launch.grid.map(digits)),
            },
        }
    }

    /// Whether the threads of a kernel can share loads. A copy is rewritten to find out, once for each size of workgroups,
    /// since the places of elements are found as the sums that lead to them are emitted.
    fn shares_loads(&mut self, ctx: &Context, kernel: &Body, launch: &Launch<'_>) -> bool {
        let memo = self.shares.entry((launch.kernel, launch.block));
        *memo.or_insert_with(|| share_loads(ctx, &mut kernel.clone(), launch.block))
    }

    /// Refuses a kernel with 64-bit index values, one of which may be `value`, on a device without 64-bit integers.
    fn check_wide(&self, body: &Body, value: Option<Value>) -> Result<(), Stop> {
        let info = self.device.info();
        if info.features.contains(runtime::FeatureSet::I64) {
            return Ok(());
        }
        let message = format!(
            "it computes index values that may not fit 32 bits, and {info} has no 64-bit integers"
        );
        let place = value.and_then(|value| body.defining_op(value));
        let place = place.map_or(Loc::UNKNOWN, |op| body[op].loc);
        Err(Stop::Lack(Diagnostic::remark(place, message)))
    }

    fn compile(
        &mut self,
        ctx: &Context,
        module: &Module,
        (container, name): (Ident, Ident),
        (variant, known): (&Variant, &Specialization),
        launch: &Launch<'_>,
    ) -> Result<Loaded, Stop> {
        let change = variant::Change {
            part: variant.part,
            open_offsets: &variant.open_offsets,
            shares_loads: known.uniform_ids.is_some(),
        };
        let names = (container, name);
        let mut printing = Vec::new();
        let mut recording = None;
        if self.prints(ctx, module, variant.kernel) {
            let wide = variant.width == IndexWidth::Bits64;
            let made = print::recording(ctx, module.clone(), names, wide);
            let (made, sites) = made.map_err(|why| Stop::Lack(*why))?;
            (recording, printing) = (Some(made), sites);
        }
        let module = recording.as_ref().unwrap_or(module);
        let changed = variant::prepared(ctx, module, names, launch, &change)?;
        let module = changed.as_ref().unwrap_or(module);
        let info = self.device.info();
        let mut target = self.target(variant);
        let build = |target: &TargetEnv| {
            let (container, name) = (ctx.str(container), ctx.str(name));
            gridloom_spirv::compile_kernel_for(ctx, module, container, name, target, known)
                .map_err(|found| super::lack::of_compiler(found, info))
        };
        let mut compiled = build(&target)?;
        if compiled.entry.abi.params.size > info.limits.immediate_size
            && target.params == ParamsClass::Immediates
        {
            target.params = ParamsClass::Uniform;
            compiled = build(&target)?;
        }
        if self.options.spirv_dialect {
            compiled.words = super::dialect::there_and_back(ctx, &compiled.words)
                .map_err(|found| super::lack::of_compiler(found, info))?;
        }
        let block = launch.block.map(|size| size as u32);
        if compiled.entry.workgroup_size != block {
            let what = format!(
                "kernel '{}' is compiled for workgroups of {:?} threads and launched with {block:?}",
                ctx.str(name),
                compiled.entry.workgroup_size
            );
            return Err(FaultKind::ShapeMismatch(what).into());
        }
        let title = ctx.str(name).to_owned();
        let (source, abi) = source(title.clone(), compiled);
        // SAFETY: the module is our own compiler's, which keeps every access
        // that is not proved in range behind a guard (or its user has said
        // that none is needed), and the description is the one it gave.
        let kernel = unsafe { self.device.kernel(&source) }?;
        self.sites.insert(title, abi.fault_sites.clone());
        Ok(Loaded {
            kernel,
            abi,
            printing,
        })
    }

    /// The compilation target of a variant: what the device has and the options ask for.
    fn target(&self, variant: &Variant) -> TargetEnv {
        let info = self.device.info();
        let portable = self.options.portable || !self.device.passes_spirv_through();
        let has = |feature| info.features.contains(feature);
        let immediates = has(runtime::FeatureSet::IMMEDIATES) && !portable;
        TargetEnv {
            profile: if portable {
                Profile::Portable
            } else {
                Profile::Native
            },
            features: Features {
                f64: has(runtime::FeatureSet::F64),
                i64: has(runtime::FeatureSet::I64),
                i64_atomic: has(runtime::FeatureSet::I64_ATOMIC),
                f32_atomic_add: has(runtime::FeatureSet::F32_ATOMIC_ADD),
                // Even software drivers are not trusted: lavapipe divides zeros to 0 where one of
                // them is a constant.
                exact_division: false,
                matrices: super::matrices(info),
                storage8: has(runtime::FeatureSet::STORAGE8) && !portable,
                storage16: has(runtime::FeatureSet::STORAGE16) && !portable,
            },
            index_width: variant.width,
            params: if immediates {
                ParamsClass::Immediates
            } else {
                ParamsClass::Uniform
            },
            fp: self.options.fp,
            bounds: self.options.bounds,
            float_controls: super::float_controls(info, self.options.allow_known_faults),
            keep_specials: true,
            hide_zeros: info.folds_zeros(),
            keep_loops: info.unrolls_slowly(),
            convert_by_bits: info.converts_by_lane(),
            addresses: variant.addresses,
            lockstep_threads: info.lockstep_threads(),
            ..TargetEnv::default()
        }
    }
}

/// Describes a compiled kernel to the runtime; returns its ABI as well.
fn source(name: String, compiled: CompiledKernel) -> (runtime::KernelSource, KernelAbi) {
    let CompiledKernel {
        words,
        entry,
        required,
    } = compiled;
    let binding = |buffer: &BufferBinding| runtime::Binding {
        access: match buffer.read_only {
            true => runtime::Access::ReadOnly,
            false => runtime::Access::ReadWrite,
        },
        min_size: buffer.min_bytes,
    };
    let source = runtime::KernelSource {
        name,
        spirv: words,
        entry_point: entry.name,
        workgroup_size: entry.workgroup_size,
        workgroup_memory: u32::try_from(entry.workgroup_bytes).unwrap_or(u32::MAX),
        bindings: entry.abi.buffers.iter().map(binding).collect(),
        params: super::param_block(&entry.abi.params),
        fault: entry.abi.fault_binding,
        required: features(&required),
    };
    (source, entry.abi)
}

/// The features of a device that a kernel needs.
fn features(required: &Features) -> runtime::FeatureSet {
    let mut features = runtime::FeatureSet::empty();
    features.set(runtime::FeatureSet::F64, required.f64);
    features.set(runtime::FeatureSet::I64, required.i64);
    features.set(runtime::FeatureSet::I64_ATOMIC, required.i64_atomic);
    features.set(runtime::FeatureSet::F32_ATOMIC_ADD, required.f32_atomic_add);
    features.set(runtime::FeatureSet::STORAGE8, required.storage8);
    features.set(runtime::FeatureSet::STORAGE16, required.storage16);
    if !required.matrices.is_empty() {
        features |= runtime::FeatureSet::MATRICES | runtime::FeatureSet::F16;
    }
    features
}

/// Number of hexadecimal digits of the workgroup ids along a dimension of a grid.
fn digits(size: i64) -> u32 {
    let last = u64::try_from(size - 1).unwrap_or(0);
    (u64::BITS - last.leading_zeros()).div_ceil(DIGITS.ilog2())
}

/// For each memref argument, the first one in the same buffer: a buffer is bound once, since the
/// device may assume bindings disjoint.
fn same_buffers(arguments: &[Argument]) -> Vec<u32> {
    let alloc = |argument: &Argument| match argument {
        Argument::MemRef(_, view) => Some(view.alloc),
        Argument::Scalar(..) => None,
    };
    (0..arguments.len())
        .map(|index| {
            let mine = alloc(&arguments[index]);
            let first = arguments
                .iter()
                .position(|other| mine.is_some() && alloc(other) == mine);
            first.unwrap_or(index) as u32
        })
        .collect()
}

/// Limit of a kernel's variants; beyond it new ones no longer depend on alignment, since a driver
/// takes up to seconds for each.
const MAX_VARIANTS: usize = 6;

/// Limit of the alignment that variants depend on: vector accesses have at most four elements.
const MAX_MULTIPLE: i64 = 4;

/// Finds powers of two that divide the offset and strides of memref arguments, or the sizes from
/// which strides follow, where the type leaves them open and the kernel has vector accesses; empty
/// for other kernels, which need one variant.
fn multiples(ctx: &Context, kernel: &Body, arguments: &[Argument]) -> Vec<(ParamSource, u32)> {
    let Some(entry) = kernel.entry() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let arguments = kernel[entry].args.iter().zip(arguments);
    for (arg, (&value, argument)) in (0..).zip(arguments) {
        let (Some(ty), Argument::MemRef(_, view)) = (kernel.ty(value).memref(ctx), argument) else {
            continue;
        };
        let mut note = |source: ParamSource, value: i64| {
            let multiple = 1 << value.trailing_zeros().min(MAX_MULTIPLE.trailing_zeros());
            if multiple > 1 {
                found.push((source, multiple));
            }
        };
        if ty.layout.is_none() {
            let open = (0..).zip(&ty.shape).zip(&view.sizes).skip(1);
            for ((dim, _), &size) in open.filter(|((_, extent), _)| **extent == DYNAMIC) {
                note(ParamSource::Size { arg, dim }, size);
            }
            continue;
        }
        let form = ty.strided_form(ctx);
        let (offset, strides) = form.unwrap_or((DYNAMIC, vec![DYNAMIC; ty.rank()]));
        if offset == DYNAMIC {
            note(ParamSource::Offset { arg }, view.offset);
        }
        let open = (0..).zip(&strides).zip(&view.strides);
        for ((dim, _), &stride) in open.filter(|((_, known), _)| **known == DYNAMIC) {
            note(ParamSource::Stride { arg, dim }, stride);
        }
    }
    // Fast path: most launches have no dynamic layout, and need no look at the body.
    let accesses_vectors = |name| matches!(name, vector::LOAD | vector::STORE);
    if !found.is_empty() && !kernel.may_hold_any(accesses_vectors) {
        found.clear();
    }
    found
}
