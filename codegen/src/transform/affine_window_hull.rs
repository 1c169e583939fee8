//! `affine-window-hull`: gives loops over windows that are clipped at borders all iterations of the window, with a test in the
//! body.
//!
//! ```text
//! %s = affine.for %x = max(0, %j - 2)         %s = affine.for %t = 0 to 5 iter_args(%a = %z) {
//!     to min(%n, %j + 3)                        %r = affine.if (0 <= %j + %t - 2 < %n) {
//!     iter_args(%a = %z) {                        %v = affine.load %m[%j + %t - 2]
//!   %v = affine.load %m[%x]             ⇒         %b = arith.addf %a, %v
//!   %b = arith.addf %a, %v                        affine.yield %b
//!   affine.yield %b                             } else { affine.yield %a }
//! }                                             affine.yield %r
//!                                             }
//! ```
//!
//! A lower and an upper bound a constant apart are the ends of the window; the other bounds, which clip it at the border, become
//! the test. Of nested loops that hand on what they carry, the innermost one tests for all.
//!
//! Legal always, since the statements run in the same iterations in the same order, where no sum leaves 64 bits; statements in
//! front of inner loops run for more iterations, and have to be defined there.
//!
//! Windows of neighbouring iterations differ in length only near a border. With one length they can be unrolled, tiles share what
//! their windows have in common, and lanes run without predicates. Done for reductions over short windows in parallel loops, on
//! drivers that run kernels on the CPU.

use gridloom_dialects::affine::{self, Bound, ForOp, IfOp};
use gridloom_ir::affine::AffineConstraint;
use gridloom_ir::op::Traits;
use gridloom_ir::{AffineExpr, Body, Builder, Context, InsertPoint, Module, OpId, Type, Value};

use super::affine_loop_normalize::normalize_loop;
use super::emit_loops::{MapWithOperands, bound};
use super::joint_bounds::JointBounds;
use super::loop_invariant_code_motion::is_speculatable;
use super::plans::{change_by_plans, plan_outermost};
use crate::analysis::counter::counters;
use crate::analysis::dependence::Dependences;
use crate::analysis::interval::Interval;
use crate::analysis::load_store::is_load;
use crate::analysis::loop_kind::is_affine_loop;
use crate::analysis::parallel::verdict;
use crate::analysis::reduction::{hands_on, is_repeatable};
use crate::target::OffloadOptions;

/// Limit of the iterations of a window along one loop.
pub(super) const MAX_SIDE: i64 = 16;

/// Limit of the iterations of a window in all.
const MAX_ITERATIONS: i64 = 128;

/// Limit of the loops of a nest.
const MAX_LOOPS: usize = 6;

/// Limit of the bounds of a loop.
const MAX_BOUNDS: usize = 4;

/// Gives clipped windows in the parallel loops of a module's host functions all their iterations, where the target gains from
/// that. Returns whether anything changed.
pub fn hull_windows(ctx: &Context, module: &mut Module, options: &OffloadOptions) -> bool {
    // Private arrays are for threads that run in lockstep on a CPU.
    options.private_updates.is_some()
        && change_by_plans(
            ctx,
            module,
            1,
            |body, globals| plan_outermost(ctx, body, globals, plan_nest),
            |plan, body| plan.apply(ctx, body),
        )
}

/// Plan for a nest of reductions with clipped windows.
struct Plan {
    /// Loops over clipped windows, each with the ends of the whole window and its length.
    windows: Vec<(ForOp, [MapWithOperands; 2], i64)>,
    /// Loop whose iterations are tested.
    innermost: ForOp,
    /// Test: expressions that are at least 0 in the iterations of the clipped windows.
    tests: JointBounds,
}

/// Clipped window of a loop.
struct Window {
    /// Lower and upper bound of the whole window.
    ends: [AffineExpr; 2],
    /// Iterations of the whole window.
    length: i64,
    /// Bounds that clip it.
    lowers: Vec<AffineExpr>,
    uppers: Vec<AffineExpr>,
    joint: JointBounds,
}

