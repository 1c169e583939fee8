//! Dispatch by computation: lowers operations whose row declares what they compute.

use gridloom_ir::scalar::{Computation, FloatOp, IntOp};
use gridloom_ir::{OpId, OpName};

use crate::kernel::{Kernel, Lowering};
use crate::{arith_float, arith_int, casts, math, math_int};

/// Lowers an operation by the computation that its row declares; `false` where it declares none, or
/// one without a lowering.
pub(crate) fn lower(k: &mut Kernel<'_>, op: OpId, name: OpName) -> Lowering<bool> {
    let Some(computation) = k.ctx.computation(name) else {
        return Ok(false);
    };
    match computation {
        Computation::Int(IntOp::Pow) => math_int::integer_power(k, op)?,
        Computation::Int(int) | Computation::Index(int) => return arith_int::binary(k, op, int),
        Computation::IntUnary(int) => math_int::unary(k, op, int)?,
        Computation::Float(float @ (FloatOp::Pow | FloatOp::Atan2 | FloatOp::CopySign)) => {
            math::binary(k, op, float)?;
        }
        Computation::Float(float) => return arith_float::binary(k, op, float),
        Computation::FloatUnary(float) => math::unary(k, op, float)?,
        Computation::FloatTest(test) => math::classify(k, op, test)?,
        Computation::Cast(cast) | Computation::IndexCast(cast) => casts::lower(k, op, cast)?,
        Computation::FusedMultiplyAdd => math::fma(k, op)?,
        Computation::FloatToIntPower => math::fpowi(k, op)?,
        Computation::Words(_) => return Ok(false),
    }
    Ok(true)
}
