//! Footprints: the address ranges of memrefs, as host arithmetic.
//!
//! ```text
//! %p = memref.extract_aligned_pointer_as_index %a
//! %b, %o, %n, %s = memref.extract_strided_metadata %a     // where the type leaves them open
//! start = %p + bytes * (%o + Σ min(0, (%n - 1) * %s))
//! end   = %p + bytes * (%o + Σ max(0, (%n - 1) * %s) + 1)
//! ```
//!
//! Two memrefs are disjoint if one ends where the other starts, or before. A
//! layout that the type does not bound, such as an unknown one of unknown
//! sizes, has no footprint.

use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::memref;
use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::scalar::scalar_kind;
use gridloom_ir::types::{DYNAMIC, MemRefType};
use gridloom_ir::{AffineExpr, AffineMap, Builder, Context, OpName, Value};

/// Limit of the distance between the first and the last element of a memref: 2^45 elements of 8
/// bytes are the 48 bits of an address space. A larger footprint counts as not fitting, so that no
/// sum or product here can overflow.
const MAX_REACH: i64 = 1 << 45;

/// The addresses of a memref, computed on the host.
pub struct Footprint {
    /// The first byte, and the first byte after the last.
    start: Value,
    end: Value,
    /// Whether sizes and strides are small enough for the range to be right; `None` where the type
    /// guarantees it.
    fits: Option<Value>,
}

/// Positions of elements, counted from the aligned base.
enum Positions {
    /// The least position, and the one after the greatest, known from the type.
    Known(i64, i64),
    /// Positions that follow from sizes and strides at run time.
    Strided,
}

/// Whether the footprint of every memref of a type can be computed.
pub fn has_footprint(ctx: &Context, ty: &MemRefType) -> bool {
    element_bytes(ctx, ty).is_some() && positions(ctx, ty).is_some()
}

/// Emits the footprint of a memref; `None` if its type has none.
pub fn emit_footprint(b: &mut Builder, memref: Value) -> Option<Footprint> {
    let ctx = b.ctx;
    let ty = b.body.ty(memref).memref(ctx)?.clone();
    let bytes = element_bytes(ctx, &ty)?;
    let positions = positions(ctx, &ty)?;
    let pointer = memref::EXTRACT_ALIGNED_POINTER_AS_INDEX;
    let pointer = Amount::Value(b.unary(pointer, &[memref], ctx.index_type()));
    let (low, high, limits) = match positions {
        Positions::Known(low, high) => (Amount::Known(low), Amount::Known(high), Limits::default()),
        Positions::Strided => strided_positions(b, memref, &ty),
    };
    let mut ends = [low, high].map(|position| {
        let distance = combine(b, arith::MULI, position, Amount::Known(bytes));
        combine(b, arith::ADDI, pointer, distance)
    });
    if let Some(empty) = limits.is_empty {
        // A memref without elements overlaps nothing.
        let zero = b.index_constant(0);
        ends = ends.map(|end| {
            let end = end.value(b);
            Amount::Value(arith::select(b, empty, zero, end))
        });
    }
    let fits = match (limits.fits, limits.is_empty) {
        (Some(fits), Some(empty)) => Some(b.binary(arith::ORI, fits, empty)),
        (fits, _) => fits,
    };
    let [start, end] = ends.map(|end| end.value(b));
    Some(Footprint { start, end, fits })
}

impl Footprint {
    /// Emits whether two memrefs share no byte.
    pub fn is_disjoint_from(&self, b: &mut Builder, other: &Footprint) -> Value {
        let before = CmpIOp::create(b, CmpIPredicate::Sle, self.end, other.start);
        let behind = CmpIOp::create(b, CmpIPredicate::Sle, other.end, self.start);
        b.binary(arith::ORI, before, behind)
    }

    /// The run-time test that the footprint is right, if one is needed.
    pub fn fits(&self) -> Option<Value> {
        self.fits
    }
}

fn element_bytes(ctx: &Context, ty: &MemRefType) -> Option<i64> {
    i64::try_from(scalar_kind(ctx, ty.element)?.size()).ok()
}

