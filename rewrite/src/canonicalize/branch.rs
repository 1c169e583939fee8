//! Branches of `cf`: resolves known conditions, merges equal edges, and prunes
//! cases.
//!
//! ```text
//! cf.cond_br %true, ^a, ^b           ⇒  cf.br ^a
//! cf.cond_br %c, ^a(%x), ^a(%y)      ⇒  cf.br ^a(select %c, %x, %y)
//! cf.switch %c7 [default: ^d, 7: ^a] ⇒  cf.br ^a
//! cf.assert %true                    ⇒  (nothing)
//! ```

use gridloom_dialects::{arith, cf, inherent};
use gridloom_ir::attr::{AttrKind, Int};
use gridloom_ir::{BlockId, Body, Context, OpId, OpName, OpState, Value};

use crate::canonicalize::rules::Family;
use crate::rewriter::Rewriter;

/// A successor and the operands passed to it.
pub(super) type Edge = (BlockId, Vec<Value>);

/// The edges of a branch of `cf`, in the order of its successors; `None` for
/// other operations.
pub(super) fn edges(ctx: &Context, body: &Body, op: OpId) -> Option<Vec<Edge>> {
    let data = &body[op];
    let segment = |index| data.operand_segment(ctx, index).to_vec();
    let lists = match data.name {
        cf::BR => vec![data.operands.to_vec()],
        cf::COND_BR => vec![segment(1), segment(2)],
        cf::SWITCH => {
            let counts = data.get(ctx, inherent::CASE_OPERAND_SEGMENTS)?;
            let mut rest = segment(2);
            let mut lists = vec![segment(1)];
            for count in counts {
                let count = usize::try_from(count).ok().filter(|&n| n <= rest.len())?;
                let tail = rest.split_off(count);
                lists.push(std::mem::replace(&mut rest, tail));
            }
            lists
        }
        _ => return None,
    };
    let successors = data.successors().iter().copied();
    (lists.len() == successors.len()).then(|| successors.zip(lists).collect())
}

/// Replaces the edges of a branch of `cf` by as many others.
pub(super) fn set_edges(rw: &mut Rewriter, op: OpId, edges: &[Edge]) {
    let ctx = rw.ctx;
    let data = &rw.body()[op];
    let (name, first) = (data.name, data.operands.first().copied());
    let successors: Vec<BlockId> = edges.iter().map(|edge| edge.0).collect();
    let mut operands: Vec<Value> = edges.iter().flat_map(|edge| edge.1.clone()).collect();
    let counts: Vec<i32> = edges.iter().map(|edge| edge.1.len() as i32).collect();
    if name != cf::BR {
        operands.splice(0..0, first);
        let others = counts[1..].iter().sum();
        let segments = ctx.i32_array_attr(&[1, counts[0], others]);
        rw.set_property(op, inherent::OPERAND_SEGMENT_SIZES, segments);
    }
    if name == cf::SWITCH {
        let segments = ctx.i32_array_attr(&counts[1..]);
        rw.set_property(op, inherent::CASE_OPERAND_SEGMENTS, segments);
    }
    rw.set_operands(op, &operands);
    rw.set_successors(op, &successors);
}

/// Rewrites by root operation.
pub(super) const RULES: Family = &[
    (cf::COND_BR, &[simplify_conditional]),
    (cf::SWITCH, &[simplify_switch]),
    (cf::ASSERT, &[drop_assertion]),
];

/// `assert(true) ⇒ `
fn drop_assertion(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let condition = *rw.body()[op].operands.first()?;
    if !rw.look(op).is_int(condition, 1) {
        return None;
    }
    rw.erase(op);
    Some(())
}

/// Replaces a terminator by a `cf.br`.
pub(super) fn branch(rw: &mut Rewriter, op: OpId, (block, operands): Edge) {
    let loc = rw.body()[op].loc;
    let mut state = OpState::new(cf::BR, loc).operands(&operands);
    state.successors = [block].into_iter().collect();
    rw.create_before(op, state);
    rw.erase(op);
}

/// `cond_br true, ^a, ^b ⇒ br ^a`, `cond_br %c, ^a, ^a ⇒ br ^a`; the edges must pass the same
/// values.
fn simplify_conditional(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let condition = *rw.body()[op].operands.first()?;
    let mut edges = edges(rw.ctx, rw.body(), op)?;
    if let Some(bits) = rw.look(op).int(condition) {
        branch(rw, op, edges.swap_remove(usize::from(bits == 0)));
        return Some(());
    }
    if edges[0] != edges[1] {
        return None;
    }
    branch(rw, op, edges.swap_remove(0));
    Some(())
}

