//! Conversions of `arith`.

use gridloom_dialects::arith::{self, RoundingMode, rounding_mode};
use gridloom_ir::OpId;
use gridloom_ir::scalar::Cast;
use rspirv::spirv::{Op, Word};

use crate::abi::ElementKind;
use crate::emit::Emitter;
use crate::kernel::{Kernel, Lowering};
use crate::types::{self, Reg};

/// Lowers a conversion.
pub(crate) fn lower(k: &mut Kernel<'_>, op: OpId, cast: Cast) -> Lowering<()> {
    let (convert, sides): (Conversion, _) = match cast {
        Cast::IntSign => (resize_signed, (false, false)),
        Cast::IntZero => (zero_extension(k, op)?, (false, false)),
        Cast::SignedToFloat => (signed_to_float, (false, true)),
        Cast::UnsignedToFloat => (unsigned_to_float, (false, true)),
        Cast::FloatToSigned => (
            |k, from, to, word| float_to_int(k, from, to, word, true),
            (true, false),
        ),
        Cast::FloatToUnsigned => (
            |k, from, to, word| float_to_int(k, from, to, word, false),
            (true, false),
        ),
        Cast::Float if rounding_mode(k.ctx, &k.body[op]) != RoundingMode::ToNearestEven => {
            return Err(k.refuse(
                op,
                "conversions of floats round to the nearest even number: lower other modes by 'expand-float-casts'",
            ));
        }
        Cast::Float => (resize_float, (true, true)),
        Cast::Bits => return bitcast(k, op),
    };
    let (from, to, word) = operand_and_result(k, op)?;
    if (from.is_float(), to.is_float()) != sides || from.lanes != to.lanes {
        return Err(k.malformed(op));
    }
    let word = convert(k, from, to, word);
    k.set(op, word)
}

