//! Old `constant`, comparisons and `select`.

use super::emit::{Emit, Parts};
use crate::arith::{CMPF_PREDICATE, CMPI_PREDICATE, bool_like};
use gridloom_ir::attr::{Attr, AttrKind, Int};
use gridloom_ir::context::Context;
use gridloom_ir::op::EnumDef;
use gridloom_ir::scalar::{decode_float, encode_float};
use gridloom_ir::text::PResult;
use gridloom_ir::text::Tok;
use gridloom_ir::types::{Type, TypeKind};

/// `constant 42 : i32`, `constant @f : (i32) -> i32`
pub(super) fn custom_constant(e: &mut Emit<'_, '_>) -> PResult<()> {
    if !e.p.at(Tok::At) {
        return e.today("arith.constant");
    }
    let value = e.p.symbol_ref()?;
    e.p.expect(Tok::Colon)?;
    let ty = e.p.ty()?;
    e.end_of_text()?;
    e.result_op("func.constant", &[], &[ty], &[("value", value)])
}

/// `"constant"() {value: 42} : () -> i32`
pub(super) fn generic_constant(e: &mut Emit<'_, '_>, mut parts: Parts) -> PResult<()> {
    let ctx = e.ctx();
    let (Some(value), [ty]) = (parts.take(ctx, "value"), &parts.results[..]) else {
        return Err(e.error("a constant has the attribute `value` and one result"));
    };
    let mut attrs = e.named(&parts.attrs);
    if matches!(value.kind(ctx), AttrKind::Symbol { .. }) {
        attrs.push(("value", value));
        return e.result_op("func.constant", &parts.operands, &[*ty], &attrs);
    }
    attrs.push(("value", retyped(ctx, value, *ty)));
    e.result_op("arith.constant", &parts.operands, &[*ty], &attrs)
}

/// Retypes a number written without a type to that of the result; one that does not fit stays for
/// the verifier to refuse.
fn retyped(ctx: &Context, value: Attr, ty: Type) -> Attr {
    match value.kind(ctx) {
        AttrKind::Integer {
            ty: own,
            value: Int::Small(number),
        } if *own == ctx.int_type(64) => match in_width(ctx, *number, ty) {
            Some(number) => ctx.intern_attr(AttrKind::Integer {
                ty,
                value: Int::Small(number),
            }),
            None => value,
        },
        AttrKind::Float { ty: own, bits } => {
            let number = own
                .float_kind(ctx)
                .and_then(|kind| decode_float(kind, *bits));
            let bits = ty.float_kind(ctx).zip(number);
            match bits.and_then(|(kind, number)| encode_float(kind, number)) {
                Some(bits) => ctx.intern_attr(AttrKind::Float { ty, bits }),
                None => value,
            }
        }
        _ => value,
    }
}

/// Wraps a number to the two's complement of an integer type, if it fits.
fn in_width(ctx: &Context, number: i128, ty: Type) -> Option<i128> {
    let width = match ty.kind(ctx) {
        TypeKind::Integer { width, .. } => *width,
        TypeKind::Index => 64,
        _ => return None,
    };
    match width {
        0 => None,
        // `true` is 1.
        1 => (-1..=1).contains(&number).then_some(number & 1),
        2..=64 => {
            let range = -(1i128 << (width - 1))..1i128 << width;
            let unused = 128 - width;
            range.contains(&number).then(|| number << unused >> unused)
        }
        _ => Some(number),
    }
}

pub(super) fn custom_cmpi(e: &mut Emit<'_, '_>) -> PResult<()> {
    custom_compare(e, "arith.cmpi", &CMPI_PREDICATE)
}

pub(super) fn custom_cmpf(e: &mut Emit<'_, '_>) -> PResult<()> {
    custom_compare(e, "arith.cmpf", &CMPF_PREDICATE)
}

