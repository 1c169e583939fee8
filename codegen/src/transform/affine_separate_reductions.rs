//! `affine-separate-reductions`: parts a reduction from the recurrence that it stands beside.
//!
//! ```text
//! affine.for %i = 1 to %m {                       affine.for %i = 1 to %m {
//!   affine.for %j = 1 to %n {                       affine.for %j = 1 to %n {
//!     %h = f(%a[%i - 1, %j], %a[%i, %j - 1])          %h = f(%a[%i - 1, %j], %a[%i, %j - 1])
//!     affine.store %h, %a[%i, %j]                     affine.store %h, %a[%i, %j]
//!     %b = affine.load %best[]                 ⇒  }}
//!     %c = arith.maxsi %b, %h                     affine.for %i = 1 to %m {
//!     affine.store %c, %best[]                      affine.for %j = 1 to %n {
//! }}                                                  %h = affine.load %a[%i, %j]
//!                                                     %b = affine.load %best[]
//!                                                     %c = arith.maxsi %b, %h
//!                                                     affine.store %c, %best[]
//!                                                 }}
//! ```
//!
//! The greatest score of an alignment is such a reduction. It ties all iterations one after the other, so that no
//! wavefront is left of the recurrence; by itself, it is a tree of partial results. Reductions in elements whose
//! subscripts the nest does not change are parted, and those that the loops carry.
//!
//! Legal where neither part touches what the other one writes, in any iterations, and where the second nest finds
//! the values that it shares with the first: by the same operations, if the nest writes nothing that they load;
//! in the element that the first nest stores the value to, if no other iteration or statement writes that element; or
//! else in an array with an element for each iteration. Bounds of such nests are constants, or upper ones are known in front of
//! the nest, which stores another value to elements that no two iterations share: that bounds the array. It is loop distribution (K. Kennedy and J. Allen, "Optimizing Compilers for Modern Architectures", 2001, §6.2) for all
//! loops of a perfect nest at once.
//!
//! Done where some loop of the nest stays sequential without the reduction, but another one becomes parallel or
//! the nest runs as wavefronts. Nests that are parallel but for the reduction stay, since their iterations can reduce
//! what they have in registers; so do those in a parallel loop, whose iterations are threads.

mod parting;

use std::collections::HashSet;

use gridloom_dialects::affine::{ForOp, StoreOp};
use gridloom_dialects::arith;
use gridloom_ir::{BlockId, Body, Context, Module, OpId, Value};

use super::affine_data_copy_generate::is_transfer;
use super::affine_guard_overflow::is_fallback;
use super::affine_loop_distribute::is_in_parallel_loop;
use super::affine_loop_wavefront::runs_as_wavefronts;
use super::affine_node_splitting::runs_in_order;
use super::auxiliary_arrays::can_hold;
use super::plans::{Plans, change_by_plans, plan_outermost};
use crate::analysis::access::{Access, accesses_below};
use crate::analysis::alias::Globals;
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::load_store::{is_load, is_store};
use crate::analysis::parallel::{MAX_ACCESSES, verdict};
use crate::analysis::reduction::{combined_by, is_repeatable, reduction_nest};
use crate::analysis::repeatable::are_unchanged;
use crate::target::OffloadOptions;

/// Limit of the elements of the arrays of a nest.
const MAX_ELEMENTS: i64 = 1 << 24;

/// Separates reductions in the host functions of a module. Returns whether anything changed.
pub fn separate_reductions(ctx: &Context, module: &mut Module, options: &OffloadOptions) -> bool {
    change_by_plans(
        ctx,
        module,
        1,
        |body, globals| plan_body(ctx, body, globals, options),
        |plan, body| {
            plan.apply(ctx, body);
        },
    )
}

