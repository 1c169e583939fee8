//! `gpu-lower-mma`: lowers subgroup MMA matrices to vectors held by the first lane.
//!
//! ```text
//! %a = gpu.subgroup_mma_load_matrix %m[%i, %j]          %a = scf.if %first {
//!     {leadDimension = 32 : index} : … ->                 %r = vector.load %m[%i + 0, %j] : …, vector<16xf16>
//!     !gpu.mma_matrix<16x16xf16, "AOp">           ⇒       … vector.insert %r, %zeros [0] …   // 16 rows
//!                                                       } else { %zeros }
//! %d = gpu.subgroup_mma_compute %a, %b, %c              %d = vector.outerproduct %column, %row, %c   // 16 steps
//! gpu.subgroup_mma_store_matrix %d, %m[%i, %j]          scf.if %first { vector.store … }             // 16 rows
//! ```
//!
//! The first lane of a subgroup computes everything, so that the result equals that of a matrix
//! unit that adds the products of an element in order. `a_transpose` and `b_transpose` only
//! describe how a unit holds factors that were loaded transposed, and change no values.
//!
//! On a target with cooperative matrices a function stays as it is where the target supports every
//! product in it, its matrices are loaded and stored untransposed, and elements are combined by
//! operations that such matrices have ([`native`]).
//!
//! Legal for matrices of fixed shape. Rows that lie another distance apart than those of the memref are accessed through a
//! view of one dimension, which needs a memref without a layout. A function with another one, or with an operation on the
//! part of a matrix that a lane holds, which says nothing of where that lies, is left as it is, with a remark.

mod native;
mod place;

use gridloom_dialects::arith::{CmpIOp, CmpIPredicate};
use gridloom_dialects::gpu::{self, Dimension, IdOp, MmaMatrix, SUBGROUP_LANES};
use gridloom_dialects::vector::VectorShape;
use gridloom_dialects::{arith, inherent, scf, vector};
use gridloom_ir::attr::DenseData;
use gridloom_ir::elements::element_bytes;
use gridloom_ir::types::Signedness;
use gridloom_ir::{
    AttrKind, Body, Builder, Context, Diagnostic, Diagnostics, InsertPoint, OpId, OpName, Type,
    TypeKind, Value,
};

use crate::target::MatrixProduct;
use place::{Place, Rows, rows_of};

/// Limit of the elements of a matrix.
const MAX_ELEMENTS: i64 = 1 << 10;

/// Lowers the MMA matrices of a function, unless the target supports all of them natively. Returns
/// what [`lower_mma`] does.
pub fn lower_mma_for(
    ctx: &Context,
    body: &mut Body,
    products: &[MatrixProduct],
) -> (bool, Diagnostics) {
    match native::is_native(ctx, body, products) {
        true => (false, Diagnostics::new()),
        false => lower_mma(ctx, body),
    }
}

