//! Signatures of functions whose values become several.

use gridloom_dialects::inherent;
use gridloom_ir::body::OpData;
use gridloom_ir::{Context, Type};

use super::Compound;
use crate::transform::value_splitting::repeat_attrs;

/// Expands the signature of a function to parts; `false` where a type has no counterpart.
pub(super) fn expand_signature(ctx: &Context, op: &mut OpData, compound: Compound) -> bool {
    let ty = op.get(ctx, inherent::FUNCTION_TYPE);
    let Some((inputs, results)) = ty.and_then(|ty| ty.function(ctx)) else {
        return true;
    };
    let Some(ty) = ty.and_then(|ty| compound.expanded(ctx, ty)) else {
        return false;
    };
    op.set_property(ctx, inherent::FUNCTION_TYPE, ctx.type_attr(ty));
    let counts = |types: &[Type]| -> Vec<usize> {
        let count = |&ty: &Type| compound.parts(ctx, ty).map_or(1, |parts| parts.len());
        types.iter().map(count).collect()
    };
    repeat_attrs(ctx, op, "arg_attrs", &counts(inputs));
    repeat_attrs(ctx, op, "res_attrs", &counts(results));
    true
}
