//! `affine-index-set-splitting`: splits a loop at the iteration whose counter equals that of a loop
//! around it.
//!
//! ```text
//! affine.for %i = 0 to %n {               affine.for %i = 0 to %k { S(%i) }
//!   S(%i)                          ⇒      S(%k)
//! }                                       affine.for %i = %k + 1 to %n { S(%i) }
//! ```
//!
//! Legal always, since the iterations keep their order, where `%k` is proved to
//! be in the range of the loop. It is done where the loop is tied only by
//! dependences on the iteration `%i = %k`, so that both parts are parallel: in
//! all-pairs shortest paths, what is tied are row and column `%k` alone
//! (M. Griebl, P. Feautrier and C. Lengauer, "Index set splitting", 2000).
//! Candidates for `%k` are counters that stand, in an access to the same memory,
//! where another access has `%i`.

use std::cmp::Ordering;

use gridloom_dialects::affine::{self, Bound, ForOp};
use gridloom_ir::{AffineExpr, Body, Builder, Context, InsertPoint, IrMapping, Module, Value};

use super::emit_loops::{MapWithOperands, bound, owned};
use super::plans::{change_by_plans, plan_outermost};
use crate::analysis::access::{Access, Place};
use crate::analysis::dependence::{Compared, Dependences};
use crate::analysis::parallel::{Reason, Verdict, distinct_accesses, verdict};
use crate::analysis::values::Atom;
use conditions::equality_test;

pub(super) mod conditions;

/// Splits loops in the host functions of a module.
/// Returns whether anything changed.
pub fn split_module(ctx: &Context, module: &mut Module) -> bool {
    change_by_plans(
        ctx,
        module,
        // Loops in the parts may be split themselves.
        MAX_ROUNDS,
        |body, globals| plan_outermost(ctx, body, globals, plan_loop),
        |plan, body| plan.apply(ctx, body),
    )
}

/// Limit of the rounds of splitting: each one makes three parts of a loop.
const MAX_ROUNDS: usize = 3;
/// Limit of the operations of a loop that is split.
const MAX_OPS: usize = 100;
/// Limit of the accesses of a loop that is split.
const MAX_ACCESSES: usize = 24;

/// Split point of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum At {
    /// Around the iteration whose counter equals that of a loop around it.
    Counter(Value),
    /// Before the iteration whose counter is this number.
    Number(i64),
}

/// Splits a loop.
///
/// ```text
/// affine.for %i = 0 to %n {               affine.for %i = 0 to min(%n, 4) { S(%i) }
///   S(%i)                          ⇒      affine.for %i = max(0, 4) to %n { S(%i) }
/// }
/// ```
///
/// # Errors
/// Why that is not possible.
pub(super) fn split_loop(
    ctx: &Context,
    body: &mut Body,
    op: ForOp,
    at: At,
) -> Result<(), &'static str> {
    if body[op.0].num_results() > 0 || op.step(ctx, body) != 1 {
        return Err("its step is not 1, or it carries values from one iteration to the next");
    }
    match at {
        At::Counter(at) => {
            if !outer_counters(ctx, body, op).contains(&at) {
                return Err(
                    "the counter it is split at is not known to be in its range: both need constant \
                     bounds or the same ones, and the other loop has to be around it",
                );
            }
            Split { op, at }.apply(ctx, body);
            Ok(())
        }
        At::Number(at) => split_at_number(ctx, body, op, at),
    }
}

/// Splits a loop into the iterations below a number, and those from it on.
fn split_at_number(ctx: &Context, body: &mut Body, op: ForOp, at: i64) -> Result<(), &'static str> {
    let is_outside = op.constant_lower(ctx, body).is_some_and(|low| at <= low)
        || op.constant_upper(ctx, body).is_some_and(|high| at >= high);
    if is_outside {
        return Err("the number it is split at is outside of its range, or at its start");
    }
    let [lower, upper] = [op.lower(ctx, body), op.upper(ctx, body)].map(owned);
    let [end, start] = [&upper, &lower].map(|end| with_number(ctx, end, at));
    let split = Part { op, at: None };
    let mut b = Builder::before(ctx, body, op.0);
    split.write(&mut b, [&lower, &end]);
    split.write(&mut b, [&start, &upper]);
    body.erase(op.0);
    Ok(())
}

