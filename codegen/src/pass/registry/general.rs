//! Passes over other dialects, or over all.

use super::{Made, PassInfo};
use crate::pass::Outcome;
use crate::pass::makers::{
    canonicalize_pass, check_inline_options, function_pass, lower_vectors_pass, module_pass,
    offload_options, remarked, remarking_pass, specialize_pass, table_pass,
};
use crate::pass::offload::{
    combiner_pass, dma_pass, matrix_pass, parallel_loops_pass, policy_pass, policy_pass_with,
    search_pass, stages,
};
use crate::transform::affine_branch_to_select::select_of_branches;
use crate::transform::arith_emulate_wide_int::emulate_wide_integers;
use crate::transform::async_execute_in_order::execute_in_order;
use crate::transform::coalesce_sorted_ranges::{MIN_ITERATIONS, coalesce_sorted};
use crate::transform::convert_bufferization_to_memref::convert_bufferization;
use crate::transform::convert_complex_to_standard::convert_complex;
use crate::transform::convert_index_to_arith::convert_index;
use crate::transform::convert_libm_to_math::convert_libm;
use crate::transform::convert_llvm_intrinsics_to_math::convert_llvm_intrinsics;
use crate::transform::cse::cse;
use crate::transform::dispatch_memref_choices::dispatch_choices;
use crate::transform::drop_hints::drop_hints;
use crate::transform::drop_host_spaces::drop_host_spaces;
use crate::transform::expand_float_casts::expand_float_casts;
use crate::transform::fold_memref_alias_ops::fold_alias_ops;
use crate::transform::gpu_expand_launches::expand_launches;
use crate::transform::gpu_kernel_outlining::outline_kernels;
use crate::transform::gpu_lower_groups::lower_groups;
use crate::transform::gpu_serialize_loops::serialize_loops;
use crate::transform::gpu_uniform_loads::share_loads_of_kernels;
use crate::transform::guard_while_steps::guard_while_steps;
use crate::transform::hoist_invariant_loads::hoist_invariant_loads;
use crate::transform::hoist_recurrences::hoist_recurrences;
use crate::transform::inline::inline;
use crate::transform::inline_alloca_scopes::inline_alloca_scopes;
use crate::transform::int_range_optimizations::optimize_in_ranges;
use crate::transform::lift_cf_to_scf::lift_cf_to_scf;
use crate::transform::loop_invariant_code_motion::hoist_invariants;
use crate::transform::lower_affine::lower_affine;
use crate::transform::lower_aggregates::lower_aggregates;
use crate::transform::lower_memref_copies::lower_copies;
use crate::transform::lower_memref_dma::lower_dma_of_tiles;
use crate::transform::lower_scalable_vectors::lower_scalable_vectors;
use crate::transform::lower_vector_elements::lower_vector_elements;
use crate::transform::mark_constant_globals::mark_constant_globals;
use crate::transform::mem2reg::promote_variables;
use crate::transform::merge_adjacent_accesses::merge_in_module;
use crate::transform::normalize_memrefs::normalize_memrefs;
use crate::transform::outline_affine_scopes::outline_scopes;
use crate::transform::parallelize_inspected_loops::parallelize_inspected;
use crate::transform::parallelize_searches::SearchOptions;
use crate::transform::parallelize_sorted_ranges::parallelize_sorted;
use crate::transform::parallelize_strided_loops::parallelize_strided;
use crate::transform::raise_to_affine::raise_to_affine;
use crate::transform::resolve_strided_metadata::resolve_metadata;
use crate::transform::sccp::sccp;
use crate::transform::symbol_dce::remove_unused_functions;

