//! Folds integers of width 0, whose only value is 0.

use smallvec::smallvec;

use crate::arith;
use gridloom_ir::attr::{AttrKind, Int};
use gridloom_ir::op::Traits;
use gridloom_ir::types::{Type, TypeKind};

use gridloom_ir::fold::{FoldCx, FoldResult, Folded};

/// Folds an operation of `arith` whose results are `i0`, or that extends an
/// `i0`.
pub(super) fn fold(cx: &FoldCx) -> Option<Folded> {
    let data = cx.data();
    let &first = data.operands.first()?;
    let is_empty = |ty: Type| matches!(ty.kind(cx.ctx), TypeKind::Integer { width: 0, .. });
    let makes = (0..data.num_results()).all(|number| is_empty(cx.result_type(number)));
    let widens = is_empty(cx.ty(first)) && matches!(data.name, arith::EXTSI | arith::EXTUI);
    let divides = arith::is_division(data.name);
    let computes = cx
        .ctx
        .op_has(data.name, Traits::PURE.with(Traits::ELEMENTWISE));
    if data.num_results() == 0 || !(makes || widens) || divides || !computes {
        return None;
    }
    let all_known = (data.operands.iter()).all(|&value| cx.constant_attr(value).is_some());
    let cancels = matches!(data.name, arith::SUBI | arith::XORI)
        && data.operands.iter().all(|&value| value == first);
    if !(all_known || cancels) {
        return None;
    }
    let zero = |number| {
        let ty = cx.result_type(number);
        let value = Int::Small(0);
        FoldResult::Constant(cx.ctx.intern_attr(AttrKind::Integer { ty, value }), ty)
    };
    match data.num_results() {
        1 => Some(smallvec![zero(0)]),
        count => Some((0..count).map(zero).collect()),
    }
}
