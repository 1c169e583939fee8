//! Masked accesses: plain with all lanes set, none with no lane set; a gather
//! at offsets `0, 1, 2, …` is a masked load.
//! ```text
//! maskedload %m[%i], %all, %p      ⇒  load %m[%i]
//! maskedstore %m[%i], %none, %v    ⇒  (nothing)
//! gather %m[%i] [0, 1, 2, 3], %k   ⇒  maskedload %m[%i], %k
//! ```

use gridloom_dialects::vector;
use gridloom_ir::{OpId, Value};

use super::super::build::{create, remake};
use super::super::memory::look_through_cast;
use super::mask::{Lanes, lanes};
use super::{extents, vector_of};
use crate::rewriter::Rewriter;

/// Tries each rewrite; `Some(())` if one fired.
pub(super) fn simplify(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let data = &rw.body()[op];
    let &[.., mask, value] = &data.operands[..] else {
        return None;
    };
    match lanes(rw, op, mask) {
        Some(Lanes::None) => do_nothing(rw, op, value),
        Some(Lanes::All) => access_all(rw, op, value).or_else(|| make_contiguous(rw, op)),
        None => make_contiguous(rw, op),
    }
    .or_else(|| look_through_cast(rw, op, 0))
}

fn is_store(rw: &Rewriter, op: OpId) -> bool {
    let name = rw.body()[op].name;
    matches!(
        name,
        vector::MASKEDSTORE | vector::COMPRESSSTORE | vector::SCATTER
    )
}

/// `maskedload %m, none, %p ⇒ %p`, `maskedstore %m, none, %v ⇒ (nothing)`: no lane is set. A store
/// to a tensor gives the tensor.
fn do_nothing(rw: &mut Rewriter, op: OpId, value: Value) -> Option<()> {
    let given = if is_store(rw, op) {
        *rw.body()[op].operands.first()?
    } else {
        value
    };
    match rw.body()[op].num_results() {
        0 => rw.erase(op),
        _ => rw.replace_op(op, &[given]),
    }
    Some(())
}

/// `maskedload %m, all, %p ⇒ load %m`, `maskedstore %m, all, %v ⇒ store %v, %m`. Gathers, scatters
/// and memory whose last dimension is not contiguous keep their form, since `vector.load` does not
/// allow it.
fn access_all(rw: &mut Rewriter, op: OpId, value: Value) -> Option<()> {
    let name = rw.body()[op].name;
    if matches!(name, vector::GATHER | vector::SCATTER) || !is_contiguous(rw, op) {
        return None;
    }
    let operands = rw.body()[op].operands.to_vec();
    let place = &operands[..operands.len() - 2];
    let hint = [("nontemporal", rw.ctx.bool_attr(false))];
    if is_store(rw, op) {
        let operands = [&[value], place].concat();
        create(rw, op, vector::STORE, &operands, &[], &hint);
        rw.erase(op);
        return Some(());
    }
    remake(rw, op, vector::LOAD, place, &hint)
}

/// Whether the last dimension of the memref is contiguous.
fn is_contiguous(rw: &Rewriter, op: OpId) -> bool {
    let Some(&base) = rw.body()[op].operands.first() else {
        return false;
    };
    let memref = rw.body().ty(base).memref(rw.ctx);
    let strides = memref.and_then(|memref| memref.strided_form(rw.ctx));
    strides.is_some_and(|(_, strides)| strides.last().is_none_or(|&last| last == 1))
}

/// `gather %m[0, 1, 2, …], %k, %p ⇒ maskedload %m, %k, %p`, `scatter ⇒ maskedstore` likewise.
fn make_contiguous(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let name = match rw.body()[op].name {
        vector::GATHER => vector::MASKEDLOAD,
        vector::SCATTER => vector::MASKEDSTORE,
        _ => return None,
    };
    let operands = rw.body()[op].operands.to_vec();
    let &[.., offsets, mask, value] = &operands[..] else {
        return None;
    };
    let base = *operands.first()?;
    let is_memory = rw.body().ty(base).memref(rw.ctx).is_some();
    if !is_memory || !is_contiguous(rw, op) || !counts_up(rw, op, offsets) {
        return None;
    }
    let operands = [&operands[..operands.len() - 3], &[mask, value]].concat();
    if name == vector::MASKEDLOAD {
        return remake(rw, op, name, &operands, &[]);
    }
    create(rw, op, name, &operands, &[], &[]);
    rw.erase(op);
    Some(())
}

/// Whether a vector of rank 1 holds `0, 1, 2, …`.
fn counts_up(rw: &Rewriter, op: OpId, value: Value) -> bool {
    let &[count] = extents(rw, rw.body().ty(value)) else {
        return false;
    };
    if vector_of(rw, value).is_none_or(|vector| vector.is_scalable()) {
        return false;
    }
    if rw.look(op).maker(value, vector::STEP).is_some() {
        return true;
    }
    let Some(constant) = rw.look(op).constant(value) else {
        return false;
    };
    (0..count as u64).all(|number| constant.element(number as usize) == Some(number))
}
