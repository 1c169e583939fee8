//! GPU dialect: kernels, launches, and the ids, memory and communication of kernels.

use attrs::{ASYNC_TOKEN, BROADCAST_TYPE, DIMENSION_ATTR, REDUCTION, SHUFFLE_MODE, UPPER_BOUND};
use matrix::{
    MATRIX, MATRIX_ELEMENT, MATRIX_FACTOR, MATRIX_MEMREF, MATRIX_OPERATION, MATRIX_SUM,
    STORED_MATRIX, matrix_element,
};

use gridloom_ir::body::OpData;
use gridloom_ir::constraints::*;
use gridloom_ir::context::Context;
use gridloom_ir::op::{AttrSyntax, OpDef, OpName, ResultName, RowTraits, Traits, ValueDef, holds};

pub(crate) mod attrs;
mod binary;
mod check;
mod form;
mod form_launch;
mod form_memory;
mod ids;
mod kernel;
mod launch;
mod mapping;
mod matrix;
mod memory;
mod object;
pub mod sparse;

pub(crate) use attrs::SYMBOLS;
pub use attrs::async_token;
pub use ids::{Dimension, IdOp, SUBGROUP_LANES};
pub use kernel::{FuncOp, ModuleOp};
pub use launch::{LaunchArgs, LaunchFuncOp, LaunchOp, LaunchSizes, terminate};
pub use matrix::{MatrixRole, MmaMatrix, elementwise_keyword, matrix_type};
pub use memory::workgroup_space;

/// Async dependencies: tokens that an operation waits for before it begins.
const DEPENDENCIES: ValueDef = many("asyncDependencies", ASYNC_TOKEN);
/// Async token: the completion of an operation, for others to wait on.
const TOKEN: ValueDef = maybe("asyncToken", ASYNC_TOKEN);

const QUERY: &str = "(`upper_bound` $upper_bound^)? attr-dict `:` type($result)";

/// Row of an id or size query without a dimension: an index, perhaps with a promised bound.
const fn query(name: &'static str) -> OpDef {
    OpDef::new(name)
        .with(Traits::PURE)
        .results(const { &[one("result", INDEX)] })
        .attrs(const { &[UPPER_BOUND] })
}

/// Row of an id or size query in one dimension of the launch.
const fn dimension_query(name: &'static str) -> OpDef {
    query(name)
        .result_named(ResultName::Of(ids::result_name))
        .attrs(const { &[DIMENSION_ATTR, UPPER_BOUND] })
        .format("$dimension (`upper_bound` $upper_bound^)? attr-dict")
}

