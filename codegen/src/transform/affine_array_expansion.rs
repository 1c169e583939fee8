//! `affine-array-expansion`: gives each iteration of a loop a part of one array for a temporary that is too large, or of too
//! open a size, to be private memory of a thread.
//!
//! ```text
//! %t = memref.alloc() : memref<9000xf32>      %u = memref.alloc() : memref<9000x3728xf32>
//! affine.for %i = 0 to 50000 {                affine.for %g = 0 to 50000 step 3728 {
//!   affine.for %j = 0 to 9000                   affine.for %i = %g to min(50000, %g + 3728) {
//!     affine.store %x, %t[%j]           ⇒         affine.for %j = 0 to 9000
//!   affine.for %j = 1 to 9000                       affine.store %x, %u[%j, %i - %g]
//!     … affine.load %t[%j - 1]                    …
//! }                                           } }
//! ```
//!
//! P. Feautrier, "Array expansion", 1988. The iterations of a batch run side by side, batches one after the other, so that
//! the arrays take at most [`BUDGET`] bytes whatever the sizes are, which the run tests where they are open ([`apply`]). Elements of one number of neighbouring iterations
//! are neighbours, as neighbouring threads access them together: where the threads of a GPU each walk a row, that is one transaction for all.
//!
//! Legal where `affine-privatize` is: each iteration writes what it reads, or allocates the temporary anew. Arrays that are used
//! outside of the loop as well get what the last iteration stored. Done where the loop then has no dependence between its iterations
//! and a kernel can hold it, and where the model says that this takes less time than what its iterations have one after the other ([`profit`]).
//! The extents have to be known in front of the outermost operation around the loop.

mod apply;
mod extents;
mod profit;

use std::collections::HashSet;

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::{memref, scf};
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{Body, Context, Diagnostic, Diagnostics, Module, OpId, Value};

use self::extents::{can_hoist, row_bytes};
use self::profit::pays;
use super::affine_guard_overflow::is_fallback;
use super::affine_privatize::live_out::{LiveOut, StoredArrays, live_outs};
use super::affine_privatize::{
    Accesses, MAX_ELEMENTS, Sizes, Temporary, is_freed, is_private, temporary_of,
};
use super::affine_scope::is_top_level;
use super::auxiliary_arrays::can_hold;
use super::plans::{Plans, change_with_remarks, is_inside};
use crate::analysis::alias::Globals;
use crate::analysis::dependence::Dependences;
use crate::analysis::eligible::{MAX_PRIVATE_ELEMENTS, allocated_elements, obstacle_but};
use crate::analysis::parallel::conflict_in_memory;
use crate::target::OffloadOptions;

/// Limit of the bytes of the expanded arrays of a loop, where one iteration does not take more.
const BUDGET: i64 = 128 << 20;

/// Profitability threshold: iterations of a batch, where their number is known.
const MIN_BATCH: i64 = 32;

/// Expands arrays in the host functions of a module. Returns whether anything changed, and remarks on loops that expansion
/// would free.
pub fn expand_arrays(
    ctx: &Context,
    module: &mut Module,
    options: &OffloadOptions,
) -> (bool, Diagnostics) {
    change_with_remarks(
        ctx,
        module,
        1,
        |body, globals| plan_body(ctx, body, globals, options),
        |plan, body| plan.apply(ctx, body),
    )
}

/// Iterations of a batch in versions of loops whose arrays have open sizes, as many threads as fill a device, and fewer for
/// larger arrays.
const BATCHES: [i64; 2] = [1 << 14, 1 << 10];

/// Limit of the step of a loop over batches whose trips are not known: interval analysis takes them to be fewer than 2^48, and what
/// is added to its counter has to fit 64 bits.
const MAX_STEP: i64 = 1 << 14;

/// Plan: a loop, with arrays of which each iteration gets its own.
#[derive(Clone)]
struct Expansion {
    op: ForOp,
    /// Small temporaries, whose allocations move into the loop.
    moved: Vec<Temporary>,
    /// Temporaries to be expanded.
    expanded: Vec<Temporary>,
    /// Arrays that are used outside of the loop as well, and whether they are to be expanded.
    live_outs: Vec<(LiveOut, bool)>,
    /// Bytes of an iteration's part of all expanded arrays, if the types tell.
    row: Option<i64>,
}

