//! `--offload`: the pipeline from an unannotated program to kernels.

use gridloom_ir::{Context, Diagnostics, Module};

use super::makers::remarked;
use super::stages::{passes_of_offload, passes_of_schedule};
use super::{Outcome, Pass, PassOptions, Pipeline};
use crate::offload::map_nests;
use crate::offload::short_loops::version_short_loops;
use crate::offload::straighten::straighten_threads;
use crate::target::{MatrixProduct, OffloadOptions};
use crate::transform::affine_array_expansion::expand_arrays;
use crate::transform::affine_atomic_updates::make_updates_atomic;
use crate::transform::affine_branch_to_select::select_of_branches;
use crate::transform::affine_collapse_dimensions::collapse_open_dimensions;
use crate::transform::affine_delinearize::delinearize;
use crate::transform::affine_expand_index_ops::expand_index_ops_as_affine;
use crate::transform::affine_fuse_kernels::{FusionPolicy, fuse_kernels};
use crate::transform::affine_imperfect_interchange::interchange_module;
use crate::transform::affine_loop_load_elimination::eliminate_loads;
use crate::transform::affine_loop_peel::{Gain, peel_module};
use crate::transform::affine_loop_wavefront::skew_module;
use crate::transform::affine_node_splitting::{MIN_TRIPS, split_nodes};
use crate::transform::affine_parallelize_arg_updates::parallelize_arg_updates;
use crate::transform::affine_parallelize_ranks::{MIN_SPAN, parallelize_ranks};
use crate::transform::affine_parallelize_reductions::parallelize_module;
use crate::transform::affine_parallelize_scans::parallelize_scans;
use crate::transform::affine_parallelize_scatters::{MIN_SCATTER_TRIPS, parallelize_scatters};
use crate::transform::affine_permute_updates::permute_updates;
use crate::transform::affine_persistent_workgroup::make_persistent;
use crate::transform::affine_privatize_updates::privatize_updates;
use crate::transform::affine_separate_prefix_sums::separate_prefix_sums;
use crate::transform::affine_separate_reductions::separate_reductions;
use crate::transform::affine_serial_kernels::make_serial_kernels;
use crate::transform::affine_serial_nests::make_serial_nests;
use crate::transform::affine_substitute_wraparounds::substitute_wraparounds;
use crate::transform::affine_unroll_windows::unroll_windows;
use crate::transform::affine_window_hull::hull_windows;
use crate::transform::coalesce_sorted_ranges::{MIN_ITERATIONS, coalesce_sorted};
use crate::transform::convert_parallel_loops_to_gpu::convert_parallel_loops;
use crate::transform::gpu_lower_dma::{DmaOptions, lower_dma};
use crate::transform::gpu_lower_mma::lower_mma;
use crate::transform::parallelize_inspected_loops::parallelize_inspected;
use crate::transform::parallelize_searches::{SearchOptions, parallelize_searches};
use crate::transform::parallelize_sorted_ranges::parallelize_sorted;
use crate::transform::parallelize_strided_loops::parallelize_strided;
use crate::transform::raise_to_affine::raise;
use crate::transform::split_custom_reductions::split_custom_reductions;

/// Offload as a pipeline of named passes, each of which leaves a valid program
/// that computes the same.
pub fn stages(options: &OffloadOptions) -> Pipeline {
    pipeline_of(&passes_of_offload(options.level), options)
}

/// The pipeline of offload up to the first pass of this name, without it.
pub(crate) fn stages_until(name: &str, options: &OffloadOptions) -> Pipeline {
    let passes = passes_of_offload(options.level);
    let count = passes.iter().position(|&pass| pass == name);
    pipeline_of(&passes[..count.unwrap_or(passes.len())], options)
}

/// The scheduling pipeline, which leaves affine loops, and `affine.parallel` for parallel ones.
pub(super) fn schedule_stages(options: &OffloadOptions) -> Pipeline {
    pipeline_of(&passes_of_schedule(options.level), options)
}

