//! Composites and constants: structs, arrays, vectors.

#![allow(missing_docs)] // Each constant is the operation that its row names.

use super::composite_check::*;
use super::composite_form::*;
use super::constraints::*;
use super::form::has_no_attributes;
use super::result_names;
use gridloom_ir::constraints::{ANY_ATTR, attr, follows, many, one, same};
use gridloom_ir::op::{OpDef, ResultName, Traits, TypeRule};

/// The index path to a part of a composite.
const INDICES: gridloom_ir::op::AttrDef = attr("indices", I32_LIST);

/// A type rule: `target` has the element type of `vector`.
const fn element(target: &'static str, summary: &'static str) -> TypeRule {
    follows(target, "vector", |c, t| t.element(c), summary)
}

dialect_ops! {
    after super::cl::END;
    COMPOSITE_CONSTRUCT = OpDef::new("spirv.CompositeConstruct")
        .with(Traits::PURE)
        .operands(&[many("constituents", ANY_SPIRV)])
        .results(&[one("result", COMPOSITE)])
        .format("$constituents attr-dict `:` `(` type(operands) `)` `->` type($result)")
        .verify_kind(verify_construct);
    COMPOSITE_EXTRACT = OpDef::new("spirv.CompositeExtract")
        .with(Traits::PURE)
        .operands(&[one("composite", COMPOSITE)])
        .results(&[one("component", ANY_SPIRV)])
        .attrs(&[INDICES])
        .custom(parse_extract, print_extract)
        .printed_if(has_no_attributes)
        .verify_kind(verify_extract);
    COMPOSITE_INSERT = OpDef::new("spirv.CompositeInsert")
        .with(Traits::PURE)
        .operands(&[one("object", ANY_SPIRV), one("composite", COMPOSITE)])
        .results(&[one("result", COMPOSITE)])
        .attrs(&[INDICES])
        .custom(parse_insert, print_insert)
        .printed_if(has_no_attributes)
        .verify_kind(verify_insert);
    CONSTANT = OpDef::new("spirv.Constant")
        .result_named(ResultName::Of(result_names::constant))
        .with(Traits::CONSTANT_LIKE)
        .with(Traits::PURE)
        .results(&[one("constant", ANY_SPIRV)])
        .attrs(&[attr("value", ANY_ATTR)])
        .custom(parse_constant, print_constant)
        .printed_if(has_no_attributes)
        .verify_kind(verify_constant);
    CONSTANT_COMPOSITE_REPLICATE = OpDef::new("spirv.EXT.ConstantCompositeReplicate")
        .with(Traits::PURE)
        .results(&[one("replicated_constant", COMPOSITE)])
        .attrs(&[attr("value", ANY_ATTR)])
        .format("` ` `[` $value `]` `:` type($replicated_constant) attr-dict")
        .verify_kind(verify_replicate);
    UNDEF = OpDef::new("spirv.Undef")
        .with(Traits::PURE)
        .results(&[one("result", ANY_SPIRV)])
        .format("attr-dict `:` type($result)");
    VECTOR_EXTRACT_DYNAMIC = OpDef::new("spirv.VectorExtractDynamic")
        .with(Traits::PURE)
        .operands(&[one("vector", VECTOR), one("index", INTEGER)])
        .results(&[one("result", SCALAR)])
        .infer(&[element("result", "type of 'result' matches element type of 'vector'")])
        .format("$vector `[` $index `]` attr-dict `:` type($vector) `,` type($index)");
    VECTOR_INSERT_DYNAMIC = OpDef::new("spirv.VectorInsertDynamic")
        .with(Traits::PURE)
        .operands(&[one("vector", VECTOR), one("component", SCALAR), one("index", INTEGER)])
        .results(&[one("result", VECTOR)])
        .infer(&[
            element("component", "type of 'component' matches element type of 'vector'"),
            same(&["vector", "result"], "all of {vector, result} have same type"),
        ])
        .format("$component `,` $vector `[` $index `]` attr-dict \
            `:` type($vector) `,` type($index)");
    VECTOR_SHUFFLE = OpDef::new("spirv.VectorShuffle")
        .with(Traits::PURE)
        .operands(&[one("vector1", VECTOR), one("vector2", VECTOR)])
        .results(&[one("result", VECTOR)])
        .attrs(&[attr("components", I32_LIST)])
        .format("attr-dict $components $vector1 `,` $vector2 \
            `:` type($vector1) `,` type($vector2) `->` type($result)")
        .verify_kind(verify_shuffle);
}
