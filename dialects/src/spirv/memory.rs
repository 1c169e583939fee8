//! Variables, pointers, loads and stores.

#![allow(missing_docs)] // Each constant is the operation that its row names.

use super::constraints::*;
use super::form::has_no_attributes;
use super::memory_check::*;
use super::memory_form::*;
use gridloom_ir::constraints::{ANY, many, maybe, one};
use gridloom_ir::op::{OpDef, Traits};

/// A pointer to an element at an offset from the pointee.
const fn element_chain(name: &'static str) -> OpDef {
    OpDef::new(name)
        .with(Traits::PURE)
        .operands(
            const {
                &[
                    one("base_ptr", POINTER),
                    one("element", INTEGER),
                    many("indices", INTEGER),
                ]
            },
        )
        .results(const { &[one("result", POINTER)] })
        .format(
            "$base_ptr `[` $element ($indices^)? `]` attr-dict \
             `:` type($base_ptr) `,` type($element) (`,` type($indices)^)? `->` type($result)",
        )
        .verify(verify_element_chain)
}

dialect_ops! {
    after super::control::END;
    ACCESS_CHAIN = OpDef::new("spirv.AccessChain")
        .with(Traits::PURE)
        .operands(&[one("base_ptr", POINTER), many("indices", INTEGER)])
        .results(&[one("component_ptr", POINTER)])
        .format("$base_ptr `[` $indices `]` attr-dict \
            `:` type($base_ptr) `,` type($indices) `->` type(results)")
        // The form cannot spell an empty list of types.
        .printed_if(|_, body, op| body[op].operands.len() > 1)
        .verify(verify_access_chain);
    COPY_MEMORY = OpDef::new("spirv.CopyMemory")
        .operands(&[one("target", POINTER), one("source", POINTER)])
        .attrs(&[MEMORY_ACCESS, ALIGNMENT, SOURCE_MEMORY_ACCESS, SOURCE_ALIGNMENT])
        .custom(parse_copy, print_copy)
        .verify_kind(verify_copy);
    IN_BOUNDS_PTR_ACCESS_CHAIN = element_chain("spirv.InBoundsPtrAccessChain");
    LOAD = OpDef::new("spirv.Load")
        .operands(&[one("ptr", POINTER)])
        .results(&[one("value", ANY_SPIRV)])
        .attrs(&[MEMORY_ACCESS, ALIGNMENT])
        .custom(parse_load, print_load)
        .verify_kind(verify_load);
    PTR_ACCESS_CHAIN = element_chain("spirv.PtrAccessChain");
    STORE = OpDef::new("spirv.Store")
        .operands(&[one("ptr", POINTER), one("value", ANY_SPIRV)])
        .attrs(&[MEMORY_ACCESS, ALIGNMENT])
        .custom(parse_store, print_store)
        .printed_if(has_no_attributes)
        .verify_kind(verify_store);
    VARIABLE = OpDef::new("spirv.Variable")
        .operands(&[maybe("initializer", ANY)])
        .results(&[one("pointer", POINTER)])
        .attrs(&[STORAGE_CLASS])
        .custom(parse_variable, print_variable)
        .printed_if(variable_form_is_lossless)
        .verify(verify_variable);
    INTEL_SUBGROUP_BLOCK_READ = OpDef::new("spirv.INTEL.SubgroupBlockRead")
        .operands(&[one("ptr", POINTER)])
        .results(&[one("value", ANY_SPIRV)])
        .format("$ptr attr-dict `:` type($ptr) `->` type($value)")
        .verify_kind(verify_block_read);
    INTEL_SUBGROUP_BLOCK_WRITE = OpDef::new("spirv.INTEL.SubgroupBlockWrite")
        .operands(&[one("ptr", POINTER), one("value", ANY_SPIRV)])
        .custom(parse_block_write, print_block_write)
        .printed_if(has_no_attributes)
        .verify_kind(verify_block_write);
}
