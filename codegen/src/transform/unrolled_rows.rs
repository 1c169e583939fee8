//! Rows: strip-mined and unrolled loops, which run several adjacent iterations at a time, so that
//! accesses of neighbouring elements can become vector accesses.
//!
//! ```text
//! affine.for %i = L to U step s {       affine.for %i = L to U step s * row {
//!   S(%i)                         ⇒       S(%i)  S(%i + s)  …
//! }                                     }
//! ```
//!
//! The caller chooses the bounds: a row may begin only where its last iteration is in the loop.
//! Transformations that write rows in another way share the forms of bounds and the counters.

use gridloom_dialects::affine::{ApplyOp, Bound, ForOp};
use gridloom_dialects::scf;
use gridloom_ir::{AffineMap, Body, Builder, InsertPoint, Value};

use super::affine_parallelize_reductions::chunk::close;

/// Size limit of loops that are unrolled into rows, in operations: with more, computation outweighs
/// the way in which memory is read.
const MAX_UNROLLED: usize = 32;

/// Affine map with its operands.
pub(super) type MapWithOperands = (AffineMap, Vec<Value>);

/// The map of a bound with its operands, to be kept while the body changes.
pub(super) fn owned(bound: Bound) -> MapWithOperands {
    (bound.map, bound.operands.to_vec())
}

/// The bound with this map and operands.
pub(super) fn bound(form: &MapWithOperands) -> Bound<'_> {
    Bound {
        map: form.0,
        operands: &form.1,
    }
}

/// Emits `counter + way`: the counter of a later iteration in a row.
pub(super) fn counter_after(b: &mut Builder, counter: Value, way: i64) -> Value {
    if way == 0 {
        return counter;
    }
    let ctx = b.ctx;
    let sum = ctx.affine_add(ctx.affine_dim(0), ctx.affine_const(way));
    ApplyOp::create(b, ctx.affine_map(1, 0, &[sum]), &[counter])
}

/// Row length: `vector`, or 1 if the loop is large, or has a loop in it whose rounds nobody knows.
pub(super) fn row_of(body: &Body, op: ForOp, vector: i64) -> i64 {
    let below = body.walk_op(op.0);
    let is_open = below.iter().any(|&op| body[op].name == scf::WHILE);
    let is_small = below.len() < MAX_UNROLLED && !is_open;
    if is_small { vector.max(1) } else { 1 }
}

/// Row loop: bounds, step and length of its rows.
pub(super) struct Rows {
    pub(super) lower: MapWithOperands,
    pub(super) upper: MapWithOperands,
    /// Distance from the start of a row to that of the next one.
    pub(super) pitch: i64,
    /// Distance from an iteration of a row to the next one.
    pub(super) step: i64,
    /// Number of iterations in a row.
    pub(super) row: i64,
}

impl Rows {
    /// Emits the loop and moves the builder into it; returns it with its counter.
    fn open(&self, b: &mut Builder, inits: &[Value]) -> (ForOp, Value) {
        let (lower, upper) = (bound(&self.lower), bound(&self.upper));
        let new = ForOp::create(b, lower, upper, self.pitch, inits);
        let block = new.block(b.body);
        b.set(InsertPoint::End(block));
        (new, new.induction_var(b.body))
    }

    /// Emits the loop and moves the builder behind it. `iteration` emits one iteration for a
    /// counter and the carried values, and returns the next carried values. Returns the final ones.
    pub(super) fn write(
        &self,
        b: &mut Builder,
        inits: &[Value],
        iteration: impl Fn(&mut Builder, Value, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let (new, counter) = self.open(b, inits);
        let mut carried = new.iter_args(b.body).to_vec();
        for number in 0..self.row {
            let iv = counter_after(b, counter, number * self.step);
            carried = iteration(b, iv, &carried);
        }
        close(b, new, &carried)
    }

    /// Emits a loop without carried values, and moves the builder behind it: the first stage of all
    /// iterations of a row, then the next. `stage` takes its number, that of the iteration, and the
    /// counter.
    pub(super) fn write_in_stages(
        &self,
        b: &mut Builder,
        stages: usize,
        mut stage: impl FnMut(&mut Builder, usize, usize, Value),
    ) {
        let (new, counter) = self.open(b, &[]);
        let ivs: Vec<Value> = (0..self.row)
            .map(|number| counter_after(b, counter, number * self.step))
            .collect();
        for number in 0..stages {
            for (iteration, &iv) in ivs.iter().enumerate() {
                stage(b, number, iteration, iv);
            }
        }
        close(b, new, &[]);
    }
}
