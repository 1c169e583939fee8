//! Specialization of the entry function to the arguments of its runs.
//!
//! ```text
//! func.func @f(%x: memref<?xf32, strided<[?],        func.func @f(%x: memref<8xf32>) {
//!                              offset: ?>>) {    ⇒      %y = memref.cast %x : memref<8xf32>
//!   %v = affine.load %x[%i]                                       to memref<?xf32, strided<…>>
//!   call @g(%x)                                         %v = affine.load %x[%i]
//!                                                       call @g(%y)
//! ```
//!
//! Bufferization leaves strides and offsets of arguments open, so that analyses cannot tell which
//! indices are the same element. A run allocates every buffer itself, row-major from its start; so
//! the entry function can assume this layout.
//!
//! A run knows the sizes of memrefs, too, and the values of integers. A kernel of constant sizes
//! needs no versions for others, and has constant row starts, tile remainders and trip counts:
//! pools and depthwise convolutions take about half the time (benches/README.md has measurements).

use std::collections::HashSet;

use gridloom_codegen::transform::specialize_function::{
    KnownArgument, is_signless, specialize_function, with_sizes,
};
use gridloom_dialects::{affine, arith, cf, func, index, inherent, memref, scf, signature};
use gridloom_interp::ScalarKind;
use gridloom_interp::scalar::sext;
use gridloom_ir::body::Uses;
use gridloom_ir::types::{DYNAMIC, MemRefType};
use gridloom_ir::{AttrKind, Body, Context, Module, OpId, Type, TypeKind, Value};

use crate::host_value::HostValue;

/// Knowledge of each parameter of the entry function: for every run, and, where `inputs` are given,
/// for runs on arguments of their sizes. Empty where there is no such function.
pub(crate) fn known(
    ctx: &Context,
    module: &Module,
    entry: &str,
    inputs: Option<&[HostValue]>,
) -> Vec<KnownArgument> {
    let function = module.symbols(ctx).get(ctx.ident(entry));
    let data = function.map(|function| &module.body()[function]);
    let ty = data.and_then(|data| data.get(ctx, inherent::FUNCTION_TYPE)?.function(ctx));
    let body = data.and_then(|data| data.isolated());
    let (Some((types, _)), Some(body)) = (ty, body) else {
        return Vec::new();
    };
    let args = body.entry().map_or(&[][..], |entry| &body[entry].args);
    let values: Vec<Passed> = inputs.into_iter().flatten().flat_map(passed).collect();
    let parameters = types.iter().zip(args).enumerate();
    let known = parameters.map(|(number, (&ty, &arg))| {
        let value = values.get(number).unwrap_or(&Passed::Other);
        match ty.memref(ctx) {
            Some(memref) => known_memref(ctx, ty, memref, value),
            None => match value {
                Passed::Integer(value) if is_signless(ctx, ty) && is_size(ctx, body, arg) => {
                    KnownArgument::Value(*value)
                }
                _ => KnownArgument::Nothing,
            },
        }
    });
    known.collect()
}

/// Specializes the entry function to known arguments ([`known`]). Returns whether anything changed.
pub(crate) fn specialize(
    ctx: &Context,
    module: &mut Module,
    entry: &str,
    known: &[KnownArgument],
) -> bool {
    specialize_function(ctx, module, ctx.ident(entry), known)
}

/// Makes the initialised globals of a program private, which nothing else shares.
pub(crate) fn make_globals_private(ctx: &Context, module: &mut Module) {
    let globals = module.ops().filter(|(op, _)| {
        let global = memref::GlobalOp::cast(module.body(), *op);
        global.is_some_and(|global| global.initial_value(ctx, module.body()).is_some())
    });
    let globals: Vec<_> = globals.map(|(op, _)| op).collect();
    for op in globals {
        let private = ctx.string_attr("private");
        module.body_mut()[op].set_property(ctx, inherent::SYM_VISIBILITY, private);
    }
}

/// Knowledge that holds for every run: layouts without sizes.
pub(crate) fn of_any_run(ctx: &Context, module: &Module, entry: &str) -> Vec<KnownArgument> {
    known(ctx, module, entry, None)
}

/// Describes the first input that does not match the knowledge, with the required value.
pub(crate) fn first_misfit(
    ctx: &Context,
    known: &[KnownArgument],
    inputs: &[HostValue],
) -> Option<String> {
    let values = inputs.iter().enumerate();
    let values = values.flat_map(|(number, input)| passed(input).map(move |value| (number, value)));
    let mut pairs = known.iter().zip(values);
    pairs.find_map(|(&known, (number, value))| match (known, value) {
        (KnownArgument::Value(wanted), Passed::Integer(value)) if value != wanted => Some(format!(
            "the program was compiled for {wanted} as argument {number}, but {value} is given"
        )),
        (KnownArgument::Type(ty), Passed::Array(shape)) => {
            let memref = ty.memref(ctx)?;
            let fits = with_sizes(ctx, memref, &shape).is_some();
            (!fits).then(|| {
                let given = sizes(&shape);
                format!("the program was not compiled for {given} as argument {number}")
            })
        }
        _ => None,
    })
}