fn plan_body(
    ctx: &Context,
    body: &Body,
    globals: &Globals,
    options: &OffloadOptions,
) -> (Plans<Expansion>, Diagnostics) {
    let uses = body.uses();
    let all: Vec<Temporary> = (body.walk().into_iter())
        .filter_map(|op| temporary_of(ctx, body, &uses, (op, Sizes::Any)))
        .collect();
    let stored = StoredArrays::of(ctx, body, Sizes::Any);
    let mut remarks = Diagnostics::new();
    let is_large = |value: Value| !Sizes::Small.admit(ctx, body, value);
    if !(all.iter().any(|t| is_large(t.accesses.array)) || stored.any(is_large)) {
        return ((Vec::new(), false), remarks);
    }
    let mut planner = Planner {
        deps: Dependences::new(ctx, body, globals),
        options,
        all,
        stored,
    };
    let mut plans = Vec::new();
    // Loops whose iterations run side by side: what is inside belongs to a thread.
    let mut closed: HashSet<OpId> = HashSet::new();
    for op in body.walk() {
        let Some(op) = ForOp::cast(body, op) else {
            continue;
        };
        if is_inside(body, op.0, &closed) || is_fallback(body, op.0) {
            continue;
        }
        let before = planner.deps.aliases.relied_on_arguments();
        match planner.plan(op) {
            Found::Plan(plan) => {
                closed.insert(op.0);
                plans.push(plan);
            }
            Found::Parallel => {
                closed.insert(op.0);
                planner.deps.aliases.restore_reliance(before);
            }
            Found::Refused(why) => {
                remarks.push(*why);
                planner.deps.aliases.restore_reliance(before);
            }
            Found::Nothing => planner.deps.aliases.restore_reliance(before),
        }
    }
    let relied = planner.deps.aliases.relied_on_arguments();
    ((plans, relied), remarks)
}

/// Outcome of the search for an expansion.
enum Found {
    Plan(Expansion),
    /// The loop is parallel as it is, with no array to be expanded.
    Parallel,
    /// The loop would be freed, but for this.
    Refused(Box<Diagnostic>),
    Nothing,
}

struct Planner<'a, 'o> {
    deps: Dependences<'a>,
    options: &'o OffloadOptions,
    /// Allocations that are only loaded from, stored to and freed.
    all: Vec<Temporary>,
    stored: StoredArrays,
}

impl Planner<'_, '_> {
    fn plan(&mut self, op: ForOp) -> Found {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        let has_plain_bounds = [op.lower(ctx, body), op.upper(ctx, body)]
            .iter()
            .all(|bound| bound.map.results(ctx).len() == 1);
        if body[op.0].num_results() > 0 || !has_plain_bounds {
            return Found::Nothing;
        }
        let inside = self.all.iter().filter(|t| is_of_one_thread(body, op, t.op));
        let inside: Vec<Temporary> = inside.cloned().collect();
        let is_tied = conflict_in_memory(&mut self.deps, op.0).is_some();
        if !is_tied {
            let elements = |op: &OpId| allocated_elements(ctx, body, *op);
            let below = body.walk_op(op.0);
            let private = below.iter().map(elements).fold(0i64, i64::saturating_add);
            if private <= MAX_PRIVATE_ELEMENTS {
                return Found::Parallel;
            }
        }
        let (outside, live_outs) = match is_tied {
            true => self.tying(op),
            false => (Vec::new(), Vec::new()),
        };
        let temporaries = inside.iter().chain(&outside).map(|t| &t.accesses);
        let arrays: Vec<&Accesses> = temporaries
            .chain(live_outs.iter().map(|l| &l.accesses))
            .collect();
        let uses = self.deps.values.uses();
        if arrays.is_empty() || is_tied && !is_freed(&mut self.deps, &uses, op, &arrays) {
            return Found::Nothing;
        }
        let arrays: Vec<Value> = arrays.iter().map(|accesses| accesses.array).collect();
        let expanded = to_expand(ctx, body, &arrays);
        let target = self.options.target.as_ref();
        let others = [memref::ALLOC, memref::ALLOCA];
        if expanded.is_empty() || obstacle_but(ctx, body, op.0, target, &others).is_some() {
            return Found::Nothing;
        }
        let is_left = |op: &&OpId| !body[**op].results().any(|array| expanded.contains(&array));
        let below = body.walk_op(op.0);
        let left = { below.iter().filter(is_left) }.map(|&op| allocated_elements(ctx, body, op));
        if left.fold(0, i64::saturating_add) > MAX_PRIVATE_ELEMENTS {
            return Found::Nothing;
        }
        if let Some(why) = self.refusal(op, &expanded) {
            let start = "each iteration of this loop needs an array of its own to be independent, which cannot be a part of \
                         one for all:";
            let remark = Diagnostic::remark(body[op.0].loc, format!("{start} {why}"));
            return Found::Refused(Box::new(remark));
        }
        let row = row_bytes(ctx, body, &expanded);
        if !pays(&mut self.deps, op, &expanded, self.options) {
            return Found::Nothing;
        }
        let is_expanded = |array: Value| expanded.contains(&array);
        let all = || inside.iter().chain(&outside);
        let expanded = all().filter(|t| is_expanded(t.accesses.array));
        Found::Plan(Expansion {
            op,
            row,
            expanded: expanded.cloned().collect(),
            moved: (outside.iter())
                .filter(|t| !is_expanded(t.accesses.array))
                .cloned()
                .collect(),
            live_outs: (live_outs.into_iter())
                .map(|array| {
                    let is_expanded = is_expanded(array.accesses.array);
                    (array, is_expanded)
                })
                .collect(),
        })
    }

