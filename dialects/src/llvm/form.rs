//! Custom forms and verifiers of the `llvm` dialect.

use super::types::{NoField, field};
use gridloom_ir::attr::{Attr, AttrDict, AttrKind};
use gridloom_ir::body::{Body, OpData, OpId, Value};
use gridloom_ir::context::Context;
use gridloom_ir::diag::Diagnostic;
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

/// `%aggregate[1, 0] : !llvm.struct<…>`
pub(super) fn parse_extract(p: &mut OpParser<'_, '_>) -> Parsed {
    let container = p.operand()?;
    let (ty, field) = parse_position(p)?;
    p.add_operand(container, ty)?;
    p.add_result(field);
    Ok(())
}

/// `%value, %aggregate[1, 0] : !llvm.struct<…>`
pub(super) fn parse_insert(p: &mut OpParser<'_, '_>) -> Parsed {
    let value = p.operand()?;
    p.expect(Tok::Comma)?;
    let container = p.operand()?;
    let (ty, field) = parse_position(p)?;
    p.add_operand(container, ty)?;
    p.add_operand(value, field)?;
    p.add_result(ty);
    Ok(())
}

/// Parses `[1, 0] {…} : type` to the type of the aggregate and that of the field.
fn parse_position(p: &mut OpParser<'_, '_>) -> Parsed<(Type, Type)> {
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
    let field = match field(ctx, ty, &position) {
        Ok(field) => field,
        Err(why) => return Err(p.error_at(place, no_field(ctx, &why))),
    };
    p.set_property("position", ctx.i64_array_attr(&position));
    Ok((ty, field))
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
    print_position(p, ctx, body, op, container);
}

pub(super) fn print_insert(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let [container, value] = body[op].operands[..] else {
        return;
    };
    p.text(" ");
    p.value(value);
    p.text(", ");
    print_position(p, ctx, body, op, container);
}

/// Prints `%aggregate[1, 0] {…} : type `, with MLIR's blank behind the type.
fn print_position(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId, container: Value) {
    p.value(container);
    p.text("[");
    for (index, number) in position(ctx, &body[op]).into_iter().enumerate() {
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

/// The position of a field, from the outermost aggregate inwards.
fn position(ctx: &Context, data: &OpData) -> Vec<i64> {
    let position = data.attr(ctx, "position");
    position
        .and_then(|a| a.as_i64_array(ctx))
        .map_or_else(Vec::new, |position| position.to_vec())
}

pub(super) fn verify_extract(check: &Check) -> Checked {
    let (container, result) = (check.operand_type(0), check.result_type(0));
    let found = verify_position(check, container)?;
    check.ensure(
        found == result,
        format_args!(
            "Type mismatch: extracting from '{}' should produce '{}' but this op returns '{}'",
            check.show(container),
            check.show(found),
            check.show(result)
        ),
    )
}

pub(super) fn verify_insert(check: &Check) -> Checked {
    let (container, value) = (check.operand_type(0), check.operand_type(1));
    let result = check.result_type(0);
    if container != result {
        let message = "failed to verify that all of {container, res} have same type";
        return Err(check.error(message));
    }
    let found = verify_position(check, container)?;
    check.ensure(
        found == value,
        format_args!(
            "Type mismatch: cannot insert '{}' into '{}'",
            check.show(value),
            check.show(container)
        ),
    )
}

/// The type of the field at the operation's position.
fn verify_position(check: &Check, container: Type) -> Result<Type, Diagnostic> {
    let ctx = check.ctx();
    let found = field(ctx, container, &position(ctx, check.data()));
    found.map_err(|why| check.error(no_field(ctx, &why)))
}
