//! Random sets: unions of polyhedra with quotients and projected variables.

use gridloom_presburger::{Affine, IntegerPolyhedron, Set, Space};

use crate::random::Random;

/// Common shape of one case's sets.
pub(super) struct Shape {
    pub(super) dims: usize,
    symbols: usize,
    /// The largest coefficient.
    size: i64,
    /// Whether each set lies in a small box.
    bounded: bool,
}

impl Shape {
    pub(super) fn draw(random: &mut Random) -> Self {
        Shape {
            dims: *random.pick(&[1, 2, 2, 2, 3]),
            symbols: *random.pick(&[0, 0, 1, 1, 2]),
            size: *random.pick(&[1, 2, 3, 5]),
            bounded: random.chance(60),
        }
    }

    /// A union of up to three polyhedra.
    pub(super) fn set(&self, random: &mut Random) -> Set {
        let mut set = Set::from(self.polyhedron(random));
        for _ in 0..*random.pick(&[0, 0, 0, 1, 1, 2]) {
            set.add(self.polyhedron(random));
        }
        set
    }

    fn polyhedron(&self, random: &mut Random) -> IntegerPolyhedron {
        let projected = *random.pick(&[0, 0, 0, 1]);
        let dims = self.dims + projected;
        let mut set = IntegerPolyhedron::universe(Space::new(dims, self.symbols));
        let outer = dims + self.symbols;
        if self.bounded {
            for column in 0..outer {
                let low = Affine::constant(random.between(-8, 0));
                let high = Affine::constant(random.between(1, 9));
                added(set.add_half_open(&low, &Affine::var(column), &high));
            }
        }
        for _ in 0..*random.pick(&[0, 0, 1, 1, 2]) {
            let mut form = self.form(random, set.space().vars());
            form = added(form.plus(&Affine::var(random.below(outer))));
            let divisor = random.between(2, 6);
            added(set.floordiv(&form, divisor));
        }
        for _ in 0..random.between(0, 4) {
            let form = self.form(random, set.space().vars());
            match random.chance(20) {
                true => added(set.add_equality(&form)),
                false => added(set.add_inequality(&form)),
            }
        }
        set.project_out_dims(self.dims..dims)
    }

    fn form(&self, random: &mut Random, width: usize) -> Affine {
        let coefficients = (0..width).map(|_| match random.chance(40) {
            true => 0,
            false => random.between(-self.size, self.size),
        });
        let coefficients = coefficients.collect();
        Affine::from_parts(coefficients, random.between(-3 * self.size, 3 * self.size))
    }
}

/// Unwraps a result that was built of small numbers.
fn added<T>(result: Result<T, gridloom_presburger::Error>) -> T {
    // Coefficients have one digit, and a form is used once.
    result.expect("small numbers do not overflow")
}
