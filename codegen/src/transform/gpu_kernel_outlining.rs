//! `gpu-kernel-outlining`: moves the bodies of launches into kernel functions.
//!
//! ```text
//! func.func @f(%a: memref<8xf32>) {            func.func @f(%a: memref<8xf32>) {
//!   gpu.launch blocks(…) threads(…) {            gpu.launch_func @f_kernels::@f_kernel0
//!     … uses %a …                           ⇒        blocks in (…) threads in (…) args(%a)
//!   }                                          }
//! }                                            gpu.module @f_kernels {
//!                                                gpu.func @f_kernel0(%a: memref<8xf32>) kernel
//! ```
//!
//! Constants used in a kernel are cloned into it, and vectors are recomputed there from scalars, or from their elements
//! (`captures`);
//! other values from outside become arguments in the order of their first use, and so do globals
//! that the kernel names (`memref.get_global` goes before the launch). A launch whose sizes are
//! constants gives its kernel `known_block_size`, and its workgroup and private attributions become
//! the kernel's. Existing kernels without a workgroup size get that of their launches
//! ([`super::known_block_size`]). A launch with clusters, asynchronous dependencies or dynamic
//! shared memory is refused: [`super::gpu_expand_launches`] lowers these first.

mod captures;

use gridloom_dialects::gpu::{self, Dimension, IdOp, LaunchFuncOp, LaunchOp};
use gridloom_dialects::{arith, func, inherent, memref};
use gridloom_ir::body::ValueDef;
use gridloom_ir::hash::FxHashSet;
use gridloom_ir::op::Traits;
use gridloom_ir::types::TypeKind;
use gridloom_ir::{Body, Builder, Context, Diagnostics, Ident, IrMapping, Module, OpId, Value};

use self::captures::pass_elements;
use super::known_block_size::note_block_sizes;
use crate::analysis::eligible::is_recomputable;
use crate::functions::free_name;
use crate::versions::DISTINCT_SUFFIX;

/// Outlines every `gpu.launch` of a module. Returns whether there was one.
///
/// # Errors
/// A launch of an unsupported form.
pub fn outline_kernels(ctx: &Context, module: &mut Module) -> Result<bool, Diagnostics> {
    let functions: Vec<OpId> = (module.ops())
        .filter(|(_, op)| op.name == func::FUNC)
        .map(|(op, _)| op)
        .collect();
    let mut names: FxHashSet<Ident> = module.symbols(ctx).names().collect();
    let mut changed = false;
    for function in functions {
        changed |= outline_function(ctx, module, &mut names, function)?;
    }
    if changed {
        let unit = ctx.unit_attr();
        module
            .op_mut()
            .set_attribute(ctx, inherent::GPU_CONTAINER_MODULE, unit);
    }
    changed |= note_block_sizes(ctx, module);
    Ok(changed)
}

/// Outlines the launches of a function; `names` are the top-level symbols in use.
fn outline_function(
    ctx: &Context,
    module: &mut Module,
    names: &mut FxHashSet<Ident>,
    function: OpId,
) -> Result<bool, Diagnostics> {
    let data = &module.body()[function];
    let loc = data.loc;
    let (Some(name), Some(body)) = (data.symbol_name(ctx), data.isolated()) else {
        return Ok(false);
    };
    if !body.may_hold(gpu::LAUNCH) {
        return Ok(false);
    }
    let launches: Vec<LaunchOp> = (body.walk().into_iter())
        .filter_map(|op| LaunchOp::cast(body, op))
        .collect();
    if launches.is_empty() {
        return Ok(false);
    }
    refuse_special_forms(ctx, body, &launches)?;
    let host = module.body_mut()[function].isolated_mut();
    if let Some(host) = host.filter(|host| host.may_hold(memref::GET_GLOBAL)) {
        for &launch in &launches {
            hoist_globals(host, launch);
        }
    }
    // Kernels are named after the original function, not its version.
    let name = ctx.str(name);
    let name = name
        .strip_suffix(DISTINCT_SUFFIX)
        .unwrap_or(name)
        .to_owned();
    let wanted = format!("{name}_kernels");
    let module_name = free_name(ctx, |name| names.contains(&name), &wanted);
    names.insert(module_name);
    let block = module.block();
    let device = gpu::ModuleOp::create(ctx, module.body_mut(), block, ctx.str(module_name), loc);
    // The host body is detached while kernels are added beside it.
    let host = module.body_mut()[function].isolated_mut();
    let Some(mut host) = host.map(std::mem::take) else {
        return Ok(false);
    };
    for &launch in &launches {
        pass_elements(ctx, &mut host, launch);
    }
    let mut inside = Inside::new(&host);
    for (number, launch) in launches.into_iter().enumerate() {
        let kernel = ctx.ident(&format!("{name}_kernel{number}"));
        let device = device.body_mut(module.body_mut());
        outline(
            ctx,
            &mut host,
            device,
            launch,
            &mut inside,
            (module_name, kernel),
        );
    }
    if let Some(slot) = module.body_mut()[function].isolated_mut() {
        // Most of its arena belonged to operations that are now in kernels.
        *slot = host.compacted();
    }
    Ok(true)
}

