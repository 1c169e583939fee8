//! `unroll-table-loops`: unrolls short loops that store at offsets from a table of constants.
//!
//! ```text
//! memref.global constant @dx : memref<3xindex> = dense<[-1, 0, 1]>
//! affine.for %k = 0 to 3 {                        %d = affine.load %dx[0]
//!   %d = affine.load %dx[%k]                      memref.store %v, %out[%i + %d]
//!   memref.store %v, %out[%i + %d]        ⇒       %e = affine.load %dx[1]
//! }                                               memref.store %v, %out[%i + %e]
//!                                                 …
//! ```
//!
//! The directions of a lattice Boltzmann method or the offsets of a stencil are such tables. `canonicalize` then
//! folds the loads, so that the subscripts are affine and the iterations of the loops around are told apart.
//!
//! So is arithmetic on the counter: `%k mod 3 - 1` and `%k floordiv 3 - 1` are the directions of a square lattice.
//!
//! Always legal: the order stays, and nothing is folded here. It is done for innermost loops of few constant iterations, where a
//! number loaded from a constant global goes into the subscript of a store, or a quotient or remainder of the counter is a number
//! that the loop computes with. An update of the element that it loads stays, since such a scatter becomes atomic.

use std::collections::HashSet;

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::memref::{self, GetGlobalOp};
use gridloom_dialects::{arith, inherent, scf};
use gridloom_ir::body::OpData;
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Context, OpId, OpName, Value};

use crate::analysis::globals::ConstantGlobals;
use crate::analysis::load_store::{is_load, is_store};
use crate::analysis::loop_kind::is_any_loop;
use crate::analysis::values::affine_quotient;
use crate::transform::affine_loop_unroll::unroll_whole;

/// Limit of the iterations of a loop over a table.
const MAX_TRIPS: i64 = 32;

/// Limit of the operations of an unrolled loop.
const MAX_OPERATIONS: i64 = 1024;

/// Limit of the iterations of a loop that computes with quotients of its counter.
const MAX_QUOTIENT_TRIPS: i64 = 16;

/// Unrolls the loops over tables of a body. Returns whether there was one.
pub fn unroll_table_loops(ctx: &Context, body: &mut Body, globals: &ConstantGlobals) -> bool {
    if !body.may_hold_any(|name| name == memref::GET_GLOBAL || is_conversion(name)) {
        return false;
    }
    let loops: Vec<OpId> = body.walk();
    let tables: Vec<Table> = loops
        .into_iter()
        .filter_map(|op| Table::of(ctx, body, globals, op))
        .collect();
    for table in &tables {
        table.unroll(ctx, body);
    }
    !tables.is_empty()
}

/// Loop over a table.
struct Table {
    op: OpId,
    lower: i64,
    step: i64,
    trips: i64,
}

impl Table {
    fn of(ctx: &Context, body: &Body, globals: &ConstantGlobals, op: OpId) -> Option<Table> {
        let (lower, upper, step) = bounds(ctx, body, op)?;
        let distance = upper.checked_sub(lower).filter(|&distance| distance > 0)?;
        let trips = (distance - 1) / step + 1;
        let inside = &body.walk_op(op)[1..];
        let is_loop = |&op: &OpId| is_any_loop(body, op);
        let size = trips.checked_mul(i64::try_from(inside.len()).ok()?)?;
        if trips > MAX_TRIPS || size > MAX_OPERATIONS || inside.iter().any(is_loop) {
            return None;
        }
        let counter = *body[body.region_block(op, 0)?].args.first()?;
        let computes =
            trips <= MAX_QUOTIENT_TRIPS && computes_with_quotients(ctx, body, counter, inside);
        (computes || scatters(ctx, body, globals, (counter, inside))).then_some(Table {
            op,
            lower,
            step,
            trips,
        })
    }

    fn unroll(&self, ctx: &Context, body: &mut Body) {
        // Between the bounds, which are 64-bit numbers.
        let counters = (0..self.trips).map(|trip| self.lower + trip * self.step);
        unroll_whole(ctx, body, self.op, counters);
    }
}

