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
//! Legal where before each load, in the
//! same iteration, stores have written the element: one that runs whenever the load does, to the
//! only element there is or with the same subscripts; or several that together write all that the
//! load may read ([`is_covered`]). An array that is used outside of the loop as well, such as an argument, gets what the last
//! iteration stored ([`live_out`]). It is done where the loop then has no other
//! dependence between its iterations, apart from updates of elements that data chooses (`affine-atomic-updates`).

pub(super) mod live_out;

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::{memref, scf};
use gridloom_ir::body::Uses;
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{Body, Context, Diagnostic, Module, OpId, Value};

use self::live_out::{LiveOut, StoredArrays, live_outs};
use super::affine_atomic_updates::updates_below;
use super::plans::{Plans, change_by_plans};
use crate::analysis::alias::Globals;
use crate::analysis::coverage::{Order, extents_of, is_covered};
use crate::analysis::dependence::Dependences;
use crate::analysis::parallel::{conflict_beside, conflict_in_memory};

/// Limit of the elements of an array that an iteration has in private memory of its thread.
pub(super) const MAX_ELEMENTS: i64 = 1024;

/// Limit of the loads and stores of an array that is privatized.
const MAX_USES: usize = 200;

/// Iterations from which parallel loops fill a device, with what is inside of them left sequential.
const FULL: u64 = 128;

/// Privatizes arrays in the host functions of a module. Returns whether anything changed.
pub fn privatize_module(ctx: &Context, module: &mut Module) -> bool {
    change_by_plans(
        ctx,
        module,
        1,
        |body, globals| plan_body(ctx, body, globals),
        |plan, body| plan.apply(ctx, body),
    )
}

/// Sizes of the arrays that may be private.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sizes {
    /// At most [`MAX_ELEMENTS`], which a thread has in memory of its own.
    Small,
    /// Any, open ones included (`affine-array-expansion`).
    Any,
}

impl Sizes {
    /// Whether a memref has such a size, and no layout.
    pub(super) fn admit(self, ctx: &Context, body: &Body, array: Value) -> bool {
        body.ty(array).memref(ctx).is_some_and(|ty| {
            let is_small = || {
                ty.num_elements()
                    .is_some_and(|elements| elements <= MAX_ELEMENTS)
            };
            ty.layout.is_none() && (self == Sizes::Any || is_small())
        })
    }
}

/// Plan: an array, and the loop of which each iteration gets its own.
enum Privatization {
    /// The allocation moves into the loop.
    Temporary { op: ForOp, temporary: Temporary },
    /// The loop gets an allocation.
    LiveOut(LiveOut),
}

/// Array with the loads and stores of its elements.
#[derive(Clone)]
pub(super) struct Accesses {
    pub(super) array: Value,
    pub(super) loads: Vec<OpId>,
    pub(super) stores: Vec<OpId>,
}

impl Accesses {
    fn new(array: Value) -> Self {
        Accesses {
            array,
            loads: Vec::new(),
            stores: Vec::new(),
        }
    }

    /// The accesses in a copy of a loop.
    fn mapped(&self, copies: &FxHashMap<OpId, OpId>) -> Self {
        let copied = |ops: &[OpId]| ops.iter().map(|&op| copy_of(copies, op)).collect();
        Accesses {
            array: self.array,
            loads: copied(&self.loads),
            stores: copied(&self.stores),
        }
    }

    /// The loads, then the stores.
    pub(super) fn iter(&self) -> impl Iterator<Item = OpId> {
        self.loads.iter().chain(&self.stores).copied()
    }
}

/// The copy of an operation, or itself where it is not in what was copied.
fn copy_of(copies: &FxHashMap<OpId, OpId>, op: OpId) -> OpId {
    copies.get(&op).copied().unwrap_or(op)
}

/// Temporary: an allocation with its uses.
#[derive(Clone)]
pub(super) struct Temporary {
    pub(super) op: OpId,
    pub(super) accesses: Accesses,
    pub(super) frees: Vec<OpId>,
}

