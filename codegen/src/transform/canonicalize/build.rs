//! Making operations that have inherent attributes.

use gridloom_ir::attr::AttrKind;
use gridloom_ir::body::OpData;
use gridloom_ir::{Attr, Context, OpId, OpName, OpState, Type, Value};

use crate::transform::rewriter::Rewriter;

/// Inherent attributes that are not the defaults.
pub(super) type Properties<'a> = &'a [(&'a str, Attr)];

/// An operation of one result before another one.
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

/// An operation before another one.
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

/// Puts a new operation of one result, of the same type, in the place of one.
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

/// The integers of `array<i64: …>` or of an array of integer attributes.
pub(super) fn integers(ctx: &Context, data: &OpData, name: &str) -> Option<Vec<i64>> {
    let attr = data.attr(ctx, name)?;
    match attr.kind(ctx) {
        AttrKind::Array(items) => items.iter().map(|item| item.as_i64(ctx)).collect(),
        _ => attr.as_i64_array(ctx),
    }
}

/// An array of 64-bit integer attributes.
pub(super) fn integer_array(ctx: &Context, numbers: &[i64]) -> Attr {
    let items: Vec<Attr> = numbers.iter().map(|&number| ctx.i64_attr(number)).collect();
    ctx.array_attr(&items)
}
