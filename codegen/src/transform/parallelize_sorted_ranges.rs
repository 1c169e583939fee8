//! `parallelize-sorted-ranges`: parallelizes loops whose iterations have ranges of their own between
//! the numbers of a sorted array, such as the rows of a sparse matrix.
//!
//! ```text
//!                                             %ok = affine.for %k … iter_args(%all = %true) {
//! affine.for %i = 0 to %n {                     %all and %rows[%k] <= %rows[%k + 1] }
//!   %l = affine.load %rows[%i]                scf.if %ok {
//!   %u = affine.load %rows[%i + 1]      ⇒       affine.parallel (%i) = (0) to (%n) {
//!   scf.for %p = %l to %u step %c1 {              …
//!     S(%i) stores to %out[%p]                  }
//!   }                                         } else {
//! }                                             the loop as it is
//!                                             }
//! ```
//!
//! Of a sorted array, an element is at most one with a greater subscript: where that of `%u` is at
//! most that of `%l` in any later iteration, `%u` is at most that `%l`. With this, the polyhedra of both
//! iterations decide as for any other loop whether they touch a common element. Legal where they do
//! not, and where the loop does not write the array; the run tests whether it is sorted.
//!
//! Loops stay that are parallel without it, that carry values, and that kernels cannot hold.

use gridloom_dialects::affine::{self, ForOp, LoadOp};
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::{gpu, memref, scf};
use gridloom_ir::{
    AffineExpr, Body, Builder, Context, InsertPoint, IrMapping, Module, OpId, Value,
};

use super::affine_guard_overflow::{is_fallback, put_under_test};
use super::affine_parallelize::into_parallel;
use super::emit_loops::{MapWithOperands, bound, close};
use super::plans::{Plans, change_by_plans};
use crate::analysis::access::{Access, Place, accesses_of};
use crate::analysis::alias::Globals;
use crate::analysis::budget::root_of_nest;
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::domain::domain;
use crate::analysis::eligible::obstacle;
use crate::analysis::parallel::{distinct_accesses, verdict};
use crate::analysis::system::{Combination, Instance, Statements};
use crate::analysis::values::{AffineValues, Atom};
use crate::target::OffloadOptions;

/// Limit of the ranges in a loop, of which all pairs are compared.
const MAX_RANGES: usize = 6;

/// Limit of the accesses of a loop, of which all pairs are compared.
const MAX_ACCESSES: usize = 60;

/// Parallelizes loops over sorted ranges. Returns whether there were any.
pub fn parallelize_sorted(ctx: &Context, module: &mut Module, options: &OffloadOptions) -> bool {
    change_by_plans(
        ctx,
        module,
        1,
        |body, globals| plan_body(ctx, body, globals, options),
        |plan, body| plan.apply(ctx, body),
    )
}

/// Plan of loops that become parallel where the arrays are sorted.
struct Sorted {
    /// The loops, the outermost first.
    loops: Vec<ForOp>,
    arrays: Vec<Value>,
}

/// Range of an inner loop: from one loaded number to another one of the same array.
pub(super) struct LoadedBounds {
    pub(super) array: Value,
    /// The loads of the bounds, their subscripts, and the bounds.
    loads: [OpId; 2],
    pub(super) subscripts: [AffineExpr; 2],
    bounds: [AffineExpr; 2],
}

fn plan_body(
    ctx: &Context,
    body: &Body,
    globals: &Globals,
    options: &OffloadOptions,
) -> Plans<Sorted> {
    let mut plans = Vec::new();
    if !body.may_hold(scf::FOR) {
        return (plans, false);
    }
    let mut deps = Dependences::new(ctx, body, globals);
    deps.values.reassociate = options.reassociate;
    let mut relied = false;
    let mut stack: Vec<OpId> = body
        .top_blocks()
        .flat_map(|block| body.ops(block))
        .collect();
    while let Some(op) = stack.pop() {
        let is_left = match body[op].name {
            gpu::LAUNCH | scf::PARALLEL | scf::FORALL | affine::PARALLEL => true,
            affine::FOR => is_fallback(body, op) || verdict(&mut deps, op).is_parallel(),
            _ => false,
        };
        if is_left {
            continue;
        }
        if let Some(found) = plan(&mut deps, op, options) {
            relied = true;
            plans.push(found);
            continue;
        }
        for &region in body[op].inline_regions() {
            stack.extend(
                body[region]
                    .blocks
                    .iter()
                    .flat_map(|&block| body.ops(block)),
            );
        }
    }
    let relied = relied && deps.aliases.relied_on_arguments();
    (plans, relied)
}

