//! `tensor.cast` and `tensor.bitcast`: merges consecutive casts, retypes the
//! operation that a cast follows, and looks through casts that only erase
//! extents.
//!
//! ```text
//! cast (cast %t)                        ⇒  cast %t
//! cast (empty(%n)) : … to tensor<4xf32> ⇒  empty() : tensor<4xf32>
//! insert %x into (cast %t)[%i]          ⇒  cast (insert %x into %t[%i])
//! ```

use gridloom_dialects::memref::Mixed;
use gridloom_dialects::{tensor, vector};
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{OpId, Value};

use super::super::build::make;
use super::{as_type, only_erases_extents, pad, shape, slice};
use crate::rewriter::Rewriter;

/// `cast (cast %t) ⇒ cast %t`, `cast (empty(%n)) ⇒ empty()`,
/// `cast (extract_slice %t) ⇒ extract_slice %t`, `cast (pad %t) ⇒ pad %t`: the operation gets the
/// type of the cast.
pub(super) fn cast(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let [source] = rw.look(op).operands()?;
    let maker = rw.body().defining_op(source)?;
    match rw.body()[maker].name {
        tensor::CAST => of_cast(rw, op, maker),
        tensor::EMPTY => of_empty(rw, op, maker),
        tensor::EXTRACT_SLICE => slice::extract_as(rw, op, maker),
        tensor::PAD => pad::retype(rw, op, maker),
        _ => None,
    }
}

/// `bitcast (bitcast %t) ⇒ bitcast %t`.
pub(super) fn bitcast(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let [source] = rw.look(op).operands()?;
    let inner = rw.look(op).maker(source, tensor::BITCAST)?;
    let origin = *inner.operands.first()?;
    rw.set_operands(op, &[origin]);
    Some(())
}

/// The meet of two shapes: each extent that either knows; `None` is an unranked
/// shape, an error a contradiction.
fn meet(a: Option<Vec<i64>>, b: Option<&[i64]>) -> Result<Option<Vec<i64>>, ()> {
    let (Some(a), Some(b)) = (&a, b) else {
        return Ok(a.or(b.map(<[i64]>::to_vec)));
    };
    let extent = |(&a, &b): (&i64, &i64)| match (a, b) {
        (DYNAMIC, known) | (known, DYNAMIC) => Ok(known),
        (a, b) if a == b => Ok(a),
        _ => Err(()),
    };
    if a.len() != b.len() {
        return Err(());
    }
    a.iter()
        .zip(b)
        .map(extent)
        .collect::<Result<_, _>>()
        .map(Some)
}

/// `cast (cast %t) ⇒ cast %t`, unless the middle type checks an extent that the
/// others do not.
fn of_cast(rw: &mut Rewriter, op: OpId, maker: OpId) -> Option<()> {
    let origin = *rw.body()[maker].operands.first()?;
    let ty = |value: Value| shape(rw.ctx, rw.body().ty(value));
    let (first, last) = (ty(origin), ty(rw.body()[op].result(0)));
    let between = ty(rw.body()[maker].result(0));
    let first = first.map(<[i64]>::to_vec);
    let without = meet(first.clone(), last).ok()?;
    let with = meet(meet(first, between).ok()?, last).ok()?;
    if with != without {
        return None;
    }
    rw.set_operands(op, &[origin]);
    Some(())
}

/// `cast (empty(%n)) ⇒ empty()` of the type of the cast.
fn of_empty(rw: &mut Rewriter, op: OpId, maker: OpId) -> Option<()> {
    let ctx = rw.ctx;
    let [before, after] = [maker, op].map(|op| rw.body().ty(rw.body()[op].result(0)));
    if !only_erases_extents(ctx, after, before) {
        return None;
    }
    let sizes = Mixed::zip(shape(ctx, before)?, &rw.body()[maker].operands);
    let values: Vec<Value> = sizes
        .iter()
        .zip(shape(ctx, after)?)
        .filter_map(|(&size, &extent)| match size {
            Mixed::Value(value) if extent == DYNAMIC => Some(value),
            _ => None,
        })
        .collect();
    let value = make(rw, op, tensor::EMPTY, &values, after, &[]);
    rw.replace_op(op, &[value]);
    Some(())
}

/// `op %a into (cast %t) ⇒ cast (op %a into %t)` for casts that only erase extents, and an
/// operation whose result has the type of operand 1.
pub(in super::super) fn uncast(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let ctx = rw.ctx;
    let body = rw.body();
    let is_masked = body
        .parent_op(op)
        .is_some_and(|parent| body[parent].name == vector::MASK);
    if is_masked {
        return None;
    }
    let seen = |&value: &Value| {
        let source = rw.look(op).maker(value, tensor::CAST)?.operands.first();
        let source = *source?;
        only_erases_extents(ctx, body.ty(source), body.ty(value)).then_some(source)
    };
    let operands: Vec<Value> = (body[op].operands.iter())
        .map(|value| seen(value).unwrap_or(*value))
        .collect();
    if operands[..] == body[op].operands[..] {
        return None;
    }
    let Some(old) = body[op].results().next().map(|result| body.ty(result)) else {
        rw.set_operands(op, &operands);
        return Some(());
    };
    let ty = body.ty(*operands.get(1)?);
    let new = rw.remake_as(op, &operands, &[ty]);
    let value = rw.body()[new].result(0);
    let value = as_type(rw, op, value, old);
    rw.replace_op(op, &[value]);
    Some(())
}
