//! Compiler of `index`, which is 64 bits wide in the machine.

use gridloom_dialects::index as index_ops;

use super::*;

impl FunctionCompiler<'_, '_> {
    pub(super) fn index(&mut self, op: OpId) -> Compiled<bool> {
        match self.body[op].name {
            index_ops::CONSTANT | index_ops::BOOL_CONSTANT => self.arith_constant(op)?,
            index_ops::SIZEOF => {
                let result = self.body[op].result(0);
                let reg = self.constant(64);
                self.slots[result.index()] = Some(Slot::Scalar(reg, ScalarKind::Int(64)));
            }
            index_ops::CMP => {
                let Some(predicate) = index_ops::predicate(self.ctx, self.current) else {
                    return self.error("unknown comparison predicate");
                };
                self.int_compare(op, predicate)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}
