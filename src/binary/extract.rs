//! Extraction: restores the `gpu.module` of each `gpu.binary`, after checking its objects.

use gridloom_dialects::{gpu, inherent};
use gridloom_ir::attr::AttrKind;
use gridloom_ir::bytecode::{is_bytecode, read_module};
use gridloom_ir::text::ParseOptions;
use gridloom_ir::verify::verify;
use gridloom_ir::{
    Attr, Body, Context, Diagnostic, Diagnostics, IrMapping, Loc, Module, OpId, SymbolTable,
};
use gridloom_spirv::{ModuleSummary, inspect};

use super::{BIN, DIGEST, OFFLOAD, digest};

/// Restores the `gpu.module`s that [`super::embed`] has compiled.
///
/// # Errors
///
/// At a `gpu.binary`: objects that are damaged or do not match, or no object with the `gpu.module`.
/// At a launch: arguments that do not match its kernel's parameters.
pub fn extract(ctx: &Context, module: &mut Module) -> Result<(), Diagnostics> {
    let binaries: Vec<OpId> = (module.ops())
        .filter(|(_, op)| op.name == gpu::BINARY)
        .map(|(op, _)| op)
        .collect();
    if binaries.is_empty() {
        return Ok(());
    }
    let mut errors = Diagnostics::new();
    for op in binaries {
        match restored(ctx, module.body(), op) {
            Ok((source, container)) => {
                let body = module.body_mut();
                let copy = body.clone_op_from(source.body(), container, &mut IrMapping::new());
                body.insert_before(op, copy);
                body.erase(op);
            }
            Err(why) => errors.push(*why),
        }
    }
    if errors.has_errors() {
        return Err(errors);
    }
    // Only now can launches be verified against their kernels.
    let found = verify(ctx, module);
    match found.has_errors() {
        true => Err(found),
        false => Ok(()),
    }
}

/// Object of a `gpu.binary`.
struct Object<'c> {
    target: Attr,
    format: i64,
    bytes: &'c [u8],
    digest: Option<&'c str>,
    kernels: Option<&'c [Attr]>,
}

impl<'c> Object<'c> {
    fn of(ctx: &'c Context, attr: Attr) -> Option<Self> {
        let &[target, format, bytes, properties, kernels] = attr.params(ctx, "gpu", "object")?
        else {
            return None;
        };
        let AttrKind::String { value, .. } = bytes.kind(ctx) else {
            return None;
        };
        let digest = match properties.kind(ctx) {
            AttrKind::Dict(dict) => (dict.entries(ctx).iter())
                .find(|(name, _)| ctx.str(*name) == DIGEST)
                .and_then(|(_, value)| value.as_str(ctx)),
            _ => None,
        };
        Some(Object {
            target,
            format: format.as_i64(ctx)?,
            bytes: &value[..],
            digest,
            kernels: kernels.params(ctx, "gpu", "kernel_table"),
        })
    }
}

/// Restores the module with the `gpu.module` of a binary, and returns where it is in that module.
fn restored(ctx: &Context, host: &Body, op: OpId) -> Result<(Module, OpId), Box<Diagnostic>> {
    let data = &host[op];
    let name = data.symbol_name(ctx).map_or("", |name| ctx.str(name));
    let wrong = |why: String| {
        Box::new(Diagnostic::error(
            data.loc,
            format!("gpu.binary @{name}: {why}"),
        ))
    };
    let objects = data.get(ctx, inherent::OBJECTS);
    let objects: Vec<Object> = (objects.unwrap_or_default().iter())
        .filter_map(|&attr| Object::of(ctx, attr))
        .collect();
    for object in &objects {
        if object
            .digest
            .is_some_and(|declared| declared != digest(object.bytes))
        {
            return Err(wrong(
                "an object is damaged, since its digest is another than when it was written: compile \
                 the program again"
                    .to_owned(),
            ));
        }
    }
    let is_source = |object: &&Object| object.format == OFFLOAD && is_bytecode(object.bytes);
    let Some(source) = objects.iter().find(is_source) else {
        return Err(wrong(
            "it has no object 'offload' with the gpu.module as bytecode, which a run needs beside \
             SPIR-V to fit kernels to device and arguments: 'gridloom compile' writes both"
                .to_owned(),
        ));
    };
    let (module, container) =
        source_module(ctx, source.bytes, name, data.loc).map_err(|found| {
            let mut error = wrong("its object 'offload' cannot be used".to_owned());
            for why in found.into_iter().take(1) {
                *error = error.with_note(data.loc, why.message);
            }
            error
        })?;
    if let Some(kernels) = module.body()[container].isolated() {
        for object in objects.iter().filter(|object| object.format == BIN) {
            check_spirv(ctx, object, kernels).map_err(&wrong)?;
        }
    }
    Ok((module, container))
}

