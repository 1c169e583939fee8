//! The custom forms of functions, launches and reductions.

use crate::attr::{Attr, AttrDict, AttrKind};
use crate::body::{Body, OpId, Value};
use crate::context::Context;
use crate::dialect::func::form as function;
use crate::text::{Argument, Delimiter, OpParser, OpPrinter, Operands, ParseFailed, Tok};

use super::{LaunchOp, TERMINATOR, YIELD, async_token};

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

/// `workgroup(%a : memref<…> {…}, …)` or nothing; says how many there are.
fn parse_attributions<'s>(
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

fn print_attributions(
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
        let dict = match dicts.get(index).map(|dict| dict.kind(ctx)) {
            Some(AttrKind::Dict(dict)) => *dict,
            _ => AttrDict::EMPTY,
        };
        p.argument(body, arg, dict);
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

/// `async [%a, %b]`: whether there is a token, and what is waited for.
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

pub(super) fn print_async(p: &mut OpPrinter<'_>, body: &Body, is_async: bool, waits: &[Value]) {
    if is_async {
        p.text(" async");
    }
    if !waits.is_empty() {
        p.text(" [");
        p.values(body, waits);
        p.text("]");
    }
}

// ---- gpu.launch ----

/// `(%a, %b, %c) in (%d = %x, %e = %y, %f = %z)`: three ids, three sizes with
/// what they are.
struct Extent<'s> {
    ids: Operands<'s>,
    sizes: Vec<(crate::text::Operand<'s>, crate::text::Operand<'s>)>,
}

fn parse_extent<'s>(p: &mut OpParser<'_, 's>, keyword: &str) -> Parsed<Extent<'s>> {
    p.expect_keyword(keyword)?;
    let place = p.place();
    let ids = p.argument_names()?;
    p.expect_keyword("in")?;
    let mut sizes = Vec::new();
    in_three(p, |p| {
        let name = p.argument_name()?;
        p.expect(Tok::Equal)?;
        sizes.push((name, p.operand()?));
        Ok(())
    })?;
    if ids.len() != 3 {
        return Err(p.error_at(place, format!("`{keyword}` takes three names")));
    }
    Ok(Extent { ids, sizes })
}

/// `gpu.launch async [%t] clusters(…) in (…) blocks(…) in (…) threads(…) in (…)
/// dynamic_shared_memory_size %s module(@m) function(@f) workgroup(…) private(…) {…}`
pub(super) fn parse_launch(p: &mut OpParser<'_, '_>) -> Parsed {
    let ctx = p.ctx();
    let index = ctx.index_type();
    let (is_async, waits) = parse_async(p)?;
    let cluster = if p.at_keyword("clusters") {
        Some(parse_extent(p, "clusters")?)
    } else {
        None
    };
    let blocks = parse_extent(p, "blocks")?;
    let threads = parse_extent(p, "threads")?;
    p.add_operands(&waits, async_token(ctx))?;
    for extent in [Some(&blocks), Some(&threads), cluster.as_ref()]
        .into_iter()
        .flatten()
    {
        for &(_, size) in &extent.sizes {
            p.add_operand(size, index)?;
        }
    }
    let dynamic = parse_dynamic_memory(p)?;
    for (keyword, name) in [("module", "module"), ("function", "function")] {
        if p.eat_keyword(keyword) {
            p.expect(Tok::LParen)?;
            let symbol = p.symbol_ref()?;
            p.set_property(name, symbol);
            p.expect(Tok::RParen)?;
        }
    }
    let clusters = i32::from(cluster.is_some());
    let mut segments = vec![
        waits.len() as i32,
        1,
        1,
        1,
        1,
        1,
        1,
        clusters,
        clusters,
        clusters,
    ];
    segments.push(i32::from(dynamic));
    p.set_operand_segments(&segments);
    if is_async {
        p.add_result(async_token(ctx));
    }
    let ids = [&blocks.ids, &threads.ids].into_iter().flatten().copied();
    let sizes = [&blocks.sizes, &threads.sizes]
        .into_iter()
        .flatten()
        .map(|pair| pair.0);
    let mut args: Vec<Argument> = ids.chain(sizes).map(|name| p.named(name, index)).collect();
    if let Some(cluster) = &cluster {
        let names = cluster
            .ids
            .iter()
            .copied()
            .chain(cluster.sizes.iter().map(|pair| pair.0));
        args.extend(names.map(|name| p.named(name, index)));
    }
    let shared = parse_attributions(p, "workgroup", &mut args)?;
    parse_attributions(p, "private", &mut args)?;
    p.set_attribute("workgroup_attributions", ctx.i64_attr(shared as i64));
    p.region(&args)?;
    p.ensure_terminator(0, TERMINATOR);
    p.attr_dict()
}

