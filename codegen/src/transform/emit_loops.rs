//! Emission of affine loops: bounds that outlive changes of the body, and the opening and closing of loops at a builder's
//! position.

use gridloom_dialects::affine::{self, ApplyOp, Bound, ForOp, ParallelOp};
use gridloom_dialects::arith::{CmpIOp, CmpIPredicate};
use gridloom_dialects::scf;
use gridloom_ir::{AffineMap, Builder, InsertPoint, IrMapping, OpId, Type, Value};

use crate::analysis::reduction::zero;

/// Affine map with its operands.
pub(super) type MapWithOperands = (AffineMap, Vec<Value>);

/// The map of a bound with its operands, to be kept while the body changes.
pub(super) fn owned(bound: Bound) -> MapWithOperands {
    (bound.map, bound.operands.to_vec())
}

/// The bound with this map and operands.
pub(super) fn bound(form: &MapWithOperands) -> Bound<'_> {
    Bound {
        map: form.0,
        operands: &form.1,
    }
}

/// Emits `counter + way`: the counter of a later iteration in a row.
pub(super) fn counter_after(b: &mut Builder, counter: Value, offset: i64) -> Value {
    if offset == 0 {
        return counter;
    }
    let ctx = b.ctx;
    let sum = ctx.affine_add(ctx.affine_dim(0), ctx.affine_const(offset));
    ApplyOp::create(b, ctx.affine_map(1, 0, &[sum]), &[counter])
}

/// Emits an empty loop with the bounds and the step of another and moves the builder into it. `names` renames the values
/// of the bounds, and gets the counter.
pub(super) fn open_like(
    b: &mut Builder,
    old: ForOp,
    names: &mut IrMapping,
    inits: &[Value],
) -> ForOp {
    let new = old.create_like(b, names, inits);
    names.map(old.induction_var(b.body), new.induction_var(b.body));
    b.set(InsertPoint::End(new.block(b.body)));
    new
}

/// Clones a loop without results and without its body, its attributes included; `names` renames the values of its bounds.
pub(super) fn copy_loop(b: &mut Builder, old: ForOp, names: &IrMapping) -> ForOp {
    let new = old.create_like(b, names, &[]);
    b.body[new.0].attributes = b.body[old.0].attributes;
    new
}

/// Rebuilds a loop around its block, with more carried values. The terminator still has the old ones.
pub(super) fn rebuilt(b: &mut Builder, old: ForOp, inits: &[Value]) -> ForOp {
    let new = old.create_like(b, &IrMapping::new(), inits);
    let body = &mut *b.body;
    (body[new.0].attributes, body[new.0].loc) = (body[old.0].attributes, body[old.0].loc);
    let spare = new.block(body);
    let block = old.block(body);
    body.remove_block(spare);
    if let Some(&region) = body[new.0].inline_regions().first() {
        body.move_block(block, region, 0);
    }
    let loc = body[old.0].loc;
    let known = body[block].args.len() - 1;
    for &init in &inits[known..] {
        let ty = body.ty(init);
        body.add_argument(block, ty, loc);
    }
    new
}

/// Emits an empty parallel loop and moves the builder into it. Returns it with its counter.
pub(super) fn open_band(b: &mut Builder, count: Bound<'_>) -> (ParallelOp, Value) {
    let band = ParallelOp::create(b, count);
    let block = band.block(b.body);
    b.set(InsertPoint::Start(block));
    (band, band.induction_vars(b.body)[0])
}

/// Terminates a loop and moves the builder behind it. Returns its results.
pub(super) fn close(b: &mut Builder, op: ForOp, yielded: &[Value]) -> Vec<Value> {
    let block = op.block(b.body);
    affine::yield_values(b, block, yielded);
    go_behind(b, op.0);
    b.body[op.0].results().collect()
}

/// Emits values that are needed where a loop runs: those that `emit` emits, under a test that the loop has an iteration, else
/// zeros. Its bounds are single expressions, and the types those of numbers.
pub(super) fn where_it_runs(
    b: &mut Builder,
    l: ForOp,
    types: &[Type],
    emit: impl FnOnce(&mut Builder) -> Vec<Value>,
) -> Vec<Value> {
    let ctx = b.ctx;
    let trips = l.constant_trip_count(ctx, b.body);
    if trips.is_some_and(|trips| trips > 0) {
        return emit(b);
    }
    let (lower, upper) = (l.lower(ctx, b.body), l.upper(ctx, b.body));
    let [lower, upper] = [lower, upper]
        .map(owned)
        .map(|(map, operands)| ApplyOp::create(b, map, &operands));
    let is_any = CmpIOp::create(b, CmpIPredicate::Slt, lower, upper);
    let test = scf::IfOp::create(b, is_any, types, true);
    let then = test.then_block(b.body);
    b.set(InsertPoint::End(then));
    let found = emit(b);
    scf::yield_values(b, then, &found);
    if let Some(block) = test.else_block(b.body) {
        b.set(InsertPoint::End(block));
        let none = types
            .iter()
            .filter_map(|&ty| Some(b.constant(zero(ctx, ty)?, ty)));
        let none: Vec<Value> = none.collect();
        scf::yield_values(b, block, &none);
    }
    go_behind(b, test.0);
    b.body[test.0].results().collect()
}

/// Moves the builder behind an operation.
pub(super) fn go_behind(b: &mut Builder, op: OpId) {
    let at = match b.body[op].next() {
        Some(next) => InsertPoint::Before(next),
        None => match b.body[op].parent() {
            Some(around) => InsertPoint::End(around),
            None => b.point(),
        },
    };
    b.set(at);
}
