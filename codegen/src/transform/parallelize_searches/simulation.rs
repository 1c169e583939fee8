//! Simulation of iterations: what each of them does from guessed values, without branches around its loads' guards.

use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::{memref, scf};
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{BlockId, Builder, InsertPoint, IrMapping, OpId, Value};

use super::Search;
use crate::analysis::load_store::is_load;
use crate::analysis::reduction::{int_attr, zero};
use crate::transform::affine_number_selections::rewrite::negated;

/// Emitter of iterations of a search.
pub(super) struct Simulation<'a> {
    search: &'a Search,
    /// The extents of the arrays that the loop loads from, which stand in front of it.
    extents: FxHashMap<Value, Vec<Value>>,
}

/// Iteration under emission.
struct Iteration {
    names: IrMapping,
    /// The conditions under which the loop goes on as guessed.
    stays: Vec<Value>,
}

impl<'a> Simulation<'a> {
    /// Emits the extents of arrays at the builder's position.
    pub(super) fn new(b: &mut Builder, search: &'a Search) -> Self {
        let mut extents: FxHashMap<Value, Vec<Value>> = FxHashMap::default();
        for op in b.body.walk_op(search.op.0) {
            if !is_load(b.body, op) {
                continue;
            }
            let array = memref::LoadOp(op).memref(b.body);
            extents.entry(array).or_insert_with(|| {
                let rank = b.body.ty(array).memref(b.ctx).map_or(0, |ty| ty.rank());
                let dims = (0..rank).map(|dim| {
                    let dim = b.index_constant(i64::try_from(dim).unwrap_or(i64::MAX));
                    memref::DimOp::create(b, array, dim)
                });
                dims.collect()
            });
        }
        Simulation { search, extents }
    }

    /// Emits the guessed values before an iteration, by its number.
    pub(super) fn state(&self, b: &mut Builder, number: Value) -> Vec<Value> {
        let inits = self.search.op.inits(b.body).to_vec();
        let both = inits.iter().zip(&self.search.steps);
        both.map(|(&init, &step)| Self::advanced(b, init, step, Some(number)))
            .collect()
    }

    /// Emits `value + step * number`, in the integers of the value's type; without a number, `value + step`.
    fn advanced(b: &mut Builder, value: Value, step: i64, number: Option<Value>) -> Value {
        let ctx = b.ctx;
        let ty = b.body.ty(value);
        let attr = match ty.is_index(ctx) {
            true => Some(ctx.index_attr(step)),
            false => int_attr(ctx, ty, step.into()),
        };
        let Some(attr) = attr.filter(|_| step != 0) else {
            return value;
        };
        let step = b.constant(attr, ty);
        let offset = match number {
            None => step,
            Some(number) => {
                let number = match ty.is_index(ctx) {
                    true => number,
                    false => b.unary(arith::INDEX_CAST, &[number], ty),
                };
                b.binary(arith::MULI, number, step)
            }
        };
        b.binary(arith::ADDI, value, offset)
    }

    /// Emits a loop over a block of iterations. Returns the number in the block of the first after which the guess does not
    /// hold, or `size`.
    pub(super) fn first_end(&self, b: &mut Builder, from: Value, size: Value) -> Value {
        let [zero, one] = [0, 1].map(|number| b.index_constant(number));
        let all = scf::ForOp::create(b, zero, size, one, &[size]);
        let block = all.block(b.body);
        let (place, best) = (b.body[block].args[0], b.body[block].args[1]);
        let behind = b.point();
        b.set(InsertPoint::End(block));
        let number = b.binary(arith::ADDI, from, place);
        let stays = self.stays(b, number);
        let place = arith::select(b, stays, size, place);
        let next = b.binary(arith::MINSI, best, place);
        b.create(b.state(scf::YIELD).operands(&[next]));
        b.set(behind);
        b.body[all.0].result(0)
    }

    /// Emits whether the loop goes on from the guessed values of an iteration to those of the next one.
    fn stays(&self, b: &mut Builder, number: Value) -> Value {
        let op = self.search.op;
        let state = self.state(b, number);
        let mut iteration = Iteration {
            names: IrMapping::new(),
            stays: Vec::new(),
        };
        let (before, after) = (op.before(b.body), op.after(b.body));
        for (&arg, &value) in b.body[before].args.iter().zip(&state) {
            iteration.names.map(arg, value);
        }
        self.run(b, before, &mut iteration, None);
        let (condition, passed) = op.condition(b.body);
        let goes_on = iteration.names.value(condition);
        iteration.stays.push(goes_on);
        for (&arg, &value) in b.body[after].args.iter().zip(passed) {
            let value = iteration.names.value(value);
            iteration.names.map(arg, value);
        }
        self.run(b, after, &mut iteration, Some(goes_on));
        let yielded = op.yielded(b.body).to_vec();
        let ends = yielded.iter().zip(&state);
        for ((&next, &value), &step) in ends.zip(&self.search.steps) {
            let next = iteration.names.value(next);
            let guessed = Self::advanced(b, value, step, None);
            if next != guessed {
                let is_guessed = CmpIOp::create(b, CmpIPredicate::Eq, next, guessed);
                iteration.stays.push(is_guessed);
            }
        }
        let all = iteration.stays.into_iter();
        let all = all.reduce(|all, one| b.binary(arith::ANDI, all, one));
        all.unwrap_or(goes_on)
    }

