//! Float formats of fewer than 32 bits, held as `f32` registers.
//!
//! Every operation computes in `f32` and rounds the result here, to nearest,
//! ties to even. For sum, difference, product, quotient and square root that
//! is the correctly rounded result: `f32` has at least twice the precision
//! plus two bits. Conversions from wider numbers round to odd on their way
//! ([`Emitter::jam`]). Conversions to and from the stored form work on the bits, because a driver may flush
//! subnormal numbers or round otherwise when it packs half floats.

use gridloom_ir::scalar::FloatFormat;
use gridloom_ir::types::{FloatKind, SpecialValues};
use rspirv::spirv::{Op, Word};

use crate::abi::ElementKind;
use crate::bits::Bits;
use crate::emit::Emitter;
use crate::kernel::Kernel;
use crate::types::{self, F32, I32, Reg};

impl Kernel<'_> {
    /// Encodes a lane: its stored form in a buffer, from its register.
    pub(crate) fn encode_lane(&mut self, reg: Reg, value: Word) -> Word {
        match reg.kind {
            ElementKind::Bool => self.e.bool_to_int(I32, value, 1),
            kind => match kind.narrow_format() {
                Some(format) => self.narrow_bits(format, value),
                None => value,
            },
        }
    }

    /// Decodes a lane: its register, from its stored form in a buffer.
    pub(crate) fn decode_lane(&mut self, reg: Reg, raw: Word) -> Word {
        match reg.kind {
            ElementKind::Bool => {
                let zero = self.e.splat_int(I32, 0);
                self.e.test(I32, Op::INotEqual, &[raw, zero])
            }
            kind => match kind.narrow_format() {
                Some(format) => self.widened(format, raw),
                None => raw,
            },
        }
    }

    /// A float rounded to the format of its register, if that is a narrow one.
    pub(crate) fn rounded(&mut self, reg: Reg, value: Word) -> Word {
        let Some(format) = reg.kind.narrow_format() else {
            return value;
        };
        let lanes: Vec<Word> = (0..reg.lanes)
            .map(|lane| {
                let lane = self.e.lane(reg, value, lane);
                let bits = self.narrow_bits(format, lane);
                self.widened(format, bits)
            })
            .collect();
        match lanes[..] {
            [one] => one,
            _ => self.e.on(reg, Op::CompositeConstruct, &lanes),
        }
    }

    /// The bits of an `f32` rounded to a narrow format.
    pub(crate) fn narrow_bits(&mut self, format: &'static FloatFormat, value: Word) -> Word {
        let signature = (&[types::scalar(ElementKind::Narrow(format.ty))][..], I32);
        let name = format!("{}_bits", format.ty.keyword());
        self.helpers
            .call(self.e, name, signature, &[value], |e, args| {
                match (format.ty, format.exponent_bits) {
                    (FloatKind::F8E8M0FNU, _) => scale_bits(e, args[0]),
                    (_, EXPONENT_BITS) => cut_bits(e, format, args[0]),
                    _ => small_bits(e, format, args[0]),
                }
            })
    }

    /// The `f32` that the bits of a narrow format stand for.
    pub(crate) fn widened(&mut self, format: &'static FloatFormat, bits: Word) -> Word {
        let is_scale = format.ty == FloatKind::F8E8M0FNU;
        if format.exponent_bits == EXPONENT_BITS && !is_scale {
            let lost = self.e.splat_int(I32, i64::from(lost_bits(format)));
            let bits = self.e.on(I32, Op::ShiftLeftLogical, &[bits, lost]);
            return self.e.on(F32, Op::Bitcast, &[bits]);
        }
        let name = format!("{}_value", format.ty.keyword());
        self.helpers.call(
            self.e,
            name,
            (&[I32][..], F32),
            &[bits],
            |e, args| match is_scale {
                true => scale_value(e, args[0]),
                false => small_value(e, format, args[0]),
            },
        )
    }
}

