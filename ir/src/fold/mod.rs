//! Constant folding and algebraic simplification of single operations.
//!
//! ```text
//! %c = arith.addi %c2, %c3      ⇒  5
//! %y = arith.muli %x, %c1       ⇒  %x
//! %n = memref.dim %a, %c0       ⇒  the extent, or the size given to the alloc
//! affine.for %i = 3 to 3 {…}    ⇒  the initial values of its iteration arguments
//! ```
//!
//! The fold of an operation stands in its row ([`OpFolds`]), what
//! operations of any dialect fold to in the registry
//! ([`CommonFolds`]); this module holds what folds
//! share. A fold may look at the operation and at the definitions of its operands,
//! and creates nothing but constants. A simplification that needs new operations is
//! a rewrite of the canonicalizer.
//!
//! A fold is exact: the replacement has the bits that the operation would have
//! computed, by [`crate::scalar`]. Nothing folds where MLIR leaves the result
//! undefined (division by zero, a shift by the width, a float out of an
//! integer's range), nor where machines differ in the bits of the result (a NaN
//! made by arithmetic).

pub mod computed;
mod constant;
mod folds;

use smallvec::{SmallVec, smallvec};

use crate::attr::{Attr, AttrKind, DenseData};
use crate::attr_names;
use crate::body::{Body, OpData, OpId, Value};
use crate::context::Context;
use crate::context::{OpName, Traits};
use crate::scalar::{ScalarKind, decode_float, mask};
use crate::types::Type;

pub(crate) use folds::Folds;
pub use folds::{CommonFolds, FoldFn, OpFolds};

pub use constant::{Constant, Elements, scalar_attr};

/// The replacement of one result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoldResult {
    /// Another value, which dominates the operation.
    Value(Value),
    /// A constant of this type.
    Constant(Attr, Type),
}

/// The replacements of all results of an operation.
pub type Folded = SmallVec<[FoldResult; 1]>;

/// Folds an operation: the replacements of its results, after which it may be
/// erased with its regions. `None` if it does not fold.
///
/// The operation must be verified.
pub fn fold(ctx: &Context, body: &Body, op: OpId) -> Option<Folded> {
    let cx = FoldCx { ctx, body, op };
    let folds = Folds::of(ctx);
    let row = folds.row(body[op].name)?;
    if row.fold.is_none() && row.computes.is_none() {
        return None;
    }
    let common = &folds.common;
    let folded = (common.before)(&cx)
        .or_else(|| row.fold?(&cx))
        .or_else(|| computed::fold(&cx, row.computes?))
        .or_else(|| (common.after)(&cx))?;
    // Unreachable code may use an operation's result as its own operand.
    let is_own = |value: Value| body.defining_op(value) == Some(op);
    let own = |result: &FoldResult| matches!(*result, FoldResult::Value(value) if is_own(value));
    (!folded.iter().any(own)).then_some(folded)
}

/// The folding context of a verified operation.
#[derive(Clone, Copy)]
pub struct FoldCx<'a> {
    /// The context of the body.
    pub ctx: &'a Context,
    /// The body around the operation.
    pub body: &'a Body,
    /// The operation.
    pub op: OpId,
}

