//! Custom forms and verifiers of the `llvm` dialect.

use super::types::{NoField, field};
use gridloom_ir::attr::{Attr, AttrDict, AttrKind};
use gridloom_ir::body::{Body, OpId};
use gridloom_ir::context::Context;
use gridloom_ir::text::{Delimiter, OpParser, OpPrinter, ParseFailed, Tok};
use gridloom_ir::types::Type;
use gridloom_ir::verify::{Check, Checked};

type Parsed<T = ()> = Result<T, ParseFailed>;

/// `llvm.call_intrinsic "llvm.name"(%a) ["tag"(%b : i32)] {…} : (i32) -> i32`
pub(super) fn parse_call(p: &mut OpParser<'_, '_>) -> Parsed {
    let ctx = p.ctx();
    let name = p.string("the name of an intrinsic")?;
    p.set_property("intrin", ctx.string_attr(ctx.str(name)));
    let args = p.operand_list(Delimiter::Paren)?;
    let (mut tags, mut sizes, mut bundled) = (Vec::new(), Vec::new(), Vec::new());
    if p.at(Tok::LSquare) {
        p.list(Delimiter::Square, |p| {
            let tag = p.string("the tag of an operand bundle")?;
            tags.push(ctx.string_attr(ctx.str(tag)));
            p.expect(Tok::LParen)?;
            let operands = p.operand_list(Delimiter::None)?;
            if !operands.is_empty() {
                p.expect(Tok::Colon)?;
                let types = p.type_list(Delimiter::None)?;
                if types.len() != operands.len() {
                    return Err(p.error("as many types as operands must follow `:`"));
                }
                bundled.extend(operands.iter().copied().zip(types));
            }
            sizes.push(operands.len() as i32);
            p.expect(Tok::RParen)
        })?;
    }
    p.attr_dict()?;
    p.expect(Tok::Colon)?;
    let place = p.place();
    let (inputs, input_attrs) = types_with_attrs(p)?;
    p.expect(Tok::Arrow)?;
    let (results, result_attrs) = if p.at(Tok::LParen) {
        types_with_attrs(p)?
    } else {
        (vec![p.ty()?], vec![AttrDict::EMPTY])
    };
    if inputs.len() != args.len() {
        return Err(p.error_at(place, format!("{} type(s) are needed here", args.len())));
    }
    p.add_typed_operands(&args, &inputs)?;
    for &(operand, ty) in &bundled {
        p.add_operand(operand, ty)?;
    }
    p.add_results(&results);
    p.set_operand_segments(&[args.len() as i32, bundled.len() as i32]);
    p.set_property("op_bundle_sizes", ctx.i32_array_attr(&sizes));
    if !tags.is_empty() {
        p.set_property("op_bundle_tags", ctx.array_attr(&tags));
    }
    for (name, dicts) in [("arg_attrs", input_attrs), ("res_attrs", result_attrs)] {
        if dicts.iter().any(|dict| !dict.is_empty()) {
            let dicts = dicts.iter().map(|&d| ctx.intern_attr(AttrKind::Dict(d)));
            let dicts: Vec<Attr> = dicts.collect();
            p.set_property(name, ctx.array_attr(&dicts));
        }
    }
    Ok(())
}

/// `(type {attrs}, …)`
fn types_with_attrs(p: &mut OpParser<'_, '_>) -> Parsed<(Vec<Type>, Vec<AttrDict>)> {
    let (mut types, mut dicts) = (Vec::new(), Vec::new());
    p.list(Delimiter::Paren, |p| {
        types.push(p.ty()?);
        dicts.push(p.dict()?);
        Ok(())
    })?;
    Ok((types, dicts))
}

pub(super) fn print_call(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    p.text(" ");
    if let Some(name) = data.attr(ctx, "intrin") {
        p.attr(name);
    }
    let args = data.operand_segment(ctx, 0);
    p.text("(");
    p.values(args);
    p.text(")");
    print_bundles(p, ctx, body, op);
    let mut spelled = vec![
        "intrin",
        "op_bundle_sizes",
        "op_bundle_tags",
        "operandSegmentSizes",
        "arg_attrs",
        "res_attrs",
    ];
    let flags = data.attr(ctx, "fastmathFlags");
    if flags
        .is_some_and(|flags| gridloom_ir::text::attr_string(ctx, flags) == "#llvm.fastmath<none>")
    {
        spelled.push("fastmathFlags");
    }
    p.attr_dict(body, op, &spelled);
    p.text(" : ");
    let types: Vec<Type> = args.iter().map(|&v| body.ty(v)).collect();
    print_types(p, &types, &dicts(ctx, data.attr(ctx, "arg_attrs")));
    p.text(" -> ");
    let results: Vec<Type> = data.results().map(|v| body.ty(v)).collect();
    let result_attrs = dicts(ctx, data.attr(ctx, "res_attrs"));
    match results[..] {
        [ty] if result_attrs.iter().all(|dict| dict.is_empty()) => p.ty(ty),
        _ => print_types(p, &results, &result_attrs),
    }
}

