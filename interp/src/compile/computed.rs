//! Compiler of operations whose row declares a computation: one instruction for each lane.

use gridloom_dialects::arith::{RoundingMode, rounding_mode};
use gridloom_ir::op::Traits;
use gridloom_ir::scalar::{Computation, ComputeFn};

use super::*;

impl FunctionCompiler<'_, '_> {
    /// Compiles an operation to its row's computation, lane by lane on vectors.
    pub(super) fn computed(&mut self, op: OpId, computation: Computation) -> Compiled<bool> {
        if let Computation::Words(compute) = computation {
            return self.lanewise(op, |compiler, op| compiler.call_of_computation(op, compute));
        }
        self.lanewise(op, |compiler, op| {
            let instr = compiler.instruction(op, computation)?;
            compiler.emit(instr);
            Ok(true)
        })
    }

    /// The instruction of a computation; sets the only result.
    fn instruction(&mut self, op: OpId, computation: Computation) -> Compiled<Instr> {
        let data = &self.body[op];
        let (Some(&first), 1) = (data.operands.first(), data.num_results()) else {
            return self.error("an operand and one result were expected");
        };
        let args = self.scalars(&data.operands)?;
        let kind = self.kind_of(first)?;
        let dst = self.define_scalar(data.result(0))?;
        Ok(match (computation, &args[..]) {
            (Computation::Int(op) | Computation::Index(op), &[a, b]) => Instr::Int {
                op,
                width: self.width_of(first)?,
                dst,
                a,
                b,
            },
            (Computation::IntUnary(op), &[a]) => Instr::IntUnary {
                op,
                width: self.width_of(first)?,
                dst,
                a,
            },
            (Computation::Float(op), &[a, b]) => Instr::Float {
                op,
                kind,
                dst,
                a,
                b,
            },
            (Computation::FloatUnary(op), &[a]) => Instr::FloatUnary { op, kind, dst, a },
            (Computation::FloatTest(test), &[a]) => Instr::FloatTest { test, kind, dst, a },
            (Computation::Cast(_), _)
                if rounding_mode(self.ctx, data) != RoundingMode::ToNearestEven =>
            {
                return self.error(format!(
                    "no engine rounds '{}' to this format: leave the mode out, or truncate to f16, bf16 or f32",
                    rounding_mode(self.ctx, data).keyword()
                ));
            }
            (Computation::Cast(cast) | Computation::IndexCast(cast), &[src]) => Instr::Cast {
                cast,
                from: kind,
                to: self.kind_of(data.result(0))?,
                dst,
                src,
            },
            (Computation::FusedMultiplyAdd, &[a, b, c]) => Instr::Fma { kind, dst, a, b, c },
            (Computation::FloatToIntPower, &[a, b]) => Instr::FloatPowInt {
                kind,
                width: self.width_of(data.operands[1])?,
                dst,
                a,
                b,
            },
            _ => return self.error("the number of operands is not that of the computation"),
        })
    }

    /// Compiles a call of the function that a row of an added dialect computes by.
    fn call_of_computation(&mut self, op: OpId, compute: ComputeFn) -> Compiled<bool> {
        let data = &self.body[op];
        let in_lane = self.lane.is_some();
        if data.num_results() != 1 || in_lane && !self.ctx.op_has(data.name, Traits::ELEMENTWISE) {
            return Ok(false);
        }
        let args = self.scalars(&data.operands)?;
        let args = self.span(&args);
        let width = match self.kind_of(data.result(0))? {
            ScalarKind::Int(width) => width,
            kind => kind.size() as u8 * 8,
        };
        let dst = self.define_scalar(data.result(0))?;
        self.emit(Instr::Compute {
            compute,
            width,
            dst,
            args,
        });
        Ok(true)
    }
}
