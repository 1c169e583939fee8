//! Masks: folds constant sizes, removes `vector.mask` where all lanes are set,
//! and folds comparisons of `vector.step`.
//!
//! ```text
//! create_mask %c3 : vector<4xi1>          ⇒  constant_mask [3]
//! mask %all_true { reduction … }          ⇒  reduction …
//! cmpi ult, step : vector<4xindex>, 4     ⇒  true
//! ```

use gridloom_dialects::{arith, inherent, vector};
use gridloom_ir::scalar::mask as low_bits;
use gridloom_ir::{OpId, Value};

use super::super::build::remake;
use super::{extents, vector_of};
use crate::rewriter::Rewriter;

/// A mask that is the same in all lanes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lanes {
    /// All lanes are set.
    All,
    /// No lane is set.
    None,
}

/// Whether a constant mask is the same in all lanes, and how.
pub(super) fn lanes(rw: &Rewriter, op: OpId, mask: Value) -> Option<Lanes> {
    match rw.look(op).constant(mask)?.splat()? {
        0 => Some(Lanes::None),
        _ => Some(Lanes::All),
    }
}

/// Replaces an operation by a constant mask of these sizes.
pub(super) fn constant_mask(rw: &mut Rewriter, op: OpId, mut sizes: Vec<i64>) -> Option<()> {
    // One empty dimension makes the mask empty; all-zero sizes are the
    // canonical form.
    if sizes.contains(&0) {
        sizes.fill(0);
    }
    let sizes = rw.ctx.i64_array_attr(&sizes);
    remake(
        rw,
        op,
        vector::CONSTANT_MASK,
        &[],
        &[(inherent::MASK_DIM_SIZES.name(), sizes)],
    )
}

/// `create_mask %c3 ⇒ constant_mask [3]`.
pub(super) fn create_mask(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let result = vector_of(rw, rw.body()[op].result(0))?;
    let cx = rw.look(op);
    // As in mlir-opt, a scalable dimension of size 0 stays.
    let mut dims = cx.data().operands.iter().zip(result.scalable);
    let is_empty = dims.all(|(&size, &scalable)| {
        let size = cx.int(size);
        size.is_some_and(|size| !scalable || size < 0)
    });
    if result.is_scalable() && is_empty {
        return constant_mask(rw, op, vec![0; result.rank()]);
    }
    if result.is_scalable() {
        return whole_scalable(rw, op);
    }
    // A mask of rank 0 has one element.
    let extents = match result.shape {
        [] => &[1],
        shape => shape,
    };
    let sizes = cx.data().operands.iter().zip(extents);
    let sizes: Option<Vec<i64>> = sizes
        .map(|(&size, &extent)| Some(cx.int(size)?.clamp(0, extent)))
        .collect();
    constant_mask(rw, op, sizes?)
}

/// `create_mask` with sizes of at least `extent * vscale` in scalable
/// dimensions ⇒ an all-true `constant_mask`.
fn whole_scalable(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let result = vector_of(rw, rw.body()[op].result(0))?;
    let cx = rw.look(op);
    let factor = |size: Value| {
        let &[a, b] = &cx.maker(size, arith::MULI)?.operands[..] else {
            return None;
        };
        let [a, b] = [(a, b), (b, a)].map(|(scale, factor)| {
            cx.maker(scale, vector::VSCALE)?;
            cx.int(factor)
        });
        a.or(b)
    };
    let mut dims = cx
        .data()
        .operands
        .iter()
        .zip(result.shape)
        .zip(result.scalable);
    let is_whole = |((&size, &extent), &scalable): ((&Value, &i64), &bool)| {
        let known = if scalable { factor(size) } else { cx.int(size) };
        known.is_some_and(|known| known >= extent)
    };
    if !dims.all(is_whole) {
        return None;
    }
    constant_mask(rw, op, result.shape.to_vec())
}

/// `mask %m { } ⇒ (nothing)`, `mask all { op } ⇒ op`.
pub(super) fn simplify(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let body = rw.body();
    let &[mask, ..] = &body[op].operands[..] else {
        return None;
    };
    let block = body.region_block(op, 0)?;
    let last = body[block].last()?;
    let Some(inner) = body[block].first().filter(|&first| first != last) else {
        let yielded = body[last].operands.to_vec();
        rw.replace_op(op, &yielded);
        return Some(());
    };
    if body[inner].name == vector::REDUCTION
        && let Some(()) = super::reduction::simplify_masked(rw, op, inner, mask)
    {
        return Some(());
    }
    if lanes(rw, op, mask) != Some(Lanes::All) {
        return None;
    }
    let yielded = rw.body()[last].operands.to_vec();
    rw.move_before(op, inner);
    rw.replace_op(op, &yielded);
    rw.push(inner);
    Some(())
}

/// `cmpi ult, (step : vector<4xindex>), 4 ⇒ true`, and other comparisons with a constant that is
/// out of the range of `vector.step`.
pub(in super::super) fn compare_step(rw: &mut Rewriter, op: OpId) -> Option<()> {
    use arith::CmpIPredicate::{Eq, Ne, Uge, Ugt, Ule, Ult};
    let [lhs, rhs] = rw.look(op).operands()?;
    let cx = rw.look(op);
    cx.maker(lhs, vector::STEP)?;
    let bound = low_bits(cx.int(rhs)? as u64, cx.int_width(cx.ty(rhs))?);
    let &[count] = extents(rw, rw.body().ty(lhs)) else {
        return None;
    };
    let count = count as u64;
    if vector_of(rw, lhs)?.is_scalable() {
        return None;
    }
    let holds = match arith::CmpIOp(op).predicate(rw.ctx, rw.body()) {
        Ult | Ne if bound >= count => true,
        Uge | Eq if bound >= count => false,
        Ule if bound >= count - 1 => true,
        Ugt if bound >= count - 1 => false,
        _ => return None,
    };
    let ty = rw.body().ty(rw.body()[op].result(0));
    let value = rw.splat(holds.into(), ty, op)?;
    rw.replace_op(op, &[value]);
    Some(())
}
