//! Group operations: values that the invocations of a group compute together.

#![allow(missing_docs)] // Each constant is the operation that its row names.

use super::composite::CONSTANT;
use super::constraints::*;
use super::memory_check::constant_integer;
use super::rows::{UNARY_BOOL, UNARY_FLOAT, UNARY_INT};
use super::structure::{MODULE, REFERENCE_OF};
use gridloom_ir::body::Value;
use gridloom_ir::constraints::{maybe, one, same};
use gridloom_ir::op::{AttrDef, OpDef, Traits, TypeRule, ValueDef};
use gridloom_ir::types::{Signedness, TypeKind};
use gridloom_ir::verify::{Check, Checked};

const SCOPE: &[AttrDef] = &[EXECUTION_SCOPE];
const SCOPE_AND_KIND: &[AttrDef] = &[EXECUTION_SCOPE, GROUP_OPERATION];
const LIKE_VALUE: &[TypeRule] = &[same(
    &["value", "result"],
    "all of {value, result} have same type",
)];

const REDUCED_BOOL: &[ValueDef] = &[one("value", BOOL_LIKE), maybe("cluster_size", INTEGER)];
const REDUCED_FLOAT: &[ValueDef] = &[one("value", FLOAT_LIKE), maybe("cluster_size", INTEGER)];
const REDUCED_INT: &[ValueDef] = &[one("value", INT_LIKE), maybe("cluster_size", INTEGER)];
const FLOAT_X: &[ValueDef] = &[one("x", FLOAT_LIKE)];
const INT_X: &[ValueDef] = &[one("x", INT_LIKE)];

/// A reduction over the active invocations.
const fn reduction(
    name: &'static str,
    operands: &'static [ValueDef],
    results: &'static [ValueDef],
) -> OpDef {
    OpDef::new(name)
        .operands(operands)
        .results(results)
        .attrs(SCOPE_AND_KIND)
        .format(
            "$execution_scope $group_operation $value (`cluster_size``(` $cluster_size^ `)`)? \
             attr-dict `:` type($value) (`,` type($cluster_size)^)? `->` type(results)",
        )
        .verify(verify_reduction)
}

/// A reduction over all invocations.
const fn uniform(
    name: &'static str,
    operands: &'static [ValueDef],
    results: &'static [ValueDef],
) -> OpDef {
    OpDef::new(name)
        .with(Traits::PURE)
        .operands(operands)
        .results(results)
        .attrs(SCOPE_AND_KIND)
        .infer(const { &[same(&["x", "result"], "all of {x, result} have same type")] })
        .format("$execution_scope $group_operation operands attr-dict `:` type($x)")
        .verify_kind(verify_scope)
}

/// A read of another invocation's value.
const fn shuffle(name: &'static str, operands: &'static [ValueDef], format: &'static str) -> OpDef {
    OpDef::new(name)
        .with(Traits::PURE)
        .operands(operands)
        .results(const { &[one("result", ANY_SPIRV)] })
        .attrs(SCOPE)
        .infer(LIKE_VALUE)
        .format(format)
        .verify_kind(verify_shuffle)
}

/// A vote on a condition by all invocations.
const fn vote(name: &'static str) -> OpDef {
    OpDef::new(name)
        .operands(const { &[one("predicate", BOOL)] })
        .results(const { &[one("result", BOOL)] })
        .attrs(SCOPE)
        .format("$execution_scope $predicate attr-dict `:` type($result)")
        .verify_kind(verify_subgroup)
}

/// The first or last invocation in a ballot.
const fn find_bit(name: &'static str) -> OpDef {
    OpDef::new(name)
        .operands(const { &[one("value", UNSIGNED_QUAD)] })
        .results(const { &[one("result", UNSIGNED)] })
        .attrs(SCOPE)
        .format("$execution_scope $value attr-dict `:` type($value) `,` type($result)")
        .verify_kind(verify_scope)
}

