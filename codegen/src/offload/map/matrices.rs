//! Contraction mapper: turns a planned contraction into a `gpu.launch` of `gpu.subgroup_mma`
//! operations.
//!
//! ```text
//! scf.for %i, %j                        gpu.launch blocks(columns, rows, others) {
//!   %s = affine.for %k … iter_args        %r:8 = scf.for %k0 = 0 to %whole step 32 iter_args(%c…) {
//!     … extf(%a) * extf(%b)                 gpu.barrier
//!   store %s, %c[%i, %j]           ⇒        … = vector.load %a[…], vector.load %b[…]   // of the next chunk
//!                                           … = gpu.subgroup_mma_compute …             // 2 × 8 products
//!                                           gpu.barrier
//!                                           vector.store …                             // of the next chunk
//!                                         }
//!                                         … // the last, shorter chunk, with zeros behind it
//!                                         // for each matrix of sums:
//!                                         gpu.subgroup_mma_store_matrix %r#0, %own
//!                                         gpu.barrier
//!                                         scf.for … { scf.if %inside { store %own[…], %c[…] } }
//!                                       }
//! ```
//!
//! Each subgroup has a part of the sums in registers. Elements of copies beyond the last row or column are those
//! of the last one, since their sums are not stored; beyond the depth they are zero.

mod copies;
mod sums;

use gridloom_dialects::gpu::{self, LaunchArgs, LaunchOp, LaunchSizes, MatrixRole};
use gridloom_dialects::{arith, inherent, memref, scf};
use gridloom_ir::clone::IrMapping;
use gridloom_ir::types::{FloatKind, MemRefType, TypeKind};
use gridloom_ir::{Body, Builder, Context, InsertPoint, OpId, OpName, Type, Value};

use crate::offload::matrices::{Matrices, PADDING};
use crate::offload::plan::NestPlan;
use crate::transform::lower_affine::lower_affine_below;
use copies::Copies;

/// Replaces a planned contraction by a launch on matrix units, `before ⇒ after` as above.
pub(super) fn map_matrices(
    ctx: &Context,
    body: &mut Body,
    plan: &NestPlan,
    matrices: &Matrices,
) -> LaunchOp {
    let root = plan.band[0].counter.op;
    let mut b = Builder::before(ctx, body, root);
    let grid = matrices.groups().map(|groups| b.index_constant(groups));
    let block = [matrices.threads(), 1, 1].map(|threads| b.index_constant(threads));
    let launch = LaunchOp::create(&mut b, LaunchSizes { grid, block });
    let inside = launch.block(b.body);
    gpu::terminate(&mut b, inside);
    b.set(InsertPoint::Start(inside));
    let args = launch.args(b.body);
    let mut writer = Writer::new(b, plan, matrices, &args);
    let sums = writer.products();
    writer.store_sums(&sums);
    body.erase(root);
    lower_affine_below(ctx, body, launch.0);
    launch
}

/// Builder of the launch's body.
struct Writer<'a> {
    b: Builder<'a>,
    plan: &'a NestPlan,
    matrices: &'a Matrices,
    /// Value map from the nest to the launch, for counters of loops other than rows and columns,
    /// and constants.
    map: IrMapping,
    thread: Value,
    /// The first row and column of the workgroup, counted from 0.
    first: [Value; 2],
    /// The first row and column of the subgroup in the workgroup.
    own: [Value; 2],
    /// The number of the subgroup.
    subgroup: Value,
}

impl<'a> Writer<'a> {
    fn new(
        mut b: Builder<'a>,
        plan: &'a NestPlan,
        matrices: &'a Matrices,
        args: &LaunchArgs,
    ) -> Self {
        let index = b.ctx.index_type();
        let subgroup = b.unary(gpu::SUBGROUP_ID, &[], index);
        let [x, y, z] = args.block_id;
        let first = [(y, 0), (x, 1)].map(|(group, side)| {
            let size = b.index_constant(matrices.block[side]);
            b.binary(arith::MULI, group, size)
        });
        let columns = b.index_constant(matrices.block[1] / matrices.part[1]);
        let row = b.binary(arith::DIVUI, subgroup, columns);
        let column = b.binary(arith::REMUI, subgroup, columns);
        let own = [(row, 0), (column, 1)].map(|(number, side)| {
            let size = b.index_constant(matrices.part[side]);
            b.binary(arith::MULI, number, size)
        });
        let mut writer = Writer {
            b,
            plan,
            matrices,
            map: IrMapping::new(),
            thread: args.thread_id[0],
            first,
            own,
            subgroup,
        };
        writer.map_constants();
        writer.map_others(z);
        writer
    }

