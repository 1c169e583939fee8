//! `specialize-function`: specializes a function to known argument types and values.
//!
//! ```text
//! func.func @f(%x: memref<?xf32>, %n: index) {      func.func @f(%x: memref<8xf32>, %n: index) {
//!                                                     %c = arith.constant 8 : index
//!                                                     %ok = arith.cmpi eq, %n, %c : index
//!                                                     cf.assert %ok, "…"
//!                                              ⇒      %y = memref.cast %x : memref<8xf32> to memref<?xf32>
//!   affine.for %i = 0 to %n {                         affine.for %i = 0 to %c {
//!     %v = affine.load %x[%i] : memref<?xf32>           %v = affine.load %x[%i] : memref<8xf32>
//!   call @g(%x)                                       call @g(%y)
//! ```
//!
//! Canonicalization carries the sizes on: to `memref.dim`, to allocations, views and bounds of loops,
//! and through `inline` into what the function calls.
//!
//! Legal for any caller: the new types admit no other sizes, and the assertion no other values. So
//! callers outside of the module have to pass such arguments; calls inside of it go to a private
//! copy of the original function.
//!
//! Refused, with nothing changed, where the function has no body, where something other than a call
//! refers to it, or where a type is none that `memref.cast` turns into the parameter's.

use gridloom_dialects::arith::{CmpIOp, CmpIPredicate};
use gridloom_dialects::func::{self, CallOp};
use gridloom_dialects::memref::CastOp;
use gridloom_dialects::{affine, cf, inherent, memref};
use gridloom_ir::module::references;
use gridloom_ir::text::type_string;
use gridloom_ir::types::{DYNAMIC, MemRefType, Signedness};
use gridloom_ir::{
    BlockId, Body, Builder, Context, Diagnostics, Ident, InsertPoint, Module, OpId, OpState, Type,
    TypeKind, Value,
};

use crate::functions::free_name;

/// Suffix of the private copy that calls inside of the module use.
const GENERAL_SUFFIX: &str = "__general";

/// Knowledge of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KnownArgument {
    /// Nothing beyond the parameter's type.
    Nothing,
    /// The memref type of the argument, which a `memref.cast` turns into the parameter's.
    Type(Type),
    /// The value of an integer argument.
    Value(i64),
}

/// Specializes a function to known arguments, one entry for each parameter. Returns whether it did.
pub fn specialize_function(
    ctx: &Context,
    module: &mut Module,
    name: Ident,
    arguments: &[KnownArgument],
) -> bool {
    let Some(function) = module.symbols(ctx).get(name) else {
        return false;
    };
    let Some(inputs) = specialized_inputs(ctx, module, function, arguments) else {
        return false;
    };
    if is_referenced(ctx, module, name) && !keep_general(ctx, module, function, name) {
        return false;
    }
    let data = &mut module.body_mut()[function];
    let ty = data.get(ctx, inherent::FUNCTION_TYPE);
    let results = ty
        .and_then(|ty| ty.function(ctx))
        .map_or(&[][..], |ty| ty.1);
    let ty = ctx.type_attr(ctx.function_type(&inputs, results));
    data.set_property(ctx, inherent::FUNCTION_TYPE, ty);
    if let Some(body) = data.isolated_mut() {
        // Last argument first, so that assertions and casts come in argument order.
        for (number, &known) in arguments.iter().enumerate().rev() {
            match known {
                KnownArgument::Nothing => {}
                KnownArgument::Type(ty) => retype(ctx, body, number, ty),
                KnownArgument::Value(value) => fix_value(ctx, body, number, value),
            }
        }
    }
    true
}

