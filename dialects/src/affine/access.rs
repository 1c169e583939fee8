//! Memory accesses: `affine.load`, `affine.store` and their vector and
//! prefetch relatives.

use crate::verified::required_map;
use gridloom_ir::affine::AffineMap;
use gridloom_ir::attr_names;
use gridloom_ir::body::{Body, OpId, Value};
use gridloom_ir::builder::Builder;
use gridloom_ir::context::Context;
use gridloom_ir::types::Type;
use gridloom_ir::verify::{Check, Checked};

use super::validity::{is_valid_dim, scope_of, verify_operands};

op_view! {
    /// `affine.load`
    LoadOp = super::LOAD
}

impl LoadOp {
    /// Loads from `memref` at the results of `map`.
    pub fn create(b: &mut Builder, memref: Value, map: AffineMap, operands: &[Value]) -> Value {
        let element = b.body.ty(memref).element(b.ctx);
        let element = element.expect("the base of a load is a memref");
        let state = b
            .state(super::LOAD)
            .operands(&[&[memref], operands].concat())
            .results(&[element])
            .property(b.ctx, attr_names::MAP, b.ctx.map_attr(map));
        let op = b.create(state);
        b.body[op].result(0)
    }

    /// The accessed memref.
    pub fn memref(self, body: &Body) -> Value {
        body[self.0].operands[0]
    }

    /// The map from its operands to indices.
    pub fn map(self, ctx: &Context, body: &Body) -> AffineMap {
        required_map(ctx, &body[self.0], attr_names::MAP)
    }

    /// The operands of the map.
    pub fn operands(self, body: &Body) -> &[Value] {
        &body[self.0].operands[1..]
    }

    /// The loaded value.
    pub fn result(self, body: &Body) -> Value {
        body[self.0].result(0)
    }
}

op_view! {
    /// `affine.store`
    StoreOp = super::STORE
}

impl StoreOp {
    /// Stores `value` to `memref` at the results of `map`.
    pub fn create(
        b: &mut Builder,
        value: Value,
        memref: Value,
        map: AffineMap,
        operands: &[Value],
    ) -> StoreOp {
        let state = b
            .state(super::STORE)
            .operands(&[&[value, memref], operands].concat())
            .property(b.ctx, attr_names::MAP, b.ctx.map_attr(map));
        StoreOp(b.create(state))
    }

    /// The stored value.
    pub fn value(self, body: &Body) -> Value {
        body[self.0].operands[0]
    }

    /// The accessed memref.
    pub fn memref(self, body: &Body) -> Value {
        body[self.0].operands[1]
    }

    /// The map from its operands to indices.
    pub fn map(self, ctx: &Context, body: &Body) -> AffineMap {
        required_map(ctx, &body[self.0], attr_names::MAP)
    }

    /// The operands of the map.
    pub fn operands(self, body: &Body) -> &[Value] {
        &body[self.0].operands[2..]
    }
}

/// Affine access: any operation that reads or writes a memref through an affine map, seen the same
/// way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// The load or store.
    pub op: OpId,
    /// Whether the operation writes.
    pub is_store: bool,
}

impl Access {
    /// Views `affine.load`, `affine.store`, `affine.vector_load` or `affine.vector_store`.
    pub fn cast(body: &Body, op: OpId) -> Option<Access> {
        let is_store = match body[op].name {
            super::LOAD | super::VECTOR_LOAD => false,
            super::STORE | super::VECTOR_STORE => true,
            _ => return None,
        };
        Some(Access { op, is_store })
    }

    /// The accessed memref.
    pub fn memref(self, body: &Body) -> Value {
        body[self.op].operands[usize::from(self.is_store)]
    }

    /// The map from its operands to indices.
    pub fn map(self, ctx: &Context, body: &Body) -> AffineMap {
        required_map(ctx, &body[self.op], attr_names::MAP)
    }

