//! `gpu-lower-mma`: lowers subgroup MMA matrices to vectors of which each lane holds its share.
//!
//! ```text
//! %a = gpu.subgroup_mma_load_matrix %m[%i, %j]          %r = vector.load %m[%i + %row + 0, %j] : …, vector<16xf16>
//!     {leadDimension = 32 : index} : … ->         ⇒     … vector.insert %r, %zeros [0] …   // 4 rows
//!     !gpu.mma_matrix<16x16xf16, "AOp">
//! %d = gpu.subgroup_mma_compute %a, %b, %c              %d = vector.outerproduct %column, %row, %c   // 16 steps
//! gpu.subgroup_mma_store_matrix %d, %m[%i, %j]          gpu.barrier
//!                                                       vector.store …                               // 4 rows
//!                                                       gpu.barrier
//! ```
//!
//! Every element of a result is the work of one lane, so that it equals that of a matrix unit that adds
//! the products of an element in order. Where lanes cannot share the work ([`shares`]), the first one of
//! a subgroup holds all matrices, whole, and does it alone, in an `scf.if`. `a_transpose` and
//! `b_transpose` only describe how a unit holds factors that were loaded transposed, and change no values.
//!
//! On a target with cooperative matrices a function stays as it is where the target supports every
//! product in it, its matrices are loaded and stored untransposed, and elements are combined by
//! operations that such matrices have ([`native`]).
//!
//! Legal for matrices of fixed shape. Rows that lie another distance apart than those of the memref are accessed through a
//! view of one dimension, which needs a memref without a layout. A function with another one, or with an operation on the
//! part of a matrix that a lane holds, which says nothing of where that lies, is left as it is, with a remark.

mod memory;
mod native;
mod place;
mod shares;

use gridloom_dialects::arith::{CmpIOp, CmpIPredicate};
use gridloom_dialects::gpu::{self, Dimension, IdOp, MatrixRole, MmaMatrix, SUBGROUP_LANES};
use gridloom_dialects::vector::VectorShape;
use gridloom_dialects::{arith, inherent, scf, vector};
use gridloom_ir::attr::DenseData;
use gridloom_ir::elements::element_bytes;
use gridloom_ir::types::Signedness;
use gridloom_ir::{
    AttrKind, Body, Builder, Context, Diagnostic, Diagnostics, InsertPoint, Module, OpId, OpName,
    Type, TypeKind, Value,
};

use super::known_block_size::note_block_sizes;
use crate::target::MatrixProduct;
use memory::{load, own, store};
use place::{Place, Rows, rows_of};
use shares::{Holder, held, holder};

/// Limit of the elements of a matrix.
const MAX_ELEMENTS: i64 = 1 << 10;

/// Lowers the MMA matrices of the functions of a module, unless the target supports all of a function's
/// natively. Returns whether any were lowered, and remarks on the first one of a function that cannot be.
pub fn lower_mma(
    ctx: &Context,
    module: &mut Module,
    products: &[MatrixProduct],
) -> (bool, Diagnostics) {
    let mut outcome = (false, Diagnostics::new());
    if has_matrices(module.body()) {
        outcome.0 = note_block_sizes(ctx, module);
        lower_below(ctx, module.body_mut(), products, &mut outcome);
    }
    outcome
}

/// Whether a function below a body has operations on matrices.
fn has_matrices(body: &Body) -> bool {
    let mut inner = body.walk().into_iter().filter_map(|op| body[op].isolated());
    inner.any(|inner| inner.may_hold_any(is_mma) || has_matrices(inner))
}

fn lower_below(
    ctx: &Context,
    body: &mut Body,
    products: &[MatrixProduct],
    outcome: &mut (bool, Diagnostics),
) {
    for op in body.walk() {
        let threads = match body[op].name {
            gpu::FUNC => inherent::known_block_size(ctx, &body[op]),
            _ => None,
        };
        let Some(inner) = body[op].isolated_mut() else {
            continue;
        };
        if !native::is_native(ctx, inner, products) {
            let (changed, remarks) = lower_function(ctx, inner, threads);
            outcome.0 |= changed;
            outcome.1.append(remarks);
        }
        lower_below(ctx, inner, products, outcome);
    }
}