/// Specializes a function to numbers given as pass options: the sizes of a memref, the value of an
/// integer, or `None`.
///
/// # Errors
/// There is no such function, or an argument does not fit its parameter.
pub fn specialize_to_numbers(
    ctx: &Context,
    module: &mut Module,
    name: &str,
    arguments: &[Option<Vec<i64>>],
) -> Result<bool, Diagnostics> {
    let refused = |loc, message| {
        let mut errors = Diagnostics::new();
        errors.error(loc, message);
        Err(errors)
    };
    let symbol = ctx.ident(name);
    let function = module.symbols(ctx).get(symbol);
    let inputs = function.and_then(|function| parameters(ctx, module, function));
    let (Some(function), Some(inputs)) = (function, inputs) else {
        let message = format!("there is no function '@{name}' with a body to specialize");
        return refused(module.op().loc, message);
    };
    let loc = module.body()[function].loc;
    if inputs.len() != arguments.len() {
        let (takes, given) = (inputs.len(), arguments.len());
        let message = format!(
            "'@{name}' has {takes} parameters, and {given} arguments are given; write one for each, \
             in order, with _ for what is not known"
        );
        return refused(loc, message);
    }
    let mut known = Vec::new();
    for (number, (&input, argument)) in inputs.iter().zip(arguments).enumerate() {
        let Some(numbers) = argument else {
            known.push(KnownArgument::Nothing);
            continue;
        };
        let found = match (input.memref(ctx), &numbers[..]) {
            (Some(memref), sizes) => with_sizes(ctx, memref, sizes).map(KnownArgument::Type),
            (None, &[value]) if is_signless(ctx, input) => Some(KnownArgument::Value(value)),
            _ => None,
        };
        let Some(found) = found else {
            let ty = type_string(ctx, input);
            let shown: Vec<String> = numbers.iter().map(i64::to_string).collect();
            let message = format!(
                "argument {number} of '@{name}', of type {ty}, cannot be '{}'",
                shown.join("x")
            );
            return refused(loc, message);
        };
        known.push(found);
    }
    Ok(specialize_function(ctx, module, symbol, &known))
}

/// The types of the parameters of a function with a body.
fn parameters<'c>(ctx: &'c Context, module: &Module, function: OpId) -> Option<&'c [Type]> {
    let data = &module.body()[function];
    let body = data.isolated().filter(|_| data.name == func::FUNC)?;
    let (inputs, _) = data.get(ctx, inherent::FUNCTION_TYPE)?.function(ctx)?;
    let args = &body[body.entry()?].args;
    (args.len() == inputs.len()).then_some(inputs)
}

/// The memref type with dynamic sizes replaced by those of `shape`; `None` where the shape has
/// another rank or does not fit.
pub fn with_sizes(ctx: &Context, memref: &MemRefType, shape: &[i64]) -> Option<Type> {
    let fits = |(&size, &open): (&i64, &i64)| size >= 0 && (open == DYNAMIC || open == size);
    if shape.len() != memref.rank() || !shape.iter().zip(&memref.shape).all(fits) {
        return None;
    }
    let mut sized = memref.clone();
    sized.shape = shape.into();
    Some(ctx.intern_type(TypeKind::MemRef(sized)))
}

/// Whether `arith.constant` supports a type.
pub fn is_signless(ctx: &Context, ty: Type) -> bool {
    match ty.kind(ctx) {
        TypeKind::Index => true,
        TypeKind::Integer { signedness, .. } => *signedness == Signedness::Signless,
        _ => false,
    }
}

/// The specialized parameter types; `None` where nothing changes, or an argument does not fit.
fn specialized_inputs(
    ctx: &Context,
    module: &Module,
    function: OpId,
    arguments: &[KnownArgument],
) -> Option<Vec<Type>> {
    let inputs = parameters(ctx, module, function)?;
    if inputs.len() != arguments.len() {
        return None;
    }
    let specialized = inputs
        .iter()
        .zip(arguments)
        .map(|(&input, &known)| match known {
            KnownArgument::Nothing => Some(input),
            KnownArgument::Type(ty) => {
                let pair = ty.memref(ctx).zip(input.memref(ctx));
                let casts = pair.is_some_and(|(from, to)| memref::is_cast(ctx, from, to));
                casts.then_some(ty)
            }
            KnownArgument::Value(_) => is_signless(ctx, input).then_some(input),
        });
    let specialized: Vec<Type> = specialized.collect::<Option<_>>()?;
    let has_value = arguments
        .iter()
        .any(|known| matches!(known, KnownArgument::Value(_)));
    (has_value || specialized != inputs).then_some(specialized)
}

/// Whether any operation of the module refers to a symbol.
fn is_referenced(ctx: &Context, module: &Module, name: Ident) -> bool {
    let refers = |op: OpId| references(ctx, module.body(), op).contains(&name);
    module.ops().any(|(op, _)| refers(op))
}

