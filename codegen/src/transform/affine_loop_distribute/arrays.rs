//! Array expansion of private arrays: an array that each iteration of a parallel loop has for itself
//! becomes a part of one array, so that the loop can be distributed over the nests that use it.
//!
//! ```text
//! affine.for %b = 0 to 6 {                   %u = memref.alloc() : memref<6x48x48xf32>
//!   %t = memref.alloca()                     affine.for %b = 0 to 6 {
//!     : memref<48x48xf32>                      affine.for %i … affine.store %x, %u[%b, %i, %j]
//!   affine.for %i …                          }
//!     affine.store %x, %t[%i, %j]      ⇒     affine.for %b = 0 to 6 {
//!   affine.for %i …                            affine.for %i … affine.load %u[%b, %j, %i]
//!     affine.load %t[%j, %i]                 }
//! }
//! ```
//!
//! P. Feautrier, "Array expansion", 1988. A loop of few iterations, such as one over the images of a
//! batch, fills no device: a thread would run all nests of its iteration, one after the other, with the
//! array in memory of its own. Distributed, each nest is a grid.
//!
//! Legal where the loop and all around it are parallel, from 0 to a constant, and the arrays, of static
//! sizes, are only loaded from and stored to by affine accesses and freed: each iteration has its own
//! part. Done where the loops around have too few iterations for a device and the deepest nest has a
//! parallel loop of its own, and more iterations than a launch is worth.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_ir::affine::AffineOp;
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{AffineExpr, Body, Context, OpId, Value};

use super::{closure, has_parallel_loop, loop_depth, split};
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::loop_kind::is_affine_loop;
use crate::analysis::parallel::verdict;
use crate::transform::affine_privatize::{Temporary, temporary};
use crate::transform::array_parts::Part;
use crate::transform::auxiliary_arrays::{Extent, allocate, can_hold};

/// Iterations from which the loops around fill a device, with the arrays in memory of its threads.
const FULL: i64 = 128;

/// Iterations of the deepest nest that are worth a launch for each nest, where the number is known.
const MIN_STEPS: u64 = 1 << 8;

/// Most elements of an expanded array.
const MAX_ELEMENTS: i64 = 1 << 24;

/// Private arrays of a loop that are to be expanded.
pub(super) struct PrivateArrays {
    arrays: Vec<Temporary>,
    /// The loop and those around it, outermost first.
    around: Vec<ForOp>,
    /// Trip counts of these loops, the extents of the arrays' added dimensions.
    trips: Vec<i64>,
}

/// The pieces of a parallel loop, and the private arrays that pass values between them; [`None`] where
/// there is no such array, or they stay.
pub(super) fn plan_arrays(
    deps: &mut Dependences,
    op: ForOp,
    statements: &[OpId],
) -> Option<(Vec<Vec<OpId>>, PrivateArrays)> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let uses = deps.values.uses();
    let arrays = statements.iter();
    let arrays: Vec<Temporary> = arrays
        .filter_map(|&op| temporary(ctx, body, &uses, op))
        .collect();
    let (around, trips) = loops_around(deps, op).filter(|_| !arrays.is_empty())?;
    let iterations = product(&trips)?;
    let is_expandable = |array: &Temporary| {
        let mut accesses = array.accesses.iter();
        let ty = body.ty(body[array.op].result(0)).memref(ctx);
        ty.is_some_and(|ty| {
            let elements = ty.num_elements().and_then(|n| n.checked_mul(iterations));
            elements.is_some_and(|n| n <= MAX_ELEMENTS)
                && ty.space.is_none()
                && can_hold(ctx, ty.element)
        }) && accesses.all(|access| affine::Access::cast(body, access).is_some())
    };
    if iterations >= FULL || !arrays.iter().all(is_expandable) {
        return None;
    }
    let gone = arrays.iter().flat_map(|a| a.frees.iter().chain([&a.op]));
    let gone: Vec<OpId> = gone.copied().collect();
    let statements: Vec<OpId> = statements
        .iter()
        .copied()
        .filter(|s| !gone.contains(s))
        .collect();
    let runs = split(body, &statements);
    let deepest = statements.iter().copied();
    let deepest = deepest.max_by_key(|&s| loop_depth(body, s))?;
    let is_long = steps(ctx, body, deepest).is_none_or(|steps| steps >= MIN_STEPS);
    if runs.len() < 2 || !is_long || !has_parallel_loop(deps, deepest) {
        return None;
    }
    let scope = Scope::Block(op.block(body));
    let pieces = runs.iter().map(|run| closure(deps, op, run, &gone, scope));
    let pieces = pieces.collect::<Option<_>>()?;
    Some((
        pieces,
        PrivateArrays {
            arrays,
            around,
            trips,
        },
    ))
}

