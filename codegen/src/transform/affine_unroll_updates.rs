//! `affine-unroll-updates`: unrolls the short loops of an iteration that load elements which the iteration stored.
//!
//! ```text
//! affine.for %i = 0 to %n {                       affine.for %i = 0 to %n {
//!   affine.for %j = 1 to 3 {                        %a = affine.load %y[%i, 0]
//!     %a = affine.load %y[%i, %j - 1]               %b = affine.load %y[%i, 1]
//!     %b = affine.load %y[%i, %j]            ⇒      %s = arith.addf %a, %b
//!     %s = arith.addf %a, %b                        affine.store %s, %y[%i, 1]
//!     affine.store %s, %y[%i, %j]                   %c = affine.load %y[%i, 1]
//!   }                                               …
//! }                                               }
//! ```
//!
//! Then `affine-scalrep` keeps the elements in values, each loaded and stored once at most. A loop would have a thread load what it
//! has just stored: factorizations of small matrices, triangular solves, sorting networks, recurrences over few steps.
//!
//! Always legal: the order stays. It is done in iterations of parallel loops all of whose loops are short, of which one is
//! sequential. Accesses in these have to be in range as far as their subscripts move with short loops, since each copy would be checked.

use gridloom_dialects::affine::{self, Bound, ForOp};
use gridloom_dialects::arith;
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Context, Module, OpId, Value};
use gridloom_rewrite::canonicalize::canonicalize;

use super::affine_loop_unroll::unroll_whole;
use super::affine_unroll_windows::moves_with;
use crate::analysis::access::{Access, Place, accesses_below};
use crate::analysis::alias::Globals;
use crate::analysis::counter::{Counter, counters};
use crate::analysis::dependence::Dependences;
use crate::analysis::globals::ConstantGlobals;
use crate::analysis::load_store::{is_load, is_store};
use crate::analysis::loop_kind::is_affine_loop;
use crate::analysis::parallel::verdict;
use crate::versions::{Draft, change_functions};

/// Limit of the operations of an unrolled iteration and the rounds of its loops.
const MAX_OPERATIONS: u64 = 512;

/// Limit of the rounds of a loop: in longer ones, carried values do nearly as well.
const MAX_ROUNDS: u64 = 16;

/// Least number of iterations of a parallel loop: below, those inside of it are worth more as threads.
const LEAST_ITERATIONS: u64 = 32;

/// Unrolls loops over updates in the host functions of a module. Returns whether anything changed.
pub fn unroll_updates(ctx: &Context, module: &mut Module) -> bool {
    let globals = Globals::of(ctx, module);
    let changed = change_functions(ctx, module, &globals, |body| {
        (false, unroll_body(ctx, body, &globals))
    });
    changed.contains(&true)
}

fn unroll_body(ctx: &Context, body: &mut Draft, globals: &Globals) -> bool {
    let candidates: Vec<OpId> = candidates(ctx, body);
    if candidates.is_empty() {
        return false;
    }
    let mut deps = Dependences::new(ctx, body, globals);
    let is_chosen = |&outer: &OpId| updates_in_short_loops(&mut deps, outer);
    let chosen: Vec<OpId> = candidates.into_iter().filter(is_chosen).collect();
    if chosen.is_empty() {
        return false;
    }
    let body = body.edit();
    for outer in chosen {
        unroll_below(ctx, body, outer);
    }
    // Conditions on the counters are constants now.
    canonicalize(ctx, body, &ConstantGlobals::default());
    true
}

/// The outermost loops below which all loops are short, and some have others in them or stores.
fn candidates(ctx: &Context, body: &Body) -> Vec<OpId> {
    let mut found: Vec<OpId> = Vec::new();
    for op in body.walk() {
        let is_inside = |root: &OpId| body.is_ancestor(*root, op);
        if !is_affine_loop(body, op) || found.last().is_some_and(is_inside) {
            continue;
        }
        let trips = ForOp::cast(body, op).and_then(|l| l.constant_trip_count(ctx, body));
        if trips.is_some_and(|trips| trips < LEAST_ITERATIONS) {
            continue;
        }
        let below = &body.walk_op(op)[1..];
        let has_loops = below.iter().any(|&op| body[op].name == affine::FOR);
        let has_stores = below.iter().any(|&op| is_store(body, op));
        let mut size = Size {
            left: MAX_OPERATIONS,
            counters: FxHashMap::default(),
        };
        if has_loops && has_stores && size.count(ctx, body, op).is_some() {
            found.push(op);
        }
    }
    found
}

/// Size of an iteration with its loops unrolled.
struct Size {
    /// The operations and rounds that may still come.
    left: u64,
    /// The value of each counter in the copy at hand.
    counters: FxHashMap<Value, i64>,
}

impl Size {
    /// Counts the operations in the regions of `op`; `None` where these are too many, or do anything but access memory and compute.
    fn count(&mut self, ctx: &Context, body: &Body, op: OpId) -> Option<()> {
        for &region in body[op].inline_regions() {
            for &block in &body[region].blocks {
                for op in body.ops(block) {
                    self.count_one(ctx, body, op)?;
                }
            }
        }
        Some(())
    }

