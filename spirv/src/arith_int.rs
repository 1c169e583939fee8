//! Integer operations of `arith`, at any width up to 64 bits.
//!
//! Operands are canonical (sign-extended), so signed operations and all
//! comparisons — sign extension keeps the unsigned order too — work on the
//! machine word as it is; unsigned division and right shifts zero-extend
//! first; and results are made canonical again. What MLIR leaves undefined is
//! given a meaning that no driver stumbles over: division by 0 divides by 1,
//! as does the one signed division that overflows, and shifts by the width or
//! more give what shifting one bit at a time would.
//!
//! Signed remainders come from the quotient: `OpSRem` and `OpSMod` are undefined in Vulkan where an
//! operand is negative ("Precision and Operation of SPIR-V Instructions" of its specification, as
//! long as `maintenance8` is not enabled), and NVIDIA's driver divides without signs.

use gridloom_dialects::arith;
use gridloom_dialects::inherent;
use gridloom_ir::scalar::IntOp;
use gridloom_ir::{OpId, OpName};
use rspirv::spirv::{Op, Word};

use crate::abi::ElementKind;
use crate::emit::Emitter;
use crate::kernel::{Kernel, Lowered, Lowering};
use crate::types::Reg;

/// Emits an operation of two canonical integers.
type Binary = fn(&mut Emitter, Reg, Word, Word) -> Word;

/// Emission of an operation of two integers, if it is one of `arith`.
fn emission(int: IntOp) -> Option<Binary> {
    Some(match int {
        IntOp::Add => |e, reg, a, b| wrapping(e, reg, Op::IAdd, a, b),
        IntOp::Sub => |e, reg, a, b| wrapping(e, reg, Op::ISub, a, b),
        IntOp::Mul => |e, reg, a, b| wrapping(e, reg, Op::IMul, a, b),
        IntOp::And => |e, reg, a, b| e.on(reg, Op::BitwiseAnd, &[a, b]),
        IntOp::Or => |e, reg, a, b| e.on(reg, Op::BitwiseOr, &[a, b]),
        IntOp::Xor => |e, reg, a, b| e.on(reg, Op::BitwiseXor, &[a, b]),
        IntOp::Shl => shift_left,
        IntOp::ShrS => shift_right_signed,
        IntOp::ShrU => shift_right_unsigned,
        IntOp::DivS => div_signed,
        IntOp::RemS => rem_signed,
        IntOp::DivU => |e, reg, a, b| unsigned_quotient(e, reg, Op::UDiv, a, b),
        IntOp::RemU => |e, reg, a, b| unsigned_quotient(e, reg, Op::UMod, a, b),
        IntOp::FloorDivS => floor_div,
        IntOp::CeilDivS => ceil_div,
        IntOp::CeilDivU => ceil_div_unsigned,
        IntOp::MinS => |e, reg, a, b| choose(e, reg, Op::SLessThan, a, b),
        IntOp::MaxS => |e, reg, a, b| choose(e, reg, Op::SGreaterThan, a, b),
        IntOp::MinU => |e, reg, a, b| choose(e, reg, Op::ULessThan, a, b),
        IntOp::MaxU => |e, reg, a, b| choose(e, reg, Op::UGreaterThan, a, b),
        _ => return None,
    })
}

