//! Undefined values: `ub.poison`, `llvm.mlir.poison`, `llvm.mlir.undef`.
//!
//! They are 0, as they are in kernels. In checked mode an operation that computes
//! with one, or reads or writes memory by it, is a fault; handing it on, as
//! branches, calls, `arith.select` and loops do, is not.

use gridloom_dialects::{llvm, ub};

use super::*;

impl FunctionCompiler<'_, '_> {
    pub(super) fn undefined(&mut self, op: OpId) -> Compiled<bool> {
        match self.body[op].name {
            ub::POISON | llvm::MLIR_POISON | llvm::MLIR_UNDEF | llvm::MLIR_ZERO => {}
            ub::UNREACHABLE => {
                self.emit(Instr::Unreachable);
                return Ok(true);
            }
            _ => return Ok(false),
        }
        let result = self.body[op].result(0);
        let kind = self.kind_of(result)?;
        let reg = self.constant(0);
        self.slots[result.index()] = Some(Slot::Scalar(reg, kind));
        Ok(true)
    }

    /// Emits a fault before an operation that computes with poison.
    pub(super) fn check_poison(&mut self, op: OpId) {
        let data = &self.body[op];
        if !self.unit.checked || !computes(data.name) {
            return;
        }
        let is_poison = |&value: &Value| {
            let def = self.body.defining_op(value).map(|def| self.body[def].name);
            matches!(def, Some(ub::POISON | llvm::MLIR_POISON | llvm::MLIR_UNDEF))
        };
        if data.operands.iter().any(is_poison) {
            self.emit(Instr::Poison);
        }
    }
}

/// Whether an operation looks at the bits of all its operands.
fn computes(name: OpName) -> bool {
    let dialect = gridloom_dialects::signature(name).and_then(|op| op.name.split('.').next());
    match dialect {
        Some("arith") => name != arith_ops::SELECT,
        Some("math" | "index" | "memref") => true,
        Some("affine") => matches!(
            name,
            affine_ops::LOAD
                | affine_ops::STORE
                | affine_ops::APPLY
                | affine_ops::MIN
                | affine_ops::MAX
        ),
        _ => false,
    }
}
