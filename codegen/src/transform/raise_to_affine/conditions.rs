//! Raising of conditions: `scf.if` on comparisons of affine expressions.

use std::collections::HashMap;

use gridloom_dialects::{affine, scf};
use gridloom_ir::affine::AffineConstraint;
use gridloom_ir::{Body, Builder, Context, OpId, Type, Value};

use super::operands::{Mapped, Raised, mapped};
use crate::analysis::condition::conjunction;
use crate::analysis::loop_kind::is_affine_loop;
use crate::analysis::values::AffineValues;

/// Plan of raising a conditional, with the set in which its first or its second region runs.
pub(super) struct Plan {
    op: OpId,
    exprs: Mapped,
    is_eq: Vec<bool>,
    is_negated: bool,
}

/// Plans an `scf.if` inside of an affine loop, if its condition, or the opposite,
/// is a conjunction of constraints whose left sides fit 64 bits.
pub(super) fn plan(values: &mut AffineValues, op: OpId) -> Option<Plan> {
    let body = values.body;
    let in_loop = body.ancestors(op).any(|op| is_affine_loop(body, op));
    if body[op].name != scf::IF || !in_loop {
        return None;
    }
    let condition = *body[op].operands.first()?;
    let env = values.environment_at(op);
    [true, false].into_iter().find_map(|outcome| {
        let found = conjunction(values, op, condition, outcome);
        let fits = (found.constraints.iter()).all(|c| values.fits(c.expr, env));
        if !found.is_complete || !fits || found.constraints.is_empty() {
            return None;
        }
        let exprs: Vec<_> = found.constraints.iter().map(|c| c.expr).collect();
        Some(Plan {
            op,
            exprs: mapped(values, &Raised::new(), op, &exprs).ok()?,
            is_eq: found.constraints.iter().map(|c| c.is_eq).collect(),
            is_negated: !outcome,
        })
    })
}

impl Plan {
    pub(super) fn apply(
        &self,
        ctx: &Context,
        body: &mut Body,
        replaced: &mut HashMap<Value, Value>,
    ) {
        let old = self.op;
        let map = self.exprs.map(ctx).data(ctx);
        let constraints = map.results.iter().zip(&self.is_eq);
        let constraints: Vec<AffineConstraint> = constraints
            .map(|(&expr, &is_eq)| AffineConstraint { expr, is_eq })
            .collect();
        let set = ctx.integer_set(map.dims, map.symbols, &constraints);
        let types: Vec<Type> = body[old].results().map(|r| body.ty(r)).collect();
        let attributes = body[old].attributes;
        let mut blocks = [0, 1].map(|region| body.region_block(old, region));
        if self.is_negated {
            blocks.reverse();
        }
        let mut b = Builder::before(ctx, body, old);
        let operands = self.exprs.operands(&mut b);
        let new = affine::IfOp::create(&mut b, set, &operands, &types, false);
        let made = new.then_block(b.body);
        if blocks[0].is_none() {
            affine::yield_values(&mut b, made, &[]);
        }
        body[new.0].attributes = attributes;
        let regions = body[new.0].inline_regions().to_vec();
        if blocks[0].is_some() {
            body.remove_block(made);
        }
        for (block, region) in blocks.into_iter().zip(regions) {
            let Some(block) = block else { continue };
            body.move_block(block, region, 0);
            if let Some(last) = body[block].last() {
                body[last].name = affine::YIELD;
            }
        }
        replaced.extend(body[old].results().zip(body[new.0].results()));
        body.erase(old);
    }
}
