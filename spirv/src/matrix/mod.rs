//! Cooperative matrices: the `gpu.subgroup_mma` operations as `SPV_KHR_cooperative_matrix` has them.
//!
//! ```text
//! %a = gpu.subgroup_mma_load_matrix %m[%i, %j]              %p = OpAccessChain … %m %linear
//!     {leadDimension = 32 : index} : …                ⇒     %a = OpCooperativeMatrixLoadKHR … %p RowMajorKHR 32
//! %d = gpu.subgroup_mma_compute %a, %b, %c                  %d = OpCooperativeMatrixMulAddKHR … %a %b %c
//! ```
//!
//! A module with such a kernel has the Vulkan memory model, which the extension asks for
//! ([`Emitter::use_vulkan_memory_model`]). The order in which a device adds the products of an element is its
//! own, so that only relaxed floats have matrices. Loops and conditions carry matrices in variables of the
//! function ([`carried`]).

pub(crate) mod carried;
mod load_store;
mod range;

use gridloom_dialects::gpu::{self, MatrixRole, MmaMatrix, SUBGROUP_LANES};
use gridloom_dialects::inherent;
use gridloom_ir::body::OpData;
use gridloom_ir::diag::Diagnostic;
use gridloom_ir::types::FloatKind;
use gridloom_ir::{Body, OpId, OpName, Type, TypeKind, Value};
use rspirv::dr::Operand;
use rspirv::spirv::{Capability, CooperativeMatrixUse, Op, Scope, Word};

use crate::emit::Emitter;
use crate::entry_point::threads_of;
use crate::kernel::{Kernel, Lowering};
use crate::products::{MatrixElement, MatrixProduct};
use crate::target::{FpMode, Profile, TargetEnv};

/// Whether a kernel computes with matrices.
pub(crate) fn uses(body: &Body) -> bool {
    let is_matrix = |name| {
        matches!(
            name,
            gpu::SUBGROUP_MMA_COMPUTE
                | gpu::SUBGROUP_MMA_CONSTANT_MATRIX
                | gpu::SUBGROUP_MMA_LOAD_MATRIX
        )
    };
    body.may_hold_any(is_matrix) && body.walk().into_iter().any(|op| is_matrix(body[op].name))
}

/// Refuses a kernel whose matrices the target does not compute.
pub(crate) fn check(
    func: &OpData,
    body: &Body,
    env: &TargetEnv,
    workgroup_size: [u32; 3],
) -> Lowering<()> {
    if !uses(body) {
        return Ok(());
    }
    let threads = threads_of(workgroup_size);
    let why = if env.features.matrices.is_empty() || env.profile == Profile::Portable {
        "the target has no cooperative matrices, which the 'gpu.subgroup_mma' operations of this \
         kernel need: lower them with --gpu-lower-mma"
    } else if env.fp == FpMode::Strict {
        "a device adds the products of matrices in an order of its own, which strict floats do not \
         permit: use --fp=relaxed, or lower the matrices with --gpu-lower-mma"
    } else if !threads.is_multiple_of(SUBGROUP_LANES.unsigned_abs()) {
        "a workgroup of this kernel has a subgroup of fewer than 32 threads, which computes no \
         matrices: make the number of threads a multiple of 32, or lower the matrices with \
         --gpu-lower-mma"
    } else {
        return Ok(());
    };
    Err(Box::new(Diagnostic::error(func.loc, why)))
}

/// Lowers an operation on matrices.
pub(crate) fn lower(k: &mut Kernel<'_>, op: OpId, name: OpName) -> Lowering<bool> {
    match name {
        gpu::SUBGROUP_MMA_COMPUTE => compute(k, op)?,
        gpu::SUBGROUP_MMA_CONSTANT_MATRIX => constant(k, op)?,
        gpu::SUBGROUP_MMA_ELEMENTWISE => elementwise(k, op)?,
        gpu::SUBGROUP_MMA_LOAD_MATRIX => load_store::load(k, op)?,
        gpu::SUBGROUP_MMA_STORE_MATRIX => load_store::store(k, op)?,
        _ => return Ok(false),
    }
    Ok(true)
}

fn compute(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let [a, c] = [k.operand(op, 0)?, k.operand(op, 2)?];
    let (left, sum) = (matrix(k, op, a)?, matrix(k, op, c)?);
    let side = |side: i64| u32::try_from(side).unwrap_or(u32::MAX);
    let product = MatrixProduct {
        m: side(sum.rows),
        n: side(sum.columns),
        k: side(left.columns),
        factors: element(k, op, left.element)?,
        sums: element(k, op, sum.element)?,
    };
    if !k.env.features.matrices.has(product) {
        let message = format!(
            "the target does not compute this product of cooperative matrices: {}",
            known_products(k.env)
        );
        return Err(k.refuse(op, message));
    }
    k.require(|features| {
        let _ = features.matrices.insert(product);
    });
    let words = [k.word(op, 0)?, k.word(op, 1)?, k.word(op, 2)?];
    let ty = type_of(k, op, c)?;
    let value = k.e.op(Op::CooperativeMatrixMulAddKHR, ty, &words);
    k.set(op, value)
}

