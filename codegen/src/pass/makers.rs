//! Pass factories: build the registry's passes from their options.

use gridloom_ir::{Body, Context, Diagnostic, Diagnostics, Loc, Module};

use super::options::{OptionError, PassOptions};
use super::registry::Made;
use super::{Outcome, Pass, PassResult};
use crate::analysis::globals::ConstantGlobals;
use crate::target::{OffloadOptions, Target};
use crate::transform::affine_data_copy_generate::{DataCopyOptions, copy_data_module};
use crate::transform::affine_loop_fusion::{FusionOptions, fuse_module};
use crate::transform::affine_loop_tile::{DEFAULT_SIZE, TileSizes, tile_module};
use crate::transform::affine_loop_unimodular::{read_schedule, transform_module};
use crate::transform::affine_loop_unroll::{UnrollOptions, unroll};
use crate::transform::affine_schedule::replay::replay;
use crate::transform::affine_schedule::text::ScheduleText;
use crate::transform::affine_super_vectorize::{VectorizeOptions, vectorize_module};
use crate::transform::canonicalize::canonicalize;
use crate::transform::lower_vectors::{Scope, lower_vectors};
use crate::transform::specialize_function::specialize_to_numbers;
use crate::transform::unroll_table_loops::unroll_table_loops;

/// Wraps a function pass that takes no options and cannot fail.
pub(super) fn function_pass(run: fn(&Context, &mut Body) -> bool) -> Result<Made, OptionError> {
    let run = move |ctx: &Context, body: &mut Body, _: &ConstantGlobals| {
        let changed = run(ctx, body);
        Ok(Outcome::changed(changed))
    };
    Ok(Made::Pass(Pass::Function(Box::new(run))))
}

/// Wraps a function pass that takes no options and returns remarks.
pub(super) fn remarking_pass(run: fn(&Context, &mut Body) -> (bool, Diagnostics)) -> Made {
    let run =
        move |ctx: &Context, body: &mut Body, _: &ConstantGlobals| Ok(remarked(run(ctx, body)));
    Made::Pass(Pass::Function(Box::new(run)))
}

pub(super) fn lower_vectors_pass(options: &PassOptions) -> Result<Made, OptionError> {
    let scope = match options.get("scope") {
        None | Some("device") => Scope::Device,
        Some("host") => Scope::Host,
        Some(other) => {
            let message = format!("option 'scope' cannot be '{other}'; it is device or host");
            return Err(OptionError::new(message));
        }
    };
    let run = move |ctx: &Context, body: &mut Body, _: &ConstantGlobals| {
        Ok(Outcome::changed(lower_vectors(ctx, body, scope)))
    };
    Ok(Made::Pass(Pass::Function(Box::new(run))))
}

/// The options of MLIR's pass: limits and orders of a search that ends here where nothing changes any more, so that any
/// number will do.
///
/// # Errors
/// An option asks for less than the pass does.
pub(super) fn canonicalize_pass(options: &PassOptions) -> Result<Made, OptionError> {
    for name in ["max-iterations", "max-num-rewrites"] {
        let _: i64 = options.read(name, -1)?;
    }
    for name in ["test-convergence", "top-down"] {
        options.flag(name)?;
    }
    match options.get("region-simplify") {
        None | Some("normal" | "aggressive") => {}
        Some(other) => {
            let message = format!(
                "option 'region-simplify' cannot be '{other}'; blocks are always simplified, as by normal or aggressive"
            );
            return Err(OptionError::new(message));
        }
    }
    let run = |ctx: &Context, body: &mut Body, globals: &ConstantGlobals| {
        let changed = canonicalize(ctx, body, globals);
        Ok(Outcome::changed(changed))
    };
    Ok(Made::Pass(Pass::Function(Box::new(run))))
}

/// Checks the options of MLIR's inliner: those that its pipelines are printed with.
///
/// # Errors
/// An option asks for other calls than all, or for other passes in between.
pub(super) fn check_inline_options(options: &PassOptions) -> Result<(), OptionError> {
    let _: u32 = options.read("max-iterations", 4)?;
    if options.read("inlining-threshold", u32::MAX)? != u32::MAX {
        let message = "option 'inlining-threshold' can only be 4294967295: every call is inlined";
        return Err(OptionError::new(message));
    }
    match options.get("default-pipeline") {
        None | Some("" | "canonicalize") => Ok(()),
        Some(_) => Err(OptionError::new(
            "option 'default-pipeline' can only be canonicalize; other passes stand in the pipeline itself",
        )),
    }
}

