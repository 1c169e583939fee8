//! Slots: variables that can be promoted, and their accesses.

use gridloom_dialects::{affine, arith, memref, scf};
use gridloom_ir::body::Uses;
use gridloom_ir::fold::{Elements, FoldResult};
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{Body, Context, OpId, Type, Value};

use crate::transform::affine_scope::is_of_affine;

/// Limit of the values that are followed from loads to subscripts.
const MAX_VALUES: usize = 32;

/// Promotable allocations of one element, numbered from 0.
pub(super) struct Slots {
    slots: Vec<(OpId, Type)>,
    accesses: FxHashMap<OpId, (usize, bool)>,
    /// The operations that free slots.
    frees: Vec<OpId>,
}

impl Slots {
    /// Finds the promotable slots of a body.
    pub(super) fn of(ctx: &Context, body: &Body) -> Slots {
        let mut found = Slots {
            slots: Vec::new(),
            accesses: FxHashMap::default(),
            frees: Vec::new(),
        };
        if !body.may_hold(memref::ALLOCA) && !body.may_hold(memref::ALLOC) {
            return found;
        }
        let uses = body.uses();
        for op in body.walk() {
            if matches!(body[op].name, memref::ALLOCA | memref::ALLOC)
                && let Some(ty) = element_of(ctx, body, op)
                && let Some(accesses) = accesses_of(ctx, body, &uses, op)
                && (body[op].name == memref::ALLOCA || is_subscript(body, &uses, &accesses))
            {
                let slot = found.slots.len();
                found.slots.push((op, ty));
                let numbered = accesses
                    .into_iter()
                    .map(|(op, is_store)| (op, (slot, is_store)));
                found.accesses.extend(numbered);
                let users = uses.of(body[op].result(0)).iter();
                let frees = users.filter(|user| body[user.op].name == memref::DEALLOC);
                found.frees.extend(frees.map(|user| user.op));
            }
        }
        found
    }

    pub(super) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    /// The allocation of a slot.
    pub(super) fn allocation(&self, slot: usize) -> OpId {
        self.slots[slot].0
    }

    /// The operations that free slots.
    pub(super) fn frees(&self) -> &[OpId] {
        &self.frees
    }

    /// The type of the element of a slot.
    pub(super) fn ty(&self, slot: usize) -> Type {
        self.slots[slot].1
    }

    /// The slot that an operation accesses, and whether it stores.
    pub(super) fn access(&self, op: OpId) -> Option<(usize, bool)> {
        self.accesses.get(&op).copied()
    }

    /// The operations that access slots.
    pub(super) fn accessing_ops(&self) -> impl Iterator<Item = OpId> {
        self.accesses.keys().copied()
    }
}

/// The element type of an allocation of one element; `None` for a type without constants.
fn element_of(ctx: &Context, body: &Body, allocation: OpId) -> Option<Type> {
    let ty = body.ty(body[allocation].result(0)).memref(ctx)?;
    // Threads may share the memory of another space.
    let is_local = body[allocation].name == memref::ALLOCA || ty.space.is_none();
    let is_single = is_local && ty.shape.iter().all(|&extent| extent == 1);
    let zero = Elements::Splat(0).into_result(ctx, ty.element);
    let has_zero = matches!(zero, Some(FoldResult::Constant(..)));
    (is_single && has_zero).then_some(ty.element)
}

/// The loads and stores of a slot; `None` if it has other uses, or if a store stands where its
/// value cannot be passed on.
fn accesses_of(
    ctx: &Context,
    body: &Body,
    uses: &Uses,
    allocation: OpId,
) -> Option<Vec<(OpId, bool)>> {
    let block = body[allocation].parent()?;
    let mut accesses = Vec::new();
    for user in uses.of(body[allocation].result(0)) {
        let op = user.op;
        let is_store = match (body[op].name, user.operand) {
            (memref::LOAD | affine::LOAD, 0) => false,
            (memref::STORE | affine::STORE, 1) => true,
            (memref::DEALLOC, _) => continue,
            _ => return None,
        };
        body.ancestor_in_block(op, block)?;
        let end = body.block_parent_op(block);
        let mut around = body.ancestors(op).take_while(|&around| Some(around) != end);
        let is_legal = match is_store {
            true => around.all(|around| is_structured(body, around)),
            false => !is_inner_symbol(ctx, body, uses, op),
        };
        if !is_legal || !has_zero_indices(ctx, body, op, is_store) {
            return None;
        }
        accesses.push((op, is_store));
    }
    Some(accesses)
}

/// Whether a subscript is computed from what loads of a slot give. Other numbers on the heap pass between kernels there,
/// without the host.
fn is_subscript(body: &Body, uses: &Uses, accesses: &[(OpId, bool)]) -> bool {
    let loads = accesses.iter().filter(|(_, is_store)| !is_store);
    let mut open: Vec<Value> = loads.map(|&(load, _)| body[load].result(0)).collect();
    for _ in 0..MAX_VALUES {
        let Some(value) = open.pop() else {
            return false;
        };
        for user in uses.of(value) {
            match body[user.op].name {
                memref::LOAD if user.operand > 0 => return true,
                memref::STORE if user.operand > 1 => return true,
                arith::INDEX_CAST
                | arith::INDEX_CASTUI
                | arith::EXTSI
                | arith::EXTUI
                | arith::ADDI
                | arith::SUBI => open.push(body[user.op].result(0)),
                _ => {}
            }
        }
    }
    false
}

/// Whether an operation can pass values on from its blocks.
fn is_structured(body: &Body, op: OpId) -> bool {
    let is_known = matches!(
        body[op].name,
        affine::FOR
            | affine::IF
            | memref::ALLOCA_SCOPE
            | scf::EXECUTE_REGION
            | scf::FOR
            | scf::IF
            | scf::INDEX_SWITCH
            | scf::WHILE
    );
    let mut regions = body[op].inline_regions().iter();
    is_known && regions.all(|&region| body[region].blocks.len() <= 1)
}

/// Whether a load's result is used as a symbol of a scope inside of the function, where the
/// promoted value need not be one.
fn is_inner_symbol(ctx: &Context, body: &Body, uses: &Uses, load: OpId) -> bool {
    let is_inner = affine::scope_of(body, load) != body.regions().first().copied();
    let mut users = uses.of(body[load].result(0)).iter();
    is_inner && users.any(|user| is_of_affine(ctx, body[user.op].name))
}

fn has_zero_indices(ctx: &Context, body: &Body, op: OpId, is_store: bool) -> bool {
    let is_zero = |&index: &Value| arith::constant_int(ctx, body, index) == Some(0);
    match affine::Access::cast(body, op) {
        Some(access) => {
            let results = access.map(ctx, body).results(ctx);
            results.iter().all(|expr| expr.as_constant(ctx) == Some(0))
        }
        None => (body[op].operands[1 + usize::from(is_store)..].iter()).all(is_zero),
    }
}
