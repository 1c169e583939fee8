//! The `cf` dialect.

use crate::dialect::constraints::*;
use crate::op::{AttrSyntax, OpDef, Traits};

const BRANCH: Traits = Traits::PURE.with(Traits::TERMINATOR);

dialect_ops! {
    after super::func::END;
    /// `cf.assert`: stops the program with a message unless a condition holds.
    ASSERT = OpDef::new("cf.assert")
        .operands(&[one("arg", I1)])
        .attrs(&[attr("msg", STRING).spelled(AttrSyntax::String)])
        .format("$arg `,` $msg attr-dict");
    /// `cf.br`: goes to a block.
    BR = OpDef::new("cf.br")
        .with(BRANCH)
        .operands(&[many("destOperands", ANY)])
        .successors(1)
        .format("$dest (`(` $destOperands^ `:` type($destOperands) `)`)? attr-dict");
    /// `cf.cond_br`: goes to one of two blocks.
    COND_BR = OpDef::new("cf.cond_br")
        .with(BRANCH)
        .with(Traits::ATTR_SIZED_OPERANDS)
        .operands(&[
            one("condition", I1),
            many("trueDestOperands", ANY),
            many("falseDestOperands", ANY),
        ])
        .attrs(&[attr("branch_weights", I32_ARRAY)
            .spelled(AttrSyntax::DenseArray(|c| c.int_type(32)))
            .optional()])
        .successors(2)
        .format("$condition (`weights` `(` $branch_weights^ `)`)? `,` \
            $trueDest (`(` $trueDestOperands^ `:` type($trueDestOperands) `)`)? `,` \
            $falseDest (`(` $falseDestOperands^ `:` type($falseDestOperands) `)`)? attr-dict");
    /// `cf.switch`: goes to the block of a number.
    SWITCH = OpDef::new("cf.switch")
        .with(BRANCH)
        .with(Traits::ATTR_SIZED_OPERANDS)
        .operands(&[
            one("flag", INTEGER),
            many("defaultOperands", ANY),
            many("caseOperands", ANY),
        ])
        .attrs(&[
            attr("case_values", INT_ELEMENTS).optional(),
            attr("case_operand_segments", I32_ARRAY),
        ])
        .any_successors();
}
