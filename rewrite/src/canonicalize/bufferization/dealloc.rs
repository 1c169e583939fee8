//! `bufferization.dealloc`: merges duplicate memrefs, drops those that are
//! never freed, and drops allocations that are only freed.
//!
//! ```text
//! dealloc (%m, %m) if (%c, %d)       ⇒  dealloc (%m) if (%c or %d)
//! dealloc (%m) if (false)            ⇒  (nothing)
//! dealloc () retain (%m)             ⇒  false
//! ```

use gridloom_dialects::{arith, inherent, memref};
use gridloom_ir::{OpId, Value};

use crate::rewriter::Rewriter;

/// The memrefs to free, each with its condition, and the retained ones.
struct Parts {
    memory: Vec<(Value, Value)>,
    retained: Vec<Value>,
}

fn parts(rw: &Rewriter, op: OpId) -> Parts {
    let data = &rw.body()[op];
    let group = |number| data.operand_segment(rw.ctx, number).iter().copied();
    Parts {
        memory: group(0).zip(group(1)).collect(),
        retained: group(2).collect(),
    }
}

/// Tries each rewrite; `Some(())` if one fired.
pub(super) fn simplify(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let parts = parts(rw, op);
    fold_empty(rw, op, &parts)
        .or_else(|| name_once(rw, op, &parts))
        .or_else(|| retain_once(rw, op, &parts))
        .or_else(|| drop_unfreed(rw, op, &parts))
        .or_else(|| look_through_metadata(rw, op, &parts))
        .or_else(|| drop_unused(rw, op, &parts))
}

/// `dealloc () retain (%m) ⇒ false`: without memrefs, no ownership passes on.
fn fold_empty(rw: &mut Rewriter, op: OpId, parts: &Parts) -> Option<()> {
    if !parts.memory.is_empty() {
        return None;
    }
    let results = rw.body()[op].num_results();
    if results == 0 {
        rw.erase(op);
        return Some(());
    }
    let no = rw.splat(0, rw.ctx.bool_type(), op)?;
    rw.replace_op(op, &vec![no; results]);
    Some(())
}

/// Replaces the operands; the results stay.
fn set(rw: &mut Rewriter, op: OpId, memory: &[(Value, Value)], retained: &[Value]) {
    let sizes = [memory.len(), memory.len(), retained.len()].map(|count| count as i32);
    let sizes = rw.ctx.i32_array_attr(&sizes);
    rw.set_property(op, inherent::OPERAND_SEGMENT_SIZES, sizes);
    let mut operands: Vec<Value> = memory.iter().map(|&(memory, _)| memory).collect();
    operands.extend(memory.iter().map(|&(_, condition)| condition));
    operands.extend(retained);
    rw.set_operands(op, &operands);
}

/// `dealloc (%m, %m) if (%c, %d) ⇒ dealloc (%m) if (%c or %d)`.
fn name_once(rw: &mut Rewriter, op: OpId, parts: &Parts) -> Option<()> {
    let mut once: Vec<(Value, Value)> = Vec::new();
    for &(memory, condition) in &parts.memory {
        let Some(known) = once.iter_mut().find(|(known, _)| *known == memory) else {
            once.push((memory, condition));
            continue;
        };
        if known.1 != condition {
            let ty = rw.ctx.bool_type();
            known.1 = rw.make(op, arith::ORI, &[known.1, condition], ty);
        }
    }
    if once.len() == parts.memory.len() {
        return None;
    }
    set(rw, op, &once, &parts.retained);
    Some(())
}

/// `dealloc … retain (%m, %m) ⇒ dealloc … retain (%m)`; the two results become one.
fn retain_once(rw: &mut Rewriter, op: OpId, parts: &Parts) -> Option<()> {
    let mut once: Vec<Value> = Vec::new();
    let place = |memory: &Value| {
        let known = once.iter().position(|known| known == memory);
        known.unwrap_or_else(|| {
            once.push(*memory);
            once.len() - 1
        })
    };
    let places: Vec<usize> = parts.retained.iter().map(place).collect();
    if once.len() == parts.retained.len() {
        return None;
    }
    let types = vec![rw.ctx.bool_type(); once.len()];
    let operands = rw.body()[op].operands.to_vec();
    let new = rw.remake_as(op, &operands, &types);
    set(rw, new, &parts.memory, &once);
    let results: Vec<Value> = rw.body()[new].results().collect();
    let results: Vec<Value> = places.into_iter().map(|place| results[place]).collect();
    rw.replace_op(op, &results);
    Some(())
}

/// Keeps the memrefs for which `keep` holds.
fn keep(
    rw: &mut Rewriter,
    op: OpId,
    parts: &Parts,
    keep: impl Fn(&Rewriter, Value, Value) -> bool,
) -> Option<()> {
    let kept = parts.memory.iter().copied();
    let kept: Vec<(Value, Value)> = kept.filter(|&(m, c)| keep(rw, m, c)).collect();
    if kept.len() == parts.memory.len() {
        return None;
    }
    set(rw, op, &kept, &parts.retained);
    Some(())
}

/// `dealloc (%m, %n) if (false, %c) ⇒ dealloc (%n) if (%c)`.
fn drop_unfreed(rw: &mut Rewriter, op: OpId, parts: &Parts) -> Option<()> {
    keep(rw, op, parts, |rw, _, condition| {
        !rw.look(op).is_int(condition, 0)
    })
}

/// `dealloc (base of extract_strided_metadata %m) ⇒ dealloc (%m)` for an allocation `%m`.
fn look_through_metadata(rw: &mut Rewriter, op: OpId, parts: &Parts) -> Option<()> {
    let seen = |&(memory, condition): &(Value, Value)| {
        let cx = rw.look(op);
        let origin = cx
            .maker(memory, memref::EXTRACT_STRIDED_METADATA)
            .and_then(|maker| {
                let &source = maker.operands.first()?;
                cx.maker(source, memref::ALLOC)?;
                (maker.result(0) == memory).then_some(source)
            });
        (origin.unwrap_or(memory), condition)
    };
    let seen: Vec<(Value, Value)> = parts.memory.iter().map(seen).collect();
    if seen == parts.memory {
        return None;
    }
    set(rw, op, &seen, &parts.retained);
    Some(())
}

/// `%m = alloc(); dealloc (%m) if (%c) ⇒ (nothing)` if `%m` has no other use.
fn drop_unused(rw: &mut Rewriter, op: OpId, parts: &Parts) -> Option<()> {
    let is_used = |rw: &Rewriter, memory: Value, _: Value| {
        let is_new = rw.look(op).maker(memory, memref::ALLOC).is_some();
        !is_new || parts.retained.contains(&memory) || rw.users(memory) != [op]
    };
    keep(rw, op, parts, is_used)
}
