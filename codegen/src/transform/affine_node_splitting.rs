//! `affine-node-splitting`: copies elements that a loop reads before it overwrites them, and has the loop
//! read the copy, which leaves its iterations independent.
//!
//! ```text
//!                                            affine.for %x = 1 to %n {
//!                                              %t[%x] = %a[%x]
//! affine.for %i = 0 to %n - 1 {              }
//!   %v = affine.load %a[%i + 1]       ⇒      affine.for %i = 0 to %n - 1 {
//!   affine.store f(%v), %a[%i]                 %v = affine.load %t[%i + 1]
//! }                                            affine.store f(%v), %a[%i]
//!                                            }
//! ```
//!
//! The loop is tied by anti dependences alone: each iteration has to read an element before a later one
//! writes it. Rows of a knapsack's table, elements moved by a place and triangular products in place are
//! such loops.
//!
//! Legal for a load that reads what its element held before the loop: no store of the loop reaches it, from an
//! earlier iteration or from before it in the same one (Kuck et al., "Dependence graphs and compiler
//! optimizations", 1981; R. Allen and K. Kennedy, *Optimizing Compilers for Modern Architectures*, section 5.5). What a
//! carried counter is at most in an iteration is known of stores at it: a filter in place, `if (…) x[m++] = x[i]`, has
//! loaded an element before it stores there, and is a scan then.
//! The copy covers the box around the elements that these loads read; where that is not known to lie in the
//! memref, the copy has the extent of the memref, so that what is out of range stays so. It is
//! made where a loop that has little parallelism gets more, or where each copied element is read several
//! times. A box of memory of this function has to be initialized as a whole. Iterations of a parallel loop
//! around the nest have a copy each, so that the loop stays parallel.

use gridloom_dialects::affine::{self, Access as Operation, ForOp};
use gridloom_dialects::{scf, vector::VectorShape};
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{Body, Context, Module, OpId, Value};

use super::affine_data_copy_generate::copies::Buffer;
use super::affine_data_copy_generate::initialised::is_initialised;
use super::affine_data_copy_generate::is_transfer;
use super::affine_data_copy_generate::region::{OpenParts, Side, Touch, region};
use super::affine_parallelize_scans::scan_stores;
use super::auxiliary_arrays::anchor;
use super::plans::{Plans, change_by_plans, plan_outermost};
use crate::analysis::access::{Access, Place, accesses_below};
use crate::analysis::alias::{Base, Globals, root_of};
use crate::analysis::budget::root_of_nest;
use crate::analysis::counter::counters;
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::loop_kind::is_affine_loop;
use crate::analysis::parallel::{conflict_beside, verdict};
use crate::analysis::system::{Instance, Statements};
use crate::analysis::work::most_trips;
use crate::target::OffloadOptions;

/// Limit of the accesses of a nest, which are compared with each other.
const MAX_ACCESSES: usize = 64;

/// Limit of the elements that a copy has for each execution of a load that reads it.
const MOST_COPIED: f64 = 16.0;

/// Least trip count of a loop that is worth a copy, by default.
pub const MIN_TRIPS: u64 = 64;

/// Splits loads in loops of at least `min_trips` iterations in the host functions of a module. Returns whether
/// anything changed.
pub fn split_nodes(
    ctx: &Context,
    module: &mut Module,
    options: &OffloadOptions,
    min_trips: u64,
) -> bool {
    let policy = Policy {
        threads: options.launch_cost.threads.unsigned_abs(),
        min_trips,
        reassociate: options.reassociate,
    };
    change_by_plans(
        ctx,
        module,
        1,
        |body, globals| plan_body(ctx, body, globals, policy),
        |buffers: &Vec<Buffer>, body| {
            for buffer in buffers {
                buffer.apply(ctx, body, [0, 0]);
            }
        },
    )
}

/// Loops that are worth a copy.
#[derive(Clone, Copy)]
struct Policy {
    /// Threads that run at once: loops with fewer parallel iterations gain by more.
    threads: u64,
    /// Least trip count of the loops that become parallel.
    min_trips: u64,
    /// Whether floats may be regrouped.
    reassociate: bool,
}

