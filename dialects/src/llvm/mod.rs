//! The `llvm` dialect: intrinsics, and aggregates.
//!
//! Its types and attributes are foreign and travel as text.

use gridloom_ir::constraints::*;
use gridloom_ir::op::{AttrConstraint, OpDef, Storage, Traits};

mod form;
pub mod intrinsics;
mod types;

use types::COMPATIBLE;
pub use types::{leaves, leaves_at};

const BUNDLE_TAGS: AttrConstraint = AttrConstraint {
    summary: "array attribute",
    storage: Storage::Exact,
    check: |c, a| a.as_array(c).is_some(),
};

const FASTMATH: AttrConstraint = AttrConstraint {
    summary: "LLVM fastmath flags",
    storage: Storage::Any,
    check: types::is_fastmath,
};

/// Row of a value that follows from its type alone, without operands.
const fn value(name: &'static str) -> OpDef {
    OpDef::new(name)
        .with(Traits::PURE)
        .with(Traits::CONSTANT_LIKE)
        .results(const { &[one("res", COMPATIBLE)] })
        .format("attr-dict `:` type($res)")
}

dialect_ops! {
    after super::bufferization::END;
    /// `llvm.call_intrinsic`: calls an intrinsic of LLVM by its name.
    CALL_INTRINSIC = OpDef::new("llvm.call_intrinsic")
        .with(Traits::ATTR_SIZED_OPERANDS)
        .operands(&[many("args", COMPATIBLE), many("op_bundle_operands", COMPATIBLE)])
        .results(&[maybe("results", COMPATIBLE)])
        .attrs(&[
            attr("intrin", STRING),
            attr("fastmathFlags", FASTMATH).or("#llvm.fastmath<none>"),
            attr("op_bundle_sizes", I32_ARRAY),
            attr("op_bundle_tags", BUNDLE_TAGS).optional(),
            ARG_ATTRS,
            RES_ATTRS,
        ])
        .custom(form::parse_call, form::print_call)
        .verify_kind(form::verify_call);
    /// `llvm.mlir.poison`: a value whose use is undefined.
    MLIR_POISON = value("llvm.mlir.poison");
    /// `llvm.mlir.undef`: any value of the type.
    MLIR_UNDEF = value("llvm.mlir.undef");
    /// `llvm.mlir.zero`: the value of the type whose bits are 0.
    MLIR_ZERO = value("llvm.mlir.zero");
    /// `llvm.extractvalue`: a field of a struct or an element of an array.
    EXTRACTVALUE = OpDef::new("llvm.extractvalue")
        .with(Traits::PURE)
        .operands(&[one("container", types::AGGREGATE)])
        .results(&[one("res", COMPATIBLE)])
        .attrs(&[attr("position", I64_ARRAY)])
        .custom(form::parse_extract, form::print_extract)
        .verify_kind(form::verify_extract);
    /// `llvm.insertvalue`: an aggregate with another field or element at a position.
    INSERTVALUE = OpDef::new("llvm.insertvalue")
        .with(Traits::PURE)
        .operands(&[one("container", types::AGGREGATE), one("value", COMPATIBLE)])
        .results(&[one("res", types::AGGREGATE)])
        .attrs(&[attr("position", I64_ARRAY)])
        .custom(form::parse_insert, form::print_insert)
        .verify_kind(form::verify_insert);
}
