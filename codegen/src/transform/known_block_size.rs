//! Known block sizes: sets `known_block_size` of kernels without one from their launches.
//!
//! ```text
//! gpu.func @k() kernel {                          gpu.func @k() kernel attributes
//!                                            ⇒        {known_block_size = array<i32: 64, 1, 1>} {
//! gpu.launch_func @m::@k … threads in (%c64, %c1, %c1)
//! ```
//!
//! Legal where every launch of the kernel in the module has the same constant
//! sizes; a kernel that is launched from elsewhere, or with other sizes, keeps
//! its size open.

use std::collections::HashMap;

use gridloom_dialects::gpu::{self, LaunchFuncOp};
use gridloom_dialects::{arith, inherent};
use gridloom_ir::attr::AttrKind;
use gridloom_ir::{Body, Context, Ident, Module, OpId};

/// Symbol of a kernel: the names of its `gpu.module` and itself.
type KernelSymbol = (Ident, Ident);

/// Sets the size of every kernel of a module that lacks one and has equal launches. Returns whether
/// there were any.
pub fn note_block_sizes(ctx: &Context, module: &mut Module) -> bool {
    let sizes = launched_sizes(ctx, module);
    let containers: Vec<(OpId, Ident)> = (module.ops())
        .filter(|(_, data)| data.name == gpu::MODULE)
        .filter_map(|(op, data)| Some((op, data.symbol_name(ctx)?)))
        .collect();
    let mut changed = false;
    for (container, outer) in containers {
        let Some(body) = module.body_mut()[container].isolated_mut() else {
            continue;
        };
        for op in body.walk() {
            let data = &mut body[op];
            let is_open = data.name == gpu::FUNC && inherent::known_block_size(ctx, data).is_none();
            let size = data.symbol_name(ctx).filter(|_| is_open);
            let size = size.and_then(|name| *sizes.get(&(outer, name))?);
            if let Some(size) = size {
                data.set_property(ctx, inherent::KNOWN_BLOCK_SIZE, ctx.i32_array_attr(&size));
                changed = true;
            }
        }
    }
    changed
}

/// The constant sizes that all launches of a kernel share; `None` where they differ or are unknown.
fn launched_sizes(ctx: &Context, module: &Module) -> HashMap<KernelSymbol, Option<[i32; 3]>> {
    let mut sizes = HashMap::new();
    for (_, data) in module.ops() {
        let launches = |body: &&Body| body.may_hold(gpu::LAUNCH_FUNC);
        let Some(body) = data.isolated().filter(launches) else {
            continue;
        };
        for op in body.walk() {
            let Some(launch) = LaunchFuncOp::cast(body, op) else {
                continue;
            };
            let kernel = body[op].get(ctx, inherent::KERNEL);
            let Some(AttrKind::Symbol { root, nested }) = kernel.map(|kernel| kernel.kind(ctx))
            else {
                continue;
            };
            let &[name] = &nested[..] else { continue };
            let block = launch.sizes(ctx, body).block.map(|size| {
                let size = arith::constant_int(ctx, body, size)?;
                i32::try_from(size).ok().filter(|&size| size > 0)
            });
            let block = match block {
                [Some(x), Some(y), Some(z)] => Some([x, y, z]),
                _ => None,
            };
            let known = sizes.entry((*root, name)).or_insert(block);
            if *known != block {
                *known = None;
            }
        }
    }
    sizes
}
