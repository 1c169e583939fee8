//! Benchmark arrays: arguments of kernels, and results of references.

use gridloom_interp::ScalarKind;
use gridloom_interp::scalar::sext;
use gridloom_ir::Type;

use crate::HostValue;

/// The elements of an array.
#[derive(Clone, PartialEq, Debug)]
pub enum Elements {
    /// Floats of 32 bits.
    F32(Vec<f32>),
    /// Integers of 32 bits.
    I32(Vec<i32>),
    /// Bits of elements of another kind.
    Bits(ScalarKind, Vec<u64>),
}

/// An argument of a kernel in row-major order.
#[derive(Clone, PartialEq, Debug)]
pub struct Array {
    /// Extents along each dimension.
    pub shape: Vec<usize>,
    /// Elements in row-major order.
    pub elements: Elements,
}

impl Array {
    /// The elements of a float array; empty for an integer array.
    pub fn floats(&self) -> &[f32] {
        match &self.elements {
            Elements::F32(values) => values,
            _ => &[],
        }
    }

    /// Returns the elements of an array of floats for writing.
    pub fn floats_mut(&mut self) -> &mut [f32] {
        match &mut self.elements {
            Elements::F32(values) => values,
            _ => &mut [],
        }
    }

    /// The elements of an integer array; empty for a float array.
    pub fn ints(&self) -> &[i32] {
        match &self.elements {
            Elements::I32(values) => values,
            _ => &[],
        }
    }

    /// Returns the elements of an array of integers for writing.
    pub fn ints_mut(&mut self) -> &mut [i32] {
        match &mut self.elements {
            Elements::I32(values) => values,
            _ => &mut [],
        }
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        match &self.elements {
            Elements::F32(values) => values.len(),
            Elements::I32(values) => values.len(),
            Elements::Bits(_, values) => values.len(),
        }
    }

    /// Whether the array has no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Element `at` as a number.
    pub fn number(&self, at: usize) -> f64 {
        match &self.elements {
            Elements::F32(values) => values.get(at).map_or(f64::NAN, |&value| value.into()),
            Elements::I32(values) => values.get(at).map_or(f64::NAN, |&value| value.into()),
            Elements::Bits(kind, values) => values
                .get(at)
                .map_or(f64::NAN, |&bits| number_of(*kind, bits)),
        }
    }

    /// All elements as numbers.
    pub fn numbers(&self) -> Vec<f64> {
        (0..self.len()).map(|at| self.number(at)).collect()
    }

    /// Sets the elements to numbers, rounded to the element type.
    pub fn set_numbers(&mut self, numbers: &[f64]) {
        match &mut self.elements {
            Elements::F32(values) => *values = numbers.iter().map(|&x| x as f32).collect(),
            Elements::I32(values) => *values = numbers.iter().map(|&x| x as i32).collect(),
            Elements::Bits(kind, values) => {
                let bits = |&x: &f64| match *kind {
                    ScalarKind::Int(width) => (x as i64 as u64) & mask(width),
                    kind => kind.from_f64(x),
                };
                *values = numbers.iter().map(bits).collect();
            }
        }
    }

    /// The elements as bytes in device format.
    pub fn bytes(&self) -> Vec<u8> {
        match &self.elements {
            Elements::F32(values) => values.iter().flat_map(|v| v.to_ne_bytes()).collect(),
            Elements::I32(values) => values.iter().flat_map(|v| v.to_ne_bytes()).collect(),
            Elements::Bits(kind, values) => {
                let bits = crate::Elements::from_bits(*kind, values.iter().copied());
                bits.bytes().to_vec()
            }
        }
    }

    /// Sets the elements from bytes in device format.
    pub fn set_bytes(&mut self, bytes: &[u8]) {
        let (words, _) = bytes.as_chunks::<4>();
        match &mut self.elements {
            Elements::F32(values) => {
                for (value, word) in values.iter_mut().zip(words) {
                    *value = f32::from_ne_bytes(*word);
                }
            }
            Elements::I32(values) => {
                for (value, word) in values.iter_mut().zip(words) {
                    *value = i32::from_ne_bytes(*word);
                }
            }
            Elements::Bits(kind, values) => {
                if let Some(elements) = crate::Elements::from_bytes(*kind, bytes.to_vec()) {
                    *values = elements.iter().collect();
                }
            }
        }
    }

    /// The array as an argument of type `ty`.
    pub fn to_value(&self, ty: Type) -> HostValue {
        let kind = match &self.elements {
            Elements::F32(_) => ScalarKind::F32,
            Elements::I32(_) => ScalarKind::Int(32),
            Elements::Bits(kind, _) => *kind,
        };
        let bits = |at: usize| match &self.elements {
            Elements::F32(values) => u64::from(values[at].to_bits()),
            Elements::I32(values) => u64::from(values[at] as u32),
            Elements::Bits(_, values) => values[at],
        };
        let elements = crate::Elements::from_bits(kind, (0..self.len()).map(bits));
        HostValue {
            ty,
            unsigned: false,
            complex: false,
            // An array without dimensions is a scalar.
            shape: (!self.shape.is_empty())
                .then(|| self.shape.iter().map(|&size| size as i64).collect()),
            elements,
        }
    }

    /// Sets the elements to those of an argument.
    pub fn set_value(&mut self, value: &HostValue) {
        match &mut self.elements {
            Elements::F32(values) => {
                *values = value
                    .elements
                    .iter()
                    .map(|bits| f32::from_bits(bits as u32))
                    .collect();
            }
            Elements::I32(values) => {
                *values = value
                    .elements
                    .iter()
                    .map(|bits| bits as u32 as i32)
                    .collect();
            }
            Elements::Bits(_, values) => *values = value.elements.iter().collect(),
        }
    }
}

/// Mask of the bits of an integer.
fn mask(width: u8) -> u64 {
    match width {
        64.. => u64::MAX,
        _ => (1 << width) - 1,
    }
}

fn number_of(kind: ScalarKind, bits: u64) -> f64 {
    match kind {
        ScalarKind::Int(width) => sext(bits, width) as f64,
        kind => kind.to_f64(bits),
    }
}
