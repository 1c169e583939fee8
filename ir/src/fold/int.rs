//! Integer arithmetic, comparisons and choices.

use super::{FoldResult, int_bits, int_constant, int_width, mask, sign_extend};
use crate::body::{Body, OpId, Value};
use crate::context::Context;
use crate::dialect::arith::{self, CmpIPredicate};
use crate::op::OpName;
use crate::types::Type;

/// Two integers in, one of their type out.
pub(super) fn fold_binary(ctx: &Context, body: &Body, op: OpId) -> Option<FoldResult> {
    let data = &body[op];
    let (&[lhs, rhs], 1) = (&data.operands[..], data.num_results()) else {
        return None;
    };
    let ty = body.ty(data.result(0));
    let width = int_width(ctx, ty)?;
    let (a, b) = (int_bits(ctx, body, lhs), int_bits(ctx, body, rhs));
    if let (Some(a), Some(b)) = (a, b)
        && let Some(bits) = eval(data.name, a, b, width)
    {
        return int_constant(ctx, ty, bits);
    }
    match identity(data.name, (lhs, a), (rhs, b), width)? {
        Identity::Value(value) => Some(FoldResult::Value(value)),
        Identity::Number(bits) => int_constant(ctx, ty, bits),
    }
}

/// The value on operands of `width` bits; `None` where MLIR has none, and for
/// operations of other families.
fn eval(name: OpName, a: u64, b: u64, width: u32) -> Option<u64> {
    let (sa, sb) = (sign_extend(a, width), sign_extend(b, width));
    let shift = u32::try_from(b).ok().filter(|&by| by < width);
    // The only quotient that does not fit is least / -1.
    let divides = sb != 0 && !(sb == -1 && sa == sign_extend(1 << (width - 1), width));
    let bits = match name {
        arith::ADDI => a.wrapping_add(b),
        arith::SUBI => a.wrapping_sub(b),
        arith::MULI => a.wrapping_mul(b),
        arith::DIVUI => a.checked_div(b)?,
        arith::REMUI => a.checked_rem(b)?,
        arith::CEILDIVUI if b != 0 => a.div_ceil(b),
        arith::DIVSI if divides => (sa / sb) as u64,
        arith::REMSI if divides => (sa % sb) as u64,
        arith::FLOORDIVSI if divides => {
            (sa / sb - i64::from(sa % sb != 0 && (sa < 0) != (sb < 0))) as u64
        }
        arith::CEILDIVSI if divides => {
            (sa / sb + i64::from(sa % sb != 0 && (sa < 0) == (sb < 0))) as u64
        }
        arith::ANDI => a & b,
        arith::ORI => a | b,
        arith::XORI => a ^ b,
        arith::SHLI => a << shift?,
        arith::SHRUI => a >> shift?,
        arith::SHRSI => (sa >> shift?) as u64,
        arith::MINSI => sa.min(sb) as u64,
        arith::MAXSI => sa.max(sb) as u64,
        arith::MINUI => a.min(b),
        arith::MAXUI => a.max(b),
        _ => return None,
    };
    Some(mask(bits, width))
}

enum Identity {
    Value(Value),
    Number(u64),
}

/// What an operation gives when one operand, or that both are the same, is
/// all that is known.
fn identity(
    name: OpName,
    (lhs, a): (Value, Option<u64>),
    (rhs, b): (Value, Option<u64>),
    width: u32,
) -> Option<Identity> {
    let (zero, one, ones) = (Some(0), Some(1), Some(mask(u64::MAX, width)));
    let same = lhs == rhs;
    let (left, right) = (Some(Identity::Value(lhs)), Some(Identity::Value(rhs)));
    let number = |bits| Some(Identity::Number(bits));
    match name {
        arith::ADDI | arith::ORI | arith::XORI if b == zero => left,
        arith::ADDI | arith::ORI | arith::XORI if a == zero => right,
        arith::SUBI | arith::SHLI | arith::SHRSI | arith::SHRUI if b == zero => left,
        arith::SUBI | arith::XORI if same => number(0),
        arith::MULI if b == one => left,
        arith::MULI if a == one => right,
        arith::MULI | arith::ANDI if a == zero || b == zero => number(0),
        arith::ANDI if b == ones => left,
        arith::ANDI if a == ones => right,
        arith::ORI if a == ones || b == ones => number(mask(u64::MAX, width)),
        arith::DIVUI | arith::CEILDIVUI if b == one => left,
        // In one bit, 1 is -1 as a signed number.
        arith::DIVSI | arith::FLOORDIVSI | arith::CEILDIVSI if b == one && width > 1 => left,
        arith::REMUI if b == one => number(0),
        arith::REMSI if b == one && width > 1 => number(0),
        arith::ANDI | arith::ORI | arith::MINSI | arith::MINUI | arith::MAXSI | arith::MAXUI
            if same =>
        {
            left
        }
        _ => None,
    }
}