fn plan_body(ctx: &Context, body: &Body, globals: &Globals) -> Plans<Privatization> {
    let uses = body.uses();
    let all: Vec<Temporary> = (body.walk().into_iter())
        .filter_map(|op| temporary(ctx, body, &uses, op))
        .collect();
    let stored = StoredArrays::of(ctx, body, Sizes::Small);
    if all.is_empty() && stored.is_empty() {
        return (Vec::new(), false);
    }
    let mut deps = Dependences::new(ctx, body, globals);
    let mut plans: Vec<Privatization> = Vec::new();
    let mut planned: Vec<(ForOp, Value)> = Vec::new();
    // Outer loops first; an array moves as far inwards as it can.
    for op in body.walk() {
        let Some(op) = ForOp::cast(body, op) else {
            continue;
        };
        let is_planned = |array: Value| {
            let mut of_array = planned.iter().filter(|planned| planned.1 == array);
            of_array.any(|planned| body.is_ancestor(planned.0.0, op.0))
        };
        let temporaries = all.iter().filter(|t| {
            let mut uses = t.accesses.iter();
            !body.is_ancestor(op.0, t.op)
                && uses.all(|u| body.is_ancestor(op.0, u))
                && !is_planned(t.accesses.array)
        });
        let mut temporaries: Vec<&Temporary> = temporaries.collect();
        let mut others = stored.overwritten_in(ctx, body, op);
        others.retain(|&array| {
            !is_planned(array) && temporaries.iter().all(|t| t.accesses.array != array)
        });
        if temporaries.is_empty() && others.is_empty()
            || conflict_in_memory(&mut deps, op.0).is_none()
        {
            continue;
        }
        temporaries.retain(|t| is_private(&mut deps, op, &t.accesses));
        let before = deps.aliases.relied_on_arguments();
        if !others.is_empty() && fills_device(&mut deps, op, &planned) {
            others.clear();
        }
        let arrays = live_outs(&mut deps, op, &others);
        let private = temporaries.iter().map(|t| &t.accesses);
        let private: Vec<&Accesses> = private.chain(arrays.iter().map(|a| &a.accesses)).collect();
        if private.is_empty() || !is_freed(&mut deps, &uses, op, &private) {
            deps.aliases.restore_reliance(before);
            continue;
        }
        planned.extend(private.iter().map(|accesses| (op, accesses.array)));
        for &temporary in &temporaries {
            let op = innermost(&mut deps, op, &temporary.accesses);
            let temporary = temporary.clone();
            plans.push(Privatization::Temporary { op, temporary });
        }
        plans.extend(arrays.into_iter().map(Privatization::LiveOut));
    }
    let relied = deps.aliases.relied_on_arguments();
    (plans, relied)
}

/// Whether the loops around one that are parallel, or planned to be, have iterations enough for a device.
fn fills_device(deps: &mut Dependences, op: ForOp, planned: &[(ForOp, Value)]) -> bool {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let mut iterations: u64 = 1;
    for around in body.ancestors(op.0).filter_map(|op| ForOp::cast(body, op)) {
        let is_planned = planned.iter().any(|planned| planned.0 == around);
        if is_planned || conflict_in_memory(deps, around.0).is_none() {
            let trips = around.constant_trip_count(ctx, body).unwrap_or(u64::MAX);
            iterations = iterations.saturating_mul(trips);
        }
    }
    iterations >= FULL
}

/// Whether a loop has no dependences between its iterations but through private arrays and updates of elements that data
/// chooses, which may become atomic.
pub(super) fn is_freed(
    deps: &mut Dependences,
    uses: &Uses,
    op: ForOp,
    private: &[&Accesses],
) -> bool {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let mut ignored: Vec<OpId> = private.iter().flat_map(|array| array.iter()).collect();
    if conflict_beside(deps, op.0, &ignored, &[]).is_none() {
        return true;
    }
    let updates = updates_below(ctx, body, uses, op, true);
    if updates.is_empty() {
        return false;
    }
    let of_updates = updates.iter();
    ignored.extend(of_updates.flat_map(|update| [update.load, update.store]));
    conflict_beside(deps, op.0, &ignored, &[]).is_none()
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
        let mut uses = temporary.accesses.iter();
        !body.is_ancestor(l.0, allocation) && uses.all(|u| body.is_ancestor(l.0, u))
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
        .filter(|&l| is_private(&mut deps, l, &temporary.accesses));
    let Some(op) = private.next() else {
        return Err(stays("a load may read what another iteration has stored"));
    };
    let op = match inside {
        Some(_) => op,
        None => innermost(&mut deps, op, &temporary.accesses),
    };
    let relied = deps.aliases.relied_on_arguments();
    temporary.move_into(op, body);
    Ok(relied)
}

/// The innermost loop from `op` inwards in which an array is private.
fn innermost(deps: &mut Dependences, mut op: ForOp, accesses: &Accesses) -> ForOp {
    while let Some(inner) = only_loop(deps.values.body, op, accesses)
        && is_private(deps, inner, accesses)
    {
        op = inner;
    }
    op
}

