//! The custom forms of the `affine` dialect, except `affine.parallel`.

use smallvec::{SmallVec, smallvec};

use crate::affine::{AffineExprKind, AffineMap};
use crate::attr::{Attr, AttrKind};
use crate::attr_names;
use crate::body::{Body, OpData, OpId, Value};
use crate::context::{Context, Ident};
use crate::dialect::memref::form::{parse_prefetch_hints, print_prefetch_hints};
use crate::text::{
    Argument, Delimiter, OpParser, OpPrinter, Operands, ParseFailed, Place, Tok, type_string,
};
use crate::types::{Type, TypeKind};

use super::{APPLY, YIELD};

type Parsed<T = ()> = Result<T, ParseFailed>;

/// `affine.apply #map(%d)[%s]`, likewise `affine.min` and `affine.max`.
pub(super) fn parse_mapped(p: &mut OpParser<'_, '_>) -> Parsed {
    let (attr, map) = p.attribute_as(|attr, ctx| Some((attr, attr.as_map(ctx)?)))?;
    let (operands, dims) = p.dims_and_symbols()?;
    let (num_dims, num_symbols) = (map.num_dims(p.ctx()), map.num_symbols(p.ctx()));
    if p.name() == APPLY {
        check_counts(
            p,
            num_dims,
            num_symbols,
            &operands,
            dims,
            |_| "dimension or symbol index mismatch",
        )?;
    } else if operands.len() != num_dims + num_symbols {
        let name = p.ctx().op_name_str(p.name());
        let message = format!(
            "'{name}' op operand count and affine map dimension and symbol count must match"
        );
        return Err(p.plain_error_at(p.op_place(), message));
    }
    p.attr_dict()?;
    p.set_property(attr_names::MAP, attr);
    let index = p.ctx().index_type();
    p.add_operands(&operands, index)?;
    // Each result of the map of an `affine.apply` is one of the operation's.
    let results = match p.name() {
        APPLY => map.results(p.ctx()).len(),
        _ => 1,
    };
    for _ in 0..results {
        p.add_result(index);
    }
    Ok(())
}

/// Something else stands where a memref with a rank is needed.
fn not_a_memref(p: &mut OpParser<'_, '_>, place: Place, ty: Type) -> ParseFailed {
    not_a(p, "memref", place, ty)
}

fn not_a(p: &mut OpParser<'_, '_>, wanted: &str, place: Place, ty: Type) -> ParseFailed {
    let shown = type_string(p.ctx(), ty);
    let message =
        format!("invalid kind of type specified: expected builtin.{wanted}, but found '{shown}'");
    p.error_at(place, message)
}

fn parse_vector_type(p: &mut OpParser<'_, '_>) -> Parsed<Type> {
    let place = p.place();
    let ty = p.ty()?;
    match ty.kind(p.ctx()) {
        TypeKind::Vector { .. } => Ok(ty),
        _ => Err(not_a(p, "vector", place, ty)),
    }
}

