//! `coalesce-sorted-ranges`: makes one loop of a nest over ranges between the numbers of a sorted array, such as
//! the rows of a sparse matrix.
//!
//! ```text
//!                                        %lo, %hi = %rows[%m], %rows[%n], or 0, 0 if there is no range
//!                                        scf.if %rows is sorted, %hi - %lo within limits {
//! affine.for %i = %m to %n {               affine.parallel (%i) = (%m) to (%n) {
//!   %l = affine.load %rows[%i]               scf.for %p = %rows[%i] to %rows[%i + 1] { %of[%p - %lo] = %i }
//!   %u = affine.load %rows[%i + 1]         }
//!   scf.for %p = %l to %u step %c1 {  ⇒    affine.for %p = %lo to %hi {
//!     S(%i, %p)                              %i = %of[%p - %lo]
//!   }                                        S(%i, %p)
//! }                                        }
//!                                        } else {
//!                                          the nest as it is
//!                                        }
//! ```
//!
//! Of a sorted array, the ranges follow each other without a gap, so that iterations come in the order of the nest.
//! Legal whatever they compute, where they write neither the array nor what is loaded between the loops.
//!
//! Done where `affine-parallelize-ranks` or `affine-parallelize-scatters` parallelizes the one loop, as in the
//! transposition of a sparse matrix.

use gridloom_dialects::affine::{ApplyOp, ForOp, LoadOp};
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate, constant_int};
use gridloom_dialects::{memref, scf};
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{Body, Builder, Context, InsertPoint, IrMapping, Module, OpId, Value};
use gridloom_rewrite::effects::{Effect, effect_of};

use super::affine_guard_overflow::{is_fallback, put_under_test};
use super::affine_parallelize::into_parallel;
use super::affine_parallelize_ranks::{UNKNOWN_SPAN, counters_to_test};
use super::affine_parallelize_scatters::{is_parallelized_by_scatters, scatters_below};
use super::emit_loops::{bound, close, go_behind, open_like, owned};
use super::lower_affine::lower_affine_below;
use super::numbered_nest::number_of_elements;
use super::parallelize_sorted_ranges::{LoadedBounds, ascends, range};
use super::plans::{Plans, change_by_plans};
use crate::analysis::access::{Place, accesses_below, accesses_of};
use crate::analysis::alias::Globals;
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::parallel::{MAX_ACCESSES, verdict};
use crate::analysis::values::{AffineValues, Atom};
use crate::target::OffloadOptions;

/// Limit of the iterations of the one loop, each of which takes an element of an array.
const MOST_ITERATIONS: i64 = 1 << 27;

/// Default least number of iterations of the one loop, whose ten launches and more cost as much as some ten thousands
/// on the host.
pub const MIN_ITERATIONS: u32 = 1 << 16;

/// Coalesces nests over sorted ranges in the host functions of a module, which run as they are where there are fewer
/// than `min_iterations`. Returns whether there were any.
pub fn coalesce_sorted(
    ctx: &Context,
    module: &mut Module,
    options: &OffloadOptions,
    min_iterations: u32,
) -> bool {
    change_by_plans(
        ctx,
        module,
        1,
        |body, globals| plan_body(ctx, body, globals, options),
        |nest, body| {
            nest.apply(ctx, body, min_iterations);
        },
    )
}

/// Nest over the ranges of an array.
struct RangeNest {
    root: ForOp,
    inner: scf::ForOp,
    array: Value,
    /// Number that the subscript of a range's begin exceeds the outer counter by.
    offset: i64,
    /// Arrays that have to be of at most [`UNKNOWN_SPAN`] elements for the one loop to be worth it.
    counters: Vec<Value>,
}

fn plan_body(
    ctx: &Context,
    body: &Body,
    globals: &Globals,
    options: &OffloadOptions,
) -> Plans<RangeNest> {
    if !body.may_hold(scf::FOR) || !body.may_hold(memref::STORE) {
        return (Vec::new(), false);
    }
    let mut deps = Dependences::new(ctx, body, globals);
    let mut nests = Vec::new();
    // Bounds of the one loop have to be symbols, which are values at the top of a function.
    for op in body.top_blocks().flat_map(|block| body.ops(block)) {
        let nest = ForOp::cast(body, op).and_then(|root| nest_of(&mut deps, root));
        nests.extend(nest.and_then(|nest| nest.tested(ctx, body, globals, options)));
    }
    let relied = !nests.is_empty() && deps.aliases.relied_on_arguments();
    (nests, relied)
}

