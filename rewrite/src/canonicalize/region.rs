//! Inlines an `scf.execute_region` of several blocks into the blocks around it.
//!
//! ```text
//!   a                              a
//!   %r = scf.execute_region {      cf.cond_br %c, ^x, ^y
//!     cf.cond_br %c, ^x, ^y      ^x:
//!   ^x:                        ⇒   cf.br ^z(%v)
//!     scf.yield %v               ^y:
//!   ^y:                            cf.br ^z(%w)
//!     scf.yield %w               ^z(%r):
//!   }                              b
//!   b
//! ```

use gridloom_dialects::{cf, inherent, scf};
use gridloom_ir::op::Traits;
use gridloom_ir::{BlockId, OpId, OpState, Type};

use crate::rewriter::Rewriter;

/// `a; execute_region { ^x: …; ^y: … }; b ⇒ a; br ^x; ^x: …; ^y: …; ^rest: b` in a function or
/// another `execute_region`; all other regions must have one block.
pub(super) fn splice(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let body = rw.body();
    let block = body[op].parent()?;
    let outer = body[block].parent()?;
    let may_have_blocks = match body.parent_op(op) {
        Some(parent) => body[parent].name == scf::EXECUTE_REGION,
        None => body[block]
            .last()
            .is_some_and(|last| body[last].name.has(Traits::TERMINATOR)),
    };
    let &[region] = body[op].inline_regions() else {
        return None;
    };
    if !may_have_blocks || body[op].has_attr(rw.ctx, inherent::NO_INLINE) {
        return None;
    }
    let inner: Vec<BlockId> = body[region].blocks.to_vec();
    let &entry = inner.first()?;
    let types: Vec<Type> = body[op].results().map(|result| body.ty(result)).collect();
    let index = body[outer]
        .blocks
        .iter()
        .position(|&other| other == block)?
        + 1;
    let rest = rw.add_block(outer, &types);
    rw.move_block(rest, outer, index);
    while let Some(next) = rw.body()[op].next() {
        rw.move_to_end(rest, next);
    }
    for (offset, &inner) in inner.iter().enumerate() {
        let last = rw.body()[inner].last();
        if let Some(last) = last.filter(|&last| rw.body()[last].name == scf::YIELD) {
            let yielded = rw.body()[last].operands.to_vec();
            let mut state = OpState::new(cf::BR, rw.body()[last].loc).operands(&yielded);
            state.successors = [rest].into_iter().collect();
            rw.create_before(last, state);
            rw.erase(last);
        }
        rw.move_block(inner, outer, index + offset);
    }
    let args = rw.body()[rest].args.to_vec();
    let mut state = OpState::new(cf::BR, rw.body()[op].loc);
    state.successors = [entry].into_iter().collect();
    rw.create_before(op, state);
    rw.replace_op(op, &args);
    Some(())
}
