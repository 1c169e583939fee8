//! Reductions of bands: the operations by which `affine.parallel` combines what its iterations yield.

use gridloom_dialects::affine::ParallelOp;
use gridloom_dialects::arith;
use gridloom_ir::scalar::{Accumulate, FloatOp};
use gridloom_ir::{Attr, Body, Context, OpName, Type};

use super::counter::counters;
use super::reduction::{float_attr, neutral_element};

/// Whether a band can be rewritten as loops: it has counters, and each of its reductions has a
/// neutral element.
pub fn can_be_loops(ctx: &Context, body: &Body, band: ParallelOp) -> bool {
    counters(body, band.0).next().is_some() && reductions_of(ctx, body, band).is_some()
}

/// The reductions of a band; `None` if one of them has no neutral element.
pub(crate) fn reductions_of(
    ctx: &Context,
    body: &Body,
    band: ParallelOp,
) -> Option<Vec<Reduction>> {
    let kinds = band.reductions(ctx, body);
    let types = body[band.0].results().map(|result| body.ty(result));
    let reductions: Option<Vec<Reduction>> = (kinds.iter().zip(types))
        .map(|(&kind, ty)| Reduction::new(ctx, kind, ty))
        .collect();
    reductions.filter(|list| list.len() == body[band.0].num_results())
}

/// Neutral element and combining operation of a reduction.
pub(crate) struct Reduction {
    /// The neutral element, from which the fold starts.
    pub(crate) neutral: Attr,
    /// The combining operation.
    pub(crate) combine: OpName,
}

impl Reduction {
    /// The reduction that a number of `arith`'s `AtomicRMWKind` names.
    fn new(ctx: &Context, kind: i64, ty: Type) -> Option<Reduction> {
        let kind = Accumulate::from_number(kind)?;
        let neutral = match kind {
            // These operations drop NaN, so NaN is their only neutral element.
            Accumulate::Float(FloatOp::MaxNum | FloatOp::MinNum) => return None,
            // MLIR starts sums from +0, and the sign of a sum of zeros depends on it.
            Accumulate::Float(FloatOp::Add) => float_attr(ctx, ty, 0.0),
            _ => neutral_element(ctx, arith::combining_op(kind)?, ty),
        }?;
        let combine = arith::combining_op(kind)?;
        Some(Reduction { neutral, combine })
    }
}
