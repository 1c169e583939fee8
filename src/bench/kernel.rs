//! Benchmark kernels: the program that is measured, its sizes, and its reference.

use gridloom_interp::ScalarKind;

use super::array::{Array, Elements};
use super::peer::Peer;

/// Kernel of the benchmark.
#[derive(Debug)]
pub struct Kernel {
    /// Name on the command line.
    pub name: &'static str,
    /// Description in one line.
    pub what: &'static str,
    /// The MLIR program; its one public function is the kernel.
    pub program: &'static str,
    /// The initial contents of the arguments, in order.
    pub fills: &'static [Fill],
    /// Substitutions for the small form: numbers that stand for sizes in the program and in
    /// [`Fill::Sized`], each with its small size.
    pub small: &'static [(u32, u32)],
    /// Substitutions for the large form: the same numbers with sizes for discrete GPUs, whose
    /// caches hold the usual arrays.
    pub large: &'static [(u32, u32)],
    /// Sizes of data sets, for programs that have these; the program has the smallest.
    pub extents: &'static [Extent],
    /// Plain Rust on one core that computes the same from the initial arguments. It is written from
    /// the definition of the kernel, not from the program.
    pub reference: fn(&mut [Array]),
    /// The tolerance of comparisons with the reference.
    pub tolerance: Tolerance,
    /// Hand-written kernel for drivers that run kernels on the CPU, if there is one.
    pub peer: Option<Peer>,
    /// Hand-written kernel for GPUs, if there is one.
    pub gpu_peer: Option<Peer>,
}

/// Size parameter of a program: a number in its text, with its value in other data sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// The number in the program text, which is the data set MINI.
    pub number: u32,
    /// The size in the data set of odd sizes.
    pub odd: u32,
    /// The sizes in the data sets SMALL, MEDIUM, LARGE and EXTRALARGE.
    pub sizes: [u32; 4],
    /// Whether the number stands for the size as a float, such as `32.0`, and only there.
    pub is_float: bool,
}

/// Initial contents of an argument.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Fill {
    /// Zeros.
    Zeros,
    /// Pseudo-random floats in [-1, 1).
    Random,
    /// Pseudo-random floats in [-1, 1), with these sizes, which the type leaves open.
    Sized(&'static [u32]),
    /// Pseudo-random integers in [0, n).
    Keys(u32),
    /// A scalar.
    Number(f64),
    /// Diagonally dominant matrix of random floats.
    Dominant,
    /// Small random floats whose sum is below one.
    Faint,
}

/// Tolerance of a comparison with the reference.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tolerance {
    /// Allowed difference of an element, relative to the larger of its magnitude and the root mean
    /// square of its array.
    pub relative: f64,
    /// Share of the elements that may differ by more, where rounding decides a branch.
    pub outliers: f64,
}

impl Tolerance {
    /// Returns a tolerance with every element within `relative`.
    pub const fn relative(relative: f64) -> Self {
        Tolerance {
            relative,
            outliers: 0.0,
        }
    }
}

/// Sizes of kernels. Kernels without data sets have full sizes, small ones for tests, MINI, SMALL and odd, and large ones
/// for discrete GPUs, LARGE and EXTRALARGE.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Size {
    /// Sizes for timing; of data sets MEDIUM.
    #[default]
    Full,
    /// The data set MINI: sizes that the interpreter runs in a moment.
    Mini,
    /// The data set SMALL.
    Small,
    /// Odd sizes between MINI and SMALL, which no vector and no tile divides.
    Odd,
    /// The data set MEDIUM.
    Medium,
    /// The data set LARGE.
    Large,
    /// The data set EXTRALARGE.
    ExtraLarge,
}

