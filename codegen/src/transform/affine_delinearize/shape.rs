//! Shapes of flat arrays: the sizes of dimensions by which all subscripts of an array are divided, and the conditions under
//! which the rests are within them.

use gridloom_ir::{OpId, Value};

use super::numbers::Numbers;
use crate::transform::polynomial::Poly;

/// Limit of the dimensions of an array.
const MAX_RANK: usize = 6;

/// Limit of the row lengths that are tried for a dimension.
const MAX_CANDIDATES: usize = 8;

/// Limit of the elements of the inner dimensions.
pub(super) const MAX_EXTENT: i64 = 1 << 31;

/// Limit of the magnitude of the outermost index: the flat index of its row fits 64 bits.
const MAX_ROWS: i128 = (1 << 32) - 1;

/// Limit of the magnitude of a row length, so that its product with such a number fits.
const MAX_LENGTH: i128 = 1 << 30;

/// Access of a flat array.
#[derive(Clone)]
pub(super) struct FlatAccess {
    pub(super) op: OpId,
    pub(super) array: Value,
    pub(super) is_store: bool,
    pub(super) subscript: Poly,
}

/// Shape of a flat array.
pub(super) struct Shape {
    pub(super) array: Value,
    /// The sizes of all dimensions but the outermost one.
    pub(super) inner: Vec<Poly>,
    /// The accesses, with an index for each dimension.
    pub(super) accesses: Vec<(OpId, Vec<Poly>)>,
    /// Polynomials that must not be negative.
    pub(super) conditions: Vec<Poly>,
}

/// A subscript in rows of one length: the row, the column, and what must not be negative.
struct Row {
    row: Poly,
    column: Poly,
    conditions: Vec<Poly>,
}

impl Shape {
    /// The shape of an array with these accesses; [`None`] where no row length suits all of them.
    pub(super) fn of(
        numbers: &mut Numbers,
        array: Value,
        accesses: &[&FlatAccess],
    ) -> Option<Shape> {
        let subscript = |access: &&FlatAccess| (access.op, vec![access.subscript.clone()]);
        let mut shape = Shape {
            array,
            inner: Vec::new(),
            accesses: accesses.iter().map(subscript).collect(),
            conditions: Vec::new(),
        };
        while shape.inner.len() + 1 < MAX_RANK && shape.split(numbers).is_some() {}
        let is_usable = |(op, indices): &(OpId, Vec<Poly>)| {
            let rows = numbers.magnitude(&indices[0]);
            rows.is_some_and(|most| most <= MAX_ROWS)
                && indices
                    .iter()
                    .all(|index| numbers.is_defined_at(index, *op))
        };
        (!shape.inner.is_empty() && shape.accesses.iter().all(is_usable)).then_some(shape)
    }

    /// Splits the outermost dimension in two.
    fn split(&mut self, numbers: &mut Numbers) -> Option<()> {
        let mut lengths: Vec<Poly> = Vec::new();
        for (_, indices) in &self.accesses {
            for factor in numbers.open_factors(&indices[0]) {
                for length in [factor.primitive(), factor] {
                    let is_new = !lengths.contains(&length) && lengths.len() < MAX_CANDIDATES;
                    if is_new && !length.is_falling() {
                        lengths.push(length);
                    }
                }
            }
        }
        lengths.sort_by_key(Poly::degree);
        let (length, rows) = lengths.into_iter().find_map(|length| {
            let is_small = numbers.magnitude(&length)? <= MAX_LENGTH;
            is_small.then_some(())?;
            let rows = self.accesses.iter();
            let rows = rows.map(|(op, indices)| Row::of(numbers, *op, &indices[0], &length));
            Some((length.clone(), rows.collect::<Option<Vec<Row>>>()?))
        })?;
        self.inner.insert(0, length);
        for ((_, indices), row) in self.accesses.iter_mut().zip(rows) {
            indices[0] = row.column;
            indices.insert(0, row.row);
            for condition in row.conditions {
                if !self.conditions.contains(&condition) {
                    self.conditions.push(condition);
                }
            }
        }
        Some(())
    }
}

impl Row {
    /// Splits a subscript of an operation, with the column from 0 up to the length.
    fn of(numbers: &mut Numbers, op: OpId, subscript: &Poly, length: &Poly) -> Option<Row> {
        let (row, column) = subscript.divided_with_rest(length)?;
        let one = Poly::constant(1);
        // The division of `row · length - 1` leaves -1, the last column of the row before.
        let before = (row.minus(&one)?, column.plus(length)?);
        [(row, column), before]
            .into_iter()
            .find_map(|(row, column)| {
                let mut conditions = numbers.natural_at(&column, op)?;
                let left = length.minus(&one)?.minus(&column)?;
                conditions.extend(numbers.natural_at(&left, op)?);
                Some(Row {
                    row,
                    column,
                    conditions,
                })
            })
    }
}
