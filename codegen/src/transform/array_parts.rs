//! Parts of expanded arrays: accesses to an array that become accesses to the part of another one which the iteration around
//! them has for itself.
//!
//! ```text
//! affine.load %t[%i, %j]      ⇒      affine.load %u[%b, %i, %j]
//! memref.load %t[%k]          ⇒      memref.load %u[%k, %b]
//! ```

use gridloom_dialects::{affine, memref};
use gridloom_ir::{AffineExpr, Body, Builder, Context, OpId, Value};

/// Part of an expanded array.
pub(super) struct Part<'a> {
    pub(super) array: Value,
    /// Operands of the added subscripts, as dimensions.
    pub(super) operands: &'a [Value],
    /// Subscripts of the dimensions that the array has more.
    pub(super) subscripts: &'a [AffineExpr],
    /// Whether the added dimensions are the outermost ones; else they are the innermost.
    pub(super) is_outermost: bool,
}

impl Part<'_> {
    /// Emits the access to the part in front of a load or store of one element. Returns the loaded value and the one that
    /// replaces it.
    pub(super) fn access(
        &self,
        ctx: &Context,
        body: &mut Body,
        op: OpId,
    ) -> Option<(Value, Value)> {
        let loaded = body[op].results().next();
        let new = match affine::Access::cast(body, op) {
            Some(access) => self.affine(ctx, body, access, op),
            None => self.indexed(ctx, body, op),
        };
        loaded.zip(new)
    }

    fn affine(
        &self,
        ctx: &Context,
        body: &mut Body,
        access: affine::Access,
        op: OpId,
    ) -> Option<Value> {
        let (map, operands) = (access.map(ctx, body), access.operands(body));
        let added = self.operands.len() as u32;
        let (dims, symbols) = (map.num_dims(ctx) as u32, map.num_symbols(ctx) as u32);
        let old_dims: Vec<AffineExpr> = (0..dims).map(|dim| ctx.affine_dim(added + dim)).collect();
        let old_symbols: Vec<AffineExpr> = (0..symbols).map(|s| ctx.affine_symbol(s)).collect();
        let own = map.results(ctx).iter();
        let own: Vec<AffineExpr> = own
            .map(|result| result.replace(ctx, &old_dims, &old_symbols))
            .collect();
        let map = ctx.affine_map(added + dims, symbols, &self.joined(self.subscripts, &own));
        let operands = [self.operands, operands].concat();
        let stored = access.is_store.then(|| body[op].operands[0]);
        let mut b = Builder::before(ctx, body, op);
        match stored {
            Some(value) => {
                affine::StoreOp::create(&mut b, value, self.array, map, &operands);
                None
            }
            None => Some(affine::LoadOp::create(&mut b, self.array, map, &operands)),
        }
    }

    fn indexed(&self, ctx: &Context, body: &mut Body, op: OpId) -> Option<Value> {
        let own = memref::Access::cast(body, op)?.indices(body).to_vec();
        let stored = (body[op].name == memref::STORE).then(|| body[op].operands[0]);
        let mut b = Builder::before(ctx, body, op);
        let added: Vec<Value> = (self.subscripts.iter())
            .map(|&subscript| {
                let map = ctx.affine_map(self.operands.len() as u32, 0, &[subscript]);
                affine::ApplyOp::create(&mut b, map, self.operands)
            })
            .collect();
        let indices = self.joined(&added, &own);
        match stored {
            Some(value) => {
                memref::StoreOp::create(&mut b, value, self.array, &indices);
                None
            }
            None => Some(memref::LoadOp::create(&mut b, self.array, &indices)),
        }
    }

    fn joined<T: Copy>(&self, added: &[T], own: &[T]) -> Vec<T> {
        match self.is_outermost {
            true => [added, own].concat(),
            false => [own, added].concat(),
        }
    }
}
