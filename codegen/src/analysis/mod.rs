//! Analyses of loop nests: which elements an operation touches, in which
//! iterations, and which loops may therefore run in parallel.
//!
//! From bottom to top: [`values`] reads index values as affine expressions,
//! [`counter`] is what loops of both kinds have in common, [`interval`] bounds
//! values and proves that 64 bits hold them,
//! [`condition`] reads conditions of `scf.if`,
//! [`domain`] says in which iterations an operation runs, [`alias`] which
//! memory a memref is, [`callee`] what functions elsewhere say they touch,
//! [`access`] what is touched, [`update`] which atomic updates commute, [`dependence`] whether two accesses meet, [`budget`] how much work that may be,
//! [`parallel`] what that means for a loop, [`repeatable`] which statements an inner loop may repeat, [`reduction`] what a loop carries through one operation, [`arg_reduction`] extrema and what it takes along with them,
//! [`bounds`] whether
//! an access stays in range, [`stride`] how far apart accesses of neighbouring iterations are,
//! [`band`] how `affine.parallel` combines what its iterations yield, [`eligible`] what keeps a nest
//! out of a kernel, `loop_labels` and `names` how the source calls loops and values, [`effects`] what an
//! operation does at all,
//! [`globals`] what constant memory holds. Every answer is conservative: what is not known
//! counts as a dependence.

pub mod access;
pub mod alias;
pub mod arg_reduction;
pub mod band;
pub mod bounds;
pub mod budget;
mod buffers;
pub mod callee;
pub mod condition;
pub mod counter;
pub mod dependence;
pub mod domain;
pub mod eligible;
pub mod interval;
pub(crate) mod loop_labels;
pub mod parallel;
pub(crate) mod phase_statements;
pub mod reduction;
pub mod repeatable;
pub(crate) mod source_names;
pub mod stride;
pub mod system;
pub mod uniform;
pub mod update;
pub mod values;
pub mod workgroup_memory;

pub use gridloom_rewrite::{effects, globals};

pub use access::{Access, Place};
pub use dependence::{Dependence, Scope};
pub use parallel::Verdict;
pub use values::AffineValues;
