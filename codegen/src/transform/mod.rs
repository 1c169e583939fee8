//! Transformations: one file each, named as its pass.

pub mod affine_atomic_updates;
pub mod affine_guard_overflow;
pub mod affine_imperfect_interchange;
pub mod affine_index_set_splitting;
pub mod affine_loop_distribute;
pub mod affine_loop_permute;
pub mod affine_loop_strip_mine;
pub mod affine_loop_tile;
pub mod affine_loop_unimodular;
pub mod affine_loop_unroll;
pub mod affine_loop_wavefront;
pub mod affine_parallel_to_for;
pub mod affine_parallelize;
pub mod affine_parallelize_reductions;
pub mod affine_privatize;
pub mod affine_scalar_demotion;
pub mod affine_scalrep;
pub mod affine_schedule;
pub mod affine_scope;
pub mod convert_index_to_arith;
pub mod cse;
pub mod gpu_kernel_outlining;
pub mod gpu_lower_dma;
pub mod gpu_lower_groups;
pub mod inline;
mod kernels;
pub mod known_block_size;
pub mod lift_cf_to_scf;
pub mod loop_invariant_code_motion;
pub mod lower_affine;
pub mod lower_vector_transfers;
pub mod merge_adjacent_accesses;
mod plans;
pub mod raise_to_affine;
pub mod symbol_dce;

pub use gridloom_rewrite::{canonicalize, compose, normal, rewriter};
