//! `convert-complex-to-standard`: lowers complex numbers to their two parts.
//!
//! ```text
//! func.func @f(%z: complex<f32>,                func.func @f(%x: f32, %y: f32,
//!              %m: memref<?xcomplex<f32>>) { ⇒               %m: memref<?x2xf32>) {
//!   %w = complex.neg %z : complex<f32>            %u = arith.negf %x : f32
//!                                                 %v = arith.negf %y : f32
//!   affine.store %w, %m[%i]                       affine.store %u, %m[%i, 0]
//!                                                 affine.store %v, %m[%i, 1]
//! ```
//!
//! A value becomes two, in signatures, calls, branches and loops as well, and a memref gets an
//! innermost dimension for the part. So no later pass sees complex numbers: analyses see accesses
//! of disjoint elements, and kernels are those of plain floats. Functions such as `exp` are copies
//! of MLIR text ([`library`]), which documents special values.
//!
//! All or nothing: an operation or type without a counterpart, such as a tensor of complex numbers,
//! is an error, and the module is not changed.

mod library;
mod numbers;

use gridloom_ir::{Builder, Context, Diagnostics, Module, OpId, OpName, Type};

use super::compound_elements::{Compound, Lowered, Pairs, Rules, lower_module};
use library::Library;

/// Lowers the complex numbers of a module. Returns whether it has any.
///
/// # Errors
/// The operations and types that have no counterpart.
pub fn convert_complex(ctx: &Context, module: &mut Module) -> Result<bool, Diagnostics> {
    let mut library = Library::default();
    lower_module(ctx, module, Compound::Complex, |body| {
        let library = &mut library;
        Lowering::new(ctx, ComplexNumbers { library }).run(body)
    })
}

/// The memref type of parts for a memref type of complex numbers.
pub fn type_of_parts(ctx: &Context, ty: Type) -> Option<Type> {
    Compound::Complex.expanded(ctx, ty)
}

/// Lowering of a body.
type Lowering<'p, 'l> = Pairs<'p, ComplexNumbers<'l>>;

/// Rules of complex numbers: the library of the functions that they use.
struct ComplexNumbers<'l> {
    library: &'l mut Library,
}

impl Rules for ComplexNumbers<'_> {
    const COMPOUND: Compound = Compound::Complex;
    const HELP: &'static str = "take the numbers apart by 'complex.re' and 'complex.im' before it";

    fn computes(ctx: &Context, name: OpName) -> bool {
        ctx.op_name_str(name).starts_with("complex.")
    }

    fn number(pairs: &mut Pairs<Self>, b: &mut Builder, op: OpId) -> Result<Lowered, String> {
        pairs.number(b, op)
    }
}

#[cfg(test)]
mod tests {
    use gridloom_ir::types::FloatKind;

    use super::library::Library;

    #[test]
    fn the_library_parses_for_every_format_and_width() {
        let ctx = gridloom_dialects::context();
        for kind in [FloatKind::F32, FloatKind::F64] {
            for width in 2..=64 {
                Library::default().check(&ctx, kind, width);
            }
        }
    }
}
