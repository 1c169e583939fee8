//! Kernel launches: `gpu.launch`, `gpu.launch_func`, `gpu.terminator`.

use crate::func::check::signature_of;
use crate::verified::{region_block, required};
use gridloom_ir::attr::{Attr, AttrKind};
use gridloom_ir::body::{BlockId, Body, OpData, Value};
use gridloom_ir::builder::{Builder, InsertPoint};
use gridloom_ir::context::{Context, Ident};
use gridloom_ir::diag::Diagnostic;
use gridloom_ir::verify::{Check, Checked, late};

/// Launch sizes along x, y and z.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LaunchSizes {
    /// Grid: the number of workgroups.
    pub grid: [Value; 3],
    /// Block: the number of threads of a workgroup.
    pub block: [Value; 3],
}

/// Operand group of the first size. Both launches begin with the group of async dependencies, then
/// six sizes.
const GRID: usize = 1;

fn sizes(ctx: &Context, body: &Body, op: gridloom_ir::body::OpId) -> LaunchSizes {
    let size = |index: usize| match *body[op].operand_segment(ctx, index) {
        [value] => value,
        _ => unreachable!("a verified launch has one value for each size"),
    };
    LaunchSizes {
        grid: [size(GRID), size(GRID + 1), size(GRID + 2)],
        block: [size(GRID + 3), size(GRID + 4), size(GRID + 5)],
    }
}

op_view! {
    /// `gpu.launch`: a kernel with its body in place.
    LaunchOp = super::LAUNCH
}

/// Arguments of a `gpu.launch` body: the ids and sizes of the launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LaunchArgs {
    /// Id of the workgroup.
    pub block_id: [Value; 3],
    /// Id of the thread in its workgroup.
    pub thread_id: [Value; 3],
    /// Number of workgroups.
    pub grid_dim: [Value; 3],
    /// Number of threads of a workgroup.
    pub block_dim: [Value; 3],
}

impl LaunchOp {
    /// Makes a launch with an empty body block that has the twelve arguments;
    /// [`terminate`] ends it.
    pub fn create(b: &mut Builder, sizes: LaunchSizes) -> LaunchOp {
        let ctx = b.ctx;
        let segments = [0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0];
        let state = b
            .state(super::LAUNCH)
            .operands(&[sizes.grid, sizes.block].concat())
            .property(ctx, "operandSegmentSizes", ctx.i32_array_attr(&segments));
        let op = b.create(state);
        b.body[op].set_attribute(ctx, "workgroup_attributions", ctx.i64_attr(0));
        let region = b.body.add_region(op);
        b.body.add_block(region, &[ctx.index_type(); 12]);
        LaunchOp(op)
    }

    /// The launch sizes.
    pub fn sizes(self, ctx: &Context, body: &Body) -> LaunchSizes {
        sizes(ctx, body, self.0)
    }

    /// The entry block.
    pub fn block(self, body: &Body) -> BlockId {
        region_block(body, self.0, 0)
    }

    /// The arguments of the body.
    pub fn args(self, body: &Body) -> LaunchArgs {
        let args = &body[self.block(body)].args;
        let three = |from: usize| [args[from], args[from + 1], args[from + 2]];
        LaunchArgs {
            block_id: three(0),
            thread_id: three(3),
            grid_dim: three(6),
            block_dim: three(9),
        }
    }

    /// Whether there are cluster sizes: six more arguments follow the twelve.
    pub fn has_cluster(self, ctx: &Context, body: &Body) -> bool {
        !body[self.0].operand_segment(ctx, 7).is_empty()
    }

    /// Workgroup attributions, shared by the threads of a workgroup, and private ones of each
    /// thread.
    pub fn attributions<'b>(self, ctx: &Context, body: &'b Body) -> (&'b [Value], &'b [Value]) {
        let args = &body[self.block(body)].args;
        let ids = if self.has_cluster(ctx, body) { 18 } else { 12 };
        let rest = args.get(ids..).unwrap_or(&[]);
        let shared = super::workgroup_attributions(ctx, &body[self.0]);
        rest.split_at(shared.min(rest.len()))
    }
}

