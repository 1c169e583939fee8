//! Loop counters: the one of `affine.for`, or one of the several of `affine.parallel`.
//!
//! Analyses and the mapping to the grid look at both kinds of loops through this view. Only the
//! operation `affine.parallel` states that a band may run in any order: a pass that turns a band
//! into plain loops has to prove them parallel again.

use gridloom_dialects::affine::{self, Bound, ForOp, ParallelOp};
use gridloom_ir::{AffineMap, BlockId, Body, Context, OpId, Value};

/// Counter of an affine loop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Counter {
    /// The loop.
    pub op: OpId,
    /// Position among the loop's counters, from 0.
    position: usize,
}

/// The counters of a loop, outermost first; empty for other operations.
pub fn counters(body: &Body, op: OpId) -> impl Iterator<Item = Counter> + use<> {
    let count = match body[op].name {
        affine::FOR => 1,
        affine::PARALLEL => ParallelOp(op).induction_vars(body).len(),
        _ => 0,
    };
    (0..count).map(move |position| Counter { op, position })
}

impl Counter {
    /// Position among the loop's counters, from 0.
    pub fn position(self) -> usize {
        self.position
    }

    /// The body block of the loop.
    pub fn block(self, body: &Body) -> BlockId {
        match body[self.op].name {
            affine::FOR => ForOp(self.op).block(body),
            _ => ParallelOp(self.op).block(body),
        }
    }

    /// The induction variable.
    pub fn induction_var(self, body: &Body) -> Value {
        body[self.block(body)].args[self.position]
    }

    /// The lower bound: the greatest result of the map.
    pub fn lower<'b>(self, ctx: &Context, body: &'b Body) -> Bound<'b> {
        match body[self.op].name {
            affine::FOR => ForOp(self.op).lower(ctx, body),
            _ => {
                let band = ParallelOp(self.op);
                let bound = band.lower(ctx, body);
                self.group(ctx, bound, &band.lower_groups(ctx, body))
            }
        }
    }

    /// The upper bound: the least result of the map.
    pub fn upper<'b>(self, ctx: &Context, body: &'b Body) -> Bound<'b> {
        match body[self.op].name {
            affine::FOR => ForOp(self.op).upper(ctx, body),
            _ => {
                let band = ParallelOp(self.op);
                let bound = band.upper(ctx, body);
                self.group(ctx, bound, &band.upper_groups(ctx, body))
            }
        }
    }

    /// The step, at least 1.
    pub fn step(self, ctx: &Context, body: &Body) -> i64 {
        match body[self.op].name {
            affine::FOR => ForOp(self.op).step(ctx, body),
            _ => {
                let steps = ParallelOp(self.op).steps(ctx, body);
                steps.get(self.position).copied().unwrap_or(1)
            }
        }
    }

    /// The bound's results that belong to this counter, where a band has one map for all of its
    /// counters.
    fn group<'b>(self, ctx: &Context, bound: Bound<'b>, sizes: &[i32]) -> Bound<'b> {
        let data = bound.map.data(ctx);
        let size = |&size: &i32| usize::try_from(size).unwrap_or(0);
        let first: usize = sizes.iter().take(self.position).map(size).sum();
        let count = sizes.get(self.position).map_or(0, size);
        let results = data.results.get(first..first + count).unwrap_or(&[]);
        let map: AffineMap = ctx.affine_map(data.dims, data.symbols, results);
        Bound {
            map,
            operands: bound.operands,
        }
    }
}
