//! Turns indirect calls of a known function, or of one of a few, into direct ones.
//!
//! ```text
//! %f = func.constant @g
//! func.call_indirect %f(%x)   ⇒  func.call @g(%x)
//!
//! %f = arith.select %c, %g, %h
//! func.call_indirect %f(%x)   ⇒  scf.if %c { call_indirect %g(%x) } else { call_indirect %h(%x) }
//! ```

use gridloom_dialects::{arith, func, inherent, scf};
use gridloom_ir::{OpId, OpState, Type, Value};

use crate::canonicalize::rules::Family;
use crate::rewriter::Rewriter;

/// Rewrites by root operation.
pub(super) const RULES: Family = &[(func::CALL_INDIRECT, &[call_directly, call_chosen])];

/// Limit of the functions among which one is chosen: each has a call of its own.
const MAX_CHOICES: usize = 8;

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

/// `call_indirect (select %c, %f, %g) (…) ⇒ if %c { call_indirect %f (…) } else { call_indirect %g (…) }`, where all that is
/// chosen from is known.
fn call_chosen(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let data = &rw.body()[op];
    let (&callee, arguments) = data.operands.split_first()?;
    let choice = rw.look(op).maker(callee, arith::SELECT)?.operands.clone();
    if !is_known(rw, op, callee) {
        return None;
    }
    let data = &rw.body()[op];
    let (loc, attributes, arguments) = (data.loc, data.attributes, arguments.to_vec());
    let types: Vec<Type> = data.results().map(|result| rw.body().ty(result)).collect();
    let state = OpState::new(scf::IF, loc)
        .operands(&choice[..1])
        .results(&types);
    let branches = rw.create_before(op, state);
    for &callee in &choice[1..] {
        let region = rw.add_region(branches);
        let block = rw.add_block(region, &[]);
        let operands = [&[callee], &arguments[..]].concat();
        let mut state = OpState::new(func::CALL_INDIRECT, loc);
        state = state.operands(&operands).results(&types);
        state.attributes = attributes;
        let call = rw.create_at_end(block, state);
        let yielded: Vec<Value> = rw.body()[call].results().collect();
        rw.create_at_end(block, OpState::new(scf::YIELD, loc).operands(&yielded));
    }
    let results: Vec<Value> = rw.body()[branches].results().collect();
    rw.replace_op(op, &results);
    Some(())
}

/// Whether a value is one of a few functions with names.
fn is_known(rw: &Rewriter, op: OpId, callee: Value) -> bool {
    let look = rw.look(op);
    let mut stack = vec![callee];
    let mut functions = 0;
    while let Some(value) = stack.pop() {
        if look.maker(value, func::CONSTANT).is_some() {
            functions += 1;
        } else if let Some(choice) = look.maker(value, arith::SELECT) {
            stack.extend(&choice.operands[1..]);
        } else {
            return false;
        }
        if functions + stack.len() > MAX_CHOICES {
            return false;
        }
    }
    true
}