    /// The operands of the map.
    pub fn operands(self, body: &Body) -> &[Value] {
        &body[self.op].operands[1 + usize::from(self.is_store)..]
    }
}

/// Checks that the operands of the map, which follow the memref, are valid dimensions and symbols.
fn verify_place(check: &Check, memref: usize) -> Checked {
    let ctx = check.ctx();
    let map = required_map(ctx, check.data(), attr_names::MAP);
    let operands = &check.data().operands[memref + 1..];
    verify_operands(check, operands, map.num_dims(ctx))
}

/// Checks, for each read, that its operands are valid dimensions and symbols. The memref comes
/// first.
pub(super) fn verify_read_place(check: &Check) -> Checked {
    verify_place(check, 0)
}

/// Checks, for each write, that its operands are valid dimensions and symbols. The memref follows
/// the stored value.
pub(super) fn verify_write_place(check: &Check) -> Checked {
    verify_place(check, 1)
}

/// Checks that the map of an access fits the memref's rank and the operands.
fn verify_map(check: &Check, memref: usize) -> Checked {
    let ctx = check.ctx();
    let map = required_map(ctx, check.data(), attr_names::MAP);
    let rank = check
        .operand_type(memref)
        .memref(ctx)
        .map_or(0, |memref| memref.rank());
    let map = map.data(ctx);
    check.ensure(
        map.results.len() == rank,
        "affine map num results must equal memref rank",
    )?;
    let operands = &check.data().operands[memref + 1..];
    check.ensure(
        map.dims as usize + map.symbols as usize == operands.len(),
        "expects as many subscripts as affine map inputs",
    )?;
    verify_operands(check, operands, map.dims as usize)
}

pub(super) fn verify_load(check: &Check) -> Checked {
    let element = check.operand_type(0).element(check.ctx());
    check.ensure(
        element == Some(check.result_type(0)),
        "result type must match element type of memref",
    )?;
    verify_map(check, 0)
}

pub(super) fn verify_store(check: &Check) -> Checked {
    let element = check.operand_type(1).element(check.ctx());
    check.ensure(
        element == Some(check.operand_type(0)),
        "value to store must have the same type as memref element type",
    )?;
    verify_map(check, 1)
}

/// Checks that memref and vector of a vector access have one element type.
fn verify_vector(check: &Check, memref: usize, vector: Type) -> Checked {
    verify_map(check, memref)?;
    let ctx = check.ctx();
    check.ensure(
        check.operand_type(memref).element(ctx) == vector.element(ctx),
        "requires memref and vector types of the same elemental type",
    )
}

pub(super) fn verify_vector_load(check: &Check) -> Checked {
    verify_vector(check, 0, check.result_type(0))
}

pub(super) fn verify_vector_store(check: &Check) -> Checked {
    verify_vector(check, 1, check.operand_type(0))
}

pub(super) fn verify_prefetch(check: &Check) -> Checked {
    let ctx = check.ctx();
    let map = required_map(ctx, check.data(), attr_names::MAP);
    let rank = check
        .operand_type(0)
        .memref(ctx)
        .map_or(0, |memref| memref.rank());
    check.ensure(
        map.results(ctx).len() == rank,
        "affine.prefetch affine map num results must equal memref rank",
    )?;
    let operands = &check.data().operands[1..];
    check.ensure(map.num_inputs(ctx) == operands.len(), "too few operands")?;
    verify_prefetch_place(check)
}

/// Checks that the operands of a prefetch's map are valid dimensions and symbols.
pub(super) fn verify_prefetch_place(check: &Check) -> Checked {
    let Some(scope) = scope_of(check.body(), check.op) else {
        return Ok(());
    };
    let mut operands = check.data().operands[1..].iter();
    check.ensure(
        operands.all(|&value| is_valid_dim(check.ctx(), check.body(), value, scope)),
        "index must be a valid dimension or symbol identifier",
    )
}