/// The constant bounds and the step of a loop that counts up.
fn bounds(ctx: &Context, body: &Body, op: OpId) -> Option<(i64, i64, i64)> {
    if let Some(l) = ForOp::cast(body, op) {
        let (lower, upper) = (l.constant_lower(ctx, body)?, l.constant_upper(ctx, body)?);
        return Some((lower, upper, l.step(ctx, body)));
    }
    let l = scf::ForOp::cast(body, op)?;
    let bounds = [l.lower(body), l.upper(body), l.step(body)];
    let [lower, upper, step] = bounds.map(|bound| arith::constant_int(ctx, body, bound));
    // Numbers that are not negative are the same with and without a sign.
    let is_natural = |number: &i64| *number >= 0;
    let step = step.filter(|&step| step > 0)?;
    Some((lower.filter(is_natural)?, upper.filter(is_natural)?, step))
}

/// Whether a number that a loop over a counter loads from a constant global, at a place that moves with the counter, goes
/// into the subscript of a store, but for updates of the element.
fn scatters(
    ctx: &Context,
    body: &Body,
    globals: &ConstantGlobals,
    (counter, inside): (Value, &[OpId]),
) -> bool {
    let mut moving: HashSet<Value> = HashSet::from([counter]);
    let mut known: HashSet<Value> = HashSet::new();
    let mut loaded: Vec<(Value, Vec<Value>)> = Vec::new();
    let mut found = false;
    for &op in inside {
        let data = &body[op];
        let uses = |values: &HashSet<Value>| data.operands.iter().any(|v| values.contains(v));
        if is_store(body, op) {
            let Some((memref, indices)) = data.operands.get(1).zip(data.operands.get(2..)) else {
                continue;
            };
            let place = (*memref, indices.to_vec());
            if loaded.contains(&place) {
                return false;
            }
            found |= indices.iter().any(|index| known.contains(index));
        } else if is_load(body, op) {
            let Some((&memref, indices)) = data.operands.split_first() else {
                continue;
            };
            match uses(&moving) && is_table(ctx, body, globals, memref) {
                true => known.extend(data.results()),
                false => loaded.push((memref, indices.to_vec())),
            }
        } else if data.name.has(Traits::PURE) {
            if uses(&known) {
                known.extend(data.results());
            }
            if uses(&moving) {
                moving.extend(data.results());
            }
        }
    }
    found
}

/// Whether a float is made from a quotient or remainder of the counter.
fn computes_with_quotients(ctx: &Context, body: &Body, counter: Value, inside: &[OpId]) -> bool {
    let mut counters: HashSet<Value> = HashSet::from([counter]);
    let mut quotients: HashSet<Value> = HashSet::new();
    inside.iter().any(|&op| {
        let data = &body[op];
        let is_of = |values: &HashSet<Value>| data.operands.iter().any(|v| values.contains(v));
        let is_known = |value: &Value| {
            counters.contains(value)
                || quotients.contains(value)
                || arith::constant_int(ctx, body, *value).is_some()
        };
        if !data.name.has(Traits::PURE) || !data.operands.iter().all(is_known) {
            return false;
        }
        if is_of(&quotients) || divides(ctx, data) {
            quotients.extend(data.results());
        } else if is_of(&counters) {
            counters.extend(data.results());
        }
        is_conversion(data.name) && is_of(&quotients)
    })
}

fn is_conversion(name: OpName) -> bool {
    matches!(name, arith::SITOFP | arith::UITOFP)
}

/// Whether an operation computes a quotient or a remainder.
fn divides(ctx: &Context, data: &OpData) -> bool {
    match data.name {
        affine::APPLY => data.get(ctx, inherent::MAP).is_some_and(|map| {
            let mut results = map.results(ctx).iter();
            results.any(|expr| expr.divides_by(ctx, |_| true))
        }),
        name => affine_quotient(name).is_some(),
    }
}

/// Whether a memref is a constant global of known integers.
fn is_table(ctx: &Context, body: &Body, globals: &ConstantGlobals, memref: Value) -> bool {
    let global = body.defining_op(memref);
    let Some(global) = global.and_then(|op| GetGlobalOp::cast(body, op)) else {
        return false;
    };
    let ty = body.ty(memref);
    let Some(rank) = ty.memref(ctx).map(|ty| ty.shape.len()) else {
        return false;
    };
    let name = global.global(ctx, body).as_flat_symbol(ctx);
    let first = name.and_then(|name| globals.element(ctx, name, ty, &vec![0; rank]));
    first.is_some_and(|(_, ty)| ty.is_index(ctx) || ty.signless_width(ctx).is_some())
}
