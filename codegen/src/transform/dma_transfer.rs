//! DMA transfers: the operands of `memref.dma_start` and `affine.dma_start`, seen the same way.

use gridloom_dialects::{affine, arith, inherent, memref};
use gridloom_ir::{AffineExpr, AffineMap, Body, Builder, Context, OpId, Value};

use super::lower_affine::expand_results;
use crate::analysis::values::AffineValues;

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

    /// The index as expressions, where they do not wrap around; `op` is the operation that names the place.
    pub(super) fn exprs(&self, values: &mut AffineValues<'_>, op: OpId) -> Vec<Option<AffineExpr>> {
        let Some(map) = self.map else {
            let operands = self.operands.iter();
            return operands.map(|&value| Some(values.expr(value))).collect();
        };
        values.map_exprs(op, map, &self.operands)
    }
}

/// Start of a transfer.
#[derive(Clone, Debug)]
pub(super) struct Transfer {
    pub(super) source: Place,
    pub(super) target: Place,
    /// The number of elements.
    pub(super) count: Value,
    /// The tag element.
    pub(super) tag: Place,
    /// Chunk stride and chunk length, in elements.
    pub(super) stride: Option<(Value, Value)>,
}

impl Transfer {
    /// The transfer that an operation starts; `None` where its operands do not match its memrefs.
    pub(super) fn of(ctx: &Context, body: &Body, op: OpId) -> Option<Transfer> {
        if body[op].name == memref::DMA_START {
            let parts = memref::DmaStartOp(op).parts(ctx, body)?;
            return Some(Transfer {
                source: indexed(parts.source),
                target: indexed(parts.target),
                count: parts.num_elements,
                tag: indexed(parts.tag),
                stride: parts.stride,
            });
        }
        let parts = affine::DmaStartOp(op).parts(ctx, body)?;
        Some(Transfer {
            source: mapped(parts.source),
            target: mapped(parts.target),
            count: parts.num_elements,
            tag: mapped(parts.tag),
            stride: parts.stride,
        })
    }
}

/// The tag element that a `dma_wait` names; `None` where its operands do not match.
pub(super) fn awaited_tag(ctx: &Context, body: &Body, op: OpId) -> Option<Place> {
    if body[op].name == memref::DMA_WAIT {
        return Some(indexed(memref::DmaWaitOp(op).tag(body)));
    }
    let (tag, _) = affine::DmaWaitOp(op).parts(ctx, body)?;
    Some(mapped(tag))
}

/// Expressions whose least one is a number, exact where they fit the machine's integers.
pub(super) fn least_of(values: &mut AffineValues, number: Value) -> Vec<AffineExpr> {
    let (ctx, body) = (values.ctx, values.body);
    let choices = body.defining_op(number).and_then(|op| {
        let env = values.environment_at(op);
        let exprs: Option<Vec<AffineExpr>> = match body[op].name {
            affine::MIN => {
                let map = body[op].get(ctx, inherent::MAP)?;
                let results = values.map_exprs(op, map, &body[op].operands);
                results.into_iter().collect()
            }
            arith::MINSI => {
                let operands = body[op].operands.iter();
                Some(operands.map(|&value| values.expr(value)).collect())
            }
            _ => None,
        };
        exprs.filter(|exprs| exprs.iter().all(|&expr| values.fits(expr, env)))
    });
    choices.unwrap_or_else(|| vec![values.expr(number)])
}

fn indexed(place: memref::Place<'_>) -> Place {
    Place {
        memref: place.memref,
        map: None,
        operands: place.indices.to_vec(),
    }
}

fn mapped(place: affine::AffinePlace<'_>) -> Place {
    Place {
        memref: place.memref,
        map: Some(place.map),
        operands: place.operands.to_vec(),
    }
}
