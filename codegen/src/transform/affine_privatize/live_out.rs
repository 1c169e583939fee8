//! Arrays that are used outside of the loop as well: arguments, globals, allocations that several nests share.
//!
//! ```text
//! affine.for %r = 0 to %n {                  affine.for %r = 0 to %n {
//!   affine.for %i = 0 to 40                    %p = memref.alloca() : memref<40xf32>
//!     affine.store %x, %t[%i]                  affine.for %i = 0 to 40
//!   …  affine.load %t[%i]              ⇒         affine.store %x, %p[%i]
//! }                                            …  affine.load %p[%i]
//!                                              affine.if (%r - %n + 1 >= 0)
//!                                                affine.for %i = 0 to 40 {
//!                                                  %y = affine.load %p[%i]
//!                                                  affine.store %y, %t[%i]
//!                                                }
//!                                            }
//! ```
//!
//! The last iteration assigns what the array holds after the loop (P. Tu and D. Padua, "Automatic array privatization",
//! 1993). Legal where nothing else in the loop may touch the array, and each iteration stores to the same elements, so that
//! the last one overwrites all that those before it stored: some stores have loops, conditions and subscripts that are
//! the same in each iteration ([`is_repeated`]), and the others store to elements of theirs. Done for arrays that the loop
//! reads, and single elements.

use gridloom_dialects::affine::{self, ForOp, IfOp, LoadOp, StoreOp};
use gridloom_dialects::memref::AllocaOp;
use gridloom_ir::affine::AffineConstraint;
use gridloom_ir::hash::{FxHashMap, FxHashSet};
use gridloom_ir::{
    BlockId, Body, Builder, Context, InsertPoint, IntegerSet, IrMapping, OpId, Value,
};

use super::{Accesses, MAX_USES, Sizes, copy_of, is_private, only_loop};
use crate::analysis::access::{Access, Place, accesses_below};
use crate::analysis::alias::{Alias, Root, root_of};
use crate::analysis::coverage::{Order, extents_of, is_covered};
use crate::analysis::dependence::Dependences;
use crate::analysis::load_store::{is_load, is_store};
use crate::analysis::parallel::is_free;
use crate::transform::emit_loops::open_like;
use crate::transform::map_inputs::Inputs;

/// Arrays that a body stores to, with their affine stores.
pub(in crate::transform) struct StoredArrays(Vec<(Value, Vec<OpId>)>);

impl StoredArrays {
    /// Those of such sizes.
    pub(in crate::transform) fn of(ctx: &Context, body: &Body, sizes: Sizes) -> Self {
        let mut found: Vec<(Value, Vec<OpId>)> = Vec::new();
        for store in body.walk_named(|name| name == affine::STORE) {
            let array = StoreOp(store).memref(body);
            match found.iter_mut().find(|entry| entry.0 == array) {
                Some((_, stores)) => stores.push(store),
                None if sizes.admit(ctx, body, array) => found.push((array, vec![store])),
                None => {}
            }
        }
        StoredArrays(found)
    }

    pub(in crate::transform) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether one of the arrays is such.
    pub(in crate::transform) fn any(&self, mut is_such: impl FnMut(Value) -> bool) -> bool {
        self.0.iter().any(|entry| is_such(entry.0))
    }

    /// The arrays from outside of a loop of which each iteration writes an element that the others write, too.
    pub(in crate::transform) fn overwritten_in(
        &self,
        ctx: &Context,
        body: &Body,
        op: ForOp,
    ) -> Vec<Value> {
        let arrays = self.0.iter().filter(|(array, stores)| {
            let mut inside = stores
                .iter()
                .filter(|&&store| body.is_ancestor(op.0, store));
            !body.is_defined_in(*array, op.0)
                && inside.any(|&store| is_repeated(ctx, body, [op, op], store))
        });
        arrays.map(|entry| entry.0).collect()
    }
}

/// Array that is private in a loop and keeps what the last iteration stored.
#[derive(Clone)]
pub(in crate::transform) struct LiveOut {
    pub(in crate::transform) accesses: Accesses,
    /// Loops each in the block of the one before, from the one whose iterations are to be independent to the innermost one in
    /// which the array is private.
    loops: Vec<ForOp>,
    /// Stores that write the same elements in each iteration of all these, and together all that is written.
    repeated: Vec<OpId>,
}

/// Those of `arrays` that are private in a loop if its last iteration assigns them.
pub(in crate::transform) fn live_outs(
    deps: &mut Dependences,
    op: ForOp,
    arrays: &[Value],
) -> Vec<LiveOut> {
    if arrays.is_empty() {
        return Vec::new();
    }
    let below = accesses_below(&mut deps.values, op.0);
    let found = arrays.iter();
    found
        .filter_map(|&array| live_out(deps, op, &below, array))
        .collect()
}

