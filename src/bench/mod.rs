//! Benchmark: kernels written as plain loops, measured beside hand-written kernels and plain Rust.
//!
//! [`catalog`] has the kernels, [`polybench`] the programs of PolyBench. Each is a program
//! ([`kernel`]), a reference in plain Rust, and a hand-written shader ([`peer`]). [`mod@measure`]
//! runs all of them on the same contents, compares every result with the reference's, and times the
//! correct ones ([`sample`]); [`check()`] only compares. [`work`] counts a program's operations and
//! bytes from its loops. A [`Report`] is printed ([`table`]), written as JSON ([`report`]) or as a
//! page with charts ([`html`]), and compared with another one ([`mod@compare`]).
//!
//! Times are of the steady state: arguments stay on the device, kernels are compiled, and a run
//! goes from the call of the entry function until the last kernel is done.

pub mod array;
pub mod catalog;
mod check;
pub mod compare;
pub mod html;
pub mod kernel;
pub mod measure;
pub mod peer;
pub mod polybench;
pub mod report;
pub mod sample;
mod subject;
pub mod table;
pub mod work;

pub use catalog::KERNELS;
pub use check::check;
pub use kernel::{Kernel, Precision, Size};
pub use measure::{Options, measure};
pub use polybench::POLYBENCH;
pub use report::{Report, Roofline, Row, SCHEMA};