fn plan_body(
    ctx: &Context,
    body: &Body,
    globals: &Globals,
    options: &OffloadOptions,
) -> Plans<Separation> {
    // Nothing may read the target of a transfer before its wait.
    if body.may_hold_any(is_transfer) {
        return (Vec::new(), false);
    }
    plan_outermost(ctx, body, globals, |deps, root| {
        let planned = plan_nest(deps, root, options)?;
        pays(ctx, body, globals, &planned, options).then_some(planned)
    })
}

/// Nest to be parted: its own operations by the part that needs them.
struct Separation {
    /// The loops, outermost first.
    nest: Vec<ForOp>,
    /// Statements of the nest that stay beside the recurrence, in the nest in front.
    recurrence: HashSet<OpId>,
    /// Statements of the nest that the reduction needs.
    reduction: HashSet<OpId>,
    /// The statements among these that access memory of the reduction alone, or compute with what they load there.
    collected: HashSet<OpId>,
    /// Values that the reduction loads.
    shared: Vec<Shared>,
}

/// Value that the recurrence leaves for the reduction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shared {
    /// In the element that this statement stores it to.
    Stored(StoreOp),
    /// In an element of an array of its own.
    Expanded(Value),
}

impl Shared {
    fn value(self, body: &Body) -> Value {
        match self {
            Shared::Stored(store) => store.value(body),
            Shared::Expanded(value) => value,
        }
    }
}

fn plan_nest(deps: &mut Dependences, root: ForOp, options: &OffloadOptions) -> Option<Separation> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let is_alone = runs_in_order(body, root.0) && !is_in_parallel_loop(deps, root.0);
    if !is_alone || is_fallback(body, root.0) {
        return None;
    }
    let statements = Statements::of(ctx, body, root)?;
    let collected = statements.collected(ctx, options)?;
    let mut planned = statements.parts(&collected, &[])?;
    let mut is_found = statements.finds_values(deps, &planned);
    if !is_found {
        let mut shared = statements.stored_values(&planned.recurrence);
        shared.retain(|&store| statements.keeps(deps, store));
        let mut shared: Vec<Shared> = shared.into_iter().map(Shared::Stored).collect();
        planned = statements.parts(&collected, &shared)?;
        is_found = statements.finds_values(deps, &planned);
        if !is_found {
            statements.expand_values(deps, &planned, &mut shared)?;
            planned = statements.parts(&collected, &shared)?;
            is_found = statements.finds_values(deps, &planned);
        }
    }
    let is_apart = is_found && statements.are_apart(deps, &planned);
    let is_tied = |l: &ForOp| !verdict(deps, l.0).is_parallel();
    (is_apart && statements.nest.iter().all(is_tied)).then_some(planned)
}

/// Whether the nest without its reduction has a parallel loop beside a sequential one, or runs as wavefronts.
fn pays(
    ctx: &Context,
    body: &Body,
    globals: &Globals,
    planned: &Separation,
    options: &OffloadOptions,
) -> bool {
    let mut draft = body.clone();
    let loops = planned.apply(ctx, &mut draft);
    let mut deps = Dependences::new(ctx, &draft, globals);
    let is_parallel = |l: &ForOp| verdict(&mut deps, l.0).is_parallel();
    let count = loops.iter().copied().filter(is_parallel).count();
    match count {
        0 => runs_as_wavefronts(&mut deps, loops[0], options),
        count => count < loops.len(),
    }
}

/// The statements of a perfect nest.
struct Statements<'a> {
    body: &'a Body,
    nest: Vec<ForOp>,
    /// The statements, in order, without the loops of the nest and the ends of their bodies.
    all: Vec<OpId>,
    /// The operations that end the loops' bodies.
    ends: Vec<OpId>,
    innermost: BlockId,
}

impl<'a> Statements<'a> {
    fn of(ctx: &Context, body: &'a Body, root: ForOp) -> Option<Self> {
        let nest = reduction_nest(ctx, body, root);
        let innermost = nest.last()?.block(body);
        let (mut all, mut ends) = (Vec::new(), Vec::new());
        for l in &nest {
            let statements: Vec<OpId> = body.ops(l.block(body)).collect();
            let (&end, statements) = statements.split_last()?;
            let is_loop = |op: &OpId| nest.iter().any(|l| l.0 == *op);
            all.extend(statements.iter().copied().filter(|op| !is_loop(op)));
            ends.push(end);
        }
        (all.len() <= MAX_ACCESSES).then_some(Statements {
            body,
            nest,
            all,
            ends,
            innermost,
        })
    }

