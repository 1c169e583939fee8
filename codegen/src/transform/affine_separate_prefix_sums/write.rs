//! Emission of the nests over rows and over columns.

use gridloom_dialects::affine::{self, LoadOp, StoreOp};
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::scf;
use gridloom_ir::{Body, Builder, Context, InsertPoint, IrMapping, OpName, Value};

use super::recurrence::{PrefixSums, Row};
use crate::analysis::reduction::neutral_element;
use crate::transform::emit_loops::{close, go_behind, open_like, owned};
use crate::transform::map_inputs::Inputs;

impl PrefixSums {
    /// Replaces the nest by one over rows and one over columns.
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) {
        let mut b = Builder::before(ctx, body, self.outer.0);
        let needs_test = self.needs_test(ctx, b.body);
        let test = needs_test.then(|| self.open_test(&mut b));
        self.rows(&mut b);
        self.columns(&mut b);
        if let Some(test) = test {
            let block = test.then_block(b.body);
            scf::yield_values(&mut b, block, &[]);
        }
        body.erase(self.outer.0);
    }

    /// Emits a test that the inner loop has an iteration, and moves the builder inside.
    fn open_test(&self, b: &mut Builder) -> scf::IfOp {
        let ctx = b.ctx;
        let ends = [self.inner.lower(ctx, b.body), self.inner.upper(ctx, b.body)].map(owned);
        let [low, high] = ends.map(|(map, operands)| affine::ApplyOp::create(b, map, &operands));
        let runs = CmpIOp::create(b, CmpIPredicate::Slt, low, high);
        let test = scf::IfOp::create(b, runs, &[], false);
        b.set(InsertPoint::End(test.then_block(b.body)));
        test
    }

    /// Emits the nest of sums along rows.
    fn rows(&self, b: &mut Builder) {
        let ctx = b.ctx;
        let mut names = IrMapping::new();
        let outer = open_like(b, self.outer, &mut names, &[]);
        let mut around = self.outer.statements(b.body);
        around.retain(|&op| op != self.inner.0);
        b.insert_copies(&around, &mut names);
        let init = match &self.row {
            Row::Recurrence { before, corner, .. } => {
                let left = self.at_first(b, *before, &names);
                let above = self.at_first(b, *corner, &names);
                b.binary(self.subtract(), left, above)
            }
            Row::Carried { .. } => names.value(self.inner.inits(ctx, b.body)[0]),
        };
        let inner = open_like(b, self.inner, &mut names, &[init]);
        let carried = inner.iter_args(b.body)[0];
        if let [arg] = self.inner.iter_args(b.body) {
            names.map(*arg, carried);
        }
        let mut kept = self.inner.statements(b.body);
        kept.retain(|op| *op != self.store.0 && !self.dropped.contains(op));
        b.insert_copies(&kept, &mut names);
        let sum = match &self.row {
            Row::Recurrence { terms, .. } => {
                let term = self.term(b, terms, &names);
                b.binary(self.add, carried, term)
            }
            Row::Carried { sum, .. } => names.value(*sum),
        };
        let place = self.place(b.body, &names);
        let (memref, map) = (self.store.memref(b.body), self.store.map(ctx, b.body));
        StoreOp::create(b, sum, memref, map, &place);
        close(b, inner, &[sum]);
        close(b, outer, &[]);
    }

    /// The operands of the store's subscripts in a clone of the nest.
    fn place(&self, body: &Body, names: &IrMapping) -> Vec<Value> {
        let operands = self.store.operands(body).iter();
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
    fn columns(&self, b: &mut Builder) {
        let ctx = b.ctx;
        let mut names = IrMapping::new();
        let outer = open_like(b, self.outer, &mut names, &[]);
        let inner = open_like(b, self.inner, &mut names, &[]);
        let place = self.place(b.body, &names);
        let memref = self.store.memref(b.body);
        let [here, before] = [self.store.map(ctx, b.body), self.above.map(ctx, b.body)];
        let own = LoadOp::create(b, memref, here, &place);
        let above = LoadOp::create(b, memref, before, &place);
        let sum = match &self.row {
            Row::Recurrence { .. } => b.binary(self.add, own, above),
            Row::Carried { sum, last } => {
                let mut names = IrMapping::new();
                names.map(*sum, own);
                names.map(b.body[self.above.0].result(0), above);
                let copy = b.insert_copy(*last, &mut names);
                b.body[copy].result(0)
            }
        };
        StoreOp::create(b, sum, memref, here, &place);
        close(b, inner, &[]);
        close(b, outer, &[]);
        go_behind(b, outer.0);
    }

    /// Emits the load of the inner loop's first iteration.
    fn at_first(&self, b: &mut Builder, load: LoadOp, names: &IrMapping) -> Value {
        let ctx = b.ctx;
        let mut inputs = Inputs::new(ctx);
        let low = inputs.import(self.inner.lower(ctx, b.body), names)[0];
        let counter = self.inner.induction_var(b.body);
        let operands = load.operands(b.body);
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
        let map = load.map(ctx, b.body);
        let data = map.data(ctx);
        let (dims, symbols) = exprs.split_at((data.dims as usize).min(exprs.len()));
        let results: Vec<_> = data
            .results
            .iter()
            .map(|r| r.replace(ctx, dims, symbols))
            .collect();
        let (map, operands) = inputs.finish(&results);
        let memref = load.memref(b.body);
        LoadOp::create(b, memref, map, &operands)
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