/// Bits of an `f32`: its exponent, its stored fraction, and the exponent's bias.
const EXPONENT_BITS: u32 = 8;
const FRACTION_BITS: u32 = 23;
const BIAS: u64 = 127;

/// Bits of the fraction of an `f32` that a narrow format has not.
fn lost_bits(format: &FloatFormat) -> u32 {
    FRACTION_BITS - format.fraction_bits
}

/// The place of the sign, above exponent and fraction.
fn sign_place(format: &FloatFormat) -> u32 {
    format.exponent_bits + format.fraction_bits
}

/// Difference of the exponent biases of `f32` and a narrow format, whose bias is at most that of `f32`.
fn rebias(format: &FloatFormat) -> u64 {
    BIAS.abs_diff(format.bias as u64)
}

/// The patterns of all magnitudes: everything below the sign.
fn magnitudes(format: &FloatFormat) -> u64 {
    (1 << sign_place(format)) - 1
}

/// The bits of infinity: an exponent of ones.
fn infinity(format: &FloatFormat) -> u64 {
    ((1 << format.exponent_bits) - 1) << format.fraction_bits
}

impl Emitter {
    /// Clears the bits below `place`, and sets that one if any was set:
    /// rounding to odd. A number that is rounded so to a format with some more
    /// bits than the one it is rounded to next comes out as if it had been
    /// rounded once. (Converting back to see what was lost does not do: some
    /// drivers take the two conversions for none.)
    pub(crate) fn jam(&mut self, reg: Reg, word: Word, place: u32) -> Word {
        let low = (1 << place) - 1;
        let [zero, low, rest, odd] = [0, low, !low, 1 << place].map(|n| self.splat_int(reg, n));
        let lost = self.on(reg, Op::BitwiseAnd, &[word, low]);
        let exact = self.test(reg, Op::IEqual, &[lost, zero]);
        let kept = self.on(reg, Op::BitwiseAnd, &[word, rest]);
        let jammed = self.on(reg, Op::BitwiseOr, &[kept, odd]);
        self.select(reg, exact, kept, jammed)
    }
}

/// Rounds to a format with the exponent of `f32`, such as bf16: half of the last kept place is added, and the carry
/// runs into the exponent as it should. A NaN stays one.
fn cut_bits(e: &mut Emitter, format: &FloatFormat, value: Word) -> Word {
    let bits = e.bits_of(F32, value);
    let mut w = Bits::new(e, I32);
    let lost = w.constant(lost_bits(format).into());
    let magnitude = w.with(Op::BitwiseAnd, bits, 0x7fff_ffff);
    let nan = w.test_with(Op::UGreaterThan, magnitude, 0x7f80_0000);
    let cut = w.op(Op::ShiftRightLogical, bits, lost);
    let quiet = w.with(Op::BitwiseOr, cut, 1 << (format.fraction_bits - 1));
    // The sign would make the sum of rounding run over.
    let rounded = w.shift_rounded(magnitude, lost);
    let sign = w.with(Op::BitwiseAnd, cut, 1 << sign_place(format));
    let rounded = w.op(Op::BitwiseOr, rounded, sign);
    let result = w.select(nan, quiet, rounded);
    e.of_bits(I32, result)
}

