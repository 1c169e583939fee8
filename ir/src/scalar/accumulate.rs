//! Accumulation kinds of atomic updates and parallel reductions.

use super::{Computation, FloatOp, IntOp, ScalarKind, int_width, mask};

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

/// Each kind: its number in MLIR's `AtomicRMWKind`, and its keyword in the combining kinds of
/// `vector` and `gpu`, which do not tell floats from integers.
const KINDS: [(i64, Option<&str>, Accumulate); 16] = [
    (0, Some("add"), Accumulate::Float(FloatOp::Add)),
    (1, Some("add"), Accumulate::Int(IntOp::Add)),
    (2, Some("and"), Accumulate::Int(IntOp::And)),
    (3, None, Accumulate::Assign),
    (4, Some("maximumf"), Accumulate::Float(FloatOp::Maximum)),
    (5, Some("maxnumf"), Accumulate::Float(FloatOp::MaxNum)),
    (6, Some("maxsi"), Accumulate::Int(IntOp::MaxS)),
    (7, Some("maxui"), Accumulate::Int(IntOp::MaxU)),
    (8, Some("minimumf"), Accumulate::Float(FloatOp::Minimum)),
    (9, Some("minnumf"), Accumulate::Float(FloatOp::MinNum)),
    (10, Some("minsi"), Accumulate::Int(IntOp::MinS)),
    (11, Some("minui"), Accumulate::Int(IntOp::MinU)),
    (12, Some("mul"), Accumulate::Float(FloatOp::Mul)),
    (13, Some("mul"), Accumulate::Int(IntOp::Mul)),
    (14, Some("or"), Accumulate::Int(IntOp::Or)),
    (15, Some("xor"), Accumulate::Int(IntOp::Xor)),
];

impl Accumulate {
    /// The kind with MLIR's `AtomicRMWKind` number.
    pub fn from_number(number: i64) -> Option<Self> {
        let found = KINDS.iter().find(|kind| kind.0 == number);
        found.map(|kind| kind.2)
    }

    /// The kind with this keyword in `#vector.kind` or `#gpu.all_reduce_op`, of floats or of
    /// integers.
    pub fn from_keyword(keyword: &str, is_float: bool) -> Option<Self> {
        let fits = |kind: Accumulate| match kind {
            Accumulate::Float(_) => is_float,
            Accumulate::Int(_) => !is_float,
            Accumulate::Assign => false,
        };
        let mut kinds = KINDS.iter().filter(|kind| fits(kind.2));
        kinds
            .find(|kind| kind.1 == Some(keyword))
            .map(|kind| kind.2)
    }

    /// The kind whose combining operation is this computation; `None` where it accumulates nothing.
    pub fn from_computation(computation: Computation) -> Option<Self> {
        let kind = match computation {
            Computation::Int(op) => Accumulate::Int(op),
            Computation::Float(op) => Accumulate::Float(op),
            _ => return None,
        };
        kind.number().map(|_| kind)
    }

    /// Number of the operation in MLIR's `AtomicRMWKind`; `None` for an operation that does not
    /// accumulate.
    pub fn number(self) -> Option<i64> {
        let found = KINDS.iter().find(|kind| kind.2 == self);
        found.map(|kind| kind.0)
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
