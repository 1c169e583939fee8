//! Views: other descriptions of memory that a memref already has.

use crate::body::{Body, Value};
use crate::builder::Builder;
use crate::context::Context;
use crate::dialect::required_i64s;
use crate::op::OpName;
use crate::types::{DYNAMIC, Type};

op_view! {
    /// `memref.cast`
    CastOp = super::CAST
}

impl CastOp {
    /// Casts to a type that says more or less about the same memory.
    pub fn create(b: &mut Builder, source: Value, ty: Type) -> Value {
        b.unary(super::CAST, &[source], ty)
    }

    /// The memref.
    pub fn source(self, body: &Body) -> Value {
        body[self.0].operands[0]
    }
}

/// An offset, size or stride: known from the operation or held by a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mixed {
    /// Known.
    Constant(i64),
    /// An `index` value.
    Value(Value),
}

impl Mixed {
    /// Puts a static list (with [`DYNAMIC`] for holes) and the values that
    /// fill its holes together.
    pub fn zip(constants: &[i64], values: &[Value]) -> Vec<Mixed> {
        let mut values = values.iter();
        let mixed = constants.iter().map(|&constant| match constant {
            DYNAMIC => values
                .next()
                .map_or(Mixed::Constant(DYNAMIC), |&v| Mixed::Value(v)),
            known => Mixed::Constant(known),
        });
        mixed.collect()
    }

    /// Takes a list apart into the static list and the values of its holes.
    pub fn unzip(mixed: &[Mixed]) -> (Vec<i64>, Vec<Value>) {
        let mut values = Vec::new();
        let constants = mixed.iter().map(|&item| match item {
            Mixed::Constant(value) => value,
            Mixed::Value(value) => {
                values.push(value);
                DYNAMIC
            }
        });
        (constants.collect(), values)
    }
}

op_view! {
    /// `memref.subview`: offsets, sizes and strides count elements of the
    /// source.
    SubViewOp = super::SUBVIEW
}

op_view! {
    /// `memref.reinterpret_cast`: offset, sizes and strides of the result,
    /// whatever the source's are.
    ReinterpretCastOp = super::REINTERPRET_CAST
}

macro_rules! mixed_accessors {
    ($($view:ident = $name:expr;)*) => {$(
        impl $view {
            /// Makes the view; `lists` are offsets, sizes and strides.
            pub fn create(b: &mut Builder, source: Value, lists: [&[Mixed]; 3], ty: Type) -> Value {
                create_mixed(b, $name, source, lists, ty)
            }

            /// The memref.
            pub fn source(self, body: &Body) -> Value {
                body[self.0].operands[0]
            }

            /// The offsets.
            pub fn offsets(self, ctx: &Context, body: &Body) -> Vec<Mixed> {
                let constants = required_i64s(ctx, &body[self.0], "static_offsets");
                Mixed::zip(&constants, body[self.0].operand_segment(ctx, 1))
            }

            /// The sizes.
            pub fn sizes(self, ctx: &Context, body: &Body) -> Vec<Mixed> {
                let constants = required_i64s(ctx, &body[self.0], "static_sizes");
                Mixed::zip(&constants, body[self.0].operand_segment(ctx, 2))
            }

            /// The strides.
            pub fn strides(self, ctx: &Context, body: &Body) -> Vec<Mixed> {
                let constants = required_i64s(ctx, &body[self.0], "static_strides");
                Mixed::zip(&constants, body[self.0].operand_segment(ctx, 3))
            }
        }
    )*};
}

mixed_accessors! {
    SubViewOp = super::SUBVIEW;
    ReinterpretCastOp = super::REINTERPRET_CAST;
}

fn create_mixed(
    b: &mut Builder,
    name: OpName,
    source: Value,
    lists: [&[Mixed]; 3],
    ty: Type,
) -> Value {
    let ctx = b.ctx;
    let mut state = b.state(name).operands(&[source]).results(&[ty]);
    let mut segments = vec![1];
    for (name, list) in ["static_offsets", "static_sizes", "static_strides"]
        .into_iter()
        .zip(lists)
    {
        let (constants, values) = Mixed::unzip(list);
        state = state.property(ctx, name, ctx.i64_array_attr(&constants));
        segments.push(values.len() as i32);
        state.operands.extend(values);
    }
    let state = state.property(ctx, "operandSegmentSizes", ctx.i32_array_attr(&segments));
    let op = b.create(state);
    b.body[op].result(0)
}

op_view! {
    /// `memref.view`: a typed view of a byte buffer.
    ViewOp = super::VIEW
}

impl ViewOp {
    /// The byte buffer.
    pub fn source(self, body: &Body) -> Value {
        body[self.0].operands[0]
    }

    /// Where the view begins, in bytes.
    pub fn byte_shift(self, body: &Body) -> Value {
        body[self.0].operands[1]
    }

    /// One size for each `?` of the result.
    pub fn sizes(self, body: &Body) -> &[Value] {
        &body[self.0].operands[2..]
    }
}