fn positions(ctx: &Context, ty: &MemRefType) -> Option<Positions> {
    let is_static = ty.has_static_shape();
    match ty.strided_form(ctx) {
        Some((offset, strides))
            if is_static && offset != DYNAMIC && !strides.contains(&DYNAMIC) =>
        {
            known_positions(offset, &ty.shape, &strides)
        }
        Some(_) if ty.is_strided(ctx) => Some(Positions::Strided),
        _ if is_static => mapped_positions(ctx, ty.layout?.as_map(ctx)?, &ty.shape),
        _ => None,
    }
}

fn known_positions(offset: i64, shape: &[i64], strides: &[i64]) -> Option<Positions> {
    let (mut low, mut high) = (i128::from(offset), i128::from(offset));
    for (&size, &stride) in shape.iter().zip(strides) {
        let reach = i128::from((size - 1).max(0)) * i128::from(stride);
        *(if reach < 0 { &mut low } else { &mut high }) += reach;
    }
    bounded(low, high)
}

/// Positions of a static shape under a layout map of any kind: its results
/// index a row-major array that is just large enough.
fn mapped_positions(ctx: &Context, map: AffineMap, shape: &[i64]) -> Option<Positions> {
    let mut count = 1i128;
    for &result in map.results(ctx) {
        let (low, high) = interval(ctx, result, shape, 0)?;
        if low < 0 {
            return None;
        }
        count = count.checked_mul(high + 1)?;
    }
    bounded(0, count - 1)
}

fn bounded(low: i128, last: i128) -> Option<Positions> {
    let (low, last) = (i64::try_from(low).ok()?, i64::try_from(last).ok()?);
    let is_small = |position: i64| position.unsigned_abs() <= MAX_REACH.unsigned_abs();
    (is_small(low) && is_small(last)).then_some(Positions::Known(low, last + 1))
}

/// Depth limit of layout expressions; deeper ones have no bounds.
const MAX_DEPTH: usize = 100;

/// Bounds of an expression over the indices of a shape.
pub(crate) fn interval(
    ctx: &Context,
    expr: AffineExpr,
    shape: &[i64],
    depth: usize,
) -> Option<(i128, i128)> {
    if depth > MAX_DEPTH {
        return None;
    }
    let AffineExprKind::Binary(op, left, right) = expr.kind(ctx) else {
        return match expr.kind(ctx) {
            AffineExprKind::Constant(value) => Some((value.into(), value.into())),
            AffineExprKind::Dim(dim) => {
                let &size = shape.get(dim as usize)?;
                Some((0, i128::from((size - 1).max(0))))
            }
            _ => None,
        };
    };
    let (low, high) = interval(ctx, left, shape, depth + 1)?;
    if op == AffineOp::Add {
        let (more, most) = interval(ctx, right, shape, depth + 1)?;
        return Some((low.checked_add(more)?, high.checked_add(most)?));
    }
    let factor = i128::from(right.as_constant(ctx)?);
    match op {
        AffineOp::Mul => {
            let (x, y) = (low.checked_mul(factor)?, high.checked_mul(factor)?);
            Some((x.min(y), x.max(y)))
        }
        _ if factor <= 0 => None,
        AffineOp::Mod if low >= 0 && high < factor => Some((low, high)),
        AffineOp::Mod => Some((0, factor - 1)),
        AffineOp::FloorDiv => Some((low.div_euclid(factor), high.div_euclid(factor))),
        _ => {
            let ceil = |value: i128| -((-value).div_euclid(factor));
            Some((ceil(low), ceil(high)))
        }
    }
}

/// Run-time tests of sizes and strides.
#[derive(Default)]
struct Limits {
    fits: Option<Value>,
    is_empty: Option<Value>,
}

impl Limits {
    fn require(&mut self, b: &mut Builder, holds: Value) {
        self.fits = Some(match self.fits {
            Some(fits) => b.binary(arith::ANDI, fits, holds),
            None => holds,
        });
    }
}

