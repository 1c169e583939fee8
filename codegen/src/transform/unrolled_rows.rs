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

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::scf;
use gridloom_ir::{Body, Builder, InsertPoint, Value};

use super::emit_loops::{MapWithOperands, bound, close, counter_after};

/// Size limit of loops that are unrolled into rows, in operations: with more, computation outweighs
/// the way in which memory is read.
const MAX_UNROLLED: usize = 32;

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
