//! Bounds of a statement's loops in another order, by Fourier–Motzkin
//! elimination.
//!
//! A row says `Σ coefficient · counter + constant >= 0`:
//!
//! ```text
//!   counters in the new order, outermost first | constant
//! ```
//!
//! Eliminating a counter whose coefficients are 1 and -1 is exact over the
//! integers; other coefficients are refused.

use gridloom_dialects::affine::{Bound, ForOp};
use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::{AffineExpr, AffineMap, Body, Context, Value};

/// Values from `first` to `last`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Range {
    pub first: i64,
    pub last: i64,
}

impl Range {
    /// The least range that holds both.
    pub fn hull(self, other: Range) -> Range {
        Range {
            first: self.first.min(other.first),
            last: self.last.max(other.last),
        }
    }
}

/// The loops of one statement, that of its time outermost.
pub(super) struct Scan {
    /// Position of the time's loop among those of the statement.
    pub time_loop: usize,
    pub time: Range,
    pub inner: Vec<Inner>,
    /// Lower and upper rows of the outermost inner loop.
    outermost: [Vec<Row>; 2],
}

/// A loop inside that of the time.
pub(super) struct Inner {
    /// Position among the loops of the statement.
    pub position: usize,
    pub lower: InnerBound,
    pub upper: InnerBound,
}

/// A map of counters further out.
pub(super) struct InnerBound {
    pub map: AffineMap,
    /// Positions of their loops.
    pub operands: Vec<usize>,
}

/// Coefficients and constants beyond this are refused, so that sums and differences of two rows stay in 64 bits. The
/// values of a row are summed in 128 bits ([`extreme`]) and refused where 64 do not hold them.
const MAX_CONSTANT: i64 = 1 << 40;
/// Rows, at most: elimination may square their number.
const MAX_ROWS: usize = 64;

type Row = Vec<i64>;

impl Scan {
    /// The loops of a statement with one of them outermost, the others in their
    /// order; `None` where bounds are not of the form that is projected exactly.
    pub fn of(ctx: &Context, body: &Body, loops: &[ForOp], time_loop: usize) -> Option<Scan> {
        let rest = (0..loops.len()).filter(|&l| l != time_loop);
        let order: Vec<usize> = std::iter::once(time_loop).chain(rest).collect();
        let mut rows = domain_rows(ctx, body, loops, &order)?;
        let count = order.len();
        let mut bounding: Vec<Vec<Row>> = vec![Vec::new(); count];
        for column in (0..count).rev() {
            let (with, without): (Vec<Row>, Vec<Row>) =
                rows.into_iter().partition(|row| row[column] != 0);
            if with.iter().any(|row| row[column].abs() != 1) {
                return None;
            }
            rows = without;
            eliminate(&with, column, &mut rows)?;
            bounding[column] = with;
        }
        // Rows without counters: an empty domain has no bounds worth writing.
        if rows.iter().any(|row| row[count] < 0) {
            return None;
        }
        let mut ranges: Vec<Range> = Vec::new();
        let mut inner = Vec::new();
        let mut outermost = [Vec::new(), Vec::new()];
        for (column, rows) in bounding.iter().enumerate() {
            let [lower, upper] = [1, -1].map(|sign| tightest(rows, column, sign, &ranges));
            // Both ends of what a row can be: a bound is computed in 64 bits.
            let greatest = |row: &Row| {
                let least = extreme(row, column, &ranges, -1);
                least.and(extreme(row, column, &ranges, 1))
            };
            let firsts = lower.iter().map(|row| greatest(row)?.checked_neg());
            let lasts = upper.iter().map(greatest);
            let first = firsts.collect::<Option<Vec<_>>>()?.into_iter().max()?;
            let last = lasts.collect::<Option<Vec<_>>>()?.into_iter().min()?;
            ranges.push(Range { first, last });
            if column == 1 {
                outermost = [lower.clone(), upper.clone()];
            }
            if column > 0 {
                inner.push(Inner {
                    position: order[column],
                    lower: bound_of(ctx, &lower, &order[..column], -1, 0),
                    upper: bound_of(ctx, &upper, &order[..column], 1, 1),
                });
            }
        }
        Some(Scan {
            time_loop,
            time: *ranges.first()?,
            inner,
            outermost,
        })
    }

