//! Command `gridloom compile`.

use gridloom::bench::work::work_of_nest;
use gridloom::binary::{embed, extract};
use gridloom::codegen::explain::schedules as schedules_of;
use gridloom::codegen::pass::offload::offload;
use gridloom::codegen::target::{OffloadOptions, OptLevel};
use gridloom::ir::bytecode::write_module;
use gridloom::ir::text::{PrintOptions, print_module};
use gridloom::layouts::apply_layouts_in_steps;
use gridloom::reflection::Reflection;
use gridloom::spirv::{
    self, Bounds, CompiledModule, Extensions, FpMode, IndexWidth, KernelId, Language, ParamsClass,
    Platform, Profile, TargetEnv,
};
use gridloom::target::{CompileTarget, DeviceProfile};
use gridloom::{Context, Diagnostics, Module, verify_mapped};
use gridloom_dialects::memory_space::MemorySpaces;

use super::{Failure, args, database, help, input, schedules};

/// Output form.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Emit {
    Binary,
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
    /// Whether MLIR is written as bytecode.
    bytecode: bool,
    kernel: Option<String>,
    /// The target, if the command line names one.
    target: Option<CompileTarget>,
    /// Whether instructions carry their source lines.
    lines: bool,
    /// Whether the module must pass naga, on every target.
    portable: bool,
    fp: FpMode,
    bounds: Bounds,
    index_width: IndexWidth,
    /// The storage class of parameters, if the command line names one.
    params: Option<ParamsClass>,
    extensions: Extensions,
    level: OptLevel,
    remarks: bool,
    /// Whether to print schedules.
    explain: bool,
    /// Whether to print schedules as JSON.
    json: bool,
    /// The tuning database, if the command line names one.
    database: Option<String>,
    /// The device whose database entries are used.
    tuned_for: Option<String>,
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
    let refused = |found: Diagnostics| Failure::Refused(found.render(&ctx));
    extract(&ctx, &mut module).map_err(refused)?;
    apply_layouts_in_steps(&ctx, &mut module).map_err(refused)?;
    let target = request.target_of(&ctx, &module)?;
    let request = request.within(&target)?;
    let env = request.environment(&target);
    let options = OffloadOptions {
        spaces: request.spaces.clone(),
        reassociate: request.fp == FpMode::Relaxed,
        verdicts: request.remarks,
        only_kernels: matches!(request.emit, Emit::Spirv | Emit::SpirvAsm),
        tuned: database::of_name(request.database.as_deref(), request.tuned_for.as_deref())?,
        ..target.offload_options()
    }
    .at_level(request.level);
    if request.explain {
        let found = schedules_of(&ctx, &module, &options, |body, root| {
            work_of_nest(&ctx, body, root, &[])
        });
        let entries = schedules::joined(&ctx, found.map_err(refused)?, Vec::new());
        // The module may go to standard output.
        input::print_error(&match request.json {
            true => schedules::json(&ctx, &entries),
            false => schedules::text(&ctx, &entries),
        });
    }
    let remarks = offload(&ctx, &mut module, &options).map_err(refused)?;
    if request.remarks {
        input::print_error(&remarks.render(&ctx));
    }
    // The emission of kernels checks what it needs of them.
    if matches!(request.emit, Emit::Mlir | Emit::Binary) {
        verify_mapped(&ctx, &module).map_err(refused)?;
    }
    let bytes = match request.emit {
        Emit::Mlir => request.module(&ctx, &module),
        Emit::Binary => {
            let warnings = embed(&ctx, &mut module, &env);
            input::print_error(&warnings.render(&ctx));
            request.module(&ctx, &module)
        }
        emit => {
            let (kernels, compiled) = compiled(&ctx, &module, &request, &env, &file)?;
            let reflection = || Reflection::new(&ctx, &module, &kernels, &compiled, &env);
            written(emit, &compiled, reflection, request.extensions, &file)?
        }
    };
    input::write(request.output.as_deref(), &bytes)
}