/// Emits the least position and the one after the greatest, from the run-time sizes and strides of
/// a memref.
fn strided_positions(b: &mut Builder, memref: Value, ty: &MemRefType) -> (Amount, Amount, Limits) {
    let ctx = b.ctx;
    let (offset, strides) = ty.strided_form(ctx).unwrap_or_default();
    let rank = ty.rank();
    let base = gridloom_ir::TypeKind::MemRef(MemRefType {
        shape: Default::default(),
        layout: None,
        ..ty.clone()
    });
    let mut types = vec![ctx.index_type(); 2 + 2 * rank];
    types[0] = ctx.intern_type(base);
    let metadata = b.state(memref::EXTRACT_STRIDED_METADATA);
    let metadata = b.create(metadata.operands(&[memref]).results(&types));
    let read: Vec<Value> = b.body[metadata].results().collect();
    let amount = |known: i64, position: usize| match known {
        DYNAMIC => Amount::Value(read[position]),
        known => Amount::Known(known),
    };

    let mut limits = Limits::default();
    let offset = amount(offset, 1);
    at_most(b, &mut limits, offset, Amount::Known(MAX_REACH));
    let (mut low, mut high) = (offset, offset);
    for (dim, (&size, &stride)) in ty.shape.iter().zip(&strides).enumerate() {
        let (size, stride) = (amount(size, 2 + dim), amount(stride, 2 + rank + dim));
        let last = combine(b, arith::SUBI, size, Amount::Known(1));
        if let Amount::Value(size) = size {
            let zero = b.index_constant(0);
            let empty = CmpIOp::create(b, CmpIPredicate::Eq, size, zero);
            limits.is_empty = Some(match limits.is_empty {
                Some(other) => b.binary(arith::ORI, other, empty),
                None => empty,
            });
        }
        let width = magnitude(b, stride);
        let most = combine(b, arith::DIVSI, Amount::Known(MAX_REACH), width);
        at_most(b, &mut limits, last, most);
        let reach = combine(b, arith::MULI, last, stride);
        // A stride of known sign moves one end only.
        match stride {
            Amount::Known(0..) => high = combine(b, arith::ADDI, high, reach),
            Amount::Known(_) => low = combine(b, arith::ADDI, low, reach),
            Amount::Value(_) => {
                let down = combine(b, arith::MINSI, reach, Amount::Known(0));
                let up = combine(b, arith::MAXSI, reach, Amount::Known(0));
                low = combine(b, arith::ADDI, low, down);
                high = combine(b, arith::ADDI, high, up);
            }
        }
    }
    let behind = combine(b, arith::ADDI, high, Amount::Known(1));
    (low, behind, limits)
}

/// Emits the absolute value of a stride, but at least 1.
fn magnitude(b: &mut Builder, stride: Amount) -> Amount {
    let negated = combine(b, arith::SUBI, Amount::Known(0), stride);
    let wide = combine(b, arith::MAXSI, stride, negated);
    combine(b, arith::MAXSI, wide, Amount::Known(1))
}

/// Requires `0 <= amount <= most`.
fn at_most(b: &mut Builder, limits: &mut Limits, amount: Amount, most: Amount) {
    if let (Amount::Known(amount), Amount::Known(most)) = (amount, most)
        && (0..=most).contains(&amount)
    {
        return;
    }
    let (amount, most) = (amount.value(b), most.value(b));
    let holds = CmpIOp::create(b, CmpIPredicate::Ule, amount, most);
    limits.require(b, holds);
}

/// Amount: a constant, or a value on the host.
#[derive(Clone, Copy)]
enum Amount {
    Known(i64),
    Value(Value),
}

impl Amount {
    fn value(self, b: &mut Builder) -> Value {
        match self {
            Amount::Known(value) => b.index_constant(value),
            Amount::Value(value) => value,
        }
    }
}

/// Folds `left op right` if both are constants and the result fits, else emits it.
fn combine(b: &mut Builder, op: OpName, left: Amount, right: Amount) -> Amount {
    use Amount::{Known, Value};
    let folded = match (left, right) {
        (Known(x), Known(y)) => match op {
            arith::ADDI => x.checked_add(y),
            arith::SUBI => x.checked_sub(y),
            arith::MULI => x.checked_mul(y),
            arith::DIVSI => x.checked_div(y),
            arith::MINSI => Some(x.min(y)),
            arith::MAXSI => Some(x.max(y)),
            _ => None,
        },
        (Value(_), Known(0)) if matches!(op, arith::ADDI | arith::SUBI) => return left,
        (Known(0), Value(_)) if op == arith::ADDI => return right,
        (Value(_), Known(1)) if matches!(op, arith::MULI | arith::DIVSI) => return left,
        _ => None,
    };
    match folded {
        Some(value) => Known(value),
        None => {
            let (left, right) = (left.value(b), right.value(b));
            Value(b.binary(op, left, right))
        }
    }
}
