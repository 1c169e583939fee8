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
//! iterations update one element; but once the short loops of a subscript are fixed, iterations of the
//! long one update different elements. The short loops come outermost and stay sequential, each of their
//! few iterations a launch; then the long loops, parallel; innermost the loops that the subscripts do
//! not use, as a reduction.
//!
//! Legal where the nest is perfect and rectangular and its only effect is to combine an element, by one
//! associative and commutative operation, with a value that does not depend on what the nest stores:
//! the updates of an element may then run in any order. Float updates need permission to reassociate.
//! A nest that stores anything else, or in which two subscripts use one loop, is left as it is.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_ir::{Context, Module, OpId};

use super::affine_imperfect_interchange::statement::collected;
use super::affine_loop_permute::{Permutation, perfect_nest};
use super::plans::{change_by_plans, plan_outermost};
use crate::analysis::access::{Access, Place, accesses_of};
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::parallel::is_free;
use crate::analysis::values::Atom;
use crate::target::OffloadOptions;

/// Most iterations of the sequential loops together: each is a launch.
const MAX_LAUNCHES: u64 = 64;

/// Least trip count of a loop that is worth being made parallel.
const MIN_TRIPS: u64 = 8;

/// Least iterations of the loops inside a launch: below, the launch costs more than they do.
const MIN_WORK: u64 = 1 << 13;

/// Most accesses of a nest that are compared.
const MAX_ACCESSES: usize = 16;

/// Permutes the nests of updates in the host functions of a module. Returns whether anything changed.
pub fn permute_updates(ctx: &Context, module: &mut Module, options: &OffloadOptions) -> bool {
    change_by_plans(
        ctx,
        module,
        1,
        |body, globals| {
            plan_outermost(ctx, body, globals, |deps, root| {
                plan_nest(deps, root, options.reassociate)
            })
        },
        |plan, body| plan.apply(ctx, body),
    )
}

fn plan_nest(deps: &mut Dependences, root: ForOp, reassociate: bool) -> Option<Permutation> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let (nest, before) = perfect_nest(deps, root);
    let innermost = nest.last()?.block(body);
    let ops: Vec<OpId> = (before.iter().copied())
        .chain(body.ops(innermost))
        .filter(|&op| body[op].name != affine::YIELD)
        .collect();
    let is_rectangular = nest.iter().all(|l| {
        let mut counters = nest.iter().map(|l| l.induction_var(body));
        counters.all(|counter| !body[l.0].operands.contains(&counter))
    });
    let is_plain = ops.iter().all(|&op| body[op].num_regions() == 0);
    if nest.len() < 3 || !is_rectangular || !is_plain {
        return None;
    }
    let update = collected(ctx, body, &ops).filter(|update| reassociate || !update.keeps_order)?;
    let mut accesses = Vec::new();
    for &op in &ops {
        accesses_of(&mut deps.values, op, &mut accesses);
    }
    if accesses.len() > MAX_ACCESSES || !meets_nothing_else(deps, root, &accesses, update.halves())
    {
        return None;
    }
    let store = accesses.iter().find(|access| access.op == update.store)?;
    let order = order_of(deps, &nest, store, &accesses)?;
    Some(Permutation {
        nest,
        before,
        order,
    })
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

/// The sequential loops, the parallel ones, and those that the updated element does not depend on;
/// [`None`] where no loop becomes parallel.
fn order_of(
    deps: &mut Dependences,
    nest: &[ForOp],
    store: &Access,
    accesses: &[Access],
) -> Option<Vec<usize>> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let Place::Element { coords, .. } = &store.place else {
        return None;
    };
    let trips = |k: usize| nest[k].constant_trip_count(ctx, body);
    let mut is_moving = vec![false; nest.len()];
    let (mut sequential, mut parallel) = (Vec::new(), Vec::new());
    for &coord in coords {
        let mut along = Vec::new();
        for (k, l) in nest.iter().enumerate() {
            let counter = Atom::Value(l.induction_var(body));
            let counter = deps.values.atom_number(counter);
            if deps.values.coefficient(coord, counter)? != 0 {
                // Where one loop is in two subscripts, its iterations may share elements.
                if std::mem::replace(&mut is_moving[k], true) {
                    return None;
                }
                along.push(k);
            }
        }
        if along
            .iter()
            .all(|&k| is_free(deps, nest[0].0, nest[k].0, accesses))
        {
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
    let rest: Vec<usize> = (0..nest.len()).filter(|&k| !is_moving[k]).collect();
    let order = [sequential, parallel, rest].concat();
    (!order.is_sorted()).then_some(order)
}
