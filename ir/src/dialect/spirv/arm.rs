//! Operations on graphs of tensors.

#![allow(missing_docs)] // Each constant is the operation that its row names.

use super::constraints::TENSOR_ARM;
use crate::dialect::constraints::{I32_ATTR, attr, many, one};
use crate::op::{OpDef, Traits};
use crate::verify::{Check, Checked};

dialect_ops! {
    after super::matrix::END;
    GRAPH_CONSTANT = OpDef::new("spirv.ARM.GraphConstant")
        .with(Traits::CONSTANT_LIKE)
        .with(Traits::PURE)
        .results(&[one("output", TENSOR_ARM)])
        .attrs(&[attr("graph_constant_id", I32_ATTR)])
        .format("attr-dict `:` type($output)")
        .verify(in_graph);
    GRAPH_OUTPUTS = OpDef::new("spirv.ARM.GraphOutputs")
        .with(Traits::PURE)
        .with(Traits::TERMINATOR)
        .operands(&[many("value", TENSOR_ARM)])
        .format("$value attr-dict `:` type($value)")
        .verify(in_graph);
}

fn in_graph(check: &Check) -> Checked {
    let is_graph = |check: &Check| check.ctx().op_name_str(check.name()) == "spirv.ARM.Graph";
    let mut at = check.parent();
    while let Some(parent) = at {
        if is_graph(&parent) {
            return Ok(());
        }
        at = parent.parent();
    }
    let message = "failed to verify that op must appear in a spirv.ARM.Graph op's block";
    Err(check.error(message))
}
