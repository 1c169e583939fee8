//! Epilogue of a contraction: stores the sums, with the statements that an iteration of the band
//! runs around its summing loop.
//!
//! A subgroup stores a matrix of sums to workgroup memory, and each of its threads takes elements
//! of it, for which it runs the statements around the summing loop. The statements in front of the
//! loop run late, which changes nothing: they only load and compute, and no other iteration stores
//! what they load. The sum begins with zero, and the loop's initial value is added at the end.

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::gpu::{self, SUBGROUP_LANES};
use gridloom_dialects::{affine, gridloom, memref, scf};
use gridloom_ir::{InsertPoint, OpId, Value};

use super::{Writer, access_matrix};

impl Writer<'_> {
    /// Stores the sums of the subgroup, one matrix after the other.
    pub(super) fn store_sums(&mut self, sums: &[Value]) {
        let (matrices, product) = (self.matrices, self.matrices.product);
        let subgroups = matrices.threads() / SUBGROUP_LANES;
        let memory = self.workgroup_memory([subgroups * product.m, product.n], product.sums);
        let [rows, columns] = [product.m, product.n].map(|side| self.b.index_constant(side));
        let start = self.b.binary(arith::MULI, self.subgroup, rows);
        let zero = self.b.index_constant(0);
        let lanes = self.b.index_constant(SUBGROUP_LANES);
        let lane = self.b.binary(arith::REMUI, self.thread, lanes);
        // The trip count is constant, so that a driver may issue the loads of several rounds at
        // once.
        let end = self
            .b
            .index_constant(product.m * product.n / SUBGROUP_LANES);
        let one = self.b.index_constant(1);
        for (place, &sum) in self.places().into_iter().zip(sums) {
            let operands = [sum, memory, start, zero];
            let name = gpu::SUBGROUP_MMA_STORE_MATRIX;
            access_matrix(&mut self.b, name, &operands, &[], (product.n, false));
            self.barrier();
            let op = scf::ForOp::create(&mut self.b, zero, end, one, &[]);
            let resume = self.b.point();
            let block = op.block(self.b.body);
            scf::yield_values(&mut self.b, block, &[]);
            self.b.set(InsertPoint::Start(block));
            let round = op.induction_var(self.b.body);
            let element = arith::linearize(&mut self.b, round, &[(lanes, lane)]);
            let row = self.b.binary(arith::DIVUI, element, columns);
            let column = self.b.binary(arith::REMUI, element, columns);
            let line = self.b.binary(arith::ADDI, start, row);
            self.element([row, column], place, (memory, line));
            self.b.set(resume);
            self.barrier();
        }
    }

    /// Emits the epilogue of the iteration whose sum lies in `memory`, if there is such an
    /// iteration.
    fn element(&mut self, within: [Value; 2], place: [i64; 2], (memory, line): (Value, Value)) {
        let mut tests = Vec::new();
        let mut map = self.map.clone();
        for side in 0..2 {
            let k = self.matrices.sides[side];
            let start = self.b.binary(arith::ADDI, self.first[side], self.own[side]);
            let start = self.plus(start, place[side]);
            let position = self.b.binary(arith::ADDI, start, within[side]);
            let trips = self.matrices.trips[k];
            if trips % self.matrices.block[side] != 0 {
                let end = self.b.index_constant(trips);
                let below = CmpIOp::create(&mut self.b, CmpIPredicate::Slt, position, end);
                tests.push(below);
            }
            let (counter, value) = self.counter(k, position);
            map.map(counter, value);
        }
        let all = tests.into_iter();
        let inside = all.reduce(|x, y| self.b.binary(arith::ANDI, x, y));
        if let Some(inside) = inside {
            let op = scf::IfOp::create(&mut self.b, inside, &[], false);
            let block = op.then_block(self.b.body);
            scf::yield_values(&mut self.b, block, &[]);
            self.b.set(InsertPoint::Start(block));
        }
        let sum = memref::LoadOp::create(&mut self.b, memory, &[line, within[1]]);
        if let Some(op) = self.b.body.defining_op(sum) {
            gridloom::set_in_bounds(self.b.ctx, &mut self.b.body[op], true);
        }
        let summing = ForOp(self.matrices.summing);
        let init = summing.inits(self.b.ctx, self.b.body)[0];
        for op in self.statements() {
            if op == summing.0 {
                let whole = self.b.binary(arith::ADDF, map.value(init), sum);
                let result = self.b.body[op].result(0);
                map.map(result, whole);
                continue;
            }
            self.b.insert_copy(op, &mut map);
        }
    }

    /// Returns the statements of an iteration of the band, the summing loop included.
    fn statements(&self) -> Vec<OpId> {
        let body = &*self.b.body;
        let innermost = self.plan.band.last();
        let ops = innermost
            .into_iter()
            .flat_map(|l| body.ops(l.counter.block(body)));
        ops.filter(|&op| body[op].name != affine::YIELD).collect()
    }
}
