//! Elements of vectors: takes a vector apart, and puts one together.

use gridloom_dialects::vector::{self, VectorShape};
use gridloom_ir::{Builder, Type, Value};

/// The elements of a vector, or a scalar itself.
pub(super) fn to_elements(b: &mut Builder, value: Value) -> Vec<Value> {
    let Some(shape) = VectorShape::of(b.ctx, b.body.ty(value)) else {
        return vec![value];
    };
    let types = vec![shape.element; usize::try_from(shape.num_elements()).unwrap_or(0)];
    let state = b.state(vector::TO_ELEMENTS).operands(&[value]);
    let op = b.create(state.results(&types));
    b.body[op].results().collect()
}

/// The vector of some elements, or the one element of a scalar type.
pub(super) fn from_elements(b: &mut Builder, elements: &[Value], ty: Type) -> Value {
    match elements {
        &[only] if VectorShape::of(b.ctx, ty).is_none() => only,
        _ => b.unary(vector::FROM_ELEMENTS, elements, ty),
    }
}
