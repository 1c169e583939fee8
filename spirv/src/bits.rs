//! Arithmetic on the bits of floats: expressions over unsigned words of 32 or
//! 64 bits, and small loops.

use rspirv::spirv::{LoopControl, Op, Word};

use crate::abi::ElementKind;
use crate::emit::Emitter;
use crate::types::{self, Reg};

/// The layout of a float format in a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Format {
    /// The register of the floats.
    pub(crate) float: Reg,
    /// The register of words as wide.
    pub(crate) word: Reg,
    /// Stored bits of the fraction.
    pub(crate) fraction: u32,
    /// The bias of the exponent.
    pub(crate) bias: u32,
}

impl Format {
    /// The format that a scalar register computes in; `None` for integers.
    pub(crate) fn of(reg: Reg) -> Option<Format> {
        let (float, word, fraction, bias) = match reg.kind {
            ElementKind::F64 => (ElementKind::F64, 64, 52, 1023),
            ElementKind::Bool | ElementKind::Int(_) => return None,
            // Narrow floats as well.
            _ => (ElementKind::F32, 32, 23, 127),
        };
        Some(Format {
            float: types::scalar(float),
            word: types::int(word),
            fraction,
            bias,
        })
    }

    /// The bits of infinity.
    pub(crate) fn infinity(self) -> u64 {
        u64::from(2 * self.bias + 1) << self.fraction
    }

    /// The bits of a quiet NaN.
    pub(crate) fn nan(self) -> u64 {
        self.infinity() | 1 << (self.fraction - 1)
    }

    /// The sign bit.
    pub(crate) fn sign(self) -> u64 {
        1 << (self.word.machine_bits() - 1)
    }
}

/// Builds expressions over unsigned words.
pub(crate) struct Bits<'a> {
    pub(crate) e: &'a mut Emitter,
    reg: Reg,
    ty: Word,
}

impl<'a> Bits<'a> {
    /// Builder over words as wide as `reg`, a register of one lane.
    pub(crate) fn new(e: &'a mut Emitter, reg: Reg) -> Self {
        let ty = e.unsigned(reg);
        Bits { e, reg, ty }
    }

    /// Bits of a word.
    pub(crate) fn width(&self) -> u32 {
        self.reg.machine_bits()
    }

    pub(crate) fn constant(&mut self, value: u64) -> Word {
        self.e.splat_unsigned(self.reg, value)
    }

    pub(crate) fn op(&mut self, op: Op, a: Word, b: Word) -> Word {
        self.e.op(op, self.ty, &[a, b])
    }

    /// An operation with a constant on the right.
    pub(crate) fn with(&mut self, op: Op, a: Word, b: u64) -> Word {
        let b = self.constant(b);
        self.op(op, a, b)
    }

    pub(crate) fn test(&mut self, op: Op, a: Word, b: Word) -> Word {
        self.e.test(self.reg, op, &[a, b])
    }

    /// A comparison with a constant on the right.
    pub(crate) fn test_with(&mut self, op: Op, a: Word, b: u64) -> Word {
        let b = self.constant(b);
        self.test(op, a, b)
    }

    pub(crate) fn and(&mut self, a: Word, b: Word) -> Word {
        self.e.on(types::BOOL, Op::LogicalAnd, &[a, b])
    }

    pub(crate) fn or(&mut self, a: Word, b: Word) -> Word {
        self.e.on(types::BOOL, Op::LogicalOr, &[a, b])
    }

    pub(crate) fn select(&mut self, condition: Word, a: Word, b: Word) -> Word {
        self.e.op(Op::Select, self.ty, &[condition, a, b])
    }

    /// 1 where the condition holds, else 0.
    pub(crate) fn bit(&mut self, condition: Word) -> Word {
        let (one, zero) = (self.constant(1), self.constant(0));
        self.select(condition, one, zero)
    }

    /// `value >> shift` rounded to nearest, ties to even; `shift` is at least
    /// 1, and `value + 2^(shift - 1)` fits the word.
    pub(crate) fn shift_rounded(&mut self, value: Word, shift: Word) -> Word {
        let one = self.constant(1);
        let kept = self.op(Op::ShiftRightLogical, value, shift);
        let odd = self.op(Op::BitwiseAnd, kept, one);
        let last = self.op(Op::ISub, shift, one);
        let half = self.op(Op::ShiftLeftLogical, one, last);
        let below_half = self.op(Op::ISub, half, one);
        let sum = self.op(Op::IAdd, value, below_half);
        let sum = self.op(Op::IAdd, sum, odd);
        self.op(Op::ShiftRightLogical, sum, shift)
    }

    /// Emits a loop over carried words: they start as `initial`, and become `next` of themselves
    /// while `go_on` of them holds.
    pub(crate) fn repeat<const N: usize>(
        &mut self,
        initial: [Word; N],
        go_on: impl FnOnce(&mut Self, [Word; N]) -> Word,
        next: impl FnOnce(&mut Self, [Word; N]) -> [Word; N],
    ) -> [Word; N] {
        let [header, test, body, continues, merge] = [(); 5].map(|()| self.e.id());
        let before = self.e.current_block();
        self.e.branch(header);
        self.e.begin_block(header);
        let now = initial.map(|word| self.e.loop_phi(self.ty, word, before));
        let control = if self.e.keep_loops {
            LoopControl::DONT_UNROLL
        } else {
            LoopControl::NONE
        };
        self.e.loop_merge(merge, continues, control);
        self.e.branch(test);
        self.e.begin_block(test);
        let condition = go_on(self, now);
        self.e.branch_if(condition, body, merge);
        self.e.begin_block(body);
        let then = next(self, now);
        self.e.branch(continues);
        self.e.begin_block(continues);
        self.e.branch(header);
        for (phi, word) in now.into_iter().zip(then) {
            self.e.add_back_edge(phi, word, continues);
        }
        self.e.begin_block(merge);
        now
    }
}
