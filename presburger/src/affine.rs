//! Affine forms: a linear combination of variables plus a constant.

use crate::error::Error;

/// `Σ coefficient·variable + constant`, over the columns of some [`Space`](crate::Space).
///
/// The constant is kept apart from the coefficients, and coefficients not given
/// are zero. A form therefore stays valid when its polyhedron gains locals, which
/// happens whenever a `floordiv` or `mod` is added halfway through an expression.
///
/// ```
/// use gridloom_presburger::Affine;
///
/// let form = Affine::var(0).scaled(2)?.plus(&Affine::constant(-3))?; // 2*d0 - 3
/// assert_eq!(form.coefficient(0), 2);
/// assert_eq!(form.coefficient(7), 0);
/// # Ok::<(), gridloom_presburger::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Affine {
    /// Never ends in a zero, so that equal forms compare equal.
    coefficients: Vec<i64>,
    constant: i64,
}

impl Affine {
    /// The form `value`.
    pub fn constant(value: i64) -> Self {
        Self {
            coefficients: Vec::new(),
            constant: value,
        }
    }

    /// The form that is the variable in a column.
    pub fn var(column: usize) -> Self {
        Self::term(column, 1)
    }

    /// The form `coefficient · variable in column`.
    pub fn term(column: usize, coefficient: i64) -> Self {
        let mut coefficients = vec![0; column + 1];
        coefficients[column] = coefficient;
        Self::from_parts(coefficients, 0)
    }

    /// The form with these coefficients, column by column, and this constant.
    pub fn from_parts(mut coefficients: Vec<i64>, constant: i64) -> Self {
        let used = coefficients
            .iter()
            .rposition(|&c| c != 0)
            .map_or(0, |last| last + 1);
        coefficients.truncate(used);
        Self {
            coefficients,
            constant,
        }
    }

    /// The form a constraint row spells: its last entry is the constant.
    pub fn from_row(row: &[i64]) -> Self {
        match row.split_last() {
            Some((&constant, coefficients)) => Self::from_parts(coefficients.to_vec(), constant),
            None => Self::default(),
        }
    }

    /// The row of `columns` entries that spells this form.
    ///
    /// # Panics
    /// If the form uses a variable that the row has no column for.
    pub fn to_row(&self, columns: usize) -> Vec<i64> {
        assert!(
            self.coefficients.len() < columns,
            "the form uses column {}, which a row of {columns} does not have",
            self.coefficients.len().saturating_sub(1)
        );
        let mut row = self.coefficients.clone();
        row.resize(columns, 0);
        row[columns - 1] = self.constant;
        row
    }

    /// The coefficient of the variable in a column.
    pub fn coefficient(&self, column: usize) -> i64 {
        self.coefficients.get(column).copied().unwrap_or(0)
    }

    /// The coefficients up to the last that is not zero.
    pub fn coefficients(&self) -> &[i64] {
        &self.coefficients
    }

    /// The constant.
    pub fn constant_term(&self) -> i64 {
        self.constant
    }

    /// The value, if no variable occurs.
    pub fn as_constant(&self) -> Option<i64> {
        self.coefficients.is_empty().then_some(self.constant)
    }

    /// `self + other`.
    ///
    /// # Errors
    /// [`Error::Overflow`].
    pub fn plus(&self, other: &Self) -> Result<Self, Error> {
        self.combine(1, other, 1)
    }

    /// `self - other`.
    ///
    /// # Errors
    /// [`Error::Overflow`].
    pub fn minus(&self, other: &Self) -> Result<Self, Error> {
        self.combine(1, other, -1)
    }

    /// `factor · self`.
    ///
    /// # Errors
    /// [`Error::Overflow`].
    pub fn scaled(&self, factor: i64) -> Result<Self, Error> {
        self.combine(factor, &Self::default(), 0)
    }

    /// `self + value`.
    ///
    /// # Errors
    /// [`Error::Overflow`].
    pub fn offset(&self, value: i64) -> Result<Self, Error> {
        self.plus(&Self::constant(value))
    }

    /// `a·self + b·other`.
    fn combine(&self, a: i64, other: &Self, b: i64) -> Result<Self, Error> {
        let entry = |x: i64, y: i64| -> Result<i64, Error> {
            i128::from(a)
                .checked_mul(x.into())
                .zip(i128::from(b).checked_mul(y.into()))
                .and_then(|(x, y)| x.checked_add(y))
                .and_then(|sum| i64::try_from(sum).ok())
                .ok_or(Error::Overflow)
        };
        let width = self.coefficients.len().max(other.coefficients.len());
        let coefficients = (0..width)
            .map(|column| entry(self.coefficient(column), other.coefficient(column)))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self::from_parts(
            coefficients,
            entry(self.constant, other.constant)?,
        ))
    }

    /// The value at a point given column by column.
    ///
    /// # Errors
    /// [`Error::Overflow`].
    ///
    /// # Panics
    /// If the form uses a column that the point does not give.
    pub fn value_at(&self, point: &[i64]) -> Result<i64, Error> {
        let row = self.to_row(point.len() + 1);
        crate::row::value_at(&row, point)
            .and_then(|value| i64::try_from(value).map_err(|_| crate::row::Overflow))
            .map_err(|_| Error::Overflow)
    }
}
