//! `expand-float-casts`: lowers the conversions of floats that scale, or round other than to the nearest even number.
//!
//! ```text
//!                                                       %e = arith.truncf %scale : f32 to f8E8M0FNU
//! %r = arith.scaling_extf %x, %scale              ⇒     %f = arith.extf %e : f8E8M0FNU to f32
//!     : f4E2M1FN, f32 to f32                            %w = arith.extf %x : f4E2M1FN to f32
//!                                                       %r = arith.mulf %w, %f : f32
//!
//! %r = arith.truncf %x toward_zero                ⇒     %n = arith.truncf %x : f32 to f16
//!     : f32 to f16                                      %r = |%n| > |%x| ? the number before %n : %n
//! ```
//!
//! The first is the definition of the operation in MLIR's `arith` dialect; `arith.scaling_truncf` divides by the scale and
//! truncates. The second steps to the neighbour of the nearest number where that lies on the wrong side. Magnitudes are
//! compared as integers, as which they have the same order, so that no subnormal number is flushed.
//!
//! Always legal. Modes of formats without infinities stay, and scales that are of less than 16 bits and no `f8E8M0FNU`:
//! nothing computes them.

use gridloom_dialects::arith::CmpIPredicate::{self, Sge, Slt, Ugt, Ult};
use gridloom_dialects::arith::{self, CmpIOp, RoundingMode, rounding_mode};
use gridloom_dialects::vector::VectorShape;
use gridloom_ir::fold::Elements;
use gridloom_ir::scalar::FloatFormat;
use gridloom_ir::types::{FloatKind, SpecialValues, Type};
use gridloom_ir::{Body, Builder, Context, OpId, Value};

/// Expands the conversions of a function. Returns whether there were any.
pub fn expand_float_casts(ctx: &Context, body: &mut Body) -> bool {
    let mut changed = false;
    let is_meant = |name| {
        matches!(
            name,
            arith::SCALING_EXTF | arith::SCALING_TRUNCF | arith::TRUNCF
        )
    };
    for op in body.walk_named(is_meant) {
        let result = match body[op].name {
            arith::SCALING_EXTF => scaled_extension(ctx, body, op),
            arith::SCALING_TRUNCF => scaled_truncation(ctx, body, op),
            arith::TRUNCF => directed_truncation(ctx, body, op),
            _ => None,
        };
        if let Some(result) = result {
            body.replace_op(op, &[result]);
            changed = true;
        }
    }
    changed
}

/// The format of a float, or of the elements of a vector.
fn format_of(ctx: &Context, ty: Type) -> Option<&'static FloatFormat> {
    let element = VectorShape::of(ctx, ty).map_or(ty, |vector| vector.element);
    FloatFormat::of(element.float_kind(ctx)?)
}

/// `element`, or a vector of it with the shape of `ty`.
fn like(ctx: &Context, ty: Type, element: Type) -> Type {
    VectorShape::of(ctx, ty).map_or(element, |vector| vector.with_element(ctx, element))
}

fn scaled_extension(ctx: &Context, body: &mut Body, op: OpId) -> Option<Value> {
    let [value, scale] = body[op].operands[..] else {
        return None;
    };
    let ty = body.ty(body[op].result(0));
    format_of(ctx, body.ty(value))?;
    let mut b = Builder::before(ctx, body, op);
    let scale = power_of_scale(&mut b, scale, ty)?;
    let wide = b.unary(arith::EXTF, &[value], ty);
    Some(b.binary(arith::MULF, wide, scale))
}

fn scaled_truncation(ctx: &Context, body: &mut Body, op: OpId) -> Option<Value> {
    let [value, scale] = body[op].operands[..] else {
        return None;
    };
    let (mode, ty) = (rounding_mode(ctx, &body[op]), body.ty(body[op].result(0)));
    let from = body.ty(value);
    if !can_round(mode, format_of(ctx, from)?, format_of(ctx, ty)?) {
        return None;
    }
    let mut b = Builder::before(ctx, body, op);
    let scale = power_of_scale(&mut b, scale, from)?;
    let quotient = b.binary(arith::DIVF, value, scale);
    truncated(&mut b, quotient, ty, mode)
}

/// The power of two that a scale rounds to, in the type `wide`.
fn power_of_scale(b: &mut Builder, scale: Value, wide: Type) -> Option<Value> {
    let (ty, to) = (b.body.ty(scale), format_of(b.ctx, wide)?);
    let from = format_of(b.ctx, ty)?;
    let is_power = from.ty == FloatKind::F8E8M0FNU;
    if to.bits() <= 8 || !is_power && from.bits() <= 8 {
        return None;
    }
    let power_type = like(b.ctx, ty, b.ctx.float_type(FloatKind::F8E8M0FNU));
    let power = match is_power {
        true => scale,
        false => b.unary(arith::TRUNCF, &[scale], power_type),
    };
    Some(b.unary(arith::EXTF, &[power], wide))
}

fn directed_truncation(ctx: &Context, body: &mut Body, op: OpId) -> Option<Value> {
    let mode = rounding_mode(ctx, &body[op]);
    let (value, ty) = (*body[op].operands.first()?, body.ty(body[op].result(0)));
    let is_expanded = mode != RoundingMode::ToNearestEven
        && can_round(mode, format_of(ctx, body.ty(value))?, format_of(ctx, ty)?);
    if !is_expanded {
        return None;
    }
    let mut b = Builder::before(ctx, body, op);
    truncated(&mut b, value, ty, mode)
}

