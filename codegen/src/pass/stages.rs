//! Passes of the offload pipeline, and the optimization level from which on each of them runs.

use super::registry::is_registered;
use crate::target::OptLevel;
use crate::target::OptLevel::{O0, O1, O2};

/// A pass by its name, and the lowest level at which it runs.
type Stage = (OptLevel, &'static str);

/// Preparation stage: raises a program to affine loops, before any is scheduled.
const PREPARATION: &[Stage] = &[
    (O0, "async-execute-in-order"),
    (O0, "lower-scalable-vectors"),
    (O0, "convert-bufferization-to-memref"),
    (O0, "convert-libm-to-math"),
    (O0, "convert-llvm-intrinsics-to-math"),
    (O0, "expand-float-casts"),
    (O0, "lower-aggregates"),
    (O0, "lower-vector-elements"),
    (O0, "convert-complex-to-standard"),
    (O0, "arith-emulate-wide-int"),
    (O0, "gpu-expand-launches"),
    (O0, "gpu-lower-mma"),
    (O0, "drop-hints"),
    (O0, "lift-cf-to-scf"),
    (O0, "inline"),
    (O0, "gpu-serialize-loops"),
    (O0, "inline-alloca-scopes"),
    (O0, "mem2reg"),
    (O0, "convert-index-to-arith"),
    (O0, "mark-constant-globals"),
    (O1, "unroll-table-loops"),
    (O0, "cse"),
    (O0, "canonicalize"),
    (O0, "resolve-strided-metadata"),
    (O0, "dispatch-memref-choices"),
    (O0, "lower-vectors"),
    (O0, "lower-memref-copies"),
    (O0, "affine-unpipeline-data-transfer"),
    (O0, "lower-memref-dma"),
    (O0, "drop-host-spaces"),
    (O0, "affine-expand-index-ops-as-affine"),
    (O0, "affine-expand-index-ops"),
    (O1, "hoist-invariant-loads"),
    (O1, "parallelize-searches"),
    (O1, "split-custom-reductions"),
    (O0, "raise-to-affine"),
    (O1, "outline-affine-scopes"),
    (O0, "guard-while-steps"),
    (O1, "hoist-recurrences"),
    (O0, "affine-guard-narrow-overflow"),
    (O1, "cse"),
    (O1, "affine-delinearize"),
    (O2, "affine-collapse-open-dimensions"),
];

/// Scheduling stage: passes that schedule affine loops. Loops that remain run in the resulting
/// order, and are parallel where dependences permit.
const SCHEDULE: &[Stage] = &[
    (O0, "affine-parallel-to-for"),
    (O1, "affine-narrow-updates"),
    (O1, "affine-loop-strip-mine"),
    (O1, "canonicalize"),
    (O1, "cse"),
    (O1, "affine-collapse-dimensions"),
    (O1, "affine-number-selections"),
    (O1, "affine-if-conversion"),
    (O1, "affine-carry-selected-elements"),
    (O1, "affine-substitute-wraparounds"),
    (O1, "affine-loop-peel"),
    (O0, "affine-guard-overflow"),
    (O1, "affine-fold-tiles"),
    (O1, "affine-copy-propagation"),
    (O1, "affine-loop-untile"),
    (O1, "affine-privatize"),
    (O1, "affine-array-expansion"),
    (O1, "affine-separate-prefix-sums"),
    (O1, "affine-node-splitting"),
    (O1, "affine-scalar-demotion"),
    (O1, "affine-separate-reductions"),
    (O1, "affine-index-set-splitting"),
    (O1, "affine-loop-distribute"),
    (O1, "affine-loop-untile"),
    (O1, "affine-imperfect-interchange"),
    (O1, "affine-loop-block"),
    (O1, "affine-loop-permute"),
    (O1, "affine-permute-updates"),
    (O1, "affine-loop-wavefront"),
    (O2, "affine-fuse-kernels"),
    (O2, "affine-unroll-updates"),
    (O1, "affine-scalrep"),
    (O2, "affine-fuse-rows"),
    (O1, "affine-scalrep"),
    (O1, "affine-number-selections"),
    (O1, "parallelize-sorted-ranges"),
    (O1, "coalesce-sorted-ranges"),
    (O1, "affine-parallelize-reductions"),
    (O1, "affine-loop-load-elimination"),
    (O1, "affine-parallelize-scans"),
    (O1, "affine-parallelize-arg-updates"),
    (O1, "affine-parallelize-ranks"),
    (O1, "affine-parallelize-scatters"),
    (O1, "affine-privatize-updates"),
    (O1, "affine-atomic-updates"),
];

/// Mapping stage: passes that map scheduled loops to kernels.
const MAPPING: &[Stage] = &[
    (O1, "parallelize-strided-loops"),
    (O1, "parallelize-inspected-loops"),
    (O1, "affine-window-hull"),
    (O0, "affine-guard-bounds"),
    (O0, "affine-mark-inbounds"),
    (O1, "affine-reduce-remainders"),
    (O1, "affine-branch-to-select"),
    (O1, "affine-persistent-workgroup"),
    (O1, "affine-loop-congruence"),
    (O1, "affine-loop-hull"),
    (O1, "affine-serial-kernels"),
    (O1, "affine-serial-nests"),
    (O0, "convert-parallel-loops-to-gpu"),
    (O2, "affine-unroll-windows"),
    (O2, "affine-hoist-loads"),
    (O2, "affine-version-short-loops"),
    (O2, "affine-straighten-threads"),
    (O0, "affine-map-to-gpu"),
    (O0, "canonicalize"),
    (O0, "cse"),
    (O1, "int-range-optimizations"),
    (O2, "merge-adjacent-accesses"),
    (O0, "gpu-kernel-outlining"),
    (O0, "dispatch-memref-choices"),
    (O0, "gpu-lower-groups"),
    (O0, "gpu-lower-dma"),
    (O1, "canonicalize"),
    (O1, "cse"),
];

/// The stages of `offload`, in order.
const OFFLOAD: [&[Stage]; 3] = [PREPARATION, SCHEDULE, MAPPING];

/// Additional pass of `affine-auto-schedule`: loops proved parallel become `affine.parallel`.
const PARALLEL: &[Stage] = &[(O0, "affine-parallelize")];

/// Names of the passes of `offload` at a level, in order.
pub(super) fn passes_of_offload(level: OptLevel) -> Vec<&'static str> {
    passes_at(level, &OFFLOAD)
}

/// Names of the passes of `affine-auto-schedule` at a level, in order.
pub(super) fn passes_of_schedule(level: OptLevel) -> Vec<&'static str> {
    passes_at(level, &[SCHEDULE, PARALLEL])
}

fn passes_at(level: OptLevel, stages: &[&[Stage]]) -> Vec<&'static str> {
    let passes = stages.iter().copied().flatten();
    passes
        .filter(|&&(lowest, _)| lowest <= level)
        .map(|&(_, pass)| pass)
        .collect()
}

// Compile-time check that every stage is a registered pass. Passes take all their options as
// optional.
const _: () = {
    all_registered(PREPARATION);
    all_registered(SCHEDULE);
    all_registered(MAPPING);
    all_registered(PARALLEL);
};

const fn all_registered(stages: &[Stage]) {
    let mut stage = 0;
    while stage < stages.len() {
        assert!(
            is_registered(stages[stage].1),
            "a stage is no registered pass"
        );
        stage += 1;
    }
}