pub(super) fn table_pass() -> Made {
    let run = |ctx: &Context, body: &mut Body, globals: &ConstantGlobals| {
        Ok(Outcome::changed(unroll_table_loops(ctx, body, globals)))
    };
    Made::Pass(Pass::Function(Box::new(run)))
}

pub(super) fn module_pass(
    run: impl Fn(&Context, &mut Module) -> PassResult + Send + Sync + 'static,
) -> Result<Made, OptionError> {
    Ok(Made::Pass(Pass::Module(Box::new(run))))
}

pub(super) fn offload_options(options: &PassOptions) -> Result<OffloadOptions, OptionError> {
    let mut chosen = match options.get("target") {
        None | Some("gpu") => OffloadOptions::gpu(),
        Some("cpu") => OffloadOptions::cpu_driver(),
        Some("gathering-cpu") => OffloadOptions::gathering_cpu_driver(),
        Some("slow-gathering-cpu") => OffloadOptions::slow_gathering_cpu_driver(),
        Some(other) => {
            let message = format!(
                "option 'target' cannot be '{other}'; it is gpu, cpu, gathering-cpu or slow-gathering-cpu"
            );
            return Err(OptionError::new(message));
        }
    };
    if let Some(text) = options.get("opt-level") {
        chosen = chosen.at_level(text.parse().map_err(OptionError::new)?);
    }
    chosen.reassociate = match options.get("fp") {
        None | Some("relaxed") => true,
        Some("strict") => false,
        Some(other) => {
            let message = format!("option 'fp' cannot be '{other}'; it is strict or relaxed");
            return Err(OptionError::new(message));
        }
    };
    chosen.max_threads = options
        .read("max-threads", chosen.max_threads)?
        .clamp(1, 1024);
    if let Some(text) = options.get("tile") {
        chosen.tiling = text.parse().map_err(OptionError::new)?;
    }
    if options.get("chunk").is_some() {
        chosen.chunk = Some(options.read("chunk", 16)?.clamp(1, 64));
    }
    if options.flag("matrices")? {
        chosen.target = Some(Target::with_matrices());
    }
    let launch = options.read("launch", chosen.launch_cost.launch)?;
    chosen.launch_cost.launch = launch.clamp(0, 1 << 32);
    if options.get("least-serial").is_some() {
        chosen.serial_least = Some(options.read("least-serial", 0)?);
    }
    if options.get("spread").is_some() {
        chosen.is_spread = options.flag("spread")?;
    }
    Ok(chosen)
}

pub(super) fn tile_pass(options: &PassOptions) -> Result<Made, OptionError> {
    let in_range = |size: i64| (1..=MAX_TILE).contains(&size);
    let refused = |text: &str| {
        OptionError::new(format!(
            "a tile size cannot be '{text}'; it takes from 1 to {MAX_TILE} iterations of a loop"
        ))
    };
    let sizes = match (options.get("tile-size"), options.get("tile-sizes")) {
        (Some(text), _) => {
            let size = text.parse().ok().filter(|&size| in_range(size));
            TileSizes::All(size.ok_or_else(|| refused(text))?)
        }
        (None, Some(text)) => {
            let sizes: Option<Vec<i64>> = (text.split(','))
                .map(|part| part.trim().parse().ok().filter(|&size| in_range(size)))
                .collect();
            TileSizes::Each(sizes.ok_or_else(|| refused(text))?)
        }
        (None, None) if options.get("cache-size").is_some() => {
            let size = options.read("cache-size", 512u32)?;
            TileSizes::Cache(i64::from(size) << 10)
        }
        (None, None) => TileSizes::All(DEFAULT_SIZE),
    };
    let separates = options.flag("separate")?;
    if separates && matches!(sizes, TileSizes::Cache(_)) {
        let message = "option 'separate' needs 'tile-size' or 'tile-sizes'";
        return Err(OptionError::new(message.to_owned()));
    }
    module_pass(move |ctx, module| Ok(remarked(tile_module(ctx, module, &sizes, separates))))
}

