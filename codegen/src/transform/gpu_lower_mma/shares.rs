//! Shares of matrices: which part of a matrix each lane of a subgroup holds.
//!
//! ```text
//! lanes, four rows of eight          16x16 "COp"            16x8 "AOp"           8x16 "BOp"
//!      0  1 …  7                 4x2 elements of each    the 4 rows of a row   the 2 columns of a
//!      8  9 … 15                 lane, at its place      of lanes, whole       column of lanes, whole
//!     16 17 … 23
//!     24 25 … 31
//! ```
//!
//! So a lane computes its part of a product from what it holds, and lanes exchange nothing.

use gridloom_dialects::arith;
use gridloom_dialects::gpu::{self, LaunchOp, MatrixRole, MmaMatrix, SUBGROUP_LANES};
use gridloom_ir::{Body, Builder, Context, OpId, Value};

use super::{is_mma, lane};
use crate::analysis::uniform::Uniformity;
use crate::transform::kernels::threads_of;

/// Rows and columns of the lanes of a subgroup.
const GRID: [i64; 2] = [4, 8];

/// The lanes that hold the matrices of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Holder {
    /// The first lane of a subgroup holds them whole, and computes everything.
    FirstLane,
    /// Each lane holds its share.
    EachLane,
}

/// The shape of what a lane that holds part of a matrix has of it.
pub(super) fn held(matrix: &MmaMatrix, holder: Holder) -> [i64; 2] {
    let shape = [matrix.rows, matrix.columns];
    let cuts = [0, 1].map(|dim| holder == Holder::EachLane && is_cut(matrix.role, dim));
    [0, 1].map(|dim| match cuts[dim] {
        true => shape[dim] / GRID[dim],
        false => shape[dim],
    })
}

/// Whether the rows (dimension 0) or columns (dimension 1) of a matrix are spread over the lanes.
fn is_cut(role: MatrixRole, dim: usize) -> bool {
    match role {
        MatrixRole::A => dim == 0,
        MatrixRole::B => dim == 1,
        MatrixRole::C => true,
    }
}

/// Emits the row and the column of a lane's share, where they are not zero.
pub(super) fn start(
    b: &mut Builder<'_>,
    role: MatrixRole,
    [rows, columns]: [i64; 2],
) -> [Option<Value>; 2] {
    let lane = lane(b);
    let across = b.index_constant(GRID[1]);
    let mut scaled = |name, size, dim| {
        is_cut(role, dim).then(|| {
            let place = b.binary(name, lane, across);
            let size = b.index_constant(size);
            b.binary(arith::MULI, place, size)
        })
    };
    [
        scaled(arith::DIVUI, rows, 0),
        scaled(arith::REMUI, columns, 1),
    ]
}

/// The lanes that hold the matrices of a function whose operations on them are `ops`. `threads` is the
/// size of the workgroups of a kernel.
///
/// Each lane holds its share where the subgroups are whole, the lanes divide all matrices, and all
/// threads of a workgroup reach each store together. There they wait for each other twice: a lane may
/// store an element that another one has loaded before as part of its rows, and may load one later.
pub(super) fn holder(
    ctx: &Context,
    body: &Body,
    ops: &[OpId],
    threads: Option<[i64; 3]>,
) -> Holder {
    let is_whole = |op: OpId| {
        let sizes = threads.or_else(|| launched(ctx, body, op));
        let count = sizes.and_then(threads_of);
        count.is_some_and(|count| count > 0 && count % SUBGROUP_LANES == 0)
    };
    let is_divided = |op: OpId| {
        let data = &body[op];
        let mut values = data.operands.iter().copied().chain(data.results());
        values.all(|value| {
            MmaMatrix::of(ctx, body.ty(value)).is_none_or(|matrix| {
                let shape = [matrix.rows, matrix.columns];
                [0, 1].iter().all(|&dim| {
                    !is_cut(matrix.role, dim) || shape[dim] > 0 && shape[dim] % GRID[dim] == 0
                })
            })
        })
    };
    let uniform = Uniformity::of(ctx, body);
    let is_together = |op: OpId| {
        body[op].name != gpu::SUBGROUP_MMA_STORE_MATRIX
            || stored(ctx, body, op).is_some_and(|matrix| matrix.role == MatrixRole::C)
                && uniform.divergent_around(op).is_none()
    };
    let fits =
        |&op: &OpId| !is_mma(body[op].name) || is_whole(op) && is_divided(op) && is_together(op);
    match ops.iter().all(fits) {
        true => Holder::EachLane,
        false => Holder::FirstLane,
    }
}

fn stored(ctx: &Context, body: &Body, op: OpId) -> Option<MmaMatrix> {
    MmaMatrix::of(ctx, body.ty(*body[op].operands.first()?))
}

/// The size of the workgroups of the launch around an operation.
fn launched(ctx: &Context, body: &Body, op: OpId) -> Option<[i64; 3]> {
    let mut around = std::iter::successors(body.parent_op(op), |&op| body.parent_op(op));
    let launch = around.find(|&op| body[op].name == gpu::LAUNCH)?;
    let sizes = LaunchOp(launch).sizes(ctx, body).block;
    let sizes = sizes.map(|size| arith::constant_int(ctx, body, size));
    let &[Some(x), Some(y), Some(z)] = &sizes else {
        return None;
    };
    Some([x, y, z])
}
