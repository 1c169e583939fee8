//! Masks: sizes that are known, `vector.mask` around what needs none, and
//! comparisons of `vector.step`.
//!
//! ```text
//! create_mask %c3 : vector<4xi1>          ⇒  constant_mask [3]
//! mask %all_true { reduction … }          ⇒  reduction …
//! cmpi ult, step : vector<4xindex>, 4     ⇒  true
//! ```

use gridloom_ir::dialect::{arith, vector};
use gridloom_ir::scalar::mask as low_bits;
use gridloom_ir::{OpId, Value};

use super::super::build::remake;
use super::{extents, vector_of};
use crate::transform::rewriter::Rewriter;

/// What is known of a mask.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lanes {
    /// Every lane is set.
    All,
    /// No lane is.
    None,
}

/// Whether a mask is one of the simple ones.
pub(super) fn lanes(rw: &Rewriter, op: OpId, mask: Value) -> Option<Lanes> {
    match rw.look(op).constant(mask)?.splat()? {
        0 => Some(Lanes::None),
        _ => Some(Lanes::All),
    }
}

/// Puts a constant mask of these sizes in the place of an operation.
pub(super) fn constant_mask(rw: &mut Rewriter, op: OpId, mut sizes: Vec<i64>) -> Option<()> {
    // One empty dimension makes the whole mask empty.
    if sizes.contains(&0) {
        sizes.fill(0);
    }
    let sizes = rw.ctx.i64_array_attr(&sizes);
    remake(
        rw,
        op,
        vector::CONSTANT_MASK,
        &[],
        &[("mask_dim_sizes", sizes)],
    )
}

/// A mask of constant sizes.
pub(super) fn create_mask(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let result = vector_of(rw, rw.body()[op].result(0))?;
    let cx = rw.look(op);
    // As mlir-opt does: a scalable dimension of no element stays.
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
    // Of no dimension, there is one element.
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

/// A scalable mask whose sizes are all that there is.
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

/// `vector.mask` around nothing, or with every lane set.
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

/// A comparison of `0, 1, 2, …` with a number that lies beyond all of them.
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
