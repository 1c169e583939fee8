//! Independent reference results for the programs in `examples/` and
//! `tests/programs/`.
//!
//! Each reference is written from the formula at the head of the program, in
//! plain loops, and shares nothing with gridloom. Sums are taken in a wider type
//! than the program's wherever rounding matters at all.

pub mod array;
pub mod npy;
pub mod source;

mod control;
mod dense;
mod dependences;
mod indirect;
mod loops;
mod memory;
mod polybench;
mod scalars;
mod stencils;
mod sums;

use array::{Array, Data, Element, Tensor};
use source::Substitution;

/// One program, its arguments and what it must leave behind.
#[derive(Debug)]
pub struct Case {
    /// The path of the program from the root of the repository.
    pub file: String,
    /// The size, for messages: what stands in place of what; empty for the
    /// sizes in the file.
    pub size: String,
    /// The program's text at that size.
    pub source: String,
    /// One argument for each parameter, in order.
    pub args: Vec<Arg>,
    /// What to compare after the run: every array passed in, and every result.
    pub expected: Vec<Expected>,
}

/// An argument of a program's entry function.
#[derive(Debug)]
pub enum Arg {
    /// A scalar, as written on a command line.
    Number(String),
    /// An array, with the values it holds before the run.
    Array(Tensor),
}

/// What one array or result must hold after the run.
#[derive(Debug)]
pub struct Expected {
    /// Where to find it.
    pub place: Place,
    /// Its values.
    pub value: Tensor,
    /// How close they must be.
    pub tolerance: Tolerance,
}

/// Where a program leaves a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the array passed as this argument (counted from 0).
    Argument(usize),
    /// In this result of the function (counted from 0).
    Result(usize),
}

/// How far a value may lie from the expected one.
#[derive(Clone, Debug)]
pub enum Tolerance {
    /// Equal; a NaN equals any NaN, and 0 equals -0.
    Exact,
    /// At most `absolute + relative * |expected|` away, NaN only where NaN is expected.
    Close {
        /// The part that does not depend on the value.
        absolute: f64,
        /// The part in proportion to the value.
        relative: f64,
    },
}

impl Case {
    /// A case of the program in `file` with these numbers of its text replaced,
    /// as yet without arguments.
    fn new(file: String, substitutions: &[Substitution]) -> Self {
        let size = substitutions
            .iter()
            .map(|(old, new)| format!("{old}→{new}"))
            .collect::<Vec<_>>()
            .join(" ");
        Self {
            source: source::source(&file, substitutions),
            file,
            size,
            args: Vec::new(),
            expected: Vec::new(),
        }
    }

    /// A case of an example.
    fn example(name: &str, substitutions: &[Substitution]) -> Self {
        Self::new(format!("examples/{name}.mlir"), substitutions)
    }

    /// A case of a test program, as it stands in its file.
    fn program(name: &str) -> Self {
        Self::new(format!("tests/programs/{name}.mlir"), &[])
    }

    /// Adds a scalar argument.
    fn number(mut self, value: impl ToString) -> Self {
        self.args.push(Arg::Number(value.to_string()));
        self
    }

    /// Adds an array that the program must leave as it is.
    fn input<T: Element, const R: usize>(self, array: &Array<T, R>) -> Self {
        self.output(array, array)
    }

    /// Adds an array, with its values before and after.
    fn output<T: Element, const R: usize>(self, before: &Array<T, R>, after: &Array<T, R>) -> Self {
        self.output_within(before, after, Tolerance::Exact)
    }

    /// Adds an array, with its values before and after, the latter not exact.
    fn output_within<T: Element, const R: usize>(
        mut self,
        before: &Array<T, R>,
        after: &Array<T, R>,
        tolerance: Tolerance,
    ) -> Self {
        let place = Place::Argument(self.args.len());
        self.args.push(Arg::Array(before.into()));
        self.expected.push(Expected {
            place,
            value: after.into(),
            tolerance,
        });
        self
    }

    /// Adds a result of the function.
    fn result<T: Element, const R: usize>(mut self, value: &Array<T, R>) -> Self {
        let results = self
            .expected
            .iter()
            .filter(|e| matches!(e.place, Place::Result(_)))
            .count();
        let place = Place::Result(results);
        self.expected.push(Expected {
            place,
            value: value.into(),
            tolerance: Tolerance::Exact,
        });
        self
    }
}

