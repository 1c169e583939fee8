//! Invariants of the values that an `scf.while` carries, as constraints on indices.
//!
//! ```text
//! %r = scf.while (%j = %j0) {                  j <= j0, and r <= j0
//!   %c = arith.cmpi sge, %j, %lo
//!   scf.condition(%c) %j               ⇒
//! } do {
//! ^bb0(%k):                                    k = j, lo <= k
//!   %n = arith.subi %k, %c1
//!   scf.yield %n
//! }
//! ```
//!
//! A value that no iteration moves up is at most what it starts with, and the other way round; the
//! second region runs where the condition holds; intervals bound the rest. All follows by induction
//! over the iterations, which needs sums that do not wrap around: intervals prove that.

use gridloom_dialects::{arith, scf};
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{AffineExpr, BlockId, OpId, Value};

use super::condition::conjunction;
use super::domain::Constraint;
use super::interval::{Environment, Interval};
use super::values::AffineValues;

/// Bounds beyond which an interval is worth no constraint.
const WORTHWHILE: Interval = Interval {
    least: -(1 << 40),
    most: 1 << 40,
};

impl AffineValues<'_> {
    /// The `scf.while` operations directly in a block.
    pub(super) fn whiles_in(&self, block: BlockId) -> Vec<scf::WhileOp> {
        let body = self.body;
        let all = self.whiles.get_or_init(|| {
            let mut found: FxHashMap<BlockId, Vec<OpId>> = FxHashMap::default();
            if body.may_hold(scf::WHILE) {
                for op in body.walk() {
                    let parent = body[op].parent().filter(|_| body[op].name == scf::WHILE);
                    if let Some(parent) = parent {
                        found.entry(parent).or_default().push(op);
                    }
                }
            }
            found
        });
        all.get(&block)
            .into_iter()
            .flatten()
            .map(|&op| scf::WhileOp(op))
            .collect()
    }

    /// The indices that an integer is used as: itself, or its casts to `index`.
    pub(super) fn indices_of(&mut self, value: Value) -> Vec<Value> {
        let (ctx, body) = (self.ctx, self.body);
        if body.ty(value).is_index(ctx) {
            return vec![value];
        }
        let uses = self.uses();
        let users = uses.of(value).iter();
        let casts = users.filter(|user| body[user.op].name == arith::INDEX_CAST);
        casts.map(|user| body[user.op].result(0)).collect()
    }

    /// An integer as an expression equal to it, as a signed number: that of an index, or of a
    /// narrower constant, that of an index which is cast to it and fits, or the atom of a cast.
    pub(super) fn index_expr(&mut self, value: Value, env: Environment) -> Option<AffineExpr> {
        let constant = arith::constant_int(self.ctx, self.body, value);
        if let Some((number, width)) = constant.zip(self.body.ty(value).signless_width(self.ctx)) {
            // Constants of narrow types may be held as unsigned numbers.
            let unused = i64::BITS.checked_sub(width).filter(|_| width > 0)?;
            return Some(self.ctx.affine_const(number << unused >> unused));
        }
        if let Some(expr) = self.cast_expr(value, env) {
            return Some(expr);
        }
        let index = *self.indices_of(value).first()?;
        Some(self.exact_expr(index, env))
    }

    /// The expression of the index that a narrower integer is a cast of, where the cast loses nothing.
    fn cast_expr(&mut self, value: Value, env: Environment) -> Option<AffineExpr> {
        let (ctx, body) = (self.ctx, self.body);
        let width = body.ty(value).signless_width(ctx);
        let width = width.filter(|width| (1..=i64::BITS).contains(width))?;
        let cast = body.defining_op(value)?;
        let source = *body[cast].operands.first()?;
        if body[cast].name != arith::INDEX_CAST || !body.ty(source).is_index(ctx) {
            return None;
        }
        let expr = self.exact_expr(source, env);
        let interval = self.interval(expr, env)?;
        interval
            .is_within(Interval::of_width(width))
            .then_some(expr)
    }
}

