//! Division, remainder and square root to the last bit.
//!
//! Vulkan lets a device divide with an error of 2.5 units in the last place,
//! and computes remainders from such quotients. A correction by the residual
//! would need a multiplication that is truly fused, which Vulkan does not
//! promise either. What devices agree on is integer arithmetic, so strict
//! kernels divide and take roots of the fractions as integers, keep a sticky
//! bit, and round once. Remainders are always computed so, as a rounded
//! quotient gives wrong ones.
//!
//! Throughout, `f` is the number of fraction bits; a finite operand is
//! `m · 2^(e - bias - f)` with `2^f <= m < 2^(f+1)`, where `e` is at most 0 for
//! subnormal numbers. Exponents are words that may wrap below 0 and are
//! compared signed.

use gridloom_ir::OpId;
use rspirv::spirv::{GlslStd450Op, Op, Word};

use crate::bits::{Bits, Format};
use crate::emit::Emitter;
use crate::kernel::{Kernel, Lowering};
use crate::types::Reg;

/// Quotients and remainders grow by this many bits a step.
const CHUNK: u32 = 8;

impl Kernel<'_> {
    /// `a / b`; the caller rounds to a 16-bit format.
    pub(crate) fn quotient(&mut self, op: OpId, reg: Reg, a: Word, b: Word) -> Lowering<Word> {
        if self.uses_device_division() {
            return Ok(self.e.float(reg, Op::FDiv, &[a, b]));
        }
        self.by_lane(op, "divide", reg, &[a, b], |e, format, args| {
            divide(e, format, args[0], args[1])
        })
    }

    /// The square root; the caller rounds to a 16-bit format.
    pub(crate) fn square_root(&mut self, op: OpId, reg: Reg, a: Word) -> Lowering<Word> {
        if self.uses_device_division() {
            let ty = self.e.machine(reg);
            return Ok(self.e.glsl(GlslStd450Op::Sqrt, ty, &[a]));
        }
        self.by_lane(op, "square_root", reg, &[a], |e, format, args| {
            square_root(e, format, args[0])
        })
    }

    /// `a - b * trunc(a / b)`, which every format represents.
    pub(crate) fn exact_remainder(
        &mut self,
        op: OpId,
        reg: Reg,
        a: Word,
        b: Word,
    ) -> Lowering<Word> {
        self.by_lane(op, "remainder", reg, &[a, b], |e, format, args| {
            remainder(e, format, args[0], args[1])
        })
    }

    fn uses_device_division(&mut self) -> bool {
        if !self.exact {
            return true;
        }
        let exact = self.env.features.exact_division;
        self.require(|features| features.exact_division |= exact);
        exact
    }

    /// Calls a helper on floats, lane by lane.
    pub(crate) fn by_lane(
        &mut self,
        op: OpId,
        name: &'static str,
        reg: Reg,
        args: &[Word],
        body: impl Fn(&mut Emitter, Format, &[Word]) -> Word,
    ) -> Lowering<Word> {
        let format = Format::of(reg).ok_or_else(|| self.malformed(op))?;
        let params = vec![format.float; args.len()];
        let signature = (&params[..], format.float);
        let mut lanes = Vec::with_capacity(reg.lanes as usize);
        for lane in 0..reg.lanes {
            let args: Vec<Word> = args
                .iter()
                .map(|&arg| self.e.lane(reg, arg, lane))
                .collect();
            let call = self
                .helpers
                .call(self.e, name, signature, &args, |e, args| {
                    body(e, format, args)
                });
            lanes.push(call);
        }
        Ok(match lanes[..] {
            [one] => one,
            _ => self.e.on(reg, Op::CompositeConstruct, &lanes),
        })
    }
}

/// A float taken apart.
struct Parts {
    /// The bits without the sign.
    magnitude: Word,
    /// The exponent `e`.
    exponent: Word,
    /// The fraction `m`; meaningless for 0, infinities and NaNs.
    fraction: Word,
}