    /// Emits the operations of a block that runs under `path`, but for its terminator.
    fn run(&self, b: &mut Builder, block: BlockId, iteration: &mut Iteration, path: Option<Value>) {
        for op in b.body.ops(block).collect::<Vec<OpId>>() {
            match b.body[op].name {
                scf::YIELD | scf::CONDITION => {}
                scf::IF => self.run_branch(b, op, iteration, path),
                memref::LOAD => self.load(b, memref::LoadOp(op), iteration, path),
                _ => drop(b.insert_copy(op, &mut iteration.names)),
            }
        }
    }

    /// Emits both branches, and selects of what they yield.
    fn run_branch(
        &self,
        b: &mut Builder,
        op: OpId,
        iteration: &mut Iteration,
        path: Option<Value>,
    ) {
        let condition = iteration.names.value(b.body[op].operands[0]);
        let mut yielded = Vec::new();
        for region in [0, 1] {
            let Some(block) = b.body.region_block(op, region) else {
                continue;
            };
            let taken = match region {
                0 => condition,
                _ => negated(b, condition),
            };
            let taken = path.map_or(taken, |path| b.binary(arith::ANDI, path, taken));
            self.run(b, block, iteration, Some(taken));
            let end = b.body[block].last();
            let values = end.map(|end| b.body[end].operands.to_vec());
            yielded.push(values.unwrap_or_default());
        }
        for (number, result) in b.body[op].results().enumerate() {
            let arms: Vec<Value> = (yielded.iter())
                .filter_map(|values| values.get(number))
                .map(|&value| iteration.names.value(value))
                .collect();
            if let [yes, no] = arms[..] {
                let value = arith::select(b, condition, yes, no);
                iteration.names.map(result, value);
            }
        }
    }

    /// Emits a load where it runs and is in range.
    fn load(
        &self,
        b: &mut Builder,
        load: memref::LoadOp,
        iteration: &mut Iteration,
        path: Option<Value>,
    ) {
        let ctx = b.ctx;
        let array = load.memref(b.body);
        let least = b.index_constant(0);
        let indices = load.indices(b.body).iter();
        let indices: Vec<Value> = indices.map(|&i| iteration.names.value(i)).collect();
        let extents = self.extents.get(&array).into_iter().flatten();
        let mut tests = Vec::new();
        for (&index, &extent) in indices.iter().zip(extents) {
            tests.push(CmpIOp::create(b, CmpIPredicate::Sge, index, least));
            tests.push(CmpIOp::create(b, CmpIPredicate::Slt, index, extent));
        }
        let in_range = tests.into_iter();
        let in_range = in_range.reduce(|all, one| b.binary(arith::ANDI, all, one));
        if let Some(in_range) = in_range {
            let stays = match path {
                None => in_range,
                Some(path) => {
                    let elsewhere = negated(b, path);
                    b.binary(arith::ORI, in_range, elsewhere)
                }
            };
            iteration.stays.push(stays);
        }
        let runs = match (path, in_range) {
            (Some(path), Some(in_range)) => Some(b.binary(arith::ANDI, path, in_range)),
            (one, other) => one.or(other),
        };
        let result = b.body[load.0].result(0);
        let ty = b.body.ty(result);
        let value = match (runs, zero(ctx, ty)) {
            (Some(runs), Some(zero)) => {
                let none = b.constant(zero, ty);
                let test = scf::IfOp::create(b, runs, &[ty], true);
                let behind = b.point();
                b.set(InsertPoint::End(test.then_block(b.body)));
                let value = memref::LoadOp::create(b, array, &indices);
                b.create(b.state(scf::YIELD).operands(&[value]));
                // The conditional was created with an else block.
                if let Some(block) = test.else_block(b.body) {
                    b.set(InsertPoint::End(block));
                    b.create(b.state(scf::YIELD).operands(&[none]));
                }
                b.set(behind);
                b.body[test.0].result(0)
            }
            _ => memref::LoadOp::create(b, array, &indices),
        };
        iteration.names.map(result, value);
    }
}
