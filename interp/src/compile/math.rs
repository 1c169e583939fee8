//! Compiler of `math` operations without a declared computation.

use super::*;

use crate::scalar::{FloatOp, FloatUnary};

impl FunctionCompiler<'_, '_> {
    pub(super) fn math(&mut self, op: OpId) -> Compiled<bool> {
        match self.body[op].name {
            math_ops::CLAMPF => self.clampf(op)?,
            math_ops::SINCOS => self.sincos(op)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// `min(max(value, low), high)`
    fn clampf(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let kind = self.kind_of(data.operands[0])?;
        let operands = self.scalars(&data.operands)?;
        let [value, low, high] = operands[..] else {
            return self.error("three operands expected");
        };
        let dst = self.define_scalar(data.result(0))?;
        let raised = self.scalar_register();
        self.emit(Instr::Float {
            op: FloatOp::Maximum,
            kind,
            dst: raised,
            a: value,
            b: low,
        });
        self.emit(Instr::Float {
            op: FloatOp::Minimum,
            kind,
            dst,
            a: raised,
            b: high,
        });
        Ok(())
    }

    fn sincos(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let kind = self.kind_of(data.operands[0])?;
        let a = self.scalar(data.operands[0])?;
        for (unary, result) in [(FloatUnary::Sin, 0), (FloatUnary::Cos, 1)] {
            let dst = self.define_scalar(data.result(result))?;
            self.emit(Instr::FloatUnary {
                op: unary,
                kind,
                dst,
                a,
            });
        }
        Ok(())
    }
}
