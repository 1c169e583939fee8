//! `affine-collapse-open-dimensions`: collapses dimensions whose sizes only the run knows, in a version of the function for
//! arguments whose sizes agree.
//!
//! ```text
//! func.func @f(%a, %b) {                         func.func @f(%a, %b) {
//!   affine.for %c = 0 to %n {                      %ok = dim(%b, 2) == dim(%a, 2) and dim(%b, 1) >= dim(%a, 1)
//!     affine.for %i = 0 to dim(%a, 1) {            scf.if %ok {
//!       affine.for %j = 0 to dim(%a, 2) {            %x = memref.collapse_shape %a [[0], [1, 2]]
//!         … %a[%c, %i, %j] … %b[%c, %i, %j]          %y = memref.collapse_shape %b [[0], [1, 2]]
//!       }                                            func.call @f__collapsed(%x, %y)
//!     }                                    ⇒       } else {
//!   }                                                func.call @f__uncollapsed(%a, %b)
//! }                                                }
//!                                                }
//!                                                func.func private @f__collapsed(%a, %b) {
//!                                                  affine.for %c = 0 to %n {
//!                                                    affine.for %t = 0 to dim(%a, 1) { … %a[%c, %t] … %b[%c, %t] }
//!                                                  }
//!                                                }
//! ```
//!
//! The images of a batch and their channels are long rows then, where rows of 29 pixels leave tiles half empty.
//!
//! Legal where the conditions on constant sizes hold, which the run tests for each array: its inner dimension is as long as the
//! inner loop, and its outer one no shorter than the outer loop, whose end is not negative; so the numbers of iterations
//! multiply to no more than the array has elements. Pure operations at the top of the function compute the bounds from
//! arguments, and nothing but accesses and `memref.dim` mentions the arrays, all arguments. Done in nests of three loops and
//! more: tiles of two dimensions fit two loops as well.

use std::collections::{HashMap, HashSet};

use gridloom_dialects::affine::{self, Bound, ForOp};
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::memref::{self, DimOp};
use gridloom_ir::{Body, Builder, Context, Module, OpId, Value};

use super::{MAX_ROUNDS, Pair, Plan, Sizes, Trips, collapse, redirect};
use crate::analysis::reduction::hands_on;
use crate::target::OffloadOptions;
use crate::transform::affine_loop_coalescing::perfect_inner;
use crate::transform::argument_versions::{
    ArgumentVersions, candidates, is_computed_from_arguments,
};

/// Suffixes of the names of the versions.
const SUFFIXES: [&str; 2] = ["__collapsed", "__uncollapsed"];

/// Gives functions of a module versions with collapsed dimensions. Returns whether it did.
pub fn collapse_open_dimensions(
    ctx: &Context,
    module: &mut Module,
    options: &OffloadOptions,
) -> bool {
    // Whoever launches kernels alone expects one for a nest.
    if options.only_kernels {
        return false;
    }
    let mut changed = false;
    for function in candidates(ctx, module) {
        let body = module.body()[function].isolated();
        if let Some(Versions { both, .. }) = body.and_then(|body| Versions::of(ctx, body)) {
            changed |= both.install(ctx, module, function, SUFFIXES).is_some();
        }
    }
    changed
}

/// The pairs of loops of a function that may become one where the run finds that sizes agree, outermost first.
pub(super) fn pairs_of(ctx: &Context, body: &Body) -> Vec<Pair> {
    let loops = body.walk().into_iter();
    let pairs = loops.filter_map(|op| {
        let outer = ForOp::cast(body, op)?;
        let inner = perfect_inner(body, outer)?;
        let is_for = |op: OpId| body[op].name == affine::FOR;
        let is_inside = body.parent_op(op).is_some_and(is_for);
        if !is_inside && !body.ops(inner.block(body)).any(is_for) {
            return None;
        }
        // What nothing uses has no array that bounds the product of the trip counts.
        let counter = inner.induction_var(body);
        let below = body.walk_op(inner.0).into_iter();
        let mut users = below.filter(|&op| body[op].operands.contains(&counter));
        users.next()?;
        let trips = [trips_of(ctx, body, outer)?, trips_of(ctx, body, inner)?];
        let is_open = trips.iter().any(|trips| matches!(trips, Trips::Open(_)));
        (is_open && hands_on(ctx, body, outer, inner)).then_some(Pair {
            outer,
            inner,
            trips,
        })
    });
    pairs.collect()
}

/// The trip count of a loop from 0 by 1, which is a constant or computed at the top of the function.
fn trips_of(ctx: &Context, body: &Body, l: ForOp) -> Option<Trips> {
    if l.constant_lower(ctx, body) != Some(0) || l.step(ctx, body) != 1 {
        return None;
    }
    if let Some(end) = l.constant_upper(ctx, body) {
        return (end > 0).then_some(Trips::Constant(end));
    }
    let upper = l.upper(ctx, body);
    let is_value = upper.map == ctx.identity_map(1) || upper.map == ctx.symbol_map();
    match upper.operands {
        &[end] if is_value && is_computed_from_arguments(body, end) => Some(Trips::Open(end)),
        _ => None,
    }
}

