//! Kernel traversal: applies changes to the kernels of a module.

use gridloom_dialects::gpu;
use gridloom_ir::{Body, Module, OpId};

/// Whether a body is that of a kernel.
pub(super) fn is_kernel(body: &Body) -> bool {
    let region = body.regions().first();
    let mut blocks = region.into_iter().flat_map(|&region| &body[region].blocks);
    blocks.any(|&block| {
        let last = body[block].last();
        last.is_some_and(|last| body[last].name == gpu::RETURN)
    })
}

/// Changes the body of each kernel of each `gpu.module`. `inspect` reads beforehand what `change`
/// needs of the kernel's operation, in the body around it.
pub(super) fn change_kernels<T>(
    module: &mut Module,
    inspect: impl Fn(&Body, OpId) -> T,
    mut change: impl FnMut(&mut Body, T),
) {
    let modules: Vec<OpId> = (module.ops())
        .filter(|(_, op)| op.name == gpu::MODULE)
        .map(|(op, _)| op)
        .collect();
    for op in modules {
        let Some(inside) = module.body_mut()[op].isolated_mut() else {
            continue;
        };
        for kernel in inside.walk() {
            if inside[kernel].name != gpu::FUNC {
                continue;
            }
            let known = inspect(inside, kernel);
            if let Some(body) = inside[kernel].isolated_mut() {
                change(body, known);
            }
        }
    }
}

/// Number of threads of a workgroup; `None` where it is no number of 64 bits.
pub(super) fn threads_of([x, y, z]: [i64; 3]) -> Option<i64> {
    x.checked_mul(y)?.checked_mul(z)
}
