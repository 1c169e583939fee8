//! Embedding: compiles each `gpu.module` to a `gpu.binary`.

use gridloom_dialects::{gpu, inherent};
use gridloom_ir::attr::{AttrKind, NamedAttr};
use gridloom_ir::body::OpState;
use gridloom_ir::bytecode::write_module;
use gridloom_ir::diag::Severity;
use gridloom_ir::text::{ParseOptions, parse_attr_fragment};
use gridloom_ir::{
    Attr, Body, Context, Diagnostic, Diagnostics, IrMapping, Module, OpId, SymbolTable,
};
use gridloom_spirv::{CompiledModule, EntryPoint, TargetEnv, compile_module, inspect};

use super::{BIN, DIGEST, OFFLOAD, digest};

/// Compiles each `gpu.module` and replaces it by a `gpu.binary`. A module that the target does not
/// support stays, which a run accepts as well; a warning gives the reason.
pub fn embed(ctx: &Context, module: &mut Module, env: &TargetEnv) -> Diagnostics {
    let mut warnings = Diagnostics::new();
    let containers: Vec<OpId> = (module.ops())
        .filter(|(_, op)| op.name == gpu::MODULE)
        .map(|(op, _)| op)
        .collect();
    for op in containers {
        match objects(ctx, module, op, env) {
            Ok(Some(objects)) => replace(ctx, module.body_mut(), op, objects),
            Ok(None) => {}
            Err(why) => warnings.push(*why),
        }
    }
    warnings
}

fn replace(ctx: &Context, body: &mut Body, op: OpId, objects: Attr) {
    let data = &body[op];
    let mut state = OpState::new(gpu::BINARY, data.loc);
    if let Some(name) = data.attr(ctx, inherent::SYM_NAME) {
        state = state.property(ctx, inherent::SYM_NAME, name);
    }
    let first = ctx.parametric_attr("gpu", "select_object", &[]);
    let state = state.property(ctx, inherent::OFFLOADING_HANDLER, first);
    let binary = body.create_op(state.property(ctx, inherent::OBJECTS, objects));
    body.insert_before(op, binary);
    body.erase(op);
}

/// The objects of a `gpu.module`; `None` for a module without kernels.
fn objects(
    ctx: &Context,
    module: &Module,
    op: OpId,
    env: &TargetEnv,
) -> Result<Option<Attr>, Box<Diagnostic>> {
    let data = &module.body()[op];
    let (Some(name), Some(kernels)) = (data.symbol_name(ctx), data.isolated()) else {
        return Ok(None);
    };
    let stays = |why: Diagnostic| {
        let name = ctx.str(name);
        let message = format!(
            "gpu.module @{name} is not compiled ahead of time: {}",
            why.message
        );
        Box::new(Diagnostic::new(Severity::Warning, why.loc, message))
    };
    if let Some(loc) = resource(ctx, kernels) {
        let why = "it has a dense_resource, whose data is stored outside of it";
        return Err(stays(Diagnostic::remark(loc, why)));
    }
    let compiled = compile_module(ctx, module, ctx.str(name), env);
    let compiled = compiled.map_err(|found| {
        let first = found.into_iter().next();
        stays(first.unwrap_or_else(|| Diagnostic::remark(data.loc, "it cannot be compiled")))
    })?;
    if compiled.entries.is_empty() {
        return Ok(None);
    }
    let target = target(ctx, &compiled).map_err(|why| stays(Diagnostic::remark(data.loc, why)))?;
    let table = table(ctx, kernels, &compiled.entries);
    let words = compiled.words.iter().flat_map(|word| word.to_le_bytes());
    let objects = [
        object(ctx, target, BIN, &words.collect::<Vec<u8>>(), table),
        object(
            ctx,
            target,
            OFFLOAD,
            &source(ctx, module, op),
            ctx.unit_attr(),
        ),
    ];
    Ok(Some(ctx.array_attr(&objects)))
}

/// Location of a constant of the kernels whose data lies in a resource of the outer module.
fn resource(ctx: &Context, kernels: &Body) -> Option<gridloom_ir::Loc> {
    let is_resource = |attr: Option<Attr>| {
        let kind = attr.map(|attr| attr.kind(ctx));
        matches!(kind, Some(AttrKind::DenseResource { .. }))
    };
    let functions = kernels.walk().into_iter();
    let mut inside = functions
        .filter_map(|op| kernels[op].isolated())
        .flat_map(|body| body.walk().into_iter().map(move |op| &body[op]));
    let found = inside.find(|op| is_resource(op.get(ctx, inherent::VALUE)));
    found.map(|op| op.loc)
}

