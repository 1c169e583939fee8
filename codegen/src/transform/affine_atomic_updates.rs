//! `affine-atomic-updates`: turns a load, an operation and a store of one data-dependent element
//! into an atomic update, so that iterations may run in any order.
//!
//! ```text
//! affine.for %i = 0 to %n {                     affine.for %i = 0 to %n {
//!   %b = …                                        %b = …
//!   %x = memref.load %h[%b]              ⇒        memref.atomic_rmw addi %one, %h[%b]
//!   %y = arith.addi %x, %one                    }
//!   memref.store %y, %h[%b]
//! }
//! ```
//!
//! Done to the updates of a loop if they are its only loop-carried dependences, so that it becomes
//! a kernel. That needs, of each update:
//!
//! - its operation is associative and commutative (of floats: sums and products only where
//!   they may be regrouped), and nothing else uses what is loaded or computed; an extremum may be
//!   kept by a comparison and a select, which of floats becomes a `memref.generic_atomic_rmw` that
//!   does the same, where the sign of a zero may not show the order
//!   ([`compare_select`](crate::analysis::arg_reduction::compare_select));
//! - nothing between the load and the store has an effect but loads, so that both are
//!   one update already;
//! - no other access of the loop may meet the element, but for updates of the same kind;
//! - a number that a subscript rests on is computed in the loop by more than sums of multiples of counters, such as
//!   by a load, `%i xor 5` or `(%i * 5) floordiv 32` ([`chosen`]): updates of elements that counters choose
//!   are reductions, which have better forms.

mod chosen;
mod spell_out;
pub(super) mod write;

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::{arith, gpu, memref, scf};
use gridloom_ir::body::Uses;
use gridloom_ir::op::Traits;
use gridloom_ir::scalar::{Accumulate, FloatOp};
use gridloom_ir::{Attr, Body, Builder, Context, Module, OpId, OpName, Type, Value};

use super::plans::{Plans, change_by_plans};
use crate::analysis::access::{Access, Place, accesses_below};
use crate::analysis::alias::Globals;
use crate::analysis::arg_reduction::compare_select::CompareSelect;
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::eligible::obstacle;
use crate::analysis::load_store::{is_load, is_store};
use crate::analysis::loop_kind::is_affine_loop;
use crate::analysis::parallel::{MAX_ACCESSES, verdict};
use crate::analysis::reduction::neutral_element;
use crate::analysis::update::UpdateKind;
use crate::target::OffloadOptions;
use crate::transform::affine_guard_overflow::is_fallback;
pub(super) use chosen::is_chosen_by_data;
use chosen::{is_computed, is_quotient, stores_at_quotient};
pub(super) use spell_out::spell_out;
use write::{accumulate, keep};

/// Iterations from which on a loop of updates is worth their being atomic where it is in few iterations of parallel loops: as
/// many steps would follow one another in each of few threads.
const LONG: i64 = 512;

/// Makes atomic those updates that are all that keeps a loop of a module from being parallel.
/// Returns whether anything changed.
pub fn make_updates_atomic(ctx: &Context, module: &mut Module, options: &OffloadOptions) -> bool {
    let is_spelled = spell_out(ctx, module, options);
    change_by_plans(
        ctx,
        module,
        1,
        |body, globals| plan_body(ctx, body, globals, options),
        |update, body| {
            update.apply(ctx, body);
        },
    ) || is_spelled
}

/// Read-modify-write update: a load, a combining operation and a store of one element.
#[derive(Clone, Copy)]
pub(super) struct Update {
    pub(super) load: OpId,
    /// The operation whose result is stored.
    combine: OpId,
    pub(super) store: OpId,
    pub(super) combination: Combination,
    pub(super) element: Type,
}

/// Combination: how an update combines the element with a value.
#[derive(Clone, Copy)]
pub(super) enum Combination {
    /// An accumulation by an operation of `arith`.
    Accumulation {
        operation: OpName,
        kind: Accumulate,
        operand: Value,
        /// The comparison, where the operation is a compare and select.
        compare: Option<OpId>,
    },
    /// An extremum of floats by comparison.
    CompareSelect(CompareSelect),
}

impl Update {
    /// Whether subscripts are values, not results of maps.
    pub(super) fn is_spelled_out(&self, body: &Body) -> bool {
        body[self.store].name == memref::STORE
    }
}

