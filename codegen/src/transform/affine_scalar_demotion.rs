//! `affine-scalar-demotion`: accumulates a sum in the element that it is stored to at the end,
//! instead of in a scalar temporary.
//!
//! ```text
//! affine.for %j = 0 to %n {                  affine.for %j = 0 to %n {
//!   %x = affine.load %a[%i, %j]                affine.for %k = 0 to %i {
//!   affine.store %x, %t[]                        %s = affine.load %a[%i, %j]
//!   affine.for %k = 0 to %i {                    %u = arith.subf %s, %p
//!     %s = affine.load %t[]            ⇒         affine.store %u, %a[%i, %j]
//!     %u = arith.subf %s, %p                   }
//!     affine.store %u, %t[]                  }
//!   }
//!   %y = affine.load %t[]
//!   affine.store %y, %a[%i, %j]
//! }
//! ```
//!
//! A temporary for all iterations ties every loop around it, and a sum that the loop carries in a
//! value ([`carried`]) is one statement with all around it: no pass can distribute the nest. In the
//! element, each step of the sum is a statement of its own, which `affine-loop-distribute` and
//! `affine-imperfect-interchange` can schedule. `affine-scalrep` turns it back into a value where
//! no pass used that.
//!
//! Legal for a temporary whose uses fall into blocks that each begin with a store of it, so that no
//! block reads a value that another one stored; and where, in one run of the block, nothing between
//! that store and the one to the element touches the element. Both stores stand in the block
//! itself, so that one runs whenever the other does. It is done in nests whose outermost loop
//! carries dependences besides those through temporaries, for elements whose subscripts contain a
//! counter. Where the block has no such store, or another access may touch the element, the
//! temporary stays.

use std::collections::{HashMap, HashSet};

use gridloom_dialects::affine::{self, ForOp, LoadOp, StoreOp};
use gridloom_dialects::scf;
use gridloom_ir::op::Traits;
use gridloom_ir::{BlockId, Body, Builder, Context, Module, OpId, Value};

use super::affine_privatize::{Temporary, temporary};
use super::element::Element;
use super::plans::{Plans, change_by_plans};
use crate::analysis::access::accesses_below;
use crate::analysis::alias::Globals;
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::parallel::{MAX_ACCESSES, conflict_without};
use carried::Carried;

mod carried;

/// Demotes temporaries in the host functions of a module. Returns whether anything changed.
pub fn demote_module(ctx: &Context, module: &mut Module) -> bool {
    change_by_plans(
        ctx,
        module,
        1,
        |body, globals| plan_body(ctx, body, globals),
        |plan, body| plan.apply(ctx, body),
    )
}

/// Demotes temporaries in one body. Returns whether that relies on disjoint arguments.
pub(super) fn demote_body(ctx: &Context, body: &mut Body, globals: &Globals) -> bool {
    let (plans, relies) = plan_body(ctx, body, globals);
    plans.iter().for_each(|plan| plan.apply(ctx, body));
    relies
}

/// Demotion plan: a sum to be accumulated in an element.
enum Demotion {
    Temporary(Collection),
    Carried(Carried),
}

impl Demotion {
    fn apply(&self, ctx: &Context, body: &mut Body) {
        match self {
            Demotion::Temporary(run) => run.apply(ctx, body),
            Demotion::Carried(carried) => carried.apply(ctx, body),
        }
    }

    /// The store to the element.
    fn last(&self) -> OpId {
        match self {
            Demotion::Temporary(run) => run.last.0,
            Demotion::Carried(carried) => carried.last.0,
        }
    }
}

/// Demotion of a temporary to an element, in one run of a block.
struct Collection {
    /// The store to the temporary that the block begins with.
    first: OpId,
    /// Whether that stores the value that the element holds already.
    is_first_idle: bool,
    /// Loads and stores of the temporary between the two stores.
    between: Vec<OpId>,
    /// The store to the element.
    last: StoreOp,
    /// Whether that stores the value that the temporary holds.
    is_last_idle: bool,
}

