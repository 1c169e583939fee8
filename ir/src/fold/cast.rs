//! Conversions between scalar types.

use super::float::{convert, from_int, to_int};
use super::{FoldResult, Scalar, float_constant, int_constant, int_width, scalar, sign_extend};
use crate::attr::AttrKind;
use crate::body::{Body, OpId};
use crate::context::Context;
use crate::dialect::arith;
use crate::types::{FloatKind, TypeKind};

/// `arith.extsi` and its kin.
pub(super) fn fold(ctx: &Context, body: &Body, op: OpId) -> Option<FoldResult> {
    let data = &body[op];
    let (&[operand], 1) = (&data.operands[..], data.num_results()) else {
        return None;
    };
    if let Some(inner) = undone(ctx, body, op) {
        return Some(inner);
    }
    let ty = body.ty(data.result(0));
    match scalar(ctx, body, operand)? {
        Scalar::Int { bits, width } => {
            let signed = i128::from(sign_extend(bits, width));
            match data.name {
                arith::EXTSI | arith::INDEX_CAST => int_constant(ctx, ty, signed as u64),
                arith::EXTUI | arith::TRUNCI | arith::INDEX_CASTUI => int_constant(ctx, ty, bits),
                arith::SITOFP => {
                    from_int(signed, ty.float_kind(ctx)?).map(|bits| float_constant(ctx, ty, bits))
                }
                arith::UITOFP => from_int(bits.into(), ty.float_kind(ctx)?)
                    .map(|bits| float_constant(ctx, ty, bits)),
                arith::BITCAST if ty.float_kind(ctx).is_some() => {
                    Some(float_constant(ctx, ty, bits.into()))
                }
                arith::BITCAST => int_constant(ctx, ty, bits),
                _ => None,
            }
        }
        Scalar::Float { bits, kind } => match data.name {
            arith::EXTF | arith::TRUNCF if rounds_to_even(ctx, body, op) => {
                let bits = convert(bits, kind, ty.float_kind(ctx)?)?;
                Some(float_constant(ctx, ty, bits))
            }
            arith::FPTOSI | arith::FPTOUI => {
                let signed = data.name == arith::FPTOSI;
                let number = to_int_of(bits, kind, int_width(ctx, ty)?, signed)?;
                int_constant(ctx, ty, number)
            }
            arith::BITCAST => match ty.kind(ctx) {
                TypeKind::Float(_) => Some(float_constant(ctx, ty, bits)),
                _ => int_constant(ctx, ty, u64::try_from(bits).ok()?),
            },
            _ => None,
        },
    }
}

/// The integer part, if an integer of this width holds it.
fn to_int_of(bits: u128, kind: FloatKind, width: u32, signed: bool) -> Option<u64> {
    let number = to_int(bits, kind)?;
    let (least, beyond) = match signed {
        true => (-(1i128 << (width - 1)), 1i128 << (width - 1)),
        false => (0, 1i128 << width),
    };
    (least..beyond).contains(&number).then_some(number as u64)
}

/// Whether no other rounding mode is asked for.
fn rounds_to_even(ctx: &Context, body: &Body, op: OpId) -> bool {
    match body[op].attr(ctx, "roundingmode").map(|a| a.kind(ctx)) {
        None => true,
        // `to_nearest_even` is case 0.
        Some(AttrKind::Integer { value, .. }) => *value == crate::attr::Int::Small(0),
        Some(_) => false,
    }
}

/// What a conversion gives back when the one before it lost nothing.
fn undone(ctx: &Context, body: &Body, op: OpId) -> Option<FoldResult> {
    let data = &body[op];
    let inner = body.defining_op(*data.operands.first()?)?;
    let source = *body[inner].operands.first()?;
    let ty = body.ty(source);
    if ty != body.ty(data.result(0)) {
        return None;
    }
    let widens = || {
        let middle = int_width(ctx, body.ty(*data.operands.first()?))?;
        Some(int_width(ctx, ty)? <= middle)
    };
    let lossless = match (body[inner].name, data.name) {
        (arith::EXTSI | arith::EXTUI, arith::TRUNCI) => true,
        (arith::INDEX_CAST | arith::INDEX_CASTUI, arith::INDEX_CAST | arith::INDEX_CASTUI) => {
            // An integer of another width than `index` must not have been cut
            // short on the way there, whatever width an `index` has.
            let to_index = body.ty(*data.operands.first()?).is_index(ctx);
            to_index && widens()? && int_width(ctx, ty)? <= 32
        }
        (arith::BITCAST, arith::BITCAST) => true,
        _ => false,
    };
    lossless.then_some(FoldResult::Value(source))
}
