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

/// `a·x + b·y`. The products may need more than 64 bits where their sum does not.
fn sum_of_products([a, x]: [i64; 2], [b, y]: [i64; 2]) -> Result<i64, Error> {
    let products = a.checked_mul(x).zip(b.checked_mul(y));
    if let Some(sum) = products.and_then(|(left, right)| left.checked_add(right)) {
        return Ok(sum);
    }
    let [a, x, b, y] = [a, x, b, y].map(i128::from);
    let sum = (a * x).checked_add(b * y);
    sum.and_then(|sum| i64::try_from(sum).ok())
        .ok_or(Error::Overflow)
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

    /// Adds `factor · other` in place.
    ///
    /// # Errors
    /// [`Error::Overflow`]; the form is not meaningful then.
    pub fn add_scaled(&mut self, factor: i64, other: &Self) -> Result<(), Error> {
        let width = self.coefficients.len().max(other.coefficients.len());
        self.coefficients.resize(width, 0);
        for (own, &coefficient) in self.coefficients.iter_mut().zip(&other.coefficients) {
            *own = sum_of_products([1, *own], [factor, coefficient])?;
        }
        self.constant = sum_of_products([1, self.constant], [factor, other.constant])?;
        self.trim();
        Ok(())
    }

    /// Adds `factor · variable in column` in place.
    ///
    /// # Errors
    /// [`Error::Overflow`]; the form is not meaningful then.
    pub fn add_term(&mut self, factor: i64, column: usize) -> Result<(), Error> {
        let width = self.coefficients.len().max(column + 1);
        self.coefficients.resize(width, 0);
        let own = &mut self.coefficients[column];
        *own = own.checked_add(factor).ok_or(Error::Overflow)?;
        self.trim();
        Ok(())
    }

    /// Drops the zeros at the end.
    fn trim(&mut self) {
        while self.coefficients.last() == Some(&0) {
            self.coefficients.pop();
        }
    }

    /// `a·self + b·other`.
    fn combine(&self, a: i64, other: &Self, b: i64) -> Result<Self, Error> {
        let width = self.coefficients.len().max(other.coefficients.len());
        let mut coefficients = Vec::with_capacity(width);
        for column in 0..width {
            let [x, y] = [self, other].map(|form| form.coefficient(column));
            coefficients.push(sum_of_products([a, x], [b, y])?);
        }
        let constant = sum_of_products([a, self.constant], [b, other.constant])?;
        Ok(Self::from_parts(coefficients, constant))
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
