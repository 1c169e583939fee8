//! Passes over the accesses of `affine`, and over whole programs of it.

use super::{Made, PassInfo, SCHEDULE};
use crate::analysis::bounds::mark_in_range;
use crate::pass::Outcome;
use crate::pass::makers::{
    DATA_COPY_OPTIONS, VECTORIZE_OPTIONS, data_copy_pass, function_pass, module_pass,
    offload_options, remarked, remarking_pass, schedule_pass, vectorize_pass,
};
use crate::pass::offload::{
    array_expansion_pass, map_pass, nest_fusion_pass, policy_pass, policy_pass_with,
    schedule_stages,
};
use crate::transform::affine_atomic_updates::make_updates_atomic;
use crate::transform::affine_carry_selected_elements::carry_selected_elements;
use crate::transform::affine_collapse_dimensions::{collapse_dimensions, collapse_open_dimensions};
use crate::transform::affine_copy_propagation::propagate_copies;
use crate::transform::affine_delinearize::delinearize;
use crate::transform::affine_expand_index_ops::{expand_index_ops, expand_index_ops_as_affine};
use crate::transform::affine_fuse_kernels::FusionPolicy;
use crate::transform::affine_guard_bounds::guard_module;
use crate::transform::affine_guard_narrow_overflow::guard_narrow_overflow;
use crate::transform::affine_guard_overflow::guard_overflow;
use crate::transform::affine_if_conversion::convert_module;
use crate::transform::affine_narrow_updates::narrow_updates;
use crate::transform::affine_node_splitting::{MIN_TRIPS, split_nodes};
use crate::transform::affine_number_selections::number_selections;
use crate::transform::affine_parallel_to_for::proven_parallel_to_for;
use crate::transform::affine_parallelize::{ParallelizeOptions, parallelize_loops};
use crate::transform::affine_parallelize_arg_updates::parallelize_arg_updates;
use crate::transform::affine_parallelize_ranks::{MIN_SPAN, parallelize_ranks};
use crate::transform::affine_parallelize_reductions::parallelize_module;
use crate::transform::affine_parallelize_scans::parallelize_scans;
use crate::transform::affine_parallelize_scatters::{MIN_SCATTER_TRIPS, parallelize_scatters};
use crate::transform::affine_permute_updates::permute_updates;
use crate::transform::affine_persistent_workgroup::make_persistent;
use crate::transform::affine_pipeline_data_transfer::pipeline_transfers;
use crate::transform::affine_privatize::privatize_module;
use crate::transform::affine_privatize_updates::privatize_updates;
use crate::transform::affine_reduce_remainders::reduce_remainders;
use crate::transform::affine_scalar_demotion::demote_module;
use crate::transform::affine_scalrep::scalrep_module;
use crate::transform::affine_separate_prefix_sums::separate_prefix_sums;
use crate::transform::affine_separate_reductions::separate_reductions;
use crate::transform::affine_serial_kernels::make_serial_kernels;
use crate::transform::affine_serial_nests::make_serial_nests;
use crate::transform::affine_simplify_min_max::simplify_min_max;
use crate::transform::affine_simplify_structures::simplify_structures;
use crate::transform::affine_substitute_wraparounds::substitute_wraparounds;
use crate::transform::affine_unpipeline_data_transfer::unpipeline_transfers;
use crate::transform::fold_memref_alias_ops::{fold_affine_alias_ops, fold_tiles};

