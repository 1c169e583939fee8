//! Analyses of loop nests: which elements an operation touches, in which
//! iterations, and which loops may therefore run in parallel.
//!
//! From bottom to top: [`values`] reads index values as affine expressions, [`counter`] gives loops
//! of both kinds one view, [`interval`] bounds values and proves that 64 bits hold them,
//! [`condition`] reads conditions of `scf.if`, [`domain`] says in which iterations an operation
//! runs, [`alias`] which memory a memref is
//! (`forwarding` what loops and branches pass on), [`callee`] what functions without a body declare to
//! access, [`access`] the places that an operation reads and writes, [`load_store`] whether it is a load or a store of one element, [`update`] which atomic
//! updates commute, [`dependence`] whether two accesses touch one element, [`budget`] how much work
//! the tests may cost, [`parallel`] whether a loop is parallel, [`repeatable`] which statements an
//! inner loop may repeat, [`reduction`] values that a loop carries through one associative
//! operation, [`arg_reduction`] argmin and argmax, [`bounds`] whether an access stays in range,
//! [`stride`] how far apart accesses of neighbouring iterations are, [`band`] how `affine.parallel`
//! combines what its iterations yield, [`opaque`] operations of unknown effects, [`eligible`] what keeps a nest out of a kernel,
//! `loop_labels` and `source_names` the names of loops and values in the source, `multiples` the powers of two that divide index values, [`effects`] the
//! side effects of an operation, `work` how many operations it takes, `estimate` numbers that the run knows, [`globals`] the contents of constant memory. Every answer is
//! conservative: unknown counts as dependent.

pub mod access;
pub mod alias;
pub mod arg_reduction;
pub mod band;
pub mod bounds;
pub mod budget;
mod buffers;
mod bundle;
pub mod callee;
mod carried;
pub mod condition;
pub(crate) mod constant_nest;
mod counted;
pub mod counter;
pub mod coverage;
pub mod dependence;
pub mod domain;
pub mod eligible;
pub(crate) mod estimate;
pub(crate) mod forwarding;
pub mod interval;
pub mod load_store;
pub(crate) mod loop_labels;
pub(crate) mod multiples;
pub mod opaque;
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
pub(crate) mod work;
pub mod workgroup_memory;

pub use gridloom_rewrite::{effects, globals};

pub use access::{Access, Place};
pub use dependence::{Dependence, Scope};
pub use parallel::Verdict;
pub use values::AffineValues;