dialect_ops! {
    after super::memref::END;
    /// `gpu.all_reduce`: combines a value of every thread of a workgroup. The verifier checks that
    /// its region sees nothing from above: a body of its own for so small a region would cost too
    /// much.
    ALL_REDUCE = OpDef::new("gpu.all_reduce")
        .with_row(RowTraits::SAME_OPERANDS_AND_RESULT_TYPE)
        .operands(&[one("value", ANY_INT_OR_FLOAT)])
        .results(&[one("result", ANY_INT_OR_FLOAT)])
        .attrs(&[REDUCTION.optional(), flag("uniform")])
        .regions(1)
        .directives(&[form::REDUCTIONS])
        .format("custom<AllReduceOperation>($op) $value (`uniform` $uniform^)? $body attr-dict \
            `:` functional-type(operands, results)")
        .verify(memory::verify_all_reduce);
    /// `gpu.alloc`: device memory.
    ALLOC = OpDef::new("gpu.alloc")
        .with(Traits::ATTR_SIZED_OPERANDS)
        .operands(&[
            DEPENDENCIES,
            many("dynamicSizes", INDEX),
            many("symbolOperands", INDEX),
        ])
        .results(&[one("memref", MEMREF), TOKEN])
        .attrs(&[flag("hostShared")])
        .custom(form_memory::parse_alloc, form_memory::print_alloc)
        .verify_kind(memory::verify_alloc);
    /// `gpu.barrier`: synchronises the threads of a workgroup.
    BARRIER = OpDef::new("gpu.barrier").format("attr-dict");
    /// `gpu.binary`: compiled kernels.
    BINARY = OpDef::new("gpu.binary")
        .with(Traits::SYMBOL)
        .attrs(&[
            SYMBOL_NAME,
            attr("offloadingHandler", check::HANDLER).optional(),
            attr("objects", check::OBJECTS),
        ])
        .custom(binary::parse, binary::print);
    /// `gpu.block_dim`: the number of threads of a workgroup.
    BLOCK_DIM = dimension_query("gpu.block_dim");
    /// `gpu.block_id`: the id of the workgroup in the grid.
    BLOCK_ID = dimension_query("gpu.block_id");
    /// `gpu.cluster_block_id`: the id of the workgroup in its cluster.
    CLUSTER_BLOCK_ID = dimension_query("gpu.cluster_block_id");
    /// `gpu.cluster_dim`: the number of clusters.
    CLUSTER_DIM = dimension_query("gpu.cluster_dim");
    /// `gpu.cluster_dim_blocks`: the number of workgroups of a cluster.
    CLUSTER_DIM_BLOCKS = dimension_query("gpu.cluster_dim_blocks");
    /// `gpu.cluster_id`: the id of the cluster in the grid.
    CLUSTER_ID = dimension_query("gpu.cluster_id");
    /// `gpu.dealloc`: frees device memory.
    DEALLOC = OpDef::new("gpu.dealloc")
        .operands(&[DEPENDENCIES, one("memref", MEMREF)])
        .results(&[TOKEN])
        .custom(form_memory::parse_dealloc, form_memory::print_dealloc);
    /// `gpu.dynamic_shared_memory`: workgroup memory of the size that the launch gives.
    DYNAMIC_SHARED_MEMORY = OpDef::new("gpu.dynamic_shared_memory")
        .with(Traits::PURE)
        .results(&[one("resultMemref", BYTES)])
        .format("attr-dict `:` type($resultMemref)")
        .verify_kind(memory::verify_dynamic_shared_memory);
    /// `gpu.func`: a device function.
    FUNC = OpDef::new("gpu.func")
        .with(Traits::AFFINE_SCOPE)
        .with(Traits::AUTOMATIC_ALLOCATION_SCOPE)
        .with(Traits::ISOLATED_FROM_ABOVE)
        .with(Traits::SYMBOL)
        .attrs(&[
            attr("function_type", FUNCTION_TYPE),
            ARG_ATTRS,
            RES_ATTRS,
            attr("workgroup_attrib_attrs", DICTS).optional(),
            attr("private_attrib_attrs", DICTS).optional(),
            attr("known_block_size", THREE_I32).optional(),
            attr("known_grid_size", THREE_I32).optional(),
            attr("known_cluster_size", THREE_I32).optional(),
        ])
        .parents(&["gpu.module"])
        .regions(1)
        .custom(form::parse_func, form::print_func)
        .verify(kernel::verify_func);
    /// `gpu.global_id`: the id of the thread in the grid.
    GLOBAL_ID = dimension_query("gpu.global_id");
    /// `gpu.grid_dim`: the number of workgroups.
    GRID_DIM = dimension_query("gpu.grid_dim");
    /// `gpu.host_register`: makes host memory visible to the device.
    HOST_REGISTER = OpDef::new("gpu.host_register")
        .operands(&[one("value", UNRANKED_MEMREF)])
        .format("$value attr-dict `:` type($value)");
    /// `gpu.host_unregister`: hides host memory from the device again.
    HOST_UNREGISTER = OpDef::new("gpu.host_unregister")
        .operands(&[one("value", UNRANKED_MEMREF)])
        .format("$value attr-dict `:` type($value)");
    /// `gpu.lane_id`: the id of the thread in its subgroup.
    LANE_ID = query("gpu.lane_id").format("(`upper_bound` $upper_bound^)? attr-dict");
    /// `gpu.launch`: runs a region as a kernel.
    LAUNCH = OpDef::new("gpu.launch")
        .with(Traits::AFFINE_SCOPE)
        .with(Traits::ATTR_SIZED_OPERANDS)
        .with(Traits::AUTOMATIC_ALLOCATION_SCOPE)
        .with(Traits::RECURSIVE_EFFECTS)
        .operands(&[
            DEPENDENCIES,
            one("gridSizeX", INDEX),
            one("gridSizeY", INDEX),
            one("gridSizeZ", INDEX),
            one("blockSizeX", INDEX),
            one("blockSizeY", INDEX),
            one("blockSizeZ", INDEX),
            maybe("clusterSizeX", INDEX),
            maybe("clusterSizeY", INDEX),
            maybe("clusterSizeZ", INDEX),
            maybe("dynamicSharedMemorySize", I32),
        ])
        .results(&[TOKEN])
        .attrs(&[
            attr("module", FLAT_SYMBOL).optional(),
            attr("function", FLAT_SYMBOL).optional(),
        ])
        .regions(1)
        .custom(form_launch::parse_launch, form_launch::print_launch)
        .printed_if(form_launch::launch_form_is_lossless)
        .verify(launch::verify_launch);
    /// `gpu.launch_func`: runs a kernel by name.
    LAUNCH_FUNC = OpDef::new("gpu.launch_func")
        .with(Traits::ATTR_SIZED_OPERANDS)
        .operands(&[
            DEPENDENCIES,
            one("gridSizeX", LAUNCH_SIZE),
            one("gridSizeY", LAUNCH_SIZE),
            one("gridSizeZ", LAUNCH_SIZE),
            one("blockSizeX", LAUNCH_SIZE),
            one("blockSizeY", LAUNCH_SIZE),
            one("blockSizeZ", LAUNCH_SIZE),
            maybe("clusterSizeX", LAUNCH_SIZE),
            maybe("clusterSizeY", LAUNCH_SIZE),
            maybe("clusterSizeZ", LAUNCH_SIZE),
            maybe("dynamicSharedMemorySize", I32),
            many("kernelOperands", ANY),
            maybe("asyncObject", ANY),
        ])
        .results(&[TOKEN])
        .attrs(&[attr("kernel", SYMBOL_REF)])
        .infer(&[same(
            &["gridSizeX", "gridSizeY", "gridSizeZ", "blockSizeX", "blockSizeY", "blockSizeZ"],
            "all of {gridSizeX, gridSizeY, gridSizeZ, blockSizeX, blockSizeY, blockSizeZ} \
                have same type",
        )])
        .custom(form_launch::parse_launch_func, form_launch::print_launch_func)
        .verify(launch::verify_launch_func);
    /// `gpu.memcpy`: copies all elements of a memref.
    MEMCPY = OpDef::new("gpu.memcpy")
        .operands(&[DEPENDENCIES, one("dst", MEMREF), one("src", MEMREF)])
        .results(&[TOKEN])
        .custom(form_memory::parse_copy, form_memory::print_copy)
        .verify_kind(memory::verify_memcpy);
    /// `gpu.memset`: sets all elements of a memref to one value.
    MEMSET = OpDef::new("gpu.memset")
        .operands(&[DEPENDENCIES, one("dst", MEMREF), one("value", ANY)])
        .results(&[TOKEN])
        .relations(&[holds(
            memory::sets_elements,
            "all of {dst, value} have same element type",
        )])
        .custom(form_memory::parse_set, form_memory::print_copy);
    /// `gpu.module`: a compilation unit for the device.
    MODULE = OpDef::new("gpu.module")
        .with(Traits::GRAPH_REGION)
        .with(Traits::ISOLATED_FROM_ABOVE)
        .with_row(RowTraits::NO_REGION_ARGUMENTS)
        .with_row(RowTraits::NO_TERMINATOR)
        .with_row(RowTraits::SINGLE_BLOCK)
        .with(Traits::SYMBOL)
        .with(Traits::SYMBOL_TABLE)
        .attrs(&[
            SYMBOL_NAME,
            attr("targets", check::TARGETS).optional(),
            attr("offloadingHandler", check::HANDLER).optional(),
        ])
        .regions(1)
        .format("$sym_name (`<` $offloadingHandler^ `>`)? ($targets^)? \
            attr-dict-with-keyword $bodyRegion")
        .verify(|check| check.require_own_block("bodyRegion"));
    /// `gpu.num_subgroups`: the number of subgroups of a workgroup.
    NUM_SUBGROUPS = query("gpu.num_subgroups").format(QUERY);
    /// `gpu.printf`: prints from a kernel.
    PRINTF = OpDef::new("gpu.printf")
        .operands(&[many("args", PRINTABLE)])
        .attrs(&[attr("format", STRING).spelled(AttrSyntax::String)])
        .format("$format attr-dict (`,` $args^ `:` type($args))?");
    /// `gpu.return`: ends a `gpu.func`.
    RETURN = OpDef::new("gpu.return")
        .with(Traits::PURE)
        .with(Traits::TERMINATOR)
        .operands(&[many("operands", ANY)])
        .parents(&["gpu.func"])
        .format("attr-dict ($operands^ `:` type($operands))?")
        .verify(kernel::verify_return);
    /// `gpu.rotate`: reads the value of the lane a fixed distance further, cyclically.
    ROTATE = OpDef::new("gpu.rotate")
        .with(Traits::PURE)
        .operands(&[one("value", ANY_INT_OR_FLOAT_OR_1D)])
        .results(&[one("rotateResult", ANY_INT_OR_FLOAT_OR_1D), one("valid", I1)])
        .attrs(&[
            attr("offset", NON_NEGATIVE_I32).spelled(AttrSyntax::Typed(|c| c.int_type(32))),
            attr("width", POWER_OF_TWO_I32).spelled(AttrSyntax::Typed(|c| c.int_type(32))),
        ])
        .infer(&[same(&["value", "rotateResult"], "all of {value, rotateResult} have same type")])
        .format("$value `,` $offset `,` $width attr-dict `:` type($value)")
        .verify_kind(check::verify_rotate);
    /// `gpu.set_default_device`: the device that later operations use.
    SET_DEFAULT_DEVICE = OpDef::new("gpu.set_default_device")
        .operands(&[one("devIndex", I32)])
        .format("attr-dict $devIndex");
    /// `gpu.shuffle`: reads the value of another lane. Each `width` neighbouring lanes are apart, where
    /// MLIR speaks of the first `width` lanes only, so that kernels of CUDA get what they expect.
    SHUFFLE = OpDef::new("gpu.shuffle")
        .with(Traits::PURE)
        .operands(&[one("value", ANY_INT_OR_FLOAT_OR_1D), one("offset", I32), one("width", I32)])
        .results(&[one("shuffleResult", ANY_INT_OR_FLOAT_OR_1D), one("valid", I1)])
        .attrs(&[SHUFFLE_MODE])
        .infer(&[same(&["value", "shuffleResult"], "all of {value, shuffleResult} have same type")])
        .format("$mode $value `,` $offset `,` $width attr-dict `:` type($value)");
    /// `gpu.subgroup_broadcast`: gives all lanes the value of one.
    SUBGROUP_BROADCAST = OpDef::new("gpu.subgroup_broadcast")
        .with(Traits::ELEMENTWISE)
        .with(Traits::PURE)
        .with(Traits::CONDITIONALLY_SPECULATABLE)
        .operands(&[one("src", ANY), maybe("lane", I32)])
        .results(&[one("result", ANY)])
        .attrs(&[BROADCAST_TYPE])
        .infer(&[same(&["result", "src"], "all of {result, src} have same type")])
        .format("$src `,` $broadcast_type ($lane^)? attr-dict `:` type($result)")
        .verify_kind(check::verify_broadcast);
    /// `gpu.subgroup_id`: the id of the subgroup in its workgroup.
    SUBGROUP_ID = query("gpu.subgroup_id").format(QUERY);
    /// `gpu.subgroup_mma_compute`: adds the product of two matrices to a third.
    SUBGROUP_MMA_COMPUTE = OpDef::new("gpu.subgroup_mma_compute")
        .with(Traits::PURE)
        .operands(&[
            one("opA", MATRIX_FACTOR),
            one("opB", MATRIX_FACTOR),
            one("opC", MATRIX_SUM),
        ])
        .results(&[one("res", MATRIX)])
        .attrs(&[flag("a_transpose"), flag("b_transpose")])
        .infer(&[same(&["opC", "res"], "all of {opC, res} have same type")])
        .format("$opA`,` $opB`,` $opC attr-dict `:` type($opA)`,` type($opB) `->` type($res)")
        .verify_kind(check::verify_mma_compute);
    /// `gpu.subgroup_mma_constant_matrix`: makes a matrix of equal elements.
    SUBGROUP_MMA_CONSTANT_MATRIX = OpDef::new("gpu.subgroup_mma_constant_matrix")
        .with(Traits::PURE)
        .operands(&[one("value", MATRIX_ELEMENT)])
        .results(&[one("res", MATRIX)])
        .infer(&[follows(
            "value",
            "res",
            matrix_element,
            "value type matches element type of mma_matrix",
        )])
        .format("$value attr-dict `:` type($res)");
    /// `gpu.subgroup_mma_elementwise`: arithmetic on each element.
    SUBGROUP_MMA_ELEMENTWISE = OpDef::new("gpu.subgroup_mma_elementwise")
        .with(Traits::PURE)
        .operands(&[many("args", MATRIX)])
        .results(&[one("res", MATRIX)])
        .attrs(&[MATRIX_OPERATION])
        .format("$opType $args attr-dict `:` functional-type($args, $res)");
    /// `gpu.subgroup_mma_extract_thread_local`: reads an element that this lane holds.
    SUBGROUP_MMA_EXTRACT_THREAD_LOCAL = OpDef::new("gpu.subgroup_mma_extract_thread_local")
        .with(Traits::PURE)
        .operands(&[one("matrix", MATRIX), many("indices", INDEX)])
        .results(&[one("res", ANY_INT_OR_FLOAT)])
        .infer(&[follows(
            "res",
            "matrix",
            matrix_element,
            "value type matches element type of mma_matrix",
        )])
        .format("$matrix`[`$indices`]` attr-dict `:` type($matrix) `->` type($res)");
    /// `gpu.subgroup_mma_insert_thread_local`: replaces an element that this lane holds.
    SUBGROUP_MMA_INSERT_THREAD_LOCAL = OpDef::new("gpu.subgroup_mma_insert_thread_local")
        .with(Traits::PURE)
        .operands(&[
            one("value", ANY_INT_OR_FLOAT),
            one("matrix", MATRIX),
            many("indices", INDEX),
        ])
        .results(&[one("res", MATRIX)])
        .infer(&[follows(
            "value",
            "matrix",
            matrix_element,
            "value type matches element type of mma_matrix",
        )])
        .format("$value`,` $matrix`[`$indices`]` attr-dict \
            `:` type($value)`,` type($matrix) `->` type($res)");
    /// `gpu.subgroup_mma_load_matrix`: loads a matrix from memory.
    SUBGROUP_MMA_LOAD_MATRIX = OpDef::new("gpu.subgroup_mma_load_matrix")
        .operands(&[one("srcMemref", MATRIX_MEMREF), many("indices", INDEX)])
        .results(&[one("res", MATRIX)])
        .attrs(&[attr("leadDimension", INDEX_ATTR), flag("transpose")])
        .format("$srcMemref`[`$indices`]` attr-dict `:` type($srcMemref) `->` type($res)")
        .verify_kind(check::verify_mma_load);
    /// `gpu.subgroup_mma_store_matrix`: stores a matrix to memory.
    SUBGROUP_MMA_STORE_MATRIX = OpDef::new("gpu.subgroup_mma_store_matrix")
        .operands(&[
            one("src", STORED_MATRIX),
            one("dstMemref", MATRIX_MEMREF),
            many("indices", INDEX),
        ])
        .attrs(&[attr("leadDimension", INDEX_ATTR), flag("transpose")])
        .format("$src`,` $dstMemref`[`$indices`]` attr-dict `:` type($src)`,` type($dstMemref)")
        .verify_kind(check::verify_mma_store);
    /// `gpu.subgroup_reduce`: combines a value of every lane of a subgroup.
    SUBGROUP_REDUCE = OpDef::new("gpu.subgroup_reduce")
        .with_row(RowTraits::SAME_OPERANDS_AND_RESULT_TYPE)
        .operands(&[one("value", ANY_INT_OR_FLOAT_OR_1D)])
        .results(&[one("result", ANY_INT_OR_FLOAT_OR_1D)])
        .attrs(&[
            REDUCTION,
            flag("uniform"),
            attr("cluster_size", I32_ATTR)
                .spelled(AttrSyntax::Typed(|c| c.int_type(32)))
                .optional(),
            attr("cluster_stride", I32_ATTR)
                .spelled(AttrSyntax::Typed(|c| c.int_type(32)))
                .or("1 : i32"),
        ])
        .directives(&[form::REDUCTIONS])
        .format("custom<AllReduceOperation>($op) $value (`uniform` $uniform^)? \
            (`cluster` `(` `size` `=` $cluster_size^ (`,` `stride` `=` $cluster_stride^)? `)`)? \
            attr-dict `:` functional-type(operands, results)")
        .verify_kind(memory::verify_subgroup_reduce);
    /// `gpu.subgroup_size`: the number of lanes of a subgroup.
    SUBGROUP_SIZE = query("gpu.subgroup_size").format(QUERY);
    /// `gpu.terminator`: ends the region of a `gpu.launch`.
    TERMINATOR = OpDef::new("gpu.terminator")
        .with(Traits::PURE)
        .with(Traits::TERMINATOR)
        .parents(&["gpu.launch"])
        .format("attr-dict");
    /// `gpu.thread_id`: the id of the thread in its workgroup.
    THREAD_ID = dimension_query("gpu.thread_id");
    /// `gpu.wait`: waits for tokens, or makes one.
    WAIT = OpDef::new("gpu.wait").operands(&[DEPENDENCIES]).results(&[TOKEN])
        .custom(form_memory::parse_wait, form_memory::print_wait);
    /// `gpu.warp_execute_on_lane_0`: runs a region on one lane of a subgroup.
    WARP_EXECUTE_ON_LANE_0 = OpDef::new("gpu.warp_execute_on_lane_0")
        .with(Traits::RECURSIVE_EFFECTS)
        .operands(&[one("laneid", INDEX), many("args", ANY)])
        .results(&[many("results", ANY)])
        .attrs(&[attr("warp_size", I64_ATTR)])
        .regions(1)
        .terminator("gpu.yield")
        .custom(form::parse_warp, form::print_warp)
        .verify(check::verify_warp);
    /// `gpu.yield`: ends a region with its results.
    YIELD = OpDef::new("gpu.yield")
        .with(Traits::PURE)
        .with(Traits::RETURN_LIKE)
        .with(Traits::TERMINATOR)
        .operands(&[many("values", ANY)])
        .format("attr-dict ($values^ `:` type($values))?");
}

/// Whether an operation is one that the threads of a workgroup or subgroup come to together, each with a
/// value for the others.
pub fn is_collective(name: OpName) -> bool {
    matches!(
        name,
        ALL_REDUCE | SUBGROUP_REDUCE | SHUFFLE | ROTATE | SUBGROUP_BROADCAST
    )
}

/// Returns the number of workgroup attributions among the trailing block arguments of a
/// `gpu.launch` or `gpu.func`; private ones follow them.
fn workgroup_attributions(ctx: &Context, op: &OpData) -> usize {
    let count = op.attr(ctx, "workgroup_attributions");
    let count = count.and_then(|count| count.as_i64(ctx)).unwrap_or(0);
    usize::try_from(count).unwrap_or(0)
}
