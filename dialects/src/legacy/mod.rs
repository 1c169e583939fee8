//! Operations of MLIR's older eras: readers that upgrade them to operations of today.
//!
//! The core reads the old spellings of types, attributes, affine expressions and tokens
//! ([`gridloom_ir::text`]), and asks this module for operations: whether a name is an old one, and
//! to read such an operation. The reader makes operations of today.

mod apply;
mod arith;
mod bounds;
mod effects;
mod emit;
mod func;
mod llvm;
mod memory;
mod op_names;
mod operation;
mod schedule;
mod statements;
mod views;

use gridloom_ir::text::OldOperations;

/// Old operations of this crate, which the reader of text asks for in old files.
pub(crate) const OPERATIONS: OldOperations = OldOperations {
    is_old: operation::is_old,
    read: operation::read,
    quoted_types: &[("llvm", llvm::quoted_type)],
};