    fn root(&self) -> ForOp {
        self.nest[0]
    }

    /// The statements that only collect: stores to elements that stay the same in the whole nest, and what is computed
    /// from what these elements held, or from what the loops carry. [`None`] where there are none, or where
    /// something else than a reduction is done with such a value.
    fn collected(&self, ctx: &Context, options: &OffloadOptions) -> Option<HashSet<OpId>> {
        let body = self.body;
        let is_outside = |&value: &Value| !body.is_defined_in(value, self.root().0);
        let is_fixed_store = |&op: &OpId| {
            let is_here = body[op].parent() == Some(self.innermost);
            is_here && is_store(body, op) && body[op].operands[1..].iter().all(is_outside)
        };
        let stores: HashSet<OpId> = self.all.iter().copied().filter(is_fixed_store).collect();
        let memrefs: HashSet<Value> = stores.iter().map(|&op| body[op].operands[1]).collect();
        let mut held: HashSet<Value> = HashSet::new();
        for l in &self.nest {
            held.extend(l.iter_args(body));
        }
        let mut collected = HashSet::new();
        for &op in &self.all {
            let data = &body[op];
            let uses_held = |op: OpId| body[op].operands.iter().any(|v| held.contains(v));
            if is_load(body, op) && memrefs.contains(&data.operands[0]) {
                held.extend(data.results());
            } else if stores.contains(&op) {
                if !held.contains(&data.operands[0]) {
                    return None;
                }
            } else if body.walk_op(op).into_iter().any(uses_held) {
                if !self.combines(ctx, op, &held, options) {
                    return None;
                }
                held.extend(data.results());
            } else {
                continue;
            }
            collected.insert(op);
        }
        (!collected.is_empty()).then_some(collected)
    }

    /// Whether a statement is a step of a reduction of the values `held`.
    fn combines(
        &self,
        ctx: &Context,
        op: OpId,
        held: &HashSet<Value>,
        options: &OffloadOptions,
    ) -> bool {
        let data = &self.body[op];
        if matches!(data.name, arith::CMPI | arith::CMPF | arith::SELECT) {
            return true;
        }
        let place = data.operands.iter().position(|v| held.contains(v));
        let combined = place.and_then(|place| combined_by(ctx, data, place));
        combined.is_some_and(|(_, keeps_order)| !keeps_order || options.reassociate)
    }

    /// The two parts of the nest, where the reduction loads the values `shared`.
    fn parts(&self, collected: &HashSet<OpId>, shared: &[Shared]) -> Option<Separation> {
        let body = self.body;
        let is_effect = |op: &&OpId| !is_repeatable(body, **op) && !collected.contains(*op);
        let effects: Vec<OpId> = self.all.iter().filter(is_effect).copied().collect();
        let mut collecting = self.in_order(collected);
        collecting.extend(&self.ends);
        let (reduction, shared) = self.needed(&collecting, shared);
        let expanded = shared.iter().filter_map(|shared| match shared {
            Shared::Stored(_) => None,
            Shared::Expanded(value) => body.defining_op(*value),
        });
        let first: Vec<OpId> = effects.iter().copied().chain(expanded).collect();
        let (recurrence, _) = self.needed(&first, &[]);
        let is_possible = !effects.is_empty()
            && recurrence.is_disjoint(collected)
            && effects.iter().all(|op| !reduction.contains(op));
        is_possible.then(|| Separation {
            nest: self.nest.clone(),
            recurrence,
            reduction,
            collected: collected.clone(),
            shared,
        })
    }