dialect_ops! {
    after super::atomic::END;
    GROUP_BROADCAST = OpDef::new("spirv.GroupBroadcast")
        .with(Traits::PURE)
        .operands(&[one("value", ANY_SPIRV), one("localid", INT_LIKE)])
        .results(&[one("result", ANY_SPIRV)])
        .attrs(SCOPE)
        .infer(LIKE_VALUE)
        .format("$execution_scope operands attr-dict `:` type($value) `,` type($localid)")
        .verify_kind(verify_broadcast);
    GROUP_F_ADD = uniform("spirv.GroupFAdd", FLOAT_X, UNARY_FLOAT.results);
    GROUP_F_MAX = uniform("spirv.GroupFMax", FLOAT_X, UNARY_FLOAT.results);
    GROUP_F_MIN = uniform("spirv.GroupFMin", FLOAT_X, UNARY_FLOAT.results);
    GROUP_I_ADD = uniform("spirv.GroupIAdd", INT_X, UNARY_INT.results);
    GROUP_S_MAX = uniform("spirv.GroupSMax", INT_X, UNARY_INT.results);
    GROUP_S_MIN = uniform("spirv.GroupSMin", INT_X, UNARY_INT.results);
    GROUP_U_MAX = uniform("spirv.GroupUMax", INT_X, UNARY_INT.results);
    GROUP_U_MIN = uniform("spirv.GroupUMin", INT_X, UNARY_INT.results);
    KHR_GROUP_F_MUL = uniform("spirv.KHR.GroupFMul", FLOAT_X, UNARY_FLOAT.results);
    KHR_GROUP_I_MUL = uniform("spirv.KHR.GroupIMul", INT_X, UNARY_INT.results);
    ALL = vote("spirv.GroupNonUniformAll");
    ALL_EQUAL = OpDef::new("spirv.GroupNonUniformAllEqual")
        .operands(&[one("value", FLOAT_INT_OR_BOOL_LIKE)])
        .results(&[one("result", BOOL)])
        .attrs(SCOPE)
        .format("$execution_scope $value attr-dict `:` type($value) `,` type($result)")
        .verify_kind(verify_subgroup);
    ANY = vote("spirv.GroupNonUniformAny");
    BALLOT = OpDef::new("spirv.GroupNonUniformBallot")
        .operands(&[one("predicate", BOOL)])
        .results(&[one("result", UNSIGNED_QUAD)])
        .attrs(SCOPE)
        .format("$execution_scope $predicate attr-dict `:` type($result)")
        .verify_kind(verify_scope);
    BALLOT_BIT_COUNT = OpDef::new("spirv.GroupNonUniformBallotBitCount")
        .operands(&[one("value", UNSIGNED32_QUAD)])
        .results(&[one("result", UNSIGNED)])
        .attrs(SCOPE_AND_KIND)
        .format("$execution_scope $group_operation $value attr-dict \
            `:` type($value) `->` type($result)")
        .verify_kind(verify_subgroup);
    BALLOT_FIND_LSB = find_bit("spirv.GroupNonUniformBallotFindLSB");
    BALLOT_FIND_MSB = find_bit("spirv.GroupNonUniformBallotFindMSB");
    BITWISE_AND = reduction("spirv.GroupNonUniformBitwiseAnd", REDUCED_INT, UNARY_INT.results);
    BITWISE_OR = reduction("spirv.GroupNonUniformBitwiseOr", REDUCED_INT, UNARY_INT.results);
    BITWISE_XOR = reduction("spirv.GroupNonUniformBitwiseXor", REDUCED_INT, UNARY_INT.results);
    BROADCAST = shuffle(
        "spirv.GroupNonUniformBroadcast",
        &[one("value", ANY_SPIRV), one("id", INTEGER)],
        "$execution_scope operands attr-dict `:` type($value) `,` type($id)",
    )
    .verify(verify_one_source);
    ELECT = OpDef::new("spirv.GroupNonUniformElect")
        .results(&[one("result", BOOL)])
        .attrs(SCOPE)
        .format("$execution_scope attr-dict `:` type($result)")
        .verify_kind(verify_scope);
    F_ADD = reduction("spirv.GroupNonUniformFAdd", REDUCED_FLOAT, UNARY_FLOAT.results);
    F_MAX = reduction("spirv.GroupNonUniformFMax", REDUCED_FLOAT, UNARY_FLOAT.results);
    F_MIN = reduction("spirv.GroupNonUniformFMin", REDUCED_FLOAT, UNARY_FLOAT.results);
    F_MUL = reduction("spirv.GroupNonUniformFMul", REDUCED_FLOAT, UNARY_FLOAT.results);
    I_ADD = reduction("spirv.GroupNonUniformIAdd", REDUCED_INT, UNARY_INT.results);
    I_MUL = reduction("spirv.GroupNonUniformIMul", REDUCED_INT, UNARY_INT.results);
    LOGICAL_AND = reduction("spirv.GroupNonUniformLogicalAnd", REDUCED_BOOL, UNARY_BOOL.results);
    LOGICAL_OR = reduction("spirv.GroupNonUniformLogicalOr", REDUCED_BOOL, UNARY_BOOL.results);
    LOGICAL_XOR = reduction("spirv.GroupNonUniformLogicalXor", REDUCED_BOOL, UNARY_BOOL.results);
    QUAD_SWAP = OpDef::new("spirv.GroupNonUniformQuadSwap")
        .operands(&[one("value", FLOAT_INT_OR_BOOL_LIKE), one("direction", UNSIGNED)])
        .results(&[one("result", FLOAT_INT_OR_BOOL_LIKE)])
        .attrs(SCOPE)
        .infer(LIKE_VALUE)
        .format("$execution_scope $value $direction attr-dict \
            `:` type($value) `,` type($direction)")
        .verify_kind(verify_subgroup);
    ROTATE = OpDef::new("spirv.GroupNonUniformRotateKHR")
        .with(Traits::PURE)
        .operands(&[
            one("value", FLOAT_INT_OR_BOOL_LIKE),
            one("delta", UNSIGNED),
            maybe("cluster_size", UNSIGNED),
        ])
        .results(&[one("result", FLOAT_INT_OR_BOOL_LIKE)])
        .attrs(SCOPE)
        .infer(LIKE_VALUE)
        .format("$execution_scope $value `,` $delta \
            (`,` `cluster_size` `(` $cluster_size^ `)`)? attr-dict \
            `:` type($value) `,` type($delta) (`,` type($cluster_size)^)? `->` type(results)")
        .verify(verify_rotate);
    S_MAX = reduction("spirv.GroupNonUniformSMax", REDUCED_INT, UNARY_INT.results);
    S_MIN = reduction("spirv.GroupNonUniformSMin", REDUCED_INT, UNARY_INT.results);
    SHUFFLE = shuffle(
        "spirv.GroupNonUniformShuffle",
        &[one("value", SCALAR_OR_VECTOR), one("id", INTEGER)],
        "$execution_scope operands attr-dict `:` type($value) `,` type($id)",
    );
    SHUFFLE_DOWN = shuffle(
        "spirv.GroupNonUniformShuffleDown",
        &[one("value", SCALAR_OR_VECTOR), one("delta", INTEGER)],
        "$execution_scope operands attr-dict `:` type($value) `,` type($delta)",
    );
    SHUFFLE_UP = shuffle(
        "spirv.GroupNonUniformShuffleUp",
        &[one("value", SCALAR_OR_VECTOR), one("delta", INTEGER)],
        "$execution_scope operands attr-dict `:` type($value) `,` type($delta)",
    );
    SHUFFLE_XOR = shuffle(
        "spirv.GroupNonUniformShuffleXor",
        &[one("value", SCALAR_OR_VECTOR), one("mask", INTEGER)],
        "$execution_scope operands attr-dict `:` type($value) `,` type($mask)",
    );
    U_MAX = reduction("spirv.GroupNonUniformUMax", REDUCED_INT, UNARY_INT.results);
    U_MIN = reduction("spirv.GroupNonUniformUMin", REDUCED_INT, UNARY_INT.results);
    KHR_SUBGROUP_BALLOT = OpDef::new("spirv.KHR.SubgroupBallot")
        .operands(&[one("predicate", BOOL)])
        .results(&[one("result", INT32_QUAD)])
        .format("$predicate attr-dict `:` type($result)");
}

