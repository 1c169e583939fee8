//! Builders for operations with inherent attributes.

use gridloom_ir::{Attr, Context, OpId, OpName, OpState, Type, Value};

use crate::rewriter::Rewriter;

/// Inherent attributes whose values differ from the defaults.
pub(super) type Properties<'a> = &'a [(&'a str, Attr)];

/// Creates an operation with one result before `anchor`; returns the result.
pub(super) fn make(
    rw: &mut Rewriter,
    anchor: OpId,
    name: OpName,
    operands: &[Value],
    ty: Type,
    properties: Properties,
) -> Value {
    let op = create(rw, anchor, name, operands, &[ty], properties);
    rw.body()[op].result(0)
}

/// Creates an operation before `anchor`.
pub(super) fn create(
    rw: &mut Rewriter,
    anchor: OpId,
    name: OpName,
    operands: &[Value],
    types: &[Type],
    properties: Properties,
) -> OpId {
    let ctx = rw.ctx;
    let mut state = OpState::new(name, rw.body()[anchor].loc)
        .operands(operands)
        .results(types);
    state.properties = ctx.default_properties(name);
    for &(name, value) in properties {
        state = state.property(ctx, name, value);
    }
    rw.create_before(anchor, state)
}

/// Replaces an operation with one result by a new one of the same type.
pub(super) fn remake(
    rw: &mut Rewriter,
    op: OpId,
    name: OpName,
    operands: &[Value],
    properties: Properties,
) -> Option<()> {
    let ty = rw.body().ty(rw.body()[op].result(0));
    let value = make(rw, op, name, operands, ty, properties);
    rw.replace_op(op, &[value]);
    Some(())
}

/// An array attribute of `i64` attributes.
pub(super) fn integer_array(ctx: &Context, numbers: &[i64]) -> Attr {
    let items: Vec<Attr> = numbers.iter().map(|&number| ctx.i64_attr(number)).collect();
    ctx.array_attr(&items)
}
