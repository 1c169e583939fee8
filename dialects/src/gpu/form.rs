//! Custom forms of functions, asynchronous operations and reductions.

use crate::func::form as function;
use gridloom_ir::attr::{Attr, AttrKind};
use gridloom_ir::body::{Body, OpId, Value};
use gridloom_ir::context::Context;
use gridloom_ir::text::format::{Directive, Parsed as Arguments, Printed};
use gridloom_ir::text::{Argument, Delimiter, OpParser, OpPrinter, Operands, ParseFailed, Tok};

use super::{YIELD, async_token};

type Parsed<T = ()> = Result<T, ParseFailed>;

// ---- gpu.func ----

/// `gpu.func @f(%a: f32) workgroup(%w : …) private(%p : …) kernel attributes {…} {…}`
pub(super) fn parse_func(p: &mut OpParser<'_, '_>) -> Parsed {
    let name = p.symbol_name()?;
    let ctx = p.ctx();
    p.set_attribute("sym_name", ctx.string_attr(ctx.str(name)));
    let place = p.place();
    let signature = function::parse_signature(p)?;
    if signature.args.len() != signature.inputs.len() {
        return Err(p.error_at(place, "gpu.func requires named arguments"));
    }
    signature.set(p);
    let mut args = signature.args.to_vec();
    let shared = parse_attributions(p, "workgroup", &mut args)?;
    parse_attributions(p, "private", &mut args)?;
    p.set_attribute("workgroup_attributions", ctx.i64_attr(shared as i64));
    if p.eat_keyword("kernel") {
        p.set_attribute("gpu.kernel", ctx.unit_attr());
    }
    p.attr_dict_with_keyword()?;
    p.region(&args)
}

/// Parses `workgroup(%a : memref<…> {…}, …)` or nothing; returns the number of arguments.
pub(super) fn parse_attributions<'s>(
    p: &mut OpParser<'_, 's>,
    keyword: &str,
    args: &mut Vec<Argument<'s>>,
) -> Parsed<usize> {
    if !p.eat_keyword(keyword) {
        return Ok(0);
    }
    let mut dicts = Vec::new();
    p.list_in(Delimiter::Paren, " in argument list", |p| {
        let arg = p.argument()?;
        dicts.push(arg.attrs);
        args.push(arg);
        Ok(())
    })?;
    if dicts.iter().any(|dict| !dict.is_empty()) {
        let ctx = p.ctx();
        let attrs: Vec<Attr> = dicts
            .iter()
            .map(|&d| ctx.intern_attr(AttrKind::Dict(d)))
            .collect();
        let name = format!("{keyword}_attrib_attrs");
        p.set_property(&name[..], ctx.array_attr(&attrs));
    }
    Ok(dicts.len())
}

pub(super) fn print_attributions(
    p: &mut OpPrinter<'_>,
    body: &Body,
    keyword: &str,
    args: &[Value],
    attrs: Option<Attr>,
) {
    if args.is_empty() {
        return;
    }
    let ctx = p.ctx;
    let dicts = attrs.and_then(|attrs| attrs.as_array(ctx)).unwrap_or(&[]);
    p.text(" ");
    p.text(keyword);
    p.text("(");
    for (index, &arg) in args.iter().enumerate() {
        p.text(if index > 0 { ", " } else { "" });
        p.value(arg);
        p.text(" : ");
        p.ty(body.ty(arg));
        if let Some(AttrKind::Dict(dict)) = dicts.get(index).map(|dict| dict.kind(ctx))
            && !dict.is_empty()
        {
            p.text(" ");
            p.dictionary(*dict);
        }
    }
    p.text(")");
}

pub(super) fn print_func(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    p.text(" ");
    if let Some(name) = data.attr(ctx, "sym_name") {
        p.symbol_attr(name);
    }
    function::print_signature(p, ctx, body, op);
    if let Some(own) = data.isolated() {
        let args = own.entry().map_or(&[][..], |entry| &own[entry].args);
        let ty = data
            .attr(ctx, "function_type")
            .and_then(|ty| ty.as_type(ctx));
        let inputs = ty
            .and_then(|ty| ty.function(ctx))
            .map_or(0, |(inputs, _)| inputs.len());
        let memory = args.get(inputs..).unwrap_or(&[]);
        let shared = super::workgroup_attributions(ctx, data).min(memory.len());
        let (shared, private) = memory.split_at(shared);
        p.with_names_of(own, |p| {
            print_attributions(
                p,
                own,
                "workgroup",
                shared,
                data.attr(ctx, "workgroup_attrib_attrs"),
            );
            print_attributions(
                p,
                own,
                "private",
                private,
                data.attr(ctx, "private_attrib_attrs"),
            );
        });
    }
    if data.attr(ctx, "gpu.kernel").is_some() {
        p.text(" kernel");
    }
    let mut spelled = function::SPELLED.to_vec();
    let more = [
        "gpu.kernel",
        "workgroup_attributions",
        "workgroup_attrib_attrs",
        "private_attrib_attrs",
    ];
    spelled.extend(more.map(|name| ctx.ident(name)));
    p.attr_dict_of(body, op, &spelled, " attributes");
    p.text(" ");
    p.region(body, op, 0, false, true);
}

