//! Matrices, cooperative matrices, integer dot products.

#![allow(missing_docs)] // Each constant is the operation that its row names.

use super::cast::bit_width;
use super::constraints::*;
use super::scope::plain_error;
use super::view::{CoopMatrix, Matrix, pointee};
use gridloom_ir::attr::Attr;
use gridloom_ir::body::{Body, OpId};
use gridloom_ir::constraints::{attr, one, same};
use gridloom_ir::context::Context;
use gridloom_ir::op::{
    AttrConstraint, AttrDef, AttrSyntax, OpDef, Storage, Traits, TypeRule, ValueDef,
};
use gridloom_ir::types::{FloatKind, Type, TypeKind};
use gridloom_ir::verify::{Check, Checked};

const MEMORY: &[AttrDef] = &[MATRIX_LAYOUT, MEMORY_OPERAND, ALIGNMENT];

/// Whether the custom form is lossless: it spells an alignment only after a
/// memory operand.
fn access_form_is_lossless(ctx: &Context, body: &Body, op: OpId) -> bool {
    let has = |name: &str| body[op].attr(ctx, name).is_some();
    has("memory_operand") || !has("alignment")
}

const SAME_FACTORS: TypeRule = same(
    &["vector1", "vector2"],
    "all of {vector1, vector2} have same type",
);

/// A dot product.
const fn dot(name: &'static str) -> OpDef {
    OpDef::new(name)
        .with(Traits::PURE)
        .operands(const { &[one("vector1", INT_LIKE), one("vector2", INT_LIKE)] })
        .results(const { &[one("result", INTEGER)] })
        .attrs(const { &[PACKED_FORMAT] })
        .infer(const { &[SAME_FACTORS] })
        .format(
            "$vector1 `,` $vector2 ( `,` $format^ )? attr-dict \
             `:` type($vector1) `->` type($result)",
        )
        .verify_kind(verify_dot)
}

/// A dot product with a saturating accumulator.
const fn dot_accumulate(name: &'static str) -> OpDef {
    dot(name)
        .operands(
            const {
                &[
                    one("vector1", INT_LIKE),
                    one("vector2", INT_LIKE),
                    one("accumulator", INTEGER),
                ]
            },
        )
        .infer(
            const {
                &[
                    SAME_FACTORS,
                    same(
                        &["accumulator", "result"],
                        "all of {accumulator, result} have same type",
                    ),
                ]
            },
        )
        .format(
            "$vector1 `,` $vector2 `,` $accumulator ( `,` $format^ )? attr-dict \
             `:` type($vector1) `->` type($result)",
        )
}

fn is_coop_type(ctx: &Context, attr: Attr) -> bool {
    attr.as_type(ctx)
        .is_some_and(|ty| CoopMatrix::of(ctx, ty).is_some())
}

/// A product of a matrix and a vector.
const fn vector_product(
    name: &'static str,
    operands: &'static [ValueDef],
    format: &'static str,
) -> OpDef {
    OpDef::new(name)
        .with(Traits::PURE)
        .operands(operands)
        .results(const { &[one("result", FLOAT_VECTOR)] })
        .format(format)
}

