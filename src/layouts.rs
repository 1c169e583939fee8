//! Non-linear layouts: layout maps with divisions, such as tiles, which the interpreter does not
//! support. `normalize-memrefs` applies them in accesses before a program runs.

use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::body::OpData;
use gridloom_ir::diag::{Diagnostic, Diagnostics};
use gridloom_ir::{AttrKind, Context, Module, Type};

use crate::program::run_pass;

/// Whether a type is a memref with a non-linear layout map: the interpreter does not support it, so
/// accesses have to apply the map.
fn is_laid_out_in_steps(ctx: &Context, ty: Type) -> bool {
    let layout = ty.memref(ctx).and_then(|memref| memref.layout);
    let Some(AttrKind::Map(map)) = layout.map(|layout| layout.kind(ctx)) else {
        return false;
    };
    map.results(ctx).iter().any(|result| {
        result.fold_parts(ctx, &mut |part, operands| match part {
            AffineExprKind::Binary(AffineOp::Mod | AffineOp::FloorDiv | AffineOp::CeilDiv, ..) => {
                true
            }
            _ => operands.is_some_and(|(l, r)| l || r),
        })
    })
}

/// Applies non-linear layouts in accesses, for memory whose uses are all known.
///
/// # Errors
/// Those of `normalize-memrefs`.
pub fn apply_layouts_in_steps(ctx: &Context, module: &mut Module) -> Result<(), Diagnostics> {
    let any = module.ops().any(|(_, data)| {
        data.isolated().is_some_and(|body| {
            let mut results = body.arena().flat_map(OpData::results);
            results.any(|v| is_laid_out_in_steps(ctx, body.ty(v)))
        })
    });
    match any {
        true => run_pass(ctx, module, ("normalize-memrefs", "")),
        false => Ok(()),
    }
}

/// Error for a parameter with a non-linear layout, which no argument can have.
pub(crate) fn first_in_steps(
    ctx: &Context,
    module: &Module,
    entry: &str,
    parameters: &[Type],
) -> Option<Diagnostic> {
    let number = parameters
        .iter()
        .position(|&ty| is_laid_out_in_steps(ctx, ty))?;
    let function = module.symbols(ctx).get(ctx.ident(entry))?;
    let message = format!(
        "argument {number} of '@{entry}' has a layout map with divisions, and arguments can only \
         be row-major or strided"
    );
    let help = "take it without the layout, and copy its elements into a `memref.alloc` of this \
                type, whose accesses apply the map";
    Some(Diagnostic::error(module.body()[function].loc, message).with_help(help))
}