/// Whether one format rounds to another by this mode. The patterns next to that of a number have to be the next numbers, with
/// infinity behind the greatest one.
fn can_round(mode: RoundingMode, from: &FloatFormat, to: &FloatFormat) -> bool {
    let formats = [from.special, to.special];
    mode == RoundingMode::ToNearestEven || formats == [SpecialValues::Ieee; 2]
}

/// `value` in the narrower type `ty`, rounded by a mode that [`can_round`] takes.
fn truncated(b: &mut Builder, value: Value, ty: Type, mode: RoundingMode) -> Option<Value> {
    let (wide, narrow) = (b.body.ty(value), format_of(b.ctx, ty)?);
    let source = format_of(b.ctx, wide)?;
    if mode == RoundingMode::ToNearestEven {
        return Some(b.unary(arith::TRUNCF, &[value], ty));
    }
    let nearest = b.unary(arith::TRUNCF, &[value], ty);
    let mut bits = Bits {
        wide: like(b.ctx, wide, b.ctx.int_type(source.bits())),
        b,
        source,
        float: wide,
    };
    let narrow_int = like(bits.b.ctx, ty, bits.b.ctx.int_type(narrow.bits()));
    let found = bits.b.unary(arith::BITCAST, &[nearest], narrow_int);
    let [exact, rounded] = [bits.magnitude(value), bits.of_narrow(nearest)];
    // By patterns of sign and magnitude: one less is towards zero, one more away from it.
    let steps: &[(i64, CmpIPredicate, Option<CmpIPredicate>)] = match mode {
        RoundingMode::TowardZero => &[(-1, Ugt, None)],
        RoundingMode::Downward => &[(-1, Ugt, Some(Sge)), (1, Ult, Some(Slt))],
        RoundingMode::Upward => &[(-1, Ugt, Some(Slt)), (1, Ult, Some(Sge))],
        RoundingMode::ToNearestAway | RoundingMode::ToNearestEven => &[(1, Ult, None)],
    };
    let infinity = bits.constant(bits.wide, source.kind.from_f64(f64::INFINITY));
    let is_number = bits.compare(CmpIPredicate::Ule, exact, infinity);
    let mut result = found;
    for &(by, side, sign) in steps {
        let by = bits.constant(narrow_int, by as u64);
        let neighbour = bits.b.binary(arith::ADDI, found, by);
        let is_beside = bits.compare(side, rounded, exact);
        let mut is_wrong = bits.and(is_number, is_beside);
        if let Some(sign) = sign {
            let zero = bits.constant(narrow_int, 0);
            let has_sign = bits.compare(sign, found, zero);
            is_wrong = bits.and(is_wrong, has_sign);
        }
        if mode == RoundingMode::ToNearestAway {
            let is_middle = bits.is_middle(exact, rounded, (neighbour, ty), narrow);
            is_wrong = bits.and(is_wrong, is_middle);
        }
        result = arith::select(bits.b, is_wrong, neighbour, result);
    }
    Some(bits.b.unary(arith::BITCAST, &[result], ty))
}

/// Builder of operations on the bits of floats.
struct Bits<'b, 'a> {
    b: &'b mut Builder<'a>,
    /// The format of the floats to round, their type, and that of their bits.
    source: &'static FloatFormat,
    float: Type,
    wide: Type,
}

impl Bits<'_, '_> {
    /// An integer constant; for a vector, one with these bits in each lane.
    fn constant(&mut self, ty: Type, bits: u64) -> Value {
        let constant = Elements::Splat(bits).into_attr(self.b.ctx, ty);
        // The bits of a float are an integer of 8 to 64 bits, or a vector of such with fixed extents.
        let constant = constant.expect("such a type has constants");
        self.b.constant(constant, ty)
    }

    fn compare(&mut self, predicate: CmpIPredicate, lhs: Value, rhs: Value) -> Value {
        CmpIOp::create(self.b, predicate, lhs, rhs)
    }

    fn and(&mut self, lhs: Value, rhs: Value) -> Value {
        self.b.binary(arith::ANDI, lhs, rhs)
    }

    /// The bits of a float of the wide format without its sign.
    fn magnitude(&mut self, value: Value) -> Value {
        let bits = self.b.unary(arith::BITCAST, &[value], self.wide);
        let below_sign = self.constant(self.wide, (1 << (self.source.bits() - 1)) - 1);
        self.b.binary(arith::ANDI, bits, below_sign)
    }

    /// The bits of a float of the narrow format as one of the wide format, without its sign.
    fn of_narrow(&mut self, value: Value) -> Value {
        let extended = self.b.unary(arith::EXTF, &[value], self.float);
        self.magnitude(extended)
    }

    /// Whether `exact` is in the middle between `rounded` and the number behind it, whose pattern is `next`, in the type `ty` of
    /// the format `narrow`. Patterns of the wide format are evenly spaced there, unless `rounded` is zero.
    fn is_middle(
        &mut self,
        exact: Value,
        rounded: Value,
        (next, ty): (Value, Type),
        narrow: &FloatFormat,
    ) -> Value {
        let next = self.b.unary(arith::BITCAST, &[next], ty);
        let next = self.of_narrow(next);
        let above = self.b.binary(arith::SUBI, next, exact);
        let below = self.b.binary(arith::SUBI, exact, rounded);
        let is_even = self.compare(CmpIPredicate::Eq, above, below);
        let half = narrow.kind.to_f64(1) / 2.0;
        let half = self.constant(self.wide, self.source.kind.from_f64(half));
        let is_half = self.compare(CmpIPredicate::Eq, exact, half);
        let zero = self.constant(self.wide, 0);
        let is_zero = self.compare(CmpIPredicate::Eq, rounded, zero);
        arith::select(self.b, is_zero, is_half, is_even)
    }
}
