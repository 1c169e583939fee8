//! Passes that depend on SPIR-V and so are not in the registry of [`crate::codegen::pass`].

use gridloom_codegen::pass::{
    OptionError, Outcome, Pass, PassInfo, PassOptions, Pipeline, PipelineError, all_passes,
};
use gridloom_ir::{Context, Diagnostics, Module};
use gridloom_spirv::{FpMode, IndexWidth, TargetEnv, dialect};

use crate::target::CompileTarget;

/// Listing of a pass: name, summary, and option names.
pub type Listing = (&'static str, &'static str, &'static [&'static str]);

const CONVERT: Listing = (
    "convert-gpu-to-spirv",
    "kernels as a spirv.module beside each gpu.module",
    &["use-64bit-index", "strict-floats"],
);

/// Lists all passes, those of the registry first.
pub fn listings() -> impl Iterator<Item = Listing> {
    let registered = all_passes().map(|info: &PassInfo| (info.name, info.summary, info.options));
    registered.chain([CONVERT])
}

/// Whether this module defines a pass of that name.
pub fn makes(name: &str) -> bool {
    name == CONVERT.0
}

/// Appends a pass of this module to a pipeline.
///
/// # Errors
///
/// An option that the pass does not take.
pub fn add(pipeline: &mut Pipeline, name: &str, options: &PassOptions) -> Result<(), OptionError> {
    pipeline.push(name, made(name, options)?);
    Ok(())
}

/// Parses a pipeline with passes of the registry and of this module.
///
/// # Errors
///
/// Those of [`Pipeline::parse`].
pub fn pipeline(text: &str) -> Result<Pipeline, PipelineError> {
    Pipeline::parse_with(text, &|name, options| {
        makes(name).then(|| made(name, options))
    })
}

fn made(name: &str, options: &PassOptions) -> Result<Pass, OptionError> {
    options.expect_only(name, CONVERT.2)?;
    let is_wide = options.read("use-64bit-index", false)?;
    let is_strict = options.flag("strict-floats")?;
    let run = move |ctx: &Context, module: &mut Module| {
        let target = CompileTarget::of_module(ctx, module).map_err(|why| {
            let mut found = Diagnostics::new();
            found.push(*why);
            found
        })?;
        let target = target.unwrap_or_else(CompileTarget::any);
        let env = TargetEnv {
            fp: if is_strict {
                FpMode::Strict
            } else {
                FpMode::Relaxed
            },
            index_width: if is_wide {
                IndexWidth::Bits64
            } else {
                IndexWidth::Bits32
            },
            ..target.env
        };
        dialect::convert(ctx, module, &env).map(Outcome::changed)
    };
    Ok(Pass::Module(Box::new(run)))
}