/// Moves `memref.get_global` in front of its launch: a global of the host has no meaning in a
/// `gpu.module`, and its memref is passed like any other argument.
fn hoist_globals(host: &mut Body, launch: LaunchOp) {
    for op in host.walk_op(launch.0) {
        if host[op].name == memref::GET_GLOBAL {
            host.detach(op);
            host.insert_before(launch.0, op);
        }
    }
}

fn refuse_special_forms(
    ctx: &Context,
    body: &Body,
    launches: &[LaunchOp],
) -> Result<(), Diagnostics> {
    let mut errors = Diagnostics::new();
    for launch in launches {
        let op = &body[launch.0];
        let complaint = if op.num_results() > 0 || !op.operand_segment(ctx, 0).is_empty() {
            "asynchronous dependencies"
        } else if launch.has_cluster(ctx, body) {
            "clusters"
        } else if !op.operand_segment(ctx, 10).is_empty() {
            "dynamic shared memory"
        } else {
            continue;
        };
        errors.error(
            op.loc,
            format!("a gpu.launch with {complaint} cannot be outlined; write the gpu.func by hand"),
        );
    }
    if errors.has_errors() {
        return Err(errors);
    }
    Ok(())
}

/// Moves the body of a launch into a kernel, and replaces the launch by one of the kernel.
fn outline(
    ctx: &Context,
    host: &mut Body,
    device: &mut Body,
    launch: LaunchOp,
    inside: &mut Inside,
    (module_name, kernel_name): (Ident, Ident),
) {
    let below = host.walk_op(launch.0);
    let Captures { copied, args } = captures(ctx, host, &below, inside);
    let types: Vec<_> = args.iter().map(|&arg| host.ty(arg)).collect();
    let loc = host[launch.0].loc;
    let Some(block) = device.entry() else { return };
    let signature = (ctx.str(kernel_name), ctx.function_type(&types, &[]));
    let kernel = gpu::FuncOp::create(ctx, device, block, signature, true, loc);
    let sizes = launch.sizes(ctx, host);
    if let Some(size) = constant_sizes(ctx, host, sizes.block) {
        let size = ctx.i32_array_attr(&size);
        device[kernel.0].set_property(ctx, inherent::KNOWN_BLOCK_SIZE, size);
    }

    let (shared, private) = launch.attributions(ctx, host);
    let workgroup = shared.len() as i64;
    let body = kernel.body_mut(device);
    body.reserve(below.len() + copied.len());
    let Some(entry) = body.entry() else { return };
    let mut map = IrMapping::with_capacity(below.len());
    let params = body[entry].args.to_vec();
    for (&arg, &param) in args.iter().zip(&params) {
        map.map(arg, param);
    }
    for &memory in shared.iter().chain(private) {
        let attribution = body.add_argument(entry, host.ty(memory), host[memory].loc);
        map.map(memory, attribution);
    }
    for &op in &copied {
        let copy = body.clone_op_from(host, op, &mut map);
        body.append(entry, copy);
    }
    map_ids(ctx, (host, &below), body, entry, launch, &mut map);
    let ops: Vec<OpId> = host.ops(launch.block(host)).collect();
    for op in ops {
        if host[op].name == gpu::TERMINATOR {
            let mut b = Builder::at_end(ctx, body, entry, host[op].loc);
            b.create(b.state(gpu::RETURN));
        } else {
            let copy = body.clone_op_from(host, op, &mut map);
            body.append(entry, copy);
        }
    }

    let count = ctx.i64_attr(workgroup);
    device[kernel.0].set_attribute(ctx, inherent::WORKGROUP_ATTRIBUTIONS, count);
    let mut b = Builder::before(ctx, host, launch.0);
    LaunchFuncOp::create(&mut b, (module_name, kernel_name), sizes, &args);
    host.erase(launch.0);
}