fn take_apart(b: &mut Bits<'_>, format: Format, bits: Word) -> Parts {
    let f = u64::from(format.fraction);
    let implicit = 1 << f;
    let magnitude = b.with(Op::BitwiseAnd, bits, format.sign() - 1);
    let exponent = b.with(Op::ShiftRightLogical, magnitude, f);
    let low = b.with(Op::BitwiseAnd, magnitude, implicit - 1);
    let full = b.with(Op::BitwiseOr, low, implicit);
    // A subnormal fraction is shifted up; how far is told by the exponent of
    // the fraction as a float, a conversion that is exact.
    let float = b.e.machine(format.float);
    let as_float = b.e.op(Op::ConvertUToF, float, &[low]);
    let as_float = b.e.bits_of(format.float, as_float);
    let top = b.with(Op::ShiftRightLogical, as_float, f);
    let bias_and_f = b.constant(u64::from(format.bias) + f);
    let up = b.op(Op::ISub, bias_and_f, top);
    let subnormal = b.test_with(Op::IEqual, exponent, 0);
    // For 0 the shift would leave the word.
    let some = b.test_with(Op::INotEqual, low, 0);
    let shifts = b.and(subnormal, some);
    let zero = b.constant(0);
    let up = b.select(shifts, up, zero);
    let shifted = b.op(Op::ShiftLeftLogical, low, up);
    let one = b.constant(1);
    let lowered = b.op(Op::ISub, one, up);
    Parts {
        magnitude,
        exponent: b.select(subnormal, lowered, exponent),
        fraction: b.select(subnormal, shifted, full),
    }
}

/// The bits of the float nearest to `q · 2^(e - bias - f - extra)`, where
/// `2^(f+extra) <= q < 2^(f+extra+1)` and the last bit of `q` is sticky;
/// infinity where that is too large.
fn assemble(b: &mut Bits<'_>, format: Format, q: Word, exponent: Word, extra: u32) -> Word {
    let f = u64::from(format.fraction);
    let extra = b.constant(extra.into());
    let normal = b.shift_rounded(q, extra);
    // The implicit bit of the fraction adds 1 to the exponent, and so does a
    // carry out of it.
    let below = b.with(Op::ISub, exponent, 1);
    let below = b.with(Op::ShiftLeftLogical, below, f);
    let normal = b.op(Op::IAdd, below, normal);
    let too_large = b.test_with(
        Op::SGreaterThanEqual,
        exponent,
        u64::from(2 * format.bias + 1),
    );
    let carried = b.test_with(Op::UGreaterThanEqual, normal, format.infinity());
    let too_large = b.or(too_large, carried);
    let infinity = b.constant(format.infinity());
    let normal = b.select(too_large, infinity, normal);
    // Subnormal: shifted further by 1 - e, at most until nothing is left.
    let one = b.constant(1);
    let further = b.op(Op::ISub, one, exponent);
    let shift = b.op(Op::IAdd, extra, further);
    let most = u64::from(b.width() - 1);
    let fits = b.test_with(Op::ULessThan, shift, most);
    let most = b.constant(most);
    let shift = b.select(fits, shift, most);
    let subnormal = b.shift_rounded(q, shift);
    let is_normal = b.test_with(Op::SGreaterThanEqual, exponent, 1);
    b.select(is_normal, normal, subnormal)
}

fn divide(e: &mut Emitter, format: Format, a: Word, b: Word) -> Word {
    let (bits_a, bits_b) = (e.bits_of(format.float, a), e.bits_of(format.float, b));
    let mut w = Bits::new(e, format.word);
    let sign = w.op(Op::BitwiseXor, bits_a, bits_b);
    let sign = w.with(Op::BitwiseAnd, sign, format.sign());
    let (a, b) = (
        take_apart(&mut w, format, bits_a),
        take_apart(&mut w, format, bits_b),
    );
    // Make the quotient of the fractions at least 1, so that its first bit is.
    let smaller = w.test(Op::ULessThan, a.fraction, b.fraction);
    let up = w.bit(smaller);
    let dividend = w.op(Op::ShiftLeftLogical, a.fraction, up);
    let mut exponent = w.op(Op::ISub, a.exponent, b.exponent);
    exponent = w.with(Op::IAdd, exponent, format.bias.into());
    exponent = w.op(Op::ISub, exponent, up);
    // 0 has no fraction to divide by; its quotient is replaced below.
    let one = w.constant(1);
    let is_zero = w.test_with(Op::IEqual, b.fraction, 0);
    let divisor = w.select(is_zero, one, b.fraction);
    let mut rest = w.op(Op::ISub, dividend, divisor);
    let mut quotient = one;
    let steps = (format.fraction + 1).div_ceil(CHUNK);
    for _ in 0..steps {
        let shifted = w.with(Op::ShiftLeftLogical, rest, CHUNK.into());
        let digits = w.op(Op::UDiv, shifted, divisor);
        let product = w.op(Op::IMul, digits, divisor);
        rest = w.op(Op::ISub, shifted, product);
        quotient = w.with(Op::ShiftLeftLogical, quotient, CHUNK.into());
        quotient = w.op(Op::BitwiseOr, quotient, digits);
    }
    let quotient = append_sticky(&mut w, quotient, rest);
    let extra = steps * CHUNK + 1 - format.fraction;
    let finite = assemble(&mut w, format, quotient, exponent, extra);
    let result = special_quotients(&mut w, format, &a, &b, finite);
    let result = w.op(Op::BitwiseOr, result, sign);
    e.of_bits(format.float, result)
}

