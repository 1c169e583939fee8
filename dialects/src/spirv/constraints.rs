//! Type and attribute constraints of the `spirv` dialect.
//!
//! The summaries are worded as in MLIR's diagnostics; a predicate beside each
//! defines it. Vectors have 2, 3, 4, 8 or 16 elements everywhere.

use super::enums;
use super::view::{CoopMatrix, Matrix, is_spirv, pointee};
use gridloom_ir::attr::{Attr, AttrKind};
use gridloom_ir::constraints::{POWER_OF_TWO_I32, attr, is_case_of, only};
use gridloom_ir::context::Context;
use gridloom_ir::op::{AttrConstraint, AttrDef, AttrSyntax, Storage, TypeConstraint, TypeRule};
use gridloom_ir::types::{FloatKind, Signedness, Type, TypeKind};

// Predicates.

fn is_int(ctx: &Context, ty: Type) -> bool {
    matches!(
        ty.kind(ctx),
        TypeKind::Integer {
            width: 8 | 16 | 32 | 64,
            ..
        }
    )
}

fn is_unsigned(ctx: &Context, ty: Type) -> bool {
    let TypeKind::Integer { signedness, .. } = ty.kind(ctx) else {
        return false;
    };
    is_int(ctx, ty) && *signedness != Signedness::Signed
}

fn is_bool(ctx: &Context, ty: Type) -> bool {
    ty == ctx.bool_type()
}

fn is_half_or_single(ctx: &Context, ty: Type) -> bool {
    matches!(ty.float_kind(ctx), Some(FloatKind::F16 | FloatKind::F32))
}

fn is_float(ctx: &Context, ty: Type) -> bool {
    is_half_or_single(ctx, ty) || ty.float_kind(ctx) == Some(FloatKind::F64)
}

fn is_any_float(ctx: &Context, ty: Type) -> bool {
    is_float(ctx, ty) || ty.float_kind(ctx) == Some(FloatKind::BF16)
}

fn is_numerical(ctx: &Context, ty: Type) -> bool {
    is_int(ctx, ty) || is_any_float(ctx, ty)
}

fn is_scalar(ctx: &Context, ty: Type) -> bool {
    is_numerical(ctx, ty) || is_bool(ctx, ty)
}

/// Whether a type is a vector with one of these lengths whose elements satisfy
/// `scalar`; scalable vectors count only if `scalable`.
fn is_vector(
    ctx: &Context,
    ty: Type,
    lengths: &[i64],
    scalable: bool,
    scalar: fn(&Context, Type) -> bool,
) -> bool {
    let TypeKind::Vector {
        shape,
        scalable: flags,
        element,
    } = ty.kind(ctx)
    else {
        return false;
    };
    let count = shape
        .iter()
        .try_fold(1i64, |n, &extent| n.checked_mul(extent));
    count.is_some_and(|count| lengths.contains(&count))
        && (scalable || !flags.contains(&true))
        && scalar(ctx, *element)
}

const LENGTHS: &[i64] = &[2, 3, 4, 8, 16];

/// A scalar, or a fixed-length vector of such scalars.
fn like(ctx: &Context, ty: Type, scalar: fn(&Context, Type) -> bool) -> bool {
    scalar(ctx, ty) || is_vector(ctx, ty, LENGTHS, false, scalar)
}

fn is_coop(ctx: &Context, ty: Type, scalar: fn(&Context, Type) -> bool) -> bool {
    CoopMatrix::of(ctx, ty).is_some_and(|matrix| scalar(ctx, matrix.element))
}

fn is_any_vector(ctx: &Context, ty: Type) -> bool {
    is_vector(ctx, ty, LENGTHS, true, is_scalar)
}

fn is_composite(ctx: &Context, ty: Type) -> bool {
    const NAMES: [&str; 6] = [
        "array",
        "rtarray",
        "struct",
        "coopmatrix",
        "matrix",
        "arm.tensor",
    ];
    is_any_vector(ctx, ty) || NAMES.iter().any(|name| is_spirv(ctx, ty, name))
}

