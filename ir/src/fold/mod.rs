//! Folding: what an operation is worth without running it.
//!
//! ```text
//! %c = arith.addi %c2, %c3      ⇒  5
//! %y = arith.muli %x, %c1       ⇒  %x
//! %n = memref.dim %a, %c0       ⇒  the extent, or the size given to the alloc
//! affine.for %i = 3 to 3 {…}    ⇒  what its iteration arguments start from
//! ```
//!
//! A fold is exact: the replacement has the bits that the operation would
//! have computed, wrap-around and rounding included. Where MLIR leaves the
//! result undefined (division by zero, a shift by the width, a float beyond
//! the range of an integer) and where the bits of a result differ between
//! machines (a NaN made by arithmetic), nothing is folded.

mod affine;
mod cast;
mod float;
mod int;
mod memref;
mod scf;

use crate::attr::{Attr, AttrKind, Int};
use crate::body::{Body, OpId, Value};
use crate::context::Context;
use crate::dialect;
use crate::types::{FloatKind, Type, TypeKind};

/// What may stand for a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoldResult {
    /// Another value, which dominates the operation.
    Value(Value),
    /// A constant of this type.
    Constant(Attr, Type),
}

/// What may stand for the results of an operation, one for each; the
/// operation may then be erased, with its regions. `None` if nothing is known.
///
/// The operation is a verified one.
pub fn fold(ctx: &Context, body: &Body, op: OpId) -> Option<Vec<FoldResult>> {
    use dialect::{affine as a, arith, memref as m, scf as s};
    let data = &body[op];
    let single = match data.name {
        arith::SELECT => int::fold_select(ctx, body, op),
        arith::CMPI => int::fold_compare(ctx, body, op),
        arith::CMPF => float::fold_compare(ctx, body, op),
        arith::ADDUI_EXTENDED | arith::MULUI_EXTENDED | arith::MULSI_EXTENDED => {
            return int::fold_extended(ctx, body, op);
        }
        a::FOR => return affine::fold_for(ctx, body, op),
        s::FOR => return scf::fold_for(ctx, body, op),
        a::APPLY | a::MIN | a::MAX => affine::fold_map(ctx, body, op),
        m::DIM => memref::fold_dim(ctx, body, op),
        m::CAST => memref::fold_cast(body, op),
        _ => int::fold_binary(ctx, body, op)
            .or_else(|| float::fold_arithmetic(ctx, body, op))
            .or_else(|| cast::fold(ctx, body, op)),
    };
    single.map(|result| vec![result])
}

/// A scalar as the machine holds it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Scalar {
    /// An integer of 1 to 64 bits, zero-extended; `index` has 64.
    Int { bits: u64, width: u32 },
    /// A float by its pattern.
    Float { bits: u128, kind: FloatKind },
}

/// Width of an integer type of 1 to 64 bits; `index` has 64.
fn int_width(ctx: &Context, ty: Type) -> Option<u32> {
    match ty.kind(ctx) {
        TypeKind::Index => Some(64),
        TypeKind::Integer { width, .. } => Some(*width).filter(|width| (1..=64).contains(width)),
        _ => None,
    }
}

/// The scalar that a constant defines.
fn scalar(ctx: &Context, body: &Body, value: Value) -> Option<Scalar> {
    match dialect::arith::constant_value(ctx, body, value)?.kind(ctx) {
        AttrKind::Integer {
            ty,
            value: Int::Small(number),
        } => {
            let width = int_width(ctx, *ty)?;
            let bits = mask(*number as u64, width);
            Some(Scalar::Int { bits, width })
        }
        AttrKind::Float { ty, bits } => Some(Scalar::Float {
            bits: *bits,
            kind: ty.float_kind(ctx)?,
        }),
        _ => None,
    }
}

/// The integer that a constant defines, zero-extended.
fn int_bits(ctx: &Context, body: &Body, value: Value) -> Option<u64> {
    match scalar(ctx, body, value)? {
        Scalar::Int { bits, .. } => Some(bits),
        Scalar::Float { .. } => None,
    }
}

/// A constant of an integer type, of the low bits.
fn int_constant(ctx: &Context, ty: Type, bits: u64) -> Option<FoldResult> {
    let width = int_width(ctx, ty)?;
    let value = match ty.kind(ctx) {
        // The attribute's own convention: `i1` and unsigned types hold their
        // value zero-extended, all others sign-extended.
        _ if width == 1 => i128::from(bits & 1),
        TypeKind::Integer {
            signedness: crate::types::Signedness::Unsigned,
            ..
        } => i128::from(mask(bits, width)),
        _ => i128::from(sign_extend(bits, width)),
    };
    let value = Int::Small(value);
    let attr = ctx.intern_attr(AttrKind::Integer { ty, value });
    Some(FoldResult::Constant(attr, ty))
}

/// A constant of a float type.
fn float_constant(ctx: &Context, ty: Type, bits: u128) -> FoldResult {
    FoldResult::Constant(ctx.intern_attr(AttrKind::Float { ty, bits }), ty)
}

/// The low `width` bits.
fn mask(bits: u64, width: u32) -> u64 {
    match width {
        0..64 => bits & ((1 << width) - 1),
        _ => bits,
    }
}

/// Sign extension from `width` bits, 1 to 64.
fn sign_extend(bits: u64, width: u32) -> i64 {
    let shift = 64 - width;
    ((bits << shift) as i64) >> shift
}