/// Limit of a tile size, in iterations.
const MAX_TILE: i64 = 1 << 20;

pub(super) fn unroll_pass(options: &PassOptions) -> Result<Made, OptionError> {
    // A factor of -1 unrolls loops completely.
    let is_full = options.get("unroll-factor") == Some("-1");
    let chosen = UnrollOptions {
        factor: match is_full {
            true => 1,
            false => options.read("unroll-factor", 4)?,
        },
        full_threshold: match is_full {
            true => u64::MAX,
            false => options.read("unroll-full-threshold", 0)?,
        },
        up_to_factor: options.flag("unroll-up-to-factor")?,
        cleanup: options.flag("cleanup-unroll")?,
    };
    let times = options.read("unroll-num-reps", 1u32)?;
    let run = move |ctx: &Context, body: &mut Body, _: &ConstantGlobals| {
        // Stops once no loop is left to unroll.
        let changes = (0..times).map(|_| unroll(ctx, body, chosen));
        let count = changes.take_while(|&changed| changed).count();
        Ok(Outcome::changed(count > 0))
    };
    Ok(Made::Pass(Pass::Function(Box::new(run))))
}

pub(super) fn unimodular_pass(options: &PassOptions) -> Result<Made, OptionError> {
    let matrix = options.get("matrix").unwrap_or("1,1;1,0");
    let schedule = read_schedule(matrix, options.get("shift")).map_err(OptionError::new)?;
    module_pass(move |ctx, module| Ok(remarked(transform_module(ctx, module, &schedule))))
}

/// Builds `affine-schedule` from the schedule text in option `steps`.
pub(super) fn schedule_pass(options: &PassOptions) -> Result<Made, OptionError> {
    if let Some(file) = options.get("file") {
        return Err(OptionError::new(format!(
            "only the option '--affine-schedule' of the command line reads a schedule from the \
             file '{file}'; in a pipeline, write its steps here"
        )));
    }
    let origin = options.get("origin").unwrap_or("schedule");
    let steps = options.get("steps").unwrap_or_default();
    let schedule = ScheduleText::parse(origin, steps);
    let schedule = schedule.map_err(|error| OptionError::new(error.to_string()))?;
    module_pass(move |ctx, module| replay(ctx, module, &schedule).map(Outcome::changed))
}

pub(super) fn fusion_pass(options: &PassOptions) -> Result<Made, OptionError> {
    let (producers, siblings) = match options.get("mode") {
        None | Some("greedy") => (true, true),
        Some("producer") => (true, false),
        Some("sibling") => (false, true),
        Some(other) => {
            let message =
                format!("option 'mode' cannot be '{other}'; it is greedy, producer or sibling");
            return Err(OptionError::new(message));
        }
    };
    // Fusion here never computes anything twice, so any tolerance is accepted.
    let tolerance: f64 = options.read("compute-tolerance", 0.3)?;
    if tolerance.is_nan() || tolerance < 0.0 {
        let message = "option 'compute-tolerance' takes a fraction of at least 0, such as 0.3";
        return Err(OptionError::new(message.to_owned()));
    }
    let _: u64 = options.read("local-buf-threshold", 0)?;
    let _: u32 = options.read("fast-mem-space", 0)?;
    let buffers = ["fast-mem-space", "local-buf-threshold"];
    let unused = buffers
        .into_iter()
        .filter(|&name| options.get(name).is_some());
    let unused: Vec<&str> = unused.collect();
    let chosen = FusionOptions {
        producers,
        siblings,
        maximal: options.flag("maximal")? || options.read("fusion-maximal", false)?,
    };
    module_pass(move |ctx, module| {
        let (changed, mut remarks) = fuse_module(ctx, module, chosen);
        for name in &unused {
            let message = format!(
                "'{name}' changes nothing: fusion makes no buffers; affine-data-copy-generate does"
            );
            remarks.push(Diagnostic::remark(Loc::UNKNOWN, message));
        }
        Ok(remarked((changed, remarks)))
    })
}