/// Describes a specialization, as in "argument 0 is 8x8, argument 2 is 5"; `None` where it adds
/// nothing to `parameters`, the types of the entry function before complex numbers are split.
pub(crate) fn described(
    ctx: &Context,
    parameters: &[Type],
    known: &[KnownArgument],
) -> Option<String> {
    let numbered = parameters.iter().enumerate().flat_map(|(number, &ty)| {
        let is_pair = matches!(ty.kind(ctx), TypeKind::Complex(_));
        std::iter::repeat_n((number, ty.memref(ctx)), 1 + usize::from(is_pair))
    });
    let words = known
        .iter()
        .zip(numbered)
        .filter_map(|(&known, (number, memref))| {
            let argument = format!("argument {number}");
            match (known, memref) {
                (KnownArgument::Type(ty), Some(memref)) if !memref.has_static_shape() => {
                    // The parts of complex numbers add a dimension.
                    let shape = ty.memref(ctx)?.shape.get(..memref.rank())?;
                    (!shape.contains(&DYNAMIC)).then(|| format!("{argument} is {}", sizes(shape)))
                }
                (KnownArgument::Value(value), _) => Some(format!("{argument} is {value}")),
                _ => None,
            }
        });
    let words: Vec<String> = words.collect();
    (!words.is_empty()).then(|| words.join(", "))
}

fn sizes(shape: &[i64]) -> String {
    let words: Vec<String> = shape.iter().map(i64::to_string).collect();
    words.join("x")
}

/// Input as the function takes it: two for a complex number.
#[derive(Clone, Debug)]
enum Passed {
    Array(Vec<i64>),
    Integer(i64),
    Other,
}

/// The values that [`Resident`](crate::Resident) passes for an input.
fn passed(input: &HostValue) -> impl Iterator<Item = Passed> + use<> {
    let first = match (&input.shape, input.kind()) {
        (Some(shape), _) => {
            // The parts of complex numbers are the innermost dimension.
            let parts = input.complex.then_some(2);
            Passed::Array(shape.iter().copied().chain(parts).collect())
        }
        (None, ScalarKind::Int(width)) => {
            let bits = input.elements.get(0);
            bits.map_or(Passed::Other, |bits| Passed::Integer(sext(bits, width)))
        }
        _ => Passed::Other,
    };
    let has_second = input.shape.is_none() && input.complex;
    std::iter::once(first).chain(has_second.then_some(Passed::Other))
}

/// Knowledge of a memref: that it is row-major, where its layout is open, and its sizes.
fn known_memref(ctx: &Context, ty: Type, memref: &MemRefType, value: &Passed) -> KnownArgument {
    let plain = row_major(ctx, memref).unwrap_or(ty);
    let sized = match value {
        Passed::Array(shape) => (plain.memref(ctx)).and_then(|plain| with_sizes(ctx, plain, shape)),
        _ => None,
    };
    match sized.unwrap_or(plain) {
        same if same == ty => KnownArgument::Nothing,
        other => KnownArgument::Type(other),
    }
}

/// The row-major type in place of one with an open layout, if every buffer that a run allocates for
/// it is row-major.
fn row_major(ctx: &Context, memref: &MemRefType) -> Option<Type> {
    let is_strided = matches!(memref.layout?.kind(ctx), AttrKind::Strided { .. });
    let is_plain = is_strided && memref.space.is_none();
    is_plain.then(|| memref.row_major_origin(ctx))?
}

/// Whether shapes and loops may follow from an argument: it is an `index`, or an integer that
/// becomes one, bounds a loop, decides of a branch between blocks or goes into a call, by itself,
/// through arithmetic, through what a loop carries or through a variable in memory. Other integers are data, so that a program
/// that runs on many of them keeps its kernels; booleans select a branch.
fn is_size(ctx: &Context, body: &Body, argument: Value) -> bool {
    let ty = body.ty(argument);
    if ty.is_index(ctx) {
        return true;
    }
    if ty == ctx.int_type(1) {
        return false;
    }
    let uses = body.uses();
    let mut seen = HashSet::from([argument]);
    let mut stack = vec![argument];
    while let Some(value) = stack.pop() {
        for user in uses.of(value) {
            let data = &body[user.op];
            match data.name {
                arith::INDEX_CAST | arith::INDEX_CASTUI | index::CASTS | index::CASTU => {
                    return true;
                }
                scf::FOR | scf::PARALLEL | cf::COND_BR | func::CALL => return true,
                scf::CONDITION if user.operand == 0 => return true,
                scf::WHILE | scf::CONDITION => {
                    let carried = carried_as(body, user.op, user.operand as usize);
                    stack.extend(carried.into_iter().filter(|&value| seen.insert(value)));
                }
                memref::STORE | affine::STORE if user.operand == 0 => {
                    let variable = data.operands[1];
                    let is_variable = body.defining_op(variable);
                    if is_variable.is_some_and(|op| body[op].name == memref::ALLOCA) {
                        stack
                            .extend(loads(body, &uses, variable).filter(|&load| seen.insert(load)));
                    }
                }
                name if signature(name).is_some_and(|op| op.name.starts_with("arith.")) => {
                    stack.extend(data.results().filter(|&result| seen.insert(result)));
                }
                _ => {}
            }
        }
    }
    false
}

/// The values that an operand of an `scf.while`, or of its condition, is in the next region.
fn carried_as(body: &Body, op: OpId, operand: usize) -> Vec<Value> {
    let (region, position) = match body[op].name {
        scf::WHILE => (
            scf::WhileOp::cast(body, op).map(|l| l.before(body)),
            operand,
        ),
        _ => {
            let around = body.parent_op(op);
            let around = around.and_then(|around| scf::WhileOp::cast(body, around));
            (around.map(|l| l.after(body)), operand.saturating_sub(1))
        }
    };
    let arg = region.and_then(|block| body[block].args.get(position).copied());
    arg.into_iter().collect()
}

/// The values loaded from a memref.
fn loads<'a>(body: &'a Body, uses: &'a Uses, memref: Value) -> impl Iterator<Item = Value> + 'a {
    let users = uses.of(memref).iter();
    let loads = users.filter(|user| matches!(body[user.op].name, memref::LOAD | affine::LOAD));
    loads.map(|load| body[load.op].result(0))
}
