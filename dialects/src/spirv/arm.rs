//! Tensor graphs of the ARM extensions.

#![allow(missing_docs)] // Each constant is the operation that its row names.

use super::constraints::{SYMBOL_LIST, TENSOR_ARM};
use super::form::has_no_attributes;
use super::scope::{in_module, plain_error};
use super::structure_form::{
    parse_function_and_interface, parse_name, print_function_and_interface, print_name,
};
use super::view::is_spirv;
use crate::func::check::{signature_of, verify_argument_attrs, verify_entry};
use crate::func::form::{SPELLED, parse_signature, print_signature};
use gridloom_ir::body::{Body, OpId};
use gridloom_ir::constraints::{
    ARG_ATTRS, BOOL, FLAT_SYMBOL, FUNCTION_TYPE, I32_ATTR, RES_ATTRS, SYMBOL_NAME, attr, many, one,
};
use gridloom_ir::context::Context;
use gridloom_ir::op::{AttrConstraint, OpDef, Storage, Traits};
use gridloom_ir::text::{OpParser, OpPrinter, ParseFailed};
use gridloom_ir::types::Type;
use gridloom_ir::verify::{Check, Checked};

/// MLIR has a separate type for graphs, whose text is that of a function type.
const GRAPH_TYPE: AttrConstraint = AttrConstraint {
    summary: "type attribute of graph type",
    storage: Storage::Type,
    check: FUNCTION_TYPE.check,
};

dialect_ops! {
    after super::matrix::END;
    GRAPH = OpDef::new("spirv.ARM.Graph")
        .with(Traits::AUTOMATIC_ALLOCATION_SCOPE)
        .with(Traits::ISOLATED_FROM_ABOVE)
        .with(Traits::SYMBOL)
        .attrs(&[
            attr("function_type", GRAPH_TYPE),
            ARG_ATTRS,
            RES_ATTRS,
            attr("entry_point", BOOL).optional(),
            SYMBOL_NAME,
        ])
        .regions(1)
        .custom(parse_graph, print_graph)
        .verify(verify_graph);
    GRAPH_CONSTANT = OpDef::new("spirv.ARM.GraphConstant")
        .with(Traits::CONSTANT_LIKE)
        .with(Traits::PURE)
        .results(&[one("output", TENSOR_ARM)])
        .attrs(&[attr("graph_constant_id", I32_ATTR)])
        .format("attr-dict `:` type($output)")
        .verify(in_graph);
    GRAPH_ENTRY_POINT = OpDef::new("spirv.ARM.GraphEntryPoint")
        .attrs(&[attr("fn", FLAT_SYMBOL), attr("interface", SYMBOL_LIST)])
        .custom(parse_function_and_interface, print_function_and_interface)
        .printed_if(has_no_attributes)
        .verify(in_module);
    GRAPH_OUTPUTS = OpDef::new("spirv.ARM.GraphOutputs")
        .with(Traits::PURE)
        .with(Traits::TERMINATOR)
        .operands(&[many("value", TENSOR_ARM)])
        .format("$value attr-dict `:` type($value)")
        .verify(verify_outputs);
}

/// `@g(%a: !spirv.arm.tensor<2xf32>) -> !spirv.arm.tensor<2xf32> attributes {…} {…}`
fn parse_graph(p: &mut OpParser<'_, '_>) -> Result<(), ParseFailed> {
    parse_name(p)?;
    let signature = parse_signature(p)?;
    signature.set(p);
    p.attr_dict_with_keyword()?;
    p.optional_region(&signature.args)?;
    Ok(())
}

fn print_graph(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    print_name(p, ctx, body, op);
    print_signature(p, ctx, body, op);
    p.attr_dict_of(body, op, &SPELLED, " attributes");
    if body[op].isolated().and_then(Body::entry).is_some() {
        p.text(" ");
        p.region(body, op, 0, false, true);
    }
}

/// Verifies a graph: inputs and outputs are tensors, and there is an output.
fn verify_graph(check: &Check) -> Checked {
    in_module(check)?;
    let ctx = check.ctx();
    let Some((inputs, results)) = signature_of(ctx, check.data()) else {
        return Ok(());
    };
    check.ensure(!results.is_empty(), "there should be at least one result")?;
    for (what, types) in [("argument", inputs), ("result", results)] {
        let other = |&(_, &ty): &(usize, &Type)| !is_spirv(ctx, ty, "arm.tensor");
        if let Some((index, &ty)) = types.iter().enumerate().find(other) {
            return Err(check.error(format!(
                "type of {what} #{index} must be a TensorArmType, but got '{}'",
                check.show(ty)
            )));
        }
    }
    verify_argument_attrs(check)?;
    let own = check.data().isolated();
    own.map_or(Ok(()), |own| verify_entry(check, own, inputs))
}

/// Verifies that the outputs have the types that the graph declares.
fn verify_outputs(check: &Check) -> Checked {
    in_graph(check)?;
    let ctx = check.ctx();
    let graph = check.parent().filter(|parent| parent.name() == GRAPH);
    let Some((_, results)) = graph.and_then(|graph| signature_of(ctx, graph.data())) else {
        return Ok(());
    };
    let given = check.data().operands.len();
    check.ensure(
        given == results.len(),
        format_args!(
            "is returning {given} value(s) but enclosing spirv.ARM.Graph requires {} result(s)",
            results.len()
        ),
    )?;
    for (index, (ty, &result)) in check.operand_types().zip(results).enumerate() {
        if ty != result {
            let message = format!(
                "type of return operand {index} ('{}') doesn't match graph result type ('{}')",
                check.show(ty),
                check.show(result)
            );
            return Err(plain_error(check, message));
        }
    }
    Ok(())
}

fn in_graph(check: &Check) -> Checked {
    let mut at = check.parent();
    while let Some(parent) = at {
        if parent.name() == GRAPH {
            return Ok(());
        }
        at = parent.parent();
    }
    let message = "failed to verify that op must appear in a spirv.ARM.Graph op's block";
    Err(check.error(message))
}
