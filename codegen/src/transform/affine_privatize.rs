//! `affine-privatize`: gives each iteration of a loop its own copy of a temporary that it writes
//! before reading.
//!
//! ```text
//! %t = memref.alloca() : memref<f32>         affine.for %i = 0 to %n {
//! affine.for %i = 0 to %n {                    %t = memref.alloca() : memref<f32>
//!   affine.store %x, %t[]              ⇒       affine.store %x, %t[]
//!   …  affine.load %t[]                        …  affine.load %t[]
//! }                                          }
//! ```
//!
//! Legal where all loads and stores of the temporary are in the loop, and before each load, in the
//! same iteration, a store has written the element: a store that runs whenever the load does, to
//! the only element there is or with the same subscripts; or stores of loops over all elements that
//! the load may read. Other temporaries stay. It is done where the loop then has no other
//! dependence between its iterations.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::memref;
use gridloom_ir::body::Uses;
use gridloom_ir::{AffineExpr, Body, Context, Diagnostic, Module, OpId, Value};

use super::plans::{Plans, change_by_plans};
use crate::analysis::alias::Globals;
use crate::analysis::budget::root_of_nest;
use crate::analysis::dependence::Dependences;
use crate::analysis::domain::{domain, fitting};
use crate::analysis::parallel::{conflict_in_memory, conflict_without};
use crate::analysis::system::{Combination, Instance, Statements};

/// Limit of the elements of a temporary that is privatized.
const MAX_ELEMENTS: i64 = 1024;

/// Limit of the loads and stores of a temporary.
const MAX_USES: usize = 200;

/// Privatizes temporaries in the host functions of a module. Returns whether anything changed.
pub fn privatize_module(ctx: &Context, module: &mut Module) -> bool {
    change_by_plans(
        ctx,
        module,
        1,
        |body, globals| plan_body(ctx, body, globals),
        Privatization::apply,
    )
}

/// Plan: a temporary, and the loop of which each iteration gets its own.
struct Privatization {
    op: ForOp,
    temporary: Temporary,
}

/// Temporary: an allocation with its uses.
#[derive(Clone)]
pub(super) struct Temporary {
    pub(super) op: OpId,
    pub(super) loads: Vec<OpId>,
    pub(super) stores: Vec<OpId>,
    frees: Vec<OpId>,
}

fn plan_body(ctx: &Context, body: &Body, globals: &Globals) -> Plans<Privatization> {
    let uses = body.uses();
    let all: Vec<Temporary> = (body.walk().into_iter())
        .filter_map(|op| temporary(ctx, body, &uses, op))
        .collect();
    let mut deps = Dependences::new(ctx, body, globals);
    let mut plans: Vec<Privatization> = Vec::new();
    if all.is_empty() {
        return (plans, false);
    }
    // Outer loops first; a temporary moves as far inwards as it can.
    for op in body.walk() {
        let Some(op) = ForOp::cast(body, op) else {
            continue;
        };
        let is_taken = |t: &Temporary| plans.iter().any(|p| p.temporary.op == t.op);
        let outside = all.iter().filter(|t| {
            let mut uses = t.loads.iter().chain(&t.stores);
            !body.is_ancestor(op.0, t.op)
                && uses.all(|&u| body.is_ancestor(op.0, u))
                && !is_taken(t)
        });
        let outside: Vec<&Temporary> = outside.collect();
        if outside.is_empty() || conflict_in_memory(&mut deps, op.0).is_none() {
            continue;
        }
        let private = outside.into_iter().filter(|t| is_private(&mut deps, op, t));
        let private: Vec<&Temporary> = private.collect();
        let memrefs: Vec<Value> = private.iter().map(|t| body[t.op].result(0)).collect();
        if memrefs.is_empty() || conflict_without(&mut deps, op.0, &memrefs).is_some() {
            continue;
        }
        for temporary in private {
            let op = innermost(&mut deps, op, temporary);
            let temporary = temporary.clone();
            plans.push(Privatization { op, temporary });
        }
    }
    let relied = deps.aliases.relied_on_arguments();
    (plans, relied)
}