    /// Backward slice: statements of the nest that `roots` and the bounds of its loops need, themselves included, up to the
    /// values `shared`; and those of these that they need.
    fn needed(&self, roots: &[OpId], shared: &[Shared]) -> (HashSet<OpId>, Vec<Shared>) {
        let body = self.body;
        let loops = self.nest[1..].iter().flat_map(|l| {
            let carried = l.iter_args(body).len();
            let operands = &body[l.0].operands;
            operands[..operands.len() - carried].to_vec()
        });
        let mut values: Vec<Value> = loops.collect();
        let mut needed: HashSet<OpId> = HashSet::new();
        let is_statement: HashSet<OpId> = self.all.iter().copied().collect();
        let mut add = |op: OpId, values: &mut Vec<Value>| {
            if needed.insert(op) {
                let below = body.walk_op(op).into_iter();
                values.extend(below.flat_map(|op| body[op].operands.iter().copied()));
            }
        };
        roots.iter().for_each(|&op| add(op, &mut values));
        let mut used: Vec<Shared> = Vec::new();
        while let Some(value) = values.pop() {
            if let Some(&shared) = shared.iter().find(|shared| shared.value(body) == value) {
                if !used.contains(&shared) {
                    used.push(shared);
                }
                continue;
            }
            let def = body.defining_op(value);
            if let Some(def) = def.filter(|def| is_statement.contains(def)) {
                add(def, &mut values);
            }
        }
        needed.retain(|op| is_statement.contains(op));
        (needed, used)
    }

    /// Stores of the recurrence that each iteration makes, of values that it computes itself, with subscripts of the loops'
    /// counters and values from outside.
    fn stored_values(&self, recurrence: &HashSet<OpId>) -> Vec<StoreOp> {
        let body = self.body;
        let is_known = |&value: &Value| {
            let mut counters = self.nest.iter().map(|l| l.induction_var(body));
            counters.any(|counter| counter == value) || !body.is_defined_in(value, self.root().0)
        };
        let stores = (self.in_order(recurrence).into_iter())
            .filter(|&op| body[op].parent() == Some(self.innermost))
            .filter_map(|op| StoreOp::cast(body, op));
        let known = stores.filter(|store| {
            let def = body.defining_op(store.value(body));
            let is_own = def.is_some_and(|def| body[def].parent() == Some(self.innermost));
            is_own && body[store.0].operands[1..].iter().all(is_known)
        });
        known.collect()
    }

    /// Adds the values to `shared` that the reduction takes from the recurrence and cannot find again; [`None`] where memory
    /// cannot hold them.
    fn expand_values(
        &self,
        deps: &mut Dependences,
        planned: &Separation,
        shared: &mut Vec<Shared>,
    ) -> Option<()> {
        let (ctx, body) = (deps.values.ctx, self.body);
        let is_bounded = !shared.is_empty();
        let mut elements = 1i64;
        for &l in &self.nest {
            if l.step(ctx, body) != 1 {
                return None;
            }
            let lower = l.constant_lower(ctx, body)?;
            match l.constant_upper(ctx, body) {
                Some(upper) => {
                    let extent = upper.checked_sub(lower)?;
                    elements = elements.checked_mul(extent.max(1))?;
                }
                None if is_bounded && self.has_open_extent(deps, l, lower) => {}
                None => return None,
            }
        }
        let collected = self.in_order(&planned.collected).into_iter();
        for value in collected.flat_map(|op| body[op].operands.iter().copied()) {
            let is_shared = shared.iter().any(|shared| shared.value(body) == value);
            let def = body.defining_op(value).filter(|def| {
                let is_here = body[*def].parent() == Some(self.innermost);
                is_here && !is_shared && !planned.collected.contains(def)
            });
            let Some(def) = def else { continue };
            let (needed, _) = self.needed(&[def], shared);
            if self.finds(deps, &needed) {
                continue;
            }
            if !can_hold(ctx, body.ty(value)) {
                return None;
            }
            shared.push(Shared::Expanded(value));
        }
        let expanded = (shared.iter()).filter(|shared| matches!(shared, Shared::Expanded(_)));
        let count = i64::try_from(expanded.count()).ok()?;
        (elements.checked_mul(count)? <= MAX_ELEMENTS).then_some(())
    }