impl Combination {
    /// The commutation class: two combinations of one kind commute.
    fn kind(&self) -> UpdateKind {
        match self {
            Combination::Accumulation { kind, .. } => UpdateKind::Accumulates(*kind),
            Combination::CompareSelect(kept) => UpdateKind::Keeps(kept.better, kept.ties),
        }
    }

    /// Neutral element: the value that leaves every element unchanged.
    pub(super) fn neutral(&self, ctx: &Context, ty: Type) -> Option<Attr> {
        match self {
            Combination::Accumulation { operation, .. } => neutral_element(ctx, *operation, ty),
            Combination::CompareSelect(kept) => kept.neutral(ctx, ty),
        }
    }

    /// Combines the element with a value.
    pub(super) fn apply(&self, b: &mut Builder, held: Value, value: Value) -> Value {
        match self {
            Combination::Accumulation { operation, .. } => b.binary(*operation, held, value),
            Combination::CompareSelect(kept) => kept.create(b, value, held),
        }
    }

    /// Creates the atomic update of an element by a value.
    pub(super) fn update(
        &self,
        b: &mut Builder,
        value: Value,
        memref: Value,
        indices: &[Value],
    ) -> OpId {
        match self {
            Combination::Accumulation { kind, .. } => {
                let number = kind.number().expect("`kind_of` takes no other kinds");
                accumulate(b, number, value, memref, indices)
            }
            Combination::CompareSelect(kept) => keep(b, kept, value, memref, indices),
        }
    }

    /// The comparison of a compare-and-select extremum.
    fn compare(&self) -> Option<OpId> {
        match self {
            Combination::Accumulation { compare, .. } => *compare,
            Combination::CompareSelect(kept) => Some(kept.compare),
        }
    }
}

/// Plans the updates to make atomic, and whether the plan relies on disjoint arguments.
fn plan_body(
    ctx: &Context,
    body: &Body,
    globals: &Globals,
    options: &OffloadOptions,
) -> Plans<Update> {
    let mut deps = Dependences::new(ctx, body, globals);
    let found = updating_loops(&mut deps, options);
    let updates = found.into_iter().flat_map(|(_, updates)| updates);
    let updates = updates.filter(|update| update.is_spelled_out(body));
    (updates.collect(), deps.aliases.relied_on_arguments())
}

/// The outermost loops that kernels can hold and whose only loop-carried dependences are updates,
/// each with its updates; and long ones in parallel loops of fewer iterations than a GPU has threads for.
pub(super) fn updating_loops(
    deps: &mut Dependences,
    options: &OffloadOptions,
) -> Vec<(ForOp, Vec<Update>)> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let mut updating = Vec::new();
    // Most bodies store at sums of counters alone, and need no verdicts on their loops.
    let may_update = |op: OpId| body[op].name == memref::STORE || stores_at_quotient(ctx, body, op);
    let ops = body.walk();
    if !ops.iter().any(|&op| may_update(op)) || !ops.iter().any(|&op| body[op].name == affine::FOR)
    {
        return updating;
    }
    let uses = body.uses();
    // Operations, each with the iterations of the parallel loops around it.
    let mut stack: Vec<(OpId, i64)> = Vec::new();
    for block in body.top_blocks() {
        stack.extend(body.ops(block).map(|op| (op, 1)));
    }
    while let Some((op, mut around)) = stack.pop() {
        let is_loop = is_affine_loop(body, op);
        let is_left = matches!(body[op].name, gpu::LAUNCH | scf::PARALLEL | scf::FORALL)
            || is_loop && is_fallback(body, op);
        if is_left {
            continue;
        }
        let is_parallel = is_loop && verdict(deps, op).is_parallel();
        if is_parallel {
            let trips = ForOp::cast(body, op).and_then(|l| l.signed_trip_count(ctx, body));
            match trips.and_then(|trips| around.checked_mul(trips)) {
                Some(all) if is_few(options, all) => around = all,
                _ => continue,
            }
        }
        if let Some(root) = ForOp::cast(body, op).filter(|_| !is_parallel) {
            let is_long = root
                .signed_trip_count(ctx, body)
                .is_some_and(|trips| trips >= LONG);
            let is_wanted = around == 1 || is_long;
            let found = updates_below(ctx, body, &uses, root, options.reassociate);
            if is_wanted && !found.is_empty() && are_all_that_ties(deps, root, &found, options) {
                updating.push((root, found));
                continue;
            }
        }
        for &region in body[op].inline_regions() {
            for &block in &body[region].blocks {
                stack.extend(body.ops(block).map(|op| (op, around)));
            }
        }
    }
    updating
}

