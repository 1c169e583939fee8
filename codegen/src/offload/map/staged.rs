//! Staged nests: the threads of a workgroup copy the elements they load to workgroup memory
//! together.
//!
//! ```text
//! scf.if %inside {                                %z = scf.if %inside { load %c[%i, %j] } else { 0 }
//!   %z = load %c[%i, %j]                          %f = load %a[%i0 + %t / 16, %lo + %t mod 16]
//!   %s = affine.for %k = %lo to %hi               %s = scf.for %k0 = %lo to %mid step 16
//!       iter_args(%acc = %z) {                        iter_args(%acc = %z, %x0 = %f) {
//!     %x = affine.load %a[%i, %k]                   gpu.barrier
//!     … %acc + %x * %y                      ⇒       store %x0, %own[%t mod 16, %t / 16]
//!   }                                               gpu.barrier
//!   store %s, %c[%i, %j]                            %x1 = load %a[…, %k0 + 16 + …]
//! }                                                 scf.for %n = 0 to 16 iter_args(…) {
//!                                                     %x = affine.load %own[%n, %i - %i0]
//!                                                     … %acc + %x * %y
//!                                                   }
//!                                                   yield …, %x1
//!                                                 }
//!                                                 … // the last, shorter chunk, from %mid to %hi
//!                                                 scf.if %inside { store %s, %c[%i, %j] }
//! ```
//!
//! A thread `%t` fetches its elements of the next chunk before it computes on this one, so that
//! memory and arithmetic overlap; after the last whole chunk, it fetches that one again. It copies
//! vectors of neighbouring elements, and computes what depends on one element alone before storing
//! it to workgroup memory. The iterations of a whole chunk stand one after the other where that is
//! not too long.
//!
//! Tiles are written in terms of places in the copies, `%i - %i0`, which are a multiple of the tile's
//! side and a constant, so that neighbours are read at once.
//!
//! Threads beyond the last iteration walk the loop with the others, since a barrier waits for all
//! of a workgroup, and so do points of a tile that are no iterations. They may read undefined
//! elements of the copy, and load and store no other memory: each point is guarded by a test of its
//! own, except in threads whose points are all iterations. Copies stay within the elements that the
//! program loads: a place beyond the box of the iterations there are is the last one in it.

pub(in crate::offload) mod chunks;
mod copies;

use std::collections::HashMap;

use gridloom_dialects::gpu::{self, LaunchArgs, LaunchOp};
use gridloom_dialects::{affine, arith, memref, scf};
use gridloom_ir::types::{MemRefType, TypeKind};
use gridloom_ir::{InsertPoint, OpId, Type, Value};

use super::{Count, Mapper};
use crate::offload::jam::Jam;
use crate::offload::staging::{StagedArray, Staging, sides};
use crate::offload::variance::Mask;
use crate::transform::lower_affine::expand_best;
use chunks::{BlockSide, Stager, zero};

