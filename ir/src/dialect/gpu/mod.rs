//! The `gpu` dialect.

use crate::body::OpData;
use crate::context::Context;
use crate::op::{OpDef, Traits};

mod ids;
mod kernel;
mod launch;

pub use ids::{Dimension, IdOp};
pub use kernel::{FuncOp, ModuleOp};
pub use launch::{LaunchArgs, LaunchFuncOp, LaunchOp, LaunchSizes, terminate};

dialect_ops! {
    after super::memref::END;
    /// `gpu.all_reduce`
    ALL_REDUCE = OpDef { traits: Traits::ISOLATED_FROM_ABOVE.with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), regions: Some(1), ..OpDef::new("gpu.all_reduce") };
    /// `gpu.alloc`
    ALLOC = OpDef { traits: Traits::ATTR_SIZED_OPERANDS, ..OpDef::new("gpu.alloc") };
    /// `gpu.barrier`
    BARRIER = OpDef::new("gpu.barrier");
    /// `gpu.binary`
    BINARY = OpDef { traits: Traits::SYMBOL, ..OpDef::new("gpu.binary") };
    /// `gpu.block_dim`
    BLOCK_DIM = OpDef { traits: Traits::PURE, ..OpDef::new("gpu.block_dim") };
    /// `gpu.block_id`
    BLOCK_ID = OpDef { traits: Traits::PURE, ..OpDef::new("gpu.block_id") };
    /// `gpu.cluster_block_id`
    CLUSTER_BLOCK_ID = OpDef { traits: Traits::PURE, ..OpDef::new("gpu.cluster_block_id") };
    /// `gpu.cluster_dim`
    CLUSTER_DIM = OpDef { traits: Traits::PURE, ..OpDef::new("gpu.cluster_dim") };
    /// `gpu.cluster_dim_blocks`
    CLUSTER_DIM_BLOCKS = OpDef { traits: Traits::PURE, ..OpDef::new("gpu.cluster_dim_blocks") };
    /// `gpu.cluster_id`
    CLUSTER_ID = OpDef { traits: Traits::PURE, ..OpDef::new("gpu.cluster_id") };
    /// `gpu.dealloc`
    DEALLOC = OpDef::new("gpu.dealloc");
    /// `gpu.dynamic_shared_memory`
    DYNAMIC_SHARED_MEMORY = OpDef { traits: Traits::PURE, ..OpDef::new("gpu.dynamic_shared_memory") };
    /// `gpu.func`
    FUNC = OpDef { traits: Traits::AFFINE_SCOPE.with(Traits::AUTOMATIC_ALLOCATION_SCOPE).with(Traits::ISOLATED_FROM_ABOVE), regions: Some(1), ..OpDef::new("gpu.func") };
    /// `gpu.global_id`
    GLOBAL_ID = OpDef { traits: Traits::PURE, ..OpDef::new("gpu.global_id") };
    /// `gpu.grid_dim`
    GRID_DIM = OpDef { traits: Traits::PURE, ..OpDef::new("gpu.grid_dim") };
    /// `gpu.host_register`
    HOST_REGISTER = OpDef::new("gpu.host_register");
    /// `gpu.host_unregister`
    HOST_UNREGISTER = OpDef::new("gpu.host_unregister");
    /// `gpu.lane_id`
    LANE_ID = OpDef { traits: Traits::PURE, ..OpDef::new("gpu.lane_id") };
    /// `gpu.launch`
    LAUNCH = OpDef { traits: Traits::AFFINE_SCOPE.with(Traits::ATTR_SIZED_OPERANDS).with(Traits::AUTOMATIC_ALLOCATION_SCOPE).with(Traits::RECURSIVE_EFFECTS), regions: Some(1), ..OpDef::new("gpu.launch") };
    /// `gpu.launch_func`
    LAUNCH_FUNC = OpDef { traits: Traits::ATTR_SIZED_OPERANDS, ..OpDef::new("gpu.launch_func") };
    /// `gpu.memcpy`
    MEMCPY = OpDef::new("gpu.memcpy");
    /// `gpu.memset`
    MEMSET = OpDef::new("gpu.memset");
    /// `gpu.module`
    MODULE = OpDef { traits: Traits::GRAPH_REGION.with(Traits::ISOLATED_FROM_ABOVE).with(Traits::NO_TERMINATOR).with(Traits::SINGLE_BLOCK).with(Traits::SYMBOL).with(Traits::SYMBOL_TABLE), regions: Some(1), ..OpDef::new("gpu.module") };
    /// `gpu.num_subgroups`
    NUM_SUBGROUPS = OpDef { traits: Traits::PURE, ..OpDef::new("gpu.num_subgroups") };
    /// `gpu.printf`
    PRINTF = OpDef::new("gpu.printf");
    /// `gpu.return`
    RETURN = OpDef { traits: Traits::PURE.with(Traits::TERMINATOR), ..OpDef::new("gpu.return") };
    /// `gpu.rotate`
    ROTATE = OpDef { traits: Traits::PURE, ..OpDef::new("gpu.rotate") };
    /// `gpu.set_default_device`
    SET_DEFAULT_DEVICE = OpDef::new("gpu.set_default_device");
    /// `gpu.shuffle`
    SHUFFLE = OpDef { traits: Traits::PURE, ..OpDef::new("gpu.shuffle") };
    /// `gpu.subgroup_broadcast`
    SUBGROUP_BROADCAST = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE), ..OpDef::new("gpu.subgroup_broadcast") };
    /// `gpu.subgroup_id`
    SUBGROUP_ID = OpDef { traits: Traits::PURE, ..OpDef::new("gpu.subgroup_id") };
    /// `gpu.subgroup_mma_compute`
    SUBGROUP_MMA_COMPUTE = OpDef { traits: Traits::PURE, ..OpDef::new("gpu.subgroup_mma_compute") };
    /// `gpu.subgroup_mma_constant_matrix`
    SUBGROUP_MMA_CONSTANT_MATRIX = OpDef { traits: Traits::PURE, ..OpDef::new("gpu.subgroup_mma_constant_matrix") };
    /// `gpu.subgroup_mma_elementwise`
    SUBGROUP_MMA_ELEMENTWISE = OpDef { traits: Traits::PURE, ..OpDef::new("gpu.subgroup_mma_elementwise") };
    /// `gpu.subgroup_mma_extract_thread_local`
    SUBGROUP_MMA_EXTRACT_THREAD_LOCAL = OpDef { traits: Traits::PURE, ..OpDef::new("gpu.subgroup_mma_extract_thread_local") };
    /// `gpu.subgroup_mma_insert_thread_local`
    SUBGROUP_MMA_INSERT_THREAD_LOCAL = OpDef { traits: Traits::PURE, ..OpDef::new("gpu.subgroup_mma_insert_thread_local") };
    /// `gpu.subgroup_mma_load_matrix`
    SUBGROUP_MMA_LOAD_MATRIX = OpDef::new("gpu.subgroup_mma_load_matrix");
    /// `gpu.subgroup_mma_store_matrix`
    SUBGROUP_MMA_STORE_MATRIX = OpDef::new("gpu.subgroup_mma_store_matrix");
    /// `gpu.subgroup_reduce`
    SUBGROUP_REDUCE = OpDef { traits: Traits::SAME_OPERANDS_AND_RESULT_TYPE, ..OpDef::new("gpu.subgroup_reduce") };
    /// `gpu.subgroup_size`
    SUBGROUP_SIZE = OpDef { traits: Traits::PURE, ..OpDef::new("gpu.subgroup_size") };
    /// `gpu.terminator`
    TERMINATOR = OpDef { traits: Traits::PURE.with(Traits::TERMINATOR), ..OpDef::new("gpu.terminator") };
    /// `gpu.thread_id`
    THREAD_ID = OpDef { traits: Traits::PURE, ..OpDef::new("gpu.thread_id") };
    /// `gpu.wait`
    WAIT = OpDef::new("gpu.wait");
    /// `gpu.warp_execute_on_lane_0`
    WARP_EXECUTE_ON_LANE_0 = OpDef { traits: Traits::RECURSIVE_EFFECTS.with(Traits::SINGLE_BLOCK), regions: Some(1), ..OpDef::new("gpu.warp_execute_on_lane_0") };
    /// `gpu.yield`
    YIELD = OpDef { traits: Traits::PURE.with(Traits::RETURN_LIKE).with(Traits::TERMINATOR), ..OpDef::new("gpu.yield") };
}

/// How many of the trailing block arguments of a `gpu.launch` or `gpu.func`
/// are memory of the workgroup; the others after them are private.
fn workgroup_attributions(ctx: &Context, op: &OpData) -> usize {
    let count = op.attr(ctx, "workgroup_attributions");
    let count = count.and_then(|count| count.as_i64(ctx)).unwrap_or(0);
    usize::try_from(count).unwrap_or(0)
}