/// Reads and verifies a module that holds one `gpu.module`.
fn source_module(
    ctx: &Context,
    bytes: &[u8],
    name: &str,
    loc: Loc,
) -> Result<(Module, OpId), Diagnostics> {
    let file = format!("gpu.binary @{name}");
    let module = read_module(ctx, &file, bytes, &ParseOptions::default())?;
    let found = verify(ctx, &module);
    if found.has_errors() {
        return Err(found);
    }
    let ops: Vec<OpId> = module.ops().map(|(op, _)| op).collect();
    let is_named = |op: OpId| {
        let data = &module.body()[op];
        let symbol = data.symbol_name(ctx).map(|symbol| ctx.str(symbol));
        data.name == gpu::MODULE && symbol == Some(name)
    };
    match ops[..] {
        [op] if is_named(op) => Ok((module, op)),
        _ => {
            let mut errors = Diagnostics::new();
            errors.error(
                loc,
                format!("it holds something else than gpu.module @{name}"),
            );
            Err(errors)
        }
    }
}

/// Checks that an object is SPIR-V of the kernels in its table and in the source.
fn check_spirv(ctx: &Context, object: &Object, kernels: &Body) -> Result<(), String> {
    if object.target.params(ctx, "spirv", "target_env").is_none() {
        return Ok(());
    }
    let (words, rest) = object.bytes.as_chunks::<4>();
    if !rest.is_empty() {
        return Err("its SPIR-V is no whole number of words".to_owned());
    }
    let words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let summary = inspect(&words).map_err(|why| format!("its SPIR-V is damaged: {why}"))?;
    check_target(ctx, object.target, &summary)?;
    let symbols = SymbolTable::of(ctx, kernels);
    for row in object.kernels.unwrap_or_default() {
        let Some(&[name, ty, _, metadata]) = row.params(ctx, "gpu", "kernel_metadata") else {
            continue;
        };
        let name = name.as_str(ctx).unwrap_or_default();
        let Some(&size) = summary.entries.get(name) else {
            return Err(format!(
                "its SPIR-V has no entry point '{name}', which its table lists"
            ));
        };
        let function = symbols.get(ctx.ident(name));
        if function.and_then(|op| kernels[op].attr(ctx, inherent::FUNCTION_TYPE)) != Some(ty) {
            return Err(format!(
                "kernel '{name}' differs between its table and its source"
            ));
        }
        if let AttrKind::Dict(fields) = metadata.kind(ctx) {
            let size = ctx.i32_array_attr(&size.map(|size| size.cast_signed()));
            let declared =
                (fields.entries(ctx).iter()).find(|(key, _)| ctx.str(*key) == "workgroup_size");
            if declared.is_some_and(|&(_, declared)| declared != size) {
                return Err(format!(
                    "kernel '{name}' has another workgroup size in its SPIR-V"
                ));
            }
        }
        let inputs = ty.as_type(ctx).and_then(|ty| ty.function(ctx));
        let inputs = inputs.map_or(&[][..], |(inputs, _)| inputs);
        let buffers = inputs.iter().filter(|ty| ty.memref(ctx).is_some()).count() as u32;
        if let Some(missing) = (0..buffers).find(|binding| !summary.bindings.contains(binding)) {
            return Err(format!(
                "its SPIR-V has no buffer at binding {missing} of kernel '{name}'"
            ));
        }
    }
    Ok(())
}

/// Checks that a module declares no capability beyond its target's.
fn check_target(ctx: &Context, target: Attr, summary: &ModuleSummary) -> Result<(), String> {
    let triple = target
        .params(ctx, "spirv", "target_env")
        .and_then(|params| params.first());
    let triple = triple.and_then(|triple| triple.params(ctx, "spirv", "vce"));
    let Some(&[_, allowed, _]) = triple else {
        return Ok(());
    };
    let allowed = allowed.as_array(ctx).unwrap_or_default();
    let is_allowed = |name: &str| allowed.iter().any(|attr| attr.as_str(ctx) == Some(name));
    let mut names = summary.capabilities.iter().map(|name| format!("{name:?}"));
    match names.find(|name| !is_allowed(name)) {
        Some(name) => Err(format!(
            "its SPIR-V declares capability {name}, which its target does not have"
        )),
        None => Ok(()),
    }
}
