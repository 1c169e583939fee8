//! `convert-libm-to-math`: rewrites calls of C's mathematical functions as operations.
//!
//! ```text
//! func.func private @expf(f32) -> f32
//! %y = call @expf(%x) : (f32) -> f32        ⇒     %y = math.exp %x : f32
//! ```
//!
//! Front ends of C declare the functions of `<math.h>` that a program calls, and leave them to the linker. Upstream's
//! `convert-math-to-libm` goes the other way.
//!
//! Legal for a function without a body that has the name and the type of one of `<math.h>` (C11, 7.12) or `abs`, `labs`
//! and `llabs` of `<stdlib.h>`: C reserves these names (7.1.3), so that a program can mean nothing else by them. `rint` and
//! `nearbyint` round to even, as the rounding mode is that of the start of a program. A declaration with
//! `gridloom.effects` keeps its calls.

use std::collections::HashMap;

use gridloom_dialects::func::{CallOp, FuncOp};
use gridloom_dialects::{arith, gridloom, math};
use gridloom_ir::types::FloatKind;
use gridloom_ir::{Attr, AttrDict, Body, Context, Module, OpId, OpName, Type};

/// Functions of floats, with the number of their parameters: of `double`s as they stand here, of `float`s with an `f` at the end.
const OF_FLOATS: &[(&str, usize, OpName)] = &[
    ("acos", 1, math::ACOS),
    ("acosh", 1, math::ACOSH),
    ("asin", 1, math::ASIN),
    ("asinh", 1, math::ASINH),
    ("atan", 1, math::ATAN),
    ("atan2", 2, math::ATAN2),
    ("atanh", 1, math::ATANH),
    ("cbrt", 1, math::CBRT),
    ("ceil", 1, math::CEIL),
    ("copysign", 2, math::COPYSIGN),
    ("cos", 1, math::COS),
    ("cosh", 1, math::COSH),
    ("erf", 1, math::ERF),
    ("erfc", 1, math::ERFC),
    ("exp", 1, math::EXP),
    ("exp2", 1, math::EXP2),
    ("expm1", 1, math::EXPM1),
    ("fabs", 1, math::ABSF),
    ("floor", 1, math::FLOOR),
    ("fma", 3, math::FMA),
    ("fmax", 2, arith::MAXNUMF),
    ("fmin", 2, arith::MINNUMF),
    ("fmod", 2, arith::REMF),
    ("log", 1, math::LOG),
    ("log10", 1, math::LOG10),
    ("log1p", 1, math::LOG1P),
    ("log2", 1, math::LOG2),
    ("nearbyint", 1, math::ROUNDEVEN),
    ("pow", 2, math::POWF),
    ("rint", 1, math::ROUNDEVEN),
    ("round", 1, math::ROUND),
    ("sin", 1, math::SIN),
    ("sinh", 1, math::SINH),
    ("sqrt", 1, math::SQRT),
    ("tan", 1, math::TAN),
    ("tanh", 1, math::TANH),
    ("trunc", 1, math::TRUNC),
];

/// Functions of integers, with their widths on LP64 systems.
const OF_INTEGERS: &[(&str, u32, OpName)] = &[
    ("abs", 32, math::ABSI),
    ("labs", 64, math::ABSI),
    ("llabs", 64, math::ABSI),
];

/// Rewrites the calls in the functions of a module. Returns whether there were any.
pub fn convert_libm(ctx: &Context, module: &mut Module) -> bool {
    let declared = declared(ctx, module);
    if declared.is_empty() {
        return false;
    }
    let functions: Vec<OpId> = module.ops().map(|(op, _)| op).collect();
    let mut changed = false;
    for function in functions {
        if let Some(body) = module.body_mut()[function].isolated_mut() {
            changed |= convert_calls(ctx, body, &declared);
        }
    }
    changed
}

/// The declarations of a module that are of C's functions, by their symbols.
fn declared(ctx: &Context, module: &Module) -> HashMap<Attr, OpName> {
    let top = module.body();
    let functions = module.ops().filter_map(|(op, _)| FuncOp::cast(top, op));
    let declarations = functions.filter(|function| {
        function.is_declaration(top) && gridloom::effects(ctx, &top[function.0]).is_none()
    });
    let known = declarations.filter_map(|function| {
        let name = function.name(ctx, top);
        let (inputs, results) = function.signature(ctx, top);
        let operation = counterpart(ctx, ctx.str(name), inputs, results)?;
        Some((ctx.symbol_attr(name), operation))
    });
    known.collect()
}

/// The operation that computes what a function of C does.
fn counterpart(ctx: &Context, name: &str, inputs: &[Type], results: &[Type]) -> Option<OpName> {
    let &[ty] = results else {
        return None;
    };
    if inputs.iter().any(|&input| input != ty) {
        return None;
    }
    if let Some(width) = ty.signless_width(ctx) {
        let same = |&&(other, bits, _): &&(&str, u32, OpName)| (other, bits) == (name, width);
        let found = OF_INTEGERS.iter().find(same)?;
        return (inputs.len() == 1).then_some(found.2);
    }
    let name = match ty.float_kind(ctx)? {
        FloatKind::F64 => name,
        FloatKind::F32 => name.strip_suffix('f')?,
        _ => return None,
    };
    let same =
        |&&(other, count, _): &&(&str, usize, OpName)| (other, count) == (name, inputs.len());
    OF_FLOATS.iter().find(same).map(|found| found.2)
}

fn convert_calls(ctx: &Context, body: &mut Body, declared: &HashMap<Attr, OpName>) -> bool {
    let mut changed = false;
    for op in body.walk() {
        let Some(call) = CallOp::cast(body, op) else {
            continue;
        };
        if let Some(&name) = declared.get(&call.callee(ctx, body)) {
            let data = &mut body[op];
            data.name = name;
            data.properties = AttrDict::EMPTY;
            changed = true;
        }
    }
    changed
}