/// Redirects all calls in a module from one function to another.
fn redirect_calls(ctx: &Context, module: &mut Module, from: Ident, to: Ident) {
    for (_, data) in module.body_mut().owners_mut() {
        let is_function = data.name == func::FUNC;
        let Some(body) = data.isolated_mut().filter(|_| is_function) else {
            continue;
        };
        for op in body.walk() {
            if body[op].name == func::CALL && CallOp(op).callee_name(ctx, body) == from {
                body[op].set_property(ctx, inherent::CALLEE, ctx.symbol_attr(to));
            }
        }
    }
}

/// Puts a private copy of a function behind it, and redirects the module's calls to the copy.
/// Returns false, without changes, where something other than a call refers to the function.
fn keep_general(ctx: &Context, module: &mut Module, function: OpId, name: Ident) -> bool {
    let symbols = module.symbols(ctx);
    let wanted = format!("{}{GENERAL_SUFFIX}", ctx.str(name));
    let general = free_name(ctx, |name| symbols.contains(name), &wanted);
    redirect_calls(ctx, module, name, general);
    if is_referenced(ctx, module, name) {
        redirect_calls(ctx, module, general, name);
        return false;
    }
    let body = module.body_mut();
    let data = &body[function];
    let mut state = OpState::new(func::FUNC, data.loc);
    let text = ctx.string_attr(ctx.str(general));
    state.properties = data.properties;
    state.attributes = data.attributes;
    let copy = data.isolated().cloned();
    let state = state.property(ctx, inherent::SYM_NAME, text);
    let state = state.property(ctx, inherent::SYM_VISIBILITY, ctx.string_attr("private"));
    let op = body.create_op(state);
    if let Some(copy) = copy {
        body[op].set_isolated(copy);
    }
    body.insert_after(function, op);
    true
}

/// Changes the type of an argument: accesses use it directly, other uses a cast to the old type.
fn retype(ctx: &Context, body: &mut Body, number: usize, ty: Type) {
    let Some((entry, argument)) = argument(body, number) else {
        return;
    };
    let old = body.ty(argument);
    if old == ty {
        return;
    }
    let others: Vec<OpId> = (body.walk().into_iter())
        .filter(|&op| !is_access(body, op) && body[op].operands.contains(&argument))
        .collect();
    body.set_type(argument, ty);
    if others.is_empty() {
        return;
    }
    let loc = body[argument].loc;
    let mut b = Builder::new(ctx, body, InsertPoint::Start(entry), loc);
    let cast = CastOp::create(&mut b, argument, old);
    replace_in(body, &others, argument, cast);
}

/// Replaces an argument's uses by a constant, and asserts that the argument equals it.
fn fix_value(ctx: &Context, body: &mut Body, number: usize, value: i64) {
    let Some((entry, argument)) = argument(body, number) else {
        return;
    };
    let users: Vec<OpId> = (body.walk().into_iter())
        .filter(|&op| body[op].operands.contains(&argument))
        .collect();
    if users.is_empty() {
        return;
    }
    let (ty, loc) = (body.ty(argument), body[argument].loc);
    let mut b = Builder::new(ctx, body, InsertPoint::Start(entry), loc);
    let constant = b.constant(ctx.int_attr(ty, value), ty);
    let is_equal = CmpIOp::create(&mut b, CmpIPredicate::Eq, argument, constant);
    let message =
        format!("argument {number} is not {value}, for which the function was specialized");
    let assertion = b.state(cf::ASSERT).operands(&[is_equal]);
    b.create(assertion.property(ctx, inherent::MSG, ctx.string_attr(&message)));
    replace_in(body, &users, argument, constant);
}

fn argument(body: &Body, number: usize) -> Option<(BlockId, Value)> {
    let entry = body.entry()?;
    Some((entry, *body[entry].args.get(number)?))
}

fn replace_in(body: &mut Body, ops: &[OpId], from: Value, to: Value) {
    for &op in ops {
        for operand in &mut body[op].operands {
            if *operand == from {
                *operand = to;
            }
        }
    }
}

/// Whether an operation accepts a memref of any sizes and layout.
fn is_access(body: &Body, op: OpId) -> bool {
    matches!(
        body[op].name,
        affine::LOAD | affine::STORE | memref::LOAD | memref::STORE | memref::DIM
    )
}
