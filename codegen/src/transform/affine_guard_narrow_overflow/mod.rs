//! `affine-guard-narrow-overflow`: puts a nest whose subscripts, bounds or conditions are computed in a
//! narrower type than `index`, such as C's `int`, under a test that nothing wraps around, with a
//! copy of the nest for the other case.
//!
//! ```text
//!                                               %most = (%m - 1) * %n + %n - 1
//!                                               %ok = 0 <= %most < 2^31
//! affine.for %i = 0 to %m {                     scf.if %ok {
//!   affine.for %j = 0 to %n {                     affine.for %i = 0 to %m {
//!     %r = arith.muli %i32, %n32 : i32      ⇒       affine.for %j = 0 to %n {
//!     %s = arith.addi %r, %j32 : i32                  S(%i * %n + %j)
//!     S(arith.index_cast %s)                        }
//!   }                                             }
//! }                                             } else { the nest as it was }
//! ```
//!
//! Always legal: both copies are the nest, and the first one computes in `index` what the test shows
//! to be the same number. The test bounds every sum, product and cast over all iterations
//! ([`ranges`]), in numbers from outside of the nest; it is exact for products of sizes, whatever
//! each of them is. Left alone: nests that need no test, numbers that are loaded in the nest, and
//! counters times large constants, which hashes compute so that they wrap around.

mod ends;
mod ranges;

use std::collections::HashSet;

use gridloom_dialects::{affine, arith, scf};
use gridloom_ir::{Body, Builder, Context, IrMapping, OpId};

use super::affine_guard_overflow::{is_fallback, put_under_test};
use super::plans::is_inside;
use super::raise_to_affine::casts::{self, Plan};
use super::raise_to_affine::{host_ops, raise};
use crate::analysis::values::AffineValues;
use ranges::Ranges;

/// Limit of the rounds: a nest that takes numbers from a loop around it is planned after that loop.
const MAX_ROUNDS: usize = 3;

/// Versions the nests of a host function that need a test of narrow integers, and raises what is
/// affine under it. Returns whether there was one.
pub fn guard_narrow_overflow(ctx: &Context, body: &mut Body) -> bool {
    let mut changed = false;
    for _ in 0..MAX_ROUNDS {
        let guards = plan(ctx, body);
        if guards.is_empty() {
            break;
        }
        for guard in &guards {
            guard.apply(ctx, body);
        }
        // Raising looks at the whole body, so it finds what widening made affine.
        raise(ctx, body);
        changed = true;
    }
    changed
}

/// Guard plan of a nest: the operations to compute in `index`, and the ranges to test for them.
struct Guard {
    root: OpId,
    plans: Vec<(OpId, Plan)>,
    /// Unsigned casts of integers from outside, which the test shows to be signed ones as well.
    unsigned: Vec<OpId>,
    ranges: Ranges,
}

/// Whether an operation is a loop that may be put under a test.
fn is_root(body: &Body, op: OpId) -> bool {
    matches!(
        body[op].name,
        affine::FOR | affine::PARALLEL | scf::FOR | scf::PARALLEL
    )
}

/// Plans guards of nests that do not contain each other, outer ones first.
fn plan(ctx: &Context, body: &Body) -> Vec<Guard> {
    let ops = host_ops(body);
    let loops: Vec<OpId> = (ops.into_iter()).filter(|&op| is_root(body, op)).collect();
    let fallbacks: HashSet<OpId> = (loops.iter().copied())
        .filter(|&op| is_fallback(body, op))
        .collect();
    let mut values = AffineValues::new(ctx, body);
    let mut taken = fallbacks.clone();
    let mut guards = Vec::new();
    for root in loops {
        if taken.contains(&root) || is_inside(body, root, &taken) {
            continue;
        }
        if let Some(guard) = plan_nest(&mut values, root) {
            taken.insert(root);
            guards.push(guard);
        }
    }
    guards
}

/// Plans the guard of one nest; `None` where no operation in it needs and permits a test.
fn plan_nest(values: &mut AffineValues, root: OpId) -> Option<Guard> {
    let mut ranges = Ranges::new(root);
    let mut plans = Vec::new();
    for op in values.body.walk_op(root) {
        let is_read = match values.body[op].name {
            arith::INDEX_CAST | arith::INDEX_CASTUI => true,
            arith::CMPI => decides_branch(values, op),
            _ => false,
        };
        let Some(plan) = is_read.then(|| casts::plan_tested(values, op)).flatten() else {
            continue;
        };
        if ranges.add(values, plan.integers()) {
            plans.push((op, plan));
        }
    }
    if plans.is_empty() {
        return None;
    }
    let unsigned = unsigned_casts(values, root, &mut ranges);
    Some(Guard {
        root,
        plans,
        unsigned,
        ranges,
    })
}

/// Casts of integers that widening takes for signed ones, and the nest for unsigned ones as well, such as in bounds
/// of its loops: with a test that both are one number.
fn unsigned_casts(values: &mut AffineValues, root: OpId, ranges: &mut Ranges) -> Vec<OpId> {
    let body = values.body;
    let uses = values.uses();
    let mut found = Vec::new();
    for value in ranges.ends.narrow_values() {
        let casts = uses.of(value).iter().map(|user| user.op).filter(|&op| {
            let is_used = |op: OpId| {
                let mut users = uses.of(body[op].result(0)).iter();
                users.any(|user| user.op == root || body.is_ancestor(root, user.op))
            };
            body[op].name == arith::INDEX_CASTUI && !body.is_ancestor(root, op) && is_used(op)
        });
        let casts: Vec<OpId> = casts.collect();
        if !casts.is_empty() && ranges.require_natural(values, value) {
            found.extend(casts);
        }
    }
    found
}

/// Whether a comparison decides an `scf.if`, alone or in a conjunction.
fn decides_branch(values: &AffineValues, op: OpId) -> bool {
    let uses = values.uses();
    let mut open = vec![values.body[op].result(0)];
    while let Some(value) = open.pop() {
        for &user in uses.of(value) {
            match values.body[user.op].name {
                scf::IF => return true,
                arith::ANDI => open.push(values.body[user.op].result(0)),
                _ => {}
            }
        }
    }
    false
}

impl Guard {
    fn apply(&self, ctx: &Context, body: &mut Body) {
        let root = self.root;
        let copy = body.clone_op(root, &mut IrMapping::new());
        casts::apply(ctx, body, &self.plans);
        for &cast in &self.unsigned {
            let value = body[cast].operands[0];
            let mut b = Builder::before(ctx, body, cast);
            let signed = b.unary(arith::INDEX_CAST, &[value], ctx.index_type());
            let unsigned = body[cast].result(0);
            let replaced = |value| if value == unsigned { signed } else { value };
            body.replace_values_in(root, replaced);
        }
        let mut b = Builder::before(ctx, body, root);
        let condition = self.ranges.ends.condition(&mut b);
        put_under_test(&mut b, condition, root, copy);
    }
}