dialect_ops! {
    after super::image::END;
    S_DOT = dot("spirv.SDot").with(Traits::COMMUTATIVE);
    S_DOT_ACC_SAT = dot_accumulate("spirv.SDotAccSat");
    SU_DOT = dot("spirv.SUDot");
    SU_DOT_ACC_SAT = dot_accumulate("spirv.SUDotAccSat");
    U_DOT = dot("spirv.UDot").with(Traits::COMMUTATIVE);
    U_DOT_ACC_SAT = dot_accumulate("spirv.UDotAccSat");
    COOP_LENGTH = OpDef::new("spirv.KHR.CooperativeMatrixLength")
        .with(Traits::PURE)
        .results(&[one("result", INT32)])
        .attrs(&[attr(
            "cooperative_matrix_type",
            AttrConstraint {
                summary: "type attribute of any SPIR-V cooperative matrix type",
                storage: Storage::Type,
                check: is_coop_type,
            },
        )
        .spelled(AttrSyntax::Type)])
        .format("attr-dict `:` $cooperative_matrix_type");
    COOP_LOAD = OpDef::new("spirv.KHR.CooperativeMatrixLoad")
        .operands(&[one("pointer", POINTER), one("stride", INTEGER)])
        .results(&[one("result", COOP_MATRIX)])
        .attrs(MEMORY)
        .format("$pointer `,` $stride `,` $matrix_layout ( `,` $memory_operand^ )? \
            ( `,` $alignment^ )? attr-dict `:` type(operands) `->` type($result)")
        .printed_if(access_form_is_lossless)
        .verify_kind(verify_coop_access);
    COOP_MUL_ADD = OpDef::new("spirv.KHR.CooperativeMatrixMulAdd")
        .with(Traits::PURE)
        .operands(&[one("a", COOP_MATRIX), one("b", COOP_MATRIX), one("c", COOP_MATRIX)])
        .results(&[one("result", COOP_MATRIX)])
        .attrs(&[MATRIX_OPERANDS])
        .infer(&[same(&["c", "result"], "all of {c, result} have same type")])
        .format("$a `,` $b `,` $c ( `,` $matrix_operands^ )? attr-dict \
            `:` type($a) `,` type($b) `->` type($c)")
        .verify_kind(verify_coop_mul_add);
    COOP_STORE = OpDef::new("spirv.KHR.CooperativeMatrixStore")
        .operands(&[one("pointer", POINTER), one("object", COOP_MATRIX), one("stride", INTEGER)])
        .attrs(MEMORY)
        .format("$pointer `,` $object `,` $stride `,` $matrix_layout ( `,` $memory_operand^ )? \
            ( `,` $alignment^ )? attr-dict `:` type(operands)")
        .printed_if(access_form_is_lossless)
        .verify_kind(verify_coop_access);
    MATRIX_TIMES_MATRIX = OpDef::new("spirv.MatrixTimesMatrix")
        .with(Traits::PURE)
        .operands(&[one("leftmatrix", MATRIX), one("rightmatrix", MATRIX)])
        .results(&[one("result", MATRIX)])
        .format("operands attr-dict `:` type($leftmatrix) `,` type($rightmatrix) \
            `->` type($result)")
        .verify_kind(verify_times_matrix);
    MATRIX_TIMES_SCALAR = OpDef::new("spirv.MatrixTimesScalar")
        .with(Traits::PURE)
        .operands(&[one("matrix", MATRIX_OR_COOP), one("scalar", FLOAT)])
        .results(&[one("result", MATRIX_OR_COOP)])
        .infer(&[same(&["matrix", "result"], "all of {matrix, result} have same type")])
        .format("operands attr-dict `:` type($matrix) `,` type($scalar)")
        .verify_kind(verify_times_scalar);
    MATRIX_TIMES_VECTOR = vector_product(
        "spirv.MatrixTimesVector",
        &[one("matrix", FLOAT_MATRIX), one("vector", FLOAT_VECTOR)],
        "operands attr-dict `:` type($matrix) `,` type($vector) `->` type($result)",
    )
    .verify_kind(verify_matrix_times_vector);
    TRANSPOSE = OpDef::new("spirv.Transpose")
        .with(Traits::PURE)
        .operands(&[one("matrix", MATRIX)])
        .results(&[one("result", MATRIX)])
        .format("operands attr-dict `:` type($matrix) `->` type($result)")
        .verify_kind(verify_transpose);
    VECTOR_TIMES_MATRIX = vector_product(
        "spirv.VectorTimesMatrix",
        &[one("vector", FLOAT_VECTOR), one("matrix", FLOAT_MATRIX)],
        "operands attr-dict `:` type($vector) `,` type($matrix) `->` type($result)",
    )
    .verify_kind(verify_vector_times_matrix);
}