/// Lists the products of a target for a message.
fn known_products(env: &TargetEnv) -> String {
    let name = |element| match element {
        MatrixElement::F16 => "f16",
        MatrixElement::F32 => "f32",
    };
    let products = env.features.matrices.iter().map(|product| {
        let MatrixProduct { m, n, k, .. } = product;
        let (factors, sums) = (name(product.factors), name(product.sums));
        format!("{m}x{k} by {k}x{n} of {factors}, sums of {sums}")
    });
    let products: Vec<String> = products.collect();
    format!("it has {}", products.join("; "))
}

/// Lowers a splat constant: all elements of the matrix are equal.
fn constant(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let result = k.result(op)?;
    let of = matrix(k, op, result)?;
    let mut value = k.word(op, 0)?;
    if element(k, op, of.element)? == MatrixElement::F16 {
        let half = k.e.float_type(16);
        // Registers hold 16-bit floats exactly.
        value = k.e.op(Op::FConvert, half, &[value]);
    }
    let ty = type_of(k, op, result)?;
    let value = k.e.op(Op::CompositeConstruct, ty, &[value]);
    k.set(op, value)
}

/// Returns the instruction of an element-wise operation.
fn elementwise_instruction(keyword: &str) -> Option<Op> {
    Some(match keyword {
        "addf" => Op::FAdd,
        "subf" => Op::FSub,
        "mulf" => Op::FMul,
        "divf" => Op::FDiv,
        "negatef" => Op::FNegate,
        "extf" => Op::FConvert,
        _ => return None,
    })
}

fn elementwise(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let operation = k.body[op].get(k.ctx, inherent::ELEMENTWISE_OPERATION);
    let keyword = operation.and_then(|operation| gpu::elementwise_keyword(k.ctx, operation));
    let instruction = keyword.as_deref().and_then(elementwise_instruction);
    let Some(instruction) = instruction else {
        let message = "cooperative matrices have no such operation on elements: lower the matrices \
                       with --gpu-lower-mma";
        return Err(k.refuse(op, message));
    };
    let count = k.body[op].operands.len();
    let words: Vec<Word> = (0..count).map(|n| k.word(op, n)).collect::<Lowering<_>>()?;
    let result = k.result(op)?;
    let ty = type_of(k, op, result)?;
    let value = k.e.op(instruction, ty, &words);
    k.set(op, value)
}

/// Returns the matrix type of a value.
fn matrix(k: &Kernel<'_>, op: OpId, value: Value) -> Lowering<MmaMatrix> {
    let of = MmaMatrix::of(k.ctx, k.body.ty(value));
    of.ok_or_else(|| k.refuse(op, "a matrix of a kernel needs a fixed shape"))
}

/// Returns the element type of a matrix.
fn element(k: &Kernel<'_>, op: OpId, ty: Type) -> Lowering<MatrixElement> {
    match ty.kind(k.ctx) {
        TypeKind::Float(FloatKind::F16) => Ok(MatrixElement::F16),
        TypeKind::Float(FloatKind::F32) => Ok(MatrixElement::F32),
        _ => Err(k.refuse(
            op,
            "cooperative matrices are of f16 and f32: lower those of other types with \
             --gpu-lower-mma",
        )),
    }
}

/// Returns the SPIR-V type of a matrix.
fn type_of(k: &mut Kernel<'_>, op: OpId, value: Value) -> Lowering<Word> {
    let of = matrix(k, op, value)?;
    let component = match element(k, op, of.element)? {
        MatrixElement::F16 => k.e.float_type(16),
        MatrixElement::F32 => k.e.float_type(32),
    };
    Ok(k.e.matrix_type(component, of))
}

impl Emitter {
    fn matrix_type(&mut self, component: Word, of: MmaMatrix) -> Word {
        self.capability(Capability::CooperativeMatrixKHR);
        self.extension("SPV_KHR_cooperative_matrix");
        let role = match of.role {
            MatrixRole::A => CooperativeMatrixUse::MatrixAKHR,
            MatrixRole::B => CooperativeMatrixUse::MatrixBKHR,
            MatrixRole::C => CooperativeMatrixUse::MatrixAccumulatorKHR,
        };
        let scope = self.u32_const(Scope::Subgroup as u32);
        let sides = [of.rows, of.columns].map(|side| self.int_const(32, false, side));
        let role = self.u32_const(role as u32);
        let ids = [component, scope, sides[0], sides[1], role];
        let operands = ids.map(Operand::IdRef).to_vec();
        self.global_type(Op::TypeCooperativeMatrixKHR, operands)
    }
}

/// Leading dimension: the distance of lines of a matrix in memory, in elements.
fn lead(k: &Kernel<'_>, op: OpId) -> i64 {
    let lead = k.body[op].get(k.ctx, inherent::LEAD_DIMENSION);
    lead.unwrap_or(0)
}
