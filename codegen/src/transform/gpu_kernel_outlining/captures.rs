//! Captured vectors: a launch gets the elements of a vector that its body uses from outside, since kernels have scalars and
//! arrays for arguments.
//!
//! ```text
//!                                        %0:2 = vector.to_elements %v : vector<2xf32>
//! gpu.launch … {                   ⇒     gpu.launch … {
//!   vector.store %v, …                     %w = vector.from_elements %0#0, %0#1 : vector<2xf32>
//! }                                        vector.store %w, …
//! ```
//!
//! Legal for vectors of a fixed shape, up to [`MAX_ELEMENTS`]; with others, running the launch is an error.

use gridloom_dialects::gpu::LaunchOp;
use gridloom_dialects::vector::VectorShape;
use gridloom_ir::{Body, Builder, Context, InsertPoint, OpId, Value};

use crate::analysis::eligible::is_recomputable;
use crate::transform::vector_elements::{from_elements, to_elements};

/// Limit of the elements of a vector: each is an argument of the kernel.
const MAX_ELEMENTS: i64 = 64;

/// Passes the elements of the vectors that a launch captures, other than those that its kernel computes again from scalars.
pub(super) fn pass_elements(ctx: &Context, body: &mut Body, launch: LaunchOp) {
    for vector in captured_vectors(ctx, body, launch.0) {
        pass_elements_of(ctx, body, launch, vector);
    }
}

/// The vectors from outside of a launch that its body uses.
fn captured_vectors(ctx: &Context, body: &Body, launch: OpId) -> Vec<Value> {
    let mut found = Vec::new();
    for op in body.walk_op(launch) {
        for &value in body[op].operands.iter() {
            let is_small = VectorShape::of(ctx, body.ty(value))
                .is_some_and(|shape| !shape.is_scalable() && shape.num_elements() <= MAX_ELEMENTS);
            if is_small
                && !body.is_defined_in(value, launch)
                && !is_recomputable(ctx, body, value)
                && !found.contains(&value)
            {
                found.push(value);
            }
        }
    }
    found
}

fn pass_elements_of(ctx: &Context, body: &mut Body, launch: LaunchOp, vector: Value) {
    let entry = launch.block(body);
    let inside = body.walk_op(launch.0);
    let ty = body.ty(vector);
    let mut b = Builder::before(ctx, body, launch.0);
    let elements = to_elements(&mut b, vector);
    b.set(InsertPoint::Start(entry));
    let own = from_elements(&mut b, &elements, ty);
    let replaced = |value| if value == vector { own } else { value };
    for op in inside {
        b.body.replace_values_in(op, replaced);
    }
}