pub(super) const PASSES: &[PassInfo] = &[
    PassInfo {
        name: "affine-branch-to-select",
        summary: "compute both arms of short branches without effects, and select",
        options: &["target"],
        make: |options| {
            Ok(Made::Pass(policy_pass(
                select_of_branches,
                offload_options(options)?,
            )))
        },
    },
    PassInfo {
        name: "arith-emulate-wide-int",
        summary: "lower integers of 65 to 128 bits to two of 64, in memory and everywhere else",
        options: &[],
        make: |_| {
            module_pass(|ctx, module| emulate_wide_integers(ctx, module).map(Outcome::changed))
        },
    },
    PassInfo {
        name: "async-execute-in-order",
        summary: "run the regions of async.execute in the order of the program",
        options: &[],
        make: |_| module_pass(|ctx, module| Ok(Outcome::changed(execute_in_order(ctx, module)))),
    },
    PassInfo {
        name: "canonicalize",
        summary: "fold, erase dead code, bring operations into canonical form",
        options: &[
            "max-iterations",
            "max-num-rewrites",
            "region-simplify",
            "test-convergence",
            "top-down",
        ],
        make: canonicalize_pass,
    },
    PassInfo {
        name: "coalesce-sorted-ranges",
        summary: "make one loop of a loop over sorted ranges and the loop over each, where that can be parallelized",
        options: &["target", "fp", "min-iterations"],
        make: |options| {
            let least = options.read("min-iterations", MIN_ITERATIONS)?;
            Ok(Made::Pass(policy_pass_with(
                coalesce_sorted,
                offload_options(options)?,
                least,
            )))
        },
    },
    PassInfo {
        name: "convert-bufferization-to-memref",
        summary: "turn clones of memrefs into allocations and copies, deallocations into conditional frees",
        options: &[],
        make: |_| function_pass(convert_bufferization),
    },
    PassInfo {
        name: "convert-complex-to-standard",
        summary: "lower complex numbers to their two parts, in memory and everywhere else",
        options: &[],
        make: |_| module_pass(|ctx, module| convert_complex(ctx, module).map(Outcome::changed)),
    },
    PassInfo {
        name: "convert-index-to-arith",
        summary: "convert index operations to arith on index",
        options: &[],
        make: |_| function_pass(convert_index),
    },
    PassInfo {
        name: "convert-libm-to-math",
        summary: "rewrite calls of C's mathematical functions as operations",
        options: &[],
        make: |_| module_pass(|ctx, module| Ok(Outcome::changed(convert_libm(ctx, module)))),
    },
    PassInfo {
        name: "convert-llvm-intrinsics-to-math",
        summary: "rewrite intrinsics of LLVM as operations of math and arith",
        options: &[],
        make: |_| function_pass(convert_llvm_intrinsics),
    },
    PassInfo {
        name: "convert-parallel-loops-to-gpu",
        summary: "map parallel loops of scf to gpu.launch, an iteration a thread",
        options: &["target", "max-threads"],
        make: |options| Ok(Made::Pass(parallel_loops_pass(offload_options(options)?))),
    },
    PassInfo {
        name: "cse",
        summary: "eliminate common subexpressions",
        options: &[],
        make: |_| function_pass(cse),
    },
    PassInfo {
        name: "dispatch-memref-choices",
        summary: "make a choice between memrefs one between accesses",
        options: &[],
        make: |_| function_pass(dispatch_choices),
    },
    PassInfo {
        name: "drop-hints",
        summary: "remove prefetches and assumptions of alignment",
        options: &[],
        make: |_| function_pass(|_, body| drop_hints(body)),
    },
    PassInfo {
        name: "drop-host-spaces",
        summary: "give buffers of the host in workgroup memory the default memory space",
        options: &[],
        make: |_| function_pass(drop_host_spaces),
    },
    PassInfo {
        name: "expand-float-casts",
        summary: "lower conversions of floats that scale, or round by another mode than to the nearest even",
        options: &[],
        make: |_| function_pass(expand_float_casts),
    },
    PassInfo {
        name: "fold-memref-alias-ops",
        summary: "fold views of memory into accesses",
        options: &[],
        make: |_| Ok(remarking_pass(fold_alias_ops)),
    },
    PassInfo {
        name: "gpu-expand-launches",
        summary: "lower clusters, dynamic workgroup memory, launch tokens and globals of kernels to simpler constructs",
        options: &[],
        make: |_| module_pass(|ctx, module| Ok(Outcome::changed(expand_launches(ctx, module)))),
    },
    PassInfo {
        name: "gpu-kernel-outlining",
        summary: "move the bodies of gpu.launch into kernels of a gpu.module",
        options: &[],
        make: |_| module_pass(|ctx, module| outline_kernels(ctx, module).map(Outcome::changed)),
    },
    PassInfo {
        name: "gpu-lower-dma",
        summary: "lower transfers in kernels to loops of loads and stores",
        options: &["target"],
        make: |options| Ok(Made::Pass(dma_pass(&offload_options(options)?))),
    },
    PassInfo {
        name: "gpu-lower-groups",
        summary: "lower operations of workgroups and subgroups to exchanges in workgroup memory",
        options: &[],
        make: |_| module_pass(|ctx, module| Ok(remarked(lower_groups(ctx, module)))),
    },
    PassInfo {
        name: "gpu-lower-mma",
        summary: "lower MMA matrices of a subgroup to vectors of which each lane has its share",
        options: &[],
        make: |_| Ok(Made::Pass(matrix_pass(Vec::new()))),
    },
    PassInfo {
        name: "gpu-serialize-loops",
        summary: "run parallel loops inside of kernels one iteration after the other",
        options: &[],
        make: |_| function_pass(serialize_loops),
    },
    PassInfo {
        name: "gpu-uniform-loads",
        summary: "have the threads of small workgroups load the elements of all, from addresses that they share",
        options: &[],
        make: |_| {
            module_pass(|ctx, module| Ok(Outcome::changed(share_loads_of_kernels(ctx, module))))
        },
    },
    PassInfo {
        name: "parallelize-searches",
        summary: "find where a loop ends that only searches memory by reductions over blocks of its iterations",
        options: &["target", "min-elements", "block"],
        make: |options| {
            let usual = SearchOptions::of(&offload_options(options)?);
            let chosen = SearchOptions {
                min_elements: options.read("min-elements", usual.min_elements)?,
                block: options.read("block", usual.block)?,
            };
            Ok(Made::Pass(search_pass(chosen)))
        },
    },
    PassInfo {
        name: "guard-while-steps",
        summary: "test before a while loop that it counts up to its bound in steps of a run-time number, and raise it",
        options: &[],
        make: |_| function_pass(guard_while_steps),
    },
    PassInfo {
        name: "hoist-invariant-loads",
        summary: "load numbers that loops do not write in front of them, such as the bounds of exit tests",
        options: &[],
        make: |_| {
            module_pass(|ctx, module| Ok(Outcome::changed(hoist_invariant_loads(ctx, module))))
        },
    },
    PassInfo {
        name: "hoist-recurrences",
        summary: "compute values that each block of an outer loop would carry alike once, in front of it",
        options: &[],
        make: |_| function_pass(hoist_recurrences),
    },
    PassInfo {
        name: "inline",
        summary: "inline calls",
        options: &["default-pipeline", "inlining-threshold", "max-iterations"],
        make: |options| {
            check_inline_options(options)?;
            module_pass(|ctx, module| Ok(Outcome::changed(inline(ctx, module))))
        },
    },
    PassInfo {
        name: "inline-alloca-scopes",
        summary: "put the operations of memref.alloca_scope in its place",
        options: &[],
        make: |_| function_pass(inline_alloca_scopes),
    },
    PassInfo {
        name: "int-range-optimizations",
        summary: "fold what the ranges of integers decide, and divide non-negative numbers unsigned",
        options: &[],
        make: |_| function_pass(optimize_in_ranges),
    },
    PassInfo {
        name: "offload",
        summary: "offload loop nests: the whole pipeline from loops to kernels",
        options: &[
            "target",
            "opt-level",
            "fp",
            "max-threads",
            "tile",
            "spread",
            "launch",
            "least-serial",
            "chunk",
            "matrices",
        ],
        make: |options| Ok(Made::Pipeline(stages(&offload_options(options)?))),
    },
    PassInfo {
        name: "lift-cf-to-scf",
        summary: "turn loops of branches between blocks into scf.while and scf.if",
        options: &[],
        make: |_| function_pass(|ctx, body| lift_cf_to_scf(ctx, body).0),
    },
    PassInfo {
        name: "loop-invariant-code-motion",
        summary: "move loop-invariant operations in front of the loop",
        options: &[],
        make: |_| function_pass(hoist_invariants),
    },
    PassInfo {
        name: "unroll-table-loops",
        summary: "unroll short loops that store at offsets from a table of constants, or compute with quotients of their counter",
        options: &[],
        make: |_| Ok(table_pass()),
    },
    PassInfo {
        name: "mark-constant-globals",
        summary: "make globals constant that the module only loads from",
        options: &[],
        make: |_| {
            module_pass(|ctx, module| Ok(Outcome::changed(mark_constant_globals(ctx, module))))
        },
    },
    PassInfo {
        name: "mem2reg",
        summary: "keep local variables of one element in values",
        options: &["region-simplify"],
        make: |options| {
            // What the pass leaves is simple already.
            options.flag("region-simplify")?;
            function_pass(promote_variables)
        },
    },
    PassInfo {
        name: "merge-adjacent-accesses",
        summary: "merge loads and stores of neighbouring elements into accesses of vectors",
        options: &[],
        make: |_| module_pass(|ctx, module| Ok(Outcome::changed(merge_in_module(ctx, module)))),
    },
    PassInfo {
        name: "lower-affine",
        summary: "lower affine operations to scf, arith and memref",
        options: &[],
        make: |_| function_pass(lower_affine),
    },
    PassInfo {
        name: "lower-aggregates",
        summary: "make single values of the fields of LLVM's structs and of storage specifiers",
        options: &[],
        make: |_| module_pass(|ctx, m| lower_aggregates(ctx, m).map(Outcome::changed)),
    },
    PassInfo {
        name: "lower-memref-copies",
        summary: "copy tiles inside of loops, and whatever kernels copy, element by element",
        options: &[],
        make: |_| function_pass(lower_copies),
    },
    PassInfo {
        name: "lower-memref-dma",
        summary: "move tiles that transfers inside of loops fetch element by element",
        options: &[],
        make: |_| function_pass(lower_dma_of_tiles),
    },
    PassInfo {
        name: "lower-scalable-vectors",
        summary: "make vectors of scalable length vectors of fixed length, by a vscale of 1",
        options: &[],
        make: |_| module_pass(|ctx, m| lower_scalable_vectors(ctx, m).map(Outcome::changed)),
    },
    PassInfo {
        name: "lower-vector-elements",
        summary: "turn memrefs of vectors into memrefs of scalars, with the vector's dimensions innermost",
        options: &[],
        make: |_| module_pass(|ctx, m| lower_vector_elements(ctx, m).map(Outcome::changed)),
    },
    PassInfo {
        name: "lower-vectors",
        summary: "scalarize vectors too long for a device register, and vector operations that kernels do not support",
        options: &["scope"],
        make: lower_vectors_pass,
    },
    PassInfo {
        name: "normalize-memrefs",
        summary: "turn memrefs with a layout map into row-major ones",
        options: &[],
        make: |_| module_pass(|ctx, module| Ok(remarked(normalize_memrefs(ctx, module)))),
    },
    PassInfo {
        name: "outline-affine-scopes",
        summary: "move loop nests whose bounds are numbers of the loops around into functions, where they are affine",
        options: &[],
        make: |_| module_pass(|ctx, module| Ok(Outcome::changed(outline_scopes(ctx, module)))),
    },
    PassInfo {
        name: "parallelize-inspected-loops",
        summary: "parallelize loops at subscripts known only at run time where an inspection finds no conflict",
        options: &["target", "fp"],
        make: |options| {
            Ok(Made::Pass(policy_pass(
                parallelize_inspected,
                offload_options(options)?,
            )))
        },
    },
    PassInfo {
        name: "parallelize-sorted-ranges",
        summary: "parallelize loops over ranges between the numbers of a sorted array, such as sparse rows",
        options: &["target", "fp"],
        make: |options| {
            Ok(Made::Pass(policy_pass(
                parallelize_sorted,
                offload_options(options)?,
            )))
        },
    },
    PassInfo {
        name: "parallelize-strided-loops",
        summary: "parallelize loops whose strides are known only at run time, such as those of an FFT",
        options: &["target", "fp"],
        make: |options| {
            Ok(Made::Pass(policy_pass(
                parallelize_strided,
                offload_options(options)?,
            )))
        },
    },
    PassInfo {
        name: "raise-to-affine",
        summary: "turn scf loops and memref accesses with affine bounds and subscripts into affine ones",
        options: &[],
        make: |_| Ok(remarking_pass(raise_to_affine)),
    },
    PassInfo {
        name: "resolve-strided-metadata",
        summary: "compute offset, sizes and strides of memrefs where these are defined",
        options: &[],
        make: |_| function_pass(resolve_metadata),
    },
    PassInfo {
        name: "sccp",
        summary: "propagate constants through branches, conditionals and loops",
        options: &[],
        make: |_| function_pass(sccp),
    },
    PassInfo {
        name: "specialize-function",
        summary: "give a function the sizes and values of the arguments that it will be called with",
        options: &["arguments", "function"],
        make: specialize_pass,
    },
    PassInfo {
        name: "split-custom-reductions",
        summary: "have threads combine the values of parallel loops by combiners of the program's own",
        options: &["target", "fp"],
        make: |options| Ok(Made::Pass(combiner_pass(offload_options(options)?))),
    },
    PassInfo {
        name: "symbol-dce",
        summary: "remove private functions that nothing refers to",
        options: &[],
        make: |_| {
            module_pass(|ctx, module| Ok(Outcome::changed(remove_unused_functions(ctx, module))))
        },
    },
];