/// Lowers the MMA matrices of a function. Returns whether there were any, and all could be lowered, and a remark on the
/// first one that could not. `threads` is the size of the workgroups of a kernel, where it is known.
fn lower_function(
    ctx: &Context,
    body: &mut Body,
    threads: Option<[i64; 3]>,
) -> (bool, Diagnostics) {
    let mut remarks = Diagnostics::new();
    let ops = body.walk().into_iter();
    let ops: Vec<OpId> = ops.filter(|&op| is_mma(body[op].name)).collect();
    let handed_on = |&op: &OpId| !hands_on(ctx, body, op);
    let culprit = ops
        .iter()
        .find_map(|&op| Some((op, obstacle(ctx, body, op)?)));
    let stray = body.walk().into_iter().find(handed_on);
    let stray = stray.map(|op| {
        (
            op,
            "passes a matrix to an operation that cannot take one".to_owned(),
        )
    });
    if let Some((op, why)) = culprit.or(stray) {
        let name = ctx.op_name_str(body[op].name);
        let message = format!(
            "the MMA matrices of this function are not lowered, and no engine runs them: '{name}' {why}"
        );
        remarks.push(Diagnostic::remark(body[op].loc, message));
    }
    if ops.is_empty() || !remarks.is_empty() {
        return (false, remarks);
    }
    let holder = holder(ctx, body, &ops, threads);
    // Vector elements have no sign, and vectors no role, so both are recorded first.
    let traits: Vec<Matrices> = ops
        .iter()
        .map(|&op| Matrices {
            holder,
            unsigned: [0, 1].map(|at| is_unsigned(ctx, body, op, at)),
            role: role_of(ctx, body, op),
        })
        .collect();
    body.retype_values(|ty| match MmaMatrix::of(ctx, ty) {
        Some(matrix) => vector_of(ctx, &matrix, holder),
        None => ty,
    });
    for (op, matrices) in ops.into_iter().zip(traits) {
        lower(ctx, body, op, matrices);
        body.erase(op);
    }
    (true, remarks)
}

/// Attributes of an operation's matrix types that types of vectors lack.
#[derive(Clone, Copy)]
struct Matrices {
    holder: Holder,
    /// Whether the first two operands are of unsigned integers.
    unsigned: [bool; 2],
    /// The role of the matrix that is loaded or stored.
    role: MatrixRole,
}

/// The role of an operation's result, or of its first operand where there is none.
fn role_of(ctx: &Context, body: &Body, op: OpId) -> MatrixRole {
    let data = &body[op];
    let value = data.results().chain(data.operands.first().copied()).next();
    let matrix = value.and_then(|value| MmaMatrix::of(ctx, body.ty(value)));
    matrix.map_or(MatrixRole::C, |matrix| matrix.role)
}

/// Whether an operation has no matrix operands or results, or can be lowered, or passes values on
/// whatever their type.
fn hands_on(ctx: &Context, body: &Body, op: OpId) -> bool {
    let data = &body[op];
    let dialect = ctx.op_name_str(data.name).split('.').next();
    let mut values = data.operands.iter().copied().chain(data.results());
    is_mma(data.name)
        || matches!(dialect, Some("scf" | "cf"))
        || values.all(|value| MmaMatrix::of(ctx, body.ty(value)).is_none())
}

fn is_unsigned(ctx: &Context, body: &Body, op: OpId, operand: usize) -> bool {
    let value = body[op].operands.get(operand);
    let matrix = value.and_then(|&value| MmaMatrix::of(ctx, body.ty(value)));
    let element = matrix.map(|matrix| matrix.element.kind(ctx));
    matches!(
        element,
        Some(TypeKind::Integer {
            signedness: Signedness::Unsigned,
            ..
        })
    )
}