/// A loop and those around it, outermost first, with their trip counts; [`None`] unless all are
/// parallel and count from 0 to a constant.
fn loops_around(deps: &mut Dependences, op: ForOp) -> Option<(Vec<ForOp>, Vec<i64>)> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let mut around = vec![op];
    for outer in body
        .ancestors(op.0)
        .filter(|&outer| is_affine_loop(body, outer))
    {
        around.push(ForOp::cast(body, outer)?);
    }
    around.reverse();
    let mut trips = Vec::new();
    for l in &around {
        if l.constant_lower(ctx, body) != Some(0) || !verdict(deps, l.0).is_parallel() {
            return None;
        }
        trips.push(l.signed_trip_count(ctx, body)?);
    }
    Some((around, trips))
}

/// The iterations of the innermost loop of a nest with the most, in all; [`None`] where a count is not known.
fn steps(ctx: &Context, body: &Body, nest: OpId) -> Option<u64> {
    let mut counts: FxHashMap<OpId, u64> = FxHashMap::default();
    for op in body.walk_op(nest) {
        if is_affine_loop(body, op) {
            let own = ForOp::cast(body, op)?.constant_trip_count(ctx, body)?;
            let mut around = body.ancestors(op);
            let around = around.find_map(|outer| counts.get(&outer));
            counts.insert(op, around.map_or(own, |all| all.saturating_mul(own)));
        }
    }
    Some(counts.into_values().max().unwrap_or(0))
}

fn product(trips: &[i64]) -> Option<i64> {
    trips.iter().try_fold(1i64, |all, &n| all.checked_mul(n))
}

impl PrivateArrays {
    /// Replaces the arrays by expanded ones, allocated before the outermost loop. Returns the accesses with
    /// those that stand in their place.
    pub(super) fn expand(&self, ctx: &Context, body: &mut Body) -> FxHashMap<OpId, OpId> {
        let mut moved = FxHashMap::default();
        let Some(&outermost) = self.around.first() else {
            return moved;
        };
        let counters = self.around.iter();
        let (counters, numbers): (Vec<Value>, Vec<AffineExpr>) = (0..)
            .zip(counters)
            .map(|(dim, l)| {
                let (counter, step) = (ctx.affine_dim(dim), ctx.affine_const(l.step(ctx, body)));
                let number = ctx.affine_binary(AffineOp::FloorDiv, counter, step);
                (l.induction_var(body), number)
            })
            .unzip();
        let mut replaced = FxHashMap::default();
        for array in &self.arrays {
            let old = body[array.op].result(0);
            let Some(ty) = body.ty(old).memref(ctx) else {
                continue;
            };
            let shape = self.trips.iter().chain(&ty.shape);
            let extents: Vec<Extent> = shape.map(|&size| Extent::Constant(size)).collect();
            let element = ty.element;
            let new = allocate(ctx, body, outermost.0, &[element], &extents);
            for access in array.accesses.iter() {
                let part = Part {
                    array: new[0],
                    operands: &counters,
                    subscripts: &numbers,
                    is_outermost: true,
                };
                replaced.extend(part.access(ctx, body, access));
                moved.extend(body[access].prev().map(|new| (access, new)));
                body.erase(access);
            }
            for &free in &array.frees {
                body.erase(free);
            }
            body.erase(array.op);
        }
        body.replace_values(|value| replaced.get(&value).copied().unwrap_or(value));
        moved
    }
}