/// Makes a `gpu.terminator` at the end of a block.
pub fn terminate(b: &mut Builder, block: BlockId) {
    let at = b.point();
    b.set(InsertPoint::End(block));
    b.create(b.state(super::TERMINATOR));
    b.set(at);
}

op_view! {
    /// `gpu.launch_func`: launches a kernel of a `gpu.module`.
    LaunchFuncOp = super::LAUNCH_FUNC
}

impl LaunchFuncOp {
    /// Makes a launch of `@module::@function`.
    pub fn create(
        b: &mut Builder,
        kernel: (Ident, Ident),
        sizes: LaunchSizes,
        args: &[Value],
    ) -> LaunchFuncOp {
        let ctx = b.ctx;
        let segments = [0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, args.len() as i32, 0];
        let operands = [&sizes.grid[..], &sizes.block, args].concat();
        let state = b
            .state(super::LAUNCH_FUNC)
            .operands(&operands)
            .property(ctx, "kernel", ctx.nested_symbol_attr(kernel.0, &[kernel.1]))
            .property(ctx, "operandSegmentSizes", ctx.i32_array_attr(&segments));
        LaunchFuncOp(b.create(state))
    }

    /// The reference to the kernel.
    pub fn kernel(self, ctx: &Context, body: &Body) -> Attr {
        required(ctx, &body[self.0], "kernel")
    }

    /// The launch sizes.
    pub fn sizes(self, ctx: &Context, body: &Body) -> LaunchSizes {
        sizes(ctx, body, self.0)
    }

    /// The kernel operands.
    pub fn args<'b>(self, ctx: &Context, body: &'b Body) -> &'b [Value] {
        body[self.0].operand_segment(ctx, 11)
    }
}

/// Checks that attributions are of memref type, and in the memory space of their group where they
/// name one by this dialect's attribute.
pub(super) fn verify_attributions(check: &Check, body: &Body, memory: &[Value]) -> Checked {
    let ctx = check.ctx();
    let shared = super::workgroup_attributions(ctx, check.data()).min(memory.len());
    let (shared, private) = memory.split_at(shared);
    for (group, space) in [(shared, "workgroup"), (private, "private")] {
        for &value in group {
            let Some(memref) = body.ty(value).memref(ctx) else {
                return Err(check.error("expected memref type in attribution"));
            };
            let given = memref.space.and_then(|given| address_space(ctx, given));
            check.ensure(
                given.is_none_or(|given| given == space),
                format_args!("expected memory space {space} in attribution"),
            )?;
        }
    }
    Ok(())
}

/// Returns the word of `#gpu.address_space<word>`.
fn address_space(ctx: &Context, space: Attr) -> Option<&str> {
    let AttrKind::Dialect { dialect, body, .. } = space.kind(ctx) else {
        return None;
    };
    let word = ctx.str(*body).strip_prefix(".address_space<")?;
    (ctx.str(*dialect) == "gpu").then(|| word.trim_end_matches('>').trim())
}

/// Checks that a launch has all three cluster sizes or none.
fn verify_cluster(check: &Check) -> Checked {
    let given =
        (7..10).filter(|&group| !check.data().operand_segment(check.ctx(), group).is_empty());
    let given = given.count();
    check.ensure(given == 0 || given == 3, "cluster size must be all present")
}

pub(super) fn verify_launch(check: &Check) -> Checked {
    verify_cluster(check)?;
    late(verify_launch_body(check))
}