/// Creates the ids and sizes that the launch's body uses, in the kernel.
fn map_ids(
    ctx: &Context,
    (host, below): (&Body, &[OpId]),
    body: &mut Body,
    entry: gridloom_ir::BlockId,
    launch: LaunchOp,
    map: &mut IrMapping,
) {
    // The ids are block arguments of the launch, so only operations inside of it use them.
    let block = launch.block(host);
    let mut used = vec![false; host[block].args.len()];
    for &operand in below.iter().flat_map(|&op| &host[op].operands) {
        if let ValueDef::Argument(of, number) = host[operand].def()
            && of == block
        {
            used[number as usize] = true;
        }
    }
    let is_used = |value: Value| match host[value].def() {
        ValueDef::Argument(_, number) => used[number as usize],
        ValueDef::Result(..) => false,
    };
    let args = launch.args(host);
    let groups = [
        (gpu::BLOCK_ID, args.block_id),
        (gpu::THREAD_ID, args.thread_id),
        (gpu::GRID_DIM, args.grid_dim),
        (gpu::BLOCK_DIM, args.block_dim),
    ];
    let mut b = Builder::at_end(ctx, body, entry, host[launch.0].loc);
    for (name, values) in groups {
        for (dim, value) in Dimension::ALL.into_iter().zip(values) {
            if is_used(value) {
                map.map(value, IdOp::create(&mut b, name, dim));
            }
        }
    }
}

fn constant_sizes(ctx: &Context, host: &Body, sizes: [Value; 3]) -> Option<[i32; 3]> {
    let mut known = [0; 3];
    for (slot, value) in known.iter_mut().zip(sizes) {
        let size = arith::constant_int(ctx, host, value)?;
        *slot = i32::try_from(size).ok()?;
    }
    Some(known)
}

/// Captures: values of the host that a launch's body uses.
struct Captures {
    /// Constants, and operations that compute vectors, cloned into the kernel since kernels take no
    /// vector arguments.
    copied: Vec<OpId>,
    args: Vec<Value>,
}

impl Captures {
    /// Adds a capture, after those from which it is recomputed.
    fn add(&mut self, ctx: &Context, host: &Body, value: Value, seen: &mut FxHashSet<Value>) {
        if !seen.insert(value) {
            return;
        }
        let is_vector = matches!(host.ty(value).kind(ctx), TypeKind::Vector { .. });
        match host.defining_op(value) {
            Some(def) if host[def].name.has(Traits::CONSTANT_LIKE) => self.copied.push(def),
            Some(def) if is_vector && is_recomputable(ctx, host, value) => {
                for &operand in &host[def].operands {
                    self.add(ctx, host, operand, seen);
                }
                seen.extend(host[def].results());
                self.copied.push(def);
            }
            _ => self.args.push(value),
        }
    }
}

/// Membership of values in the launch being outlined, for one launch after the other.
struct Inside {
    /// Number of the launch that a value was last found in, from 1, by value.
    launch: Vec<u32>,
    current: u32,
}

impl Inside {
    /// Creates the table for the launches of a function.
    fn new(host: &Body) -> Self {
        Inside {
            launch: vec![0; host.value_capacity()],
            current: 0,
        }
    }

    /// Starts the next launch, whose walk is `below`.
    fn enter(&mut self, host: &Body, below: &[OpId]) {
        self.current += 1;
        self.launch.resize(host.value_capacity(), 0);
        let mut mark = |value: Value| self.launch[value.index()] = self.current;
        for &op in below {
            // An outlined launch has no results.
            host[op].results().for_each(&mut mark);
            for &region in host[op].inline_regions() {
                for &block in &host[region].blocks {
                    host[block].args.iter().copied().for_each(&mut mark);
                }
            }
        }
    }

    fn contains(&self, value: Value) -> bool {
        self.launch[value.index()] == self.current
    }
}

/// The captures of the launch whose walk is `below`.
fn captures(ctx: &Context, host: &Body, below: &[OpId], inside: &mut Inside) -> Captures {
    inside.enter(host, below);
    let mut found = Captures {
        copied: Vec::new(),
        args: Vec::new(),
    };
    let mut seen: FxHashSet<Value> = FxHashSet::default();
    for &op in &below[1..] {
        for &value in &host[op].operands {
            if !inside.contains(value) {
                found.add(ctx, host, value, &mut seen);
            }
        }
    }
    found
}
