//! `affine-copy-propagation`: accesses an array itself where a loop accesses its own copy of a part of it.
//!
//! ```text
//! affine.for %t = 0 to %n step 32 {                 affine.for %t = 0 to %n step 32 {
//!   %b = memref.alloc() : memref<32xf32>
//!   affine.for %i = 0 to 32 {
//!     %v = affine.load %a[%t + %i]
//!     affine.store %v, %b[%i]                  ⇒
//!   }
//!   affine.for %j = 0 to 32 {                         affine.for %j = 0 to 32 {
//!     %w = affine.load %b[%j]                           %w = affine.load %a[%t + %j]
//!     …                                                 …
//! ```
//!
//! Programs that tile their loops for a cache copy each tile, by loops, `memref.copy` or DMA. Copies would be
//! each thread's own; where tiles pay, mapping makes them of what all threads of a workgroup share. A tile
//! that is computed and copied back, or out, is computed in place.
//!
//! Legal for a buffer of which one loop holds all uses, and each iteration of that loop copies to it first
//! what it loads from it, and
//! - for a copy that is only read: nothing in the iteration writes what was copied before its last load;
//! - for one that is copied out last: all that is stored to the buffer is copied out, to the elements that were
//!   copied in, if any were, and nothing else in the iteration touches these.
//!
//! The array and the numbers in its subscripts are to be known where the buffer is accessed. Other buffers stay.

mod copies;

use gridloom_dialects::affine::{self, ForOp, LoadOp, StoreOp};
use gridloom_dialects::{memref, scf};
use gridloom_ir::body::Uses;
use gridloom_ir::{AffineExpr, AffineMap, BlockId, Body, Builder, Context, Module, OpId, Value};

use self::copies::{Copy, Direction};
use super::plans::{Plans, change_by_plans};
use crate::analysis::access::{accesses_below, accesses_of};
use crate::analysis::alias::Globals;
use crate::analysis::coverage::{Order, is_covered};
use crate::analysis::dependence::{Dependences, Scope};

/// Limit of the buffers of a function, one round each.
const MAX_ROUNDS: usize = 32;

/// Limit of the uses of a buffer.
const MAX_USES: usize = 64;

/// Limit of the accesses of an iteration.
const MAX_ACCESSES: usize = 200;

/// Propagates copies in the host functions of a module. Returns whether anything changed.
pub fn propagate_copies(ctx: &Context, module: &mut Module) -> bool {
    change_by_plans(
        ctx,
        module,
        MAX_ROUNDS,
        |body, globals| plan_body(ctx, body, globals),
        |plan, body| plan.apply(ctx, body),
    )
}

/// The first buffer that can be done without: others may depend on it.
fn plan_body(ctx: &Context, body: &Body, globals: &Globals) -> Plans<Propagation> {
    if !body.may_hold_any(|name| matches!(name, memref::ALLOC | memref::ALLOCA)) {
        return (Vec::new(), false);
    }
    let uses = body.uses();
    let mut deps = Dependences::new(ctx, body, globals);
    let mut buffers = (body.walk().into_iter()).filter_map(|op| Buffer::of(ctx, body, &uses, op));
    let plan = buffers.find_map(|buffer| buffer.plan(&mut deps, &uses));
    let relied = deps.aliases.relied_on_arguments();
    (plan.into_iter().collect(), relied)
}

/// Buffer that a loop has for itself.
struct Buffer {
    allocation: OpId,
    extents: Vec<AffineExpr>,
    loads: Vec<OpId>,
    stores: Vec<OpId>,
    frees: Vec<OpId>,
    /// The innermost loop with all loads and stores.
    around: OpId,
    /// Body of that loop.
    block: BlockId,
}