/// Lowers integer comparison, `select` and the operations with two results.
pub(crate) fn lower(k: &mut Kernel<'_>, op: OpId, name: OpName) -> Lowering<bool> {
    match name {
        arith::CMPI => compare(k, op)?,
        arith::SELECT => select(k, op)?,
        arith::ADDUI_EXTENDED => add_extended(k, op)?,
        arith::MULSI_EXTENDED => mul_extended(k, op, true)?,
        arith::MULUI_EXTENDED => mul_extended(k, op, false)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// Lowers a binary operation on integers of one width, which the result has too; says whether it
/// has a lowering here.
pub(crate) fn binary(k: &mut Kernel<'_>, op: OpId, int: IntOp) -> Lowering<bool> {
    let (reg, a, b) = operands(k, op)?;
    match combine(k.e, int, reg, a, b) {
        Some(word) => k.set(op, word).map(|()| true),
        None => Ok(false),
    }
}

/// `a` and `b` combined by an operation of two integers.
pub(crate) fn combine(e: &mut Emitter, int: IntOp, reg: Reg, a: Word, b: Word) -> Option<Word> {
    let emit = emission(int)?;
    Some(match reg.kind {
        ElementKind::Bool => on_booleans(e, int, reg, a, b, emit),
        _ => emit(e, reg, a, b),
    })
}

/// The two operands and their register, which holds integers.
fn operands(k: &mut Kernel<'_>, op: OpId) -> Lowering<(Reg, Word, Word)> {
    let value = k.operand(op, 0)?;
    let reg = k.reg(op, value)?;
    if reg.is_float() {
        return Err(k.malformed(op));
    }
    Ok((reg, k.word(op, 0)?, k.word(op, 1)?))
}

/// `i1` as an integer of one bit: 0 or -1.
fn promote(e: &mut Emitter, reg: Reg, value: Word) -> (Reg, Word) {
    if reg.kind != ElementKind::Bool {
        return (reg, value);
    }
    let wide = reg.with(ElementKind::Int(1));
    (wide, e.bool_to_int(wide, value, -1))
}

/// A canonical integer of one bit as `i1`.
fn demote(e: &mut Emitter, wide: Reg, value: Word) -> Word {
    let zero = e.splat_int(wide, 0);
    e.test(wide, Op::INotEqual, &[value, zero])
}

fn on_booleans(e: &mut Emitter, int: IntOp, reg: Reg, a: Word, b: Word, emit: Binary) -> Word {
    match int {
        IntOp::And | IntOp::Mul => e.on(reg, Op::LogicalAnd, &[a, b]),
        IntOp::Or => e.on(reg, Op::LogicalOr, &[a, b]),
        IntOp::Xor | IntOp::Add | IntOp::Sub => e.on(reg, Op::LogicalNotEqual, &[a, b]),
        _ => {
            let (wide, a) = promote(e, reg, a);
            let (_, b) = promote(e, reg, b);
            let word = emit(e, wide, a, b);
            demote(e, wide, word)
        }
    }
}

/// The width in bits of the integers in a register.
fn width(reg: Reg) -> u32 {
    reg.int_bits().unwrap_or(32)
}

fn wrapping(e: &mut Emitter, reg: Reg, op: Op, a: Word, b: Word) -> Word {
    let word = e.on(reg, op, &[a, b]);
    e.canonical(reg, word)
}

fn choose(e: &mut Emitter, reg: Reg, better: Op, a: Word, b: Word) -> Word {
    let first = e.test(reg, better, &[a, b]);
    e.select(reg, first, a, b)
}

/// Whether a shift amount is below the width; `None` when that is known.
fn amount_in_range(e: &mut Emitter, reg: Reg, amount: Word) -> Option<Word> {
    let limit = i64::from(width(reg));
    if e.constant_value(amount)
        .is_some_and(|n| (0..limit).contains(&n))
    {
        return None;
    }
    // Canonical amounts keep their unsigned order: a negative one is too big.
    let limit = e.splat_int(reg, limit);
    Some(e.test(reg, Op::ULessThan, &[amount, limit]))
}

fn shift_left(e: &mut Emitter, reg: Reg, a: Word, amount: Word) -> Word {
    let shifted = e.on(reg, Op::ShiftLeftLogical, &[a, amount]);
    let shifted = e.canonical(reg, shifted);
    zero_unless_in_range(e, reg, amount, shifted)
}

fn shift_right_unsigned(e: &mut Emitter, reg: Reg, a: Word, amount: Word) -> Word {
    let bits = e.zero_extended(reg, a);
    let ty = e.unsigned(reg);
    let shifted = e.op(Op::ShiftRightLogical, ty, &[bits, amount]);
    let shifted = e.of_bits(reg, shifted);
    let shifted = e.canonical(reg, shifted);
    zero_unless_in_range(e, reg, amount, shifted)
}

fn zero_unless_in_range(e: &mut Emitter, reg: Reg, amount: Word, shifted: Word) -> Word {
    match amount_in_range(e, reg, amount) {
        Some(in_range) => {
            let zero = e.splat_int(reg, 0);
            e.select(reg, in_range, shifted, zero)
        }
        None => shifted,
    }
}

fn shift_right_signed(e: &mut Emitter, reg: Reg, a: Word, amount: Word) -> Word {
    let amount = match amount_in_range(e, reg, amount) {
        Some(in_range) => {
            let most = e.splat_int(reg, i64::from(width(reg)) - 1);
            e.select(reg, in_range, amount, most)
        }
        None => amount,
    };
    e.on(reg, Op::ShiftRightArithmetic, &[a, amount])
}

/// Safe divisor of a signed division: 1 in place of 0, and in place of -1 where the quotient would
/// overflow the machine word. Drivers may fail on both.
fn safe_signed_divisor(e: &mut Emitter, reg: Reg, a: Word, b: Word) -> Word {
    if e.constant_value(b).is_some_and(|b| b != 0 && b != -1) {
        return b;
    }
    let zero = e.splat_int(reg, 0);
    let mut unsafe_ = e.test(reg, Op::IEqual, &[b, zero]);
    if width(reg) == reg.machine_bits() {
        let least = e.splat_int(reg, i64::MIN >> (64 - width(reg)));
        let minus_one = e.splat_int(reg, -1);
        let is_least = e.test(reg, Op::IEqual, &[a, least]);
        let is_minus_one = e.test(reg, Op::IEqual, &[b, minus_one]);
        let overflows = e.test(reg, Op::LogicalAnd, &[is_least, is_minus_one]);
        unsafe_ = e.test(reg, Op::LogicalOr, &[unsafe_, overflows]);
    }
    let one = e.splat_int(reg, 1);
    e.select(reg, unsafe_, one, b)
}

fn div_signed(e: &mut Emitter, reg: Reg, a: Word, b: Word) -> Word {
    let b = safe_signed_divisor(e, reg, a, b);
    wrapping(e, reg, Op::SDiv, a, b)
}

fn rem_signed(e: &mut Emitter, reg: Reg, a: Word, b: Word) -> Word {
    truncated(e, reg, a, b).1
}

/// The truncated quotient, the remainder, and the divisor actually used.
fn truncated(e: &mut Emitter, reg: Reg, a: Word, b: Word) -> (Word, Word, Word) {
    let b = safe_signed_divisor(e, reg, a, b);
    let quotient = e.on(reg, Op::SDiv, &[a, b]);
    let product = e.on(reg, Op::IMul, &[quotient, b]);
    let rest = e.on(reg, Op::ISub, &[a, product]);
    (quotient, rest, b)
}

/// `quotient + by` where `condition` holds.
fn adjust(e: &mut Emitter, reg: Reg, condition: Word, quotient: Word, by: i64) -> Word {
    let by = e.splat_int(reg, by);
    let adjusted = e.on(reg, Op::IAdd, &[quotient, by]);
    let quotient = e.select(reg, condition, adjusted, quotient);
    e.canonical(reg, quotient)
}

fn floor_div(e: &mut Emitter, reg: Reg, a: Word, b: Word) -> Word {
    let (quotient, rest, b) = truncated(e, reg, a, b);
    let zero = e.splat_int(reg, 0);
    // Truncation rounded up if there is a rest whose sign is not the divisor's.
    let inexact = e.test(reg, Op::INotEqual, &[rest, zero]);
    let signs = e.on(reg, Op::BitwiseXor, &[rest, b]);
    let differ = e.test(reg, Op::SLessThan, &[signs, zero]);
    let rounded_up = e.test(reg, Op::LogicalAnd, &[inexact, differ]);
    adjust(e, reg, rounded_up, quotient, -1)
}

fn ceil_div(e: &mut Emitter, reg: Reg, a: Word, b: Word) -> Word {
    let (quotient, rest, b) = truncated(e, reg, a, b);
    let zero = e.splat_int(reg, 0);
    let inexact = e.test(reg, Op::INotEqual, &[rest, zero]);
    let signs = e.on(reg, Op::BitwiseXor, &[rest, b]);
    let agree = e.test(reg, Op::SGreaterThanEqual, &[signs, zero]);
    let rounded_down = e.test(reg, Op::LogicalAnd, &[inexact, agree]);
    adjust(e, reg, rounded_down, quotient, 1)
}

/// Zero-extends both operands, and replaces a divisor of 0.
fn unsigned_operands(e: &mut Emitter, reg: Reg, a: Word, b: Word) -> (Word, Word) {
    let (bits_a, bits_b) = (e.zero_extended(reg, a), e.zero_extended(reg, b));
    if e.constant_value(b).is_some_and(|b| b != 0) {
        return (bits_a, bits_b);
    }
    let (zero, one) = (e.splat_unsigned(reg, 0), e.splat_unsigned(reg, 1));
    let by_zero = e.test(reg, Op::IEqual, &[bits_b, zero]);
    let ty = e.unsigned(reg);
    (bits_a, e.op(Op::Select, ty, &[by_zero, one, bits_b]))
}

fn unsigned_quotient(e: &mut Emitter, reg: Reg, op: Op, a: Word, b: Word) -> Word {
    let (a, b) = unsigned_operands(e, reg, a, b);
    let ty = e.unsigned(reg);
    let quotient = e.op(op, ty, &[a, b]);
    let quotient = e.of_bits(reg, quotient);
    e.canonical(reg, quotient)
}

fn ceil_div_unsigned(e: &mut Emitter, reg: Reg, a: Word, b: Word) -> Word {
    let (a, b) = unsigned_operands(e, reg, a, b);
    let ty = e.unsigned(reg);
    let quotient = e.op(Op::UDiv, ty, &[a, b]);
    let rest = e.op(Op::UMod, ty, &[a, b]);
    let zero = e.splat_unsigned(reg, 0);
    let inexact = e.test(reg, Op::INotEqual, &[rest, zero]);
    let quotient = e.of_bits(reg, quotient);
    adjust(e, reg, inexact, quotient, 1)
}

fn compare(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let (reg, a, b) = operands(k, op)?;
    let predicate = k.body[op].get(k.ctx, inherent::PREDICATE);
    let test = match predicate {
        Some(0) => Op::IEqual,
        Some(1) => Op::INotEqual,
        Some(2) => Op::SLessThan,
        Some(3) => Op::SLessThanEqual,
        Some(4) => Op::SGreaterThan,
        Some(5) => Op::SGreaterThanEqual,
        Some(6) => Op::ULessThan,
        Some(7) => Op::ULessThanEqual,
        Some(8) => Op::UGreaterThan,
        Some(9) => Op::UGreaterThanEqual,
        _ => return Err(k.malformed(op)),
    };
    let word = match (reg.kind, test) {
        (ElementKind::Bool, Op::IEqual) => k.e.on(reg, Op::LogicalEqual, &[a, b]),
        (ElementKind::Bool, Op::INotEqual) => k.e.on(reg, Op::LogicalNotEqual, &[a, b]),
        _ => {
            let (wide, a) = promote(k.e, reg, a);
            let (_, b) = promote(k.e, reg, b);
            k.e.test(wide, test, &[a, b])
        }
    };
    k.set(op, word)
}

fn select(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let condition = k.word(op, 0)?;
    let (a, b) = (k.word(op, 1)?, k.word(op, 2)?);
    let condition_value = k.operand(op, 0)?;
    let lanes = k.reg(op, condition_value)?.lanes;
    let result = k.result(op)?;
    let reg = k.reg(op, result)?;
    let condition = if lanes == reg.lanes {
        condition
    } else {
        let ty = k.e.machine(reg.with(ElementKind::Bool));
        k.e.op(
            Op::CompositeConstruct,
            ty,
            &vec![condition; reg.lanes as usize],
        )
    };
    let word = k.e.select(reg, condition, a, b);
    k.set(op, word)
}

/// Defines the two results of an extended operation.
fn set_pair(k: &mut Kernel<'_>, op: OpId, first: Word, second: Word) -> Lowering<()> {
    let mut results = k.body[op].results();
    let (Some(low), Some(high)) = (results.next(), results.next()) else {
        return Err(k.malformed(op));
    };
    k.define(low, Lowered::Reg(first));
    k.define(high, Lowered::Reg(second));
    Ok(())
}

fn add_extended(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let (reg, a, b) = operands(k, op)?;
    if reg.kind == ElementKind::Bool {
        let sum = k.e.on(reg, Op::LogicalNotEqual, &[a, b]);
        let carry = k.e.on(reg, Op::LogicalAnd, &[a, b]);
        return set_pair(k, op, sum, carry);
    }
    let sum = wrapping(k.e, reg, Op::IAdd, a, b);
    let carry = k.e.test(reg, Op::ULessThan, &[sum, a]);
    set_pair(k, op, sum, carry)
}

fn mul_extended(k: &mut Kernel<'_>, op: OpId, signed: bool) -> Lowering<()> {
    let (reg, a, b) = operands(k, op)?;
    if reg.kind == ElementKind::Bool {
        // 1 · 1 is 1, and so is -1 · -1: neither has an upper bit.
        let low = k.e.on(reg, Op::LogicalAnd, &[a, b]);
        let high = k.e.zero(reg);
        return set_pair(k, op, low, high);
    }
    let spare = reg.machine_bits() - width(reg);
    if 2 * width(reg) <= reg.machine_bits() {
        return narrow_mul_extended(k, op, signed);
    }
    let low = wrapping(k.e, reg, Op::IMul, a, b);
    // The upper half of a product of fewer bits than a register's: of (a · 2^spare) · b, the register's upper half.
    let (a, b) = match (spare, signed) {
        (0, _) => (a, b),
        (_, true) => (shifted_up(k.e, reg, a, spare), b),
        (_, false) => {
            let [a, b] = [a, b].map(|factor| {
                let bits = k.e.zero_extended(reg, factor);
                k.e.of_bits(reg, bits)
            });
            (shifted_up(k.e, reg, a, spare), b)
        }
    };
    let high = k
        .helpers
        .call(k.e, "mul_high", (&[reg, reg], reg), &[a, b], |e, args| {
            unsigned_high_product(e, reg, args[0], args[1])
        });
    if !signed {
        let high = k.e.canonical(reg, high);
        return set_pair(k, op, low, high);
    }
    // Reading a negative factor as unsigned adds the other one, shifted up.
    let zero = k.e.splat_int(reg, 0);
    let mut corrected = high;
    for (factor, other) in [(a, b), (b, a)] {
        let negative = k.e.test(reg, Op::SLessThan, &[factor, zero]);
        let excess = k.e.select(reg, negative, other, zero);
        corrected = k.e.on(reg, Op::ISub, &[corrected, excess]);
    }
    set_pair(k, op, low, corrected)
}

/// An integer shifted up by a constant, beyond the bits of its type.
fn shifted_up(e: &mut Emitter, reg: Reg, value: Word, places: u32) -> Word {
    let places = e.splat_int(reg, places.into());
    e.on(reg, Op::ShiftLeftLogical, &[value, places])
}

/// The extended product of integers so narrow that the whole product fits their register.
fn narrow_mul_extended(k: &mut Kernel<'_>, op: OpId, signed: bool) -> Lowering<()> {
    let (reg, a, b) = operands(k, op)?;
    let shift = k.e.splat_int(reg, width(reg).into());
    let (whole, upper) = if signed {
        let whole = k.e.on(reg, Op::IMul, &[a, b]);
        let upper = k.e.on(reg, Op::ShiftRightArithmetic, &[whole, shift]);
        (whole, upper)
    } else {
        let ty = k.e.unsigned(reg);
        let [a, b] = [a, b].map(|factor| k.e.zero_extended(reg, factor));
        let whole = k.e.op(Op::IMul, ty, &[a, b]);
        let upper = k.e.op(Op::ShiftRightLogical, ty, &[whole, shift]);
        (k.e.of_bits(reg, whole), k.e.of_bits(reg, upper))
    };
    let [low, high] = [whole, upper].map(|word| k.e.canonical(reg, word));
    set_pair(k, op, low, high)
}

/// The upper half of the unsigned product, from products of halves of a word:
/// naga has no extended multiplication. With `a = a1·h + a0`, `b = b1·h + b0`:
///
/// ```text
/// m = a1·b0 + (a0·b0 >> half)          fits a word
/// n = a0·b1 + (m mod h)                fits a word
/// high = a1·b1 + (m >> half) + (n >> half)
/// ```
pub(crate) fn unsigned_high_product(e: &mut Emitter, reg: Reg, a: Word, b: Word) -> Word {
    let ty = e.unsigned(reg);
    let half = u64::from(reg.machine_bits() / 2);
    let mask = e.splat_unsigned(reg, (1 << half) - 1);
    let half = e.splat_unsigned(reg, half);
    let (a, b) = (e.bits_of(reg, a), e.bits_of(reg, b));
    let mut op = |op: Op, a: Word, b: Word| e.op(op, ty, &[a, b]);
    let (a1, a0) = (
        op(Op::ShiftRightLogical, a, half),
        op(Op::BitwiseAnd, a, mask),
    );
    let (b1, b0) = (
        op(Op::ShiftRightLogical, b, half),
        op(Op::BitwiseAnd, b, mask),
    );
    let low = op(Op::IMul, a0, b0);
    let carry = op(Op::ShiftRightLogical, low, half);
    let cross = op(Op::IMul, a1, b0);
    let m = op(Op::IAdd, cross, carry);
    let m_low = op(Op::BitwiseAnd, m, mask);
    let cross = op(Op::IMul, a0, b1);
    let n = op(Op::IAdd, cross, m_low);
    let top = op(Op::IMul, a1, b1);
    let m_high = op(Op::ShiftRightLogical, m, half);
    let n_high = op(Op::ShiftRightLogical, n, half);
    let sum = op(Op::IAdd, top, m_high);
    let high = op(Op::IAdd, sum, n_high);
    e.of_bits(reg, high)
}
