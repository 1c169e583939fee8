//! Loads and stores of matrices by the lanes that hold them.

use gridloom_dialects::{gpu, inherent, scf, vector};
use gridloom_ir::{Builder, InsertPoint, Type, Value};

use super::place::Place;
use super::shares::{Holder, start};
use super::{Matrices, first_lane, first_only, row_of, shape_of, shape_of_type, transposed, zeros};

/// Emits where what a lane holds of a matrix lies.
pub(super) fn own(
    b: &mut Builder<'_>,
    place: Place,
    ty: Type,
    transposes: bool,
    matrices: Matrices,
) -> Place {
    if matrices.holder == Holder::FirstLane {
        return place;
    }
    let (shape, _) = shape_of_type(b.ctx, ty);
    let mut start = start(b, matrices.role, shape);
    if transposes {
        start.reverse();
    }
    place.moved(b, start)
}

/// Emits the load of a matrix. Where the first lane of the subgroup holds it, other lanes get zeros.
pub(super) fn load(
    b: &mut Builder<'_>,
    place: &Place,
    ty: Type,
    transposes: bool,
    holder: Holder,
) -> Value {
    let ([mut rows, mut columns], element) = shape_of_type(b.ctx, ty);
    if transposes {
        (rows, columns) = (columns, rows);
    }
    let row_type = b.ctx.vector_type(&[columns], element);
    let loaded_type = b.ctx.vector_type(&[rows, columns], element);
    let start = zeros(b, loaded_type);
    let all_rows = |b: &mut Builder<'_>| {
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
    };
    let matrix = match holder {
        Holder::FirstLane => first_only(b, start, all_rows),
        Holder::EachLane => all_rows(b),
    };
    match transposes {
        true => transposed(b, matrix),
        false => matrix,
    }
}

/// Emits the store of a matrix by those that hold it.
pub(super) fn store(
    b: &mut Builder<'_>,
    matrix: Value,
    place: &Place,
    transposes: bool,
    holder: Holder,
) {
    let matrix = match transposes {
        true => transposed(b, matrix),
        false => matrix,
    };
    if holder == Holder::EachLane {
        b.create(b.state(gpu::BARRIER));
        store_rows(b, matrix, place);
        b.create(b.state(gpu::BARRIER));
        return;
    }
    let first = first_lane(b);
    let choice = scf::IfOp::create(b, first, &[], false);
    let block = choice.then_block(b.body);
    let behind = b.point();
    b.set(InsertPoint::End(block));
    store_rows(b, matrix, place);
    scf::yield_values(b, block, &[]);
    b.set(behind);
}

fn store_rows(b: &mut Builder<'_>, matrix: Value, place: &Place) {
    let ([rows, _], _) = shape_of(b, matrix);
    for row in 0..rows {
        let value = row_of(b, matrix, row);
        let operands = [&[value], &place.row(b, row)[..]].concat();
        b.create(b.state(vector::STORE).operands(&operands));
    }
}
