//! Turns indirect calls of a known function into direct ones.
//!
//! ```text
//! %f = func.constant @g
//! func.call_indirect %f(%x)   ⇒  func.call @g(%x)
//! ```

use gridloom_dialects::{func, inherent};
use gridloom_ir::{OpId, OpState, Type, Value};

use crate::canonicalize::rules::Family;
use crate::rewriter::Rewriter;

/// Rewrites by root operation.
pub(super) const RULES: Family = &[(func::CALL_INDIRECT, &[call_directly])];

/// `call_indirect (constant @g) (…) ⇒ call @g (…)`
fn call_directly(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let data = &rw.body()[op];
    let (&callee, arguments) = data.operands.split_first()?;
    let name = rw
        .look(op)
        .maker(callee, func::CONSTANT)?
        .get(rw.ctx, inherent::VALUE)?;
    let types: Vec<Type> = data.results().map(|result| rw.body().ty(result)).collect();
    let mut state = OpState::new(func::CALL, data.loc)
        .operands(arguments)
        .results(&types)
        .property(rw.ctx, inherent::CALLEE, name);
    state.attributes = data.attributes;
    let call = rw.create_before(op, state);
    let results: Vec<Value> = rw.body()[call].results().collect();
    rw.replace_op(op, &results);
    Some(())
}
