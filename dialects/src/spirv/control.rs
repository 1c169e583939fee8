//! Branches, structured control flow, returns.

#![allow(missing_docs)] // Each constant is the operation that its row names.

use super::constraints::*;
use super::control_check::*;
use super::control_form::*;
use super::enums;
use super::form::{control_form_is_lossless, has_no_attributes, parse_control, print_control};
use super::rows::terminator;
use gridloom_ir::constraints::{
    ANY, ARG_ATTRS, FLAT_SYMBOL, I32_ARRAY, INT_ELEMENTS, RES_ATTRS, attr, many, maybe, one,
};
use gridloom_ir::op::{OpDef, SuccessorOperands, Traits};

dialect_ops! {
    after super::composite::END;
    BRANCH = terminator("spirv.Branch")
        .passes(SuccessorOperands::Groups(0))
        .operands(&[many("targetOperands", ANY_SPIRV)])
        .successors(1)
        .format("$target (`(` $targetOperands^ `:` type($targetOperands) `)`)? attr-dict");
    BRANCH_CONDITIONAL = terminator("spirv.BranchConditional")
        .passes(SuccessorOperands::Groups(1))
        .with(Traits::ATTR_SIZED_OPERANDS)
        .operands(&[
            one("condition", BOOL),
            many("trueTargetOperands", ANY_SPIRV),
            many("falseTargetOperands", ANY_SPIRV),
        ])
        .attrs(&[attr("branch_weights", I32_LIST).optional()])
        .successors(2)
        .custom(parse_branch_conditional, print_branch_conditional)
        .printed_if(has_no_attributes)
        .verify(verify_branch_conditional);
    FUNCTION_CALL = OpDef::new("spirv.FunctionCall")
        .operands(&[many("arguments", ANY_SPIRV)])
        .results(&[maybe("return_value", ANY_SPIRV)])
        .attrs(&[attr("callee", FLAT_SYMBOL), ARG_ATTRS, RES_ATTRS])
        .format("$callee `(` $arguments `)` attr-dict `:` functional-type($arguments, results)")
        .verify(verify_call);
    KILL = OpDef::new("spirv.Kill").with(Traits::TERMINATOR).format("attr-dict");
    LOOP = OpDef::new("spirv.mlir.loop")
        .results(&[many("results", ANY)])
        .attrs(&[LOOP_CONTROL])
        .regions(1)
        .custom(
            |p| parse_control(p, "loop_control", &enums::LOOP_CONTROL),
            |p, c, b, o| print_control(p, c, b, o, ("loop_control", &enums::LOOP_CONTROL)),
        )
        .printed_if(|c, b, o| control_form_is_lossless(c, b, o, ("loop_control", &enums::LOOP_CONTROL)))
        .verify(verify_loop);
    MERGE = OpDef::new("spirv.mlir.merge")
        .with(Traits::PURE)
        .with(Traits::RETURN_LIKE)
        .with(Traits::TERMINATOR)
        .operands(&[many("operands", ANY)])
        .parents(&["spirv.mlir.selection", "spirv.mlir.loop"])
        .format("attr-dict ($operands^ `:` type($operands))?");
    RETURN = terminator("spirv.Return").with(Traits::RETURN_LIKE).format("attr-dict");
    RETURN_VALUE = terminator("spirv.ReturnValue")
        .with(Traits::RETURN_LIKE)
        .operands(&[one("value", ANY_SPIRV)])
        .format("$value attr-dict `:` type($value)");
    SELECTION = OpDef::new("spirv.mlir.selection")
        .results(&[many("results", ANY)])
        .attrs(&[SELECTION_CONTROL])
        .regions(1)
        .custom(
            |p| parse_control(p, "selection_control", &enums::SELECTION_CONTROL),
            |p, c, b, o| {
                print_control(p, c, b, o, ("selection_control", &enums::SELECTION_CONTROL));
            },
        )
        .printed_if(|c, b, o| {
            control_form_is_lossless(c, b, o, ("selection_control", &enums::SELECTION_CONTROL))
        })
        .verify(verify_selection);
    SWITCH = terminator("spirv.Switch")
        .passes(SuccessorOperands::Segments { first: 1, sizes: "case_operand_segments" })
        .with(Traits::ATTR_SIZED_OPERANDS)
        .operands(&[
            one("selector", INTEGER),
            many("defaultOperands", ANY),
            many("targetOperands", ANY),
        ])
        .attrs(&[
            attr("literals", INT_ELEMENTS).optional(),
            attr("case_operand_segments", I32_ARRAY),
        ])
        .any_successors()
        .custom(|p| crate::cf::parse_switch_with(p, "literals"), print_switch)
        .verify(verify_switch);
    UNREACHABLE = OpDef::new("spirv.Unreachable")
        .with(Traits::TERMINATOR)
        .format("attr-dict")
        .verify(verify_unreachable);
    YIELD = OpDef::new("spirv.mlir.yield")
        .with(Traits::PURE)
        .with(Traits::TERMINATOR)
        .operands(&[one("operand", ANY)])
        .parents(&["spirv.SpecConstantOperation"])
        .format("attr-dict $operand `:` type($operand)");
    EMIT_MESH_TASKS = OpDef::new("spirv.EXT.EmitMeshTasks")
        .with(Traits::TERMINATOR)
        .operands(&[
            one("group_count_x", UNSIGNED32),
            one("group_count_y", UNSIGNED32),
            one("group_count_z", UNSIGNED32),
            maybe("payload", POINTER),
        ])
        .format("operands attr-dict `:` type(operands)")
        .verify_kind(verify_mesh_tasks);
    SET_MESH_OUTPUTS = OpDef::new("spirv.EXT.SetMeshOutputs")
        .operands(&[one("vertex_count", UNSIGNED32), one("primitive_count", UNSIGNED32)])
        .format("operands attr-dict `:` type(operands)");
    EMIT_VERTEX = OpDef::new("spirv.EmitVertex").format("attr-dict");
    END_PRIMITIVE = OpDef::new("spirv.EndPrimitive").format("attr-dict");
}
