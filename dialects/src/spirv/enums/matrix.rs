//! Group operations and matrix layouts.

use super::{bits, one_of};
use gridloom_ir::op::EnumDef;

/// SPIR-V GroupOperation.
#[rustfmt::skip]
pub(in super::super) static GROUP_OPERATION: EnumDef = one_of("GroupOperation", "SPIRV_GroupOperationAttr", "valid SPIR-V GroupOperation", ".group_operation<", &[
    ("Reduce", 0), ("InclusiveScan", 1), ("ExclusiveScan", 2), ("ClusteredReduce", 3),
    ("PartitionedReduceNV", 6), ("PartitionedInclusiveScanNV", 7),
    ("PartitionedExclusiveScanNV", 8),
]);

/// SPIR-V MatrixLayout.
#[rustfmt::skip]
pub(in super::super) static MATRIX_LAYOUT: EnumDef = one_of("MatrixLayout", "SPIRV_MatrixLayoutAttr", "valid SPIR-V MatrixLayout", ".matrixLayout<", &[
    ("ColumnMajor", 0), ("RowMajor", 1), ("PackedA", 2), ("PackedB", 3),
]);

/// SPIR-V Cooperative Matrix Layout (KHR).
#[rustfmt::skip]
pub(in super::super) static COOPERATIVE_MATRIX_LAYOUT_KHR: EnumDef = one_of("CooperativeMatrixLayoutKHR", "SPIRV_KHR_CooperativeMatrixLayoutAttr", "valid SPIR-V Cooperative Matrix Layout (KHR)", ".coop_matrix_layout_khr<", &[
    ("RowMajor", 0), ("ColumnMajor", 1),
]);

/// SPIR-V Cooperative Matrix Operands (KHR).
#[rustfmt::skip]
pub(in super::super) static COOPERATIVE_MATRIX_OPERANDS_KHR: EnumDef = bits("CooperativeMatrixOperandsKHR", "SPIRV_KHR_CooperativeMatrixOperandsAttr", "valid SPIR-V Cooperative Matrix Operands (KHR)", ".cooperative_matrix_operands_khr<", &[
    ("None", 0), ("ASigned", 1), ("BSigned", 2), ("CSigned", 4), ("ResultSigned", 8),
    ("AccSat", 16),
]);

/// SPIR-V Cooperative Matrix Use (KHR).
#[rustfmt::skip]
pub(in super::super) static COOPERATIVE_MATRIX_USE_KHR: EnumDef = one_of("CooperativeMatrixUseKHR", "SPIRV_KHR_CooperativeMatrixUseAttr", "valid SPIR-V Cooperative Matrix Use (KHR)", ".coop_matrix_use_khr<", &[
    ("MatrixA", 0), ("MatrixB", 1), ("MatrixAcc", 2),
]);

/// SPIR-V PackedVectorFormat.
#[rustfmt::skip]
pub(in super::super) static PACKED_VECTOR_FORMAT: EnumDef = one_of("PackedVectorFormat", "SPIRV_PackedVectorFormatAttr", "valid SPIR-V PackedVectorFormat", ".packed_vector_format<", &[
    ("PackedVectorFormat4x8Bit", 0),
]);