    /// Copies the constants that stand between the loops of the band.
    fn map_constants(&mut self) {
        let mut blocks: Vec<_> = (self.plan.band.iter())
            .map(|l| l.counter.block(self.b.body))
            .collect();
        blocks.dedup();
        // Constants of the innermost loop are emitted with its statements.
        blocks.pop();
        for block in blocks {
            let ops: Vec<OpId> = self.b.body.ops(block).collect();
            for op in ops {
                if self.b.body[op].name == arith::CONSTANT {
                    self.b.insert_copy(op, &mut self.map);
                }
            }
        }
    }

    /// Maps the counters of the loops that are neither along rows nor along columns, from the
    /// number of the workgroup.
    fn map_others(&mut self, group: Value) {
        let plan = self.plan;
        let others: Vec<usize> = (0..plan.band.len())
            .filter(|k| !self.matrices.sides.contains(k))
            .collect();
        let mut rest = group;
        for (n, &k) in others.iter().enumerate().rev() {
            let position = match n {
                0 => rest,
                _ => {
                    let trips = self.b.index_constant(self.matrices.trips[k]);
                    let position = self.b.binary(arith::REMUI, rest, trips);
                    rest = self.b.binary(arith::DIVUI, rest, trips);
                    position
                }
            };
            let (counter, value) = self.counter(k, position);
            self.map.map(counter, value);
        }
    }

    /// Emits the value of a loop's counter at a position; returns the induction variable and that
    /// value.
    fn counter(&mut self, k: usize, position: Value) -> (Value, Value) {
        let counter = self.plan.band[k].counter;
        let lower = counter.lower(self.b.ctx, self.b.body).map;
        // A loop with a constant trip count begins at a constant, or at a value from outside.
        let value = match lower.as_single_constant(self.b.ctx) {
            Some(0) => position,
            Some(first) => self.plus(position, first),
            None => {
                let lower = counter.lower(self.b.ctx, self.b.body);
                let (map, operands) = (lower.map, lower.operands.to_vec());
                let first = crate::transform::lower_affine::expand_best(
                    &mut self.b,
                    arith::MAXSI,
                    map,
                    &operands,
                );
                self.b.binary(arith::ADDI, first, position)
            }
        };
        (counter.induction_var(self.b.body), value)
    }

    fn plus(&mut self, value: Value, distance: i64) -> Value {
        if distance == 0 {
            return value;
        }
        let distance = self.b.index_constant(distance);
        self.b.binary(arith::ADDI, value, distance)
    }

    fn barrier(&mut self) {
        self.b.create(self.b.state(gpu::BARRIER));
    }

    /// Allocates an array in workgroup memory.
    fn workgroup_memory(&mut self, shape: [i64; 2], kind: FloatKind) -> Value {
        let ctx = self.b.ctx;
        let ty = ctx.intern_type(TypeKind::MemRef(MemRefType {
            shape: Box::new(shape),
            element: ctx.float_type(kind),
            layout: None,
            space: Some(gpu::workgroup_space(ctx)),
        }));
        memref::AllocaOp::create(&mut self.b, ty, &[])
    }

    /// Returns the type of a matrix in a role.
    fn matrix_type(&self, role: MatrixRole) -> Type {
        let product = self.matrices.product;
        let (rows, columns, element) = match role {
            MatrixRole::A => (product.m, product.k, product.factors),
            MatrixRole::B => (product.k, product.n, product.factors),
            MatrixRole::C => (product.m, product.n, product.sums),
        };
        gpu::matrix_type(self.b.ctx, [rows, columns], element, role)
    }

    /// Emits the products of all chunks, and returns the sums of the subgroup: a matrix for each
    /// place along its rows and columns.
    fn products(&mut self) -> Vec<Value> {
        let matrices = self.matrices;
        let copies = [0, 1].map(|factor| Copies::new(self, factor));
        let chunk = matrices.chunk;
        let whole = matrices.depth / chunk * chunk;
        let ty = self.matrix_type(MatrixRole::C);
        let element = self.b.ctx.float_type(matrices.product.sums);
        let zero = super::staged::chunks::zero(&mut self.b, element);
        let zero = self.b.unary(gpu::SUBGROUP_MMA_CONSTANT_MATRIX, &[zero], ty);
        let mut sums = vec![zero; self.places().len()];
        if whole > 0 {
            sums = self.whole_chunks(&copies, &sums, whole);
        }
        if whole < matrices.depth {
            let first = self.b.index_constant(whole);
            self.barrier();
            let fetched = copies
                .each_ref()
                .map(|copies| copies.fetch(self, first, true));
            self.put(&copies, &fetched);
            self.barrier();
            sums = self.chunk(&copies, &sums);
        }
        sums
    }