/// The arrays that are no arguments, or that anything but accesses and `memref.dim` of a constant dimension mentions.
pub(super) fn memory_in_other_use(
    ctx: &Context,
    body: &Body,
    arrays: &HashMap<Value, Vec<bool>>,
) -> Vec<Value> {
    let is_argument =
        |array: Value| body.defining_op(array).is_none() && body.value_block(array) == body.entry();
    let mut found: Vec<Value> = arrays.keys().copied().collect();
    found.retain(|&array| !is_argument(array));
    for op in body.walk() {
        let is_harmless = matches!(body[op].name, affine::LOAD | affine::STORE)
            || size_of(ctx, body, op).is_some();
        if !is_harmless {
            let operands = body[op].operands.iter();
            found.extend(operands.filter(|value| arrays.contains_key(value)));
        }
    }
    found
}

/// The memref and the constant dimension of a `memref.dim`.
fn size_of(ctx: &Context, body: &Body, op: OpId) -> Option<(Value, usize)> {
    if body[op].name != memref::DIM {
        return None;
    }
    let dim = arith::constant_int(ctx, body, DimOp(op).index(body))?;
    Some((DimOp(op).source(body), usize::try_from(dim).ok()?))
}

/// The versions of a function while they are made, with collapsed dimensions and as it was.
struct Versions {
    both: ArgumentVersions,
    /// Values of the dispatcher for those that only the collapsed version has; others are the same in both.
    names: HashMap<Value, Value>,
}

impl Versions {
    fn of(ctx: &Context, body: &Body) -> Option<Versions> {
        let mut plan = Plan::of(ctx, body, Sizes::Open);
        if plan.joined.is_empty() {
            return None;
        }
        let mut versions = Versions {
            both: ArgumentVersions::of(body)?,
            names: HashMap::new(),
        };
        for _ in 0..MAX_ROUNDS {
            versions.test(ctx, &plan);
            versions.apply(ctx, &plan)?;
            plan = Plan::of(ctx, &versions.both.version, Sizes::Open);
            if plan.joined.is_empty() {
                break;
            }
        }
        Some(versions)
    }

    /// The number of an argument of the collapsed version.
    fn argument(&self, value: Value) -> Option<usize> {
        let args = &self.both.version[self.both.version.entry()?].args;
        args.iter().position(|&arg| arg == value)
    }

    /// The value of the dispatcher for one of the collapsed version.
    fn name(&self, value: Value) -> Value {
        match self.argument(value) {
            Some(number) => self.both.passed[number],
            None => self.names.get(&value).copied().unwrap_or(value),
        }
    }

    fn name_of(&self, trips: Trips) -> Trips {
        match trips {
            Trips::Open(value) => Trips::Open(self.name(value)),
            Trips::Constant(_) => trips,
        }
    }

    /// Emits the tests of a round in the dispatcher.
    fn test(&mut self, ctx: &Context, plan: &Plan) {
        let mut done: HashSet<(Value, usize, usize)> = HashSet::new();
        for access in &plan.accesses {
            for (dim, pair) in access.pairs.iter().enumerate() {
                let Some(pair) = pair.filter(|&pair| done.insert((access.memref, dim, pair)))
                else {
                    continue;
                };
                let [outer, inner] = plan.pairs[pair].trips;
                self.compare(ctx, CmpIPredicate::Eq, inner, (access.memref, dim + 1));
                self.compare(ctx, CmpIPredicate::Sle, outer, (access.memref, dim));
                self.test_sign(ctx, outer);
            }
        }
    }

    /// Emits the comparison of a trip count with the size of a dimension, unless both are known or one.
    fn compare(
        &mut self,
        ctx: &Context,
        predicate: CmpIPredicate,
        trips: Trips,
        (array, dim): (Value, usize),
    ) {
        let shape = self.both.version.ty(array).memref(ctx).map(|ty| &ty.shape);
        let size = shape.and_then(|shape| shape.get(dim).copied());
        let holds = match trips {
            Trips::Constant(trips) if predicate == CmpIPredicate::Eq => size == Some(trips),
            Trips::Constant(trips) => size.is_some_and(|size| trips <= size),
            Trips::Open(value) => {
                let def = self.both.version.defining_op(value);
                let size = def.and_then(|def| size_of(ctx, &self.both.version, def));
                size == Some((array, dim))
            }
        };
        if !holds {
            let (array, trips) = (self.name(array), self.name_of(trips));
            self.both.require(ctx, |b| {
                let trips = trips.emit(b);
                let dim = b.index_constant(dim as i64);
                let size = DimOp::create(b, array, dim);
                CmpIOp::create(b, predicate, trips, size)
            });
        }
    }