fn plan_nest(deps: &mut Dependences, root: ForOp) -> Option<Plan> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    if body[root.0].num_results() == 0 {
        return None;
    }
    clipped_window(ctx, body, root)?;
    let around: Vec<OpId> = body
        .ancestors(root.0)
        .filter(|&op| is_affine_loop(body, op))
        .collect();
    let outermost = *around.last()?;
    let parallel = around
        .into_iter()
        .filter(|&op| verdict(deps, op).is_parallel());
    let parallel: Vec<Value> = parallel
        .flat_map(|op| counters(body, op).map(|counter| counter.induction_var(body)))
        .collect();
    let nest = nest_of(ctx, body, root);
    let innermost = *nest.last()?;
    let is_straight = innermost
        .statements(body)
        .iter()
        .all(|&op| is_repeatable(body, op));
    if !is_straight {
        return None;
    }
    let mut iterations = 1;
    let mut windows = Vec::new();
    let mut tests = Vec::new();
    for &l in &nest {
        let Some(window) = clipped_window(ctx, body, l) else {
            continue;
        };
        iterations *= window.length;
        if iterations > MAX_ITERATIONS
            || !window.is_at_border(ctx, body, outermost, &parallel)
            || !window.fits(deps, l)
        {
            return None;
        }
        tests.extend(window.tests(ctx, l.induction_var(body)));
        let ends = window.ends.map(|end| window.joint.compact(ctx, &[end]));
        windows.push((l, ends, window.length));
    }
    let tests: Vec<Bound> = tests.iter().map(bound).collect();
    Some(Plan {
        windows,
        innermost,
        tests: JointBounds::of(ctx, &tests),
    })
}

/// The nest of reductions that hand on what they carry, whose statements in front of inner loops may run in any case. Bounds of
/// inner loops are none of its counters'.
fn nest_of(ctx: &Context, body: &Body, root: ForOp) -> Vec<ForOp> {
    let mut nest = vec![root];
    while let Some(&outer) = nest.last()
        && nest.len() < MAX_LOOPS
    {
        let ops = outer.statements(body);
        let Some((&inner, front)) = ops.split_last() else {
            break;
        };
        let Some(inner) = ForOp::cast(body, inner) else {
            break;
        };
        let may_run = |&op: &OpId| {
            let is_pure = body[op].name.has(Traits::PURE) && body[op].inline_regions().is_empty();
            is_pure && !is_load(body, op) && is_speculatable(ctx, body, op)
        };
        let bounds = [inner.lower(ctx, body), inner.upper(ctx, body)];
        let mut operands = bounds.iter().flat_map(|bound| bound.operands);
        if !front.iter().all(may_run)
            || !hands_on(ctx, body, outer, inner)
            || operands.any(|&value| body.is_defined_in(value, root.0))
        {
            break;
        }
        nest.push(inner);
    }
    nest
}

/// The window of a loop with more bounds than its ends; `None` where none is known to be short.
fn clipped_window(ctx: &Context, body: &Body, l: ForOp) -> Option<Window> {
    let bounds = [l.lower(ctx, body), l.upper(ctx, body)];
    let counts = bounds.map(|bound| bound.map.results(ctx).len());
    if counts == [1, 1] || counts.iter().any(|&count| count > MAX_BOUNDS) || l.step(ctx, body) != 1
    {
        return None;
    }
    let joint = JointBounds::of(ctx, &bounds);
    let (lowers, uppers) = (&joint.exprs[0], &joint.exprs[1]);
    let pairs = (0..lowers.len()).flat_map(|low| (0..uppers.len()).map(move |high| (low, high)));
    let lengths = pairs.filter_map(|(low, high)| {
        let length = joint.difference(ctx, uppers[high], lowers[low]);
        Some((length.as_constant(ctx)?, low, high))
    });
    let (length, low, high) = lengths
        .min()
        .filter(|(length, ..)| (2..=MAX_SIDE).contains(length))?;
    let but = |all: &[AffineExpr], number: usize| {
        let mut rest = all.to_vec();
        rest.remove(number);
        rest
    };
    Some(Window {
        ends: [lowers[low], uppers[high]],
        length,
        lowers: but(lowers, low),
        uppers: but(uppers, high),
        joint,
    })
}

impl Window {
    /// Whether few iterations clip the window: it moves with a parallel loop and the border does not, or the other way round. A
    /// tile of a triangle moves with its own loop.
    fn is_at_border(
        &self,
        ctx: &Context,
        body: &Body,
        outermost: OpId,
        parallel: &[Value],
    ) -> bool {
        let moving = |exprs: &[AffineExpr]| -> Vec<Value> {
            let (_, operands) = self.joint.compact(ctx, exprs);
            (operands.into_iter())
                .filter(|&value| body.is_defined_in(value, outermost))
                .collect()
        };
        let sides = [
            moving(&self.ends),
            moving(&[&self.lowers[..], &self.uppers].concat()),
        ];
        match sides {
            [one, other] if one.is_empty() != other.is_empty() => [one, other]
                .concat()
                .iter()
                .any(|value| parallel.contains(value)),
            _ => false,
        }
    }

