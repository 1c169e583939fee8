//! Analyses of loop nests: which elements an operation touches, in which
//! iterations, and which loops may therefore run in parallel.
//!
//! From bottom to top:
//!
//! | module | answers |
//! |---|---|
//! | [`values`] | an index value as an affine expression over atoms |
//! | [`counter`], [`loop_kind`] | one view of the counters of `affine.for` and `affine.parallel`; families of loop operations |
//! | [`interval`], `carried`, `counted` | bounds of values, those that loops carry included, and proofs that 64 bits hold them |
//! | [`condition`], [`domain`] | the constraints of an `scf.if`; the iterations in which an operation runs |
//! | [`alias`], `forwarding` | the memory that a memref may be; the values that loops, branches and selects pass on |
//! | [`access`], [`callee`], [`load_store`], [`opaque`] | the elements that an operation reads and writes; those that a declared function does; whether that is one element; operations of unknown effects |
//! | [`update`] | which atomic updates commute |
//! | [`system`], `bundle`, [`budget`] | the polyhedron of a dependence question; many accesses as one box; what questions may cost |
//! | [`dependence`] | whether two accesses touch one element, and at what distance |
//! | [`parallel`], [`repeatable`] | whether a loop is parallel; which statements an inner loop may repeat |
//! | [`reduction`], [`arg_reduction`], [`band`] | values that a loop carries through one associative operation, argmin and argmax; how `affine.parallel` combines what it yields |
//! | [`coverage`] | whether an iteration has written all that it reads |
//! | [`bounds`], `constant_nest` | whether an access stays in range |
//! | [`stride`], `multiples` | how far apart accesses of neighbouring iterations are; powers of two that divide index values |
//! | `work`, `estimate` | how many operations a loop takes, as a number or an expression over sizes |
//! | [`eligible`], `buffers`, [`workgroup_memory`] | what keeps a nest out of a kernel; what a kernel is given |
//! | `phase_statements`, [`uniform`] | what threads of a workgroup may share or repeat, and agree on |
//! | `loop_labels`, `source_names` | names of loops and values in the source |
//!
//! [`effects`] and [`globals`] (side effects of an operation, contents of constant memory) are those of `gridloom-rewrite`.
//! Every answer is conservative: unknown counts as dependent.

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
pub mod loop_kind;
pub(crate) mod loop_labels;
pub(crate) mod multiples;
pub mod opaque;
pub mod parallel;
pub(crate) mod phase_statements;
pub mod record_reduction;
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
