//! The operations gridloom knows: one module a dialect, one table row an
//! operation, its typed view beside it.
//!
//! To add an operation, add a row to its dialect's table. The ids of known
//! operations are the positions in [`TABLES`], so they are constants.

use crate::op::OpDef;

/// Declares a dialect's operations: `NAME = OpDef { … };` rows in order. Makes
/// the table `OPS` and a constant of type [`OpName`](crate::op::OpName) for
/// each. `after` names the dialect whose ids come before.
macro_rules! dialect_ops {
    (after $previous:expr; $($(#[$doc:meta])* $name:ident = $def:expr;)*) => {
        /// The rows of this dialect, in the order of their ids.
        pub static OPS: &[$crate::op::OpDef] = &[$($def),*];
        const FIRST: u32 = $previous;
        /// The first id after this dialect.
        pub(crate) const END: u32 = FIRST + Position::Count as u32;
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[repr(u32)]
        enum Position { $($name,)* Count }
        $(
            $(#[$doc])*
            pub const $name: $crate::op::OpName =
                $crate::op::OpName(FIRST + Position::$name as u32);
        )*
    };
}

pub mod affine;
pub mod arith;
pub mod builtin;
pub mod cf;
pub mod func;
pub mod gpu;
pub mod math;
pub mod memref;
pub mod scf;

/// All tables, in the order of their ids.
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
];

/// Number of known operations: their ids are the ones below it.
pub(crate) const KNOWN: u32 = gpu::END;