fn is_any_type(ctx: &Context, ty: Type) -> bool {
    const NAMES: [&str; 3] = ["ptr", "sampled_image", "image"];
    *ty.kind(ctx) == TypeKind::None
        || is_scalar(ctx, ty)
        || is_composite(ctx, ty)
        || NAMES.iter().any(|name| is_spirv(ctx, ty, name))
}

// Scalars.

pub(super) const BOOL: TypeConstraint =
    only("bool", is_bool, |c| c.bool_type()).class("builtin.integer");
pub(super) const INTEGER: TypeConstraint =
    TypeConstraint::new("8/16/32/64-bit integer", is_int).class("builtin.integer");
pub(super) const FLOAT: TypeConstraint = TypeConstraint::new("16/32/64-bit float", is_float);
pub(super) const ANY_FLOAT: TypeConstraint =
    TypeConstraint::new("16/32/64-bit float or BFloat16", is_any_float);
pub(super) const NUMERICAL: TypeConstraint = TypeConstraint::new(
    "8/16/32/64-bit integer or 16/32/64-bit float or BFloat16",
    is_numerical,
);
pub(super) const SCALAR: TypeConstraint = TypeConstraint::new(
    "8/16/32/64-bit integer or 16/32/64-bit float or BFloat16 or bool",
    is_scalar,
);
pub(super) const UNSIGNED: TypeConstraint =
    TypeConstraint::new("8/16/32/64-bit signless/unsigned integer", is_unsigned);
pub(super) const INT32: TypeConstraint =
    only("Int32", |c, t| t == c.int_type(32), |c| c.int_type(32)).class("builtin.integer");
pub(super) const FLOAT32: TypeConstraint = only(
    "Float32",
    |c, t| t.float_kind(c) == Some(FloatKind::F32),
    |c| c.float_type(FloatKind::F32),
)
.class("float");
pub(super) const UNSIGNED32: TypeConstraint =
    TypeConstraint::new("32-bit signless/unsigned integer", is_unsigned32).class("builtin.integer");
pub(super) const INTEGER_OR_FLOAT: TypeConstraint =
    TypeConstraint::new("8/16/32/64-bit integer or 16/32/64-bit float", |c, t| {
        is_int(c, t) || is_float(c, t)
    });

fn is_unsigned32(ctx: &Context, ty: Type) -> bool {
    is_unsigned(ctx, ty) && matches!(ty.kind(ctx), TypeKind::Integer { width: 32, .. })
}

// Scalars, or vectors of them.