    /// Emits the loop over whole chunks, software-pipelined: while one chunk is computed, the next
    /// one is fetched; the last iteration fetches its own chunk again.
    fn whole_chunks(&mut self, copies: &[Copies; 2], sums: &[Value], whole: i64) -> Vec<Value> {
        let chunk = self.matrices.chunk;
        let [start, end, step] = [0, whole, chunk].map(|value| self.b.index_constant(value));
        let fetched = copies
            .each_ref()
            .map(|copies| copies.fetch(self, start, false));
        self.put(copies, &fetched);
        let op = scf::ForOp::create(&mut self.b, start, end, step, sums);
        let resume = self.b.point();
        let block = op.block(self.b.body);
        let first = op.induction_var(self.b.body);
        let carried = op.iter_args(self.b.body).to_vec();
        self.b.set(InsertPoint::End(block));
        self.barrier();
        let next = self.plus(first, chunk);
        let last = self.b.index_constant(whole - chunk);
        let next = self.b.binary(arith::MINSI, next, last);
        let fetched = copies
            .each_ref()
            .map(|copies| copies.fetch(self, next, false));
        let sums = self.chunk(copies, &carried);
        self.barrier();
        self.put(copies, &fetched);
        scf::yield_values(&mut self.b, block, &sums);
        self.b.set(resume);
        self.b.body[op.0].results().collect()
    }

    fn put(&mut self, copies: &[Copies; 2], fetched: &[Vec<Value>; 2]) {
        for (copies, fetched) in copies.iter().zip(fetched) {
            copies.put(self, fetched);
        }
    }

    /// Returns the row and column of each matrix of a subgroup's sums.
    fn places(&self) -> Vec<[i64; 2]> {
        let (part, product) = (self.matrices.part, self.matrices.product);
        let rows = (0..part[0]).step_by(product.m as usize);
        rows.flat_map(|row| {
            let columns = (0..part[1]).step_by(product.n as usize);
            columns.map(move |column| [row, column])
        })
        .collect()
    }

    /// Emits the multiply-adds of a chunk, which lies in workgroup memory.
    fn chunk(&mut self, copies: &[Copies; 2], sums: &[Value]) -> Vec<Value> {
        let (part, product, chunk) = (
            self.matrices.part,
            self.matrices.product,
            self.matrices.chunk,
        );
        let places = self.places();
        let mut sums = sums.to_vec();
        for depth in (0..chunk).step_by(product.k as usize) {
            let right: Vec<(i64, Value)> = (0..part[1])
                .step_by(product.n as usize)
                .map(|column| (column, copies[1].matrix(self, column, depth)))
                .collect();
            for row in (0..part[0]).step_by(product.m as usize) {
                let left = copies[0].matrix(self, row, depth);
                for &(column, right) in &right {
                    let Some(at) = places.iter().position(|&place| place == [row, column]) else {
                        continue;
                    };
                    let ty = self.matrix_type(MatrixRole::C);
                    let operands = [left, right, sums[at]];
                    sums[at] = self.b.unary(gpu::SUBGROUP_MMA_COMPUTE, &operands, ty);
                }
            }
        }
        sums
    }
}

/// Pitch: the distance of lines in workgroup memory, in elements.
fn pitch(length: i64) -> i64 {
    length + PADDING
}

/// Creates an access of a matrix in memory.
fn access_matrix(
    b: &mut Builder,
    name: OpName,
    operands: &[Value],
    results: &[Type],
    (lead, is_transposed): (i64, bool),
) -> OpId {
    let ctx = b.ctx;
    let lead = ctx.index_attr(lead);
    let mut state = (b.state(name).operands(operands).results(results)).property(
        ctx,
        inherent::LEAD_DIMENSION,
        lead,
    );
    if is_transposed {
        state = state.property(ctx, inherent::TRANSPOSE, ctx.unit_attr());
    }
    b.create(state)
}
