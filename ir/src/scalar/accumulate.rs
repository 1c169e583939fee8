//! Accumulation kinds of atomic updates and parallel reductions.

use super::{FloatOp, IntOp, ScalarKind, int_width, mask};

/// An accumulation kind of `memref.atomic_rmw` or `affine.parallel`: its
/// combining operation and neutral element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // the variants are arith's names
pub enum Accumulate {
    Float(FloatOp),
    Int(IntOp),
    /// Replaces the old value by the new one.
    Assign,
}

impl Accumulate {
    /// The kind with MLIR's `AtomicRMWKind` number.
    pub fn from_number(number: i64) -> Option<Self> {
        use Accumulate::{Assign, Float, Int};
        Some(match number {
            0 => Float(FloatOp::Add),
            1 => Int(IntOp::Add),
            2 => Int(IntOp::And),
            3 => Assign,
            4 => Float(FloatOp::Maximum),
            5 => Float(FloatOp::MaxNum),
            6 => Int(IntOp::MaxS),
            7 => Int(IntOp::MaxU),
            8 => Float(FloatOp::Minimum),
            9 => Float(FloatOp::MinNum),
            10 => Int(IntOp::MinS),
            11 => Int(IntOp::MinU),
            12 => Float(FloatOp::Mul),
            13 => Int(IntOp::Mul),
            14 => Int(IntOp::Or),
            15 => Int(IntOp::Xor),
            _ => return None,
        })
    }

    /// The neutral element.
    pub fn identity(self, kind: ScalarKind) -> u64 {
        let width = int_width(kind);
        match self {
            Accumulate::Float(op) => kind.from_f64(match op {
                FloatOp::Mul => 1.0,
                FloatOp::Maximum | FloatOp::MaxNum => f64::NEG_INFINITY,
                FloatOp::Minimum | FloatOp::MinNum => f64::INFINITY,
                _ => 0.0,
            }),
            Accumulate::Int(op) => match op {
                IntOp::Mul => 1,
                IntOp::And | IntOp::MinU => mask(u64::MAX, width),
                IntOp::MinS => mask(u64::MAX, width - 1),
                IntOp::MaxS => 1 << (width - 1),
                _ => 0,
            },
            Accumulate::Assign => 0,
        }
    }
}