pub(super) const INT_LIKE: TypeConstraint = TypeConstraint::new(
    "8/16/32/64-bit integer or fixed-length vector of 8/16/32/64-bit integer values of \
     length 2/3/4/8/16",
    |c, t| like(c, t, is_int),
);
pub(super) const FLOAT_LIKE: TypeConstraint = TypeConstraint::new(
    "16/32/64-bit float or fixed-length vector of 16/32/64-bit float values of \
     length 2/3/4/8/16",
    |c, t| like(c, t, is_float),
);
pub(super) const SMALL_FLOAT_LIKE: TypeConstraint = TypeConstraint::new(
    "16/32-bit float or fixed-length vector of 16/32-bit float values of length 2/3/4/8/16",
    |c, t| like(c, t, is_half_or_single),
);
pub(super) const BOOL_LIKE: TypeConstraint = TypeConstraint::new(
    "bool or fixed-length vector of bool values of length 2/3/4/8/16",
    |c, t| like(c, t, is_bool),
);
pub(super) const FLOAT_OR_INT_LIKE: TypeConstraint = TypeConstraint::new(
    "16/32/64-bit float or fixed-length vector of 16/32/64-bit float values of \
     length 2/3/4/8/16 or 8/16/32/64-bit integer or fixed-length vector of \
     8/16/32/64-bit integer values of length 2/3/4/8/16",
    |c, t| like(c, t, is_float) || like(c, t, is_int),
);
pub(super) const FLOAT_INT_OR_BOOL_LIKE: TypeConstraint = TypeConstraint::new(
    "16/32/64-bit float or fixed-length vector of 16/32/64-bit float values of \
     length 2/3/4/8/16 or 8/16/32/64-bit integer or fixed-length vector of \
     8/16/32/64-bit integer values of length 2/3/4/8/16 or bool or fixed-length vector \
     of bool values of length 2/3/4/8/16",
    |c, t| like(c, t, is_float) || like(c, t, is_int) || like(c, t, is_bool),
);
pub(super) const INT32_LIKE: TypeConstraint = TypeConstraint::new(
    "Int32 or fixed-length vector of Int32 values of length 2/3/4/8/16",
    |c, t| like(c, t, |c, t| t == c.int_type(32)),
);
pub(super) const INT16_LIKE: TypeConstraint = TypeConstraint::new(
    "Int16 or fixed-length vector of Int16 values of length 2/3/4/8/16",
    |c, t| like(c, t, |c, t| t == c.int_type(16)),
);
pub(super) const FLOAT32_LIKE: TypeConstraint = TypeConstraint::new(
    "Float32 or fixed-length vector of Float32 values of length 2/3/4/8/16",
    |c, t| like(c, t, FLOAT32.check),
);
pub(super) const SCALAR_OR_VECTOR: TypeConstraint = TypeConstraint::new(
    "8/16/32/64-bit integer or 16/32/64-bit float or BFloat16 or bool or vector of bool or \
     8/16/32/64-bit integer or 16/32/64-bit float or BFloat16 values of length 2/3/4/8/16",
    |c, t| is_scalar(c, t) || is_any_vector(c, t),
);
pub(super) const SCALAR_VECTOR_OR_POINTER: TypeConstraint = TypeConstraint::new(
    "8/16/32/64-bit integer or 16/32/64-bit float or BFloat16 or bool or vector of bool or \
     8/16/32/64-bit integer or 16/32/64-bit float or BFloat16 values of length 2/3/4/8/16 or \
     any SPIR-V pointer type",
    |c, t| is_scalar(c, t) || is_any_vector(c, t) || is_spirv(c, t, "ptr"),
);

// Constraints on scalars and vectors that also take cooperative matrices of these.

pub(super) const INT_OR_COOP: TypeConstraint = TypeConstraint::new(
    "8/16/32/64-bit integer or fixed-length vector of 8/16/32/64-bit integer values of \
     length 2/3/4/8/16 or Cooperative Matrix of 8/16/32/64-bit integer values",
    |c, t| like(c, t, is_int) || is_coop(c, t, is_int),
);
pub(super) const FLOAT_OR_COOP: TypeConstraint = TypeConstraint::new(
    "16/32/64-bit float or fixed-length vector of 16/32/64-bit float values of \
     length 2/3/4/8/16 or Cooperative Matrix of 16/32/64-bit float values",
    |c, t| like(c, t, is_float) || is_coop(c, t, is_float),
);
pub(super) const ANY_FLOAT_OR_COOP: TypeConstraint = TypeConstraint::new(
    "16/32/64-bit float or BFloat16 or fixed-length vector of 16/32/64-bit float or BFloat16 \
     values of length 2/3/4/8/16 or Cooperative Matrix of 16/32/64-bit float or BFloat16 values",
    |c, t| like(c, t, is_any_float) || is_coop(c, t, is_any_float),
);

// Vectors.