fn plan(deps: &mut Dependences, op: OpId, options: &OffloadOptions) -> Option<Sorted> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let root = ForOp::cast(body, op).filter(|_| body[op].num_results() == 0)?;
    let has_ranges = |&inner: &OpId| bounds_of_range(body, inner).is_some();
    if !body.walk_op(op).iter().any(has_ranges)
        || obstacle(ctx, body, op, options.target.as_ref()).is_some()
    {
        return None;
    }
    let mut arrays = is_parallel_if_sorted(deps, root)?;
    let mut loops = vec![root];
    let mut last = root;
    while let Some(inner) = loop_of_accesses(body, last) {
        let parallel = body[inner.0].num_results() == 0;
        let found = is_parallel_if_sorted(deps, inner).filter(|_| parallel);
        let Some(found) = found else { break };
        arrays.extend(found);
        loops.push(inner);
        last = inner;
    }
    arrays.sort_unstable();
    arrays.dedup();
    Some(Sorted { loops, arrays })
}

/// The only loop directly in a loop, with nothing beside it that accesses memory.
fn loop_of_accesses(body: &Body, l: ForOp) -> Option<ForOp> {
    let mut inner = body
        .ops(l.block(body))
        .filter(|&op| body[op].num_regions() > 0 || memref::Access::cast(body, op).is_some());
    let found = ForOp::cast(body, inner.next()?)?;
    inner.next().is_none().then_some(found)
}

/// The arrays that must be sorted for the iterations of a loop to be independent.
fn is_parallel_if_sorted(deps: &mut Dependences, l: ForOp) -> Option<Vec<Value>> {
    let accesses = distinct_accesses(deps, l.0);
    if accesses.len() > MAX_ACCESSES || accesses.iter().any(|a| a.place == Place::Anything) {
        return None;
    }
    let body = deps.values.body;
    let below = body.walk_op(l.0).into_iter();
    let found = below.filter_map(|inner| range(&mut deps.values, l, inner));
    let ranges: Vec<LoadedBounds> = found.take(MAX_RANGES).collect();
    let ranges: Vec<LoadedBounds> = (ranges.into_iter())
        .filter(|range| !is_written(deps, l, range, &accesses))
        .collect();
    let mut sorted = Statements::new();
    let mut arrays = Vec::new();
    for first in &ranges {
        for second in &ranges {
            if first.array == second.array && is_ascending(deps, l, first, second) {
                let begin = Combination::of(second.bounds[0], Instance::Second);
                sorted.at_least_zero(begin.plus(-1, first.bounds[1], Instance::First));
                arrays.push(first.array);
            }
        }
    }
    if arrays.is_empty() {
        return None;
    }
    let scope = Scope::AcrossIterations(l.0);
    let mut pairs = accesses
        .iter()
        .flat_map(|a| accesses.iter().map(move |b| (a, b)));
    let are_apart = pairs.all(|(first, second)| {
        let commute = first.update.is_some() && first.update == second.update;
        commute
            || deps
                .test_where(scope, &sorted, first, second)
                .is_independent()
    });
    are_apart.then_some(arrays)
}

/// Whether the loop may write the array of a range.
fn is_written(deps: &mut Dependences, l: ForOp, range: &LoadedBounds, accesses: &[Access]) -> bool {
    let mut loads = Vec::new();
    for load in range.loads {
        accesses_of(&mut deps.values, load, &mut loads);
    }
    let mut writes = accesses.iter().filter(|access| access.is_write);
    let scope = Scope::AnyIterations(l.0);
    writes.any(|write| {
        loads
            .iter()
            .any(|load| deps.may_overlap(scope, load, write))
    })
}

/// Whether the subscript of the upper bound of `first` is at most that of the lower bound of
/// `second` in any later iteration.
fn is_ascending(
    deps: &mut Dependences,
    l: ForOp,
    first: &LoadedBounds,
    second: &LoadedBounds,
) -> bool {
    let values = &mut deps.values;
    let counter = values.atom_expr(Atom::Value(l.induction_var(values.body)));
    let [earlier, later] = [
        domain(values, first.loads[1]),
        domain(values, second.loads[0]),
    ];
    let shared = |values: &AffineValues, atom| {
        !values.block_is_inside(values.atom_block(atom), l.0)
            && !matches!(atom, Atom::Touched(..) | Atom::Lane(..))
    };
    earlier.disjuncts.iter().all(|at_first| {
        later.disjuncts.iter().all(|at_second| {
            let mut statements = Statements::new();
            statements.add_all(at_first, Instance::First);
            statements.add_all(at_second, Instance::Second);
            let offset = Combination::of(counter, Instance::Second);
            statements.at_least_zero(offset.plus(-1, counter, Instance::First).offset(-1));
            let beyond = Combination::of(first.subscripts[1], Instance::First);
            let beyond = beyond.plus(-1, second.subscripts[0], Instance::Second);
            statements.at_least_zero(beyond.offset(-1));
            let system = statements.solve(&deps.values, shared, &[]);
            let work = deps.budgets.of(root_of_nest(deps.values.body, l.0));
            system.is_empty(work).is_yes()
        })
    })
}

