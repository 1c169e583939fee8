//! The `async` dialect: asynchronous regions, and waits for their tokens and values.
//!
//! There are no rows for `async.func`, coroutines and the operations of the runtime, to which
//! passes of MLIR lower these.

use gridloom_ir::body::{Body, OpId};
use gridloom_ir::constraints::*;
use gridloom_ir::context::Context;
use gridloom_ir::op::{OpDef, Traits, TypeConstraint, TypeRule};
use gridloom_ir::symbols::{Parameter, SymbolDef, Symbols};
use gridloom_ir::text::{Delimiter, OpParser, OpPrinter, ParseFailed, Tok};
use gridloom_ir::types::{Type, TypeKind};
use gridloom_ir::verify::{Check, Checked};

/// The types of the dialect.
pub(crate) static SYMBOLS: Symbols = Symbols {
    dialect: "async",
    types: &[
        SymbolDef::plain("coro.handle"),
        SymbolDef::plain("coro.id"),
        SymbolDef::plain("coro.state"),
        SymbolDef::plain("group"),
        SymbolDef::plain("token"),
        SymbolDef::list("value", &[Parameter::Type]),
    ],
    attrs: &[],
};

fn plain(ctx: &Context, body: &str) -> Type {
    ctx.intern_type(TypeKind::Dialect {
        dialect: ctx.ident("async"),
        body: ctx.ident(body),
    })
}

/// Whether a type is one of this dialect.
pub fn is_type(ctx: &Context, ty: Type) -> bool {
    match *ty.kind(ctx) {
        TypeKind::Dialect { dialect, .. } => dialect == ctx.ident("async"),
        _ => value_type(ctx, ty).is_some(),
    }
}

/// `!async.token`: the completion of a region.
pub fn token(ctx: &Context) -> Type {
    plain(ctx, ".token")
}

/// `!async.group`: tokens and values that are waited for together.
pub fn group(ctx: &Context) -> Type {
    plain(ctx, ".group")
}

/// The type that `!async.value` holds.
pub fn value_type(ctx: &Context, ty: Type) -> Option<Type> {
    ty.params(ctx, "async", "value")?.first()?.as_type(ctx)
}

/// `!async.value<T>`: a value that an asynchronous region computes.
fn value_of(ctx: &Context, ty: Type) -> Type {
    ctx.parametric_type("async", "value", &[ctx.type_attr(ty)])
}

const TOKEN: TypeConstraint = TypeConstraint {
    summary: "async token type",
    check: |c, t| t == token(c),
    build: Some(token),
    class: None,
};

const GROUP: TypeConstraint = TypeConstraint {
    summary: "async group type",
    check: |c, t| t == group(c),
    build: Some(group),
    class: None,
};

const VALUE: TypeConstraint =
    TypeConstraint::new("async value type", |c, t| value_type(c, t).is_some());

const VALUE_OR_TOKEN: TypeConstraint =
    TypeConstraint::new("async value type or async token type", |c, t| {
        t == token(c) || value_type(c, t).is_some()
    });

dialect_ops! {
    after super::spirv::arm::END;
    /// `async.add_to_group`: adds a token or value to a group, and gives its place there.
    ADD_TO_GROUP = OpDef::new("async.add_to_group")
        .operands(&[one("operand", VALUE_OR_TOKEN), one("group", GROUP)])
        .results(&[one("rank", INDEX)])
        .format("$operand `,` $group `:` type($operand) attr-dict");
    /// `async.await`: waits for a token or a value, which it gives.
    AWAIT = OpDef::new("async.await")
        .operands(&[one("operand", VALUE_OR_TOKEN)])
        .results(&[maybe("result", ANY)])
        .infer(&[TypeRule::Infer(|known| {
            Ok(Vec::from_iter(value_type(known.ctx, known.operands[0])))
        })])
        .format("$operand `:` type($operand) attr-dict");
    /// `async.await_all`: waits for all of a group.
    AWAIT_ALL = OpDef::new("async.await_all")
        .operands(&[one("operand", GROUP)])
        .format("$operand attr-dict");
    /// `async.create_group`: a group for this many tokens and values.
    CREATE_GROUP = OpDef::new("async.create_group")
        .operands(&[one("size", INDEX)])
        .results(&[one("result", GROUP)])
        .format("$size `:` type($result) attr-dict");
    /// `async.execute`: a region that may run concurrently with the operations after it, once its
    /// dependencies are complete.
    EXECUTE = OpDef::new("async.execute")
        .with(Traits::ATTR_SIZED_OPERANDS)
        .operands(&[many("dependencies", TOKEN), many("bodyOperands", VALUE_OR_TOKEN)])
        .results(&[one("token", TOKEN), many("bodyResults", VALUE)])
        .regions(1)
        .terminator("async.yield")
        .custom(parse_execute, print_execute)
        .verify(verify_execute);
    /// `async.yield`: ends a region with the values that it gives.
    YIELD = OpDef::new("async.yield")
        .with(Traits::PURE)
        .with(Traits::RETURN_LIKE)
        .with(Traits::TERMINATOR)
        .operands(&[many("operands", ANY)])
        .parents(&["async.execute"])
        .format("($operands^ `:` type($operands))? attr-dict");
}