/// As many operands as a map or set has dimensions and symbols; `mismatch` says
/// what is wrong otherwise, asked whether it is the dimensions.
fn check_counts(
    p: &mut OpParser<'_, '_>,
    dims: usize,
    symbols: usize,
    operands: &[crate::text::Operand<'_>],
    given: usize,
    mismatch: fn(bool) -> &'static str,
) -> Parsed {
    if dims != given || symbols != operands.len() - given {
        return Err(p.error_at(p.op_place(), mismatch(dims != given)));
    }
    Ok(())
}

pub(super) fn print_mapped(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    if let Some((attr, map)) = map_attr(ctx, &body[op], attr_names::MAP) {
        p.text(" ");
        p.attr_with_operands(attr, &body[op].operands, map.num_dims(ctx));
    }
    p.attr_dict_of(body, op, &[attr_names::MAP], "");
}

// ---- affine.for ----

/// `affine.for %i = 0 to min #map(%n) step 2 iter_args(%a = %b) -> (f32) {…}`
pub(super) fn parse_for(p: &mut OpParser<'_, '_>) -> Parsed {
    let ctx = p.ctx();
    let index = ctx.index_type();
    let variable = p.argument_name()?;
    let variable_loc = p.optional_location()?;
    p.expect(Tok::Equal)?;
    let lower = parse_bound(p, "lower", "max")?;
    if !p.eat_keyword("to") {
        return Err(p.expected("'to' between bounds"));
    }
    let upper = parse_bound(p, "upper", "min")?;
    let mut step = 1;
    if p.eat_keyword("step") {
        let place = p.place();
        step = match p.plain_integer() {
            Some(number) => number,
            None => match signed(ctx, p.attribute_of(index)?) {
                Some(number) => number,
                None => return Err(p.wrong_kind(place)),
            },
        };
        if step <= 0 {
            return Err(p.error_at(
                place,
                "expected step to be representable as a positive signed integer",
            ));
        }
    }
    let (mut pairs, mut types) = (Vec::new(), Vec::new());
    if p.eat_keyword("iter_args") {
        pairs = p.assignments()?;
        types = p.arrow_types()?;
        if types.len() != pairs.len() {
            let message = "mismatch between the number of loop-carried values and results";
            return Err(p.error_at(p.op_place(), message));
        }
    }
    p.add_operands(&lower.1, index)?;
    p.add_operands(&upper.1, index)?;
    let mut args: SmallVec<[Argument<'_>; 2]> = smallvec![p.named(variable, index)];
    args[0].loc = variable_loc;
    for (&(name, init), &ty) in pairs.iter().zip(&types) {
        p.add_operand(init, ty)?;
        args.push(p.named(name, ty));
    }
    p.add_results(&types);
    let counts = [lower.1.len(), upper.1.len(), pairs.len()];
    // In the order of their names, which spares sorting them.
    p.set_property(attr_names::LOWER_BOUND_MAP, ctx.map_attr(lower.0));
    p.set_operand_segments(&counts.map(|n| n as i32));
    p.set_property(attr_names::STEP, ctx.index_attr(step));
    p.set_property(attr_names::UPPER_BOUND_MAP, ctx.map_attr(upper.0));
    p.region_tail(&args, |p, args| p.ended_region(args, YIELD))
}

/// A number, a value, or a map with operands, of which `prefix` combines
/// several results.
pub(crate) fn parse_bound<'s>(
    p: &mut OpParser<'_, 's>,
    which: &str,
    prefix: &str,
) -> Parsed<(AffineMap, Operands<'s>)> {
    let ctx = p.ctx();
    let combines = p.eat_keyword(prefix);
    if let Some(operand) = p.optional_operand()? {
        if p.at(Tok::Comma) {
            return Err(p.error_at(p.op_place(), "expected only one loop bound operand"));
        }
        return Ok((ctx.symbol_map(), Operands::from_slice(&[operand])));
    }
    if let Some(value) = p.plain_integer() {
        return Ok((ctx.constant_map(value), Operands::new()));
    }
    let place = p.place();
    let attr = p.attribute_of(ctx.index_type())?;
    match attr.kind(ctx) {
        AttrKind::Map(map) => {
            let map = *map;
            let (operands, dims) = p.dims_and_symbols()?;
            let (num_dims, num_symbols) = (map.num_dims(ctx), map.num_symbols(ctx));
            check_counts(
                p,
                num_dims,
                num_symbols,
                &operands,
                dims,
                |dims| match dims {
                    true => "dim operand count and affine map dim count must match",
                    false => "symbol operand count and affine map symbol count must match",
                },
            )?;
            if map.results(ctx).len() > 1 && !combines {
                let message = format!(
                    "{which} loop bound affine map with multiple results requires '{prefix}' prefix"
                );
                return Err(p.error_at(place, message));
            }
            Ok((map, operands))
        }
        _ => match signed(ctx, attr) {
            Some(value) => Ok((ctx.constant_map(value), Operands::new())),
            None => {
                let message = "expected valid affine map representation for loop bounds";
                Err(p.error_at(p.op_place(), message))
            }
        },
    }
}

/// The number that an attribute is, whose highest bit is its sign: `true` is -1.
fn signed(ctx: &Context, attr: Attr) -> Option<i64> {
    match attr.as_bool(ctx) {
        Some(set) => Some(-i64::from(set)),
        None => attr.as_i64(ctx),
    }
}

pub(super) fn print_for(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    let Some(entry) = body.region_block(op, 0) else {
        return;
    };
    let args = &body[entry].args;
    let map = |name| map_attr(ctx, data, name);
    let [lower_operands, upper_operands, inits] = data.operand_segments(ctx);
    p.text(" ");
    if let Some(&variable) = args.first() {
        p.value(variable);
        p.argument_location(body, variable);
    }
    p.text(" = ");
    if let Some(lower) = map(attr_names::LOWER_BOUND_MAP) {
        print_bound(p, ctx, lower, lower_operands, "max ");
    }
    p.text(" to ");
    if let Some(upper) = map(attr_names::UPPER_BOUND_MAP) {
        print_bound(p, ctx, upper, upper_operands, "min ");
    }
    let step = data.attr(ctx, attr_names::STEP).and_then(|a| a.as_i64(ctx));
    if let Some(step) = step.filter(|&step| step != 1) {
        p.text(" step ");
        p.int_text(step);
    }
    if !inits.is_empty() {
        p.text(" iter_args(");
        for (index, (&init, &arg)) in inits.iter().zip(args.iter().skip(1)).enumerate() {
            if index > 0 {
                p.text(", ");
            }
            p.value(arg);
            p.text(" = ");
            p.value(init);
        }
        p.text(") -> (");
        p.types_of(body, inits);
        p.text(")");
    }
    p.text(" ");
    p.region(body, op, 0, false, !inits.is_empty());
    let spelled = [
        attr_names::LOWER_BOUND_MAP,
        attr_names::UPPER_BOUND_MAP,
        attr_names::STEP,
    ];
    p.attr_dict_of(body, op, &spelled, "");
}

/// The map that an attribute holds, and the attribute.
fn map_attr(ctx: &Context, data: &OpData, name: Ident) -> Option<(Attr, AffineMap)> {
    let attr = data.attr(ctx, name)?;
    Some((attr, attr.as_map(ctx)?))
}

fn print_bound(
    p: &mut OpPrinter<'_>,
    ctx: &Context,
    (attr, map): (Attr, AffineMap),
    operands: &[Value],
    prefix: &str,
) {
    let data = map.data(ctx);
    if let [result] = data.results[..] {
        match result.kind(ctx) {
            AffineExprKind::Constant(value) if data.dims == 0 && data.symbols == 0 => {
                p.int_text(value);
                return;
            }
            AffineExprKind::Symbol(0) if data.dims == 0 && data.symbols == 1 => {
                p.values(operands);
                return;
            }
            _ => {}
        }
    } else {
        p.text(prefix);
    }
    p.attr_with_operands(attr, operands, map.num_dims(ctx));
}

// ---- affine.if ----

/// `affine.if #set(%d)[%s] -> f32 {…} else {…}`
pub(super) fn parse_if(p: &mut OpParser<'_, '_>) -> Parsed {
    let ctx = p.ctx();
    let (attr, set) = p.attribute_as(|attr, ctx| Some((attr, attr.as_set(ctx)?)))?;
    let (operands, dims) = p.dims_and_symbols()?;
    let data = set.data(ctx);
    check_counts(
        p,
        data.dims as usize,
        data.symbols as usize,
        &operands,
        dims,
        |dims| match dims {
            true => "dim operand count and integer set dim count must match",
            false => "symbol operand count and integer set symbol count must match",
        },
    )?;
    p.set_property(attr_names::CONDITION, attr);
    p.add_operands(&operands, ctx.index_type())?;
    let types = p.optional_arrow_types()?;
    p.add_results(&types);
    p.region_tail(&[], |p, _| p.then_and_else(YIELD))
}

pub(super) fn print_if(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    let condition = data.attr(ctx, attr_names::CONDITION);
    if let Some((attr, set)) = condition.and_then(|attr| Some((attr, attr.as_set(ctx)?))) {
        p.text(" ");
        p.attr_with_operands(attr, &data.operands, set.data(ctx).dims as usize);
    }
    let types: Vec<Type> = data.results().map(|v| body.ty(v)).collect();
    p.optional_arrow_types(&types);
    p.text(" ");
    p.region(body, op, 0, true, !types.is_empty());
    if body.region_block(op, 1).is_some() {
        p.text(" else ");
        p.region(body, op, 1, true, !types.is_empty());
    }
    p.attr_dict_of(body, op, &[attr_names::CONDITION], "");
}

// ---- accesses ----

/// `%memref[%i + 1, %j]` with the map as property; the operands are not added.
fn parse_place<'s>(p: &mut OpParser<'_, 's>) -> Parsed<(crate::text::Operand<'s>, Operands<'s>)> {
    let memref = p.operand()?;
    let (map, indices) = p.map_of_values(Delimiter::Square)?;
    let map = p.ctx().map_attr(map);
    p.set_property(attr_names::MAP, map);
    Ok((memref, indices))
}

