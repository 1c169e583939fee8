//! The `spirv` dialect: SPIR-V as operations, types and attributes.
//!
//! The rows are grouped by family of operations; [`view`] decodes the types, [`make`] makes them.
//! Operations without a row use the generic form.

use gridloom_ir::symbols::Symbols;

pub mod arithmetic;
pub mod arm;
pub mod atomic;
pub mod bit;
pub mod cast;
pub mod cl;
pub mod composite;
pub mod control;
pub mod gl;
pub mod group;
pub mod image;
pub mod logical;
pub mod make;
pub mod matrix;
pub mod memory;
pub mod structure;
pub mod view;

pub(crate) mod abi;
mod attrs;
mod composite_check;
mod composite_form;
mod constraints;
mod control_check;
mod control_form;
mod enums;
mod form;
mod image_check;
mod memory_check;
mod memory_form;
mod result_names;
mod rows;
mod scope;
mod structure_check;
mod structure_form;
mod types;
mod types_struct;

pub use control::{BRANCH, BRANCH_CONDITIONAL, SWITCH};
pub use structure::{FUNC, MODULE};

/// The dialect's types and attributes.
pub(crate) static SYMBOLS: Symbols = Symbols {
    dialect: "spirv",
    types: types::TYPES,
    attrs: attrs::ATTRIBUTES,
};