    fn count_one(&mut self, ctx: &Context, body: &Body, op: OpId) -> Option<()> {
        let data = &body[op];
        if let Some(l) = ForOp::cast(body, op) {
            let number = |value: Value| {
                let known = self.counters.get(&value).copied();
                known.or_else(|| arith::constant_int(ctx, body, value))
            };
            let values = counter_values(ctx, body, l, number)?;
            for value in values {
                self.left = self.left.checked_sub(1)?;
                self.counters.insert(l.induction_var(body), value);
                self.count(ctx, body, op)?;
            }
            return Some(());
        }
        let is_access = is_load(body, op) || is_store(body, op);
        let is_plain = data.inline_regions().is_empty()
            && (is_access || data.name.has(Traits::PURE) || data.name == affine::YIELD);
        if !is_plain && data.name != affine::IF {
            return None;
        }
        if data.name != arith::CONSTANT && data.name != affine::YIELD {
            self.left = self.left.checked_sub(1)?;
        }
        self.count(ctx, body, op)
    }
}

/// The values that the counter of a loop takes, by the numbers that its bounds are made of; `None` where one is unknown, or
/// there are too many.
fn counter_values(
    ctx: &Context,
    body: &Body,
    l: ForOp,
    number: impl Fn(Value) -> Option<i64>,
) -> Option<Vec<i64>> {
    let results = |bound: Bound| {
        let operands: Option<Vec<i64>> = bound.operands.iter().map(|&v| number(v)).collect();
        bound.map.eval(ctx, &operands?)
    };
    let lower = results(l.lower(ctx, body))?.into_iter().max()?;
    let upper = results(l.upper(ctx, body))?.into_iter().min()?;
    let trips = upper.checked_sub(lower)?.max(0) as u64;
    let step = l.step(ctx, body);
    if trips.div_ceil(step.unsigned_abs()) > MAX_ROUNDS {
        return None;
    }
    // Below the upper bound, so that no sum exceeds 64 bits.
    let mut values = Vec::new();
    let mut value = lower;
    while value < upper {
        values.push(value);
        value = match value.checked_add(step) {
            Some(next) => next,
            None => break,
        };
    }
    Some(values)
}

/// Whether a loop is parallel and an iteration of it loads in short loops, of which one is sequential, what it stores elsewhere.
fn updates_in_short_loops(deps: &mut Dependences, outer: OpId) -> bool {
    let body = deps.values.body;
    let below = &body.walk_op(outer)[1..];
    let short: Vec<ForOp> = below
        .iter()
        .filter_map(|&op| ForOp::cast(body, op))
        .collect();
    let steps: Vec<Counter> = short.iter().flat_map(|l| counters(body, l.0)).collect();
    let accesses = accesses_below(&mut deps.values, outer);
    if !accesses
        .iter()
        .all(|access| is_proved(deps, access, &steps))
    {
        return false;
    }
    let mut loads = accesses.iter().filter(|access| !access.is_write);
    let is_updated = loads.any(|load| {
        let mut stores = accesses.iter().filter(|access| access.is_write);
        stores.any(|store| are_of_different_steps(deps, store, load, &steps))
    });
    is_updated
        && verdict(deps, outer).is_parallel()
        && short.iter().any(|l| !verdict(deps, l.0).is_parallel())
}

/// Whether an access is of an element whose subscripts move with short loops in dimensions of known size only.
fn is_proved(deps: &mut Dependences, access: &Access, steps: &[Counter]) -> bool {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let memref = affine::Access::cast(body, access.op).map(|affine| affine.memref(body));
    let (Place::Element { coords, .. }, Some(memref)) = (&access.place, memref) else {
        return false;
    };
    let Some(ty) = body.ty(memref).memref(ctx) else {
        return false;
    };
    let mut dims = coords.iter().zip(&ty.shape);
    coords.len() == ty.shape.len()
        && dims.all(|(&coord, &size)| {
            let mut steps = steps.iter();
            size >= 0 || !steps.any(|&step| moves_with(&mut deps.values, coord, step))
        })
}

/// Whether a store and a load are of one array, at subscripts that differ and move with short loops.
fn are_of_different_steps(
    deps: &mut Dependences,
    store: &Access,
    load: &Access,
    steps: &[Counter],
) -> bool {
    let (
        Place::Element { root, coords, .. },
        Place::Element {
            root: loaded,
            coords: at,
            ..
        },
    ) = (&store.place, &load.place)
    else {
        return false;
    };
    root == loaded
        && coords != at
        && coords.iter().chain(at).any(|&coord| {
            let mut steps = steps.iter();
            steps.any(|&step| moves_with(&mut deps.values, coord, step))
        })
}

/// Unrolls the loops below `outer`, outer ones first, so that the bounds of inner ones are constants.
fn unroll_below(ctx: &Context, body: &mut Body, outer: OpId) {
    loop {
        let below = &body.walk_op(outer)[1..];
        let next = below.iter().find_map(|&op| {
            let l = ForOp::cast(body, op)?;
            let number = |value: Value| arith::constant_int(ctx, body, value);
            Some((op, counter_values(ctx, body, l, number)?))
        });
        let Some((op, values)) = next else { return };
        unroll_whole(ctx, body, op, values.into_iter());
    }
}
