//! What single operations compute from constants.

use gridloom_ir::attr::{AttrKind, Int};
use gridloom_ir::dialect::arith::{self, CmpIPredicate};
use gridloom_ir::dialect::{affine, memref};
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{Attr, Body, Context, OpId, Type, Value};

/// What stands for a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Folded {
    /// Another value.
    Value(Value),
    /// A constant of the result's type.
    Constant(Attr),
}

/// The one result of an operation, if it is a constant or another value.
/// Floats are left to run time: there, the rounding is the device's.
pub fn fold(ctx: &Context, body: &Body, op: OpId) -> Option<Folded> {
    let data = &body[op];
    if data.num_results() != 1 {
        return None;
    }
    let ty = body.ty(data.result(0));
    let operands = &data.operands;
    let int = |index: usize| arith::constant_int(ctx, body, operands[index]);
    match data.name {
        affine::APPLY | affine::MIN | affine::MAX => fold_map(ctx, body, op),
        memref::DIM => {
            let dim = usize::try_from(int(1)?).ok()?;
            let extent = *body.ty(operands[0]).memref(ctx)?.shape.get(dim)?;
            (extent != DYNAMIC).then(|| Folded::Constant(ctx.index_attr(extent)))
        }
        arith::SELECT => match (int(0), operands[1] == operands[2]) {
            (_, true) | (Some(1), _) => Some(Folded::Value(operands[1])),
            (Some(0), _) => Some(Folded::Value(operands[2])),
            _ => None,
        },
        arith::CMPI => {
            let predicate = CmpIPredicate::from_value(data.attr(ctx, "predicate")?.as_i64(ctx)?)?;
            let width = width(ctx, body.ty(operands[0]))?;
            let holds = compare(predicate, int(0)?, int(1)?, width);
            Some(Folded::Constant(ctx.bool_attr(holds)))
        }
        arith::INDEX_CAST => {
            let value = int(0)?;
            let to = width(ctx, ty)?.min(width(ctx, body.ty(operands[0]))?);
            constant(ctx, ty, wrap(value.into(), to))
        }
        name => {
            let width = width(ctx, ty)?;
            let (left, right) = match operands[..] {
                [_, _] => (int(0), int(1)),
                _ => return None,
            };
            if let (Some(left), Some(right)) = (left, right) {
                // `i1` constants are 0 and 1: right for arithmetic modulo 2 only.
                let is_modular = matches!(
                    name,
                    arith::ADDI
                        | arith::SUBI
                        | arith::MULI
                        | arith::ANDI
                        | arith::ORI
                        | arith::XORI
                );
                if width == 1 && !is_modular {
                    return None;
                }
                return constant(ctx, ty, wrap(binary(name, left, right)?, width));
            }
            identity(name, operands, left, right, width)
        }
    }
}

/// `x + 0`, `x * 1`, `x and true` and the like.
fn identity(
    name: gridloom_ir::OpName,
    operands: &[Value],
    left: Option<i64>,
    right: Option<i64>,
    width: u32,
) -> Option<Folded> {
    let (x, y) = (Folded::Value(operands[0]), Folded::Value(operands[1]));
    // `i1` attributes hold 1 for all bits set.
    let ones = if width == 1 { 1 } else { -1 };
    match (name, left, right) {
        (arith::ADDI | arith::SUBI | arith::ORI | arith::XORI, _, Some(0)) => Some(x),
        (arith::ADDI | arith::ORI | arith::XORI, Some(0), _) => Some(y),
        (arith::MULI | arith::DIVSI | arith::DIVUI, _, Some(1)) if width > 1 => Some(x),
        (arith::MULI, Some(1), _) => Some(y),
        (arith::ANDI, _, Some(bits)) if bits == ones => Some(x),
        (arith::ANDI, Some(bits), _) if bits == ones => Some(y),
        (arith::MINSI | arith::MAXSI | arith::ANDI | arith::ORI, _, _)
            if operands[0] == operands[1] =>
        {
            Some(x)
        }
        _ => None,
    }
}