pub(super) const VECTOR: TypeConstraint = TypeConstraint::new(
    "vector of bool or 8/16/32/64-bit integer or 16/32/64-bit float or BFloat16 values of \
     length 2/3/4/8/16",
    is_any_vector,
)
.class("builtin.vector");
pub(super) const FLOAT_VECTOR: TypeConstraint = TypeConstraint::new(
    "fixed-length vector of 16/32/64-bit float values of length 2/3/4/8/16",
    |c, t| is_vector(c, t, LENGTHS, false, is_float),
)
.class("builtin.vector");
pub(super) const ANY_FLOAT_VECTOR: TypeConstraint = TypeConstraint::new(
    "fixed-length vector of 16/32/64-bit float or BFloat16 values of length 2/3/4/8/16",
    |c, t| is_vector(c, t, LENGTHS, false, is_any_float),
)
.class("builtin.vector");
pub(super) const SHORT_FLOAT_VECTOR: TypeConstraint = TypeConstraint::new(
    "vector of 16/32/64-bit float values of length 2/3/4",
    |c, t| is_vector(c, t, &[2, 3, 4], true, is_float),
)
.class("builtin.vector");
pub(super) const FLOAT32_PAIR: TypeConstraint =
    TypeConstraint::new("vector of Float32 values of length 2", |c, t| {
        is_vector(c, t, &[2], true, FLOAT32.check)
    })
    .class("builtin.vector");
pub(super) const FLOAT32_QUAD: TypeConstraint =
    TypeConstraint::new("vector of Float32 values of length 4", |c, t| {
        is_vector(c, t, &[4], true, FLOAT32.check)
    })
    .class("builtin.vector");
pub(super) const UNSIGNED_QUAD: TypeConstraint = TypeConstraint::new(
    "vector of 8/16/32/64-bit signless/unsigned integer values of length 4",
    |c, t| is_vector(c, t, &[4], true, is_unsigned),
)
.class("builtin.vector");
pub(super) const UNSIGNED32_QUAD: TypeConstraint = TypeConstraint::new(
    "vector of 32-bit signless/unsigned integer values of length 4",
    |c, t| is_vector(c, t, &[4], true, is_unsigned32),
)
.class("builtin.vector");
pub(super) const INT32_QUAD: TypeConstraint =
    TypeConstraint::new("vector of 32-bit integer values of length 4", |c, t| {
        let is_int32 =
            |c: &Context, t: Type| matches!(t.kind(c), TypeKind::Integer { width: 32, .. });
        is_vector(c, t, &[4], true, is_int32)
    })
    .class("builtin.vector");
pub(super) const INT_OR_FLOAT_QUAD: TypeConstraint = TypeConstraint::new(
    "vector of 8/16/32/64-bit integer values of length 4 or \
     vector of 16/32/64-bit float values of length 4",
    |c, t| is_vector(c, t, &[4], true, is_int) || is_vector(c, t, &[4], true, is_float),
);
pub(super) const FLOAT_OR_INT_QUAD: TypeConstraint = TypeConstraint::new(
    "vector of 16/32/64-bit float values of length 4 or \
     vector of 8/16/32/64-bit integer values of length 4",
    INT_OR_FLOAT_QUAD.check,
);

// Types of the dialect.

pub(super) const POINTER: TypeConstraint =
    TypeConstraint::new("any SPIR-V pointer type", |c, t| is_spirv(c, t, "ptr"));
pub(super) const STRUCT: TypeConstraint =
    TypeConstraint::new("any SPIR-V struct type", |c, t| is_spirv(c, t, "struct"));
pub(super) const COOP_MATRIX: TypeConstraint =
    TypeConstraint::new("any SPIR-V cooperative matrix type", |c, t| {
        is_spirv(c, t, "coopmatrix")
    });
pub(super) const MATRIX: TypeConstraint =
    TypeConstraint::new("any SPIR-V matrix type", |c, t| is_spirv(c, t, "matrix"));
pub(super) const FLOAT_MATRIX: TypeConstraint =
    TypeConstraint::new("Matrix of 16/32/64-bit float values", |c, t| {
        Matrix::of(c, t).is_some_and(|matrix| is_float(c, matrix.element))
    });
pub(super) const MATRIX_OR_COOP: TypeConstraint = TypeConstraint::new(
    "any SPIR-V matrix type or Cooperative Matrix of 16/32/64-bit float values",
    |c, t| is_spirv(c, t, "matrix") || is_coop(c, t, is_float),
);
pub(super) const IMAGE: TypeConstraint =
    TypeConstraint::new("any SPIR-V image type", |c, t| is_spirv(c, t, "image"));