fn plan_body(ctx: &Context, body: &Body, globals: &Globals, policy: Policy) -> Plans<Vec<Buffer>> {
    // Nothing may read the target of a transfer before its wait.
    if body.may_hold_any(is_transfer) {
        return (Vec::new(), false);
    }
    plan_outermost(ctx, body, globals, |deps, root| {
        plan_nest(deps, root, policy)
    })
}

/// The copies in front of a nest.
fn plan_nest(deps: &mut Dependences, root: ForOp, policy: Policy) -> Option<Vec<Buffer>> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    // Iterations that run side by side would share the copy.
    if !runs_in_order(body, root.0) {
        return None;
    }
    let accesses = accesses_below(&mut deps.values, root.0);
    let is_known = |access: &Access| access.place != Place::Anything;
    if accesses.len() > MAX_ACCESSES || !accesses.iter().all(is_known) {
        return None;
    }
    let candidates: Vec<&Access> = (accesses.iter())
        .filter(|load| is_candidate(deps, root, load, &accesses))
        .collect();
    let mut split: Vec<OpId> = Vec::new();
    for load in candidates {
        let mut stores = accesses.iter().filter(|access| access.is_write);
        if stores.all(|store| !reaches(deps, root, store, load)) {
            split.push(load.op);
        }
    }
    let &first = split.first()?;
    let around = nest_around(body, root, first);
    let outside = parallel_around(deps, root);
    let parallelism =
        Parallelism::of(deps, &around, &split, policy.reassociate)?.within(ctx, body, &outside);
    let mut buffers = Vec::new();
    let mut memrefs: Vec<Value> = Vec::new();
    let mut is_reused = true;
    for &op in &split {
        let memref = Operation::cast(body, op)?.memref(body);
        if memrefs.contains(&memref) {
            continue;
        }
        memrefs.push(memref);
        let (buffer, sides) = copy_of(deps, (root, outside.first().copied()), memref, &split)?;
        if !copies_little(deps, (root, &outside), op, &sides) {
            return None;
        }
        let dims = sides.iter().filter(|side| side.extent != 1).count();
        is_reused &= loops_around(body, root, op) > dims;
        buffers.push(buffer);
    }
    parallelism
        .is_worth_a_copy(is_reused, policy)
        .then_some(buffers)
}

/// The parallel loops around a nest, innermost first. They decide where the copy stands, and whether it is worth it.
fn parallel_around(deps: &mut Dependences, root: ForOp) -> Vec<ForOp> {
    let body = deps.values.body;
    let relied = deps.aliases.relied_on_arguments();
    let around = body.ancestors(root.0);
    let loops = around.filter_map(|op| ForOp::cast(body, op));
    let parallel = loops.filter(|l| verdict(deps, l.0).is_parallel()).collect();
    deps.aliases.restore_reliance(relied);
    parallel
}

/// Whether only loops whose iterations run one after the other, and conditions, are around an operation.
pub(super) fn runs_in_order(body: &Body, op: OpId) -> bool {
    body.ancestors(op).all(|around| {
        matches!(
            body[around].name,
            affine::FOR | affine::IF | scf::FOR | scf::IF | scf::WHILE
        )
    })
}

/// Whether a load may be split: it reads an element of a memref from outside of the nest, and a store of the nest
/// has other subscripts of the same memory.
fn is_candidate(deps: &Dependences, root: ForOp, load: &Access, accesses: &[Access]) -> bool {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let Some(operation) = Operation::cast(body, load.op).filter(|access| !access.is_store) else {
        return false;
    };
    let memref = operation.memref(body);
    let is_scalar = VectorShape::of(ctx, body.ty(body[load.op].result(0))).is_none();
    let Place::Element { root: memory, .. } = &load.place else {
        return false;
    };
    let meets = |store: &Access| match &store.place {
        Place::Element { root, .. } => root == memory && store.place != load.place,
        Place::Somewhere(root) => root == memory,
        Place::Anything => true,
    };
    is_scalar
        && load.update.is_none()
        && !body.is_defined_in(memref, root.0)
        && accesses
            .iter()
            .any(|access| access.is_write && meets(access))
}

