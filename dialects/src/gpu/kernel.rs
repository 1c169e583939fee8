//! Device code: `gpu.module`, `gpu.func`, `gpu.return`.

use crate::func::check::{signature_of, verify_argument_attrs};
use crate::func::signature;
use gridloom_ir::body::{BlockId, Body, OpState, Value};
use gridloom_ir::context::{Context, Ident};
use gridloom_ir::location::Loc;
use gridloom_ir::types::Type;
use gridloom_ir::verify::{Check, Checked};

use super::launch::verify_attributions;

op_view! {
    /// `gpu.module`: a compilation unit for the device.
    ModuleOp = super::MODULE
}

impl ModuleOp {
    /// Appends an empty module to the block of a `builtin.module`.
    pub fn create(
        ctx: &Context,
        host: &mut Body,
        block: BlockId,
        name: &str,
        loc: Loc,
    ) -> ModuleOp {
        let state = OpState::new(super::MODULE, loc);
        let op = host.create_op(state.property(ctx, "sym_name", ctx.string_attr(name)));
        host.append(block, op);
        if let Some(body) = host[op].isolated_mut() {
            let region = body.add_top_region();
            body.add_block(region, &[]);
        }
        ModuleOp(op)
    }

    /// The module's symbol name.
    pub fn name(self, ctx: &Context, host: &Body) -> Ident {
        let name = host[self.0].symbol_name(ctx);
        name.expect("a verified module has a name")
    }

    /// The module's own body: one region with one block of symbols.
    pub fn body(self, host: &Body) -> &Body {
        let body = host[self.0].isolated();
        body.expect("a gpu.module owns its body")
    }

    /// The module's own body, mutably.
    pub fn body_mut(self, host: &mut Body) -> &mut Body {
        let body = host[self.0].isolated_mut();
        body.expect("a gpu.module owns its body")
    }
}

op_view! {
    /// `gpu.func`: a device function, a kernel when marked so.
    FuncOp = super::FUNC
}

impl FuncOp {
    /// Appends a function with an entry block to the block of a `gpu.module`.
    pub fn create(
        ctx: &Context,
        module: &mut Body,
        block: BlockId,
        signature: (&str, Type),
        kernel: bool,
        loc: Loc,
    ) -> FuncOp {
        let (name, ty) = signature;
        let state =
            OpState::new(super::FUNC, loc).property(ctx, "function_type", ctx.type_attr(ty));
        let op = module.create_op(state);
        module.append(block, op);
        module[op].set_attribute(ctx, "workgroup_attributions", ctx.i64_attr(0));
        module[op].set_attribute(ctx, "sym_name", ctx.string_attr(name));
        if kernel {
            module[op].set_attribute(ctx, "gpu.kernel", ctx.unit_attr());
        }
        if let Some(body) = module[op].isolated_mut() {
            let inputs = ty.function(ctx).map_or(&[][..], |(inputs, _)| inputs);
            let region = body.add_top_region();
            body.add_block(region, inputs);
        }
        FuncOp(op)
    }

    /// The function's symbol name.
    pub fn name(self, ctx: &Context, module: &Body) -> Ident {
        let name = module[self.0].symbol_name(ctx);
        name.expect("a verified function has a name")
    }

    /// Parameter and result types, without attributions.
    pub fn signature<'c>(self, ctx: &'c Context, module: &Body) -> (&'c [Type], &'c [Type]) {
        signature(ctx, &module[self.0])
    }

    /// Whether the function is a kernel, which the host may launch.
    pub fn is_kernel(self, ctx: &Context, module: &Body) -> bool {
        module[self.0].attr(ctx, "gpu.kernel").is_some()
    }

    /// The workgroup size that every launch of the kernel has, if it is known.
    pub fn known_block_size(self, ctx: &Context, module: &Body) -> Option<[i32; 3]> {
        let size = module[self.0].attr(ctx, "known_block_size")?;
        size.as_i32_array(ctx)?[..].try_into().ok()
    }

    /// The function's own body: one region.
    pub fn body(self, module: &Body) -> &Body {
        let body = module[self.0].isolated();
        body.expect("a gpu.func owns its body")
    }

    /// The function's own body, mutably.
    pub fn body_mut(self, module: &mut Body) -> &mut Body {
        let body = module[self.0].isolated_mut();
        body.expect("a gpu.func owns its body")
    }

    /// The parameters.
    pub fn args<'b>(self, ctx: &Context, module: &'b Body) -> &'b [Value] {
        self.split_args(ctx, module)[0]
    }

    /// Workgroup attributions: memory that the threads of a workgroup share.
    pub fn workgroup_memory<'b>(self, ctx: &Context, module: &'b Body) -> &'b [Value] {
        self.split_args(ctx, module)[1]
    }

    /// Private attributions: memory of each thread alone.
    pub fn private_memory<'b>(self, ctx: &Context, module: &'b Body) -> &'b [Value] {
        self.split_args(ctx, module)[2]
    }

    /// Splits the arguments of the entry block into parameters, workgroup attributions and private
    /// attributions.
    fn split_args<'b>(self, ctx: &Context, module: &'b Body) -> [&'b [Value]; 3] {
        let body = self.body(module);
        let args = body.entry().map_or(&[][..], |entry| &body[entry].args);
        let parameters = self.signature(ctx, module).0.len().min(args.len());
        let (parameters, rest) = args.split_at(parameters);
        let shared = super::workgroup_attributions(ctx, &module[self.0]).min(rest.len());
        let (shared, private) = rest.split_at(shared);
        [parameters, shared, private]
    }
}

pub(super) fn verify_func(check: &Check) -> Checked {
    let (ctx, data) = (check.ctx(), check.data());
    check.ensure(
        data.symbol_name(ctx).is_some(),
        "requires string attribute 'sym_name'",
    )?;
    verify_argument_attrs(check)?;
    let (inputs, results) = signature_of(ctx, data).unwrap_or((&[], &[]));
    check.ensure(
        data.attr(ctx, "gpu.kernel").is_none() || results.is_empty(),
        "expected void return type for kernel function",
    )?;
    let Some((body, entry)) = data.isolated().and_then(|body| Some((body, body.entry()?))) else {
        return Err(check.error("expected body with at least one block"));
    };
    let args = &body[entry].args;
    let expected = inputs.len() + super::workgroup_attributions(ctx, data);
    check.ensure(
        args.len() >= expected,
        format_args!("expected at least {expected} arguments to body region"),
    )?;
    for (index, (&arg, &input)) in args.iter().zip(inputs).enumerate() {
        if body.ty(arg) != input {
            return Err(check.error(format!(
                "expected body region argument #{index} to be of type '{}', got '{}'",
                check.show(input),
                check.show(body.ty(arg))
            )));
        }
    }
    verify_attributions(check, body, &args[inputs.len()..])
}

pub(super) fn verify_return(check: &Check) -> Checked {
    let Some(function) = check.parent() else {
        return Ok(());
    };
    let Some((_, results)) = signature_of(check.ctx(), function.data()) else {
        return Ok(());
    };
    if check.data().operands.len() != results.len() {
        let error = check.error(format!("expected {} result operands", results.len()));
        return Err(error.with_note(function.data().loc, "return type declared here"));
    }
    for (index, (operand, &result)) in check.operand_types().zip(results).enumerate() {
        let shown = check.show(operand);
        check.ensure(
            operand == result,
            format_args!("unexpected type `'{shown}'' for operand #{index}"),
        )?;
    }
    Ok(())
}