/// Whether an attribute holds this case of an enumeration.
fn is_case(check: &Check, name: &str, body: &str) -> bool {
    let attr = check.ctx().dialect_attr("spirv", body);
    check.data().attr(check.ctx(), name) == Some(attr)
}

fn is_scope(check: &Check, scope: &str) -> bool {
    is_case(check, "execution_scope", &format!(".scope<{scope}>"))
}

fn verify_scope(check: &Check) -> Checked {
    check.ensure(
        is_scope(check, "Workgroup") || is_scope(check, "Subgroup"),
        "execution scope must be 'Workgroup' or 'Subgroup'",
    )
}

fn verify_subgroup(check: &Check) -> Checked {
    check.ensure(
        is_scope(check, "Subgroup"),
        "failed to verify that execution_scope must be Scope of value Subgroup",
    )
}

fn verify_cluster(check: &Check, size: Value) -> Checked {
    let Some(size) = constant_integer(check, size) else {
        return Err(check.error("cluster size operand must come from a constant op"));
    };
    check.ensure(
        (size as u32).is_power_of_two(),
        "cluster size operand must be a power of two",
    )
}

fn verify_reduction(check: &Check) -> Checked {
    verify_scope(check)?;
    let clustered = is_case(
        check,
        "group_operation",
        ".group_operation<ClusteredReduce>",
    );
    match check.data().operands[..] {
        [_, size, ..] => verify_cluster(check, size),
        _ => check.ensure(
            !clustered,
            "cluster size operand must be provided for 'ClusteredReduce' group operation",
        ),
    }
}