fn is_mma(name: OpName) -> bool {
    matches!(
        name,
        gpu::SUBGROUP_MMA_COMPUTE
            | gpu::SUBGROUP_MMA_CONSTANT_MATRIX
            | gpu::SUBGROUP_MMA_ELEMENTWISE
            | gpu::SUBGROUP_MMA_EXTRACT_THREAD_LOCAL
            | gpu::SUBGROUP_MMA_INSERT_THREAD_LOCAL
            | gpu::SUBGROUP_MMA_LOAD_MATRIX
            | gpu::SUBGROUP_MMA_STORE_MATRIX
    )
}

/// The type of the vector that holds a matrix, or a lane's share of it; integers become signless, and
/// operations record the sign where they need it.
fn vector_of(ctx: &Context, matrix: &MmaMatrix, holder: Holder) -> Type {
    let element = match matrix.element.kind(ctx) {
        TypeKind::Integer { width, .. } => ctx.int_type(*width),
        _ => matrix.element,
    };
    ctx.vector_type(&held(matrix, holder), element)
}

/// The reason why an operation on matrices cannot be lowered.
fn obstacle(ctx: &Context, body: &Body, op: OpId) -> Option<String> {
    let data = &body[op];
    let mut values = data.operands.iter().copied().chain(data.results());
    let is_large = |value: Value| {
        MmaMatrix::of(ctx, body.ty(value)).is_some_and(|matrix| {
            let count = matrix.rows.checked_mul(matrix.columns);
            count.is_none_or(|count| count > MAX_ELEMENTS)
        })
    };
    if values.any(is_large) {
        return Some(format!("has a matrix of more than {MAX_ELEMENTS} elements"));
    }
    match data.name {
        gpu::SUBGROUP_MMA_COMPUTE => None,
        gpu::SUBGROUP_MMA_CONSTANT_MATRIX => {
            let ty = body.ty(data.operands[0]);
            let is_byte = matches!(ty.kind(ctx), TypeKind::Integer { width: 8, .. });
            is_byte.then(|| {
                "is of signed 8-bit integers, with which no operation on matrices computes"
                    .to_owned()
            })
        }
        gpu::SUBGROUP_MMA_ELEMENTWISE => {
            let is_known = elementwise(ctx, body, op).is_some();
            (!is_known).then(|| "has another number of operands than its operation".to_owned())
        }
        gpu::SUBGROUP_MMA_LOAD_MATRIX => rows_of(ctx, body, op, 0).err(),
        gpu::SUBGROUP_MMA_STORE_MATRIX => rows_of(ctx, body, op, 1).err(),
        _ => Some(
            "accesses the part of a matrix that a lane holds, and which part that is depends on \
             the device: use 'gpu.subgroup_mma_elementwise', or go through memory"
                .to_owned(),
        ),
    }
}

/// The elementwise operation with a keyword of MLIR.
fn elementwise(ctx: &Context, body: &Body, op: OpId) -> Option<OpName> {
    let operation = body[op].get(ctx, inherent::ELEMENTWISE_OPERATION)?;
    let (name, count) = match &gpu::elementwise_keyword(ctx, operation)?[..] {
        "addf" => (arith::ADDF, 2),
        "mulf" => (arith::MULF, 2),
        "subf" => (arith::SUBF, 2),
        "maxf" => (arith::MAXIMUMF, 2),
        "minf" => (arith::MINIMUMF, 2),
        "divf" => (arith::DIVF, 2),
        "addi" => (arith::ADDI, 2),
        "muli" => (arith::MULI, 2),
        "subi" => (arith::SUBI, 2),
        "divs" => (arith::DIVSI, 2),
        "divu" => (arith::DIVUI, 2),
        "negatef" => (arith::NEGF, 1),
        // Negation: `0 - x`.
        "negates" => (arith::SUBI, 1),
        "extf" => (arith::EXTF, 1),
        _ => return None,
    };
    (body[op].operands.len() == count).then_some(name)
}

