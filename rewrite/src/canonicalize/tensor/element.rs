//! `tensor.extract` and `tensor.generate`: reads elements from the source of a
//! tensor, and makes constant sizes static.
//!
//! ```text
//! extract (cast %t)[%i]                   ⇒  extract %t[%i]
//! extract (generate %n { …%k… })[%i]      ⇒  …%i…
//! generate %c4 { … } : tensor<?xf32>      ⇒  cast (generate { … } : tensor<4xf32>)
//! ```

use gridloom_dialects::{arith, tensor};
use gridloom_ir::{OpId, Value};

use super::super::build::make;
use super::super::control::inline_block;
use super::{as_type, shape, with_constants};
use crate::effects::{Effect, effect_of};
use crate::rewriter::Rewriter;

/// `extract (cast %t)[%i] ⇒ extract %t[%i]`,
/// `extract (index_cast %t)[%i] ⇒ index_cast (extract %t[%i])`,
/// `extract (generate { f })[%i] ⇒ f(%i)`.
pub(super) fn extract(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let operands = rw.body()[op].operands.to_vec();
    let (&source, indices) = operands.split_first()?;
    let maker = rw.body().defining_op(source)?;
    match rw.body()[maker].name {
        tensor::CAST => {
            let origin = *rw.body()[maker].operands.first()?;
            shape(rw.ctx, rw.body().ty(origin))?;
            rw.set_operands(op, &[&[origin], indices].concat());
            Some(())
        }
        arith::INDEX_CAST => {
            let origin = *rw.body()[maker].operands.first()?;
            let element = rw.body().ty(origin).element(rw.ctx)?;
            let operands = [&[origin], indices].concat();
            let value = make(rw, op, tensor::EXTRACT, &operands, element, &[]);
            rw.remake(op, arith::INDEX_CAST, &[value]);
            Some(())
        }
        tensor::GENERATE => of_generated(rw, op, maker, indices),
        _ => None,
    }
}

/// `extract (generate { …%k… })[%i] ⇒ …%i…` if this is the only use and the region
/// is pure.
fn of_generated(rw: &mut Rewriter, op: OpId, maker: OpId, indices: &[Value]) -> Option<()> {
    let body = rw.body();
    let block = body.region_block(maker, 0)?;
    let last = body[block].last()?;
    let is_pure = |&op: &OpId| op == maker || effect_of(body, op) == Effect::None;
    let [result, element] = [maker, op].map(|op| body[op].result(0));
    if rw.users(result) != [op] || !body.walk_op(maker).iter().all(is_pure) {
        return None;
    }
    let yielded = *body[last].operands.first()?;
    if body.ty(yielded) != body.ty(element) {
        return None;
    }
    inline_block(rw, op, block, indices);
    Some(())
}

/// `generate %c4 : tensor<?xf32> ⇒ cast (generate : tensor<4xf32>)`.
pub(super) fn generate(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let cx = rw.look(op);
    let ty = cx.result_type(0);
    let (known, left) = with_constants(&cx, ty, &cx.data().operands)?;
    let new = rw.remake_as(op, &left, &[known]);
    let value = rw.body()[new].result(0);
    let value = as_type(rw, op, value, ty);
    rw.replace_op(op, &[value]);
    Some(())
}