fn verify_rotate(check: &Check) -> Checked {
    verify_scope(check)?;
    match check.data().operands[..] {
        [_, _, size] => verify_cluster(check, size),
        _ => Ok(()),
    }
}

fn verify_shuffle(check: &Check) -> Checked {
    verify_scope(check)?;
    let last = check.operand_types().last();
    let signed = last.is_some_and(|ty| {
        matches!(
            ty.kind(check.ctx()),
            TypeKind::Integer {
                signedness: Signedness::Signed,
                ..
            }
        )
    });
    check.ensure(
        !signed,
        "second operand must be a singless/unsigned integer",
    )
}

/// Verifies that the source invocation is constant, as versions before 1.5
/// demand.
fn verify_one_source(check: &Check) -> Checked {
    verify_scope(check)?;
    if version(check).is_some_and(|version| version >= "v1.5") {
        return Ok(());
    }
    let source = check.data().operands.get(1);
    let source = source.and_then(|&value| check.definition(value));
    check.ensure(
        source.is_some_and(|op| matches!(op.name(), CONSTANT | REFERENCE_OF)),
        "id must be the result of a constant op",
    )
}

/// The version that the enclosing module's target names, such as `v1.3`.
fn version<'a>(check: &Check<'a>) -> Option<&'a str> {
    let ctx = check.ctx();
    let mut at = check.ancestor(|op| op.name == MODULE);
    while let Some(op) = at {
        if let Some(target) = op.data().attr(ctx, "spirv.target_env") {
            let triple = target.params(ctx, "spirv", "target_env")?.first()?;
            return triple.params(ctx, "spirv", "vce")?.first()?.as_str(ctx);
        }
        at = op.parent();
    }
    None
}

fn verify_broadcast(check: &Check) -> Checked {
    verify_scope(check)?;
    let TypeKind::Vector { shape, .. } = check.operand_type(1).kind(check.ctx()) else {
        return Ok(());
    };
    let count: i64 = shape.iter().product();
    let message = format!(
        "localid is a vector and can be with only  2 or 3 components, actual number is {count}"
    );
    check.ensure(matches!(count, 2 | 3), message)
}
