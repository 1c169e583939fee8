//! Loops over the elements of arrays: the fill of private copies, and their combination with the
//! original array.

use gridloom_dialects::affine::{Bound, ForOp, LoadOp, StoreOp};
use gridloom_ir::{AffineMap, Builder, Context, InsertPoint, Value};

use super::{Array, Privatized};
use crate::transform::emit_loops::close;

impl Privatized {
    /// Emits the loops that fill a thread's copy of an array, margins included.
    pub(super) fn fill(&self, b: &mut Builder, array: &Array, own: Value, thread: &[Value]) {
        let neutral = b.constant(array.neutral, array.element);
        let nest = open(b, &array.padded());
        let place = [thread, &nest.counters].concat();
        StoreOp::create(b, neutral, own, identity(b.ctx, place.len()), &place);
        nest.close(b);
    }

    /// Emits the loops that combine the threads' arrays with the original one.
    pub(super) fn combine(&self, b: &mut Builder, array: &Array, own: Value) {
        let ctx = b.ctx;
        let nest = open(b, &array.shape);
        let map = identity(ctx, nest.counters.len());
        let first = LoadOp::create(b, array.memref, map, &nest.counters);
        let [groups, lanes] = self.threads.map(|count| Bound::constant(ctx, count));
        let zero = Bound::constant(ctx, 0);
        let outer = ForOp::create(b, zero, groups, 1, &[first]);
        b.set(InsertPoint::End(outer.block(b.body)));
        let (group, carried) = (outer.induction_var(b.body), outer.iter_args(b.body)[0]);
        let inner = ForOp::create(b, zero, lanes, 1, &[carried]);
        b.set(InsertPoint::End(inner.block(b.body)));
        let (lane, carried) = (inner.induction_var(b.body), inner.iter_args(b.body)[0]);
        let place = [&[group, lane], &nest.counters[..]].concat();
        let part = LoadOp::create(b, own, identity(ctx, place.len()), &place);
        let next = array.combination.apply(b, carried, part);
        let sum = close(b, inner, &[next])[0];
        let sum = close(b, outer, &[sum])[0];
        StoreOp::create(b, sum, array.memref, map, &nest.counters);
        nest.close(b);
    }
}

/// Loops over all elements of an array, with the builder inside the innermost.
struct Nest {
    loops: Vec<ForOp>,
    counters: Vec<Value>,
}

fn open(b: &mut Builder, shape: &[i64]) -> Nest {
    let ctx = b.ctx;
    let mut nest = Nest {
        loops: Vec::new(),
        counters: Vec::new(),
    };
    for &extent in shape {
        let (zero, end) = (Bound::constant(ctx, 0), Bound::constant(ctx, extent));
        let l = ForOp::create(b, zero, end, 1, &[]);
        b.set(InsertPoint::End(l.block(b.body)));
        nest.counters.push(l.induction_var(b.body));
        nest.loops.push(l);
    }
    nest
}

impl Nest {
    fn close(self, b: &mut Builder) {
        for l in self.loops.into_iter().rev() {
            close(b, l, &[]);
        }
    }
}

fn identity(ctx: &Context, rank: usize) -> AffineMap {
    ctx.identity_map(rank as u32)
}