/// `cmpi "slt", %a, %b : i32`, with or without the quotes.
fn custom_compare(e: &mut Emit<'_, '_>, name: &str, predicates: &EnumDef) -> PResult<()> {
    let token = e.p.tok;
    let word = match token.kind {
        Tok::String => e.p.utf8_string("a comparison predicate")?,
        _ => e.ctx().ident(e.p.expect_bare("a comparison predicate")?),
    };
    let word = e.ctx().str(word);
    let Some((_, value)) = predicates.cases.iter().find(|(case, _)| *case == word) else {
        let known: Vec<_> = predicates.cases.iter().map(|(case, _)| *case).collect();
        let message = format!(
            "`{word}` is not a predicate; known are {}",
            known.join(", ")
        );
        return Err(e.p.error_on(token, message));
    };
    e.p.expect(Tok::Comma)?;
    let left = e.p.operand()?;
    e.p.expect(Tok::Comma)?;
    let right = e.p.operand()?;
    let attrs = e.attrs()?;
    e.p.expect(Tok::Colon)?;
    let ty = e.p.ty()?;
    let operands = [e.p.resolve(left, ty)?, e.p.resolve(right, ty)?];
    e.end_of_text()?;
    let mut attrs = e.named(&attrs);
    attrs.push(("predicate", e.ctx().i64_attr(*value)));
    let result = bool_like(e.ctx(), ty);
    e.result_op(name, &operands, &[result], &attrs)
}

pub(super) fn generic_cmpi(e: &mut Emit<'_, '_>, parts: Parts) -> PResult<()> {
    generic_compare(e, parts, "arith.cmpi", &CMPI_PREDICATE)
}

pub(super) fn generic_cmpf(e: &mut Emit<'_, '_>, parts: Parts) -> PResult<()> {
    generic_compare(e, parts, "arith.cmpf", &CMPF_PREDICATE)
}

/// `"cmpi"(%a, %b) {predicate: 2} : (i32, i32) -> i1`
fn generic_compare(
    e: &mut Emit<'_, '_>,
    mut parts: Parts,
    name: &str,
    predicates: &EnumDef,
) -> PResult<()> {
    let predicate = parts.take(e.ctx(), "predicate");
    let value = predicate.and_then(|p| p.as_i64(e.ctx()));
    let Some(value) = value.filter(|v| predicates.cases.iter().any(|case| case.1 == *v)) else {
        let last = predicates.cases.len() - 1;
        let message = format!("this needs the attribute `predicate`, a number from 0 to {last}");
        return Err(e.error(message));
    };
    let mut attrs = e.named(&parts.attrs);
    attrs.push(("predicate", e.ctx().i64_attr(value)));
    e.result_op(name, &parts.operands, &parts.results, &attrs)
}

/// `select %cond, %a, %b : type`: the condition is one `i1`, or has the shape of the values.
pub(super) fn custom_select(e: &mut Emit<'_, '_>) -> PResult<()> {
    let condition = e.p.operand()?;
    e.p.expect(Tok::Comma)?;
    let left = e.p.operand()?;
    e.p.expect(Tok::Comma)?;
    let right = e.p.operand()?;
    let attrs = e.attrs()?;
    e.p.expect(Tok::Colon)?;
    let mut ty = e.p.ty()?;
    let bool = e.ctx().bool_type();
    let condition_type = if e.p.eat(Tok::Comma) {
        std::mem::replace(&mut ty, e.p.ty()?)
    } else if e.p.type_if_defined(condition) == Some(bool) {
        bool
    } else {
        bool_like(e.ctx(), ty)
    };
    let operands = [
        e.p.resolve(condition, condition_type)?,
        e.p.resolve(left, ty)?,
        e.p.resolve(right, ty)?,
    ];
    e.end_of_text()?;
    let attrs = e.named(&attrs);
    e.result_op("arith.select", &operands, &[ty], &attrs)
}

pub(super) fn generic_select(e: &mut Emit<'_, '_>, parts: Parts) -> PResult<()> {
    let attrs = e.named(&parts.attrs);
    e.result_op("arith.select", &parts.operands, &parts.results, &attrs)
}
