//! Verifiers of functions, calls and returns.

use gridloom_ir::attr::{Attr, AttrKind};
use gridloom_ir::attr_names;
use gridloom_ir::body::{Body, OpData};
use gridloom_ir::context::{Context, Ident};
use gridloom_ir::diag::Diagnostic;
use gridloom_ir::types::Type;
use gridloom_ir::verify::{Check, Checked};

/// The function type of an operation that may itself be invalid.
pub(crate) fn signature_of<'c>(ctx: &'c Context, op: &OpData) -> Option<(&'c [Type], &'c [Type])> {
    op.attr(ctx, attr_names::FUNCTION_TYPE)?
        .as_type(ctx)?
        .function(ctx)
}

/// Verifies a function: entry block arguments match its type; a declaration is
/// not public.
pub(super) fn verify_func(check: &Check) -> Checked {
    let (ctx, data) = (check.ctx(), check.data());
    let inputs = signature_of(ctx, data).map_or(&[][..], |(inputs, _)| inputs);
    let defined = data.isolated().filter(|body| body.entry().is_some());
    let Some(body) = defined else {
        let visibility = data
            .attr(ctx, attr_names::SYM_VISIBILITY)
            .and_then(|v| v.as_str(ctx));
        check.ensure(
            !matches!(visibility, None | Some("public")),
            "symbol declaration cannot have public visibility",
        )?;
        return verify_argument_attrs(check);
    };
    verify_argument_attrs(check)?;
    verify_entry(check, body, inputs)
}

/// Verifies argument and result attributes: one dictionary each, with
/// dialect-prefixed names.
pub(crate) fn verify_argument_attrs(check: &Check) -> Checked {
    let (ctx, data) = (check.ctx(), check.data());
    let Some((inputs, results)) = signature_of(ctx, data) else {
        return Ok(());
    };
    let lists = [
        (attr_names::ARG_ATTRS, "argument", inputs.len()),
        (attr_names::RES_ATTRS, "result", results.len()),
    ];
    for (name, what, expected) in lists {
        let Some(dicts) = data.attr(ctx, name).and_then(|dicts| dicts.as_array(ctx)) else {
            continue;
        };
        let found = dicts.len();
        check.ensure(
            found == expected,
            format_args!(
                "expects {what} attribute array to have the same number of elements as \
                 the number of function {what}s, got {found}, but expected {expected}"
            ),
        )?;
        let of_dialects = |dict: &Attr| match dict.kind(ctx) {
            AttrKind::Dict(dict) => {
                let mut names = dict.entries(ctx).iter().map(|entry| ctx.str(entry.0));
                names.all(|name| name.contains('.'))
            }
            _ => true,
        };
        check.ensure(
            dicts.iter().all(of_dialects),
            format_args!("{what}s may only have dialect attributes"),
        )?;
    }
    Ok(())
}

/// Verifies that the entry block's arguments match the parameters.
pub(crate) fn verify_entry(check: &Check, body: &Body, inputs: &[Type]) -> Checked {
    let Some(entry) = body.entry() else {
        return Ok(());
    };
    let args = &body[entry].args;
    check.ensure(
        args.len() == inputs.len(),
        format_args!(
            "entry block must have {} arguments to match function signature",
            inputs.len()
        ),
    )?;
    for (index, (&arg, &input)) in args.iter().zip(inputs).enumerate() {
        if body.ty(arg) != input {
            return Err(check.error(format!(
                "type of entry block argument #{index}('{}') must match the type of the \
                 corresponding argument in function signature('{}')",
                check.show(body.ty(arg)),
                check.show(input)
            )));
        }
    }
    Ok(())
}

pub(super) fn verify_return(check: &Check) -> Checked {
    let ctx = check.ctx();
    let Some(function) = check.parent() else {
        return Ok(());
    };
    let Some((_, results)) = signature_of(ctx, function.data()) else {
        return Ok(());
    };
    let name = || {
        let name = function.data().symbol_name(ctx);
        name.map_or("", |name| ctx.str(name))
    };
    let operands = check.data().operands.len();
    if operands != results.len() {
        let (name, expected) = (name(), results.len());
        return Err(check.error(format!(
            "has {operands} operands, but enclosing function (@{name}) returns {expected}"
        )));
    }
    for (index, (operand, &result)) in check.operand_types().zip(results).enumerate() {
        if operand != result {
            let message = format!(
                "type of return operand {index} ('{}') doesn't match function result type ('{}') in function @{}",
                check.show(operand),
                check.show(result),
                name()
            );
            return Err(Diagnostic::error(check.data().loc, message));
        }
    }
    Ok(())
}

/// The function that a flat symbol resolves to.
fn callee<'a>(check: &Check<'a>, symbol: Ident) -> Option<Check<'a>> {
    let found = check.lookup(symbol)?;
    (found.name() == super::FUNC).then_some(found)
}

pub(super) fn verify_call(check: &Check) -> Checked {
    let ctx = check.ctx();
    let symbol = super::CallOp(check.op).callee_name(ctx, check.body());
    let Some(function) = callee(check, symbol) else {
        let name = ctx.str(symbol);
        return Err(check.error(format!("'{name}' does not reference a valid function")));
    };
    let Some((inputs, results)) = signature_of(ctx, function.data()) else {
        return Ok(());
    };
    check.ensure(
        check.data().operands.len() == inputs.len(),
        "incorrect number of operands for callee",
    )?;
    for (index, (operand, &input)) in check.operand_types().zip(inputs).enumerate() {
        if operand != input {
            return Err(check.error(format!(
                "operand type mismatch: expected operand type '{}', but provided '{}' for operand number {index}",
                check.show(input),
                check.show(operand)
            )));
        }
    }
    check.ensure(
        check.data().num_results() == results.len(),
        "incorrect number of results for callee",
    )?;
    let differs = |(given, &expected): (Type, &Type)| given != expected;
    let Some(index) = check.result_types().zip(results).position(differs) else {
        return Ok(());
    };
    let list = |types: &mut dyn Iterator<Item = Type>| {
        let shown: Vec<String> = types.map(|ty| format!("'{}'", check.show(ty))).collect();
        shown.join(", ")
    };
    let given = list(&mut check.result_types());
    let expected = list(&mut results.iter().copied());
    let loc = check.data().loc;
    Err(check
        .error(format!("result type mismatch at index {index}"))
        .with_note(loc, format!("      op result types: {given}"))
        .with_note(loc, format!("function result types: {expected}")))
}

pub(super) fn verify_constant(check: &Check) -> Checked {
    let ctx = check.ctx();
    let symbol = check
        .data()
        .attr(ctx, "value")
        .and_then(|value| value.as_flat_symbol(ctx));
    let Some(function) = symbol.and_then(|symbol| callee(check, symbol)) else {
        let name = symbol.map_or("", |symbol| ctx.str(symbol));
        return Err(check.error(format!("reference to undefined function '{name}'")));
    };
    let ty = function
        .data()
        .attr(ctx, attr_names::FUNCTION_TYPE)
        .and_then(|ty| ty.as_type(ctx));
    check.ensure(
        ty == Some(check.result_type(0)),
        "reference to function with mismatched type",
    )
}
