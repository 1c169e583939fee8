//! Kernels to SPIR-V.
//!
//! [`compile_kernel`] takes a `gpu.func` inside a `gpu.module` whose body is
//! structured (`scf`) and works on scalars, short vectors and memrefs
//! (`arith`, `math`, `memref`, `gpu`), and gives SPIR-V words with the
//! [`KernelAbi`] a launch follows. [`compile_module`] puts all kernels of a
//! `gpu.module` into one SPIR-V module, [`compile_all`] all of a program. What has no lowering is refused with
//! a diagnostic at the operation.
//!
//! The crate does no I/O and knows neither loops to be scheduled nor any
//! graphics API: a [`TargetEnv`] says what the device offers.
//!
//! | file | holds |
//! |---|---|
//! | `target`, `platform`, `abi` | what is compiled for, APIs with their limits, and the contract with the launcher |
//! | `emit`, `types` | a thin layer over rspirv; registers |
//! | `kernel`, `params` | the skeleton of a kernel; its arguments |
//! | `constants`, `arith_int`, `arith_float`, `casts`, `math`, `math_int`, `memory`, `views`, `vector`, `vector_memory`, `control`, `gpu_ops` | the families of operations |
//! | `atomics` | atomic updates, natively or by compare-exchange |
//! | `helpers`, `bits`, `calc` | how functions of our own get into the module |
//! | `narrow`, `exact`, `elementary`, `trigonometry`, `error_function` | those functions: 16-bit floats, exact division, mathematics |
//! | `access`, `packed` | accesses of elements and their guards; elements of one and two bytes in buffers |
//! | `matrix`, `products`, `halves` | cooperative matrices, which of them a device has, and 16-bit floats in memory beside them |
//! | `layout` | memref layouts as strides |
//! | `alignment` | what integers are multiples of, for accesses of several elements |
//! | `float_controls` | what strict kernels ask of the driver |
//! | `dialect` | the `spirv` dialect to words, and words to it |
//! | `validate`, `translate`, `disasm`, `inspect` | naga's check, other languages, assembly text, what words declare |

pub mod abi;
pub mod dialect;
pub mod platform;
pub mod target;

mod access;
mod alignment;
mod arith_float;
mod arith_int;
mod assertion;
mod atomics;
mod bits;
mod byte_views;
mod calc;
mod casts;
mod computed;
mod constants;
mod control;
mod copies;
mod disasm;
mod elementary;
mod emit;
mod entry_point;
mod error_function;
mod exact;
mod faults;
mod float_controls;
mod gpu_ops;
mod halves;
mod helpers;
mod inspect;
mod kernel;
mod layout;
mod long_vector;
mod math;
mod math_int;
mod matrix;
mod memory;
mod narrow;
mod packed;
mod params;
mod products;
mod shared_addresses;
mod translate;
mod trigonometry;
mod types;
mod validate;
mod vector;
mod vector_memory;
mod views;
mod wide_memory;

use gridloom_dialects::gpu;
use gridloom_ir::body::OpData;
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{Body, Context, Diagnostic, Diagnostics, Ident, Module, SymbolTable};

pub use abi::{
    BufferBinding, DIGITS, DeviceElement, ElementKind, FaultSite, KernelAbi, Param, ParamBlock,
    ParamSource,
};
pub use disasm::{DisassemblyError, disassemble};
pub use inspect::{InspectionError, ModuleSummary, inspect};
pub use platform::{Limits, Platform, SpirvVersion};
pub use products::{MatrixElement, MatrixProduct, MatrixProducts};
pub use target::{
    Bounds, Features, FloatControl, FloatControls, FpMode, IndexWidth, ParamsClass, Profile,
    Promise, TargetEnv,
};
pub use translate::{Extensions, Language, TranslationError, WideTypes, translate};
pub use validate::{PortabilityError, check_portable};

/// A kernel as SPIR-V.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompiledKernel {
    /// The module.
    pub words: Vec<u32>,
    /// The entry point of the kernel.
    pub entry: EntryPoint,
    /// Device features that the kernel needs, all within those of the target.
    pub required: Features,
}

/// All kernels of a `gpu.module` in one SPIR-V module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompiledModule {
    /// The module.
    pub words: Vec<u32>,
    /// Entry points, in the order of the kernels.
    pub entries: Vec<EntryPoint>,
    /// The device features they need together.
    pub required: Features,
}

/// An entry point and what a launch must know of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryPoint {
    /// Name: the kernel's symbol.
    pub name: String,
    /// Threads of a workgroup in x, y and z.
    pub workgroup_size: [u32; 3],
    /// Workgroup memory of the kernel, in bytes.
    pub workgroup_bytes: u64,
    /// Bindings and parameters.
    pub abi: KernelAbi,
}

/// A kernel of a module: the `gpu.func` called `name` in the top-level
/// `gpu.module` called `container`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct KernelId {
    /// The `gpu.module`.
    pub container: Ident,
    /// The `gpu.func`.
    pub name: Ident,
}