/// The exact result, before it is wrapped to the width. `None` where run time
/// would fault or this does not know.
fn binary(name: gridloom_ir::OpName, left: i64, right: i64) -> Option<i128> {
    let (a, b) = (i128::from(left), i128::from(right));
    Some(match name {
        arith::ADDI => a + b,
        arith::SUBI => a - b,
        arith::MULI => a * b,
        arith::MINSI => a.min(b),
        arith::MAXSI => a.max(b),
        arith::ANDI => a & b,
        arith::ORI => a | b,
        arith::XORI => a ^ b,
        // A quotient that leaves the type is undefined there; it stays.
        arith::DIVSI if b > 0 => a / b,
        arith::REMSI if b > 0 => a % b,
        arith::FLOORDIVSI if b > 0 => a.div_euclid(b),
        _ => return None,
    })
}

fn compare(predicate: CmpIPredicate, left: i64, right: i64, width: u32) -> bool {
    use CmpIPredicate as P;
    // `i1` constants are stored as 0 and 1; as signed numbers they are 0 and -1.
    let signed = |value: i64| if width == 1 { -value } else { value };
    let unsigned = |value: i64| match width {
        64.. => value as u64,
        _ => value as u64 & ((1 << width) - 1),
    };
    let (s, t) = (signed(left), signed(right));
    let (u, v) = (unsigned(left), unsigned(right));
    match predicate {
        P::Eq => left == right,
        P::Ne => left != right,
        P::Slt => s < t,
        P::Sle => s <= t,
        P::Sgt => s > t,
        P::Sge => s >= t,
        P::Ult => u < v,
        P::Ule => u <= v,
        P::Ugt => u > v,
        P::Uge => u >= v,
    }
}

fn fold_map(ctx: &Context, body: &Body, op: OpId) -> Option<Folded> {
    let map = body[op].attr(ctx, "map")?.as_map(ctx)?;
    let operands = &body[op].operands;
    let (dims, symbols) = operands.split_at_checked(map.num_dims(ctx))?;
    let exprs = |values: &[Value], make: &dyn Fn(u32) -> gridloom_ir::AffineExpr| {
        let each = (0..)
            .zip(values)
            .map(|(i, &v)| match arith::constant_int(ctx, body, v) {
                Some(number) => ctx.affine_const(number),
                None => make(i),
            });
        each.collect::<Vec<_>>()
    };
    let dim_exprs = exprs(dims, &|i| ctx.affine_dim(i));
    let symbol_exprs = exprs(symbols, &|i| ctx.affine_symbol(i));
    let results = map
        .results(ctx)
        .iter()
        .map(|r| r.replace(ctx, &dim_exprs, &symbol_exprs));
    let results: Vec<_> = results.collect();
    let constants: Option<Vec<i64>> = results.iter().map(|r| r.as_constant(ctx)).collect();
    let best = constants.and_then(|values| match body[op].name {
        affine::MAX => values.into_iter().max(),
        _ => values.into_iter().min(),
    });
    if let Some(value) = best {
        return Some(Folded::Constant(ctx.index_attr(value)));
    }
    use gridloom_ir::affine::AffineExprKind::{Dim, Symbol};
    match results[..] {
        [one] => match one.kind(ctx) {
            Dim(i) => Some(Folded::Value(dims[i as usize])),
            Symbol(i) => Some(Folded::Value(symbols[i as usize])),
            _ => None,
        },
        _ => None,
    }
}

/// Width in bits of a signless integer or index type this folds.
fn width(ctx: &Context, ty: Type) -> Option<u32> {
    match ty.is_index(ctx) {
        true => Some(64),
        false => ty.signless_width(ctx).filter(|w| (1..=64).contains(w)),
    }
}

fn constant(ctx: &Context, ty: Type, value: i128) -> Option<Folded> {
    let value = if ty == ctx.bool_type() {
        value & 1
    } else {
        value
    };
    let value = Int::Small(value);
    Some(Folded::Constant(
        ctx.intern_attr(AttrKind::Integer { ty, value }),
    ))
}

/// The low `width` bits, sign-extended.
fn wrap(value: i128, width: u32) -> i128 {
    let shift = 128 - width;
    (value << shift) >> shift
}
