//! The 16-bit float formats, held as `f32` registers.
//!
//! Every operation computes in `f32` and rounds the result here, to nearest,
//! ties to even. For sum, difference, product, quotient and square root that
//! is the correctly rounded result: `f32` has at least twice the precision
//! plus two bits. Conversions from wider numbers round to odd on their way
//! ([`Emitter::jam`]). Conversions to and from the stored form work on the bits, because a driver may flush
//! subnormal numbers or round otherwise when it packs half floats.

use rspirv::spirv::{Op, Word};

use crate::abi::ElementKind;
use crate::bits::Bits;
use crate::emit::Emitter;
use crate::kernel::Kernel;
use crate::types::{self, F32, I32, Reg};

/// The value of half-precision bits.
pub(crate) fn f16_value(bits: u16) -> f32 {
    let sign = if bits >> 15 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (bits >> 10 & 31, f32::from(bits & 1023));
    match exponent {
        0 => sign * fraction * 2f32.powi(-24),
        31 if fraction != 0.0 => f32::NAN,
        31 => sign * f32::INFINITY,
        _ => sign * (1024.0 + fraction) * 2f32.powi(i32::from(exponent) - 25),
    }
}

impl Kernel<'_> {
    /// A lane as it is stored in a buffer, from its register.
    pub(crate) fn encode_lane(&mut self, reg: Reg, value: Word) -> Word {
        match reg.kind {
            ElementKind::Bool => self.e.bool_to_int(I32, value, 1),
            kind if kind.is_narrow_float() => self.narrow_bits(kind, value),
            _ => value,
        }
    }

    /// A lane's register, from what is stored in a buffer.
    pub(crate) fn decode_lane(&mut self, reg: Reg, raw: Word) -> Word {
        match reg.kind {
            ElementKind::Bool => {
                let zero = self.e.splat_int(I32, 0);
                self.e.test(I32, Op::INotEqual, &[raw, zero])
            }
            kind if kind.is_narrow_float() => self.widened(kind, raw),
            _ => raw,
        }
    }

    /// A float rounded to the format of its register, if that is a narrow one.
    pub(crate) fn rounded(&mut self, reg: Reg, value: Word) -> Word {
        if !reg.kind.is_narrow_float() {
            return value;
        }
        let lanes: Vec<Word> = (0..reg.lanes)
            .map(|lane| {
                let lane = self.e.lane(reg, value, lane);
                let bits = self.narrow_bits(reg.kind, lane);
                self.widened(reg.kind, bits)
            })
            .collect();
        match lanes[..] {
            [one] => one,
            _ => self.e.on(reg, Op::CompositeConstruct, &lanes),
        }
    }

    /// The 16 bits of an `f32` rounded to a narrow format.
    pub(crate) fn narrow_bits(&mut self, kind: ElementKind, value: Word) -> Word {
        let signature = (&[types::scalar(kind)][..], I32);
        if kind == ElementKind::F16 {
            self.helpers
                .call(self.e, "f16_bits", signature, &[value], |e, args| {
                    f16_bits(e, args[0])
                })
        } else {
            self.helpers
                .call(self.e, "bf16_bits", signature, &[value], |e, args| {
                    bf16_bits(e, args[0])
                })
        }
    }

    /// The `f32` that 16 bits of a narrow format stand for.
    pub(crate) fn widened(&mut self, kind: ElementKind, bits: Word) -> Word {
        if kind == ElementKind::BF16 {
            let sixteen = self.e.splat_int(I32, 16);
            let bits = self.e.on(I32, Op::ShiftLeftLogical, &[bits, sixteen]);
            return self.e.on(F32, Op::Bitcast, &[bits]);
        }
        let signature = (&[I32][..], F32);
        self.helpers
            .call(self.e, "f16_value", signature, &[bits], |e, args| {
                widen_f16(e, args[0])
            })
    }
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