/// The kernels of a module, in their order.
pub fn kernels(ctx: &Context, module: &Module) -> Vec<KernelId> {
    let mut found = Vec::new();
    for (_, data) in module.ops().filter(|(_, data)| data.name == gpu::MODULE) {
        let (Some(container), Some(body)) = (data.symbol_name(ctx), data.isolated()) else {
            continue;
        };
        for func in kernels_in(ctx, body) {
            let name = func.symbol_name(ctx);
            found.extend(name.map(|name| KernelId { container, name }));
        }
    }
    found
}

/// Whether a `gpu.module` has entry points.
fn has_kernels(ctx: &Context, body: &Body) -> bool {
    kernels_in(ctx, body).next().is_some()
}

/// The entry points of a `gpu.module`.
fn kernels_in<'b>(ctx: &Context, body: &'b Body) -> impl Iterator<Item = &'b OpData> {
    let block = body.entry().into_iter();
    block
        .flat_map(|block| body.ops(block))
        .map(|op| &body[op])
        .filter(|op| op.name == gpu::FUNC && is_kernel(ctx, op))
}

/// Compiles one kernel: the `gpu.func` called `kernel` in the top-level
/// `gpu.module` called `gpu_module`.
///
/// # Errors
///
/// A diagnostic where there is no such kernel, or for the first operation or
/// type in it that cannot be lowered for this target.
pub fn compile_kernel(
    ctx: &Context,
    module: &Module,
    gpu_module: &str,
    kernel: &str,
    env: &TargetEnv,
) -> Result<CompiledKernel, Diagnostics> {
    compile_kernel_for(
        ctx,
        module,
        gpu_module,
        kernel,
        env,
        &Specialization::default(),
    )
}

/// Specialization: properties of a launch's arguments beyond their types. A kernel compiled for it
/// may be launched only where it holds.
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
pub struct Specialization {
    /// For each argument, the first one in the same buffer (itself where nothing is shared);
    /// empty where all differ. Such a buffer is bound once, since a device may take distinct
    /// bindings for disjoint memory.
    pub same_buffer: Vec<u32>,
    /// Offsets, sizes and strides that are multiples of a power of two: of them it depends
    /// which accesses of several elements are one.
    pub multiples: Vec<(ParamSource, u32)>,
    /// Arguments whose buffers are bound although kernels reach buffers by device addresses
    /// ([`TargetEnv::addresses`]); whatever it lists, the kernel computes the same.
    pub bound: Vec<u32>,
    /// Number of hexadecimal digits of the workgroup ids along x, y and z where the kernel looks each digit up in the parameter
    /// block, and takes the thread id along x from the subgroup: for drivers that see no other workgroup id to be the same for
    /// all threads, and whose subgroups are the rows of threads of a workgroup.
    pub uniform_ids: Option<[u32; 3]>,
}

/// [`compile_kernel`] for launches of which more is known.
///
/// # Errors
///
/// As [`compile_kernel`]; also when arguments that share a buffer differ in
/// their element type.
pub fn compile_kernel_for(
    ctx: &Context,
    module: &Module,
    gpu_module: &str,
    kernel: &str,
    env: &TargetEnv,
    known: &Specialization,
) -> Result<CompiledKernel, Diagnostics> {
    let body = gpu_module_body(ctx, module, gpu_module)?;
    let func = SymbolTable::of(ctx, body)
        .get(ctx.ident(kernel))
        .map(|op| &body[op])
        .filter(|op| op.name == gpu::FUNC);
    match func {
        Some(func) => compile_one(ctx, func, env, known),
        None => {
            let loc = module.op().loc;
            let message = format!("there is no gpu.func @{kernel} in gpu.module @{gpu_module}");
            Err(one_error(loc, message))
        }
    }
}

/// Compiles one `gpu.func`, wherever it comes from.
///
/// # Errors
///
/// A diagnostic for the first operation or type that cannot be lowered for
/// this target.
pub fn compile_func(
    ctx: &Context,
    func: &OpData,
    env: &TargetEnv,
) -> Result<CompiledKernel, Diagnostics> {
    compile_one(ctx, func, env, &Specialization::default())
}

fn compile_one(
    ctx: &Context,
    func: &OpData,
    env: &TargetEnv,
    known: &Specialization,
) -> Result<CompiledKernel, Diagnostics> {
    let named = (symbol_of(ctx, func), func);
    let compiled = compile_funcs(ctx, vec![named], env, known)?;
    let mut entries = compiled.entries.into_iter();
    match entries.next() {
        Some(entry) => Ok(CompiledKernel {
            words: compiled.words,
            entry,
            required: compiled.required,
        }),
        None => Err(one_error(
            func.loc,
            "the kernel made no entry point".to_owned(),
        )),
    }
}

/// Compiles all kernels of the top-level `gpu.module` called `gpu_module`
/// into one SPIR-V module.
///
/// # Errors
///
/// A diagnostic where there is no such module, and for each kernel that
/// cannot be lowered for this target.
pub fn compile_module(
    ctx: &Context,
    module: &Module,
    gpu_module: &str,
    env: &TargetEnv,
) -> Result<CompiledModule, Diagnostics> {
    let body = gpu_module_body(ctx, module, gpu_module)?;
    let named = kernels_in(ctx, body).map(|func| (symbol_of(ctx, func), func));
    compile_funcs(ctx, named.collect(), env, &Specialization::default())
}

