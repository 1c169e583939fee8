//! `affine-unroll-windows`: unrolls short loops over windows of neighbours.
//!
//! ```text
//! affine.for %i = 1 to %n {                               affine.for %i = 1 to %n {
//!   %s = affine.for %w = -1 to 2 iter_args(%t = %z) {       %a = affine.load %x[%i - 1]
//!     %v = affine.load %x[%i + %w]                          %t = arith.addf %z, %a
//!     %u = arith.addf %t, %v                          ⇒     %b = affine.load %x[%i]
//!     affine.yield %u                                       %u = arith.addf %t, %b
//!   }                                                       …
//!   affine.store %s, %y[%i]                                 affine.store %s, %y[%i]
//! }                                                       }
//! ```
//!
//! Windows of neighbouring iterations overlap. Once the loops over them are unrolled, a tile of
//! iterations loads each element once and keeps it in a register; a loop would load the element
//! again in each round.
//!
//! Always legal: the order stays. It is done where the loops over windows are the only loops in an
//! iteration of the parallel loops, are sequential and have few rounds in all, and where the loads
//! in windows move with each of these parallel loops. Else it is a contraction, such as a
//! convolution over channels, which reuses more along the loops that a window does not move with,
//! by tiles that its registers hold with the loop around them. On drivers that run kernels on the
//! CPU it pays only for windows along rows: the lanes' elements of the others are neighbours in
//! each round. A loop of open length stays, and so does one with accesses that are not proved in
//! range: each copy would be checked, and checks keep equal loads from being shared.

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::gridloom;
use gridloom_ir::{AffineExpr, Body, Context, Module, OpId};

use super::affine_loop_unroll::{UnrollOptions, unroll_loop};
use super::plans::{Plans, change_by_plans};
use crate::analysis::access::{Access, Place, accesses_below};
use crate::analysis::alias::Globals;
use crate::analysis::counter::{Counter, counters, is_loop};
use crate::analysis::dependence::Dependences;
use crate::analysis::parallel::verdict;
use crate::analysis::stride::{Movement, overlaps};
use crate::analysis::values::{AffineValues, Atom};
use crate::target::OffloadOptions;

/// Limit of the operations of an iteration after unrolling.
const MAX_OPERATIONS: u64 = 512;

/// Unrolls the loops over windows in the host functions of a module, where the target wants that.
/// Returns whether anything changed.
pub fn unroll_windows(ctx: &Context, module: &mut Module, options: &OffloadOptions) -> bool {
    if options.window == 0 {
        return false;
    }
    change_by_plans(
        ctx,
        module,
        1,
        |body, globals| plan_body(ctx, body, globals, options),
        |plan, body| plan.apply(ctx, body),
    )
}

/// Loops over the windows of one iteration, inner ones first.
struct Windows(Vec<ForOp>);

impl Windows {
    fn apply(&self, ctx: &Context, body: &mut Body) {
        let whole = UnrollOptions {
            factor: 1,
            full_threshold: u64::MAX,
            up_to_factor: false,
            cleanup: false,
        };
        for &l in &self.0 {
            // A loop refused for its size stays, and computes the same.
            let _ = unroll_loop(ctx, body, l, whole);
        }
    }
}

/// Plans the windows worth unrolling, and whether that relies on disjoint arguments.
fn plan_body(
    ctx: &Context,
    body: &Body,
    globals: &Globals,
    options: &OffloadOptions,
) -> Plans<Windows> {
    let mut deps = Dependences::new(ctx, body, globals);
    let mut plans = Vec::new();
    let mut planned: Vec<OpId> = Vec::new();
    for op in body.walk() {
        if !is_loop(body, op) || planned.iter().any(|&outer| body.is_ancestor(outer, op)) {
            continue;
        }
        if let Some(windows) = windows_below(&mut deps, op, options) {
            planned.push(op);
            plans.push(windows);
        }
    }
    (plans, deps.aliases.relied_on_arguments())
}

