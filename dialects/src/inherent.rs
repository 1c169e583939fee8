//! Inherent attributes that code outside of the dialects reads, each with the type of its value.
//!
//! [`OpData::get`](gridloom_ir::body::OpData::get) reads them from any operation, verified or not.
//! Dialects share names; an attribute of one name and several types has a constant for each.

use crate::gpu::Dimension;
use gridloom_ir::Context;
use gridloom_ir::body::OpData;
use gridloom_ir::op::{
    AffineMapAttr, AnyAttr, ArrayAttr, BoolAttr, EnumerantAttr, FlatSymbolAttr, I32ArrayAttr,
    I64ArrayAttr, Inherent, IntegerAttr, IntegerSetAttr, IntegersAttr, StringAttr, TypeAttr,
    UnitAttr,
};

/// Declares constants: `NAME: Type = "name"`.
macro_rules! inherent {
    ($($(#[$doc:meta])* $name:ident: $value:ident = $text:literal;)*) => {
        $($(#[$doc])* pub const $name: Inherent<$value> = Inherent::new($text);)*
    };
}

inherent! {
    /// Alignment in bytes of an allocation or a global.
    ALIGNMENT: IntegerAttr = "alignment";
    /// Weights of the branches of a `spirv.BranchConditional`.
    BRANCH_WEIGHTS: AnyAttr = "branch_weights";
    /// `@function` of a call.
    CALLEE: FlatSymbolAttr = "callee";
    /// Values of the cases of an `scf.index_switch`.
    CASES: I64ArrayAttr = "cases";
    /// Operands of each case of a `cf.switch`.
    CASE_OPERAND_SEGMENTS: I32ArrayAttr = "case_operand_segments";
    /// Values of the cases of a `cf.switch`.
    CASE_VALUES: AnyAttr = "case_values";
    /// Size of the clusters of lanes of a `gpu.subgroup_reduce`.
    CLUSTER_SIZE: IntegerAttr = "cluster_size";
    /// Distance of the lanes of a cluster of a `gpu.subgroup_reduce`.
    CLUSTER_STRIDE: IntegerAttr = "cluster_stride";
    /// Combining operation of a vector reduction, `#vector.kind<…>`.
    COMBINING_KIND: AnyAttr = "kind";
    /// Condition of an `affine.if`.
    CONDITION: IntegerSetAttr = "condition";
    /// Parts of a composite specialization constant, as symbols.
    CONSTITUENTS: ArrayAttr = "constituents";
    /// Default of a specialization constant.
    DEFAULT_VALUE: AnyAttr = "default_value";
    /// Dimension of a `tensor.concat`.
    DIM: IntegerAttr = "dim";
    /// Grid dimension, `#gpu<dim …>`.
    DIMENSION: Dimension = "dimension";
    /// Whether parts of a linear index do not overlap.
    DISJOINT: UnitAttr = "disjoint";
    /// Subscripts of the target of an `affine.dma_start`.
    DST_MAP: AffineMapAttr = "dst_map";
    /// Operation on each element of a `gpu.subgroup_mma_elementwise`.
    ELEMENTWISE_OPERATION: AnyAttr = "opType";
    /// Mode of a `spirv.ExecutionMode`.
    EXECUTION_MODE: AnyAttr = "execution_mode";
    /// Model of a `spirv.EntryPoint`.
    EXECUTION_MODEL: AnyAttr = "execution_model";
    /// `#arith.fastmath<…>`
    FASTMATH: AnyAttr = "fastmath";
    /// `@function` of a `spirv.EntryPoint` or `spirv.ExecutionMode`.
    FN: FlatSymbolAttr = "fn";
    /// Format of a `gpu.printf`.
    FORMAT: StringAttr = "format";
    /// `@function` of a `func.constant`.
    FUNCTION: FlatSymbolAttr = "value";
    /// Hints on inlining of a `spirv.func`.
    FUNCTION_CONTROL: AnyAttr = "function_control";
    /// Type of a function.
    FUNCTION_TYPE: TypeAttr = "function_type";
    /// Discardable mark of a module that has `gpu.module`s.
    GPU_CONTAINER_MODULE: UnitAttr = "gpu.container_module";
    /// Discardable form of [`KNOWN_BLOCK_SIZE`].
    GPU_KNOWN_BLOCK_SIZE: I32ArrayAttr = "gpu.known_block_size";
    /// Discardable form of [`KNOWN_GRID_SIZE`].
    GPU_KNOWN_GRID_SIZE: I32ArrayAttr = "gpu.known_grid_size";
    /// Combining operation of a reduction over lanes, `#gpu<all_reduce_op …>`.
    GPU_REDUCTION: EnumerantAttr = "op";
    /// Shuffle mode, by which a lane picks its source lane: `#gpu<shuffle_mode …>`.
    GPU_SHUFFLE_MODE: EnumerantAttr = "mode";
    /// Whether a `vector.scan` includes its own element.
    INCLUSIVE: BoolAttr = "inclusive";
    /// Maps of the operands of a contraction.
    INDEXING_MAPS: ArrayAttr = "indexing_maps";
    /// `@symbol` of the initial value of a `spirv.GlobalVariable`.
    INITIALIZER: AnyAttr = "initializer";
    /// Elements of a `memref.global`.
    INITIAL_VALUE: AnyAttr = "initial_value";
    /// Variables that a `spirv.EntryPoint` uses, as symbols.
    INTERFACE: ArrayAttr = "interface";
    /// Dimensions of a transfer that are in bounds.
    IN_BOUNDS: ArrayAttr = "in_bounds";
    /// `@module::@kernel` of a launch.
    KERNEL: AnyAttr = "kernel";
    /// Workgroup size that a kernel is compiled for.
    KNOWN_BLOCK_SIZE: I32ArrayAttr = "known_block_size";
    /// Number of workgroups that a kernel is compiled for.
    KNOWN_GRID_SIZE: I32ArrayAttr = "known_grid_size";
    /// Elements between rows of the memref of an MMA matrix.
    LEAD_DIMENSION: IntegerAttr = "leadDimension";
    /// Import or export of a `spirv` global or function.
    LINKAGE_ATTRIBUTES: AnyAttr = "linkage_attributes";
    /// Values of the cases of a `spirv.Switch`, dense.
    LITERALS: AnyAttr = "literals";
    /// Numbers of map results that bound each loop of an `affine.parallel` from below.
    LOWER_BOUNDS_GROUPS: AnyAttr = "lowerBoundsGroups";
    /// Lower bounds of an `affine.parallel`.
    LOWER_BOUNDS_MAP: AffineMapAttr = "lowerBoundsMap";
    /// Lower bounds of an `affine.for`.
    LOWER_BOUND_MAP: AffineMapAttr = "lowerBoundMap";
    /// Subscripts of an affine access, or results of an `affine.apply`.
    MAP: AffineMapAttr = "map";
    /// Processor of each loop of an `scf.forall`.
    MAPPING: ArrayAttr = "mapping";
    /// Extents of a `vector.constant_mask`.
    MASK_DIM_SIZES: IntegersAttr = "mask_dim_sizes";
    /// Scope of a barrier of `spirv`.
    MEMORY_SCOPE: AnyAttr = "memory_scope";
    /// Semantics of a barrier of `spirv`.
    MEMORY_SEMANTICS: AnyAttr = "semantics";
    /// Message of a `cf.assert`.
    MSG: StringAttr = "msg";
    /// `@global` of a `memref.get_global`.
    NAME: FlatSymbolAttr = "name";
    /// Whether a `tensor.pad` is kept where it adds nothing.
    NOFOLD: UnitAttr = "nofold";
    /// Whether a call, or a region, is kept out of line.
    NO_INLINE: UnitAttr = "no_inline";
    /// Objects of a `gpu.binary`.
    OBJECTS: ArrayAttr = "objects";
    /// Offloading handler of a `gpu.binary`: chooses the object that is launched.
    OFFLOADING_HANDLER: AnyAttr = "offloadingHandler";
    /// Lane offset of a `gpu.rotate`.
    OFFSET: IntegerAttr = "offset";
    /// Offsets of a vector slice, a list of integers.
    OFFSETS: IntegersAttr = "offsets";
    /// Sizes of the operand groups.
    OPERAND_SEGMENT_SIZES: I32ArrayAttr = "operandSegmentSizes";
    /// Flags of integer overflow, `#arith.overflow<…>`.
    OVERFLOW_FLAGS: AnyAttr = "overflowFlags";
    /// Order of dimensions, as a permutation map.
    PERMUTATION: AffineMapAttr = "permutation";
    /// Dimensions of a transfer.
    PERMUTATION_MAP: AffineMapAttr = "permutation_map";
    /// Predicate of a comparison, by its number.
    PREDICATE: IntegerAttr = "predicate";
    /// Punctuation of a `vector.print`.
    PUNCTUATION: AnyAttr = "punctuation";
    /// Whether nothing writes a tensor's buffer.
    READ_ONLY: UnitAttr = "read_only";
    /// Groups of dimensions of a reshape.
    REASSOCIATION: ArrayAttr = "reassociation";
    /// Accumulations of an `affine.parallel`, by their numbers.
    REDUCTIONS: ArrayAttr = "reductions";
    /// Dimension of a `vector.scan`.
    REDUCTION_DIM: IntegerAttr = "reduction_dim";
    /// Dimensions of a `vector.multi_reduction`.
    REDUCTION_DIMS: IntegersAttr = "reduction_dims";
    /// Accumulation of a `memref.atomic_rmw`, by its number.
    RMW_KIND: IntegerAttr = "kind";
    /// Rounding mode of a conversion.
    ROUNDINGMODE: AnyAttr = "roundingmode";
    /// Elements that a `vector.shuffle` takes, a list of integers.
    SHUFFLE_MASK: IntegersAttr = "mask";
    /// Sizes of a vector slice, a list of integers.
    SIZES: IntegersAttr = "sizes";
    /// `@constant` of a `spirv.mlir.referenceof`.
    SPEC_CONST: AnyAttr = "spec_const";
    /// Id of a specialization constant.
    SPEC_ID: IntegerAttr = "spec_id";
    /// Discardable target of a module, `#spirv.target_env<…>`.
    SPIRV_TARGET_ENV: AnyAttr = "spirv.target_env";
    /// Subscripts of the source of an `affine.dma_start`.
    SRC_MAP: AffineMapAttr = "src_map";
    /// Static sizes of a linear index.
    STATIC_BASIS: I64ArrayAttr = "static_basis";
    /// Static numbers of elements that a `tensor.pad` adds behind.
    STATIC_HIGH: I64ArrayAttr = "static_high";
    /// Static numbers of elements that a `tensor.pad` adds before.
    STATIC_LOW: I64ArrayAttr = "static_low";
    /// Static lower bounds of an `scf.forall`.
    STATIC_LOWER_BOUND: I64ArrayAttr = "staticLowerBound";
    /// Static offsets of a slice.
    STATIC_OFFSETS: I64ArrayAttr = "static_offsets";
    /// Static extents of an expanded shape.
    STATIC_OUTPUT_SHAPE: I64ArrayAttr = "static_output_shape";
    /// Static positions of an extract or insert.
    STATIC_POSITION: IntegersAttr = "static_position";
    /// Static sizes of a slice.
    STATIC_SIZES: I64ArrayAttr = "static_sizes";
    /// Static steps of an `scf.forall`.
    STATIC_STEP: I64ArrayAttr = "staticStep";
    /// Static strides of a slice.
    STATIC_STRIDES: I64ArrayAttr = "static_strides";
    /// Static upper bounds of an `scf.forall`.
    STATIC_UPPER_BOUND: I64ArrayAttr = "staticUpperBound";
    /// Step of an `affine.for`.
    STEP: IntegerAttr = "step";
    /// Steps of an `affine.parallel`.
    STEPS: ArrayAttr = "steps";
    /// Storage class of a variable of `spirv`.
    STORAGE_CLASS: AnyAttr = "storage_class";
    /// Steps between the elements of a vector slice, a list of integers.
    STRIDES: IntegersAttr = "strides";
    /// Text of a `vector.print`.
    STRING_LITERAL: StringAttr = "stringLiteral";
    /// Name of a symbol.
    SYM_NAME: StringAttr = "sym_name";
    /// Visibility of a symbol.
    SYM_VISIBILITY: StringAttr = "sym_visibility";
    /// Subscripts of the tag of an `affine.dma_wait`.
    TAG_MAP: AffineMapAttr = "tag_map";
    /// Targets of a `gpu.module`.
    TARGETS: ArrayAttr = "targets";
    /// Whether an MMA matrix is loaded or stored transposed.
    TRANSPOSE: UnitAttr = "transpose";
    /// Order of dimensions of a `vector.transpose`, a list of integers.
    TRANSPOSITION: IntegersAttr = "permutation";
    /// Type of a `memref.global`.
    TYPE: TypeAttr = "type";
    /// Whether all lanes of a group reach an operation together.
    UNIFORM: UnitAttr = "uniform";
    /// Whether a loop compares its bounds as unsigned.
    UNSIGNED_CMP: UnitAttr = "unsignedCmp";
    /// Numbers of map results that bound each loop of an `affine.parallel` from above.
    UPPER_BOUNDS_GROUPS: AnyAttr = "upperBoundsGroups";
    /// Upper bounds of an `affine.parallel`.
    UPPER_BOUNDS_MAP: AffineMapAttr = "upperBoundsMap";
    /// Upper bounds of an `affine.for`.
    UPPER_BOUND_MAP: AffineMapAttr = "upperBoundMap";
    /// Value of a constant.
    VALUE: AnyAttr = "value";
    /// Operands of a `spirv.ExecutionMode`.
    VALUES: ArrayAttr = "values";
    /// `@variable` of a `spirv.mlir.addressof`.
    VARIABLE: AnyAttr = "variable";
    /// Version, capabilities and extensions of a `spirv.module`.
    VCE_TRIPLE: AnyAttr = "vce_triple";
    /// Lanes of the groups of a `gpu.rotate`.
    WIDTH: IntegerAttr = "width";
    /// The number of a kernel's arguments in workgroup memory.
    WORKGROUP_ATTRIBUTIONS: IntegerAttr = "workgroup_attributions";
}

/// The workgroup size that a kernel promises: its `known_block_size`, or the discardable attribute of
/// that name, `gpu.known_block_size`, which MLIR lets any function have.
pub fn known_block_size(ctx: &Context, kernel: &OpData) -> Option<[i64; 3]> {
    known_size(ctx, kernel, [KNOWN_BLOCK_SIZE, GPU_KNOWN_BLOCK_SIZE])
}

/// The number of workgroups that a kernel promises, by `known_grid_size` or `gpu.known_grid_size`.
pub fn known_grid_size(ctx: &Context, kernel: &OpData) -> Option<[i64; 3]> {
    known_size(ctx, kernel, [KNOWN_GRID_SIZE, GPU_KNOWN_GRID_SIZE])
}

fn known_size(
    ctx: &Context,
    kernel: &OpData,
    [own, discardable]: [Inherent<I32ArrayAttr>; 2],
) -> Option<[i64; 3]> {
    let sizes = (kernel.get(ctx, own)).or_else(|| kernel.get(ctx, discardable))?;
    let sizes = <[i32; 3]>::try_from(&sizes[..]).ok()?;
    Some(sizes.map(i64::from))
}
