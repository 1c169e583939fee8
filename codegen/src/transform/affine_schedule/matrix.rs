//! Unimodular matrices: integer matrices whose inverse is one of integers.

/// Adjugate inverse by Gauss–Jordan elimination over fractions kept as integers
/// (E. H. Bareiss, "Sylvester's identity and multistep integer-preserving Gaussian
/// elimination", 1968). `None` where the rows are no unimodular matrix, or an
/// entry on the way leaves 128 bits.
pub(super) fn unimodular_inverse(rows: &[&[i64]]) -> Option<Vec<Vec<i64>>> {
    let n = rows.len();
    if rows.iter().any(|row| row.len() != n) {
        return None;
    }
    // The matrix, augmented by the identity.
    let wide = |(k, row): (usize, &&[i64])| -> Vec<i128> {
        let unit = (0..n).map(|column| i128::from(column == k));
        row.iter().map(|&entry| entry.into()).chain(unit).collect()
    };
    let mut work: Vec<Vec<i128>> = rows.iter().enumerate().map(wide).collect();
    let mut previous = 1i128;
    for k in 0..n {
        let pivot_row = (k..n).find(|&row| work[row][k] != 0)?;
        work.swap(k, pivot_row);
        let pivot = work[k].clone();
        for (number, row) in work.iter_mut().enumerate() {
            if number == k {
                continue;
            }
            let factor = row[k];
            for (entry, &above) in row.iter_mut().zip(&pivot) {
                let product = entry.checked_mul(pivot[k])?;
                let sum = product.checked_sub(factor.checked_mul(above)?)?;
                // By Sylvester's identity the division is exact.
                *entry = sum / previous;
            }
        }
        previous = pivot[k];
    }
    // Each row is now the inverse's row times its diagonal entry, which is the determinant.
    if previous.abs() != 1 {
        return None;
    }
    let narrow = |row: &Vec<i128>| -> Option<Vec<i64>> {
        let entries = row[n..].iter();
        entries
            .map(|entry| i64::try_from(entry * previous).ok())
            .collect()
    };
    work.iter().map(narrow).collect()
}

/// The product of two square matrices; `None` where an entry leaves 64 bits.
pub(super) fn product(left: &[Vec<i64>], right: &[Vec<i64>]) -> Option<Vec<Vec<i64>>> {
    if left.len() != right.len() {
        return None;
    }
    let entry = |row: &[i64], column: usize| -> Option<i64> {
        let mut terms = row.iter().zip(right);
        let sum = terms.try_fold(0i128, |sum, (&x, other)| {
            sum.checked_add(i128::from(x) * i128::from(other[column]))
        });
        i64::try_from(sum?).ok()
    };
    let rows = left.iter();
    rows.map(|row| (0..right.len()).map(|column| entry(row, column)).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inverse(rows: &[&[i64]]) -> Option<Vec<Vec<i64>>> {
        unimodular_inverse(rows)
    }

    #[test]
    fn products_with_inverses_are_the_identity() {
        let matrices: [&[&[i64]]; 5] = [
            &[&[1]],
            &[&[-1]],
            &[&[0, 1], &[1, 0]],
            &[&[2, 1], &[1, 0]],
            &[&[4, 2, 1], &[1, 0, 0], &[0, 1, 0]],
        ];
        for rows in matrices {
            let inverse = inverse(rows).expect("a unimodular matrix");
            for (i, row) in rows.iter().enumerate() {
                for j in 0..rows.len() {
                    let column = inverse.iter().map(|row| row[j]);
                    let sum: i64 = row.iter().zip(column).map(|(x, y)| x * y).sum();
                    assert_eq!(sum, i64::from(i == j), "{rows:?}");
                }
            }
        }
    }

    #[test]
    fn others_have_no_inverse() {
        assert_eq!(inverse(&[&[2]]), None);
        assert_eq!(inverse(&[&[1, 1], &[1, 1]]), None);
        assert_eq!(inverse(&[&[1, 0], &[0, 2]]), None);
        assert_eq!(inverse(&[&[1, 0]]), None);
        assert_eq!(inverse(&[&[i64::MAX, i64::MAX - 1], &[3, 1]]), None);
    }
}
