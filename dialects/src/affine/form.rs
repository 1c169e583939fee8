//! Custom forms of `affine.apply`, `affine.min`, `affine.max` and `affine.if`.

use gridloom_ir::affine::AffineMap;
use gridloom_ir::attr::Attr;
use gridloom_ir::attr_names;
use gridloom_ir::body::{Body, OpData, OpId};
use gridloom_ir::context::{Context, Ident};
use gridloom_ir::text::{OpParser, OpPrinter, Operand, ParseFailed};
use gridloom_ir::types::Type;

use super::{APPLY, YIELD};

type Parsed<T = ()> = Result<T, ParseFailed>;

/// `affine.apply #map(%d)[%s]`; `affine.min` and `affine.max` have the same form.
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
    // Each result of the map of an `affine.apply` is a result of the operation.
    let results = match p.name() {
        APPLY => map.results(p.ctx()).len(),
        _ => 1,
    };
    for _ in 0..results {
        p.add_result(index);
    }
    Ok(())
}

/// Checks that a map or set has as many dimensions and symbols as operands; `mismatch` makes the
/// error, given whether the dimensions differ.
pub(super) fn check_counts(
    p: &mut OpParser<'_, '_>,
    dims: usize,
    symbols: usize,
    operands: &[Operand<'_>],
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

/// Returns an attribute with the map it holds.
pub(super) fn map_attr(ctx: &Context, data: &OpData, name: Ident) -> Option<(Attr, AffineMap)> {
    let attr = data.attr(ctx, name)?;
    Some((attr, attr.as_map(ctx)?))
}

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