/// `value` with one more bit: whether there is a rest.
fn append_sticky(w: &mut Bits<'_>, value: Word, rest: Word) -> Word {
    let inexact = w.test_with(Op::INotEqual, rest, 0);
    let sticky = w.bit(inexact);
    let value = w.with(Op::ShiftLeftLogical, value, 1);
    w.op(Op::BitwiseOr, value, sticky)
}

/// The magnitude of a quotient whose operands may be 0, infinite or NaN.
fn special_quotients(w: &mut Bits<'_>, format: Format, a: &Parts, b: &Parts, finite: Word) -> Word {
    let infinity = format.infinity();
    let zeros = [a, b].map(|x| w.test_with(Op::IEqual, x.magnitude, 0));
    let infinities = [a, b].map(|x| w.test_with(Op::IEqual, x.magnitude, infinity));
    let nans = [a, b].map(|x| w.test_with(Op::UGreaterThan, x.magnitude, infinity));
    let to_zero = w.or(zeros[0], infinities[1]);
    let to_infinity = w.or(infinities[0], zeros[1]);
    let (zero, infinite, nan) = (
        w.constant(0),
        w.constant(infinity),
        w.constant(format.nan()),
    );
    let result = w.select(to_zero, zero, finite);
    let result = w.select(to_infinity, infinite, result);
    // 0/0 and ∞/∞ are the quotients that are drawn to both.
    let undecided = w.and(to_zero, to_infinity);
    let any_nan = w.or(nans[0], nans[1]);
    let no_number = w.or(undecided, any_nan);
    w.select(no_number, nan, result)
}

fn square_root(e: &mut Emitter, format: Format, a: Word) -> Word {
    let bits = e.bits_of(format.float, a);
    let mut w = Bits::new(e, format.word);
    let parts = take_apart(&mut w, format, bits);
    // With u = e - bias: sqrt(m · 2^u) = sqrt(m · 2^(u mod 2)) · 2^floor(u / 2).
    let u = w.with(Op::ISub, parts.exponent, format.bias.into());
    let odd = w.with(Op::BitwiseAnd, u, 1);
    let half = w.with(Op::ShiftRightArithmetic, u, 1);
    let exponent = w.with(Op::IAdd, half, format.bias.into());
    // Digit by digit, two bits of the radicand a step from the top of a word.
    // Its first pair is 1, 2 or 3, so the first digit is 1.
    let aligned = w.with(Op::ShiftLeftLogical, parts.fraction, 1);
    let aligned = w.op(Op::ShiftLeftLogical, aligned, odd);
    let spare = u64::from(w.width() - format.fraction - 3);
    let aligned = w.with(Op::ShiftLeftLogical, aligned, spare);
    let digits = u64::from(format.fraction) + 2;
    let zero = w.constant(0);
    let [_, root, rest, _] = w.repeat(
        [aligned, zero, zero, zero],
        |w, [_, _, _, step]| w.test_with(Op::ULessThan, step, digits),
        root_digit,
    );
    let root = append_sticky(&mut w, root, rest);
    let finite = assemble(&mut w, format, root, exponent, 2);
    // 0, infinity and NaN are their own roots; a negative number has none.
    let is_zero = w.test_with(Op::IEqual, parts.magnitude, 0);
    let is_special = w.test_with(Op::UGreaterThanEqual, parts.magnitude, format.infinity());
    let own = w.or(is_zero, is_special);
    let result = w.select(own, bits, finite);
    let negative = w.test_with(Op::UGreaterThan, bits, format.sign());
    let nan = w.constant(format.nan());
    let result = w.select(negative, nan, result);
    e.of_bits(format.float, result)
}