/// Whether so many iterations of parallel loops leave most threads of the target idle.
fn is_few(options: &OffloadOptions, iterations: i64) -> bool {
    options.reduction.shares && iterations < options.reduction.groups
}

/// The updates in a loop, found from the stores that end them.
pub(super) fn updates_below(
    ctx: &Context,
    body: &Body,
    uses: &Uses,
    root: ForOp,
    reassociate: bool,
) -> Vec<Update> {
    let below = body.walk_op(root.0);
    let found = below.into_iter().filter_map(|op| {
        let update = update_of(ctx, body, uses, op, reassociate)?;
        let indices = memref::StoreOp(op).indices(body);
        let is_irregular = match body[op].name {
            affine::STORE => is_quotient(ctx, body, root, affine::StoreOp(op)),
            _ => (indices.iter()).any(|&index| is_computed(ctx, body, root, index)),
        };
        is_irregular.then_some(update)
    });
    found.collect()
}

/// Matches the update that ends in a store.
fn update_of(
    ctx: &Context,
    body: &Body,
    uses: &Uses,
    store: OpId,
    reassociate: bool,
) -> Option<Update> {
    if !is_store(body, store) {
        return None;
    }
    // Both kinds of stores have the value first, then the memref.
    let view = memref::StoreOp(store);
    let combine = body.defining_op(view.value(body))?;
    let is_load = |value: Value| match body[store].name {
        affine::STORE => affine_load_of_stored(ctx, body, affine::StoreOp(store), value),
        _ => load_of_stored(body, view, value),
    };
    let (load, combination) = match body[combine].name {
        arith::SELECT => {
            let arms = &body[combine].operands[1..];
            let load = arms.iter().find_map(|&arm| is_load(arm))?;
            let kept = CompareSelect::of(ctx, body, combine, body[load].result(0))?;
            let commutes = kept.commutes(ctx, body, reassociate);
            let combination = match kept.operation() {
                Some(operation) => Combination::Accumulation {
                    operation,
                    kind: kind_of(operation, reassociate)?,
                    operand: kept.candidate,
                    compare: Some(kept.compare),
                },
                None => Combination::CompareSelect(kept),
            };
            (load, commutes.then_some(combination)?)
        }
        name => {
            let (operation, left_only) = combining(name);
            let kind = kind_of(operation, reassociate)?;
            let operands: [Value; 2] = body[combine].operands[..].try_into().ok()?;
            let (load, operand) = match (is_load(operands[0]), is_load(operands[1])) {
                (Some(load), _) => (load, operands[1]),
                (None, Some(load)) if !left_only => (load, operands[0]),
                _ => return None,
            };
            let combination = Combination::Accumulation {
                operation,
                kind,
                operand,
                compare: None,
            };
            (load, combination)
        }
    };
    let used_by = |op: OpId, users: &[OpId]| {
        let mut found = uses.of(body[op].result(0)).iter().map(|user| user.op);
        found.len() == users.len() && found.all(|user| users.contains(&user))
    };
    let compare = combination.compare();
    let is_whole = used_by(combine, &[store])
        && compare.is_none_or(|compare| used_by(compare, &[combine]))
        && match compare {
            Some(compare) => used_by(load, &[compare, combine]),
            None => used_by(load, &[combine]),
        };
    let element = body.ty(view.value(body));
    let is_number = element.signless_width(ctx).is_some() || element.float_kind(ctx).is_some();
    let update = Update {
        load,
        combine,
        store,
        combination,
        element,
    };
    (is_whole && is_number && is_undisturbed(body, &update)).then_some(update)
}

/// The load that a value comes from, if it is of the element that a store stores to.
pub(super) fn load_of_stored(body: &Body, store: memref::StoreOp, value: Value) -> Option<OpId> {
    let op = body.defining_op(value)?;
    let load = memref::LoadOp(op);
    let is_of_stored = body[op].name == memref::LOAD
        && load.memref(body) == store.memref(body)
        && load.indices(body) == store.indices(body);
    is_of_stored.then_some(op)
}

