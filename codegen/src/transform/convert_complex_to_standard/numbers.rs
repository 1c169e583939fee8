//! Operations of the `complex` dialect on the parts of their operands.

use gridloom_dialects::complex::{
    self, ADD, BITCAST, CONJ, CONSTANT, CREATE, EQ, IM, MUL, NEG, NEQ, RE, SUB,
};
use gridloom_dialects::{arith, inherent};
use gridloom_ir::scalar::FloatFormat;
use gridloom_ir::{Attr, Builder, OpId, OpName, Type, Value};

use super::Lowering;
use super::library::{resize, wide_kind};
use crate::transform::compound_elements::{Lowered, part};

/// Mask of the flags that the steps of an operation inherit: not those on NaN and infinity, which
/// may occur in intermediate steps, nor `reassoc`, which would undo the careful order of steps.
const OF_STEPS: u32 = 8 | 16 | 32 | 64;

impl Lowering<'_, '_> {
    /// Lowers an operation of the dialect, in front of it. The error is the reason why it cannot be
    /// lowered.
    pub(super) fn number(&mut self, b: &mut Builder, op: OpId) -> Result<Lowered, String> {
        let operands: Vec<Value> = b.body[op].operands.to_vec();
        let mut parts = Vec::new();
        for &operand in &operands {
            match self.parts_of(b.body, operand) {
                Some([real, imaginary]) => parts.extend([real, imaginary]),
                None => parts.push(operand),
            }
        }
        let name = b.body[op].name;
        let flags = b.body[op].get(b.ctx, inherent::FASTMATH);
        let both = |b: &mut Builder, how: OpName, of: &[[usize; 2]; 2]| {
            let values = of.map(|[x, y]| flagged(b, how, &[parts[x], parts[y]], flags));
            Ok(Lowered::Two(values))
        };
        match name {
            CREATE => Ok(Lowered::Two([parts[0], parts[1]])),
            RE => Ok(Lowered::One(parts[0])),
            IM => Ok(Lowered::One(parts[1])),
            CONSTANT => Ok(Lowered::Two(constant(b, op)?)),
            ADD => both(b, arith::ADDF, &[[0, 2], [1, 3]]),
            SUB => both(b, arith::SUBF, &[[0, 2], [1, 3]]),
            NEG => Ok(Lowered::Two(
                [0, 1].map(|at| flagged(b, arith::NEGF, &[parts[at]], flags)),
            )),
            CONJ => {
                let imaginary = flagged(b, arith::NEGF, &[parts[1]], flags);
                Ok(Lowered::Two([parts[0], imaginary]))
            }
            MUL => Ok(Lowered::Two(product(b, &parts, flags))),
            EQ | NEQ => Ok(Lowered::One(compare(b, name, &parts))),
            BITCAST => {
                let ty = b.body.ty(b.body[op].result(0));
                bitcast(b, &parts, ty)
            }
            _ => self.function(b, op, &parts),
        }
    }

    /// Clones the library function for an operation.
    fn function(&mut self, b: &mut Builder, op: OpId, parts: &[Value]) -> Result<Lowered, String> {
        let whole = b.ctx.op_name_str(b.body[op].name).to_owned();
        let name = whole.strip_prefix("complex.").unwrap_or_default();
        let ty = b.body.ty(parts[0]);
        let kind = ty.float_kind(b.ctx).and_then(wide_kind);
        let known = FUNCTIONS.contains(&name);
        let Some(kind) = kind.filter(|_| known) else {
            return Err(format!(
                "'{whole}' is computed for complex numbers of {}; convert the parts to one of these",
                FloatFormat::names()
            ));
        };
        let wide = b.ctx.float_type(kind);
        let exponent = parts
            .get(2)
            .and_then(|&n| b.body.ty(n).signless_width(b.ctx));
        if exponent.is_some_and(|width| !(2..=64).contains(&width)) {
            return Err(format!(
                "'{whole}' takes exponents of 2 to 64 bits; extend or truncate the exponent"
            ));
        }
        let mut given = Vec::new();
        for &value in parts {
            let is_float = b.body.ty(value).float_kind(b.ctx).is_some();
            given.push(if is_float {
                resize(b, value, wide)
            } else {
                value
            });
        }
        let flags = arith::fastmath_flags(b.ctx, &b.body[op]) & OF_STEPS;
        let flags = (flags != 0).then(|| arith::fastmath_attr(b.ctx, flags));
        let called = (name, kind, exponent.unwrap_or(32));
        let results = self.rules.library.expand(b, called, &given, flags);
        let results: Vec<Value> = (results.into_iter())
            .map(|value| resize(b, value, ty))
            .collect();
        match results[..] {
            [number] => Ok(Lowered::One(number)),
            [real, imaginary] => Ok(Lowered::Two([real, imaginary])),
            _ => Err(format!("'{whole}' has no function in the library")),
        }
    }
}

