//! Undefined values: `ub.poison`, `llvm.mlir.poison`, `llvm.mlir.undef`.
//!
//! They are 0, as they are in kernels, in each lane of a vector; a memref has no elements. In checked mode an operation that computes
//! with one, or reads or writes memory by it, is a fault; handing it on, as
//! branches, calls, `arith.select` and loops do, is not.

use gridloom_dialects::{llvm, ub};

use super::*;
use crate::code::{AllocInfo, Extent, Layout, Reg, add_row};

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
        let slot = match self.fresh(self.body.ty(result))? {
            Slot::Scalar(_, kind) => Slot::Scalar(self.constant(0), kind),
            Slot::Vector { lanes, kind } => {
                let regs = vec![self.constant(0); self.out.span(lanes).len()];
                let lanes = self.span(&regs);
                Slot::Vector { lanes, kind }
            }
            Slot::Mem(dst, kind) => {
                self.allocate_nothing(result, dst, kind);
                Slot::Mem(dst, kind)
            }
        };
        self.slots[result.index()] = Some(slot);
        Ok(true)
    }

    /// Sets a memref register to a memref without elements, any access to which is out of range.
    fn allocate_nothing(&mut self, value: Value, dst: Reg, kind: ScalarKind) {
        let ty = self.body.ty(value);
        let rank = (ty.memref(self.ctx)).map_or(1, |memref| memref.shape.len().max(1));
        let info = AllocInfo {
            kind,
            sizes: vec![Extent::Known(0); rank],
            layout: Layout::RowMajor,
            stack: true,
            space: self.unit.spaces.number_of(self.ctx, ty),
        };
        let info = add_row(&mut self.out.allocs, info);
        self.emit(Instr::Alloc { dst, info });
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
