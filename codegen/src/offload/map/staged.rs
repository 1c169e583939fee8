//! Staged nests: threads of a workgroup copy what they load into workgroup memory together.
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
//! memory and arithmetic overlap; after the last whole chunk, it fetches that one again.
//!
//! Threads beyond the last iteration walk the loop with the others, since a barrier waits for
//! all of a workgroup. They read elements of the copy that may hold anything, and store nothing.
//! Copies stay within the elements that the program loads: a place beyond the box of the
//! iterations there are is the last one in it.

pub(in crate::offload) mod chunks;

use std::collections::HashMap;

use gridloom_dialects::gpu::{LaunchArgs, LaunchOp};
use gridloom_dialects::{affine, arith, memref, scf};
use gridloom_ir::attr::Attr;
use gridloom_ir::types::{MemRefType, TypeKind};
use gridloom_ir::{InsertPoint, OpId, Type, Value};

use super::{Count, Mapper};
use crate::offload::staging::{StagedArray, Staging, sides};
use crate::transform::lower_affine::expand_best;
use chunks::{BlockSide, Stager, zero};

impl Mapper<'_> {
    /// The thread's place along a dimension, at which all threads of a workgroup are in the same
    /// round of a loop over workgroups, and whether it is below the total for certain.
    pub(super) fn index_together(
        &mut self,
        args: &LaunchArgs,
        dim: usize,
        total: Count,
    ) -> (Value, bool) {
        let size = self.plan.block[dim];
        let threads = self.b.index_constant(size);
        let mut start = self.b.binary(arith::MULI, args.block_id[dim], threads);
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
        let index = self.b.binary(arith::ADDI, start, args.thread_id[dim]);
        (index, is_whole)
    }

    /// Moves into an `scf.for`. Returns its counter.
    fn walk(&mut self, start: Value, end: Value, step: Value) -> Value {
        let op = scf::ForOp::create(&mut self.b, start, end, step, &[]);
        let block = op.block(self.b.body);
        scf::yield_values(&mut self.b, block, &[]);
        self.b.set(InsertPoint::Start(block));
        op.induction_var(self.b.body)
    }

    /// Rewrites the staged loop of the nest, which is still outside of the launch, in terms of
    /// values of the launch.
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
        let thread = self.thread_number(&launch.args(self.b.body));
        self.b.set(InsertPoint::Before(staging.chunked));
        let counters = &self.counters;
        let mut stager = Stager {
            b: &mut self.b,
            staging,
            counters,
            sides: &sides,
            blocks: &blocks,
            buffers: &buffers,
            thread,
            threads: plan.block.iter().product(),
        };
        stager.run();
        self.b.set(resume);
    }

    /// The iterations of a loop that the workgroup computes; `None` where that is one.
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
        let is_whole = matches!(self.trips[k], Count::Known(trips) if trips % side == 0);
        let last = (!is_whole).then(|| {
            let trips = self.value(self.trips[k]);
            let [one, most] = [1, side - 1].map(|value| self.b.index_constant(value));
            let left = self.b.binary(arith::SUBI, trips, first);
            let last = self.b.binary(arith::SUBI, left, one);
            self.b.binary(arith::MINSI, last, most)
        });
        Some(BlockSide { base, last })
    }

    /// Workgroup memory for the box of an array.
    fn buffer(&mut self, array: &StagedArray, sides: &[i64], chunk: i64) -> Value {
        let ctx = self.b.ctx;
        let element = array.loads.first().map(|&(load, _)| {
            let load = affine::LoadOp(load);
            self.b.body.ty(load.result(self.b.body))
        });
        let space: Attr = ctx.dialect_attr("gpu", ".address_space<workgroup>");
        let ty = ctx.intern_type(TypeKind::MemRef(MemRefType {
            shape: array.shape(sides, chunk).into(),
            // A plan has no array without loads.
            element: element.unwrap_or_else(|| ctx.index_type()),
            layout: None,
            space: Some(space),
        }));
        memref::AllocaOp::create(&mut self.b, ty, &[])
    }

    /// The number of the thread in its workgroup, along x first.
    fn thread_number(&mut self, args: &LaunchArgs) -> Value {
        let [x, y, _] = args.thread_id;
        let width = self.b.index_constant(self.plan.block[0]);
        // Staged nests have one plane of threads.
        let rows = self.b.binary(arith::MULI, y, width);
        self.b.binary(arith::ADDI, rows, x)
    }

    /// The last operation before the insertion point, which is at the end of what was written.
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
    /// Guards the loads and stores written after `start` in this block, and in a test of the staged
    /// loop there; where it does not hold, a load is zero.
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

    /// Guards adjacent loads, or stores, by one condition.
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
