//! Grids: double-precision arrays on which references compute.

use std::ops::{Index, IndexMut};

use crate::bench::array::Array;

/// Array in row-major order; a scalar has no dimensions.
#[derive(Clone, PartialEq, Debug)]
pub struct Grid {
    /// Extents along each dimension.
    pub shape: Vec<usize>,
    /// Elements in row-major order.
    pub data: Vec<f64>,
}

impl Grid {
    /// An array of zeros.
    pub fn zeros(shape: &[usize]) -> Self {
        Grid {
            shape: shape.to_vec(),
            data: vec![0.0; shape.iter().product()],
        }
    }

    /// Number of rows and columns.
    pub fn sides(&self) -> [usize; 2] {
        [self.shape[0], self.shape[1]]
    }

    fn place<const R: usize>(&self, at: [usize; R]) -> usize {
        let pairs = at.iter().zip(&self.shape);
        pairs.fold(0, |place, (&at, &size)| {
            debug_assert!(at < size);
            place * size + at
        })
    }
}

impl<const R: usize> Index<[usize; R]> for Grid {
    type Output = f64;

    fn index(&self, at: [usize; R]) -> &f64 {
        &self.data[self.place(at)]
    }
}

impl<const R: usize> IndexMut<[usize; R]> for Grid {
    fn index_mut(&mut self, at: [usize; R]) -> &mut f64 {
        let place = self.place(at);
        &mut self.data[place]
    }
}

/// Runs a reference on double-precision copies of arrays.
pub fn on_grids(arrays: &mut [Array], compute: impl FnOnce(&mut [Grid])) {
    let mut grids: Vec<Grid> = arrays
        .iter()
        .map(|array| Grid {
            shape: array.shape.clone(),
            data: array.numbers(),
        })
        .collect();
    compute(&mut grids);
    for (array, grid) in arrays.iter_mut().zip(&grids) {
        array.set_numbers(&grid.data);
    }
}
