//! Division, remainder and square root.

use gridloom_ir::OpId;
use rspirv::spirv::{Op, Word};

use crate::kernel::{Kernel, Lowering};
use crate::types::Reg;

impl Kernel<'_> {
    /// `a / b`
    pub(crate) fn quotient(&mut self, _: OpId, reg: Reg, a: Word, b: Word) -> Lowering<Word> {
        Ok(self.e.float(reg, Op::FDiv, &[a, b]))
    }

    /// `a - b * trunc(a / b)`
    pub(crate) fn exact_remainder(
        &mut self,
        _: OpId,
        reg: Reg,
        a: Word,
        b: Word,
    ) -> Lowering<Word> {
        Ok(self.e.float(reg, Op::FRem, &[a, b]))
    }
}