fn parse(parser: &mut lexopt::Parser) -> Result<Option<Request>, Failure> {
    let mut request = Request {
        file: None,
        output: None,
        emit: Emit::Binary,
        bytecode: false,
        kernel: None,
        target: None,
        lines: false,
        portable: false,
        fp: FpMode::Relaxed,
        bounds: Bounds::Guarded,
        index_width: IndexWidth::Bits32,
        params: None,
        extensions: Extensions::None,
        level: OptLevel::default(),
        remarks: false,
        explain: false,
        json: false,
        database: None,
        tuned_for: None,
        spaces: MemorySpaces::default(),
    };
    while let Some(name) = args::next_option(parser, &mut request.file, &['o', 'O'])? {
        match &name[..] {
            "help" => return Ok(None),
            "portable" => request.portable = true,
            "debuginfo" => request.lines = true,
            "emit-bytecode" => request.bytecode = true,
            "remarks" => request.remarks = true,
            "explain" => request.explain = true,
            "json" => request.json = true,
            _ => request.set(&name, || args::text(parser.value()?))?,
        }
    }
    if request.json && !request.explain {
        return Err(Failure::Usage("--json goes with --explain".to_owned()));
    }
    let names_schedules = request.database.is_some() || request.tuned_for.is_some();
    args::check_level(request.level, names_schedules)?;
    request.check()?;
    Ok(Some(request))
}

/// Parses a target: the name of a platform, or the file of a profile.
fn target(value: &str) -> Result<CompileTarget, Failure> {
    if let Some(platform) = Platform::named(value) {
        return Ok(CompileTarget::platform(platform));
    }
    let (name, text) = input::read(value).map_err(|_| {
        let names = Platform::ALL.map(Platform::name).join(", ");
        Failure::Usage(format!(
            "--target cannot be '{value}'; it takes {names}, or a file of 'gridloom devices --json'"
        ))
    })?;
    let profile = DeviceProfile::parse(&text);
    let profile = profile.map_err(|error| Failure::Refused(format!("{name}: error: it {error}\n")));
    Ok(profile?.target())
}

