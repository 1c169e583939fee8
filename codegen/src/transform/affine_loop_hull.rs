//! `affine-loop-hull`: turns a parallel nest whose bounds depend on outer counters into a box with
//! a domain test in it.
//!
//! ```text
//! affine.for %i = 0 to %n {                 affine.for %i = 0 to %n {
//!   affine.for %j = 0 to %i + 1 {             affine.for %j = 0 to %n {
//!     S(%i, %j)                       ⇒         affine.if (%i - %j >= 0) {
//!   }                                             S(%i, %j)
//! }                                             }
//! ```
//!
//! The bounds of each loop become those of the rectangular hull of the domain: a bound is evaluated
//! at the end of an outer counter's range where it is loosest, inner counters first, as in
//! Fourier-Motzkin elimination. The test consists of the old bounds that the box does not imply.
//!
//! Legal always, since the statements run in the same iterations in the same order, where no sum
//! leaves 64 bits. A lower bound moves only in steps of 1, so that the loop meets the same
//! counters.
//!
//! It is done for nests that become a grid: the loops are parallel, and nothing stands between them.
//! Iterations then share what they load in registers, and vectors, once `affine-map-to-gpu` tiles the
//! box. A grid covers all iterations that a row may have already; the box must not be larger. A band of
//! a matrix along its diagonal stays as it is.

use gridloom_dialects::affine::{self, Bound, ForOp, IfOp};
use gridloom_dialects::arith;
use gridloom_ir::affine::AffineConstraint;
use gridloom_ir::op::Traits;
use gridloom_ir::{AffineExpr, AffineMap, Body, Builder, Context, IntegerSet, Module, OpId, Value};

use super::emit_loops::{MapWithOperands, bound};
use super::joint_bounds::{JointBounds, factor_of};
use super::plans::{change_by_plans, plan_outermost};
use crate::analysis::dependence::Dependences;
use crate::analysis::parallel::verdict;

/// Limit of the loops of a nest.
const MAX_LOOPS: usize = 6;

/// Limit of the results of a hull's bound: each pair of bounds makes one.
const MAX_RESULTS: usize = 4;

/// Replaces the bounds of parallel nests in the host functions of a module by those of their box
/// hull. Returns whether anything changed.
pub fn hull_module(ctx: &Context, module: &mut Module) -> bool {
    change_by_plans(
        ctx,
        module,
        1,
        |body, globals| plan_outermost(ctx, body, globals, plan_nest),
        |plan, body| plan.apply(ctx, body),
    )
}

/// Hull plan: the bounds of the box, and the domain in it.
struct Hull {
    /// Loops whose bounds change, each with its new lower and upper bound.
    bounds: Vec<(ForOp, [MapWithOperands; 2])>,
    last: ForOp,
    domain: (IntegerSet, Vec<Value>),
}

impl Hull {
    fn apply(&self, ctx: &Context, body: &mut Body) {
        let block = self.last.block(body);
        let statements: Vec<OpId> = (body.ops(block))
            .filter(|&op| !is_beside(body, op))
            .collect();
        let Some(end) = body[block].last().filter(|_| !statements.is_empty()) else {
            return;
        };
        let (set, operands) = &self.domain;
        // The test goes behind the constants that the statements use, which stay in place.
        let mut b = Builder::before(ctx, body, end);
        b.loc = b.body[self.last.0].loc;
        let test = IfOp::create(&mut b, *set, operands, &[], false);
        let inside = test.then_block(b.body);
        affine::yield_values(&mut b, inside, &[]);
        let end = body.ops(inside).next();
        for op in statements {
            body.detach(op);
            match end {
                Some(end) => body.insert_before(end, op),
                None => body.append(inside, op),
            }
        }
        for (l, [lower, upper]) in &self.bounds {
            l.set_lower(ctx, body, bound(lower));
            l.set_upper(ctx, body, bound(upper));
        }
    }
}

/// Whether an operation is not one of the statements to be tested: a constant, or the terminator.
fn is_beside(body: &Body, op: OpId) -> bool {
    let name = body[op].name;
    name == arith::CONSTANT || name.has(Traits::TERMINATOR)
}

