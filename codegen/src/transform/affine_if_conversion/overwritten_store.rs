//! Overwritten stores: a store to the element that a counter names, which the next iteration repeats unless the counter
//! advances.
//!
//! ```text
//! %r = affine.for %i = 0 to %n                  %r, %last, %kept = affine.for %i = 0 to %n
//!     iter_args(%p = %z) {                          iter_args(%p = %z, %u = %zero, %k = %true) {
//!   memref.store %v, %out[%p]                     scf.if %c { memref.store %v, %out[%p] }
//!   %d = arith.select %c, %one, %zero             %d = arith.select %c, %one, %zero
//!   %q = arith.addi %p, %d                  ⇒     %q = arith.addi %p, %d
//!   affine.yield %q                               affine.yield %q, %v, %c
//! }                                             }
//!                                               scf.if not %kept { memref.store %last, %out[%r] }
//! ```
//!
//! Branch-free compaction. The iterations that store are then those that advance the counter, which store to different
//! elements, so that `affine-parallelize-scans` computes the loop in chunks, and the last values are wrap-around
//! variables.
//!
//! Legal where every iteration stores, and nothing else in the loop accesses the element: that of an iteration which does
//! not advance the counter is stored to again by the next one, or behind the loop.

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::{arith, memref, scf};
use gridloom_ir::{Body, Builder, Context, InsertPoint, IrMapping, OpId, Value};

use super::counter_choice::choices_of;
use super::is_beside_others;
use crate::analysis::access::{Access, Place, accesses_below};
use crate::analysis::alias::Globals;
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::parallel::MAX_ACCESSES;
use crate::analysis::reduction::zero;
use crate::transform::affine_number_selections::rewrite::{negated, truth};
use crate::transform::affine_parallelize_scans::MIN_TRIPS;
use crate::transform::affine_parallelize_scans::compaction::Compaction;
use crate::transform::emit_loops::{go_behind, rebuilt};
use crate::versions::Draft;

/// Limit of the casts between a counter and a subscript.
const MAX_CASTS: usize = 4;

/// Converts the counters of loops that choices advance, and the stores that counters overwrite. Returns whether that relies on disjoint arguments, and whether there
/// was one.
pub(super) fn convert_overwritten(
    ctx: &Context,
    body: &mut Draft,
    globals: &Globals,
) -> (bool, bool) {
    let (mut relied, mut changed) = (false, false);
    for op in body.walk() {
        let Some(mut l) = ForOp::cast(body, op) else {
            continue;
        };
        if is_beside_others(body, op) || body[op].num_results() == 0 {
            continue;
        }
        for choice in choices_of(ctx, body, l) {
            choice.apply(ctx, body.edit());
            changed = true;
        }
        for place in 0..body[op].num_results() {
            let mut deps = Dependences::new(ctx, body, globals);
            if let Some(store) = overwritten_in(&mut deps, l, place) {
                relied |= deps.aliases.relied_on_arguments();
                l = store.apply(ctx, body.edit());
                changed = true;
            }
        }
    }
    (relied, changed)
}

/// Store that the next iteration repeats unless the counter advances.
struct Overwritten {
    op: ForOp,
    /// The counter's place among the carried values.
    place: usize,
    store: memref::StoreOp,
    condition: Value,
    is_advanced_if: bool,
}

fn overwritten_in(deps: &mut Dependences, op: ForOp, place: usize) -> Option<Overwritten> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let trips = op.constant_trip_count(ctx, body);
    let is_short = trips.is_some_and(|trips| trips < MIN_TRIPS.unsigned_abs());
    if is_short {
        return None;
    }
    let (held, next) = (op.iter_args(body)[place], op.yielded(body)[place]);
    let step = body.defining_op(next)?;
    let mut operands = body[step].operands.iter().copied();
    let term = operands.find(|&value| value != held)?;
    let is_sum = body[step].name == arith::ADDI && body[step].operands.contains(&held);
    let counter = is_sum.then(|| Compaction::of(ctx, body, op, place, term))??;
    let mut statements = body.ops(op.block(body));
    let store = statements.find_map(|store| {
        let store = memref::StoreOp::cast(body, store)?;
        let &[index] = store.indices(body) else {
            return None;
        };
        let ty = body.ty(store.memref(body)).memref(ctx)?;
        let is_fit = ty.layout.is_none() && !body.is_defined_in(store.memref(body), op.0);
        let is_number = zero(ctx, body.ty(store.value(body))).is_some();
        (is_fit && is_number && counter_of(body, index).0 == held).then_some(store)
    })?;
    is_alone(deps, op, store).then_some(Overwritten {
        op,
        place,
        store,
        condition: counter.condition,
        is_advanced_if: counter.is_advanced_if,
    })
}

