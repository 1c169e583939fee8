//! `lift-cf-to-scf`: structures loops of branches between blocks.
//!
//! ```text
//! ^head(%i: index):                       %r = scf.while (%i = %c0) {
//!   %c = arith.cmpi slt, %i, %n             %c = arith.cmpi slt, %i, %n
//!   cf.cond_br %c, ^body, ^exit      ⇒      scf.condition(%c) %i
//! ^body:                                  } do {
//!   S(%i)                                   S(%i)
//!   cf.br ^head(%next)                      scf.yield %next
//! ^exit:                                  }
//! ```
//!
//! Blocks are merged, and conditionals and loops of them replaced by `scf.if` and `scf.while`,
//! inner ones first, until none of these forms is left (the interval reductions of F. E. Allen and
//! J. Cocke, "A program data flow analysis procedure", 1976, kept to structured results). Always
//! legal: operations run in the same order. A loop with several exits, or back edges, first gets
//! one of each ([`exits`]); one with several entries stays, and a remark shows the branch that
//! closes it. Where loops of other forms stand between branches that close none, the region stays
//! as it is, since bounds defined in its blocks would stop being symbols; kernels, and functions
//! that they call, are structured all the same. Functions without any loop are structured too: `inline` takes structured callees.

mod branches;
mod dispatch;
mod exits;
mod flow;
mod joins;
mod structure;

use std::collections::HashSet;

use gridloom_dialects::affine;
use gridloom_ir::{Body, Context, Diagnostic, Diagnostics, OpId, RegionId, Value};

use super::affine_scope::restore_scope;
use super::kernels::is_kernel;
use crate::analysis::loop_kind::holds_any_loop;
use branches::lower_switches;
use exits::unify_exits;
use flow::{Edge, End, Flow, back_edges, end_of, erase_unreachable};
use joins::{unify_joins, unify_returns};

/// Work limit, in operations visited to restructure the blocks of one body; beyond it, loops stay.
const MAX_WORK: usize = 50_000_000;

/// Limit of the rounds in search of lost dimensions: blocks stand mostly in execution order, and
/// then two are enough.
const MAX_ROUNDS: usize = 16;

/// Structures the loops of a body. Returns whether anything changed, and a remark
/// for each that stays.
pub fn lift_cf_to_scf(ctx: &Context, body: &mut Body) -> (bool, Diagnostics) {
    let in_kernel = is_kernel(body);
    lift(ctx, body, in_kernel)
}

/// Structures a function that kernels call as they are structured themselves, loops or not, so that
/// it can be inlined. Returns whether anything changed.
pub(crate) fn lift_device_function(ctx: &Context, body: &mut Body) -> bool {
    lift(ctx, body, true).0
}

fn lift(ctx: &Context, body: &mut Body, in_kernel: bool) -> (bool, Diagnostics) {
    let mut remarks = Diagnostics::new();
    let mut changed = false;
    let mut work = 0;
    for region in regions_of_blocks(body) {
        let closes_none = back_edges(body, region).is_empty();
        if closes_none && !in_kernel && has_loops(body, region) {
            continue;
        }
        let is_free = can_leave_top_level(body, region);
        if is_free {
            changed |= erase_unreachable(body, region);
            changed |= lower_switches(ctx, body, region);
            changed |= unify_returns(ctx, body, region);
        }
        let step = |body: &mut Body| {
            is_free
                && (reduce(ctx, body, region)
                    || unify_joins(ctx, body, region)
                    || unify_exits(ctx, body, region))
        };
        while work < MAX_WORK && step(body) {
            work += body.op_capacity();
            changed = true;
        }
        for branch in back_edges(body, region) {
            remarks.push(remark(body, branch));
        }
    }
    if changed {
        // Values at the top level stop being symbols when moved into a loop.
        let ops = body.walk();
        restore_scope(ctx, body, &ops);
    }
    (changed, remarks)
}

/// Whether there is a structured loop in a region.
fn has_loops(body: &Body, region: RegionId) -> bool {
    let mut blocks = body[region].blocks.iter();
    blocks.any(|&block| body.ops(block).any(|op| holds_any_loop(body, op)))
}

/// Whether the affine operations of a region can be restored or lowered after values of its blocks
/// stop being symbols.
fn can_leave_top_level(body: &Body, region: RegionId) -> bool {
    let blocks = &body[region].blocks;
    let is_moved = |value: &Value| {
        let home = body.value_block(*value);
        home.is_some_and(|home| blocks.iter().skip(1).any(|&block| block == home))
    };
    let ops = blocks.iter().flat_map(|&block| body.ops(block));
    let ops: Vec<OpId> = ops.flat_map(|op| body.walk_op(op)).collect();
    let Some(lost) = lost_dims(body, &ops, is_moved) else {
        return false;
    };
    ops.iter().all(|&op| {
        let must_fit = matches!(
            body[op].name,
            affine::PARALLEL
                | affine::DELINEARIZE_INDEX
                | affine::LINEARIZE_INDEX
                | affine::DMA_START
                | affine::DMA_WAIT
        );
        let fits = |value: &Value| !is_moved(value) && !lost.contains(value);
        !must_fit || body[op].operands.iter().all(fits)
    })
}

