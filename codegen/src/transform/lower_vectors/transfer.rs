//! `vector.transfer_read` and `vector.transfer_write`, element by element.
//!
//! ```text
//!                                                %in = arith.cmpi slt, %i + 1, %n
//! %v = vector.transfer_read %a[%i], %pad    ⇒    %y = scf.if %in { memref.load %a[%i + 1] } else { %pad }
//!        : memref<?xf32>, vector<2xf32>
//! ```
//!
//! An element is tested where its dimension is not said to be in bounds; raising turns the test into
//! `affine.if`. Transfers of tensors and of vectors of vectors stay.

use std::collections::HashMap;

use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::memref::DimOp;
use gridloom_dialects::vector::{TransferParts, VectorShape, row_major_strides};
use gridloom_ir::affine::AffineExprKind;
use gridloom_ir::{Builder, OpId, Value};

use super::memory::{load_where, offset, store_where};
use super::{Lowering, Results, each_index};

/// A transfer that has a form by elements.
struct Transfer {
    parts: TransferParts,
    /// The dimensions of the vector, outermost first.
    dims: Vec<TransferDim>,
}

/// A dimension of the vector that is transferred.
#[derive(Clone, Copy)]
struct TransferDim {
    size: usize,
    /// The dimension of the memref that elements lie along; all are one element otherwise.
    along: Option<usize>,
    /// Whether elements may lie outside of that dimension.
    is_tested: bool,
}

impl Lowering<'_> {
    /// The elements that a transfer reads, none of one that writes, where `mask` is set; `None` for
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
            // Elements of a broadcast share what the first of them reads.
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
                // A broadcast reads one element; writes have none.
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

    /// The index of an element, the same for all that a broadcast makes of one.
    fn distinct(&self, element: &[usize]) -> Vec<usize> {
        let along = self.dims.iter().zip(element);
        along
            .map(|(dim, &at)| if dim.along.is_some() { at } else { 0 })
            .collect()
    }

    /// The place of each element's mask. A mask has the dimensions of the memref's slice: those of the
    /// vector in the order of the memref's, broadcast ones left out.
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

    /// The subscripts of an element.
    fn indices_of(&self, b: &mut Builder, element: &[usize]) -> Vec<Value> {
        let mut indices = self.parts.indices.clone();
        for (dim, &at) in self.dims.iter().zip(element) {
            if let Some(index) = dim.along.and_then(|along| indices.get_mut(along)) {
                *index = offset(b, *index, at as i64);
            }
        }
        indices
    }

    /// `0 <= index < extent` of each dimension that is to be tested, and the mask; `None` if there is
    /// nothing to test.
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

/// The extent of a memref's dimension.
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
