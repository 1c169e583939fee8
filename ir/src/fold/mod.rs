//! Folding: what an operation is worth without running it.
//!
//! ```text
//! %c = arith.addi %c2, %c3      ⇒  5
//! %y = arith.muli %x, %c1       ⇒  %x
//! %n = memref.dim %a, %c0       ⇒  the extent, or the size given to the alloc
//! affine.for %i = 3 to 3 {…}    ⇒  what its iteration arguments start from
//! ```
//!
//! How an operation folds stands in its row ([`crate::op::OpDef::fold`]); here
//! is what those functions share. A fold looks at the operation, at what
//! defines its operands, and makes nothing but constants. What needs new
//! operations is a rewrite of the canonicalizer.
//!
//! A fold is exact: the replacement has the bits that the operation would
//! have computed, by the functions of [`crate::scalar`]. Where MLIR leaves the
//! result undefined (division by zero, a shift by the width, a float beyond
//! the range of an integer) and where the bits of a result differ between
//! machines (a NaN made by arithmetic), nothing is folded.

mod constant;
mod empty;
mod formats;
mod wide;

use smallvec::{SmallVec, smallvec};

use crate::attr::Attr;
use crate::body::{Body, OpData, OpId, Value};
use crate::context::Context;
use crate::dialect::{arith, ub};
use crate::op::{OpName, Traits};
use crate::scalar::{ScalarKind, mask};
use crate::types::Type;

pub use constant::{Constant, Elements, scalar_attr};

/// What may stand for a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoldResult {
    /// Another value, which dominates the operation.
    Value(Value),
    /// A constant of this type.
    Constant(Attr, Type),
}

/// What may stand for the results of an operation, one for each.
pub type Folded = SmallVec<[FoldResult; 1]>;

/// What may stand for the results of an operation, one for each; the
/// operation may then be erased, with its regions. `None` if nothing is known.
///
/// The operation is a verified one.
pub fn fold(ctx: &Context, body: &Body, op: OpId) -> Option<Folded> {
    let cx = FoldCx { ctx, body, op };
    let fold = body[op].name.def()?.fold?;
    let folded = poisoned(&cx)
        .or_else(|| fold(&cx))
        .or_else(|| wide::fold(&cx))
        .or_else(|| empty::fold(&cx))
        .or_else(|| formats::fold(&cx))?;
    // In code that nothing reaches, an operation may be its own operand.
    let is_own = |value: Value| body.defining_op(value) == Some(op);
    let own = |result: &FoldResult| matches!(*result, FoldResult::Value(value) if is_own(value));
    (!folded.iter().any(own)).then_some(folded)
}

/// Arithmetic on poison is poison, unless it chooses between its operands.
fn poisoned(cx: &FoldCx) -> Option<Folded> {
    let data = cx.data();
    let spreads = data.num_results() == 1
        && data.name.has(Traits::PURE.with(Traits::ELEMENTWISE))
        && !matches!(data.name, arith::SELECT | arith::CMPI | arith::CMPF);
    let poison = |value: &Value| cx.maker(*value, ub::POISON).is_some();
    (spreads && data.operands.iter().any(poison)).then(|| cx.attr(ub::poison_attr(cx.ctx)))?
}

/// A verified operation about to be folded.
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

    /// The operands; the verifier has counted them.
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

    /// The operation that defines a value, if it has this name.
    pub fn maker(&self, value: Value, name: OpName) -> Option<&'a OpData> {
        let op = self.body.defining_op(value)?;
        Some(&self.body[op]).filter(|data| data.name == name)
    }

    /// The attribute of a value that an operation such as `arith.constant`
    /// defines.
    pub fn constant_attr(&self, value: Value) -> Option<Attr> {
        constant_attr(self.ctx, self.body, value)
    }

    /// The numbers of a value that an operation such as `arith.constant`
    /// defines.
    pub fn constant(&self, value: Value) -> Option<Constant<'a>> {
        Constant::of(self.ctx, self.constant_attr(value)?)
    }

    /// The integer that a constant is, or that all its elements are,
    /// sign-extended.
    pub fn int(&self, value: Value) -> Option<i64> {
        let constant = self.constant(value)?;
        match constant.kind {
            ScalarKind::Int(width) => Some(crate::scalar::sext(constant.splat()?, width)),
            _ => None,
        }
    }

    /// Whether a value is an integer constant of this number in all elements;
    /// -1 has all bits set.
    pub fn is_int(&self, value: Value, number: i64) -> bool {
        self.constant(value).is_some_and(|c| match c.kind {
            ScalarKind::Int(width) => c.splat() == Some(mask(number as u64, width)),
            _ => false,
        })
    }

    /// Whether a value is a float constant of exactly this number in all
    /// elements; zeros differ by their sign.
    pub fn is_float(&self, value: Value, number: f64) -> bool {
        self.constant(value).is_some_and(|c| match c.kind {
            ScalarKind::Int(_) => false,
            kind => c.splat() == Some(kind.from_f64(number)),
        })
    }

    /// The float that a constant is, or that all its elements are, in whatever
    /// format, if `f64` holds it.
    pub fn float(&self, value: Value) -> Option<f64> {
        formats::number(self, value)
    }

    /// The class of the elements of a type.
    pub fn element_kind(&self, ty: Type) -> Option<ScalarKind> {
        crate::scalar::scalar_kind(self.ctx, ty.element(self.ctx).unwrap_or(ty))
    }

    /// The width of the integers of a type.
    pub fn int_width(&self, ty: Type) -> Option<u8> {
        match self.element_kind(ty)? {
            ScalarKind::Int(width) => Some(width),
            _ => None,
        }
    }

    /// The only result is this value.
    pub fn value(&self, value: Value) -> Option<Folded> {
        Some(smallvec![FoldResult::Value(value)])
    }

    /// The only result is a constant of its type, these bits in every element.
    pub fn splat(&self, bits: u64) -> Option<Folded> {
        self.elements(Some(Elements::Splat(bits)))
    }

    /// The only result is a constant of its type, if there are elements.
    pub fn elements(&self, elements: Option<Elements>) -> Option<Folded> {
        let result = elements?.into_result(self.ctx, self.result_type(0))?;
        Some(smallvec![result])
    }

    /// The only result is this attribute.
    pub fn attr(&self, attr: Attr) -> Option<Folded> {
        Some(smallvec![FoldResult::Constant(attr, self.result_type(0))])
    }
}

/// The attribute of a value that a constant-like operation defines.
pub fn constant_attr(ctx: &Context, body: &Body, value: Value) -> Option<Attr> {
    let data = &body[body.defining_op(value)?];
    if !data.name.has(Traits::CONSTANT_LIKE) {
        return None;
    }
    data.attr(ctx, "value")
}
