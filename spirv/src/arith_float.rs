//! Floating-point operations of `arith`.
//!
//! Under [`FpMode::Strict`] every operation is decorated `NoContraction`
//! unless its own `fastmath` says `contract`, and division is correctly
//! rounded. A relaxed kernel that turns floats into decisions is not
//! contracted either: see [`decides_by_floats`].

use gridloom_dialects::arith;
use gridloom_dialects::inherent;
use gridloom_ir::fold::Constant;
use gridloom_ir::scalar::FloatOp;
use gridloom_ir::{AttrKind, Body, Context, OpId, OpName, Value};
use rspirv::spirv::{Op, Word};

use crate::emit::Emitter;
use crate::kernel::{Kernel, Lowering};
use crate::target::FpMode;
use crate::types::Reg;

/// Fast-math flags of an operation that the lowering uses.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct FastMath {
    /// May be fused with others.
    pub(crate) contract: bool,
    /// No operand or result is a NaN.
    pub(crate) no_nans: bool,
    /// Functions may be approximated.
    pub(crate) approximate: bool,
}

impl FastMath {
    /// The flags of an operation.
    pub(crate) fn of(k: &Kernel<'_>, op: OpId) -> FastMath {
        let attr = k.body[op].get(k.ctx, inherent::FASTMATH);
        let Some(AttrKind::Dialect { body, .. }) = attr.map(|attr| attr.kind(k.ctx)) else {
            return FastMath::default();
        };
        let mut flags = FastMath::default();
        for word in k.ctx.str(*body).split(['.', '<', '>', ',', ' ']) {
            let fast = word == "fast";
            flags.contract |= fast || word == "contract";
            flags.no_nans |= fast || word == "nnan";
            flags.approximate |= fast || word == "afn";
        }
        flags
    }
}

/// Lowers a binary operation on floats of one format, which the result has too; says whether it has
/// a lowering here.
pub(crate) fn binary(k: &mut Kernel<'_>, op: OpId, float: FloatOp) -> Lowering<bool> {
    let (reg, a, b) = operands(k, op)?;
    let word = match float {
        FloatOp::Div => {
            k.float_mode(op);
            let word = k.quotient(op, reg, a, b)?;
            k.rounded(reg, word)
        }
        FloatOp::Rem => k.exact_remainder(op, reg, a, b)?,
        _ => match combine(k, op, float, reg, (a, b)) {
            Some(word) => word,
            None => return Ok(false),
        },
    };
    k.set(op, word)?;
    Ok(true)
}

/// Lowers comparisons of floats.
pub(crate) fn lower(k: &mut Kernel<'_>, op: OpId, name: OpName) -> Lowering<bool> {
    match name {
        arith::CMPF => compare(k, op).map(|()| true),
        _ => Ok(false),
    }
}

/// Whether a kernel turns floats into something discrete: a comparison, or a
/// conversion to an integer. There a difference in the last place is not a
/// small error but another branch, another trip count or another integer, so
/// the little that contraction gains is not taken.
pub(crate) fn decides_by_floats(body: &Body) -> bool {
    let decides = |op: OpId| matches!(body[op].name, arith::CMPF | arith::FPTOSI | arith::FPTOUI);
    body.walk().into_iter().any(decides)
}

/// Whether a kernel divides zero, or by zero, as a constant: drivers that fold such zeros take
/// the quotient for zero.
pub(crate) fn divides_constant_zeros(ctx: &Context, body: &Body) -> bool {
    let may_be_zero = |&value: &Value| {
        let attr = arith::constant_value(ctx, body, value);
        attr.and_then(|attr| Constant::of(ctx, attr))
            .is_some_and(|c| c.splat().is_none_or(|bits| c.kind.to_f64(bits) == 0.0))
    };
    let divides = |op: OpId| {
        let data = &body[op];
        matches!(data.name, arith::DIVF | arith::REMF) && data.operands.iter().any(may_be_zero)
    };
    body.walk().into_iter().any(divides)
}