fn plan_nest(deps: &mut Dependences, root: ForOp) -> Option<Hull> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let mut loops = nest_beside_constants(body, root);
    if !depends(ctx, body, &loops) {
        return None;
    }
    let parallel = loops
        .iter()
        .take_while(|l| verdict(deps, l.0).is_parallel());
    loops.truncate(parallel.count());
    if !depends(ctx, body, &loops) {
        return None;
    }
    let counters = loops.iter().map(|l| l.induction_var(body)).collect();
    let domain = Domain::of(deps, &loops, counters)?;
    let hull = (0..loops.len()).map(|k| domain.hull(ctx, k));
    let hull: Vec<[Vec<AffineExpr>; 2]> = hull.collect::<Option<_>>()?;
    if !(0..loops.len()).all(|k| domain.is_as_large(ctx, k, &hull[k])) {
        return None;
    }
    let mut bounds = Vec::new();
    for (k, ends) in hull
        .iter()
        .enumerate()
        .filter(|&(k, _)| !domain.residual_constraints(ctx, k).is_empty())
    {
        if domain.moves_lower(ctx, k) && loops[k].step(ctx, body) != 1 {
            return None;
        }
        let forms = [&ends[0], &ends[1]].map(|end| domain.joint.compact(ctx, end));
        let env = deps.values.environment_at(root.0);
        for (map, operands) in &forms {
            for expr in deps.values.map_exprs(root.0, *map, operands) {
                expr.filter(|&expr| deps.values.fits(expr, env))?;
            }
        }
        bounds.push((loops[k], forms));
    }
    let last = *loops.last()?;
    let set = domain.set(deps, last)?;
    Some(Hull {
        bounds,
        last,
        domain: set,
    })
}

/// The loops of a nest that is perfect but for constants; none but the root carries values.
pub(super) fn nest_beside_constants(body: &Body, root: ForOp) -> Vec<ForOp> {
    let only_loop = |&l: &ForOp| {
        let mut ops = (body.ops(l.block(body))).filter(|&op| !is_beside(body, op));
        let inner = ops.next().and_then(|op| ForOp::cast(body, op))?;
        (ops.next().is_none() && body[inner.0].num_results() == 0).then_some(inner)
    };
    let nest = std::iter::successors(Some(root), only_loop);
    nest.take(MAX_LOOPS).collect()
}

/// Whether a bound of one loop depends linearly on the counter of another.
fn depends(ctx: &Context, body: &Body, loops: &[ForOp]) -> bool {
    let counters: Vec<Value> = loops.iter().map(|l| l.induction_var(body)).collect();
    let mut bounds = (loops.iter()).flat_map(|l| [l.lower(ctx, body), l.upper(ctx, body)]);
    bounds.any(|bound| bound.operands.iter().any(|value| counters.contains(value)))
}

/// Iteration domain of a nest: the lower and upper bounds of each loop.
struct Domain {
    joint: JointBounds,
    /// The dimension that stands for each counter.
    dims: Vec<u32>,
}

impl Domain {
    /// Reads the domain of a nest; `None` where a bound uses a counter as a symbol.
    fn of(deps: &Dependences, loops: &[ForOp], counters: Vec<Value>) -> Option<Self> {
        let (ctx, body) = (deps.values.ctx, deps.values.body);
        let own: AffineMap = ctx.affine_map(1, 0, &[ctx.affine_dim(0)]);
        let ends = loops
            .iter()
            .flat_map(|l| [l.lower(ctx, body), l.upper(ctx, body)]);
        let counted = counters.iter().map(|counter| Bound {
            map: own,
            operands: std::slice::from_ref(counter),
        });
        let bounds: Vec<Bound> = ends.chain(counted).collect();
        let joint = JointBounds::of(ctx, &bounds);
        let dims = counters.iter().map(|&counter| joint.dim(counter));
        let dims: Vec<u32> = dims.collect::<Option<_>>()?;
        let root = loops.first()?.0;
        let inside = joint
            .operands()
            .into_iter()
            .filter(|&value| deps.values.block_is_inside(body.value_block(value), root));
        (inside.count() == counters.len()).then_some(Domain { joint, dims })
    }

    fn lowers(&self, k: usize) -> &[AffineExpr] {
        &self.joint.exprs[2 * k]
    }

    fn uppers(&self, k: usize) -> &[AffineExpr] {
        &self.joint.exprs[2 * k + 1]
    }

    /// Whether an expression uses a counter of the nest.
    fn varies(&self, ctx: &Context, expr: AffineExpr) -> bool {
        self.dims
            .iter()
            .any(|&dim| factor_of(ctx, expr, dim) != Some(0))
    }

    fn moves_lower(&self, ctx: &Context, k: usize) -> bool {
        self.lowers(k).iter().any(|&low| self.varies(ctx, low))
    }