/// Builds a pipeline of named passes; passes of the offload policy get its options.
pub(crate) fn pipeline_of(names: &[&'static str], options: &OffloadOptions) -> Pipeline {
    let mut pipeline = Pipeline::new();
    let policy = || options.clone();
    for &name in names {
        let pass = match name {
            "affine-map-to-gpu" => map_pass(policy()),
            "gpu-lower-mma" => matrix_pass(options.products()),
            "gpu-lower-dma" => dma_pass(options),
            "affine-fuse-kernels" => nest_fusion_pass(policy(), FusionPolicy::Kernels),
            "affine-fuse-rows" => nest_fusion_pass(policy(), FusionPolicy::Rows),
            "affine-parallelize-reductions" => policy_pass(parallelize_module, policy()),
            "affine-delinearize" => policy_pass(delinearize, policy()),
            "affine-collapse-open-dimensions" => policy_pass(collapse_open_dimensions, policy()),
            "affine-loop-load-elimination" => policy_pass(eliminate_loads, policy()),
            "affine-substitute-wraparounds" => policy_pass(substitute_wraparounds, policy()),
            "affine-parallelize-scans" => policy_pass(parallelize_scans, policy()),
            "affine-parallelize-arg-updates" => policy_pass(parallelize_arg_updates, policy()),
            "affine-parallelize-ranks" => policy_pass_with(parallelize_ranks, policy(), MIN_SPAN),
            "affine-parallelize-scatters" => {
                policy_pass_with(parallelize_scatters, policy(), MIN_SCATTER_TRIPS)
            }
            "affine-separate-prefix-sums" => policy_pass(separate_prefix_sums, policy()),
            "affine-separate-reductions" => policy_pass(separate_reductions, policy()),
            "affine-privatize-updates" => policy_pass(privatize_updates, policy()),
            "affine-atomic-updates" => policy_pass(make_updates_atomic, policy()),
            "affine-loop-peel" => policy_pass_with(peel_module, policy(), Gain::Needed),
            "affine-node-splitting" => policy_pass_with(split_nodes, policy(), MIN_TRIPS),
            "affine-permute-updates" => policy_pass(permute_updates, policy()),
            "affine-serial-kernels" => policy_pass(make_serial_kernels, policy()),
            "affine-serial-nests" => policy_pass(make_serial_nests, policy()),
            "affine-persistent-workgroup" => policy_pass(make_persistent, policy()),
            "affine-branch-to-select" => policy_pass(select_of_branches, policy()),
            "affine-window-hull" => policy_pass(hull_windows, policy()),
            "affine-unroll-windows" => policy_pass(unroll_windows, policy()),
            "affine-version-short-loops" => policy_pass(version_short_loops, policy()),
            "affine-straighten-threads" => policy_pass(straighten_threads, policy()),
            "affine-imperfect-interchange" => policy_pass(interchange_module, policy()),
            "parallelize-sorted-ranges" => policy_pass(parallelize_sorted, policy()),
            "coalesce-sorted-ranges" => policy_pass_with(coalesce_sorted, policy(), MIN_ITERATIONS),
            "parallelize-strided-loops" => policy_pass(parallelize_strided, policy()),
            "parallelize-inspected-loops" => policy_pass(parallelize_inspected, policy()),
            "convert-parallel-loops-to-gpu" => parallel_loops_pass(policy()),
            "affine-expand-index-ops-as-affine" => expansion_pass(),
            "split-custom-reductions" => combiner_pass(policy()),
            "parallelize-searches" => search_pass(SearchOptions::of(options)),
            "raise-to-affine" => raising_pass(),
            "affine-array-expansion" => array_expansion_pass(policy()),
            "affine-loop-wavefront" => wavefront_pass(policy()),
            _ => {
                // Registered names without options never fail, as the check below ensures.
                drop(pipeline.add(name, &PassOptions::default()));
                continue;
            }
        };
        pipeline.push(name, pass);
    }
    pipeline
}

/// Offloads every function of a module. Returns remarks on loops that stay on the host, with the
/// reason.
///
/// # Errors
/// A `gpu.launch` of the program that cannot be outlined.
pub fn offload(
    ctx: &Context,
    module: &mut Module,
    options: &OffloadOptions,
) -> Result<Diagnostics, Diagnostics> {
    stages(options).run(ctx, module, &mut ())
}

/// Wraps a policy function, which returns whether it changed anything, as a pass.
pub(super) fn policy_pass(
    run: impl Fn(&Context, &mut Module, &OffloadOptions) -> bool + Send + Sync + 'static,
    options: OffloadOptions,
) -> Pass {
    Pass::Module(Box::new(move |ctx, module| {
        Ok(Outcome::changed(run(ctx, module, &options)))
    }))
}

/// Wraps a policy function that takes a value of its own, such as a limit, as a pass.
pub(super) fn policy_pass_with<T: Copy + Send + Sync + 'static>(
    run: fn(&Context, &mut Module, &OffloadOptions, T) -> bool,
    options: OffloadOptions,
    value: T,
) -> Pass {
    policy_pass(
        move |ctx, module, options| run(ctx, module, options, value),
        options,
    )
}