/// Privatizes a temporary for each iteration of a loop: of the given loop, or of the innermost in
/// which it is private. Returns whether that relies on disjoint arguments.
///
/// # Errors
/// A remark that begins with `start` and says why the temporary stays.
pub(super) fn privatize_temporary(
    ctx: &Context,
    body: &mut Body,
    globals: &Globals,
    (allocation, inside): (OpId, Option<ForOp>),
    start: &str,
) -> Result<bool, Box<Diagnostic>> {
    let loc = body[allocation].loc;
    let stays = |why: &str| {
        let remark = Diagnostic::remark(loc, format!("{start}: {why}"));
        Box::new(remark.with_note(loc, "the temporary"))
    };
    let Some(temporary) = temporary(ctx, body, &body.uses(), allocation) else {
        return Err(stays(&format!(
            "it has uses other than loads and stores, a dynamic size, a layout, more than {MAX_USES} uses, \
             or more than the {MAX_ELEMENTS} elements that each iteration may have for itself"
        )));
    };
    let mut deps = Dependences::new(ctx, body, globals);
    let holds_all = |l: &ForOp| {
        let mut uses = temporary.loads.iter().chain(&temporary.stores);
        !body.is_ancestor(l.0, allocation) && uses.all(|&u| body.is_ancestor(l.0, u))
    };
    let loops = body.walk().into_iter();
    let around = loops.filter_map(|op| ForOp::cast(body, op));
    let around: Vec<ForOp> = match inside {
        Some(l) => [l].into_iter().filter(holds_all).collect(),
        None => around.filter(holds_all).collect(),
    };
    if around.is_empty() {
        return Err(stays(
            "no such loop contains all its loads and stores but not the allocation",
        ));
    }
    let mut private = around
        .into_iter()
        .filter(|&l| is_private(&mut deps, l, &temporary));
    let Some(op) = private.next() else {
        return Err(stays("a load may read what another iteration has stored"));
    };
    let op = match inside {
        Some(_) => op,
        None => innermost(&mut deps, op, &temporary),
    };
    let relied = deps.aliases.relied_on_arguments();
    Privatization { op, temporary }.apply(body);
    Ok(relied)
}

/// The innermost loop from `op` inwards in which a temporary is private.
fn innermost(deps: &mut Dependences, mut op: ForOp, temporary: &Temporary) -> ForOp {
    let body = deps.values.body;
    loop {
        let first = temporary.loads.iter().chain(&temporary.stores).next();
        let inside = first.and_then(|&first| body.ancestor_in_block(first, op.block(body)));
        let Some(inner) = inside.and_then(|inside| ForOp::cast(body, inside)) else {
            return op;
        };
        let mut uses = temporary.loads.iter().chain(&temporary.stores);
        let has_all = uses.all(|&user| user != inner.0 && body.is_ancestor(inner.0, user));
        if !has_all || !is_private(deps, inner, temporary) {
            return op;
        }
        op = inner;
    }
}

/// Matches a small allocation that is only loaded from, stored to and freed.
pub(super) fn temporary(ctx: &Context, body: &Body, uses: &Uses, op: OpId) -> Option<Temporary> {
    if !matches!(body[op].name, memref::ALLOC | memref::ALLOCA) {
        return None;
    }
    let value = body[op].result(0);
    let ty = body.ty(value).memref(ctx)?;
    let size = ty.num_elements().filter(|_| ty.layout.is_none())?;
    let users = uses.of(value);
    if size > MAX_ELEMENTS || users.len() > MAX_USES {
        return None;
    }
    let mut found = Temporary {
        op,
        loads: Vec::new(),
        stores: Vec::new(),
        frees: Vec::new(),
    };
    for user in users {
        let list = match (body[user.op].name, user.operand) {
            (affine::LOAD | memref::LOAD, 0) => &mut found.loads,
            (affine::STORE | memref::STORE, 1) => &mut found.stores,
            (memref::DEALLOC, 0) => &mut found.frees,
            _ => return None,
        };
        list.push(user.op);
    }
    Some(found)
}

/// Whether every load of a temporary reads a value that the same iteration has stored.
fn is_private(deps: &mut Dependences, op: ForOp, temporary: &Temporary) -> bool {
    temporary.loads.iter().all(|&load| {
        let mut stores = temporary.stores.iter();
        stores.any(|&store| covers(deps, op, store, load))
    })
}

/// Whether `store` has written, earlier in the iteration, the element that a load reads.
fn covers(deps: &mut Dependences, op: ForOp, store: OpId, load: OpId) -> bool {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let memref = match body[store].operands.get(1) {
        Some(&memref) => memref,
        None => return false,
    };
    let ty = body.ty(memref).memref(ctx);
    if ty.and_then(|ty| ty.num_elements()) == Some(1) {
        return runs_before(body, op, store, load);
    }
    let Some(access) = affine::Access::cast(body, store) else {
        return false;
    };
    if is_same_element(ctx, body, access, load) && runs_before(body, op, store, load) {
        return true;
    }
    // The loops that run over the dimensions, from the outermost to the store.
    let (map, operands) = (access.map(ctx, body), access.operands(body));
    let Some(loops) = counted_loops(body, store, map.results(ctx).len()) else {
        return false;
    };
    let identity = ctx
        .affine_map(loops.len() as u32, 0, map.results(ctx))
        .is_identity(ctx);
    let counts = loops.iter().map(|l| l.induction_var(body));
    let steps = loops
        .iter()
        .all(|l| l.step(ctx, body) == 1 && body[l.0].num_results() == 0);
    let is_plain =
        identity && map.num_symbols(ctx) == 0 && steps && counts.eq(operands.iter().copied());
    is_plain && runs_before(body, op, loops[0].0, load) && is_in_range(deps, &loops, load)
}

