//! Hand-written custom forms of the `memref` dialect.

use crate::func::form::{parse_visibility_string, print_visibility_string};
use gridloom_ir::attr::AttrKind;
use gridloom_ir::body::{Body, OpId};
use gridloom_ir::context::Context;
use gridloom_ir::text::{
    Delimiter, OpParser, OpPrinter, Operand, Operands, ParseFailed, Tok, type_string,
};
use gridloom_ir::types::{Type, TypeKind};

use super::ALLOCA_SCOPE_RETURN;

type Parsed<T = ()> = Result<T, ParseFailed>;

/// `memref.global "private" constant @name : memref<…> = dense<…>`
pub(super) fn parse_global(p: &mut OpParser<'_, '_>) -> Parsed {
    let ctx = p.ctx();
    parse_visibility_string(p)?;
    if p.eat_keyword("constant") {
        p.set_property("constant", ctx.unit_attr());
    }
    let name = p.symbol_name()?;
    p.set_property("sym_name", ctx.string_attr(ctx.str(name)));
    p.expect(Tok::Colon)?;
    let place = p.place();
    let ty = p.ty()?;
    let Some(memref) = ty.memref(ctx).filter(|m| m.has_static_shape()) else {
        let shown = type_string(ctx, ty);
        let message = format!("type should be static shaped memref, but got '{shown}'");
        return Err(p.error_at(place, message));
    };
    p.set_property("type", ctx.type_attr(ty));
    if p.eat(Tok::Equal) {
        let value = if p.eat_keyword("uninitialized") {
            ctx.unit_attr()
        } else {
            let tensor = ctx.intern_type(TypeKind::RankedTensor {
                shape: memref.shape.clone(),
                element: memref.element,
                encoding: None,
            });
            let value = p.attribute_of(tensor)?;
            if !matches!(
                value.kind(ctx),
                AttrKind::Dense { .. } | AttrKind::DenseResource { .. } | AttrKind::Sparse { .. }
            ) {
                let message = "initial value should be a unit or elements attribute";
                return Err(p.error_at(p.op_place(), message));
            }
            value
        };
        p.set_property("initial_value", value);
    }
    p.attr_dict()
}

pub(super) fn print_global(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    p.text(" ");
    print_visibility_string(p, ctx, body, op);
    if data.attr(ctx, "constant").is_some() {
        p.text("constant ");
    }
    if let Some(name) = data.attr(ctx, "sym_name") {
        p.symbol_attr(name);
    }
    p.text(" : ");
    if let Some(ty) = data.attr(ctx, "type") {
        p.attr(ty);
    }
    if let Some(value) = data.attr(ctx, "initial_value") {
        p.text(" = ");
        if matches!(value.kind(ctx), AttrKind::Unit) {
            p.text("uninitialized");
        } else {
            p.attr_untyped(value);
        }
    }
    let spelled = [
        "sym_visibility",
        "constant",
        "sym_name",
        "type",
        "initial_value",
    ];
    p.attr_dict(body, op, &spelled);
}

/// `memref.prefetch %memref[%i], read, locality<3>, data : memref<…>`
pub(super) fn parse_prefetch(p: &mut OpParser<'_, '_>) -> Parsed {
    let memref = p.operand()?;
    let indices = p.operand_list(Delimiter::Square)?;
    parse_prefetch_hints(p)?;
    let ty = p.colon_type()?;
    add_access(p, memref, ty, &indices)
}

fn add_access<'s>(
    p: &mut OpParser<'_, 's>,
    memref: Operand<'s>,
    ty: Type,
    indices: &[Operand<'s>],
) -> Parsed {
    p.add_operand(memref, ty)?;
    let index = p.ctx().index_type();
    p.add_operands(indices, index)
}