/// Rounds to a format with a shorter exponent, such as f16.
fn small_bits(e: &mut Emitter, format: &FloatFormat, value: Word) -> Word {
    let (lost, rebias) = (lost_bits(format), rebias(format));
    let bits = e.bits_of(F32, value);
    let mut w = Bits::new(e, I32);
    let sign = w.with(
        Op::ShiftRightLogical,
        bits,
        u64::from(31 - sign_place(format)),
    );
    let sign = w.with(Op::BitwiseAnd, sign, 1 << sign_place(format));
    let magnitude = w.with(Op::BitwiseAnd, bits, 0x7fff_ffff);
    // Normal results: rebias the exponent, drop bits of the fraction; a carry
    // out of it raises the exponent.
    let dropped = w.constant(lost.into());
    let rebiased = w.with(Op::ISub, magnitude, rebias << FRACTION_BITS);
    let normal = w.shift_rounded(rebiased, dropped);
    // Subnormal results: the fraction with its implicit bit, shifted so that its unit is that of the format,
    // 2^(1 - bias - fraction bits). A shift by more bits than these 24 and the one that rounds gives 0.
    let exponent = w.with(Op::ShiftRightLogical, magnitude, FRACTION_BITS.into());
    let fraction = w.with(Op::BitwiseAnd, magnitude, 0x7f_ffff);
    let fraction = w.with(Op::BitwiseOr, fraction, 0x80_0000);
    let base = w.constant(rebias + 1 + u64::from(lost));
    let shift = w.op(Op::ISub, base, exponent);
    let fits = w.test_with(Op::ULessThan, shift, 30);
    let most = w.constant(30);
    let shift = w.select(fits, shift, most);
    let subnormal = w.shift_rounded(fraction, shift);
    let least_normal = (rebias + 1) << FRACTION_BITS;
    let is_normal = w.test_with(Op::UGreaterThanEqual, magnitude, least_normal);
    let finite = w.select(is_normal, normal, subnormal);
    let nan = w.test_with(Op::UGreaterThan, magnitude, 0x7f80_0000);
    let top = w.constant(magnitudes(format));
    let result = match format.special {
        SpecialValues::Ieee => {
            // Half a unit above the greatest number and beyond round to infinity.
            let infinite = w.constant(infinity(format));
            let large = w.test(Op::UGreaterThanEqual, finite, infinite);
            let finite = w.select(large, infinite, finite);
            let quiet = w.constant(infinity(format) | 1 << (format.fraction_bits - 1));
            let result = w.select(nan, quiet, finite);
            w.op(Op::BitwiseOr, result, sign)
        }
        // The pattern behind the greatest number is NaN; all that is larger, infinities and NaNs too, has a greater one.
        SpecialValues::NanAllOnes => {
            let large = w.test(Op::UGreaterThanEqual, finite, top);
            let result = w.select(large, top, finite);
            w.op(Op::BitwiseOr, result, sign)
        }
        SpecialValues::NanMinusZero => {
            let signed = w.op(Op::BitwiseOr, finite, sign);
            let is_zero = w.test_with(Op::IEqual, finite, 0);
            let result = w.select(is_zero, finite, signed);
            let large = w.test(Op::UGreaterThan, finite, top);
            let special = w.constant(1 << sign_place(format));
            w.select(large, special, result)
        }
        SpecialValues::None => {
            let large = w.test(Op::UGreaterThan, finite, top);
            let finite = w.select(large, top, finite);
            let signed = w.op(Op::BitwiseOr, finite, sign);
            let zero = w.constant(0);
            w.select(nan, zero, signed)
        }
    };
    e.of_bits(I32, result)
}

/// Rounds to the nearest power of two, half up, as `f8E8M0FNU` stores it: its exponent. Negative numbers, infinities and NaNs
/// give the NaN of the format, zero and what is below the least power that power.
fn scale_bits(e: &mut Emitter, value: Word) -> Word {
    let bits = e.bits_of(F32, value);
    let mut w = Bits::new(e, I32);
    let magnitude = w.with(Op::BitwiseAnd, bits, 0x7fff_ffff);
    // The greatest fraction bit rounds up, and runs into the exponent. Of subnormal numbers those round up to 2^-126 that have
    // the two greatest bits: 2^-127, the least power, is one of them.
    let rounded = w.with(Op::IAdd, magnitude, 1 << (FRACTION_BITS - 1));
    let rounded = w.with(Op::ShiftRightLogical, rounded, FRACTION_BITS.into());
    let is_normal = w.test_with(Op::UGreaterThanEqual, magnitude, 1 << FRACTION_BITS);
    let up = w.with(Op::IAdd, magnitude, 1 << (FRACTION_BITS - 2));
    let up = w.with(Op::ShiftRightLogical, up, FRACTION_BITS.into());
    let rounded = w.select(is_normal, rounded, up);
    let special = w.constant(0xff);
    let large = w.test_with(Op::UGreaterThanEqual, magnitude, 0x7f80_0000);
    let result = w.select(large, special, rounded);
    // Minus zero is no negative number.
    let negative = w.test_with(Op::UGreaterThan, bits, 0x8000_0000);
    let result = w.select(negative, special, result);
    e.of_bits(I32, result)
}

