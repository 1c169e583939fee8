//! The `math` dialect.

use gridloom_ir::dialect::math;
use gridloom_ir::{OpId, OpName};
use rspirv::spirv::{GlslStd450Op, Word};

use crate::kernel::{Kernel, Lowering};

/// Lowers mathematics.
pub(crate) fn lower(k: &mut Kernel<'_>, op: OpId, name: OpName) -> Lowering<bool> {
    let function = match name {
        math::ABSF => GlslStd450Op::FAbs,
        math::CEIL => GlslStd450Op::Ceil,
        math::FLOOR => GlslStd450Op::Floor,
        math::TRUNC => GlslStd450Op::Trunc,
        math::ROUNDEVEN => GlslStd450Op::RoundEven,
        math::SQRT => GlslStd450Op::Sqrt,
        math::RSQRT => GlslStd450Op::InverseSqrt,
        math::EXP => GlslStd450Op::Exp,
        math::EXP2 => GlslStd450Op::Exp2,
        math::LOG => GlslStd450Op::Log,
        math::LOG2 => GlslStd450Op::Log2,
        math::SIN => GlslStd450Op::Sin,
        math::COS => GlslStd450Op::Cos,
        math::TAN => GlslStd450Op::Tan,
        math::TANH => GlslStd450Op::Tanh,
        math::POWF => GlslStd450Op::Pow,
        math::FMA => GlslStd450Op::Fma,
        _ => return Ok(false),
    };
    let reg = k.float_reg(op)?;
    let words: Vec<Word> = (0..k.body[op].operands.len())
        .map(|index| k.word(op, index))
        .collect::<Lowering<_>>()?;
    let ty = k.e.machine(reg);
    let word = k.e.glsl(function, ty, &words);
    let word = k.rounded(reg, word);
    k.set(op, word)?;
    Ok(true)
}
