//! Extents that types leave open, as expressions.
//!
//! ```text
//! %y = memref.alloc(%n) : memref<?xf32>
//! scf.for … iter_args(%a = %x, %b = %y) {         %n, where %x has that extent, too
//!   %d = memref.dim %b, %c0                  ⇒
//!   scf.yield %b, %a
//! }
//! ```

use gridloom_dialects::memref::{self, Mixed};
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{AffineExpr, OpId, RegionId, Value};

use super::{AffineValues, Atom, MAX_CHAIN};
use crate::analysis::alias::separated_from;
use crate::analysis::forwarding::incoming;

/// Limit of the memrefs that a forwarded one is followed through.
const MAX_SOURCES: usize = 64;

/// An extent of a memref: the memref and the dimension.
pub(super) type Extent = (Value, usize);

/// Origin of an extent.
enum Origin {
    /// One of these other extents.
    Extents(Vec<Extent>),
    /// A constant.
    Number(i64),
    /// An SSA value.
    Value(Value),
    /// The memref itself: its extent has no other name.
    Own,
}

impl AffineValues<'_> {
    /// The extent of a memref along a dimension.
    pub(super) fn extent_at(&mut self, memref: Value, dim: usize, depth: usize) -> AffineExpr {
        let shape = (self.body.ty(memref).memref(self.ctx)).map(|ty| ty.shape[dim]);
        if let Some(extent) = shape.filter(|&extent| extent != DYNAMIC) {
            return self.ctx.affine_const(extent);
        }
        let own = Atom::Extent(memref, dim as u32);
        match self.extents.get(&(memref, dim)) {
            Some(&Some(known)) => return known,
            // The size of a buffer is computed from the extent of one that it becomes.
            Some(None) => return self.atom_expr(own),
            None => {}
        }
        self.extents.insert((memref, dim), None);
        let open = match depth < MAX_CHAIN {
            true => self.open_extent((memref, dim), depth + 1),
            false => None,
        };
        let expr = open.unwrap_or_else(|| self.atom_expr(own));
        self.extents.insert((memref, dim), Some(expr));
        expr
    }

    /// The one expression that all extents are which this one may come from.
    fn open_extent(&mut self, extent: Extent, depth: usize) -> Option<AffineExpr> {
        let mut seen = vec![extent];
        let mut next = 0;
        let mut found: Option<AffineExpr> = None;
        while let Some(&(memref, dim)) = seen.get(next) {
            next += 1;
            let expr = match self.origin(memref, dim)? {
                Origin::Extents(extents) => {
                    for extent in extents {
                        if !seen.contains(&extent) {
                            seen.push(extent);
                        }
                    }
                    if seen.len() > MAX_SOURCES {
                        return None;
                    }
                    continue;
                }
                Origin::Number(number) => self.ctx.affine_const(number),
                Origin::Value(value) => self.expr_at(value, depth),
                Origin::Own => self.atom_expr(Atom::Extent(memref, dim as u32)),
            };
            if found.is_some_and(|found| found != expr) {
                return None;
            }
            found = Some(expr);
        }
        found.filter(|&expr| self.is_visible(expr, extent.0))
    }

    /// Whether all values of an expression are defined in regions around the definition of
    /// `memref`, which may be forwarded from a region that ends before it.
    fn is_visible(&self, expr: AffineExpr, memref: Value) -> bool {
        let body = self.body;
        let region_of = |value: Value| body[body.value_block(value)?].parent();
        let outer = |&region: &RegionId| body[body[body[region].parent()?].parent()?].parent();
        let mut atoms = Vec::new();
        self.atoms_in(expr, &mut atoms);
        atoms.into_iter().all(|number| {
            let anchor = self.atom(number).anchor();
            let Some(made) = anchor.and_then(region_of) else {
                return false;
            };
            std::iter::successors(region_of(memref), outer).any(|region| region == made)
        })
    }

    /// The origin of an extent, by the operation that makes the memref.
    fn origin(&self, memref: Value, dim: usize) -> Option<Origin> {
        let (ctx, body) = (self.ctx, self.body);
        let shape = &body.ty(memref).memref(ctx)?.shape;
        let extent = *shape.get(dim)?;
        if extent != DYNAMIC {
            return Some(Origin::Number(extent));
        }
        if let Some(values) = incoming(ctx, body, memref) {
            return Some(Origin::Extents(
                values.into_iter().map(|v| (v, dim)).collect(),
            ));
        }
        let Some(op) = body.defining_op(memref) else {
            return Some(Origin::Own);
        };
        let of_value = |size: Value| {
            let dim = body.defining_op(size);
            let dim = dim.filter(|&op| body[op].name == memref::DIM);
            match dim.and_then(|op| self.measured(op)) {
                Some(extent) => Origin::Extents(vec![extent]),
                None => Origin::Value(size),
            }
        };
        Some(match body[op].name {
            memref::CAST | memref::MEMORY_SPACE_CAST | memref::ASSUME_ALIGNMENT => {
                let source = *body[op].operands.first()?;
                match body.ty(source).memref(ctx) {
                    Some(ty) if ty.rank() > dim => Origin::Extents(vec![(source, dim)]),
                    _ => Origin::Own,
                }
            }
            memref::DISTINCT_OBJECTS => Origin::Extents(vec![(separated_from(body, memref)?, dim)]),
            memref::SUBVIEW => {
                let sizes = memref::SubViewOp(op).sizes(ctx, body);
                let keeps_rank = sizes.len() == shape.len();
                match *sizes.get(dim).filter(|_| keeps_rank)? {
                    Mixed::Constant(DYNAMIC) => Origin::Own,
                    Mixed::Constant(size) => Origin::Number(size),
                    Mixed::Value(size) => of_value(size),
                }
            }
            memref::ALLOC | memref::ALLOCA => {
                let position = shape[..dim].iter().filter(|&&d| d == DYNAMIC).count();
                of_value(*memref::dynamic_sizes(ctx, body, op).get(position)?)
            }
            _ => Origin::Own,
        })
    }

    /// The extent that a `memref.dim` with a constant dimension gives.
    pub(super) fn measured(&self, op: OpId) -> Option<Extent> {
        let (ctx, body) = (self.ctx, self.body);
        let dim = memref::DimOp(op).constant_index(ctx, body)?;
        let source = memref::DimOp(op).source(body);
        let rank = body.ty(source).memref(ctx)?.rank();
        let dim = usize::try_from(dim).ok().filter(|&dim| dim < rank)?;
        Some((source, dim))
    }
}
