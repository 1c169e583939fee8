//! `tensor.concat`: folds a concatenation of one tensor, and infers extents of
//! operands and result from each other.
//!
//! ```text
//! concat dim(0) %t : (4x5) -> ?x5               ⇒  cast %t
//! concat dim(0) %t, %u : (4x5, 2x5) -> ?x5      ⇒  cast (concat … -> 6x5)
//! ```

use gridloom_dialects::{inherent, tensor};
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{OpId, Value};

use super::{as_type, only_erases_extents, shape, with_shape};
use crate::rewriter::Rewriter;

/// Tries each rewrite; `Some(())` if one fired.
pub(super) fn simplify(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let ctx = rw.ctx;
    let operands = rw.body()[op].operands.to_vec();
    let old = rw.body().ty(rw.body()[op].result(0));
    if let &[source] = &operands[..] {
        rw.remake(op, tensor::CAST, &[source]);
        return Some(());
    }
    let dim = rw.body()[op].get(ctx, inherent::DIM)?;
    let dim = usize::try_from(dim).ok()?;
    let extents = joined(rw, &operands, dim)?;
    refine_operands(rw, op, &operands, &extents, dim).or_else(|| {
        let ty = with_shape(ctx, old, extents)?;
        if only_erases_extents(ctx, old, ty) {
            return None;
        }
        // A result type that contradicts the operands is an error of the
        // running program.
        let fits = only_erases_extents(ctx, ty, old);
        fits.then(|| {
            let new = rw.remake_as(op, &operands, &[ty]);
            let value = rw.body()[new].result(0);
            let value = as_type(rw, op, value, old);
            rw.replace_op(op, &[value]);
        })
    })
}

/// The shape of a concatenation along `dim`; the other extents are those that
/// any operand knows.
fn joined(rw: &Rewriter, operands: &[Value], dim: usize) -> Option<Vec<i64>> {
    let shapes = operands
        .iter()
        .map(|&value| shape(rw.ctx, rw.body().ty(value)));
    let shapes: Vec<&[i64]> = shapes.collect::<Option<_>>()?;
    let mut extents = shapes.first()?.to_vec();
    for shape in &shapes[1..] {
        for (number, (extent, &other)) in extents.iter_mut().zip(*shape).enumerate() {
            *extent = match (*extent, other) {
                (DYNAMIC, _) | (_, DYNAMIC) if number == dim => DYNAMIC,
                (a, b) if number == dim => a.checked_add(b)?,
                (DYNAMIC, known) | (known, DYNAMIC) => known,
                (a, b) if a == b => a,
                _ => return None,
            };
        }
    }
    Some(extents)
}

/// Casts each operand to the extents that the other operands know.
fn refine_operands(
    rw: &mut Rewriter,
    op: OpId,
    operands: &[Value],
    extents: &[i64],
    dim: usize,
) -> Option<()> {
    let mut known = Vec::new();
    for &operand in operands {
        let ty = rw.body().ty(operand);
        let mut wanted = extents.to_vec();
        *wanted.get_mut(dim)? = *shape(rw.ctx, ty)?.get(dim)?;
        let wanted = with_shape(rw.ctx, ty, wanted)?;
        known.push(as_type(rw, op, operand, wanted));
    }
    if known == operands {
        return None;
    }
    rw.set_operands(op, &known);
    Some(())
}
