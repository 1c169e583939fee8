//! Promotion: turns an element that every iteration of a loop reads and then writes into a carried
//! value; [`super`] shows it before and after.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::{func, memref, scf};
use gridloom_ir::affine::AffineConstraint;
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{
    AffineExpr, AffineMap, BlockId, Body, Builder, Context, InsertPoint, IntegerSet, OpId, Type,
    Value,
};

use super::{Scalrep, is_element};
use crate::analysis::access::{Access, Place, accesses_below};
use crate::analysis::alias::Globals;
use crate::analysis::bounds::is_excluded;
use crate::analysis::budget::{Budgets, root_of_nest};
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::domain::{domain, fitting};
use crate::analysis::interval::Interval;
use crate::analysis::parallel::{MAX_ACCESSES, verdict};
use crate::analysis::system::{Combination, Instance};
use crate::transform::affine_if_conversion::common_stores::with_more_results;
use crate::transform::affine_if_conversion::is_beside_others;
use crate::transform::compose::{Composed, Form, compose};
use crate::transform::emit_loops::rebuilt;
use crate::transform::lower_affine::expand_best;

/// Promotion plan: an element that a loop can carry.
pub(super) struct Promotion {
    op: ForOp,
    /// Loads and stores of the element, in the loop's block or in branches there, in order.
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
    let mut seen: Vec<&Place> = Vec::new();
    for own in accesses.iter().filter(|a| is_element(a)) {
        let Some(source) = affine::Access::cast(body, own.op) else {
            continue;
        };
        if !is_from_outside(body, op, own) || seen.contains(&&own.place) {
            continue;
        }
        seen.push(&own.place);
        let (group, others): (Vec<&Access>, Vec<&Access>) =
            accesses.iter().partition(|a| a.place == own.place);
        let Some(anchor) = anchor_of(deps, op, &group) else {
            continue;
        };
        let scope = Scope::AnyIterations(op.0);
        let is_alone = others
            .iter()
            .all(|other| !deps.may_overlap(scope, own, other));
        if !is_alone {
            continue;
        }
        let guard = match anchor {
            Anchor::StoredBefore => None,
            Anchor::Loaded => {
                let unproved = unproved_pairs(deps, op);
                match unproved.is_empty() || is_stored_beside(deps, op, own) {
                    true => None,
                    false => Some(run_condition(deps, op, &unproved)?),
                }
            }
        };
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

/// Proof that an element may be loaded in front of a loop and stored behind it.
enum Anchor {
    /// Every iteration loads it first.
    Loaded,
    /// The block of the loop stores it before.
    StoredBefore,
}

/// The proof for an element by its accesses in a loop, all of which stand in the loop's own block or in branches there, and one
/// of which is a store.
fn anchor_of(deps: &mut Dependences, op: ForOp, group: &[&Access]) -> Option<Anchor> {
    let body = deps.values.body;
    let block = op.block(body);
    let first = *group.first()?;
    let is_plain = |a: &&Access| matches!(body[a.op].name, affine::LOAD | affine::STORE);
    if !group.iter().all(is_plain) || !group.iter().any(|a| a.is_write) {
        return None;
    }
    let element = |a: &Access| match a.is_write {
        true => body.ty(affine::StoreOp(a.op).value(body)),
        false => body.ty(body[a.op].result(0)),
    };
    if group.iter().any(|a| element(a) != element(first)) {
        return None;
    }
    let is_direct = |a: &Access| body[a.op].parent() == Some(block);
    let is_loaded = is_direct(first) && !first.is_write && is_from_outside(body, op, first);
    if group.iter().all(|a| is_direct(a)) {
        return is_loaded.then_some(Anchor::Loaded);
    }
    if !group.iter().all(|a| is_below_branches(body, a.op, block)) || !is_in_thread(deps, op) {
        return None;
    }
    if is_loaded {
        return Some(Anchor::Loaded);
    }
    (!is_direct(first) && is_stored_before(deps, op, first)).then_some(Anchor::StoredBefore)
}

/// Whether the operands of an access are from outside of a loop.
fn is_from_outside(body: &Body, op: ForOp, access: &Access) -> bool {
    let operands = &body[access.op].operands[usize::from(access.is_write)..];
    let mut operands = operands.iter();
    !operands.any(|&value| body.is_defined_in(value, op.0))
}

/// Whether an operation stands in a block or in branches of conditions there.
fn is_below_branches(body: &Body, op: OpId, block: BlockId) -> bool {
    let mut at = op;
    while body[at].parent() != Some(block) {
        match body.parent_op(at) {
            Some(around) if matches!(body[around].name, scf::IF | affine::IF) => at = around,
            _ => return false,
        }
    }
    true
}

/// Whether a loop is sequential work of a parallel loop's iteration, around which no other code runs side by side: there, a store
/// of what an element holds, where the condition of the program's own store fails, is one that dependences show.
fn is_in_thread(deps: &mut Dependences, op: ForOp) -> bool {
    let body = deps.values.body;
    if is_beside_others(body, op.0) {
        return false;
    }
    let loops = body
        .ancestors(op.0)
        .filter(|&op| body[op].name == affine::FOR);
    let loops: Vec<OpId> = loops.collect();
    loops.into_iter().any(|op| verdict(deps, op).is_parallel())
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
    is_stored_among(deps, behind, load) || is_stored_before(deps, op, load)
}

/// Whether the block of the loop stores the element before the loop, with nothing of unknown effects in between.
fn is_stored_before(deps: &mut Dependences, op: ForOp, element: &Access) -> bool {
    let body = deps.values.body;
    let before = std::iter::successors(body[op.0].prev(), |&op| body[op].prev());
    is_stored_among(deps, before, element)
}

/// Whether one of some operations stores an element, and those in front of it have known effects and free nothing.
fn is_stored_among(
    deps: &mut Dependences,
    siblings: impl Iterator<Item = OpId>,
    element: &Access,
) -> bool {
    let body = deps.values.body;
    for sibling in siblings.take(MAX_SIBLINGS) {
        let accesses = accesses_below(&mut deps.values, sibling);
        let mut below = body.walk_op(sibling).into_iter();
        let may_free = below.any(|op| matches!(body[op].name, memref::DEALLOC | func::CALL));
        if may_free || accesses.iter().any(|a| a.place == Place::Anything) {
            return false;
        }
        let is_store = body[sibling].name == affine::STORE;
        if is_store && accesses.iter().any(|a| a.place == element.place) {
            return true;
        }
    }
    false
}

/// Most operations beside a loop that are searched, on either side.
const MAX_SIBLINGS: usize = 64;

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
        let block = new.block(b.body);
        let carried = *new.iter_args(b.body).last().unwrap_or(&first);
        let last = self.use_values(b.ctx, b.body, block, carried);
        if let Some(end) = b.body[block].last() {
            b.body[end].operands.push(last);
        }
        new
    }

    /// Replaces the accesses in a block, in order, by the element's value there, which is `current` at the start. Returns that at
    /// the end: branches that store the element have one more result.
    fn use_values(
        &self,
        ctx: &Context,
        body: &mut Body,
        block: BlockId,
        mut current: Value,
    ) -> Value {
        let ops: Vec<OpId> = body.ops(block).collect();
        for op in ops {
            if !self.accesses.contains(&op) {
                let below = self.accesses.iter();
                if below.clone().any(|&access| body.is_ancestor(op, access)) {
                    let ends = [0, 1].map(|region| match body.region_block(op, region) {
                        Some(block) => self.use_values(ctx, body, block, current),
                        None => current,
                    });
                    if ends != [current; 2] {
                        let new = with_more_results(ctx, body, op, &[ends]);
                        let results = new.map(|new| body[new].results());
                        current = results.and_then(Iterator::last).unwrap_or(current);
                    }
                }
                continue;
            }
            match affine::StoreOp::cast(body, op) {
                Some(store) => current = store.value(body),
                None => body.replace_results(op, &[current]),
            }
            body.erase(op);
        }
        current
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
