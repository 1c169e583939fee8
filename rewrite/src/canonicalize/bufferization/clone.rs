//! `bufferization.clone`: shares the buffer where clone or source is freed
//! soon.
//!
//! ```text
//! %c = clone %m        |  %c = clone %m
//! dealloc %m           |  … %c …            ⇒  … %m …
//! … %c …               |  dealloc %c
//! ```
//!
//! Legal because writing to a clone or to its source is undefined: the two may
//! alias. One buffer serves for both if it lives as long as both did.

use gridloom_dialects::{affine, bufferization, gpu, memref, vector};
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, OpId, OpName, Value};

use super::super::memory::replace_by_cast;
use crate::effects::{Effect, effect_of};
use crate::rewriter::Rewriter;

/// Tries each rewrite; `Some(())` if one fired.
pub(super) fn simplify(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let [source] = rw.look(op).operands()?;
    let clone = rw.body()[op].result(0);
    if rw.is_unused(clone) {
        rw.erase(op);
        return Some(());
    }
    uncast(rw, op, source).or_else(|| share(rw, op, source, clone))
}

/// `clone (cast %m) ⇒ clone %m`; the clone keeps its own type.
fn uncast(rw: &mut Rewriter, op: OpId, source: Value) -> Option<()> {
    let origin = *rw.look(op).maker(source, memref::CAST)?.operands.first()?;
    rw.body().ty(origin).memref(rw.ctx)?;
    rw.set_operands(op, &[origin]);
    Some(())
}

/// The operation that frees a memref: `Some(None)` if there is none, `None` if
/// there are several.
fn freed_by(rw: &Rewriter, memory: Value) -> Option<Option<OpId>> {
    let frees = |op: &OpId| {
        let name = rw.body()[*op].name;
        matches!(name, memref::DEALLOC | memref::REALLOC | gpu::DEALLOC)
    };
    let mut freeing = rw.users(memory).into_iter().filter(frees);
    let first = freeing.next();
    freeing.next().is_none().then_some(first)
}

/// Operations whose result aliases their first operand.
const VIEWS: [OpName; 9] = [
    memref::CAST,
    memref::COLLAPSE_SHAPE,
    memref::EXPAND_SHAPE,
    memref::MEMORY_SPACE_CAST,
    memref::REINTERPRET_CAST,
    memref::RESHAPE,
    memref::SUBVIEW,
    memref::TRANSPOSE,
    memref::VIEW,
];

/// The memory at the end of a chain of these views.
fn memory_below(rw: &Rewriter, mut value: Value, views: &[OpName]) -> Value {
    while let Some(op) = rw.body().defining_op(value) {
        let data = &rw.body()[op];
        match data.operands.first() {
            Some(&source) if views.contains(&data.name) => value = source,
            _ => break,
        }
    }
    value
}

/// `%c = clone %m; …; dealloc %c ⇒ …` with `%m` in place of `%c`, if one of the two is freed in
/// this block and nothing may free memory before that.
fn share(rw: &mut Rewriter, op: OpId, source: Value, clone: Value) -> Option<()> {
    let below = memory_below(rw, source, &VIEWS);
    let [end_of_clone, end_of_source] = [freed_by(rw, clone)?, freed_by(rw, below)?];
    let body = rw.body();
    let block = |op: Option<OpId>| op.and_then(|op| body[op].parent());
    if end_of_clone.is_some() && block(end_of_clone) == block(end_of_source) {
        return None;
    }
    let is_near = |end: &OpId| body[*end].parent() == body[op].parent();
    let end = match end_of_clone.filter(is_near) {
        Some(end) => end,
        // The surviving memref must be the whole allocation, so that it can be
        // freed.
        None if below == memory_below(rw, source, &[memref::CAST]) => {
            end_of_source.filter(is_near)?
        }
        None => return None,
    };
    if body[end].name != memref::DEALLOC || !lives_until(body, op, end) {
        return None;
    }
    if !may_cast(rw, source, clone) {
        return None;
    }
    replace_by_cast(rw, op, source)?;
    rw.erase(end);
    Some(())
}

/// Whether nothing frees memory between two operations of a block; unknown
/// operations may.
fn lives_until(body: &Body, from: OpId, to: OpId) -> bool {
    let mut next = body[from].next();
    while let Some(op) = next {
        if op == to {
            return true;
        }
        if !body
            .walk_op(op)
            .into_iter()
            .all(|below| frees_nothing(body, below))
        {
            return false;
        }
        next = body[op].next();
    }
    false
}

/// Whether an operation is known to free nothing.
fn frees_nothing(body: &Body, op: OpId) -> bool {
    let name = body[op].name;
    effect_of(body, op) < Effect::Writes
        || name.has(Traits::CONSTANT_LIKE)
        || matches!(
            name,
            affine::STORE
                | affine::VECTOR_STORE
                | bufferization::CLONE
                | memref::ATOMIC_RMW
                | memref::COPY
                | memref::STORE
                | vector::MASKEDSTORE
                | vector::STORE
                | vector::TRANSFER_WRITE
        )
}

/// Whether a cast may convert one type to the other, or they are equal.
fn may_cast(rw: &Rewriter, from: Value, to: Value) -> bool {
    let [from, to] = [from, to].map(|value| rw.body().ty(value));
    if from == to {
        return true;
    }
    match (from.memref(rw.ctx), to.memref(rw.ctx)) {
        (Some(from), Some(to)) => super::may_cast(rw.ctx, from, to),
        _ => false,
    }
}
