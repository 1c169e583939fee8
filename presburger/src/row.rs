//! Arithmetic on constraint rows: coefficients of the variables, then the constant.
//!
//! Rows hold `i64`; every sum of products is taken in `i128`, divided by the divisor its entries
//! have in common, and narrowed again. A result that does not fit is an [`Overflow`], which every
//! caller turns into "unknown". `i64::MIN` counts as not fitting, so that a row can always be
//! negated.

/// A constraint row: `row[..n]` are coefficients, `row[n]` is the constant.
pub(crate) type Row = Vec<i64>;

/// A number left the range that rows can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Overflow;

/// Narrows one number to a row entry.
pub(crate) fn narrow(value: i128) -> Result<i64, Overflow> {
    match i64::try_from(value) {
        Ok(value) if value != i64::MIN => Ok(value),
        _ => Err(Overflow),
    }
}

/// The greatest common divisor; that of zero and `n` is `n`.
pub(crate) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// [`gcd`] for the wide sums that appear between two rows.
pub(crate) fn wide_gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        if let (Ok(a), Ok(b)) = (u64::try_from(a), u64::try_from(b)) {
            return gcd(a, b).into();
        }
        (a, b) = (b, a % b);
    }
    a
}

/// The greatest common divisor of many numbers; zero if all are zero.
pub(crate) fn gcd_of(numbers: &[i64]) -> u64 {
    let mut all = 0;
    for number in numbers {
        all = gcd(number.unsigned_abs(), all);
        if all == 1 {
            break;
        }
    }
    all
}

/// The quotient rounded towards minus infinity, for a positive divisor.
pub(crate) fn floor_div(a: i128, b: i128) -> i128 {
    debug_assert!(b > 0);
    a.div_euclid(b)
}

/// The quotient rounded towards plus infinity, for a positive divisor.
pub(crate) fn ceil_div(a: i128, b: i128) -> i128 {
    debug_assert!(b > 0);
    let quotient = a.div_euclid(b);
    quotient + i128::from(a.rem_euclid(b) != 0)
}

/// The row's coefficients, without its constant.
pub(crate) fn coefficients(row: &[i64]) -> &[i64] {
    &row[..row.len() - 1]
}

/// The row's constant.
pub(crate) fn constant(row: &[i64]) -> i64 {
    row[row.len() - 1]
}

/// `a·x + b·y`, divided by the common divisor of its entries.
///
/// Only a positive factor is ever divided out, so the sign of the row, and with it
/// the meaning of an inequality, is kept.
pub(crate) fn combine(a: i64, x: &[i64], b: i64, y: &[i64]) -> Result<Row, Overflow> {
    combine_with_offset(a, x, b, y, 0)
}

/// `a·x + b·y + offset`, reduced as [`combine`] does.
pub(crate) fn combine_with_offset(
    a: i64,
    x: &[i64],
    b: i64,
    y: &[i64],
    offset: i128,
) -> Result<Row, Overflow> {
    let (a, b) = (i128::from(a), i128::from(b));
    let last = x.len() - 1;
    // A product of two 64-bit numbers other than the minimum stays below 2^126,
    // so a sum of two of them cannot overflow; the offset still can.
    let entry = |j: usize| a * i128::from(x[j]) + b * i128::from(y[j]);
    let constant = entry(last).checked_add(offset).ok_or(Overflow)?;
    let mut row = Vec::with_capacity(x.len());
    for j in 0..last {
        match narrow(entry(j)) {
            Ok(value) => row.push(value),
            Err(Overflow) => return combine_wide((0..last).map(entry).collect(), constant),
        }
    }
    match narrow(constant) {
        Ok(value) => row.push(value),
        Err(Overflow) => return combine_wide((0..last).map(entry).collect(), constant),
    }
    Ok(row)
}

/// Narrows a wide row by dividing out the common divisor of all its entries.
fn combine_wide(mut row: Vec<i128>, constant: i128) -> Result<Row, Overflow> {
    row.push(constant);
    let common = row
        .iter()
        .fold(0, |all, entry| wide_gcd(all, entry.unsigned_abs()));
    let common = i128::try_from(common).map_err(|_| Overflow)?.max(1);
    row.into_iter()
        .map(|entry| narrow(entry / common))
        .collect()
}

/// The row with every sign turned.
pub(crate) fn negated(row: &[i64]) -> Row {
    row.iter().map(|entry| -entry).collect()
}

