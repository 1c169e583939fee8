//! Lowering of `vector.bitcast`, with the first element in the lowest bits.

use gridloom_dialects::arith;
use gridloom_ir::{Builder, OpId, Type, Value};

use super::combine::element;
use super::{Lowering, Results};

impl Lowering<'_> {
    /// Bitcasts elements, splitting or joining their bits where widths differ.
    pub(super) fn bitcast(&mut self, b: &mut Builder, op: OpId) -> Option<Results> {
        let ctx = b.ctx;
        let (source, result) = (b.body[op].operands[0], b.body[op].result(0));
        let (from, to) = (
            element(ctx, b.body.ty(source)),
            element(ctx, b.body.ty(result)),
        );
        let (narrow, wide) = (bits_of(b, from)?, bits_of(b, to)?);
        let elements = self.elements(b, source);
        if narrow == wide {
            let cast = elements.into_iter().map(|value| cast(b, value, to));
            return Some(vec![cast.collect()]);
        }
        let (from_bits, to_bits) = (ctx.int_type(narrow), ctx.int_type(wide));
        let elements: Vec<Value> = (elements.into_iter())
            .map(|value| cast(b, value, from_bits))
            .collect();
        let bits: Vec<Value> = match narrow > wide {
            true => (elements.iter())
                .flat_map(|&value| split(b, value, narrow, wide))
                .collect(),
            false => (elements.chunks((wide / narrow) as usize))
                .map(|parts| join(b, parts, narrow, to_bits))
                .collect::<Option<_>>()?,
        };
        let cast = bits.into_iter().map(|value| cast(b, value, to));
        Some(vec![cast.collect()])
    }
}

/// The width of a type in bits; `None` where its bits are not accessible.
fn bits_of(b: &Builder, ty: Type) -> Option<u32> {
    let float = ty.float_kind(b.ctx).map(|kind| kind.width());
    float.or_else(|| ty.signless_width(b.ctx))
}

fn cast(b: &mut Builder, value: Value, ty: Type) -> Value {
    match b.body.ty(value) == ty {
        true => value,
        false => b.unary(arith::BITCAST, &[value], ty),
    }
}

/// Splits an integer of `whole` bits into parts of `width` bits, the lowest first.
fn split(b: &mut Builder, value: Value, whole: u32, width: u32) -> Vec<Value> {
    let (ty, part) = (b.body.ty(value), b.ctx.int_type(width));
    let shifts = (0..whole / width).map(|at| i64::from(at * width));
    shifts
        .map(|shift| {
            let shift = b.constant(b.ctx.int_attr(ty, shift), ty);
            let shifted = b.binary(arith::SHRUI, value, shift);
            b.unary(arith::TRUNCI, &[shifted], part)
        })
        .collect()
}

/// Joins parts of `width` bits to an integer, the lowest first.
fn join(b: &mut Builder, parts: &[Value], width: u32, ty: Type) -> Option<Value> {
    let mut joined = None;
    for (at, &part) in (0..).zip(parts) {
        let part = b.unary(arith::EXTUI, &[part], ty);
        let shift = b.constant(b.ctx.int_attr(ty, at * i64::from(width)), ty);
        let part = b.binary(arith::SHLI, part, shift);
        joined = Some(match joined {
            Some(before) => b.binary(arith::ORI, before, part),
            None => part,
        });
    }
    joined
}