    /// The arrays from outside of a loop that are private in it: temporaries, and those that keep what the last iteration stored.
    fn tying(&mut self, op: ForOp) -> (Vec<Temporary>, Vec<LiveOut>) {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        let outside = self.all.iter().filter(|t| {
            let mut uses = t.accesses.iter();
            !body.is_ancestor(op.0, t.op) && uses.all(|u| body.is_ancestor(op.0, u))
        });
        let mut outside: Vec<Temporary> = outside.cloned().collect();
        outside.retain(|t| is_private(&mut self.deps, op, &t.accesses));
        let mut others = self.stored.overwritten_in(ctx, body, op);
        others.retain(|&array| outside.iter().all(|t| t.accesses.array != array));
        let found = live_outs(&mut self.deps, op, &others).into_iter();
        let live_outs = found.filter_map(|array| array.only_outermost(&mut self.deps));
        (outside, live_outs.collect())
    }

    /// The reason why arrays cannot be expanded for the iterations of a loop.
    fn refusal(&mut self, op: ForOp, arrays: &[Value]) -> Option<&'static str> {
        let (ctx, body) = (self.deps.values.ctx, self.deps.values.body);
        let row = row_bytes(ctx, body, arrays);
        let (lower, upper) = (op.lower(ctx, body), op.upper(ctx, body));
        let mut ends = lower.operands.iter().chain(upper.operands);
        if row.is_none() && !ends.all(|&end| is_top_level(body, end)) {
            return Some(
                "its size is open, and the bounds of the loop depend on what is around it",
            );
        }
        for &array in arrays {
            let ty = body.ty(array).memref(ctx);
            if !ty.is_some_and(|ty| ty.space.is_none() && can_hold(ctx, ty.element)) {
                return Some("its elements are no numbers, or lie in a memory space");
            }
            let sizes = match body.defining_op(array) {
                Some(op) if matches!(body[op].name, memref::ALLOC | memref::ALLOCA) => {
                    body[op].operands.iter().all(|&size| can_hoist(body, size))
                }
                _ => is_top_level(body, array) || ty.is_some_and(|ty| !ty.shape.contains(&DYNAMIC)),
            };
            if !sizes {
                return Some("its size is computed in the loop, or in one around it");
            }
        }
        if row.is_some_and(|row| BUDGET / row.max(1) < MIN_BATCH) {
            return Some("the arrays of a few iterations take more than 128 MiB");
        }
        let is_open = op.signed_trip_count(ctx, body).is_none();
        if is_open && MAX_STEP / op.step(ctx, body) < MIN_BATCH {
            return Some("the loop takes large steps to an end that is not known");
        }
        if !self.has_near_end(op, row) {
            return Some("the end of a batch may not fit 64 bits");
        }
        None
    }

    /// Whether the upper bound and the iterations of a batch fit 64 bits together.
    fn has_near_end(&mut self, op: ForOp, row: Option<i64>) -> bool {
        let values = &mut self.deps.values;
        let (ctx, body) = (values.ctx, values.body);
        let Some(first) = body[op.block(body)].first() else {
            return false;
        };
        let most = row.map_or(BATCHES[0], |row| (BUDGET / row.max(1)).max(1));
        let Some(batch) = most.checked_mul(op.step(ctx, body)) else {
            return false;
        };
        // In the loop its bounds are known to be as near as its trips permit.
        let env = values.environment_at(first);
        let (lower, upper) = (op.lower(ctx, body), op.upper(ctx, body));
        let low = values.map_exprs(op.0, lower.map, lower.operands);
        let high = values.map_exprs(op.0, upper.map, upper.operands);
        let (Some(&Some(low)), Some(&Some(high))) = (low.first(), high.first()) else {
            return false;
        };
        let end = ctx.affine_add(high, ctx.affine_const(batch));
        let trips = ctx.affine_sub(high, low);
        values.fits(end, env) && values.fits(trips, env)
    }
}

/// Whether an operation is in a loop, and what stands between runs one iteration after the other.
fn is_of_one_thread(body: &Body, op: ForOp, inner: OpId) -> bool {
    let is_sequential = |op: OpId| {
        let name = body[op].name;
        matches!(
            name,
            affine::FOR | affine::IF | scf::FOR | scf::IF | scf::WHILE
        )
    };
    let mut between = body.ancestors(inner).take_while(|&around| around != op.0);
    body.is_ancestor(op.0, inner) && between.all(is_sequential)
}

/// Those of the arrays of an iteration that do not go to private memory of its thread.
fn to_expand(ctx: &Context, body: &Body, arrays: &[Value]) -> Vec<Value> {
    let elements = |array: Value| {
        let ty = body.ty(array).memref(ctx);
        ty.and_then(|ty| ty.num_elements()).unwrap_or(i64::MAX)
    };
    let (large, small): (Vec<Value>, Vec<Value>) =
        (arrays.iter()).partition(|&&array| elements(array) > MAX_ELEMENTS);
    let all = small.iter().map(|&array| elements(array));
    if all.fold(0, i64::saturating_add) <= MAX_PRIVATE_ELEMENTS {
        return large;
    }
    let arrays = arrays.iter().copied();
    arrays.filter(|&array| elements(array) > 1).collect()
}