impl Buffer {
    /// Matches an allocation that affine operations of one loop load from and store to.
    fn of(ctx: &Context, body: &Body, uses: &Uses, allocation: OpId) -> Option<Buffer> {
        if !matches!(body[allocation].name, memref::ALLOC | memref::ALLOCA) {
            return None;
        }
        let value = body[allocation].result(0);
        let ty = body.ty(value).memref(ctx)?;
        let size = ty.num_elements().filter(|_| ty.layout.is_none())?;
        let users = uses.of(value);
        if size <= 1 || users.len() > MAX_USES {
            return None;
        }
        let [mut loads, mut stores, mut frees] = [Vec::new(), Vec::new(), Vec::new()];
        for user in users {
            let list = match (body[user.op].name, user.operand) {
                (affine::LOAD, 0) => &mut loads,
                (affine::STORE, 1) => &mut stores,
                (memref::DEALLOC, 0) => &mut frees,
                _ => return None,
            };
            list.push(user.op);
        }
        let all = || loads.iter().chain(&stores);
        let &first = all().next()?;
        let is_loop =
            |&op: &OpId| matches!(body[op].name, affine::FOR | affine::PARALLEL | scf::FOR);
        let around = (body.ancestors(first).filter(is_loop))
            .find(|&op| all().all(|&user| body.is_ancestor(op, user)))?;
        Some(Buffer {
            allocation,
            extents: (ty.shape.iter())
                .map(|&extent| ctx.affine_const(extent))
                .collect(),
            block: body.region_block(around, 0)?,
            loads,
            stores,
            frees,
            around,
        })
    }

    fn plan(&self, deps: &mut Dependences, uses: &Uses) -> Option<Propagation> {
        let copied = |deps: &mut Dependences, ops: &[OpId], direction| {
            let found = ops
                .iter()
                .filter_map(|&op| Copy::of(&mut deps.values, uses, (self.block, op), direction));
            found.collect::<Vec<Copy>>()
        };
        let into = copied(deps, &self.stores, Direction::In);
        let out = copied(deps, &self.loads, Direction::Out);
        match (&into[..], &out[..]) {
            ([into], _) if self.stores.len() == 1 => self.plan_reads(deps, into),
            ([], [out]) => self.plan_updates(deps, None, out),
            ([into], [out]) => self.plan_updates(deps, Some(into), out),
            _ => None,
        }
    }

    /// Plans to read from an array what is copied from it and only read.
    fn plan_reads(&self, deps: &mut Dependences, copy: &Copy) -> Option<Propagation> {
        let stores = (&self.stores[..], Order::Before);
        let is_read = |&load: &OpId| is_covered(deps, self.around, stores, load, &self.extents);
        if !self.loads.iter().all(is_read) {
            return None;
        }
        let body = deps.values.body;
        let last = (self.loads.iter()).filter_map(|&load| body.ancestor_in_block(load, self.block));
        let last: Vec<OpId> = last.collect();
        let behind = body.ops(self.block).skip_while(|&op| op != copy.root);
        let window: Vec<OpId> = behind.collect();
        let end = window.iter().rposition(|op| last.contains(op))?;
        self.is_left_alone(deps, &window[..=end], &[copy.access])
            .then(|| self.propagation(deps, copy, &self.loads, &[copy.end, copy.access]))?
    }

    /// Plans to compute in an array what is computed in the buffer and copied to the array.
    fn plan_updates(
        &self,
        deps: &mut Dependences,
        into: Option<&Copy>,
        out: &Copy,
    ) -> Option<Propagation> {
        let is_same = into.is_none_or(|into| {
            into.array == out.array && into.coords == out.coords && into.root != out.root
        });
        if !is_same || !out.is_injective {
            return None;
        }
        let ends = [into.map(|into| into.end), Some(out.end)];
        let is_other = |op: &&OpId| !ends.contains(&Some(**op));
        let loads: Vec<OpId> = self.loads.iter().filter(is_other).copied().collect();
        let stores: Vec<OpId> = self.stores.iter().filter(is_other).copied().collect();
        let copied = into.map(|into| vec![into.end]);
        let filled = copied.as_ref().unwrap_or(&stores);
        let (around, extents) = (self.around, &self.extents);
        let mut is_covered =
            |by: &[OpId], order, op| is_covered(deps, around, (by, order), op, extents);
        if !is_covered(&self.stores, Order::Before, out.end)
            || !(loads.iter()).all(|&load| is_covered(filled, Order::Before, load))
            || !(stores.iter()).all(|&store| is_covered(&[out.end], Order::Ever, store))
        {
            return None;
        }
        let body = deps.values.body;
        let all = self.loads.iter().chain(&self.stores);
        let roots: Vec<OpId> = all
            .filter_map(|&op| body.ancestor_in_block(op, self.block))
            .collect();
        let ops: Vec<OpId> = body.ops(self.block).collect();
        let first = ops.iter().position(|op| roots.contains(op))?;
        let last = ops.iter().rposition(|op| roots.contains(op))?;
        let is_framed = ops[last] == out.root
            && into.is_none_or(|into| ops[first] == into.root)
            && roots.iter().filter(|&&root| root == out.root).count() == 1;
        let own: Vec<OpId> = [Some(out.access), into.map(|into| into.access)]
            .into_iter()
            .flatten()
            .collect();
        if !is_framed || !self.is_left_alone(deps, &ops[first..=last], &own) {
            return None;
        }
        let mut erased = vec![out.access, out.end];
        erased.extend(into.into_iter().flat_map(|into| [into.end, into.access]));
        self.propagation(deps, out, &[loads, stores].concat(), &erased)
    }

