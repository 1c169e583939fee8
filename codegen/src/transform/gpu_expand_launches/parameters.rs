//! Vector parameters: a kernel gets the elements of the vectors that its launches pass, since kernels have scalars and
//! arrays for arguments.
//!
//! ```text
//! gpu.func @k(%v: vector<2xf32>) kernel {             gpu.func @k(%a: f32, %b: f32) kernel {
//!   …                                                   %v = vector.from_elements %a, %b
//!                                              ⇒        …
//! gpu.launch_func @m::@k … args(%w)                   %0:2 = vector.to_elements %w
//!                                                     gpu.launch_func @m::@k … args(%0#0, %0#1)
//! ```
//!
//! Legal for vectors of a fixed shape, up to [`MAX_ELEMENTS`]; others stay.

use std::collections::HashSet;

use gridloom_dialects::gpu::{self, FuncOp};
use gridloom_dialects::inherent;
use gridloom_dialects::vector::VectorShape;
use gridloom_ir::{Body, Builder, Context, InsertPoint, Module, OpId, Type, Value};

use super::globals::ARGUMENTS;
use super::{KernelSymbol, launched};
use crate::transform::value_splitting::repeat_attrs;
use crate::transform::vector_elements::{from_elements, to_elements};

/// Limit of the elements of a vector: each is an argument of the kernel.
const MAX_ELEMENTS: i64 = 64;

/// Splits the vector parameters of all kernels. Returns whether there were any.
pub(super) fn split_vectors(ctx: &Context, module: &mut Module) -> bool {
    let mut split: HashSet<KernelSymbol> = HashSet::new();
    let ops: Vec<OpId> = module.ops().map(|(op, _)| op).collect();
    for &container in &ops {
        let data = &mut module.body_mut()[container];
        let is_container = data.name == gpu::MODULE;
        let (Some(outer), Some(inside)) = (data.symbol_name(ctx), data.isolated_mut()) else {
            continue;
        };
        if !is_container {
            continue;
        }
        for kernel in inside.walk() {
            let is_kernel =
                inside[kernel].name == gpu::FUNC && FuncOp(kernel).is_kernel(ctx, inside);
            if is_kernel && split_parameters(ctx, inside, FuncOp(kernel)) {
                split.insert((outer, FuncOp(kernel).name(ctx, inside)));
            }
        }
    }
    if split.is_empty() {
        return false;
    }
    for op in ops {
        if let Some(body) = module.body_mut()[op].isolated_mut() {
            pass_elements(ctx, body, &split);
        }
    }
    true
}

/// The types of the parameters that stand for one of a type: those of the elements of a vector.
fn parts(ctx: &Context, ty: Type) -> Option<Vec<Type>> {
    let shape = VectorShape::of(ctx, ty)?;
    let is_small = !shape.is_scalable() && shape.num_elements() <= MAX_ELEMENTS;
    let count = usize::try_from(shape.num_elements()).ok()?;
    is_small.then(|| vec![shape.element; count])
}

/// Splits the vector parameters of a kernel. Returns whether there were any.
fn split_parameters(ctx: &Context, inside: &mut Body, kernel: FuncOp) -> bool {
    let (inputs, results) = kernel.signature(ctx, inside);
    let (inputs, results) = (inputs.to_vec(), results.to_vec());
    let split: Vec<Option<Vec<Type>>> = inputs.iter().map(|&ty| parts(ctx, ty)).collect();
    if split.iter().all(Option::is_none) {
        return false;
    }
    let new: Vec<Vec<Type>> = (split.iter().zip(&inputs))
        .map(|(parts, &ty)| parts.clone().unwrap_or_else(|| vec![ty]))
        .collect();
    let signature = ctx.function_type(&new.concat(), &results);
    inside[kernel.0].set_property(ctx, inherent::FUNCTION_TYPE, ctx.type_attr(signature));
    let counts: Vec<usize> = new.iter().map(Vec::len).collect();
    repeat_attrs(ctx, &mut inside[kernel.0], "arg_attrs", &counts);
    let body = kernel.body_mut(inside);
    let Some(entry) = body.entry() else {
        return true;
    };
    let old: Vec<Value> = body[entry].args.to_vec();
    for (number, &arg) in old.iter().enumerate() {
        let (ty, loc) = (body.ty(arg), body[arg].loc);
        // Attributions follow the parameters.
        let types = new.get(number).cloned().unwrap_or_else(|| vec![ty]);
        let added: Vec<Value> = (types.into_iter())
            .map(|ty| body.add_argument(entry, ty, loc))
            .collect();
        let mut b = Builder::new(ctx, body, InsertPoint::Start(entry), loc);
        let own = match split.get(number) {
            Some(Some(_)) => from_elements(&mut b, &added, ty),
            _ => added[0],
        };
        body.replace_uses(arg, own);
    }
    body.retain_arguments(entry, |at| at >= old.len());
    true
}

/// Has the launches of some kernels pass the elements of vectors.
fn pass_elements(ctx: &Context, body: &mut Body, kernels: &HashSet<KernelSymbol>) {
    for op in body.walk() {
        if !launched(ctx, body, op).is_some_and(|name| kernels.contains(&name)) {
            continue;
        }
        let args = body[op].operand_segment(ctx, ARGUMENTS).to_vec();
        let mut b = Builder::before(ctx, body, op);
        let mut passed = Vec::new();
        for &arg in &args {
            match parts(ctx, b.body.ty(arg)) {
                Some(_) => passed.extend(to_elements(&mut b, arg)),
                None => passed.push(arg),
            }
        }
        body[op].set_operand_segment(ctx, ARGUMENTS, &passed);
    }
}
