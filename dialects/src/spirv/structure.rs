//! Modules, functions, global variables and constants, entry points.

#![allow(missing_docs)] // Each constant is the operation that its row names.

use super::constraints::*;
use super::form::has_no_attributes;
use super::result_names;
use super::structure_check::*;
use super::structure_form::*;
use gridloom_ir::attr::Attr;
use gridloom_ir::constraints::{
    ANY, ARG_ATTRS, FLAT_SYMBOL, FUNCTION_TYPE, I32_ATTR, RES_ATTRS, STRING, SYMBOL_NAME,
    SYMBOL_REF, TYPED, attr, one,
};
use gridloom_ir::context::Context;
use gridloom_ir::op::{AttrConstraint, AttrDef, OpDef, ResultName, RowTraits, Storage, Traits};

/// A type attribute.
const TYPE: AttrDef = attr(
    "type",
    AttrConstraint {
        summary: "any type attribute",
        storage: Storage::Exact,
        check: |c, a| a.as_type(c).is_some(),
    },
);

const VCE: AttrDef = attr(
    "vce_triple",
    AttrConstraint {
        summary: "version-capability-extension attribute",
        storage: Storage::Exact,
        check: is_vce,
    },
)
.optional();

fn is_vce(ctx: &Context, attr: Attr) -> bool {
    attr.params(ctx, "spirv", "vce").is_some()
}

dialect_ops! {
    after super::memory::END;
    ADDRESS_OF = OpDef::new("spirv.mlir.addressof")
        .result_named(ResultName::Of(result_names::address))
        .with(Traits::PURE)
        .results(&[one("pointer", POINTER)])
        .attrs(&[attr("variable", FLAT_SYMBOL)])
        .format("$variable attr-dict `:` type($pointer)")
        .verify(verify_address_of);
    ENTRY_POINT = OpDef::new("spirv.EntryPoint")
        .attrs(&[EXECUTION_MODEL, attr("fn", FLAT_SYMBOL), attr("interface", SYMBOL_LIST)])
        .custom(parse_entry_point, print_entry_point)
        .printed_if(has_no_attributes)
        .verify(super::scope::in_module);
    EXECUTION_MODE_OP = OpDef::new("spirv.ExecutionMode")
        .attrs(&[attr("fn", FLAT_SYMBOL), EXECUTION_MODE, attr("values", I32_LIST)])
        .custom(parse_execution_mode, print_execution_mode)
        .printed_if(has_no_attributes)
        .verify(super::scope::in_module);
    FUNC = OpDef::new("spirv.func")
        .with(Traits::AUTOMATIC_ALLOCATION_SCOPE)
        .with(Traits::ISOLATED_FROM_ABOVE)
        .with(Traits::SYMBOL)
        .attrs(&[
            attr("function_type", FUNCTION_TYPE),
            ARG_ATTRS,
            RES_ATTRS,
            SYMBOL_NAME,
            FUNCTION_CONTROL,
            LINKAGE,
        ])
        .regions(1)
        .custom(parse_func, print_func)
        .verify(verify_func);
    GLOBAL_VARIABLE = OpDef::new("spirv.GlobalVariable")
        .with(Traits::SYMBOL)
        .attrs(&[
            TYPE,
            SYMBOL_NAME,
            attr("initializer", FLAT_SYMBOL).optional(),
            attr("location", I32_ATTR).optional(),
            attr("binding", I32_ATTR).optional(),
            attr("descriptor_set", I32_ATTR).optional(),
            attr("built_in", STRING).optional(),
            LINKAGE,
        ])
        .custom(parse_global_variable, print_global_variable)
        .verify(verify_global_variable);
    MODULE = OpDef::new("spirv.module")
        .with(Traits::ISOLATED_FROM_ABOVE)
        .with_row(RowTraits::NO_REGION_ARGUMENTS)
        .with_row(RowTraits::NO_TERMINATOR)
        .with_row(RowTraits::SINGLE_BLOCK)
        .with(Traits::SYMBOL)
        .with(Traits::SYMBOL_TABLE)
        .attrs(&[ADDRESSING_MODEL, MEMORY_MODEL, VCE, attr("sym_name", STRING).optional()])
        .regions(1)
        .custom(parse_module, print_module)
        .verify(verify_module);
    REFERENCE_OF = OpDef::new("spirv.mlir.referenceof")
        .with(Traits::PURE)
        .results(&[one("reference", ANY_SPIRV)])
        .attrs(&[attr("spec_const", FLAT_SYMBOL)])
        .format("$spec_const attr-dict `:` type($reference)")
        .verify(verify_reference_of);
    SPEC_CONSTANT = OpDef::new("spirv.SpecConstant")
        .with(Traits::SYMBOL)
        .attrs(&[SYMBOL_NAME, attr("default_value", TYPED)])
        .custom(parse_spec_constant, print_spec_constant)
        .printed_if(spec_constant_form_is_lossless)
        .verify(verify_spec_constant);
    SPEC_CONSTANT_COMPOSITE = OpDef::new("spirv.SpecConstantComposite")
        .with(Traits::SYMBOL)
        .attrs(&[TYPE, SYMBOL_NAME, attr("constituents", SYMBOL_LIST)])
        .custom(parse_spec_composite, print_spec_composite)
        .printed_if(has_no_attributes)
        .verify(verify_spec_composite);
    SPEC_CONSTANT_COMPOSITE_REPLICATE = OpDef::new("spirv.EXT.SpecConstantCompositeReplicate")
        .with(Traits::SYMBOL)
        .attrs(&[TYPE, SYMBOL_NAME, attr("constituent", SYMBOL_REF)])
        .custom(parse_spec_replicate, print_spec_replicate)
        .printed_if(has_no_attributes)
        .verify(verify_spec_replicate);
    SPEC_CONSTANT_OPERATION = OpDef::new("spirv.SpecConstantOperation")
        .with(Traits::PURE)
        .results(&[one("result", ANY)])
        .regions(1)
        .terminator("spirv.mlir.yield")
        .custom(parse_spec_operation, print_spec_operation)
        .printed_if(spec_operation_form_is_lossless)
        .looking_inside()
        .verify(verify_spec_operation);
    ASSUME_TRUE = OpDef::new("spirv.KHR.AssumeTrue")
        .operands(&[one("condition", BOOL)])
        .format("$condition attr-dict");
}