/// A conversion of a word from one register to another.
type Conversion = fn(&mut Kernel<'_>, Reg, Reg, Word) -> Word;

/// Zero extension, or truncation. An index has 64 bits, whatever holds it here, so it only ever
/// loses bits on its way to an integer: a narrow one, which stands for the 64-bit number with its
/// sign, widens as signed.
fn zero_extension(k: &Kernel<'_>, op: OpId) -> Lowering<Conversion> {
    let ty = k.body.ty(k.operand(op, 0)?);
    let element = ty.element(k.ctx).unwrap_or(ty);
    let truncates = k.body[op].name == arith::TRUNCI;
    Ok(if truncates || element.is_index(k.ctx) {
        resize_signed
    } else {
        resize_unsigned
    })
}

fn operand_and_result(k: &mut Kernel<'_>, op: OpId) -> Lowering<(Reg, Reg, Word)> {
    let (operand, result) = (k.operand(op, 0)?, k.result(op)?);
    Ok((k.reg(op, operand)?, k.reg(op, result)?, k.word(op, 0)?))
}

/// Converts to a canonical integer of another width: sign-extends or truncates.
fn resize_signed(k: &mut Kernel<'_>, from: Reg, to: Reg, word: Word) -> Word {
    let (from, word) = as_integer(k, from, word, -1);
    if let Some(value) = k.e.constant_value(word)
        && let ElementKind::Int(bits) = to.kind
    {
        let spare = 64 - bits;
        return k.e.splat_int(to, value << spare >> spare);
    }
    let word = resize_machine(k, from, to, word);
    narrow_to(k, from, to, word)
}

/// Converts to an integer of another width: zero-extends or truncates.
fn resize_unsigned(k: &mut Kernel<'_>, from: Reg, to: Reg, word: Word) -> Word {
    let (from, word) = as_integer(k, from, word, 1);
    if from.kind == ElementKind::Int(1) {
        // Already 0 or 1.
        return resize_machine(k, from, to, word);
    }
    let bits = k.e.zero_extended(from, word);
    let bits = if from.machine_bits() == to.machine_bits() {
        bits
    } else {
        let ty = k.e.unsigned(to);
        k.e.op(Op::UConvert, ty, &[bits])
    };
    let word = k.e.of_bits(to.with(machine_kind(to)), bits);
    narrow_to(k, from, to, word)
}

/// The integer kind that fills the machine word of a register.
fn machine_kind(reg: Reg) -> ElementKind {
    ElementKind::Int(reg.machine_bits())
}

/// Booleans as integers, `true` as `one`; integers as they are.
fn as_integer(k: &mut Kernel<'_>, reg: Reg, word: Word, one: i64) -> (Reg, Word) {
    if reg.kind != ElementKind::Bool {
        return (reg, word);
    }
    let wide = reg.with(ElementKind::Int(1));
    (wide, k.e.bool_to_int(wide, word, one))
}

/// Changes the machine word, sign-extending or truncating.
fn resize_machine(k: &mut Kernel<'_>, from: Reg, to: Reg, word: Word) -> Word {
    if from.machine_bits() == to.machine_bits() {
        return word;
    }
    let to = to.with(machine_kind(to));
    k.e.on(to, Op::SConvert, &[word])
}

/// Truncates a machine word to the result's width where that is narrower.
fn narrow_to(k: &mut Kernel<'_>, from: Reg, to: Reg, word: Word) -> Word {
    match to.int_bits() {
        Some(1) => {
            let wide = to.with(machine_kind(to));
            let (one, zero) = (k.e.splat_int(wide, 1), k.e.splat_int(wide, 0));
            let low = k.e.on(wide, Op::BitwiseAnd, &[word, one]);
            k.e.test(wide, Op::INotEqual, &[low, zero])
        }
        Some(bits) if Some(bits) < from.int_bits() => k.e.canonical(to, word),
        _ => word,
    }
}

fn signed_to_float(k: &mut Kernel<'_>, from: Reg, to: Reg, word: Word) -> Word {
    let (from, word) = as_integer(k, from, word, -1);
    let machine = from.with(machine_kind(from));
    let mut word = word;
    if rounds_twice(from, to) {
        let zero = k.e.splat_int(machine, 0);
        let negated = k.e.on(machine, Op::ISub, &[zero, word]);
        let negative = k.e.test(machine, Op::SLessThan, &[word, zero]);
        let magnitude = k.e.select(machine, negative, negated, word);
        word = jam_integer(k, machine, word, magnitude);
    }
    let float = k.e.on(to, Op::ConvertSToF, &[word]);
    k.rounded(to, float)
}

fn unsigned_to_float(k: &mut Kernel<'_>, from: Reg, to: Reg, word: Word) -> Word {
    let (from, word) = as_integer(k, from, word, -1);
    let machine = from.with(machine_kind(from));
    let mut bits = k.e.zero_extended(from, word);
    if rounds_twice(from, to) {
        let word = k.e.of_bits(machine, bits);
        let word = jam_integer(k, machine, word, word);
        bits = k.e.bits_of(machine, word);
    }
    let ty = k.e.machine(to);
    let float = k.e.op(Op::ConvertUToF, ty, &[bits]);
    k.rounded(to, float)
}

/// Whether a conversion to a 16-bit float rounds to `f32` on its way.
fn rounds_twice(from: Reg, to: Reg) -> bool {
    to.kind.is_narrow_float() && from.int_bits().is_some_and(|bits| bits > 24)
}

/// Rounds an integer to odd, to what `f32` represents: from `2^least` on, the
/// bits below `place`, which leaves at most 24, and the 9 that no 16-bit
/// format reaches beyond its own and its rounding bit.
fn jam_integer(k: &mut Kernel<'_>, machine: Reg, word: Word, magnitude: Word) -> Word {
    let steps: &[(u32, u32)] = match machine.machine_bits() {
        64 => &[(24, 12), (36, 26), (50, 40)],
        _ => &[(24, 8)],
    };
    let mut result = word;
    for &(least, place) in steps {
        let jammed = k.e.jam(machine, word, place);
        let least = k.e.splat_int(machine, 1 << least);
        let large =
            k.e.test(machine, Op::UGreaterThanEqual, &[magnitude, least]);
        result = k.e.select(machine, large, jammed, result);
    }
    result
}

/// Converts a float to an integer: truncates towards zero, saturates beyond the result's range, and
/// gives 0 for a NaN. MLIR has poison there and SPIR-V undefined behaviour, so what is converted is
/// put in range first, and all devices and the interpreter agree. Ranges are told from the bits,
/// since drivers may assume that no NaN is compared.
fn float_to_int(k: &mut Kernel<'_>, from: Reg, to: Reg, word: Word, signed: bool) -> Word {
    let machine = to.with(machine_kind(to));
    let width = to.int_bits().unwrap_or(machine.machine_bits());
    let (limit, least, greatest) = if signed {
        let least = i64::MIN >> (64 - width);
        (2f64.powi(width as i32 - 1), least, !least)
    } else {
        (
            2f64.powi(width as i32),
            0,
            (u64::MAX >> (64 - width)) as i64,
        )
    };
    let e = &mut *k.e;
    let (magnitude, infinity) = e.magnitude(from, word);
    let bits = e.bits_of(from, word);
    let limit = e.float_bits(from, limit);
    // As unsigned, a set sign is beyond every limit.
    let distance = if signed { magnitude } else { bits };
    let inside = e.test(from, Op::ULessThan, &[distance, limit]);
    let converted = if k.env.convert_by_bits && [from, machine].map(Reg::machine_bits) == [32; 2] {
        truncated_by_bits(e, from, machine, [bits, magnitude])
    } else {
        let zero = e.zero(from);
        let safe = e.select(from, inside, word, zero);
        if signed {
            e.on(machine, Op::ConvertFToS, &[safe])
        } else {
            let ty = e.unsigned(machine);
            let bits = e.op(Op::ConvertFToU, ty, &[safe]);
            e.of_bits(machine, bits)
        }
    };
    let is_number = e.test(from, Op::ULessThanEqual, &[magnitude, infinity]);
    let is_positive = e.test(from, Op::ULessThanEqual, &[bits, infinity]);
    let [zero, least, greatest] = [0, least, greatest].map(|n| e.splat_int(machine, n));
    let beyond = e.select(machine, is_number, least, zero);
    let beyond = e.select(machine, is_positive, greatest, beyond);
    let word = e.select(machine, inside, converted, beyond);
    narrow_to(k, machine, to, word)
}

/// Truncates single precision below 2^32 to 32 bits by operations on integers.
///
/// ```text
/// x  ⇒  |x| < 1 ? 0 : (1.fraction << 31) >> (158 - exponent), with the sign of x
/// ```
///
/// `158 - exponent` is then 0 to 31, the distance of the last bit of 32 from the unit.
fn truncated_by_bits(e: &mut Emitter, from: Reg, to: Reg, [bits, magnitude]: [Word; 2]) -> Word {
    let ty = e.unsigned(from);
    let constant = |e: &mut Emitter, value: u64| e.splat_unsigned(from, value);
    let [fraction_bits, width, leading] = [23, 8, 1 << 31].map(|value| constant(e, value));
    let exponent = e.op(Op::ShiftRightLogical, ty, &[magnitude, fraction_bits]);
    let fraction = e.op(Op::ShiftLeftLogical, ty, &[magnitude, width]);
    let fraction = e.op(Op::BitwiseOr, ty, &[fraction, leading]);
    let [unit, last] = [158, 31].map(|value| constant(e, value));
    let shift = e.op(Op::ISub, ty, &[unit, exponent]);
    // What is smaller than 1 shifts by more bits than there are, and is 0 whatever that gives.
    let shift = e.op(Op::BitwiseAnd, ty, &[shift, last]);
    let whole = e.op(Op::ShiftRightLogical, ty, &[fraction, shift]);
    let one = e.float_bits(from, 1.0);
    let is_whole = e.test(from, Op::UGreaterThanEqual, &[magnitude, one]);
    let whole = e.of_bits(to, whole);
    let zero = e.splat_int(to, 0);
    let whole = e.select(to, is_whole, whole, zero);
    let word = e.of_bits(to, bits);
    let last = e.splat_int(to, 31);
    let sign = e.on(to, Op::ShiftRightArithmetic, &[word, last]);
    let flipped = e.on(to, Op::BitwiseXor, &[whole, sign]);
    e.on(to, Op::ISub, &[flipped, sign])
}

fn resize_float(k: &mut Kernel<'_>, from: Reg, to: Reg, word: Word) -> Word {
    let word = match (from.kind, to.kind) {
        (ElementKind::F64, narrow) if narrow.is_narrow_float() => {
            // Rounding to odd at bit 40 keeps two bits more than any narrow format has, and is below what an `f32` keeps of the
            // subnormal numbers that bf16 and f8E8M0FNU tell apart.
            let bits = from.with(ElementKind::Int(64));
            let word = k.e.on(bits, Op::Bitcast, &[word]);
            let word = k.e.jam(bits, word, 40);
            k.e.on(from, Op::Bitcast, &[word])
        }
        _ => word,
    };
    let word = if from.machine_bits() == to.machine_bits() {
        word
    } else {
        k.e.on(to, Op::FConvert, &[word])
    };
    k.rounded(to, word)
}

/// The bits of a float of fewer than 32 bits as a scalar of the same width, or the other way round.
fn bitcast_lane(k: &mut Kernel<'_>, from: Reg, to: Reg, word: Word) -> Word {
    let raw = k.encode_lane(from, word);
    match to.kind.narrow_format() {
        Some(format) => {
            let bits = k.e.zero_extended(types::int(format.bits()), raw);
            let raw = k.e.of_bits(types::I32, bits);
            k.decode_lane(to, raw)
        }
        None => k.e.canonical(to, raw),
    }
}

/// Lowers `arith.bitcast`: the same bits under another type of the same width.
fn bitcast(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let (from, to, word) = operand_and_result(k, op)?;
    let narrow = |reg: Reg| reg.kind.is_narrow_float();
    if from.kind == to.kind {
        return k.set(op, word);
    }
    let word = if narrow(from) || narrow(to) {
        if from.lanes != to.lanes {
            return Err(k.refuse(
                op,
                "a bitcast of 8 or 16 bits to another number of lanes has no lowering: cast lane by lane",
            ));
        }
        let lanes: Vec<Word> = (0..from.lanes)
            .map(|lane| {
                let word = k.e.lane(from, word, lane);
                bitcast_lane(k, types::scalar(from.kind), types::scalar(to.kind), word)
            })
            .collect();
        match lanes[..] {
            [one] => one,
            _ => k.e.on(to, Op::CompositeConstruct, &lanes),
        }
    } else if from.machine_bits() == to.machine_bits() && from.lanes == to.lanes {
        k.e.on(to, Op::Bitcast, &[word])
    } else {
        return Err(k.malformed(op));
    };
    k.set(op, word)
}