impl Kernel<'_> {
    /// Whether this operation must be evaluated as written.
    pub(crate) fn is_strict(&self) -> bool {
        self.env.fp == FpMode::Strict
    }

    /// Sets whether the floats emitted next, for `op`, may be contracted.
    pub(crate) fn float_mode(&mut self, op: OpId) -> FastMath {
        let flags = FastMath::of(self, op);
        self.exact = self.is_strict() && !flags.contract;
        self.e.forbid_contraction = self.exact || self.decides_by_floats && !flags.contract;
        flags
    }

    /// The register of the first operand, which holds floats.
    pub(crate) fn float_reg(&mut self, op: OpId) -> Lowering<Reg> {
        let value = self.operand(op, 0)?;
        let reg = self.reg(op, value)?;
        if reg.is_float() {
            Ok(reg)
        } else {
            Err(self.malformed(op))
        }
    }
}

fn operands(k: &mut Kernel<'_>, op: OpId) -> Lowering<(Reg, Word, Word)> {
    Ok((k.float_reg(op)?, k.word(op, 0)?, k.word(op, 1)?))
}

/// Negates a float.
pub(crate) fn negate(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let reg = k.float_reg(op)?;
    let a = k.word(op, 0)?;
    let word = k.e.on(reg, Op::FNegate, &[a]);
    k.set(op, word)
}

/// Minimum or maximum, by its rule for NaN.
#[derive(Clone, Copy)]
struct Extremum {
    better: Op,
    /// Combines the bits of equal numbers, that is of zeros: `and` gives +0
    /// if either is, `or` gives -0.
    ties: Op,
    /// Whether a NaN wins; otherwise the number does.
    propagates_nan: bool,
}

impl Extremum {
    const MAXNUM: Extremum = Extremum {
        better: Op::FOrdGreaterThan,
        ties: Op::BitwiseAnd,
        propagates_nan: false,
    };
    const MINNUM: Extremum = Extremum {
        better: Op::FOrdLessThan,
        ties: Op::BitwiseOr,
        propagates_nan: false,
    };
    const MAXIMUM: Extremum = Extremum {
        propagates_nan: true,
        ..Self::MAXNUM
    };
    const MINIMUM: Extremum = Extremum {
        propagates_nan: true,
        ..Self::MINNUM
    };
}

/// `a` and `b` combined by an operation of one rounding or none; `None` for other operations.
pub(crate) fn combine(
    k: &mut Kernel<'_>,
    op: OpId,
    float: FloatOp,
    reg: Reg,
    (a, b): (Word, Word),
) -> Option<Word> {
    let rounded = match float {
        FloatOp::Add => Op::FAdd,
        FloatOp::Sub => Op::FSub,
        FloatOp::Mul => Op::FMul,
        FloatOp::Maximum => return Some(best(k, op, Extremum::MAXIMUM, reg, a, b)),
        FloatOp::Minimum => return Some(best(k, op, Extremum::MINIMUM, reg, a, b)),
        FloatOp::MaxNum => return Some(best(k, op, Extremum::MAXNUM, reg, a, b)),
        FloatOp::MinNum => return Some(best(k, op, Extremum::MINNUM, reg, a, b)),
        _ => return None,
    };
    k.float_mode(op);
    let word = k.e.float(reg, rounded, &[a, b]);
    Some(k.rounded(reg, word))
}

fn best(k: &mut Kernel<'_>, op: OpId, how: Extremum, reg: Reg, a: Word, b: Word) -> Word {
    let flags = FastMath::of(k, op);
    let first = k.e.test(reg, how.better, &[a, b]);
    let number = k.e.select(reg, first, a, b);
    if flags.no_nans {
        return number;
    }
    let equal = k.e.test(reg, Op::FOrdEqual, &[a, b]);
    let (bits_a, bits_b) = (k.e.bits_of(reg, a), k.e.bits_of(reg, b));
    let ty = k.e.unsigned(reg);
    let tie = k.e.op(how.ties, ty, &[bits_a, bits_b]);
    let tie = k.e.of_bits(reg, tie);
    let number = k.e.select(reg, equal, tie, number);
    // With a NaN neither comparison holds, and the above is b.
    let (nan_a, nan_b) = (k.e.is_nan(reg, a), k.e.is_nan(reg, b));
    let (nan, winner) = if how.propagates_nan {
        (nan_a, a)
    } else {
        (nan_b, a)
    };
    k.e.select(reg, nan, winner, number)
}