fn live_out(deps: &mut Dependences, op: ForOp, below: &[Access], array: Value) -> Option<LiveOut> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let accesses = only_accesses(deps, op, below, array)?;
    let is_one = || body.ty(array).memref(ctx).and_then(|ty| ty.num_elements()) == Some(1);
    if accesses.loads.is_empty() && !is_one() {
        return None;
    }
    if !has_one_end(ctx, body, op) || !is_private(deps, op, &accesses) {
        return None;
    }
    // A parallel loop that can be the outermost one needs no copies.
    if only_loop(body, op, &accesses).is_some_and(|inner| is_free(deps, op.0, inner.0, below)) {
        return None;
    }
    let mut repeated = repeated_stores(deps, [op, op], &accesses)?;
    let mut loops = vec![op];
    let mut innermost = op;
    while let Some(inner) = only_loop(body, innermost, &accesses)
        && has_one_end(ctx, body, inner)
        && (body[inner.0].operands.iter()).all(|&bound| !body.is_defined_in(bound, op.0))
        && is_private(deps, inner, &accesses)
        && let Some(stores) = repeated_stores(deps, [op, inner], &accesses)
    {
        loops.push(inner);
        (innermost, repeated) = (inner, stores);
    }
    Some(LiveOut {
        accesses,
        loops,
        repeated,
    })
}

/// Whether the last iteration of a loop is the one that a step takes to the upper bound.
fn has_one_end(ctx: &Context, body: &Body, op: ForOp) -> bool {
    op.upper(ctx, body).map.results(ctx).len() == 1
}

/// The accesses of an array in a loop; [`None`] where some are no loads or stores of an element, or others in the loop may touch
/// its memory.
fn only_accesses(
    deps: &mut Dependences,
    op: ForOp,
    below: &[Access],
    array: Value,
) -> Option<Accesses> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let own = root_of(ctx, body, array);
    let shares = |block: Option<BlockId>| !deps.values.block_is_inside(block, op.0);
    let mut apart: FxHashSet<Root> = FxHashSet::default();
    let mut found = Accesses::new(array);
    for access in below {
        let root = match access.place {
            Place::Element { root, .. } | Place::Somewhere(root) => root,
            Place::Anything => return None,
        };
        if root != own {
            if apart.insert(root) && deps.aliases.relate(own, root, &shares) != Alias::No {
                return None;
            }
            continue;
        }
        let (list, operand) = match () {
            () if is_load(body, access.op) => (&mut found.loads, 0),
            () if is_store(body, access.op) => (&mut found.stores, 1),
            () => return None,
        };
        if body[access.op].operands[operand] != array {
            return None;
        }
        list.push(access.op);
    }
    (found.iter().count() <= MAX_USES).then_some(found)
}

/// Stores of a private array that write the same elements in each iteration of the loops from `outer` to `inner`, and together
/// all that any store does; [`None`] where there are no such stores.
fn repeated_stores(
    deps: &mut Dependences,
    [outer, inner]: [ForOp; 2],
    accesses: &Accesses,
) -> Option<Vec<OpId>> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let extents = extents_of(&mut deps.values, accesses.array);
    let (same, others): (Vec<OpId>, Vec<OpId>) =
        (accesses.stores.iter()).partition(|&&store| is_repeated(ctx, body, [outer, inner], store));
    let mut repeated: Vec<OpId> = Vec::new();
    for store in same {
        if !is_covered(deps, inner.0, (&repeated, Order::Ever), store, &extents) {
            repeated.push(store);
        }
    }
    let mut others = others.into_iter();
    others
        .all(|store| is_covered(deps, inner.0, (&repeated, Order::Ever), store, &extents))
        .then_some(repeated)
}

/// Whether a store writes the same elements in each iteration of the loops from `outer` to `inner`: an affine one, under affine
/// loops and conditions, whose bounds and subscripts are made of their counters and of values from outside.
fn is_repeated(ctx: &Context, body: &Body, [outer, inner]: [ForOp; 2], store: OpId) -> bool {
    let around = || body.ancestors(store).take_while(|&op| op != inner.0);
    let is_known = |&value: &Value| {
        let is_counter = |op| ForOp::cast(body, op).is_some_and(|l| l.induction_var(body) == value);
        !body.is_defined_in(value, outer.0) || around().any(is_counter)
    };
    let is_same = |op: OpId| match body[op].name {
        affine::FOR => {
            let (lower, upper, _) = ForOp(op).operands(ctx, body);
            lower.operands.iter().chain(upper.operands).all(is_known)
        }
        affine::IF => body[op].operands.iter().all(is_known),
        _ => false,
    };
    body[store].name == affine::STORE
        && StoreOp(store).operands(body).iter().all(is_known)
        && around().all(is_same)
}

