//! `gridloom compile`

use gridloom::codegen::pass::offload::offload;
use gridloom::codegen::target::OffloadOptions;
use gridloom::ir::memory_space::MemorySpaces;
use gridloom::ir::text::{PrintOptions, print_module};
use gridloom::reflection::Reflection;
use gridloom::spirv::{
    self, CompiledModule, Extensions, FloatControls, FpMode, IndexWidth, KernelId, Language,
    ParamsClass, Profile, TargetEnv,
};
use gridloom::{Context, Diagnostics, Module};

use super::{Failure, args, help, input};

/// Output form.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Emit {
    Mlir,
    Spirv,
    SpirvAsm,
    Json,
    Text(Language),
}

struct Request {
    file: Option<String>,
    output: Option<String>,
    emit: Emit,
    kernel: Option<String>,
    target: TargetEnv,
    /// The storage class of parameters, if one is asked for.
    params: Option<ParamsClass>,
    extensions: Extensions,
    remarks: bool,
    /// The meaning of memory space names.
    spaces: MemorySpaces,
}

pub fn run(parser: &mut lexopt::Parser) -> Result<(), Failure> {
    let Some(request) = parse(parser)? else {
        return input::print(help::COMPILE.as_bytes());
    };
    let file = args::need_file(request.file.clone())?;
    let ctx = input::context();
    let mut module = input::module(&ctx, &file, None)?;
    let options = OffloadOptions {
        spaces: request.spaces.clone(),
        reassociate: request.target.fp == FpMode::Relaxed,
        verdicts: request.remarks,
        ..OffloadOptions::default()
    };
    let remarks = offload(&ctx, &mut module, &options)
        .map_err(|found| Failure::Refused(found.render(&ctx)))?;
    if request.remarks {
        input::print_error(&remarks.render(&ctx));
    }
    let bytes = match request.emit {
        Emit::Mlir => print_module(&ctx, &module, &PrintOptions::default()).into_bytes(),
        emit => {
            let (kernels, compiled) = compiled(&ctx, &module, &request, &file)?;
            let told = Reflection::new(&ctx, &module, &kernels, &compiled, &request.target);
            written(emit, &compiled, &told, request.extensions, &file)?
        }
    };
    input::write(request.output.as_deref(), &bytes)
}

fn parse(parser: &mut lexopt::Parser) -> Result<Option<Request>, Failure> {
    use lexopt::prelude::*;
    let mut request = Request {
        file: None,
        output: None,
        emit: Emit::Mlir,
        kernel: None,
        target: any_device(),
        params: None,
        extensions: Extensions::None,
        remarks: false,
        spaces: MemorySpaces::default(),
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
        match &name[..] {
            "portable" => request.target.profile = Profile::Portable,
            "remarks" => request.remarks = true,
            _ => request.set(&name, || args::text(parser.value()?))?,
        }
    }
    request.resolve()?;
    Ok(Some(request))
}

/// Ahead of time the device is not known: what it must have is in the module.
fn any_device() -> TargetEnv {
    let mut target = TargetEnv {
        float_controls: FloatControls::ALL,
        ..TargetEnv::default()
    };
    (target.features.f64, target.features.i64) = (true, true);
    target
}

impl Request {
    /// Sets an option that has a value.
    fn set(
        &mut self,
        name: &str,
        value: impl FnOnce() -> Result<String, Failure>,
    ) -> Result<(), Failure> {
        match name {
            "o" => self.output = Some(value()?),
            "kernel" => self.kernel = Some(value()?),
            "memory-spaces" => self.spaces = value()?.parse().map_err(Failure::Usage)?,
            "fp" => self.target.fp = args::fp(&value()?)?,
            "bounds" => self.target.bounds = args::bounds(&value()?)?,
            "index-width" => {
                let widths = [("32", IndexWidth::Bits32), ("64", IndexWidth::Bits64)];
                self.target.index_width = args::choice(name, &value()?, &widths)?;
            }
            "params" => {
                let classes = [
                    ("immediates", ParamsClass::Immediates),
                    ("uniform", ParamsClass::Uniform),
                ];
                self.params = Some(args::choice(name, &value()?, &classes)?);
            }
            "wgsl-extensions" => {
                let extensions = [("none", Extensions::None), ("naga", Extensions::Naga)];
                self.extensions = args::choice(name, &value()?, &extensions)?;
            }
            "emit" => {
                let emits = [
                    ("mlir", Emit::Mlir),
                    ("spirv", Emit::Spirv),
                    ("spirv-asm", Emit::SpirvAsm),
                    ("json", Emit::Json),
                    ("wgsl", Emit::Text(Language::Wgsl)),
                    ("msl", Emit::Text(Language::Msl)),
                    ("hlsl", Emit::Text(Language::Hlsl)),
                    ("glsl", Emit::Text(Language::Glsl)),
                ];
                self.emit = args::choice(name, &value()?, &emits)?;
            }
            _ => {
                return Err(Failure::Usage(format!(
                    "'compile' has no option '--{name}'"
                )));
            }
        }
        Ok(())
    }

