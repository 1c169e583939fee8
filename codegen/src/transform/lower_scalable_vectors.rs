//! `lower-scalable-vectors`: vectors of scalable length become vectors of fixed length, by a vscale of 1.
//!
//! ```text
//! %s = vector.vscale                                            %s = arith.constant 1 : index
//! %v = vector.load %x[%i] : memref<?xf32>, vector<[4]xf32>  ⇒   %v = vector.load %x[%i] : memref<?xf32>, vector<4xf32>
//! %p = vector.scalable.extract %v[0]                            %p = vector.extract_strided_slice %v
//!     : vector<2xf32> from vector<[4]xf32>                          {offsets = [0], sizes = [2], strides = [1]} …
//! ```
//!
//! Always legal: a program that has `vector.vscale` is right for each vscale of a target, a positive
//! number, and the targets here choose 1. An inserted or extracted part that needs a greater one is an error, and
//! the module is left as it was.

use gridloom_dialects::vector::VectorShape;
use gridloom_dialects::{inherent, vector};
use gridloom_ir::attr::{AttrKind, NamedAttr};
use gridloom_ir::types::MemRefType;
use gridloom_ir::{
    Attr, Body, Builder, Context, Diagnostic, Diagnostics, Module, OpId, OpState, Type, TypeKind,
};

use super::compound_elements::{any_body, holds_type, lower_bodies};

/// Makes the scalable vectors of a module fixed. Returns whether it has any.
///
/// # Errors
/// Parts of vectors that begin behind their end.
pub fn lower_scalable_vectors(ctx: &Context, module: &mut Module) -> Result<bool, Diagnostics> {
    let needed = any_body(module.body(), |body| body.may_hold(vector::VSCALE))
        || holds_type(ctx, module.body(), |ty| is_scalable(ctx, ty));
    if needed {
        lower_bodies(module, |body| lower_body(ctx, body))?;
    }
    Ok(needed)
}

fn is_scalable(ctx: &Context, ty: Type) -> bool {
    fixed(ctx, ty) != ty
}

/// The type with vectors of fixed length in place of scalable ones.
fn fixed(ctx: &Context, ty: Type) -> Type {
    let all = |types: &[Type]| -> Vec<Type> { types.iter().map(|&ty| fixed(ctx, ty)).collect() };
    match ty.kind(ctx) {
        TypeKind::Vector {
            shape,
            scalable,
            element,
        } if scalable.contains(&true) => ctx.vector_type(shape, *element),
        TypeKind::MemRef(memref) => {
            let element = fixed(ctx, memref.element);
            if element == memref.element {
                return ty;
            }
            ctx.intern_type(TypeKind::MemRef(MemRefType {
                element,
                ..memref.clone()
            }))
        }
        TypeKind::Function { inputs, results } => ctx.function_type(&all(inputs), &all(results)),
        _ => ty,
    }
}

/// The attribute with the types in it fixed.
fn fixed_attr(ctx: &Context, attr: Attr) -> Attr {
    match attr.kind(ctx) {
        AttrKind::Type(ty) => ctx.type_attr(fixed(ctx, *ty)),
        AttrKind::Dense { ty, data } if is_scalable(ctx, *ty) => ctx.intern_attr(AttrKind::Dense {
            ty: fixed(ctx, *ty),
            data: data.clone(),
        }),
        _ => attr,
    }
}

fn lower_body(ctx: &Context, body: &mut Body) -> Diagnostics {
    let mut errors = Diagnostics::new();
    body.retype_values(|ty| fixed(ctx, ty));
    for op in body.walk() {
        let properties: Vec<NamedAttr> = body[op].properties.entries(ctx).to_vec();
        for (name, attr) in properties {
            body[op].set_property(ctx, name, fixed_attr(ctx, attr));
        }
        match body[op].name {
            vector::VSCALE => {
                let one = Builder::before(ctx, body, op).index_constant(1);
                body.replace_op(op, &[one]);
            }
            vector::SCALABLE_EXTRACT | vector::SCALABLE_INSERT => {
                if let Err(error) = lower_part(ctx, body, op) {
                    errors.push(error);
                }
            }
            _ => {}
        }
    }
    errors
}

/// Lowers the insertion or the extraction of a part at a position.
fn lower_part(ctx: &Context, body: &mut Body, op: OpId) -> Result<(), Diagnostic> {
    let loc = body[op].loc;
    let operands = body[op].operands.to_vec();
    let ty = body.ty(body[op].result(0));
    let position = body[op].attr(ctx, "pos").and_then(|at| at.as_i64(ctx));
    let position = position.unwrap_or(0);
    let is_extract = body[op].name == vector::SCALABLE_EXTRACT;
    let [part, whole] = match is_extract {
        true => [ty, body.ty(operands[0])],
        false => [body.ty(operands[0]), ty],
    };
    let [part, whole] =
        [part, whole].map(|ty| VectorShape::of(ctx, ty).map_or(0, |vector| vector.num_elements()));
    if position.checked_add(part).is_none_or(|end| end > whole) {
        let message = format!(
            "the part at {position} of {part} elements ends behind the vector, which has {whole} elements"
        );
        let help = "scalable vectors run with a vscale of 1; have the program compare positions with \
             vector.vscale, or use vectors of fixed sizes";
        return Err(Diagnostic::error(loc, message).with_help(help));
    }
    let numbers = |number: i64| {
        let number = ctx.int_attr(ctx.int_type(64), number);
        ctx.array_attr(&[number])
    };
    let name = match is_extract {
        true => vector::EXTRACT_STRIDED_SLICE,
        false => vector::INSERT_STRIDED_SLICE,
    };
    let mut state = OpState::new(name, loc)
        .operands(&operands)
        .results(&[ty])
        .property(ctx, inherent::OFFSETS, numbers(position))
        .property(ctx, inherent::STRIDES, numbers(1));
    if is_extract {
        state = state.property(ctx, inherent::SIZES, numbers(part));
    }
    let slice = Builder::before(ctx, body, op).create(state);
    let slice = body[slice].result(0);
    body.replace_op(op, &[slice]);
    Ok(())
}
