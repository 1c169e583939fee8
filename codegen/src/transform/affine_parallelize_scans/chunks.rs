//! Chunked scans: each thread scans a chunk of adjacent iterations.

use gridloom_dialects::affine::{Bound, ForOp, LoadOp, StoreOp};
use gridloom_dialects::{arith, scf};
use gridloom_ir::{
    AffineExpr, AffineMap, Body, Builder, Context, InsertPoint, IrMapping, OpId, Type, Value,
};

use super::Scan;
use super::carried::Carried;
use super::tiles::Tiles;
use super::workgroups::BlockScan;
use crate::transform::auxiliary_arrays::{Extent, allocate};
use crate::transform::emit_loops::{MapWithOperands, bound, close, go_behind, open_band};
use crate::transform::map_inputs::Inputs;
use crate::transform::unrolled_rows::Rows;

/// What the chunks hand on.
struct Parts {
    /// The summaries of the chunks, for each recurrence of each level.
    summaries: Vec<Vec<Vec<Numbers>>>,
    /// What the chunks start from, for each recurrence of each level. It takes the place of numbers of the summaries where
    /// these are of the types of the values.
    starts: Vec<Vec<Vec<Numbers>>>,
    /// The final value of the loop, for each carried value of which it is used.
    last: Vec<Option<Value>>,
    /// The number of chunks.
    count: MapWithOperands,
}

/// Numbers of the chunks, one of each: an array, or a row of one, since kernels bind few of them.
#[derive(Clone, Copy)]
struct Numbers {
    array: Value,
    row: Option<i64>,
}

impl Numbers {
    /// Allocates numbers of some types in front of an operation.
    fn allocate(
        ctx: &Context,
        body: &mut Body,
        anchor: OpId,
        types: &[Type],
        chunks: &Extent,
    ) -> Vec<Numbers> {
        if types.len() > 1 && types.iter().all(|&ty| ty == types[0]) {
            let rows = Extent::Constant(types.len() as i64);
            let array = allocate(ctx, body, anchor, &types[..1], &[rows, chunks.clone()])[0];
            let row = |row| Numbers {
                array,
                row: Some(row),
            };
            return (0..types.len() as i64).map(row).collect();
        }
        let arrays = allocate(ctx, body, anchor, types, std::slice::from_ref(chunks));
        let whole = |array| Numbers { array, row: None };
        arrays.into_iter().map(whole).collect()
    }

    /// The subscripts of the number of a chunk.
    fn subscripts(self, ctx: &Context) -> AffineMap {
        let place = ctx.affine_dim(0);
        let row = self.row.map(|row| ctx.affine_const(row));
        let subscripts: Vec<AffineExpr> = row.into_iter().chain([place]).collect();
        ctx.affine_map(1, 0, &subscripts)
    }

    fn load(self, b: &mut Builder, place: Value) -> Value {
        LoadOp::create(b, self.array, self.subscripts(b.ctx), &[place])
    }

    fn store(self, b: &mut Builder, place: Value, number: Value) {
        StoreOp::create(b, number, self.array, self.subscripts(b.ctx), &[place]);
    }
}