/// `dynamic_shared_memory_size %s` or nothing; says which.
fn parse_dynamic_memory(p: &mut OpParser<'_, '_>) -> Parsed<bool> {
    if !p.eat_keyword("dynamic_shared_memory_size") {
        return Ok(false);
    }
    let size = p.operand()?;
    let ty = p.ctx().int_type(32);
    p.add_operand(size, ty)?;
    Ok(true)
}

fn print_dynamic_memory(p: &mut OpPrinter<'_>, body: &Body, size: &[Value]) {
    if !size.is_empty() {
        p.text(" dynamic_shared_memory_size ");
        p.values(body, size);
    }
}

fn print_extent(
    p: &mut OpPrinter<'_>,
    body: &Body,
    keyword: &str,
    names: [&[Value]; 2],
    sizes: &[Value],
) {
    p.text(" ");
    p.text(keyword);
    p.text("(");
    p.values(body, names[0]);
    p.text(") in (");
    for (index, (&name, &size)) in names[1].iter().zip(sizes).enumerate() {
        p.text(if index > 0 { ", " } else { "" });
        p.value(body, name);
        p.text(" = ");
        p.value(body, size);
    }
    p.text(")");
}

/// Upstream knows the type of what is waited for where there is a token only.
pub(super) fn tells_launch(ctx: &Context, body: &Body, op: OpId) -> bool {
    body[op].num_results() > 0 || body[op].operand_segment(ctx, 0).is_empty()
}

pub(super) fn print_launch(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    let args = body
        .region_block(op, 0)
        .map_or(&[][..], |block| &body[block].args);
    let three = |from: usize| args.get(from..from + 3).unwrap_or(&[]);
    let waits = data.operand_segment(ctx, 0);
    let sizes = data.operands.get(waits.len()..).unwrap_or(&[]);
    let size = |from: usize| sizes.get(from..from + 3).unwrap_or(&[]);
    print_async(p, body, data.num_results() > 0, waits);
    let clustered = !data.operand_segment(ctx, 7).is_empty();
    if clustered {
        print_extent(p, body, "clusters", [three(12), three(15)], size(6));
    }
    print_extent(p, body, "blocks", [three(0), three(6)], size(0));
    print_extent(p, body, "threads", [three(3), three(9)], size(3));
    print_dynamic_memory(p, body, data.operand_segment(ctx, 10));
    for name in ["module", "function"] {
        if let Some(symbol) = data.attr(ctx, name) {
            p.text(" ");
            p.text(name);
            p.text("(");
            p.symbol_attr(symbol);
            p.text(")");
        }
    }
    if body.region_block(op, 0).is_some() {
        let (shared, private) = LaunchOp(op).attributions(ctx, body);
        print_attributions(p, body, "workgroup", shared, None);
        print_attributions(p, body, "private", private, None);
    }
    p.text(" ");
    p.region(body, op, 0, false, true);
    p.attr_dict(body, op, &["module", "function", "workgroup_attributions"]);
}

// ---- gpu.launch_func ----

/// `gpu.launch_func async [%t] <%o : type> @m::@k clusters in (…) blocks in (…)
/// threads in (…) : i32 dynamic_shared_memory_size %s args(%a : f32)`
pub(super) fn parse_launch_func(p: &mut OpParser<'_, '_>) -> Parsed {
    let ctx = p.ctx();
    let (is_async, waits) = parse_async(p)?;
    let mut object = None;
    if p.eat(Tok::Less) {
        let value = p.operand()?;
        object = Some((value, p.colon_type()?));
        p.expect(Tok::Greater)?;
    }
    let kernel = p.symbol_ref()?;
    p.set_property("kernel", kernel);
    let cluster = if p.at_keyword("clusters") {
        parse_sizes(p, "clusters")?
    } else {
        Operands::new()
    };
    let blocks = parse_sizes(p, "blocks")?;
    let threads = parse_sizes(p, "threads")?;
    let ty = if p.eat(Tok::Colon) {
        p.ty()?
    } else {
        ctx.index_type()
    };
    p.add_operands(&waits, async_token(ctx))?;
    for sizes in [&blocks, &threads, &cluster] {
        p.add_operands(sizes, ty)?;
    }
    let dynamic = parse_dynamic_memory(p)?;
    let mut args = 0;
    if p.eat_keyword("args") {
        p.list(Delimiter::Paren, |p| {
            let arg = p.operand()?;
            let ty = p.colon_type()?;
            args += 1;
            p.add_operand(arg, ty).map(|_| ())
        })?;
    }
    if let Some((value, ty)) = object {
        p.add_operand(value, ty)?;
    }
    let clusters = i32::from(!cluster.is_empty());
    let mut segments = vec![
        waits.len() as i32,
        1,
        1,
        1,
        1,
        1,
        1,
        clusters,
        clusters,
        clusters,
    ];
    segments.extend([i32::from(dynamic), args, i32::from(object.is_some())]);
    p.set_operand_segments(&segments);
    if is_async {
        p.add_result(async_token(ctx));
    }
    p.attr_dict()
}