/// `, read, locality<3>, data`
pub(crate) fn parse_prefetch_hints(p: &mut OpParser<'_, '_>) -> Parsed {
    let ctx = p.ctx();
    p.expect(Tok::Comma)?;
    let access = choice_keyword(p)?;
    p.expect(Tok::Comma)?;
    p.expect_keyword("locality")?;
    p.expect(Tok::Less)?;
    let hint = p.attribute_of(ctx.int_type(32))?;
    p.set_property("localityHint", hint);
    p.expect(Tok::Greater)?;
    p.expect(Tok::Comma)?;
    let cache = choice_keyword(p)?;
    let is_write = choice(p, access, "rw specifier", ("read", "write"))?;
    p.set_property("isWrite", ctx.bool_attr(is_write));
    let is_code = choice(p, cache, "cache type", ("data", "instr"))?;
    p.set_property("isDataCache", ctx.bool_attr(!is_code));
    Ok(())
}

fn choice_keyword<'s>(p: &mut OpParser<'_, 's>) -> Parsed<&'s str> {
    if !p.at(Tok::Bare) {
        return Err(p.expected("valid keyword"));
    }
    p.keyword("a prefetch")
}

/// Whether a keyword is the second of two alternatives.
fn choice(
    p: &mut OpParser<'_, '_>,
    keyword: &str,
    what: &str,
    (first, second): (&str, &str),
) -> Parsed<bool> {
    if keyword == first || keyword == second {
        return Ok(keyword == second);
    }
    Err(p.error_at(
        p.op_place(),
        format!("{what} has to be '{first}' or '{second}'"),
    ))
}

pub(super) fn print_prefetch(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let Some((&memref, indices)) = body[op].operands.split_first() else {
        return;
    };
    p.text(" ");
    p.value(memref);
    p.text("[");
    p.values(indices);
    p.text("]");
    print_prefetch_hints(p, ctx, body, op);
    p.attr_dict(body, op, &["isWrite", "localityHint", "isDataCache"]);
    p.text(" : ");
    p.ty(body.ty(memref));
}

/// `, read, locality<3>, data`
pub(crate) fn print_prefetch_hints(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    let flag = |name| data.attr(ctx, name).and_then(|a| a.as_bool(ctx)) == Some(true);
    p.text(if flag("isWrite") {
        ", write, locality<"
    } else {
        ", read, locality<"
    });
    if let Some(hint) = data.attr(ctx, "localityHint") {
        p.attr_untyped(hint);
    }
    p.text(if flag("isDataCache") {
        ">, data"
    } else {
        ">, instr"
    });
}

/// `memref.transpose %in (d0, d1) -> (d1, d0) : memref<…> to memref<…>`
pub(super) fn parse_transpose(p: &mut OpParser<'_, '_>) -> Parsed {
    let source = p.operand()?;
    let map = p.affine_map()?;
    let map = p.ctx().map_attr(map);
    p.set_property("permutation", map);
    p.attr_dict()?;
    let ty = p.colon_type()?;
    p.add_operand(source, ty)?;
    p.expect_keyword("to")?;
    let result = p.ty()?;
    p.add_result(result);
    Ok(())
}

pub(super) fn print_transpose(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    p.text(" ");
    p.values(&data.operands);
    if let Some(map) = data.attr(ctx, "permutation").and_then(|a| a.as_map(ctx)) {
        p.text(" ");
        p.affine_map(map);
    }
    p.attr_dict(body, op, &["permutation"]);
    p.text(" : ");
    p.types_of(body, &data.operands);
    p.text(" to ");
    p.result_types_of(body, op);
}

/// `memref.generic_atomic_rmw %memref[%i] : memref<…> {…}`
pub(super) fn parse_generic_atomic_rmw(p: &mut OpParser<'_, '_>) -> Parsed {
    let memref = p.operand()?;
    let indices = p.operand_list(Delimiter::Square)?;
    p.expect(Tok::Colon)?;
    let place = p.place();
    let ty = p.ty()?;
    let Some(element) = ty.memref(p.ctx()).map(|m| m.element) else {
        return Err(p.error_at(place, "expected a ranked memref type"));
    };
    add_access(p, memref, ty, &indices)?;
    p.add_result(element);
    p.region_tail(&[], |p, _| {
        p.region(&[])?;
        p.attr_dict()
    })
}