impl Scan {
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        let op = self.scan.op;
        let parts = self.allocate_parts(ctx, body);
        let mut b = Builder::before(ctx, body, op.0);
        if let Some(blocks) = &self.blocks {
            let by_blocks = BlockScan {
                tiles: Tiles {
                    scan: &self.scan,
                    recurrence: blocks.recurrence,
                    tiling: &blocks.tiling,
                },
                reduction: blocks.reduction,
                parts: parts.summaries[0][0][0].array,
                count: &parts.count,
            };
            by_blocks.write(&mut b, parts.last[0]);
        } else {
            for number in 0..self.scan.levels.len() {
                self.sum_chunks(&mut b, &parts, number);
                self.start_chunks(&mut b, &parts, number);
            }
            if !self.scan.only_computes(b.body) {
                self.scan_chunks(&mut b, &parts);
            }
        }
        for (result, last) in body[op.0].results().zip(parts.last) {
            if let Some(last) = last {
                let mut b = Builder::before(ctx, body, op.0);
                let value = LoadOp::create(&mut b, last, ctx.constant_map(0), &[]);
                body.replace_uses(result, value);
            }
        }
        body.erase(op.0);
    }

    fn allocate_parts(&self, ctx: &Context, body: &mut Body) -> Parts {
        let op = self.scan.op;
        let count = self.count(ctx, body);
        let chunks = Extent::of(ctx, &count);
        let args = op.iter_args(body);
        let types: Vec<Type> = args.iter().map(|&value| body.ty(value)).collect();
        let (mut summaries, mut starts) = (Vec::new(), Vec::new());
        for carried in self.scan.levels.iter().map(|level| &level.carried) {
            let (mut own_summaries, mut own_starts) = (Vec::new(), Vec::new());
            for carried in carried {
                let numbers = carried.empty_summary(ctx).into_iter();
                let numbers: Vec<Type> = numbers.map(|(ty, _)| ty).collect();
                let summary = Numbers::allocate(ctx, body, op.0, &numbers, &chunks);
                let values = carried.places.iter().map(|&place| types[place]);
                let values: Vec<Type> = values.collect();
                own_starts.push(match numbers.starts_with(&values) {
                    true => summary[..values.len()].to_vec(),
                    false => Numbers::allocate(ctx, body, op.0, &values, &chunks),
                });
                own_summaries.push(summary);
            }
            summaries.push(own_summaries);
            starts.push(own_starts);
        }
        let last = types.iter().zip(&self.has_results);
        let last = last.map(|(&ty, &has_result)| {
            has_result.then(|| allocate(ctx, body, op.0, &[ty], &[Extent::Constant(1)])[0])
        });
        Parts {
            last: last.collect(),
            summaries,
            starts,
            count,
        }
    }

    /// The number of chunks.
    fn count(&self, ctx: &Context, body: &Body) -> MapWithOperands {
        match self.chunks {
            Some(chunks) => (ctx.constant_map(chunks), Vec::new()),
            None => self.scan.count(ctx, body, self.span),
        }
    }

    /// Emits the loops over the iterations of a chunk, from `init`: rows of adjacent iterations,
    /// then the remaining ones. `iteration` emits one iteration for a counter and carried values,
    /// and returns the next carried values. Returns the last carried values.
    fn walk_chunk(
        &self,
        b: &mut Builder,
        place: Value,
        inits: &[Value],
        iteration: impl Fn(&mut Builder, Value, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let ctx = b.ctx;
        let step = self.scan.op.step(ctx, b.body);
        let mut inputs = Inputs::new(ctx);
        let place = inputs.dim(place);
        let names = IrMapping::new();
        let low = inputs.import(self.scan.op.lower(ctx, b.body), &names)[0];
        let mut ends = inputs.import(self.scan.op.upper(ctx, b.body), &names);
        let start = ctx.affine_add(low, inputs.times(place, self.span * step));
        ends.push(inputs.plus(start, self.span * step));
        // A row begins only where its last iteration is in the chunk.
        let before = (self.row - 1) * step;
        let row_ends: Vec<AffineExpr> = ends.iter().map(|&e| inputs.plus(e, -before)).collect();
        let rows = Rows {
            lower: inputs.finish(&[start]),
            upper: inputs.finish(&row_ends),
            pitch: self.row * step,
            step,
            row: self.row,
        };
        let last = rows.write(b, inits, &iteration);
        if !self.has_remainder {
            return last;
        }
        // Chunks hold whole rows, so only the last chunk has remaining iterations.
        let behind = inputs.behind_rows(low, ends[0], step, self.row);
        let remainder = Rows {
            lower: inputs.finish(&[behind, start]),
            upper: inputs.finish(&ends),
            pitch: step,
            step,
            row: 1,
        };
        remainder.write(b, &last, &iteration)
    }

    /// Emits the loops over the iterations of a chunk for the values of a level, with those of lower levels, which
    /// start from what the chunk starts from. `next` emits the state of the level behind an iteration, from that before
    /// it and the copies of the loop's values. Returns the last state.
    fn walk_level(
        &self,
        b: &mut Builder,
        (parts, number, place): (&Parts, usize, Value),
        state: &[Value],
        next: impl Fn(&mut Builder, &[Value], &IrMapping) -> Vec<Value>,
    ) -> Vec<Value> {
        let mut inits = self.starts(b, parts, number, place);
        let below = inits.len();
        inits.extend(state);
        let lower = self.scan.levels[..number]
            .iter()
            .flat_map(|level| &level.carried);
        let lower: Vec<&Carried> = lower.collect();
        let places = lower
            .iter()
            .flat_map(|carried| carried.places.iter().copied());
        let places: Vec<usize> = places.collect();
        let last = self.walk_chunk(b, place, &inits, |b, iv, carried| {
            let (values, state) = carried.split_at(below);
            let mut names = self.scan.names_of(b.body, iv, &places, values);
            b.insert_copies(&self.scan.levels[number].slice, &mut names);
            let mut all = step_all(b, &lower, values, &names);
            all.extend(next(b, state, &names));
            all
        });
        last[below..].to_vec()
    }

    /// Emits the values that a chunk starts from, of the levels before one.
    fn starts(&self, b: &mut Builder, parts: &Parts, number: usize, place: Value) -> Vec<Value> {
        let starts = parts.starts[..number].iter().flatten().flatten();
        starts.map(|start| start.load(b, place)).collect()
    }

    /// Emits step 1 for the values of a level: the summaries of the chunks.
    fn sum_chunks(&self, b: &mut Builder, parts: &Parts, number: usize) {
        let carried = &self.scan.levels[number].carried;
        let (band, place) = open_band(b, bound(&parts.count));
        let empty = carried.iter().map(|carried| carried.empty_summary(b.ctx));
        let empty: Vec<Vec<_>> = empty.collect();
        let inits = empty
            .iter()
            .flatten()
            .map(|&(ty, number)| b.constant(number, ty));
        let inits: Vec<Value> = inits.collect();
        let last = self.walk_level(b, (parts, number, place), &inits, |b, mut state, names| {
            let mut all = Vec::new();
            for (carried, empty) in carried.iter().zip(&empty) {
                let (summary, rest) = state.split_at(empty.len());
                all.extend(carried.summed_up(b, summary, names));
                state = rest;
            }
            all
        });
        let numbers = parts.summaries[number].iter().flatten();
        for (numbers, number) in numbers.zip(last) {
            numbers.store(b, place, number);
        }
        go_behind(b, band.0);
    }

    /// Emits step 2 for the values of a level, by one thread: what each chunk starts from, and the final values.
    fn start_chunks(&self, b: &mut Builder, parts: &Parts, number: usize) {
        let ctx = b.ctx;
        let carried: Vec<&Carried> = self.scan.levels[number].carried.iter().collect();
        let places = carried
            .iter()
            .flat_map(|carried| carried.places.iter().copied());
        let (band, _) = open_band(b, Bound::constant(ctx, 1));
        let inits = self.scan.op.inits(ctx, b.body);
        let inits: Vec<Value> = places.clone().map(|k| inits[k]).collect();
        let new = ForOp::create(b, Bound::constant(ctx, 0), bound(&parts.count), 1, &inits);
        let block = new.block(b.body);
        b.set(InsertPoint::End(block));
        let (place, starts) = (new.induction_var(b.body), new.iter_args(b.body).to_vec());
        let (mut all, mut tests, mut open) = (Vec::new(), Vec::new(), &starts[..]);
        let numbers = parts.summaries[number].iter().zip(&parts.starts[number]);
        for (carried, (summary, numbers)) in carried.iter().zip(numbers) {
            let (start, rest) = open.split_at(carried.places.len());
            open = rest;
            let summary: Vec<Value> = summary.iter().map(|n| n.load(b, place)).collect();
            for (&start, numbers) in start.iter().zip(numbers) {
                numbers.store(b, place, start);
            }
            let last = carried.applied(b, start, &summary);
            tests.extend(carried.is_exact_enough(b, start, &summary, &last));
            all.extend(last);
        }
        let is_exact_enough = tests.into_iter();
        let is_exact_enough = is_exact_enough.reduce(|all, test| b.binary(arith::ANDI, all, test));
        if let Some(condition) = is_exact_enough {
            all = choose(b, condition, &all, |b| {
                self.walk_level(b, (parts, number, place), &starts, |b, state, names| {
                    step_all(b, &carried, state, names)
                })
            });
        }
        let ends = close(b, new, &all);
        for (end, k) in ends.into_iter().zip(places) {
            if let Some(last) = parts.last[k] {
                StoreOp::create(b, end, last, ctx.constant_map(0), &[]);
            }
        }
        go_behind(b, band.0);
    }

    /// Emits step 3: the original loop for each chunk, from its initial values.
    fn scan_chunks(&self, b: &mut Builder, parts: &Parts) {
        let (band, place) = open_band(b, bound(&parts.count));
        let levels = &self.scan.levels;
        let carried = levels.iter().flat_map(|level| &level.carried);
        let places = carried.flat_map(|carried| carried.places.iter().copied());
        let places: Vec<usize> = places.collect();
        let starts = self.starts(b, parts, levels.len(), place);
        let statements = self.scan.op.statements(b.body);
        self.walk_chunk(b, place, &starts, |b, iv, carried| {
            let mut names = self.scan.names_of(b.body, iv, &places, carried);
            b.insert_copies(&statements, &mut names);
            let yielded = self.scan.op.yielded(b.body);
            places.iter().map(|&k| names.value(yielded[k])).collect()
        });
        go_behind(b, band.0);
    }
}

/// Emits the next values of some recurrences, one after the other.
fn step_all(
    b: &mut Builder,
    all: &[&Carried],
    mut values: &[Value],
    names: &IrMapping,
) -> Vec<Value> {
    let mut next = Vec::new();
    for carried in all {
        let (own, rest) = values.split_at(carried.places.len());
        next.extend(carried.step(b, own, names));
        values = rest;
    }
    next
}

/// Emits values where a condition holds, else those that `otherwise` emits.
fn choose(
    b: &mut Builder,
    condition: Value,
    values: &[Value],
    otherwise: impl FnOnce(&mut Builder) -> Vec<Value>,
) -> Vec<Value> {
    let types: Vec<Type> = values.iter().map(|&value| b.body.ty(value)).collect();
    let branch = scf::IfOp::create(b, condition, &types, true);
    let then = branch.then_block(b.body);
    scf::yield_values(b, then, values);
    if let Some(block) = branch.else_block(b.body) {
        b.set(InsertPoint::End(block));
        let others = otherwise(b);
        scf::yield_values(b, block, &others);
    }
    go_behind(b, branch.0);
    b.body[branch.0].results().collect()
}