/// The same of an affine store: the load has its map, and its operands.
fn affine_load_of_stored(
    ctx: &Context,
    body: &Body,
    store: affine::StoreOp,
    value: Value,
) -> Option<OpId> {
    let op = body.defining_op(value)?;
    let load = affine::LoadOp(op);
    let is_of_stored = body[op].name == affine::LOAD
        && load.memref(body) == store.memref(body)
        && load.operands(body) == store.operands(body)
        && load.map(ctx, body) == store.map(ctx, body);
    is_of_stored.then_some(op)
}

/// The option or flag that would let the update ending in a store run in any order, where strict
/// floats keep the order of the program.
pub(crate) fn kept_order(
    ctx: &Context,
    body: &Body,
    uses: &Uses,
    store: OpId,
) -> Option<&'static str> {
    let update = update_of(ctx, body, uses, store, true)?;
    update_of(ctx, body, uses, store, false)
        .is_none()
        .then_some(match update.combination {
            Combination::Accumulation { .. } => {
                "strict floats keep the order of these updates; relaxed floats permit atomic ones"
            }
            Combination::CompareSelect(_) => {
                "strict floats keep the order of these updates, since the first one of +0 and -0 \
                 stays; relaxed floats, fastmath<nsz> on the comparison, or a value that is \
                 never -0 (such as of math.absf) permit atomic ones"
            }
        })
}

/// Whether load, operation and store stand in one block, with nothing but loads and pure
/// operations between.
fn is_undisturbed(body: &Body, update: &Update) -> bool {
    let (load, store) = (update.load, update.store);
    let Some(block) = body[store]
        .parent()
        .filter(|&b| body[load].parent() == Some(b))
    else {
        return false;
    };
    let between = body.ops(block).skip_while(|&op| op != load).skip(1);
    let mut between = between.take_while(|&op| op != store);
    body[update.combine].parent() == Some(block)
        && between.all(|op| {
            let is_plain = is_load(body, op) || body[op].name.has(Traits::PURE);
            is_plain && body[op].inline_regions().is_empty()
        })
}

/// The accumulating operation of an update, and whether the element must be its first operand.
fn combining(name: OpName) -> (OpName, bool) {
    match name {
        // `element - x` is `element + (-x)`.
        arith::SUBF => (arith::ADDF, true),
        arith::SUBI => (arith::ADDI, true),
        _ => (name, false),
    }
}

/// The accumulation kind of a combining operation.
fn kind_of(operation: OpName, reassociate: bool) -> Option<Accumulate> {
    let kind = arith::accumulation(operation).filter(|kind| kind.number().is_some())?;
    let regroups = matches!(kind, Accumulate::Float(FloatOp::Add | FloatOp::Mul));
    (!regroups || reassociate).then_some(kind)
}

/// Whether the updates are the only loop-carried dependences of a loop that a kernel can hold.
pub(super) fn are_all_that_ties(
    deps: &mut Dependences,
    root: ForOp,
    updates: &[Update],
    options: &OffloadOptions,
) -> bool {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    if body[root.0].num_results() > 0
        || obstacle(ctx, body, root.0, options.target.as_ref()).is_some()
    {
        return false;
    }
    // Duplicates are kept: a plain access of an updated element counts too.
    let accesses = accesses_below(&mut deps.values, root.0);
    if accesses.len() > MAX_ACCESSES {
        return false;
    }
    let update_at = |access: &Access| {
        let mut updates = updates.iter();
        updates.find(|u| u.load == access.op || u.store == access.op)
    };
    accesses.iter().all(|first| {
        let by_update = update_at(first);
        accesses
            .iter()
            .all(|second| match (by_update, update_at(second)) {
                (Some(a), Some(b))
                    if (a.combination.kind(), a.element) == (b.combination.kind(), b.element) =>
                {
                    true
                }
                // Dependences within an iteration count too: the store of an update moves its load
                // along.
                (Some(_), _) | (_, Some(_)) => {
                    let scope = Scope::AnyIterations(root.0);
                    is_known(first) && is_known(second) && !deps.may_overlap(scope, first, second)
                }
                _ => {
                    let scope = Scope::AcrossIterations(root.0);
                    is_known(first) && deps.test(scope, first, second).is_independent()
                }
            })
    })
}

/// Whether the elements that an access may touch are known.
pub(super) fn is_known(access: &Access) -> bool {
    access.place != Place::Anything
}
