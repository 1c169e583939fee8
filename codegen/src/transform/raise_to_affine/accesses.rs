//! Raising of accesses: `memref.load` and `memref.store` with affine subscripts.

use std::collections::HashMap;

use gridloom_dialects::memref::Access;
use gridloom_dialects::{affine, memref};
use gridloom_ir::{Body, Builder, Context, OpId, Value};

use super::operands::{Mapped, Raised, mapped};
use crate::analysis::loop_kind::is_affine_loop;
use crate::analysis::values::AffineValues;

/// Plan of raising an access, with its subscripts.
pub(super) struct Plan {
    op: OpId,
    subscripts: Mapped,
}

/// Plans to raise an access inside of an affine loop; `None` where it cannot be raised.
pub(super) fn plan(values: &mut AffineValues, op: OpId) -> Option<Plan> {
    let body = values.body;
    let access = Access::cast(body, op)?;
    let is_in_loop = body.ancestors(op).any(|op| is_affine_loop(body, op));
    if !is_in_loop {
        return None;
    }
    let indices = access.indices(body).iter();
    let exprs: Vec<_> = indices.map(|&index| values.expr(index)).collect();
    let subscripts = mapped(values, &Raised::new(), op, &exprs).ok()?;
    Some(Plan { op, subscripts })
}

impl Plan {
    pub(super) fn apply(
        &self,
        ctx: &Context,
        body: &mut Body,
        replaced: &mut HashMap<Value, Value>,
    ) {
        let old = self.op;
        let attributes = body[old].attributes;
        let map = self.subscripts.map(ctx);
        let first = body[old].operands.to_vec();
        let is_load = body[old].name == memref::LOAD;
        let mut b = Builder::before(ctx, body, old);
        let operands = self.subscripts.operands(&mut b);
        let new = if is_load {
            let value = affine::LoadOp::create(&mut b, first[0], map, &operands);
            b.body.defining_op(value)
        } else {
            Some(affine::StoreOp::create(&mut b, first[0], first[1], map, &operands).0)
        };
        let Some(new) = new else { return };
        body[new].attributes = attributes;
        replaced.extend(body[old].results().zip(body[new].results()));
        body.erase(old);
    }
}