/// Matches a loop from one element of an array at the top of the function to another one.
pub(super) fn range(values: &mut AffineValues, l: ForOp, inner: OpId) -> Option<LoadedBounds> {
    let (ctx, body) = (values.ctx, values.body);
    let bounds = bounds_of_range(body, inner)?;
    let loads = bounds.map(|bound| loaded(body, bound));
    let [Some(lower), Some(upper)] = loads else {
        return None;
    };
    let loads = [lower, upper];
    let array = LoadOp(lower).memref(body);
    let ty = body.ty(array).memref(ctx)?;
    let is_at_top = body
        .value_block(array)
        .is_some_and(|at| body.block_parent_op(at).is_none());
    let is_inside = loads.iter().all(|&load| body.is_ancestor(l.0, load));
    if LoadOp(upper).memref(body) != array
        || ty.rank() != 1
        || ty.layout.is_some()
        || !is_at_top
        || !is_inside
    {
        return None;
    }
    let mut subscript = |load: OpId| {
        let access = affine::Access::cast(body, load)?;
        let found = values.map_exprs(load, access.map(ctx, body), access.operands(body));
        let env = values.environment_at(load);
        let subscript = (*found.first()?)?;
        values.fits(subscript, env).then_some(subscript)
    };
    let subscripts = [subscript(lower)?, subscript(upper)?];
    Some(LoadedBounds {
        array,
        loads,
        subscripts,
        bounds: bounds.map(|bound| values.expr(bound)),
    })
}

/// The bounds of an `scf.for` that are both loaded numbers.
fn bounds_of_range(body: &Body, inner: OpId) -> Option<[Value; 2]> {
    let inner = scf::ForOp::cast(body, inner)?;
    let bounds = [inner.lower(body), inner.upper(body)];
    let are_loaded = bounds.iter().all(|&bound| loaded(body, bound).is_some());
    are_loaded.then_some(bounds)
}

/// The affine load of a number, or of the integer that it is cast from with its sign.
fn loaded(body: &Body, value: Value) -> Option<OpId> {
    let mut op = body.defining_op(value)?;
    if body[op].name == arith::INDEX_CAST {
        op = body.defining_op(*body[op].operands.first()?)?;
    }
    (body[op].name == affine::LOAD).then_some(op)
}

impl Sorted {
    fn apply(&self, ctx: &Context, body: &mut Body) {
        let root = self.loops[0].0;
        let mut b = Builder::before(ctx, body, root);
        let tests: Vec<Value> = self
            .arrays
            .iter()
            .map(|&array| is_sorted(&mut b, array))
            .collect();
        let all = { tests.into_iter() }.reduce(|x, y| b.binary(arith::ANDI, x, y));
        let Some(condition) = all else { return };
        // The copy is the sequential version.
        let copy = b.body.clone_op(root, &mut IrMapping::new());
        put_under_test(&mut b, condition, root, copy);
        for &l in self.loops.iter().rev() {
            into_parallel(ctx, body, l);
        }
    }
}

/// Emits the test that no element of an array is greater than the next one.
fn is_sorted(b: &mut Builder, array: Value) -> Value {
    let ctx = b.ctx;
    let size = {
        let zero = b.index_constant(0);
        let ty = ctx.index_type();
        b.unary(memref::DIM, &[array, zero], ty)
    };
    let last = ctx.affine_add(ctx.affine_symbol(0), ctx.affine_const(-1));
    let ends = [
        (ctx.constant_map(0), Vec::new()),
        (ctx.affine_map(0, 1, &[last]), vec![size]),
    ];
    ascends(b, &ends, |b, counter, offset| {
        let at = ctx.affine_add(ctx.affine_dim(0), ctx.affine_const(offset));
        LoadOp::create(b, array, ctx.affine_map(1, 0, &[at]), &[counter])
    })
}

/// Emits the test that no number of a sequence is greater than the next one, for counters between `ends`. `number` emits the
/// one so many places behind that of a counter.
pub(super) fn ascends(
    b: &mut Builder,
    ends: &[MapWithOperands; 2],
    number: impl Fn(&mut Builder, Value, i64) -> Value,
) -> Value {
    let ctx = b.ctx;
    let is_true = b.constant(ctx.bool_attr(true), ctx.int_type(1));
    let l = ForOp::create(b, bound(&ends[0]), bound(&ends[1]), 1, &[is_true]);
    b.set(InsertPoint::End(l.block(b.body)));
    let (counter, so_far) = (l.induction_var(b.body), l.iter_args(b.body)[0]);
    let [here, there] = [0, 1].map(|offset| number(b, counter, offset));
    let ascends = CmpIOp::create(b, CmpIPredicate::Sle, here, there);
    let all = b.binary(arith::ANDI, so_far, ascends);
    close(b, l, &[all])[0]
}