    /// Whether the inner loops run nothing at the times of `all` that are not the
    /// statement's own: the outermost of them has a lower bound above an upper one.
    pub fn is_empty_elsewhere(&self, all: Range) -> bool {
        let before = Range {
            first: all.first,
            last: self.time.first.saturating_sub(1),
        };
        let after = Range {
            first: self.time.last.saturating_add(1),
            last: all.last,
        };
        let [lower, upper] = &self.outermost;
        [before, after].into_iter().all(|times| {
            let pairs = lower.iter().flat_map(|l| upper.iter().map(move |u| (l, u)));
            let mut room = pairs.map(|(l, u)| {
                let sum: Row = l.iter().zip(u).map(|(l, u)| l + u).collect();
                extreme(&sum, 1, &[times], 1)
            });
            times.first > times.last || room.any(|room| room.is_some_and(|room| room < 0))
        })
    }
}

/// Iteration domain of the loops, as rows over their counters.
fn domain_rows(ctx: &Context, body: &Body, loops: &[ForOp], order: &[usize]) -> Option<Vec<Row>> {
    let counters: Vec<Value> = (order.iter())
        .map(|&l| loops[l].induction_var(body))
        .collect();
    let mut rows = Vec::new();
    for (column, &l) in order.iter().enumerate() {
        let bounds = [
            (loops[l].lower(ctx, body), 1),
            (loops[l].upper(ctx, body), -1),
        ];
        for (bound, sign) in bounds {
            for &result in bound.map.data(ctx).results.iter() {
                let mut row: Row = linear(ctx, result, bound, &counters, 0)?;
                // counter - lower >= 0, upper - counter - 1 >= 0
                row.iter_mut().for_each(|x| *x *= -sign);
                row[column] += sign;
                row[counters.len()] -= i64::from(sign < 0);
                rows.push(row);
            }
        }
    }
    (rows.len() <= MAX_ROWS).then_some(rows)
}

/// Depth of expressions that are read.
const MAX_DEPTH: usize = 16;

/// A result of a bound as coefficients of counters and a constant.
fn linear(
    ctx: &Context,
    expr: AffineExpr,
    bound: Bound,
    counters: &[Value],
    depth: usize,
) -> Option<Row> {
    let mut row = vec![0; counters.len() + 1];
    let constant = counters.len();
    let operand = |input: u32| {
        let value = bound.operands.get(usize::try_from(input).ok()?)?;
        counters.iter().position(|counter| counter == value)
    };
    match expr.kind(ctx) {
        _ if depth > MAX_DEPTH => return None,
        AffineExprKind::Constant(value) => row[constant] = value,
        AffineExprKind::Dim(dim) => row[operand(dim)?] = 1,
        AffineExprKind::Symbol(symbol) => {
            row[operand(bound.map.data(ctx).dims.checked_add(symbol)?)?] = 1;
        }
        AffineExprKind::Binary(AffineOp::Add, a, b) => {
            let a = linear(ctx, a, bound, counters, depth + 1)?;
            let b = linear(ctx, b, bound, counters, depth + 1)?;
            row = a.iter().zip(&b).map(|(a, b)| a + b).collect();
        }
        AffineExprKind::Binary(AffineOp::Mul, a, b) => {
            let AffineExprKind::Constant(factor) = b.kind(ctx) else {
                return None;
            };
            let a = linear(ctx, a, bound, counters, depth + 1)?;
            row = a
                .iter()
                .map(|a| a.checked_mul(factor))
                .collect::<Option<_>>()?;
        }
        AffineExprKind::Binary(..) => return None,
    }
    row.iter().all(|x| x.abs() < MAX_CONSTANT).then_some(row)
}

