//! Emission of the unrolled loop and its epilogue.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_ir::{Body, Builder, Context, InsertPoint, IrMapping, Value};

use super::Jam;
use super::shape::{Item, Shape};
use crate::transform::emit_loops::{MapWithOperands, bound, counter_after, owned};

impl Jam {
    /// Replaces the loop by the unrolled one and its epilogue.
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        let old = self.op;
        let mut b = Builder::before(ctx, body, old.0);
        let mut values = self.rows_loop(&mut b);
        if let Some(start) = &self.rows.epilogue_start {
            values = self.remainder_loop(&mut b, start, &values);
        }
        body.replace_op(old.0, &values);
    }

    /// Emits the loop whose iterations are rows of the old loop's iterations. Returns the carried
    /// values after the last row.
    fn rows_loop(&self, b: &mut Builder) -> Vec<Value> {
        let (ctx, old) = (b.ctx, self.op);
        let count = self.reductions.len();
        let mut inits = old.inits(ctx, b.body).to_vec();
        // The first iteration of a row continues from the initial values, the others from neutral
        // ones.
        for _ in 1..self.rows.factor {
            for reduction in &self.reductions {
                inits.push(b.constant(reduction.neutral, reduction.ty));
            }
        }
        let lower = owned(old.lower(ctx, b.body));
        let rows = ForOp::create(
            b,
            bound(&lower),
            bound(&self.rows.end),
            self.rows.pitch,
            &inits,
        );
        let block = rows.block(b.body);
        let counter = rows.induction_var(b.body);
        let carried = rows.iter_args(b.body).to_vec();
        b.set(InsertPoint::End(block));
        let step = old.step(ctx, b.body);
        let arguments = old.iter_args(b.body).to_vec();
        let mut maps: Vec<IrMapping> = Vec::new();
        for k in 0..self.rows.factor as usize {
            let mut map = IrMapping::new();
            // The counter stays in the loop's range, as `farthest` does.
            let iv = counter_after(b, counter, step * k as i64);
            map.map(old.induction_var(b.body), iv);
            let own = &carried[k * count..];
            (arguments.iter().zip(own)).for_each(|(&from, &to)| map.map(from, to));
            maps.push(map);
        }
        jam(b, &self.shape, &mut maps);
        let yielded = old.yielded(b.body).to_vec();
        let yielded: Vec<Value> = (maps.iter())
            .flat_map(|map| yielded.iter().map(|&value| map.value(value)))
            .collect();
        affine::yield_values(b, block, &yielded);
        b.set(InsertPoint::Before(old.0));
        let results: Vec<Value> = b.body[rows.0].results().collect();
        let combined = self.reductions.iter().enumerate().map(|(r, reduction)| {
            let mut parts = results.iter().skip(r).step_by(count).copied();
            let first = parts.next().unwrap_or(results[r]);
            parts.fold(first, |sum, part| b.binary(reduction.combine, sum, part))
        });
        combined.collect()
    }

    /// Emits the epilogue: the loop of the iterations that fill no row.
    fn remainder_loop(
        &self,
        b: &mut Builder,
        start: &MapWithOperands,
        inits: &[Value],
    ) -> Vec<Value> {
        let (ctx, old) = (b.ctx, self.op);
        let upper = owned(old.upper(ctx, b.body));
        let step = old.step(ctx, b.body);
        let epilogue = ForOp::create(b, bound(start), bound(&upper), step, inits);
        let block = epilogue.block(b.body);
        let mut map = IrMapping::new();
        map.map(old.induction_var(b.body), epilogue.induction_var(b.body));
        let arguments = old.iter_args(b.body).to_vec();
        let carried = epilogue.iter_args(b.body).to_vec();
        (arguments.iter().zip(&carried)).for_each(|(&from, &to)| map.map(from, to));
        b.set(InsertPoint::End(block));
        let statements: Vec<_> = b.body.ops(old.block(b.body)).collect();
        b.insert_copies(&statements, &mut map);
        b.set(InsertPoint::Before(old.0));
        b.body[epilogue.0].results().collect()
    }
}

/// Emits the items of a block for several iterations of the outer loop: each run of statements once
/// for each iteration, each loop once for all. The depth of shapes is bounded.
fn jam(b: &mut Builder, shape: &Shape, maps: &mut [IrMapping]) {
    for item in &shape.0 {
        match item {
            Item::Run(ops) => {
                for map in maps.iter_mut() {
                    b.insert_copies(ops, map);
                }
            }
            Item::Loop(l, below) => jam_loop(b, *l, below, maps),
        }
    }
}

fn jam_loop(b: &mut Builder, l: ForOp, below: &Shape, maps: &mut [IrMapping]) {
    let ctx = b.ctx;
    let outer_loc = b.loc;
    b.loc = b.body[l.0].loc;
    let renamed = |map: &IrMapping, values: &[Value]| -> Vec<Value> {
        values.iter().map(|&value| map.value(value)).collect()
    };
    // The bounds are the same in all iterations of the outer loop.
    let bounds = [l.lower(ctx, b.body), l.upper(ctx, b.body)];
    let [lower, upper] = bounds.map(|bound| (bound.map, renamed(&maps[0], bound.operands)));
    let own = l.inits(ctx, b.body).to_vec();
    let inits: Vec<Value> = maps.iter().flat_map(|map| renamed(map, &own)).collect();
    let step = l.step(ctx, b.body);
    let new = ForOp::create(b, bound(&lower), bound(&upper), step, &inits);
    let block = new.block(b.body);
    let counter = new.induction_var(b.body);
    let carried = new.iter_args(b.body).to_vec();
    let arguments = l.iter_args(b.body).to_vec();
    for (k, map) in maps.iter_mut().enumerate() {
        map.map(l.induction_var(b.body), counter);
        let own = &carried[k * arguments.len()..];
        (arguments.iter().zip(own)).for_each(|(&from, &to)| map.map(from, to));
    }
    let outer = b.point();
    b.set(InsertPoint::End(block));
    jam(b, below, maps);
    let yielded = l.yielded(b.body).to_vec();
    let yielded: Vec<Value> = maps.iter().flat_map(|map| renamed(map, &yielded)).collect();
    affine::yield_values(b, block, &yielded);
    b.set(outer);
    b.loc = outer_loc;
    let results: Vec<Value> = b.body[l.0].results().collect();
    let new_results: Vec<Value> = b.body[new.0].results().collect();
    for (k, map) in maps.iter_mut().enumerate() {
        let own = &new_results[k * results.len()..];
        (results.iter().zip(own)).for_each(|(&from, &to)| map.map(from, to));
    }
}