/// The loops inside of a parallel loop, if they have few rounds and their windows overlap between
/// neighbouring iterations of it or of parallel loops around it.
fn windows_below(deps: &mut Dependences, outer: OpId, options: &OffloadOptions) -> Option<Windows> {
    let body = deps.values.body;
    let inner = short_loops(deps, outer, options.window)?;
    if !verdict(deps, outer).is_parallel() || inner.iter().any(|l| verdict(deps, l.0).is_parallel())
    {
        return None;
    }
    let mut band: Vec<Counter> = counters(body, outer).collect();
    let around: Vec<OpId> = (body.ancestors(outer))
        .take_while(|&op| is_loop(body, op))
        .collect();
    for op in around {
        if !verdict(deps, op).is_parallel() {
            break;
        }
        band.extend(counters(body, op));
    }
    let accesses = accesses_below(&mut deps.values, outer);
    let is_proved = |access: &Access| gridloom::is_in_bounds(deps.values.ctx, &body[access.op]);
    if !accesses.iter().all(is_proved) {
        return None;
    }
    let values = &mut deps.values;
    let outer: Vec<Movement> = (band.iter())
        .map(|&counter| Movement::of(values, counter))
        .collect();
    let own: Vec<Movement> = (inner.iter().flat_map(|l| counters(body, l.0)))
        .map(|counter| Movement::of(values, counter))
        .collect();
    let is_window = |access: &&Access| {
        let mut pairs = outer
            .iter()
            .flat_map(|&one| own.iter().map(move |&two| (one, two)));
        pairs.any(|(one, two)| overlaps(values, access, one, two))
    };
    let windows: Vec<&Access> = accesses.iter().filter(is_window).collect();
    let moves = |access: &&Access| band.iter().all(|&counter| varies(values, access, counter));
    if windows.is_empty() || !windows.iter().all(moves) {
        return None;
    }
    let goes_along_row = |access: &&Access| goes_along_row(values, access, &inner);
    let is_wanted = !options.row_windows || windows.iter().any(goes_along_row);
    is_wanted.then_some(Windows(inner))
}

/// Whether the last subscript of an access moves with one of these loops.
fn goes_along_row(values: &mut AffineValues, access: &Access, loops: &[ForOp]) -> bool {
    let body = values.body;
    let Place::Element { coords, .. } = &access.place else {
        return false;
    };
    coords.last().is_some_and(|&last| {
        let mut counters = loops.iter().flat_map(|l| counters(body, l.0));
        counters.any(|counter| moves_with(values, last, counter))
    })
}

/// The loops inside of a loop, inner ones first, if they contain only each other and statements,
/// and have few rounds and operations.
fn short_loops(deps: &Dependences, outer: OpId, most: u64) -> Option<Vec<ForOp>> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let mut loops = Vec::new();
    let mut operations = 0u64;
    for &op in &body.walk_op(outer)[1..] {
        let mut rounds = 1u64;
        for around in body.ancestors(op).take_while(|&around| around != outer) {
            let trips = ForOp::cast(body, around)?.constant_trip_count(ctx, body)?;
            rounds = rounds.saturating_mul(trips);
        }
        if let Some(l) = ForOp::cast(body, op) {
            rounds = rounds.saturating_mul(l.constant_trip_count(ctx, body)?);
            loops.push(l);
        } else if !body[op].inline_regions().is_empty() {
            return None;
        }
        operations = operations.saturating_add(rounds);
        if rounds == 0 || rounds > most || operations > MAX_OPERATIONS {
            return None;
        }
    }
    loops.reverse();
    (!loops.is_empty()).then_some(loops)
}

/// Whether the element of an access is known to move with a counter.
fn varies(values: &mut AffineValues, access: &Access, counter: Counter) -> bool {
    let Place::Element { coords, .. } = &access.place else {
        return false;
    };
    coords
        .iter()
        .any(|&coord| moves_with(values, coord, counter))
}

/// Whether a subscript is known to move with a counter.
fn moves_with(values: &mut AffineValues, coord: AffineExpr, counter: Counter) -> bool {
    let iv = values.atom_number(Atom::Value(counter.induction_var(values.body)));
    values
        .coefficient(coord, iv)
        .is_some_and(|factor| factor != 0)
}