fn lower(ctx: &Context, body: &mut Body, op: OpId, matrices: Matrices) {
    let holder = matrices.holder;
    let operands = body[op].operands.to_vec();
    let result = body[op].results().next();
    let name = body[op].name;
    let scalar_op = match name {
        gpu::SUBGROUP_MMA_ELEMENTWISE => elementwise(ctx, body, op),
        _ => None,
    };
    let transposes = body[op].get(ctx, inherent::TRANSPOSE).is_some();
    let memref = usize::from(name == gpu::SUBGROUP_MMA_STORE_MATRIX);
    let rows = rows_of(ctx, body, op, memref).unwrap_or(Rows::OfMemref);
    let mut b = Builder::before(ctx, body, op);
    let made = match (name, &operands[..], result) {
        (gpu::SUBGROUP_MMA_CONSTANT_MATRIX, &[value], Some(result)) => {
            let ty = b.body.ty(result);
            Some(b.unary(vector::BROADCAST, &[value], ty))
        }
        (gpu::SUBGROUP_MMA_ELEMENTWISE, operands, Some(result)) => {
            let ty = b.body.ty(result);
            scalar_op.map(|name| match operands {
                [x] if name == arith::SUBI => {
                    let zero = zeros(&mut b, ty);
                    b.binary(name, zero, *x)
                }
                // Where the first lane holds all, others hold zeros, which must not divide.
                &[x, y]
                    if holder == Holder::FirstLane
                        && matches!(name, arith::DIVSI | arith::DIVUI) =>
                {
                    first_only(&mut b, x, |b| b.binary(name, x, y))
                }
                _ => b.unary(name, operands, ty),
            })
        }
        (gpu::SUBGROUP_MMA_LOAD_MATRIX, [memref, indices @ ..], Some(result)) => {
            let ty = b.body.ty(result);
            let place = Place::of(&mut b, *memref, indices, rows);
            let place = own(&mut b, place, ty, transposes, matrices);
            Some(load(&mut b, &place, ty, transposes, holder))
        }
        (gpu::SUBGROUP_MMA_STORE_MATRIX, [matrix, memref, indices @ ..], _) => {
            let place = Place::of(&mut b, *memref, indices, rows);
            let ty = b.body.ty(*matrix);
            let place = own(&mut b, place, ty, transposes, matrices);
            store(&mut b, *matrix, &place, transposes, holder);
            None
        }
        (gpu::SUBGROUP_MMA_COMPUTE, &[a, c, sum], _) => {
            Some(product(&mut b, [a, c], matrices.unsigned, sum))
        }
        _ => None,
    };
    if let (Some(result), Some(made)) = (result, made) {
        body.replace_uses(result, made);
    }
}

fn shape_of(b: &Builder<'_>, value: Value) -> ([i64; 2], Type) {
    let ty = b.body.ty(value);
    shape_of_type(b.ctx, ty)
}

fn shape_of_type(ctx: &Context, ty: Type) -> ([i64; 2], Type) {
    match VectorShape::of(ctx, ty) {
        Some(VectorShape {
            shape: &[rows, columns],
            element,
            ..
        }) => ([rows, columns], element),
        _ => ([0, 0], ty),
    }
}

fn zeros(b: &mut Builder<'_>, ty: Type) -> Value {
    let element = ty.element(b.ctx).unwrap_or(ty);
    let bytes = element_bytes(b.ctx, element).unwrap_or(1);
    let data = DenseData::Splat(vec![0; bytes].into());
    let zero = b.ctx.intern_attr(AttrKind::Dense { ty, data });
    b.constant(zero, ty)
}

