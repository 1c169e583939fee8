//! The custom form of `affine.parallel`.

use crate::arith::ATOMIC_RMW_KIND;
use gridloom_ir::affine::{AffineExpr, AffineMap};
use gridloom_ir::attr::{Attr, AttrKind, Int};
use gridloom_ir::body::{Body, OpId, Value};
use gridloom_ir::context::Context;
use gridloom_ir::text::{
    Delimiter, ExprOperands, OpParser, OpPrinter, Operands, ParseFailed, Tok, case_name,
};
use gridloom_ir::types::TypeKind;

use super::YIELD;

type Parsed<T = ()> = Result<T, ParseFailed>;

/// Bounds of all dimensions: a map, the number of its results for each dimension, and its operands.
struct Bounds<'s> {
    map: AffineMap,
    groups: Vec<Int>,
    operands: Operands<'s>,
}

/// `affine.parallel (%i, %j) = (0, max(%a, %b)) to (%n, 10) step (1, 2)
/// reduce ("addf") -> (f32) {…}`
pub(super) fn parse(p: &mut OpParser<'_, '_>) -> Parsed {
    let ctx = p.ctx();
    let index = ctx.index_type();
    let variables = p.argument_names()?;
    p.expect(Tok::Equal)?;
    let lower = parse_bounds(p, "max")?;
    p.expect_keyword("to")?;
    let upper = parse_bounds(p, "min")?;
    let mut steps = vec![1; variables.len()];
    if p.eat_keyword("step") {
        steps = parse_steps(p)?;
    }
    let reductions = if p.eat_keyword("reduce") {
        parse_reductions(p)?
    } else {
        Vec::new()
    };
    let types = p.optional_arrow_types()?;
    p.add_results(&types);
    p.set_property("reductions", ctx.array_attr(&reductions));
    let steps: Vec<Attr> = steps.into_iter().map(|s| ctx.i64_attr(s)).collect();
    p.set_property("steps", ctx.array_attr(&steps));
    for (map, groups, bounds) in [
        ("lowerBoundsMap", "lowerBoundsGroups", &lower),
        ("upperBoundsMap", "upperBoundsGroups", &upper),
    ] {
        p.set_property(map, ctx.map_attr(bounds.map));
        let ty = ctx.tensor_type(&[bounds.groups.len() as i64], ctx.int_type(32));
        p.set_property(groups, ctx.dense_ints_attr(ty, &bounds.groups));
        p.add_operands(&bounds.operands, index)?;
    }
    let args: Vec<_> = variables.iter().map(|&v| p.named(v, index)).collect();
    p.region_tail(&args, |p, args| p.ended_region(args, YIELD))
}

/// `(0, max(%a, %b + 1))`
fn parse_bounds<'s>(p: &mut OpParser<'_, 's>, combine: &str) -> Parsed<Bounds<'s>> {
    let mut shared = ExprOperands::new();
    let mut results: Vec<AffineExpr> = Vec::new();
    let mut groups = Vec::new();
    p.list(Delimiter::Paren, |p| {
        let before = results.len();
        if p.eat_keyword(combine) {
            p.list(Delimiter::Paren, |p| {
                results.push(p.affine_expr(&mut shared)?);
                Ok(())
            })?;
        } else {
            results.push(p.affine_expr(&mut shared)?);
        }
        groups.push(Int::Small((results.len() - before) as i128));
        Ok(())
    })?;
    let (map, operands) = shared.into_map(p.ctx(), &results);
    Ok(Bounds {
        map,
        groups,
        operands,
    })
}

fn parse_steps(p: &mut OpParser<'_, '_>) -> Parsed<Vec<i64>> {
    let mut steps = Vec::new();
    p.list(Delimiter::Paren, |p| {
        let place = p.place();
        if p.at(Tok::Percent) {
            return Err(p.error_at(p.op_place(), "steps must be constant integers"));
        }
        let step = p.integer("a step")?;
        if step <= 0 {
            return Err(p.error_at(
                place,
                "expected step to be representable as a positive signed integer",
            ));
        }
        steps.push(step);
        Ok(())
    })?;
    Ok(steps)
}