impl Expected {
    /// Says where `actual` first differs from what is expected.
    pub fn compare(&self, actual: &Tensor) -> Result<(), String> {
        if actual.shape != self.value.shape {
            return Err(format!(
                "the shape is {:?}, expected {:?}",
                actual.shape, self.value.shape
            ));
        }
        match (&self.value.data, &actual.data) {
            (Data::Bool(want), Data::Bool(got)) => {
                self.first_difference(want, got, |x| f64::from(u8::from(x)))
            }
            (Data::I8(want), Data::I8(got)) => self.first_difference(want, got, f64::from),
            (Data::I16(want), Data::I16(got)) => self.first_difference(want, got, f64::from),
            (Data::I32(want), Data::I32(got)) => self.first_difference(want, got, f64::from),
            (Data::I64(want), Data::I64(got)) => self.first_difference(want, got, |x| x as f64),
            (Data::F32(want), Data::F32(got)) => self.first_difference(want, got, f64::from),
            (Data::F64(want), Data::F64(got)) => self.first_difference(want, got, |x| x),
            (want, got) => Err(format!(
                "the element type differs: {want:?} against {got:?}"
            )),
        }
    }

    fn first_difference<T: Copy + PartialEq + std::fmt::Debug>(
        &self,
        want: &[T],
        got: &[T],
        widen: impl Fn(T) -> f64,
    ) -> Result<(), String> {
        for (k, (&want, &got)) in want.iter().zip(got).enumerate() {
            let (w, g) = (widen(want), widen(got));
            // Equality is that of the type itself: 64-bit integers do not fit f64.
            let equal = want == got || (w.is_nan() && g.is_nan());
            let right = match &self.tolerance {
                Tolerance::Exact => equal,
                Tolerance::Close { absolute, relative } => {
                    equal || (w - g).abs() <= absolute + relative * w.abs()
                }
            };
            if !right {
                let index = unravel(k, &self.value.shape);
                return Err(format!(
                    "element {index:?} is {got:?}, expected {want:?} ({})",
                    self.tolerance.name()
                ));
            }
        }
        Ok(())
    }
}

impl Tolerance {
    fn name(&self) -> String {
        match self {
            Self::Exact => "exactly".into(),
            Self::Close { absolute, relative } => {
                format!("within {absolute:e} + {relative:e} of it")
            }
        }
    }
}

/// The index of the `k`-th element of an array of this shape.
fn unravel(mut k: usize, shape: &[usize]) -> Vec<usize> {
    let mut index = vec![0; shape.len()];
    for (i, &extent) in index.iter_mut().zip(shape).rev() {
        *i = k % extent;
        k /= extent;
    }
    index
}

/// The sizes every example is run at, besides the one in its file.
const SMALL_SIZES: [usize; 6] = [0, 1, 2, 3, 7, 33];

/// Every case of every example.
pub fn examples() -> Vec<Case> {
    [
        dense::examples(),
        stencils::examples(),
        sums::examples(),
        indirect::examples(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Every case of every test program.
pub fn programs() -> Vec<Case> {
    [
        loops::programs(),
        dependences::programs(),
        memory::programs(),
        polybench::programs(),
        control::programs(),
        scalars::programs(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expected(values: &[f32], tolerance: Tolerance) -> Expected {
        let value = Tensor::from(&Array::list(values.to_vec()));
        Expected {
            place: Place::Result(0),
            value,
            tolerance,
        }
    }

    fn compare(expected: &Expected, values: &[f32]) -> Result<(), String> {
        expected.compare(&Tensor::from(&Array::list(values.to_vec())))
    }

    #[test]
    fn a_difference_is_found_and_named() {
        let exact = expected(&[1.0, f32::NAN, 0.0], Tolerance::Exact);
        assert_eq!(compare(&exact, &[1.0, f32::NAN, -0.0]), Ok(()));
        let why = compare(&exact, &[1.0, 2.0, 0.0]).unwrap_err();
        assert!(why.contains("[1]") && why.contains("2.0"), "{why}");
        assert!(compare(&exact, &[f32::NAN, f32::NAN, 0.0]).is_err());
        assert!(
            compare(&exact, &[1.0, f32::NAN])
                .unwrap_err()
                .contains("shape")
        );
        let integers = Tensor::from(&Array::list(vec![1, 2, 3]));
        assert!(exact.compare(&integers).unwrap_err().contains("type"));
    }

    #[test]
    fn closeness_has_two_parts() {
        let close = expected(
            &[0.0, 100.0],
            Tolerance::Close {
                absolute: 0.5,
                relative: 0.01,
            },
        );
        assert_eq!(compare(&close, &[0.5, 101.5]), Ok(()));
        assert!(compare(&close, &[0.6, 100.0]).is_err());
        assert!(compare(&close, &[0.0, 101.6]).is_err());
        assert!(compare(&close, &[f32::NAN, 100.0]).is_err());
    }

    #[test]
    fn places_count_the_last_dimension_fastest() {
        assert_eq!(unravel(23, &[2, 3, 4]), [1, 2, 3]);
        assert_eq!(unravel(5, &[2, 3, 4]), [0, 1, 1]);
    }
}