    /// The lower and upper bounds of a loop's hull.
    fn hull(&self, ctx: &Context, k: usize) -> Option<[Vec<AffineExpr>; 2]> {
        let lowers = self
            .lowers(k)
            .iter()
            .map(|&low| self.extreme(ctx, k, low, false));
        let uppers = self
            .uppers(k)
            .iter()
            .map(|&high| self.extreme(ctx, k, high, true));
        let joined = |all: Option<Vec<Vec<AffineExpr>>>| all.map(|all| all.concat());
        let hull = [joined(lowers.collect())?, joined(uppers.collect())?];
        hull.iter()
            .all(|ends| ends.len() <= MAX_RESULTS)
            .then_some(hull)
    }

    /// Bounds on the least or greatest value of an expression over the loops outside of loop `k`;
    /// `None` where it is not a linear sum of their counters.
    fn extreme(
        &self,
        ctx: &Context,
        k: usize,
        expr: AffineExpr,
        greatest: bool,
    ) -> Option<Vec<AffineExpr>> {
        let mut found = vec![expr];
        for outer in (0..k).rev() {
            let mut next = Vec::new();
            for expr in found {
                let factor = factor_of(ctx, expr, self.dims[outer])?;
                if factor == 0 {
                    next.push(expr);
                    continue;
                }
                let ends = match (factor > 0) == greatest {
                    true => self.uppers(outer),
                    false => self.lowers(outer),
                };
                for &end in ends {
                    let end = match (factor > 0) == greatest {
                        true => ctx.affine_add(end, ctx.affine_const(-1)),
                        false => end,
                    };
                    next.push(self.joint.with_dim(ctx, expr, self.dims[outer], end));
                }
            }
            if next.len() > MAX_RESULTS {
                return None;
            }
            found = next;
        }
        Some(found)
    }

    /// Whether a loop is known to have no more iterations in the hull than in some iteration of the
    /// loops around it.
    fn is_as_large(&self, ctx: &Context, k: usize, hull: &[Vec<AffineExpr>; 2]) -> bool {
        let distances = |[lowers, uppers]: [&[AffineExpr]; 2]| {
            let pairs = lowers
                .iter()
                .flat_map(|&low| uppers.iter().map(move |&high| (low, high)));
            let distances = pairs.map(|(low, high)| self.joint.difference(ctx, high, low));
            distances.collect::<Vec<_>>()
        };
        let constant = |distances: &[AffineExpr]| {
            let constants = distances
                .iter()
                .filter_map(|distance| distance.as_constant(ctx));
            constants.min()
        };
        let hull = distances([&hull[0], &hull[1]]);
        let old: Vec<AffineExpr> = distances([self.lowers(k), self.uppers(k)])
            .into_iter()
            .flat_map(|distance| self.extreme(ctx, k, distance, true).unwrap_or_default())
            .collect();
        match (constant(&old), constant(&hull)) {
            (Some(old), Some(hull)) => hull <= old,
            (Some(_), None) => false,
            (None, _) => old.iter().all(|distance| hull.contains(distance)),
        }
    }

    /// Residual constraints of a loop: expressions that are at least 0 in its iterations and that
    /// the hull does not imply.
    fn residual_constraints(&self, ctx: &Context, k: usize) -> Vec<AffineExpr> {
        let counter = ctx.affine_dim(self.dims[k]);
        let lowers = self.lowers(k).iter().filter(|&&low| self.varies(ctx, low));
        let uppers = self
            .uppers(k)
            .iter()
            .filter(|&&high| self.varies(ctx, high));
        let above = lowers.map(|&low| self.joint.difference(ctx, counter, low));
        let below = uppers.map(|&high| {
            let last = ctx.affine_add(high, ctx.affine_const(-1));
            self.joint.difference(ctx, last, counter)
        });
        above.chain(below).collect()
    }

    /// The integer set of the domain inside the hull, and its operands; `None` where a constraint
    /// may wrap around in the hull.
    fn set(&self, deps: &mut Dependences, last: ForOp) -> Option<(IntegerSet, Vec<Value>)> {
        let ctx = deps.values.ctx;
        let rest = (0..self.dims.len()).flat_map(|k| self.residual_constraints(ctx, k));
        let (map, operands) = self.joint.compact(ctx, &rest.collect::<Vec<_>>());
        let first = deps.values.body[last.block(deps.values.body)].first()?;
        let env = deps.values.environment_at(first);
        // Interval arithmetic treats counters as independent, so the interval over the domain is
        // that over the hull.
        for expr in deps.values.map_exprs(first, map, &operands) {
            expr.filter(|&expr| deps.values.fits(expr, env))?;
        }
        let constraints: Vec<AffineConstraint> = (map.results(ctx).iter())
            .map(|&expr| AffineConstraint { expr, is_eq: false })
            .collect();
        let data = map.data(ctx);
        Some((
            ctx.integer_set(data.dims, data.symbols, &constraints),
            operands,
        ))
    }
}
