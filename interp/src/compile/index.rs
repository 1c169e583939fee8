//! `index`: 64 bits, as everywhere in the machine.

use gridloom_ir::dialect::index as index_ops;

use super::*;
use crate::scalar::{Cast, IntOp};

impl FunctionCompiler<'_, '_> {
    pub(super) fn index(&mut self, op: OpId) -> Compiled<bool> {
        let name = self.body[op].name;
        if let Some(int) = int_op(name) {
            self.int_binary(op, int)?;
            return Ok(true);
        }
        match name {
            index_ops::CONSTANT | index_ops::BOOL_CONSTANT => self.arith_constant(op)?,
            index_ops::SIZEOF => {
                let result = self.body[op].result(0);
                let reg = self.constant(64);
                self.slots[result.index()] = Some(Slot::Scalar(reg, ScalarKind::Int(64)));
            }
            index_ops::CASTS => self.cast(op, Cast::IntSign)?,
            index_ops::CASTU => self.cast(op, Cast::IntZero)?,
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

fn int_op(name: OpName) -> Option<IntOp> {
    Some(match name {
        index_ops::ADD => IntOp::Add,
        index_ops::SUB => IntOp::Sub,
        index_ops::MUL => IntOp::Mul,
        index_ops::DIVS => IntOp::DivS,
        index_ops::DIVU => IntOp::DivU,
        index_ops::CEILDIVS => IntOp::CeilDivS,
        index_ops::CEILDIVU => IntOp::CeilDivU,
        index_ops::FLOORDIVS => IntOp::FloorDivS,
        index_ops::REMS => IntOp::RemS,
        index_ops::REMU => IntOp::RemU,
        index_ops::AND => IntOp::And,
        index_ops::OR => IntOp::Or,
        index_ops::XOR => IntOp::Xor,
        index_ops::SHL => IntOp::Shl,
        index_ops::SHRS => IntOp::ShrS,
        index_ops::SHRU => IntOp::ShrU,
        index_ops::MINS => IntOp::MinS,
        index_ops::MINU => IntOp::MinU,
        index_ops::MAXS => IntOp::MaxS,
        index_ops::MAXU => IntOp::MaxU,
        _ => return None,
    })
}
