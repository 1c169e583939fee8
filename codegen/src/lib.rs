//! From loops to kernels: analyses, loop transformations, the offload schedule,
//! and lowering from affine to gpu.
//!
//! ```text
//! func.func with affine loops
//!    │  inline, canonicalize                          what is called is seen
//!    │  affine-privatize                              iterations get their own temporaries
//!    │  affine-loop-distribute, affine-loop-permute   parallel loops come outside
//!    │  affine-scalrep                                sums stay in values
//!    │  affine-parallelize-reductions                 sums become partial sums
//!    │  affine-guard-bounds                           sizes are tested before a nest
//!    │  affine-mark-inbounds                          proofs become attributes
//!    │  affine-map-to-gpu                             parallel bands become gpu.launch
//!    ▼  gpu-kernel-outlining, canonicalize, cse
//! func.func with gpu.launch_func, and a gpu.module of kernels
//! ```
//!
//! - [`analysis`] answers questions: which elements an operation touches, in which iterations, and
//!   whether two operations depend on each other. Unknown means dependent.
//! - [`transform`] rewrites, one file for each pass, with its legality.
//! - [`offload`] chooses the nests that become kernels, and explains why others do not.
//! - [`pass`] names passes in text and runs them in a row.
//!
//! This crate depends on the IR and on integer sets; it knows no device, reads no clock and does no
//! I/O.

pub mod analysis;
pub mod explain;
mod functions;
pub mod offload;
pub mod pass;
pub mod target;
pub mod transform;
pub mod versions;