/// Digit step of a square root; the remainder stays at most twice the root.
fn root_digit(w: &mut Bits<'_>, [radicand, root, rest, step]: [Word; 4]) -> [Word; 4] {
    let top = u64::from(w.width() - 2);
    let pair = w.with(Op::ShiftRightLogical, radicand, top);
    let radicand = w.with(Op::ShiftLeftLogical, radicand, 2);
    let rest = w.with(Op::ShiftLeftLogical, rest, 2);
    let rest = w.op(Op::BitwiseOr, rest, pair);
    let trial = w.with(Op::ShiftLeftLogical, root, 2);
    let trial = w.with(Op::BitwiseOr, trial, 1);
    let fits = w.test(Op::UGreaterThanEqual, rest, trial);
    let less = w.op(Op::ISub, rest, trial);
    let rest = w.select(fits, less, rest);
    let digit = w.bit(fits);
    let root = w.with(Op::ShiftLeftLogical, root, 1);
    let root = w.op(Op::BitwiseOr, root, digit);
    let step = w.with(Op::IAdd, step, 1);
    [radicand, root, rest, step]
}

fn remainder(e: &mut Emitter, format: Format, a: Word, b: Word) -> Word {
    let (bits_a, bits_b) = (e.bits_of(format.float, a), e.bits_of(format.float, b));
    let mut w = Bits::new(e, format.word);
    let sign = w.with(Op::BitwiseAnd, bits_a, format.sign());
    let (a, b) = (
        take_apart(&mut w, format, bits_a),
        take_apart(&mut w, format, bits_b),
    );
    let one = w.constant(1);
    let is_zero = w.test_with(Op::IEqual, b.fraction, 0);
    let divisor = w.select(is_zero, one, b.fraction);
    // The dividend is m · 2^left units of the divisor. Shifting in as many
    // zeros as there are, a chunk at a time, keeps only the rest. Where the
    // result is special or the dividend itself, which is replaced below, there
    // must be no shifting: the difference of exponents may wrap.
    let smaller = w.test(Op::ULessThan, a.magnitude, b.magnitude);
    let special = w.test_with(Op::UGreaterThanEqual, a.magnitude, format.infinity());
    let zero_b = w.test_with(Op::IEqual, b.magnitude, 0);
    let special = w.or(special, zero_b);
    let skip = w.or(smaller, special);
    let zero = w.constant(0);
    let left = w.op(Op::ISub, a.exponent, b.exponent);
    let left = w.select(skip, zero, left);
    let first = w.op(Op::UMod, a.fraction, divisor);
    let [rest, _] = w.repeat(
        [first, left],
        |w, [_, left]| w.test_with(Op::UGreaterThan, left, 0),
        |w, [rest, left]| {
            let whole = w.test_with(Op::UGreaterThan, left, CHUNK.into());
            let chunk = w.constant(CHUNK.into());
            let bits = w.select(whole, chunk, left);
            let shifted = w.op(Op::ShiftLeftLogical, rest, bits);
            [w.op(Op::UMod, shifted, divisor), w.op(Op::ISub, left, bits)]
        },
    );
    let result = scale_exactly(&mut w, format, rest, b.exponent);
    let result = w.op(Op::BitwiseOr, result, sign);
    let result = w.select(smaller, bits_a, result);
    let nan_b = w.test_with(Op::UGreaterThan, b.magnitude, format.infinity());
    let no_number = w.or(special, nan_b);
    let nan = w.constant(format.nan());
    let result = w.select(no_number, nan, result);
    e.of_bits(format.float, result)
}

/// The bits of `value · 2^(exponent - bias - f)`, known to be a float, for a
/// `value` of at most `f + 1` bits.
fn scale_exactly(w: &mut Bits<'_>, format: Format, value: Word, exponent: Word) -> Word {
    let f = u64::from(format.fraction);
    let float = w.e.machine(format.float);
    let as_float = w.e.op(Op::ConvertUToF, float, &[value]);
    let as_float = w.e.bits_of(format.float, as_float);
    let top = w.with(Op::ShiftRightLogical, as_float, f);
    let bias_and_f = w.constant(u64::from(format.bias) + f);
    let up = w.op(Op::ISub, bias_and_f, top);
    let is_zero = w.test_with(Op::IEqual, value, 0);
    let zero = w.constant(0);
    let up = w.select(is_zero, zero, up);
    let fraction = w.op(Op::ShiftLeftLogical, value, up);
    let exponent = w.op(Op::ISub, exponent, up);
    let below = w.with(Op::ISub, exponent, 1);
    let below = w.with(Op::ShiftLeftLogical, below, f);
    let normal = w.op(Op::IAdd, below, fraction);
    let one = w.constant(1);
    let down = w.op(Op::ISub, one, exponent);
    let is_normal = w.test_with(Op::SGreaterThanEqual, exponent, 1);
    let down = w.select(is_normal, zero, down);
    let subnormal = w.op(Op::ShiftRightLogical, fraction, down);
    let result = w.select(is_normal, normal, subnormal);
    w.select(is_zero, zero, result)
}
