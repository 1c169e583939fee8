//! The registry: passes by name.

use gridloom_dialects::memory_space::MemorySpaces;
use gridloom_ir::{Body, Context};

use super::makers::{
    DATA_COPY_OPTIONS, VECTORIZE_OPTIONS, canonicalize_pass, data_copy_pass, function_pass,
    fusion_pass, lower_vectors_pass, module_pass, offload_options, remarked, remarking_pass,
    schedule_pass, tile_pass, unimodular_pass, unroll_pass, vectorize_pass,
};
use super::offload::{dma_pass, fusion_of_kernels, map_pass, policy_pass, stages, wavefront_pass};
use super::options::{OptionError, PassOptions};
use super::{Outcome, Pass, Pipeline};
use crate::analysis::bounds::mark_in_range;
use crate::analysis::globals::ConstantGlobals;
use crate::transform::affine_atomic_updates::make_updates_atomic;
use crate::transform::affine_expand_index_ops::{expand_index_ops, expand_index_ops_as_affine};
use crate::transform::affine_guard_bounds::guard_module;
use crate::transform::affine_guard_overflow::guard_overflow;
use crate::transform::affine_imperfect_interchange::interchange_module;
use crate::transform::affine_index_set_splitting::split_module;
use crate::transform::affine_loop_coalescing::coalesce;
use crate::transform::affine_loop_distribute::distribute_module;
use crate::transform::affine_loop_hull::hull_module;
use crate::transform::affine_loop_invariant_code_motion::hoist_module;
use crate::transform::affine_loop_normalize::normalize;
use crate::transform::affine_loop_permute::permute_module;
use crate::transform::affine_loop_strip_mine::strip_mine_module;
use crate::transform::affine_loop_unroll_jam::jam_module;
use crate::transform::affine_parallel_to_for::proven_parallel_to_for;
use crate::transform::affine_parallelize::{ParallelizeOptions, parallelize_loops};
use crate::transform::affine_parallelize_reductions::parallelize_module;
use crate::transform::affine_parallelize_scans::parallelize_scans;
use crate::transform::affine_pipeline_data_transfer::pipeline_transfers;
use crate::transform::affine_privatize::privatize_module;
use crate::transform::affine_privatize_updates::privatize_updates;
use crate::transform::affine_scalar_demotion::demote_module;
use crate::transform::affine_scalrep::scalrep_module;
use crate::transform::affine_simplify_min_max::simplify_min_max;
use crate::transform::affine_simplify_structures::simplify_structures;
use crate::transform::convert_bufferization_to_memref::convert_clones;
use crate::transform::convert_complex_to_standard::convert_complex;
use crate::transform::convert_index_to_arith::convert_index;
use crate::transform::cse::cse;
use crate::transform::drop_hints::drop_hints;
use crate::transform::fold_memref_alias_ops::{fold_affine_alias_ops, fold_alias_ops};
use crate::transform::gpu_expand_launches::expand_launches;
use crate::transform::gpu_kernel_outlining::outline_kernels;
use crate::transform::gpu_lower_groups::lower_groups;
use crate::transform::gpu_serialize_loops::serialize_loops;
use crate::transform::inline::inline;
use crate::transform::lift_cf_to_scf::lift_cf_to_scf;
use crate::transform::loop_invariant_code_motion::hoist_invariants;
use crate::transform::lower_affine::lower_affine;
use crate::transform::lower_memref_copies::lower_copies;
use crate::transform::lower_vector_elements::lower_vector_elements;
use crate::transform::merge_adjacent_accesses::merge_in_module;
use crate::transform::normalize_memrefs::normalize_memrefs;
use crate::transform::raise_to_affine::raise_to_affine;
use crate::transform::sccp::sccp;
use crate::transform::symbol_dce::remove_unused_functions;

/// A registered pass. The name is MLIR's where MLIR has the pass.
pub struct PassInfo {
    /// The name, as after `--` on the command line.
    pub name: &'static str,
    /// One line for `--list-passes`.
    pub summary: &'static str,
    /// The options it takes.
    pub options: &'static [&'static str],
    /// Builds the pass from its options.
    pub(super) make: fn(&PassOptions) -> Result<Made, OptionError>,
}

/// The pass whose options are a text of their own: the steps of a schedule.
pub(super) const SCHEDULE: &str = "affine-schedule";

/// Result of building a registered name with its options.
pub(super) enum Made {
    /// One pass.
    Pass(Pass),
    /// Several passes; an observer sees each.
    Pipeline(Pipeline),
}

/// All registered passes.
pub fn all_passes() -> impl Iterator<Item = &'static PassInfo> {
    PASSES.iter()
}

/// The pass of that name.
pub fn find_pass(name: &str) -> Option<&'static PassInfo> {
    PASSES.iter().find(|info| info.name == name)
}