pub(super) const SAMPLED_IMAGE: TypeConstraint =
    TypeConstraint::new("any SPIR-V sampled image type", |c, t| {
        is_spirv(c, t, "sampled_image")
    });
pub(super) const TENSOR_ARM: TypeConstraint =
    TypeConstraint::new("any SPIR-V tensorArm type", |c, t| {
        is_spirv(c, t, "arm.tensor")
    });
pub(super) const COMPOSITE: TypeConstraint = TypeConstraint::new(
    "vector of bool or 8/16/32/64-bit integer or 16/32/64-bit float or BFloat16 values of \
     length 2/3/4/8/16 or any SPIR-V array type or any SPIR-V runtime array type or any \
     SPIR-V struct type or any SPIR-V cooperative matrix type or any SPIR-V matrix type or \
     any SPIR-V tensorArm type",
    is_composite,
);
pub(super) const ANY_SPIRV: TypeConstraint = TypeConstraint::new(
    "void or bool or 8/16/32/64-bit integer or 16/32/64-bit float or BFloat16 or vector of \
     bool or 8/16/32/64-bit integer or 16/32/64-bit float or BFloat16 values of \
     length 2/3/4/8/16 or any SPIR-V pointer type or any SPIR-V array type or any SPIR-V \
     runtime array type or any SPIR-V struct type or any SPIR-V cooperative matrix type or \
     any SPIR-V matrix type or any SPIR-V sampled image type or any SPIR-V image type or any \
     SPIR-V tensorArm type",
    is_any_type,
);

// Relations between types.

/// `i1`, or a vector of `i1` with as many elements as the type.
pub(super) fn as_bool(ctx: &Context, ty: Type) -> Option<Type> {
    Some(match ty.kind(ctx) {
        // Only the number of elements matters, not the shape.
        TypeKind::Vector { shape, .. } => {
            let count = shape.iter().product();
            ctx.vector_type(&[count], ctx.bool_type())
        }
        _ => ctx.bool_type(),
    })
}

/// A type rule: `result` has the pointee type of `pointer`.
pub(super) const RESULT_IS_POINTEE: TypeRule = TypeRule::From {
    target: "result",
    source: "pointer",
    rule: pointee,
    summary: "`result` type matches pointee type of `pointer`",
};

/// A type rule: `value` has the pointee type of `pointer`.
pub(super) const VALUE_IS_POINTEE: TypeRule = TypeRule::From {
    target: "value",
    source: "pointer",
    rule: pointee,
    summary: "`value` type matches pointee type of `pointer`",
};

// Attributes.

/// Defines an attribute that holds a case of an enumeration, or a combination
/// of bits.
macro_rules! enum_attr {
    ($name:literal, $def:ident) => {
        attr(
            $name,
            AttrConstraint {
                summary: enums::$def.summary,
                storage: Storage::Exact,
                check: |c, a| is_case_of(c, a, &enums::$def),
            },
        )
        .spelled(AttrSyntax::Enum(&enums::$def))
    };
}

pub(super) const ADDRESSING_MODEL: AttrDef = enum_attr!("addressing_model", ADDRESSING_MODEL);
pub(super) const EQUAL_SEMANTICS: AttrDef = enum_attr!("equal_semantics", MEMORY_SEMANTICS);
pub(super) const EXECUTION_MODE: AttrDef = enum_attr!("execution_mode", EXECUTION_MODE);
pub(super) const EXECUTION_MODEL: AttrDef = enum_attr!("execution_model", EXECUTION_MODEL);
pub(super) const EXECUTION_SCOPE: AttrDef = enum_attr!("execution_scope", SCOPE);
pub(super) const FUNCTION_CONTROL: AttrDef = enum_attr!("function_control", FUNCTION_CONTROL);
pub(super) const GROUP_OPERATION: AttrDef = enum_attr!("group_operation", GROUP_OPERATION);
pub(super) const IMAGE_OPERANDS: AttrDef = enum_attr!("image_operands", IMAGE_OPERANDS);
pub(super) const LOOP_CONTROL: AttrDef = enum_attr!("loop_control", LOOP_CONTROL);
pub(super) const MATRIX_LAYOUT: AttrDef =
    enum_attr!("matrix_layout", COOPERATIVE_MATRIX_LAYOUT_KHR);
