//! Promotion: turns an element that every iteration of a loop reads and then writes into a carried
//! value; [`super`] shows it before and after.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::scf;
use gridloom_ir::affine::AffineConstraint;
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{
    AffineExpr, AffineMap, Body, Builder, Context, InsertPoint, IntegerSet, OpId, Type, Value,
};

use super::{Scalrep, is_element};
use crate::analysis::access::{Access, Place, accesses_below};
use crate::analysis::alias::Globals;
use crate::analysis::bounds::is_excluded;
use crate::analysis::budget::{Budgets, root_of_nest};
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::domain::{domain, fitting};
use crate::analysis::interval::Interval;
use crate::analysis::parallel::MAX_ACCESSES;
use crate::analysis::system::{Combination, Instance};
use crate::transform::compose::{Composed, Form, compose};
use crate::transform::emit_loops::rebuilt;
use crate::transform::lower_affine::expand_best;

/// Promotion plan: an element that a loop can carry.
pub(super) struct Promotion {
    op: ForOp,
    /// Loads and stores of the element, all directly in the loop's block, in order.
    accesses: Vec<OpId>,
    memref: Value,
    map: AffineMap,
    operands: Vec<Value>,
    /// The guard that the loop has an iteration, if that is not known and matters.
    guard: Option<Guard>,
}

/// Guard: the condition that a loop has an iteration.
enum Guard {
    /// An integer set that the operands lie in.
    Set(IntegerSet, Vec<Value>),
    /// A comparison of the greatest lower bound with the least upper bound, where their difference
    /// may wrap around, so that no set expresses it.
    Compared,
}

pub(super) fn find_promotion(
    ctx: &Context,
    body: &Body,
    globals: &Globals,
    op: ForOp,
    budgets: &mut Budgets,
    done: &mut Scalrep,
) -> Option<Promotion> {
    let mut deps = Dependences::new(ctx, body, globals);
    // All loops of a nest share one budget, however often the body changes.
    deps.budgets = std::mem::take(budgets);
    let promotion = promotion_in(&mut deps, op);
    done.relied_on_arguments |= promotion.is_some() && deps.aliases.relied_on_arguments();
    *budgets = deps.budgets;
    promotion
}

fn promotion_in(deps: &mut Dependences, op: ForOp) -> Option<Promotion> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let accesses = accesses_below(&mut deps.values, op.0);
    if accesses.len() > MAX_ACCESSES || accesses.iter().any(|a| a.place == Place::Anything) {
        return None;
    }
    let loads = accesses.iter().filter(|a| is_first_load(body, op, a));
    let loads: Vec<Access> = loads.cloned().collect();
    for load in loads {
        let (group, others): (Vec<&Access>, Vec<&Access>) =
            accesses.iter().partition(|a| a.place == load.place);
        if !is_carried_in_place(deps, op, &load, &group, &others) {
            continue;
        }
        let unproved = unproved_pairs(deps, op);
        let guard = match unproved.is_empty() || is_stored_beside(deps, op, &load) {
            true => None,
            false => Some(run_condition(deps, op, &unproved)?),
        };
        let source = affine::LoadOp(load.op);
        return Some(Promotion {
            op,
            accesses: group.iter().map(|a| a.op).collect(),
            memref: source.memref(body),
            map: source.map(ctx, body),
            operands: source.operands(body).to_vec(),
            guard,
        });
    }
    None
}

/// Whether an access is an `affine.load` directly in the loop, with subscripts from outside of it.
fn is_first_load(body: &Body, op: ForOp, access: &Access) -> bool {
    if access.is_write || body[access.op].name != affine::LOAD || !is_element(access) {
        return false;
    }
    let mut operands = body[access.op].operands.iter();
    body[access.op].parent() == Some(op.block(body))
        && !operands.any(|&value| body.is_defined_in(value, op.0))
}

/// Whether all accesses to the element stand in the loop's own block, the first is the load and one
/// is a store, and no other access may alias it.
fn is_carried_in_place(
    deps: &mut Dependences,
    op: ForOp,
    load: &Access,
    group: &[&Access],
    others: &[&Access],
) -> bool {
    let body = deps.values.body;
    let block = op.block(body);
    let is_direct = |a: &&Access| {
        body[a.op].parent() == Some(block)
            && matches!(body[a.op].name, affine::LOAD | affine::STORE)
    };
    let element = body.ty(body[load.op].result(0));
    let starts = group.first().is_some_and(|first| first.op == load.op);
    let has_store = group.iter().any(|a| a.is_write);
    if !starts || !has_store || !group.iter().all(is_direct) {
        return false;
    }
    let same_type = group.iter().all(|a| match a.is_write {
        true => body.ty(affine::StoreOp(a.op).value(body)) == element,
        false => body.ty(body[a.op].result(0)) == element,
    });
    let scope = Scope::AnyIterations(op.0);
    same_type
        && others
            .iter()
            .all(|other| !deps.may_overlap(scope, load, other))
}

