//! `affine-parallelize-arg-updates`: parallelizes argmax updates of data-dependent elements, an
//! extremum with values stored beside it, in three steps of parallel loops.
//!
//! ```text
//!                                          affine.parallel: old[…] = max[…], first[…] = 2^31 - 1
//! affine.for %i = 0 to %n {                affine.parallel (%i) = (0) to (%n) {
//!   %k = …                                   %k = …, %x = …
//!   %x = …                                   max[%k] = the greater one of %x and max[%k], atomically
//!   %m = memref.load %max[%k]              }
//!   %c = arith.cmpf ogt, %x, %m            affine.parallel (%i) = (0) to (%n) {
//!   scf.if %c {                              %k = …, %x = …
//!     memref.store %x, %max[%k]      ⇒       if %x > old[%k] and %x == max[%k] {
//!     memref.store %y, %at[%k]                 first[%k] = the lesser one of %i and first[%k], atomically
//!   }                                        }
//! }                                        }
//!                                          affine.parallel (%i) = (0) to (%n) {
//!                                            %k = …, %x = …
//!                                            if first[%k] == %i { max[%k] = %x, at[%k] = %y }
//!                                          }
//! ```
//!
//! The iteration that stores last, of all that store to one element, is the first one with the extremum, or the
//! last one where equal candidates replace each other; it alone stores in the last step. So the bits are
//! those of the program, zeros of both signs included, and NaN is neither taken nor replaced.
//!
//! Legal where the nest writes nothing else; where the element is loaded for the comparison alone; where
//! all that the branch stores goes to elements by the same subscripts, of memory that nothing else in
//! the nest touches; and where loops inside of the outermost one have constant bounds, so that iterations are
//! numbered. Their number has to fit 31 bits, which is tested in front where it is not known. Done to
//! outermost loops that are tied by it, of elements that have at most 32 bits, as kernels update them
//! atomically; extrema alone are left to `affine-atomic-updates`.

mod apply;

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::{memref, scf};
use gridloom_ir::body::Uses;
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Context, Module, OpId, Type, Value};

use super::affine_atomic_updates::is_chosen_by_data;
use super::affine_guard_overflow::is_fallback;
use super::affine_if_conversion::available_values::AvailableValues;
use super::affine_if_conversion::is_beside_others;
use super::plans::{change_by_plans, plan_outermost};
use crate::analysis::access::{Place, accesses_below};
use crate::analysis::arg_reduction::compare_select::CompareSelect;
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::eligible::obstacle;
use crate::analysis::load_store::{is_load, is_store};
use crate::analysis::parallel::MAX_ACCESSES;
use crate::target::OffloadOptions;
use crate::transform::element::Element;
use crate::transform::numbered_nest::{NumberedNest, has_affine_extents};

/// Parallelizes the updates in the host functions of a module. Returns whether anything changed.
pub fn parallelize_arg_updates(
    ctx: &Context,
    module: &mut Module,
    options: &OffloadOptions,
) -> bool {
    change_by_plans(
        ctx,
        module,
        1,
        |body, globals| {
            if !body.may_hold(scf::IF) || !body.may_hold(affine::FOR) {
                return (Vec::new(), false);
            }
            let uses = body.uses();
            plan_outermost(ctx, body, globals, |deps, root| {
                plan(deps, &uses, root, options)
            })
        },
        |plan, body| plan.apply(ctx, body),
    )
}

/// Limit of the bits of an element that kernels update atomically.
const MAX_BITS: u32 = 32;

/// Plan for a nest with an argmax update.
struct ArgUpdate {
    nest: NumberedNest,
    /// The load of the element for the comparison.
    load: OpId,
    kept: CompareSelect,
    branch: OpId,
    element: Type,
}

fn plan(
    deps: &mut Dependences,
    uses: &Uses,
    root: ForOp,
    options: &OffloadOptions,
) -> Option<ArgUpdate> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    if body[root.0].num_results() > 0 || is_beside_others(body, root.0) || is_fallback(body, root.0)
    {
        return None;
    }
    let branch = only_branch_that_stores(body, root)?;
    let (load, kept, stores) = update_of(ctx, body, uses, branch)?;
    let element = body.ty(kept.candidate);
    let bits = match element.float_kind(ctx) {
        Some(kind) => kind.width(),
        None => element.signless_width(ctx)?,
    };
    let mut indices = memref::LoadOp(load).indices(body).iter();
    if bits > MAX_BITS
        || stores.len() < 2
        || !indices.any(|&index| is_chosen_by_data(body, root, index))
        || !is_numbered(ctx, body, load)
    {
        return None;
    }
    let inner = inner_loops(ctx, body, root, branch)?;
    let nest = NumberedNest::new(ctx, body, root, inner)?;
    let is_legal = is_alone(deps, root, load, &stores)
        && obstacle(ctx, body, root.0, options.target.as_ref()).is_none();
    is_legal.then_some(ArgUpdate {
        nest,
        load,
        kept,
        branch,
        element,
    })
}

