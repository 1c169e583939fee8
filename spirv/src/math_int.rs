//! Integer operations of the `math` dialect.

use gridloom_ir::OpId;
use gridloom_ir::scalar::IntUnary;
use rspirv::spirv::{GlslStd450Op, Op, Word};

use crate::abi::ElementKind;
use crate::bits::Bits;
use crate::emit::Emitter;
use crate::kernel::{Kernel, Lowering};
use crate::types::{self, I32, Reg};

/// Lowers a function of one integer.
pub(crate) fn unary(k: &mut Kernel<'_>, op: OpId, int: IntUnary) -> Lowering<()> {
    let lane: fn(&mut Emitter, Reg, Word) -> Word = match int {
        IntUnary::Abs => absolute,
        IntUnary::CountOnes => count_ones,
        IntUnary::CountLeadingZeros => leading_zeros,
        IntUnary::CountTrailingZeros => trailing_zeros,
    };
    let reg = integer_reg(k, op)?;
    let x = k.word(op, 0)?;
    let scalar = types::scalar(reg.kind);
    let mut lanes = Vec::with_capacity(reg.lanes as usize);
    for index in 0..reg.lanes {
        let one = k.e.lane(reg, x, index);
        lanes.push(lane(k.e, scalar, one));
    }
    let word = match lanes[..] {
        [one] => one,
        _ => k.e.on(reg, Op::CompositeConstruct, &lanes),
    };
    k.set(op, word)
}

/// The register of the first operand, integers of at least 2 bits.
fn integer_reg(k: &mut Kernel<'_>, op: OpId) -> Lowering<Reg> {
    let value = k.operand(op, 0)?;
    let reg = k.reg(op, value)?;
    match reg.kind {
        ElementKind::Int(_) => Ok(reg),
        ElementKind::Bool => Err(k.refuse(op, "this has no lowering for i1: extend it first")),
        _ => Err(k.malformed(op)),
    }
}

fn absolute(e: &mut Emitter, reg: Reg, x: Word) -> Word {
    let zero = e.splat_int(reg, 0);
    let negated = e.on(reg, Op::ISub, &[zero, x]);
    let negative = e.test(reg, Op::SLessThan, &[x, zero]);
    let value = e.select(reg, negative, negated, x);
    e.canonical(reg, value)
}

/// The zero-extended value as 32-bit words: low, and high where it is wider.
fn halves(e: &mut Emitter, reg: Reg, x: Word) -> (Word, Option<Word>) {
    let bits = e.zero_extended(reg, x);
    if reg.machine_bits() == 32 {
        return (bits, None);
    }
    let word = e.int_type(32, false);
    let low = e.op(Op::UConvert, word, &[bits]);
    let shift = e.splat_unsigned(reg, 32);
    let ty = e.unsigned(reg);
    let high = e.op(Op::ShiftRightLogical, ty, &[bits, shift]);
    (low, Some(e.op(Op::UConvert, word, &[high])))
}

/// A count in an `i32` as a value of the register.
fn count(e: &mut Emitter, reg: Reg, value: Word) -> Word {
    let value = if reg.machine_bits() == 32 {
        value
    } else {
        e.on(reg, Op::SConvert, &[value])
    };
    e.canonical(reg, value)
}

fn count_ones(e: &mut Emitter, reg: Reg, x: Word) -> Word {
    let (low, high) = halves(e, reg, x);
    let ty = e.unsigned(I32);
    let mut ones = e.op(Op::BitCount, ty, &[low]);
    if let Some(high) = high {
        let more = e.op(Op::BitCount, ty, &[high]);
        ones = e.op(Op::IAdd, ty, &[ones, more]);
    }
    let ones = e.of_bits(I32, ones);
    count(e, reg, ones)
}

/// The result of finding a bit; it has the operand's type, as naga expects.
fn find_bit(e: &mut Emitter, op: GlslStd450Op, word: Word) -> Word {
    let ty = e.unsigned(I32);
    let found = e.glsl(op, ty, &[word]);
    e.of_bits(I32, found)
}

/// The number of the highest bit set of an unsigned word; -1 for 0.
fn highest_bit(e: &mut Emitter, word: Word) -> Word {
    find_bit(e, GlslStd450Op::FindUMsb, word)
}