/// The constraints that hold in a region of an `scf.while`.
pub(super) fn constraints_inside(
    values: &mut AffineValues,
    op: scf::WhileOp,
    block: BlockId,
    env: Environment,
) -> Vec<Constraint> {
    let body = values.body;
    let (before, after) = (op.before(body), op.after(body));
    let mut found = Vec::new();
    for (position, &arg) in body[before].args.iter().enumerate() {
        constrain(values, op, position, arg, env, &mut found);
    }
    if block != after {
        return found;
    }
    let (condition, passed) = op.condition(body);
    for (&passed, &arg) in passed.iter().zip(&body[after].args) {
        for from in values.indices_of(passed) {
            let from = values.expr(from);
            for to in values.indices_of(arg) {
                let to = values.expr(to);
                let expr = values.ctx.affine_sub(to, from);
                found.push(Constraint { expr, is_eq: true });
                bound(values, to, env, &mut found);
            }
        }
    }
    if let Some(last) = body[before].last() {
        found.extend(conjunction(values, last, condition, true).constraints);
    }
    found
}

/// The constraints on the results of an `scf.while`.
pub(super) fn constraints_behind(
    values: &mut AffineValues,
    op: scf::WhileOp,
    env: Environment,
) -> Vec<Constraint> {
    let body = values.body;
    let mut found = Vec::new();
    for (&passed, result) in op.condition(body).1.iter().zip(body[op.0].results()) {
        let args = &body[op.before(body)].args;
        if let Some(position) = args.iter().position(|&arg| arg == passed) {
            constrain(values, op, position, result, env, &mut found);
        }
    }
    found
}

/// Constrains the indices of `value`, which is what the loop carries at a position at the beginning
/// of some iteration.
fn constrain(
    values: &mut AffineValues,
    op: scf::WhileOp,
    position: usize,
    value: Value,
    env: Environment,
    found: &mut Vec<Constraint>,
) {
    let indices = values.indices_of(value);
    if indices.is_empty() {
        return;
    }
    let Some(progress) = values.progress(op, position) else {
        return;
    };
    let carried = values.body[op.before(values.body)].args[position];
    let is_exact = values.is_bounded(carried, env);
    let start = start_of(values, op.0, progress.init);
    for index in indices {
        let index = values.expr(index);
        bound(values, index, env, found);
        let Some(start) = start.filter(|_| is_exact) else {
            continue;
        };
        let ctx = values.ctx;
        if progress.most <= 0 {
            let expr = ctx.affine_sub(start, index);
            found.push(Constraint { expr, is_eq: false });
        }
        if progress.least >= 0 {
            let expr = ctx.affine_sub(index, start);
            found.push(Constraint { expr, is_eq: false });
        }
    }
}

/// The initial value of a carried value, as an expression that does not wrap around.
fn start_of(values: &mut AffineValues, op: OpId, init: Value) -> Option<AffineExpr> {
    let env = values.environment_at(op);
    values.index_expr(init, env)
}

/// Adds the ends of an index's interval.
fn bound(
    values: &mut AffineValues,
    index: AffineExpr,
    env: Environment,
    found: &mut Vec<Constraint>,
) {
    let ctx = values.ctx;
    let Some(interval) = values.interval(index, env) else {
        return;
    };
    if interval.least >= WORTHWHILE.least
        && let Ok(least) = i64::try_from(interval.least)
    {
        let expr = ctx.affine_sub(index, ctx.affine_const(least));
        found.push(Constraint { expr, is_eq: false });
    }
    if interval.most <= WORTHWHILE.most
        && let Ok(most) = i64::try_from(interval.most)
    {
        let expr = ctx.affine_sub(ctx.affine_const(most), index);
        found.push(Constraint { expr, is_eq: false });
    }
}