/// Adds a number to a bound; where the bound is a constant that the number makes redundant, the number replaces it.
fn with_number(ctx: &Context, (map, operands): &MapWithOperands, at: i64) -> MapWithOperands {
    if map.as_single_constant(ctx).is_some() {
        return (ctx.constant_map(at), Vec::new());
    }
    let data = map.data(ctx);
    let number = ctx.affine_const(at);
    let results: Vec<AffineExpr> = map.results(ctx).iter().copied().chain([number]).collect();
    let map = ctx.affine_map(data.dims, data.symbols, &results);
    (map, operands.clone())
}

/// Split plan: a loop and its split point.
struct Split {
    op: ForOp,
    /// The counter of an enclosing loop, always in the loop's range.
    at: Value,
}

fn plan_loop(deps: &mut Dependences, op: ForOp) -> Option<Split> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let is_plain = body[op.0].num_results() == 0 && op.step(ctx, body) == 1;
    let around = outer_counters(ctx, body, op);
    if !is_plain || around.is_empty() || body.walk_op(op.0).len() > MAX_OPS {
        return None;
    }
    let Verdict::Sequential(Reason::Dependence { .. }) = verdict(deps, op.0) else {
        return None;
    };
    let accesses = distinct_accesses(deps, op.0);
    if accesses.len() > MAX_ACCESSES {
        return None;
    }
    let mut candidates = around.into_iter();
    let at = candidates
        .find(|&at| stands_for(deps, op, at, &accesses) && frees(deps, op, at, &accesses))?;
    Some(Split { op, at })
}

/// Counters of enclosing loops whose values are always in the range of a loop: at each end both have
/// constant bounds, they share the bound, or the counter is where the loop begins or ends.
fn outer_counters(ctx: &Context, body: &Body, op: ForOp) -> Vec<Value> {
    let is_inside = |l: &ForOp| {
        let [lower, upper] = [op.lower(ctx, body), op.upper(ctx, body)];
        let counter = l.induction_var(body);
        let low = op
            .constant_lower(ctx, body)
            .zip(l.constant_lower(ctx, body));
        let high = op
            .constant_upper(ctx, body)
            .zip(l.constant_upper(ctx, body));
        let begins = is_offset(ctx, lower, counter, 0)
            || low.is_some_and(|(own, other)| own <= other)
            || is_same(lower, l.lower(ctx, body));
        let ends = is_offset(ctx, upper, counter, 1)
            || high.is_some_and(|(own, other)| other <= own)
            || is_same(upper, l.upper(ctx, body));
        begins && ends
    };
    let around = body.ancestors(op.0);
    let around = around
        .filter_map(|op| ForOp::cast(body, op))
        .filter(is_inside);
    around.map(|l| l.induction_var(body)).collect()
}

fn is_same(one: Bound, other: Bound) -> bool {
    one.map == other.map && one.operands == other.operands
}

/// Whether a bound is a counter plus a number.
fn is_offset(ctx: &Context, bound: Bound, counter: Value, by: i64) -> bool {
    let expr = ctx.affine_add(ctx.affine_dim(0), ctx.affine_const(by));
    bound.map == ctx.affine_map(1, 0, &[expr]) && bound.operands == [counter]
}

