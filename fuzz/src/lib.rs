//! End-to-end fuzzing: random programs with an independent evaluator, run through every pass, the
//! interpreter and the drivers.
//!
//! [`generate`] draws a program as a tree that has nothing to do with gridloom's IR, [`eval`] says
//! what it computes, [`mod@print`] writes it as MLIR, and [`campaign`] compares gridloom's results
//! with it. `fuzz/README.md` describes how to run it and what it has found.

pub mod affine;
pub mod campaign;
pub mod check;
pub mod compare;
pub mod dependences;
pub mod device;
pub mod eval;
pub mod generate;
mod pass_options;
pub mod pipeline_check;
pub mod print;
pub mod program;
pub mod random;
pub mod reduce;
pub mod repair;
pub mod scalar;
pub mod schedules;
pub mod sets;
pub mod tuned;
pub mod types;
mod uses;
