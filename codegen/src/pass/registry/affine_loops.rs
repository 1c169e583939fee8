//! Passes that transform the loops of `affine` one nest at a time.

use super::{Made, PassInfo};
use crate::analysis::globals::ConstantGlobals;
use crate::offload::short_loops::version_short_loops;
use crate::offload::straighten::straighten_threads;
use crate::pass::makers::{
    fusion_pass, module_pass, offload_options, remarked, remarking_pass, tile_pass,
    unimodular_pass, unroll_pass,
};
use crate::pass::offload::{policy_pass, policy_pass_with, wavefront_pass};
use crate::pass::{Outcome, Pass};
use crate::transform::affine_hoist_loads::hoist_loads;
use crate::transform::affine_imperfect_interchange::interchange_module;
use crate::transform::affine_index_set_splitting::split_module;
use crate::transform::affine_loop_block::{BLOCK_SIZE, block_module};
use crate::transform::affine_loop_coalescing::coalesce;
use crate::transform::affine_loop_congruence::apply_congruences;
use crate::transform::affine_loop_distribute::{MIN_ROUNDS, distribute_module};
use crate::transform::affine_loop_hull::hull_module;
use crate::transform::affine_loop_invariant_code_motion::hoist_module;
use crate::transform::affine_loop_load_elimination::eliminate_loads;
use crate::transform::affine_loop_normalize::normalize;
use crate::transform::affine_loop_peel::{Gain, peel_module};
use crate::transform::affine_loop_permute::permute_module;
use crate::transform::affine_loop_strip_mine::strip_mine_module;
use crate::transform::affine_loop_unroll_jam::jam_module;
use crate::transform::affine_loop_untile::untile_module;
use crate::transform::affine_unroll_updates::unroll_updates;
use crate::transform::affine_unroll_windows::unroll_windows;
use crate::transform::affine_window_hull::hull_windows;
use gridloom_ir::{Body, Context};