/// `: memref<…>`; adds the memref and the indices.
fn parse_memref_type<'s>(
    p: &mut OpParser<'_, 's>,
    memref: crate::text::Operand<'s>,
    indices: &[crate::text::Operand<'s>],
) -> Parsed<Type> {
    p.expect(Tok::Colon)?;
    let place = p.place();
    let ty = p.ty()?;
    let Some(element) = ty.memref(p.ctx()).map(|m| m.element) else {
        return Err(not_a_memref(p, place, ty));
    };
    p.add_operand(memref, ty)?;
    let index = p.ctx().index_type();
    p.add_operands(indices, index)?;
    Ok(element)
}

/// `affine.load %memref[…] : memref<…>`
pub(super) fn parse_load(p: &mut OpParser<'_, '_>) -> Parsed {
    let (memref, indices) = parse_place(p)?;
    p.attr_dict()?;
    let element = parse_memref_type(p, memref, &indices)?;
    p.add_result(element);
    Ok(())
}

/// `affine.vector_load %memref[…] : memref<…>, vector<…>`
pub(super) fn parse_vector_load(p: &mut OpParser<'_, '_>) -> Parsed {
    let (memref, indices) = parse_place(p)?;
    p.attr_dict()?;
    parse_memref_type(p, memref, &indices)?;
    p.expect(Tok::Comma)?;
    let ty = parse_vector_type(p)?;
    p.add_result(ty);
    Ok(())
}

