//! Compiles kernels from text and runs them on every device of the machine.

use gridloom_gpu_runtime::{
    Access, Binding, Device, DeviceChoice, DeviceInfo, DeviceKind, DeviceOptions, FeatureSet,
    KernelSource, ParamBlock, devices,
};
use gridloom_ir::text::{ParseOptions, parse_module};
use gridloom_ir::{Context, Module};
use gridloom_spirv::{
    Bounds, CompiledKernel, ElementKind, Features, FloatControl, FloatControls, FpMode, IndexWidth,
    MatrixProducts, ParamSource, ParamsClass, Profile, Promise, TargetEnv, compile_kernel,
};

use crate::support;

/// A device, and the ways to compile for it.
pub struct Target {
    pub device: Device,
    pub env: TargetEnv,
}

/// Hands every device to `test`, once with SPIR-V as it is and once through naga.
pub fn on_each_target(test: impl Fn(&Target)) {
    let found = devices();
    assert!(
        !found.is_empty(),
        "these tests need a Vulkan driver: run them by `cargo xtask test`, which provides software \
         ones, or set VK_DRIVER_FILES"
    );
    for (place, info) in found.iter().enumerate() {
        for profile in [Profile::Native, Profile::Portable] {
            let options = DeviceOptions {
                portable: profile == Profile::Portable,
                ..DeviceOptions::default()
            };
            let device = Device::open(&DeviceChoice::Index(place), &options)
                .unwrap_or_else(|error| panic!("{error}"));
            let has = |flag| device.info().features.contains(flag);
            let env = TargetEnv {
                profile,
                features: Features {
                    f64: has(FeatureSet::F64),
                    i64: has(FeatureSet::I64),
                    i64_atomic: has(FeatureSet::I64_ATOMIC),
                    f32_atomic_add: has(FeatureSet::F32_ATOMIC_ADD),
                    exact_division: device.info().kind == DeviceKind::Software,
                    matrices: MatrixProducts::EMPTY,
                    // The tests bring words.
                    storage8: false,
                    storage16: false,
                },
                index_width: IndexWidth::Bits32,
                params: ParamsClass::Uniform,
                fp: FpMode::Relaxed,
                bounds: Bounds::Guarded,
                float_controls: float_controls(device.info()),
                hide_zeros: device.info().folds_zeros(),
                keep_loops: device.info().unrolls_slowly(),
                convert_by_bits: device.info().converts_by_lane(),
                ..TargetEnv::default()
            };
            // Printed where a test fails.
            eprintln!("on {} {profile:?}", info.name);
            test(&Target { device, env });
        }
    }
}

/// Float controls that the driver promises, in the compiler's types. Tests have to avoid numbers
/// that are subnormal where the driver flushes them.
fn float_controls(info: &DeviceInfo) -> FloatControls {
    let promise = |promised| match promised {
        true => Promise::OnRequest,
        false => Promise::Kept,
    };
    let of = |found: gridloom_gpu_runtime::FloatControl| FloatControl {
        specials: promise(found.preserve_specials),
        denormals: promise(found.preserve_denormals),
        rounding: promise(found.round_to_even),
    };
    FloatControls {
        f32: of(info.float_controls.f32),
        f64: of(info.float_controls.f64),
    }
}

/// An argument of a kernel.
pub enum Arg<'a> {
    /// A memref of the identity layout: its bytes on the device and its
    /// sizes. Its contents come back.
    Memory(&'a [u8], &'a [i64]),
    /// A scalar of a kind of at most 4 bytes.
    Word(u32),
}

/// Results of a launch.
pub struct Outcome {
    /// The contents of each memref argument.
    pub memory: Vec<Vec<u8>>,
    /// Faults: the site and the count.
    pub faults: Vec<(u32, u32)>,
}

/// Reads a module in any form that `mlir-opt` reads.
pub fn module(ctx: &Context, text: &str) -> Module {
    let generic = gridloom_test_tools::mlir_opt()
        .run(&["--mlir-print-op-generic"], text.as_bytes())
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    parse_module(ctx, "test.mlir", generic, &ParseOptions::default())
        .unwrap_or_else(|errors| panic!("{}", errors.render(ctx)))
}

/// Compiles the kernel `@m::@k` of a module; the result is valid.
pub fn compile(ctx: &Context, module: &Module, env: &TargetEnv) -> CompiledKernel {
    let compiled = compile_kernel(ctx, module, "m", "k", env)
        .unwrap_or_else(|errors| panic!("{}", errors.render(ctx)));
    support::check(&compiled.words, env.profile);
    assert!(env.features.contains(compiled.required));
    compiled
}