/// The pairs of a lower and an upper bound, by their places, of which the loops and conditions around the loop do not imply
/// that the upper one exceeds the lower one. Without any, the loop has an iteration whenever it is reached.
fn unproved_pairs(deps: &mut Dependences, op: ForOp) -> Vec<[usize; 2]> {
    let values = &mut deps.values;
    let (ctx, body) = (values.ctx, values.body);
    let (lower, upper) = (op.lower(ctx, body), op.upper(ctx, body));
    let env = values.environment_at(op.0);
    let lowers = values.map_exprs(op.0, lower.map, lower.operands);
    let uppers = values.map_exprs(op.0, upper.map, upper.operands);
    let [lowers, uppers] = [lowers, uppers].map(|bounds| fitting(values, &bounds, env));
    let work = deps.budgets.of(root_of_nest(body, op.0));
    let around = domain(values, op.0);
    let mut is_proved = |low, high| {
        let empty = Combination::of(low, Instance::First).plus(-1, high, Instance::First);
        let mut cases = around.disjuncts.iter();
        cases.all(|holds| is_excluded(values, [holds, &[]], empty.clone(), work).is_yes())
    };
    let mut unproved = Vec::new();
    for (l, &low) in lowers.iter().enumerate() {
        for (u, &high) in uppers.iter().enumerate() {
            if !low
                .zip(high)
                .is_some_and(|(low, high)| is_proved(low, high))
            {
                unproved.push([l, u]);
            }
        }
    }
    unproved
}

/// Whether the block of the loop stores the element itself, with nothing of unknown effects in between: then no
/// other thread may touch it meanwhile, and a store of what it holds changes nothing.
fn is_stored_beside(deps: &mut Dependences, op: ForOp, load: &Access) -> bool {
    let body = deps.values.body;
    let behind = std::iter::successors(body[op.0].next(), |&op| body[op].next());
    let before = std::iter::successors(body[op.0].prev(), |&op| body[op].prev());
    let mut is_stored = |siblings: &mut dyn Iterator<Item = OpId>| {
        for sibling in siblings.take(MAX_SIBLINGS) {
            let accesses = accesses_below(&mut deps.values, sibling);
            if accesses.iter().any(|a| a.place == Place::Anything) {
                return false;
            }
            let is_store = body[sibling].name == affine::STORE;
            if is_store && accesses.iter().any(|a| a.place == load.place) {
                return true;
            }
        }
        false
    };
    is_stored(&mut { behind }) || is_stored(&mut { before })
}

/// Most operations beside a loop that are searched, on either side.
const MAX_SIBLINGS: usize = 32;

/// The guard that every upper bound exceeds every lower one, as the machine computes them, for the pairs of which that is
/// not proved.
fn run_condition(deps: &mut Dependences, op: ForOp, unproved: &[[usize; 2]]) -> Option<Guard> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let (lower, upper) = (op.lower(ctx, body), op.upper(ctx, body));
    let (l, u) = (lower.map.data(ctx), upper.map.data(ctx));
    let (low_dims, low_symbols) = lower.operands.split_at_checked(l.dims as usize)?;
    let (high_dims, high_symbols) = upper.operands.split_at_checked(u.dims as usize)?;
    // Operands of both maps are concatenated, so those of the upper one are shifted.
    let dims: Vec<_> = (0..u.dims).map(|i| ctx.affine_dim(l.dims + i)).collect();
    let symbols: Vec<_> = (0..u.symbols)
        .map(|i| ctx.affine_symbol(l.symbols + i))
        .collect();
    let env = deps.values.environment_at(op.0);
    let lows = deps.values.map_exprs(op.0, lower.map, lower.operands);
    let highs = deps.values.map_exprs(op.0, upper.map, upper.operands);
    let mut exprs = Vec::new();
    for &[low, high] in unproved {
        let (low_expr, high_expr) = (*lows.get(low)?, *highs.get(high)?);
        let (low, high) = (l.results.get(low)?, u.results.get(high)?);
        let high = high.replace(ctx, &dims, &symbols);
        let distance = ctx.affine_add(ctx.affine_sub(high, *low), ctx.affine_const(-1));
        let Some((low_expr, high_expr)) = low_expr.zip(high_expr) else {
            return Some(Guard::Compared);
        };
        let values = &mut deps.values;
        let last = ctx.affine_add(ctx.affine_sub(high_expr, low_expr), ctx.affine_const(-1));
        if !values.fits(last, env) {
            // The difference of two non-negative bounds cannot overflow.
            let low = values.interval(low_expr, env);
            let is_positive = low.is_some_and(|low| low.is_within(NOT_NEGATIVE));
            if !is_positive || !values.fits(high_expr, env) {
                return Some(Guard::Compared);
            }
            exprs.push(high);
        }
        exprs.push(distance);
    }
    let dims = [low_dims, high_dims].concat();
    let symbols = [low_symbols, high_symbols].concat();
    // A condition on sizes alone leaves the loops whose counters it does not mention.
    let composed = compose(ctx, body, &exprs, [&dims, &symbols], None, Form::AsBuilt);
    let form = composed.unwrap_or(Composed {
        exprs,
        dims,
        symbols,
    });
    let constraints: Vec<AffineConstraint> = form.exprs.iter().map(|&e| at_least_zero(e)).collect();
    let [dims, symbols] = [&form.dims, &form.symbols].map(|all| all.len() as u32);
    let set = ctx.integer_set(dims, symbols, &constraints);
    Some(Guard::Set(set, form.operands()))
}

