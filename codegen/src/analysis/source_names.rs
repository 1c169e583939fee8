//! Names of values in the source: the IR does not store names of SSA values, so they are read from
//! the source text.

use gridloom_dialects::memref;
use gridloom_ir::diag::place;
use gridloom_ir::{Body, Context, OpId, Value};

use crate::analysis::dependence::witness::counters_of;
use crate::analysis::values::Atom;

/// Source name of an atom: `%i`, `dim(%a, 0)`. Arguments of functions are `%arg0`, `%arg1` and so
/// on, as the program is printed.
pub(crate) fn atom_name(ctx: &Context, body: &Body, atom: Atom) -> String {
    match atom {
        Atom::Value(value) => value_name(ctx, body, value),
        Atom::Extent(memref, dim) => format!("dim({}, {dim})", value_name(ctx, body, memref)),
        Atom::Fresh(_) | Atom::Touched(..) | Atom::Lane(..) => "a number".to_owned(),
    }
}

/// The source name of a value.
pub(crate) fn value_name(ctx: &Context, body: &Body, value: Value) -> String {
    let value = before_separation(body, value);
    if let Some(op) = body.defining_op(value) {
        return result_name(ctx, body, op).unwrap_or_else(|| "a value".to_owned());
    }
    let block = body.value_block(value);
    match block.and_then(|block| body.block_parent_op(block)) {
        Some(op) => argument_name(ctx, body, op, value).unwrap_or_else(|| {
            let is_counter = body.ty(value).is_index(ctx);
            let what = if is_counter {
                "a counter"
            } else {
                "a block argument"
            };
            what.to_owned()
        }),
        None => {
            let args = block.map_or(&[][..], |block| &body[block].args[..]);
            let number = args.iter().position(|&arg| arg == value).unwrap_or(0);
            format!("%arg{number}")
        }
    }
}

/// The value behind any `memref.distinct_objects` that separates arguments.
fn before_separation(body: &Body, mut value: Value) -> Value {
    while let Some(op) = body.defining_op(value) {
        if body[op].name != memref::DISTINCT_OBJECTS {
            break;
        }
        let results = (0..body[op].num_results()).map(|number| body[op].result(number));
        let operand = results.into_iter().position(|result| result == value);
        match operand.and_then(|number| body[op].operands.get(number)) {
            Some(&source) => value = source,
            None => break,
        }
    }
    value
}

/// The name `%x` in the source line `%x = …` of an operation.
pub(crate) fn result_name(ctx: &Context, body: &Body, op: OpId) -> Option<String> {
    let line = place(ctx, body[op].loc, 1)?.line?;
    let text = String::from_utf8_lossy(&line.bytes).into_owned();
    let text = text.trim_start();
    text.starts_with('%').then(|| identifiers(text).next())?
}

/// The name of a block argument in its operation's source line: `%i` of `affine.for %i = …`, or one
/// of `affine.parallel (%i, %j) = …`.
fn argument_name(ctx: &Context, body: &Body, op: OpId, value: Value) -> Option<String> {
    let number = counters_of(body, op)
        .iter()
        .position(|&counter| counter == value)?;
    counter_name(ctx, body, op, number)
}

/// The name of a loop's first counter; `None` where the loop's source is not available.
pub(crate) fn first_counter_name(ctx: &Context, body: &Body, op: OpId) -> Option<String> {
    counter_name(ctx, body, op, 0)
}

fn counter_name(ctx: &Context, body: &Body, op: OpId, number: usize) -> Option<String> {
    let line = place(ctx, body[op].loc, 1)?.line?;
    let from = (line.col as usize).saturating_sub(1).min(line.bytes.len());
    let text = String::from_utf8_lossy(&line.bytes[from..]).into_owned();
    // The generic form names a counter on another line.
    if text.starts_with('"') {
        return None;
    }
    let keyword = ["for", "parallel"]
        .iter()
        .filter_map(|word| text.find(word))
        .min()?;
    identifiers(&text[keyword..]).nth(number)
}

/// The names of values in a text, in order.
fn identifiers(text: &str) -> impl Iterator<Item = String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_$.-".contains(c);
    text.split('%').skip(1).map(move |rest| {
        let end = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
        format!("%{}", &rest[..end])
    })
}
