//! Direct calls in place of indirect ones of functions with names, or of a selection of them, which `inline` then finds.

use gridloom_dialects::func;
use gridloom_ir::body::OpData;
use gridloom_ir::{Context, Module};
use gridloom_rewrite::canonicalize::canonicalize;
use gridloom_rewrite::globals::ConstantGlobals;

/// Canonicalizes the functions of a module that hold indirect calls. Returns whether anything changed.
pub(super) fn call_directly(ctx: &Context, module: &mut Module) -> bool {
    if !module.ops().any(|(_, op)| calls_indirectly(op)) {
        return false;
    }
    let mut changed = false;
    for (_, function) in module.body_mut().owners_mut() {
        if calls_indirectly(function)
            && let Some(body) = function.isolated_mut()
        {
            changed |= canonicalize(ctx, body, &ConstantGlobals::default());
        }
    }
    changed
}

fn calls_indirectly(function: &OpData) -> bool {
    let body = function.isolated().filter(|_| function.name == func::FUNC);
    body.is_some_and(|body| body.may_hold(func::CALL_INDIRECT))
}
