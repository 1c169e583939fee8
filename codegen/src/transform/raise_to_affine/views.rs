//! Raising of views: offsets of `memref.reinterpret_cast` become affine expressions of counters.

use std::collections::HashMap;

use gridloom_dialects::affine::{self, ApplyOp};
use gridloom_dialects::memref;
use gridloom_ir::{Body, Builder, Context, OpId, Value};

use super::operands::{Mapped, Raised, mapped};
use crate::analysis::loop_kind::is_affine_loop;
use crate::analysis::values::AffineValues;

/// Plan of raising operands of a view, by their places.
pub(super) struct Plan {
    op: OpId,
    operands: Vec<(usize, Mapped)>,
}

/// Plans to raise the operands of a view inside of an affine loop; `None` where all may stay, or none can be raised.
pub(super) fn plan(values: &mut AffineValues, op: OpId) -> Option<Plan> {
    let (ctx, body) = (values.ctx, values.body);
    let is_cast = body[op].name == memref::REINTERPRET_CAST;
    if !is_cast || !body.ancestors(op).any(|op| is_affine_loop(body, op)) {
        return None;
    }
    let scope = affine::scope_of(body, op)?;
    let numbers = body[op].operands.iter().enumerate().skip(1);
    let open = numbers.filter(|&(_, &value)| !affine::is_valid_dim(ctx, body, value, scope));
    let operands = open.filter_map(|(place, &value)| {
        let expr = values.expr(value);
        Some((place, mapped(values, &Raised::new(), op, &[expr]).ok()?))
    });
    let operands: Vec<(usize, Mapped)> = operands.collect();
    (!operands.is_empty()).then_some(Plan { op, operands })
}

impl Plan {
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body, _: &mut HashMap<Value, Value>) {
        let mut b = Builder::before(ctx, body, self.op);
        for (place, expr) in &self.operands {
            let operands = expr.operands(&mut b);
            let value = ApplyOp::create(&mut b, expr.map(ctx), &operands);
            b.body[self.op].operands[*place] = value;
        }
    }
}
