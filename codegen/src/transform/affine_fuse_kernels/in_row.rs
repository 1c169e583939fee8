//! Loops of one row that become one, as a part of `affine-fuse-rows`.
//!
//! ```text
//! affine.for %i = 0 to %m {                    affine.for %i = 0 to %m {
//!   …                                            …
//!   affine.for %j = 0 to %n {                    %s = affine.for %j = 0 to %n iter_args(%a = %z) {
//!     affine.store f(%j), %y[%i, %j]               affine.store f(%j), %y[%i, %j]
//!   }                                    ⇒         %v = affine.load %y[%i, %j]
//!   %s = affine.for %j = 0 to %n                   affine.yield %a + %v
//!       iter_args(%a = %z) {                     }
//!     %v = affine.load %y[%i, %j]                … %s …
//!     affine.yield %a + %v                     }
//!   }
//!   … %s …
//! }
//! ```
//!
//! The row is read from memory once less. Legal where both loops have the same iterations, no iteration
//! of one depends on one of the other but the same, and nothing between them, nor the second loop, uses
//! what the first one reduces or touches. Done where the threads of a workgroup can share both loops, both
//! access an element in the same iteration, and the row keeps two loops: a row of a single one is cut in
//! other ways.

use gridloom_dialects::affine::ForOp;
use gridloom_ir::{Body, Builder, Context, IrMapping, OpId, Value};

use super::{Planner, share_memory};
use crate::analysis::access::Place;
use crate::transform::affine_loop_fusion::legality::{
    agreeing_nests, check_between, check_order, check_parallel,
};
use crate::transform::affine_parallelize_reductions::row_sharing::loops_of_row;
use crate::transform::emit_loops::close;

/// Two loops of a row that become one at the place of the second.
pub(super) struct RowFusion {
    pair: [ForOp; 2],
}

impl Planner<'_> {
    /// Plans the fusion of two adjacent loops in the rows of a nest.
    pub(super) fn plan_in_row(&mut self, outer: ForOp) -> Option<RowFusion> {
        let body = self.body();
        let band = self.kernel(outer)?.band.clone();
        let last = *band.last()?;
        let loops = loops_of_row(body, last)?;
        if loops.len() <= 2 || !self.reductions.has_rows_enough(&band) {
            return None;
        }
        let mut pairs = loops.windows(2);
        let pair = pairs.find_map(|pair| {
            let pair = [pair[0], pair[1]];
            self.can_fuse_in_row(&band, pair).then_some(pair)
        })?;
        Some(RowFusion { pair })
    }

    /// Whether two adjacent loops of a row may become one, and save an access so.
    fn can_fuse_in_row(&mut self, band: &[ForOp], pair: [ForOp; 2]) -> bool {
        let body = self.body();
        let [first, second] = pair;
        let Some(block) = body[first.0].parent() else {
            return false;
        };
        let between = body.ops(block).skip_while(|&op| op != first.0).skip(1);
        let between: Vec<OpId> = between.take_while(|&op| op != second.0).collect();
        let results: Vec<Value> = body[first.0].results().collect();
        let uses_results = |op: OpId| body[op].operands.iter().any(|v| results.contains(v));
        let mut later = between.iter().copied().chain([second.0]);
        if later.any(|op| body.walk_op(op).into_iter().any(uses_results)) {
            return false;
        }
        let accesses = pair.map(|l| self.accesses_of(l.0));
        let [early, late] = &accesses;
        let is_plain = |place: &Place| *place != Place::Anything;
        let all_plain = early
            .iter()
            .chain(&**late)
            .all(|a| is_plain(&a.place) && a.update.is_none());
        let nests = agreeing_nests(self.deps(), pair).map(|mut nest| {
            nest.truncate(1);
            nest
        });
        if !all_plain || nests[0].is_empty() || !share_memory(early, late) {
            return false;
        }
        let accesses = [&early[..], &late[..]];
        let sinks = between.into_iter().all(|op| {
            let passed = self.accesses_of(op);
            check_between(self.deps(), block, early, &passed).is_ok()
        });
        sinks
            && self.meet_in_an_iteration(&nests, accesses, true)
            && pair.map(|l| self.reductions.streams_in_row(band, l)) == [true; 2]
            && check_order(self.deps(), block, &nests, 0, accesses).is_ok()
            && check_parallel(self.deps(), block, &nests, 0, accesses, 0).is_ok()
    }
}

impl RowFusion {
    /// Rewrites the loops as one that carries the values of both.
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        let [first, second] = self.pair;
        let inits = self.pair.map(|l| l.inits(ctx, body).to_vec()).concat();
        let mut b = Builder::before(ctx, body, second.0);
        let new = first.create_like(&mut b, &IrMapping::new(), &inits);
        let block = new.block(b.body);
        let counter = new.induction_var(b.body);
        let mut carried = new.iter_args(b.body).to_vec().into_iter();
        let mut yielded = Vec::new();
        for l in self.pair {
            let mut names = vec![(l.induction_var(b.body), counter)];
            names.extend(l.iter_args(b.body).iter().copied().zip(&mut carried));
            let named = |v: Value| names.iter().find(|n| n.0 == v).map_or(v, |n| n.1);
            yielded.extend(l.yielded(b.body).iter().map(|&v| named(v)));
            for op in l.statements(b.body) {
                b.body.detach(op);
                b.body.append(block, op);
                b.body.replace_values_in(op, named);
            }
        }
        let results = close(&mut b, new, &yielded);
        let (of_first, of_second) = results.split_at(body[first.0].num_results());
        body.replace_op(second.0, of_second);
        body.replace_op(first.0, of_first);
    }
}
