//! Branches between blocks: creates and redirects them, and lowers switches to chains of conditional branches.

use gridloom_dialects::arith::{CmpIOp, CmpIPredicate};
use gridloom_dialects::{cf, inherent};
use gridloom_ir::fold::{Constant, scalar_attr};
use gridloom_ir::{BlockId, Body, Builder, Context, OpId, RegionId, Value};

use super::flow::{Edge, End, end_of};

/// Appends a branch.
pub(super) fn branch(b: &mut Builder, edge: &Edge) {
    let branch = b.create(b.state(cf::BR).operands(&edge.operands));
    b.body[branch].set_successors(&[edge.to]);
}

/// Appends a branch to the first edge where the condition holds, else to the second.
pub(super) fn branch_if(b: &mut Builder, condition: Value, edges: &[Edge; 2]) {
    let counts = [
        1,
        edges[0].operands.len() as i32,
        edges[1].operands.len() as i32,
    ];
    let operands = [
        &[condition][..],
        &edges[0].operands[..],
        &edges[1].operands[..],
    ]
    .concat();
    let state = b.state(cf::COND_BR).operands(&operands);
    let segments = b.ctx.i32_array_attr(&counts);
    let branch = b.create(state.property(b.ctx, inherent::OPERAND_SEGMENT_SIZES, segments));
    b.body[branch].set_successors(&[edges[0].to, edges[1].to]);
}

/// Replaces each edge out of a block by what `lead` makes of it, with operations it creates before
/// the branch. A block that ends in no branch stays.
pub(super) fn redirect(
    ctx: &Context,
    body: &mut Body,
    block: BlockId,
    mut lead: impl FnMut(&mut Builder, Edge) -> Edge,
) {
    let end = end_of(ctx, body, block);
    let Some(last) = body[block].last() else {
        return;
    };
    let b = &mut Builder::before(ctx, body, last);
    match end {
        End::Branch(edge) => {
            let edge = lead(b, edge);
            branch(b, &edge);
        }
        End::Conditional(condition, edges) => {
            let edges = edges.map(|edge| lead(b, edge));
            branch_if(b, condition, &edges);
        }
        End::Other => return,
    }
    body.erase(last);
}

/// Lowers every switch of a region:
/// `cf.switch %v [default: ^a, 1: ^b, 2: ^c] ⇒ %v == 1 ? ^b : (%v == 2 ? ^c : ^a)`. Returns whether
/// there was one.
pub(super) fn lower_switches(ctx: &Context, body: &mut Body, region: RegionId) -> bool {
    let switches: Vec<(BlockId, OpId)> = (body[region].blocks.iter())
        .filter_map(|&block| Some((block, body[block].last()?)))
        .filter(|&(_, last)| body[last].name == cf::SWITCH)
        .collect();
    let mut changed = false;
    for (block, switch) in switches {
        changed |= lower_switch(ctx, body, region, block, switch).is_some();
    }
    changed
}

fn lower_switch(
    ctx: &Context,
    body: &mut Body,
    region: RegionId,
    block: BlockId,
    switch: OpId,
) -> Option<()> {
    let data = &body[switch];
    let flag = *data.operands.first()?;
    let ty = body.ty(flag);
    let mut rest = data.operand_segment(ctx, 2).iter().copied();
    let counts = data.get(ctx, inherent::CASE_OPERAND_SEGMENTS)?;
    let (&default, targets) = data.successors().split_first()?;
    let values = data.get(ctx, inherent::CASE_VALUES);
    let values = values.and_then(|values| Constant::of(ctx, values));
    let mut cases = Vec::new();
    for (at, (&to, &count)) in targets.iter().zip(&counts).enumerate() {
        let value = scalar_attr(ctx, ty, values?.element(at)?)?;
        let operands = rest.by_ref().take(count.max(0) as usize).collect();
        cases.push((value, Edge { to, operands }));
    }
    let default = Edge {
        to: default,
        operands: data.operand_segment(ctx, 1).to_vec(),
    };
    let loc = data.loc;
    body.erase(switch);
    let mut from = block;
    let last = cases.len();
    for (at, (value, chosen)) in cases.into_iter().enumerate() {
        let otherwise = match at + 1 == last {
            true => default.clone(),
            false => Edge {
                to: body.add_block(region, &[]),
                operands: Vec::new(),
            },
        };
        let mut b = Builder::at_end(ctx, body, from, loc);
        let value = b.constant(value, ty);
        let is_it = CmpIOp::create(&mut b, CmpIPredicate::Eq, flag, value);
        from = otherwise.to;
        branch_if(&mut b, is_it, &[chosen, otherwise]);
    }
    if last == 0 {
        branch(&mut Builder::at_end(ctx, body, block, loc), &default);
    }
    Some(())
}
