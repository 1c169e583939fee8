//! `memref.copy`: a thread's copy of a whole view, as loops over its dimensions.
//!
//! The executor moves all elements at once, so a copy between views of one variable, which may
//! overlap, is refused. Distinct variables never overlap: arguments that share a buffer share
//! the variable.

use gridloom_dialects::memref;
use gridloom_ir::{OpId, OpName};
use rspirv::spirv::{LoopControl, Op, Word};

use crate::access::Access;
use crate::control::Loop;
use crate::kernel::{Kernel, Lowering};
use crate::memory::MemRef;
use crate::target::Bounds;

/// Lowers copies of whole memrefs.
pub(crate) fn lower(k: &mut Kernel<'_>, op: OpId, name: OpName) -> Lowering<bool> {
    if name != memref::COPY {
        return Ok(false);
    }
    let [from, to] = [k.operand(op, 0)?, k.operand(op, 1)?];
    let [from, to] = [k.view(op, from)?, k.view(op, to)?];
    if from.base == to.base {
        let message = "source and target of a copy in a kernel are the same buffer and may overlap: \
                       copy through memory of another kind, or outside of the kernel";
        return Err(k.refuse(op, message));
    }
    if from.element != to.element || from.sizes.len() != to.sizes.len() {
        return Err(k.malformed(op));
    }
    copy_from(k, op, &from, &to, &mut Vec::new());
    Ok(true)
}

/// Copies the elements whose leading indices are `indices`, by a loop for each further dimension.
fn copy_from(k: &mut Kernel<'_>, op: OpId, from: &MemRef, to: &MemRef, indices: &mut Vec<Word>) {
    let Some(&size) = from.sizes.get(indices.len()) else {
        return copy_element(k, op, from, to, indices);
    };
    let reg = k.index_reg();
    let control = match k.env.keep_loops {
        true => LoopControl::DONT_UNROLL,
        false => LoopControl::NONE,
    };
    let zero = k.index_const(0);
    let around = Loop::begin(k, &[(reg, zero)], control);
    let index = around.phis[0];
    let goes_on = k.e.test(reg, Op::SLessThan, &[index, size]);
    around.test(k, goes_on);
    indices.push(index);
    copy_from(k, op, from, to, indices);
    indices.pop();
    around.begin_continue(k);
    let one = k.index_const(1);
    let next = k.e.on(reg, Op::IAdd, &[index, one]);
    around.end(k, &[next]);
}

/// Copies one element; no index is beyond the source, but sizes of the target may be smaller.
fn copy_element(k: &mut Kernel<'_>, op: OpId, from: &MemRef, to: &MemRef, indices: &[Word]) {
    let source = Access {
        view: from.clone(),
        indices: indices.to_vec(),
        in_bounds: vec![true; indices.len()],
    };
    let is_guarded = from.sizes != to.sizes && k.env.bounds == Bounds::Guarded;
    let target = Access {
        view: to.clone(),
        in_bounds: vec![!is_guarded; indices.len()],
        ..source.clone()
    };
    let value = source.read_recorded(k, op);
    target.write_recorded(k, op, value);
}