/// Whether an element that the load reads may have been stored by `store` since the nest began.
fn reaches(deps: &mut Dependences, root: ForOp, store: &Access, load: &Access) -> bool {
    let body = deps.values.body;
    let is_outer = |op: &OpId| body.is_ancestor(*op, store.op);
    let common: Vec<OpId> = (body.ancestors(load.op))
        .take_while(|&op| body.is_ancestor(root.0, op))
        .filter(is_outer)
        .collect();
    for &op in &common {
        let scope = match body[op].name {
            affine::FOR | scf::FOR => Scope::AcrossIterations(op),
            affine::IF | scf::IF => continue,
            // The order of iterations is not known.
            _ => Scope::AnyIterations(op),
        };
        if !is_apart(deps, root, scope, [store, load]) {
            return true;
        }
    }
    // Within one iteration of the innermost operation around both.
    let Some(&innermost) = common.first() else {
        return true;
    };
    let child = |op: OpId| {
        let path = std::iter::successors(Some(op), |&op| body.parent_op(op));
        { path }.find(|&op| body.parent_op(op) == Some(innermost))
    };
    let (Some(from), Some(to)) = (child(store.op), child(load.op)) else {
        return true;
    };
    match (body[from].parent(), body[to].parent()) {
        (Some(block), Some(other)) if block == other => {
            let mut before = std::iter::successors(body[to].prev(), |&op| body[op].prev());
            before.any(|op| op == from) && !is_apart(deps, root, Scope::Block(block), [store, load])
        }
        // Only one branch of a condition runs; blocks of other operations may follow each other.
        _ => !matches!(body[innermost].name, affine::IF | scf::IF),
    }
}

/// Whether a store and a load touch different elements, given what bounds the counters that loops around them carry.
fn is_apart(deps: &mut Dependences, root: ForOp, scope: Scope, pair: [&Access; 2]) -> bool {
    let body = deps.values.body;
    let mut bounds = Statements::new();
    for (access, instance) in pair.into_iter().zip([Instance::First, Instance::Second]) {
        let around = body.ancestors(access.op);
        let inside = around.take_while(|&op| body.is_ancestor(root.0, op));
        for l in inside.filter_map(|op| ForOp::cast(body, op)) {
            bounds.add_all(&deps.values.counter_bounds(l), instance);
        }
    }
    let [store, load] = pair;
    deps.test_where(scope, &bounds, store, load)
        .is_independent()
}

/// The parallel loops around a load, by their iterations.
struct Parallelism {
    /// Iterations of the loops that are parallel as the program stands.
    before: u64,
    /// Iterations of those that become parallel.
    freed: u64,
    /// Number of loops that are parallel in the end.
    loops: usize,
}

impl Parallelism {
    /// The parallelism of these loops with and without the loads `split`; [`None`] where it is the same.
    fn of(
        deps: &mut Dependences,
        around: &[ForOp],
        split: &[OpId],
        reassociate: bool,
    ) -> Option<Parallelism> {
        let (ctx, body) = (deps.values.ctx, deps.values.body);
        let mut found = Parallelism {
            before: 1,
            freed: 1,
            loops: 0,
        };
        for l in around {
            let trips = l.constant_trip_count(ctx, body);
            if verdict(deps, l.0).is_parallel() {
                found.before = found.before.saturating_mul(trips.unwrap_or(u64::MAX));
            } else if is_freed(deps, *l, split, reassociate) {
                let most = most_trips_of(deps, *l);
                let trips = trips.or(most.map(|most| most as u64));
                found.freed = found.freed.saturating_mul(trips.unwrap_or(u64::MAX));
            } else {
                continue;
            }
            found.loops += 1;
        }
        (found.freed > 1).then_some(found)
    }

    /// The same with the iterations of parallel loops around the nest.
    fn within(mut self, ctx: &Context, body: &Body, outside: &[ForOp]) -> Parallelism {
        for l in outside {
            let trips = l.constant_trip_count(ctx, body).unwrap_or(u64::MAX);
            self.before = self.before.saturating_mul(trips);
        }
        self
    }

    /// Whether the copy is likely to cost less than it gains: threads where there were few, or tiles of two
    /// loops that use what they load again.
    fn is_worth_a_copy(&self, is_reused: bool, policy: Policy) -> bool {
        let is_idle = self.before < policy.threads;
        self.freed >= policy.min_trips && (is_idle || is_reused && self.loops >= 2)
    }
}