/// Compiles all kernels of all `gpu.module`s into one SPIR-V module, in the
/// order of [`kernels`]. An entry point is called as its kernel; kernels of
/// equal names in several `gpu.module`s carry that of the `gpu.module` before
/// theirs: `a.kernel`, `b.kernel`.
///
/// # Errors
///
/// A diagnostic for each kernel that cannot be lowered for this target.
pub fn compile_all(
    ctx: &Context,
    module: &Module,
    env: &TargetEnv,
) -> Result<CompiledModule, Diagnostics> {
    let mut found: Vec<(String, String, &OpData)> = Vec::new();
    for (_, data) in module.ops().filter(|(_, data)| data.name == gpu::MODULE) {
        let Some(body) = data.isolated() else {
            continue;
        };
        let container = symbol_of(ctx, data);
        let funcs = kernels_in(ctx, body);
        found.extend(funcs.map(|func| (container.clone(), symbol_of(ctx, func), func)));
    }
    let mut times: FxHashMap<String, u32> = FxHashMap::default();
    for (_, name, _) in &found {
        *times.entry(name.clone()).or_default() += 1;
    }
    let named = found
        .into_iter()
        .map(|(container, name, func)| match times.get(&name) {
            Some(1) => (name, func),
            _ => (format!("{container}.{name}"), func),
        });
    compile_funcs(ctx, named.collect(), env, &Specialization::default())
}

/// The symbol of an operation; empty where it has none.
fn symbol_of(ctx: &Context, op: &OpData) -> String {
    op.symbol_name(ctx)
        .map_or_else(String::new, |name| ctx.str(name).to_owned())
}

/// Compiles kernels under the names of their entry points.
fn compile_funcs(
    ctx: &Context,
    funcs: Vec<(String, &OpData)>,
    env: &TargetEnv,
    known: &Specialization,
) -> Result<CompiledModule, Diagnostics> {
    refuse_impossible(funcs.first().map(|(_, func)| *func), env)?;
    let mut shared = kernel::Shared {
        env,
        known,
        e: emit::Emitter::new(env),
        helpers: helpers::Helpers::default(),
        required: Features::default(),
    };
    let bodies = funcs.iter().filter_map(|(_, func)| func.isolated());
    if bodies.into_iter().any(matrix::uses) {
        shared.e.use_vulkan_memory_model();
    } else if env.addresses && env.profile == Profile::Native {
        shared.e.use_addresses();
    }
    let mut entries = Vec::with_capacity(funcs.len());
    let mut refused = Diagnostics::new();
    for (name, func) in funcs {
        let lowered = match &name[..] {
            "" => Err(Box::new(Diagnostic::error(
                func.loc,
                "a kernel needs a symbol name",
            ))),
            _ => kernel::lower(ctx, func, name, &mut shared),
        };
        match lowered {
            Ok(entry) => entries.push(entry),
            Err(diagnostic) => refused.push(*diagnostic),
        }
    }
    if refused.has_errors() {
        return Err(refused);
    }
    Ok(CompiledModule {
        words: shared.e.finish(),
        entries,
        required: shared.required,
    })
}

/// Refuses target environments for which no kernel can be compiled.
fn refuse_impossible(first: Option<&OpData>, env: &TargetEnv) -> Result<(), Diagnostics> {
    let loc = first.map_or(gridloom_ir::Loc::UNKNOWN, |func| func.loc);
    if env.fp == FpMode::Strict && env.profile == Profile::Portable {
        let message = "strict floats cannot be promised through naga, which drops the decoration \
                       that forbids contraction: compile for Vulkan, or with relaxed floats";
        return Err(one_error(loc, message.to_owned()));
    }
    if env.index_width == IndexWidth::Bits64 && !env.features.i64 {
        let message = "the device has no 64-bit integers, which a 64-bit index needs: choose \
                       shapes whose offsets fit 32 bits, or another device";
        return Err(one_error(loc, message.to_owned()));
    }
    Ok(())
}

/// Whether a `gpu.func` is an entry point, under either spelling of the mark.
fn is_kernel(ctx: &Context, func: &OpData) -> bool {
    ["kernel", "gpu.kernel"]
        .iter()
        .any(|name| func.attr(ctx, name).is_some())
}

fn gpu_module_body<'m>(
    ctx: &Context,
    module: &'m Module,
    name: &str,
) -> Result<&'m Body, Diagnostics> {
    let found = module.symbols(ctx).get(ctx.ident(name));
    let found = found.map(|op| &module.body()[op]);
    found
        .filter(|op| op.name == gpu::MODULE)
        .and_then(|op| op.isolated())
        .ok_or_else(|| one_error(module.op().loc, format!("there is no gpu.module @{name}")))
}

fn one_error(loc: gridloom_ir::Loc, message: String) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    diagnostics.error(loc, message);
    diagnostics
}
