//! `lower-aggregates`: LLVM's structs and arrays, and the storage specifiers of sparse tensors, as
//! their fields.
//!
//! ```text
//! %a = llvm.mlir.poison : !llvm.struct<(i64, f32)>
//! %b = llvm.insertvalue %n, %a[0] : …                      ⇒   func.call @f(%n, %x)
//! %c = llvm.insertvalue %x, %b[1] : …
//! func.call @f(%c) : (!llvm.struct<(i64, f32)>) -> ()
//! ```
//!
//! A value becomes as many as it has fields, in signatures, calls, branches and loops as well, and what
//! inserts or extracts a field only says which value is meant. MLIR's code generation for sparse tensors
//! keeps the sizes of buffers so. A field of a specifier is an `index`.
//!
//! All or nothing: an operation of another kind on such a value is an error, and the module is left as it
//! was. An aggregate with fields that do not run, such as pointers, stays.

use gridloom_dialects::{arith, func, gpu, inherent, llvm, sparse_tensor, ub};
use gridloom_ir::op::{I64ArrayAttr, Inherent};
use gridloom_ir::{
    Body, Builder, Context, Diagnostic, Diagnostics, Module, OpId, Type, TypeKind, Value,
};

use super::compound_elements::{blocks, lower_bodies};
use super::value_splitting::{CALLS, PASSING, ValueParts, repeat_attrs};

/// The position of a field.
const POSITION: Inherent<I64ArrayAttr> = Inherent::new("position");

/// Lowers the aggregates of a module. Returns whether it has any.
///
/// # Errors
/// The operations that have no counterpart.
pub fn lower_aggregates(ctx: &Context, module: &mut Module) -> Result<bool, Diagnostics> {
    let needed = ctx.may_hold_type(|ty| is_aggregate(ctx, ty)) && is_needed(ctx, module.body());
    if needed {
        lower_bodies(module, |body| lower_body(ctx, body))?;
    }
    Ok(needed)
}

/// Whether values of a type become several.
pub fn is_aggregate(ctx: &Context, ty: Type) -> bool {
    fields(ctx, ty).is_some()
}

/// The types of the fields of an aggregate that becomes several values.
fn fields(ctx: &Context, ty: Type) -> Option<Vec<Type>> {
    if !matches!(ty.kind(ctx), TypeKind::Dialect { .. }) {
        return None;
    }
    if let Some(specifier) = sparse_tensor::specifier(ctx, ty) {
        return Some(vec![ctx.index_type(); specifier.count()]);
    }
    let runs = |ty: &Type| {
        let element = ty.element(ctx).unwrap_or(*ty);
        let kind = element.kind(ctx);
        matches!(kind, TypeKind::Integer { .. } | TypeKind::Float(_))
    };
    llvm::leaves(ctx, ty).filter(|leaves| leaves.iter().all(runs))
}

fn is_needed(ctx: &Context, body: &Body) -> bool {
    body.walk().into_iter().any(|op| {
        let data = &body[op];
        let mut values = data.results().chain(data.operands.iter().copied());
        values.any(|value| is_aggregate(ctx, body.ty(value)))
            || signature(ctx, body, op).is_some_and(|types| {
                let mut types = types.iter().flat_map(|list| list.iter());
                types.any(|&ty| is_aggregate(ctx, ty))
            })
            || data.isolated().is_some_and(|body| is_needed(ctx, body))
    })
}

/// The types of parameters and results of a function.
fn signature<'c>(ctx: &'c Context, body: &Body, op: OpId) -> Option<[&'c [Type]; 2]> {
    if !matches!(body[op].name, func::FUNC | gpu::FUNC) {
        return None;
    }
    let ty = body[op].get(ctx, inherent::FUNCTION_TYPE)?;
    let (inputs, results) = ty.function(ctx)?;
    Some([inputs, results])
}

fn lower_body(ctx: &Context, body: &mut Body) -> Diagnostics {
    let mut values = ValueParts::new(ctx, fields);
    let mut errors = Diagnostics::new();
    let ops = body.walk();
    for block in blocks(body, &ops) {
        values.expand_arguments(body, block);
    }
    for op in ops {
        if let Err(error) = lower(&mut values, body, op) {
            errors.push(error);
        }
    }
    if !errors.has_errors()
        && let Err(circular) = values.replaced.carry_out(body)
    {
        errors.push(circular);
    }
    errors
}

/// Lowers an operation that an aggregate goes into or comes out of.
fn lower(values: &mut ValueParts, body: &mut Body, op: OpId) -> Result<(), Diagnostic> {
    let ctx = values.ctx();
    expand_signature(values, body, op);
    let data = &body[op];
    let mut all = data.results().chain(data.operands.iter().copied());
    if !all.any(|value| values.splits(body.ty(value))) {
        return Ok(());
    }
    let name = data.name;
    if PASSING.contains(&name) || CALLS.contains(&name) {
        values.pass_on(body, op);
        return Ok(());
    }
    let lowered = match name {
        arith::SELECT => select(values, body, op),
        llvm::EXTRACTVALUE | sparse_tensor::SPECIFIER_GET => extract(values, body, op),
        llvm::INSERTVALUE | sparse_tensor::SPECIFIER_SET => insert(values, body, op),
        llvm::MLIR_POISON | llvm::MLIR_UNDEF | ub::POISON => {
            made(values, body, op, |b, ty| b.unary(ub::POISON, &[], ty))
        }
        llvm::MLIR_ZERO => made(values, body, op, |b, ty| b.unary(llvm::MLIR_ZERO, &[], ty)),
        sparse_tensor::SPECIFIER_INIT => init(values, body, op),
        _ => None,
    };
    if lowered.is_none() {
        let name = ctx.op_name_str(name);
        let message = format!("'{name}' of structs or arrays of LLVM cannot be lowered");
        let help = "only what inserts and extracts fields, calls and control flow have them";
        return Err(Diagnostic::error(body[op].loc, message).with_help(help));
    }
    body.erase(op);
    Ok(())
}

