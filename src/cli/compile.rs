//! `gridloom compile`

use gridloom::codegen::offload::{OffloadOptions, offload};
use gridloom::ir::Ident;
use gridloom::ir::dialect::gpu;
use gridloom::ir::text::{PrintOptions, print_module};
use gridloom::spirv::{IndexWidth, Language, ParamsClass, Profile, TargetEnv};
use gridloom::{Context, Module};

use super::{Failure, args, help, input};

/// What to write.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Emit {
    Mlir,
    Spirv,
    SpirvAsm,
    Text(Language),
}

struct Request {
    file: Option<String>,
    output: Option<String>,
    emit: Emit,
    kernel: Option<String>,
    target: TargetEnv,
}

pub fn run(parser: &mut lexopt::Parser) -> Result<(), Failure> {
    let Some(request) = parse(parser)? else {
        return input::print(help::COMPILE.as_bytes());
    };
    let file = args::need_file(request.file.clone())?;
    let ctx = input::context();
    let mut module = input::module(&ctx, &file, None)?;
    let remarks = offload(&ctx, &mut module, &OffloadOptions::default())
        .map_err(|found| Failure::Refused(found.render(&ctx)))?;
    input::print_error(&remarks.render(&ctx));
    let bytes = match request.emit {
        Emit::Mlir => print_module(&ctx, &module, &PrintOptions::default()).into_bytes(),
        _ => kernel_text(&ctx, &module, &request, &file)?,
    };
    input::write(request.output.as_deref(), &bytes)
}

fn parse(parser: &mut lexopt::Parser) -> Result<Option<Request>, Failure> {
    use lexopt::prelude::*;
    let mut target = TargetEnv::default();
    // Ahead of time the device is not known; what it must have is in the module.
    (target.features.f64, target.features.i64) = (true, true);
    let mut request = Request {
        file: None,
        output: None,
        emit: Emit::Mlir,
        kernel: None,
        target,
    };
    while let Some(arg) = parser.next()? {
        let name = match arg {
            Value(file) => {
                args::set_file(&mut request.file, file)?;
                continue;
            }
            Short('o') => "o".to_owned(),
            Long("help") | Short('h') => return Ok(None),
            Long(name) => name.to_owned(),
            other => return Err(other.unexpected().into()),
        };
        let mut value = || args::text(parser.value()?);
        match &name[..] {
            "o" => request.output = Some(value()?),
            "kernel" => request.kernel = Some(value()?),
            "fp" => request.target.fp = args::fp(&value()?)?,
            "bounds" => request.target.bounds = args::bounds(&value()?)?,
            "portable" => request.target.profile = Profile::Portable,
            "index-width" => {
                let widths = [("32", IndexWidth::Bits32), ("64", IndexWidth::Bits64)];
                request.target.index_width = args::choice(&name, &value()?, &widths)?;
            }
            "params" => {
                let classes = [
                    ("immediates", ParamsClass::Immediates),
                    ("uniform", ParamsClass::Uniform),
                ];
                request.target.params = args::choice(&name, &value()?, &classes)?;
            }
            "emit" => {
                let emits = [
                    ("mlir", Emit::Mlir),
                    ("spirv", Emit::Spirv),
                    ("spirv-asm", Emit::SpirvAsm),
                    ("wgsl", Emit::Text(Language::Wgsl)),
                    ("msl", Emit::Text(Language::Msl)),
                    ("hlsl", Emit::Text(Language::Hlsl)),
                    ("glsl", Emit::Text(Language::Glsl)),
                ];
                request.emit = args::choice(&name, &value()?, &emits)?;
            }
            _ => {
                return Err(Failure::Usage(format!(
                    "'compile' has no option '--{name}'"
                )));
            }
        }
    }
    if matches!(request.emit, Emit::Text(_)) {
        request.target.profile = Profile::Portable;
        request.target.params = ParamsClass::Uniform;
    }
    Ok(Some(request))
}

/// The kernels' module names and names.
fn kernels(ctx: &Context, module: &Module) -> Vec<(Ident, Ident)> {
    let mut found = Vec::new();
    for (_, data) in module.ops().filter(|(_, data)| data.name == gpu::MODULE) {
        let (Some(container), Some(inner)) = (data.symbol_name(ctx), data.isolated()) else {
            continue;
        };
        let Some(block) = inner.entry() else { continue };
        for op in inner.ops(block).filter(|&op| inner[op].name == gpu::FUNC) {
            found.extend(inner[op].symbol_name(ctx).map(|name| (container, name)));
        }
    }
    found
}

fn kernel_text(
    ctx: &Context,
    module: &Module,
    request: &Request,
    file: &str,
) -> Result<Vec<u8>, Failure> {
    let all = kernels(ctx, module);
    let wanted = |kernel: &&(Ident, Ident)| {
        request
            .kernel
            .as_deref()
            .is_none_or(|name| ctx.str(kernel.1) == name)
    };
    let chosen: Vec<(Ident, Ident)> = all.iter().filter(wanted).copied().collect();
    if chosen.is_empty() {
        let names: Vec<&str> = all.iter().map(|kernel| ctx.str(kernel.1)).collect();
        let message = match &request.kernel {
            Some(name) if !all.is_empty() => {
                format!(
                    "there is no kernel '{name}'; there are {}",
                    names.join(", ")
                )
            }
            _ => "no loop of this program was mapped to a kernel".to_owned(),
        };
        return Err(Failure::Refused(format!("{file}: error: {message}\n")));
    }
    let refused = |found: gridloom::Diagnostics| Failure::Refused(found.render(ctx));
    let mut containers: Vec<Ident> = chosen.iter().map(|kernel| kernel.0).collect();
    containers.dedup();
    match (request.emit, &containers[..], &chosen[..]) {
        // A whole gpu.module is one SPIR-V module with an entry point a kernel.
        (Emit::Spirv | Emit::SpirvAsm, &[container], _) if request.kernel.is_none() => {
            let words =
                gridloom::spirv::compile_module(ctx, module, ctx.str(container), &request.target)
                    .map_err(refused)?;
            finish(request, "", &words.words)
        }
        (_, _, &[(container, name)]) => {
            let (container, name) = (ctx.str(container), ctx.str(name));
            let kernel =
                gridloom::spirv::compile_kernel(ctx, module, container, name, &request.target)
                    .map_err(refused)?;
            finish(request, name, &kernel.words)
        }
        _ => {
            let names: Vec<&str> = chosen.iter().map(|kernel| ctx.str(kernel.1)).collect();
            Err(Failure::Usage(format!(
                "there are several kernels ({}); choose one with --kernel",
                names.join(", ")
            )))
        }
    }
}

fn finish(request: &Request, entry: &str, words: &[u32]) -> Result<Vec<u8>, Failure> {
    let refused = |message: String| Failure::Refused(format!("error: {message}\n"));
    match request.emit {
        Emit::SpirvAsm => match gridloom::spirv::disassemble(words) {
            Ok(text) => Ok(text.into_bytes()),
            Err(error) => Err(refused(error.to_string())),
        },
        Emit::Text(language) => match gridloom::spirv::translate(words, entry, language) {
            Ok(text) => Ok(text.into_bytes()),
            Err(error) => Err(refused(error.to_string())),
        },
        _ => Ok(words.iter().flat_map(|word| word.to_le_bytes()).collect()),
    }
}