/// Matches a nest that may be coalesced where its array is sorted.
fn nest_of(deps: &mut Dependences, root: ForOp) -> Option<RangeNest> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let bounds = [root.lower(ctx, body), root.upper(ctx, body)];
    let is_candidate = body[root.0].num_results() == 0
        && root.step(ctx, body) == 1
        && bounds.iter().all(|bound| bound.map.results(ctx).len() == 1)
        && !is_fallback(body, root.0)
        && !scatters_below(ctx, body, root).is_empty()
        && !verdict(deps, root.0).is_parallel();
    if !is_candidate {
        return None;
    }
    let statements = root.statements(body);
    let mut loops = statements
        .iter()
        .filter_map(|&op| scf::ForOp::cast(body, op));
    let inner = loops.next()?;
    let found = range(&mut deps.values, root, inner.0)?;
    let offset = offset_of(&mut deps.values, root, &found)?;
    let is_plain = body[inner.0].num_results() == 0
        && body.ty(inner.lower(body)) == ctx.index_type()
        && constant_int(ctx, body, inner.step(body)) == Some(1)
        && !inner.is_unsigned(ctx, body);
    let between: Vec<OpId> = (statements.into_iter())
        .filter(|&op| op != inner.0)
        .collect();
    (is_plain && can_move(deps, root, inner.0, &between)).then_some(RangeNest {
        root,
        inner,
        array: found.array,
        offset,
        counters: Vec::new(),
    })
}

/// The constant `c` of a range between the elements `%i + c` and `%i + c + 1`.
fn offset_of(values: &mut AffineValues, root: ForOp, range: &LoadedBounds) -> Option<i64> {
    let ctx = values.ctx;
    let counter = values.atom_expr(Atom::Value(root.induction_var(values.body)));
    let offsets = { range.subscripts }.map(|at| ctx.affine_sub(at, counter).as_constant(ctx));
    let [Some(begin), Some(end)] = offsets else {
        return None;
    };
    (begin.checked_add(1) == Some(end)).then_some(begin)
}

/// Whether the operations between two loops give the same values at the start of each iteration of the inner one:
/// they have no effect, and load nothing that the inner loop writes.
fn can_move(deps: &mut Dependences, root: ForOp, inner: OpId, between: &[OpId]) -> bool {
    let body = deps.values.body;
    let has_effect = |&op: &OpId| {
        body[op].num_regions() > 0 || !matches!(effect_of(body, op), Effect::None | Effect::Reads)
    };
    if between.iter().any(has_effect) {
        return false;
    }
    let mut loads = Vec::new();
    for &op in between {
        accesses_of(&mut deps.values, op, &mut loads);
    }
    let accesses = accesses_below(&mut deps.values, inner);
    if accesses.len() > MAX_ACCESSES || accesses.iter().any(|a| a.place == Place::Anything) {
        return false;
    }
    let scope = Scope::AnyIterations(root.0);
    let mut writes = accesses.iter().filter(|access| access.is_write);
    writes.all(|write| {
        loads
            .iter()
            .all(|load| !deps.may_overlap(scope, load, write))
    })
}

impl RangeNest {
    /// The nest with the tests that it needs; `None` if no later pass parallelizes the one loop.
    fn tested(
        self,
        ctx: &Context,
        body: &Body,
        globals: &Globals,
        options: &OffloadOptions,
    ) -> Option<Self> {
        let mut trial = body.clone();
        let one = self.apply(ctx, &mut trial, MIN_ITERATIONS);
        let uses = trial.uses();
        let mut deps = Dependences::new(ctx, &trial, globals);
        let counters = counters_to_test(&mut deps, &uses, one, options)
            .or_else(|| is_parallelized_by_scatters(&mut deps, one, options).then(Vec::new))?;
        Some(RangeNest { counters, ..self })
    }

    /// Replaces the nest. Returns the one loop.
    fn apply(&self, ctx: &Context, body: &mut Body, min_iterations: u32) -> ForOp {
        let root = self.root.0;
        let mut b = Builder::before(ctx, body, root);
        let [first, last] = self.ends(&mut b);
        let size = b.binary(arith::SUBI, last, first);
        let mut tests = vec![
            (size, CmpIPredicate::Sge, min_iterations.into()),
            (size, CmpIPredicate::Sle, MOST_ITERATIONS),
        ];
        for &counter in &self.counters {
            let elements = number_of_elements(&mut b, counter);
            tests.push((elements, CmpIPredicate::Sle, UNKNOWN_SPAN));
        }
        let tests = tests.into_iter().map(|(value, order, limit)| {
            let limit = b.index_constant(limit);
            CmpIOp::create(&mut b, order, value, limit)
        });
        let tests: Vec<Value> = tests.collect();
        let tests = { tests.into_iter() }.reduce(|all, one| b.binary(arith::ANDI, all, one));
        let condition = tests.map(|worth| self.is_sorted(&mut b, worth));
        let Some(condition) = condition else {
            return self.root;
        };
        let copy = b.body.clone_op(root, &mut IrMapping::new());
        put_under_test(&mut b, condition, root, copy);
        lower_affine_below(ctx, body, root);
        let mut b = Builder::before(ctx, body, root);
        let ty = ctx.memref_type(&[DYNAMIC], ctx.index_type());
        let numbers = memref::AllocOp::create(&mut b, ty, &[size]);
        self.number(&mut b, numbers, first);
        let one = self.one_loop(&mut b, numbers, [first, last]);
        b.create(b.state(memref::DEALLOC).operands(&[numbers]));
        body.erase(root);
        one
    }