impl Size {
    /// All sizes.
    pub const ALL: [Size; 7] = [
        Size::Full,
        Size::Mini,
        Size::Small,
        Size::Odd,
        Size::Medium,
        Size::Large,
        Size::ExtraLarge,
    ];

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Size::Full => "full",
            Size::Mini => "mini",
            Size::Small => "small",
            Size::Odd => "odd",
            Size::Medium => "medium",
            Size::Large => "large",
            Size::ExtraLarge => "extralarge",
        }
    }

    /// Whether the interpreter runs programs of this size fast.
    pub fn is_small(self) -> bool {
        matches!(self, Size::Mini | Size::Small | Size::Odd)
    }
}

/// Float precision of a program with data sets; other programs have a precision of their own.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Precision {
    /// The precision of the program text, `f32`.
    #[default]
    Single,
    /// `f64` in place of `f32`.
    Double,
}

impl Kernel {
    /// Returns the program's text at a size and in a precision.
    pub fn text_in(&self, size: Size, precision: Precision) -> String {
        match precision {
            Precision::Double if self.has_data_sets() => self.text(size).replace("f32", "f64"),
            _ => self.text(size),
        }
    }

    /// Whether the program has data sets, and both precisions.
    pub fn has_data_sets(&self) -> bool {
        !self.extents.is_empty()
    }

    /// Returns the program's text at a size, by substitution of its size numbers. Digits behind a
    /// letter other than the `x` of a shape, or behind `%`, are a part of a name.
    pub fn text(&self, size: Size) -> String {
        let mut out = String::new();
        let mut rest = self.program;
        let mut before = ' ';
        while let Some(first) = rest.chars().next() {
            let is_digit = |c: char| c.is_ascii_digit();
            let length = match is_digit(first) {
                true => rest.find(|c| !is_digit(c)).unwrap_or(rest.len()),
                false => first.len_utf8(),
            };
            let (token, behind) = rest.split_at(length);
            let is_name = before == '%' || before == '.' || before.is_alphabetic() && before != 'x';
            match token.parse() {
                Ok(number) if !is_name => {
                    let scaled = self.number(number, size, behind.starts_with('.'));
                    out += &scaled.to_string();
                }
                _ => out += token,
            }
            before = first;
            rest = behind;
        }
        out
    }

    /// The size that a number in the program stands for.
    pub fn scaled(&self, number: u32, size: Size) -> u32 {
        self.number(number, size, false)
    }

    /// The size that a number stands for, written as a float or as an integer.
    fn number(&self, number: u32, size: Size, is_float: bool) -> u32 {
        if !self.has_data_sets() {
            let others = match size {
                Size::Mini | Size::Small | Size::Odd => self.small,
                Size::Large | Size::ExtraLarge => self.large,
                Size::Full | Size::Medium => &[],
            };
            let other = others.iter().find(|(full, _)| *full == number);
            return other.map_or(number, |&(_, other)| other);
        }
        let mut extents = self.extents.iter();
        let found = extents.find(|e| (e.number, e.is_float) == (number, is_float));
        found.map_or(number, |extent| extent.at(size))
    }
}

impl Extent {
    /// The size in a data set.
    pub fn at(&self, size: Size) -> u32 {
        match size {
            Size::Mini => self.number,
            Size::Odd => self.odd,
            Size::Small => self.sizes[0],
            Size::Full | Size::Medium => self.sizes[1],
            Size::Large => self.sizes[2],
            Size::ExtraLarge => self.sizes[3],
        }
    }
}