/// Options of `affine-data-copy-generate`.
pub(super) const DATA_COPY_OPTIONS: &[&str] = &[
    "fast-mem-capacity",
    "fast-mem-space",
    "generate-dma",
    "min-dma-transfer",
    "skip-non-unit-stride-loops",
    "slow-mem-space",
    "tag-mem-space",
];

pub(super) fn data_copy_pass(options: &PassOptions) -> Result<Made, OptionError> {
    let space = |name, default: u32| options.read(name, default).map(i64::from);
    let capacity = match options.get("fast-mem-capacity") {
        None => None,
        // The option is in KiB.
        Some(_) => Some(
            options
                .read("fast-mem-capacity", 0u64)?
                .saturating_mul(1024),
        ),
    };
    let chosen = DataCopyOptions {
        capacity,
        fast_space: space("fast-mem-space", 1)?,
        slow_space: space("slow-mem-space", 0)?,
        tag_space: space("tag-mem-space", 0)?,
        dma: options.flag("generate-dma")?,
        min_transfer: options.read("min-dma-transfer", 0)?,
        skip_strided: options.flag("skip-non-unit-stride-loops")?,
    };
    module_pass(move |ctx, module| Ok(remarked(copy_data_module(ctx, module, chosen))))
}

/// Options of `affine-super-vectorize`.
pub(super) const VECTORIZE_OPTIONS: &[&str] = &[
    "virtual-vector-size",
    "test-fastest-varying",
    "vectorize-reductions",
];

pub(super) fn vectorize_pass(options: &PassOptions) -> Result<Made, OptionError> {
    let numbers = |name: &str, range: std::ops::RangeInclusive<i64>| {
        let Some(text) = options.get(name) else {
            return Ok(None);
        };
        let numbers: Option<Vec<i64>> = (text.split(','))
            .map(|part| {
                part.trim()
                    .parse()
                    .ok()
                    .filter(|number| range.contains(number))
            })
            .collect();
        numbers.map(Some).ok_or_else(|| {
            let (least, most) = (range.start(), range.end());
            let message = format!(
                "option '{name}' cannot be '{text}'; it takes a list of numbers from {least} to \
                 {most}"
            );
            OptionError::new(message)
        })
    };
    let chosen = VectorizeOptions {
        sizes: numbers("virtual-vector-size", 1..=MAX_LANES)?.unwrap_or_else(|| vec![128]),
        varying: numbers("test-fastest-varying", 0..=16)?,
        reductions: options.flag("vectorize-reductions")?,
    };
    let lanes = chosen
        .sizes
        .iter()
        .try_fold(1i64, |all, &size| all.checked_mul(size));
    if lanes.is_none_or(|lanes| lanes > MAX_LANES) {
        let message = format!("a vector cannot have more than {MAX_LANES} lanes");
        return Err(OptionError::new(message));
    }
    module_pass(move |ctx, module| Ok(remarked(vectorize_module(ctx, module, &chosen))))
}

/// Limit of the lanes of a vector.
const MAX_LANES: i64 = 1 << 12;

pub(super) fn specialize_pass(options: &PassOptions) -> Result<Made, OptionError> {
    let Some(function) = options.get("function") else {
        // An empty schedule changes nothing.
        return module_pass(|_, _| Ok(Outcome::changed(false)));
    };
    let function = function.strip_prefix('@').unwrap_or(function).to_owned();
    let text = options.get("arguments").unwrap_or_default();
    let argument = |word: &str| match word.trim() {
        "_" => Ok(None),
        word => {
            let numbers: Result<Vec<i64>, _> = word.split('x').map(str::parse).collect();
            numbers.map(Some).map_err(|_| {
                OptionError::new(format!(
                    "option 'arguments' cannot be '{text}'; for each argument it takes sizes \
                     such as 3x4, a number, or _ where neither is known, separated by commas"
                ))
            })
        }
    };
    let arguments: Vec<Option<Vec<i64>>> = text
        .split_terminator(',')
        .map(argument)
        .collect::<Result<_, _>>()?;
    module_pass(move |ctx, module| {
        specialize_to_numbers(ctx, module, &function, &arguments).map(Outcome::changed)
    })
}

pub(super) fn remarked((changed, diagnostics): (bool, Diagnostics)) -> Outcome {
    Outcome {
        changed,
        diagnostics,
    }
}
