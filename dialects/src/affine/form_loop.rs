//! Custom form of `affine.for`.

use smallvec::{SmallVec, smallvec};

use gridloom_ir::affine::{AffineExprKind, AffineMap};
use gridloom_ir::attr::{Attr, AttrKind};
use gridloom_ir::attr_names;
use gridloom_ir::body::{Body, OpId, Value};
use gridloom_ir::context::Context;
use gridloom_ir::text::{Argument, OpParser, OpPrinter, Operands, ParseFailed, Tok};

use super::YIELD;
use super::form::{check_counts, map_attr};

type Parsed<T = ()> = Result<T, ParseFailed>;

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
    // Sorted by name, so that the dictionary need not be.
    p.set_property(attr_names::LOWER_BOUND_MAP, ctx.map_attr(lower.0));
    p.set_operand_segments(&counts.map(|n| n as i32));
    p.set_property(attr_names::STEP, ctx.index_attr(step));
    p.set_property(attr_names::UPPER_BOUND_MAP, ctx.map_attr(upper.0));
    p.region_tail(&args, |p, args| p.ended_region(args, YIELD))
}

/// Parses a bound: a number, a value, or a map with operands, where the keyword `prefix` combines
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

/// Returns the number of an integer attribute, sign-extended: `true` is -1.
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
