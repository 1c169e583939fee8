//! `affine-unroll-updates`: unrolls the short loops of an iteration that load elements which the iteration, or the one before,
//! stored.
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
use gridloom_dialects::{arith, memref, scf};
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Context, Module, OpId, Value};
use gridloom_rewrite::canonicalize::canonicalize;

use super::affine_if_conversion::is_beside_others;
use super::affine_loop_unroll::unroll_whole;
use super::affine_unroll_windows::moves_with;
use crate::analysis::access::{Access, Place, accesses_below};
use crate::analysis::alias::{Globals, Root};
use crate::analysis::counter::{Counter, counters};
use crate::analysis::dependence::Dependences;
use crate::analysis::globals::ConstantGlobals;
use crate::analysis::load_store::{is_load, is_store};
use crate::analysis::loop_kind::is_affine_loop;
use crate::analysis::parallel::verdict;
use crate::analysis::values::AffineValues;
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
    let (mut chosen, mut beside) = (Vec::new(), Vec::new());
    for outer in candidates {
        if updates_in_short_loops(&mut deps, outer) {
            chosen.push(outer);
        } else if let Some(others) = updates_kept_elements(&mut deps, outer) {
            chosen.push(outer);
            beside.extend(others);
        }
    }
    if chosen.is_empty() {
        return false;
    }
    let body = body.edit();
    for &outer in chosen.iter().chain(&beside) {
        unroll_below(ctx, body, outer);
    }
    for op in beside {
        if let Some(values) = constant_values(ctx, body, op) {
            unroll_whole(ctx, body, op, values.into_iter());
        }
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
        let is_yield = matches!(data.name, affine::YIELD | scf::YIELD);
        // Arrays of an iteration's own, whose elements become values.
        let is_scratch = matches!(data.name, memref::ALLOCA | memref::ALLOC | memref::DEALLOC);
        let is_plain = data.inline_regions().is_empty()
            && (is_access || data.name.has(Traits::PURE) || is_yield || is_scratch);
        if !is_plain && !matches!(data.name, affine::IF | scf::IF) {
            return None;
        }
        if data.name != arith::CONSTANT && !is_yield {
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
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let trips = ForOp::cast(body, outer).and_then(|l| l.constant_trip_count(ctx, body));
    if trips.is_some_and(|trips| trips < LEAST_ITERATIONS) {
        return false;
    }
    let (short, steps) = short_loops(body, outer);
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

/// The loops below `outer` with their counters.
fn short_loops(body: &Body, outer: OpId) -> (Vec<ForOp>, Vec<Counter>) {
    let below = &body.walk_op(outer)[1..];
    let loops = below.iter().filter_map(|&op| ForOp::cast(body, op));
    let loops: Vec<ForOp> = loops.collect();
    let steps = loops.iter().flat_map(|l| counters(body, l.0)).collect();
    (loops, steps)
}

/// Whether a loop is sequential work of a parallel loop's iteration, and its short loops load and store elements that are the
/// same in all its iterations. Returns the short loops beside it that access these.
fn updates_kept_elements(deps: &mut Dependences, outer: OpId) -> Option<Vec<OpId>> {
    let body = deps.values.body;
    if is_beside_others(body, outer) || verdict(deps, outer).is_parallel() {
        return None;
    }
    let mut loops = body.ancestors(outer);
    let top = loops.find(|&op| body[op].name == affine::FOR && verdict(deps, op).is_parallel())?;
    let (_, steps) = short_loops(body, outer);
    let accesses = accesses_below(&mut deps.values, outer);
    let (moving, others): (Vec<&Access>, Vec<&Access>) =
        { accesses.iter() }.partition(|access| moves_with_any(&mut deps.values, access, &steps));
    let is_known = |access: &&Access| access.place != Place::Anything;
    if !moving.iter().all(|access| is_proved(deps, access, &steps)) || !others.iter().all(is_known)
    {
        return None;
    }
    let is_kept = |access: &&Access| is_kept(body, access, outer, &steps);
    let kept: Vec<Root> = { moving.iter() }
        .filter(|access| access.is_write)
        .filter_map(|store| {
            let root = root_of(store)?;
            let mut all = accesses
                .iter()
                .filter(|access| root_of(access) == Some(root));
            let mut loads = moving.iter().filter(|access| !access.is_write);
            let is_loaded = loads.any(|load| root_of(load) == Some(root));
            (is_loaded && all.all(|access| is_kept(&access))).then_some(root)
        })
        .collect();
    if kept.is_empty() {
        return None;
    }
    Some(short_loops_beside(deps, outer, top, &kept))
}

/// The short loops beside `outer` and the loops around it, in the block of `top` at most, that store elements of these buffers.
fn short_loops_beside(deps: &mut Dependences, outer: OpId, top: OpId, kept: &[Root]) -> Vec<OpId> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let around = body.ancestors(outer).take_while(|&op| op != top);
    let mut found = Vec::new();
    for at in std::iter::once(outer).chain(around) {
        for beside in std::iter::successors(body[at].prev(), |&op| body[op].prev()) {
            let below = body.walk_op(beside);
            let mut loops = below.iter().filter(|&&op| body[op].name == affine::FOR);
            let mut size = Size {
                left: MAX_OPERATIONS,
                counters: FxHashMap::default(),
            };
            let is_short = constant_values(ctx, body, beside).is_some()
                && loops.all(|&op| constant_values(ctx, body, op).is_some())
                && size.count_one(ctx, body, beside).is_some();
            if !is_short {
                continue;
            }
            let accesses = accesses_below(&mut deps.values, beside);
            let (_, steps) = short_loops(body, body.parent_op(beside).unwrap_or(beside));
            let is_of_kept = |access: &Access| {
                let is_kept = root_of(access).is_some_and(|root| kept.contains(&root));
                access.is_write && is_kept
            };
            if accesses.iter().any(is_of_kept)
                && accesses
                    .iter()
                    .all(|access| is_proved(deps, access, &steps))
            {
                found.push(beside);
            }
        }
    }
    found
}

/// The buffer that an access is of, if the element is known.
fn root_of(access: &Access) -> Option<Root> {
    match access.place {
        Place::Element { root, .. } => Some(root),
        _ => None,
    }
}

/// Whether some subscript of an access moves with one of these counters.
fn moves_with_any(values: &mut AffineValues, access: &Access, steps: &[Counter]) -> bool {
    let Place::Element { coords, .. } = &access.place else {
        return false;
    };
    coords.iter().any(|&coord| {
        let mut steps = steps.iter();
        steps.any(|&step| moves_with(values, coord, step))
    })
}

/// Whether the subscripts of an access are made of these counters and values from outside of a loop.
fn is_kept(body: &Body, access: &Access, outer: OpId, steps: &[Counter]) -> bool {
    let Some(affine) = affine::Access::cast(body, access.op) else {
        return false;
    };
    let is_outside = |value: Value| !body.is_defined_in(value, outer);
    is_outside(affine.memref(body))
        && affine.operands(body).iter().all(|&value| {
            let mut steps = steps.iter();
            is_outside(value) || steps.any(|step| step.induction_var(body) == value)
        })
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
        && [store, load]
            .iter()
            .any(|access| moves_with_any(&mut deps.values, access, steps))
}

/// Unrolls the loops below `outer`, outer ones first, so that the bounds of inner ones are constants.
fn unroll_below(ctx: &Context, body: &mut Body, outer: OpId) {
    loop {
        let below = &body.walk_op(outer)[1..];
        let next = below
            .iter()
            .find_map(|&op| Some((op, constant_values(ctx, body, op)?)));
        let Some((op, values)) = next else { return };
        unroll_whole(ctx, body, op, values.into_iter());
    }
}

/// The values that the counter of a loop takes, if its bounds are constants and there are few.
fn constant_values(ctx: &Context, body: &Body, op: OpId) -> Option<Vec<i64>> {
    let number = |value: Value| arith::constant_int(ctx, body, value);
    counter_values(ctx, body, ForOp::cast(body, op)?, number)
}
