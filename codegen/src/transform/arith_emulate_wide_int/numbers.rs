//! Operations of `arith` and `math` on integers of two words.

use gridloom_dialects::arith::{self, CmpIPredicate};
use gridloom_dialects::{inherent, math};
use gridloom_ir::attr::Int;
use gridloom_ir::types::FloatKind;
use gridloom_ir::{AttrKind, Builder, Context, OpId, OpName, Type, Value};

use super::WideIntegers;
use super::bits::{Pair, Wide};
use crate::transform::compound_elements::{Lowered, Pairs, select};

/// Whether operations of this name compute with integers.
pub(super) fn computes(ctx: &Context, name: OpName) -> bool {
    let whole = ctx.op_name_str(name);
    name != arith::SELECT && (whole.starts_with("arith.") || whole.starts_with("math."))
}

/// Lowers an operation, in front of it.
///
/// # Errors
/// The reason why it cannot be lowered.
pub(super) fn lower(
    pairs: &mut Pairs<WideIntegers>,
    b: &mut Builder,
    op: OpId,
) -> Result<Lowered, String> {
    let (ctx, name) = (b.ctx, b.body[op].name);
    let operands: Vec<Value> = b.body[op].operands.to_vec();
    let types = operands.iter().map(|&value| b.body.ty(value));
    let widths: Vec<Option<u32>> = types.map(|ty| ty.signless_width(ctx)).collect();
    let mut wide = Vec::new();
    for &operand in &operands {
        wide.push(pairs.parts_of(b.body, operand));
    }
    let result = b.body[op].results().next().map(|value| b.body.ty(value));
    let width = |ty: Type| ty.signless_width(ctx).filter(|width| *width > 64);
    let own = result.and_then(width).or(*widths.first().unwrap_or(&None));
    let Some((own, ty)) = own.zip(result) else {
        return Err(refusal(ctx, name));
    };
    let predicate = arith::CmpIOp::cast(b.body, op).map(|op| op.predicate(ctx, b.body));
    let value = b.body[op].get(ctx, inherent::VALUE);
    let mut w = Wide { b, width: own };
    let lowered = match (name, &operands[..], &wide[..]) {
        (arith::CONSTANT, ..) => {
            let AttrKind::Integer { value, .. } = value.map_or(&AttrKind::Unit, |v| v.kind(ctx))
            else {
                return Err(refusal(ctx, name));
            };
            Lowered::Two(constant(&mut w, value).ok_or_else(|| refusal(ctx, name))?)
        }
        (arith::CMPI, _, &[Some(x), Some(y)]) => {
            let predicate = predicate.ok_or_else(|| refusal(ctx, name))?;
            Lowered::One(w.compared(predicate, x, y))
        }
        (_, _, &[Some(x), Some(y)]) => {
            Lowered::Two(binary(&mut w, name, x, y).ok_or_else(|| refusal(ctx, name))?)
        }
        (_, &[x], &[parts]) => {
            let lowered = unary(&mut w, name, (x, parts, widths[0]), ty);
            lowered.ok_or_else(|| refusal(ctx, name))?
        }
        _ => return Err(refusal(ctx, name)),
    };
    Ok(lowered)
}

fn refusal(ctx: &Context, name: OpName) -> String {
    format!(
        "'{}' of integers of more than 64 bits cannot be lowered; split them into two of 64 bits by 'arith.trunci' and \
         'arith.shrui'",
        ctx.op_name_str(name)
    )
}

fn constant(w: &mut Wide, value: &Int) -> Option<Pair> {
    let bytes = value.to_le_bytes(16);
    let bits = u128::from_le_bytes(bytes.try_into().ok()?);
    let kept = u128::MAX >> (128 - w.width);
    Some(w.constant(bits & kept))
}

fn binary(w: &mut Wide, name: OpName, x: Pair, y: Pair) -> Option<Pair> {
    let result = match name {
        arith::ADDI => w.sum(x, y),
        arith::SUBI => w.difference(x, y),
        arith::MULI => w.product(x, y),
        arith::ANDI | arith::ORI | arith::XORI => w.halves(name, x, y),
        arith::SHLI | arith::SHRUI | arith::SHRSI => w.shifted(name, x, y),
        arith::MAXSI => extremum(w, CmpIPredicate::Sgt, x, y),
        arith::MAXUI => extremum(w, CmpIPredicate::Ugt, x, y),
        arith::MINSI => extremum(w, CmpIPredicate::Slt, x, y),
        arith::MINUI => extremum(w, CmpIPredicate::Ult, x, y),
        _ if arith::is_division(name) => w.divided(name, x, y),
        _ => return None,
    };
    Some(w.wrapped(result))
}