/// The only conditional of a nest that stores; `None` if an operation outside of it has effects
/// other than loads.
fn only_branch_that_stores(body: &Body, root: ForOp) -> Option<OpId> {
    let below = body.walk_op(root.0);
    let stores = below.iter().filter(|&&op| is_store(body, op));
    let mut branch = None;
    for &store in stores {
        let around = body
            .parent_op(store)
            .filter(|&op| body[op].name == scf::IF)?;
        if *branch.get_or_insert(around) != around {
            return None;
        }
    }
    let is_quiet = |&op: &OpId| {
        let name = body[op].name;
        let is_structure = matches!(name, affine::FOR | affine::IF | scf::IF);
        let is_plain = name.has(Traits::PURE) || name.has(Traits::TERMINATOR);
        is_structure || is_load(body, op) || is_store(body, op) || is_plain
    };
    branch.filter(|_| below.iter().all(is_quiet))
}

/// Matches a branch that keeps an extremum: its load, the extremum and the stores.
fn update_of(
    ctx: &Context,
    body: &Body,
    uses: &Uses,
    branch: OpId,
) -> Option<(OpId, CompareSelect, Vec<OpId>)> {
    let condition = *body[branch].operands.first()?;
    let compare = body.defining_op(condition)?;
    let block = body[branch].parent()?;
    let has_else = body
        .region_block(branch, 1)
        .is_some_and(|other| body.ops(other).count() > 1);
    if body[branch].num_results() > 0 || has_else {
        return None;
    }
    let used_once = |value: Value| uses.of(value).len() == 1;
    let load = body[compare].operands.iter().find_map(|&value| {
        let load = body.defining_op(value)?;
        let is_here = body[load].name == memref::LOAD && body[load].parent() == Some(block);
        (is_here && used_once(value) && is_held(ctx, body, branch, load)).then_some(load)
    })?;
    let element = Element::of(ctx, body, load)?;
    let kept = CompareSelect::by(ctx, body, condition, body[load].result(0), true)?;
    let mut known = AvailableValues::before(ctx, body, branch)?;
    let (mut stores, mut is_kept) = (Vec::new(), false);
    for op in body.ops(body.region_block(branch, 0)?) {
        if is_store(body, op) {
            let stored = known.element(op)?;
            let is_same = stored.operands == element.operands && stored.map == element.map;
            let is_own = stored.memref == element.memref;
            let value = known.resolve(body[op].operands[0]);
            if !is_same || is_own && (is_kept || value != kept.candidate) {
                return None;
            }
            is_kept |= is_own;
            stores.push(op);
        } else if body[op].name != scf::YIELD {
            if !body[op].inline_regions().is_empty() {
                return None;
            }
            // A repeated load gives the same value: nothing else writes.
            known.same_as(op);
        }
    }
    let is_whole = is_kept && used_once(condition) && body[compare].parent() == Some(block);
    is_whole.then_some((load, kept, stores))
}

/// Whether the branch stores to the element that a load reads.
fn is_held(ctx: &Context, body: &Body, branch: OpId, load: OpId) -> bool {
    let memref = Element::of(ctx, body, load).map(|element| element.memref);
    let below = body.walk_op(branch).into_iter();
    let mut stores = below.filter(|&op| is_store(body, op));
    stores.any(|store| Element::of(ctx, body, store).map(|element| element.memref) == memref)
}

/// Whether different subscripts always mean different elements, and the sizes are available.
fn is_numbered(ctx: &Context, body: &Body, load: OpId) -> bool {
    let memref = memref::LoadOp(load).memref(body);
    let ty = body.ty(memref).memref(ctx);
    let is_plain = ty.is_some_and(|ty| ty.layout.is_none() && ty.rank() > 0);
    is_plain && has_affine_extents(ctx, body, memref)
}

/// The loops between `root` and a branch, outermost first, with constant lower bounds and extents;
/// `None` where something else is on the way.
fn inner_loops(
    ctx: &Context,
    body: &Body,
    root: ForOp,
    branch: OpId,
) -> Option<Vec<(ForOp, i64, i64)>> {
    let mut inner = Vec::new();
    for op in body.ancestors(branch).take_while(|&op| op != root.0) {
        let Some(l) = ForOp::cast(body, op) else {
            matches!(body[op].name, affine::IF | scf::IF).then_some(())?;
            continue;
        };
        let lower = l.constant_lower(ctx, body)?;
        let upper = l.constant_upper(ctx, body)?;
        if body[op].num_results() > 0 {
            return None;
        }
        inner.push((l, lower, upper.checked_sub(lower)?));
    }
    inner.reverse();
    Some(inner)
}

/// Whether no other operation of the nest touches the memory of the load and of the stores.
fn is_alone(deps: &mut Dependences, root: ForOp, load: OpId, stores: &[OpId]) -> bool {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let accesses = accesses_below(&mut deps.values, root.0);
    if accesses.len() > MAX_ACCESSES || accesses.iter().any(|a| a.place == Place::Anything) {
        return false;
    }
    let memref_of = |op: OpId| Element::of(ctx, body, op).map(|element| element.memref);
    let is_plain = |&op: &OpId| {
        let ty = memref_of(op).and_then(|memref| body.ty(memref).memref(ctx));
        ty.is_some_and(|ty| ty.layout.is_none())
    };
    let scope = Scope::AnyIterations(root.0);
    stores.iter().all(is_plain)
        && stores.iter().chain([&load]).all(|&op| {
            let own = accesses.iter().find(|a| a.op == op);
            own.is_some_and(|own| {
                accesses.iter().all(|other| {
                    let is_own = other.op == op
                        || stores.contains(&other.op) && memref_of(other.op) == memref_of(op)
                        || other.op == load && memref_of(load) == memref_of(op);
                    is_own || !deps.may_overlap(scope, own, other)
                })
            })
        })
}
