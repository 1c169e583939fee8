//! The reader: MLIR text to modules, in one pass over the bytes.
//!
//! [`parser`] holds the state and the errors, [`op`] and [`region`] read operations, [`op_parser`]
//! is what custom forms are given. The reader is complete without [`cache`].

pub(super) mod affine;
pub(super) mod alias;
pub(super) mod attr;
pub(super) mod body_parser;
pub(super) mod cache;
pub(super) mod dense;
pub(super) mod errors;
pub(super) mod file;
pub(super) mod foreign;
pub(super) mod fragment;
pub(super) mod lists;
pub(super) mod loc;
pub(super) mod op;
pub(super) mod op_parser;
mod op_parser_attrs;
mod op_parser_regions;
mod op_parser_values;
pub(super) mod parallel;
pub(super) mod parser;
pub(super) mod region;
pub(super) mod scopes;
pub(super) mod sparse;
pub(super) mod suggest;
pub(super) mod symbol;
pub(super) mod ty;
pub(super) mod value;
