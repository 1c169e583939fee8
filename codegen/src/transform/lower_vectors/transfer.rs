//! Lowering of `vector.transfer_read` and `vector.transfer_write`, element by element.
//!
//! ```text
//!                                                %in = arith.cmpi slt, %i + 1, %n
//! %v = vector.transfer_read %a[%i], %pad    ⇒    %y = scf.if %in { memref.load %a[%i + 1] } else { %pad }
//!        : memref<?xf32>, vector<2xf32>
//! ```
//!
//! An element is tested where its dimension is not marked in bounds; raising turns the test into
//! `affine.if`. Transfers of tensors and of vectors of vectors stay.

use std::collections::HashMap;

use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::memref::DimOp;
use gridloom_dialects::vector::{TransferParts, VectorShape, row_major_strides};
use gridloom_ir::affine::AffineExprKind;
use gridloom_ir::{Builder, OpId, Value};

use super::memory::{load_where, offset, store_where};
use super::{Lowering, Results, each_index};

/// Transfer that can be lowered by elements.
struct Transfer {
    parts: TransferParts,
    /// The dimensions of the vector, outermost first.
    dims: Vec<TransferDim>,
}

/// Dimension of a transferred vector.
#[derive(Clone, Copy)]
struct TransferDim {
    size: usize,
    /// The memref dimension along which its elements lie; `None` for a broadcast dimension.
    along: Option<usize>,
    /// Whether elements may lie out of bounds along it.
    is_tested: bool,
}

impl Lowering<'_> {
    /// Lowers a transfer under `mask`: the elements that it reads, none if it writes; `None` for
    /// another operation.
    pub(super) fn transferred(
        &mut self,
        b: &mut Builder,
        op: OpId,
        mask: Option<&[Value]>,
    ) -> Option<Results> {
        let transfer = Transfer::of(b, op)?;
        let own = (transfer.parts.mask).map(|own| self.elements(b, own));
        let mask = match (&own, mask) {
            (Some(_), Some(_)) => return None,
            (own, mask) => own.as_deref().or(mask),
        };
        let extents: Vec<Option<Value>> = (transfer.dims.iter())
            .map(|dim| {
                let along = dim.along.filter(|_| dim.is_tested)?;
                Some(extent(b, transfer.parts.base, along))
            })
            .collect();
        let sizes: Vec<usize> = transfer.dims.iter().map(|dim| dim.size).collect();
        let elements = each_index(&sizes);
        let masks = transfer.mask_places(&elements);
        let mask_of = |at: usize| match mask {
            Some(mask) => mask.get(masks[at]).copied().map(Some),
            None => Some(None),
        };
        let base = transfer.parts.base;
        if let Some(padding) = transfer.parts.padding {
            // Elements of a broadcast share one load.
            let mut known: HashMap<Vec<usize>, Value> = HashMap::new();
            let mut read = Vec::new();
            for (at, element) in elements.iter().enumerate() {
                let place = transfer.distinct(element);
                if let Some(&value) = known.get(&place) {
                    read.push(value);
                    continue;
                }
                let indices = transfer.indices_of(b, &place);
                let inside = transfer.test(b, &indices, &extents, mask_of(at)?);
                let value = load_where(b, inside, base, &indices, padding);
                known.insert(place, value);
                read.push(value);
            }
            return Some(vec![read]);
        }
        let values = self.elements(b, transfer.parts.vector);
        for (at, (element, value)) in elements.iter().zip(values).enumerate() {
            let indices = transfer.indices_of(b, element);
            let inside = transfer.test(b, &indices, &extents, mask_of(at)?);
            store_where(b, inside, value, base, &indices);
        }
        Some(Vec::new())
    }
}

impl Transfer {
    fn of(b: &Builder, op: OpId) -> Option<Transfer> {
        let (ctx, body) = (b.ctx, &*b.body);
        let parts = TransferParts::of(ctx, body, op)?;
        let ty = body.ty(parts.base).memref(ctx)?;
        let shape = VectorShape::of(ctx, body.ty(parts.vector))?;
        if ty.element != shape.element {
            return None;
        }
        let results = parts.map.results(ctx).iter().zip(&parts.in_bounds);
        let dims = (shape.shape.iter().zip(results)).map(|(&size, (result, &is_sure))| {
            let along = match result.kind(ctx) {
                AffineExprKind::Dim(dim) => Some(dim as usize),
                // A broadcast reads one element; writes have no broadcast.
                _ if parts.is_read => None,
                _ => return None,
            };
            Some(TransferDim {
                size: usize::try_from(size).ok()?,
                along,
                is_tested: along.is_some() && !is_sure,
            })
        });
        let dims = dims.collect::<Option<_>>()?;
        Some(Transfer { dims, parts })
    }

    /// The element's index without broadcast dimensions, along which elements are equal.
    fn distinct(&self, element: &[usize]) -> Vec<usize> {
        let along = self.dims.iter().zip(element);
        along
            .map(|(dim, &at)| if dim.along.is_some() { at } else { 0 })
            .collect()
    }

    /// Position of each element's mask bit. A mask has the shape of the memref slice: the vector's
    /// dimensions in the memref's order, without broadcast ones.
    fn mask_places(&self, elements: &[Vec<usize>]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.dims.len())
            .filter(|&at| self.dims[at].along.is_some())
            .collect();
        order.sort_by_key(|&at| self.dims[at].along);
        let sizes: Vec<usize> = order.iter().map(|&at| self.dims[at].size).collect();
        let strides = row_major_strides(&sizes);
        let place = |element: &Vec<usize>| {
            let parts = order.iter().zip(&strides);
            parts.map(|(&at, stride)| element[at] * stride).sum()
        };
        elements.iter().map(place).collect()
    }

    /// Emits the subscripts of an element.
    fn indices_of(&self, b: &mut Builder, element: &[usize]) -> Vec<Value> {
        let mut indices = self.parts.indices.clone();
        for (dim, &at) in self.dims.iter().zip(element) {
            if let Some(index) = dim.along.and_then(|along| indices.get_mut(along)) {
                *index = offset(b, *index, at as i64);
            }
        }
        indices
    }

    /// Emits the test `0 <= index < extent` of each dimension to be tested, and the mask bit;
    /// `None` if there is nothing to test.
    fn test(
        &self,
        b: &mut Builder,
        indices: &[Value],
        extents: &[Option<Value>],
        mask: Option<Value>,
    ) -> Option<Value> {
        let mut inside = mask;
        for (dim, &extent) in self.dims.iter().zip(extents) {
            let index = dim.along.and_then(|along| indices.get(along));
            let (Some(&index), Some(extent)) = (index, extent) else {
                continue;
            };
            let zero = b.index_constant(0);
            let above = CmpIOp::create(b, CmpIPredicate::Sge, index, zero);
            let below = CmpIOp::create(b, CmpIPredicate::Slt, index, extent);
            let both = b.binary(arith::ANDI, above, below);
            inside = Some(match inside {
                Some(before) => b.binary(arith::ANDI, before, both),
                None => both,
            });
        }
        inside
    }
}

/// Emits the extent of a memref's dimension.
fn extent(b: &mut Builder, memref: Value, dim: usize) -> Value {
    let ty = b.body.ty(memref).memref(b.ctx);
    match ty.and_then(|ty| ty.shape.get(dim)) {
        Some(&extent) if extent >= 0 => b.index_constant(extent),
        _ => {
            let dim = b.index_constant(dim as i64);
            DimOp::create(b, memref, dim)
        }
    }
}
