//! Element accesses: `memref.load`, `memref.store`, atomic updates, prefetches.

use crate::arith::ATOMIC_RMW_KIND;
use gridloom_ir::body::{Body, OpId, Value};
use gridloom_ir::builder::Builder;
use gridloom_ir::diag::Diagnostic;
use gridloom_ir::op::Traits;
use gridloom_ir::verify::{Check, Checked};

op_view! {
    /// `memref.load`
    LoadOp = super::LOAD
}

impl LoadOp {
    /// Loads one element.
    pub fn create(b: &mut Builder, memref: Value, indices: &[Value]) -> Value {
        let element = b.body.ty(memref).element(b.ctx);
        let element = element.expect("the base of a load is a memref");
        b.unary(super::LOAD, &[&[memref], indices].concat(), element)
    }

    /// The memref.
    pub fn memref(self, body: &Body) -> Value {
        body[self.0].operands[0]
    }

    /// One index for each dimension.
    pub fn indices(self, body: &Body) -> &[Value] {
        &body[self.0].operands[1..]
    }

    /// The value loaded.
    pub fn result(self, body: &Body) -> Value {
        body[self.0].result(0)
    }
}

op_view! {
    /// `memref.store`
    StoreOp = super::STORE
}

impl StoreOp {
    /// Stores one element.
    pub fn create(b: &mut Builder, value: Value, memref: Value, indices: &[Value]) -> StoreOp {
        let operands = [&[value, memref], indices].concat();
        StoreOp(b.create(b.state(super::STORE).operands(&operands)))
    }

    /// The value stored.
    pub fn value(self, body: &Body) -> Value {
        body[self.0].operands[0]
    }

    /// The memref.
    pub fn memref(self, body: &Body) -> Value {
        body[self.0].operands[1]
    }

    /// One index for each dimension.
    pub fn indices(self, body: &Body) -> &[Value] {
        &body[self.0].operands[2..]
    }
}

/// A uniform view of `memref.load` and `memref.store`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// The load or store.
    pub op: OpId,
    /// Whether the operation writes.
    pub is_store: bool,
}

impl Access {
    /// `memref.load` or `memref.store`.
    pub fn cast(body: &Body, op: OpId) -> Option<Access> {
        let is_store = match body[op].name {
            super::LOAD => false,
            super::STORE => true,
            _ => return None,
        };
        Some(Access { op, is_store })
    }

    /// The memref.
    pub fn memref(self, body: &Body) -> Value {
        body[self.op].operands[usize::from(self.is_store)]
    }

    /// One index for each dimension.
    pub fn indices(self, body: &Body) -> &[Value] {
        &body[self.op].operands[1 + usize::from(self.is_store)..]
    }
}

fn rank(check: &Check, operand: usize) -> usize {
    let ty = check.operand_type(operand).memref(check.ctx());
    ty.map_or(0, |memref| memref.rank())
}

pub(super) fn verify_load(check: &Check) -> Checked {
    let (rank, given) = (rank(check, 0), check.data().operands.len() - 1);
    check.ensure(
        given == rank,
        format_args!("incorrect number of indices for load, expected {rank} but got {given}"),
    )
}

pub(super) fn verify_store(check: &Check) -> Checked {
    let given = check.data().operands.len() - 2;
    check.ensure(
        given == rank(check, 1),
        "store index operand count not equal to memref rank",
    )
}

pub(super) fn verify_prefetch(check: &Check) -> Checked {
    let given = check.data().operands.len() - 1;
    check.ensure(given == rank(check, 0), "too few indices")
}

pub(super) fn verify_atomic(check: &Check) -> Checked {
    let (ctx, data) = (check.ctx(), check.data());
    check.ensure(
        data.operands.len() - 2 == rank(check, 1),
        "expects the number of subscripts to be equal to memref rank",
    )?;
    let kind = data
        .attr(ctx, "kind")
        .and_then(|kind| kind.as_i64(ctx))
        .unwrap_or(0);
    let ty = check.operand_type(0);
    let name = usize::try_from(kind)
        .ok()
        .and_then(|kind| ATOMIC_RMW_KIND.cases.get(kind));
    let name = name.map_or("", |case| case.0);
    match kind {
        0 | 4 | 8 | 12 => check.ensure(
            ty.float_kind(ctx).is_some(),
            format_args!("with kind '{name}' expects a floating-point type"),
        ),
        3 | 5 | 9 => Ok(()),
        _ => check.ensure(
            ty.signless_width(ctx).is_some(),
            format_args!("with kind '{name}' expects an integer type"),
        ),
    }
}

pub(super) fn verify_generic_atomic(check: &Check) -> Checked {
    let body = check.body();
    let block = check.require_block(0, "atomic_body")?;
    let args = &body[block].args;
    let result = check.result_type(0);
    check.ensure(
        check.data().operands.len() - 1 == rank(check, 0),
        "expects the number of subscripts to be equal to memref rank",
    )?;
    check.ensure(
        args.len() == 1,
        "expected single number of entry block arguments",
    )?;
    check.ensure(
        body.ty(args[0]) == result,
        "expected block argument of the same type result type",
    )?;
    let acts = |op: &OpId| {
        let name = body[*op].name;
        !name.has(Traits::PURE) && !name.has(Traits::RECURSIVE_EFFECTS)
    };
    match body.walk_op(check.op).into_iter().skip(1).find(acts) {
        Some(op) => Err(Diagnostic::error(
            body[op].loc,
            "body of 'memref.generic_atomic_rmw' should contain only operations with no side effects",
        )),
        None => Ok(()),
    }
}

pub(super) fn verify_atomic_yield(check: &Check) -> Checked {
    let parent = check
        .parent()
        .filter(|parent| parent.data().num_results() > 0);
    let (Some(parent), ty) = (parent, check.operand_type(0)) else {
        return Ok(());
    };
    let expected = parent.result_type(0);
    if expected == ty {
        return Ok(());
    }
    Err(check.error(format!(
        "types mismatch between yield op: '{}' and its parent: '{}'",
        check.show(ty),
        check.show(expected)
    )))
}