    /// Emits whether the numbers of the ranges ascend, which is asked only where `worth` holds.
    fn is_sorted(&self, b: &mut Builder, worth: Value) -> Value {
        let ctx = b.ctx;
        let flag = ctx.int_type(1);
        let test = scf::IfOp::create(b, worth, &[flag], true);
        let then = test.then_block(b.body);
        b.set(InsertPoint::End(then));
        let ends = [self.root.lower(ctx, b.body), self.root.upper(ctx, b.body)].map(owned);
        let all = ascends(b, &ends, |b, at, behind| {
            self.number_of_array(b, at, behind)
        });
        scf::yield_values(b, then, &[all]);
        if let Some(block) = test.else_block(b.body) {
            b.set(InsertPoint::End(block));
            let is_false = b.constant(ctx.bool_attr(false), flag);
            scf::yield_values(b, block, &[is_false]);
        }
        go_behind(b, test.0);
        b.body[test.0].result(0)
    }

    /// Emits the begin of the first range and the end of the last one, 0 and 0 if there is no range.
    fn ends(&self, b: &mut Builder) -> [Value; 2] {
        let ctx = b.ctx;
        let (lower, upper) = (self.root.lower(ctx, b.body), self.root.upper(ctx, b.body));
        let [lower, upper] = [lower, upper]
            .map(owned)
            .map(|(map, operands)| ApplyOp::create(b, map, &operands));
        let is_any = CmpIOp::create(b, CmpIPredicate::Slt, lower, upper);
        let index = ctx.index_type();
        let test = scf::IfOp::create(b, is_any, &[index, index], true);
        let blocks = [Some(test.then_block(b.body)), test.else_block(b.body)];
        for (block, is_any) in blocks.into_iter().zip([true, false]) {
            let Some(block) = block else { continue };
            b.set(InsertPoint::End(block));
            let ends = [lower, upper].map(|at| match is_any {
                true => self.number_of_array(b, at, 0),
                false => b.index_constant(0),
            });
            scf::yield_values(b, block, &ends);
        }
        go_behind(b, test.0);
        [0, 1].map(|number| b.body[test.0].result(number))
    }

    /// Emits the load of the number that begins the range `behind` ranges behind that of an outer counter.
    fn number_of_array(&self, b: &mut Builder, at: Value, behind: i64) -> Value {
        let ctx = b.ctx;
        let subscript = ctx.affine_add(ctx.affine_dim(0), ctx.affine_const(self.offset + behind));
        let found = LoadOp::create(b, self.array, ctx.affine_map(1, 0, &[subscript]), &[at]);
        let ty = ctx.index_type();
        match b.body.ty(found) == ty {
            true => found,
            false => b.unary(arith::INDEX_CAST, &[found], ty),
        }
    }

    /// Emits the loop that stores the outer counter for each iteration of the inner loop.
    fn number(&self, b: &mut Builder, numbers: Value, first: Value) {
        let (ctx, one) = (b.ctx, b.index_constant(1));
        let outer = open_like(b, self.root, &mut IrMapping::new(), &[]);
        let counter = outer.induction_var(b.body);
        let [begin, end] = [0, 1].map(|behind| self.number_of_array(b, counter, behind));
        let inner = scf::ForOp::create(b, begin, end, one, &[]);
        b.set(InsertPoint::End(inner.block(b.body)));
        let place = b.binary(arith::SUBI, inner.induction_var(b.body), first);
        memref::StoreOp::create(b, counter, numbers, &[place]);
        let block = inner.block(b.body);
        scf::yield_values(b, block, &[]);
        go_behind(b, inner.0);
        close(b, outer, &[]);
        into_parallel(ctx, b.body, outer);
    }

    /// Emits the one loop, from the nest with its affine operations lowered.
    fn one_loop(&self, b: &mut Builder, numbers: Value, [first, last]: [Value; 2]) -> ForOp {
        let ctx = b.ctx;
        let symbol = ctx.affine_map(0, 1, &[ctx.affine_symbol(0)]);
        let ends = [first, last].map(|end| (symbol, vec![end]));
        let one = ForOp::create(b, bound(&ends[0]), bound(&ends[1]), 1, &[]);
        b.set(InsertPoint::End(one.block(b.body)));
        let counter = one.induction_var(b.body);
        let distance = ctx.affine_sub(ctx.affine_dim(0), ctx.affine_symbol(0));
        let place = ctx.affine_map(1, 1, &[distance]);
        let number = LoadOp::create(b, numbers, place, &[counter, first]);
        let mut names = IrMapping::new();
        names.map(self.root.induction_var(b.body), number);
        names.map(self.inner.induction_var(b.body), counter);
        let mut copied = self.root.statements(b.body);
        copied.retain(|&op| op != self.inner.0);
        copied.extend(b.body.without_terminator(self.inner.block(b.body)));
        b.insert_copies(&copied, &mut names);
        close(b, one, &[]);
        one
    }
}
