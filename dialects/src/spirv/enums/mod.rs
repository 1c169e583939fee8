//! Enumerations of SPIR-V, each the attribute `#spirv.name<Case>`.

use gridloom_ir::op::{EnumDef, EnumStorage};

mod built_in;
mod capability;
mod decoration;
mod execution;
mod extension;
mod image;
mod matrix;
mod memory;
mod opcode;
mod target;

pub(super) use built_in::BUILT_IN;
pub(super) use capability::CAPABILITY;
pub(super) use decoration::{DECORATION, FP_ENCODING, FP_FAST_MATH_MODE, FP_ROUNDING_MODE};
pub(super) use execution::{
    EXECUTION_MODE, EXECUTION_MODEL, FUNCTION_CONTROL, LINKAGE_TYPE, LOOP_CONTROL,
    SELECTION_CONTROL,
};
pub(super) use extension::EXTENSION;
pub(super) use image::{
    DIM, IMAGE_ARRAYED_INFO, IMAGE_DEPTH_INFO, IMAGE_FORMAT, IMAGE_OPERANDS,
    IMAGE_SAMPLER_USE_INFO, IMAGE_SAMPLING_INFO,
};
pub(super) use matrix::{
    COOPERATIVE_MATRIX_LAYOUT_KHR, COOPERATIVE_MATRIX_OPERANDS_KHR, COOPERATIVE_MATRIX_USE_KHR,
    GROUP_OPERATION, MATRIX_LAYOUT, PACKED_VECTOR_FORMAT,
};
pub(super) use memory::{
    ADDRESSING_MODEL, LOAD_CACHE_CONTROL, MEMORY_ACCESS, MEMORY_MODEL, MEMORY_SEMANTICS, SCOPE,
    STORAGE_CLASS, STORE_CACHE_CONTROL,
};
pub(super) use opcode::OPCODE;
pub(super) use target::{CLIENT_API, DEVICE_TYPE, VENDOR, VERSION};

/// An enumeration of which an attribute holds one case.
const fn one_of(
    class: &'static str,
    record: &'static str,
    summary: &'static str,
    prefix: &'static str,
    cases: &'static [(&'static str, i64)],
) -> EnumDef {
    let storage = EnumStorage::Joined("spirv", prefix, ">", "|");
    EnumDef {
        angled: true,
        ..EnumDef::new(class, record, summary, storage, cases)
    }
}

/// An enumeration of bits that an attribute combines.
const fn bits(
    class: &'static str,
    record: &'static str,
    summary: &'static str,
    prefix: &'static str,
    cases: &'static [(&'static str, i64)],
) -> EnumDef {
    EnumDef {
        bits: true,
        ..one_of(class, record, summary, prefix, cases)
    }
}