/// `affine.load` and `affine.vector_load`.
pub(super) fn print_load(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let Some((&memref, indices)) = body[op].operands.split_first() else {
        return;
    };
    p.text(" ");
    print_place(p, ctx, body, op, memref, indices);
    p.attr_dict_of(body, op, &[attr_names::MAP], "");
    p.text(" : ");
    p.ty(body.ty(memref));
    if body[op].name == super::VECTOR_LOAD {
        p.text(", ");
        p.result_types_of(body, op);
    }
}

fn print_place(
    p: &mut OpPrinter<'_>,
    ctx: &Context,
    body: &Body,
    op: OpId,
    memref: Value,
    indices: &[Value],
) {
    p.value(memref);
    p.text("[");
    if let Some(map) = body[op]
        .attr(ctx, attr_names::MAP)
        .and_then(|a| a.as_map(ctx))
    {
        p.map_of_values(map, indices);
    }
    p.text("]");
}

/// `affine.store %value, %memref[…] : memref<…>`
pub(super) fn parse_store(p: &mut OpParser<'_, '_>) -> Parsed {
    let value = p.operand()?;
    p.expect(Tok::Comma)?;
    let (memref, indices) = parse_place(p)?;
    p.attr_dict()?;
    p.expect(Tok::Colon)?;
    let place = p.place();
    let ty = p.ty()?;
    let Some(element) = ty.memref(p.ctx()).map(|m| m.element) else {
        return Err(not_a_memref(p, place, ty));
    };
    add_stored(p, (value, element), (memref, ty), &indices)
}

/// `affine.vector_store %value, %memref[…] : memref<…>, vector<…>`
pub(super) fn parse_vector_store(p: &mut OpParser<'_, '_>) -> Parsed {
    let value = p.operand()?;
    p.expect(Tok::Comma)?;
    let (memref, indices) = parse_place(p)?;
    p.attr_dict()?;
    let ty = p.colon_type()?;
    p.expect(Tok::Comma)?;
    let vector = parse_vector_type(p)?;
    add_stored(p, (value, vector), (memref, ty), &indices)
}

fn add_stored<'s>(
    p: &mut OpParser<'_, 's>,
    value: (crate::text::Operand<'s>, Type),
    memref: (crate::text::Operand<'s>, Type),
    indices: &[crate::text::Operand<'s>],
) -> Parsed {
    p.add_operand(value.0, value.1)?;
    p.add_operand(memref.0, memref.1)?;
    let index = p.ctx().index_type();
    p.add_operands(indices, index)
}

/// `affine.store` and `affine.vector_store`.
pub(super) fn print_store(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let [value, memref, indices @ ..] = &body[op].operands[..] else {
        return;
    };
    p.text(" ");
    p.value(*value);
    p.text(", ");
    print_place(p, ctx, body, op, *memref, indices);
    p.attr_dict_of(body, op, &[attr_names::MAP], "");
    p.text(" : ");
    p.ty(body.ty(*memref));
    if body[op].name == super::VECTOR_STORE {
        p.text(", ");
        p.ty(body.ty(*value));
    }
}

/// `affine.prefetch %memref[…], read, locality<3>, data : memref<…>`
pub(super) fn parse_prefetch(p: &mut OpParser<'_, '_>) -> Parsed {
    let (memref, indices) = parse_place(p)?;
    parse_prefetch_hints(p)?;
    p.attr_dict()?;
    parse_memref_type(p, memref, &indices)?;
    Ok(())
}

pub(super) fn print_prefetch(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    let Some((&memref, indices)) = data.operands.split_first() else {
        return;
    };
    p.text(" ");
    print_place(p, ctx, body, op, memref, indices);
    print_prefetch_hints(p, ctx, body, op);
    p.attr_dict(body, op, &["map", "isWrite", "localityHint", "isDataCache"]);
    p.text(" : ");
    p.ty(body.ty(memref));
}