impl Request {
    /// Sets an option that takes a value.
    fn set(
        &mut self,
        name: &str,
        value: impl FnOnce() -> Result<String, Failure>,
    ) -> Result<(), Failure> {
        match name {
            "o" => self.output = Some(value()?),
            "O" => self.level = args::level(&value()?)?,
            "kernel" => self.kernel = Some(value()?),
            "database" => self.database = Some(value()?),
            "tuned-for" => self.tuned_for = Some(value()?),
            "memory-spaces" => self.spaces = value()?.parse().map_err(Failure::Usage)?,
            "target" => self.target = Some(target(&value()?)?),
            "fp" => self.fp = args::fp(&value()?)?,
            "bounds" => self.bounds = args::bounds(&value()?)?,
            "index-width" => {
                let widths = [("32", IndexWidth::Bits32), ("64", IndexWidth::Bits64)];
                self.index_width = args::choice(name, &value()?, &widths)?;
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
                    ("binary", Emit::Binary),
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
            _ => return Err(args::unknown_option("compile", name, help::COMPILE)),
        }
        Ok(())
    }

    /// Checks that options do not contradict each other.
    fn check(&self) -> Result<(), Failure> {
        let is_mlir = matches!(self.emit, Emit::Binary | Emit::Mlir);
        if self.bytecode && !is_mlir {
            let message = "--emit-bytecode goes with --emit=binary and --emit=mlir";
            return Err(Failure::Usage(message.to_owned()));
        }
        if self.kernel.is_some() && is_mlir {
            let message =
                "--kernel chooses one for SPIR-V, a shading language or json, not for MLIR";
            return Err(Failure::Usage(message.to_owned()));
        }
        let Emit::Text(language) = self.emit else {
            return Ok(());
        };
        let language = language.name();
        if self.params == Some(ParamsClass::Immediates) {
            return Err(Failure::Usage(format!(
                "{language} has no immediates that every API takes: leave --params out, or say \
                 --params=uniform"
            )));
        }
        if self.fp == FpMode::Strict {
            return Err(Failure::Usage(format!(
                "{language} cannot promise strict floats, since it cannot forbid contraction \
                 (fused multiply-add): emit spirv, or say --fp=relaxed"
            )));
        }
        Ok(())
    }

    /// The target of the command line, else the one that the module names, else any device that takes the output.
    fn target_of(&self, ctx: &Context, module: &Module) -> Result<CompileTarget, Failure> {
        if let Some(target) = &self.target {
            return Ok(target.clone());
        }
        let named = CompileTarget::of_module(ctx, module);
        let named = named.map_err(|found| Failure::Refused(found.render(ctx)));
        Ok(named?.unwrap_or_else(|| match self.emit {
            Emit::Text(language) => CompileTarget::language(language, self.extensions),
            _ => CompileTarget::any(),
        }))
    }

    /// Adds the shading language of the target to the request.
    fn within(mut self, target: &CompileTarget) -> Result<Self, Failure> {
        let (Emit::Text(asked), Some(name)) = (self.emit, &target.name) else {
            return Ok(self);
        };
        let taken = match (asked, target.language) {
            (Language::Glsl, Some(Language::Essl)) => Language::Essl,
            (asked, Some(taken)) if asked == taken => taken,
            (asked, taken) => {
                let takes = taken.map_or("SPIR-V", Language::name);
                let asked = asked.name();
                return Err(Failure::Usage(format!("{name} takes {takes}, not {asked}")));
            }
        };
        self.emit = Emit::Text(taken);
        Ok(self)
    }

    /// Serializes a module as MLIR text or bytecode.
    fn module(&self, ctx: &Context, module: &Module) -> Vec<u8> {
        match self.bytecode {
            true => write_module(ctx, module),
            false => print_module(ctx, module, &PrintOptions::default()).into_bytes(),
        }
    }

    /// The environment that kernels are compiled for.
    fn environment(&self, target: &CompileTarget) -> TargetEnv {
        let mut env = TargetEnv {
            fp: self.fp,
            bounds: self.bounds,
            index_width: self.index_width,
            lines: self.lines,
            ..target.env
        };
        if self.portable {
            env.profile = Profile::Portable;
        }
        if let Some(params) = self.params {
            env.params = params;
        }
        if matches!(self.emit, Emit::Text(_)) {
            (env.profile, env.params) = (Profile::Portable, ParamsClass::Uniform);
        }
        if env.profile == Profile::Portable {
            env.limits = env.limits.portable();
        }
        env
    }
}

/// Compiles the selected kernels to one SPIR-V module.
fn compiled(
    ctx: &Context,
    module: &Module,
    request: &Request,
    env: &TargetEnv,
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
        let one = [Language::Glsl, Language::Essl].map(Emit::Text);
        if one.contains(&request.emit) && all.len() > 1 {
            return Err(Failure::Usage(format!(
                "GLSL has one entry point a file, and there are {} kernels: choose one with \
                 --kernel ({})",
                all.len(),
                some_of(ctx, &all)
            )));
        }
        let compiled = spirv::compile_all(ctx, module, env).map_err(refused)?;
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
            let kernel =
                spirv::compile_kernel(ctx, module, container, name, env).map_err(refused)?;
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

/// Whether `name`, or `gpu_module::name`, selects a kernel.
fn is_called(ctx: &Context, kernel: &KernelId, name: &str) -> bool {
    let own = ctx.str(kernel.name);
    match name.split_once("::") {
        Some((container, rest)) if rest == own => ctx.str(kernel.container) == container,
        _ => own == name,
    }
}

/// Limit of the names that a message lists.
const LISTED: usize = 8;

/// Lists the names of the first kernels, and how many more there are.
fn some_of(ctx: &Context, kernels: &[KernelId]) -> String {
    shortened(kernels, |kernel| ctx.str(kernel.name).to_owned())
}

/// Like [`some_of`], with the names of their `gpu.module`s.
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

/// Adds comments at the head of a text, but after a first line `#version`.
fn commented(comments: &str, text: &str) -> String {
    let line = text.starts_with("#version").then(|| text.find('\n'));
    let (version, rest) = text.split_at(line.flatten().map_or(0, |end| end + 1));
    [version, comments, rest].concat()
}

/// The bytes of the output file. A shading language begins with comments on how to launch the
/// kernels.
fn written(
    emit: Emit,
    compiled: &CompiledModule,
    reflection: impl Fn() -> Reflection,
    extensions: Extensions,
    file: &str,
) -> Result<Vec<u8>, Failure> {
    let refused = |message: String| Failure::Refused(format!("{file}: error: {message}\n"));
    let words = &compiled.words;
    match emit {
        Emit::Json => Ok(reflection().to_json().into_bytes()),
        Emit::SpirvAsm => match spirv::disassemble(words) {
            Ok(text) => Ok(text.into_bytes()),
            Err(error) => Err(refused(error.to_string())),
        },
        Emit::Text(language) => {
            match spirv::translate(words, &compiled.entries, language, extensions) {
                Ok(text) => Ok(commented(&reflection().to_comments("//"), &text).into_bytes()),
                Err(error) => Err(refused(error.to_string())),
            }
        }
        _ => Ok(words.iter().flat_map(|word| word.to_le_bytes()).collect()),
    }
}