fn verify_dot(check: &Check) -> Checked {
    let (factor, result) = (check.operand_type(0), check.result_type(0));
    let packed = check.data().attr(check.ctx(), "format").is_some();
    if let TypeKind::Integer { width, .. } = factor.kind(check.ctx()) {
        check.ensure(
            packed,
            "requires Packed Vector Format attribute for integer vector operands",
        )?;
        check.ensure(
            *width == 32,
            "with specified Packed Vector Format (PackedVectorFormat4x8Bit) requires integer \
             vector operands to be 32-bits wide",
        )?;
    } else if packed {
        let shown = check.show(factor);
        return Err(check.error(format!(
            "with invalid format attribute for vector operands of type '{shown}'"
        )));
    }
    let (from, to) = (bit_width(check, factor), bit_width(check, result));
    let message = format!(
        "result type has insufficient bit-width ({to} bits) for the specified vector operand \
         type ({from} bits)"
    );
    check.ensure(from <= to, message)
}

fn verify_coop_access(check: &Check) -> Checked {
    let (ctx, data) = (check.ctx(), check.data());
    let element = pointee(ctx, check.operand_type(0));
    let fits = |ty: Type| match ty.kind(ctx) {
        TypeKind::Integer { width, .. } => matches!(width, 1 | 8 | 16 | 32 | 64),
        TypeKind::Float(kind) => !matches!(kind, FloatKind::F80 | FloatKind::F128),
        TypeKind::Vector { .. } => true,
        _ => false,
    };
    if let Some(element) = element.filter(|&element| !fits(element)) {
        let shown = check.show(element);
        return Err(check.error(format!(
            "Pointer must point to a scalar or vector type but provided '{shown}'"
        )));
    }
    let Some(access) = data.attr(ctx, "memory_operand") else {
        return Ok(());
    };
    let bits = gridloom_ir::text::load_case(ctx, &super::enums::MEMORY_ACCESS, access).unwrap_or(0);
    check.ensure(
        data.name != COOP_LOAD || bits & 8 == 0,
        "not compatible with memory operand 'MakePointerAvailable'",
    )?;
    check.ensure(
        data.name != COOP_STORE || bits & 16 == 0,
        "not compatible with memory operand 'MakePointerVisible'",
    )?;
    let aligned = data.attr(ctx, "alignment").is_some();
    check.ensure(
        bits & 2 == 0 || aligned,
        "missing value for the 'Aligned' memory operand",
    )?;
    check.ensure(
        bits & 2 != 0 || !aligned,
        "found alignment attribute for non-'Aligned' memory operand",
    )
}

fn verify_coop_mul_add(check: &Check) -> Checked {
    let ctx = check.ctx();
    let matrix = |index| CoopMatrix::of(ctx, check.operand_type(index));
    let (Some(a), Some(b), Some(c)) = (matrix(0), matrix(1), matrix(2)) else {
        return Ok(());
    };
    check.ensure(
        a.purpose == "MatrixA",
        "operand #0 must be of use 'MatrixA'",
    )?;
    check.ensure(
        b.purpose == "MatrixB",
        "operand #1 must be of use 'MatrixB'",
    )?;
    check.ensure(
        c.purpose == "MatrixAcc",
        "operand #2 must be of use 'MatrixAcc'",
    )?;
    check.ensure(
        a.scope == b.scope && a.scope == c.scope,
        "matrix scope mismatch",
    )?;
    check.ensure(a.rows == c.rows, "matrix size mismatch on dimension 'M'")?;
    check.ensure(
        b.columns == c.columns,
        "matrix size mismatch on dimension 'N'",
    )?;
    check.ensure(a.columns == b.rows, "matrix size mismatch on dimension 'K'")?;
    let is_int = |matrix: &CoopMatrix| matches!(matrix.element.kind(ctx), TypeKind::Integer { .. });
    let integers = [a, b, c].iter().all(is_int);
    check.ensure(
        integers || check.data().attr(ctx, "matrix_operands").is_none(),
        "Matrix Operands require all matrix element types to be Integer Types",
    )
}

fn plain(check: &Check, holds: bool, message: &str) -> Checked {
    if holds {
        Ok(())
    } else {
        Err(plain_error(check, message))
    }
}