fn print_bundles(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    let sizes = data.attr(ctx, "op_bundle_sizes");
    let sizes = sizes.and_then(|a| a.as_i32_array(ctx)).unwrap_or_default();
    let tags = data.attr(ctx, "op_bundle_tags");
    let tags = tags.and_then(|a| a.as_array(ctx)).unwrap_or(&[]);
    if sizes.is_empty() {
        return;
    }
    let mut rest = data.operand_segment(ctx, 1);
    p.text(" [");
    for (index, (&size, &tag)) in sizes.iter().zip(tags).enumerate() {
        if index > 0 {
            p.text(", ");
        }
        let split = usize::try_from(size).unwrap_or(0).min(rest.len());
        let (bundle, after) = rest.split_at(split);
        rest = after;
        p.attr(tag);
        p.text("(");
        if !bundle.is_empty() {
            p.values(bundle);
            p.text(" : ");
            p.types_of(body, bundle);
        }
        p.text(")");
    }
    p.text("]");
}

fn print_types(p: &mut OpPrinter<'_>, types: &[Type], attrs: &[AttrDict]) {
    p.text("(");
    for (index, &ty) in types.iter().enumerate() {
        if index > 0 {
            p.text(", ");
        }
        p.ty(ty);
        if let Some(dict) = attrs.get(index).filter(|dict| !dict.is_empty()) {
            p.text(" ");
            p.dictionary(*dict);
        }
    }
    p.text(")");
}

fn dicts(ctx: &Context, attr: Option<Attr>) -> Vec<AttrDict> {
    let items = attr.and_then(|a| a.as_array(ctx)).unwrap_or(&[]);
    let dict = |a: &Attr| match a.kind(ctx) {
        AttrKind::Dict(dict) => *dict,
        _ => AttrDict::EMPTY,
    };
    items.iter().map(dict).collect()
}

pub(super) fn verify_call(check: &Check) -> Checked {
    let (ctx, data) = (check.ctx(), check.data());
    let name = data.attr(ctx, "intrin").and_then(|a| a.as_str(ctx));
    check.ensure(
        name.is_some_and(|name| name.starts_with("llvm.")),
        "intrinsic name must start with 'llvm.'",
    )?;
    let sizes = data.attr(ctx, "op_bundle_sizes");
    let sizes = sizes.and_then(|a| a.as_i32_array(ctx)).unwrap_or_default();
    let total: i64 = sizes.iter().map(|&size| i64::from(size)).sum();
    let given = data.operand_segment(ctx, 1).len();
    if total != given as i64 {
        return Err(check.error(format!(
            "op_bundle_operands count ({given}) does not match with the total size ({total}) \
             specified in attribute 'op_bundle_sizes'"
        )));
    }
    let tags = data.attr(ctx, "op_bundle_tags");
    let tags = tags.and_then(|a| a.as_array(ctx)).unwrap_or(&[]);
    check.ensure(
        tags.iter().all(|tag| tag.as_str(ctx).is_some()),
        "operand bundle tag must be a StringAttr",
    )
}

/// `llvm.extractvalue %s[1, 0] {…} : type`
pub(super) fn parse_extract(p: &mut OpParser<'_, '_>) -> Parsed {
    let container = p.operand()?;
    let mut position = Vec::new();
    p.list(Delimiter::Square, |p| {
        position.push(p.integer("a position")?);
        Ok(())
    })?;
    p.attr_dict()?;
    p.expect(Tok::Colon)?;
    let place = p.place();
    let ty = p.ty()?;
    let ctx = p.ctx();
    let result = match field(ctx, ty, &position) {
        Ok(result) => result,
        Err(why) => return Err(p.error_at(place, no_field(ctx, &why))),
    };
    p.add_operand(container, ty)?;
    p.add_result(result);
    p.set_property("position", ctx.i64_array_attr(&position));
    Ok(())
}

fn no_field(ctx: &Context, why: &NoField) -> String {
    match why {
        NoField::NotAggregate(ty) => format!(
            "expected LLVM IR structure/array type, got: '{}'",
            gridloom_ir::text::type_string(ctx, *ty)
        ),
        NoField::OutOfBounds(index) => format!("position out of bounds: {index}"),
    }
}

pub(super) fn print_extract(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let Some(&container) = body[op].operands.first() else {
        return;
    };
    p.text(" ");
    p.value(container);
    p.text("[");
    let position = body[op].attr(ctx, "position");
    let position = position
        .and_then(|a| a.as_i64_array(ctx))
        .unwrap_or_default();
    for (index, &number) in position.iter().enumerate() {
        if index > 0 {
            p.text(", ");
        }
        p.int_text(number);
    }
    p.text("]");
    p.attr_dict(body, op, &["position"]);
    p.text(" : ");
    p.ty(body.ty(container));
    p.text(" ");
}

pub(super) fn verify_extract(check: &Check) -> Checked {
    let ctx = check.ctx();
    let position = check.data().attr(ctx, "position");
    let position = position
        .and_then(|a| a.as_i64_array(ctx))
        .unwrap_or_default();
    let container = check.operand_type(0);
    let result = check.result_type(0);
    match field(ctx, container, &position) {
        Ok(found) if found == result => Ok(()),
        Ok(found) => Err(check.error(format!(
            "Type mismatch: extracting from '{}' should produce '{}' but this op returns '{}'",
            check.show(container),
            check.show(found),
            check.show(result)
        ))),
        Err(why) => Err(check.error(no_field(ctx, &why))),
    }
}
