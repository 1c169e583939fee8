//! Operations of MLIR's older eras, and what they are today.
//!
//! The core reads the old spellings of types, attributes, affine expressions and tokens
//! ([`gridloom_ir::text`]), and asks this module for operations: whether a name is an
//! old one, and to read such an operation. What comes out are operations of today.

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

/// What the reader of text asks for in old files.
pub(crate) const OPERATIONS: OldOperations = OldOperations {
    is_old: operation::is_old,
    read: operation::read,
    quoted_types: &[("llvm", llvm::quoted_type)],
};
