//! Expression builder for elementary functions: arithmetic on scalar floats of one format.

use rspirv::spirv::{GlslStd450Op, Op, Word};

use crate::bits::Format;
use crate::emit::Emitter;
use crate::types;

/// Builds expressions over scalars of one format.
pub(crate) struct Calc<'a> {
    pub(crate) e: &'a mut Emitter,
    pub(crate) format: Format,
}

impl Calc<'_> {
    /// Whether this is double precision.
    pub(crate) fn is_double(&self) -> bool {
        self.format.fraction == 52
    }

    /// Selects a value by the precision of the computation.
    pub(crate) fn by_format<T>(&self, single: T, double: T) -> T {
        if self.is_double() { double } else { single }
    }

    pub(crate) fn constant(&mut self, value: f64) -> Word {
        self.e.splat_float(self.format.float, value)
    }

    fn binary(&mut self, op: Op, a: Word, b: Word) -> Word {
        self.e.float(self.format.float, op, &[a, b])
    }

    pub(crate) fn add(&mut self, a: Word, b: Word) -> Word {
        self.binary(Op::FAdd, a, b)
    }

    pub(crate) fn sub(&mut self, a: Word, b: Word) -> Word {
        self.binary(Op::FSub, a, b)
    }

    pub(crate) fn mul(&mut self, a: Word, b: Word) -> Word {
        self.binary(Op::FMul, a, b)
    }

    pub(crate) fn div(&mut self, a: Word, b: Word) -> Word {
        self.binary(Op::FDiv, a, b)
    }

    /// `a + constant`
    pub(crate) fn plus(&mut self, a: Word, constant: f64) -> Word {
        let constant = self.constant(constant);
        self.add(a, constant)
    }

    /// `a * constant`
    pub(crate) fn times(&mut self, a: Word, constant: f64) -> Word {
        let constant = self.constant(constant);
        self.mul(a, constant)
    }

    /// `constant - a`
    pub(crate) fn from(&mut self, constant: f64, a: Word) -> Word {
        let constant = self.constant(constant);
        self.sub(constant, a)
    }

    pub(crate) fn negate(&mut self, a: Word) -> Word {
        self.e.on(self.format.float, Op::FNegate, &[a])
    }

    fn glsl(&mut self, op: GlslStd450Op, ids: &[Word]) -> Word {
        let ty = self.e.machine(self.format.float);
        self.e.glsl(op, ty, ids)
    }

    pub(crate) fn abs(&mut self, a: Word) -> Word {
        self.glsl(GlslStd450Op::FAbs, &[a])
    }

    pub(crate) fn sqrt(&mut self, a: Word) -> Word {
        self.glsl(GlslStd450Op::Sqrt, &[a])
    }

    pub(crate) fn round_even(&mut self, a: Word) -> Word {
        self.glsl(GlslStd450Op::RoundEven, &[a])
    }

    pub(crate) fn trunc(&mut self, a: Word) -> Word {
        self.glsl(GlslStd450Op::Trunc, &[a])
    }

    /// A comparison.
    pub(crate) fn test(&mut self, op: Op, a: Word, b: Word) -> Word {
        self.e.test(self.format.float, op, &[a, b])
    }

    /// A comparison with a constant.
    pub(crate) fn test_with(&mut self, op: Op, a: Word, constant: f64) -> Word {
        let constant = self.constant(constant);
        self.test(op, a, constant)
    }

    pub(crate) fn less(&mut self, a: Word, constant: f64) -> Word {
        self.test_with(Op::FOrdLessThan, a, constant)
    }

    pub(crate) fn greater(&mut self, a: Word, constant: f64) -> Word {
        self.test_with(Op::FOrdGreaterThan, a, constant)
    }

    pub(crate) fn is_nan(&mut self, a: Word) -> Word {
        self.e.is_nan(self.format.float, a)
    }

    pub(crate) fn logic(&mut self, op: Op, a: Word, b: Word) -> Word {
        self.e.on(types::BOOL, op, &[a, b])
    }

    pub(crate) fn not(&mut self, a: Word) -> Word {
        self.e.on(types::BOOL, Op::LogicalNot, &[a])
    }

    pub(crate) fn select(&mut self, condition: Word, a: Word, b: Word) -> Word {
        self.e.select(self.format.float, condition, a, b)
    }

    /// `condition ? constant : b`
    pub(crate) fn replace(&mut self, condition: Word, constant: f64, b: Word) -> Word {
        let constant = self.constant(constant);
        self.select(condition, constant, b)
    }

    /// Clamps to two constants; a NaN stays a NaN.
    pub(crate) fn clamp(&mut self, a: Word, low: f64, high: f64) -> Word {
        let below = self.less(a, low);
        let a = self.replace(below, low, a);
        let above = self.greater(a, high);
        self.replace(above, high, a)
    }

    /// The polynomial with these coefficients, that of the highest power first.
    pub(crate) fn polynomial(&mut self, x: Word, coefficients: &[f64]) -> Word {
        let mut terms = coefficients.iter();
        let mut sum = self.constant(terms.next().copied().unwrap_or(0.0));
        for &term in terms {
            let product = self.mul(sum, x);
            sum = self.plus(product, term);
        }
        sum
    }

    /// The magnitude of `a` with the sign of `sign`.
    pub(crate) fn copy_sign(&mut self, a: Word, sign: Word) -> Word {
        let Format { float, word, .. } = self.format;
        let (mask, rest) = (self.format.sign(), self.format.sign() - 1);
        let (a, sign) = (self.e.bits_of(float, a), self.e.bits_of(float, sign));
        let (mask, rest) = (
            self.e.splat_unsigned(word, mask),
            self.e.splat_unsigned(word, rest),
        );
        let ty = self.e.unsigned(word);
        let a = self.e.op(Op::BitwiseAnd, ty, &[a, rest]);
        let sign = self.e.op(Op::BitwiseAnd, ty, &[sign, mask]);
        let bits = self.e.op(Op::BitwiseOr, ty, &[a, sign]);
        self.e.of_bits(float, bits)
    }

    /// Whether the sign bit is set.
    pub(crate) fn is_negative(&mut self, a: Word) -> Word {
        let Format { float, word, .. } = self.format;
        let bits = self.e.bits_of(float, a);
        let sign = self.e.splat_unsigned(word, self.format.sign());
        self.e.test(word, Op::UGreaterThanEqual, &[bits, sign])
    }

    /// A whole float of magnitude below 2^22 (in double precision 2^51) as a signed word; any word of a NaN.
    ///
    /// Adding 1.5 · 2^23 (1.5 · 2^52) puts its last bit into that of the sum. A conversion would do, but CPU drivers have
    /// none that saturates for vectors: lavapipe converts lane by lane, in as much time as an exponential takes without.
    pub(crate) fn int_of(&mut self, a: Word) -> Word {
        let anchor = self.by_format(1.5 * 2f64.powi(23), 1.5 * 2f64.powi(52));
        let bits = self.by_format(
            i64::from((anchor as f32).to_bits()),
            anchor.to_bits() as i64,
        );
        let sum = self.plus(a, anchor);
        let sum = self.e.on(self.format.word, Op::Bitcast, &[sum]);
        self.int(Op::ISub, sum, bits)
    }

    /// A signed word as a float.
    pub(crate) fn float_of(&mut self, a: Word) -> Word {
        self.e.on(self.format.float, Op::ConvertSToF, &[a])
    }

    /// An operation on words with a constant on the right.
    pub(crate) fn int(&mut self, op: Op, a: Word, b: i64) -> Word {
        let b = self.e.splat_int(self.format.word, b);
        self.e.on(self.format.word, op, &[a, b])
    }

    /// `2^n` for a signed word `n` in the range of normal exponents.
    pub(crate) fn power_of_two(&mut self, n: Word) -> Word {
        let Format {
            float,
            fraction,
            bias,
            ..
        } = self.format;
        let biased = self.int(Op::IAdd, n, bias.into());
        let bits = self.int(Op::ShiftLeftLogical, biased, fraction.into());
        self.e.on(float, Op::Bitcast, &[bits])
    }

    /// `a · 2^n` for a signed word `n` in twice the range of normal exponents.
    pub(crate) fn scale(&mut self, a: Word, n: Word) -> Word {
        let half = self.int(Op::ShiftRightArithmetic, n, 1);
        let rest = self.e.on(self.format.word, Op::ISub, &[n, half]);
        let (half, rest) = (self.power_of_two(half), self.power_of_two(rest));
        let a = self.mul(a, half);
        self.mul(a, rest)
    }
}