/// Builds `#gpu.object<target, properties = {…}, kernels = …, FORMAT = "bytes">`.
fn object(ctx: &Context, target: Attr, format: i64, bytes: &[u8], kernels: Attr) -> Attr {
    let digest = (ctx.ident(DIGEST), ctx.string_attr(&digest(bytes)));
    let properties = dict(ctx, vec![digest]);
    let format = ctx.int_attr(ctx.int_type(32), format);
    let bytes = ctx.intern_attr(AttrKind::String {
        value: bytes.into(),
        ty: None,
    });
    ctx.parametric_attr(
        "gpu",
        "object",
        &[target, format, bytes, properties, kernels],
    )
}

/// Builds the `#spirv.target_env` with the version, capabilities and extensions that the module
/// declares.
fn target(ctx: &Context, compiled: &CompiledModule) -> Result<Attr, String> {
    let summary = inspect(&compiled.words).map_err(|why| why.to_string())?;
    let names: Vec<String> = (summary.capabilities.iter())
        .map(|name| format!("{name:?}"))
        .collect();
    let extensions: Vec<String> = summary.extensions.into_iter().collect();
    let text = format!(
        "#spirv.target_env<#spirv.vce<v1.{}, [{}], [{}]>, api=Vulkan, #spirv.resource_limits<>>",
        summary.version.minor(),
        names.join(", "),
        extensions.join(", ")
    );
    parse_attr_fragment(ctx, text.as_bytes(), &ParseOptions::default())
}

/// Builds `#gpu.kernel_table<[#gpu.kernel_metadata<"k", (…) -> (), metadata = {…}>]>`, sorted by
/// name.
fn table(ctx: &Context, kernels: &Body, entries: &[EntryPoint]) -> Attr {
    let symbols = SymbolTable::of(ctx, kernels);
    let mut rows: Vec<(&str, Attr)> = Vec::new();
    for entry in entries {
        let function = symbols.get(ctx.ident(&entry.name));
        let ty = function.and_then(|op| kernels[op].attr(ctx, inherent::FUNCTION_TYPE));
        let Some(ty) = ty else { continue };
        let params = [
            ctx.string_attr(&entry.name),
            ty,
            ctx.unit_attr(),
            metadata(ctx, entry),
        ];
        rows.push((
            &entry.name,
            ctx.parametric_attr("gpu", "kernel_metadata", &params),
        ));
    }
    rows.sort_by_key(|(name, _)| *name);
    let rows: Vec<Attr> = rows.into_iter().map(|(_, row)| row).collect();
    ctx.parametric_attr("gpu", "kernel_table", &rows)
}

/// Builds the launch metadata of an entry point, beyond its argument types; docs/binaries.md has
/// the fields.
fn metadata(ctx: &Context, entry: &EntryPoint) -> Attr {
    let size = entry
        .workgroup_size
        .map(|size| i32::try_from(size).unwrap_or(i32::MAX));
    let number = |number: u32| ctx.i64_attr(i64::from(number));
    let params = &entry.abi.params;
    let fields = [
        ("fault_binding", entry.abi.fault_binding.map(number)),
        ("params_binding", params.binding.map(number)),
        (
            "params_bytes",
            (params.size > 0).then(|| number(params.size)),
        ),
        ("workgroup_size", Some(ctx.i32_array_attr(&size))),
    ];
    let fields: Vec<NamedAttr> = (fields.into_iter())
        .filter_map(|(name, value)| Some((ctx.ident(name), value?)))
        .collect();
    dict(ctx, fields)
}

fn dict(ctx: &Context, entries: Vec<NamedAttr>) -> Attr {
    ctx.intern_attr(AttrKind::Dict(ctx.attr_dict(entries)))
}

/// Serializes a module that holds the `gpu.module` alone, as bytecode.
fn source(ctx: &Context, module: &Module, op: OpId) -> Vec<u8> {
    let mut alone = Module::new(module.body()[op].loc);
    let block = alone.block();
    let body = alone.body_mut();
    let copy = body.clone_op_from(module.body(), op, &mut IrMapping::new());
    body.append(block, copy);
    write_module(ctx, &alone)
}
