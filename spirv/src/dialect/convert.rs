//! `--convert-gpu-to-spirv`: a `spirv.module` for each `gpu.module` with kernels.

use gridloom_dialects::gpu;
use gridloom_ir::{Context, Diagnostics, IrMapping, Module, OpId};

use super::read::deserialize;
use crate::TargetEnv;

/// The name that MLIR gives to the `spirv.module` of a `gpu.module`.
pub fn prefixed(name: &str) -> String {
    format!("__spv__{name}")
}

/// Puts a `spirv.module @__spv__NAME` before each `gpu.module @NAME` that has kernels, as MLIR's pass of this name does.
/// The kernels are those of [`crate::compile_module`], with its interface: memrefs are storage buffers in the order of
/// the arguments, everything else is in one block of parameters. The `gpu.module` stays.
///
/// ```text
/// gpu.module @m {                        spirv.module @__spv__m Logical GLSL450 requires … {
///   gpu.func @k(%x: memref<8xf32>)         spirv.GlobalVariable @buffer0 bind(0, 0) : …
///       kernel { … }                 ⇒     spirv.func @k() "None" { … }
/// }                                        spirv.EntryPoint "GLCompute" @k
///                                          spirv.ExecutionMode @k "LocalSize", 1, 1, 1
///                                        }
///                                        gpu.module @m { … }
/// ```
///
/// # Errors
///
/// The first operation of each module that has no lowering for the target, or no form in the dialect.
pub fn convert(ctx: &Context, module: &mut Module, env: &TargetEnv) -> Result<bool, Diagnostics> {
    let found = module.ops().filter(|(_, data)| data.name == gpu::MODULE);
    let found: Vec<(OpId, String)> = found
        .filter(|(_, data)| {
            data.isolated()
                .is_some_and(|body| crate::has_kernels(ctx, body))
        })
        .map(|(op, data)| (op, crate::symbol_of(ctx, data)))
        .collect();
    let env = TargetEnv {
        lines: true,
        ..*env
    };
    let mut errors = Diagnostics::new();
    let mut made = Vec::with_capacity(found.len());
    for (op, name) in found {
        let loc = module.body()[op].loc;
        let compiled = crate::compile_module(ctx, module, &name, &env);
        let read = compiled
            .and_then(|compiled| deserialize(ctx, &compiled.words, Some(&prefixed(&name)), loc));
        match read {
            Ok(read) => made.push((op, read)),
            Err(found) => errors.append(found),
        }
    }
    if errors.has_errors() {
        return Err(errors);
    }
    let changed = !made.is_empty();
    for (before, read) in made {
        for (op, _) in read.ops() {
            let body = module.body_mut();
            let copy = body.clone_op_from(read.body(), op, &mut IrMapping::new());
            body.insert_before(before, copy);
        }
    }
    Ok(changed)
}