    /// Whether `own`, accesses of the array that is copied, are the only ones of their elements below `ops`,
    /// but for reads of what is only read.
    fn is_left_alone(&self, deps: &mut Dependences, ops: &[OpId], own: &[OpId]) -> bool {
        let mut others = Vec::new();
        for &op in ops {
            others.extend(accesses_below(&mut deps.values, op));
        }
        others.retain(|access| !own.contains(&access.op));
        let mut accesses = Vec::new();
        for &op in own {
            accesses_of(&mut deps.values, op, &mut accesses);
        }
        let scope = Scope::Block(self.block);
        others.len() <= MAX_ACCESSES
            && (accesses.iter()).all(|own| {
                let mut others = others.iter();
                others.all(|other| deps.test(scope, own, other).is_independent())
            })
    }

    fn propagation(
        &self,
        deps: &mut Dependences,
        copy: &Copy,
        accesses: &[OpId],
        erased: &[OpId],
    ) -> Option<Propagation> {
        let body = deps.values.body;
        let moved = accesses.iter().map(|&op| {
            if !body.is_defined_before(copy.array, op) {
                return None;
            }
            let (map, operands) = copy.element_at(&mut deps.values, op)?;
            Some(Moved { op, map, operands })
        });
        Some(Propagation {
            array: copy.array,
            moved: moved.collect::<Option<_>>()?,
            erased: [erased, &self.frees, &[self.allocation]].concat(),
        })
    }
}

/// Access of a buffer, with its place in the array.
struct Moved {
    op: OpId,
    map: AffineMap,
    operands: Vec<Value>,
}

/// Plan: accesses of a buffer that become ones of an array.
struct Propagation {
    array: Value,
    moved: Vec<Moved>,
    /// The copies and the buffer, users first.
    erased: Vec<OpId>,
}

impl Propagation {
    fn apply(&self, ctx: &Context, body: &mut Body) {
        for Moved { op, map, operands } in &self.moved {
            let mut b = Builder::before(ctx, body, *op);
            if let Some(store) = StoreOp::cast(b.body, *op) {
                let value = store.value(b.body);
                StoreOp::create(&mut b, value, self.array, *map, operands);
            } else {
                let value = LoadOp::create(&mut b, self.array, *map, operands);
                let old = b.body[*op].result(0);
                b.body.replace_uses(old, value);
            }
            body.erase(*op);
        }
        let mut nests: Vec<OpId> = Vec::new();
        for &op in &self.erased {
            let parent = body.parent_op(op);
            nests.extend(parent.filter(|parent| !nests.contains(parent)));
            body.erase(op);
        }
        nests.into_iter().for_each(|nest| erase_empty(body, nest));
    }
}

/// Erases a loop without operations, and those around it that it leaves without.
fn erase_empty(body: &mut Body, nest: OpId) {
    let mut next = Some(nest);
    while let Some(op) = next.and_then(|op| ForOp::cast(body, op)) {
        if body[op.0].num_results() > 0 || body.ops(op.block(body)).count() > 1 {
            return;
        }
        next = body.parent_op(op.0);
        body.erase(op.0);
    }
}
