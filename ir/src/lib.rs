//! IR data structures, text, bytecode and verifier: MLIR's language as data.
//!
//! A [`Context`] interns everything without identity — types, attributes, affine expressions,
//! names, locations — and such things compare by id. Operations, blocks, regions and values have
//! identity and live in the arenas of a [`Body`], one for each operation isolated from above.
//! [`text`] reads and prints MLIR text, [`bytecode`] MLIR's binary form, [`mod@verify`] is the
//! verifier. The core knows no dialect: a [`DialectRegistry`] gives a context the rows of operations.

pub mod hash;
mod intern;

pub mod body;
pub mod builder;
pub mod bytecode;
pub mod clone;
pub mod constraints;
pub mod context;
pub mod diag;
pub mod elements;
pub mod equal;
pub mod fold;
mod hit_budget;
mod input;
pub mod layout;
mod lexer;
pub mod module;
pub mod op;
pub mod registry;
pub mod scalar;
mod swar;
#[cfg(test)]
mod test_dialect;
pub mod text;
pub mod threads;
pub mod verify;

pub use affine::{AffineExpr, AffineMap, IntegerSet};
pub use attr::{Attr, AttrDict, AttrKind};
pub use body::{BlockId, Body, OpId, OpState, RegionId, Value};
pub use builder::{Builder, InsertPoint};
pub use clone::IrMapping;
pub use context::{Context, Ident, OpName};
pub use context::{affine, attr, attr_names, location, source, types};
pub use diag::{Diagnostic, Diagnostics, Severity};
pub use input::{read_module, read_part};
pub use location::Loc;
pub use module::{Module, SymbolTable};
pub use registry::{Dialect, DialectRegistry, RegistryError};
pub use text::symbols;
pub use types::{Type, TypeKind};
