//! Dense arrays: what a case hands to a program and what it expects back.

use std::ops::{Index, IndexMut};

/// A dense array of rank `R`, last index fastest.
#[derive(Clone, Debug)]
pub struct Array<T, const R: usize> {
    shape: [usize; R],
    data: Vec<T>,
}

impl<T: Copy, const R: usize> Array<T, R> {
    /// An array with the same value everywhere.
    pub fn filled(shape: [usize; R], value: T) -> Self {
        Self {
            shape,
            data: vec![value; shape.iter().product()],
        }
    }

    /// An array of what `next` gives, in memory order.
    pub fn generate(shape: [usize; R], next: impl FnMut() -> T) -> Self {
        let count = shape.iter().product();
        Self {
            shape,
            data: std::iter::repeat_with(next).take(count).collect(),
        }
    }

    /// An array of what `change` makes of each element.
    pub fn map<U>(&self, change: impl Fn(T) -> U) -> Array<U, R> {
        Array {
            shape: self.shape,
            data: self.data.iter().map(|&x| change(x)).collect(),
        }
    }

    /// The elements in memory order.
    pub fn elements(&self) -> &[T] {
        &self.data
    }

    fn offset(&self, index: [usize; R]) -> usize {
        index
            .iter()
            .zip(&self.shape)
            .fold(0, |offset, (&i, &extent)| {
                assert!(
                    i < extent,
                    "index {index:?} leaves the shape {:?}",
                    self.shape
                );
                offset * extent + i
            })
    }
}

impl<T: Copy> Array<T, 1> {
    /// A vector of these values.
    pub fn list(data: Vec<T>) -> Self {
        Self {
            shape: [data.len()],
            data,
        }
    }
}

impl<T: Copy, const R: usize> Index<[usize; R]> for Array<T, R> {
    type Output = T;

    fn index(&self, index: [usize; R]) -> &T {
        &self.data[self.offset(index)]
    }
}

impl<T: Copy, const R: usize> IndexMut<[usize; R]> for Array<T, R> {
    fn index_mut(&mut self, index: [usize; R]) -> &mut T {
        let offset = self.offset(index);
        &mut self.data[offset]
    }
}

/// An array of any element type and rank.
#[derive(Clone, Debug)]
pub struct Tensor {
    /// The extent of each dimension, outermost first.
    pub shape: Vec<usize>,
    /// The elements, last index fastest.
    pub data: Data,
}

/// The elements of a [`Tensor`]; `index` travels as `I64`.
#[derive(Clone, Debug)]
pub enum Data {
    Bool(Vec<bool>),
    I8(Vec<i8>),
    I16(Vec<i16>),
    I32(Vec<i32>),
    I64(Vec<i64>),
    F32(Vec<f32>),
    F64(Vec<f64>),
}

/// A type that a [`Tensor`] can hold.
pub trait Element: Copy {
    /// Wraps elements of this type.
    fn wrap(data: Vec<Self>) -> Data;
}

macro_rules! element {
    ($($rust:ty => $variant:ident),*) => {
        $(impl Element for $rust {
            fn wrap(data: Vec<Self>) -> Data {
                Data::$variant(data)
            }
        })*
    };
}

element!(bool => Bool, i8 => I8, i16 => I16, i32 => I32, i64 => I64, f32 => F32, f64 => F64);

impl<T: Element, const R: usize> From<&Array<T, R>> for Tensor {
    fn from(array: &Array<T, R>) -> Self {
        Self {
            shape: array.shape.to_vec(),
            data: T::wrap(array.data.clone()),
        }
    }
}

/// Input values that are the same on every machine and in every run
/// (Knuth's 64-bit linear congruential generator, high bits used).
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    /// A sequence of its own for each seed.
    pub fn new(seed: u64) -> Self {
        let mut random = Self(seed);
        random.bits();
        random
    }

    /// 32 random bits.
    pub fn bits(&mut self) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 32) as u32
    }

    /// A number in `low..high`.
    pub fn within(&mut self, low: i32, high: i32) -> i32 {
        let span = i64::from(high) - i64::from(low);
        (i64::from(low) + i64::from(self.bits()) % span) as i32
    }

    /// A multiple of 1/64 from -1 to 1.
    ///
    /// Sums of up to some thousand products of two such numbers are exact in
    /// `f32`, so whatever the order of the additions, and contracted or not,
    /// there is only one right answer and no tolerance is needed.
    pub fn coarse(&mut self) -> f32 {
        self.within(-64, 65) as f32 / 64.0
    }

    /// A float from -1 to 1 that uses all bits of its mantissa.
    pub fn fine(&mut self) -> f32 {
        (f64::from(self.bits()) / f64::from(u32::MAX) * 2.0 - 1.0) as f32
    }

    /// An array of multiples of 1/64 from -1 to 1.
    pub fn coarse_array<const R: usize>(&mut self, shape: [usize; R]) -> Array<f32, R> {
        Array::generate(shape, || self.coarse())
    }

    /// An array of floats from -1 to 1 with all bits used.
    pub fn fine_array<const R: usize>(&mut self, shape: [usize; R]) -> Array<f32, R> {
        Array::generate(shape, || self.fine())
    }

    /// An array of numbers in `low..high`.
    pub fn int_array<const R: usize>(
        &mut self,
        shape: [usize; R],
        low: i32,
        high: i32,
    ) -> Array<i32, R> {
        Array::generate(shape, || self.within(low, high))
    }
}
