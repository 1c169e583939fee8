//! Emission of the nests over rows and over columns.

use gridloom_dialects::affine::{self, Bound, ForOp, LoadOp, StoreOp};
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::scf;
use gridloom_ir::{Body, Builder, Context, InsertPoint, IrMapping, OpName, Value};

use super::recurrence::{PrefixSums, Row};
use crate::analysis::reduction::neutral_element;
use crate::transform::affine_parallelize_reductions::bounds::Inputs;
use crate::transform::affine_parallelize_reductions::chunk::{close, go_behind};

impl PrefixSums {
    /// Replaces the nest by one over rows and one over columns.
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        let source = body.clone();
        let mut b = Builder::before(ctx, body, self.outer.0);
        let needs_test = self.needs_test(ctx, &source);
        let test = needs_test.then(|| self.open_test(&mut b, &source));
        self.rows(&mut b, &source);
        self.columns(&mut b, &source);
        if let Some(test) = test {
            let block = test.then_block(b.body);
            scf::yield_values(&mut b, block, &[]);
        }
        body.erase(self.outer.0);
    }

    /// Emits a test that the inner loop has an iteration, and moves the builder inside.
    fn open_test(&self, b: &mut Builder, source: &Body) -> scf::IfOp {
        let ctx = b.ctx;
        let [low, high] = [self.inner.lower(ctx, source), self.inner.upper(ctx, source)]
            .map(|end| affine::ApplyOp::create(b, end.map, end.operands));
        let runs = CmpIOp::create(b, CmpIPredicate::Slt, low, high);
        let test = scf::IfOp::create(b, runs, &[], false);
        b.set(InsertPoint::End(test.then_block(b.body)));
        test
    }

    /// Clones a loop without its body, and moves the builder inside.
    fn open(
        &self,
        b: &mut Builder,
        source: &Body,
        l: ForOp,
        names: &mut IrMapping,
        inits: &[Value],
    ) -> ForOp {
        let ctx = b.ctx;
        let ends = [l.lower(ctx, source), l.upper(ctx, source)];
        let ends = ends.map(|end| {
            let operands: Vec<Value> = end.operands.iter().map(|&v| names.value(v)).collect();
            (end.map, operands)
        });
        let [lower, upper] = ends.each_ref().map(|(map, operands)| Bound {
            map: *map,
            operands,
        });
        let new = ForOp::create(b, lower, upper, l.step(ctx, source), inits);
        names.map(l.induction_var(source), new.induction_var(b.body));
        b.set(InsertPoint::End(new.block(b.body)));
        new
    }

    /// Emits the nest of sums along rows.
    fn rows(&self, b: &mut Builder, source: &Body) {
        let ctx = b.ctx;
        let mut names = IrMapping::new();
        let outer = self.open(b, source, self.outer, &mut names, &[]);
        for op in source.ops(self.outer.block(source)) {
            if op != self.inner.0 && source[op].name != affine::YIELD {
                let copy = b.body.clone_op_from(source, op, &mut names);
                b.insert(copy);
            }
        }
        let init = match &self.row {
            Row::Recurrence { before, corner, .. } => {
                let left = self.at_first(b, source, *before, &names);
                let above = self.at_first(b, source, *corner, &names);
                b.binary(self.subtract(), left, above)
            }
            Row::Carried { .. } => names.value(self.inner.inits(ctx, source)[0]),
        };
        let inner = self.open(b, source, self.inner, &mut names, &[init]);
        let carried = inner.iter_args(b.body)[0];
        if let [arg] = self.inner.iter_args(source) {
            names.map(*arg, carried);
        }
        for op in source.ops(self.inner.block(source)) {
            let is_end = source[op].name == affine::YIELD || op == self.store.0;
            if !is_end && !self.dropped.contains(&op) {
                let copy = b.body.clone_op_from(source, op, &mut names);
                b.insert(copy);
            }
        }
        let sum = match &self.row {
            Row::Recurrence { terms, .. } => {
                let term = self.term(b, terms, &names);
                b.binary(self.add, carried, term)
            }
            Row::Carried { sum, .. } => names.value(*sum),
        };
        let place = self.place(source, &names);
        StoreOp::create(
            b,
            sum,
            self.store.memref(source),
            self.store.map(ctx, source),
            &place,
        );
        close(b, inner, &[sum]);
        close(b, outer, &[]);
    }

    /// The operands of the store's subscripts in a clone of the nest.
    fn place(&self, source: &Body, names: &IrMapping) -> Vec<Value> {
        let operands = self.store.operands(source).iter();
        operands.map(|&value| names.value(value)).collect()
    }

    /// Emits the term of an iteration: added terms minus subtracted ones.
    fn term(&self, b: &mut Builder, terms: &[(Value, bool)], names: &IrMapping) -> Value {
        let (less, more): (Vec<_>, Vec<_>) = terms.iter().partition(|(_, is_less)| *is_less);
        let mut sum = None;
        for &(value, _) in &more {
            let value = names.value(value);
            sum = Some(match sum {
                Some(sum) => b.binary(self.add, sum, value),
                None => value,
            });
        }
        for &(value, _) in &less {
            let value = names.value(value);
            let from = sum.unwrap_or_else(|| self.zero(b, value));
            sum = Some(b.binary(self.subtract(), from, value));
        }
        // `prefix_sums` requires at least one term.
        sum.unwrap_or_else(|| self.zero(b, names.value(terms[0].0)))
    }

    /// Emits the nest of sums along columns.
    fn columns(&self, b: &mut Builder, source: &Body) {
        let ctx = b.ctx;
        let mut names = IrMapping::new();
        let outer = self.open(b, source, self.outer, &mut names, &[]);
        let inner = self.open(b, source, self.inner, &mut names, &[]);
        let place = self.place(source, &names);
        let memref = self.store.memref(source);
        let own = LoadOp::create(b, memref, self.store.map(ctx, source), &place);
        let above = LoadOp::create(b, memref, self.above.map(ctx, source), &place);
        let sum = match &self.row {
            Row::Recurrence { .. } => b.binary(self.add, own, above),
            Row::Carried { sum, last } => {
                let mut names = IrMapping::new();
                names.map(*sum, own);
                names.map(source[self.above.0].result(0), above);
                let copy = b.body.clone_op_from(source, *last, &mut names);
                b.insert(copy);
                b.body[copy].result(0)
            }
        };
        StoreOp::create(b, sum, memref, self.store.map(ctx, source), &place);
        close(b, inner, &[]);
        close(b, outer, &[]);
        go_behind(b, outer.0);
    }

    /// Emits the load of the inner loop's first iteration.
    fn at_first(&self, b: &mut Builder, source: &Body, load: LoadOp, names: &IrMapping) -> Value {
        let ctx = b.ctx;
        let mut inputs = Inputs::new(ctx);
        let low = inputs.import(self.inner.lower(ctx, source), names)[0];
        let counter = self.inner.induction_var(source);
        let operands = load.operands(source);
        let exprs: Vec<_> = operands
            .iter()
            .map(|&v| {
                if v == counter {
                    low
                } else {
                    inputs.dim(names.value(v))
                }
            })
            .collect();
        let map = load.map(ctx, source);
        let data = map.data(ctx);
        let (dims, symbols) = exprs.split_at((data.dims as usize).min(exprs.len()));
        let results: Vec<_> = data
            .results
            .iter()
            .map(|r| r.replace(ctx, dims, symbols))
            .collect();
        let (map, operands) = inputs.finish(&results);
        LoadOp::create(b, load.memref(source), map, &operands)
    }

    fn subtract(&self) -> OpName {
        match self.add {
            arith::ADDF => arith::SUBF,
            _ => arith::SUBI,
        }
    }

    /// Emits the zero that a term is subtracted from.
    fn zero(&self, b: &mut Builder, like: Value) -> Value {
        let ty = b.body.ty(like);
        match neutral_element(b.ctx, self.add, ty) {
            Some(zero) => b.constant(zero, ty),
            None => b.binary(self.subtract(), like, like),
        }
    }
}