/// The negation of `row >= 0` over the integers: `-row - 1 >= 0`.
pub(crate) fn complement(row: &[i64]) -> Result<Row, Overflow> {
    let mut row = negated(row);
    if let Some(constant) = row.last_mut() {
        *constant = narrow(i128::from(*constant) - 1)?;
    }
    Ok(row)
}

/// The value of the row at a point.
pub(crate) fn value_at(row: &[i64], point: &[i64]) -> Result<i128, Overflow> {
    let mut sum = i128::from(constant(row));
    for (&coefficient, &value) in coefficients(row).iter().zip(point) {
        sum = sum
            .checked_add(i128::from(coefficient) * i128::from(value))
            .ok_or(Overflow)?;
    }
    Ok(sum)
}

/// Verdict of normalising a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The row is a tautology and can go.
    Always,
    /// The row is a contradiction: the system is empty.
    Never,
    /// The row constrains the variables.
    Depends,
}

/// Divides an inequality by the divisor `g` common to its coefficients, and rounds
/// the constant down: `g·e + c >= 0` is `e >= -c/g`, hence `e + floor(c/g) >= 0`
/// at integers. No integer point is lost; some rational ones are, which is the gain.
pub(crate) fn normalise_inequality(row: &mut [i64]) -> Verdict {
    let common = gcd_of(coefficients(row));
    let last = row.len() - 1;
    if common == 0 {
        return if row[last] >= 0 {
            Verdict::Always
        } else {
            Verdict::Never
        };
    }
    if common > 1 {
        // A row entry is never `i64::MIN`, so the divisor of its coefficients fits.
        let common = common as i64;
        row[..last].iter_mut().for_each(|entry| *entry /= common);
        row[last] = row[last].div_euclid(common);
    }
    Verdict::Depends
}

/// Divides an equality by the divisor common to its coefficients. An equality
/// whose constant that does not divide has no integer solution (the GCD test).
pub(crate) fn normalise_equality(row: &mut [i64]) -> Verdict {
    let common = gcd_of(coefficients(row));
    let last = row.len() - 1;
    if common == 0 {
        return if row[last] == 0 {
            Verdict::Always
        } else {
            Verdict::Never
        };
    }
    let common = common as i64;
    if row[last] % common != 0 {
        return Verdict::Never;
    }
    if common > 1 {
        row.iter_mut().for_each(|entry| *entry /= common);
    }
    Verdict::Depends
}

/// Normalises rows by one of the functions above and drops tautologies. Returns `false` if a row is a
/// contradiction.
pub(crate) fn normalise_all(rows: &mut Vec<Row>, normalise: fn(&mut [i64]) -> Verdict) -> bool {
    let mut is_possible = true;
    rows.retain_mut(|row| {
        let verdict = normalise(row);
        is_possible &= verdict != Verdict::Never;
        verdict == Verdict::Depends
    });
    is_possible
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inequality_is_tightened_to_the_integers() {
        let mut row = vec![2, -4, 3];
        assert_eq!(normalise_inequality(&mut row), Verdict::Depends);
        assert_eq!(row, [1, -2, 1]);
        let mut row = vec![3, -1];
        normalise_inequality(&mut row);
        assert_eq!(row, [1, -1], "3x >= 1 means x >= 1");
    }

    #[test]
    fn an_equality_without_integer_solution_is_found_by_the_gcd() {
        assert_eq!(normalise_equality(&mut [2, 4, 1]), Verdict::Never);
        assert_eq!(normalise_equality(&mut [2, 4, 6]), Verdict::Depends);
        assert_eq!(normalise_equality(&mut [0, 0, 0]), Verdict::Always);
    }

    #[test]
    fn wide_sums_are_reduced_before_they_count_as_overflow() {
        let big = i64::MAX;
        assert_eq!(combine(big, &[2, 4], big, &[1, 5]), Ok(vec![1, 3]));
        assert_eq!(combine(big, &[2, 4], 1, &[1, 0]), Err(Overflow));
    }

    #[test]
    fn divisions_round_as_their_names_say() {
        assert_eq!((floor_div(-7, 2), ceil_div(-7, 2)), (-4, -3));
        assert_eq!((floor_div(7, 2), ceil_div(7, 2)), (3, 4));
        assert_eq!((floor_div(6, 2), ceil_div(6, 2)), (3, 3));
    }
}
