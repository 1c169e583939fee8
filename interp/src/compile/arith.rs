//! `arith`

use super::*;
use crate::scalar::{Cast, FloatOp, FloatUnary, IntOp, IntPredicate};
use gridloom_ir::attr::{DenseData, Int};

impl FunctionCompiler<'_, '_> {
    pub(super) fn arith(&mut self, op: OpId) -> Compiled<bool> {
        let data = &self.body[op];
        if let Some(int) = int_op(data.name) {
            self.int_binary(op, int)?;
        } else if let Some(float) = float_op(data.name) {
            self.float_binary(op, float)?;
        } else if let Some(cast) = cast_op(data.name) {
            self.cast(op, cast)?;
        } else {
            match data.name {
                arith_ops::CONSTANT => self.arith_constant(op)?,
                arith_ops::CMPI => self.cmpi(op)?,
                arith_ops::CMPF => self.cmpf(op)?,
                arith_ops::NEGF => self.float_unary(op, FloatUnary::Neg)?,
                arith_ops::SELECT => self.select(op)?,
                arith_ops::ADDUI_EXTENDED => self.int_pair(op, IntOp::Add, IntOp::CarryU)?,
                arith_ops::MULUI_EXTENDED => self.int_pair(op, IntOp::Mul, IntOp::MulHighU)?,
                arith_ops::MULSI_EXTENDED => self.int_pair(op, IntOp::Mul, IntOp::MulHighS)?,
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    pub(super) fn int_binary(&mut self, op: OpId, int: IntOp) -> Compiled {
        let data = &self.body[op];
        let width = self.width_of(data.operands[0])?;
        let (a, b) = (
            self.scalar(data.operands[0])?,
            self.scalar(data.operands[1])?,
        );
        let dst = self.define_scalar(data.result(0))?;
        self.emit(Instr::Int {
            op: int,
            width,
            dst,
            a,
            b,
        });
        Ok(())
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

    pub(super) fn float_binary(&mut self, op: OpId, float: FloatOp) -> Compiled {
        let data = &self.body[op];
        let kind = self.kind_of(data.operands[0])?;
        let (a, b) = (
            self.scalar(data.operands[0])?,
            self.scalar(data.operands[1])?,
        );
        let dst = self.define_scalar(data.result(0))?;
        self.emit(Instr::Float {
            op: float,
            kind,
            dst,
            a,
            b,
        });
        Ok(())
    }

    pub(super) fn float_unary(&mut self, op: OpId, float: FloatUnary) -> Compiled {
        let data = &self.body[op];
        let kind = self.kind_of(data.operands[0])?;
        let a = self.scalar(data.operands[0])?;
        let dst = self.define_scalar(data.result(0))?;
        self.emit(Instr::FloatUnary {
            op: float,
            kind,
            dst,
            a,
        });
        Ok(())
    }

    pub(super) fn cast(&mut self, op: OpId, cast: Cast) -> Compiled {
        let data = &self.body[op];
        let (from, to) = (
            self.kind_of(data.operands[0])?,
            self.kind_of(data.result(0))?,
        );
        let src = self.scalar(data.operands[0])?;
        let dst = self.define_scalar(data.result(0))?;
        self.emit(Instr::Cast {
            cast,
            from,
            to,
            dst,
            src,
        });
        Ok(())
    }

    fn cmpi(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        let number = self.int_property(data, "predicate").unwrap_or(-1);
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
        let number = self.int_property(data, "predicate").unwrap_or(-1);
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
        let value = self.property("value")?;
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

fn int_op(name: OpName) -> Option<IntOp> {
    Some(match name {
        arith_ops::ADDI => IntOp::Add,
        arith_ops::SUBI => IntOp::Sub,
        arith_ops::MULI => IntOp::Mul,
        arith_ops::DIVSI => IntOp::DivS,
        arith_ops::DIVUI => IntOp::DivU,
        arith_ops::CEILDIVSI => IntOp::CeilDivS,
        arith_ops::CEILDIVUI => IntOp::CeilDivU,
        arith_ops::FLOORDIVSI => IntOp::FloorDivS,
        arith_ops::REMSI => IntOp::RemS,
        arith_ops::REMUI => IntOp::RemU,
        arith_ops::ANDI => IntOp::And,
        arith_ops::ORI => IntOp::Or,
        arith_ops::XORI => IntOp::Xor,
        arith_ops::SHLI => IntOp::Shl,
        arith_ops::SHRSI => IntOp::ShrS,
        arith_ops::SHRUI => IntOp::ShrU,
        arith_ops::MINSI => IntOp::MinS,
        arith_ops::MINUI => IntOp::MinU,
        arith_ops::MAXSI => IntOp::MaxS,
        arith_ops::MAXUI => IntOp::MaxU,
        _ => return None,
    })
}

fn float_op(name: OpName) -> Option<FloatOp> {
    Some(match name {
        arith_ops::ADDF => FloatOp::Add,
        arith_ops::SUBF => FloatOp::Sub,
        arith_ops::MULF => FloatOp::Mul,
        arith_ops::DIVF => FloatOp::Div,
        arith_ops::REMF => FloatOp::Rem,
        arith_ops::MAXIMUMF => FloatOp::Maximum,
        arith_ops::MINIMUMF => FloatOp::Minimum,
        arith_ops::MAXNUMF => FloatOp::MaxNum,
        arith_ops::MINNUMF => FloatOp::MinNum,
        _ => return None,
    })
}

fn cast_op(name: OpName) -> Option<Cast> {
    Some(match name {
        arith_ops::EXTSI | arith_ops::INDEX_CAST => Cast::IntSign,
        arith_ops::EXTUI | arith_ops::TRUNCI | arith_ops::INDEX_CASTUI => Cast::IntZero,
        arith_ops::EXTF | arith_ops::TRUNCF => Cast::Float,
        arith_ops::SITOFP => Cast::SignedToFloat,
        arith_ops::UITOFP => Cast::UnsignedToFloat,
        arith_ops::FPTOSI => Cast::FloatToSigned,
        arith_ops::FPTOUI => Cast::FloatToUnsigned,
        arith_ops::BITCAST => Cast::Bits,
        _ => return None,
    })
}