// ---- asynchronous operations ----

/// Parses `async [%a, %b]`: whether there is a token, and the dependencies.
pub(super) fn parse_async<'s>(p: &mut OpParser<'_, 's>) -> Parsed<(bool, Operands<'s>)> {
    let place = p.place();
    let is_async = p.eat_keyword("async");
    if is_async && p.num_named_results() == 0 {
        return Err(p.error_at(place, "needs to be named when marked 'async'"));
    }
    let waits = if p.at(Tok::LSquare) {
        p.operand_list(Delimiter::Square)?
    } else {
        Operands::new()
    };
    Ok((is_async, waits))
}

/// Prints `async [%a, %b]` with the blank before it, which upstream prints even where nothing
/// follows.
pub(super) fn print_async(p: &mut OpPrinter<'_>, is_async: bool, waits: &[Value]) {
    p.text(if is_async { " async" } else { " " });
    if !waits.is_empty() {
        p.text(if is_async { " [" } else { "[" });
        p.values(waits);
        p.text("]");
    }
}

/// Directive for the token and the dependencies of a declared form.
pub(super) static ASYNC_DEPENDENCIES: &[Directive] = &[Directive::new(
    "AsyncDependencies",
    parse_dependencies,
    print_dependencies,
)];

fn parse_dependencies<'s>(p: &mut OpParser<'_, 's>, args: &mut Arguments<'_, 's>) -> Parsed {
    let (is_async, waits) = parse_async(p)?;
    if is_async {
        args.set_types(0, &[async_token(p.ctx())]);
    }
    args.set_operands(1, &waits);
    Ok(())
}

fn print_dependencies(p: &mut OpPrinter<'_>, args: &Printed<'_>) {
    let (is_async, waits) = (!args.types(0).is_empty(), args.operands(1));
    p.text(if is_async { "async" } else { "" });
    if !waits.is_empty() {
        p.text(if is_async { " [" } else { "[" });
        p.values(waits);
        p.text("]");
    }
}

// ---- reductions ----

/// Directive for the operation of `gpu.all_reduce add %a`, which may be left out.
pub(super) static REDUCTIONS: &[Directive] = &[Directive::new(
    "AllReduceOperation",
    parse_reduction,
    print_reduction,
)];

fn parse_reduction<'s>(p: &mut OpParser<'_, 's>, args: &mut Arguments<'_, 's>) -> Parsed {
    if p.at(Tok::Bare) {
        let word = p.keyword("a reduction")?;
        let attr = p
            .ctx()
            .dialect_attr("gpu", &format!("<all_reduce_op {word}>"));
        if !(super::attrs::REDUCTION.constraint.check)(p.ctx(), attr) {
            return Err(p.error("invalid op kind"));
        }
        args.set_attr(p, 0, attr);
    }
    Ok(())
}

fn print_reduction(p: &mut OpPrinter<'_>, args: &Printed<'_>) {
    if let Some(attr) = args.attr(p, 0) {
        p.enum_attr(&super::attrs::REDUCTIONS, attr);
    }
}

// ---- gpu.warp_execute_on_lane_0 ----

/// `gpu.warp_execute_on_lane_0(%lane)[32] args(%a : f32) -> (f32) {…}`
pub(super) fn parse_warp(p: &mut OpParser<'_, '_>) -> Parsed {
    let ctx = p.ctx();
    p.expect(Tok::LParen)?;
    let lane = p.operand()?;
    p.expect(Tok::RParen)?;
    p.add_operand(lane, ctx.index_type())?;
    p.expect(Tok::LSquare)?;
    let size = p.integer("a warp size")?;
    p.set_property("warp_size", ctx.i64_attr(size));
    p.expect(Tok::RSquare)?;
    if p.eat_keyword("args") {
        p.expect(Tok::LParen)?;
        let args = p.operand_list(Delimiter::None)?;
        p.expect(Tok::Colon)?;
        let types = p.type_list(Delimiter::None)?;
        p.add_typed_operands(&args, &types)?;
        p.expect(Tok::RParen)?;
    }
    let types = p.optional_arrow_types()?;
    p.add_results(&types);
    p.region_tail(&[], |p, args| p.ended_region(args, YIELD))
}

pub(super) fn print_warp(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    let Some((lane, args)) = data.operands.split_first() else {
        return;
    };
    p.text("(");
    p.value(*lane);
    p.text(")[");
    if let Some(size) = data
        .attr(ctx, "warp_size")
        .and_then(|size| size.as_i64(ctx))
    {
        p.int_text(size);
    }
    p.text("]");
    if !args.is_empty() {
        p.text(" args(");
        p.values(args);
        p.text(" : ");
        p.types_of(body, args);
        p.text(")");
    }
    let types: Vec<_> = data.results().map(|value| body.ty(value)).collect();
    if !types.is_empty() {
        p.text(" -> (");
        p.types(&types);
        p.text(")");
    }
    p.text(" ");
    p.region(body, op, 0, true, !types.is_empty());
    p.attr_dict(body, op, &["warp_size"]);
}