/// Whether there is a pass of that name, for names that the compiler checks.
pub(super) const fn is_registered(name: &str) -> bool {
    let mut pass = 0;
    while pass < PASSES.len() {
        if is_same(PASSES[pass].name.as_bytes(), name.as_bytes()) {
            return true;
        }
        pass += 1;
    }
    false
}

/// `a == b`, which constants cannot ask of strings.
const fn is_same(a: &[u8], b: &[u8]) -> bool {
    let mut place = 0;
    while place < a.len() && place < b.len() && a[place] == b[place] {
        place += 1;
    }
    place == a.len() && place == b.len()
}

static PASSES: &[PassInfo] = &[
    PassInfo {
        name: "affine-atomic-updates",
        summary: "make updates of elements that data chooses atomic where that frees a loop",
        options: &["target", "fp"],
        make: |options| {
            Ok(Made::Pass(policy_pass(
                make_updates_atomic,
                offload_options(options)?,
            )))
        },
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
        name: "affine-fuse-kernels",
        summary: "fuse nests that would be kernels and hand memory on to each other",
        options: &["target", "max-threads"],
        make: |options| Ok(Made::Pass(fusion_of_kernels(offload_options(options)?))),
    },
    PassInfo {
        name: "affine-guard-bounds",
        summary: "test before a nest that its accesses are in range, where that depends on sizes",
        options: &[],
        make: |_| module_pass(|ctx, module| Ok(Outcome::changed(guard_module(ctx, module)))),
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
        options: &["target", "fp", "max-threads", "tile", "spread", "chunk"],
        make: |options| Ok(Made::Pass(map_pass(offload_options(options)?))),
    },
    PassInfo {
        name: "affine-loop-coalescing",
        summary: "make one loop of perfect nests",
        options: &[],
        make: |_| Ok(remarking_pass(coalesce)),
    },
    PassInfo {
        name: "affine-loop-distribute",
        summary: "distribute a parallel loop over the parts of its imperfect body",
        options: &[],
        make: |_| module_pass(|ctx, module| Ok(Outcome::changed(distribute_module(ctx, module)))),
    },
    PassInfo {
        name: "affine-loop-fusion",
        summary: "fuse loops that access the same memory",
        options: &["mode", "fusion-maximal"],
        make: fusion_pass,
    },
    PassInfo {
        name: "affine-imperfect-interchange",
        summary: "make a counter of each statement of an imperfect nest its outermost loop",
        options: &[],
        make: |_| module_pass(|ctx, module| Ok(Outcome::changed(interchange_module(ctx, module)))),
    },
    PassInfo {
        name: "affine-index-set-splitting",
        summary: "split loops at the counter of an outer loop where that makes them parallel",
        options: &[],
        make: |_| module_pass(|ctx, module| Ok(Outcome::changed(split_module(ctx, module)))),
    },
    PassInfo {
        name: "affine-loop-hull",
        summary: "give parallel nests with bounds that depend on each other those of a box, with a test in the body",
        options: &[],
        make: |_| module_pass(|ctx, module| Ok(Outcome::changed(hull_module(ctx, module)))),
    },
    PassInfo {
        name: "affine-loop-invariant-code-motion",
        summary: "move invariant operations, loads and stores in front of affine.for",
        options: &[],
        make: |_| module_pass(|ctx, module| Ok(remarked(hoist_module(ctx, module)))),
    },
    PassInfo {
        name: "affine-loop-normalize",
        summary: "have loops count from 0 in steps of 1",
        options: &["promote-single-iter"],
        make: |options| {
            let promote = options.read("promote-single-iter", false)?;
            let run = move |ctx: &Context, body: &mut Body, _: &ConstantGlobals| {
                Ok(remarked(normalize(ctx, body, promote)))
            };
            Ok(Made::Pass(Pass::Function(Box::new(run))))
        },
    },
    PassInfo {
        name: "affine-loop-permute",
        summary: "interchange a nest so that its parallel loops are outermost",
        options: &[],
        make: |_| module_pass(|ctx, module| Ok(Outcome::changed(permute_module(ctx, module)))),
    },
    PassInfo {
        name: "affine-loop-strip-mine",
        summary: "make nests of loops whose counter is taken apart by quotients",
        options: &[],
        make: |_| module_pass(|ctx, module| Ok(Outcome::changed(strip_mine_module(ctx, module)))),
    },
    PassInfo {
        name: "affine-loop-tile",
        summary: "tile perfect nests",
        options: &["tile-size", "tile-sizes", "separate"],
        make: tile_pass,
    },
    PassInfo {
        name: "affine-loop-unimodular",
        summary: "interchange, reverse, skew and shift the loops of perfect nests by a unimodular matrix",
        options: &["matrix", "shift"],
        make: unimodular_pass,
    },
    PassInfo {
        name: "affine-loop-unroll",
        summary: "unroll innermost loops of known length",
        options: &[
            "unroll-factor",
            "unroll-full-threshold",
            "unroll-up-to-factor",
        ],
        make: unroll_pass,
    },
    PassInfo {
        name: "affine-loop-unroll-jam",
        summary: "unroll loops and jam the iterations in the loops they hold",
        options: &["unroll-jam-factor"],
        make: |options| {
            let factor = options.read("unroll-jam-factor", 4)?;
            module_pass(move |ctx, module| Ok(remarked(jam_module(ctx, module, factor))))
        },
    },
    PassInfo {
        name: "affine-loop-wavefront",
        summary: "skew nests without a parallel loop so that inner loops become parallel, where that pays",
        options: &["target", "launch"],
        make: |options| Ok(Made::Pass(wavefront_pass(offload_options(options)?))),
    },
    PassInfo {
        name: "affine-mark-inbounds",
        summary: "mark accesses that are proved in bounds",
        options: &[],
        make: |_| function_pass(mark_in_range),
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
                reductions: options.read("parallel-reductions", false)?,
            };
            module_pass(move |ctx, module| Ok(remarked(parallelize_loops(ctx, module, chosen))))
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
        summary: "compute long scans (prefix sums) in chunks in parallel",
        options: &["target", "fp", "max-threads"],
        make: |options| {
            Ok(Made::Pass(policy_pass(
                parallelize_scans,
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
        summary: "give threads arrays of their own for updates of elements that data chooses",
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
        name: "affine-simplify-min-max",
        summary: "drop results of minima, maxima and bounds that are never the answer",
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
        name: "affine-super-vectorize",
        summary: "turn iterations of loops into lanes of vectors",
        options: VECTORIZE_OPTIONS,
        make: vectorize_pass,
    },
    PassInfo {
        name: "canonicalize",
        summary: "fold, erase dead code, bring operations into canonical form",
        options: &[],
        make: |_| Ok(canonicalize_pass()),
    },
    PassInfo {
        name: "convert-bufferization-to-memref",
        summary: "turn clones of memrefs into allocations and copies",
        options: &[],
        make: |_| function_pass(convert_clones),
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
        name: "cse",
        summary: "eliminate common subexpressions",
        options: &[],
        make: |_| function_pass(cse),
    },
    PassInfo {
        name: "drop-hints",
        summary: "remove prefetches and assumptions of alignment",
        options: &[],
        make: |_| function_pass(|_, body| drop_hints(body)),
    },
    PassInfo {
        name: "fold-memref-alias-ops",
        summary: "fold views of memory into accesses",
        options: &[],
        make: |_| Ok(remarking_pass(fold_alias_ops)),
    },
    PassInfo {
        name: "gpu-expand-launches",
        summary: "express clusters, dynamic workgroup memory and globals of kernels by simpler means",
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
        options: &[],
        make: |_| Ok(Made::Pass(dma_pass(MemorySpaces::default()))),
    },
    PassInfo {
        name: "gpu-lower-groups",
        summary: "lower operations of workgroups and subgroups to exchanges in workgroup memory",
        options: &[],
        make: |_| module_pass(|ctx, module| Ok(remarked(lower_groups(ctx, module)))),
    },
    PassInfo {
        name: "gpu-serialize-loops",
        summary: "run parallel loops inside of kernels one iteration after the other",
        options: &[],
        make: |_| function_pass(serialize_loops),
    },
    PassInfo {
        name: "inline",
        summary: "inline calls",
        options: &[],
        make: |_| module_pass(|ctx, module| Ok(Outcome::changed(inline(ctx, module)))),
    },
    PassInfo {
        name: "offload",
        summary: "offload loop nests: the whole pipeline from loops to kernels",
        options: &[
            "target",
            "fp",
            "max-threads",
            "tile",
            "spread",
            "launch",
            "chunk",
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
        name: "lower-memref-copies",
        summary: "copy tiles inside of loops, and whatever kernels copy, element by element",
        options: &[],
        make: |_| function_pass(lower_copies),
    },
    PassInfo {
        name: "lower-vector-elements",
        summary: "give memrefs of vectors the dimensions of the vector instead",
        options: &[],
        make: |_| module_pass(|ctx, m| lower_vector_elements(ctx, m).map(Outcome::changed)),
    },
    PassInfo {
        name: "lower-vectors",
        summary: "compute element by element what no register of a device holds and kernels do not have",
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
        name: "raise-to-affine",
        summary: "turn scf loops and memref accesses with affine bounds and subscripts into affine ones",
        options: &[],
        make: |_| Ok(remarking_pass(raise_to_affine)),
    },
    PassInfo {
        name: "sccp",
        summary: "propagate constants through branches, conditionals and loops",
        options: &[],
        make: |_| function_pass(sccp),
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