/// Adds what follows from each lower bound being at most each upper bound.
fn eliminate(with: &[Row], column: usize, rows: &mut Vec<Row>) -> Option<()> {
    let side = |sign: i64| with.iter().filter(move |row| row[column] == sign);
    for lower in side(1) {
        for upper in side(-1) {
            let sum: Row = lower.iter().zip(upper).map(|(a, b)| a + b).collect();
            if !sum.iter().all(|x| x.abs() < MAX_CONSTANT) {
                return None;
            }
            if !rows.contains(&sum) {
                rows.push(sum);
            }
        }
    }
    (rows.len() <= MAX_ROWS).then_some(())
}

/// The rows that bound a counter from one side, less those that others imply.
fn tightest(rows: &[Row], column: usize, sign: i64, ranges: &[Range]) -> Vec<Row> {
    let mut kept: Vec<Row> = Vec::new();
    for row in rows.iter().filter(|row| row[column] == sign) {
        let implies = |strong: &Row, weak: &Row| {
            let difference: Row = weak.iter().zip(strong).map(|(w, s)| w - s).collect();
            extreme(&difference, column, ranges, -1).is_some_and(|least| least >= 0)
        };
        if kept.iter().any(|other| implies(other, row)) {
            continue;
        }
        kept.retain(|other| !implies(row, other));
        kept.push(row.clone());
    }
    kept
}

/// The greatest (1) or least (-1) value of a row without its own counter; `None` where 64 bits do not hold it.
fn extreme(row: &Row, column: usize, ranges: &[Range], sign: i64) -> Option<i64> {
    let constant = i128::from(row[row.len() - 1]);
    let terms = row.iter().zip(ranges).take(column).map(|(&factor, range)| {
        let at = match factor * sign >= 0 {
            true => range.last,
            false => range.first,
        };
        // Factors have some 41 bits and ranges 64, and a row has at most as many terms as loops nest.
        i128::from(factor) * i128::from(at)
    });
    i64::try_from(constant + terms.sum::<i128>()).ok()
}

/// The bound of a counter as a map of the counters of `outer` loops: `sign` times
/// the row without the counter, and `offset`.
fn bound_of(ctx: &Context, rows: &[Row], outer: &[usize], sign: i64, offset: i64) -> InnerBound {
    let is_used = |column: &usize| rows.iter().any(|row| row[*column] != 0);
    let used: Vec<usize> = (0..outer.len()).filter(is_used).collect();
    let result = |row: &Row| {
        let constant = sign * row[row.len() - 1] + offset;
        let start = ctx.affine_const(constant);
        (used.iter().zip(0..)).fold(start, |sum, (&column, dim)| {
            let factor = ctx.affine_const(sign * row[column]);
            ctx.affine_add(ctx.affine_mul(ctx.affine_dim(dim), factor), sum)
        })
    };
    let results: Vec<AffineExpr> = rows.iter().map(result).collect();
    let dims = u32::try_from(used.len()).unwrap_or(u32::MAX);
    InnerBound {
        map: ctx.affine_map(dims, 0, &results),
        operands: used.into_iter().map(|column| outer[column]).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_beyond_64_bits_are_unknown() {
        let ranges = [(0, 1 << 39), (0, 1 << 39)].map(|(first, last)| Range { first, last });
        // 2^39 x - 2^39 y + 5 is from -2^78 + 5 to 2^78 + 5.
        let row = vec![1 << 39, -(1 << 39), 5];
        assert_eq!(extreme(&row, 2, &ranges, 1), None);
        assert_eq!(extreme(&row, 2, &ranges, -1), None);
        assert_eq!(
            extreme(&vec![3, -2, 5], 2, &ranges, 1),
            Some(3 * (1 << 39) + 5)
        );
        assert_eq!(
            extreme(&vec![3, -2, 5], 2, &ranges, -1),
            Some(5 - (1 << 40))
        );
    }
}