impl Mapper<'_> {
    /// The thread's index along a dimension, in a loop over workgroups that all threads of a
    /// workgroup execute together, and whether the index is known to be below the total.
    pub(super) fn index_together(
        &mut self,
        args: &LaunchArgs,
        dim: usize,
        total: Count,
    ) -> (Value, bool) {
        let size = self.plan.block[dim];
        let threads = self.b.index_constant(size);
        let mut block = args.block_id[dim];
        if dim == 0 && self.plan.threads_along(0) > size {
            block = self.row_of_lanes(args);
        }
        let mut start = self.b.binary(arith::MULI, block, threads);
        let is_whole = match self.is_covered(total, size) {
            Some(is_whole) => is_whole,
            None => {
                let end = self.value(total);
                let stride = self.b.binary(arith::MULI, args.grid_dim[dim], threads);
                start = self.walk(start, end, stride);
                false
            }
        };
        self.starts[dim] = Some(start);
        self.lanes[dim] = Some(args.thread_id[dim]);
        let index = self.b.binary(arith::ADDI, start, args.thread_id[dim]);
        (index, is_whole)
    }

    /// Emits an `scf.for` and moves the insertion point into it. Returns its counter.
    fn walk(&mut self, start: Value, end: Value, step: Value) -> Value {
        let op = scf::ForOp::create(&mut self.b, start, end, step, &[]);
        let block = op.block(self.b.body);
        scf::yield_values(&mut self.b, block, &[]);
        self.b.set(InsertPoint::Start(block));
        op.induction_var(self.b.body)
    }

    /// Rewrites the staged loop of the nest, still outside of the launch, to use values of the
    /// launch.
    pub(super) fn stage(&mut self, staging: &Staging, launch: LaunchOp, tiles: &[Option<Value>]) {
        let plan = self.plan;
        let sides = sides(&plan.dims, &plan.tile, &plan.block);
        let blocks = (0..plan.band.len()).map(|k| self.block_of(k, sides[k], tiles[k]));
        let blocks: Vec<Option<BlockSide>> = blocks.collect();
        let resume = self.b.point();
        let head = launch.block(self.b.body);
        self.b.set(InsertPoint::Start(head));
        let buffers: Vec<Value> = (staging.arrays.iter())
            .map(|array| self.buffer(array, &sides, staging.chunk))
            .collect();
        let thread = self.linear_thread_id(&launch.args(self.b.body));
        self.name_locals(&blocks);
        self.b.set(InsertPoint::Before(staging.chunked));
        let counters = &self.counters;
        let mut stager = Stager {
            b: &mut self.b,
            staging,
            counters,
            sides: &sides,
            blocks: &blocks,
            locals: &self.locals,
            is_unrolled: staging.is_unrolled,
            buffers: &buffers,
            thread,
            threads: plan.block.iter().product(),
        };
        stager.run();
        self.b.set(resume);
    }

    /// Inserts the distances of counters from the workgroup's first ones into the nest, which
    /// indexes copies by them; a tile replaces them by constants where it can.
    fn name_locals(&mut self, blocks: &[Option<BlockSide>]) {
        let Some(last) = self.plan.band.last() else {
            return;
        };
        let head = last.counter.block(self.b.body);
        self.b.set(InsertPoint::Start(head));
        let locals = self.counters.iter().zip(blocks).map(|(&counter, block)| {
            let base = block.as_ref()?.base;
            Some(self.b.binary(arith::SUBI, counter, base))
        });
        self.locals = locals.collect();
    }

    /// The distances of a tile's counters from the workgroup's first one.
    pub(super) fn places(&mut self, k: usize) -> Vec<Value> {
        let plan = self.plan;
        let dim = plan.dims.iter().position(|loops| loops[..] == [k]);
        let lane = dim.and_then(|dim| self.lanes[dim].filter(|_| plan.block[dim] > 1));
        let scale = match plan.run_distance(k) {
            1 => plan.tile[k],
            _ => plan.run_length(k),
        };
        let first = lane.map(|lane| self.scaled(lane, scale));
        let offsets: Vec<i64> = (0..plan.tile[k])
            .map(|place| plan.offset_in_tile(k, place))
            .collect();
        let place = |offset: i64| {
            let constant = self.b.index_constant(offset);
            match first {
                Some(first) if offset > 0 => self.b.binary(arith::ADDI, first, constant),
                Some(first) => first,
                None => constant,
            }
        };
        offsets.into_iter().map(place).collect()
    }

    /// Masks the points of a tile that are no iterations, and all points of a thread for which
    /// `together` does not hold: they load and store nothing. Counters are clamped to the last
    /// iteration.
    pub(super) fn bound_points(
        &mut self,
        jam: &mut Jam,
        first: &[Option<Value>],
        together: Option<Value>,
    ) {
        let plan = self.plan;
        let ragged = (0..plan.band.len()).filter(|&k| self.is_cut(k));
        let ragged: Vec<usize> = ragged.collect();
        let mut rows: Vec<Vec<Value>> = Vec::new();
        for &k in &ragged {
            let offsets = (0..plan.tile[k]).map(|place| plan.offset_in_tile(k, place));
            let offsets: Vec<Value> = offsets
                .map(|offset| self.b.index_constant(offset))
                .collect();
            let first = first[k].unwrap_or_else(|| self.b.index_constant(0));
            let tests = offsets
                .iter()
                .map(|&offset| self.is_inside(k, first, offset));
            rows.push(tests.collect());
        }
        let last = rows.iter().filter_map(|row| row.last().copied());
        let all = together.into_iter().chain(last).collect();
        let Some(all) = self.all_of(all) else { return };
        let is_in = self.at_points(together, &rows);
        let mask = ragged.iter().fold(0, |mask: Mask, k| mask | 1 << k);
        let is_in = is_in
            .into_iter()
            .map(|point| point.unwrap_or(all))
            .collect();
        jam.set_domain(mask, is_in, Some(all));
    }

    /// Conjunctions of one test of each row, for all points, the last row fastest; `together` holds for all of them.
    pub(super) fn at_points(
        &mut self,
        together: Option<Value>,
        rows: &[Vec<Value>],
    ) -> Vec<Option<Value>> {
        let mut tests: Vec<Option<Value>> = vec![together];
        for row in rows {
            let with = |&point: &Option<Value>| {
                let both = row.iter().map(move |&test| (point, test));
                both.collect::<Vec<_>>()
            };
            let pairs: Vec<(Option<Value>, Value)> = tests.iter().flat_map(with).collect();
            let both = pairs.into_iter().map(|(point, test)| match point {
                Some(point) => Some(self.b.binary(arith::ANDI, point, test)),
                None => Some(test),
            });
            tests = both.collect();
        }
        tests
    }

    /// Whether a workgroup may have fewer iterations of a loop than the others.
    pub(super) fn is_cut(&self, k: usize) -> bool {
        let plan = self.plan;
        let dim = plan.dims.iter().position(|loops| loops[..] == [k]);
        let side = plan.tile[k] * dim.map_or(1, |dim| plan.threads_along(dim));
        side > 1 && !matches!(self.trips[k], Count::Known(trips) if trips % side == 0)
    }

    /// The iterations of a loop that the workgroup computes; `None` where it computes one.
    fn block_of(&mut self, k: usize, side: i64, tile: Option<Value>) -> Option<BlockSide> {
        if side == 1 {
            return None;
        }
        let plan = self.plan;
        let first = match plan.dims.iter().position(|loops| loops[..] == [k]) {
            Some(dim) => {
                let tile = self.b.index_constant(plan.tile[k]);
                self.b.binary(arith::MULI, self.starts[dim]?, tile)
            }
            // Loops that share z: all threads of a workgroup compute the same tile along each.
            None => self.first_of_tile(k, tile?),
        };
        let ctx = self.b.ctx;
        let lower = plan.band[k].counter.lower(ctx, self.b.body);
        let (map, operands) = (lower.map, lower.operands.to_vec());
        let least = expand_best(&mut self.b, arith::MAXSI, map, &operands);
        let base = self.b.binary(arith::ADDI, least, first);
        let count = self.is_cut(k).then(|| {
            let trips = self.value(self.trips[k]);
            let most = self.b.index_constant(side);
            let left = self.b.binary(arith::SUBI, trips, first);
            self.b.binary(arith::MINSI, left, most)
        });
        let multiple = match self.trips[k] {
            Count::Known(trips) => trips,
            Count::Value(_) => 1,
        };
        Some(BlockSide {
            base,
            count,
            multiple,
        })
    }

    /// Allocates workgroup memory for the box of an array.
    fn buffer(&mut self, array: &StagedArray, sides: &[i64], chunk: i64) -> Value {
        let ctx = self.b.ctx;
        let space = gpu::workgroup_space(ctx);
        let ty = ctx.intern_type(TypeKind::MemRef(MemRefType {
            shape: array.shape(sides, chunk).into(),
            element: array.element,
            layout: None,
            space: Some(space),
        }));
        memref::AllocaOp::create(&mut self.b, ty, &[])
    }

    /// The linear id of the thread in its workgroup.
    fn linear_thread_id(&mut self, args: &LaunchArgs) -> Value {
        let [x, y, _] = args.thread_id;
        let width = self.b.index_constant(self.plan.block[0]);
        // Staged nests have workgroups of one plane, so z is 0.
        arith::linearize(&mut self.b, y, &[(width, x)])
    }

    /// The last operation before the insertion point, which is at the end of its block.
    pub(super) fn last_written(&self) -> Option<OpId> {
        let body = &*self.b.body;
        match self.b.point() {
            InsertPoint::Before(op) => body[op].prev(),
            InsertPoint::End(block) => body[block].last(),
            InsertPoint::Start(_) => None,
        }
    }
}

