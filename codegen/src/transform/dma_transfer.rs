//! DMA transfers: the operands of `memref.dma_start` and `affine.dma_start`, seen the same way.

use gridloom_dialects::{affine, memref};
use gridloom_ir::{AffineMap, Body, Builder, Context, OpId, Value};

use super::lower_affine::expand_results;

/// Place: an element of a memref.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) memref: Value,
    /// The map from the operands to the index; `None` where they are the index.
    pub(super) map: Option<AffineMap>,
    pub(super) operands: Vec<Value>,
}

impl Place {
    /// Emits the index.
    pub(super) fn index(&self, b: &mut Builder) -> Vec<Value> {
        match self.map {
            Some(map) => expand_results(b, map, &self.operands),
            None => self.operands.clone(),
        }
    }
}

/// Start of a transfer.
#[derive(Clone, Debug)]
pub(super) struct Transfer {
    pub(super) source: Place,
    pub(super) target: Place,
    /// The number of elements.
    pub(super) count: Value,
    /// The memref of the tag.
    pub(super) tag: Value,
    /// Chunk stride and chunk length, in elements.
    pub(super) stride: Option<(Value, Value)>,
}

impl Transfer {
    /// The transfer that an operation starts; `None` where its operands do not match its memrefs.
    pub(super) fn of(ctx: &Context, body: &Body, op: OpId) -> Option<Transfer> {
        if body[op].name == memref::DMA_START {
            let parts = memref::DmaStartOp(op).parts(ctx, body)?;
            let place = |place: memref::Place<'_>| Place {
                memref: place.memref,
                map: None,
                operands: place.indices.to_vec(),
            };
            return Some(Transfer {
                source: place(parts.source),
                target: place(parts.target),
                count: parts.num_elements,
                tag: parts.tag.memref,
                stride: parts.stride,
            });
        }
        let parts = affine::DmaStartOp(op).parts(ctx, body)?;
        let place = |place: affine::AffinePlace<'_>| Place {
            memref: place.memref,
            map: Some(place.map),
            operands: place.operands.to_vec(),
        };
        Some(Transfer {
            source: place(parts.source),
            target: place(parts.target),
            count: parts.num_elements,
            tag: parts.tag.memref,
            stride: parts.stride,
        })
    }
}
