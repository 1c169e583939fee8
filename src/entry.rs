//! The entry function: which one it is, and its form for arguments as a run makes them.
//!
//! ```text
//! func.func @f(%x: memref<?xf32, strided<[?],        func.func @f(%x: memref<?xf32>) {
//!                              offset: ?>>) {    ⇒      %y = memref.cast %x : memref<?xf32>
//!   %v = affine.load %x[%i]                                       to memref<?xf32, strided<…>>
//!   call @g(%x)                                         %v = affine.load %x[%i]
//!                                                       call @g(%y)
//! ```
//!
//! Bufferization leaves strides and offsets of arguments open, so that nothing is
//! known of which indices are the same element. A run makes every buffer itself,
//! row-major from its start; the entry function that nobody else refers to can
//! take it as that.

use gridloom_codegen::transform::lower_vector_elements::type_of_scalars;
use gridloom_dialects::memref::CastOp;
use gridloom_dialects::{func, inherent};
use gridloom_ir::module::references;
use gridloom_ir::types::MemRefType;
use gridloom_ir::{
    AttrKind, Body, Builder, Context, Diagnostic, Diagnostics, InsertPoint, Module, OpId, Type,
    Value,
};

/// Gives arguments of open layout the row-major type, where nothing in the module
/// refers to the function.
pub fn take_row_major(ctx: &Context, module: &mut Module, entry: &str) {
    let name = ctx.ident(entry);
    let Some(function) = module.symbols(ctx).get(name) else {
        return;
    };
    let refers = |op: OpId| references(ctx, module.body(), op).contains(&name);
    if module.ops().any(|(op, _)| refers(op)) {
        return;
    }
    let data = &mut module.body_mut()[function];
    let ty = data.get(ctx, inherent::FUNCTION_TYPE);
    let ty = ty.and_then(|ty| ty.function(ctx));
    let Some((inputs, results)) = ty else { return };
    let mut inputs = inputs.to_vec();
    let Some(body) = data.isolated_mut() else {
        return;
    };
    for (number, input) in inputs.iter_mut().enumerate() {
        let plain = input.memref(ctx).and_then(|memref| row_major(ctx, memref));
        if let Some(plain) = plain {
            retype(ctx, body, number, plain);
            *input = plain;
        }
    }
    let ty = ctx.type_attr(ctx.function_type(&inputs, results));
    data.set_property(ctx, inherent::FUNCTION_TYPE, ty);
}

/// The row-major type that stands for one whose layout is open, if every buffer
/// that a run makes for that is row-major.
fn row_major(ctx: &Context, memref: &MemRefType) -> Option<Type> {
    let is_strided = matches!(memref.layout?.kind(ctx), AttrKind::Strided { .. });
    let is_plain = is_strided && memref.space.is_none();
    is_plain.then(|| memref.row_major_origin(ctx))?
}

/// Gives an argument another type: accesses take it as it is, other uses a cast
/// to the type that it had.
fn retype(ctx: &Context, body: &mut Body, number: usize, plain: Type) {
    let Some(entry) = body.entry() else { return };
    let Some(&argument) = body[entry].args.get(number) else {
        return;
    };
    let old = body.ty(argument);
    let others: Vec<OpId> = (body.walk().into_iter())
        .filter(|&op| !is_access(body, op) && uses(body, op, argument))
        .collect();
    body.set_type(argument, plain);
    if others.is_empty() {
        return;
    }
    let loc = body[argument].loc;
    let cast = CastOp::create(
        &mut Builder::new(ctx, body, InsertPoint::Start(entry), loc),
        argument,
        old,
    );
    for op in others {
        for operand in &mut body[op].operands {
            if *operand == argument {
                *operand = cast;
            }
        }
    }
}

fn uses(body: &Body, op: OpId, value: Value) -> bool {
    body[op].operands.contains(&value)
}

/// Whether an operation takes a memref of any layout.
fn is_access(body: &Body, op: OpId) -> bool {
    use gridloom_dialects::{affine, memref};
    matches!(
        body[op].name,
        affine::LOAD | affine::STORE | memref::LOAD | memref::STORE | memref::DIM
    )
}

/// The types of parameters and results.
type Signature = (Vec<Type>, Vec<Type>);

/// The function to run: that name, or the only public one. Errors go to `errors`.
pub fn choose_entry(
    ctx: &Context,
    module: &Module,
    entry: Option<&str>,
    errors: &mut Diagnostics,
) -> Option<(String, Signature)> {
    let body = module.body();
    let mut functions = Vec::new();
    for (op, _) in module.ops() {
        let Some(function) = func::FuncOp::cast(body, op) else {
            continue;
        };
        let name = ctx.str(function.name(ctx, body)).to_owned();
        let chosen = match entry {
            Some(entry) => entry == name,
            None => function.is_public(ctx, body) && !function.is_declaration(body),
        };
        if chosen {
            let (inputs, results) = function.signature(ctx, body);
            functions.push((name, (inputs.to_vec(), results.to_vec()), op));
        }
    }
    // The module around a file has no place of its own in it.
    let first = module.ops().next().map(|(op, _)| body[op].loc);
    let loc = first.unwrap_or(module.op().loc);
    match (&functions[..], entry) {
        ([_], _) => {}
        ([], Some(entry)) => errors.error(loc, format!("there is no function '@{entry}' to run")),
        ([], None) => errors.error(loc, "there is no public function with a body to run"),
        (all, _) => {
            let names: Vec<String> = all.iter().map(|f| format!("@{}", f.0)).collect();
            let start = Diagnostic::error(
                loc,
                format!(
                    "several functions could be run ({}); choose one with --entry",
                    names.join(", ")
                ),
            );
            errors.push(
                all.iter()
                    .fold(start, |d, f| d.with_note(body[f.2].loc, "this one")),
            );
        }
    }
    if errors.has_errors() {
        return None;
    }
    functions
        .pop()
        .map(|(name, signature, _)| (name, signature))
}

/// The types of a signature as arguments and results are seen: memrefs of vectors as those of
/// scalars.
pub fn of_scalars(ctx: &Context, types: &[Type]) -> Vec<Type> {
    // A type without a counterpart has been refused by now.
    let of_scalars = |&ty: &Type| type_of_scalars(ctx, ty).unwrap_or(ty);
    types.iter().map(of_scalars).collect()
}

/// Makes the entry function public: whoever runs it calls it from outside, so
/// inlining must not use it up.
pub fn make_public(ctx: &Context, module: &mut Module, entry: &str) {
    let op = module.symbols(ctx).get(ctx.ident(entry));
    if let Some(op) = op {
        let data = &mut module.body_mut()[op];
        data.properties = data.properties.without(ctx, ctx.ident("sym_visibility"));
    }
}