/// The value that a subscript is cast from, and the casts, the last one first.
fn counter_of(body: &Body, index: Value) -> (Value, Vec<OpId>) {
    let (mut value, mut casts) = (index, Vec::new());
    while let Some(cast) = body.defining_op(value) {
        let is_cast = matches!(body[cast].name, arith::INDEX_CAST | arith::EXTSI);
        if !is_cast || casts.len() == MAX_CASTS {
            break;
        }
        casts.push(cast);
        value = body[cast].operands[0];
    }
    (value, casts)
}

/// Whether nothing else in a loop accesses memory that a store may reach.
fn is_alone(deps: &mut Dependences, op: ForOp, store: memref::StoreOp) -> bool {
    let accesses = accesses_below(&mut deps.values, op.0);
    let (own, others): (Vec<Access>, Vec<Access>) = accesses
        .into_iter()
        .partition(|access| access.op == store.0);
    let [own] = &own[..] else {
        return false;
    };
    let scope = Scope::AnyIterations(op.0);
    others.len() <= MAX_ACCESSES
        && others
            .iter()
            .all(|other| other.place != Place::Anything && !deps.may_overlap(scope, own, other))
}

impl Overwritten {
    /// Converts the store. Returns the loop as it is then.
    fn apply(&self, ctx: &Context, body: &mut Body) -> ForOp {
        let (op, store) = (self.op, self.store);
        let held = op.iter_args(body)[self.place];
        let value = store.value(body);
        let (_, casts) = counter_of(body, store.indices(body)[0]);
        // The condition may stand behind the store.
        let Some(last) = body[op.block(body)].last() else {
            return op;
        };
        let mut b = Builder::before(ctx, body, last);
        let test = scf::IfOp::create(&mut b, self.condition, &[], !self.is_advanced_if);
        let mut end = None;
        let blocks = [Some(test.then_block(b.body)), test.else_block(b.body)];
        for block in blocks.into_iter().flatten() {
            b.set(InsertPoint::End(block));
            end = Some(b.create(b.state(scf::YIELD)));
        }
        if let Some(end) = end {
            body.detach(store.0);
            body.insert_before(end, store.0);
        }
        let mut b = Builder::before(ctx, body, op.0);
        let ty = b.body.ty(value);
        let none = zero(ctx, ty).map(|zero| b.constant(zero, ty));
        let mut stored = truth(&mut b);
        if !self.is_advanced_if {
            stored = negated(&mut b, stored);
        }
        let inits: Vec<Value> = (op.inits(ctx, b.body).iter().copied())
            .chain([none.unwrap_or(value), stored])
            .collect();
        let new = rebuilt(&mut b, op, &inits);
        body[last].operands.extend([value, self.condition]);
        let results: Vec<Value> = body[op.0].results().collect();
        let count = results.len();
        for (k, result) in results.into_iter().enumerate() {
            let replaced = body[new.0].result(k);
            body.replace_uses(result, replaced);
        }
        body.erase(op.0);
        self.store_last(ctx, body, new, count, (held, &casts));
        new
    }

    /// Emits the store of the last iteration behind the loop, unless it has advanced the counter.
    fn store_last(
        &self,
        ctx: &Context,
        body: &mut Body,
        new: ForOp,
        count: usize,
        (held, casts): (Value, &[OpId]),
    ) {
        let results = [self.place, count, count + 1].map(|k| body[new.0].result(k));
        let [counter, value, condition] = results;
        let mut b = Builder::before(ctx, body, new.0);
        go_behind(&mut b, new.0);
        let stays = match self.is_advanced_if {
            true => negated(&mut b, condition),
            false => condition,
        };
        let mut names = IrMapping::new();
        names.map(held, counter);
        let mut index = counter;
        for &cast in casts.iter().rev() {
            let copy = b.insert_copy(cast, &mut names);
            index = b.body[copy].result(0);
        }
        let test = scf::IfOp::create(&mut b, stays, &[], false);
        let block = test.then_block(b.body);
        b.set(InsertPoint::End(block));
        let array = self.store.memref(b.body);
        b.create(b.state(memref::STORE).operands(&[value, array, index]));
        b.create(b.state(scf::YIELD));
    }
}
