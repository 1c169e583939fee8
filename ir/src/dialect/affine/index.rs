//! Index arithmetic: `affine.apply`, `affine.min`, `affine.max`, and the
//! conversions between an index and coordinates.

use crate::affine::AffineMap;
use crate::body::{Body, Value};
use crate::builder::Builder;
use crate::context::Context;
use crate::dialect::required_map;
use crate::op::OpName;

op_view! {
    /// `affine.apply`: the one result of a map.
    ApplyOp = super::APPLY
}

op_view! {
    /// `affine.min`: the least result of a map.
    MinOp = super::MIN
}

op_view! {
    /// `affine.max`: the greatest result of a map.
    MaxOp = super::MAX
}

macro_rules! map_accessors {
    ($($view:ident = $name:expr;)*) => {$(
        impl $view {
            /// Applies `map` to `operands`.
            pub fn create(b: &mut Builder, map: AffineMap, operands: &[Value]) -> Value {
                create(b, $name, map, operands)
            }

            /// The map.
            pub fn map(self, ctx: &Context, body: &Body) -> AffineMap {
                required_map(ctx, &body[self.0], "map")
            }

            /// The operands of the map: dimensions, then symbols.
            pub fn operands(self, body: &Body) -> &[Value] {
                &body[self.0].operands
            }
        }
    )*};
}

map_accessors! {
    ApplyOp = super::APPLY;
    MinOp = super::MIN;
    MaxOp = super::MAX;
}

fn create(b: &mut Builder, name: OpName, map: AffineMap, operands: &[Value]) -> Value {
    let index = b.ctx.index_type();
    let state = b.state(name).operands(operands).results(&[index]).property(
        b.ctx,
        "map",
        b.ctx.map_attr(map),
    );
    let op = b.create(state);
    b.body[op].result(0)
}
