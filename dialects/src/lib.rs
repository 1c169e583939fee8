//! Known operations: a module for each dialect, with a row and a typed view for
//! each operation.
//!
//! To add an operation, add a row to its dialect's table. The names of known operations are the
//! positions in [`TABLES`], so they are constants: of contexts made with [`registry`], to which a
//! program may add dialects of its own.

use std::sync::LazyLock;

use gridloom_ir::context::Context;
use gridloom_ir::op::{OpDef, OpName, OpSignature};
use gridloom_ir::registry::{DialectRegistry, ElementOf, Tables};
use gridloom_ir::symbols::Symbols;
use gridloom_ir::verify::AttributeCheck;

/// Declares a dialect's operations: `NAME = OpDef { … };` rows in order.
/// Defines the table `OPS` and a constant of type [`OpName`]
/// for each row. `after` is the dialect whose ids precede.
macro_rules! dialect_ops {
    (after $previous:expr; $($(#[$doc:meta])* $name:ident = $def:expr;)*) => {
        /// The rows of this dialect, in the order of their ids.
        pub static OPS: &[gridloom_ir::op::OpDef] = &[$($def),*];
        const FIRST: u32 = $previous;
        /// The first id after this dialect.
        pub(crate) const END: u32 = FIRST + Position::Count as u32;
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[repr(u32)]
        enum Position { $($name,)* Count }
        $(
            $(#[$doc])*
            pub const $name: gridloom_ir::op::OpName =
                gridloom_ir::op::OpName::of_row(
                    FIRST + Position::$name as u32,
                    OPS[Position::$name as usize].signature.traits,
                );
        )*
    };
}

/// Declares the typed view of an operation, a copyable wrapper of its id.
///
/// Accessors of a view panic on an operation that was not verified (if its map
/// is missing, say). Code that reads unverified input must use
/// [`OpData`].
macro_rules! op_view {
    ($(#[$doc:meta])* $view:ident = $name:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $view(pub gridloom_ir::body::OpId);

        impl $view {
            /// The view of an operation, if it has this name.
            pub fn cast(body: &gridloom_ir::body::Body, op: gridloom_ir::body::OpId) -> Option<Self> {
                (body[op].name == $name).then_some($view(op))
            }
        }
    };
}

pub mod affine;
mod allocation;
pub mod arith;
pub mod r#async;
pub mod bufferization;
pub mod builtin;
pub mod cf;
pub mod complex;
mod constant_name;
mod fields;
mod folds;
pub mod func;
pub mod gpu;
pub mod gridloom;
pub mod index;
pub mod inherent;
pub mod integer_range;
mod legacy;
pub mod llvm;
pub mod math;
pub mod memory_space;
pub mod memref;
mod reshape;
pub mod scf;
mod slice;
pub mod sparse_tensor;
pub mod spirv;
pub mod tensor;
pub mod ub;
pub mod vector;
mod verified;

/// The tables of all dialects, in the order of their ids.
pub(crate) static TABLES: &[&[OpDef]] = &[
    builtin::OPS,
    func::OPS,
    cf::OPS,
    scf::OPS,
    arith::OPS,
    math::OPS,
    affine::OPS,
    memref::OPS,
    gpu::OPS,
    gpu::sparse::OPS,
    vector::OPS,
    index::OPS,
    ub::OPS,
    complex::OPS,
    tensor::OPS,
    bufferization::OPS,
    llvm::OPS,
    llvm::intrinsics::OPS,
    spirv::arithmetic::OPS,
    spirv::bit::OPS,
    spirv::logical::OPS,
    spirv::cast::OPS,
    spirv::gl::OPS,
    spirv::cl::OPS,
    spirv::composite::OPS,
    spirv::control::OPS,
    spirv::memory::OPS,
    spirv::structure::OPS,
    spirv::atomic::OPS,
    spirv::group::OPS,
    spirv::image::OPS,
    spirv::matrix::OPS,
    spirv::arm::OPS,
    r#async::OPS,
    sparse_tensor::OPS,
];

/// The types and attributes that known dialects define.
static SYMBOLS: &[&Symbols] = &[
    &Symbols::none("affine"),
    &Symbols::none("builtin"),
    &arith::SYMBOLS,
    &r#async::SYMBOLS,
    &Symbols::none("cf"),
    &Symbols::none("func"),
    &gpu::SYMBOLS,
    &Symbols::none("math"),
    &Symbols::none("memref"),
    &Symbols::none("scf"),
    &spirv::SYMBOLS,
    &Symbols::none("tensor"),
    &complex::SYMBOLS,
    &index::SYMBOLS,
    &ub::SYMBOLS,
    &Symbols::none("bufferization"),
    &vector::SYMBOLS,
];

/// The types that vectors or memrefs may have for elements, of dialects whose types travel as text.
static ELEMENTS: &[(&str, &str, ElementOf)] = &[
    ("llvm", "ppc_fp128", ElementOf::BOTH),
    ("llvm", "ptr", ElementOf::VECTORS),
    ("ptr", "ptr", ElementOf::BOTH),
];

/// The checks of discardable attributes, by dialect prefix.
static ATTRIBUTE_CHECKS: &[(&str, AttributeCheck)] = &[
    ("bufferization", bufferization::attrs::verify_attribute),
    ("gpu", gpu::attrs::verify_attribute),
    ("gridloom", gridloom::verify_attribute),
    ("spirv", spirv::abi::verify_attribute),
];

/// The dialects of MLIR 22, sorted.
const UPSTREAM: [&str; 48] = [
    "acc",
    "affine",
    "amdgpu",
    "amx",
    "arith",
    "arm_neon",
    "arm_sme",
    "arm_sve",
    "async",
    "bufferization",
    "builtin",
    "cf",
    "complex",
    "dlti",
    "emitc",
    "func",
    "gpu",
    "index",
    "irdl",
    "linalg",
    "llvm",
    "math",
    "memref",
    "ml_program",
    "mpi",
    "nvgpu",
    "nvvm",
    "omp",
    "pdl",
    "pdl_interp",
    "ptr",
    "quant",
    "rocdl",
    "scf",
    "shape",
    "shard",
    "smt",
    "sparse_tensor",
    "spirv",
    "tensor",
    "tosa",
    "transform",
    "ub",
    "vector",
    "wasmssa",
    "x86vector",
    "xegpu",
    "xevm",
];

/// The number of MLIR 22's operations in each dialect.
const COUNTS: [(&str, usize); 15] = [
    ("affine", 14),
    ("arith", 51),
    ("bufferization", 11),
    ("builtin", 2),
    ("cf", 4),
    ("complex", 29),
    ("func", 5),
    ("gpu", 66),
    ("index", 26),
    ("math", 46),
    ("memref", 32),
    ("scf", 12),
    ("tensor", 21),
    ("ub", 2),
    ("vector", 39),
];

/// Dialects that have a row for each of MLIR's operations: an unknown operation of one is an error.
/// `llvm` and `spirv` accept unknown operations.
static COMPLETE: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let rows = |dialect: &str| {
        let of = |def: &&OpSignature| def.name.split_once('.').is_some_and(|(d, _)| d == dialect);
        ops().filter(of).count()
    };
    let complete = COUNTS.iter().filter(|&&(name, count)| rows(name) >= count);
    complete.map(|&(name, _)| name).collect()
});

/// Upstream's messages about types and attributes that a dialect does not define: the text before
/// the name.
const UNKNOWN_SYMBOLS: &[(&str, [Option<&str>; 2])] = &[
    ("gpu", [Some("unknown gpu type"), None]),
    (
        "spirv",
        [
            Some("unknown SPIR-V type"),
            Some("unknown SPIR-V attribute kind"),
        ],
    ),
];

/// The registry of the dialects of this crate, to which a program may add its own.
pub fn registry() -> DialectRegistry {
    DialectRegistry::of_tables(Tables {
        ops: TABLES,
        symbols: SYMBOLS,
        elements: ELEMENTS,
        attribute_checks: ATTRIBUTE_CHECKS,
        complete: &COMPLETE,
        // SPIR-V grows by extensions: its dialect takes any name.
        open: &["spirv"],
        nests_short: &["llvm"],
        unknown_symbols: UNKNOWN_SYMBOLS,
        constant: arith::CONSTANT,
        folds: folds::COMMON,
        old_operations: legacy::OPERATIONS,
        upstream: &UPSTREAM,
    })
}

/// The number of operations: the numbers of their rows are below it.
const COUNT: usize = sparse_tensor::END as usize;

/// The signatures of all rows, by number.
static ROWS: [&OpSignature; COUNT] = {
    let mut rows = [&TABLES[0][0].signature; COUNT];
    let (mut number, mut table) = (0, 0);
    while table < TABLES.len() {
        let mut row = 0;
        while row < TABLES[table].len() {
            rows[number] = &TABLES[table][row].signature;
            row += 1;
            number += 1;
        }
        table += 1;
    }
    assert!(number == COUNT, "every dialect has its table here");
    rows
};

/// The signature of an operation of this crate, for code that asks whether one belongs to a dialect
/// that it knows. [`Context::op_signature`] has those of all dialects.
pub fn signature(name: OpName) -> Option<&'static OpSignature> {
    let number = name.has_row().then(|| name.index())?;
    ROWS.get(number).copied()
}

/// A context that knows the dialects of this crate.
pub fn context() -> Context {
    Context::new(registry())
}

/// The signatures of the operations of this crate, in the order of their numbers.
pub fn ops() -> impl Iterator<Item = &'static OpSignature> {
    ROWS.iter().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_declared_form_compiles() {
        let ctx = context();
        for def in ops() {
            gridloom_ir::text::check_row(&ctx, ctx.op_name(def.name)).expect("the form is right");
        }
    }

    #[test]
    fn known_names_are_constants() {
        let ctx = context();
        assert_eq!(builtin::MODULE, gridloom_ir::op::OpName::ROOT);
        assert_eq!(ctx.op_name("arith.addi"), arith::ADDI);
        assert_eq!(ctx.op_name("gpu.yield"), gpu::YIELD);
        assert_eq!(ctx.op_name_str(affine::FOR), "affine.for");
        for def in ops() {
            let name = ctx.op_name(def.name);
            assert_eq!(ctx.op_signature(name).map(|d| d.name), Some(def.name));
        }
        assert!(ctx.op_signature(ctx.op_name("foo.bar")).is_none());
    }
}
