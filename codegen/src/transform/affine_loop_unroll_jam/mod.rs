//! `affine-loop-unroll-jam`: unrolls a loop and fuses the copies of the loops inside.
//!
//! ```text
//! affine.for %i = 0 to %n {                 affine.for %i = 0 to %n floordiv 2 * 2 step 2 {
//!   S(%i)                                     S(%i); S(%i + 1)
//!   affine.for %j = 0 to %m {          ⇒      affine.for %j = 0 to %m {
//!     T(%i, %j)                                 T(%i, %j); T(%i + 1, %j)
//!   }                                         }
//!   U(%i)                                     U(%i); U(%i + 1)
//! }                                         }
//!                                           affine.for %i = max(0, %n floordiv 2 * 2) to %n { … }
//! ```
//!
//! The loops inside may stand anywhere, with statements around them; their bounds are the same in
//! all iterations of the outer one. Iterations that do not fill a row of `unroll-jam-factor` run in
//! an epilogue loop like the old one; a loop of fewer iterations is one row. Values that the loops
//! inside carry are carried by each iteration for itself. Those that the loop itself carries have
//! to be reductions whose parts may be combined in any order: each iteration of a row has a partial
//! result of its own.
//!
//! Legal where no iteration comes before one of its row that it depends on: with `s` before `t` in
//! the old order and at most `factor - 1` iterations apart, `t` comes first where the loops that
//! hold both run it in an earlier iteration, or in the same one at an earlier place. The dependence
//! analysis tests that for every pair of accesses; an unknown answer refuses, with a remark, and
//! then the pass tries the loops inside.

mod apply;
mod legality;
mod rows;
mod shape;

use std::collections::HashSet;

use gridloom_dialects::affine::ForOp;
use gridloom_ir::{Body, Context, Diagnostic, Diagnostics, Module, OpId};

use super::affine_schedule::Refusal as Order;
use super::plans::{Plans, change_with_remarks, is_inside};
use crate::analysis::alias::Globals;
use crate::analysis::dependence::Dependences;
use crate::analysis::reduction::{self, Reduction, reductions_of};
use rows::Rows;
use shape::Shape;

/// Limit of the operations that unrolling one loop makes.
const MAX_OPERATIONS: u64 = 1 << 14;

/// Plan for one loop: how it is unrolled and jammed.
struct Jam {
    op: ForOp,
    shape: Shape,
    rows: Rows,
    /// Reductions of the values that the loop carries, in their order.
    reductions: Vec<Reduction>,
}

/// Refusal to unroll and jam a loop.
enum Refusal {
    /// The bounds of this inner loop vary with the outer one.
    Inner(OpId),
    /// The loop's bounds have several results, or exceed 64 bits where rows begin.
    Bounds,
    /// The loop carries a value that is no reduction with free order.
    Carries(reduction::Refusal),
    /// The copies would have too many operations.
    Size(u64),
    /// An iteration would run before one that it depends on.
    Order(Order),
}

impl Refusal {
    fn remark(&self, body: &Body, op: ForOp, start: &str) -> Diagnostic {
        let loc = body[op.0].loc;
        let plain = |why: &str| Diagnostic::remark(loc, format!("{start}: {why}"));
        match self {
            Refusal::Inner(inner) => {
                plain("the bounds of a loop in it differ from iteration to iteration")
                    .with_note(body[*inner].loc, "the loop in it")
            }
            Refusal::Bounds => plain(
                "its bounds are a minimum or maximum, or the rows may overflow the 64-bit index",
            ),
            Refusal::Carries(reduction::Refusal::Unknown) => {
                plain("it carries a value from iteration to iteration that is no reduction")
            }
            Refusal::Carries(reduction::Refusal::KeepsOrder(combine)) => {
                let combine = gridloom_dialects::signature(*combine).map_or("arith", |op| op.name);
                plain(&format!(
                    "it carries a reduction by '{combine}' on floats, which keeps its order unless \
                     fastmath<reassoc> permits partial results"
                ))
            }
            Refusal::Size(size) => plain(&format!(
                "it would have {size} operations, more than {MAX_OPERATIONS}; take a smaller \
                 unroll-jam-factor"
            )),
            Refusal::Order(order) => order.remark(body, loc, start),
        }
    }
}