/// Compiles `@m::@k` and launches it.
pub fn run(target: &Target, text: &str, grid: [u32; 3], args: &[Arg<'_>]) -> Outcome {
    let ctx = gridloom_dialects::context();
    let module = module(&ctx, text);
    let compiled = compile(&ctx, &module, &target.env);
    launch(target, &compiled, grid, args)
}

/// Launches a compiled kernel.
pub fn launch(
    target: &Target,
    compiled: &CompiledKernel,
    grid: [u32; 3],
    args: &[Arg<'_>],
) -> Outcome {
    let device = &target.device;
    let source = source(compiled);
    // SAFETY: the module passed the validators, the interface is its own, and it guards its
    // accesses.
    let kernel = unsafe { device.kernel(&source) }.unwrap_or_else(|error| panic!("{error}"));
    let buffers: Vec<_> = compiled
        .entry
        .abi
        .buffers
        .iter()
        .map(|buffer| match args[buffer.arg as usize] {
            Arg::Memory(bytes, _) => device.buffer_with(bytes).expect("a buffer"),
            Arg::Word(_) => panic!("argument {} is a memref", buffer.arg),
        })
        .collect();
    let bound: Vec<_> = buffers.iter().collect();
    device
        .launch(&kernel, grid, &bound, &params(compiled, args))
        .unwrap_or_else(|error| panic!("{error}"));
    let memory = buffers
        .iter()
        .map(|buffer| {
            let mut bytes = vec![0; buffer.size() as usize];
            device.download(buffer, 0, &mut bytes).expect("the results");
            bytes
        })
        .collect();
    let faults = device.take_faults();
    let faults = faults.iter().map(|fault| (fault.site, fault.count));
    Outcome {
        memory,
        faults: faults.collect(),
    }
}

/// The runtime's description of a compiled kernel.
fn source(compiled: &CompiledKernel) -> KernelSource {
    let abi = &compiled.entry.abi;
    let bindings = abi.buffers.iter().map(|buffer| Binding {
        access: if buffer.read_only {
            Access::ReadOnly
        } else {
            Access::ReadWrite
        },
        min_size: buffer.min_bytes.max(4),
    });
    let mut required = FeatureSet::empty();
    required.set(FeatureSet::F64, compiled.required.f64);
    required.set(FeatureSet::I64, compiled.required.i64);
    KernelSource {
        name: compiled.entry.name.clone(),
        spirv: compiled.words.clone(),
        entry_point: compiled.entry.name.clone(),
        workgroup_size: compiled.entry.workgroup_size,
        workgroup_memory: compiled.entry.workgroup_bytes as u32,
        bindings: bindings.collect(),
        params: match (abi.params.size, abi.params.binding) {
            (0, _) => ParamBlock::NONE,
            (size, Some(binding)) => ParamBlock::uniform(binding, size),
            (size, None) => ParamBlock::immediates(size),
        },
        fault: abi.fault_binding,
        required,
    }
}

/// The bytes of the parameter block.
fn params(compiled: &CompiledKernel, args: &[Arg<'_>]) -> Vec<u8> {
    let block = &compiled.entry.abi.params;
    let mut bytes = vec![0; block.size as usize];
    for member in &block.members {
        let value = match member.source {
            ParamSource::Scalar { arg } => match args[arg as usize] {
                Arg::Word(word) => i64::from(word),
                Arg::Memory(..) => panic!("argument {arg} is a scalar"),
            },
            ParamSource::Size { arg, dim } => match args[arg as usize] {
                Arg::Memory(_, sizes) => sizes[dim as usize],
                Arg::Word(_) => panic!("argument {arg} is a memref"),
            },
            other => panic!("{other:?} in a test of identity layouts"),
        };
        let at = member.offset as usize;
        let width = member.kind.bytes() as usize;
        assert!(width == 4 || matches!(member.kind, ElementKind::Int(64)));
        bytes[at..at + width].copy_from_slice(&value.to_le_bytes()[..width]);
    }
    bytes
}

/// A buffer of words.
pub fn bytes(words: &[i32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The words of a buffer.
pub fn words(bytes: &[u8]) -> Vec<i32> {
    let chunks = bytes.chunks_exact(4);
    chunks
        .map(|b| i32::from_le_bytes([b[0], b[1], b[2], b[3]]))
        .collect()
}