fn compare(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let (reg, a, b) = operands(k, op)?;
    let predicate = k.body[op].get(k.ctx, inherent::PREDICATE);
    let word = predicate.and_then(|predicate| comparison(k.e, reg, predicate, a, b));
    let word = word.ok_or_else(|| k.malformed(op))?;
    k.set(op, word)
}

/// Lowers a predicate of `arith.cmpf`, given by its number. An unordered one is the negation of the
/// opposite ordered one, since naga's translation does not distinguish `OpFUnord*` from `OpFOrd*`.
fn comparison(e: &mut Emitter, reg: Reg, predicate: i64, a: Word, b: Word) -> Option<Word> {
    let bools = reg.with(crate::abi::ElementKind::Bool);
    let not = |e: &mut Emitter, word: Word| e.on(bools, Op::LogicalNot, &[word]);
    let ordered = |e: &mut Emitter, op: Op| e.test(reg, op, &[a, b]);
    let less_or_greater = |e: &mut Emitter| {
        let less = ordered(e, Op::FOrdLessThan);
        let greater = ordered(e, Op::FOrdGreaterThan);
        e.on(bools, Op::LogicalOr, &[less, greater])
    };
    let unordered = |e: &mut Emitter| {
        let (nan_a, nan_b) = (e.is_nan(reg, a), e.is_nan(reg, b));
        e.on(bools, Op::LogicalOr, &[nan_a, nan_b])
    };
    let opposite = |e: &mut Emitter, op: Op| {
        let word = ordered(e, op);
        not(e, word)
    };
    Some(match predicate {
        0 => e.splat_int(bools, 0),
        1 => ordered(e, Op::FOrdEqual),
        2 => ordered(e, Op::FOrdGreaterThan),
        3 => ordered(e, Op::FOrdGreaterThanEqual),
        4 => ordered(e, Op::FOrdLessThan),
        5 => ordered(e, Op::FOrdLessThanEqual),
        6 => less_or_greater(e),
        7 => {
            let unordered = unordered(e);
            not(e, unordered)
        }
        8 => {
            let differ = less_or_greater(e);
            not(e, differ)
        }
        9 => opposite(e, Op::FOrdLessThanEqual),
        10 => opposite(e, Op::FOrdLessThan),
        11 => opposite(e, Op::FOrdGreaterThanEqual),
        12 => opposite(e, Op::FOrdGreaterThan),
        13 => opposite(e, Op::FOrdEqual),
        14 => unordered(e),
        15 => e.splat_int(bools, 1),
        _ => return None,
    })
}

impl Emitter {
    /// Whether floats are NaNs, told from their bits: compilers may assume
    /// that comparisons of a number with itself hold.
    pub(crate) fn is_nan(&mut self, reg: Reg, value: Word) -> Word {
        let (magnitude, infinity) = self.magnitude(reg, value);
        self.test(reg, Op::UGreaterThan, &[magnitude, infinity])
    }

    /// The bits of a finite number of the register's format, in every lane.
    pub(crate) fn float_bits(&mut self, reg: Reg, value: f64) -> Word {
        let bits = match reg.machine_bits() {
            64 => value.to_bits(),
            _ => (value as f32).to_bits().into(),
        };
        self.splat_unsigned(reg, bits)
    }

    /// The bits without the sign, and those of infinity.
    pub(crate) fn magnitude(&mut self, reg: Reg, value: Word) -> (Word, Word) {
        let bits = self.bits_of(reg, value);
        let (mask, infinity) = match reg.machine_bits() {
            64 => (u64::MAX >> 1, f64::INFINITY.to_bits()),
            _ => (0x7fff_ffff, f32::INFINITY.to_bits().into()),
        };
        let mask = self.splat_unsigned(reg, mask);
        let infinity = self.splat_unsigned(reg, infinity);
        let ty = self.unsigned(reg);
        (self.op(Op::BitwiseAnd, ty, &[bits, mask]), infinity)
    }
}