    /// Resolves the options: refuses those that contradict each other, and sets the profile and
    /// parameter class that follow from the others.
    fn resolve(&mut self) -> Result<(), Failure> {
        let Emit::Text(language) = self.emit else {
            self.target.params = self.params.unwrap_or(self.target.params);
            return Ok(());
        };
        let language = language.name();
        if self.params == Some(ParamsClass::Immediates) {
            return Err(Failure::Usage(format!(
                "{language} has no immediates that every API takes: leave --params out, or say \
                 --params=uniform"
            )));
        }
        if self.target.fp == FpMode::Strict {
            return Err(Failure::Usage(format!(
                "{language} cannot promise strict floats, since it has no word against \
                 contraction: emit spirv, or say --fp=relaxed"
            )));
        }
        self.target.profile = Profile::Portable;
        self.target.params = ParamsClass::Uniform;
        Ok(())
    }
}

/// The kernels that were asked for, and one SPIR-V module of them.
fn compiled(
    ctx: &Context,
    module: &Module,
    request: &Request,
    file: &str,
) -> Result<(Vec<KernelId>, CompiledModule), Failure> {
    let all = spirv::kernels(ctx, module);
    let wrong = |message: String| Failure::Refused(format!("{file}: error: {message}\n"));
    if all.is_empty() {
        return Err(wrong(
            "no loop of this program was mapped to a kernel; --remarks says why".to_owned(),
        ));
    }
    let refused = |found: Diagnostics| Failure::Refused(found.render(ctx));
    let Some(wanted) = &request.kernel else {
        if request.emit == Emit::Text(Language::Glsl) && all.len() > 1 {
            return Err(Failure::Usage(format!(
                "GLSL has one entry point a file, and there are {} kernels: choose one with \
                 --kernel ({})",
                all.len(),
                some_of(ctx, &all)
            )));
        }
        let compiled = spirv::compile_all(ctx, module, &request.target).map_err(refused)?;
        return Ok((all, compiled));
    };
    let chosen: Vec<KernelId> = all
        .iter()
        .filter(|kernel| is_called(ctx, kernel, wanted))
        .copied()
        .collect();
    match chosen[..] {
        [KernelId { container, name }] => {
            let (container, name) = (ctx.str(container), ctx.str(name));
            let kernel = spirv::compile_kernel(ctx, module, container, name, &request.target)
                .map_err(refused)?;
            let compiled = CompiledModule {
                words: kernel.words,
                entries: vec![kernel.entry],
                required: kernel.required,
            };
            Ok((chosen, compiled))
        }
        [] => Err(wrong(format!(
            "there is no kernel '{wanted}'; there are {}",
            some_of(ctx, &all)
        ))),
        _ => Err(wrong(format!(
            "several kernels are called '{wanted}': say which as one of {}",
            some_of_paths(ctx, &chosen)
        ))),
    }
}

/// Whether a kernel is meant by `name` or `gpu_module::name`.
fn is_called(ctx: &Context, kernel: &KernelId, name: &str) -> bool {
    let own = ctx.str(kernel.name);
    match name.split_once("::") {
        Some((container, rest)) if rest == own => ctx.str(kernel.container) == container,
        _ => own == name,
    }
}

/// The most names that a message lists.
const LISTED: usize = 8;

/// The names of the first kernels, and how many more there are.
fn some_of(ctx: &Context, kernels: &[KernelId]) -> String {
    shortened(kernels, |kernel| ctx.str(kernel.name).to_owned())
}

/// As [`some_of`], with the names of their `gpu.module`s.
fn some_of_paths(ctx: &Context, kernels: &[KernelId]) -> String {
    shortened(kernels, |kernel| {
        format!("{}::{}", ctx.str(kernel.container), ctx.str(kernel.name))
    })
}

fn shortened(kernels: &[KernelId], name: impl Fn(&KernelId) -> String) -> String {
    let names: Vec<String> = kernels.iter().take(LISTED).map(name).collect();
    match kernels.len().saturating_sub(LISTED) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

/// The bytes of the output file. A shading language begins with comments that say what a launch
/// supplies.
fn written(
    emit: Emit,
    compiled: &CompiledModule,
    told: &Reflection,
    extensions: Extensions,
    file: &str,
) -> Result<Vec<u8>, Failure> {
    let refused = |message: String| Failure::Refused(format!("{file}: error: {message}\n"));
    let words = &compiled.words;
    match emit {
        Emit::Json => Ok(told.to_json().into_bytes()),
        Emit::SpirvAsm => match spirv::disassemble(words) {
            Ok(text) => Ok(text.into_bytes()),
            Err(error) => Err(refused(error.to_string())),
        },
        Emit::Text(language) => {
            match spirv::translate(words, &compiled.entries, language, extensions) {
                Ok(text) => Ok((told.to_comments("//") + &text).into_bytes()),
                Err(error) => Err(refused(error.to_string())),
            }
        }
        _ => Ok(words.iter().flat_map(|word| word.to_le_bytes()).collect()),
    }
}