/// Unrolls and jams by `factor`, in the host functions of a module, the outermost loops that
/// contain loops, or else loops inside of them. Returns whether anything changed, and why loops
/// stay.
pub fn jam_module(ctx: &Context, module: &mut Module, factor: u64) -> (bool, Diagnostics) {
    change_with_remarks(
        ctx,
        module,
        1,
        |body, globals| plan_body(ctx, body, globals, factor),
        |jam, body| jam.apply(ctx, body),
    )
}

/// Unrolls and jams a loop. Returns whether that relies on disjoint arguments.
///
/// # Errors
/// A remark that begins with `start` and says why the loop stays.
pub(super) fn jam_loop(
    ctx: &Context,
    body: &mut Body,
    globals: &Globals,
    (l, factor): (ForOp, u64),
    start: &str,
) -> Result<bool, Box<Diagnostic>> {
    let mut deps = Dependences::new(ctx, body, globals);
    let loc = body[l.0].loc;
    let stays = |why: &str| Box::new(Diagnostic::remark(loc, format!("{start}: {why}")));
    let shape = Shape::of(body, l);
    if !shape.has_loops() {
        return Err(stays("it holds no loop; unroll it"));
    }
    match plan_loop(&mut deps, l, shape, factor) {
        Ok(Some(jam)) => {
            let relied = deps.aliases.relied_on_arguments();
            jam.apply(ctx, body);
            Ok(relied)
        }
        Ok(None) => Err(stays("it has at most one iteration")),
        Err(why) => {
            let remark = why.remark(body, l, start).with_note(loc, "the loop");
            Err(Box::new(remark))
        }
    }
}

fn plan_body(
    ctx: &Context,
    body: &Body,
    globals: &Globals,
    factor: u64,
) -> (Plans<Jam>, Diagnostics) {
    let mut deps = Dependences::new(ctx, body, globals);
    let mut jams: Vec<Jam> = Vec::new();
    let mut remarks = Diagnostics::new();
    let mut done: HashSet<OpId> = HashSet::new();
    for op in body.walk() {
        let Some(l) = ForOp::cast(body, op) else {
            continue;
        };
        let shape = Shape::of(body, l);
        if !shape.has_loops() || is_inside(body, op, &done) {
            continue;
        }
        match plan_loop(&mut deps, l, shape, factor) {
            Ok(jam) => {
                done.insert(op);
                jams.extend(jam);
            }
            Err(why) => {
                let start = "this loop is not unrolled and jammed";
                remarks.push(why.remark(body, l, start));
            }
        }
    }
    let relied = deps.aliases.relied_on_arguments();
    ((jams, relied), remarks)
}

/// Plans one loop; `None` where it has too few iterations for a row.
fn plan_loop(
    deps: &mut Dependences,
    op: ForOp,
    shape: Shape,
    factor: u64,
) -> Result<Option<Jam>, Refusal> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let factor = match op.constant_trip_count(ctx, body) {
        Some(trips) => factor.min(trips),
        None => factor,
    };
    if factor < 2 {
        return Ok(None);
    }
    let size = factor.saturating_mul(body.walk_op(op.0).len() as u64);
    if size > MAX_OPERATIONS {
        return Err(Refusal::Size(size));
    }
    let reductions =
        reductions_of(ctx, body, &deps.values.uses(), op, false).map_err(Refusal::Carries)?;
    if let Some(inner) = shape.varying_loop(&mut deps.values, op) {
        return Err(Refusal::Inner(inner.0));
    }
    let rows = Rows::of(&mut deps.values, op, factor).ok_or(Refusal::Bounds)?;
    legality::check(deps, op, &shape, rows.farthest).map_err(Refusal::Order)?;
    Ok(Some(Jam {
        op,
        shape,
        rows,
        reductions,
    }))
}
