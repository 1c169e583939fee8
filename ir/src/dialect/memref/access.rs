//! Element accesses: `memref.load`, `memref.store`, and their atomic and
//! prefetch relatives.

use crate::body::{Body, OpId, Value};
use crate::builder::Builder;

op_view! {
    /// `memref.load`
    LoadOp = super::LOAD
}

impl LoadOp {
    /// Loads one element.
    pub fn create(b: &mut Builder, memref: Value, indices: &[Value]) -> Value {
        let element = b.body.ty(memref).element(b.ctx);
        let element = element.expect("the base of a load is a memref");
        b.unary(super::LOAD, &[&[memref], indices].concat(), element)
    }

    /// The memref.
    pub fn memref(self, body: &Body) -> Value {
        body[self.0].operands[0]
    }

    /// One index for each dimension.
    pub fn indices(self, body: &Body) -> &[Value] {
        &body[self.0].operands[1..]
    }

    /// The value loaded.
    pub fn result(self, body: &Body) -> Value {
        body[self.0].result(0)
    }
}

op_view! {
    /// `memref.store`
    StoreOp = super::STORE
}

impl StoreOp {
    /// Stores one element.
    pub fn create(b: &mut Builder, value: Value, memref: Value, indices: &[Value]) -> StoreOp {
        let operands = [&[value, memref], indices].concat();
        StoreOp(b.create(b.state(super::STORE).operands(&operands)))
    }

    /// The value stored.
    pub fn value(self, body: &Body) -> Value {
        body[self.0].operands[0]
    }

    /// The memref.
    pub fn memref(self, body: &Body) -> Value {
        body[self.0].operands[1]
    }

    /// One index for each dimension.
    pub fn indices(self, body: &Body) -> &[Value] {
        &body[self.0].operands[2..]
    }
}

/// A load or a store of one element, seen the same way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// The operation.
    pub op: OpId,
    /// Whether it writes.
    pub is_store: bool,
}

impl Access {
    /// `memref.load` or `memref.store`.
    pub fn cast(body: &Body, op: OpId) -> Option<Access> {
        let is_store = match body[op].name {
            super::LOAD => false,
            super::STORE => true,
            _ => return None,
        };
        Some(Access { op, is_store })
    }

    /// The memref.
    pub fn memref(self, body: &Body) -> Value {
        body[self.op].operands[usize::from(self.is_store)]
    }

    /// One index for each dimension.
    pub fn indices(self, body: &Body) -> &[Value] {
        &body[self.op].operands[1 + usize::from(self.is_store)..]
    }
}
