//! Rows: loops that take several adjacent iterations at a time, so that accesses of neighbouring
//! elements can become accesses of vectors.
//!
//! ```text
//! affine.for %i = L to U step s {       affine.for %i = L to U step s * row {
//!   S(%i)                         ⇒       S(%i)  S(%i + s)  …
//! }                                     }
//! ```
//!
//! The bounds are the caller's: a row must begin only where its last iteration is one of the loop.
//! Transformations that write rows in another way share the forms of bounds and the counters.

use gridloom_dialects::affine::{ApplyOp, Bound, ForOp};
use gridloom_ir::{AffineMap, Body, Builder, InsertPoint, Value};

use super::affine_parallelize_reductions::chunk::close;

/// Operations of a loop, those below it included, whose iterations are not unrolled into rows: from
/// so many on, what a thread computes outweighs how it reads memory.
const MAX_UNROLLED: usize = 32;

/// A map and its operands.
pub(super) type Form = (AffineMap, Vec<Value>);

/// The bound that is a map of operands.
pub(super) fn bound(form: &Form) -> Bound<'_> {
    Bound {
        map: form.0,
        operands: &form.1,
    }
}

/// `counter + way`: the counter of an iteration in a row.
pub(super) fn counter_after(b: &mut Builder, counter: Value, way: i64) -> Value {
    if way == 0 {
        return counter;
    }
    let ctx = b.ctx;
    let sum = ctx.affine_add(ctx.affine_dim(0), ctx.affine_const(way));
    ApplyOp::create(b, ctx.affine_map(1, 0, &[sum]), &[counter])
}

/// Adjacent iterations that a thread takes at a time: `vector`, or 1 if the loop is large.
pub(super) fn row_of(body: &Body, op: ForOp, vector: i64) -> i64 {
    let is_small = body.walk_op(op.0).len() < MAX_UNROLLED;
    if is_small { vector.max(1) } else { 1 }
}

/// Bounds, step and length of the rows of a loop.
pub(super) struct Rows {
    pub(super) lower: Form,
    pub(super) upper: Form,
    /// From the start of a row to that of the next one.
    pub(super) pitch: i64,
    /// From an iteration of a row to the next one.
    pub(super) step: i64,
    /// Iterations of a row.
    pub(super) row: i64,
}

impl Rows {
    /// Writes the loop and goes behind it. `iteration` writes one iteration for its counter and the
    /// values it starts with, and returns those that the next one starts with. Returns the last.
    pub(super) fn write(
        &self,
        b: &mut Builder,
        inits: &[Value],
        iteration: impl Fn(&mut Builder, Value, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let (lower, upper) = (bound(&self.lower), bound(&self.upper));
        let new = ForOp::create(b, lower, upper, self.pitch, inits);
        let block = new.block(b.body);
        b.set(InsertPoint::End(block));
        let counter = new.induction_var(b.body);
        let mut carried = new.iter_args(b.body).to_vec();
        for number in 0..self.row {
            let iv = counter_after(b, counter, number * self.step);
            carried = iteration(b, iv, &carried);
        }
        close(b, new, &carried)
    }
}