/// Whether one access has the loop's counter where another has `at`.
fn stands_for(deps: &mut Dependences, op: ForOp, at: Value, accesses: &[Access]) -> bool {
    let counter = op.induction_var(deps.values.body);
    let [counter, at] = [counter, at].map(|value| deps.values.atom_expr(Atom::Value(value)));
    let coords = |access: &Access| match &access.place {
        Place::Element { coords, .. } => coords.clone(),
        _ => Vec::new(),
    };
    accesses.iter().any(|first| {
        let mut others = accesses.iter();
        others.any(|other| {
            let pairs = coords(first).into_iter().zip(coords(other));
            (first.is_write || other.is_write)
                && pairs.into_iter().any(|pair| pair == (counter, at))
        })
    })
}

/// Whether the iterations below `at` are independent of each other, and so are those above.
fn frees(deps: &mut Dependences, op: ForOp, at: Value, accesses: &[Access]) -> bool {
    let counter = op.induction_var(deps.values.body);
    let [counter, at] = [counter, at].map(|value| deps.values.atom_expr(Atom::Value(value)));
    let forward = (counter, Ordering::Less, counter);
    // Both instances have the same `at`, so the comparison may use either.
    let below: [Compared; 3] = [
        forward,
        (counter, Ordering::Less, at),
        (at, Ordering::Greater, counter),
    ];
    let above: [Compared; 3] = [
        forward,
        (counter, Ordering::Greater, at),
        (at, Ordering::Less, counter),
    ];
    [below, above].into_iter().all(|part| {
        accesses.iter().all(|first| {
            let mut others = accesses.iter();
            others.all(|second| {
                deps.test_compared(op.0, [first, second], &part)
                    .is_independent()
            })
        })
    })
}

impl Split {
    fn apply(&self, ctx: &Context, body: &mut Body) {
        let old = self.op;
        let after = ctx.affine_add(ctx.affine_dim(0), ctx.affine_const(1));
        let (same, next) = (
            ctx.affine_map(1, 0, &[ctx.affine_dim(0)]),
            ctx.affine_map(1, 0, &[after]),
        );
        let [lower, upper] = [old.lower(ctx, body), old.upper(ctx, body)];
        let begins_there = is_offset(ctx, lower, self.at, 0);
        let ends_there = is_offset(ctx, upper, self.at, 1);
        let [lower, upper] = [lower, upper].map(owned);
        let mut b = Builder::before(ctx, body, old.0);
        let part = Part {
            op: old,
            at: Some(self.at),
        };
        if !begins_there {
            part.write(&mut b, [&lower, &(same, vec![self.at])]);
        }
        part.statements(&mut b, self.at);
        if !ends_there {
            part.write(&mut b, [&(next, vec![self.at]), &upper]);
        }
        body.erase(old.0);
    }
}

/// Part of a split loop, under construction.
struct Part {
    op: ForOp,
    /// The counter that the loop is split at: its own equals that in the middle part alone.
    at: Option<Value>,
}

impl Part {
    /// Writes the loop between other bounds.
    fn write(&self, b: &mut Builder, [lower, upper]: [&MapWithOperands; 2]) {
        let new = ForOp::create(b, bound(lower), bound(upper), 1, &[]);
        let block = new.block(b.body);
        let counter = new.induction_var(b.body);
        b.set(InsertPoint::End(block));
        self.statements(b, counter);
        affine::yield_values(b, block, &[]);
        b.set(InsertPoint::Before(self.op.0));
    }

    /// Writes the loop's statements for one value of its counter.
    fn statements(&self, b: &mut Builder, counter: Value) {
        let mut map = IrMapping::new();
        let own = self.op.induction_var(b.body);
        map.map(own, counter);
        for op in self.op.statements(b.body) {
            let body = &*b.body;
            let tested = self.at.and_then(|at| {
                let branch = equality_test(b.ctx, body, op, [own, at])?;
                let taken = match counter == at {
                    true => Some(branch.then_block(body)),
                    false => branch.else_block(body),
                };
                Some(taken.map_or(Vec::new(), |block| body.without_terminator(block)))
            });
            b.insert_copies(&tested.unwrap_or_else(|| vec![op]), &mut map);
        }
    }
}