pub(super) const PASSES: &[PassInfo] = &[
    PassInfo {
        name: "affine-loop-coalescing",
        summary: "coalesce each perfect nest into one loop",
        options: &[],
        make: |_| Ok(remarking_pass(coalesce)),
    },
    PassInfo {
        name: "affine-loop-distribute",
        summary: "distribute a parallel loop over the parts of its imperfect body",
        options: &["min-rounds"],
        make: |options| {
            let min_rounds = options.read("min-rounds", MIN_ROUNDS)?;
            module_pass(move |ctx, module| {
                Ok(Outcome::changed(distribute_module(ctx, module, min_rounds)))
            })
        },
    },
    PassInfo {
        name: "affine-loop-fusion",
        summary: "fuse loops that access the same memory",
        options: &[
            "mode",
            "maximal",
            "fusion-maximal",
            "compute-tolerance",
            "fast-mem-space",
            "local-buf-threshold",
        ],
        make: fusion_pass,
    },
    PassInfo {
        name: "affine-loop-block",
        summary: "block a loop whose inner loops begin at its counter, as of a factorization",
        options: &["size"],
        make: |options| {
            let size = options.read("size", BLOCK_SIZE)?;
            module_pass(move |ctx, module| Ok(Outcome::changed(block_module(ctx, module, size))))
        },
    },
    PassInfo {
        name: "affine-imperfect-interchange",
        summary: "interchange imperfect nests: a counter of each statement becomes the common outermost loop",
        options: &["fp"],
        make: |options| {
            Ok(Made::Pass(policy_pass(
                interchange_module,
                offload_options(options)?,
            )))
        },
    },
    PassInfo {
        name: "affine-index-set-splitting",
        summary: "split loops at the counter of an outer loop where that makes them parallel",
        options: &[],
        make: |_| module_pass(|ctx, module| Ok(Outcome::changed(split_module(ctx, module)))),
    },
    PassInfo {
        name: "affine-loop-congruence",
        summary: "make congruences that bodies test steps of their loops, and align rows that begin at residues",
        options: &[],
        make: |_| module_pass(|ctx, module| Ok(Outcome::changed(apply_congruences(ctx, module)))),
    },
    PassInfo {
        name: "affine-loop-hull",
        summary: "give parallel nests whose bounds depend on outer counters rectangular ones, with a domain test in the body",
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
        name: "affine-loop-load-elimination",
        summary: "carry in a value what the next iteration loads, where that makes a scan of the loop",
        options: &["target", "fp", "max-threads"],
        make: |options| {
            Ok(Made::Pass(policy_pass(
                eliminate_loads,
                offload_options(options)?,
            )))
        },
    },
    PassInfo {
        name: "affine-loop-normalize",
        summary: "have loops count from 0 in steps of 1",
        options: &["promote-single-iter"],
        make: |options| {
            let promote = options.flag("promote-single-iter")?;
            let run = move |ctx: &Context, body: &mut Body, _: &ConstantGlobals| {
                Ok(remarked(normalize(ctx, body, promote)))
            };
            Ok(Made::Pass(Pass::Function(Box::new(run))))
        },
    },
    PassInfo {
        name: "affine-loop-peel",
        summary: "peel the first or last iteration off loops that treat it specially, where the rest becomes parallel",
        options: &["always", "target", "fp"],
        make: |options| {
            let always = options.flag("always")?;
            let gain = if always { Gain::Any } else { Gain::Needed };
            Ok(Made::Pass(policy_pass_with(
                peel_module,
                offload_options(options)?,
                gain,
            )))
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
        summary: "strip-mine loops whose counter is divided by constants into nests",
        options: &[],
        make: |_| module_pass(|ctx, module| Ok(Outcome::changed(strip_mine_module(ctx, module)))),
    },
    PassInfo {
        name: "affine-loop-tile",
        summary: "tile perfect nests",
        options: &["tile-size", "tile-sizes", "separate", "cache-size"],
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
            "unroll-num-reps",
            "cleanup-unroll",
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
        name: "affine-loop-untile",
        summary: "join the loops over tiles and over the points of a tile",
        options: &[],
        make: |_| module_pass(|ctx, module| Ok(Outcome::changed(untile_module(ctx, module)))),
    },
    PassInfo {
        name: "affine-loop-wavefront",
        summary: "skew nests without a parallel loop so that inner loops become parallel, where that pays",
        options: &["target", "launch"],
        make: |options| Ok(Made::Pass(wavefront_pass(offload_options(options)?))),
    },
    PassInfo {
        name: "affine-unroll-updates",
        summary: "unroll the short loops of an iteration that load what it has stored",
        options: &[],
        make: |_| module_pass(|ctx, module| Ok(Outcome::changed(unroll_updates(ctx, module)))),
    },
    PassInfo {
        name: "affine-window-hull",
        summary: "give loops over windows that borders clip the whole window, with a test in the body",
        options: &["target"],
        make: |options| {
            Ok(Made::Pass(policy_pass(
                hull_windows,
                offload_options(options)?,
            )))
        },
    },
    PassInfo {
        name: "affine-unroll-windows",
        summary: "unroll short loops over windows that overlap for neighbouring iterations",
        options: &["target"],
        make: |options| {
            Ok(Made::Pass(policy_pass(
                unroll_windows,
                offload_options(options)?,
            )))
        },
    },
    PassInfo {
        name: "affine-hoist-loads",
        summary: "load what stays the same in all rounds of a thread's loop once, in front of it",
        options: &[],
        make: |_| module_pass(|ctx, module| Ok(Outcome::changed(hoist_loads(ctx, module)))),
    },
    PassInfo {
        name: "affine-version-short-loops",
        summary: "version nests for sizes that leave the lanes of a subgroup idle",
        options: &["target"],
        make: |options| {
            Ok(Made::Pass(policy_pass(
                version_short_loops,
                offload_options(options)?,
            )))
        },
    },
    PassInfo {
        name: "affine-straighten-threads",
        summary: "unroll the short loops of nests whose threads have no loops then",
        options: &["target"],
        make: |options| {
            Ok(Made::Pass(policy_pass(
                straighten_threads,
                offload_options(options)?,
            )))
        },
    },
];
