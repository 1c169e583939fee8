//! DMA transfers of compound elements: scales their counts to scalars.

use std::collections::HashMap;

use gridloom_dialects::{affine, memref};
use gridloom_ir::{AffineMap, Body, Builder, Diagnostic, OpId, Value};

use super::Expansion;
use super::memory::scale;
use super::types::{dense_strides, with_indices};

impl Expansion<'_> {
    /// Finds the tag arrays of transfers of compound elements. A tag array shared with transfers of
    /// other elements is refused: a wait gives the number of elements, but not the transfer.
    pub fn collect_tags(&mut self, body: &Body, ops: &[OpId]) {
        let mut scalars: HashMap<Value, i64> = HashMap::new();
        for &op in ops {
            let Some((source, tag)) = self.transfer(body, op) else {
                continue;
            };
            let count = self.scalars(source);
            if *scalars.entry(tag).or_insert(count) != count {
                let noun = self.compound.noun();
                let message = format!("transfers of {noun} and of others have one tag array");
                let help = format!("give the transfers of {noun} a tag array of their own");
                let loc = body[op].loc;
                self.errors
                    .push(Diagnostic::error(loc, message).with_help(help));
            }
        }
        scalars.retain(|_, count| *count != 1);
        self.tags = scalars;
    }

    /// Number of scalars in an element of a memref: 1 for an unchanged one.
    fn scalars(&self, memref: Value) -> i64 {
        // A type whose elements exceed 63 bits of size has no values.
        dense_strides(&self.dims(memref)).map_or(i64::MAX, |(_, count)| count)
    }

    /// Source and tag array of a `dma_start`.
    fn transfer(&self, body: &Body, op: OpId) -> Option<(Value, Value)> {
        if let Some(start) = affine::DmaStartOp::cast(body, op) {
            let parts = start.parts(self.ctx, body)?;
            return Some((parts.source.memref, parts.tag.memref));
        }
        memref::DmaStartOp::cast(body, op)?;
        // The old types have the ranks by which operands are laid out; the new ones do not.
        let operands = &body[op].operands;
        let rank = |at: usize| {
            let old = self.old_type(body, *operands.get(at)?);
            Some(old.memref(self.ctx)?.rank())
        };
        let target = 1 + rank(0)?;
        let tag = target + 1 + rank(target)? + 1;
        Some((*operands.first()?, *operands.get(tag)?))
    }

    /// The tag array of a wait for a transfer of compound elements.
    pub fn awaited_tag(&self, body: &Body, op: OpId) -> Option<Value> {
        let data = &body[op];
        let is_wait = matches!(data.name, affine::DMA_WAIT | memref::DMA_WAIT);
        let tag = data.operands.first().filter(|_| is_wait)?;
        self.tags.contains_key(tag).then_some(*tag)
    }

    /// Scales the count of a wait at `tag` to scalars.
    pub fn scale_wait(&self, body: &mut Body, op: OpId, tag: Value) {
        let last = body[op].operands.len() - 1;
        let count = body[op].operands[last];
        let by = self.tags.get(&tag).copied().unwrap_or(1);
        body[op].operands[last] = scale(&mut Builder::before(self.ctx, body, op), count, by);
    }

    /// Rewrites a `dma_start`: one more index for each dimension of an element, and counts in
    /// scalars.
    pub(super) fn dma_start(&self, b: &mut Builder, op: OpId) -> Result<(), String> {
        // The old types have the ranks by which operands are laid out.
        let given = b.body[op].operands.to_vec();
        let mut rest = given.iter().copied();
        let by = given.first().map_or(1, |&source| self.scalars(source));
        let mut operands = Vec::new();
        let first = b.index_constant(0);
        for side in 0..3 {
            if side == 2 {
                let count = rest.next().ok_or("has too few operands")?;
                operands.push(scale(b, count, by));
            }
            let base = rest.next().ok_or("has too few operands")?;
            let memref = self.old_type(b.body, base);
            let rank = memref.memref(b.ctx).map_or(0, |memref| memref.rank());
            operands.push(base);
            operands.extend(rest.by_ref().take(rank));
            operands.extend(self.dims(base).iter().map(|_| first));
        }
        for number in rest {
            operands.push(scale(b, number, by));
        }
        b.body[op].operands = operands.into();
        Ok(())
    }

    pub(super) fn affine_dma_start(&self, b: &mut Builder, op: OpId) -> Result<(), String> {
        let ctx = b.ctx;
        let parts = affine::DmaStartOp(op).parts(ctx, b.body);
        let parts = parts.ok_or("has operands that its maps do not fit")?;
        let by = self.scalars(parts.source.memref);
        let numbers = if parts.stride.is_some() { 3 } else { 1 };
        let sides = [
            ("src_map", parts.source),
            ("dst_map", parts.target),
            ("tag_map", parts.tag),
        ];
        let maps: Vec<(&str, AffineMap)> = (sides.iter())
            .map(|(name, place)| {
                let inner = vec![0; self.dims(place.memref).len()];
                (*name, with_indices(ctx, place.map, &inner))
            })
            .collect();
        for (name, map) in maps {
            b.body[op].set_attribute(ctx, name, ctx.map_attr(map));
        }
        let first = b.body[op].operands.len() - numbers;
        for at in first..first + numbers {
            let number = b.body[op].operands[at];
            let scaled = scale(b, number, by);
            b.body[op].operands[at] = scaled;
        }
        Ok(())
    }
}
