//! Custom forms of `gpu.launch` and `gpu.launch_func`.

use gridloom_ir::body::{Body, OpId, Value};
use gridloom_ir::context::Context;
use gridloom_ir::text::{Argument, Delimiter, OpParser, OpPrinter, Operands, ParseFailed, Tok};

use super::form::{parse_async, parse_attributions, print_async, print_attributions};
use super::{LaunchOp, async_token};

type Parsed<T = ()> = Result<T, ParseFailed>;

// ---- gpu.launch ----

/// Launch extent `(%a, %b, %c) in (%d = %x, %e = %y, %f = %z)`: names of three ids and three sizes,
/// and the values of the sizes.
struct Extent<'s> {
    ids: Operands<'s>,
    sizes: Vec<(
        gridloom_ir::text::Operand<'s>,
        gridloom_ir::text::Operand<'s>,
    )>,
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
    p.region_tail(&args, |p, args| {
        p.region(args)?;
        p.attr_dict()
    })
}

/// Parses `dynamic_shared_memory_size %s` or nothing; returns whether it stood.
fn parse_dynamic_memory(p: &mut OpParser<'_, '_>) -> Parsed<bool> {
    if !p.eat_keyword("dynamic_shared_memory_size") {
        return Ok(false);
    }
    let size = p.operand()?;
    let ty = p.ctx().int_type(32);
    p.add_operand(size, ty)?;
    Ok(true)
}

fn print_dynamic_memory(p: &mut OpPrinter<'_>, size: &[Value]) {
    if !size.is_empty() {
        p.text(" dynamic_shared_memory_size ");
        p.values(size);
    }
}

fn print_extent(p: &mut OpPrinter<'_>, keyword: &str, names: [&[Value]; 2], sizes: &[Value]) {
    p.text(" ");
    p.text(keyword);
    p.text("(");
    p.values(names[0]);
    p.text(") in (");
    for (index, (&name, &size)) in names[1].iter().zip(sizes).enumerate() {
        p.text(if index > 0 { ", " } else { "" });
        p.value(name);
        p.text(" = ");
        p.value(size);
    }
    p.text(")");
}

/// Whether the custom form round-trips: upstream knows the type of dependencies only where there is
/// a token.
pub(super) fn launch_form_is_lossless(ctx: &Context, body: &Body, op: OpId) -> bool {
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
    if data.num_results() > 0 {
        print_async(p, true, waits);
    }
    let clustered = !data.operand_segment(ctx, 7).is_empty();
    if clustered {
        print_extent(p, "clusters", [three(12), three(15)], size(6));
    }
    print_extent(p, "blocks", [three(0), three(6)], size(0));
    print_extent(p, "threads", [three(3), three(9)], size(3));
    print_dynamic_memory(p, data.operand_segment(ctx, 10));
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
        p.list_in(Delimiter::Paren, " in argument list", |p| {
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

/// Parses `(…, …, …)`: one item for each dimension.
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
    print_async(p, data.num_results() > 0, waits);
    if let [object] = group(12) {
        p.text("<");
        p.value(*object);
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
        p.values(sizes.get(from..from + 3).unwrap_or(&[]));
        p.text(")");
    }
    // Upstream prints the blanks before the type and the arguments even where there are none.
    p.text(" ");
    if let Some(&first) = sizes.first()
        && !body.ty(first).is_index(ctx)
    {
        p.text(": ");
        p.ty(body.ty(first));
    }
    print_dynamic_memory(p, group(10));
    p.text(" ");
    for (index, &arg) in group(11).iter().enumerate() {
        p.text(if index > 0 { ", " } else { "args(" });
        p.value(arg);
        p.text(" : ");
        p.ty(body.ty(arg));
    }
    p.text(if group(11).is_empty() { "" } else { ")" });
    p.attr_dict(body, op, &["kernel"]);
}