fn extremum(w: &mut Wide, predicate: CmpIPredicate, x: Pair, y: Pair) -> Pair {
    let is_first = w.compared(predicate, x, y);
    select(w.b, is_first, [x, y])
}

/// Lowers an operation of one operand, of which `parts` are the halves if it is wide.
fn unary(
    w: &mut Wide,
    name: OpName,
    (x, parts, from): (Value, Option<Pair>, Option<u32>),
    ty: Type,
) -> Option<Lowered> {
    let word = w.b.ctx.int_type(64);
    let lowered = match (name, parts) {
        (arith::EXTSI | arith::INDEX_CAST, None) => {
            let low = widened(w, name, x, word);
            let most = w.word(63);
            let high = w.op(arith::SHRSI, low, most);
            Lowered::Two(w.wrapped([low, high]))
        }
        (arith::EXTUI | arith::INDEX_CASTUI, None) => {
            Lowered::Two([widened(w, name, x, word), w.word(0)])
        }
        (arith::EXTUI, Some(pair)) => Lowered::Two(pair),
        (arith::EXTSI, Some(pair)) => {
            let extended = Wide {
                b: &mut *w.b,
                width: from?,
            }
            .signed(pair);
            Lowered::Two(w.wrapped(extended))
        }
        (arith::TRUNCI, Some(pair)) => match ty.signless_width(w.b.ctx)? {
            65.. => Lowered::Two(w.wrapped(pair)),
            64 => Lowered::One(pair[0]),
            _ => Lowered::One(w.b.unary(arith::TRUNCI, &[pair[0]], ty)),
        },
        (arith::INDEX_CAST | arith::INDEX_CASTUI, Some([low, _])) => {
            Lowered::One(w.b.unary(name, &[low], ty))
        }
        (arith::UITOFP, Some(pair)) => Lowered::One(w.float_of(pair, ty)),
        (arith::SITOFP, Some(pair)) => {
            let (magnitude, is_negative) = w.magnitude(pair);
            let float = w.float_of(magnitude, ty);
            let opposite = w.b.unary(arith::NEGF, &[float], ty);
            Lowered::One(w.choose(is_negative, opposite, float))
        }
        (arith::FPTOSI | arith::FPTOUI, None) => {
            let kind = w.b.body.ty(x).float_kind(w.b.ctx)?;
            let x = match kind {
                FloatKind::F32 | FloatKind::F64 => x,
                _ => {
                    let single = w.b.ctx.float_type(FloatKind::F32);
                    w.b.unary(arith::EXTF, &[x], single)
                }
            };
            let found = w.of_float(x, name == arith::FPTOSI)?;
            Lowered::Two(w.wrapped(found))
        }
        (math::ABSI, Some(pair)) => Lowered::Two(w.magnitude(pair).0),
        (math::CTPOP, Some(pair)) => {
            let [low, high] = pair.map(|half| w.b.unary(math::CTPOP, &[half], word));
            Lowered::Two([w.op(arith::ADDI, low, high), w.word(0)])
        }
        (math::CTTZ, Some(pair)) => {
            // A bit at the width ends the count there.
            let end = match w.width {
                128 => pair,
                width => {
                    let bit = w.word(1 << (width - 64));
                    [pair[0], w.op(arith::ORI, pair[1], bit)]
                }
            };
            Lowered::Two(count_zeros(w, math::CTTZ, end))
        }
        (math::CTLZ, Some([low, high])) => {
            let count = count_zeros(w, math::CTLZ, [high, low]);
            let above = w.word(u64::from(128 - w.width));
            Lowered::Two([w.op(arith::SUBI, count[0], above), count[1]])
        }
        _ => return None,
    };
    Some(lowered)
}

/// A value of up to 64 bits, or an index, as a word.
fn widened(w: &mut Wide, name: OpName, x: Value, word: Type) -> Value {
    match w.b.body.ty(x) == word {
        true => x,
        false => w.b.unary(name, &[x], word),
    }
}

/// The zeros of the first half, and those of the second where the first has nothing else.
fn count_zeros(w: &mut Wide, name: OpName, [first, second]: Pair) -> Pair {
    let word = w.b.body.ty(first);
    let [zero, bits] = [0, 64].map(|number| w.word(number));
    let is_empty = w.test(CmpIPredicate::Eq, first, zero);
    let [of_first, of_second] = [first, second].map(|half| w.b.unary(name, &[half], word));
    let both = w.op(arith::ADDI, of_second, bits);
    [w.choose(is_empty, both, of_first), zero]
}