pub(super) const MATRIX_OPERANDS: AttrDef =
    enum_attr!("matrix_operands", COOPERATIVE_MATRIX_OPERANDS_KHR).optional();
pub(super) const MEMORY_ACCESS: AttrDef = enum_attr!("memory_access", MEMORY_ACCESS).optional();
pub(super) const MEMORY_MODEL: AttrDef = enum_attr!("memory_model", MEMORY_MODEL);
pub(super) const MEMORY_OPERAND: AttrDef = enum_attr!("memory_operand", MEMORY_ACCESS).optional();
pub(super) const MEMORY_SCOPE: AttrDef = enum_attr!("memory_scope", SCOPE);
pub(super) const MEMORY_SEMANTICS: AttrDef = enum_attr!("memory_semantics", MEMORY_SEMANTICS);
pub(super) const PACKED_FORMAT: AttrDef = enum_attr!("format", PACKED_VECTOR_FORMAT).optional();
pub(super) const SELECTION_CONTROL: AttrDef = enum_attr!("selection_control", SELECTION_CONTROL);
pub(super) const SEMANTICS: AttrDef = enum_attr!("semantics", MEMORY_SEMANTICS);
pub(super) const SOURCE_MEMORY_ACCESS: AttrDef =
    enum_attr!("source_memory_access", MEMORY_ACCESS).optional();
pub(super) const STORAGE_CLASS: AttrDef = enum_attr!("storage_class", STORAGE_CLASS);
pub(super) const UNEQUAL_SEMANTICS: AttrDef = enum_attr!("unequal_semantics", MEMORY_SEMANTICS);

const ALIGNMENT_VALUE: AttrConstraint = AttrConstraint {
    summary: "32-bit signless integer attribute whose value is positive and \
              whose value is a power of two > 0",
    storage: Storage::Integer,
    check: POWER_OF_TWO_I32.check,
};

const fn alignment(name: &'static str) -> AttrDef {
    attr(name, ALIGNMENT_VALUE)
        .spelled(AttrSyntax::Typed(|c| c.int_type(32)))
        .optional()
}

/// The alignment of an address in bytes.
pub(super) const ALIGNMENT: AttrDef = alignment("alignment");
/// The alignment of a copy's source address in bytes.
pub(super) const SOURCE_ALIGNMENT: AttrDef = alignment("source_alignment");

/// A list of `i32`: `[0 : i32, 2 : i32]`.
pub(super) const I32_LIST: AttrConstraint = AttrConstraint {
    summary: "32-bit integer array attribute",
    storage: Storage::Array,
    check: |c, a| {
        let is_i32 = |item: &Attr| matches!(item.kind(c), AttrKind::Integer { ty, .. } if *ty == c.int_type(32));
        a.as_array(c).is_some_and(|items| items.iter().all(is_i32))
    },
};

/// A list of symbol references: `[@a, @b]`.
pub(super) const SYMBOL_LIST: AttrConstraint = AttrConstraint {
    summary: "symbol ref array attribute",
    storage: Storage::Array,
    check: |c, a| {
        let is_symbol = |item: &Attr| matches!(item.kind(c), AttrKind::Symbol { .. });
        a.as_array(c)
            .is_some_and(|items| items.iter().all(is_symbol))
    },
};

/// `#spirv.linkage_attributes<…>`
pub(super) const LINKAGE: AttrDef = attr(
    "linkage_attributes",
    AttrConstraint {
        summary: "",
        storage: Storage::Exact,
        check: |c, a| a.params(c, "spirv", "linkage_attributes").is_some(),
    },
)
.optional();