/// Whether a load has the same subscripts as a store.
fn is_same_element(ctx: &Context, body: &Body, store: affine::Access, load: OpId) -> bool {
    affine::Access::cast(body, load).is_some_and(|load| {
        load.map(ctx, body) == store.map(ctx, body) && load.operands(body) == store.operands(body)
    })
}

/// Whether `first` runs before `second` in every iteration of the loop that runs `second`: it
/// stands before it, or before an operation around it.
fn runs_before(body: &Body, op: ForOp, first: OpId, second: OpId) -> bool {
    let Some(block) = body[first].parent() else {
        return false;
    };
    let is_inside = body.is_ancestor(op.0, first) && first != op.0;
    let Some(around) = body.ancestor_in_block(second, block).filter(|_| is_inside) else {
        return false;
    };
    around != first
        && body
            .ops(block)
            .take_while(|&op| op != around)
            .any(|op| op == first)
}

/// The `rank` loops around a store, outermost first, each directly in the block of the one before.
fn counted_loops(body: &Body, store: OpId, rank: usize) -> Option<Vec<ForOp>> {
    let parents = body.ancestors(store);
    let loops: Option<Vec<ForOp>> = parents.take(rank).map(|op| ForOp::cast(body, op)).collect();
    let mut loops = loops.filter(|loops| loops.len() == rank && rank > 0)?;
    loops.reverse();
    Some(loops)
}

/// Whether the subscripts of a load are in the ranges of some loops, whose bounds are defined
/// outside of all of them.
fn is_in_range(deps: &mut Dependences, loops: &[ForOp], load: OpId) -> bool {
    let values = &mut deps.values;
    let (ctx, body) = (values.ctx, values.body);
    let Some(access) = affine::Access::cast(body, load) else {
        return false;
    };
    let env = values.environment_at(load);
    let indices = values.map_exprs(load, access.map(ctx, body), access.operands(body));
    let indices = fitting(values, &indices, env);
    let around = domain(values, load);
    let work = deps.budgets.of(root_of_nest(body, load));
    loops.iter().zip(indices).all(|(l, index)| {
        let (lower, upper) = (l.lower(ctx, body), l.upper(ctx, body));
        let lowers = values.map_exprs(l.0, lower.map, lower.operands);
        let uppers = values.map_exprs(l.0, upper.map, upper.operands);
        let env = values.environment_at(l.0);
        let [lowers, uppers] = [lowers, uppers].map(|bounds| fitting(values, &bounds, env));
        let Some(index) = index else { return false };
        let is_known = |bound: &Option<AffineExpr>| {
            bound.is_some_and(|bound| values.is_invariant(bound, loops[0].0))
        };
        if !lowers.iter().chain(&uppers).all(is_known) {
            return false;
        }
        // Test points: an index below a lower bound, or not below an upper one.
        let below = lowers.into_iter().flatten().map(|low| (low, index, -1));
        let above = uppers.into_iter().flatten().map(|high| (index, high, 0));
        below.chain(above).all(|(greater, less, offset)| {
            around.disjuncts.iter().all(|conjunction| {
                let mut statements = Statements::new();
                statements.add_all(conjunction, Instance::First);
                let way = Combination::of(greater, Instance::First).plus(-1, less, Instance::First);
                statements.at_least_zero(way.offset(offset));
                let system = statements.solve(values, |_, _| true, &[]);
                system.is_empty(work).is_yes()
            })
        })
    })
}

impl Privatization {
    fn apply(&self, body: &mut Body) {
        let block = self.op.block(body);
        for &free in &self.temporary.frees {
            body.erase(free);
        }
        // A stack allocation is freed at the end of the iteration.
        let allocation = self.temporary.op;
        body[allocation].name = memref::ALLOCA;
        body.detach(allocation);
        body.prepend(block, allocation);
    }
}

/// Erases allocations that are never read, with the stores to them. Returns whether there were any.
pub fn erase_unread(ctx: &Context, body: &mut Body) -> bool {
    let uses = body.uses();
    let unread = body.walk().into_iter().filter_map(|op| {
        let is_allocation = matches!(body[op].name, memref::ALLOC | memref::ALLOCA);
        let value = body[op].results().next().filter(|_| is_allocation)?;
        body.ty(value).memref(ctx)?;
        let is_no_read = |name, operand| {
            matches!(
                (name, operand),
                (affine::STORE | memref::STORE, 1) | (memref::DEALLOC, 0)
            )
        };
        let users = uses.of(value);
        let is_unread = users.iter().all(|u| is_no_read(body[u.op].name, u.operand));
        is_unread.then(|| (op, users.iter().map(|u| u.op).collect::<Vec<OpId>>()))
    });
    let unread: Vec<(OpId, Vec<OpId>)> = unread.collect();
    for (op, users) in &unread {
        users.iter().for_each(|&user| body.erase(user));
        body.erase(*op);
    }
    !unread.is_empty()
}