impl LiveOut {
    /// The array in a copy of the loops; `copies` has their operations with the copies.
    pub(in crate::transform) fn mapped(&self, copies: &FxHashMap<OpId, OpId>) -> LiveOut {
        let copied = |ops: &[OpId]| ops.iter().map(|&op| copy_of(copies, op)).collect();
        LiveOut {
            accesses: self.accesses.mapped(copies),
            loops: (self.loops.iter())
                .map(|l| ForOp(copy_of(copies, l.0)))
                .collect(),
            repeated: copied(&self.repeated),
        }
    }

    /// Keeps the array private in the outermost loop alone.
    pub(in crate::transform) fn only_outermost(
        mut self,
        deps: &mut Dependences,
    ) -> Option<LiveOut> {
        let &outer = self.loops.first()?;
        if self.loops.len() > 1 {
            self.repeated = repeated_stores(deps, [outer, outer], &self.accesses)?;
            self.loops.truncate(1);
        }
        Some(self)
    }

    /// Gives each iteration an array of its own, which the last one copies; `sizes` has a value for each extent that its type
    /// leaves open. Returns the allocation.
    pub(in crate::transform) fn privatize(
        &self,
        ctx: &Context,
        body: &mut Body,
        sizes: &[Value],
    ) -> Option<OpId> {
        let (&inner, &outer) = self.loops.last().zip(self.loops.first())?;
        let block = inner.block(body);
        let end = body[block].last()?;
        let array = self.accesses.array;
        let ty = body.ty(array).memref(ctx)?;
        let ty = ctx.memref_type(&ty.shape, ty.element);
        let mut b = Builder::before(ctx, body, end);
        b.loc = b.body[outer.0].loc;
        b.set(InsertPoint::Start(block));
        let private = AllocaOp::create(&mut b, ty, sizes);
        b.set(InsertPoint::Before(end));
        let (set, operands) = self.last_iteration(ctx, b.body);
        let test = IfOp::create(&mut b, set, &operands, &[], false);
        let then = test.then_block(b.body);
        affine::yield_values(&mut b, then, &[]);
        for &store in &self.repeated {
            b.set(InsertPoint::Start(then));
            self.copy(&mut b, inner, store, private);
        }
        for &load in &self.accesses.loads {
            b.body[load].operands[0] = private;
        }
        for &store in &self.accesses.stores {
            b.body[store].operands[1] = private;
        }
        b.body.defining_op(private)
    }

    /// The condition that all loops are in their last iteration, with its operands: a step takes their counters to the end.
    fn last_iteration(&self, ctx: &Context, body: &Body) -> (IntegerSet, Vec<Value>) {
        let mut inputs = Inputs::new(ctx);
        let mut constraints = Vec::new();
        for l in &self.loops {
            let counter = inputs.dim(l.induction_var(body));
            for end in inputs.import(l.upper(ctx, body), &IrMapping::new()) {
                let way = ctx.affine_sub(counter, end);
                constraints.push(AffineConstraint {
                    expr: inputs.plus(way, l.step(ctx, body)),
                    is_eq: false,
                });
            }
        }
        let (map, operands) = inputs.finish(&[]);
        let data = map.data(ctx);
        let set = ctx.integer_set(data.dims, data.symbols, &constraints);
        (set, operands)
    }

    /// Emits copies of the elements that a store writes in an iteration, from the private array.
    fn copy(&self, b: &mut Builder, inner: ForOp, store: OpId, private: Value) {
        let ctx = b.ctx;
        let around = b.body.ancestors(store).take_while(|&op| op != inner.0);
        let mut around: Vec<OpId> = around.collect();
        around.reverse();
        let mut names = IrMapping::new();
        for op in around {
            let block = match ForOp::cast(b.body, op) {
                Some(l) => open_like(b, l, &mut names, &[]).block(b.body),
                None => open_branch(b, IfOp(op), store, &names),
            };
            affine::yield_values(b, block, &[]);
            b.set(InsertPoint::Start(block));
        }
        let store = StoreOp(store);
        let map = store.map(ctx, b.body);
        let operands: Vec<Value> = (store.operands(b.body).iter())
            .map(|&operand| names.value(operand))
            .collect();
        let value = LoadOp::create(b, private, map, &operands);
        StoreOp::create(b, value, self.accesses.array, map, &operands);
    }
}

/// Emits a conditional like another, with nothing in it. Returns the block for what stands in the other's with `inside`.
fn open_branch(b: &mut Builder, old: IfOp, inside: OpId, names: &IrMapping) -> BlockId {
    let operands: Vec<Value> = (old.operands(b.body).iter())
        .map(|&operand| names.value(operand))
        .collect();
    let is_else = b
        .body
        .ancestor_in_block(inside, old.then_block(b.body))
        .is_none();
    let new = IfOp::create(b, old.set(b.ctx, b.body), &operands, &[], is_else);
    let then = new.then_block(b.body);
    match new.else_block(b.body) {
        Some(block) => {
            affine::yield_values(b, then, &[]);
            block
        }
        None => then,
    }
}