/// `("addf", "mulf")`
fn parse_reductions(p: &mut OpParser<'_, '_>) -> Parsed<Vec<Attr>> {
    let mut kinds = Vec::new();
    p.list(Delimiter::Paren, |p| {
        let place = p.place();
        let name = p.string("a reduction")?;
        let name = p.ctx().str(name);
        match ATOMIC_RMW_KIND.cases.iter().find(|(n, _)| *n == name) {
            Some(&(_, value)) => kinds.push(p.ctx().i64_attr(value)),
            None => {
                let message = format!("invalid reduction value: \"{name}\"");
                return Err(p.error_at(place, message));
            }
        }
        Ok(())
    })?;
    Ok(kinds)
}

/// Whether the custom form round-trips: the groups must be lists as the reader makes them, since
/// the form has no place for another shape.
pub(super) fn form_is_lossless(ctx: &Context, body: &Body, op: OpId) -> bool {
    ["lowerBoundsGroups", "upperBoundsGroups"]
        .iter()
        .all(|name| {
            let groups = body[op].attr(ctx, name).map(|groups| groups.kind(ctx));
            let Some(AttrKind::Dense { ty, .. }) = groups else {
                return false;
            };
            let shape = match ty.kind(ctx) {
                TypeKind::RankedTensor { shape, .. } => &shape[..],
                _ => &[],
            };
            shape.len() == 1 && *ty == ctx.tensor_type(shape, ctx.int_type(32))
        })
}

pub(super) fn print(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    let Some(entry) = body.region_block(op, 0) else {
        return;
    };
    let parallel = super::ParallelOp(op);
    p.text(" (");
    p.values(&body[entry].args);
    p.text(") = (");
    let (lower, upper) = (parallel.lower(ctx, body), parallel.upper(ctx, body));
    let groups = parallel.lower_groups(ctx, body);
    print_bounds(p, ctx, (lower.map, lower.operands), &groups, "max(");
    p.text(") to (");
    let groups = parallel.upper_groups(ctx, body);
    print_bounds(p, ctx, (upper.map, upper.operands), &groups, "min(");
    p.text(")");
    let steps = parallel.steps(ctx, body);
    if steps.iter().any(|&step| step != 1) {
        p.text(" step (");
        p.separated(&steps, |p, &step| p.int_text(step));
        p.text(")");
    }
    let types: Vec<_> = data.results().map(|v| body.ty(v)).collect();
    if !types.is_empty() {
        p.text(" reduce (");
        p.separated(&parallel.reductions(ctx, body), |p, &kind| {
            p.string(&case_name(&ATOMIC_RMW_KIND, kind).unwrap_or_default());
        });
        p.text(") -> (");
        p.types(&types);
        p.text(")");
    }
    p.text(" ");
    p.region(body, op, 0, false, !types.is_empty());
    p.attr_dict(body, op, &SPELLED);
}

const SPELLED: [&str; 6] = [
    "reductions",
    "lowerBoundsMap",
    "lowerBoundsGroups",
    "upperBoundsMap",
    "upperBoundsGroups",
    "steps",
];

fn print_bounds(
    p: &mut OpPrinter<'_>,
    ctx: &Context,
    (map, operands): (AffineMap, &[Value]),
    groups: &[i32],
    combine: &str,
) {
    let mut rest = map.results(ctx);
    for (index, &group) in groups.iter().enumerate() {
        let Some((mine, others)) = rest.split_at_checked(group.max(0) as usize) else {
            return;
        };
        rest = others;
        if index > 0 {
            p.text(", ");
        }
        let part = ctx.affine_map(map.num_dims(ctx) as u32, map.num_symbols(ctx) as u32, mine);
        if group == 1 {
            p.map_of_values(part, operands);
        } else {
            p.text(combine);
            p.map_of_values(part, operands);
            p.text(")");
        }
    }
}
