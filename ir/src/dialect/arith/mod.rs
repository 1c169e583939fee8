//! The `arith` dialect.

use crate::op::{OpDef, Traits};

mod compare;
mod constant;

pub use compare::{CmpFOp, CmpFPredicate, CmpIOp, CmpIPredicate, bool_like, select};
pub use constant::{ConstantOp, constant_int, constant_value};

dialect_ops! {
    after super::scf::END;
    /// `arith.addf`
    ADDF = OpDef { traits: Traits::COMMUTATIVE.with(Traits::ELEMENTWISE).with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("arith.addf") };
    /// `arith.addi`
    ADDI = OpDef { traits: Traits::COMMUTATIVE.with(Traits::ELEMENTWISE).with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("arith.addi") };
    /// `arith.addui_extended`
    ADDUI_EXTENDED = OpDef { traits: Traits::COMMUTATIVE.with(Traits::ELEMENTWISE).with(Traits::PURE), ..OpDef::new("arith.addui_extended") };
    /// `arith.andi`
    ANDI = OpDef { traits: Traits::COMMUTATIVE.with(Traits::ELEMENTWISE).with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("arith.andi") };
    /// `arith.bitcast`
    BITCAST = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_SHAPE), ..OpDef::new("arith.bitcast") };
    /// `arith.ceildivsi`
    CEILDIVSI = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("arith.ceildivsi") };
    /// `arith.ceildivui`
    CEILDIVUI = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("arith.ceildivui") };
    /// `arith.cmpf`
    CMPF = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_TYPE_OPERANDS), ..OpDef::new("arith.cmpf") };
    /// `arith.cmpi`
    CMPI = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_TYPE_OPERANDS), ..OpDef::new("arith.cmpi") };
    /// `arith.constant`
    CONSTANT = OpDef { traits: Traits::CONSTANT_LIKE.with(Traits::PURE), ..OpDef::new("arith.constant") };
    /// `arith.divf`
    DIVF = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("arith.divf") };
    /// `arith.divsi`
    DIVSI = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("arith.divsi") };
    /// `arith.divui`
    DIVUI = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("arith.divui") };
    /// `arith.extf`
    EXTF = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_SHAPE), ..OpDef::new("arith.extf") };
    /// `arith.extsi`
    EXTSI = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_SHAPE), ..OpDef::new("arith.extsi") };
    /// `arith.extui`
    EXTUI = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_SHAPE), ..OpDef::new("arith.extui") };
    /// `arith.floordivsi`
    FLOORDIVSI = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("arith.floordivsi") };
    /// `arith.fptosi`
    FPTOSI = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_SHAPE), ..OpDef::new("arith.fptosi") };
    /// `arith.fptoui`
    FPTOUI = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_SHAPE), ..OpDef::new("arith.fptoui") };
    /// `arith.index_cast`
    INDEX_CAST = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_SHAPE), ..OpDef::new("arith.index_cast") };
    /// `arith.index_castui`
    INDEX_CASTUI = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_SHAPE), ..OpDef::new("arith.index_castui") };
    /// `arith.maximumf`
    MAXIMUMF = OpDef { traits: Traits::COMMUTATIVE.with(Traits::ELEMENTWISE).with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("arith.maximumf") };
    /// `arith.maxnumf`
    MAXNUMF = OpDef { traits: Traits::COMMUTATIVE.with(Traits::ELEMENTWISE).with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("arith.maxnumf") };
    /// `arith.maxsi`
    MAXSI = OpDef { traits: Traits::COMMUTATIVE.with(Traits::ELEMENTWISE).with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("arith.maxsi") };
    /// `arith.maxui`
    MAXUI = OpDef { traits: Traits::COMMUTATIVE.with(Traits::ELEMENTWISE).with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("arith.maxui") };
    /// `arith.minimumf`
    MINIMUMF = OpDef { traits: Traits::COMMUTATIVE.with(Traits::ELEMENTWISE).with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("arith.minimumf") };
    /// `arith.minnumf`
    MINNUMF = OpDef { traits: Traits::COMMUTATIVE.with(Traits::ELEMENTWISE).with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("arith.minnumf") };
    /// `arith.minsi`
    MINSI = OpDef { traits: Traits::COMMUTATIVE.with(Traits::ELEMENTWISE).with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("arith.minsi") };
    /// `arith.minui`
    MINUI = OpDef { traits: Traits::COMMUTATIVE.with(Traits::ELEMENTWISE).with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("arith.minui") };
    /// `arith.mulf`
    MULF = OpDef { traits: Traits::COMMUTATIVE.with(Traits::ELEMENTWISE).with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("arith.mulf") };
    /// `arith.muli`
    MULI = OpDef { traits: Traits::COMMUTATIVE.with(Traits::ELEMENTWISE).with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("arith.muli") };
    /// `arith.mulsi_extended`
    MULSI_EXTENDED = OpDef { traits: Traits::COMMUTATIVE.with(Traits::ELEMENTWISE).with(Traits::PURE), ..OpDef::new("arith.mulsi_extended") };
    /// `arith.mului_extended`
    MULUI_EXTENDED = OpDef { traits: Traits::COMMUTATIVE.with(Traits::ELEMENTWISE).with(Traits::PURE), ..OpDef::new("arith.mului_extended") };
    /// `arith.negf`
    NEGF = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("arith.negf") };
    /// `arith.ori`
    ORI = OpDef { traits: Traits::COMMUTATIVE.with(Traits::ELEMENTWISE).with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("arith.ori") };
    /// `arith.remf`
    REMF = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("arith.remf") };
    /// `arith.remsi`
    REMSI = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("arith.remsi") };
    /// `arith.remui`
    REMUI = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("arith.remui") };
    /// `arith.scaling_extf`
    SCALING_EXTF = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE), ..OpDef::new("arith.scaling_extf") };
    /// `arith.scaling_truncf`
    SCALING_TRUNCF = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE), ..OpDef::new("arith.scaling_truncf") };
    /// `arith.select`
    SELECT = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE), ..OpDef::new("arith.select") };
    /// `arith.shli`
    SHLI = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("arith.shli") };
    /// `arith.shrsi`
    SHRSI = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("arith.shrsi") };
    /// `arith.shrui`
    SHRUI = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("arith.shrui") };
    /// `arith.sitofp`
    SITOFP = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_SHAPE), ..OpDef::new("arith.sitofp") };
    /// `arith.subf`
    SUBF = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("arith.subf") };
    /// `arith.subi`
    SUBI = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("arith.subi") };
    /// `arith.truncf`
    TRUNCF = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_SHAPE), ..OpDef::new("arith.truncf") };
    /// `arith.trunci`
    TRUNCI = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_SHAPE), ..OpDef::new("arith.trunci") };
    /// `arith.uitofp`
    UITOFP = OpDef { traits: Traits::ELEMENTWISE.with(Traits::PURE).with(Traits::SAME_SHAPE), ..OpDef::new("arith.uitofp") };
    /// `arith.xori`
    XORI = OpDef { traits: Traits::COMMUTATIVE.with(Traits::ELEMENTWISE).with(Traits::PURE).with(Traits::SAME_OPERANDS_AND_RESULT_TYPE), ..OpDef::new("arith.xori") };
}
