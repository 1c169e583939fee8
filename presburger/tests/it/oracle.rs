//! Random sets with a second meaning: evaluated point by point, without any row.

use gridloom_presburger::{Affine, Answer, IntegerPolyhedron, Space};

/// A small deterministic generator (SplitMix64), so that a failure repeats.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + (self.next() % (high - low + 1) as u64) as i64
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: i64) -> bool {
        self.between(1, n) == 1
    }
}

/// A form over the outer variables and the earlier quotients.
#[derive(Clone, Debug)]
pub struct Form {
    pub coefficients: Vec<i64>,
    pub constant: i64,
}

impl Form {
    fn random(random: &mut Random, width: usize, size: i64) -> Self {
        let coefficients = (0..width)
            .map(|_| match random.one_in(3) {
                true => 0,
                false => random.between(-size, size),
            })
            .collect();
        Self {
            coefficients,
            constant: random.between(-3 * size, 3 * size),
        }
    }

    pub fn at(&self, values: &[i64]) -> i64 {
        let terms = self.coefficients.iter().zip(values).map(|(c, v)| c * v);
        terms.sum::<i64>() + self.constant
    }

    pub fn affine(&self) -> Affine {
        Affine::from_parts(self.coefficients.clone(), self.constant)
    }
}

/// Size of a random set: the numbers of its variables and constraints, and their bounds.
#[derive(Clone, Copy)]
pub struct Shape {
    pub dims: usize,
    pub symbols: usize,
    pub quotients: usize,
    pub constraints: usize,
    /// The largest coefficient.
    pub size: i64,
    /// Dims and symbols lie in `-half..=half`, if the box is among the constraints.
    pub half: i64,
    pub boxed: bool,
}

/// A set by its meaning: `quotients[i] = floor(form / divisor)`, constraints over
/// the outer variables and those quotients.
#[derive(Clone, Debug)]
pub struct Meaning {
    pub outer: usize,
    half: i64,
    boxed: bool,
    quotients: Vec<(Form, i64)>,
    equalities: Vec<Form>,
    inequalities: Vec<Form>,
}

/// A random set, as its meaning and as a polyhedron built through the public interface.
pub fn random_set(random: &mut Random, shape: Shape) -> (Meaning, IntegerPolyhedron) {
    let outer = shape.dims + shape.symbols;
    let mut meaning = Meaning {
        outer,
        half: shape.half,
        boxed: shape.boxed,
        quotients: Vec::new(),
        equalities: Vec::new(),
        inequalities: Vec::new(),
    };
    let mut set = IntegerPolyhedron::universe(Space::new(shape.dims, shape.symbols));
    for index in 0..shape.quotients {
        let mut form = Form::random(random, outer + index, shape.size);
        // A constant would make no local, and the columns here count on one.
        form.coefficients[0] = random.between(1, shape.size);
        let divisor = random.between(2, 5);
        let quotient = set.floordiv(&form.affine(), divisor).expect("small");
        assert_eq!(quotient, Affine::var(outer + index));
        meaning.quotients.push((form, divisor));
    }
    for _ in 0..shape.constraints {
        let form = Form::random(random, outer + shape.quotients, shape.size);
        if random.one_in(4) {
            set.add_equality(&form.affine()).expect("small");
            meaning.equalities.push(form);
        } else {
            set.add_inequality(&form.affine()).expect("small");
            meaning.inequalities.push(form);
        }
    }
    if shape.boxed {
        for column in 0..outer {
            let (low, high) = (-shape.half, shape.half + 1);
            set.add_half_open(
                &Affine::constant(low),
                &Affine::var(column),
                &Affine::constant(high),
            )
            .expect("small");
        }
    }
    (meaning, set)
}

impl Meaning {
    /// Whether the set has a point, given as dims then symbols.
    pub fn has(&self, point: &[i64]) -> bool {
        if self.boxed && point.iter().any(|value| value.abs() > self.half) {
            return false;
        }
        let values = self.with_quotients(point);
        self.equalities.iter().all(|form| form.at(&values) == 0)
            && self.inequalities.iter().all(|form| form.at(&values) >= 0)
    }

    /// The point followed by its quotients.
    pub fn with_quotients(&self, point: &[i64]) -> Vec<i64> {
        let mut values = point.to_vec();
        for (form, divisor) in &self.quotients {
            values.push(form.at(&values).div_euclid(*divisor));
        }
        values
    }

    /// All points of the set in its box.
    pub fn points(&self) -> Vec<Vec<i64>> {
        let mut points = grid(self.outer, self.half);
        points.retain(|point| self.has(point));
        points
    }
}

/// All points with coordinates from `-half` to `half`, in lexicographic order.
pub fn grid(width: usize, half: i64) -> Vec<Vec<i64>> {
    (0..width).fold(vec![Vec::new()], |points, _| {
        points
            .iter()
            .flat_map(|point| {
                (-half..=half).map(move |value| [point.as_slice(), &[value]].concat())
            })
            .collect()
    })
}

/// Whether an answer is yes; panics where it is unknown.
pub fn definite(answer: Answer) -> bool {
    assert_ne!(answer, Answer::Unknown);
    answer.is_yes()
}

/// Shapes that together cover all: few and many constraints, small and larger coefficients,
/// symbols, quotients.
pub fn shapes(boxed: bool) -> Vec<Shape> {
    let mut shapes = Vec::new();
    for (dims, symbols, half) in [(1, 0, 12), (2, 0, 8), (1, 1, 8), (3, 0, 5), (2, 1, 5)] {
        for quotients in 0..=2 {
            for (constraints, size) in [(1, 3), (3, 3), (3, 9), (5, 5)] {
                shapes.push(Shape {
                    dims,
                    symbols,
                    quotients,
                    constraints,
                    size,
                    half,
                    boxed,
                });
            }
        }
    }
    shapes
}