fn verify_times_matrix(check: &Check) -> Checked {
    let matrix = |ty| Matrix::of(check.ctx(), ty);
    let (Some(left), Some(right), Some(result)) = (
        matrix(check.operand_type(0)),
        matrix(check.operand_type(1)),
        matrix(check.result_type(0)),
    ) else {
        return Ok(());
    };
    plain(
        check,
        left.columns == right.rows,
        "left matrix columns' count must be equal to the right matrix rows' count",
    )?;
    plain(
        check,
        right.columns == result.columns,
        "right and result matrices must have equal columns' count",
    )?;
    plain(
        check,
        right.element == result.element,
        "right and result matrices' component type must be the same",
    )?;
    plain(
        check,
        left.element == result.element,
        "left and result matrices' component type must be the same",
    )?;
    plain(
        check,
        left.rows == result.rows,
        "left and result matrices must have equal rows' count",
    )
}

fn verify_times_scalar(check: &Check) -> Checked {
    let ctx = check.ctx();
    let ty = check.operand_type(0);
    let element = Matrix::of(ctx, ty).map(|matrix| matrix.element);
    let element = element.or(CoopMatrix::of(ctx, ty).map(|matrix| matrix.element));
    check.ensure(
        element == Some(check.operand_type(1)),
        "input matrix components' type and scaling value must have the same type",
    )
}

fn verify_transpose(check: &Check) -> Checked {
    let matrix = |ty| Matrix::of(check.ctx(), ty);
    let (Some(input), Some(result)) = (matrix(check.operand_type(0)), matrix(check.result_type(0)))
    else {
        return Ok(());
    };
    plain(
        check,
        input.rows == result.columns,
        "input matrix rows count must be equal to output matrix columns count",
    )?;
    plain(
        check,
        input.columns == result.rows,
        "input matrix columns count must be equal to output matrix rows count",
    )?;
    plain(
        check,
        input.element == result.element,
        "input and output matrices must have the same component type",
    )
}

/// The matrix of a product, and the lengths of its vector operand and result.
fn product(check: &Check, matrix: usize) -> Option<(Matrix, i64, i64)> {
    let ctx = check.ctx();
    let elements = super::view::num_elements;
    let matrix_type = Matrix::of(ctx, check.operand_type(matrix))?;
    let vector = elements(ctx, check.operand_type(1 - matrix))?;
    Some((matrix_type, vector, elements(ctx, check.result_type(0))?))
}

fn verify_elements(check: &Check, matrix: usize) -> Checked {
    let element = |ty: Type| ty.element(check.ctx());
    check.ensure(
        element(check.operand_type(1 - matrix)) == element(check.result_type(0)),
        "failed to verify that all of {vector, result} have same element type",
    )
}

fn verify_matrix_times_vector(check: &Check) -> Checked {
    verify_elements(check, 0)?;
    let Some((matrix, vector, result)) = product(check, 0) else {
        return Ok(());
    };
    let message = format!(
        "matrix columns ({}) must match vector operand size ({vector})",
        matrix.columns
    );
    check.ensure(matrix.columns == vector, message)?;
    let message = format!(
        "result size ({result}) must match the matrix rows ({})",
        matrix.rows
    );
    check.ensure(matrix.rows == result, message)?;
    let element = check.result_type(0).element(check.ctx());
    check.ensure(
        element == Some(matrix.element),
        "matrix and result element types must match",
    )
}

fn verify_vector_times_matrix(check: &Check) -> Checked {
    verify_elements(check, 1)?;
    let Some((matrix, vector, result)) = product(check, 1) else {
        return Ok(());
    };
    let element = check.result_type(0).element(check.ctx());
    check.ensure(
        element == Some(matrix.element),
        "matrix must be a matrix with the same component type as the component type in result",
    )?;
    check.ensure(
        matrix.columns == result,
        "number of columns in matrix must equal the number of components in result",
    )?;
    check.ensure(
        matrix.rows == vector,
        "number of components in vector must equal the number of components in each column in \
         matrix",
    )
}
