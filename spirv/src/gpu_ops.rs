//! The `gpu` dialect inside kernels: thread and block ids, sizes of grids and blocks, subgroups,
//! barriers.

use gridloom_dialects::gpu::{self, SUBGROUP_LANES};
use gridloom_dialects::inherent;
use gridloom_ir::{OpId, OpName};
use rspirv::spirv::{BuiltIn, Capability, Op, Scope, Word};

use crate::entry_point::threads_of;
use crate::kernel::{Kernel, Lowering};
use crate::target::Profile;
use crate::types;

/// Lowers `gpu` operations.
pub(crate) fn lower(k: &mut Kernel<'_>, op: OpId, name: OpName) -> Lowering<bool> {
    let id = match name {
        gpu::THREAD_ID if k.known.uniform_ids.is_some() => thread_of_rows(k, op)?,
        gpu::BLOCK_ID if k.known.uniform_ids.is_some() => uniform_block(k, op)?,
        gpu::THREAD_ID => component(k, op, BuiltIn::LocalInvocationId)?,
        gpu::BLOCK_ID => component(k, op, BuiltIn::WorkgroupId)?,
        gpu::GLOBAL_ID => component(k, op, BuiltIn::GlobalInvocationId)?,
        gpu::GRID_DIM => component(k, op, BuiltIn::NumWorkgroups)?,
        gpu::BLOCK_DIM => {
            let dimension = dimension(k, op)?;
            k.index_const(k.workgroup_size[dimension as usize].into())
        }
        gpu::LANE_ID => subgroup(k, Op::UMod),
        gpu::SUBGROUP_SIZE => k.index_const(SUBGROUP_LANES),
        gpu::SUBGROUP_ID => subgroup(k, Op::UDiv),
        gpu::NUM_SUBGROUPS => {
            let threads = k.workgroup_size.map(i64::from).iter().product::<i64>();
            k.index_const((threads + SUBGROUP_LANES - 1) / SUBGROUP_LANES)
        }
        gpu::BARRIER => {
            barrier(k);
            return Ok(true);
        }
        _ => return Ok(false),
    };
    k.set(op, id)?;
    Ok(true)
}

/// Dimension of an id or size: 0, 1 or 2 for `#gpu<dim x>` and so on.
fn dimension(k: &Kernel<'_>, op: OpId) -> Lowering<u32> {
    let dimension = k.body[op].get(k.ctx, inherent::DIMENSION);
    let dimension = dimension.ok_or_else(|| k.malformed(op))?;
    Ok(dimension as u32)
}

/// The thread id along a dimension in a workgroup of rows of threads, each of which is a subgroup.
fn thread_of_rows(k: &mut Kernel<'_>, op: OpId) -> Lowering<Word> {
    match dimension(k, op)? {
        0 => {}
        dimension if k.workgroup_size[dimension as usize] == 1 => return Ok(k.index_const(0)),
        dimension => {
            let row = component_word(k, dimension, BuiltIn::LocalInvocationId);
            let row = k.looked_up(row, 1);
            return Ok(unsigned_to_index(k, row));
        }
    }
    k.e.capability(Capability::GroupNonUniform);
    let word = k.e.int_type(32, false);
    let variable = input(k, BuiltIn::SubgroupLocalInvocationId, word);
    let lane = k.e.load(word, variable);
    Ok(unsigned_to_index(k, lane))
}

/// A workgroup id, digit by digit from the parameter block.
fn uniform_block(k: &mut Kernel<'_>, op: OpId) -> Lowering<Word> {
    let dimension = dimension(k, op)?;
    let id = component_word(k, dimension, BuiltIn::WorkgroupId);
    let counts = k.known.uniform_ids.unwrap_or_default();
    let id = k.looked_up(id, counts[dimension as usize]);
    Ok(unsigned_to_index(k, id))
}

/// A component of a three-dimensional builtin, as an index.
fn component(k: &mut Kernel<'_>, op: OpId, builtin: BuiltIn) -> Lowering<Word> {
    let dimension = dimension(k, op)?;
    let one = component_word(k, dimension, builtin);
    Ok(unsigned_to_index(k, one))
}

/// A component of a three-dimensional builtin.
fn component_word(k: &mut Kernel<'_>, dimension: u32, builtin: BuiltIn) -> Word {
    let word = k.e.int_type(32, false);
    let vector = k.e.vector_type(word, 3);
    let variable = input(k, builtin, vector);
    let all = k.e.load(vector, variable);
    k.e.extract(word, all, dimension)
}

/// Lane or number of a subgroup: the thread's number in its workgroup modulo or divided by
/// `SUBGROUP_LANES`. The device's own subgroups may be of another size.
fn subgroup(k: &mut Kernel<'_>, op: Op) -> Word {
    let word = k.e.int_type(32, false);
    let variable = input(k, BuiltIn::LocalInvocationIndex, word);
    let number = k.e.load(word, variable);
    let lanes = k.e.u32_const(SUBGROUP_LANES as u32);
    let value = k.e.op(op, word, &[number, lanes]);
    unsigned_to_index(k, value)
}

fn input(k: &mut Kernel<'_>, builtin: BuiltIn, ty: Word) -> Word {
    let variable = k.e.builtin(builtin, ty);
    if !k.inputs.contains(&variable) {
        k.inputs.push(variable);
    }
    variable
}

/// Ids and counts are below 2^31: a grid has at most 65,535 workgroups a dimension on every device
/// in use, and the host checks the limit.
fn unsigned_to_index(k: &mut Kernel<'_>, value: Word) -> Word {
    let reg = k.index_reg();
    let small = k.e.on(types::I32, Op::Bitcast, &[value]);
    if reg == types::I32 {
        return small;
    }
    k.e.on(reg, Op::SConvert, &[small])
}

/// Waits for the workgroup, and makes what its threads wrote to buffers and
/// workgroup memory visible among them. Threads in lockstep are there already
/// ([`TargetEnv::lockstep_threads`](crate::TargetEnv::lockstep_threads)).
fn barrier(k: &mut Kernel<'_>) {
    let semantics = k.e.barrier_semantics();
    let semantics = k.e.u32_const(semantics.bits());
    if is_in_lockstep(k) {
        let scope = k.e.u32_const(Scope::Subgroup as u32);
        k.e.statement_of_ids(Op::MemoryBarrier, &[scope, semantics]);
        return;
    }
    let scope = k.e.u32_const(Scope::Workgroup as u32);
    k.e.statement_of_ids(Op::ControlBarrier, &[scope, scope, semantics]);
}

/// Whether all threads of a workgroup execute each instruction together.
fn is_in_lockstep(k: &Kernel<'_>) -> bool {
    let threads = threads_of(k.workgroup_size);
    k.env.profile == Profile::Native && threads <= k.env.lockstep_threads.into()
}