/// A sum with its carry, a product in two halves.
pub(super) fn fold_extended(ctx: &Context, body: &Body, op: OpId) -> Option<Vec<FoldResult>> {
    let data = &body[op];
    let &[lhs, rhs] = &data.operands[..] else {
        return None;
    };
    let (a, b) = (int_bits(ctx, body, lhs)?, int_bits(ctx, body, rhs)?);
    let types: Vec<Type> = data.results().map(|result| body.ty(result)).collect();
    let &[low_type, high_type] = &types[..] else {
        return None;
    };
    let width = int_width(ctx, low_type)?;
    let (wide_a, wide_b) = (u128::from(a), u128::from(b));
    let signed = |bits| i128::from(sign_extend(bits, width));
    let whole = match data.name {
        arith::ADDUI_EXTENDED => wide_a + wide_b,
        arith::MULUI_EXTENDED => wide_a * wide_b,
        _ => (signed(a) * signed(b)) as u128,
    };
    let low = int_constant(ctx, low_type, whole as u64)?;
    let high = int_constant(ctx, high_type, (whole >> width) as u64)?;
    Some(vec![low, high])
}

/// `arith.cmpi`
pub(super) fn fold_compare(ctx: &Context, body: &Body, op: OpId) -> Option<FoldResult> {
    let data = &body[op];
    let number = data.attr(ctx, "predicate")?.as_i64(ctx)?;
    let predicate = CmpIPredicate::from_value(number)?;
    let &[lhs, rhs] = &data.operands[..] else {
        return None;
    };
    let width = int_width(ctx, body.ty(lhs))?;
    // Equal values compare as any equal numbers do.
    let (a, b) = match lhs == rhs {
        true => (0, 0),
        false => (int_bits(ctx, body, lhs)?, int_bits(ctx, body, rhs)?),
    };
    let holds = compare(predicate, a, b, width);
    int_constant(ctx, ctx.bool_type(), holds.into())
}

fn compare(predicate: CmpIPredicate, a: u64, b: u64, width: u32) -> bool {
    let (sa, sb) = (sign_extend(a, width), sign_extend(b, width));
    match predicate {
        CmpIPredicate::Eq => a == b,
        CmpIPredicate::Ne => a != b,
        CmpIPredicate::Slt => sa < sb,
        CmpIPredicate::Sle => sa <= sb,
        CmpIPredicate::Sgt => sa > sb,
        CmpIPredicate::Sge => sa >= sb,
        CmpIPredicate::Ult => a < b,
        CmpIPredicate::Ule => a <= b,
        CmpIPredicate::Ugt => a > b,
        CmpIPredicate::Uge => a >= b,
    }
}

/// `arith.select`
pub(super) fn fold_select(ctx: &Context, body: &Body, op: OpId) -> Option<FoldResult> {
    let &[condition, yes, no] = &body[op].operands[..] else {
        return None;
    };
    if yes == no {
        return Some(FoldResult::Value(yes));
    }
    if body.ty(condition) != ctx.bool_type() {
        return None;
    }
    if let Some(bits) = int_bits(ctx, body, condition) {
        return Some(FoldResult::Value(if bits != 0 { yes } else { no }));
    }
    let is_bool = body.ty(yes) == ctx.bool_type();
    let choice = (int_bits(ctx, body, yes), int_bits(ctx, body, no));
    (is_bool && choice == (Some(1), Some(0))).then_some(FoldResult::Value(condition))
}
