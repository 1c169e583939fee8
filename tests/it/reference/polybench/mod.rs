//! References of the PolyBench kernels in `benches/programs/polybench/`, written
//! from what each kernel computes, in `f64`.
//!
//! A program rounds to `f32` after each operation and in an order of its own, so
//! results are compared within a tolerance; inputs keep the kernels well
//! conditioned, so that the tolerance stays small. What it cannot see are
//! differences in the last bits: those, the strict runs compare with the
//! interpreter.

mod algebra;
mod solvers;
mod stencils;

use super::array::{Array, Random};
use super::source::Substitution;
use super::{Case, Tolerance};

/// Every case of every kernel.
pub fn programs() -> Vec<Case> {
    [
        algebra::programs(),
        solvers::programs(),
        stencils::programs(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// A case of a kernel at a size.
fn kernel(name: &str, substitutions: &[Substitution]) -> Case {
    let file = format!("benches/programs/polybench/{name}.mlir");
    Case::new(file, substitutions)
}

/// How far a result may lie from that of infinite precision: sums have up to a
/// hundred terms of about 1.
const CLOSE: Tolerance = Tolerance::Close {
    absolute: 2e-5,
    relative: 2e-4,
};

/// What is put in place of what, where these differ.
fn resized(pairs: &[(usize, usize)]) -> Vec<Substitution> {
    let changed = pairs.iter().filter(|(old, new)| old != new);
    changed
        .map(|&(old, new)| (old as i64, new as i64))
        .collect()
}

type Vector = Array<f64, 1>;
type Matrix = Array<f64, 2>;

/// An array of `f32` values, ready to compute with.
fn random<const R: usize>(random: &mut Random, shape: [usize; R]) -> Array<f64, R> {
    random.fine_array(shape).map(f64::from)
}

impl Case {
    /// Adds an array, before and after.
    fn changed<const R: usize>(self, before: &Array<f64, R>, after: &Array<f64, R>) -> Self {
        let narrow = |array: &Array<f64, R>| array.map(|x| x as f32);
        self.output_within(&narrow(before), &narrow(after), CLOSE)
    }

    /// Adds an array that stays as it is.
    fn kept<const R: usize>(self, array: &Array<f64, R>) -> Self {
        self.input(&array.map(|x| x as f32))
    }
}