fn plan_body(ctx: &Context, body: &Body, globals: &Globals) -> Plans<Demotion> {
    let uses = body.uses();
    let temporaries: Vec<Temporary> = (body.walk().into_iter())
        .filter_map(|op| temporary(ctx, body, &uses, op))
        .filter(|t| is_scalar(ctx, body, t))
        .collect();
    let carrying = body.walk().into_iter().filter(|&op| {
        let is_loop = body[op].name == affine::FOR;
        is_loop && body[op].num_results() == 1
    });
    let carrying: Vec<OpId> = carrying.collect();
    let mut plans: Vec<Demotion> = Vec::new();
    if temporaries.is_empty() && carrying.is_empty() {
        return (plans, false);
    }
    let mut policy = Policy {
        ctx,
        body,
        deps: Dependences::new(ctx, body, globals),
        temporaries: temporaries.iter().map(|t| body[t.op].result(0)).collect(),
        tied: HashMap::new(),
    };
    // Two sums that are stored by one store cannot both be in its element.
    let mut taken: HashSet<OpId> = HashSet::new();
    let mut add = |plan: Demotion| {
        if taken.insert(plan.last()) {
            plans.push(plan);
        }
    };
    for temporary in &temporaries {
        for run in runs_of(body, temporary).into_iter().flatten() {
            policy.plan(run).map(Demotion::Temporary).map(&mut add);
        }
    }
    for root in carrying {
        policy
            .plan_carried(&uses, root)
            .map(Demotion::Carried)
            .map(&mut add);
    }
    (plans, policy.deps.aliases.relied_on_arguments())
}

/// Whether a temporary has a single element, accessed by affine operations only.
fn is_scalar(ctx: &Context, body: &Body, temporary: &Temporary) -> bool {
    let ty = body.ty(body[temporary.op].result(0)).memref(ctx);
    let mut users = temporary.accesses.iter();
    ty.and_then(|ty| ty.num_elements()) == Some(1)
        && users.all(|op| affine::Access::cast(body, op).is_some())
}

/// Run: the uses of a temporary in one block and its regions, of which the first is a store in the
/// block itself.
struct Run {
    block: BlockId,
    first: OpId,
    /// The other uses, in order.
    rest: Vec<OpId>,
}

/// Runs of a temporary, by the outermost blocks that begin with a store to it; `None` where some
/// use is in no such block, and may read a value from another block.
fn runs_of(body: &Body, temporary: &Temporary) -> Option<Vec<Run>> {
    let is_use: HashSet<OpId> = temporary.accesses.iter().collect();
    let mut runs: Vec<Run> = Vec::new();
    // Program order is execution order within a block.
    let in_order = body.walk().into_iter().filter(|op| is_use.contains(op));
    let in_order: Vec<OpId> = in_order.collect();
    for &op in &in_order {
        let run = runs.last_mut();
        if let Some(run) = run.filter(|run| body.ancestor_in_block(op, run.block).is_some()) {
            run.rest.push(op);
            continue;
        }
        // A run begins with a store that is the first use in its block.
        let block = body[op].parent()?;
        let is_store = temporary.accesses.stores.contains(&op);
        let is_inside = |&other: &OpId| body.ancestor_in_block(other, block).is_some();
        if !is_store || in_order.iter().find(|op| is_inside(op)) != Some(&op) {
            return None;
        }
        runs.push(Run {
            block,
            first: op,
            rest: Vec::new(),
        });
    }
    Some(runs)
}

struct Policy<'a> {
    ctx: &'a Context,
    body: &'a Body,
    deps: Dependences<'a>,
    /// Scalar temporaries of the body.
    temporaries: Vec<Value>,
    /// Memo: whether a loop carries dependences besides those through the temporaries.
    tied: HashMap<OpId, bool>,
}