    /// Emits the test that a trip count is not negative, unless it is a size.
    fn test_sign(&mut self, ctx: &Context, trips: Trips) {
        let Trips::Open(value) = trips else { return };
        let def = self.both.version.defining_op(value);
        if def.is_none_or(|def| self.both.version[def].name != memref::DIM) {
            let value = self.name(value);
            self.both.require(ctx, |b| {
                let zero = b.index_constant(0);
                CmpIOp::create(b, CmpIPredicate::Sge, value, zero)
            });
        }
    }

    /// Collapses the dimensions of a round, and joins its loops.
    fn apply(&mut self, ctx: &Context, plan: &Plan) -> Option<()> {
        let sizes = self.both.version.walk().into_iter();
        let sizes = sizes.filter_map(|op| Some((op, size_of(ctx, &self.both.version, op)?)));
        let sizes: Vec<(OpId, (Value, usize))> = sizes.collect();
        let ends = plan.pairs.iter().map(|pair| self.end(ctx, plan, pair));
        let ends: Vec<Value> = ends.collect::<Option<_>>()?;
        for (pair, &end) in plan.pairs.iter().zip(&ends) {
            let bound = Bound {
                map: ctx.symbol_map(),
                operands: &[end],
            };
            pair.join(ctx, &mut self.both.version, bound);
        }
        for (array, dims) in &plan.joined {
            let number = self.argument(*array)?;
            self.replace_sizes(ctx, &sizes, *array, dims)?;
            let view = collapse(
                ctx,
                &mut self.both.dispatcher,
                self.both.passed[number],
                dims,
            )?;
            self.both.passed[number] = view;
            self.both
                .version
                .set_type(*array, self.both.dispatcher.ty(view));
            let accesses = plan.accesses.iter();
            for access in accesses.filter(|access| access.memref == *array) {
                redirect(ctx, &mut self.both.version, access.op, *array, dims);
            }
        }
        Some(())
    }

    /// Emits the trip count of the loop that a pair becomes, in both bodies: the size of an array, where one has the sizes of both loops.
    fn end(&mut self, ctx: &Context, plan: &Plan, pair: &Pair) -> Option<Value> {
        let size = |trips: Trips| match trips {
            Trips::Open(value) => {
                let def = self.both.version.defining_op(value)?;
                size_of(ctx, &self.both.version, def)
            }
            Trips::Constant(_) => None,
        };
        let whole = plan.joined.iter().find_map(|(array, dims)| {
            let sizes = [size(pair.trips[0])?, size(pair.trips[1])?];
            let mut dims = dims.iter().enumerate();
            let joined = dims.find(|&(_, &dim)| sizes == [(*array, dim), (*array, dim + 1)]);
            joined.map(|(in_front, dim)| (*array, dim - in_front))
        });
        let counts = pair.trips.map(|trips| self.name_of(trips));
        let top = self.both.version.ancestors(pair.outer.0).last();
        let mut b = Builder::before(ctx, &mut self.both.version, top.unwrap_or(pair.outer.0));
        let end = match whole {
            Some((array, dim)) => {
                let dim = b.index_constant(dim as i64);
                DimOp::create(&mut b, array, dim)
            }
            None => product(&mut b, pair.trips),
        };
        let name = product(&mut self.both.at_end(ctx)?, counts);
        self.names.insert(end, name);
        Some(end)
    }

    /// Replaces the sizes of an array in the collapsed version: those of dimensions that join by arguments.
    fn replace_sizes(
        &mut self,
        ctx: &Context,
        sizes: &[(OpId, (Value, usize))],
        array: Value,
        joined: &[usize],
    ) -> Option<()> {
        let entry = self.both.version.entry()?;
        let whole = self.name(array);
        let uses = self.both.version.uses();
        for &(op, (_, dim)) in sizes.iter().filter(|(_, (of, _))| *of == array) {
            let old = self.both.version[op].result(0);
            if uses.of(old).is_empty() {
                self.both.version.erase(op);
                continue;
            }
            let mut b = self.both.at_end(ctx)?;
            let number = b.index_constant(dim as i64);
            let name = DimOp::create(&mut b, whole, number);
            let joins = joined.iter().any(|&first| first == dim || first + 1 == dim);
            let new = if joins {
                self.both.passed.push(name);
                let (ty, loc) = (ctx.index_type(), self.both.version[op].loc);
                self.both.version.add_argument(entry, ty, loc)
            } else {
                let in_front = joined.iter().filter(|&&first| first < dim).count();
                let mut b = Builder::before(ctx, &mut self.both.version, op);
                let dim = b.index_constant((dim - in_front) as i64);
                let new = DimOp::create(&mut b, array, dim);
                self.names.insert(new, name);
                new
            };
            self.both.version.replace_uses(old, new);
            self.both.version.erase(op);
        }
        Some(())
    }
}

/// Emits the product of two trip counts.
fn product(b: &mut Builder, counts: [Trips; 2]) -> Value {
    let [outer, inner] = counts.map(|count| count.emit(b));
    b.binary(arith::MULI, outer, inner)
}

impl Trips {
    fn emit(self, b: &mut Builder) -> Value {
        match self {
            Trips::Constant(trips) => b.index_constant(trips),
            Trips::Open(value) => value,
        }
    }
}