/// `blocks in (%x, %y, %z)`
fn parse_sizes<'s>(p: &mut OpParser<'_, 's>, keyword: &str) -> Parsed<Operands<'s>> {
    p.expect_keyword(keyword)?;
    p.expect_keyword("in")?;
    let mut sizes = Operands::new();
    in_three(p, |p| {
        sizes.push(p.operand()?);
        Ok(())
    })?;
    Ok(sizes)
}

/// `(…, …, …)`: one for each dimension.
fn in_three<'p, 's>(
    p: &mut OpParser<'p, 's>,
    mut item: impl FnMut(&mut OpParser<'p, 's>) -> Parsed,
) -> Parsed {
    p.expect(Tok::LParen)?;
    for dimension in 0..3 {
        if dimension > 0 {
            p.expect(Tok::Comma)?;
        }
        item(p)?;
    }
    p.expect(Tok::RParen)
}

pub(super) fn print_launch_func(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    let group = |index| data.operand_segment(ctx, index);
    let waits = group(0);
    print_async(p, body, data.num_results() > 0, waits);
    if let [object] = group(12) {
        p.text(" <");
        p.value(body, *object);
        p.text(" : ");
        p.ty(body.ty(*object));
        p.text(">");
    }
    p.text(" ");
    if let Some(kernel) = data.attr(ctx, "kernel") {
        p.symbol_attr(kernel);
    }
    let sizes = data.operands.get(waits.len()..).unwrap_or(&[]);
    let mut shown = vec![("blocks", 0), ("threads", 3)];
    if !group(7).is_empty() {
        shown.insert(0, ("clusters", 6));
    }
    for (keyword, from) in shown {
        p.text(" ");
        p.text(keyword);
        p.text(" in (");
        p.values(body, sizes.get(from..from + 3).unwrap_or(&[]));
        p.text(")");
    }
    if let Some(&first) = sizes.first()
        && !body.ty(first).is_index(ctx)
    {
        p.text(" : ");
        p.ty(body.ty(first));
    }
    print_dynamic_memory(p, body, group(10));
    for (index, &arg) in group(11).iter().enumerate() {
        p.text(if index > 0 { ", " } else { " args(" });
        p.value(body, arg);
        p.text(" : ");
        p.ty(body.ty(arg));
    }
    p.text(if group(11).is_empty() { "" } else { ")" });
    p.attr_dict(body, op, &["kernel"]);
}

// ---- gpu.all_reduce ----

/// `gpu.all_reduce add %a uniform {…} : (f32) -> f32`
pub(super) fn parse_all_reduce(p: &mut OpParser<'_, '_>) -> Parsed {
    let ctx = p.ctx();
    if !p.at(Tok::Percent) {
        let place = p.place();
        let word = p.keyword("a reduction")?.to_owned();
        let attr = ctx.dialect_attr("gpu", &format!("<all_reduce_op {word}>"));
        if !(super::attrs::REDUCTION.constraint.check)(ctx, attr) {
            return Err(p.error_at(place, "invalid op kind"));
        }
        p.set_property("op", attr);
    }
    let value = p.operand()?;
    if p.eat_keyword("uniform") {
        p.set_property("uniform", ctx.unit_attr());
    }
    p.region(&[])?;
    p.attr_dict()?;
    p.expect(Tok::Colon)?;
    let (inputs, results) = p.function_type()?;
    p.add_typed_operands(&[value], &inputs)?;
    p.add_results(&results);
    Ok(())
}

pub(super) fn print_all_reduce(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    p.text(" ");
    if let Some(AttrKind::Dialect { body: text, .. }) = data.attr(ctx, "op").map(|op| op.kind(ctx))
    {
        let word = ctx.str(*text).strip_prefix("<all_reduce_op ");
        p.text(word.and_then(|word| word.strip_suffix('>')).unwrap_or(""));
        p.text(" ");
    }
    p.values(body, &data.operands);
    if data.attr(ctx, "uniform").is_some() {
        p.text(" uniform");
    }
    p.text(" ");
    p.region(body, op, 0, true, true);
    p.attr_dict(body, op, &["op", "uniform"]);
    p.text(" : (");
    p.types_of(body, &data.operands);
    p.text(") -> ");
    p.result_types_of(body, op);
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
    p.region(&[])?;
    p.ensure_terminator(0, YIELD);
    p.attr_dict()
}

pub(super) fn print_warp(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    let Some((lane, args)) = data.operands.split_first() else {
        return;
    };
    p.text("(");
    p.value(body, *lane);
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
        p.values(body, args);
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
