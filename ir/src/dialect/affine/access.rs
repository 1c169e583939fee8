//! Memory accesses: `affine.load`, `affine.store` and their vector and
//! prefetch relatives.

use crate::affine::AffineMap;
use crate::body::{Body, OpId, Value};
use crate::builder::Builder;
use crate::context::Context;
use crate::dialect::required_map;

op_view! {
    /// `affine.load`
    LoadOp = super::LOAD
}

impl LoadOp {
    /// Loads from `memref` at the results of `map`.
    pub fn create(b: &mut Builder, memref: Value, map: AffineMap, operands: &[Value]) -> Value {
        let element = b.body.ty(memref).element(b.ctx);
        let element = element.expect("the base of a load is a memref");
        let state = b
            .state(super::LOAD)
            .operands(&[&[memref], operands].concat())
            .results(&[element])
            .property(b.ctx, "map", b.ctx.map_attr(map));
        let op = b.create(state);
        b.body[op].result(0)
    }

    /// The memref.
    pub fn memref(self, body: &Body) -> Value {
        body[self.0].operands[0]
    }

    /// The map from its operands to indices.
    pub fn map(self, ctx: &Context, body: &Body) -> AffineMap {
        required_map(ctx, &body[self.0], "map")
    }

    /// The operands of the map.
    pub fn operands(self, body: &Body) -> &[Value] {
        &body[self.0].operands[1..]
    }

    /// The value loaded.
    pub fn result(self, body: &Body) -> Value {
        body[self.0].result(0)
    }
}

op_view! {
    /// `affine.store`
    StoreOp = super::STORE
}

impl StoreOp {
    /// Stores `value` to `memref` at the results of `map`.
    pub fn create(
        b: &mut Builder,
        value: Value,
        memref: Value,
        map: AffineMap,
        operands: &[Value],
    ) -> StoreOp {
        let state = b
            .state(super::STORE)
            .operands(&[&[value, memref], operands].concat())
            .property(b.ctx, "map", b.ctx.map_attr(map));
        StoreOp(b.create(state))
    }

    /// The value stored.
    pub fn value(self, body: &Body) -> Value {
        body[self.0].operands[0]
    }

    /// The memref.
    pub fn memref(self, body: &Body) -> Value {
        body[self.0].operands[1]
    }

    /// The map from its operands to indices.
    pub fn map(self, ctx: &Context, body: &Body) -> AffineMap {
        required_map(ctx, &body[self.0], "map")
    }

    /// The operands of the map.
    pub fn operands(self, body: &Body) -> &[Value] {
        &body[self.0].operands[2..]
    }
}

/// Any operation that reads or writes a memref through an affine map, seen
/// the same way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// The operation.
    pub op: OpId,
    /// Whether it writes.
    pub is_store: bool,
}

impl Access {
    /// `affine.load`, `affine.store`, `affine.vector_load`, `affine.vector_store`.
    pub fn cast(body: &Body, op: OpId) -> Option<Access> {
        let is_store = match body[op].name {
            super::LOAD | super::VECTOR_LOAD => false,
            super::STORE | super::VECTOR_STORE => true,
            _ => return None,
        };
        Some(Access { op, is_store })
    }

    /// The memref.
    pub fn memref(self, body: &Body) -> Value {
        body[self.op].operands[usize::from(self.is_store)]
    }

    /// The map from its operands to indices.
    pub fn map(self, ctx: &Context, body: &Body) -> AffineMap {
        required_map(ctx, &body[self.op], "map")
    }

    /// The operands of the map.
    pub fn operands(self, body: &Body) -> &[Value] {
        &body[self.op].operands[1 + usize::from(self.is_store)..]
    }
}