/// Gives a function a parameter and a result for each field.
fn expand_signature(values: &ValueParts, body: &mut Body, op: OpId) {
    let ctx = values.ctx();
    let Some(lists) = signature(ctx, body, op) else {
        return;
    };
    let [inputs, results] = lists.map(|types| {
        let parts = |&ty: &Type| fields(ctx, ty).unwrap_or_else(|| vec![ty]);
        types.iter().flat_map(parts).collect::<Vec<Type>>()
    });
    let ty = ctx.function_type(&inputs, &results);
    body[op].set_property(ctx, inherent::FUNCTION_TYPE, ctx.type_attr(ty));
    for (name, types) in ["arg_attrs", "res_attrs"].into_iter().zip(lists) {
        let counts = values.counts(types.iter().copied());
        repeat_attrs(ctx, &mut body[op], name, &counts);
    }
}

/// The fields of an aggregate that an operation names, by their numbers.
fn named(ctx: &Context, body: &Body, op: OpId) -> Option<std::ops::Range<usize>> {
    let data = &body[op];
    let ty = body.ty(*data.operands.first()?);
    if let Some(specifier) = sparse_tensor::specifier(ctx, ty) {
        let kind = data.get(ctx, sparse_tensor::SPECIFIER_KIND)?;
        let at = specifier.field(kind, data.get(ctx, sparse_tensor::SPECIFIER_LEVEL))?;
        return Some(at..at + 1);
    }
    llvm::leaves_at(ctx, ty, &data.get(ctx, POSITION)?)
}

/// The fields of an operand, or the value itself where it is none.
fn parts(values: &mut ValueParts, body: &mut Body, value: Value) -> Vec<Value> {
    values.parts_of(body, value).unwrap_or_else(|| vec![value])
}

fn extract(values: &mut ValueParts, body: &mut Body, op: OpId) -> Option<()> {
    let fields = named(values.ctx(), body, op)?;
    let (container, result) = (body[op].operands[0], body[op].result(0));
    let found = values.parts_of(body, container)?.get(fields)?.to_vec();
    match (values.splits(body.ty(result)), &found[..]) {
        (false, &[only]) => values.replaced.replace(result, only),
        (false, _) => return None,
        (true, _) => values.define(result, found),
    }
    Some(())
}

fn insert(values: &mut ValueParts, body: &mut Body, op: OpId) -> Option<()> {
    let fields = named(values.ctx(), body, op)?;
    let [container, value] = body[op].operands[..] else {
        return None;
    };
    let mut all = values.parts_of(body, container)?;
    let inserted = parts(values, body, value);
    let place = all.get_mut(fields)?;
    if place.len() != inserted.len() {
        return None;
    }
    place.copy_from_slice(&inserted);
    values.define(body[op].result(0), all);
    Some(())
}

fn select(values: &mut ValueParts, body: &mut Body, op: OpId) -> Option<()> {
    let [condition, yes, no] = body[op].operands[..] else {
        return None;
    };
    let (yes, no) = (values.parts_of(body, yes)?, values.parts_of(body, no)?);
    let b = &mut Builder::before(values.ctx(), body, op);
    let chosen = (yes.into_iter().zip(no))
        .map(|(yes, no)| {
            let ty = b.body.ty(yes);
            b.unary(arith::SELECT, &[condition, yes, no], ty)
        })
        .collect();
    values.define(body[op].result(0), chosen);
    Some(())
}

/// Makes each field of a result by itself.
fn made(
    values: &mut ValueParts,
    body: &mut Body,
    op: OpId,
    mut make: impl FnMut(&mut Builder, Type) -> Value,
) -> Option<()> {
    let result = body[op].result(0);
    let types = fields(values.ctx(), body.ty(result))?;
    let b = &mut Builder::before(values.ctx(), body, op);
    let all = types.into_iter().map(|ty| make(b, ty)).collect();
    values.define(result, all);
    Some(())
}

/// A specifier of sizes 0 with the offsets and strides of its source.
fn init(values: &mut ValueParts, body: &mut Body, op: OpId) -> Option<()> {
    let ctx = values.ctx();
    let result = body[op].result(0);
    let fields = sparse_tensor::specifier(ctx, body.ty(result))?;
    let zero = Builder::before(ctx, body, op).index_constant(0);
    let mut all = vec![zero; fields.count()];
    if let Some(&source) = body[op].operands.first() {
        let inherited = sparse_tensor::specifier(ctx, body.ty(source))?.inherited();
        let source = values.parts_of(body, source)?.get(inherited)?.to_vec();
        let place = all.get_mut(fields.inherited())?;
        if place.len() != source.len() {
            return None;
        }
        place.copy_from_slice(&source);
    }
    values.define(result, all);
    Some(())
}
