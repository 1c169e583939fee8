//! `affine-index-set-splitting`: a loop is split where its counter meets that of
//! a loop around it.
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

use gridloom_ir::dialect::affine::{self, Bound, ForOp};
use gridloom_ir::{Body, Builder, Context, InsertPoint, IrMapping, Module, OpId, Value};

use super::plans::{change_by_plans, plan_outermost};
use crate::analysis::access::{Access, Place};
use crate::analysis::dependence::{Compared, Dependences};
use crate::analysis::parallel::{Reason, Verdict, distinct_accesses, verdict};
use crate::analysis::values::Atom;

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

/// Depth to which parts are split again: each time there are three of them.
const MAX_ROUNDS: usize = 3;
/// Operations of a loop that is split, at most.
const MAX_OPS: usize = 100;
/// Accesses of a loop that is split, at most.
const MAX_ACCESSES: usize = 24;

/// A loop and where it is split.
struct Split {
    op: ForOp,
    /// The counter of a loop around it, always in its range.
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

/// The counters of loops around one whose values are in its range.
fn outer_counters(ctx: &Context, body: &Body, op: ForOp) -> Vec<Value> {
    let range = |l: ForOp| {
        let bounds = l.constant_lower(ctx, body).zip(l.constant_upper(ctx, body));
        bounds.filter(|(low, high)| low < high)
    };
    let Some((low, high)) = range(op) else {
        return Vec::new();
    };
    let up = std::iter::successors(body.parent_op(op.0), |&op| body.parent_op(op));
    let loops = up.filter_map(|op| ForOp::cast(body, op));
    let inside = loops.filter(|&l| range(l).is_some_and(|(a, b)| low <= a && b <= high));
    inside.map(|l| l.induction_var(body)).collect()
}

/// Whether one access has the counter of the loop where another has `at`.
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

/// Whether the iterations below `at` are independent, and those above.
fn frees(deps: &mut Dependences, op: ForOp, at: Value, accesses: &[Access]) -> bool {
    let counter = op.induction_var(deps.values.body);
    let forward = (counter, Ordering::Less, counter);
    // Both iterations have the same `at`, so either may be asked.
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
        let source = body.clone();
        let old = self.op;
        let after = ctx.affine_add(ctx.affine_dim(0), ctx.affine_const(1));
        let (same, next) = (
            ctx.affine_map(1, 0, &[ctx.affine_dim(0)]),
            ctx.affine_map(1, 0, &[after]),
        );
        let at = [self.at];
        let bound = |map| Bound { map, operands: &at };
        let below = [old.lower(ctx, &source), bound(same)];
        let above = [bound(next), old.upper(ctx, &source)];
        let mut b = Builder::before(ctx, body, old.0);
        b.loc = source[old.0].loc;
        self.part(&mut b, &source, below);
        self.statements(&mut b, &source, self.at);
        self.part(&mut b, &source, above);
        body.erase(old.0);
    }

    /// The loop between other bounds.
    fn part(&self, b: &mut Builder, source: &Body, [lower, upper]: [Bound; 2]) {
        let new = ForOp::create(b, lower, upper, 1, &[]);
        let block = new.block(b.body);
        let counter = new.induction_var(b.body);
        b.set(InsertPoint::End(block));
        self.statements(b, source, counter);
        affine::yield_values(b, block, &[]);
        b.set(InsertPoint::Before(self.op.0));
    }

    /// Writes the loop's statements for one value of its counter.
    fn statements(&self, b: &mut Builder, source: &Body, counter: Value) {
        let ops: Vec<OpId> = source.ops(self.op.block(source)).collect();
        let mut map = IrMapping::new();
        map.map(self.op.induction_var(source), counter);
        for &op in ops
            .split_last()
            .map_or(&[][..], |(_, statements)| statements)
        {
            let copy = b.body.clone_op_from(source, op, &mut map);
            b.insert(copy);
        }
    }
}
