//! `math`

use super::*;

use crate::scalar::{FloatOp, FloatTest, FloatUnary, IntOp, IntUnary};

impl FunctionCompiler<'_, '_> {
    pub(super) fn math(&mut self, op: OpId) -> Compiled<bool> {
        let data = &self.body[op];
        if let Some(unary) = float_unary_op(data.name) {
            self.float_unary(op, unary)?;
            return Ok(true);
        }
        match data.name {
            math_ops::ATAN2 => self.float_binary(op, FloatOp::Atan2)?,
            math_ops::POWF => self.float_binary(op, FloatOp::Pow)?,
            math_ops::COPYSIGN => self.float_binary(op, FloatOp::CopySign)?,
            math_ops::FMA => {
                let kind = self.kind_of(data.operands[0])?;
                let operands = self.scalars(&data.operands)?;
                let dst = self.define_scalar(data.result(0))?;
                let [a, b, c] = operands[..] else {
                    return self.error("three operands expected");
                };
                self.emit(Instr::Fma { kind, dst, a, b, c });
            }
            math_ops::FPOWI => {
                let kind = self.kind_of(data.operands[0])?;
                let width = self.width_of(data.operands[1])?;
                let (a, b) = (
                    self.scalar(data.operands[0])?,
                    self.scalar(data.operands[1])?,
                );
                let dst = self.define_scalar(data.result(0))?;
                self.emit(Instr::FloatPowInt {
                    kind,
                    width,
                    dst,
                    a,
                    b,
                });
            }
            math_ops::IPOWI => {
                let width = self.width_of(data.operands[0])?;
                let (a, b) = (
                    self.scalar(data.operands[0])?,
                    self.scalar(data.operands[1])?,
                );
                let dst = self.define_scalar(data.result(0))?;
                self.emit(Instr::Int {
                    op: IntOp::Pow,
                    width,
                    dst,
                    a,
                    b,
                });
            }
            math_ops::CLAMPF => self.clampf(op)?,
            math_ops::SINCOS => self.sincos(op)?,
            math_ops::ABSI => self.int_unary(op, IntUnary::Abs)?,
            math_ops::CTLZ => self.int_unary(op, IntUnary::CountLeadingZeros)?,
            math_ops::CTTZ => self.int_unary(op, IntUnary::CountTrailingZeros)?,
            math_ops::CTPOP => self.int_unary(op, IntUnary::CountOnes)?,
            math_ops::ISFINITE => self.float_test(op, FloatTest::Finite)?,
            math_ops::ISINF => self.float_test(op, FloatTest::Infinite)?,
            math_ops::ISNAN => self.float_test(op, FloatTest::Nan)?,
            math_ops::ISNORMAL => self.float_test(op, FloatTest::Normal)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn int_unary(&mut self, op: OpId, unary: IntUnary) -> Compiled {
        let data = &self.body[op];
        let width = self.width_of(data.operands[0])?;
        let a = self.scalar(data.operands[0])?;
        let dst = self.define_scalar(data.result(0))?;
        self.emit(Instr::IntUnary {
            op: unary,
            width,
            dst,
            a,
        });
        Ok(())
    }

    fn float_test(&mut self, op: OpId, test: FloatTest) -> Compiled {
        let data = &self.body[op];
        let kind = self.kind_of(data.operands[0])?;
        let a = self.scalar(data.operands[0])?;
        let dst = self.define_scalar(data.result(0))?;
        self.emit(Instr::FloatTest { test, kind, dst, a });
        Ok(())
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

fn float_unary_op(name: OpName) -> Option<FloatUnary> {
    Some(match name {
        math_ops::ABSF => FloatUnary::Abs,
        math_ops::SQRT => FloatUnary::Sqrt,
        math_ops::RSQRT => FloatUnary::Rsqrt,
        math_ops::CBRT => FloatUnary::Cbrt,
        math_ops::EXP => FloatUnary::Exp,
        math_ops::EXP2 => FloatUnary::Exp2,
        math_ops::EXPM1 => FloatUnary::ExpM1,
        math_ops::LOG => FloatUnary::Log,
        math_ops::LOG2 => FloatUnary::Log2,
        math_ops::LOG10 => FloatUnary::Log10,
        math_ops::LOG1P => FloatUnary::Log1p,
        math_ops::SIN => FloatUnary::Sin,
        math_ops::COS => FloatUnary::Cos,
        math_ops::TAN => FloatUnary::Tan,
        math_ops::ASIN => FloatUnary::Asin,
        math_ops::ACOS => FloatUnary::Acos,
        math_ops::ATAN => FloatUnary::Atan,
        math_ops::SINH => FloatUnary::Sinh,
        math_ops::COSH => FloatUnary::Cosh,
        math_ops::TANH => FloatUnary::Tanh,
        math_ops::ASINH => FloatUnary::Asinh,
        math_ops::ACOSH => FloatUnary::Acosh,
        math_ops::ATANH => FloatUnary::Atanh,
        math_ops::ERF => FloatUnary::Erf,
        math_ops::ERFC => FloatUnary::Erfc,
        math_ops::FLOOR => FloatUnary::Floor,
        math_ops::CEIL => FloatUnary::Ceil,
        math_ops::ROUND => FloatUnary::Round,
        math_ops::ROUNDEVEN => FloatUnary::RoundEven,
        math_ops::TRUNC => FloatUnary::Trunc,
        _ => return None,
    })
}