/// Whether a loop is parallel, or a scan, but for the loads `split`.
fn is_freed(deps: &mut Dependences, l: ForOp, split: &[OpId], reassociate: bool) -> bool {
    let apart = match deps.values.body[l.0].num_results() {
        0 => Some(Vec::new()),
        _ => scan_stores(deps, l, reassociate),
    };
    apart.is_some_and(|apart| conflict_beside(deps, l.0, split, &apart).is_none())
}

/// The greatest trip count of a loop, where its bounds imply one.
fn most_trips_of(deps: &mut Dependences, l: ForOp) -> Option<f64> {
    let counter = counters(deps.values.body, l.0).next()?;
    most_trips(&mut deps.values, counter)
}

/// The `affine.for` around an operation in a nest, innermost first.
fn nest_around(body: &Body, root: ForOp, op: OpId) -> Vec<ForOp> {
    let inside = body
        .ancestors(op)
        .take_while(|&op| body.is_ancestor(root.0, op));
    inside.filter_map(|op| ForOp::cast(body, op)).collect()
}

/// The number of loops around an operation in a nest.
fn loops_around(body: &Body, root: ForOp, op: OpId) -> usize {
    let inside = body
        .ancestors(op)
        .take_while(|&op| body.is_ancestor(root.0, op));
    inside.filter(|&op| is_affine_loop(body, op)).count()
}

/// Whether a copy of a box is in proportion to the executions of a load that reads it. A box that has no end but that of an
/// open memref is not in each iteration of parallel loops around, which have their own part of the memref.
fn copies_little(
    deps: &mut Dependences,
    (root, parallel): (ForOp, &[ForOp]),
    load: OpId,
    sides: &[Side],
) -> bool {
    let body = deps.values.body;
    let is_ranged = |side: &Side| side.range.iter().all(Option::is_some);
    let whole = sides.iter().filter(|side| !is_ranged(side));
    let copied: f64 = (whole.clone()).map(|side| side.extent as f64).product();
    if whole.into_iter().any(|side| side.extent == DYNAMIC) {
        return parallel.is_empty();
    }
    let mut loops = nest_around(body, root, load).into_iter();
    let executions = loops.try_fold(1.0, |all, l| Some(all * most_trips_of(deps, l)?));
    executions.is_none_or(|executions| copied <= MOST_COPIED * executions)
}

/// The copy of what the loads `split` read of a memref, and its box. It is allocated in front of the nest `root` and
/// of the loops around it inside of `parallel`.
fn copy_of(
    deps: &mut Dependences,
    (root, parallel): (ForOp, Option<ForOp>),
    memref: Value,
    split: &[OpId],
) -> Option<(Buffer, Vec<Side>)> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let own = (split.iter()).filter_map(|&op| Operation::cast(body, op));
    let own: Vec<Operation> = own.filter(|access| access.memref(body) == memref).collect();
    let touches: Vec<Touch> = (own.iter())
        .map(|&access| Touch::of(&mut deps.values, access))
        .collect();
    let work = deps.budgets.of(root_of_nest(body, root.0));
    let values = &mut deps.values;
    let sides = region(values, root, memref, &touches, OpenParts::Ranges, work).ok()?;
    let bases = deps.aliases.bases(root_of(ctx, body, memref));
    let is_own = bases.iter().any(|base| matches!(base, Base::Allocation(_)));
    if is_own && !is_initialised(values, root, memref, &touches, &sides) {
        return None;
    }
    let mut buffer = Buffer::new(values, root, memref, &sides, None)?;
    buffer.touches = own.iter().map(|access| access.op).collect();
    buffer.copies_out = false;
    // One allocation for all iterations of the loops around, where they do not make the memref.
    let outer = match parallel {
        None => anchor(body, root, true),
        Some(parallel) => body.ancestor_in_block(root.0, parallel.block(body))?,
    };
    let is_open = sides.iter().any(|side| side.extent == DYNAMIC);
    if !is_open || !body.is_defined_in(memref, outer) {
        buffer.anchor = outer;
    }
    Some((buffer, sides))
}