fn transposed(b: &mut Builder<'_>, matrix: Value) -> Value {
    let ([rows, columns], element) = shape_of(b, matrix);
    let order = b.ctx.i64_array_attr(&[1, 0]);
    let state = b
        .state(vector::TRANSPOSE)
        .operands(&[matrix])
        .results(&[b.ctx.vector_type(&[columns, rows], element)])
        .property(b.ctx, inherent::TRANSPOSITION, order);
    let op = b.create(state);
    b.body[op].result(0)
}

fn row_of(b: &mut Builder<'_>, matrix: Value, row: i64) -> Value {
    let ([_, columns], element) = shape_of(b, matrix);
    let place = b.ctx.i64_array_attr(&[row]);
    let state = b
        .state(vector::EXTRACT)
        .operands(&[matrix])
        .results(&[b.ctx.vector_type(&[columns], element)])
        .property(b.ctx, inherent::STATIC_POSITION, place);
    let op = b.create(state);
    b.body[op].result(0)
}

/// Wraps a computation of the first lane of the subgroup in a conditional; other lanes get `other`.
fn first_only(
    b: &mut Builder<'_>,
    other: Value,
    compute: impl FnOnce(&mut Builder<'_>) -> Value,
) -> Value {
    let first = first_lane(b);
    let ty = b.body.ty(other);
    let choice = scf::IfOp::create(b, first, &[ty], true);
    let behind = b.point();
    let block = choice.then_block(b.body);
    b.set(InsertPoint::End(block));
    let value = compute(b);
    scf::yield_values(b, block, &[value]);
    if let Some(block) = choice.else_block(b.body) {
        scf::yield_values(b, block, &[other]);
    }
    b.set(behind);
    b.body[choice.0].result(0)
}

/// Emits whether a thread is the first lane of its subgroup.
fn first_lane(b: &mut Builder<'_>) -> Value {
    let lane = lane(b);
    let zero = b.index_constant(0);
    CmpIOp::create(b, CmpIPredicate::Eq, lane, zero)
}

/// Emits the number of a thread in its subgroup.
fn lane(b: &mut Builder<'_>) -> Value {
    let mut number = IdOp::create(b, gpu::THREAD_ID, Dimension::Z);
    for dimension in [Dimension::Y, Dimension::X] {
        let size = IdOp::create(b, gpu::BLOCK_DIM, dimension);
        let here = IdOp::create(b, gpu::THREAD_ID, dimension);
        number = arith::linearize(b, number, &[(size, here)]);
    }
    let lanes = b.index_constant(SUBGROUP_LANES);
    b.binary(arith::REMUI, number, lanes)
}

/// Emits `sum + a * c` as a sequence of outer products of a column and a row.
fn product(b: &mut Builder<'_>, [a, c]: [Value; 2], unsigned: [bool; 2], sum: Value) -> Value {
    let (_, element) = shape_of(b, sum);
    let (a, c) = (
        widened(b, a, unsigned[0], element),
        widened(b, c, unsigned[1], element),
    );
    let columns = transposed(b, a);
    let ([steps, _], _) = shape_of(b, columns);
    let ty = b.body.ty(sum);
    let mut sum = sum;
    for step in 0..steps {
        let (column, row) = (row_of(b, columns, step), row_of(b, c, step));
        sum = b.unary(vector::OUTERPRODUCT, &[column, row, sum], ty);
    }
    sum
}

/// Emits a factor's elements widened to the type of the sum.
fn widened(b: &mut Builder<'_>, factor: Value, is_unsigned: bool, element: Type) -> Value {
    let (shape, own) = shape_of(b, factor);
    if own == element {
        return factor;
    }
    let ty = b.ctx.vector_type(&shape, element);
    let name = match own.kind(b.ctx) {
        TypeKind::Integer { .. } if is_unsigned => arith::EXTUI,
        TypeKind::Integer { .. } => arith::EXTSI,
        _ => arith::EXTF,
    };
    b.unary(name, &[factor], ty)
}