fn leading_zeros(e: &mut Emitter, reg: Reg, x: Word) -> Word {
    let (low, high) = halves(e, reg, x);
    let mut top = highest_bit(e, low);
    if let Some(high) = high {
        let upper = highest_bit(e, high);
        let (zero, offset) = (e.splat_int(I32, 0), e.splat_int(I32, 32));
        let raised = e.on(I32, Op::IAdd, &[upper, offset]);
        let empty = e.test(I32, Op::SLessThan, &[upper, zero]);
        top = e.select(I32, empty, top, raised);
    }
    let last = e.splat_int(I32, i64::from(reg.int_bits().unwrap_or(32)) - 1);
    let zeros = e.on(I32, Op::ISub, &[last, top]);
    count(e, reg, zeros)
}

/// The number of the lowest bit set of an unsigned word; `otherwise` for 0.
fn lowest_bit(e: &mut Emitter, word: Word, otherwise: Word) -> Word {
    let found = find_bit(e, GlslStd450Op::FindILsb, word);
    let zero = e.u32_const(0);
    let empty = e.test(I32, Op::IEqual, &[word, zero]);
    e.select(I32, empty, otherwise, found)
}

fn trailing_zeros(e: &mut Emitter, reg: Reg, x: Word) -> Word {
    let (low, high) = halves(e, reg, x);
    let mut otherwise = e.splat_int(I32, i64::from(reg.int_bits().unwrap_or(32)));
    if let Some(high) = high {
        let (offset, beyond) = (e.splat_int(I32, 32), e.splat_int(I32, -1));
        let upper = lowest_bit(e, high, beyond);
        let raised = e.on(I32, Op::IAdd, &[upper, offset]);
        let zero = e.u32_const(0);
        let empty = e.test(I32, Op::IEqual, &[high, zero]);
        otherwise = e.select(I32, empty, otherwise, raised);
    }
    let zeros = lowest_bit(e, low, otherwise);
    count(e, reg, zeros)
}

/// Lowers an integer to the power of another.
pub(crate) fn integer_power(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let reg = integer_reg(k, op)?;
    if reg.lanes != 1 {
        return Err(k.refuse(
            op,
            "a power of vectors has no lowering: take it lane by lane",
        ));
    }
    let args = [k.word(op, 0)?, k.word(op, 1)?];
    let word = k
        .helpers
        .call(k.e, "ipowi", (&[reg, reg], reg), &args, |e, args| {
            power(e, reg, args[0], args[1])
        });
    k.set(op, word)
}

/// Computes an integer power by repeated squaring. A negative exponent gives the whole part of the
/// reciprocal: that of 1 and -1 is what the magnitude of the exponent gives, any other is 0.
fn power(e: &mut Emitter, reg: Reg, base: Word, exponent: Word) -> Word {
    let magnitude = absolute(e, reg, exponent);
    let (bits, left) = (e.bits_of(reg, base), e.zero_extended(reg, magnitude));
    let mut w = Bits::new(e, reg);
    let one = w.constant(1);
    let [value, _, _] = w.repeat(
        [one, bits, left],
        |w, [_, _, left]| w.test_with(Op::INotEqual, left, 0),
        |w, [value, square, left]| {
            let last = w.with(Op::BitwiseAnd, left, 1);
            let odd = w.test_with(Op::INotEqual, last, 0);
            let product = w.op(Op::IMul, value, square);
            [
                w.select(odd, product, value),
                w.op(Op::IMul, square, square),
                w.with(Op::ShiftRightLogical, left, 1),
            ]
        },
    );
    let value = e.of_bits(reg, value);
    let value = e.canonical(reg, value);
    let [zero, unit, minus] = [0, 1, -1].map(|n| e.splat_int(reg, n));
    let is_one = e.test(reg, Op::IEqual, &[base, unit]);
    let is_minus_one = e.test(reg, Op::IEqual, &[base, minus]);
    let invertible = e.test(reg, Op::LogicalOr, &[is_one, is_minus_one]);
    let reciprocal = e.select(reg, invertible, value, zero);
    let negative = e.test(reg, Op::SLessThan, &[exponent, zero]);
    e.select(reg, negative, reciprocal, value)
}