const NOT_NEGATIVE: Interval = Interval {
    least: 0,
    ..Interval::MACHINE
};

fn at_least_zero(expr: AffineExpr) -> AffineConstraint {
    AffineConstraint { expr, is_eq: false }
}

impl Promotion {
    /// Whether the new loop stands under a guard.
    pub(super) fn is_guarded(&self) -> bool {
        self.guard.is_some()
    }

    /// Promotes the element. Returns the new loop.
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) -> ForOp {
        let old = self.op;
        let inits = old.inits(ctx, body).to_vec();
        let old_results: Vec<Value> = body[old.0].results().collect();
        let types: Vec<_> = old_results.iter().map(|&r| body.ty(r)).collect();
        let mut b = Builder::before(ctx, body, old.0);
        let mut finished: Vec<Value> = Vec::new();
        if let Some(guard) = &self.guard {
            finished = self.enter_guard(&mut b, guard, &types, &inits);
        }
        let first = affine::LoadOp::create(&mut b, self.memref, self.map, &self.operands);
        let new = self.rebuild(&mut b, &inits, first);
        let results: Vec<Value> = b.body[new.0].results().collect();
        let (&carried, others) = results.split_last().unwrap_or((&first, &[]));
        affine::StoreOp::create(&mut b, carried, self.memref, self.map, &self.operands);
        match &self.guard {
            Some(Guard::Set(..)) => {
                b.create(b.state(affine::YIELD).operands(others));
            }
            Some(Guard::Compared) => {
                b.create(b.state(scf::YIELD).operands(others));
            }
            None => finished = others.to_vec(),
        }
        let map: FxHashMap<Value, Value> = old_results.into_iter().zip(finished).collect();
        if !map.is_empty() {
            for user in body.walk_scope(old.0) {
                for operand in &mut body[user].operands {
                    *operand = map.get(operand).copied().unwrap_or(*operand);
                }
            }
        }
        body.erase(old.0);
        new
    }

    /// Emits the guard and moves the builder to where it holds. Returns its results.
    fn enter_guard(
        &self,
        b: &mut Builder,
        guard: &Guard,
        types: &[Type],
        inits: &[Value],
    ) -> Vec<Value> {
        let (op, block) = match guard {
            Guard::Set(set, operands) => {
                let guard = affine::IfOp::create(b, *set, operands, types, !types.is_empty());
                if let Some(block) = guard.else_block(b.body) {
                    affine::yield_values(b, block, inits);
                }
                (guard.0, guard.then_block(b.body))
            }
            Guard::Compared => {
                let [low, high] = bound_values(b, self.op);
                let runs = CmpIOp::create(b, CmpIPredicate::Slt, low, high);
                let guard = scf::IfOp::create(b, runs, types, !types.is_empty());
                if let Some(block) = guard.else_block(b.body) {
                    scf::yield_values(b, block, inits);
                }
                (guard.0, guard.then_block(b.body))
            }
        };
        b.set(InsertPoint::End(block));
        b.body[op].results().collect()
    }

    /// Rebuilds the loop with one more carried value, around the old loop's block.
    fn rebuild(&self, b: &mut Builder, inits: &[Value], first: Value) -> ForOp {
        let new = rebuilt(b, self.op, &[inits, &[first]].concat());
        let body = &mut *b.body;
        let block = new.block(body);
        let mut current = *new.iter_args(body).last().unwrap_or(&first);
        self.use_values(body, new.0, &mut current);
        if let Some(last) = body[block].last() {
            body[last].operands.push(current);
        }
        new
    }

    /// Replaces the accesses, in order, by the element's value there.
    fn use_values(&self, body: &mut Body, new: OpId, current: &mut Value) {
        for &access in &self.accesses {
            if let Some(store) = affine::StoreOp::cast(body, access) {
                *current = store.value(body);
            } else {
                let (result, value) = (body[access].result(0), *current);
                body.replace_values_in(new, |v| if v == result { value } else { v });
            }
            body.erase(access);
        }
    }
}

/// Emits the greatest lower and the least upper bound of a loop.
fn bound_values(b: &mut Builder, op: ForOp) -> [Value; 2] {
    let (lower, upper) = (op.lower(b.ctx, b.body), op.upper(b.ctx, b.body));
    let (low_map, low_operands) = (lower.map, lower.operands.to_vec());
    let (high_map, high_operands) = (upper.map, upper.operands.to_vec());
    [
        expand_best(b, arith::MAXSI, low_map, &low_operands),
        expand_best(b, arith::MINSI, high_map, &high_operands),
    ]
}