fn verify_launch_body(check: &Check) -> Checked {
    let (ctx, body, op) = (check.ctx(), check.body(), LaunchOp(check.op));
    let Some(block) = body.region_block(check.op, 0) else {
        return Err(check.error("expected body with at least one block"));
    };
    let args = &body[block].args;
    let ids = if op.has_cluster(ctx, body) { 18 } else { 12 };
    let shared = super::workgroup_attributions(ctx, check.data());
    check.ensure(
        args.len() >= ids + shared,
        "unexpected number of region arguments",
    )?;
    check.ensure(
        args[..ids].iter().all(|&arg| body.ty(arg).is_index(ctx)),
        "expected the ids and sizes among the region arguments to be of index type",
    )?;
    verify_attributions(check, body, &args[ids..])?;
    for &region in check.data().inline_regions() {
        for &block in &body[region].blocks {
            let ends = check.terminator(block).is_some_and(|last| {
                last.name() == super::TERMINATOR || !last.data().successors().is_empty()
            });
            if !ends {
                let loc = check
                    .terminator(block)
                    .map_or(check.data().loc, |last| last.data().loc);
                let message = "expected 'gpu.terminator' or a terminator with successors";
                return Err(Diagnostic::error(loc, message));
            }
        }
    }
    Ok(())
}

pub(super) fn verify_launch_func(check: &Check) -> Checked {
    let (ctx, op) = (check.ctx(), LaunchFuncOp(check.op));
    verify_cluster(check)?;
    let container = check.ancestor(|op| op.name == crate::builtin::MODULE);
    let marked = |module: &Check| module.data().attr(ctx, "gpu.container_module").is_some();
    let Some(container) = container.filter(marked) else {
        return Err(check.error(
            "expected the closest surrounding module to have the 'gpu.container_module' attribute",
        ));
    };
    let sizes = (7..10).flat_map(|group| check.data().operand_segment(ctx, group));
    let mut types = sizes.map(|&size| check.body().ty(size));
    let first = types.next();
    check.ensure(
        types.all(|ty| Some(ty) == first),
        "expects types of the cluster dimensions must be the same",
    )?;
    // Upstream checks references to kernels at the container before it enters functions.
    verify_reference(check, &container, op.kernel(ctx, check.body())).map_err(Diagnostic::early)
}

/// Checks that a launch refers to a kernel in a module of kernels, or to a binary.
fn verify_reference(check: &Check, container: &Check, reference: Attr) -> Checked {
    let ctx = check.ctx();
    let shown = gridloom_ir::text::attr_string(ctx, reference);
    let AttrKind::Symbol { root, nested } = reference.kind(ctx) else {
        return Ok(());
    };
    let name = ctx.str(*root);
    let Some(module) = check.member_of(container, *root) else {
        return Err(check.error(format!("kernel container '{name}' is undefined")));
    };
    if module.name() == super::BINARY {
        return Ok(());
    }
    let [kernel] = nested[..] else {
        let error = check.error(format!("referenced kernel '{shown}' is not a function"));
        return Err(error.with_note(module.data().loc, "see the kernel definition here"));
    };
    if module.name() != super::MODULE {
        return Err(check.error(format!("kernel module '{name}' is undefined")));
    }
    let Some((body, kernel)) = module.holds(kernel) else {
        return Err(check.error(format!("kernel function '{shown}' is undefined")));
    };
    verify_kernel(check, &body[kernel], &shown)
}

/// Checks that the launched function is a kernel that takes the kernel operands.
fn verify_kernel(check: &Check, kernel: &OpData, shown: &str) -> Checked {
    let ctx = check.ctx();
    let Some((inputs, _)) = signature_of(ctx, kernel) else {
        return Err(check.error(format!("referenced kernel '{shown}' is not a function")));
    };
    check.ensure(
        kernel.attr(ctx, "gpu.kernel").is_some(),
        "kernel function is missing the 'gpu.kernel' attribute",
    )?;
    let args = check.data().operand_segment(ctx, 11);
    check.ensure(
        args.len() == inputs.len(),
        format_args!(
            "got {} kernel operands but expected {}",
            args.len(),
            inputs.len()
        ),
    )?;
    for (index, (arg, &input)) in check.types_of(args).zip(inputs).enumerate() {
        check.ensure(
            arg == input,
            format_args!("type of function argument {index} does not match"),
        )?;
    }
    Ok(())
}