impl Policy<'_> {
    fn plan(&mut self, run: Run) -> Option<Collection> {
        let (ctx, body) = (self.ctx, self.body);
        let op = ForOp::cast(body, body.block_parent_op(run.block)?)?;
        if !self.is_collected(&run) || !self.is_tied(op.0) {
            return None;
        }
        let after = *run.rest.last()?;
        let ops: Vec<OpId> = body.ops(run.block).collect();
        let place = |op: OpId| ops.iter().position(|&other| other == op);
        let from = place(run.first)?;
        let to = place(body.ancestor_in_block(after, run.block)?)?;
        let last = ops[to + 1..]
            .iter()
            .find_map(|&op| StoreOp::cast(body, op))?;
        if !self.is_own_element(op, last)
            || body.ty(last.value(body)) != body.ty(body[run.first].operands[0])
            || !self.is_left_alone(run.block, &ops[from + 1..place(last.0)?], &run.rest, last)
        {
            return None;
        }
        let is_quiet = |ops: &[OpId]| ops.iter().all(|&op| is_quiet(body, op));
        let stored = body.defining_op(body[run.first].operands[0]);
        let is_first_idle = stored.is_some_and(|load| {
            is_same_element(ctx, body, load, last)
                && place(load).is_some_and(|at| is_quiet(&ops[at..from]))
        });
        let is_last_idle =
            body.defining_op(last.value(body)) == Some(after) && is_quiet(&ops[to..place(last.0)?]);
        Some(Collection {
            first: run.first,
            is_first_idle,
            between: run.rest,
            last,
            is_last_idle,
        })
    }

    /// Whether an inner loop of the block both loads and stores the temporary.
    fn is_collected(&self, run: &Run) -> bool {
        let body = self.body;
        let inside = |&op: &OpId| {
            let around = body.ancestor_in_block(op, run.block);
            around.filter(|&around| around != op && body[around].name == affine::FOR)
        };
        let is_store = |op: OpId| body[op].name == affine::STORE;
        let (stores, loads): (Vec<OpId>, Vec<OpId>) =
            run.rest.iter().partition(|&&op| is_store(op));
        let stored: HashSet<OpId> = stores.iter().filter_map(inside).collect();
        loads
            .iter()
            .filter_map(inside)
            .any(|around| stored.contains(&around))
    }

    /// Whether the outermost loop around `op` carries dependences besides those through
    /// temporaries, and all loops in between are affine: then none of its iterations can be a
    /// thread.
    fn is_tied(&mut self, op: OpId) -> bool {
        let body = self.body;
        let around = std::iter::successors(Some(op), |&op| body.parent_op(op));
        let around: Vec<OpId> = around.collect();
        let is_plain = |&op: &OpId| matches!(body[op].name, affine::FOR | affine::IF | scf::IF);
        let outermost = around
            .iter()
            .rev()
            .find(|&&op| body[op].name == affine::FOR);
        let Some(&outermost) = outermost.filter(|_| around.iter().all(is_plain)) else {
            return false;
        };
        if let Some(&known) = self.tied.get(&outermost) {
            return known;
        }
        let conflict = conflict_without(&mut self.deps, outermost, &self.temporaries);
        self.tied.insert(outermost, conflict.is_some());
        conflict.is_some()
    }

    /// Whether a store's element differs between iterations of the loop, and its subscripts are
    /// available before the body runs.
    fn is_own_element(&self, op: ForOp, store: StoreOp) -> bool {
        let body = self.body;
        let counter = op.induction_var(body);
        let operands = store.operands(body);
        let is_outside = |value: Value| !body.is_defined_in(value, op.0);
        let memref = store.memref(body);
        operands.contains(&counter)
            && is_outside(memref)
            && !self.temporaries.contains(&memref)
            && operands.iter().all(|&v| v == counter || is_outside(v))
    }

    /// Whether only the operations `own` touch the element of a store in a run of a block.
    fn is_left_alone(
        &mut self,
        block: BlockId,
        between: &[OpId],
        own: &[OpId],
        last: StoreOp,
    ) -> bool {
        let element = accesses_below(&mut self.deps.values, last.0);
        let [element] = &element[..] else {
            return false;
        };
        let mut accesses = Vec::new();
        for &op in between {
            accesses.extend(accesses_below(&mut self.deps.values, op));
        }
        accesses.retain(|access| !own.contains(&access.op));
        let scope = Scope::Block(block);
        accesses.len() <= MAX_ACCESSES
            && accesses
                .iter()
                .all(|a| self.deps.test(scope, a, element).is_independent())
    }
}

/// Whether an operation only computes or loads.
fn is_quiet(body: &Body, op: OpId) -> bool {
    body[op].inline_regions().is_empty()
        && (body[op].name == affine::LOAD || body[op].name.has(Traits::PURE))
}

/// Whether a load has the same subscripts as a store.
fn is_same_element(ctx: &Context, body: &Body, load: OpId, store: StoreOp) -> bool {
    LoadOp::cast(body, load).is_some_and(|load| {
        load.memref(body) == store.memref(body)
            && load.map(ctx, body) == store.map(ctx, body)
            && load.operands(body) == store.operands(body)
    })
}

impl Collection {
    fn apply(&self, ctx: &Context, body: &mut Body) {
        let element = Element::of_store(ctx, body, self.last);
        let first = (!self.is_first_idle).then_some(self.first);
        for op in first.into_iter().chain(self.between.iter().copied()) {
            let value = body[op].operands[0];
            let is_store = body[op].name == affine::STORE;
            let mut b = Builder::before(ctx, body, op);
            if is_store {
                element.store(&mut b, value);
            } else {
                let loaded = element.load(&mut b);
                let before = body[op].result(0);
                body.replace_uses(before, loaded);
            }
        }
        // The last store takes the value that the loads returned.
        if self.is_last_idle {
            body.erase(self.last.0);
        }
        for &op in std::iter::once(&self.first).chain(&self.between) {
            body.erase(op);
        }
    }
}
