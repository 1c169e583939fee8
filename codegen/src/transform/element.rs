//! Memory elements, identified by their memref and subscripts.

use gridloom_dialects::affine::{self, Access, LoadOp, StoreOp};
use gridloom_dialects::memref::AllocaOp;
use gridloom_dialects::{arith, memref};
use gridloom_ir::affine::AffineExprKind;
use gridloom_ir::{AffineExpr, AffineMap, Body, Builder, Context, OpId, Type, Value};

/// Whether one-element memory can hold a value of a type between kernels. Index values are
/// excluded: the host needs them for bounds.
pub(super) fn can_be_kept(ctx: &Context, ty: Type) -> bool {
    ty.float_kind(ctx).is_some() || matches!(ty.signless_width(ctx), Some(8 | 16 | 32 | 64))
}

/// Element of memory, by memref and subscripts: equal ones are the same element.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Element {
    pub(super) memref: Value,
    /// Subscript map; for `memref` accesses the identity of the indices.
    pub(super) map: AffineMap,
    pub(super) operands: Vec<Value>,
}

impl Element {
    /// The element of a scalar access.
    pub(super) fn of(ctx: &Context, body: &Body, op: OpId) -> Option<Element> {
        if let Some(access) = memref::Access::cast(body, op) {
            let indices = access.indices(body).to_vec();
            return Some(Element {
                memref: access.memref(body),
                map: ctx.identity_map(u32::try_from(indices.len()).ok()?),
                operands: indices,
            });
        }
        let access = Access::cast(body, op)?;
        let is_scalar = matches!(body[op].name, affine::LOAD | affine::STORE);
        is_scalar.then(|| Element {
            memref: access.memref(body),
            map: access.map(ctx, body),
            operands: access.operands(body).to_vec(),
        })
    }

    /// The element of an affine store.
    pub(super) fn of_store(ctx: &Context, body: &Body, store: StoreOp) -> Element {
        Element {
            memref: store.memref(body),
            map: store.map(ctx, body),
            operands: store.operands(body).to_vec(),
        }
    }

    /// The only element of a memref of rank 0.
    pub(super) fn only(ctx: &Context, memref: Value) -> Element {
        Element {
            memref,
            map: ctx.affine_map(0, 0, &[]),
            operands: Vec::new(),
        }
    }

    /// Whether another element is the same: by equal maps and operands, or by equal constant
    /// subscripts.
    pub(super) fn is_same(&self, ctx: &Context, body: &Body, other: &Element) -> bool {
        let constants = |element: &Element| element.constants(ctx, body);
        self == other
            || self.memref == other.memref
                && constants(self).is_some_and(|own| constants(other) == Some(own))
    }

    /// The subscripts, if all are constants or constant operands.
    fn constants(&self, ctx: &Context, body: &Body) -> Option<Vec<i64>> {
        let data = self.map.data(ctx);
        let constant = |&expr: &AffineExpr| {
            let operand = match expr.kind(ctx) {
                AffineExprKind::Constant(constant) => return Some(constant),
                AffineExprKind::Dim(at) => at,
                AffineExprKind::Symbol(at) => data.dims + at,
                AffineExprKind::Binary(..) => return None,
            };
            arith::constant_int(ctx, body, *self.operands.get(operand as usize)?)
        };
        data.results.iter().map(constant).collect()
    }

    /// Emits an `affine.load` of the element, whose operands have to be dimensions and symbols.
    pub(super) fn load(&self, b: &mut Builder) -> Value {
        LoadOp::create(b, self.memref, self.map, &self.operands)
    }

    /// Emits an `affine.store` to the element, whose operands have to be dimensions and symbols.
    pub(super) fn store(&self, b: &mut Builder, value: Value) {
        StoreOp::create(b, value, self.memref, self.map, &self.operands);
    }
}

/// Allocates a cell for a value, in front of an operation.
pub(super) fn cell(ctx: &Context, body: &mut Body, place: OpId, ty: Type) -> Element {
    let ty = ctx.memref_type(&[], ty);
    let mut b = Builder::before(ctx, body, place);
    Element::only(ctx, AllocaOp::create(&mut b, ty, &[]))
}

/// The outermost operation around an operation.
pub(super) fn outermost(body: &Body, op: OpId) -> OpId {
    body.ancestors(op).last().unwrap_or(op)
}
