//! Rows of strided copies: boxes whose last dimension is contiguous on both sides, which the queue
//! copies row by row.

use super::Dimension;
use crate::copiers::Unit;

/// Bytes of a row from which the queue is faster than the copy shader on drivers that compute on
/// the CPU: a copy of theirs is a `memcpy`.
const LEAST_ROW_BYTES: u64 = 1 << 10;

/// A box of rows that are contiguous on both sides, whole words at multiples of words.
pub(crate) struct Rows<'a> {
    /// Offset of the box on each side, in bytes.
    pub(crate) offsets: [u64; 2],
    /// The dimensions around a row, in units.
    pub(crate) outer: &'a [Dimension],
    pub(crate) unit_bytes: i64,
    /// Bytes of a row.
    pub(crate) bytes: u64,
}

impl<'a> Rows<'a> {
    /// The rows of a box that are long enough for copies of their own.
    pub(crate) fn of(unit: Unit, offsets: [u64; 2], dimensions: &'a [Dimension]) -> Option<Self> {
        let (&row, outer) = dimensions.split_last()?;
        let bytes = row.size * unit.bytes();
        let unit_bytes = unit.bytes() as i64;
        let steps = outer.iter().flat_map(|d| [d.from, d.to]);
        let is_whole = offsets.iter().all(|offset| offset.is_multiple_of(4))
            && bytes.is_multiple_of(4)
            && steps
                .into_iter()
                .all(|step| step.wrapping_mul(unit_bytes) % 4 == 0);
        let is_row = (row.from, row.to) == (1, 1) && bytes >= LEAST_ROW_BYTES;
        (is_row && is_whole).then_some(Rows {
            offsets,
            outer,
            unit_bytes,
            bytes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dimension(size: u64, from: i64, to: i64) -> Dimension {
        Dimension { size, from, to }
    }

    #[test]
    fn rows_are_whole_words_at_words() {
        let (outer, row) = (dimension(3, 4000, -2000), dimension(1200, 1, 1));
        let rows = |unit, offsets, all: [Dimension; 2]| {
            Rows::of(unit, offsets, &all).map(|rows| (rows.bytes, rows.outer.len()))
        };
        assert_eq!(rows(Unit::Byte, [8, 4], [outer, row]), Some((1200, 1)));
        assert_eq!(rows(Unit::Word, [8, 4], [outer, row]), Some((4800, 1)));
        assert_eq!(rows(Unit::Byte, [8, 5], [outer, row]), None);
        let odd = dimension(3, 4001, 2000);
        assert_eq!(rows(Unit::Byte, [8, 4], [odd, row]), None);
        assert_eq!(rows(Unit::Word, [8, 4], [odd, row]), Some((4800, 1)));
        for row in [
            dimension(1202, 1, 1),
            dimension(1200, 1, 2),
            dimension(40, 1, 1),
        ] {
            assert_eq!(rows(Unit::Byte, [8, 4], [outer, row]), None);
        }
    }
}