/// Lowers the MMA matrices of a function. Returns whether there were any, and all could be lowered, and a remark on the
/// first one that could not.
pub fn lower_mma(ctx: &Context, body: &mut Body) -> (bool, Diagnostics) {
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
    // Vector elements have no sign, so unsigned factors are recorded first.
    let unsigned: Vec<[bool; 2]> = ops
        .iter()
        .map(|&op| [0, 1].map(|at| is_unsigned(ctx, body, op, at)))
        .collect();
    body.retype_values(|ty| match MmaMatrix::of(ctx, ty) {
        Some(matrix) => vector_of(ctx, &matrix),
        None => ty,
    });
    for (op, unsigned) in ops.into_iter().zip(unsigned) {
        lower(ctx, body, op, unsigned);
        body.erase(op);
    }
    (true, remarks)
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

/// The vector type of a matrix; integers become signless, and operations record the sign where they
/// need it.
fn vector_of(ctx: &Context, matrix: &MmaMatrix) -> Type {
    let element = match matrix.element.kind(ctx) {
        TypeKind::Integer { width, .. } => ctx.int_type(*width),
        _ => matrix.element,
    };
    ctx.vector_type(&[matrix.rows, matrix.columns], element)
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

fn lower(ctx: &Context, body: &mut Body, op: OpId, unsigned: [bool; 2]) {
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
                // Other lanes hold zeros, which must not divide.
                &[x, y] if matches!(name, arith::DIVSI | arith::DIVUI) => {
                    first_only(&mut b, x, |b| b.binary(name, x, y))
                }
                _ => b.unary(name, operands, ty),
            })
        }
        (gpu::SUBGROUP_MMA_LOAD_MATRIX, [memref, indices @ ..], Some(result)) => {
            let ty = b.body.ty(result);
            let place = Place::of(&mut b, *memref, indices, rows);
            Some(load(&mut b, &place, ty, transposes))
        }
        (gpu::SUBGROUP_MMA_STORE_MATRIX, [matrix, memref, indices @ ..], _) => {
            let place = Place::of(&mut b, *memref, indices, rows);
            store(&mut b, *matrix, &place, transposes);
            None
        }
        (gpu::SUBGROUP_MMA_COMPUTE, &[a, c, sum], _) => {
            Some(product(&mut b, [a, c], unsigned, sum))
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

/// Emits the load of a matrix by the first lane of the subgroup; other lanes get zeros.
fn load(b: &mut Builder<'_>, place: &Place, ty: Type, transposes: bool) -> Value {
    let ([mut rows, mut columns], element) = shape_of_type(b.ctx, ty);
    if transposes {
        (rows, columns) = (columns, rows);
    }
    let row_type = b.ctx.vector_type(&[columns], element);
    let loaded_type = b.ctx.vector_type(&[rows, columns], element);
    let start = zeros(b, loaded_type);
    let matrix = first_only(b, start, |b| {
        let mut matrix = start;
        for row in 0..rows {
            let operands = place.row(b, row);
            let loaded = b.unary(vector::LOAD, &operands, row_type);
            let at = b.ctx.i64_array_attr(&[row]);
            let state = b
                .state(vector::INSERT)
                .operands(&[loaded, matrix])
                .results(&[loaded_type])
                .property(b.ctx, inherent::STATIC_POSITION, at);
            let op = b.create(state);
            matrix = b.body[op].result(0);
        }
        matrix
    });
    match transposes {
        true => transposed(b, matrix),
        false => matrix,
    }
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

/// Emits the store of a matrix by the first lane of the subgroup.
fn store(b: &mut Builder<'_>, matrix: Value, place: &Place, transposes: bool) {
    let matrix = match transposes {
        true => transposed(b, matrix),
        false => matrix,
    };
    let first = first_lane(b);
    let choice = scf::IfOp::create(b, first, &[], false);
    let block = choice.then_block(b.body);
    let behind = b.point();
    b.set(InsertPoint::End(block));
    let ([rows, _], _) = shape_of(b, matrix);
    for row in 0..rows {
        let value = row_of(b, matrix, row);
        let operands = [&[value], &place.row(b, row)[..]].concat();
        b.create(b.state(vector::STORE).operands(&operands));
    }
    scf::yield_values(b, block, &[]);
    b.set(behind);
}

/// Emits whether a thread is the first lane of its subgroup: its number is a multiple of the lanes.
fn first_lane(b: &mut Builder<'_>) -> Value {
    let mut number = IdOp::create(b, gpu::THREAD_ID, Dimension::Z);
    for dimension in [Dimension::Y, Dimension::X] {
        let size = IdOp::create(b, gpu::BLOCK_DIM, dimension);
        let here = IdOp::create(b, gpu::THREAD_ID, dimension);
        let rows = b.binary(arith::MULI, number, size);
        number = b.binary(arith::ADDI, rows, here);
    }
    let lanes = b.index_constant(SUBGROUP_LANES);
    let lane = b.binary(arith::REMUI, number, lanes);
    let zero = b.index_constant(0);
    CmpIOp::create(b, CmpIPredicate::Eq, lane, zero)
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