/// Wraps [`parallelize_searches`] as a pass.
pub(super) fn search_pass(options: SearchOptions) -> Pass {
    Pass::Module(Box::new(move |ctx, module| {
        Ok(Outcome::changed(parallelize_searches(ctx, module, options)))
    }))
}

/// Wraps [`fuse_kernels`] as a pass.
pub(super) fn nest_fusion_pass(options: OffloadOptions, policy: FusionPolicy) -> Pass {
    Pass::Module(Box::new(move |ctx, module| {
        Ok(remarked(fuse_kernels(ctx, module, &options, policy)))
    }))
}

/// Wraps [`expand_arrays`] as a pass.
pub(super) fn array_expansion_pass(options: OffloadOptions) -> Pass {
    Pass::Module(Box::new(move |ctx, module| {
        Ok(remarked(expand_arrays(ctx, module, &options)))
    }))
}

/// Wraps [`skew_module`] as a pass.
pub(super) fn wavefront_pass(options: OffloadOptions) -> Pass {
    Pass::Module(Box::new(move |ctx, module| {
        Ok(remarked(skew_module(ctx, module, &options)))
    }))
}

/// Wraps [`convert_parallel_loops`] as a pass.
pub(super) fn parallel_loops_pass(options: OffloadOptions) -> Pass {
    Pass::Module(Box::new(move |ctx, module| {
        let (changed, diagnostics) = convert_parallel_loops(ctx, module, &options);
        if diagnostics.has_errors() {
            return Err(diagnostics);
        }
        Ok(remarked((changed, diagnostics)))
    }))
}

/// Wraps [`map_nests`] as a pass.
pub(super) fn map_pass(options: OffloadOptions) -> Pass {
    Pass::Module(Box::new(move |ctx, module| {
        let diagnostics = map_nests(ctx, module, &options);
        if diagnostics.has_errors() {
            return Err(diagnostics);
        }
        Ok(Outcome {
            changed: true,
            diagnostics,
        })
    }))
}

/// Wraps [`expand_index_ops_as_affine`] as a pass without remarks: the next stage expands the
/// remaining operations to `arith`, and remarks on those that it cannot expand.
fn expansion_pass() -> Pass {
    Pass::Function(Box::new(|ctx, body, _| {
        let (changed, _) = expand_index_ops_as_affine(ctx, body);
        Ok(Outcome::changed(changed))
    }))
}

/// Wraps [`split_custom_reductions`] as a pass.
pub(super) fn combiner_pass(options: OffloadOptions) -> Pass {
    Pass::Function(Box::new(move |ctx, body, _| {
        let changed = split_custom_reductions(ctx, body, &options);
        Ok(Outcome::changed(changed))
    }))
}

/// Wraps [`raise`] as a pass: later stages map loops that stay in `scf` to kernels, and explain why
/// others run on the host.
fn raising_pass() -> Pass {
    Pass::Function(Box::new(|ctx, body, _| Ok(remarked(raise(ctx, body)))))
}

/// Wraps [`lower_mma`] as a pass.
pub(super) fn matrix_pass(products: Vec<MatrixProduct>) -> Pass {
    Pass::Module(Box::new(move |ctx, module| {
        Ok(remarked(lower_mma(ctx, module, &products)))
    }))
}

/// Wraps [`lower_dma`] as a pass.
pub(super) fn dma_pass(options: &OffloadOptions) -> Pass {
    let options = DmaOptions {
        spaces: options.spaces.clone(),
        split: options.splits_transfers,
    };
    Pass::Module(Box::new(move |ctx, module| {
        Ok(remarked(lower_dma(ctx, module, &options)))
    }))
}