    /// Whether no end and no side of a test leaves 64 bits in the whole window.
    fn fits(&self, deps: &mut Dependences, l: ForOp) -> bool {
        let ctx = deps.values.ctx;
        let first = self.ends[0];
        let rest = self.lowers.iter().map(|&low| (first, low));
        let rest = rest.chain(self.uppers.iter().map(|&high| (high, first)));
        let ways = rest.map(|(more, less)| self.joint.difference(ctx, more, less));
        let exprs: Vec<AffineExpr> = self.ends.into_iter().chain(ways).collect();
        let (map, operands) = self.joint.compact(ctx, &exprs);
        let env = deps.values.environment_at(l.0);
        let machine = Interval::MACHINE;
        let room = Interval {
            least: machine.least + i128::from(self.length),
            most: machine.most - i128::from(self.length),
        };
        let exprs = deps.values.map_exprs(l.0, map, &operands);
        exprs.into_iter().all(|expr| {
            let interval = expr.and_then(|expr| deps.values.interval(expr, env));
            interval.is_some_and(|interval| interval.is_within(room))
        })
    }

    /// Expressions that are at least 0 where a counter of the whole window is one of the clipped window.
    fn tests(&self, ctx: &Context, counter: Value) -> Vec<MapWithOperands> {
        let own = Bound {
            map: ctx.identity_map(1),
            operands: &[counter],
        };
        let (rest, operands) = self
            .joint
            .compact(ctx, &[&self.lowers[..], &self.uppers].concat());
        let all = Bound {
            map: rest,
            operands: &operands,
        };
        let joint = JointBounds::of(ctx, &[own, all]);
        let at = joint.exprs[0][0];
        let (lowers, uppers) = joint.exprs[1].split_at(self.lowers.len());
        let above = lowers.iter().map(|&low| joint.difference(ctx, at, low));
        let below = uppers.iter().map(|&high| {
            let last = ctx.affine_add(high, ctx.affine_const(-1));
            joint.difference(ctx, last, at)
        });
        above
            .chain(below)
            .map(|test| joint.compact(ctx, &[test]))
            .collect()
    }
}

impl Plan {
    fn apply(&self, ctx: &Context, body: &mut Body) {
        self.test_iterations(ctx, body);
        for (l, [lower, upper], length) in &self.windows {
            l.set_lower(ctx, body, bound(lower));
            l.set_upper(ctx, body, bound(upper));
            // A loop that stays as it is only cannot be unrolled with its neighbours.
            if normalize_loop(ctx, body, l.0) == Ok(true) {
                l.set_upper(ctx, body, Bound::constant(ctx, *length));
            }
        }
    }

    /// Moves the statements of the innermost loop under the test; elsewhere it hands on what it carries.
    fn test_iterations(&self, ctx: &Context, body: &mut Body) {
        let l = self.innermost;
        let (statements, carried) = (l.statements(body), l.iter_args(body).to_vec());
        let Some(end) = body[l.block(body)].last() else {
            return;
        };
        let yielded = body[end].operands.to_vec();
        let exprs = self.tests.exprs.iter().flatten();
        let constraints: Vec<AffineConstraint> = exprs
            .map(|&expr| AffineConstraint { expr, is_eq: false })
            .collect();
        let (dims, symbols) = self.tests.inputs();
        let set = ctx.integer_set(dims.len() as u32, symbols.len() as u32, &constraints);
        let types: Vec<Type> = carried.iter().map(|&value| body.ty(value)).collect();
        let mut b = Builder::before(ctx, body, end);
        b.loc = b.body[l.0].loc;
        let test = IfOp::create(&mut b, set, &self.tests.operands(), &types, true);
        let inside = test.then_block(b.body);
        for op in statements {
            b.body.detach(op);
            b.body.append(inside, op);
        }
        affine::yield_values(&mut b, inside, &yielded);
        if let Some(other) = test.else_block(b.body) {
            affine::yield_values(&mut b, other, &carried);
        }
        b.set(InsertPoint::Before(end));
        let results: Vec<Value> = b.body[test.0].results().collect();
        body[end].operands = results.into_iter().collect();
    }
}
