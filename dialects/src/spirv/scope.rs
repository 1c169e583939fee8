//! Checks of an operation's position in functions and modules.

use crate::{func, gpu};
use gridloom_ir::op::Traits;
use gridloom_ir::verify::{Check, Checked};

/// Checks that an operation is nested in a function, without a symbol table in
/// between.
pub(super) fn in_function(check: &Check) -> Checked {
    let mut at = check.parent();
    while let Some(parent) = at {
        if parent.has(Traits::SYMBOL_TABLE) {
            break;
        }
        if is_function(&parent) {
            return Ok(());
        }
        at = parent.parent();
    }
    let message = "failed to verify that op must appear in a function-like op's block";
    Err(check.error(message))
}

fn is_function(check: &Check) -> bool {
    matches!(
        check.name(),
        func::FUNC | gpu::FUNC | super::structure::FUNC | super::arm::GRAPH
    ) || check.ctx().op_name_str(check.name()) == "llvm.func"
}

/// Checks that an operation is directly inside a symbol table.
pub(super) fn in_module(check: &Check) -> Checked {
    let direct = check
        .parent()
        .is_some_and(|parent| parent.has(Traits::SYMBOL_TABLE));
    let message = "failed to verify that op must appear in a module-like op's block";
    check.ensure(direct, message)
}

/// An error without the prefix that names the operation, as MLIR words some.
pub(super) fn plain_error(
    check: &Check,
    message: impl Into<String>,
) -> gridloom_ir::diag::Diagnostic {
    gridloom_ir::diag::Diagnostic::error(check.data().loc, message)
}