pub(super) const PASSES: &[PassInfo] = &[
    PassInfo {
        name: "affine-array-expansion",
        summary: "give each iteration a part of one array for a large temporary, in batches of iterations",
        options: &["target", "fp", "launch"],
        make: |options| Ok(Made::Pass(array_expansion_pass(offload_options(options)?))),
    },
    PassInfo {
        name: "affine-atomic-updates",
        summary: "make updates of data-dependent elements atomic where that makes a loop parallel",
        options: &["target", "fp"],
        make: |options| {
            Ok(Made::Pass(policy_pass(
                make_updates_atomic,
                offload_options(options)?,
            )))
        },
    },
    PassInfo {
        name: "affine-auto-schedule",
        summary: "find a schedule for affine loops: the scheduling stages of offload, without kernels",
        options: &["target", "fp", "max-threads", "launch"],
        make: |options| {
            let options = offload_options(options)?;
            Ok(Made::Pipeline(schedule_stages(&options)))
        },
    },
    PassInfo {
        name: "affine-carry-selected-elements",
        summary: "carry elements along with the index of an argmin or argmax, which becomes a reduction",
        options: &[],
        make: |_| {
            module_pass(|ctx, module| Ok(Outcome::changed(carry_selected_elements(ctx, module))))
        },
    },
    PassInfo {
        name: "affine-copy-propagation",
        summary: "access an array itself where a loop accesses its own copy of a part of it",
        options: &[],
        make: |_| module_pass(|ctx, module| Ok(Outcome::changed(propagate_copies(ctx, module)))),
    },
    PassInfo {
        name: "affine-data-copy-generate",
        summary: "copy what loops touch to buffers in fast memory and back",
        options: DATA_COPY_OPTIONS,
        make: data_copy_pass,
    },
    PassInfo {
        name: "affine-expand-index-ops",
        summary: "lower linearization and delinearization of indices to arith",
        options: &[],
        make: |_| Ok(remarking_pass(expand_index_ops)),
    },
    PassInfo {
        name: "affine-expand-index-ops-as-affine",
        summary: "lower linearization and delinearization of indices to affine.apply",
        options: &[],
        make: |_| Ok(remarking_pass(expand_index_ops_as_affine)),
    },
    PassInfo {
        name: "affine-fold-memref-alias-ops",
        summary: "fold views of memory into affine accesses",
        options: &[],
        make: |_| Ok(remarking_pass(fold_affine_alias_ops)),
    },
    PassInfo {
        name: "affine-fold-tiles",
        summary: "fold subviews and reinterpreting casts that loops make into affine accesses",
        options: &[],
        make: |_| function_pass(fold_tiles),
    },
    PassInfo {
        name: "affine-fuse-kernels",
        summary: "fuse consecutive nests that would become separate kernels",
        options: &["target", "max-threads"],
        make: |options| {
            let options = offload_options(options)?;
            Ok(Made::Pass(nest_fusion_pass(options, FusionPolicy::Kernels)))
        },
    },
    PassInfo {
        name: "affine-fuse-rows",
        summary: "fuse nests over the same rows, one of which reduces them",
        options: &["target", "fp", "max-threads"],
        make: |options| {
            let options = offload_options(options)?;
            Ok(Made::Pass(nest_fusion_pass(options, FusionPolicy::Rows)))
        },
    },
    PassInfo {
        name: "affine-guard-bounds",
        summary: "test before a nest that its accesses are in range, where that depends on sizes",
        options: &[],
        make: |_| module_pass(|ctx, module| Ok(Outcome::changed(guard_module(ctx, module)))),
    },
    PassInfo {
        name: "affine-guard-narrow-overflow",
        summary: "test before a nest that narrow integers in its subscripts do not wrap around, and raise it",
        options: &[],
        make: |_| function_pass(guard_narrow_overflow),
    },
    PassInfo {
        name: "affine-guard-overflow",
        summary: "test before a nest that its index arithmetic fits 64 bits, where that is not known",
        options: &[],
        make: |_| function_pass(guard_overflow),
    },
    PassInfo {
        name: "affine-map-to-gpu",
        summary: "map parallel loop nests to gpu.launch",
        options: &[
            "target",
            "fp",
            "max-threads",
            "tile",
            "spread",
            "chunk",
            "matrices",
        ],
        make: |options| Ok(Made::Pass(map_pass(offload_options(options)?))),
    },
    PassInfo {
        name: "affine-delinearize",
        summary: "give flat arrays the dimensions of their subscripts, in a version of the function",
        options: &[],
        make: |options| {
            Ok(Made::Pass(policy_pass(
                delinearize,
                offload_options(options)?,
            )))
        },
    },
    PassInfo {
        name: "affine-collapse-open-dimensions",
        summary: "join adjacent dimensions of sizes that the run finds to agree, in a version of the function",
        options: &[],
        make: |options| {
            Ok(Made::Pass(policy_pass(
                collapse_open_dimensions,
                offload_options(options)?,
            )))
        },
    },
    PassInfo {
        name: "affine-collapse-dimensions",
        summary: "join adjacent dimensions, and loops, that are always walked together",
        options: &[],
        make: |_| function_pass(collapse_dimensions),
    },
    PassInfo {
        name: "affine-if-conversion",
        summary: "convert conditional updates of a loop's element or carried value to arith.select",
        options: &[],
        make: |_| module_pass(|ctx, module| Ok(Outcome::changed(convert_module(ctx, module)))),
    },
    PassInfo {
        name: "affine-mark-inbounds",
        summary: "mark accesses that are proved in bounds",
        options: &[],
        make: |_| function_pass(mark_in_range),
    },
    PassInfo {
        name: "affine-reduce-remainders",
        summary: "compute remainders of dividends below a few times the divisor by subtraction",
        options: &[],
        make: |_| function_pass(reduce_remainders),
    },
    PassInfo {
        name: "affine-narrow-updates",
        summary: "compute what loops carry in narrow integers in their own type",
        options: &[],
        make: |_| function_pass(narrow_updates),
    },
    PassInfo {
        name: "affine-node-splitting",
        summary: "copy elements that a loop reads before it overwrites them",
        options: &["target", "min-trips"],
        make: |options| {
            let min_trips = options.read("min-trips", MIN_TRIPS)?;
            Ok(Made::Pass(policy_pass_with(
                split_nodes,
                offload_options(options)?,
                min_trips,
            )))
        },
    },
    PassInfo {
        name: "affine-number-selections",
        summary: "number what a loop takes from its first or last iteration under a condition, as argmin and argmax",
        options: &[],
        make: |_| module_pass(|ctx, module| Ok(Outcome::changed(number_selections(ctx, module)))),
    },
    PassInfo {
        name: "affine-parallel-to-for",
        summary: "turn affine.parallel that reduces, or is proved parallel, into loops",
        options: &[],
        make: |_| function_pass(proven_parallel_to_for),
    },
    PassInfo {
        name: "affine-parallelize",
        summary: "turn loops that are proved parallel into affine.parallel",
        options: &["max-nested", "parallel-reductions"],
        make: |options| {
            let chosen = ParallelizeOptions {
                max_nested: options.read("max-nested", usize::MAX)?,
                reductions: options.flag("parallel-reductions")?,
            };
            module_pass(move |ctx, module| Ok(remarked(parallelize_loops(ctx, module, chosen))))
        },
    },
    PassInfo {
        name: "affine-parallelize-arg-updates",
        summary: "parallelize minima and maxima at data-dependent elements, and the values stored beside them",
        options: &["target", "fp"],
        make: |options| {
            Ok(Made::Pass(policy_pass(
                parallelize_arg_updates,
                offload_options(options)?,
            )))
        },
    },
    PassInfo {
        name: "affine-parallelize-ranks",
        summary: "compute in parallel what counters of data-dependent keys are in each iteration",
        options: &["target", "min-span"],
        make: |options| {
            let min_span = options.read("min-span", MIN_SPAN)?;
            Ok(Made::Pass(policy_pass_with(
                parallelize_ranks,
                offload_options(options)?,
                min_span,
            )))
        },
    },
    PassInfo {
        name: "affine-parallelize-reductions",
        summary: "compute long reductions as private partial results in parallel",
        options: &["target", "fp", "max-threads"],
        make: |options| {
            Ok(Made::Pass(policy_pass(
                parallelize_module,
                offload_options(options)?,
            )))
        },
    },
    PassInfo {
        name: "affine-parallelize-scans",
        summary: "compute long scans (prefix sums) and linear recurrences in chunks in parallel",
        options: &["target", "fp", "max-threads"],
        make: |options| {
            Ok(Made::Pass(policy_pass(
                parallelize_scans,
                offload_options(options)?,
            )))
        },
    },
    PassInfo {
        name: "affine-parallelize-scatters",
        summary: "parallelize stores to elements that data chooses, by the last iteration that stores to each",
        options: &["target", "min-trips"],
        make: |options| {
            let min_trips = options.read("min-trips", MIN_SCATTER_TRIPS)?;
            Ok(Made::Pass(policy_pass_with(
                parallelize_scatters,
                offload_options(options)?,
                min_trips,
            )))
        },
    },
    PassInfo {
        name: "affine-permute-updates",
        summary: "give a nest that adds to elements a loop for each of these, or interchange it, so that loops are parallel",
        options: &["target", "fp"],
        make: |options| {
            Ok(Made::Pass(policy_pass(
                permute_updates,
                offload_options(options)?,
            )))
        },
    },
    PassInfo {
        name: "affine-persistent-workgroup",
        summary: "run a sequential loop around small parallel ones as one workgroup, with barriers between its steps",
        options: &["target", "fp", "launch", "max-threads"],
        make: |options| {
            Ok(Made::Pass(policy_pass(
                make_persistent,
                offload_options(options)?,
            )))
        },
    },
    PassInfo {
        name: "affine-pipeline-data-transfer",
        summary: "start transfers of a loop an iteration ahead, in a second buffer",
        options: &[],
        make: |_| module_pass(|ctx, module| Ok(remarked(pipeline_transfers(ctx, module)))),
    },
    PassInfo {
        name: "affine-privatize",
        summary: "give each iteration temporaries of its own",
        options: &[],
        make: |_| module_pass(|ctx, module| Ok(Outcome::changed(privatize_module(ctx, module)))),
    },
    PassInfo {
        name: "affine-privatize-updates",
        summary: "privatize arrays that are updated at data-dependent elements, such as histograms",
        options: &["target", "fp"],
        make: |options| {
            Ok(Made::Pass(policy_pass(
                privatize_updates,
                offload_options(options)?,
            )))
        },
    },
    PassInfo {
        name: "affine-scalar-demotion",
        summary: "collect sums in the elements they are stored in, not in a temporary",
        options: &[],
        make: |_| module_pass(|ctx, module| Ok(Outcome::changed(demote_module(ctx, module)))),
    },
    PassInfo {
        name: "affine-scalrep",
        summary: "scalar replacement: forward stores to loads, carry elements in loop values",
        options: &[],
        make: |_| module_pass(|ctx, module| Ok(Outcome::changed(scalrep_module(ctx, module)))),
    },
    PassInfo {
        name: SCHEDULE,
        summary: "apply the steps of a schedule to the loops that it names",
        options: &["steps", "file", "origin"],
        make: schedule_pass,
    },
    PassInfo {
        name: "affine-separate-prefix-sums",
        summary: "separate prefix sums over two loops into sums along rows, then along columns",
        options: &["target", "fp"],
        make: |options| {
            Ok(Made::Pass(policy_pass(
                separate_prefix_sums,
                offload_options(options)?,
            )))
        },
    },
    PassInfo {
        name: "affine-separate-reductions",
        summary: "part reductions from recurrences, which then run as wavefronts",
        options: &["target", "fp", "launch"],
        make: |options| {
            Ok(Made::Pass(policy_pass(
                separate_reductions,
                offload_options(options)?,
            )))
        },
    },
    PassInfo {
        name: "affine-serial-kernels",
        summary: "move scalar statements of a host loop, between its kernels, into kernels of one thread",
        options: &["target", "fp"],
        make: |options| {
            Ok(Made::Pass(policy_pass(
                make_serial_kernels,
                offload_options(options)?,
            )))
        },
    },
    PassInfo {
        name: "affine-serial-nests",
        summary: "give long loop nests that are no kernels to one thread of drivers that run kernels on the CPU",
        options: &["target", "fp", "least-serial"],
        make: |options| {
            Ok(Made::Pass(policy_pass(
                make_serial_nests,
                offload_options(options)?,
            )))
        },
    },
    PassInfo {
        name: "affine-simplify-min-max",
        summary: "drop results of affine.min, affine.max and loop bounds that never decide the value",
        options: &[],
        make: |_| function_pass(simplify_min_max),
    },
    PassInfo {
        name: "affine-simplify-structures",
        summary: "simplify affine maps and conditions by the loops around them",
        options: &[],
        make: |_| function_pass(simplify_structures),
    },
    PassInfo {
        name: "affine-substitute-wraparounds",
        summary: "compute what a loop carries from one iteration to the next from the counter of the former",
        options: &["target"],
        make: |options| {
            Ok(Made::Pass(policy_pass(
                substitute_wraparounds,
                offload_options(options)?,
            )))
        },
    },
    PassInfo {
        name: "affine-super-vectorize",
        summary: "turn iterations of loops into lanes of vectors",
        options: VECTORIZE_OPTIONS,
        make: vectorize_pass,
    },
    PassInfo {
        name: "affine-unpipeline-data-transfer",
        summary: "start transfers in the iteration that waits for them",
        options: &[],
        make: |_| function_pass(unpipeline_transfers),
    },
];