impl Mapper<'_> {
    /// Guards the loads and stores written after `start` in this block, and those in the test
    /// around the staged loop; where the guard fails, a load gives zero.
    ///
    /// ```text
    /// %z = load %c[%i, %j]   ⇒   %z = scf.if %inside { yield load %c[%i, %j] } else { yield 0 }
    /// ```
    pub(super) fn guard_accesses(&mut self, start: Option<OpId>, is_inside: Value) {
        let resume = self.b.point();
        let body = &*self.b.body;
        let Some(block) = (match resume {
            InsertPoint::Before(op) => body[op].parent(),
            InsertPoint::End(block) | InsertPoint::Start(block) => Some(block),
        }) else {
            return;
        };
        let mut written: Vec<OpId> = (body.ops(block))
            .skip_while(|&op| start.is_some_and(|start| op != start))
            .skip(usize::from(start.is_some()))
            .take_while(|&op| resume != InsertPoint::Before(op))
            .collect();
        let test = written.iter().find(|&&op| body[op].name == affine::IF);
        if let Some(inside) = test.and_then(|&test| body.region_block(test, 0)) {
            written.extend(body.ops(inside));
        }
        let name = |op: &OpId| self.b.body[*op].name;
        let runs: Vec<Vec<OpId>> = (written.chunk_by(|a, b| name(a) == name(b)))
            .filter(|run| matches!(name(&run[0]), affine::LOAD | affine::STORE))
            .map(<[OpId]>::to_vec)
            .collect();
        for run in runs {
            self.guard_run(&run, is_inside);
        }
        self.b.set(resume);
    }

    /// Guards adjacent loads, or adjacent stores, by one condition.
    fn guard_run(&mut self, run: &[OpId], is_inside: Value) {
        let Some(&first) = run.first() else { return };
        self.b.set(InsertPoint::Before(first));
        let results = run.iter().flat_map(|&op| self.b.body[op].results());
        let loaded: Vec<Value> = results.collect();
        let types: Vec<Type> = loaded.iter().map(|&value| self.b.body.ty(value)).collect();
        let op = scf::IfOp::create(&mut self.b, is_inside, &types, !types.is_empty());
        let given: HashMap<Value, Value> = loaded
            .iter()
            .copied()
            .zip(self.b.body[op.0].results())
            .collect();
        let after: Vec<OpId> = std::iter::successors(Some(op.0), |&op| self.b.body[op].next())
            .skip(1)
            .collect();
        for op in after {
            let replaced = |value: Value| given.get(&value).copied().unwrap_or(value);
            self.b.body.replace_values_in(op, replaced);
        }
        let then = op.then_block(self.b.body);
        for &op in run {
            self.b.body.detach(op);
            self.b.body.append(then, op);
        }
        scf::yield_values(&mut self.b, then, &loaded);
        if let Some(other) = op.else_block(self.b.body) {
            self.b.set(InsertPoint::End(other));
            let zeros: Vec<Value> = types.iter().map(|&ty| zero(&mut self.b, ty)).collect();
            scf::yield_values(&mut self.b, other, &zeros);
        }
    }
}
