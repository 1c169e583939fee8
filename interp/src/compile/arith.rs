//! Compiler of `arith` operations without a declared computation.

use super::*;
use crate::scalar::{IntOp, IntPredicate};
use gridloom_dialects::inherent;
use gridloom_ir::attr::{DenseData, Int};

impl FunctionCompiler<'_, '_> {
    pub(super) fn arith(&mut self, op: OpId) -> Compiled<bool> {
        match self.body[op].name {
            arith_ops::CONSTANT => self.arith_constant(op)?,
            arith_ops::CMPI => self.cmpi(op)?,
            arith_ops::CMPF => self.cmpf(op)?,
            arith_ops::SELECT => self.select(op)?,
            arith_ops::ADDUI_EXTENDED => self.int_pair(op, IntOp::Add, IntOp::CarryU)?,
            arith_ops::MULUI_EXTENDED => self.int_pair(op, IntOp::Mul, IntOp::MulHighU)?,
            arith_ops::MULSI_EXTENDED => self.int_pair(op, IntOp::Mul, IntOp::MulHighS)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Two results of the same operands: the low and the high part.
    fn int_pair(&mut self, op: OpId, low: IntOp, high: IntOp) -> Compiled {
        let data = &self.body[op];
        let width = self.width_of(data.operands[0])?;
        let (a, b) = (
            self.scalar(data.operands[0])?,
            self.scalar(data.operands[1])?,
        );
        for (int, result) in [(low, 0), (high, 1)] {
            let dst = self.define_scalar(data.result(result))?;
            self.emit(Instr::Int {
                op: int,
                width,
                dst,
                a,
                b,
            });
        }
        Ok(())
    }

    fn cmpi(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let number = data.get(self.ctx, inherent::PREDICATE).unwrap_or(-1);
        let Some(pred) = IntPredicate::from_number(number) else {
            return self.error("unknown comparison predicate");
        };
        self.int_compare(op, pred)
    }

    pub(super) fn int_compare(&mut self, op: OpId, pred: IntPredicate) -> Compiled {
        let data = &self.body[op];
        let width = self.width_of(data.operands[0])?;
        let (a, b) = (
            self.scalar(data.operands[0])?,
            self.scalar(data.operands[1])?,
        );
        let dst = self.define_scalar(data.result(0))?;
        self.emit(Instr::IntCmp {
            pred,
            width,
            dst,
            a,
            b,
        });
        Ok(())
    }

    fn cmpf(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let number = data.get(self.ctx, inherent::PREDICATE).unwrap_or(-1);
        let Some(pred) = u8::try_from(number).ok().filter(|&n| n < 16) else {
            return self.error("unknown comparison predicate");
        };
        let kind = self.kind_of(data.operands[0])?;
        let (a, b) = (
            self.scalar(data.operands[0])?,
            self.scalar(data.operands[1])?,
        );
        let dst = self.define_scalar(data.result(0))?;
        self.emit(Instr::FloatCmp {
            pred,
            kind,
            dst,
            a,
            b,
        });
        Ok(())
    }

    fn select(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let cond = self.scalar(data.operands[0])?;
        let (a, b) = (self.slot(data.operands[1])?, self.slot(data.operands[2])?);
        let (a, b) = (self.in_lane(a), self.in_lane(b));
        match (
            a,
            b,
            self.define(data.result(0)).map(|slot| self.in_lane(slot))?,
        ) {
            (Slot::Scalar(a, _), Slot::Scalar(b, _), Slot::Scalar(dst, _)) => {
                self.emit(Instr::Select { dst, cond, a, b });
            }
            (Slot::Mem(a, _), Slot::Mem(b, _), Slot::Mem(dst, _)) => {
                self.emit(Instr::SelectMem { dst, cond, a, b });
            }
            _ => {}
        }
        Ok(())
    }

    pub(super) fn arith_constant(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let value = self.property(inherent::VALUE)?;
        if let AttrKind::Dense { .. } = value.kind(self.ctx) {
            let (shape, kind) = self.vector_shape(self.body.ty(data.result(0)))?;
            let Some(values) = dense_values(self.ctx, value, kind) else {
                return self.error("the interpreter cannot hold this constant in registers");
            };
            let count = shape.iter().product();
            let values = values.iter().cycle().take(count);
            let regs: Vec<Reg> = values.map(|&bits| self.constant(bits)).collect();
            return self.set_lanes(data.result(0), &regs);
        }
        let kind = self.kind_of(data.result(0))?;
        let Some(bits) = attr_bits(self.ctx, value, kind) else {
            return self.error("the interpreter cannot hold this constant in a register");
        };
        let reg = self.constant(bits);
        self.slots[data.result(0).index()] = Some(Slot::Scalar(reg, kind));
        Ok(())
    }
}

/// The register contents for a scalar attribute.
pub(crate) fn attr_bits(ctx: &Context, attr: Attr, kind: ScalarKind) -> Option<u64> {
    match (attr.kind(ctx), kind) {
        (
            AttrKind::Integer {
                value: Int::Small(value),
                ..
            },
            ScalarKind::Int(width),
        ) => Some(crate::scalar::mask(*value as u64, width)),
        (AttrKind::Float { bits, .. }, _) => u64::try_from(*bits).ok(),
        _ => None,
    }
}

/// The elements of a dense attribute: all of them, or the one they all equal.
pub(crate) fn dense_values(ctx: &Context, attr: Attr, kind: ScalarKind) -> Option<Vec<u64>> {
    let AttrKind::Dense { data, .. } = attr.kind(ctx) else {
        return None;
    };
    let (DenseData::Splat(bytes) | DenseData::Raw(bytes)) = data else {
        return None;
    };
    let size = match kind {
        ScalarKind::Int(width) => usize::from(width).div_ceil(8),
        other => other.size(),
    };
    let word = |chunk: &[u8]| {
        let bits = chunk
            .iter()
            .rev()
            .fold(0, |value, &byte| value << 8 | u64::from(byte));
        match kind {
            ScalarKind::Int(width) => crate::scalar::mask(bits, width),
            _ => bits,
        }
    };
    bytes
        .len()
        .is_multiple_of(size)
        .then(|| bytes.chunks(size).map(word).collect())
}