/// Rounds to bf16: half of the last kept place is added, and the carry runs
/// into the exponent as it should. A NaN stays one.
fn bf16_bits(e: &mut Emitter, value: Word) -> Word {
    let bits = e.bits_of(F32, value);
    let mut w = Bits::new(e, I32);
    let sixteen = w.constant(16);
    let magnitude = w.with(Op::BitwiseAnd, bits, 0x7fff_ffff);
    let nan = w.test_with(Op::UGreaterThan, magnitude, 0x7f80_0000);
    let cut = w.op(Op::ShiftRightLogical, bits, sixteen);
    let quiet = w.with(Op::BitwiseOr, cut, 0x40);
    // The sign would make the sum of rounding run over.
    let rounded = w.shift_rounded(magnitude, sixteen);
    let sign = w.with(Op::BitwiseAnd, cut, 0x8000);
    let rounded = w.op(Op::BitwiseOr, rounded, sign);
    let result = w.select(nan, quiet, rounded);
    e.of_bits(I32, result)
}

/// Rounds to half precision.
fn f16_bits(e: &mut Emitter, value: Word) -> Word {
    let bits = e.bits_of(F32, value);
    let mut w = Bits::new(e, I32);
    let sign = w.with(Op::ShiftRightLogical, bits, 16);
    let sign = w.with(Op::BitwiseAnd, sign, 0x8000);
    let magnitude = w.with(Op::BitwiseAnd, bits, 0x7fff_ffff);
    // Normal results: rebias the exponent by 112, drop 13 bits; a carry out of
    // the fraction raises the exponent.
    let thirteen = w.constant(13);
    let rebiased = w.with(Op::ISub, magnitude, 112 << 23);
    let normal = w.shift_rounded(rebiased, thirteen);
    // Subnormal results: the fraction with its implicit bit, shifted so that
    // its unit is 2^-24. From a shift by 25 on, everything rounds to 0.
    let exponent = w.with(Op::ShiftRightLogical, magnitude, 23);
    let fraction = w.with(Op::BitwiseAnd, magnitude, 0x7f_ffff);
    let fraction = w.with(Op::BitwiseOr, fraction, 0x80_0000);
    let base = w.constant(126);
    let shift = w.op(Op::ISub, base, exponent);
    let fits = w.test_with(Op::ULessThan, shift, 30);
    let most = w.constant(30);
    let shift = w.select(fits, shift, most);
    let subnormal = w.shift_rounded(fraction, shift);
    let is_normal = w.test_with(Op::UGreaterThanEqual, magnitude, 113 << 23);
    let finite = w.select(is_normal, normal, subnormal);
    // 65520 and beyond round to infinity.
    let infinity = w.constant(0x7c00);
    let large = w.test_with(Op::UGreaterThanEqual, magnitude, 0x477f_f000);
    let finite = w.select(large, infinity, finite);
    let nan = w.test_with(Op::UGreaterThan, magnitude, 0x7f80_0000);
    let quiet = w.constant(0x7e00);
    let result = w.select(nan, quiet, finite);
    let result = w.op(Op::BitwiseOr, result, sign);
    e.of_bits(I32, result)
}

/// The value of half-precision bits.
fn widen_f16(e: &mut Emitter, bits: Word) -> Word {
    let bits = e.bits_of(I32, bits);
    let mut w = Bits::new(e, I32);
    let sign = w.with(Op::BitwiseAnd, bits, 0x8000);
    let sign = w.with(Op::ShiftLeftLogical, sign, 16);
    let magnitude = w.with(Op::BitwiseAnd, bits, 0x7fff);
    let shifted = w.with(Op::ShiftLeftLogical, magnitude, 13);
    let normal = w.with(Op::IAdd, shifted, 112 << 23);
    // The exponent of infinities and NaNs goes from 31 to 255.
    let special = w.with(Op::IAdd, shifted, 224 << 23);
    let is_special = w.test_with(Op::UGreaterThanEqual, magnitude, 0x7c00);
    let scaled = w.select(is_special, special, normal);
    // Subnormal halves are normal as f32: a small count of 2^-24.
    let is_subnormal = w.test_with(Op::ULessThan, magnitude, 0x400);
    let float = w.e.machine(F32);
    let count = w.e.op(Op::ConvertUToF, float, &[magnitude]);
    let unit = w.e.splat_float(F32, 2f64.powi(-24));
    let subnormal = w.e.on(F32, Op::FMul, &[count, unit]);
    let subnormal = w.e.bits_of(F32, subnormal);
    let result = w.select(is_subnormal, subnormal, scaled);
    let result = w.op(Op::BitwiseOr, result, sign);
    e.of_bits(F32, result)
}
