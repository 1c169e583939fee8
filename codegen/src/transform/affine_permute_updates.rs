//! `affine-permute-updates`: permutes a nest that updates elements of an array by a reduction, so that
//! some of its loops become parallel.
//!
//! ```text
//! affine.for %b = 0 to %c {                       affine.for %p = 0 to 3 {
//!   affine.for %i = 0 to %n {                       affine.for %i = 0 to %n {
//!     affine.for %p = 0 to 3 {              ⇒         affine.for %b = 0 to %c {
//!       %y[%i * 2 + %p] +=                              %y[%i * 2 + %p] +=
//!         %x[%b, %i] * %k[%b, %p]                         %x[%b, %i] * %k[%b, %p]
//! } } }                                           } } }
//! ```
//!
//! Transposed convolutions in scatter form are such nests. Every loop carries a dependence, as different
//! iterations update one element. Where a subscript adds a counter as it is, as `%i * 2 + %p` adds `%p`, a loop over the
//! subscript takes its place ([`gather`](mod@gather)): a thread computes an element, in one launch. Else, once the short
//! loops of a subscript are fixed, iterations of the long one update different elements. The short loops come outermost
//! and stay sequential, each of their few iterations a launch; then the long loops, parallel; innermost the loops that the
//! subscripts do not use, as a reduction.
//!
//! Legal where the nest is perfect and its only effect is to combine an element, by one
//! associative and commutative operation, with a value that does not depend on what the nest stores:
//! the updates of an element may then run in any order. A permuted nest is rectangular as well, and needs permission to
//! reassociate float updates; a gather keeps the order of an element's updates.
//! A nest that stores anything else, or in which two subscripts use one loop, is left as it is.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_ir::{Context, Module, OpId};
use gridloom_rewrite::canonicalize::canonicalize;
use gridloom_rewrite::globals::ConstantGlobals;

use super::affine_guard_overflow::is_fallback;
use super::affine_imperfect_interchange::statement::collected;
use super::affine_loop_permute::{Permutation, perfect_nest};
use super::affine_schedule::Rescheduled;
use super::plans::{change_by_plans, plan_outermost};
use crate::analysis::access::{Access, Place, accesses_of};
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::parallel::is_free;
use crate::analysis::values::Atom;
use crate::target::OffloadOptions;

use self::gather::gather;

mod gather;

/// Limit of the nests of a function that are changed, one after the other.
const MAX_NESTS: usize = 64;

/// Most iterations of the sequential loops together: each is a launch.
const MAX_LAUNCHES: u64 = 64;

/// Least trip count of a loop that is worth being made parallel.
const MIN_TRIPS: u64 = 8;

/// Least iterations of a launch: below, it costs more than they do.
const MIN_WORK: u64 = 1 << 13;

/// Most accesses of a nest that are compared.
const MAX_ACCESSES: usize = 16;

/// Permutes the nests of updates in the host functions of a module. Returns whether anything changed.
pub fn permute_updates(ctx: &Context, module: &mut Module, options: &OffloadOptions) -> bool {
    change_by_plans(
        ctx,
        module,
        MAX_NESTS,
        |body, globals| {
            let (mut plans, relies) = plan_outermost(ctx, body, globals, |deps, root| {
                plan_nest(deps, root, options.reassociate)
            });
            // Other plans do not outlive the canonicalization behind one.
            plans.truncate(1);
            (plans, relies)
        },
        |plan, body| match plan {
            Change::Gather(plan) => {
                plan.apply(ctx, body);
                // Subscripts become the counters of their loops, which the mapping's model counts as such.
                canonicalize(ctx, body, &ConstantGlobals::default());
            }
            Change::Permute(plan) => plan.apply(ctx, body),
        },
    )
}

/// Plan of one nest.
enum Change {
    Gather(Box<Rescheduled>),
    Permute(Permutation),
}

fn plan_nest(deps: &mut Dependences, root: ForOp, reassociate: bool) -> Option<Change> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let (nest, before) = perfect_nest(deps, root);
    let innermost = nest.last()?.block(body);
    let ops: Vec<OpId> = (before.iter().copied())
        .chain(body.ops(innermost))
        .filter(|&op| body[op].name != affine::YIELD)
        .collect();
    let is_plain = ops.iter().all(|&op| body[op].num_regions() == 0);
    // What runs where the test of a gather's bounds fails stays as it is.
    if nest.len() < 2 || !is_plain || is_fallback(body, root.0) {
        return None;
    }
    let update = collected(ctx, body, &ops)?;
    let mut accesses = Vec::new();
    for &op in &ops {
        accesses_of(&mut deps.values, op, &mut accesses);
    }
    if accesses.len() > MAX_ACCESSES || !meets_nothing_else(deps, root, &accesses, update.halves())
    {
        return None;
    }
    let store = accesses.iter().find(|access| access.op == update.store)?;
    let subscripts = Subscripts::of(deps, &nest, store, &accesses)?;
    if let Some(plan) = subscripts.gather(deps, &nest) {
        return Some(Change::Gather(Box::new(plan)));
    }
    let is_rectangular = nest.iter().all(|l| {
        let mut counters = nest.iter().map(|l| l.induction_var(body));
        counters.all(|counter| !body[l.0].operands.contains(&counter))
    });
    let may_permute = is_rectangular && (reassociate || !update.keeps_order);
    let order = may_permute.then(|| subscripts.order(deps, &nest))??;
    Some(Change::Permute(Permutation {
        nest,
        before,
        order,
    }))
}

