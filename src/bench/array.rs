//! Arrays that kernels are measured on: what goes in, and what references compute.

use gridloom_interp::ScalarKind;
use gridloom_ir::Type;

use crate::HostValue;

/// The elements of an array.
#[derive(Clone, PartialEq, Debug)]
pub enum Elements {
    /// Floats of 32 bits.
    F32(Vec<f32>),
    /// Integers of 32 bits.
    I32(Vec<i32>),
}

/// An argument of a kernel in row-major order.
#[derive(Clone, PartialEq, Debug)]
pub struct Array {
    /// Its extents.
    pub shape: Vec<usize>,
    /// Its elements.
    pub elements: Elements,
}

impl Array {
    /// The elements of an array of floats; none of one that holds integers.
    pub fn floats(&self) -> &[f32] {
        match &self.elements {
            Elements::F32(values) => values,
            Elements::I32(_) => &[],
        }
    }

    /// The same for writing.
    pub fn floats_mut(&mut self) -> &mut [f32] {
        match &mut self.elements {
            Elements::F32(values) => values,
            Elements::I32(_) => &mut [],
        }
    }

    /// The elements of an array of integers; none of one that holds floats.
    pub fn ints(&self) -> &[i32] {
        match &self.elements {
            Elements::I32(values) => values,
            Elements::F32(_) => &[],
        }
    }

    /// The same for writing.
    pub fn ints_mut(&mut self) -> &mut [i32] {
        match &mut self.elements {
            Elements::I32(values) => values,
            Elements::F32(_) => &mut [],
        }
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        match &self.elements {
            Elements::F32(values) => values.len(),
            Elements::I32(values) => values.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Element `at` as a number.
    pub fn number(&self, at: usize) -> f64 {
        match &self.elements {
            Elements::F32(values) => values.get(at).map_or(f64::NAN, |&value| value.into()),
            Elements::I32(values) => values.get(at).map_or(f64::NAN, |&value| value.into()),
        }
    }

    /// The bytes of the elements, as a device has them.
    pub fn bytes(&self) -> Vec<u8> {
        match &self.elements {
            Elements::F32(values) => values.iter().flat_map(|v| v.to_ne_bytes()).collect(),
            Elements::I32(values) => values.iter().flat_map(|v| v.to_ne_bytes()).collect(),
        }
    }

    /// Takes the elements from bytes of a device.
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
        }
    }

    /// The array as an argument of type `ty`.
    pub fn to_value(&self, ty: Type) -> HostValue {
        let kind = match &self.elements {
            Elements::F32(_) => ScalarKind::F32,
            Elements::I32(_) => ScalarKind::Int(32),
        };
        let bits = |at: usize| match &self.elements {
            Elements::F32(values) => u64::from(values[at].to_bits()),
            Elements::I32(values) => u64::from(values[at] as u32),
        };
        let elements = crate::Elements::from_bits(kind, (0..self.len()).map(bits));
        HostValue {
            ty,
            unsigned: false,
            complex: false,
            shape: Some(self.shape.iter().map(|&size| size as i64).collect()),
            elements,
        }
    }

    /// Takes the elements from an argument.
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
        }
    }
}