impl<'a> FoldCx<'a> {
    /// The operation's fields.
    pub fn data(&self) -> &'a OpData {
        &self.body[self.op]
    }

    /// The operands, if there are `N`.
    pub fn operands<const N: usize>(&self) -> Option<[Value; N]> {
        self.data().operands[..].try_into().ok()
    }

    /// The type of a value.
    pub fn ty(&self, value: Value) -> Type {
        self.body.ty(value)
    }

    /// The type of result number `index`.
    pub fn result_type(&self, index: usize) -> Type {
        self.body.ty(self.data().result(index))
    }

    /// The operation that defines a value, if its name is `name`.
    pub fn maker(&self, value: Value, name: OpName) -> Option<&'a OpData> {
        let op = self.body.defining_op(value)?;
        Some(&self.body[op]).filter(|data| data.name == name)
    }

    /// The attribute of a constant value.
    pub fn constant_attr(&self, value: Value) -> Option<Attr> {
        constant_attr(self.ctx, self.body, value)
    }

    /// The decoded constant of a constant value.
    pub fn constant(&self, value: Value) -> Option<Constant<'a>> {
        Constant::of(self.ctx, self.constant_attr(value)?)
    }

    /// The sign-extended value of an integer constant or splat.
    pub fn int(&self, value: Value) -> Option<i64> {
        let constant = self.constant(value)?;
        match constant.kind {
            ScalarKind::Int(width) => Some(crate::scalar::sext(constant.splat()?, width)),
            _ => None,
        }
    }

    /// Whether a value is an integer constant or splat of this number; -1 has
    /// all bits set.
    pub fn is_int(&self, value: Value, number: i64) -> bool {
        self.constant(value).is_some_and(|c| match c.kind {
            ScalarKind::Int(width) => c.splat() == Some(mask(number as u64, width)),
            _ => false,
        })
    }

    /// Whether a value is a float constant or splat of exactly this number;
    /// zeros differ by sign.
    pub fn is_float(&self, value: Value, number: f64) -> bool {
        self.constant(value).is_some_and(|c| match c.kind {
            ScalarKind::Int(_) => false,
            kind => c.splat() == Some(kind.from_f64(number)),
        })
    }

    /// The value of a float constant or splat of any format, if `f64`
    /// represents it exactly.
    pub fn float(&self, value: Value) -> Option<f64> {
        let ty = self.ty(value);
        let kind = ty.element(self.ctx).unwrap_or(ty).float_kind(self.ctx)?;
        decode_float(kind, self.float_bits(value)?)
    }

    /// The bits of a float constant or splat of any format.
    pub fn float_bits(&self, value: Value) -> Option<u128> {
        match self.constant_attr(value)?.kind(self.ctx) {
            AttrKind::Float { bits, .. } => Some(*bits),
            AttrKind::Dense {
                data: DenseData::Splat(bytes),
                ..
            } => {
                let bytes = bytes.iter().rev();
                Some(bytes.fold(0, |bits, &byte| bits << 8 | u128::from(byte)))
            }
            _ => None,
        }
    }

    /// The scalar kind of a type's elements.
    pub fn element_kind(&self, ty: Type) -> Option<ScalarKind> {
        crate::scalar::scalar_kind(self.ctx, ty.element(self.ctx).unwrap_or(ty))
    }

    /// The width of a type's integer elements.
    pub fn int_width(&self, ty: Type) -> Option<u8> {
        match self.element_kind(ty)? {
            ScalarKind::Int(width) => Some(width),
            _ => None,
        }
    }

    /// Folds the only result to this value.
    pub fn value(&self, value: Value) -> Option<Folded> {
        Some(smallvec![FoldResult::Value(value)])
    }

    /// Folds the only result to a constant with these bits in every element.
    pub fn splat(&self, bits: u64) -> Option<Folded> {
        self.elements(Some(Elements::Splat(bits)))
    }

    /// Folds the only result to a constant with these elements, if there are
    /// any.
    pub fn elements(&self, elements: Option<Elements>) -> Option<Folded> {
        let result = elements?.into_result(self.ctx, self.result_type(0))?;
        Some(smallvec![result])
    }

    /// Folds the only result to this attribute.
    pub fn attr(&self, attr: Attr) -> Option<Folded> {
        Some(smallvec![FoldResult::Constant(attr, self.result_type(0))])
    }
}

/// The attribute of a constant value.
pub fn constant_attr(ctx: &Context, body: &Body, value: Value) -> Option<Attr> {
    let data = &body[body.defining_op(value)?];
    if !data.name.has(Traits::CONSTANT_LIKE) {
        return None;
    }
    data.attr(ctx, attr_names::VALUE)
}
