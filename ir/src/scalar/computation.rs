//! Computation of a row: what a scalar operation computes, as data.

use super::{Cast, FloatOp, FloatTest, FloatUnary, IntOp, IntUnary};

/// Computes the bits of the only result from those of the operands; bits past the result's width
/// are dropped.
pub type ComputeFn = fn(&[u64]) -> u64;

/// Computation of an operation on scalar operands, element by element on vectors.
///
/// A row declares it once ([`OpDef::computes`](crate::op::OpDef::computes)); constant folding, the
/// interpreter and the lowering to SPIR-V derive from it.
#[derive(Clone, Copy, Debug)]
pub enum Computation {
    /// Two integers of one width to one of that width.
    Int(IntOp),
    /// Two values of `index`, which has 64 or 32 bits, to one: constants fold where both widths
    /// agree.
    Index(IntOp),
    /// An integer to one of its width.
    IntUnary(IntUnary),
    /// Two floats of one format to one of that format.
    Float(FloatOp),
    /// A float to one of its format.
    FloatUnary(FloatUnary),
    /// A float to a Boolean.
    FloatTest(FloatTest),
    /// A conversion between types.
    Cast(Cast),
    /// A conversion between integers and `index`, which has 64 or 32 bits.
    IndexCast(Cast),
    /// `a * b + c` of floats, rounded once.
    FusedMultiplyAdd,
    /// A float to the power of an integer.
    FloatToIntPower,
    /// A function on the words of the operands.
    Words(ComputeFn),
}