pub(super) fn print_generic_atomic_rmw(p: &mut OpPrinter<'_>, _: &Context, body: &Body, op: OpId) {
    let Some((&memref, indices)) = body[op].operands.split_first() else {
        return;
    };
    p.text(" ");
    p.value(memref);
    p.text("[");
    p.values(indices);
    p.text("] : ");
    p.ty(body.ty(memref));
    p.text(" ");
    p.region(body, op, 0, true, true);
    p.attr_dict(body, op, &[]);
}

/// `memref.alloca_scope -> (f32) {…}`
pub(super) fn parse_alloca_scope(p: &mut OpParser<'_, '_>) -> Parsed {
    let types = p.optional_arrow_types()?;
    p.add_results(&types);
    p.region_tail(&[], |p, args| p.ended_region(args, ALLOCA_SCOPE_RETURN))
}

pub(super) fn print_alloca_scope(p: &mut OpPrinter<'_>, _: &Context, body: &Body, op: OpId) {
    let has_results = body[op].num_results() > 0;
    p.text(" ");
    if has_results {
        p.text(" -> (");
        p.result_types_of(body, op);
        p.text(")");
    }
    p.text(" ");
    p.region(body, op, 0, false, has_results);
    p.attr_dict(body, op, &[]);
}

/// `memref.dma_start %src[…], %dst[…], %count, %tag[…], %stride, %per_stride :
/// memref<…>, memref<…>, memref<…>`
pub(super) fn parse_dma_start(p: &mut OpParser<'_, '_>) -> Parsed {
    let source = parse_indexed(p)?;
    p.expect(Tok::Comma)?;
    let target = parse_indexed(p)?;
    p.expect(Tok::Comma)?;
    let count = p.operand()?;
    p.expect(Tok::Comma)?;
    let tag = parse_indexed(p)?;
    // Upstream takes a comma without a stride after it.
    let stride = match p.eat(Tok::Comma) {
        true => p.operand_list(Delimiter::None)?,
        false => Operands::new(),
    };
    p.expect(Tok::Colon)?;
    let place = p.place();
    let types = p.type_list(Delimiter::None)?;
    let [source_type, target_type, tag_type] = types[..] else {
        return Err(p.error_at(p.op_place(), "fewer/more types expected"));
    };
    if !matches!(stride.len(), 0 | 2) {
        let message = "expected two stride related operands";
        return Err(p.error_at(place, message));
    }
    let index = p.ctx().index_type();
    add_access(p, source.0, source_type, &source.1)?;
    add_access(p, target.0, target_type, &target.1)?;
    p.add_operand(count, index)?;
    add_access(p, tag.0, tag_type, &tag.1)?;
    p.add_operands(&stride, index)
}

/// `%memref[%i, %j]`
fn parse_indexed<'s>(p: &mut OpParser<'_, 's>) -> Parsed<(Operand<'s>, Operands<'s>)> {
    let memref = p.operand()?;
    Ok((memref, p.operand_list(Delimiter::Square)?))
}

pub(super) fn print_dma_start(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let mut rest = &body[op].operands[..];
    let mut types = Vec::new();
    p.text(" ");
    for part in 0..3 {
        let Some((&memref, others)) = rest.split_first() else {
            return;
        };
        let ty = body.ty(memref);
        let rank = ty.memref(ctx).map_or(0, |m| m.rank());
        let (indices, others) = others.split_at(rank.min(others.len()));
        p.value(memref);
        p.text("[");
        p.values(indices);
        p.text("]");
        types.push(ty);
        rest = others;
        if part < 2 {
            p.text(", ");
        }
        if part == 1
            && let Some((&count, others)) = rest.split_first()
        {
            p.value(count);
            p.text(", ");
            rest = others;
        }
    }
    for &value in rest {
        p.text(", ");
        p.value(value);
    }
    p.text(" : ");
    p.types(&types);
}
