//! Elements of memory by their subscripts, as a program writes them.

use gridloom_dialects::affine::{self, Access, LoadOp, StoreOp};
use gridloom_dialects::{arith, memref};
use gridloom_ir::affine::AffineExprKind;
use gridloom_ir::{AffineExpr, AffineMap, Body, Builder, Context, OpId, Type, Value};

/// Whether memory of one element can hold a value of a type between kernels. Indices, of which bounds are
/// made, are needed by the host.
pub(super) fn can_be_kept(ctx: &Context, ty: Type) -> bool {
    ty.float_kind(ctx).is_some() || matches!(ty.signless_width(ctx), Some(8 | 16 | 32 | 64))
}

/// An element in the words of the program: two of the same words are one element.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Element {
    pub(super) memref: Value,
    /// The subscripts: of `memref` accesses, the identity of their indices.
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

    /// That of a store.
    pub(super) fn of_store(ctx: &Context, body: &Body, store: StoreOp) -> Element {
        Element {
            memref: store.memref(body),
            map: store.map(ctx, body),
            operands: store.operands(body).to_vec(),
        }
    }

    /// The only one of a memref of rank 0.
    pub(super) fn only(ctx: &Context, memref: Value) -> Element {
        Element {
            memref,
            map: ctx.affine_map(0, 0, &[]),
            operands: Vec::new(),
        }
    }

    /// Whether another one is the same: in the same words, or by the same constants as subscripts.
    pub(super) fn is_same(&self, ctx: &Context, body: &Body, other: &Element) -> bool {
        let constants = |element: &Element| element.constants(ctx, body);
        self == other
            || self.memref == other.memref
                && constants(self).is_some_and(|own| constants(other) == Some(own))
    }

    /// The subscripts, where all are constants or constant operands.
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

    /// Loads it by `affine.load`, where its operands are dimensions and symbols.
    pub(super) fn load(&self, b: &mut Builder) -> Value {
        LoadOp::create(b, self.memref, self.map, &self.operands)
    }

    /// Stores to it by `affine.store`, where its operands are dimensions and symbols.
    pub(super) fn store(&self, b: &mut Builder, value: Value) {
        StoreOp::create(b, value, self.memref, self.map, &self.operands);
    }
}