/// The library functions, one for each operation without a lowering of its own.
pub(super) const FUNCTIONS: [&str; 17] = [
    "abs", "angle", "atan2", "cos", "div", "exp", "expm1", "log", "log1p", "pow", "powi", "rsqrt",
    "sign", "sin", "sqrt", "tan", "tanh",
];

/// Creates an operation of one result with these flags; the operands have the result's type.
fn flagged(b: &mut Builder, name: OpName, operands: &[Value], flags: Option<Attr>) -> Value {
    let ty = b.body.ty(operands[0]);
    let mut state = b.state(name).operands(operands).results(&[ty]);
    if let Some(flags) = flags {
        state = state.property(b.ctx, inherent::FASTMATH, flags);
    }
    let op = b.create(state);
    b.body[op].result(0)
}

/// Emits the product `(ac - bd) + (bc + ad) i`.
fn product(b: &mut Builder, parts: &[Value], flags: Option<Attr>) -> [Value; 2] {
    let times =
        |b: &mut Builder, x: usize, y: usize| flagged(b, arith::MULF, &[parts[x], parts[y]], flags);
    let (ac, bd) = (times(b, 0, 2), times(b, 1, 3));
    let real = flagged(b, arith::SUBF, &[ac, bd], flags);
    let (bc, ad) = (times(b, 1, 2), times(b, 0, 3));
    let imaginary = flagged(b, arith::ADDF, &[bc, ad], flags);
    [real, imaginary]
}

/// Emits the comparison of both parts: equal where both are, unequal where one differs or is NaN.
fn compare(b: &mut Builder, name: OpName, parts: &[Value]) -> Value {
    let (predicate, join) = match name {
        complex::EQ => (arith::CmpFPredicate::Oeq, arith::ANDI),
        _ => (arith::CmpFPredicate::Une, arith::ORI),
    };
    let real = arith::CmpFOp::create(b, predicate, parts[0], parts[2]);
    let imaginary = arith::CmpFOp::create(b, predicate, parts[1], parts[3]);
    b.binary(join, real, imaginary)
}

fn constant(b: &mut Builder, op: OpId) -> Result<[Value; 2], String> {
    let value = b.body[op].get(b.ctx, inherent::VALUE);
    let parts = value.and_then(|value| value.as_array(b.ctx));
    let ty = part(b.ctx, b.body.ty(b.body[op].result(0)));
    match (parts, ty) {
        (Some(&[real, imaginary]), Some(ty)) => {
            Ok([b.constant(real, ty), b.constant(imaginary, ty)])
        }
        _ => Err("'complex.constant' has no two parts".to_owned()),
    }
}

/// Lowers a bitcast: the complex number as one integer, with the real part in the low half.
fn bitcast(b: &mut Builder, parts: &[Value], ty: Type) -> Result<Lowered, String> {
    let ctx = b.ctx;
    let bits_of = |ty: Type| {
        ty.float_kind(ctx)
            .map(|kind| kind.width())
            .or(ty.signless_width(ctx))
    };
    let unknown = || "'complex.bitcast' is lowered for floats and signless integers".to_owned();
    let half_type = part(ctx, ty).unwrap_or(b.body.ty(parts[0]));
    let half = bits_of(half_type).ok_or_else(unknown)?;
    let (narrow, wide) = (ctx.int_type(half), ctx.int_type(2 * half));
    if part(ctx, ty).is_none() && bits_of(ty) != Some(2 * half) {
        return Err(unknown());
    }
    if let &[real, imaginary] = parts {
        let [low, high] = [real, imaginary].map(|value| {
            let bits = reinterpret(b, value, narrow);
            b.unary(arith::EXTUI, &[bits], wide)
        });
        let shift = b.constant(ctx.int_attr(wide, i64::from(half)), wide);
        let high = b.binary(arith::SHLI, high, shift);
        let bits = b.binary(arith::ORI, low, high);
        return Ok(Lowered::One(reinterpret(b, bits, ty)));
    }
    let bits = reinterpret(b, parts[0], wide);
    let shift = b.constant(ctx.int_attr(wide, i64::from(half)), wide);
    let above = b.binary(arith::SHRUI, bits, shift);
    let halves = [bits, above].map(|bits| {
        let bits = b.unary(arith::TRUNCI, &[bits], narrow);
        reinterpret(b, bits, half_type)
    });
    Ok(Lowered::Two(halves))
}

/// Emits `arith.bitcast`, unless the type is the same.
fn reinterpret(b: &mut Builder, value: Value, ty: Type) -> Value {
    if b.body.ty(value) == ty {
        return value;
    }
    b.unary(arith::BITCAST, &[value], ty)
}
