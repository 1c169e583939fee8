//! Writer: modules to MLIR text.

pub(super) mod affine;
pub(super) mod alias_scan;
pub(super) mod aliases;
mod asm_names;
pub(super) mod attr;
pub(super) mod form_cache;
pub(super) mod loc;
pub(super) mod numbering;
pub(super) mod op;
pub(super) mod op_printer;
pub(super) mod out;
pub(super) mod parallel;
pub(super) mod printer;
pub(super) mod ty;
mod value_name;