impl Fill {
    /// Creates an array of `shape` with these contents; `number` makes the arguments of a kernel
    /// differ.
    pub fn array(self, shape: Vec<usize>, number: u64) -> Array {
        let count = shape.iter().product();
        let mut random = Random(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let elements = match self {
            Fill::Zeros => Elements::F32(vec![0.0; count]),
            Fill::Random | Fill::Sized(_) => {
                // 24 bits, so that every value is exact in `f32`.
                let float = |bits: u64| (bits >> 40) as f32 / 8_388_608.0 - 1.0;
                Elements::F32((0..count).map(|_| float(random.next())).collect())
            }
            Fill::Keys(0) => Elements::I32(vec![0; count]),
            Fill::Keys(n) => {
                let key = |bits: u64| ((bits >> 32) % u64::from(n)) as i32;
                Elements::I32((0..count).map(|_| key(random.next())).collect())
            }
            Fill::Number(value) => Elements::F32(vec![value as f32; count]),
            Fill::Dominant => {
                let mut array = Fill::Random.array(shape.clone(), number);
                let columns = shape.last().copied().unwrap_or(1);
                let diagonal = array.floats_mut().iter_mut().step_by(columns + 1);
                diagonal.for_each(|x| *x = 0.75 * columns as f32 + 1.0);
                array.elements
            }
            Fill::Faint => {
                let mut array = Fill::Random.array(shape.clone(), number);
                let floats = array.floats_mut().iter_mut();
                floats.for_each(|x| *x /= count.max(1) as f32);
                array.elements
            }
        };
        Array { shape, elements }
    }

    /// Creates an array of another element kind; integers are an eighth of the float values,
    /// rounded.
    pub fn array_of(self, kind: ScalarKind, shape: Vec<usize>, number: u64) -> Array {
        let array = self.array(shape, number);
        match (&array.elements, kind) {
            (Elements::F32(_), ScalarKind::F32) | (Elements::I32(_), ScalarKind::Int(32)) => array,
            (elements, _) => {
                let is_float = matches!(elements, Elements::F32(_));
                let numbers = array.numbers();
                let numbers = numbers.iter().map(|&x| match kind {
                    ScalarKind::Int(_) if is_float => (8.0 * x).round(),
                    _ => x,
                });
                let numbers: Vec<f64> = numbers.collect();
                let mut array = Array {
                    elements: Elements::Bits(kind, vec![0; numbers.len()]),
                    shape: array.shape,
                };
                array.set_numbers(&numbers);
                array
            }
        }
    }
}

/// Random number generator: Vigna's xorshift64*.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
}

impl Tolerance {
    /// Describes the first element that is out of tolerance, and how many are.
    pub fn difference(self, got: &Array, want: &Array) -> Option<String> {
        if got.len() != want.len() {
            return Some(format!("{} elements instead of {}", got.len(), want.len()));
        }
        let count = want.len();
        let squares = (0..count).map(|at| want.number(at).powi(2));
        let scale = (squares.sum::<f64>() / count.max(1) as f64).sqrt();
        let is_off = |&at: &usize| {
            let (got, want) = (got.number(at), want.number(at));
            let distance = (got - want).abs();
            distance.is_nan() || distance > self.relative * want.abs().max(scale)
        };
        let mut off = (0..count).filter(is_off);
        let first = off.next()?;
        let others = off.count();
        if (1 + others) as f64 <= self.outliers * count as f64 {
            return None;
        }
        Some(format!(
            "element {first} is {} and should be {} ({} of {count} are off by more than {:e})",
            got.number(first),
            want.number(first),
            1 + others,
            self.relative
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(values: &[f32]) -> Array {
        Array {
            shape: vec![values.len()],
            elements: Elements::F32(values.to_vec()),
        }
    }

    #[test]
    fn a_wrong_element_is_found() {
        let want = array(&[1.0, 2.0, 3.0]);
        let within = Tolerance::relative(1e-5);
        assert_eq!(within.difference(&want, &want), None);
        let found = within.difference(&array(&[1.0, 2.5, 3.0]), &want);
        assert!(found.is_some_and(|found| found.starts_with("element 1 is 2.5 and should be 2 ")));
        assert!(
            within
                .difference(&array(&[1.0, f32::NAN, 3.0]), &want)
                .is_some()
        );
        assert!(within.difference(&array(&[1.0, 2.0]), &want).is_some());
    }

    #[test]
    fn outliers_are_few() {
        let want = array(&[1.0; 100]);
        let mut got = want.clone();
        let within = Tolerance {
            relative: 1e-5,
            outliers: 0.02,
        };
        got.floats_mut()[..2].fill(7.0);
        assert_eq!(within.difference(&got, &want), None);
        got.floats_mut()[..3].fill(7.0);
        assert!(within.difference(&got, &want).is_some());
    }
}