/// Whether no access but the load and the store of the update itself touches the stored memory.
fn meets_nothing_else(
    deps: &mut Dependences,
    root: ForOp,
    accesses: &[Access],
    halves: [OpId; 2],
) -> bool {
    let scope = Scope::AnyIterations(root.0);
    let stores = accesses.iter().filter(|access| access.is_write);
    let others = |access: &&Access| !halves.contains(&access.op);
    stores.clone().all(|store| halves.contains(&store.op))
        && stores.into_iter().all(|store| {
            let mut others = accesses.iter().filter(others);
            others.all(|other| deps.test(scope, other, store).is_independent())
        })
}

/// The loops that move the subscripts of the updated element.
struct Subscripts {
    /// For each subscript its loops, each with the elements by which an iteration moves it.
    along: Vec<Vec<(usize, i64)>>,
    /// For each subscript whether iterations that differ in its loops update different elements.
    are_free: Vec<bool>,
}

impl Subscripts {
    /// [`None`] where a loop is in two subscripts: its iterations may share elements.
    fn of(
        deps: &mut Dependences,
        nest: &[ForOp],
        store: &Access,
        accesses: &[Access],
    ) -> Option<Subscripts> {
        let (ctx, body) = (deps.values.ctx, deps.values.body);
        let Place::Element { coords, .. } = &store.place else {
            return None;
        };
        let mut found = Subscripts {
            along: Vec::new(),
            are_free: Vec::new(),
        };
        let mut is_moving = vec![false; nest.len()];
        for &coord in coords {
            let mut along = Vec::new();
            for (k, l) in nest.iter().enumerate() {
                let counter = deps.values.atom_number(Atom::Value(l.induction_var(body)));
                let factor = deps.values.coefficient(coord, counter)?;
                if factor != 0 {
                    if std::mem::replace(&mut is_moving[k], true) {
                        return None;
                    }
                    along.push((k, factor.checked_mul(l.step(ctx, body))?));
                }
            }
            let mut loops = along.iter();
            let is_apart = loops.all(|&(k, _)| is_free(deps, nest[0].0, nest[k].0, accesses));
            found.are_free.push(is_apart);
            found.along.push(along);
        }
        Some(found)
    }

    /// The gather of a nest in which a subscript ties loops, where it has enough elements and iterations.
    fn gather(&self, deps: &mut Dependences, nest: &[ForOp]) -> Option<Rescheduled> {
        let (ctx, body) = (deps.values.ctx, deps.values.body);
        let trips = |k: usize| nest[k].constant_trip_count(ctx, body).unwrap_or(MIN_WORK);
        let work = (0..nest.len()).fold(1u64, |all, k| all.saturating_mul(trips(k)));
        let pairs = || self.along.iter().zip(&self.are_free);
        let mut tied = pairs()
            .filter(|(_, is_free)| !**is_free)
            .map(|(along, _)| along);
        let is_long = |along: &Vec<(usize, i64)>| along.iter().any(|&(k, _)| trips(k) >= MIN_TRIPS);
        let pays = tied.clone().next().is_some() && tied.all(is_long) && work >= MIN_WORK;
        // Loops that are free as they are stay loops of their own.
        let subscripts: Vec<Vec<(usize, i64)>> = pairs()
            .flat_map(|(along, is_free)| match is_free {
                true => along.iter().map(|&one| vec![one]).collect(),
                false => vec![along.clone()],
            })
            .collect();
        pays.then(|| gather(deps, nest, &subscripts))?
    }

    /// The sequential loops, the parallel ones, and those that the updated element does not depend on;
    /// [`None`] where no loop becomes parallel.
    fn order(&self, deps: &Dependences, nest: &[ForOp]) -> Option<Vec<usize>> {
        let (ctx, body) = (deps.values.ctx, deps.values.body);
        let trips = |k: usize| nest[k].constant_trip_count(ctx, body);
        let (mut sequential, mut parallel) = (Vec::new(), Vec::new());
        for (along, &is_free) in self.along.iter().zip(&self.are_free) {
            let along: Vec<usize> = along.iter().map(|&(k, _)| k).collect();
            if is_free {
                parallel.extend(along);
                continue;
            }
            // The longest loop of a subscript becomes parallel; among equals, the outermost.
            let length = |&k: &usize| trips(k).unwrap_or(u64::MAX);
            let longest = along.iter().rev().copied().max_by_key(length)?;
            if length(&longest) < MIN_TRIPS {
                return None;
            }
            parallel.push(longest);
            sequential.extend(along.into_iter().filter(|&k| k != longest));
        }
        let launches = (sequential.iter()).try_fold(1u64, |all, &k| all.checked_mul(trips(k)?));
        if sequential.is_empty() || launches.is_none_or(|launches| launches > MAX_LAUNCHES) {
            return None;
        }
        let others = (0..nest.len()).filter(|k| !sequential.contains(k));
        let work = others.fold(1u64, |all, k| {
            all.saturating_mul(trips(k).unwrap_or(MIN_WORK))
        });
        if work < MIN_WORK {
            return None;
        }
        sequential.sort_unstable();
        parallel.sort_unstable();
        let is_moving = |k: &usize| self.along.iter().flatten().any(|(moving, _)| moving == k);
        let rest: Vec<usize> = (0..nest.len()).filter(|k| !is_moving(k)).collect();
        let order = [sequential, parallel, rest].concat();
        (!order.is_sorted()).then_some(order)
    }
}
