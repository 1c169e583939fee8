//! Rewriting of function bodies.
//!
//! - [`rewriter`] keeps use lists while a body changes, and a worklist of operations to visit.
//! - [`canonicalize`] brings a body into one form; programs add [rules](canonicalize::Rules).
//! - [`compose`] and [`normal`] bring affine maps into theirs.
//! - [`effects`] and [`globals`] say what rewrites may rely on.
//!
//! This crate knows the IR alone: no dependences, no schedules.

pub mod canonicalize;
pub mod compose;
pub mod effects;
pub mod globals;
pub mod normal;
pub mod rewriter;

/// The most iterations that a loop is taken to run: more would take days.
pub const MAX_TRIPS: i128 = 1 << 48;
