//! Native matrices: those that a target's matrix units compute.

use gridloom_dialects::gpu::{self, MatrixRole, MmaMatrix};
use gridloom_dialects::inherent;
use gridloom_ir::types::FloatKind;
use gridloom_ir::{Body, Context, OpId, Type, TypeKind, Value};

use super::is_mma;
use crate::target::MatrixProduct;

/// Whether a target with these products natively supports all matrices of a function.
pub(super) fn is_native(ctx: &Context, body: &Body, products: &[MatrixProduct]) -> bool {
    let mut ops = body.walk().into_iter().filter(|&op| is_mma(body[op].name));
    !products.is_empty()
        && ops.all(|op| {
            let data = &body[op];
            let mut values = data.operands.iter().copied().chain(data.results());
            values.all(|value| is_known(ctx, body.ty(value), products))
                && has_instruction(ctx, body, op, products)
        })
}

fn kind_of(ctx: &Context, ty: Type) -> Option<FloatKind> {
    match ty.kind(ctx) {
        TypeKind::Float(kind) => Some(*kind),
        _ => None,
    }
}

/// Whether a type is no matrix, or is a matrix with a role in a supported product.
fn is_known(ctx: &Context, ty: Type, products: &[MatrixProduct]) -> bool {
    let is_matrix = matches!(ty.kind(ctx), TypeKind::Dialect { .. });
    let Some(matrix) = MmaMatrix::of(ctx, ty) else {
        return !is_matrix;
    };
    let kind = kind_of(ctx, matrix.element);
    products.iter().any(|product| {
        let (rows, columns, element) = match matrix.role {
            MatrixRole::A => (product.m, product.k, product.factors),
            MatrixRole::B => (product.k, product.n, product.factors),
            MatrixRole::C => (product.m, product.n, product.sums),
        };
        (matrix.rows, matrix.columns, kind) == (rows, columns, Some(element))
    })
}

fn has_instruction(ctx: &Context, body: &Body, op: OpId, products: &[MatrixProduct]) -> bool {
    let data = &body[op];
    let matrix = |value: &Value| MmaMatrix::of(ctx, body.ty(*value));
    let has_its_elements = |matrix: Option<MmaMatrix>, memref: Option<&Value>| {
        let memref = memref.and_then(|&memref| body.ty(memref).memref(ctx));
        let pair = matrix.zip(memref);
        pair.is_some_and(|(matrix, memref)| matrix.element == memref.element)
    };
    match data.name {
        gpu::SUBGROUP_MMA_COMPUTE => {
            let (left, sum) = (
                data.operands.first().and_then(matrix),
                data.operands.get(2).and_then(matrix),
            );
            left.zip(sum).is_some_and(|(left, sum)| {
                let kinds = [left, sum].map(|matrix| kind_of(ctx, matrix.element));
                products.iter().any(|product| {
                    (product.m, product.n, product.k) == (sum.rows, sum.columns, left.columns)
                        && kinds == [Some(product.factors), Some(product.sums)]
                })
            })
        }
        gpu::SUBGROUP_MMA_CONSTANT_MATRIX => true,
        gpu::SUBGROUP_MMA_LOAD_MATRIX => {
            let result = data.results().next();
            has_its_elements(result.as_ref().and_then(matrix), data.operands.first())
        }
        gpu::SUBGROUP_MMA_STORE_MATRIX => {
            let value = data.operands.first();
            has_its_elements(value.and_then(matrix), data.operands.get(1))
        }
        gpu::SUBGROUP_MMA_ELEMENTWISE => {
            let operation = data.get(ctx, inherent::ELEMENTWISE_OPERATION);
            let keyword = operation.and_then(|operation| gpu::elementwise_keyword(ctx, operation));
            let count = match keyword.as_deref() {
                Some("addf" | "subf" | "mulf" | "divf") => 2,
                Some("negatef" | "extf") => 1,
                _ => return false,
            };
            data.operands.len() == count
        }
        _ => false,
    }
}
