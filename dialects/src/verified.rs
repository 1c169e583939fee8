//! Parts that a verified operation has: accessors of views, which panic on any other operation.

use gridloom_ir::affine::AffineMap;
use gridloom_ir::attr::Attr;
use gridloom_ir::attr_names::AttrName;
use gridloom_ir::body::{BlockId, Body, OpData, OpId, Value};
use gridloom_ir::context::Context;

/// A required attribute of a verified operation.
pub(crate) fn required(ctx: &Context, op: &OpData, name: impl AttrName) -> Attr {
    let attr = op.attr(ctx, name);
    attr.expect("a verified operation has its required attributes")
}

/// A required affine map of a verified operation.
pub(crate) fn required_map(ctx: &Context, op: &OpData, name: impl AttrName) -> AffineMap {
    let map = required(ctx, op, name).as_map(ctx);
    map.expect("a verified map attribute holds a map")
}

/// The elements of a required `array<i64: …>` of a verified operation.
pub(crate) fn required_i64s(ctx: &Context, op: &OpData, name: impl AttrName) -> Vec<i64> {
    let list = required(ctx, op, name).as_i64_array(ctx);
    list.expect("a verified array attribute holds 64-bit integers")
}

/// The only block of region `index` of a verified operation.
pub(crate) fn region_block(body: &Body, op: OpId, index: usize) -> BlockId {
    let block = body.region_block(op, index);
    block.expect("a verified single-block region has its block")
}

/// The operands of the terminator of a block.
pub(crate) fn yielded(body: &Body, block: BlockId) -> &[Value] {
    let last = body[block].last();
    &body[last.expect("a verified block ends in a terminator")].operands
}