/// `[%token] (%value as %x: !async.value<f32>) -> !async.value<i32> {…}`
fn parse_execute(p: &mut OpParser<'_, '_>) -> Result<(), ParseFailed> {
    let ctx = p.ctx();
    let mut count = 0;
    if p.at(Tok::LSquare) {
        let waits = p.operand_list(Delimiter::Square)?;
        p.add_operands(&waits, token(ctx))?;
        count = waits.len() as i32;
    }
    let mut args = Vec::new();
    if p.eat(Tok::LParen) {
        loop {
            let operand = p.operand()?;
            p.expect_keyword("as")?;
            let name = p.argument_name()?;
            let ty = p.colon_type()?;
            let place = p.place();
            p.add_operand(operand, ty)?;
            let Some(held) = value_type(ctx, ty) else {
                return Err(p.error_at(place, "expected an async value"));
            };
            args.push(p.named(name, held));
            if !p.eat(Tok::Comma) {
                break;
            }
        }
        p.expect(Tok::RParen)?;
    }
    let results = p.optional_arrow_types()?;
    p.add_result(token(ctx));
    p.add_results(&results);
    p.set_operand_segments(&[count, args.len() as i32]);
    p.attr_dict_with_keyword()?;
    p.region(&args)
}

fn print_execute(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    let (waits, operands) = (data.operand_segment(ctx, 0), data.operand_segment(ctx, 1));
    if !waits.is_empty() {
        p.text(" [");
        p.values(waits);
        p.text("]");
    }
    let args = body.region_block(op, 0).map(|block| &body[block].args[..]);
    if !operands.is_empty() {
        p.text(" (");
        let pairs = operands.iter().zip(args.unwrap_or(&[]));
        for (at, (&operand, &arg)) in pairs.enumerate() {
            p.text(if at > 0 { ", " } else { "" });
            p.value(operand);
            p.text(" as ");
            p.value(arg);
            p.text(": ");
            p.types_of(body, &[operand]);
        }
        p.text(")");
    }
    let results: Vec<Type> = data
        .results()
        .skip(1)
        .map(|result| body.ty(result))
        .collect();
    p.optional_arrow_types(&results);
    p.attr_dict_with_keyword(body, op, &["operandSegmentSizes"]);
    p.text(" ");
    p.region(body, op, 0, false, true);
}

/// Checks that the region takes the types that the operands hold, and yields those that the results
/// hold.
fn verify_execute(check: &Check) -> Checked {
    let (ctx, body) = (check.ctx(), check.body());
    let Some(block) = body.region_block(check.op, 0) else {
        return Err(check.error("expected a region with one block"));
    };
    let operands = check.data().operand_segment(ctx, 1).iter();
    let held = operands.map(|&value| value_type(ctx, body.ty(value)));
    let args = body[block].args.iter().map(|&arg| Some(body.ty(arg)));
    check.ensure(
        held.eq(args),
        "async body region argument types do not match the execute operation arguments types",
    )?;
    let given = body[block].last().filter(|&last| body[last].name == YIELD);
    let given = given.map_or(&[][..], |last| &body[last].operands);
    let given = given.iter().map(|&value| value_of(ctx, body.ty(value)));
    let results = check.data().results().skip(1).map(|result| body.ty(result));
    check.ensure(
        given.eq(results),
        "operand types of 'async.yield' do not match the types returned from the parent ExecuteOp",
    )
}