/// The loop in the block of `op` that has all the accesses, if there is one.
fn only_loop(body: &Body, op: ForOp, accesses: &Accesses) -> Option<ForOp> {
    let first = accesses.iter().next()?;
    let inside = body.ancestor_in_block(first, op.block(body))?;
    let inner = ForOp::cast(body, inside)?;
    let mut all = accesses.iter();
    all.all(|access| access != inner.0 && body.is_ancestor(inner.0, access))
        .then_some(inner)
}

/// Matches a small allocation that is only loaded from, stored to and freed.
pub(super) fn temporary(ctx: &Context, body: &Body, uses: &Uses, op: OpId) -> Option<Temporary> {
    temporary_of(ctx, body, uses, (op, Sizes::Small))
}

/// Matches an allocation of such a size that is only loaded from, stored to and freed.
pub(super) fn temporary_of(
    ctx: &Context,
    body: &Body,
    uses: &Uses,
    (op, sizes): (OpId, Sizes),
) -> Option<Temporary> {
    if !matches!(body[op].name, memref::ALLOC | memref::ALLOCA) {
        return None;
    }
    let value = body[op].result(0);
    let users = uses.of(value);
    if !sizes.admit(ctx, body, value) || users.len() > MAX_USES {
        return None;
    }
    let mut found = Temporary {
        op,
        accesses: Accesses::new(value),
        frees: Vec::new(),
    };
    for user in users {
        let list = match (body[user.op].name, user.operand) {
            (affine::LOAD | memref::LOAD, 0) => &mut found.accesses.loads,
            (affine::STORE | memref::STORE, 1) => &mut found.accesses.stores,
            (memref::DEALLOC, 0) => &mut found.frees,
            _ => return None,
        };
        list.push(user.op);
    }
    Some(found)
}

/// Whether every load of an array reads a value that the same iteration has stored.
pub(super) fn is_private(deps: &mut Dependences, op: ForOp, accesses: &Accesses) -> bool {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let ty = body.ty(accesses.array).memref(ctx);
    let Some(shape) = ty.map(|ty| ty.shape.clone()) else {
        return false;
    };
    let is_one = shape.iter().all(|&size| size == 1);
    let extents = extents_of(&mut deps.values, accesses.array);
    accesses.loads.iter().all(|&load| {
        let mut stores = accesses.stores.iter();
        // What an iteration of an `scf.while` in the loop stores before it loads is stored in the same iteration of the loop.
        let inner = (body.ancestors(load).take_while(|&around| around != op.0))
            .filter(|&around| body[around].name == scf::WHILE);
        stores.any(|&store| has_stored(ctx, body, op, store, load, is_one))
            || (std::iter::once(op.0).chain(inner)).any(|around| {
                let inside = accesses.stores.iter().copied();
                let inside: Vec<OpId> = inside
                    .filter(|&store| body.is_ancestor(around, store))
                    .collect();
                is_covered(deps, around, (&inside, Order::Before), load, &extents)
            })
    })
}

/// Whether `store` has written, earlier in the iteration, the element that a load reads: the only
/// one (`is_one`), or that of the same subscripts.
fn has_stored(
    ctx: &Context,
    body: &Body,
    op: ForOp,
    store: OpId,
    load: OpId,
    is_one: bool,
) -> bool {
    let access = affine::Access::cast(body, store);
    let is_same = is_one || access.is_some_and(|store| is_same_element(ctx, body, store, load));
    is_same && runs_before(body, op, store, load)
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

impl Privatization {
    fn apply(&self, ctx: &Context, body: &mut Body) {
        match self {
            Privatization::Temporary { op, temporary } => temporary.move_into(*op, body),
            Privatization::LiveOut(array) => {
                array.privatize(ctx, body, &[]);
            }
        }
    }
}

impl Temporary {
    /// The temporary in a copy of a loop; `copies` has the operations of the loop with their copies.
    pub(super) fn mapped(&self, body: &Body, copies: &FxHashMap<OpId, OpId>) -> Temporary {
        let op = copy_of(copies, self.op);
        let copied = |ops: &[OpId]| ops.iter().map(|&op| copy_of(copies, op)).collect();
        Temporary {
            op,
            accesses: Accesses {
                array: body[op].result(0),
                ..self.accesses.mapped(copies)
            },
            frees: copied(&self.frees),
        }
    }

    /// Moves the allocation to the start of a loop's iteration.
    fn move_into(&self, op: ForOp, body: &mut Body) {
        let block = op.block(body);
        for &free in &self.frees {
            body.erase(free);
        }
        // A stack allocation is freed at the end of the iteration.
        let allocation = self.op;
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