/// The power of two that the bits of `f8E8M0FNU` stand for.
fn scale_value(e: &mut Emitter, bits: Word) -> Word {
    let bits = e.bits_of(I32, bits);
    let mut w = Bits::new(e, I32);
    let power = w.with(Op::ShiftLeftLogical, bits, FRACTION_BITS.into());
    // 2^-127 is subnormal as `f32`.
    let least = w.constant(1 << (FRACTION_BITS - 1));
    let is_least = w.test_with(Op::IEqual, bits, 0);
    let power = w.select(is_least, least, power);
    let nan = w.constant(0x7fc0_0000);
    let is_nan = w.test_with(Op::IEqual, bits, 0xff);
    let result = w.select(is_nan, nan, power);
    e.of_bits(F32, result)
}

/// The value of the bits of a format with a shorter exponent.
fn small_value(e: &mut Emitter, format: &FloatFormat, bits: Word) -> Word {
    let (lost, rebias) = (lost_bits(format), rebias(format));
    let bits = e.bits_of(I32, bits);
    let mut w = Bits::new(e, I32);
    let sign = w.with(Op::BitwiseAnd, bits, 1 << sign_place(format));
    let sign = w.with(
        Op::ShiftLeftLogical,
        sign,
        u64::from(31 - sign_place(format)),
    );
    let magnitude = w.with(Op::BitwiseAnd, bits, (1 << sign_place(format)) - 1);
    let shifted = w.with(Op::ShiftLeftLogical, magnitude, lost.into());
    let normal = w.with(Op::IAdd, shifted, rebias << FRACTION_BITS);
    let is_special = match format.special {
        SpecialValues::Ieee => {
            Some(w.test_with(Op::UGreaterThanEqual, magnitude, infinity(format)))
        }
        SpecialValues::NanAllOnes => Some(w.test_with(Op::IEqual, magnitude, magnitudes(format))),
        SpecialValues::NanMinusZero => Some(w.test_with(Op::IEqual, bits, 1 << sign_place(format))),
        SpecialValues::None => None,
    };
    // Subnormal numbers are normal as f32: a small count of units.
    let is_subnormal = w.test_with(Op::ULessThan, magnitude, 1 << format.fraction_bits);
    let float = w.e.machine(F32);
    let count = w.e.op(Op::ConvertUToF, float, &[magnitude]);
    // Bias and fraction bits are at most 127 and 22.
    let unit = 1 - format.bias - format.fraction_bits as i32;
    let unit = w.e.splat_float(F32, 2f64.powi(unit));
    let subnormal = w.e.on(F32, Op::FMul, &[count, unit]);
    let subnormal = w.e.bits_of(F32, subnormal);
    let finite = w.select(is_subnormal, subnormal, normal);
    let result = match is_special {
        Some(is_special) => {
            // The exponent of infinities and NaNs, all ones, becomes 255.
            let special = match format.special {
                SpecialValues::Ieee => w.with(Op::IAdd, shifted, (2 * rebias) << FRACTION_BITS),
                _ => w.constant(0x7fc0_0000),
            };
            w.select(is_special, special, finite)
        }
        None => finite,
    };
    let result = w.op(Op::BitwiseOr, result, sign);
    e.of_bits(F32, result)
}
