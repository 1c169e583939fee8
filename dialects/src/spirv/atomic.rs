//! Atomic updates and barriers.

#![allow(missing_docs)] // Each constant is the operation that its row names.

use super::constraints::*;
use super::enums;
use super::scope::plain_error;
use super::view::pointee;
use gridloom_ir::constraints::{follows, one};
use gridloom_ir::op::{AttrDef, OpDef, TypeRule};
use gridloom_ir::types::{Type, TypeKind};
use gridloom_ir::verify::{Check, Checked};

const ORDER: &[AttrDef] = &[MEMORY_SCOPE, SEMANTICS];
const TWO_ORDERS: &[AttrDef] = &[MEMORY_SCOPE, EQUAL_SEMANTICS, UNEQUAL_SEMANTICS];

const UPDATE: &str = "$memory_scope $semantics operands attr-dict `:` type($pointer)";

/// An atomic read-modify-write of an integer.
const fn update(name: &'static str) -> OpDef {
    OpDef::new(name)
        .operands(const { &[one("pointer", POINTER), one("value", INTEGER)] })
        .results(const { &[one("result", INTEGER)] })
        .attrs(ORDER)
        .infer(const { &[VALUE_IS_POINTEE, RESULT_IS_POINTEE] })
        .format(UPDATE)
        .verify_kind(verify_integer)
}

/// An atomic increment or decrement.
const fn count(name: &'static str) -> OpDef {
    update(name)
        .operands(const { &[one("pointer", POINTER)] })
        .infer(const { &[RESULT_IS_POINTEE] })
}

/// An atomic compare-and-exchange.
const fn compare_exchange(name: &'static str) -> OpDef {
    const COMPARATOR: TypeRule = follows(
        "comparator",
        "pointer",
        pointee,
        "`comparator` type matches pointee type of `pointer`",
    );
    OpDef::new(name)
        .operands(
            const {
                &[
                    one("pointer", POINTER),
                    one("value", INTEGER),
                    one("comparator", INTEGER),
                ]
            },
        )
        .results(const { &[one("result", INTEGER)] })
        .attrs(TWO_ORDERS)
        .infer(const { &[RESULT_IS_POINTEE, VALUE_IS_POINTEE, COMPARATOR] })
        .format(
            "$memory_scope $equal_semantics $unequal_semantics operands attr-dict \
             `:` type($pointer)",
        )
}

dialect_ops! {
    after super::structure::END;
    ATOMIC_AND = update("spirv.AtomicAnd");
    ATOMIC_COMPARE_EXCHANGE = compare_exchange("spirv.AtomicCompareExchange");
    ATOMIC_COMPARE_EXCHANGE_WEAK = compare_exchange("spirv.AtomicCompareExchangeWeak");
    ATOMIC_EXCHANGE = OpDef::new("spirv.AtomicExchange")
        .operands(&[one("pointer", POINTER), one("value", NUMERICAL)])
        .results(&[one("result", NUMERICAL)])
        .attrs(ORDER)
        .infer(&[VALUE_IS_POINTEE, RESULT_IS_POINTEE])
        .format(UPDATE);
    ATOMIC_I_ADD = update("spirv.AtomicIAdd");
    ATOMIC_I_DECREMENT = count("spirv.AtomicIDecrement");
    ATOMIC_I_INCREMENT = count("spirv.AtomicIIncrement");
    ATOMIC_I_SUB = update("spirv.AtomicISub");
    ATOMIC_OR = update("spirv.AtomicOr");
    ATOMIC_S_MAX = update("spirv.AtomicSMax");
    ATOMIC_S_MIN = update("spirv.AtomicSMin");
    ATOMIC_U_MAX = update("spirv.AtomicUMax");
    ATOMIC_U_MIN = update("spirv.AtomicUMin");
    ATOMIC_XOR = update("spirv.AtomicXor");
    ATOMIC_F_ADD = OpDef::new("spirv.EXT.AtomicFAdd")
        .operands(&[one("pointer", POINTER), one("value", FLOAT)])
        .results(&[one("result", FLOAT)])
        .attrs(ORDER)
        .infer(&[RESULT_IS_POINTEE, VALUE_IS_POINTEE])
        .format(UPDATE)
        .verify_kind(verify_float);
    CONTROL_BARRIER = OpDef::new("spirv.ControlBarrier")
        .attrs(&[EXECUTION_SCOPE, MEMORY_SCOPE, MEMORY_SEMANTICS])
        .format("$execution_scope `,` $memory_scope `,` $memory_semantics attr-dict")
        .verify_kind(|check| verify_semantics(check, "memory_semantics"));
    CONTROL_BARRIER_ARRIVE = OpDef::new("spirv.INTEL.ControlBarrierArrive")
        .attrs(&[EXECUTION_SCOPE, MEMORY_SCOPE, MEMORY_SEMANTICS])
        .format("$execution_scope $memory_scope $memory_semantics attr-dict");
    CONTROL_BARRIER_WAIT = OpDef::new("spirv.INTEL.ControlBarrierWait")
        .attrs(&[EXECUTION_SCOPE, MEMORY_SCOPE, MEMORY_SEMANTICS])
        .format("$execution_scope $memory_scope $memory_semantics attr-dict");
    MEMORY_BARRIER = OpDef::new("spirv.MemoryBarrier")
        .attrs(&[MEMORY_SCOPE, MEMORY_SEMANTICS])
        .format("$memory_scope `,` $memory_semantics attr-dict")
        .verify_kind(|check| verify_semantics(check, "memory_semantics"));
}

fn verify_integer(check: &Check) -> Checked {
    verify_update(check, "integer", |kind| {
        matches!(kind, TypeKind::Integer { .. })
    })
}

fn verify_float(check: &Check) -> Checked {
    verify_update(check, "float", |kind| matches!(kind, TypeKind::Float(_)))
}

fn verify_update(check: &Check, what: &str, is: fn(&TypeKind) -> bool) -> Checked {
    let ctx = check.ctx();
    let element = pointee(ctx, check.operand_type(0));
    let fits = |ty: Type| is(ty.kind(ctx));
    if let Some(element) = element.filter(|&element| !fits(element)) {
        let shown = check.show(element);
        return Err(check.error(format!(
            "pointer operand must point to an {what} value, found '{shown}'"
        )));
    }
    verify_semantics(check, "semantics")
}

/// Verifies that at most one memory order is set; these are bits 1 to 4.
fn verify_semantics(check: &Check, name: &str) -> Checked {
    const ORDERS: i64 = 0b1_1110;
    let ctx = check.ctx();
    let value = check.data().attr(ctx, name);
    let value =
        value.and_then(|value| gridloom_ir::text::load_case(ctx, &enums::MEMORY_SEMANTICS, value));
    if value.is_some_and(|bits| (bits & ORDERS).count_ones() > 1) {
        let message = "expected at most one of these four memory constraints to be set: \
                       `Acquire`, `Release`,`AcquireRelease` or `SequentiallyConsistent`";
        return Err(plain_error(check, message));
    }
    Ok(())
}