/// `cf.cond_br %c, ^a(%x), ^a(%y) ⇒ cf.br ^a(select %c, %x, %y)`. The caller
/// checks that `^a` has no other predecessor.
pub(super) fn choose_operands(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let condition = *rw.body()[op].operands.first()?;
    let edges = edges(rw.ctx, rw.body(), op)?;
    let [(yes, yes_values), (no, no_values)] = &edges[..] else {
        return None;
    };
    if yes != no {
        return None;
    }
    let block = *yes;
    let pairs: Vec<(Value, Value)> = yes_values
        .iter()
        .copied()
        .zip(no_values.iter().copied())
        .collect();
    // A select between two memrefs would hide from alias analysis which memory
    // is accessed.
    let may_choose = pairs.iter().all(|&(a, b)| {
        let is_memory = rw.body().ty(a).memref(rw.ctx).is_some();
        a == b || !is_memory
    });
    if !may_choose {
        return None;
    }
    let mut chosen = |(a, b): (Value, Value)| match a == b {
        true => a,
        false => {
            let ty = rw.body().ty(a);
            rw.make(op, arith::SELECT, &[condition, a, b], ty)
        }
    };
    let values = pairs.into_iter().map(&mut chosen).collect();
    branch(rw, op, (block, values));
    Some(())
}

/// `switch 2, [default: ^a, 2: ^b] ⇒ br ^b`, `switch %v, [default: ^a, 2: ^a] ⇒ br ^a`,
/// `[default: ^a, 1: ^a, 2: ^b] ⇒ [default: ^a, 2: ^b]`.
fn simplify_switch(rw: &mut Rewriter, op: OpId) -> Option<()> {
    let flag = *rw.body()[op].operands.first()?;
    let mut all = edges(rw.ctx, rw.body(), op)?;
    if all.iter().all(|edge| *edge == all[0]) {
        branch(rw, op, all.swap_remove(0));
        return Some(());
    }
    let cases = cases(rw, op)?;
    let Some(AttrKind::Integer { value, .. }) = rw
        .look(op)
        .constant_attr(flag)
        .map(|flag| flag.kind(rw.ctx))
    else {
        // A case with the default's edge is redundant.
        let left: Vec<usize> = (0..cases.len())
            .filter(|&case| all[case + 1] != all[0])
            .collect();
        let kept = left.iter().map(|&case| all[case + 1].clone());
        let kept: Vec<Edge> = std::iter::once(all[0].clone()).chain(kept).collect();
        return (left.len() < cases.len()).then(|| set_switch(rw, op, &left, &kept));
    };
    let hit = cases.iter().position(|case| case == value);
    branch(rw, op, all.swap_remove(hit.map_or(0, |index| index + 1)));
    Some(())
}

/// Keeps those cases of a `cf.switch` whose numbers are `left`.
pub(super) fn set_switch(rw: &mut Rewriter, op: OpId, left: &[usize], edges: &[Edge]) {
    let ctx = rw.ctx;
    let flag = rw.body()[op].operands[0];
    let known = cases(rw, op).unwrap_or_default();
    if left.is_empty() {
        branch(rw, op, edges[0].clone());
        return;
    }
    let values: Vec<Int> = left
        .iter()
        .filter_map(|&case| known.get(case).cloned())
        .collect();
    let ty = ctx.vector_type(&[values.len() as i64], rw.body().ty(flag));
    let values = ctx.dense_ints_attr(ty, &values);
    rw.set_property(op, inherent::CASE_VALUES, values);
    set_edges(rw, op, edges);
}

/// The case values of a `cf.switch`.
pub(super) fn cases(rw: &Rewriter, op: OpId) -> Option<Vec<Int>> {
    let data = &rw.body()[op];
    let stored = data
        .get(rw.ctx, inherent::CASE_VALUES)?
        .stored_elements(rw.ctx);
    let number = |attr: &gridloom_ir::Attr| match attr.kind(rw.ctx) {
        AttrKind::Integer { value, .. } => Some(value.clone()),
        _ => None,
    };
    let numbers: Vec<Int> = stored.iter().filter_map(number).collect();
    let count = data.successors().len() - 1;
    // A splat stores equal values once.
    match &numbers[..] {
        [only] => Some(vec![only.clone(); count]),
        all => (all.len() == count).then_some(numbers),
    }
}

/// Whether an operation of this name is a branch whose edges [`edges`] reads.
pub(super) fn is_branch(name: OpName) -> bool {
    matches!(name, cf::BR | cf::COND_BR | cf::SWITCH)
}