/// Lost dimensions: counters of affine loops and results of affine operations whose operands stop
/// being symbols, so that they are lowered. `None` if that takes too many rounds.
fn lost_dims(
    body: &Body,
    ops: &[OpId],
    is_moved: impl Fn(&Value) -> bool,
) -> Option<HashSet<Value>> {
    let mut lost = HashSet::new();
    for _ in 0..MAX_ROUNDS {
        let before = lost.len();
        for &op in ops {
            let is_lowered = |value: &Value| is_moved(value) || lost.contains(value);
            let is_affine = matches!(
                body[op].name,
                affine::FOR | affine::APPLY | affine::MIN | affine::MAX
            );
            if !is_affine || !body[op].operands.iter().any(is_lowered) {
                continue;
            }
            lost.extend(body[op].results());
            if let Some(plain) = affine::ForOp::cast(body, op) {
                lost.insert(plain.induction_var(body));
            }
        }
        // A use may precede the definition in the order of blocks.
        if lost.len() == before {
            return Some(lost);
        }
    }
    None
}

/// Regions with several blocks, inner ones first.
fn regions_of_blocks(body: &Body) -> Vec<RegionId> {
    if !body.has_branching_region() {
        return Vec::new();
    }
    let inner = body.walk().into_iter().rev();
    let inner = inner.flat_map(|op| body[op].inline_regions().to_vec());
    let all = inner.chain(body.regions().iter().copied());
    all.filter(|&region| body[region].blocks.len() > 1)
        .collect()
}

fn remark(body: &Body, branch: OpId) -> Diagnostic {
    let message = "the loop that this branch closes stays in cf: it has several entries \
         (irreducible control flow), or is too large; nothing in it is mapped to kernels";
    Diagnostic::remark(body[branch].loc, message)
}

/// Applies one reduction. Returns whether there was one.
fn reduce(ctx: &Context, body: &mut Body, region: RegionId) -> bool {
    let flow = Flow::of(body, region);
    for &block in flow.blocks.iter().rev() {
        match end_of(ctx, body, block) {
            End::Branch(edge) if edge.to != block && flow.has_one_entry(edge.to) => {
                structure::merge(body, block, &edge);
                return true;
            }
            End::Conditional(condition, edges) => {
                let arms = edges.each_ref().map(|edge| arm(ctx, body, &flow, edge));
                if let Some(form) = loop_form(block, &edges, &arms) {
                    structure::make_loop(ctx, body, block, condition, &edges, form);
                    return true;
                }
                if let Some(join) = join_of(block, &edges, &arms) {
                    structure::make_if(ctx, body, block, condition, &edges, arms, join);
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

/// Arm of a conditional: the branch at the end of a block with a single entry.
fn arm(ctx: &Context, body: &Body, flow: &Flow, edge: &Edge) -> Option<Edge> {
    if !flow.has_one_entry(edge.to) {
        return None;
    }
    match end_of(ctx, body, edge.to) {
        End::Branch(end) if end.to != edge.to => Some(end),
        _ => None,
    }
}

/// Loop form: a header with at most one other block.
pub(super) struct LoopForm {
    /// The edge of the header that stays in the loop: 0 or 1.
    stays: usize,
    /// The back edge of the other block; `None` where the header branches to itself.
    back: Option<Edge>,
}

fn loop_form(
    head: gridloom_ir::BlockId,
    edges: &[Edge; 2],
    arms: &[Option<Edge>; 2],
) -> Option<LoopForm> {
    [0, 1].into_iter().find_map(|stays| {
        let leaves = edges[1 - stays].to;
        if edges[stays].to == head && leaves != head {
            return Some(LoopForm { stays, back: None });
        }
        let back = arms[stays].as_ref().filter(|back| back.to == head)?;
        let is_loop = leaves != head && leaves != edges[stays].to;
        is_loop.then(|| LoopForm {
            stays,
            back: Some(back.clone()),
        })
    })
}

/// Join block of a conditional: the one that both of its arms branch to.
fn join_of(
    block: gridloom_ir::BlockId,
    edges: &[Edge; 2],
    arms: &[Option<Edge>; 2],
) -> Option<gridloom_ir::BlockId> {
    let ends = [0, 1].map(|side| arms[side].as_ref().map(|end| end.to));
    let join = match ends {
        [Some(first), Some(second)] if first == second => Some(first),
        [Some(first), _] if first == edges[1].to => Some(first),
        [_, Some(second)] if second == edges[0].to => Some(second),
        _ if edges[0].to == edges[1].to => Some(edges[0].to),
        _ => None,
    };
    join.filter(|&join| join != block)
}
