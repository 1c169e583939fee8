//! Transfers of complex numbers: twice as many elements, parts.

use std::collections::HashSet;

use gridloom_ir::dialect::{affine, arith, memref};
use gridloom_ir::{AffineMap, Body, Builder, Context, Diagnostic, OpId, Value};

use super::Lowering;
use super::types::with_part;

impl Lowering<'_> {
    /// Finds the tag arrays of transfers of complex numbers. One that transfers of others share is
    /// refused: a wait says how many elements it is for, but not of which transfer.
    pub(super) fn collect_tags(&mut self, body: &Body, ops: &[OpId]) {
        let mut others = HashSet::new();
        for &op in ops {
            let Some((source, tag)) = self.transfer(body, op) else {
                continue;
            };
            if self.is_changed(source) {
                self.tags.insert(tag);
            } else {
                others.insert(tag);
            }
        }
        for &op in ops {
            let tag = self.transfer(body, op).map(|(_, tag)| tag);
            if tag.is_some_and(|tag| self.tags.contains(&tag) && others.contains(&tag)) {
                let message = "transfers of complex numbers and of others have one tag array";
                let help = "give the transfers of complex numbers a tag array of their own";
                let loc = body[op].loc;
                self.errors
                    .push(Diagnostic::error(loc, message).with_help(help));
            }
        }
    }

    /// Source and tag array of a transfer.
    fn transfer(&self, body: &Body, op: OpId) -> Option<(Value, Value)> {
        if let Some(start) = affine::DmaStartOp::cast(body, op) {
            let parts = start.parts(self.ctx, body)?;
            return Some((parts.source.memref, parts.tag.memref));
        }
        memref::DmaStartOp::cast(body, op)?;
        // Not by the ranks of today: the old types have those that the operands go by.
        let operands = &body[op].operands;
        let rank = |at: usize| {
            Some(
                self.old_type(body, *operands.get(at)?)
                    .memref(self.ctx)?
                    .rank(),
            )
        };
        let target = 1 + rank(0)?;
        let tag = target + 1 + rank(target)? + 1;
        Some((*operands.first()?, *operands.get(tag)?))
    }

    /// Whether an operation waits for a transfer of complex numbers.
    pub(super) fn is_wait(&self, body: &Body, op: OpId) -> bool {
        let data = &body[op];
        matches!(data.name, affine::DMA_WAIT | memref::DMA_WAIT)
            && data
                .operands
                .first()
                .is_some_and(|tag| self.tags.contains(tag))
    }

    /// One more index for each side of complex numbers, and twice the elements.
    pub(super) fn dma_start(&self, b: &mut Builder, op: OpId) -> Result<(), String> {
        // The old types have the ranks that the operands go by.
        let given = b.body[op].operands.to_vec();
        let mut rest = given.iter().copied();
        let mut operands = Vec::new();
        let first_part = b.index_constant(0);
        for side in 0..3 {
            if side == 2 {
                let count = rest.next().ok_or("has too few operands")?;
                operands.push(twice(b, count));
            }
            let base = rest.next().ok_or("has too few operands")?;
            let memref = self.old_type(b.body, base);
            let rank = memref.memref(b.ctx).map_or(0, |memref| memref.rank());
            operands.push(base);
            operands.extend(rest.by_ref().take(rank));
            if self.is_changed(base) {
                operands.push(first_part);
            }
        }
        for number in rest {
            operands.push(twice(b, number));
        }
        b.body[op].operands = operands.into();
        Ok(())
    }

    pub(super) fn affine_dma_start(&self, b: &mut Builder, op: OpId) -> Result<(), String> {
        let ctx = b.ctx;
        let parts = affine::DmaStartOp(op).parts(ctx, b.body);
        let parts = parts.ok_or("has operands that its maps do not fit")?;
        let sides = [
            ("src_map", parts.source),
            ("dst_map", parts.target),
            ("tag_map", parts.tag),
        ];
        let maps: Vec<(&str, AffineMap)> = (sides.iter())
            .filter(|(_, place)| self.is_changed(place.memref))
            .map(|(name, place)| (*name, with_part(ctx, place.map, 0)))
            .collect();
        let numbers = if parts.stride.is_some() { 3 } else { 1 };
        for (name, map) in maps {
            b.body[op].set_attribute(ctx, name, ctx.map_attr(map));
        }
        let first = b.body[op].operands.len() - numbers;
        for at in first..first + numbers {
            let number = b.body[op].operands[at];
            let doubled = twice(b, number);
            b.body[op].operands[at] = doubled;
        }
        Ok(())
    }
}

/// Has a wait be for twice as many elements.
pub(super) fn double_wait(ctx: &Context, body: &mut Body, op: OpId) {
    let last = body[op].operands.len() - 1;
    let count = body[op].operands[last];
    body[op].operands[last] = twice(&mut Builder::before(ctx, body, op), count);
}

/// `2 * number`
pub(super) fn twice(b: &mut Builder, number: Value) -> Value {
    let two = b.index_constant(2);
    b.binary(arith::MULI, number, two)
}
