//! `arith-emulate-wide-int`: lowers integers of 65 to 128 bits to two of 64.
//!
//! ```text
//! %p = arith.muli %x, %y : i128          %l, %h = arith.mului_extended %xl, %yl : i64
//!                                   ⇒    %ph = %h + %xl * %yh + %xh * %yl
//! memref.store %p, %m[%i]                memref.store %l, %m[%i, 0]; memref.store %ph, %m[%i, 1]
//! ```
//!
//! A value becomes its lower and its upper 64 bits, in signatures, calls, branches and loops as well, and a memref gets an
//! innermost dimension for them, lower half first, so that memory keeps its bytes. Bits above the width are zero. Upstream's pass
//! of this name makes vectors of two instead, and leaves memrefs of such integers.
//!
//! A vector of such integers becomes its elements first ([`lower_vectors`]), unless it is a parameter or a result of a function.
//!
//! All or nothing: an operation or type without a counterpart is an error, and the module is not changed.

mod bits;
mod division;
mod floats;
mod numbers;

use gridloom_dialects::vector::VectorShape;
use gridloom_dialects::{cf, scf};
use gridloom_ir::{Body, Builder, Context, Diagnostics, Module, OpId, OpName, Type};

use super::compound_elements::{
    Compound, Lowered, Pairs, Rules, holds_type, lower_bodies, lower_module,
};
use super::lower_vectors::{Scope, lower_vectors};

/// Lowers the wide integers of a module. Returns whether it has any.
///
/// # Errors
/// The operations and types that have no counterpart.
pub fn emulate_wide_integers(ctx: &Context, module: &mut Module) -> Result<bool, Diagnostics> {
    let is_vector = |ty: Type| is_wide_vector(ctx, ty);
    if !holds_type(ctx, module.body(), is_vector) {
        return lower_scalars(ctx, module);
    }
    let mut scalarized = module.clone();
    lower_bodies(&mut scalarized, |body| {
        lower_vectors(ctx, body, Scope::WideIntegers);
        Diagnostics::new()
    })?;
    let changed = lower_scalars(ctx, &mut scalarized)?;
    *module = scalarized;
    Ok(changed)
}

fn lower_scalars(ctx: &Context, module: &mut Module) -> Result<bool, Diagnostics> {
    lower_module(ctx, module, Compound::WideInteger, |body| {
        Pairs::new(ctx, WideIntegers).run(body)
    })
}

/// Whether a type is a vector of wide integers.
fn is_wide_vector(ctx: &Context, ty: Type) -> bool {
    let vector = VectorShape::of(ctx, ty);
    vector.is_some_and(|vector| Compound::WideInteger.is_in(ctx, vector.element))
}

/// Rules of wide integers.
struct WideIntegers;

impl Rules for WideIntegers {
    const COMPOUND: Compound = Compound::WideInteger;
    const HELP: &'static str =
        "split the integers into two of 64 bits by 'arith.trunci' and 'arith.shrui' before it";

    fn computes(ctx: &Context, name: OpName) -> bool {
        numbers::computes(ctx, name)
    }

    fn only_passes(ctx: &Context, body: &Body, op: OpId) -> bool {
        let counted = match body[op].name {
            scf::FOR | cf::SWITCH => body[op].operands.first(),
            _ => None,
        };
        let parts = counted.and_then(|&value| Self::COMPOUND.parts(ctx, body.ty(value)));
        parts.is_none()
    }

    fn number(pairs: &mut Pairs<Self>, b: &mut Builder, op: OpId) -> Result<Lowered, String> {
        numbers::lower(pairs, b, op)
    }
}