    /// Whether the distance from a constant lower bound to the upper one is an extent of an array in front of the nest.
    fn has_open_extent(&self, deps: &mut Dependences, l: ForOp, lower: i64) -> bool {
        let values = &mut deps.values;
        let (ctx, body) = (values.ctx, values.body);
        let upper = l.upper(ctx, body);
        let is_outside = |&value: &Value| !body.is_defined_in(value, self.root().0);
        if !upper.operands.iter().all(is_outside) {
            return false;
        }
        let env = values.environment_at(self.root().0);
        match values.map_exprs(l.0, upper.map, upper.operands)[..] {
            [Some(upper)] => {
                let extent = ctx.affine_sub(upper, ctx.affine_const(lower));
                values.fits(extent, env)
            }
            _ => false,
        }
    }

    /// Whether what the reduction computes and loads again is the same behind the first nest.
    fn finds_values(&self, deps: &mut Dependences, planned: &Separation) -> bool {
        let again = planned.reduction.difference(&planned.collected);
        self.finds(deps, &again.copied().collect())
    }

    /// Whether statements compute the same values behind the nest.
    fn finds(&self, deps: &mut Dependences, statements: &HashSet<OpId>) -> bool {
        let body = self.body;
        let statements = self.in_order(statements);
        if !statements.iter().all(|&op| is_repeatable(body, op)) {
            return false;
        }
        let loads = self.accesses(deps, &statements);
        let root = self.root().0;
        are_unchanged(deps, &loads, root, Scope::AnyIterations(root)) == Some(true)
    }

    /// The statements of a set in the order of the program.
    fn in_order(&self, statements: &HashSet<OpId>) -> Vec<OpId> {
        let all = self.all.iter().copied();
        all.filter(|op| statements.contains(op)).collect()
    }

    fn accesses(&self, deps: &mut Dependences, ops: &[OpId]) -> Vec<Access> {
        let below = ops
            .iter()
            .flat_map(|&op| accesses_below(&mut deps.values, op));
        below.collect()
    }

    /// Whether neither part touches what the other one writes.
    fn are_apart(&self, deps: &mut Dependences, planned: &Separation) -> bool {
        let first = self.accesses(deps, &self.in_order(&planned.recurrence));
        let second = self.accesses(deps, &self.in_order(&planned.collected));
        if first.len() * second.len() > MAX_ACCESSES {
            return false;
        }
        let scope = Scope::AnyIterations(self.root().0);
        first.iter().all(|one| {
            second.iter().all(|two| {
                let is_read = !one.is_write && !two.is_write;
                is_read || deps.test(scope, one, two).is_independent()
            })
        })
    }

    /// Whether an element keeps the value of a store: no other iteration writes it, and no other statement of the same one.
    fn keeps(&self, deps: &mut Dependences, store: StoreOp) -> bool {
        let mut writes = accesses_below(&mut deps.values, self.root().0);
        writes.retain(|access| access.is_write);
        let kept: Vec<Access> = (writes.iter().filter(|write| write.op == store.0))
            .cloned()
            .collect();
        let [kept] = &kept[..] else { return false };
        if writes.len() * self.nest.len() > MAX_ACCESSES {
            return false;
        }
        let root = self.root().0;
        writes.iter().all(|write| {
            let is_other = write.op != store.0;
            let mut is_free = |scope, one, two| deps.test(scope, one, two).is_independent();
            (!is_other || is_free(Scope::Block(self.innermost), kept, write))
                && self.nest.iter().all(|l| {
                    let scope = Scope::AcrossNest { root, by: l.0 };
                    is_free(scope, kept, write) && is_free(scope, write, kept)
                })
        })
    }
}
